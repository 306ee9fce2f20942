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
	    .rpe_m.n == 2 and .rpe_m.rmse == 0.6 and .found == 1 and
	    .ambiguous == 0.333333 and .lost == 0 and .wrong == 1' "$dir/out"
	stream | pb-bench --trajectory --near 1 | jq -e '.wrong == 0'
	stream | pb-bench --trajectory --step-way 3 | jq -e '.rpe_m.n == 0 and .rpe_m.rmse == null'
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

@test "unmatched poses are counted, the time may be moved" {
	stream | sed '/"t":1.*estimate/s/"t":1/"t":1.2/' >"$dir/in"
	pb-bench --trajectory "$dir/in" | jq -e '.pairs == 3 and .alone == 1'
	pb-bench --trajectory --max-dt 0.3 "$dir/in" |
		jq -e '.pairs == 4 and .alone == 0 and .max_dt == 0.3'
}

@test "bodies other than the robot do not count" {
	{
		stream
		stream | sed 's/"t"/"id":"clyde","t"/'
	} | pb-bench --trajectory | jq -e '.pairs == 4'
	stream | sed 's/"t"/"id":"r2","t"/' >"$dir/in"
	run -1 --separate-stderr pb-bench --trajectory "$dir/in"
	[ "$stderr" = "pb-bench: $dir/in: expected a pose with source truth, got none" ]
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
	[[ $stderr == *"no estimate of 1 is within 0.01 s (--max-dt) of a true pose" ]]
	{ pose 0 0 0 0 truth; echo '{"type":"pose","x":0,"y":0,"source":"estimate"}'; } >"$dir/none"
	run -1 --separate-stderr pb-bench --trajectory "$dir/none"
	[ "$stderr" = "pb-bench: $dir/none:2: pose.t: expected a number, got nothing" ]
	run -1 --separate-stderr pb-bench --trajectory --reference "$dir/missing" "$dir/none"
	[[ $stderr == "pb-bench: $dir/missing: cannot open: "* ]]
	while read -r args; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr pb-bench $args </dev/null
		[ -z "$output" ]
	done <<'END'
--reference x
--near 1
--trajectory -p seed
--trajectory --chart
--trajectory -m x
--trajectory -e success>1
--trajectory -e mcl:ate<1
--trajectory --step-way 0
END
}

# The public comparison: the map is of the even scans, the odd ones test.
@test "public logs: one configuration tracks within 6 cm, never confidently wrong" {
	data=../shared/data
	[ -d $data/carmen ] || skip "no public logs here"
	for f in intel aces; do
		pb-localize -q --start truth --scans odd -m $data/maps/$f/$f.yaml \
			$data/carmen/$f-corrected.log.gz |
			pb-bench --trajectory -e 'ate<=0.06' -e 'wrong<=0' \
				-e 'lost<=0' >"$dir/out"
	done
}
