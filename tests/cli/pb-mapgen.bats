#!/usr/bin/env bats
# pb-mapgen: reading, dialects, writing, linting, checking, drawing, streams.

load mapgen

# A map of five pixels in a folder with a blank in its name: free, unknown,
# wall, half, free; then what else its YAML says.
five() {
	mkdir -p "$dir/a b"
	printf 'P5\n# saved\n5 1\n255\n\376\315\000\200\377' >"$dir/a b/m 1.pgm"
	printf 'image: m 1.pgm\nresolution: 0.05\norigin: [1, 2, 0]\n%b' \
		"$1" >"$dir/a b/m.yaml"
}

row() { jq -r '.rows[0] // (.data | map(tostring) | join(","))'; }

@test "golden: the sample house is what its seed makes, and reads back" {
	pb-mapgen random-house -S 10,8 -R 0.05 -s 1 >"$dir/made"
	pb-mapgen testdata/house.yaml >"$dir/read"
	cmp "$dir/made" "$dir/read"
	pb-mapgen "$dir/read" | cmp - "$dir/read"
	pb-mapgen <"$dir/read" | cmp - "$dir/read"
}

@test "every kind of file that is written reads back as the same map" {
	pb-mapgen testdata/house.yaml --origin=1.23456789012345,-2e-7,0.7 \
		-R 0.0888888888888889 >"$dir/want"
	for kind in yaml yml pgm png; do
		pb-mapgen "$dir/want" -o "$dir/$kind.$kind"
		y=$dir/$kind.yaml
		[ $kind = yml ] && y=$dir/yml.yml
		pb-mapgen --name house "$y" | cmp - "$dir/want"
		pb-mapgen --lint "$y" | grep -v ': yaw: ' && false
	done
	for kind in txt map; do
		pb-mapgen "$dir/want" --crop=2,2,5,5 >"$dir/small"
		pb-mapgen "$dir/small" -o "$dir/x.$kind" 2>"$dir/err" || true
		pb-mapgen -q "$dir/x.$kind" | jq -c .rows >"$dir/rows"
		if [ $kind = map ]; then
			grep -q 'cannot keep the values of' "$dir/err"
			jq -c '.rows | map(gsub("[?]";"#"))' "$dir/small"
		else
			jq -c .rows "$dir/small"
		fi | cmp - "$dir/rows"
	done
}

@test "values between free and occupied survive a save" {
	five 'mode: scale\nfree_thresh: 0.1\noccupied_thresh: 0.9\n'
	pb-mapgen "$dir/a b/m.yaml" >"$dir/want"
	jq -e '.data == [0,12,100,50,0]' "$dir/want"
	for kind in pgm png; do
		pb-mapgen "$dir/want" -o "$dir/m.$kind"
		grep -q 'mode: raw' "$dir/m.yaml"
		for d in pb ros1 ros1-99 nav2-2024 nav2 opencv; do
			pb-mapgen --compat $d "$dir/m.yaml" | cmp - "$dir/want"
		done
	done
}

@test "pictures have the same bytes each time" {
	for i in 1 2; do
		pb-mapgen testdata/house.yaml -o "$dir/$i.png"
		pb-mapgen testdata/house.yaml --png "$dir/p$i.png"
	done
	cmp "$dir/1.png" "$dir/2.png"
	cmp "$dir/p1.png" "$dir/p2.png"
	head -c 8 "$dir/p1.png" | od -An -c | grep -q 'P   N   G'
}

@test "205 is unknown by default, with a warning that counts" {
	five 'free_thresh: 0.25\n'
	run --separate-stderr pb-mapgen "$dir/a b/m.yaml"
	[ "$status" -eq 0 ]
	[ "$(echo "$output" | row)" = '.?#?.' ]
	[[ "$stderr" == *"m.yaml: warning: free_thresh 0.25 would make 1 cells (20.0 %)"* ]]
	[ "$(pb-mapgen -q "$dir/a b/m.yaml" 2>&1 >/dev/null)" = '' ]
	for d in ros1 ros1-99 nav2-2024 nav2 opencv; do
		[ "$(pb-mapgen --compat $d "$dir/a b/m.yaml" | row)" = '..#?.' ]
	done
}

