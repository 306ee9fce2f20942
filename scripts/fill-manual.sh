#!/bin/sh
# fill-manual.sh BUILDDIR PAGE - print a manual page with its tables of
# constants filled in: a line
#
#	.\" @constants pb-localize -a mcl@
#
# becomes what that tool of BUILDDIR lists with these arguments; a last word
# /REGEX/, or !/REGEX/, picks names, or leaves them out. A line
#
#	.\" @common@
#
# becomes the options that every tool has.
set -eu
export LC_ALL=C
O=$1

# A list of mdoc from the columns of --dump-constants all.
as_list() {
	awk -F '\t' -v pick="$1" '
	function short(n) { # as help has it
		if (length(n) > 8 && n ~ /^-?[0-9]*[.][0-9]+$/)
			n = sprintf("%.3g", n)
		return n
	}
	function escape(s) { gsub(/\\/, "\\e", s); return s }
	BEGIN {
		print ".Bl -tag -width Ds -compact"
		out = sub(/^!/, "", pick)
		gsub(/^\/|\/$/, "", pick)
	}
	pick == "" || ($1 ~ pick) != out {
		split($4, end, /[.][.]/)
		if ($4 ~ /[0-9][.][.]/)
			$4 = short(end[1]) ".." short(end[2])
		print ".It Li " $1 "=" short($2) ($3 == "-" ? "" : " " $3) \
		    " Pq " escape($4)
		print escape($5) ($6 == "-" ? "" : "; with " $6)
	}
	END { print ".El" }'
}

while IFS= read -r line; do
	case $line in
	'.\" @constants '*@)
		args=${line#*@constants }
		# shellcheck disable=SC2086 # a tool and its words
		set -- ${args%@}
		tool=$1
		shift
		pick=''
		args=''
		for word; do
			case $word in
			/* | !/*) pick=$word ;;
			*) args="$args $word" ;;
			esac
		done
		# shellcheck disable=SC2086 # words
		"$O/$tool" --dump-constants $args all | as_list "$pick"
		;;
	'.\" @common@')
		cat <<-'END'
			.El
			.Pp
			As in every tool, see
			.Xr pb 7 :
			.Bl -tag -width Ds -compact
			.It Fl k , Fl -keep-going
			.It Fl q , Fl -quiet
			.It Fl -max-cells Ar n
			.It Fl -max-line Ar bytes
			.It Fl -provenance
			.It Fl h , Fl -help
			.It Fl V , Fl -version
			.It Fl -dump-options
		END
		;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$2"
