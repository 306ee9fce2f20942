/* surroundings.c - what the robot's body and its lidar meet: walls as they
 * are, boxes, people. */
#include "game/pacmanbot/surroundings.h"

#include <math.h>
#include <stdlib.h>

#include "localize/mcl.h"
#include "localize/odom.h"
#include "localize/onboard.h"
#include "pb/rng.h"

/* Each person needs so much floor (m2). */
#define FLOOR 1.0

/* Of the map's free cells this share has to be free in a world, or it is of
 * somewhere else. */
#define ALIKE 0.5

/* The value of w where cell i of the grid m has its centre. */
static int
look_up(const struct pb_map *m, size_t i, const struct pb_map *w)
{
	struct pb_cell c =
	    pb_map_cell(w, pb_map_centre(m, pb_map_cell_of(m, i)));

	return pb_map_inside(w, c) ? w->cell[pb_map_index(w, c)]
	                           : PB_CELL_UNKNOWN;
}

/*
 * Walls of w about a body, on the cells of m. What is unknown to both is as
 * solid as the arena has it; beyond the world there is nothing to stand on.
 */
static enum pb_status
make_walls(struct pb_walls *s, const struct pb_map *m, const struct pb_map *w,
    const struct pb_round_opts *o)
{
	size_t n = pb_map_cells(m);
	enum pb_status st = pb_edt_init(&s->edt, m->width, m->height);

	s->free = malloc(n);
	if (st != PB_OK || s->free == NULL)
		return PB_ENOMEM;
	for (size_t i = 0; i < n; i++) {
		int v = look_up(m, i, w);

		s->free[i] =
		    o->plan_unknown ? pb_cell_occupied(v) : !pb_cell_free(v);
	}
	pb_edt_run(&s->edt, s->free, true);
	pb_edt_trim(&s->edt);
	pb_edt_within(&s->edt, o->inscribed / m->resolution, s->free);
	for (size_t i = 0; i < n; i++)
		s->free[i] = !s->free[i];
	return PB_OK;
}

/* Whether m and a world are of one place. */
static bool
is_alike(const struct pb_map *m, const struct pb_map *w)
{
	size_t nfree = 0, both = 0;

	for (size_t i = 0; i < pb_map_cells(m); i++)
		if (pb_cell_free(m->cell[i])) {
			nfree++;
			both += pb_cell_free(look_up(m, i, w));
		}
	return (double)both >= ALIKE * (double)nfree;
}

static const char *
check_world(const struct pb_map *m, const struct pb_map *w, struct pb_vec at)
{
	struct pb_cell c = pb_map_cell(w, at);

	if (!pb_map_inside(w, c))
		return "the world does not contain the robot's start";
	if (!is_alike(m, w))
		return "the world is of another frame: most of the map's free "
		       "floor is not free there";
	return NULL;
}

static bool
has_room(const struct pb_map *m, int people)
{
	double area = 0, cell = m->resolution * m->resolution;

	for (size_t i = 0; i < pb_map_cells(m); i++)
		area += pb_cell_free(m->cell[i]) ? cell : 0;
	return area >= FLOOR * people;
}

/* The wheels are believed to err thirty times as much (in variance) as they
 * do, for what they do not notice. */
static void
doubt_wheels(const struct pb_localizer *m, void *opts, const void *ctx)
{
	const struct pb_round_opts *o = ctx;
	struct pb_mcl_opts *f = opts;
	const double doubt = 30;

	if (m != &pb_loc_mcl)
		return;
	f->rot_rot = doubt * o->odom_rot_rot;
	f->rot_trans = doubt * o->odom_rot_trans;
	f->trans_trans = doubt * o->odom_trans_trans;
	f->trans_rot = doubt * o->odom_trans_rot;
}

static enum pb_status
learn(
    struct pb_surroundings *s, const struct pb_round_opts *o, const char **why)
{
	static const struct pb_localizer *const method[] = {
	    [PB_BY_MCL] = &pb_loc_mcl, [PB_BY_ODOM] = &pb_loc_odom};
	const struct pb_loc_world w = {.map = &s->map};
	enum pb_status st;

	if ((s->method = method[o->localizer]) == NULL)
		return PB_OK;
	st = pb_onboard_learn(
	    s->method, &w, pb_round_params, o, doubt_wheels, o, &s->known);
	if (st == PB_EEMPTY)
		*why = "there is nothing on the map that a lidar could see";
	return st;
}

enum pb_status
pb_surroundings_init(struct pb_surroundings *s, const struct pb_map *part,
    const struct pb_map *map, const struct pb_map *truth, struct pb_vec at,
    const struct pb_round_opts *o, const char **why)
{
	struct pb_cell c = pb_map_cell(part, at);
	enum pb_status st;

	*s = (struct pb_surroundings){.differs = truth != NULL};
	if (truth != NULL && (*why = check_world(part, truth, at)) != NULL)
		return PB_EVALUE;
	if (!has_room(part, o->people)) {
		*why = "there are more people than the floor has room for";
		return PB_ENOFREE;
	}
	if ((st = pb_map_copy(&s->map, map)) != PB_OK ||
	    (st = pb_map_copy(&s->world, truth ? truth : map)) != PB_OK)
		return st;
	if (s->differs)
		st = make_walls(&s->body, part, &s->world, o);
	if (st == PB_OK)
		st = pb_rays_new(&s->world, false, &s->rays);
	if (st == PB_OK && s->differs && !s->body.free[pb_map_index(part, c)]) {
		*why = "the robot's start is in a wall of the world, or too "
		       "near one";
		return PB_EWALL;
	}
	return st == PB_OK ? learn(s, o, why) : st;
}

void
pb_surroundings_clear(struct pb_surroundings *s)
{
	if (s->method != NULL && s->known != NULL)
		s->method->forget(s->known);
	pb_rays_free(s->rays);
	pb_edt_clear(&s->body.edt);
	free(s->body.free);
	pb_map_clear(&s->world);
	pb_map_clear(&s->map);
	*s = (struct pb_surroundings){.differs = false};
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
