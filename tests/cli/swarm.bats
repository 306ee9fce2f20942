#!/usr/bin/env bats
# swarm.bats - games with a process for each robot.

load swarm

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
	sed "$1s/.*/$2/" "$dir/game" >"$dir/odd"
	run -1 --separate-stderr pb-ghost -b roomba --name inky -s 3 <"$dir/odd"
	[ "${#stderr_lines[@]}" = 1 ]
}

@test "a tool that is called by a path plays with those beside it" {
	here=$PATH
	PATH=/usr/bin:/bin
	mkdir "$dir/it's here"
	ln -s "$PWD/${O:-build}"/pb-* "$dir/it's here"
	"$dir/it's here/pb-sim" -r roomba -p flee -s 5 >"$dir/one"
	"$dir/it's here/pb-sim" -r roomba -p flee -s 5 --swarm | cmp - "$dir/one"
	PATH=$here
	rm "$dir/it's here/pb-ghost"
	"$dir/it's here/pb-sim" -r roomba -p flee -s 5 --swarm | cmp - "$dir/one"
}

@test "roomba: processes play what one plays, record for record" {
	same roomba -s 1
	same roomba -s 2 -p greedy --set lives=2
	same roomba -s 3 -t 5 -p random --set limit=200 --set power-time=7 --set delay=9
	same roomba -s 4 -p flee --set inky-track=0.1 --set clyde-away=no --set sense=5
	same roomba -s 6 -p flee --motion drive --set limit=200
	same roomba -p greedy -qt2 --see 7 --motion drive --rate 2 --set lives=1
	same roomba -s 8 -p flee --set limit=40 --feedback --sensors tof4
	for n in 0 1 2 3; do
		same roomba -s 5 -p flee --set ghosts=$n
	done
	for s in 1 2; do
		pb-mapgen random-roomba -s $s >"$dir/board"
		same roomba -s $s -p greedy -m "$dir/board"
	done
}

@test "roomba: a script drives Pac-Man" {
	printf '{"type":"move","dir":"left"}\n%.0s' 1 2 3 4 >"$dir/s"
	same roomba --set limit=30 "$dir/s"
}

# GAME SIGNAL ROBOT WHY: a signal to one robot in the middle of a game.
hit() {
	rm -f "$dir/script"
	mkfifo "$dir/script"
	exec 7<>"$dir/script"
	[ "$1" = zumy ] && set -- "$@" --set draw=60 || set -- "$@" --set limit=99
	scripts/swarm.sh "$1" --seed 77 --patience 0.4 "${@:5}" "$dir/script" \
		7>&- >"$dir/out" 2>"$dir/err" &
	pid=$!
	kill "-$2" "$(robot $pid "$3")"
	yes '{"type":"move","dir":"left"}' | head -n 40 >&7
	exec 7>&-
	status=0
	wait $pid || status=$?
	[ $status = 1 ]
	diff - "$dir/err" <<<"pb-sim: $3: $4; the game goes on without"
	tail -n 1 "$dir/out" | grep -q '"type":"result"'
	[ "$(grep -c "LOST.*\"$3\"" "$dir/out")" = 1 ]
	sed '1,/LOST/d' "$dir/out" >"$dir/after"
	run ! grep -q "\"id\":\"$3\",\"\(dir\|name\|x\)" "$dir/after"
	gone 77
}

@test "a ghost or patrol that is killed or stopped is left where it stands" {
	silent='the agent gave no answer for 0.4 s'
	for name in blinky clyde; do
		hit roomba KILL $name 'the agent has ended: signal 9'
		hit roomba STOP $name "$silent"
	done
	hit zumy KILL patrol1 'the agent has ended: signal 9'
	hit zumy STOP patrol2 "$silent"
	# It stands, and the others move.
	jq -c 'select(.type == "tick").bodies[] | select(.id == "patrol2") |
		[.row, .col, .mode]' "$dir/after" | sort -u | diff - <(echo '[6,6,"lost"]')
	grep -q '"move".*"id":"patrol1"' "$dir/after"
}

