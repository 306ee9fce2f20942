#!/usr/bin/env bats
# bots.bats - the players of man/examples, each in its language.

load common

setup() { here; }

# plays NAME COMMAND [OPTION...]: three games without a forfeit, better than
# those by lot.
plays() {
	nice pb-bench -q -r pacbot -p random -n 3 --agent "$1=$2" "${@:3}" \
		>"$dir/out"
	jq -r 'select(.type=="result" and .policy!="random") |
		[.trial,.outcome,.score,.hash]|@tsv' "$dir/out" >"$dir/games"
	cat "$dir/games"
	[ "$(wc -l <"$dir/games")" = 3 ]
	[ "$(grep -c forfeit "$dir/games")" = 0 ]
	jq -se '[.[]|select(.type=="summary").score_mean]|.[1] > 2 * .[0]' \
		"$dir/out"
}

# searches NAME COMMAND: the same, and the games are those of the others.
searches() {
	plays "$1" "$2"
	[ "$(cut -f 2 "$dir/games" | sort -u)" = cleared ]
	[ -e "$BATS_FILE_TMPDIR/games" ] ||
		cp "$dir/games" "$BATS_FILE_TMPDIR/games"
	cmp "$dir/games" "$BATS_FILE_TMPDIR/games"
}

needs() { command -v "$1" >"$dir/which" || skip "no $1"; }

@test "in C" {
	needs cc
	cc -Wall -Werror -O2 -o "$dir/bot" man/examples/bot.c
	searches c "$dir/bot"
}

@test "in Python" {
	needs python3
	searches python "python3 man/examples/bot.py"
}

@test "in Rust" {
	needs rustc
	rustc -D warnings -O -o "$dir/bot" man/examples/bot.rs
	searches rust "$dir/bot"
}

@test "in JavaScript" {
	needs node
	searches js "node man/examples/bot.js"
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
	plays sh "sh man/examples/bot.sh" --set lives=1
}

@test "each is one page" {
	wc -l man/examples/bot.* | awk '$2 != "total" && $1 > 40 { bad = 1 }
		END { exit bad || NR != 7 }'
}
