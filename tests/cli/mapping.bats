#!/usr/bin/env bats
# Maps from logs: pb-mapgen --from-log, --against.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	PATH="$PWD/${O:-build}:$PATH"
	tmp=$BATS_TEST_TMPDIR
}

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
	} >"$tmp/log.jsonl"
	pb-mapgen --from-log -R 1 --margin 1 "$tmp/log.jsonl" >"$tmp/map"
	jq -e '.name == "log" and .resolution == 1 and .origin == [-1,-2,0]' \
		"$tmp/map"
	[ "$(jq -r '.rows[]' "$tmp/map")" = "??????
?#????
?.????
?...#?
?#????
??????" ]
	pb-mapgen --from-log -R 1 --margin 1 - <"$tmp/log.jsonl" | jq -c .rows |
		cmp - <(jq -c .rows "$tmp/map")
	pb-mapgen --from-log --poses estimate "$tmp/log.jsonl" --info |
		grep -q '^origin: \[7'
}

@test "no-return beams clear as far as is asked, returns beyond the range do" {
	{ pose 0 0.5; scan 0 "null,4"; scan 0 "null,4"; } >"$tmp/log"
	pb-mapgen --from-log -R 1 --margin 0 --clear 2 --range 3 "$tmp/log" |
		jq -e '.rows == [".??",".??",".??","..."]'
}

@test "scans are matched with poses by time" {
	{
		pose 0 0
		scan 0.25 1
		scan 9 1
		pose 1 4
	} >"$tmp/log"
	run --separate-stderr pb-mapgen --from-log -R 0.5 --margin 0 --gap 1 \
		--chances yes "$tmp/log"
	[ "$status" -eq 0 ]
	[[ $stderr == *"1 of 2 scans have no pose within 1 s"* ]]
	jq -e '.origin == [1,0.5,0] and .data == [35,35,85]' <<<"$output"
}

@test "even and odd scans share a log" {
	{ pose 0 0.5; scan 0 2; scan 0 4; scan 0 2; } >"$tmp/log"
	pb-mapgen --from-log -R 1 --margin 0 --scans even "$tmp/log" |
		jq -e '.rows == ["..#"]'
	pb-mapgen --from-log -R 1 --margin 0 --scans odd "$tmp/log" |
		jq -e '.width == 5'
}

@test "a log without scans, poses or returns is refused in one line" {
	: >"$tmp/empty"
	refuses "expected scan records, got none" 1 \
		pb-mapgen --from-log "$tmp/empty"
	scan 0 1 >"$tmp/log"
	refuses "none of 1 scans has a pose of robot (truth)" 1 \
		pb-mapgen --from-log "$tmp/log"
	refuses "no scan is left by --scans" 1 \
		pb-mapgen --from-log --scans odd "$tmp/log"
	{ pose 0 1; scan 0 null; } >"$tmp/log"
	refuses "no beam of 1 scans says anything" 1 \
		pb-mapgen --from-log "$tmp/log"
	refuses "No such file" 1 pb-mapgen --from-log "$tmp/lost"
}

@test "an absurd pose is named by its line; -k leaves its scan out" {
	{ pose 0 1; scan 0 1; pose 1 1e12; scan 1 1; } >"$tmp/log"
	refuses "log:4: scan: with pose (1e+12, 0.5), a side of the map" 1 \
		pb-mapgen --from-log "$tmp/log"
	run --separate-stderr pb-mapgen -k --from-log "$tmp/log"
	[ "$status" -eq 1 ]
	jq -e '.width > 0' <<<"$output"
	{ pose 0 1; scan 0 1; pose 1 1001.5; scan 1 1; } >"$tmp/log"
	refuses "more than 20000 cells" 1 pb-mapgen --from-log "$tmp/log"
}

@test "a line cut short is refused; with -k the map is of the others" {
	{ pose 0 1; scan 0 1; scan 0 1 | cut -c 1-40; } >"$tmp/log"
	refuses "log:3:" 1 pb-mapgen --from-log "$tmp/log"
	run --separate-stderr pb-mapgen -k --from-log "$tmp/log"
	[ "$status" -eq 1 ]
	jq -e .rows <<<"$output"
	{ pose 0 NaN; scan 0 1; } >"$tmp/log"
	refuses "log:1: pose.x: expected a number, got null or NaN" 1 \
		pb-mapgen --from-log "$tmp/log"
}

@test "--against counts the cells on which two maps agree" {
	pb-mapgen testdata/house.yaml --against testdata/house.yaml |
		grep -q '^equal: .* cells, 100.0 %$'
	pb-mapgen testdata/house.yaml --crop 0,0,5,8 \
		--against testdata/house.yaml >"$tmp/out"
	grep -q '^unknown, free: [1-9]' "$tmp/out"
	grep -q '^free, unknown: 0$' "$tmp/out"
	refuses "No such file" 1 pb-mapgen pacman --against "$tmp/lost.yaml"
}

data=../shared/data

@test "data: maps of real logs agree with those made by others" {
	[ -d $data/carmen ] || skip "no $data/carmen"
	while read -r log map least; do
		pb-mapgen -q --from-log --scans even \
			"$data/carmen/$log-corrected.log.gz" \
			--against "$data/maps/$map/$map.yaml" >"$tmp/out"
		cat "$tmp/out"
		awk -v least="$least" '/^equal/ { exit !($4 >= least) }' \
			"$tmp/out"
	done <<-END
		intel intel 95.5
		aces aces 95
	END
}
