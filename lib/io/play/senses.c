/* senses.c - what the sensors of a simulated robot say, and what bodies have
 * found out of a board, as records. */
#include "io/play/senses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string.h>

#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"

struct pb_senses_opts
pb_senses_defaults(void)
{
	return (struct pb_senses_opts){.sense = pb_sense_defaults()};
}

struct pb_set_group
pb_senses_group(struct pb_senses_opts *o)
{
	return (struct pb_set_group){.of = "sensors (--sensors)",
	    .title = "sensors",
	    .params = pb_sense_params,
	    .base = &o->sense};
}

bool
pb_senses_check(const struct pb_senses_opts *o)
{
	const char *why = pb_sense_wrong(&o->sense);

	if (why == NULL)
		return true;
	return pb_msg_usage("--%s%s",
	    strncmp(why, "sensors", 7) == 0 ? "" : "set: ", why);
}

bool
pb_senses_begin(struct pb_senses *z, const struct pb_senses_opts *o,
    const struct pb_map *m, uint64_t seed, uint64_t trial, struct pb_pose p,
    struct pb_text *out)
{
	if (o->sense.sensors == 0)
		return true;
	*z = (struct pb_senses){
	    .out = out, .sense = pb_alloc(1, sizeof(*z->sense))};
	if (pb_rays_new(m, o->unknown_stops, &z->rays) != PB_OK)
		return false;
	pb_sense_start(z->sense, &o->sense, z->rays, seed, trial, p);
	return true;
}

void
pb_senses_end(struct pb_senses *z)
{
	pb_rays_free(z->rays);
	free(z->sense);
	*z = (struct pb_senses){0};
}

static void
put_odom(struct pb_senses *z, double t)
{
	const struct pb_sense_odom *d = &z->sense->odom;
	struct pb_rec_odom r = {d->pose.x, d->pose.y, d->pose.th, d->v, d->w};

	pb_rec_put(z->out, PB_REC_ODOM, pb_stamp_at(t, "robot"), &r);
}

static void
put_scan(struct pb_senses *z, double t)
{
	struct pb_sense *s = z->sense;
	struct pb_sense_shape h = pb_sense_shape(&s->o);
	struct pb_rec_scan r = {.angle_min = h.first,
	    .angle_increment = h.inc,
	    .range_min = h.min,
	    .range_max = h.max,
	    .radius = h.radius,
	    .range = s->range,
	    .n = s->n};

	pb_rec_put(z->out, PB_REC_SCAN, pb_stamp_at(t, "robot"), &r);
}

static void
put_fix(struct pb_senses *z, double t)
{
	struct pb_rec_fix r = {z->sense->fix.x, z->sense->fix.y};

	pb_rec_put(z->out, PB_REC_FIX, pb_stamp_at(t, "robot"), &r);
}

void
pb_senses_step(struct pb_senses *z, double t, struct pb_pose p, bool carried)
{
	unsigned came;

	if (z->sense == NULL)
		return;
	came = pb_sense_step(z->sense, t, p, carried);
	if (came != 0)
		pb_rec_put_pose(z->out, pb_stamp_at(t, "truth"), p, "truth");
	if (came & PB_SENSED_ODOM)
		put_odom(z, t);
	if (came & PB_SENSED_SCAN)
		put_scan(z, t);
	if (came & PB_SENSED_FIX)
		put_fix(z, t);
}

bool
pb_explorers_find(const struct pb_game *g, const void *opts, const char *name,
    unsigned *who, struct pb_error *bad)
{
	int n = g->bodies(opts);

	*who = 0;
	if (!name)
		return true;
	if (!g->explored)
		return pb_error_set(
		    bad, "known: the robots of %s do not explore", g->name);
	for (int i = 1; i < n; i++)
		if (strcmp(name, "all") == 0 || strcmp(name, g->body[i]) == 0)
			*who |= 1u << i;
	return *who != 0 || strcmp(name, "all") == 0 ||
	       pb_error_set(bad,
		   "known: expected all or %s to %s, got \"%.80s\"", g->body[1],
		   g->body[n - 1], name);
}

/* The name of one body that is asked, or of them all. */
static struct pb_stamp
explorer_stamp(const struct pb_explorers *x, const struct pb_game *g, double t)
{
	char id[PB_REC_WORD];

	for (int i = 1; g->body[i]; i++)
		if (x->who == 1u << i)
			return pb_stamp_at(t, g->body[i]);
	/* "patrol1" of "patrols" */
	snprintf(id, sizeof(id), "%.*ss",
	    (int)strcspn(g->body[1], "0123456789"), g->body[1]);
	return pb_stamp_at(t, id);
}

static void
put_explored(const struct pb_explorers *x, const struct pb_explored *e,
    struct pb_stamp at)
{
	struct pb_map m;

	if (pb_map_init(&m, e->cols, e->rows, e->side,
		(struct pb_pose){0, 0, 0}) != PB_OK) {
		pb_msg_system("no memory for a map");
		return;
	}
	snprintf(m.name, sizeof(m.name), "known to %s", at.id);
	for (int row = 0; row < e->rows; row++)
		for (int col = 0; col < e->cols; col++)
			m.cell[(e->rows - 1 - row) * e->cols + col] =
			    e->cell[row][col];
	pb_rec_put(x->out, PB_REC_MAP, at, &m);
	pb_map_clear(&m);
}

void
pb_explorers_put(struct pb_explorers *x, const struct pb_game *g,
    const void *state, double t)
{
	struct pb_explored now;

	if (x->who == 0)
		return;
	g->explored(state, x->who, &now);
	if (!x->ever || memcmp(now.cell, x->told.cell, sizeof(now.cell)) != 0)
		put_explored(x, &now, explorer_stamp(x, g, t));
	for (int i = 1; i < PB_BODIES; i++) {
		const struct pb_rec_fix f = {now.last[i].x, now.last[i].y};

		if (!(x->who >> i & 1) ||
		    (x->ever && f.x == x->told.last[i].x &&
			f.y == x->told.last[i].y))
			continue;
		pb_rec_put(x->out, PB_REC_FIX, pb_stamp_at(t, g->body[i]), &f);
	}
	x->told = now;
	x->ever = true;
}
