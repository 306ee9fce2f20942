#!/usr/bin/env bats
# zumy.bats - the Zumy game from the command line.

load common

setup() { here; }

@test "the same seed plays the same game, another one another" {
	pb-sim -r zumy -p astar -s 4 >"$dir/a"
	pb-sim -r zumy -p astar -s 4 | cmp - "$dir/a"
	run ! cmp -s "$dir/a" <(pb-sim -r zumy -p astar -s 5)
}

@test "pb-sim and pb-bench play the same trials, on any number of threads" {
	pb-bench -r zumy -p direct,astar -n 3 -s 2 -j 3 |
		jq -c 'select(.type == "result")' | sort >"$dir/bench"
	for p in direct astar; do
		for t in 0 1 2; do
			pb-sim -r zumy -p $p -s 2 -t $t | tail -n 1
		done
	done | sort | cmp - "$dir/bench"
}

@test "a script of moves plays; strangers' moves are refused" {
	printf '0 0 9\n' >"$dir/b.zumy"
	printf '{"type":"move","dir":"right"}\n%.0s' 1 2 >"$dir/s"
	pb-sim -r zumy --set patrols=0 -m "$dir/b.zumy" "$dir/s" | tail -n 1 |
		jq -e '.outcome == "reached" and .time == 6.6'
	run -1 pb-sim -r zumy <(echo '{"type":"move","id":"sue","dir":"up"}')
	[[ "$output" == *'expected one of player, got one of "sue"'* ]]
	# Moves of the others are theirs to make: a trace plays its game again.
	pb-sim -r zumy -s 5 -p random >"$dir/g"
	pb-sim -r zumy -s 5 "$dir/g" | sed 's/"script"/"random"/' | cmp - "$dir/g"
}

@test "boards that cannot be played are refused" {
	printf '0 0 0\n' >"$dir/b.zumy"
	run -1 pb-sim -r zumy -m "$dir/b.zumy"
	[[ "$output" == *'b.zumy: expected one goal'* ]]
	printf '0 0 9\n' >"$dir/b.zumy"
	run -1 pb-sim -r zumy -m "$dir/b.zumy"
	[[ "$output" == *'has no room for all patrols'* ]]
	run -1 pb-bench -r zumy -n 1 -m roomba
	[[ "$output" == *'expected no walls between cells'* ]]
}

@test "options of other rules are refused" {
	run -2 pb-sim -r zumy --set ghosts=2
	run -2 pb-sim -r roomba --set patrols=2
	run -2 pb-bench -r zumy -p plan
}

@test "a patrol that stares says so, and the winner too" {
	pb-sim -r zumy -p direct -s 1 -t 3 >"$dir/a"
	jq -se '[.[] | select(.type == "message") | .name] | index("PING")' \
		"$dir/a"
	jq -se 'if .[-1].outcome == "seen" then
	    any(.type == "message" and .name == "WON") else true end' "$dir/a"
}

@test "robots with bodies write poses at the rate, and the same result" {
	pb-sim -r zumy --motion drive -p astar -s 2 --rate 2 >"$dir/a"
	pb-sim -r zumy --motion drive -p astar -s 2 --rate 2 | cmp - "$dir/a"
	pb-bench -r zumy --motion drive -p astar -s 2 -n 1 -j 1 | head -n 1 |
		cmp - <(tail -n 1 "$dir/a")
	jq -se '(.[-1].time * 2 | floor) as $n |
	    [.[] | select(.type == "pose")] | group_by(.id) | length == 3 and
	    all(length >= $n and length <= $n + 2)' "$dir/a"
	run -2 pb-sim -r zumy --rate 2
	run -1 pb-sim -r zumy --motion drive --set body=0.2
	[[ "$output" == *'smaller than a robot'* ]]
}

# won OPTION ... - games that astar wins of 300 on the authors' board.
won() {
	pb-bench -q -r zumy -m zumy-published -p astar -n 300 "$@" |
		jq 'select(.type == "summary") | .k'
}

@test "the mistakes of the published code change games, with bodies too" {
	[ "$(won)" != "$(won --set compat=published)" ]
	[ "$(won --motion drive)" != \
		"$(won --motion drive --set compat=published)" ]
}

@test "a robot in the cell at the bottom left blocks who reads it" {
	printf '0 0 0\n0 9 0\n' >"$dir/b.zumy"
	printf '{"type":"move","dir":"%s"}\n' left left up right >"$dir/s"
	pb-sim -r zumy --set patrols=0 -m "$dir/b.zumy" --set draw=300 "$dir/s" |
		tail -n 1 | jq -e .success
	pb-sim -r zumy --set patrols=0 -m "$dir/b.zumy" --set 'draw=300 compat=published' \
		"$dir/s" | tail -n 1 | jq -e '.success | not'
}

