#!/usr/bin/env bats
# conventions.bats - what all tools do alike. Tools are those of the build
# directory, so that a new one is held to this by existing.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	build=$PWD/${O:-build}
	PATH=$build:$PATH
	dir=$BATS_TEST_TMPDIR
	stream >"$dir/stream"
}

tools() {
	for t in "$build"/pb-*; do
		case $t in *.d) continue ;; esac
		[ -x "$t" ] && basename "$t"
	done
}

# Tools of the list that exist.
built() {
	for t in "$@"; do
		[ -x "$build/$t" ] && echo "$t"
	done
	true
}

# Those that read records and pass on what they do not replace.
filters() { built pb-pellets pb-score pb-ghost pb-localize; }

# A stream that every filter takes: a map, pellets, a few poses.
stream() {
	cat testdata/flat.jsonl
	echo '{"type":"pellets","pellets":[{"id":0,"x":1,"y":1},{"id":1,"x":3,"y":1}]}'
	for t in 0.2 0.4 0.6; do
		echo "{\"type\":\"pose\",\"t\":$t,\"id\":\"robot\",\"x\":$t,\"y\":1,\"theta\":0}"
		echo "{\"type\":\"pose\",\"t\":$t,\"id\":\"clyde\",\"x\":2,\"y\":$t,\"theta\":0}"
	done
}

# A short run of the tool that writes records, with seed $2 and options.
work() {
	local t=$1 s=$2
	shift 2
	case $t in
	pb-mapgen) pb-mapgen random-house -s "$s" "$@" ;;
	pb-bench) pb-bench -q -n 4 testdata/flat.jsonl -s "$s" "$@" ;;
	pb-ghost) pb-ghost "$dir/stream" --duration 10 -s "$s" "$@" ;;
	pb-localize)
		pb-localize -m testdata/house.yaml testdata/house.log.gz \
			-s "$s" "$@"
		;;
	pb-sim) pb-sim -r pacmanbot "$dir/stream" --autostart -s "$s" "$@" ;;
	*) "$t" "$dir/stream" "$@" ;;
	esac
}

fails() { # TOOL WHAT: note it and go on, the test fails at its end
	echo "$1: $2"
	echo "$1" >>"$dir/failed"
}
none_failed() { [ ! -e "$dir/failed" ]; }

# Exit status of a command, its output in $dir/out and $dir/err.
status_of() {
	local st=0
	"$@" >"$dir/out" 2>"$dir/err" </dev/null || st=$?
	echo "$st"
}

@test "there are tools" {
	[ -n "$(tools)" ]
}

@test "help and version go to stdout, exit 0" {
	for t in $(tools); do
		for o in -h --help -V --version --dump-options; do
			[ "$(status_of "$t" $o)" -eq 0 ] || fails "$t" "$o: status"
			[ -s "$dir/out" ] || fails "$t" "$o: nothing on stdout"
			[ ! -s "$dir/err" ] || fails "$t" "$o: stderr"
		done
		grep -q "^usage: $t " <("$t" -h) || fails "$t" "usage"
		grep -q "^$t [0-9]" <("$t" -V) || fails "$t" "version"
	done
	none_failed
}

@test "options that every tool has mean the same" {
	for t in $(tools); do
		for o in "h	help" "V	version" "q	quiet"; do
			grep -q "^$o	" <("$t" --dump-options) ||
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
		done < <("$t" --dump-options)
	done
	none_failed
}

@test "every option has a long name, no name or letter is used twice" {
	for t in $(tools); do
		[ -z "$("$t" --dump-options | cut -f 2 | sort | uniq -d)" ] ||
			fails "$t" "a name twice"
		[ -z "$("$t" --dump-options | cut -f 1 | grep -v '^-$' |
			sort | uniq -d)" ] || fails "$t" "a letter twice"
		grep -q '^.	.' <("$t" --dump-options) || fails "$t" "no names"
	done
	none_failed
}

