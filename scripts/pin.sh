#!/bin/sh
# pin.sh [-u] [[-e] PATTERN] - run the commands of tests/pin/commands (those with
# PATTERN in them; -e if it begins with -) with the tools of $O and compare output, messages and exit
# status with tests/pin/pin.sha256; name what changed. -u writes that file
# again. -d OLD shows what an older build (its folder of tools) prints instead.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
O=$(cd "${O:-build}" && pwd)
pins=$PWD/tests/pin/pin.sha256
update='' old='' pattern=''
while getopts ud:e: o; do
	case $o in
	u) update=yes ;;
	d) old=$(cd "$OPTARG" && pwd) ;;
	e) pattern=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
top=$PWD
export O dir top
grep -v '^#\|^$' tests/pin/commands | grep -F -e "${1-$pattern}" >"$dir/commands"

# One command, by its line: three hashes, a tab, the command.
cat >"$dir/one" <<'END'
command=$(sed -n "$1p" "$dir/commands")
at=$dir/$2/$1
mkdir -p "$at/run"
ln -s "$top/testdata" "$at/run/testdata"
cd "$at/run"
PATH=$3:$PATH timeout 120 bash -c "$command" \
	>"$at/out" 2>"$at/err" </dev/null || echo "status $?" >"$at/status"
[ -e "$at/status" ] || echo "status 0" >"$at/status"
for f in out err status; do
	sha256sum <"$at/$f" | cut -c 1-16 | tr '\n' ' '
done >"$at/pin"
printf '\t%s\n' "$command" >>"$at/pin"
rm -rf "$at/run"
END
run_all() { # NAME TOOLS
	seq "$(wc -l <"$dir/commands")" |
		xargs -P "$(nproc)" -I{} bash "$dir/one" {} "$1" "$2"
	seq "$(wc -l <"$dir/commands")" |
		while read -r i; do cat "$dir/$1/$i/pin"; done
}

run_all new "$O" >"$dir/new.sha256"
if [ -n "$update" ]; then
	if [ $# -gt 0 ] || [ -n "$pattern" ]; then
		echo "pin.sh: -u goes with all commands" >&2
		exit 2
	fi
	cp "$dir/new.sha256" "$pins"
	echo "pin.sh: $(wc -l <"$pins") commands pinned"
	exit 0
fi

if [ -n "$old" ]; then
	run_all old "$old" >"$dir/old.sha256"
	pins=$dir/old.sha256
fi
awk -F '\t' -v said=/dev/stderr '
	NR == FNR { pin[$2] = $1; next }
	!($2 in pin) { print FNR, "new: " $2; next }
	pin[$2] != $1 {
		split(pin[$2], a, " "); split($1, b, " ")
		print FNR, (a[1] != b[1] ? "output " : "") \
		    (a[2] != b[2] ? "messages " : "") \
		    (a[3] != b[3] ? "status " : "") "changed: " $2
	}' "$pins" "$dir/new.sha256" >"$dir/changed"
sed 's/^[0-9]* //' "$dir/changed"
if [ -n "$old" ]; then
	while read -r i _; do
		for f in out err status; do
			diff "$dir/old/$i/$f" "$dir/new/$i/$f" | head -n 10 ||
				true
		done
	done <"$dir/changed"
fi
n=$(wc -l <"$dir/new.sha256")
echo "pin.sh: $n commands, $(wc -l <"$dir/changed") changed"
[ ! -s "$dir/changed" ]
