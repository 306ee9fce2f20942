#!/usr/bin/env bats
# pb-pellets: the published set, options, commands, bad input.

load common

setup() { here; }

cmd() { echo "{\"type\":\"cmd\",\"name\":\"$1\",\"value\":${2:-null}}"; }

# A map record of the rows given, top row first.
map() {
	local rows=
	for r; do rows="$rows,\"$r\""; done
	echo "{\"type\":\"map\",\"resolution\":${R:-1},\"width\":${#1}," \
		"\"height\":$#,\"origin\":${ORIGIN:-[0,0,0]},\"rows\":[${rows#,}]}"
}

rooms() {
	map '#########' '#...#...#' '#...#...#' '#...#...#' '#########'
}

# An empty room of W x H cells within walls.
room() {
	local wall row
	wall=$(printf '%*s' "$1" '' | tr ' ' '#')
	row="#$(printf '%*s' $(($1 - 2)) '' | tr ' ' '.')#"
	local rows=("$wall")
	for ((i = 2; i < $2; i++)); do rows+=("$row"); done
	map "${rows[@]}" "$wall"
}

# Pellets of every set as [id, x, y, kind].
sets() {
	jq -c 'select(.type=="pellets") | [.pellets[] | [.id,.x,.y,.kind]]'
}
ids() { jq -c 'select(.type=="pellets") | [.pellets[].id]'; }

@test "the published house gives the published eight pellets" {
	d=../shared/data/maps/house
	[ -e $d/expected-pellets.json ] || skip "no $d"
	jq -c '[.pellets[] | [.id,.x,.y] | map(. * 1e6 | round)]' \
		$d/expected-pellets.json >"$dir/want"
	for opt in "" "--free-above 250"; do
		pb-pellets $opt -m $d/map_01.yaml |
			jq -c 'select(.type=="pellets") |
			    [.pellets[] | [.id,.x,.y] | map(. * 1e6 | round)]' |
			diff - "$dir/want"
	done
	pb-mapgen $d/map_01.yaml | pb-pellets | sets >"$dir/pipe"
	pb-pellets -m $d/map_01.yaml | sets | diff - "$dir/pipe"
}

@test "golden: the sample house" {
	pb-pellets -m testdata/house.yaml | grep '"pellets"' |
		diff - testdata/golden/pellets.jsonl
}

@test "corners, in raster order from the top, ids from 0" {
	run -0 --separate-stderr sets < <(rooms | pb-pellets --keep-unreachable)
	[ "$output" = '[[0,2,3,"pellet"],[1,6,3,"pellet"]]' ]
	run -0 --separate-stderr sets < <(room 9 9 | pb-pellets)
	[ "$output" = '[[0,2,7,"pellet"],[1,4,7,"pellet"],[2,6,7,"pellet"],[3,2,5,"pellet"],[4,4,5,"pellet"],[5,6,5,"pellet"],[6,2,3,"pellet"],[7,4,3,"pellet"],[8,6,3,"pellet"]]' ]
}

@test "centres honour the yaw, corners do not" {
	ORIGIN='[10,0,1.5707963267948966]'
	run -0 --separate-stderr sets < <(room 5 5 | pb-pellets --keep-unreachable)
	[ "$output" = '[[0,12,3,"pellet"]]' ]
	run -1 --separate-stderr pb-pellets < <(room 5 5)
	[ "$stderr" = 'pb-pellets: <stdin>:1: map: none of 1 pellets can be reached by a robot of radius 0.175 m; see --center' ]
	run -0 --separate-stderr sets < <(room 5 5 | pb-pellets --center)
	[ "$output" = '[[0,7.5,2.5,"pellet"]]' ]
}