@test "--free-above is the published pixel rule" {
	five 'free_thresh: 0.25\n'
	pb-mapgen --free-above 250 "$dir/a b/m.yaml" 2>&1 | row | grep -Fx '.?#?.'
	pb-mapgen --free-above 254 "$dir/a b/m.yaml" 2>&1 | row | grep -Fx '??#?.'
	pb-mapgen --free-above 127 "$dir/a b/m.yaml" 2>&1 | row | grep -Fx '..#..'
}

@test "YAML in the wild: block lists, bools, no final newline, extra keys" {
	five 'negate: false\nfoo: {a: [1]}\nmode: trinary'
	pb-mapgen "$dir/a b/m.yaml" | row | grep -Fx '.?#?.'
	printf 'negate: true\norigin:\n- 1\n- -2.5\n- 3.5\nresolution: 5e-2\n%s' \
		'image: "m 1.pgm"' >"$dir/a b/n.yaml"
	pb-mapgen "$dir/a b/n.yaml" >"$dir/n"
	row <"$dir/n" | grep -Fx '##.?#'
	jq -e '.origin[1] == -2.5 and (.origin[2] + 2.7831853 | fabs) < 1e-6' "$dir/n"
	printf 'image: %s\nresolution: 1\norigin: [0,0,0]\n' \
		"$dir/a b/m 1.pgm" >"$dir/abs.yaml"
	pb-mapgen "$dir/abs.yaml" | row | grep -Fx '.?#?.'
}

@test "an image alone needs a resolution" {
	five ''
	run -1 --separate-stderr pb-mapgen "$dir/a b/m 1.pgm"
	[[ "$stderr" == *"give pb-mapgen --resolution" ]]
	pb-mapgen -R 0.1 --origin 1,2 "$dir/a b/m 1.pgm" |
		jq -e '.resolution == 0.1 and .origin == [1,2,0]'
}

@test "a map file on standard input is /dev/stdin" {
	five ''
	pb-mapgen -R 1 /dev/stdin <"$dir/a b/m 1.pgm" | row | grep -Fx '.?#?.'
	cd testdata
	pb-mapgen --lint <house.yaml
	sed 's/trinary/ternary/' house.yaml >"$dir/t.yaml"
	run -1 pb-mapgen --lint <"$dir/t.yaml"
	[[ "$output" == "/dev/stdin:2: bad-mode: "* ]]
}

@test "an OccupancyGrid as rosbridge writes it" {
	printf '%s' '{"op":"publish","topic":"/map","msg":{"info":{' \
		'"resolution":0.05,"width":2,"height":2,"origin":{' \
		'"position":{"x":1,"y":-2,"z":0},' \
		'"orientation":{"x":0,"y":0,"z":0,"w":1}}},' \
		'"data":[0,100,-1,50]}}' >"$dir/og.json"
	pb-mapgen "$dir/og.json" | jq -ce '.origin == [1,-2,0] and
	    .data == [0,100,-1,50] and .name == "og"'
	jq .msg "$dir/og.json" >"$dir/bare.json"
	pb-mapgen --name og "$dir/bare.json" | cmp - <(pb-mapgen "$dir/og.json")
	sed 's/"width":2/"width":3/' "$dir/og.json" >"$dir/bad.json"
	run -1 --separate-stderr pb-mapgen "$dir/bad.json"
	[[ "$stderr" == *"bad.json: msg.data: expected 6 cells"* ]]
}

@test "text maps: rows and MovingAI" {
	printf '####\n#. ?\n###\n\n' >"$dir/m.txt"
	run --separate-stderr pb-mapgen "$dir/m.txt"
	[[ "$stderr" == *"a cell is 1 m (see pb-mapgen --resolution)" ]]
	echo "$output" | jq -e '.rows == ["####","#..?","###?"]'
	printf 'type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.GS\r\n@TW\r\n' >"$dir/m.map"
	pb-mapgen -R 2 "$dir/m.map" | jq -e '.rows == ["...","###"] and .resolution == 2'
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
	printf '#?#\n' >"$dir/m.txt"
	run -1 --separate-stderr pb-mapgen -q --validate "$dir/m.txt" outer
	[ "$stderr" = "pb-mapgen: $dir/m.txt: no free cell" ]
	[ "$output" = '' ]
	pb-mapgen --validate testdata/house.yaml outer
}

