#!/usr/bin/env bats
# pb-bench --trajectory: numbers, inputs, bounds, refusals.

load common

setup() {
	here
	log=testdata/house.log.gz
}

# Poses at t = 0, 1, 2, ...: pose T X Y THETA SOURCE [STATUS]
pose() {
	echo "{\"type\":\"pose\",\"t\":$1,\"x\":$2,\"y\":$3,\"theta\":$4,\"source\":\"$5\"${6:+,\"status\":\"$6\"}}"
}

# Straight on, the estimate beside it by 0.3 and once by 0.9 m.
stream() {
	for t in 0 1 2 3; do
		pose $t $t 0 0 truth
		pose $t $t "$([ $t = 2 ] && echo 0.9 || echo 0.3)" 0 estimate \
			"$([ $t = 0 ] && echo ambiguous || echo tracking)"
	done
}

@test "numbers by hand" {
	stream | pb-bench --trajectory >"$dir/out"
	jq -e '.type == "trajectory" and .pairs == 4 and .alone == 0 and
	    .reference == 4 and .duration == 3 and .length == 3 and
	    .ate.rmse == 0.519615 and .ate.mean == 0.45 and
	    .ate.median == 0.3 and .ate.max == 0.9 and .ate.turn_max == 0 and
	    .rpe_m.n == 3 and .rpe_m.rmse == 0.489898 and
	    .rpe_s == .rpe_m and .found == 1 and
	    .ambiguous == 0.333333 and .lost == 0 and .wrong == 1' "$dir/out"
	stream | pb-bench --trajectory --set near=1 | jq -e '.wrong == 0'
	stream | pb-bench --trajectory --set step-way=3.1 | jq -e '.rpe_m.n == 0 and .rpe_m.rmse == null'
	stream | pb-bench --trajectory -e 'rpe_m<0.5'
	stream | LC_ALL=C pb-bench --trajectory --table | grep -q '^absolute  *4  *0.520'
}

@test "a frame of its own is aligned away" {
	{
		for t in 0 1 2 3; do pose $t $t $((t * t)) 0 truth; done
		for t in 0 1 2 3; do pose $t $((-t * t + 5)) $((t + 7)) 1.570796 estimate; done
	} | pb-bench --trajectory | jq -e '.ate.rmse > 5 and .aligned.max < 2e-6 and
	    .aligned.turn_max < 2e-6 and .rpe_s.max < 1e-5 and
	    (.shift | map(. * 1000 | round) == [-7000, 5000, -1571])'
}

@test "two files: trajectories, streams, logs" {
	pb-localize -q -a odom --start truth --tum "$dir/est.tum" $log >"$dir/stream"
	pb-localize -q --convert --tum "$dir/ref.tum" $log >"$dir/ref"
	pb-bench --trajectory "$dir/stream" >"$dir/want"
	for ref in "$dir/ref.tum" "$dir/ref" $log; do
		for est in "$dir/est.tum" "$dir/stream"; do
			pb-bench --trajectory --reference "$ref" "$est" |
				jq 'del(.found, .lost, .wrong)' |
				diff - <(jq 'del(.found, .lost, .wrong)' "$dir/want")
		done
	done
	# What a TUM file does not say of itself is confident.
	pb-bench --trajectory --reference $log "$dir/est.tum" |
		jq -e '.found == 0 and .lost == 0 and .wrong > 10'
}

@test "a reference of estimates, as recordings have them" {
	stream | grep -v estimate | sed s/truth/estimate/ >"$dir/ref"
	stream | grep estimate >"$dir/est"
	stream | pb-bench --trajectory >"$dir/want"
	run -0 --separate-stderr pb-bench --trajectory --reference "$dir/ref" "$dir/est"
	diff - "$dir/want" <<<"$output"
	[ "$stderr" = "pb-bench: $dir/ref: no pose has source truth; its estimates are the reference" ]
	# True poses count alone.
	{ stream | grep truth; cat "$dir/est"; } >"$dir/ref"
	run -0 --separate-stderr pb-bench --trajectory --reference "$dir/ref" "$dir/est"
	diff - "$dir/want" <<<"$output"
	[ -z "$stderr" ]
}

@test "unmatched poses are counted, the time may be moved" {
	stream | sed '/"t":1.*estimate/s/"t":1/"t":1.2/' >"$dir/in"
	pb-bench --trajectory "$dir/in" | jq -e '.pairs == 3 and .alone == 1'
	pb-bench --trajectory --set max-dt=0.3 "$dir/in" |
		jq -e '.pairs == 4 and .alone == 0 and .max_dt == 0.3'
}

