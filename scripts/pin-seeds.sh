#!/bin/bash
# pin-seeds.sh [-u] [SECTION] - run the commands of tests/pin/seeds (all, or of
# the section so called) with the tools of $O, compare what they print with the
# hashes there, and name what changed. -u writes the hashes again: only for a
# command that is new.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 3
O=$(cd "${O:-build}" && pwd) || exit 3
PATH=$O:$PATH
# shellcheck source=/dev/null
. tests/constants.sh
pins=tests/pin/seeds
update='' bad=0 n=0 section=''
[ "${1-}" != -u ] || { update=yes; shift; }

# What is published of records: the members on which publications, or the code
# of their authors, agree with a build of any age.
of() { # PROGRAM TYPE ...
	local program=$1
	shift
	command jq -c --args "
		select(.type as \$t | \$ARGS.positional | index(\$t)) |
		$program" "$@"
}
poses() { of '[.t, .id, .x, .y, .theta]' pose; }
truth() { of 'select(.source == "truth") | [.t, .id, .x, .y, .theta]' pose; }
estimates() {
	of 'select(.source == "estimate") | [.t, .x, .y, .theta, .status]' pose
}
states() { of '[.t, .state, .round, .spawned, .collected]' state; }
goals() { of '[.t, .kind, .status, .pellet, .x, .y]' goal; }
paths() { of '[.t, .points]' path; }
commands() { of '[.t, .id, .name, .value]' cmd; }
events() { of '[.t, .name]' event; }
messages() { of '[.t, .id, .name, .to, .value]' message; }
pellets() { of '.pellets[] | [.id, .x, .y]' pellets; }
scores() {
	of '[.t, .threat, (.pellets[] |
	    [.id, .distance, .risk, .direction, .total, .safe, .excluded])]' \
		scored
}
targets() { of '[.t, .pellet, .total, .why, .threat, .changed]' target; }
cues() { of '[.t, .type, .name, .leds, .notes, .w]' light sound motion; }
bodies() {
	of '[.t, .tick, .score, .lives, .left, .level, .combo, .period, .mode,
	    .fruit, [.bodies[] | [.id, .row, .col, .dir, .mode, .fright]]]' tick
}
ends() {
	of '[.trial, .outcome, .success, .pellets, .score, .time, .deaths]' \
		result
}
# Directions that a player chooses whatever it sees.
moves() { # HOW-MANY SEED
	awk -v n="$1" -v x="$2" 'BEGIN {
		split("up left down right", dir)
		while (n-- > 0) {
			x = (x * 1103 + 12345) % 65536
			printf "{\"type\":\"move\",\"dir\":\"%s\"}\n",
			    dir[int(x / 16384) + 1]
		}
	}'
}

out=$(mktemp) || exit 3
trap 'rm -f "$out" "$out.pins"' EXIT
while IFS= read -r line; do
	case $line in
	'== '*) section=${line#== } ;;
	'' | '#'*) ;;
	*)
		hash=${line%%$'\t'*} command=${line#*$'\t'}
		if [ -z "${1-}" ] || [ "$1" = "$section" ]; then
			n=$((n + 1))
			eval "$command" >"$out" 2>/dev/null </dev/null
			now=$(sha256sum <"$out" | cut -c 1-16)
			[ -s "$out" ] || now="nothing printed"
			if [ "$now" != "$hash" ] && [ -z "$update" ]; then
				echo "$section: $now, not $hash: $command"
				bad=$((bad + 1))
			fi
			[ -z "$update" ] || line=$now$'\t'$command
		fi
		;;
	esac
	printf '%s\n' "$line" >>"$out.pins"
done <"$pins"
if [ -n "$update" ]; then
	cp "$out.pins" "$pins"
	echo "pin-seeds.sh: $n commands pinned"
	exit 0
fi
echo "pin-seeds.sh: $n commands, $bad changed"
[ "$bad" -eq 0 ] && [ "$n" -gt 0 ]
