/* slam.c - where a robot was, from its odometry and scans alone. */
#include "localize/slam.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/pool.h"
#include "localize/gauss.h"
#include "localize/traj.h"
#include "map/scan_match.h"

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

/* Contradicting pairs of key scans: a map is wrong above WRONG_LEAST pairs plus
 * WRONG_SHARE of all compared pairs. */
#define WRONG_LEAST 2
#define WRONG_SHARE 0.05

bool
pb_slam_contradicts(const struct pb_slam_report *r)
{
	return (double)r->contradictions >
	       WRONG_LEAST + WRONG_SHARE * (double)r->compared;
}

/* A key scan. */
struct key {
	size_t scan;                  /* its number in the log */
	const struct pb_point *point; /* its returns, in its frame */
	size_t n;
	double far; /* distance of the farthest (m) */
	int kind;   /* enum pb_slam_kind of the edge from the key before */
	int first;  /* first key of its piece: only a guess connects it with
	               earlier keys, until a loop is closed */
};

/* A scan between key scans. */
struct other {
	int key;            /* the key before it */
	struct pb_pose rel; /* its pose in the frame of that key */
};

/* A candidate for matching: an earlier key nearby. */
struct partner {
	double d; /* distance (m) */
	int key;
};

/* A possible loop constraint between pieces: key b was matched to key a. */
struct constraint {
	int a, b;
	struct pb_fit fit; /* pose of b in the frame of a */
};

#define MISSES      3   /* unmatched scans in a row that begin a new piece */
#define CONSTRAINTS 32  /* possible loop constraints that are remembered */
#define LINE_NEAR   0.3 /* a pose is refined by points this near to lines (m) */
#define LINE_STEPS  20  /* most steps of that refinement */
#define GATHER      300 /* points of a gathered cloud, about */

/* Cost of the passes over a dense log, for the progress report (one refine()
 * costs 1). */
#define PASS_TRACK  5
#define PASS_SETTLE 2

/* The state of a SLAM run: a pose graph of key scans. */
struct slam {
	const struct pb_slam_opts *o;
	const struct pb_scan *scan;
	const struct pb_pose *odom;
	size_t n;
	struct pb_point *point; /* points of all key scans */
	size_t points;
	struct key *key;
	int *piece;   /* by key: root of its piece, at the end */
	bool *joined; /* of the first key of a piece: a loop joins the piece to
	                 earlier ones */
	struct other *other;  /* by scan: its key and pose */
	struct pb_pose *pose; /* by key: pose */
	int keys;
	struct pb_edge *edge;
	size_t edges, edgeroom;
	size_t firm;  /* edges before those between neighbours */
	double usual; /* average score of matched steps; 0: none yet */
	bool belied;  /* scans contradicted odometry since the last match */
	double *dist; /* by key: path length, work space of loops */
	struct partner *partner; /* work space of refine() */
	size_t miss[MISSES];     /* unmatched scans in a row */
	int misses;
	struct constraint constraint[CONSTRAINTS]; /* the newest ones, a ring */
	int constraints;
	struct pb_target local, loop;
	struct pb_point
	    *gathered;       /* cloud of a few keys, see gather_points() */
	double gathered_far; /* distance of the farthest point (m) */
	size_t past, pass;   /* cost of finished passes; of this pass */
	struct pb_slam_report *report;
	struct pb_pool pool; /* owner of all arrays but the edges */
};

/* The keys to match with, and the region around them. */
struct view {
	int frame;        /* the key whose frame is used */
	int first, last;  /* first and last key to draw */
	struct pb_vec at; /* middle of the region (m) */
	double far;       /* half side of the region (m) */
	double within;    /* draw keys this near to `frame` only (m); 0: all */
};

/* Returns false without memory. */
static bool
slam_allocate(struct slam *w)
{
	struct pb_pool *p = &w->pool;
	size_t beams = 0;

	for (size_t i = 0; i < w->n; i++)
		beams += w->scan[i].n;
	w->point = pb_pool_get(p, beams, sizeof(*w->point));
	w->key = pb_pool_get(p, w->n, sizeof(*w->key));
	w->other = pb_pool_get(p, w->n, sizeof(*w->other));
	w->pose = pb_pool_get(p, w->n, sizeof(*w->pose));
	w->dist = pb_pool_get(p, w->n, sizeof(*w->dist));
	w->piece = pb_pool_get(p, w->n, sizeof(*w->piece));
	w->joined = pb_pool_get(p, w->n, sizeof(*w->joined));
	w->partner = pb_pool_get(p, w->n, sizeof(*w->partner));
	w->gathered = pb_pool_get(p, GATHER + 2, sizeof(*w->gathered));
	return !p->failed;
}

static struct pb_pose
relative_pose(const struct slam *w, int a, int b)
{
	return pb_pose_into(w->pose[a], w->pose[b]);
}

static struct pb_match_view
view_of(const struct slam *w, int k)
{
	const struct key *key = &w->key[k];

	return (struct pb_match_view){
	    key->point, key->n, pb_pose_vec(w->scan[key->scan].mount)};
}

static struct pb_match_sight
compare_sight(const struct slam *w, int a, int b, struct pb_pose at)
{
	struct pb_match_view from = view_of(w, a), to = view_of(w, b);

	return pb_match_sight(&from, &to, at);
}

static bool
is_in_view(const struct slam *w, const struct view *v, int k)
{
	return v->within == 0 || pb_dist(pb_pose_vec(w->pose[v->frame]),
				     pb_pose_vec(w->pose[k])) <= v->within;
}

