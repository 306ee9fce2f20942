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
	con 'run 2' start 'run until state=running' 'clyde-speed 0.4' 'run 3' \
		'remove-pellet 5' 'run 2' reset 'spawn 2 2' 'run 1' >"$dir/a"
	(cat "$dir/a" | jq -c 'select(.type == "cmd" and .id == null)'
	echo '{"type":"cmd","t":'"$(jq -s '.[-1].t' "$dir/a")"',"name":"x"}') \
		>"$dir/cmds"
	[ "$(wc -l <"$dir/cmds")" = 6 ]
	pb-sim -m $map - <"$dir/cmds" | head -n "$(wc -l <"$dir/a")" |
		cmp - "$dir/a"
}

@test "-c, -f, standard input and replay carry out the same commands" {
	con start 'run 12' state >"$dir/a"
	pb-sim -m $map -c start -c 'run 12' -c state | cmp - "$dir/a"
	printf '# a comment\n\n  start\r\nrun  12\n\tstate' >"$dir/f"
	pb-sim -m $map -f "$dir/f" | cmp - "$dir/a"
	pb-sim -m $map -c "replay $dir/f" | cmp - "$dir/a"
	pb-sim -m $map -c start -i <<<'run 12
state' | cmp - "$dir/a"
	pb-mapgen $map | pb-sim -c start -c 'run 12' -c state |
		jq -c 'select(.t)' | cmp - <(jq -c 'select(.t)' "$dir/a")
}

@test "what is said to people is no record" {
	con status help 'help run' show 'show seed' map speed snapshot \
		'snapshot a' snapshot >"$dir/out" 2>"$dir/err"
	jq -se 'map(.type) == ["map", "pellets"]' "$dir/out"
	grep -q '^state  *menu$' "$dir/err"
	grep -q '^seed  *1 ' "$dir/err"
	grep -q 'C clyde' "$dir/err"
	grep -q '^a$' "$dir/err"
}

@test "start waits until the robot knows where it is, and says so" {
	con start 'run until state=returning_home' >"$dir/out" 2>"$dir/err"
	grep -q "start waits" "$dir/err"
	con start 'run 5' 'run 12' start >"$dir/out" 2>"$dir/err" && false
	grep -q '<stdin>:4: start: cannot start from state "running"' \
		"$dir/err"
}

@test "state, pellets and scores are records" {
	con start 'run until state=running' 'run 5' state pellets scores \
		2>"$dir/err" | tail -n 4 >"$dir/a"
	[ "$(jq -r .type "$dir/a" | tr '\n' ' ')" = \
		'state pellets scored target ' ]
	jq -se '.[1].pellets | length | . > 0 and . <= 7' "$dir/a"
	grep -q '^pellet  *total' "$dir/err"
}

@test "undo takes back, and the game goes on the same way" {
	con start 'run 20' 'snapshot a' 'run 7' >"$dir/a" 2>/dev/null
	con start 'run 20' 'step 33' 'clyde-speed 2' 'undo 2' 'run 7' \
		>"$dir/b" 2>/dev/null
	n=$(jq -c 'select(.t > 20.001)' "$dir/a" | wc -l)
	tail -n "$n" "$dir/b" | cmp - <(tail -n "$n" "$dir/a")
	jq -se 'any(.type == "cmd" and .name == "undo")' "$dir/b"
	run -1 con undo
	run -1 con start 'undo 2'
}

@test "a snapshot is gone on from, also by a player that looks ahead" {
	for p in seed safe; do
		printf '%s\n' start 'run until collected>=2' 'snapshot a' run \
			state 'restart a' run state |
			pb-sim -i testdata/flat.jsonl -p $p 2>/dev/null >"$dir/a"
		[ "$(jq -c 'select(.type == "result")' "$dir/a" | uniq |
			wc -l)" = 1 ]
		[ "$(jq -c 'select(.type == "result")' "$dir/a" | wc -l)" = 2 ]
	done
	run -1 con 'restart b'
}

