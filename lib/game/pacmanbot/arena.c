/* arena.c - what all games on one map share: read-only once made. */
#include "game/pacmanbot/arena.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "localize/mcl_state.h"
#include "localize/methods.h"
#include "localize/onboard.h"
#include "map/change.h"
#include "pb/map.h"
#include "pb/rng.h"

/* Most cells of all fields that are kept (256 MB); beyond, each game computes
 * the field to its goal. */
#define FIELD_CELLS 64000000

/* Floor area that each person needs (m2). */
#define FLOOR 1.0

/* Least share of the map's free cells that is free in its world too; less means
 * a world of another place. */
#define ALIKE 0.5

/* Copy the known part of the map; all of it if plan_unknown. */
static enum pb_status
copy_known(
    const struct pb_map *m, const struct pb_round_opts *o, struct pb_map *part)
{
	return o->plan_unknown ? pb_map_copy(part, m) : pb_map_part(m, part);
}

/* Resample w at the centres of the cells of m. */
static enum pb_status
resample(const struct pb_map *m, const struct pb_map *w, struct pb_map *out)
{
	if (pb_map_copy(out, m) != PB_OK)
		return PB_ENOMEM;
	for (size_t i = 0; i < pb_map_cells(m); i++)
		out->cell[i] = (signed char)pb_map_at(
		    w, pb_map_cell(w, pb_map_centre(m, pb_map_cell_of(m, i))));
	return PB_OK;
}

/* Why a world cannot be used, NULL: it can. on_cells: the world resampled on
 * the map's cells. */
static const char *
check_world(const struct pb_map *m, const struct pb_map *w,
    const struct pb_map *on_cells, struct pb_vec at)
{
	size_t both = 0;

	if (!pb_map_inside(w, pb_map_cell(w, at)))
		return "the world does not contain the robot's start";
	for (size_t i = 0; i < pb_map_cells(m); i++)
		both +=
		    pb_cell_free(m->cell[i]) && pb_cell_free(on_cells->cell[i]);
	if ((double)both < ALIKE * (double)pb_map_free_cells(m))
		return "the world is of another frame: most of the map's free "
		       "floor is not free there";
	return NULL;
}

/* The localizer assumes thirty times the simulated variance of odometry, to
 * allow for motion that wheels do not notice. */
static void
widen_odometry_noise(const struct pb_localizer *m, void *opts, const void *ctx)
{
	const struct pb_round_opts *o = ctx;
	struct pb_mcl_opts *f = opts;
	const double doubt = 30;

	if (m != &pb_loc_mcl)
		return;
	f->rot_rot = doubt * o->wheels.rot_rot;
	f->rot_trans = doubt * o->wheels.rot_trans;
	f->trans_trans = doubt * o->wheels.trans_trans;
	f->trans_rot = doubt * o->wheels.trans_rot;
}

static enum pb_status
learn_map(struct pb_surroundings *s, const struct pb_map *map,
    const struct pb_round_opts *o, const char **why)
{
	static const struct pb_localizer *const method[] = {
	    [PB_BY_MCL] = &pb_loc_mcl, [PB_BY_ODOM] = &pb_loc_odom};
	const struct pb_loc_world w = {.map = map};
	enum pb_status st;

	if ((s->method = method[o->localizer]) == NULL)
		return PB_OK;
	st = pb_onboard_learn(s->method, &w, pb_round_params, o,
	    widen_odometry_noise, o, &s->model);
	if (st == PB_EEMPTY)
		*why = "there is nothing on the map that a lidar could see";
	return st;
}

/* Make the walls of a world that differs from the map; the robot's start `at`
 * must be free there. */
static enum pb_status
make_walls(struct pb_surroundings *s, const struct pb_arena *a,
    const struct pb_map *truth, const struct pb_round_opts *o, const char **why)
{
	struct pb_vec at = pb_pose_vec(a->start);
	struct pb_map on_cells;
	enum pb_status st = resample(&a->map, truth, &on_cells);

	if (st != PB_OK)
		return st;
	if ((*why = check_world(&a->map, truth, &on_cells, at)) != NULL)
		st = PB_EVALUE;
	else if (pb_edt_of_map(&s->edt, &on_cells, o->plan_unknown) ||
		 pb_edt_grid(
		     &s->edt, o->inscribed / a->map.resolution, &s->body) ||
		 copy_known(truth, o, &s->world))
		st = PB_ENOMEM;
	else if (!pb_grid_free(&s->body, a->home))
		st = PB_EWALL;
	if (st == PB_EWALL)
		*why = "the robot's start is in a wall of the world, or too "
		       "near one";
	pb_map_clear(&on_cells);
	return st;
}

