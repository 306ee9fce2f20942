#!/usr/bin/env bats
# limits.bats - the limits that pb.7 states: what is at one is taken, what is
# one beyond is refused with a line.

load common

setup() { here; }

times() { head -c "$1" /dev/zero | tr '\0' "$2"; } # so many of a character

takes() { # COMMAND...: of what is on stdin
	"$@" >/dev/null
}
refuses() { # WHAT COMMAND...: status 1 and a line that says it
	local what=$1
	shift
	timeout 60 "$@" 2>&1 >/dev/null | grep "^${1##*/}: .*$what" || return 1
}

@test "map: 20,000 cells a side" {
	map() {
		printf '{"type":"map","resolution":0.05,"rows":["%s"]}\n' \
			"$(times "$1" .)"
	}
	map 20000 | takes pb-mapgen
	map 20001 | refuses "20000" pb-mapgen
	tall() {
		printf '{"type":"map","resolution":1,"width":1,"height":%d,' "$1"
		printf '"data":[%s0]}\n' "$(yes 0, | head -n $(($1 - 1)) | tr -d '\n')"
	}
	tall 20000 | takes pb-mapgen
	tall 20001 | refuses "20000" pb-mapgen
	printf 'P5 20001 1 255\n' | refuses "20000" pb-mapgen -R 1 /dev/stdin
	# 2^32 + 1 cells are not one.
	printf '{"type":"map","resolution":1,"width":4294967297,"height":1,"data":[0]}\n' |
		refuses "width" pb-mapgen
	printf '{"type":"map","resolution":1,"width":65536,"height":65536,"data":[]}\n' |
		refuses "20000" pb-mapgen
}

@test "a map that there is no memory for ends in one line" {
	(ulimit -v 100000 && pb-sim -V >/dev/null 2>&1) ||
		skip "this build needs more memory"
	printf 'image: big.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n' >"$dir/big.yaml"
	{ printf 'P5 1000 1000 255\n'; times 1000000 '\376'; } >"$dir/big.pgm"
	for m in 32 64 96 128 256; do
		for t in "pb-bench -q -n 1 --set duration=1 --set spacing=20 -m" \
			"pb-sim -q --autostart --set duration=1 --set spacing=20 -m" \
			"pb-pellets -q" "pb-mapgen -q" "pb-ghost -q"; do
			status=0
			# shellcheck disable=SC2086 # a list of words
			(ulimit -v $((m * 1024)) && timeout 60 $t \
				"$dir/big.yaml" >"$dir/out" 2>"$dir/err") || status=$?
			echo "$m $t $status $(cat "$dir/err")"
			[ "$status" -eq 0 ] && continue
			[ "$status" -eq 3 ]
			[ "$(wc -l <"$dir/err")" -eq 1 ]
			grep -i "^${t%% *}: .*memory" "$dir/err"
		done
	done
}

