/* ray.c - range along a ray through an occupancy map. */
#include "map/ray.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "map/leap.h"

#if defined(__GNUC__)
#define FETCH(p) __builtin_prefetch(p)
#else
#define FETCH(p) ((void)(p))
#endif

struct pb_rays {
	struct pb_leap leap;
	int size[2];           /* of the map: columns, rows */
	double resolution;     /* (m) */
	struct pb_pose origin; /* of the map */
	double cos, sin;       /* of its yaw */
	bool beyond_stops;     /* what lies outside the map stops rays */
};

/*
 * A ray under way. Lengths are in cells. Each axis is turned so that the ray
 * rises along it: then a cell begins at its number and all four quadrants are
 * one. Where there is a choice, the edge of a row is crossed before that of a
 * column.
 */
struct axis {
	double start;   /* of the ray */
	double slope;   /* of its direction, >= 0 */
	double inverse; /* 1 / slope */
	double cell;    /* that it is in, a whole number */
	double stride;  /* to the next cell in the tables */
};
struct trip {
	struct axis a[2];           /* columns, rows */
	const unsigned char *table; /* cell (0, 0) of the quadrant's blocks */
	const unsigned char *block; /* the one ahead */
	double t;                   /* how far it came */
	double *out;                /* where its range goes */
};

enum pb_status
pb_rays_new(const struct pb_map *m, bool unknown_stops, struct pb_rays **out)
{
	struct pb_rays *r = malloc(sizeof *r);

	if (r == NULL)
		return PB_ENOMEM;
	*r = (struct pb_rays){.size = {m->width, m->height},
	    .resolution = m->resolution,
	    .origin = m->origin,
	    .cos = m->origin.th == 0 ? 1 : cos(m->origin.th),
	    .sin = m->origin.th == 0 ? 0 : sin(m->origin.th),
	    .beyond_stops = unknown_stops};
	if (pb_leap_init(&r->leap, m, unknown_stops) != PB_OK) {
		free(r);
		return PB_ENOMEM;
	}
	*out = r;
	return PB_OK;
}

void
pb_rays_free(struct pb_rays *r)
{
	if (r != NULL)
		pb_leap_clear(&r->leap);
	free(r);
}

static inline void
look(struct trip *s)
{
	s->block = s->table + (ptrdiff_t)(s->a[0].cell * s->a[0].stride +
					  s->a[1].cell * s->a[1].stride);
	FETCH(s->block);
}

/* Put an axis at its start; true: the ray falls along it, so it is turned. */
static inline bool
aim(struct axis *a, double at, double d, double stride)
{
	bool falls = d < 0;
	int cell = (int)at;

	a->start = falls ? -at : at;
	a->slope = fabs(d);
	a->inverse = d != 0 ? 1 / a->slope : INFINITY;
	a->cell = falls ? -1 - cell : cell;
	a->stride = falls ? -stride : stride;
	return falls;
}

/* Put a ray at its start; false: it ends there, p is outside the map. */
static inline bool
depart(const struct pb_rays *r, const struct pb_pose *p, struct trip *s)
{
	double dx = p->x - r->origin.x, dy = p->y - r->origin.y;
	double x = (r->cos * dx + r->sin * dy) / r->resolution;
	double y = (r->cos * dy - r->sin * dx) / r->resolution;
	double th = p->th - r->origin.th, c = cos(th), d = sin(th);
	size_t pitch = r->leap.pitch;
	int q;

	assert(c == c);
	if (!(x >= 0 && x < r->size[0] && y >= 0 && y < r->size[1]))
		return false;
	q = aim(&s->a[0], x, c, 1);
	q |= aim(&s->a[1], y, d, (double)pitch) << 1;
	/* A turned axis has cell -1 where cell 0 was. */
	s->table = r->leap.block[q] + pitch + 1 - (q & 1) - (q & 2 ? pitch : 0);
	s->t = 0;
	look(s);
	return true;
}

/*
 * How far it is from the start to the edge that ends the next n cells; rises
 * with n whatever the rounding.
 */
