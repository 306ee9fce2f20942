# bench-common.sh - what bench-parallel.sh and bench-slurm.sh share; sourced.
# shellcheck shell=sh disable=SC2034,SC2154 # parts and dir are theirs
# After take_args: $play and $sum hold quoted words for eval, $dir is there.

bench=${PB_BENCH:-pb-bench}
me=${0##*/}

fail() { # WHAT STATUS
	echo "$me: $1" >&2
	exit "$2"
}

quote() {
	printf "'%s' " "$(printf %s "$1" | sed "s/'/'\\\\''/g")"
}

# Options of the parts; after "--" those of the sum. Parts that are there must
# be of the same benchmark.
take_args() {
	play=
	sum=
	to=play
	for a in "$@"; do
		if [ "$to$a" = play-- ]; then
			to=sum
		elif [ $to = play ]; then
			play=$play$(quote "$a")
		else
			sum=$sum$(quote "$a")
		fi
	done
	case $parts in
	'' | *[!0-9]* | 0*) fail "-n: expected how many, got \"$parts\"" 2 ;;
	esac
	[ -n "$play" ] || fail "expected -- and options of pb-bench" 2
	mkdir -p "$dir" || exit 3
	asked="$parts $play"
	if [ -e "$dir/asked" ] && [ "$(cat "$dir/asked")" != "$asked" ]; then
		fail "$dir: holds parts of another benchmark" 1
	fi
	printf '%s\n' "$asked" >"$dir/asked"
}

# The parts, in order, as one report.
sum_up() {
	i=0
	set --
	while [ "$i" -lt "$parts" ]; do
		i=$((i + 1))
		set -- "$@" "$dir/part.$i.jsonl"
	done
	eval "exec $(quote "$bench") -f $sum \"\$@\""
}
