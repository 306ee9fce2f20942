#!/usr/bin/env bats
# What README.md shows is what the tools print.

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	PATH="$PWD/${O:-build}:$PATH"
}

# Each block ``` that begins with "$ command" is a command, continued on
# indented lines, and its output; "..." stands for lines left out.
@test "every example of README.md prints what it says" {
	awk -v dir="$BATS_TEST_TMPDIR" '
	/^```/ { inside = !inside; if (inside) n++; cmd = 0; next }
	!inside { next }
	/^\$ / { cmd = 1; print substr($0, 3) >(dir "/" n ".sh"); next }
	cmd && /^      / { print >(dir "/" n ".sh"); next }
	{ cmd = 0; print >(dir "/" n ".out") }' README.md
	[ -e "$BATS_TEST_TMPDIR/1.sh" ]
	for sh in "$BATS_TEST_TMPDIR"/*.sh; do
		echo "# $(cat "$sh")"
		LC_ALL=C.UTF-8 bash "$sh" >"$sh.got" 2>/dev/null
		while IFS= read -r line; do
			[[ "$line" =~ ^\ *\.\.\.$ ]] || grep -qxF -- "$line" "$sh.got" || {
				echo "not printed: $line"
				cat "$sh.got"
				false
			}
		done <"${sh%.sh}.out"
	done
}