static enum pb_status
draw_keys(struct slam *w, const struct view *v, struct pb_target *t)
{
	struct pb_vec lo = {v->at.x - v->far, v->at.y - v->far};
	struct pb_vec hi = {v->at.x + v->far, v->at.y + v->far};
	size_t points = 0;
	enum pb_status st;

	for (int k = v->first; k <= v->last; k++)
		points += is_in_view(w, v, k) ? w->key[k].n : 0;
	st = pb_target_begin(t, lo, hi, points);
	if (st != PB_OK)
		return st;
	for (int k = v->first; k <= v->last; k++)
		if (is_in_view(w, v, k))
			pb_target_add(t, relative_pose(w, v->frame, k),
			    w->key[k].point, w->key[k].n);
	return PB_OK;
}

static int
first_key(const struct slam *w, int k, int before)
{
	return k - before > w->key[k].first ? k - before : w->key[k].first;
}

/* Add the measured pose z of key b in the frame of key a. */
static enum pb_status
add_edge(struct slam *w, int a, int b, struct pb_pose z,
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

/* Variance of the distance of a point from a line (m2). It is larger than the
 * noise of ranges, since the errors of neighbouring points correlate. */
#define FIT_VARIANCE 0.025

static enum pb_status
add_fit_edge(struct slam *w, int a, int b, const struct pb_fit *f, double soft)
{
	double precision[3][3];

	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			precision[r][c] = f->precision[r][c] / FIT_VARIANCE;
	return add_edge(w, a, b, f->pose, precision, soft);
}

/* Add an uncertain edge from the key before to the newest key; d (m) and th
 * (rad) are standard deviations. */
static enum pb_status
add_guess_edge(
    struct slam *w, struct pb_pose z, double d, double th, double soft)
{
	const double precision[3][3] = {
	    {1 / (d * d), 0, 0}, {0, 1 / (d * d), 0}, {0, 0, 1 / (th * th)}};

	return add_edge(w, w->keys - 2, w->keys - 1, z, precision, soft);
}

static bool
is_guess(const struct slam *w, const struct pb_edge *e)
{
	return e->b == e->a + 1 && w->key[e->b].first == e->b;
}

/*
 * The odometry of the last step: the newest key in the frame of the key before.
 */
struct guess {
	struct pb_pose pose;
	double spread, spread_th; /* standard deviations (m, rad) */
	struct pb_match_window window;
};

/* Least standard deviations of odometry (m, rad); the search window is LOOK of
 * them, at least LOOK_LEAST. */
#define STEP_LEAST 0.05
#define TURN_LEAST 0.02
#define TURN_PER_M 0.02 /* heading error per distance (rad/m) */
#define LOOK       4
#define LOOK_LEAST 0.4 /* (m) */

/* Penalty of one standard deviation from odometry; the best score is 1. */
#define WEIGHT 0.04

/* The angle between tried headings moves a point at the farthest return, or at
 * TURN_AT if that is nearer, by one cell (m). */
#define TURN_AT 12.0

/* The largest motion between key scans that the wheels may miss (m). */
#define WIDE 0.6

static struct guess
guess_step(const struct slam *w)
{
	int k = w->keys - 1;
	struct guess g = {.pose = pb_pose_into(w->odom[w->key[k - 1].scan],
			      w->odom[w->key[k].scan])};
	double way = pb_hypot(g.pose.x, g.pose.y);
	double d = STEP_LEAST + w->o->odom_step * way;
	double th =
	    TURN_LEAST + w->o->odom_turn * fabs(g.pose.th) + TURN_PER_M * way;

	g.spread = d;
	g.spread_th = th;
	g.window = (struct pb_match_window){.x = fmax(LOOK * d, LOOK_LEAST),
	    .y = fmax(LOOK * d, LOOK_LEAST),
	    .th = LOOK * th,
	    .turn = w->local.cell / fmin(fmax(w->key[k].far, 1), TURN_AT),
	    .spread = d,
	    .spread_th = th,
	    .weight = WEIGHT};
	return g;
}

/* Deviations beyond which Cauchy's soft limit weakens an odometry edge. */
#define STEP_SOFT 3.0

/* Least score of a match, and least share of its points on lines. */
#define SCORE_LEAST 0.2
#define SHARE_LEAST 0.3

/* Draw the keys that the newest is matched with, in the frame of the key before
 * it. */
static enum pb_status
draw_local(struct slam *w, const struct guess *g)
{
	int k = w->keys - 1;
	const struct view view = {k - 1, first_key(w, k, w->o->local), k - 1,
	    pb_pose_vec(g->pose), w->key[k].far + fmax(g->window.x, WIDE)};
	enum pb_status st = draw_keys(w, &view, &w->local);

	return st == PB_OK ? pb_target_finish(&w->local) : st;
}

/* Match the newest key within a window; fit->n is 0 if nothing matches. */
static enum pb_status
match_newest(struct slam *w, struct pb_pose at,
    const struct pb_match_window *win, double least, struct pb_fit *fit,
    double *score)
{
	const struct key *key = &w->key[w->keys - 1];
	struct pb_pose pose;
	enum pb_status st;

	*fit = (struct pb_fit){.n = 0};
	*score = 0;
	st = pb_match_search(
	    &w->local, key->point, key->n, at, win, least, &pose, score);
	if (st == PB_OK)
		*fit = pb_match_lines(
		    &w->local, key->point, key->n, pose, LINE_NEAR, LINE_STEPS);
	return st == PB_ENOENT ? PB_OK : st;
}

/*
 * Least scores of a step, as shares of the usual score: below DOUBT_SCORE, or
 * more than DOUBT_DEV deviations from odometry, search widely; a wide match
 * needs WIDE_SCORE; below MISS_SCORE a match must be consistent.
 */
#define DOUBT_SCORE 0.75
#define DOUBT_DEV   3.0
#define WIDE_SCORE  0.65
#define MISS_SCORE  0.5

static bool
odometry_denies(const struct guess *g, const struct pb_fit *f)
{
	return pb_pose_dist(f->pose, g->pose) > DOUBT_DEV * g->spread ||
	       fabs(pb_wrap(f->pose.th - g->pose.th)) >
	           DOUBT_DEV * g->spread_th;
}

static bool
is_good_fit(
    const struct slam *w, const struct pb_fit *f, double score, double least)
{
	return f->share >= SHARE_LEAST && score >= least * w->usual;
}

/* Most of the other scan's returns that a scan may see through, as a share:
 * above it a pose is wrong however well the rest fits. */
#define THROUGH_MOST 0.15

/* Whether the newest key, at pose `at` in the frame of the key before it, sees
 * through few of that key's returns. */
static bool
is_consistent(const struct slam *w, struct pb_pose at)
{
	int k = w->keys - 1;

	return compare_sight(w, k - 1, k, at).through <= THROUGH_MOST;
}

/* A wide match must score higher than the narrow one by WIDE_GAIN, and than any
 * other pose, WIDE_APART or WIDE_TURN away, by WIDE_MARGIN. */
#define WIDE_GAIN   0.1
#define WIDE_MARGIN 0.05
#define WIDE_APART  0.3 /* (m) */
#define WIDE_TURN   0.3 /* (rad) */

/*
 * A match needs a larger share of points on lines if it differs from odometry
 * by STRANGE (rad) or FAR_OFF (m): crossing corridors, and places along one
 * corridor, look alike.
 */
#define STRANGE       1.0
#define STRANGE_SHARE 0.9
#define FAR_OFF       0.6
#define FAR_OFF_SHARE 0.75

static bool
is_doubtful_leap(const struct slam *w, const struct guess *g,
    const struct pb_fit *f, double score)
{
	if (pb_pose_dist(f->pose, g->pose) > FAR_OFF &&
	    f->share < FAR_OFF_SHARE)
		return true;
	return fabs(pb_wrap(f->pose.th - g->pose.th)) > STRANGE &&
	       (score < w->usual || f->share < STRANGE_SHARE);
}

/* Search all headings, and all motions within WIDE, for a pose that fits better
 * than the narrow match, and clearly better than any other. */
static enum pb_status
search_widely(
    struct slam *w, const struct guess *g, struct pb_fit *fit, double *score)
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
	enum pb_status st = match_newest(w, from, &win, least, &f, &best);

	if (st != PB_OK || !is_good_fit(w, &f, best, WIDE_SCORE) ||
	    f.share < fit->share || is_doubtful_leap(w, g, &f, best) ||
	    !is_consistent(w, f.pose))
		return st;
	win.avoid = f.pose;
	win.apart = WIDE_APART;
	win.apart_th = WIDE_TURN;
	st = match_newest(w, from, &win, best - WIDE_MARGIN, &other, &second);
	if (st == PB_OK && other.n == 0) {
		*fit = f;
		*score = best;
	}
	return st;
}

