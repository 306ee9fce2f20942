/* seen.h - a game on a board of cells as an observer sees it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/decls.h"
#include "pb/maze.h"

PB_BEGIN_DECLS

/* Counts by row and column; boards of all games fit. */
#define PB_HEAT_SIDE 32

struct pb_heat {
	uint64_t here[PB_HEAT_SIDE][PB_HEAT_SIDE]; /* ticks */
	uint64_t died[PB_HEAT_SIDE][PB_HEAT_SIDE]; /* lives lost */
};

/* Add h to sum. */
void pb_heat_add(struct pb_heat *sum, const struct pb_heat *h);

/* Robots and status of a game, in the words of tick records (pb-records(5)). A
 * game fills in what it has; the rest is missing. */
#define PB_SEEN_WORD 32 /* bytes of a word with its final NUL */

struct pb_seen_body {
	char id[PB_SEEN_WORD];   /* pacman, red, ... */
	int row, col;            /* row 0 is the top row (cells) */
	char dir[PB_SEEN_WORD];  /* up, left, down, right, "" */
	char mode[PB_SEEN_WORD]; /* chase, scatter, frightened, eaten, "" */
	int fright, trapped;     /* updates left of them, -1 if missing */
	bool spawning, eaten;
	bool has_next; /* the place after the next update is known: */
	int next_row, next_col;
	char next_dir[PB_SEEN_WORD];
};

#define PB_SEEN_BODIES 16
struct pb_seen {
	long tick;  /* tick of the game, 0.. */
	long score; /* -1 if missing, as the two below */
	long lives;
	long left;                    /* pellets that remain */
	long level, combo;            /* -1 if missing, as those below */
	long period;                  /* ticks between updates */
	long mode_steps, level_steps; /* updates left */
	long fruit;                   /* updates left */
	char mode[PB_SEEN_WORD];      /* scatter, chase, "" */
	bool paused, pausing;         /* now; at the next update */
	struct pb_maze board;         /* pellets as they lie, rows 0: none */
	struct pb_seen_body body[PB_SEEN_BODIES];
	int bodies;
	char hash[20]; /* hash of the state, 16 hex digits, or "" */
};

/* No bodies, and no optional values. */
struct pb_seen pb_seen_none(void);

/* Add a body in a cell, which looks in direction d; the new one. */
struct pb_seen_body *pb_seen_add(struct pb_seen *k, const char *id, int row,
    int col, int d, const char *mode);

/* The body of that name, NULL if there is none. */
const struct pb_seen_body *pb_seen_find(
    const struct pb_seen *k, const char *id);

/* "up", "left", "down", "right", "stop" for an enum pb_dir; and back, above
 * PB_STAY if it is none of them. */
const char *pb_dir_word(int d);
int pb_dir_of(const char *word);

PB_END_DECLS
