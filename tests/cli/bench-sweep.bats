#!/usr/bin/env bats
# pb-bench: sweeps of constants, and how results are left for other programs.

load common

setup() { here; }

# Made-up results of the cell where lives and speed are $1 and $2, of trials 0
# to 39: the score is awk's $3, and a trial is won where $4 holds.
cell() {
	awk -v a="$1" -v b="$2" "BEGIN { for (i = 0; i < 40; i++)
		printf \"{\\\"type\\\":\\\"result\\\",\\\"rules\\\":\\\"roomba\\\",\\\"map\\\":\\\"m\\\",\\\"policy\\\":\\\"p\\\",\\\"options\\\":\\\"%016x\\\",\\\"constants\\\":{\\\"lives\\\":%s,\\\"speed\\\":%s},\\\"seed\\\":1,\\\"trial\\\":%d,\\\"success\\\":%s,\\\"score\\\":%.6g,\\\"time\\\":60}\\n\",
		100 * a + b, a, b, i, ($4) ? \"true\" : \"false\", $3 }" </dev/null
}

@test "cells are compared with the reference, Holm-corrected" {
	pb-bench -q -r roomba -p flee,greedy -n 40 --no-results --set limit=200 \
		--vary lives=1,3 --vary ghosts=1,2 >"$dir/out"
	for who in flee greedy; do
		jq -r --arg who $who 'select(.against and .first == $who) |
		    [(.constants, .than | "ghosts=\(.ghosts) lives=\(.lives)"),
		    .against] | join(", ")' "$dir/out" | diff - <(cat <<-'END'
			ghosts=2 lives=1, ghosts=1 lives=1, reference
			ghosts=1 lives=3, ghosts=1 lives=1, reference
			ghosts=2 lives=3, ghosts=1 lives=1, reference
		END
		)
	done
	# the correction is over the three of one player, by hand
	jq -es 'map(select(.against and .first == "flee")) | sort_by(.p) |
	    . as $c | reduce range(3) as $i ({m: 0, ok: true};
	    .m = ([.m, $c[$i].p * (3 - $i)] | max) |
	    .ok = .ok and ((([.m, 1] | min) - $c[$i].p_holm | fabs) < 1e-5)) |
	    .ok' "$dir/out"
	# players are compared inside a cell as before
	[ "$(jq -s 'map(select(.type == "comparison" and (.against | not))) |
	    length' "$dir/out")" -eq 4 ]
}

@test "a sweep that is read: order of the results, table" {
	{
		cell 1 4 '10 + i % 4' 'i % 2'
		cell 3 4 '20 + i % 4' 'i % 4 > 0'
		cell 1 5 '11' 1
		cell 3 5 '26 + i % 4' 1
	} >"$dir/r"
	pb-bench -q -f --no-results --by score "$dir/r" >"$dir/out"
	jq -c 'select(.type == "comparison") | [.constants, .than, .n, .by,
	    .effect]' "$dir/out" | diff - <(cat <<-'END'
		[{"lives":3,"speed":4},{"lives":1,"speed":4},40,"score",10]
		[{"lives":1,"speed":5},{"lives":1,"speed":4},40,"score",-0.5]
		[{"lives":3,"speed":5},{"lives":1,"speed":4},40,"score",16]
	END
	)
	head -n 1 "$dir/r" >"$dir/s"
	tail -n +2 "$dir/r" | sort -t, -k9 >>"$dir/s"
	pb-bench -q -f --no-results --by score "$dir/s" | sort |
		cmp - <(sort "$dir/out")
	LC_ALL=C COLUMNS=500 pb-bench -q -f --by score --table "$dir/r" |
		diff - <(cat <<-'END'
			p lives=3 speed=5 (best of 4) is better than p lives=1 speed=4 by score: better in 40 of 40 games, worse in 0; score +16.0.

			roomba, m, 40 trials each, seed 1; 95 % intervals; difference: from the first row; p: McNemar, Holm

			player  lives  speed  success %                 score                median s  failures %   difference                     p
			------  -----  -----  ---------  -------------  -----  ------------  --------  -----------  ----------  ------------  ------
			p       1      4           50.0  33.8 to 66.2    11.5  11.1 to 11.9            failed 50.0
			p       3      4           75.0  58.8 to 87.3    21.5  21.1 to 21.9            failed 25.0       +10.0                <0.001
			p       1      5          100.0  91.2 to 100.0   11.0                    60.0                     -0.5  -0.9 to -0.1   0.099
			p       3      5          100.0  91.2 to 100.0   27.5  27.1 to 27.9      60.0                    +16.0                <0.001
		END
		)
}

# What Python's csv module reads of a file: all fields, one line each of names
# and values of $2, columns apart, with tabs between.
read_csv() {
	python3 -c '
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline=""), strict=True))
assert len({len(r) for r in rows}) == 1 and len(set(rows[0])) == len(rows[0])
assert all(all(r) for r in rows), "an empty field"
at = [rows[0].index(c) for c in sys.argv[2].split(",")]
for r in rows: print("\t".join(r[i] for i in at))' "$1" "$2"
}

