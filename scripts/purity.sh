#!/bin/sh
# purity.sh ARCHIVE - prove at link time that the pure library touches memory
# and arithmetic only: every symbol that it takes from outside must be on the
# list below, and it has no writable globals. Prints TAP.
set -eu
export LC_ALL=C

allowed='free|malloc|calloc|realloc|qsort'
allowed="$allowed|memcpy|memmove|memset|memcmp|memchr|strlen|strcmp|strncmp|strchr"
allowed="$allowed|strspn|strcspn"
# Of mathematics, what IEEE 754 defines to the bit: others differ by machine.
allowed="$allowed|sqrt|floor|ceil|round|lround|llround|nearbyint|l?rint|trunc"
allowed="$allowed|fabs|fmod|remainder|fmin|fmax|frexp|ldexp|copysign"
# What compilers add by themselves, also where the linker chooses a function.
allowed="$allowed|__stack_chk_fail|__assert_fail|__mem(cpy|set|move)_chk"
allowed="$allowed|_GLOBAL_OFFSET_TABLE_|__cpu_model|__cpu_indicator_init"
allowed="$allowed|__(asan|ubsan|tsan|sanitizer|gcov|llvm|sancov)_.*"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nm -u "$1" | awk '$1 == "U" { print $2 }' | sort -u >"$dir/undef"
nm -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort -u >"$dir/def"
bad=$(comm -23 "$dir/undef" "$dir/def" | grep -vxE "$allowed" || true)
# Constant tables of addresses live in .data.rel.ro, which nobody can write.
vars=$(objdump -t "$1" | awk '
	/ O / && $0 ~ /[ \t](\.bss|\.data|\*COM\*|\.tbss|\.tdata)/ &&
	$0 !~ /\.data\.rel\.ro/ { print $NF }')
case ${O-} in
*asan* | *cov* | *fuzz* | *tsan*) vars= ;; # instruments add their own
esac

n=0
report() {
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n $1"
	else
		echo "$2" | sed 's/^/# found: /'
		echo "not ok $n $1"
	fi
}
report "the pure library calls nothing outside the allow-list" "$bad"
report "the pure library has no writable globals" "$vars"
echo "1..$n"
[ -z "$bad$vars" ]
