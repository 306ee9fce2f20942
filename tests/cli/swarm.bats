#!/usr/bin/env bats
# swarm.bats - games with a process for each robot.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || exit
	PATH=$PWD/${O:-build}:$PATH
	tmp=$BATS_TEST_TMPDIR
	export TMPDIR=$tmp
}

swarm() { timeout 20 scripts/swarm.sh "$@"; }

# GAME OPTION ...: the swarm plays the game that pb-sim plays.
same() {
	pb-sim -r "$@" >"$tmp/one"
	swarm "$@" | cmp - "$tmp/one"
}

# The process id of a robot of the swarm with that id; waits for it.
robot() { # PID NAME
	local c i
	for ((i = 0; i < 200; i++)); do
		for c in $(cat /proc/"$1"/task/"$1"/children); do
			tr '\0' ' ' <"/proc/$c/cmdline" |
				grep -q -- "^pb-ghost.*--name $2 " &&
				echo "$c" && return
		done
		sleep 0.02
	done 2>/dev/null
	return 1
}

# Nothing is left of a swarm.
gone() {
	run ! pgrep -f "pb-ghost -b .* --seed $1 "
}

# A line of the game of seed 3 is replaced; what Inky says to it.
inky_hears() { # LINE TEXT
	sed "$1s/.*/$2/" "$tmp/game" >"$tmp/odd"
	run -1 --separate-stderr pb-ghost -b roomba --name inky -s 3 <"$tmp/odd"
	[ "${#stderr_lines[@]}" = 1 ]
}

@test "roomba: processes play what one plays, record for record" {
	same roomba -s 1
	same roomba -s 2 -p greedy --lives 2
	same roomba -s 3 -t 5 -p random --limit 200 --power-time 7 --delay 9
	same roomba -s 4 -p flee --inky-track 0.1 --clyde-away no --sense 5
	same roomba -s 6 -p flee --motion drive --limit 200
	same roomba -p greedy -qt2 --see 7 --motion drive --rate 2 --lives 1
	same roomba -s 8 -p flee --limit 40 --feedback --sensors tof4
	for n in 0 1 2 3; do
		same roomba -s 5 -p flee --ghosts $n
	done
	for s in 1 2; do
		pb-mapgen random-roomba -s $s >"$tmp/board"
		same roomba -s $s -p greedy -m "$tmp/board"
	done
}

@test "roomba: a script drives Pac-Man" {
	printf '{"type":"move","dir":"left"}\n%.0s' 1 2 3 4 >"$tmp/s"
	same roomba --limit 30 "$tmp/s"
}

# GAME SIGNAL ROBOT WHY: a signal to one robot in the middle of a game.
hit() {
	rm -f "$tmp/script"
	mkfifo "$tmp/script"
	exec 7<>"$tmp/script"
	scripts/swarm.sh "$1" --seed 77 --patience 0.4 "$tmp/script" \
		7>&- >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	kill "-$2" "$(robot $pid "$3")"
	yes '{"type":"move","dir":"left"}' | head -n 40 >&7
	exec 7>&-
	status=0
	wait $pid || status=$?
	[ $status = 1 ]
	diff - "$tmp/err" <<<"pb-sim: $3: $4; the game goes on without"
	tail -n 1 "$tmp/out" | grep -q '"type":"result"'
	[ "$(grep -c "LOST.*\"$3\"" "$tmp/out")" = 1 ]
	sed '1,/LOST/d' "$tmp/out" >"$tmp/after"
	run ! grep -q "\"id\":\"$3\",\"\(dir\|name\|x\)" "$tmp/after"
	gone 77
}

@test "a ghost or patrol that is killed or stopped is left where it stands" {
	silent='the agent gave no answer for 0.4 s'
	for name in blinky clyde; do
		hit roomba KILL $name 'the agent has ended'
		hit roomba STOP $name "$silent"
	done
	hit zumy KILL patrol1 'the agent has ended'
	hit zumy STOP patrol2 "$silent"
	# It stands, and the others move.
	jq -c 'select(.type == "tick").bodies[] | select(.id == "patrol2") |
		[.row, .col, .mode]' "$tmp/after" | sort -u | diff - <(echo '[6,6,"lost"]')
	grep -q '"move".*"id":"patrol1"' "$tmp/after"
}

