/* round_robot.c - the robot: sensors, localizer, driving, contacts; boxes and
 * people. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "game/pacmanbot/round_state.h"

/* Speed of backing up (m/s). */
#define BACK_V 0.15

/* Ranges of nav2's default obstacle layer: hits mark up to MARK_RANGE, beams
 * clear up to CLEAR_RANGE (m). */
#define MARK_RANGE  2.5
#define CLEAR_RANGE 3.0

/* A hit this near to a wall of the map is that wall (cells). */
#define SAME_WALL 2

/* A beam that ends this far behind a mark went through it (m). */
#define THROUGH 0.1

/* Sides of boxes (m), and how far from the robot's start they stand (m). */
#define BOX_LEAST 0.3
#define BOX_MOST  0.6
#define OFF_START 1.0

/* People: walking speed (m/s), distance kept from the robot (m), time standing
 * before they choose another way (s). */
#define WALK_LEAST 0.5
#define WALK_MOST  1.3
#define KEEP_OFF   0.2
#define PATIENCE   3.0

/* Covariance of the start pose given to the localizer: AMCL's default. */
static const double start_cov[3][3] = {
    {0.25, 0, 0}, {0, 0.25, 0}, {0, 0, PB_PI / 12 * (PB_PI / 12)}};

/* Number of squares of the raster of marks; a square covers 2 x 2 map cells. */
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
		r->loc_size = pb_localizer_memory(s->method, s->model);
		r->loc = pb_pool_get(&r->pool, r->loc_size, 1);
	}
	if (r->pool.failed)
		return PB_ENOMEM;
	walk.clearance = r->o.clyde_clearance;
	walk.period = r->o.dt;
	walk.spawn = PB_CLYDE_MAIN;
	for (int i = 0; i < r->o.people && st == PB_OK; i++)
		st = pb_clyde_init(
		    &r->people[i], &r->arena->clyde, &walk, r->search);
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
is_off_start(const struct pb_round *r, struct pb_vec p)
{
	return pb_dist(p, pb_pose_vec(r->arena->start)) >= OFF_START;
}

/* Draw a free cell that the robot can reach, off its start if a hundred draws
 * find one. */
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
		if (is_off_start(r, p))
			break;
	}
	return p;
}

static void
place_boxes(struct pb_round *r, struct pb_rng *rng)
{
	struct pb_round_state *g = &r->g;

	for (int i = 0; i < r->o.clutter; i++) {
		struct pb_thing *t = &g->thing[g->things++];

		t->at = draw_place(r, rng);
		t->half.x = pb_rng_between(rng, BOX_LEAST, BOX_MOST) / 2;
		t->half.y = pb_rng_between(rng, BOX_LEAST, BOX_MOST) / 2;
	}
}

/* Place people away from the robot, if a few draws find a place. */
static void
place_people(struct pb_round *r, struct pb_rng *rng)
{
	struct pb_round_state *g = &r->g;

	for (int i = 0; i < r->o.people; i++) {
		struct pb_clyde *c = &r->people[i];
		struct pb_rng own;

		pb_rng_start(
		    &own, g->seed, g->trial, PB_FOR_GHOST, 16 + (unsigned)i);
		pb_clyde_start(c, own);
		for (int k = 0; k < 20 && !is_off_start(r, c->at); k++)
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
	place_boxes(r, &rng);
	place_people(r, &rng);
	memcpy(from.cov, start_cov, sizeof(from.cov));
	if (r->o.start_anywhere)
		from.kind = PB_LOC_ANYWHERE;
	if (s->method)
		s->method->reset(r->loc, s->model, &from);
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

/* Move people: they walk as Clyde does, and choose another destination after
 * standing for PATIENCE. */
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
			pb_clyde_move_to(c, c->at, NULL);
			g->stood[i] = 0;
		}
		g->thing[r->o.clutter + i].at = c->at;
	}
}

/* Fill name with kind and number: "box3". */
static void
set_name(char *name, const char *kind, int number)
{
	memcpy(name, kind, strlen(kind));
	pb_append_int(name + strlen(kind), number);
}

/* Publish boxes and people as points on their outlines. */
void
pb_emit_things(struct pb_round *r)
{
	for (int i = 0; i < r->g.things && r->agents.emit; i++) {
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
		pb_emit(r, (struct pb_event){.kind = PB_EVENT_OBSTACLE,
			       .name = name,
			       .point = point,
			       .n = n});
	}
}

static void
remove_mark(struct pb_round *r, int i)
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
			remove_mark(r, i);
	}
}

static void
add_mark(struct pb_round *r, struct pb_vec p)
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

