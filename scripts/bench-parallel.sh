#!/bin/sh
# bench-parallel.sh - play a benchmark in parts with GNU parallel, on this
# machine or on several, and sum it up.
#
#	bench-parallel.sh [-n PARTS] [-d DIR] [-l LOGINS] [-b FILE]...
#	    -- PB-BENCH-OPTIONS [-- OPTIONS-OF-THE-SUM]
#
# Part I is "pb-bench -q -j 1 --shard I/PARTS ...", the sum is
# "pb-bench -f" of all parts: the same as that of a single run.
#
# -n PARTS   how many (one for each processor here)
# -d DIR     where the parts and the job log are kept (bench-parts). Started
#            again with the same options, it plays only what is missing or
#            failed.
# -l LOGINS  play on the hosts of this ssh login file, one a line, such as
#            "8/user@host" for 8 at a time; ":" is this machine. ssh must let
#            in without a question; see PARALLEL_SSH of parallel(1). pb-bench
#            must be in the PATH of a command there, or PB_BENCH say where it
#            is. Names of files count from the same directory as here: below
#            home from the hosts' home, elsewhere as it is.
# -b FILE    copy FILE to that directory of the hosts first, with rsync: a map
#            and its image. May be repeated.
set -eu
parts=$(nproc)
dir="bench-parts"
logins=
base=
# shellcheck source=scripts/bench-common.sh
. "$(dirname "$0")/bench-common.sh"

while getopts n:d:l:b: o; do
	case $o in
	n) parts=$OPTARG ;;
	d) dir=$OPTARG ;;
	l) logins=$OPTARG ;;
	b) base="$base--basefile $(quote "$OPTARG")" ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
take_args "$@"
command -v parallel >/dev/null || fail "needs GNU parallel" 3

set -- --will-cite -q -I '{part}' --resume-failed --joblog "$dir/log" \
	--results "$dir/part.{part}.jsonl"
[ -z "$base" ] || command -v rsync >/dev/null ||
	fail "-b needs rsync, here and on the hosts" 3
if [ -n "$logins" ]; then
	[ -r "$logins" ] || fail "$logins: cannot read" 3
	set -- "$@" --sshloginfile "$logins" --workdir .
fi
status=0
eval "parallel \"\$@\" $base $(quote "$bench") -q -j 1 --shard {part}/$parts \
	$play ::: $(seq -s ' ' "$parts")" >/dev/null || status=$?
[ "$status" -eq 0 ] || {
	cat "$dir"/part.*.err >&2 2>/dev/null || true
	fail "some parts failed: see $dir/log" 1
}
sum_up
