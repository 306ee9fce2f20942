/* onboard.c - localizers on board of the robots that play on a board. */
#include "localize/onboard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "localize/mcl_state.h"
#include "localize/methods.h"
#include "pb/drive.h"
#include "robot/sense.h"

/* The lidar of a TurtleBot 4, an RPLIDAR A1: 12 m, 7.6 Hz, 1 % noise. A third
 * of its beams suffices, as at most 60 are used. */
#define BEAMS  120
#define RANGE  12.0      /* longest range (m) */
#define PERIOD (1 / 7.6) /* time between scans (s) */
#define NOISE  0.01      /* noise of a range (share) */
#define DROP   0.01      /* chance of no reading: by hand, not measured */

/* Defaults of nav2: an update after this distance, or this turn (rad). */
#define UPDATE_MOVED  0.25 /* update after this distance (cells) */
#define UPDATE_TURNED 0.2  /* or after this turn (rad) */

/* Standard deviation of a robot's pose after it is placed (cells, rad); chosen
 * by hand, not measured. */
#define START_SD 0.05

/* An estimate is right within these. */
#define NEAR      0.5 /* (cells) */
#define NEAR_TURN 0.5 /* (rad); chosen by hand, not measured */

struct pb_onboard {
	const struct pb_localizer *m;
	void *model; /* the method's data of the map; owned, as all below */
	struct pb_map map;
	struct pb_rays *rays;
	struct pb_sense_lidar_opts lidar; /* lengths in cells */
	double cell;                      /* side (m) */
	double body;                      /* radius of robots (cells) */
	size_t mem;                       /* memory of a robot (bytes) */
};

/* One robot, lengths in cells; the method's memory follows. */
struct robot {
	uint64_t seed, trial;
	unsigned puts; /* how often it was placed */
	struct pb_rng rng;
	struct pb_pose odom;   /* odometry now */
	struct pb_pose last;   /* odometry at the last update */
	struct pb_pose in_map; /* odometry frame in the map */
	double wait;           /* until the next scan (s) */
	double spread;         /* standard deviation of the place */
	bool ever;             /* there was an update */
	struct pb_onboard_score score;
	_Alignas(16) char mem[];
};

/* Copy m's constants from the options of a game. */
static void
copy_constants(const struct pb_localizer *m, void *opts, struct pb_params p,
    const void *base)
{
	size_t n = strlen(m->name);

	for (size_t i = 0; i < p.n; i++) {
		const char *name = p.row[i].name;
		const struct pb_param *to = NULL;

		if (strncmp(name, m->name, n) == 0 && name[n] == '-')
			to = pb_params_find(m->params, name + n + 1);
		if (to)
			memcpy((char *)opts + to->offset,
			    (const char *)base + p.row[i].offset,
			    to->kind == PB_PARAM_REAL   ? sizeof(double)
			    : to->kind == PB_PARAM_BOOL ? sizeof(bool)
							: sizeof(int));
	}
}

enum pb_status
pb_onboard_learn(const struct pb_localizer *m, const struct pb_loc_world *w,
    struct pb_params p, const void *base,
    void (*suit)(const struct pb_localizer *m, void *opts, const void *ctx),
    const void *ctx, void **model)
{
	void *opts = malloc(m->opts_size + 1);
	enum pb_status st;

	if (!opts)
		return PB_ENOMEM;
	pb_localizer_defaults(m, opts);
	copy_constants(m, opts, p, base);
	if (suit)
		suit(m, opts, ctx);
	st = m->learn(m, w, opts, model);
	free(opts);
	return st;
}

void
pb_onboard_count(struct pb_onboard_score *s, struct pb_pose believed,
    struct pb_pose truth, bool wrong, bool lost, bool other_cell)
{
	s->off = pb_pose_dist(believed, truth);
	s->turned = fabs(pb_wrap(believed.th - truth.th));
	s->updates++;
	s->sum += s->off;
	s->squares += s->off * s->off;
	s->wrong += wrong;
	s->lost += lost;
	s->wrong_cell += other_cell;
}

void
pb_onboard_report(
    const struct pb_onboard_score *s, double unit, struct pb_trial *r)
{
	bool any = s->updates > 0;

	r->updates = s->updates;
	r->wrong = s->wrong;
	r->lost = s->lost;
	r->wrong_cell = s->wrong_cell;
	r->found = -1;
	r->error = any ? s->off * unit : NAN;
	r->turn = any ? s->turned : NAN;
	r->error_mean = any ? s->sum / s->updates * unit : NAN;
	r->error_rms = any ? sqrt(s->squares / s->updates) * unit : NAN;
	r->error_median = NAN;
}

