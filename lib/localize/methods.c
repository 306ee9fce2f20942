/* methods.c - list of the localization methods, shared functions, and odom. */
#include "pb/localizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "localize/fuse.h"
#include "localize/gauss.h"
#include "localize/mcl_state.h"
#include "localize/methods.h"

/* State: x, y, theta, drift of the heading (rad/m), slip (m/m). */
#define STATE 5

struct dead {
	bool known; /* the start was near a pose */
	bool begun; /* odom is set */
	struct pb_pose pose;
	struct pb_pose odom;
	double cov[STATE][STATE];
};

#define PB_PARAMS_OF struct pb_dead_opts

/*
 * Standard deviations from three public logs (Intel, ACES, Freiburg 101)
 * against their corrected poses. Heading, windows of ten scans: 0.066, 0.010
 * and 0.019 rad/m, the worst taken. Lengths, windows of five scans in which the
 * heading matters least: 0.056 m/m on the two better logs. With a standard
 * deviation of a metre an estimate cannot distinguish the sides of a room.
 */
static const struct pb_param rows[] = {
    PB_REAL(
	"drift", drift, "rad/m", 0.066, 0, 10, "spread of the heading's error"),
    PB_REAL(
	"slip", slip, "m/m", 0.056, 0, 10, "spread of the error of lengths"),
    PB_REAL("lost-at", lost_at, "m", 1, 0, INFINITY,
	"lost when x or y is spread by more"),
};

/* Only the options are stored. */
static enum pb_status
learn(const struct pb_localizer *m, const struct pb_loc_world *w,
    const void *opts, void **model)
{
	struct pb_dead_opts *o;

	(void)w;
	if (pb_params_check(m->params, opts) != NULL)
		return PB_EVALUE;
	if ((o = malloc(sizeof(*o))) == NULL)
		return PB_ENOMEM;
	*o = *(const struct pb_dead_opts *)opts;
	*model = o;
	return PB_OK;
}

static void
reset(void *mem, const void *model, const struct pb_loc_start *s)
{
	const struct pb_dead_opts *o = model;
	struct dead *d = mem;

	*d = (struct dead){.known = s->kind == PB_LOC_NEAR, .pose = s->pose};
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			d->cov[i][k] = s->cov[i][k];
	d->cov[3][3] = o->drift * o->drift;
	d->cov[4][4] = o->slip * o->slip;
}

/* cov = J cov J' */
static void
transform_covariance(double cov[STATE][STATE], const double J[STATE][STATE])
{
	double a[STATE][STATE];

	for (int i = 0; i < STATE; i++)
		for (int k = 0; k < STATE; k++) {
			a[i][k] = 0;
			for (int m = 0; m < STATE; m++)
				a[i][k] += J[i][m] * cov[m][k];
		}
	for (int i = 0; i < STATE; i++)
		for (int k = 0; k <= i; k++) {
			cov[i][k] = 0;
			for (int m = 0; m < STATE; m++)
				cov[i][k] += a[i][m] * J[k][m];
			cov[k][i] = cov[i][k];
		}
}

/* pose' = pose + R(theta) (1 + slip) step, theta' = theta + turn + drift
 * |step|; a step is made at the heading with half of its drift. */
static void
predict(void *mem, const void *model, struct pb_pose odom)
{
	struct dead *d = mem;
	struct pb_pose step, to;
	double dx, dy, len;

	(void)model;
	if (!d->begun) {
		d->begun = true;
		d->odom = odom;
		return;
	}
	step = pb_pose_into(d->odom, odom);
	to = pb_pose_compose(d->pose, step);
	dx = to.x - d->pose.x;
	dy = to.y - d->pose.y;
	len = sqrt(dx * dx + dy * dy);
	d->odom = odom;
	d->pose = to;
	if (len > 0 || step.th != 0) {
		const double J[STATE][STATE] = {{1, 0, -dy, -dy * len / 2, dx},
		    {0, 1, dx, dx * len / 2, dy}, {0, 0, 1, len, 0},
		    {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}};

		transform_covariance(d->cov, J);
	}
}

