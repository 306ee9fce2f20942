#!/usr/bin/env bats
# pb-sim.bats - one game: its trace, its operator, its ends.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	PATH="$PWD/${O:-build}:$PATH"
	dir=$BATS_TEST_TMPDIR
	flat=testdata/flat.jsonl
	set -o pipefail
}

cmd() { # [T] NAME [VALUE]
	local t=
	case $1 in [0-9]*) t="\"t\":$1," && shift ;; esac
	echo "{\"type\":\"cmd\",$t\"name\":\"$1\"${2:+,\"value\":$2}}"
}
pellets() { # X,Y ...: ids from 3 on, every second number
	local i=3 list=
	for p in "$@"; do
		list="$list,{\"id\":$i,\"x\":${p%,*},\"y\":${p#*,}}"
		i=$((i + 2))
	done
	echo "{\"type\":\"pellets\",\"pellets\":[${list#,}]}"
}
box() { # ROW ...: a map of 0.1 m cells from its rows
	local rows=
	for r in "$@"; do rows="$rows,\"$r\""; done
	echo "{\"type\":\"map\",\"name\":\"box\",\"resolution\":0.1,\"width\":${#1},\"height\":$#,\"origin\":[0,0,0],\"rows\":[${rows#,}]}"
}
results() { jq -c 'select(.type == "result")' "$@"; }
states() { jq -r 'select(.type == "state").state' "$@" | uniq | tr '\n' ' '; }

# Status $1, nothing but the line $2 on stderr: of pb-sim -q ARG ... <$dir/in
refused() {
	local st=0 want=$1 line=$2
	shift 2
	pb-sim -q "$@" <"$dir/in" >"$dir/out" 2>"$dir/err" || st=$?
	echo "status $st: $(cat "$dir/err")"
	[ "$st" -eq "$want" ] && [ "$(cat "$dir/err")" = "pb-sim: $line" ]
	jq -e . "$dir/out" >/dev/null || [ ! -s "$dir/out" ]
}

@test "a game as it always was: hash of its state, states, length" {
	pb-sim -a -s 3 $flat >"$dir/out"
	[ "$(results "$dir/out" | jq -r '[.outcome, .pellets, .hash] | @tsv')" = \
		"$(printf 'killed\t1\tf9272af35f9cdb32')" ]
	[ "$(states "$dir/out")" = "menu returning_home starting running dying returning_home menu " ]
	jq -r 'select(has("t")).t' "$dir/out" | sort -cg
}

@test "the result is pb-bench's, field by field, for every player and trial" {
	for p in seed nearest safe; do
		for t in 0 3; do
			pb-sim -q -a -p $p -s 5 -t $t --trace none \
				--preset published --start 2,1 $flat |
				results >"$dir/a"
			pb-bench -q -n $((t + 1)) -p $p -s 5 --preset published \
				--start 2,1 $flat | results |
				jq -c "select(.trial == $t)" >"$dir/b"
			[ -s "$dir/a" ]
			diff <(jq -S . "$dir/a") <(jq -S . "$dir/b")
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
	pb-sim -a --trace clyde,obstacle --clyde-radius 0.2 $flat |
		jq -es '[.[] | select(.id == "clyde")] |
		    length > 100 and
		    ([range(0; length; 2) as $i | .[$i] as $p | .[$i + 1] |
		      (.points | length) == 9 and .t == $p.t and
		      .points[0] == [$p.x, $p.y] and
		      (.points[1][0] - $p.x - 0.2 | fabs) < 2e-6] | all)'
}

@test "start on stdin is autostart, pressed when one likes" {
	pb-sim -a $flat | grep -v '"cmd"' >"$dir/a"
	for t in "" 0 0.05 0.15; do
		(cat $flat; cmd $t start) | pb-sim | grep -v '"cmd"' |
			diff "$dir/a" - || { echo "t=$t"; false; }
	done
	(cat $flat; cmd 7 start) | pb-sim >"$dir/b"
	[ "$(jq -r 'select(.type == "state" and .state == "returning_home").t' \
		"$dir/b" | head -n 1)" = 7 ]
	[ "$(results "$dir/b" | wc -l)" = 1 ]
	# The command comes between what happened before it and what it does.
	jq -r 'select(has("t")).t' "$dir/b" | sort -cg
	grep -n '"start"\|"returning_home"' "$dir/b" | head -n 1 | grep '"start"'
}