# COMPLAINT COMMAND: what is said of such a Pinky; the others play on.
pinky_is() {
	run -1 --separate-stderr timeout 20 pb-sim -r roomba -p flee -s 3 \
		--limit 30 --patience 0.4 --ghost "pb-ghost -b roomba \
		--name blinky -s 3 --limit 30 ${3-}" --ghost "$2" ${3-}
	[ "${#stderr_lines[@]}" = 1 ]
	[ "$stderr" = "pb-sim: pinky: $1; the game goes on without" ]
	[ "$(grep -c '"LOST"' <<<"$output")" = 1 ]
	grep -q '"mode":"lost"' <<<"$output"
	[[ "${lines[-1]}" == *'"type":"result"'* ]]
	grep '"move"' <<<"$output" | tail -n 9 | grep -q '"id":"clyde"'
}

@test "a ghost that talks nonsense, too much, too late or goes is left, too" {
	own='pb-ghost -b roomba --name pinky -s 3 --limit 30'
	pinky_is 'the agent has ended' true
	pinky_is 'the agent has ended' "exec head -n 1 >/dev/null"
	pinky_is 'the agent gave no answer for 0.4 s' 'exec sleep 9'
	pinky_is 'the agent gave no answer for 0.4 s' 'cat >/dev/null'
	pinky_is 'the agent gave no answer for 0.4 s' "sleep 0.9; $own"
	pinky_is "not JSON: invalid token near 'x', column 1" 'yes x'
	pinky_is 'it said 1000 other records' "yes '{\"type\":\"weather\"}'"
	pinky_is "the agent's answer is over 4096 bytes" \
		"tr -d '\\n' </dev/zero"
	pinky_is 'move: there is no robot "sue"' \
		"echo '{\"type\":\"move\",\"id\":\"sue\",\"dir\":\"up\"}'; cat"
	pinky_is 'move.t: expected 0, got 7' \
		"echo '{\"type\":\"move\",\"t\":7,\"id\":\"pinky\",\"dir\":\"up\"}'; cat"
	pinky_is 'move.dir: down: pinky may not drive there' \
		"echo '{\"type\":\"move\",\"t\":0,\"id\":\"pinky\",\"dir\":\"down\"}'; cat"
	pinky_is 'expected a move of pinky, got a maze' cat
	pinky_is 'expected a pose of pinky, got a maze' cat '--motion drive'
	# Slow is not too late.
	pb-sim -r roomba -p flee -s 3 --limit 20 --ghosts 2 >"$tmp/one"
	pb-sim -r roomba -p flee -s 3 --limit 20 --ghosts 2 --patience 5 \
		--ghost 'pb-ghost -b roomba --name blinky -s 3 --limit 20 --ghosts 2 |
		while read -r l; do sleep 0.01; echo "$l"; done' | cmp - "$tmp/one"
}

@test "who is killed with Pac-Man in it ends the game with one line" {
	mkfifo "$tmp/script"
	exec 7<>"$tmp/script"
	scripts/swarm.sh roomba --seed 76 "$tmp/script" 7>&- >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	robot $pid clyde
	kill -9 $pid
	status=0
	wait $pid || status=$?
	exec 7>&-
	[ $status = 137 ]
	for i in 1 2 3 4 5 6 7 8 9; do
		[ -s "$tmp/err" ] && break
		sleep 0.1
	done
	[ "$(wc -l <"$tmp/err")" = 1 ]
	grep -q 'the stream has ended; expected a move of pacman' "$tmp/err"
	gone 76
}

@test "zumy: processes play what one plays, record for record" {
	same zumy -s 1
	same zumy -s 2 -p astar -t 4
	same zumy -s 3 -p direct --share yes --patrols 4
	same zumy -s 4 -p astar --motion drive --rate 2
	for n in 0 1 3; do
		same zumy -s 5 -p astar --patrols $n --draw 1000
	done
	for s in 1 2; do
		pb-mapgen random-zumy -s $s >"$tmp/board"
		same zumy -s $s -p astar -m "$tmp/board" --compat yes
	done
}

@test "zumy: a patrol says what is its own; who may not drive there is refused" {
	pb-sim -r zumy -p astar -s 1 >"$tmp/game"
	for name in patrol1 patrol2; do
		pb-ghost -b patrol --name $name <"$tmp/game" |
			cmp - <(grep "\"id\":\"$name\"" "$tmp/game" |
				grep '"move"\|"message"')
	done
	sed '/"move".*"id":"player"/s/"dir":"[a-z]*"/"dir":"down"/' "$tmp/game" >"$tmp/odd"
	run -1 --separate-stderr pb-ghost -b patrol --name patrol2 <"$tmp/odd"
	[[ "$stderr" == *'move.dir: down: player may not drive there' ]]
	sed '/"move".*"patrol1"/s/patrol1/patrol7/' "$tmp/game" >"$tmp/odd"
	run -1 --separate-stderr pb-ghost -b patrol --name patrol2 <"$tmp/odd"
	[[ "$stderr" == *'move: there is no robot "patrol7"' ]]
}