@test "a restart counts what was set, and is the game of the options" {
	con start 'run 10' 'set seed 5' 'set clyde-speed 0.5' 'set policy nearest' \
		restart start run >"$dir/a" 2>/dev/null
	pb-sim -m $map -a -s 5 --clyde-speed 0.5 -p nearest |
		jq -c 'select(.type == "result")' >"$dir/b"
	jq -c 'select(.type == "result")' "$dir/a" | cmp - "$dir/b"
	run -1 con 'set seed x'
	run -1 con 'set nothing 3'
	run -1 con 'set clyde-speed -1'
	run -1 con 'set start 99,99' restart
}

@test "a saved session gives the same bytes" {
	con start 'run until collected>=1' 'light pacman' 'snapshot a' \
		'step 20' undo 'sound death' 'event clyde killed' 'run 3' \
		'restart a' 'run 2' "save $dir/s" >"$dir/a" 2>/dev/null
	pb-sim -m $map -f "$dir/s" 2>/dev/null | cmp - "$dir/a"
	pb-sim -m $map -c "replay $dir/s" -c "save $dir/t" 2>/dev/null |
		cmp - "$dir/a"
	cmp "$dir/s" "$dir/t"
}

@test "games on boards: the same bytes, snapshots, undo, moves" {
	local r n set='lives 2' until='lives<3' sim
	for r in roomba pacbot zumy; do
		[ $r != zumy ] || set='patrols 1' until='t>3'
		sim="pb-sim -r $r"
		[ $r != pacbot ] || sim+=" --nodes 100" # looks ahead, but less
		$sim -s 3 >"$dir/a"
		$sim -s 3 -c 'step 50' -c run | cmp - "$dir/a"
		$sim -s 3 -c 'step 50' -c 'snapshot a' -c 'step 90' \
			-c undo -c 'move left' -c 'restart a' -c run >"$dir/b"
		n=$(($(wc -l <"$dir/a") * 2 / 3))
		tail -n $n "$dir/a" | cmp - <(tail -n $n "$dir/b")
		$sim -c 'set seed 3' -c "set $set" -c restart -c run |
			tail -n 1 |
			cmp - <($sim -s 3 --${set/ /=} | tail -n 1)
		$sim -c 'move left' -c "run until $until" \
			-c 'move up' -c 'run' -c state -c map -c "save $dir/s" \
			>"$dir/a" 2>"$dir/err"
		$sim -f "$dir/s" | cmp - "$dir/a"
		jq -se 'any(.type == "result" and .policy == "human")' "$dir/a"
		run -1 $sim -c reset-clyde
		[[ "$output" == *"reset-clyde: not in the game of $r" ]]
		run -1 $sim -c run -c step
		run -2 $sim -i file
	done
	sim="pb-sim -r roomba --motion drive --rollouts 2 -s 3"
	$sim | tail -n 1 >"$dir/a"
	$sim -c 'run 5' -c 'run 10' -c undo -c run | tail -n 1 | cmp - "$dir/a"
	run -2 pb-sim -r pacbot -c run --wire
	run -2 pb-sim -r roomba -c run --swarm
	run -2 pb-sim -r pacbot -c run --heat "$dir/heat.png"
}

@test "an undo takes back what was set; a refused command costs none" {
	local i
	con 'set seed 5' 'set clyde-speed 0.5' 'set map testdata/flat.jsonl' \
		'step' 'set policy safe' 'undo 4' 'show seed' 'show policy' \
		'show map' 'show clyde-speed' 'save '"$dir/s" >"$dir/a" 2>"$dir/err"
	grep -q '^seed  *5 ' "$dir/err"
	grep -q '^clyde-speed  *0.25 ' "$dir/err"
	grep -q '^policy  *seed ' "$dir/err"
	grep -q "^map  *$map " "$dir/err"
	[ "$(jq -r 'select(.name == "undo").t' "$dir/a")" = 0 ]
	con 'set seed 5' undo >"$dir/b"
	jq -se 'any(.name == "undo") | not' "$dir/b"
	for i in $(seq 16); do echo step; done >"$dir/f"
	(cat "$dir/f"; echo 'spawn x y'; echo 'step 0'; echo fly; echo 'undo 16'
	echo state) | pb-sim -m $map -k -i 2>"$dir/err" >"$dir/a" && false
	[ "$(tail -n 1 "$dir/a" | jq .t)" = 0 ]
	(cat "$dir/f"; echo step; echo 'undo 17') | run -1 pb-sim -m $map -i
}

