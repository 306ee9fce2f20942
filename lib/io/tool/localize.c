/* localize.c - run a localization method on a stream of records. */
#include "io/tool/localize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/filter.h"
#include "io/file/mapsource.h"
#include "io/file/logfile.h"
#include "io/ros/ros_records.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "pb/localizer.h"
#include "pb/maze.h"

void
pb_method_opts_init(struct pb_method_opts *o)
{
	const struct pb_localizer *m;

	*o = (struct pb_method_opts){.constants = {NULL}};
	for (int i = 0; (m = pb_localizer_at(i)); i++) {
		o->constants[i] = pb_alloc(1, m->opts_size);
		pb_localizer_defaults(m, o->constants[i]);
	}
}

void
pb_method_opts_clear(struct pb_method_opts *o)
{
	for (int i = 0; i < PB_LOCALIZE_METHODS; i++)
		free(o->constants[i]);
	*o = (struct pb_method_opts){.constants = {NULL}};
}

void
pb_method_sets(struct pb_method_opts *o, struct pb_set *s)
{
	const struct pb_localizer *m;

	for (int i = 0; (m = pb_localizer_at(i)); i++) {
		snprintf(
		    o->title[i], sizeof(o->title[i]), "the method %s", m->name);
		pb_set_add(s, (struct pb_set_group){.of = o->title[i],
				  .title = m->name,
				  .params = m->params,
				  .base = o->constants[i],
				  .prefix = m->name});
	}
}

void
pb_localize_opts_init(struct pb_localize_opts *o)
{
	double heading = PB_PI / 12;

	*o = (struct pb_localize_opts){
	    .var = {0.25, 0.25, heading * heading}, .seed = 1, .id = "robot"};
	pb_method_opts_init(&o->methods);
}

/* A localizer running. */
struct localizing {
	const struct pb_localize_opts *o;
	const struct pb_localizer *method; /* current; NULL: no world yet */
	struct pb_map map;                 /* owned */
	struct pb_maze maze;
	struct pb_cells cells; /* owned */
	double side;           /* of a cell of the maze (m) */
	bool turned;           /* the method has its own frame, ... */
	struct pb_pose frame;  /* ... this, in the records' frame */
	void *known, *mem;     /* of the method, owned */
	bool begun;            /* the method was started */
	bool sensed;           /* a scan or fix came */
	bool has_odom;
	struct pb_pose odom;   /* last odometry */
	struct pb_pose *cloud; /* room for particles, owned */

	/* Results of use_record(): */
	bool replaced; /* the record is an estimate that ours replaces */
	bool due;      /* the method has a new answer */
	double t;      /* of the record; NAN: none (s) */

	/* Warnings printed, as each is printed once. */
	unsigned said;
	double last_t;
	double scan_t;     /* of the previous scan (s) */
	long stamps_again; /* scans with the previous scan's time */
	size_t beams;      /* of the previous scan */
	long scans;        /* given to the method */
	long answers;      /* answers of the method, ... */
	long found;        /* ... those that are not lost */
};

/* Bits of said. */
enum {
	SAID_TIME = 1,
	SAID_BLIND = 2,
	SAID_BEAMS = 4,
	SAID_ANGLE = 8,
	SAID_INITIAL = 16,
	SAID_UNITS = 32
};

/* Whether this is the first time for a warning; marks it as printed. */
static bool
is_first_time(struct localizing *z, unsigned what)
{
	bool first = !(z->said & what);

	z->said |= what;
	return first;
}

/* Warn of times that go back, once. */
static void
check_time(struct localizing *z, struct pb_place place)
{
	if (z->t < z->last_t && is_first_time(z, SAID_TIME))
		pb_msg_warn(place,
		    "t: %g s after %g s; using the records in their order, "
		    "whatever their time",
		    z->t, z->last_t);
	if (isfinite(z->t))
		z->last_t = z->t;
}

static void
check_scan(
    struct localizing *z, const struct pb_rec_scan *c, struct pb_place place)
{
	const struct pb_scan s = pb_rec_as_scan(c);
	double end = c->angle_min + (double)(c->n - 1) * c->angle_increment;
	struct pb_error why;