struct pb_scan
pb_surroundings_scan(const struct pb_surroundings *s,
    const struct pb_round_opts *o, const struct pb_thing *t, int n,
    struct pb_pose p, struct pb_rng *rng, double *out)
{
	struct pb_sense_lidar_opts l = o->lidar;
	struct pb_pose mount = {o->scan_x, 0, o->scan_yaw};

	l.span = 2 * PB_PI;
	l.min = fmin(0.15, l.max / 2);
	pb_sense_lidar(&l, s->rays, t, n, pb_pose_compose(p, mount), rng, out);
	return (struct pb_scan){.inc = l.span / l.beams,
	    .range_min = l.min,
	    .range_max = l.max,
	    .mount = mount,
	    .range = out,
	    .n = (size_t)l.beams};
}

/* A failure and its message for users. */
struct verdict {
	enum pb_status st;
	const char *why;
};

static const struct verdict fine = {PB_OK, NULL};
static const struct verdict no_memory = {PB_ENOMEM, "out of memory"};

static struct verdict
make_grids(struct pb_arena *a, const struct pb_round_opts *o)
{
	double res = a->map.resolution;

	if (pb_map_free_cells(&a->map) == 0)
		return (struct verdict){PB_ENOFREE, "the map has no free cell"};
	if (pb_edt_of_map(&a->edt, &a->map, o->plan_unknown) ||
	    pb_edt_grid(&a->edt, o->inscribed / res, &a->hard) ||
	    pb_edt_grid(&a->edt, o->inflation / res, &a->soft))
		return no_memory;
	if (a->hard.nfree == 0)
		return (struct verdict){
		    PB_ENOFREE, "the robot fits nowhere on the map"};
	return fine;
}

/* Whether Clyde has a destination from some cell, or from the chosen one. */
static struct verdict
check_clyde(const struct pb_arena *a, const struct pb_round_opts *o)
{
	const struct pb_clyde_world *w = &a->clyde;
	int k = w->grid.main;

	if (o->has_spawn) {
		struct pb_cell c = pb_clyde_cell(w, o->spawn);

		if (!pb_clyde_safe(w, c))
			return (struct verdict){PB_EWALL,
			    "Clyde's place is in a wall, too near one, or "
			    "outside the map"};
		k = pb_grid_part(&w->grid, pb_grid_index(&w->grid, c));
	}
	if (w->grid.size[k] < 2)
		return (struct verdict){
		    PB_EPATH, "Clyde has no destination to go to"};
	return fine;
}

static struct verdict
make_clyde(struct pb_arena *a, const struct pb_round_opts *o)
{
	struct pb_clyde_opts c = pb_clyde_defaults();
	enum pb_status st;

	c.clearance = o->clyde_clearance;
	st = pb_clyde_world_init(&a->clyde, &a->map, &c);
	if (st == PB_ENOFREE)
		return (struct verdict){st, "Clyde fits nowhere on the map"};
	if (st)
		return (struct verdict){st, pb_status_text(st)};
	return check_clyde(a, o);
}

/*
 * Whether the robot could take a pellet without moving from p: the published
 * planner picks up in every state, and pellets taken before the round runs are
 * lost without score.
 */
static bool
is_on_pellet(const struct pb_round_opts *o, const struct pb_pellets *set,
    struct pb_vec p)
{
	double reach = 2 * o->pickup_radius;

	for (size_t i = 0; i < set->n; i++)
		if (pb_dist(p, set->all[i].at) <= reach)
			return true;
	return false;
}

/* The cell with most clearance off the pellets, or at all if every cell is on
 * one. */
