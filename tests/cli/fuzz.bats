#!/usr/bin/env bats
# fuzz.bats - the targets of make fuzz on known inputs: seeds, each with a few
# hundred mutations, and all that once broke something (testdata/fuzz).

load common

setup_file() {
	here
	tests/fuzz/seeds.sh "$BATS_FILE_TMPDIR"
}

setup() {
	here
	targets=$build/tests/fuzz
}

replay() { # MUTATIONS TARGET...: each on its seeds
	local n=$1 t
	shift
	for t in "$@"; do
		"$targets/$t" -m "$n" "$BATS_FILE_TMPDIR/$t"/* || {
			echo "$t"
			return 1
		}
	done
}

@test "what once broke a reader or a game" {
	for f in testdata/fuzz/*/*; do
		[ -e "$f" ] || continue
		"$targets/$(basename "$(dirname "$f")")" "$f"
	done
}

@test "readers of records and lines take anything" {
	replay 300 record lines rosmsg
	replay 50 wire # every player is asked about every frame
}

@test "the tools take anything as a file" {
	replay 10 pb-score pb-pellets pb-ghost pb-localize pb-mapgen
	replay 2 pb-sim pb-bench
}

@test "readers of maps and boards take anything" {
	replay 300 yaml maptext kml board
}

@test "readers of images take anything" {
	replay 10 image
}

@test "the reader of weights takes anything" {
	replay 300 safetensors
}

@test "readers of recordings take anything" {
	replay 100 bags
}

@test "streams of events take anything" {
	replay 50 cues
}

@test "the console takes anything, and the same commands are the same game" {
	replay 50 console
}

@test "games keep their rules whatever players do" {
	replay 300 pacbot roomba zumy round
}

@test "every target is built and listed" {
	for f in tests/fuzz/*.c; do
		t=$(basename "$f" .c)
		case $t in replay | tool) continue ;; esac
		[ -x "$targets/$t" ]
	done
}
