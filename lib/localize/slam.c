/* slam.c - where a robot was, from its odometry and scans alone. */
#include "localize/slam.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/elementary.h"
#include "localize/slam_work.h"

/* Room for w->n scans, to be cleared even if this fails. */
static bool
slam_allocate(struct pb_slam *w)
{
	size_t beams = 0;

	for (size_t i = 0; i < w->n; i++)
		beams += w->scan[i].n;
	w->point = malloc((beams + 1) * sizeof(*w->point));
	w->key = malloc(w->n * sizeof(*w->key));
	w->other = malloc(w->n * sizeof(*w->other));
	w->pose = malloc(w->n * sizeof(*w->pose));
	w->dist = malloc(w->n * sizeof(*w->dist));
	w->piece = malloc(w->n * sizeof(*w->piece));
	w->joined = calloc(w->n, sizeof(*w->joined));
	w->gathered = malloc((PB_SLAM_GATHER + 2) * sizeof(*w->gathered));
	return w->point != NULL && w->key != NULL && w->other != NULL &&
	       w->pose != NULL && w->dist != NULL && w->joined != NULL &&
	       w->piece != NULL && w->gathered != NULL;
}

static void
slam_clear(struct pb_slam *w)
{
	free(w->point);
	free(w->key);
	free(w->other);
	free(w->pose);
	free(w->dist);
	free(w->joined);
	free(w->piece);
	free(w->edge);
	free(w->gathered);
	pb_target_clear(&w->local);
	pb_target_clear(&w->loop);
}

struct pb_pose
pb_slam_between(const struct pb_slam *w, int a, int b)
{
	return pb_pose_into(w->pose[a], w->pose[b]);
}

static struct pb_match_view
view_of(const struct pb_slam *w, int k)
{
	const struct pb_slam_key *key = &w->key[k];

	return (struct pb_match_view){
	    key->point, key->n, pb_pose_vec(w->scan[key->scan].mount)};
}

struct pb_match_sight
pb_slam_sight(const struct pb_slam *w, int a, int b, struct pb_pose at)
{
	struct pb_match_view from = view_of(w, a), to = view_of(w, b);

	return pb_match_sight(&from, &to, at);
}

/* Whether v shows key k. */
static bool
shows(const struct pb_slam *w, const struct pb_slam_view *v, int k)
{
	return v->within == 0 || pb_dist(pb_pose_vec(w->pose[v->frame]),
				     pb_pose_vec(w->pose[k])) <= v->within;
}

enum pb_status
pb_slam_draw(struct pb_slam *w, const struct pb_slam_view *v, int levels,
    struct pb_target *t)
{
	struct pb_vec lo = {v->at.x - v->far, v->at.y - v->far};
	struct pb_vec hi = {v->at.x + v->far, v->at.y + v->far};
	size_t points = 0;
	enum pb_status st;

	for (int k = v->first; k <= v->last; k++)
		points += shows(w, v, k) ? w->key[k].n : 0;
	st = pb_target_begin(t, lo, hi, points);
	if (st != PB_OK)
		return st;
	for (int k = v->first; k <= v->last; k++)
		if (shows(w, v, k))
			pb_target_add(t, pb_slam_between(w, v->frame, k),
			    w->key[k].point, w->key[k].n);
	pb_target_finish(t, levels);
	return PB_OK;
}

int
pb_slam_from(const struct pb_slam *w, int k, int before)
{
	return k - before > w->key[k].first ? k - before : w->key[k].first;
}

/* Keep what was measured of key b in the frame of key a. */
static enum pb_status
slam_edge(struct pb_slam *w, int a, int b, struct pb_pose z,
    const double precision[3][3], double soft)
{
	struct pb_edge *e;

	if (!pb_grow(&w->edge, w->edges, &w->edgeroom, sizeof(*w->edge)))
		return PB_ENOMEM;
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
    struct pb_slam *w, int a, int b, const struct pb_fit *f, double soft)
{
	double precision[3][3];

	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			precision[r][c] = f->precision[r][c] / FIT_VARIANCE;
	return slam_edge(w, a, b, f->pose, precision, soft);
}

