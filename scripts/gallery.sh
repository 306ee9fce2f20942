#!/bin/sh
# gallery.sh [DIRECTORY] - make the pictures of the README again, into
# DIRECTORY (man/gallery). Needs a build, jq and gnuplot; the same ones make the
# same bytes.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/${O:-build}:$PATH
out=${1:-man/gallery}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$out"

# The picture of a stream.
draw() { # NAME [OPTION ...]
	name=$1
	shift
	pb-mapgen -q --png "$out/$name.png" --pixels 600 "$@"
}

# A game is most telling in the middle: its first minute.
minute() {
	jq -c 'select(.type != "result" and (.t // 0) <= 60)'
}

pb-mapgen -q testdata/house.yaml | pb-pellets |
	pb-sim -s 7 -p safe | minute |
	draw house --title 'pacmanbot: the first minute'

pb-sim -r pacbot -p search -s 2 | minute |
	draw pacbot --title 'pacbot: the first minute'

pb-sim -r roomba -p plan -s 3 --motion drive |
	minute |
	draw roomba --title 'roomba: bodies that drive'

pb-sim -r zumy -p sneak -s 3 |
	draw zumy --title 'zumy: past two patrols'

# Switched on somewhere in a maze that looks alike in many places: one hypothesis
# of all of them says nothing, particles do.
pb-sim -r pacbot -p greedy -s 3 --sensors tof4,odom,imu |
	jq -c 'select(.type != "result" and .type != "tick" and
		(.t // 0) <= 8) | if .type == "maze" then
		del(.start, .ghosts) | .rows |= map(gsub("[.o]"; " "))
		else . end' |
	pb-localize -q -a particle --belief --particles 1000 |
	jq -c 'select(.source != "estimate" and .type != "scan") |
		if .type == "belief" then .hypotheses = [] else . end' |
	draw belief --hide trails --title 'pb-localize: where may it be, after 8 s?'

draw slam --slam --title 'pb-mapgen --slam' testdata/house.log.gz

pb-bench -q -m testdata/house.yaml -n 200 -p seed,nearest,safe \
	--resume "$dir/results" --no-results >"$dir/summary"
pb-bench -q --from "$dir/results" --png "$out/rates.png" >"$dir/summary"
man/examples/profile.sh time <"$dir/results" >"$out/profile.svg"

pb-bench -q -r pacbot -p flee -n 200 --no-results --heat "$out/heat.png" \
	>"$dir/summary"