@test "maps and sensors are set for the next game" {
	con 'run 1' 'set map testdata/flat.jsonl' restart start run >"$dir/a" \
		2>/dev/null
	pb-sim -m testdata/flat.jsonl -a >"$dir/b"
	[ "$(jq -c 'select(.type == "result")' "$dir/a")" = \
		"$(jq -c 'select(.type == "result")' "$dir/b")" ]
	cmp <(grep '^{"type":"map"' "$dir/a" | tail -n 1) <(head -n 1 "$dir/b")
	con 'set sensors lidar,odom' 'set lidar-beams 4' restart 'run 2' \
		'snapshot a' 'run 2' 'restart a' 'run 2' >"$dir/a"
	pb-sim -m $map -a --sensors lidar,odom --lidar-beams 4 \
		>"$dir/b"
	cmp <(jq -c 'select(.type == "scan" and .t > 0 and .t <= 0.9)' "$dir/a") \
		<(jq -c 'select(.type == "scan" and .t > 0 and .t <= 0.9)' "$dir/b")
	cmp <(jq -c 'select(.type == "scan" and .t > 2)' "$dir/a" |
		head -n 13) \
		<(jq -c 'select(.type == "scan" and .t > 2)' "$dir/a" |
		tail -n 13)
	run -1 con 'set map /nonexistent'
	[[ "$output" == *":1: set: /nonexistent: "*"No such file"* ]]
	run -1 con 'set map README.md'
	run -1 con 'set map -'
	run -1 con 'set sensors lidar,tof4' restart
	[[ "$output" == *":2: restart: "* ]]
}

@test "boards, sensors and what patrols know are set for the next game" {
	local r sim
	for r in roomba pacbot zumy; do
		pb-mapgen random-${r/pacbot/maze} -s 5 >"$dir/$r" || true
		sim="pb-sim -r $r"
		# Few decisions and lives: a short game.
		[ $r != pacbot ] || sim+=" -p greedy --lives 1"
		$sim -s 3 --sensors tof4,odom -c 'step 30' \
			-c 'snapshot a' -c 'step 30' -c 'restart a' -c run \
			2>"$dir/err" | grep '"type":"scan"' >"$dir/a"
		$sim -s 3 --sensors tof4,odom |
			grep '"type":"scan"' >"$dir/b"
		[ "$(tail -n 1 "$dir/a")" = "$(tail -n 1 "$dir/b")" ]
		[ "$(wc -l <"$dir/a")" -gt "$(wc -l <"$dir/b")" ]
		$sim -c 'set sensors tof4' -c 'set seed 3' -c restart \
			-c 'set sensors none' -c run -c restart -c 'step 40' |
			grep '"type":"scan"' >"$dir/a"
		$sim -s 3 --sensors tof4 |
			grep '"type":"scan"' | cmp - "$dir/a"
	done
	for r in 'roomba -p flee' 'zumy -p astar'; do
		sim="pb-sim -r $r"
		r=${r% -p*}
		$sim -c "set map $dir/$r" -c 'set seed 3' -c restart -c run |
			tail -n 1 |
			cmp - <($sim -s 3 -m "$dir/$r" | tail -n 1)
		run -1 pb-sim -r $r -c 'set map pacman' -c restart -c 'step 4'
	done
	pb-sim -r zumy -c 'set known all' -c restart -c 'run 20' -c 'snapshot a' \
		-c 'run 20' -c 'restart a' -c run | tail -n +2 |
		grep '"type":"map"' | tail -n 1 |
		cmp - <(pb-sim -r zumy --known all |
			grep '"type":"map"' | tail -n 1)
	run -1 pb-sim -r zumy -c 'set known patrol9'
}

