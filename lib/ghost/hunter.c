/* hunter.c - the arcade's ghosts on the ground of Clyde's: they hunt a robot.
 */
#include "ghost/hunter.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/segment.h"

/* As in the arcade: right or left, top or bottom. */
static const int corner[PB_HUNTERS][2] = {[PB_HUNTER_CLYDE] = {-1, -1},
    [PB_HUNTER_BLINKY] = {1, 1},
    [PB_HUNTER_PINKY] = {-1, 1},
    [PB_HUNTER_INKY] = {1, -1}};

/* When scatter and chase change, in the arcade's first level (s). */
static const double change[] = {7, 27, 34, 54, 59, 79, 84};
enum { CHANGES = sizeof(change) / sizeof(*change) };

bool
pb_hunter_chases(double t, double scale)
{
	int i = 0;

	while (i < CHANGES && t >= change[i] * scale)
		i++;
	return i % 2 == 1;
}

/* Of a part's cells, the one farthest that way; of equals the first. */
static int
farthest(const struct pb_clyde_world *g, int part, const int way[2])
{
	int best = -1, most = INT32_MIN;

	for (uint32_t i = 0; i < g->grid.size[part]; i++) {
		int cell = pb_clyde_nth(g, part, i);
		struct pb_cell c = pb_grid_cell(&g->grid, cell);
		int far = way[0] * c.col + way[1] * c.row;

		if (far > most) {
			most = far;
			best = cell;
		}
	}
	return best;
}

/* The cells that are far from one, or else the farthest. */
static enum pb_status
find_homes(struct pb_hunter_world *w, int from, double apart)
{
	const struct pb_clyde_world *g = w->ground;
	uint32_t n = g->grid.size[w->part];
	double least = apart / g->map->resolution;
	size_t all = (size_t)g->grid.width * (size_t)g->grid.height;
	int32_t *d = malloc(all * sizeof(*d));
	struct pb_wave wave = {0};
	int last = from;

	w->home = malloc((size_t)n * sizeof(*w->home));
	if (d == NULL || w->home == NULL || pb_wave_init(&wave, all) != PB_OK) {
		free(d);
		free(w->home);
		return PB_ENOMEM;
	}
	pb_field_from(&wave, &g->grid, from, d);
	for (uint32_t i = 0; i < n; i++) {
		int cell = pb_clyde_nth(g, w->part, i);

		if (pb_field_cells(d[cell]) >= least)
			w->home[w->homes++] = cell;
		else if (d[cell] > d[last])
			last = cell;
	}
	if (w->homes == 0)
		w->home[w->homes++] = last;
	pb_wave_clear(&wave);
	free(d);
	return PB_OK;
}

enum pb_status
pb_hunter_world_init(struct pb_hunter_world *w,
    const struct pb_clyde_world *ground, struct pb_vec start, double apart)
{
	int from = pb_hunter_near(ground, -1, start);
	struct pb_hunter_world v = {
	    .ground = ground, .part = pb_grid_part(&ground->grid, from)};
	enum pb_status st = find_homes(&v, from, apart);

	for (int i = 0; i < PB_HUNTERS; i++)
		v.corner[i] = farthest(ground, v.part, corner[i]);
	if (st == PB_OK)
		*w = v;
	return st;
}

void
pb_hunter_world_clear(struct pb_hunter_world *w)
{
	free(w->home);
	*w = (struct pb_hunter_world){0};
}

/* Whether cell (col, row) is of the part (-1: of any). */
static bool
within(const struct pb_grid *g, int part, int col, int row)
{
	int i = pb_grid_index(g, (struct pb_cell){col, row});

	return i >= 0 && g->free[i] && (part < 0 || pb_grid_part(g, i) == part);
}

/* Rings of cells around p's, until no nearer one can follow. */
int
pb_hunter_near(const struct pb_clyde_world *ground, int part, struct pb_vec p)
{
	const struct pb_grid *g = &ground->grid;
	struct pb_cell c = pb_clyde_cell(ground, p);
	int most = g->width + g->height, best = -1;
	double least = 0;

	for (int r = 0; r <= most && (best < 0 || r * r <= least); r++)
		for (int row = c.row - r; row <= c.row + r; row++) {
			bool edge = row == c.row - r || row == c.row + r;

			if (row < 0 || row >= g->height)
				continue;
			for (int col = c.col - r; col <= c.col + r;
			     col += edge || r == 0 ? 1 : 2 * r) {
				int x = col - c.col, y = row - c.row;
				double d = (double)x * x + (double)y * y;

				if ((best >= 0 && d >= least) ||
				    !within(g, part, col, row))
					continue;
				least = d;
				best = row * g->width + col;
			}
		}
	return best;
}

/* It stands, and has no way. */
static void
stop(struct pb_hunter *h, int i)
{
	h->cell = h->goal = i;
	h->aim = h->reached = -1;
	h->n = h->next = 0;
}

void
pb_hunter_put(struct pb_hunter *h, const struct pb_clyde_world *ground, int i)
{
	h->at = pb_clyde_place(ground, pb_grid_cell(&ground->grid, i));
	h->home = i;
	h->fright = 0;
	h->eaten = false;
	stop(h, i);
}

