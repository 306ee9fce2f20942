#!/usr/bin/env bats
# doctor.bats - pb-localize --doctor names what was broken in a good recording,
# and finds nothing in one that was not.

load common

# The house's log as records, and as messages of rosbridge.
setup_file() {
	here
	cd "$BATS_FILE_TMPDIR" || return
	pb-localize --convert "$OLDPWD/testdata/house.log.gz" >records
	jq -c '
	    def at: {sec: (.t | floor), nanosec: ((.t - (.t | floor)) * 1e9 | floor)};
	    def turn: {x: 0, y: 0, z: (.theta / 2 | sin),
	        w: (.theta / 2 | cos)};
	    if .type == "scan" then {topic: "/scan", msg: {
	        header: {stamp: at, frame_id: "laser"}, angle_min,
	        angle_increment, angle_max: (.angle_min +
	            .angle_increment * (.ranges | length - 1)),
	        range_min: 0, range_max, ranges}}
	    elif .type == "odom" then {topic: "/odom", msg: {
	        header: {stamp: at, frame_id: "odom"},
	        child_frame_id: "base_link", pose: {pose: {
	        position: {x, y, z: 0}, orientation: turn}}, twist: {twist: {
	        linear: {x: 0, y: 0, z: 0}, angular: {x: 0, y: 0, z: 0}}}}}
	    else empty end | {op: "publish"} + .' records >plain
	jq -nc '{op: "publish", topic: "/tf_static", msg: {transforms:
	    [{header: {stamp: {sec: 0, nanosec: 0},
	        frame_id: "base_link"}, child_frame_id: "laser",
	    transform: {translation: {x: 0, y: 0, z: 0.1},
	        rotation: {x: 0, y: 0, z: 0, w: 1}}}]}}' >messages
	cat plain >>messages
}

setup() {
	here
	log=testdata/house.log.gz
	data=$PWD/../shared/data
	set -o pipefail
}

# The house's log as records, each changed by the jq program $1.
broken() { jq -c "$1" "$BATS_FILE_TMPDIR/records" >"$dir/in"; }

# The same as messages of rosbridge. $1 changes them.
messages() { jq -c "$1" "$BATS_FILE_TMPDIR/messages" >"$dir/in"; }

# Errors and warnings for $dir/in are those, "severity: code" and no more; with
# an error the status is 1.
finds() {
	local want=$1 status=0 bad=0

	shift
	pb-localize -q --doctor "$@" "$dir/in" >"$dir/out" || status=$?
	cat "$dir/out"
	[ "$(sed -nE 's/^[^:]*(:[0-9]+)?: ((error|warning): [a-z-]*):.*/\2/p' \
		"$dir/out")" = "$want" ]
	[[ $want != *error* ]] || bad=1
	[ "$status" = "$bad" ]
}

# Odometry made anew of its steps, each changed by $1: .f ahead, .s to the left
# (m), .w (rad), .n its number.
rolled() {
	jq -nc 'foreach inputs as $r (
	    {p: null, q: {x: 0, y: 0, theta: 0}, n: 0};
	    if $r.type != "odom" then .out = $r
	    elif .p == null then .p = $r | .out = $r + .q
	    else
	        . as $s | ($r.x - .p.x) as $x | ($r.y - .p.y) as $y |
	        (.p.theta | cos) as $c | (.p.theta | sin) as $d |
	        ({f: ($x * $c + $y * $d), s: ($y * $c - $x * $d),
	            w: ($r.theta - .p.theta), n: .n} |
	            .w = ((.w | sin) as $a | (.w | cos) as $b |
	                [$a, $b] | atan2(.[0]; .[1])) | '"$1"') as $m |
	        (.q.theta | cos) as $c | (.q.theta | sin) as $d |
	        .q = {x: (.q.x + $m.f * $c - $m.s * $d),
	            y: (.q.y + $m.f * $d + $m.s * $c),
	            theta: (.q.theta + $m.w)} |
	        .n += 1 | .p = $r | .out = $r + .q
	    end; .out)' "$BATS_FILE_TMPDIR/records" >"$dir/in"
}

@test "a good recording has notes only, with topics, rates and the mount" {
	broken .
	finds ""
	[[ "$(<"$dir/out")" == *": note: topic: odom: 352 messages, 5 a second"* ]]
	messages .
	finds ""
	[[ "$(<"$dir/out")" == *'/scan: sensor_msgs/LaserScan, 88 messages, 1.25 a second for 69.6 s, frame "laser"'* ]]
	[[ "$(<"$dir/out")" == *": note: mount: the scanner is at x 0.000 m"* ]]
	rolled .
	finds ""
}

