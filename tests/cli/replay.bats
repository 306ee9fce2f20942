#!/usr/bin/env bats
# Games as a page that plays them: pb-mapgen --render -o game.html.

load common

# One game of the player that plans most is read by several tests.
setup_file() {
	(
		here
		house -p safe --feedback >"$BATS_FILE_TMPDIR/safe"
	)
}

setup() {
	here
	safe=$BATS_FILE_TMPDIR/safe
	export LC_ALL=C
}

needs() { command -v "$1" >"$dir/which" || skip "no $1"; }

# What a page recorded.
record() {
	awk 'sub(/.*id="record">/, "") { on = 1 }
		on { last = sub(/<\/script>.*/, ""); print; if (last) exit }' "$1"
}

house() { pb-mapgen testdata/house.yaml | pb-pellets | pb-sim -s 7 -a "$@"; }

# chrome PAGE#WORDS OPTION ...: what Chromium says and prints of it.
chrome() {
	timeout 100 chromium --headless --no-sandbox --disable-gpu \
		--enable-logging=stderr --virtual-time-budget=3000 \
		--hide-scrollbars --window-size=900,700 "${@:2}" "file://$1"
}

# The same, and the page as it is then in $dir/dom: a busy machine may start no
# Chromium at first.
dom() {
	for _ in 1 2 3; do
		chrome "$@" --dump-dom >"$dir/dom" 2>"$dir/said"
		! grep -q '</html>' "$dir/dom" || return 0
	done
}

@test "a page tells where everything was, to the millimetre" {
	cp "$safe" "$dir/game"
	pb-mapgen --render -o "$dir/a.html" "$dir/game"
	pb-mapgen --png "$dir/b.html" - <"$dir/game"
	# The file's name apart, which is told.
	diff <(sed 's/,"source":"[^"]*"//' "$dir/a.html") \
		<(sed 's/,"source":"[^"]*"//' "$dir/b.html")
	record "$dir/a.html" | jq -e '.games | length == 1' >/dev/null
	for id in robot clyde; do
		# The map's corner is at (-5, -4).
		record "$dir/a.html" | jq -c --arg id $id '
			[.games[0].frames[][1:][]] |
			([.[] | select(.[0] == "body") | .[1]] | index($id)) as $i |
			[.[] | select(.[0] == $i)] |
			[(map(.[1]) | add) - 5000, (map(.[2]) | add) - 4000]' >"$dir/told"
		jq -cs --arg id $id 'map(select(.type == "pose" and .id == $id)) | last |
			[.x, .y] | map(. * 1000 | round)' "$dir/game" |
			diff - "$dir/told"
	done
	# Each pellet goes once.
	record "$dir/a.html" | jq -e '[.games[0].frames[][1:][] |
		select(.[0] == "eaten") | .[1]] | sort == [range(7)]' >/dev/null
	record "$dir/a.html" |
		jq -e '.games[0] | .outcome == "complete" and .player == "safe"'
}

@test "nothing is loaded from elsewhere, and a round is small" {
	cp "$safe" "$dir/safe"
	house -p seed --localizer mcl --sensors lidar >"$dir/seed"
	pb-sim -r pacbot -p search --set nodes=100 -s 1 >"$dir/pacbot"
	pb-sim -r pacbot -p power -s 1 --motion drive --localizer region >"$dir/drive"
	pb-sim -r roomba -s 1 >"$dir/roomba"
	pb-sim -r zumy -s 1 >"$dir/zumy"
	for game in safe seed pacbot drive roomba zumy; do
		# Two minutes of it.
		awk '!match($0, /"t":[0-9.]+/) ||
			substr($0, RSTART + 4, RLENGTH - 4) + 0 <= 120' \
			"$dir/$game" | pb-mapgen --render -o "$dir/$game.html"
		[ "$(wc -c <"$dir/$game.html")" -lt 300000 ]
		run -1 grep -Ei 'https?:|src=|@import|base64' "$dir/$game.html"
		record "$dir/$game.html" | jq -e '.games[0].frames | length > 20' >/dev/null
	done
}

