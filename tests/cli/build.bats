#!/usr/bin/env bats
# build.bats - the same bytes from every build, and a build that says what it
# is. scripts/builds.sh compares whole builds.

load tools

@test "--version tells commit, compiler, flags and the self-test" {
	for t in $(tools); do
		"$t" -V >"$dir/out"
		sed -n 1p "$dir/out" | grep -qx "$t [0-9.]*" || fails "$t" version
		sed -n 2p "$dir/out" | grep -q '^commit .' || fails "$t" commit
		sed -n 3p "$dir/out" | grep -qE '^compiler .+, -' ||
			fails "$t" compiler
		sed -n 4p "$dir/out" | grep -qx \
			'self-test [0-9a-f]\{16\}, as it should be' ||
			fails "$t" self-test
	done
	none_failed
	git rev-parse HEAD >"$dir/head" 2>/dev/null || return 0
	commit=$(sed -n 's/^commit //p' "$dir/out")
	[ "$commit" = unknown ] || git rev-parse --verify "${commit%-dirty}^{commit}"
}

@test "results and provenance say which build they are of" {
	digest=$(pb-sim -V | sed -n 's/^self-test \([0-9a-f]*\).*/\1/p')
	work pb-bench 3 --provenance | jq -e -s --arg d "$digest" \
		'([.[] | select(.type == "result" or .type == "summary" or
			.type == "provenance").build] | unique) == [$d] and
		(last | .commit and .compiler)'
	for r in pacmanbot pacbot roomba zumy; do
		set --
		[ $r != pacmanbot ] || set -- -a "$flat"
		pb-sim -q -r $r "$@" | tail -n 1 >"$dir/out"
		[[ "$(cat "$dir/out")" == *'"result"'*'"build":"'$digest'"}' ]] ||
			fails pb-sim $r
	done
	none_failed
}

@test "flags that reorder arithmetic do not compile" {
	for f in -ffast-math -Ofast -ffinite-math-only; do
		run ! make -s O="$dir/o" CFLAGS="$f" "$dir/o/lib/base/elementary.o"
		[[ "$output" == *"no -ffast-math, -Ofast"* ]] || fails "$f" "$output"
	done
	none_failed
}

@test "what is linked with -ffast-math says that it computes otherwise" {
	! nm "$build/libpb.a" | grep -qE '__(asan|tsan|gcov)' ||
		skip "built with instruments"
	cc -std=c11 -Ilib -Ilib/include -D_POSIX_C_SOURCE=200809L -c -o "$dir/o" cmd/pb-score.c
	cc -ffast-math -o "$dir/pb-score" "$dir/o" "$build/made.o" \
		"$build/libpbio.a" "$build/libpb.a" \
		-ljansson -lyaml -lpng -lz -lexpat -lm
	"$dir/pb-score" -V >"$dir/out"
	grep -q '^self-test .*, should be [0-9a-f]*:$' "$dir/out" ||
		skip "such a link changes nothing here"
	[[ "$(cat "$dir/out")" == *"not to be compared with"* ]]
	run -0 --separate-stderr "$dir/pb-score" /dev/null
	[ "${stderr%%$'\n'*}" = "pb-score: warning: this build does not compute what others do (see --version): do not compare its results with theirs" ]
	run -0 --separate-stderr "$dir/pb-score" -q /dev/null
	[ -z "$stderr" ]
}

@test "a build says its commit and the flags it was first made with" {
	PB_FLAGS='-O3 -DX="a\"' scripts/made.sh "$dir/made.h"
	printf '%s\n' '#include <stdio.h>' 'int main(void)' \
		'{ return puts(PB_COMMIT "\n" PB_FLAGS) < 0; }' >"$dir/a.c"
	cc -include "$dir/made.h" -o "$dir/a" "$dir/a.c"
	[ "$("$dir/a" | tail -n 1)" = '-O3 -DX="a\"' ]
	cp -p "$dir/made.h" "$dir/was"
	touch -d '1 hour ago' "$dir/made.h"
	PB_FLAGS=-O1 scripts/made.sh "$dir/made.h"
	cmp "$dir/made.h" "$dir/was"
	[ "$dir/was" -nt "$dir/made.h" ] # nothing is made again
	# What git archive leaves, with no repository around it.
	mkdir "$dir/x"
	# shellcheck disable=SC2016 # not a variable of the shell
	sed 's/\$Format:%h\$/89abcde/' scripts/made.sh >"$dir/x/made.sh"
	(cd "$dir/x" && PB_FLAGS=-O1 sh made.sh m.h)
	grep -qx '#define PB_COMMIT "89abcde"' "$dir/x/m.h"
	(cd "$dir/x" && PB_FLAGS=-O1 sh "$BATS_TEST_DIRNAME/../../scripts/made.sh" n.h)
	grep -qx '#define PB_COMMIT "unknown"' "$dir/x/n.h"
}

