#!/bin/sh
# profile.sh MEMBER - draw the share of trials with at most so much, as
#
#	pb-bench -m house.yaml -p seed,safe | profile.sh time >profile.svg
#
# Reads records, writes SVG: a curve for each player. Trials that failed count
# as never there; a player without any other has no curve, and what else varies
# is not told apart. Needs jq and gnuplot.
{
	cat <<-END
		set terminal svg size 800,500
		set xlabel '$1'
		set ylabel 'share of trials'
		set yrange [0:1]
		set key outside noenhanced
	END
	# A text in single quotes, which gnuplot takes as it is.
	jq -rs --arg m "$1" '
		def quoted: "\u0027" + (gsub("\u0027"; "\u0027\u0027") |
			gsub("[[:cntrl:]]"; "?")) + "\u0027";
		map(select(.type == "result")) | group_by(.policy) |
		map([length, .[0].policy,
			map(select(.success) | .[$m] | numbers)]) |
		map(select(.[2] != [])) |
		to_entries | (.[] | "$p\(.key) << E", .value[2][], "E"),
		"plot " + (map("$p\(.key) using 1:(1.0/\(.value[0])) smooth " +
			"cumulative with steps title \(.value[1] | quoted)") |
			join(", "))'
} | gnuplot
