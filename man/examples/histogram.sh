#!/bin/sh
# histogram.sh MEMBER [WIDTH] - draw how a member of results is spread, as
#
#	pb-bench -m house.yaml -n 1000 | histogram.sh time 5 >time.svg
#
# Reads records, writes SVG. WIDTH is that of a bin (1), whose middle is a multiple
# of it. Needs jq and gnuplot.
{
	cat <<-END
		set terminal svg size 520,340 font "sans,15"
		set xlabel '$1'
		set ylabel 'trials'
		set boxwidth 0.9 relative
		set style fill solid 0.5
		set yrange [0:*]
		set border 3
		set tics nomirror
		w = ${2:-1}
		plot '-' using (w * floor(\$1 / w + 0.5)):(1) \\
			smooth frequency with boxes notitle
	END
	jq -r --arg m "$1" 'select(.type == "result") | .[$m] | numbers'
	echo e
} | gnuplot
