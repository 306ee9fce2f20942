#!/usr/bin/env bats
# Pictures of streams: pb-mapgen --render, --png, --live.

load common

setup() {
	here
	export LC_ALL=C
	unset COLUMNS LINES NO_COLOR
}

walk() { pb-ghost -s 7 --ticks 120 $flat; }

@test "golden: half a minute of Clyde" {
	walk | pb-mapgen --render --width 70 --height 28 |
		diff - testdata/golden/render.txt
}

@test "nothing but the picture is printed" {
	walk >"$dir/walk"
	echo '{"type":"strange"}' >>"$dir/walk"
	run -0 pb-mapgen --render "$dir/walk"
	[[ $output != *type* ]]
	run -0 pb-mapgen --png "$dir/a.png" "$dir/walk"
	[ -z "$output" ]
}

@test "the locale chooses the signs, an option overrules it" {
	[ -z "$(pb-mapgen --render $flat | tr -d '\n -~')" ]
	LC_ALL=en_US.UTF-8 pb-mapgen --render $flat | grep -q '█'
	LC_ALL= LC_CTYPE=C.utf8 pb-mapgen --render $flat | grep -q '█'
	! LC_ALL=C.UTF-8 pb-mapgen --render --style ascii $flat | grep -q '█'
	pb-mapgen --render --style braille $flat | grep -q '⡇'
}

@test "colour only when it is asked for" {
	esc=$(printf '\033')
	! TERM=xterm-256color pb-mapgen --render $flat | grep -q "$esc"
	TERM=xterm-256color pb-mapgen --render --color always $flat |
		grep -q "${esc}\[48;5;"
	TERM=xterm-256color NO_COLOR=1 pb-mapgen --render --color always $flat |
		grep -q "${esc}\[48;5;"
}

@test "a picture keeps to its size" {
	for w in 1 2 23 24 50 200; do
		for h in 1 2 9 10 30; do
			walk | pb-mapgen --render --width $w --height $h >"$dir/out"
			[ "$(wc -l <"$dir/out")" -le $h ]
			[ "$(awk '{ if (length > n) n = length } END { print n + 0 }' "$dir/out")" -le $w ]
		done
	done
}

@test "a thin wall is seen at any scale" {
	{
		echo '{"type":"map","resolution":0.05,"width":400,"height":400,"origin":[0,0,0],"rows":['
		awk 'BEGIN {
			for (y = 0; y < 400; y++) {
				s = ""
				for (x = 0; x < 400; x++)
					s = s (x == 201 || y == 77 ? "#" : ".")
				printf "%s\"%s\"", y ? "," : "", s
			}
			print "]}"
		}'
	} | tr -d '\n' >"$dir/map"
	for w in 12 30 61; do
		pb-mapgen --render --hide axes,legend --width $w --height 99 \
			"$dir/map" >"$dir/out"
		[ "$(grep -vc '#' "$dir/out")" = 0 ]
		grep -qx '#*' "$dir/out"
	done
}

@test "a box shows its part and says when there is none" {
	pb-mapgen --render --box 0,0,2,2 $flat | grep -q '2'
	run -1 --separate-stderr pb-mapgen --render --box 50,50,60,60 $flat
	[ -z "$output" ]
	[ "$stderr" = 'pb-mapgen: --box: nothing of the map lies in it' ]
	for box in 1,2,3 0,0,0,1 0,0,1,x 2,0,1,1 0,0,inf,1; do
		run -2 --separate-stderr pb-mapgen --render --box $box $flat
		[ -z "$output" ]
	done
}

