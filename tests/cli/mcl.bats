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
		follow $log "$data/maps/$log/$log.yaml" 1
		jq -e '.wrong == 0 and .lost == 0' "$dir/out"
	done
}

@test "data: a log without odometry is followed, too" {
	[ -d $data/carmen ] || skip "no $data/carmen"
	pb-mapgen -q --from-log --scans even -o "$dir/map.yaml" \
		"$data/carmen/orebro-corrected.log.gz"
	follow orebro "$dir/map.yaml" 1
	jq -e '.wrong == 0 and .lost == 0 and .ambiguous < 0.4' "$dir/out"
}

@test "data: it finds itself anywhere, and is not wrong meanwhile" {
	[ -d $data/carmen ] || skip "no $data/carmen"
	pb-bench -q -r localize -p mcl -n 10 --set updates=15 --no-results \
		--log "$data/carmen/intel-corrected.log.gz" --scans odd \
		-m "$data/maps/intel/intel.yaml" >"$dir/out"
	jq -e '.k == 10' "$dir/out"
}

# The house's drive and back the same way, in reverse, which the wheels count
# as forwards.
there_and_back() {
	pb-localize -q --convert testdata/house.log.gz |
		jq -c 'select(.type != "odom")' | jq -c -s '
	def turned(th; d): {x: ((th | cos) * d.x - (th | sin) * d.y),
	    y: ((th | sin) * d.x + (th | cos) * d.y), theta: d.theta};
	def minus(b): {x: (.x - b.x), y: (.y - b.y), theta: (.theta - b.theta)};
	[range(0; length; 2) as $i | {pose: .[$i], scan: .[$i + 1], sign: 1}] |
	. + (reverse | .[1:] | map(.sign = -1)) | .[0].pose as $first |
	reduce .[] as $s ({t: 0, at: $first, odom: $first, out: []};
	    .at as $a | turned(-$a.theta; $s.pose | minus($a)) as $d |
	    turned(.odom.theta; $d | .x *= $s.sign | .y *= $s.sign) as $step |
	    .odom |= {type: "odom", id: "robot", x: (.x + $step.x),
		y: (.y + $step.y), theta: (.theta + $step.theta)} |
	    .at = $s.pose | .t += 1 | .t as $t |
	    .out += [(.odom, $s.pose, $s.scan) | .t = $t]) | .out[]'
}

@test "it is not sure of wheels that deny to drive backwards" {
	there_and_back >"$dir/in"
	for seed in 1 2 3; do
		pb-localize -q -m testdata/house.yaml --start truth \
			-s $seed "$dir/in" >"$dir/out"
		pb-bench --trajectory -e 'ate<=0.05' -e 'wrong<=0' \
			-e 'lost<=0' "$dir/out" >/dev/null
		# The way there is tracked, the way back is not.
		run -4 pb-bench --trajectory -e 'ambiguous<=0.3' "$dir/out"
	done
}

# How many estimates have that status.
count() { # STATUS FILE
	jq -s --arg s "$1" 'map(select(.source == "estimate" and
		.status == $s)) | length' "$2"
}

# The house, of which only some rows are known.
half() { # FIRST LAST
	pb-mapgen -q testdata/house.yaml | jq -c --argjson a "$1" \
		--argjson b "$2" '.rows |= [to_entries[] | if .key >= $a and
		.key < $b then .value else .value | gsub("."; "?") end]'
}

@test "off the known map it goes by the wheels, and says so" {
	for rows in '0 80' '80 160'; do
		half $rows >"$dir/map"
		for start in '' '--start truth'; do
			pb-localize -q -m "$dir/map" $start \
				testdata/house.log.gz >"$dir/out"
			pb-bench -q --trajectory -e 'wrong<=0' -e 'ate<=1.3' \
				"$dir/out"
			[ "$(count tracking "$dir/out")" -ge 8 ]
			[ "$(count unmapped "$dir/out")" -ge 10 ]
		done
	done
}

@test "without odometry a building of the same kind is not taken for the own one" {
	local m
	said() { # MAP
		pb-localize -q -m "$dir/$1" "$dir/drive" |
			jq -r 'select(.type == "pose").status // empty'
	}
	pb-mapgen -q random-house -s 13 >"$dir/own"
	pb-mapgen -q random-house -s 14 >"$dir/other"
	jq -c '.rows |= map(explode | reverse | implode)' "$dir/own" \
		>"$dir/mirrored"
	pb-sim -q -a -m "$dir/own" -p seed -s 13 --sensors lidar \
		--set duration=60 --set death-radius=0.01 |
		grep '"scan"\|"truth"' >"$dir/drive"
	for m in other mirrored; do
		run ! grep -q tracking <(said $m)
	done
	[ "$(said own | grep -c tracking)" -gt 250 ]
}

@test "in other buildings at most one estimate of a hundred is tracked" {
	for seed in {1..8}; do
		pb-mapgen -q random-house -s $seed >"$dir/map"
		pb-localize -q -m "$dir/map" testdata/house.log.gz
	done >"$dir/out"
	[ "$(count tracking "$dir/out")" -le 7 ] # of 704
	[ "$(count lost "$dir/out")" -gt 0 ]
	pb-localize -q -m testdata/house.yaml testdata/house.log.gz >"$dir/out"
	[ "$(count tracking "$dir/out")" -ge 80 ]
}

