#!/usr/bin/env bats
# serve.bats - the Pacbot server and its clients, over pipes and a WebSocket.

load pacbot

setup() { here; }

# duel SERVER-OPTION ... -- CLIENT-OPTION ...: let them play; frames are left
# in $dir/frames, what the server says in $dir/said, the client's process id
# in $dir/client.
duel() {
	local server=()
	while [ "$1" != -- ]; do
		server+=("$1")
		shift
	done
	shift
	rm -f "$dir/to" "$dir/from"
	mkfifo "$dir/to" "$dir/from"
	pb-sim --serve "${server[@]}" <"$dir/to" 2>"$dir/said" |
		tee "$dir/frames" >"$dir/from" 3>&- &
	# It may answer when the server has gone.
	# shellcheck disable=SC2016 # for the inner shell
	timeout 60 sh -c 'echo $$ >"$0"; exec pb-sim --client "$@"' \
		"$dir/client" "$@" <"$dir/from" >"$dir/to" ||
		[ $? -eq 141 ]
	wait $!
}

@test "in lock-step server and client play the match, tick for tick" {
	for p in "greedy -s 4" "random -s 5" "power -s 6" "flee -s 7"; do
		# shellcheck disable=SC2086 # words
		duel --referee --lockstep -s "${p#* -s }" -- --lockstep -p $p
		# shellcheck disable=SC2086 # words
		pb-sim -r pacbot -p $p --wire | ticks >"$dir/match"
		ticks <"$dir/frames" | cmp - "$dir/match"
	done
}

@test "constants of the robot and of the game go with it" {
	robot="--ticks-per-cell 6 --turn-ticks 2"
	game="--ghosts 2 --lives 1 -s 3"
	# shellcheck disable=SC2086 # words
	duel --referee --lockstep $game -- --lockstep -p greedy $robot -s 3
	# shellcheck disable=SC2086 # words
	pb-sim -r pacbot -p greedy $robot $game --wire | ticks >"$dir/match"
	ticks <"$dir/frames" | cmp - "$dir/match"
}

@test "the client can press play" {
	duel --lockstep -- --lockstep --referee -p greedy 2>/dev/null &
	for ((i = 0; i < 200; i++)); do
		sleep 0.1
		[ "$(stat -c %s "$dir/frames" 2>/dev/null || echo 0)" -lt 80000 ] ||
			break
	done
	kill "$(cat "$dir/client")" || true
	wait $! || true
	head -c 79500 "$dir/frames" | pb-sim --from-wire |
		jq -es 'map(select(.type == "tick")) | .[0].paused and
			(.[1].paused | not) and .[-1].score > 100'
	[ "$(cat "$dir/said")" != "" ]
}

@test "in real time the game is played to its end, too" {
	duel --referee --speed 64 -s 4 -- --speed 64 -p greedy -s 4
	[[ "$(cat "$dir/said")" =~ ^pb-sim:\ (caught|cleared):\ [0-9]+\ points ]]
	[ "$(($(stat -c %s "$dir/frames") % 159))" -eq 0 ]
	ticks <"$dir/frames" | jq -es '.[-1].score > 300 and (
		[range(1; length) as $i | .[$i].tick - .[$i - 1].tick] |
		all(. == 0 or . == 1))'
}

@test "a client leaves the result of the match, but what frames do not tell" {
	pb-sim -r pacbot -p greedy -s 4 | grep '"result"' |
		jq -S 'del(.options, .eaten)' >"$dir/want"
	duel --referee --lockstep -s 4 -- --lockstep -p greedy -s 4 \
		--result "$dir/result" 2>"$dir/heard"
	jq -e '.ghosts == "server"' "$dir/result"
	jq -S 'del(.options, .ghosts)' "$dir/result" | cmp - "$dir/want"
	grep -qx "pb-sim: cleared: 3800 points, 2 lives, tick 2684" "$dir/heard"
	# What it plays there is not counted with what is played here.
	[ "$(jq .options "$dir/result")" != "$(pb-sim -r pacbot -p greedy -s 4 |
		jq 'select(.type == "result").options')" ]
	pb-bench -f - <"$dir/result" | jq -es '.[-1] | .k == 1 and .n == 1'
}

