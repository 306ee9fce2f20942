#!/usr/bin/env bats
# fault.bats - what a machine, a file or another program can do to the tools:
# the right answer or one clear line.

load common

setup() {
	export O=${O:-build}
	here
}

sanitized() { nm "$O/pb-score" | grep -q '__asan\|__tsan'; }

# Every call for memory once: tests/fault/sweep.sh; here a part of them.
@test "no memory from any moment on: status 3, one line, no crash" {
	! sanitized || skip "a sanitizer"
	tests/fault/sweep.sh 97
}

# As long as one likes: tests/fault/stream.sh 10000.
@test "a stream takes no more memory the longer it is" {
	! sanitized || skip "a sanitizer"
	tests/fault/stream.sh 13
}

@test "little address space: the whole output, or status 3 and a line" {
	! sanitized || skip "a sanitizer"
	pb-pellets $flat >"$dir/whole"
	for kb in 1500 3000 4500 5000 5500 6000 6500 7000 7500 8000 9000 12000; do
		st=0
		(ulimit -v $kb && exec pb-pellets $flat) \
			>"$dir/out" 2>"$dir/err" || st=$?
		case $st in
		0) cmp "$dir/out" "$dir/whole" ;;
		3) [ "$(grep -c '^pb-pellets: ' "$dir/err")" -eq 1 ] ;;
		*) grep -q 'shared lib\|cannot map\|cannot alloc' "$dir/err" ||
			[ "$st" -eq 127 ] || [ "$st" -eq 139 ] && [ $kb -lt 5000 ] ;;
		esac
	done
}

@test "a comma for a point in numbers: the same bytes" {
	command -v localedef >/dev/null || skip "no localedef"
	# Without its order of words, which is most of the work and nobody asks.
	sed '/^LC_COLLATE/,/^END LC_COLLATE/ {
		/LC_COLLATE/! d
		s/^LC_COLLATE/&\ncopy "POSIX"/
	}' /usr/share/i18n/locales/de_DE >"$dir/de" || skip "no source of de_DE"
	localedef -i "$dir/de" -f UTF-8 "$dir/de_DE.UTF-8" 2>/dev/null ||
		[ -e "$dir/de_DE.UTF-8/LC_NUMERIC" ] || skip "no source of de_DE"
	run -0 env LOCPATH="$dir" LC_ALL=de_DE.UTF-8 locale decimal_point
	[ "$output" = , ]
	for c in "pb-pellets $flat" "pb-score testdata/score.jsonl" \
		"pb-mapgen testdata/house.yaml" "pb-mapgen roomba" \
		"pb-ghost --duration 2 $flat" "pb-sim --autostart $flat" \
		"pb-bench -q -n 2 $flat" "pb-bench -q -n 2 --table $flat" \
		"pb-mapgen --render --style ascii $flat"; do
		LC_ALL=C.UTF-8 $c >"$dir/a" 2>"$dir/err.a"
		LOCPATH=$dir LC_ALL=de_DE.UTF-8 $c >"$dir/b" 2>"$dir/err.b"
		cmp "$dir/a" "$dir/b"
		cmp "$dir/err.a" "$dir/err.b"
	done
	LOCPATH=$dir LC_ALL=de_DE.UTF-8 pb-mapgen testdata/roomba.kml |
		cmp - <(pb-mapgen testdata/roomba.kml)
	LOCPATH=$dir LC_ALL=de_DE.UTF-8 pb-mapgen $flat -o "$dir/b.yaml"
	pb-mapgen $flat -o "$dir/c.yaml"
	cmp <(sed 1d "$dir/b.yaml") <(sed 1d "$dir/c.yaml")
	# Nor is a comma taken for a point.
	! LOCPATH=$dir LC_ALL=de_DE.UTF-8 pb-pellets --spacing 0,5 $flat
	sed 's/^resolution.*/resolution: 0,05/' testdata/house.yaml \
		>"$dir/d.yaml"
	cp testdata/house.pgm "$dir"
	! LOCPATH=$dir LC_ALL=de_DE.UTF-8 pb-mapgen "$dir/d.yaml"
}

