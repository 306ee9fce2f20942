/* arcade.c - the four ghosts of the official Pacbot competition. */
#include "pb/arcade.h"

#include <string.h>

static const struct pb_at spawn[PB_ARCADE_GHOSTS] = {
    {11, 13, PB_LEFT}, {13, 13, PB_DOWN}, {14, 11, PB_UP}, {14, 15, PB_UP}};

/* Updates that each ghost stays in the house after a reset. */
static const uint8_t first_trapped[PB_ARCADE_GHOSTS] = {0, 5, 16, 32};

/* Corners that the ghosts head for while they scatter; off the board. */
static const struct pb_at corner[PB_ARCADE_GHOSTS] = {
    {-3, 25, PB_STAY}, {-3, 2, PB_STAY}, {31, 27, PB_STAY}, {31, 0, PB_STAY}};

/* The inside of the house and the cell above it that leads out. */
static bool
in_house(int row, int col)
{
	return (row >= 13 && row <= 14 && col >= 11 && col <= 15) ||
	       (row == 12 && col == 13);
}

void
pb_arcade_board_init(struct pb_arcade_board *b, const struct pb_maze *z)
{
	memset(b, 0, sizeof(*b));
	for (int r = 0; r < PB_ARCADE_SIDE; r++)
		for (int c = 0; c < PB_ARCADE_SIDE; c++)
			for (int d = 0; d < 4; d++) {
				int tr = r + pb_dir_row[d],
				    tc = c + pb_dir_col[d];
				bool open = pb_maze_open(z, tr, tc);
				bool home = open || in_house(tr, tc);

				b->exits[r][c] |= (uint8_t)(open << d);
				b->house[r][c] |= (uint8_t)(home << d);
			}
}

int
pb_arcade_first_way(void *ctx, int ghost, int n)
{
	(void)ctx;
	(void)ghost;
	(void)n;
	return 0;
}

void
pb_arcade_reset(struct pb_arcade *g, int which, bool over)
{
	g->spawning = true;
	g->trapped = first_trapped[which];
	g->fright = 0;
	g->loc = (struct pb_at){PB_ARCADE_OFF, PB_ARCADE_OFF, PB_STAY};
	g->next = spawn[which];
	if (over)
		g->next.dir = which == PB_ORANGE ? PB_LEFT : PB_STAY;
}

void
pb_arcade_respawn(struct pb_arcade *g, int which)
{
	g->spawning = true;
	g->eaten = true;
	g->loc = (struct pb_at){PB_ARCADE_OFF, PB_ARCADE_OFF, PB_STAY};
	/* The red ghost's own spawn is outside: it takes the pink one's. */
	g->next = spawn[which == PB_RED ? PB_PINK : which];
	g->next.dir = PB_UP;
}

/* The cell `n` steps ahead of p. */
static struct pb_at
ahead(struct pb_at p, int n)
{
	p.row = (int8_t)(p.row + n * pb_dir_row[p.dir]);
	p.col = (int8_t)(p.col + n * pb_dir_col[p.dir]);
	return p;
}

static struct pb_at
chase_target(
    const struct pb_arcade *g, int which, const struct pb_arcade_view *v)
{
	struct pb_at t = v->pac;
	int dr, dc;

	switch (which) {
	case PB_PINK:
		return ahead(t, 4);
	case PB_CYAN:
		t = ahead(t, 2);
		t.row = (int8_t)(2 * t.row - v->red.row);
		t.col = (int8_t)(2 * t.col - v->red.col);
		return t;
	case PB_ORANGE:
		dr = g->loc.row - t.row;
		dc = g->loc.col - t.col;
		return dr * dr + dc * dc >= 64 ? t : corner[which];
	default:
		return t;
	}
}

static struct pb_at
target(const struct pb_arcade *g, int which, const struct pb_arcade_view *v)
{
	if (g->spawning && !pb_arcade_out(g->loc) && !pb_arcade_out(g->next))
		return (struct pb_at){
		    PB_ARCADE_OUT_ROW, PB_ARCADE_OUT_COL, PB_STAY};
	return v->chase ? chase_target(g, which, v) : corner[which];
}

/* The first direction of a set that is not empty. */
static int
first(unsigned ways)
{
	static const uint8_t least[16] = {
	    0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};

	return least[ways];
}

/*
 * The direction among `ways` whose cell is nearest to t; the first of equals.
 * Squared distances are compared: that of the cell to go to is a constant plus
 * twice the step along the way from t.
 */
static int
nearest(struct pb_at p, unsigned ways, struct pb_at t)
{
	int dr = p.row - t.row, dc = p.col - t.col;
	const int along[4] = {-dr, -dc, dr, dc};
	int best = first(ways);

	for (ways &= ways - 1; ways; ways &= ways - 1)
		if (along[first(ways)] < along[best])
			best = first(ways);
	return best;
}

/* The k-th direction of `ways`. */
static int
kth(unsigned ways, int k)
{
	while (k-- > 0)
		ways &= ways - 1;
	return first(ways);
}

void
pb_arcade_plan(struct pb_arcade *g, int which, const struct pb_arcade_board *b,
    const struct pb_arcade_view *v, const struct pb_arcade_draw *draw)
{
	static const uint8_t bits[16] = {
	    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
	unsigned ways;
	int drawn = -1;

	if (g->loc.row >= PB_ARCADE_OFF)
		return;
	g->next = pb_arcade_step(g->loc, g->loc.dir);
	if (g->trapped > 0) {
		g->next.dir = (uint8_t)pb_arcade_back(g->loc.dir);
		g->trapped--;
		return;
	}
	ways = (g->spawning ? b->house
			    : b->exits)[g->next.row & 31][g->next.col & 31];
	ways &= ~(1u << pb_arcade_back(g->next.dir)) & 15;
	if (ways == 0)
		return;
	if (g->fright > 1)
		drawn = draw->pick(draw->ctx, which, bits[ways]);
	if (which < draw->crew.n) {
		g->next.dir = (uint8_t)draw->crew.turn(
		    draw->crew.ctx, which, ways, drawn);
	} else if (drawn >= 0) {
		g->next.dir = (uint8_t)kth(ways, drawn);
	} else if ((ways & (ways - 1)) == 0) {
		g->next.dir = (uint8_t)first(ways);
	} else {
		g->next.dir =
		    (uint8_t)nearest(g->next, ways, target(g, which, v));
	}
}
