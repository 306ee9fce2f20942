# tools.bash - the tools of the build directory, so that a new one is held to
# what all do by existing.

load common

setup() {
	here
	stream >"$dir/stream"
}

tools() {
	for t in "$build"/pb-*; do
		case $t in *.d) continue ;; esac
		[ -x "$t" ] && echo "${t##*/}"
	done
}

# The options of a tool, which is asked once.
options() {
	local kept=$BATS_FILE_TMPDIR/$1.options
	[ -e "$kept" ] || "$1" --dump-options >"$kept"
	cat "$kept"
}

# Tools of the list that exist.
built() {
	for t in "$@"; do
		[ -x "$build/$t" ] && echo "$t"
	done
	true
}

# Those that read records and pass on what they do not replace.
filters() { built pb-pellets pb-score pb-ghost pb-localize; }

# A stream that every filter takes: a map, pellets, a few poses.
stream() {
	cat testdata/flat.jsonl
	echo '{"type":"pellets","pellets":[{"id":0,"x":1,"y":1},{"id":1,"x":3,"y":1}]}'
	for t in 0.2 0.4 0.6; do
		echo "{\"type\":\"pose\",\"t\":$t,\"id\":\"robot\",\"x\":$t,\"y\":1,\"theta\":0}"
		echo "{\"type\":\"pose\",\"t\":$t,\"id\":\"clyde\",\"x\":2,\"y\":$t,\"theta\":0}"
	done
}

# A short run of the tool that writes records, with seed $2 and options.
work() {
	local t=$1 s=$2
	shift 2
	case $t in
	pb-mapgen) pb-mapgen random-house -s "$s" "$@" ;;
	pb-bench) pb-bench -q -n 4 testdata/flat.jsonl -s "$s" "$@" ;;
	pb-ghost) pb-ghost "$dir/stream" --duration 10 -s "$s" "$@" ;;
	pb-localize)
		pb-localize -m testdata/house.yaml testdata/house.log.gz \
			-s "$s" "$@"
		;;
	pb-sim) pb-sim -r pacmanbot "$dir/stream" --autostart -s "$s" "$@" ;;
	*) "$t" "$dir/stream" "$@" ;;
	esac
}

fails() { # TOOL WHAT: note it and go on, the test fails at its end
	echo "$1: $2"
	echo "$1" >>"$dir/failed"
}
none_failed() { [ ! -e "$dir/failed" ]; }

# Exit status of a command, its output in $dir/out and $dir/err.
status_of() {
	local st=0
	"$@" >"$dir/out" 2>"$dir/err" </dev/null || st=$?
	echo "$st"
}
