#!/usr/bin/env bats
# pb-bench -r localize: trials of localizers on a recorded drive.

load common

setup() {
	here
	log=testdata/house.log.gz
	map=testdata/house.yaml
}

bench() { pb-bench -q -r localize --log $log -m $map "$@"; }

@test "a robot switched on anywhere in the house is found; dead reckoning is lost" {
	bench -p mcl,odom -n 12 --set updates=25 -e 'mcl:success>=0.9' \
		-e 'mcl:wrong<=0' -e 'odom:lost>=1' >"$dir/out"
	jq -s -e 'map(select(.type == "result" and .policy == "mcl")) | length == 12 and
	    all(.updates == 25 and .error < 0.5 and .turn < 0.26 and
		.found >= 1 and .time <= .limit and
		.found_way >= 0 and .found_way <= .driven and
		(.found > 1 or .found_way == 0))' "$dir/out"
	jq -s -e 'map(select(.type == "result" and .policy == "odom")) |
	    all(.outcome == "lost" and (has("found") | not) and .time == .limit)' "$dir/out"
	jq -s -e 'map(select(.type == "comparison")) | length == 1' "$dir/out"
}

@test "near the truth dead reckoning holds for a while" {
	bench -p odom -n 10 --set protocol=track --set start-var=0.0001 \
		--set start-var-turn=0.0001 --set updates=5 -e 'success>=1' >"$dir/out"
	bench -p odom -n 10 --set protocol=kidnap --set start-var=0.0001 --set warm-up=2 \
		--set jump=3 --set start-var-turn=0.0001 --set updates=5 \
		-e 'success<=0' -e 'wrong>=0.9' >"$dir/out"
}

@test "trials of one stretch of the drive are no new ones" {
	short() { pb-bench -r localize --log $log -m $map -p odom --no-results "$@"; }
	run -0 --separate-stderr short --set updates=88 -n 20
	[ "$stderr" = "pb-bench: $log: warning: the drive has 1 different stretch of updates=88; 20 trials are not independent" ]
	jq -e '.distinct == 1' <<<"$output"
	run -0 --separate-stderr short --set updates=80 -n 90
	[ "$stderr" = "pb-bench: $log: warning: the drive has 9 different stretches of updates=80; 90 trials are not independent" ]
	jq -e '.distinct == 9' <<<"$output"
	run -0 --separate-stderr short --set updates=80 -n 9
	[ -z "$stderr" ]
	pb-bench -q -r localize -m pacman -p odom -n 2 --set maze-updates=20 --no-results |
		jq -e 'has("distinct") | not'
}

@test "a jump that the drive has no room for" {
	kidnap() { bench -p odom --set protocol=kidnap --set warm-up=5 --set updates=30 "$@"; }
	run -1 --separate-stderr kidnap -n 1 --set jump=100
	[ "$stderr" = "pb-bench: $log: no two places of the drive are jump=100 m apart" ]
	[ -z "$output" ]
	run -0 --separate-stderr pb-bench -r localize --log $log -m $map -p odom -n 9 \
		--set 'protocol=kidnap warm-up=5 updates=30 jump=7' --no-results
	grep -Ex 'pb-bench: warning: map house, trial [0-9]: no place of the drive is jump=7 m from where the robot was; it was carried [3-6]\.[0-9]* m, to the farthest' <<<"$stderr"
}

@test "the same bytes for any number of threads; shards make a whole" {
	bench -p mcl -n 4 --set updates=6 -j 1 >"$dir/a"
	bench -p mcl -n 4 --set updates=6 -j 4 | cmp - "$dir/a"
	for i in 1 2; do bench -p mcl -n 4 --set updates=6 --shard $i/2; done |
		grep '"result"' | sort >"$dir/b"
	grep '"result"' "$dir/a" | sort | cmp - "$dir/b"
	pb-bench -q --from "$dir/a" | grep '"summary"' |
		cmp - <(grep '"summary"' "$dir/a")
}

@test "options of trials tell them apart" {
	one() { bench -p odom -n 1 --set updates=5 --no-results "$@" |
		jq -r 'select(.type == "summary").options'; }
	[ "$(one)" != "$(one --set near=1)" ]
	[ "$(one)" != "$(one --scans odd)" ]
	[ "$(one)" = "$(one -j 2)" ]
}

