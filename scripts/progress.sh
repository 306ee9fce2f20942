# progress.sh - how far a build or the tests are, for somebody who watches: one
# line on a terminal, rewritten in place. To be read by other scripts.
# shellcheck shell=sh

progress_show() { # DONE TOTAL WHAT
	printf '\033[?7l\r%d/%d %s\033[K\033[?7h' "$1" "$2" "$3" >&2
}

progress_wipe() { printf '\r\033[K' >&2; }

# make TARGETS on all cores, quietly. Each command that makes a file counts.
build() {
	total=0
	[ ! -t 2 ] ||
		total=$(make -n "$@" 2>/dev/null | grep -c -- ' -o \| rcs ') || :
	if [ "$total" -eq 0 ]; then
		make -s -j"$(nproc)" "$@"
		return
	fi
	# Complaints take the place of the line, which then goes on below.
	{
		{
			make -j"$(nproc)" "$@" && echo 'all built'
		} 2>&1 >&4 | while IFS= read -r next; do
			printf '\r\033[K%s\n' "$next" >&2
		done
	} 4>&1 | {
		built=0 line=
		while IFS= read -r next; do
			line=$next
			case $line in
			*' -o '* | *' rcs '*)
				built=$((built + 1))
				progress_show "$built" "$total" "files built"
				;;
			esac
		done
		progress_wipe
		[ "$line" = 'all built' ]
	}
}
