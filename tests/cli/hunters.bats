#!/usr/bin/env bats
# hunters.bats - more ghosts than Clyde, and power pellets.

load common

setup() { here; }

house=testdata/house.yaml
all=clyde,blinky,pinky,inky

@test "each ghost that plays has poses and obstacles of its own" {
	pb-sim -m $house -a -s 5 --duration 20 --ghosts blinky,inky \
		--trace all >"$dir/out"
	jq -se '[.[] | select(.type == "pose" and .source == "truth") | .id] |
	    unique == ["blinky", "inky", "truth"]' "$dir/out"
	jq -se '[.[] | select(.type == "obstacle") | .id] |
	    unique == ["blinky", "inky"]' "$dir/out"
	# Clyde alone is what he always was.
	pb-sim -m $house -a -s 5 --duration 20 --ghosts clyde >"$dir/a"
	pb-sim -m $house -a -s 5 --duration 20 >"$dir/b"
	cmp "$dir/a" "$dir/b"
}

@test "ghosts that hunt end more rounds, and results say who did it" {
	pb-bench -m $house -p nearest -n 40 --vary ghosts=clyde,clyde+blinky \
		--spawn main >"$dir/out"
	jq -se '[.[] | select(.type == "summary")] |
	    .[0].constants == "spawn=main ghosts=clyde" and (.[0] | has("killed") | not) and
	    .[1].constants == "spawn=main ghosts=clyde+blinky" and
	    .[1].killed[1] > .[1].killed[0] and .[1].killed[2:] == [null, null] and
	    (.[1].killed | add) == .[1].outcomes.killed and
	    .[1].k < .[0].k and .[0].options != .[1].options' "$dir/out"
	pb-bench -m $house -p seed -n 20 --table --ghosts $all >"$dir/table"
	grep -q '^seed *inky *[0-9]' "$dir/table"
	# Those that do not play are not in the table, from results neither.
	pb-bench -m $house -p seed -n 4 --ghosts clyde+inky >"$dir/out"
	pb-bench -m $house -p seed -n 4 --ghosts clyde+inky --table >"$dir/table"
	pb-bench -f "$dir/out" --table | cmp - "$dir/table"
	[ "$(sed -n '/^Who killed/,/^Trials/s/^seed *\([a-z]*\) .*/\1/p' "$dir/table" |
		tr '\n' ' ')" = "clyde inky " ]
}

@test "power pellets frighten ghosts, who are eaten and go home" {
	pb-sim -m $house -a -s 2 --ghosts $all --power-pellets 100 --fright 60 \
		--v-max 0.6 --feedback >"$dir/out"
	jq -se '[.[] | select(.type == "event") | .name] |
	    any(. == "power pellet") and all(. != "pellet") and
	    any(endswith(" caught"))' "$dir/out"
	# As the published mapper names their lights and sounds.
	jq -se '[.[] | select(.type == "light") | .name] |
	    any(. == "power pellet") and any(endswith(" caught"))' "$dir/out"
	jq -se '[.[] | select(.type == "sound") | .name] |
	    any(. == "power pellet") and any(. == "ghost")' "$dir/out"
	pb-bench -m $house -n 20 --ghosts $all --power-pellets 4 --fright 30 |
		jq -se '[.[] | select(.type == "result") | .eaten] |
		    all(. >= 0) and (add > 0)'
	pb-mapgen $house | pb-pellets --power 2 | pb-sim -a --power-pellets 1 \
		--ghosts $all --duration 5 2>"$dir/err" |
		jq -se '[.[] | select(.type == "pellets")][-1].pellets |
		    map(select(.kind == "power")) | length <= 1'
	grep -q 'plain pellets without --power-pellets' "$dir/err"
}

@test "a killer has his own light" {
	for s in 1 2 3 4 5 6; do
		pb-sim -m $house -a -s $s --ghosts blinky --ghost-modes 0 \
			--v-max 0.1 --feedback
	done >"$dir/out"
	jq -se '[.[] | select(.type == "light" and .name == "blinky killed")] |
	    length > 0 and .[0].leds[0] == [255, 0, 0]' "$dir/out"
}

@test "sets that are none are refused" {
	what='expected some of clyde, blinky, pinky, inky, separated by commas'
	for v in clyd clyde, '' 4 clyde,,inky; do
		run -2 --separate-stderr pb-sim -m $house -a --ghosts "$v"
		[ "$stderr" = "pb-sim: --ghosts: $what, got \"$v\"" ]
	done
	run -2 --separate-stderr pb-bench -m $house --vary ghosts=clyde,x
	[ "$stderr" = "pb-bench: --vary: ghosts: $what, got \"x\"" ]
	run -2 --separate-stderr pb-bench -r roomba --ghosts clyde
	[ "$stderr" = 'pb-bench: --ghosts: expected a whole number from 0 to 4, got "clyde"' ]
}

