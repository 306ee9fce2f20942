#!/usr/bin/env bats
# conform.bats - recordings of the official Pacbot game: made, replayed,
# compared; what was changed in them is found.

load pacbot

setup_file() {
	zcat "$BATS_TEST_DIRNAME/../../testdata/pacbot/power.jsonl.gz" \
		>"$BATS_FILE_TMPDIR/power"
}

setup() {
	here
	power=$BATS_FILE_TMPDIR/power
	set -o pipefail
}

# Change line $1 of the power recording with the jq program $2.
mutate() {
	{
		head -n $(($1 - 1)) "$power"
		sed -n "$1p" "$power" | jq -c "$2"
		tail -n +$(($1 + 1)) "$power"
	} >"$dir/in"
}

@test "the official engine's recordings agree in every field and frame" {
	[ -d ../shared/data/pacbot-golden ] ||
		skip "no recordings of the official engine here"
	sim --replay ../shared/data/pacbot-golden/*.gz >"$dir/out"
	[ "$(jq -c 'select(.agree | not)' "$dir/out")" = "" ]
	[ "$(wc -l <"$dir/out")" -ge 12 ]
	sim --conform ../shared/data/pacbot-golden/*.gz | cmp - "$dir/out"
}

@test "our own recordings agree" {
	sim --replay testdata/pacbot/*.gz >"$dir/out"
	[ "$(jq -c '.agree' "$dir/out" | sort | uniq -c | tr -d ' ')" = 5true ]
	jq -es 'map(.deaths) | add > 3' "$dir/out"
	jq -es 'map(.eaten) | add > 10' "$dir/out"
	jq -es 'map(.levels) | add > 2' "$dir/out"
	jq -es 'map(.resets) | add > 0' "$dir/out"
	jq -es 'map(.draws) | add > 300' "$dir/out"
}

# All but the version of the engine that recorded.
unversioned() { sed '1s/"engine":"pb [0-9.]*"/"engine":"pb"/'; }

@test "a recording is made again byte for byte" {
	sim -p power --ticks-per-cell 4 --record 2400 -s 1 | unversioned |
		cmp - <(unversioned <"$power")
	sim -p random --ticks-per-cell 3 --record 1500 --odd 0.06 -s 2 |
		unversioned |
		cmp - <(zcat testdata/pacbot/odd.jsonl.gz | unversioned)
}

@test "a change of any field is found where it is" {
	mutate 300 '.modeSteps += 1'
	want=$(sed -n 300p "$dir/in" | jq -r .modeSteps)
	tick=$(sed -n 300p "$dir/in" | jq -r .tick)
	refused 1 "<stdin>:300: tick $tick: modeSteps: expected $want, got $((want - 1))" --replay
	refused 1 "<stdin>:300: tick $tick: modeSteps: expected $((want - 1)), got $want" --conform
	jq -e "(.agree | not) and .line == 300 and .field == \"modeSteps\"" \
		"$dir/out"
	for f in upd period mode lastMode pauseOnUpdate levelSteps score level \
		lives combo pellets fruitSteps 'pac[2]' 'ghosts[3].loc[0]' \
		'ghosts[1].next[2]' 'ghosts[0].trap' 'ghosts[2].fright' \
		'ghosts[0].spawn' 'ghosts[3].eaten' postPauseOnUpdate; do
		mutate 200 ".$f += 1"
		! sim --replay <"$dir/in" >"$dir/out" 2>"$dir/err"
		echo "$f: $(cat "$dir/err")"
		grep -qF "<stdin>:200: tick" "$dir/err"
		grep -qF ": $f: expected" "$dir/err"
	done
}

@test "a change of a frame or of the draws is found where it is" {
	mutate 200 '.ser |= "ff" + .[2:]'
	! sim --replay <"$dir/in" 2>"$dir/err"
	grep -q '<stdin>:200: .*: ser byte 0: expected 0xff, got 0x' "$dir/err"
	line=$(jq 'select((.cmds | length) > 0) | input_line_number' "$power" |
		sed -n 50p)
	mutate "$line" '.post |= .[:316] + "07"'
	! sim --replay <"$dir/in" 2>"$dir/err"
	grep -q "<stdin>:$line: .*: post byte 158: expected 0x07" "$dir/err"
	line=$(grep -nm 1 '"draws":\[\[' "$power" | cut -d : -f 1)
	mutate "$line" '.draws = .draws[1:]'
	! sim --replay <"$dir/in" 2>"$dir/err"
	grep -q "<stdin>:$line: .*: draws\[" "$dir/err"
	mutate "$line" '.draws += [[0,1,0]]'
	! sim --replay <"$dir/in" 2>"$dir/err"
	grep -q "<stdin>:$line: .*: number of draws: expected" "$dir/err"
}

# A recording without draws, of a line for each update, as $dir/blind.
blind() {
	jq -c 'if .meta then .meta.draws = false
		else del(.draws) end | '"${1:-.}" "$power" >"$dir/blind"
}

@test "a recording without draws: ghosts turn as it has them" {
	for part in . 'del(.ghosts)' 'del(.ser, .post)'; do
		blind "$part"
		sim --replay "$dir/blind" >"$dir/out"
		jq -e '.agree and .eaten > 5 and .draws == 0' "$dir/out"
	done
	blind 'del(.ghosts)'
	sim --conform "$dir/blind" | jq -e .agree
	jq -c 'del(.draws)' "$power" >"$dir/in"
	! sim -q --replay <"$dir/in" >"$dir/out" 2>"$dir/err"
	grep -q ': draws.0.: expected no draw, got ghost ' "$dir/err"
}

@test "a turn that no frightened ghost makes is found, and a missing update" {
	# One that turned back while frightened, two updates after the pellet.
	blind 'del(.ser, .post)'
	line=$(jq 'select((.ghosts // [])[2].fright == 35) |
		input_line_number' "$dir/blind" | head -n 1)
	jq -c "if input_line_number == $line
		then .ghosts[2].loc[2] |= (. + 2) % 4 else . end" \
		"$dir/blind" >"$dir/in"
	! sim -q --replay <"$dir/in" >"$dir/out" 2>"$dir/err"
	grep -q "<stdin>:$line: .* ghosts.2..loc.2.: expected" "$dir/err"
	jq -c "select(input_line_number != $line) |
		if .ghosts then .ghosts |= map(del(.next)) else . end" \
		"$dir/blind" >"$dir/in"
	! sim -q --replay <"$dir/in" >"$dir/out" 2>"$dir/err"
	cat "$dir/err"
	grep -q ":$line: conformance: expected the ghosts of iteration [0-9]*, for want of draws" "$dir/err"
}

@test "without power pellets or ghosts there are no draws" {
	pb-mapgen pacman | jq -c '.rows |= map(gsub("o"; "."))' >"$dir/plain"
	sim -m "$dir/plain" -p flee --record 3000 |
		jq -c 'if .meta then . else del(.draws) end' >"$dir/in"
	sim -m "$dir/plain" --conform "$dir/in" | jq -e '.agree and .updates > 100'
	sim --ghosts 0 -p greedy --record 3000 | jq -c 'del(.draws)' >"$dir/in"
	sim --conform "$dir/in" | jq -e '.agree and .levels > 0'
}

@test "what is no recording is refused with its place" {
	: >"$dir/in"
	refused 1 "<stdin>: no lines" --replay
	echo '{"it":3}' >"$dir/in"
	refused 1 "<stdin>:1: conformance.ser: missing" --conform
	printf '{"it":3}\n{"it":3}\n' >"$dir/in"
	refused 1 "<stdin>:2: conformance.it: expected more than 3, that of the line before, got 3" --replay
	echo '{"it":2000000000}' >"$dir/in"
	refused 1 "<stdin>:1: conformance.it: expected at most 10000000 iterations after -1, got 2000000000" --replay
	echo '{"it":0,"ser":"00"}' >"$dir/in"
	refused 1 '<stdin>:1: conformance.ser: expected 318 hex digits, got a string' --replay
	echo '{"it":0,"cmds":[""]}' >"$dir/in"
	refused 1 '<stdin>:1: conformance.cmds[0]: expected at most 64 commands of 1 to 8 bytes, as text or "hex:", got a string' --replay
	echo '{"it":0,"draws":[[0,1,1]]}' >"$dir/in"
	refused 1 '<stdin>:1: conformance.draws[0]: expected [ghost 0..3, bound 1..4, value], got an array of 3' --replay
	printf '{"it":0}\n{"meta":{}}\n' >"$dir/in"
	refused 1 "<stdin>:2: conformance.meta: expected on the first line only" --replay
}

# What a server sends that is given the commands $1, one a frame, as $dir/capture.
capture() {
	printf "$1" | pb-sim -q --serve --lockstep -s 3 >"$dir/capture"
}

# The commands of the power recording, a place, pauses and new games among them.
session() {
	jq -r '.cmds // [] | if length == 0 then "." else .[] end' "$power" |
		awk 'NR == 40 { printf "p..P" } NR == 90 { printf "rP" }
			NR == 200 { printf "pP" } NR == 300 { printf "R." }
			{ printf "%s", $0 } END { print "" }'
}

@test "a capture of a server's frames is judged, whatever was sent" {
	capture "$(session)"
	sim --conform "$dir/capture" >"$dir/out"
	jq -e '.agree and .resets == 2 and .gaps == 0 and .commands > 100 and
		.frames == .lines and .compared.tick == .lines and
		.compared.upd == 0 and .compared["ghosts.loc"] == 4 * .lines' \
		"$dir/out"
	sim --replay <"$dir/capture" | jq -e .agree
	gzip <"$dir/capture" | sim --conform | jq -e .agree
	# A place of its own, a jump, several moves at once.
	capture 'Px\027\012x\001\001ds.wwx\035\032.'
	sim --conform "$dir/capture" | jq -e '.agree and .commands >= 6'
	for o in "--ghosts 2" "--ghosts 0" "--lives 1"; do
		# shellcheck disable=SC2086 # words
		session | pb-sim -q --serve --lockstep $o >"$dir/capture"
		sim --conform "$dir/capture" | jq -e .agree
	done
}

@test "a capture of a part, and one with gaps" {
	capture "$(session)"
	tail -c $((159 * 700)) "$dir/capture" | sim --conform |
		jq -e '.agree and .lines == 700 and .frames == 699'
	{ head -c $((159 * 500)) "$dir/capture" &&
		tail -c +$((159 * 520 + 1)) "$dir/capture"; } >"$dir/in"
	sim --conform <"$dir/in" | jq -e '.agree and .gaps == 1'
	head -c $((159 * 500 + 60)) "$dir/capture" >"$dir/in"
	refused 1 "<stdin>:501: the frame is cut off after 60 of 159 bytes" --conform
	[ ! -s "$dir/out" ]
}

@test "a byte of a capture that is wrong is found where it is" {
	capture "$(session)"
	flip() { # BYTE of frame 121, by exclusive or 1
		cp "$dir/capture" "$dir/in"
		local at=$((159 * 120 + $1)) b
		b=$(od -An -tu1 -j$at -N1 "$dir/in")
		# shellcheck disable=SC2059 # an octal byte
		printf "\\$(printf %o $((b ^ 1)))" |
			dd of="$dir/in" bs=1 seek=$at conv=notrunc status=none
		! sim -q --conform <"$dir/in" >"$dir/out" 2>"$dir/err"
		cat "$dir/err"
		grep -q "^pb-sim: <stdin>:121: tick $tick: $2: expected" "$dir/err"
		jq -e '(.agree | not) and .line == 121' "$dir/out"
	}
	tick=$(pb-sim --from-wire "$dir/capture" |
		jq 'select(.type == "tick").tick' | sed -n 121p)
	for f in 0,tick 1,tick 2,period 3,mode 4,modeSteps 6,levelSteps \
		9,score 10,level 11,lives 12,combo '13,ghosts.0..loc.0.' \
		'18,ghosts.1..loc.1.' '23,ghosts.2..fright' \
		'28,ghosts.3..trap' 33,fruitSteps '5,frame byte 5' 40,pellets; do
		flip "${f%%,*}" "${f#*,}"
	done
}

@test "fields that no recording has, and recordings of nothing" {
	echo '{"it":0,"scoer":3}' >"$dir/in"
	refused 1 '<stdin>:1: conformance.scoer: recordings have no such field; did you mean "score"?' --replay
	echo '{"it":0,"ghosts":[{"lock":[1,2,3]}]}' >"$dir/in"
	refused 1 '<stdin>:1: conformance.ghosts[0].lock: recordings have no such field; did you mean "loc"?' --conform
	echo '{"meta":{"name":"all others are free"}}' >"$dir/in"
	refused 1 "<stdin>: nothing to compare" --replay
	printf '{"meta":{}}\n{"it":0}\n' >"$dir/in"
	refused 1 "<stdin>: nothing to compare" --replay
	sim --replay "$power" | jq -e '.compared.score == .lines - 1 and
		.compared["ghosts.next"] == 4 * (.lines - 1)'
}

@test "what the official server sent agrees without its recordings' commands" {
	[ -d ../shared/data/pacbot-golden ] ||
		skip "no recordings of the official engine here"
	for f in ../shared/data/pacbot-golden/*.gz; do
		zcat "$f" | jq -r '.ser // empty' | xxd -r -p |
			sim --conform | jq -e .agree
	done
}

@test "the frames of the recordings are read" {
	[ -d ../shared/data/pacbot-golden ] ||
		skip "no recordings of the official engine here"
	zcat ../shared/data/pacbot-golden/t05*.gz | jq -r '.ser // empty' >"$dir/hex"
	xxd -r -p "$dir/hex" | sim --from-wire >"$dir/out"
	[ "$(jq -r 'select(.type == "tick") | "\(.tick) \(.score) \(.left)"' "$dir/out")" = \
		"$(zcat ../shared/data/pacbot-golden/t05*.gz |
			jq -r 'select(.ser) | "\(.tick) \(.score) \(.pellets)"')" ]
}
