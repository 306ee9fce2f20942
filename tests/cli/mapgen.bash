# mapgen.bash - what pb-mapgen refuses.

load common

setup() { here; }

# Run pb-mapgen: status $1, nothing on stdout, $2 on stderr.
refused() {
	status=$1 text=$2
	shift 2
	run -"$status" --separate-stderr pb-mapgen "$@"
	[ -z "$output" ]
	[[ "$stderr" == *"$text"* ]]
}
