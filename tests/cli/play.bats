#!/usr/bin/env bats
# play.bats - a human plays in the terminal, which gets its old ways back.

load terminal

setup() {
	here
	export TERM=xterm LC_ALL=C
}

# The moves of the player $1 in a game.
moves() { jq -c "select(.type == \"move\" and (.id // \"$1\") == \"$1\")"; }

@test "without a terminal, --play says so in a line" {
	command -v setsid >/dev/null || skip "no setsid"
	for r in roomba zumy pacbot; do
		run -2 --separate-stderr setsid -w pb-sim -r $r --play </dev/null
		[ -z "$output" ]
		[ "$stderr" = "pb-sim: --play: there is no terminal to play in" ]
	done
}

@test "--play goes with no player, file, agent, and not with pacmanbot" {
	run -2 pb-sim --play
	[[ "$output" == *"--play: only with games on boards that are played"* ]]
	run -2 pb-sim -r roomba --play -p plan
	run -2 pb-sim -r roomba --play file
	run -2 pb-sim -r pacbot --play --agent cat
	run -2 pb-sim -r pacbot --play --replay
	run -2 pb-sim -r roomba --speed 2
	run -2 pb-sim -r roomba --play --speed 0
}

@test "a roomba game is played by keys, and replayed as a script" {
	needs_terminal
	[ "$(tty "pb-sim -r roomba --play --speed 64 --set limit=40 -s 3 >$dir/a" \
		'wait:q: quit' type:d sleep:0.1 'type:\e[A' sleep:0.1 'type:s' \
		ends)" = 0 ]
	moves pacman <"$dir/a" >"$dir/moves"
	grep -q '"dir":"right"' "$dir/moves"
	pb-sim -r roomba --set limit=40 -s 3 "$dir/moves" |
		sed 's/"script"/"human"/' | cmp - "$dir/a"
}

@test "a zumy game is played by keys, and replayed as a script" {
	needs_terminal
	[ "$(tty "pb-sim -r zumy --play --speed 32 --set draw=500 >$dir/a" \
		'wait:q: quit' type:w sleep:0.3 'type:\e[D' sleep:0.3 type:sd \
		ends)" = 0 ]
	moves player <"$dir/a" >"$dir/moves"
	grep -q '"dir":"stop"' "$dir/moves"
	grep -qE '"dir":"(up|left)"' "$dir/moves"
	pb-sim -r zumy --set draw=500 "$dir/moves" |
		sed 's/"script"/"human"/' | cmp - "$dir/a"
}

@test "a pacbot match is played by keys, and replayed as a script" {
	needs_terminal
	[ "$(tty "pb-sim -r pacbot --play --speed 64 --set lives=1 >$dir/a" \
		'wait:q: quit' type:a sleep:0.2 type:w sleep:0.2 'type:\eOC' \
		ends)" = 0 ]
	moves pacman <"$dir/a" >"$dir/moves"
	grep -q '"dir":"left"' "$dir/moves"
	pb-sim -r pacbot --set lives=1 "$dir/moves" |
		sed 's/"script"/"human"/' | cmp - "$dir/a"
}

@test "q leaves: whole records, no result, status 0" {
	needs_terminal
	[ "$(tty "pb-sim -r roomba --play --provenance >$dir/a" 'wait:q: quit' \
		type:dq ends same)" = 0 ]
	jq -se '.[0].type == "maze" and .[-1].type == "provenance" and
	    all(.type != "result")' "$dir/a"
}

@test "p pauses, - and + change the speed, a new size is drawn" {
	needs_terminal
	[ "$(tty "pb-sim -r pacbot --play >$dir/a" 'wait:q: quit' type:p \
		'wait:PAUSED' size:30x60 'wait:\[2J.*PAUSED' type:+ type:p \
		'wait:x1\x1b' type:+ 'wait:x2\x1b' type:-- 'wait:x0\.5' \
		type:q)" = 0 ]
}

@test "if the terminal is stdout, it shows no records" {
	needs_terminal
	[ "$(tty "pb-sim -r roomba --play" 'wait:q: quit' type:q)" = 0 ]
	run ! grep -q '"type"' "$dir/screen"
}

@test "signals leave the terminal as it was" {
	needs_terminal
	# A sanitizer would report the signal rather than let it end the tool.
	export ASAN_OPTIONS=handle_segv=0
	for s in SIGINT SIGTERM SIGHUP SIGQUIT SIGABRT SIGSEGV SIGUSR1; do
		how=$(tty "pb-sim -r roomba --play >$dir/a" 'wait:q: quit' \
			kill:$s ends same) || echo "$s: $how"
		[ "$how" = $s ]
		tail -c 1 "$dir/a" | cmp - <(echo)
	done
	[ "$(tty "pb-sim -r roomba --play >$dir/a" 'wait:q: quit' \
		'type:\x03' ends same)" = SIGINT ]
}

@test "Ctrl-Z gives the terminal back, fg takes it again" {
	needs_terminal
	[ "$(tty "pb-sim -r roomba --play >$dir/a" 'wait:q: quit' \
		'type:\x1a' stopped same continue 'wait:q: quit' \
		kill:SIGTSTP stopped same continue 'wait:q: quit' type:q \
		ends same)" = 0 ]
}

@test "output that fails leaves the terminal as it was" {
	needs_terminal
	[ "$(tty "pb-sim -r roomba --play --speed 64 >/dev/full 2>$dir/err" \
		ends same)" = 3 ]
	grep -q "cannot write" "$dir/err"
	[ "$(tty "sh -c 'pb-sim -r pacbot --play --speed 64 | head -n 1'" \
		ends same)" = 0 ]
}

@test "lines of play and progress do not wrap in a narrow terminal" {
	needs_terminal
	tty "pb-sim -r pacbot --play --speed 4 >$dir/moves" wait:score type:q ends
	grep -qaP '\e\[\?7l.*t [0-9.]+ s.*\e\[\?7h\r+$' "$dir/screen"
	tty "pb-bench -n 1500 --no-results testdata/flat.jsonl >$dir/o" \
		wait:left ends
	grep -qaP '\e\[\?7l\r\d+/1500 trials.*left\e\[K\e\[\?7h' "$dir/screen"
}

@test "--play says how the game ended, or that it was left" {
	needs_terminal
	[ "$(tty "pb-sim -r roomba --play --speed 64 --set limit=9 >/dev/null" ends)" = 0 ]
	grep -aq 'You lost: clock, t 9, score ' "$dir/screen"
	[ "$(tty "pb-sim -r zumy --play >/dev/null" sleep:0.5 type:q ends)" = 0 ]
	grep -aq 'You left the game' "$dir/screen"
	[ "$(tty "pb-sim -r zumy --play --speed 64 --set draw=9 >/dev/null" ends)" = 0 ]
	grep -aq 'You lost: draw, t ' "$dir/screen"
}
