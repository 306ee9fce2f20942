#!/usr/bin/env bats
# console.bats - the operator's console.

load common

setup() {
	here
	map=testdata/house.yaml
	export LC_ALL=C HOME=$dir
	unset XDG_STATE_HOME
}

# con COMMAND ...: a session of these lines.
con() { printf '%s\n' "$@" | pb-sim -m "$map" -i; }

@test "the same game by commands and by cmd records" {
	con 'run 2' start 'run 12' 'clyde-speed 0.4' 'run 3' \
		'remove-pellet 5' 'run 2' reset 'spawn 2 2' 'run 1' >"$dir/a"
	(cat "$dir/a" | jq -c 'select(.type == "cmd" and .id == null)'
	echo '{"type":"cmd","t":'"$(jq -s '.[-1].t' "$dir/a")"',"name":"x"}') \
		>"$dir/cmds"
	[ "$(wc -l <"$dir/cmds")" = 6 ]
	pb-sim -m $map - <"$dir/cmds" | head -n "$(wc -l <"$dir/a")" |
		cmp - "$dir/a"
}

@test "-c, -f and standard input carry out the same commands" {
	con start 'run 12' state >"$dir/a"
	pb-sim -m $map -c start -c 'run 12' -c state | cmp - "$dir/a"
	printf '# a comment\n\n  start\r\nrun  12\n\tstate' >"$dir/f"
	pb-sim -m $map -f "$dir/f" | cmp - "$dir/a"
	pb-sim -m $map -c start -i <<<'run 12
state' | cmp - "$dir/a"
	pb-mapgen $map | pb-sim -c start -c 'run 12' -c state |
		jq -c 'select(.t)' | cmp - <(jq -c 'select(.t)' "$dir/a")
}

@test "what is said to people is no record" {
	con status help 'help run' show 'show clyde-speed' map speed >"$dir/out" 2>"$dir/err"
	jq -se 'map(.type) == ["map", "pellets"]' "$dir/out"
	grep -q '^state  *menu$' "$dir/err"
	grep -q '^clyde-speed  *0.25 ' "$dir/err"
	grep -q 'C clyde' "$dir/err"
}

@test "numbers are short" {
	pb-sim -r zumy --motion drive --help constants |
		grep -A 1 '^  aim=0.0942 rad ' | tr -d '\n' | grep -q '(1e-06..3.14)'
	pb-sim -r zumy --motion drive --dump-constants |
		grep -q '^aim	0.09424777960769379	rad	1e-06..3.141592653589793	'
}

@test "set policy: another player from the next restart on" {
	# And back; the round that goes on is played by the first.
	con 'set policy safe' restart start run 'set policy seed' restart start run \
		2>"$dir/err" | jq -c 'select(.type == "result")' >"$dir/a"
	grep -Fxq 'policy is safe from the next restart on' "$dir/err"
	for p in safe seed; do
		pb-sim -m $map -a -p $p | jq -c 'select(.type == "result")'
	done | cmp - "$dir/a"
	run -1 con 'set policy saef'
	[[ $output == *'set: policy: expected seed, nearest, safe, oracle, got "saef"; did you mean "safe"?'* ]]
	con 'set policy safe' 'show policy' 2>&1 | grep -q '^policy  *safe  *who plays$'
	# A restart that is refused changes nothing.
	con 'set policy safe' 'set inscribed 9' restart 2>/dev/null && false
	con start 'set policy safe' run | jq -r 'select(.type == "result").policy' |
		grep -Fxq seed
}

@test "start waits until the robot knows where it is, and says so" {
	con start 'run 30' >"$dir/out" 2>"$dir/err"
	grep -q "start waits" "$dir/err"
	con start 'run 5' 'run 12' start >"$dir/out" 2>"$dir/err" && false
	grep -q '<stdin>:4: start: cannot start from state "running"' \
		"$dir/err"
}

