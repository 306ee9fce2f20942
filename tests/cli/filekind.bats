#!/usr/bin/env bats
# filekind.bats - a file of a format that a tool does not read is named.

load common

setup() { here; }

# Every reader of files: records, recordings, maps, results, games, constants.
readers=(pb-score pb-pellets 'pb-mapgen --info' pb-localize
	'pb-localize --info' 'pb-bench --trajectory' 'pb-bench -n 1 -m'
	'pb-bench -f' 'pb-sim -q -m' 'pb-sim --replay')

fail() {
	echo "$@"
	return 1
}

says() { # WHAT ADVICE READER ...: those of the file m, and of a pipe
	local reader
	for reader in "${@:3}"; do
		# shellcheck disable=SC2086 # options
		run --separate-stderr $reader "$dir/m"
		[ "$status" -eq 1 ] || fail "$reader: $status: $stderr"
		[ "$output" = '' ]
		[[ "$stderr" == "${reader%% *}: $dir/m: is $1: $2"* ]] ||
			fail "$reader: $stderr"
		[ "${#stderr_lines[@]}" -eq 1 ] || fail "$reader: $stderr"
	done
	run --separate-stderr -1 pb-score <"$dir/m"
	[ "$stderr" = "pb-score: <stdin>: is $1: $2" ]
}

# All say it by one function, whose kinds of files are in a table
# (tests/unit/filekind.c): each kind is read by two, and some by all.
@test "what nothing reads is named by every reader" {
	local bytes what n=0 of=${#readers[@]} some
	while IFS='|' read -r bytes what; do
		# shellcheck disable=SC2059 # escapes
		printf -- "$bytes" >"$dir/m"
		some=("${readers[n % of]}" "${readers[(n + 3) % of]}")
		case $what in
		*'Git LFS'* | *PCD* | 'JSON over'*) some=("${readers[@]}") ;;
		esac
		says "${what%%: *}" "${what#*: }" "${some[@]}"
		n=$((n + 1))
	done <<-'END'
		version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 9\n|a Git LFS pointer in place of the file: fetch the file with "git lfs pull"
		#ROSRECORD V1.2\n\0\0|a ROS bag of version 1.x: "rosbag reindex" makes one of version 2.0, which is read
		#ROSLOG V1.1\n/scan\n|a ROS bag of version 1.x: "rosbag reindex" makes one of version 2.0, which is read
		#ROSBAG V1.2\n/scan\n|a ROS bag of version 1.x: "rosbag reindex" makes one of version 2.0, which is read
		rosbag2_bagfile_information:\n  version: 5\n|the metadata of a rosbag2 recording: name its folder instead
		PK\3\4\24\0|a zip archive: unpack it first
		BZh91AY|a bzip2 file: unpack it first
		\3757zXZ\0|an xz file: unpack it first
		\377\330\377\340\0\020JFIF|a JPEG image, whose shades are not exact: convert it to PNG, PGM or BMP, which maps are read from
		%%PDF-1.4\n|a PDF document: convert it to PNG, PGM or BMP, which maps are read from
		\n<!DOCTYPE html>\n|a web page in place of the file: download the file itself
		<html lang="en">\n|a web page in place of the file: download the file itself
		# .PCD v0.7\n|a point cloud (PCD): of scans, only those of a 2D lidar are read (see pb-localize)
		\223NUMPY\1|an array of NumPy: write its rows as text under names of columns, as pb-localize(1) says
		VERTEX_SE2 0 0 0 0\n|a pose graph (g2o): of poses, TUM's are read, "t x y z qx qy qz qw"
		#timestamp [ns],p_x [m]\n1,2\n|a trajectory of EuRoC: TUM's are read, "t x y z qx qy qz qw"; "evo_traj euroc FILE --save_as_tum" makes them
		1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 .5 0 1 0 0 0 0 1 0\n|a trajectory of KITTI, whose poses have no time: TUM's are read, "t x y z qx qy qz qw"
		# t,x\n1.5,0,0,0,0,0,0,1\n|a trajectory of TUM with commas: it is read with blanks in their place (tr , ' ')
		header:\n  stamp:\n    sec: 1\n|what "ros2 topic echo" prints, which leaves out most of an array: record the topic (ros2 bag record), which pb-localize reads
		---\ntransforms:\n- header:\n|what "ros2 topic echo" prints, which leaves out most of an array: record the topic (ros2 bag record), which pb-localize reads
		{\n  "type": "map"\n}\n|JSON over several lines: a record is one line (jq -c . FILE)
	END
}

