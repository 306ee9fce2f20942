#!/usr/bin/env bats
# pb-score: the golden, the rules one by one, commands, bad input.

load common

setup() { here; }

pose() { echo "{\"type\":\"pose\",\"t\":$2,\"id\":\"$1\",\"x\":$3,\"y\":$4,\"theta\":0}"; }
cmd() { echo "{\"type\":\"cmd\",\"name\":\"$1\",\"value\":${2:-null}}"; }

# Pellets 0, 1, ... at X Y pairs.
pellets() {
	local list= id=0
	while [ $# -gt 0 ]; do
		list="$list,{\"id\":$id,\"x\":$1,\"y\":$2}"
		id=$((id + 1))
		shift 2
	done
	echo "{\"type\":\"pellets\",\"pellets\":[${list#,}]}"
}

# Targets as [pellet, why, threat, changed].
targets() {
	jq -c 'select(.type=="target") | [.pellet,.why,.threat,.changed]'
}

terms() {
	jq -c 'select(.type=="scored").pellets[] |
	    [.id,.distance,.risk,.direction,.total,.safe,.excluded]'
}

@test "golden: a robot among eight pellets, Clyde coming closer" {
	pb-score --all testdata/score.jsonl | diff - testdata/golden/score.jsonl
	pb-score --compat report --all testdata/score.jsonl |
		diff - testdata/golden/score-report.jsonl
}

@test "without Clyde the nearest wins, the first of equals" {
	run -0 targets < <( (pellets 0 2 -2 0 2 0; pose robot 0 0 0) | pb-score)
	[ "$output" = '[0,"best",false,true]' ]
}

@test "the terms by hand" {
	# Clyde 2 m ahead: emergency. sqrt 2 from both, 45 degrees off.
	run -0 terms < <( (pellets 1 1 -1 0 5 0; pose clyde 0 2 0; pose robot 0 0 0) |
		pb-score -a)
	[ "${lines[0]}" = '[0,1.414214,1.757359,8.535534,11.707107,false,false]' ]
	[ "${lines[1]}" = '[1,1,0,0,1,true,false]' ]
	[ "${lines[2]}" = '[2,5,0,0,5,true,false]' ]
	# The report: plain dot product, and no mercy beyond Clyde.
	run -0 terms < <( (pellets 1 1 -1 0 5 0; pose clyde 0 2 0; pose robot 0 0 0) |
		pb-score -a --compat report)
	[ "${lines[0]}" = '[0,1.414214,1.757359,15,18.171573,false,false]' ]
	[ "${lines[2]}" = '[2,5,0,55,60,false,false]' ]
}

@test "threat: within 2 m, or within 3 m at 0.03 m/s, not within 0.25 m" {
	threat() { # distance before, distance now
		(pellets 9 9; pose robot 0 0 0; pose clyde 0 "$1" 0
		pose clyde 1 "$2" 0; pose robot 1 0 0) | pb-score | tail -n 1 | jq .threat
	}
	[ "$(threat 2 2)" = true ]
	[ "$(threat 2.03 2.01)" = false ]
	[ "$(threat 2.05 2.01)" = true ]
	[ "$(threat 3.5 3.01)" = false ]
	[ "$(threat 0.3 0.25)" = false ]
	[ "$(threat 0.2 0.26)" = true ]
}

@test "of several ghosts the nearest counts, and how it comes closer" {
	scene() {
		pellets 1.5 0.1 -12 0
		pose robot 0 0 0
		pose clyde 0 -2.6 0; pose blinky 0 2.7 0
		pose clyde 1 -2.9 0; pose blinky 1 "$1" 0
		pose robot 1 0 0
	}
	run -0 targets < <(scene 1.9 | pb-score -g clyde,blinky)
	[ "${lines[-1]}" = '[1,"safe",true,true]' ]
	# The nearest was 2.6 m away, and is 2.5 or 2.59 m away now.
	run -0 targets < <(scene 2.5 | pb-score -g clyde,blinky)
	[ "${lines[-1]}" = '[1,"safe",true,true]' ]
	run -0 targets < <(scene 2.59 | pb-score -g clyde,blinky)
	[ "${lines[-1]}" = '[0,"best",false,false]' ]
	run -0 targets < <(scene 1.9 | pb-score)
	[ "${lines[-1]}" = '[0,"best",false,false]' ]
	for ids in '' clyde, ,clyde a,b,a 1,2,3,4,5,6,7,8,9; do
		run -2 pb-score -g "$ids" </dev/null
	done
}

@test "under threat the safe one wins; the report takes the cheapest" {
	scene() { pellets 1.5 0.1 0.05 0 -12 0; pose clyde 0 1.5 0; pose robot 0 0 0; }
	[ "$(scene | pb-score | targets)" = '[2,"safe",true,true]' ]
	[ "$(scene | pb-score --prefer-safe no | targets)" = '[1,"best",true,true]' ]
	[ "$(scene | pb-score --compat report | targets)" = '[1,"best",true,true]' ]
}

@test "what lies under Clyde is left out while there is another" {
	scene() { pose clyde 0 2.5 0; pose robot 0 0 0; }
	[ "$( (pellets 2.5 0.2 0 20; scene) | pb-score | targets)" = '[1,"best",false,true]' ]
	[ "$( (pellets 2.5 0.2 0 20; scene) | pb-score --exclude no | targets)" = '[0,"best",false,true]' ]
	[ "$( (pellets 2.5 0.2; scene) | pb-score | targets)" = '[0,"fallback",false,true]' ]
}

@test "the margin keeps a target; more than the margin turns" {
	run -0 targets < <( (pellets 0 0 4 0; pose robot 0 1.9 0; pose robot 1 2.1 0
		pose robot 2 2.16 0; pose robot 3 2.2 0) | pb-score)
	[ "${lines[0]}" = '[0,"best",false,true]' ]
	[ "${lines[1]}" = '[0,"kept",false,false]' ]
	[ "${lines[2]}" = '[1,"best",false,true]' ]
	[ "${lines[3]}" = '[1,"best",false,false]' ]
	[ "$( (pellets 0 0 4 0; pose robot 0 1.9 0; pose robot 1 2.1 0) |
		pb-score --replan-margin 0.1 | targets | tail -n 1)" = '[1,"best",false,true]' ]
}

@test "a safe pellet that is dearer does not replace the target" {
	run -0 targets < <( (pellets 0 0.4 -30 0; pose robot 0 0 0
		pose clyde 1 0.1 2.9; pose clyde 2 0.1 2.5; pose robot 2 0 0) | pb-score)
	[ "${lines[1]}" = '[0,"kept",true,false]' ]
	[ "$( (pellets 0 0.4 -30 0; pose clyde 1 0.1 1.9; pose robot 2 0 0) |
		pb-score | targets)" = '[1,"safe",true,true]' ]
}

@test "remove_pellet and new sets" {
	run -0 targets < <( (pellets 1 0 2 0; pose robot 0 0 0; cmd remove_pellet 0
		pose robot 1 0 0; pellets 1 0 2 0 3 0; pose robot 2 0 0; pellets
		pose robot 3 0 0) | pb-score)
	[ "${lines[0]}" = '[0,"best",false,true]' ]
	[ "${lines[1]}" = '[1,"best",false,true]' ]
	[ "${lines[2]}" = '[0,"best",false,true]' ]
	[ "${lines[3]}" = '[null,"none",false,true]' ]
}

@test "disabled means silent, --always does not care" {
	scene() { pellets 1 0; cmd disable; pose robot 0 0 0; cmd enable; pose robot 1 0 0
		cmd reset_round; pose robot 2 0 0; }
	[ "$(scene | pb-score | targets | wc -l)" = 1 ]
	[ "$(scene | pb-score --always | targets | wc -l)" = 3 ]
}

@test "reset_round forgets how fast Clyde came" {
	scene() { pellets 9 9; pose robot 0 0 0; pose clyde 0 3 0; pose clyde 1 2.5 0
		$1; cmd enable; pose clyde 2 2.5 0; pose robot 2 0 0; }
	[ "$(scene 'cmd disable' | pb-score | tail -n 1 | jq .threat)" = false ]
	far() { pellets 9 9; pose robot 0 0 0; pose clyde 0 3 0; pose clyde 1 2.5 0
		$1; cmd enable; pose robot 2 0 0; }
	[ "$(far 'cmd disable' | pb-score | tail -n 1 | jq .threat)" = true ]
	[ "$(far 'cmd reset_round' | pb-score | tail -n 1 | jq .threat)" = false ]
}

@test "--period decides by the clock, once for a gap" {
	run -0 bash -c "$(declare -f pellets pose); (pellets 1 0; pose robot 0 0 0
		pose robot 0.3 0 0; pose robot 0.6 0 0; pose robot 1.1 0 0
		pose robot 9.2 0 0) | pb-score --period 0.5 | jq -c 'select(.type==\"target\").t'"
	[ "$output" = $'0.5\n1\n9' ]
	# What is stamped at the time of a decision is known to it.
	run -0 bash -c "$(declare -f pellets pose); (pellets 1 0; pose robot 0.2 0 0
		pose robot 0.5 0.3 0; pose robot 0.7 0.6 0; pose robot 1 0.5 0) |
		pb-score --period 0.5 | jq -c 'select(.type==\"target\")|[.t,.total]'"
	[ "$output" = $'[0.5,0.7]\n[1,0.5]' ]
}