@test "units, angles and returns of scans" {
	broken 'if .type == "scan" then (.ranges[] | numbers) *= 1000 |
	    .range_max *= 1000
	    else . end'
	finds "error: millimetres"
	messages 'if .topic == "/scan" then .msg.angle_increment = 0 else . end'
	finds "error: increment"
	messages 'if .topic == "/scan" then .msg |= (.angle_min = -90 |
	    .angle_max = 90 | .angle_increment = 1) else . end'
	finds "error: degrees" -m testdata/house.yaml
	grep -q "note: map: whether it fits is not known" "$dir/out"
	messages 'if .topic == "/scan" then .msg.angle_max += 0.5 else . end'
	finds "warning: angle-max"
	messages 'if .topic == "/scan" then .msg.ranges[] = null else . end'
	finds "error: no-return"
	messages 'if .topic == "/scan" and .msg.header.stamp.sec % 3 > 0 then
	    .msg.ranges[] = null else . end'
	finds "error: no-return"
	messages 'if .topic == "/scan" then .msg.range_max = 0.5 else . end'
	finds "warning: range-max"
	# Inches beyond a true range_max say nothing of wheels or map.
	messages 'if .topic == "/scan" then .msg |= (.range_max = 12 |
	    (.ranges[] | numbers) /= 0.0254) else . end'
	finds "warning: range-max" -m testdata/house.yaml
	grep -q "note: map: .* not known before the scans are right" "$dir/out"
	! grep "wheels:" "$dir/out"
	# Seven of ten beams.
	broken 'if .type == "scan" then .ranges |= [to_entries[] |
	    if .key * 7 % 10 < 7 then null else .value end] else . end'
	finds "warning: no-return"
	[[ "$(<"$dir/out")" == *"scan: 71 % of beams have no return"* ]]
}

@test "ranges in other units, by odometry or by the map" {
	for unit in "inches 0.0254" "centimetres 0.01" "feet 0.3048"; do
		broken "if .type == \"scan\" then
		    (.ranges[] | numbers) /= ${unit#* } | .range_max = 10000
		    else . end"
		finds "error: ${unit% *}"
		[[ "$(<"$dir/out")" == *"times ${unit#* } they fit odometry; "* ]]
	done
	finds "error: feet" -m testdata/house.yaml
	grep -q "note: map: .*it fits" "$dir/out"
	broken 'select(.type != "odom") | if .type == "scan" then
	    (.ranges[] | numbers) /= 0.3048 else . end'
	finds "error: feet
warning: no-odometry" -m testdata/house.yaml
	[[ "$(<"$dir/out")" == *"times 0.3048 they fit the map; "* ]]
	# All are longer than range_max, and no returns.
	broken 'if .type == "scan" then (.ranges[] | numbers) *= 1000 |
	    .range_max = 12 else . end'
	finds "error: millimetres" -m testdata/house.yaml
	messages 'if .topic == "/scan" then .msg |= (.range_max = 12 |
	    .ranges[] *= 1000) else . end'
	finds "error: millimetres"
}

@test "a robot that sees itself, a scanner that repeats a scan" {
	broken 'if .type == "scan" then .ranges[72:126] =
	    [range(54) | 0.3 + . % 3 / 100] else . end'
	finds "warning: body" -m testdata/house.yaml
	[[ "$(<"$dir/out")" == *": 54 of 180 beams, from -0.31 to 0.61 rad, see the robot itself, up to 0.32 m away"* ]]
	grep -q "note: wheels: .*that will do" "$dir/out"
	# The scan of 46 s until the end, which no wheels slip for.
	jq -nc 'foreach inputs as $r ({};
	    if $r.type == "scan" and ($r.t < 46 or .held == null)
	    then .held = $r.ranges else . end |
	    .out = if $r.type == "scan" then $r + {ranges: .held} else $r end;
	    .out)' "$BATS_FILE_TMPDIR/records" >"$dir/in"
	finds "warning: frozen"
	[[ "$(<"$dir/out")" == *"30 of 88 scans repeat the previous one"* ]]
}

@test "what drivers do is no fault: codes for no return, a second scanner" {
	# The odd half of the beams sees nothing.
	for code in 20 1000 0; do
		messages 'if .topic == "/scan" then .msg |= (.range_max = 20 |
		    .ranges |= [to_entries[] |
		        if .key % 5 < 3 then '$code' else .value end])
		    else . end'
		finds ""
	done
	messages 'if .topic == "/scan" then ., (.topic = "/camera/depth" |
	    .msg.ranges[] = null | .msg.header.stamp.sec += 50) else . end'
	finds ""
	messages 'if .topic == "/odom" then ., (.topic = "/visual" |
	    .msg.header.stamp.sec += 50) else . end'
	finds ""
	# Two of one topic.
	messages 'if .topic == "/scan" then ., (.msg.header |=
	    (.frame_id = "base_link" | .stamp.nanosec = 0)) else . end'
	grep -q 'warning: frames: /scan: 88 of 176 scans' \
		<(pb-localize -q --doctor "$dir/in")
	# Of several echoes of a beam the first.
	messages 'if .topic == "/scan" then .msg.ranges[] |= {echoes: [.]}
	    else . end'
	finds ""
	# A robot that drives sees something new.
	messages 'if .topic == "/scan" then .msg.ranges |= [range(180) / 20 + 1] |
	    .msg.range_max = 20 else . end'
	finds "error: frozen"
}

