#!/usr/bin/env bats
# pb-bench: baselines, aggregates, intervals, measures.

load common

setup() { here; }

results() { grep '"type":"result"'; }

# Made-up results of player $1 in trials 0 to $2 - 1, won if awk's $3 holds.
made() {
	awk -v who="$1" -v n="$2" "BEGIN { for (i = 0; i < n; i++)
		printf \"{\\\"type\\\":\\\"result\\\",\\\"rules\\\":\\\"pacmanbot\\\",\\\"map\\\":\\\"m\\\",\\\"policy\\\":\\\"%s\\\",\\\"seed\\\":1,\\\"trial\\\":%d,\\\"outcome\\\":\\\"%s\\\",\\\"pellets\\\":%d,\\\"pellets_total\\\":8,\\\"time\\\":60,\\\"limit\\\":900}\\n\",
		who, i, ($3) ? \"complete\" : \"killed\", ($3) ? 8 : 3 }" </dev/null
}

@test "a baseline: better, worse, within the margin, of other players" {
	made a 200 'i % 10' >"$dir/old"
	made a 200 'i % 10' | pb-bench -q -f --baseline "$dir/old" --margin 0.05 |
		jq -e 'select(.against) | .rate == 0 and .n == 200 and
		    .noninferior and .first == "a" and .second == "a"'
	run --separate-stderr pb-bench -q -f --baseline "$dir/old" \
		--margin 0.05 <(made a 200 'i % 5')
	[ "$status" -eq 4 ]
	[[ "$stderr" == "pb-bench: --margin 0.05: a, map m, round 1: success changed by -0.1, interval to -0.14"*" (200 pairs)" ]]
	# without a margin it is only said
	pb-bench -q -f --baseline "$dir/old" <(made a 200 'i % 5') |
		jq -e 'select(.against) | has("margin") | not'
	run --separate-stderr pb-bench -f --baseline "$dir/old" --margin 0.5 \
		<(made b 20 1)
	[ "$status" -eq 4 ]
	[[ "$stderr" == *"1 of 1 summaries have no trial in common with it" ]]
	run --separate-stderr pb-bench -f --baseline "$dir/old" <(made b 20 1)
	[ "$status" -eq 1 ]
	[[ "$stderr" == *"old: no trial in common with the baseline: "* ]]
	run pb-bench -f --baseline "$dir/none" <(made b 20 1)
	[ "$status" -eq 1 ] || [ "$status" -eq 3 ]
}

@test "a baseline of other constants is refused, unless they are asked for" {
	pb-bench -q -n 4 -p seed $flat >"$dir/old"
	pb-bench -q -n 4 -p seed --set 'lookahead=0.3 v-max=0.5' $flat >"$dir/new"
	key='seed, map flat, round 1'
	run -1 --separate-stderr pb-bench -q -f --baseline "$dir/old" "$dir/new"
	[[ $stderr == "pb-bench: $dir/old: $key: "*" is as usual, here 0."* ]]
	run -1 --separate-stderr pb-bench -q -f --baseline "$dir/new" "$dir/old"
	[[ $stderr == "pb-bench: $dir/new: $key: "*", here as usual; "* ]]
	# As typed as usual is the same.
	pb-bench -q -n 4 -p seed --set v-max=0.65 $flat >"$dir/typed"
	pb-bench -q -f --baseline "$dir/old" "$dir/typed" >"$dir/out"
	# Half of it asked for.
	run -1 --separate-stderr pb-bench -q -n 4 -p seed --set lookahead=0.3 \
		--no-results --baseline "$dir/new" $flat
	[ "$stderr" = "pb-bench: $dir/new: $key: v-max is 0.5, here as usual; to compare them all the same, play with --set v-max" ]
	for o in --set --vary; do
		pb-bench -q -n 4 -p seed $o lookahead=0.3 --no-results \
			--baseline "$dir/old" $flat | jq -es 'any(.against == "baseline")'
	done
}

@test "several rounds: an aggregate with intervals, whatever the order" {
	pb-bench -q -n 20 -p seed,nearest --rounds 1,4 $flat >"$dir/all"
	jq -es 'map(select(.type=="aggregate")) | length == 2 and
	    all(.strata == 2 and .n == 40 and .rate_lo <= .rate and
	    .rate <= .rate_hi and .pellets_lo <= .pellets and
	    .pellets <= .pellets_hi and .pellets <= 1)' "$dir/all"
	jq -es '(map(select(.type=="summary" and .policy=="seed").rate) |
	    add / 2 * 1e6 | round) == (map(select(.type=="aggregate" and
	    .policy=="seed").rate)[0] * 1e6 | round)' "$dir/all"
	results <"$dir/all" | tac | pb-bench -q -f | grep aggregate | sort |
		cmp - <(grep aggregate "$dir/all" | sort)
}

