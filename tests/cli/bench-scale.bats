#!/usr/bin/env bats
# Benchmarks in parts: killed and resumed, by GNU parallel, by Slurm.

load common

setup() {
	here
	set -- -n 11 -p seed,nearest --rounds 1,4 -m testdata/flat.jsonl
	ask=("$@")
}

whole() { pb-bench -q "${ask[@]}" --no-results; }

# An sbatch that does the array's tasks one after the other, on one line of
# ranges; task 2 is killed when it has played a little, as if its node died.
stub_sbatch() {
	mkdir "$dir/bin"
	cat >"$dir/bin/sbatch" <<-'END'
		#!/bin/sh
		for a; do
			case $a in --array=*) ranges=${a#--array=} ;; esac
			job=$a
		done
		echo "$ranges" >>"$LOG"
		for r in $(echo "$ranges" | tr , ' '); do
			for i in $(seq "${r%-*}" "${r#*-}"); do
				[ "$i:$(wc -l <"$LOG")" = 2:1 ] && continue
				SLURM_ARRAY_TASK_ID=$i sh "$job"
			done
		done
	END
	chmod +x "$dir/bin/sbatch"
	PATH="$dir/bin:$PATH"
	export LOG="$dir/log"
}

@test "killed six times at random and resumed: identical" {
	scripts/bench-kill.sh -t 6 -- -n 100 -p seed,nearest --rounds 1,4 \
		-m testdata/flat.jsonl >"$dir/out"
	grep -q ': identical$' "$dir/out"
}

@test "GNU parallel: the sum of the parts is a single run" {
	command -v parallel >/dev/null || skip "GNU parallel is not installed"
	scripts/bench-parallel.sh -n 4 -d "$dir/p q" -- "${ask[@]}" |
		cmp - <(whole)
	# whatever the seed: comparisons have no luck of their own
	scripts/bench-parallel.sh -n 2 -d "$dir/s" -- "${ask[@]}" -s 3 |
		cmp - <(pb-bench -q --no-results "${ask[@]}" -s 3)
	# nothing is left to play; the sum can be another one
	before=$(cat "$dir/p q/log")
	run scripts/bench-parallel.sh -n 4 -d "$dir/p q" -- "${ask[@]}" -- \
		-q -e 'success>=1'
	[ "$status" -eq 4 ]
	[ "$(cat "$dir/p q/log")" = "$before" ]
	# a part that failed is played again, and no other
	awk -F '\t' -v OFS='\t' '$9 ~ / 2\/4 / { $7 = 3 } 1' \
		<<<"$before" >"$dir/p q/log"
	echo broken >"$dir/p q/part.2.jsonl"
	scripts/bench-parallel.sh -n 4 -d "$dir/p q" -- "${ask[@]}" |
		cmp - <(whole)
	[ "$(wc -l <"$dir/p q/log")" -eq 6 ]
	run scripts/bench-parallel.sh -n 5 -d "$dir/p q" -- "${ask[@]}"
	[ "$status" -eq 1 ]
	[ "$output" = "bench-parallel.sh: $dir/p q: holds parts of another benchmark" ]
}

@test "GNU parallel: hosts of a login file, and a part that fails" {
	command -v parallel >/dev/null || skip "GNU parallel is not installed"
	echo '1/:' >"$dir/hosts"
	scripts/bench-parallel.sh -n 3 -d "$dir/p" -l "$dir/hosts" \
		-- "${ask[@]}" | cmp - <(whole)
	run scripts/bench-parallel.sh -n 2 -d "$dir/f" -- -p nobody
	[ "$status" -eq 1 ]
	[[ "$output" == *'--policy: expected some of'* ]]
	[[ "$output" == *"some parts failed: see $dir/f/log" ]]
}