/* Weight of a new score in the running average. */
#define USUAL 0.05

static enum pb_status
accept_match(struct slam *w, const struct guess *g, const struct pb_fit *fit,
    double score)
{
	int k = w->keys - 1;
	enum pb_status st =
	    add_guess_edge(w, g->pose, g->spread, g->spread_th, STEP_SOFT);

	w->usual += (w->usual > 0 ? USUAL : 1) * (score - w->usual);
	w->belied = false;
	if (odometry_denies(g, fit)) {
		w->report->denied++;
		w->key[k].kind = PB_SLAM_DENIED;
	}
	w->pose[k] = pb_pose_compose(w->pose[k - 1], fit->pose);
	return st == PB_OK ? add_fit_edge(w, k - 1, k, fit, INFINITY) : st;
}

/*
 * Odometry is not trusted alone if its standard deviation exceeds TRUSTED (m),
 * or, until the next match, once the scans see through more than the share
 * BELIED of each other.
 */
#define TRUSTED 1.0
#define BELIED  0.5

static bool
can_trust_wheels(struct slam *w, const struct guess *g)
{
	int k = w->keys - 1;
	double through = compare_sight(w, k - 1, k, g->pose).through;

	w->belied |= through > BELIED;
	return !w->belied && g->spread <= TRUSTED && through <= THROUGH_MOST;
}

/* Place the newest key by odometry: it shares no view with earlier keys, as
 * behind a corner, and contradicts none. */
static enum pb_status
accept_odometry(struct slam *w, const struct guess *g)
{
	int k = w->keys - 1;

	w->report->lost++;
	w->key[k].kind = PB_SLAM_GUESSED;
	w->pose[k] = pb_pose_compose(w->pose[k - 1], g->pose);
	return add_guess_edge(w, g->pose, g->spread, g->spread_th, STEP_SOFT);
}

static bool
is_match(const struct slam *w, const struct pb_fit *f, double score)
{
	return is_good_fit(w, f, score, MISS_SCORE) ||
	       (is_good_fit(w, f, score, 0) && is_consistent(w, f->pose));
}

/* Find the pose of the newest key by matching it with the keys before it;
 * PB_ENOENT if it is a guess. */
static enum pb_status
slam_track(struct slam *w)
{
	int k = w->keys - 1;
	struct guess g;
	struct pb_fit fit;
	double score;
	enum pb_status st;

	if (k == 0)
		return PB_OK;
	g = guess_step(w);
	st = draw_local(w, &g);
	if (st == PB_OK)
		st = match_newest(
		    w, g.pose, &g.window, SCORE_LEAST, &fit, &score);
	if (st == PB_OK && (odometry_denies(&g, &fit) ||
			       !is_good_fit(w, &fit, score, DOUBT_SCORE)))
		st = search_widely(w, &g, &fit, &score);
	if (st != PB_OK)
		return st;
	if (is_match(w, &fit, score) && !is_doubtful_leap(w, &g, &fit, score))
		return accept_match(w, &g, &fit, score);
	if (can_trust_wheels(w, &g))
		return accept_odometry(w, &g);
	w->pose[k] = pb_pose_compose(w->pose[k - 1], g.pose);
	return PB_ENOENT;
}

