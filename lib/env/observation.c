/* observation.c - what a player sees of a game, as numbers in memory. */
#include "env/observation.h"

#include <string.h>

#include "base/elementary.h"
#include "game/pellets.h"

/* Planes of the board itself, then of each body. */
enum { WALL, PELLET, POWER, GOAL, GROUND, SIDED = GROUND + 4 };
enum { AT, AHEAD, AFRAID, BODY };

/* Features of a board, then of each body. */
enum { SCATTER = 10, OPEN, BOARD_FEATURES = OPEN + 4 };
enum { ROW, COL, LOOKS, SCARED = LOOKS + 4, OUT, NEXT, BODY_FEATURES = 10 };

/* Features of a map, then of each other body and of each pellet. */
enum { MAP_FEATURES = 6, PLACED = 3 };

static int
ground_planes(const struct pb_observation *o)
{
	return o->sides ? SIDED : GROUND;
}

static int
count_parts(const struct pb_observation *o)
{
	if (o->form == PB_SEE_FRAME)
		return (int)o->game->frame_size;
	if (o->form == PB_SEE_PLANES)
		return ground_planes(o) + BODY * o->bodies;
	if (o->maze)
		return BOARD_FEATURES + BODY_FEATURES * o->bodies;
	return MAP_FEATURES + PLACED * (o->bodies - 1 + o->pellets);
}

bool
pb_observation_init(
    struct pb_observation *o, const void *opts, const void *state)
{
	const unsigned char *left;
	bool planes = o->form == PB_SEE_PLANES;

	o->each = o->form == PB_SEE_FRAME || (planes && !o->floats)
	              ? 1
	              : sizeof(float);
	o->bodies = o->game->bodies(opts);
	o->pellets = 0;
	if (!o->maze)
		o->game->pellets(state, &o->pellets, &left);
	o->sides = o->maze && pb_maze_sided(o->maze);
	o->rows = planes && o->maze ? o->maze->rows : 0;
	o->cols = planes && o->maze ? o->maze->cols : 0;
	o->parts = count_parts(o);
	o->bytes = (size_t)o->parts * o->each;
	if (planes)
		o->bytes *= (size_t)(o->rows * o->cols);
	return o->bytes > 0;
}

/* Where planes are written: number v at a cell, nothing outside. */
struct raster {
	const struct pb_observation *o;
	void *out;
};

static void
mark(const struct raster *r, int plane, int row, int col, int v)
{
	int rows = r->o->rows, cols = r->o->cols;
	size_t i;

	if (row < 0 || col < 0 || row >= rows || col >= cols)
		return;
	i = (size_t)((plane * rows + row) * cols + col);
	if (r->o->floats)
		((float *)r->out)[i] = (float)v;
	else
		((uint8_t *)r->out)[i] = (uint8_t)(v < 255 ? v : 255);
}

static int
afraid(const struct pb_seen_body *b)
{
	if (b->fright > 0)
		return b->fright;
	return strcmp(b->mode, "frightened") == 0 ||
	       strcmp(b->mode, "running") == 0;
}

/* Whether it is off the board, on its way back, or has failed. */
static bool
is_out(const struct pb_seen_body *b)
{
	return b->eaten || b->spawning || strcmp(b->mode, "killed") == 0 ||
	       strcmp(b->mode, "lost") == 0;
}

/* The cell that it comes to next, as far as one can see. */
static void
next_cell(const struct pb_seen_body *b, int *row, int *col)
{
	int d = pb_dir_of(b->dir);

	*row = b->has_next ? b->next_row : b->row;
	*col = b->has_next ? b->next_col : b->col;
	if (!b->has_next && d < PB_STAY) {
		*row += pb_dir_row[d];
		*col += pb_dir_col[d];
	}
}

static void
mark_cell(const struct raster *r, const struct pb_maze *z, int row, int col)
{
	char c = z->cell[row][col];

	if (c != PB_MAZE_EMPTY)
		mark(r,
		    c == PB_MAZE_WALL     ? WALL
		    : c == PB_MAZE_PELLET ? PELLET
		    : c == PB_MAZE_POWER  ? POWER
					  : GOAL,
		    row, col, 1);
	for (int d = 0; r->o->sides && d < PB_STAY; d++)
		mark(r, GROUND + d, row, col, z->side[row][col] >> d & 1);
}

