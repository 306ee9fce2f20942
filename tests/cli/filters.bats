#!/usr/bin/env bats
# filters.bats - what filters do alike with the records of a stream.

load tools

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
		who=${f##*/} who=${who%%.*}
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

@test "-k goes on behind bad lines, status 1" {
	{
		echo '{"type":"before"}'
		cat testdata/bad/any.garbage.jsonl
		echo '{"type":"between"}'
		printf 'no json\r\n'
		echo '{"type":"after"}'
	} >"$dir/in"
	for t in $(filters); do
		[ "$(status_of "$t" -k "$dir/in")" -eq 1 ] ||
			fails "$t" "status with -k"
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

@test "--provenance: a last record, nothing else changes" {
	command -v jq >/dev/null || skip "no jq"
	for t in $(tools); do
		work "$t" 7 >"$dir/want" 2>/dev/null
		work "$t" 7 --provenance >"$dir/out" 2>/dev/null
		head -n -1 "$dir/out" | cmp -s - "$dir/want" ||
			fails "$t" "changed the rest"
		tail -n 1 "$dir/out" | jq -e --arg t "$t" \
			'.type == "provenance" and .tool == $t and
			.args[-1] == "--provenance" and
			(.seed // 7) == 7' >/dev/null || fails "$t" "provenance"
		work "$t" 7 --provenance 2>/dev/null | cmp -s - "$dir/out" ||
			fails "$t" "other bytes"
	done
	for c in "pb-mapgen --render pacman" "pb-bench --table" "pb-sim --list"; do
		read -ra words <<<"$c"
		[ "$(status_of "${words[@]}" --provenance)" -eq 2 ] ||
			fails "$c" "--provenance"
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
		"$t" -q <"$dir/sig.$t" >"$dir/out.$t" &
		pid=$!
		exec 7>"$dir/sig.$t"
		printf '{"type":"whole"}\n{"type":"ha' >&7
		wait_until [ -s "$dir/out.$t" ]
		kill -TERM "$pid"
		st=0
		wait "$pid" || st=$?
		exec 7>&-
		[ "$st" -eq 143 ] || fails "$t" "status $st"
		[ "$(cat "$dir/out.$t")" = '{"type":"whole"}' ] ||
			fails "$t" "$(cat "$dir/out.$t")"
	done
	none_failed
}

@test "one signal ends waits for a pipe, and what writes without end" {
	command -v timeout >/dev/null || skip "no timeout"
	mkfifo "$dir/in" "$dir/out"
	sleep 60 >"$dir/in" 3>&- &
	writer=$!
	pb-mapgen -q testdata/house.yaml >"$dir/map"
	while read -r c; do
		st=0
		# shellcheck disable=SC2086 # a list of words
		timeout -k 5 --preserve-status 0.5 $c -q </dev/null >/dev/null ||
			st=$?
		[ "$st" -eq 143 ] || fails "$c" "status $st"
	done <<-END
		pb-sim -r pacmanbot -m $dir/in
		pb-bench $dir/in
		pb-bench -n 1 --png $dir/out testdata/flat.jsonl
		pb-ghost -n 1000000000 $dir/map
	END
	kill "$writer"
	none_failed
}

@test "a map file is taken for its record, whatever its kind" {
	pb-mapgen -q testdata/house.yaml -o "$dir/house.png"
	{ echo '#########' && yes '#.......#' | head -n 7 && echo '#########'; } >"$dir/m.txt"
	printf '{"type":"cmd","name":"start","t":0}\n' >"$dir/start"
	for map in testdata/house.yaml "$dir/house.yaml" "$dir/m.txt"; do
		for t in "pb-pellets" "pb-ghost --duration 3" \
			"pb-sim -s 7 --set duration=20" "pb-bench -n 2"; do
			case $t:$map in *ghost*txt | *sim*txt | *bench*txt) continue ;; esac
			echo "$t $map"
			# shellcheck disable=SC2086 # a list of words
			case $t in
			pb-sim*) $t -q "$map" "$dir/start" >"$dir/a" && $t -q -m "$map" "$dir/start" >"$dir/b" ;;
			*) $t -q "$map" >"$dir/a" && $t -q -m "$map" </dev/null >"$dir/b" ;;
			esac
			[ "$(wc -l <"$dir/a")" -gt 1 ]
			cmp "$dir/a" "$dir/b"
		done
	done
	pb-score -q testdata/house.yaml testdata/score.jsonl |
		cmp - <(pb-mapgen -q testdata/house.yaml |
			pb-score -q - testdata/score.jsonl)
	pb-localize -q testdata/house.yaml testdata/house.log.gz |
		cmp - <(pb-localize -q -m testdata/house.yaml testdata/house.log.gz)
	# What is odd about it is said; what is wrong with it, too.
	run --separate-stderr pb-pellets -q "$dir/m.txt"
	[ "$stderr" = '' ]
	run --separate-stderr pb-pellets "$dir/m.txt"
	[ "${stderr_lines[0]}" = "pb-pellets: $dir/m.txt: warning: no resolution; a cell is 1 m (see pb-mapgen --resolution)" ]
	run -1 --separate-stderr pb-sim testdata/bad/maps/origin-two.yaml
	[ "$stderr" = "pb-sim: testdata/bad/maps/origin-two.yaml:3: origin: expected three numbers [x, y, yaw], got 2" ]
	run -1 --separate-stderr pb-pellets -k testdata/bad/maps/origin-two.yaml $flat
	[ "${#lines[@]}" -eq 2 ]
	# Records stay records, whatever their file is called.
	for name in x.txt x.map x.pgm.jsonl; do
		cp $flat "$dir/$name"
		pb-pellets "$dir/$name" | cmp - <(pb-pellets $flat)
	done
}
