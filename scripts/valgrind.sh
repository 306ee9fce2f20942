#!/bin/sh
# valgrind.sh [TEST...] - some unit tests and a short run of every tool under
# valgrind: no error, no leak. Tests that take minutes there are left out.
set -eu
cd "$(dirname "$0")/.."
O=${O:-build}
# Without loops over millions of cells or games.
[ $# -gt 0 ] || set -- arena base board canvas cells change controller drawing edt field \
	json json_get kml line map mapyaml maze opt opt_list pellets \
	pixel plot png ray record score tally viewport work

grind() {
	valgrind -q --error-exitcode=9 --leak-check=full \
		--errors-for-leak-kinds=definite,indirect,possible \
		--suppressions=tests/valgrind.supp \
		"$@" >/dev/null 2>"$log" </dev/null ||
		case $? in
		9)
			cat "$log" >&2
			echo "valgrind: $*" >&2
			bad=1
			;;
		esac
	n=$((n + 1))
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
bad=0
n=0
flat=testdata/flat.jsonl
for t in "$@"; do
	grind "$O/tests/unit/$t"
done
grind "$O/pb-mapgen" testdata/house.yaml
grind "$O/pb-mapgen" roomba --render
grind "$O/pb-mapgen" roomba --png /dev/null
grind "$O/pb-mapgen" --lint testdata/bad/maps/syntax.yaml
grind "$O/pb-mapgen" random-maze -s 1 -o /dev/null
grind "$O/pb-pellets" $flat
grind "$O/pb-score" testdata/score.jsonl
grind "$O/pb-score" -k testdata/bad/any.deep.jsonl
grind "$O/pb-ghost" --duration 2 $flat
grind "$O/pb-localize" -a odom testdata/house.log.gz
grind "$O/pb-sim" --autostart --set duration=5 $flat
grind "$O/pb-sim" -r pacbot --set ticks-per-cell=100
grind "$O/pb-sim" -r pacbot -p quick --set 'ticks-per-cell=12 lives=1'
grind "$O/pb-sim" -r roomba --set limit=50
grind "$O/pb-sim" -r roomba --motion drive --localizer mcl --set limit=40
grind "$O/pb-sim" -r zumy --set draw=50
grind "$O/pb-sim" -r zumy --motion drive --set draw=50
grind "$O/pb-bench" -q -n 2 -j 2 --table --set duration=20 $flat
echo "valgrind: $n programs, $bad with errors"
[ "$bad" -eq 0 ]
