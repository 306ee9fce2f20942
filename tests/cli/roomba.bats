#!/usr/bin/env bats
# roomba.bats - the Roomba game from the command line.

load common

setup() { here; }

@test "the same seed plays the same game, another one another" {
	set -- -r roomba --set rollouts=4
	pb-sim "$@" -s 4 >"$dir/a"
	pb-sim "$@" -s 4 | cmp - "$dir/a"
	run ! cmp -s "$dir/a" <(pb-sim "$@" -s 5)
}

@test "pb-sim and pb-bench play the same trials" {
	pb-bench -r roomba -p flee,plan --set rollouts=4 -n 3 -s 2 |
		jq -c 'select(.type == "result")' | sort >"$dir/bench"
	for p in flee 'plan --set rollouts=4'; do
		for t in 0 1 2; do
			# shellcheck disable=SC2086 # words
			pb-sim -r roomba -p $p -s 2 -t $t | tail -n 1
		done
	done | sort | cmp - "$dir/bench"
}

@test "a constant of one player is in the options of no other" {
	pb-bench -q -r roomba -p flee,plan -n 2 --vary rollouts=3,4 >"$dir/r"
	pb-bench -q -r roomba -p flee -n 2 | head -n 2 >"$dir/flee"
	# Two cells of plan; flee has the same games in both, and plays once.
	jq -se 'map(select(.type == "result") | [.policy, .constants]) | unique ==
		[["flee", null], ["plan", {"rollouts": 3}],
		["plan", {"rollouts": 4}]]' "$dir/r"
	grep '"result".*"policy":"flee"' "$dir/r" | cmp - "$dir/flee"
	# Players are still compared, trial by trial.
	jq -se 'map(select(.type == "comparison")) | length > 0' "$dir/r"
}

@test "decisions are the moves that Pac-Man was asked for" {
	for o in '-s 5' '-s 2 --motion drive' '-s 1 -t 2'; do
		# shellcheck disable=SC2086 # words
		pb-sim -q -r roomba -p random $o >"$dir/g"
		[ "$(grep -c '"move".*"pacman"' "$dir/g")" = \
			"$(tail -n 1 "$dir/g" | jq .decisions)" ]
	done
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
	pb-bench -r roomba -p greedy -n 8 --table=all >"$dir/t"
	pb-bench -f "$dir/r" --table=all | cmp - "$dir/t"
	grep -q "blinky $(tail -n 1 "$dir/r" |
		jq '.killed | .[0] / add * 1000 | round / 10')" "$dir/t"
	sed -n 1p "$dir/r" | jq -c '.killed = [1, -1]' >"$dir/bad"
	run -1 pb-bench -f "$dir/bad"
	[[ "$output" == *'result.killed[1]: expected a whole number'* ]]
}

@test "a script of moves plays Pac-Man; strangers' moves are refused" {
	printf '{"type":"move","dir":"left"}\n%.0s' 1 2 3 4 >"$dir/s"
	pb-sim -r roomba --set 'ghosts=0 limit=9' "$dir/s" |
		jq -e 'select(.type == "result") | .pellets == 2 and .time == 9'
	run -1 pb-sim -r roomba <(echo '{"type":"move","id":"sue","dir":"up"}')
	[[ "$output" == *'expected one of pacman, got one of "sue"'* ]]
	# Moves of the others are theirs to make: a trace plays its game again.
	pb-sim -r roomba -s 5 -p random >"$dir/g"
	pb-sim -r roomba -s 5 "$dir/g" | sed 's/"script"/"random"/' | cmp - "$dir/g"
	run -1 pb-sim -r roomba <(echo '{"type":"move","dir":"north"}')
	[[ "$output" == *'move.dir: expected up'* ]]
}

@test "boards that cannot be played are refused with the cell" {
	printf '+---+---+---+\n| P   . | . |\n+---+---+---+\n' >"$dir/b.board"
	run -1 pb-sim -r roomba --set ghosts=0 -m "$dir/b.board"
	[[ "$output" == *'b.board: (0, 2): pellet cannot be reached'* ]]
	run -1 pb-sim -r roomba -m pacman
	run -1 pb-bench -r roomba -n 1 -m zumy
	printf '+---+---+\n| P   . |\n+---+---+\n' >"$dir/b.board"
	run -1 pb-sim -r roomba -m "$dir/b.board"
	[[ "$output" == *'has fewer places for ghosts; see ghosts'* ]]
	pb-sim -r roomba --set ghosts=0 -m "$dir/b.board" |
		jq -e 'select(.type == "result") | .success'
}

