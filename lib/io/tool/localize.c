/* localize.c - a localization method on a stream of records. */
#include "io/tool/localize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pb/localizer.h"
#include "pb/maze.h"

void
pb_localize_init(struct pb_localize *z, const struct pb_localize_opts *o)
{
	*z = (struct pb_localize){.o = o, .last_t = -INFINITY};
}

/* Forget the world, and what was said and heard in it. */
static void
leave(struct pb_localize *z)
{
	if (z->method)
		z->method->forget(z->known);
	free(z->mem);
	free(z->cloud);
	pb_cells_clear(&z->cells);
	pb_map_clear(&z->map);
	pb_localize_init(z, z->o);
}

void
pb_localize_clear(struct pb_localize *z)
{
	leave(z);
}

static struct pb_pose
into_frame(const struct pb_localize *z, struct pb_pose p)
{
	return z->turned ? pb_pose_compose(pb_pose_inverse(z->frame), p) : p;
}

static struct pb_pose
from_frame(const struct pb_localize *z, struct pb_pose p)
{
	return z->turned ? pb_pose_compose(z->frame, p) : p;
}

/* The robot's own pose at the start is nonsense in a wall. */
static bool
check_place(const struct pb_localize *z, struct pb_pose p, struct pb_bad *bad)
{
	struct pb_vec v = {p.x, p.y};
	struct pb_cell c;
	int row, col;
	const char *what = NULL;

	if (z->map.cell) {
		c = pb_map_cell(&z->map, v);
		if (!pb_map_inside(&z->map, c))
			what = "outside the map";
		else if (pb_cell_occupied(pb_map_at(&z->map, c)))
			what = "in a wall";
		else if (!pb_cell_free(pb_map_at(&z->map, c)))
			what = "where the map is unknown";
	} else if (z->cells.cell) {
		v = pb_vec_into(z->frame, v);
		v = (struct pb_vec){v.x / z->side, v.y / z->side};
		pb_cells_of_xy(v, &row, &col);
		if (pb_cells_at(&z->cells, row, col) < 0)
			what = "in a wall or outside the maze";
	}
	return !what ||
	       pb_bad_set(bad, "the start (%g, %g) is %s", p.x, p.y, what);
}

static void
begin(struct pb_localize *z, enum pb_loc_begin kind, struct pb_pose at,
    const double (*cov)[3])
{
	struct pb_loc_start s = {.kind = kind,
	    .pose = into_frame(z, at),
	    .seed = z->o->seed,
	    .trial = z->o->trial};

	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			s.cov[i][k] = cov      ? cov[i][k]
			              : i == k ? z->o->var[i]
			                       : 0;
	if (z->turned)
		pb_loc_turn_cov(s.cov, -z->frame.th);
	z->method->reset(z->mem, z->known, &s);
	if (z->has_odom)
		z->method->predict(z->mem, z->known, z->odom);
	z->begun = true;
}

static const void *
constants_of(const struct pb_localize *z)
{
	int i = 0;

	while (pb_localizer_at(i) != z->method)
		i++;
	return z->o->constants[i];
}

/* The method learns its world. */
static bool
learn(struct pb_localize *z, enum pb_loc_place place, struct pb_bad *bad)
{
	const struct pb_loc_world w = {.map = z->map.cell ? &z->map : NULL,
	    .maze = z->cells.cell ? &z->maze : NULL,
	    .cells = z->cells.cell ? &z->cells : NULL,
	    .cell = z->side};
	const struct pb_localizer *m =
	    z->o->method ? z->o->method : pb_localizer_for(place);
	static const char *const places[] = {[PB_LOC_ON_MAP] = "map",
	    [PB_LOC_IN_MAZE] = "maze",
	    [PB_LOC_NOWHERE] = "stream without map or maze"};
	enum pb_status st;

	if (!m || !(m->places & (unsigned)place))
		return pb_bad_set(bad, "%s: the method %s is not for a %s",
		    places[place], m ? m->name : "", places[place]);
	z->method = m;
	st = m->learn(&w, constants_of(z), &z->known);
	if (st != PB_OK) {
		z->method = NULL;
		return st == PB_ENOMEM ? pb_bad_nomem(bad, places[place])
		                       : pb_bad_set(bad, "%s: %s",
					     places[place], pb_status_text(st));
	}
	z->mem = calloc(1, m->memory(z->known));
	z->cloud = calloc((size_t)z->o->particles + 1, sizeof(*z->cloud));
	if (!z->mem || !z->cloud)
		return pb_bad_nomem(bad, places[place]);
	return true;
}

