#!/usr/bin/env bats
# conventions.bats - what all tools do alike: options, errors, output.

load tools

@test "there are tools" {
	[ -n "$(tools)" ]
}

@test "help and version go to stdout, exit 0" {
	for t in $(tools); do
		for o in -h --help -V --version --dump-options; do
			[ "$(status_of "$t" $o)" -eq 0 ] || fails "$t" "$o: status"
			[ -s "$dir/out" ] || fails "$t" "$o: nothing on stdout"
			[ ! -s "$dir/err" ] || fails "$t" "$o: stderr"
			case $o in
			-h) grep -q "^usage: $t " "$dir/out" ;;
			-V) grep -q "^$t [0-9]" "$dir/out" ;;
			esac || fails "$t" "$o: what"
		done
	done
	none_failed
}

@test "--help shows what goes with the command line, --help all the rest" {
	for t in $(tools); do
		status_of "$t" --help >"$dir/st"
		[ "$(cat "$dir/st" "$dir/err")" = 0 ] || fails "$t" "--help"
		[ "$(wc -l <"$dir/out")" -le 60 ] || fails "$t" "long help"
		[ "$(wc -L <"$dir/out")" -le 80 ] || fails "$t" "wide help"
		"$t" --help all >"$dir/all"
		[ "$(wc -L <"$dir/all")" -le 80 ] || fails "$t" "wide help"
		# Every option is in one of them, and none is not counted.
		diff <(options "$t" | cut -f 2 | sort) \
			<(grep -o '^  [- ].[, ] --[^ ]*' "$dir/all" |
				sed 's/.*--//' | sort -u) || fails "$t" "lacks"
		grep -q 'help all lists' "$dir/all" && fails "$t" "more than all"
	done
	helps() { # OPTION YES|NO TOOL ARGUMENT ...
		local o=$1 want=$2
		shift 2
		"$@" >"$dir/out"
		if grep -q -- "^  [- ].[, ] --$o\b" "$dir/out"; then
			[ "$want" = yes ] || fails "$*" "shows --$o"
		elif [ "$want" = yes ]; then
			fails "$*" "lacks --$o"
		fi
	}
	helps vary no pb-bench --help -f
	helps weights yes pb-bench -r zumy,pacmanbot -h
	helps serve yes pb-sim --help -r pacbot
	helps serve no pb-sim --help
	helps autostart yes pb-sim --help
	helps autostart no pb-sim --rules=zumy --help
	helps tum no pb-localize --help --method wait
	helps tum yes pb-localize --help --method mcl
	helps pixels no pb-mapgen --help
	helps pixels yes pb-mapgen --render --help
	helps name yes pb-ghost -b roomba --help
	none_failed
}

@test "options that every tool has mean the same" {
	for t in $(tools); do
		for o in "h	help" "V	version" "q	quiet"; do
			grep -q "^$o	" <(options "$t") ||
				fails "$t" "lacks $o"
		done
		while IFS='	' read -r letter name _; do
			case $letter:$name in
			k:keep-going | s:seed | m:map | q:quiet | h:help) ;;
			r:rules | p:policy | t:trial | i:id | i:interactive) ;;
			n:trials | n:ticks | n:count | n:rounds) ;;
			V:version | [!ksmqhVrptin]:*) ;;
			*) fails "$t" "-$letter is --$name" ;;
			esac
		done < <(options "$t")
	done
	none_failed
}

@test "every option has a long name, no name or letter is used twice" {
	for t in $(tools); do
		[ -z "$(options "$t" | cut -f 2 | sort | uniq -d)" ] ||
			fails "$t" "a name twice"
		[ -z "$(options "$t" | cut -f 1 | grep -v '^-$' |
			sort | uniq -d)" ] || fails "$t" "a letter twice"
		grep -q '^.	.' <(options "$t") || fails "$t" "no names"
	done
	none_failed
}

