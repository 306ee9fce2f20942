#!/usr/bin/env bats
# feedback.bats - light, sound and motion of a game, and of any events.

load common

setup() { here; }

event() { # NAME T
	echo "{\"type\":\"event\",\"t\":$2,\"name\":\"$1\"}"
}

@test "an event becomes light, sound and motion, in the order of time" {
	event "Clyde Killed " 1 | pb-sim --feedback >"$dir/out"
	jq -se 'map(.t) | . == sort' "$dir/out"
	jq -se '.[1] | .type == "sound" and .name == "death" and
	    .notes == [[392, 0.2], [330, 0.2], [262, 0.35], [196, 0.5]] and
	    .duration == 1.25' "$dir/out"
	jq -se '[.[] | select(.type == "motion")] |
	    length == 52 and .[0].t == 1.1 and .[-1].t == 6.2 and
	    (.[:-1] | map(.w) | add) == 4.5 and .[-1].w == 0' "$dir/out"
	jq -se '[.[] | select(.type == "light")] |
	    .[0].t == 1.15 and .[0].leds == [range(6) | [255, 80, 0]] and
	    .[-1].leds == [range(6) | [0, 0, 0]]' "$dir/out"
}

@test "all events of the table are known, others are warned of and passed" {
	for e in start "start theatrical" pellet "power pellet" powerup \
		{blinky,pinky,inky,clyde}\ {caught,killed} killed death \
		"game over" win reset; do
		event "$e" 0
	done >"$dir/in"
	pb-sim --feedback "$dir/in" >"$dir/out" 2>"$dir/err"
	[ ! -s "$dir/err" ]
	event "coffee" 1 >"$dir/in"
	pb-sim --feedback "$dir/in" >"$dir/out" 2>"$dir/err"
	cmp "$dir/in" "$dir/out"
	grep -qF "$dir/in:1: warning: event: unknown name \"coffee\"" "$dir/err"
}

@test "lights, sounds, motions and commands ask by name; cues are no question" {
	cat >"$dir/in" <<-'END'
		{"type":"light","t":0,"name":"red"}
		{"type":"sound","t":1,"name":"rickroll"}
		{"type":"motion","t":2,"name":"shake"}
		{"type":"cmd","t":9,"name":"event","value":"pellet"}
		{"type":"cmd","t":9,"name":"event","value":7}
		{"type":"light","t":20,"name":"blue","leds":[[0,0,9],[0,0,9],[0,0,9],[0,0,9],[0,0,9],[0,0,9]]}
		{"type":"sound","t":20,"name":"win","notes":[[440,1]]}
	END
	pb-sim --feedback "$dir/in" >"$dir/out"
	jq -se '[.[] | select(.t >= 9 and (.type | IN("light", "sound"))) |
	    .name] == ["pellet", "pellet", "pellet", "pellet", "pellet", "blue",
	    "win"]' "$dir/out"
	[ "$(jq -r 'select(.notes != null) | .notes | length' "$dir/out" |
		paste -sd' ')" = "26 1 1" ]
}

@test "a game with feedback is what the filter makes of the game" {
	for r in "pacmanbot -a -m testdata/flat.jsonl" "pacbot -p flee" \
		roomba zumy; do
		# shellcheck disable=SC2086 # words
		pb-sim -r $r -s 3 --wav "$dir/a.wav" --feedback >"$dir/a"
		# shellcheck disable=SC2086 # words
		pb-sim -r $r -s 3 | pb-sim --feedback | cmp "$dir/a" -
		[ "$(jq -r 'select(.type == "light") | .t' "$dir/a" |
			wc -l)" -gt 4 ]
		[ -s "$dir/a.wav" ]
	done
}

