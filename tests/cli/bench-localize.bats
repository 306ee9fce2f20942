#!/usr/bin/env bats
# pb-bench -r localize: trials of localizers on a recorded drive.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	PATH="$PWD/${O:-build}:$PATH"
	dir=$BATS_TEST_TMPDIR
	log=testdata/house.log.gz
	map=testdata/house.yaml
}

bench() { pb-bench -q -r localize --log $log -m $map "$@"; }

@test "a robot switched on anywhere in the house is found; dead reckoning is lost" {
	bench -p mcl,odom -n 12 --updates 25 -e 'mcl:success>=0.9' \
		-e 'mcl:wrong<=0' -e 'odom:lost>=1' >"$dir/out"
	jq -s -e 'map(select(.type == "result" and .policy == "mcl")) | length == 12 and
	    all(.updates == 25 and .error < 0.5 and .turn < 0.26 and
		.found >= 1 and .time <= .limit)' "$dir/out"
	jq -s -e 'map(select(.type == "result" and .policy == "odom")) |
	    all(.outcome == "lost" and (has("found") | not) and .time == .limit)' "$dir/out"
	jq -s -e 'map(select(.type == "comparison")) | length == 1' "$dir/out"
}

@test "near the truth dead reckoning holds for a while" {
	bench -p odom -n 10 --protocol track --start-var 0.0001 \
		--start-var-turn 0.0001 --updates 5 -e 'success>=1' >"$dir/out"
	bench -p odom -n 10 --protocol kidnap --start-var 0.0001 --warm-up 2 \
		--jump 3 --start-var-turn 0.0001 --updates 5 \
		-e 'success<=0' -e 'wrong>=0.9' >"$dir/out"
}

@test "the same bytes for any number of threads; shards make a whole" {
	bench -p mcl -n 6 --updates 8 -j 1 >"$dir/a"
	bench -p mcl -n 6 --updates 8 -j 4 | cmp - "$dir/a"
	for i in 1 2; do bench -p mcl -n 6 --updates 8 --shard $i/2; done |
		grep '"result"' | sort >"$dir/b"
	grep '"result"' "$dir/a" | sort | cmp - "$dir/b"
	pb-bench -q --from "$dir/a" | grep '"summary"' |
		cmp - <(grep '"summary"' "$dir/a")
}

@test "options of trials tell them apart" {
	one() { bench -p odom -n 1 --updates 5 --no-results "$@" |
		jq -r 'select(.type == "summary").options'; }
	[ "$(one)" != "$(one --near 1)" ]
	[ "$(one)" != "$(one --scans odd)" ]
	[ "$(one)" = "$(one -j 2)" ]
}

@test "a table without pellets" {
	bench -p odom -n 4 --updates 5 --table >"$dir/out"
	grep -q '^localize, house, 4 trials a row' "$dir/out"
	run ! grep -q pellets "$dir/out"
}

@test "records and other logs are drives too" {
	pb-localize -q --convert $log >"$dir/records"
	bench -p odom -n 3 --updates 5 | jq -c 'del(.options, .map_hash)' >"$dir/a"
	pb-bench -q -r localize --log "$dir/records" -m $map -p odom -n 3 \
		--updates 5 | jq -c 'del(.options, .map_hash)' >"$dir/b"
	[ "$(jq -c '[.outcome, .trial]' "$dir/a")" = "$(jq -c '[.outcome, .trial]' "$dir/b")" ]
}

@test "simulated drives: houses nobody has seen, noise, the same for a seed" {
	sim() { pb-bench -q -r localize --drive-scans 60 --updates 15 "$@"; }
	sim --houses 2 -n 4 -p mcl,odom -e 'mcl:success>=0.7' -e 'mcl:wrong<=0' \
		-e 'odom:success<=0' >"$dir/a"
	[ "$(jq -s 'map(select(.type == "result")) | length' "$dir/a")" -eq 16 ]
	sim --houses 2 -n 4 -p mcl,odom -j 3 | cmp - "$dir/a"
	run ! cmp -s <(sim --houses 2 -n 4 -p mcl,odom -s 2) "$dir/a"
	# Wheels without errors track as long as one likes.
	sim -m $map -n 5 -p odom --protocol track --start-var 0 \
		--start-var-turn 0 --drive-noise 0 -e 'success>=1' >"$dir/b"
	jq -s -e 'map(select(.type == "result")) | all(.error < 0.001)' "$dir/b"
	sim -m $map -n 5 -p odom --protocol track --start-var 0 --updates 60 \
		--start-var-turn 0 --drive-noise 4 -e 'success<=0.8' >"$dir/b"
}

@test "what is refused" {
	run -2 --separate-stderr bench --drive-noise 0
	[ "${stderr_lines[0]}" = "pb-bench: --drive-noise: not with --log" ]
	run -2 pb-bench -r localize -m $map --scans odd
	run -2 pb-bench -m $map --drive-noise 0
	run -1 --separate-stderr pb-bench -q -r localize -m $map --drive-scans 59
	[ "$stderr" = "pb-bench: map house: the drive has too few scans; see --updates and --drive-scans" ]
	run -2 --separate-stderr bench -p nobody
	[[ $stderr == *"expected some of mcl, "* ]]
	run -2 bench --odom-rot-rot 1
	run -2 pb-bench --log $log -m $map
	run -2 pb-bench --updates 3 -m $map
	run -2 bench --reference x
	run -1 --separate-stderr bench --updates 89
	[ "$stderr" = "pb-bench: $log: expected at least 89 scans, got 88; see --updates" ]
	pb-localize -q --convert $log | grep -v truth >"$dir/blind"
	run -1 --separate-stderr pb-bench -r localize --log "$dir/blind" -m $map
	[ "$stderr" = "pb-bench: $dir/blind: expected a pose with source truth at every scan" ]
	run -1 --separate-stderr pb-bench -r localize --log $log -m "$dir/none.yaml"
	[[ $stderr == "pb-bench: $dir/none.yaml: "* ]]
	[ -z "$output" ]
}
