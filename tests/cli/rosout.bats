#!/usr/bin/env bats
# Games as topics of ROS: pb-mapgen --export, --publish.

load common

setup() { here; }

# What the summary of an MCAP file says: topic, type, messages of each channel.
topics() { # FILE
	python3 - "$1" <<-'PY'
	import struct, sys
	b = open(sys.argv[1], "rb").read()
	magic = b"\x89MCAP0\r\n"
	assert b.startswith(magic) and b.endswith(magic)
	at = struct.unpack_from("<Q", b, len(b) - 28)[0]
	schema, channel, count = {}, {}, {}
	def text(p):
	    n = struct.unpack_from("<I", b, p)[0]
	    return b[p + 4:p + 4 + n].decode(), p + 4 + n
	while b[at] != 2:
	    op, n = struct.unpack_from("<BQ", b, at)
	    p = at + 9
	    if op == 3:
	        schema[struct.unpack_from("<H", b, p)[0]] = text(p + 2)[0]
	    elif op == 4:
	        i, of = struct.unpack_from("<HH", b, p)
	        channel[i] = text(p + 4)[0], schema[of]
	    elif op == 11:
	        for k in range(struct.unpack_from("<I", b, p + 42)[0] // 10):
	            i, n_ = struct.unpack_from("<HQ", b, p + 46 + 10 * k)
	            count[i] = n_
	    at += 9 + n
	for i in channel:
	    print(*channel[i], count[i])
	PY
}

# A game in a house, with what its robot measures: of few beams, and of all.
setup_file() {
	(
		here
		mount='"mount":[0.1,0,1.5]'
		for beams in 36 360; do
			pb-mapgen testdata/house.yaml | pb-pellets |
				pb-sim -s 7 -p seed --autostart --trace all \
					--sensors lidar,odom \
					--set lidar-beams=$beams |
				sed "s/^{\"type\":\"scan\",/&$mount,/" \
					>"$BATS_FILE_TMPDIR/$beams"
		done
	)
}

play() { cp "$BATS_FILE_TMPDIR/${1-36}" "$dir/game"; } # [BEAMS]

@test "a game has the topics that robots have, and the same bytes each time" {
	play
	pb-mapgen --export "$dir/a.mcap" "$dir/game"
	pb-mapgen --export "$dir/b.mcap" <"$dir/game"
	cmp "$dir/a.mcap" "$dir/b.mcap"
	[ "$(topics "$dir/a.mcap" | cut -d' ' -f1,2 | sort)" = "\
/amcl_pose geometry_msgs/msg/PoseWithCovarianceStamped
/clock rosgraph_msgs/msg/Clock
/cmd_vel geometry_msgs/msg/Twist
/goal_pose geometry_msgs/msg/PoseStamped
/ground_truth geometry_msgs/msg/PoseStamped
/map nav_msgs/msg/OccupancyGrid
/markers visualization_msgs/msg/MarkerArray
/odom nav_msgs/msg/Odometry
/plan nav_msgs/msg/Path
/scan sensor_msgs/msg/LaserScan
/tf tf2_msgs/msg/TFMessage
/tf_static tf2_msgs/msg/TFMessage" ]
	[ "$(topics "$dir/a.mcap" | grep -c '/scan .* '"$(
		grep -c '"type":"scan"' "$dir/game")"'$')" -eq 1 ]
	[ "$(topics "$dir/a.mcap" | grep '/tf_static' | cut -d' ' -f3)" -eq 1 ]
}

@test "games on boards are told, too" {
	local rules
	local -A players=([pacbot]=greedy [roomba]=flee [zumy]=sneak)
	for rules in pacbot roomba zumy; do
		pb-sim --rules $rules -p ${players[$rules]} >"$dir/$rules"
		pb-mapgen --export "$dir/$rules.mcap" "$dir/$rules"
		topics "$dir/$rules.mcap" | cut -d' ' -f1 | sort | tr '\n' ' ' \
			>"$dir/$rules.topics"
	done
	[ "$(cat "$dir/pacbot.topics")" = "/clock /map /markers /tf " ]
	[ "$(cat "$dir/roomba.topics")" = "/clock /map /markers /tf " ]
	[ "$(pb-mapgen "$dir/zumy.mcap" | jq -r .type)" = map ]
	[ "$(cat "$dir/zumy.topics")" = "/clock /goal_pose /map /markers /tf " ]
}

@test "a recording appears whole or not at all" {
	play
	{ cat "$dir/game"; echo '{"type":"pose"}'; } >"$dir/bad"
	run -1 pb-mapgen --export "$dir/no.mcap" "$dir/bad"
	run -1 pb-mapgen --export "$dir/no.mcap" /dev/null
	run -3 pb-mapgen --export /dev/full "$dir/game"
	[ "${#lines[@]}" -eq 1 ]
	run -3 pb-mapgen --export "$dir/none/x.mcap" "$dir/game"
	run -3 pb-mapgen --export "$dir/bag/" "$dir/game"
	[ "$(ls "$dir")" = "bad
game" ]
	run -2 pb-mapgen --export "$dir/x.mcap" --png "$dir/x.png" "$dir/game"
}

@test "pb-localize reads what was written" {
	play
	pb-mapgen --export "$dir/a.mcap" "$dir/game"
	pb-localize --convert "$dir/a.mcap" >"$dir/back" 2>/dev/null ||
		skip "pb-localize reads no recordings"
	for t in game back; do
		jq -c 'select(.type == "scan") | [.t, .ranges, .mount]' \
			"$dir/$t" >"$dir/$t.scan"
		jq -c 'select(.type == "odom") | [.t, .x, .y, .theta, .v, .w]' \
			"$dir/$t" >"$dir/$t.odom"
		jq -c 'select(.type == "pose" and .source == "truth" and
			.id != "clyde") | [.t, .x, .y, .theta]' \
			"$dir/$t" >"$dir/$t.truth"
		jq -c 'select(.type == "pose" and .source == "estimate") |
			[.t, .x, .y, .theta, .cov]' "$dir/$t" >"$dir/$t.estimate"
		jq -c 'select(.type == "map") | [.resolution, .origin, .rows]' \
			"$dir/$t" >"$dir/$t.map"
	done
	for k in scan odom truth estimate map; do
		[ -s "$dir/game.$k" ]
		cmp "$dir/game.$k" "$dir/back.$k"
	done
}

@test "what comes back: the truth as such, no estimate that was none, none too sure" {
	pb-localize --convert testdata/house.log.gz >"$dir/log"
	pb-mapgen -q --export "$dir/a.mcap" "$dir/log"
	pb-localize --convert "$dir/a.mcap" >"$dir/back" 2>/dev/null ||
		skip "pb-localize reads no recordings"
	sources() { jq -r '.source // .type' "$1" | sort | uniq -c | tr -s ' \n' ' '; }
	[ "$(sources "$dir/back")" = " 352 odom 88 scan 88 truth " ]
	run -1 pb-bench -q --trajectory -e 'ate<=0.3' "$dir/back"
	# Poses without odometry do not become odometry, nor does a board's cell.
	jq -c 'select(.source == "truth")' "$dir/log" >"$dir/true"
	pb-mapgen -q --export "$dir/a.mcap" "$dir/true"
	[ "$(pb-localize --convert "$dir/a.mcap" | jq -r .source | sort -u)" = truth ]
	pb-sim --rules pacbot -p greedy | pb-mapgen -q --export "$dir/a.mcap"
	[ "$(pb-localize -q --convert "$dir/a.mcap" | jq -r .type | sort -u)" = map ]
	# Without a message the file is whole all the same.
	pb-mapgen -q --export "$dir/a.mcap" --only /tf testdata/flat.jsonl
	run -1 pb-localize --info "$dir/a.mcap"
	[ "$output" = "pb-localize: $dir/a.mcap: expected messages, got none" ]
	# A localizer that is lost at first, and late.
	pb-localize -q -m testdata/house.yaml "$dir/log" |
		jq -c 'select(.type != "map") | if .source != "estimate" then .
		    elif .t < 12 then .status = "lost" elif .t > 50 then .status = "ambiguous"
		    elif .t > 40 then .status = "unmapped" else . end' >"$dir/game"
	[ "$(jq -r '.status // empty' "$dir/game" | sort -u | tr '\n' ' ')" = "ambiguous lost tracking unmapped " ]
	pb-mapgen -q --export "$dir/a.mcap" "$dir/game"
	pb-localize -q --convert "$dir/a.mcap" >"$dir/back"
	[ "$(sources "$dir/back")" = "$(sources "$dir/game")" ]
	for t in game back; do
		jq -c 'select(.source == "estimate") | [.t, .x, .y, .theta,
		    (.status | if . == "tracking" then null else . end)]' "$dir/$t" >"$dir/$t.poses"
	done
	cmp "$dir/game.poses" "$dir/back.poses"
}

@test "beams that failed come back as such, and clear nothing" {
	for i in 0 1 2; do
		jq -nc --argjson t $i '{type: "pose", t: $t, x: (0.1 * $t), y: 0, theta: 0,
		    source: "truth"}, {type: "odom", t: $t, x: (0.1 * $t), y: 0, theta: 0},
		    {type: "scan", t: $t, angle_min: 0, angle_increment: 0.1, range_min: 0.1,
		    range_max: 8, ranges: ([range(60) | if . < 20 then 2 else null end]),
		    errors: [range(20; 59)]}'
	done >"$dir/scans"
	pb-mapgen -q --export "$dir/a.mcap" "$dir/scans"
	pb-localize --convert "$dir/a.mcap" >"$dir/back" 2>/dev/null ||
		skip "pb-localize reads no recordings"
	for t in scans back; do
		jq -c 'select(.type == "scan") | [.ranges, .errors]' "$dir/$t" >"$dir/$t.beams"
		pb-mapgen -q --from-log --set clear=3 "$dir/$t" | jq -c .rows >"$dir/$t.rows"
	done
	cmp "$dir/scans.beams" "$dir/back.beams"
	cmp "$dir/scans.rows" "$dir/back.rows"
	# A scan of nothing else has no range.
	jq -c 'if .ranges then .ranges[] |= null | .errors = [range(60)] else . end' \
		"$dir/scans" | pb-localize -a odom --start 0,0 2>&1 >"$dir/out" |
		grep 'no beam of 60 has a range'
}

