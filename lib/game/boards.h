/* boards.h - what the rule sets on boards of cells have in common. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/seen.h"

struct pb_event;
struct pb_rover;

/* Robots that overlap. */
struct pb_bumps {
	uint64_t close; /* pairs that do now */
	double nearest; /* least distance of two robots' centres up to now (m);
			   at first INFINITY */
};

/*
 * Watch n robots of diameter `size` (m).
 *
 * Returns  how many pairs overlap that did not before: collisions
 */
int pb_bumps_update(
    struct pb_bumps *b, const struct pb_rover *r, int n, double size);

/* Whether there is a pellet in a cell of a maze, power pellets included; how
 * many there are in all of it. */
bool pb_has_pellet(const struct pb_maze *z, int row, int col);
int pb_count_pellets(const struct pb_maze *z);

/* Events that the four ghosts are in, in the order of the arcade's. */
extern const char *const pb_ghost_caught[4], *const pb_ghost_killed[4];

/* Set a word of struct pb_seen. */
void pb_seen_set_word(char out[PB_SEEN_WORD], const char *word);

/* Append to the events a signal; a message from one robot to another. */
void pb_add_signal(struct pb_event *out, int *n, const char *name);
void pb_add_message(struct pb_event *out, int *n, int body, const char *name);
