#!/usr/bin/env bats
# roomba.bats - the Roomba game from the command line.

load common

setup() { here; }

@test "the same seed plays the same game, another one another" {
	pb-sim -r roomba -s 4 >"$dir/a"
	pb-sim -r roomba -s 4 | cmp - "$dir/a"
	run ! cmp -s "$dir/a" <(pb-sim -r roomba -s 5)
}

@test "pb-sim and pb-bench play the same trials" {
	pb-bench -r roomba -p flee,plan -n 3 -s 2 |
		jq -c 'select(.type == "result")' | sort >"$dir/bench"
	for p in flee plan; do
		for t in 0 1 2; do
			pb-sim -r roomba -p $p -s 2 -t $t | tail -n 1
		done
	done | sort | cmp - "$dir/bench"
}

@test "results do not depend on threads" {
	pb-bench -r roomba -p flee -n 50 -j 1 >"$dir/1"
	pb-bench -r roomba -p flee -n 50 -j 4 | cmp - "$dir/1"
}

@test "every robot moves once a tick, and the messages fit the score" {
	pb-sim -r roomba -p flee -s 1 >"$dir/a"
	jq -se '
	    ([.[] | select(.type == "move")] | group_by(.t) |
		all(map(.id) == ["pacman", "blinky", "pinky", "inky", "clyde"]))
	    and ([.[] | select(.type == "message" and .name == "EATEN")] |
		length) == .[-1].eaten
	    and ([.[] | select(.type == "message" and .name == "KILLED")] |
		length) == .[-1].deaths' "$dir/a"
}

@test "results tell who killed, and tables sum it up" {
	pb-bench -r roomba -p greedy -n 8 >"$dir/r"
	for i in 0 1; do
		pb-sim -r roomba -p greedy -t $i >"$dir/g"
		jq -s '[("blinky", "pinky", "inky", "clyde") as $n | map(select(
			.name == "KILLED" and .id == $n)) | length]' "$dir/g" |
			jq -c . >"$dir/a"
		jq -c 'select(.type == "result") | .killed' "$dir/g" |
			cmp - "$dir/a"
		sed -n "$((i + 1))p" "$dir/r" | jq -c .killed | cmp - "$dir/a"
	done
	jq -s -e 'map(select(.type == "result") | .killed) as $k |
		.[-1].killed == ($k | transpose | map(add))' "$dir/r"
	pb-bench -r roomba -p greedy -n 8 --table >"$dir/t"
	pb-bench -f "$dir/r" --table | cmp - "$dir/t"
	grep -q "^greedy *blinky *$(tail -n 1 "$dir/r" | jq '.killed[0]') " \
		"$dir/t"
	sed -n 1p "$dir/r" | jq -c '.killed = [1, -1]' >"$dir/bad"
	run -1 pb-bench -f "$dir/bad"
	[[ "$output" == *'result.killed[1]: expected a whole number'* ]]
}

@test "a script of moves plays Pac-Man; other robots' moves are refused" {
	printf '{"type":"move","dir":"left"}\n%.0s' 1 2 3 4 >"$dir/s"
	pb-sim -r roomba --ghosts 0 --limit 9 "$dir/s" |
		jq -e 'select(.type == "result") | .pellets == 2 and .time == 9'
	run -1 pb-sim -r roomba <(echo '{"type":"move","id":"inky","dir":"up"}')
	[[ "$output" == *'expected one of pacman, got one of "inky"'* ]]
	run -1 pb-sim -r roomba <(echo '{"type":"move","dir":"north"}')
	[[ "$output" == *'move.dir: expected up'* ]]
}

@test "boards that cannot be played are refused with the cell" {
	printf '+---+---+---+\n| P   . | . |\n+---+---+---+\n' >"$dir/b.board"
	run -1 pb-sim -r roomba --ghosts 0 -m "$dir/b.board"
	[[ "$output" == *'b.board: (0, 2): pellet cannot be reached'* ]]
	run -1 pb-sim -r roomba -m pacman
	run -1 pb-bench -r roomba -n 1 -m zumy
	printf '+---+---+\n| P   . |\n+---+---+\n' >"$dir/b.board"
	run -1 pb-sim -r roomba -m "$dir/b.board"
	[[ "$output" == *'has places for 0 ghosts; see --ghosts'* ]]
	pb-sim -r roomba --ghosts 0 -m "$dir/b.board" |
		jq -e 'select(.type == "result") | .success'
}

