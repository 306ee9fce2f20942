/* boards.h - functions shared by the rule sets on boards of cells. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/seen.h"

struct pb_event;
struct pb_rover;

/* Contacts of robots. */
struct pb_bumps {
	uint64_t close; /* bit set of pairs that overlap now */
	double nearest; /* least distance of two robots' centres up to now (m);
	                   at first INFINITY */
};

/*
 * Update by the poses of n robots of diameter `size` (m).
 *
 * Returns  the number of pairs that begin to overlap: collisions
 */
int pb_bumps_update(
    struct pb_bumps *b, const struct pb_rover *r, int n, double size);

/* Whether a cell of a maze has a pellet, power pellets included; the number of
 * such cells. */
bool pb_has_pellet(const struct pb_maze *z, int row, int col);
int pb_count_pellets(const struct pb_maze *z);

/* Names of the ghosts' events, in the arcade's order. */
extern const char *const pb_ghost_caught[4], *const pb_ghost_killed[4];

/* Set a word of struct pb_seen. */
void pb_seen_set_word(char out[PB_SEEN_WORD], const char *word);

/* Append a signal to the events; a message from one robot to another. */
void pb_add_signal(struct pb_event *out, int *n, const char *name);
void pb_add_message(struct pb_event *out, int *n, int body, const char *name);