@test "bodies other than the robot do not count" {
	{
		stream
		stream | sed 's/"t"/"id":"clyde","t"/'
	} | pb-bench --trajectory | jq -e '.pairs == 4'
	stream | sed 's/"t"/"id":"r2","t"/' >"$dir/in"
	run -1 --separate-stderr pb-bench --trajectory "$dir/in"
	[ "$stderr" = "pb-bench: $dir/in: expected a pose with source estimate, got none" ]
	pb-bench --trajectory --id r2 "$dir/in" | jq -e '.pairs == 4 and .id == "r2"'
}

@test "bounds: status 4 when they are not kept" {
	stream >"$dir/in"
	pb-bench --trajectory -e 'ate<=0.52' -e 'wrong<2' -e 'lost<=0' "$dir/in"
	run -4 --separate-stderr pb-bench --trajectory -e 'ate<=0.5' "$dir/in"
	[ "$stderr" = "pb-bench: --expect ate<=0.5: ate is 0.519615 (4 poses)" ]
	pose 0 9 9 0 estimate >"$dir/never"
	pose 0 0 0 0 truth >>"$dir/never"
	run -4 pb-bench --trajectory -e 'found<9' "$dir/never"
}

@test "what is refused" {
	run -1 --separate-stderr pb-bench --trajectory <<<"$(pose 0 0 0 0 truth)"
	[ "$stderr" = "pb-bench: <stdin>: expected a pose with source estimate, got none" ]
	{ pose 0 0 0 0 truth; pose 5 0 0 0 estimate; } >"$dir/apart"
	run -1 --separate-stderr pb-bench --trajectory "$dir/apart"
	[[ $stderr == *"no estimate of 1 is within 0.01 s (max-dt) of a true pose" ]]
	{ pose 0 0 0 0 truth; echo '{"type":"pose","x":0,"y":0,"source":"estimate"}'; } >"$dir/none"
	run -1 --separate-stderr pb-bench --trajectory "$dir/none"
	[ "$stderr" = "pb-bench: $dir/none:2: pose.t: expected a number, got nothing" ]
	run -1 --separate-stderr pb-bench --trajectory --reference "$dir/missing" "$dir/none"
	[[ $stderr == "pb-bench: $dir/missing: cannot open: "* ]]
	echo '{"type":"pose","t":0,"id":"clyde","x":0,"y":0}' >"$dir/other"
	run -1 --separate-stderr pb-bench --trajectory --reference "$dir/other" "$dir/apart"
	[ "$stderr" = "pb-bench: $dir/other: expected a pose of robot, got none" ]
	while read -r args; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr pb-bench $args </dev/null
		[ -z "$output" ]
	done <<'END'
--reference x
--set near=1
--trajectory -p seed
--trajectory --csv
--trajectory -m x
--trajectory -e success>1
--trajectory -e mcl:ate<1
--trajectory --set step-way=0
END
}

# What stands for the time t of a message, by the kind of a broken log; `zero`
# is when the log begins.
bad='function bad(t) {
	if (kind ~ /^by/) return int(t / substr(kind, 3)) * substr(kind, 3)
	if (kind == "equal") return 5
	if (kind == "two") return t - zero > 33 ? 12 : 7
	if (kind == "backward") return 2000 - t
	if (kind == "negative") return -t
	if (kind == "wraps")
		return t - zero > 20 && t - zero < 30 ? 4294967295 : t
	if (kind == "jumps") return t - zero > 35 ? t + 4e9 : t
	if (kind == "restarts") return t - zero > 35 ? t - 35.2 : t
	if (kind == "nan") return ++n % 7 == 3 ? "nan" : t
}
'

# house.log.gz with the stamps of its messages changed: broken_log KIND
broken_log() {
	zcat $log | awk -v kind="$1" -v zero=1000 "$bad"'
	/^FLASER/ { i = $2 + 9; $i = bad($i) }
	/^ODOM/ && $8 != 0 { $8 = bad($8) }
	{ print }'
}

# Its records with their times changed: broken_records KIND
broken_records() {
	[ -e "$dir/whole" ] || pb-localize -q --convert $log >"$dir/whole"
	awk -v kind="$1" -v zero=0 "$bad"'{
		match($0, /"t":[0-9.]+/)
		printf "%s%.17g%s\n", substr($0, 1, RSTART + 3),
			bad(substr($0, RSTART + 4, RLENGTH - 4) + 0),
			substr($0, RSTART + RLENGTH)
	}' "$dir/whole"
}

kinds='by1 by10 by60 equal two backward negative wraps jumps restarts'
house=testdata/house.yaml

# What does not depend on the time of a step.
errors() { jq -c '[.pairs, .alone, .ate, .aligned, .rpe_m]'; }