@test "what another option reads names it" {
	printf 'image: m.pgm\nresolution: 1\n' >"$dir/m.yaml"
	run -1 pb-bench --trajectory "$dir/m.yaml"
	[ "$output" = "pb-bench: $dir/m.yaml: is the YAML of a map: pb-mapgen reads it as a map, and so does -m" ]
	printf 'P5\n1 1\n255\na' >"$dir/m.pgm"
	run -1 pb-localize --info "$dir/m.pgm"
	[ "$output" = "pb-localize: $dir/m.pgm: is a PGM image: pb-mapgen reads it as a map, and so does -m" ]
	printf '<?xml version="1.0"?>\n<kml/>\n' >"$dir/m.kml"
	run -1 pb-bench -f "$dir/m.kml"
	[ "$output" = "pb-bench: $dir/m.kml: is an XML file: only boards in KML are read (pb-mapgen)" ]
	printf '\211MCAP0\r\n' >"$dir/m.mcap"
	run -1 pb-score "$dir/m.mcap"
	[ "$output" = "pb-score: $dir/m.mcap: is an MCAP recording of ROS topics: pb-localize reads it, and pb-mapgen its map" ]
	run -1 pb-bench -r pacbot -n 1 -m testdata/house.yaml
	[[ "$output" == "pb-bench: testdata/house.yaml: is a map, where a maze is needed: \"pb-mapgen --as maze\" makes one of at most "* ]]
	printf '\377\376{\0' >"$dir/m"
	run -1 pb-score "$dir/m"
	[ "$output" = "pb-score: $dir/m: is a text in UTF-16: \"iconv -f UTF-16 -t UTF-8\" converts it" ]
}

@test "an image that is a pointer is named, and so are weights and constants" {
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 9\n' >"$dir/m.pgm"
	printf 'image: m.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n' >"$dir/m.yaml"
	lfs='is a Git LFS pointer in place of the file: fetch the file with "git lfs pull"'
	run -1 pb-mapgen "$dir/m.yaml"
	[ "$output" = "pb-mapgen: $dir/m.pgm: $lfs" ]
	run -2 pb-bench --set "@$dir/m.pgm" -n 1
	[[ "$output" == *"--set: $dir/m.pgm: $lfs"* ]]
	run pb-sim -r pacbot -p dqn --weights "$dir/m.pgm"
	[[ "$status" -ne 0 && "$output" == *"$dir/m.pgm: $lfs"* ]]
}

@test "the last resort says what is read, once" {
	printf 'hello\nworld\n' >"$dir/m"
	run -1 --separate-stderr pb-score -k "$dir/m"
	[ "${stderr_lines[0]}" = "pb-score: $dir/m:1: not JSON: expected a value, got 'hello', column 1; read are records (JSON lines), maps, recordings of ROS, CARMEN logs, TUM and CSV poses" ]
	[ "${stderr_lines[1]}" = "pb-score: $dir/m:2: not JSON: expected a value, got 'world', column 1" ]
}

@test "boards of numbers, logs and JSON documents stay what they are" {
	yes '0 1 0 1 0 1 0 1 0 1 0 1' | head -n 12 >"$dir/b.zumy"
	run pb-mapgen "$dir/b.zumy"
	[[ "$output" != *KITTI* ]]
	printf '1 0 0 0 0 0 0 1\n2 1 0 0 0 0 0 1\n' >"$dir/tum"
	pb-localize --convert "$dir/tum" | grep -q '"type":"pose","t":1'
	printf '{\n"info":{"width":1,"height":1,"resolution":1,"origin":{"position":{"x":0,"y":0,"z":0},"orientation":{"x":0,"y":0,"z":0,"w":1}}},\n"data":[0]}\n' >"$dir/g.json"
	pb-mapgen "$dir/g.json" | grep -q '"rows":\["."\]'
}