@test "what is no file: a line, status 1" {
	head -c 1000000 /dev/zero >"$dir/zeros"
	ln -s loop "$dir/loop"
	mkdir "$dir/folder"
	for t in pb-pellets pb-score pb-ghost pb-localize pb-mapgen; do
		for f in "$dir/folder" "$dir/loop" "$dir/zeros" "$dir/none"; do
			run -1 --separate-stderr "$t" "$f"
			[ -z "$output" ]
			[ "${#stderr_lines[@]}" -eq 1 ]
			[[ $stderr = "$t: $f"* ]]
		done
	done
	for f in "$dir/folder" "$dir/loop" "$dir/zeros" "$dir/none"; do
		run -1 --separate-stderr pb-sim -m "$f" --autostart
		[[ $stderr = "pb-sim: $f"* ]]
		run -1 --separate-stderr pb-bench -q -n 1 -m "$f"
		[[ $stderr = "pb-bench: $f"* ]]
	done
}

@test "a file that vanishes or is read-only while it is read" {
	cp $flat "$dir/gone"
	pb-pellets $flat >"$dir/want"
	mkfifo "$dir/late"
	pb-pellets "$dir/gone" "$dir/late" >"$dir/out" &
	exec 7>"$dir/late"
	rm "$dir/gone"
	exec 7>&-
	wait $!
	cmp "$dir/out" "$dir/want"
	cp $flat "$dir/only"
	chmod 400 "$dir/only"
	pb-pellets "$dir/only" | cmp - "$dir/want"
}

@test "stopped and continued again and again: the same bytes" {
	local pid
	pb-sim -s 3 --autostart $flat >"$dir/want"
	(
		for _ in 1 2 3 4 5; do
			cat "$dir/want"
			sleep 0.05
		done
	) | pb-score -q >"$dir/out" &
	pid=$!
	while kill -STOP $pid 2>/dev/null; do
		sleep 0.02
		kill -CONT $pid 2>/dev/null || true
		kill -WINCH $pid 2>/dev/null || true
		sleep 0.02
	done
	wait $pid
	for _ in 1 2 3 4 5; do cat "$dir/want"; done | pb-score -q |
		cmp - "$dir/out"
}

@test "what a killed run left of a file goes with the next one of that name" {
	for f in yaml.pb-part-abcdef pgm.pb-part-ABC123 yaml.pb-part-mine yaml.pb-backup; do
		touch -d '5 minutes ago' "$dir/m.$f"
	done
	touch "$dir/m.yaml.pb-part-others" # somebody writes it now
	mkfifo "$dir/m.yaml.pb-part-a-pipe"
	pb-mapgen random-house -o "$dir/m.yaml"
	[ "$(cd "$dir" && echo m.*)" = \
		'm.pgm m.yaml m.yaml.pb-backup m.yaml.pb-part-a-pipe m.yaml.pb-part-mine m.yaml.pb-part-others' ]
}

@test "a file that cannot be written says why" {
	run -3 pb-localize -q -m testdata/house.yaml testdata/house.log.gz \
		--tum /dev/full
	[[ "$output" == *"/dev/full: "*"No space left on device" ]]
}

@test "pb-bench killed at any moment goes on where it was" {
	local bench="pb-bench -q -n 60 -j 2 -p seed,nearest --no-results"
	$bench $flat >"$dir/want"
	for after in 0.02 0.05 0.1 0.2 0.3 0.5; do
		$bench --resume "$dir/r" $flat >"$dir/out" 2>&1 3>&- &
		sleep $after
		kill -s KILL $! 2>/dev/null || true
		wait $! || true # until it has let go of the file
	done
	$bench --resume "$dir/r" $flat | cmp - "$dir/want"
}

@test "lines behind one that a machine lost are no end to cut" {
	pb-bench -q -r pacbot -n 6 -p random | head -n 6 >"$dir/six"
	(head -n 2 "$dir/six" && head -c 70000 /dev/zero) >"$dir/lost"
	(cat "$dir/lost" && tail -n 4 "$dir/six") >"$dir/more"
	cp "$dir/more" "$dir/file"
	for how in "-r pacbot -n 6 -p random --resume" --from; do
		run --separate-stderr pb-bench -q $how "$dir/file"
		[ "$status" -eq 1 ] && cmp "$dir/file" "$dir/more"
		[ "$stderr" = "pb-bench: $dir/file:3: a NUL byte in the line" ]
	done
	pb-bench -q -r pacbot -n 6 -p random --resume "$dir/lost" >"$dir/out"
	cmp "$dir/lost" "$dir/six"
}

