#!/usr/bin/env bats
# sensors.bats - what pb-sim --sensors writes, and that games stay the same.

load common

setup() {
	here
	set -o pipefail
}

# What came of sensors, and what did not.
sensed() {
	jq -c 'select((.type | IN("scan", "odom", "fix")) or .id == "truth")' "$@"
}
others() {
	jq -c 'select((.type | IN("scan", "odom", "fix") | not) and .id != "truth")' \
		"$@"
}
refused() { # LINE ARG ...
	local st=0 line=$1
	shift
	pb-sim -q "$@" </dev/null >"$dir/out" 2>"$dir/err" || st=$?
	echo "status $st: $(cat "$dir/err")"
	[ "$st" -eq 2 ] && [ ! -s "$dir/out" ] &&
		[ "$(head -n 1 "$dir/err")" = "pb-sim: $line" ]
}

@test "the game is the same with and without sensors, byte for byte" {
	for r in "-r pacmanbot -a -m $flat" "-r pacbot -p flee --set lives=1"; do
		pb-sim $r -s 3 | others >"$dir/without"
		pb-sim $r -s 3 --sensors lidar,odom,imu,camera \
			--set 'lidar-beams=8 imu-walk=0.1' >"$dir/all"
		others "$dir/all" | cmp - "$dir/without"
		[ "$(sensed "$dir/all" | jq -r .type | sort -u | tr '\n' ' ')" = \
			"fix odom pose scan " ]
	done
	pb-sim -a -s 3 $flat | jq -e -s 'all(.type | IN("scan", "odom", "fix") | not)'
}

@test "so are the games of roomba and zumy, on the grid and with bodies" {
	for r in "roomba --set limit=60" "roomba --set limit=25 --motion drive" \
		"zumy --set draw=200" "zumy --set draw=200 --motion drive"; do
		pb-sim -r $r -s 3 | jq -c . >"$dir/without"
		pb-sim -r $r -s 3 --sensors tof8,odom,imu,camera >"$dir/all"
		others "$dir/all" | cmp - "$dir/without"
		[ "$(sensed "$dir/all" | jq -r .type | sort -u | tr '\n' ' ')" = \
			"fix odom pose scan " ]
		pb-sim -r $r -s 3 --sensors tof8,odom,imu,camera |
			cmp - "$dir/all"
	done
}

@test "sensors see walls between cells, and the edge of a board" {
	# Pac-Man starts above a wall, looks up, and drives to the left.
	scan() {
		pb-sim -r roomba --set ghosts=0 -p greedy --set limit=1 --sensors tof4 \
			--set 'tof-noise=0 tof-unit=0 tof-radius=0 tof-max=9' "$@" |
			jq -c 'select(.type == "scan").ranges |
				map(. / 0.43 * 16 | round)' | tail -n 1
	}
	grid=$(scan)
	echo "$grid"
	# 16 map cells a cell: 7 to a wall between two cells.
	jq -e -n --argjson r "$grid" '$r[1] == 7 or $r[3] == 7'
	[ "$(pb-sim -r zumy --set patrols=0 --set draw=1 --sensors tof4 --set tof-noise=0 \
		--set tof-unit=0 --set tof-radius=0 | jq -c 'select(.type == "scan").ranges |
		map(. / 0.14 * 2 | round)' | sed -n 1p)" = "[1,3,3,1]" ]
}

@test "the robot of a board is where its game has it" {
	# On the grid a cell a tick, in the middle of cells.
	pb-sim -r roomba --set lives=2 -s 3 --sensors odom --set wheel-bias=0 >"$dir/out"
	jq -s -e '[.[] | select(.id == "truth") | [.x, .y] |
			map(. / 0.43 - 0.5 | (. * 1e4 | round) / 1e4)] as $at |
		[.[] | select(.type == "tick").bodies[0] | [.col, 10 - .row]] |
		. == $at' "$dir/out"
	# With bodies as the poses that are written of him.
	for r in "pacman roomba --set limit=200" \
		"player zumy -p astar --set draw=2000"; do
		set -- $r
		pb-sim -r "${@:2}" --motion drive -s 3 --sensors odom --rate 1000 \
			--set wheel-period=0 >"$dir/out"
		jq -s -e --arg id $1 '
			[.[] | select(.id == "truth") | [.t, .x, .y, .theta]] ==
			[.[] | select(.type == "pose" and .id == $id) |
				[.t, .x, .y, .theta]]' "$dir/out"
	done
}

