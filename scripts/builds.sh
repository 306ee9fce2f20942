#!/bin/sh
# builds.sh ['COMPILER FLAGS' ...] - build the tools in each of these ways and
# compare what they print, byte for byte, with the build in $O (build), which
# must be there; look for fused instructions. Without arguments the ways below;
# a compiler that is not installed is skipped. With LAUNCHER=ccache compilers
# are called through that. What aarch64-linux-gnu-gcc builds is run by
# qemu-aarch64, with libraries that apt-get downloads into a folder: dpkg has to
# know the architecture arm64.
#
# Sources of differences are what vectorizers, link-time optimization and
# processors with fused multiply-add make of the same source.
set -eu
cd "$(dirname "$0")/.."
top=$PWD
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
	set -- "$@" "aarch64-linux-gnu-gcc -O2"
fi

# What every part of the library goes into, on little; $@: what runs the tools,
# last their directory.
outputs() {
	run=$*
	tool pb-localize -q -m testdata/house.yaml testdata/house.log.gz
	tool pb-mapgen -q --slam --align testdata/house.log.gz
	tool pb-mapgen -q random-house -s 3
	for r in pacbot roomba zumy; do
		tool pb-sim -q -r $r -s 2
	done
	tool pb-sim -q -m testdata/house.yaml -a -s 4 --sensors lidar,odom,imu
	tool pb-bench -q -n 2 -p seed,nearest,safe testdata/flat.jsonl
	tool pb-bench -q -n 20 -p seed,nearest -m testdata/house.yaml
	tool pb-bench -q -n 20 -r pacbot -p greedy,flee,power
	tool pb-bench -q -n 4 -r roomba -p greedy,flee
	tool pb-bench -q -n 20 -r zumy -p direct,astar
	tool pb-bench -q -n 1 -r localize -p fuse,cell-ray,region,corridor,odom
	tool pb-bench -q -n 2 -r localize -p mcl,odom --set updates=5 \
		-m testdata/house.yaml --log testdata/house.log.gz
}

tool() { # NAME ARG ...
	name=$1
	shift
	# shellcheck disable=SC2086 # words, and a path without blanks
	$run/$name "$@"
}

# Unpack what the tools need of architecture $1 into $dir/root.
fetch() {
	mkdir "$dir/debs" "$dir/root"
	want=$(scripts/deps.sh -l | grep '^lib.*-dev$' | sed "s/\$/:$1/")
	cd "$dir/debs"
	# shellcheck disable=SC2086,SC2046 # lists of words
	apt-get -qq download $(apt-cache depends --recurse --no-recommends \
		--no-suggests --no-conflicts --no-breaks --no-replaces \
		--no-enhances $want | grep "^[a-z0-9].*:$1\$" | sort -u) \
		>"$dir/log" 2>&1
	for deb in ./*.deb; do
		dpkg -x "$deb" "$dir/root" 2>>"$dir/log" || break
	done
	cd "$top"
	rm -r "$dir/debs"
	[ -e "$dir/root/usr/include/libwebsockets.h" ]
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
	ar="ar" objdump=objdump with='' root=''
	case $way in
	clang*-flto*) ar=llvm-ar ;;
	gcc*-flto*) ar=gcc-ar ;;
	aarch64-*)
		command -v qemu-aarch64 >/dev/null || {
			echo "skipped  $way: no qemu-aarch64"
			continue
		}
		fetch arm64 || {
			echo "skipped  $way: no libraries, $(tail -n 1 "$dir/log")"
			continue
		}
		ar=${cc%gcc}ar objdump=${cc%gcc}objdump
		with="qemu-aarch64 -L $dir/root "
		root="--sysroot=$dir/root"
		root="$root -Wl,-rpath-link,$dir/root/lib/aarch64-linux-gnu"
		;;
	esac
	if ! make -s -j"$(nproc)" O="$dir/o" CC="${LAUNCHER-} $cc" AR="$ar" \
		CFLAGS="${way#* } $root" all >"$dir/log" 2>&1; then
		tail -n 3 "$dir/log" >&2
		echo "no build $way"
		bad=1
		continue
	fi
	fused=$($objdump -d --no-show-raw-insn "$dir"/o/pb-*[!.][a-z] |
		grep -cE "$fuses" || true)
	outputs "$with$dir/o" >"$dir/got"
	if cmp "$dir/wanted" "$dir/got" >&2 && [ "$fused" -eq 0 ]; then
		echo "same     $way"
	else
		echo "DIFFERS  $way, $fused fused instructions"
		bad=1
	fi
	rm -rf "$dir/o" "$dir/root"
done
exit $bad
