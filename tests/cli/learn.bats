#!/usr/bin/env bats
# Players that learn: numbers from games, and the player that plays by them.

load common

setup_file() {
	command -v python3 >/dev/null || skip "no python3"
}

setup() {
	here
	script=$PWD/scripts/learn.py
	numbers=$PWD/testdata/pacbot
	weights=$numbers/quick8.safetensors
	cd "$BATS_TEST_TMPDIR"
}

learn() { python3 "$script" "$@"; }

# Points of 20 games, of none that was learnt on, by the weights $1.
points() {
	pb-bench -q --no-results -r pacbot -p quick --weights "$1" -n 20 \
		-s 31 --set lives=1 | jq '.score_mean | floor'
}

@test "what was learnt plays, and better than as many nodes of search" {
	pb-bench -q --no-results -r pacbot -p quick --weights "$weights" \
		-n 20 -s 3 >quick
	pb-bench -q --no-results -r pacbot -p search --set nodes=300 \
		-n 20 -s 3 >search
	jq -se '(map(select(.type == "summary"))) |
		.[0].k == 20 and .[1].k >= 19 and
		.[0].score_mean > .[1].score_mean + 200' quick search
	pb-sim -q -r pacbot -p quick --weights "$weights" -s 2 |
		jq -se '.[-1].weights | length == 16'
}

# The first moves of player $1, further options, in one line: by the 74th
# those of each file differ from those of the others at the same speed.
reached() {
	local moves
	moves=$(pb-sim -q -r pacbot -s 4 --set lives=1 -p "$@" |
		grep -m 100 '"move"')
	[ "$(wc -l <<<"$moves")" -eq 100 ] || echo "$* ended early"
	sha256sum <<<"$moves"
}

@test "the numbers of quick and search are those of the files" {
	[ "$(reached quick)" = "$(reached quick --weights "$weights")" ]
	[ "$(reached quick --set ticks-per-cell=9)" = "$(reached quick \
		--weights "$numbers/quick.safetensors" --set ticks-per-cell=9)" ]
	for t in 8 12; do
		[ "$(reached search --set ticks-per-cell=$t)" = "$(reached quick \
			--weights "$numbers/search$t.safetensors" \
			--set ticks-per-cell=$t)" ]
	done
	[ "$(reached quick)" != "$(reached search)" ]
}

@test "of many sets the best one is left" {
	learn search -o best --halve -n 1 --sets 8 -s 5 --beam 4,8,2,0,4,4 \
		--bench "$build/pb-bench" -- --set lives=1 >log
	jq -se '[.[].sets] == [8, 2] and .[-1].games == 16' log
	# The same games, in which somebody dies, are worth more to the brave.
	learn search -o brave --halve -n 1 --sets 8 -s 5 --beam 4,8,2,0,4,4 \
		--death 0 --bench "$build/pb-bench" -- --set lives=1 >log.brave
	jq -se '.[0].worth < .[1].worth' <(head -n 1 log) <(head -n 1 log.brave)
	pb-sim -q -r pacbot -p quick --weights best --set lives=1 >/dev/null
}

@test "weights that suit nobody who plays are refused" {
	printf '%s' junk >junk
	run -1 pb-sim -r pacbot -p quick --weights junk
	# Those of another player, who does not play.
	python3 - foreign <<-'END'
		import struct, sys
		head = (b'{"conv.weight":{"dtype":"F32","shape":[1],'
		        b'"data_offsets":[0,4]}}')
		open(sys.argv[1], "wb").write(
		    struct.pack("<Q", len(head)) + head + bytes(4))
	END
	run -1 --separate-stderr pb-bench -r pacbot -p quick,search \
		--weights foreign
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "a second run learns the same numbers, and goes on from a file" {
	for i in a b; do
		learn pacbot -o $i -s 7 -g 2 -n 1 --sets 4 \
			--bench "$build/pb-bench" -- --set lives=1 \
			--set ticks-per-cell=8 >$i.log
	done
	cmp a b
	cmp a.log b.log
	[ "$(wc -l <a.log)" -eq 2 ]
	learn pacbot -o c --start a -s 8 -g 1 -n 1 --sets 4 \
		--bench "$build/pb-bench" -- --set 'ghosts=2 camera-delay=6' >c.log
	run -1 cmp a c
	pb-sim -q -r pacbot -p quick --weights c --set lives=1 >one
	pb-sim -q -r pacbot -p quick --weights a --set lives=1 >two
	run -1 cmp one two
}

@test "a player who counts all wrong learns better, and so does a planner" {
	python3 - "$weights" wrong <<-'END'
		import struct, sys
		text = open(sys.argv[1], "rb").read()
		leaf = 8 + struct.unpack("<Q", text[:8])[0]
		small = struct.pack("<22f", *[0.5] * 22)
		open(sys.argv[2], "wb").write(
		    text[:leaf] + small + text[leaf + len(small):])
	END
	learn pacbot -o right --start wrong --spread 1.5 -s 3 -g 3 -n 2 \
		--sets 16 --bench "$build/pb-bench" -- --set lives=1 \
		--set ticks-per-cell=8 >log
	before=$(points wrong)
	after=$(points right)
	echo "# $before points before, $after after learning" >&3
	[ "$after" -ge $((before + 500)) ]
	learn planner -o planner.json -s 3 -g 1 -n 1 --sets 4 \
		--bench "$build/pb-bench" >log
	jq -e 'length == 7 and all(. > 0)' planner.json
	pb-bench -q --no-results -p seed --houses 1 -n 2 --set "$(jq -r \
		'to_entries | map("\(.key)=\(.value)") | join(" ")' planner.json)" |
		jq -e .rate
}

@test "what cannot be learnt from is said in one line" {
	for start in none /dev/null; do
		run -1 --separate-stderr learn pacbot -o x --start $start
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ "$stderr" == "learn.py: "* ]]
	done
	[ ! -e x ]
	run -1 --separate-stderr learn pacbot -o x -g 1 --sets 2 \
		--bench "$build/pb-bench" -- --no-such-option
	[[ "$stderr" == *no-such-option* ]]
	run -2 learn planner -o x --death 9
	[[ "$output" == *"--death: not an option of planner" ]]
}

@test "what runs had learnt is played again, and drawn with an interval" {
	for i in 1 2; do
		learn planner -o p.json -s $i -g 1 -n 1 --sets 2 \
			--bench "$build/pb-bench" >$i.log
	done
	learn planner -o curve.svg -s 9 -n 1 --check 1.log 2.log \
		--bench "$build/pb-bench" >curve
	jq -se 'map(.generation) == [0, 1] and
		map(.games) == [0, 12] and
		all(.worth_lo <= .worth and .worth <= .worth_hi and
			(.runs | length) == 2) and .[0].worth_lo == .[0].worth_hi' curve
	python3 -c "import xml.dom.minidom as m; m.parse(\"curve.svg\")"
	grep -c '<polyline' curve.svg | grep -x 3
	run -1 --separate-stderr learn planner -o x --check /dev/null
	[ "$stderr" = 'learn.py: /dev/null: is empty' ]
	echo '{}' >bad.log
	run -1 --separate-stderr learn planner -o x --check bad.log \
		--bench "$build/pb-bench"
	[ "$stderr" = 'learn.py: bad.log:1: no number "games"' ]
	printf '\377\n' >bad.log
	run -1 --separate-stderr learn planner -o x --check bad.log
	[ "$stderr" = 'learn.py: bad.log:1: is not JSON' ]
	[ ! -e x ]
}
