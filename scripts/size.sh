#!/bin/sh
# size.sh [-bv] [REVISION [REVISION]] - how large this project is and how well
# it is divided: of the working tree, of a revision, of two side by side.
# -b builds each in a scratch folder, for what is told by programs: the symbols
# that libpb.so exports and the files that run on two walks, a pellet from
# pb-mapgen to a benchmark's summary and a scan from a log to a pose. -v lists
# what is counted as doubled, in a circle or naming a rule set.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
top=$PWD
build='' list=''
while getopts bv o; do
	case $o in
	b) build=yes ;;
	v) list=yes ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -le 2 ] || { echo "usage: size.sh [-bv] [revision [revision]]" >&2 && exit 2; }

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

sources() { find cmd lib -name '*.[ch]' | sort; }

lines() { # FILE ...: how many lines and files, of a list on stdin
	xargs cat | wc -l | tr -d ' '
}

# Names of files, without .c and .h, that stand in more than one folder; a
# public header belongs to its source, wherever that is.
twice() {
	sources | grep -v '^lib/include/' | sed 's/\.[ch]$//' | sort -u |
		sed 's|.*/||' | sort | uniq -d
}

# Who includes whom, each x.c and x.h of a folder as one, or whole folders.
# shellcheck disable=SC2016 # of awk, not of the shell
edges() { # files|folders
	sources | xargs awk -v what="$1" '
	function node(path) {
		sub(/\.[ch]$/, "", path)
		if (path ~ /^lib\/include\// && (base(path) in source))
			path = source[base(path)]
		if (what == "folders")
			sub("/[^/]*$", "", path)
		return path
	}
	function base(path) {
		sub(".*/", "", path)
		sub(/\.[ch]$/, "", path)
		return path
	}
	BEGIN {
		for (i = 1; i < ARGC; i++) {
			is[ARGV[i]] = 1
			c = ARGV[i]
			if (sub(/\.c$/, "", c))
				source[base(c)] = c
		}
	}
	/^#include "/ {
		split($0, q, "\"")
		here = FILENAME
		sub("/[^/]*$", "/", here)
		to = ""
		n = split("lib/ lib/include/ " here, at, " ")
		for (i = 1; i <= n; i++)
			if ((at[i] q[2]) in is)
				to = at[i] q[2]
		if (what == "folders" && node(to) == "lib/include/pb")
			to = "" # of no source: whatever it is about
		if (to != "" && node(to) != node(FILENAME))
			print node(FILENAME), node(to)
	}' | sort -u
}

# Groups that include each other, a group a line (Tarjan).
circles() {
	awk '
	{ to[$1] = to[$1] " " $2; all[$1]; all[$2] }
	function visit(v,   i, n, w, out) {
		low[v] = num[v] = ++count
		stack[++depth] = v
		on[v] = 1
		n = split(to[v], out, " ")
		for (i = 1; i <= n; i++) {
			w = out[i]
			if (!(w in num))
				visit(w)
			if (on[w] && low[w] < low[v])
				low[v] = low[w]
		}
		if (low[v] != num[v])
			return
		i = 0
		out[0] = ""
		do {
			w = stack[depth--]
			on[w] = 0
			out[0] = out[0] " " w
			i++
		} while (w != v)
		if (i > 1)
			print substr(out[0], 2)
	}
	END { for (v in all) if (!(v in num)) visit(v) }'
}

# Files that know a rule set by name, where only that game should be known.
named() {
	sources | grep -vE '^lib/(game|policy)/.|^lib/ghost/|(roomba|zumy|pacbot|pacmanbot)[^/]*$' |
		xargs grep -ilE 'roomba|zumy|pacbot|pacmanbot' || true
	sources | grep -E '^lib/game/[^/]*$' | # not of one rule set
		grep -vE '(roomba|zumy|pacbot|pacmanbot)[^/]*$' |
		xargs grep -ilE 'roomba|zumy|pacbot|pacmanbot' || true
}

# Lines of sources that hold a comment, and those that hold code.
# shellcheck disable=SC2016 # of awk, not of the shell
comments() {
	sources | grep '\.c$' | xargs awk '
	{
		line = $0
		code = comment = 0
		while (line != "") {
			if (inside) {
				comment = 1
				i = index(line, "*/")
				if (i == 0)
					break
				inside = 0
				line = substr(line, i + 2)
				continue
			}
			i = match(line, /\/[*\/]/)
			rest = i ? substr(line, 1, i - 1) : line
			gsub(/"([^"\\]|\\.)*"/, "x", rest)
			if (rest ~ /[^ \t]/)
				code = 1
			if (i == 0)
				break
			comment = 1
			if (substr(line, i + 1, 1) == "/")
				break
			inside = 1
			line = substr(line, i + 2)
		}
		codes += code
		notes += comment
	}
	END { printf "1 to %.1f\n", codes / notes }'
}

