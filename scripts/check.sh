#!/bin/sh
# check.sh [TEST ...] - run the unit tests, the small checks and the command
# line tests of the build in $O, or those named; print failures and, last,
# "N passed, N failed". On a terminal a line tells how far it is.
set -u
cd "$(dirname "$0")/.." || exit 3
O=${O:-build}
export O
# Of builds with sanitizers.
LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
export LSAN_OPTIONS
# The interpreter that a script of pyenv looks for anew at each start, which
# takes longer than the start.
case $(command -v python3) in
*/shims/*)
	python=$(python3 -S -c 'import sys; print(sys.executable)') &&
		PATH=${python%/*}:$PATH
	;;
esac
log=$(mktemp -d) || exit 3
trap 'rm -rf "$log"' EXIT

# Each job prints TAP to its own file; one that dies counts as a failure.
cat >"$log/job" <<'END'
out=$1/${2##*/}.tap
began=$(date +%s)
case $2 in
*.bats) bats --tap "$2" ;;
*.sh) "$2" "$O/libpb.a" ;;
*) "$2" ;;
esac >"$out" 2>&1 </dev/null
st=$?
[ "$st" -eq 0 ] || grep -q '^not ok' "$out" ||
	echo "not ok - $2 ended with status $st" >>"$out"
echo "$(($(date +%s) - began)) $2" >>"$1/seconds"
END
if [ $# -gt 0 ]; then
	printf '%s\n' "$@"
else
	# What took longest here the last time begins first, so that none is
	# left for the end; of what is new, the largest.
	{
		[ ! -e "$O/tests/seconds" ] ||
			sort -rn "$O/tests/seconds" | cut -d ' ' -f 2
		ls -S tests/cli/*.bats
	} | awk '!seen[$0]++' | while read -r t; do
		[ ! -e "$t" ] || echo "$t"
	done
	for t in "$O"/tests/unit/*; do
		[ ! -x "$t" ] || echo "$t"
	done
	echo scripts/purity.sh
fi >"$log/jobs"

# Each test of a bats file counts, and each program as one.
watch_tests() {
	# shellcheck disable=SC2046 # names without blanks
	total=$(cat $(grep 'bats$' "$log/jobs") /dev/null | grep -c '^@test')
	total=$((total + $(grep -vc 'bats$' "$log/jobs")))
	while sleep 1; do
		n=$(find "$log" -name '*.tap' ! -name '*.bats.tap' | wc -l)
		n=$((n + $(cat "$log"/*.bats.tap 2>/dev/null |
			grep -c '^ok\|^not ok')))
		bad=$(cat "$log"/*.tap 2>/dev/null | grep -c '^not ok')
		progress_show "$n" "$total" "tests run, $bad failed"
	done
}

watcher=
if [ -t 2 ]; then
	# shellcheck source=scripts/progress.sh
	. scripts/progress.sh
	watch_tests &
	watcher=$!
fi
# Robots that drive in real time take no more than that: beside the others.
live=tests/cli/live.bats
grep "^$live\$" "$log/jobs" | xargs -r sh "$log/job" "$log" &
driving=$!
# Twice as many as there are processors: many tests wait for time to pass.
grep -v "^$live\$" "$log/jobs" |
	xargs -r -n 1 -P "$((2 * $(nproc)))" sh "$log/job" "$log"
wait "$driving"
[ $# -gt 0 ] || grep 'bats$' "$log/seconds" >"$O/tests/seconds"
if [ -n "$watcher" ]; then
	kill "$watcher"
	wait "$watcher" 2>/dev/null
	progress_wipe
fi

cat "$log"/*.tap | grep -v '^ok\|^1\.\.' >&2
for f in "$log"/*.tap; do
	if grep -q '^not ok' "$f"; then
		echo "--- $(basename "$f" .tap)" >&2
		grep '^not ok' "$f" >&2
	fi
done
passed=$(cat "$log"/*.tap | grep -c '^ok')
skipped=$(cat "$log"/*.tap | grep -c '^ok.* # skip')
failed=$(cat "$log"/*.tap | grep -c '^not ok')
passed=$((passed - skipped))
[ "$skipped" -eq 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
