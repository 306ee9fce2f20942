/* ros_msg.c - messages of ROS, from bytes and from JSON, and to both. */
#include "io/ros/ros_msg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "io/rec/rec.h"
#include "io/stream/num.h"

enum pb_ros_type
pb_ros_type_like(const struct pb_get *g)
{
	const struct pb_json_value *in = pb_get_value(g, "pose");

	if (pb_get_value(g, "ranges"))
		return PB_ROS_SCAN;
	if (in &&
	    (pb_get_value(g, "twist") || pb_get_value(g, "child_frame_id")))
		return PB_ROS_ODOMETRY;
	if (in)
		return pb_json_member(in, "pose") ? PB_ROS_POSE_COV
		                                  : PB_ROS_POSE;
	if (pb_get_value(g, "info"))
		return PB_ROS_GRID;
	if (pb_get_value(g, "transforms"))
		return PB_ROS_TF;
	if (pb_get_value(g, "twist"))
		return PB_ROS_TWIST_STAMPED;
	if (pb_get_value(g, "linear") && pb_get_value(g, "angular"))
		return PB_ROS_TWIST;
	/* Poses of a particle cloud have no headers. */
	in = pb_json_next(pb_get_value(g, "poses"), NULL);
	return pb_json_member(in, "pose") ? PB_ROS_PATH : PB_ROS_OTHER;
}

/* The map of a grid whose info was read. */
static bool
make_map(struct pb_ros_grid *g, struct pb_error *bad)
{
	return pb_map_room(&g->map, (long)g->width, (long)g->height,
	    g->resolution, pb_ros_plane(&g->origin), "info", bad);
}

/* The place of a member, or of a pointer to its items; of a part that is
 * nowhere neither is. */
static void *
in(void *r, size_t at)
{
	return at == PB_FIELD_NOWHERE || !r ? NULL : (char *)r + at;
}

/* How many items a list has, and where they are: none if that is nowhere. */
static size_t
list_of(const struct pb_ros_field *f, void *r, void *items)
{
	if (f->at == PB_FIELD_NOWHERE)
		return 0;
	memcpy(items, in(r, f->at), sizeof(void *));
	return *(size_t *)in(r, f->count);
}

/* Where n items of so many bytes go; NULL: nowhere, or it was said. */
static void *
make_list(const struct pb_ros_field *f, void *r, size_t n, size_t size,
    struct pb_error *bad, bool *ok)
{
	void *list = NULL;

	if (n > PB_REC_POINTS_MAX)
		*ok =
		    pb_error_set(bad, "%s: expected at most %d items, got %zu",
			f->key, PB_REC_POINTS_MAX, n);
	else if (n > 0 && !(list = calloc(n, size)))
		*ok = pb_error_nomem(bad, f->key);
	if (!list)
		return NULL;
	memcpy(in(r, f->at), &list, sizeof(list));
	*(size_t *)in(r, f->count) = n;
	return list;
}

double
pb_ros_meant(double v)
{
	char s[PB_NUM_MAX];
	double d = v;

	for (int digits = 6; digits <= 9; digits++) {
		snprintf(s, sizeof(s), "%.*g", digits, v);
		if (pb_num_parse(s, &d) && (float)d == (float)v)
			return d;
	}
	return v;
}

/* Whether a number that was read is what may be there. */
static void
check(struct pb_wire *w, const struct pb_ros_field *f, double v)
{
	bool bounded = f->lo != 0 || f->hi != 0;

	if (w->out || !w->ok || f->at == PB_FIELD_NOWHERE)
		return;
	if (f->need == PB_REQUIRED && !isfinite(v))
		w->ok = pb_error_set(
		    w->bad, "%s: expected a number, got %g", f->key, v);
	else if (bounded && (v < f->lo || v > f->hi))
		w->ok = pb_error_set(w->bad,
		    "%s: expected a number from %g to %g, got %g", f->key,
		    f->lo, f->hi, v);
}

