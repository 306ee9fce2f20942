/* clyde_world.c - where the published ghost can stand. */
#include <stdlib.h>

#include "ghost/clyde.h"
#include "map/plan_grid.h"

/* The mask of his safe cells, or NULL without memory. */
static unsigned char *
safe_mask(const struct pb_map *m, double clearance)
{
	size_t n = pb_map_cells(m);
	unsigned char *in = malloc(n), *out = malloc(n);
	uint16_t *run = malloc((size_t)m->width * sizeof(run[0]));

	if (in != NULL && out != NULL && run != NULL) {
		pb_mask_free(m, in);
		pb_square_mask(in, m->width, m->height,
		    pb_square_cells(clearance, m->resolution), run, out);
	} else {
		free(out);
		out = NULL;
	}
	free(in);
	free(run);
	return out;
}

/* Where each part's group begins: sums of the sizes before it. */
static void
find_first(struct pb_clyde_world *w)
{
	uint32_t at = 0;

	for (int i = 0; i < w->grid.nparts; i++) {
		w->first[i] = at;
		at += w->grid.size[i];
	}
	w->first[w->grid.nparts] = at;
}

/* List the cells from the top row down, and by part in the same order. */
static void
list_cells(struct pb_clyde_world *w, uint32_t *fill)
{
	const struct pb_grid *g = &w->grid;
	int *next = w->cell;

	for (int i = 0; i < g->nparts; i++)
		fill[i] = w->first[i];
	for (int row = g->height - 1; row >= 0; row--)
		for (int col = 0; col < g->width; col++) {
			int i = pb_grid_index(g, (struct pb_cell){col, row});

			if (!g->free[i])
				continue;
			*next++ = i;
			w->member[fill[g->part[i]]++] = i;
		}
}

/* Fill w, whose grid is made. */
static enum pb_status
make_lists(struct pb_clyde_world *w)
{
	size_t n = w->grid.nfree, parts = (size_t)w->grid.nparts;
	uint32_t *fill;

	if (n == 0)
		return PB_ENOFREE;
	w->cell = malloc(n * sizeof(w->cell[0]));
	w->member = malloc(n * sizeof(w->member[0]));
	w->first = malloc((parts + 1) * sizeof(w->first[0]));
	fill = malloc(parts * sizeof(fill[0]));
	if (w->cell == NULL || w->member == NULL || w->first == NULL ||
	    fill == NULL) {
		free(fill);
		return PB_ENOMEM;
	}
	find_first(w);
	list_cells(w, fill);
	free(fill);
	return PB_OK;
}

enum pb_status
pb_clyde_world_init(struct pb_clyde_world *w, const struct pb_map *m,
    const struct pb_clyde_opts *o)
{
	struct pb_clyde_world v = {.map = m, .ignore_yaw = o->ignore_yaw};
	enum pb_status st = pb_clyde_check(o, NULL);
	unsigned char *safe;

	if (st != PB_OK)
		return st;
	if ((safe = safe_mask(m, o->clearance)) == NULL)
		return PB_ENOMEM;
	st = pb_grid_init(&v.grid, m->width, m->height, safe);
	free(safe);
	if (st == PB_OK)
		st = make_lists(&v);
	if (st != PB_OK) {
		pb_clyde_world_clear(&v);
		return st;
	}
	*w = v;
	return PB_OK;
}

void
pb_clyde_world_clear(struct pb_clyde_world *w)
{
	pb_grid_clear(&w->grid);
	free(w->cell);
	free(w->member);
	free(w->first);
	*w = (struct pb_clyde_world){0};
}

bool
pb_clyde_safe(const struct pb_clyde_world *w, struct pb_cell c)
{
	int i = pb_grid_index(&w->grid, c);

	return i >= 0 && w->grid.free[i];
}

struct pb_vec
pb_clyde_place(const struct pb_clyde_world *w, struct pb_cell c)
{
	const struct pb_map *m = w->map;

	if (w->ignore_yaw || m->origin.th == 0)
		return pb_map_corner(m, c);
	return pb_vec_from(
	    m->origin, (struct pb_vec){(m->left + c.col) * m->resolution,
			   (m->below + c.row + 1) * m->resolution});
}

struct pb_cell
pb_clyde_cell(const struct pb_clyde_world *w, struct pb_vec p)
{
	const struct pb_map *m = w->map;
	struct pb_vec v;

	if (w->ignore_yaw || m->origin.th == 0)
		return pb_map_corner_cell(m, p);
	/* The place that p would have if the map were not turned. */
	v = pb_vec_into(m->origin, p);
	return pb_map_corner_cell(
	    m, (struct pb_vec){m->origin.x + v.x, m->origin.y + v.y});
}