/* A world was read, or none is needed. */
static bool
enter(struct pb_localize *z, enum pb_loc_place place, struct pb_bad *bad)
{
	if (!learn(z, place, bad))
		return false;
	if (z->o->start == PB_START_AT) {
		if (!check_place(z, z->o->at, bad))
			return false;
		begin(z, PB_LOC_NEAR, z->o->at, NULL);
	} else if (z->o->start == PB_START_ANYWHERE) {
		begin(z, PB_LOC_ANYWHERE, (struct pb_pose){0, 0, 0}, NULL);
	}
	return true;
}

static bool
take_map(struct pb_localize *z, struct pb_map *m, struct pb_bad *bad)
{
	leave(z);
	if (z->o->cell > 0)
		return pb_bad_set(bad, "map: --cell goes with a maze");
	z->map = *m;
	*m = (struct pb_map){.cell = NULL};
	if (enter(z, PB_LOC_ON_MAP, bad))
		return true;
	leave(z);
	return false;
}

static bool
has_goal(const struct pb_maze *m)
{
	for (int r = 0; r < m->rows; r++)
		for (int c = 0; c < m->cols; c++)
			if (m->cell[r][c] == PB_MAZE_GOAL)
				return true;
	return false;
}

/*
 * Whether a method for maps is to have this maze: range sensors see walls
 * between cells, and the whole blocks of a board with a goal, which the
 * methods for mazes know nothing of.
 */
static bool
is_map(const struct pb_localize *z, const struct pb_maze *m)
{
	const struct pb_localizer *l = z->o->method;

	return (pb_maze_sided(m) || has_goal(m)) &&
	       (!l || !(l->places & PB_LOC_IN_MAZE));
}

static bool
take_walled(struct pb_localize *z, const struct pb_maze *m, struct pb_bad *bad)
{
	struct pb_maze sized = *m;
	struct pb_map map;
	enum pb_status st;

	if (z->o->cell > 0)
		sized.pitch = z->o->cell;
	st = pb_maze_walled(&sized, &map);
	return st == PB_OK ? take_map(z, &map, bad)
	                   : pb_bad_status(bad, "maze", st);
}

static bool
take_maze(struct pb_localize *z, const struct pb_maze *m, struct pb_bad *bad)
{
	enum pb_status st;

	if (is_map(z, m))
		return take_walled(z, m, bad);
	leave(z);
	z->maze = *m;
	z->turned = true;
	z->side = z->o->cell > 0 ? z->o->cell : pb_maze_pitch(m);
	z->frame = pb_loc_frame(m, z->side);
	st = pb_cells_init(&z->cells, &z->maze);
	if (st != PB_OK)
		pb_bad_status(bad, "maze", st);
	if (st == PB_OK && enter(z, PB_LOC_IN_MAZE, bad))
		return true;
	leave(z);
	return false;
}

static bool
take_pose(
    struct pb_localize *z, const struct pb_rec_pose *p, struct pb_bad *bad)
{
	struct pb_pose at = {p->x, p->y, p->theta};
	const double(*cov)[3] = p->has_cov ? p->cov : NULL;

	z->replaced = strcmp(p->source, "estimate") == 0;
	if (!z->method)
		return true;
	if (strcmp(p->source, "initial") == 0) {
		if (!check_place(z, at, bad))
			return false;
		begin(z, PB_LOC_NEAR, at, cov);
	} else if (strcmp(p->source, "truth") == 0 && !z->begun &&
		   z->o->start == PB_START_TRUTH) {
		begin(z, PB_LOC_NEAR, at, cov);
	}
	return true;
}

static void
take_scan(
    struct pb_localize *z, const struct pb_rec_scan *c, struct pb_place place)
{
	const struct pb_scan s = pb_rec_as_scan(c);

	pb_localize_see_scan(z, c, place);
	pb_localize_see_stamp(z);
	z->scans++;
	if (!z->method || !z->begun || !z->method->scan)
		return;
	z->method->scan(z->mem, z->known, &s);
	z->due = true;
}

