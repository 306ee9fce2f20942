#!/usr/bin/env bats
# serve.bats - the Pacbot server on WebSocket and TCP ports, and its clients.

load pacbot

setup() { here; }

teardown() { [ -z "${server-}" ] || kill "$server" 2>/dev/null || true; }

# serve OPTION ...: both kinds of port; the frames that come out of the latter
# in $dir/frames, what is said in $dir/said, the numbers in $ws and $tcp, the
# process id in $server. The first is at $again, if set.
serve() {
	: >"$dir/said"
	pb-sim --serve --listen "${again-0}" --listen tcp://127.0.0.1:0 "$@" \
		2>"$dir/said" 3>&- &
	server=$!
	wait_until grep -q 'listening on tcp' "$dir/said"
	ws=$(sed -n 's|^pb-sim: listening on ws://127.0.0.1:||p' "$dir/said")
	tcp=$(sed -n 's|^pb-sim: listening on tcp://127.0.0.1:||p' "$dir/said")
	exec 8<>"/dev/tcp/127.0.0.1/$tcp"
	cat <&8 >"$dir/frames" 3>&- &
	exec 8>&-
}

stop() {
	kill "$server"
	wait "$server" || true
	server=
}

# client PORT OPTION ...: play at ws or tcp; the result in $dir/result, what is
# said in $dir/heard.
client() {
	timeout 120 pb-sim --client "$1://127.0.0.1:${!1}" "${@:2}" \
		--result "$dir/result" 2>"$dir/heard"
}

# feed FILE: be a server on the port in $tcp that sends the file to the first
# client and hangs up.
feed() {
	command -v python3 >/dev/null || skip "no python3"
	rm -f "$dir/port"
	python3 - "$1" "$dir/port" 3>&- <<-'END' &
		import os, socket, sys
		s = socket.create_server(("127.0.0.1", 0))
		with open(sys.argv[2] + ".new", "w") as f:
		    f.write(str(s.getsockname()[1]))
		os.rename(sys.argv[2] + ".new", sys.argv[2])
		c, _ = s.accept()
		s.close()
		c.sendall(open(sys.argv[1], "rb").read())
		c.shutdown(socket.SHUT_WR)
		while c.recv(999):
		    pass
	END
	wait_until test -s "$dir/port"
	tcp=$(cat "$dir/port")
}

# The frames of the power recording.
recorded() {
	zcat testdata/pacbot/power.jsonl.gz | jq -r '.ser // empty' | xxd -r -p
}

# upgrade FD [HEADER]: shake hands for a WebSocket.
upgrade() {
	local line
	printf '%s\r\n' 'GET / HTTP/1.1' 'Host: 127.0.0.1' 'Upgrade: websocket' \
		'Connection: Upgrade' 'Sec-WebSocket-Version: 13' \
		'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==' ${2+"$2"} '' \
		>&"$1"
	IFS= read -r line <&"$1"
	[[ "$line" = "HTTP/1.1 101 "* ]]
	while IFS= read -r line <&"$1" && [ "$line" != $'\r' ]; do :; done
}

# message FD BYTE: a masked binary message; the mask is zeros.
message() { printf '\202\201\0\0\0\0%s' "$2" >&"$1"; }

# probe: run the script of standard input on the ports, with some means
# to connect: ask() for a WebSocket, say() something masked, and wait for what()
# it shows, which is within so many frames or not at all.
probe() {
	command -v python3 >/dev/null || skip "no python3"
	cat >"$dir/script.py" <<-'END'
		import socket, sys, time
		sys.path.insert(0, "tests/cli")
		from websocket import frame, head, take, tell
		ws, tcp = int(sys.argv[1]), int(sys.argv[2])
		KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
		UPGRADE = ("Upgrade: websocket", "Connection: Upgrade", KEY,
		           "Sec-WebSocket-Version: 13")

		def connect(port, source="127.0.0.1", buffer=0):
		    s = socket.socket()
		    if buffer:
		        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
		    s.settimeout(60)
		    s.bind((source, 0))
		    s.connect(("127.0.0.1", port))
		    return s

		def ask(*headers, line="GET / HTTP/1.1", host="127.0.0.1", **how):
		    s = connect(ws, **how)
		    s.sendall("\r\n".join(
		        (line, "Host: " + host, *headers, "", "")).encode())
		    return s, head(s)

		def join(*headers, **how):
		    s, answer = ask(*UPGRADE, *headers, **how)
		    assert " 101 " in answer, answer
		    return s

		def say(s, what, op=2):
		    s.sendall(bytes([128 | op, 128 | len(what)]) + bytes(4) + what)

		def comes(s, what, frames=24):
		    return any(what(frame(s)[1]) for i in range(frames))

		def plays(b):
		    return b[3] > 0

		def ends(s, t):
		    """The time at which the other side closes, t at most."""
		    begin = time.monotonic()
		    while (left := begin + t - time.monotonic()) > 0:
		        s.settimeout(left)
		        try:
		            if not s.recv(99999):
		                break
		        except ConnectionResetError:
		            break
		        except TimeoutError:
		            pass
		    return time.monotonic()
	END
	cat >>"$dir/script.py"
	timeout 120 python3 "$dir/script.py" "$ws" "$tcp"
}

