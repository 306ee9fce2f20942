/* mazeloc.c - speed of the localization methods for mazes. */
#include "bench.h"

#include "../unit/mazerun.h"

#define TICKS 1000

/* What a robot hears on its way, recorded beforehand, and who listens. */
struct heard {
	struct pb_pose odom[TICKS];
	struct pb_loc_fix fix[TICKS];
	double range[TICKS][4];
	const struct pb_localizer *l;
	void *model, *mem;
	int ticks;
};

static void
record(struct heard *h, struct mazerun *s)
{
	for (int t = 0; t < TICKS; t++) {
		mazerun_tick(s, &h->fix[t]);
		h->odom[t].x = s->d.odom.x * PB_MAZE_CELL;
		h->odom[t].y = s->d.odom.y * PB_MAZE_CELL;
		memcpy(h->range[t], s->d.range, sizeof(h->range[t]));
	}
}

static double
updates(void *arg)
{
	struct heard *h = arg;
	const struct pb_loc_start start = {.kind = PB_LOC_ANYWHERE};

	h->l->reset(h->mem, h->model, &start);
	for (int t = 0; t < h->ticks; t++) {
		struct pb_scan z = {.inc = PB_PI / 2,
		    .range_max = 1.5,
		    .range = h->range[t],
		    .n = 4};
		struct pb_belief b;

		h->l->predict(h->mem, h->model, h->odom[t]);
		h->l->fix(h->mem, h->model, &h->fix[t]);
		h->l->scan(h->mem, h->model, &z);
		h->l->estimate(h->mem, h->model, &b);
	}
	return h->ticks;
}

static void
bench_method(
    struct heard *h, const struct mazerun *s, const char *name, const char *row)
{
	_Alignas(double) char opts[512];

	h->l = pb_localizer_find(name);
	if (h->l == NULL || h->l->opts_size > sizeof(opts))
		bench_stop("no such method");
	pb_localizer_defaults(h->l, opts);
	if (h->l->learn(h->l, &s->w, opts, &h->model) != PB_OK ||
	    (h->mem = malloc(pb_localizer_memory(h->l, h->model))) == NULL)
		bench_stop("cannot learn a maze");
	bench_row(row, "updates", updates, h);
	free(h->mem);
	h->l->forget(h->model);
}

void
bench_mazeloc(void)
{
	struct mazerun_opts o = mazerun_defaults();
	struct mazerun *s = malloc(sizeof(*s));
	struct heard *h = malloc(sizeof(*h));

	if (s == NULL || h == NULL)
		bench_stop("no memory");
	o.d.late = 5;
	o.d.wrong = 0.05;
	mazerun_open(s, &o);
	record(h, s);
	h->ticks = TICKS;
	bench_method(h, s, "cell-ray", "maze, cell-ray");
	bench_method(h, s, "region", "maze, region");
	bench_method(h, s, "corridor", "maze, corridor");
	bench_method(h, s, "fuse", "maze, fuse");
	h->ticks = 3;
	bench_method(h, s, "particle", "maze, particle, 50000 of 4 beams");
	mazerun_close(s);
	free(s);
	free(h);
}
