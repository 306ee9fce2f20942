#!/bin/sh
# learn.sh NAME [OPTION ...] - learn again what players play by, with the seeds
# and settings of what is in testdata; see pb-learning(7). Needs a build.
#
# pacbot   testdata/pacbot/learned.safetensors, of the player `learned`
# planner  testdata/planner.json, of the player `seed` of pacmanbot
#
# Options are those of learn.py.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- none
name=$1
shift
case $name in
pacbot)
	out=testdata/pacbot/learned.safetensors
	scripts/learn.py pacbot -o $out -s 1 -g 19 -n 18 --sets 16 "$@"
	# Of several, chosen on games of seed 41.
	exec scripts/learn.py pacbot -o $out --start $out -g 0 \
		--beam 12,20,2,2,8,16
	;;
planner)
	exec scripts/learn.py planner -o testdata/planner.json \
		-s 1 -g 24 -n 8 --sets 16 "$@"
	;;
*)
	echo "learn.sh: expected pacbot or planner, got $name" >&2
	exit 2
	;;
esac