@test "nobody pressed start: a note, no result, status 0" {
	pb-sim $flat >"$dir/out" 2>"$dir/err"
	[ "$(cat "$dir/err")" = 'pb-sim: nobody pressed start: give --autostart or a cmd record "start"' ]
	[ "$(jq -r .type "$dir/out" | tr '\n' ' ')" = "map pellets " ]
}

@test "reset leads to the menu from every state; the next round is whole" {
	# Times in menu, returning_home, starting, running, and, with a deadly
	# Clyde, dying, and home from there.
	for t in 0 0.1 1.5 5 20; do
		(cat $flat; cmd 1 start; cmd $t reset; cmd 60 wait; cmd 61 start) |
			pb-sim --trace state,cmd >"$dir/out"
		[ "$(jq -r 'select(.type == "state") | select(.t < 61).state' \
			"$dir/out" | tail -n 1)" = menu ] || [ "$t" = 0 ] ||
			[ "$t" = 0.1 ]
		[ "$(results "$dir/out" | wc -l)" -ge 1 ]
	done
	(cat $flat; cmd 1 start) | pb-sim --trace state --death-radius 9 >"$dir/d"
	dying=$(jq 'select(.state == "dying").t' "$dir/d" | head -n 1)
	[ -n "$dying" ]
	for after in 1 6; do
		(cat $flat; cmd 1 start; cmd "$(jq -n "$dying + $after")" reset
		cmd 100 wait) | pb-sim --trace state --death-radius 9 >"$dir/out"
		[ "$(states "$dir/out" | awk '{ print $NF }')" = menu ]
		[ "$(results "$dir/out" | jq -r .outcome)" = killed ]
	done
}

@test "a round that was reset has no result, also not later" {
	(cat $flat; cmd 0 start; cmd 20 reset; cmd 1500 wait) |
		pb-sim --duration 100 --trace state >"$dir/out"
	[ "$(states "$dir/out")" = "menu returning_home starting running menu " ]
	[ -z "$(results "$dir/out")" ]
}

@test "start outside the menu is refused with a note" {
	(cat $flat; cmd 0 start; cmd 20 start) | pb-sim --trace none \
		2>"$dir/err" >/dev/null
	[ "$(cat "$dir/err")" = 'pb-sim: t 20: cannot start from state "running"' ]
}

@test "speeds: Clyde's now, the base for rounds to come" {
	speeds() { jq -r 'select(.type == "cmd" and .id == "clyde" and
		.name == "speed").value' | tr '\n' ' '; }
	[ "$( (cat $flat; cmd 0 start; cmd 0.5 base_speed 0.4
		cmd 20 speed 0.7) | pb-sim --trace cmd | speeds |
		cut -d ' ' -f 1-4)" = "0.25 0.25 0.4 0.7" ]
	# He does move as fast as said.
	(cat $flat; cmd 0 start; cmd 15 speed 2) | pb-sim --trace clyde |
		jq -es '[.[] | select(.id == "clyde")] | . as $p |
		    [range(1; length) | $p[.] as $a | $p[. - 1] as $b |
		     ((($a.x - $b.x) | . * .) + (($a.y - $b.y) | . * .) | sqrt) /
		     (if $a.t > $b.t then $a.t - $b.t else 1 end) |
		     select(. < 3)] | max > 1.5'
}

@test "spawn: Clyde appears there, now and at the start" {
	(cat $flat; cmd 0 wait; cmd 1 spawn '[2.05,2.05]'; cmd 2 start) |
		pb-sim --trace clyde >"$dir/out"
	at() { jq -c "select(.id == \"clyde\" and .t == $1) | [.x, .y]" \
		"$dir/out" | tail -n 1; }
	[ "$(at 1)" = "[2,2]" ]
	[ "$(at 2)" = "[2,2]" ]
	[ "$(at 0.8)" != "[2,2]" ]
	(cat $flat; cmd 0 start; cmd 20 spawn '[2,2]') | pb-sim --trace none \
		2>"$dir/err" >/dev/null
	[ "$(cat "$dir/err")" = "pb-sim: t 20: spawn ignored: the round is running" ]
}