@test "stamps that are no times: the order of a log counts" {
	locate() { # NAME FILE: add what comes of it to the list
		pb-localize --scans $scans -m $house --set mcl-particles=200 \
			"$2" 2>"$dir/err" | pb-bench -q --trajectory >>"$dir/errors"
		echo "$scans $1" >>"$dir/names"
	}
	for kind in $kinds nan; do broken_log $kind >"$dir/$kind.log"; done
	for kind in $kinds; do broken_records $kind >"$dir/$kind.jsonl"; done
	for scans in all odd; do
		locate as-it-is $log
		local logs="$kinds nan"
		[ $scans = all ] || logs='by10 equal wraps restarts'
		for kind in $logs; do
			locate log-$kind "$dir/$kind.log"
			[ "$(wc -l <"$dir/err")" = 1 ]
			grep -q "^pb-localize: $dir/$kind.log: warning: a log without usable times: of 88 stamps of scans, .*; scans are numbered, one a second$" "$dir/err"
		done
		for kind in ${logs% nan}; do
			locate records-$kind "$dir/$kind.jsonl"
		done
	done
	# For each choice of scans all errors are those of the log as it is.
	errors <"$dir/errors" >"$dir/same"
	[ "$(wc -l <"$dir/same")" = "$(wc -l <"$dir/names")" ]
	paste -d ' ' "$dir/names" "$dir/same"
	[ "$(paste -d ' ' "$dir/names" "$dir/same" | cut -d ' ' -f 1,3 |
		uniq | cut -d ' ' -f 1 | tr '\n' ' ')" = "all odd " ]
	grep -q 'of 88 stamps of scans, 87 come again;' <(pb-localize --convert "$dir/equal.log" 2>&1 >"$dir/out")
	pb-localize -m $house "$dir/by10.jsonl" 2>&1 >"$dir/out" |
		grep -q '^pb-localize: 81 of 88 scans have the time of the scan before'
	pb-bench --trajectory "$dir/out" 2>"$dir/err" | jq -e '.numbered == true and .duration == 87'
	[[ "$(cat "$dir/err")" == "pb-bench: $dir/out: warning: the times of poses "* ]]
	pb-localize -q -m $house $log | pb-bench --trajectory | jq -e 'has("numbered") | not'
}

@test "stamps that are no times: trials on a log, maps from it, two files" {
	trials() {
		pb-bench -q -r localize -m $house -n 2 --set updates=15 \
			--set mcl-particles=500 --log "$1" |
			grep '"type":"result"' |
			grep -oE '"(outcome|found|wrong|driven|error_rms)":[^,]*'
	}
	map() { pb-mapgen -q --from-log "$@" | grep -o '"rows":.*'; }
	trials $log >"$dir/trials"
	map $log >"$dir/map"
	map --slam --set rounds=0 $log >"$dir/slam"
	for kind in by10 wraps backward restarts; do
		broken_log $kind >"$dir/k.log"
		broken_records $kind >"$dir/k.jsonl"
		for f in log jsonl; do
			[ $f = jsonl ] || trials "$dir/k.$f" | diff "$dir/trials" -
			map "$dir/k.$f" | diff "$dir/map" -
		done
	done
	map --slam --set rounds=0 "$dir/k.log" | diff "$dir/slam" -
	map --slam --set rounds=0 "$dir/k.jsonl" | diff "$dir/slam" -
	run -1 --separate-stderr pb-bench -r localize -m $house --log "$dir/k.jsonl"
	[[ $stderr == *'of 88 stamps of scans, '*'; trials go by time' ]]
	pb-mapgen --from-log "$dir/k.jsonl" 2>&1 >"$dir/out" |
		grep -q 'warning: of 88 stamps of scans, .*; each scan has the pose told last before it'
	# As trajectory files: as many of both are paired in their order.
	pb-localize -q -a odom --start truth --tum "$dir/est" "$dir/k.jsonl" >"$dir/stream"
	pb-localize -q --convert --tum "$dir/ref" "$dir/k.jsonl" >"$dir/out"
	pb-localize -q -a odom --start truth $log |
		pb-bench -q --trajectory | errors >"$dir/want"
	pb-bench -q --trajectory --reference "$dir/ref" "$dir/est" | errors |
		diff "$dir/want" -
}

@test "times that do not tell a pose's reference are refused" {
	for t in 0 1 2 3; do pose 5 $t 0 0 truth; done >"$dir/ref"
	for t in 0 2 3; do pose 5 $t 0.1 0 estimate; done >"$dir/est"
	run -1 --separate-stderr pb-bench --trajectory --reference "$dir/ref" "$dir/est"
	[ -z "$output" ]
	[ "$stderr" = "pb-bench: $dir/est: 3 of 3 estimates, the first at 5 s, have a time that fits several of the 4 true poses" ]
	pose 5 9 0.1 0 estimate >>"$dir/est"
	pb-bench -q --trajectory --reference "$dir/ref" "$dir/est" |
		jq -e '.pairs == 4 and .numbered'
}