@test "a signal ends the swarm and leaves nothing" {
	for s in INT TERM HUP; do
		scripts/swarm.sh roomba --seed 78 -p random --delay 9999 \
			--limit 900000 >"$tmp/out" 2>"$tmp/err" &
		pid=$!
		sleep 0.1
		kill -$s $pid
		# A shell's children ignore INT.
		[ $s = INT ] && kill -TERM $pid
		status=0
		wait $pid || status=$?
		[ "$status" -ge 128 ]
		[ ! -s "$tmp/err" ]
		gone 78
	done
}

@test "a reader who leaves, a full disk" {
	swarm roomba --seed 79 | head -n 2 >"$tmp/out"
	[ "$(wc -l <"$tmp/out")" = 2 ]
	[ -e /dev/full ] || skip "there is no /dev/full"
	status=0
	swarm roomba --seed 79 >/dev/full 2>"$tmp/err" || status=$?
	[ $status = 3 ]
	[ "$(wc -l <"$tmp/err")" = 1 ]
	gone 79
}

@test "roomba: a ghost says what is its own, from what it hears" {
	pb-sim -r roomba -s 3 -p flee >"$tmp/game"
	for name in blinky pinky inky clyde; do
		pb-ghost -b roomba --name $name -s 3 <"$tmp/game" |
			cmp - <(grep "\"id\":\"$name\"" "$tmp/game" |
				grep '"move"\|"message"')
	done
}

@test "roomba: what is not the game's is refused with a line" {
	pb-sim -r roomba -s 3 >"$tmp/game"
	inky_hears 9 '{"type":"move","t":0,"id":"sue","dir":"up"}'
	[ "$stderr" = 'pb-ghost: <stdin>:9: move: there is no robot "sue"' ]
	inky_hears 9 '{"type":"message","t":0,"id":"sue","name":"STOP"}'
	[ "$stderr" = 'pb-ghost: <stdin>:9: message: there is no robot "sue"' ]
	inky_hears 7 '{"type":"move","t":0,"id":"clyde","dir":"up"}'
	[[ "$stderr" == *':7: expected a move of pinky, got a move of clyde' ]]
	inky_hears 8 '{"type":"move","t":0,"id":"inky","dir":"up"}'
	[[ "$stderr" == *':8: expected another move of inky;'* ]]
	inky_hears 7 '{"type":"move","t":0,"id":"pinky","dir":"down"}'
	[[ "$stderr" == *':7: move.dir: down: pinky may not drive there' ]]
	inky_hears 6 '{"type":"move","t":7,"id":"blinky","dir":"up"}'
	[[ "$stderr" == *':6: move.t: expected 0, got 7' ]]
	inky_hears 6 'rubbish'
	inky_hears 6 '{"type":"tick"}'
	inky_hears 1 '{"type":"maze","rows":["P.#."]}'
	[[ "$stderr" == *':1: '* ]]
	inky_hears 6 '{"type":"weather","sun":true}'
	[[ "$stderr" == *':7: expected a move of blinky, got a move of pinky' ]]
	head -n 40 "$tmp/game" >"$tmp/half"
	run -1 pb-ghost -b roomba --name inky -s 3 <"$tmp/half"
	[[ "${lines[-1]}" == *'the stream has ended; expected'* ]]
}

@test "pacbot: four ghosts of their own play the same match" {
	same pacbot -p flee -s 2
	same pacbot -p greedy -s 1 --lives 1
	same pacbot -p power -s 3 --levels 2
	pb-sim -r pacbot -p greedy -s 5 --ghosts 2 \
		--ghost 'pb-ghost -b arcade --name blinky' |
		cmp - <(pb-sim -r pacbot -p greedy -s 5 --ghosts 2)
}

# What the red ghost answers; the rest of it is what pb-sim says.
red_says() { # TEXT COMPLAINT
	run -1 --separate-stderr timeout 20 pb-sim -r pacbot -p greedy \
		--ghost "while read -r l; do echo '$1'; done"
	[ "${#stderr_lines[@]}" = 1 ]
	[[ "$stderr" == *"$2" ]]
	run ! grep -q '"result"' <<<"$output"
}