@test "--table: all of it, with a column of what differs" {
	set -- -q -n 10 -p seed,nearest --rounds 1,4 $flat
	pb-bench "$@" >"$dir/old"
	COLUMNS=500 pb-bench "$@" --vary v-max=0.5,0.65 --baseline "$dir/old" \
		--table=all >"$dir/t"
	grep -q '^player *v-max *round *success %.*points  .* p$' "$dir/t"
	grep -q '^seed *0.5 *4 ' "$dir/t"
	grep -q '^seed *0.65 *4 .* +0.0 .* 1.000$' "$dir/t"
	# what it was in the baseline is nothing to the other players
	head -1 "$dir/t" | grep -q ' the baseline '
	# details have columns of their own
	grep -q '^player .* causes %.* pellets .* at most 1 left %.* pairs  *better  *worse ' "$dir/t"
	# rules have tables of their own
	[ "$(pb-bench -q -n 2 -r roomba,pacbot -p flee --table |
		grep -c '^player ')" = 2 ]
	run -2 pb-bench --table=some
	[ "${lines[0]}" = 'pb-bench: --table: expected all, got "some"' ]
}

@test "options that do not go together are refused" {
	for a in '--margin 0.1' '--csv --table' '-f --baseline -'; do
		run --separate-stderr pb-bench $a
		[ "$status" -eq 2 ] || { echo "$a: $status"; false; }
		[ -z "$output" ]
	done
}

@test "players of different seeds are not compared" {
	{
		made a 4 1
		made b 4 1 | sed 's/"seed":1/"seed":2/'
		made c 4 1
	} >"$dir/r"
	head -8 "$dir/r" >"$dir/two"
	run --separate-stderr pb-bench -f --table "$dir/two"
	[ "${lines[0]}" = "No two players have a trial in common." ]
	[[ "${lines[1]}" == "pacmanbot, m, round 1, 4 trials each, several seeds; "* ]]
	[ "$stderr" = "pb-bench: warning: a and b, map m, round 1: no trial in common, not compared" ]
	run --separate-stderr pb-bench -f --table "$dir/r"
	[[ "$stderr" == *"not compared, as 2 pairs in all" ]]
	# with one seed all is as it was
	sed 's/"seed":2/"seed":1/' "$dir/two" >"$dir/one"
	pb-bench -q -f --table "$dir/one" | grep -q ' each, seed 1; '
}

# Fields $2 of all records of type $1 on stdin.
of() { jq -c "select(.type == \"$1\") | $2"; }

@test "intervals have a width, or there is none" {
	# two rounds of 10 of 10 are not sure; nor are they 20 trials
	{
		made a 10 1
		made a 10 1 | sed 's/"seed"/"round":2,"seed"/'
	} >"$dir/r"
	pb-bench -q -f "$dir/r" | of aggregate '[.n, .trials, .rate_lo,
	    .rate_hi, .pellets_lo, .time_lo]' |
		grep -qxF '[20,10,0.691503,1,null,null]'
	# what is known of each round comes together where trials differ
	{
		made a 200 'i % 10'
		made a 200 'i % 10' | sed 's/"seed"/"round":2,"seed"/'
	} >"$dir/same"
	{
		made a 200 'i % 10'
		made a 200 '(i + 1) % 10' | sed 's/"seed"/"round":2,"seed"/'
	} >"$dir/other"
	width='.rate_hi - .rate_lo'
	pb-bench -q -f "$dir/same" | of aggregate "$width > 0.08 and $width < 0.1" |
		grep -qx true
	pb-bench -q -f "$dir/other" | of aggregate "$width < 0.065" |
		grep -qx true
	# pellets: all alike in 100 pairs; then one is not
	{
		made a 100 1
		made b 100 1
	} >"$dir/r"
	pb-bench -q -f "$dir/r" | of comparison '[.pellets, .pellets_lo,
	    .time_lo]' |
		grep -qxF '[0,null,null]'
	# a table has a number without an interval
	LC_ALL=C COLUMNS=500 pb-bench -q -f --table=all "$dir/r" >"$dir/t"
	grep -q 'killed by\|causes' "$dir/t" && false
	grep -qE '^a +100\.0  96\.4 to 100\.0 +60\.0 +8\.00 +100\.0 ' "$dir/t"
	{
		made a 100 1
		made b 100 'i != 7'
	} | pb-bench -q -f | of comparison '.pellets == -0.05 and
	    .pellets_lo < -0.2 and .pellets_hi > 0 and .time_lo < 0' | grep -qx true
}

