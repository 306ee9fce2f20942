/*
 * ray.c - range along a ray through an occupancy map, and the cells of a
 * line.
 */
#include "pb/ray.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/direction.h"
#include "base/elementary.h"
#include "map/ray_skip.h"

/* One axis: from a to b, in cells. */
static void
start_axis(double a, double b, int *at, int *step, long *left, double *next,
    double *share)
{
	double from = floor(a), to = floor(b), d = b - a;

	*at = (int)from;
	*step = d > 0 ? 1 : d < 0 ? -1 : 0;
	*left = (long)fabs(to - from);
	*share = *step == 0 ? INFINITY : 1 / fabs(d);
	if (*step == 0)
		*next = INFINITY;
	else
		*next = (*step > 0 ? from + 1 - a : a - from) * *share;
}

struct pb_traverse
pb_traverse_start(struct pb_vec a, struct pb_vec b)
{
	struct pb_traverse w;

	start_axis(
	    a.x, b.x, &w.at.col, &w.step_x, &w.left_x, &w.next_x, &w.share_x);
	start_axis(
	    a.y, b.y, &w.at.row, &w.step_y, &w.left_y, &w.next_y, &w.share_y);
	return w;
}

bool
pb_traverse_next(struct pb_traverse *w)
{
	if (w->left_x > 0 && (w->left_y == 0 || w->next_x <= w->next_y)) {
		w->at.col += w->step_x;
		w->next_x += w->share_x;
		w->left_x--;
	} else if (w->left_y > 0) {
		w->at.row += w->step_y;
		w->next_y += w->share_y;
		w->left_y--;
	} else {
		return false;
	}
	return true;
}

/* Pairs are of an axis along columns and one along rows. */
struct pb_rays {
	struct pb_ray_skip leap;
	pb_pair first;     /* column and row of the whole map */
	pb_pair end;       /* and those behind the last */
	pb_pair stride;    /* to the next column and row in the tables */
	pb_pair plane;     /* to the table for rays that fall along an axis */
	double outside;    /* where the tables have a cell that stops rays */
	double resolution; /* (m) */
	pb_pair origin;    /* of the map */
	double th;         /* its yaw (rad) */
	pb_pair cos, sin;  /* of it; the sine is negative for rows */
};

/*
 * A ray under way. Lengths are in cells. Each axis is turned so that the ray
 * rises along it: then a cell begins at its number and all four quadrants are
 * one. Where there is a choice, the edge of a row is crossed before that of a
 * column.
 */
struct trip {
	pb_pair start;              /* of the ray */
	pb_pair slope;              /* of its direction, >= 0 */
	pb_pair inverse;            /* 1 / slope, may be infinite */
	pb_pair cell;               /* that it is in, whole numbers */
	pb_pair stride;             /* to the next cell in the tables */
	const unsigned char *block; /* the one ahead */
	double t;                   /* how far it came */
	double *out;                /* where its range goes */
};

enum pb_status
pb_rays_new(const struct pb_map *m, bool unknown_stops, struct pb_rays **out)
{
	struct pb_rays *r = malloc(sizeof *r);
	double c = m->origin.th == 0 ? 1 : pb_cos(m->origin.th);
	double s = m->origin.th == 0 ? 0 : pb_sin(m->origin.th);
	double pitch, cells;

	if (r == NULL)
		return PB_ENOMEM;
	*r = (struct pb_rays){.first = {m->left, m->below},
	    .end = {m->left + m->width, m->below + m->height},
	    .resolution = m->resolution,
	    .origin = {m->origin.x, m->origin.y},
	    .th = m->origin.th,
	    .cos = {c, c},
	    .sin = {s, -s}};
	if (pb_ray_skip_init(&r->leap, m, unknown_stops) != PB_OK) {
		free(r);
		return PB_ENOMEM;
	}
	pitch = (double)r->leap.pitch;
	cells = (double)r->leap.cells;
	r->stride = (pb_pair){1, pitch};
	r->plane = (pb_pair){cells, 2 * cells};
	r->outside = 4 * cells;
	*out = r;
	return PB_OK;
}

void
pb_rays_free(struct pb_rays *r)
{
	if (r != NULL)
		pb_ray_skip_clear(&r->leap);
	free(r);
}

/* The whole numbers below a, from 0 to 2^51. */
static inline pb_pair
whole(pb_pair a)
{
	pb_pair n = pb_pair_round(a);

	return n - pb_pair_keep(n > a, pb_pair_of(1));
}

/* The ray goes on at cell k of the tables; it is needed in a moment. */
static inline void
look(struct trip *s, const unsigned char *table, double k)
{
	s->block = table + (ptrdiff_t)k;
	__builtin_prefetch(s->block);
}

/* Put a ray at its start. If that is outside the map it ends there. */
static inline void
depart(const struct pb_rays *r, const struct pb_pose *p, struct trip *s)
{
	pb_pair d = (pb_pair){p->x, p->y} - r->origin;
	pb_pair at = (r->cos * d + r->sin * pb_pair_swap(d)) / r->resolution;
	pb_pair_mask in = (at >= r->first) & (at < r->end);
	pb_pair dir = pb_direction(p->th - r->th);
	pb_pair_mask falls = dir < 0;
	pb_pair sign = pb_pair_pick(falls, pb_pair_of(-1), pb_pair_of(1));
	pb_pair cell = whole(at);
	pb_pair k =
	    (cell - r->first + 1) * r->stride + pb_pair_keep(falls, r->plane);

	assert(dir[0] == dir[0]);
	s->start = at * sign;
	s->slope = pb_pair_abs(dir);
	s->inverse = 1 / s->slope;
	/* A turned axis has cell -1 where cell 0 was. */
	s->cell = (cell + 0.5) * sign - 0.5;
	s->stride = r->stride * sign;
	s->t = 0;
	look(s, r->leap.block, in[0] & in[1] ? k[0] + k[1] : r->outside);
}

