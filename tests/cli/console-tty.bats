#!/usr/bin/env bats
# console-tty.bats - the operator's console of pb-sim -i in a terminal.

load terminal

setup() {
	here
	map=testdata/house.yaml
	export LC_ALL=C TERM=xterm HOME=$dir
	unset XDG_STATE_HOME
}

@test "in the terminal: prompt, completion, history, Ctrl-C, Ctrl-D" {
	needs_terminal
	run tty "pb-sim -m $map -i >$dir/a" 'wait:pacmanbot 0> ' \
		'type:sta' 'wait:sta' 'type:\x03' 'wait:0> ' 'type:statu\t\r' 'wait:menu' 'wait:0> ' \
		'type:fly\r' 'wait:expected a command' 'wait:0> ' 'type:start\r' \
		'wait:waits for that' 'wait:0> ' \
		'type:run 9\r' 'wait:pacmanbot 9> ' \
		'type:speed 1\r' 'wait:pacmanbot 9> ' 'type:run 1000\r' \
		'wait:run 1000.*2004l' sleep:0.4 'type:\x03' 'wait:stopped' 'wait:> ' \
		'type:step 7\r' 'wait:> ' 'type:\x04' ends same
	echo "$output"
	[ "$output" = 0 ]
	grep -q '^run 9$' "$dir/.pb_history"
	jq -se 'all(.type)' "$dir/a"
	run tty "pb-sim -m $map -i >$dir/a" 'wait:pacmanbot 0> ' \
		'type:\x1b[A\r' 'wait:pacmanbot 0.35> ' 'type:quit\r' ends same
	echo "$output"
	[ "$output" = 0 ]
}

@test "in the terminal: a Ctrl-C with a key, values that are completed" {
	local i do=('wait:pacmanbot 0> ')
	needs_terminal
	for i in $(seq 20); do
		do+=('type:a\x03' 'wait:\n.*pacmanbot 0> ')
	done
	run tty "pb-sim -m $map -i >$dir/a" "${do[@]}" 'type:set pol\tsa\t\r' \
		'wait:0> ' size:10x30 'type:show policy\r' 'wait:safe ' \
		'type:quit\r' ends same
	echo "$output"
	[ "$output" = 0 ]
}

# shows COMMAND: in a terminal of 24 lines it ends well, without records.
shows() {
	[ "$(tty "sh -c 'stty rows 24 cols 80; exec $1'" ends same)" = 0 ]
	grep -q 'records are not shown: add ">game.jsonl"' "$dir/screen"
	run ! grep -q '"type"' "$dir/screen"
}

@test "in the terminal: a picture and a line in place of records" {
	needs_terminal
	mkdir "$dir/tmp"
	export NO_COLOR=1 TMPDIR=$dir/tmp
	shows "pb-sim -m $map -p seed"
	grep -q '^pb-sim: seed, round 1: complete, 7 of 7 pellets, 57.1 s' "$dir/screen"
	grep -q '^y (m)  house  t 80.4 s, complete after 57.1 s, 7 of 7' "$dir/screen"
	grep -q 'robot  C clyde' "$dir/screen"
	[ "$(wc -l <"$dir/screen")" -le 26 ]
	shows "pb-sim -r roomba -p greedy"
	grep -q '^pb-sim: greedy, round 1: ' "$dir/screen"
	# Whoever stops a game, or has a wrong map, sees why and no picture.
	[ "$(tty "pb-sim -m $map -n 100000" 'wait:round 1' 'type:\x03' ends)" = SIGINT ]
	run ! grep -q 'y (m)' "$dir/screen"
	[ "$(tty "pb-sim -m $dir/none" ends)" = 1 ]
	run ! grep -q 'y (m)' "$dir/screen"
	[ -z "$(ls "$TMPDIR")" ]
}

@test "in the terminal: no history file, signals, records not shown" {
	needs_terminal
	XDG_STATE_HOME=/proc/none tty "pb-sim -m $map -i" 'wait:not shown' \
		'wait:0> ' 'type:state\r' 'type:quit\r' ends same
	run ! grep -q '"type"' "$dir/screen"
	XDG_STATE_HOME=$dir/x tty "pb-sim -m $map -i >$dir/a" 'wait:0> ' \
		'type:state\r' 'type:quit\r' ends same
	[ "$(cat "$dir/x/pb/history")" = "$(printf 'state\nquit')" ]
	[ "$(tty "pb-sim -m $map -i >$dir/a" 'wait:0> ' 'type:stat' wait:stat \
		kill:SIGTERM ends same)" = SIGTERM ]
	[ "$(tty "pb-sim -m $map -i >$dir/a" 'wait:0> ' 'type:stat' wait:stat \
		'type:\x1a' stopped continue 'type:us\r' 'wait:menu' \
		'type:quit\r' ends same)" = 0 ]
}