# Trials of a and b with scores and deaths: b has more points, and dies more.
scored() {
	awk -v rules="$1" 'BEGIN { for (i = 0; i < 40; i++) for (p = 0; p < 2; p++)
		printf "{\"type\":\"result\",\"rules\":\"%s\",\"map\":\"m\",\"policy\":\"%s\",\"seed\":1,\"trial\":%d,\"outcome\":\"%s\",\"success\":%s,\"score\":%d,\"deaths\":%d,\"time\":%d,\"limit\":900}\n",
		rules, p ? "b" : "a", i, p && i % 2 ? "caught" : "cleared",
		p && i % 2 ? "false" : "true",
		100 * (i % 7) + (p && i % 8 ? 50 : 0), p, 60 + i % 3 + 2 * p }' </dev/null
}

@test "--by: what is better, in comparisons" {
	by() { scored "${2:-pacbot}" | pb-bench -f -q --by "$1" --no-results |
		jq -r 'select(.type == "comparison") |
		    "\(.first) \(.only_first) \(.only_second) \(.both) \(.none) \(.by) \(.effect)"'; }
	[ "$(by success)" = 'b 0 20 20 0 success -0.5' ]
	[ "$(by score)" = 'b 35 0 5 0 score 43.75' ]
	[ "$(by deaths)" = 'b 0 40 0 0 deaths 1' ]
	[ "$(by 'score>=350')" = 'b 5 0 16 19 score>=350 0.125' ]
	# equal scores are split by deaths; the competition ranks like this
	[ "$(by rank)" = 'b 35 5 0 0 rank 43.75' ]
	[ "$(by rules)" = "$(by rank)" ]
	[ "$(by rules roomba)" = "$(by success roomba)" ]
	# a failed trial has its limit
	[ "$(by time | cut -d' ' -f1-6)" = 'b 0 40 0 0 time' ]
	scored pacbot | pb-bench -f -q --table >"$dir/table"
	[ "$(head -2 "$dir/table" | xargs)" = 'b is better than a by score: better in 35 of 40 games, worse in 5; score +43.8 (35.6 to 49.1).' ]
}

# The first sentence of a table.
verdict() { pb-bench -q -f --table "$@" | sed '/^$/,$d' | xargs; }

@test "a verdict comes first: who is better, or how many trials would tell" {
	# 180 of 200 against 160, which are all among them
	{
		made a 200 'i % 10'
		made b 200 'i % 5'
	} >"$dir/r"
	[ "$(verdict "$dir/r")" = 'a completes more rounds than b: 90.0 % against 80.0 % of 200, +10.0 points (5.5 to 14.3).' ]
	# in the other order, the best comes first all the same
	tac "$dir/r" >"$dir/s"
	[ "$(verdict "$dir/s")" = "$(verdict "$dir/r")" ]
	# half of a median's trials have no time but the limit
	pb-bench -q -f --table <(made a 4 'i % 2') | grep -q ' >900 '
	pb-bench -q -f --table <(made a 5 'i % 2 == 0') | grep -q ' 60.0 '
	# alone; as good; not told apart: n = split (z / d)^2 by hand, 0.03 * 784.9 * 10^4 / 10^4
	[ "$(made a 200 'i % 10' | verdict)" = 'a completes 90.0 % of 200 rounds (85.0 to 93.8).' ]
	[ "$({ made a 9 i; made b 9 i; } | verdict)" = 'These trials cannot tell b from a: 88.9 % against 88.9 % of 9 rounds, +0.0 points (-30.4 to 30.4).' ]
	[ "$({ made a 200 'i > 1'; made b 200 'i > 3'; } | verdict)" = 'These trials cannot tell a from b: 99.0 % against 98.0 % of 200 rounds, +1.0 points (-1.0 to 2.9); about 790 would if that is the difference.' ]
	# several rounds; the baseline
	{
		cat "$dir/r"
		sed 's/"seed"/"round":2,"seed"/' "$dir/r"
		made a 200 1 | sed 's/"seed"/"round":3,"seed"/'
		made b 200 1 | sed 's/"seed"/"round":3,"seed"/'
	} >"$dir/rounds"
	verdict "$dir/rounds" | grep -qx 'a completes more rounds than b in 2 of 3 settings, fewer in 0: 93.3 % (.*) against 86.7 % (.*) in all.'
	grep '"b"' "$dir/r" | sed 's/"b"/"a"/' >"$dir/old"
	verdict --baseline "$dir/old" <(grep '"a"' "$dir/r") |
		grep -q '^a completes more rounds than the baseline: 90.0 % against 80.0 % of 200,'
	verdict --baseline <(grep '"a"' "$dir/r") "$dir/old" |
		grep -q '^a completes fewer rounds than the baseline: 80.0 % against 90.0 % of 200,'
}

@test "a sweep of 2 x 2 settings and three players fits a screen" {
	for v in 1 2; do
		for w in 3 4; do
			for p in a b c; do
				made $p 20 "i % ($v + $w)" |
					sed "s/\"seed\"/\"constants\":{\"v-max\":$v,\"clyde-speed\":$w},\"options\":\"000000000000000$((v * w))\",\"seed\"/"
			done
		done
	done >"$dir/r"
	COLUMNS=80 pb-bench -q -f --table "$dir/r" >"$dir/t"
	[ "$(wc -l <"$dir/t")" -le 40 ]
	# each row of each part says what it is of
	[ "$(awk '/^[abc] / { print $1, $2, $3 }' "$dir/t" | sort | uniq -c |
		awk '{ print $1 }' | sort -u)" = 2 ]
	[ "$(awk '/^[abc] / { print $1, $2, $3 }' "$dir/t" | sort -u | wc -l)" = 12 ]
}

@test "what so few pairs show is counted out, or said to be nothing" {
	least() { { made a $1 1; made b $1 1; } | pb-bench -f -q "${@:2}"; }
	least 20 | jq -e 'select(.type == "comparison") | .least > 0.36 and .least < 0.37'
	least 5 | jq -e 'select(.type == "comparison") | has("least") | not'
}

@test "--by: margins" {
	scored pacbot >"$dir/new"
	sed 's/"score":\([1-9]\)/"score":9\1/' "$dir/new" >"$dir/old"
	run -4 --separate-stderr pb-bench -f --no-results --by score --margin 5 --baseline "$dir/old" "$dir/new"
	[[ $stderr == *"--margin 5: a, map m, round 1: score changed by -"* ]]
	pb-bench -f -q --no-results --by score --margin 9999 --baseline "$dir/old" "$dir/new" >"$dir/out"
	jq -es 'map(select(.against == "baseline")) | all(.noninferior and .margin == 9999)' "$dir/out"
	# no change at all is none; less is better
	pb-bench -f -q --no-results --by score --margin 5 --baseline "$dir/new" "$dir/new" >"$dir/out"
	sed 's/"time":/"time":1/' "$dir/new" >"$dir/old"
	pb-bench -f -q --no-results --by time --margin 5 --baseline "$dir/old" "$dir/new" >"$dir/out"
	run -4 --separate-stderr pb-bench -f --no-results --by time --margin 5 --baseline "$dir/new" "$dir/old"
	[[ $stderr == *"time changed by +"* ]]
}

@test "--by: what is no measure" {
	for bad in x 'score>5' 'rank>=1' 'a:score>=1' 'score>=x' ''; do
		run -2 --separate-stderr pb-bench -f --by "$bad" /dev/null
		[[ ${stderr_lines[0]} == "pb-bench: --by: "* ]]
	done
	run -2 --separate-stderr pb-bench -f --margin 2 --baseline /dev/null /dev/null
	[[ ${stderr_lines[0]} == *"--margin: expected a share, at most 1" ]]
	run -2 --separate-stderr pb-bench -f --margin 2 --by rank --baseline /dev/null /dev/null
	[[ ${stderr_lines[0]} == *"--margin: not --by rank, which is no number" ]]
	run -0 --separate-stderr bash -c "$(declare -f scored); scored pacbot | sed 's/\"deaths\":.,//' | pb-bench -f --by deaths --no-results"
	[[ $stderr == *"--by deaths: not known of all trials of b and a"* ]]
}
