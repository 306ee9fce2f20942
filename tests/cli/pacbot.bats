#!/usr/bin/env bats
# pacbot.bats - the official Pacbot game: recordings, frames, play.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	PATH="$PWD/${O:-build}:$PATH"
	dir=$BATS_TEST_TMPDIR
	power=testdata/pacbot/power.jsonl.gz
	set -o pipefail
}

sim() { pb-sim -r pacbot "$@"; }

# Status $1, nothing but the line $2 on stderr: of sim -q ARG ... <$dir/in
refused() {
	local st=0 want=$1 line=$2
	shift 2
	sim -q "$@" <"$dir/in" >"$dir/out" 2>"$dir/err" || st=$?
	echo "status $st: $(cat "$dir/err")"
	[ "$st" -eq "$want" ] && [ "$(cat "$dir/err")" = "pb-sim: $line" ]
}

# Change line $1 of the power recording with the jq program $2.
mutate() {
	zcat $power | jq -c "if input_line_number == $1 then $2 else . end" \
		>"$dir/in"
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

@test "a recording is made again byte for byte" {
	sim -p power --ticks-per-cell 4 --record 2400 -s 1 |
		cmp - <(zcat $power)
	sim -p random --ticks-per-cell 3 --record 1500 --odd 0.06 -s 2 |
		cmp - <(zcat testdata/pacbot/odd.jsonl.gz)
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
	line=$(zcat $power | jq 'select((.cmds | length) > 0) |
		input_line_number' | sed -n 50p)
	mutate "$line" '.post |= .[:316] + "07"'
	! sim --replay <"$dir/in" 2>"$dir/err"
	grep -q "<stdin>:$line: .*: post byte 158: expected 0x07" "$dir/err"
	line=$(zcat $power | jq 'select((.draws | length) > 0) |
		input_line_number' | sed -n 1p)
	mutate "$line" '.draws = .draws[1:]'
	! sim --replay <"$dir/in" 2>"$dir/err"
	grep -q "<stdin>:$line: .*: draws\[" "$dir/err"
	mutate "$line" '.draws += [[0,1,0]]'
	! sim --replay <"$dir/in" 2>"$dir/err"
	grep -q "<stdin>:$line: .*: number of draws: expected" "$dir/err"
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

@test "options of other rules and modes that do not go together are refused" {
	: >"$dir/in"
	refused 2 "--odd: goes with --record" --replay --odd 0.1
	refused 2 "--dt: an option of the rules pacmanbot, not pacbot" --replay --dt 0.1
	refused 2 "--preset: an option of the rules pacmanbot, not pacbot" --replay --preset published
	refused 2 "--spawn-at: an option of the rules pacmanbot, not pacbot" --replay --spawn-at 1,1
	run ! --separate-stderr pb-sim --nodes 3 testdata/flat.jsonl
	[ "$status" -eq 2 ]
	[ "$stderr" = "pb-sim: --nodes: an option of the rules pacbot, not pacmanbot" ]
}

@test "boards that cannot be played on are refused" {
	board() { pb-mapgen pacman | jq -c "$1" >"$dir/board"; }
	: >"$dir/in"
	board '.rows[23] = "############################"'
	refused 1 "$dir/board: maze: Pac-Man's start (23, 13) is a wall" \
		--record 9 -m "$dir/board"
	board '.rows |= map(gsub("[.o]"; " "))'
	refused 1 "$dir/board: maze: expected 1 to 255 pellets" \
		--record 9 -m "$dir/board"
	board '.type = "pose2"'
	refused 1 "$dir/board: expected a maze record, got none" \
		--record 9 -m "$dir/board"
	board .
	sim --record 99 -m "$dir/board" | cmp - <(sim --record 99)
}
