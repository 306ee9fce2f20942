#!/usr/bin/env bats
# pb-ghost: the golden, time, commands, states, bad input.

load common

setup() {
	here
	err=$dir/err
}

# Poses of a ghost as "t x y" lines.
poses() {
	jq -r 'select(.type == "pose" and .id == "'"${1:-clyde}"'") |
	    "\(.t) \(.x) \(.y)"'
}

# A record: cmd NAME [VALUE] [T], state NAME T, at T
cmd() { echo "{\"type\":\"cmd\",\"t\":${3:-0},\"name\":\"$1\",\"value\":$2}"; }
state() { echo "{\"type\":\"state\",\"t\":$2,\"state\":\"$1\"}"; }
at() { echo "{\"type\":\"fix\",\"t\":$1,\"x\":0,\"y\":0}"; }

# One free room of 3 x 3 cells: one cell for Clyde.
cell() {
	echo '{"type":"map","resolution":0.25,"width":3,"height":3,' \
	    '"origin":[0,0,0],"rows":["...","...","..."]}'
}

@test "golden: eight seconds of Clyde" {
	pb-ghost -s 7 --ticks 40 $flat | tail -n +2 |
		diff - testdata/golden/ghost.jsonl
}

@test "a minute is 300 poses, whichever way it is said" {
	[ "$(pb-ghost -b clyde -s 7 --duration 60 <$flat | poses | wc -l)" = 300 ]
	[ "$(pb-ghost --ticks 300 $flat | poses | wc -l)" = 300 ]
	[ "$( (cat $flat; at 0; at 60) | pb-ghost | poses | wc -l)" = 300 ]
	[ "$(pb-ghost -d 9 -n 7 $flat | poses | wc -l)" = 7 ]
}

@test "same seed, same bytes; other seed or trial, other Clyde" {
	pb-ghost -s 3 -n 50 $flat >"$dir/a"
	pb-ghost -s 3 -n 50 $flat | cmp - "$dir/a"
	run ! cmp -s <(pb-ghost -s 4 -n 50 $flat) "$dir/a"
	run ! cmp -s <(pb-ghost -s 3 -t 1 -n 50 $flat) "$dir/a"
}

@test "stamps on stdin and a free run give the same ghost" {
	(cat $flat; at 0; seq 0.05 0.05 10 | while read -r t; do at "$t"; done) |
		pb-ghost -s 9 | poses >"$dir/a"
	pb-ghost -s 9 -d 10 $flat | poses | diff - "$dir/a"
	[ "$(wc -l <"$dir/a")" = 50 ]
}

@test "ticks are multiples of the period wherever the stream begins" {
	run -0 bash -c "(cat $flat; echo '{\"type\":\"fix\",\"t\":17.31,\"x\":0,\"y\":0}'
		echo '{\"type\":\"fix\",\"t\":17.65,\"x\":0,\"y\":0}') | pb-ghost -o none |
		jq -c 'select(.type==\"pose\").t'"
	[ "$output" = $'17.4\n17.6' ]
}

@test "-m reads the map and writes it on" {
	pb-ghost -s 5 -n 20 $flat >"$dir/a"
	pb-ghost -s 5 -n 20 -m $flat </dev/zero | cmp - "$dir/a"
}

@test "other lines pass byte for byte, his own old records do not" {
	(cat $flat; printf '%s\n' '{ "type" : "mystery", "z":1.50 }' '' \
		'{"type":"pose","t":0,"id":"robot","x":1.0,"y":2,"theta":0}' \
		'{"type":"pose","t":0,"id":"clyde","x":1.0,"y":2,"theta":0}' \
		'{"type":"obstacle","t":0,"id":"clyde","x":1,"y":2,"radius":1}'
	) >"$dir/in"
	pb-ghost <"$dir/in" | diff - <(head -n 4 "$dir/in")
}

@test "he never goes faster than told, nor into a wall" {
	(cat $flat; cmd speed 0.5; at 0; at 100) | pb-ghost -s 2 | poses |
	awk '{ if (NR > 1) { d = sqrt(($2-x)^2 + ($3-y)^2); n += d > 0.09
			if (d > 0.100002) bad++ }
		x = $2; y = $3 }
		$2 < -1 + 0.3 || $2 > 7 - 0.3 || $3 < -2 + 0.3 || $3 > 4 - 0.1 { bad++ }
		END { exit bad || NR != 500 || n < 400 }'
}