@test "a picture is the same each time, in every form" {
	walk >"$dir/walk"
	for form in png svg pdf; do
		pb-mapgen --png "$dir/a.$form" "$dir/walk"
		pb-mapgen --png "$dir/b.$form" "$dir/walk"
		cmp "$dir/a.$form" "$dir/b.$form"
	done
	[ "$(head -c 8 "$dir/a.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]
	! grep -aqE 'tIME|gAMA' "$dir/a.png"
	[ "$(head -c 5 "$dir/a.pdf")" = %PDF- ]
	[ "$(tail -n 1 "$dir/a.pdf")" = %%EOF ]
	head -n 2 "$dir/a.svg" | grep -q '<svg .*width='
	[ "$(tail -n 1 "$dir/a.svg")" = '</svg>' ]
	pb-mapgen --png - "$dir/walk" | cmp - "$dir/a.png"
	pb-mapgen --pixels 300 --png "$dir/c.png" "$dir/walk"
	! cmp -s "$dir/a.png" "$dir/c.png"
}

@test "golden: what is drawn, mark by mark" {
	same() { # NAME - the drawing is as it was
		python3 tests/cli/svg.py "$dir/$1.svg" |
			diff "testdata/golden/$1.marks" -
	}
	walk | pb-mapgen --pixels 500 --png "$dir/walk.svg"
	same walk
	pb-bench -q -r roomba -p flee -s 2 -n 1 --heat "$dir/heat.svg" >/dev/null
	same heat
	results | awk '{ sub(/"time":10/, "\"time\":" NR) } NR != 7' >"$dir/results"
	bench() { pb-bench -q --from "$@" "$dir/results" >/dev/null; }
	bench --png "$dir/rates.svg"
	same rates
}

@test "without any font a picture has no text, and no failure" {
	echo '<fontconfig></fontconfig>' >"$dir/fonts.conf"
	walk >"$dir/walk"
	pb-mapgen --png "$dir/a.png" "$dir/walk"
	FONTCONFIG_FILE=$dir/fonts.conf pb-mapgen --png "$dir/b.png" "$dir/walk"
	run ! cmp -s "$dir/a.png" "$dir/b.png"
	[ "$(head -c 4 "$dir/b.png" | tail -c 3)" = PNG ]
}

@test "a full disk leaves no half of a picture, in any form" {
	mkdir "$dir/disk"
	unshare -rm mount -t tmpfs -o size=8k tmpfs "$dir/disk" 2>/dev/null ||
		skip "no small disk can be made"
	for form in png svg pdf; do
		run -3 --separate-stderr unshare -rm sh -c "
			mount -t tmpfs -o size=4k tmpfs '$dir/disk'
			head -c 4096 /dev/zero >'$dir/disk/full'
			pb-mapgen --png '$dir/disk/a.$form' $flat || s=\$?
			[ \$(ls '$dir/disk') = full ] || exit 9
			exit \$s"
		[ "$(wc -l <<<"$stderr")" = 1 ]
	done
	run -3 sh -c "pb-mapgen --png - $flat >/dev/full"
}

@test "a PNG file that cannot be written leaves nothing behind" {
	run -3 pb-mapgen --png "$dir/no/such/a.png" $flat
	[ "${#lines[@]}" = 1 ]
	echo old >"$dir/a.png"
	run -1 pb-mapgen --png "$dir/a.png" --box 50,50,60,60 $flat
	[ "$(cat "$dir/a.png")" = old ]
	[ "$(ls "$dir" | wc -l)" = 1 ]
}

@test "what comes before a bad record is drawn" {
	{
		cat $flat
		echo '{"type":"pose","x":0,"y":0,"theta":0,"id":"robot"}'
		echo '{"type":"pose","x":"a"}'
	} >"$dir/bad"
	run -1 --separate-stderr pb-mapgen --render "$dir/bad"
	[[ $output == *'> robot'* ]]
	[[ $stderr == "pb-mapgen: $dir/bad:3: pose.x: "* ]]
}

@test "a stream without a map is drawn, an empty one leaves what was there" {
	echo '{"type":"pose","x":3,"y":4,"theta":0,"id":"robot"}' |
		pb-mapgen --render | grep -q '> robot'
	for kind in png html svg; do
		echo old >"$dir/keep.$kind"
		for in in /dev/null <(echo '{"type":"mystery"}'); do
			run -1 --separate-stderr pb-mapgen --png "$dir/keep.$kind" <"$in"
			[ "$stderr" = "pb-mapgen: <stdin>: expected records to draw, got none" ]
			[ "$(cat "$dir/keep.$kind")" = old ]
		done
	done
	run -1 --separate-stderr pb-mapgen --render </dev/null
	[ -z "$output" ]
}

