#!/usr/bin/env bats
# pb-sim.bats - one game: its trace, its operator, its ends.

load sim

@test "a game as it always was: hash of its state, states, length" {
	pb-sim -a -s 3 $flat >"$dir/out"
	[ "$(results "$dir/out" | jq -r '[.outcome, .pellets, .hash] | @tsv')" = \
		"$(printf 'killed\t1\tf9272af35f9cdb32')" ]
	[ "$(states "$dir/out")" = "menu returning_home starting running dying returning_home menu " ]
	jq -r 'select(has("t")).t' "$dir/out" | sort -cg
}

@test "the result is pb-bench's, field by field, for every player and trial" {
	for p in seed nearest safe; do
		pb-bench -q -n 4 -p $p -s 5 --preset published --start 2,1 \
			$flat >"$dir/all"
		for t in 0 3; do
			pb-sim -q -a -p $p -s 5 -t $t --trace none \
				--preset published --start 2,1 $flat >"$dir/a"
			jq -c "select(.type == \"result\" and .trial == $t)" \
				"$dir/a" "$dir/all" >"$dir/both"
			cat "$dir/both"
			jq -se 'length == 2 and .[0] == .[1]' "$dir/both"
		done
	done
}

@test "the trace changes nothing: same game with all of it, and with none" {
	pb-sim -a --trace all --rate 20 $flat | results >"$dir/a"
	pb-sim -a --trace none $flat >"$dir/b"
	[ "$(jq -r .type "$dir/b" | tr '\n' ' ')" = "map pellets result " ]
	results "$dir/b" | diff "$dir/a" -
}

@test "--trace writes the kinds asked for, --rate says how often" {
	kind() { pb-sim -a --trace "$1" $flat | sed 1,2d |
		jq -r '[.type, .id // "-"] | join(" ")' | sort -u | tr '\n' ','; }
	[ "$(kind state)" = "result -,state -," ]
	[ "$(kind event)" = "event -,result -," ]
	[ "$(kind pellets)" = "pellets -,result -," ]
	[ "$(kind goal,path)" = "goal robot,path robot,result -," ]
	[ "$(kind pose)" = "pose robot,result -," ]
	[ "$(kind truth)" = "pose truth,result -," ]
	[ "$(kind clyde,obstacle)" = "obstacle clyde,pose clyde,result -," ]
	[ "$(kind odom,twist)" = "odom robot,result -,twist robot," ]
	[ "$(kind cmd)" = "cmd clyde,cmd controller,cmd global_costmap,cmd pellets,cmd planner,result -," ]
	gap() { pb-sim -a --trace truth --rate "$1" $flat |
		jq -s '[.[] | select(.type == "pose").t] | (.[9] - .[8]) * 100 | round'; }
	[ "$(gap 5)" = 20 ]
	[ "$(gap 1)" = 100 ]
	[ "$(gap 1000)" = 5 ]
}

@test "Clyde's obstacle: nine points around his pose" {
	pb-sim -a --trace clyde,obstacle --set clyde-radius=0.2 $flat |
		jq -es '[.[] | select(.id == "clyde")] |
		    length > 100 and
		    ([range(0; length; 2) as $i | .[$i] as $p | .[$i + 1] |
		      (.points | length) == 9 and .t == $p.t and
		      .points[0] == [$p.x, $p.y] and
		      (.points[1][0] - $p.x - 0.2 | fabs) < 2e-6] | all)'
}

@test "pellets of pb-pellets and pellets laid here give the same game" {
	pb-sim -a --trace all $flat | grep -v '"type":"pellets"\|"result"' >"$dir/a"
	pb-pellets -q $flat | pb-sim -a --trace all |
		grep -v '"type":"pellets"\|"result"' | diff "$dir/a" -
}

@test "-m is the map in the stream" {
	pb-sim -a $flat >"$dir/a"
	pb-sim -a -m $flat </dev/null >"$dir/b"
	diff <(sed 1d "$dir/a") <(sed 1d "$dir/b")
	[ "$(head -n 1 "$dir/b" | jq -r '[.type, .name] | @csv')" = '"map","flat"' ]
	pb-sim -m $flat </dev/null | diff "$dir/b" -
	cmd start | pb-sim -m $flat | grep -v '"name":"start"' | diff "$dir/b" -
	# A pipe that stays silent gets a note, and is read to its end.
	mkfifo "$dir/in"
	pb-sim -m $flat <"$dir/in" 2>"$dir/err" >"$dir/out" 3>&- &
	exec 7>"$dir/in"
	wait_until [ -s "$dir/err" ]
	exec 7>&-
	wait $!
	diff "$dir/b" "$dir/out"
	[ "$(cat "$dir/err")" = "pb-sim: waiting for commands on standard input; --autostart starts without them" ]
}