@test "a wrong command line: status 2, empty stdout, a line on stderr" {
	for t in $(tools); do
		for o in --no-such-option -0 --help=1 --seed --seed=x --seed=-1; do
			case $o in
			--seed*) grep -q "	seed	" <(options "$t") ||
				continue ;;
			esac
			[ "$(status_of "$t" "$o")" -eq 2 ] ||
				fails "$t" "$o: status"
			[ ! -s "$dir/out" ] || fails "$t" "$o: stdout"
			grep -q "^$t: " "$dir/err" || fails "$t" "$o: silent"
		done
	done
	none_failed
}

@test "every number refuses what is none or not finite" {
	# One value each, all on some options of a tool. A shell of its own is
	# quicker, as bats looks at each command. Whole numbers have 64 bits.
	none='x 1x nan inf 0x10 1e999'
	for t in $(tools); do
		options "$t" | awk -F '\t' -v t="$t" -v none="$none" '
			$4 == "number" || $4 == "int" {
				n = split(none ($4 != "int" ? "" : \
				    " 18446744073709551616 -9223372036854775809"),
				    value, " ")
				print t " --" $2 "=" value[i++ % (n + 1) + 1]
			}'
	done >"$dir/runs"
	for t in "pb-sim -r pacmanbot" "pb-sim -r pacbot" "pb-sim -r roomba" \
		"pb-sim -r zumy" "pb-localize -a mcl" "pb-mapgen random-house"; do
		$t --dump-constants all | sed "s/^/$t\t/"
	done | awk -F '\t' -v none="$none" '
		# A constant that several have is one; of games all are tried by
		# the unit test games.
		$5 ~ /[0-9][.][.][0-9]/ && !seen[$2]++ &&
		($1 !~ /^pb-sim/ || games++ % 8 == 0) {
			n = split(none, value, " ")
			print $1 " --set " $2 "=" value[i++ % (n + 1) + 1]
		}' >>"$dir/runs"
	[ "$(wc -l <"$dir/runs")" -gt 100 ]
	sh -s "$dir" <<-'END' >"$dir/wrong"
		while read -r t o; do
			"$t" $o >"$1/out" 2>"$1/err" </dev/null
			[ $? -eq 2 ] || echo "$t $o: status"
			[ ! -s "$1/out" ] || echo "$t $o: stdout"
		done <"$1/runs"
	END
	while read -r t what; do fails "$t" "$what"; done <"$dir/wrong"
	none_failed
}

@test "no memory for a long line: status 3, one line, no long wait" {
	(ulimit -v 100000 && pb-score -V >/dev/null 2>&1) ||
		skip "this build needs more memory"
	long() { head -c 20000000 /dev/zero | tr '\0' "$1"; }
	{
		printf '{"type":"x","v":"' && long a && printf '"}\n'
	} >"$dir/text"
	{
		printf '{"type":"x","v":[' && long 1 | sed 's/11/1,/g' &&
			printf '0]}\n'
	} >"$dir/list"
	for t in $(filters); do
		for f in text list; do
			for kb in 25000 35000; do
				st=$(ulimit -v $kb &&
					status_of timeout 20 "$t" -q "$dir/$f")
				[ "$st" = 3 ] || fails "$t" "$f, $kb: $st"
				[ "$(grep -c . "$dir/err")" -eq 1 ] ||
					fails "$t" "$(cat "$dir/err")"
			done
		done
	done
	none_failed
}

@test "a file that cannot be written: said before anything is done" {
	touch "$dir/file"
	mkfifo "$dir/waits"
	for c in "pb-bench --png" "pb-mapgen --png" "pb-mapgen -o"; do
		read -r t o <<<"$c"
		for f in "$dir/none/x.png" "$dir/file/x.png"; do
			[ "$(status_of timeout 20 "$t" "$o" "$f" \
				"$dir/waits")" -eq 3 ] || fails "$c" "status"
			grep -q "^$t: $f: cannot write: " "$dir/err" ||
				fails "$c" "$(cat "$dir/err")"
			[ ! -s "$dir/out" ] || fails "$c" "stdout"
		done
	done
	echo '{"type":"map"' >"$dir/bad"
	pb-bench -q --png "$dir/new.png" "$dir/bad" || true
	[ -z "$(find "$dir" -name 'new*')" ] || fails pb-bench "left a file"
	none_failed
}