static void
walk_num(struct pb_wire *w, const struct pb_ros_field *f, double *v)
{
	static const enum pb_wire_num kind[] = {[PB_FIELD_REAL4] = PB_WIRE_F32,
	    [PB_FIELD_REAL8] = PB_WIRE_F64,
	    [PB_FIELD_INT4] = PB_WIRE_I32,
	    [PB_FIELD_COUNT] = PB_WIRE_U32,
	    [PB_FIELD_FLAG] = PB_WIRE_I8};

	pb_wire_num(w, kind[f->kind], v);
	if (f->kind == PB_FIELD_REAL4 && !w->out && w->ok && v)
		*v = pb_ros_meant(*v);
	if (v)
		check(w, f, *v);
}

#define SECOND 1000000000 /* (ns) */

static void
walk_stamp(struct pb_wire *w, int64_t *t)
{
	int64_t ns = w->out && t && *t != PB_ROS_NEVER ? *t : 0;
	int64_t whole = ns / SECOND - (ns % SECOND < 0);
	double s = (double)whole, rest = (double)(ns - whole * SECOND);

	pb_wire_num(w, PB_WIRE_I32, &s);
	pb_wire_num(w, PB_WIRE_U32, &rest);
	if (w->out || !w->ok || !t)
		return;
	if (rest >= SECOND)
		w->ok = pb_error_set(w->bad,
		    "%s: expected less than %d nanoseconds, got %.0f", w->field,
		    SECOND, rest);
	*t = (int64_t)s * SECOND + (int64_t)rest;
}

static void
walk_reals(struct pb_wire *w, const struct pb_ros_field *f, void *r)
{
	double *v = NULL;
	size_t n = w->out ? list_of(f, r, &v) : 0;

	pb_wire_count(w, sizeof(float), &n);
	if (w->ok && !w->out && f->at != PB_FIELD_NOWHERE)
		v = make_list(f, r, n, sizeof(*v), w->bad, &w->ok);
	for (size_t i = 0; w->ok && i < n; i++)
		pb_wire_num(w, PB_WIRE_F32, v ? v + i : NULL);
}

static void
walk_cells(struct pb_wire *w, struct pb_ros_grid *g)
{
	size_t n = w->out ? pb_map_cells(&g->map) : 0, all;

	pb_wire_count(w, 1, &n);
	if (!w->out && w->ok)
		w->ok = make_map(g, w->bad);
	if (!w->ok)
		return;
	all = pb_map_cells(&g->map);
	if (n != all) {
		w->ok = pb_error_set(
		    w->bad, "data: expected %zu cells, got %zu", all, n);
		return;
	}
	pb_wire_bytes(w, g->map.cell, n);
	for (size_t i = 0; w->ok && !w->out && i < n; i++)
		if (g->map.cell[i] < -1 || g->map.cell[i] > 100)
			w->ok = pb_error_set(w->bad,
			    "data[%zu]: expected a whole number from -1 to "
			    "100, got %d",
			    i, g->map.cell[i]);
}

static void
walk_array(struct pb_wire *w, const struct pb_ros_field *f, double *v)
{
	for (int i = 0; i < (int)f->lo; i++)
		pb_wire_num(w, PB_WIRE_F64, v ? v + i : NULL);
}

static void walk(
    struct pb_wire *w, const struct pb_ros_field *rows, size_t n, void *r);

/* Of each item there are at least so many bytes. */
#define LEAST ((size_t)64)

static void
walk_list(struct pb_wire *w, const struct pb_ros_field *f, void *r)
{
	char *at = NULL;
	size_t n = w->out ? list_of(f, r, &at) : 0;

	pb_wire_count(w, LEAST, &n);
	if (w->ok && !w->out)
		at = make_list(f, r, n, f->size, w->bad, &w->ok);
	for (size_t i = 0; w->ok && at && i < n; i++)
		walk(w, f->rows, f->n, at + i * f->size);
}

static void
walk_text(struct pb_wire *w, const struct pb_ros_field *f, char *s)
{
	static char empty[1];

	if (f->kind == PB_FIELD_STRING && s)
		memcpy(&s, s, sizeof(char *));
	pb_wire_text(w, s ? s : empty, s ? PB_ROS_NAME : 1);
}

