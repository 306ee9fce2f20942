#!/usr/bin/env bats
# pb-mapgen: reading, dialects, writing, linting, checking, drawing, streams.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	PATH="$PWD/${O:-build}:$PATH"
	tmp=$BATS_TEST_TMPDIR
}

# A map of five pixels in a folder with a blank in its name: free, unknown,
# wall, half, free; then what else its YAML says.
five() {
	mkdir -p "$tmp/a b"
	printf 'P5\n# saved\n5 1\n255\n\376\315\000\200\377' >"$tmp/a b/m 1.pgm"
	printf 'image: m 1.pgm\nresolution: 0.05\norigin: [1, 2, 0]\n%b' \
		"$1" >"$tmp/a b/m.yaml"
}

row() { jq -r '.rows[0] // (.data | map(tostring) | join(","))'; }

@test "golden: the sample house is what its seed makes, and reads back" {
	pb-mapgen random-house -S 10,8 -R 0.05 -s 1 >"$tmp/made"
	pb-mapgen testdata/house.yaml >"$tmp/read"
	cmp "$tmp/made" "$tmp/read"
	pb-mapgen "$tmp/read" | cmp - "$tmp/read"
	pb-mapgen <"$tmp/read" | cmp - "$tmp/read"
}

@test "every kind of file that is written reads back as the same map" {
	pb-mapgen testdata/house.yaml --origin=1.23456789012345,-2e-7,0.7 \
		-R 0.0888888888888889 >"$tmp/want"
	for kind in yaml yml pgm png; do
		pb-mapgen "$tmp/want" -o "$tmp/$kind.$kind"
		y=$tmp/$kind.yaml
		[ $kind = yml ] && y=$tmp/yml.yml
		pb-mapgen --name house "$y" | cmp - "$tmp/want"
		pb-mapgen --lint "$y" | grep -v ': yaw: ' && false
	done
	for kind in txt map; do
		pb-mapgen "$tmp/want" --trim --coarsen 4 >"$tmp/small"
		pb-mapgen "$tmp/small" -o "$tmp/x.$kind" 2>"$tmp/err" || true
		pb-mapgen -q "$tmp/x.$kind" | jq -c .rows >"$tmp/rows"
		if [ $kind = map ]; then
			grep -q 'cannot keep the values of' "$tmp/err"
			jq -c '.rows | map(gsub("[?]";"#"))' "$tmp/small"
		else
			jq -c .rows "$tmp/small"
		fi | cmp - "$tmp/rows"
	done
}

@test "values between free and occupied survive a save" {
	five 'mode: scale\nfree_thresh: 0.1\noccupied_thresh: 0.9\n'
	pb-mapgen "$tmp/a b/m.yaml" >"$tmp/want"
	jq -e '.data == [0,-1,100,50,0]' "$tmp/want"
	for kind in pgm png; do
		pb-mapgen "$tmp/want" -o "$tmp/m.$kind"
		grep -q 'mode: raw' "$tmp/m.yaml"
		for d in pb ros1 ros1-99 nav2-2024 nav2 opencv; do
			pb-mapgen --compat $d "$tmp/m.yaml" | cmp - "$tmp/want"
		done
	done
}

@test "pictures have the same bytes each time" {
	for i in 1 2; do
		pb-mapgen testdata/house.yaml -o "$tmp/$i.png"
		pb-mapgen testdata/house.yaml --png "$tmp/p$i.png"
	done
	cmp "$tmp/1.png" "$tmp/2.png"
	cmp "$tmp/p1.png" "$tmp/p2.png"
	head -c 8 "$tmp/p1.png" | od -An -c | grep -q 'P   N   G'
}

