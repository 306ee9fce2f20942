#!/usr/bin/env bats
# agents.bats - outside programs as players, and as other bodies, of pb-bench.

load pacbot

setup() { here; }

# DIR [ID]: a program that always goes that way.
goes() {
	cat <<-END
		while read -r l; do case \$l in *'"type":"tick"'*)
		echo '{"type":"move","id":"$2","dir":"$1"}';; esac; done
	END
}

games='[.trial,.outcome,.score,.collected,.hash]'

# results POLICY: what its games were.
results() {
	jq -c "select(.type==\"result\" and .policy==\"$1\")|$games"
}

@test "a program that plays as a player does has its games, on any threads" {
	for t in 0 1 2; do
		pb-sim -r pacbot -p greedy -t $t | directions >"$dir/moves.$t"
	done
	greedy=$(recite "$dir/moves")
	pb-bench -r pacbot -p greedy --agent me="$greedy" -n 3 -j 1 >"$dir/one"
	cmp <(results me <"$dir/one") <(results greedy <"$dir/one")
	[ "$(results me <"$dir/one" | wc -l)" = 3 ]
	pb-bench -r pacbot -p greedy --agent me="$greedy" -n 3 -j 2 |
		cmp - "$dir/one"
	# and those of pb-sim, whatever it has played before
	[ "$(pb-sim -r pacbot -t 2 --agent me="$greedy" | results me)" = \
		"$(results me <"$dir/one" | tail -n 1)" ]
	[ "$(jq -r 'select(.policy=="me")|.program' "$dir/one" | sort -u)" = \
		"$greedy" ]
}

@test "on a map it chooses the pellets" {
	pb-bench -m testdata/house.yaml -p seed -n 6 -j 2 \
		--agent mine='pb-score --asked' >"$dir/out"
	cmp <(results mine <"$dir/out") <(results seed <"$dir/out")
	[ "$(results mine <"$dir/out" | wc -l)" = 6 ]
}

@test "other bodies are programs, whoever plays" {
	pb-bench -r pacbot -p greedy,flee -n 3 >"$dir/one"
	pb-bench -r pacbot -p greedy,flee -n 3 \
		--agent pink:mine='pb-ghost -b arcade --name pink' >"$dir/two"
	for p in greedy flee; do
		cmp <(results $p <"$dir/one") <(results $p <"$dir/two")
	done
	[ "$(jq -r .ghosts "$dir/two" | sort -u)" = pink:mine ]
	pb-bench -m testdata/house.yaml -p seed -n 3 -s 3 -j 1 \
		--agent clyde:mine='pb-ghost -b clyde --exact -s 3' |
		results seed | cmp - <(pb-bench -m testdata/house.yaml -p seed \
			-n 3 -s 3 | results seed)
	# A robot that plays along elsewhere is asked here.
	run -1 --separate-stderr pb-sim -r zumy -p direct \
		--agent patrol1:x="$(goes stop patrol1)"
	[[ $stderr == *'move.dir: stop: patrol1 cannot turn there' ]]
}

@test "one that fails ends its trial, with the cause, and no other" {
	fails() {
		run --separate-stderr pb-bench -r pacbot -p greedy -n 5 -j 2 \
			--patience 0.3 --agent x="$2"
		[ "$status" = 0 ]
		[ "$(jq -r 'select(.type=="result" and .policy=="x")|
			[.outcome,.cause,.success]|@csv' <<<"$output" |
			sort | uniq -c | sed 's/^ *//')" = \
			"5 \"forfeit\",\"$1\",false" ]
		[ "${#stderr_lines[@]}" = 4 ]
		[[ ${stderr_lines[0]} == *"warning: trial 0, player x: $3" ]]
		[ "${stderr_lines[3]}" = \
			"pb-bench: 5 of 10 trials were ended by programs that failed" ]
		[ "$(jq -r 'select(.type=="result" and .policy=="greedy")|
			.outcome' <<<"$output" | grep -c forfeit)" = 0 ]
	}
	end() { fails "ended: $1" "$2" "the agent has ended: $1"; }
	end 'status 0' true
	end 'status 7' 'exit 7'
	end 'signal 9' 'exec 3<&0; read -r l; kill -9 $$'
	end 'signal 11' 'kill -SEGV $$'
	fails late "{ $(goes left); } | { head -n 1; sleep 9; }" \
		'the agent gave no answer for 0.3 s'
	fails garbled 'yes x' "not JSON: expected a value, got 'x', column 1"
	fails garbled "$(goes sideways)" \
		'move.dir: expected up, left, down, right or stop, got "sideways"'
	# Every second one does.
	pb-bench -r pacbot -q -n 4 -j 1 --patience 1 --agent x="
		while read -r l; do case \$l in
		*reset*) n=\$((n + 1)); [ \$n -lt 2 ] || exit;;
		*tick*) echo '{\"type\":\"move\",\"dir\":\"left\"}'; esac
		done" >"$dir/out"
	[ "$(jq -r 'select(.type=="result")|.outcome' "$dir/out" | xargs)" = \
		'caught forfeit caught forfeit' ]
	# A body that nobody plays spoils the trial, and is nobody's defeat.
	run --separate-stderr pb-bench -r pacbot -p greedy -n 1 --agent red:r=true
	[ "$(jq -r 'select(.type=="result")|[.outcome,.cause]|@csv' \
		<<<"$output")" = '"void","ended: status 0"' ]
	pb-bench -f -q -e 'forfeit<=0' <<<"$output"
	run -4 pb-bench -f -q -e 'forfeit<=0' "$dir/out"
}