@test "each patrol pings for itself, at its own times" {
	pb-sim -r zumy -p astar -s 1 -t 3 --set 'compat=published win=1 draw=600' |
		jq -c 'select(.name == "PING") | [.id, .t]' >"$dir/p"
	jq -se 'map(.[0]) | unique == ["patrol1", "patrol2"]' "$dir/p"
	jq -se 'group_by(.[0]) | map([.[1:], .[:-1]] | transpose |
	    map(.[0][1] - .[1][1])) | add | min > 5 and max > 5.2' "$dir/p"
}

@test "patrols that plan around the edge end or leave the board" {
	for t in 26 31; do
		pb-sim -r zumy -m zumy-published -p astar -t $t \
			--set compat=published
	done >"$dir/a"
	grep -q '"mode":"lost"' "$dir/a"
	pb-mapgen --render "$dir/a" >/dev/null
}

@test "the authors' board is a board by name" {
	pb-mapgen zumy-published | jq -e '.rows[0] == "   #   # #" and
	    .rows[2][8:9] == "G" and .name == "zumy-published"'
	pb-bench -q -r zumy -m zumy-published -n 1 -p direct |
		jq -se '.[0].map == "zumy-published"'
}

@test "sneak tries its ways in games with noise, whatever the threads" {
	# With few looks the first way that is found wins one of these games.
	set -- -q -r zumy --motion drive -p sneak --set draw=1500 --set looks=10000
	pb-bench "$@" -n 4 -j 2 -e 'sneak:success>=0.75' >"$dir/a"
	pb-bench "$@" -n 1 -j 1 | grep '"result"' >"$dir/b"
	grep -m 1 '"result"' "$dir/a" | cmp - "$dir/b"
}

@test "sneak gets past three patrols in step wherever there is a way" {
	set -- -q -r zumy -p sneak -n 8 -s 2 --set patrols=3 --no-results
	pb-bench "$@" -e 'sneak:success>=0.8' >"$dir/a"
	# With fewer looks he finds less, with more no more.
	pb-bench "$@" --set looks=5000000 | jq -s '.[0].k' >"$dir/b"
	[ "$(jq -s '.[0].k' "$dir/a")" -eq "$(cat "$dir/b")" ]
	pb-bench "$@" --set looks=2000 |
		jq -se --slurpfile k "$dir/b" '.[0].k < $k[0]'
}

@test "the board with a goal is a map for mcl, not for what is for mazes" {
	pb-sim -r zumy --sensors lidar,odom --set 'patrols=0 draw=20' >"$dir/s"
	pb-localize -q -g "$dir/s" >"$dir/a"
	jq -s -e 'any(.source == "estimate") and any(.type == "maze")' "$dir/a"
	pb-localize -q -g -a mcl "$dir/s" | cmp - "$dir/a"
	pb-localize -q -g -a fuse "$dir/s" >"$dir/b"
	! cmp -s "$dir/a" "$dir/b"
}

@test "pictures show what patrols see: ahead of them, up to a wall" {
	seen() { # DIR MODE: rows of the picture in which something is seen
		{
			echo '{"type":"maze","cell":1,"rows":["#####","#   #","# # #","#   #","#####"]}'
			echo "{\"type\":\"tick\",\"tick\":1,\"bodies\":[{\"id\":\"player\",\"row\":3,\"col\":3},{\"id\":\"patrol1\",\"row\":1,\"col\":1,\"dir\":\"$1\",\"mode\":\"$2\"}]}"
		} | pb-mapgen --render --style ascii --hide axes,legend \
			--width 50 | grep -c '"'
	}
	[ "$(seen down patrolling)" -gt 1 ]
	[ "$(seen right staring)" -eq 1 ]
	[ "$(seen left patrolling)" -eq 0 ]
	[ "$(seen right lost)" -eq 0 ]
}

@test "robots localize themselves: results, the same on any thread, refusals" {
	pb-bench -q -r zumy -p astar -n 6 -j 1 --motion drive \
		--vary localizer=noise,mcl,odom >"$dir/a"
	pb-bench -q -r zumy -p astar -n 6 -j 3 --motion drive \
		--vary localizer=noise,mcl,odom | cmp - "$dir/a"
	jq -se 'map(select(.type == "summary")) | length == 3 and
	    (.[0] | has("updates_mean") | not) and
	    .[1].updates_mean > 10 and .[1].error_mean < 0.01 and
	    .[1].wrong_updates == 0 and
	    .[2].error_mean > 2 * .[1].error_mean' "$dir/a"
	# Noise is what there was, and the name of it changes no hash.
	pb-sim -r zumy --motion drive -p astar | tail -n 1 | cmp - \
		<(pb-sim -r zumy --motion drive -p astar --localizer noise |
			tail -n 1)
	run -2 pb-sim -r zumy --localizer mcl
	[ "${lines[0]}" = "pb-sim: --localizer: has no effect here, only with --motion drive" ]
	run -2 pb-bench -r zumy --motion drive --localizer amcl
	[[ "$output" == *'expected one of noise|mcl|odom, got "amcl"'* ]]
}
