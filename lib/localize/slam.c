/* slam.c - where a robot was, from its odometry and scans alone. */
#include "localize/slam.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "localize/slam_work.h"

#define PB_PARAMS_OF struct pb_slam_opts

static const struct pb_param params[] = {
    PB_REAL(
	"key-step", key_step, "m", 0.3, 0, 100, "key scans are so far apart"),
    PB_REAL("key-turn", key_turn, "rad", 0.3, 0, 10, "or so much turned"),
    PB_REAL("odom-step", odom_step, "m/m", 0.15, 0.001, 10,
	"odometry is off by, per m"),
    PB_REAL("odom-turn", odom_turn, "rad/rad", 0.15, 0.001, 10,
	"odometry is off by, per rad"),
    PB_REAL("reach", reach, "m", 30, 1, 100, "returns beyond are not matched"),
    PB_COUNT("local", local, "", 15, 1, 1000,
	"key scans that the next is matched with"),
    PB_REAL("drift", drift, "m/m", 0.05, 0, 1,
	"how far to look for loops, per m of way"),
    PB_REAL(
	"loop-score", loop_score, "", 0.5, 0, 1, "nearness that makes a loop"),
    PB_REAL("loop-share", loop_share, "", 0.6, 0, 1,
	"share of points on walls that makes a loop"),
    PB_COUNT("rounds", rounds, "", 2, 0, 100,
	"times that all neighbours are matched"),
};

const struct pb_params pb_slam_params = PB_PARAMS(params);

struct pb_slam_opts
pb_slam_defaults(void)
{
	struct pb_slam_opts o = {0};

	pb_params_defaults(pb_slam_params, &o);
	return o;
}

/* More pairs than these, and than such a share, make a map wrong. */
#define WRONG_LEAST 2
#define WRONG_SHARE 0.05

bool
pb_slam_contradicts(const struct pb_slam_report *r)
{
	return (double)r->contradictions >
	       WRONG_LEAST + WRONG_SHARE * (double)r->compared;
}

/* Make scan i a key scan. */
static enum pb_status
add_key(struct pb_slam *w, size_t i)
{
	struct pb_slam_key *k = &w->key[w->keys];
	struct pb_point *p = w->point + w->points;

	*k = (struct pb_slam_key){.scan = i,
	    .point = p,
	    .first = w->keys > 0 ? w->key[w->keys - 1].first : 0};
	k->n = pb_returns(&w->scan[i], w->o->reach, p);
	for (size_t j = 0; j < k->n; j++)
		k->far = fmax(k->far, pb_dist(p[j].at, (struct pb_vec){0, 0}));
	w->points += k->n;
	w->keys++;
	return pb_slam_track(w);
}

/* A scan that scores less than so much of the usual is a key scan. */
#define SEEN 0.6

/*
 * Whether scan i, so far from the last key, sees what that was matched with,
 * as far as that can be told by now.
 */
static bool
seen(struct pb_slam *w, size_t i, struct pb_pose d)
{
	struct pb_point *p = w->point + w->points;
	int k = w->keys - 1;
	size_t n;
	double score;

	if (k < 1)
		return true;
	n = pb_returns(&w->scan[i], w->o->reach, p);
	score = pb_match_score(
	    &w->local, p, n, pb_pose_compose(pb_slam_between(w, k - 1, k), d));
	return n == 0 || score >= SEEN * w->usual;
}

/* Whether so small a step makes no key scan. */
static bool
small(const struct pb_slam *w, struct pb_pose d)
{
	return d.x * d.x + d.y * d.y < w->o->key_step * w->o->key_step &&
	       fabs(d.th) < w->o->key_turn;
}

/* The newest key, scan i, is none after all. */
static void
give_up(struct pb_slam *w, size_t i, size_t edges)
{
	int k = w->keys - 1;

	w->other[i] =
	    (struct pb_slam_other){k - 1, pb_slam_between(w, k - 1, k)};
	w->points -= w->key[k].n;
	w->keys--;
	w->edges = edges;
}

/* What a guess is off by where nothing is known (m, rad). */
#define CUT      3.0
#define CUT_TURN PB_PI

/*
 * Nothing says where the newest key is. A scan may be bad; when a few are, the
 * robot is elsewhere, and a new piece begins with them.
 */
static enum pb_status
miss(struct pb_slam *w, size_t i)
{
	int k = w->keys - 1;

	w->report->lost++;
	w->miss[w->misses++] = i;
	if (w->misses < PB_SLAM_MISSES) {
		give_up(w, i, w->edges);
		return PB_OK;
	}
	for (int j = 0; w->odom != NULL && j < PB_SLAM_MISSES - 1; j++)
		w->other[w->miss[j]] = (struct pb_slam_other){
		    k, pb_pose_into(w->odom[i], w->odom[w->miss[j]])};
	w->misses = 0;
	w->key[k].first = k;
	w->key[k].kind = PB_SLAM_CUT;
	return pb_slam_guess_edge(
	    w, pb_slam_between(w, k - 1, k), CUT, CUT_TURN, INFINITY);
}