static void
walk_field(struct pb_wire *w, const struct pb_ros_field *f, void *r)
{
	void *at = in(r, f->at);
	size_t none = 0;

	w->field = f->key;
	switch (f->kind) {
	case PB_FIELD_SEQ:
		if (!w->aligned)
			pb_wire_num(w, PB_WIRE_U32, NULL);
		break;
	case PB_FIELD_STAMP:
	case PB_FIELD_SPAN:
		walk_stamp(w, at);
		break;
	case PB_FIELD_TEXT:
	case PB_FIELD_STRING:
		walk_text(w, f, at);
		break;
	case PB_FIELD_NONE1:
		pb_wire_count(w, 1, &none);
		break;
	case PB_FIELD_OBJECT:
		walk(w, f->rows, f->n, at);
		break;
	case PB_FIELD_LIST:
		walk_list(w, f, r);
		break;
	case PB_FIELD_REALS4:
		walk_reals(w, f, r);
		break;
	case PB_FIELD_ARRAY8:
		walk_array(w, f, at);
		break;
	case PB_FIELD_CELLS:
		walk_cells(w, r);
		break;
	default:
		walk_num(w, f, at);
		break;
	}
}

/* Read all fields, or write them. */
static void
walk(struct pb_wire *w, const struct pb_ros_field *rows, size_t n, void *r)
{
	for (size_t i = 0; w->ok && i < n; i++)
		walk_field(w, &rows[i], r);
}

/* The stamp under key; ROS 1 and 2 and MCAP have names of their own. */
static void
get_stamp(struct pb_get *g, const char *key, int64_t *t)
{
	static const char *const rest[] = {"nanosec", "nsecs", "nsec"};
	struct pb_get at;
	long s = 0, ns = 0;

	if (!pb_get_object(g, key, PB_OPTIONAL, &at))
		return;
	pb_get_int(&at, "sec", PB_OPTIONAL, 0, INT32_MAX, &s);
	pb_get_int(&at, "secs", PB_OPTIONAL, 0, INT32_MAX, &s);
	for (size_t i = 0; i < sizeof(rest) / sizeof(*rest); i++)
		pb_get_int(&at, rest[i], PB_OPTIONAL, 0, SECOND - 1, &ns);
	*t = (int64_t)s * SECOND + ns;
}

static void
get_num(struct pb_get *g, const struct pb_ros_field *f, double *v)
{
	bool bounded = f->lo != 0 || f->hi != 0;
	long whole = 0;

	if (f->kind == PB_FIELD_COUNT) {
		pb_get_int(
		    g, f->key, f->need, (long)f->lo, (long)f->hi, &whole);
		*v = (double)whole;
	} else {
		pb_get_num(g, f->key, f->need, bounded ? f->lo : -INFINITY,
		    bounded ? f->hi : INFINITY, v);
	}
}

static void
get_array(struct pb_get *g, const struct pb_ros_field *f, double *v)
{
	size_t n, all = (size_t)f->lo;
	char expected[64];
	double *list;

	pb_get_list(g, f->key, f->need, all, &list, &n);
	snprintf(expected, sizeof(expected), "%zu numbers", all);
	if (*g->ok && n != all)
		pb_get_fail(g, f->key, expected);
	if (*g->ok)
		memcpy(v, list, all * sizeof(*v));
	free(list);
}

static void get(
    struct pb_get *g, const struct pb_ros_field *rows, size_t n, void *r);

static void
get_items(struct pb_get *g, const struct pb_ros_field *f, void *r)
{
	struct pb_walk w;
	struct pb_get item;
	char *at;

	if (!pb_get_walk(g, f->key, f->need, &w))
		return;
	at = make_list(f, r, pb_json_size(w.list, PB_JSON_ARRAY), f->size,
	    g->bad, &*g->ok);
	for (; at && pb_walk_next(g, &w); at += f->size)
		if (pb_walk_object(g, &w, &item))
			get(&item, f->rows, f->n, at);
}

static void
get_cells(struct pb_get *g, struct pb_ros_grid *of)
{
	*g->ok = *g->ok && make_map(of, g->bad);
	if (*g->ok)
		pb_get_cells(g, pb_map_cells(&of->map), of->map.cell);
}

/* Ranges: JSON has neither infinity nor NaN, and bridges write null for both,
 * nearly always for a beam that met nothing. */
static void
get_reals(struct pb_get *g, const struct pb_ros_field *f, void *r)
{
	double **v = in(r, f->at);
	size_t *n = in(r, f->count);

	pb_get_list(g, f->key, f->need, PB_REC_BEAMS_MAX, v, n);
	for (size_t i = 0; *g->ok && i < *n; i++)
		if (isnan((*v)[i]))
			(*v)[i] = INFINITY;
}

