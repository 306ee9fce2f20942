#!/bin/sh
# fuzz.sh [SECONDS] - feed what reads the outside world with random bytes for
# so long each, under the sanitizers; needs clang. What was found to be
# interesting stays in build-fuzz/corpus for the next time; an input that
# breaks something is kept in build-fuzz and ends the run.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
O=build-fuzz
san='-fsanitize=address,undefined -fno-sanitize-recover=all'

make -s O=$O CC=clang CFLAGS='-O1 -g' SAN="$san -fsanitize=fuzzer-no-link" \
	$O/libpb.a $O/libpbio.a
for f in tests/fuzz/*.c; do
	name=$(basename "$f" .c)
	mkdir -p "$O/corpus/$name"
	# shellcheck disable=SC2086 # a list of words
	clang -std=c11 -O1 -g $san -fsanitize=fuzzer -D_POSIX_C_SOURCE=200809L \
		-Ilib -o "$O/fuzz-$name" "$f" $O/libpbio.a $O/libpb.a \
		-Wl,--as-needed -ljansson -lyaml -lpng -lz -lm
	split -l 1 testdata/score.jsonl "$O/corpus/$name/seed."
	zcat testdata/house.log.gz | head -n 5 >"$O/corpus/$name/log"
	"$O/fuzz-$name" -max_total_time="$seconds" -max_len=2000 \
		-print_final_stats=1 -artifact_prefix=$O/ "$O/corpus/$name"
done
