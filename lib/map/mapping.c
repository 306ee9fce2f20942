/* mapping.c - an occupancy map built from scans at known poses. */
#include "map/mapping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "pb/ray.h"

#define ONE   256   /* log odds of 1 */
#define LIMIT 32000 /* log odds are clamped to this, far from overflow */
#define FREE  -281  /* log odds of PB_CELL_FREE %: one end more occupies */

/*
 * Ends of neighbouring beams nearer than this are on one wall (m). Doors are
 * wider; beams half a degree apart, at 75 degrees to a wall 15 m away, end this
 * far apart.
 */
#define ONE_WALL 0.5

#define PB_PARAMS_OF struct pb_mapping_opts

static const struct pb_param params[] = {
    PB_REAL("range", range, "m", 30, 0.1, 1000, "returns beyond are not used"),
    PB_REAL("clear", clear, "m", 0, 0, 1000,
	"a beam without return clears this far"),
    PB_REAL("margin", margin, "m", 0.5, 0, 100, "unknown space around the map"),
    PB_REAL("hit", hit, "chance", 0.85, 0.51, 0.99,
	"of an obstacle where a beam ended"),
    PB_REAL("miss", miss, "chance", 0.35, 0.01, 0.49,
	"of an obstacle where a beam passed"),
    PB_BOOL(
	"chances", chances, false, "write chances, not just free and occupied"),
};

const struct pb_params pb_mapping_params = PB_PARAMS(params);

struct pb_mapping_opts
pb_mapping_defaults(void)
{
	struct pb_mapping_opts o = {0};

	pb_params_defaults(pb_mapping_params, &o);
	o.resolution = 0.05;
	return o;
}

static int16_t
log_odds(double p)
{
	return (int16_t)lround(ONE * pb_log(p / (1 - p)));
}

enum pb_status
pb_mapping_init(struct pb_mapping *m, const struct pb_mapping_opts *o)
{
	if (pb_params_check(pb_mapping_params, o) != NULL ||
	    !(o->resolution >= 1e-6) || !isfinite(o->resolution))
		return PB_EVALUE;
	*m = (struct pb_mapping){.o = *o,
	    .hit = log_odds(o->hit),
	    .miss = log_odds(o->miss),
	    .room = PB_CELLBOX_EMPTY,
	    .known = PB_CELLBOX_EMPTY};
	return PB_OK;
}

void
pb_mapping_clear(struct pb_mapping *m)
{
	free(m->cell);
	*m = (struct pb_mapping){0};
}

static struct pb_evidence *
cell_at(struct pb_evidence *cell, struct pb_cellbox room, struct pb_cell c)
{
	return &cell[(size_t)(c.row - room.lo.row) *
			 (size_t)(room.hi.col - room.lo.col + 1) +
		     (size_t)(c.col - room.lo.col)];
}

/* Length to which beam i is traced (m), 0: not at all. */
static double
beam_reach(const struct pb_mapping *m, const struct pb_scan *s, size_t i)
{
	enum pb_scan_says b = pb_scan_beam(s, i);

	if (b == PB_BEAM_HIT)
		return fmin(pb_scan_way(s, i), m->o.range);
	return b == PB_BEAM_FREE ? fmin(m->o.clear, m->o.range) : 0;
}

/* Whether beam i ended at a usable obstacle. */
static bool
has_hit(const struct pb_mapping *m, const struct pb_scan *s, size_t i)
{
	return pb_scan_beam(s, i) == PB_BEAM_HIT &&
	       pb_scan_way(s, i) <= m->o.range;
}

/* End of beam i at length r, in lattice cells. */
static struct pb_vec
beam_end(const struct pb_mapping *m, struct pb_pose p, const struct pb_scan *s,
    size_t i, double r)
{
	double a = p.th + s->angle_min + (double)i * s->inc;

	return (struct pb_vec){(p.x + r * pb_cos(a)) / m->o.resolution,
	    (p.y + r * pb_sin(a)) / m->o.resolution};
}

/* Largest cell coordinate. */
#define FAR 1e9

static struct pb_cell
cell_of(struct pb_vec v)
{
	return (struct pb_cell){(int)floor(v.x), (int)floor(v.y)};
}

