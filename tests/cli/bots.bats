#!/usr/bin/env bats
# bots.bats - the players of man/examples, each in its language.

load common

setup() { here; }

# plays RULES NAME COMMAND [OPTION...]: games without a forfeit, better than
# those by lot.
plays() {
	nice pb-bench -q -r "$1" -p random -n 3 --agent "$2=$3" "${@:4}" \
		>"$dir/out"
	jq -r 'select(.type=="result" and .policy!="random") |
		[.trial,.outcome,.score,.hash]|@tsv' "$dir/out" >"$dir/games"
	cat "$dir/games"
	[ "$(wc -l <"$dir/games")" -ge 3 ]
	[ "$(grep -c forfeit "$dir/games")" = 0 ]
	jq -se '[.[]|select(.type=="summary").score_mean]|.[1] > 2 * .[0]' \
		"$dir/out"
}

# same RULES: the games are those of the other languages.
same() {
	[ -e "$BATS_FILE_TMPDIR/$1" ] || cp "$dir/games" "$BATS_FILE_TMPDIR/$1"
	cmp "$dir/games" "$BATS_FILE_TMPDIR/$1"
}

# searches NAME COMMAND: the same, and the games are those of the others.
searches() {
	plays pacbot "$1" "$2"
	[ "$(cut -f 2 "$dir/games" | sort -u)" = cleared ]
	same pacbot
}

# boards NAME COMMAND: the same on all boards.
boards() {
	searches "$1" "$2"
	plays roomba "$1" "$2"
	grep -q cleared "$dir/games"
	same roomba
	plays zumy "$1" "$2" -n 12
	grep -q reached "$dir/games"
	same zumy
}

needs() { command -v "$1" >"$dir/which" || skip "no $1"; }

@test "in C" {
	needs cc
	cc -Wall -Werror -O2 -o "$dir/bot" man/examples/bot.c
	boards c "$dir/bot"
}

@test "in Python" {
	needs python3
	boards python "python3 man/examples/bot.py"
	# On a map the score counts pellets; nobody plays by lot.
	pb-bench -q -m testdata/house.yaml -p seed -n 2 \
		--agent 'python=python3 man/examples/bot.py' >"$dir/out"
	jq -es 'map(select(.type == "result" and .policy == "python")) |
		length == 2 and all(.outcome != "forfeit" and .pellets > 3)' "$dir/out"
}

@test "in Rust" {
	needs rustc
	rustc -D warnings -O -o "$dir/bot" man/examples/bot.rs
	searches rust "$dir/bot"
}

@test "in JavaScript" {
	needs node
	boards js "node man/examples/bot.js"
}

@test "in awk, by mawk" {
	needs mawk
	searches mawk "mawk -W interactive -f man/examples/bot.awk"
}

@test "in awk, by gawk" {
	needs gawk
	searches gawk "gawk -f man/examples/bot.awk"
}

@test "in the shell, which does something simpler" {
	plays pacbot sh "sh man/examples/bot.sh" --set lives=1
}

@test "each is one page" {
	wc -l man/examples/bot.* | awk '$2 != "total" && $1 > 60 { bad = 1 }
		END { exit bad || NR != 7 }'
}