# COMPLAINT COMMAND: what is said of such a Pinky; the others play on.
pinky_is() {
	run -1 --separate-stderr timeout 20 pb-sim -r roomba -p flee -s 3 \
		--set limit=30 --patience 0.4 --ghost "pb-ghost -b roomba \
		--name blinky -s 3 --set limit=30" --ghost "$2"
	[ "${#stderr_lines[@]}" = 1 ]
	[ "$stderr" = "pb-sim: pinky: $1; the game goes on without" ]
	[ "$(grep -c '"LOST"' <<<"$output")" = 1 ]
	grep -q '"mode":"lost"' <<<"$output"
	[[ "${lines[-1]}" == *'"type":"result"'* ]]
	grep '"move"' <<<"$output" | tail -n 9 | grep -q '"id":"clyde"'
}

@test "a ghost that talks nonsense, too much, too late or goes is left, too" {
	own='pb-ghost -b roomba --name pinky -s 3 --set limit=30'
	pinky_is 'the agent has ended: status 0' true
	pinky_is 'the agent has ended: status 0' "exec head -n 1 >/dev/null"
	pinky_is 'the agent gave no answer for 0.4 s' 'exec sleep 9'
	pinky_is 'the agent gave no answer for 0.4 s' 'cat >/dev/null'
	pinky_is 'the agent gave no answer for 0.4 s' "sleep 0.9; $own"
	pinky_is "not JSON: expected a value, got 'x', column 1" 'yes x'
	pinky_is 'it wrote 1000 other records instead' "yes '{\"type\":\"weather\"}'"
	pinky_is "the agent's answer is over 4096 bytes" \
		"tr -d '\\n' </dev/zero"
	pinky_is 'move: there is no robot "sue"' \
		"echo '{\"type\":\"move\",\"id\":\"sue\",\"dir\":\"up\"}'; cat"
	pinky_is 'move.t: expected 0, got none' \
		"echo '{\"type\":\"move\",\"id\":\"pinky\",\"dir\":\"up\"}'; cat"
	pinky_is 'move.t: expected 0, got 7' \
		"echo '{\"type\":\"move\",\"t\":7,\"id\":\"pinky\",\"dir\":\"up\"}'; cat"
	pinky_is 'move.dir: down: pinky may not drive there' \
		"echo '{\"type\":\"move\",\"t\":0,\"id\":\"pinky\",\"dir\":\"down\"}'; cat"
	pinky_is 'expected a move of pinky, got a move of pacman' cat
	# Slow is not too late.
	pb-sim -r roomba -p flee -s 3 --set 'limit=20 ghosts=2' >"$dir/one"
	pb-sim -r roomba -p flee -s 3 --set 'limit=20 ghosts=2' --patience 5 \
		--ghost 'pb-ghost -b roomba --name blinky -s 3 --set limit=20 --set ghosts=2 |
		while read -r l; do sleep 0.01; echo "$l"; done' |
		head -n -1 | cmp - <(head -n -1 "$dir/one")
}

@test "who is killed with Pac-Man in it ends the game with one line" {
	mkfifo "$dir/script"
	exec 7<>"$dir/script"
	scripts/swarm.sh roomba --seed 76 "$dir/script" 7>&- >"$dir/out" 2>"$dir/err" &
	pid=$!
	robot $pid clyde
	kill -9 $pid
	status=0
	wait $pid || status=$?
	exec 7>&-
	[ $status = 137 ]
	wait_until [ -s "$dir/err" ]
	[ "$(wc -l <"$dir/err")" = 1 ]
	grep -q 'the stream has ended; expected a move of pacman' "$dir/err"
	gone 76
}

@test "zumy: processes play what one plays, record for record" {
	same zumy -s 1
	same zumy -s 2 -p astar -t 4
	same zumy -s 3 -p astar --feedback
	same zumy -s 3 -p direct --set share=yes --set patrols=4
	same zumy -s 4 -p astar --motion drive --rate 2
	for n in 0 1 3; do
		same zumy -s 5 -p astar --set patrols=$n --set draw=1000
	done
	for s in 1 2; do
		pb-mapgen random-zumy -s $s >"$dir/board"
		same zumy -s $s -p astar -m "$dir/board" --set compat=published
	done
}

