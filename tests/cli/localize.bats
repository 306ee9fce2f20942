#!/usr/bin/env bats
# pb-localize: logs as records, starts, answers, what is odd, what is refused.

load common

setup() {
	here
	log=testdata/house.log.gz
	house=testdata/house.yaml
	data=../shared/data
}

# Records of the robot.
odom() { echo "{\"type\":\"odom\",\"t\":$1,\"id\":\"robot\",\"x\":$2,\"y\":$3,\"theta\":$4}"; }
pose() { echo "{\"type\":\"pose\",\"t\":$1,\"x\":$2,\"y\":$3,\"theta\":$4,\"source\":\"$5\"}"; }
scan() { echo "{\"type\":\"scan\",\"t\":$1,\"angle_min\":0,\"angle_increment\":1,\"ranges\":${2:-[1,2]}}"; }
fix() { echo "{\"type\":\"fix\",\"t\":$1,\"x\":0,\"y\":0}"; }

# Estimates as "t x y theta status".
estimates() {
	jq -r 'select(.type == "pose" and .source == "estimate") |
	    "\(.t) \(.x) \(.y) \(.theta) \(.status)"'
}

@test "a log becomes records: odometry without jumps, scans, true poses" {
	pb-localize --convert $log >"$dir/out"
	[ "$(jq -r .type "$dir/out" | sort | uniq -c | tr -s ' \n' ' ')" = \
		" 352 odom 88 pose 88 scan " ]
	head -n 1 "$dir/out" | jq -e '.type == "odom" and .t == 0'
	# A step of 0.2 s is short, also where the log goes back to the truth.
	jq -s -e '[.[] | select(.type == "odom")] | [., .[1:]] | transpose |
	    map(select(.[1]) | (.[1].x - .[0].x) * (.[1].x - .[0].x) +
		(.[1].y - .[0].y) * (.[1].y - .[0].y)) | max < 0.0225' "$dir/out"
	jq -s -e '[.[] | select(.type == "scan")][5] |
	    (.ranges | length) == 180 and .range_max == 81.83 and
	    (.ranges | any(. == null))' "$dir/out"
}

@test "every tool reads a log, from a pipe and inflated too" {
	pb-localize --convert $log >"$dir/want"
	zcat $log | pb-localize --convert | cmp - "$dir/want"
	zcat $log >"$dir/raw.log"
	pb-mapgen -q "$dir/raw.log" | cmp - "$dir/want"
	pb-mapgen $house >"$dir/map"
	pb-mapgen --render --width 60 "$dir/map" | grep -q house
	cat "$dir/map" "$dir/want" | pb-mapgen --render --width 60 >"$dir/a"
	pb-localize --convert "$dir/map" $log |
		pb-mapgen --render --width 60 | cmp - "$dir/a"
}

@test "every other scan" {
	pb-localize --convert $log | jq -c 'select(.type == "scan").t' >"$dir/all"
	pb-localize --convert --scans odd $log |
		jq -c 'select(.type == "scan").t' |
		diff - <(awk 'NR % 2 == 0' "$dir/all")
	pb-localize --convert --scans even $log |
		jq -c 'select(.type == "scan").t' |
		diff - <(awk 'NR % 2 == 1' "$dir/all")
}

