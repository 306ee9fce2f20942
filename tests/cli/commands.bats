#!/usr/bin/env bats
# commands.bats - cmd records that lead a game of pb-sim.

load sim

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

@test "an input without start is played; --wait-start: a note, no result, status 0" {
	pb-sim -a $flat >"$dir/a"
	pb-sim $flat | cmp - "$dir/a"
	pb-sim -a -n 2 $flat >"$dir/a"
	pb-sim -n 2 $flat | cmp - "$dir/a"
	# From where the input ends, and once if the input has pressed start.
	(cat $flat; cmd 7 wait) | pb-sim >"$dir/b"
	[ "$(jq -r 'select(.type == "state" and .state == "returning_home").t' \
		"$dir/b" | head -n 1)" = 7.05 ]
	[ "$( (cat $flat; cmd 7 start) | pb-sim -n 3 | results | wc -l)" = 1 ]
	run -2 pb-sim -a --wait-start $flat
	[[ $output == *"--wait-start: not with --autostart"* ]]
	pb-sim --wait-start $flat >"$dir/out" 2>"$dir/err"
	[ "$(cat "$dir/err")" = 'pb-sim: --wait-start: no cmd record "start" came' ]
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
	(cat $flat; cmd 1 start) | pb-sim --trace state --set death-radius=9 >"$dir/d"
	dying=$(jq 'select(.state == "dying").t' "$dir/d" | head -n 1)
	[ -n "$dying" ]
	for after in 1 6; do
		(cat $flat; cmd 1 start; cmd "$(jq -n "$dying + $after")" reset
		cmd 100 wait) | pb-sim --trace state --set death-radius=9 >"$dir/out"
		[ "$(states "$dir/out" | awk '{ print $NF }')" = menu ]
		[ "$(results "$dir/out" | jq -r .outcome)" = killed ]
	done
}

@test "a round that was reset has no result, also not later" {
	(cat $flat; cmd 0 start; cmd 20 reset; cmd 1500 wait) |
		pb-sim --set duration=100 --trace state >"$dir/out"
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

@test "the planner and the controller say all that is published, in its order" {
	# Until the last pellet was had in a planner's timer, and outside of one.
	for seed in $(seq 20); do
		pb-sim -q -a -m testdata/house.yaml -p safe -s $seed \
			--trace state,cmd >"$dir/out"
		[ "$(states "$dir/out")" = "menu returning_home starting running complete returning_home menu " ]
		jq -e -s '(map(select(.name == "pellet_collected")) | map([.t, .value]))
		    == (map(select(.name == "remove_pellet")) | map([.t, .value]))
		    and (map(select(.state == "running").result) | unique == [null])
		    and (.[] | select(.state == "complete") |
			.collected == 7 and .result == "Complete - Score: 7")' \
			"$dir/out"
		jq -r 'select(.name == "pellet_collected" or
		    .name == "game_complete") | "\(.t) \(.name)"' "$dir/out" |
			tail -n 2 >>"$dir/last"
		n=$(grep -c game_complete "$dir/last") || :
		[ "$n" -eq 0 ] || [ "$n" -eq "$seed" ] || break
	done
	[ "$n" -gt 0 ] && [ "$n" -lt "$seed" ]
	awk '$2 == "game_complete" { n++; bad += $1 != last || $1 % 0.5 }
	    { last = $1 } END { exit !n || bad }' "$dir/last"
	# A goal that navigation gave up.
	pb-sim -q -a -m testdata/house.yaml -p seed --set progress-time=0.5 \
		--trace goal,cmd >"$dir/out"
	jq -s -e 'map(select(.status == "failed") | .pellet | values) as $failed |
	    ($failed | length > 0) and (map(select(.name == "remove_pellet").value) |
		contains($failed))' "$dir/out"
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
	one "cmd.value: there is no pellet 99" remove_pellet 99
	one "cmd.value: there is no pellet 1.5" remove_pellet 1.5
	one "cmd.t: 1e+18 is more than 3600 s after the game's time 0" 1e18 start
	(cat $flat; cmd speed 0; cmd spawn; cmd 0 start) >"$dir/in"
	st=0
	pb-sim -k "$dir/in" >"$dir/out" 2>"$dir/err" || st=$?
	[ "$st" = 1 ]
	[ "$(wc -l <"$dir/err")" = 2 ]
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
	cat $flat "$dir/cmds" | pb-sim -q -k \
		--set theatrical=1 --trace state,event,cmd,pellets,goal \
		>"$dir/out" 2>"$dir/err" || st=$?
	[ "$st" = 1 ]
	! grep -v '^pb-sim: <stdin>:[0-9]*: cmd[.: ]' "$dir/err"
	[ "$(wc -l <"$dir/err")" -gt 100 ]
	jq -r 'select(has("t")).type' "$dir/out" | sort -u | tr '\n' ' ' |
		grep -q 'cmd event goal pellets state'
}
