#!/bin/sh
# demo.sh - from nothing to a benchmarked round: install what is missing,
# build, make a house, lay pellets, play one round with its picture, and let
# two players play many. Leaves its files in demo/.
set -eu
cd "$(dirname "$0")/.."
scripts/deps.sh
make -s -j"$(nproc)"
PATH=$PWD/build:$PATH
mkdir -p demo

say() {
	printf '\n$ %s\n' "$*"
}

say 'pb-mapgen random-house -s 4 -o demo/house.yaml'
pb-mapgen random-house -s 4 -o demo/house.yaml

say 'pb-mapgen demo/house.yaml | pb-pellets | pb-sim -s 7 --policy safe --autostart >demo/round.jsonl'
pb-mapgen demo/house.yaml | pb-pellets |
	pb-sim -s 7 --policy safe --autostart >demo/round.jsonl

say 'pb-mapgen --render demo/round.jsonl'
pb-mapgen --render demo/round.jsonl

say 'pb-mapgen --png demo/round.png demo/round.jsonl'
pb-mapgen --png demo/round.png demo/round.jsonl
ls -l demo/round.png

say 'tail -n 1 demo/round.jsonl'
tail -n 1 demo/round.jsonl

say 'pb-bench -m demo/house.yaml -n 200 -p seed,safe --table'
pb-bench -m demo/house.yaml -n 200 -p seed,safe --table

say 'pb-localize -m testdata/house.yaml testdata/house.log.gz >demo/located.jsonl'
pb-localize -m testdata/house.yaml testdata/house.log.gz >demo/located.jsonl

say 'pb-bench --trajectory --table demo/located.jsonl'
pb-bench --trajectory --table demo/located.jsonl