@test "same seed, same bytes; another, others" {
	for r in "-a -m $flat --set lidar-beams=8 --sensors lidar,odom,camera" \
		"-r pacbot -p flee --set lives=1 --sensors tof8,odom,camera"; do
		pb-sim $r -s 4 >"$dir/a"
		pb-sim $r -s 4 | cmp - "$dir/a"
		! pb-sim $r -s 5 | cmp -s - "$dir/a"
	done
}

@test "sensors draw from streams of their own" {
	pb-sim -r pacbot -p flee --set lives=1 --sensors tof4 |
		jq -c 'select(.type == "scan")' >"$dir/alone"
	pb-sim -r pacbot -p flee --set lives=1 --sensors odom,imu,tof4,camera \
		--set camera-wrong=0.5 | jq -c 'select(.type == "scan")' |
		cmp - "$dir/alone"
}

@test "the true pose comes first, then odometry, then scan and fix" {
	pb-sim -a -m $flat --sensors camera,lidar,odom --set lidar-beams=4 \
		--set wheel-period=9 --trace none >"$dir/out"
	sensed "$dir/out" | jq -s -e '
		group_by(.t) | all(map(.type) |
			. == ["pose", "odom", "scan"] or
			. == ["pose", "odom", "fix"] or
			. == ["pose", "odom"] or
			. == ["pose", "odom", "scan", "fix"])'
	# Scans every 0.15 s, fixes every 0.1 s; the first at 0.
	[ "$(jq -c 'select(.type == "scan").t' "$dir/out" | sed -n 1,4p |
		tr '\n' ' ')" = "0 0.15 0.3 0.45 " ]
	[ "$(jq -c 'select(.type == "fix").t' "$dir/out" | sed -n 1,4p |
		tr '\n' ' ')" = "0 0.1 0.2 0.3 " ]
}

