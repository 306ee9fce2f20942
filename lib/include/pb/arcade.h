/* arcade.h - the four ghosts of the official Pacbot competition. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/decls.h"
#include "pb/maze.h"

PB_BEGIN_DECLS

/*
 * The rules are those of the competition's game server. Cells are (row, col)
 * from the top left; directions are enum pb_dir. A ghost is a value; the
 * table of exits is made once and shared by threads.
 */
#define PB_ARCADE_OFF    32 /* row and column of nowhere */
#define PB_ARCADE_SIDE   32 /* boards up to this size (cells) */
#define PB_ARCADE_FRIGHT 40 /* updates that a power pellet lasts */

/* Above the door of the house: where spawning ends. */
#define PB_ARCADE_OUT_ROW 11
#define PB_ARCADE_OUT_COL 13

enum { PB_RED, PB_PINK, PB_CYAN, PB_ORANGE, PB_ARCADE_GHOSTS };

/* A place and a way to face. */
struct pb_at {
	int8_t row, col; /* a cell, or PB_ARCADE_OFF both: nowhere */
	uint8_t dir;     /* enum pb_dir */
};

struct pb_arcade {
	struct pb_at loc;  /* where the ghost is seen */
	struct pb_at next; /* where the next update puts it */
	uint8_t trapped;   /* updates left of turning on the spot */
	uint8_t fright;    /* updates left of being edible */
	bool spawning;     /* in the house or on the way out of it */
	bool eaten;        /* until the update after */
};

/* Ways out of each cell: bit d is set if the ghost may step in direction d. */
struct pb_arcade_board {
	uint8_t exits[PB_ARCADE_SIDE][PB_ARCADE_SIDE];
	/* The same for ghosts that spawn: the house is open to them. */
	uint8_t house[PB_ARCADE_SIDE][PB_ARCADE_SIDE];
};

/* Fill b from the maze z, at most PB_ARCADE_SIDE cells each way. */
void pb_arcade_board_init(struct pb_arcade_board *b, const struct pb_maze *z);

/*
 * Who turns the first n ghosts in place of the rules.
 *
 * Given    ways   directions that it may turn to, at least one: bit d for d
 *          drawn  if it is frightened, the draw for it, else -1
 * Returns  one of them
 */
struct pb_arcade_crew {
	int (*turn)(void *ctx, int ghost, unsigned ways, int drawn);
	void *ctx;
	int n; /* 0: nobody */
};

/*
 * Where random turns come from: a number in 0..n-1 for ghost `ghost`.
 * The server draws one for every plan of a frightened ghost that has an exit.
 */
struct pb_arcade_draw {
	int (*pick)(void *ctx, int ghost, int n);
	void *ctx;
	struct pb_arcade_crew crew; /* nobody, if zeroed */
};

/* A pick for who does not know the draws: the first way, every time. */
int pb_arcade_first_way(void *ctx, int ghost, int n);

/* What the ghosts' targets depend on. */
struct pb_arcade_view {
	struct pb_at pac; /* may be nowhere */
	struct pb_at red; /* the red ghost's loc; may be nowhere */
	bool chase;       /* the mode, or the last one while paused */
};

/* Put ghost `which` back to its spawn as at the start, after a death or at a
 * new level; `over` if no life is left. Keeps `eaten`, as the server does. */
void pb_arcade_reset(struct pb_arcade *g, int which, bool over);

/* Send a ghost that was eaten back into the house. */
void pb_arcade_respawn(struct pb_arcade *g, int which);

/* Plan the step after the one that the ghost is about to take. */
void pb_arcade_plan(struct pb_arcade *g, int which,
    const struct pb_arcade_board *b, const struct pb_arcade_view *v,
    const struct pb_arcade_draw *draw);

/* Whether p is the cell above the door of the house. */
static inline bool
pb_arcade_out(struct pb_at p)
{
	return p.row == PB_ARCADE_OUT_ROW && p.col == PB_ARCADE_OUT_COL;
}

/* One update: the ghost arrives where it planned to go. */
static inline void
pb_arcade_update(struct pb_arcade *g)
{
	if (pb_arcade_out(g->loc) && g->loc.dir != PB_DOWN)
		g->spawning = false;
	if (g->eaten) {
		g->eaten = false;
		g->fright = 0;
	}
	if (g->fright > 0)
		g->fright--;
	g->loc = g->next;
}

/* The cell that one step in direction d leads to. */
static inline struct pb_at
pb_arcade_step(struct pb_at p, int d)
{
	p.row = (int8_t)(p.row + pb_dir_row[d]);
	p.col = (int8_t)(p.col + pb_dir_col[d]);
	return p;
}

/* The direction opposite to d; PB_STAY for PB_STAY. */
static inline int
pb_arcade_back(int d)
{
	return d == PB_STAY ? PB_STAY : (d + 2) & 3;
}

PB_END_DECLS