@test "rounds: the score is carried over, Clyde gets faster, death begins anew" {
	pb-sim -q -a -n 4 -p safe --trace cmd,state $flat >"$dir/out"
	results "$dir/out" | jq -es '
	    length == 4 and .[0].round == 1 and .[0].score == .[0].pellets and
	    (map(.round) | max > 2) and
	    ([range(1; 4) as $i | .[$i - 1] as $a | .[$i] as $b |
	      if $a.outcome == "complete" or $a.outcome == "partial"
	      then $b.round == $a.round + 1 and $b.score == $a.score + $b.pellets
	      else $b.round == 1 and $b.score == $b.pellets end] | all)'
	# Clyde is told his speed in every round.
	grep --no-group-separator -A 1 '"state":"running".*"collected":0' "$dir/out" |
		jq -es '[.[] | select(.type != "result")] | length >= 8 and
		    ([range(0; length; 2) as $i | .[$i + 1].name == "speed" and
		      (.[$i + 1].value - 0.2 - 0.05 * .[$i].round | fabs) < 1e-6] |
		     all)'
	pb-sim -q -a -n 3 --trace state --set death-radius=9 $flat >"$dir/out"
	[ "$(results "$dir/out" | jq -r '[.round, .score, .outcome] | @tsv' |
		tr '\t\n' ' ,')" = "1 0 killed,1 0 killed,1 0 killed," ]
}

@test "a robot that can hardly move ends every round" {
	pb-sim -q -a -n 2 --set 'v-max=0.01 duration=100' --trace none $flat |
		results | jq -r .outcome >"$dir/out"
	[ "$(wc -l <"$dir/out")" = 2 ]
	! grep -vx 'stuck\|timeout\|killed\|partial\|home_failed' "$dir/out"
}

@test "lost before the start: home_failed, each time, pressed by whomever" {
	lost="-q --set pose-noise=10 --trace none"
	pb-sim $lost -a -n 3 $flat | results | jq -r .outcome >"$dir/a"
	[ "$(tr '\n' ' ' <"$dir/a")" = "home_failed home_failed home_failed " ]
	pb-bench -q -n 1 --set pose-noise=10 $flat | results >"$dir/b"
	for t in "" 0.3 5; do
		(cat $flat; cmd $t start) | pb-sim $lost | results >"$dir/c"
		[ "$(wc -l <"$dir/c")" = 1 ]
		[ "$(jq -r .outcome "$dir/c")" = home_failed ]
	done
	pb-sim $lost -a $flat | results | diff "$dir/b" -
}

