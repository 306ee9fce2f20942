#!/bin/sh
# histogram.sh MEMBER [WIDTH] - draw how a member of results is spread, as
#
#	pb-bench -m house.yaml -n 1000 | histogram.sh time 5 >time.svg
#
# Reads records, writes SVG. WIDTH is that of a bin (1), whose middle is a multiple
# of it. Needs jq and gnuplot.
w=${2:-1}
{
	cat <<-END
		set terminal svg size 520,340 font "sans,15"
		set xlabel '$1'
		set ylabel 'trials'
		set boxwidth 0.9 * $w
		set style fill solid 0.5
		set yrange [0:*]
		set border 3
		set tics nomirror
	END
	# Ticks stand in the middle of bins: 1, 2 or 5 times a power of ten of
	# them.
	jq -rs --arg m "$1" --argjson w "$w" '
		map(select(.type == "result") | .[$m] | numbers |
			. / $w + 0.5 | floor) | select(. != []) |
		([1, (max - min) / 6] | max) as $least |
		first(range(0; 16) | pow(10; .) * (1, 2, 5) |
			select(. >= $least)) as $step |
		"set xtics \($step * $w)",
		"set xrange [\((min - 0.7) * $w):\((max + 0.7) * $w)]",
		"$h << E", (group_by(.)[] | "\(.[0] * $w) \(length)"), "E",
		"plot $h with boxes notitle"'
} | gnuplot
