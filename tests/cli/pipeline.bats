#!/usr/bin/env bats
# pipeline.bats - several tools in a row, as people use them. A pipeline whose
# tools are not all built is skipped and says so.

load common

setup() {
	here
	set -o pipefail
}

need() {
	for t in "$@"; do
		[ -x "${O:-build}/$t" ] || skip "$t is not built"
	done
}

# A robot that drives from the first pellet of the stream to the last, one a
# second, in front of a stream that has pellets.
drive() {
	tee "$dir/before"
	jq -c 'select(.type == "pellets").pellets | to_entries[] |
	    {type: "pose", t: .key, id: "robot", x: .value.x, y: .value.y,
	     theta: 0}' "$dir/before"
}

targets() { jq -c 'select(.type == "target") | [.t, .pellet, .why, .total]'; }

@test "map, pellets, ghost, robot, score: every line is a record, in order of time" {
	need pb-mapgen pb-pellets pb-ghost pb-score
	pb-mapgen random-house -s 5 | pb-pellets | drive | pb-ghost -s 7 |
		pb-score --all >"$dir/out"
	jq -e . "$dir/out" >/dev/null
	[ "$(jq -r 'select(.type == "map" or .type == "pellets").type' "$dir/out" |
		tr '\n' ' ')" = "map pellets " ]
	n=$(jq -s 'map(select(.type == "pellets"))[0].pellets | length' "$dir/out")
	[ "$n" -gt 5 ]
	[ "$(grep -c '"type":"target"' "$dir/out")" = "$n" ]
	[ "$(grep -c '"type":"scored"' "$dir/out")" = "$n" ]
	# Five a second, from the first robot pose to the last.
	[ "$(jq -c 'select(.type == "pose" and .id == "clyde")' "$dir/out" |
		wc -l)" = $(((n - 1) * 5)) ]
	jq -r 'select(has("t")).t' "$dir/out" | sort -cg
}

@test "the robot stands on its target: distance 0 wins but for Clyde" {
	need pb-mapgen pb-pellets pb-score
	pb-mapgen random-house -s 5 | pb-pellets | drive | pb-score --replan-margin 0 |
		jq -es 'map(select(.type == "target")) |
		    all(.total == 0 and .pellet == .t)'
}

@test "independent tools may stand in any order" {
	need pb-mapgen pb-pellets pb-ghost pb-score
	pb-mapgen random-house -s 8 | pb-pellets | drive >"$dir/in"
	pb-ghost -s 3 "$dir/in" | pb-score | targets >"$dir/a"
	# Pellets laid behind the ghost, and a tool that knows nothing between.
	grep -v '"type":"pellets"' "$dir/in" | pb-ghost -s 3 |
		sed 's/^/ /' | pb-pellets | pb-score | targets >"$dir/b"
	[ -s "$dir/a" ]
	diff "$dir/a" "$dir/b"
}

@test "removed pellets are no targets any more, reset brings them back" {
	need pb-mapgen pb-pellets pb-score
	at() { echo "{\"type\":\"pose\",\"t\":$1,\"id\":\"robot\",\"x\":0,\"y\":0,\"theta\":0}"; }
	first=$( (pb-mapgen random-house -s 5; at 0) | pb-pellets | pb-score |
		jq 'select(.type == "target").pellet')
	[ -n "$first" ]
	(
		pb-mapgen random-house -s 5
		at 0
		echo "{\"type\":\"cmd\",\"t\":1,\"name\":\"remove_pellet\",\"value\":$first}"
		at 2
		echo '{"type":"cmd","t":3,"name":"reset_pellets"}'
		at 4
	) | pb-pellets | pb-score | jq -c 'select(.type == "target").pellet' >"$dir/out"
	[ "$(sed -n 1p "$dir/out")" = "$first" ]
	[ "$(sed -n 2p "$dir/out")" != "$first" ]
	[ "$(sed -n 3p "$dir/out")" = "$first" ]
}