@test "data that is to come from a terminal: said" {
	script -qec true /dev/null >/dev/null || skip "no pseudo-terminal"
	for c in $(tools) "pb-mapgen --lint /dev/stdin" "pb-bench -f" \
		"pb-sim -r pacbot --replay"; do
		local st=0
		timeout 20 script -qec "$c" /dev/null </dev/null >"$dir/tty" ||
			st=$?
		[ "$st" -ne 124 ] || fails "$c" "one Ctrl-D does not end it"
		grep -q "reading from the terminal, Ctrl-D ends" "$dir/tty" ||
			fails "$c" "$(cat "$dir/tty")"
	done
	none_failed
}

@test "an id is no empty text and fits a record" {
	for t in $(tools); do
		while IFS='	' read -r _ name _ kind _; do
			[ "$kind" = id ] || continue
			for v in '' "$(printf '%032d' 0)"; do
				[ "$(status_of "$t" "--$name=$v")" -eq 2 ] ||
					fails "$t" "--$name=$v: status"
			done
		done < <(options "$t")
	done
	grep -q '	id	id	id	clyde	' <(pb-ghost --dump-options) ||
		fails pb-ghost "has no id"
	none_failed
}

# Text that sets a title, clears the screen, turns the direction of writing or
# is not seen: as bytes, and as it stands in JSON.
odd=$'\e]0;X\a\x7f\xc2\x9b2J\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf\xe2\x80\xa8'
odd_json='\u001b]0;X\u0007\u007f\u009b2J\u202e\u2066\u200b\ufeff\u2028'

shown() { # COMMAND...: what it writes is text, and all of it can be seen
	"$@" >"$dir/out" 2>&1 </dev/null || true
	[ -s "$dir/out" ] || fails "$1" "nothing from $*"
	iconv -f utf-8 -t utf-8 "$dir/out" >/dev/null 2>&1 ||
		fails "$1" "no UTF-8 from $*"
	! LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f\xad]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf' \
		"$dir/out" || fails "$1" "odd text: $* $(cat -v "$dir/out")"
}