@test "a table without pellets" {
	bench -p odom -n 4 --set updates=5 --table >"$dir/out"
	grep -q '^odom localizes in [0-9.]* % of 4 trials (.*)\.$' "$dir/out"
	grep -q '^localize, house, 4 trials, ' "$dir/out"
	run ! grep -q pellets "$dir/out"
}

@test "records and other logs are drives too" {
	pb-localize -q --convert $log >"$dir/records"
	bench -p odom -n 3 --set updates=5 | jq -c 'del(.options, .map_hash)' >"$dir/a"
	pb-bench -q -r localize --log "$dir/records" -m $map -p odom -n 3 \
		--set updates=5 | jq -c 'del(.options, .map_hash)' >"$dir/b"
	[ "$(jq -c '[.outcome, .trial]' "$dir/a")" = "$(jq -c '[.outcome, .trial]' "$dir/b")" ]
}

@test "a drive of the simulator is a drive" {
	pb-sim -q -a -m $map -p seed -s 3 --sensors lidar,odom >"$dir/drive"
	pb-bench -q -r localize --log "$dir/drive" -m $map -n 4 -p mcl,odom \
		--no-results -e 'mcl:success>=1' -e 'mcl:wrong<=0' -e 'odom:success<=0' >"$dir/a"
}

@test "what is refused" {
	run -2 --separate-stderr pb-bench -r localize -m $map
	[[ "${stderr_lines[0]}" == "pb-bench: -r localize: expected --log FILE, "* ]]
	run -2 pb-bench -r localize -m $map --scans odd
	run -2 --separate-stderr bench -p nobody
	[[ $stderr == *"expected some of mcl, "* ]]
	run -2 bench --set odom-rot-rot=1
	for args in "--set mcl-blind=3" "--set protocol=kidnap" "--scans odd" \
		"--log x" "--set near=1" "--set maze-noise=0"; do
		# shellcheck disable=SC2086 # words
		run -2 pb-bench -r localize --from $args </dev/null
		[ -z "${lines[2]:-}" ]
	done
	run -2 pb-bench --log $log -m $map
	run -2 pb-bench --set updates=3 -m $map
	run -2 bench --reference x
	run -1 --separate-stderr bench --set updates=89
	[ "$stderr" = "pb-bench: $log: expected at least 89 scans, got 88; see updates" ]
	pb-localize -q --convert $log | grep -v truth >"$dir/blind"
	run -1 --separate-stderr pb-bench -r localize --log "$dir/blind" -m $map
	[ "$stderr" = "pb-bench: $dir/blind: expected a pose with source truth at every scan" ]
	run -1 --separate-stderr pb-bench -r localize --log $log -m "$dir/none.yaml"
	[[ $stderr == "pb-bench: $dir/none.yaml: "* ]]
	# It is no maze.
	run -1 --separate-stderr pb-bench -r localize --log $log -m random-house
	[ "$stderr" = "pb-bench: random-house: cannot open: No such file or directory" ]
	[ -z "$output" ]
}

# In mazes: a board by its name, a drive of its own for each trial.
maze() { pb-bench -q -r localize --set 'protocol=track maze-updates=300' "$@"; }

@test "all methods for mazes side by side; fuse is ahead" {
	maze -p cell-ray,region,corridor,particle,fuse,odom -n 3 --set maze-late=5 \
		--set maze-wrong=0.05 --set particle-particles=500 \
		-e 'fuse:error_mean<=0.002' -e 'fuse:wrong_cell<=0.01' \
		-e 'fuse:wrong_updates<=0' -e 'fuse:updates>=300' \
		-e 'odom:error_mean>=0.002' >"$dir/out"
	jq -s -e 'map(select(.type == "summary")) | length == 6 and
	    (map({(.policy): .error_rms}) | add | . as $e |
		all(del($e.fuse)[]; . > 2 * $e.fuse)) and
	    all(has("error_mean_lo") | not)' "$dir/out"
	jq -s -e 'map(select(.type == "result")) | length == 18 and
	    all(.updates == 300 and .error_mean <= .error_rms)' "$dir/out"
	pb-bench -q --from "$dir/out" | grep '"summary"' |
		cmp - <(grep '"summary"' "$dir/out")
}

