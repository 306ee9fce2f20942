#!/bin/sh
# coverage.sh [TEST...] - run the tests (default: all) of a build that counts,
# and print which lines of lib/ they reach: the files below 90 %, worst first,
# then all of lib/. Status 1 if that is below 90 %.
set -eu
cd "$(dirname "$0")/.."
O=build-coverage
export O

# What threads lose of counts does not matter, a line is reached or not; not to
# lose any takes several times as long.
make -s -j"$(nproc)" O=$O CFLAGS='-O1 -g --coverage -fprofile-update=single' all unit
find $O -name '*.gcda' -delete
if [ $# -eq 0 ]; then
	scripts/check.sh >&2 || echo "coverage: some tests failed" >&2
fi
for t in "$@"; do
	case $t in
	*.bats) bats "$t" >/dev/null || echo "coverage: $t failed" >&2 ;;
	*) "$O/tests/unit/$t" >/dev/null || echo "coverage: $t failed" >&2 ;;
	esac
done

# Of what gcov says of an object, the source itself and not its headers.
find $O/lib -name '*.gcno' | sort | while read -r f; do
	src=${f#"$O"/}
	src=${src%.gcno}.c
	[ -e "$src" ] || continue
	gcov -n "$f" 2>/dev/null | awk -v src="$src" '
		/^File / { mine = index($0, "\047" src "\047") > 0 }
		mine && /^Lines executed/ {
			sub(/Lines executed:/, "")
			sub(/% of/, "")
			print $1, $2, src
			exit
		}'
done | sort -n | awk '
	{ lines += $2; hit += $1 * $2 / 100 }
	$1 < 90 { printf "%6.2f %% of %4d lines  %s\n", $1, $2, $3 }
	END {
		if (lines == 0)
			exit 1
		printf "%6.2f %% of %4d lines  lib/\n", 100 * hit / lines, lines
		exit hit < 0.9 * lines
	}'
