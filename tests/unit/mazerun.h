/* mazerun.h - a simulated robot that collects pellets, for localizers. */
#ifndef PB_TESTS_MAZERUN_H
#define PB_TESTS_MAZERUN_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "localize/localizer.h"
#include "localize/tof.h"

/* The robot and what goes wrong with it. */
struct mazerun_opts {
	const char *maze;
	int ticks;
	double dt;          /* of a tick (s) */
	double speed;       /* (cells/s) */
	double range_noise; /* even, either way (part) */
	double drop;        /* chance of a reading to be an error */
	double block;       /* chance of something in the way, a tick */
	int block_ticks;    /* how long it stays */
	int camera_delay;   /* (ticks) */
	int camera_every;   /* (ticks), 0: no camera */
	double camera_wrong;
	double camera_off; /* its cells lie beside the maze's (cells) */
	double motor;      /* wheels run faster by 0 to this (part) */
	int kidnap_at;     /* tick, 0: never */
	bool no_wheels;    /* they say nothing */
	bool anywhere;     /* the method is not told the start */
	uint64_t seed;
};

static inline struct mazerun_opts
mazerun_defaults(void)
{
	return (struct mazerun_opts){
	    .maze = "pacman",
	    .ticks = 4000,
	    .dt = 0.015,
	    .speed = 2.5,
	    .range_noise = 0.01,
	    .camera_every = 1,
	    .motor = 0.08,
	    .seed = 1,
	};
}

#define MAZERUN_LAG    64
#define MAZERUN_RADIUS (PB_TOF_RADIUS / PB_MAZE_CELL)

struct mazerun {
	struct mazerun_opts o;
	struct pb_maze maze;
	struct pb_cells cells;
	struct pb_loc_world w;
	struct pb_rng rng, motor, camera, route;
	struct pb_vec at, odom; /* (cells) */
	struct pb_vec past[MAZERUN_LAG];
	bool eaten[4096];
	int left, goal, to;  /* pellets left; cell to go to; next cell */
	struct pb_vec aside; /* the driver is no better than this (cells) */
	double block[4];     /* range of what is in the way, 0: nothing */
	int block_left[4];
	double range[4]; /* (m) */
	int tick;
};

static inline void
mazerun_teleport(struct mazerun *s)
{
	int i = (int)pb_rng_below(&s->route, (uint32_t)s->cells.n);

	s->at = pb_cells_xy(s->cells.cell[i].row, s->cells.cell[i].col);
	s->to = s->goal = i;
}

static inline void
mazerun_open(struct mazerun *s, const struct mazerun_opts *o)
{
	memset(s, 0, sizeof *s);
	s->o = *o;
	if (pb_maze_standard(o->maze, &s->maze) != PB_OK ||
	    pb_cells_init(&s->cells, &s->maze) != PB_OK)
		abort();
	s->w = (struct pb_loc_world){
	    .maze = &s->maze, .cells = &s->cells, .cell = PB_MAZE_CELL};
	pb_rng_start(&s->rng, o->seed, 0, PB_FOR_SENSOR, 0);
	pb_rng_start(&s->camera, o->seed, 0, PB_FOR_SENSOR, 1);
	pb_rng_start(&s->motor, o->seed, 0, PB_FOR_MOTION, 0);
	pb_rng_start(&s->route, o->seed, 0, PB_FOR_PLAYER, 0);
	mazerun_teleport(s);
	for (int i = 0; i < MAZERUN_LAG; i++)
		s->past[i] = s->at;
}

static inline void
mazerun_close(struct mazerun *s)
{
	pb_cells_clear(&s->cells);
}

/* The nearest pellet that is left; all are laid again after the last. */
static inline void
mazerun_choose(struct mazerun *s)
{
	const struct pb_cells *c = &s->cells;
	const int16_t *near = c->near + (size_t)s->to * (size_t)c->n;

	s->eaten[s->to] = true;
	for (int k = 0; k < c->n && near[k] >= 0; k++)
		if (!s->eaten[near[k]]) {
			s->goal = near[k];
			return;
		}
	memset(s->eaten, 0, sizeof s->eaten);
	s->goal = near[(int)pb_rng_below(&s->route, (uint32_t)c->n)];
	if (s->goal < 0)
		s->goal = s->to;
}

static inline struct pb_vec
mazerun_aim(struct mazerun *s)
{
	const struct pb_cell_at *c = &s->cells.cell[s->to];
	struct pb_vec v = pb_cells_xy(c->row, c->col);

	v.x += s->aside.x;
	v.y += s->aside.y;
	return v;
}

static inline void
mazerun_next_cell(struct mazerun *s)
{
	unsigned first;
	int d;

	s->eaten[s->to] = true;
	if (s->to == s->goal)
		mazerun_choose(s);
	first = pb_cells_first(&s->cells, s->to, s->goal);
	d = (int)pb_rng_below(&s->route, 4);
	for (int n = 0; n < 4 && !(first >> d & 1); n++)
		d = (d + 1) & 3;
	if (first >> d & 1)
		s->to = s->cells.cell[s->to].to[d];
	s->aside.x = pb_rng_between(&s->route, -0.15, 0.15);
	s->aside.y = pb_rng_between(&s->route, -0.15, 0.15);
}