@test "feedback changes nothing else of a game" {
	for r in "pacmanbot -a -m testdata/flat.jsonl" "pacbot -p flee" \
		roomba zumy; do
		# shellcheck disable=SC2086 # words
		pb-sim -r $r -s 4 >"$dir/a"
		# shellcheck disable=SC2086 # words
		pb-sim -r $r -s 4 --feedback |
			grep -v '"type":"\(light\|sound\|motion\)"' |
			cmp - "$dir/a"
	done
	pb-sim -r pacmanbot -a -m testdata/flat.jsonl --set spin=no --feedback \
		--trace none >"$dir/a"
	run ! grep -q '"motion"' "$dir/a"
	grep -q '"light"' "$dir/a"
}

@test "every rule set tells its events" {
	names() { jq -r 'select(.type == "event") | .name' | sort -u |
		paste -sd,; }
	[ "$(pb-sim -r pacbot -s 3 -p random | names)" = \
		"game over,killed,pellet,reset,start" ]
	[ "$(pb-sim -r pacbot -s 3 | names)" = \
		"blinky caught,clyde caught,inky caught,pellet,pinky caught,power pellet,start,win" ]
	[ "$(pb-sim -r roomba -s 3 | names)" = \
		"blinky caught,clyde caught,inky caught,pellet,power pellet,start,win" ]
	[ "$(pb-sim -r roomba -p random -s 3 | names)" = \
		"blinky killed,game over,inky killed,pellet,reset,start" ]
	[ "$(pb-sim -r zumy -p astar -s 1 | names)" = "game over,start" ]
	# As many as the result says.
	pb-sim -r pacbot -s 3 -p flee | jq -se '.[-1] as $r |
	    [.[] | select(.type == "event") | .name] |
	    (map(select(. == "pellet" or . == "power pellet")) | length) ==
		$r.pellets and
	    (map(select(. == "killed" or . == "game over")) | length) ==
		$r.deaths'
}

@test "a pipe is live: what is due comes with the next record" {
	mkfifo "$dir/in"
	pb-sim --feedback "$dir/in" >"$dir/out" &
	pid=$!
	exec 7>"$dir/in"
	event pellet 1 >&7
	echo '{"type":"other","t":1.35}' >&7
	for _ in $(seq 100); do
		grep -q '"other"' "$dir/out" && break
		sleep 0.05
	done
	[ "$(jq -r .type "$dir/out" | paste -sd' ')" = \
		"event sound light light other" ]
	exec 7>&-
	wait $pid
	[ "$(wc -l <"$dir/out")" -eq 7 ]
}

@test "another game, late records, none at all" {
	(
		event "start theatrical" 5
		echo '{"type":"pose","t":4.9,"x":0,"y":0}'
		echo '{"type":"pose","x":0,"y":0}'
		event reset 6
		event pellet 0
		cat testdata/flat.jsonl
		event pellet 0
		event pellet 1e12
		event win -5
	) | pb-sim --feedback >"$dir/out"
	# Late ones come now; after a map, and after a jump, a new clock.
	[ "$(jq -r 'select(.type == "sound") | "\(.t) \(.name)"' "$dir/out" |
		paste -sd,)" = \
		"5 pacman_theme,0 pellet,1000000000000 pellet,-5 win" ]
	pb-sim --feedback </dev/null | cmp - /dev/null
	event pellet null | pb-sim --feedback | jq -se '.[1].t == 0'
	# No clock shows so much: what comes then comes at the last time that was.
	event win 1e29 | timeout 20 pb-sim --feedback >"$dir/out"
	jq -se 'length < 100 and .[1].t == 0' "$dir/out"
}

# Frequency of the strongest of some tones in a part of a WAV file (Goertzel).
loudest() { # FILE FIRST-SAMPLE SAMPLES HZ...
	file=$1 first=$2 n=$3
	shift 3
	od -An -v -td2 -w2 -j $((44 + 2 * first)) -N $((2 * n)) "$file" |
		awk -v list="$*" 'BEGIN { m = split(list, f, " ")
			for (i = 1; i <= m; i++)
				k[i] = 2 * cos(8 * atan2(1, 1) * f[i] / 44100) }
		{ for (i = 1; i <= m; i++) {
			c = $1 + k[i] * a[i] - b[i]; b[i] = a[i]; a[i] = c } }
		END { most = -1
			for (i = 1; i <= m; i++) {
				s = a[i]^2 + b[i]^2 - k[i] * a[i] * b[i]
				if (s > most) { most = s; best = f[i] } }
			print best }'
}