@test "a client that is left, stopped, or out of time says so in its result" {
	times() { head -c "$1" /dev/zero | tr '\0' .; }
	{ printf Pddd && times 9; } | pb-sim -q --serve --lockstep >"$dir/frames"
	has() { # OUTCOME: in a whole record
		jq -e ".outcome == \"$1\" and (.success | not) and .score == 20 and
			.pellets == 2 and .deaths == 0 and .levels == 0 and
			(has(\"eaten\") | not)" "$dir/result"
	}
	client() { pb-sim -q --client --result "$dir/result" "$@" >/dev/null; }
	client --lockstep <"$dir/frames"
	has disconnected
	mkfifo "$dir/open" "$dir/never"
	client --end-after 0.5 <"$dir/open" 3>&- &
	exec 9>"$dir/open"
	cat "$dir/frames" >&9
	wait $!
	exec 9>&-
	has timeout
	pb-sim -q --client --result "$dir/result" <"$dir/never" >/dev/null 3>&- &
	exec 9>"$dir/never"
	cat "$dir/frames" >&9
	sleep 0.5
	kill -TERM $!
	st=0
	wait $! || st=$?
	exec 9>&-
	[ "$st" -eq 143 ]
	has interrupted
	# Joined when a life was lost: how many there were is not known.
	tail -c 159 "$dir/frames" | od -An -v -tx1 | tr -d ' \n' |
		sed 's/^\(.\{22\}\)03/\102/' | xxd -r -p >"$dir/late"
	client --lockstep "$dir/late"
	jq -e '.outcome == "disconnected" and (has("deaths") | not)' "$dir/result"
	rm "$dir/result"
	printf '%0159d' 0 >"$dir/zeros"
	run -1 pb-sim -q --client --result "$dir/result" "$dir/zeros"
	[ ! -s "$dir/result" ]
	run -3 --separate-stderr pb-sim --client --result no/such "$dir/late"
	[ "$stderr" = "pb-sim: no/such: cannot write: No such file or directory" ]
	run -3 --separate-stderr pb-sim -q --client --result /dev/full "$dir/late"
	[ "$stderr" = "pb-sim: /dev/full: cannot write: No space left on device" ]
}

# How far Pac-Man got within one frame, at most (cells).
leap() {
	ticks <"$dir/frames" | jq -es '[range(1; length) as $i |
		[.[$i - 1, $i].bodies[0]] | select(all(.row < 32)) |
		(.[0].row - .[1].row | fabs) + (.[0].col - .[1].col | fabs)] |
		max'
}

@test "a client that was stopped goes on with the newest frame, without a burst" {
	duel --referee -s 4 -- -p greedy -s 4 2>"$dir/heard" &
	for ((i = 0; i < 200; i++)); do
		sleep 0.1
		[ "$(stat -c %s "$dir/frames" 2>/dev/null || echo 0)" -lt 8000 ] ||
			break
	done
	kill -STOP "$(cat "$dir/client")"
	sleep 3
	kill -CONT "$(cat "$dir/client")"
	sleep 3
	kill "$(cat "$dir/client")" || true
	wait $! || true
	# A server that was held up itself may find two moves; they were 9.
	[ "$(leap)" -le 2 ]
	grep -Ex 'pb-sim: frame [0-9]+: [0-9]{2,} frames \([2-9]\.?[0-9]* s\) behind, going on with the newest' \
		"$dir/heard"
	grep -Ex 'pb-sim: [0-9]+ frames, [0-9]+ passed over for newer ones, at most [0-9]+ \([2-9]\.?[0-9]* s\) at once' \
		"$dir/heard"
}

# give FILE SECONDS: its frames, one after so many.
give() {
	local n
	n=$(($(stat -c %s "$1") / 159))
	for ((i = 0; i < n; i++)); do
		head -c 159
		sleep "$2"
	done <"$1"
}

@test "a server that stays paused, or that ignores moves, is told of" {
	times() { head -c "$1" /dev/zero | tr '\0' .; }
	times 64 | pb-sim -q --serve --lockstep >"$dir/paused"
	{ printf P && times 120; } | pb-sim -q --serve --lockstep >"$dir/running"
	# All at once: it is time that they need.
	give "$dir/paused" 0.1 |
		pb-sim --client >"$dir/sent" 2>"$dir/heard" 3>&- &
	pids=$!
	give "$dir/paused" 0.1 | pb-sim --client --referee >"$dir/pressed" \
		2>"$dir/pressed.heard" 3>&- &
	pids+=" $!"
	give "$dir/running" 0.04 |
		pb-sim --client -p greedy 2>"$dir/moves.heard" >"$dir/moves"
	for pid in $pids; do wait "$pid"; done
	[ ! -s "$dir/sent" ]
	grep -qx "pb-sim: the server stays paused: somebody has to press play, or --referee does" \
		"$dir/heard"
	[ -s "$dir/pressed" ]
	[ -z "$(tr -d P <"$dir/pressed")" ]
	grep -q "^pb-sim: the server stays paused although play is pressed: .*an address that it does not trust$" \
		"$dir/pressed.heard"
	grep -q "^pb-sim: 8 moves were sent and Pac-Man stays where he is: .* trust$" \
		"$dir/moves.heard"
}

@test "frames that come in a bunch are no reason to hurry" {
	pb-sim -r pacbot -p greedy -s 4 --wire | head -c 15900 >"$dir/hundred"
	{ head -c 7950 "$dir/hundred" && sleep 0.15 && tail -c 7950 "$dir/hundred" && sleep 0.15; } |
		pb-sim -q --client -p greedy >"$dir/sent"
	[ "$(stat -c %s "$dir/sent")" -eq 1 ]
	# Of a file every frame is answered.
	pb-sim -q --client -p greedy "$dir/hundred" >"$dir/sent"
	[ "$(stat -c %s "$dir/sent")" -gt 5 ]
	pb-sim -q --client -p greedy <"$dir/hundred" | cmp - "$dir/sent"
}

@test "the server waits for play, and ends with its input" {
	sleep 0.5 | pb-sim --serve 2>"$dir/said" >"$dir/frames"
	[ "$(cat "$dir/said")" = \
		"pb-sim: no more commands: 0 points, 3 lives, tick 0" ]
	[ "$(head -c 35 "$dir/frames" | od -An -v -tx1 | tr -d ' \n')" = \
		00000c003b3c03bf00000103000bcd80004d0d8004ce0b800fce0f801f174d2020001e ]
	ticks <"$dir/frames" | jq -es 'length > 1 and all(.tick == 0)'
}

@test "commands of the server, one a byte, a place three" {
	state() {
		pb-sim -q --serve --lockstep | ticks | tail -n 1 |
			jq -c '[.tick, .score, .bodies[0].row, .bodies[0].col]'
	}
	[ "$(printf P | state)" = "[1,0,23,13]" ]
	[ "$(printf Pd. | state)" = "[3,0,23,14]" ]
	[ "$(printf 'Px\027\012.' | state)" = "[3,30,23,10]" ]
	[ "$(printf 'P?\0.dpddd' | state)" = "[5,0,23,14]" ]
	[ "$(printf 'PddrPa.' | state)" = "[3,10,23,12]" ]
	# The beginning of a place is not a command.
	[ "$(printf 'Px\027' | state)" = "$(printf P | state)" ]
}

@test "frames tell where ghosts will turn: other players go by them" {
	pb-sim -r pacbot -p greedy -s 4 --wire | pb-sim --from-wire >"$dir/seen"
	pb-sim -r pacbot -p greedy -s 4 >"$dir/match"
	plans() {
		jq -c 'select(.type == "tick") | .tick as $t | .bodies[1:][] |
			select(.fright < 2) | [$t, .id, .next_row, .next_col,
			.next_dir]' "$1" | sort -u
	}
	# A trace has the states that differ, frames have all.
	[ -z "$(comm -13 <(plans "$dir/seen") <(plans "$dir/match"))" ]
	jq -c 'select(.type == "maze" or (.type == "tick" and .tick % 8 == 0 and
		.bodies[0].row < 32))' "$dir/seen" >"$dir/asked"
	pb-sim -r pacbot -p search --nodes 200 --answer "$dir/asked" >"$dir/moves"
	[ "$(grep -c '"move"' "$dir/moves")" = "$(grep -c '"tick"' "$dir/asked")" ]
}