static int
find_clearest_cell(const struct pb_arena *a, const struct pb_round_opts *o,
    const struct pb_pellets *set)
{
	const struct pb_grid_run *r = a->hard.run;
	const struct pb_grid_run *end = r + a->hard.row[a->hard.height];
	int best = -1, any = -1;

	for (; r < end; r++) {
		if (r->part != a->hard.main)
			continue;
		for (int i = r->from; i < r->to; i++) {
			if (any < 0 || a->edt.d2[i] > a->edt.d2[any])
				any = i;
			if ((best < 0 || a->edt.d2[i] > a->edt.d2[best]) &&
			    !is_on_pellet(o, set, pb_arena_centre(a, i)))
				best = i;
		}
	}
	return best >= 0 ? best : any;
}

/* Whether p is on the map that m is a part of. */
static bool
is_on_whole_map(const struct pb_map *m, struct pb_vec p)
{
	struct pb_cell c = pb_map_cell(m, p);

	return c.col >= -m->left && c.col < m->width + m->right &&
	       c.row >= -m->below && c.row < m->height + m->above;
}

static struct verdict
place_robot(struct pb_arena *a, const struct pb_round_opts *o,
    const struct pb_pellets *set)
{
	if (!o->has_start) {
		struct pb_vec p;

		a->home = find_clearest_cell(a, o, set);
		p = pb_arena_centre(a, a->home);
		a->start = (struct pb_pose){p.x, p.y, 0};
		return fine;
	}
	a->start = o->start;
	a->start.th = pb_wrap(o->start.th);
	a->home = pb_arena_cell(a, pb_pose_vec(o->start));
	if (a->home < 0 && !is_on_whole_map(&a->map, pb_pose_vec(o->start)))
		return (struct verdict){
		    PB_EWALL, "the robot's start is outside the map"};
	if (a->home < 0 || !pb_grid_free(&a->hard, a->home))
		return (struct verdict){
		    PB_EWALL, "the robot's start is in a wall or too near one"};
	return fine;
}

/* Store the pellets of s; laid: by the rule, not given. */
static struct verdict
store_pellets(struct pb_arena *a, const struct pb_round_opts *o,
    const struct pb_pellets *s, bool laid)
{
	bool keeps = !laid || o->keep_unreachable;
	size_t n = s->n;

	if (n == 0)
		return (struct verdict){PB_ENOENT,
		    "the map has no place for a pellet with this spacing "
		    "and clearance"};
	if (n > PB_ROUND_IDS)
		return (struct verdict){
		    PB_ESIZE, "a round has at most 4096 pellets"};
	a->pellet = pb_pool_get(&a->pool, n, sizeof(*a->pellet));
	a->at = pb_pool_get(&a->pool, n, sizeof(*a->at));
	a->cell = pb_pool_get(&a->pool, n, sizeof(*a->cell));
	if (a->pool.failed)
		return no_memory;
	for (size_t i = 0; i < n; i++) {
		struct pb_pellet p = s->all[i];

		if (p.id != (int)i)
			return (struct verdict){PB_EVALUE,
			    "the ids of pellets must be 0, 1, 2, ..."};
		if (!keeps && pb_arena_near(a, &a->hard, a->home, p.at,
				  fmin(o->pickup_radius, o->plan_tol)) < 0) {
			a->left_out++;
			continue;
		}
		p.id = a->n;
		a->pellet[a->n] = p;
		a->at[a->n] = p.at;
		a->cell[a->n] =
		    pb_arena_near(a, &a->hard, a->home, p.at, o->plan_tol);
		a->reach += a->cell[a->n++] >= 0;
	}
	if (a->reach == 0)
		return (struct verdict){a->n > 0 ? PB_EPATH : PB_ENOENT,
		    "no pellet can be reached from the start"};
	return fine;
}

static struct pb_pellet_opts
pellet_opts(const struct pb_round_opts *o)
{
	struct pb_pellet_opts p = pb_pellet_defaults();

	p.spacing = o->pellet_spacing;
	p.clearance = o->pellet_clearance;
	p.from = pb_pose_vec(o->start);
	p.robot = o->inscribed;
	p.pickup = o->pickup_radius;
	return p;
}

