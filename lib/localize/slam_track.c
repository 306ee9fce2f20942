/* slam_track.c - where a scan was, seen from those before it. */
#include <math.h>

#include "base/elementary.h"
#include "localize/slam.h"
#include "localize/slam_work.h"

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
	    pb_slam_guess_edge(w, g->pose, g->spread, g->spread_th, STEP_SOFT);

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
	return pb_slam_guess_edge(
	    w, g->pose, g->spread, g->spread_th, STEP_SOFT);
}

static bool
found(const struct pb_slam *w, const struct pb_fit *f, double score)
{
	if (w->odom == NULL)
		return fits(w, f, score, ALONE_SCORE);
	return fits(w, f, score, MISS_SCORE) ||
	       (fits(w, f, score, 0) && possible(w, f->pose));
}

enum pb_status
pb_slam_track(struct pb_slam *w)
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