refused() { # MESSAGE OPTION ...
	local said=$1
	shift
	run -2 --separate-stderr pb-sim "$@" </dev/null
	[ -z "$output" ]
	[ "$stderr" = "pb-sim: $said" ]
}

@test "options that do not go with them" {
	refused "--serve: reads no files" --serve /dev/null
	refused "--speed: in lock-step there is none" --serve --lockstep --speed 2
	refused "--speed: in lock-step there is none" --client --lockstep --speed 2
	refused "--speed: goes with --play, --joystick, --serve and --client" -r pacbot --speed 2
	refused "--policy: goes with --answer, --client, or a match that no other plays" \
		--serve -p greedy
	refused "--levels: goes with a match, --answer, --serve --referee or --client" \
		--serve --levels 2
	refused "--referee: goes with --serve or --client" -r pacbot --referee
	refused "--lockstep: goes with --serve or --client" -r pacbot --lockstep
	refused "expected one of --replay, --wire, --from-wire, --answer, --serve, --client" \
		--serve --client
	run -2 --separate-stderr pb-sim -r zumy --serve
	[ "$stderr" = "pb-sim: --serve: an option of the rules pacbot, not zumy" ]
}

@test "what no server sends, full disks, readers who leave, signals" {
	printf '%0159d' 0 >"$dir/zeros"
	run -1 --separate-stderr pb-sim --client "$dir/zeros"
	[ "$stderr" = \
		"pb-sim: $dir/zeros:1: frame byte 3: no server sends 0x30" ]
	run -1 --separate-stderr pb-sim --client </dev/null
	[ "$stderr" = "pb-sim: <stdin>: expected frames, got none" ]
	run -3 --separate-stderr sh -c 'sleep 1 | pb-sim --serve >/dev/full'
	[ "${stderr_lines[0]}" = \
		"pb-sim: <stdout>: cannot write: No space left on device" ]
	sleep 1 | pb-sim --serve 2>"$dir/said" | head -c 300 >/dev/null
	[ ! -s "$dir/said" ]
	mkfifo "$dir/never"
	for mode in "--serve --lockstep" --serve --client; do
		# shellcheck disable=SC2086 # words
		pb-sim -q $mode <"$dir/never" >/dev/null 3>&- &
		exec 9>"$dir/never"
		sleep 0.3
		kill $!
		st=0
		wait $! || st=$?
		[ "$st" -eq 143 ]
		exec 9>&-
	done
}

@test "a bot behind a WebSocket plays on the server" {
	command -v websocketd >/dev/null || skip "no websocketd"
	/usr/bin/python3 -c 'import websockets' 2>/dev/null ||
		skip "no Python with websockets"
	port=$((20000 + $$ % 20000))
	websocketd --binary --port=$port --loglevel=error \
		pb-sim --serve --referee --speed 32 -s 3 2>"$dir/said" >&2 3>&- &
	for ((i = 0; i < 100; i++)); do
		! (: >"/dev/tcp/localhost/$port") 2>/dev/null || break
		sleep 0.1
	done
	timeout 60 /usr/bin/python3 man/examples/pacbot_ws.py \
		ws://localhost:$port pb-sim --client --speed 32 -p greedy
	kill $!
	wait $! || true
	grep -E "pb-sim: (caught|cleared): [0-9]{3,} points" "$dir/said"
}
