#!/usr/bin/env bats
# pb-bench: sweeps of constants, and how results are left for other programs.

load common
load terminal

setup() { here; }

# Made-up results of the cell where lives and speed are $1 and $2, of trials 0
# to 39: the score is awk's $3, and a trial is won where $4 holds.
cell() {
	awk -v a="$1" -v b="$2" "BEGIN { for (i = 0; i < 40; i++)
		printf \"{\\\"type\\\":\\\"result\\\",\\\"rules\\\":\\\"roomba\\\",\\\"map\\\":\\\"m\\\",\\\"policy\\\":\\\"p\\\",\\\"options\\\":\\\"%016x\\\",\\\"constants\\\":\\\"lives=%s speed=%s\\\",\\\"seed\\\":1,\\\"trial\\\":%d,\\\"success\\\":%s,\\\"score\\\":%.6g,\\\"time\\\":60}\\n\",
		100 * a + b, a, b, i, ($4) ? \"true\" : \"false\", $3 }" </dev/null
}

@test "cells are compared with the reference, Holm-corrected" {
	pb-bench -q -r roomba -p flee,greedy -n 40 --no-results --limit 200 \
		--vary lives=1,3 --vary ghosts=1,2 >"$dir/out"
	for who in flee greedy; do
		jq -r --arg who $who 'select(.against and .first == $who) |
		    [.constants, .than, .against] | join(", ") |
		    gsub(" limit=200"; "")' "$dir/out" | diff - <(cat <<-'END'
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

@test "a sweep that is read: order of the results, table, least difference" {
	{
		cell 1 4 '10 + i % 4' 'i % 2'
		cell 3 4 '20 + i % 4' 'i % 4 > 0'
		cell 1 5 '11' 1
		cell 3 5 '26 + i % 4' 1
	} >"$dir/r"
	pb-bench -q -f --no-results --by score "$dir/r" >"$dir/out"
	jq -c 'select(.type == "comparison") | [.constants, .than, .n, .by,
	    .effect]' "$dir/out" | diff - <(cat <<-'END'
		["lives=3 speed=4","lives=1 speed=4",40,"score",10]
		["lives=1 speed=5","lives=1 speed=4",40,"score",-0.5]
		["lives=3 speed=5","lives=1 speed=4",40,"score",16]
	END
	)
	head -n 1 "$dir/r" >"$dir/s"
	tail -n +2 "$dir/r" | sort -t, -k8 >>"$dir/s"
	pb-bench -q -f --no-results --by score "$dir/s" | sort |
		cmp - <(sort "$dir/out")
	pb-bench -q -f --by score --table --wide "$dir/r" >"$dir/table"
	grep -q '^Differences from the first cell' "$dir/table"
	grep -q '^p  *lives=3 speed=4  *lives=1 speed=4  *40  *40  *0  *+100.0' \
		"$dir/table"
	tail -n 1 "$dir/table" | grep -q '^shown with chance 80 %: net '
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

# A sweep as rows for other programs: trials, and cells.
rows_of_a_sweep() {
	pb-bench -q -r pacbot -p flee,random -n 4 --levels 2 --vary lives=1,3 \
		--vary motion=grid,drive >"$dir/r"
	pb-bench -q -f --csv --rows trials "$dir/r" >"$dir/trials.csv"
	pb-bench -q -f --csv "$dir/r" >"$dir/cells.csv"
}

