#!/usr/bin/env bats
# pacbot.bats - the official Pacbot game: matches, agents, frames, benchmarks.

load pacbot

# Matches that many tests look at.
setup_file() {
	here
	pb-sim -r pacbot -p search -s 3 >"$BATS_FILE_TMPDIR/search"
	pb-sim -r pacbot -p power -s 3 >"$BATS_FILE_TMPDIR/match"
}

setup() {
	here
	search=$BATS_FILE_TMPDIR/search
	match=$BATS_FILE_TMPDIR/match
	set -o pipefail
}

@test "boards that cannot be played on are refused" {
	board() { pb-mapgen pacman | jq -c "$1" >"$dir/board"; }
	: >"$dir/in"
	board '.rows[23] = "############################"'
	refused 1 "$dir/board: Pac-Man's start, (23, 13) on every board, is a wall" \
		--replay -m "$dir/board"
	board '.rows |= map(gsub("[.o]"; " "))'
	refused 1 "$dir/board: expected 1 to 255 pellets" \
		--replay -m "$dir/board"
	pb-mapgen random-maze -s 7 >"$dir/board"
	n=$(jq '[.rows[] | gsub("[^.o]"; "") | length] | add' "$dir/board")
	for how in --replay '-r pacbot'; do
		refused 1 "$dir/board: expected 1 to 255 pellets, got $n" \
			$how -m "$dir/board"
	done
	run -1 pb-bench -r pacbot -n 1 -m "$dir/board"
	[[ "$output" == *"map maze: expected 1 to 255 pellets, got $n" ]]
	pb-mapgen pacman -o "$dir/b.board"
	sim -p flee -m "$dir/b.board" | cmp - <(sim -p flee)
	sed '4s/\.   \./. | ./' "$dir/b.board" >"$dir/board"
	refused 1 "$dir/board: expected no walls between cells" \
		--replay -m "$dir/board"
	run -1 pb-bench -q -r pacbot -p greedy -n 1 -m "$dir/board"
	[ "$output" = "pb-bench: map pacman: expected no walls between cells" ]
	board '.type = "pose2"'
	refused 1 "$dir/board: expected a maze record, got none" \
		--replay -m "$dir/board"
	board .
	sim -p flee -m "$dir/board" | cmp - <(sim -p flee)
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

@test "a program that makes the moves of a player has its match" {
	real="-s 5 --set lives=2 --set camera-delay=2 --set wrong-cell=0.05"
	real+=" --set turn-ticks=1"
	for p in greedy flee 'search --set nodes=1000'; do
		# shellcheck disable=SC2086 # words
		sim -p $p $real >"$dir/a"
		directions <"$dir/a" >"$dir/moves.0"
		# shellcheck disable=SC2086 # words
		sim $real --agent "$(recite "$dir/moves")" >"$dir/b"
		cmp <(head -n -1 "$dir/a") <(head -n -1 "$dir/b")
		end() {
			tail -n 1 "$1" | jq -c 'del(.policy, .options, .program,
				.constants.nodes, .own)'
		}
		cmp <(end "$dir/a") <(end "$dir/b")
	done
}

@test "an agent in another language: always left, in jq" {
	sim --set lives=1 --agent 'jq -c --unbuffered \
		"select(.type == \"tick\") | {type: \"move\", dir: \"left\"}"' >"$dir/out"
	[ "$(jq -r 'select(.type == "move").dir' "$dir/out" | sort -u)" = left ]
	jq -e 'select(.type == "result") | .outcome == "caught" and (.policy | startswith("jq -c --unbuffered"))' "$dir/out"
}

@test "an agent that dies, hangs or answers garbage forfeits" {
	: >"$dir/in"
	forfeit() { # AGENT MESSAGE
		refused 1 "$1:1: $2" --patience 0.5 --agent "$1"
		tail -n 1 "$dir/out" | jq -e '.outcome == "forfeit" and (.success | not)'
	}
	forfeit true "the agent has ended: status 0"
	forfeit cat "expected a move, got a maze"
	forfeit 'echo "{\"type\":\"move\",\"dir\":\"north\"}"; cat >/dev/null' \
		'move.dir: expected up, left, down, right or stop, got "north"'
	forfeit 'echo "{\"type\":\"move\",\"dir\":\"LEFT\"}"; cat >/dev/null' \
		'move.dir: expected up, left, down, right or stop in small letters, got "LEFT"'
	forfeit 'head -c 5000 /dev/zero | tr "\0" x; cat >/dev/null' \
		"the agent's answer is over 4096 bytes"
	! sim --agent 'echo garbage; cat >/dev/null' >"$dir/out" 2>"$dir/err"
	grep -q 'garbage; cat >/dev/null:1: not JSON' "$dir/err"
	[ "$(wc -l <"$dir/err")" = 1 ]
}