@test "pb-mapgen takes the map of a recording, of several that of /map" {
	grid() { # TOPIC VALUE: a map of two cells on it
		printf '{"op":"publish","topic":"%s","type":"nav_msgs/msg/OccupancyGrid","msg":{"header":{"stamp":{"sec":1,"nanosec":0},"frame_id":"map"},"info":{"map_load_time":{"sec":0,"nanosec":0},"resolution":0.5,"width":2,"height":1,"origin":{"position":{"x":1,"y":2,"z":0},"orientation":{"x":0,"y":0,"z":0,"w":1}}},"data":[0,%d]}}\n' "$1" "$2"
	}
	{ grid /map -1 && grid /map 100; } >"$dir/one"
	{ cat "$dir/one" && grid /local/map 0; } >"$dir/two"
	for n in one two; do
		python3 tests/cli/mcap.py 2 <"$dir/$n" >"$dir/$n.mcap"
	done
	python3 tests/cli/mcap.py json <"$dir/one" >"$dir/json.mcap"
	# The last one of a topic.
	pb-mapgen "$dir/one.mcap" | jq -ce '[.name, .rows, .resolution, .origin] == ["one", [".#"], 0.5, [1, 2, 0]]'
	pb-mapgen "$dir/json.mcap" | jq -ce '.rows == [".#"]'
	pb-mapgen -R 0.1 "$dir/one.mcap" | jq -ce '.resolution == 0.1'
	run -0 --separate-stderr pb-mapgen "$dir/two.mcap"
	jq -ce '.rows == [".#"]' <<<"$output"
	[ "$stderr" = "pb-mapgen: ignoring maps of /local/map, using those of /map; see --topic" ]
	pb-mapgen --topic /map "$dir/two.mcap" | jq -ce '.rows == [".#"]'
	pb-mapgen --topic /local/map "$dir/two.mcap" | jq -ce '.rows == [".."]'
	run -0 --separate-stderr pb-mapgen --topic /mab "$dir/two.mcap"
	[[ "$stderr" == *"$dir/two.mcap: warning: no message of the topic /mab"* ]]
	run -2 --separate-stderr pb-mapgen --topic /map testdata/house.yaml
	[[ "$stderr" == *'--topic: only with --from-log or a recording of ROS topics'* ]]
}

@test "pb-mapgen: a recording without a map, and one that is cut off" {
	pb-mapgen --export "$dir/house.mcap" testdata/house.yaml
	pb-mapgen "$dir/house.mcap" | cmp - <(pb-mapgen testdata/house.yaml)
	gzip -c "$dir/house.mcap" >"$dir/house.gz"
	pb-mapgen "$dir/house.gz" | cmp - <(pb-mapgen testdata/house.yaml)
	head -c -100 "$dir/house.mcap" >"$dir/cut.mcap"
	run --separate-stderr pb-mapgen --info "$dir/cut.mcap"
	[[ "$stderr" == *"cut.mcap: "*"cut off: ends at byte "* ]]
	head -c 100 "$dir/house.mcap" >"$dir/cut.mcap"
	run -1 --separate-stderr pb-mapgen "$dir/cut.mcap"
	[[ "$output" == '' && "$stderr" == *"cut.mcap: cut off: ends at byte 100 "* ]]
	mkdir "$dir/empty"
	run -1 --separate-stderr pb-mapgen "$dir/empty"
	[ "${#stderr_lines[@]}" -eq 1 ]
	printf '{"op":"publish","topic":"/goal_pose","type":"geometry_msgs/PoseStamped","msg":{"header":{"stamp":{"sec":1,"nanosec":0},"frame_id":"map"},"pose":{"position":{"x":1,"y":2,"z":0},"orientation":{"x":0,"y":0,"z":0,"w":1}}}}\n' |
		python3 tests/cli/mcap.py 2 >"$dir/none.mcap"
	run -1 --separate-stderr pb-mapgen "$dir/none.mcap"
	[ "$stderr" = "pb-mapgen: $dir/none.mcap: no topic is a map (nav_msgs/OccupancyGrid); --from-log grows one from scans, see also pb-localize --info" ]
}