# The last whole frame that came.
last_frame() {
	head -c $(($(stat -c %s "$dir/frames") / 159 * 159)) "$dir/frames" |
		tail -c 159 | frames
}
shown() { # CONDITION: of that frame
	last_frame | jq -e "$1" >/dev/null
}
# How many files and connections the server has open.
open_of_server() { find "/proc/$server/fd" -mindepth 1 | wc -l; }
many() { [ "$(open_of_server)" -gt 25 ]; }
# Wait for 20 frames that are yet to come.
newer() { wait_until more_than $(($(stat -c %s "$dir/frames") + 20 * 159)); }
more_than() { [ "$(stat -c %s "$dir/frames")" -gt "$1" ]; }

@test "server and client play a match in real time" {
	for port in ws tcp; do
		serve --referee --speed 64 -s 4
		client $port --speed 64 -p greedy -s 4
		wait "$server"
		server=
		jq -e '.type == "result" and (.outcome | IN("caught", "cleared")) and
			.score > 300 and .decisions > 50 and .policy == "greedy" and
			(.ghosts | startswith("127.0.0.1:")) and
			(has("eaten") | not)' "$dir/result"
		pb-bench -f - <"$dir/result" | jq -es '.[-1].n == 1'
		# Both ends say how it ended, as the last frame shows it.
		end=$(jq -r '"\(.outcome): \(.score) points"' "$dir/result")
		grep -q "^pb-sim: $end, [0-3] li" "$dir/said"
		grep -q "^pb-sim: $end, [0-3] li" "$dir/heard"
		[ "$(last_frame | jq .score)" = "$(jq .score "$dir/result")" ]
		grep -Eq '^pb-sim: [0-9]+ frames, [0-9]+ skipped for newer ones' \
			"$dir/heard"
		frames "$dir/frames" | jq -es '[range(1; length) as $i |
			.[$i].tick - .[$i - 1].tick] | min >= 0 and max < 30'
	done
}