@test "maps cut short anywhere are refused or read, nothing else" {
	pb-mapgen testdata/house.yaml --crop 0,0,0.5,0.4 -o "$dir/m.png"
	cp "$dir/m.png" "$dir/whole.png"
	size=$(wc -c <"$dir/whole.png")
	for n in 0 1 7 8 20 40 60 $((size - 13)) $((size - 1)); do
		head -c "$n" "$dir/whole.png" >"$dir/m.png"
		run -1 --separate-stderr pb-mapgen "$dir/m.yaml"
		[ "$output" = '' ]
		[ "${#stderr_lines[@]}" -eq 1 ]
	done
}

@test "a note of --lint is no trap, and gray 205 is a shade in scale mode" {
	printf 'P5\n4 1\n255\n\0\315\315\376' >"$dir/m.pgm"
	printf 'image: m.pgm\nresolution: 1\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n' >"$dir/m.yaml"
	run -0 pb-mapgen --lint "$dir/m.yaml"
	[ "$output" = "$dir/m.yaml: no-mode: note: mode is not given; loaders take trinary" ]
	printf 'image: m.pgm\nmode: scale\nresolution: 1\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 1.0\nfree_thresh: 0.0\n' >"$dir/m.yaml"
	pb-mapgen "$dir/m.yaml" | jq -e '.data == [100, 20, 20, 0]'
	printf 'P5\n4 1\n255\n\0\315\315\315' >"$dir/m.pgm"
	printf 'image: m.pgm\nmode: trinary\nresolution: 1\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n' >"$dir/m.yaml"
	run -1 pb-mapgen --lint "$dir/m.yaml"
	[ "$output" = "$dir/m.yaml: no-free: the map has no free cell; 75.0 % are gray 205: --free-above 204 makes them free" ]
	run -0 --separate-stderr pb-mapgen --info "$dir/m.yaml"
	[ "$stderr" = "pb-mapgen: $dir/m.yaml: warning: no cell is free; pb-mapgen --lint names the gray that --free-above could make free" ]
	pb-mapgen -q --free-above 204 "$dir/m.yaml" | grep '"rows":\["#..."\]'
}

@test "a turned map is named where nothing can be reached, and straightened" {
	sed 's/^origin:.*/origin: [-5, -4, 1.570796]/' testdata/house.yaml >"$dir/house.yaml"
	cp testdata/house.p* "$dir"
	for tool in pb-bench 'pb-sim -q'; do
		# shellcheck disable=SC2086 # options
		run -1 $tool -n 1 -m "$dir/house.yaml"
		[[ "$output" == *"no pellet can be reached from the start; its origin has a yaw of 1.5708 rad, which pb-mapgen --straighten takes away" ]]
	done
	pb-mapgen -q --straighten "$dir/house.yaml" >"$dir/straight"
	jq -e '.width == 149 and .origin == [-13, -4, 0]' "$dir/straight"
	[ "$(pb-mapgen --info "$dir/straight" | grep '^free')" = "$(pb-mapgen --info testdata/house.yaml | grep '^free' | sed 's/70.3/79.9/')" ]
	pb-bench -n 1 "$dir/straight" | grep -q '"outcome":"complete"'
	run -1 pb-mapgen --straighten --max-cells 20000 -q "$dir/house.yaml"
}

