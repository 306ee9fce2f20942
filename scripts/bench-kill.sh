#!/bin/sh
# bench-kill.sh - prove that a benchmark survives being killed: play it once,
# then with --resume and kill -9 at random moments, and compare.
#
#	bench-kill.sh [-t TIMES] [-s SEED] [-- PB-BENCH-OPTIONS]
#
# -t TIMES  how often it is killed (20)
# -s SEED   of the moments (1)
# After each kill the file must be the beginning of what it should become, in
# the end all of it, and the summaries the same. The options should ask for
# some seconds of work; without any it is a small house.
set -eu
times=20
seed=1
bench=${PB_BENCH:-pb-bench}

while getopts t:s: o; do
	case $o in
	t) times=$OPTARG ;;
	s) seed=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ "${1-}" != -- ] || shift
[ $# -gt 0 ] || set -- -n 2000 -p seed,nearest --rounds 1,5 \
	-m testdata/flat.jsonl

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
began=$(date +%s%N)
"$bench" -q "$@" --resume "$dir/want" >"$dir/sums"
took=$(($(date +%s%N) - began))

# Spread over nine tenths of the time it takes, if all goes evenly.
killed=0
torn=0
# shellcheck disable=SC2013 # one word a line
for pause in $(awk -v n="$times" -v t="$took" -v s="$seed" 'BEGIN {
		srand(s)
		for (i = 0; i < n; i++)
			print 1.8 * rand() * t / n / 1e9 + 0.005
	}'); do
	"$bench" -q "$@" --resume "$dir/got" >/dev/null &
	pid=$!
	sleep "$pause"
	if kill -9 "$pid" 2>/dev/null; then
		killed=$((killed + 1))
	fi
	wait "$pid" 2>/dev/null || true
	[ -e "$dir/got" ] || continue
	size=$(wc -c <"$dir/got")
	[ -z "$(tail -c 1 "$dir/got")" ] || torn=$((torn + 1))
	head -c "$size" "$dir/want" | cmp - "$dir/got" || exit 1
done
left=$(($(wc -l <"$dir/want") - $(wc -l <"$dir/got")))
"$bench" -q "$@" --resume "$dir/got" >"$dir/again"
cmp "$dir/want" "$dir/got" && cmp "$dir/sums" "$dir/again" || exit 1
echo "killed $killed times ($torn with a torn line), $left of" \
	"$(wc -l <"$dir/want") results to go then: identical"
