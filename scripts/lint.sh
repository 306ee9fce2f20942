#!/bin/sh
# lint.sh - look at the sources with every tool that is installed: format,
# clang-tidy, cppcheck, shellcheck, manual pages; fail if one complains.
set -u
cd "$(dirname "$0")/.." || exit 3
bad=0

have() {
	command -v "$1" >/dev/null || {
		echo "lint: $1 is not installed, skipped" >&2
		return 1
	}
}
note() {
	bad=1
	echo "lint: $1" >&2
}

sources=$(git ls-files '*.c' '*.h')
if have clang-format; then
	# shellcheck disable=SC2086 # a list of words
	clang-format --dry-run -Werror $sources || note "format"
fi
if have cppcheck; then
	cppcheck -q --std=c11 --error-exitcode=1 --inline-suppr -Ilib -Ilib/include \
		--enable=warning,portability --suppress=missingIncludeSystem \
		--suppress=invalidPointerCast \
		--suppressions-list=scripts/cppcheck.txt lib cmd || note "cppcheck"
fi
if have clang-tidy; then
	# shellcheck disable=SC2016 # the inner shell has the names
	git ls-files 'lib/*.c' 'cmd/*.c' |
		xargs -P "$(nproc)" -n 12 sh -c 'clang-tidy --quiet "$@" -- \
		-std=c11 -Ilib -Ilib/include -I"${O:-build}" -D_POSIX_C_SOURCE=200809L \
		-D_FILE_OFFSET_BITS=64 2>/dev/null' tidy ||
		note "clang-tidy"
fi
if have shellcheck; then
	shellcheck scripts/*.sh tests/*/*.sh .ci/run || note "shellcheck"
	# Some variables are set by what a file loads.
	shellcheck -s bash -e SC2154 tests/cli/*.bash || note "shellcheck"
fi
if have mandoc; then
	for m in "${O:-build}"/man/*.[157]; do
		[ -e "$m" ] || continue
		mandoc -Tlint -W warning "$m" || note "$m"
	done
fi
exit $bad