@test "lights, sounds and a WAV file of a session" {
	local r sim
	for r in roomba pacbot zumy; do
		sim="pb-sim -r $r -s 3 --feedback"
		[ $r = zumy ] || sim+=" -p greedy --lives 1" # short
		$sim --wav "$dir/a.wav" >"$dir/a"
		$sim --wav "$dir/b.wav" -c run >"$dir/b"
		cmp "$dir/a.wav" "$dir/b.wav"
		cmp <(grep -v '"type":"result"' "$dir/a") \
			<(grep -v '"type":"result"' "$dir/b")
	done
	pb-sim -m $map --feedback --wav "$dir/a.wav" -a >"$dir/a"
	pb-sim -m $map --feedback --wav "$dir/b.wav" -a -c run >"$dir/b"
	cmp "$dir/a.wav" "$dir/b.wav"
	cmp <(grep -v '"type":"result"' "$dir/a") \
		<(grep -v '"type":"result"' "$dir/b")
	# Back in time, the lights of then; the file has heard it all.
	pb-sim -m $map --feedback --wav "$dir/b.wav" -a -c 'run 20' \
		-c 'run 10' -c undo -c run >"$dir/b"
	cmp <(jq -c 'select(.t > 20.001 and .type != "result")' "$dir/a") \
		<(sed '1,/"undo"/d' "$dir/b" |
		jq -c 'select(.t > 20.001 and .type != "result")')
	[ $(($(wc -c <"$dir/b.wav") - $(wc -c <"$dir/a.wav"))) = \
		$((10 * 44100 * 2)) ]
	# What an operator shows goes to the same ring; a restart ends it.
	pb-sim -r roomba --feedback -c 'step 9' -c 'light win' -c 'step 2' \
		-c 'set feedback no' -c restart -c 'step 9' >"$dir/a"
	jq -se '[.[] | select(.name == "win").t][0] == 9.15' "$dir/a"
	jq -se '([.[] | .type] | rindex("light")) <
		([.[] | .type] | rindex("maze"))' "$dir/a"
	jq -se 'map(select(.type == "light"))[-1].leds | flatten | add == 0' \
		"$dir/a"
	pb-sim -r roomba -c 'set feedback yes' -c 'set feedback-as report' \
		-c restart -c 'step 9' | jq -c 'select(.type == "light")' |
		cmp - <(pb-sim -r roomba --feedback --feedback-as report \
			-c 'step 9' | jq -c 'select(.type == "light")')
}

@test "a session is saved whole or not at all" {
	echo old >"$dir/s"
	run -3 pb-sim -m $map -c 'step 3' -c "save $dir/no/s"
	[[ "${lines[-1]}" == *": --command:2: save: $dir/no/s: cannot write: "* ]]
	run -3 pb-sim -m $map -c 'step 3' -c 'save /dev/full'
	[[ "${lines[-1]}" == *"save: /dev/full: cannot write: No space"* ]]
	run -3 pb-sim -m $map -k -c 'step 3' -c "save $dir" -c step
	con 'step 3' "save $dir/s" >/dev/null
	[ "$(tail -n 1 "$dir/s")" = 'step 3' ]
	[ "$(echo "$dir"/s*)" = "$dir/s" ]
	(ulimit -f 1
	trap '' XFSZ
	printf 'state\n%.0s' {1..400} | (cat; echo "save $dir/t") |
		pb-sim -m $map -i 2>"$dir/err" | cat >/dev/null
	[ "${PIPESTATUS[2]}" = 3 ])
	grep -q "save: $dir/t: cannot write: File too large" "$dir/err"
	[ ! -e "$dir/t" ]
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
run until
run until x>=1
run until score
run until score>=
run until state=nowhere
speed -3
clyde-speed fast
clyde-speed 0
spawn 1
spawn 1 b
spawn 900 900
remove-pellet 99
event nothing
light nothing
sound nothing
motion nothing
move up
set
set seed
show nothing
restart nothing
undo
save
replay
replay /nonexistent/file
replay -
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
	echo "replay $dir/f" >"$dir/f"
	run -1 pb-sim -m $map -f "$dir/f"
	[[ "$output" == *"8 files replay each other already"* ]]
}

@test "standard input holds one thing; a full disk and a closed pipe end it" {
	run -2 pb-sim -i
	[[ "$output" == *"standard input cannot hold both"* ]]
	run -2 pb-sim -m $map -i -f -
	run -2 pb-sim -m $map -i -
	run -2 pb-sim -r roomba -i --play
	run -3 bash -c "pb-sim -m $map -c start -c 'run 1000' >/dev/full"
	con start 'run 1000' 'run 1000' 2>"$dir/err" | head -n 1
	[ ! -s "$dir/err" ] || grep -vq "cannot write" "$dir/err"
}
