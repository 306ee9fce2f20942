/* surroundings.c - what the robot's body and its lidar meet: walls as they
 * are, boxes, people. */
#include "game/pacmanbot/surroundings.h"

#include <math.h>
#include <stdlib.h>

#include "localize/mcl.h"
#include "localize/odom.h"
#include "localize/onboard.h"
#include "pb/rng.h"

/* What is gone is gone this far around a place of a wall (m); glass comes in
 * panes of such a side (m). */
#define HOLE 0.3
#define PANE 0.5

/* Each person needs so much floor (m2). */
#define FLOOR 1.0

/* Of the map's free cells this share has to be free in a world, or it is of
 * somewhere else. */
#define ALIKE 0.5

static bool
is_wall(const struct pb_map *m, size_t i)
{
	return pb_cell_occupied(m->cell[i]);
}

/* Whether a place of a wall faces free floor. */
static bool
faces_floor(const struct pb_map *m, size_t i)
{
	struct pb_cell c = pb_map_cell_of(m, i);

	for (int d = 0; d < 4; d++) {
		struct pb_cell n = {
		    c.col + (d == 0) - (d == 1), c.row + (d == 2) - (d == 3)};

		if (pb_map_inside(m, n) &&
		    pb_cell_free(m->cell[pb_map_index(m, n)]))
			return true;
	}
	return false;
}

/* Take the walls away around a cell. */
static void
make_hole(struct pb_map *m, size_t i)
{
	struct pb_cell c = pb_map_cell_of(m, i);
	int r = (int)(HOLE / m->resolution);

	for (int row = c.row - r; row <= c.row + r; row++)
		for (int col = c.col - r; col <= c.col + r; col++) {
			struct pb_cell n = {col, row};
			int dc = col - c.col, dr = row - c.row;

			if (pb_map_inside(m, n) && dc * dc + dr * dr <= r * r &&
			    is_wall(m, pb_map_index(m, n)))
				m->cell[pb_map_index(m, n)] = 0;
		}
}

/* Draw what is gone, of the walls that face floor: one after the other, as
 * each changes the floor. */
static void
take_away(struct pb_map *m, int n, struct pb_rng *rng)
{
	size_t cells = pb_map_cells(m);

	while (n-- > 0) {
		uint32_t faces = 0, k;
		size_t i = 0;

		for (size_t j = 0; j < cells; j++)
			faces += is_wall(m, j) && faces_floor(m, j);
		if (faces == 0)
			return;
		k = pb_rng_below(rng, faces);
		for (;; i++)
			if (is_wall(m, i) && faces_floor(m, i) && k-- == 0)
				break;
		make_hole(m, i);
	}
}

/* Whether the pane that p belongs to is glass: a draw of its own for each, so
 * that one pane does not depend on the others. */
static bool
is_glass(struct pb_vec p, double share, uint64_t seed)
{
	struct pb_rng rng;
	uint64_t x = (uint64_t)(int64_t)floor(p.x / PANE);
	uint64_t y = (uint64_t)(int64_t)floor(p.y / PANE);

	pb_rng_start(&rng, seed, x << 32 ^ (y & UINT32_MAX), PB_FOR_MAP, 1);
	return pb_rng_unit(&rng) < share;
}

enum pb_status
pb_surroundings_seen(const struct pb_surroundings *s,
    const struct pb_round_opts *o, struct pb_map *out)
{
	const struct pb_map *w = &s->world;
	enum pb_status st = pb_map_copy(out, w);

	if (st != PB_OK)
		return st;
	for (size_t i = 0; s->glass && i < pb_map_cells(w); i++)
		if (is_wall(w, i) &&
		    is_glass(pb_map_centre(w, pb_map_cell_of(w, i)), o->glass,
			(uint64_t)o->world_seed))
			out->cell[i] = 0;
	return PB_OK;
}

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

/* The world's walls, for the body and for the lidar. */
static enum pb_status
build(struct pb_surroundings *s, const struct pb_map *m,
    const struct pb_round_opts *o)
{
	struct pb_map clear = {.cell = NULL};
	enum pb_status st = PB_OK;

	s->glass = o->glass > 0;
	if (s->differs)
		st = make_walls(&s->body, m, &s->world, o);
	if (st == PB_OK && s->glass)
		st = pb_surroundings_seen(s, o, &clear);
	if (st == PB_OK && s->glass)
		st = make_walls(&s->seen, m, &clear, o);
	if (st == PB_OK)
		st =
		    pb_rays_new(s->glass ? &clear : &s->world, false, &s->rays);
	pb_map_clear(&clear);
	return st;
}

enum pb_status
pb_surroundings_init(struct pb_surroundings *s, const struct pb_map *part,
    const struct pb_map *map, const struct pb_map *truth, struct pb_vec at,
    const struct pb_round_opts *o, const char **why)
{
	struct pb_cell c = pb_map_cell(part, at);
	struct pb_rng rng;
	enum pb_status st;

	*s = (struct pb_surroundings){
	    .differs = truth != NULL || o->removed > 0};
	if (truth != NULL && (*why = check_world(part, truth, at)) != NULL)
		return PB_EVALUE;
	if (!has_room(part, o->people)) {
		*why = "there are more people than the floor has room for";
		return PB_ENOFREE;
	}
	if ((st = pb_map_copy(&s->map, map)) != PB_OK ||
	    (st = pb_map_copy(&s->world, truth ? truth : map)) != PB_OK)
		return st;
	pb_rng_start(&rng, (uint64_t)o->world_seed, 0, PB_FOR_MAP, 0);
	take_away(&s->world, o->removed, &rng);
	st = build(s, part, o);
	if (st == PB_OK && s->differs && !s->body.free[pb_map_index(part, c)]) {
		*why = "the robot's start is in a wall of the world, or too "
		       "near one";
		return PB_EWALL;
	}
	return st == PB_OK ? learn(s, o, why) : st;
}

static void
clear_walls(struct pb_walls *w)
{
	pb_edt_clear(&w->edt);
	free(w->free);
}

void
pb_surroundings_clear(struct pb_surroundings *s)
{
	if (s->method != NULL && s->known != NULL)
		s->method->forget(s->known);
	pb_rays_free(s->rays);
	clear_walls(&s->seen);
	clear_walls(&s->body);
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
