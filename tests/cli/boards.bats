#!/usr/bin/env bats
# boards.bats - grids and boards of pb-mapgen: named, random, from files.

load mapgen

@test "grids: names, mazes, rules" {
	pb-mapgen --list | grep -x pacman
	for g in pacman playground outer blank; do
		pb-mapgen "$g" | jq -e ".type == \"maze\" and .name == \"$g\""
		pb-mapgen --check "$g"
	done
	run -1 --separate-stderr pb-mapgen --check open
	[[ "$stderr" == *"open: rule 5: 2 x 2 square of walkable cells at (1, 1)" ]]
	pb-mapgen outer -o "$dir/outer.png"
	pb-mapgen "$dir/outer.yaml" --as maze |
		jq -c .rows | cmp - <(pb-mapgen outer |
			jq -c '.rows | map(gsub("[^#]"; "."))')
	pb-mapgen pacman --as map --per 2 |
		jq -e '.width == 56 and .resolution == 0.04445'
	for s in 1 2 3 4 5 6 7 8 9; do
		pb-mapgen random-maze -s $s >"$dir/$s"
		pb-mapgen --check "$dir/$s"
		pb-mapgen random-maze -s $s | cmp - "$dir/$s"
	done
	! cmp -s "$dir/1" "$dir/2"
	printf '######\n#....#\n#.##.#\n#.##.#\n#....#\n######\n' >"$dir/m.txt"
	run -0 pb-mapgen -q --check "$dir/m.txt"
	printf '#####\n#...#\n#.#.#\n#...#\n#####\n' >"$dir/m.txt"
	run -1 --separate-stderr pb-mapgen -q --check "$dir/m.txt"
	[[ "$stderr" == *"m.txt: rule 7: "*"(2, 2)" ]]
	run -1 --separate-stderr pb-mapgen --check testdata/house.yaml
	[[ "$stderr" == *"200 x 160 cells; a maze has at most 64 x 64" ]]
}

@test "boards read back from their own kinds of files" {
	for b in roomba zumy random-roomba random-zumy; do
		pb-mapgen "$b" >"$dir/$b"
		pb-mapgen "$b" -o "$dir/x.board"
		pb-mapgen "$dir/x.board" --name "$b" >"$dir/back"
		cmp "$dir/$b" "$dir/back"
	done
	pb-mapgen testdata/roomba.kml | cmp "$dir/roomba" -
	pb-mapgen zumy -o "$dir/x.zumy"
	[ "$(tail -n 1 "$dir/x.zumy")" = "$(printf '0 1 0 1 1 0 1 0 0 1')" ]
	cp "$dir/x.zumy" "$dir/map.txt"
	pb-mapgen "$dir/map.txt" | jq -e '.type == "maze" and .rows[2][8:9] == "G"'
}

@test "a .board keeps robots that stand on pellets, and where they look" {
	for b in pacman blank random-maze; do
		pb-mapgen "$b" -o "$dir/x.board"
		cmp <(pb-mapgen "$b") <(pb-mapgen "$dir/x.board")
	done
	pb-mapgen random-maze -S 20,20 |
		pb-mapgen -o "$dir/x.board"
	grep -x 'start 16,10,left' "$dir/x.board"
	grep -x 'ghosts 7,6,left 8,8,left 8,10,left 7,13,left' "$dir/x.board"
	for line in 'start 20,1' 'start 1,1 2,2' 'start 1,1,west' 'ghosts 1,1,'; do
		sed "s/^start.*/$line/" "$dir/x.board" >"$dir/bad.board"
		refused 1 'bad.board:43: expected name NAME' "$dir/bad.board"
	done
}

@test "the official board is the same and playable as KML" {
	cmp <(pb-mapgen pacman | jq .rows) <(pb-mapgen testdata/pacman.kml | jq .rows)
	pb-sim -r pacbot -p greedy -m testdata/pacman.kml |
		jq -e 'select(.type == "result").pellets_total == 244'
}

@test "a board is a map with walls" {
	pb-mapgen roomba --as map | jq -e \
	    '.width == 80 and .height == 88 and .resolution == 0.05375'
	pb-mapgen roomba --render | grep -q 'roomba  89 pellets'
	refused 1 'roomba: --per: walls between cells take at least 3 map cells a cell, got 2' \
		roomba --as map --per 2
}

@test "a map that becomes a maze keeps the size of its cells" {
	map() { pb-mapgen --from-log testdata/house.log.gz -R "$@"; }
	map 0.2 --as maze | jq -e '.cell == 0.2'
	map 0.2 --as maze --cell 0.3 | jq -e '.cell == 0.3'
	map 0.2 --as maze | pb-mapgen --as map | jq -e \
		'[.width, .height, .resolution] == [58, 48, 0.2]'
	map 0.35000000000000003 -o "$dir/x.board"
	grep -x 'cell 0.35000000000000003' "$dir/x.board"
	cmp <(map 0.35000000000000003 --as maze --name x | jq -c '.rows, .cell') \
		<(pb-mapgen "$dir/x.board" | jq -c '.rows, .cell')
	printf '#.#\n' >"$dir/x.txt"
	# Of a text nobody knows it.
	pb-mapgen -q "$dir/x.txt" --as maze | jq -e '.cell == null'
}

@test "bad boards are refused with line and column" {
	printf '+---+\n| x |\n+---+\n' >"$dir/b.board"
	refused 1 'b.board:2: column 3: expected one of' "$dir/b.board"
	printf '0 0\n0 0 0\n' >"$dir/b.zumy"
	refused 1 'b.zumy:2: expected as many numbers' "$dir/b.zumy"
	printf '<kml>\n<a>\n</kml>\n' >"$dir/b.kml"
	refused 1 'b.kml:3: mismatched tag' "$dir/b.kml"
	printf '<kml></kml>\n' >"$dir/b.kml"
	refused 1 'b.kml: expected a Point called origin' "$dir/b.kml"
	refused 2 '--size: expected from 3 to 32 cells' random-zumy -S 2,9
	refused 2 'power: expected at most 4' random-roomba --set power=5
}