@test "safe keeps off ghosts that hunt, and plays without Clyde" {
	for p in seed safe; do
		pb-bench -m $house -p $p -n 3 -s 3 --v-max 0.4 \
			--pose-noise 0.1 --spawn main --ghosts clyde,blinky \
			--duration 150 --no-results
	done >"$dir/out"
	jq -se 'map({(.policy): .pellets_mean}) | add | .safe > .seed' "$dir/out"
	pb-bench -m $house -p safe -n 1 --ghosts pinky --duration 60 |
		jq -se '[.[] | select(.type == "result")] | length == 1'
	# The same with two threads, and again.
	for j in 1 2; do
		pb-bench -m $house -p safe -n 2 -j $j --ghosts clyde,inky \
			--power-pellets 4 --fright 20 --duration 45 >"$dir/$j"
	done
	cmp "$dir/1" "$dir/2"
}

@test "the oracle foresees ghosts that hunt, the same on any threads" {
	for j in 1 2; do
		pb-bench -m $house -p nearest,oracle -n 2 -j $j --ghosts $all \
			--power-pellets 2 --v-max 0.6 --duration 40 >"$dir/$j"
	done
	cmp "$dir/1" "$dir/2"
	jq -se 'map(select(.type == "summary") | {(.policy): .pellets_mean}) | add |
		.oracle > .nearest' "$dir/1"
	# Nothing is proved of who is not Clyde.
	jq -se 'all(.cause != "caught_at_start")' <(pb-bench -m $house -p nearest \
		-n 8 --ghosts blinky,pinky,inky --ghost-modes 0 --ghost-apart 0)
}

@test "safe outruns who hunts it, where others are caught" {
	for p in safe seed; do
		pb-bench -m $house -p $p -n 3 --ghosts clyde,blinky,pinky \
			--v-max 0.5 --idle-pickup no
	done >"$dir/out"
	jq -se 'map(select(.type == "summary") | {(.policy): .k}) | add |
	    .safe >= 2 and .seed == 0' "$dir/out"
}

@test "any ghost may be a program" {
	# Who walks as Clyde does has his game, whatever its name.
	pb-sim -m $house -a -s 3 --trace all >"$dir/a"
	pb-sim -m $house -a -s 3 --trace all --ghosts blinky --agent \
		blinky:'pb-ghost --exact -w -s 3 -i blinky' >"$dir/b"
	course() { jq -c 'select(.type == "pose" or .type == "goal")' "$1"; }
	[ "$(course "$dir/a" | wc -l)" -gt 500 ]
	cmp <(course "$dir/a") <(course "$dir/b" | sed 's/blinky/clyde/')
	# One that is where the robot was last seen, at every tick; the others
	# go by their own rules.
	leap='jq -nc --unbuffered "foreach inputs as \$m ({};
	    .new = (\$m.type == \"state\" and \$m.t > (.t // 0) and (\$m.t * 5 | fabs |
	        . - round | fabs) < 1e-6 or \$m.name == \"reset_ghosts\") |
	    if .new then .t = \$m.t else . end |
	    if \$m.type == \"pose\" then .at = \$m else . end;
	    if .new then {type: \"pose\", id: \"pinky\", t, x: (.at.x // 0),
	        y: (.at.y // 0)} else empty end)"'
	pb-bench -m $house -p seed,safe -n 3 -j 2 --ghosts clyde,blinky,pinky \
		--clyde-period 0.2 --agent pinky:leap="$leap" >"$dir/out"
	jq -se 'map(select(.type == "summary")) | length == 2 and
	    all(.outcomes.killed == 3 and .killed == [0, 0, 3, null] and
	        .ghosts == "pinky:leap")' "$dir/out"
}

@test "programs of ghosts are refused where those do not play, or play foul" {
	run -1 pb-sim -m $house -a --ghosts blinky,inky --ghost pb-ghost
	# What the program says when its input ends may come later.
	grep -Fx "pb-sim: pb-ghost: clyde does not play; see --ghosts" <<<"$output"
	run -2 pb-sim -m $house -a --agent inky:x=cat
	[ "${lines[-1]}" = "pb-sim: --agent: inky does not play" ]
	off='sed -un "/reset_ghosts/s/.*\"t\":\([0-9.]*\).*/{\"type\":\"pose\",\"id\":\"inky\",\"t\":\1,\"x\":1e9,\"y\":0}/p"'
	run -1 --separate-stderr pb-sim -m $house -a --ghosts inky --agent inky:x="$off"
	[[ $stderr == *": pose: ("*") is not on the map" ]]
}