/* A loop is searched with OLD_SIDE keys on either side of an old key, and
 * NEW_SIDE keys before the newest. */
#define OLD_SIDE 15
#define NEW_SIDE 10

/* A loop is worth closing if the path along the graph is longer than WAY_LEAST
 * plus WAY_TIMES the direct distance. */
#define WAY_LEAST 10.0 /* (m) */
#define WAY_TIMES 2.0

/* Loop search: least and largest radius (m), least and largest angle (rad); the
 * angle grows by TURN_PER_WAY (rad/m). */
#define LOOP_LOOK_LEAST 0.7
#define LOOK_MOST       8.0
#define LOOP_TURN_LEAST 0.15
#define TURN_PER_WAY    0.01
#define TURN_MOST       0.7

/* Penalty of one standard deviation (a third of the search radius) from the
 * guess; the best score is 1. */
#define LOOP_WEIGHT 0.05

/* The share of points on lines that a loop needs grows by DOUBT up to the
 * largest search radius. */
#define DOUBT 0.15

/*
 * Ambiguity test: reject a loop if another place, farther than APART (m), or
 * APART_TURN (rad) where all headings are searched, scores within MARGIN of the
 * best.
 */
#define APART      0.6
#define APART_TURN 0.3
#define MARGIN     0.06

#define LOOP_TURN_AT 10.0 /* a tried angle moves a point here by a cell (m) */
#define RADIAN       0.5  /* path length of a turn (m/rad) */
#define CUT_WAY      1e3  /* path length of the guess between two pieces (m) */
#define PIECE_LEAST  4    /* fewest keys of a piece that may be joined */
#define PIECE_EAGER  30   /* a piece's first keys all search for loops, ... */
#define PIECE_EVERY  5    /* ... then one key in PIECE_EVERY, for speed */

/*
 * Two loop constraints confirm each other if AGREE_KEYS keys lie between them
 * and their poses differ by less than AGREE_OFF (m) and AGREE_TURN (rad).
 * SOLVE: most solver steps.
 */
#define AGREE_KEYS 5
#define AGREE_OFF  0.5
#define AGREE_TURN 0.1
#define SOLVE      20

static bool
relax_edge(const struct slam *w, const struct pb_edge *e)
{
	double d = pb_hypot(e->z.x, e->z.y) + RADIAN * fabs(e->z.th) +
	           (is_guess(w, e) ? CUT_WAY : 0);
	double *a = &w->dist[e->a], *b = &w->dist[e->b];

	if (!(*a + d < *b || *b + d < *a))
		return false;
	if (*a + d < *b)
		*b = *a + d;
	else
		*a = *b + d;
	return true;
}

/*
 * Shortest paths along the graph from key k to all others (Bellman-Ford),
 * sweeping forwards and backwards: edges follow the robot's path except for
 * loops, so a few sweeps suffice.
 */
static void
find_shortest_paths(struct slam *w, int k)
{
	bool changed = true;

	for (int j = 0; j < w->keys; j++)
		w->dist[j] = INFINITY;
	w->dist[k] = 0;
	while (changed) {
		changed = false;
		for (size_t e = w->edges; e > 0; e--)
			changed |= relax_edge(w, &w->edge[e - 1]);
		for (size_t e = 0; e < w->edges; e++)
			changed |= relax_edge(w, &w->edge[e]);
	}
}

/* Search radius for a loop between key j and the newest (m). */
static double
loop_radius(const struct slam *w, int j)
{
	return fmin(LOOP_LOOK_LEAST + w->o->drift * w->dist[j], LOOK_MOST);
}

/* The same for the heading (rad). */
static double
loop_angle(const struct slam *w, int j)
{
	return w->dist[j] >= CUT_WAY
	           ? PB_PI
	           : fmin(LOOP_TURN_LEAST + TURN_PER_WAY * w->dist[j],
			 TURN_MOST);
}

/* The last of the keys around key j that the newest is matched with. */
static int
last_loop_key(const struct slam *w, int j)
{
	int k = w->keys - 1, last = j;

	while (last < j + OLD_SIDE && last < k - w->o->local &&
	       w->key[last + 1].first == w->key[j].first)
		last++;
	return last;
}

static bool
is_loop_candidate(const struct slam *w, int j, double d)
{
	return d < loop_radius(w, j) + 1 &&
	       w->dist[j] > WAY_LEAST + WAY_TIMES * d;
}

/* Whether only guesses connect the newest key with key j. */
static bool
is_disconnected(const struct slam *w, int j)
{
	return w->dist[j] >= CUT_WAY;
}

/* Move the piece of the newest key so that constraint t holds. */
static void
move_piece(struct slam *w, const struct constraint *t)
{
	struct pb_pose at = w->pose[t->b];
	struct pb_pose to = pb_pose_compose(w->pose[t->a], t->fit.pose);

	for (int i = w->key[t->b].first; i < w->keys; i++)
		w->pose[i] = pb_pose_compose(to, pb_pose_into(at, w->pose[i]));
}

static bool
constraints_agree(const struct slam *w, const struct constraint *t,
    const struct constraint *u)
{
	struct pb_pose p = pb_pose_compose(w->pose[u->a], u->fit.pose);
	struct pb_pose q =
	    pb_pose_compose(pb_pose_compose(w->pose[t->a], t->fit.pose),
		relative_pose(w, t->b, u->b));

	return u->b - t->b >= AGREE_KEYS && pb_pose_dist(p, q) < AGREE_OFF &&
	       fabs(pb_wrap(p.th - q.th)) < AGREE_TURN;
}