@test "pacbot: a ghost that is killed or talks nonsense ends the match" {
	red_says rubbish "invalid token near 'rubbish', column 7"
	red_says '{"type":"move","id":"pink","dir":"up"}' \
		'expected a move of red, got a move of "pink"'
	red_says '{"type":"move","id":"red","dir":"stop"}' \
		'move.dir: stop: red cannot turn there'
	run -1 --separate-stderr timeout 20 pb-sim -r pacbot --ghost \
		'pb-ghost -b arcade --name red & p=$!; sleep 0.1; kill -9 $p'
	[[ "$stderr" == *'the agent has ended' ]]
	run -2 pb-sim -r pacbot --ghosts 0 --ghost true
	run -2 pb-ghost -b arcade --name sue
	run -2 pb-ghost -b arcade --name red --sense 3
	run -2 pb-ghost -b arcade --name red -s 3
	run -1 pb-ghost -b arcade --name red <<<'{"type":"tick","tick":1}'
	[[ "$output" == *'<stdin>:1: tick'* ]]
}

@test "pacmanbot: a Clyde of his own walks as the game's does" {
	pb-mapgen random-house -s 3 >"$tmp/house"
	for s in 1 2; do
		pb-sim -a -n 2 -p seed -s $s --trace state,cmd,pose,clyde,obstacle \
			<"$tmp/house" >"$tmp/game"
		[ "$(grep -c '"id":"clyde"' "$tmp/game")" -gt 500 ]
		pb-ghost -b clyde -w -s $s <"$tmp/game" |
			cmp - <(sed '/"id":"clyde"/s/,"source":"truth"//' \
				"$tmp/game")
	done
}

@test "pacmanbot: pb-sim plays the same with a Clyde of his own" {
	for s in 1 2; do
		same pacmanbot -a -m testdata/house.yaml -p seed -s $s --trace all
		same pacmanbot -a -p safe --seed=$s -t $s testdata/flat.jsonl
	done
	same pacmanbot -a -n 3 -p seed -s 4 --clyde-speed 0.4 testdata/flat.jsonl
	same pacmanbot -a -m testdata/house.yaml --spawn-at 3,2 -s 5
	pb-mapgen random-house -s 3 >"$tmp/house"
	same pacmanbot -a --clyde-period=0.3 -p seed -s 6 "$tmp/house"
	same pacmanbot -a --preset published --start 2.3,1.6 -s 7 \
		-m testdata/house.yaml
	# It is his place that counts.
	pb-sim -a -p seed -s 1 testdata/flat.jsonl >"$tmp/one"
	run ! cmp -s "$tmp/one" <(pb-sim -a -p seed -s 1 \
		--ghost 'pb-ghost -b clyde -s 2 --exact' testdata/flat.jsonl)
}

# OPTION ...: the game in which pb-score chooses is the same.
scored() {
	pb-sim -p seed --trace all "$@" >"$tmp/one"
	pb-sim -p seed --trace all "$@" --score 'pb-score --asked' |
		cmp - "$tmp/one"
}

@test "pacmanbot: pb-sim plays the same when pb-score chooses" {
	for s in 1 2 3; do
		scored -a -n 2 -m testdata/house.yaml -s $s
	done
	pb-mapgen random-house -s 3 >"$tmp/house"
	scored -a -n 4 -s 4 "$tmp/house"
	[ "$(grep -c '"type":"result"' "$tmp/one")" = 4 ]
	# By the program's constants.
	run ! cmp -s "$tmp/one" <(pb-sim -a -n 4 -s 4 --trace all "$tmp/house" \
		--score 'pb-score --asked --risk-weight 9')
	# What it passes on while nothing is asked fits in no pipe.
	scored -a -s 2 --planner-period 0.35 --theatrical 900 testdata/flat.jsonl
	{
		cat testdata/flat.jsonl
		echo '{"type":"cmd","t":3,"name":"start"}'
		for t in 20 21 22 23 24; do
			echo '{"type":"cmd","t":'$t',"name":"remove_pellet","value":'$((t - 20))'}'
		done
		echo '{"type":"cmd","t":26,"name":"reset_pellets"}'
		echo '{"type":"cmd","t":28,"name":"reset"}'
		echo '{"type":"cmd","t":30,"name":"start"}'
	} >"$tmp/s"
	scored -s 7 "$tmp/s"
	run -2 pb-sim -p safe --score true -m testdata/house.yaml -a
	run -2 pb-sim -i --score true -m testdata/house.yaml
	run -2 pb-sim -r roomba --score true
}