@test "a log that is cut: the line, what was before, status 1" {
	zcat $log | head -c 3000 >"$dir/cut.log"
	run -1 --separate-stderr pb-localize --convert "$dir/cut.log"
	[[ $stderr =~ ^pb-localize:\ $dir/cut.log:[0-9]+:\ [A-Z]+:\ expected\ a ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[ "${#lines[@]}" -gt 3 ]
}

@test "dead reckoning: the start and the steps of the wheels" {
	{
		odom 0 5 5 0
		odom 1 6 5 1.5
		scan 1
		fix 2
	} | pb-localize -a odom --start 1,2,1.570796 >"$dir/out"
	[ "$(estimates <"$dir/out")" = $'1 1 3 3.070796 tracking\n2 1 3 3.070796 tracking' ]
	[ "$(wc -l <"$dir/out")" -eq 6 ]
}

@test "starts: anywhere is lost, truth waits for it, initial begins again" {
	odom 0 0 0 0 >"$dir/in"
	scan 1 >>"$dir/in"
	pose 2 7 8 0 truth >>"$dir/in"
	odom 3 1 0 0 >>"$dir/in"
	scan 3 >>"$dir/in"
	pose 4 -1 -2 0 initial >>"$dir/in"
	pose 4 70 80 0 truth >>"$dir/in"
	odom 5 2 0 0 >>"$dir/in"
	scan 5 >>"$dir/in"
	[ "$(pb-localize -a odom "$dir/in" | estimates)" = "5 0 -2 0 tracking" ]
	[ "$(pb-localize -a odom --global -b "$dir/in" |
		jq -c 'select(.type == "belief") | [.status, (.hypotheses | length)]')" = \
		$'["lost",0]\n["lost",0]\n["tracking",1]' ]
	[ "$(pb-localize -a odom --start truth "$dir/in" | estimates)" = \
		$'3 8 8 0 tracking\n5 0 -2 0 tracking' ]
	[ "$(pb-localize -a odom --start 0,0 "$dir/in" | estimates | head -n 1)" = \
		"1 0 0 0 tracking" ]
}

@test "a start that was asked for counts, not an initial pose before the first scan" {
	pose 0 5 6 0 initial >"$dir/in"
	{
		odom 1 0 0 0
		pose 1 5 6 0 initial
		scan 1
		pose 2 7 8 0 initial
		scan 2
	} >>"$dir/in"
	[ "$(pb-localize -a odom "$dir/in" | estimates)" = \
		$'1 5 6 0 tracking\n2 7 8 0 tracking' ]
	pb-localize -a odom --start 1,2 "$dir/in" 2>"$dir/err" >"$dir/out"
	[ "$(estimates <"$dir/out")" = $'1 1 2 0 tracking\n2 7 8 0 tracking' ]
	[ "$(cat "$dir/err")" = "pb-localize: ignoring an initial pose before the first scan: --start sets the start" ]
	[ "$(grep -c initial "$dir/out")" -eq 3 ]
	[ "$(pb-localize -a odom -g "$dir/in" 2>"$dir/err" | estimates)" = "2 7 8 0 tracking" ]
	grep -q ': -g sets the start$' "$dir/err"
}

@test "the covariance of a start is that of the option or of the record" {
	pose 0 0 0 0 initial >"$dir/in"
	scan 1 >>"$dir/in"
	cov() { jq -c 'select(.source == "estimate").cov'; }
	[ "$(pb-localize -a odom --start-cov 1,2,3 "$dir/in" | cov)" = \
		"[[1,0,0],[0,2,0],[0,0,3]]" ]
	sed 's/"initial"/&,"cov":[[4,1,0],[1,5,0],[0,0,6]]/' "$dir/in" |
		pb-localize -a odom | cov | grep -x '\[\[4,1,0\],\[1,5,0\],\[0,0,6\]\]'
}

@test "older estimates and beliefs of the robot are replaced, others pass" {
	{
		pose 0 0 0 0 estimate
		echo '{"type":"pose","id":"clyde","x":1,"y":1,"source":"estimate"}'
		echo '{"type":"belief","status":"lost","hypotheses":[]}'
		pose 0 0 0 0 truth
	} | pb-localize -a odom >"$dir/out"
	[ "$(wc -l <"$dir/out")" -eq 2 ]
	[ "$(jq -s -c 'map(.source)' "$dir/out")" = '["estimate","truth"]' ]
}

@test "the id of another robot" {
	sed 's/"type"/"id":"r2","type"/' <<<"$(scan 1)" >"$dir/in"
	[ -z "$(pb-localize -a odom --start 0,0 "$dir/in" | estimates)" ]
	pb-localize -a odom --start 0,0 --id r2 "$dir/in" | grep -q '"id":"r2".*estimate'
}

@test "wait holds everything until somebody knows where the robot is" {
	{
		echo '{"type":"note"}'
		scan 1
		pose 1 0 0 0 truth
		pose 1 0 0 0 estimate | sed 's/}/,"status":"lost"}/'
		pose 2 0 0 0 estimate
		echo '{"type":"last"}'
	} >"$dir/in"
	pb-localize -a wait "$dir/in" | cmp - "$dir/in"
	run -1 --separate-stderr pb-localize -a wait <(head -n 4 "$dir/in")
	[ -z "$output" ]
	[[ $stderr == *": expected a pose of robot, got none" ]]
	mkfifo "$dir/to" "$dir/from"
	pb-localize -a wait <"$dir/to" >"$dir/from" &
	exec 7>"$dir/to" 8<"$dir/from"
	head -n 4 "$dir/in" >&7
	run -142 read -r -t 0.3 line <&8
	sed -n 5p "$dir/in" >&7
	read -r -t 10 line <&8
	[ "$line" = '{"type":"note"}' ]
	exec 7>&- 8<&-
	wait
}

@test "a trajectory file of the estimates, and of the truth" {
	pb-localize -q -a odom --start truth --tum "$dir/est.tum" $log >"$dir/out"
	[ "$(wc -l <"$dir/est.tum")" -eq 88 ]
	pb-localize -q --convert --tum "$dir/ref.tum" $log >"$dir/out"
	[ "$(head -n 1 "$dir/ref.tum" | awk '{ print NF, $1, $2, $3, $4 }')" = \
		"8 0 2.275 1.625 0" ]
	run -3 --separate-stderr pb-localize --convert --tum "$dir/no/x" $log
	[ -z "$output" ]
	zcat $log | head -c 3000 >"$dir/cut.log"
	run -1 pb-localize --convert --tum "$dir/cut.tum" "$dir/cut.log"
	[ ! -e "$dir/cut.tum" ]
}

# What can be dealt with: one line each, said once, status 0.
odd() { # WHAT: stdin is the stream
	pb-localize -a odom --start 0,0 >"$dir/out" 2>"$dir/err"
	[ "$(cat "$dir/err")" = "pb-localize: $1" ]
}

@test "scans without a range: a warning, once" {
	{ odom 0 0 0 0; scan 1 '[null,null]'; scan 2 '[NaN,0]'; scan 3 '[1,2]'; } |
		odd "<stdin>:2: warning: scan.ranges: no beam of 2 has a range"
	[ "$(estimates <"$dir/out" | wc -l)" -eq 3 ]
	{ odom 0 0 0 0; scan 1 '[]'; } |
		odd "<stdin>:2: warning: scan.ranges: no beam of 0 has a range"
}

@test "another number of beams: a warning" {
	{ odom 0 0 0 0; scan 1; scan 2 '[1]'; scan 3; } |
		odd "<stdin>:3: warning: scan.ranges: 1 beams, the scan before had 2"
}

@test "an angle_max that is not true: a warning, and it is not used" {
	scan 1 | sed 's/}/,"angle_max":1}/' >"$dir/good"
	scan 1 | sed 's/}/,"angle_max":3.14}/' >"$dir/bad"
	(odom 0 0 0 0; cat "$dir/bad"; sed 's/"t":1/"t":2/' "$dir/bad") |
		odd "<stdin>:2: warning: scan.angle_max: expected 1 by 2 beams, got 3.14; ignored"
	(odom 0 0 0 0; cat "$dir/good") |
		pb-localize -a odom --start 0,0 2>"$dir/err" >"$dir/out"
	[ ! -s "$dir/err" ]
}

@test "time that goes back: a warning, records in their order" {
	{ odom 5 0 0 0; odom 4 1 0 0; scan 4; odom 3 2 0 0; } |
		odd "<stdin>:2: warning: t: 4 s after 5 s; using the records in their order, whatever their time"
	[ "$(estimates <"$dir/out")" = "4 1 0 0 tracking" ]
}

@test "no odometry at all: a note" {
	{ scan 1; scan 2; } |
		odd "no odom record came: how the robot moved between scans is not known"
}

@test "a start in a wall, in the unknown, outside: refused" {
	map='{"type":"map","resolution":1,"width":3,"height":1,"rows":[".#?"]}'
	for p in "1.5,0.5 in~a~wall" "2.5,0.5 where~the~map~is~unknown" \
		"9,9 outside~the~map"; do
		at=${p% *}
		what=$(tr '~' ' ' <<<"${p#* }")
		run -1 --separate-stderr pb-localize -a odom --start "$at" <<<"$map"
		[ "$stderr" = "pb-localize: <stdin>:1: the start (${at/,/, }) is $what; -g begins anywhere" ]
		[ -z "$output" ]
	done
	{ echo "$map"; pose 0 1.5 0.5 0 initial; } >"$dir/in"
	run -1 --separate-stderr pb-localize -a odom "$dir/in"
	[ "$stderr" = "pb-localize: $dir/in:2: the start (1.5, 0.5) is in a wall; -g begins anywhere" ]
	[ "$output" = "$map" ]
	run -1 --separate-stderr pb-localize -a odom -m pacman --start 0,0 </dev/null
	[ "$stderr" = "pb-localize: pacman: the start (0, 0) is in a wall or outside the maze; -g begins anywhere" ]
}

@test "-m takes map files, records and standard grids and writes them" {
	pb-localize -q -a odom -m $house </dev/null | cmp - <(pb-mapgen -q $house)
	pb-localize -q -a odom -m testdata/flat.jsonl </dev/null |
		cmp - testdata/flat.jsonl
	pb-localize -q -a odom -m pacman </dev/null | cmp - <(pb-mapgen pacman)
	pb-mapgen pacman >"$dir/maze"
	pb-localize -q -a odom -m "$dir/maze" </dev/null | cmp - "$dir/maze"
	run -1 --separate-stderr pb-localize -m <(scan 1) </dev/null
	[[ $stderr == *"expected a map or maze record, got none" ]]
	run -1 --separate-stderr pb-localize -m "$dir/none.yaml" </dev/null
	[[ $stderr == "pb-localize: $dir/none.yaml: "* ]]
}

@test "-m counts, whatever map the stream or the recording has" {
	pb-mapgen testdata/flat.jsonl >"$dir/other"
	grid='"info":{"resolution":1.0,"width":2,"height":2,"origin":{'$(place 0 0 0 1)'}},"data":[0,0,0,0]'
	pb-localize --convert $log | head -n 60 >"$dir/log"
	{
		cat "$dir/other"
		cat "$dir/log"
		cat "$dir/other"
	} >"$dir/in"
	pb-localize -m $house "$dir/log" >"$dir/want"
	pb-localize -m $house "$dir/in" 2>"$dir/err" | cmp - "$dir/want"
	[ "$(cat "$dir/err")" = "pb-localize: ignoring a map of the stream: -m names another" ]
	{ msg /map "$(stamp 0 0),$grid"; } | pb-localize --convert >"$dir/bridged"
	[ "$(jq -r .type "$dir/bridged")" = map ]
	{ msg /map "$(stamp 0 0),$grid"; } |
		pb-localize -q -m $house >"$dir/out"
	pb-mapgen $house | cmp - "$dir/out"
	pb-localize -q --convert -m $house "$dir/in" >"$dir/out"
	[ "$(grep -c '"type":"map"' "$dir/out")" -eq 1 ]
	pose 9 1 1 0 >"$dir/pose"
	pb-localize -q -a wait -m $house "$dir/in" "$dir/pose" >"$dir/out"
	[ "$(grep -c '"type":"map"' "$dir/out")" -eq 1 ]
	# What a body knows is no world of the user's.
	sed 's/{/{"id":"clyde",/' "$dir/other" |
		pb-localize -q -m $house | sed 1d | jq -e '.id == "clyde"'
}

@test "nothing estimated, or lost all the time, is not silent" {
	pb-localize --convert $log >"$dir/log"
	none() { # RECORDS WANTED ARG..
		run -0 --separate-stderr pb-localize -m $house "${@:3}" <<<"$1"
		[ "$stderr" = "pb-localize: <stdin>: warning: no $2 of robot came, so nothing was estimated" ]
	}
	none "$(grep -v '"type":"scan"' "$dir/log")" scan
	none "$(sed 's/"id":"robot"/"id":"clyde"/' "$dir/log")" scan --start 1,2
	# A file where nothing can be estimated is refused.
	grep -v '"type":"scan"' "$dir/log" >"$dir/none"
	: >"$dir/empty"
	for f in none empty; do
		for how in "-m $house" "-a odom"; do
			# shellcheck disable=SC2086 # words
			run -1 --separate-stderr pb-localize $how "$dir/$f"
			[ "$stderr" = "pb-localize: $dir/$f: no scan of robot came, so nothing was estimated" ]
		done
	done
	run -0 --separate-stderr pb-localize -m $house <<<"$(jq -c '
	    if .type == "scan" then .ranges[] = null else . end' "$dir/log")"
	[[ "$stderr" == *": warning: scan.ranges: no beam of 180 has a range"* ]]
	[[ "$stderr" == *"pb-localize: robot is lost in all of its 88 estimates: "* ]]
}

@test "a scan in other units is told of once" {
	pb-localize --convert $log | head -n 100 >"$dir/log"
	odd() { # JQ WANTED
		jq -c "if .type == \"scan\" then $1 else . end" "$dir/log" >"$dir/in"
		pb-localize -m $house "$dir/in" 2>"$dir/err" >"$dir/out"
		[ "$(grep -c "warning: scan.$2" "$dir/err")" -eq 1 ]
		run -1 --separate-stderr pb-mapgen --from-log --slam \
			-o "$dir/map.yaml" "$dir/in"
		[ "$(grep -c "warning: scan.$2" <<<"$stderr")" -eq 1 ]
		[ ! -e "$dir/map.yaml" ]
	}
	odd '.ranges |= map(. * 1000) | .range_max *= 1000' 'ranges: .* divide by 1000'
	[[ "${stderr_lines[-1]}" == *" key scans fits what was seen before it; look at the units "* ]]
	odd '.angle_increment = 1 | .angle_min = -180' 'angle_increment: .* multiply by pi/180'
	odd '.angle_increment = 0' 'angle_increment: 0 turns all 180 beams one way'
}

@test "no map for a method that needs one, no truth to start from" {
	run -1 --separate-stderr pb-localize --start 0,0 <<<"$(scan 1)"
	[ "$stderr" = "pb-localize: <stdin>: expected a map or maze record, got none" ]
	run -0 --separate-stderr pb-localize -a odom --start truth <<<"$(scan 1)"
	[ "$stderr" = "pb-localize: no pose with source truth came, so nothing was estimated" ]
}

@test "command lines that contradict themselves" {
	while read -r args; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr pb-localize $args </dev/null
		[ -z "$output" ]
	done <<'END'
-a nobody
--start nowhere
--start 1
--start 1,2,3,4
--start 0,0 --global
--convert -a odom
--convert --set odom-slip=1
--convert --belief
-a wait --start truth
-a wait --set odom-slip=1
-a wait --tum x
--convert --tum x --seed 1
--convert --trial 1
--convert --start-cov 1,1,1
--convert --cell 1
-a wait --seed 1
-a wait --start-cov 1,1,1
-a wait --cell 1
--particles 5
-a odom --belief --particles 5
--set odom-slip=-1
--cell -1
-a mcl --cell 1
-m testdata/house.yaml --cell 1
END
	map='{"type":"map","resolution":1,"width":1,"height":1,"rows":["."]}'
	run -1 --separate-stderr pb-localize -a odom --cell 1 <<<"$map"
	[ "$stderr" = "pb-localize: <stdin>:1: map: --cell is only for a maze" ]
}

@test "mcl: a beam of NaN is no reading; scans without beams are not sure" {
	beams() { sed -E '/"scan"/s/("ranges":\[)[^]]*\]/'"$1"'/'; }
	pb-localize -q --convert testdata/house.log.gz >"$dir/log"
	locate() { pb-localize -q -a mcl -m $house --start truth; }
	for no in NaN null 0; do
		sed -E '/"scan"/s/("ranges":\[)[^],]*/\1'$no'/' "$dir/log" |
			locate | estimates >"$dir/$no"
	done
	cmp "$dir/NaN" "$dir/null"
	cmp "$dir/NaN" "$dir/0"
	grep -q tracking "$dir/NaN"
	beams '\1]' <"$dir/log" | locate | estimates >"$dir/none"
	! grep -q tracking "$dir/none"
	awk '/"scan"/ && ++n % 2 { sub(/"ranges":\[[^,]*,[^,]*,/, "\"ranges\":[") } 1' \
		"$dir/log" | locate | pb-bench --trajectory >"$dir/changed"
	jq -e '.wrong == 0' "$dir/changed"
}

@test "methods are listed, constants imply theirs" {
	pb-localize --list-methods | grep -q '^odom	'
	run -2 pb-localize --list-methods --seed 4
	[[ "$output" == *"--seed: only with a method that estimates" ]]
	run -2 pb-localize --convert --id x /dev/null
	run -0 pb-localize --convert --id x --tum "$dir/t" /dev/null
	pb-localize --list-methods | grep -q '^wait	'
	scan 1 >"$dir/in"
	pb-localize --set odom-slip=0 --start 0,0 "$dir/in" | grep -q '"estimate"'
}

@test "in mazes every method knows its place, in the frame of the records" {
	pb-sim -r pacbot -p greedy -s 3 --sensors tof4,odom,imu,camera >"$dir/game"
	for a in fuse cell-ray region corridor; do
		pb-localize -q -a $a -b "$dir/game" >"$dir/out"
		pb-bench --trajectory -e 'ate<=0.3' -e 'ate_turn<=0.001' \
			"$dir/out" >"$dir/sum"
		pb-localize -q -a $a --start truth "$dir/game" |
			pb-bench --trajectory -e 'ate<=0.3' >"$dir/sum"
		# A belief is where the pose is.
		jq -s -e 'map(select(.source == "estimate").x) ==
		    map(select(.type == "belief").hypotheses[0].x // empty)' \
			"$dir/out"
	done
}

# Messages of rosbridge: pose X Y YAW-Z YAW-W TOPIC.
stamp() { echo "\"header\":{\"stamp\":{\"sec\":$1,\"nanosec\":$2},\"frame_id\":\"${3:-base_link}\"}"; }
msg() { echo "{\"op\": \"publish\", \"topic\": \"$1\", \"msg\": {$2}}"; }
place() { echo "\"position\":{\"x\":$1,\"y\":$2,\"z\":0.0},\"orientation\":{\"x\":0.0,\"y\":0.0,\"z\":$3,\"w\":$4}"; }

@test "messages of rosbridge are read as records" {
	cov=$(seq -s, 0.01 0.01 0.36)
	{
		msg /map "$(stamp 0 0),\"info\":{\"resolution\":1.0,\"width\":2,\"height\":2,\"origin\":{$(place 0 0 0 1)}},\"data\":[0,0,100,-1]"
		msg /initialpose "$(stamp 1700000000 500000000),\"pose\":{\"pose\":{$(place 0.5 0.5 0.5 0.5)},\"covariance\":[$cov]}"
		msg /odom "$(stamp 1700000001 0),\"pose\":{\"pose\":{$(place 1 2 0 1)}},\"twist\":{\"twist\":{\"linear\":{\"x\":0.3},\"angular\":{\"z\":0.1}}}"
		msg /tf "\"transforms\":[]"
		msg /imu "\"linear_acceleration\":{\"x\":1}"
		msg /scan "$(stamp 1700000001 100000000),\"angle_min\":-1.5,\"angle_max\":9,\"angle_increment\":1.5,\"range_min\":0.1,\"range_max\":12.0,\"ranges\":[1.0,NaN,Infinity]"
		msg /robot_15/ground_truth "\"header\":{\"stamp\":{\"secs\":1700000002,\"nsecs\":0}},\"pose\":{$(place 1 1 0 1)}"
	} >"$dir/ros"
	pb-localize --convert "$dir/ros" >"$dir/out" 2>"$dir/err"
	diff "$dir/out" - <<'END'
{"type":"map","resolution":1,"width":2,"height":2,"origin":[0,0,0],"rows":["#?",".."]}
{"type":"pose","t":0,"id":"robot","x":0.5,"y":0.5,"theta":1.570796,"source":"initial","cov":[[0.01,0.02,0.06],[0.07,0.08,0.12],[0.31,0.32,0.36]]}
{"type":"odom","t":0.5,"id":"robot","x":1,"y":2,"theta":0,"v":0.3,"w":0.1}
{"type":"scan","t":0.6,"id":"robot","angle_min":-1.5,"angle_increment":1.5,"range_min":0.1,"range_max":12,"ranges":[1,null,null]}
{"type":"pose","t":1.5,"id":"robot","x":1,"y":1,"theta":0,"source":"truth"}
END
	[ "$(cat "$dir/err")" = "pb-localize: ignoring messages of topics like /imu: their type is not supported" ]
	pb-localize -q -a odom "$dir/ros" | estimates | grep '^0.6 0.5 0.5 1.570796 '
	pb-mapgen -q "$dir/out" | cmp - "$dir/out"
	msg /scan '"angle_min":0,"ranges":[1]' >"$dir/bad"
	run -1 --separate-stderr pb-localize --convert "$dir/bad"
	[ "$stderr" = "pb-localize: $dir/bad:1: msg.angle_increment: expected a number, got nothing" ]
	echo '{"type":"note","op":"publish" , "x": 0.10}' >"$dir/note"
	pb-localize --convert "$dir/note" | cmp - "$dir/note"
}

# A transform of frames: PARENT CHILD X Y QX QZ QW.
frame() { echo "{$(stamp 0 0 "$1"),\"child_frame_id\":\"$2\",\"transform\":{\"translation\":{\"x\":$3,\"y\":$4,\"z\":1},\"rotation\":{\"x\":$5,\"y\":0,\"z\":$6,\"w\":$7}}}"; }
beams() { echo "$(stamp "$1" "$2" laser),\"angle_min\":-1.5,\"angle_increment\":1.5,\"ranges\":[1,2,3]"; }
wheels() { echo "$(stamp "$1" "$2" odom),\"child_frame_id\":\"base_link\",\"pose\":{\"pose\":{$(place "$3" 0 0 1)}}"; }

@test "messages of rosbridge: a scanner's place, odometry of its moment, a part of a message" {
	half=0.70710678118654757
	{
		msg /odom "$(wheels 10 0 1)"
		msg /goal_pose "$(stamp 10 0 map),\"pose\":{$(place 3 4 0 1)}"
		msg /amcl_pose "$(stamp 10 0 map),\"pose\":{$(place 5 6 0 1)}"
		msg /scan "$(beams 10 50000000)"
		msg /odom "$(wheels 10 100000000 2)"
		msg /front/scan "$(beams 10 60000000)"
		msg /tf_static "\"transforms\":[$(frame /base_link shell 0.09 0 0 0 1)]"
		msg /tf_static "\"transforms\":[$(frame shell /laser -0.04 0 0 $half $half)]"
	} >"$dir/ros"
	cat >"$dir/want" <<'END'
{"type":"odom","t":0,"id":"robot","x":1,"y":0,"theta":0}
{"type":"goal","t":0,"id":"robot","kind":"point","x":3,"y":4,"theta":0}
{"type":"pose","t":0,"id":"robot","x":5,"y":6,"theta":0,"source":"estimate"}
{"type":"odom","t":0.05,"id":"robot","x":1.5,"y":0,"theta":0}
{"type":"scan","t":0.05,"id":"robot","angle_min":-1.5,"angle_increment":1.5,"mount":[0.05,0,1.570796],"ranges":[1,2,3]}
{"type":"odom","t":0.1,"id":"robot","x":2,"y":0,"theta":0}
END
	pb-localize --convert "$dir/ros" 2>"$dir/err" | diff - "$dir/want"
	[ "$(cat "$dir/err")" = "pb-localize: ignoring scans of /front/scan, using those of /scan; see --topic" ]
	pb-localize --convert "$dir/want" | cmp - "$dir/want"
	# The same in parts, as the server sends long messages.
	jq -c 'tojson as $s | ($s | length / 50 | floor + 1) as $n | range($n) |
	    {op: "fragment", id: "1", data: $s[50 * .:50 * . + 50], num: ., total: ($n + 0.25)}' \
		"$dir/ros" >"$dir/parts"
	pb-localize -q --convert "$dir/parts" | cmp - "$dir/want"
	sed 2d "$dir/parts" >"$dir/lost"
	run -1 pb-localize -q --convert "$dir/lost"
	[[ "$output" == *"$dir/lost:2: num: expected part 1 of a message, got 2"* ]]
	# On its back its beams turn the other way.
	sed "s/\"x\":0,\"y\":0,\"z\":$half,\"w\":$half/\"x\":1,\"y\":0,\"z\":0,\"w\":0/" "$dir/ros" |
		pb-localize -q --convert | jq -sce 'map(select(.type == "scan"))[0] |
		    .mount == [0.05,0,0] and .angle_min == 1.5 and .angle_increment == -1.5'
	grep -v tf_static "$dir/ros" | pb-localize --convert >"$dir/out" 2>"$dir/err"
	grep -F '<stdin>:4: warning: scan: no transform from the robot'"'"'s base to the frame "laser"; assuming that the scanner is in the robot'"'"'s middle; see --laser' "$dir/err"
	jq -se 'all(has("mount") | not)' "$dir/out"
}

@test "messages of rosbridge: a clock that begins anew" {
	for run in 0 100; do
		for i in 0 1 2 3 4 5 6 7 8 9; do
			msg /odom "$(wheels 10 $((i * 100000000)) $((run + i)))"
			msg /scan "$(beams 10 $((i * 100000000 + 50000000)))"
		done
	done >"$dir/ros"
	pb-localize --convert --laser 0,0 "$dir/ros" >"$dir/out" 2>"$dir/err"
	[ "$(cat "$dir/err")" = "pb-localize: stamps go back by 0.900 s: the clock was reset" ]
	# Both runs are whole, one after the other, and alike.
	jq -c 'select(.type == "odom") | .x' "$dir/out" >"$dir/x"
	[ "$(sort -n "$dir/x" | cmp - "$dir/x" && wc -l <"$dir/x")" -eq 38 ]
	jq -sce '[.[:29], .[29:]] | map(map(.x |= if . then . % 100 else . end)) |
	    (.[0] == .[1]) and (.[0] | length == 29)' "$dir/out"
}

@test "a trajectory file is read as poses, and written back" {
	pb-localize -q --convert --tum "$dir/a.tum" $log >"$dir/out"
	pb-localize --convert "$dir/a.tum" >"$dir/b"
	[ "$(jq -r '"\(.type) \(.id) \(.source)"' "$dir/b" | sort -u)" = "pose robot null" ]
	jq -s -c 'map(select(.type == "pose") | [.t, .x, .y, .theta])' "$dir/out" >"$dir/x"
	jq -s -c 'map([.t, .x, .y, .theta])' "$dir/b" | cmp - "$dir/x"
	printf '# t x y z qx qy qz qw\n1 2 3 0 0 0 0 1\n\n2 3 4 9 0 0 1 0\n3 4\n' >"$dir/c"
	run -1 --separate-stderr pb-localize --convert "$dir/c"
	[ "${lines[1]}" = '{"type":"pose","t":2,"id":"robot","x":3,"y":4,"theta":3.141593}' ]
	[ "$stderr" = "pb-localize: $dir/c:5: expected 8 numbers, t x y z qx qy qz qw; word 3 is none" ]
}

@test "the public logs: counts, odometry or none" {
	[ -d $data/carmen ] || skip "no public logs here"
	count() { pb-localize -q --convert "$1" | jq -r .type | sort | uniq -c | tr -s ' \n' ' '; }
	# 69 lines repeat the pose of a scan before them, with an older stamp.
	[ "$(count $data/carmen/intel-corrected.log.gz)" = " 13631 odom 910 pose 910 scan " ]
	[ "$(count $data/carmen/aces-corrected.log.gz)" = " 7374 odom 440 pose 440 scan " ]
	[ "$(count $data/carmen/orebro-corrected.log.gz)" = " 237 pose 237 scan " ]
	run --separate-stderr -0 pb-localize --convert $data/carmen/orebro-corrected.log.gz
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"without usable odometry and times"* ]]
}

@test "a twist of rosbridge that is broken is an error" {
	odom='{"op":"publish","topic":"/odom","msg":{"pose":{"pose":{"position":{"x":1,"y":2},"orientation":{"z":0,"w":1}}},"twist":T}}'
	for t in '{"twist":{"linear":{"x":"a"}}}=twist.linear.x: expected a number' \
		'{"twist":{"angular":3}}=twist.angular: expected an object' \
		'{"twist":[]}=twist: expected an object' \
		'[]=twist: expected an object'; do
		run -1 pb-localize --convert <<<"${odom/T/${t%%=*}}"
		[[ "$output" == *"${t#*=}"* ]]
	done
	# One without a twist is a pose with covariance.
	cov=$(jq -nc '[range(36) | 0]')
	odom=${odom/'"w":1}}'/'"w":1}},"covariance":'$cov}
	pb-localize --convert <<<"${odom/T/null}" |
		jq -e '.type == "pose" and (has("v") | not)'
}
