#!/bin/bash
# run.sh - what must not get worse: how often players complete and localizers
# are right, and how far they are off.
#
#	run.sh [-j JOBS] [-n SHARE] [-D DATA] OUT [PATTERN]...
#	run.sh -l [PATTERN]...
#	run.sh --compare OLD NEW
#
# -j JOBS    rows at a time (as many as there are processors)
# -n SHARE   of the trials (1); with all, it takes an hour of two processors
# -D DATA    folder of published maps, logs and networks (../shared/data)
# -l         list the rows and their trials
# O          folder of the tools (build), of any age
#
# OUT gets a JSON line for each measurement of the rows whose names match a
# PATTERN of the shell (all): name; kind: rate and score (the more, the better),
# error and wrong (the less, the better); n, value, lo and hi (95 %); cpu, the
# seconds of the row's command. Rows whose data is missing are named and left
# out. Status 1 where a row failed.
#
# --compare says of each measurement in both files what became of it: worse is a
# rate or score lower by more than chance, an error larger by 5 %, and any more
# trials that were confidently wrong. Status 1 where something is worse or gone.
# shellcheck disable=SC2016 # programs of jq
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 3

compare() { # OLD NEW
	for list; do
		jq -es 'length > 0 and all(.[]; .name)' "$list" >/dev/null && continue
		echo "run.sh: $list: no measurements" >&2
		return 2
	done
	jq -rn --slurpfile old "$1" --slurpfile new "$2" '
	def better: if .kind == "rate" or .kind == "score" then 1 else -1 end;
	# Of the difference: as wide as both together, towards each other.
	def chance($o; $n): if better * ($n.value - $o.value) < 0
		then [$o | if better > 0 then .value - .lo else .hi - .value end,
		      ($n | if better > 0 then .hi - .value else .value - .lo end)]
		else [$o | if better > 0 then .hi - .value else .value - .lo end,
		      ($n | if better > 0 then .value - .lo else .hi - .value end)]
		end | map(. * .) | add | sqrt;
	def worse($o; $n): if .kind == "error" then $n.value > 1.05 * $o.value
		elif .kind == "wrong" then $n.value > $o.value
		else $n.value < $o.value - chance($o; $n) end;
	($new | INDEX(.name)) as $at |
	$old[] | . as $o | $at[.name] as $n |
	if $n == null then [.name, .kind, .value, "", "gone"]
	else [.name, .kind, .value, $n.value,
		if worse($o; $n) then "WORSE"
		elif $n | worse($n; $o) then "better" else "" end] end | @tsv' |
	awk -F '\t' '
		{ printf "%-28s %-6s %10.5g %10s %s\n", $1, $2, $3,
		    $4 == "" ? "" : sprintf("%.5g", $4), $5 }
		$5 == "WORSE" || $5 == "gone" { bad++ }
		END { printf "%d rows, %d worse\n", NR, bad; exit bad > 0 }'
}

jobs=$(nproc) share=1 D=../shared/data list=''
if [ "${1-}" = --compare ] && [ $# -eq 3 ]; then
	compare "$2" "$3"
	exit
fi
while getopts j:n:D:l o; do
	case $o in
	j) jobs=$OPTARG ;;
	n) share=$OPTARG ;;
	D) D=$OPTARG ;;
	l) list=yes ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