/* Update the sensor layer, at the localizer's pose. */
static void
update_layer(struct pb_round *r, const struct pb_scan *z)
{
	struct pb_pose at = pb_pose_compose(pb_nav_pose(r), z->mount);

	clear_marks(r, z, at);
	for (size_t i = 0; i < z->n; i++) {
		double d = z->range[i];

		if (d <= MARK_RANGE)
			add_mark(r, pb_point_at(pb_pose_vec(at),
					at.th + (double)i * z->inc, d));
	}
}

void
pb_marks_forget(struct pb_round *r)
{
	while (r->g.marks > 0)
		remove_mark(r, r->g.marks - 1);
}

/* Count the error of the current estimate, for the result. */
static void
count_estimate(struct pb_round *r, enum pb_loc_status s)
{
	struct pb_pose p = pb_estimate_now(&r->g.est, r->g.odom.pose);
	bool off = pb_pose_dist(p, r->g.truth) > r->o.misplaced;

	if (r->g.track.running)
		pb_onboard_count(&r->g.track.score, p, r->g.truth,
		    off && s == PB_LOC_TRACKING, s == PB_LOC_LOST, false);
}

/* Give odometry and a scan to the localizer. Returns whether there is a pose to
 * publish. */
static bool
update_localizer(struct pb_round *r, const struct pb_scan *z)
{
	const struct pb_surroundings *s = &r->arena->around;
	struct pb_round_state *g = &r->g;
	struct pb_estimator *e = &g->est;
	struct pb_belief b;
	bool known;

	s->method->predict(r->loc, s->model, g->odom.pose);
	if (s->method->scan)
		s->method->scan(r->loc, s->model, z);
	s->method->estimate(r->loc, s->model, &b);
	g->belief = b.n > 0 ? b.status : PB_LOC_LOST;
	/* The motion until the next update counts from here. */
	e->odom = g->odom.pose;
	/* Started anywhere, the robot waits until it is localized. */
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
	count_estimate(r, g->belief);
	return known;
}

/* Whether the robot has moved enough for an update, as in AMCL. */
static bool
is_due(const struct pb_round *r)
{
	struct pb_estimator e = r->g.est;

	e.ever = e.ever || r->g.heard;
	return pb_estimate_due(&e, &r->o.estimate, r->g.odom.pose);
}

/* Whether a real robot has reported a new pose; it is then used. */
static bool
use_real_pose(struct pb_round_state *g)
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
	const struct pb_estimate_opts *eo = &r->o.estimate;
	bool layer = s->rays != NULL && pb_round_marks(&r->o);
	bool due = is_due(r), out = false;
	struct pb_scan z = {.n = 0};

	if (r->agents.drive)
		return use_real_pose(g);
	if (s->rays != NULL && (layer || (due && s->method)))
		z = pb_surroundings_scan(s, &r->o, g->thing, g->things,
		    g->truth, &g->scan_rng, r->range);
	if (due && s->method) {
		g->heard = true;
		out = update_localizer(r, &z);
	} else if (due) {
		pb_estimate_update(
		    &g->est, eo, g->truth, g->odom.pose, &g->pose_rng);
		out = true;
	}
	if (layer && g->est.ever)
		update_layer(r, &z);
	return out;
}

/* Whether the robot is still to be localized. */
static bool
is_unlocalized(const struct pb_round *r)
{
	return r->o.start_anywhere && !r->g.est.ever;
}

/* Shows: turn rate (rad/s) and the time between flips of a shake (s). */
#define SHOW_W     1.5
#define SHAKE_FLIP 0.3

/* nav2's behaviours: spin this far (rad), at this rate (rad/s). */
#define SPIN_W 1.0

/* nav2's collision monitor: it slows down to keep this time before a collision
 * (s). */
#define TIME_BEFORE_COLLISION 1.2

/* Avoidance by the lidar: look ahead (m), angle between the headings that are
 * tried (rad), and their number. */
#define LOOK        0.35
#define DEFLECT     0.15
#define DEFLECTED   8
#define ROUND_ABOUT 18 /* of a robot with senses */

/* Obstacles around the robot, and its clearance from them. */
struct room {
	const struct pb_edt *edt;
	const struct pb_grid *grid;
	int cell;   /* cell of the robot, -1: outside */
	int32_t d2; /* squared distance to the nearest wall (cells2) */
	double gap; /* distance to the nearest thing (m) */
};

/* Whether the robot may be at p, in cell i: away from obstacles, or farther
 * from them than now. */
static bool
fits_in_cell(
    const struct pb_round *r, const struct room *m, struct pb_vec p, int i)
{
	double gap;

	if (i < 0 || !(pb_grid_free(m->grid, i) ||
			 (m->edt->d2[i] >= m->d2 && m->d2 > 0)))
		return false;
	if (r->g.things == 0)
		return true;
	gap = pb_things_gap(r->g.thing, r->g.things, p);
	return gap >= r->o.inscribed || (gap >= m->gap && gap > 0);
}

