#!/usr/bin/env bats
# ports.bats - the Pacbot server on WebSocket and TCP ports.

load pacbot

setup() { here; }

teardown() { [ -z "${server-}" ] || kill "$server" 2>/dev/null || true; }

# serve OPTION ...: both kinds of port; frames in $dir/frames, what is said in
# $dir/said, the numbers in $ws and $tcp, the process id in $server.
serve() {
	: >"$dir/said"
	pb-sim --serve --listen 0 --listen tcp://127.0.0.1:0 "$@" \
		>"$dir/frames" 2>"$dir/said" 3>&- &
	server=$!
	for ((i = 0; i < 100; i++)); do
		[ "$(grep -c listening "$dir/said")" -lt 2 ] || break
		sleep 0.1
	done
	ws=$(sed -n 's|^pb-sim: listening on ws://127.0.0.1:||p' "$dir/said")
	tcp=$(sed -n 's|^pb-sim: listening on tcp://127.0.0.1:||p' "$dir/said")
}

stop() {
	kill "$server"
	wait "$server" || true
	server=
}

# upgrade FD: shake hands for a WebSocket.
upgrade() {
	local line
	printf '%s\r\n' 'GET / HTTP/1.1' 'Host: pacbot' 'Upgrade: websocket' \
		'Connection: Upgrade' 'Sec-WebSocket-Version: 13' \
		'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==' '' >&"$1"
	IFS= read -r line <&"$1"
	[[ "$line" = "HTTP/1.1 101 "* ]]
	while IFS= read -r line <&"$1" && [ "$line" != $'\r' ]; do :; done
}

# message FD BYTE: a masked binary message; the mask is zeros.
message() { printf '\202\201\0\0\0\0%s' "$2" >&"$1"; }

# The tick of the last frame that is whole.
last_tick() {
	head -c "$(($(stat -c %s "$dir/frames") / 159 * 159))" "$dir/frames" |
		pb-sim --from-wire | jq -c 'select(.type == "tick")' | tail -n 1
}

@test "in lock-step a client on a port plays the match, tick for tick" {
	serve --referee --lockstep -s 4
	exec 6<>"/dev/tcp/127.0.0.1/$ws" 7<>"/dev/tcp/127.0.0.1/$tcp"
	upgrade 6
	# One reads, one does not.
	cat <&6 >"$dir/seen" 3>&- &
	exec 5<>"/dev/tcp/127.0.0.1/$tcp"
	pb-sim -q --client --lockstep -p greedy -s 4 <&5 >&5
	wait "$server"
	server=
	exec 5>&- 6>&- 7>&-
	pb-sim -r pacbot -p greedy -s 4 --wire >"$dir/match"
	ticks "$dir/match" >"$dir/match.ticks"
	ticks "$dir/frames" | cmp - "$dir/match.ticks"
	# The mode, byte 3, alone differs: there the game is seen paused.
	[ "$(cmp -l "$dir/match" "$dir/frames" |
		awk '{ print ($1 - 1) % 159 }' | sort -u)" = 3 ]
	# Whole messages: four bytes before each frame.
	[ "$(head -c 4 "$dir/seen" | od -An -tx1)" = " 82 7e 00 9f" ]
	[ "$(($(stat -c %s "$dir/seen") / 163))" -gt 100 ]
	grep -q "^pb-sim: cleared: 3800 points" "$dir/said"
}

@test "one game for all: commands of a WebSocket and of TCP" {
	serve --speed 8
	exec 5<>"/dev/tcp/127.0.0.1/$ws" 6<>"/dev/tcp/127.0.0.1/$tcp"
	upgrade 5
	head -c 163 <&5 | tail -c 159 | pb-sim --from-wire |
		jq -es '.[1].paused'
	message 5 P
	# Unknown bytes are ignored, and so is all but the first of a message.
	printf '\202\203\0\0\0\0?PP\202\200\0\0\0\0' >&5
	sleep 0.5
	printf 'x\027\012' >&6
	sleep 0.5
	head -c 15900 <&6 >"$dir/tcp"
	stop
	exec 5>&- 6>&-
	ticks "$dir/frames" | jq -es '.[-1].tick > 4 and
		(map(.bodies[0] | select(.row == 23 and .col == 10)) != [])'
	# They see the same frames.
	pb-sim --from-wire "$dir/tcp" | jq -es 'length == 101'
}

