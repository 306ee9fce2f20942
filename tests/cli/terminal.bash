# terminal.bash - programs in a terminal.

load common

# tty COMMAND ACTION ...: run it in a terminal, print how it ended.
tty() { python3 tests/cli/tty.py "$dir/screen" "$@"; }

needs_terminal() { command -v python3 >/dev/null || skip "no python3"; }
