/* mazerun.h - a simulated robot that collects pellets, for localizers. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "localize/trial.h"

/* The robot and what goes wrong with it. */
struct mazerun_opts {
	const char *maze;
	int ticks;
	int kidnap_at; /* tick, 0: never */
	bool anywhere; /* the method is not told the start */
	uint64_t seed;
	struct pb_maze_drive_opts d;
};

static inline struct mazerun_opts
mazerun_defaults(void)
{
	return (struct mazerun_opts){.maze = "pacman",
	    .ticks = 4000,
	    .seed = 1,
	    .d = pb_maze_trial_defaults().drive};
}

struct mazerun {
	struct mazerun_opts o;
	struct pb_maze maze;
	struct pb_cells cells;
	struct pb_loc_world w;
	struct pb_lattice dw;
	struct pb_maze_drive d;
};

static inline void
mazerun_open(struct mazerun *s, const struct mazerun_opts *o)
{
	memset(s, 0, sizeof(*s));
	s->o = *o;
	if (pb_maze_standard(o->maze, &s->maze) != PB_OK ||
	    pb_cells_init(&s->cells, &s->maze) != PB_OK ||
	    pb_regions_init(&s->dw.g, &s->cells) != PB_OK)
		abort();
	s->w = (struct pb_loc_world){
	    .maze = &s->maze, .cells = &s->cells, .cell = PB_MAZE_CELL};
	s->dw.c = &s->cells;
	s->dw.cell = PB_MAZE_CELL;
	pb_maze_drive_start(&s->d, &s->dw, &o->d, o->seed, 0);
}

static inline void
mazerun_close(struct mazerun *s)
{
	pb_regions_clear(&s->dw.g);
	pb_cells_clear(&s->cells);
}

/* One tick; sets *fix and returns whether there is one. */
static inline bool
mazerun_tick(struct mazerun *s, struct pb_loc_fix *fix)
{
	if (s->d.tick + 1 == s->o.kidnap_at)
		pb_maze_drive_lift(&s->d);
	return pb_maze_drive_tick(&s->d, fix);
}

/* How well a method did. */
struct mazerun_score {
	double rmse;     /* (cells), position */
	double wrong;    /* part of the ticks in another cell */
	double bad;      /* part of the ticks more than half a cell off */
	double tracking; /* part of the ticks with that status */
	double sure_bad; /* part of the ticks tracking and more than half off */
	double chi2;     /* mean of squared error over its variance, 2 dims */
	double max;      /* (cells) */
};

/* A drive and the method that listens to it. */
struct mazerun_pair {
	struct mazerun s;
	const struct pb_localizer *l;
	void *model, *mem;
};

static inline void
mazerun_pair_open(struct mazerun_pair *p, const struct mazerun_opts *o,
    const struct pb_localizer *l, const void *opts)
{
	struct pb_loc_start start = {.kind = PB_LOC_NEAR, .seed = o->seed};

	mazerun_open(&p->s, o);
	p->l = l;
	if (l->learn(l, &p->s.w, opts, &p->model) != PB_OK ||
	    (p->mem = calloc(1, pb_localizer_memory(l, p->model))) == NULL)
		abort();
	start.pose = pb_maze_drive_pose(&p->s.d);
	start.cov[0][0] = start.cov[1][1] = 1e-4;
	if (o->anywhere)
		start.kind = PB_LOC_ANYWHERE;
	l->reset(p->mem, p->model, &start);
}

static inline void
mazerun_pair_close(struct mazerun_pair *p)
{
	free(p->mem);
	p->l->forget(p->model);
	mazerun_close(&p->s);
}

static inline struct pb_belief
mazerun_pair_tick(struct mazerun_pair *p)
{
	struct pb_scan z;
	struct pb_loc_fix f;
	struct pb_belief b;
	bool have = mazerun_tick(&p->s, &f);

	p->l->predict(p->mem, p->model, pb_maze_drive_odom(&p->s.d));
	if (have && p->l->fix != NULL)
		p->l->fix(p->mem, p->model, &f);
	z = pb_maze_drive_scan(&p->s.d);
	p->l->scan(p->mem, p->model, &z);
	p->l->estimate(p->mem, p->model, &b);
	return b;
}

/* Add a tick to the sums that mazerun_score() makes means of. */
static inline void
mazerun_add(
    struct mazerun_score *r, const struct mazerun *s, const struct pb_belief *b)
{
	const struct pb_hypothesis *h = &b->at[0];
	struct pb_vec at = {0, 0};
	double ex, ey;
	int row, col, r0, c0;

	if (b->n > 0)
		at = (struct pb_vec){
		    h->pose.x / PB_MAZE_CELL, h->pose.y / PB_MAZE_CELL};
	ex = at.x - s->d.at.x;
	ey = at.y - s->d.at.y;
	pb_cells_of_xy(s->d.at, &r0, &c0);
	pb_cells_of_xy(at, &row, &col);
	r->rmse += ex * ex + ey * ey;
	r->max = fmax(r->max, hypot(ex, ey));
	r->wrong += row != r0 || col != c0;
	r->bad += hypot(ex, ey) > 0.5;
	r->tracking += b->status == PB_LOC_TRACKING;
	r->sure_bad += b->status == PB_LOC_TRACKING && hypot(ex, ey) > 0.5;
	if (b->n > 0)
		r->chi2 += (ex * ex / h->cov[0][0] + ey * ey / h->cov[1][1]) *
		           PB_MAZE_CELL * PB_MAZE_CELL;
}

/* Drive and localize; the first `skip` ticks are not scored. */
static inline struct mazerun_score
mazerun_score(const struct mazerun_opts *o, const struct pb_localizer *l,
    const void *opts, int skip)
{
	struct mazerun_pair *p = malloc(sizeof(*p));
	struct mazerun_score r = {0};
	double n = o->ticks - skip;

	if (p == NULL)
		abort();
	mazerun_pair_open(p, o, l, opts);
	for (int t = 0; t < o->ticks; t++) {
		struct pb_belief b = mazerun_pair_tick(p);

		if (t >= skip)
			mazerun_add(&r, &p->s, &b);
	}
	r.rmse = sqrt(r.rmse / n);
	r.wrong /= n;
	r.bad /= n;
	r.tracking /= n;
	r.sure_bad /= n;
	r.chi2 /= n;
	mazerun_pair_close(p);
	free(p);
	return r;
}