@test "the size of a picture goes with files that have one" {
	for to in '' "-o $dir/a.html"; do
		# shellcheck disable=SC2086 # a list of words
		run -2 pb-mapgen --render --pixels 9 $to $flat
		[[ "$output" == *"--pixels: only with a picture in a file, other than .html"* ]]
	done
}

# The marks of a picture of a stream.
marks() {
	pb-mapgen --png "$dir/m.svg" "$@"
	python3 tests/cli/svg.py "$dir/m.svg"
}

@test "trails of games are of the last 10 s, unless they are asked for whole" {
	pb-sim -r roomba -s 3 -p flee | head -n 400 >"$dir/g"
	# The second longest: the first is in the legend.
	words() { marks "$@" | grep '^blue@0.9 3.3' | awk '{ print NF }' | sort -n | tail -n 1; }
	[ "$(words "$dir/g")" -lt "$(words --trail 30 "$dir/g")" ]
	[ "$(words --trail 30 "$dir/g")" -lt "$(words --trail 0 "$dir/g")" ]
	# The player's trail is the last line but those of the legend.
	marks "$dir/g" | grep -n '@0.9' | head -n -2 | tail -n 1 | grep -q ':blue@0.9'
	# What is no game has all of it.
	walk >"$dir/walk"
	diff <(marks "$dir/walk") <(marks --trail 0 "$dir/walk")
	run -2 pb-mapgen --render --trail -1 "$dir/g"
}

@test "in each game a cross is where somebody died, in the colour of who caught" {
	pb-mapgen -q testdata/house.yaml | pb-pellets -q |
		pb-sim -q -s 3 -p seed >"$dir/clyde"
	pb-sim -r pacbot -p flee -s 2 >"$dir/cyan"
	pb-sim -r roomba -p flee -s 3 >"$dir/pinky"
	pb-sim -r zumy -p astar -s 1 >"$dir/patrol1"
	for who in clyde cyan pinky patrol1; do
		case $who in cyan) c=sky-blue ;; pinky) c=purple ;; *) c=vermillion ;; esac
		# Two lines each: in the picture and in its legend.
		[ "$(marks "$dir/$who" | grep -c "^$c 4.5 :")" -ge 4 ]
		LC_ALL=C pb-mapgen --render "$dir/$who" |
			grep -Eq "[+] (caught|seen) by $who"
		pb-mapgen --render -o "$dir/a.html" "$dir/$who"
		sed -n '/id="record"/,$p' "$dir/a.html" | grep -q '\["died",[0-9,-]*,[0-9]*\]'
	done
}

@test "houses, outer walls, ghosts' letters and colours, in the terminal too" {
	pb-mapgen --render --height 24 pacman >"$dir/a"
	grep -q '######.   #I-P-C##   .######' "$dir/a"
	[ "$(grep -o '[BPIC] [a-z][a-z]*' "$dir/a" | xargs)" = 'B red P pink I cyan C orange' ]
	pb-mapgen --render --color always --height 24 pacman |
		grep -o '5;[0-9]*m[BPIC]' | sort -u | wc -l | grep -qx 4
	for board in roomba zumy; do
		pb-mapgen --render --hide axes,legend --height 30 $board >"$dir/a"
		for edge in 1 '$'; do sed -n "${edge}p" "$dir/a" | grep -qx '#*'; done
		run -1 grep -vx '#.*#' "$dir/a"
	done
}

