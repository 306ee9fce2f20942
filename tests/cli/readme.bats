#!/usr/bin/env bats
# What README.md shows is what the tools print.

load common

setup() { here; }

@test "every example of README.md prints what it says" {
	O=${O:-build} timeout 900 scripts/readme.sh -n
}
