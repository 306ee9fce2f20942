#!/usr/bin/env bats
# A robot's ROS while it drives: pb-localize --connect, pb-sim --robot.

load common

setup() { here; }

# Robots that tell the messages of a file, see websocket.py.
robots() { # MESSAGES HOW ...
	local how
	for how in "${@:2}"; do
		rm -f "$dir/port-$how"
		timeout 60 python3 tests/cli/websocket.py robot \
			"$dir/port-$how" "$how" \
			<"$1" >"$dir/asked-$how" 2>&1 3>&- &
	done
	reach "${!#}"
}

# The URL of one in $url, the file with what it was asked for in $asked.
reach() { # HOW
	asked=$dir/asked-$1
	wait_until [ -s "$dir/port-$1" ]
	url=ws://127.0.0.1:$(cat "$dir/port-$1")
}

messages() { # LINES
	gzip -dc testdata/house.log.gz | pb-localize --convert | head -n "$1" |
		python3 tests/cli/robot.py >"$dir/messages"
	pb-localize --convert "$dir/messages" >"$dir/records"
}

@test "a robot is read by rosbridge as its messages in a file are" {
	messages 150
	robots "$dir/messages" json fragments
	for how in json fragments; do
		reach $how
		pb-localize --convert --connect "$url" --end-after 4 \
			>"$dir/$how" 3>&- &
		pids+=" $!"
	done
	for pid in $pids; do
		wait "$pid"
	done
	for how in json fragments; do
		cmp "$dir/records" "$dir/$how"
	done
	# Without rosapi, topics are those of nav2.
	[ "$(cat "$asked")" = \
		"/tf_static /tf /map /scan /odom /amcl_pose /initialpose" ]
}

@test "a robot says where it is while it drives" {
	messages 150
	pb-localize -m testdata/house.yaml "$dir/messages" |
		grep -v '"estimate"' >"$dir/want"
	robots "$dir/messages" json
	pb-localize -m testdata/house.yaml --connect "$url" >"$dir/got" 3>&- &
	pid=$!
	hundred() { [ "$(wc -l <"$dir/got")" -ge 100 ]; }
	wait_until hundred
	kill $pid
	wait $pid || status=$?
	[ "$status" -eq 143 ]
	# A robot that tells all at once has poses of its newest scans.
	grep -q '"estimate"' "$dir/got"
	head -n 90 "$dir/want" |
		cmp - <(grep -v '"estimate"' "$dir/got" | head -n 90)
	# It has the map: no other one is asked for.
	! grep -q /map "$asked"
}

@test "a connection that is lost is made again" {
	messages 100
	robots "$dir/messages" twice
	run --separate-stderr pb-localize --convert --connect "$url" \
		--end-after 7
	[ "$status" -eq 0 ]
	[ "$stderr" = "pb-localize: $url: the server has gone" ]
	[ "$output" = "$(cat "$dir/records")" ]
}

@test "rosapi says which topics there are, and --topic which to take" {
	messages 50
	scan=sensor_msgs/msg/LaserScan
	export ROSAPI="/r1/scan $scan /back/scan_raw $scan
		/wheel/odometry nav_msgs/msg/Odometry /tf tf2_msgs/msg/TFMessage
		/tf_static tf2_msgs/msg/TFMessage /x std_msgs/msg/String
		/local_costmap/costmap nav_msgs/msg/OccupancyGrid
		/rosout rcl_interfaces/msg/Log"
	robots "$dir/messages" json
	pb-localize -q --convert --connect "$url" --end-after 1.5 >/dev/null
	[ "$(cat "$asked")" = "/tf /tf_static /r1/scan /wheel/odometry" ]
	robots "$dir/messages" json
	pb-localize -q --convert --connect "$url" --end-after 1.5 \
		--topic back/scan_raw >/dev/null
	[ "$(cat "$asked")" = \
		"/tf /tf_static /back/scan_raw /wheel/odometry" ]
}