@test "nothing that was read speaks to the terminal" {
	local sed_json=${odd_json//\\/\\\\}
	sed "s/\"name\":\"[^\"]*\"/\"name\":\"$sed_json\"/" $flat >"$dir/m.jsonl"
	grep -qF "$odd_json" "$dir/m.jsonl"
	sed "s/\"id\":\"robot\"/\"id\":\"$sed_json\"/" "$dir/stream" |
		sed 1d >"$dir/poses"
	shown pb-mapgen --info "$dir/m.jsonl"
	shown pb-mapgen "$dir/m.jsonl"
	shown pb-mapgen "$dir/m.jsonl" --render --width 60
	shown pb-mapgen "$dir/m.jsonl" --render --width 60 "$dir/poses"
	pb-bench -q -n 4 -p seed,nearest "$dir/m.jsonl" >"$dir/results"
	shown cat "$dir/results"
	shown pb-bench -q -f --table "$dir/results"
	shown bash -c "pb-bench -q -f --csv '$dir/results' | tr -d '\\r'"
	sed "s/\"policy\":\"seed\"/\"policy\":\"$sed_json\"/" "$dir/results" \
		>"$dir/others"
	shown pb-bench -q -f --table "$dir/others"
	printf 'image: a\nresolution: "\\e]0;X\\a\\x7f\\x9b\\u202e"\n' \
		>"$dir/m.yaml"
	cat >>"$dir/m.yaml" <<-'END'
		origin: [0, 0, 0]
	END
	shown pb-mapgen --lint "$dir/m.yaml"
	shown pb-mapgen "$dir/m.yaml"
	# Names of files, also such as are no UTF-8.
	for name in "$odd" $'\xff\xc3'; do
		cp "$dir/m.yaml" "$dir/$name.yaml"
		shown pb-mapgen --lint "$dir/$name.yaml"
		shown pb-mapgen "$dir/$name.yaml"
		shown pb-score "$dir/$name.yaml"
		shown pb-sim -m "$dir/$name"
		shown pb-bench "--$name"
	done
	printf '%s\n' "$odd" "show $odd" "set $odd 1" \
		status >"$dir/console"
	shown pb-sim -i --script "$dir/console" -m "$dir/m.jsonl"
	none_failed
}

@test "what passes through stays as it was, what is said again is escaped" {
	printf '{"type":"x","s":"%s\\u0000","k\\u0000":"\\u0000"}\n' \
		"$(printf %s "$odd" | tr -d '\033\007')" >"$dir/x"
	for t in $(filters); do
		cat "$dir/stream" "$dir/x" | "$t" -q >"$dir/out"
		grep -qaxFf "$dir/x" "$dir/out" || fails "$t" "changed a record"
	done
	none_failed
	printf '{"type":"map","name":"%s","resolution":1,"rows":["."]}\n' \
		"$odd_json" | pb-mapgen | grep -F "$odd_json"
	run -1 --separate-stderr pb-score - <<<'{"type":"pose","id":"a\u0000","x":1,"y":1}'
	[ "$stderr" = 'pb-score: <stdin>:1: pose.id: expected a string, got a string with \u0000 in it' ]
}

@test "a full disk: status 3 and a line" {
	[ -w /dev/full ] || skip "no /dev/full"
	for t in $(tools); do
		for what in help work; do
			st=0
			case $what in
			help) "$t" -h >/dev/full 2>"$dir/err" || st=$? ;;
			work) work "$t" 1 >/dev/full 2>"$dir/err" || st=$? ;;
			esac
			[ "$st" -eq 3 ] || fails "$t" "$what: status $st"
			grep -q "^$t: <stdout>: cannot write: " "$dir/err" ||
				fails "$t" "$what: $(cat "$dir/err")"
		done
	done
	none_failed
}

@test "a closed pipe is silent, whether SIGPIPE is ignored or not" {
	for t in $(tools); do
		work "$t" 1 2>"$dir/err" | true
		(
			trap '' PIPE
			work "$t" 1 2>>"$dir/err" | true
		)
		! grep -i 'pipe\|cannot write' "$dir/err" ||
			fails "$t" "speaks of the pipe"
	done
	none_failed
}

@test "same seed, same bytes; another seed, others" {
	for t in $(tools); do
		work "$t" 7 >"$dir/a" 2>/dev/null
		work "$t" 7 >"$dir/b" 2>/dev/null
		[ -s "$dir/a" ] || fails "$t" "wrote nothing"
		cmp -s "$dir/a" "$dir/b" || fails "$t" "same seed"
		grep -q "	seed	" <(options "$t") || continue
		work "$t" 8 >"$dir/b" 2>/dev/null
		! cmp -s "$dir/a" "$dir/b" || fails "$t" "another seed"
	done
	none_failed
}

