#!/usr/bin/env bats
# What README.md shows is what the tools print.

@test "every example of README.md prints what it says" {
	cd "$BATS_TEST_DIRNAME/../.."
	O=${O:-build} timeout 900 scripts/readme.sh -n
}
