#!/bin/sh
# sweep.sh [STEP [WORD]] - let the n-th call for memory fail, and all after
# it, for every n (or every STEP-th) in a short run of each tool: it ends with
# status 3 and says so in one line, or does not need that memory and ends with
# 0; it never crashes. Of a run with thousands of calls some 2000 are tried.
# With WORD only the runs whose command has it. Prints a line a run; status 1
# if one did anything else.
set -u
cd "$(dirname "$0")/../.." || exit 3
build=$PWD/${O:-build}
step=${1:-1}
word=${2:-}
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
cc -O1 -shared -fPIC -o "$tmp/nomalloc.so" tests/fault/nomalloc.c || exit 3
bad=0
in=/dev/null # what runs read

note() { # WHAT
	bad=$((bad + 1))
	wrong=$((wrong + 1))
	[ "$wrong" -gt 3 ] ||
		{ echo "n=$n: $1: $*"; head -n 3 "$tmp/err"; } >&2
}

run() { # COMMAND...
	case $* in *"$word"*) ;; *) return ;; esac
	tool=$1
	shift
	wrong=0
	n=0
	NOMALLOC_COUNT=$tmp/count LD_PRELOAD=$tmp/nomalloc.so \
		"$build/$tool" "$@" >"$tmp/want" 2>"$tmp/err" <"$in" ||
		note "status $? with memory"
	calls=$(cat "$tmp/count")
	by=$((step * (calls / 2000 + 1)))
	n=1
	tried=0
	while [ "$n" -le "$calls" ]; do
		timeout 60 env NOMALLOC_AT="$n" LD_PRELOAD="$tmp/nomalloc.so" \
			"$build/$tool" "$@" >"$tmp/out" 2>"$tmp/err" <"$in"
		st=$?
		case $st in
		0) cmp -s "$tmp/want" "$tmp/out" || note "other output, 0" ;;
		3)
			lines=$(grep -v ': warning: \|: run ended at ' "$tmp/err" |
				grep -c "^$tool: ")
			[ "$lines" -eq 1 ] || note "$lines lines"
			;;
		*) note "status $st" ;;
		esac
		tried=$((tried + 1))
		n=$((n + by))
	done
	echo "$tool $*: $tried of $calls calls failed, $wrong wrong"
}

house=testdata/house.yaml
head -n 40 testdata/score.jsonl >"$tmp/stream"
gzip -dc testdata/house.log.gz | head -n 30 >"$tmp/log"
"$build/pb-mapgen" roomba -o "$tmp/a.board"
"$build/pb-mapgen" testdata/flat.jsonl -o "$tmp/a.map"
"$build/pb-mapgen" testdata/flat.jsonl -o "$tmp/a.png" 2>/dev/null
"$build/pb-sim" -r roomba --set limit=5 >"$tmp/roomba"
"$build/pb-sim" -r zumy --set draw=9 >"$tmp/zumy"
red="$build/pb-ghost -b arcade --name red"
match='-r pacbot -p random --set lives=1 -s 2'
# shellcheck disable=SC2086 # a list of words
"$build/pb-sim" $match --ghost "tee '$tmp/told' | $red" >"$tmp/pacbot"
{
	echo '{"type":"event","t":1,"name":"clyde killed"}'
	echo '{"type":"event","t":3,"name":"win"}'
} >"$tmp/events"
{ # numbers and strings of every length that jansson's buffer grows to
	for n in 31 63 127 255 511 1023 2047 4095; do
		w=$(head -c $n /dev/zero | tr '\0' 7)
		f=0.${w#??}
		printf '{"type":"x","%s":%s,"v":["%s","%s",%s,{"a":%s}]}\n' \
			"$w" "$f" "$w" "$w" "$f" "$f"
	done
} >"$tmp/numbers"
printf '%s\n' 'run 1' restart 'step 2' >"$tmp/script"

run pb-mapgen $house
run pb-mapgen "$tmp/a.map" --render
run pb-mapgen "$tmp/a.png" -R 0.05
run pb-mapgen "$tmp/a.board" --render
run pb-mapgen testdata/roomba.kml
run pb-mapgen testdata/flat.jsonl -o "$tmp/b.yaml"
run pb-mapgen random-maze -s 1
run pb-mapgen random-roomba -s 1
run pb-mapgen random-house -s 1 -S 5,4
run pb-mapgen --lint $house
run pb-pellets testdata/flat.jsonl
run pb-pellets testdata/flat.jsonl "$tmp/numbers"
run pb-score "$tmp/stream"
run pb-score --changes "$tmp/stream"
run pb-ghost --duration 2 testdata/flat.jsonl
run pb-localize -m $house "$tmp/log"
run pb-localize -a odom "$tmp/log"
run pb-sim --autostart --set duration=3 testdata/flat.jsonl
run pb-sim -r pacbot --set ticks-per-cell=20
run pb-sim -r roomba --set limit=20
run pb-sim -r zumy --set draw=20
run pb-sim -r zumy --motion drive --localizer mcl --set draw=20
run pb-sim -r roomba --motion drive --localizer odom --set limit=2
run pb-sim -r pacbot --set ticks-per-cell=20 \
	--agent "sh man/examples/bot.sh"
# shellcheck disable=SC2086
run pb-sim $match --ghost "$red"
run pb-sim --autostart --set duration=1 --ghost "$build/pb-ghost -w" \
	testdata/flat.jsonl
run pb-sim --autostart --set duration=1 --score "$build/pb-score --asked" \
	testdata/flat.jsonl
run pb-sim --feedback "$tmp/events"
run pb-sim -r roomba --set limit=20 --feedback --wav "$tmp/b.wav"
run pb-sim -c start -c 'run 1' -c 'step 9' -c restart -c map \
	testdata/flat.jsonl
run pb-sim -f "$tmp/script" -c state -c help -c show testdata/flat.jsonl
in=$tmp/roomba
run pb-ghost -b roomba --name inky --set limit=5
in=$tmp/zumy
run pb-ghost -b patrol --name patrol1 --set draw=9
in=$tmp/told
run pb-ghost -b arcade --name red
in=/dev/null
run pb-bench -q -n 2 -j 1 testdata/flat.jsonl
run pb-bench -q -n 2 -j 2 -p seed,nearest --table testdata/flat.jsonl
run pb-bench -q -n 2 -j 1 -r roomba
run pb-bench -q -n 2 -j 1 -r zumy
run pb-bench -q -n 2 -j 1 -r pacbot
[ "$bad" -eq 0 ]