@test "pacmanbot: who chooses and is killed, hangs or talks nonsense" {
	option=--score
	clyde_is 'the agent has ended' true
	clyde_is 'the agent gave no answer for 0.5 s' 'cat >/dev/null; sleep 9'
	clyde_is 'the agent gave no answer for 0.5 s' cat
	clyde_is "invalid token near 'rubbish', column 7" 'echo rubbish; cat'
	clyde_is 'other records' \
		'yes "{\"type\":\"event\",\"name\":\"x\"}"'
	at() { echo "echo '{\"type\":\"target\",$1,\"why\":\"best\"}'; cat"; }
	clyde_is 'target.t: expected 9.5, got 99' "$(at '"t":99,"pellet":1')"
	clyde_is 'target.pellet: 77 is not left' "$(at '"t":9.5,"pellet":77')"
}

@test "pacmanbot: commands go to a Clyde of his own" {
	{
		cat testdata/flat.jsonl
		echo '{"type":"cmd","t":1,"name":"spawn","value":[1.123456789,1]}'
		echo '{"type":"cmd","t":2.05,"name":"reset_ghosts"}'
		echo '{"type":"cmd","t":3,"name":"start"}'
		echo '{"type":"cmd","t":20.1,"name":"speed","value":0.123456789}'
		echo '{"type":"cmd","t":30.15,"name":"reset_ghosts"}'
	} >"$tmp/s"
	same pacmanbot -s 7 --trace all "$tmp/s"
	[ "$(grep -c '"clyde"' "$tmp/one")" -gt 100 ]
}

# COMPLAINT COMMAND: what is said of such a Clyde, or of another program.
clyde_is() {
	run -1 --separate-stderr timeout 20 pb-sim -a -q --patience 0.5 \
		-m testdata/house.yaml "${option:---ghost}" "$2"
	[ "${#stderr_lines[@]}" = 1 ]
	[[ "$stderr" == "pb-sim: $2: "*"$1" ]]
	run ! grep -q '"result"' <<<"$output"
}

@test "pacmanbot: a Clyde who is killed, hangs or talks nonsense ends the game" {
	clyde_is 'the agent has ended' true
	clyde_is 'the agent has ended' \
		'exec 3<&0; pb-ghost -b clyde <&3 & kill -9 $!'
	clyde_is 'the agent gave no answer for 0.5 s' 'cat >/dev/null; sleep 9'
	clyde_is 'the agent gave no answer for 0.5 s' 'tr -d "\n" </dev/zero'
	clyde_is "invalid token near 'rubbish', column 7" 'echo rubbish; cat'
	clyde_is 'expected a pose of clyde, got 1000 other records' \
		'yes "{\"type\":\"event\",\"name\":\"x\"}"'
	at() { echo "echo '{\"type\":\"pose\",\"id\":\"clyde\",$1}'; cat"; }
	clyde_is 'pose.t: expected 0.15, got 7' "$(at '"t":7,"x":1,"y":1,"theta":0')"
	clyde_is 'pose: (1e+300, 1) is not on the map' \
		"$(at '"x":1e300,"y":1,"theta":0')"
	for o in '-a --ghost true' -i; do
		run -2 pb-sim $o --ghost true -m testdata/house.yaml
	done
	run -2 pb-sim -a --patience 3 -m testdata/house.yaml
}

@test "robots with other rules notice" {
	pb-sim -r roomba -s 3 >"$tmp/game"
	run -1 --separate-stderr pb-ghost -b roomba --name inky -s 3 \
		--power-time 3 <"$tmp/game"
	[[ "$stderr" == *'do all robots have the same rules?'* ||
		"$stderr" == *'expected a message POWER of pacman'* ]]
}

@test "command lines of robots" {
	run -2 pb-ghost -b roomba
	run -2 pb-ghost -b roomba --name sue
	[[ "$output" == *'there is no "sue" among the 4'* ]]
	run -2 pb-ghost -b roomba --name clyde --ghosts 2
	run -2 pb-ghost -b roomba --name clyde -k
	run -2 pb-ghost -b roomba --name clyde --clyde-speed 1
	run -2 pb-ghost -b roomba --name clyde file
	run -2 pb-ghost --name clyde
	run -2 pb-ghost -b clyde --inky-track 0.3
	run -2 pb-ghost -b patrol --name patrol3
	run -2 pb-ghost -b patrol --name patrol1 --rate 3
	run -2 pb-ghost -b patrol --name patrol1 --sense 3
	run -2 pb-ghost -b roomba --name clyde --rate 3
	run -2 pb-sim -r roomba --patience 3
	run -2 pb-sim -r roomba --ghosts 1 --ghost true --ghost true
	run -2 pb-sim -r zumy --patrols 0 --ghost true
	run -2 pb-sim -r roomba --swarm -i
	run -2 pb-sim -r pacbot --swarm --record 9
	run -2 swarm
	run -2 swarm roomba --bogus
	run -2 swarm roomba --ghosts 9
}