@test "a word that is misspelt is told the one that is near" {
	hint() { # WHAT COMMAND ...: the end of the complaint
		local want=$1
		shift
		status_of "$@" >"$dir/st"
		[ "$(cat "$dir/st")" -gt 0 ] || fails "$*" "took it"
		grep -q "$want\$" "$dir/err" ||
			fails "$*" "no $want: $(head -n 1 "$dir/err")"
	}
	hint 'unknown option --polcy; did you mean --policy?' pb-sim --polcy=x
	hint 'unknown option --zzzzz' pb-sim --zzzzz
	hint 'unknown option -o; records go to standard output: end the command with >FILE' pb-sim -o x
	hint 'unknown option --png; pipe the records into pb-mapgen --render -o FILE.png, .svg or .html' pb-sim --png x
	hint 'unknown option --house; make the map by pb-mapgen random-house or random-maze, -s SEED' pb-mapgen --house
	hint 'ambiguous option --st: --start, --start-cov' pb-localize --st 3
	hint 'did you mean "clyde"?' pb-ghost -b cylde
	hint 'did you mean "roomba"?' pb-sim -r rooomba
	hint 'did you mean "pacbot"?' pb-bench -r roomba,pacbt
	hint 'got "roomba,roomba"' pb-bench -r roomba,roomba
	hint 'did you mean "safe"?' pb-sim -p saef
	hint 'did you mean "search"?' pb-bench -r pacbot -p serach
	hint 'did you mean "lives"?' pb-bench -r roomba --vary livess=1,2
	hint 'did you mean "random-house"?' pb-mapgen random-huose
	hint 'did you mean "roomba"?' pb-sim -r roomba -m romba
	hint 'did you mean "start"?' pb-sim -m testdata/house.yaml -c strat
	hint 'did you mean "clyde-speed"?' pb-sim -m testdata/house.yaml -c 'set clyde-sped 3'
	hint 'did you mean "mcl"?' pb-localize -a mlc
	hint 'got "xylophone"' pb-sim -p xylophone
	# By what is meant, not by letters.
	local r want
	while read -r r want; do
		for want in $want; do
			hint "${want%=*}: no constant of $r; did you mean \"${want#*=}\"?" \
				pb-sim -r $r --set "${want%=*}=1"
		done
	done <<-'END'
		pacmanbot speed=v-max radius=inscribed noise=pose-noise time=duration limit=duration range=scan-range death=death-radius step=dt odom=odom-trans-trans slip=odom-trans-trans margin=clearance
		pacbot speed=pursuit-speed noise=range-noise cells=ticks-per-cell delay=camera-delay life=lives turn=turn-ticks
		roomba time=limit duration=limit radius=touch size=body noise=pose-noise turn=robot-turn patrols=ghosts
		zumy ghosts=patrols limit=draw time=draw cells=cell-time turn=turn-time radius=body
	END
	hint 'did you mean "door"?' pb-mapgen random-house --set doors=1
	hint 'duration=100' pb-bench --timeout 100
	hint 'set limit=100' pb-bench -r roomba --limit 100
	none_failed
}

@test "--list says what can be chosen, in every tool" {
	for t in $(tools); do
		"$t" --list >"$dir/out" 2>"$dir/err" || fails "$t" "no --list"
		[ -s "$dir/out" ] || [ "$(cat "$dir/err")" = \
			"$t: no option takes words; see --help" ] ||
			fails "$t" "lists nothing"
	done
	pb-ghost --list | grep -Fxq "behaviour	clyde"
	none_failed
}

@test "a picture's name has no other file's suffix" {
	for c in "pb-mapgen --png" "pb-bench --png" "pb-bench -r pacbot --heat"; do
		run -2 $c "$dir/x.tiff"
		[[ $output == *'expected a name in one of .png|svg|pdf'*', got "'*'x.tiff"'* ]]
		[ ! -e "$dir/x.tiff" ]
	done
	mkdir "$dir/a.b"
	pb-mapgen --png "$dir/a.b/x" pacman
	[ "$(head -c 4 "$dir/a.b/x" | tail -c 3)" = PNG ]
	run -0 --separate-stderr pb-mapgen testdata/house.yaml -o "$dir/m.png"
	[ "$stderr" = "pb-mapgen: $dir/m.png: writing the map, a pixel for each cell; --render writes a picture" ]
	run -0 --separate-stderr pb-mapgen --render testdata/house.yaml -o "$dir/p.png"
	[ "$stderr" = "pb-mapgen: $dir/p.png: a picture; without --render it is a map" ]
}

@test "a test that asks jq -e about nothing fails" {
	run -4 jq -e . /dev/null
	run -1 jq -ce .a <<<'{"a":false}'
	run -0 jq -e .a <<<'{"a":1}'
}
