#!/usr/bin/env bats
# --learned: what the player safe learns of a map, kept in a file.

load common

setup() {
	here
	file=$dir/learned
	map=$flat
}

bench() { pb-bench -m "$map" -p safe -n 2 --pose-noise 0.05 "$@"; }

@test "later runs read what the first wrote, and play the same games" {
	bench >"$dir/none"
	bench --learned "$file" >"$dir/first"
	cp "$file" "$dir/was"
	bench --learned "$file" -j 2 >"$dir/later"
	cmp "$dir/none" "$dir/first"
	cmp "$dir/none" "$dir/later"
	cmp "$file" "$dir/was"
	# Another tool, and constants that do not matter.
	bench --learned "$file" --duration 60 2>"$dir/err" >"$dir/out"
	[ ! -s "$dir/err" ]
	sim=(pb-sim -p safe -a --pose-noise 0.05)
	pb-mapgen "$map" | "${sim[@]}" >"$dir/none"
	pb-mapgen "$map" | "${sim[@]}" --learned "$file" >"$dir/later"
	cmp "$dir/none" "$dir/later"
	cmp "$file" "$dir/was"
	[ "$(ls "$dir"/learned*)" = "$file" ]
}

@test "a file that does not fit is named, and replaced" {
	bench --learned "$file"
	bench --learned "$file" --v-max 0.4 2>"$dir/err" >"$dir/out"
	[ "$(cat "$dir/err")" = "pb-bench: $file: warning: for other constants: \
learnt anew, and replaced" ]
	cp "$file" "$dir/was"
	printf 'pb-safe\nnothing more' >"$file"
	bench --learned "$file" --v-max 0.4 2>"$dir/err" >"$dir/again"
	[[ "$(cat "$dir/err")" == *"$file: warning: damaged: "* ]]
	cmp "$dir/out" "$dir/again"
	cmp "$file" "$dir/was"
	for n in 39 200000; do
		head -c $n "$dir/was" >"$file"
		bench --learned "$file" --v-max 0.4 -q | cmp - "$dir/out"
		cmp "$file" "$dir/was"
	done
	pb-mapgen -s 1 -S 6,5 random-house >"$dir/small"
	map=$dir/small
	bench --learned "$file" --v-max 0.4 2>"$dir/err" >"$dir/out"
	[[ "$(cat "$dir/err")" == *"$file: warning: of another map: "* ]]
}

@test "a run of several cells keeps the first, and says so" {
	bench --vary v-max=0.4,0.65 >"$dir/none"
	bench --vary v-max=0.4,0.65 --learned "$file" >"$dir/all" 2>"$dir/err"
	cmp "$dir/none" "$dir/all"
	[ "$(cat "$dir/err")" = "pb-bench: $file: warning: it is of the first \
map and constants of this run; others are learnt each time" ]
	bench --v-max 0.4 --learned "$file" 2>"$dir/err" >"$dir/out"
	[ ! -s "$dir/err" ]
}

@test "other files are refused and stay; so is the option without safe" {
	cp "$map" "$file"
	run -1 --separate-stderr bench --learned "$file"
	[ -z "$output" ]
	[ "$stderr" = "pb-bench: $file: expected a file that --learned wrote, \
or none" ]
	cmp "$map" "$file"
	run -2 bench --learned -
	run -1 bench --learned "$dir"
	run -2 pb-sim -p seed -a --learned "$file" </dev/null
	run -2 pb-bench -m "$map" -p seed --learned "$file"
	[ "$output" = "pb-bench: --learned: goes with the player safe" ]
	run -2 pb-bench --from --learned "$file" /dev/null
	run -2 pb-bench --trajectory --learned "$file" /dev/null
}

@test "where the file cannot be written that is said, and games are played" {
	run -3 --separate-stderr bench --learned "$dir/no/learned"
	[[ "$stderr" == *"$dir/no/learned: "* ]]
	[[ "$output" == *'"type":"result"'* ]]
}