static bool
robot_fits(const struct pb_round *r, const struct room *m, struct pb_vec p)
{
	return fits_in_cell(r, m, p, pb_arena_cell(r->arena, p));
}

static struct room
find_room(const struct pb_round *r, struct pb_vec p)
{
	const struct pb_arena *a = r->arena;
	struct room m = {
	    a->body_edt, a->body, pb_arena_cell(a, p), 0, INFINITY};

	m.d2 = m.cell < 0 ? 0 : m.edt->d2[m.cell];
	m.gap = pb_things_gap(r->g.thing, r->g.things, p);
	return m;
}

/* Distance from p, in cell i, to the nearest obstacle (m). */
static double
clearance(
    const struct pb_round *r, const struct room *m, struct pb_vec p, int i)
{
	double free =
	    pb_edt_clearance(m->edt, (size_t)i, r->arena->map.resolution);

	return r->g.things == 0
	           ? free
	           : fmin(free, pb_things_gap(r->g.thing, r->g.things, p));
}

/* Whether the body can move straight from p to q, tested in strides as long as
 * the clearance allows. A robot too near a wall may move away from it. */
static bool
is_path_clear(const void *ctx, struct pb_vec p, struct pb_vec q)
{
	const struct pb_round *r = ctx;
	const struct pb_arena *a = r->arena;
	double res = a->map.resolution;
	double d = pb_dist(p, q), s = 0;
	struct room room = find_room(r, p);
	struct pb_vec x = p;
	int i = room.cell;

	while (s < d) {
		double free;

		if (!fits_in_cell(r, &room, x, i))
			return false;
		free = clearance(r, &room, x, i) - r->o.inscribed - 2 * res;
		s += free > res ? free : res;
		if (s >= d)
			break;
		x = pb_segment_at(p, q, s / d);
		i = pb_arena_cell(a, x);
	}
	return robot_fits(r, &room, q);
}

/* Turn the aim to the nearest free heading: the path is relative to the
 * estimate, but walls are where the lidar sees them. */
static struct pb_vec
nearest_clear_aim(const struct pb_round *r, struct pb_vec aim)
{
	struct pb_vec p = pb_pose_vec(r->g.truth);
	double len = pb_dist(p, aim);
	double th = pb_atan2(aim.y - p.y, aim.x - p.x);
	double feel = len < LOOK ? len : LOOK;

	if (is_path_clear(r, p, pb_point_at(p, th, feel)))
		return aim;
	for (int i = 1; i <= (r->range ? ROUND_ABOUT : DEFLECTED); i++) {
		for (int side = 1; side >= -1; side -= 2) {
			double to = th + side * i * DEFLECT;

			if (is_path_clear(r, p, pb_point_at(p, to, feel)))
				return pb_point_at(p, to, len);
		}
	}
	return aim;
}

static struct pb_limits
get_limits(const struct pb_round *r, double speed)
{
	return (struct pb_limits){
	    .v_max = speed,
	    .v_min = -BACK_V,
	    .w_max = r->o.w_max,
	    .v_acc = r->o.v_acc,
	    .w_acc = r->o.w_acc,
	};
}

/* The speed allowed ahead for a robot with a lidar. */
static double
safe_speed(const struct pb_round *r, double v)
{
	double step = r->arena->map.resolution, s = 0;
	struct pb_pose p = r->g.truth;
	struct room room = find_room(r, pb_pose_vec(p));

	if (r->range == NULL || v <= 0)
		return v;
	while (
	    s < v * TIME_BEFORE_COLLISION &&
	    robot_fits(r, &room, pb_point_at(pb_pose_vec(p), p.th, s + step)))
		s += step;
	return fmin(v, s / TIME_BEFORE_COLLISION);
}

static struct pb_twist
follow_path(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;
	struct pb_follow_opts fo = {r->o.lookahead, PB_TURN_AT, PB_TURN_TO};
	struct pb_limits l = get_limits(r, v->speed);
	struct pb_pose p = pb_nav_pose(r);
	struct pb_vec carrot, aim;
	struct pb_twist u;
	double rest;

	/* While the robot turns away from an obstacle, the carrot stays: a
	 * carrot pulled back to the robot would leave it standing there. */
	carrot = pb_follow_carrot(&v->follow, &fo, pb_pose_vec(p), r->path,
	    v->n, r->range ? NULL : is_path_clear, r);
	rest = pb_dist(pb_pose_vec(p), r->path[v->n - 1]);
	if (v->follow.at + 1 < v->n && rest < r->o.lookahead)
		rest = r->o.lookahead;
	/* The aim in the robot's frame, placed at its true pose. */
	aim = pb_vec_from(r->g.truth, pb_vec_into(p, carrot));
	aim = nearest_clear_aim(r, aim);
	u = pb_follow_twist(&v->follow, &fo, r->g.truth, aim, rest, &l);
	u.v = safe_speed(r, u.v);
	return u;
}

