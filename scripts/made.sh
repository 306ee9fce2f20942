#!/bin/sh
# made.sh HEADER - write what --version says of a build beside its compiler:
# the commit, now, and the flags in $PB_FLAGS, of the first time, since objects
# stay as they were first made. HEADER stays untouched if nothing changed.
set -eu
# git archive fills this in.
# shellcheck disable=SC2016 # not a variable of the shell
archived='$Format:%h$'

commit=unknown
case $archived in
*Format*) ;;
*) commit=$archived ;;
esac
top=$(git rev-parse --show-toplevel 2>/dev/null) || top=
[ "$top" != "$(pwd -P)" ] ||
	commit=$(GIT_OPTIONAL_LOCKS=0 git describe --always --tags --dirty) ||
	commit=unknown

flags=$(sed -n '/^#define PB_FLAGS/p' "$1" 2>/dev/null) || true
[ -n "$flags" ] || flags="#define PB_FLAGS \"$(printf %s "$PB_FLAGS" |
	sed 's/[\\"]/\\&/g')\""
printf '#define PB_COMMIT "%s"\n%s\n' "$commit" "$flags" >"$1.new"
if cmp -s "$1.new" "$1"; then
	rm "$1.new"
else
	mv "$1.new" "$1"
fi