static void
get_field(struct pb_get *g, const struct pb_ros_field *f, void *r)
{
	void *at = in(r, f->at);
	struct pb_get part;

	switch (f->kind) {
	case PB_FIELD_STAMP:
		get_stamp(g, f->key, at);
		break;
	case PB_FIELD_TEXT:
		pb_get_text(g, f->key, f->need, at, PB_ROS_NAME);
		break;
	case PB_FIELD_OBJECT:
		if (pb_get_object(g, f->key, f->need, &part))
			get(&part, f->rows, f->n, at);
		break;
	case PB_FIELD_LIST:
		get_items(g, f, r);
		break;
	case PB_FIELD_REALS4:
		get_reals(g, f, r);
		break;
	case PB_FIELD_ARRAY8:
		get_array(g, f, at);
		break;
	case PB_FIELD_CELLS:
		get_cells(g, r);
		break;
	default:
		get_num(g, f, at);
		break;
	}
}

/* Read the fields from JSON. */
static void
get(struct pb_get *g, const struct pb_ros_field *rows, size_t n, void *r)
{
	for (size_t i = 0; *g->ok && i < n; i++)
		if (rows[i].at != PB_FIELD_NOWHERE)
			get_field(g, &rows[i], r);
}

/* What is missing. */
static void
none(const struct pb_ros_field *rows, size_t n, void *r)
{
	for (size_t i = 0; i < n; i++) {
		const struct pb_ros_field *f = &rows[i];
		void *at = in(r, f->at);

		if (at && f->kind == PB_FIELD_OBJECT)
			none(f->rows, f->n, at);
		else if (at && f->kind == PB_FIELD_STAMP)
			*(int64_t *)at = PB_ROS_NEVER;
		else if (at && (f->kind == PB_FIELD_REAL4 ||
				   f->kind == PB_FIELD_REAL8))
			*(double *)at = f->missing;
	}
}

static void
begin(struct pb_ros_message *m, enum pb_ros_type type)
{
	*m = (struct pb_ros_message){.type = type};
	if (type == PB_ROS_TWIST)
		m->twist.header.stamp = PB_ROS_NEVER;
	none(pb_ros_tables[type].rows, pb_ros_tables[type].n, &m->scan);
}

static bool
finish(struct pb_ros_message *m, bool ok)
{
	if (!ok)
		pb_ros_clear(m);
	return ok;
}

bool
pb_ros_read(struct pb_ros_message *m, enum pb_ros_type type, struct pb_wire *w)
{
	begin(m, type);
	walk(w, pb_ros_tables[type].rows, pb_ros_tables[type].n, &m->scan);
	return finish(m, w->ok);
}

bool
pb_ros_get(struct pb_ros_message *m, enum pb_ros_type type, struct pb_get *g)
{
	begin(m, type);
	get(g, pb_ros_tables[type].rows, pb_ros_tables[type].n, &m->scan);
	return finish(m, *g->ok);
}

void
pb_ros_write(struct pb_ros_message *m, struct pb_wire *w)
{
	walk(
	    w, pb_ros_tables[m->type].rows, pb_ros_tables[m->type].n, &m->scan);
}

/* What is not finite has no name in JSON, and rosbridge refuses null: a beam
 * that met nothing is longer than any range, one that failed is none. */
#define NO_RETURN 3e38

static void
put_num(struct pb_text *o, double v)
{
	pb_text_exact(o, isfinite(v) ? v : v > 0 ? NO_RETURN : 0);
}

static void
put_nums(struct pb_text *o, const double *v, size_t n)
{
	pb_text_puts(o, "[");
	for (size_t i = 0; i < n; i++) {
		pb_text_put(o, ",", i > 0);
		put_num(o, v[i]);
	}
	pb_text_puts(o, "]");
}

static void
put_cells(struct pb_text *o, const struct pb_map *m)
{
	pb_text_puts(o, "[");
	for (size_t i = 0; i < pb_map_cells(m); i++) {
		pb_text_put(o, ",", i > 0);
		pb_text_int(o, m->cell[i]);
	}
	pb_text_puts(o, "]");
}

