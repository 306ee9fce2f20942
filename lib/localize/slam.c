/* slam.c - where a robot was, from its odometry and scans alone. */
#include "localize/slam.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "localize/slam_state.h"

struct pb_slam_opts
pb_slam_defaults(void)
{
	return (struct pb_slam_opts){.key_step = 0.3,
	    .key_turn = 0.3,
	    .odom_step = 0.15,
	    .odom_turn = 0.15,
	    .reach = 30,
	    .local = 15,
	    .drift = 0.05,
	    .loop_score = 0.5,
	    .loop_share = 0.6,
	    .rounds = 2};
}

#define PB_PARAMS_OF struct pb_slam_opts

static const struct pb_param params[] = {
    PB_REAL("key-step", key_step, "m", 0, 100, "key scans are so far apart"),
    PB_REAL("key-turn", key_turn, "rad", 0, 10, "or so much turned"),
    PB_REAL(
	"odom-step", odom_step, "m/m", 0.001, 10, "odometry is off by, per m"),
    PB_REAL("odom-turn", odom_turn, "rad/rad", 0.001, 10,
	"odometry is off by, per rad"),
    PB_REAL("reach", reach, "m", 1, 100, "returns beyond are not matched"),
    PB_COUNT(
	"local", local, "", 1, 1000, "key scans that the next is matched with"),
    PB_REAL(
	"drift", drift, "m/m", 0, 1, "how far to look for loops, per m of way"),
    PB_REAL("loop-score", loop_score, "", 0, 1, "nearness that makes a loop"),
    PB_REAL("loop-share", loop_share, "", 0, 1,
	"share of points on walls that makes a loop"),
    PB_COUNT(
	"rounds", rounds, "", 0, 100, "times that all neighbours are matched"),
};

const struct pb_param *
pb_slam_params(size_t *n)
{
	*n = sizeof(params) / sizeof(*params);
	return params;
}

struct pb_pose
pb_slam_between(const struct pb_slam_work *w, int a, int b)
{
	return pb_pose_compose(pb_pose_inverse(w->pose[a]), w->pose[b]);
}

enum pb_status
pb_slam_draw(struct pb_slam_work *w, const struct pb_slam_view *v, int levels,
    struct pb_target *t)
{
	struct pb_vec lo = {v->at.x - v->far, v->at.y - v->far};
	struct pb_vec hi = {v->at.x + v->far, v->at.y + v->far};
	size_t points = 0;
	enum pb_status st;

	for (int k = v->first; k <= v->last; k++)
		points += w->key[k].n;
	st = pb_target_begin(t, lo, hi, points);
	if (st != PB_OK)
		return st;
	for (int k = v->first; k <= v->last; k++)
		pb_target_add(t, pb_slam_between(w, v->frame, k),
		    w->key[k].point, w->key[k].n);
	pb_target_finish(t, levels);
	return PB_OK;
}

/* Points of a gathered cloud, about. */
#define GATHER 400

size_t
pb_slam_gather(struct pb_slam_work *w, int k, int before)
{
	int first = k > before ? k - before : 0;
	size_t all = 0, seen = 0, n = 0;

	for (int j = first; j <= k; j++)
		all += w->key[j].n;
	w->gathered_far = 0;
	for (int j = first; j <= k; j++) {
		struct pb_pose f = pb_slam_between(w, k, j);

		for (size_t i = 0; i < w->key[j].n; i++) {
			if (seen++ * GATHER / (all + 1) < n)
				continue;
			w->gathered[n] = pb_point_from(f, w->key[j].point[i]);
			w->gathered_far = fmax(w->gathered_far,
			    pb_dist(w->gathered[n].at, (struct pb_vec){0, 0}));
			n++;
		}
	}
	return n;
}

enum pb_status
pb_slam_edge(struct pb_slam_work *w, int a, int b, struct pb_pose z,
    const double precision[3][3], double soft)
{
	struct pb_edge *e;

	if (w->edges == w->edgeroom) {
		size_t room = w->edgeroom > 0 ? 2 * w->edgeroom : 1024;

		e = realloc(w->edge, room * sizeof(*e));
		if (e == NULL)
			return PB_ENOMEM;
		w->edge = e;
		w->edgeroom = room;
	}
	e = &w->edge[w->edges++];
	*e = (struct pb_edge){.a = a, .b = b, .z = z, .soft = soft};
	memcpy(e->precision, precision, sizeof(e->precision));
	return PB_OK;
}

/*
 * Variance of the distance of a point from a line (m2). It is larger than
 * the noise of ranges, for the errors of neighbouring points are alike.
 */
#define FIT_VARIANCE 0.025

enum pb_status
pb_slam_fit_edge(
    struct pb_slam_work *w, int a, int b, const struct pb_fit *f, double soft)
{
	double precision[3][3];

	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			precision[r][c] = f->precision[r][c] / FIT_VARIANCE;
	return pb_slam_edge(w, a, b, f->pose, precision, soft);
}