/* Robots are given their start pose, so there is no global search at the start;
 * they still search when a scan fits worse than before. */
static void
suit_mcl(const struct pb_localizer *m, void *opts, const void *ctx)
{
	struct pb_mcl_opts *o = opts;

	(void)ctx;
	if (m != &pb_loc_mcl)
		return;
	o->anywhere = 0;
	o->blocks = 8192;
}

static enum pb_status
learn(struct pb_onboard *b, const struct pb_maze *z, struct pb_params p,
    const void *base)
{
	struct pb_maze unit = *z;
	const struct pb_loc_world w = {.map = &b->map};
	enum pb_status st;

	unit.pitch = 1;
	if ((st = pb_maze_walled(&unit, &b->map)) == PB_OK)
		st = pb_onboard_learn(
		    b->m, &w, p, base, suit_mcl, NULL, &b->model);
	return st == PB_OK ? pb_rays_new(&b->map, false, &b->rays) : st;
}

enum pb_status
pb_onboard_new(const struct pb_maze *z, int localizer, double body,
    struct pb_params p, const void *base, struct pb_onboard **to)
{
	static const struct pb_localizer *const method[] = {
	    [PB_ROVER_MCL] = &pb_loc_mcl, [PB_ROVER_ODOM] = &pb_loc_odom};
	struct pb_onboard *b = NULL;
	enum pb_status st;

	if (localizer == PB_ROVER_NOISE) {
		*to = NULL;
		return PB_OK;
	}
	if (!(b = calloc(1, sizeof(*b))))
		return PB_ENOMEM;
	b->m = method[localizer];
	b->cell = pb_maze_pitch(z);
	b->body = body / 2 / b->cell;
	b->lidar = (struct pb_sense_lidar_opts){.beams = BEAMS,
	    .first = -PB_PI,
	    .span = 2 * PB_PI,
	    .min = b->body / 2,
	    .max = RANGE / b->cell,
	    .share = NOISE,
	    .drop = DROP};
	st = learn(b, z, p, base);
	if (st != PB_OK) {
		pb_onboard_free(b);
		return st;
	}
	b->mem = pb_localizer_memory(b->m, b->model);
	b->mem = (sizeof(struct robot) + b->mem + 15) & ~(size_t)15;
	*to = b;
	return PB_OK;
}

void
pb_onboard_free(struct pb_onboard *b)
{
	if (!b)
		return;
	if (b->model)
		b->m->forget(b->model);
	pb_rays_free(b->rays);
	pb_map_clear(&b->map);
	free(b);
}

size_t
pb_onboard_memory(const struct pb_onboard *b, int n)
{
	return b ? (size_t)n * b->mem : 0;
}

static struct robot *
get_robot(const struct pb_onboard_robots *c, int i)
{
	return (struct robot *)((char *)c->mem + (size_t)i * c->b->mem);
}

static struct pb_pose
scale_place(struct pb_pose p, double by)
{
	return (struct pb_pose){p.x * by, p.y * by, p.th};
}

void
pb_onboard_place(const struct pb_onboard_robots *c, int i, struct pb_pose p)
{
	struct pb_loc_start s = {.kind = PB_LOC_NEAR};
	struct robot *a;

	if (!c->b)
		return;
	a = get_robot(c, i);
	s.pose = scale_place(p, 1 / c->b->cell);
	for (int k = 0; k < 3; k++)
		s.cov[k][k] = START_SD * START_SD;
	s.seed = a->seed;
	s.trial = a->trial * PB_ONBOARD_ROBOTS + (uint64_t)i;
	s.which = a->puts++;
	c->b->m->reset(a->mem, c->b->model, &s);
	c->b->m->predict(a->mem, c->b->model, a->odom);
	a->in_map = pb_pose_compose(s.pose, pb_pose_inverse(a->odom));
	a->spread = START_SD;
	a->ever = false;
	a->wait = 0;
}

void
pb_onboard_start(const struct pb_onboard_robots *c, const struct pb_rover *all,
    uint64_t seed, uint64_t trial)
{
	for (int i = 0; c->b && i < c->n; i++) {
		struct robot *a = get_robot(c, i);

		*a = (struct robot){.seed = seed, .trial = trial};
		/* The first 16 streams are those of the games' sensors. */
		pb_rng_start(
		    &a->rng, seed, trial, PB_FOR_SENSOR, 16 + (unsigned)i);
		pb_onboard_place(c, i, all[i].pose);
	}
}

