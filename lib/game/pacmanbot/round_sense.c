/* round_sense.c - the robot's own senses: lidar, localizer, sensor layer; and
 * what stands and walks about that they are for. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/segment.h"
#include "game/pacmanbot/round.h"

/* nav2 as shipped: hits mark up to here, beams clear up to there (m). */
#define MARK_RANGE  2.5
#define CLEAR_RANGE 3.0

/* Hits so near to a wall of the map are that wall (cells of the map). */
#define SAME_WALL 2

/* A beam that ends this much behind a mark went through it (m). */
#define THROUGH 0.1

/* Sides of boxes (m), and how far from the robot's start they stand (m). */
#define BOX_LEAST 0.3
#define BOX_MOST  0.6
#define OFF_START 1.0

/* People walk (m/s), keep so far from the robot (m), and look for another way
 * when they have stood for so long (s). */
#define WALK_LEAST 0.5
#define WALK_MOST  1.3
#define KEEP_OFF   0.2
#define PATIENCE   3.0

/* What a robot is told of its start: AMCL's usual covariance. */
static const double start_cov[3][3] = {
    {0.25, 0, 0}, {0, 0.25, 0}, {0, 0, PB_PI / 12 * (PB_PI / 12)}};

/* Marks are on a raster of two cells of the map. */
static size_t
raster_size(const struct pb_arena *a)
{
	return ((size_t)a->map.width / 2 + 1) * ((size_t)a->map.height / 2 + 1);
}

static size_t
raster(const struct pb_arena *a, int cell)
{
	size_t col = (size_t)(cell % a->map.width) / 2;
	size_t row = (size_t)(cell / a->map.width) / 2;

	return row * ((size_t)a->map.width / 2 + 1) + col;
}

enum pb_status
pb_perception_new(struct pb_round *r)
{
	const struct pb_surroundings *s = &r->arena->around;
	struct pb_clyde_opts walk = pb_clyde_defaults();
	enum pb_status st = PB_OK;

	if (s->rays == NULL)
		return PB_OK;
	r->range =
	    pb_pool_get(&r->pool, (size_t)r->o.lidar.beams, sizeof(*r->range));
	r->marked =
	    pb_pool_get(&r->pool, raster_size(r->arena), sizeof(*r->marked));
	r->people =
	    pb_pool_get(&r->pool, (size_t)r->o.people, sizeof(*r->people));
	if (s->method != NULL) {
		r->loc_size = pb_localizer_memory(s->method, s->known);
		r->loc = pb_pool_get(&r->pool, r->loc_size, 1);
	}
	if (r->pool.failed)
		return PB_ENOMEM;
	walk.clearance = r->o.clyde_clearance;
	walk.period = r->o.dt;
	walk.spawn = PB_CLYDE_MAIN;
	for (int i = 0; i < r->o.people && st == PB_OK; i++)
		st = pb_clyde_init(&r->people[i], &r->arena->clyde, &walk);
	return st;
}

void
pb_perception_copy(struct pb_round *dst, const struct pb_round *src)
{
	const struct pb_arena *a = src->arena;

	if (a->around.rays == NULL)
		return;
	for (int i = 0; i < src->o.people; i++)
		pb_clyde_copy(&dst->people[i], &src->people[i]);
	if (src->loc)
		memcpy(dst->loc, src->loc, src->loc_size);
	memcpy(dst->marked, src->marked, raster_size(a) * sizeof(*src->marked));
}

static bool
off_start(const struct pb_round *r, struct pb_vec p)
{
	return pb_dist(p, pb_pose_vec(r->arena->start)) >= OFF_START;
}

/* A free cell of the robot's part of the floor, off its start if a hundred
 * draws find one. */