/* A scan changes nothing, but makes an answer due. */
static void
scan(void *mem, const void *model, const struct pb_scan *z)
{
	(void)mem;
	(void)model;
	(void)z;
}

static void
fix(void *mem, const void *model, const struct pb_loc_fix *z)
{
	(void)mem;
	(void)model;
	(void)z;
}

static void
estimate(const void *mem, const void *model, struct pb_belief *out)
{
	const struct pb_dead_opts *o = model;
	const struct dead *d = mem;
	double most = fmax(d->cov[0][0], d->cov[1][1]);

	*out = (struct pb_belief){.status = PB_LOC_LOST};
	if (!d->known)
		return;
	if (most <= o->lost_at * o->lost_at)
		out->status = PB_LOC_TRACKING;
	out->n = 1;
	out->at[0].pose = d->pose;
	out->at[0].weight = 1;
	for (int i = 0; i < 3; i++)
		memcpy(out->at[0].cov[i], d->cov[i], 3 * sizeof(double));
}

const struct pb_localizer pb_loc_odom = {.name = "odom",
    .summary = "dead reckoning from the start; scans and fixes are not used",
    .places = PB_LOC_ON_MAP | PB_LOC_IN_MAZE | PB_LOC_NOWHERE,
    .params = PB_PARAMS(rows),
    .opts_size = sizeof(struct pb_dead_opts),
    .learn = learn,
    .forget = free,
    .mem_size = sizeof(struct dead),
    .reset = reset,
    .predict = predict,
    .scan = scan,
    .fix = fix,
    .estimate = estimate};

void
pb_localizer_defaults(const struct pb_localizer *m, void *opts)
{
	memset(opts, 0, m->opts_size);
	if (m->rest != NULL)
		m->rest(opts);
	pb_params_defaults(m->params, opts);
}

size_t
pb_localizer_memory(const struct pb_localizer *m, const void *model)
{
	return m->mem_size + (m->more != NULL ? m->more(model) : 0);
}

const char *
pb_loc_status_text(enum pb_loc_status s)
{
	static const char *const text[] = {[PB_LOC_LOST] = "lost",
	    [PB_LOC_UNMAPPED] = "unmapped",
	    [PB_LOC_AMBIGUOUS] = "ambiguous",
	    [PB_LOC_TRACKING] = "tracking"};

	return text[s];
}

struct pb_pose
pb_loc_frame(const struct pb_maze *z, double cell)
{
	struct pb_pose f = pb_maze_frame(z->rows);

	return (struct pb_pose){f.x * cell, f.y * cell, f.th};
}

void
pb_loc_turn_cov(double cov[3][3], double turn)
{
	double c = pb_cos(turn), s = pb_sin(turn);
	const double r[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};

	pb_gauss_map(cov, r);
}

static const struct pb_localizer *const method[] = {
    &pb_loc_mcl, &pb_loc_fuse, &pb_loc_cell_ray, &pb_loc_region,
    &pb_loc_corridor, &pb_loc_particle, &pb_loc_odom, NULL, /* ends the list */
};

const struct pb_localizer *
pb_localizer_at(int i)
{
	int n = (int)(sizeof(method) / sizeof(*method));

	return i >= 0 && i < n ? method[i] : NULL;
}

const struct pb_localizer *
pb_localizer_find(const char *name)
{
	for (int i = 0; method[i] != NULL; i++)
		if (strcmp(method[i]->name, name) == 0)
			return method[i];
	return NULL;
}

const struct pb_localizer *
pb_localizer_for(enum pb_loc_place place)
{
	for (int i = 0; method[i] != NULL; i++)
		if (method[i]->places & (unsigned)place)
			return method[i];
	return NULL;
}
