#!/bin/sh
# check.sh - run the unit tests, the small checks and the command line tests
# of the build in $O; print failures and, last, "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 3
O=${O:-build}
export O
log=$(mktemp -d) || exit 3
trap 'rm -rf "$log"' EXIT

# Each job prints TAP to its own file; a program that dies counts as a failure.
one() {
	out=$log/$(echo "$1" | tr '/ ' '__').tap
	"$@" >"$out" 2>&1 </dev/null
	st=$?
	if [ "$st" -ne 0 ] && ! grep -q '^not ok' "$out"; then
		echo "not ok - $* ended with status $st" >>"$out"
	fi
}

jobs=$(nproc)
running=0
for t in "$O"/tests/unit/*; do
	case $t in *.d) continue ;; esac
	one "$t" &
	running=$((running + 1))
	[ $((running % jobs)) -eq 0 ] && wait
done
wait
one scripts/purity.sh "$O/libpb.a"
running=0
for t in tests/cli/*.bats; do
	[ -e "$t" ] || continue
	out=$log/$(basename "$t").tap
	(
		bats --tap "$t" >"$out" 2>&1 </dev/null ||
			grep -q '^not ok' "$out" ||
			echo "not ok - $t could not run" >>"$out"
	) &
	running=$((running + 1))
	[ $((running % jobs)) -eq 0 ] && wait
done
wait

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
if [ "$skipped" -gt 0 ]; then
	echo "$passed passed, $failed failed, $skipped skipped"
else
	echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