@test "205 is unknown by default, with a warning that counts" {
	five 'free_thresh: 0.25\n'
	run --separate-stderr pb-mapgen "$tmp/a b/m.yaml"
	[ "$status" -eq 0 ]
	[ "$(echo "$output" | row)" = '.?#?.' ]
	[[ "$stderr" == *"m.yaml: warning: free_thresh 0.25 would make 1 cells (20.0 %)"* ]]
	[ "$(pb-mapgen -q "$tmp/a b/m.yaml" 2>&1 >/dev/null)" = '' ]
	for d in ros1 ros1-99 nav2-2024 nav2 opencv; do
		[ "$(pb-mapgen --compat $d "$tmp/a b/m.yaml" | row)" = '..#?.' ]
	done
	pb-mapgen --compare pb,nav2 "$tmp/a b/m.yaml" | grep -x 'pb nav2 1 of 5 20.0'
	[ "$(pb-mapgen --compare all "$tmp/a b/m.yaml" | wc -l)" -eq 15 ]
}

@test "--free-above is the published pixel rule" {
	five 'free_thresh: 0.25\n'
	pb-mapgen --free-above 250 "$tmp/a b/m.yaml" 2>&1 | row | grep -Fx '.?#?.'
	pb-mapgen --free-above 254 "$tmp/a b/m.yaml" 2>&1 | row | grep -Fx '??#?.'
	pb-mapgen --free-above 127 "$tmp/a b/m.yaml" 2>&1 | row | grep -Fx '..#..'
}

@test "YAML in the wild: block lists, bools, no final newline, extra keys" {
	five 'negate: false\nfoo: {a: [1]}\nmode: trinary'
	pb-mapgen "$tmp/a b/m.yaml" | row | grep -Fx '.?#?.'
	printf 'negate: true\norigin:\n- 1\n- -2.5\n- 3.5\nresolution: 5e-2\n%s' \
		'image: "m 1.pgm"' >"$tmp/a b/n.yaml"
	pb-mapgen "$tmp/a b/n.yaml" >"$tmp/n"
	row <"$tmp/n" | grep -Fx '##.?#'
	jq -e '.origin[1] == -2.5 and (.origin[2] + 2.7831853 | fabs) < 1e-6' "$tmp/n"
	printf 'image: %s\nresolution: 1\norigin: [0,0,0]\n' \
		"$tmp/a b/m 1.pgm" >"$tmp/abs.yaml"
	pb-mapgen "$tmp/abs.yaml" | row | grep -Fx '.?#?.'
}

@test "an image alone needs a resolution" {
	five ''
	run -1 --separate-stderr pb-mapgen "$tmp/a b/m 1.pgm"
	[[ "$stderr" == *"give --resolution" ]]
	pb-mapgen -R 0.1 --origin 1,2 "$tmp/a b/m 1.pgm" |
		jq -e '.resolution == 0.1 and .origin == [1,2,0]'
}

@test "a map file on standard input is /dev/stdin" {
	five ''
	pb-mapgen -R 1 /dev/stdin <"$tmp/a b/m 1.pgm" | row | grep -Fx '.?#?.'
	cd testdata
	pb-mapgen --lint <house.yaml
	sed 's/trinary/ternary/' house.yaml >"$tmp/t.yaml"
	run -1 pb-mapgen --lint <"$tmp/t.yaml"
	[[ "$output" == "/dev/stdin:2: bad-mode: "* ]]
}

@test "an OccupancyGrid as rosbridge writes it" {
	printf '%s' '{"op":"publish","topic":"/map","msg":{"info":{' \
		'"resolution":0.05,"width":2,"height":2,"origin":{' \
		'"position":{"x":1,"y":-2,"z":0},' \
		'"orientation":{"x":0,"y":0,"z":0,"w":1}}},' \
		'"data":[0,100,-1,50]}}' >"$tmp/og.json"
	pb-mapgen "$tmp/og.json" | jq -ce '.origin == [1,-2,0] and
	    .data == [0,100,-1,50] and .name == "og"'
	jq .msg "$tmp/og.json" >"$tmp/bare.json"
	pb-mapgen --name og "$tmp/bare.json" | cmp - <(pb-mapgen "$tmp/og.json")
	sed 's/"width":2/"width":3/' "$tmp/og.json" >"$tmp/bad.json"
	run -1 --separate-stderr pb-mapgen "$tmp/bad.json"
	[[ "$stderr" == *"bad.json: msg.data: expected 6 cells"* ]]
}