/*
 * Take scan i. Without odometry it must be matched before anybody knows
 * whether it is a key scan; then the key is given up again.
 */
static enum pb_status
take(struct pb_slam *w, size_t i)
{
	size_t edges = w->edges;
	enum pb_status st;
	int k = w->keys;

	if (k > 0 && w->odom != NULL) {
		/* By the wheels, from the last key. */
		struct pb_pose d =
		    pb_pose_into(w->odom[w->key[k - 1].scan], w->odom[i]);

		if (small(w, d) && seen(w, i, d)) {
			w->other[i] = (struct pb_slam_other){k - 1, d};
			return PB_OK;
		}
	}
	w->other[i] = (struct pb_slam_other){k, {0, 0, 0}};
	st = add_key(w, i);
	if (st == PB_ENOENT)
		return miss(w, i);
	if (st != PB_OK || k == 0)
		return st;
	w->misses = 0;
	if (w->odom == NULL && small(w, pb_slam_between(w, k - 1, k))) {
		give_up(w, i, edges);
		return PB_OK;
	}
	return pb_slam_close(w);
}

enum pb_status
pb_slam_tell(const struct pb_slam *w, size_t scan)
{
	const struct pb_slam_opts *o = w->o;
	size_t all = PB_SLAM_TRACK + (size_t)o->rounds + PB_SLAM_SETTLE;
	size_t done = (w->past * w->n + w->pass * scan) / all;

	return o->step == NULL || o->step(o->ctx, done, w->n) ? PB_OK
	                                                      : PB_ESTOPPED;
}

/* The first scan after key k - 1 that hangs together with key k. */
static size_t
begin_of(const struct pb_slam *w, int k)
{
	size_t i = w->key[k].scan;

	while (i > 0 && w->other[i - 1].key == k)
		i--;
	return i;
}

static enum pb_status
list_marks(const struct pb_slam *w)
{
	struct pb_slam_report *r = w->report;
	struct pb_slam_mark *m =
	    malloc(((size_t)w->keys + w->firm) * sizeof(*m));

	if (m == NULL)
		return PB_ENOMEM;
	r->mark = m;
	for (int k = 1; k < w->keys; k++)
		if (w->key[k].kind != PB_SLAM_MATCHED)
			*m++ = (struct pb_slam_mark){
			    (enum pb_slam_kind)w->key[k].kind,
			    w->key[k - 1].scan, begin_of(w, k)};
	for (size_t i = 0; i < w->firm; i++) {
		const struct pb_edge *e = &w->edge[i];

		if (e->b > e->a + 1)
			*m++ = (struct pb_slam_mark){
			    PB_SLAM_LOOP, w->key[e->a].scan, w->key[e->b].scan};
	}
	r->marks = (size_t)(m - r->mark);
	return PB_OK;
}

static enum pb_status
run(struct pb_slam *w)
{
	enum pb_status st = PB_OK;

	w->pass = PB_SLAM_TRACK;
	for (size_t i = 0; st == PB_OK && i < w->n; i++) {
		st = pb_slam_tell(w, i);
		if (st == PB_OK)
			st = take(w, i);
	}
	if (st != PB_OK)
		return st;
	w->firm = w->edges;
	pb_slam_find_pieces(w);
	w->past = w->pass;
	w->pass = 1;
	for (int k = 0; st == PB_OK && k < w->o->rounds; k++) {
		st = pb_slam_refine(w);
		w->past++;
	}
	if (st != PB_OK)
		return st;
	w->pass = PB_SLAM_SETTLE;
	w->report->loop_off = pb_slam_loops_off(w);
	pb_slam_compare(w);
	st = pb_slam_settle(w);
	return st == PB_OK ? list_marks(w) : st;
}

/* Cells in which points are matched, and how near is near (m). */
#define CELL  0.05
#define SIGMA 0.1

enum pb_status
pb_slam(const struct pb_slam_opts *o, struct pb_pose start,
    const struct pb_scan *scan, const struct pb_pose *odom, size_t n,
    struct pb_pose *out, struct pb_slam_report *report)
{
	struct pb_slam_report r = {0};
	struct pb_slam w = {.o = o,
	    .scan = scan,
	    .odom = odom,
	    .n = n,
	    .report = &r,
	    .local = pb_target_empty(CELL, SIGMA),
	    .loop = pb_target_empty(CELL, SIGMA)};
	enum pb_status st;

	if (n == 0)
		return PB_EEMPTY;
	if (pb_params_check(pb_slam_params, o) != NULL)
		return PB_EVALUE;
	st = pb_slam_allocate(&w) ? PB_OK : PB_ENOMEM;
	if (st == PB_OK) {
		w.pose[0] = start;
		w.joined[0] = true;
		st = run(&w);
	}
	for (size_t i = 0; st == PB_OK && i < n; i++)
		out[i] =
		    pb_pose_compose(w.pose[w.other[i].key], w.other[i].rel);
	r.keys = (size_t)w.keys;
	if (st == PB_OK)
		*report = r;
	pb_slam_clear(&w);
	return st;
}
