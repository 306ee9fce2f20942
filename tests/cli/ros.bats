#!/usr/bin/env bats
# Recordings of ROS topics, see pb-ros(7): read as records, and used.

load common

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	PATH=$PWD/${O:-build}:$PATH
	export drive=$BATS_FILE_TMPDIR/messages bag=$BATS_FILE_TMPDIR/house.mcap
	pb-localize -q --convert testdata/house.log.gz |
		python3 tests/cli/robot.py >"$drive"
	python3 tests/cli/mcap.py 2 <"$drive" >"$bag"
}

setup() {
	here
	data=../shared/data/bags
}

without_angles() { jq -c 'del(.angle_min, .angle_increment)' "$@"; }
types() { jq -r .type | sort | uniq -c | tr -s ' \n' ' '; }

@test "a recording is read as the messages of rosbridge are" {
	pb-localize --convert "$drive" >"$dir/want"
	[ "$(types <"$dir/want")" = " 352 odom 88 pose 88 scan " ]
	without_angles "$dir/want" >"$dir/plain"
	for how in 1 2 big json; do
		python3 tests/cli/mcap.py $how <"$drive" >"$dir/bag"
		pb-localize --convert "$dir/bag" >"$dir/out"
		# Angles of bytes have 32 bits.
		without_angles "$dir/out" | diff - "$dir/plain"
		jq -se 'map(select(.type == "scan")) |
		    all(.angle_min + 3.141592653589793 | fabs < 1e-6)' "$dir/out"
		pb-localize --convert <"$dir/bag" | cmp - "$dir/out"
	done
	gzip <"$bag" | pb-localize --convert | cmp - <(pb-localize --convert "$bag")
	mkdir "$dir/parts"
	cp "$bag" "$dir/parts/a.mcap"
	pb-localize --convert "$dir/parts" | cmp - <(pb-localize --convert "$bag")
}

@test "of beams with several echoes the first is read" {
	pb-localize --convert "$drive" >"$dir/want"
	jq -c 'if .topic != "/scan" then . else .topic = "/echoes" |
	    .msg.ranges |= map({echoes: [., 77.5]}) end' "$drive" >"$dir/echoes"
	pb-localize --convert "$dir/echoes" | cmp - "$dir/want"
	without_angles "$dir/want" >"$dir/plain"
	for how in 1 2 big json; do
		python3 tests/cli/mcap.py $how <"$dir/echoes" >"$dir/bag"
		pb-localize --convert "$dir/bag" | without_angles |
			cmp - "$dir/plain"
	done
	# Without any, nothing is known of the beam.
	sed 's/{"echoes":\[1.97,77.5\]}/{"echoes":[]}/' "$dir/echoes" |
		pb-localize --convert | grep -m 1 '"scan"' | jq -e '.errors == [0]'
}

@test "where the scanner is: poses, maps and trials are those of the robot" {
	pb-localize -q -m testdata/house.yaml --start truth "$bag" |
		pb-bench -q --trajectory -e 'ate<=0.05' -e 'ate_turn<=0.03' >"$dir/sum"
	jq -se 'map(select(.type == "scan")) | length == 88 and
	    all(.mount == [0.05,0,1.570796])' <(pb-localize --convert "$bag")
	# It is a quarter off where the scanner is taken to look forward.
	pb-localize -q -m testdata/house.yaml --laser 0.05,0 --start truth "$bag" |
		run -4 pb-bench -q --trajectory -e 'ate_turn<=0.3'
	pb-mapgen --from-log "$bag" >"$dir/map"
	jq -e '.name == "house"' "$dir/map"
	pb-mapgen --from-log testdata/house.log.gz >"$dir/log"
	python3 tests/cli/agree.py "$dir/map" "$dir/log" >"$dir/same"
	[ "$(awk -F'[:,] *' '$1 == "occupied" && $2 == "free" {print ($3 < 20)}' "$dir/same")" = 1 ]
	pb-mapgen -q --from-log --slam --align "$bag" >"$dir/map"
	pb-pellets -q "$dir/map" | pb-bench -q -n 2 -p nearest |
		jq -se 'map(select(.type == "summary")) | length == 1'
	pb-bench -q -r localize -p mcl -n 4 --set protocol=track --log "$bag" \
		testdata/house.yaml | jq -se 'map(select(.type == "summary"))[0].rate == 1'
}

