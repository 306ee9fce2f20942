#!/bin/sh
# test.sh - install what the tests need, build, run every test.
# The last line is "N passed, N failed".
set -eu
cd "$(dirname "$0")/.."
scripts/deps.sh test
# shellcheck source=scripts/progress.sh
. scripts/progress.sh
build all unit
exec scripts/check.sh
