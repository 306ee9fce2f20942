#!/usr/bin/env bats
# pb-localize -a mcl on real logs: tracking, and the start anywhere.

load common

setup() {
	here
	data=../shared/data
}

# Follow the odd scans of log $1 on map $2 with seed $3.
follow() {
	pb-localize -q -a mcl -m "$2" --scans odd --start truth -s "$3" \
		"$data/carmen/$1-corrected.log.gz" |
		pb-bench --trajectory -e 'ate<=0.06' >"$dir/out"
}

@test "data: it follows a robot through a building within 6 cm" {
	[ -d $data/carmen ] || skip "no $data/carmen"
	for log in intel aces; do
		for seed in 1 2; do
			follow $log "$data/maps/$log/$log.yaml" $seed
			jq -e '.wrong == 0 and .lost == 0' "$dir/out"
		done
	done
}

@test "data: a log without odometry is followed, too" {
	[ -d $data/carmen ] || skip "no $data/carmen"
	pb-mapgen -q --from-log --scans even -o "$dir/map.yaml" \
		"$data/carmen/orebro-corrected.log.gz"
	follow orebro "$dir/map.yaml" 1
	jq -e '.wrong == 0 and .lost == 0 and .ambiguous < 0.3' "$dir/out"
}

@test "data: it finds itself anywhere, and is not wrong meanwhile" {
	[ -d $data/carmen ] || skip "no $data/carmen"
	pb-bench -q -r localize -p mcl -n 10 --updates 15 --no-results \
		--log "$data/carmen/intel-corrected.log.gz" --scans odd \
		-m "$data/maps/intel/intel.yaml" >"$dir/out"
	jq -e '.k == 10' "$dir/out"
}

@test "the beam model is another model" {
	log=testdata/house.log.gz
	for model in field beam; do
		pb-localize -q -a mcl -m testdata/house.yaml --start truth \
			--mcl-model $model "$log" >"$dir/$model"
		pb-bench --trajectory -e 'ate<=0.1' "$dir/$model" >/dev/null
	done
	! cmp -s "$dir/field" "$dir/beam"
}
