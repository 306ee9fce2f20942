#!/usr/bin/env bats
# Maps from logs: pb-mapgen --from-log.

load terminal

setup() { here; }

pose() { # T X
	echo "{\"type\":\"pose\",\"t\":$1,\"id\":\"robot\",\"x\":$2,\"y\":0.5}"
}
scan() { # T RANGES
	echo "{\"type\":\"scan\",\"t\":$1,\"id\":\"robot\",\"angle_min\":0,\"angle_increment\":1.5707963267948966,\"ranges\":[$2]}"
}

# Refused with one line that holds $1.
refuses() { # PATTERN STATUS COMMAND...
	local want=$1 status_want=$2
	shift 2
	run --separate-stderr "$@"
	[ "$status" -eq "$status_want" ]
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"$want"* ]] || { echo "$stderr"; false; }
}

@test "a map grows from poses and scans, records of others are not in it" {
	{
		pose 0 0.5 | sed 's/"x"/"source":"truth","x"/'
		scan 0 "3,2,null,1"
		echo '{"type":"pose","t":0,"id":"clyde","x":9,"y":9}'
		echo '{"type":"pose","t":0,"id":"robot","source":"estimate","x":8,"y":8}'
		scan 0 "3,2,null,1"
	} >"$dir/log.jsonl"
	pb-mapgen --from-log -R 1 --set margin=1 "$dir/log.jsonl" >"$dir/map"
	jq -e '.name == "log" and .resolution == 1 and .origin == [-1,-2,0]' \
		"$dir/map"
	[ "$(jq -r '.rows[]' "$dir/map")" = "??????
?#????
?.????
?...#?
?#????
??????" ]
	pb-mapgen --from-log -R 1 --set margin=1 - <"$dir/log.jsonl" | jq -c .rows |
		cmp - <(jq -c .rows "$dir/map")
	pb-mapgen --from-log --poses estimate "$dir/log.jsonl" --info |
		grep -q '^origin: \[7'
}

@test "the body truth of a simulated game is where the robot is" {
	{ pose 0 0.5 | sed 's/robot/truth/'; scan 0 2; } >"$dir/log"
	pb-mapgen --from-log -R 1 --set margin=0 "$dir/log" |
		jq -e '.rows == ["??#"]'
	refuses "none of 1 scans is one of other and" 1 \
		pb-mapgen --from-log --body other "$dir/log"
}

@test "no-return beams clear as far as is asked, returns beyond the range do" {
	{ pose 0 0.5; scan 0 "null,4"; scan 0 "null,4"; } >"$dir/log"
	pb-mapgen --from-log -R 1 --set 'margin=0 clear=2 range=3' "$dir/log" |
		jq -e '.rows == [".??",".??",".??","..."]'
}

@test "scans are matched with poses by time" {
	{
		pose 0 0
		scan 0.25 1
		scan 9 1
		pose 1 4
	} >"$dir/log"
	run --separate-stderr pb-mapgen --from-log -R 0.5 --set margin=0 \
		--set gap=1 --set chances=yes "$dir/log"
	[ "$status" -eq 0 ]
	[[ $stderr == *"ignoring 1 of 2 scans without pose within 1 s"* ]]
	jq -e '.origin == [1,0.5,0] and .data == [35,35,85]' <<<"$output"
}

@test "even and odd scans share a log" {
	{ pose 0 0.5; scan 0 2; scan 0 4; scan 0 2; } >"$dir/log"
	pb-mapgen --from-log -R 1 --set margin=0 --scans even "$dir/log" |
		jq -e '.rows == ["..#"]'
	pb-mapgen --from-log -R 1 --set margin=0 --scans odd "$dir/log" |
		jq -e '.width == 5'
}

@test "a log without scans, poses or returns is refused in one line" {
	: >"$dir/empty"
	refuses "expected scan records, got none" 1 \
		pb-mapgen --from-log "$dir/empty"
	scan 0 1 >"$dir/log"
	refuses "none of 1 scans has a pose of robot (truth)" 1 \
		pb-mapgen --from-log "$dir/log"
	refuses "none of 1 scans is one of robot and taken by --scans" 1 \
		pb-mapgen --from-log --scans odd "$dir/log"
	{ pose 0 1; scan 0 null; } >"$dir/log"
	refuses "no beam of 1 scans has a range" 1 pb-mapgen --from-log "$dir/log"
	refuses "No such file" 1 pb-mapgen --from-log "$dir/lost"
}

@test "an absurd pose is named by its line; -k leaves its scan out" {
	{ pose 0 1; scan 0 1; pose 1 1e12; scan 1 1; } >"$dir/log"
	refuses "log:4: scan: with pose (1e+12, 0.5), a side of the map" 1 \
		pb-mapgen --from-log "$dir/log"
	run --separate-stderr pb-mapgen -k --from-log "$dir/log"
	[ "$status" -eq 1 ]
	jq -e '.width > 0' <<<"$output"
	{ pose 0 1; scan 0 1; pose 1 1001.5; scan 1 1; } >"$dir/log"
	refuses "more than 20000 cells" 1 pb-mapgen --from-log "$dir/log"
}

@test "a line cut short is refused; with -k the map is of the others" {
	{ pose 0 1; scan 0 1; scan 0 1 | cut -c 1-40; } >"$dir/log"
	refuses "log:3:" 1 pb-mapgen --from-log "$dir/log"
	run --separate-stderr pb-mapgen -k --from-log "$dir/log"
	[ "$status" -eq 1 ]
	jq -e .rows <<<"$output"
	{ pose 0 NaN; scan 0 1; } >"$dir/log"
	refuses "log:1: pose.x: expected a number, got NaN" 1 \
		pb-mapgen --from-log "$dir/log"
}

@test "--merge makes one map of its parts, in any place and order" {
	house=testdata/house.yaml
	pb-mapgen -q $house --crop=-100,-100,1,100 -o "$dir/west.yaml"
	pb-mapgen -q $house --crop=1,-100,100,0.5 -o "$dir/southeast.yaml"
	pb-mapgen -q $house --crop=0.5,0,100,100 -o "$dir/northeast.yaml"
	cd "$dir"
	for parts in "west southeast northeast" "northeast west southeast"; do
		# shellcheck disable=SC2086 # words
		set -- $parts
		pb-mapgen -q "$1.yaml" --merge "$2.yaml" --merge "$3.yaml" \
			-o whole.yaml
		pb-mapgen whole.yaml >whole
		pb-mapgen "$OLDPWD/$house" >house
		python3 "$OLDPWD/tests/cli/agree.py" whole house |
			grep -x "equal: [0-9]* cells, 100.0 %"
	done
	[ "$(pb-mapgen -q west.yaml --merge southeast.yaml --trim | jq .width)" \
		-gt "$(pb-mapgen -q west.yaml --trim | jq .width)" ]
	run -1 --separate-stderr pb-mapgen -q west.yaml --merge none.yaml
	[ -z "$output" ]
	[ "$stderr" = \
		"pb-mapgen: none.yaml: cannot open: No such file or directory" ]
	sed 's/^origin:.*/origin: [90000, 0, 0]/' southeast.yaml >far.yaml
	run -1 --separate-stderr pb-mapgen -q west.yaml --merge far.yaml
	[ -z "$output" ]
	[ "$stderr" = "pb-mapgen: far.yaml: the two maps together are more than 20000 cells a side" ]
}

data=../shared/data

@test "data: maps of real logs agree with those made by others" {
	[ -d $data/carmen ] || skip "no $data/carmen"
	while read -r log map least; do
		pb-mapgen -q --from-log --scans even \
			"$data/carmen/$log-corrected.log.gz" >"$dir/map"
		pb-mapgen -q "$data/maps/$map/$map.yaml" >"$dir/other"
		python3 tests/cli/agree.py "$dir/map" "$dir/other" >"$dir/out"
		cat "$dir/out"
		awk -v least="$least" '/^equal/ { exit !($4 >= least) }' \
			"$dir/out"
	done <<-END
		intel intel 95
		aces aces 95
	END
}

# A robot in a box of 6 by 4 m goes two steps; its wheels say a bit more.
box() {
	awk 'BEGIN {
		for (i = 0; i < 3; i++) {
			x = 2 + 0.5 * i
			printf "{\"type\":\"odom\",\"t\":%d,\"x\":%g,\"y\":0,\"theta\":0}\n", i, 0.55 * i
			printf "{\"type\":\"pose\",\"t\":%d,\"x\":%g,\"y\":1.5,\"theta\":0}\n", i, x
			printf "{\"type\":\"scan\",\"t\":%d,\"angle_min\":-3.1,\"angle_increment\":0.02,\"range_max\":9,\"ranges\":[", i
			for (k = 0; k < 310; k++) {
				c = cos(-3.1 + 0.02 * k)
				s = sin(-3.1 + 0.02 * k) + 1e-9
				a = c > 0 ? (6 - x) / c : -x / c
				b = s > 0 ? 2.5 / s : -1.5 / s
				printf "%s%.4f", k ? "," : "", a < b ? a : b
			}
			print "]}"
		}
	}'
}

