#!/bin/sh
# profile.sh MEMBER - draw the share of trials with at most so much, as
#
#	pb-bench -m house.yaml -p seed,safe | profile.sh time >profile.svg
#
# Reads records, writes SVG: a curve for each player, as wide as a column of a
# paper. Trials that failed count as never there; a player without any other has
# no curve, and what else varies is not told apart. Needs jq and gnuplot.
{
	cat <<-END
		set terminal svg size 520,340 font "sans,15"
		set colorsequence podo
		set xlabel '$1'
		set ylabel 'share of trials'
		set yrange [0:1]
		set border 3
		set tics nomirror
		set key above noenhanced
	END
	# A text in single quotes, which gnuplot takes as it is. Whole numbers
	# have ticks of whole numbers: 1, 2 or 5 times a power of ten.
	jq -rs --arg m "$1" '
		def quoted: "\u0027" + (gsub("\u0027"; "\u0027\u0027") |
			gsub("[[:cntrl:]]"; "?")) + "\u0027";
		def whole: length > 0 and all(. == floor);
		def step: ([1, (max - min) / 6] | max) as $least |
			first(range(0; 16) | pow(10; .) * (1, 2, 5) |
				select(. >= $least));
		map(select(.type == "result")) | group_by(.policy) |
		map([length, .[0].policy,
			map(select(.success) | .[$m] | numbers)]) |
		map(select(.[2] != [])) |
		(map(.[2][]) | select(whole) | "set xtics \(step)",
			"set xrange [\(min - step):\(max + step)]"),
		# Each begins with no trials and goes on to the last of all.
		((map(.[2][]) | [min - if whole then 1 else 0 end,
			max + if whole then 1 else 0 end]) as $ends |
			to_entries[] | "$p\(.key) << E", "\($ends[0]) 0",
			(.value[2][] | "\(.) 1"), "\($ends[1]) 0", "E"),
		"plot " + (to_entries | map("$p\(.key) using " +
			"1:($2/\(.value[0])) smooth cumulative with steps " +
			"linewidth 2 title \(.value[1] | quoted)") | join(", "))'
} | gnuplot
