# common.bash - where each test is: at the root of the sources, with a folder
# of its own, and finds the programs that were built.

bats_require_minimum_version 1.5.0

# shellcheck disable=SC2034 # the tests read what is set
here() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	build=$PWD/${O:-build}
	PATH=$build:$PATH
	dir=$BATS_TEST_TMPDIR
	flat=testdata/flat.jsonl
}

# wait_until COMMAND ...: until it succeeds, 60 s at most, as what takes a moment
# takes longer on a busy machine.
wait_until() {
	local end=$((SECONDS + 60)) silent fifo=$BATS_RUN_TMPDIR/silent
	! "$@" || return 0
	# A read that waits for nothing is no process, as sleep is.
	[ -p "$fifo" ] || mkfifo "$fifo" || [ -p "$fifo" ]
	exec {silent}<>"$fifo"
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || { echo "in vain: $*" && return 1; }
		read -rt 0.04 -u "$silent" || true
	done
	exec {silent}>&-
}

# What these programs import comes with Python: to look for packages of the
# machine takes longer than most of them run.
python3() { command python3 -S "$@"; }

# With -e, jq before 1.7 ends with 0 where nothing came out, as if that were
# true: here it is a failure in every version.
jq() {
	local a out='' rc=0 asked= file=$BATS_RUN_TMPDIR/jq.$BASHPID
	for a; do
		if [[ $a =~ ^-[a-zA-Z]*e[a-zA-Z]*$ ]]; then asked=y; fi
	done
	[ "$asked" ] || { command jq "$@"; return; }
	# By a file, as $() would be a process more.
	command jq "$@" >"$file" || rc=$?
	IFS= read -r -d '' out <"$file" || true
	printf %s "$out"
	if [ "$rc" = 0 ] && [ -z "$out" ]; then rc=4; fi
	return "$rc"
}
