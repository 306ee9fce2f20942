#!/bin/sh
# readme.sh - run the examples of README.md again and put what they print into
# it. In a block of ``` a line "$ command", continued on lines that are
# indented by six, is run; the lines up to "..." are the first that it prints,
# those after it the last. With -n only tell whether anything would change.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/${O:-build}:$PATH
export LC_ALL=C.UTF-8
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

awk -v dir="$dir" '
function flush_example(    n, line, i, run) {
	if (cmd == "") return
	print cmd >(dir "/cmd")
	close(dir "/cmd")
	run = "bash " dir "/cmd 2>/dev/null"
	n = 0
	while ((run | getline line) > 0)
		out[++n] = line
	close(run)
	if (!dots) before = n
	for (i = 1; i <= before && i <= n; i++) print out[i]
	if (dots) print dots
	for (i = n - after + 1; i <= n; i++) if (i > before) print out[i]
	cmd = ""
}
/^```/ { flush_example(); inside = !inside; print; next }
!inside { print; next }
/^\$ / {
	flush_example()
	cmd = substr($0, 3); more = 1; before = after = 0; dots = ""
	print
	next
}
more && /^      / { cmd = cmd "\n" $0; print; next }
cmd == "" { print; next }
{
	more = 0
	if ($0 ~ /^ *\.\.\.$/) dots = $0
	else if (dots) after++
	else before++
}' README.md >"$dir/README.md"

if [ "${1-}" = -n ]; then
	diff README.md "$dir/README.md"
else
	cp "$dir/README.md" README.md
fi
