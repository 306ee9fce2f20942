#!/bin/sh
# check.sh - run the unit tests, the small checks and the command line tests
# of the build in $O; print failures and, last, "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 3
O=${O:-build}
export O
log=$(mktemp -d) || exit 3
trap 'rm -rf "$log"' EXIT

# Each job prints TAP to its own file; one that dies counts as a failure. The
# largest files of tests begin first, so that none is left for the end.
cat >"$log/job" <<'END'
out=$1/$(basename "$2").tap
case $2 in
*.bats) bats --tap "$2" ;;
*.sh) "$2" "$O/libpb.a" ;;
*) "$2" ;;
esac >"$out" 2>&1 </dev/null
st=$?
[ "$st" -eq 0 ] || grep -q '^not ok' "$out" ||
	echo "not ok - $2 ended with status $st" >>"$out"
END
{
	ls -S tests/cli/*.bats
	for t in "$O"/tests/unit/*; do
		[ ! -x "$t" ] || echo "$t"
	done
	echo scripts/purity.sh
} | xargs -n 1 -P "$(nproc)" sh "$log/job" "$log"

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