/* Join the piece of the newest key by constraint t if an earlier constraint
 * confirms it: single places look alike, whole paths do not. */
static enum pb_status
add_constraint(struct slam *w, const struct constraint *t, bool *closed)
{
	const struct constraint *u = NULL;
	int first = w->key[t->b].first;
	enum pb_status st;

	for (int i = 0; i < w->constraints && i < CONSTRAINTS; i++)
		if (w->constraint[i].b >= first &&
		    constraints_agree(w, &w->constraint[i], t))
			u = &w->constraint[i];
	if (u == NULL) {
		w->constraint[w->constraints % CONSTRAINTS] = *t;
		w->constraints++;
		return PB_OK;
	}
	*closed = w->joined[first] = true;
	w->report->loops += 2;
	move_piece(w, t);
	st = add_fit_edge(w, u->a, u->b, &u->fit, INFINITY);
	return st == PB_OK ? add_fit_edge(w, t->a, t->b, &t->fit, INFINITY)
	                   : st;
}

/* Gather the points of key k and the NEW_SIDE keys before it, thinned to
 * GATHER, in the frame of k. Returns their number in w->gathered. */
static size_t
gather_points(struct slam *w, int k)
{
	int first = first_key(w, k, NEW_SIDE);
	size_t all = 0, seen = 0, n = 0;

	for (int j = first; j <= k; j++)
		all += w->key[j].n;
	w->gathered_far = 0;
	for (int j = first; j <= k; j++) {
		struct pb_pose f = relative_pose(w, k, j);

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

/* Try to close a loop between key j and the newest key. */
static enum pb_status
try_loop(struct slam *w, int j, bool *closed)
{
	int k = w->keys - 1;
	int first = first_key(w, j, OLD_SIDE), last = last_loop_key(w, j);
	struct pb_pose guess = relative_pose(w, j, k), pose, other;
	double r = loop_radius(w, j), score, second;
	struct pb_match_window win = {.x = r,
	    .y = r,
	    .th = loop_angle(w, j),
	    .turn = w->loop.cell / LOOP_TURN_AT,
	    .spread = r / 3,
	    .spread_th = INFINITY,
	    .weight = LOOP_WEIGHT};
	size_t n = gather_points(w, k);
	const struct view view = {
	    j, first, last, pb_pose_vec(guess), w->gathered_far + r};
	struct pb_fit fit;
	enum pb_status st = draw_keys(w, &view, &w->loop);

	if (st == PB_OK)
		st = pb_target_finish(&w->loop);
	if (st != PB_OK)
		return st;
	st = pb_match_search(&w->loop, w->gathered, n, guess, &win,
	    w->o->loop_score, &pose, &score);
	if (st != PB_OK)
		return st == PB_ENOENT ? PB_OK : st;
	fit = pb_match_lines(
	    &w->loop, w->gathered, n, pose, LINE_NEAR, LINE_STEPS);
	if (fit.share < w->o->loop_share + DOUBT * r / LOOK_MOST)
		return PB_OK;
	second = score - MARGIN;
	win.avoid = pose;
	win.apart = APART;
	win.apart_th = is_disconnected(w, j) ? APART_TURN : INFINITY;
	st = pb_match_search(
	    &w->loop, w->gathered, n, guess, &win, second, &other, &second);
	if (st != PB_ENOENT)
		return st;
	if (is_disconnected(w, j))
		return add_constraint(
		    w, &(struct constraint){j, k, fit}, closed);
	*closed = true;
	w->report->loops++;
	return add_fit_edge(w, j, k, &fit, INFINITY);
}

static bool
is_search_due(const struct slam *w, int k)
{
	int n = k - w->key[k].first;

	return n <= PIECE_EAGER || n % PIECE_EVERY == 0;
}

static enum pb_status
close_loops(struct slam *w)
{
	int k = w->keys - 1, end = k - w->o->local;
	bool closed = false;
	struct pb_vec at = pb_pose_vec(w->pose[k]);

	if (end <= 0 || (!w->joined[w->key[k].first] &&
			    k - w->key[k].first + 1 < PIECE_LEAST))
		return PB_OK;
	find_shortest_paths(w, k);
	for (int j = 0; j < end; j++) {
		int best = -1;
		double least = INFINITY;
		enum pb_status st;

		/* The nearest of consecutive candidates. */
		for (; j < end; j++) {
			double d = pb_dist(at, pb_pose_vec(w->pose[j]));

			if (!is_loop_candidate(w, j, d))
				break;
			if (d < least) {
				least = d;
				best = j;
			}
		}
		if (best < 0 ||
		    (is_disconnected(w, best) && !is_search_due(w, k)))
			continue;
		st = try_loop(w, best, &closed);
		if (st != PB_OK)
			return st;
	}
	return closed ? pb_posegraph_solve(
			    w->pose, w->keys, w->edge, w->edges, SOLVE, NULL)
	              : PB_OK;
}

/* Make scan i a key scan. */
static enum pb_status
add_key(struct slam *w, size_t i)
{
	struct key *k = &w->key[w->keys];
	struct pb_point *p = w->point + w->points;

	*k = (struct key){.scan = i,
	    .point = p,
	    .first = w->keys > 0 ? w->key[w->keys - 1].first : 0};
	k->n = pb_returns(&w->scan[i], w->o->reach, p);
	for (size_t j = 0; j < k->n; j++)
		k->far = fmax(k->far, pb_dist(p[j].at, (struct pb_vec){0, 0}));
	w->points += k->n;
	w->keys++;
	return slam_track(w);
}

/* A scan scoring below this share of the usual becomes a key scan. */
#define SEEN 0.6

/* Whether scan i, at d from the last key by odometry, fits the keys that the
 * last key was matched with. */
static bool
sees_local(struct slam *w, size_t i, struct pb_pose d)
{
	struct pb_point *p = w->point + w->points;
	int k = w->keys - 1;
	size_t n;
	double score;

	if (k < 1)
		return true;
	n = pb_returns(&w->scan[i], w->o->reach, p);
	score = pb_match_score(
	    &w->local, p, n, pb_pose_compose(relative_pose(w, k - 1, k), d));
	return n == 0 || score >= SEEN * w->usual;
}

static bool
is_small_step(const struct slam *w, struct pb_pose d)
{
	return d.x * d.x + d.y * d.y < w->o->key_step * w->o->key_step &&
	       fabs(d.th) < w->o->key_turn;
}

/* Undo the newest key, scan i. */
static void
drop_key(struct slam *w, size_t i)
{
	int k = w->keys - 1;

	w->other[i] = (struct other){k - 1, relative_pose(w, k - 1, k)};
	w->points -= w->key[k].n;
	w->keys--;
}

/* Standard deviations of the guess between two pieces (m, rad). */
#define CUT      3.0
#define CUT_TURN PB_PI

/* Neither scan nor odometry places the newest key. One such scan may be bad and
 * is dropped; after MISSES the robot is elsewhere, and a new piece begins. */
static enum pb_status
handle_miss(struct slam *w, size_t i)
{
	int k = w->keys - 1;

	w->report->lost++;
	w->miss[w->misses++] = i;
	if (w->misses < MISSES) {
		drop_key(w, i);
		return PB_OK;
	}
	for (int j = 0; j < MISSES - 1; j++)
		w->other[w->miss[j]] = (struct other){
		    k, pb_pose_into(w->odom[i], w->odom[w->miss[j]])};
	w->misses = 0;
	w->key[k].first = k;
	w->key[k].kind = PB_SLAM_CUT;
	return add_guess_edge(
	    w, relative_pose(w, k - 1, k), CUT, CUT_TURN, INFINITY);
}

static enum pb_status
add_scan(struct slam *w, size_t i)
{
	enum pb_status st;
	int k = w->keys;

	if (k > 0) {
		/* Odometry since the last key. */
		struct pb_pose d =
		    pb_pose_into(w->odom[w->key[k - 1].scan], w->odom[i]);

		if (is_small_step(w, d) && sees_local(w, i, d)) {
			w->other[i] = (struct other){k - 1, d};
			return PB_OK;
		}
	}
	w->other[i] = (struct other){k, {0, 0, 0}};
	st = add_key(w, i);
	if (st == PB_ENOENT)
		return handle_miss(w, i);
	if (st != PB_OK || k == 0)
		return st;
	w->misses = 0;
	return close_loops(w);
}

static enum pb_status
report_progress(const struct slam *w, size_t scan)
{
	const struct pb_slam_opts *o = w->o;
	size_t all = PASS_TRACK + (size_t)o->rounds + PASS_SETTLE;
	size_t done = (w->past * w->n + w->pass * scan) / all;

	return o->step == NULL || o->step(o->ctx, done, w->n) ? PB_OK
	                                                      : PB_ESTOPPED;
}

static void
find_pieces(struct slam *w)
{
	for (int k = 0; k < w->keys; k++)
		w->piece[k] = k;
	for (size_t i = 0; i < w->firm; i++) {
		const struct pb_edge *e = &w->edge[i];

		if (!is_guess(w, e))
			w->piece[pb_root(w->piece, e->b)] =
			    pb_root(w->piece, e->a);
	}
	for (int k = 0; k < w->keys; k++) {
		w->report->pieces += w->piece[k] == k;
		w->piece[k] = pb_root(w->piece, k);
	}
}

static double
worst_loop_error(const struct slam *w)
{
	double most = 0;

	for (size_t i = 0; i < w->firm; i++) {
		const struct pb_edge *e = &w->edge[i];

		if (e->b - e->a >= w->o->local)
			most = fmax(most,
			    pb_pose_dist(e->z, relative_pose(w, e->a, e->b)));
	}
	return most;
}

#define NEIGHBOURS   4.0  /* largest distance of partners (m) */
#define MOST         12   /* most partners of a key */
#define NEAR         0.15 /* largest distance of points to lines (m) */
#define STEPS        15
#define SHARE        0.3  /* least share of points near lines */
#define SHIFT        0.15 /* most correction by a match (m) */
#define TURN         0.1  /* and of its heading (rad) */
#define SOFT         1.0  /* c of the soft limit of such an edge */
#define REFINE_STEPS 30
/* Keys on either side that the scans between keys are matched with. */
#define NEAR_SIDE 12

static int
compare_distance(const void *a, const void *b)
{
	const struct partner *p = a, *q = b;

	if (p->d != q->d)
		return p->d < q->d ? -1 : 1;
	return (p->key > q->key) - (p->key < q->key);
}

/* The at most MOST keys before k that are nearest to it. */
static int
find_partners(const struct slam *w, int k, struct partner *out)
{
	struct pb_vec at = pb_pose_vec(w->pose[k]);
	int n = 0;

	for (int j = 0; j < k; j++) {
		double d = pb_dist(at, pb_pose_vec(w->pose[j]));

		if (d <= NEIGHBOURS && w->piece[j] == w->piece[k])
			out[n++] = (struct partner){d, j};
	}
	qsort(out, (size_t)n, sizeof(*out), compare_distance);
	return n < MOST ? n : MOST;
}

static bool
is_believable(const struct pb_fit *f, struct pb_pose guess)
{
	return f->share >= SHARE &&
	       pb_hypot(f->pose.x - guess.x, f->pose.y - guess.y) < SHIFT &&
	       fabs(pb_wrap(f->pose.th - guess.th)) < TURN;
}

static enum pb_status
match_key(struct slam *w, int k)
{
	struct partner *p = w->partner;
	const struct view view = {k, k, k, {0, 0}, w->key[k].far + 1};
	int n = find_partners(w, k, p);
	enum pb_status st;

	if (n == 0)
		return PB_OK;
	st = draw_keys(w, &view, &w->local);
	for (int i = 0; st == PB_OK && i < n; i++) {
		const struct key *q = &w->key[p[i].key];
		struct pb_pose guess = relative_pose(w, k, p[i].key);
		struct pb_fit f = pb_match_lines(
		    &w->local, q->point, q->n, guess, NEAR, STEPS);

		if (!is_believable(&f, guess))
			continue;
		w->report->pairs++;
		st = add_fit_edge(w, k, p[i].key, &f, SOFT);
	}
	return st;
}

static enum pb_status
refine(struct slam *w)
{
	enum pb_status st = PB_OK;

	w->report->pairs = 0;
	w->edges = w->firm;
	for (int k = 0; st == PB_OK && k < w->keys; k++) {
		st = report_progress(w, w->key[k].scan);
		if (st == PB_OK)
			st = match_key(w, k);
	}
	if (st != PB_OK)
		return st;
	return pb_posegraph_solve(
	    w->pose, w->keys, w->edge, w->edges, REFINE_STEPS, NULL);
}

/*
 * Map check: of the keys before a key, COMPARED that share IN_COMMON of their
 * returns are compared; a pair contradicts if one sees through CONTRADICTS of
 * the other's. At right poses 1 % of the pairs do, for people walk and there is
 * glass.
 */
#define IN_COMMON   0.22
#define COMPARED    24
#define CONTRADICTS 0.3

/* Whether scans of keys a and b can be compared. */
static bool
are_comparable(const struct slam *w, int a, int b)
{
	return w->piece[a] == w->piece[b] &&
	       pb_dist(pb_pose_vec(w->pose[a]), pb_pose_vec(w->pose[b])) <=
	           NEIGHBOURS;
}

static void
count_contradictions(struct slam *w, int k)
{
	int n = 0, i = 0;

	for (int j = 0; j < k; j++)
		n += are_comparable(w, j, k);
	for (int j = 0; j < k; j++) {
		struct pb_match_sight s;

		if (!are_comparable(w, j, k) || i++ % (n / COMPARED + 1) != 0)
			continue;
		s = compare_sight(w, j, k, relative_pose(w, j, k));
		if (s.seen < IN_COMMON)
			continue;
		w->report->compared++;
		w->report->contradictions += s.through > CONTRADICTS;
	}
}

/* Pose of scan i in the frame of key k by odometry, corrected by its share of
 * the odometry error up to the next key. */
static struct pb_pose
interpolate_odometry(const struct slam *w, int k, size_t i)
{
	struct pb_pose rel = w->other[i].rel, end, off;
	size_t from = w->key[k].scan, to;
	double f;

	if (k + 1 >= w->keys || w->key[k + 1].first == k + 1)
		return rel;
	to = w->key[k + 1].scan;
	end = pb_pose_into(w->odom[from], w->odom[to]);
	off = pb_pose_into(end, relative_pose(w, k, k + 1));
	f = (double)(i - from) / (double)(to - from);
	off = (struct pb_pose){f * off.x, f * off.y, f * off.th};
	return pb_pose_compose(rel, off);
}

/* Match the scans between key k and the next with the keys around. */
static enum pb_status
match_scans_after(struct slam *w, int k)
{
	struct pb_point *p = w->point + w->points;
	size_t i = w->key[k].scan + 1;
	size_t end = k + 1 < w->keys ? w->key[k + 1].scan : w->n;
	int first = k > NEAR_SIDE ? k - NEAR_SIDE : 0;
	int last = k + NEAR_SIDE < w->keys ? k + NEAR_SIDE : w->keys - 1;
	const struct view view = {
	    k, first, last, {0, 0}, w->key[k].far + 1, NEIGHBOURS};
	enum pb_status st = report_progress(w, w->key[k].scan);

	if (st == PB_OK && i < end)
		st = draw_keys(w, &view, &w->local);
	for (; st == PB_OK && i < end; i++) {
		struct pb_pose guess = interpolate_odometry(w, k, i);
		struct pb_fit f;
		size_t n;

		if (w->other[i].key != k)
			continue;
		n = pb_returns(&w->scan[i], w->o->reach, p);
		f = pb_match_lines(&w->local, p, n, guess, NEAR, STEPS);
		w->other[i].rel = is_believable(&f, guess) ? f.pose : guess;
	}
	return st;
}

/* The first scan whose pose is relative to key k. */
static size_t
first_scan_of(const struct slam *w, int k)
{
	size_t i = w->key[k].scan;

	while (i > 0 && w->other[i - 1].key == k)
		i--;
	return i;
}

static enum pb_status
list_marks(const struct slam *w)
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
			    w->key[k - 1].scan, first_scan_of(w, k)};
	for (size_t i = 0; i < w->firm; i++) {
		const struct pb_edge *e = &w->edge[i];

		if (e->b > e->a + 1)
			*m++ = (struct pb_slam_mark){
			    PB_SLAM_LOOP, w->key[e->a].scan, w->key[e->b].scan};
	}
	r->marks = (size_t)(m - r->mark);
	return PB_OK;
}

