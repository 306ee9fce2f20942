#!/usr/bin/env bats
# programs.bats - pacmanbot games with programs for Clyde and for who chooses.

load common

setup() { here; }

# CLYDE OPTION ...: the game is the same with a Clyde of his own, who has those
# options; what is said of him in the result aside.
same() {
	local clyde=$1
	shift
	pb-sim "$@" | sed 's/"options":"[^"]*",//' >"$dir/one"
	pb-sim "$@" --ghost "pb-ghost -b clyde --exact $clyde" |
		sed 's/"options":"[^"]*",//; s/"ghosts":"[^"]*",//' |
		cmp - "$dir/one"
}

@test "pacmanbot: a Clyde of his own walks as the game's does" {
	pb-mapgen random-house -s 3 >"$dir/house"
	for s in 1 2; do
		pb-sim -a -n 2 -p seed -s $s --trace state,cmd,pose,clyde,obstacle \
			<"$dir/house" >"$dir/game"
		[ "$(grep -c '"id":"clyde"' "$dir/game")" -gt 500 ]
		pb-ghost -b clyde -w -s $s <"$dir/game" |
			cmp - <(sed '/"id":"clyde"/s/,"source":"truth"//' \
				"$dir/game")
	done
}

@test "pacmanbot: pb-sim plays the same with a Clyde of his own" {
	for s in 1 2; do
		same "-s $s" -a -m testdata/house.yaml -p seed -s $s --trace all
	done
	same '-s 2 -t 2' -a -p safe --seed=2 -t 2 testdata/flat.jsonl
	same '-s 4 --set clyde-speed=0.4' -a -n 3 -p seed -s 4 \
		--set clyde-speed=0.4 testdata/flat.jsonl
	same '-s 5' -a -m testdata/house.yaml --spawn-at 3,2 -s 5
	pb-mapgen random-house -s 3 >"$dir/house"
	same '-s 6 --set clyde-period=0.25' -a --set clyde-period=0.25 -p seed -s 6 \
		"$dir/house"
	same '-s 7' -a --preset published --start 2.3,1.6 -s 7 \
		-m testdata/house.yaml
	# It is his place that counts.
	pb-sim -a -p seed -s 1 testdata/flat.jsonl >"$dir/one"
	run ! cmp -s "$dir/one" <(pb-sim -a -p seed -s 1 \
		--ghost 'pb-ghost -b clyde -s 2 --exact' testdata/flat.jsonl)
}

@test "pacmanbot: an agent chooses the pellets, and nobody else does" {
	pb-sim -a -s 3 -m testdata/flat.jsonl --agent 'pb-score --asked' |
		cmp - <(pb-sim -a -s 3 -m testdata/flat.jsonl \
			--score 'pb-score --asked')
	for o in '-p seed' '--score true'; do
		run --separate-stderr pb-sim -a -m testdata/flat.jsonl --agent x $o
		[ "$status" -eq 2 ] && [ -z "$output" ]
		[[ $stderr == *'not with --score: only one can play' ||
			$stderr == *'only with a game that nobody else plays,'* ]]
	done
	run --separate-stderr pb-sim -a -m testdata/flat.jsonl --agent true
	[ "$status" -eq 1 ]
	[[ "$stderr" = "pb-sim: true:"*" the agent has ended: status 0" ]]
	# As on boards: whose program fails has lost, and it is said when.
	forfeits() {
		run -1 --separate-stderr pb-sim -a -n 2 -m testdata/house.yaml \
			--patience 0.5 --trace none --agent "d=$2"
		[ "$stderr" = "pb-sim: d=$2:1: $1" ]
		jq -se 'map(select(.type == "result")) | length == 1 and
			(.[0] | .outcome == "forfeit" and .policy == "d" and
			.round == 1 and .pellets_total == 7 and .time == 0.5 and
			(has("cause") or .success | not))' <<<"$output"
	}
	forfeits 'the agent gave no answer for 0.5 s' 'head -n 2; cat >/dev/null; sleep 9'
	forfeits "not JSON: expected a value, got 'hello', column 1" \
		'echo hello; cat'
	forfeits 'target.pellet: 77 is not left' \
		"echo '{\"type\":\"target\",\"t\":9.5,\"pellet\":77}'; cat"
	# Not the round before: the second one is given up.
	pb-sim -a -n 2 -q -s 3 -m testdata/house.yaml --trace none --agent \
		"pb-score --asked | jq -c --unbuffered \
		'select(.type == \"target\") | if .t > 70 then .pellet = 99 else . end'" |
		jq -c 'select(.type == "result") | .outcome' |
		diff - <(printf '"%s"\n' killed forfeit)
}

