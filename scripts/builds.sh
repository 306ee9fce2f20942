#!/bin/sh
# builds.sh ['COMPILER FLAGS' ...] - build the tools in each of these ways and
# compare what they print, byte for byte, with the build in $O (build), which
# must be there; look for fused instructions. Without arguments the ways below;
# a compiler that is not installed is skipped. With LAUNCHER=ccache compilers
# are called through that.
#
# Sources of differences are what vectorizers, link-time optimization and
# processors with fused multiply-add make of the same source.
set -eu
cd "$(dirname "$0")/.."
O=${O:-build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if [ $# -eq 0 ]; then
	for cc in gcc clang; do
		for march in x86-64-v2 x86-64-v3 native; do
			for level in 1 2 3; do
				set -- "$@" "$cc -O$level -march=$march"
			done
		done
		set -- "$@" "$cc -O2 -flto" "$cc -O3 -march=native -flto"
	done
fi

# What every part of the library goes into, on little; $1: directory of tools.
outputs() {
	"$1/pb-localize" -q -m testdata/house.yaml testdata/house.log.gz
	"$1/pb-mapgen" -q --from-log --slam --align testdata/house.log.gz
	"$1/pb-mapgen" -q random-house -s 3
	for r in pacbot roomba zumy; do
		"$1/pb-sim" -q -r $r -s 2
	done
	"$1/pb-sim" -q -m testdata/house.yaml -a -s 4 --sensors lidar,odom,imu
	"$1/pb-bench" -q -n 2 -p seed,nearest,safe testdata/flat.jsonl
	"$1/pb-bench" -q -n 20 -p seed,nearest -m testdata/house.yaml
	"$1/pb-bench" -q -n 20 -r pacbot -p greedy,flee,power
	"$1/pb-bench" -q -n 4 -r roomba -p greedy,flee
	"$1/pb-bench" -q -n 20 -r zumy -p direct,astar
	"$1/pb-bench" -q -n 1 -r localize \
		-p fuse,cell-ray,region,corridor,odom
	"$1/pb-bench" -q -n 2 -r localize -p mcl,odom --updates 5 \
		-m testdata/house.yaml
}

outputs "$O" >"$dir/wanted"
echo "$(wc -c <"$dir/wanted") bytes from $O" >&2
fuses='\<vf(n?m(add|sub)|m(addsub|subadd))|\<fn?m(add|sub)|\<fml[as]'
bad=0
for way in "$@"; do
	cc=${way%% *}
	command -v "$cc" >/dev/null || {
		echo "skipped  $way: not installed"
		continue
	}
	ar="ar"
	case $way in
	clang*-flto*) ar=llvm-ar ;;
	gcc*-flto*) ar=gcc-ar ;;
	esac
	if ! make -s -j"$(nproc)" O="$dir/o" CC="${LAUNCHER-} $cc" AR=$ar \
		CFLAGS="${way#* }" all >"$dir/log" 2>&1; then
		tail -n 3 "$dir/log" >&2
		echo "no build $way"
		bad=1
		continue
	fi
	fused=$(objdump -d --no-show-raw-insn "$dir"/o/pb-*[!.][a-z] |
		grep -cE "$fuses" || true)
	outputs "$dir/o" >"$dir/got"
	if cmp "$dir/wanted" "$dir/got" >&2 && [ "$fused" -eq 0 ]; then
		echo "same     $way"
	else
		echo "DIFFERS  $way, $fused fused instructions"
		bad=1
	fi
	rm -rf "$dir/o"
done
exit $bad