@test "which topics there are, and which are taken" {
	run -0 --separate-stderr pb-localize --info "$bag"
	[ "${lines[0]}" = "529 messages, 4 topics, 70.2 s; t is 0 at 1000.000000 s" ]
	[ -z "$stderr" ]
	[ "$(tr -s ' ' <<<"${lines[3]}")" = "/odom nav_msgs/Odometry 352 5.0 odom" ]
	[ "$(pb-localize --info "$drive" | tail -n +2)" = "$(tail -n +2 <<<"$output")" ]
	sed '/"\/scan"/ { h; s|"/scan"|"/front/scan"|p; g; }' "$drive" >"$dir/two"
	python3 tests/cli/mcap.py 2 <"$dir/two" >"$dir/bag"
	pb-localize --convert "$dir/bag" 2>"$dir/err" | cmp - <(pb-localize --convert "$bag")
	[ "$(cat "$dir/err")" = "pb-localize: ignoring scans of /front/scan, using those of /scan; see --topic" ]
	pb-localize --convert --topic front/scan "$dir/bag" 2>"$dir/err" |
		cmp - <(pb-localize --convert "$bag")
	[ ! -s "$dir/err" ]
	run --separate-stderr -0 pb-localize --convert --topic /back "$bag"
	[ "$stderr" = "pb-localize: $bag: warning: no message of the topic /back" ]
	{ cat "$drive"; echo '{"topic":"/events","msg":{"data":"x"}}'; } |
		python3 tests/cli/mcap.py 2 >"$dir/bag"
	run --separate-stderr -0 pb-localize --convert --topic /events "$dir/bag"
	[ "$stderr" = "pb-localize: $dir/bag: warning: no message of the topic /events is of a supported type" ]
	python3 tests/cli/mcap.py other <"$drive" >"$dir/bag"
	run --separate-stderr -0 pb-localize --convert "$dir/bag"
	[[ "$stderr" = "pb-localize: $dir/bag: warning: messages of /"*' are encoded as ""; supported are cdr, ros1 and json'* ]]
	# Nothing is read, or nothing is there.
	echo '{"topic":"/events","msg":{"data":"x"}}' |
		python3 tests/cli/mcap.py 2 >"$dir/bag"
	run --separate-stderr -0 pb-localize --convert "$dir/bag"
	[ "$stderr" = "pb-localize: $dir/bag: warning: no message is of a supported type: /events (std_msgs/String)" ]
	python3 tests/cli/mcap.py 2 </dev/null >"$dir/bag"
	for how in --convert --info; do
		run --separate-stderr -1 pb-localize $how "$dir/bag"
		[ "$stderr" = "pb-localize: $dir/bag: expected messages, got none" ]
	done
	run --separate-stderr -0 pb-localize --convert --laser 1,2 testdata/house.log.gz
	[[ "$stderr" == *"no message of ROS came"* ]]
	run -2 pb-localize --info --topic /scan "$bag"
	run -2 pb-mapgen --laser 0,0 "$dir/map"
	run -2 pb-bench --topic /scan testdata/house.yaml
}

@test "odometry of the tree of frames: what the scanner is on, whatever its name" {
	tree() { # ROOT BASE
		jq -c --arg root "$1" --arg base "$2" 'def tf($to; $p): {header:
		    (.msg.header | .frame_id = $root), child_frame_id: $to,
		    transform: {translation: $p.position, rotation: $p.orientation}};
		    if .topic != "/odom" then . else .topic = "/tf" |
		    .msg = {transforms: [tf("marker";
		    .msg.pose.pose | .position.x = 9), tf($base; .msg.pose.pose)]} end |
		    if .topic != "/tf_static" then . else
		    .msg.transforms[0].header.frame_id = $base end' "$drive"
	}
	# Wheels tell no speeds there, and at first it is open what moves.
	pb-localize --convert "$drive" | jq -c 'del(.v, .w)' |
		tail -n +4 >"$dir/want"
	for names in 'odom base_link' 'robot1_odom chassis' 'r/odom_combined /r/base'; do
		# shellcheck disable=SC2086 # two words
		tree $names | pb-localize --convert 2>"$dir/err" |
			tail -n "$(wc -l <"$dir/want")" | cmp - "$dir/want"
		[ ! -s "$dir/err" ]
	done
	tree world base >"$dir/in"
	run --separate-stderr -0 pb-localize --convert "$dir/in"
	[ "$(types <<<"$output")" = " 88 pose 88 scan " ]
	[[ "${stderr_lines[-1]}" == *": warning: no odometry: "*", but world to marker, world to base, base to laser" ]]
	# Without scans it is what moves.
	tree odom chassis | grep -v laser | pb-localize --convert |
		jq -se 'map(select(.type == "odom")) | length > 300'
}