/*
 * How far it is from the start to the edge that ends the next n cells along an
 * axis; rises with n whatever the rounding.
 */
static inline double
edge(const struct trip *s, int axis, double n)
{
	return (s->cell[axis] + n - s->start[axis]) * s->inverse[axis];
}

/* Rounding of a place on a ray is less than this in the largest map. */
#define NEAR 1e-9

/*
 * n, the cells crossed along an axis up to distance t, may be one off near an
 * edge. There its distance decides, as it does when walking from cell to cell:
 * rays hit what a walk hits, whatever the leaps.
 */
static double
settle(const struct trip *s, int axis, double n, double t)
{
	bool also_at_t = axis == 1;

	n = n > 0 ? n : 0;
	while (edge(s, axis, n + 1) < t ||
	       (also_at_t && edge(s, axis, n + 1) == t))
		n++;
	while (n > 0 &&
	       (edge(s, axis, n) > t || (!also_at_t && edge(s, axis, n) == t)))
		n--;
	return n;
}

/* Leap to where the ray leaves the block ahead. */
static inline void
leap(const struct pb_rays *r, struct trip *s)
{
	pb_pair size = r->leap.size[*s->block];
	pb_pair e = (s->cell + size - s->start) * s->inverse;
	pb_pair_mask first = e < pb_pair_swap(e), second = {0, -1};
	/* One axis only, that of rows if both edges are as far. */
	pb_pair_mask along = (pb_pair_mask){first[0], first[0]} ^ second;
	double t = e[0] < e[1] ? e[0] : e[1];
	pb_pair way = s->start + t * s->slope - s->cell;
	pb_pair n = pb_pair_round(way), more = way - n;
	pb_pair_mask near = (pb_pair_abs(more) < NEAR) & ~along;

	n -= pb_pair_keep(more < 0, pb_pair_of(1));
	if (near[0])
		n = (pb_pair){settle(s, 0, n[0], t), n[1]};
	else if (near[1])
		n = (pb_pair){n[0], settle(s, 1, n[1], t)};
	n = pb_pair_pick(along, size, n);
	s->cell += n;
	s->t = t;
	n *= s->stride;
	look(s, s->block, n[0] + n[1]);
}

/* What a ray that has ended has measured. */
static inline double
arrive(const struct pb_rays *r, const struct trip *s, double max)
{
	double d = s->t * r->resolution;

	return *s->block == PB_RAY_SKIP_STOP && d < max ? d : max;
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
	size_t i = q->next;

	if (i == q->n)
		return false;
	q->next++;
	s->out = &q->out[i];
	depart(q->r, &q->p[i], s);
	return true;
}

/*
 * Many rays are under way at a time, each a leap in turn, so that one computes
 * while the others wait for memory.
 */
#define LANES 64

struct lists {
	struct trip *on[LANES], *ended[LANES];
	size_t ons, ends;
};

/*
 * Which of the n rays go on and which have ended, in order. Without branches:
 * processors would guess wrong once a ray, which costs as much as a leap.
 */
static inline void
sort(struct trip *trip, size_t n, double max, struct lists *l)
{
	l->ons = l->ends = 0;
	for (size_t k = 0; k < n; k++) {
		bool open = (*trip[k].block & PB_RAY_SKIP_SIZE) != 0;
		bool on = open & (trip[k].t < max);

		l->on[l->ons] = l->ended[l->ends] = &trip[k];
		l->ons += on;
		l->ends += !on;
	}
}

void
pb_ray_batch(const struct pb_rays *r, const struct pb_pose *p, size_t n,
    double max, double *out)
{
	struct queue q = {r, p, out, 0, n};
	struct trip trip[LANES];
	struct lists l;
	double cells = max / r->resolution;
	size_t lanes = 0;

	while (lanes < LANES && board(&q, &trip[lanes]))
		lanes++;
	while (lanes > 0) {
		sort(trip, lanes, cells, &l);
		for (size_t k = 0; k < l.ons; k++)
			leap(r, l.on[k]);
		/* From the last, so that the one that fills a gap goes on. */
		while (l.ends-- > 0) {
			struct trip *s = l.ended[l.ends];

			*s->out = arrive(r, s, max);
			if (!board(&q, s))
				*s = trip[--lanes];
		}
	}
}

double
pb_ray(const struct pb_rays *r, struct pb_pose p, double max)
{
	double d = 0;

	pb_ray_batch(r, &p, 1, max, &d);
	return d;
}

/* As many at a time as most lidars have. */
#define BEAMS 512

void
pb_ray_scan(const struct pb_rays *r, struct pb_pose p, double angle_min,
    double inc, size_t n, double max, double *out)
{
	struct pb_pose beam[BEAMS];

	for (size_t i = 0; i < n;) {
		size_t k = 0;

		for (; k < BEAMS && i + k < n; k++)
			beam[k] = (struct pb_pose){p.x, p.y,
			    p.th + (angle_min + (double)(i + k) * inc)};
		pb_ray_batch(r, beam, k, max, out + i);
		i += k;
	}
}