@test "a restart counts what was set, and is the game of the constants" {
	con start 'run 10' 'set clyde-speed 0.5' restart start run \
		>"$dir/a" 2>/dev/null
	pb-sim -m $map -a --set clyde-speed=0.5 |
		jq -c 'select(.type == "result")' >"$dir/b"
	jq -c 'select(.type == "result")' "$dir/a" | cmp - "$dir/b"
	run -1 con 'set seed 5'
	run -1 con 'set nothing 3'
	run -1 con 'set clyde-speed -1'
	run -1 con 'set clyde-speed 0.25' 'set inscribed 9' restart
	[[ "$output" == *":3: restart: "* ]]
}

@test "games on boards have no operator" {
	local o r
	for r in roomba pacbot zumy; do
		for o in -i '-c run' '-f none'; do
			# shellcheck disable=SC2086 # words
			run -2 pb-sim -r $r $o
			[[ "$output" == *"only with the rules pacmanbot" ]]
		done
	done
}

@test "lights, sounds and a WAV file of a session" {
	pb-sim -m $map --feedback --wav "$dir/a.wav" -a >"$dir/a"
	pb-sim -m $map --feedback --wav "$dir/b.wav" -a -c run >"$dir/b"
	cmp "$dir/a.wav" "$dir/b.wav"
	cmp <(grep -v '"type":"result"' "$dir/a") \
		<(grep -v '"type":"result"' "$dir/b")
}

@test "a refused command in a script: its place, status 1, the rest with -k" {
	printf 'start\nrun 1\nfly\nstate\n' >"$dir/f"
	run -1 --separate-stderr pb-sim -m $map -f "$dir/f"
	[[ "$stderr" == *"$dir/f:3: expected a command (see help), got \"fly\"" ]]
	n=${#lines[@]}
	run -1 --separate-stderr pb-sim -m $map -k -f "$dir/f"
	[ "${#lines[@]}" = $((n + 1)) ]
	run -1 --separate-stderr pb-sim -m $map -c start -c 'run x'
	[[ "$stderr" == *"--command:2: run: expected seconds"*'got "x"' ]]
	run -1 pb-sim -m $map -f "$dir/none"
	run -1 pb-sim -m $map -f "$dir"
}

@test "wrong arguments are refused" {
	cat >"$dir/f" <<'END'
start now
step 0
step 1.5
step x
run -1
speed -3
clyde-speed fast
clyde-speed 0
spawn 1
spawn 1 b
spawn 900 900
remove-pellet 99
event win
move up
set
set lives
show nothing
restart nothing
help nothing
go
END
	n=$(wc -l <"$dir/f")
	run -1 --separate-stderr pb-sim -m "$map" -k -i <"$dir/f"
	# Each in its line, and none of them did anything.
	[ "$(sed -n 's/^pb-sim: <stdin>:\([0-9]*\): .*/\1/p' <<<"$stderr")" = \
		"$(seq "$n")" ]
	[ "$output" = "$(con '')" ]
}

@test "garbage, long lines, NUL bytes, an end in the middle" {
	printf 'run\377\001\n' >"$dir/f"
	run -1 pb-sim -m $map -f "$dir/f"
	[[ "$output" == *"$dir/f:1: expected text, got a control character" ]]
	printf 'a\0b\n' >"$dir/f"
	run -1 pb-sim -m $map -f "$dir/f"
	head -c 3000000 /dev/zero | tr '\0' x >"$dir/f"
	run -1 pb-sim -m $map -f "$dir/f"
	[[ "$output" == *"of at most 1024 bytes, got 3000000" ]]
	head -c 200000 testdata/house.log.gz >"$dir/f"
	run -1 pb-sim -m $map -k -f "$dir/f"
	printf 'step 3\nsta' >"$dir/f"
	run -1 pb-sim -m $map -f "$dir/f"
}

@test "standard input holds one thing; a full disk and a closed pipe end it" {
	run -2 pb-sim -i
	[[ "$output" == *"standard input cannot be "* ]]
	run -2 pb-sim -m $map -i -f -
	run -2 pb-sim -m $map -i -
	run -3 bash -c "pb-sim -m $map -c start -c 'run 1000' >/dev/full"
	con start 'run 1000' 'run 1000' 2>"$dir/err" | head -n 1
	[ ! -s "$dir/err" ] || grep -vq "cannot write" "$dir/err"
}