@test "a lidar sees the walls of the map, through unknown cells" {
	map='{"type":"map","resolution":1,"width":7,"height":5,"origin":[0,0,0],"rows":["#######","#.....#","#......","#.....#","#######"]}'
	scan() {
		echo "$map" | sed "$1" | pb-sim -q --start 2.5,2.5 --sensors lidar \
			--set 'lidar-beams=4 lidar-first=0 lidar-noise=0' \
			--set 'clyde-clearance=0 clearance=0 spacing=1' "${@:2}" |
			jq -c 'select(.type == "scan").ranges' | sed -n 1p
	}
	[ "$(scan '')" = "[null,1.5,1.5,1.5]" ]
	[ "$(scan 's/#\.\.\.\.\.\."/#....??"/')" = "[null,1.5,1.5,1.5]" ]
	[ "$(scan '' --set lidar-max=1.4)" = "[null,null,null,null]" ]
	[ "$(scan '' --set lidar-min=1.6)" = "[null,null,null,null]" ]
}

@test "in the maze sensors measure from the rim to the eroded walls" {
	# Pac-Man starts at row 23 of 31, column 13: walls up and down.
	set -- -r pacbot -p greedy --set lives=1 --sensors tof4 --set tof-noise=0 \
		--set tof-unit=0
	pb-sim "$@" >"$dir/out"
	jq -s -e 'map(select(.type == "scan"))[0].ranges |
		[.[1], .[3]] | all(. > 0.02285 and . < 0.02287)' "$dir/out"
	jq -s -e 'map(select(.id == "truth"))[0] |
		[.x, .y, .theta] == [1.20015, 0.66675, 0]' "$dir/out"
	# Held another way the same sensors see other walls.
	pb-sim "$@" --heading 1.5707963267948966 >"$dir/turned"
	a=$(jq -c 'select(.type == "scan").ranges | [.[1], .[2], .[3], .[0]]' \
		"$dir/out" | sed -n 1p)
	b=$(jq -c 'select(.type == "scan").ranges' "$dir/turned" | sed -n 1p)
	[ "$a" = "$b" ]
}

@test "the robot drives from cell to cell at the game's pace" {
	pb-sim -r pacbot -p greedy --set lives=1 --sensors camera --set camera-cell=0 \
		--set 'camera-period=0.001 ticks-per-cell=6' >"$dir/out"
	# A step is a sixth of a cell, or none, or life begins anew.
	jq -s -e '[.[] | select(.id == "truth")] |
		[range(1; length) as $i |
			((.[$i].x - .[$i - 1].x) | fabs) +
			((.[$i].y - .[$i - 1].y) | fabs)] |
		all(. < 0.0149) and (max > 0.0148)' "$dir/out"
	# Without faults the camera tells the truth.
	jq -s -e '[.[] | select(.type == "fix") | [.t, .x, .y]] ==
		[.[] | select(.id == "truth") | [.t, .x, .y]]' "$dir/out"
}

@test "failed sensors are errors, not missing walls" {
	pb-sim -r pacbot -p greedy --set lives=1 --sensors tof4 --set tof-fail=1 |
		jq -s -e 'map(select(.type == "scan")) | length > 10 and
			all(.ranges == [null,null,null,null] and
				.errors == [0,1,2,3])'
	pb-sim -r pacbot -p greedy --set lives=1 --sensors tof4 |
		jq -s -e 'map(select(.type == "scan")) | all(has("errors") | not)'
}

@test "odometry: bias, and a heading of its own" {
	drive() {
		pb-sim -r pacbot -p flee -s 4 --set lives=1 --sensors odom,imu \
			--set 'wheel-spread=0 wheel-trans-trans=0' --heading 0.5 "$@" |
			jq -s '[.[] | select(.type == "odom" or .id == "truth")] |
				(map(select(.type == "odom")) |
					.[-1] | [.x, .y, .theta]) as $o |
				(map(select(.type == "pose")) as $p |
					[$p[-1].x - $p[0].x, $p[-1].y - $p[0].y]) as $d |
				[$o[0] / $d[0], $o[1] / $d[1], $o[2]] |
				map(. * 1000 | round / 1000)' -c
	}
	[ "$(drive --set wheel-bias=0)" = "[1,1,0.5]" ]
	[ "$(drive --set wheel-bias=0.04)" = "[1.04,1.04,0.5]" ]
	[ "$(drive --set wheel-bias=-0.25)" = "[0.75,0.75,0.5]" ]
	[ "$(drive --set wheel-bias=0 --set imu-drift=0.01)" != "[1,1,0.5]" ]
}

@test "a camera is late, wrong and silent as told" {
	run_camera() {
		pb-sim -r pacbot -p flee -s 4 --set lives=1 --sensors camera "$@" |
			jq -c 'select(.type == "fix") | [.t, .x, .y]'
	}
	run_camera >"$dir/now"
	run_camera --set camera-late=0.5 >"$dir/late"
	# Half a second later the same, cut at the end of the game.
	n=$(wc -l <"$dir/late")
	[ "$n" -gt 10 ] && [ "$n" -lt "$(wc -l <"$dir/now")" ]
	jq -c '.[1:]' "$dir/now" | head -n "$n" >"$dir/a"
	jq -c '.[1:]' "$dir/late" | cmp - "$dir/a"
	jq -e '.[0] >= 0.5' "$dir/late" >/dev/null
	[ "$(run_camera --set camera-drop=1 | wc -l)" -eq 0 ]
	run_camera --set camera-wrong=1 | paste -d ' ' - "$dir/now" |
		jq -s -e '[range(0; length / 2) as $i | .[2 * $i:2 * $i + 2] |
			((.[0][1] - .[1][1]) | fabs) + ((.[0][2] - .[1][2]) | fabs)] |
			all(. > 0.0888 and . < 0.089)'
}