@test "no file is both read and written, whatever its names are" {
	both() { # FILE OTHER COMMAND...
		run -2 --separate-stderr "${@:3}"
		[ "$stderr" = "$3: $1: the same file as $2: no file is both read and written" ]
		[ -z "$output" ]
		(cd "$dir" && md5sum --quiet -c sums)
	}
	pb-mapgen -q testdata/house.yaml -o "$dir/m.png"
	cp $flat "$dir/flat"
	ln -s flat "$dir/link"
	ln "$dir/flat" "$dir/hard.png"
	(cd "$dir" && md5sum m.png m.yaml flat >sums)
	both "$dir/m.yaml" "$dir/m.yaml" pb-mapgen "$dir/m.yaml" -o "$dir/m.yaml"
	both "$dir/m.png" "$dir/m.png" pb-mapgen -R 0.1 "$dir/m.png" -o "$dir/m.png"
	both "$dir/flat" "$dir/hard.png" pb-bench -q -n 1 -m "$dir/flat" --png "$dir/hard.png"
	both "$dir/m.png" "$dir/m.png" pb-bench -q -n 1 -m "$dir/m.yaml" --png "$dir/m.png"
	both "$dir/flat" "$dir/link" pb-sim -q -a --wav "$dir/flat" "$dir/link"
	both "$dir/link" "$dir/flat" pb-localize $flat "$dir/flat" --tum "$dir/link"
	(cd "$dir" && echo clyde-step=0.1 >c && md5sum c >>sums)
	pb-bench -q -n 1 -p seed $flat >"$dir/r"
	(cd "$dir" && md5sum r >>sums)
	both "$dir/r" "$dir/r" pb-bench -q -n 1 --resume "$dir/r" --baseline "$dir/r" $flat
	both "$dir/flat" "$dir/flat" pb-bench -q -n 1 --resume "$dir/flat" "$dir/flat"
	both "$dir/flat" "$dir/flat" pb-bench -q -n 1 --resume "$dir/flat" -m "$dir/flat"
	both "$dir/r" "$dir/r" pb-bench -q -n 1 --resume "$dir/r" --report "$dir/r" $flat
	run -2 pb-bench -q -n 1 -p seed --resume "$dir/new" --png "$dir/new" $flat
	[ "$(grep -c '"type":"result"' "$dir/new")" -eq 1 ]
	both "$dir/c" "$dir/c" pb-sim -q -a --set "@$dir/c" --wav "$dir/c" $flat
	run -2 bash -c "pb-sim -q -a --set '@$dir/c' $flat >>'$dir/c'"
	[[ "$output" = "pb-sim: --set: $dir/c: the same file as <stdout>: "* ]]
	for c in "pb-pellets $dir/flat" pb-score; do
		st=0
		$c <"$dir/link" >>"$dir/flat" 2>"$dir/err" || st=$?
		[ "$st" -eq 2 ] && cmp "$dir/flat" $flat
		grep ': the same file as <stdout>: ' "$dir/err"
	done
	# A generator is no file, whatever is called so.
	(cd "$dir" && for k in 1 2; do pb-mapgen -q random-house >random-house; done &&
		pb-mapgen -q --info random-house | grep -q '^free: ')
	# What was written can be read, and written again.
	pb-bench -q -n 1 -m "$dir/m.yaml" --png "$dir/b.png" --report "$dir/b.html" |
		pb-bench -q -f --png "$dir/b.png" >/dev/null
}

@test "no thread or process can be started: status 3, one line, whole records" {
	! sanitized || skip "a sanitizer"
	none() { # CALL RESULT WHAT COMMAND...: where CALL fails
		echo 'int CALL(void) { errno = EAGAIN; return RESULT; }' |
			cc -shared -fPIC -w -x c -include errno.h -DCALL="$1" \
				-DRESULT="$2" -o "$dir/none.so" -
		what=$3
		shift 3
		st=0
		LD_PRELOAD=$dir/none.so "$@" >"$dir/out" 2>"$dir/err" </dev/null || st=$?
		echo "$*: $st, $(cat "$dir/err")"
		[ "$st" -eq 3 ]
		[ "$(cat "$dir/err")" = "${1##*/}: cannot start a $what: no memory or too many of them" ]
		[ -z "$(tail -c 1 "$dir/out")" ]
	}
	none pthread_create EAGAIN thread pb-bench -q -n 2 -j 2 $flat
	none fork -1 process pb-bench -q -n 2 -r pacbot --agent cat
	none fork -1 process pb-sim -r roomba --agent inky:cat
	none fork -1 process pb-sim -r roomba --ghost cat
	for body in '' clyde: scorer:; do
		none fork -1 process pb-sim -a --agent "${body}cat" $flat
	done
}