if [ -z "$list" ]; then
	[ $# -gt 0 ] || { sed -n '5,7s/^#\t/usage: /p' "$0" >&2; exit 2; }
	out=$1
	shift
fi
O=$(cd "${O:-build}" && pwd) || exit 3
PATH=$O:$PATH
# shellcheck source=/dev/null
. tests/constants.sh
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
[ -n "$list" ] || : >"$out" || exit 3

# What jq makes of results: rows without their seconds.
stats='
def row($name; $kind): {name: $name, kind: $kind} + .;
def mean: length as $n | (add / $n) as $m |
	(map(. - $m | . * .) | add / ([$n - 1, 1] | max) / $n | sqrt) as $s |
	{n: $n, value: $m, lo: ($m - 1.96 * $s), hi: ($m + 1.96 * $s)};
# Wilson.
def rate: length as $n | (map(select(.)) | length / $n) as $p | 3.8416 as $z |
	(($p + $z / 2 / $n) / (1 + $z / $n)) as $m |
	(($p * (1 - $p) / $n + $z / 4 / $n / $n | sqrt) * 1.96 /
		(1 + $z / $n)) as $h |
	{n: $n, value: $p, lo: ([$m - $h, 0] | max), hi: ([$m + $h, 1] | min)};
def results: map(select(.type == "result"));
'

# A command whose seconds count; what it says goes to the end, if it fails.
timed() { # COMMAND ...
	local TIMEFORMAT='%U %S'
	{ time "$@" 2>"$work/err"; } 2>>"$work/cpu"
}
measured() { # JQ-PROGRAM FILE ...
	local program=$1 cpu
	shift
	cpu=$(awk '{ s += $1 + $2 } END { printf "%.2f", s }' "$work/cpu")
	jq -c -s --arg name "$name" --argjson cpu "$cpu" \
		"$stats ($program) | (.value, .lo, .hi) |= (. * 1e6 | round / 1e6) |
		. + {cpu: \$cpu}" "$@"
}

# Kinds of rows. Each gets the trials, then words for its tools, and writes rows.
play() { # TRIALS OPTION ...
	timed pb-bench -q -j 1 -n "$@" >"$work/results" &&
		measured 'results | map(.success) | rate | row($name; "rate")' \
			"$work/results"
}
points() { # the same, with the score
	play "$@" && measured 'results | map(.score) | mean |
		row($name + "/score"; "score")' "$work/results"
}
# In a random house of 40 x 30 m, which no constant was chosen on.
large() { # TRIALS HOUSE OPTION ...
	pb-mapgen -q random-house -S 40,30 -s "$2" >"$work/house" || return
	points "$1" -m "$work/house" "${@:3}"
}
localize() { # TRIALS OPTION ...
	play "$1" -r localize "${@:2}" || return
	measured 'results | map(.wrong > 0) | rate |
		row($name + "/wrong"; "wrong")' "$work/results"
	measured 'results | map(.error_median) | mean |
		row($name + "/error"; "error")' "$work/results"
}
even_map() { # LOG
	pb-mapgen -q --from-log --scans even -o "$work/map.yaml" "$1"
}
trials() { # TRIALS LOG OPTION ...
	even_map "$2" && localize "$1" -p mcl -m "$work/map.yaml" --log "$2" \
		--scans odd "${@:3}"
}
# TRIALS are seeds.
track() { # TRIALS LOG
	even_map "$2" || return
	for ((seed = 1; seed <= $1; seed++)); do
		timed pb-localize -q -a mcl -m "$work/map.yaml" --scans odd \
			-s "$seed" --start truth "$2" >"$work/poses" || return
		pb-bench -q --trajectory "$work/poses" >>"$work/ate" || return
	done
	measured 'map(.ate.rmse) | mean | row($name; "error")' "$work/ate"
	measured 'map(.wrong) | mean | row($name + "/wrong"; "wrong")' \
		"$work/ate"
}
slam() { # 1 LOG RELATIONS
	timed pb-mapgen -q --from-log --slam --align --force \
		--trajectory "$work/poses" -o "$work/map.yaml" "$2" || return
	pb-bench -q --trajectory --reference "$2" "$work/poses" >"$work/ate" ||
		return
	measured '.[0].aligned | {n, value: .rmse, lo: .rmse, hi: .rmse} |
		row($name; "error")' "$work/ate"
	[ -e "$3" ] || return 0
	pb-bench -q --trajectory --relations "$3" "$work/poses" "$2" \
		>"$work/relations" || return
	measured '.[0] | .relations as $n | .nearest.m.mean |
		{n: $n, value: ., lo: ., hi: .} |
		row($name + "/relations"; "error")' "$work/relations"
}

running=0
failed=$dir/failed
row() { # NAME TRIALS FILE KIND WORD ...
	local name=$1 n=$2 file=$3 pattern match=''
	shift 3
	for pattern in "${patterns[@]}"; do
		# shellcheck disable=SC2254 # a pattern
		case $name in $pattern) match=yes ;; esac
	done
	[ -n "$match" ] || return 0
	n=$(awk -v n="$n" -v s="$share" 'BEGIN {
		n = int(n * s + 0.5); print n < 1 ? 1 : n }')
	if [ -n "$list" ]; then
		printf '%s\t%s\n' "$name" "$n"
		return
	fi
	if [ -n "$file" ] && [ ! -e "$file" ]; then
		echo "run.sh: $name: left out: no $file" >&2
		return
	fi
	while [ "$running" -ge "$jobs" ]; do
		wait -n
		running=$((running - 1))
	done
	running=$((running + 1))
	(
		work=$dir/${name//\//-}
		mkdir "$work"
		if "$1" "$n" "${@:2}" >"$work/rows"; then
			cat "$work/rows" >>"$out"
		else
			echo "run.sh: $name: failed: $(tail -n 1 "$work/err")" >&2
			echo "$name" >>"$failed"
		fi
		rm -rf "$work"
	) &
}
patterns=("$@")
[ $# -gt 0 ] || patterns=('*')

house=$D/maps/house/map_01.yaml narrow=$D/maps/narrow/house.yaml
fast=$(constants pb-bench idle-pickup=no)
slow=$(constants pb-bench idle-pickup=no v-max=0.31)
# The longest rows first.
# shellcheck disable=SC2046,SC2086 # words
{
	for player in safe seed oracle; do
		row "round9/$player" 2000 "$house" play -p $player -m "$house" \
			-s 5 $slow $(constants pb-bench pose-noise=0.05 round=9)
	done
	for ticks in 6 8 10 12; do
		row "search-$ticks" 400 '' points -r pacbot -p search -s 1 \
			$(constants pb-bench ticks-per-cell=$ticks)
	done
	for player in safe seed oracle; do
		row "house/$player" 2000 "$house" play -p $player -m "$house" \
			-s 31 --preset published $fast
		row "narrow/$player" 2000 "$narrow" play -p $player -m "$narrow" \
			-s 1 $slow $(constants pb-bench pose-noise=0.2 spawn=main \
			spacing=1)
	done
	for n in 3 5; do
		for player in safe seed oracle; do
			row "large-$n/$player" 1000 '' large $n -p $player \
				-s 1 $(constants pb-bench spacing=4 v-max=0.31)
		done
	done
	for ticks in 6 8 10 12; do
		row "quick-$ticks" 2000 '' points -r pacbot -p quick -s 1 \
			$(constants pb-bench ticks-per-cell=$ticks)
	done
	row dqn 1000 "$D/dqn/q_net.safetensors" points -r pacbot -p dqn -s 1 \
		--weights "$D/dqn/q_net.safetensors,$D/dqn/endgame.safetensors"
	row sneak 4000 '' play -r zumy -p sneak -s 1
	row plan 2000 '' points -r roomba -p plan -s 1
	for name in intel aces freiburg-101 freiburg-079 seattle orebro house; do
		log=$D/carmen/$name-corrected.log.gz
		scans=60
		[ $name != house ] || log=testdata/house.log.gz scans=24
		for protocol in global kidnap; do
			row "$protocol/$name" 100 "$log" trials "$log" -s 1 \
				$(constants pb-bench updates=$scans \
				protocol=$protocol)
		done
		row "track/$name" 5 "$log" track "$log"
		# Without odometry no map is made.
		[ $name = orebro ] || row "slam/$name" 1 "$log" slam "$log" \
			"$D/relations/$name.relations"
	done
	for method in fuse cell-ray region corridor; do
		row "maze/$method" 200 '' localize -p $method -s 1 \
			$(constants pb-bench protocol=track)
	done
	row maze/particle 2 '' localize -p particle -s 1 \
		$(constants pb-bench protocol=track)
	row maze/global 200 '' localize -p fuse -s 1 \
		$(constants pb-bench protocol=global)
	row maze/kidnap 200 '' localize -p fuse -s 1 \
		$(constants pb-bench protocol=kidnap)
}
wait
[ ! -e "$failed" ]