double
pb_arena_spacing(const struct pb_map *m, const void *opts, size_t *n)
{
	const struct pb_round_opts *o = opts;
	struct pb_pellet_opts p = pellet_opts(o);

	p.reach = o->has_start ? PB_REACH_FROM : PB_REACH_MAIN;
	return pb_pellets_spacing(m, &p, n);
}

static struct verdict
lay_pellets(const struct pb_map *m, const struct pb_round_opts *o,
    struct pb_pellets *set)
{
	const struct pb_pellet_opts p = pellet_opts(o);
	enum pb_status st = pb_pellets_lay(set, m, &p);

	return st ? (struct verdict){st, pb_status_text(st)} : fine;
}

static struct verdict
make_fields(struct pb_arena *a)
{
	const struct pb_map *m = &a->map;
	size_t cells = pb_map_cells(m);
	int n = a->n + 1;

	a->field = pb_pool_get(&a->pool, (size_t)n, sizeof(*a->field));
	if (!a->field)
		return no_memory;
	for (int i = 0; i < n; i++) {
		int goal = i < a->n ? a->cell[i] : a->home;

		a->field[i].goal = goal;
		a->field[i].grid = pb_grid_joined(&a->soft, a->home, goal)
		                       ? &a->soft
		                       : &a->hard;
	}
	if (cells * (size_t)n > FIELD_CELLS)
		return fine;
	a->distance =
	    pb_pool_get(&a->pool, cells * (size_t)n, sizeof(*a->distance));
	a->maker = pb_pool_get(&a->pool, 1, sizeof(*a->maker));
	if (!a->distance || !a->maker)
		return no_memory;
	a->maker->work = pb_pool_get(
	    &a->pool, pb_field_room(&a->hard), sizeof(*a->maker->work));
	if (!a->maker->work)
		return no_memory;
	for (int i = 0; i < n; i++)
		a->field[i].d = a->distance + cells * (size_t)i;
	return fine;
}

/* Threads wait for the one that makes a field, 25 ms for a million cells: as
 * they play the same pellets they would make the same ones. */
const struct pb_way_field *
pb_arena_field(const struct pb_arena *a, int i)
{
	struct pb_way_field *f = &a->field[i];
	struct pb_field_maker *m = a->maker;

	if (!f->d || atomic_load_explicit(&f->made, memory_order_acquire))
		return f;
	while (atomic_exchange_explicit(&m->busy, true, memory_order_acquire))
		;
	if (!f->made)
		pb_field_between(f->grid, f->goal, -1, m->work, f->d);
	atomic_store_explicit(&f->made, true, memory_order_release);
	atomic_store_explicit(&m->busy, false, memory_order_release);
	return f;
}

static struct verdict
build_arena(struct pb_arena *a, const struct pb_map *m,
    const struct pb_round_opts *o, const struct pb_pellets *s)
{
	struct pb_pellets laid = {0};
	const char *bad, *why;
	struct verdict v;

	if ((bad = pb_round_wrong(o, &why)) != NULL)
		return (struct verdict){PB_EVALUE, bad};
	if (copy_known(m, o, &a->map))
		return no_memory;
	a->yaw_cos = pb_cos(m->origin.th);
	a->yaw_sin = pb_sin(m->origin.th);
	a->per_metre = 1 / m->resolution;
	a->lo = (struct pb_vec){a->map.left, a->map.below};
	a->hi = (struct pb_vec){
	    a->map.left + a->map.width, a->map.below + a->map.height};
	v = make_grids(a, o);
	if (!v.st && !s) {
		v = lay_pellets(m, o, &laid);
		s = &laid;
	}
	if (!v.st)
		v = place_robot(a, o, s);
	if (!v.st)
		v = make_clyde(a, o);
	if (!v.st)
		v = store_pellets(a, o, s, s == &laid);
	if (!v.st)
		v = make_fields(a);
	pb_pellets_clear(&laid);
	return v;
}