@test "scans whose stamps tell no time have the poses told last" {
	pb-localize -q --convert $log | jq -c '.t = 3' >"$dir/log"
	pb-mapgen --from-log "$dir/log" --trajectory "$dir/poses" >"$dir/map" 2>"$dir/err"
	grep -q 'of 88 stamps of scans, 87 come again; each scan has the pose told last before it$' "$dir/err"
	diff <(pb-localize -q --convert $log | jq -c 'select(.source == "truth") | [.x, .y, .theta]') \
		<(jq -c '[.x, .y, .theta]' "$dir/poses")
}

@test "dense estimates: a true pose counts once" {
	{
		for t in 0 1 2; do
			pose $t $t 0 0 truth
			for e in 0 3 6 9; do pose $t.00$e $t 0.$e 0 estimate; done
		done
	} >"$dir/in"
	pb-bench --trajectory "$dir/in" | jq -e '.pairs == 3 and .alone == 9 and .ate.max == 0'
	# Two of one moment, of a scan and of a fix: the last.
	{ for t in 0 1 2; do pose $t $t 0 0 truth; for e in 2 1; do pose $t $t $e 0 estimate; done; done; } >"$dir/in"
	pb-bench --trajectory "$dir/in" | jq -e '.pairs == 3 and .ate.max == 1'
}