static inline double
edge(const struct axis *a, double n)
{
	return (a->cell + n - a->start) * a->inverse;
}

/* Rounding of a place on a ray is less than this in the largest map. */
#define NEAR 1e-9

/*
 * n, the cells crossed up to distance t, may be one off near an edge. There
 * its distance decides, as it does when walking from cell to cell: rays hit
 * what a walk hits, whatever the leaps.
 */
static double
settle(const struct axis *a, double n, double t, bool also_at_t)
{
	while (edge(a, n + 1) < t || (also_at_t && edge(a, n + 1) == t))
		n++;
	while (n > 0 && (edge(a, n) > t || (!also_at_t && edge(a, n) == t)))
		n--;
	return n;
}

/* Leap to where the ray leaves the block ahead; false: it has ended. */
static inline bool
leap(const struct pb_rays *r, struct trip *s, double max)
{
	const double *size = r->leap.size[*s->block].n;
	double tx = edge(&s->a[0], size[0]), ty = edge(&s->a[1], size[1]);
	double t = tx < ty ? tx : ty, way, n;
	int along = !(tx < ty);
	struct axis *a = &s->a[along], *b = &s->a[!along];

	if (*s->block == PB_LEAP_STOP || s->t >= max)
		return false;
	way = b->start + t * b->slope - b->cell;
	n = (int)way;
	if (fabs(way - n - 0.5) > 0.5 - NEAR)
		n = settle(b, n, t, !along);
	a->cell += size[along];
	b->cell += n;
	s->t = t;
	look(s);
	return true;
}

static bool
beyond(const struct axis *a, int size)
{
	double cell = a->stride < 0 ? -1 - a->cell : a->cell;

	return cell < 0 || cell >= size;
}

/* What a ray that has ended has measured. */
static inline double
arrive(const struct pb_rays *r, const struct trip *s, double max)
{
	double d = s->t * r->resolution;

	if (*s->block != PB_LEAP_STOP)
		return max;
	if (!r->beyond_stops &&
	    (beyond(&s->a[0], r->size[0]) || beyond(&s->a[1], r->size[1])))
		return max;
	return d < max ? d : max;
}

/* Rays that want to go; next is the first that has not. */
struct queue {
	const struct pb_rays *r;
	const struct pb_pose *p;
	double *out;
	size_t next, n;
};

/* The next ray takes the place s; false: there is none left. */
static inline bool
board(struct queue *q, struct trip *s)
{
	while (q->next < q->n) {
		size_t i = q->next++;

		s->out = &q->out[i];
		if (depart(q->r, &q->p[i], s))
			return true;
		*s->out = 0;
	}
	return false;
}

/*
 * Several rays are under way at a time, each a leap in turn, so that one
 * computes while the others wait for memory.
 */
#define LANES 32

void
pb_ray_batch(const struct pb_rays *r, const struct pb_pose *p, size_t n,
    double max, double *out)
{
	struct queue q = {r, p, out, 0, n};
	struct trip trip[LANES];
	double cells = max / r->resolution;
	int lanes = 0;

	while (lanes < LANES && board(&q, &trip[lanes]))
		lanes++;
	while (lanes > 0)
		for (int k = 0; k < lanes; k++) {
			if (leap(r, &trip[k], cells))
				continue;
			*trip[k].out = arrive(r, &trip[k], max);
			if (!board(&q, &trip[k]))
				trip[k--] = trip[--lanes];
		}
}

double
pb_ray(const struct pb_rays *r, struct pb_pose p, double max)
{
	double d = 0;

	pb_ray_batch(r, &p, 1, max, &d);
	return d;
}

void
pb_ray_scan(const struct pb_rays *r, struct pb_pose p, double angle_min,
    double inc, size_t n, double max, double *out)
{
	struct pb_pose beam[64];

	for (size_t i = 0; i < n;) {
		size_t k = 0;

		for (; k < 64 && i + k < n; k++)
			beam[k] = (struct pb_pose){p.x, p.y,
			    p.th + (angle_min + (double)(i + k) * inc)};
		pb_ray_batch(r, beam, k, max, out + i);
		i += k;
	}
}