@test "a byte order mark, blank lines and CR LF are no answers" {
	sim --set lives=1 --agent 'jq -r --unbuffered "select(.type == \"tick\") |
		\"{\\\"type\\\":\\\"move\\\",\\\"dir\\\":\\\"left\\\"}\""' >"$dir/plain"
	sim --set lives=1 --agent 'printf "\357\273\277\n";
		jq -r --unbuffered "select(.type == \"tick\") |
		\"\r\n{\\\"type\\\":\\\"move\\\",\\\"dir\\\":\\\"left\\\"}\r\n  \""' \
		>"$dir/out" 2>"$dir/err"
	[ ! -s "$dir/err" ]
	jq -es '.[0] == .[1] and .[0] == "caught"' \
		<(tail -qn 1 "$dir/plain" "$dir/out" | jq .outcome)
}

@test "an agent that answers twice is warned of" {
	sim --set lives=1 --agent 'jq -c --unbuffered "select(.type == \"tick\") |
		{type: \"move\", dir: (\"left\", \"right\")}"' \
		>"$dir/out" 2>"$dir/err"
	grep -q 'it answered without being asked, so its moves answered earlier questions' "$dir/err"
	tail -n 1 "$dir/out" | jq -e '.outcome == "caught"'
	# It answers the reset, takes its time, and is one answer ahead.
	late='jq -c --unbuffered "select(.type | IN(\"reset\", \"tick\")) |
		first(range(20000) | select(. == 19999)) |
		{type: \"move\", dir: \"left\"}"'
	sim --set lives=1 --agent "$late" >/dev/null 2>"$dir/err"
	grep -q 'it answered without being asked, so its moves answered earlier questions' "$dir/err"
	pb-bench -q -r pacbot -n 1 --set lives=1 --agent "$late" |
		jq -es 'map(select(.cause == "garbled")) | length == 1'
	: >"$dir/in"
	refused 2 "--patience: only with --ghost, --score, --swarm and --agent" --patience 3
}

@test "modes of a match that do not go together are refused" {
	: >"$dir/in"
	refused 2 "--agent: not with a file: only one can play" --agent cat "$dir/in"
	refused 2 "--agent: only with a match, --serve, --client" --replay --agent cat
	refused 2 "--agent: expected a command, got none" --agent ""
	refused 2 "expected one of --replay, --serve, --client" --replay --serve
}

@test "a match is drawn" {
	pb-mapgen --png "$dir/final.png" "$search"
	[ "$(head -c 4 "$dir/final.png" | tail -c 3)" = PNG ]
	pb-mapgen --render "$search" >"$dir/text"
	[ "$(wc -l <"$dir/text")" -ge 10 ]
}

@test "pb-bench plays what pb-sim plays" {
	real="--set lives=2 --set ticks-per-cell=6"
	for p in power 'search --set nodes=1000'; do
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
	bench="pb-bench -q -r pacbot -p search,greedy -n 5 --set nodes=300"
	$bench -j 2 -e 'search:success>=0.9' -e 'search:score>=9500' >"$dir/a"
	$bench -j 1 | cmp - "$dir/a"
	jq -es 'any(.type == "summary" and .policy == "search" and
		.n == 5 and .outcomes.cleared == 5)' "$dir/a"
	run pb-bench -q -r pacbot -p random -n 5 -e 'success>0.5'
	[ "$status" -eq 4 ]
	pb-bench -q --from -r pacbot "$dir/a" |
		diff - <(jq -c 'select(.type != "result")' "$dir/a")
}

@test "where Pac-Man was is drawn, the same for any number of threads" {
	pb-bench -q -r pacbot -p flee -n 1 -s 3 --heat "$dir/bench.png" >/dev/null
	[ "$(head -c 4 "$dir/bench.png" | tail -c 3)" = PNG ]
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
	[ ! -e "$dir/c" ]
}

@test "playing on without a number of levels" {
	pb-bench -q -r pacbot -p power -n 20 --set 'levels=0 ticks-per-cell=4' >"$dir/out"
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
	for a in "--houses 3" "--rounds 2" "--preset published" "--start 1,1"; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr pb-bench -r pacbot $a
		[[ "$stderr" == "pb-bench: ${a%% *}: only with "*"the rules pacmanbot" ]]
	done
	run -2 --separate-stderr pb-bench -r pacbot --set dt=0.1
	[ "$stderr" = "pb-bench: --set: dt: a constant of pacmanbot, not of pacbot" ]
	run -2 --separate-stderr pb-bench --set lives=2 testdata/flat.jsonl
	[ "$stderr" = "pb-bench: --set: lives: a constant of pacbot, roomba, not of pacmanbot" ]
}

@test "the table of a benchmark shows scores and what failed" {
	pb-bench -q -r pacbot -p search,greedy -n 2 --set nodes=100 --table >"$dir/out"
	grep -q '^player .* score ' "$dir/out"
	! grep -q 'cleared' "$dir/out"
	grep -q '^greedy .* caught' "$dir/out"
	! pb-bench -q -n 3 --table testdata/flat.jsonl | grep -q score
}

@test "a robot that drives: poses and estimates, the same bytes again" {
	local o="--motion drive --localizer fuse -p flee -s 4 --set lives=1"
	# shellcheck disable=SC2086 # words
	sim $o --rate 2 >"$dir/a"
	# shellcheck disable=SC2086 # words
	sim $o --rate 2 | cmp - "$dir/a"
	[ "$(jq -r 'select(.type == "pose") | .id + " " + .source' "$dir/a" |
		sort -u | tr '\n' ,)" = \
		"cyan truth,orange truth,pacman estimate,pacman truth,pink truth,red truth," ]
	pb-bench -f "$dir/a" --no-results | jq -e '.pace_lo != null or .pace > 9'
	tail -n 1 "$dir/a" | jq -e '.cause | IN("caught", "lost", "seen-late")'
	pb-bench --trajectory --id pacman "$dir/a" | jq -e '.ate.rmse < 0.01'
	tail -n 1 "$dir/a" | jq -e '.pace > 9 and .pace < 14 and .bumps >= 0 and
		.updates == .decisions and .wrong_cell < 3 and .error_mean < 0.01'
	# The walls of the arena, eroded by half a cell, keep it out.
	jq -se 'map(select(.type == "pose" and .source == "truth" and .id == "pacman")
		| [.x, .y]) | map(min) | min > 0.1' "$dir/a"
	# shellcheck disable=SC2086 # words
	pb-bench -r pacbot $o -n 1 -j 1 | head -n 1 | jq -e '.hash' |
		cmp - <(tail -n 1 "$dir/a" | jq .hash)
}