@test "--slam finds the poses, --align lays them on those of the log" {
	box >"$dir/log"
	run --separate-stderr pb-mapgen --from-log --slam --align \
		--trajectory "$dir/way" "$dir/log" --info
	[ "$status" -eq 0 ]
	[[ $stderr == *"3 scans, 3 key scans, 0 without a match"* ]]
	[[ $stderr == *"3 poses of the log, off by 0.00"* ]]
	jq -e -s 'map(.source == "estimate" and .t == ([0,1,2][.t])) | all' \
		"$dir/way"
	jq -e -s '(.[2].x - 3 | fabs) < 0.01 and (.[2].y - 1.5 | fabs) < 0.01' \
		"$dir/way"
}

# A scanner repeats scan $1 up to scan $2, every other time longer by $3.
frozen() {
	pb-localize -q --convert testdata/house.log.gz |
		jq -cn --argjson a "$1" --argjson b "$2" --argjson more "$3" '
		foreach inputs as $r ({n: 0};
			.r = $r | if $r.type != "scan" then . else
				.n += 1
				| if .n <= $a then .last = $r.ranges else . end
				| if .n > $a and .n <= $b then
					(.n % 2 * $more) as $m
					| .r.ranges = (.last | map(. + $m))
				  else . end
			end; .r)'
}