@test "a wrong command line: status 2, empty stdout, a line on stderr" {
	for t in $(tools); do
		for o in --no-such-option -0 --help=1 --seed --seed=x --seed=-1; do
			case $o in
			--seed*) grep -q "	seed	" <("$t" --dump-options) ||
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
	for t in $(tools); do
		while IFS='	' read -r _ name _ kind _; do
			[ "$kind" = number ] || [ "$kind" = int ] || continue
			for v in x 1x nan inf 0x10 1e999 ''; do
				[ "$(status_of "$t" "--$name=$v")" -eq 2 ] ||
					fails "$t" "--$name=$v: status"
				[ ! -s "$dir/out" ] ||
					fails "$t" "--$name=$v: stdout"
			done
		done < <("$t" --dump-options)
	done
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
			for kb in 30000 60000; do
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
		"pb-sim -r pacbot --from-wire" "pb-sim -r pacbot --replay"; do
		timeout 20 script -qec "$c" /dev/null </dev/null >"$dir/tty" || true
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
		done < <("$t" --dump-options)
	done
	grep -q '	id	id	id	clyde	' <(pb-ghost --dump-options) ||
		fails pb-ghost "has no id"
	none_failed
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
		grep -q "	seed	" <("$t" --dump-options) || continue
		work "$t" 8 >"$dir/b" 2>/dev/null
		! cmp -s "$dir/a" "$dir/b" || fails "$t" "another seed"
	done
	none_failed
}

# Lines of $1 that are not in $2, in order.
lost() { diff "$1" "$2" | grep '^<'; }

@test "filters pass on byte for byte what they do not know" {
	{
		printf '%s\n' '{"type":"weather","wind":[1.50, 2e0,NaN]}' \
			'{ "b" : "\u00e4\/" , "type" : "note" }  ' ''
		printf '{"type":"dos line"}\r\n'
		stream
		printf '{"type":"no line end","x":0.10}'
	} >"$dir/in"
	for t in $(filters); do
		"$t" -q <"$dir/in" >"$dir/out" 2>"$dir/err" ||
			fails "$t" "$(cat "$dir/err")"
		for w in weather note 'dos line' 'no line end'; do
			grep "\"$w\"" "$dir/in" >"$dir/want"
			grep "\"$w\"" "$dir/out" | cmp -s - "$dir/want" ||
				fails "$t" "changed $w"
		done
		grep '"type":"map"' "$dir/in" >"$dir/want"
		grep '"type":"map"' "$dir/out" | cmp -s - "$dir/want" ||
			fails "$t" "changed the map"
	done
	none_failed
}

@test "filters take files, - and standard input alike" {
	stream >"$dir/all"
	head -n 1 "$dir/all" >"$dir/first"
	tail -n +2 "$dir/all" >"$dir/rest"
	gzip -k "$dir/rest"
	for t in $(filters); do
		"$t" -q <"$dir/all" >"$dir/want"
		"$t" -q "$dir/all" | cmp -s - "$dir/want" || fails "$t" file
		"$t" -q "$dir/first" "$dir/rest.gz" | cmp -s - "$dir/want" ||
			fails "$t" "two files"
		"$t" -q "$dir/first" - <"$dir/rest" | cmp -s - "$dir/want" ||
			fails "$t" "- in between"
	done
	none_failed
}

@test "what was written is there before a filter waits for more" {
	for t in $(filters); do
		mkfifo "$dir/in.$t" "$dir/out.$t"
		"$t" -q <"$dir/in.$t" >"$dir/out.$t" &
		exec 7>"$dir/in.$t" 8<"$dir/out.$t"
		echo '{"type":"ping"}' >&7
		read -r -t 10 line <&8 || fails "$t" "no answer"
		[ "$line" = '{"type":"ping"}' ] || fails "$t" "answer $line"
		exec 7>&- 8<&-
		wait
	done
	none_failed
}