static bool
box_is_within(struct pb_cellbox b, struct pb_cellbox room)
{
	return b.lo.col >= room.lo.col && b.lo.row >= room.lo.row &&
	       b.hi.col <= room.hi.col && b.hi.row <= room.hi.row;
}

static size_t
cols(struct pb_cellbox b)
{
	return (size_t)(b.hi.col - b.lo.col) + 1;
}

static size_t
rows(struct pb_cellbox b)
{
	return (size_t)(b.hi.row - b.lo.row) + 1;
}

/* Join cell v to b, unless it is too far to be numbered. */
static enum pb_status
join_cell(struct pb_cellbox *b, struct pb_vec v)
{
	if (!(fabs(v.x) < FAR && fabs(v.y) < FAR))
		return PB_ESIZE;
	*b = pb_cellbox_join(*b, cell_of(v));
	return PB_OK;
}

static bool
has_too_many(const struct pb_mapping *m, size_t width, size_t height)
{
	return width > PB_MAP_SIDE || height > PB_MAP_SIDE ||
	       (m->o.most > 0 && width * height > m->o.most);
}

/* Join all cells that the scan touches to b. */
static enum pb_status
join_scan(const struct pb_mapping *m, struct pb_pose p, const struct pb_scan *s,
    struct pb_cellbox *b)
{
	for (size_t i = 0; i < s->n; i++) {
		double r = beam_reach(m, s, i);

		if (!(r > 0))
			continue;
		if (join_cell(b, beam_end(m, p, s, i, 0)) != PB_OK ||
		    join_cell(b, beam_end(m, p, s, i, r)) != PB_OK)
			return PB_ESIZE;
	}
	return has_too_many(m, cols(*b), rows(*b)) ? PB_ESIZE : PB_OK;
}

/* Spare cells on a side of `need` cells, so that growing is rare. */
static int
spare_cells(size_t need)
{
	return 16 + (int)(need / 8);
}

/* Enlarge the storage to b and a margin, and move the evidence. */
static enum pb_status
grow(struct pb_mapping *m, struct pb_cellbox b)
{
	int sx = spare_cells(cols(b)), sy = spare_cells(rows(b));
	struct pb_cellbox room = {
	    {b.lo.col - sx, b.lo.row - sy}, {b.hi.col + sx, b.hi.row + sy}};
	struct pb_evidence *cell =
	    calloc(cols(room) * rows(room), sizeof(*cell));
	const struct pb_cellbox *k = &m->known;

	if (cell == NULL)
		return PB_ENOMEM;
	for (int r = k->lo.row; r <= k->hi.row; r++)
		memcpy(cell_at(cell, room, (struct pb_cell){k->lo.col, r}),
		    cell_at(m->cell, m->room, (struct pb_cell){k->lo.col, r}),
		    cols(*k) * sizeof(*cell));
	free(m->cell);
	m->cell = cell;
	m->room = room;
	return PB_OK;
}

/* Number the next scan; when numbers run out, restart. */
static void
next_scan(struct pb_mapping *m)
{
	if (m->scan >= UINT16_MAX - 1) {
		for (size_t i = 0; i < cols(m->room) * rows(m->room); i++)
			m->cell[i].scan = 0;
		m->scan = 0;
	}
	m->scan += 2;
}

/* Add to the odds of c, once a scan; if an end is beside it, pass gently. */
static void
touch_cell(struct pb_mapping *m, struct pb_cell c, int16_t add)
{
	struct pb_evidence *e = cell_at(m->cell, m->room, c);
	bool beside = e->scan == m->scan - 1;
	int odds = e->odds + add;

	if (e->scan == m->scan)
		return;
	e->scan = m->scan;
	if (beside && odds < FREE)
		odds = e->odds < FREE ? e->odds : FREE;
	if (beside && e->odds > 0)
		return;
	e->odds = (int16_t)(odds > LIMIT    ? LIMIT
			    : odds < -LIMIT ? -LIMIT
					    : odds);
}

/* Mark the cells around c as beside an end, unless beams ended in them. */
static void
mark_beside(struct pb_mapping *m, struct pb_cell c)
{
	for (int r = c.row - 1; r <= c.row + 1; r++)
		for (int k = c.col - 1; k <= c.col + 1; k++) {
			struct pb_cell at = {k, r};
			struct pb_evidence *e;

			if (!box_is_within(
				(struct pb_cellbox){at, at}, m->room))
				continue;
			e = cell_at(m->cell, m->room, at);
			if (e->scan != m->scan)
				e->scan = m->scan - 1;
		}
}

