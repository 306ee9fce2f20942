#!/usr/bin/env bats
# mazeloc.bats - pb-localize in mazes, on what pb-sim's sensors say.

load common

setup() {
	here
	set -o pipefail
}

# The first seconds of a game, as the robot's sensors tell it.
drive() { # OPTION ...
	pb-sim -r pacbot -s 2 -p flee --sensors tof4,odom,imu,camera "$@" |
		jq -c 'select(.type | IN("tick", "move") | not) |
		    select(.t == null or .t < 20)'
}

# Root mean square error (m) of estimates after the first second, how many
# there are, and how many say that they track.
errors() {
	jq -n -r 'reduce (inputs | select(.type == "pose")) as $p
	    ({n: 0, e: 0, k: 0};
	    if $p.source == "truth" then .at = $p
	    elif $p.t < 1 or $p.t != .at.t then .
	    else .n += 1 | .k += (if $p.status == "tracking" then 1 else 0 end) |
		.e += ($p.x - .at.x | . * .) + ($p.y - .at.y | . * .) end) |
	    "\(.e / .n | sqrt) \(.n) \(.k)"'
}
within() { # MOST N
	local e n k
	read -r e n k
	echo "error $e m of $n, $k tracking"
	awk "BEGIN { exit !($e < $1 && $n >= $2) }"
}

@test "every method for mazes follows the robot" {
	drive >"$dir/heard"
	pb-localize -a fuse --start truth "$dir/heard" | errors | within 0.002 400
	for m in cell-ray region corridor; do
		pb-localize -a $m --start truth "$dir/heard" | errors |
			within 0.04 400
	done
	sed -n 1,400p "$dir/heard" |
		pb-localize -a particle --set particle-particles=1000 |
		errors | within 0.04 100
}

@test "without a name, in a maze, it is fuse" {
	drive >"$dir/heard"
	pb-localize -a fuse "$dir/heard" >"$dir/want"
	pb-localize "$dir/heard" | cmp - "$dir/want"
}

@test "fuse: a late and wrong camera, lost and noisy readings" {
	drive --set camera-delay=15 --set camera-wrong=0.2 --set tof-fail=0.2 \
		--set tof-noise=0.03 | pb-localize -a fuse -g | errors |
		within 0.005 400
}

@test "fuse: started anywhere, without a camera, without odometry" {
	pb-sim -r pacbot -s 2 --sensors tof4,odom |
		pb-localize -a fuse -g | errors | within 0.003 400
	drive | jq -c 'select(.type != "odom")' |
		pb-localize -q -a fuse -g | errors | within 0.015 400
}

@test "all hypotheses and particles; same seed, same bytes" {
	drive | sed -n 1,60p >"$dir/heard"
	pb-localize -a region -g -b "$dir/heard" |
		jq -s -e 'map(select(.type == "belief")) | length > 5 and
		    all(.hypotheses | map(.weight) | add | . > 0.99 and . < 1.01)'
	set -- -a particle --set particle-particles=300 -b --particles 10
	pb-localize "$@" "$dir/heard" >"$dir/a"
	pb-localize "$@" "$dir/heard" | cmp - "$dir/a"
	! pb-localize "$@" -s 9 "$dir/heard" | cmp -s - "$dir/a"
	jq -s -e 'map(select(.type == "belief")) |
	    all(.particles | length == 10)' "$dir/a"
}

@test "a constant of a method implies it; a switch changes the answer" {
	drive | sed -n 1,300p >"$dir/heard"
	pb-localize --set cell-ray-far=1 "$dir/heard" >"$dir/a"
	pb-localize -a cell-ray --set cell-ray-far=1 "$dir/heard" |
		cmp - "$dir/a"
	! pb-localize -a cell-ray "$dir/heard" | cmp -s - "$dir/a"
}

@test "walls between cells are no walls for range sensors" {
	for m in fuse cell-ray region corridor particle; do
		run -1 --separate-stderr pb-localize -a $m -m roomba </dev/null
		[[ "$stderr" == *"nothing"* ]]
	done
}

@test "cells are as large as the maze says, or --cell" {
	pb-mapgen pacman | jq -c '.cell = 0.1' >"$dir/board"
	pb-sim -r pacbot -m "$dir/board" -p random --set lives=1 -s 2 \
		--sensors tof4,odom,imu,camera --set camera-cell=0.1 >"$dir/heard"
	pb-localize -a cell-ray "$dir/heard" >"$dir/a"
	pb-bench --trajectory -e 'ate<=0.04' "$dir/a"
	pb-localize -a cell-ray --cell 0.1 "$dir/heard" | cmp - "$dir/a"
	pb-localize -a cell-ray --cell 0.0889 "$dir/heard" |
		pb-bench --trajectory -e 'ate>0.05'
}

@test "sensors on another ring than the method's count from where they are" {
	pb-sim -q -r pacbot -s 3 --sensors tof4,odom,imu,camera --set tof-radius=0.03 >"$dir/ring"
	for m in fuse region cell-ray corridor; do
		pb-localize -q -a $m --start truth "$dir/ring" |
			pb-bench -q --trajectory -e 'ate<=0.03'
	done
	jq -c 'del(.radius)' "$dir/ring" | pb-localize -q -a region --start truth |
		pb-bench -q --trajectory -e 'ate>=0.03'
}