/* As commanded is what the wheels say; the motors run faster. */
static inline void
mazerun_move(struct mazerun *s)
{
	double step = s->o.speed * s->o.dt;
	struct pb_vec to = mazerun_aim(s), d;
	double len;

	while (len = pb_dist(s->at, to), len < step) {
		int was = s->to;

		mazerun_next_cell(s);
		to = mazerun_aim(s);
		if (s->to == was)
			break;
	}
	len = pb_dist(s->at, to);
	d.x = len > 0 ? (to.x - s->at.x) / len * step : 0;
	d.y = len > 0 ? (to.y - s->at.y) / len * step : 0;
	s->odom.x += s->o.no_wheels ? 0 : d.x;
	s->odom.y += s->o.no_wheels ? 0 : d.y;
	d.x *= 1 + s->o.motor * pb_rng_unit(&s->motor);
	d.y *= 1 + s->o.motor * pb_rng_unit(&s->motor);
	s->at.x += d.x;
	s->at.y += d.y;
	for (int i = 0; i < 4; i++) {
		double room =
		    pb_cells_ray(&s->cells, s->at, (int)pb_tof_dir(i));
		double in = MAZERUN_RADIUS - room;

		if (in > 0)
			*((i & 1) == 0 ? &s->at.x : &s->at.y) -=
			    pb_tof_sign(i) * in;
	}
}

static inline void
mazerun_sense(struct mazerun *s, int i)
{
	double h =
	    pb_cells_ray(&s->cells, s->at, (int)pb_tof_dir(i)) - MAZERUN_RADIUS;
	double noise = s->o.range_noise, u = pb_rng_between(&s->rng, -1, 1);
	double block = pb_rng_unit(&s->rng), where = pb_rng_unit(&s->rng);
	double drop = pb_rng_unit(&s->rng), m;

	if (s->block_left[i] > 0) {
		s->block_left[i]--;
	} else if (block < s->o.block && h > 1) {
		s->block_left[i] = s->o.block_ticks;
		s->block[i] = where * h;
	}
	if (s->block_left[i] > 0 && s->block[i] < h)
		h = s->block[i];
	m = fmax(h, 0) * PB_MAZE_CELL * (1 + noise * u);
	m = nearbyint(m * 1000) / 1000;
	s->range[i] = drop < s->o.drop ? -1 : m > 1.5 ? NAN : m;
}

/* One tick; sets *fix and returns whether there is one. */
static inline bool
mazerun_tick(struct mazerun *s, struct pb_loc_fix *fix)
{
	int row, col;
	double wrong, any;
	struct pb_vec seen;

	s->tick++;
	if (s->tick == s->o.kidnap_at)
		mazerun_teleport(s);
	else
		mazerun_move(s);
	s->past[s->tick % MAZERUN_LAG] = s->at;
	for (int i = 0; i < 4; i++)
		mazerun_sense(s, i);
	if (s->o.camera_every == 0 || s->tick % s->o.camera_every != 0)
		return false;
	seen =
	    s->past[(s->tick + MAZERUN_LAG - s->o.camera_delay) % MAZERUN_LAG];
	seen.x += s->o.camera_off;
	seen.y += s->o.camera_off;
	pb_cells_of_xy(seen, &row, &col);
	wrong = pb_rng_unit(&s->camera);
	any = pb_rng_unit(&s->camera);
	if (wrong < s->o.camera_wrong / 2) {
		int i = (int)(any * s->cells.n);

		row = s->cells.cell[i].row;
		col = s->cells.cell[i].col;
	} else if (wrong < s->o.camera_wrong) {
		row += any < 0.5 ? 1 : -1;
		col += any < 0.25 || any > 0.75 ? 1 : -1;
	}
	fix->at = (struct pb_vec){row * PB_MAZE_CELL, col * PB_MAZE_CELL};
	return true;
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
	void *known, *mem;
};

static inline void
mazerun_pair_open(struct mazerun_pair *p, const struct mazerun_opts *o,
    const struct pb_localizer *l, const void *opts)
{
	struct pb_loc_start start = {.kind = PB_LOC_NEAR, .seed = o->seed};

	mazerun_open(&p->s, o);
	p->l = l;
	if (l->learn(&p->s.w, opts, &p->known) != PB_OK ||
	    (p->mem = calloc(1, l->memory(p->known))) == NULL)
		abort();
	start.pose.x = p->s.at.x * PB_MAZE_CELL;
	start.pose.y = p->s.at.y * PB_MAZE_CELL;
	start.cov[0][0] = start.cov[1][1] = 1e-4;
	if (o->anywhere)
		start.kind = PB_LOC_ANYWHERE;
	l->reset(p->mem, p->known, &start);
}

static inline void
mazerun_pair_close(struct mazerun_pair *p)
{
	free(p->mem);
	p->l->forget(p->known);
	mazerun_close(&p->s);
}

static inline struct pb_belief
mazerun_pair_tick(struct mazerun_pair *p)
{
	struct pb_loc_scan z = {
	    .inc = PB_PI / 2, .range_max = 1.5, .range = p->s.range, .n = 4};
	struct pb_loc_fix f;
	struct pb_belief b;
	bool have = mazerun_tick(&p->s, &f);

	p->l->predict(p->mem, p->known,
	    (struct pb_pose){
		p->s.odom.x * PB_MAZE_CELL, p->s.odom.y * PB_MAZE_CELL, 0});
	if (have && p->l->fix != NULL)
		p->l->fix(p->mem, p->known, &f);
	p->l->scan(p->mem, p->known, &z);
	p->l->estimate(p->mem, p->known, &b);
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
	ex = at.x - s->at.x;
	ey = at.y - s->at.y;
	pb_cells_of_xy(s->at, &r0, &c0);
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
	struct mazerun_pair *p = malloc(sizeof *p);
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

#endif