@test "a pellet does not stand on a wall that shares its character" {
	{
		echo '{"type":"map","resolution":0.05,"width":200,"height":40,"origin":[0,0,0],"rows":['
		awk 'BEGIN {
			for (y = 0; y < 40; y++) {
				s = ""
				for (x = 0; x < 200; x++)
					s = s (x == 68 ? "#" : ".")
				printf "%s\"%s\"", y ? "," : "", s
			}
			print "]}"
		}'
	} | tr -d '\n' >"$dir/map"
	# On both sides of the wall, which is in the seventh of 20 characters.
	for at in 3.3 3.49; do
		{
			cat "$dir/map"
			echo
			echo '{"type":"pellets","pellets":[{"id":1,"x":'$at',"y":1}]}'
		} | pb-mapgen --render --hide axes,legend --width 20 >"$dir/a"
		grep '\.' "$dir/a" >>"$dir/pellets"
	done
	[ "$(tr -d ' ' <"$dir/pellets" | xargs)" = '.# #.' ]
}

@test "a long title gives way to the state of the game" {
	pb-sim -r zumy -s 1 >"$dir/g"
	pb-mapgen --render --width 60 --title "$(seq -s - 40)" "$dir/g" | head -n 1 |
		grep -x 'y (m)  *1-2-3-.*\.\.  t [0-9.]* s, .*'
}

@test "without a terminal, live pictures are the last one" {
	walk | pb-mapgen --live --width 60 >"$dir/a"
	walk | pb-mapgen --render --width 60 | cmp - "$dir/a"
}

@test "on a terminal, live pictures are frames in place" {
	script -qec true /dev/null >/dev/null || skip 'no pseudo-terminal'
	walk >"$dir/walk"
	script -qec "pb-mapgen --live --speed 200 '$dir/walk'" "$dir/log" >/dev/null
	frames=$(grep -o "$(printf '\033')\[1;1H" "$dir/log" | wc -l)
	[ "$frames" -ge 2 ]
	[ "$(grep -c "$(printf '\033')\[2J" "$dir/log")" = 1 ]
}

@test "a board is drawn with its pellets, from name and from record" {
	pb-mapgen --render pacman >"$dir/a"
	grep -q '244 pellets' "$dir/a"
	[ "$(grep -o 'o' "$dir/a" | wc -l)" -ge 4 ]
	pb-mapgen pacman | pb-mapgen --render | cmp - "$dir/a"
}

# Results of two players, twenty trials each.
results() {
	for player in seed safe; do
		for i in $(seq 20); do
			echo "{\"type\":\"result\",\"rules\":\"pacmanbot\",\"policy\":\"$player\",\"outcome\":\"complete\",\"map\":\"flat\",\"map_hash\":\"00000000000000aa\",\"opts_hash\":\"00000000000000bb\",\"seed\":1,\"trial\":$i,\"round\":1,\"pellets\":2,\"pellets_total\":2,\"score\":2,\"time\":10,\"success\":true}"
		done
	done
}

@test "a benchmark as PNG" {
	results >"$dir/results"
	pb-bench -q --from --png "$dir/a.png" --table "$dir/results" >/dev/null
	pb-bench -q --from --png "$dir/b.png" "$dir/results" >"$dir/out"
	cmp "$dir/a.png" "$dir/b.png"
	grep -q '"type":"summary"' "$dir/out"
	run -3 pb-bench -q --from --png "$dir/no/a.png" "$dir/results"
}

@test "what a localizer believes is drawn: hypotheses by rank, particles" {
	{
		cat testdata/flat.jsonl
		echo '{"type":"belief","t":1,"status":"ambiguous","hypotheses":[
			{"x":1,"y":1,"theta":0,"weight":0.6,"cov":[[0.01,0,0],[0,0.01,0],[0,0,0.1]]},
			{"x":3,"y":1,"theta":0,"weight":0.4,"cov":[[0.01,0,0],[0,0.01,0],[0,0,0.1]]}],
			"particles":[[1,2,0],[3,2,0]]}' | tr -d '\n\t'
		echo
	} >"$dir/belief"
	run -0 pb-mapgen --render --style ascii --hide axes --width 60 "$dir/belief"
	[[ $output == *1*2* ]]
	[[ $output == *'hypothesis, 1 the likeliest'* ]]
	[ "$(grep -o , <<<"${output%particle*}" | wc -l)" -eq 3 ] # one is the key's
	pb-mapgen --png "$dir/a.png" "$dir/belief"
	pb-mapgen --png "$dir/b.png" testdata/flat.jsonl
	run ! cmp -s "$dir/a.png" "$dir/b.png"
}

