#!/usr/bin/env bats
# fault.bats - what a machine can do to the tools.

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	export O=${O:-build}
	PATH=$PWD/$O:$PATH
	dir=$BATS_TEST_TMPDIR
}

# Every call for memory once: tests/fault/sweep.sh; here a part of them.
@test "no memory from any moment on: status 3, one line, no crash" {
	! nm "$O/pb-score" | grep -q '__asan\|__tsan' || skip "a sanitizer"
	tests/fault/sweep.sh 61
}
