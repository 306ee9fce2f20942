/* pacbot_place.c - placing Pac-Man on a cell, as an overhead camera does. */
#include "pb/pacbot.h"

/* The longest way that a placed Pac-Man walks; farther, he jumps (cells). */
#define JUMP_STEPS 11

/* First cells of the ways from Pac-Man, breadth first; see find_way. */
struct search {
	uint8_t from[PB_ARCADE_SIDE][PB_ARCADE_SIDE]; /* 1 + direction */
	struct pb_at queue[PB_ARCADE_SIDE * PB_ARCADE_SIDE];
};

/*
 * The way from Pac-Man to (row, col) that the server's breadth-first search
 * finds, its directions in way[]; the number of steps, or -1 if there is none.
 */
static int
find_way(const struct pb_pacbot *s, const struct pb_pacbot_rules *k, int row,
    int col, uint8_t *way)
{
	static const uint8_t order[] = {PB_DOWN, PB_RIGHT, PB_UP, PB_LEFT};
	struct search q = {{{0}}, {{0, 0, 0}}};
	struct pb_at p = s->pac;
	int head = 0, tail = 0, n = 0;

	q.from[p.row][p.col] = 5;
	q.queue[tail++] = p;
	while (head < tail && !q.from[row][col]) {
		struct pb_at c = q.queue[head++];

		for (int i = 0; i < 4; i++) {
			struct pb_at to = pb_arcade_step(c, order[i]);

			if (!(k->board.exits[c.row][c.col] >> order[i] & 1) ||
			    q.from[to.row][to.col])
				continue;
			q.from[to.row][to.col] = (uint8_t)(1 + order[i]);
			q.queue[tail++] = to;
		}
	}
	if (!q.from[row][col])
		return -1;
	p = (struct pb_at){(int8_t)row, (int8_t)col, PB_STAY};
	while (p.row != s->pac.row || p.col != s->pac.col) {
		int d = q.from[p.row][p.col] - 1;

		if (n < JUMP_STEPS)
			way[n] = (uint8_t)d;
		n++;
		p = pb_arcade_step(p, pb_arcade_back(d));
	}
	return n;
}

static bool
walkable(const struct pb_pacbot_rules *k, int row, int col)
{
	/* A cell is open if its neighbour below may step up into it. */
	return row >= 0 && row < PB_PACBOT_ROWS && col >= 0 &&
	       col < PB_PACBOT_COLS && (k->board.exits[row + 1][col] & 1);
}

void
pb_pacbot_place(
    struct pb_pacbot *s, const struct pb_pacbot_rules *k, int row, int col)
{
	uint8_t way[JUMP_STEPS];
	int n;

	if (s->paused || s->pause_on_update || !walkable(k, row, col) ||
	    s->pac.row >= PB_ARCADE_OFF ||
	    (row == s->pac.row && col == s->pac.col))
		return;
	n = find_way(s, k, row, col, way);
	if (n < 0 || n > JUMP_STEPS)
		pb_pacbot_land(s, k, row, col);
	else
		while (n-- > 0)
			pb_pacbot_move(s, k, way[n]);
}
