/*
 * ray.c - range along a ray through an occupancy map, and the cells of a
 * line.
 */
#include "pb/ray.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"

/*
 * For each quadrant of headings and each cell: the block of open cells that
 * rays enter at this cell's corner. A byte names the block. Where rays end its
 * bits SIZE are 0: STOP is a cell that stops them, OUT one outside the map that
 * does not.
 *
 * The map has a border of one cell, so that no jump leaves the tables: cell
 * (col, row) is at (row + 1) * pitch + col + 1.
 *
 * Quadrants: bit 0 is set for headings to falling columns, bit 1 for those to
 * falling rows. Read-only once made: threads may share it.
 */
#define SIZE 0x1f
#define STOP 0
#define OUT  0x80

struct leaps {
	size_t pitch; /* row length of a table */
	size_t cells; /* cells of a table */
	/* The tables by quadrant, then one byte STOP; owned. */
	unsigned char *block;
	pb_pair size[256]; /* columns and rows of the block a byte names */
};

/*
 * A block is 1 to 31 cells along one side and 1, 2, 4 or 8 times that along the
 * other: a byte has 5 bits of size and 3 of shape. Shapes 0 to 3 are 1, 2, 4, 8
 * times as long as high, shapes 5 to 7 are 2, 4, 8 times as high as long; OUT
 * has shape 4. With squares alone a ray along a corridor makes 1.5 times as
 * many jumps.
 */
#define LONG(shape) ((shape) < 4 ? 1 << (shape) : 1)
#define HIGH(shape) ((shape) < 4 ? 1 : 1 << ((shape)-4))

/*
 * Value of a block for each cell of its short side (1/20), by shape. Of a dozen
 * sets of weights, these made the fewest jumps a ray in a house (2.5) and on a
 * real map (2.9).
 */
static const int worth[8] = {20, 25, 28, 30, 20, 25, 28, 30};

/* Work space for making the tables; all planes have a border. */
struct work {
	size_t pitch, cells;
	ptrdiff_t sx, sy; /* to the next column and row ahead */
	unsigned char *square;
	unsigned char *half, *whole; /* sizes of one shape and the next */
	unsigned char *block;        /* the best so far */
};

static bool
stops_ray(int value, bool unknown_stops)
{
	return pb_cell_occupied(value) ||
	       (unknown_stops && pb_cell_unknown(value));
}

/* The largest open square at a cell is one larger than the least of the three
 * at the neighbours ahead. */
static void
find_squares(struct work *w, const struct pb_map *m, bool unknown_stops)
{
	for (int i = 0; i < m->height; i++) {
		int row = w->sy > 0 ? m->height - 1 - i : i;
		const signed char *cell =
		    m->cell + (size_t)row * (size_t)m->width;
		unsigned char *at =
		    w->square + (size_t)(row + 1) * w->pitch + 1;

		for (int k = 0; k < m->width; k++) {
			int col = w->sx > 0 ? m->width - 1 - k : k;
			unsigned char *a = at + col;
			int n = SIZE - 1;

			n = a[w->sx] < n ? a[w->sx] : n;
			n = a[w->sy] < n ? a[w->sy] : n;
			n = a[w->sx + w->sy] < n ? a[w->sx + w->sy] : n;
			*a = stops_ray(cell[col], unknown_stops)
			         ? 0
			         : (unsigned char)(n + 1);
		}
	}
}

/*
 * Two blocks of the shape in `half`, one behind the other, make one of the next
 * shape, in `whole`. A block of the next cell, less one, is open from this cell
 * too if the cells on its short side are: the size is that or one more. The
 * best block so far is kept.
 *
 * Given    k      cell; whole has been made for the next
 *          step   to the next cell along the side that grows
 *          side   of a block in half, along it, over its size
 *          shape  of the blocks in whole
 */