static struct pb_vec
draw_place(const struct pb_round *r, struct pb_rng *rng)
{
	const struct pb_arena *a = r->arena;
	const struct pb_grid *g = &a->hard;
	struct pb_vec p = pb_pose_vec(a->start);

	for (int tries = 0; tries < 100; tries++) {
		int i;

		do
			i = (int)pb_rng_below(
			    rng, (uint32_t)pb_map_cells(&a->map));
		while (!pb_grid_joined(g, i, a->home));
		p = pb_arena_centre(a, i);
		if (off_start(r, p))
			break;
	}
	return p;
}

static void
put_boxes(struct pb_round *r, struct pb_rng *rng)
{
	struct pb_round_state *g = &r->g;

	for (int i = 0; i < r->o.clutter; i++) {
		struct pb_thing *t = &g->thing[g->things++];

		t->at = draw_place(r, rng);
		t->half.x = pb_rng_between(rng, BOX_LEAST, BOX_MOST) / 2;
		t->half.y = pb_rng_between(rng, BOX_LEAST, BOX_MOST) / 2;
	}
}

/* People appear off the robot, if a few draws find such a place. */
static void
put_people(struct pb_round *r, struct pb_rng *rng)
{
	struct pb_round_state *g = &r->g;

	for (int i = 0; i < r->o.people; i++) {
		struct pb_clyde *c = &r->people[i];
		struct pb_rng own;

		pb_rng_start(
		    &own, g->seed, g->trial, PB_FOR_GHOST, 16 + (unsigned)i);
		pb_clyde_start(c, own);
		for (int k = 0; k < 20 && !off_start(r, c->at); k++)
			pb_clyde_reset(c);
		pb_clyde_speed(c, pb_rng_between(rng, WALK_LEAST, WALK_MOST));
		pb_clyde_state(c, "running");
		g->thing[g->things++] =
		    (struct pb_thing){.at = c->at, .radius = PB_PERSON};
	}
}

void
pb_perception_start(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	const struct pb_surroundings *s = &r->arena->around;
	struct pb_loc_start from = {.kind = PB_LOC_NEAR,
	    .pose = r->arena->start,
	    .seed = g->seed,
	    .trial = g->trial};
	struct pb_rng rng;

	if (s->rays == NULL)
		return;
	memset(r->marked, 0, raster_size(r->arena) * sizeof(*r->marked));
	pb_rng_start(&g->scan_rng, g->seed, g->trial, PB_FOR_SENSOR, 0);
	pb_rng_start(&rng, g->seed, g->trial, PB_FOR_TRIAL, 0);
	put_boxes(r, &rng);
	put_people(r, &rng);
	memcpy(from.cov, start_cov, sizeof(from.cov));
	if (r->o.start_anywhere)
		from.kind = PB_LOC_ANYWHERE;
	if (s->method)
		s->method->reset(r->loc, s->known, &from);
}

/* Whether the next step of a walker brings it too near the robot or into a
 * box. */
static bool
is_stopped(const struct pb_round *r, const struct pb_clyde *c)
{
	struct pb_vec robot = pb_pose_vec(r->g.truth), to;
	double near = r->o.inscribed + PB_PERSON + KEEP_OFF;
	double step = c->speed * r->o.dt, way, gap;

	if (c->steps == 0 || c->next >= c->steps)
		return false;
	to = pb_clyde_place(
	    c->world, pb_grid_cell(&c->world->grid, c->path[c->next]));
	way = pb_dist(c->at, to);
	to = pb_segment_at(c->at, to, way > 0 ? step / way : 0);
	if (pb_dist(to, robot) < near &&
	    pb_dist(to, robot) <= pb_dist(c->at, robot))
		return true;
	gap = pb_things_gap(r->g.thing, r->o.clutter, to);
	return gap < PB_PERSON &&
	       gap <= pb_things_gap(r->g.thing, r->o.clutter, c->at);
}

/* They walk as Clyde does, from one place to another, and go elsewhere when
 * something has stood in their way for long. */