@test "what makes no sense is refused" {
	list="lidar, tof4, tof8, odom, imu, camera, separated by commas"
	refused "--sensors: expected some of $list, got \"radar\"" --sensors radar
	refused "--sensors: expected some of $list, got \"odom,\"" --sensors odom,
	refused "--sensors: expected one of lidar, tof4 and tof8" \
		--sensors tof4,lidar
	refused "--sensors: imu only with odom" --sensors imu
	refused "--set: lidar-beams: a constant of sensors (--sensors), not of pacmanbot" --set lidar-beams=9
	refused "--set: lidar-max: expected more than lidar-min" --sensors lidar \
		--set lidar-min=3 --set lidar-max=3
	refused "--set: camera-late: expected at most 254 camera-period" \
		--sensors camera --set camera-late=26
	refused "--heading: only with --sensors" -r pacbot --heading 1
	refused "--heading: only with the rules pacbot" \
		--sensors odom --heading 1
	for r in roomba zumy; do
		refused "--heading: only with the rules pacbot" \
			-r $r --sensors tof4 --heading 1
	done
	refused "--sensors: only with a match" -r pacbot --sensors tof4 --replay
}

@test "a full disk and a closed pipe end a game with sensors" {
	for r in pacbot roomba zumy; do
		st=0
		pb-sim -r $r --sensors tof8 >/dev/full 2>"$dir/err" || st=$?
		[ "$st" -eq 3 ]
		grep -x "pb-sim: <stdout>: cannot write: No space left on device" "$dir/err"
	done
	pb-sim -a -m $flat --sensors lidar 2>"$dir/err" | head -n 1 >/dev/null || true
	[ ! -s "$dir/err" ]
}

# Root mean square and largest error (m) of estimates that are said to hold,
# and their share: of the records on stdin, truth before estimate.
errors() {
	jq -n -r '[foreach (inputs | select(.type == "pose" and
			(.id == "truth" or .source == "estimate"))) as $p ({};
			if $p.id == "truth" then .t = $p else . end;
			if $p.id == "truth" then empty
			else [$p.status, (($p.x - .t.x) * ($p.x - .t.x) +
				($p.y - .t.y) * ($p.y - .t.y) | sqrt)] end)] |
		map(select(.[0] == "tracking")[1]) as $e |
		"\($e | map(. * .) | add / length | sqrt) \($e | max) " +
		"\(($e | length) / length)"'
}

@test "what sensors say on a map is enough to know the place" {
	read -r rms max part < <(pb-sim -a -m testdata/house.yaml -s 7 \
		--sensors lidar,odom | pb-localize -q --start truth | errors)
	echo "$rms $max $part"
	awk "BEGIN { exit !($rms < 0.03 && $max < 0.1 && $part > 0.9) }"
}

@test "what sensors say in a maze is enough, with any heading" {
	for h in 0 -1.5707963267948966; do
		read -r rms max part < <(pb-sim -r pacbot -p flee -s 3 --set lives=1 \
			--heading $h --sensors tof4,odom,imu,camera --set camera-late=0.2 |
			pb-localize -q -a fuse | errors)
		echo "$rms $max $part"
		awk "BEGIN { exit !($rms < 0.01 && $max < 0.05 && $part > 0.9) }"
	done
}

@test "what sensors say on a roomba board is enough: mcl sees its walls" {
	for m in grid drive; do
		read -r rms max part < <(pb-sim -r roomba --motion $m -s 1 \
			--set limit=60 --sensors lidar,odom |
			pb-localize -q --start truth | errors)
		echo "$rms $max $part"
		awk "BEGIN { exit !($rms < 0.03 && $max < 0.1 && $part > 0.5) }"
	done
}