/* Bootstrap: draws, and solver steps that solve a draw to a millimetre. */
#define DRAWS        8
#define REDRAW_STEPS 2

/* Variance of a normal's direction (rad2): half the squared sine between the
 * normals of two matched points is 0.004 to 0.02 on average in logs. */
#define NORMAL_VARIANCE 0.03

/* Variance of odometry relative to odom-step and odom-turn: squared errors in
 * logs are 0.04 to 0.7 of it. */
#define WHEELS_VARIANCE 0.3

/* Information below which a direction is not observed (1/m2, 1/rad2). */
#define OBSERVED 0.01

/*
 * Remove the information that errors of the normals feign: n NORMAL_VARIANCE
 * along a wall that n points saw. The matrix shrinks along the eigenvector of
 * its smaller eigenvalue.
 */
static void
discount_normals(double p[3][3])
{
	double mid = (p[0][0] + p[1][1]) / 2;
	double off = pb_hypot((p[0][0] - p[1][1]) / 2, p[0][1]);
	double feigned = NORMAL_VARIANCE * (mid + off) / (mid - off);
	double kept = feigned >= 0 && feigned < 1 ? sqrt(1 - feigned) : 0;
	double lost = 1 - kept;
	double a = (pb_atan2(2 * p[0][1], p[0][0] - p[1][1]) + PB_PI) / 2;
	double x = pb_cos(a), y = pb_sin(a);
	const double shrink[3][3] = {{1 - lost * x * x, -lost * x * y, 0},
	    {-lost * x * y, 1 - lost * y * y, 0}, {0, 0, 1}};

	pb_gauss_map(p, shrink);
}