void
pb_people_step(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;

	for (int i = 0; i < r->o.people; i++) {
		struct pb_clyde *c = &r->people[i];

		if (!is_stopped(r, c)) {
			pb_clyde_tick(c);
			g->stood[i] = 0;
		} else if ((g->stood[i] += r->o.dt) >= PATIENCE) {
			pb_clyde_put(c, c->at, NULL);
			g->stood[i] = 0;
		}
		g->thing[r->o.clutter + i].at = c->at;
	}
}

/* "box" and 3 make "box3". */
static void
set_name(char *name, const char *kind, int number)
{
	memcpy(name, kind, strlen(kind));
	pb_append_int(name + strlen(kind), number);
}

/* Things as points of their rims, for who watches. */
void
pb_things_tell(struct pb_round *r)
{
	for (int i = 0; i < r->g.things && r->crew.tell; i++) {
		const struct pb_thing *t = &r->g.thing[i];
		bool round = t->radius > 0;
		struct pb_vec point[8];
		char name[12];
		int n = round ? 8 : 4;

		if (i < r->o.clutter)
			set_name(name, "box", i + 1);
		else
			set_name(name, "person", i + 1 - r->o.clutter);

		for (int k = 0; k < n; k++) {
			pb_pair u = pb_direction((2 * k + 1) * PB_PI / n);
			double x = round ? t->radius * u[0]
			                 : copysign(t->half.x, u[0]);
			double y = round ? t->radius * u[1]
			                 : copysign(t->half.y, u[1]);

			point[k] = (struct pb_vec){t->at.x + x, t->at.y + y};
		}
		pb_tell(r, (struct pb_news){.kind = PB_NEWS_OBSTACLE,
			       .name = name,
			       .point = point,
			       .n = n});
	}
}

static struct pb_scan
look_round(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;

	return pb_surroundings_scan(&r->arena->around, &r->o, g->thing,
	    g->things, g->truth, &g->scan_rng, r->range);
}

static void
unmark(struct pb_round *r, int i)
{
	struct pb_round_state *g = &r->g;
	int last = --g->marks;

	r->marked[g->mark[i].raster] = 0;
	if (i == last)
		return;
	g->mark[i] = g->mark[last];
	r->marked[g->mark[i].raster] = (uint16_t)(i + 1);
}

/* Drop the marks that a beam went through. */
static void
clear_marks(struct pb_round *r, const struct pb_scan *z, struct pb_pose at)
{
	struct pb_round_state *g = &r->g;

	for (int i = g->marks; i-- > 0;) {
		struct pb_vec d = pb_vec_into(at, g->mark[i].at);
		double far = sqrt(d.x * d.x + d.y * d.y);
		double turn = pb_atan2(d.y, d.x) / z->inc;
		int n = (int)z->n;
		int k = ((int)floor(turn + 0.5) % n + n) % n;

		if (far <= CLEAR_RANGE && z->range[k] > far + THROUGH)
			unmark(r, i);
	}
}

static void
mark(struct pb_round *r, struct pb_vec p)
{
	struct pb_round_state *g = &r->g;
	const struct pb_arena *a = r->arena;
	int cell = pb_arena_cell(a, p);
	uint16_t *slot;

	if (cell < 0 || a->edt.d2[cell] <= SAME_WALL * SAME_WALL)
		return;
	slot = &r->marked[raster(a, cell)];
	if (*slot == 0) {
		if (g->marks == PB_MARKS)
			return;
		*slot = (uint16_t)++g->marks;
		g->mark[*slot - 1] = (struct pb_mark){.at = p,
		    .since = pb_round_time(r),
		    .raster = raster(a, cell)};
	}
	g->mark[*slot - 1].t = pb_round_time(r);
}