@test "the library for a processor that fuses has nothing fused" {
	command -v objdump >/dev/null || skip "no objdump"
	[ "$(uname -m)" = x86_64 ] || skip "not x86-64"
	cc -march=x86-64-v3 -fsyntax-only -x c /dev/null 2>/dev/null ||
		skip "cc does not know x86-64-v3"
	v3() { make O="$dir/v3" CFLAGS='-O3 -march=x86-64-v3' "$@"; }
	# Every file of the library is compiled with what forbids it, last.
	v3 -n "$dir/v3/libpb.a" | sed -e :a -e '/\\$/N; s/\\\n//; ta' |
		grep -- " -c -o $dir/v3/" >"$dir/commands"
	[ "$(wc -l <"$dir/commands")" -eq "$(ar t "$build/libpb.a" | wc -l)" ]
	run ! grep -vE -- ' -march=.* -ffp-contract=off .*(-mno-fma|-fno-tree-vec)' \
		"$dir/commands"
	# It is heeded where compilers do fuse, some only as they make vectors;
	# check-builds looks at all files.
	v3 -s "$dir"/v3/lib/{base/elementary,localize/traj,localize/particle}.o
	objdump -d "$dir"/v3/lib/*/*.o >"$dir/code"
	grep -q 'vmulsd' "$dir/code" # it is for that processor
	run ! grep -E '\bvf(n?m(add|sub)|m(addsub|subadd))' "$dir/code"
}

@test "Debian packages are made, and hold the tools and the library" {
	command -v dpkg-buildpackage >/dev/null || skip "no dpkg-dev"
	command -v dh >/dev/null || skip "no debhelper"
	git rev-parse HEAD >/dev/null 2>&1 || skip "not a git checkout"
	# Not optimized, as that takes a third of the time.
	export DEB_BUILD_OPTIONS="noopt noautodbgsym parallel=2"
	PATH=$PATH:/usr/sbin scripts/deb.sh "$dir/deb" >"$dir/log" 2>&1 || {
		tail -n 20 "$dir/log"
		false
	}
	for p in pb_ libpb0_ libpb-dev_; do
		dpkg-deb -c "$dir/deb/$p"0*.deb >>"$dir/list"
	done
	for f in bin/pb-sim share/man/man1/pb-sim.1 \
		lib/.*/libpb.so.0 lib/.*/libpb.a include/pb/geom.h; do
		grep -q "/usr/$f" "$dir/list" || fails "$f" "in no package"
	done
	none_failed
	dpkg-deb -x "$dir/deb/pb_"*.deb "$dir/x"
	"$dir/x/usr/bin/pb-sim" -V >"$dir/version"
	grep -qx "commit $(git log -1 --format=%h)" "$dir/version"
	grep -q 'as it should be$' "$dir/version"
	# The flags of packages change no byte.
	for t in "$dir/x/usr/bin/pb-localize" pb-localize; do
		"$t" -q -m testdata/house.yaml testdata/house.log.gz | sha256sum
	done >"$dir/sums"
	[ "$(sort -u "$dir/sums" | wc -l)" -eq 1 ]
}

@test "Debian packages come from a machine that has nothing, and install there" {
	command -v debootstrap >/dev/null || skip "no debootstrap"
	[ "$(id -u)" -eq 0 ] || skip "not root"
	git rev-parse HEAD >/dev/null 2>&1 || skip "not a git checkout"
	local root=$dir/root
	in_root() {
		chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
			DEB_BUILD_OPTIONS="noopt noautodbgsym parallel=2" sh -c "$1"
	}
	debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" \
		"$root" >"$dir/log" 2>&1 || skip "no mirror"
	cp /etc/resolv.conf "$root/etc"
	git clone -q --no-hardlinks . "$root/src"
	in_root 'cd /src && scripts/deb.sh /out' >"$dir/log" 2>&1 || {
		tail -n 20 "$dir/log"
		false
	}
	in_root 'apt-get install -y --no-install-recommends /out/*.deb' \
		>"$dir/log" 2>&1
	in_root 'pb-mapgen random-house | pb-sim -p seed' | tail -n 1 |
		grep '"type":"result"'
}

@test "the demo says what it will do, keeps apt's output, says what to do next" {
	mkdir -p "$dir/d/build" "$dir/bin"
	cp -R scripts "$dir/d"
	for t in "$dir/bin/make" $(tools | sed "s|^|$dir/d/build/|"); do
		ln -s "$(type -P true)" "$t"
	done
	printf '#!/bin/sh\necho apt speaks\n' >"$dir/d/scripts/deps.sh"
	PATH=$dir/bin:$PATH "$dir/d/scripts/demo.sh" >"$dir/out" 2>"$dir/err" </dev/null
	head -n 1 "$dir/out" | grep -q '^This installs .* demo/apt.log'
	head -n 4 "$dir/out" | grep -q 'It takes some .* minutes'
	[ "$(cat "$dir/d/demo/apt.log")" = "apt speaks" ]
	[ "$(tail -n 3 "$dir/out" | cut -d : -f 1 | tr '\n' ' ')" = "Made Look at Next " ]
	# What it needs cannot be had.
	printf '#!/bin/sh\necho no root >&2\nexit 3\n' >"$dir/d/scripts/deps.sh"
	run -3 --separate-stderr "$dir/d/scripts/demo.sh"
	[ "$stderr" = "no root" ]
}