enum pb_status
pb_arena_new(struct pb_arena **out, const struct pb_map *m,
    const struct pb_round_opts *o, const struct pb_pellets *s, const char **why)
{
	struct pb_arena *a = calloc(1, sizeof(*a));
	struct verdict v = a ? build_arena(a, m, o, s) : no_memory;

	if (!v.st) {
		a->body_edt = &a->edt;
		a->body = &a->hard;
		*out = a;
		return PB_OK;
	}
	pb_arena_free(a);
	if (why)
		*why = v.why;
	return v.st;
}

enum pb_status
pb_arena_surround(struct pb_arena *a, const struct pb_map *map,
    const struct pb_map *truth, const struct pb_round_opts *o, const char **why)
{
	double area = a->map.resolution * a->map.resolution *
	              (double)pb_map_free_cells(&a->map);
	struct pb_surroundings *s = &a->around;
	enum pb_status st;

	if (truth != NULL && (st = make_walls(s, a, truth, o, why)) != PB_OK)
		return st;
	if (area < FLOOR * o->people) {
		*why = "there are more people than the floor has room for";
		return PB_ENOFREE;
	}
	if (truth != NULL) {
		a->body_edt = &s->edt;
		a->body = &s->body;
	}
	st = pb_rays_new(truth ? &s->world : &a->map, false, &s->rays);
	return st == PB_OK ? learn_map(s, map, o, why) : st;
}

void
pb_arena_free(void *arena)
{
	struct pb_arena *a = arena;
	struct pb_surroundings *s;

	if (!a)
		return;
	s = &a->around;
	if (s->method != NULL && s->model != NULL)
		s->method->forget(s->model);
	pb_rays_free(s->rays);
	pb_edt_clear(&s->edt);
	pb_grid_clear(&s->body);
	pb_map_clear(&s->world);
	pb_pool_clear(&a->pool);
	pb_clyde_world_clear(&a->clyde);
	pb_grid_clear(&a->hard);
	pb_grid_clear(&a->soft);
	pb_edt_clear(&a->edt);
	pb_map_clear(&a->map);
	free(a);
}

struct pb_vec
pb_arena_centre(const struct pb_arena *a, int i)
{
	const struct pb_map *m = &a->map;
	double c = (m->left + i % m->width + 0.5) * m->resolution;
	double r = (m->below + i / m->width + 0.5) * m->resolution;

	return (struct pb_vec){
	    m->origin.x + a->yaw_cos * c - a->yaw_sin * r,
	    m->origin.y + a->yaw_sin * c + a->yaw_cos * r,
	};
}

struct pb_disc
pb_arena_disc(const struct pb_arena *a, struct pb_vec p, double radius)
{
	struct pb_vec q = pb_vec_into(a->map.origin, p);

	return (struct pb_disc){q.x * a->per_metre - 0.5 - a->map.left,
	    q.y * a->per_metre - 0.5 - a->map.below, radius * a->per_metre};
}

double
pb_arena_clearance(const struct pb_arena *a, struct pb_vec p)
{
	int i = pb_arena_cell(a, p);

	return i < 0 ? 0
	             : pb_edt_clearance(&a->edt, (size_t)i, a->map.resolution);
}

/* Clamp column or row v to 0..n - 1. */
static int
clamp_index(double v, int n)
{
	return v > n - 1 ? n - 1 : v > 0 ? (int)v : 0;
}

int
pb_arena_near(const struct pb_arena *a, const struct pb_grid *g, int to,
    struct pb_vec p, double tol)
{
	struct pb_cell c = pb_map_cell(&a->map, p);
	double k = tol * a->per_metre + 1;
	struct pb_cell lo = {clamp_index(c.col - k, g->width),
	    clamp_index(c.row - k, g->height)};
	struct pb_cell hi = {clamp_index(c.col + k, g->width),
	    clamp_index(c.row + k, g->height)};
	double best = tol;
	int own = pb_arena_cell(a, p), found = -1;

	if (pb_grid_joined(g, own, to))
		return own;
	for (int row = lo.row; row <= hi.row; row++)
		for (int col = lo.col; col <= hi.col; col++) {
			int i = row * g->width + col;
			double d;

			if (!pb_grid_joined(g, i, to))
				continue;
			d = pb_dist(p, pb_arena_centre(a, i));
			if (d < best || (found < 0 && d <= best)) {
				best = d;
				found = i;
			}
		}
	return found;
}
