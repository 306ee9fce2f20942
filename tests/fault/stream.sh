#!/bin/sh
# stream.sh [MEGABYTES] - a stream of that length through every filter, in 12
# MB of address space: a tool that keeps what it reads fails. Prints a line a
# tool; status 1 if one did not pass all of it on.
set -u
cd "$(dirname "$0")/../.." || exit 3
PATH=$PWD/${O:-build}:$PATH
megabytes=${1:-100}
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
bad=0

# 1 MB: 10,000 records of the kinds that come all the time.
awk 'BEGIN {
	for (i = 0; i < 2000; i++) {
		p = "{\"type\":\"%s\",\"id\":\"%s\",\"x\":%.3f,\"y\":1.25,\"theta\":0.5%s}\n"
		printf p, "pose", "robot", 1 + i / 1000, ""
		printf p, "odom", "robot", 1 + i / 1000, ",\"v\":0.125,\"w\":0.25"
		printf p, "pose", "clyde", 3 - i / 1000, ",\"source\":\"truth\""
		printf "{\"type\":\"weather\",\"wind\":[1.50, 2e0],\"text\":\"%040d\"}\n", i
		printf "{\"type\":\"event\",\"name\":\"pellet_collected\",\"text\":\"%040d\"}\n", i
	}
}' >"$tmp/part"
bytes=$(wc -c <"$tmp/part")
times=$((megabytes * 1000000 / bytes + 1))

flow() {
	cat testdata/flat.jsonl
	i=0
	while [ "$i" -lt "$times" ]; do
		cat "$tmp/part"
		i=$((i + 1))
	done
}

for c in pb-pellets pb-score pb-ghost "pb-localize -a odom" pb-mapgen; do
	read=$(flow | (
		# shellcheck disable=SC3045 # dash and bash have it
		ulimit -v 12000
		# shellcheck disable=SC2086 # a list of words
		$c -q 2>"$tmp/err"
		echo $? >"$tmp/status"
	) | grep -c '"weather"')
	st=$(cat "$tmp/status")
	if [ "$st" -ne 0 ] || [ "$read" -ne $((2000 * times)) ]; then
		bad=1
		echo "$c: status $st, $read of $((2000 * times)) records" >&2
		head -n 3 "$tmp/err" >&2
	fi
	echo "$c: $((bytes * times / 1000000)) MB, status $st"
done
[ "$bad" -eq 0 ]