@test "what is missing: scans, odometry, transforms, quaternions" {
	messages 'select(.topic != "/scan")'
	finds "error: no-scan"
	messages 'select(.topic != "/odom")'
	finds "warning: no-odometry"
	[[ "$(<"$dir/out")" == *"; record /odom, or /tf with the transform from odom to "* ]]
	messages 'select(.topic != "/tf_static")'
	finds "warning: no-transform"
	messages 'if .topic == "/tf_static" then
	    .msg.transforms[0].transform.rotation.w = 0 else . end'
	finds "warning: quaternion"
	messages 'if .topic == "/scan" then .topic = "/scans" |
	    .msg = {echoes: []} else . end'
	finds "error: no-scan
warning: type"
}

@test "clocks: apart, back, stopped, and gaps" {
	messages 'if .topic == "/scan" then .msg.header.stamp.sec += 5 else . end'
	finds "error: clocks"
	[[ "$(<"$dir/out")" == *"are 5 s later than those of /odom"* ]]
	messages 'if .topic == "/scan" then .msg.header.stamp = {sec: 0,
	    nanosec: 0} else . end'
	grep -q stamps-again <(pb-localize -q --doctor "$dir/in")
	messages 'if .topic == "/scan" and .msg.header.stamp.sec > 30 then
	    .msg.header.stamp.sec -= 20 else . end'
	grep -q 'warning: stamps-back: /scan: 1 of 88' \
		<(pb-localize -q --doctor "$dir/in")
	messages 'if .topic != "/tf_static" then .msg.header.stamp |=
	    (.sec * 1000 + .nanosec / 1e6 | {sec: floor, nanosec: 0}) else . end'
	finds "warning: slow
warning: slow"
	messages 'if .topic == "/scan" then .msg.header.stamp.sec += 1700000000
	    else . end'
	finds "error: clocks"
	[[ "$(<"$dir/out")" == *"are of another clock or unit than those of /odom"* ]]
	messages 'if .topic == "/tf_static" then . else (., .) end'
	finds "warning: stamps-again
warning: stamps-again"
	messages 'if .topic != "/tf_static" and .msg.header.stamp.sec > 30 then
	    .msg.header.stamp.sec -= 25 else . end'
	finds "warning: stamps-back
warning: stamps-back"
	messages 'select(.msg.header.stamp.sec < 30 or
	    .msg.header.stamp.sec > 49)'
	finds ""
	grep -q 'gap: /scan: no message for 20' "$dir/out"
}

@test "wheels that slip, stand still, run backwards, count wrong" {
	rolled '.f *= -1 | .s *= -1'
	finds "error: wheels-reversed"
	rolled '.w *= -1'
	finds "error: turns-reversed"
	rolled '.f = 0 | .s = 0 | .w = 0'
	finds "error: odometry-still"
	broken 'if .type == "odom" then .y *= -1 else . end'
	finds "error: odometry-mirrored"
	rolled '.f *= 1.25'
	finds "warning: scale"
	[[ "$(<"$dir/out")" == *"a metre is 0.7"* ]]
	rolled 'if .n / 40 % 2 >= 1 then .f *= 3 else . end'
	finds "warning: slip"
	# Scans a second late: turns that scatter are no wrong length.
	broken 'if .type == "scan" then .t += 1 else . end'
	jq -sc 'sort_by(.t)[]' "$dir/in" >"$dir/late"
	mv "$dir/late" "$dir/in"
	finds "error: slip"
	broken 'if .type == "scan" then .mount = [0, 0, 0.3] else . end'
	finds "warning: mount-yaw"
	[[ "$(<"$dir/out")" =~ "ahead 0."(29|30)" rad" ]]
	# Encoders that miss 2 s in 20.
	rolled 'if .n % 100 < 10 then .f = 0 | .s = 0 | .w = 0 else . end'
	grep -q 'note: wheels: .* more fit nowhere' \
		<(pb-localize -q --doctor "$dir/in")
	rolled 'if .n % 100 == 99 then .f += 30 else . end'
	finds "warning: odometry-jumps" -m testdata/house.yaml
	grep -q "note: map: .* without odometry, .*; it fits" "$dir/out"
	broken 'if .type == "odom" then .x *= 1000 | .y *= 1000 else . end'
	finds "error: odometry-jumps"
	# Encoders that die half-way.
	rolled 'if .n > 175 then .f = 0 | .s = 0 | .w = 0 else . end'
	finds "error: odometry-still"
	[[ "$(<"$dir/out")" == *", first at 4"?.?" s; odometry stands still"* ]]
	# The scanner is a metre in front of the middle, which nothing says.
	broken 'if .type == "odom" then .x -= (.theta | cos) |
	    .y -= (.theta | sin) else . end'
	finds "warning: mount-place"
}