@test "words of a stream stay words" {
	{
		echo '{"type":"pose","t":1,"id":"ghost</script><b>\"\\","x":1,"y":2}'
		printf '%s\n' '{"type":"event","t":2,"name":"<!--\u2028&é"}'
	} >"$dir/game"
	pb-mapgen --render -o "$dir/a.html" --title '</script>"<' "$dir/game"
	[ "$(grep -c '</script>' "$dir/a.html")" = 2 ]
	record "$dir/a.html" | jq -r '.games[0].name' | grep -qxF '</script>"<'
	record "$dir/a.html" | jq -r '.games[0].frames[][1:][] |
		select(.[0] == "body") | .[1]' | grep -qxF 'ghost</script><b>"\'
	! record "$dir/a.html" | grep -q '<'
}

@test "every round is a game of its own, as is every file" {
	house -p nearest --set clyde-speed=0.01 -n 3 >"$dir/three"
	pb-mapgen --render -o "$dir/a.html" "$dir/three"
	[ "$(record "$dir/a.html" | jq -c '[.grid, [.games[].round]]')" = '[0,[1,2,3]]' ]
	# The second begins where the first ended, with all its pellets.
	record "$dir/a.html" | jq -e '[.games[] | [.frames[0][1:][] |
		select(.[0] == "pellet")] | length] == [7, 7, 7]'
	# What a player had at the end, though the game has laid them anew.
	[ "$(record "$dir/a.html" | jq -c '[.games[] | [.had, .all]]')" = \
		"$(jq -cn '[inputs | select(.type == "result") |
			[.pellets, .pellets_total]]' "$dir/three")" ]
	house -p seed >"$dir/seed"
	pb-sim -r zumy -s 1 >"$dir/zumy"
	pb-mapgen --render -o "$dir/b.html" "$dir/seed" "$dir/zumy" $flat
	[ "$(record "$dir/b.html" | jq -c '[.grid, (.games | length),
		.games[1].name, (.games[1].source | endswith("zumy"))]')" = \
		'[1,3,"zumy",true]' ]
}

@test "ticks, modes, lights and tunes are told where a game has them" {
	pb-sim -r roomba -s 1 --feedback | pb-mapgen --render -o "$dir/a.html"
	record "$dir/a.html" >"$dir/r"
	jq -e '.games[0].ticks == 1 and .games[0].side == 430' "$dir/r"
	for what in mode ring tune score event; do
		jq -e --arg w $what '[.games[0].frames[][1:][] |
			select(.[0] == $w)] | length > 3' "$dir/r"
	done
	jq -e '[.games[0].frames[][1:][] | select(.[0] == "mode") | .[2]] |
		index("running") and index("killed")' "$dir/r"
}

@test "a belief is drawn: particles, hypotheses, covariance, scans" {
	house -p seed --sensors lidar,odom | pb-localize -b --particles 100 |
		pb-mapgen --render -o "$dir/a.html"
	[ "$(wc -c <"$dir/a.html")" -lt 300000 ]
	for what in cloud guess cov scan; do
		record "$dir/a.html" | jq -e --arg w $what \
			'[.games[0].frames[][1:][] | select(.[0] == $w)] | length > 20'
	done
}

@test "a map alone is a page, too, and a box is a part of it" {
	pb-mapgen --render -o "$dir/a.html" testdata/house.yaml
	record "$dir/a.html" | jq -c '.games[0].frames[0][1:] | .[0][:6]' |
		grep -qx '\["map",186,146,50,350,350\]'
	pb-mapgen --render --box 0,0,1,1 -o "$dir/b.html" testdata/house.yaml
	record "$dir/b.html" | jq -c '.games[0].frames[0][1][:6]' |
		grep -qx '\["map",20,20,50,5000,4000\]'
	run -1 pb-mapgen --render --box 50,50,60,60 -o "$dir/c.html" $flat
	[ ! -e "$dir/c.html" ]
}

@test "with --render, -o is a picture of the kind that its name says" {
	pb-mapgen --render -o "$dir/a.svg" $flat
	pb-mapgen --png "$dir/b.svg" $flat
	cmp "$dir/a.svg" "$dir/b.svg"
	run -2 pb-mapgen --render -o "$dir/a.yaml" $flat
	[[ $output == *'expected a name in .html, .png'* ]]
	run -2 pb-mapgen --render -o "$dir/a.svg" --png "$dir/b.png" $flat
	run -2 pb-mapgen --render -o "$dir/a.svg" $flat $flat
}

@test "a stream that is cut gives a page of what came" {
	head -c 60000 "$safe" >"$dir/cut"
	run -1 pb-mapgen --render -o "$dir/a.html" "$dir/cut"
	record "$dir/a.html" | jq -e '.games[0].frames | length > 100'
}