@test "options of other rules are refused, shared ones are not" {
	run -2 pb-sim -r roomba --set nodes=5
	run -2 pb-sim -r pacbot --set sense=5
	run -2 pb-sim -r pacmanbot --set ghosts=2
	pb-sim -r pacbot --set 'ghosts=2 lives=1' -p random | tail -n 1 |
		jq -e '.deaths == 1'
	pb-sim -r roomba --set 'ghosts=2 lives=1' -p random | tail -n 1 |
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
	pb-sim -r roomba --motion drive --set 'ghosts=0 limit=9' "$dir/s" |
		jq -e 'select(.type == "result") | .pellets == 2'
	run -2 pb-sim -r roomba --rate 2
	[[ "$output" == *'--motion drive'* ]]
	printf '+---+---+\n| P   . |\n+---+---+\n' >"$dir/b.board"
	run -1 pb-sim -r roomba --motion drive --set ghosts=0 -m "$dir/b.board"
	[[ "$output" == *'smaller than a robot'* ]]
}

@test "where the player was is drawn, alike by any number of threads" {
	for r in roomba zumy; do
		for m in grid drive; do
			pb-bench -q -r $r -n 6 -j 1 --motion $m \
				-p random --heat "$dir/a" >/dev/null
			pb-bench -q -r $r -n 6 -j 3 --motion $m \
				-p random --heat "$dir/b" >/dev/null
			cmp "$dir/a" "$dir/b"
		done 2>"$dir/err" || { cat "$dir/err"; false; }
	done
	run -2 pb-bench -m pacman -r pacmanbot --heat "$dir/c"
	[ ! -e "$dir/c" ]
}

@test "an option of several rule sets has the range of those that play" {
	pb-sim -r roomba --set lives=0 -p random --set limit=2000 -s 2 |
		jq -se '.[-1] | .outcome == "clock" and .deaths > 3'
	pb-sim --set lives=1000 -r roomba --set limit=1 >"$dir/out"
	run -2 pb-sim -r pacbot --set lives=0
	[ "${lines[0]}" = "pb-sim: --set: lives: expected a whole number from 1 to 3, got \"0\"" ]
	run -2 pb-bench -r roomba,pacbot --set lives=4 -n 1
	[[ "${lines[0]}" == *"from 1 to 3, got \"4\"" ]]
	run -2 pb-sim -r roomba --set lives=1001
	[[ "${lines[0]}" == *"lives: expected"* ]]
}

@test "a game is drawn" {
	pb-sim -r roomba -s 1 | head -n 200 | pb-mapgen --render |
		grep -q 'R red\|B blinky'
}

# joy T X Y START RESET: a record, without a stamp if T is "-".
joy() {
	local t=
	[ "$1" = - ] || t="\"t\":$1,"
	echo "{\"type\":\"joy\",${t}\"axes\":[$2,$3],\"buttons\":[$4,$5]}"
}
steers() { # what Pac-Man does, in a line
	grep '"type":"move","t":[0-9]*,"id":"pacman"' | sed 's/.*"dir":"//; s/".*//' |
		tr '\n' ' '
}