@test "between two true poses, if they are close enough" {
	{
		for t in 0 1 2 3 4; do pose 0.$t $t 0 0 truth; done
		for t in 05 15 25 35 6; do pose 0.$t "$([ $t = 6 ] && echo 9 || echo "${t:0:1}.5")" 0 0 estimate tracking; done
	} >"$dir/in"
	pb-bench --trajectory "$dir/in" >"$dir/out"
	jq -e '.pairs == 4 and .between == 4 and .alone == 1 and .ate.max < 1e-6 and
	    .max_gap == 0.5 and .wrong == 0' "$dir/out"
	LC_ALL=C pb-bench --trajectory --table "$dir/in" >"$dir/out"
	head -n 2 "$dir/out" | xargs | grep -qx 'The estimates are off by 0.000 m and 0.00 degrees (root mean square of 4), by 0.000 m at most; found after 0.0 s, never sure and wrong.'
	grep -q '^3.0 m in 0.3 s, 1 without a true pose, 4 between two; wrong: more than 0.5 m' "$dir/out"
	run -1 --separate-stderr pb-bench --trajectory --set max-gap=0.09 "$dir/in"
	[[ $stderr == *"no estimate of 5 is within 0.01 s (max-dt) of a true pose" ]]
	# Most are alone: what is said of the others says little.
	{ pose 0 0 0 0 truth; for t in 0 1 2 3; do pose $t $t 0 0 estimate tracking; done; } >"$dir/in"
	run -0 --separate-stderr pb-bench --trajectory --table "$dir/in"
	[[ $stderr == *"warning: 3 of 4 estimates have no true pose within 0.01 s (max-dt), nor between two 0.5 s apart (max-gap), and are not judged" ]]
	[[ ${output//$'\n'/ } == *", never sure and wrong; nobody knows of 3 more."* ]]
	# What a localizer says of itself stands below.
	[[ $output == *"says that it knows where it is: 100 % of the way; never lost."* ]]
}

@test "clocks that differ: the one that pairs them is named, or found" {
	pb-localize -q -a odom --start truth $log >"$dir/stream"
	jq -c 'select(.source == "truth") | .t += 1234.567' "$dir/stream" >"$dir/ref"
	run -1 --separate-stderr pb-bench --trajectory --reference "$dir/ref" "$dir/stream"
	[[ $stderr == *"no estimate of 88 is within 0.01 s (max-dt) of a true pose; both move alike with --clock 1234.567" ]]
	run -0 --separate-stderr pb-bench --trajectory --clock auto --reference "$dir/ref" "$dir/stream"
	[ "$stderr" = "pb-bench: $dir/ref: using --clock 1234.567, estimated from the motion of both" ]
	diff <(pb-bench --trajectory "$dir/stream") - <<<"$output"
	# A part of the drive.
	jq -c '.t += 0.3' "$dir/ref" | tail -n 60 >"$dir/part"
	run -0 --separate-stderr pb-bench --trajectory --clock auto --reference "$dir/part" "$dir/stream"
	jq -e '.pairs == 60' <<<"$output"
	[[ $stderr == *"--clock 1234.867, estimated"* ]]
	pose 0 0 0 0 truth >"$dir/still"
	pose 1 0 0 0 truth >>"$dir/still"
	run -1 --separate-stderr pb-bench --trajectory --clock auto --reference "$dir/still" "$dir/stream"
	[[ $stderr == *"--clock auto: no difference of the clocks makes the motion of 2 true poses equal that of 88 estimates" ]]
	run -2 --separate-stderr pb-bench --trajectory --clock x --reference "$dir/ref" "$dir/stream"
	[[ $stderr == *'expected a number from -1e+12 to 1e+12 or auto, got "x"'* ]]
	echo '0 2 0.5 0 0 0 0 0.1' >"$dir/rel"
	run -2 --separate-stderr pb-bench --trajectory --clock auto --relations "$dir/rel" "$dir/stream"
	[[ $stderr == *"--clock auto: not with --relations"* ]]
}

# Values of a logger: four poses at the corners of a square, by hand.
csv=testdata/amcl.csv

@test "values of a logger: how poses lie to each other without a truth" {
	pb-bench --trajectory $csv >"$dir/out"
	jq -e '.type == "spread" and .of == "trial" and .file == "'$csv'" and
	    .poses == 4 and .mean == [2, 2, 0] and .sd == [1, 1, 0.223607] and
	    .radial_mean == 1.414214 and .radial_max == 1.414214 and
	    .turn_max == 0.3 and .apart_mean == 2.276142 and
	    .apart_max == 2.828427 and .duration == 4 and
	    .dt == {"mean": 1.333333, "sd": 0.471405, "min": 1, "max": 2} and
	    .step == {"mean": 2, "sd": 0, "min": 2, "max": 2} and
	    .turn.mean == 0.4 and .turn.max == 0.6 and
	    .sigma == [0.3, 0.3, 0.1] and .end == [1, 3, -0.3]' "$dir/out"
	# Headings lie about their mean, wherever the circle is cut.
	printf 'x,y,theta\n0,0,3.1\n0,0,-3.1\n' | pb-bench --trajectory |
		jq -e '.mean[2] == 3.141593 and .sd[2] == 0.041593 and .turn.max == 0.083185'
	# Estimates of a stream without a truth are poses like these.
	stream | grep estimate | pb-bench --trajectory |
		jq -e '.type == "spread" and .poses == 4 and .sd[0] == 1.118034'
	LC_ALL=C pb-bench --trajectory --table $csv >"$dir/out"
	[ "$(head -n 1 "$dir/out")" = '4 poses are 1.4142 m from their mean place on average, 1.4142 m at most.' ]
	grep -qE '^amcl +4 +1.0000 +1.0000 +[0-9.]+ +1.4142 +1.4142 ' "$dir/out"
	run ! grep -q sigma "$dir/out"
	pb-bench --trajectory --table=all $csv | grep -q sigma
	# Of what stood still there are means.
	printf 'x,y,theta\n1,2,0\n1.2,2,0\n' | LC_ALL=C COLUMNS=200 pb-bench --trajectory --table=all |
		grep -qE '^<stdin> +2 .* 1.1000 +2.0000 '
}

# A drive along x, 1 m a second, lost from 4 to 6 s, off the map at 8 s, whose
# wheels have a frame of their own: claimed [fit]
claimed() {
	local t
	for t in 0 1 2 3 4 5 6 7 8 9 10; do
		echo "{\"type\":\"odom\",\"t\":$t,\"x\":3,\"y\":$t,\"theta\":1.570796}"
		case $t in 0) s=ambiguous ;; 4 | 5) s=lost ;; 8) s=unmapped ;; *) s=tracking ;; esac
		pose $t $((t > 5 ? t + 2 : t)) 0 0 estimate $s |
			sed "s/}/${1:+,\"fit\":0.$t$([ $t = 6 ] && echo ',"jump":2.5')}}/"
	done
}

@test "a localizer's own report, without a truth" {
	claimed | pb-bench --trajectory | jq -e '.claims == {"estimates": 11, "duration": 10,
	    "way": 10, "tracking": 0.6, "ambiguous": 0.1, "unmapped": 0.1, "lost": 0.2,
	    "tracking_way": 0.6, "ambiguous_way": 0.1, "unmapped_way": 0.1, "lost_way": 0.2,
	    "known_s": 1, "known_m": 1} and .jumps == [{"t": 6, "x": 8, "y": 0, "jump": 2}] and
	    .lost_at == [{"t": 3, "x": 3, "y": 0}] and .unmapped_at == [{"t": 7, "x": 9, "y": 0}]'
	claimed fit | pb-bench --trajectory | jq -e '.claims.fit == 0.4 and .jumps[0].jump == 2.5'
	claimed fit | LC_ALL=C pb-bench --trajectory --table >"$dir/out"
	diff "$dir/out" - <<'END'
The robot says that it knows where it is: 60 % of the way; lost once, near (3.0,
0.0); off the map once, near (9.0, 0.0).

