#!/bin/sh
# man-examples.sh BUILDDIR [PAGE ...] - run what the EXAMPLES of the manuals
# show, in a scratch directory with a copy of testdata and the tools of
# BUILDDIR in front of PATH. Prints TAP.
#
# In a display (".Bd -literal", ".Dl") of a section EXAMPLES, "$ command"
# begins an example. The command goes on over the next lines for as long as
# the shell needs more; what follows, to the next "$ " or the end of the
# display, is the output that it must print. Without any, the command must only
# succeed. Displays without "$ " are not run. Of a tutorial, those of all
# sections are, in one directory.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 3
O=$(cd "${1:-build}" && pwd) || exit 3
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- man/*.[1-8]

dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
PATH=$O:$PATH
n=0
failed=0

# The displays of EXAMPLES: lines as they are printed, "." between displays.
displays() {
	awk '/^\.Sh / { on = ($2 == "EXAMPLES" || FILENAME ~ /tutorial/) }
		on && /^\.Bd/ { show = 1; print "."; next }
		on && /^\.Dl \$ / { print "."; print substr($0, 5); print "." }
		/^\.Ed/ { show = 0 }
		show' "$1" |
		sed 's/\\&//g; s/\\(aq/'\''/g; s/\\(ti/~/g; s/\\(ha/^/g
			s/\\-/-/g; s/\\(dq/"/g; s/\\e/\\/g'
}

# Whether the shell wants another line behind the command in $1.
unfinished() {
	case $1 in
	*\\) return 0 ;;
	esac
	! sh -nc "$1" 2>/dev/null
}

missing() {
	printf '%s\n' "$1" | grep -o '\bpb-[a-z]*' | sort -u |
		while read -r t; do
			[ -x "$O/$t" ] || printf '%s ' "$t"
		done
}

# What examples left goes; testdata stays, as none writes there.
tidy() {
	find "$dir/scratch" -mindepth 1 -maxdepth 1 ! -name testdata \
		-exec rm -rf {} +
}

run_one() { # PAGE COMMAND EXPECTED
	n=$((n + 1))
	what="${1##*/}: ${2%%"$newline"*}"
	lacks=$(missing "$2")
	if [ -n "$lacks" ]; then
		printf '%s\n' "ok $n $what # skip not built: $lacks"
		return
	fi
	case $what in *tutorial*) ;; *) tidy ;; esac
	printf '%s\n' "$2" >"$dir/command"
	(cd "$dir/scratch" && sh "$dir/command") >"$dir/out" 2>"$dir/err" \
		</dev/null
	st=$?
	printf '%s' "$3" >"$dir/want"
	if [ -n "$3" ] && ! cmp -s "$dir/want" "$dir/out"; then
		diff "$dir/want" "$dir/out" | head -n 20 | sed 's/^/# /'
		st=1
	fi
	if [ "$st" -ne 0 ]; then
		sed 's/^/# /' "$dir/err"
		printf '%s\n' "not ok $n $what"
		failed=1
	else
		printf '%s\n' "ok $n $what"
	fi
}

newline='
'
mkdir "$dir/scratch"
cp -R testdata "$dir/scratch/testdata"
for page in "$@"; do
	[ -e "$page" ] || continue
	tidy
	displays "$page" >"$dir/lines"
	echo '.' >>"$dir/lines"
	command='' expected='' state=none
	while IFS= read -r line; do
		case $line in
		. | '$ '*)
			[ "$state" = none ] ||
				run_one "$page" "$command" "$expected"
			command='' expected='' state=none
			;;
		esac
		case $state:$line in
		none:'$ '*)
			command=${line#'$ '}
			state=words
			;;
		none:*) ;;
		words:*)
			if unfinished "$command"; then
				command=$command$newline${line#'> '}
			else
				expected=$line$newline
				state=output
			fi
			;;
		*) expected=$expected$line$newline ;;
		esac
	done <"$dir/lines"
done
n=$((n + 1))
if diff -r testdata "$dir/scratch/testdata" >"$dir/changed"; then
	echo "ok $n testdata is as it was"
else
	sed 's/^/# /' "$dir/changed"
	echo "not ok $n testdata is as it was"
	failed=1
fi
echo "1..$n"
exit $failed
