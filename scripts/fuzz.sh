#!/bin/sh
# fuzz.sh [SECONDS [TARGET...]] - feed what reads the outside world, the tools
# themselves and the games with bytes that libFuzzer makes up, for so long each, under the
# sanitizers; needs clang. What was found to be interesting stays in
# build-fuzz/corpus for the next time; an input that breaks something is kept
# in build-fuzz and ends the run. Prints a line for each target: how many
# inputs were tried and how many broke something.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
O=build-fuzz
san='-fsanitize=address,undefined -fno-sanitize-recover=all'

[ $# -gt 0 ] ||
	for f in tests/fuzz/*.c cmd/*.c; do
		t=$(basename "$f" .c)
		case $t in replay | tool) ;; *) set -- "$@" "$t" ;; esac
	done
# Who compares numbers in games is of no interest, and takes half of the time.
make -s O=$O CC=clang CFLAGS='-O2 -g' $O/libpb.a \
	SAN="$san -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp"
make -s O=$O CC=clang CFLAGS='-O2 -g' $O/libpbio.a \
	SAN="$san -fsanitize=fuzzer-no-link"
make -s O=build all build/tests/unit/png build/tests/unit/safetensors \
	build/tests/unit/bags
env O=build tests/fuzz/seeds.sh $O/seeds
for t in "$@"; do
	mkdir -p "$O/corpus/$t" "testdata/fuzz/$t"
	case $t in
	pb-*) source="tests/fuzz/tool.c -DTOOL=\"$t\" -DTOOL_C=\"../../cmd/$t.c\"" ;;
	*) source=tests/fuzz/$t.c ;;
	esac
	# shellcheck disable=SC2086 # a list of words
	clang -std=c11 -O2 -g $san -fsanitize=fuzzer -D_POSIX_C_SOURCE=200809L \
		-Ilib -Ilib/include -o "$O/fuzz-$t" $source $O/libpbio.a \
		$O/libpb.a -Wl,--as-needed -ljansson -lyaml -lpng -lz -lexpat \
		-ldl -lreadline -lsqlite3 -lzstd -llz4 -lbz2 -lm
	dict=
	[ ! -s "$O/seeds/$t.dict" ] || dict=-dict=$O/seeds/$t.dict
	st=0
	max=4000
	case $t in
	roomba | zumy | round | console) max=250 ;; # slow
	cues) max=1000 ;;
	bags) max=16000 ;; # pages of SQLite
	esac
	# shellcheck disable=SC2086
	"$O/fuzz-$t" -max_total_time="$seconds" -max_len=$max -timeout=20 \
		-rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$O/$t-" \
		$dict "$O/corpus/$t" "$O/seeds/$t" "testdata/fuzz/$t" \
		>"$O/$t.log" 2>&1 || st=$?
	rmdir "testdata/fuzz/$t" testdata/fuzz 2>/dev/null || true
	n=$(sed -n 's/^stat::number_of_executed_units: *//p' "$O/$t.log")
	if [ "$st" -ne 0 ]; then
		tail -n 40 "$O/$t.log" >&2
		echo "fuzz: $t: broken after ${n:-?} inputs, see $O/$t-*"
		exit 1
	fi
	echo "fuzz: $t: $n inputs in $seconds s, none broke it"
done
