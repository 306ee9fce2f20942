#!/bin/sh
# stream.sh [MEGABYTES [WORD]] - a stream of that length, made on the way and
# kept nowhere, through every filter, in 12 MB of address space (24 MB for tools
# that draw or talk to servers, for the libraries that do): a tool that keeps
# what it reads fails.
# With WORD only the filters whose command has it.
# Prints a line a tool: the most memory it had held after a tenth of the stream
# and at its end; status 1 if one held more at the end, or did not pass all on.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${O:-build}:$PATH
megabytes=${1:-100}
word=${2:-}
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
bad=0

# The kinds that come all the time, with long lines between: 4 MB.
awk 'BEGIN {
	long = sprintf("%04000d", 0)
	for (i = 0; i < 1000; i++) {
		p = "{\"type\":\"%s\",\"id\":\"%s\",\"x\":%.3f,\"y\":1.25,\"theta\":0.5%s}\n"
		printf p, "pose", "robot", 1 + i / 1000, ""
		printf p, "odom", "robot", 1 + i / 1000, ",\"v\":0.125,\"w\":0.25"
		printf p, "pose", "clyde", 3 - i / 1000, ",\"source\":\"truth\""
		printf "{\"type\":\"event\",\"name\":\"pellet_collected\",\"text\":\"%040d\"}\n", i
		printf "{\"type\":\"weather\",\"wind\":[1.50, 2e0],\"text\":\"%s%d\"}\n", long, i
	}
}' >"$tmp/part"
bytes=$(wc -c <"$tmp/part")
times=$((megabytes * 1000000 / bytes + 1))

held() { # the most resident memory that the tool has had (kB)
	awk '/^VmHWM/ { print $2 }' "/proc/$(cat "$tmp/pid")/status" \
		>"$tmp/$1" 2>/dev/null
}

flow() {
	cat testdata/flat.jsonl
	i=0
	while [ "$i" -lt "$times" ]; do
		cat "$tmp/part"
		i=$((i + 1))
		[ "$i" -ne $((times / 10 + 1)) ] || held early
	done
	held late
}

try() { # COMMAND...
	case $* in *"$word"*) ;; *) return ;; esac
	want=$((1000 * times))
	room=12000
	case $1 in pb-localize | pb-mapgen | pb-sim) room=24000 ;; esac
	echo 0 | tee "$tmp/early" "$tmp/late" >/dev/null
	lines=$(flow | (
		# shellcheck disable=SC3045 # dash and bash have it
		ulimit -v $room
		sh -c 'echo $$ >"$0"; exec "$@"' "$tmp/pid" "$@" -q 2>"$tmp/err"
		echo $? >"$tmp/status"
	) | grep -cF '"weather"')
	st=$(cat "$tmp/status")
	read -r early <"$tmp/early"
	read -r late <"$tmp/late"
	if [ "$st" -ne 0 ] || [ "$lines" -ne "$want" ] ||
		[ "$late" -gt $((early + 100)) ]; then
		bad=1
		echo "$1: status $st, $lines of $want long lines" >&2
		head -n 3 "$tmp/err" >&2
	fi
	echo "$*: $((bytes * times / 1000000)) MB, status $st, $early kB," \
		"$late kB at the end"
}

try pb-pellets
try pb-score
try pb-ghost
try pb-localize -a odom
try pb-mapgen
try pb-sim --feedback
[ "$bad" -eq 0 ]