11 estimates in 10.0 s, 10.0 m by the wheels; first known after 1.0 s, 1.0 m;
median fit 0.40; jumps: 2.50 m to (8.0, 0.0) at 6.0 s

status     time %  way %
---------  ------  -----
tracking     60.0   60.0
ambiguous    10.0   10.0
unmapped     10.0   10.0
lost         20.0   20.0
END
	# Each stretch off the map counts, known between them or not.
	claimed | sed '/estimate/ { /"t":[69],/s/tracking/unmapped/; /"t":7,/s/tracking/ambiguous/ }' |
		pb-bench --trajectory --table | head -n 2 | xargs |
		grep -q 'off the map twice, near (5.0, 0.0), (9.0, 0.0)\.$'
	# Without wheels the way is that of the poses; without times they are counted.
	claimed | grep pose | pb-bench --trajectory | jq -e '.claims.way == 12 and (has("jumps") | not)'
	pose 3 1 1 0 estimate lost | pb-bench --trajectory --table >"$dir/out"
	grep -q '; never known$' "$dir/out"
	xargs <"$dir/out" |
		grep -q 'The robot never says that it knows where it is: lost 100, ambiguous 0 % of the time\.'
	claimed >"$dir/in"
	pb-bench --trajectory -e 'tracking>=0.6' -e 'lost_way<=0.2' -e 'jumps<2' "$dir/in"
	run -4 --separate-stderr pb-bench --trajectory -e 'known_m<1' "$dir/in"
	[ "$stderr" = "pb-bench: --expect known_m<1: $dir/in: known_m is 1 (11 poses)" ]
	run -1 --separate-stderr pb-bench --trajectory -e 'tracking>0' $csv
	[[ $stderr == *"expected a pose with a status, got none; --expect tracking>0 needs one" ]]
}

@test "several files are several trials" {
	for i in 1 2 3; do
		awk -F, -v OFS=, -v i=$i 'NR == 5 { $4 += 3 * (i == 2); $5 += 4 * (i == 3) } 1' \
			$csv >"$dir/$i.csv"
	done
	pb-bench --trajectory "$dir"/[123].csv >"$dir/out"
	jq -s -e 'length == 4 and (map(.of) == ["trial", "trial", "trial", "ends"]) and
	    .[3].poses == 3 and .[3].apart_mean == 4 and .[3].apart_max == 5 and
	    (.[3] | has("duration") or has("sigma") | not) and .[1].end == [4, 3, -0.3]' "$dir/out"
	pb-bench --trajectory -e 'apart_max<=5' -e 'radial_max<4.5' "$dir"/[123].csv >"$dir/out"
	run -4 --separate-stderr pb-bench --trajectory -e 'apart_max<5' "$dir"/[123].csv
	[ "$stderr" = "pb-bench: --expect apart_max<5: apart_max is 5 (3 ends)" ]
	run -4 --separate-stderr pb-bench --trajectory -e 'sd_y<=1' "$dir"/[123].csv
	[[ $stderr == "pb-bench: --expect sd_y<=1: $dir/3.csv: sd_y is "*" (4 poses)" ]]
	run -1 --separate-stderr pb-bench --trajectory -e 'ate<1' $csv
	[ -z "$output" ]
	[ "$stderr" = "pb-bench: $csv: expected a pose with source truth, got none; --expect ate<1 needs one" ]
	run -1 --separate-stderr pb-bench --trajectory -e 'apart_max<1' <<<"$(stream)"
	[[ $stderr == *"apart_max applies only without true poses, and there are some" ]]
	LC_ALL=C pb-bench --trajectory --table "$dir"/[123].csv | head -n 2 | xargs |
		grep -qx 'The last poses of the 3 trials are 4.0000 m apart on average, 5.0000 m at most.'
}

@test "values of loggers by their names, in any order" {
	pb-localize --convert $csv | jq -c 'del(.cov)' >"$dir/want"
	same() { pb-localize --convert "$@" | jq -c 'del(.cov)' | diff "$dir/want" -; }
	rows() { awk -F, "NR > 1 { print $1 }" OFS=, $csv; }
	{ echo '# a comment'; echo 'theta,y,x,t'; rows '$6, $5, $4, $3'; } | same
	{ printf ' x , y,note,theta ,t\r\n'; rows '$4, $5, "a", $6, $3' | sed 's/$/\r/'; } | same
	# Nothing but places.
	cut -d, -f4,5 $csv | pb-bench --trajectory | jq -e '.mean == [2, 2, null] and (has("dt") or has("turn") or has("sigma") | not)'
	# A reference, and estimates: as any other poses with times.
	pb-bench --trajectory --reference $csv $csv | jq -e '.pairs == 4 and .ate.max == 0'
	run -1 --separate-stderr pb-bench --trajectory --reference $csv <(cut -d, -f4,5 $csv)
	[[ $stderr == *":2: pose.t: expected a number, got nothing" ]]
}

