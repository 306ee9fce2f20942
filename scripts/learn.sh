#!/bin/sh
# learn.sh NAME - learn again what players play by, with the seeds and settings
# of what is in testdata; see pb-learning(7). Needs a build.
#
# pacbot   testdata/pacbot/quick.safetensors, of the player `quick`
# planner  testdata/planner.json, of the player `seed` of pacmanbot
set -eu
cd "$(dirname "$0")/.."

case ${1-} in
pacbot)
	out=testdata/pacbot/quick.safetensors
	scripts/learn.py pacbot -o $out -s 1 -g 19 -n 18 --sets 16
	# How far it looks was chosen of several, on games of seed 41.
	exec scripts/learn.py pacbot -o $out --start $out -g 0 \
		--beam 12,20,2,2,8,16
	;;
planner)
	exec scripts/learn.py planner -o testdata/planner.json \
		-s 1 -g 24 -n 8 --sets 16
	;;
*)
	echo "learn.sh: expected pacbot or planner, got \"${1-}\"" >&2
	exit 2
	;;
esac
