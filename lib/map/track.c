/* track.c - where a body was at a time: poses of a log, looked up. */
#include "map/track.h"

#include <math.h>
#include <stdlib.h>

/* Poses looked at on either side, should the times of a log be in disorder. */
#define REACH 4096

void
pb_track_clear(struct pb_track *k)
{
	free(k->at);
	*k = (struct pb_track){0};
}

enum pb_status
pb_track_add(struct pb_track *k, double t, struct pb_pose pose)
{
	if (k->n == k->room) {
		size_t room = k->room > 0 ? 2 * k->room : 256;
		struct pb_track_pose *at = realloc(k->at, room * sizeof(*at));

		if (at == NULL)
			return PB_ENOMEM;
		k->at = at;
		k->room = room;
	}
	k->at[k->n++] = (struct pb_track_pose){t, pose};
	return PB_OK;
}

/* The first pose about `told` that is not before t, k->n if none. */
static size_t
after(const struct pb_track *k, size_t told, double t)
{
	size_t lo = told > REACH ? told - REACH : 0;
	size_t hi = k->n - told > REACH ? told + REACH : k->n;

	while (told > lo && k->at[told - 1].t >= t)
		told--;
	while (told < hi && !(k->at[told].t >= t))
		told++;
	return told < hi ? told : k->n;
}

/* The share u of the way from a to b. */
static struct pb_pose
between(struct pb_pose a, struct pb_pose b, double u)
{
	return (struct pb_pose){a.x + u * (b.x - a.x), a.y + u * (b.y - a.y),
	    pb_wrap(a.th + u * pb_wrap(b.th - a.th))};
}

bool
pb_track_find(const struct pb_track *k, size_t told, double t, double gap,
    struct pb_pose *pose)
{
	const struct pb_track_pose none = {NAN, {0, 0, 0}};
	struct pb_track_pose last = told > 0 ? k->at[told - 1] : none, a, b;
	double da, db;
	size_t i;

	if (told > 0 && (isnan(t) || isnan(last.t) || last.t == t)) {
		*pose = last.pose;
		return true;
	}
	i = after(k, told, t);
	a = i > 0 ? k->at[i - 1] : none;
	b = i < k->n ? k->at[i] : none;
	da = t >= a.t ? t - a.t : INFINITY;
	db = b.t >= t ? b.t - t : INFINITY;
	if (da + db <= gap && da + db > 0)
		*pose = between(a.pose, b.pose, da / (da + db));
	else if (fmin(da, db) <= gap)
		*pose = da <= db ? a.pose : b.pose;
	else
		return false;
	return true;
}