headers() {
	if [ -d lib/include ]; then
		find lib/include -name '*.h'
	else
		for d in base stats map robot ghost game localize policy env; do
			[ ! -d lib/$d ] || find lib/$d -name '*.h'
		done
	fi | wc -l | tr -d ' '
}

symbols() { # LIBRARY
	nm -D --defined-only "$1" | wc -l | tr -d ' '
}

# How many files have lines that ran since the counts were taken away.
ran() { # BUILD
	find "$1" -name '*.gcda' | while read -r f; do
		gcov -n "$f" 2>/dev/null
	done | awk -F "'" '
		/^File / { file = $2 }
		/^Lines executed/ && !/:0.00%/ && file ~ /^(lib|cmd)\// { hit[file] }
		END { for (f in hit) n++; print n + 0 }'
	find "$1" -name '*.gcda' -delete
}

walks() { # in a scratch copy: prints two numbers
	make -s -j"$(nproc)" O=build-walk CFLAGS='-O0 -g --coverage' all \
		>/dev/null 2>&1 || { echo 'does not build' && return; }
	find build-walk -name '*.gcda' -delete
	PATH=$PWD/build-walk:$PATH
	pb-mapgen testdata/house.yaml | pb-pellets |
		pb-bench -n 2 -p seed --no-results >/dev/null
	a=$(ran build-walk)
	pb-localize -m testdata/house.yaml testdata/house.log.gz >/dev/null
	echo "$a and $(ran build-walk)"
}

# What there is to say of the tree in the current folder: name, tab, value.
figures() { # O
	row() { printf '%s\t%s\n' "$1" "$2"; }
	row "lines of lib and cmd" "$(sources | lines)"
	row "files of lib and cmd" "$(sources | wc -l | tr -d ' ')"
	row "lines of lib/io" "$(sources | grep '^lib/io/' | lines)"
	row "installed headers" "$(headers)"
	if [ -e "$1/libpb.so" ]; then
		row "exported symbols" "$(symbols "$1/libpb.so")"
	else
		row "exported symbols" "not built"
	fi
	twice >"$dir/twice"
	edges files | circles >"$dir/circles"
	edges folders | circles >"$dir/folders"
	named >"$dir/named"
	row "basenames that stand twice" "$(wc -l <"$dir/twice" | tr -d ' ')"
	row "files in circles" "$(wc -w <"$dir/circles" | tr -d ' ')"
	row "folders in circles" "$(wc -w <"$dir/folders" | tr -d ' ')"
	row "files that name a rule set" "$(wc -l <"$dir/named" | tr -d ' ')"
	row "comments to source lines" "$(comments)"
	[ -z "$build" ] || row "files of the two walks" "$(walks)"
	find cmd lib -name '*.[ch]' | sed 's|/[^/]*$||' | sort | uniq -c |
		while read -r n d; do
			row "$d: lines, files" "$(find "$d" -maxdepth 1 \
				-name '*.[ch]' | lines), $n"
		done
	[ -z "$list" ] || {
		sed 's/^/twice: /' "$dir/twice"
		sed 's/^/circle: /' "$dir/circles"
		sed 's/^/circle: /' "$dir/folders"
		sed 's/^/names a rule set: /' "$dir/named"
	} >&2
}

column() { # NAME [REVISION]
	if [ $# -eq 1 ] && [ -z "$build" ]; then
		figures "${O:-build}" >"$dir/$1"
		return
	fi
	mkdir "$dir/tree.$1"
	if [ $# -eq 1 ]; then
		git ls-files -co --exclude-standard | while read -r f; do
			[ ! -e "$f" ] || echo "$f"
		done | tar -cf - -T - | tar -xf - -C "$dir/tree.$1"
	else
		git archive "$2" | tar -xf - -C "$dir/tree.$1"
	fi
	cd "$dir/tree.$1"
	[ -z "$build" ] ||
		make -s -j"$(nproc)" shared >/dev/null 2>&1 || true
	figures build >"$dir/$1"
	cd "$top"
}

first=${1-}
if [ -n "$first" ]; then
	column a "$first"
else
	column a
fi
: >"$dir/b"
[ $# -lt 2 ] || column b "$2"
awk -F '\t' -v two=$(($# > 1)) -v a="${first:-working tree}" -v b="${2-}" '
	BEGIN {
		if (two)
			printf "%-30s %16s %16s\n", "", a, b
	}
	FNR == 1 { column++ }
	!($1 in seen) { seen[$1]; order[++n] = $1 }
	{ value[column, $1] = $2 }
	END {
		for (i = 1; i <= n; i++) {
			printf "%-30s %16s", order[i], value[1, order[i]]
			if (two)
				printf " %16s", value[2, order[i]]
			print ""
		}
	}' "$dir/a" "$dir/b"
