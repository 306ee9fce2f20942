/* run.h - one game from the first byte of its streams to its end. */
#pragma once

#include "io/play/play.h"

/* What is drawn of a game: the board, and where the player was. */
struct pb_play_left {
	struct pb_maze maze; /* rows 0: there was none */
	struct pb_heat heat;
	char who[PB_TRIAL_NAME]; /* played */
};

/*
 * Play one game and write it.
 *
 * On a board: the board, and for each step the moves, what the robots tell
 * each other, and the state when it has changed; at the end the result. With
 * operands, the player follows the move records in these streams, one when he
 * decides, or the joy records, and rests after the last. With a pilot or a
 * joystick the game runs in real time. Robots with bodies have poses, too. A
 * game that its pilot has left has no result. Where bodies are programs, of a
 * game in lockstep each hears the whole game and speaks in turn (lockstep.h),
 * else each is asked when it has to decide (program.h).
 *
 * On a map: map, pellets and commands are read from the operands; the game
 * begins with the first command, or when the input is over. It is played as
 * the commands say and to its end, and its trace is written (trace.h).
 *
 * Given    left  NULL, or filled in
 */
void pb_play_run(const struct pb_play_opts *o, char *const *files, int n,
    struct pb_play_left *left);

/*
 * Read only map and pellets into p, which is open; other records are passed
 * on.
 *
 * Returns  whether there is a map, *map being where it came from; if not, why
 *          was said
 */
bool pb_play_read_map(
    struct pb_play *p, char *const *files, int n, struct pb_place *map);

/* Make the game and begin it on the map that was read: false if it was said
 * why not. */
bool pb_play_on_map(struct pb_play *p, struct pb_place map);