@test "by the clock of the recording, poses are those of outside ground truth" {
	pb-localize -q -m testdata/house.yaml --start truth "$bag" --tum "$dir/est" \
		--clock 1000 >"$dir/poses"
	pb-bench -q --trajectory "$dir/poses" >"$dir/want"
	pb-localize -q --convert "$bag" --tum "$dir/true" --clock 1000 >"$dir/records"
	[ "$(head -n 1 "$dir/true" | cut -d" " -f1)" = 1000 ]
	pb-bench -q --trajectory --reference "$dir/true" "$dir/est" | jq -c .ate |
		cmp - <(jq -c .ate "$dir/want")
	pb-bench -q --trajectory --reference "$dir/true" --clock 1000 "$dir/poses" |
		cmp - "$dir/want"
	pb-bench -q --trajectory --reference "$dir/poses" --clock -1000 "$dir/est" |
		jq -c .ate | cmp - <(jq -c .ate "$dir/want")
	run -2 --separate-stderr pb-localize --clock 1 "$bag"
	[ "$stderr" = "pb-localize: --clock: only with --tum" ]
	run -2 --separate-stderr pb-bench --trajectory --clock 1 "$dir/poses"
	[ "$stderr" = "pb-bench: --clock: only with --reference or --relations" ]
}

@test "ranges come back with the digits that they had" {
	echo '{"type":"scan","t":0,"id":"robot","angle_min":0,"angle_increment":0.5,"ranges":[0.3,15.29,30.89,70.123457,81.83]}' >"$dir/scan"
	pb-mapgen --export "$dir/scan.mcap" "$dir/scan"
	pb-localize --convert "$dir/scan.mcap" | jq -c 'select(.ranges).ranges' >"$dir/back"
	[ "$(cat "$dir/back")" = "[0.3,15.29,30.89,70.12346,81.83]" ]
}

@test "recordings that end early or lie: all that is whole, then one line" {
	head -c 200000 "$bag" >"$dir/cut"
	run --separate-stderr -1 pb-localize --convert "$dir/cut"
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ "$stderr" == "pb-localize: $dir/cut: cut off: ends at byte 200000"* ]]
	n=${#lines[@]}
	pb-localize --convert "$bag" | head -n "$n" | cmp - <(printf '%s\n' "$output")
	[ "$n" -gt 250 ]
	# A message whose list is longer than it is.
	python3 - "$bag" "$dir/lie" <<'END'
import sys
b = open(sys.argv[1], "rb").read()
at = b.index(b"laser\0", b.index(b"sensor_msgs/msg/LaserScan")) + 36
assert b[at] == 180
open(sys.argv[2], "wb").write(b[:at] + b"\xff\xff\xff\x7f" + b[at + 4:])
END
	run --separate-stderr -1 pb-localize --convert "$dir/lie"
	[[ "$stderr" == *"$dir/lie: /scan at "*": ranges: expected room for 2147483647 items"* ]]
	pb-localize -k -q --convert "$dir/lie" 2>"$dir/err" >"$dir/out" || [ $? -eq 1 ]
	[ "$(types <"$dir/out")" = " 352 odom 88 pose 87 scan " ]
	for tool in pb-score pb-sim pb-pellets; do
		run -1 $tool "$bag"
		[[ "$output" == "$tool: $bag: is an"*" of ROS topics: pb-localize reads it, and pb-mapgen its map" ]]
	done
}

@test "files of recordings are parts of one, as those of a folder are" {
	mkdir "$dir/parts"
	i=0
	split -n l/3 "$drive" "$dir/part-"
	for part in "$dir"/part-*; do
		python3 tests/cli/mcap.py 2 <"$part" >"$dir/parts/drive_$i.mcap"
		i=$((i + 1))
	done
	pb-localize --convert "$bag" >"$dir/want"
	pb-localize --convert "$dir/parts" | cmp - "$dir/want"
	pb-localize --convert "$dir"/parts/drive_{0,1,2}.mcap | cmp - "$dir/want"
	pb-localize --convert --topic /scan "$dir"/parts/drive_{0,1,2}.mcap |
		cmp - "$dir/want"
	# A part that is broken is told behind what came before it.
	head -c 200 "$bag" >"$dir/cut"
	{ printf 'SQLite format 3\0'; head -c 5000 /dev/zero; } >"$dir/bad"
	for bad in cut bad; do
		pb-localize -kq --convert "$dir/parts/drive_0.mcap" "$dir/$bad" \
			"$dir"/parts/drive_{1,2}.mcap >"$dir/out" 2>"$dir/err" ||
			[ $? -eq 1 ]
		cmp "$dir/out" "$dir/want"
		[ "$(wc -l <"$dir/err")" -eq 1 ]
	done
	# What comes between ends it.
	echo '{"type":"state","t":1}' >"$dir/record"
	pb-localize -q --convert "$dir/parts/drive_0.mcap" "$dir/record" "$bag" |
		tail -n +2 | tail -n "$(wc -l <"$dir/want")" | cmp - "$dir/want"
	pb-localize -q --convert "$dir/parts" "$dir/parts" |
		cmp - <(cat "$dir/want" "$dir/want")
}