@test "what no server sends is one line" {
	messages 3
	robots "$dir/messages" garbage binary half order again empty long \
		endless
	while read -r how line text; do
		reach "$how"
		pb-localize -q --convert --connect "$url" >"$dir/out-$how" \
			2>"$dir/$how" 3>&- &
		said+=("$! $how pb-localize: $url:$line: $text")
	done <<-'END'
		garbage 1 expected a message of rosbridge, got "# what is that?"
		binary 1 expected a message of rosbridge in JSON, got a binary one
		half 1 *
		order 2 num: expected part 1 of a message, got 2
		again 3 num: expected part 2 of a message, got 1
		empty 1 data: expected some text
		long 1 a message of more than 67108864 bytes
		endless 68 data: a message of more than 67108864 bytes
	END
	for one in "${said[@]}"; do
		read -r pid how text <<<"$one"
		status=0
		wait "$pid" || status=$?
		[ "$status" -eq 1 ]
		# shellcheck disable=SC2053 # a pattern
		[[ $(cat "$dir/$how") = $text ]] || {
			echo "$how: $(cat "$dir/$how")"
			false
		}
	done
}

@test "a robot that is lost takes the newest scan" {
	gzip -dc testdata/house.log.gz | pb-localize --convert >"$dir/records"
	run --separate-stderr pb-localize --live -m testdata/house.yaml \
		<"$dir/records"
	[ "$status" -eq 0 ]
	scans=$(grep -c '"type":"scan"' <<<"$output")
	poses=$(grep -c '"estimate"' <<<"$output")
	[ "$scans" -eq 88 ]
	# All have come: after the first the last is looked at.
	[ "$poses" -eq 2 ]
	[ "$(jq -s 'map(select(.type == "scan")) | last.t' <<<"$output")" = \
		"$(jq -s 'map(select(.source == "estimate")) | last.t' \
			<<<"$output")" ]
	grep -q "^pb-localize: skipped 86 scans for newer ones" \
		<<<"$stderr"
	# One that knows where it is takes them all.
	pb-localize --live -m testdata/house.yaml --start truth \
		<"$dir/records" >"$dir/known" 2>"$dir/said"
	[ ! -s "$dir/said" ]
	[ "$(grep -c '"estimate"' "$dir/known")" -eq 88 ]
	# Scans of another robot are not its own, and those left out no scans.
	jq -c 'select(.type == "scan") | .id = "other"' "$dir/records" |
		cat "$dir/records" - >"$dir/two"
	[ "$(pb-localize -q --live -m testdata/house.yaml <"$dir/two" |
		grep -c '"estimate"')" -eq 2 ]
	[ "$(pb-localize -q --live --scans odd -m testdata/house.yaml \
		<"$dir/records" | grep -c '"estimate"')" -eq 44 ]
	# One that is refused is not passed on.
	gzip -dc testdata/maze.jsonl.gz | head -n 1 >"$dir/maze"
	scan='{"type":"scan","angle_min":0,"angle_increment":1.57,"range_max":2,"ranges":[1,1,1,1],"mount":[0.1,0,0]}'
	run -1 --separate-stderr pb-localize --live "$dir/maze" - <<<"$scan"
	[[ "$stderr" == "pb-localize: <stdin>:1: scan.mount: expected [0,0,theta] in a maze"* ]]
	[ "$output" = "$(cat "$dir/maze")" ]
	# Of what is not live, none is passed over.
	[ "$(pb-localize -m testdata/house.yaml <"$dir/records" |
		grep -c '"estimate"')" -eq 88 ]
}

@test "a server that sends without end does not outlive --end-after" {
	scan='{"op":"publish","topic":"/scan","msg":{"angle_min":0,"angle_increment":0.1,"range_max":10,"ranges":[1,1,1,1,1,1,1,1,1,1]}}'
	echo "$scan" >"$dir/messages"
	robots "$dir/messages" flood topics
	for how in flood topics; do
		reach "$how"
		for what in "-m testdata/house.yaml" --convert --info; do
			# shellcheck disable=SC2086 # words
			timeout 6 pb-localize -q $what --connect "$url" \
				--end-after 1 >"$dir/out"
			# The server takes one client.
			robots "$dir/messages" "$how"
		done
	done
}