static struct pb_twist
recovery_twist(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;
	struct pb_twist u = {0, 0};

	if (v->doing == PB_RECOVER_SPIN) {
		u.w = SPIN_W;
		v->doing_left -= fabs(r->g.twist.w) * r->o.dt;
	} else if (v->doing == PB_RECOVER_BACK) {
		u.v = -BACK_V;
		v->doing_left -= BACK_V * r->o.dt;
	} else {
		v->doing_left -= r->o.dt;
	}
	return u;
}

/* Whether the robot moves in a show (lights and sounds are elsewhere). */
static bool
is_in_show(const struct pb_round *r)
{
	enum pb_state s = r->g.ctl.state;

	return r->o.spin && (s == PB_STARTING || s == PB_DYING) &&
	       r->g.nav.kind == PB_GOAL_NONE;
}

static struct pb_twist
shaking_twist(const struct pb_round *r)
{
	double t = pb_round_time(r) - r->g.show_t;
	bool back =
	    r->g.ctl.state == PB_DYING && (long)(t / SHAKE_FLIP) % 2 == 1;

	return (struct pb_twist){0, back ? -SHOW_W : SHOW_W};
}

static struct pb_twist
commanded_twist(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;

	if (is_unlocalized(r))
		return (struct pb_twist){0, SPIN_W};
	if (is_in_show(r))
		return shaking_twist(r);
	if (v->kind == PB_GOAL_NONE)
		return (struct pb_twist){0, 0};
	if (v->doing != PB_RECOVER_NONE)
		return recovery_twist(r);
	if (v->n == 0 || v->blocked)
		return (struct pb_twist){0, 0};
	return follow_path(r);
}

/* Remove the part of a motion that leads into walls. */
static struct pb_pose
slide_along_walls(const struct pb_round *r, struct pb_pose p, struct pb_pose to)
{
	struct room room = find_room(r, pb_pose_vec(p));
	struct pb_pose x = {to.x, p.y, to.th}, y = {p.x, to.y, to.th};

	if (robot_fits(r, &room, pb_pose_vec(to)))
		return to;
	if (robot_fits(r, &room, pb_pose_vec(x)))
		return x;
	if (robot_fits(r, &room, pb_pose_vec(y)))
		return y;
	return (struct pb_pose){p.x, p.y, to.th};
}

/* The twist that wheels measure: along the heading. */
static struct pb_twist
measure_twist(const struct pb_round *r, struct pb_pose from, struct pb_pose to)
{
	double th = from.th + pb_wrap(to.th - from.th) / 2;
	double dx = to.x - from.x, dy = to.y - from.y;
	pb_pair u = pb_direction(th);

	return (struct pb_twist){(dx * u[0] + dy * u[1]) / r->o.dt,
	    pb_wrap(to.th - from.th) / r->o.dt};
}

/* Contacts less than this apart are one bump (s). */
#define ONE_BUMP 1.0

static void
count_bump(struct pb_round *r)
{
	struct pb_tracker *k = &r->g.track;
	bool anew =
	    k->bump == 0 || (double)(r->g.step - k->bump) * r->o.dt > ONE_BUMP;

	k->bump = r->g.step;
	if (!anew)
		return;
	k->bumps++;
	if (r->range)
		pb_emit_signal(r, "bump");
}

void
pb_drive_step(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	struct pb_limits l = get_limits(r, r->o.v_max);
	struct pb_pose from = g->truth, to;
	struct pb_twist u;

	g->twist = pb_drive_limit(g->twist, commanded_twist(r), &l, r->o.dt);
	if (r->agents.drive) {
		/* A real robot limits its wheels itself. */
		g->twist.v = fmax(g->twist.v, -l.v_max);
		g->placed |=
		    r->agents.drive(r->agents.ctx, &g->twist, &g->truth);
		g->odom.pose = g->truth;
		return;
	}
	u = g->twist;
	if (u.v != 0 || u.w != 0) {
		to = pb_drive_move(from, u, r->o.dt);
		g->truth = slide_along_walls(r, from, to);
		if (g->truth.x != to.x || g->truth.y != to.y) {
			u = measure_twist(r, from, g->truth);
			count_bump(r);
		}
	}
	pb_odom_move(&g->odom, u, r->o.dt, &r->o.wheels, &g->odom_rng);
}
