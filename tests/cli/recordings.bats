#!/usr/bin/env bats
# recordings.bats - recorded games of Pacbot, played again and compared: all
# agree, and what was changed in them is found.

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

# What is wrong with $dir/in: the one line on stderr begins with $1.
found() {
	run -1 --separate-stderr sim -q --replay "$dir/in"
	echo "$stderr"
	[[ "$stderr" == "pb-sim: $dir/in:$1"* ]]
	[ "${#stderr_lines[@]}" = 1 ]
}

@test "the official engine's recordings agree in every field and frame" {
	[ -d ../shared/data/pacbot-golden ] ||
		skip "no recordings of the official engine here"
	pb-sim --replay ../shared/data/pacbot-golden/*.gz >"$dir/out"
	[ "$(jq -c 'select(.agree | not)' "$dir/out")" = "" ]
	[ "$(wc -l <"$dir/out")" -ge 12 ]
	jq -es '(map(.compared) | add) > 1e6 and (map(.draws) | add) > 1500' \
		"$dir/out"
}

# Of 5,000 iterations in all, with deaths, eaten ghosts, new levels, pauses,
# places and new games.
@test "the project's own recordings agree" {
	sim --replay testdata/pacbot/*.gz >"$dir/out"
	[ "$(jq -c '.agree' "$dir/out" | sort | uniq -c | tr -d ' ')" = 5true ]
	jq -es '(map(.draws) | add) > 300 and (map(.commands) | add) > 3000 and
		(map(.frames) | add) > 5000 and
		(map(.compared) | add) > 200000' "$dir/out"
	sim --replay <"$power" | jq -e '.agree and .file == "<stdin>"'
}

@test "a change of any field is found where it is" {
	mutate 300 '.modeSteps += 1'
	want=$(sed -n 300p "$dir/in" | jq -r .modeSteps)
	tick=$(sed -n 300p "$dir/in" | jq -r .tick)
	refused 1 "<stdin>:300: tick $tick: modeSteps: expected $want, got $((want - 1))" --replay
	jq -e "(.agree | not) and .line == 300 and .field == \"modeSteps\"" \
		"$dir/out"
	tick=$(sed -n 200p "$power" | jq -r .tick)
	for f in upd period mode lastMode pauseOnUpdate levelSteps score level \
		lives combo pellets fruitSteps 'pac[2]' 'ghosts[3].loc[0]' \
		'ghosts[1].next[2]' 'ghosts[0].trap' 'ghosts[2].fright' \
		'ghosts[0].spawn' 'ghosts[3].eaten' postPauseOnUpdate; do
		mutate 200 ".$f += 1"
		found "200: tick $tick: $f: expected "
	done
	mutate 200 '.tick += 1'
	found "200: tick $tick: tick: expected "
}

@test "a change of a frame, of the draws or of a command is found" {
	mutate 200 '.ser |= "ff" + .[2:]'
	found "200: tick $(sed -n 200p "$power" | jq .tick): ser byte 0: expected 0xff, got 0x"
	line=$(jq 'select((.cmds | length) > 0) | input_line_number' "$power" |
		sed -n 50p)
	tick=$(sed -n "${line}p" "$power" | jq .tick)
	mutate "$line" '.post |= .[:316] + "07"'
	found "$line: tick $tick: post byte 158: expected 0x07"
	mutate "$line" '.cmds = ["p"]'
	found "$line: tick $tick: post byte 3: expected "
	line=$(grep -nm 1 '"draws":\[\[' "$power" | cut -d : -f 1)
	mutate "$line" '.draws = .draws[1:]'
	found "$line: tick "
	[[ "$stderr" == *": draws["*"]: expected another draw, got ghost "* ]]
	mutate "$line" '.draws += [[0,1,0]]'
	found "$line: tick "
	[[ "$stderr" == *": number of draws: expected "* ]]
	mutate "$line" '.draws[0][2] = 9'
	found "$line: tick "
	jq -c 'del(.draws)' "$power" >"$dir/in"
	found "$line: tick "
	[[ "$stderr" == *': draws[0]: expected no draw, got ghost '* ]]
}

@test "without power pellets there are no draws; what is left out is not compared" {
	zcat testdata/pacbot/levels.jsonl.gz | jq -c 'del(.draws, .ghosts)' |
		sim --replay | jq -e '.agree and .draws == 0'
	jq -c 'if .meta then . else {it, cmds, draws, ser} end' "$power" |
		sim --replay | jq -e '.agree and .compared == .frames and
			.frames == .lines - 1'
	# An iteration that is left out is played, but for its commands.
	jq -c 'select(.meta or .it != 0)' "$power" >"$dir/in"
	found "2: tick 0: "
}

@test "what is no recording is refused with its place" {
	: >"$dir/in"
	refused 1 "<stdin>: nothing to compare" --replay
	printf '{"it":3}\n{"it":3}\n' >"$dir/in"
	refused 1 "<stdin>:2: conformance.it: expected a whole number from 4 to 10000003, got 3" --replay
	echo '{"it":2000000000}' >"$dir/in"
	refused 1 "<stdin>:1: conformance.it: expected a whole number from 0 to 9999999, got 2000000000" --replay
	echo '{"it":0,"ser":"00"}' >"$dir/in"
	refused 1 '<stdin>:1: conformance.ser: expected 318 hex digits, got a string' --replay
	for c in '""' 3 '"hex:"' '"hex:7"' '"hex:7g"' '"123456789"' \
		'"hex:010203040506070809"'; do
		echo '{"it":0,"cmds":['"$c"']}' >"$dir/in"
		found '1: conformance.cmds[0]: expected a command of 1 to 8 bytes, as text or "hex:", got '
	done
	jq -nc '{it: 0, draws: [range(64) | [0, 1, 0]]}' >"$dir/in"
	found '1: conformance.draws: expected fewer than 64 draws'
	jq -nc '{it: 0, ghosts: [range(5) | {}]}' >"$dir/in"
	found '1: conformance.ghosts[4]: expected at most 4 ghosts'
	printf '{"it":0}\n{"meta":{}}\n' >"$dir/in"
	refused 1 "<stdin>:2: conformance.meta: expected the first line only, got an object" --replay
	echo '{"it":0,"scoer":3}' >"$dir/in"
	refused 1 '<stdin>:1: conformance.scoer: recordings have no such field' --replay
	echo '{"it":0,"ghosts":[{"lock":[1,2,3]}]}' >"$dir/in"
	refused 1 '<stdin>:1: conformance.ghosts[0].lock: recordings have no such field' --replay
	echo '{"meta":{"name":"all others are free"}}' >"$dir/in"
	refused 1 "<stdin>: nothing to compare" --replay
	printf '{"meta":{}}\n{"it":0}\n' >"$dir/in"
	refused 1 "<stdin>: nothing to compare" --replay
}