	if (pb_scan_odd(&s, &why) && is_first_time(z, SAID_UNITS))
		pb_msg_warn(place, "%s", why.text);
	if (pb_scan_seen(&s) == 0 && is_first_time(z, SAID_BLIND))
		pb_msg_warn(
		    place, "scan.ranges: no beam of %zu has a range", c->n);
	if (z->scans > 0 && c->n != z->beams && is_first_time(z, SAID_BEAMS))
		pb_msg_warn(place,
		    "scan.ranges: %zu beams, the scan before had %zu", c->n,
		    z->beams);
	z->beams = c->n;
	if (c->n > 0 &&
	    fabs(c->angle_max - end) > fabs(c->angle_increment) / 2 + 1e-6 &&
	    is_first_time(z, SAID_ANGLE))
		pb_msg_warn(place,
		    "scan.angle_max: expected %g by %zu beams, got %g; "
		    "ignored",
		    end, c->n, c->angle_max);
}

/* After the last record of the stream at `at`: print what was missing. A file
 * without any estimate is refused; a stream may be short. */
static void
report_missing(const struct localizing *z, struct pb_place at, bool file)
{
	const struct pb_localizer *m = z->method ? z->method : z->o->method;
	enum pb_say as = file ? PB_SAY_REFUSED : PB_SAY_WARN;
	bool nowhere = m && (m->places & PB_LOC_NOWHERE);

	/* A method without a world may have had no sensors. */
	if (!z->method && nowhere && !file)
		return;
	if (!z->method && !nowhere)
		pb_msg_refuse(at, "expected a map or maze record, got none");
	else if (z->method && !z->begun && !file)
		pb_msg_note("no pose with source truth came, so nothing was "
			    "estimated");
	else if (z->answers == 0)
		pb_msg_say(as, at, "no %s of %s came, so nothing was estimated",
		    z->method && !z->begun ? "pose with source truth"
		    : m->scan              ? "scan"
					   : "fix",
		    z->o->id);
	else if (z->found == 0)
		pb_msg_note("%s is lost in all of its %ld estimates: is it "
			    "the right map, and the right start?",
		    z->o->id, z->answers);
	if (z->stamps_again > 0)
		pb_msg_note(
		    "%ld of %ld scans have the time of the scan "
		    "before; they are used in their order, and their poses "
		    "have equal times",
		    z->stamps_again, z->scans);
	if (z->begun && z->scans > 0 && !z->has_odom)
		pb_msg_note("no odom record came: how the robot moved "
			    "between scans is not known");
}

/* Free the world and the method's memory; reset the warnings. */
static void
leave_world(struct localizing *z)
{
	if (z->method)
		z->method->forget(z->known);
	free(z->mem);
	free(z->cloud);
	pb_cells_clear(&z->cells);
	pb_map_clear(&z->map);
	*z = (struct localizing){.o = z->o, .last_t = -INFINITY};
}

static struct pb_pose
to_method(const struct localizing *z, struct pb_pose p)
{
	return z->turned ? pb_pose_into(z->frame, p) : p;
}

static struct pb_pose
to_records(const struct localizing *z, struct pb_pose p)
{
	return z->turned ? pb_pose_compose(z->frame, p) : p;
}

/* Warn of a start in a wall. */
static bool
check_place(const struct localizing *z, struct pb_pose p, struct pb_error *bad)
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
	       pb_error_set(bad, "the start (%g, %g) is %s; -g begins anywhere",
		   p.x, p.y, what);
}

