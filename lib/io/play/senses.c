/* senses.c - what the sensors of a simulated robot say, as records. */
#include "io/play/senses.h"

#include <stdlib.h>

#include "io/opt/opt.h"
#include "io/rec/rec.h"

struct pb_senses_opts
pb_senses_defaults(void)
{
	return (struct pb_senses_opts){.sense = pb_sense_defaults()};
}

struct pb_opt_group
pb_senses_group(struct pb_senses_opts *o)
{
	return (struct pb_opt_group){.title = "Constants of sensors",
	    .params = pb_sense_params,
	    .base = &o->sense,
	    .given = &o->given,
	    .with = "sensors"};
}

bool
pb_senses_check(const struct pb_senses_opts *o)
{
	const char *why = pb_sense_wrong(&o->sense);

	if (o->given != NULL && o->sense.sensors == 0)
		return pb_msg_usage("--%s: goes with --sensors", o->given);
	if (why == NULL)
		return true;
	return pb_msg_usage("--%s", why);
}

bool
pb_senses_begin(struct pb_senses *z, const struct pb_senses_opts *o,
    const struct pb_map *m, uint64_t seed, uint64_t trial, struct pb_pose p,
    struct pb_text *out)
{
	if (o->sense.sensors == 0)
		return true;
	*z = (struct pb_senses){.out = out, .sense = malloc(sizeof(*z->sense))};
	if (z->sense == NULL ||
	    pb_rays_new(m, o->unknown_stops, &z->rays) != PB_OK)
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
