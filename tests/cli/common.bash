# common.bash - where each test is: at the root of the sources, with a folder
# of its own, and finds the programs that were built.

bats_require_minimum_version 1.5.0

# shellcheck disable=SC2034 # the tests read what is set
here() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	build=$PWD/${O:-build}
	PATH=$build:$PATH
	dir=$BATS_TEST_TMPDIR
	flat=testdata/flat.jsonl
}