@test "a stream cut in the middle of a record fails in the first tool that reads it" {
	need pb-mapgen pb-ghost pb-score
	st=0
	head -c 4000 testdata/flat.jsonl | pb-ghost -n 5 2>"$dir/err" |
		pb-score >"$dir/out" || st=$?
	[ "$st" = 1 ]
	[ ! -s "$dir/out" ]
	[ "$(wc -l <"$dir/err")" = 1 ]
	grep -q '^pb-ghost: <stdin>:1: ' "$dir/err"
}

@test "live: what goes in at one end comes out at the other at once" {
	need pb-ghost pb-score
	mkfifo "$dir/in" "$dir/out"
	(pb-ghost -s 3 | pb-score --changes) <"$dir/in" >"$dir/out" &
	exec 7>"$dir/in" 8<"$dir/out"
	cat testdata/flat.jsonl >&7
	echo '{"type":"pellets","pellets":[{"id":4,"x":1,"y":0}]}' >&7
	echo '{"type":"pose","t":0,"id":"robot","x":0,"y":0,"theta":0}' >&7
	for _ in map pellets pose target; do
		read -r -t 10 line <&8
	done
	[ "$(jq -c '[.type, .pellet]' <<<"$line")" = '["target",4]' ]
	echo '{"type":"pose","t":0.2,"id":"robot","x":0,"y":0,"theta":0}' >&7
	read -r -t 10 line <&8
	[ "$(jq -c '[.type, .id, .t]' <<<"$line")" = '["pose","clyde",0.2]' ]
	exec 7>&- 8<&-
	wait
}

@test "a ghost can be drawn" {
	need pb-mapgen pb-ghost
	pb-ghost -s 7 -d 30 testdata/flat.jsonl | pb-mapgen --png "$dir/a.png" - >/dev/null
	[ "$(head -c 4 "$dir/a.png" | tail -c 3)" = PNG ]
	pb-ghost -s 7 -d 30 testdata/flat.jsonl | pb-mapgen --render --color never - |
		grep -q .
}

# A game by the published planner, and its trace.
game() {
	pb-sim -r pacmanbot -p seed --autostart -s "${1:-4}" testdata/flat.jsonl \
		>"$dir/trace"
	grep -q '"type":"result"' "$dir/trace"
}

@test "pb-ghost on a trace of pb-sim is pb-sim's Clyde" {
	need pb-sim pb-ghost
	game
	clyde() { jq -c 'select(.type == "pose" and .id == "clyde") | [.t, .x, .y]'; }
	clyde <"$dir/trace" >"$dir/a"
	pb-ghost -s 4 --wait "$dir/trace" | clyde >"$dir/b"
	[ "$(wc -l <"$dir/a")" -gt 50 ]
	# A trace has at most one pose a period; pb-ghost shows resets as well.
	[ -z "$(comm -23 <(sort "$dir/a") <(sort "$dir/b"))" ]
	[ "$(wc -l <"$dir/b")" -le $(($(wc -l <"$dir/a") + 5)) ]
}

@test "pb-score on a trace of pb-sim finds the goals of its planner" {
	need pb-sim pb-score
	game
	jq -c 'select(.type == "goal" and .kind == "pellet" and .status == "sent").pellet' \
		"$dir/trace" >"$dir/a"
	[ -s "$dir/a" ]
	pb-score --period 0.5 --changes "$dir/trace" |
		jq -c 'select(.type == "target" and .pellet != null).pellet' >"$dir/b"
	diff "$dir/a" "$dir/b"
}

@test "the published house from file to score" {
	need pb-mapgen pb-pellets pb-ghost pb-score
	house=../shared/data/maps/house
	[ -e $house/map_01.yaml ] || skip "no data of the published house"
	pb-mapgen -q $house/map_01.yaml | pb-pellets -q | drive |
		pb-ghost -q -s 7 | pb-score >"$dir/out"
	[ "$(grep -c '"type":"target"' "$dir/out")" = 8 ]
	places() { jq -c '[.[] | [.x, .y | (. * 1e6 | round) / 1e6]]'; }
	jq -c 'select(.type == "pellets").pellets' "$dir/out" | places >"$dir/a"
	jq -c .pellets $house/expected-pellets.json | places | diff "$dir/a" -
}