@test "--coarsen reads images that are too large for a map, by rows" {
	for k in 2 3 7 40; do
		pb-mapgen --coarsen $k testdata/house.yaml |
			cmp - <(pb-mapgen testdata/house.yaml | pb-mapgen --coarsen $k)
	done
	pb-mapgen --coarsen 3 -R 0.2 --origin 1,2,0.3 testdata/house.pgm |
		cmp - <(pb-mapgen -R 0.2 --origin 1,2,0.3 testdata/house.pgm | pb-mapgen --coarsen 3)
	# An upper wall, free columns 0 and 1, and a column that ends alone.
	printf 'P5\n5 3\n255\n\0\0\0\0\0\376\376\315\376\376\376\376\376\376\376' >"$dir/m.pgm"
	pb-mapgen -R 1 --coarsen 2 "$dir/m.pgm" | jq -ce '[.rows, .resolution] == [["###", ".??"], 2]'
	# A side of 20,001 and 21,000; a PNG of the same, and of too many cells.
	python3 - "$dir" <<-'END'
	import struct, sys, zlib
	w, h = 21000, 30
	rows = [bytes(w) if v % 10 == 0 else b"\xfe" * w for v in range(h)]
	open(sys.argv[1] + "/w.pgm", "wb").write(b"P5\n%d %d\n255\n" % (w, h) + b"".join(rows))
	def chunk(t, b):
	    return struct.pack(">I", len(b)) + t + b + struct.pack(">I", zlib.crc32(t + b))
	open(sys.argv[1] + "/w.png", "wb").write(b"\x89PNG\r\n\x1a\n" +
	    chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 0, 0, 0, 0)) +
	    chunk(b"IDAT", zlib.compress(b"".join(b"\0" + r for r in rows))) + chunk(b"IEND", b""))
	END
	for f in w.pgm w.png; do
		run -1 --separate-stderr pb-mapgen -R 1 "$dir/$f"
		[ "$stderr" = "pb-mapgen: $dir/$f: 21000 x 30 pixels; a side has at most 20000; pb-mapgen --coarsen 2 reads it" ]
		pb-mapgen -R 1 --coarsen 2 "$dir/$f" >"$dir/$f.jsonl"
		jq -e '.width == 10500 and .height == 15 and .resolution == 2' "$dir/$f.jsonl"
		head -c -30 "$dir/$f" >"$dir/cut"
		run -1 --separate-stderr pb-mapgen -R 1 --coarsen 2 "$dir/cut"
		[[ "$output" == '' && "$stderr" == *"$dir/cut: "*'truncated: the file ends '* ]]
	done
	cmp "$dir/w.pgm.jsonl" "$dir/w.png.jsonl"
	printf 'image: w.pgm\nmode: trinary\nresolution: 0.5\norigin: [1, 2, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n' >"$dir/w.yaml"
	pb-mapgen --coarsen 10 "$dir/w.yaml" | jq -e '.width == 2100 and .resolution == 5 and .origin == [1, 2, 0]'
	run -1 --separate-stderr pb-mapgen --max-cells 100 --coarsen 10 "$dir/w.yaml"
	[ "$stderr" = "pb-mapgen: $dir/w.pgm: 2100 x 3 are 6300 cells, --max-cells is 100, coarsened by 10" ]
	# What is in memory as a whole must fit.
	printf 'P2\n20001 1\n255\n' >"$dir/plain.pgm"
	run -1 --separate-stderr pb-mapgen -R 1 "$dir/plain.pgm"
	[ "$stderr" = "pb-mapgen: $dir/plain.pgm: 20001 x 1 pixels; a side has at most 20000; pb-mapgen --coarsen 2 reads it as a raw PGM" ]
}

@test "an image that is elsewhere is found beside the YAML, with a warning" {
	five
	mv "$dir/a b/m 1.pgm" "$dir/a b/m.pgm"
	mv "$dir/a b/m.yaml" "$dir/a b/own.yaml"
	sed -i 's|^image: .*|image: /home/somebody/maps/m.pgm|' "$dir/a b/own.yaml"
	uses() { # FILE: beside the YAML
		run -0 --separate-stderr pb-mapgen "$dir/a b/own.yaml"
		grep -q "own.yaml:1: warning: there is no file /home/somebody/maps/m.pgm; $1 is beside the YAML and is used$" <<<"$stderr"
		[[ "$output" == *'"type":"map","name":"own"'* ]]
		run -1 pb-mapgen --lint "$dir/a b/own.yaml"
		[[ "$output" == *"own.yaml:1: missing-image: there is no file /home/somebody/maps/m.pgm; $1 is"* ]]
	}
	uses m.pgm
	cp "$dir/a b/m.pgm" "$dir/a b/own.pgm"
	uses m.pgm
	mv "$dir/a b/m.pgm" "$dir/a b/M.PGM"
	uses M.PGM
	mv "$dir/a b/M.PGM" "$dir/a b/m.png"
	uses m.png
	rm "$dir/a b/m.png"
	uses own.pgm
	rm "$dir/a b/own.pgm"
	run -1 --separate-stderr pb-mapgen "$dir/a b/own.yaml"
	[ "$stderr" = "pb-mapgen: $dir/a b/own.yaml:1: image: there is no file /home/somebody/maps/m.pgm" ]
}