@test "a program plays on servers, ours and others, as in pb-bench" {
	bot='mine=python3 man/examples/bot.py'
	pb-bench -q -r pacbot -s 4 -n 1 --agent "$bot" |
		jq -c 'select(.type == "result") | del(.eaten)' >"$dir/bench"
	pb-sim --serve --listen 0 --referee --speed 64 -s 4 --agent "$bot" \
		>"$dir/result" 2>"$dir/said"
	cmp "$dir/result" "$dir/bench"
	serve --referee --speed 8 -s 4 --set lives=1
	client ws --speed 8 -s 4 --agent "$bot"
	jq -e '.policy == "mine" and .score > 300 and .decisions > 50 and
		(.outcome | IN("caught", "cleared")) and
		(.program | startswith("python3")) and
		(.ghosts | startswith("127.0.0.1:"))' "$dir/result"
	wait "$server"
	server=
	serve --referee
	run -1 client ws --agent 'x=exit 3'
	grep -qx 'pb-sim: x=exit 3:1: the agent has ended: status 3' "$dir/heard"
	jq -e '.outcome == "forfeit" and .policy == "x"' "$dir/result"
	stop
	# One that is slower than the ticks holds up the game, not the network; a
	# signal while it decides is not its fault.
	serve --referee --set ticks-per-cell=1 --agent 'slow=while read -r l; do
		case $l in *\"tick\"*) sleep 0.1; echo "{\"type\":\"move\",\"dir\":\"left\"}";;
		esac; done' >"$dir/result"
	timeout 60 head -c 1590 <"/dev/tcp/127.0.0.1/$tcp" >"$dir/tcp"
	[ "$(frames "$dir/tcp" | wc -l)" = 10 ]
	stop
	jq -e '.outcome == "interrupted"' "$dir/result"
	run -1 --separate-stderr pb-sim --serve --listen 0 --referee \
		--agent 'x=exit 3'
	[[ $stderr == *'x=exit 3:1: the agent has ended: status 3' ]]
	jq -e '.outcome == "forfeit" and .decisions == 1' <<<"$output"
}

@test "over a slow link frames come late, and the client says by how much" {
	serve --referee -s 4
	python3 - "$ws" >"$dir/port" 2>/dev/null 3>&- <<-'END' &
		import asyncio, sys
		async def pump(r, w, rate):
		    while b := await r.read(256):
		        w.write(b)
		        await w.drain()
		        if rate: await asyncio.sleep(len(b) / rate)
		async def pair(r, w):
		    a, b = await asyncio.open_connection("127.0.0.1", sys.argv[1])
		    await asyncio.gather(pump(r, b, 0), pump(a, w, 2000))
		async def main():
		    s = await asyncio.start_server(pair, "127.0.0.1", 0)
		    print(s.sockets[0].getsockname()[1], flush=True)
		    await s.serve_forever()
		asyncio.run(main())
	END
	link=$!
	wait_until test -s "$dir/port"
	ws=$(cat "$dir/port")
	client ws -p greedy --end-after 9
	kill "$link"
	stop
	grep -Eqx 'pb-sim: frame [0-9]+: [1-9](\.[0-9])? s late: the link or the server is slow, or --speed is not the server.s' \
		"$dir/heard"
	run ! grep trust "$dir/heard"
	grep -Eq '; [0-9]+ ticks had none, at most [1-9][.0-9]* s late$' "$dir/heard"
}

@test "a client ends with its time, by a signal, or when the server has gone" {
	has() { # OUTCOME
		jq -e ".outcome == \"$1\" and (.success | not) and
			.score > 0 and .deaths >= 0 and .levels == 0" "$dir/result"
	}
	serve --speed 8
	client tcp --referee --speed 8 -p greedy --end-after 2
	has timeout
	grep -q "^pb-sim: timeout: [0-9]* points, [0-3] lives, tick " "$dir/heard"
	shown '.score > 0'
	stop
	serve --speed 8
	pb-sim -q --client --referee --speed 8 -p greedy \
		--connect "ws://127.0.0.1:$ws" --result "$dir/result" 3>&- &
	pid=$!
	wait_until shown '.score > 0'
	kill -TERM $pid
	st=0
	wait $pid || st=$?
	[ "$st" -eq 143 ]
	has interrupted
	stop
	serve --speed 8
	pb-sim -q --client --referee --speed 8 -p greedy --patience 0.2 \
		--connect "ws://127.0.0.1:$ws" --result "$dir/result" 3>&- &
	pid=$!
	wait_until shown '.score > 0'
	stop
	st=0
	wait $pid || st=$?
	[ "$st" -eq 3 ]
	jq -e '.outcome == "disconnected" and .score > 0' "$dir/result"
}

@test "a result tells what frames tell" {
	recorded | head -c 15900 >"$dir/hundred"
	feed "$dir/hundred"
	run -3 client tcp --patience 0.1
	jq -e '.outcome == "disconnected" and .deaths == 0' "$dir/result"
	[ "$(frames "$dir/hundred" | tail -n 1 | jq .score)" = \
		"$(jq .score "$dir/result")" ]
	grep -q '^pb-sim: 100 frames, [0-9]* skipped' "$dir/heard"
	# Joined when a life was lost: how many there were is not known.
	tail -c 159 "$dir/hundred" | xxd -p -c 159 |
		sed 's/^\(.\{22\}\)03/\102/' | xxd -r -p >"$dir/late"
	feed "$dir/late"
	run -3 client tcp --patience 0.1
	jq -e '.outcome == "disconnected" and (has("deaths") | not)' "$dir/result"
	# Frames that no board has are shown to no player.
	tail -c 159 "$dir/hundred" | xxd -p -c 159 |
		sed 's/^\(.\{70\}\).\{8\}/\10f0f0000/' | xxd -r -p >"$dir/odd"
	feed "$dir/odd"
	run -1 client tcp --patience 0.1
	grep -qx "pb-sim: tcp://127.0.0.1:$tcp:1: frame: a pellet where the board has none" \
		"$dir/heard"
	head -c 159 /dev/zero | tr '\0' 0 >"$dir/zeros"
	rm "$dir/result"
	feed "$dir/zeros"
	run -1 client tcp
	grep -qx "pb-sim: tcp://127.0.0.1:$tcp:1: frame byte 3: 0x30 is invalid there" \
		"$dir/heard"
	[ ! -s "$dir/result" ]
	feed "$dir/late"
	run -3 --separate-stderr pb-sim -q --client --patience 0.1 \
		--connect "tcp://127.0.0.1:$tcp" --result no/such
	[ "$stderr" = "pb-sim: no/such: cannot write: No such file or directory" ]
	run -3 --separate-stderr pb-sim -q --client --patience 0.1 \
		--connect "tcp://127.0.0.1:$tcp" --result /dev/full
	[[ "$stderr" == *"pb-sim: /dev/full: cannot write: No space left on device" ]]
}

# How far Pac-Man got within one frame, at most (cells).
leap() {
	frames "$dir/frames" | jq -es '[range(1; length) as $i |
		.[$i - 1, $i] | select(.row < 32)] |
		[range(1; length) as $i |
		(.[$i].row - .[$i - 1].row | fabs) + (.[$i].col - .[$i - 1].col | fabs) |
		select(. < 8)] | max'
}

