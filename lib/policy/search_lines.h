/* search_lines.h - lines of moves, followed in the exact engine of Pacbot. */
#ifndef PB_POLICY_SEARCH_LINES_H
#define PB_POLICY_SEARCH_LINES_H

#include "policy/beam.h"
#include "policy/search_value.h"

/*
 * Beam search: from the game as it is, play every move of every kept state in
 * the exact engine, value the outcomes, keep the best few that differ, and so
 * on to the depth asked for. Frightened ghosts turn as a made-up future has
 * it, which is known by a number.
 */
struct pb_line {
	struct pb_pacbot s; /* what a line of moves has come to */
	int ticks;          /* since the decision */
	int due;            /* ticks to the next update, at least 1 */
	uint8_t first;      /* the move that it began with */
	uint8_t fruits;     /* eaten on the way */
	bool planned;       /* whether the ghosts have, since the update */
	uint64_t luck;      /* state of their draws */
};

/* A search; its memory belongs to the caller. */
struct pb_lines {
	const struct pb_bot_view *v;
	struct pb_search_aim aim;
	/* Lines: those of the beam, and one in the making. */
	struct pb_line_layer {
		struct pb_line *line;
		struct pb_beam beam;
	} layer[2];
	int now;         /* the layer that goes on; the other comes of it */
	int width;       /* lines kept, at most that of pb_lines_place */
	int depth;       /* moves ahead */
	uint64_t future; /* number of the made-up future */
	double best;     /* value of the best line */
	int first;       /* its first move */
};

/* Bytes of memory that a search of `width` takes. */
size_t pb_lines_size(int width);

/* Lay q out in mem: pb_lines_size bytes, aligned for a double; not owned. */
void pb_lines_place(struct pb_lines *q, void *mem, int width);

/* Set of the moves that make sense in s: those that are open, and waiting. */
unsigned pb_lines_moves(const struct pb_lines *q, const struct pb_pacbot *s);

/* Search from s, its first move one of `moves`: sets best and first. */
void pb_lines_search(
    struct pb_lines *q, const struct pb_pacbot *s, unsigned moves);

#endif
