#!/usr/bin/env bats
# constants.bats - every constant that a rule set, player or localizer lists
# changes some game, or it is refused.

load common

setup() { here; }

# Where constants are tried: rules, player, trials, what is set beside them, an
# option, and those that are; "-": none, all. A constant is settled by the first
# line that it changes. One that its `when` gives to players alone must change
# games of each of them.
table() {
	cat <<-'END'
		pacmanbot nearest 2 round=2 -mtestdata/flat.jsonl -
		pacmanbot seed 3 round=2 -mtestdata/flat.jsonl risk|replan|warn|emerg|appr|dir
		pacmanbot nearest 1 localizer=mcl,mcl-particles=300,people=6 -mtestdata/flat.jsonl mcl|scan|start|mis
		pacmanbot nearest 1 people=16,clutter=20,pose-noise=0.3,duration=60 -mtestdata/house.yaml plan-un|scan|fail|clyde-r
		pacmanbot nearest 2 people=16,sensor-layer=no -mtestdata/house.yaml bump
		pacmanbot nearest 2 progress-distance=2,progress-time=2,clyde-radius=1 -mtestdata/house.yaml progr|fail|recov|local-p
		pacmanbot nearest 1 - --start=3,2.2 idle
		pacbot flee 2 - - -
		pacbot search 1 lives=1,nodes=30 - nodes
		pacbot flee 1 motion=drive,localizer=fuse,lives=1 - -
		pacbot flee 1 motion=drive,localizer=particle,particle-particles=20,lives=1 - particle
		pacbot random 1 motion=drive,slip=0.5 - stick
		roomba greedy 3 - - -
		roomba greedy 2 motion=drive - -
		roomba greedy 1 motion=drive,localizer=mcl,mcl-particles=300,limit=20 - mcl
		roomba plan 1 rollouts=2,lives=1 - roll
		zumy random 6 - - -
		zumy direct 6 motion=drive,draw=600 - -
		zumy direct 2 motion=drive,compat=published,draw=600 - tilt
		zumy direct 2 motion=drive,localizer=mcl,mcl-particles=300,draw=100 - mcl
		zumy sneak 1 looks=100 - looks
	END
}

# Values of a constant to try: other words, or numbers of its range.
values() { # VALUE RANGE
	case $2 in
	*..*) awk -v v="$1" -v r="$2" 'BEGIN {
		split(r, at, "[.][.]")
		hi = at[2] == "" || at[2] == "inf" ? 1e6 : at[2]
		n = split(v * 3 " " v / 3 " " v + 1 " " at[1] " 1 0.05 " \
		    v * 20 " " (hi < 1000 ? hi : 1000), try, " ")
		for (i = 1; i <= n; i++)
			if (try[i] >= at[1] + 0 && try[i] <= hi + 0 && try[i] != v)
				print try[i]
		}' ;;
	*) tr '|' '\n' <<<"$2" | grep -vx -- "$1" ;;
	esac
}

# Into `out` what comes of games, but for the names of their constants. A world
# that does not go with a constant is a change; a refused value is none.
games() { # RULES PLAYER TRIALS OPTION SET ...
	local sets=() s
	for s in "${@:5}"; do [ "$s" = - ] || sets+=(--set "${s//,/ }"); done
	[ "$4" = - ] || sets+=("$4")
	out=$(pb-bench -q -j 1 -r "$1" -p "$2" -n "$3" "${sets[@]}" 2>&1 |
		sed -E 's/"(options|own)":"[^"]*",//g;
		s/"constants":\{[^}]*\},//g')
	[[ $out != *': --set: '* ]] || out=
}

# Whether a constant is of players alone.
of_players() { [[ $1 = *policy* && $1 != *=* ]]; }

# The constants of the table's lines for one rule set: "name player" of those
# that changed a game.
try_all() { # RULES
	local rules player trials sets option only
	local name value range when base x out
	local -A done=()
	while read -r rules player trials sets option only; do
		[ "$rules" = "$1" ] || continue
		[ "$only" != - ] || only=.
		games $rules $player $trials $option $sets
		base=$out
		[[ $base == *'"type":"result"'* ]] || echo "$rules $player: no game"
		while IFS=$'\t' read -r name value _ range _ when; do
			x=$name
			! of_players "$when" || x="$name $player"
			[[ $name =~ ^($only) ]] && [ ! "${done[$x]}" ] ||
				continue
			for value in $(values "$value" "$range"); do
				games $rules $player $trials $option $sets \
					"$name=$value"
				[ "$out" ] && [ "$out" != "$base" ] || continue
				done[$x]=y
				echo "$x"
				break
			done
		done < <(listed $rules $player $option $sets)
	done < <(table)
}

# The constants that matter here, with where they do.
listed() { # RULES PLAYER OPTION SETS
	local set=${4//,/ }
	[ "$set" != - ] || set=
	pb-bench -r $1 -p $2 --set "$set" --dump-constants | sort >"$dir/used.$1"
	pb-bench -r $1 -p $2 --set "$set" --dump-constants all | sort |
		join -t $'\t' - <(cut -f 1 "$dir/used.$1")
}

# All that must change something: names, those of players with each of them.
wanted() { # RULES
	pb-bench -r "$1" --dump-constants all |
		awk -F '\t' '$6 !~ /policy/ || $6 ~ /=/ { print $1; next }
		{ n = split($6, term, " or ")
		  for (i = 1; i <= n; i++)
			if (sub(/^policy /, "", term[i])) print $1, term[i] }'
}

@test "every constant changes some game" {
	local r
	for r in pacmanbot pacbot roomba zumy; do
		try_all $r | sort >"$dir/$r" &
	done
	wait
	# The show after a death is one until the next round; of these maps all
	# pellets can be reached (see pellets.bats).
	printf '%s\n' death-show keep-unreachable >>"$dir/pacmanbot"
	sort -o "$dir/pacmanbot" "$dir/pacmanbot"
	for r in pacmanbot pacbot roomba zumy; do
		wanted $r | sort | comm -23 - "$dir/$r" | sed "s/^/$r: /"
	done >"$dir/idle"
	cat "$dir/idle"
	[ ! -s "$dir/idle" ]
}
