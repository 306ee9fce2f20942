#!/bin/bash
# swarm.sh roomba|zumy|pacbot|pacmanbot [OPTION ...] [FILE ...] - play a game
# with a process for each robot, and write what pb-sim would write.
#
# Every robot writes into one FIFO; tee copies the lines into one for each
# robot, the one that wrote them included, and to standard output. Whose turn
# it is only the robots know. The options are those of pb-sim -r GAME; the
# driver, Pac-Man or the player, gets all of them, the others the rules.
#
# When a robot ends before the game does, the game ends: one line says who and
# why, and the status is the robot's, 3 if it was killed.
#
# Ghosts of pacbot and Clyde have a master: there pb-sim asks their processes.
set -u
export LC_ALL=C

usage() {
	echo "usage: swarm.sh roomba|zumy|pacbot|pacmanbot [option ...] [file ...]"
	exit "$1"
}
say() { echo "swarm: $*" >&2; }

# What of the options of a pacmanbot game is Clyde's, as a command.
clyde() {
	local own=() dt=0.05 period=0.2

	# An option after it has the last word, as in the game.
	case " $* " in
	*" --preset published "* | *" --preset=published "*) own=(--spawn main) ;;
	esac
	while [ $# -gt 0 ]; do
		case $1 in
		--dt) dt=${2-} ;;
		--dt=*) dt=${1#*=} ;;
		--clyde-period) period=${2-} ;;
		--clyde-period=*) period=${1#*=} ;;
		-[st] | --seed | --trial | --spawn | --clyde-clearance | \
			--clyde-speed | --clyde-radius) own+=("$1" "${2-}") ;;
		-[st]?* | --seed=* | --trial=* | --spawn=* | \
			--clyde-clearance=* | --clyde-speed=* | \
			--clyde-radius=*) own+=("$1") ;;
		esac
		shift
	done
	# A whole number of the game's steps, at least one.
	period=$(awk -v p="$period" -v dt="$dt" 'BEGIN {
		n = dt > 0 ? int(p / dt + 0.5) : 1
		printf "%.17g", (n < 1 ? 1 : n) * dt
	}')
	printf '%q ' pb-ghost -b clyde --exact --clyde-period "$period" \
		"${own[@]}"
}

game=${1-}
case $game in
roomba) driver=pacman names=(blinky pinky inky clyde) count=4 ghost=roomba ;;
pacbot)
	shift
	ghosts=()
	for name in red pink cyan orange; do
		ghosts+=(--ghost "pb-ghost -b arcade --name $name")
	done
	exec pb-sim -r pacbot "${ghosts[@]}" "$@"
	;;
pacmanbot)
	shift
	exec pb-sim --ghost "$(clyde "$@")" "$@"
	;;
zumy) driver=player names=(patrol{1..8}) count=2 ghost=patrol ;;
-h | --help) usage 0 ;;
*) usage 2 >&2 ;;
esac
shift

rules=() own=()
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) usage 0 ;;
	-p | -m | --policy | --map | --known) own+=("$1" "${@:2:1}") && shift ;;
	-p* | -m* | --policy=* | --map=* | --known=* | --end | --provenance) own+=("$1") ;;
	--ghosts | --patrols)
		count=${2-}
		rules+=("$1" "${@:2:1}")
		shift
		;;
	--ghosts=* | --patrols=*)
		count=${1#*=}
		rules+=("$1")
		;;
	--*=* | -q | --quiet | --line-buffered | -[st]?*) rules+=("$1") ;;
	-?*) rules+=("$1" "${@:2:1}") && shift ;;
	*) own+=("$1") ;;
	esac
	[ $# -gt 0 ] && shift
done
# What is no number the driver refuses.
[[ $count =~ ^[0-9]$ ]] || count=0
names=("${names[@]:0:count}")

command -v pb-sim >/dev/null || PATH=$(dirname "$0")/../build:$PATH
dir=$(mktemp -d "${TMPDIR:-/tmp}/swarm.XXXXXX") || exit 3
declare -A live=() status=()

clean() {
	# One may run that is not in the list yet.
	# shellcheck disable=SC2046 # a word each
	kill -KILL $(jobs -rp)
	wait
	rm -rf "$dir"
}
trap 'clean 2>/dev/null' EXIT
for s in INT TERM HUP; do
	# shellcheck disable=SC2064 # the name of the signal now
	trap "clean 2>/dev/null; trap - $s EXIT; kill -$s \$\$" "$s"
done

robot() { # NAME COMMAND ...
	local name=$1

	shift
	"$@" >"$dir/up" <"$dir/$name" 2>"$dir/$name.err" &
	live[$name]=$!
}

mkfifo "$dir/up" "$dir/$driver" "${names[@]/#/$dir/}" || exit 3
tee "$dir/$driver" "${names[@]/#/$dir/}" <"$dir/up" 2>"$dir/hub.err" &
live[hub]=$!
robot "$driver" pb-sim -r "$game" --as "$driver" "${rules[@]}" "${own[@]}"
for name in "${names[@]}"; do
	robot "$name" pb-ghost -b "$ghost" --name "$name" "${rules[@]}"
done

# When one has ended, the others have half a second to notice.
late=
for ((since = 0; ${#live[@]} > 0; since += ${#status[@]} > 0)); do
	sleep 0.02 # read -t would cut off the trap of a signal, too
	for name in "${!live[@]}"; do
		kill -0 "${live[$name]}" && continue
		wait "${live[$name]}"
		status[$name]=$?
		# What we have killed ourselves says nothing.
		[ "${status[$name]}" -ge 128 ] && [ -n "$late" ] &&
			status[$name]=late
		unset "live[$name]"
		[[ ${status[$name]} = 1[2-9]? ]] && ((since < 24)) && since=24
	done
	case $since in
	25) late=1 && kill -TERM "${live[@]}" ;;
	75) kill -KILL "${live[@]}" ;;
	esac
done 2>/dev/null

# Who was the first cause: signal 13 and a stream that has ended are what the
# others get from it.
complain() { # NAME
	head -n 1 "$dir/$1.err" >&2
	exit "${status[$1]}"
}

robots=("$driver" "${names[@]}")
for name in "${robots[@]}" hub; do
	st=${status[$name]}
	[[ $st = 1[2-9]? && $st != 141 ]] || continue
	say "$name was killed (signal $((st - 128))); the game ends"
	exit 3
done
for name in "${robots[@]}"; do
	[[ ${status[$name]} = [1-9] ]] || continue
	grep -q 'the stream has ended' "$dir/$name.err" || complain "$name"
done
case ${status[hub]} in
[1-9]) head -n 1 "$dir/hub.err" >&2 && exit 3 ;;
141) [[ ${status[$driver]} = 0 ]] || exit 141 ;; # nobody reads us
esac
for name in "${robots[@]}"; do
	case ${status[$name]} in
	0) continue ;;
	[1-9]) complain "$name" ;;
	esac
	say "$name did not see that the game had ended"
	exit 3
done
cat "$dir"/*.err >&2
