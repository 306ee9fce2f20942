/* console_tty.h - a console at the terminal, with GNU readline. */
#pragma once

#include "io/console/console.h"

/*
 * Read commands from the terminal until the end of input, quit, or a signal.
 * Prompt and echo go to stderr. Ctrl-C cancels a line or stops a run. Lines
 * are remembered in $XDG_STATE_HOME/pb/history or ~/.pb_history, if that can
 * be written. What is refused is said and does no harm.
 */
void pb_console_tty(struct pb_console *c);