static inline void
lengthen(struct work *w, size_t k, ptrdiff_t step, int side, int shape)
{
	unsigned char *whole = w->whole + k, *half = w->half + k;
	int n, best = w->block[k];

	*whole = 0;
	if (*half == 0)
		return;
	n = whole[step] < *half ? whole[step] + 1 : *half;
	n -= half[n * side * step] < n;
	*whole = (unsigned char)n;
	if (n * worth[shape] > (best & SIZE) * worth[best >> 5])
		best = shape << 5 | n;
	w->block[k] = (unsigned char)best;
}

static void
lengthen_high(struct work *w, int side, int shape)
{
	for (size_t i = 0; i < w->cells; i++)
		lengthen(
		    w, w->sy > 0 ? w->cells - 1 - i : i, w->sy, side, shape);
}

/*
 * Each cell depends on the last: several rows are interleaved, so that the
 * processor need not wait. Tuned: tables of a house of 60 m by 40 m take 117,
 * 82, 76 and 82 ms with 1, 4, 16 and 64 rows.
 */
static void
lengthen_long(struct work *w, int side, int shape)
{
	enum { ROWS = 16 };
	size_t pitch = w->pitch, rows = w->cells / pitch;

	for (size_t low = 0; low < rows; low += ROWS) {
		size_t end = low + ROWS < rows ? low + ROWS : rows;

		for (size_t i = 0; i < pitch; i++) {
			size_t col = w->sx > 0 ? pitch - 1 - i : i;

			for (size_t row = low; row < end; row++)
				lengthen(
				    w, row * pitch + col, w->sx, side, shape);
		}
	}
}

/* Cells outside the map stop no rays. */
static void
open_border(struct work *w)
{
	unsigned char *top = w->block + w->cells - w->pitch;

	for (size_t k = 0; k < w->pitch; k++)
		w->block[k] = top[k] = OUT;
	for (unsigned char *row = w->block; row < top; row += w->pitch)
		row[0] = row[w->pitch - 1] = OUT;
}

static void
fill_quadrant(struct work *w, const struct pb_map *m, bool unknown_stops)
{
	find_squares(w, m, unknown_stops);
	for (size_t k = 0; k < w->cells; k++)
		w->block[k] = w->square[k];
	for (int high = 0; high < 2; high++) {
		for (size_t k = 0; k < w->cells; k++)
			w->half[k] = w->square[k];
		for (int i = 1; i < 4; i++) {
			unsigned char *made = w->whole;

			if (high)
				lengthen_high(w, 1 << (i - 1), 4 + i);
			else
				lengthen_long(w, 1 << (i - 1), i);
			w->whole = w->half;
			w->half = made;
		}
	}
	if (!unknown_stops)
		open_border(w);
}

static void
name_sizes(struct leaps *l)
{
	for (int i = 0; i < 256; i++)
		l->size[i] = (pb_pair){
		    (i & SIZE) * LONG(i >> 5), (i & SIZE) * HIGH(i >> 5)};
}

/* Make the tables of m; PB_OK and l for clear_leaps(), or PB_ENOMEM. Time is
 * linear in the cells, whatever the map; 4 bytes a cell, 3 more meanwhile. */
static enum pb_status
make_leaps(struct leaps *l, const struct pb_map *m, bool unknown_stops)
{
	size_t pitch = (size_t)m->width + 2;
	size_t cells = pitch * ((size_t)m->height + 2);
	unsigned char *block = malloc(4 * cells + 1), *room = calloc(3, cells);
	struct work w = {.pitch = pitch, .cells = cells, .square = room};

	if (block == NULL || room == NULL) {
		free(block);
		free(room);
		return PB_ENOMEM;
	}
	*l = (struct leaps){.pitch = pitch, .cells = cells, .block = block};
	w.half = room + cells;
	w.whole = w.half + cells;
	for (int q = 0; q < 4; q++) {
		w.block = block + (size_t)q * cells;
		w.sx = q & 1 ? -1 : 1;
		w.sy = q & 2 ? -(ptrdiff_t)pitch : (ptrdiff_t)pitch;
		fill_quadrant(&w, m, unknown_stops);
	}
	block[4 * cells] = STOP;
	free(room);
	name_sizes(l);
	return PB_OK;
}