@test "text maps: rows and MovingAI" {
	printf '####\n#. ?\n###\n\n' >"$tmp/m.txt"
	run --separate-stderr pb-mapgen "$tmp/m.txt"
	[[ "$stderr" == *"a cell is 1 m (see pb-mapgen --resolution)" ]]
	echo "$output" | jq -e '.rows == ["####","#..?","###?"]'
	printf 'type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.GS\r\n@TW\r\n' >"$tmp/m.map"
	pb-mapgen -R 2 "$tmp/m.map" | jq -e '.rows == ["...","###"] and .resolution == 2'
}

@test "bad map files: one line that names the place, status 1, no output" {
	for err in testdata/bad/maps/*.err; do
		run -1 --separate-stderr pb-mapgen "${err%.err}"
		[ "$output" = '' ]
		[ "$stderr" = "$(cat "$err")" ]
	done
	[ "$(ls testdata/bad/maps/*.err | wc -l)" -ge 20 ]
}

@test "several sources: making stops at the first that fails, -k goes on" {
	bad=testdata/bad/maps/mode.yaml
	run -1 --separate-stderr pb-mapgen pacman $bad outer
	[ "${#lines[@]}" -eq 1 ]
	run -1 --separate-stderr pb-mapgen -k pacman $bad outer
	[ "${#lines[@]}" -eq 2 ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	run -1 --separate-stderr pb-mapgen --info $bad testdata/house.yaml
	[ "${lines[0]}" = 'name: house' ]
	printf '#?#\n' >"$tmp/m.txt"
	run -1 --separate-stderr pb-mapgen -q --validate "$tmp/m.txt" outer
	[ "$stderr" = "pb-mapgen: $tmp/m.txt: no free cell" ]
	[ "$output" = '' ]
	pb-mapgen --validate testdata/house.yaml outer
}

@test "maps cut short anywhere are refused or read, nothing else" {
	pb-mapgen testdata/house.yaml --coarsen 20 -o "$tmp/m.png"
	cp "$tmp/m.png" "$tmp/whole.png"
	size=$(wc -c <"$tmp/whole.png")
	for n in 0 1 7 8 20 40 60 $((size - 13)) $((size - 1)); do
		head -c "$n" "$tmp/whole.png" >"$tmp/m.png"
		run -1 --separate-stderr pb-mapgen "$tmp/m.yaml"
		[ "$output" = '' ]
		[ "${#stderr_lines[@]}" -eq 1 ]
	done
}

@test "--lint names each trap and exits 1; a sound map is silent" {
	run -0 pb-mapgen --lint testdata/house.yaml
	[ "$output" = '' ]
	five 'free_thresh: 0.25\n'
	run -1 --separate-stderr pb-mapgen --lint "$tmp/a b/m.yaml"
	[[ "$output" == *"m.yaml:4: unknown-is-free: "*"1 cells (20.0 %)"* ]]
	[[ "$output" == *": no-mode: "* ]]
	[[ "$output" == *": no-negate: "* ]]
	[[ "$output" == *": no-thresholds: occupied_thresh"* ]]
	[ "$stderr" = '' ]
	printf 'image: gone.pgm\nresolution: 0.089\norigin: [0, 0, 0.5]\n' >"$tmp/t.yaml"
	run -1 pb-mapgen --lint "$tmp/t.yaml"
	[[ "$output" == *"t.yaml:1: missing-image: "* ]]
	[[ "$output" == *"t.yaml:2: rounded-resolution: 0.089 "* ]]
	[[ "$output" == *"t.yaml:3: yaw: "* ]]
	run -1 pb-mapgen --lint testdata/bad/maps/origin-nan.yaml
	[[ "$output" == *":3: bad-origin: origin[1]: "* ]]
	run -1 pb-mapgen --lint testdata/bad/maps/thresholds-swapped.yaml
	[[ "$output" == *": bad-thresholds: "* ]]
	run -1 pb-mapgen --lint testdata/bad/maps/short-pgm.yaml testdata/house.yaml
	[[ "$output" == *"short.pgm: bad-image: truncated"* ]]
	printf 'P5\n2 1\n15\n\0\0abc' >"$tmp/x.pgm"
	run -1 pb-mapgen --lint "$tmp/x.pgm"
	[[ "$output" == *": depth: white is 15"* ]]
	[[ "$output" == *": size-mismatch: 3 bytes"* ]]
	[[ "$output" == *": no-free: "* ]]
}

@test "a full disk: status 3, nothing half written" {
	mkdir "$tmp/d"
	ln -s /dev/full "$tmp/d/h.pgm"
	run -3 --separate-stderr pb-mapgen testdata/house.yaml -o "$tmp/d/h.yaml"
	[ "${#stderr_lines[@]}" -eq 1 ]
	[ "$(ls "$tmp/d")" = h.pgm ]
	ln -s /dev/full "$tmp/d/p.png"
	run -3 pb-mapgen testdata/house.yaml -o "$tmp/d/p.png"
	[ ! -e "$tmp/d/p.yaml" ]
	run -3 pb-mapgen testdata/house.yaml -o "$tmp/none/h.yaml"
	run -3 sh -c 'pb-mapgen testdata/house.yaml >/dev/full'
	pb-mapgen testdata/house.yaml -o "$tmp/d/old.txt"
	cp "$tmp/d/old.txt" "$tmp/old"
	chmod 600 "$tmp/d/old.txt"
	pb-mapgen testdata/house.yaml --coarsen 2 -o "$tmp/d/old.txt"
	[ "$(stat -c %a "$tmp/d/old.txt")" = 600 ]
	[ "$(ls -A "$tmp/d")" = "$(printf 'h.pgm\nold.txt\np.png')" ]
}

@test "a stream passes byte for byte; changes replace the map alone" {
	{
		printf '{"type":"map", "name":"m","resolution":1,"width":3,'
		printf '"height":2,"origin":[0,0,0],"rows":["#.?","..?"]}\n'
		printf '{"type":"strange",  "a":1}\n\n'
		printf '{"type":"pose","t":1,"id":"robot","x":1,"y":1,"theta":0}'
	} >"$tmp/s"
	{ cat "$tmp/s"; echo; } >"$tmp/whole"
	pb-mapgen <"$tmp/s" | cmp - "$tmp/whole"
	pb-mapgen --trim <"$tmp/s" >"$tmp/t"
	tail -n +2 "$tmp/t" | cmp - <(tail -n +2 "$tmp/whole")
	head -1 "$tmp/t" | jq -e '.width == 2 and .rows == ["#.",".."]'
	pb-mapgen --crop 0,0,1,1 <"$tmp/s" | head -1 |
		jq -e '.rows == ["."] and .origin == [0,0,0]'
	pb-mapgen --coarsen 2 --name big - <"$tmp/s" | head -1 |
		jq -e '.rows == ["#?"] and .resolution == 2 and .name == "big"'
	pb-mapgen --origin 2,0,1.5707963267948966 --straighten <"$tmp/s" |
		head -1 | jq -ce '.rows == ["??","..","#."] and
		    .origin == [0,0,0]'
	pb-mapgen --validate "$tmp/s"
	pb-mapgen <(cat "$tmp/s") | cmp - "$tmp/whole"
	pb-mapgen <(cat "$tmp/s") <(cat "$tmp/s") | cmp - \
		<(cat "$tmp/whole" "$tmp/whole")
	run -1 --separate-stderr pb-mapgen --info <<<'{"type":"strange"}'
	[[ "$stderr" == *"expected a map or maze record, got none" ]]
}

@test "--info counts cells and pieces" {
	printf '#####\n#.#.#\n#.#.?\n#####\n' >"$tmp/m.txt"
	pb-mapgen -R 0.5 --info "$tmp/m.txt" >"$tmp/info"
	grep -Fx 'size: 5 x 4 cells' "$tmp/info"
	grep -Fx 'extent: 2.5 x 2 m' "$tmp/info"
	grep -Fx 'free: 4 cells, 20.0 %, 1.00 m2' "$tmp/info"
	grep -Fx 'unknown: 1 cells, 5.0 %, 0.25 m2' "$tmp/info"
	grep -Fx 'pieces: 2, largest 2 cells, 50.0 % of free' "$tmp/info"
	for s in 1 2 3; do
		pb-mapgen random-house -s $s --info | grep '^pieces: 1,'
	done
}

@test "grids: names, mazes, rules" {
	pb-mapgen --list | grep -x pacman
	for g in pacman playground outer blank; do
		pb-mapgen "$g" | jq -e ".type == \"maze\" and .name == \"$g\""
		pb-mapgen --check "$g"
	done
	run -1 --separate-stderr pb-mapgen --check open
	[[ "$stderr" == *"open: rule 5: 2 x 2 square of walkable cells at (1, 1)" ]]
	pb-mapgen outer -o "$tmp/outer.png"
	pb-mapgen "$tmp/outer.yaml" --as maze |
		jq -c .rows | cmp - <(pb-mapgen outer |
			jq -c '.rows | map(gsub("[^#]"; "."))')
	pb-mapgen pacman --as map --per 2 |
		jq -e '.width == 56 and .resolution == 0.04445'
	for s in 1 2 3 4 5 6 7 8 9; do
		pb-mapgen random-maze -s $s >"$tmp/$s"
		pb-mapgen --check "$tmp/$s"
		pb-mapgen random-maze -s $s | cmp - "$tmp/$s"
	done
	! cmp -s "$tmp/1" "$tmp/2"
	printf '######\n#....#\n#.##.#\n#.##.#\n#....#\n######\n' >"$tmp/m.txt"
	run -0 pb-mapgen -q --check "$tmp/m.txt"
	printf '#####\n#...#\n#.#.#\n#...#\n#####\n' >"$tmp/m.txt"
	run -1 --separate-stderr pb-mapgen -q --check "$tmp/m.txt"
	[[ "$stderr" == *"m.txt: rule 7: "*"(2, 2)" ]]
	run -1 --separate-stderr pb-mapgen --check testdata/house.yaml
	[[ "$stderr" == *"200 x 160 cells; a maze has at most 64 x 64" ]]
}

@test "draws maps and streams in the terminal" {
	printf '####\n#..#\n####\n' >"$tmp/m.txt"
	pb-mapgen -q "$tmp/m.txt" --render --style ascii --no-axes --no-legend \
		--width 8 | grep -q '##'
	{
		pb-mapgen -q "$tmp/m.txt"
		echo '{"type":"pose","t":0,"id":"robot","x":1.5,"y":1.5,"theta":0}'
	} | pb-mapgen --render --style ascii --width 40 | grep -q '>'
}

@test "the command line is refused with status 2 and nothing written" {
	for bad in '--compat ros9' '--free-above 255' '--lint --check' \
		'-o x.bmp testdata/house.yaml' '--compare ros1' \
		'--compare ros1,ros1' 'random-house -S 1,1' \
		'random-maze -S 3,3' '--crop 1,1,0,0' '--coarsen 0' \
		'--png a.png -o a.png' '-o a.png pacman outer' '--power 99'; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr pb-mapgen $bad </dev/null
		[ "$output" = '' ]
		[ "${#stderr_lines[@]}" -ge 1 ]
	done
	[ ! -e a.png ]
}

@test "the published house: the trap is named, its pellets are right" {
	house=../shared/data/maps/house
	[ -d "$house" ] || skip 'no published map here'
	run -1 pb-mapgen --lint "$house/map_01.yaml"
	[[ "$output" == *":8: unknown-is-free: "*"83509 cells (65.0 %)"* ]]
	pb-mapgen -q "$house/map_01.yaml" --free-above 250 >"$tmp/a"
	pb-mapgen -q "$house/map_01.yaml" >"$tmp/b"
	cmp "$tmp/a" "$tmp/b"
	command -v pb-pellets >/dev/null || skip 'pb-pellets is not built'
	pb-pellets <"$tmp/b" | jq -c 'select(.type=="pellets").pellets[] |
	    [.id, (.x*1000|round), (.y*1000|round)]' >"$tmp/got"
	jq -c '(.pellets // .)[] | [.id, (.x*1000|round), (.y*1000|round)]' \
		"$house/expected-pellets.json" | cmp - "$tmp/got"
}

# Run pb-mapgen: status $1, nothing on stdout, $2 on stderr.
refused() {
	status=$1 text=$2
	shift 2
	run -"$status" --separate-stderr pb-mapgen "$@"
	[ -z "$output" ]
	[[ "$stderr" == *"$text"* ]]
}

@test "what cannot be made says its bounds" {
	refused 2 '--size: expected from 3.74 to 500 m' random-house -S 1,1
	refused 2 '--size: expected from 3.74 to 500 m' random-house -S 9,501
	refused 2 'has more than 20000 cells' random-house -S 400,9 -R 0.01
	refused 2 '--resolution: expected from 0.005 to 0.2 m' \
		random-house -R 1
	refused 2 '--clearance: expected at most half of --door' \
		random-house --clearance 0.7
	refused 2 '--size: expected from 5 to 64 cells' random-maze -S 4,9
	refused 2 '--resolution: expected at least 1e-06' pacman -R 1e-300
}

@test "a box beside the map and a map of nothing are refused by name" {
	refused 1 'nothing of the map lies in the box of --crop' \
		testdata/house.yaml --crop 1000,1000,1001,1001
	printf '??\n??\n' >"$tmp/dark.txt"
	refused 1 'all cells are unknown: nothing for --trim' \
		-q "$tmp/dark.txt" --trim
}

# Boards: a drawing, integers, KML.

@test "boards read back from their own kinds of files" {
	for b in roomba zumy random-roomba random-zumy; do
		pb-mapgen "$b" >"$tmp/$b"
		for kind in board kml; do
			pb-mapgen "$b" -o "$tmp/x.$kind"
			pb-mapgen "$tmp/x.$kind" --name "$b" >"$tmp/back"
			# A roomba's cells are 0.43 m, also where nobody says it.
			cmp "$tmp/$b" "$tmp/back"
		done
	done
	pb-mapgen zumy -o "$tmp/x.zumy"
	[ "$(tail -n 1 "$tmp/x.zumy")" = "$(printf '0 1 0 1 1 0 1 0 0 1')" ]
	cp "$tmp/x.zumy" "$tmp/map.txt"
	pb-mapgen "$tmp/map.txt" | jq -e '.type == "maze" and .rows[2][8:9] == "G"'
}

@test "a board is a map with walls" {
	pb-mapgen roomba --as map | jq -e \
	    '.width == 80 and .height == 88 and .resolution == 0.05375'
	pb-mapgen roomba --render | grep -q 'roomba  89 pellets'
	run ! pb-mapgen roomba --as map --per 2
}

@test "bad boards are refused with line and column" {
	printf '+---+\n| x |\n+---+\n' >"$tmp/b.board"
	refused 1 'b.board:2: column 3: expected one of' "$tmp/b.board"
	printf '0 0\n0 0 0\n' >"$tmp/b.zumy"
	refused 1 'b.zumy:2: expected as many numbers' "$tmp/b.zumy"
	printf '<kml>\n<a>\n</kml>\n' >"$tmp/b.kml"
	refused 1 'b.kml:3: mismatched tag' "$tmp/b.kml"
	printf '<kml></kml>\n' >"$tmp/b.kml"
	refused 1 'b.kml: expected a Point called origin' "$tmp/b.kml"
	refused 2 '--size: expected from 3 to 32 cells' random-zumy -S 2,9
	refused 2 '--power: expected at most 4' random-roomba --power 5
}