# OPTION ...: the game in which pb-score chooses is the same.
score='pb-score --asked'
scored() {
	pb-sim -p seed --trace all "$@" >"$dir/one"
	# all but who played
	pb-sim -p seed --trace all "$@" --score "$score" |
		paste -d '\n' - "$dir/one" | uniq -u |
		jq -c 'del(.policy, .program, .options)' | uniq -u | cmp - /dev/null
}

@test "pacmanbot: pb-sim plays the same when pb-score chooses" {
	for s in 1 2 3; do
		scored -a -n 2 -m testdata/house.yaml -s $s
	done
	pb-mapgen random-house -s 3 >"$dir/house"
	scored -a -n 4 -s 4 "$dir/house"
	[ "$(grep -c '"type":"result"' "$dir/one")" = 4 ]
	score='pb-score --asked'
	# By the program's constants.
	run ! cmp -s "$dir/one" <(pb-sim -a -n 4 -s 4 --trace all "$dir/house" \
		--score 'pb-score --asked --risk-weight 9')
	# What it passes on while nothing is asked fits in no pipe.
	scored -a -s 2 --set planner-period=0.35 --set theatrical=900 testdata/flat.jsonl
	{
		cat testdata/flat.jsonl
		echo '{"type":"cmd","t":3,"name":"start"}'
		for t in 20 21 22 23 24; do
			echo '{"type":"cmd","t":'$t',"name":"remove_pellet","value":'$((t - 20))'}'
		done
		echo '{"type":"cmd","t":26,"name":"reset_pellets"}'
		echo '{"type":"cmd","t":28,"name":"reset"}'
		echo '{"type":"cmd","t":30,"name":"start"}'
	} >"$dir/s"
	scored -s 7 "$dir/s"
	run -2 pb-sim -p safe --score true -m testdata/house.yaml -a
	run -2 pb-sim -i --score true -m testdata/house.yaml
	run -2 pb-sim -r roomba --score true
}

@test "pacmanbot: who chooses and is killed, hangs or talks nonsense" {
	option=--score
	clyde_is 'the agent has ended: status 0' true
	clyde_is 'the agent gave no answer for 0.5 s' 'head -n 2; cat >/dev/null; sleep 9'
	clyde_is 'the agent gave no answer for 0.5 s' cat
	clyde_is "expected a value, got 'rubbish', column 1" 'echo rubbish; cat'
	clyde_is 'other records' \
		'yes "{\"type\":\"event\",\"name\":\"x\"}"'
	at() { echo "echo '{\"type\":\"target\",$1,\"why\":\"best\"}'; cat"; }
	clyde_is 'target.t: expected 9.5, got 99' "$(at '"t":99,"pellet":1')"
	clyde_is 'target.pellet: 77 is not left' "$(at '"t":9.5,"pellet":77')"
}

@test "pacmanbot: commands go to a Clyde of his own" {
	{
		cat testdata/flat.jsonl
		echo '{"type":"cmd","t":1,"name":"spawn","value":[1.123456789,1]}'
		echo '{"type":"cmd","t":2.05,"name":"reset_ghosts"}'
		echo '{"type":"cmd","t":3,"name":"start"}'
		echo '{"type":"cmd","t":20.1,"name":"speed","value":0.123456789}'
		echo '{"type":"cmd","t":30.15,"name":"reset_ghosts"}'
	} >"$dir/s"
	same '-s 7' -s 7 --trace all "$dir/s"
	[ "$(grep -c '"clyde"' "$dir/one")" -gt 100 ]
}

# COMPLAINT COMMAND: what is said of such a Clyde, or of another program.
clyde_is() {
	run -1 --separate-stderr timeout 20 pb-sim -a -q --patience 0.5 \
		-m testdata/house.yaml "${option:---ghost}" "$2"
	[ "${#stderr_lines[@]}" = 1 ]
	[[ "$stderr" == "pb-sim: $2:"*" "*"$1" ]]
	if [ "${option:---ghost}" = --ghost ]; then
		run ! grep -q '"result"' <<<"$output"
	else
		grep '"result"' <<<"$output" | grep -q '"outcome":"forfeit"'
	fi
}