@test "a full disk leaves what was there" {
	mkdir "$dir/disk"
	unshare -rm mount -t tmpfs -o size=8k tmpfs "$dir/disk" 2>/dev/null ||
		skip "no small disk can be made"
	run -3 --separate-stderr unshare -rm sh -c "
		mount -t tmpfs -o size=64k tmpfs '$dir/disk'
		echo old >'$dir/disk/a.html'
		pb-mapgen --render -o '$dir/disk/a.html' '$safe' || s=\$?
		[ \$(ls '$dir/disk') = a.html ] && grep -qx old '$dir/disk/a.html' ||
			exit 9
		exit \$s"
	[ "$(wc -l <<<"$stderr")" = 1 ]
}

# How many colours are in a PNG file, up to 100.
colours() {
	python3 - "$1" <<-'END'
		import struct, sys, zlib
		s, data = open(sys.argv[1], "rb").read(), b""
		at, wide = 8, 0
		while at < len(s):
		    n, kind = struct.unpack(">I4s", s[at:at + 8])
		    if kind == b"IHDR":
		        wide, high, depth, form = struct.unpack(">IIBB", s[at + 8:at + 18])
		    if kind == b"IDAT":
		        data += s[at + 8:at + 8 + n]
		    at += n + 12
		pixel = {2: 3, 6: 4}[form]
		rows, line = zlib.decompress(data), bytearray(wide * pixel)
		seen = set()
		for y in range(high):
		    row = rows[y * (wide * pixel + 1):(y + 1) * (wide * pixel + 1)]
		    how, now = row[0], bytearray(row[1:])
		    for i in range(len(now)):
		        a = now[i - pixel] if i >= pixel else 0
		        b, c = line[i], line[i - pixel] if i >= pixel else 0
		        p = a + b - c
		        best = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))
		        now[i] = (now[i] + (0, a, b, (a + b) // 2, best[2])[how]) & 255
		    line = now
		    seen.update(bytes(now[i:i + pixel]) for i in range(0, len(now), 4 * pixel))
		print(len(seen))
	END
}

@test "Chromium draws it, plays it and has nothing to complain of" {
	needs chromium
	needs python3
	house -p safe --localizer mcl --sensors lidar --feedback >"$dir/house"
	pb-sim -r pacbot -p power -s 1 --feedback >"$dir/pacbot"
	pb-sim -r roomba -s 1 --feedback >"$dir/roomba"
	pb-sim -r zumy -s 1 --feedback >"$dir/zumy"
	for game in house pacbot roomba zumy; do
		pb-mapgen --render -o "$dir/$game.html" "$dir/$game"
		chrome "$dir/$game.html#t=30,names,follow" --screenshot="$dir/a.png" \
			2>"$dir/said"
		run -1 grep -i console "$dir/said"
		[ "$(colours "$dir/a.png")" -gt 12 ]
	done
	dom "$dir/house.html#t=30"
	grep -q 't 30.[01] s' "$dir/dom"
	# Those that were gone by then.
	n=$(jq -s '[.[] | select(.type == "pellets" and .t <= 30)] | last |
		7 - (.pellets | length)' "$dir/house")
	[ "$n" -gt 0 ]
	grep -q "pellets $n of 7" "$dir/dom"
	# Later, however few frames Chromium draws meanwhile.
	dom "$dir/house.html#t=30,play,speed=64"
	grep -Eq 't [3-9][0-9]\.[0-9] s' "$dir/dom"
	run -1 grep -q 't 30.[01] s' "$dir/dom"
	# As a page within a page.
	pb-bench -q -r roomba,zumy -p flee,random -n 4 --by score \
		--report "$dir/report.html" >"$dir/out"
	grep -q '<iframe ' "$dir/report.html"
	chrome "$dir/report.html" --screenshot="$dir/a.png" --window-size=900,4000 \
		2>"$dir/said"
	run -1 grep -i console "$dir/said"
	# Two games side by side.
	pb-mapgen --render -o "$dir/two.html" "$dir/house" "$dir/pacbot"
	dom "$dir/two.html#t=30"
	run -1 grep -i console "$dir/said"
	[ "$(grep -o '<figure>' "$dir/dom" | wc -l)" = 2 ]
}
