/* slam.c - where a robot was, from its odometry and scans alone. */
#include "localize/slam.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/grow.h"
#include "localize/posegraph.h"
#include "map/scan_match.h"

/* A key scan. */
struct slam_key {
	size_t scan;                  /* its number in the log */
	const struct pb_point *point; /* its returns, in its frame */
	size_t n;
	double far; /* distance of the farthest (m) */
};

/* A scan that is none. */
struct slam_other {
	int key;            /* before it */
	struct pb_pose rel; /* in the frame of the key */
};

struct slam_work {
	const struct pb_slam_opts *o;
	const struct pb_scan *scan;
	const struct pb_pose *odom; /* NULL: none */
	size_t n;
	struct pb_point *point; /* of all key scans */
	size_t points;
	struct slam_key *key;
	struct slam_other *other; /* n: of each scan */
	struct pb_pose *pose;     /* of each key */
	int keys;
	struct pb_edge *edge;
	size_t edges, edgeroom;
	size_t firm;  /* edges before pairs of neighbours */
	double way;   /* of all scans that were matched (m) */
	long steps;   /* ... and how many they are */
	double *dist; /* of each key: scratch of loops */
	struct pb_target local, loop;
	struct pb_point *gathered; /* of a few keys, see slam_gather */
	double gathered_far;       /* distance of the farthest (m) */
	struct pb_slam_report report;
};

/* What is to be seen from a place, of a few keys. */
struct slam_view {
	int frame;        /* the key in whose frame */
	int first, last;  /* keys */
	struct pb_vec at; /* the place ... */
	double far;       /* ... and how far a scan there can reach (m) */
};

/* A guess of where the newest key is in the frame of the one before. */
struct guess {
	struct pb_pose pose;
	double spread, spread_th; /* standard deviations (m, rad) */
	struct pb_match_window window;
};

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

/* Pose of key b in the frame of key a, as they are now. */
static struct pb_pose
slam_between(const struct slam_work *w, int a, int b)
{
	return pb_pose_into(w->pose[a], w->pose[b]);
}

/* Draw it into t, with so many levels. */
static enum pb_status
slam_draw(struct slam_work *w, const struct slam_view *v, int levels,
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
		pb_target_add(t, slam_between(w, v->frame, k), w->key[k].point,
		    w->key[k].n);
	pb_target_finish(t, levels);
	return PB_OK;
}

/* Points of a gathered cloud, about. */
#define GATHER 400

/*
 * Gather points of key k and of up to `before` keys before it, in the frame of
 * k, thinned out, in w->gathered.
 *
 * Returns  how many
 */