@test "remove_pellet and reset_pellets, by the ids of the stream" {
	(cat $flat; pellets 1,0 3,0 5,0; cmd 0.1 remove_pellet 5
	cmd 3 wait; cmd 4 remove_pellet 5; cmd 5.2 reset_pellets; cmd 9 wait) |
		pb-sim --trace pellets 2>"$dir/err" >"$dir/out"
	[ "$(head -n 1 "$dir/err")" = "pb-sim: t 4: pellet 5 is gone already" ]
	ids() { jq -c "select(.type == \"pellets\" and .t == $1) |
		[.pellets[].id]" "$dir/out" | head -n 1; }
	[ "$(ids 2)" = "[3,7]" ]
	[ "$(ids 5.2)" = "[3,5,7]" ]
	# Goals and what is collected speak of the same ids.
	(cat $flat; pellets 1,0 3,0 5,0; cmd start) | pb-sim | jq -r '
	    select(.type == "goal" and .kind == "pellet" and .status == "sent").pellet,
	    select(.type == "cmd" and .name == "pellet_collected").value' |
		sort -u >"$dir/ids"
	[ -s "$dir/ids" ]
	! grep -vx '[357]' "$dir/ids"
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
	cmd start | pb-sim -m $flat | grep -v '"name":"start"' | diff "$dir/b" -
}

@test "bad commands: one line with place and field, -k goes on" {
	one() { (cat $flat; cmd "${@:2}") >"$dir/in"
		refused 1 "<stdin>:2: $1"; }
	one "cmd.value: expected a speed in m/s" speed
	one "cmd.value: expected a speed in m/s" base_speed '"fast"'
	for v in 0 -1 100.5; do
		one "cmd.value: expected a speed above 0 and up to 100 m/s, got $v" speed $v
		one "cmd.value: expected a speed above 0 and up to 100 m/s, got $v" base_speed $v
	done
	one "cmd.value: expected a point [x, y]" spawn 3
	one "cmd.value: (-5, 0) is no place for Clyde: a wall, too near one, or outside the map" spawn '[-5,0]'
	one "cmd.value: expected the number of a pellet" remove_pellet
	one "cmd.value: no pellet 99" remove_pellet 99
	one "cmd.value: no pellet 1.5" remove_pellet 1.5
	one "cmd.t: 1e+18 is more than 3600 s after the game's time 0" 1e18 start
	(cat $flat; cmd speed 0; cmd spawn; cmd 0 start) >"$dir/in"
	st=0
	pb-sim -k --rejects "$dir/rej" "$dir/in" >"$dir/out" 2>"$dir/err" || st=$?
	[ "$st" = 1 ]
	[ "$(wc -l <"$dir/err")" = 2 ]
	[ "$(wc -l <"$dir/rej")" = 2 ]
	[ "$(results "$dir/out" | wc -l)" = 1 ]
	! grep -q '"name":"speed","value":0}' "$dir/out"
}

@test "commands for other nodes and unknown ones only let time pass" {
	(cat $flat; cmd 5 wait
	echo '{"type":"cmd","t":6,"id":"planner","name":"reset"}'
	echo '{"type":"cmd","t":7,"id":"blinky","name":"speed","value":-1}'
	echo '{"type":"cmd","t":8,"id":"controller","name":"start"}') |
		pb-sim --trace state >"$dir/out"
	[ "$(jq -r 'select(.state == "returning_home").t' "$dir/out" | head -n 1)" = 8 ]
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
	pb-sim -q -a -n 3 --trace state --death-radius 9 $flat >"$dir/out"
	[ "$(results "$dir/out" | jq -r '[.round, .score, .outcome] | @tsv' |
		tr '\t\n' ' ,')" = "1 0 killed,1 0 killed,1 0 killed," ]
}

@test "a robot that can hardly move ends every round" {
	pb-sim -q -a -n 2 --v-max 0.01 --duration 100 --trace none $flat |
		results | jq -r .outcome >"$dir/out"
	[ "$(wc -l <"$dir/out")" = 2 ]
	! grep -vx 'stuck\|timeout\|killed\|partial\|home_failed' "$dir/out"
}

@test "lost before the start: home_failed, each time, pressed by whomever" {
	lost="-q --pose-noise 10 --trace none"
	pb-sim $lost -a -n 3 $flat | results | jq -r .outcome >"$dir/a"
	[ "$(tr '\n' ' ' <"$dir/a")" = "home_failed home_failed home_failed " ]
	pb-bench -q -n 1 --pose-noise 10 $flat | results >"$dir/b"
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
	refused 1 "<stdin>:1: map: the map has no place for a pellet" -a --spacing 500
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
		-a --clyde-clearance 0.9
	refused 1 "<stdin>:1: map: Clyde fits nowhere on the map" \
		-a --clyde-clearance 1
}

@test "input in the wrong order or none" {
	: >"$dir/in"
	refused 1 "<stdin>: expected a map record, got none"
	cmd start >"$dir/in"
	refused 1 "<stdin>:1: cmd: start comes before any map"
	pellets 1,1 >"$dir/in"
	refused 1 "<stdin>:1: pellets: come before any map"
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
	refused 2 '--policy: expected seed, nearest, safe, got "blinky"' -p blinky
	refused 2 '--rules: expected one of pacmanbot, pacbot, roomba, zumy, got "chess"' -r chess
	first() { { pb-sim "${@:2}" <"$dir/in" 2>&1 || true; } | head -n 1 |
		grep -Fxq -- "pb-sim: $1"; }
	first '--preset: expected default, published, got "x"' --preset x
	first '--trace: expected some of state, event, cmd, pellets, goal, path, pose, truth, clyde, odom, twist, obstacle, all or none, got "x"' --trace state,x
	pb-sim --list | grep -q '^pacmanbot	safe	'
	refused 2 '--list: goes without --seed' --list -s 4
	refused 2 '--nodes: goes with a match that no human plays, --record or --answer' \
		-r pacbot --play --nodes 5
}

@test "live: commands act now, all is flushed before the game waits" {
	mkfifo "$dir/to" "$dir/from"
	pb-sim -q -a --trace state,pellets <"$dir/to" >"$dir/from" &
	exec 7>"$dir/to" 8<"$dir/from"
	cat $flat >&7
	read -r -t 10 line <&8
	[ "$(jq -r .type <<<"$line")" = map ]
	cmd 2 wait >&7
	for want in pellets state pellets state pellets state state pellets cmd; do
		read -r -t 10 line <&8
		echo "$line"
		[ "$(jq -r .type <<<"$line")" != cmd ] || break
	done
	[ "$(jq -r .t <<<"$line")" = 2 ]
	cmd reset >&7
	for _ in 1 2 3 4 5 6; do
		read -r -t 10 line <&8
		[ "$(jq -r .state <<<"$line")" != menu ] || break
	done
	[ "$(jq -r '[.t, .state] | @csv' <<<"$line")" = '2,"menu"' ]
	exec 7>&-
	cat <&8 >"$dir/rest"
	exec 8<&-
	wait
	[ "$(results "$dir/rest" | wc -l)" = 1 ]
}

@test "a signal in the middle: whole records, the status of the signal" {
	pb-sim -q -a -n 100000 $flat >"$dir/out" &
	pid=$!
	for _ in $(seq 50); do
		[ -s "$dir/out" ] && break
		sleep 0.1
	done
	kill -TERM $pid
	st=0
	wait $pid || st=$?
	[ $st = 143 ]
	[ "$(tail -c 1 "$dir/out" | od -An -c | tr -d ' ')" = '\n' ]
	tail -n 3 "$dir/out" | jq -e . >/dev/null
}

# Random commands, good and bad, at random times: it ends, says where every
# refused line is, and writes nothing but records.
@test "10,000 commands of garbage" {
	awk -v n=10000 'BEGIN {
		srand(7)
		split("start reset reset_pellets reset_ghosts remove_pellet spawn speed base_speed wait enable", c)
		split("1 -1 0 0.3 2 [1,1] [2,2] [-9,1] \"x\" [1] null 1e300 99 3", v)
		for (t = i = 0; i < n; i++) {
			t += rand() < 0.5 ? 0 : rand() * 2
			printf "{\"type\":\"cmd\""
			if (rand() < 0.8)
				printf ",\"t\":%.3f", rand() < 0.02 ? t * 1e6 : t
			if (rand() < 0.1)
				printf ",\"id\":\"clyde\""
			printf ",\"name\":\"%s\"", c[1 + int(rand() * 10)]
			if (rand() < 0.7)
				printf ",\"value\":%s", v[1 + int(rand() * 14)]
			print "}"
		}
	}' >"$dir/cmds"
	st=0
	cat $flat "$dir/cmds" | pb-sim -q -k --rejects "$dir/rej" \
		--theatrical 1 --trace state,event,cmd,pellets,goal \
		>"$dir/out" 2>"$dir/err" || st=$?
	[ "$st" = 1 ]
	! grep -v '^pb-sim: <stdin>:[0-9]*: cmd[.: ]' "$dir/err"
	[ "$(wc -l <"$dir/rej")" = "$(wc -l <"$dir/err")" ]
	[ "$(wc -l <"$dir/err")" -gt 100 ]
	jq -r 'select(has("t")).type' "$dir/out" | sort -u | tr '\n' ' ' |
		grep -q 'cmd event goal pellets state'
}
