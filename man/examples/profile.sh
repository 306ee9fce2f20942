#!/bin/sh
# profile.sh MEMBER - draw the share of trials with at most so much, as
#
#	pb-bench -m house.yaml -p seed,safe | profile.sh time >profile.svg
#
# Reads records, writes SVG: a curve for each player. Trials that failed count
# as never there. Needs jq and gnuplot.
{
	cat <<-END
		set terminal svg size 800,500
		set xlabel '$1'
		set ylabel 'share of trials'
		set yrange [0:1]
		set key outside
	END
	jq -rs --arg m "$1" '
		map(select(.type == "result")) | group_by(.policy) |
		map([length, .[0].policy, map(select(.success) | .[$m] // empty)]) |
		to_entries | (.[] | "$p\(.key) << E", .value[2][], "E"),
		"plot " + (map("$p\(.key) using 1:(1.0/\(.value[0])) smooth " +
			"cumulative with steps title \"\(.value[1])\"") | join(", "))'
} | gnuplot