@test "a client that was stopped goes on with the newest frame, without a burst" {
	serve --referee -s 4
	# It was silent itself for longer than its patience, not the server.
	pb-sim --client -p greedy -s 4 --connect "ws://127.0.0.1:$ws" \
		--patience 2 >"$dir/result" 2>"$dir/heard" 3>&- &
	pid=$!
	wait_until shown '.score >= 50'
	kill -STOP $pid
	newer && newer && newer
	kill -CONT $pid
	wait_until grep -q ' behind, ' "$dir/heard"
	newer
	kill $pid
	wait $pid || true
	stop
	# A server that was held up itself may find two moves; they were 9.
	[ "$(leap)" -le 2 ]
	grep -Ex 'pb-sim: frame [0-9]+: [0-9]{2,} frames \([1-9][0-9]?\.?[0-9]* s\) behind, skipping to the newest' \
		"$dir/heard"
	grep -Ex 'pb-sim: [0-9]+ frames, [0-9]+ skipped for newer ones, at most [0-9]+ \([1-9][0-9]?\.?[0-9]* s\) at once; .*' \
		"$dir/heard"
}

@test "a server that stays paused, or that ignores moves, is told of" {
	hears() ( # LINE SERVER CLIENT: a client, with options of both
		dir=$(mktemp -d "$dir/XXXXXX")
		: >"$dir/heard"
		# shellcheck disable=SC2086 # words
		serve $2
		trap 'kill "$server"' EXIT
		# shellcheck disable=SC2086
		client ws $3 3>&- &
		wait_until grep -Eqx "pb-sim: $1" "$dir/heard"
		pkill -P $!
	)
	hears 'the server stays paused: press play there, or give --referee' &
	a=$!
	hears 'the server stays paused although play is pressed: .* addresses that it does not --trust' \
		'--trust none' --referee &
	b=$!
	hears '[0-9]+ moves were sent and Pac-Man stays where it is: .* --trust' \
		'--referee --trust none' '-p greedy' &
	wait $! && wait $a && wait $b
}

@test "the server waits for play, and ends by a signal" {
	serve --speed 8
	newer
	stop
	grep -qx "pb-sim: no more commands: 0 points, 3 lives, tick 0" "$dir/said"
	[ "$(head -c 35 "$dir/frames" | od -An -v -tx1 | tr -d ' \n')" = \
		00000c003b3c03bf00000103000bcd80004d0d8004ce0b800fce0f801f174d2020001e ]
	frames "$dir/frames" |
		jq -es 'length > 1 and all(.paused and .tick == 0)'
}

@test "one game for all: commands of a WebSocket and of TCP" {
	serve --speed 8
	exec 5<>"/dev/tcp/127.0.0.1/$ws" 6<>"/dev/tcp/127.0.0.1/$tcp"
	upgrade 5
	# A message is a frame, after four bytes of the WebSocket.
	head -c 163 <&5 >"$dir/message"
	[ "$(head -c 4 "$dir/message" | od -An -tx1)" = " 82 7e 00 9f" ]
	tail -c 159 "$dir/message" | frames | jq -e .paused
	message 5 P
	# Unknown bytes are ignored, and so is all but the first of a message.
	printf '\202\203\0\0\0\0?PP\202\200\0\0\0\0' >&5
	wait_until shown '.tick > 4'
	been() { frames "$dir/frames" | jq -es "any(.row == 23 and .col == $1)"; }
	printf 'x\027\012' >&6
	wait_until been 10
	head -c 15900 <&6 >"$dir/tcp"
	# One message in three frames, the first of them empty.
	printf '\002\200\0\0\0\0\0\202\0\0\0\0x\027\200\201\0\0\0\0\006' >&5
	wait_until been 6
	stop
	exec 5>&- 6>&-
	[ "$(frames "$dir/tcp" | wc -l)" = 100 ]
}

