#!/bin/sh
# check-manuals.sh BUILDDIR - prove that manuals and programs agree: every
# page is clean to mandoc, every tool has a page, and the options that a page
# lists (".It Fl x , Fl -long Ar arg") are those of the tool, letters,
# names and arguments, both ways; a number alone in brackets (".Pq 0.2 .") is
# the option's default. Prints TAP.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 3
O=${1:-build}

n=0
failed=0
report() { # TEXT WHAT-IS-WRONG
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n $1"
	else
		echo "$2" | sed 's/^/# /'
		echo "not ok $n $1"
		failed=1
	fi
}

# "letter long with|without", one option a line.
in_page() {
	awk '$1 == ".It" && $2 == "Fl" {
		letter = "-"; long = ""; arg = "without"
		for (i = 2; i <= NF; i++) {
			if ($i == "Ar")
				arg = "with"
			if ($i != "Fl")
				continue
			o = $(i + 1)
			if (o ~ /^-/)
				long = substr(o, 2)
			else
				letter = o
		}
		print letter, long, arg
	}' "$1" | sort
}
# "long default", where the page gives one.
defaults_in_page() {
	awk '$1 == ".It" { long = "" }
	$1 == ".It" && $2 == "Fl" {
		for (i = 2; i < NF; i++)
			if ($i == "Fl" && $(i + 1) ~ /^-/)
				long = substr($(i + 1), 2)
	}
	/^\.(El|S[hs])/ { long = "" }
	long != "" && $1 == ".Pq" && NF <= 3 &&
	    $2 ~ /^-?[0-9.]+(e-?[0-9]+)?$/ { print long, $2 }' "$1" | sort
}
defaults_in_tool() {
	"$1" --dump-options | awk -F '\t' '$5 != "-" { print $2, $5 }' |
		sort
}
in_tool() {
	"$1" --dump-options | awk -F '\t' '{
		print $1, $2, ($3 == "-" ? "without" : "with")
	}' | sort
}

# A quotation goes on to the end of its line, past commas and over others.
nested='^\.(.* )?[DS]q .*( , .|[DS]q )'
for page in man/*.[1-8]; do
	[ -e "$page" ] || continue
	report "$page is clean" "$(mandoc -Tlint -W warning "$page" 2>&1
		grep -nE "$nested" "$page" |
			sed "s|^|$page: quotes to the end of the line: |")"
done
a=$(mktemp) && b=$(mktemp) || exit 3
trap 'rm -f "$a" "$b"' EXIT
for tool in "$O"/pb-*; do
	case $tool in *.d) continue ;; esac
	name=${tool##*/}
	if [ ! -e "man/$name.1" ]; then
		report "$name has a manual" "there is no man/$name.1"
		continue
	fi
	in_tool "$tool" >"$a"
	in_page "man/$name.1" >"$b"
	report "$name and its manual have the same options" "$(
		comm -23 "$a" "$b" | sed 's/^/not in the manual: /'
		comm -13 "$a" "$b" | sed 's/^/not in the tool: /'
	)"
	defaults_in_tool "$tool" >"$a"
	defaults_in_page "man/$name.1" >"$b"
	report "$name and its manual have the same defaults" "$(
		join "$a" "$b" | awk '$2 != $3 {
			print $1 ": " $2 " in the tool, " $3 " in the manual"
		}'
	)"
done
echo "1..$n"
exit $failed