@test "values of loggers: what is refused" {
	refused() { # LINE: TEXT, the file on stdin
		cat >"$dir/bad.csv"
		run -1 --separate-stderr pb-bench --trajectory "$dir/bad.csv"
		[ -z "$output" ]
		[ "$stderr" = "pb-bench: $dir/bad.csv:$1" ]
	}
	cut -d, -f1-4,6 $csv | refused '1: expected columns x and y, got no y of 5'
	sed '3s/3.000000/abc/' $csv | refused '3: column 4, x: expected a number, got "abc"'
	sed '3s/,3.000000/,/' $csv | refused '3: column 4, x: expected a number, got ""'
	sed '4s/,[^,]*$//' $csv | refused '4: expected 11 columns, got 10'
	head -n 1 $csv | refused ' expected a pose with source estimate, got none'
	sed '3s/3.000000/abc/' $csv | pb-bench -k --trajectory 2>"$dir/err" >"$dir/out" || [ $? = 1 ]
	jq -e '.poses == 3' "$dir/out"
}

# The published figures of PacManBot's AMCL trials, report2.md, section 3.1.
@test "public trials of AMCL: every published figure" {
	data=../shared/data/amcl
	[ -d $data ] || skip "no public trials here"
	r='def r(n): . * pow(10; n) | round / pow(10; n); def deg: . * 180 / 3.141592653589793;'
	pb-bench --trajectory $data/amcl_pose_trial.csv |
		jq -e "$r"'[.poses, (.mean[:2][], .sd[:2][], .radial_mean, .radial_max | r(4))] ==
		    [11, -0.2616, 2.6982, 0.0350, 0.0363, 0.0481, 0.0735]'
	pb-bench --trajectory $data/amcl_t?.csv >"$dir/out"
	jq -r "$r"'select(.of == "trial") | [.poses, (.duration, .dt[] | r(2)),
	    (.step.mean, .step.sd, .step.max | r(3)), (.sd[:2][], .radial_mean, .radial_max | r(3)),
	    (.sd[2], .turn.mean, .turn.max | deg | r(2)), (.sigma[:2][] | r(3)), (.sigma[2] | deg | r(2))] |
	    map(tostring) | join(" ")' "$dir/out" | diff - <(
		cat <<'END'
10 11.65 1.29 0.13 0.99 1.44 0.343 0.023 0.381 0.877 0.464 0.865 1.56 5.3 3.61 11.65 0.671 0.712 26.72
12 12.93 1.18 0.07 1.1 1.31 0.31 0.019 0.34 0.881 0.593 0.923 1.709 2.25 1.94 4.36 0.412 0.474 20.8
11 11.76 1.18 0.07 1.03 1.28 0.299 0.031 0.344 0.787 0.51 0.81 1.565 2.38 2.61 6.69 0.275 0.295 18.07
12 12.82 1.17 0.12 1 1.46 0.287 0.022 0.322 0.869 0.476 0.862 1.636 1.62 1.75 6.76 0.316 0.311 18.9
END
	)
	jq -e 'select(.of == "ends") | .apart_mean == 0.320316 or (.apart_mean - 0.32032 | fabs) < 1e-5' "$dir/out"
	jq -e 'select(.of == "ends") | (.apart_max - 0.5303 | fabs) < 5e-5' "$dir/out"
}

# What two people agreed on, of the poses of stream(): t1 t2 x y z roll pitch yaw
relations() {
	printf '# hand made\n\n0 1 1 0 0 0 0 0\n1 3 2.3 0.4 0 0 0 0\n'
}

@test "relations: numbers by hand, of estimates, else of the truth" {
	relations >"$dir/rel"
	stream | pb-bench --trajectory --relations "$dir/rel" >"$dir/out"
	jq -e '.type == "relations" and .relations == 2 and .poses == 4 and
	    .of == "estimate" and .odometry == 0 and .far == 0 and .gap == 0 and
	    .nearest.m.mean == 0.25 and .nearest.m.max == 0.5 and
	    .nearest.m.sd == 0.25 and .nearest.m2.mean == 0.125 and
	    .nearest.turn.mean == 0 and (.file | endswith("/rel"))' "$dir/out"
	stream | grep truth | pb-bench --trajectory --relations "$dir/rel" |
		jq -e '.of == "truth" and .nearest.m.mean == 0.25'
	stream | LC_ALL=C pb-bench --trajectory --relations "$dir/rel" --table |
		grep -q '^2 relations are off by 0.2500 m and 0.000 degrees'
	stream | pb-bench --trajectory --relations "$dir/rel" -e 'nearest<=0.25' -e 'far<1'
	run -4 --separate-stderr pb-bench --trajectory --relations "$dir/rel" \
		-e 'nearest_turn<=0' -e 'nearest<0.2' < <(stream)
	[ "$stderr" = "pb-bench: --expect nearest<0.2: nearest is 0.25 (2 relations)" ]
}