void
pb_onboard_turn(
    const struct pb_onboard_robots *c, struct pb_rover *all, int i, double th)
{
	struct pb_rover *r = &all[i];
	double turn = pb_wrap(th - r->seen.th);

	if (c->b) {
		get_robot(c, i)->odom.th += turn;
		r->pose.th = pb_wrap(r->pose.th + turn);
	} else
		r->pose.th = th;
	r->seen.th = th;
}

/* Simulate a scan of robot i, with the other robots as obstacles. */
static void
simulate_scan(const struct pb_onboard_robots *c, const struct pb_rover *all,
    int i, double *range)
{
	const struct pb_onboard *b = c->b;
	struct pb_thing other[PB_ONBOARD_ROBOTS];
	int n = 0;

	for (int k = 0; k < c->n; k++)
		if (k != i)
			other[n++] = (struct pb_thing){
			    .at = pb_pose_vec(
				scale_place(all[k].pose, 1 / b->cell)),
			    .radius = b->body};
	pb_sense_lidar(&b->lidar, b->rays, other, n,
	    scale_place(all[i].pose, 1 / b->cell), &get_robot(c, i)->rng,
	    range);
}

static bool
is_scan_due(const struct robot *a)
{
	return !a->ever ||
	       (a->wait <= 0 &&
		   (pb_pose_dist(a->odom, a->last) >= UPDATE_MOVED ||
		       fabs(pb_wrap(a->odom.th - a->last.th)) >=
			   UPDATE_TURNED));
}

static void
count_belief(struct robot *a, const struct pb_belief *v, struct pb_pose truth)
{
	struct pb_pose p = pb_pose_compose(a->in_map, a->odom);
	bool off = pb_pose_dist(p, truth) > NEAR ||
	           fabs(pb_wrap(p.th - truth.th)) > NEAR_TURN;

	pb_onboard_count(&a->score, p, truth,
	    off && v->n > 0 && v->status == PB_LOC_TRACKING,
	    v->n == 0 || v->status == PB_LOC_LOST,
	    floor(p.x) != floor(truth.x) || floor(p.y) != floor(truth.y));
}

/* Update the method; without an estimate odometry continues the last. */
static void
update_estimate(
    const struct pb_onboard_robots *c, const struct pb_rover *all, int i)
{
	const struct pb_onboard *b = c->b;
	struct robot *a = get_robot(c, i);
	double range[BEAMS];
	const struct pb_scan z = {.angle_min = b->lidar.first,
	    .inc = b->lidar.span / b->lidar.beams,
	    .range_min = b->lidar.min,
	    .range_max = b->lidar.max,
	    .range = range,
	    .n = BEAMS};
	struct pb_belief v;

	b->m->predict(a->mem, b->model, a->odom);
	simulate_scan(c, all, i, range);
	b->m->scan(a->mem, b->model, &z);
	b->m->estimate(a->mem, b->model, &v);
	if (v.n > 0 && v.status != PB_LOC_LOST) {
		a->in_map =
		    pb_pose_compose(v.at[0].pose, pb_pose_inverse(a->odom));
		a->spread = sqrt(fmax(v.at[0].cov[0][0], v.at[0].cov[1][1]));
	}
	a->last = a->odom;
	a->ever = true;
	a->wait = PERIOD;
	count_belief(a, &v, scale_place(all[i].pose, 1 / b->cell));
}

void
pb_onboard_drive(const struct pb_onboard_robots *c, struct pb_rover *all, int i,
    const struct pb_rover_opts *o, struct pb_twist u, double dt)
{
	struct pb_rover *r = &all[i];
	struct robot *a;

	pb_rover_drive(r, o, u, dt);
	if (!c->b)
		return;
	a = get_robot(c, i);
	u = r->wheels;
	u.v /= c->b->cell;
	a->odom = pb_drive_move(a->odom, u, dt);
	a->wait -= dt;
	if (is_scan_due(a))
		update_estimate(c, all, i);
	r->seen = scale_place(pb_pose_compose(a->in_map, a->odom), c->b->cell);
}

double
pb_onboard_spread(const struct pb_onboard_robots *c, int i, double sd)
{
	return c->b ? get_robot(c, i)->spread * c->b->cell : sd;
}

void
pb_onboard_result(struct pb_onboard_robots c, int i, struct pb_trial *r)
{
	if (c.b && get_robot(&c, i)->score.updates > 0)
		pb_onboard_report(&get_robot(&c, i)->score, c.b->cell, r);
}