/*
 * Edge e without feigned information; odometry edges weighed by
 * WHEELS_VARIANCE, or, if r is given, all edges redrawn from their covariance
 * at the poses found.
 */
static struct pb_edge
redraw_edge(const struct slam *w, struct pb_edge e, struct pb_rng *r)
{
	bool wheels = e.soft == STEP_SOFT;
	double p[3][3], cov[3][3];
	struct pb_gauss g;

	if (!wheels)
		discount_normals(e.precision);
	for (int k = 0; k < 9; k++) {
		if (wheels && r == NULL)
			e.precision[k / 3][k % 3] /= WHEELS_VARIANCE;
		p[k / 3][k % 3] =
		    e.precision[k / 3][k % 3] + (k % 4 == 0 ? OBSERVED : 0);
	}
	if (r == NULL)
		return e;
	e.z = relative_pose(w, e.a, e.b);
	e.soft = INFINITY;
	if (pb_gauss_invert(p, cov) && pb_gauss_init(&g, e.z, cov))
		e.z = pb_gauss_draw(&g, r);
	return e;
}

/* Mean square distance between w->pose and `pose` after alignment (m2). */
static double
mean_square_deviation(const struct slam *w, const struct pb_pose *pose)
{
	struct pb_pose shift = pb_traj_align(pose, w->pose, (size_t)w->keys);
	double sum = 0;

	for (int k = 0; k < w->keys; k++) {
		struct pb_pose p = pb_pose_compose(shift, pose[k]);
		double d = pb_pose_dist(p, w->pose[k]);

		sum += d * d / w->keys;
	}
	return sum;
}

