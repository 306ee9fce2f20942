# pacbot.bash - games of Pacbot.

load common

setup() {
	here
	set -o pipefail
}

sim() { pb-sim -r pacbot "$@"; }

# Frames of a file or of stdin as ticks, without who has pressed play before
# the frame.
ticks() {
	pb-sim --from-wire "$@" |
		sed -E '/"type":"tick"/!d; s/"mode":[^,]*,//
			s/"(paused|pausing)":[^,]*,//g'
}

# Status $1, nothing but the line $2 on stderr: of sim -q ARG ... <$dir/in
refused() {
	local st=0 want=$1 line=$2
	shift 2
	sim -q "$@" <"$dir/in" >"$dir/out" 2>"$dir/err" || st=$?
	echo "status $st: $(cat "$dir/err")"
	[ "$st" -eq "$want" ] && [ "$(cat "$dir/err")" = "pb-sim: $line" ]
}
