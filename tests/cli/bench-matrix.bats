#!/usr/bin/env bats
# pb-bench: several rule sets, maps, players, constants and rounds combined.

load common

setup() { here; }

results() { grep '"type":"result"'; }

# The complaint about a suite of one line: LINE COMPLAINT
refused() {
	echo "$1" >"$dir/bad"
	run --separate-stderr pb-bench --suite "$dir/bad"
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[ "$stderr" = "pb-bench: $dir/bad:1: $2" ] || { echo "$stderr"; false; }
}

@test "--vary plays all combinations, and results say which" {
	pb-bench -q -n 2 -p seed,nearest --rounds 1,4 --vary v-max=0.5,0.65 \
		--vary clyde-clearance=0.25,0.3 -m $flat >"$dir/all"
	[ "$(results <"$dir/all" | wc -l)" -eq 32 ]
	[ "$(results <"$dir/all" | jq -r .constants | uniq | xargs)" = \
		"clyde-clearance=0.25 v-max=0.5 clyde-clearance=0.3 v-max=0.5 clyde-clearance=0.25 v-max=0.65 clyde-clearance=0.3 v-max=0.65" ]
	[ "$(jq -r .options "$dir/all" | sort -u | wc -l)" -eq 4 ]
	# each of them is what it is alone
	pb-bench -q -n 2 -p seed,nearest --rounds 1,4 --v-max 0.5 \
		--clyde-clearance 0.3 -m $flat >"$dir/one"
	[ "$(results <"$dir/one" | wc -l)" -eq 8 ]
	[ "$(results <"$dir/one" | grep -cxFf - "$dir/all")" -eq 8 ]
}

@test "a suite is what its lines are on a command line" {
	{
		echo "{\"type\":\"experiment\",\"map\":[\"$flat\"],\"policy\":[\"seed\",\"nearest\"],\"rounds\":[\"1-2\",4],\"trials\":3,\"seed\":5,\"constants\":{\"judge\":\"truth\"}}"
		echo
		echo '{"type":"note","text":"other records are passed over"}'
		echo '{"type":"experiment","rules":"zumy","constants":{"share":true}}'
	} >"$dir/suite"
	pb-bench -q -n 4 --suite "$dir/suite" >"$dir/all"
	{
		pb-bench -q -n 3 -s 5 -p seed,nearest --rounds 1,2,4 \
			--judge truth -m $flat
		pb-bench -q -n 4 -r zumy --share yes
	} | results >"$dir/want"
	results <"$dir/all" | cmp - "$dir/want"
	pb-bench -q -n 4 --suite - <"$dir/suite" | cmp - "$dir/all"
	pb-bench -q -n 4 -j 7 --suite "$dir/suite" | cmp - "$dir/all"
	pb-bench -q -n 4 --suite "$dir/suite" --resume "$dir/r" >"$dir/sums"
	cmp "$dir/r" "$dir/want"
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
	[ "$output" = 'pb-bench: --policy: expected some of random, greedy, flee, plan, direct, astar, sneak, oracle, got "gready"; did you mean "greedy"?' ]
}

@test "a suite is refused with file, line and field" {
	e='"type":"experiment"'
	refused "{$e,\"polcy\":\"seed\"}" 'experiment.polcy: expected rules, map, houses, policy, rounds, trials, seed, preset or constants, got another key; did you mean "policy"?'
	refused "{$e,\"rules\":\"chess\"}" 'experiment.rules: expected some of pacmanbot, pacbot, roomba, zumy, none twice, or localize, got "chess"'
	refused "{$e,\"policy\":[\"seed\",\"x\"]}" 'experiment.policy: expected some of seed, nearest, safe, oracle, got "x"'
	refused "{$e,\"constants\":{\"v-max\":[0.5,\"x\"]}}" 'experiment.constants.v-max: expected a number from 0.01 to 100, got "x"'
	refused "{$e,\"constants\":{\"v-mix\":1}}" 'experiment.constants.v-mix: expected a constant of pacmanbot, got "v-mix"; did you mean "v-max"?'
	refused "{$e,\"constants\":{\"v-max\":{}}}" 'experiment.constants.v-max: expected a value or an array of values, got an object'
	refused "{$e,\"trials\":0}" 'experiment.trials: expected a whole number from 1 to 1000000000, got 0'
	refused "{$e,\"rules\":\"pacbot\",\"houses\":2}" 'experiment.houses: not an option of pacbot'
	run --separate-stderr pb-bench --suite - <<<'{"type":"pose","x":1,"y":1,"theta":0}'
	[ "$status" -eq 1 ]
	[ "$stderr" = 'pb-bench: <stdin>: expected experiment records, got none' ]
}

@test "what a suite says is not said on the command line too" {
	for a in '-r pacbot' '-p seed' "-m $flat" '--v-max 0.5' '--vary v-max=1' \
		'--rounds 3' '--houses 1'; do
		run --separate-stderr pb-bench --suite x $a
		[ "$status" -eq 2 ]
		[[ "$stderr" == *": say it in the file of --suite" ]]
	done
	for a in v-max v-max= =1 v-max=1,,2 v-max=x nope=1 round=1; do
		run --separate-stderr pb-bench --vary "$a"
		[ "$status" -eq 2 ]
		[ -z "$output" ]
		[[ "$stderr" == "pb-bench: --vary: "* ]] || { echo "$stderr"; false; }
	done
}

@test "trials of localizers are among the experiments of a suite" {
	local e='"type":"experiment","rules":"localize"'
	{
		echo "{$e,\"policy\":\"mcl,odom\",\"map\":\"testdata/house.yaml\",\"constants\":{\"updates\":[3,4],\"mcl-model\":\"beam\"}}"
		echo '{"type":"experiment","rules":"roomba","policy":"random"}'
		echo "{$e,\"policy\":\"region\",\"trials\":1,\"seed\":3,\"constants\":{\"maze-late\":2,\"protocol\":\"track\"}}"
	} >"$dir/loc"
	plain() { jq -c 'select(.type == "result") | del(.constants)' "$@"; }
	pb-bench -q -n 2 --suite "$dir/loc" --no-results >"$dir/sums"
	[ "$(jq -sr 'map(select(.type == "summary").rules) | unique |
		join(" ")' "$dir/sums")" = "localize roomba" ]
	pb-bench -q -n 2 --suite "$dir/loc" >"$dir/all"
	jq -se 'map(select(.updates == 4).constants) | unique ==
		["protocol=global updates=4 mcl-model=beam"]' "$dir/all"
	{
		for u in 3 4; do
			pb-bench -q -n 2 -r localize -p mcl,odom -m testdata/house.yaml \
				--updates $u --mcl-model beam
		done
		pb-bench -q -n 2 -r roomba -p random
		pb-bench -q -n 1 -s 3 -r localize -p region --maze-late 2 \
			--protocol track
	} | plain | cmp - <(plain "$dir/all")
	refused "{$e,\"rounds\":2}" 'experiment.rounds: not of localize'
	refused "{$e,\"constants\":{\"lives\":2}}" 'experiment.constants.lives: expected a constant of localize, got "lives"'
	refused "{$e,\"policy\":\"mcl,region\"}" 'experiment.policy: methods for maps and methods for mazes do not go together'
	refused "{$e,\"policy\":\"odom\",\"constants\":{\"mcl-model\":\"beam\"}}" 'experiment.constants.mcl-model: the method does not play'
}