@test "a joystick: directions of axes, pushes that wait, START and RESET" {
	# Without stamps a record is a decision. Below 0.5 nothing, the larger
	# axis, ties as before, null as nothing.
	(joy - 0 0 1 0; joy - -1 0.9 0 0; joy - 0.49 -0.49 0 0; joy - 0.5 0 0 0
	joy - 0.9 0.9 0 0; joy - null 1 0 0; joy - 0 0 0 0) |
		pb-sim -r roomba --set 'ghosts=0 limit=8' - >"$dir/g"
	[ "$(steers <"$dir/g")" = "stop left stop right right up stop stop " ]
	jq -e 'select(.type=="result") | .policy=="script"' "$dir/g"
	# With stamps: a push and back between two decisions counts once; time
	# runs from START.
	(joy 100 0 0 0 0; joy 105 0 0 1 0; joy 105.2 -1 0 0 0
	joy 105.4 0 0 0 0; joy 107.5 1 0 0 0; joy 109.5 0 0 0 0) |
		pb-sim -r roomba --set 'ghosts=0 limit=7' - | steers >"$dir/s"
	[ "$(cat "$dir/s")" = "stop left stop right right stop stop " ]
	# START that was never pressed.
	run -0 --separate-stderr pb-sim -r roomba - < <(joy 0 1 0 0 0; joy 9 1 0 0 0)
	[ "$stderr" = "pb-sim: START, button 0, was never pressed: no game" ]
	[[ $output != *result* ]]
	# RESET: from the beginning, and START again. No buttons: at once.
	(joy - 0 0 1 0; joy - -1 0 0 0; joy - 0 0 0 1; joy - -1 0 0 0
	joy - 0 0 1 0; joy - 1 0 0 0) |
		pb-sim -r roomba --set 'ghosts=0 limit=3' - >"$dir/r"
	[ "$(grep -c '"name":"START"' "$dir/r")" -eq 2 ]
	[ "$(steers <"$dir/r")" = "stop left stop right stop " ]
	run steers < <(echo '{"type":"joy","axes":[1,0]}' |
		pb-sim -r roomba --set 'ghosts=0 limit=2' -)
	[ "$output" = "right stop " ]
	for bad in '"axes":[1]' '"axes":"x"' '"buttons":[true]'; do
		run -1 --separate-stderr pb-sim -r roomba - \
			< <(echo "{\"type\":\"joy\",$bad}")
		[[ $stderr = "pb-sim: <stdin>:1: joy."* ]]
	done
}

@test "--joystick: a device of Linux, events from a FIFO" {
	command -v python3 >/dev/null || skip "no python3"
	# ms, value, type (1 button, 2 axis, 0x80 at first), number
	cat >"$dir/stick" <<-'END'
		import re, struct, sys, time
		out = open(sys.argv[1], "wb", buffering=0)
		def until(what):
		    end = time.monotonic() + 60
		    while time.monotonic() < end:
		        with open(sys.argv[2]) as game:
		            if re.search(what, game.read(), re.S):
		                break
		        time.sleep(0.05)
		def event(value, kind, number):
		    out.write(struct.pack("<IhBB", 0, value, kind, number))
		event(0, 0x81, 0)
		event(0, 0x82, 0)
		event(1, 1, 0)              # START
		until('"name":"start"')
		for value in (-32767, 0):   # left, and back at once
		    event(value, 2, 0)
		until('"dir":"left".*"id":"pacman","dir":"stop"')
		event(32767, 2, 1)          # down, held
		until(sys.argv[3])
	END
	mkfifo "$dir/js"
	: >"$dir/g"
	python3 "$dir/stick" "$dir/js" "$dir/g" result &
	pb-sim -r roomba --joystick "$dir/js" --set 'ghosts=0 limit=40' \
		--speed 20 >"$dir/g"
	wait
	steers <"$dir/g" >"$dir/s"
	# When the events come depends on the machine; a push is one cell.
	[[ " $(cat "$dir/s")" = *" left stop "*"down "* ]]
	[ "$(grep -o left "$dir/s" | wc -l)" -eq 1 ]
	jq -e 'select(.type=="result") | .policy=="human"' "$dir/g"
	# Gone: the game ends, without a result, and that is said.
	: >"$dir/g"
	python3 "$dir/stick" "$dir/js" "$dir/g" '"id":"pacman","dir":"down"' &
	pb-sim -r roomba --joystick "$dir/js" --set 'ghosts=0 limit=4000' \
		--speed 20 >"$dir/g" 2>"$dir/err"
	wait
	[ "$(cat "$dir/err")" = "pb-sim: $dir/js: the joystick has gone" ]
	[ -s "$dir/g" ] && ! grep result "$dir/g"
	run -3 --separate-stderr pb-sim -r roomba --joystick "$dir/none"
	[[ $stderr = "pb-sim: $dir/none: cannot open: No such file"* ]]
	for o in "-r pacbot" "-r roomba --play" "-r roomba -p plan"; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr pb-sim $o --joystick "$dir/js"
		[ -z "$output" ]
	done
}

@test "robots localize themselves" {
	local o="-r roomba --motion drive -p flee --set limit=60 --localizer mcl"
	pb-sim $o >"$dir/a"
	tail -n 1 "$dir/a" | jq -e '.updates > 50 and .lost == 0 and
	    .error_mean < 0.03 and .error_rms >= .error_mean'
	run -2 pb-bench -r roomba --localizer odom -n 1
	[[ "$output" == *'localizer: has no effect'*'--motion drive'* ]]
}
