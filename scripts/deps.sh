#!/bin/sh
# deps.sh [-l] [test] [fuzz] [lint] [deb] - install what is missing to build and,
# with these words, to test, to fuzz, to lint, to package, on Debian or Ubuntu.
# Asks for nothing and changes nothing when all is there; with -l it only lists
# what is needed.
set -eu

build="gcc make pkg-config libc6-dev libjansson-dev libpng-dev libyaml-dev
libexpat1-dev zlib1g-dev libreadline-dev libcairo2-dev libwebsockets-dev
libsqlite3-dev libzstd-dev liblz4-dev libbz2-dev
fonts-dejavu-core"
tests="bats g++ jq mandoc parallel"
fuzz="clang libclang-rt-dev"
deb="build-essential git dpkg-dev debhelper"
lint="clang-format clang-tidy cppcheck shellcheck mandoc valgrind gcc
lintian"

list=
[ "${1-}" != -l ] || { list=yes && shift; }
want=$build
for set in "$@"; do
	case $set in
	test) want="$want $tests" ;;
	fuzz) want="$want $fuzz" ;;
	lint) want="$want $lint" ;;
	deb) want="$want $deb" ;;
	*)
		echo "deps.sh: no set named $set: test, fuzz, lint or deb" >&2
		exit 2
		;;
	esac
done

if [ -n "$list" ]; then
	# shellcheck disable=SC2086 # a list of words
	printf '%s\n' $want
	exit 0
fi

missing=
arch=$(dpkg --print-architecture)
for p in $want; do
	dpkg-query -W -f '${Architecture} ${db:Status-Status}\n' "$p" \
		2>/dev/null | grep -qEx "($arch|all) installed" ||
		missing="$missing $p"
done
[ -n "$missing" ] || exit 0

sudo=
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || {
		echo "deps.sh: need root or sudo to install:$missing" >&2
		exit 3
	}
	sudo=sudo
fi
echo "deps.sh: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # a list of words
{
	$sudo apt-get update -qq
	$sudo apt-get install -y -qq --no-install-recommends $missing
} >&2