/* Mark the cells beside the ends of beam i and, on one wall, the next. */
static void
mark_wall(
    struct pb_mapping *m, struct pb_pose p, const struct pb_scan *s, size_t i)
{
	struct pb_vec a = beam_end(m, p, s, i, beam_reach(m, s, i)), b = a;
	struct pb_traverse w;

	if (i + 1 < s->n && has_hit(m, s, i + 1))
		b = beam_end(m, p, s, i + 1, beam_reach(m, s, i + 1));
	if (pb_dist(a, b) * m->o.resolution > ONE_WALL)
		b = a;
	w = pb_traverse_start(a, b);
	do
		mark_beside(m, w.at);
	while (pb_traverse_next(&w));
}

/* Clear the cells that beam i crosses, including the last unless it ended
 * there. */
static void
clear_beam(struct pb_mapping *m, struct pb_pose p, const struct pb_scan *s,
    size_t i, double r)
{
	struct pb_traverse w =
	    pb_traverse_start(beam_end(m, p, s, i, 0), beam_end(m, p, s, i, r));

	do
		touch_cell(m, w.at, m->miss);
	while (pb_traverse_next(&w));
}

enum pb_status
pb_mapping_add(struct pb_mapping *m, struct pb_pose p, const struct pb_scan *s)
{
	struct pb_cellbox b = m->known;
	enum pb_status st;

	if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.th))
		return PB_EVALUE;
	p = pb_scan_from(s, p);
	if ((st = join_scan(m, p, s, &b)) != PB_OK)
		return st;
	if (!box_is_within(b, m->room) && (st = grow(m, b)) != PB_OK)
		return st;
	m->known = b;
	next_scan(m);
	/* Ends first: the same scan does not clear a cell with an end. */
	for (size_t i = 0; i < s->n; i++)
		if (has_hit(m, s, i))
			touch_cell(m,
			    cell_of(beam_end(m, p, s, i, beam_reach(m, s, i))),
			    m->hit);
	for (size_t i = 0; i < s->n; i++)
		if (has_hit(m, s, i))
			mark_wall(m, p, s, i);
	for (size_t i = 0; i < s->n; i++)
		if (beam_reach(m, s, i) > 0)
			clear_beam(m, p, s, i, beam_reach(m, s, i));
	return PB_OK;
}

static signed char
cell_value(const struct pb_mapping *m, const struct pb_evidence *e)
{
	double p;
	int v;

	if (e->odds == 0)
		return PB_CELL_UNKNOWN;
	p = 1 / (1 + pb_exp(-(double)e->odds / ONE));
	v = (int)lround(100 * p);
	if (m->o.chances)
		return (signed char)v;
	return pb_cell_free(v)       ? 0
	       : pb_cell_occupied(v) ? 100
	                             : PB_CELL_UNKNOWN;
}

enum pb_status
pb_mapping_map(const struct pb_mapping *m, struct pb_map *out)
{
	int side = (int)ceil(m->o.margin / m->o.resolution), width, height;
	struct pb_cellbox k = m->known;
	struct pb_pose origin = {
	    pb_map_dusted((k.lo.col - side) * m->o.resolution),
	    pb_map_dusted((k.lo.row - side) * m->o.resolution), 0};
	enum pb_status st;

	if (pb_cellbox_empty(k))
		return PB_EEMPTY;
	width = (int)cols(k) + 2 * side;
	height = (int)rows(k) + 2 * side;
	if (has_too_many(m, (size_t)width, (size_t)height))
		return PB_ESIZE;
	st = pb_map_init(out, width, height, m->o.resolution, origin);
	if (st != PB_OK)
		return st;
	for (int r = k.lo.row; r <= k.hi.row; r++)
		for (int c = k.lo.col; c <= k.hi.col; c++)
			out->cell[pb_map_index(
			    out, (struct pb_cell){c - k.lo.col + side,
				     r - k.lo.row + side})] = cell_value(m,
			    cell_at(m->cell, m->room, (struct pb_cell){c, r}));
	return PB_OK;
}