peak() { # COMMAND...: the most memory that it had at a time (bytes)
	python3 -c 'import resource as r, subprocess as s, sys
s.run(sys.argv[1:], stdout=s.DEVNULL, check=True)
print(1024 * r.getrusage(r.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

# Between two houses of 2 cm, both too large for fields of distances. Clyde is
# fast and kills nobody, so that searches come to all of a house. With `safe`
# and mcl it is what all of it takes, what is learned of the house included.
@test "memory of a game: 36 bytes a cell of the known box, 25 a further game" {
	! nm "$build/pb-sim" | grep -q '__asan\|__tsan' || skip "a sanitizer"
	set -- -q --set duration=40 --set clyde-speed=5 --set death-radius=0.01
	for size in 34,22 46,30; do
		pb-mapgen -q -R 0.02 -S "$size" -s 3 random-house >"$dir/$size"
	done
	cells=$((2300 * 1500 - 1700 * 1100))
	small=$(peak pb-sim -a "$@" --localizer noise -m "$dir/34,22")
	large=$(peak pb-sim -a "$@" --localizer noise -m "$dir/46,30")
	echo "$small, $large bytes"
	[ $((large - small)) -le $((36 * cells)) ]
	# A cell cannot have less than what is told of it.
	[ $((large - small)) -ge $((10 * cells)) ]
	small=$(peak pb-sim -q -a -p safe --localizer mcl --set duration=5 -m "$dir/34,22")
	large=$(peak pb-sim -q -a -p safe --localizer mcl --set duration=5 -m "$dir/46,30")
	echo "safe, mcl: $small, $large bytes"
	[ $((large - small)) -le $((36 * cells)) ]
	small=$(peak pb-bench -j 1 -n 2 "$@" -m "$dir/34,22")
	large=$(peak pb-bench -j 2 -n 2 "$@" -m "$dir/34,22")
	echo "a thread: $small, $large bytes"
	[ $((large - small)) -le $((25 * 1700 * 1100)) ]
}

# All that it takes, what it learns of the house included.
@test "memory of a game of safe: 36 bytes a cell of the known box" {
	! nm "$build/pb-sim" | grep -q '__asan\|__tsan' || skip "a sanitizer"
	pb-mapgen -q -R 0.02 -S 40,18.5 -s 6 random-house >"$dir/house"
	empty=$(peak pb-sim -q -m testdata/flat.jsonl -a -p seed --set duration=1)
	for player in safe oracle; do
		game=$(peak pb-sim -q -a -p $player --set duration=20 -m "$dir/house")
		echo "$player: $empty, $game bytes"
		[ $((game - empty)) -le $((36 * 2000 * 925)) ]
	done
}

@test "cells of a map: 100,000,000, or --max-cells" {
	pgm() { printf 'P5 %d %d 255\n' "$1" "$2"; }
	local limit="20000 x 5001 are 100020000 cells, --max-cells is 100000000"
	pgm 20000 5000 | refuses "truncated" pb-mapgen -R 1 /dev/stdin
	pgm 20000 5001 | refuses "$limit" pb-mapgen -R 1 /dev/stdin
	pgm 20000 5001 |
		refuses truncated pb-mapgen --max-cells 200000000 -R 1 /dev/stdin
	pgm 3 4 | refuses "3 x 4 are 12 cells" \
		pb-mapgen --max-cells 11 -R 1 /dev/stdin
	# Each kind of map, and each tool.
	printf '{"type":"map","resolution":1,"width":20000,"height":5001,"rows":["."]}\n' \
		>"$dir/map.jsonl"
	for t in pb-pellets pb-ghost pb-localize "pb-sim --autostart" pb-bench \
		"pb-mapgen --info"; do
		# shellcheck disable=SC2086 # a list of words
		refuses "map: $limit" $t -q <"$dir/map.jsonl"
	done
	printf '{"info":{"resolution":1,"width":20000,"height":5001,"origin":{"position":{"x":0,"y":0},"orientation":{"z":0,"w":1}}},"data":[0]}\n' |
		refuses "info: $limit" pb-mapgen /dev/stdin
	printf 'type octile\nheight 3\nwidth 2\nmap\n..\n..\n..\n' >"$dir/m.map"
	refuses "2 x 3 are 6 cells" pb-mapgen -q --max-cells 5 "$dir/m.map"
	# Rows are as long as the longest.
	{
		times 20000 .
		times 5001 '\n'
		echo .
	} >"$dir/m.txt"
	refuses "20000 x 5002 are" pb-mapgen -q "$dir/m.txt"
	# 35 bytes that ask for 400 million pixels: their header is enough.
	png='\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\116\040\0\0\116\040\010\006\0\0\0'
	# shellcheck disable=SC2059 # escapes
	printf "$png" >"$dir/bomb.png"
	refuses "20000 x 20000 are 400000000 cells, --max-cells" \
		pb-mapgen -R 1 --info "$dir/bomb.png"
}

@test "--max-cells counts for maps that pb-mapgen makes, too" {
	few="pb-mapgen -q --max-cells"
	refuses "random-house: 280 x 220 are 61600 cells, --max-cells is 61599" \
		$few 61599 random-house
	refuses "pacman: 56 x 62 are 3472 cells" \
		$few 3471 pacman --as map --per 2
	refuses "roomba: 80 x 88 are 7040 cells" $few 7039 roomba --as map
	$few 7040 roomba --as map | jq -e '.width == 80'
	printf '..\n..\n' >"$dir/a.txt"
	pb-mapgen -q -R 1 --origin 9,0 "$dir/a.txt" -o "$dir/b.yaml"
	refuses "b.yaml: 11 x 2 are 22 cells" \
		$few 21 -R 1 --merge "$dir/b.yaml" "$dir/a.txt"
	$few 22 -R 1 --merge "$dir/b.yaml" "$dir/a.txt" | jq -e '.width == 11'
	{
		echo '{"type":"pose","x":0,"y":0,"theta":0}'
		echo '{"type":"scan","angle_min":0,"angle_increment":1,"range_max":9,"ranges":[4,4]}'
	} >"$dir/log"
	refuses "log:2: scan: with pose (0, 0), a side of the map has more than 20000 cells, or all of it more than --max-cells, 100" \
		$few 100 --from-log "$dir/log"
	refuses "log: with its margin, " $few 6000 --from-log "$dir/log"
	pb-mapgen -q --from-log "$dir/log" >"$dir/grown"
	n=$(jq '.width * .height' "$dir/grown")
	$few "$n" --from-log "$dir/log" | cmp - "$dir/grown"
}

@test "a file without an end: refused, with little memory" {
	small() { # WHAT COMMAND...: in 100 MB, where the build is no larger
		(
			! (ulimit -v 100000 && pb-score -V >/dev/null 2>&1) ||
				ulimit -v 100000
			refuses "$@"
		)
	}
	# Who comes late is waited for.
	mkfifo "$dir/late" "$dir/fifo"
	pb-pellets "$dir/late" 2>"$dir/waits" >"$dir/pellets" 3>&- &
	late=$!
	small "not a map file" pb-mapgen --info /dev/zero
	small "not a map file" pb-sim -m /dev/zero
	small "a NUL byte in the line" pb-score /dev/zero
	small "a NUL byte in the line" pb-bench -f /dev/zero
	{ printf '{"type":' && cat /dev/zero; } |
		small "not a map file" pb-sim -m /dev/stdin
	yes 'a: b' | small "larger than 1048576 bytes, too large for the YAML" \
		pb-sim -m /dev/stdin
	yes '<a>' | small "larger than 16777216 bytes, too large for a board" \
		pb-sim -m /dev/stdin
	cat testdata/house.yaml >"$dir/fifo" 3>&- &
	pb-sim -m "$dir/fifo" --autostart >"$dir/out" 2>"$dir/err" && false
	grep -q 'image: there is no file\|cannot open' "$dir/err"
	cat $flat >"$dir/late"
	wait "$late"
	grep -q '"type":"pellets"' "$dir/pellets"
	[ ! -s "$dir/waits" ]
}

@test "map: memory for what is known of it, not for its image" {
	(ulimit -v 100000 && pb-sim -V >/dev/null 2>&1) ||
		skip "this build needs more memory"
	unknown() { times "$1" '\315'; }
	row() { unknown 1950 && printf '\0' && times 98 "$1" && printf '\0' && unknown 1950; }
	row '\0' >"$dir/wall"
	row '\376' >"$dir/free"
	unknown $((4000 * 1950)) >"$dir/unknown"
	{
		printf 'P5 4000 4000 255\n' && cat "$dir/unknown" "$dir/wall"
		yes "$dir/free" | head -n 98 | xargs cat
		cat "$dir/wall" "$dir/unknown"
	} >"$dir/large.pgm"
	printf 'image: large.pgm\nresolution: 0.05\norigin: [-100, -100, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n' \
		>"$dir/large.yaml"
	ulimit -v 150000
	pb-sim -q -m "$dir/large.yaml" -a -s 1 --set duration=20 >"$dir/out"
	grep -q '"type":"result"' "$dir/out"
	pb-bench -q -m "$dir/large.yaml" -j 2 -n 1 -p seed,safe |
		grep -c '"type":"result"' | grep -x 2
	pb-mapgen -q "$dir/large.yaml" | pb-ghost -q --duration 1 >/dev/null
}

@test "board: 64 cells a side, 32 for games of robots" {
	maze() {
		printf '{"type":"maze","rows":["%s"]}\n' "$(times "$1" .)"
	}
	maze 64 | takes pb-mapgen
	maze 65 | refuses "64" pb-mapgen
	board() {
		printf '{"type":"maze","start":{"row":0,"col":0},"rows":["%s"]}\n' \
			"$(times "$1" .)"
	}
	board 32 | takes pb-bench -q -n 1 -r roomba --set 'ghosts=0 limit=5' -m /dev/stdin
	board 33 | refuses "32 x 32" \
		pb-bench -q -n 1 -r roomba --set 'ghosts=0 limit=5' -m /dev/stdin
}

@test "a line: 67,108,864 bytes, or --max-line" {
	times 67108864 a >"$dir/part"
	line() { # BYTES, with its end
		cat $flat
		printf '{"type":"x","s":"'
		cat "$dir"/part{,} | head -c $(($1 - 20))
		echo '"}'
	}
	line 67108864 >"$dir/most"
	[ "$(pb-pellets -q "$dir/most" | tail -n 1 | wc -c)" -eq 67108864 ]
	long="more than 67108864 bytes, see --max-line"
	line 67108865 | refuses "$long" pb-pellets -q
	line 67108865 | takes pb-pellets -q --max-line 67108865
	line 100 | refuses "more than 99 bytes" pb-pellets -q --max-line 99
	# What follows a refused line is read on.
	(echo '{"type":"y","s":"'; cat "$dir/part"; echo; cat $flat) |
		pb-pellets -q -k 2>"$dir/err" >"$dir/out" || [ $? -eq 1 ]
	[ "$(jq -r .type "$dir/out" | head -n 1)" = map ]
}

@test "an endless line is refused before it takes 150 MB" {
	(ulimit -v 100000 && pb-score -V >/dev/null 2>&1) ||
		skip "this build needs more memory"
	ulimit -v 300000
	(yes a | tr -d '\n') | refuses "more than 67108864 bytes" pb-pellets -q
	(yes a | tr -d '\n') | refuses "more than 67108864 bytes" pb-score -q
}

@test "lists: 1,000,000 items" {
	scan() {
		cat $flat
		printf '{"type":"scan","t":0,"angle_min":0,"angle_increment":0.1,'
		printf '"ranges":[%s1]}\n' "$(yes 1, | head -n $(($1 - 1)) | tr -d '\n')"
	}
	scan 1000000 | takes pb-localize -q -a odom
	scan 1000001 | refuses "1000000 items" pb-localize -q -a odom
}

@test "pellets of a round: 4,096" {
	pellets() {
		cat $flat
		awk -v n="$1" 'BEGIN {
			printf "{\"type\":\"pellets\",\"pellets\":["
			for (i = 0; i < n; i++)
				printf "%s{\"id\":%d,\"x\":1,\"y\":1}", i ? "," : "", i
			print "]}"
		}'
	}
	pellets 4096 | takes pb-sim -q --autostart --set duration=1
	pellets 4097 | refuses "4096 pellets" pb-sim -q --autostart
}

@test "nesting: 2,048 deep" {
	deep() {
		cat $flat
		printf '{"type":"x","v":%s%s}\n' "$(times "$1" '[')" \
			"$(times "$1" ']')"
	}
	deep 2047 | takes pb-pellets -q
	deep 2048 | refuses "nested more than 2048 deep" pb-pellets -q
	{
		printf 'image: a\nresolution: 1\norigin: [0, 0, 0]\nx: '
		times 1001 '['
	} | refuses "1000 brackets" pb-mapgen /dev/stdin
}

@test "numbers of any length, members of any number" {
	number() {
		cat $flat
		printf '{"type":"x","t":1,"v":[1,0.%s,%s],"s":"%s"}\n' \
			"$(times "$1" 7)" "$(times "$1" 7)" "$(times 5000 7)"
	}
	number 100000 | takes pb-pellets -q
	members() {
		cat $flat
		awk -v n="$1" 'BEGIN {
			printf "{\"type\":\"x\""
			for (i = 0; i < n; i++)
				printf ",\"k%d\":%d", i, i
			print "}"
		}'
	}
	members 5000 >"$dir/in"
	pb-pellets -q "$dir/in" | tail -n 1 | cmp - <(tail -n 1 "$dir/in")
	members 5000 | sed 's/"k4999"/"k77"/' | refuses twice pb-pellets -q
}

@test "a number beyond the range of a double is refused where it is read" {
	foo='{"type":"foo","x":1e999,"t":-1e400}'
	echo "$foo" | pb-score -q | cmp - <(echo "$foo")
	echo '{"type":"pose","t":0,"id":"robot","x":1e999,"y":1}' |
		refuses "pose.x: expected a number, got a number beyond the range of a double" \
		pb-score -q
}

@test "names: 31 bytes" {
	pose() {
		cat $flat
		printf '{"type":"pose","t":0,"id":"%s","x":1,"y":1}\n' \
			"$(times "$1" i)"
	}
	pose 31 | takes pb-score -q
	pose 32 | refuses "31 bytes" pb-score -q
}

# LARGEST OPTION TOOL ..., as in the table of pb.7.
@test "options: one more than the largest is refused" {
	while read -r max o t; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr $t "--$o=$((max + 1))"
		[[ $stderr = "${t%% *}: --$o: expected a whole number from"*" to $max, got"* ]]
	done <<-'END'
		1000000 particles pb-localize
		1000000000 trials pb-bench
		1024 jobs pb-bench
	END
}

# LARGEST CONSTANT TOOL ..., as in the table of pb.7.
@test "constants: one more than the largest is refused" {
	while read -r max o t; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr $t --set "$o=$((max + 1))"
		[[ $stderr = "${t%% *}: --set: $o: expected a whole number from"*" to $max, got"* ]]
	done <<-'END'
		1000000 mcl-particles pb-localize -a mcl
		1000000 particle-particles pb-localize -a particle
		512 mcl-beams pb-localize -a mcl
		4000 lidar-beams pb-sim --sensors lidar
		64 tof-rays pb-sim --sensors tof4
		8 patrols pb-sim -r zumy
	END
}

@test "a number beyond 64 bits that nobody reads spoils no other" {
	line='"type":"result","rules":"pacbot","policy":"x","outcome":"complete"'
	printf '{%s,"seed":7,"trial":5,"mine":99999999999999999999}\n' "$line" |
		pb-bench -q --from | jq -e 'select(.type == "summary") |
			.seed == 7 and .n == 1'
	run -1 pb-bench -q --from <(printf \
		'{%s,"seed":99999999999999999999,"trial":5}\n' "$line")
}

@test "stack: 256 KB are enough" {
	! nm "$build/pb-sim" | grep -q '__asan\|__tsan' || skip "a sanitizer"
	ulimit -s 256
	pb-sim -q -r pacbot -p search --set 'nodes=100 lives=1' >"$dir/out"
	pb-sim -q -r roomba --set limit=60 >"$dir/out"
	pb-sim -q -r zumy >"$dir/out"
	pb-sim -q -a -p safe $flat >"$dir/out"
	pb-sim -q -a -m testdata/house.yaml --localizer mcl --set duration=10 \
		>"$dir/out"
	pb-localize -q -m testdata/house.yaml testdata/house.log.gz >"$dir/out"
	pb-mapgen -q --slam testdata/house.log.gz >"$dir/out"
	pb-bench -q -n 2 -p seed $flat --table >"$dir/out"
	pb-mapgen --render testdata/house.yaml >"$dir/out"
}
