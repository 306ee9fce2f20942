/* region_loc.c - the method "region", as a localizer. */
#include <stdlib.h>

#include "localize/region.h"

struct mind {
	struct pb_compass compass;
	struct pb_tof_cell fix;
	struct pb_belief belief;
	bool read; /* there was a scan */
};

static void
defaults(void *opts)
{
	*(struct pb_region_opts *)opts = pb_region_defaults();
}

static enum pb_status
learn(const struct pb_loc_world *w, const void *opts, void **known)
{
	struct pb_region_known *k = malloc(sizeof(*k));
	enum pb_status s = k == NULL ? PB_ENOMEM : pb_region_learn(w, opts, k);

	if (s != PB_OK) {
		free(k);
		return s;
	}
	*known = k;
	return PB_OK;
}

static void
forget(void *known)
{
	if (known != NULL)
		pb_region_forget(known);
	free(known);
}

static size_t
memory(const void *known)
{
	(void)known;
	return sizeof(struct mind);
}

/* What the camera alone says. */
static void
take_cell(struct mind *m, const struct pb_region_known *k)
{
	static const struct pb_tof none = {{-1, -1, -1, -1}};

	pb_region_where(
	    k, &none, m->fix, pb_compass_heading(&m->compass), &m->belief);
}

static void
reset(void *mem, const void *known, const struct pb_loc_start *s)
{
	const struct pb_region_known *k = known;
	struct mind *m = mem;

	*m = (struct mind){.fix = pb_tof_cell_start(s, k->cell)};
	pb_compass_reset(&m->compass, s);
	take_cell(m, k);
}

static void
predict(void *mem, const void *known, struct pb_pose odom)
{
	struct mind *m = mem;

	(void)known;
	pb_compass_move(&m->compass, odom);
}

static void
scan(void *mem, const void *known, const struct pb_scan *s)
{
	const struct pb_region_known *k = known;
	struct mind *m = mem;
	double heading = pb_compass_heading(&m->compass);
	struct pb_tof z = pb_tof_of(s, heading, k->cell, k->o.radius);

	pb_region_where(k, &z, m->fix, heading, &m->belief);
	m->read = true;
}

static void
fix(void *mem, const void *known, const struct pb_loc_fix *f)
{
	const struct pb_region_known *k = known;
	struct mind *m = mem;

	m->fix = pb_tof_cell(f->at, k->cell);
	if (!m->read)
		take_cell(m, k);
}

static void
estimate(const void *mem, const void *known, struct pb_belief *out)
{
	const struct mind *m = mem;

	(void)known;
	*out = m->belief;
}

const struct pb_localizer pb_loc_region = {
    .name = "region",
    .summary = "the part of the maze that four readings fit best",
    .places = PB_LOC_IN_MAZE,
    .params = pb_region_params,
    .opts_size = sizeof(struct pb_region_opts),
    .defaults = defaults,
    .learn = learn,
    .forget = forget,
    .memory = memory,
    .reset = reset,
    .predict = predict,
    .scan = scan,
    .fix = fix,
    .estimate = estimate,
};