@test "too few steps are said, and are no fault of the wheels" {
	for few in 150 250; do
		broken 'if .type == "scan" then .mount = [0, 0, 0.6] else . end'
		head -n $few "$dir/in" >"$dir/few"
		mv "$dir/few" "$dir/in"
		finds "error: wheels"
		[[ "$(<"$dir/out")" == *"; too few go straight to tell whether wheels or the scanner's transform are wrong"* ]]
	done
	broken .
	head -n 100 "$dir/in" >"$dir/few"
	mv "$dir/few" "$dir/in"
	finds ""
	[[ "$(<"$dir/out")" == *"are too few to tell whether odometry is right"* ]]
	# A transform that is missing explains more than wheels do.
	messages 'select(.topic != "/tf_static") | if .topic == "/scan" then
	    .msg.angle_min += 0.6 | .msg.angle_max += 0.6 else . end'
	finds "error: mount-yaw
warning: no-transform"
	[[ "$(<"$dir/out")" == *"it may be that: record /tf_static"* ]]
}

@test "a map is judged by scans where the wheels are wrong" {
	local wrong

	for wrong in ".w *= -1 turns-reversed" ".f*=-1|.s*=-1 wheels-reversed" \
		".f=0|.s=0|.w=0 odometry-still"; do
		rolled "${wrong% *}"
		finds "error: ${wrong##* }" -m testdata/house.yaml
		grep -q "note: map: .* without odometry, .*; it fits" "$dir/out"
	done
	finds "error: odometry-still
warning: map" -m testdata/flat.jsonl
}

@test "whether the map fits, and nothing of a drive too short to say" {
	broken .
	finds "" -m testdata/house.yaml
	grep -q "note: map: mcl tracks in 9" "$dir/out"
	finds "error: map" -m testdata/flat.jsonl
	head -n 40 "$dir/in" >"$dir/few"
	mv "$dir/few" "$dir/in"
	finds "warning: map" -m testdata/flat.jsonl
}

@test "bad files and options are refused as everywhere, in one line" {
	broken .
	run -1 --separate-stderr pb-localize --doctor "$dir/none"
	[ "${#stderr_lines[@]}" = 1 ]
	[ "$output" = "" ]
	run -2 --separate-stderr pb-localize --doctor --convert "$dir/in"
	run -2 --separate-stderr pb-localize --doctor -a mcl "$dir/in"
	run -1 --separate-stderr pb-localize --doctor -m testdata/none.yaml "$dir/in"
	[ "$output" = "" ]
	run -1 --separate-stderr pb-localize --doctor - <<<'{"type":"scan"'
	[ "${#stderr_lines[@]}" = 1 ]
	head -c 5000 "$log" >"$dir/cut.gz"
	run -1 --separate-stderr pb-localize --doctor "$dir/cut.gz"
	[ "${#stderr_lines[@]}" = 1 ]
	: >"$dir/empty"
	run -1 --separate-stderr pb-localize --doctor "$dir/empty"
	[[ "$output" == *": error: no-scan: "* ]]
}

@test "nothing is wrong with public logs and recordings" {
	[ -d "$data/carmen" ] || skip "no public logs here"
	for f in "$data"/carmen/*.gz "$data"/bags/{house*.{bag,jsonl},split} \
		"$data"/bags/house_db3; do
		pb-localize -q --doctor "$f" >"$dir/out"
		case $f in
		*orebro*) grep -v ': note: ' "$dir/out" | grep no-odometry ;;
		*) ! grep -v ': note: ' "$dir/out" ;;
		esac
	done
}

@test "recordings made wrong are told by name" {
	[ -d "$data/cases" ] || skip "no cases here"
	while read -r f code; do
		echo "$f"
		run -1 pb-localize -q --doctor "$data/cases/$f.jsonl.gz"
		[[ "${lines[0]}" == *": error: $code: "* ]]
	done <<-'EOF'
		millimetres millimetres
		degrees degrees
		increment0 increment
		allinf no-return
		noscan no-scan
	EOF
}
