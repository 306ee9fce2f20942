#!/bin/sh
# readaloud.sh [-n N] SEED - draw 60 comments and 40 static functions of lib and
# cmd at random, to be read aloud: mend those that need a second reading. The
# same SEED draws the same on every machine. -n N draws N in all (100).
# readaloud.sh -m - print the texts of all messages, warnings and refusals.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
n=100 messages=
while getopts mn: o; do
	case $o in
	m) messages=yes ;;
	n) n=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ -n "$messages" ] || [ $# -eq 1 ] ||
	{ echo "usage: readaloud.sh [-n n] seed | -m" >&2 && exit 2; }

# Strings of at least two words in statements that print, return or assign them.
# shellcheck disable=SC2016 # of awk, not of the shell
[ -z "$messages" ] || {
	find cmd lib -name '*.[ch]' | sort | xargs awk '
	FNR == 1 { s = "" }
	/^[ \t]*(\/?\*|#)/ { next }
	s == "" { at = FILENAME ":" FNR }
	{ s = s " " $0 }
	/[;{}][ \t]*(\/\*.*)?$/ {
		# Rows of constants and options have help, no messages.
		if (s !~ /PB_[A-Z]+\([ \t]*"|[{](.?[a-zA-Z].?|0), "/ &&
		    s ~ /error|msg_|fail|refuse|why|return|warn|note|\?/) {
			text = ""
			while (match(s, /"([^"\\]|\\.)*"/)) {
				# Adjacent strings are one.
				gap = substr(s, 1, RSTART - 1)
				text = text (gap ~ /^[ \t]*$/ ? "" : "\n") \
				    substr(s, RSTART + 1, RLENGTH - 2)
				s = substr(s, RSTART + RLENGTH)
			}
			m = split(text, line, "\n")
			for (i = 1; i <= m; i++)
				if (line[i] ~ /[a-z%] [a-z%]/)
					print at ": " line[i]
		}
		s = ""
	}'
	exit
}

# shellcheck disable=SC2016 # of awk, not of the shell
find cmd lib -name '*.[ch]' | sort | xargs awk -v n="$n" -v seed="${1-}" '
	function add(kind, text) { all[kind, ++many[kind]] = text }
	function draw(kind, k,   i, j, t) { # Fisher-Yates, Park-Miller
		for (i = 1; i <= k && i <= many[kind]; i++) {
			x = x * 16807 % 2147483647
			j = i + x % (many[kind] - i + 1)
			t = all[kind, j]
			all[kind, j] = all[kind, i]
			print t
		}
	}
	FNR == 1 { type = comment = ""; inside = 0 }
	comment != "" { # with the line of code that it is about
		add("comment", comment "\n" $0)
		comment = ""
	}
	!inside && (i = index($0, "/*")) {
		text = FILENAME ":" FNR ":"
		inside = 1
		alone = $0 ~ /^[ \t]*\/\*/
	}
	inside {
		text = text "\n" $0
		if (index($0, "*/")) {
			inside = 0
			if (alone)
				comment = text
			else
				add("comment", text)
		}
		next
	}
	type != "" && /^[a-z_0-9]+\(/ { add("static", at ": " type " " $0) }
	{ type = "" }
	/^static [^=;(]*$/ { type = $0; at = FILENAME ":" FNR + 1 }
	END {
		x = (seed % 2147483646 + 1) * 48271 % 2147483647
		draw("comment", int(n * 0.6 + 0.5))
		draw("static", n - int(n * 0.6 + 0.5))
	}'