@test "who is not trusted sees the game and says nothing" {
	serve --speed 8 --trust 192.0.2.1 --trust none
	exec 5<>"/dev/tcp/127.0.0.1/$ws" 6<>"/dev/tcp/127.0.0.1/$tcp"
	upgrade 5
	message 5 P
	printf P >&6
	head -c 1590 <&6 >"$dir/tcp"
	newer
	shown '.paused and .tick == 0'
	stop
	exec 5>&- 6>&-
	serve --speed 8 --trust 127.0.0.1
	exec 6<>"/dev/tcp/127.0.0.1/$tcp"
	printf P >&6
	wait_until shown '(.paused | not) and .tick > 0'
	stop
	exec 6>&-
}

@test "a page commands the game if it is of this machine or of --origin" {
	serve --speed 8 --trust all --origin https://View.example:8080 \
		--origin 192.0.2.7
	probe <<-'END'
		for yes, host, page in (
		        (True, "127.0.0.1:3002", None),
		        (True, "192.0.2.1", None),
		        (True, "[2001:db8::1]:3002", None),
		        (True, "localhost:3002", "http://localhost:5173"),
		        (True, "LOCALHOST", "http://[::1]:80"),
		        (True, "127.0.0.1", "https://view.example"),
		        (True, "view.example:3002", "http://192.0.2.7:80"),
		        (False, "127.0.0.1", "http://site.example:80"),
		        (False, "127.0.0.1", "http://127.0.0.1.example"),
		        (False, "127.0.0.1", "http://localhost@site.example"),
		        (False, "127.0.0.1", "http://192.0.2.8"),
		        (False, "127.0.0.1", "null"),
		        (False, "127.0.0.1", "http://" + 300 * "a"),
		        (False, "site.example:3002", None),
		        (False, "site.example:3002", "http://localhost"),
		        (False, "localhost.site.example", None)):
		    s = join(*(["Origin: " + page] if page else []), host=host)
		    say(s, b"P")
		    assert comes(s, plays) == yes, (host, page)
		    say(s, b"p")
		    assert comes(s, lambda b: not plays(b)), (host, page)
		    s.close()
	END
	stop
	[ "$(grep -cx "pb-sim: ignoring commands of a web page: .* is not in --origin" "$dir/said")" = 1 ]
}

@test "requests over HTTP get an answer" {
	serve --speed 8
	probe <<-'END'
		def body(s):
		    b = b""
		    while (more := s.recv(999)):
		        b += more
		    return b.decode()

		for headers in ((), ("Connection: Upgrade", "Upgrade: h2c", KEY),
		                UPGRADE[:3], (*UPGRADE[:3], "Sec-WebSocket-Version: 8"),
		                (*UPGRADE[:3], "Sec-WebSocket-Version: 130")):
		    s, answer = ask(*headers)
		    assert answer.split()[1] == "426", answer
		    assert "\nsec-websocket-version: 13\r" in answer.lower()
		    assert "\nupgrade: websocket\r" in answer.lower()
		    assert f"connect to ws://127.0.0.1:{ws}/<" in body(s)
		s, answer = ask("Content-Length: 3", line="POST /x HTTP/1.1")
		assert answer.split()[1] == "426", answer
		# No way around the handshake.
		s = connect(ws)
		s.sendall(b"CONNECT a:1 HTTP/1.1\r\n\r\n")
		assert s.recv(1) == b""
		for path in ("/", "/any/path?a=b", "/" + 3000 * "a"):
		    s = join(line=f"GET {path} HTTP/1.1")
		    say(s, b"P")
		    assert comes(s, plays)
		    say(s, b"p")
		    assert comes(s, lambda b: not plays(b))
		# A frame that is not masked is an error of protocol.
		s = join()
		tell(s, b"P", 2)
		while (b := take(s, 2))[0] & 15 == 2:
		    assert not plays(take(s, 161)[2:])
		assert b[0] == 0x88 and take(s, 2) == b"\x03\xea"
	END
	stop
	grep -qx "pb-sim: no more commands: .*" "$dir/said"
	! grep "refused [0-9]* connections" "$dir/said"
}