static void
take_fix(struct pb_localize *z, const struct pb_rec_fix *f)
{
	struct pb_loc_fix x = {{f->x, f->y}};

	if (z->turned)
		x.at = pb_vec_into(z->frame, x.at);
	if (!z->method || !z->begun || !z->method->fix)
		return;
	z->method->fix(z->mem, z->known, &x);
	z->due = true;
}

static void
take_odom(struct pb_localize *z, const struct pb_rec_odom *d)
{
	z->odom = into_frame(z, (struct pb_pose){d->x, d->y, d->theta});
	z->has_odom = true;
	if (z->method && z->begun)
		z->method->predict(z->mem, z->known, z->odom);
}

/* Simulators call the robot's true pose by a name of its own. */
static bool
is_his(const struct pb_localize *z, const struct pb_rec *r)
{
	const char *id = r->stamp.id;

	return *id == '\0' || strcmp(id, z->o->id) == 0 ||
	       (r->type == PB_REC_POSE && strcmp(id, "truth") == 0);
}

static bool
take_heard(struct pb_localize *z, struct pb_rec *r, struct pb_place place,
    struct pb_bad *bad)
{
	/* A method may need no world: it begins with what the robot hears. */
	if (!z->method && z->o->method &&
	    (z->o->method->places & PB_LOC_NOWHERE) &&
	    !enter(z, PB_LOC_NOWHERE, bad))
		return false;
	if (r->type == PB_REC_POSE)
		return take_pose(z, &r->pose, bad);
	pb_localize_see_time(z, place);
	if (r->type == PB_REC_ODOM)
		take_odom(z, &r->odom);
	else if (r->type == PB_REC_SCAN)
		take_scan(z, &r->scan, place);
	else
		take_fix(z, &r->fix);
	return true;
}

bool
pb_localize_take(struct pb_localize *z, struct pb_rec *r, struct pb_place place,
    struct pb_bad *bad)
{
	z->replaced = z->due = false;
	z->t = r->stamp.t;
	switch (r->type) {
	case PB_REC_MAP:
		return take_map(z, &r->map, bad);
	case PB_REC_MAZE:
		return take_maze(z, &r->maze, bad);
	case PB_REC_BELIEF:
		z->replaced = is_his(z, r);
		return true;
	case PB_REC_POSE:
	case PB_REC_ODOM:
	case PB_REC_SCAN:
	case PB_REC_FIX:
		return !is_his(z, r) || take_heard(z, r, place, bad);
	default:
		return true;
	}
}

void
pb_localize_answer(const struct pb_localize *z, struct pb_belief *b)
{
	z->method->estimate(z->mem, z->known, b);
	for (int i = 0; z->turned && i < b->n; i++) {
		b->at[i].pose = from_frame(z, b->at[i].pose);
		pb_loc_turn_cov(b->at[i].cov, z->frame.th);
	}
}

static void
write_belief(struct pb_localize *z, const struct pb_belief *b,
    struct pb_stamp s, struct pb_text *out)
{
	struct pb_rec_belief r = {.n = b->n, .particle = z->cloud};

	PB_REC_SET(r.status, pb_loc_status_text(b->status));
	memcpy(r.at, b->at, sizeof(r.at));
	if (z->o->particles > 0 && z->method->particles)
		r.particles = z->method->particles(
		    z->mem, z->known, z->cloud, (size_t)z->o->particles);
	for (size_t i = 0; i < r.particles; i++)
		z->cloud[i] = from_frame(z, z->cloud[i]);
	pb_put_belief(out, s, &r);
}

void
pb_localize_write(
    struct pb_localize *z, const struct pb_belief *b, struct pb_text *out)
{
	struct pb_stamp s = pb_stamp_at(z->t, z->o->id);

	z->answers++;
	if (b->n > 0) {
		const struct pb_hypothesis *h = &b->at[0];
		struct pb_rec_pose p = {.x = h->pose.x,
		    .y = h->pose.y,
		    .theta = h->pose.th,
		    .has_cov = true};

		memcpy(p.cov, h->cov, sizeof(p.cov));
		PB_REC_SET(p.source, "estimate");
		PB_REC_SET(p.status, pb_loc_status_text(b->status));
		pb_put_pose(out, s, &p);
	}
	if (z->o->belief)
		write_belief(z, b, s, out);
}