@test "options of other rules are refused, shared ones are not" {
	run -2 pb-sim -r roomba --nodes 5
	run -2 pb-sim -r pacbot --sense 5
	run -2 pb-sim -r pacmanbot --ghosts 2
	pb-sim -r pacbot --ghosts 2 --lives 1 -p random | tail -n 1 |
		jq -e '.deaths == 1'
	pb-sim -r roomba --ghosts 2 --lives 1 -p random | tail -n 1 |
		jq -e '.deaths == 1'
}

@test "robots with bodies write poses at the rate, moves, and the same result" {
	pb-sim -r roomba --motion drive -p flee -s 2 --rate 2 >"$dir/a"
	pb-sim -r roomba --motion drive -p flee -s 2 --rate 2 | cmp - "$dir/a"
	pb-bench -r roomba --motion drive -p flee -s 2 -n 1 -j 1 | head -n 1 |
		cmp - <(tail -n 1 "$dir/a")
	jq -se '(.[-1].time * 2 | floor + 1) as $n |
	    [.[] | select(.type == "pose")] | group_by(.id) | length == 5 and
	    all(length >= $n - 1 and length <= $n + 1)' "$dir/a"
	jq -se '[.[] | select(.type == "move") | .id] | unique | length == 5' \
		"$dir/a"
	printf '{"type":"move","dir":"left"}\n%.0s' 1 2 >"$dir/s"
	pb-sim -r roomba --motion drive --ghosts 0 --limit 9 "$dir/s" |
		jq -e 'select(.type == "result") | .pellets == 2'
	run -2 pb-sim -r roomba --rate 2
	[[ "$output" == *'--motion drive'* ]]
	printf '+---+---+\n| P   . |\n+---+---+\n' >"$dir/b.board"
	run -1 pb-sim -r roomba --motion drive --ghosts 0 -m "$dir/b.board"
	[[ "$output" == *'smaller than a robot'* ]]
}

@test "where the player was is drawn, alike by both tools and any threads" {
	for r in roomba zumy; do
		for m in grid drive; do
			pb-bench -q -r $r -n 6 -j 1 --motion $m \
				-p random --heat "$dir/a" >/dev/null
			pb-bench -q -r $r -n 6 -j 3 --motion $m \
				-p random --heat "$dir/b" >/dev/null
			cmp "$dir/a" "$dir/b"
		done 2>"$dir/err" || { cat "$dir/err"; false; }
	done
	pb-sim -r roomba -p flee --heat "$dir/a.png" >/dev/null
	[ "$(head -c 4 "$dir/a.png" | tail -c 3)" = PNG ]
	run -2 pb-sim --heat "$dir/c"
	[[ "$output" == *'--heat: goes with'* ]]
	run -2 pb-bench -m pacman -r pacmanbot --heat "$dir/c"
	run -3 pb-sim -r roomba --heat "$dir/no/c"
	[ ! -e "$dir/c" ]
}

@test "an option of several rule sets has the range of those that play" {
	pb-sim -r roomba --lives 0 -p random --limit 2000 -s 2 |
		jq -se '.[-1] | .outcome == "clock" and .deaths > 3'
	pb-sim --lives 1000 -r roomba --limit 1 >"$dir/out"
	run -2 pb-sim -r pacbot --lives 0
	[ "${lines[0]}" = "pb-sim: --lives: expected a whole number from 1 to 3, got \"0\"" ]
	run -2 pb-bench -r roomba,pacbot --lives 4 -n 1
	[[ "${lines[0]}" == *"from 1 to 3, got \"4\"" ]]
	run -2 pb-sim -r roomba --lives 1001
	[[ "${lines[0]}" == *"--lives: expected"* ]]
}

@test "a game is drawn" {
	pb-sim -r roomba -s 1 | head -n 200 | pb-mapgen --render |
		grep -q 'R red\|B blinky'
}
