/* slam_work.c - the graph of key scans that poses are found with. */
#include "localize/slam_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

bool
pb_slam_allocate(struct pb_slam *w)
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

void
pb_slam_clear(struct pb_slam *w)
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

enum pb_status
pb_slam_guess_edge(
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