@test "--slam of what cannot be matched says so" {
	{
		echo '{"type":"odom","t":0,"x":0,"y":0,"theta":0}'
		scan 9 1
	} >"$dir/log"
	refuses "no scan has odometry of its time" 1 \
		pb-mapgen --from-log --slam "$dir/log"
	{ box; box | sed 's/"x":0.55,/"x":1e9,/'; } >"$dir/log"
	refuses "slam: a step of the odometry would need" 1 \
		pb-mapgen -q --from-log --slam "$dir/log"
	: >"$dir/empty"
	refuses "expected scan records" 1 pb-mapgen --from-log --slam "$dir/empty"
	# The scanner repeats a scan, a bit changed, for half of the way.
	frozen 44 88 0.001 >"$dir/log"
	refuses "slam: odometry contradicts" 1 pb-mapgen -q --from-log --slam "$dir/log"
	jq -c 'if .type == "odom" then .x = 0 | .y = 0 | .theta = 0 else . end' \
		"$dir/log" >"$dir/still"
	refuses "of one place" 1 pb-mapgen -q --from-log --slam "$dir/still"
	frozen 1 88 0 >"$dir/log"
	refuses "repeat the first" 1 pb-mapgen -q --from-log --slam "$dir/log"
	# Without odometry nobody knows how wrong a map is.
	box | jq -c 'select(.type != "odom")' >"$dir/log"
	refuses "slam: expected odometry" 1 \
		pb-mapgen -q --from-log --slam --force "$dir/log" -o "$dir/m.yaml"
	[ ! -e "$dir/m.yaml" ]
	box >"$dir/log"
	refuses "cannot write" 3 pb-mapgen -q --from-log --slam "$dir/log" \
		--trajectory /dev/full --info
}

@test "data: poses found in real logs are near those found by others" {
	[ -d $data/carmen ] || skip "no $data/carmen"
	while read -r log scans most; do
		pb-mapgen --from-log --slam --force --scans "$scans" --trajectory "$dir/way" \
			"$data/carmen/$log-corrected.log.gz" --info 2>"$dir/err"
		cat "$dir/err"
		awk -v most="$most" '/off by/ {
			for (i = 1; i < NF; i++)
				if ($i == "by")
					ok = $(i + 1) <= most
		} END { exit !ok }' "$dir/err"
	done <<-END
		aces even 0.15
		freiburg-101 odd 0.1
		intel even 0.15
		seattle even 0.1
	END
}

@test "--slam leaves out what a scanner repeats while odometry moves" {
	for to in 54 70; do
		frozen 44 $to 0 >"$dir/log"
		pb-mapgen --from-log --slam "$dir/log" --info 2>"$dir/err"
		grep -q 'scans that repeat the previous one while odometry moves' "$dir/err"
		grep -o 'off by [0-9.]* m and' "$dir/err" | awk '{ exit !($3 < 0.1) }'
	done
}