@test "a way to where numbers end is drawn in time" {
	cat testdata/flat.jsonl >"$dir/way"
	printf '{"type":"pose","t":%s,"id":"clyde","x":2,"y":%s,"theta":0}\n' 2 1.7e308 1 1 >>"$dir/way"
	run -0 timeout -s KILL 20 pb-mapgen --render --style ascii --width 60 "$dir/way"
	[[ $output == *'flat  t 1.0 s'* ]]
}

@test "what a localizer said of itself is drawn: its status, its fit over time" {
	local i status
	cat testdata/flat.jsonl >"$dir/way"
	for i in 1 2 3 4 5 6 7 8; do
		case $i in 3) status=lost ;; 5) status=ambiguous ;; 7) status=unmapped ;; *) status=tracking ;; esac
		echo '{"type":"pose","t":'$i',"x":'$i',"y":1,"theta":0,"source":"estimate","status":"'$status'","fit":0.'$i'}'
	done >>"$dir/way"
	run -0 pb-mapgen --render --style ascii --hide axes --width 60 "$dir/way"
	for status in '$ lost' '_ off the map' '; ambiguous'; do [[ $output == *"$status"* ]]; done
	[ "$(grep -o '[$;_]' <<<"$output" | wc -l)" -eq 6 ] # three are the key's
	run -0 pb-mapgen --render --style ascii --hide axes,trails --width 60 "$dir/way"
	[[ $output != *'$'* ]]
	pb-mapgen --png "$dir/a.svg" "$dir/way"
	sed 's/,"fit":[^}]*//' "$dir/way" | pb-mapgen --png "$dir/b.svg"
	height() { grep -om1 'height="[0-9]*' "$1" | tr -dc 0-9; }
	[ "$(height "$dir/a.svg")" -gt "$(height "$dir/b.svg")" ]
	# The report of the same stream draws the same.
	pb-bench --trajectory --table --png "$dir/c.svg" "$dir/way" |
		head -n 2 | xargs |
		grep -Fx 'The robot says that it knows where it is: 57 % of the way; lost once, near (2.0, 1.0); off the map once, near (6.0, 1.0).'
	cmp "$dir/a.svg" "$dir/c.svg"
	run -3 pb-bench --trajectory --png "$dir/no/c.svg" "$dir/way"
	run -1 pb-bench --trajectory --png "$dir/d.svg" </dev/null
	[ ! -e "$dir/d.svg" ]
}

@test "whose level a board is, when the one before is cleared" {
	pb-sim -r pacbot -p search -s 3 >"$dir/g"
	pb-mapgen --render "$dir/g" | head -n 1 |
		grep -F 'cleared, 244 of 244 pellets, the board is of level 2'
	grep -m 1 '"tick"' "$dir/g" |
		cat <(pb-mapgen pacman) - | pb-mapgen --render | head -n 1 |
		grep -vq level
}

@test "what a robot on a board believes is drawn beside where it is" {
	for game in 'pacbot -p greedy --localizer region --set lives=1' \
		'roomba -p flee --localizer mcl --set limit=20' \
		'zumy --localizer mcl --set draw=200'; do
		pb-sim -r $game --motion drive --rate 2 >"$dir/g"
		LC_ALL=C pb-mapgen --render "$dir/g" >"$dir/a"
		grep -q 'e estimate' "$dir/a"
		# where it is does not depend on that
		for k in a b; do
			pb-mapgen --hide trails --png "$dir/$k.svg" "$dir/g"
			python3 tests/cli/svg.py "$dir/$k.svg" | grep '^yellow' >"$dir/$k"
			grep -v '"source":"estimate"' "$dir/g" >"$dir/h"
			mv "$dir/h" "$dir/g"
		done
		[ -s "$dir/a" ]
		cmp "$dir/a" "$dir/b"
		run ! grep -q 'e estimate' <(LC_ALL=C pb-mapgen --render "$dir/g")
	done
}
