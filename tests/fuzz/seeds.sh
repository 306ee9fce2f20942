#!/bin/sh
# seeds.sh DIR - something to start from for every target, made by our own
# tools (of the build in $O): DIR/TARGET/*, and DIR/TARGET.dict with the words
# that the readers look for.
set -eu
cd "$(dirname "$0")/../.."
PATH=$PWD/${O:-build}:$PATH
dir=$1
for f in tests/fuzz/*.c cmd/*.c; do
	mkdir -p "$dir/$(basename "$f" .c)"
done
rm -rf "$dir/replay" "$dir/tool"
mkdir -p "$dir/import"

# Records: a short line of every kind that the tools write.
{
	cat testdata/*.jsonl
	gzip -dc testdata/pacbot/odd.jsonl.gz | head -n 50
	pb-mapgen random-maze -s 1
	pb-mapgen roomba
	pb-mapgen zumy
	pb-pellets testdata/flat.jsonl |
		pb-sim -s 7 --autostart --sensors lidar,odom,imu,camera |
		head -n 3000
	pb-sim -r pacbot -s 1 --set ticks-per-cell=50
	pb-sim -r roomba -s 1 --set limit=50
	pb-sim -r zumy -s 1 --set draw=50
	pb-bench -q -n 3 -p seed,nearest testdata/flat.jsonl
	pb-score --compat report testdata/score.jsonl
	pb-localize -m testdata/house.yaml testdata/house.log.gz | head -n 100
} 2>/dev/null | awk -v dir="$dir/record" 'length($0) < 4000 &&
	match($0, /"type":"[a-z_]*"/) {
		type = substr($0, RSTART + 8, RLENGTH - 9)
		if (++n[type] <= 3)
			print >(dir "/" type n[type])
	}'

# Logs, trajectories and messages of rosbridge.
gzip -dc testdata/house.log.gz | head -n 12 >"$dir/import/carmen"
cp testdata/amcl.csv "$dir/import/csv"
cat >"$dir/import/tum" <<'END'
# t x y z qx qy qz qw
0 1 2 0 0 0 0.7071 0.7071
0.5 1.5 2 0 0 0 0 1
END
cat >"$dir/import/rosbridge" <<'END'
{"op":"publish","topic":"/scan","msg":{"header":{"stamp":{"sec":1,"nanosec":5},"frame_id":"laser"},"angle_min":-1.5,"angle_increment":0.5,"range_min":0.1,"range_max":10,"ranges":[1,NaN,Infinity,0.0,null]}}
{"op":"publish","topic":"/odom","msg":{"header":{"stamp":{"secs":2,"nsecs":0}},"pose":{"pose":{"position":{"x":1,"y":2,"z":0},"orientation":{"x":0,"y":0,"z":0,"w":1}}},"twist":{"twist":{"linear":{"x":0.1},"angular":{"z":0.2}}}}}
{"op":"publish","topic":"/amcl_pose","msg":{"header":{"stamp":{"sec":3,"nanosec":0}},"pose":{"pose":{"position":{"x":1,"y":2},"orientation":{"z":0,"w":1}},"covariance":[0.1,0,0,0,0,0,0,0.1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.1]}}}
{"op":"publish","topic":"/map","msg":{"info":{"resolution":0.5,"width":2,"height":1,"origin":{"position":{"x":0,"y":0},"orientation":{"z":0,"w":1}}},"data":[0,100]}}
{"op":"publish","topic":"/tf_static","msg":{"transforms":[{"header":{"stamp":{"sec":1,"nanosec":0},"frame_id":"base_link"},"child_frame_id":"laser","transform":{"translation":{"x":1,"y":0,"z":0},"rotation":{"x":1,"y":0,"z":0,"w":0}}}]}}
{"op":"publish","topic":"/goal","msg":{"pose":{"position":{"x":1,"y":2},"orientation":{"z":0,"w":1}}}}
{"op":"fragment","id":"1","data":"{\"op\":","num":0,"total":2.5}
END

# Kinds of files that are refused by name.
printf '<!DOCTYPE html>\n<html>' >"$dir/import/html"
printf 'PK\003\004\024\0\0\0' >"$dir/import/zip"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n' \
	>"$dir/import/lfs"
printf '1 0 0 5 0 1 0 6 0 0 1 7\n' >"$dir/import/kitti"
printf 'header:\n  stamp:\n    sec: 1\n---\n' >"$dir/import/echo"

# Maps and boards.
cp testdata/house.yaml testdata/bad/maps/*.yaml "$dir/yaml"
printf 'image: a b.png\nresolution: 0.0889\norigin:\n- 1\n- -2.5\n- 0.1\nmode: scale\nnegate: false\noccupied_thresh: 0.65\nfree_thresh: 0.25' >"$dir/yaml/block"
printf 'P5\n# one\n4 3\n255\n\000\315\376\3770123ABCD' >"$dir/image/raw"
printf 'P5 2 1 65535\n\200\000\315\315' >"$dir/image/deep"
printf 'P2\n# plain\n3 2\n15\n0 1 2\n3 4 15\n' >"$dir/image/plain"
printf 'P6\n2 2\n255\n\000\000\000\315\315\315\376\376\376\377\000\177' >"$dir/image/colours"
cp testdata/bad/maps/*.pgm "$dir/image"
printf 'type octile\nheight 2\nwidth 5\nmap\n.GS@O\nTW...\n' \
	>"$dir/maptext/movingai"
printf '#####\n#. -?\n#X@W1\n' >"$dir/maptext/rows"
for b in roomba zumy "random-roomba -s 2 -S 4,4"; do
	name=$(echo "$b" | tr -d ' -')
	# shellcheck disable=SC2086 # a list of words
	pb-mapgen $b -o "$dir/board/$name.board"
	# shellcheck disable=SC2086
	pb-mapgen $b -o "$dir/board/$name.zumy"
done
cp testdata/*.kml "$dir/kml"
echo 'homes 0,1 1,0' >>"$dir/board/roomba.board"
"${O:-build}"/tests/unit/png "$dir/image" >/dev/null

# 3 x 2 of 24 bits, and 4 x 1 of 8 with a palette.
bmp='\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
# shellcheck disable=SC2059 # escapes
printf "BM\116\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\003\0\0\0\002\0\0\0\001\0\030\0${bmp}\376\376\376\0\0\0\315\315\315\0\0\0\0\0\0\376\376\376\315\315\315\0\0\0" \
	>"$dir/image/bmp24"
# shellcheck disable=SC2059 # escapes
printf "BM\112\0\0\0\0\0\0\0\076\0\0\0\050\0\0\0\004\0\0\0\377\377\377\377\001\0\010\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0\376\376\376\0\0\0\0\0\0\001\001\0" \
	>"$dir/image/bmp8"

# Weights: small ones, and the header of a network.
weights() { # FILE HEADER BYTES
	{
		printf "\\$(printf %03o "${#2}")\\0\\0\\0\\0\\0\\0\\0%s" "$2"
		head -c "$3" /dev/zero
	} >"$dir/safetensors/$1"
}
weights two '{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"F32","shape":[],"data_offsets":[24,28]}}' 28
weights meta '{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}' 4
weights half '{"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}' 4
weights odd '{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}' 8
"${O:-build}"/tests/unit/safetensors "$dir/safetensors/net" 1
head -c 4000 "$dir/safetensors/net" >"$dir/safetensors/cut"
rm "$dir/safetensors/net"

# Recordings of topics.
"${O:-build}"/tests/unit/bags "$dir/bags"

# The tools: a way to run, and a file. A room of 5 x 4 m can be played in.
{
	printf '{"type":"map","resolution":0.25,"rows":["%s"' '####################'
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
		printf ',"%s"' '#..................#'
	done
	printf ',"%s"]}\n' '####################'
	echo '{"type":"cmd","t":0,"name":"start"}'
	echo '{"type":"pose","t":0.4,"id":"robot","x":1,"y":1,"theta":0}'
	echo '{"type":"pose","t":0.6,"id":"clyde","x":3,"y":2,"theta":0}'
} >"$dir/import/room"
pb-mapgen "$dir/import/room" --export "$dir/import/map.mcap"
n=0
mkdir -p "$dir/ways"
for f in "$dir"/import/* "$dir"/yaml/house.yaml "$dir"/maptext/* \
	"$dir"/image/raw "$dir"/image/bmp* "$dir"/board/roomba.board \
	testdata/score.jsonl testdata/flat.jsonl "$dir"/record/result1 \
	"$dir"/record/scan1 "$dir"/record/pose1; do
	for way in 0 1 2 3 4 5 6; do
		{
			printf %s "$way"
			head -c 3000 "$f"
		} >"$dir/ways/$n-$way"
	done
	n=$((n + 1))
done
for t in cmd/*.c; do
	cp "$dir"/ways/* "$dir/$(basename "$t" .c)/"
done
rm -r "$dir/ways"

# A message of each type, in CDR and as ROS 1 has it, all 0; and a scan.
for i in 0 1 2 3 4 5 6 7 10 11 12 13 14 15 16 17 20 21 22 23; do
	{ printf '%b' "\\0$i\\0\\01\\0\\0" && head -c 800 /dev/zero; } >"$dir/rosmsg/zero$i"
done
printf '\0\0\1\0\0\1\0\0\0\2\0\0\0\6\0\0\0laser\0\0\0\0\0\200\277\0\0\200?\0\0\200?\0\0\0\0\0\0\0\0\0\0\0?\0\0\0A\2\0\0\0\0\0\200?\0\0\200\177\0\0\0\0' >"$dir/rosmsg/scan"
# Two beams: of two echoes and of one.
printf '\22\0\1\0\0\1\0\0\0\2\0\0\0\6\0\0\0laser\0\0\0\0\0\200\277\0\0\200?\0\0\200?\0\0\0\0\0\0\0\0\0\0\0?\0\0\0A\2\0\0\0\2\0\0\0\0\0\200?\0\0\0@\1\0\0\0\0\0\200\177\0\0\0\0' >"$dir/rosmsg/echoes"

# Frames, and lines that are compressed.
# Three at a time, of 159 bytes, from several parts of a game.
gzip -dc testdata/pacbot/power.jsonl.gz | jq -r '.ser // empty' |
	xxd -r -p >"$dir/game"
for i in 0 1 2 3 4; do
	tail -c +$((i * 100 * 159 + 1)) "$dir/game" |
		head -c $((3 * 159)) >"$dir/wire/frames$i"
done
rm "$dir/game"
head -n 3 testdata/score.jsonl >"$dir/lines/plain"
gzip -n <"$dir/lines/plain" >"$dir/lines/gzip"
cat "$dir/lines/gzip" "$dir/lines/gzip" >"$dir/lines/twice"
printf 'dos\r\n\nno end' >"$dir/lines/dos"

# Streams with events, of two clocks; commands of an operator.
for i in 0 1 2 3; do
	{
		printf %s "$i"
		head -n 3 testdata/score.jsonl | cut -c 1-2000
		echo '{"type":"event","t":1,"name":"pellet"}'
		echo '{"type":"light","t":1.5,"name":"rainbow"}'
		echo '{"type":"sound","t":2,"name":"death"}'
		echo '{"type":"motion","t":2.25,"name":"spin"}'
		echo '{"type":"cmd","t":4,"name":"event","value":"win"}'
		echo '{"type":"maze","name":"m","rows":["#"],"t":5}'
		echo '{"type":"event","t":1e4,"name":"clyde killed"}'
		echo '{"type":"event","t":3,"name":"game start"}'
	} >"$dir/cues/$i"
	pb-sim -r roomba -s "$i" --set limit=200 | grep -v maze | head -c 3000 |
		sed "1s/^/$i/" >"$dir/cues/game$i"
	printf '%s\n' "run $i" status state 'step 3' start 'spawn 1 1' \
		'clyde-speed 0.2' 'base-speed 0.3' 'set clyde-speed 0.3' \
		'show clyde-speed' 'speed 2' restart 'step 5' '# no' \
		'remove-pellet 3' 'run 4' 'step 2' \
		reset-clyde reset-pellets 'run 2' map \
		'help run' reset start state quit >"$dir/console/bot$i"
done

# Games are played by any bytes.
for t in pacbot roomba zumy round; do
	for i in 1 2 3 4 5 6; do
		tail -c +$((1000 * i)) testdata/house.log.gz |
			head -c $((100 * i)) >"$dir/$t/$i"
	done
done

words() { # TARGET FILE...: the words in quotes, as a dictionary
	to=$dir/$1.dict
	shift
	for f; do
		[ -e "$f" ] || {
			echo "seeds.sh: $f: no such file" >&2
			exit 1
		}
	done
	sed 's|\\.||g' "$@" | grep -v '^#include' | grep -o '"[^"\\%]*"' |
		awk 'length($0) > 3 && length($0) < 24' | sort -u >"$to"
}
words record lib/io/rec/*.c
for t in cmd/*.c; do
	words "$(basename "$t" .c)" lib/io/rec/*.c lib/io/file/*.c lib/io/tool/*.c
done
words cues lib/robot/*.c
words console lib/io/console/*.c
words yaml lib/io/file/mapserver.c lib/map/pixel.c
words kml lib/io/file/boardfile.c
words safetensors lib/io/play/weights_opt.c lib/policy/pacbot_dqn.c
words maptext lib/io/file/mapfile.c
printf '"%s"\n' IHDR PLTE IDAT IEND tRNS gAMA iCCP bKGD sBIT >"$dir/image.dict"
