/* path.c - speed of distance fields and shortest paths in a house. */
#include "bench.h"

#include <stdlib.h>

#include "pb/path.h"
#include "pb/plan_grid.h"
#include "pb/rng.h"

enum { QUERIES = 200 };

struct house {
	struct pb_grid g;
	struct pb_search *s;
	int32_t *field;
	int from[QUERIES], to[QUERIES];
};

/* A free cell of the main part. */
static int
draw(struct pb_rng *r, const struct pb_grid *g)
{
	uint32_t n = (uint32_t)(g->width * g->height);
	int i;

	do
		i = (int)pb_rng_below(r, n);
	while (pb_grid_part(g, i) != g->main);
	return i;
}

/* A house of 400 x 400 cells where the ghost keeps 5 cells from all. */
static void
house_init(struct house *h)
{
	struct pb_map m;
	struct pb_rng r;
	unsigned char *free_mask, *safe;
	uint16_t run[400];
	size_t n;

	bench_house(400, &m);
	n = pb_map_cells(&m);
	free_mask = malloc(2 * n);
	h->field = malloc(n * sizeof(*h->field));
	if (free_mask == NULL || h->field == NULL)
		bench_stop("out of memory");
	safe = free_mask + n;
	pb_mask_free(&m, free_mask);
	pb_square_mask(free_mask, m.width, m.height, 5, run, safe);
	if (pb_grid_init(&h->g, m.width, m.height, safe) != PB_OK ||
	    pb_search_new(&h->s, &h->g) != PB_OK)
		bench_stop("out of memory");
	pb_rng_start(&r, 1, 0, PB_FOR_TRIAL, 0);
	for (int i = 0; i < QUERIES; i++) {
		h->from[i] = draw(&r, &h->g);
		h->to[i] = draw(&r, &h->g);
	}
	free(free_mask);
	pb_map_clear(&m);
}

static void
house_clear(struct house *h)
{
	pb_search_free(h->s);
	pb_grid_clear(&h->g);
	free(h->field);
}

static double
fields(void *arg)
{
	struct house *h = arg;

	for (int i = 0; i < 20; i++)
		pb_field_from(&h->g, h->from[i], h->field);
	return 20.0 * h->g.size[h->g.main];
}

static double
ghost_paths(void *arg)
{
	struct house *h = arg;

	for (int i = 0; i < QUERIES; i++)
		pb_path_ghost(h->s, &h->g, h->from[i], h->to[i]);
	return QUERIES;
}

static double
literal_paths(void *arg)
{
	struct house *h = arg;

	for (int i = 0; i < QUERIES; i++)
		pb_path_ghost_literal(h->s, &h->g, h->from[i], h->to[i]);
	return QUERIES;
}

static double
literal_expansions(void *arg)
{
	struct house *h = arg;
	uint64_t before = pb_search_expanded(h->s);

	literal_paths(h);
	return (double)(pb_search_expanded(h->s) - before);
}

/* Around a ghost on the way, again and again to the same goal. */
static double
replans(void *arg)
{
	struct house *h = arg;

	pb_field_from(&h->g, h->to[0], h->field);
	for (int i = 0; i < QUERIES; i++) {
		struct pb_cell c = pb_grid_cell(&h->g, h->to[i]);
		struct pb_disc d = {c.col, c.row, 5};

		pb_path_find(h->s, &h->g, h->from[i], h->to[0], &d, 1, h->field,
		    PB_FIELD_NONE);
	}
	return QUERIES;
}

void
bench_path(void)
{
	struct house h = {0};

	house_init(&h);
	bench_row("distance field, house 400 x 400", "cells", fields, &h);
	bench_row("A* of the ghost, written out", "expansions",
	    literal_expansions, &h);
	bench_row("A* of the ghost, written out", "paths", literal_paths, &h);
	bench_row("the ghost's same paths, as they are found", "paths",
	    ghost_paths, &h);
	bench_row("paths around a disc, with a field", "paths", replans, &h);
	house_clear(&h);
}