@test "some seats are for trusted addresses, and an address has at most eight" {
	serve --speed 8 --trust 127.0.0.1
	probe <<-'END'
		def full(source):
		    return " 503 " in ask(*UPGRADE, source=source)[1]

		crowd = [join(source="127.0.0.2") for i in range(8)]
		assert full("127.0.0.2")
		assert " 503 " in ask(source="127.0.0.2")[1]
		assert connect(tcp, source="127.0.0.2").recv(1) == b""
		crowd += [connect(tcp, source=f"127.0.0.{3 + i // 8}")
		          for i in range(16)]
		for s in crowd[8:]:
		    s.recv(1)
		for i in range(40):
		    assert full("127.0.0.9")
		# One of our own reads already.
		ours = [join() for i in range(7)]
		say(ours[0], b"P")
		assert comes(ours[0], plays)
		# Who leaves makes room.
		crowd[0].close()
		while full("127.0.0.2"):
		    pass
	END
	stop
	[ "$(grep -Ec '^pb-sim: refused [0-9]{2,} connections: all places were taken$' "$dir/said")" = 1 ]
	serve --speed 8
	probe <<<'clients = [join() for i in range(20)]'
	stop
}

@test "who sends no request, reads nothing or is stuck is dropped, others stay" {
	serve --speed 8
	probe <<-'END'
		import threading
		import websocket
		websocket.tell = say # a pong, which is to be masked
		began = time.monotonic()
		trickle, silent = connect(ws), connect(ws)
		trickle.sendall(b"GET / HTTP/1.1\r\n")
		reader, talker, deaf = join(), join(), join()
		blocked = connect(tcp, buffer=2048)
		lasted = {}

		def drip():
		    try:
		        while True:
		            trickle.sendall(b"a")
		            time.sleep(0.2)
		    except OSError:
		        pass

		def read():
		    while time.monotonic() < began + 10.3:
		        frame(reader)

		def talk():
		    while time.monotonic() < began + 10.3:
		        say(talker, b".")
		        time.sleep(0.5)

		def lasts(name, s, wait):
		    time.sleep(wait)
		    lasted[name] = ends(s, 30) - began

		threads = [threading.Thread(target=f, args=a) for f, a in (
		    (drip, ()), (read, ()), (talk, ()),
		    (lasts, ("silent", silent, 2)), (lasts, ("trickle", trickle, 2)),
		    (lasts, ("deaf", deaf, 9)), (lasts, ("blocked", blocked, 10.3)))]
		for t in threads:
		    t.start()
		for t in threads:
		    t.join()
		assert 2.9 < lasted["silent"] < 9.9, lasted
		assert 2.9 < lasted["trickle"] < 9.9, lasted
		assert 9.9 < lasted["deaf"] < 30, lasted
		assert lasted["blocked"] < 40, lasted
		say(talker, b"P")
		assert comes(reader, plays, 999)
	END
	newer
	stop
}

@test "of a crowd that says nothing the last leaves for another, after a second" {
	serve --speed 64
	probe <<-'END'
		crowd = [connect(tcp) for i in range(30)]
		began = time.monotonic()
		crowd += [connect(tcp)]
		# One that looks on has the first of the 32 seats.
		while True:
		    s = connect(tcp)
		    if s.recv(1):
		        break
		    time.sleep(0.02)
		assert time.monotonic() - began > 0.9
		ends(crowd[30], 9)
		s.sendall(b"P")
		b = take(s, 158)
		while not plays(b):
		    b = take(s, 159)
	END
	newer
	stop
}

@test "clients that stall, send garbage or are cut leave nothing behind" {
	command -v python3 >/dev/null || skip "no python3"
	timeout 60 python3 tests/cli/live.py 4 "${SEED:-1}"
}

@test "over links that are cut or stall tools connect again or say why they end" {
	command -v python3 >/dev/null || skip "no python3"
	timeout 60 python3 tests/cli/links.py 8 "${SEED:-1}"
}

@test "a port without an address is that of both loopbacks" {
	grep -qs '^0*1 ' /proc/net/if_inet6 || skip "no IPv6"
	serve --speed 8
	wait_until grep -qx "pb-sim: and on ws://\[::1\]:$ws" "$dir/said"
	for url in "[::1]:$ws" "localhost:$ws/" "127.0.0.1:$ws/any/path?a"; do
		pb-sim -q --client --referee --speed 8 -p greedy --end-after 1 \
			--connect "ws://$url" | jq -e '.score > 0'
	done
	run -3 --separate-stderr pb-sim --serve --listen "[::1]:$ws"
	[ "$stderr" = \
		"pb-sim: --listen [::1]:$ws: cannot listen: Address already in use" ]
	stop
}

