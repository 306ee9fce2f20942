#!/usr/bin/env bats
# pb-bench: several rule sets, maps, players, constants and rounds combined.

load common

setup() { here; }

# jq's words for constants as they are typed: "lives=1 speed=4".
said='to_entries | map("\(.key)=\(.value)") | join(" ")'

results() { grep '"type":"result"'; }

@test "--vary plays all combinations, and results say which" {
	pb-bench -q -n 2 -p seed,nearest --rounds 1,4 --vary v-max=0.5,0.65 \
		--vary clyde-clearance=0.25,0.3 -m $flat >"$dir/all"
	[ "$(results <"$dir/all" | wc -l)" -eq 32 ]
	[ "$(results <"$dir/all" | jq -r ".constants | $said" | uniq | xargs)" = \
		"clyde-clearance=0.25 v-max=0.5 clyde-clearance=0.3 v-max=0.5 clyde-clearance=0.25 v-max=0.65 clyde-clearance=0.3 v-max=0.65" ]
	[ "$(jq -r .options "$dir/all" | sort -u | wc -l)" -eq 4 ]
	# each of them is what it is alone
	pb-bench -q -n 2 -p seed,nearest --rounds 1,4 --set v-max=0.5 \
		--set clyde-clearance=0.3 -m $flat >"$dir/one"
	[ "$(results <"$dir/one" | wc -l)" -eq 8 ]
	[ "$(results <"$dir/one" | grep -cxFf - "$dir/all")" -eq 8 ]
}

@test "players are shared out among the rules that know them" {
	pb-bench -q -n 1 -r roomba,pacbot -p plan,flee,power --no-results |
		jq -r 'select(.type == "summary") | "\(.rules) \(.policy)"' |
		xargs >"$dir/got"
	grep -q 'roomba plan roomba flee' "$dir/got"
	grep -q 'pacbot flee pacbot power' "$dir/got"
	run pb-bench -q -n 1 -r roomba,zumy -p plan
	[ "$status" -eq 2 ]
	[ "$output" = 'pb-bench: --policy: expected a player of zumy too, got "plan"' ]
	# A name that two of them know is told once.
	run pb-bench -q -n 1 -r roomba,zumy -p gready
	[ "$status" -eq 2 ]
	[ "$output" = 'pb-bench: --policy: expected some of random, greedy, flee, plan, direct, astar, sneak, got "gready"; did you mean "greedy"?' ]
}

@test "a --vary that is none is refused" {
	for a in v-max v-max= =1 v-max=1,,2 v-max=x v-mix=1 round=1; do
		run --separate-stderr pb-bench --vary "$a"
		[ "$status" -eq 2 ]
		[ -z "$output" ]
		[[ "$stderr" == "pb-bench: --vary: "* ]] || { echo "$stderr"; false; }
	done
	run -2 --separate-stderr pb-bench --vary v-mix=1
	[ "$stderr" = 'pb-bench: --vary: v-mix: no constant of pacmanbot; did you mean "v-max"?' ]
	run -2 --separate-stderr pb-bench --vary v-max=0.5,x
	[ "$stderr" = 'pb-bench: --vary: v-max: expected a number from 0.01 to 100, got "x"' ]
	run -2 --separate-stderr pb-bench -r localize --vary updates=3,4
	[ "$stderr" = 'pb-bench: --vary: only with games that are played' ]
}