static size_t
slam_gather(struct slam_work *w, int k, int before)
{
	int first = k > before ? k - before : 0;
	size_t all = 0, seen = 0, n = 0;

	for (int j = first; j <= k; j++)
		all += w->key[j].n;
	w->gathered_far = 0;
	for (int j = first; j <= k; j++) {
		struct pb_pose f = slam_between(w, k, j);

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

/* Keep what was measured of key b in the frame of key a. */
static enum pb_status
slam_edge(struct slam_work *w, int a, int b, struct pb_pose z,
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

/* The same of a fit of b on points in the frame of a. */
static enum pb_status
slam_fit_edge(
    struct slam_work *w, int a, int b, const struct pb_fit *f, double soft)
{
	double precision[3][3];

	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			precision[r][c] = f->precision[r][c] / FIT_VARIANCE;
	return slam_edge(w, a, b, f->pose, precision, soft);
}

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

static struct guess
guess_of(const struct slam_work *w)
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

/* What the wheels measured, as far as they can be believed. */
static enum pb_status
odom_edge(struct slam_work *w, const struct guess *g)
{
	double a = 1 / (g->spread * g->spread);
	double b = 1 / (g->spread_th * g->spread_th);
	const double precision[3][3] = {{a, 0, 0}, {0, a, 0}, {0, 0, b}};

	return slam_edge(
	    w, w->keys - 2, w->keys - 1, g->pose, precision, INFINITY);
}

/* A match with a lower score, or fewer points on lines, is none. */
#define SCORE_LEAST 0.2
#define SHARE_LEAST 0.3
#define NEAR        0.3 /* of points to lines (m) */
#define STEPS       20

static enum pb_status
match(struct slam_work *w, const struct guess *g, struct pb_fit *fit)
{
	int k = w->keys - 1;
	int first = k > w->o->local ? k - w->o->local : 0;
	const struct slam_key *key = &w->key[k];
	const struct slam_view view = {
	    k - 1, first, k - 1, pb_pose_vec(g->pose), key->far + g->window.x};
	struct pb_pose pose;
	double score;
	enum pb_status st = slam_draw(w, &view, 6, &w->local);

	*fit = (struct pb_fit){.n = 0};
	if (st != PB_OK)
		return st;
	st = pb_match_search(&w->local, key->point, key->n, g->pose, &g->window,
	    SCORE_LEAST, &pose, &score);
	if (st == PB_OK)
		*fit = pb_match_lines(
		    &w->local, key->point, key->n, pose, NEAR, STEPS);
	return st == PB_ENOENT ? PB_OK : st;
}

/* Find the pose of the newest key from those before it. */
static enum pb_status
slam_track(struct slam_work *w)
{
	int k = w->keys - 1;
	struct guess g;
	struct pb_fit fit;
	enum pb_status st;

	if (k == 0)
		return PB_OK;
	g = guess_of(w);
	st = match(w, &g, &fit);
	if (st == PB_OK)
		st = odom_edge(w, &g);
	if (st != PB_OK)
		return st;
	if (fit.share >= SHARE_LEAST) {
		w->way += pb_hypot(fit.pose.x, fit.pose.y);
		w->steps++;
		w->pose[k] = pb_pose_compose(w->pose[k - 1], fit.pose);
		return slam_fit_edge(w, k - 1, k, &fit, INFINITY);
	}
	w->report.lost++;
	w->pose[k] = pb_pose_compose(w->pose[k - 1], g.pose);
	return PB_OK;
}

/* Keys on either side of an old one, and before the new one, that count. */
#define OLD_SIDE 15
#define NEW_SIDE 10

/* A loop is worth closing if the way along the graph is so much longer. */
#define WAY_LEAST 10.0 /* (m) */
#define WAY_TIMES 2.0

/* How far to look: at least, and at most (m, rad). */
#define LOOP_LOOK_LEAST 0.7
#define LOOK_MOST       8.0
#define LOOP_TURN_LEAST 0.15
#define TURN_PER_WAY    0.01
#define TURN_MOST       0.7

/* What a deviation of the guess, a third of the look, costs of a score. */
#define LOOP_WEIGHT 0.05

/* The share of points that a loop needs grows by this with the look. */
#define DOUBT 0.15

/* A place so far from the best one (m) must score lower by this margin. */
#define APART  0.6
#define MARGIN 0.06

#define LOOP_TURN_AT 10.0 /* angles move a point here by a cell (m) */
#define RADIAN       0.5  /* a turn counts as so much way (m/rad) */
#define SOLVE        20

static double
length(const struct pb_edge *e)
{
	return pb_hypot(e->z.x, e->z.y) + RADIAN * fabs(e->z.th);
}

static bool
relax(double *dist, const struct pb_edge *e)
{
	double d = length(e);

	if (dist[e->a] + d < dist[e->b]) {
		dist[e->b] = dist[e->a] + d;
		return true;
	}
	if (dist[e->b] + d < dist[e->a]) {
		dist[e->a] = dist[e->b] + d;
		return true;
	}
	return false;
}

/*
 * The shortest way along the graph from key k to all others, by Bellman and
 * Ford, sweeping to and fro. Edges lie along
 * the way of the robot but for loops, so that a few sweeps do.
 */
static void
find_ways(struct slam_work *w, int k)
{
	bool changed = true;

	for (int j = 0; j < w->keys; j++)
		w->dist[j] = INFINITY;
	w->dist[k] = 0;
	while (changed) {
		changed = false;
		for (size_t e = w->edges; e > 0; e--)
			changed |= relax(w->dist, &w->edge[e - 1]);
		for (size_t e = 0; e < w->edges; e++)
			changed |= relax(w->dist, &w->edge[e]);
	}
}

/* How far off key j may be, seen from the newest (m). */
static double
look(const struct slam_work *w, int j)
{
	return fmin(LOOP_LOOK_LEAST + w->o->drift * w->dist[j], LOOK_MOST);
}

static bool
worth(const struct slam_work *w, int j, double d)
{
	return d < look(w, j) + 1 && w->dist[j] > WAY_LEAST + WAY_TIMES * d;
}

/* Try to close a loop between key j and the newest. */
static enum pb_status
attempt(struct slam_work *w, int j, bool *closed)
{
	int k = w->keys - 1;
	int first = j > OLD_SIDE ? j - OLD_SIDE : 0;
	int last =
	    j + OLD_SIDE < k - w->o->local ? j + OLD_SIDE : k - w->o->local;
	struct pb_pose guess = slam_between(w, j, k), pose, other;
	double r = look(w, j), score, second;
	struct pb_match_window win = {.x = r,
	    .y = r,
	    .th = fmin(LOOP_TURN_LEAST + TURN_PER_WAY * w->dist[j], TURN_MOST),
	    .turn = w->loop.cell / LOOP_TURN_AT,
	    .spread = r / 3,
	    .spread_th = INFINITY,
	    .weight = LOOP_WEIGHT};
	size_t n = slam_gather(w, k, NEW_SIDE);
	const struct slam_view view = {
	    j, first, last, pb_pose_vec(guess), w->gathered_far + r};
	struct pb_fit fit;
	enum pb_status st = slam_draw(w, &view, 7, &w->loop);

	if (st != PB_OK)
		return st;
	st = pb_match_search(&w->loop, w->gathered, n, guess, &win,
	    w->o->loop_score, &pose, &score);
	if (st != PB_OK)
		return st == PB_ENOENT ? PB_OK : st;
	second = score - MARGIN;
	win.avoid = pb_pose_vec(pose);
	win.apart = APART;
	st = pb_match_search(
	    &w->loop, w->gathered, n, guess, &win, second, &other, &second);
	if (st != PB_ENOENT)
		return st;
	fit = pb_match_lines(&w->loop, w->gathered, n, pose, NEAR, STEPS);
	if (fit.share < w->o->loop_share + DOUBT * r / LOOK_MOST)
		return PB_OK;
	*closed = true;
	w->report.loops++;
	return slam_fit_edge(w, j, k, &fit, INFINITY);
}

/* Look for loops that the newest key closes, and solve if there are. */
static enum pb_status
slam_close(struct slam_work *w)
{
	int k = w->keys - 1, end = k - w->o->local;
	bool closed = false;
	struct pb_vec at = pb_pose_vec(w->pose[k]);

	if (end <= 0)
		return PB_OK;
	find_ways(w, k);
	for (int j = 0; j < end; j++) {
		int best = -1;
		double least = INFINITY;
		enum pb_status st;

		/* The nearest of a row of keys that are worth it. */
		for (; j < end; j++) {
			double d = pb_dist(at, pb_pose_vec(w->pose[j]));

			if (!worth(w, j, d))
				break;
			if (d < least) {
				least = d;
				best = j;
			}
		}
		if (best < 0)
			continue;
		st = attempt(w, best, &closed);
		if (st != PB_OK)
			return st;
	}
	return closed ? pb_posegraph_solve(
			    w->pose, w->keys, w->edge, w->edges, SOLVE, NULL)
	              : PB_OK;
}

#define REFINE_APART                                                           \
	4.0               /* neighbours are at most so far from each other (m) \
	                   */
#define MOST         12   /* partners of a key, at most */
#define REFINE_NEAR  0.15 /* of points to lines (m) */
#define REFINE_STEPS 15
#define SHARE        0.3  /* of points near lines that make a pair */
#define SHIFT        0.15 /* a match moves a pair by less (m) ... */
#define TURN         0.1  /* ... and turns it by less (rad) */
#define SOFT         1.0  /* deviations beyond which an edge is doubted */
#define REFINE_SOLVE 30

/* A partner of a key. */
struct partner {
	double d; /* (m) */
	int key;
};

static int
nearer(const void *a, const void *b)
{
	const struct partner *p = a, *q = b;

	if (p->d != q->d)
		return p->d < q->d ? -1 : 1;
	return (p->key > q->key) - (p->key < q->key);
}

/* The keys before k that are nearest to it. */
static int
partners(const struct slam_work *w, int k, struct partner *out)
{
	struct pb_vec at = pb_pose_vec(w->pose[k]);
	int n = 0;

	for (int j = 0; j < k; j++) {
		double d = pb_dist(at, pb_pose_vec(w->pose[j]));

		if (d <= REFINE_APART)
			out[n++] = (struct partner){d, j};
	}
	qsort(out, (size_t)n, sizeof(*out), nearer);
	return n < MOST ? n : MOST;
}

static bool
believable(const struct pb_fit *f, struct pb_pose guess)
{
	return f->share >= SHARE &&
	       pb_hypot(f->pose.x - guess.x, f->pose.y - guess.y) < SHIFT &&
	       fabs(pb_wrap(f->pose.th - guess.th)) < TURN;
}

/* Match the partners of key k with it. */
static enum pb_status
match_key(struct slam_work *w, int k, struct partner *p)
{
	const struct slam_view view = {k, k, k, {0, 0}, w->key[k].far + 1};
	int n = partners(w, k, p);
	enum pb_status st;

	if (n == 0)
		return PB_OK;
	st = slam_draw(w, &view, 1, &w->local);
	for (int i = 0; st == PB_OK && i < n; i++) {
		const struct slam_key *q = &w->key[p[i].key];
		struct pb_pose guess = slam_between(w, k, p[i].key);
		struct pb_fit f = pb_match_lines(&w->local, q->point, q->n,
		    guess, REFINE_NEAR, REFINE_STEPS);

		if (!believable(&f, guess))
			continue;
		w->report.pairs++;
		st = slam_fit_edge(w, k, p[i].key, &f, SOFT);
	}
	return st;
}

/* Match all neighbours with each other and solve. */
static enum pb_status
slam_refine(struct slam_work *w)
{
	struct partner *p = malloc((size_t)w->keys * sizeof(*p));
	enum pb_status st = PB_OK;

	if (p == NULL)
		return PB_ENOMEM;
	w->report.pairs = 0;
	if (w->firm == 0)
		w->firm = w->edges;
	w->edges = w->firm;
	for (int k = 0; st == PB_OK && k < w->keys; k++)
		st = match_key(w, k, p);
	free(p);
	if (st != PB_OK)
		return st;
	return pb_posegraph_solve(
	    w->pose, w->keys, w->edge, w->edges, REFINE_SOLVE, NULL);
}

/* Make scan i a key scan. */
static enum pb_status
add_key(struct slam_work *w, size_t i)
{
	struct slam_key *k = &w->key[w->keys];
	struct pb_point *p = w->point + w->points;

	*k = (struct slam_key){.scan = i, .point = p};
	k->n = pb_returns(&w->scan[i], w->o->reach, p);
	for (size_t j = 0; j < k->n; j++)
		k->far = fmax(k->far, pb_dist(p[j].at, (struct pb_vec){0, 0}));
	w->points += k->n;
	w->keys++;
	return slam_track(w);
}

/* Way of the wheels from the last key to scan i. */
static struct pb_pose
odom_since(const struct slam_work *w, size_t i)
{
	const struct slam_key *k = &w->key[w->keys - 1];

	if (w->odom == NULL)
		return (struct pb_pose){0, 0, 0};
	return pb_pose_into(w->odom[k->scan], w->odom[i]);
}

/* Whether so small a step makes no key scan. */
static bool
small(const struct slam_work *w, struct pb_pose d)
{
	return d.x * d.x + d.y * d.y < w->o->key_step * w->o->key_step &&
	       fabs(d.th) < w->o->key_turn;
}

/*
 * Take scan i. Without odometry it must be matched before anybody knows
 * whether it is a key scan; then the key is given up again.
 */
static enum pb_status
take(struct slam_work *w, size_t i)
{
	struct pb_pose d = {0, 0, 0};
	size_t edges = w->edges, lost = w->report.lost;
	enum pb_status st;
	int k = w->keys;

	if (k > 0 && w->odom != NULL) {
		d = odom_since(w, i);
		if (small(w, d)) {
			w->other[i] = (struct slam_other){k - 1, d};
			return PB_OK;
		}
	}
	w->other[i] = (struct slam_other){k, {0, 0, 0}};
	st = add_key(w, i);
	if (st != PB_OK || k == 0)
		return st;
	d = slam_between(w, k - 1, k);
	if (w->odom == NULL && small(w, d)) {
		w->other[i] = (struct slam_other){k - 1, d};
		w->points -= w->key[k].n;
		w->keys--;
		w->edges = edges;
		w->report.lost = lost;
		return PB_OK;
	}
	return slam_close(w);
}

static enum pb_status
run(struct slam_work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		enum pb_status st = take(w, i);

		if (st != PB_OK)
			return st;
	}
	for (int k = 0; k < w->o->rounds; k++) {
		enum pb_status st = slam_refine(w);

		if (st != PB_OK)
			return st;
	}
	return PB_OK;
}

static bool
allocate(struct slam_work *w)
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
clear(struct slam_work *w)
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
	struct slam_work w = {.o = o,
	    .scan = scan,
	    .odom = odom,
	    .n = n,
	    .local = pb_target_empty(CELL, SIGMA),
	    .loop = pb_target_empty(CELL, SIGMA)};
	enum pb_status st;

	if (n == 0)
		return PB_EEMPTY;
	if (pb_params_check(pb_slam_params, o) != NULL)
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