@test "a WAV file: header, length, tones" {
	win='{"type":"cmd","t":0,"name":"event","value":"win"}'
	pb-sim --wait-start --wav "$dir/a.wav" testdata/flat.jsonl - >"$dir/out" \
		<<<"$win"$'\n{"type":"cmd","t":2.5,"name":"x"}'
	# No records were asked for.
	run ! grep -q '"sound"' "$dir/out"
	n=$((5 * 44100 / 2))
	[ "$(wc -c <"$dir/a.wav")" = $((44 + 2 * n)) ]
	[ "$(head -c 4 "$dir/a.wav")$(tail -c +9 "$dir/a.wav" | head -c 8)" = \
		"RIFFWAVEfmt " ]
	[ "$(od -An -tu4 -j 4 -N 4 "$dir/a.wav" | xargs)" = $((36 + 2 * n)) ]
	[ "$(od -An -tu2 -j 20 -N 4 "$dir/a.wav" | xargs)" = "1 1" ]
	[ "$(od -An -tu4 -j 24 -N 8 "$dir/a.wav" | xargs)" = "44100 88200" ]
	[ "$(od -An -tu2 -j 32 -N 4 "$dir/a.wav" | xargs)" = "2 16" ]
	[ "$(od -An -tu4 -j 40 -N 4 "$dir/a.wav" | xargs)" = $((2 * n)) ]
	at=0
	for note in 262:15 330:15 392:15 523:20 784:40; do
		len=$((441 * ${note#*:}))
		[ "$(loudest "$dir/a.wav" $at $len 262 330 392 440 523 784)" = \
			"${note%:*}" ]
		at=$((at + len))
	done
	# Behind the tune there is silence.
	[ "$(tail -c +$((45 + 2 * at)) "$dir/a.wav" | tr -d '\0' | wc -c)" = 0 ]
}

@test "a WAV file plays elsewhere, and again after other sounds" {
	command -v python3 >/dev/null || skip "no python3"
	pb-sim -r roomba -s 3 --wav "$dir/a.wav" >"$dir/out"
	python3 - "$dir/a.wav" <<-'END'
		import sys, wave
		w = wave.open(sys.argv[1])
		assert w.getparams()[:3] == (1, 2, 44100), w.getparams()
		s = memoryview(w.readframes(w.getnframes())).cast("h")
		assert len(s) == w.getnframes() > 44100
		assert max(s) > 15000 and min(s) < -15000
		assert max(abs(a - b) for a, b in zip(s, s[1:])) < 2500
	END
}

@test "a pipe takes sounds as they come, with a header of open length" {
	mkfifo "$dir/wav"
	cat "$dir/wav" >"$dir/got" &
	pid=$!
	pb-sim --wait-start --wav "$dir/wav" testdata/flat.jsonl - >"$dir/out" \
		<<<$'{"type":"event","t":0,"name":"pellet"}\n{"type":"cmd","t":1,"name":"x"}'
	wait $pid
	[ "$(od -An -tu4 -j 40 -N 4 "$dir/got" | xargs)" = 4294967295 ]
	[ $(($(wc -c <"$dir/got") - 44)) -ge $((2 * 44100)) ]
}

@test "with an option of a game it is the feedback of a game" {
	pb-sim -r pacmanbot -a -m testdata/flat.jsonl --wav "$dir/a.wav" \
		-p nearest >"$dir/a"
	pb-sim -a -m testdata/flat.jsonl --wav "$dir/b.wav" -p nearest |
		cmp - "$dir/a"
	cmp "$dir/a.wav" "$dir/b.wav"
	pb-sim -p nearest --feedback --autostart testdata/flat.jsonl |
		jq -se 'any(.type == "light")' && pb-sim --feedback testdata/flat.jsonl |
		cmp - testdata/flat.jsonl
}

@test "full disks, closed pipes, garbage, options that do not go together" {
	event win 0 >"$dir/in"
	run -3 pb-sim -r roomba -s 3 --wav /dev/full
	run -3 pb-sim -r roomba -s 3 --wav "$dir/no/such/dir.wav"
	[ ! -e "$dir/no" ]
	run -3 bash -c "pb-sim --feedback $dir/in >/dev/full"
	(
		trap '' PIPE
		event "game over" 0
		echo '{"type":"pose","t":3000,"x":0,"y":0}'
	) | pb-sim --feedback 2>"$dir/err" | head -n 1 >"$dir/out"
	[ ! -s "$dir/err" ]
	head -c 5000 /dev/urandom >"$dir/noise"
	run -1 pb-sim --feedback "$dir/noise"
	run -1 pb-sim --feedback <(echo '{"type":"event","t":1}')
	[[ "$output" == *"event.name: expected"* ]]
	run -1 pb-sim --feedback <(
		echo '{"type":"sound","name":"x","notes":[[1,2],[3]]}')
	[[ "$output" == *"sound.notes[1]: expected"* ]]
	run -2 pb-sim --feedback --set spacing=x
	run -2 pb-sim -p search --wav "$dir/a.wav"
	[[ "$output" == *"--policy: expected seed, nearest, safe, oracle"* ]]
	[[ "$output" == *'"search" plays pacbot' ]]
	run -2 pb-sim --wav -
	run -2 pb-sim -r pacbot --replay --feedback
	(echo '{"type":"event"}' && cat "$dir/in") >"$dir/two"
	run -1 pb-sim -k --feedback "$dir/two"
	[[ "$output" == *'"sound"'* ]]
}

@test "a signal switches off at once" {
	mkfifo "$dir/in"
	pb-sim --feedback "$dir/in" >"$dir/out" &
	pid=$!
	exec 7>"$dir/in"
	event "start theatrical" 1 >&7
	echo '{"type":"other","t":2}' >&7
	for _ in $(seq 100); do
		grep -q '"other"' "$dir/out" && break
		sleep 0.05
	done
	kill -TERM $pid
	wait $pid || true
	exec 7>&-
	[ "$(tail -n 2 "$dir/out" | jq -r '"\(.t) \(.name)"' | sort |
		paste -sd,)" = "2 off,2 stop" ]
}

@test "the ring is drawn, in its colours where there are some" {
	led() { printf '[%s]' "$1"; }
	(
		cat testdata/flat.jsonl
		printf '{"type":"light","t":1,"name":"x","leds":[%s]}\n' \
			"$(for c in 255,180,0 140,0,0 0,80,255 0,0,0 255,60,180 \
				255,80,0; do led $c; done | sed 's/\]\[/],[/g')"
	) >"$dir/in"
	LC_ALL=C pb-mapgen --render --color never --width 70 "$dir/in" |
		head -n 1 | grep -qF '  ooo.oo  '
	LC_ALL=C.UTF-8 TERM=xterm pb-mapgen --render \
		--style half --color always --width 70 "$dir/in" | head -n 1 |
		sed 's/\x1b\[/E/g' >"$dir/out"
	grep -q 'E38;5;[0-9]*m●E38;5;88m●E38;5;27m●E38;5;[0-9]*m○E38;5;[0-9]*m●E38;5;202m●' "$dir/out"
	# Where nothing is lit there is no ring.
	pb-mapgen --render --color never --width 70 testdata/flat.jsonl |
		head -n 1 >"$dir/out"
	run ! grep -qF '......' "$dir/out"
	pb-mapgen --png "$dir/a.png" "$dir/in"
	pb-mapgen --png "$dir/b.png" testdata/flat.jsonl
	run ! cmp -s "$dir/a.png" "$dir/b.png"
}