/* The newest key is so far from a guess (m, rad) that may be wrong. */
static enum pb_status
slam_guess_edge(
    struct pb_slam *w, struct pb_pose z, double d, double th, double soft)
{
	const double precision[3][3] = {
	    {1 / (d * d), 0, 0}, {0, 1 / (d * d), 0}, {0, 0, 1 / (th * th)}};

	return slam_edge(w, w->keys - 2, w->keys - 1, z, precision, soft);
}

bool
pb_slam_guessed(const struct pb_slam *w, const struct pb_edge *e)
{
	return e->b == e->a + 1 && w->key[e->b].first == e->b;
}

/* A guess of where the newest key is in the frame of the one before. */
struct guess {
	struct pb_pose pose;
	double spread, spread_th; /* standard deviations (m, rad) */
	struct pb_match_window window;
};

/* Least errors of odometry (m, rad), and how many deviations to look. */
#define STEP_LEAST 0.05
#define TURN_LEAST 0.02
#define TURN_PER_M 0.02 /* of heading, beside that of turns (rad/m) */
#define LOOK       4
#define LOOK_LEAST 0.4 /* (m) */

/* Without odometry: deviations from the average step straight ahead. */
#define FREE_STEP 1.0 /* (m) */
#define FREE_TURN 0.5 /* (rad) */
#define FREE_LOOK 3

/* What a deviation costs against a score of 1. */
#define WEIGHT 0.04

/* Angles at which the farthest point moves by a cell; not too few (m). */
#define TURN_AT 12.0

/* The largest step between key scans that the wheels may not know of (m). */
#define WIDE 0.6

static struct guess
guess_of(const struct pb_slam *w)
{
	int k = w->keys - 1;
	double d = FREE_STEP, th = FREE_TURN, look = FREE_LOOK;
	struct guess g = {.pose = {0, 0, 0}};

	if (w->odom != NULL) {
		g.pose = pb_pose_into(
		    w->odom[w->key[k - 1].scan], w->odom[w->key[k].scan]);
		d = pb_hypot(g.pose.x, g.pose.y);
		th = TURN_LEAST + w->o->odom_turn * fabs(g.pose.th) +
		     TURN_PER_M * d;
		d = STEP_LEAST + w->o->odom_step * d;
		look = LOOK;
	} else if (w->steps > 0) {
		/* Ahead, as on average: corridors look alike both ways. */
		g.pose.x = w->way / (double)w->steps;
	}
	g.spread = d;
	g.spread_th = th;
	g.window = (struct pb_match_window){.x = fmax(look * d, LOOK_LEAST),
	    .y = fmax(look * d, LOOK_LEAST),
	    .th = look * th,
	    .turn = w->local.cell / fmin(fmax(w->key[k].far, 1), TURN_AT),
	    .spread = d,
	    .spread_th = th,
	    .weight = WEIGHT};
	return g;
}

/* Deviations beyond which odometry is doubted. */
#define STEP_SOFT 3.0

/* A match with a lower score, or fewer points on lines, is none. */
#define SCORE_LEAST 0.2
#define SHARE_LEAST 0.3

/* Draw what the newest key is matched with, in the frame of the one before. */
static enum pb_status
draw_local(struct pb_slam *w, const struct guess *g)
{
	int k = w->keys - 1;
	const struct pb_slam_view view = {k - 1,
	    pb_slam_from(w, k, w->o->local), k - 1, pb_pose_vec(g->pose),
	    w->key[k].far + fmax(g->window.x, WIDE)};

	return pb_slam_draw(w, &view, 6, &w->local);
}

/* Fit the newest key in a window; a fit of no points if nothing is there. */
static enum pb_status
match(struct pb_slam *w, struct pb_pose at, const struct pb_match_window *win,
    double least, struct pb_fit *fit, double *score)
{
	const struct pb_slam_key *key = &w->key[w->keys - 1];
	struct pb_pose pose;
	enum pb_status st;

	*fit = (struct pb_fit){.n = 0};
	*score = 0;
	st = pb_match_search(
	    &w->local, key->point, key->n, at, win, least, &pose, score);
	if (st == PB_OK)
		*fit = pb_match_lines(&w->local, key->point, key->n, pose,
		    PB_SLAM_NEAR, PB_SLAM_STEPS);
	return st == PB_ENOENT ? PB_OK : st;
}