@test "pacmanbot: a Clyde who is killed, hangs or talks nonsense ends the game" {
	clyde_is 'the agent has ended: status 0' true
	clyde_is 'the agent has ended: status 0' \
		'exec 3<&0; pb-ghost -b clyde <&3 & kill -9 $!'
	clyde_is 'the agent gave no answer for 0.5 s' 'head -n 2; cat >/dev/null; sleep 9'
	clyde_is 'the agent gave no answer for 0.5 s' 'head -n 2; tr -d "\n" </dev/zero'
	clyde_is "expected a value, got 'rubbish', column 1" 'echo rubbish; cat'
	clyde_is 'expected a pose of clyde, got 1000 other records' \
		'yes "{\"type\":\"event\",\"name\":\"x\"}"'
	at() { echo "echo '{\"type\":\"pose\",\"id\":\"clyde\",$1}'; cat"; }
	clyde_is 'pose.t: expected 0.15, got 7' "$(at '"t":7,"x":1,"y":1,"theta":0')"
	clyde_is 'pose: (1e+300, 1) is not on the map' \
		"$(at '"x":1e300,"y":1,"theta":0')"
	for o in '-a --ghost true' -i; do
		run -2 pb-sim $o --ghost true -m testdata/house.yaml
	done
	run -2 pb-sim -a --patience 3 -m testdata/house.yaml
}

@test "a ghost may answer every state, also twice at one time" {
	cat >"$dir/stands" <<-'END'
		select(.type == "state" or .name == "spawn" or .name == "reset_ghosts") |
		{type: "pose", id: "clyde", t: .t, x: 1, y: 1, theta: 0}
	END
	pb-sim -q -a -s 1 -m testdata/house.yaml --trace clyde \
		--ghost "tee $dir/heard | jq -c --unbuffered -f $dir/stands" |
		tail -n 1 | grep -q '"result"'
	[ "$(jq -c 'select(.type == "state") | .t' "$dir/heard" | uniq -d |
		wc -l)" -gt 0 ]
}

@test "safe plays on where a program puts Clyde off his ground" {
	# in the walls of a corner, and beyond the free floor
	for at in '.x=-0.95|.y=-1.95' '.x=6.9|.y=3.9'; do
		echo "pb-ghost -b clyde --exact | jq -c --unbuffered \
			'if .type==\"pose\" then $at else . end'" >"$dir/off"
		pb-sim -a -p safe --ghost "clyde=sh $dir/off" $flat |
			tail -n 1 | jq -e '.outcome == "complete"'
	done
}

@test "results name outside programs, and -f compares them" {
	end() { tail -n 1 | jq -r "[$1]|@csv"; }
	key='.policy,.program,.ghosts'
	[ "$(pb-sim -a -s 7 -m testdata/house.yaml --score 'pb-score --asked' |
		end $key)" = '"pb-score --asked","pb-score --asked",' ]
	[ "$(pb-sim -a -s 7 -p seed -m testdata/house.yaml \
		--ghost 'mine=pb-ghost -b clyde --exact -s 7' | end $key)" = \
		'"seed",,"mine"' ]
	# by other options than a game of ours, whoever it is
	for o in '' --score='pb-score --asked' \
		--ghost='mine=pb-ghost -b clyde --exact -s 7' \
		--ghost='pb-ghost -b clyde --exact -s 7'; do
		pb-sim -a -s 7 -p seed -m testdata/house.yaml ${o:+"$o"} |
			end .options
	done >"$dir/options"
	[ "$(sort -u "$dir/options" | wc -l)" = 4 ]
	# names
	for o in 'mine=exit' 'A=1 exit' './b/bot.py  --depth 3' \
		'python3 /home/me/bots/the_best_of_them.py --depth 3' \
		'python3 /home/me/bots/the_best_of_them.py --depth 4'; do
		pb-sim -r pacbot --agent "$o" 2>/dev/null | end .policy
	done >"$dir/names"
	diff - "$dir/names" <<-'END'
		"mine"
		"A=1 exit"
		"bot.py --depth 3"
		"python3 the_best_of_th~676ba947"
		"python3 the_best_of_th~673c4d58"
	END
	run -2 pb-sim -r pacbot --agent mine=
	[[ "$output" = "pb-sim: --agent: expected a command, got none" ]]
	# agents, and players of ours
	go() {
		echo "$1=jq -c --unbuffered 'select(.type == \"tick\") |
			{type: \"move\", dir: \"$1\"}'"
	}
	for s in 1 2; do
		for who in --agent="$(go left)" --agent="$(go up)" -prandom; do
			pb-sim -r pacbot --set lives=1 -s $s "$who"
		done
	done | pb-bench -f >"$dir/out"
	[ "$(jq -r 'select(.type == "comparison") |
		[.second, .first, .n] | @csv' "$dir/out" | xargs)" = \
		'left,up,2 left,random,2 up,random,2' ]
}