@test "a robot that stands gets no surer, with wheels or without" {
	pb-localize -q --convert testdata/house.log.gz |
		jq -c 'select(.type == "scan")' | head -n 1 >"$dir/scan"
	jq -c '.t = (range(100) / 10)' "$dir/scan" >"$dir/in"
	pb-localize -q -m testdata/house.yaml "$dir/in" >"$dir/out"
	[ "$(count tracking "$dir/out")" -eq 0 ]
	# Wheels that tell at every scan, and at every other one.
	for n in 1 2; do
		jq -c "(if .t * 10 % $n == 0 then {type: \"odom\", t, id,
			x: 0, y: 0, theta: 0} else empty end), ." "$dir/in" |
			pb-localize -q -m testdata/house.yaml >"$dir/out"
		[ "$(count ambiguous "$dir/out")" -eq 100 ]
	done
}

# Of each twenty scans of a log three see something at $2 m in the middle of the
# view, a part $1 of it.
hide() {
	awk -v part="$1" -v at="$2" '$1 == "FLASER" && n++ % 20 >= 12 &&
		(n - 1) % 20 < 15 {
			for (i = 0; i < $2; i++)
				if (i >= $2 * (1 - part) / 2 &&
				    i < $2 * (1 + part) / 2 && $(i + 3) > at)
					$(i + 3) = at
		} { print }'
}

@test "whoever stands in front of it does not throw it off" {
	for part in 0.6 0.8 0.9; do
		for at in 0.6 1; do
			gunzip -c testdata/house.log.gz | hide $part $at |
				pb-localize -q -m testdata/house.yaml \
					--start truth |
				pb-bench --trajectory -e 'ate<=0.05' \
					-e 'wrong<=0' -e 'lost<=0' >/dev/null
		done
	done
	# Beams that each failed by chance would be somewhere else.
	run -4 pb-bench --trajectory -e 'ate<=0.5' <(
		gunzip -c testdata/house.log.gz | hide 0.8 0.6 |
			pb-localize -q -m testdata/house.yaml --start truth \
				--set mcl-obstacle=0)
}

@test "data: whoever stands in front of it, in a building" {
	[ -d $data/carmen ] || skip "no $data/carmen"
	for log in aces freiburg-101; do
		pb-mapgen -q --from-log -o "$dir/map.yaml" \
			"$data/carmen/$log-corrected.log.gz"
		gunzip -c "$data/carmen/$log-corrected.log.gz" | hide 0.8 0.6 |
			pb-localize -q -m "$dir/map.yaml" --start truth |
			pb-bench --trajectory -e 'ate<=0.06' -e 'wrong<=0' \
				>/dev/null
	done
}

@test "data: wheels that deny to drive backwards, in a building" {
	[ -d $data/carmen ] || skip "no $data/carmen"
	pb-mapgen -q --from-log --scans even -o "$dir/map.yaml" \
		"$data/carmen/freiburg-079-corrected.log.gz"
	follow freiburg-079 "$dir/map.yaml" 1
	jq -e '.wrong == 0 and .lost == 0 and .ambiguous < 0.03 and
	    .ate.rmse < 0.045 and .ate.max < 0.3' "$dir/out"
}

@test "a game's localizer takes its own options, and no other's" {
	local h=testdata/house.yaml d=$dir
	pb-bench -m $h -n 2 --localizer mcl --no-results \
		--vary mcl-particles=100,2000 >"$d/two"
	jq -se '.[0].constants == {"localizer": "mcl", "mcl-particles": 100} and
	    .[0].options != .[1].options and .[0].error_mean != .[1].error_mean' \
		"$d/two"
	# What is usual is no other experiment than if nobody says it.
	pb-bench -m $h -n 2 --localizer mcl --no-results >"$d/one"
	[ "$(jq -s '.[1].options' "$d/two")" = "$(jq .options "$d/one")" ]
	pb-bench -m $h -n 2 --localizer mcl --set mcl-particles=100 --no-results |
		jq -se --slurpfile t "$d/two" '.[0].options == $t[0].options and
		    .[0].error_mean == $t[0].error_mean'
	for r in "roomba --set limit=60" "zumy --set draw=200"; do
		for n in 2000 20; do
			pb-sim -r $r --motion drive -s 3 --localizer mcl \
				--set mcl-particles=$n |
				jq 'select(.type == "result").error_rms'
		done >"$d/errors"
		[ "$(sort -u "$d/errors" | wc -l)" -eq 2 ]
	done
	no='has no effect here, only with '
	for a in "pb-bench -m $h --set mcl-beams=20" \
		"pb-sim -m $h --localizer odom --set mcl-beams=20" \
		"pb-sim -r roomba --motion drive --set mcl-beams=20" \
		"pb-bench -r pacbot --motion drive --set particle-particles=3"; do
		run -2 $a -q
		[[ "${lines[0]}" == *"$no"* ]]
	done
	run -2 pb-bench -r localize --log testdata/house.log.gz -m $h --set 'mcl-beams=20 ghosts=2'
	[[ "${lines[0]}" == *"ghosts: "* ]]
	run -2 pb-bench -m $h --set mcl-slow=0.1
	[[ "${lines[0]}" == *"mcl-slow: a constant of the method mcl, not of pacmanbot" ]]
}