# A sweep of two players and four cells, as records and as rows.
rows_of_a_sweep() {
	pb-bench -q -r pacbot -p flee,random -n 4 --set levels=2 --vary lives=1,3 \
		--vary motion=grid,drive >"$dir/r"
	pb-bench -q -f --csv "$dir/r" >"$dir/cells.csv"
}

@test "--csv: a row for each cell, the members of its summary, NA" {
	rows_of_a_sweep
	# lines end as RFC 4180 has them, and quotes are doubled
	[ "$(tr -cd '\r' <"$dir/cells.csv" | wc -c)" -eq 9 ]
	read_csv "$dir/cells.csv" policy,k,rate,lo,time_mean,score_lo,lives,motion,levels |
		tail -n +2 | diff - <(jq -r 'select(.type == "summary") | . as $s |
		    .constants | [($s | .policy, .k, .rate, .lo, .time_mean,
		    .score_lo // "NA"), .lives, .motion, .levels] | @tsv' "$dir/r")
	# played and read are the same
	pb-bench -q -r pacbot -p flee,random -n 4 --set levels=2 --vary lives=1,3 \
		--vary motion=grid,drive --csv | cmp - "$dir/cells.csv"
	# a name with everything in it; constants that only some results tell
	{
		cell 1 4 1 1 | sed 's/"map":"m"/"map":"a, \\"b\\"\\n\\tc"/'
		cell 2 4 1 1 | sed 's/,"speed":4//'
	} >"$dir/odd"
	pb-bench -q -f --csv "$dir/odd" >"$dir/odd.csv"
	[ "$(read_csv "$dir/odd.csv" map,lives,speed | tail -n +2 | tr '\t' '|')" = \
		'a, "b"??c|1|4
m|2|NA' ]
	# what a spreadsheet would compute, and a map that is called NA
	{
		n=0
		for map in '=1+1' '@a' '-b' -1e3 NA; do
			n=$((n + 1))
			cell $n 4 1 1 | sed "s/\"map\":\"m\"/\"map\":\"$map\"/"
		done
	} >"$dir/odd"
	[ "$(pb-bench -q -f --csv "$dir/odd" | tail -n +2 | cut -d, -f2 | tr '\n' ' ')" = \
		"\"'=1+1\" \"'@a\" \"'-b\" -1e3 \"NA\" " ]
	[ "$(pb-bench -q -f --csv </dev/null | wc -l)" -eq 1 ]
}

@test "pandas reads the cells with the types that they have" {
	command python3 -c 'import pandas' 2>/dev/null || skip "no pandas"
	rows_of_a_sweep
	command python3 -c 'import pandas, sys
d = pandas.read_csv(sys.argv[1])
assert len(d) == 8 and d.lives.dtype.kind == "i" and d.score_mean.dtype.kind in "if"
assert set(d.motion) == {"grid", "drive"}
assert d.score_lo.isna().all() and (d.levels == 2).all()' "$dir/cells.csv"
}

@test "R fits a logistic model to the cells, as in man/examples" {
	command -v Rscript >/dev/null || skip "R is not installed"
	# won: 20, 30, 40, 40 of 40; odds of the first cell are 1, the others by hand
	{
		cell 1 4 1 'i % 2'
		cell 3 4 1 'i % 4 > 0'
		cell 1 5 1 'i % 4 > 0'
		cell 3 5 1 'i % 10 > 0'
	} | pb-bench -q -f --csv | man/examples/logistic.R 'lives * speed' >"$dir/out"
	awk 'NR > 1 { print $1, $2 }' "$dir/out" | diff - <(printf '%s\n' \
		'(Intercept) 1' 'lives3 3' 'speed5 3' 'lives3:speed5 1')
	awk 'NR > 1 && !($3 < $2 && $2 < $4) { exit 1 }' "$dir/out"
}

@test "R rates players, as in man/examples" {
	command -v Rscript >/dev/null || skip "R is not installed"
	# 2 is better than 1 on 30 trials of 40, which the half trials make 30.5:10.5
	for p in 1 2; do
		cell $p 4 "$p * (i % 4 > 0) - $p * (i % 4 == 0)" 1 |
			sed "s/\"policy\":\"p\"/\"policy\":\"p$p\"/"
	done | jq -r 'select(.type == "result") | [.policy, .trial, .score] | @csv' |
		man/examples/elo.R >"$dir/out"
	[ "$(awk 'NR > 1 { print $1, $2 }' "$dir/out" | xargs)" = 'p2 93 p1 -93' ]
	awk 'NR > 1 && !($3 < $2 && $2 < $4) { exit 1 }' "$dir/out"
}

@test "gnuplot draws a histogram, as in man/examples" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	cell 1 4 'i % 3 * 10' 1 | man/examples/histogram.sh score 10 >"$dir/h.svg"
	grep -q '^</svg>$' "$dir/h.svg"
	grep -q '>trials<' "$dir/h.svg"
	grep -q '>score<' "$dir/h.svg"
	[ "$(grep -c '<polygon' "$dir/h.svg")" -ge 3 ]
}

@test "gnuplot draws profiles, as in man/examples" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	for p in 1 2; do
		cell $p 4 "i % 3 * 10 + $p" 'i % 4 > 0' |
			sed "s/\"policy\":\"p\"/\"policy\":\"p$p\"/"
	done | man/examples/profile.sh score >"$dir/p.svg"
	grep -q '^</svg>$' "$dir/p.svg"
	grep -q '>share of trials<' "$dir/p.svg"
	[ "$(grep -c '<title>p[12]</title>' "$dir/p.svg")" = 2 ]
}

@test "what gnuplot is given to draw is not run" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	cell 1 4 'i % 3 * 10' 1 >"$dir/r"
	for change in '.policy = "p`touch gnuplot.ran`"' \
	    '.policy = "p\u0027\n!touch gnuplot.ran"' \
	    '.score = "E\n!touch gnuplot.ran"' \
	    '.score = "e\n!touch gnuplot.ran"'; do
		jq -c "if .trial == 0 then $change else . end" "$dir/r" >"$dir/made"
		! cmp -s "$dir/r" "$dir/made"
		man/examples/profile.sh score <"$dir/made" >"$dir/p.svg"
		man/examples/histogram.sh score <"$dir/made" >"$dir/h.svg"
		grep -q '^</svg>$' "$dir/p.svg"
		grep -q '^</svg>$' "$dir/h.svg"
		[ ! -e gnuplot.ran ]
	done
}

@test "a name in a table cannot speak to the terminal" {
	cell 1 4 'i % 3 * 10' 1 |
		jq -c 'if .policy then .policy = "a\u001b[31mb" else . end' >"$dir/r"
	run -0 pb-bench -q -f --table "$dir/r"
	[[ $output == *'a?[31mb'* ]]
	[[ $output != *$'\e'* ]]
}

# sweep PLAYERS A B: made results of players p1.. at values of two constants:
# player p has p + a^2 (modulo 5) of 4 successes.
sweep() {
	local p a b i
	for ((p = 1; p <= $1; p++)); do
		for a in $2; do
			for b in $3; do
				for i in 0 1 2 3; do
					printf '{"type":"result","rules":"pacbot","map":"m","map_hash":"0000000000000001","options":"%016x","constants":{"alpha":%s,"beta":"%s"},"policy":"p%d","round":1,"seed":1,"trial":%d,"outcome":"x","success":%s,"pellets":1,"pellets_total":2,"score":1,"time":1,"limit":9,"metric":2,"version":"0.2.0"}\n' \
						"$((a * 7 + ${#b} + 1))" "$a" "$b" "$p" "$i" \
						"$([ "$i" -lt $(((p + a * a) % 5)) ] && echo true || echo false)"
				done
			done
		done
	done
}

@test "a sweep of numbers is drawn as a curve for each player, in panels" {
	command -v python3 >/dev/null || skip "no python3"
	curves() { python3 tests/cli/svg.py "$dir/s.svg" | grep "$1 2 :.* L .* L "; }
	# Values in any order; the second constant is the same everywhere.
	sweep 2 "2 0 1" same >"$dir/made"
	pb-bench -q --no-results --table -f "$dir/made" --png "$dir/s.svg"
	[ "$(curves blue)" = "blue 2 : M 88.16 308 L 280 248 L 471.8 368" ]
	[ "$(curves vermillion)" = "vermillion 2 : M 92.16 248 L 284 188 L 475.8 308" ]
	pb-bench -q --no-results --table -f "$dir/made" --png "$dir/t.svg"
	cmp "$dir/s.svg" "$dir/t.svg"
	# Two constants: a panel for each value of the one that is no number.
	sweep 2 "0 1 2" "left right" >"$dir/made"
	pb-bench -q --no-results --table -f "$dir/made" --png "$dir/s.svg"
	[ "$(curves blue | wc -l)" = 2 ]
	# As many curves as can be told apart.
	sweep 8 "0 1" same >"$dir/made"
	pb-bench -q --no-results --table -f "$dir/made" --png "$dir/s.svg"
	sweep 9 "0 1" same >"$dir/made"
	run pb-bench -q --no-results --table -f "$dir/made" --png "$dir/s9.svg"
	[ "$status" -ne 0 ]
	[[ $output == *"pb-bench: $dir/s9.svg: 9 curves, but only 8 can be distinguished: draw fewer players at a time"* ]]
	[ ! -e "$dir/s9.svg" ]
	# No number varies: bars.
	sweep 2 1 "left right" >"$dir/made"
	pb-bench -q --no-results --table -f "$dir/made" --png "$dir/s.svg"
	[ "$(python3 tests/cli/svg.py "$dir/s.svg" | grep -c '^blue@0.35')" -ge 3 ]
}