@test "relations: odometry leads to stamps between poses, the clock may differ" {
	pb-localize -q --convert $log >"$dir/records"
	# Of the true poses, as they are; then only every tenth of them is known.
	jq -rs '[.[] | select(.type == "pose")] | [., .[1:]] | transpose | .[:-1][] | . as [$a, $b] |
	    ($b.x - $a.x) as $x | ($b.y - $a.y) as $y | $a.theta as $h |
	    [1000 + $a.t, 1000 + $b.t, $x * ($h | cos) + $y * ($h | sin),
	     $y * ($h | cos) - $x * ($h | sin), 0, 0, 0, $b.theta - $h] | map(tostring) | join(" ")' \
		"$dir/records" >"$dir/rel"
	rel() { pb-bench --trajectory --relations "$dir/rel" --clock 1000 "$@"; }
	rel "$dir/records" -e 'nearest<2e-6' -e 'nearest_turn<2e-6' -e 'far<1' |
		jq -e '.relations == 87 and .odometry == 352'
	jq -c 'select(.type == "pose")' "$dir/records" | awk 'NR % 10 == 1' >"$dir/tenth"
	jq -c 'select(.type == "odom")' "$dir/records" >"$dir/odom"
	rel "$dir/tenth" "$dir/odom" >"$dir/with"
	rel "$dir/tenth" 2>"$dir/err" >"$dir/without"
	grep -qx "pb-bench: $dir/tenth: warning: 87 of 87 relations have an end farther than 0.1 s from a pose, and there is no odometry that leads there; see --relations" "$dir/err"
	jq -se '.[0].nearest.m.mean < 0.03 and .[1].nearest.m.mean > 0.2' "$dir/with" "$dir/without"
}

@test "relations: what is refused" {
	stream >"$dir/in"
	refused() { # TEXT, the relations on stdin
		cat >"$dir/rel"
		run -1 --separate-stderr pb-bench --trajectory --relations "$dir/rel" "$dir/in"
		[ -z "$output" ]
		[ "$stderr" = "pb-bench: $dir/$1" ]
	}
	echo '# none' | refused 'rel: expected relations, got none'
	printf '0 1 1 0 0 0 0 0\n0 1 x\n' |
		refused 'rel:2: expected a relation, 8 numbers: t1 t2 x y z roll pitch yaw'
	echo '0 1 1 0 0 0 0.2 0' | refused 'rel:1: relation: expected z, roll and pitch 0, got 0 0 0.2'
	echo '7 8 1 0 0 0 0 0' | refused 'rel: no relation lies within the time of the poses, 0 to 3 s; see --clock'
	relations >"$dir/rel"
	run -1 --separate-stderr pb-bench --trajectory --relations "$dir/rel" </dev/null
	[ "$stderr" = "pb-bench: <stdin>: expected poses, got none" ]
	run -1 --separate-stderr pb-bench --trajectory --relations "$dir/rel" \
		<<<'{"type":"pose","t":1,"x":0,"y":0,"source":"estimate"}'
	[ "$stderr" = "pb-bench: <stdin>:1: pose.theta: expected a number, got nothing" ]
	run -1 --separate-stderr pb-bench --trajectory --relations "$dir/missing" "$dir/in"
	[[ $stderr == "pb-bench: $dir/missing: cannot open: "* ]]
	for args in '--clock 1' '--relations x --set near=1' '--relations x --reference y' '--relations x -e ate<1' '-e nearest<1'; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr pb-bench --trajectory $args <"$dir/in"
		[ -z "$output" ]
	done
}

# Independent figures of these relations: 0.0502 m of the corrected log.
@test "public relations: the corrected log and SLAM's poses of aces" {
	data=../shared/data
	[ -d $data/relations ] || skip "no public relations here"
	aces=$data/carmen/aces-corrected.log.gz
	pb-bench --trajectory --relations $data/relations/aces.relations --clock 0.110201 $aces |
		jq -e '(.nearest.m.mean - 0.0502 | fabs) < 5e-5 and (.nearest.turn.mean * 57.29578 - 1.071 | fabs) < 5e-4 and
		    .relations == 1279 and .far == 1275'
	pb-mapgen -q --from-log --slam --trajectory "$dir/aces" -o "$dir/aces.yaml" $aces
	pb-bench --trajectory --relations $data/relations/aces.relations --clock 0.110201 \
		-e 'nearest<0.05' "$dir/aces" $aces >"$dir/out"
}