@test "zumy: a patrol says what is its own; who may not drive there is refused" {
	pb-sim -r zumy -p astar -s 1 >"$dir/game"
	for name in patrol1 patrol2; do
		pb-ghost -b patrol --name $name <"$dir/game" |
			cmp - <(grep "\"id\":\"$name\"" "$dir/game" |
				grep '"move"\|"message"')
	done
	sed '/"move".*"id":"player"/s/"dir":"[a-z]*"/"dir":"down"/' "$dir/game" >"$dir/odd"
	run -1 --separate-stderr pb-ghost -b patrol --name patrol2 <"$dir/odd"
	[[ "$stderr" == *'move.dir: down: player may not drive there' ]]
	sed '/"move".*"patrol1"/s/patrol1/patrol7/' "$dir/game" >"$dir/odd"
	run -1 --separate-stderr pb-ghost -b patrol --name patrol2 <"$dir/odd"
	[[ "$stderr" == *'move: there is no robot "patrol7"' ]]
}

@test "a signal ends the swarm and leaves nothing" {
	for s in INT TERM HUP; do
		rm -f "$dir/out"
		# A shell's children ignore INT, those of nohup HUP.
		env --default-signal scripts/swarm.sh roomba --seed 78 \
			-p random --set delay=9999 --set limit=900000 \
			>"$dir/out" 2>"$dir/err" &
		pid=$!
		wait_until [ -s "$dir/out" ]
		kill -$s $pid
		status=0
		wait $pid || status=$?
		echo "$s: status $status"
		[ "$status" -ge 128 ]
		[ ! -s "$dir/err" ]
		gone 78
	done
}

@test "a reader who leaves, a full disk" {
	swarm roomba --seed 79 | head -n 2 >"$dir/out"
	[ "$(wc -l <"$dir/out")" = 2 ]
	[ -e /dev/full ] || skip "there is no /dev/full"
	status=0
	swarm roomba --seed 79 >/dev/full 2>"$dir/err" || status=$?
	[ $status = 3 ]
	[ "$(wc -l <"$dir/err")" = 1 ]
	gone 79
}

@test "roomba: a ghost says what is its own, from what it hears" {
	pb-sim -r roomba -s 3 -p flee >"$dir/game"
	for name in blinky pinky inky clyde; do
		pb-ghost -b roomba --name $name -s 3 <"$dir/game" |
			cmp - <(grep "\"id\":\"$name\"" "$dir/game" |
				grep '"move"\|"message"')
	done
}

@test "roomba: what is not the game's is refused with a line" {
	pb-sim -r roomba -s 3 --set rollouts=4 >"$dir/game"
	inky_hears 9 '{"type":"move","t":0,"id":"sue","dir":"up"}'
	[ "$stderr" = 'pb-ghost: <stdin>:9: move: there is no robot "sue"' ]
	inky_hears 7 '{"type":"move","t":0,"id":"clyde","dir":"up"}'
	[[ "$stderr" == *':7: expected a move of pinky, got a move of clyde' ]]
	inky_hears 6 '{"type":"message","t":0,"id":"pacman","name":"LOST","value":"inky"}'
	[[ "$stderr" == *':6: the other robots go on without this one' ]]
	inky_hears 6 '{"type":"message","t":0,"id":"pacman","name":"LOST","value":"clyde"}'
	[[ "$stderr" == *':6: expected a move of blinky, got the loss of clyde' ]]
	inky_hears 7 '{"type":"move","t":0,"id":"pinky","dir":"down"}'
	[[ "$stderr" == *':7: move.dir: down: pinky may not drive there' ]]
	inky_hears 6 '{"type":"move","t":7,"id":"blinky","dir":"up"}'
	[[ "$stderr" == *':6: move.t: expected 0, got 7' ]]
	inky_hears 6 'rubbish'
	inky_hears 1 '{"type":"maze","rows":["P.#."]}'
	[[ "$stderr" == *':1: '* ]]
	inky_hears 6 '{"type":"weather","sun":true}'
	[[ "$stderr" == *':7: expected a move of blinky, got a move of pinky' ]]
	head -n 40 "$dir/game" >"$dir/half"
	run -1 --separate-stderr pb-ghost -b roomba --name inky -s 3 <"$dir/half"
	[[ "$stderr" == *'the stream has ended; expected'* ]]
}