static void
clear_leaps(struct leaps *l)
{
	free(l->block);
	*l = (struct leaps){0};
}

/* Start one axis of a traversal from a to b (cells). */
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

/* Pairs hold the column axis and the row axis. */
struct pb_rays {
	struct leaps leap;
	pb_pair first;     /* first column and row of the map */
	pb_pair end;       /* one past the last column and row */
	pb_pair stride;    /* index steps to the next column and row */
	pb_pair plane;     /* index steps to the tables of mirrored axes */
	double outside;    /* index of a cell that stops rays */
	double resolution; /* side of a cell (m) */
	pb_pair origin;    /* origin of the map */
	double th;         /* its yaw (rad) */
	pb_pair cos, sin;  /* of the yaw; the sine is negative for rows */
};

/*
 * A ray in progress; lengths in cells. Each axis is mirrored so that the ray
 * rises along it: then a cell begins at its number and all four quadrants are
 * one. Of equally near edges a row's is crossed before a column's.
 */
struct trip {
	pb_pair start;              /* start of the ray */
	pb_pair slope;              /* components of its direction, >= 0 */
	pb_pair inverse;            /* 1 / slope, may be infinite */
	pb_pair cell;               /* current cell, integers */
	pb_pair stride;             /* index steps to the next cells */
	const unsigned char *block; /* block at the current cell */
	double t;                   /* distance from the start */
	double *out;                /* where to store the range */
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
	if (make_leaps(&r->leap, m, unknown_stops) != PB_OK) {
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
		clear_leaps(&r->leap);
	free(r);
}

/* floor() of a, from 0 to 2^51. */
static inline pb_pair
floor_pair(pb_pair a)
{
	pb_pair n = pb_pair_round(a);

	return n - pb_pair_keep(n > a, pb_pair_of(1));
}

/* Set the block at cell k of the tables, and prefetch it. */
static inline void
set_block(struct trip *s, const unsigned char *table, double k)
{
	s->block = table + (ptrdiff_t)k;
	__builtin_prefetch(s->block);
}

/* Place a ray at its start; outside the map it ends there. */
static inline void
start_ray(const struct pb_rays *r, const struct pb_pose *p, struct trip *s)
{
	pb_pair d = (pb_pair){p->x, p->y} - r->origin;
	pb_pair at = (r->cos * d + r->sin * pb_pair_swap(d)) / r->resolution;
	pb_pair_mask in = (at >= r->first) & (at < r->end);
	pb_pair dir = pb_direction(p->th - r->th);
	pb_pair_mask falls = dir < 0;
	pb_pair sign = pb_pair_pick(falls, pb_pair_of(-1), pb_pair_of(1));
	pb_pair cell = floor_pair(at);
	pb_pair k =
	    (cell - r->first + 1) * r->stride + pb_pair_keep(falls, r->plane);

	assert(dir[0] == dir[0]);
	s->start = at * sign;
	s->slope = pb_pair_abs(dir);
	s->inverse = 1 / s->slope;
	/* A mirrored axis has cell -1 where cell 0 was. */
	s->cell = (cell + 0.5) * sign - 0.5;
	s->stride = r->stride * sign;
	s->t = 0;
	set_block(s, r->leap.block, in[0] & in[1] ? k[0] + k[1] : r->outside);
}

/* Distance from the start to the edge after the next n cells along an axis;
 * monotone in n despite rounding. */
static inline double
edge_distance(const struct trip *s, int axis, double n)
{
	return (s->cell[axis] + n - s->start[axis]) * s->inverse[axis];
}

/* Rounding of a coordinate is less than this in the largest map (cells):
 * PB_MAP_SIDE times 2^-52 is 4e-12. */
#define NEAR 1e-9

/*
 * Correct n, the cells crossed along an axis up to distance t, near an edge:
 * there the edge's distance decides, as in a walk from cell to cell, so that
 * results do not depend on jumps.
 */
static double
correct_cells(const struct trip *s, int axis, double n, double t)
{
	bool also_at_t = axis == 1;

	n = n > 0 ? n : 0;
	while (edge_distance(s, axis, n + 1) < t ||
	       (also_at_t && edge_distance(s, axis, n + 1) == t))
		n++;
	while (n > 0 && (edge_distance(s, axis, n) > t ||
			    (!also_at_t && edge_distance(s, axis, n) == t)))
		n--;
	return n;
}

/* Jump to where the ray leaves the block ahead. */
static inline void
jump(const struct pb_rays *r, struct trip *s)
{
	pb_pair size = r->leap.size[*s->block];
	pb_pair e = (s->cell + size - s->start) * s->inverse;
	pb_pair_mask first = e < pb_pair_swap(e), second = {0, -1};
	/* One axis only; that of rows if both edges are equally far. */
	pb_pair_mask along = (pb_pair_mask){first[0], first[0]} ^ second;
	double t = e[0] < e[1] ? e[0] : e[1];
	pb_pair way = s->start + t * s->slope - s->cell;
	pb_pair n = pb_pair_round(way), more = way - n;
	pb_pair_mask near = (pb_pair_abs(more) < NEAR) & ~along;

	n -= pb_pair_keep(more < 0, pb_pair_of(1));
	if (near[0])
		n = (pb_pair){correct_cells(s, 0, n[0], t), n[1]};
	else if (near[1])
		n = (pb_pair){n[0], correct_cells(s, 1, n[1], t)};
	n = pb_pair_pick(along, size, n);
	s->cell += n;
	s->t = t;
	n *= s->stride;
	set_block(s, s->block, n[0] + n[1]);
}

/* The range of a ray that has ended. */
static inline double
range_of(const struct pb_rays *r, const struct trip *s, double max)
{
	double d = s->t * r->resolution;

	return *s->block == STOP && d < max ? d : max;
}

/* Rays waiting to be traced; next: the first not yet started. */
struct queue {
	const struct pb_rays *r;
	const struct pb_pose *p;
	double *out;
	size_t next, n;
};

/* Start the next ray in slot s; false: none is left. */
static inline bool
start_next(struct queue *q, struct trip *s)
{
	size_t i = q->next;

	if (i == q->n)
		return false;
	q->next++;
	s->out = &q->out[i];
	start_ray(q->r, &q->p[i], s);
	return true;
}

/*
 * LANES rays are traced at a time, one jump each in turn, so that one computes
 * while others wait for memory. Tuned: rays from random places in a house of 60
 * m by 40 m take 66, 46, 38, 32, 30 and 33 ns with 8 to 256 lanes.
 */
#define LANES 64

struct lists {
	struct trip *on[LANES], *ended[LANES];
	size_t ons, ends;
};

/* Partition n rays into those that continue and those that ended. Branch-free:
 * a misprediction costs as much as a jump. */
static inline void
partition(struct trip *trip, size_t n, double max, struct lists *l)
{
	l->ons = l->ends = 0;
	for (size_t k = 0; k < n; k++) {
		bool open = (*trip[k].block & SIZE) != 0;
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

	while (lanes < LANES && start_next(&q, &trip[lanes]))
		lanes++;
	while (lanes > 0) {
		partition(trip, lanes, cells, &l);
		for (size_t k = 0; k < l.ons; k++)
			jump(r, l.on[k]);
		/* From the last, so that the ray that fills a gap continues. */
		while (l.ends-- > 0) {
			struct trip *s = l.ended[l.ends];

			*s->out = range_of(r, s, max);
			if (!start_next(&q, s))
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

/* Beams traced at a time: 256 to 1024 are equally fast, 64 are 7 % slower. */
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