@test "ports that are taken, addresses that are none, signals" {
	serve
	run -3 --separate-stderr pb-sim --serve --listen "$ws"
	[ -z "$output" ]
	[ "$stderr" = \
		"pb-sim: --listen $ws: cannot listen: Address already in use" ]
	kill -TERM "$server"
	st=0
	wait "$server" || st=$?
	[ "$st" -eq 143 ]
	# What the one before said is not of this one.
	rm "$dir/said"
	env --default-signal=INT pb-sim --serve --listen 0 2>"$dir/said" 3>&- &
	server=$!
	wait_until grep -q listening "$dir/said"
	kill -INT "$server"
	st=0
	wait "$server" || st=$?
	server=
	[ "$st" -eq 130 ]
	for bad in x :1 1.2.3.4: tcp:// 70000 http://h:1 []:2 1/ tcp://1/; do
		run -2 --separate-stderr pb-sim --serve --listen "$bad"
		[ "$stderr" = "pb-sim: --listen: expected [ws://|tcp://][ADDRESS:]PORT, got \"$bad\"" ]
	done
	run -2 --separate-stderr pb-sim --serve --listen 0 --trust host
	[ "$stderr" = 'pb-sim: --trust: expected an IP address, all or none, got "host"' ]
	for bad in '' '*' http://:80 'a b'; do
		run -2 --separate-stderr pb-sim --serve --listen 0 --origin "$bad"
		[ "$stderr" = "pb-sim: --origin: expected [SCHEME://]HOST[:PORT], got \"$bad\"" ]
	done
	run -2 --separate-stderr pb-sim --client --connect ws://h:1 --listen 1
	[ "$stderr" = "pb-sim: --listen: only with --serve" ]
}