@test "spacing and clearance in cells, rounded, halves to even, at least 1" {
	R=0.1
	# 0.25 m are 2.5 cells, so 2; 0.3 m are 3.
	run -0 --separate-stderr sets < <(room 9 9 |
		pb-pellets --clearance 0.25 --spacing 0.3)
	[ "$output" = '[[0,0.3,0.6,"pellet"]]' ]
	run -0 --separate-stderr ids < <(room 5 5 |
		pb-pellets --clearance 0 --spacing 0.01)
	[ "$output" = '[0]' ]
}

@test "what cannot be reached is left out and counted" {
	run -0 --separate-stderr sets < <(rooms | pb-pellets --reachable-from 6.5,2.5)
	[ "$output" = '[[0,6,3,"pellet"]]' ]
	run -0 --separate-stderr pb-pellets --reachable-from 6.5,2.5 < <(rooms)
	[ "$stderr" = 'pb-pellets: 1 of 2 pellets left out, out of reach from (6.5, 2.5)' ]
	run -0 --separate-stderr pb-pellets -q --reachable-from 6.5,2.5 < <(rooms)
	[ -z "$stderr" ]
}

@test "a start in a wall, outside, or too narrow is refused" {
	for at in 4.5,2.5 0,0 99,99; do
		run -1 --separate-stderr pb-pellets --reachable-from $at < <(rooms)
		[ -z "$output" ]
		[[ $stderr = "pb-pellets: <stdin>:1: map: a robot of radius 0.175 m does not fit at "* ]]
	done
	run -1 --separate-stderr pb-pellets --reachable-from 6.5,2.5 --robot-radius 5 < <(rooms)
	[ "$stderr" = 'pb-pellets: <stdin>:1: map: a robot of radius 5 m does not fit at (6.5, 2.5)' ]
}

@test "nothing to reach is refused" {
	run -1 --separate-stderr pb-pellets --reachable-from 1.5,5.5 < <(map '#######' '#.#####' \
		'#######' '###...#' '###...#' '###...#' '#######')
	[ -z "$output" ]
	[ "$stderr" = 'pb-pellets: <stdin>:1: map: none of 1 pellets can be reached from (1.5, 5.5)' ]
}

@test "what no robot reaches from the largest part is left out, unless it is kept" {
	hall() { map '###############' '#.........#...#' '#.........#...#' \
		'#.........#...#' '###############'; }
	run -0 --separate-stderr pb-pellets < <(hall)
	[ "$stderr" = 'pb-pellets: 1 of 5 pellets left out, out of reach by a robot of radius 0.175 m' ]
	[ "$(ids <<<"$output")" = '[0,1,2,3]' ]
	[ "$(hall | pb-pellets --keep-unreachable | ids)" = '[0,1,2,3,4]' ]
	run -2 pb-pellets --keep-unreachable --reachable-from 1,1 < <(hall)
	# A game on the map lays the same.
	pb-pellets -q < <(hall) | sets >"$dir/want"
	pb-sim --trace pellets < <(hall) 2>"$dir/err" | sets | head -n 1 |
		diff "$dir/want" -
	grep -Fxq 'pb-sim: 1 pellet is out of reach of the start and left out; --set keep-unreachable=yes keeps them' "$dir/err"
	run -0 --separate-stderr pb-bench -n 1 -p seed --no-results \
		--set keep-unreachable=yes -m <(hall)
	[[ $stderr == *"1 pellet is out of reach of the start; no round is complete without" ]]
}

@test "too small a map: the spacing that works is named" {
	R=0.05
	room 40 40 >"$dir/small"
	for t in "pb-sim -m" "pb-bench -n 1 -p seed --no-results -m"; do
		run -1 --separate-stderr $t "$dir/small"
		[[ $stderr == *"no place for a pellet with this spacing and clearance; --set spacing=0.5 lays 9" ]]
	done
	pb-sim -m "$dir/small" --set spacing=0.5 </dev/null | ids | head -n 1 |
		grep -Fx '[0,1,2,3,4,5,6,7,8]'
	run -1 --separate-stderr pb-pellets -m "$dir/small"
	[[ $stderr == *"no pellet fits with spacing 2 m and clearance 0.3 m; --spacing 0.5 lays 9" ]]
	[ "$(pb-pellets -m "$dir/small" --spacing 0.5 | ids)" = '[0,1,2,3,4,5,6,7,8]' ]
}

