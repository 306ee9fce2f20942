#!/bin/sh
# check-manuals.sh BUILDDIR - prove that manuals and programs agree: every
# page of BUILDDIR/man is clean to mandoc and its tables fit 78 columns, every tool has a page,
# and the options that a page lists (".It Fl x , Fl -long Ar arg") are those of
# the tool, letters, names and arguments, both ways; a number alone in brackets
# (".Pq 0.2 .") is the option's default. Every member of a record is in the
# section of pb-records(5) or pb-results(5) about it (".Cm x" or {"x":..}), and
# what that lists (".It Cm x , y Pq opt") are members, optional if it says so.
# Prints TAP.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 3
O=${1:-build}
records=${RECORDS:-man/pb-records.5 man/pb-results.5}

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

# "type key item|opt|word": the keys that sections about records speak of.
keys_in_page() {
	awk 'function say(key, how,  t) {
		for (t = 1; t <= n; t++)
			print type[t], key, how
	}
	$1 == ".Ss" || $1 == ".Sh" { n = 0 }
	$1 == ".Ss" {
		for (i = 2; i <= NF; i++) {
			type[++n] = $i
			sub(/,$/, "", type[n])
		}
		next
	}
	$1 == ".Cm" || ($1 == ".It" && $2 == "Cm") {
		m = 0
		for (i = 2; i <= NF; i++) {
			if ($i == "opt")
				while (m > 0)
					say(key[m--], "opt")
			else if ($i ~ /^[a-z][a-z0-9_]*$/)
				key[++m] = $i
		}
		while (m > 0)
			say(key[m--], $1 == ".It" ? "item" : "word")
	}
	{
		while (match($0, /"[a-z][a-z0-9_]*":/)) {
			say(substr($0, RSTART + 1, RLENGTH - 3), "word")
			$0 = substr($0, RSTART + RLENGTH)
		}
	}' "$@"
}
# "type key required|optional"; of objects inside the last key.
keys_in_tool() {
	"$1" list | grep 'required$\|optional$'
}
# What the page, $1, and the tool say of keys in two ways.
keys_that_differ() {
	awk 'function lacks(what, where) {
		print what ": not in the " where
	}
	NR == FNR {
		types[$1] = 1
		tool[$1 " " $2] = tool[$1 " " $2] $3
		next
	}
	!($1 in types) { next }
	{ page[$1 " " $2] = 1 }
	$3 != "word" && !(($1 " " $2) in tool) { lacks($1 " " $2, "tool") }
	$3 == "opt" && tool[$1 " " $2] == "required" {
		print $1 " " $2 ": required, (opt) in the manual"
	}
	END {
		for (k in tool)
			if (!(k in page) && k !~ / (t|id)$/)
				lacks(k, "manual")
	}' "$2" "$1" | sort
}

# Tables of page $1 that are wider than 78 columns, or have a cell that is wider
# than its column: words break there.
tables_too_wide() {
	awk -v page="$1" 'function bare(cell) {
		gsub(/(^| )(Ar|Cm|Em|Li|No|Pa|Sy|Va|Ta)( |$)/, " ", cell)
		gsub(/Fl -/, "--", cell)
		gsub(/Fl /, "-", cell)
		gsub(/\\&|\\\(..|"/, "", cell)
		gsub(/^ +| +$| +,/, "", cell)
		return cell
	}
	$1 == ".Bl" && $2 == "-column" {
		n = 0
		total = /-offset indent/ ? 11 : 5
		for (rest = $0; match(rest, /"[^"]*"/);
		    rest = substr(rest, RSTART + RLENGTH))
			total += width[++n] = RLENGTH - 2
		total += (n < 5 ? 4 : n == 5 ? 3 : 1) * (n - 1)
		if (total > 78)
			print page ":" NR ": a table of " total " columns"
	}
	$1 == ".El" { n = 0 }
	n && $1 == ".It" {
		m = split(substr($0, 5), cell, / Ta /)
		for (i = 1; i <= m; i++)
			if (length(bare(cell[i])) > width[i])
				print page ":" NR ": wider than its column: " bare(cell[i])
	}
	n && $1 != ".It" && $1 != ".Bl" {
		print page ":" NR ": a row goes on"
	}' "$1"
}

# A quotation goes on to the end of its line, past commas and over others.
nested='^\.(.* )?[DS]q .*( , .|[DS]q )'
for page in "$O"/man/*.[1-8]; do
	[ -e "$page" ] || continue
	report "$page is clean" "$(mandoc -Tlint -W warning "$page" 2>&1
		tables_too_wide "$page"
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
	in_page "$O/man/$name.1" >"$b"
	report "$name and its manual have the same options" "$(
		comm -23 "$a" "$b" | sed 's/^/not in the manual: /'
		comm -13 "$a" "$b" | sed 's/^/not in the tool: /'
	)"
	defaults_in_tool "$tool" >"$a"
	defaults_in_page "$O/man/$name.1" >"$b"
	report "$name and its manual have the same defaults" "$(
		join "$a" "$b" | awk '$2 != $3 {
			print $1 ": " $2 " in the tool, " $3 " in the manual"
		}'
	)"
done
# shellcheck disable=SC2086 # pages
keys_in_page $records >"$a"
keys_in_tool "$O/tests/unit/reclist" >"$b"
report "$records and the tools have the same keys" "$(
	keys_that_differ "$a" "$b")"
echo "1..$n"
exit $failed
