#!/bin/sh
# demo.sh - from nothing to benchmarks: install what is missing, build, and
# show the whole story: a house and a round in it, the localizer that it needs,
# the Pacbot game with its sounds, the two swarms. Leaves its files in demo/.
set -eu
cd "$(dirname "$0")/.."
mkdir -p demo
cat <<END
This installs the packages that are missing (what apt says is in demo/apt.log),
builds pb in build/, and plays: a house, its localizer, Pacbot, two swarms.
It takes some 3 minutes on two cores, half of one where all is built. Its files go
to demo/.
END
scripts/deps.sh >demo/apt.log 2>&1 || {
	status=$?
	tail -n 5 demo/apt.log >&2
	exit $status
}
# shellcheck source=scripts/progress.sh
. scripts/progress.sh
build all
PATH=$PWD/build:$PATH

run() {
	printf '\n$ %s\n' "$1"
	eval "$1"
}

run 'pb-mapgen random-house -s 4 -o demo/house.yaml'
run 'pb-mapgen demo/house.yaml | pb-pellets |
      pb-sim -r pacmanbot -s 7 -p safe --wav demo/round.wav >demo/round.jsonl'
run 'pb-mapgen --render demo/round.jsonl'
run 'pb-mapgen --png demo/round.png demo/round.jsonl'
run 'pb-bench -m demo/house.yaml -n 100 -p seed,safe --table'

run 'pb-localize -m testdata/house.yaml testdata/house.log.gz >demo/located.jsonl'
run 'pb-bench --trajectory --table demo/located.jsonl'

run 'pb-sim -r pacbot -p search -s 2 --wav demo/pacbot.wav >demo/pacbot.jsonl'
run 'tail -n 1 demo/pacbot.jsonl'
run 'pb-bench -r pacbot -p greedy,flee,power -n 200 --table'

run 'scripts/swarm.sh roomba -p plan -s 3 >demo/roomba.jsonl'
run 'pb-sim -r roomba -p plan -s 3 | cmp - demo/roomba.jsonl && echo the same'
run 'pb-mapgen --png demo/roomba.png demo/roomba.jsonl'
run 'pb-bench -r roomba -p greedy,flee -n 500 --table'
run 'pb-bench -r zumy -p direct,astar -n 500 --table'

cat <<END

Made:    $(find demo -type f ! -name apt.log | wc -l) files in demo/: a map, games (.jsonl), pictures (.png), sounds (.wav)
Look at: demo/round.png and demo/roomba.png; listen to demo/pacbot.wav
Next:    build/pb-sim -m YOUR-MAP.yaml -p seed; build/pb-sim -r roomba --play; man build/man/pb-tutorial.7
END