@test "--changes, ids and sources" {
	scene() { pellets 1 0; pose r2 0 0 0; pose r2 1 0 0; pose ghost 1 1 0; pose r2 2 0 0; }
	[ "$(scene | pb-score --robot r2 --changes | targets | wc -l)" = 1 ]
	[ "$(scene | pb-score --robot r2 -g ghost | targets | tail -n 1)" = '[0,"fallback",true,false]' ]
	labelled() { pellets 1 0; pose robot 0 0 0 | sed 's/}$/,"source":"truth"}/'
		pose robot 0 5 0 | sed 's/}$/,"source":"estimate"}/'; }
	total() { jq -c 'select(.type=="target").total'; }
	[ "$(labelled | pb-score | total)" = 4 ]
	[ "$(labelled | pb-score --source truth | total)" = 1 ]
	[ "$(labelled | pb-score --source any | total | wc -l)" = 2 ]
}

@test "every line passes byte for byte, in order" {
	pb-score testdata/score.jsonl | grep -v '"type":"target"' |
		cmp - testdata/score.jsonl
}

@test "nothing is said before there are pellets and a robot" {
	[ "$(pose robot 0 0 0 | pb-score | targets | wc -l)" = 0 ]
	[ "$( (pellets 1 0; pose clyde 0 0 0) | pb-score | targets | wc -l)" = 0 ]
}