@test "pacbot: a ghost of its own plays the same match" {
	pb-sim -r pacbot -p greedy -s 5 --set ghosts=2 \
		--ghost 'pb-ghost -b arcade --name blinky' | head -n -1 |
		cmp - <(pb-sim -r pacbot -p greedy -s 5 --set ghosts=2 | head -n -1)
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
	red_says rubbish "expected a value, got 'rubbish', column 1"
	red_says '{"type":"move","id":"pink","dir":"up"}' \
		'expected a move of red, got a move of pink'
	red_says '{"type":"move","id":"red","dir":"stop"}' \
		'move.dir: stop: red cannot turn there'
	run -1 --separate-stderr timeout 20 pb-sim -r pacbot --ghost \
		'pb-ghost -b arcade --name red & p=$!; sleep 0.1; kill -9 $p'
	[[ "$stderr" == *'the agent has ended: status '[01] ]]
	run -1 --separate-stderr timeout 20 pb-sim -r pacbot --patience 0.3 \
		--ghost 'pb-ghost -b arcade --name red | { head -n 1; sleep 9; }'
	[[ "$stderr" == *'the agent gave no answer for 0.3 s' ]]
	run -2 pb-sim -r pacbot --set ghosts=0 --ghost true
	run -2 pb-ghost -b arcade --name sue
	run -2 pb-ghost -b arcade --name red --set sense=3
	run -2 pb-ghost -b arcade --name red -s 3
	run -1 pb-ghost -b arcade --name red <<<'{"type":"tick","tick":1}'
	[[ "$output" == *'<stdin>:1: tick'* ]]
}

@test "robots with other rules notice" {
	pb-sim -r roomba -s 3 --set rollouts=4 >"$dir/game"
	run -1 --separate-stderr pb-ghost -b roomba --name inky -s 3 \
		--set power-time=3 <"$dir/game"
	[[ "$stderr" == *'do all robots have the same rules?' ||
		"$stderr" == *'may not drive there' ||
		"$stderr" == *'move.t: expected '* ]]
}

@test "command lines of robots" {
	run -2 pb-ghost -b roomba
	run -2 pb-ghost -b roomba --name sue
	[[ "$output" == *'there is no "sue" among the 4'* ]]
	run -2 pb-ghost -b roomba --name clyde --set ghosts=2
	run -2 pb-ghost -b roomba --name clyde -k
	run -2 pb-ghost -b roomba --name clyde --set clyde-speed=1
	run -2 pb-ghost -b roomba --name clyde file
	run -2 pb-ghost --name clyde
	run -2 pb-ghost -b clyde --set inky-track=0.3
	run -2 pb-ghost -b patrol --name patrol3
	run -2 pb-ghost -b patrol --name patrol1 --rate 3
	run -2 pb-ghost -b patrol --name patrol1 --set sense=3
	run -2 pb-ghost -b roomba --name clyde --rate 3
	run -2 pb-sim -r roomba --patience 3
	run -2 pb-sim -r roomba --set ghosts=1 --ghost true --ghost true
	run -2 pb-sim -r zumy --set patrols=0 --ghost true
	run -2 pb-sim -r pacbot --swarm --replay
	run -2 swarm
	run -2 swarm roomba --bogus
	run -2 swarm roomba --set ghosts=9
}

@test "a ghost that was given is named in the result, and the others agree" {
	for g in 'roomba --set limit=30|-b roomba --set limit=30 --name blinky' \
		'zumy|-b patrol --name patrol1'; do
		game=${g%|*}
		# shellcheck disable=SC2086 # words
		pb-sim -r $game -s 3 >"$dir/one"
		# shellcheck disable=SC2086 # words
		run -0 --separate-stderr pb-sim -r $game -s 3 --swarm \
			--ghost "theirs=pb-ghost ${g#*|} -s 3"
		[ -z "$stderr" ]
		cmp <(head -n -1 "$dir/one") <(head -n -1 <<<"$output")
		tail -n 1 <<<"$output" | jq -e '.ghosts == "theirs"'
		cmp <(tail -n 1 "$dir/one" | jq 'del(.options)') \
			<(tail -n 1 <<<"$output" | jq 'del(.options, .ghosts)')
	done
}
