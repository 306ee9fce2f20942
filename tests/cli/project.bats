#!/usr/bin/env bats
# project.bats - what goes with the tools: manuals, completion, the library.

load tools
load terminal

@test "manuals are clean and list the options of the tools" {
	command -v mandoc >/dev/null || skip "no mandoc"
	scripts/check-manuals.sh "$build"
}

@test "a key of records that the manual lacks or makes up is found" {
	command -v mandoc >/dev/null || skip "no mandoc"
	local page=man/pb-records.5
	sed '/^\.It Cm radius/d
		s/^\.It Cm angle_min/& , angle_mean/' "$page" >"$dir/page"
	RECORDS=$dir/page run scripts/check-manuals.sh "$build"
	[ "$status" -eq 1 ]
	[ "$(grep '^# scan' <<<"$output")" = "\
# scan angle_mean: not in the tool
# scan radius: not in the manual" ]
}

@test "the manuals answer what users ask" {
	command -v mandoc >/dev/null || skip "no mandoc"
	scripts/questions.sh "$build"
}

@test "the examples of the manuals run and print what they show" {
	command -v jq >/dev/null || skip "no jq"
	scripts/man-examples.sh "$build"
}

# Pages as they are printed, without what makes letters bold.
printed() { mandoc -T ascii -O width=200 "$@" | sed 's/.'$'\b''//g'; }

# What is printed of a page, or of the README, as somebody copies it: lines
# that begin with {" are JSON, one record over several lines or one a line.
@test "JSON in the manuals is JSON" {
	command -v mandoc >/dev/null || skip "no mandoc"
	command -v jq >/dev/null || skip "no jq"
	{ printed man/*.[157] && cat README.md; } |
		# A record ends where the braces are closed.
		awk '!open && /^[ \t]*[{]"/ { open = 1; depth = 0 }
			open { print; depth += gsub(/[{]/, "&") - gsub(/[}]/, "&")
				open = depth > 0 && !/^[ \t]*$/ }' |
		sed 's/[{]"id":\.\.[^}]*[}]/{}/g' >"$dir/json"
	[ -s "$dir/json" ]
	jq . "$dir/json" >"$dir/parsed" 2>&1 ||
		{ tail -n 20 "$dir/parsed" && false; }
}

@test "the citation, the package and the news are of this version" {
	version=$(sed -n 's/^#define PB_VERSION  *"\(.*\)"/\1/p' \
		lib/include/pb/version.h)
	grep -qx "version: $version" CITATION.cff
	grep -m 1 '^pb ' scripts/debian/changelog | grep -qF "($version-"
	grep -m 1 '^## ' NEWS.md | grep -q "^## $version, [0-9]* [A-Z][a-z]* 20"
}

@test "a build and the tests tell a terminal how far they are" {
	needs_terminal
	cat >"$dir/Makefile" <<-'END'
		.RECIPEPREFIX = >
		.PHONY: all bad
		all: a.o b.o
		%.o:
		> @sleep 0.1
		> cp /dev/null $@ # -o it
		bad: a.o
		> echo this is wrong >&2; false # -o it
	END
	echo '. scripts/progress.sh; cd "$1" && build "$2" && echo did it' \
		>"$dir/build"
	[ "$(tty "sh '$dir/build' '$dir' bad" ends)" = 1 ]
	grep -q '1/2 files built' "$dir/screen"
	grep -q "^.*$(printf '\r\033')\[Kthis is wrong" "$dir/screen"
	rm -f "$dir/a.o"
	[ "$(tty "sh '$dir/build' '$dir' all" ends)" = 0 ]
	grep -q '1/2 files built.*2/2 files built' "$dir/screen"
	grep -q 'did it' "$dir/screen"
	# Not on a terminal: not a word.
	rm -f "$dir"/*.o
	run -0 --separate-stderr sh "$dir/build" "$dir" all
	[ -z "$stderr" ]
	printf '@test "%s" { sleep 1.5; }\n' first second >"$dir/x.bats"
	[ "$(tty "env -i PATH=/usr/bin:/bin scripts/check.sh '$dir/x.bats'" ends)" = 0 ]
	grep -q '1/2 tests run, 0 failed' "$dir/screen"
	tail -n 1 "$dir/screen" | grep -q '2 passed, 0 failed'
	echo '@test "quick" { true; }' >"$dir/x.bats"
	run -0 --separate-stderr env -i PATH=/usr/bin:/bin scripts/check.sh "$dir/x.bats"
	[ -z "$stderr" ]
}

@test "every unit test is built and run" {
	for f in tests/unit/*.c; do
		t=${f##*/} t=${t%.c}
		[ -x "$build/tests/unit/$t" ] || fails "$t" "not in the Makefile"
	done
	none_failed
}

@test "completion knows the options and their words" {
	# shellcheck source=scripts/completion.bash
	. scripts/completion.bash
	_pb_options pb-bench --see pb-bench
	[ "${COMPREPLY[*]}" = --seed ]
	_pb_options pb-bench testdata/fl -m
	[ "${#COMPREPLY[@]}" -eq 0 ] # the shell looks for files
	COMP_WORDS=(pb-localize -a mcl --set mcl-sl) COMP_CWORD=4
	_pb_options pb-localize mcl-sl --set
	[ "${COMPREPLY[*]}" = "mcl-slow= mcl-slip=" ]
	COMP_WORDS=(pb-bench -r localize --set protocol = k) COMP_CWORD=6
	_pb_options pb-bench k =
	[ "${COMPREPLY[*]}" = kidnap ]
	COMP_WORDS=() COMP_CWORD=0
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
	COMP_WORDS=(pb-sim -r pacbot -p s) COMP_CWORD=4
	_pb_options pb-sim s -p
	[ "${COMPREPLY[*]}" = search ]
	COMP_WORDS=(pb-bench --rules = roomba,zumy -p "") COMP_CWORD=5
	_pb_options pb-bench "" -p
	[ "${COMPREPLY[*]}" = "astar direct flee greedy plan random sneak" ]
	COMP_WORDS=(pb-bench -r roomba --vary li) COMP_CWORD=4
	_pb_options pb-bench li --vary
	[ "${COMPREPLY[*]}" = "lives= limit=" ]
	COMP_WORDS=(pb-bench -r roomba --vary motion = d) COMP_CWORD=6
	_pb_options pb-bench d =
	[ "${COMPREPLY[*]}" = drive ]
	COMP_WORDS=() COMP_CWORD=0
	_pb_options pb-bench seed,se -p
	[[ " ${COMPREPLY[*]} " != *" seed,seed "* ]]
	_pb_options pb-sim --max-l -a
	[ "${COMPREPLY[*]}" = --max-line ]
	COMP_WORDS=(pb-mapgen --style = b) COMP_CWORD=3
	_pb_options pb-mapgen b =
	[ "${COMPREPLY[*]}" = braille ]
}

@test "completion knows them in zsh, too" {
	command -v zsh >/dev/null || skip "no zsh"
	# It continues children that a leak checker stops, which then hang.
	export ASAN_OPTIONS=detect_leaks=0
	asked() {
		zsh -f -c 'autoload -U compinit bashcompinit
			compinit -D -u && bashcompinit
			source scripts/completion.bash
			_pb_options "$@" && print -r -- $COMPREPLY' zsh "$@"
	}
	[ "$(asked pb-localize --conv pb-localize)" = --convert ]
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
	[ "$(asked "pb-localize -a mcl --set mcl-ob")" = "mcl-obstacle= " ]
	[ "$(asked "pb-localize -a c")" = "cell-ray corridor " ]
	[ "$(asked "pb-localize --start ")" = "truth " ]
	[ "$(asked "pb-sim --rules z")" = "zumy " ]
	[ "$(asked "pb-bench -p sn")" = "sneak " ]
	[ "$(asked "pb-bench -p seed,sa")" = "seed,safe " ]
	[ "$(asked "pb-sim -r pacbot -p s")" = "search " ]
	[ "$(asked "pb-bench -r roomba --vary li")" = "limit= lives= " ]
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
	export PKG_CONFIG_PATH=$at/lib/pkgconfig LD_LIBRARY_PATH=$at/lib
	flags() { pkg-config --define-variable=prefix="$at" "$@" pb; }
	# Each header alone; then a program of all of them, in C and in C++.
	[ "$(find "$at/include" -type f | wc -l)" -le 31 ]
	cflags=$(flags --cflags)
	for h in "$at"/include/pb/*.h; do
		echo "#include <pb/${h##*/}>" >"$dir/one.c"
		# shellcheck disable=SC2086 # a list of words
		cc -std=c11 -Wall -Wextra -Werror $cflags \
			-fsyntax-only "$dir/one.c" || fails "$h" "not C11"
		cat "$dir/one.c" >>"$dir/a.c"
	done
	cat >>"$dir/a.c" <<-'END'
		#include <stdio.h>

		int
		main(void)
		{
			if (pb_version() != PB_VERSION_NUMBER ||
			    pb_selftest() != PB_SELFTEST)
				return 1;
			return puts(pb_localizer_at(0)->name) < 0;
		}
	END
	for cc in "cc -std=c11 -x c" "c++ -std=c++17 -Wextra -Wpedantic -x c++"; do
		# shellcheck disable=SC2046,SC2086 # lists of words
		$cc -Wall -Werror $san "$dir/a.c" -x none -o "$dir/a" \
			$(flags --cflags --libs)
		[ "$("$dir/a")" = mcl ] || fails "$cc" "$("$dir/a" 2>&1)"
	done
	# What the headers do not declare is hidden.
	[ "$(nm -D --defined-only "$at/lib/libpb.so" | wc -l)" -le 400 ]
	nm -D --defined-only "$at/lib/libpb.so" | awk '{ print $3 }' |
		grep -vxE '__(asan|odr_asan|ubsan|tsan|gcov).*' |
		sort >"$dir/exported"
	grep -hoE '\w+' "$at"/include/pb/*.h | sort -u >"$dir/declared"
	for s in $(comm -23 "$dir/exported" "$dir/declared"); do
		fails "$s" "in no header"
	done
	# shellcheck disable=SC2046,SC2086 # lists of words
	cc -std=c11 -Wall -Wextra -Werror $san -o "$dir/b" \
		"$at/share/doc/pb/examples/player.c" \
		$(flags --static --cflags --libs)
	"$dir/b" >"$dir/out"
	[ "$(wc -l <"$dir/out")" -eq 2 ]
	grep -q '^mine .* of 100 games cleared$' "$dir/out"
	make -s uninstall DESTDIR="$dir/i" PREFIX=/usr
	[ -z "$(find "$dir/i" ! -type d)" ]
	none_failed
}

@test "neither files nor folders include each other in circles" {
	scripts/size.sh -v >"$dir/out" 2>"$dir/err"
	run ! grep '^circle:' "$dir/err"
	grep -q '^files in circles  *0$' "$dir/out"
	grep -q '^folders in circles  *0$' "$dir/out"
	run ! grep '^twice:' "$dir/err"
}
