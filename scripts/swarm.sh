#!/bin/sh
# swarm.sh roomba|zumy [OPTION ...] [FILE ...] - play a game
# with a process for each robot, and write what pb-sim writes without. The
# options are those of pb-sim -r GAME. The tools are those in PATH, else the
# ones that were built here.
set -u

usage() {
	echo "usage: swarm.sh roomba|zumy [option ...] [file ...]"
	exit "$1"
}

case ${1-} in
roomba | zumy) ;;
-h | --help) usage 0 ;;
*) usage 2 >&2 ;;
esac
game=$1
shift
command -v pb-sim >/dev/null || PATH=$(cd "$(dirname "$0")/.." && pwd)/build:$PATH
exec pb-sim -r "$game" --swarm "$@"