@test "--lint names each trap and exits 1; a sound map is silent" {
	run -0 pb-mapgen --lint testdata/house.yaml
	[ "$output" = '' ]
	five 'free_thresh: 0.25\n'
	run -1 --separate-stderr pb-mapgen --lint "$dir/a b/m.yaml"
	[[ "$output" == *"m.yaml:4: unknown-is-free: "*"1 cells (20.0 %)"* ]]
	[[ "$output" == *": no-mode: "* ]]
	[[ "$output" == *": no-negate: "* ]]
	[[ "$output" == *": no-thresholds: occupied_thresh"* ]]
	[ "$stderr" = '' ]
	printf 'image: gone.pgm\nresolution: 0.089\norigin: [0, 0, 0.5]\n' >"$dir/t.yaml"
	run -1 pb-mapgen --lint "$dir/t.yaml"
	[[ "$output" == *"t.yaml:1: missing-image: "* ]]
	[[ "$output" == *"t.yaml:2: rounded-resolution: 0.089 "* ]]
	[[ "$output" == *"t.yaml:3: yaw: "* ]]
	run -1 pb-mapgen --lint testdata/bad/maps/origin-nan.yaml
	[[ "$output" == *":3: bad-origin: origin[1]: "* ]]
	run -1 pb-mapgen --lint testdata/bad/maps/thresholds-swapped.yaml
	[[ "$output" == *": bad-thresholds: "* ]]
	run -1 pb-mapgen --lint testdata/bad/maps/short-pgm.yaml testdata/house.yaml
	[[ "$output" == *"short.pgm: bad-image: truncated"* ]]
	printf 'P5\n2 1\n15\n\0\0abc' >"$dir/x.pgm"
	run -1 pb-mapgen --lint "$dir/x.pgm"
	[[ "$output" == *": depth: white is 15"* ]]
	[[ "$output" == *": size-mismatch: 3 bytes"* ]]
	[[ "$output" == *": no-free: "* ]]
}

@test "a full disk: status 3, nothing half written" {
	mkdir "$dir/d"
	ln -s /dev/full "$dir/d/h.pgm"
	run -3 --separate-stderr pb-mapgen testdata/house.yaml -o "$dir/d/h.yaml"
	[ "${#stderr_lines[@]}" -eq 1 ]
	[ "$(ls "$dir/d")" = h.pgm ]
	ln -s /dev/full "$dir/d/p.png"
	run -3 pb-mapgen testdata/house.yaml -o "$dir/d/p.png"
	[ ! -e "$dir/d/p.yaml" ]
	run -3 pb-mapgen testdata/house.yaml -o "$dir/none/h.yaml"
	run -3 sh -c 'pb-mapgen testdata/house.yaml >/dev/full'
	pb-mapgen testdata/house.yaml -o "$dir/d/old.txt"
	cp "$dir/d/old.txt" "$dir/old"
	chmod 600 "$dir/d/old.txt"
	pb-mapgen testdata/house.yaml --trim -o "$dir/d/old.txt"
	[ "$(stat -c %a "$dir/d/old.txt")" = 600 ]
	[ "$(ls -A "$dir/d")" = "$(printf 'h.pgm\nold.txt\np.png')" ]
}

@test "a stream passes byte for byte; changes replace the map alone" {
	{
		printf '{"type":"map", "name":"m","resolution":1,"width":3,'
		printf '"height":2,"origin":[0,0,0],"rows":["#.?","..?"]}\n'
		printf '{"type":"strange",  "a":1}\n\n'
		printf '{"type":"pose","t":1,"id":"robot","x":1,"y":1,"theta":0}'
	} >"$dir/s"
	{ cat "$dir/s"; echo; } >"$dir/whole"
	pb-mapgen <"$dir/s" | cmp - "$dir/whole"
	pb-mapgen --trim <"$dir/s" >"$dir/t"
	tail -n +2 "$dir/t" | cmp - <(tail -n +2 "$dir/whole")
	head -1 "$dir/t" | jq -e '.width == 2 and .rows == ["#.",".."]'
	pb-mapgen --crop 0,0,1,1 <"$dir/s" | head -1 |
		jq -e '.rows == ["."] and .origin == [0,0,0]'
	pb-mapgen -R 2 --name big - <"$dir/s" | head -1 |
		jq -e '.rows == ["#.?","..?"] and .resolution == 2 and .name == "big"'
	pb-mapgen --validate "$dir/s"
	pb-mapgen <(cat "$dir/s") | cmp - "$dir/whole"
	pb-mapgen <(cat "$dir/s") <(cat "$dir/s") | cmp - \
		<(cat "$dir/whole" "$dir/whole")
	run -1 --separate-stderr pb-mapgen --info <<<'{"type":"strange"}'
	[[ "$stderr" == *"expected a map or maze record, got none" ]]
}