@test "a client that is not ours, as the sample bot and the camera send" {
	node --experimental-websocket -e WebSocket >/dev/null 2>&1 ||
		skip "no node with a WebSocket"
	serve --speed 4
	cat >"$dir/bot.mjs" <<-'END'
		const s = new WebSocket(process.argv[2]);
		let n = 0, odd = 0;
		s.binaryType = 'arraybuffer';
		s.onopen = () => s.send('P');
		s.onmessage = e => {
			odd += e.data.byteLength !== 159;
			n++;
			if (n % 4 === 0 && n < 50) s.send('d');
			else if (n === 61) s.send(new Uint8Array([120, 23, 10]));
			else if (n === 71) s.send('dzz');
			else s.send('.');
			if (n < 100) return;
			console.log(n, odd);
			s.close();
		};
	END
	[ "$(timeout 60 node --experimental-websocket "$dir/bot.mjs" \
		"ws://127.0.0.1:$ws" 2>/dev/null)" = "100 0" ]
	# A place is three bytes, of other messages the first one counts.
	last_frame | jq -e '.row == 23 and .col == 11'
	stop
}

@test "nobody there, a server that goes and comes again, a client that is stopped" {
	serve
	stop
	run -3 --separate-stderr pb-sim --client --patience 0.3 \
		--connect "ws://127.0.0.1:$ws"
	[[ "$stderr" = "pb-sim: ws://127.0.0.1:$ws: cannot connect: "* ]]
	# A port of the other kind takes the connection and says nothing.
	serve
	for o in '--patience 0.3' '--end-after 0.3'; do
		# shellcheck disable=SC2086 # words
		run -3 --separate-stderr pb-sim --client $o \
			--connect "tcp://127.0.0.1:$ws"
		[ "$stderr" = "pb-sim: tcp://127.0.0.1:$ws: 0 frames came" ]
		[ -z "$output" ]
	done
	stop
	serve --speed 8
	port=$ws
	pb-sim --client --referee -p greedy --connect "ws://127.0.0.1:$port" \
		>"$dir/result" 2>"$dir/heard" 3>&- &
	client=$!
	wait_until shown '.score > 0'
	stop
	# It tries again and again, and presses play again.
	wait_until grep -q 'has gone' "$dir/heard"
	again=$port
	serve --speed 8
	wait_until shown '.score > 0'
	kill "$client"
	st=0
	wait "$client" || st=$?
	[ "$st" -eq 143 ]
	jq -e '.outcome == "interrupted" and .score > 0' "$dir/result"
	stop
	grep -qx "pb-sim: ws://127.0.0.1:$port: the server has gone" "$dir/heard"
	for bad in x ws://h ws://:1 ws://h:0 http://h:1 tcp://h/x:1; do
		run -2 --separate-stderr pb-sim --client --connect "$bad"
		[ "$stderr" = "pb-sim: --connect: expected [ws://]HOST:PORT or tcp://HOST:PORT, got \"$bad\"" ]
	done
}

@test "what is no whole frame at the end of a message is dropped" {
	command -v python3 >/dev/null || skip "no python3"
	recorded | head -c 1590 >"$dir/want"
	cat >"$dir/server.py" <<-'END'
		import sys
		sys.path.insert(0, "tests/cli")
		from websocket import greet, listen, tell
		s = greet(listen(sys.argv[1]))
		b = sys.stdin.buffer.read()
		tell(s, b[:100], 2)
		for i in range(0, len(b), 159):
		    tell(s, b[i:i + 159] + b[:i % 2], 2)
	END
	python3 "$dir/server.py" "$dir/port" <"$dir/want" 3>&- &
	wait_until test -s "$dir/port"
	run -3 --separate-stderr pb-sim --client --patience 0.2 \
		--connect "ws://127.0.0.1:$(cat "$dir/port")"
	jq -e '.outcome == "disconnected"' <<<"$output"
	[[ "$stderr" == *"pb-sim: 10 frames, "* ]]
}

@test "of a name's addresses the first that can be had, without IPv6" {
	! nm "${O:-build}/pb-sim" | grep -q '__asan\|__tsan' || skip "a sanitizer"
	# 192.0.2.1, which nobody has, comes before what there is.
	cat >"$dir/first.c" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <errno.h>
		#include <netdb.h>
		#include <sys/socket.h>

		int
		socket(int domain, int type, int protocol)
		{
			int (*real)(int, int, int) = dlsym(RTLD_NEXT, "socket");

			errno = EAFNOSUPPORT;
			return domain == AF_INET6 ? -1
			                          : real(domain, type, protocol);
		}

		int
		getaddrinfo(const char *host, const char *port,
		    const struct addrinfo *want, struct addrinfo **out)
		{
			int (*real)(const char *, const char *,
			    const struct addrinfo *, struct addrinfo **) =
			    dlsym(RTLD_NEXT, "getaddrinfo");
			struct addrinfo *rest;
			int e = real(host, port, want, &rest);

			if (e == 0 && (e = real("192.0.2.1", port, want, out)) == 0)
				(*out)->ai_next = rest;
			return e;
		}
	END
	cc -shared -fPIC -o "$dir/first.so" "$dir/first.c" -ldl 2>/dev/null ||
		skip "no compiler"
	LD_PRELOAD=$dir/first.so serve
	[ -n "$ws" ]
	! grep -F '[::1]' "$dir/said"
	stop
}

@test "options that do not go with them" {
	refused() { # MESSAGE OPTION ...
		run -2 --separate-stderr pb-sim "${@:2}" </dev/null
		[ -z "$output" ]
		[ "$stderr" = "pb-sim: $1" ]
	}
	refused "--serve: reads no files" --serve --listen 0 /dev/null
	refused "--client: reads no files" --client --connect ws://h:1 /dev/null
	refused "--serve: expected a port, as in --serve 3002" --serve
	refused "--client: expected a server, as in --client ws://HOST:3002" --client
	refused "--speed: only with --play, --joystick, --serve and --client" -r pacbot --speed 2
	refused "--policy: only with a match, --client" \
		--serve --listen 0 -p greedy
	refused "--set: levels: has no effect here, only with mode not serve" \
		--serve --listen 0 --set levels=2
	refused "--policy: only with a game that nobody else plays, here --agent does" \
		--client --connect ws://h:1 --agent x -p greedy
	refused "--agent: not for ghosts with --client: the server moves them" \
		--serve --listen 0 --agent red:x=true
	refused "--referee: only with --serve, --client" -r pacbot --referee
	refused "expected one of --replay, --serve, --client" --serve --client
	refused "--serve: only with the rules pacbot" -r zumy --serve
	# --help lists those that do.
	names() { pb-sim "$@" --help | sed -n 's/^  [- ].[, ] --\([a-z-]*\).*/\1/p'; }
	for o in listen trust origin referee seed speed map set; do
		names --serve | grep -qx "$o"
	done
	for o in connect referee policy end-after result patience weights; do
		names --client | grep -qx "$o"
	done
	! names --serve | grep -Ex 'client|connect|policy|play|replay|trace'
	! names --client | grep -Ex 'serve|listen|trust|play|replay|trace'
}