@test "count keeps pellets that lie far apart" {
	run -0 --separate-stderr sets < <(room 9 9 | pb-pellets -n 4)
	[ "$output" = '[[0,2,7,"pellet"],[1,6,7,"pellet"],[2,2,3,"pellet"],[3,6,3,"pellet"]]' ]
}

@test "remove and reset write the whole set after the command" {
	run -0 --separate-stderr pb-pellets --keep-unreachable < <(rooms
		echo '{"type":"cmd","t":3.5,"name":"remove_pellet","value":0}'
		cmd enable
		cmd reset_pellets)
	[ "${lines[2]}" = '{"type":"cmd","t":3.5,"name":"remove_pellet","value":0}' ]
	[ "${lines[3]}" = '{"type":"pellets","t":3.5,"pellets":[{"id":1,"x":6,"y":3,"kind":"pellet"}]}' ]
	[ "${lines[4]}" = "$(cmd enable)" ]
	[ "${lines[5]}" = "$(cmd reset_pellets)" ]
	[ "${lines[6]}" = "${lines[1]}" ]
	[ "${#lines[@]}" = 7 ]
}

@test "an empty set is written as such" {
	run -0 --separate-stderr ids < <( (rooms; cmd remove_pellet 0; cmd remove_pellet 1) |
		pb-pellets --keep-unreachable)
	[ "${lines[2]}" = '[]' ]
}

@test "an unknown pellet is refused, one that is gone is said" {
	run -1 --separate-stderr pb-pellets --keep-unreachable < <(rooms; cmd remove_pellet 2; cmd enable)
	[ "$stderr" = 'pb-pellets: <stdin>:2: cmd.value: no pellet 2; they are numbered 0 to 1' ]
	[ "${#lines[@]}" = 2 ]
	run -1 --separate-stderr pb-pellets -k --keep-unreachable < <(rooms; cmd remove_pellet -1
		cmd remove_pellet 1)
	[ "${#lines[@]}" = 4 ]
	run -1 --separate-stderr pb-pellets --keep-unreachable < <(rooms; cmd remove_pellet 0.5)
	[ "$stderr" = 'pb-pellets: <stdin>:2: cmd.value: expected the number of a pellet' ]
	run -1 --separate-stderr pb-pellets --keep-unreachable < <(rooms; cmd remove_pellet)
	run -0 --separate-stderr pb-pellets --keep-unreachable < <(rooms; cmd remove_pellet 0; cmd remove_pellet 0)
	[ "$stderr" = 'pb-pellets: <stdin>:3: warning: pellet 0 is gone already' ]
	[ "${#lines[@]}" = 5 ]
}

@test "a command before any map, or no map at all, is refused" {
	run -1 --separate-stderr pb-pellets < <(cmd remove_pellet 0)
	[ "$stderr" = 'pb-pellets: <stdin>:1: cmd: remove_pellet comes before any map' ]
	run -1 --separate-stderr pb-pellets </dev/null
	[[ $stderr = "pb-pellets: "*"expected a map record, got none" ]]
	run -1 --separate-stderr pb-pellets < <(cmd start)
	[ "$output" = "$(cmd start)" ]
}

@test "a map without a free cell, or without room for a pellet, is refused" {
	run -1 --separate-stderr pb-pellets < <(map '##?' '?##')
	[ "$stderr" = 'pb-pellets: <stdin>:1: map: no free cell' ]
	[ -z "$output" ]
	run -1 --separate-stderr pb-pellets < <(map '#.#' '...')
	[ "$stderr" = 'pb-pellets: <stdin>:1: map: no pellet fits with spacing 2 m and clearance 0.3 m' ]
	R=0.05
	run -1 --separate-stderr pb-pellets --clearance 1000 < <(room 9 9)
	[ -z "$output" ]
}