@test "a search is ended by a signal" {
	for i in {1..2000}; do
		echo '{"type":"scan","angle_min":0,"angle_increment":0.1,"range_max":10,"ranges":[1,1,1,1,1,1,1,1,1,1]}'
	done >"$dir/scans"
	# With beliefs, what is written fills a buffer after a few scans.
	pb-localize -q -b --particles 500 -m testdata/house.yaml "$dir/scans" \
		>"$dir/out" 3>&- &
	pid=$!
	wait_until [ -s "$dir/out" ]
	kill $pid
	status=0
	wait $pid || status=$?
	[ "$status" -eq 143 ]
	# Nothing is said of a search that was cut short.
	[ "$(tail -c 1 "$dir/out" | wc -l)" -eq 1 ]
	jq -se 'map(select(.type == "pose")) | length < 2000' "$dir/out" \
		>/dev/null
}

@test "a server that stalls is given up" {
	messages 3
	robots "$dir/messages" stall longer
	for how in stall longer; do
		reach $how
		pb-localize -q --convert --connect "$url" --patience 2 \
			2>"$dir/$how" 3>&- &
		pids+=" $!"
	done
	for pid in $pids; do
		status=0
		wait "$pid" || status=$?
		[ "$status" -eq 3 ]
	done
	grep -q 'cannot connect' "$dir/stall"
	grep -q 'cannot connect' "$dir/longer"
}

# A simulated robot with a ROS of its own plays for S s, its pose being what
# pb-localize says: what it did is in $dir/drive, the game in $dir/game.
drive() { # S [OPTION=VALUE ...]
	python3 tests/cli/rosrobot.py room >"$dir/room.jsonl"
	timeout $(($1 + 30)) python3 tests/cli/rosrobot.py "$dir/port" \
		"${@:2}" >"$dir/drive" 2>&1 3>&- &
	pid=$!
	wait_until [ -s "$dir/port" ]
	url=ws://127.0.0.1:$(cat "$dir/port")
	pb-localize --connect "$url" -m "$dir/room.jsonl" --start 1,1,0.5 |
		pb-sim --robot --autostart --start 1,1 --set spin=no \
			--set 'theatrical=1 spacing=1 clyde-speed=0.02' \
			--set "v-max=0.4 w-max=1.2 duration=$1" |
		tee "$dir/game" |
		pb-mapgen --speed 0 --publish "$url" --only /cmd_vel
	sleep 0.3
	kill $pid
}

