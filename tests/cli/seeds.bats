#!/usr/bin/env bats
# seeds.bats - what is published, as tests/pin/seeds has it.

load common

setup() { here; }

@test "what is published is as it was" {
	command -v jq >/dev/null || skip "no jq"
	run scripts/pin-seeds.sh
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "a pin that does not hold is named" {
	mkdir -p "$dir/tests/pin" "$dir/scripts"
	cp scripts/pin-seeds.sh "$dir/scripts"
	cp tests/constants.sh "$dir/tests"
	printf '== One\n0123456789abcdef\techo a\n== Two\n-\ttrue\n' \
		>"$dir/tests/pin/seeds"
	O=$build run -1 "$dir/scripts/pin-seeds.sh"
	[ "${lines[0]}" = "One: 87428fc522803d31, not 0123456789abcdef: echo a" ]
	[ "${lines[1]}" = "Two: nothing printed, not -: true" ]
	[ "${lines[2]}" = "pin-seeds.sh: 2 commands, 2 changed" ]
	O=$build run -0 "$dir/scripts/pin-seeds.sh" -u
	O=$build run -0 "$dir/scripts/pin-seeds.sh" One
	[ "$output" = "pin-seeds.sh: 1 commands, 0 changed" ]
}