@test "a file that cannot be read is refused, nothing is written" {
	run -1 --separate-stderr pb-pellets -m "$dir/none.yaml"
	[ -z "$output" ]
	[[ $stderr = "pb-pellets: $dir/none.yaml: "* ]]
	[ "$(wc -l <<<"$stderr")" = 1 ]
	echo 'image: none.pgm' >"$dir/bad.yaml"
	run -1 --separate-stderr pb-pellets -m "$dir/bad.yaml"
	[ -z "$output" ]
	[ "$(wc -l <<<"$stderr")" = 1 ]
}

@test "a map file comes first; commands follow with -" {
	map '###' '#.#' '###' >"$dir/tiny.json"
	rooms >"$dir/rooms.json"
	run -0 --separate-stderr pb-pellets --keep-unreachable -m "$dir/rooms.json" \
		< <(cmd remove_pellet 1)
	[ "${#lines[@]}" = 2 ] # standard input is not read
	run -0 --separate-stderr pb-pellets --keep-unreachable -m "$dir/rooms.json" - \
		< <(cmd remove_pellet 1)
	[ "${#lines[@]}" = 4 ]
	[ "${lines[3]}" = '{"type":"pellets","pellets":[{"id":0,"x":2,"y":3,"kind":"pellet"}]}' ]
}

@test "what is not ours passes byte for byte; other pellets are replaced" {
	other='{ "type" : "odd",  "x":1.0000000001 }'
	run -0 --separate-stderr pb-pellets --keep-unreachable < <(echo "$other"; rooms
		echo '{"type":"pellets","pellets":[{"id":7,"x":0,"y":0}]}'
		echo "$other")
	[ "${lines[0]}" = "$other" ]
	[ "${lines[3]}" = "$other" ]
	[ "${#lines[@]}" = 4 ]
	[ "$stderr" = 'pb-pellets: 1 pellets records of the input left out' ]
}

@test "a later map gets a set of its own" {
	run -0 --separate-stderr ids < <( (rooms; cmd remove_pellet 0; room 5 5) | pb-pellets)
	[ "${lines[2]}" = '[0]' ]
	[ "${#lines[@]}" = 3 ]
}

@test "options out of range are refused before anything is read" {
	for opt in '--spacing 0' '--spacing nan' '--clearance -1' '-p -1' \
		'-n 1e3' '-r 1' '-r 1,x' '--pickup inf' '--nonsense'; do
		run -2 --separate-stderr pb-pellets $opt
		[ -z "$output" ]
		[ -n "$stderr" ]
	done
}

@test "more than a million pellets are refused" {
	R=0.001
	run -1 --separate-stderr pb-pellets --spacing 0.001 --clearance 0 \
		< <(awk 'BEGIN {
			printf "{\"type\":\"map\",\"resolution\":0.001,\"width\":1100," \
			    "\"height\":1100,\"origin\":[0,0,0],\"rows\":["
			for (i = 0; i < 1100; i++) row = row "."
			for (i = 0; i < 1100; i++) printf "%s\"%s\"", i ? "," : "", row
			print "]}" }')
	[ "$stderr" = 'pb-pellets: <stdin>:1: map: more than 1000000 pellets; make --spacing larger' ]
}

@test "a map file's traps are warned of, unless the pixel rule is given" {
	printf 'P2\n5 5\n255\n' >"$dir/m.pgm"
	printf '254 254 254 205 0\n%.0s' 1 2 3 4 5 >>"$dir/m.pgm"
	printf '%s: %s\n' image m.pgm resolution 1 origin '[0, 0, 0]' \
		free_thresh 0.25 occupied_thresh 0.65 negate 0 \
		>"$dir/m.yaml"
	run -0 --separate-stderr pb-pellets -m "$dir/m.yaml" \
		--clearance 1 --spacing 1
	[[ "$stderr" == *"would make 5 cells (20.0 %) of the unknown gray 205"* ]]
	run -0 --separate-stderr pb-pellets -m "$dir/m.yaml" \
		--clearance 1 --spacing 1 --free-above 250
	[ -z "$stderr" ]
}