void
pb_hunter_appear(struct pb_hunter *h, const struct pb_hunter_world *w)
{
	pb_hunter_put(
	    h, w->ground, w->home[pb_rng_below(&h->rng, (uint32_t)w->homes)]);
}

void
pb_hunter_frighten(struct pb_hunter *h, double t)
{
	if (h->eaten)
		return;
	h->fright = t;
	h->aim = -1;
}

/* What is left of rounding is over, too. */
void
pb_hunter_calm(struct pb_hunter *h, double t)
{
	h->fright = h->fright > t + 1e-9 ? h->fright - t : 0;
}

void
pb_hunter_eat(
    struct pb_hunter *h, const struct pb_clyde_world *ground, struct pb_vec p)
{
	int part = pb_grid_part(&ground->grid, h->home);

	h->at = p;
	h->fright = 0;
	h->eaten = true;
	stop(h, pb_hunter_near(ground, part, p));
}

bool
pb_hunter_harmless(const struct pb_hunter *h)
{
	return h->eaten || h->fright > 0;
}

/* So many of the arcade's cells ahead of the robot. */
static struct pb_vec
ahead(const struct pb_hunter_sight *v, int cells)
{
	return pb_point_at(pb_pose_vec(v->robot), v->robot.th, cells * v->cell);
}

/* The point that it chases. */
static struct pb_vec
prey(const struct pb_hunter *h, const struct pb_hunter_sight *v)
{
	struct pb_vec p = pb_pose_vec(v->robot);

	if (h->who == PB_HUNTER_PINKY)
		return ahead(v, 4);
	if (h->who != PB_HUNTER_INKY)
		return p;
	p = ahead(v, 2);
	if (v->paired)
		p = (struct pb_vec){
		    2 * p.x - v->blinky.x, 2 * p.y - v->blinky.y};
	return p;
}

/* A ghost of the arcade never stands: who has come to where the robot was
 * expected makes for the robot itself. */
static int
chased(struct pb_hunter *h, const struct pb_hunter_world *w,
    const struct pb_hunter_sight *v)
{
	int i = pb_hunter_near(w->ground, w->part, prey(h, v));

	if (h->cell == i)
		h->reached = i;
	if (h->reached != i) {
		h->reached = -1;
		return i;
	}
	return pb_hunter_near(w->ground, w->part, pb_pose_vec(v->robot));
}

int
pb_hunter_target(struct pb_hunter *h, const struct pb_hunter_world *w,
    const struct pb_hunter_sight *v)
{
	const struct pb_clyde_world *g = w->ground;

	if (h->fright > 0) {
		if (h->aim < 0 || h->cell == h->aim)
			h->aim = pb_clyde_nth(g, w->part,
			    pb_rng_below(&h->rng, g->grid.size[w->part]));
		return h->aim;
	}
	if (!v->chase)
		return w->corner[h->who];
	return v->located ? chased(h, w, v) : h->cell;
}

/* Look for the way to a goal, from the cell that it walks to now. */
static void
find_way(struct pb_hunter *h, struct pb_search *s, int goal)
{
	int from = h->next < h->n ? h->way[h->next] : h->cell;
	struct pb_path p;

	if (h->goal == goal && h->next < h->n)
		return;
	p = pb_path_find(s, from, goal, NULL, 0, NULL);
	h->goal = goal;
	h->next = 0;
	h->n = p.n < PB_HUNTER_WAY ? (int)p.n : PB_HUNTER_WAY;
	for (int i = 0; i < h->n; i++)
		h->way[i] = p.cell[i];
}

/* Along the way; returns what is left of so many metres at its end. */
static double
walk(struct pb_hunter *h, const struct pb_clyde_world *g, double left)
{
	while (left > 0 && h->next < h->n) {
		struct pb_vec to =
		    pb_clyde_place(g, pb_grid_cell(&g->grid, h->way[h->next]));
		double d = pb_dist(h->at, to);

		if (d > left) {
			h->at = pb_segment_at(h->at, to, left / d);
			return 0;
		}
		left -= d;
		h->at = to;
		h->cell = h->way[h->next++];
	}
	return left;
}

void
pb_hunter_tick(struct pb_hunter *h, const struct pb_hunter_world *w,
    const struct pb_clyde_world *ground, struct pb_search *s,
    const struct pb_hunter_sight *v)
{
	double left = v->walk;
	int goal = h->eaten ? h->home : pb_hunter_target(h, w, v);

	if (h->eaten)
		left *= PB_HUNTER_EATEN_PACE;
	else if (h->fright > 0)
		left *= PB_HUNTER_FRIGHT_PACE;
	do {
		find_way(h, s, goal);
		left = walk(h, ground, left);
	} while (left > 0 && h->n > 0 && h->cell != goal);
	if (h->eaten && h->cell == goal) {
		h->eaten = false;
		stop(h, goal);
	}
	pb_hunter_calm(h, v->period);
}

uint64_t
pb_hunter_hash(uint64_t x, const struct pb_hunter *h)
{
	x = pb_hash_vec(pb_hash_rng(x, &h->rng), h->at);
	x = pb_hash_double(x, h->fright);
	x = pb_hash_u64(x, (uint64_t)h->home << 1 | h->eaten);
	for (int i = h->next; i < h->n; i++)
		x = pb_hash_u64(x, (uint64_t)h->way[i]);
	return x;
}