/* Fill report->deformation, see PB_SLAM_DEFORMED: draw 0 weighs odometry more
 * (W), the others are the bootstrap (S). */
static enum pb_status
expect_deformation(struct slam *w)
{
	struct pb_pool pool = {0};
	size_t size = (size_t)w->keys * sizeof(*w->pose);
	struct pb_pose *pose = pb_pool_get(&pool, 1, size);
	struct pb_edge *edge = pb_pool_get(&pool, w->edges, sizeof(*edge));
	enum pb_status st = pool.failed ? PB_ENOMEM : PB_OK;
	double sum = 0;
	struct pb_rng r;

	pb_rng_start(&r, 1, 0, PB_FOR_FILTER, 0);
	for (int d = 0; st == PB_OK && d <= DRAWS; d++) {
		memcpy(pose, w->pose, size);
		for (size_t i = 0; i < w->edges; i++)
			edge[i] = redraw_edge(w, w->edge[i], d > 0 ? &r : NULL);
		st = pb_posegraph_solve(pose, w->keys, edge, w->edges,
		    d == 0 ? SOLVE : REDRAW_STEPS, NULL);
		sum += mean_square_deviation(w, pose) / (d == 0 ? 1 : DRAWS);
	}
	w->report->deformation = sqrt(sum);
	pb_pool_clear(&pool);
	return st;
}

static enum pb_status
run(struct slam *w)
{
	enum pb_status st = PB_OK;

	w->pass = PASS_TRACK;
	for (size_t i = 0; st == PB_OK && i < w->n; i++) {
		st = report_progress(w, i);
		if (st == PB_OK)
			st = add_scan(w, i);
	}
	if (st != PB_OK)
		return st;
	w->firm = w->edges;
	find_pieces(w);
	w->past = w->pass;
	w->pass = 1;
	for (int k = 0; st == PB_OK && k < w->o->rounds; k++) {
		st = refine(w);
		w->past++;
	}
	if (st != PB_OK)
		return st;
	w->pass = PASS_SETTLE;
	w->report->loop_off = worst_loop_error(w);
	for (int k = 0; k < w->keys; k++)
		count_contradictions(w, k);
	st = expect_deformation(w);
	for (int k = 0; st == PB_OK && k < w->keys; k++)
		st = match_scans_after(w, k);
	return st == PB_OK ? list_marks(w) : st;
}

/* Side of the matching cells, and scale of nearness (m). */
#define CELL  0.05
#define SIGMA 0.1

enum pb_status
pb_slam(const struct pb_slam_opts *o, struct pb_pose start,
    const struct pb_scan *scan, const struct pb_pose *odom, size_t n,
    struct pb_pose *out, struct pb_slam_report *report)
{
	struct pb_slam_report r = {0};
	struct slam w = {.o = o,
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
	pb_pool_clear(&w.pool);
	free(w.edge);
	pb_target_clear(&w.local);
	pb_target_clear(&w.loop);
	return st;
}