@test "the pixel rule without pixels is a wrong command line" {
	run -2 --separate-stderr pb-pellets --free-above 250 </dev/null
	[[ "$stderr" == *"--free-above: "*"with --map"* ]]
	[ -z "$output" ]
}

@test "a turned map and pellets out of reach are told of" {
	ORIGIN='[0,0,0.7]' room 80 60 >"$BATS_TEST_TMPDIR/turned"
	run -0 --separate-stderr pb-pellets --keep-unreachable "$BATS_TEST_TMPDIR/turned"
	[[ $stderr == "pb-pellets: the map is turned by 0.7 rad, but not its pellets: see --center" ]]
	run -0 --separate-stderr pb-pellets --center "$BATS_TEST_TMPDIR/turned"
	[ -z "$stderr" ]
	told='2 pellets are out of reach of the start; no round is complete without'
	row='#......#......#'
	(map '###############' $row $row $row $row $row $row '###############' |
		jq -c '.name="apart"'
	echo '{"type":"pellets","pellets":[{"id":0,"x":2.5,"y":2.5},
	    {"id":1,"x":9.5,"y":2.5},{"id":2,"x":9.5,"y":4.5}]}' |
		tr -d '\n') >"$BATS_TEST_TMPDIR/apart"
	run -0 --separate-stderr pb-bench -n 2 -j 1 --set duration=30 --no-results \
		--start 1.5,1.5 --vary clyde-speed=0.1,0.2 "$BATS_TEST_TMPDIR/apart"
	[ "$stderr" = "pb-bench: map apart: $told" ]
	run -0 --separate-stderr pb-sim -a --trace none --set duration=30 \
		--start 1.5,1.5 "$BATS_TEST_TMPDIR/apart"
	[ "$stderr" = "pb-sim: $told" ]
}

@test "--map takes records as streams are: compressed, and long behind the map" {
	pb-mapgen $flat | head -n 1 >"$dir/m"
	pb-pellets -m "$dir/m" </dev/null >"$dir/want"
	gzip -c "$dir/m" >"$dir/m.gz"
	pb-pellets -m "$dir/m.gz" </dev/null | cmp - "$dir/want"
	pb-pellets -m - <"$dir/m" | cmp - "$dir/want"
	pb-pellets -m <(cat "$dir/m") </dev/null | cmp - "$dir/want"
	cp "$dir/m" "$dir/long"
	truncate -s 1G "$dir/long"
	pb-pellets -m "$dir/long" </dev/null | cmp - "$dir/want"
	printf '\n{"type":"tick"}\n{"type":"map"}\n' >"$dir/bad"
	run -1 --separate-stderr pb-pellets -m "$dir/bad" </dev/null
	[[ "$stderr" == "pb-pellets: $dir/bad:3: map."* ]]
	run -1 --separate-stderr pb-pellets -m <(cat "$dir/bad") </dev/null
	[[ "$stderr" == "pb-pellets: /dev/fd/"*":3: map."* ]]
	echo '{"type":"tick"}' >"$dir/none"
	run -1 --separate-stderr pb-pellets -m "$dir/none" </dev/null
	[ "$stderr" = "pb-pellets: $dir/none: expected a map or maze record, got none" ]
}

@test "a maze is no map, and that is what is said" {
	pb-mapgen zumy >"$dir/maze"
	for t in pb-pellets "pb-sim -r pacmanbot" pb-bench; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr $t "$dir/maze"
		[ "$stderr" = "${t%% *}: $dir/maze: expected a map record, got a maze, which has its pellets and rules of its own" ]
	done
}