@test "BMP, the third format of map_server, gives the cells of PGM" {
	# 3 x 2, from below: 24 bits, rows filled up to 12 bytes; wall, free and
	# unknown over free, wall, unknown.
	{
		printf 'BM\116\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\003\0\0\0'
		printf '\002\0\0\0\001\0\030\0\0\0\0\0\030\0\0\0'
		printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
		printf '\376\376\376\0\0\0\315\315\315\0\0\0'
		printf '\0\0\0\376\376\376\315\315\315\0\0\0'
	} >"$dir/m.bmp"
	printf 'P5 3 2 255\n\0\376\315\376\0\315' >"$dir/m.pgm"
	for i in bmp pgm; do
		printf 'image: m.%s\nresolution: 0.05\norigin: [1, 2, 0]\nmode: trinary\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n' \
			$i >"$dir/$i.yaml"
		pb-mapgen --name m "$dir/$i.yaml" >"$dir/$i.jsonl"
	done
	grep -F '"rows":["#.?",".#?"]' "$dir/bmp.jsonl"
	cmp "$dir/bmp.jsonl" "$dir/pgm.jsonl"
	pb-mapgen --lint "$dir/bmp.yaml"
	cp "$dir/m.bmp" "$dir/m"
	pb-mapgen -R 0.05 --origin 1,2 "$dir/m" | cmp - "$dir/bmp.jsonl"
}

@test "a colour PPM is read as the gray that a colour PNG is" {
	printf 'P6\n3 1\n255\n\0\0\0\376\376\376\315\315\315' >"$dir/c.ppm"
	printf 'P3 3 1 255 0 0 0 254 254 254 205 205 205' >"$dir/d.ppm"
	printf 'P5\n3 1\n255\n\0\376\315' >"$dir/g.pgm"
	pb-mapgen -R 1 "$dir/g.pgm" | sed 's/"g"/"c"/' >"$dir/gray"
	pb-mapgen -R 1 "$dir/c.ppm" | cmp - "$dir/gray"
	pb-mapgen -R 1 "$dir/d.ppm" | sed 's/"d"/"c"/' | cmp - "$dir/gray"
	printf 'P6\n3 1\n255\n\0\0\0\376' >"$dir/cut.ppm"
	run -1 pb-mapgen -R 1 "$dir/cut.ppm"
	[ "$output" = "pb-mapgen: $dir/cut.ppm: truncated: 3 x 1 pixels need 9 bytes, 4 are there" ]
}

@test "images that are none of a map are refused by name" {
	while read -r bytes name; do
		# shellcheck disable=SC2059 # escapes
		printf "$bytes" >"$dir/m"
		for name_of in m m.png m.yaml; do
			[ "$name_of" = m ] || cp "$dir/m" "$dir/$name_of"
			run -1 --separate-stderr pb-mapgen -R 1 "$dir/$name_of"
			[ "$output" = '' ]
			[ "$stderr" = "pb-mapgen: $dir/$name_of: is $name: convert it to PNG, PGM or BMP, which maps are read from" ]
		done
	done <<-'END'
		\377\330\377\340\0\020JFIF a JPEG image, whose shades are not exact
		P1\n1\0401\n0 a PBM image
		P4\n1\0401\n0 a PBM image
		P7\nWIDTH\0401 a PAM image
		GIF89a a GIF image
		II*\0abc a TIFF image
	END
}

@test "--info counts cells and pieces" {
	printf '#####\n#.#.#\n#.#.?\n#####\n' >"$dir/m.txt"
	pb-mapgen -R 0.5 --info "$dir/m.txt" >"$dir/info"
	grep -Fx 'size: 5 x 4 cells' "$dir/info"
	grep -Fx 'extent: 2.5 x 2 m' "$dir/info"
	grep -Fx 'free: 4 cells, 20.0 %, 1.00 m2' "$dir/info"
	grep -Fx 'unknown: 1 cells, 5.0 %, 0.25 m2' "$dir/info"
	grep -Fx 'pieces: 2, largest 2 cells, 50.0 % of free' "$dir/info"
	for s in 1 2 3; do
		pb-mapgen random-house -s $s --info | grep '^pieces: 1,'
	done
}

@test "draws maps and streams in the terminal" {
	printf '####\n#..#\n####\n' >"$dir/m.txt"
	pb-mapgen -q "$dir/m.txt" --render --style ascii --hide axes,legend \
		--width 8 | grep -q '##'
	{
		pb-mapgen -q "$dir/m.txt"
		echo '{"type":"pose","t":0,"id":"robot","x":1.5,"y":1.5,"theta":0}'
	} | pb-mapgen --render --style ascii --width 40 | grep -q '>'
}