# The robot is carried past the scans from $1 up to $2 of a log, and its wheels
# do not know.
carried() {
	pb-localize -q --convert testdata/house.log.gz | jq -c -n --argjson a "$1" --argjson b "$2" '
		def wrap: . - 2 * 3.141592653589793 * ((. + 3.141592653589793) / (2 * 3.141592653589793) | floor);
		foreach inputs as $r ({n: 0};
			.out = null
			| if $r.type == "scan" then .n += 1 else . end
			| if .n <= $a then .last = (if $r.type == "odom" then $r else .last end) | .out = $r
			  elif .n <= $b then .
			  elif $r.type == "odom" then
				(.from // $r) as $f | .from = $f | .last as $l
				| (($l.theta - $f.theta) | cos) as $c | (($l.theta - $f.theta) | sin) as $s
				| .out = ($r | .x = $l.x + $c * ($r.x - $f.x) - $s * ($r.y - $f.y)
					| .y = $l.y + $s * ($r.x - $f.x) + $c * ($r.y - $f.y)
					| .theta = ($r.theta + $l.theta - $f.theta | wrap))
			  else .out = $r end;
			.out // empty)'
}

# Few key scans, where what is found does not matter to the centimetre.
few='--set key-step=0.6 --set key-turn=0.6'

@test "--slam of a robot that was carried says so, and writes when it must" {
	carried 20 70 >"$dir/log"
	refuses "slam: the map falls into 2 pieces" 1 \
		pb-mapgen -q --from-log --slam "$dir/log" -o "$dir/m.yaml"
	[ ! -e "$dir/m.yaml" ]
	pb-mapgen -q --from-log --slam --force $few "$dir/log" -o "$dir/m.yaml"
	[ -s "$dir/m.yaml" ]
}

# Every $1-th scan of a simulated drive.
thinned() {
	pb-localize -q --convert testdata/house.log.gz | jq -c -n --argjson n "$1" '
		foreach inputs as $r (-1; if $r.type == "scan" then . + 1 else . end;
			if $r.type != "scan" or . % $n == 0 then $r else empty end)'
}

@test "--slam of thinned drives is right, or is refused" {
	for n in 3 6; do
		thinned $n >"$dir/log"
		pb-mapgen --from-log --slam "$dir/log" --info 2>"$dir/err"
		grep -o 'off by [0-9.]* m and' "$dir/err" | awk '{ exit !($3 < 0.15) }'
	done
}

# A drive through a hall of $1 by $2 m and back: the lidar reaches 8 m, the
# wheels are off by 3 %.
hall() {
	jq -c -n --argjson l "$1" --argjson w "$2" '
		def noise($k): ($k * 12.9898 | sin) * 43758.5453 | . - floor - 0.5;
		(($l - 3) / 0.25) as $n
		| range(2 * $n | floor) as $i
		| ([$i, 2 * $n - $i] | min) as $at
		| {x: (1.5 + 0.25 * $at), y: ($w / 2 + 0.1 * ($i | sin))} as $p
		| (if $i < $n then 0 else 3.141592653589793 end) as $th
		| {type: "odom", t: $i, x: ($p.x * 1.03), y: $p.y, theta: $th},
		{type: "pose", t: $i, x: $p.x, y: $p.y, theta: $th, source: "truth"},
		{type: "scan", t: $i, angle_min: -1.5707,
		 angle_increment: 0.03490658503988659, range_max: 8,
		 ranges: [range(91) as $b
			| $th - 1.5707 + $b * 0.03490658503988659
			| [((if cos > 0 then $l - $p.x else -$p.x end) / cos),
				((if sin > 0 then $w - $p.y else -$p.y end) / sin)]
			| min + 0.02 * noise($i * 91 + $b)
			| if . < 8 then . * 1000 | round | . / 1000 else null end]}'
}

@test "--slam tells the expected deformation, and refuses a corridor alike all along" {
	pb-mapgen --from-log --slam testdata/house.log.gz 2>"$dir/err" >"$dir/map"
	said=$(sed -n 's/.*slam: expected deformation \([0-9.]*\) m (.*/\1/p' "$dir/err")
	jq -e --argjson said "$said" '.deformation > 0.005 and .deformation < 0.05
		and (.deformation - $said | fabs) < 0.001' "$dir/map"
	pb-mapgen "$dir/map" -o "$dir/kept.yaml"
	pb-mapgen --trim --coarsen 2 "$dir/kept.yaml" |
		jq -e --argjson said "$said" '.deformation - $said | fabs < 0.001'
	[ "$(pb-mapgen --info "$dir/kept.yaml" | grep deformation)" = "deformation: $said m" ]
	sed -i 's/^deformation:.*/deformation: -1/' "$dir/kept.yaml"
	refuses "kept.yaml:8: deformation: expected a number of at least 0" 1 \
		pb-mapgen --info "$dir/kept.yaml"
	pb-mapgen --from-log testdata/house.log.gz | jq -e 'has("deformation") | not'
	hall 7 5 >"$dir/log"
	pb-mapgen -q --from-log --slam "$dir/log" | jq -e '.deformation < 0.15'
	hall 40 2.4 >"$dir/log"
	refuses "slam: expected deformation 0" 1 \
		pb-mapgen -q --from-log --slam "$dir/log" -o "$dir/m.yaml"
	[ ! -e "$dir/m.yaml" ]
	pb-mapgen -q --from-log --slam --force "$dir/log" | jq -e '.deformation > 0.15'
}

@test "pictures show the way that --slam found, loops and where to doubt it" {
	signs() { # OPTION... - the signs of the legend
		LC_ALL=C pb-mapgen -q --from-log --slam --render --png "$dir/way.svg" \
			"$@" >"$dir/out"
		tail -n 2 "$dir/out" |
			grep -oE 'trail|loop closed|way cut|step( [a-z]+)+' |
			paste -sd, -
	}
	[ "$(signs testdata/house.log.gz)" = "trail,loop closed" ]
	# Three loops, each a line with two ends.
	[ "$(python3 tests/cli/svg.py "$dir/way.svg" | grep '^green.* dashed' | head -n 1 |
		grep -o M | wc -l)" -eq 3 ]
	carried 15 75 >"$dir/log"
	[ "$(signs --force $few "$dir/log")" = "trail,way cut" ]
	# What is refused is drawn, and nothing else is written.
	rm "$dir/way.svg"
	run --separate-stderr pb-mapgen --from-log --slam $few --png "$dir/way.svg" \
		--trajectory "$dir/way" "$dir/log"
	[ "$status" -eq 1 ]
	[[ "${stderr_lines[-1]}" == *"slam: the refused map is drawn, but not written" ]]
	[ -s "$dir/way.svg" ]
	[ ! -e "$dir/way" ]
	LC_ALL=C pb-mapgen -q --from-log --slam --force $few --render \
		"$dir/log" >"$dir/out"
	grep -q '/ way cut' "$dir/out"
	# Wheels that miss a turn, and scans without returns.
	pb-localize -q --convert testdata/house.log.gz | jq -c '
		if .type == "odom" and .t > 30 then .theta += 0.8
		elif .type == "scan" and .t > 55 and .t < 57 then .ranges |= map(0)
		else . end' >"$dir/log"
	[ "$(signs $few "$dir/log")" = "trail,loop closed,step the wheels deny,step by the wheels alone" ]
}

@test "--slam shows how far it is on a terminal only, a signal ends it" {
	needs_terminal
	slam="pb-mapgen --from-log --slam --set rounds=100 -o $dir/m.yaml testdata/house.log.gz"
	[ "$(tty "$slam" 'wait:/88 scans, .*left' kill:SIGINT ends same)" = SIGINT ]
	[ "$(tty "$slam" 'wait:/88 scans, 5' 'type:\x03' ends same)" = SIGINT ]
	[ ! -e "$dir/m.yaml" ]
	slam="pb-mapgen --from-log --slam -o $dir/m.yaml testdata/house.log.gz"
	[ "$(tty "$slam" ends)" = 0 ]
	grep -q 'off by' "$dir/screen"
	[ "$(tty "$slam -q" ends)" = 0 ]
	[ ! -s "$dir/screen" ]
	$slam 2>"$dir/err"
	run ! grep -q 'left' "$dir/err"
}

@test "ranges that begin on a ring of sensors are measured from its middle" {
	pb-sim -q -r pacbot -s 3 --sensors tof4,odom,imu | head -n 9000 >"$dir/ring"
	jq -c 'if .type == "scan" then .radius as $r | del(.radius) |
	    .range_max += $r | .ranges |= map(if . then . + $r else . end) else . end' \
		"$dir/ring" >"$dir/middle"
	for i in ring middle; do
		pb-mapgen -q --from-log --resolution 0.02 "$dir/$i" | jq -c 'del(.name)' >"$dir/$i.map"
	done
	cmp "$dir/ring.map" "$dir/middle.map"
	jq -c 'del(.radius)' "$dir/ring" >"$dir/without"
	run ! cmp -s <(pb-mapgen -q --from-log --resolution 0.02 "$dir/without" |
		jq -c 'del(.name)') "$dir/ring.map"
}

@test "the corner of a grown map is told without the dust of arithmetic" {
	pb-mapgen -q --from-log testdata/house.log.gz | pb-mapgen --info - |
		grep -Fx 'origin: [-5.55, -4.55, 0]'
}