@test "--asked: one target for each question, by what is known then" {
	ask() { echo "{\"type\":\"cmd\",\"t\":$1,\"id\":\"planner\",\"name\":\"choose\"}"; }
	goal() { echo "{\"type\":\"goal\",\"pellet\":$1,\"status\":\"$2\"}"; }
	run -0 targets < <({
		ask 0
		pellets 1 0 2 0 8 0
		ask 1
		pose robot 1 0 0
		pose robot 1.5 4.9 0
		ask 2
		cmd disable
		ask 3
		cmd enable
		ask 4
		pose robot 5 1.6 0
		ask 5
		goal 2 cancelled
		ask 6
		goal 0 sent
		pose robot 6 1.55 0
		ask 7
		goal 0 failed
		ask 8
	} | pb-score --asked --replan-margin 5)
	diff - <(echo "$output") <<-'END'
		[null,"none",false,false]
		[null,"none",false,false]
		[1,"best",false,true]
		[null,"none",false,false]
		[1,"best",false,true]
		[1,"best",false,false]
		[1,"best",false,false]
		[0,"kept",false,true]
		[1,"best",false,true]
	END
	run -2 pb-score --asked --changes
	run -2 pb-score --asked --period 0.5
}

@test "bad input: place, field, status; -k goes on" {
	run -1 --separate-stderr bash -c "echo '{\"type\":\"cmd\",\"name\":\"remove_pellet\",\"value\":0.5}' | pb-score"
	[ "$stderr" = "pb-score: <stdin>:1: cmd.value: expected the number of a pellet" ]
	run -1 --separate-stderr bash -c "$(declare -f pellets pose); (pellets 1 0
		echo '{\"type\":\"pose\",\"id\":\"robot\",\"x\":\"1\",\"y\":0,\"theta\":0}'
		pose robot 0 0 0) | pb-score -k"
	[ "$stderr" = "pb-score: <stdin>:2: pose.x: expected a number, got a string" ]
	[ "$(grep -c '"target"' <<<"$output")" = 1 ]
	run -2 --separate-stderr pb-score --risk-radius -1
	[ -z "$output" ]
	run -2 pb-score --compat rumour
	run -2 pb-score --cosine maybe
}

@test "who never saw a robot or a pellet says so, once" {
	lone() { # records without the rest
		run -0 --separate-stderr pb-score "$@" < <(cat)
		[ "$(printf '%s\n' "$stderr" | wc -l)" -eq 1 ]
	}
	(pellets 0 2; pose clyde 0 2 0; pose pacman 0 0 0; pose pacman 1 0 0) |
		{
			lone
			[ "$stderr" = 'pb-score: nothing scored: no pose of "robot" came, but of "pacman", see --robot' ]
		}
	printf '' | {
		lone
		[ "$stderr" = 'pb-score: nothing scored: no pose of "robot" came' ]
	}
	(pellets 0 2; pose robot 0 0 0) |
		sed 's/"theta":0/&,"source":"truth"/' | {
		lone
		[[ $stderr = *'all poses of robot have the source "truth", see --source' ]]
	}
	pose robot 0 0 0 | {
		lone
		[ "$stderr" = 'pb-score: nothing scored: no pellets record came' ]
	}
	run -0 --separate-stderr pb-score -q </dev/null
	[ -z "$stderr" ]
	run -0 --separate-stderr pb-score < <(pellets 0 2; pose robot 0 0 0)
	[ -z "$stderr" ]
}