@test "--csv: a row for each trial or cell, the members of the records, NA" {
	rows_of_a_sweep
	# lines end as RFC 4180 has them, and quotes are doubled
	[ "$(tr -cd '\r' <"$dir/cells.csv" | wc -c)" -eq 9 ]
	read_csv "$dir/trials.csv" policy,seed,trial,score,deaths,driven,lives,motion,constants.levels |
		diff - <(
			echo policy seed trial score deaths driven lives motion constants.levels |
				tr ' ' '\t'
			jq -r 'select(.type == "result") | . as $r | .constants |
			    split(" ") | map(split("=") | {(.[0]): .[1]}) | add |
			    [($r | .policy, .seed, .trial, .score, .deaths,
			    .driven // "NA"), .lives, .motion, .levels] | @tsv' "$dir/r"
		)
	read_csv "$dir/cells.csv" policy,k,rate,lo,time_mean,score_lo,lives |
		tail -n +2 | diff - <(jq -r 'select(.type == "summary") |
		    [.policy, .k, .rate, .lo, .time_mean, .score_lo // "NA",
		    (.constants | capture("lives=(?<n>[0-9])").n)] | @tsv' "$dir/r")
	# played and read are the same, and so are commas and tabs
	pb-bench -q -r pacbot -p flee,random -n 4 --levels 2 --vary lives=1,3 \
		--vary motion=grid,drive --csv --rows trials | cmp - "$dir/trials.csv"
	pb-bench -q -f --tsv --rows trials "$dir/r" |
		cmp - <(tr -d '\r' <"$dir/trials.csv" | tr , '\t')
	# a name with everything in it; constants that only some results tell
	{
		cell 1 4 1 1 | sed 's/"map":"m"/"map":"a, \\"b\\"\\n\\tc"/'
		cell 2 4 1 1 | sed 's/ speed=4//'
	} >"$dir/odd"
	pb-bench -q -f --csv "$dir/odd" >"$dir/odd.csv"
	[ "$(read_csv "$dir/odd.csv" map,lives,speed | tail -n +2 | tr '\t' '|')" = \
		'a, "b"??c|1|4
m|2|NA' ] 
	[ "$(pb-bench -q -f --csv </dev/null | wc -l)" -eq 1 ]
}

@test "R and pandas read the rows with the types that they have" {
	command -v Rscript >/dev/null || python3 -c 'import pandas' 2>/dev/null ||
		skip "neither R nor pandas"
	rows_of_a_sweep
	if command -v Rscript >/dev/null; then
		echo 'd <- read.csv(commandArgs(TRUE)[1])
		    stopifnot(nrow(d) == 32, is.integer(d$lives),
		    is.numeric(d$score), is.logical(d$success),
		    is.character(d$motion), is.numeric(d$driven),
		    is.na(d$driven) == (d$motion == "grid"),
		    all(d$constants.levels == 2))
		    m <- lm(score ~ lives * motion, d)
		    stopifnot(length(coef(m)) == 4)' >"$dir/read.R"
		Rscript "$dir/read.R" "$dir/trials.csv"
	fi
	if python3 -c 'import pandas' 2>/dev/null; then
		python3 -c 'import pandas, sys
d = pandas.read_csv(sys.argv[1])
assert len(d) == 32 and d.lives.dtype.kind == "i" and d.score.dtype.kind in "if"
assert d.success.dtype.kind == "b" and set(d.motion) == {"grid", "drive"}
assert (d.driven.isna() == (d.motion == "grid")).all()
assert (d["constants.levels"] == 2).all()' "$dir/trials.csv"
	fi
}

@test "--again: the same run, and each difference" {
	pb-bench -q -r pacbot -p flee,greedy -n 5 -j 2 --vary lives=1,3 \
		--provenance >"$dir/r"
	run -0 --separate-stderr pb-bench -j 1 --again "$dir/r"
	[ -z "$output" ]
	[ "$stderr" = "pb-bench: $dir/r: all 20 results came again" ]
	# a score, a hash, a trial that is missing, one that is too much
	sed -e '3s/"score":[0-9]*/"score":7/' -e '5s/"hash":"[0-9a-f]*/"hash":"0000000000000001/' \
		-e 7d -e '8{p;s/"trial":[0-9]*/"trial":99/}' "$dir/r" >"$dir/s"
	run -4 --separate-stderr pb-bench -q --again "$dir/s"
	[ -z "$output" ]
	[ "$(wc -l <<<"$stderr")" -eq 4 ]
	[[ "$stderr" == *"trial 1 of seed 1, player flee, map pacman, round 1: now "*"; was "*"score 7,"* ]]
	[[ "$stderr" == *"hash 0000000000000001"* ]]
	[[ "$stderr" == *"; was missing"* ]]
	[[ "$stderr" == *"1 of its 20 results are of no trial of the run" ]]
	sed '2d;4d' "$dir/r" >"$dir/t"
	run -4 --separate-stderr pb-bench --again "$dir/t"
	[ "${stderr_lines[-1]}" = "pb-bench: $dir/t: 18 of 20 came again; 2 were missing" ]
	[ "${#stderr_lines[@]}" -eq 3 ]
	# streams are given again
	pb-bench -q -n 3 --provenance <"$flat" >"$dir/flat"
	pb-bench --again "$dir/flat" <"$flat"
	# what cannot be repeated
	grep -v provenance "$dir/r" >"$dir/none"
	run -1 --separate-stderr pb-bench --again "$dir/none"
	[[ "$stderr" == *"none: expected a provenance record of pb-bench, got none"* ]]
	cat "$dir/r" "$dir/flat" >"$dir/two"
	run -1 --separate-stderr pb-bench --again "$dir/two"
	[[ "$stderr" == *"provenance: expected one of a run, got another" ]]
	pb-bench -q -f --provenance "$dir/r" >"$dir/read"
	run -1 --separate-stderr pb-bench --again "$dir/read"
	[[ "$stderr" == *"expected a run that played, got one that did not" ]]
	head -c 3000 "$dir/r" >"$dir/cut"
	run -1 pb-bench --again "$dir/cut"
	run -2 pb-bench --again "$dir/r" -n 4
	run -2 pb-bench --again "$dir/r" "$dir/s"
	run -1 pb-bench --again "$dir/nosuch"
}

# The paragraph of --methods in one line.
methods() { pb-bench -q --methods "$@" | tr -s '\n' ' '; }

@test "--methods: a paragraph of what the run was, from its data" {
	pb-bench -q -r pacbot -p flee,greedy -n 7 -s 12 --levels 2 \
		--vary lives=1,3 --confidence 0.9 >"$dir/r"
	pb-bench -q -f --methods --confidence 0.9 "$dir/r" >"$dir/text"
	[ "$(awk '{ print length }' "$dir/text" | sort -n | tail -n 1)" -le 78 ]
	text=$(tr -s '\n' ' ' <"$dir/text")
	build=$(pb-bench --version | sed -n 's/^commit //p')
	for part in "pb-bench $(pb-bench --version | awk '{ print $NF; exit }') (commit $build," \
		'flee and greedy under the rules pacbot on pacman, round 1; 7 trials of each player in each setting, 28 in all.' \
		'the defaults, but for levels 2. Varied were lives 1 and 3 (4 summaries).' \
		'seed 12)' 'exact 90 % intervals (Clopper and Pearson)' \
		'2 comparisons of players by rank: exact McNemar' \
		'2 comparisons of settings by rank: exact McNemar' \
		'corrected after Holm'; do
		[[ "$text" == *"$part"* ]] || { echo "no $part in $text"; false; }
	done
	# played and read differ in that alone
	[ "$(methods -r pacbot -p flee,greedy -n 7 -s 12 --levels 2 \
		--vary lives=1,3 --confidence 0.9)" = \
		"${text/Results were read/Trials were played}" ]
	# another run, another text
	text=$(methods -r roomba -p flee,random -n 9 --limit 30)
	for part in '9 trials' 'limit 30'; do
		[[ "$text" == *"$part"* ]] || { echo "no $part in $text"; false; }
	done
	[[ "$text" != *Varied* ]]
	[[ "$(methods -n 2 --preset published --start 2,1 $flat)" == *"the preset published"* ]]
	run -2 --separate-stderr pb-bench --methods --table
	# the citation is that of the file, of this version
	version=$(sed -n 's/^#define PB_VERSION  *"\(.*\)"/\1/p' \
		lib/include/pb/version.h)
	grep -qx "version: $version" CITATION.cff
	title=$(sed -n 's/^title: "\(.*\)"$/\1/p' CITATION.cff)
	[[ "$text" == *"Software: the pb maintainers, $title, version $version, commit $build."* ]]
}

@test "--watch: a line for each cell while games go on, none after them" {
	needs_terminal
	set -- pb-bench -r pacbot -p flee -n 400 -j 1 --vary lives=1,3 \
		--no-results
	[ "$(tty "$* --watch >'$dir/out'" 'wait:trials, .* left' \
		'wait:lives=3' ends)" = 0 ]
	# the first cell is counted, then the second below it
	line='^ *[0-9.]+ %  +[0-9.]+ to +[0-9.]+  of [0-9]+  flee@1 pacman lives='
	tr '\r' '\n' <"$dir/screen" |
		sed 's/\x1b\[[?0-9]*[a-zA-Z]//g' >"$dir/text"
	grep -Eq "${line}1\$" "$dir/text"
	grep -Eq "${line}3\$" "$dir/text"
	# the cursor goes up as many lines as there are, at the end to wipe them
	grep -q "$(printf '\033')\[1A" "$dir/screen"
	grep -q "$(printf '\033')\[2A$(printf '\033')\[J" "$dir/screen"
	"$@" -q | cmp - "$dir/out"
	run -2 --separate-stderr "$@" --watch
	[[ "$stderr" == *"--watch: goes with a terminal"* ]]
	run -2 --separate-stderr pb-bench -f --watch "$dir/out"
}