/* A step that scores less than so much of the usual, or deviates from the
 * odometry by more deviations, is doubted; with less yet it is none. */
#define DOUBT_SCORE 0.75
#define DOUBT_DEV   3.0
#define WIDE_SCORE  0.65 /* ... if it was searched for everywhere */
#define MISS_SCORE  0.5
#define ALONE_SCORE 0.3 /* ... where there is nothing but scans */

/* Whether the wheels say something else. */
static bool
denied(const struct pb_slam *w, const struct guess *g, const struct pb_fit *f)
{
	return w->odom != NULL &&
	       (pb_pose_dist(f->pose, g->pose) > DOUBT_DEV * g->spread ||
		   fabs(pb_wrap(f->pose.th - g->pose.th)) >
		       DOUBT_DEV * g->spread_th);
}

static bool
fits(
    const struct pb_slam *w, const struct pb_fit *f, double score, double least)
{
	return f->share >= SHARE_LEAST && score >= least * w->usual;
}

/* A pose at which the scans see through more of each other's returns than so
 * much is none, however well the rest fits, and one at which they see through
 * fewer may be right, however little they have in common. */
#define THROUGH_MOST 0.15

/* Whether the newest key, so far from the one before, denies nothing that
 * that saw. */
static bool
possible(const struct pb_slam *w, struct pb_pose at)
{
	int k = w->keys - 1;

	return pb_slam_sight(w, k - 1, k, at).through <= THROUGH_MOST;
}

/*
 * Corridors look alike all along: where the wheels are is better than so far
 * from there (m), if that is not clearly better.
 */
#define NO_BETTER 0.06
#define SLID      0.3

static void
prefer_wheels(struct pb_slam *w, const struct guess *g, struct pb_fit *fit)
{
	const struct pb_slam_key *key = &w->key[w->keys - 1];
	struct pb_fit f;

	if (w->odom == NULL || pb_pose_dist(fit->pose, g->pose) < SLID)
		return;
	f = pb_match_lines(&w->local, key->point, key->n, g->pose, PB_SLAM_NEAR,
	    PB_SLAM_STEPS);
	if (f.share >= SHARE_LEAST && f.share > fit->share - NO_BETTER &&
	    pb_match_score(&w->local, key->point, key->n, f.pose) >
		pb_match_score(&w->local, key->point, key->n, fit->pose) -
		    NO_BETTER &&
	    possible(w, f.pose))
		*fit = f;
}

/* A wider match must score higher by so much, and than others by that. */
#define WIDE_GAIN   0.1
#define WIDE_MARGIN 0.05
#define WIDE_APART  0.3 /* (m) */
#define WIDE_TURN   0.3 /* (rad) */

/* A turn or a way that the wheels know nothing of needs more (rad, m):
 * corridors that cross, or places along one, look alike and deny nothing. */
#define STRANGE       1.0
#define STRANGE_SHARE 0.9
#define FAR_OFF       0.6
#define FAR_OFF_SHARE 0.75

static bool
strange(const struct pb_slam *w, const struct guess *g, const struct pb_fit *f,
    double score)
{
	if (w->odom == NULL)
		return false;
	if (pb_pose_dist(f->pose, g->pose) > FAR_OFF &&
	    f->share < FAR_OFF_SHARE)
		return true;
	return fabs(pb_wrap(f->pose.th - g->pose.th)) > STRANGE &&
	       (score < w->usual || f->share < STRANGE_SHARE);
}

/*
 * Search all headings and all steps that a robot can do, whatever the wheels
 * say, for a pose that fits better, and than which no other does as well.
 */
static enum pb_status
widen(
    struct pb_slam *w, const struct guess *g, struct pb_fit *fit, double *score)
{
	struct pb_match_window win = {.x = WIDE,
	    .y = WIDE,
	    .th = PB_PI,
	    .turn = g->window.turn,
	    .spread = WIDE,
	    .spread_th = PB_PI,
	    .weight = WEIGHT};
	struct pb_fit f, other;
	double best, second, least = *score + WIDE_GAIN;
	struct pb_pose from = {0, 0, 0};
	enum pb_status st = match(w, from, &win, least, &f, &best);

