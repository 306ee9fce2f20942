#!/bin/sh
# deb.sh - make the Debian source package of what is committed, and build it.
#
#	scripts/deb.sh [DIRECTORY]
#
# Packages and their sources go to DIRECTORY (build-deb). With dpkg-buildpackage
# missing, debhelper and what it needs are installed.
set -eu
cd "$(dirname "$0")/.."
scripts/deps.sh deb
out=${1:-build-deb}
version=$(sed -n 's/^#define PB_VERSION  *"\(.*\)"/\1/p' lib/include/pb/version.h)
mkdir -p "$out"
rm -rf "$out/pb-$version"
git archive --prefix="pb-$version/" HEAD | gzip -n >"$out/pb_$version.orig.tar.gz"
tar -C "$out" -xzf "$out/pb_$version.orig.tar.gz"
cp -R scripts/debian "$out/pb-$version/debian"
(cd "$out/pb-$version" && dpkg-buildpackage -us -uc)
ls "$out"/*.dsc "$out"/*.deb
if command -v lintian >/dev/null; then
	lintian --fail-on error "$out"/pb_"$version"-*.changes
fi
