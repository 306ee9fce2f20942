/* slam_refine.c - all neighbours matched with each other. */
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "localize/slam_state.h"

#define APART 4.0  /* neighbours are at most so far from each other (m) */
#define MOST  12   /* partners of a key, at most */
#define NEAR  0.15 /* of points to lines (m) */
#define STEPS 15
#define SHARE 0.3  /* of points near lines that make a pair */
#define SHIFT 0.15 /* a match moves a pair by less (m) ... */
#define TURN  0.1  /* ... and turns it by less (rad) */
#define SOFT  1.0  /* deviations beyond which an edge is doubted */
#define SOLVE 30

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
partners(const struct pb_slam_work *w, int k, struct partner *out)
{
	struct pb_vec at = pb_pose_vec(w->pose[k]);
	int n = 0;

	for (int j = 0; j < k; j++) {
		double d = pb_dist(at, pb_pose_vec(w->pose[j]));

		if (d <= APART)
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
match_key(struct pb_slam_work *w, int k, struct partner *p)
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
		w->report.pairs++;
		st = pb_slam_fit_edge(w, k, p[i].key, &f, SOFT);
	}
	return st;
}

enum pb_status
pb_slam_refine(struct pb_slam_work *w)
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
	    w->pose, w->keys, w->edge, w->edges, SOLVE, NULL);
}