@test "he moves in the state running only" {
	(cat $flat; state menu 0; at 2; state ' RUNNING ' 2; at 4; state dying 4; at 6) |
		pb-ghost --set spawn=main | poses >"$dir/a"
	[ "$(sed -n 1,10p "$dir/a" | cut -d' ' -f2- | sort -u | wc -l)" = 1 ]
	[ "$(sed -n 11,20p "$dir/a" | cut -d' ' -f2- | sort -u | wc -l)" -gt 8 ]
	[ "$(sed -n 20,30p "$dir/a" | cut -d' ' -f2- | sort -u | wc -l)" = 1 ]
}

@test "--wait holds him until enable, disable stops him" {
	(cat $flat; at 0; cmd enable null 1; cmd disable null 2; at 3) |
		pb-ghost -w --set spawn=main | poses | cut -d' ' -f2- | uniq -c |
		awk '{ n[NR] = $1 } END { exit n[1] < 5 || NR < 5 || NR > 6 || n[NR] < 6 }'
}

@test "spawn is remembered over resets, reset shows him at once" {
	run -0 --separate-stderr bash -c "(cat $flat
		echo '{\"type\":\"cmd\",\"t\":0,\"name\":\"spawn\",\"value\":[6.12,-1.38]}'
		echo '{\"type\":\"state\",\"t\":0,\"state\":\"running\"}'
		echo '{\"type\":\"fix\",\"t\":3,\"x\":0,\"y\":0}'
		echo '{\"type\":\"cmd\",\"t\":3,\"name\":\"reset_ghosts\"}') |
		pb-ghost -w | jq -c 'select(.type==\"pose\")'"
	[ "${lines[0]}" = '{"type":"pose","t":0,"id":"clyde","x":6.1,"y":-1.4,"theta":0}' ]
	[ "${#lines[@]}" = 17 ]
	[ "${lines[15]}" != "${lines[0]}" ]
	[ "${lines[16]}" = '{"type":"pose","t":3,"id":"clyde","x":6.1,"y":-1.4,"theta":0}' ]
}

@test "--set spawn=chooses the part he appears on" {
	# The closet without a door: x beyond 5.6, y below -0.8.
	n=$(for s in $(seq 100); do pb-ghost -s $s -n 1 -w $flat; done |
		poses |
		awk '$2 > 5.6 && $3 < -0.8 { n++ } END { print n + 0 }')
	[ "$n" -ge 1 ] && [ "$n" -le 10 ]
	pb-ghost -n 1 -w --spawn-near 6.2,-1.3 $flat | poses |
		awk '{ exit !($2 > 5.6 && $3 < -0.8) }'
	run -2 pb-ghost --set spawn=near $flat
	[[ "$output" == *"--spawn-near X,Y is missing"* ]]
}

@test "commands for another ghost pass without effect" {
	(cat $flat; at 0; echo '{"type":"cmd","t":0,"id":"red","name":"disable"}'
	at 4) | pb-ghost -s 3 | poses | diff - <(pb-ghost -s 3 -d 4 $flat | poses)
	(cat $flat; at 0; echo '{"type":"cmd","t":0,"id":"clyde","name":"disable"}'
	at 4) | pb-ghost -s 3 | poses | cut -d' ' -f2- | uniq | wc -l | grep -qx 1
}

@test "obstacle: nine points, a disc, none" {
	[ "$(pb-ghost -n 1 $flat | jq -c 'select(.type=="obstacle").points|length')" = 9 ]
	run -0 bash -c "pb-ghost -n 1 -o disc --set clyde-radius=0.3 $flat |
		jq -c 'select(.type==\"obstacle\")|[.radius,has(\"points\")]'"
	[ "$output" = '[0.3,false]' ]
	[ "$(pb-ghost -n 5 -o none $flat | grep -c obstacle)" = 0 ]
}

@test "two maps are two games" {
	pb-ghost -s 3 -d 4 $flat | poses >"$dir/a"
	(cat $flat; at 0; at 4; cat $flat; at 0; at 4) | pb-ghost -s 3 | poses |
		diff - <(cat "$dir/a" "$dir/a")
}

@test "an unknown behaviour lists the known ones" {
	run -2 --separate-stderr pb-ghost -b blinky $flat
	[ -z "$output" ]
	[[ "${stderr_lines[0]}" == *'expected one of clyde|roomba|patrol|arcade, got "blinky"'* ]]
}

@test "no map, no time: said" {
	run -1 pb-ghost </dev/null
	[ "$output" = "pb-ghost: <stdin>: expected a map record, got none" ]
	run -0 --separate-stderr pb-ghost $flat
	[[ "$stderr" == *"nothing moved"* ]]
	run -0 --separate-stderr pb-ghost -q $flat
	[ -z "$stderr" ]
}