@test "scans and fixes are drawn, by a localizer's pose if there is one" {
	{
		echo '{"type":"map","resolution":1,"width":9,"height":3,"origin":[0,0,0],"rows":[".........",".........","........."]}'
		echo '{"type":"pose","t":1,"id":"truth","x":1.5,"y":1.5,"source":"truth"}'
		echo '{"type":"scan","t":1,"id":"robot","angle_min":0,"angle_increment":1,"radius":1,"ranges":[2]}'
	} >"$dir/in"
	draw() { # the columns (m) of what is drawn
		pb-mapgen --render --style ascii --hide axes,legend \
			--width 72 "$@" | grep t | sed 's/ *$//' |
			awk '{ for (i = 1; i <= length($0); i++)
				if ((c = substr($0, i, 1)) != " ")
					printf "%s%d ", c, (i - 1) / 8 }'
	}
	[ "$(draw "$dir/in")" = 't1 "4 ' ]
	echo '{"type":"pose","t":1,"id":"robot","x":3.5,"y":1.5,"source":"estimate"}' >>"$dir/in"
	echo '{"type":"fix","t":1,"x":0.5,"y":1.5}' >>"$dir/in"
	[ "$(draw "$dir/in")" = 'f0 t1 >3 "6 ' ]
	pb-mapgen --png "$dir/a.png" "$dir/in"
	pb-mapgen --png "$dir/b.png" "$dir/in"
	cmp "$dir/a.png" "$dir/b.png"
}

# Ends [x, y] of the beams that are shorter at 0.4 s than in an empty house.
short_beams() { # SENSORS ARG ...
	local how="-q -a -s 2 --set duration=1 --trace obstacle --sensors $1
		$dir/house"
	local exact=(--set 'tof-period=0.2 tof-noise=0 tof-unit=0 tof-max=9')
	[ "$1" != lidar ] || exact=(--set 'lidar-noise=0 lidar-period=0.2')
	pb-sim $how "${exact[@]}" >"$dir/empty"
	pb-sim $how "${exact[@]}" "${@:2}" >"$dir/full"
	jq -c -s --slurpfile e "$dir/empty" '
		def at(x): map(select(.t == 0.4 and (x)))[0];
		at(.type == "scan") as $s | at(.id == "truth") as $p |
		($e | at(.type == "scan").ranges) as $far |
		range($s.ranges | length) as $i |
		($s.ranges[$i] // 99) as $d |
		select($d < ($far[$i] // 99) - 1e-6) |
		($p.theta + $s.angle_min + $i * $s.angle_increment) as $a |
		($d + ($s.radius // 0)) as $d |
		[$p.x + $d * ($a | cos), $p.y + $d * ($a | sin)]' "$dir/full"
}

# How many ends there are, and how many off the rims of what stands about;
# people have walked for a step, 1.3 m/s at most, since that was told.
on_rims() { # KIND
	jq -c -s --arg kind "$1" --slurpfile t "$dir/full" '
		def side(at): at as $v | . - ($v | min), . - ($v | max) |
			fabs < 1e-3;
		def rim(p): p as $p | if $kind == "box" then
				any(.[0] | side($p | map(.[0])); .) or
				any(.[1] | side($p | map(.[1])); .)
			else
				[.[0] - ($p | map(.[0]) | add / length),
				 .[1] - ($p | map(.[1]) | add / length)] |
				map(. * .) | add | sqrt - 0.25 | fabs < 0.066
			end;
		[$t[] | select(.type == "obstacle" and .t == 0.4 and
			(.id | startswith($kind))).points] as $o |
		[length, (map(select(. as $e | any($o[]; . as $p |
			$e | rim($p)) | not)) | length)]'
}

@test "sensors see boxes and people that stand about" {
	pb-mapgen random-house -s 3 >"$dir/house"
	for s in lidar tof8; do
		for w in "box --set clutter=30" "person --set people=15"; do
			set -- $w
			short_beams $s "${@:2}" >"$dir/ends"
			got=$(on_rims $1 <"$dir/ends")
			echo "$s $w: $got"
			jq -n -e --argjson n "$got" '$n[0] > 0 and $n[1] == 0'
		done
	done
}