/* The layer knows the robot where its localization has it. */
static void
update_layer(struct pb_round *r, const struct pb_scan *z)
{
	struct pb_pose at = pb_pose_compose(pb_nav_pose(r), z->mount);

	clear_marks(r, z, at);
	for (size_t i = 0; i < z->n; i++) {
		double d = z->range[i];

		if (d <= MARK_RANGE)
			mark(r, pb_point_at(pb_pose_vec(at),
				    at.th + (double)i * z->inc, d));
	}
}

void
pb_marks_forget(struct pb_round *r)
{
	while (r->g.marks > 0)
		unmark(r, r->g.marks - 1);
}

/* How good what the robot goes by is, for the result. */
static void
judge(struct pb_round *r, enum pb_loc_status s)
{
	struct pb_pose p = pb_estimate_now(&r->g.est, r->g.odom.pose);
	bool off = pb_pose_dist(p, r->g.truth) > r->o.misplaced;

	if (r->g.track.running)
		pb_onboard_note(&r->g.track.score, p, r->g.truth,
		    off && s == PB_LOC_TRACKING, s == PB_LOC_LOST, false);
}

/* Hear the wheels and a scan. Returns whether there is a pose to publish. */
static bool
localize(struct pb_round *r, const struct pb_scan *z)
{
	const struct pb_surroundings *s = &r->arena->around;
	struct pb_round_state *g = &r->g;
	struct pb_estimator *e = &g->est;
	struct pb_belief b;
	bool known;

	s->method->predict(r->loc, s->known, g->odom.pose);
	if (s->method->scan)
		s->method->scan(r->loc, s->known, z);
	s->method->estimate(r->loc, s->known, &b);
	g->belief = b.n > 0 ? b.status : PB_LOC_LOST;
	/* The next update is due from here on, whatever came of this one. */
	e->odom = g->odom.pose;
	/* Put down anywhere, it waits until it knows where it is. */
	known = e->ever || !r->o.start_anywhere
	            ? b.n > 0
	            : b.n > 0 && b.status == PB_LOC_TRACKING;
	if (known) {
		e->pose = b.at[0].pose;
		e->error = (struct pb_pose){e->pose.x - g->truth.x,
		    e->pose.y - g->truth.y, pb_wrap(e->pose.th - g->truth.th)};
		e->in_map = pb_pose_compose(e->pose, pb_pose_inverse(e->odom));
		e->ever = true;
	}
	judge(r, g->belief);
	return known;
}

/* Motion since the last update, as AMCL takes it. */
static bool
is_due(const struct pb_round *r, const struct pb_estimate_opts *o)
{
	struct pb_estimator e = r->g.est;

	e.ever = e.ever || r->g.heard;
	return pb_estimate_due(&e, o, r->g.odom.pose);
}

/* A real robot knows better. Returns whether it does. */
static bool
take_placed(struct pb_round_state *g)
{
	bool placed = g->placed;

	if (placed)
		g->est = (struct pb_estimator){
		    .pose = g->truth, .odom = g->truth, .ever = true};
	g->placed = false;
	return placed;
}

bool
pb_perception_step(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	const struct pb_surroundings *s = &r->arena->around;
	struct pb_estimate_opts eo = {r->o.pose_sd, r->o.pose_th_sd,
	    r->o.pose_keep, r->o.pose_min_d, r->o.pose_min_a};
	bool layer = s->rays != NULL && pb_round_marks(&r->o);
	bool due = is_due(r, &eo), out = false;
	struct pb_scan z = {.n = 0};

	if (r->crew.drive)
		return take_placed(g);
	if (s->rays != NULL && (layer || (due && s->method)))
		z = look_round(r);
	if (due && s->method) {
		g->heard = true;
		out = localize(r, &z);
	} else if (due) {
		pb_estimate_update(
		    &g->est, &eo, g->truth, g->odom.pose, &g->pose_rng);
		out = true;
	}
	if (layer && g->est.ever)
		update_layer(r, &z);
	return out;
}

bool
pb_perception_seek(const struct pb_round *r)
{
	return r->o.start_anywhere && !r->g.est.ever;
}
