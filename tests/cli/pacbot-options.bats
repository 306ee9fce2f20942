#!/usr/bin/env bats
# pacbot-options.bats - options of a Pacbot game: each has an effect, or is
# refused.

load pacbot

@test "options of other rules and modes that do not go together are refused" {
	: >"$dir/in"
	refused 2 "--set: dt: a constant of pacmanbot" --replay --set dt=0.1
	refused 2 "--preset: pacbot has none" --replay --preset published
	refused 2 "--spawn-at: only with the rules pacmanbot" --replay --spawn-at 1,1
	run ! --separate-stderr pb-sim --set nodes=3 testdata/flat.jsonl
	[ "$status" -eq 2 ]
	[ "$stderr" = "pb-sim: --set: nodes: a constant of pacbot, not of pacmanbot" ]
}

# Status of sim with the words "$*" on a board that is none: 1 if the command
# line is accepted, 2 if not; the first line of what was said is in $said.
accepts() {
	local st=0
	# shellcheck disable=SC2086 # words
	sim -q -m "$dir/none" $* <"$dir/none" >"$dir/out" 2>"$dir/err" || st=$?
	read -r said <"$dir/err"
	echo "$*: status $st: $said"
	return "$st"
}

@test "an option has an effect on what is done, or it is refused" {
	local mode flag opt value modes st
	: >"$dir/none"
	cat >"$dir/table" <<-'EOF'
		policy greedy match client
		seed 5 match script agent serve client
		trial 5 match script agent serve client
		ticks-per-cell 5 match script agent client
		ghosts 2 match script agent serve
		nodes 500 match script agent client
		turn-ticks 2 match script agent client
		camera-delay 2 match script agent
		wrong-cell 0.1 match script agent
		lives 2 match script agent serve
		levels 2 match script agent client
		ghost true match script agent
		referee - serve client
		keep-going - match script agent
		sensors odom match script agent
		feedback - match script agent
		wav sounds.wav match script agent
		provenance - match script agent replay
		trust all serve
		end-after 3 client
		result result client
	EOF
	while read -r mode flag; do
		while read -r opt value modes; do
			[[ $value != *.wav ]] ||
				value=$dir/$value
			[ "$value" != - ] || value=
			st=0
			case $opt in
			ticks-* | ghosts | nodes | turn-* | camera-* | wrong-* | \
				lives | levels)
				accepts --set "$opt=$value" \
					${flag//NONE/$dir/none} || st=$?
				;;
			*)
				accepts "--$opt" $value \
					${flag//NONE/$dir/none} || st=$?
				;;
			esac
			if [[ " $modes " = *" $mode "* ]]; then
				[ "$st" -eq 1 ]
			else
				[ "$st" -eq 2 ]
				[[ $said = "pb-sim: --"*"$opt: "*only\ with\ * ||
					$said = "pb-sim: --set: $opt: a constant of"* ]]
			fi
		done <"$dir/table"
	done <<-'EOF'
		match
		script NONE
		agent --agent true
		replay --replay
		serve --serve --listen 0
		client --client --connect ws://h:1
	EOF
	# All others are of all modes, modes themselves, or of other rules.
	table="
$(cat "$dir/table")"
	pb-sim --dump-options | cut -f 2,4 | sort -u | while read -r opt value; do
		[[ $table != *"
$opt "* ]] || continue
		case $opt in
		rules | map | max-cells | max-line | quiet | list | help | version | \
			dump-options | dump-constants | play | interactive | command | \
			script | replay | agent | serve | listen | client | \
			connect) continue ;;
		esac
		[ "$value" != flag ] && value=1 || value=
		st=0
		accepts "--$opt" $value || st=$?
		[ "$st" -eq 2 ]
		[[ $said = "pb-sim: --$opt"* ]]
	done
}

@test "what is read is not played: pb-bench --from" {
	pb-bench -q -r pacbot -p flee -n 2 >"$dir/r"
	pb-bench -q -r pacbot -f "$dir/r" >"$dir/out"
	for a in "-p flee" "-n 3" "-s 3" "-j 1" "--shard 1/2" "--set lives=2" "--set nodes=9" \
		"--vary lives=1,2"; do
		# shellcheck disable=SC2086 # words
		run ! --separate-stderr pb-bench -q -r pacbot -f $a "$dir/r"
		echo "$a: $stderr"
		[ "$status" -eq 2 ]
		[[ "$stderr" = *": "@(only with|a constant of)" "* ]]
		[ -z "$output" ]
	done
}