@test "however a tool ends, none of the programs that it started stays" {
	! sanitized || skip "a sanitizer"
	cc -shared -fPIC -w -x c -D_GNU_SOURCE -include errno.h -include dlfcn.h \
		-o "$dir/second.so" - <<-'END'
		int fork(void) {
			static int n;
			int (*f)(void) = dlsym(RTLD_NEXT, "fork");
			return n++ == 1 ? (errno = EAGAIN, -1) : f();
		}
	END
	# The pipe ends when no process has it any more.
	mkfifo "$dir/alive"
	exec 8<>"$dir/alive" 7<"$dir/alive" 8>&-
	gone() { timeout 20 cat <&7 3>&-; }
	sleeps="touch $dir/begun; sleep 600 & sleep 600"
	for c in "pb-sim -q -r pacbot" "pb-bench -q -j 1 -n 2 -r pacbot" "pb-sim -q -a $flat"; do
		body=pink
		[ "${c%"$flat"}" = "$c" ] || body=clyde
		st=0
		LD_PRELOAD=$dir/second.so $c --agent "$sleeps" --agent "$body:cat" \
			>"$dir/out" 2>"$dir/err" 3>&- 9>"$dir/alive" || st=$?
		[ "$st" -eq 3 ]
		[ "$(cat "$dir/err")" = "${c%% *}: cannot start a process: no memory or too many of them" ]
		gone
	done
	for s in TERM HUP PIPE; do
		rm -f "$dir/begun"
		# Under nohup(1) HUP would be ignored.
		env --default-signal pb-sim -q -r pacbot --patience 99 --agent "$sleeps" \
			>"$dir/out" 2>"$dir/err" 3>&- 9>"$dir/alive" &
		wait_until [ -e "$dir/begun" ]
		kill -s "$s" $!
		gone
		wait $! || [ $? -gt 128 ]
	done
	# A signal that comes before a wait, not in it.
	cc -shared -fPIC -w -x c -D_GNU_SOURCE -include dlfcn.h -include signal.h \
		-o "$dir/late.so" - <<-'END'
		int poll(void *p, unsigned long n, int ms) {
			static int got = 1;
			int (*f)(void *, unsigned long, int) = dlsym(RTLD_NEXT, "poll");
			if (got == 0)
				raise(SIGTERM);
			return got = f(p, n, ms);
		}
	END
	st=0
	LD_PRELOAD=$dir/late.so timeout -s KILL 20 pb-sim -q -r pacbot --patience 99 \
		--agent "sleep 600" >"$dir/out" 3>&- 9>"$dir/alive" || st=$?
	[ "$st" -eq 143 ]
	gone
}

@test "a standard stream that is closed is no place for a file" {
	st=0
	pb-sim -q -r pacbot -p greedy --wav "$dir/a.wav" >&- 2>"$dir/err" || st=$?
	[ "$st" -eq 3 ] && grep -q 'stdout.*cannot write' "$dir/err"
	[ "$(grep -ca '"type"' "$dir/a.wav")" -eq 0 ]
	pb-sim -q -r pacbot --agent "head -n 1 >$dir/got" \
		<&- >"$dir/out" 2>"$dir/err" || true
	grep -q '"type":"maze"' "$dir/got"
}

@test "an agent that floods, closes early or answers late forfeits" {
	play() { # MESSAGE COMMAND
		st=0
		timeout 20 pb-sim -q -r pacbot -s 1 --set ticks-per-cell=200 --patience 0.5 \
			--agent "$2" >"$dir/out" 2>"$dir/err" || st=$?
		[ "$st" -eq 1 ]
		[ "$(wc -l <"$dir/err")" -eq 1 ]
		[[ "$(cat "$dir/err")" = *"$1"* ]]
	}
	play "" "yes x"
	play "" "tr -d '\n' </dev/zero"
	play "" "exec <&-; exec sleep 0.5"
	play "" "exec >&-; exec sleep 5"
	play "" "sleep 0.5; cat"
	play "" "true"
	play "" "kill -9 \$\$"
}
