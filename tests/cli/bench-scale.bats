#!/usr/bin/env bats
# Benchmarks in parts: killed and resumed, by GNU parallel, by Slurm.

load common

setup() {
	here
	set -- -n 11 -p seed,nearest --rounds 1,4 -m testdata/flat.jsonl
	ask=("$@")
}

whole() { pb-bench -q "${ask[@]}" --no-results; }

@test "killed at random and resumed: the beginning of it, then all of it" {
	set -- -n 100 -p seed,nearest --rounds 1,4 -m testdata/flat.jsonl
	pb-bench -q "$@" --resume "$dir/want" >"$dir/sums"
	for pause in 0.02 0.3 0.1 0.05 0.2 0.15; do
		pb-bench -q "$@" --resume "$dir/got" >/dev/null &
		pid=$!
		sleep $pause
		kill -9 $pid || true
		wait $pid || true
		[ -e "$dir/got" ] || continue
		head -c "$(wc -c <"$dir/got")" "$dir/want" | cmp - "$dir/got"
	done
	pb-bench -q "$@" --resume "$dir/got" | cmp - "$dir/sums"
	cmp "$dir/want" "$dir/got"
}

# The manual's lines for GNU parallel, in folder $1 for $2 parts, with more
# options of parallel and, after --, of pb-bench.
in_parallel() {
	local at=$1 n=$2 more=()
	shift 2
	while [ "$1" != -- ]; do
		more+=("$1")
		shift
	done
	shift
	mkdir -p "$at"
	seq "$n" | parallel --will-cite -q --joblog "$at/log" --resume-failed \
		--results "$at/part.{}.jsonl" "${more[@]}" \
		pb-bench -q -j 1 --shard "{}/$n" "$@" >/dev/null
}

@test "GNU parallel: the sum of the parts is a single run" {
	command -v parallel >/dev/null || skip "GNU parallel is not installed"
	in_parallel "$dir/p q" 4 -- "${ask[@]}"
	pb-bench -f "$dir/p q"/part.*.jsonl | cmp - <(whole)
	# a part that failed is played again, and no other
	awk -F '\t' -v OFS='\t' '$9 ~ / 2\/4 / { $7 = 3 } 1' "$dir/p q/log" >"$dir/log"
	mv "$dir/log" "$dir/p q/log"
	echo broken >"$dir/p q/part.2.jsonl"
	in_parallel "$dir/p q" 4 -- "${ask[@]}"
	pb-bench -f "$dir/p q"/part.*.jsonl | cmp - <(whole)
	[ "$(wc -l <"$dir/p q/log")" -eq 6 ]
	run ! in_parallel "$dir/f" 2 -- -p nobody
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
	set -- "$dir/p" 4 --sshloginfile "$dir/hosts" --workdir . -- "${ask[@]}"
	timeout 2 bash -c "$(declare -f in_parallel); in_parallel \"\$@\"" - "$@" || true
	in_parallel "$@"
	pb-bench -f "$dir"/p/part.*.jsonl | cmp - <(whole)
	[ "$(awk 'NR > 1 { print $2 }' "$dir/p/log" | sort -u | xargs)" = "a b" ]
	command -v rsync >/dev/null || skip "no rsync: --basefile is not tested"
	mkdir "$dir/here"
	cp testdata/flat.jsonl "$dir/here"
	cd "$dir/here"
	in_parallel "$dir/r" 1 -S 1/a --workdir . --basefile flat.jsonl -- \
		-n 1 -m flat.jsonl
	pb-bench -q -n 1 -m flat.jsonl | grep result | cmp - <(grep '"result"' "$dir/r/part.1.jsonl")
}

# The manual's line for Slurm, for $1 parts.
in_slurm() {
	sbatch --wait --array="1-$1" -c 2 --wrap "pb-bench -q --no-results \
		-j \$SLURM_CPUS_PER_TASK --shard \$SLURM_ARRAY_TASK_ID/$1 \
		--resume '$dir/part.'\$SLURM_ARRAY_TASK_ID.jsonl ${ask[*]}"
}

@test "Slurm, played by a stub: a task that was killed goes on" {
	mkdir "$dir/bin"
	cat >"$dir/bin/sbatch" <<-'END'
		#!/bin/sh
		for a; do
			case $a in --array=*) range=${a#--array=} ;; esac
			job=$a
		done
		for i in $(seq "${range%-*}" "${range#*-}"); do
			SLURM_ARRAY_TASK_ID=$i SLURM_CPUS_PER_TASK=2 sh -c "$job"
		done
	END
	chmod +x "$dir/bin/sbatch"
	PATH="$dir/bin:$PATH"
	in_slurm 4
	pb-bench -f "$dir"/part.*.jsonl | cmp - <(whole)
	truncate -s 999 "$dir/part.2.jsonl"
	rm "$dir/part.4.jsonl"
	in_slurm 4
	pb-bench -f "$dir"/part.*.jsonl | cmp - <(whole)
}

@test "Slurm itself, if it runs here" {
	scontrol ping 2>/dev/null | grep -q 'is UP' || skip "Slurm does not run"
	# a directory that the nodes see
	in_slurm 3
	pb-bench -f "$dir"/part.*.jsonl | cmp - <(whole)
}
