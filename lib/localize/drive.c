/* drive.c - what a robot heard on a drive, in memory. */
#include "localize/drive.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum pb_status
pb_drive_add(struct pb_drive *d, struct pb_heard h)
{
	if (d->n == d->cap) {
		size_t cap = d->cap > 0 ? 2 * d->cap : 256;
		struct pb_heard *more =
		    realloc(d->heard, cap * sizeof(*d->heard));

		if (more == NULL)
			return PB_ENOMEM;
		d->heard = more;
		d->cap = cap;
	}
	d->heard[d->n++] = h;
	return PB_OK;
}

static bool
more_scans(struct pb_drive *d)
{
	size_t cap = d->scan_cap > 0 ? 2 * d->scan_cap : 256;
	struct pb_scan *scan;
	size_t *at;

	if (d->scans < d->scan_cap)
		return true;
	scan = realloc(d->scan, cap * sizeof(*scan));
	if (scan == NULL)
		return false;
	d->scan = scan;
	at = realloc(d->at, cap * sizeof(*at));
	if (at == NULL)
		return false;
	d->at = at;
	d->scan_cap = cap;
	return true;
}

enum pb_status
pb_drive_add_scan(struct pb_drive *d, double t, const struct pb_scan *z)
{
	double *range = malloc((z->n > 0 ? z->n : 1) * sizeof(*range));
	const struct pb_heard h = {
	    .kind = PB_HEARD_SCAN, .t = t, .scan = d->scans};

	if (range == NULL || !more_scans(d) || pb_drive_add(d, h) != PB_OK) {
		free(range);
		return PB_ENOMEM;
	}
	if (z->n > 0)
		memcpy(range, z->range, z->n * sizeof(*range));
	d->scan[d->scans] = *z;
	d->scan[d->scans].range = range;
	d->at[d->scans++] = d->n - 1;
	return PB_OK;
}

void
pb_drive_clear(struct pb_drive *d)
{
	for (size_t i = 0; i < d->scans; i++)
		free((void *)d->scan[i].range);
	free(d->heard);
	free(d->scan);
	free(d->at);
	*d = (struct pb_drive){.n = 0};
}

/* Of a number that may be NAN, whose bits differ from machine to machine. */
static uint64_t
hash_known(uint64_t h, double v)
{
	return pb_hash_double(h, v == v ? v : -2);
}

static uint64_t
hash_pose(uint64_t h, struct pb_pose p)
{
	h = pb_hash_double(h, p.x);
	h = pb_hash_double(h, p.y);
	return pb_hash_double(h, p.th);
}

uint64_t
pb_drive_hash(const struct pb_drive *d)
{
	uint64_t h = PB_HASH_START;

	for (size_t i = 0; i < d->n; i++) {
		const struct pb_heard *e = &d->heard[i];

		h = pb_hash_u64(h, (uint64_t)e->kind);
		h = hash_known(h, e->t);
		h = hash_pose(h, e->kind == PB_HEARD_SCAN ? e->truth : e->odom);
	}
	for (size_t i = 0; i < d->scans; i++) {
		const struct pb_scan *z = &d->scan[i];

		h = pb_hash_double(h, z->angle_min);
		h = pb_hash_double(h, z->inc);
		h = pb_hash_double(h, z->range_min);
		h = pb_hash_double(h, z->range_max);
		h = pb_hash_double(h, z->radius);
		h = pb_hash_u64(h, z->n);
		for (size_t k = 0; k < z->n; k++)
			h = hash_known(h, z->range[k]);
	}
	return h;
}
