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
	# A part that is killed is played again, and no other.
	ask=(-n 2000 -p seed,nearest --rounds 1,4 -m "$dir/flat.jsonl")
	cp "$flat" "$dir"
	in_parallel "$dir/k" 4 -j 2 -- "${ask[@]}" 3>&- &
	pid=$!
	for ((i = 0; i < 500; i++)); do
		[ ! -s "$dir/k/part.2.jsonl" ] || break
		sleep 0.02
	done
	kill -9 "$(pgrep -f -- "--shard 2/4 .*$dir/flat.jsonl")"
	st=0
	wait $pid || st=$?
	[ "$st" -eq 1 ]
	awk -F '\t' 'NR > 1 { n += $8 == 9 } END { exit n != 1 }' "$dir/k/log"
	in_parallel "$dir/k" 4 -- "${ask[@]}"
	[ "$(wc -l <"$dir/k/log")" -eq 6 ]
	pb-bench -f "$dir"/k/part.*.jsonl >"$dir/sum"
	whole | cmp - "$dir/sum"
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
	if [ -e "$dir/slurm/conf" ] && squeue -h | grep -q .; then
		scancel -u "$(id -un)"
		for ((i = 0; i < 50; i++)); do
			squeue -h | grep -q . || break
			sleep 0.1
		done
	fi
	for p in "$dir"/{ssh,slurm}/*.pid; do
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

# A cluster of this machine alone, with files and ports of its own.
start_slurm() {
	local at=$dir/slurm name port=$((20000 + $$ % 20000)) me host
	PATH=$PATH:/usr/sbin
	for name in munged slurmctld slurmd sbatch; do
		command -v "$name" >/dev/null || skip "no $name: Slurm or munge is not installed"
	done
	me=$(id -un)
	host=$(hostname -s)
	export SLURM_CONF=$at/conf
	mkdir "$at" "$at/state" "$at/spool"
	(umask 077 && head -c 128 /dev/urandom >"$at/key")
	munged --force --key-file "$at/key" --socket "$at/munge" --pid-file "$at/munged.pid" \
		--log-file "$at/munged.log" --seed-file "$at/seed" 3>&-
	cat >"$SLURM_CONF" <<-END
		ClusterName=pb
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$port
		SlurmdPort=$((port + 1))
		SlurmUser=$me
		SlurmdUser=$me
		AuthType=auth/munge
		AuthInfo=socket=$at/munge
		CredType=cred/munge
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		MpiDefault=none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		SchedulerParameters=batch_sched_delay=0,sched_interval=1
		StateSaveLocation=$at/state
		SlurmdSpoolDir=$at/spool
		SlurmctldPidFile=$at/slurmctld.pid
		SlurmdPidFile=$at/slurmd.pid
		SlurmdParameters=config_overrides
		KillWait=1
		NodeName=$host NodeAddr=127.0.0.1 CPUs=2
		PartitionName=all Nodes=ALL Default=YES State=UP
	END
	slurmctld -c -L "$at/slurmctld.log" 3>&-
	slurmd -c -N "$host" -L "$at/slurmd.log" 3>&-
	for ((i = 0; i < 100; i++)); do
		[ "$(sinfo -h -o %T 2>&1)" != idle ] || return 0
		sleep 0.1
	done
	tail -n 3 "$at"/*.log
	return 1
}

# The manual's line for Slurm, for 4 parts, or those of $1; prints the job.
in_slurm() {
	sbatch --parsable --requeue --array="${1-1-4}" -c 1 -o "$dir/out.%a" --wrap "pb-bench -q \
		-j \$SLURM_CPUS_PER_TASK --shard \$SLURM_ARRAY_TASK_ID/4 \
		--resume '$dir/part.'\$SLURM_ARRAY_TASK_ID.jsonl ${ask[*]}"
}

# until_slurm JOB WHAT: the states of its tasks, sorted, are that.
until_slurm() {
	local i state
	for ((i = 0; i < 150; i++)); do
		state=$(squeue -h -r -t all -j "$1" -o '%K %t' | sort | xargs)
		[[ ! $state =~ $2 ]] || return 0
		sleep 0.1
	done
	echo "$state"
	return 1
}

@test "Slurm: a task that is queued again, cancelled or lost goes on" {
	start_slurm
	ask=(-n 2000 -p seed,nearest --rounds 1,4 -m "$flat")
	job=$(in_slurm)
	for ((i = 0; i < 500; i++)); do
		[ ! -s "$dir/part.1.jsonl" ] || [ ! -s "$dir/part.2.jsonl" ] || break
		sleep 0.02
	done
	scancel "${job}_2" &
	scontrol requeue "${job}_1"
	wait $!
	until_slurm "$job" '1 PD 2 CA'
	for i in 1 2; do
		head -c 999 "$dir/part.$i.jsonl" >"$dir/begin.$i"
		[ "$(wc -l <"$dir/part.$i.jsonl")" -lt 2000 ]
	done
	scontrol update JobId="${job}_1" StartTime=now # it would be in two minutes
	until_slurm "$job" '1 CD 2 CA 3 CD 4 CD'
	rm "$dir/part.4.jsonl"
	job=$(in_slurm 2,4)
	until_slurm "$job" '2 CD 4 CD'
	for i in 1 2; do
		head -c 999 "$dir/part.$i.jsonl" | cmp - "$dir/begin.$i"
	done
	pb-bench -f "$dir"/part.*.jsonl >"$dir/sum"
	whole | cmp - "$dir/sum"
	# Slurm knows of one that fails.
	job=$(in_slurm 5)
	until_slurm "$job" '5 F'
	grep -q '^pb-bench: --shard: ' "$dir/out.5"
}