@test "a robot whose pose comes from pb-localize alone eats pellets" {
	drive 25 2>"$dir/said"
	[ ! -s "$dir/said" ]
	[ "$(jq -s 'map(select(.type == "event" and .name == "pellet")) |
		length' "$dir/game")" -ge 2 ]
	jq -se 'map(select(.type == "pose" and .id == "robot")) | length > 100 and
		all(.source == "estimate")' "$dir/game" >/dev/null
	# It never drives faster than it may, stands when the game is over, and
	# is told nothing else.
	awk '{ v = $4 < 0 ? -$4 : $4; w = $5 < 0 ? -$5 : $5 }
		v > 0.4 || w > 1.2 || $6 > 1 { exit 1 } v > 0.35 { n++ }
		END { exit !(n > 50 && v == 0 && w == 0) }' "$dir/drive"
}

@test "a robot stands when scans stop" {
	drive 9 blind=5
	# Half a second after the last scan, and what messages take.
	awk '$1 == "#" { blind = $3; next }
		!blind && $4 > 0.2 { drove = 1 }
		blind && $1 > blind + 0.8 { n++ }
		blind && $1 > blind + 0.8 && ($4 != 0 || $5 != 0) { exit 1 }
		END { exit !(drove && n > 20) }' "$dir/drive"
	# The game goes on without it.
	jq -se 'map(select(.type == "twist")) | .[-40:] |
		all(.v == 0 and .w == 0)' "$dir/game" >/dev/null
}

# Poses at 50 Hz: as they should be while the game begins and for a second, then
# for a second each late, lost, and as they should be.
tell_poses() {
	python3 -u - <<-'END'
		import time
		start = time.monotonic()
		for i in range(350):
		    t = i / 50
		    time.sleep(max(0, start + t - time.monotonic()))
		    late = 4 <= t < 5
		    status = "lost" if 5 <= t < 6 else "tracking"
		    print('{"type":"odom","t":%.2f,"id":"robot","x":0,"y":0,'
		          '"theta":0}' % t)
		    print('{"type":"pose","t":%.2f,"id":"robot","x":1,"y":1,'
		          '"theta":0.5,"source":"estimate","status":"%s"}' %
		          (t - 0.9 * late, status))
	END
}

@test "a robot stands while its poses are old, or not sure" {
	python3 tests/cli/rosrobot.py room >"$dir/room.jsonl"
	{
		cat "$dir/room.jsonl"
		tell_poses
	} | pb-sim --robot -a --start 1,1 --dead-man 0.3 \
		--set 'spin=no theatrical=0 spacing=1 clyde-speed=0.02' \
		--set 'v-max=0.4 w-max=1.2' >"$dir/game"
	jq -se 'map(select(.type == "twist")) |
		def moves($a; $b): map(select(.t > $a and .t < $b) |
			select(.v != 0 or .w != 0)) | length;
		moves(3; 4) > 5 and moves(4.6; 5.9) == 0 and
		moves(6.2; 7) > 5' "$dir/game"
}

@test "without input a robot stands, and nothing is played" {
	python3 tests/cli/rosrobot.py room >"$dir/room.jsonl"
	echo '{"type":"pose","t":5,"id":"robot","x":1,"y":1,"theta":0,"source":"estimate"}' |
		pb-sim --robot -a "$dir/room.jsonl" - >"$dir/out"
	[ "$(tail -n 1 "$dir/out" | jq -c '[.type, .v, .w]')" = '["twist",0,0]' ]
	! grep -q '"type":"result"' "$dir/out"
	run -2 pb-sim --robot "$dir/room.jsonl"
	run -2 pb-sim --dead-man 1 -a "$dir/room.jsonl"
	run -2 pb-sim --robot -a --set people=2 "$dir/room.jsonl"
	run -2 pb-sim -r roomba --robot
	run -2 pb-mapgen --only /scan "$dir/room.jsonl"
	run -2 pb-mapgen --export "$dir/x.mcap" --only /nothing "$dir/room.jsonl"
	pb-mapgen --export "$dir/x.mcap" --only /map "$dir/out"
	pb-localize --info "$dir/x.mcap" >"$dir/info"
	[ "$(grep -c / "$dir/info")" -eq 1 ]
}

@test "where robots are is checked" {
	for bad in 9090 tcp://h:1 ws://h http://h:1; do
		run -2 --separate-stderr pb-localize --connect "$bad"
		[ "$stderr" = "pb-localize: --connect: expected [ws://]HOST:PORT, got \"$bad\"" ]
	done
	run -2 pb-localize --connect ws://h:1 /dev/null
	run -2 pb-localize --end-after 3
	run -2 pb-localize --patience 3
	run -3 --separate-stderr pb-localize --end-after 0.1 \
		--connect ws://127.0.0.1:1
	[ "$stderr" = "pb-localize: ws://127.0.0.1:1: not connected within --end-after: Unable to connect" ]
	run -3 --separate-stderr pb-localize --patience 0.1 \
		--connect ws://127.0.0.1:1
	[[ "$stderr" = "pb-localize: ws://127.0.0.1:1: cannot connect: "* ]]
}