@test "no cell for Clyde is refused, with the place" {
	run -1 --separate-stderr pb-ghost --set clyde-clearance=9 -n 5 $flat
	[ -z "$output" ]
	[ "$stderr" = "pb-ghost: $flat:1: map: no free cell for clyde (clyde-clearance is 9 m)" ]
}

@test "a spawn in a wall is refused: option, and record at its line" {
	run -1 --separate-stderr pb-ghost --spawn-at 1.1,2.2 -n 5 $flat
	[ -z "$output" ]
	[ "$stderr" = "pb-ghost: $flat:1: --spawn-at: clyde at (1.1, 2.2): in a wall or outside the map" ]
	run -1 --separate-stderr bash -c "(cat $flat
		echo '{\"type\":\"cmd\",\"name\":\"spawn\",\"value\":[99,0]}') | pb-ghost -w"
	[ "$stderr" = "pb-ghost: <stdin>:2: cmd.value: clyde at (99, 0): in a wall or outside the map" ]
	[ "${#lines[@]}" = 1 ]
}

@test "spawn while he runs and speed 0 are ignored with a warning" {
	run -0 --separate-stderr bash -c "(cat $flat
		echo '{\"type\":\"cmd\",\"name\":\"spawn\",\"value\":[6.1,-1.4]}'
		echo '{\"type\":\"cmd\",\"name\":\"speed\",\"value\":0}') | pb-ghost -n 3"
	[[ "${stderr_lines[0]}" == "pb-ghost: "*"spawn ignored: clyde is running"* ]]
	[[ "${stderr_lines[1]}" == "pb-ghost: "*"speed ignored: 0"* ]]
}

@test "Clyde with no destination stays, and it is said once" {
	(cell; at 0; at 2) | pb-ghost 2>"$err" | poses | cut -d' ' -f2- | uniq -c |
		awk '{ exit !($1 == 10 && NR == 1) }'
	[ "$(wc -l <"$err")" = 1 ]
	grep -q 'no destination in 20 draws' "$err"
}

@test "bad records: place, field, status; -k goes on" {
	run -1 --separate-stderr bash -c "(cat $flat
		echo '{\"type\":\"cmd\",\"name\":\"speed\",\"value\":\"fast\"}') | pb-ghost -n 5"
	[ "$stderr" = "pb-ghost: <stdin>:2: cmd.value: expected a speed in m/s" ]
	run -1 --separate-stderr bash -c "(cat $flat; echo '{\"type\":\"pose\"'
		echo '{\"type\":\"state\",\"t\":1,\"state\":\"menu\"}') | pb-ghost -k -n 5 -o none"
	[[ "$stderr" == "pb-ghost: <stdin>:2: "* ]]
	[ "$(grep -c '"type":"pose"' <<<"$output")" = 5 ]
	run -1 --separate-stderr bash -c "(cat $flat; echo '{\"type\":\"fix\",\"t\":0,\"x\":0,\"y\":0}'
		echo '{\"type\":\"fix\",\"t\":1e12,\"x\":0,\"y\":0}') | pb-ghost"
	[[ "$stderr" == "pb-ghost: <stdin>:3: "*"--max-gap is 3600"* ]]
	run -2 pb-ghost --set clyde-speed=0 $flat
	run -2 pb-ghost --ticks -1 $flat
}

@test "a reader that goes away is no error" {
	set +o pipefail
	pb-ghost -n 100000000 $flat 2>"$err" | head -n 3 >/dev/null
	[ ! -s "$err" ]
}

@test "a signal ends the ticks behind a whole record" {
	for sig in INT TERM HUP; do
		run -$((128 + $(kill -l $sig))) bash -c "
			timeout --preserve-status -k 5 -s $sig 0.2 \
			pb-ghost -m $flat -d 1e9 >'$dir/cut'"
		[ "$(tail -c 1 "$dir/cut")" = "" ]
		tail -n 1 "$dir/cut" | jq -e '.type == "obstacle"'
	done
	run -143 bash -c "timeout --preserve-status -k 5 -s TERM 0.2 \
		pb-ghost -d 1e9 $flat >'$dir/cut'"
	tail -n 1 "$dir/cut" | jq -e '.type == "obstacle"'
}

@test "a ghost of a match has nothing to decide while it is eaten" {
	pb-sim -r pacbot -s 3 --set nodes=100 >"$dir/game"
	pb-ghost -b arcade --name red <"$dir/game" >"$dir/moves"
	[ "$(wc -l <"$dir/moves")" -eq "$(jq -c 'select(.type == "tick") |
		.bodies[] | select(.id == "red" and .dir != "stop")' \
		"$dir/game" | wc -l)" ]
}