@test "a program may end in more ways than a summary has words for" {
	for ((i = 0; i < 40; i++)); do
		echo '{"type":"result","rules":"pacbot","policy":"x","trial":'$i'
			,"outcome":"forfeit","cause":"ended: status '$i'"}' | tr -d '\n\t'
		echo
	done >"$dir/r"
	pb-bench -f "$dir/r" | jq -e '.causes | length == 16 and .ended == 25 and
		add == 40'
}

@test "results resume, and are kept apart by the program" {
	bot=$(goes left)
	set -- --set lives=1
	pb-bench -r pacbot "$@" -n 3 --agent x="$bot" --resume "$dir/r" -q
	run pb-bench -r pacbot "$@" -n 5 --agent x="$bot" --resume "$dir/r" \
		--no-results -q
	[ "$(grep -c '"result"' "$dir/r")" = 5 ]
	pb-bench -r pacbot "$@" -n 5 -p greedy --agent x="$bot" -q |
		jq -e 'select(.type=="comparison")|.n==5'
}

@test "a player whose trials are one game is told, and counted" {
	run --separate-stderr pb-bench -r pacbot --set lives=1 -n 4 --agent left="$(goes left)"
	[[ $stderr == *'left, map pacman, round 1: all 4 trials are one and the '* ]]
	jq -e 'select(.type=="summary")|.distinct==1' <<<"$output"
	run --separate-stderr pb-bench -r pacbot -n 4 -p greedy
	[ -z "$stderr" ]
	jq -e 'select(.type=="summary")|.distinct==4' <<<"$output"
}

@test "every trial begins with a reset: its number and a seed of its own" {
	pb-bench -r pacbot -n 3 -j 1 --set lives=1 -q --agent x="tee $dir/heard |
		{ $(goes left); }" >/dev/null
	[ "$(jq -r 'select(.type=="reset")|.trial' "$dir/heard" | xargs)" = \
		'0 1 2' ]
	[ "$(jq -r 'select(.type=="reset")|.seed' "$dir/heard" | sort -u |
		wc -l)" = 3 ]
	[ "$(grep -c '"maze"' "$dir/heard")" = 1 ]
}

@test "what does not go together is refused in one line" {
	refused() {
		run -2 --separate-stderr pb-bench "${@:2}"
		[ "$stderr" = "pb-bench: $1" ]
	}
	refused '--agent: there is a player search' \
		-r pacbot --agent search=true
	refused '--agent: there is a player x' -r pacbot --agent x=a --agent x=b
	refused '--agent: clyde: pacbot has no such body; it has pacman, red, pink, cyan, orange' \
		-r pacbot --agent clyde:x=true
	refused '--agent: cyam: pacbot has no such body; it has pacman, red, pink, cyan, orange' \
		-r pacbot --agent 'cyam:x=pb-ghost -b arcade --name cyan'
	# A path and an assignment of sh(1) are commands, with a colon or not.
	for o in './cyam:x=1' 'cyam:X=1' 'PATH=/bin:x=1 true' 'me=cyam:x=1'; do
		run --separate-stderr pb-sim -r pacbot --agent "$o"
		[ "$status" = 1 ]
	done
	refused '--agent: two programs for red' \
		-r pacbot -p flee --agent red:x=a --agent red:y=b
	refused '--agent: expected a command, got none' -r pacbot --agent x=
	refused '--agent: only with games that are played' -r localize --agent x
	refused '--patience: only with --agent' -r pacbot --patience 3
	refused '--agent: only with games that are played' \
		-f --agent x=true
}

@test "when a program has ended shows when it is asked, not by chance" {
	for i in 1 2 3 4 5; do
		pb-bench -q -m testdata/house.yaml -n 2 --set duration=20 --agent d=true |
			jq -c 'select(.type == "result")'
	done | sort | uniq -c | tee "$dir/seen"
	[ "$(awk '$1 == 5' "$dir/seen" | wc -l)" -eq 2 ]
}
