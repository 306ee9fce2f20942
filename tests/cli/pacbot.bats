#!/usr/bin/env bats
# pacbot.bats - the official Pacbot game: recordings, frames, play.

bats_require_minimum_version 1.5.0

# The power recording and a match of search, which many tests look at.
setup_file() {
	cd "$BATS_TEST_DIRNAME/../.."
	PATH="$PWD/${O:-build}:$PATH"
	zcat testdata/pacbot/power.jsonl.gz >"$BATS_FILE_TMPDIR/power"
	pb-sim -r pacbot -p search -s 3 >"$BATS_FILE_TMPDIR/search"
	pb-sim -r pacbot -p power -s 3 >"$BATS_FILE_TMPDIR/match"
	pb-sim -r pacbot -p power -s 3 --wire >"$BATS_FILE_TMPDIR/wire"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	PATH="$PWD/${O:-build}:$PATH"
	dir=$BATS_TEST_TMPDIR
	power=$BATS_FILE_TMPDIR/power
	search=$BATS_FILE_TMPDIR/search
	match=$BATS_FILE_TMPDIR/match
	wire=$BATS_FILE_TMPDIR/wire
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

@test "a recording is made again byte for byte" {
	sim -p power --ticks-per-cell 4 --record 2400 -s 1 |
		cmp - "$power"
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

# Status of sim with the words "$*" on a board that is none: 1 if the command
# line is accepted, 2 if not; the first line of what was said is in $said.
accepts() {
	local st=0
	# shellcheck disable=SC2086 # words
	sim -q -m "$dir/none" $* <"$dir/none" >"$dir/out" 2>"$dir/err" || st=$?
	read -r said <"$dir/err"
	echo "$*: status $st: $said"
	return "$st"
}

@test "an option has an effect on what is done, or it is refused" {
	local mode flag opt value modes st
	: >"$dir/none"
	cat >"$dir/table" <<-'EOF'
		policy greedy match wire record answer
		seed 5 match script agent wire record answer
		trial 5 match script agent wire record answer
		ticks-per-cell 5 match script agent wire record answer
		ghosts 2 match script agent wire record answer
		nodes 500 match script agent wire record answer
		turn-ticks 2 match script agent wire answer
		camera-delay 2 match script agent wire answer
		wrong-cell 0.1 match script agent wire answer
		lives 2 match script agent wire answer
		levels 2 match script agent wire answer
		heat heat.png match script agent wire
		ghost true match script agent wire
		swarm - match script agent wire
		odd 0.1 record
		keep-going - script answer
		rejects rejects script answer
		sensors odom match script agent
		feedback - match script agent
		wav sounds.wav match script agent
		provenance - match script agent record replay conform from-wire answer
		end - match script agent record replay conform from-wire answer
	EOF
	while read -r mode flag; do
		while read -r opt value modes; do
			[[ $value != *.png && $value != *.wav ]] ||
				value=$dir/$value
			[ "$value" != - ] || value=
			st=0
			accepts "--$opt" $value ${flag//NONE/$dir/none} || st=$?
			if [[ " $modes " = *" $mode "* ]]; then
				[ "$st" -eq 1 ]
			else
				[ "$st" -eq 2 ]
				[[ $said = "pb-sim: --$opt: goes with "* ]]
			fi
		done <"$dir/table"
	done <<-'EOF'
		match
		script NONE
		agent --agent true
		wire --wire
		record --record 9
		replay --replay
		conform --conform NONE
		from-wire --from-wire
		answer --answer
	EOF
	# All others are of all modes, modes themselves, or of other rules.
	table="
$(cat "$dir/table")"
	pb-sim --dump-options | cut -f 2,4 | sort -u | while read -r opt value; do
		[[ $table != *"
$opt "* ]] || continue
		case $opt in
		rules | map | quiet | line-buffered | list | help | version | \
			dump-options | play | interactive | command | \
			script | replay | conform | record | \
			wire | from-wire | agent | answer) continue ;;
		esac
		[ "$value" != flag ] && value=1 || value=
		st=0
		accepts "--$opt" $value || st=$?
		[ "$st" -eq 2 ]
		[[ $said = "pb-sim: --$opt"* ]]
	done
}

# Whether two files differ, their last lines apart.
differ() {
	local st=0
	cmp -s <(head -n -1 "$1") <(head -n -1 "$2") || st=$?
	[ "$st" -eq 1 ]
}

@test "each constant changes the game" {
	sim -p flee >"$dir/match"
	sim -p flee --record 2000 >"$dir/record"
	for a in "-s 5" "-t 5" "--ticks-per-cell 5" "--ghosts 2" "-p power"; do
		echo "$a"
		# shellcheck disable=SC2086 # words
		differ "$dir/match" <(sim -p flee $a)
		# shellcheck disable=SC2086 # words
		differ "$dir/record" <(sim -p flee --record 2000 $a)
	done
	for a in "--turn-ticks 2" "--camera-delay 9" "--wrong-cell 0.5" \
		"--lives 2"; do
		echo "$a"
		# shellcheck disable=SC2086 # words
		differ "$dir/match" <(sim -p flee $a)
	done
	cleared="-p power --ticks-per-cell 4 -s 3"
	# shellcheck disable=SC2086 # words
	differ <(sim $cleared --levels 2) <(sim $cleared)
	differ <(sim -p search --nodes 500) <(sim -p search --nodes 900)
}

@test "what is read is not played: pb-bench --from" {
	pb-bench -q -r pacbot -p flee -n 2 >"$dir/r"
	pb-bench -q -r pacbot -f -s 3 "$dir/r" >"$dir/out"
	for a in "-p flee" "-n 3" "-j 1" "--shard 1/2" "--lives 2" "--nodes 9" \
		"--vary lives=1,2"; do
		# shellcheck disable=SC2086 # words
		run ! --separate-stderr pb-bench -q -r pacbot -f $a "$dir/r"
		echo "$a: $stderr"
		[ "$status" -eq 2 ]
		[[ "$stderr" = *": goes with games that are played, not read" ]]
		[ -z "$output" ]
	done
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

@test "a match: board, ticks, moves, a result; the same bytes again" {
	sim -p power -s 3 | cmp - "$match"
	[ "$(head -n 1 "$match" | jq -r .type)" = maze ]
	[ "$(jq -r .type "$match" | sort | uniq | tr '\n' ' ')" = "event maze move result tick " ]
	jq -r 'select(has("t")).t' "$match" | sort -cg
	[ "$(grep -c '"type":"move"' "$match")" = \
		"$(tail -n 1 "$match" | jq .decisions)" ]
	[ "$(grep '"type":"tick"' "$match" | tail -n 1 | jq -c '[.score, .lives, .left]')" = \
		"$(tail -n 1 "$match" | jq -c '[.score, 3 - .deaths, .pellets_total - .pellets]')" ]
	! sim -p power -s 4 | cmp -s - "$match"
}

@test "search clears a level that greedy does not" {
	tail -n 1 "$search" | jq -e '.outcome == "cleared" and .success and .score > 10000'
	sim -p greedy -s 3 | tail -n 1 | jq -e '.outcome == "caught" and (.success | not)'
}

@test "the built-in and the external form of a player give the same match" {
	real="-s 5 --nodes 1000 --lives 2 --camera-delay 2 --wrong-cell 0.05 --turn-ticks 1"
	for p in random greedy flee power search; do
		# shellcheck disable=SC2086 # words
		sim -p $p $real >"$dir/a"
		# shellcheck disable=SC2086 # words
		sim $real --agent "pb-sim -r pacbot --answer -p $p $real" >"$dir/b"
		cmp <(head -n -1 "$dir/a") <(head -n -1 "$dir/b")
		cmp <(tail -n 1 "$dir/a" | jq -c 'del(.policy)') \
			<(tail -n 1 "$dir/b" | jq -c 'del(.policy)')
	done
}

@test "an agent in another language: always left, in jq" {
	sim --lives 1 --agent 'jq -c --unbuffered \
		"select(.type == \"tick\") | {type: \"move\", dir: \"left\"}"' >"$dir/out"
	[ "$(jq -r 'select(.type == "move").dir' "$dir/out" | sort -u)" = left ]
	jq -e 'select(.type == "result") | .outcome == "caught" and .policy == "agent"' "$dir/out"
}

@test "an agent that dies, hangs or answers garbage forfeits" {
	: >"$dir/in"
	forfeit() { # AGENT MESSAGE
		refused 1 "$1:1: $2" --patience 0.5 --agent "$1"
		tail -n 1 "$dir/out" | jq -e '.outcome == "forfeit" and (.success | not)'
	}
	forfeit true "the agent has ended"
	forfeit 'sleep 9' "the agent gave no answer for 0.5 s"
	forfeit cat "expected a move record, got another"
	forfeit 'echo "{\"type\":\"move\",\"dir\":\"north\"}"; cat >/dev/null' \
		'move.dir: expected up, left, down, right or stop, got "north"'
	forfeit 'head -c 5000 /dev/zero | tr "\0" x; cat >/dev/null' \
		"the agent's answer is over 4096 bytes"
	! sim --agent 'echo garbage; cat >/dev/null' >"$dir/out" 2>"$dir/err"
	grep -q 'garbage; cat >/dev/null:1: not JSON' "$dir/err"
	[ "$(wc -l <"$dir/err")" = 1 ]
}

@test "an agent that answers twice is warned of" {
	sim --lives 1 --agent 'jq -c --unbuffered "select(.type == \"tick\") |
		{type: \"move\", dir: (\"left\", \"right\")}"' \
		>"$dir/out" 2>"$dir/err"
	grep -q 'more answers than questions: old moves were played' "$dir/err"
	tail -n 1 "$dir/out" | jq -e '.outcome == "caught"'
	: >"$dir/in"
	refused 2 "--patience: goes with --ghost, --score, --swarm and --agent" --patience 3
}

@test "an agent is not asked about nonsense" {
	tick() { sed -n 2p "$match" | jq -c "$1" >"$dir/in"; }
	tick 'del(.period)'
	refused 1 "<stdin>:1: tick: a count is missing" --answer
	tick '.bodies[0] |= (.row = 0 | .col = 0)'
	refused 1 "<stdin>:1: tick: pacman is in a wall" --answer
	tick '.rows[0] |= "." + .[1:]'
	refused 1 "<stdin>:1: tick.rows: a pellet where the board has none" --answer
	tick '.bodies[1].id = "clyde"'
	refused 1 '<stdin>:1: tick.bodies[1].id: expected pacman and the ghosts in their order, got "clyde"' --answer
	tick '.bodies[2].row = 99'
	refused 1 "<stdin>:1: tick: pink is off the board" --answer
}

@test "frames out and in again" {
	[ "$(($(wc -c <"$wire") % 159))" = 0 ]
	sim --from-wire "$wire" | jq -c 'select(.type == "tick") |
		del(.t, .pausing) | .bodies[] |= del(.next_row, .next_col, .next_dir)' |
		uniq >"$dir/got"
	# Every state of the trace is among the frames.
	jq -c 'select(.type == "tick") | del(.t, .pausing) |
		.bodies[] |= del(.next_row, .next_col, .next_dir)' "$match" |
		sort -u >"$dir/want"
	[ -z "$(comm -23 "$dir/want" <(sort -u "$dir/got"))" ]
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

@test "a stream of frames that is cut off or no such stream is refused" {
	head -c 400 "$wire" >"$dir/in"
	refused 1 "<stdin>:3: the frame is cut off after 82 of 159 bytes" --from-wire
	[ "$(wc -l <"$dir/out")" = 3 ]
	printf '%0159d' 0 >"$dir/in"
	refused 1 "<stdin>:1: frame byte 3: no server sends 0x30" --from-wire
	: >"$dir/in"
	refused 1 "<stdin>: expected frames, got none" --from-wire
}

@test "modes of a match that do not go together are refused" {
	: >"$dir/in"
	refused 2 "--agent: reads no files" --agent cat "$dir/in"
	refused 2 "--record: reads no files" --record 5 "$dir/in"
	refused 2 "--agent: goes with a match" --answer --agent cat
	refused 2 "--agent: expected a command, got none" --agent ""
	refused 2 "expected one of --replay, --conform, --record, --wire, --from-wire, --answer" --wire --answer
}

@test "a match is drawn" {
	pb-mapgen --png "$dir/final.png" "$search"
	[ "$(head -c 4 "$dir/final.png" | tail -c 3)" = PNG ]
	pb-mapgen --render "$search" >"$dir/text"
	[ "$(wc -l <"$dir/text")" -ge 10 ]
}

@test "pb-bench plays what pb-sim plays" {
	real="--nodes 1000 --lives 2 --ticks-per-cell 6"
	for p in power search; do
		# shellcheck disable=SC2086 # words
		pb-bench -q -r pacbot -p $p -n 3 -s 7 $real |
			jq -c 'select(.type == "result")' >"$dir/a"
		for t in 0 1 2; do
			# shellcheck disable=SC2086 # words
			sim -p $p -s 7 -t $t $real | tail -n 1
		done | cmp - "$dir/a"
	done
}

@test "a benchmark: outcomes, a gate, threads do not matter" {
	bench="pb-bench -q -r pacbot -p search,greedy -n 10 --nodes 1000"
	$bench -j 2 -e 'search:success>=0.9' -e 'search:score>=9500' >"$dir/a"
	$bench -j 1 | cmp - "$dir/a"
	jq -es 'any(.type == "summary" and .policy == "search" and
		.n == 10 and .outcomes.cleared >= 9)' "$dir/a"
	run pb-bench -q -r pacbot -p random -n 5 -e 'success>0.5'
	[ "$status" -eq 4 ]
	pb-bench -q --from -r pacbot "$dir/a" |
		diff - <(jq -c 'select(.type != "result")' "$dir/a")
}

@test "where Pac-Man was is drawn, the same for any number of threads" {
	sim -p flee -s 3 --heat "$dir/one.png" >/dev/null
	pb-bench -q -r pacbot -p flee -n 1 -s 3 --heat "$dir/bench.png" >/dev/null
	[ "$(head -c 4 "$dir/one.png" | tail -c 3)" = PNG ]
	pb-bench -q -r pacbot -p flee -n 9 -j 1 --heat "$dir/a.png" >"$dir/a"
	pb-bench -q -r pacbot -p flee -n 9 -j 3 --heat "$dir/b.png" >"$dir/b"
	cmp "$dir/a.png" "$dir/b.png"
	cmp "$dir/a" "$dir/b"
	! cmp -s "$dir/a.png" "$dir/bench.png"
	run ! --separate-stderr pb-bench -r pacbot -p flee,power --heat "$dir/c"
	[ "$status" -eq 2 ]
	[ "$stderr" = "pb-bench: --heat: expected one player on one board" ]
	run ! --separate-stderr pb-bench -r pacbot -p flee --heat "$dir/no/c"
	[ "$status" -eq 3 ]
	: >"$dir/in"
	refused 2 "--heat: goes with a match" --record 9 --heat "$dir/c"
	[ ! -e "$dir/c" ]
}

@test "the time of decisions is in the table only" {
	pb-bench -q -r pacbot -p search,flee -n 2 --nodes 500 --table --time >"$dir/out"
	grep -q '^player *decisions *mean ms *longest ms$' "$dir/out"
	[ "$(grep -c '^[a-z]* *[0-9]* *[0-9.]* *[0-9.]*$' "$dir/out")" -ge 2 ]
	run ! --separate-stderr pb-bench -r pacbot -p flee -n 2 --time
	[ "$status" -eq 2 ]
	[ "$stderr" = "pb-bench: --time: goes with --table" ]
	run ! --separate-stderr pb-bench -f --time --table "$dir/out"
	[ "$status" -eq 2 ]
}

@test "playing on without a number of levels" {
	pb-bench -q -r pacbot -p power -n 4 --levels 0 --ticks-per-cell 4 >"$dir/out"
	jq -es 'map(select(.type == "result")) | all(.levels >= 0 and
		.success == (.outcome == "survived"))' "$dir/out"
	jq -es 'map(select(.type == "summary"))[0] |
		.levels_mean >= 0 and .deaths_lo <= .deaths_mean and
		.score_lo <= .score_mean and .score_mean <= .score_hi' "$dir/out"
}

@test "boards of a benchmark" {
	pb-mapgen pacman >"$dir/board"
	pb-bench -q -r pacbot -p flee -n 2 >"$dir/a"
	pb-bench -q -r pacbot -p flee -n 2 -m "$dir/board" | cmp - "$dir/a"
	pb-bench -q -r pacbot -p flee -n 2 - <"$dir/board" | cmp - "$dir/a"
	jq -c '.rows[5] |= gsub("[.]"; " ")' "$dir/board" >"$dir/less"
	pb-bench -q -r pacbot -p flee -n 2 "$dir/less" |
		jq -es 'map(select(.type == "result")) | all(.pellets_total == 218)'
	echo '{"type":"pose","x":0,"y":0,"theta":0}' >"$dir/none"
	run ! --separate-stderr pb-bench -q -r pacbot -p flee "$dir/none"
	[ "$status" -eq 1 ]
	[ "$stderr" = "pb-bench: $dir/none: expected a maze record, got none" ]
}

@test "pb-bench refuses options of other rules" {
	for a in "--dt 0.1" "--houses 3" "--rounds 2" "--preset published" \
		"--start 1,1"; do
		# shellcheck disable=SC2086 # words
		run ! --separate-stderr pb-bench -r pacbot $a
		[ "$status" -eq 2 ]
		[ "$stderr" = "pb-bench: ${a%% *}: an option of the rules pacmanbot, not pacbot" ]
	done
	run ! --separate-stderr pb-bench --lives 2 testdata/flat.jsonl
	[ "$status" -eq 2 ]
	[ "$stderr" = "pb-bench: --lives: an option of the rules pacbot or roomba, not pacmanbot" ]
}

@test "the table of a benchmark shows scores and what failed" {
	pb-bench -q -r pacbot -p search,greedy -n 5 --nodes 1000 --table >"$dir/out"
	grep -q '^player .* score ' "$dir/out"
	! grep -q 'cleared' "$dir/out"
	grep -q '^greedy .* caught' "$dir/out"
	! pb-bench -q -n 3 --table testdata/flat.jsonl | grep -q score
}