static void
put_stamp(struct pb_text *o, int64_t t)
{
	pb_text_puts(o, "{\"sec\":");
	pb_text_int(o, t == PB_ROS_NEVER ? 0 : t / SECOND);
	pb_text_puts(o, ",\"nanosec\":");
	pb_text_int(o, t == PB_ROS_NEVER ? 0 : t % SECOND);
	pb_text_puts(o, "}");
}

static void put(
    struct pb_text *o, const struct pb_ros_field *rows, size_t n, void *r);

static void
put_list(struct pb_text *o, const struct pb_ros_field *f, void *r)
{
	char *at = NULL;
	size_t n = list_of(f, r, &at);

	pb_text_puts(o, "[");
	for (size_t i = 0; i < n; i++) {
		pb_text_put(o, ",", i > 0);
		put(o, f->rows, f->n, at + i * f->size);
	}
	pb_text_puts(o, "]");
}

static void
put_value(struct pb_text *o, const struct pb_ros_field *f, void *r)
{
	void *at = in(r, f->at);

	switch (f->kind) {
	case PB_FIELD_STAMP:
		put_stamp(o, *(int64_t *)at);
		break;
	case PB_FIELD_TEXT:
		pb_text_string(o, at);
		break;
	case PB_FIELD_STRING:
		pb_text_string(o, *(char **)at);
		break;
	case PB_FIELD_OBJECT:
		put(o, f->rows, f->n, at);
		break;
	case PB_FIELD_LIST:
		put_list(o, f, r);
		break;
	case PB_FIELD_REALS4:
		put_nums(o, *(double **)at, *(size_t *)in(r, f->count));
		break;
	case PB_FIELD_ARRAY8:
		put_nums(o, at, (size_t)f->lo);
		break;
	case PB_FIELD_CELLS:
		put_cells(o, &((struct pb_ros_grid *)r)->map);
		break;
	case PB_FIELD_INT4:
	case PB_FIELD_COUNT:
		pb_text_int(o, (int64_t) * (double *)at);
		break;
	default:
		put_num(o, *(double *)at);
		break;
	}
}

/* Write the fields as JSON; those that are nowhere have their defaults. */
static void
put(struct pb_text *o, const struct pb_ros_field *rows, size_t n, void *r)
{
	bool first = true;

	pb_text_puts(o, "{");
	for (size_t i = 0; i < n; i++) {
		if (rows[i].at == PB_FIELD_NOWHERE)
			continue;
		pb_text_put(o, ",", !first);
		pb_text_string(o, rows[i].key);
		pb_text_puts(o, ":");
		put_value(o, &rows[i], r);
		first = false;
	}
	pb_text_puts(o, "}");
}

void
pb_ros_put(struct pb_text *o, struct pb_ros_message *m)
{
	put(o, pb_ros_tables[m->type].rows, pb_ros_tables[m->type].n, &m->scan);
}

struct pb_ros_pose
pb_ros_pose_of(struct pb_pose p)
{
	return (struct pb_ros_pose){.position = {p.x, p.y, 0},
	    .orientation = {.z = pb_sin(p.th / 2), .w = pb_cos(p.th / 2)}};
}

struct pb_pose
pb_ros_plane(const struct pb_ros_pose *p)
{
	return (struct pb_pose){p->position.x, p->position.y,
	    pb_yaw(p->orientation.x, p->orientation.y, p->orientation.z,
		p->orientation.w)};
}

/* Free what is allocated; no part that is an object has any of that. */
static void
clear(const struct pb_ros_field *rows, size_t n, void *r)
{
	for (const struct pb_ros_field *f = rows; f < rows + n; f++) {
		char *at = NULL;
		size_t items = 0;

		if (f->kind == PB_FIELD_LIST || f->kind == PB_FIELD_REALS4)
			items = list_of(f, r, &at);
		else if (f->kind == PB_FIELD_STRING)
			at = *(char **)in(r, f->at);
		else if (f->kind == PB_FIELD_CELLS)
			pb_map_clear(&((struct pb_ros_grid *)r)->map);
		for (size_t i = 0; i < items && f->rows; i++)
			clear(f->rows, f->n, at + i * f->size);
		free(at);
	}
}

void
pb_ros_clear(struct pb_ros_message *m)
{
	clear(pb_ros_tables[m->type].rows, pb_ros_tables[m->type].n, &m->scan);
	m->type = PB_ROS_OTHER;
}