@test "in mazes: the same bytes for any number of threads, shards, resumed" {
	maze -p fuse,region -n 6 -j 1 >"$dir/a"
	maze -p fuse,region -n 6 -j 3 | cmp - "$dir/a"
	for i in 1 2; do maze -p fuse,region -n 6 --shard $i/2; done |
		grep '"result"' | sort >"$dir/b"
	grep '"result"' "$dir/a" | sort | cmp - "$dir/b"
	maze -p fuse,region -n 6 --resume "$dir/r" >"$dir/c"
	head -n 5 "$dir/r" >"$dir/torn"
	maze -p fuse,region -n 6 --resume "$dir/torn" | cmp - "$dir/c"
	cmp "$dir/r" "$dir/torn"
	grep -v '"result"' "$dir/a" | cmp - "$dir/c"
}

@test "every option of drives and methods counts, and tells trials apart" {
	one() { maze -p fuse,region -n 1 "$@" |
		jq -c 'select(.type == "result") | del(.options)'; }
	one >"$dir/a"
	for o in "maze-noise 0.1" "maze-late 9" "maze-wrong 0.3" "maze-drop 0.5" \
		"maze-sensors 8" "maze-radius 0.05" "maze-reach 0.3" \
		"maze-block 0.1" "maze-every 0" "maze-off 0.3" "maze-motor 0.5" \
		"maze-bias 0.2" "maze-wheels no" "maze-heading 0.3" \
		"maze-compass 0.1" "maze-speed 1" "maze-period 0.03" \
		"maze-warm-up 7" "maze-updates 200" "maze-near 0.001" \
		"protocol kidnap" "fuse-radius 0.05" \
		"region-radius 0.05" "seed 2"; do
		run ! cmp -s <(one --${o% *} ${o#* }) "$dir/a"
	done
	run ! cmp -s <(one --set maze-block=0.1 --set maze-block-for=2) <(one --set maze-block=0.1)
	hash() { maze -p fuse -n 1 --no-results "$@" | jq -r .options; }
	[ "$(hash --set fuse-delay=9)" != "$(hash)" ]
	[ "$(hash --set maze-late=9)" != "$(hash)" ]
	[ "$(hash -j 2)" = "$(hash)" ]
}

@test "constants of methods count on maps too" {
	one() { bench -p mcl -n 2 --set updates=5 --no-results "$@" |
		jq -c 'select(.type == "summary") | [.options, .error_mean]'; }
	[ "$(one --set mcl-particles=600)" != "$(one)" ]
	[ "$(one --set mcl-sigma=0.2 | jq '.[1]')" != "$(one | jq '.[1]')" ]
	run -2 --separate-stderr bench -p mcl --set odom-drift=1
	[ "${stderr_lines[0]}" = "pb-bench: --set: odom-drift: a constant of the method odom, not of localize, localize on maps, the method mcl" ]
}

@test "a board from a file or by name; what is refused in mazes" {
	pb-mapgen outer >"$dir/outer"
	maze -n 1 -m "$dir/outer" >"$dir/a"
	maze -n 1 -m outer | cmp - "$dir/a"
	jq -s -e '.[0].policy == "fuse" and .[0].map == "outer"' "$dir/a"
	run -2 --separate-stderr maze -p fuse,mcl
	[ "${stderr_lines[0]}" = "pb-bench: --policy: methods for maps and methods for mazes do not go together" ]
	run -2 --separate-stderr maze -p fuse --set near=1
	[ "${stderr_lines[0]}" = "pb-bench: --set: near: has no effect here, only with place not maze" ]
	run -2 maze -p fuse --set updates=3
	run -2 maze -p fuse --log $log
	run -2 maze -p fuse --houses 2
	run -2 maze -p mcl -m $map
	run -1 --separate-stderr maze -n 1 -p fuse -m roomba
	[ "$stderr" = "pb-bench: map roomba: walls between cells are tape, which no sensor sees" ]
	run -1 maze -n 1 -p fuse -m $map
}

@test "a table of a maze's trials" {
	COLUMNS=500 maze -p fuse,odom -n 2 --table=all >"$dir/out"
	grep -q '^player.*error mm' "$dir/out"
	grep -q '^player.* wrong cell %' "$dir/out"
}
