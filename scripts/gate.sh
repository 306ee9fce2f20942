#!/bin/sh
# gate.sh - whether the player safe is below a simpler one anywhere: maps of all
# kinds, by speed and by error of the pose.
#
#	gate.sh [-n TRIALS] [-s SEED] [-g MAPS] [-m MAP]...
#
# -n TRIALS  of each player in each cell (20)
# -s SEED    of maps and trials (1)
# -g MAPS    how many maps to generate, of 13, the smallest first (13)
# -m MAP     one more, a file; again for more
# Writes a row a cell: rates with 95 % intervals, and how often the time of safe
# ran out where another completed. Status 1 where safe completes less than
# another by more than chance: McNemar's exact test, alpha 0.05, with Holm's
# correction for all cells; 2 and 3 where it cannot be played.
set -eu
trials=20
seed=1
most=13
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

while getopts n:s:g:m: o; do
	case $o in
	n) trials=$OPTARG ;;
	s) seed=$OPTARG ;;
	g) most=$OPTARG ;;
	m) printf '%s\n' "$OPTARG" >>"$dir/more" ;;
	*) exit 2 ;;
	esac
done

case $most in
'' | *[!0-9]*)
	echo "gate.sh: -g: expected how many maps, got \"$most\"" >&2
	exit 2
	;;
esac

: >"$dir/maps"
while read -r name options; do
	[ "$(wc -l <"$dir/maps")" -lt "$most" ] || break
	# shellcheck disable=SC2086 # words
	pb-mapgen -q --name "$name" -s "$seed" -o "$dir/$name.yaml" --as map \
		$options || exit 3
	echo "$dir/$name.yaml" >>"$dir/maps"
done <<'END'
flat random-house -S 6,5
house random-house -S 8,6
doors random-house -S 12,9 --set door=0.75
alleys random-maze -S 11,9 --set dead-ends=yes --set mirror=no --loops 0 --cell 1.2 --per 24
ring random-maze -S 13,9 --loops 0.5 --cell 1.2 --per 24
ends random-maze -S 13,11 --set dead-ends=yes --set mirror=no --loops 0.3 --cell 1.2 --per 24
tree random-house -S 14,11 --loops 0
loops random-house -S 14,11 --loops 1
full random-house -S 14,11 --set furniture=0.7 --set ragged=0.4
tight random-house -S 14,11 --set door=0.7 --set corridor=1
rooms random-house -S 18,13 --set room-area=8
wide random-house -S 20,15 --set corridor=2
large random-house -S 26,20
END
[ ! -e "$dir/more" ] || cat "$dir/more" >>"$dir/maps"

set --
while read -r map; do
	set -- "$@" -m "$map"
done <"$dir/maps"
pb-bench -q "$@" -p safe,seed,nearest -n "$trials" -s "$seed" \
	--vary v-max=0.2,0.31,0.65 --vary pose-noise=0.035,0.2 \
	--set 'spawn=main idle-pickup=no spacing=1' >"$dir/played" || exit 3

jq -rs '
def cell: [.map, (.constants | ."v-max", ."pose-noise")];
def safe: .first == "safe" or .second == "safe";
def late: [.[] | select(.type == "result")] | group_by([.map, .options, .trial])
	| map(select(any(.[]; .policy == "safe" and .outcome == "timeout") and
		any(.[]; .success))) | map(.[0]);
late as $late |
# Holm: the least p times how many there are, the next times one less, ...
([.[] | select(.type == "comparison" and .first != .second and safe)] |
	sort_by(.p) | length as $m | to_entries | map(.value +
		{holm: (.value.p * ($m - .key)), more: (.value |
		if .first == "safe" then .only_second > .only_first
		else .only_first > .only_second end)}) |
	reduce .[] as $c ([]; . + [$c + {holm: ([$c.holm,
		(.[-1].holm // 0)] | max)}]) |
	map(select(.more and .holm < 0.05))) as $below |
[.[] | select(.type == "summary")] | group_by([cell, .map_hash]) as $cells |
($cells[] | . as $c | .[0] as $k |
	[($k | cell[]), (("safe", "seed", "nearest") as $p | $c[] |
		select(.policy == $p) | .rate, .lo, .hi),
	($late | map(select(.map == $k.map and .options == $k.options)) |
		length), (if any($below[]; .map == $k.map and
		.options == $k.options) then "below" else "" end)] | @tsv),
"\($cells | length) cells, below in \(
	$below | unique_by([.map, .options]) | length)"' "$dir/played" |
	awk -F '\t' '
NR == 1 {
	printf "%-10s %5s %5s  %-17s %-17s %-17s %s\n", "map", "m/s", "m",
	    "safe %", "seed %", "nearest %", "late"
}
NF > 1 {
	printf "%-10s %5s %5s ", $1, $2, $3
	for (i = 4; i < 13; i += 3)
		printf " %-17s", sprintf("%.0f (%.0f to %.0f)", 100 * $i,
		    100 * $(i + 1), 100 * $(i + 2))
	printf " %4d %s\n", $13, $14
	next
}
{ print; bad = $0 !~ / 0$/ }
END { exit bad }'
