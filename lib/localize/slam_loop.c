/* slam_loop.c - old places, recognised. */
#include <math.h>

#include "base/elementary.h"
#include "localize/slam_state.h"

/* Keys on either side of an old one, and before the new one, that count. */
#define OLD_SIDE 15
#define NEW_SIDE 10

/* A loop is worth closing if the way along the graph is so much longer. */
#define WAY_LEAST 10.0 /* (m) */
#define WAY_TIMES 2.0

/* How far to look: at least, and at most (m, rad). */
#define LOOK_LEAST   0.7
#define LOOK_MOST    8.0
#define TURN_LEAST   0.15
#define TURN_PER_WAY 0.01
#define TURN_MOST    0.7

/* What a deviation of the guess, a third of the look, costs of a score. */
#define WEIGHT 0.05

/* The share of points that a loop needs grows by this with the look. */
#define DOUBT 0.15

/* A place so far from the best one (m) must score lower by this margin. */
#define APART  0.6
#define MARGIN 0.06

#define TURN_AT 10.0 /* angles move a point here by a cell (m) */
#define RADIAN  0.5  /* a turn counts as so much way (m/rad) */
#define NEAR    0.3  /* of points to lines (m) */
#define STEPS   20
#define SOLVE   20

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
 * The shortest way along the graph from key k to all others. Edges lie along
 * the way of the robot but for loops, so that a few sweeps do.
 */
static void
find_ways(struct pb_slam_work *w, int k)
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
look(const struct pb_slam_work *w, int j)
{
	return fmin(LOOK_LEAST + w->o->drift * w->dist[j], LOOK_MOST);
}

static bool
worth(const struct pb_slam_work *w, int j, double d)
{
	return d < look(w, j) + 1 && w->dist[j] > WAY_LEAST + WAY_TIMES * d;
}

/* Try to close a loop between key j and the newest. */
static enum pb_status
attempt(struct pb_slam_work *w, int j, bool *closed)
{
	int k = w->keys - 1;
	int first = j > OLD_SIDE ? j - OLD_SIDE : 0;
	int last =
	    j + OLD_SIDE < k - w->o->local ? j + OLD_SIDE : k - w->o->local;
	struct pb_pose guess = pb_slam_between(w, j, k), pose, other;
	double r = look(w, j), score, second;
	struct pb_match_window win = {.x = r,
	    .y = r,
	    .th = fmin(TURN_LEAST + TURN_PER_WAY * w->dist[j], TURN_MOST),
	    .turn = w->loop.cell / TURN_AT,
	    .spread = r / 3,
	    .spread_th = INFINITY,
	    .weight = WEIGHT};
	size_t n = pb_slam_gather(w, k, NEW_SIDE);
	const struct pb_slam_view view = {
	    j, first, last, pb_pose_vec(guess), w->gathered_far + r};
	struct pb_fit fit;
	enum pb_status st = pb_slam_draw(w, &view, 7, &w->loop);

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
	return pb_slam_fit_edge(w, j, k, &fit, INFINITY);
}

enum pb_status
pb_slam_close(struct pb_slam_work *w)
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