@test "worlds without a game: one line about the map, status 1" {
	wall=########################################
	free=#......................................#
	rows=("$wall")
	for i in $(seq 20); do rows+=("$free"); done
	rows+=("$wall")
	box '####' '####' '####' >"$dir/in"
	refused 1 "<stdin>:1: map: the map has no free cell" -a
	box "${rows[@]}" >"$dir/in"
	refused 1 "<stdin>:1: map: the robot's start is in a wall or too near one" -a --start 0.05,0.05
	refused 1 "<stdin>:1: map: the robot's start is outside the map" -a --start 100,100
	refused 1 "<stdin>:1: map: Clyde's place is in a wall, too near one, or outside the map" -a --spawn-at 0.05,0.05
	refused 1 "<stdin>:1: map: the map has no place for a pellet with this spacing and clearance; --set spacing=0.8 lays 8" -a --set spacing=500
	# The line of the map is named, not that of the command.
	(echo '{"type":"note"}'; box '####' '####' '####'; cmd start; cmd start) >"$dir/in"
	refused 1 "<stdin>:2: map: the map has no free cell"
	refused 1 "<stdin>:2: map: the map has no free cell" -k
	# A wall between the robot and all pellets.
	split=#...................##.................#
	rows=("$wall")
	for i in $(seq 20); do rows+=("$split"); done
	rows+=("$wall")
	(box "${rows[@]}"; pellets 3,1) >"$dir/in"
	refused 1 "<stdin>:1: map: no pellet can be reached from the start" -a --start 1,1
	# One cell for Clyde is nowhere to go; less than one is no place.
	small=#...................#
	rows=(${small//./#})
	for i in $(seq 19); do rows+=("$small"); done
	rows+=(${small//./#})
	(box "${rows[@]}"; pellets 1,1) >"$dir/in"
	refused 1 "<stdin>:1: map: Clyde has no destination to go to" \
		-a --set clyde-clearance=0.9
	refused 1 "<stdin>:1: map: Clyde fits nowhere on the map" \
		-a --set clyde-clearance=1
}

@test "input in the wrong order or none" {
	: >"$dir/in"
	refused 1 "<stdin>: expected a map record, got none"
	cmd start >"$dir/in"
	refused 1 "<stdin>:1: cmd: start comes before any map"
	pellets 1,1 >"$dir/in"
	refused 1 "<stdin>:1: pellets: expected a map before them"
	(cat $flat; cmd wait; pellets 1,1) >"$dir/in"
	refused 1 "<stdin>:3: pellets: comes after the game has begun"
	(cat $flat; cmd wait; cat $flat) >"$dir/in"
	refused 1 "<stdin>:3: map: comes after the game has begun"
	(cat $flat; cmd wait; echo '{"type":"cmd","t":"x","name":"start"}') >"$dir/in"
	! pb-sim <"$dir/in" >/dev/null 2>"$dir/err"
	grep -q '^pb-sim: <stdin>:3: cmd.t: ' "$dir/err"
}

@test "two maps: the game is on the second" {
	(pb-mapgen random-house -s 2; pellets 1,1; cat $flat) | pb-sim -a >"$dir/out"
	[ "$(results "$dir/out" | jq -r .map)" = flat ]
	pb-sim -a $flat | tail -n +3 | diff - <(tail -n +5 "$dir/out")
}

@test "unknown names: status 2 and what there is" {
	: >"$dir/in"
	refused 2 '--policy: expected seed, nearest, safe, oracle, got "blinky"' -p blinky
	refused 2 '--rules: expected one of pacmanbot, pacbot, roomba, zumy, got "chess"' -r chess
	first() { { pb-sim "${@:2}" <"$dir/in" 2>&1 || true; } | head -n 1 |
		grep -Fxq -- "pb-sim: $1"; }
	first '--preset: expected default, published, report, got "x"' --preset x
	first '--trace: expected some of state, event, cmd, pellets, goal, path, pose, truth, clyde, odom, twist, obstacle, all or none, got "x"' --trace state,x
	pb-sim --list | grep -q '^pacmanbot	safe	'
	refused 2 '--list: not with --seed' --list -s 4
	refused 2 '--set: nodes: has no effect here, only with policy search' \
		-r pacbot -p flee --set nodes=5
}

@test "a signal in the middle: whole records, the status of the signal" {
	pb-sim -q -a -n 100000 $flat >"$dir/out" &
	pid=$!
	wait_until [ -s "$dir/out" ]
	kill -TERM $pid
	st=0
	wait $pid || st=$?
	[ $st = 143 ]
	[ "$(tail -c 1 "$dir/out" | od -An -c | tr -d ' ')" = '\n' ]
	tail -n 3 "$dir/out" | jq -e . >/dev/null
}

@test "a robot that localizes itself: the game is played by what it says" {
	pb-sim -a -s 3 --localizer mcl --set 'people=2 clutter=3 duration=40' \
		$flat >"$dir/out"
	results "$dir/out" >"$dir/r"
	jq -e '.updates > 10 and .wrong == 0 and .error_mean < 0.1 and
		.bumps >= 0 and (.success or (.cause | length > 0))' "$dir/r"
	# What pb-bench plays is the same, on two threads too.
	pb-bench -q -j 2 -n 2 -s 3 -p seed --localizer mcl --set people=2 \
		--set 'clutter=3 duration=40' $flat | results | head -n 1 >"$dir/b"
	diff <(jq -S . "$dir/r") <(jq -S . "$dir/b")
	# Published estimates are those of the filter, close to the truth.
	jq -es 'map(select(.type == "pose" and .id == "robot")) | length > 20' "$dir/out"
}

@test "noise on the truth stays what it was, whatever its options are called" {
	pb-sim -a -s 3 --localizer noise --set people=0 $flat | results |
		jq -r .hash >"$dir/a"
	[ "$(cat "$dir/a")" = f9272af35f9cdb32 ]
}

@test "a world that is not as the map says: refused where it cannot be" {
	run -1 pb-sim -a -m testdata/house.yaml --world "$dir/none.yaml"
	[[ $output == *none.yaml* ]]
	run -2 pb-sim -r zumy --world testdata/house.yaml
	[[ $output == *"--world: only with the rules pacmanbot"* ]]
	run -2 pb-sim -a -m testdata/house.yaml --set start-anywhere=yes
	[ "$output" = "pb-sim: --set: start-anywhere: has no effect here, only with --localizer mcl" ]
	run -2 pb-bench -n 1 -m testdata/house.yaml --localizer fuse
	[[ $output == *"--localizer: expected one of noise|mcl|odom"* ]]
	sed 's/-5, -4/15, -4/' testdata/house.yaml >"$dir/other.yaml"
	cp testdata/house.pgm "$dir"
	run -1 pb-bench -q -n 1 -p seed -m testdata/house.yaml --world "$dir/other.yaml"
	[[ $output == *"the world"* ]]
	pb-bench -q -n 2 -p seed -m testdata/house.yaml --world testdata/house.yaml \
		--localizer mcl --no-results
}