@test "a robot's ROS is told by rosbridge" {
	play
	python3 tests/cli/websocket.py rosbridge "$dir/port" >"$dir/told" 3>&- &
	for _ in $(seq 100); do
		[ ! -s "$dir/port" ] || break
		sleep 0.05
	done
	run --separate-stderr pb-mapgen --speed 0 \
		--publish "ws://127.0.0.1:$(cat "$dir/port")" "$dir/game"
	[ "$status" -eq 0 ]
	[[ $stderr == *"warning: what is that?" ]]
	wait
	# Every topic is advertised before its first message.
	[ "$(jq -r 'select(.topic == "/scan") | .op' "$dir/told" | head -2 |
		tr '\n' ' ')" = "advertise publish " ]
	[ "$(jq -c 'select(.op == "advertise" and .latch) | .topic' \
		"$dir/told" | sort | tr '\n' ' ')" = '"/map" "/tf_static" ' ]
	! grep -E '(null|NaN|Infinity)' "$dir/told"
	# And what rosbridge would send is what we read.
	jq -c 'select(.op == "publish")' "$dir/told" >"$dir/messages"
	pb-localize --convert "$dir/messages" >"$dir/back"
	for t in game back; do
		jq -c 'select(.type == "odom") | [.t, .x, .y, .theta, .v, .w]' \
			"$dir/$t" >"$dir/$t.odom"
		jq -c 'select(.type == "scan") | [.t, .mount, .range_max, (.ranges |
			map(if . and . < 12 then . else null end))]' \
			"$dir/$t" >"$dir/$t.scan"
	done
	cmp "$dir/game.odom" "$dir/back.odom"
	cmp "$dir/game.scan" "$dir/back.scan"
}

@test "the address of a server is checked" {
	run -2 pb-mapgen --publish 9090 pacman
	run -2 pb-mapgen --publish tcp://localhost:9090 pacman
	run -2 pb-mapgen --speed 2 pacman
}
