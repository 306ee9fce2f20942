/* slam_track.c - the newest key scan, matched with those before it. */
#include <math.h>

#include "base/elementary.h"
#include "localize/slam_state.h"

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

static struct guess
guess_of(const struct pb_slam_work *w)
{
	int k = w->keys - 1;
	double d = FREE_STEP, th = FREE_TURN, look = FREE_LOOK;
	struct guess g = {.pose = {0, 0, 0}};

	if (w->odom != NULL) {
		g.pose = pb_pose_compose(
		    pb_pose_inverse(w->odom[w->key[k - 1].scan]),
		    w->odom[w->key[k].scan]);
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
odom_edge(struct pb_slam_work *w, const struct guess *g)
{
	double a = 1 / (g->spread * g->spread);
	double b = 1 / (g->spread_th * g->spread_th);
	const double precision[3][3] = {{a, 0, 0}, {0, a, 0}, {0, 0, b}};

	return pb_slam_edge(
	    w, w->keys - 2, w->keys - 1, g->pose, precision, INFINITY);
}

/* A match with a lower score, or fewer points on lines, is none. */
#define SCORE_LEAST 0.2
#define SHARE_LEAST 0.3
#define NEAR        0.3 /* of points to lines (m) */
#define STEPS       20

static enum pb_status
match(struct pb_slam_work *w, const struct guess *g, struct pb_fit *fit)
{
	int k = w->keys - 1;
	int first = k > w->o->local ? k - w->o->local : 0;
	const struct pb_slam_key *key = &w->key[k];
	const struct pb_slam_view view = {
	    k - 1, first, k - 1, pb_pose_vec(g->pose), key->far + g->window.x};
	struct pb_pose pose;
	double score;
	enum pb_status st = pb_slam_draw(w, &view, 6, &w->local);

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

enum pb_status
pb_slam_track(struct pb_slam_work *w)
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
		return pb_slam_fit_edge(w, k - 1, k, &fit, INFINITY);
	}
	w->report.lost++;
	w->pose[k] = pb_pose_compose(w->pose[k - 1], g.pose);
	return PB_OK;
}