/* Make scan i a key scan. */
static enum pb_status
add_key(struct pb_slam_work *w, size_t i)
{
	struct pb_slam_key *k = &w->key[w->keys];
	struct pb_point *p = w->point + w->points;

	*k = (struct pb_slam_key){.scan = i, .point = p};
	k->n = pb_returns(&w->scan[i], w->o->reach, p);
	for (size_t j = 0; j < k->n; j++)
		k->far = fmax(k->far, pb_dist(p[j].at, (struct pb_vec){0, 0}));
	w->points += k->n;
	w->keys++;
	return pb_slam_track(w);
}

/* Way of the wheels from the last key to scan i. */
static struct pb_pose
odom_since(const struct pb_slam_work *w, size_t i)
{
	const struct pb_slam_key *k = &w->key[w->keys - 1];

	if (w->odom == NULL)
		return (struct pb_pose){0, 0, 0};
	return pb_pose_compose(pb_pose_inverse(w->odom[k->scan]), w->odom[i]);
}

/* Whether so small a step makes no key scan. */
static bool
small(const struct pb_slam_work *w, struct pb_pose d)
{
	return d.x * d.x + d.y * d.y < w->o->key_step * w->o->key_step &&
	       fabs(d.th) < w->o->key_turn;
}

/*
 * Take scan i. Without odometry it must be matched before anybody knows
 * whether it is a key scan; then the key is given up again.
 */
static enum pb_status
take(struct pb_slam_work *w, size_t i)
{
	struct pb_pose d = {0, 0, 0};
	size_t edges = w->edges, lost = w->report.lost;
	enum pb_status st;
	int k = w->keys;

	if (k > 0 && w->odom != NULL) {
		d = odom_since(w, i);
		if (small(w, d)) {
			w->other[i] = (struct pb_slam_other){k - 1, d};
			return PB_OK;
		}
	}
	w->other[i] = (struct pb_slam_other){k, {0, 0, 0}};
	st = add_key(w, i);
	if (st != PB_OK || k == 0)
		return st;
	d = pb_slam_between(w, k - 1, k);
	if (w->odom == NULL && small(w, d)) {
		w->other[i] = (struct pb_slam_other){k - 1, d};
		w->points -= w->key[k].n;
		w->keys--;
		w->edges = edges;
		w->report.lost = lost;
		return PB_OK;
	}
	return pb_slam_close(w);
}

static enum pb_status
run(struct pb_slam_work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		enum pb_status st = take(w, i);

		if (st != PB_OK)
			return st;
	}
	for (int k = 0; k < w->o->rounds; k++) {
		enum pb_status st = pb_slam_refine(w);

		if (st != PB_OK)
			return st;
	}
	return PB_OK;
}

static bool
allocate(struct pb_slam_work *w)
{
	size_t beams = 0;

	for (size_t i = 0; i < w->n; i++)
		beams += w->scan[i].n;
	w->point = malloc((beams + 1) * sizeof(*w->point));
	w->key = malloc(w->n * sizeof(*w->key));
	w->other = malloc(w->n * sizeof(*w->other));
	w->pose = malloc(w->n * sizeof(*w->pose));
	w->dist = malloc(w->n * sizeof(*w->dist));
	w->gathered = malloc((GATHER + 2) * sizeof(*w->gathered));
	return w->point != NULL && w->key != NULL && w->other != NULL &&
	       w->pose != NULL && w->dist != NULL && w->gathered != NULL;
}

static void
clear(struct pb_slam_work *w)
{
	free(w->point);
	free(w->key);
	free(w->other);
	free(w->pose);
	free(w->dist);
	free(w->edge);
	free(w->gathered);
	pb_target_clear(&w->local);
	pb_target_clear(&w->loop);
}

/* Cells in which points are matched, and how near is near (m). */
#define CELL  0.05
#define SIGMA 0.1

enum pb_status
pb_slam(const struct pb_slam_opts *o, struct pb_pose start,
    const struct pb_scan *scan, const struct pb_pose *odom, size_t n,
    struct pb_pose *out, struct pb_slam_report *report)
{
	struct pb_slam_work w = {.o = o,
	    .scan = scan,
	    .odom = odom,
	    .n = n,
	    .local = pb_target_empty(CELL, SIGMA),
	    .loop = pb_target_empty(CELL, SIGMA)};
	enum pb_status st;

	if (n == 0)
		return PB_EEMPTY;
	if (pb_params_check(params, sizeof(params) / sizeof(*params), o) !=
	    NULL)
		return PB_EVALUE;
	st = allocate(&w) ? PB_OK : PB_ENOMEM;
	if (st == PB_OK) {
		w.pose[0] = start;
		st = run(&w);
	}
	for (size_t i = 0; st == PB_OK && i < n; i++)
		out[i] =
		    pb_pose_compose(w.pose[w.other[i].key], w.other[i].rel);
	w.report.keys = (size_t)w.keys;
	if (st == PB_OK)
		*report = w.report;
	clear(&w);
	return st;
}
