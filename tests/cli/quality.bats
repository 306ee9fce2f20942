#!/usr/bin/env bats
# quality.bats - tests/quality/run.sh, by a few trials and rows made by hand.

load common

setup() {
	here
	command -v jq >/dev/null || skip "no jq"
	run=tests/quality/run.sh
}

@test "rows of players, localizers and logs, and those without their data" {
	run -0 $run -l 'quick-*'
	[ "${lines[0]}" = "quick-6"$'\t'"2000" ]
	[ ${#lines[@]} -eq 4 ]
	run -0 $run -n 0.002 -D "$dir" "$dir/out" sneak quick-6 track/house \
		global/house house/seed
	[ "$output" = "run.sh: house/seed: left out: no $dir/maps/house/map_01.yaml" ]
	jq -e -s '(map(.name) | sort) == ["global/house", "global/house/error",
		"global/house/wrong", "quick-6", "quick-6/score", "sneak",
		"track/house", "track/house/wrong"] and
		all(.[]; .lo <= .value and .value <= .hi and .cpu >= 0) and
		(.[] | select(.name == "sneak") | .n == 8 and .value > 0.5) and
		(.[] | select(.name == "track/house") | .value < 0.1)' \
		"$dir/out"
	run -0 $run --compare "$dir/out" "$dir/out"
	[ "${lines[-1]}" = "8 rows, 0 worse" ]
	run -2 $run
}

# Of two rates the half widths are 0.05 and 0.12: together 0.13.
@test "what is worse: by more than chance, by 5 %, wrong at all, or gone" {
	row() { # NAME KIND VALUE LO HI
		echo '{"name":"'$1'","kind":"'$2'","value":'$3',"lo":'$4',"hi":'$5'}'
	}
	{
		row a rate 0.9 0.85 0.95
		row b rate 0.9 0.85 0.95
		row c error 1 1 1
		row d error 1 1 1
		row e wrong 0 0 1
		row f rate 1 1 1
		row g rate 0.8 0.75 0.85
	} >"$dir/old"
	{
		row a rate 0.76 0.64 0.88
		row b rate 0.78 0.66 0.9
		row c error 1.04 1.04 1.04
		row d error 1.06 1.06 1.06
		row e wrong 0.01 0 1
		row g rate 0.9 0.85 0.95
	} >"$dir/new"
	run -1 $run --compare "$dir/old" "$dir/new"
	echo "$output"
	[ "$(awk '{ print $1, $5 }' <<<"$output" | head -n 7 | tr '\n' ,)" = \
		"a WORSE,b ,c ,d WORSE,e WORSE,f ,g better," ]
	[ "${lines[-1]}" = "7 rows, 4 worse" ]
}