@test "localizers of the robot side by side" {
	pb-bench -r pacbot -p greedy -n 4 --motion drive --no-results \
		--vary localizer=camera,region,fuse >"$dir/a"
	pb-bench -r pacbot -p greedy -n 4 --motion drive --no-results -j 3 \
		--vary localizer=camera,region,fuse | cmp - "$dir/a"
	jq -se '[.[] | select(.type == "summary") | .error_mean] |
		length == 3 and .[2] < .[1] and .[1] < .[0]' "$dir/a"
	pb-bench -r pacbot -p greedy -n 2 --motion drive --table=all >"$dir/out"
	grep -q ' ticks a cell ' "$dir/out"
	grep -q ' wrong cell %' "$dir/out"
}

@test "a robot on the grid has no body" {
	: >"$dir/in"
	refused 2 '--localizer: has no effect here, only with --motion drive' \
		--localizer fuse
	refused 2 '--localizer: expected one of camera|fuse|region|corridor|cell-ray|particle, got "mcl"' \
		--motion drive --localizer mcl
	run -2 pb-bench -r pacbot --vary stick=1,2 -n 1
	[[ "$output" == *'stick: has no effect here, only with --motion drive'* ]]
	run -2 pb-bench -r pacbot --set stick=1 -n 1
	[[ "$output" == *'stick: has no effect here, only with --motion drive'* ]]
}

@test "a robot with a body and a late camera loses little by that" {
	points() {
		pb-bench -q --no-results -r pacbot -p search --set nodes=50 \
			--motion drive --localizer fuse --set feed-forward=yes \
			-n 8 "$@" | jq '.score_mean | floor'
	}
	late=$(points --set camera-delay=12)
	prompt=$(points)
	echo "# late $late, prompt $prompt" >&3
	# A player that knows nothing of what the camera will show gets 480.
	[ "$late" -gt 8500 ]
	[ "$prompt" -gt 9500 ]
}

@test "a program that trusts its cell clears fewer games the later the camera" {
	last=11
	for delay in 0 5 10; do
		n=$(pb-bench -q -r pacbot --agent 'mine=python3 man/examples/bot.py' \
			-n 10 --set camera-delay=$delay |
			jq -s 'map(select(.success)) | length')
		[ "$n" -lt "$last" ]
		last=$n
	done
	[ "$last" -lt 5 ]
}
