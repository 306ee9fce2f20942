# pacbot.bash - games of Pacbot.

load common

setup() {
	here
	set -o pipefail
}

sim() { pb-sim -r pacbot "$@"; }

# Frames of a file or of stdin, back to back, as JSON: some of what is in them.
frames() {
	xxd -p -c 159 "$@" | awk '
		function hex(i) { return index(digits, substr($0, i, 1)) - 1 }
		function byte(i) { return 16 * hex(2 * i + 1) + hex(2 * i + 2) }
		BEGIN { digits = "0123456789abcdef" }
		length($0) == 318 {
			printf "{\"tick\":%d,\"paused\":%s,\"score\":%d,\"lives\":%d,\"row\":%d,\"col\":%d}\n",
				256 * byte(0) + byte(1),
				byte(3) == 0 ? "true" : "false",
				256 * byte(8) + byte(9), byte(11),
				byte(29) % 64, byte(30) % 64
		}'
}

# recite FILE: a program that plays Pac-Man by the directions in FILE.N, one a
# tick that is asked about, in trial N.
recite() {
	cat >"$1.sh" <<-'END'
		while read -r l; do case $l in
		*'"type":"reset"'*) n=${l##*\"trial\":}
			exec 3<"$1.${n%%[!0-9]*}" ;;
		*'"type":"tick"'*) read -r d <&3
			echo "{\"type\":\"move\",\"dir\":\"$d\"}" ;;
		esac; done
	END
	echo "sh $1.sh $1"
}

# directions: of the player's moves in a match.
directions() { jq -r 'select(.type == "move").dir'; }

# Status $1, nothing but the line $2 on stderr: of sim -q ARG ... <$dir/in
refused() {
	local st=0 want=$1 line=$2
	shift 2
	sim -q "$@" <"$dir/in" >"$dir/out" 2>"$dir/err" || st=$?
	echo "status $st: $(cat "$dir/err")"
	[ "$st" -eq "$want" ] && [ "$(cat "$dir/err")" = "pb-sim: $line" ]
}