# testdata/bad/TOOL.what.jsonl and .err (or any.what for every filter): "@"
# stands for the program, FILE for the input.
@test "bad records: the line that says so, status 1, what was before" {
	for f in testdata/bad/*.jsonl; do
		who=$(basename "$f" | cut -d . -f 1)
		list=$who
		[ "$who" != any ] || list=$(filters)
		for t in $(built $list); do
			[ "$(status_of "$t" "$f")" -eq 1 ] ||
				fails "$t" "$f: status"
			sed "s|@|$t|; s|FILE|$f|" "${f%.jsonl}.err" |
				diff - "$dir/err" || fails "$t" "$f"
		done
	done
	none_failed
}

@test "-k goes on behind bad lines, --rejects keeps them, status 1" {
	{
		echo '{"type":"before"}'
		cat testdata/bad/any.garbage.jsonl
		echo '{"type":"between"}'
		printf 'no json\r\n'
		echo '{"type":"after"}'
	} >"$dir/in"
	for t in $(filters); do
		[ "$(status_of "$t" -k --rejects "$dir/rej" "$dir/in")" -eq 1 ] ||
			fails "$t" "status with -k"
		grep -v '"before"\|"between"\|"after"' "$dir/in" |
			cmp -s - "$dir/rej" || fails "$t" "rejects"
		[ "$(grep -c '"before"\|"between"\|"after"' "$dir/out")" -eq 3 ] ||
			fails "$t" "output with -k"
		[ "$(grep -c "^$t: $dir/in:[24]: " "$dir/err")" -eq 2 ] ||
			fails "$t" "complaints with -k"
		[ "$(status_of "$t" "$dir/in")" -eq 1 ] || fails "$t" "status"
		[ "$(cat "$dir/out")" = '{"type":"before"}' ] ||
			fails "$t" "output without -k"
	done
	none_failed
}

@test "--provenance and --end: two last records, nothing else changes" {
	command -v jq >/dev/null || skip "no jq"
	for t in $(tools); do
		work "$t" 7 >"$dir/want" 2>/dev/null
		work "$t" 7 --provenance --end >"$dir/out" 2>/dev/null
		head -n -2 "$dir/out" | cmp -s - "$dir/want" ||
			fails "$t" "changed the rest"
		tail -n 2 "$dir/out" | head -n 1 | jq -e --arg t "$t" \
			'.type == "provenance" and .tool == $t and
			.args[-2:] == ["--provenance", "--end"] and
			(.seed // 7) == 7' >/dev/null || fails "$t" "provenance"
		tail -n 1 "$dir/out" | jq -e --arg t "$t" \
			--argjson n "$(($(wc -l <"$dir/want") + 1))" \
			'.type == "end" and .tool == $t and .written == $n and
			.status == 0' >/dev/null || fails "$t" "end"
		work "$t" 7 --provenance --end 2>/dev/null | cmp -s - "$dir/out" ||
			fails "$t" "other bytes"
	done
	for c in "pb-mapgen --render pacman" "pb-bench --table" "pb-sim --list"; do
		read -ra words <<<"$c"
		[ "$(status_of "${words[@]}" --end)" -eq 2 ] || fails "$c" "--end"
	done
	none_failed
}

@test "--end counts, also what was refused; a cut stream has none" {
	command -v jq >/dev/null || skip "no jq"
	printf '%s\n' '{"type":"a"}' 'no json' '{"type":"b"}' >"$dir/in"
	for t in $(filters); do
		[ "$(status_of "$t" -k --end "$dir/in")" -eq 1 ] ||
			fails "$t" "status"
		[ "$(tail -n 1 "$dir/out" |
			jq -c '[.type, .read, .refused, .written, .status]')" = \
			'["end",3,1,2,1]' ] || fails "$t" "$(cat "$dir/out")"
		mkfifo "$dir/cut.$t"
		: >"$dir/out"
		"$t" --end <"$dir/cut.$t" >"$dir/out" 2>/dev/null &
		pid=$!
		exec 7>"$dir/cut.$t"
		echo '{"type":"a"}' >&7
		kill -TERM "$pid"
		wait "$pid" || true
		exec 7>&-
		! grep -q '"end"' "$dir/out" || fails "$t" "an end after a signal"
	done
	none_failed
}

@test "the input of a provenance is that of the content" {
	command -v jq >/dev/null || skip "no jq"
	gzip -c "$dir/stream" >"$dir/stream.gz"
	sed 's/"id":0/"id":5/' "$dir/stream" >"$dir/other"
	for t in $(filters); do
		for f in stream stream.gz other; do
			"$t" -q --provenance "$dir/$f" |
				jq -r 'select(.type == "provenance").input' \
					>"$dir/hash.$f"
		done
		[ -s "$dir/hash.stream" ] || fails "$t" "no hash"
		cmp -s "$dir/hash.stream" "$dir/hash.stream.gz" ||
			fails "$t" "gzip"
		! cmp -s "$dir/hash.stream" "$dir/hash.other" || fails "$t" "same"
	done
	none_failed
}

@test "--line-buffered: a line leaves while there is more to read" {
	for t in $(filters); do
		{
			cat "$dir/stream"
			yes '{"type":"more"}' | head -n 200000
		} >"$dir/long"
		strace -f -e trace=write -o "$dir/trace" true 2>/dev/null ||
			skip "no strace"
		strace -e trace=write -o "$dir/trace" "$t" -q --line-buffered \
			<(head -n 50 "$dir/long") >/dev/null || true
		[ "$(grep -c '^write(1' "$dir/trace")" -ge 40 ] ||
			fails "$t" "few writes"
	done
	none_failed
}

@test "--rejects in .gz is compressed" {
	for t in $(filters); do
		echo 'no json' | "$t" -q --rejects "$dir/rej.gz" 2>/dev/null || true
		[ "$(gzip -dc "$dir/rej.gz")" = 'no json' ] || fails "$t" "rejects"
	done
	none_failed
}

@test "a missing file: status 1 and its name" {
	for t in $(filters); do
		[ "$(status_of "$t" "$dir/no such file")" -eq 1 ] ||
			fails "$t" "status"
		[ "$(cat "$dir/err")" = "$t: $dir/no such file: cannot open: No such file or directory" ] ||
			fails "$t" "$(cat "$dir/err")"
	done
	none_failed
}

@test "a signal ends a filter at the end of a record" {
	for t in $(filters); do
		mkfifo "$dir/sig.$t"
		"$t" -q <"$dir/sig.$t" >"$dir/out" &
		pid=$!
		exec 7>"$dir/sig.$t"
		printf '{"type":"whole"}\n{"type":"ha' >&7
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			[ -s "$dir/out" ] && break
			sleep 0.1
		done
		kill -TERM "$pid"
		st=0
		wait "$pid" || st=$?
		exec 7>&-
		[ "$st" -eq 143 ] || fails "$t" "status $st"
		[ "$(cat "$dir/out")" = '{"type":"whole"}' ] ||
			fails "$t" "$(cat "$dir/out")"
	done
	none_failed
}

@test "manuals are clean and list the options of the tools" {
	command -v mandoc >/dev/null || skip "no mandoc"
	scripts/check-manuals.sh "$build"
}

@test "the examples of the manuals run and print what they show" {
	command -v jq >/dev/null || skip "no jq"
	scripts/man-examples.sh "$build"
}

@test "every unit test is built and run" {
	for f in tests/unit/*.c; do
		t=$(basename "$f" .c)
		[ -x "$build/tests/unit/$t" ] || fails "$t" "not in the Makefile"
	done
	none_failed
}

@test "completion knows the options and their words" {
	# shellcheck source=scripts/completion.bash
	. scripts/completion.bash
	_pb_options pb-bench --see pb-bench
	[ "${COMPREPLY[*]}" = --seed ]
	_pb_options pb-bench e --judge
	[ "${COMPREPLY[*]}" = estimate ]
	_pb_options pb-bench testdata/fl -m
	[ "${#COMPREPLY[@]}" -eq 0 ] # the shell looks for files
	_pb_options pb-localize --mcl-mo pb-localize
	[ "${COMPREPLY[*]}" = --mcl-model ]
	_pb_options pb-localize c -a
	[ "${COMPREPLY[*]}" = "cell-ray corridor" ]
	_pb_options pb-localize "" --start
	[ "${COMPREPLY[*]}" = truth ]
	_pb_options pb-sim z --rules
	[ "${COMPREPLY[*]}" = zumy ]
	_pb_options pb-bench sn -p
	[ "${COMPREPLY[*]}" = sneak ]
	_pb_options pb-bench seed,sa -p
	[ "${COMPREPLY[*]}" = seed,safe ]
	_pb_options pb-bench seed,se -p
	[[ " ${COMPREPLY[*]} " != *" seed,seed "* ]]
	_pb_options pb-sim --mar -a
	[ "${COMPREPLY[*]}" = --marker-period ]
	COMP_WORDS=(pb-mapgen --style = b) COMP_CWORD=3
	_pb_options pb-mapgen b =
	[ "${COMPREPLY[*]}" = braille ]
}

@test "completion knows them in zsh, too" {
	command -v zsh >/dev/null || skip "no zsh"
	asked() {
		zsh -f -c 'autoload -U compinit bashcompinit
			compinit -D -u && bashcompinit
			source scripts/completion.bash
			_pb_options "$@" && print -r -- $COMPREPLY' zsh "$@"
	}
	[ "$(asked pb-localize --mcl-mo pb-localize)" = --mcl-model ]
	[ "$(asked pb-localize c -a)" = "cell-ray corridor" ]
	[ "$(asked pb-localize "" --start)" = truth ]
	[ "$(asked pb-bench seed,sa -p)" = seed,safe ]
	[ -z "$(asked pb-bench testdata/fl -m)" ]
}

@test "completion knows them in fish, too" {
	command -v fish >/dev/null || skip "no fish"
	asked() {
		fish --no-config -c \
			"source scripts/completion.fish; complete -C '$1'" |
			cut -f 1 | tr '\n' ' '
	}
	[ "$(asked "pb-localize --mcl-mo")" = "--mcl-model " ]
	[ "$(asked "pb-localize -a c")" = "cell-ray corridor " ]
	[ "$(asked "pb-localize --start ")" = "truth " ]
	[ "$(asked "pb-sim --rules z")" = "zumy " ]
	[ "$(asked "pb-bench -p sn")" = "sneak " ]
	[ "$(asked "pb-bench -p seed,sa")" = "seed,safe " ]
}

@test "Python plays the Pacbot game through the shared library" {
	command -v python3 >/dev/null || skip "no python3"
	nm "$build/libpb.a" | grep -q __[at]san && skip "built with a sanitizer"
	make -s shared O="${O:-build}"
	run -0 --separate-stderr python3 man/examples/pacbot.py "$build/libpb.so"
	python3 man/examples/pacbot.py --wire "$build/libpb.so" \
		2>"$dir/err" >"$dir/frames"
	[ "$output" = "$(cat "$dir/err")" ]
	pb-sim --from-wire "$dir/frames" | tail -n 1 >"$dir/last"
	[ "${output%% points*}" = "$(jq .score "$dir/last")" ]
	jq -e '.left > 0 and .tick > 100' "$dir/last"
}

@test "make install puts all in its place, for other programs to use" {
	local at=$dir/i/usr san=
	make -s install DESTDIR="$dir/i" PREFIX=/usr O="${O:-build}"
	for t in $(tools); do
		[ -x "$at/bin/$t" ] || fails "$t" "not installed"
		[ -e "$at/share/man/man1/$t.1" ] || fails "$t" "no manual"
	done
	[ "$(find "$at/share/man" -type f | wc -l)" -eq "$(ls man/*.[157] | wc -l)" ]
	nm "$build/libpb.a" | grep -q __asan && san=-fsanitize=address,undefined
	(cd "$at/include/pb" && find . -name '*.h' | sort |
		sed 's|.*|#include "&"|') >"$dir/a.c"
	cat >>"$dir/a.c" <<-'END'
		#include <stdio.h>

		int
		main(void)
		{
			return puts(pb_localizer_at(0)->name) < 0;
		}
	END
	# shellcheck disable=SC2046,SC2086 # lists of words
	cc -std=c11 -Wall -Werror $san -o "$dir/a" "$dir/a.c" $(
		PKG_CONFIG_PATH=$at/lib/pkgconfig pkg-config \
			--define-variable=prefix="$at" --cflags --libs pb)
	export LD_LIBRARY_PATH=$at/lib
	[ "$("$dir/a")" = mcl ]
	# shellcheck disable=SC2046,SC2086 # lists of words
	cc -std=c11 -Wall -Wextra -Werror $san -o "$dir/b" \
		"$at/share/doc/pb/examples/player.c" $(
		PKG_CONFIG_PATH=$at/lib/pkgconfig pkg-config \
			--define-variable=prefix="$at" --static --cflags --libs pb)
	"$dir/b" >"$dir/out"
	[ "$(wc -l <"$dir/out")" -eq 2 ]
	grep -q '^mine .* of 100 games cleared$' "$dir/out"
	make -s uninstall DESTDIR="$dir/i" PREFIX=/usr
	[ -z "$(find "$dir/i" ! -type d)" ]
	none_failed
}