	if (st != PB_OK || !fits(w, &f, best, WIDE_SCORE) ||
	    f.share < fit->share || strange(w, g, &f, best) ||
	    !possible(w, f.pose))
		return st;
	win.avoid = f.pose;
	win.apart = WIDE_APART;
	win.apart_th = WIDE_TURN;
	st = match(w, from, &win, best - WIDE_MARGIN, &other, &second);
	if (st == PB_OK && other.n == 0) {
		*fit = f;
		*score = best;
	}
	return st;
}

/* How much a new score counts in the usual one. */
#define USUAL 0.05

/* The newest key is where it fits. */
static enum pb_status
keep(struct pb_slam *w, const struct guess *g, const struct pb_fit *fit,
    double score)
{
	int k = w->keys - 1;
	enum pb_status st =
	    slam_guess_edge(w, g->pose, g->spread, g->spread_th, STEP_SOFT);

	w->usual += (w->usual > 0 ? USUAL : 1) * (score - w->usual);
	w->way += pb_hypot(fit->pose.x, fit->pose.y);
	w->belied = false;
	w->steps++;
	if (denied(w, g, fit)) {
		w->report->denied++;
		w->key[k].kind = PB_SLAM_DENIED;
	}
	w->pose[k] = pb_pose_compose(w->pose[k - 1], fit->pose);
	return st == PB_OK ? pb_slam_fit_edge(w, k - 1, k, fit, INFINITY) : st;
}

/* Wheels that may be off by more are not trusted alone (m), nor are those that
 * scans contradict so much, until a scan is matched again. */
#define TRUSTED 1.0
#define BELIED  0.5

static bool
trusted(struct pb_slam *w, const struct guess *g)
{
	int k = w->keys - 1;
	double through = pb_slam_sight(w, k - 1, k, g->pose).through;

	w->belied |= through > BELIED;
	return w->odom != NULL && !w->belied && g->spread <= TRUSTED &&
	       through <= THROUGH_MOST;
}

/* The newest key is where the wheels say: it sees nothing that was seen before,
 * as behind a corner, and nothing that denies them. */
static enum pb_status
trust(struct pb_slam *w, const struct guess *g)
{
	int k = w->keys - 1;

	w->report->lost++;
	w->key[k].kind = PB_SLAM_GUESSED;
	w->pose[k] = pb_pose_compose(w->pose[k - 1], g->pose);
	return slam_guess_edge(w, g->pose, g->spread, g->spread_th, STEP_SOFT);
}

static bool
found(const struct pb_slam *w, const struct pb_fit *f, double score)
{
	if (w->odom == NULL)
		return fits(w, f, score, ALONE_SCORE);
	return fits(w, f, score, MISS_SCORE) ||
	       (fits(w, f, score, 0) && possible(w, f->pose));
}

/* Find the pose of the newest key from those before it;
 * PB_ENOENT if it is a guess. */
static enum pb_status
slam_track(struct pb_slam *w)
{
	int k = w->keys - 1;
	struct guess g;
	struct pb_fit fit;
	double score;
	enum pb_status st;

	if (k == 0)
		return PB_OK;
	g = guess_of(w);
	st = draw_local(w, &g);
	if (st == PB_OK)
		st = match(w, g.pose, &g.window, SCORE_LEAST, &fit, &score);
	if (st == PB_OK)
		prefer_wheels(w, &g, &fit);
	if (st == PB_OK && w->odom != NULL &&
	    (denied(w, &g, &fit) || !fits(w, &fit, score, DOUBT_SCORE)))
		st = widen(w, &g, &fit, &score);
	if (st != PB_OK)
		return st;
	if (found(w, &fit, score) && !strange(w, &g, &fit, score))
		return keep(w, &g, &fit, score);
	if (trusted(w, &g))
		return trust(w, &g);
	w->pose[k] = pb_pose_compose(w->pose[k - 1], g.pose);
	return PB_ENOENT;
}

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
	return slam_track(w);
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
	return slam_guess_edge(
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
	st = slam_allocate(&w) ? PB_OK : PB_ENOMEM;
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
	slam_clear(&w);
	return st;
}
