/* slam_refine.c - neighbours matched with each other, in the end. */
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "localize/slam.h"
#include "localize/slam_work.h"

#define APART 4.0  /* between neighbours, at most (m) */
#define MOST  12   /* partners of a key, at most */
#define NEAR  0.15 /* of points to lines (m) */
#define STEPS 15
#define SHARE 0.3  /* of points near lines that make a pair */
#define SHIFT 0.15 /* a match moves a pair by less (m) ... */
#define TURN  0.1  /* ... and turns it by less (rad) */
#define SOFT  1.0  /* deviations beyond which an edge is doubted */
#define SOLVE 30
/* Keys on either side that other scans are matched with. */
#define NEAR_SIDE 12

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
partners(const struct pb_slam *w, int k, struct partner *out)
{
	struct pb_vec at = pb_pose_vec(w->pose[k]);
	int n = 0;

	for (int j = 0; j < k; j++) {
		double d = pb_dist(at, pb_pose_vec(w->pose[j]));

		if (d <= APART && w->piece[j] == w->piece[k])
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
match_key(struct pb_slam *w, int k, struct partner *p)
{
	const struct pb_slam_view view = {k, k, k, {0, 0}, w->key[k].far + 1};
	int n = partners(w, k, p);
	enum pb_status st;

	if (n == 0)
		return PB_OK;
	st = pb_slam_draw(w, &view, 1, &w->local);
	for (int i = 0; st == PB_OK && i < n; i++) {
		const struct pb_slam_key *q = &w->key[p[i].key];
		struct pb_pose guess = pb_slam_between(w, k, p[i].key);
		struct pb_fit f = pb_match_lines(
		    &w->local, q->point, q->n, guess, NEAR, STEPS);

		if (!believable(&f, guess))
			continue;
		w->report->pairs++;
		st = pb_slam_fit_edge(w, k, p[i].key, &f, SOFT);
	}
	return st;
}

enum pb_status
pb_slam_refine(struct pb_slam *w)
{
	struct partner *p = malloc((size_t)w->keys * sizeof(*p));
	enum pb_status st = PB_OK;

	if (p == NULL)
		return PB_ENOMEM;
	w->report->pairs = 0;
	w->edges = w->firm;
	for (int k = 0; st == PB_OK && k < w->keys; k++) {
		st = pb_slam_tell(w, w->key[k].scan);
		if (st == PB_OK)
			st = match_key(w, k, p);
	}
	free(p);
	if (st != PB_OK)
		return st;
	return pb_posegraph_solve(
	    w->pose, w->keys, w->edge, w->edges, SOLVE, NULL);
}

/* Keys are compared that see such a share of each other's returns; so many of
 * those before a key, spread out over them. At right poses one pair of a
 * hundred contradicts so much, for people walk and there is glass. */
#define SEEN        0.22
#define COMPARED    24
#define CONTRADICTS 0.3

/* Whether scans of keys a and b can be compared. */
static bool
near(const struct pb_slam *w, int a, int b)
{
	return w->piece[a] == w->piece[b] &&
	       pb_dist(pb_pose_vec(w->pose[a]), pb_pose_vec(w->pose[b])) <=
	           APART;
}

static void
compare(struct pb_slam *w, int k)
{
	int n = 0, i = 0;

	for (int j = 0; j < k; j++)
		n += near(w, j, k);
	for (int j = 0; j < k; j++) {
		struct pb_match_sight s;

		if (!near(w, j, k) || i++ % (n / COMPARED + 1) != 0)
			continue;
		s = pb_slam_sight(w, j, k, pb_slam_between(w, j, k));
		if (s.seen < SEEN)
			continue;
		w->report->compared++;
		w->report->contradictions += s.through > CONTRADICTS;
	}
}

void
pb_slam_compare(struct pb_slam *w)
{
	for (int k = 0; k < w->keys; k++)
		compare(w, k);
}

/*
 * Where the wheels say that scan i was, in the frame of key k, with the share
 * of what they are off by at the next key that has come up by then.
 */
static struct pb_pose
spread_out(const struct pb_slam *w, int k, size_t i)
{
	struct pb_pose rel = w->other[i].rel, end, off;
	size_t from = w->key[k].scan, to;
	double f;

	if (w->odom == NULL || k + 1 >= w->keys || w->key[k + 1].first == k + 1)
		return rel;
	to = w->key[k + 1].scan;
	end = pb_pose_into(w->odom[from], w->odom[to]);
	off = pb_pose_into(end, pb_slam_between(w, k, k + 1));
	f = (double)(i - from) / (double)(to - from);
	off = (struct pb_pose){f * off.x, f * off.y, f * off.th};
	return pb_pose_compose(rel, off);
}

/* Match the scans between key k and the next with what lies about them. */
static enum pb_status
settle(struct pb_slam *w, int k, struct pb_point *p)
{
	size_t i = w->key[k].scan + 1;
	size_t end = k + 1 < w->keys ? w->key[k + 1].scan : w->n;
	int first = k > NEAR_SIDE ? k - NEAR_SIDE : 0;
	int last = k + NEAR_SIDE < w->keys ? k + NEAR_SIDE : w->keys - 1;
	const struct pb_slam_view view = {
	    k, first, last, {0, 0}, w->key[k].far + 1, APART};
	enum pb_status st = pb_slam_tell(w, w->key[k].scan);

	if (st == PB_OK && i < end)
		st = pb_slam_draw(w, &view, 1, &w->local);
	for (; st == PB_OK && i < end; i++) {
		struct pb_pose guess = spread_out(w, k, i);
		struct pb_fit f;
		size_t n;

		if (w->other[i].key != k)
			continue;
		n = pb_returns(&w->scan[i], w->o->reach, p);
		f = pb_match_lines(&w->local, p, n, guess, NEAR, STEPS);
		w->other[i].rel = believable(&f, guess) ? f.pose : guess;
	}
	return st;
}

enum pb_status
pb_slam_settle(struct pb_slam *w)
{
	struct pb_point *p = w->point + w->points;
	enum pb_status st = PB_OK;

	for (int k = 0; st == PB_OK && k < w->keys; k++)
		st = settle(w, k, p);
	return st;
}