static void
write_planes(const struct pb_observation *o, const struct pb_seen *k, void *out)
{
	const struct raster r = {o, out};
	const struct pb_maze *z = k->board.rows > 0 ? &k->board : o->maze;
	int plane = ground_planes(o), row, col;

	memset(out, 0, o->bytes);
	for (row = 0; row < o->rows; row++)
		for (col = 0; col < o->cols; col++)
			mark_cell(&r, z, row, col);
	for (int i = 0; i < k->bodies; i++, plane += BODY) {
		const struct pb_seen_body *b = &k->body[i];

		mark(&r, plane + AT, b->row, b->col, 1);
		next_cell(b, &row, &col);
		mark(&r, plane + AHEAD, row, col, 1);
		mark(&r, plane + AFRAID, b->row, b->col, afraid(b));
	}
}

static void
write_body(const struct pb_seen_body *b, float *f)
{
	int d = pb_dir_of(b->dir), row, col;

	f[ROW] = (float)b->row;
	f[COL] = (float)b->col;
	for (int k = 0; k < PB_STAY; k++)
		f[LOOKS + k] = (float)(d == k);
	f[SCARED] = (float)afraid(b);
	f[OUT] = (float)is_out(b);
	next_cell(b, &row, &col);
	f[NEXT] = (float)row;
	f[NEXT + 1] = (float)col;
}

static void
write_board(const struct pb_seen *k, unsigned open, float *f)
{
	const long seen[] = {k->tick, k->score, k->lives, k->left, k->level,
	    k->combo, k->period, k->mode_steps, k->level_steps, k->fruit};

	for (int i = 0; i < SCATTER; i++)
		f[i] = (float)seen[i];
	f[SCATTER] = (float)(strcmp(k->mode, "scatter") == 0);
	for (int d = 0; d < PB_STAY; d++)
		f[OPEN + d] = (float)(open >> d & 1);
	f += BOARD_FEATURES;
	for (int i = 0; i < k->bodies; i++, f += BODY_FEATURES)
		write_body(&k->body[i], f);
}

/* A ghost or a pellet; zeros if it is not there. */
static float *
write_placed(float *f, int there, struct pb_vec at)
{
	f[0] = (float)there;
	f[1] = there ? (float)at.x : 0;
	f[2] = there ? (float)at.y : 0;
	return f + PLACED;
}

/* Of its own pose the robot knows the estimate. */
static void
write_map(const struct pb_observation *o, const void *state, float *f)
{
	const struct pb_game *g = o->game;
	const unsigned char *left;
	const struct pb_pellet *p;
	struct pb_pose at;
	int n;
	bool known = g->estimate(state, &at);

	f[0] = (float)g->time(state);
	f[1] = (float)known;
	f[2] = known ? (float)at.x : 0;
	f[3] = known ? (float)at.y : 0;
	f[4] = known ? (float)pb_cos(at.th) : 0;
	f[5] = known ? (float)pb_sin(at.th) : 0;
	f += MAP_FEATURES;
	for (int i = 1; i < o->bodies; i++) {
		at = g->pose(state, i);
		f = write_placed(f, true, pb_pose_vec(at));
	}
	p = g->pellets(state, &n, &left);
	for (int i = 0; i < n; i++)
		f = write_placed(f, left[i], p[i].at);
}

void
pb_observation_write(const struct pb_observation *o, const void *state,
    const void *view, void *out)
{
	const struct pb_game *g = o->game;
	struct pb_seen k;

	if (o->form == PB_SEE_FRAME) {
		g->frame(state, view, out);
		return;
	}
	if (!o->maze) {
		write_map(o, state, out);
		return;
	}
	g->look(state, view, &k);
	if (o->form == PB_SEE_PLANES)
		write_planes(o, &k, out);
	else
		write_board(&k, g->ways ? g->ways(state, view) : 15, out);
}
