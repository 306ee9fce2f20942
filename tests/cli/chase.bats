#!/usr/bin/env bats
# chase.bats - a fifth rule set (tests/chase) in tools that do not know it.

load common

setup() {
	here
	chase=$build/tests/chase
	PATH=$chase:$PATH
}

@test "a fifth rule set is listed, and has its constants" {
	pb-sim --list | grep -q '^chase	hungry	'
	pb-sim -r chase --dump-constants | grep -q '^cats	'
	pb-sim -r chase -p nobody 2>"$dir/err" && false
	grep -q 'expected hungry, dizzy' "$dir/err"
	pb-sim -r roomba --set cats=1 2>"$dir/err" && false
	grep -q 'cats: a constant of chase, not of roomba' "$dir/err"
}

@test "pb-sim and pb-bench play the same trials of it" {
	pb-bench -r chase -p hungry,dizzy -n 3 -s 2 --set cats=1 |
		jq -c 'select(.type == "result")' | sort >"$dir/bench"
	for p in hungry dizzy; do
		for t in 0 1 2; do
			pb-sim -r chase -p $p -s 2 -t $t --set cats=1 | tail -n 1
		done
	done | sort | cmp - "$dir/bench"
	[ "$(wc -l <"$dir/bench")" -eq 6 ]
}

@test "a swarm of it plays what one process plays" {
	pb-sim -r chase -s 3 >"$dir/one"
	pb-sim -r chase -s 3 --swarm | cmp - "$dir/one"
}

@test "an outside program plays it, and one in the place of a cat" {
	cat >"$dir/bot" <<-'END'
		#!/bin/sh
		while read -r line; do
			case $line in
			*'"type":"tick"'*) echo '{"type":"move","dir":"left"}' ;;
			esac
		done
	END
	chmod +x "$dir/bot"
	pb-sim -r chase --set 'cats=0 cat-limit=9' --agent "me=$dir/bot" >"$dir/a"
	jq -se '[.[] | select(.type == "move") | .dir] |
		length == 9 and all(. == "left")' "$dir/a"
	tail -n 1 "$dir/a" | jq -e '.policy == "me" and .outcome == "clock"'
	pb-sim -r chase -s 3 --ghost 'pb-ghost -b chase --name cat1 -s 3' |
		jq -c 'select(.type != "result")' >"$dir/b"
	pb-sim -r chase -s 3 | jq -c 'select(.type != "result")' | cmp - "$dir/b"
}

@test "moves that are read steer it" {
	pb-sim -r chase -p dizzy -s 5 --set 'cats=0 cat-limit=30' |
		jq -c 'select(.type == "move")' >"$dir/moves"
	pb-sim -r chase -s 5 --set 'cats=0 cat-limit=30' "$dir/moves" |
		jq -c 'select(.type == "move")' | cmp - "$dir/moves"
}

@test "its pictures are drawn, and its sensors sense" {
	pb-sim -r chase -s 3 | pb-mapgen --render | grep -q cat1
	pb-sim -r chase -s 3 --sensors tof4 >"$dir/a"
	jq -se '[.[] | select(.type == "scan")] | length > 2' "$dir/a"
}

@test "one refusal of a board has one text in all tools" {
	pb-sim -r chase -m pacman 2>"$dir/sim" && false
	pb-bench -r chase -m pacman 2>"$dir/bench" && false
	for f in sim bench; do
		grep -q '(13, 13): a place in a wall' "$dir/$f"
	done
}