@test "who is not trusted sees the game and says nothing" {
	serve --speed 8 --trust 192.0.2.1 --trust none
	exec 5<>"/dev/tcp/127.0.0.1/$ws" 6<>"/dev/tcp/127.0.0.1/$tcp"
	upgrade 5
	message 5 P
	printf P >&6
	head -c 1590 <&6 >"$dir/tcp"
	sleep 0.3
	last_tick | jq -e '.paused and .tick == 0'
	stop
	exec 5>&- 6>&-
	serve --speed 8 --trust 127.0.0.1
	exec 6<>"/dev/tcp/127.0.0.1/$tcp"
	printf P >&6
	sleep 0.5
	last_tick | jq -e '(.paused | not) and .tick > 0'
	stop
	exec 6>&-
}

@test "garbage, crowds and clients that do not read harm nobody" {
	serve --speed 8
	exec 5<>"/dev/tcp/127.0.0.1/$tcp" # does not read
	for port in "$ws" "$tcp"; do
		(timeout 3 head -c 1000000 /dev/urandom >"/dev/tcp/127.0.0.1/$port") \
			2>/dev/null 3>&- &
	done
	exec 7<>"/dev/tcp/127.0.0.1/$ws"
	upgrade 7
	(timeout 3 sh -c 'printf "\202\377\0\0\0\0\0\017\102\100\0\0\0\0"
		head -c 1000000 /dev/urandom' >&7) 2>/dev/null 3>&- &
	for ((i = 20; i < 60; i++)); do
		eval "exec $i<>/dev/tcp/127.0.0.1/$tcp"
	done
	sleep 1
	for ((i = 20; i < 60; i++)); do eval "exec $i>&-"; done
	sleep 0.3
	exec 6<>"/dev/tcp/127.0.0.1/$tcp"
	before=$(stat -c %s "$dir/frames")
	timeout 20 head -c 15900 <&6 >"$dir/tcp"
	[ "$(stat -c %s "$dir/tcp")" -eq 15900 ]
	pb-sim --from-wire "$dir/tcp" >/dev/null
	[ "$(stat -c %s "$dir/frames")" -gt "$before" ]
	# Those who left leave nothing behind.
	sleep 3
	[ "$(find "/proc/$server/fd" -mindepth 1 | wc -l)" -lt 20 ]
	stop
	exec 5>&- 6>&- 7>&-
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
	env --default-signal=INT pb-sim -q --serve --listen 0 >/dev/null 3>&- &
	server=$!
	sleep 0.5
	kill -INT "$server"
	st=0
	wait "$server" || st=$?
	server=
	[ "$st" -eq 130 ]
	for bad in x :1 1.2.3.4: tcp:// 70000 http://h:1 []:2; do
		run -2 --separate-stderr pb-sim --serve --listen "$bad"
		[ "$stderr" = "pb-sim: --listen: expected [ws://|tcp://][ADDRESS:]PORT, got \"$bad\"" ]
	done
	run -2 --separate-stderr pb-sim --serve --listen 0 --trust host
	[ "$stderr" = 'pb-sim: --trust: expected an IP address, all or none, got "host"' ]
	run -2 --separate-stderr pb-sim --serve --trust all
	[ "$stderr" = "pb-sim: --trust: goes with --listen" ]
	run -2 --separate-stderr pb-sim --client --listen 1
	[ "$stderr" = "pb-sim: --listen: goes with --serve" ]
}

@test "our client plays on our server the match of the pipe, tick for tick" {
	pb-sim -r pacbot -p greedy -s 4 --wire >"$dir/match"
	ticks "$dir/match" >"$dir/match.ticks"
	for url in ws tcp; do
		serve --referee --lockstep -s 4
		run -0 --separate-stderr timeout 60 pb-sim --client --lockstep \
			-p greedy -s 4 --connect "$url://127.0.0.1:${!url}"
		jq -e '.type == "result" and .outcome == "cleared" and
			.score == 3800 and .deaths == 1 and .decisions == 336 and
			(.ghosts | startswith("127.0.0.1:"))' <<<"$output"
		[[ "$stderr" = "pb-sim: cleared: 3800 points, 2 lives, tick "* ]]
		wait "$server"
		server=
		ticks "$dir/frames" | cmp - "$dir/match.ticks"
	done
}

@test "in real time it ends with the match, or its time, and tells its lag" {
	serve --referee --speed 64 -s 4
	run -0 --separate-stderr timeout 60 pb-sim --client --speed 64 \
		-p greedy -s 4 --connect "ws://127.0.0.1:$ws"
	[[ "${stderr_lines[0]}" =~ ^pb-sim:\ (caught|cleared|frame) ]]
	[[ "${stderr_lines[-1]}" =~ ^pb-sim:\ [0-9]+\ frames,\ [0-9]+\ passed ]]
	wait "$server"
	serve --speed 8
	run -0 --separate-stderr pb-sim --client --referee --speed 8 \
		-p greedy --end-after 1 --connect "tcp://127.0.0.1:$tcp"
	[[ "$stderr" = *"pb-sim: timeout: "*" points, 3 lives, tick "* ]]
	jq -e '.outcome == "timeout" and .score > 0' <<<"$output"
	last_tick | jq -e '.score > 0'
	stop
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
	[ "$(timeout 20 node --experimental-websocket "$dir/bot.mjs" \
		"ws://127.0.0.1:$ws" 2>/dev/null)" = "100 0" ]
	# A place is three bytes, of other messages the first one counts.
	last_tick | jq -e '.bodies[0] | .row == 23 and .col == 11'
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
	sleep 0.5
	stop
	: >"$dir/frames"
	pb-sim -q --serve --listen "$port" >"$dir/frames" 3>&- &
	server=$!
	# It tries again and again, and has to get to some pellets.
	for ((i = 0; i < 100; i++)); do
		[ "$(last_tick | jq '.score >= 50')" != true ] || break
		sleep 0.3
	done
	[ "$i" -lt 100 ]
	kill "$client"
	st=0
	wait "$client" || st=$?
	[ "$st" -eq 143 ]
	jq -e '.outcome == "interrupted" and .score > 0' "$dir/result"
	stop
	grep -qx "pb-sim: ws://127.0.0.1:$port: the server has gone" "$dir/heard"
	for bad in x ws://h ws://:1 ws://h:0 http://h:1 tcp://h/x:1; do
		run -2 --separate-stderr pb-sim --client --connect "$bad"
		[ "$stderr" = "pb-sim: --connect: expected ws://HOST:PORT or tcp://HOST:PORT, got \"$bad\"" ]
	done
	run -2 --separate-stderr pb-sim --client --connect ws://h:1 /dev/null
	[ "$stderr" = "pb-sim: --connect: reads no files" ]
}

@test "what is no whole frame at the end of a message is dropped" {
	command -v python3 >/dev/null || skip "no python3"
	serve --speed 64
	sleep 0.5
	stop
	head -c 1590 "$dir/frames" >"$dir/want"
	[ "$(stat -c %s "$dir/want")" -eq 1590 ]
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
	for ((i = 0; i < 100; i++)); do
		[ ! -s "$dir/port" ] || break
		sleep 0.1
	done
	pb-sim -q --client --wire --patience 0.2 \
		--connect "ws://127.0.0.1:$(cat "$dir/port")" >"$dir/got" || true
	cmp "$dir/got" "$dir/want"
}

@test "of a name's addresses the first that can be had" {
	! nm "${O:-build}/pb-sim" | grep -q '__asan\|__tsan' || skip "a sanitizer"
	# 192.0.2.1, which nobody has, comes before what there is.
	cat >"$dir/first.c" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <netdb.h>

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
	stop
}