# Two hosts on this machine, a and b: sshd at two ports, with keys of its own.
start_hosts() {
	local sshd at=$dir/ssh host port=$((20000 + $$ % 20000))
	sshd=$(PATH=$PATH:/usr/sbin command -v sshd) || skip "no sshd"
	mkdir "$at" "$at/home"
	ssh-keygen -q -t ed25519 -N '' -f "$at/key"
	for host in a b; do
		port=$((port + 1))
		cat >"$at/$host" <<-END
			Port $port
			ListenAddress 127.0.0.1
			HostKey $at/key
			PidFile $at/$host.pid
			AuthorizedKeysFile $at/key.pub
			StrictModes no
			UsePAM no
			SetEnv PATH=$PATH
		END
		"$sshd" -f "$at/$host" -E "$at/$host.log" ||
			skip "sshd does not start: $(tail -n 1 "$at/$host.log")"
		cat >>"$at/config" <<-END
			Host $host
			Hostname 127.0.0.1
			Port $port
			IdentityFile $at/key
			IdentitiesOnly yes
			UserKnownHostsFile /dev/null
			StrictHostKeyChecking no
			LogLevel ERROR
		END
	done
	printf '%s\n' 1/a 1/b >"$dir/hosts"
	export PARALLEL_SSH="ssh -F $at/config"
}

teardown() {
	local p
	for p in "$dir"/ssh/*.pid; do
		[ ! -e "$p" ] || kill "$(cat "$p")"
	done
}

@test "GNU parallel over ssh: two hosts, killed, resumed; a file copied" {
	command -v parallel >/dev/null || skip "GNU parallel is not installed"
	start_hosts
	timeout 2 scripts/bench-parallel.sh -n 4 -d "$dir/p" -l "$dir/hosts" \
		-- "${ask[@]}" >/dev/null 2>&1 || true
	scripts/bench-parallel.sh -n 4 -d "$dir/p" -l "$dir/hosts" \
		-- "${ask[@]}" | cmp - <(whole)
	[ "$(awk 'NR > 1 { print $2 }' "$dir/p/log" | sort -u | xargs)" = "a b" ]
	echo 1/nobody.invalid >"$dir/hosts"
	run -1 scripts/bench-parallel.sh -n 1 -d "$dir/q" -l "$dir/hosts" \
		-- -n 1 -m testdata/flat.jsonl
	echo 1/a >"$dir/hosts"
	scripts/bench-parallel.sh -n 1 -d "$dir/q" -l "$dir/hosts" \
		-- -n 1 -m testdata/flat.jsonl -- --no-results >"$dir/out"
	command -v rsync >/dev/null || skip "no rsync: -b is not tested"
	mkdir "$dir/here"
	cp testdata/flat.jsonl "$dir/here"
	(cd "$dir/here" && "$OLDPWD/scripts/bench-parallel.sh" -n 1 -d ../r \
		-l ../hosts -b flat.jsonl -- -n 1 -m flat.jsonl -- \
		--no-results) | cmp - "$dir/out"
}

@test "Slurm, played by a stub: ranges, what is left, the sum" {
	stub_sbatch
	run scripts/bench-slurm.sh -n 4 -d "$dir/s t" -- "${ask[@]}"
	[ "$status" -eq 1 ]
	[[ "$output" == *"tasks 2 failed: see $dir/s t/part."* ]]
	rm "$dir/s t/part.4.done"
	scripts/bench-slurm.sh -n 4 -d "$dir/s t" -- "${ask[@]}" |
		cmp - <(whole)
	[ "$(xargs <"$LOG")" = "1-4 2,4" ]
	# all are done: none is submitted
	scripts/bench-slurm.sh -n 4 -d "$dir/s t" -- "${ask[@]}" -- --csv |
		cmp - <(pb-bench "${ask[@]}" --csv)
	[ "$(wc -l <"$LOG")" -eq 2 ]
}

@test "Slurm itself, if it runs here" {
	scontrol ping 2>/dev/null | grep -q 'is UP' || skip "Slurm does not run"
	# a directory that the nodes see
	scripts/bench-slurm.sh -n 3 -d "$dir/s" -s '--time 5' -- "${ask[@]}" |
		cmp - <(whole)
}

@test "parts: what is not understood is refused" {
	for s in bench-parallel bench-slurm; do
		run scripts/$s.sh -n 0 -d "$dir/x" -- -n 1
		[ "$status" -eq 2 ]
		run scripts/$s.sh -d "$dir/x"
		[ "$status" -eq 2 ]
		run scripts/$s.sh -z
		[ "$status" -eq 2 ]
	done
}