static void
begin_at(struct localizing *z, enum pb_loc_begin kind, struct pb_pose at,
    const double (*cov)[3])
{
	struct pb_loc_start s = {.kind = kind,
	    .pose = to_method(z, at),
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
find_constants(const struct localizing *z)
{
	int i = 0;

	while (pb_localizer_at(i) != z->method)
		i++;
	return z->o->methods.constants[i];
}

/* Let the method prepare for its world. */
static bool
prepare_method(
    struct localizing *z, enum pb_loc_place place, struct pb_error *bad)
{
	const struct pb_loc_world w = {.map = z->map.cell ? &z->map : NULL,
	    .maze = z->cells.cell ? &z->maze : NULL,
	    .cells = z->cells.cell ? &z->cells : NULL,
	    .cell = z->side,
	    .stop = pb_pace_over};
	const struct pb_localizer *m =
	    z->o->method ? z->o->method : pb_localizer_for(place);
	static const char *const places[] = {[PB_LOC_ON_MAP] = "map",
	    [PB_LOC_IN_MAZE] = "maze",
	    [PB_LOC_NOWHERE] = "stream without map or maze"};
	enum pb_status st;

	if (!m || !(m->places & (unsigned)place))
		return pb_error_set(bad, "%s: the method %s is not for a %s",
		    places[place], m ? m->name : "", places[place]);
	z->method = m;
	st = m->learn(m, &w, find_constants(z), &z->known);
	if (st != PB_OK) {
		z->method = NULL;
		return pb_error_status(bad, places[place], st);
	}
	z->mem = pb_alloc(1, pb_localizer_memory(m, z->known));
	z->cloud = pb_alloc((size_t)z->o->particles + 1, sizeof(*z->cloud));
	return true;
}

/* Choose and prepare the method for a world, or without one. */
static bool
enter_world(struct localizing *z, enum pb_loc_place place, struct pb_error *bad)
{
	if (!prepare_method(z, place, bad))
		return false;
	if (z->o->start == PB_START_AT) {
		if (!check_place(z, z->o->at, bad))
			return false;
		begin_at(z, PB_LOC_NEAR, z->o->at, NULL);
	} else if (z->o->start == PB_START_ANYWHERE) {
		begin_at(z, PB_LOC_ANYWHERE, (struct pb_pose){0, 0, 0}, NULL);
	}
	return true;
}

static bool
use_map(struct localizing *z, struct pb_map *m, struct pb_error *bad)
{
	leave_world(z);
	if (z->o->cell > 0)
		return pb_error_set(bad, "map: --cell is only for a maze");
	z->map = *m;
	*m = (struct pb_map){.cell = NULL};
	if (enter_world(z, PB_LOC_ON_MAP, bad))
		return true;
	leave_world(z);
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
 * Whether to localize on a map of the maze: methods for mazes do not model
 * walls between cells, nor the blocks of a board with a goal. A method for
 * mazes that the user chose is used all the same.
 */
static bool
needs_map(const struct localizing *z, const struct pb_maze *m)
{
	const struct pb_localizer *l = z->o->method;

	return (pb_maze_sided(m) || has_goal(m)) &&
	       (!l || !(l->places & PB_LOC_IN_MAZE));
}

static bool
use_maze(struct localizing *z, const struct pb_maze *m, struct pb_error *bad)
{
	enum pb_status st;

	if (needs_map(z, m)) {
		struct pb_maze sized = *m;
		struct pb_map map;

		if (z->o->cell > 0)
			sized.pitch = z->o->cell;
		st = pb_maze_walled(&sized, &map);
		return st == PB_OK ? use_map(z, &map, bad)
		                   : pb_error_status(bad, "maze", st);
	}
	leave_world(z);
	z->maze = *m;
	z->turned = true;
	z->side = z->o->cell > 0 ? z->o->cell : pb_maze_pitch(m);
	z->frame = pb_loc_frame(m, z->side);
	st = pb_cells_init(&z->cells, &z->maze);
	if (st != PB_OK)
		pb_error_status(bad, "maze", st);
	if (st == PB_OK && enter_world(z, PB_LOC_IN_MAZE, bad))
		return true;
	leave_world(z);
	return false;
}

/* Whether to ignore an initial pose for the start given by the user. */
static bool
yields_to_start(struct localizing *z)
{
	bool anywhere = z->o->start == PB_START_ANYWHERE;

	if (!z->o->asked || z->sensed)
		return false;
	if (is_first_time(z, SAID_INITIAL))
		pb_msg_note(
		    "ignoring an initial pose before the first scan: %s sets the start",
		    anywhere ? "-g" : "--start");
	return true;
}

static bool
use_pose(
    struct localizing *z, const struct pb_rec_pose *p, struct pb_error *bad)
{
	struct pb_pose at = {p->x, p->y, p->theta};
	const double(*cov)[3] = p->has_cov ? p->cov : NULL;

	z->replaced = strcmp(p->source, "estimate") == 0;
	if (!z->method)
		return true;
	if (strcmp(p->source, "initial") == 0) {
		if (yields_to_start(z))
			return true;
		if (!check_place(z, at, bad))
			return false;
		begin_at(z, PB_LOC_NEAR, at, cov);
	} else if (strcmp(p->source, "truth") == 0 && !z->begun &&
		   z->o->start == PB_START_TRUTH) {
		begin_at(z, PB_LOC_NEAR, at, cov);
	}
	return true;
}

/* Methods for mazes support only a scanner in the robot's centre: move its
 * heading into the first angle. */
static bool
fold_mount(const struct localizing *z, struct pb_scan *s, struct pb_error *bad)
{
	if (!z->cells.cell)
		return true;
	if (s->mount.x != 0 || s->mount.y != 0)
		return pb_error_set(bad,
		    "scan.mount: expected [0,0,theta] in a maze, got "
		    "[%g,%g,%g]",
		    s->mount.x, s->mount.y, s->mount.th);
	s->angle_min += s->mount.th;
	s->mount.th = 0;
	return true;
}

static bool
use_scan(struct localizing *z, const struct pb_rec_scan *c,
    struct pb_place place, struct pb_error *bad)
{
	struct pb_scan s = pb_rec_as_scan(c);

	if (!fold_mount(z, &s, bad))
		return false;
	check_scan(z, c, place);
	z->sensed = true;
	z->stamps_again += z->scans > 0 && z->t == z->scan_t;
	z->scan_t = z->t;
	z->scans++;
	if (z->begun && z->method->scan) {
		z->method->scan(z->mem, z->known, &s);
		z->due = true;
	}
	return true;
}

static void
use_fix(struct localizing *z, const struct pb_rec_fix *f)
{
	struct pb_loc_fix x = {{f->x, f->y}};

	z->sensed = true;
	if (z->turned)
		x.at = pb_vec_into(z->frame, x.at);
	if (!z->begun || !z->method->fix)
		return;
	z->method->fix(z->mem, z->known, &x);
	z->due = true;
}

static void
use_odom(struct localizing *z, const struct pb_rec_odom *d)
{
	z->odom = to_method(z, (struct pb_pose){d->x, d->y, d->theta});
	z->has_odom = true;
	if (z->begun)
		z->method->predict(z->mem, z->known, z->odom);
}

static bool
use_sensor(struct localizing *z, struct pb_rec *r, struct pb_place place,
    struct pb_error *bad)
{
	/* A method without a world starts with the first sensor record. */
	if (!z->method && z->o->method &&
	    (z->o->method->places & PB_LOC_NOWHERE) &&
	    !enter_world(z, PB_LOC_NOWHERE, bad))
		return false;
	if (r->type == PB_REC_POSE)
		return use_pose(z, &r->pose, bad);
	check_time(z, place);
	if (r->type == PB_REC_ODOM)
		use_odom(z, &r->odom);
	else if (r->type == PB_REC_SCAN)
		return use_scan(z, &r->scan, place, bad);
	else
		use_fix(z, &r->fix);
	return true;
}

/*
 * Use a record: a map (moved out of r), a maze, or sensor data. Sets replaced,
 * due and t. Tolerable problems get one warning.
 *
 * Returns  false with bad filled in: the record is refused
 */
static bool
use_record(struct localizing *z, struct pb_rec *r, struct pb_place place,
    struct pb_error *bad)
{
	z->replaced = z->due = false;
	z->t = r->stamp.t;
	switch (r->type) {
	case PB_REC_MAP:
		return use_map(z, &r->map, bad);
	case PB_REC_MAZE:
		return use_maze(z, &r->maze, bad);
	case PB_REC_BELIEF:
		z->replaced = pb_filter_is_of(r, z->o->id);
		return true;
	case PB_REC_POSE:
	case PB_REC_ODOM:
	case PB_REC_SCAN:
	case PB_REC_FIX:
		return !pb_filter_is_of(r, z->o->id) ||
		       use_sensor(z, r, place, bad);
	default:
		return true;
	}
}

/* The method's current belief. */
static void
get_belief(const struct localizing *z, struct pb_belief *b)
{
	z->method->estimate(z->mem, z->known, b);
	for (int i = 0; z->turned && i < b->n; i++) {
		b->at[i].pose = to_records(z, b->at[i].pose);
		pb_loc_turn_cov(b->at[i].cov, z->frame.th);
	}
}

static void
write_belief(struct localizing *z, const struct pb_belief *b, struct pb_stamp s,
    struct pb_text *out)
{
	struct pb_rec_belief r = {.n = b->n, .particle = z->cloud};

	PB_REC_SET(r.status, pb_loc_status_text(b->status));
	memcpy(r.at, b->at, sizeof(r.at));
	if (z->o->particles > 0 && z->method->particles)
		r.particles = z->method->particles(
		    z->mem, z->known, z->cloud, (size_t)z->o->particles);
	for (size_t i = 0; i < r.particles; i++)
		z->cloud[i] = to_records(z, z->cloud[i]);
	pb_rec_put(out, PB_REC_BELIEF, s, &r);
}

/* Write a pose if there is one, and a belief if requested. */
static void
write_answer(
    struct localizing *z, const struct pb_belief *b, struct pb_text *out)
{
	struct pb_stamp s = pb_stamp_at(z->t, z->o->id);

	if (b->n > 0) {
		const struct pb_hypothesis *h = &b->at[0];
		struct pb_rec_pose p = {.x = h->pose.x,
		    .y = h->pose.y,
		    .theta = h->pose.th,
		    .has_fit = z->method->says_fit,
		    .fit = b->fit,
		    .jump = b->jump,
		    .has_cov = true};

		memcpy(p.cov, h->cov, sizeof(p.cov));
		PB_REC_SET(p.source, "estimate");
		PB_REC_SET(p.status, pb_loc_status_text(b->status));
		pb_rec_put(out, PB_REC_POSE, s, &p);
	}
	if (z->o->belief)
		write_belief(z, b, s, out);
}

/* Read the map or maze at path, a file of any kind or a name of
 * pb_mapsource_is_name(), for pb_rec_clear(); false with bad filled in. */
static bool
read_world(const char *path, struct pb_rec *rec, struct pb_error *bad)
{
	const uint64_t worlds =
	    PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE);
	const struct pb_mapsource_opts usual = pb_mapsource_defaults();
	enum pb_mapkind kind = PB_MAPKIND_YAML;
	struct pb_mapsource p;

	if (!pb_mapsource_is_name(path) &&
	    pb_mapkind_peek(path, &kind, NULL) == 0 &&
	    kind == PB_MAPKIND_RECORD)
		return pb_mapfile_first(path, worlds, worlds, rec, bad) == 0;
	if (pb_mapsource_init(&p, path, &usual, bad) != 0)
		return false;
	pb_mapsource_notes(path, &p.notes);
	*rec = (struct pb_rec){
	    .type = p.has_maze ? PB_REC_MAZE : PB_REC_MAP, .owns = true};
	if (p.has_maze) {
		rec->maze = p.maze;
	} else {
		rec->map = p.map;
		p.map = (struct pb_map){.cell = NULL};
	}
	pb_mapsource_clear(&p);
	return true;
}

/*
 * Load the map or maze at path, and write it as a record.
 *
 * Returns  false: a message was printed
 */
static bool
load_world(struct localizing *z, const char *path)
{
	const struct pb_place at = {path, 0};
	struct pb_text out = {.to = stdout};
	struct pb_error bad;
	struct pb_rec *rec = pb_alloc(1, sizeof(*rec));
	bool ok;

	if (read_world(path, rec, &bad)) {
		ok = use_record(z, rec, at, &bad) || pb_msg_error_at(at, &bad);
		pb_rec_clear(rec);
	} else {
		ok = pb_msg_error(&bad);
	}
	free(rec);
	if (ok && z->map.cell != NULL)
		pb_rec_put(&out, PB_REC_MAP, pb_stamp_none(), &z->map);
	else if (ok)
		pb_rec_put(&out, PB_REC_MAZE, pb_stamp_none(), &z->maze);
	pb_text_clear(&out);
	return ok;
}

/* A stream being read. */
struct run {
	const struct pb_localize_stream_opts *o;
	struct localizing z;
	long ahead;          /* scans up to the one to use next */
	long passed_over;    /* scans skipped for newer ones */
	bool other;          /* a note about an ignored map was printed */
	struct pb_text held; /* --method wait: lines before the first pose */
	bool came;           /* --method wait: the first pose came */
	struct pb_file file; /* of --tum */
	struct pb_text tum;
};

/* Whether a record is a map or maze although -m names another; it is then
 * dropped. Maps with a body's id are passed on. */
static bool
is_other_world(struct pb_filter *f, const struct pb_rec *rec)
{
	struct run *r = f->user;

	if (r->o->map == NULL ||
	    (rec->type != PB_REC_MAP && rec->type != PB_REC_MAZE))
		return false;
	if (rec->stamp.id[0] != '\0') {
		pb_filter_pass(f);
		return true;
	}
	if (!r->other)
		pb_msg_note("ignoring a %s of the stream: -m names another",
		    pb_rec_name(rec->type));
	r->other = true;
	return true;
}

/* --method wait: hold all records until the robot's first pose. */
static bool
wait_for_pose(struct pb_filter *f, struct pb_rec *rec, struct pb_error *bad)
{
	struct run *r = f->user;
	const char *status = rec->pose.status;

	(void)bad;
	if (is_other_world(f, rec))
		return true;
	pb_filter_pass(f);
	if (rec->type != PB_REC_POSE || r->came ||
	    !pb_filter_is_of(rec, r->o->loc.id) ||
	    strcmp(rec->pose.source, "truth") == 0 ||
	    (*status != '\0' && strcmp(status, "tracking") != 0))
		return true;
	r->came = true;
	pb_filter_release(f);
	pb_text_clear(&r->held);
	return true;
}

static bool
convert_record(struct pb_filter *f, struct pb_rec *rec, struct pb_error *bad)
{
	struct run *r = f->user;

	(void)bad;
	if (is_other_world(f, rec))
		return true;
	pb_filter_pass(f);
	if (r->o->tum != NULL && rec->type == PB_REC_POSE &&
	    pb_filter_is_of(rec, r->o->loc.id) &&
	    strcmp(rec->pose.source, "truth") == 0 && isfinite(rec->stamp.t))
		pb_tum_put(&r->tum, rec->stamp.t + r->o->clock,
		    (struct pb_pose){
			rec->pose.x, rec->pose.y, rec->pose.theta});
	return true;
}

/*
 * Whether to skip this scan, already passed on, because newer ones wait: a
 * search may take longer than the interval of scans. The newest scan waiting at
 * the first check is used, so that one is used even if scans arrive faster than
 * they are skipped.
 */
static bool
skip_for_newer(struct run *r, struct pb_filter *f)
{
	const struct localizing *z = &r->z;
	struct pb_belief b;

	/* The first scan may confirm the start. */
	if (z->answers == 0 || (z->method->places & PB_LOC_NOWHERE))
		return false;
	if (r->ahead == 0) {
		z->method->estimate(z->mem, z->known, &b);
		if (b.status == PB_LOC_TRACKING || b.status == PB_LOC_UNMAPPED)
			return false;
		r->ahead = pb_filter_scans_ahead(f, r->o->loc.id) + 1;
	}
	r->ahead--;
	r->passed_over += r->ahead > 0;
	return r->ahead > 0;
}

static bool
localize_record(struct pb_filter *f, struct pb_rec *rec, struct pb_error *bad)
{
	struct run *r = f->user;
	bool scan = r->o->live && rec->type == PB_REC_SCAN &&
	            pb_filter_is_of(rec, r->o->loc.id);
	struct pb_belief b;
	struct pb_scan s;

	if (is_other_world(f, rec))
		return true;
	if (scan) {
		/* Check the scan before passing it on: it must not be refused
		 * after a long search. */
		s = pb_rec_as_scan(&rec->scan);
		if (!fold_mount(&r->z, &s, bad))
			return false;
		pb_filter_pass(f);
	}
	if (scan && skip_for_newer(r, f))
		return true;
	if (!use_record(&r->z, rec, f->line.at, bad))
		return false;
	if (!scan && !r->z.replaced)
		pb_filter_pass(f);
	if (!r->z.due || pb_pace_over())
		return true;
	get_belief(&r->z, &b);
	r->z.answers++;
	r->z.found += b.status != PB_LOC_LOST;
	write_answer(&r->z, &b, &f->out);
	if (r->o->tum != NULL && b.n > 0 && isfinite(r->z.t))
		pb_tum_put(&r->tum, r->z.t + r->o->clock, b.at[0].pose);
	return true;
}

static bool
open_tum(struct run *r)
{
	struct pb_error f;

	if (r->o->tum == NULL)
		return true;
	if (pb_file_create(r->o->tum, &r->file, &f) != 0)
		return pb_msg_error(&f);
	r->tum.to = r->file.out;
	return true;
}

/* Finish the file, as a whole or not at all. */
static void
close_tum(struct run *r, bool whole)
{
	struct pb_error f;

	if (r->o->tum == NULL)
		return;
	if (whole && pb_file_finish(&r->file, &f) != 0)
		pb_msg_error(&f);
	pb_file_abandon(&r->file);
	pb_text_clear(&r->tum);
}

static void
finish_stream(struct run *r, char *const *files, int n)
{
	bool in = n == 0 || strcmp(files[0], "-") == 0;
	struct pb_place at = {in ? "<stdin>" : files[0], 0};

	if (pb_msg_worst() != PB_EXIT_OK || r->o->convert)
		return;
	if (!r->o->wait)
		report_missing(&r->z, at, !in && r->o->robot.url == NULL);
	else if (!r->came)
		pb_msg_refuse(
		    at, "expected a pose of %s, got none", r->o->loc.id);
}

void
pb_localize_stream(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n)
{
	struct run *r = pb_alloc(1, sizeof(*r));
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE) |
	            PB_REC_BIT(PB_REC_POSE) | PB_REC_BIT(PB_REC_ODOM) |
	            PB_REC_BIT(PB_REC_SCAN) | PB_REC_BIT(PB_REC_FIX) |
	            PB_REC_BIT(PB_REC_BELIEF),
	    .passes = true,
	    .scans = o->scans,
	    .common = common,
	    .ros = &o->ros,
	    .take = o->convert ? convert_record : localize_record,
	    .user = r};
	bool ok;

	r->o = o;
	r->z.o = &o->loc;
	r->z.last_t = -INFINITY;
	if (o->wait) {
		f.want = PB_REC_BIT(PB_REC_POSE);
		if (o->map != NULL)
			f.want |=
			    PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE);
		f.take = wait_for_pose;
		f.into = &r->held;
	}
	ok = open_tum(r) && (o->map == NULL || load_world(&r->z, o->map)) &&
	     pb_filter_run(&f, files, n);
	if (r->passed_over > 0)
		pb_msg_note(
		    "skipped %ld scans for newer ones while %s was lost",
		    r->passed_over, o->loc.id);
	if (ok)
		finish_stream(r, files, n);
	close_tum(r, ok);
	leave_world(&r->z);
	pb_text_clear(&r->held);
	free(r);
}

void
pb_localize_info(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n)
{
	struct pb_ros_survey topics = {.n = 0};
	struct pb_ros_opts ros = o->ros;
	struct pb_filter f = {.common = common, .ros = &ros};

	ros.survey = &topics;
	pb_filter_run(&f, files, n);
	if (topics.n > 0)
		pb_ros_survey_print(&topics, stdout);
	pb_ros_survey_clear(&topics);
}
