/* map.c - speed of masks, distance transforms and pellets on house maps. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "game/pellets.h"
#include "map/edt.h"
#include "pb/plan_grid.h"

struct board {
	struct pb_map m;
	unsigned char *free; /* 1 where free */
	unsigned char *wall; /* 1 where not */
	unsigned char *out;
	uint16_t *run;
	struct pb_edt e;
};

static void
board_init(struct board *b, int side)
{
	size_t n;

	bench_house(side, &b->m);
	n = pb_map_cells(&b->m);
	b->free = malloc(n);
	b->wall = malloc(n);
	b->out = malloc(n);
	b->run = malloc((size_t)b->m.width * sizeof(*b->run));
	if (b->free == NULL || b->wall == NULL || b->out == NULL ||
	    b->run == NULL)
		bench_stop("out of memory");
	pb_mask_free(&b->m, b->free);
	for (size_t i = 0; i < n; i++)
		b->wall[i] = !b->free[i];
}

static void
board_clear(struct board *b)
{
	pb_map_clear(&b->m);
	free(b->free);
	free(b->wall);
	free(b->out);
	free(b->run);
	pb_edt_clear(&b->e);
}

static double
transform(void *arg)
{
	struct board *b = arg;

	pb_edt_clear(&b->e);
	if (pb_edt_init(&b->e, b->wall, b->m.width, b->m.height, true) != PB_OK)
		bench_stop("out of memory");
	return (double)pb_map_cells(&b->m);
}

static double
square(void *arg)
{
	struct board *b = arg;

	pb_square_mask(b->free, b->m.width, b->m.height, 6, b->run, b->out);
	return (double)pb_map_cells(&b->m);
}

static double
lay(void *arg)
{
	struct board *b = arg;
	struct pb_pellet_opts o = pb_pellet_defaults();
	struct pb_pellets s;

	if (pb_pellets_lay(&s, &b->m, &o) != PB_OK)
		bench_stop("cannot lay pellets");
	pb_pellets_clear(&s);
	return (double)pb_map_cells(&b->m);
}

void
bench_map(void)
{
	static const int side[] = {400, 4000};

	for (int i = 0; i < 2; i++) {
		struct board b = {0};
		char name[64];

		board_init(&b, side[i]);
		snprintf(name, sizeof(name),
		    "distance transform, house %d x %d", side[i], side[i]);
		bench_row(name, "cells", transform, &b);
		snprintf(name, sizeof(name), "square rule, house %d x %d",
		    side[i], side[i]);
		bench_row(name, "cells", square, &b);
		snprintf(name, sizeof(name), "pellets laid, house %d x %d",
		    side[i], side[i]);
		bench_row(name, "cells", lay, &b);
		board_clear(&b);
	}
}
