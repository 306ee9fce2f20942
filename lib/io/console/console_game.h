/* console_game.h - a game played by the commands of its operator. */
#pragma once

#include "io/console/console.h"

/* What the user wants. What can be set is changed by the console. */
struct pb_console_game {
	struct pb_stage_opts game;              /* but for `out` */
	const struct pb_console_inputs *inputs; /* carried out first */
	bool interactive; /* then commands from standard input */

	/* Draw records for people; NULL: nobody can. */
	void (*draw)(const char *records, size_t n);
};

/*
 * Whether standard input is asked for once at most: for commands, or for the
 * map. If not it was said.
 */
bool pb_console_game_check(
    const struct pb_console_game *p, char *const *files, int n);

/* Play as the commands say. What goes wrong is said. */
void pb_console_game_play(
    const struct pb_console_game *p, char *const *files, int n);