# The recording $1 with these bytes (hex) at place $2 of its first message.
patched() { # FILE PLACE HEX
	python3 - "$@" <<'END'
import struct, sys
b = bytearray(open(sys.argv[1], "rb").read())
at = 8
while b[at] != 5:
    at += 9 + struct.unpack_from("<Q", b, at + 1)[0]
at += 9 + int(sys.argv[2])
new = bytes.fromhex(sys.argv[3])
b[at:at + len(new)] = new
sys.stdout.buffer.write(b)
END
}

@test "times that no clock tells are refused, once" {
	head -n 2 "$drive" | python3 tests/cli/mcap.py 2 >"$dir/bag"
	pb-localize --convert "$dir/bag" >"$dir/want"
	# When it was logged (ns), with the sign of 64 bits and without; its stamp.
	for at in '6 ffffffffffffff7f=log time' '6 00f0ffffffffffff=log time' \
		'26 00000080=header.stamp'; do
		# shellcheck disable=SC2086 # two words
		patched "$dir/bag" ${at%=*} >"$dir/bad"
		run -1 --separate-stderr pb-localize -k --convert "$dir/bad"
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ "$stderr" == *": /odom at "*": ${at#*=}: expected a time from 0 to 2305843009 s, got "* ]]
		[ "$(types <<<"$output")" != "" ]
		pb-localize --info "$dir/bad" >"$dir/info"
	done
}

@test "no time, or one ahead of the robot's clock: behind what came before" {
	at() { # SECONDS: a header
		printf '"header":{"stamp":{"sec":%d,"nanosec":%d}}' "${1%.*}" "${1#*.}00000000"
	}
	tell() { echo "{\"op\":\"publish\",\"topic\":\"$1\",\"msg\":{$2}}"; }
	pose() { # X
		printf '"pose":{"position":{"x":%s,"y":0},"orientation":{"z":0,"w":1}}' "$1"
	}
	odom() {
		tell /wheels "$(at "$1"),\"pose\":{$(pose "$1"),\"covariance\":$zeros},
		    \"twist\":{\"twist\":{\"linear\":{\"x\":0},\"angular\":{\"z\":0}}}" |
			tr -d '\n\t' && echo
	}
	goal() { tell /goal_pose "$(at "$1"),$(pose "$1")"; }
	zeros=$(jq -nc '[range(36) | 0]')
	{
		odom 5.0
		tell /cmd_vel '"linear":{"x":5},"angular":{"z":0}'
		odom 4.8
		odom 5.2
		goal 50.0
		goal 5.1
		odom 5.4
	} | pb-localize --convert >"$dir/out"
	[ "$(jq -r '"\(.type) \(.t) \(.x // .v)"' "$dir/out")" = "odom 0 4.8
odom 0.2 5
twist null 5
goal 0.3 5.1
odom 0.4 5.2
goal 45.2 50
odom 0.6 5.4" ]
}

@test "recordings by others: the same records from all, the right poses" {
	[ -d $data ] || skip "no recordings here"
	pb-localize --convert $data/house.mcap >"$dir/want"
	[ "$(types <"$dir/want")" = " 4 goal 1 map 139 odom 4 path 71 pose 70 scan 56 twist " ]
	for f in house-{lz4,plain,noindex}.mcap split house_db3 house_db3_filezstd \
		house_db3_msgzstd house-ros1.bag house-ros1-{lz4,bz2}.bag; do
		pb-localize --convert "$data/$f" | cmp - "$dir/want"
	done
	jq -sce 'map(select(.type == "scan")) | all(.mount == [0.05,0,1.570796]) and
	    (map(.ranges[] | values) | add | . * 100 | round) == 2612769 and
	    (map(.ranges[] | select(. == null)) | length) == 514' "$dir/want"
	jq -sce 'map(select(.type == "map"))[0] | .resolution == 0.05 and
	    (.rows | join("") | length) == 32000' "$dir/want"
	# What does not depend on 32 bits or on the time of the log is as by rosbridge.
	only='select(.type != "twist" and .type != "map") | del(.angle_min, .angle_increment)'
	diff <(jq -c "$only" "$dir/want") \
		<(pb-localize -q --convert $data/house-rosbridge.jsonl | jq -c "$only")
	pb-localize -q $data/house.mcap | jq -se 'map(select(.source == "estimate"))[-1] |
	    (.theta - 2.532755 | fabs) < 0.02 and (.x + 0.463217 | fabs) < 0.05'
	pb-mapgen -q --from-log $data/house.mcap >"$dir/map"
	head -n 1 "$dir/want" >"$dir/true"
	python3 tests/cli/agree.py "$dir/map" "$dir/true" | grep -x 'free, occupied: [0-9]'
	pb-bench -q -n 2 -p nearest "$dir/map" >"$dir/sum"
	run -1 --separate-stderr pb-localize --convert $data/house-truncated.mcap
	[ "$(types <<<"$output" | tr -d ' ')" != "" ]
}
