#!/usr/bin/env bats
# A robot's ROS while it drives: pb-localize --connect, pb-sim --robot.

load common

setup() { here; }

# A robot that tells the messages of a file, see websocket.py; its URL in $url,
# and what it was asked for in $dir/asked.
robot() { # HOW MESSAGES
	rm -f "$dir/port"
	timeout 60 python3 tests/cli/websocket.py robot "$dir/port" "$1" \
		<"$2" >"$dir/asked" 2>&1 3>&- &
	for _ in $(seq 100); do
		[ ! -s "$dir/port" ] || break
		sleep 0.05
	done
	url=ws://127.0.0.1:$(cat "$dir/port")
}

messages() { # LINES
	gzip -dc testdata/house.log.gz | pb-localize --convert | head -n "$1" |
		python3 tests/cli/robot.py >"$dir/messages"
	pb-localize --convert "$dir/messages" >"$dir/records"
}

@test "a robot is read by rosbridge as its messages in a file are" {
	messages 150
	for how in json cbor fragments; do
		robot $how "$dir/messages"
		pb-localize --convert --connect "$url" --end-after 4 \
			>"$dir/$how"
		cmp "$dir/records" "$dir/$how"
	done
	# Without rosapi, topics are those of nav2.
	[ "$(cat "$dir/asked")" = \
		"/tf_static /tf /map /scan /odom /amcl_pose /initialpose" ]
}

@test "a robot says where it is while it drives" {
	messages 150
	pb-localize -m testdata/house.yaml "$dir/messages" >"$dir/want"
	robot cbor "$dir/messages"
	pb-localize -m testdata/house.yaml --connect "$url" >"$dir/got" 3>&- &
	pid=$!
	for _ in $(seq 100); do
		[ "$(wc -l <"$dir/got")" -lt 100 ] || break
		sleep 0.1
	done
	kill $pid
	wait $pid || status=$?
	[ "$status" -eq 143 ]
	head -n 100 "$dir/want" | cmp - <(head -n 100 "$dir/got")
	# It has the map: no other one is asked for.
	! grep -q /map "$dir/asked"
}

@test "a connection that is lost is made again" {
	messages 100
	robot twice "$dir/messages"
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
	robot json "$dir/messages"
	pb-localize -q --convert --connect "$url" --end-after 1.5 >/dev/null
	[ "$(cat "$dir/asked")" = "/tf /tf_static /r1/scan /wheel/odometry" ]
	robot json "$dir/messages"
	pb-localize -q --convert --connect "$url" --end-after 1.5 \
		--topic back/scan_raw >/dev/null
	[ "$(cat "$dir/asked")" = \
		"/tf /tf_static /back/scan_raw /wheel/odometry" ]
}

@test "what no server sends is one line" {
	messages 3
	while read -r how line text; do
		robot "$how" "$dir/messages"
		run -1 --separate-stderr pb-localize --convert --connect "$url"
		[[ "$stderr" = "pb-localize: $url:$line: "$text ]] || {
			echo "$how: $stderr"
			false
		}
		wait
	done <<-'END'
		garbage 1 expected a message of rosbridge, got "# what is that?"
		binary 1 CBOR, byte 0: a length beyond its end
		half 1 CBOR, byte *: a length beyond its end
		order 2 num: expected part 1 of a message, got 2
		again 3 num: expected part 2 of a message, got 1
		empty 1 data: expected some text
		long 1 a message of more than 67108864 bytes
		endless 68 data: a message of more than 67108864 bytes
	END
}

@test "a server that stalls is given up" {
	messages 3
	for how in stall longer; do
		robot $how "$dir/messages"
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

@test "where robots are is checked" {
	for bad in 9090 tcp://h:1 ws://h http://h:1; do
		run -2 --separate-stderr pb-localize --connect "$bad"
		[ "$stderr" = "pb-localize: --connect: expected ws://HOST:PORT, got \"$bad\"" ]
	done
	run -2 pb-localize --connect ws://h:1 /dev/null
	run -2 pb-localize --end-after 3
	run -2 pb-localize --patience 3
	run -3 --separate-stderr pb-localize --patience 0.1 \
		--connect ws://127.0.0.1:1
	[[ "$stderr" = "pb-localize: ws://127.0.0.1:1: cannot connect: "* ]]
}