@test "the command line is refused with status 2 and nothing written" {
	for bad in '--set compat=ros9' '--free-above 255' '--lint --check' \
		'-o x.bmp testdata/house.yaml' 'random-house -S 1,1' \
		'random-maze -S 3,3' '--crop 1,1,0,0' '--coarsen 0' \
		'--png a.png -o a.png' '-o a.png pacman outer' '--set power=99'; do
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
	pb-mapgen -q "$house/map_01.yaml" --free-above 250 >"$dir/a"
	pb-mapgen -q "$house/map_01.yaml" >"$dir/b"
	cmp "$dir/a" "$dir/b"
	command -v pb-pellets >/dev/null || skip 'pb-pellets is not built'
	pb-pellets <"$dir/b" | jq -c 'select(.type=="pellets").pellets[] |
	    [.id, (.x*1000|round), (.y*1000|round)]' >"$dir/got"
	jq -c '(.pellets // .)[] | [.id, (.x*1000|round), (.y*1000|round)]' \
		"$house/expected-pellets.json" | cmp - "$dir/got"
}

@test "what cannot be made says its bounds" {
	refused 2 '--size: expected from 3.74 to 500 m' random-house -S 1,1
	refused 2 '--size: expected from 3.74 to 500 m' random-house -S 9,501
	refused 2 'has more than 20000 cells' random-house -S 400,9 -R 0.01
	refused 2 '--resolution: expected from 0.005 to 0.2 m' \
		random-house -R 1
	refused 2 'clearance: expected at most half of door' \
		random-house --set clearance=0.7
	refused 2 '--size: expected from 5 to 64 cells' random-maze -S 4,9
	refused 2 '--resolution: expected at least 1e-06' pacman -R 1e-300
}

@test "a box beside the map and a map of nothing are refused by name" {
	refused 1 'nothing of the map lies in the box of --crop' \
		testdata/house.yaml --crop 1000,1000,1001,1001
	printf '??\n??\n' >"$dir/dark.txt"
	refused 1 'all cells are unknown: nothing for --trim' \
		-q "$dir/dark.txt" --trim
}

@test "options that need another are refused without it" {
	while read -r need option; do
		# shellcheck disable=SC2086 # an option and its value
		run -2 --separate-stderr pb-mapgen pacman $option
		[ -z "$output" ]
		[[ "$stderr" == "pb-mapgen: ${option%% *}: only with $need"* ]]
	done <<-END
		--from-log --trajectory $BATS_TEST_TMPDIR/t
		--slam --align
		--render, --title x
		--render, --pixels 100
	END
	[ ! -e "$BATS_TEST_TMPDIR/t" ]
	run -2 --separate-stderr pb-mapgen --png= pacman
	[[ "$stderr" == "pb-mapgen: --png: expected the name of a file, got none"* ]]
	run -2 pb-mapgen --from-log --body= testdata/house.log.gz
}

@test "rules of pixels are refused where there are none" {
	for o in '--free-above 250' '--compat nav2'; do
		for in in '' - $flat; do
			# shellcheck disable=SC2086 # lists of words
			refused 2 "${o% *}: a map record has no pixels" $o $in
		done
	done
	pb-mapgen testdata/house.yaml --compat pb --free-above -1 |
		pb-mapgen --compat pb --free-above -1 --info | grep -q free
}

@test "names of files are cut at characters, and said in YAML if it can" {
	for c in ö $'\xfc'; do
		name=$(printf "$c%.0s" {1..40})
		cp testdata/house.pgm "$dir/$name.pgm"
		pb-mapgen -R 0.05 --free-above 250 "$dir/$name.pgm" |
			pb-pellets | tail -n 1 | grep -q '"pellets"'
	done
	pb-mapgen testdata/house.yaml -o "$dir/"$'\u2028\u85 "ü?.yaml'
	pb-mapgen "$dir/"$'\u2028\u85 "ü?.yaml' | jq -e '.width == 200'
	refused 1 $'k?x.pgm: expected a name in UTF-8' \
		testdata/house.yaml -o "$dir/"$'k\xfcx.yaml'
	[ ! -e "$dir/"$'k\xfcx.pgm' ]
}
