/* map.c - occupancy maps: access, crops, unions, coarser maps. */
#include "pb/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/hash.h"
#include "map/change.h"

/* Whether doubles near v resolve cells of that size. */
static bool
is_place(double v, double resolution)
{
	return isfinite(v) && fabs(v) <= PB_MAP_FAR * resolution;
}

enum pb_status
pb_map_init(struct pb_map *m, int width, int height, double resolution,
    struct pb_pose origin)
{
	size_t n;
	signed char *cell;

	if (width < 1 || height < 1 || width > PB_MAP_SIDE ||
	    height > PB_MAP_SIDE)
		return PB_ESIZE;
	if (!(resolution > 0) || !isfinite(resolution) ||
	    !is_place(origin.x, resolution) ||
	    !is_place(origin.y, resolution) || !isfinite(origin.th))
		return PB_EVALUE;
	n = (size_t)width * (size_t)height;
	if ((cell = malloc(n)) == NULL)
		return PB_ENOMEM;
	memset(cell, PB_CELL_UNKNOWN, n);
	*m = (struct pb_map){.width = width,
	    .height = height,
	    .resolution = resolution,
	    .origin = origin,
	    .cell = cell};
	return PB_OK;
}

void
pb_map_clear(struct pb_map *m)
{
	free(m->cell);
	*m = (struct pb_map){0};
}

enum pb_status
pb_map_copy(struct pb_map *dst, const struct pb_map *src)
{
	signed char *cell = malloc(pb_map_cells(src));

	if (cell == NULL)
		return PB_ENOMEM;
	memcpy(cell, src->cell, pb_map_cells(src));
	*dst = *src;
	dst->cell = cell;
	return PB_OK;
}

size_t
pb_map_cells(const struct pb_map *m)
{
	return (size_t)m->width * (size_t)m->height;
}

size_t
pb_map_free_cells(const struct pb_map *m)
{
	size_t n = 0;

	for (size_t i = 0; i < pb_map_cells(m); i++)
		n += pb_cell_free(m->cell[i]);
	return n;
}

bool
pb_map_inside(const struct pb_map *m, struct pb_cell c)
{
	return c.col >= 0 && c.col < m->width && c.row >= 0 &&
	       c.row < m->height;
}

size_t
pb_map_index(const struct pb_map *m, struct pb_cell c)
{
	return (size_t)c.row * (size_t)m->width + (size_t)c.col;
}

struct pb_cell
pb_map_cell_of(const struct pb_map *m, size_t i)
{
	return (struct pb_cell){
	    (int)(i % (size_t)m->width), (int)(i / (size_t)m->width)};
}

int
pb_map_at(const struct pb_map *m, struct pb_cell c)
{
	if (!pb_map_inside(m, c))
		return PB_CELL_UNKNOWN;
	return m->cell[pb_map_index(m, c)];
}

bool
pb_cell_free(int value)
{
	return value >= 0 && value <= PB_CELL_FREE;
}

bool
pb_cell_occupied(int value)
{
	return value >= PB_CELL_OCCUPIED;
}

bool
pb_cell_unknown(int value)
{
	return !pb_cell_free(value) && !pb_cell_occupied(value);
}

struct pb_cell
pb_map_cell(const struct pb_map *m, struct pb_vec p)
{
	struct pb_vec v = pb_vec_into(m->origin, p);

	return (struct pb_cell){pb_to_int(floor(v.x / m->resolution) - m->left),
	    pb_to_int(floor(v.y / m->resolution) - m->below)};
}

double
pb_map_dusted(double v)
{
	return rint(v * 1e12) / 1e12;
}

struct pb_vec
pb_map_centre(const struct pb_map *m, struct pb_cell c)
{
	return pb_vec_from(
	    m->origin, (struct pb_vec){(m->left + c.col + 0.5) * m->resolution,
			   (m->below + c.row + 0.5) * m->resolution});
}

struct pb_vec
pb_map_corner(const struct pb_map *m, struct pb_cell c)
{
	return (struct pb_vec){(m->left + c.col) * m->resolution + m->origin.x,
	    (m->below + c.row + 1) * m->resolution + m->origin.y};
}

static int
clamp_round(double v, int n)
{
	/* Halves to even, as Python's round(). */
	return pb_clamp_int(nearbyint(v), 0, n - 1);
}

struct pb_cell
pb_map_corner_cell(const struct pb_map *m, struct pb_vec p)
{
	int width = m->left + m->width + m->right;
	int height = m->below + m->height + m->above;
	double u = (p.x - m->origin.x) / m->resolution;
	double v = height - (p.y - m->origin.y) / m->resolution;

	return (struct pb_cell){clamp_round(u, width) - m->left,
	    height - 1 - clamp_round(v, height) - m->below};
}

uint64_t
pb_map_hash(const struct pb_map *m)
{
	uint64_t h = PB_HASH_START;

	h = pb_hash_u64(h, (uint64_t)m->width);
	h = pb_hash_u64(h, (uint64_t)m->height);
	h = pb_hash_double(h, m->resolution);
	h = pb_hash_pose(h, m->origin);
	return pb_hash_bytes(h, m->cell, pb_map_cells(m));
}

/* The origin of a map whose cell (0, 0) is cell c of m. */
static struct pb_pose
origin_at(const struct pb_map *m, struct pb_cell c)
{
	struct pb_vec v = pb_vec_from(m->origin,
	    (struct pb_vec){c.col * m->resolution, c.row * m->resolution});

	return (struct pb_pose){
	    pb_map_dusted(v.x), pb_map_dusted(v.y), m->origin.th};
}

enum pb_status
pb_map_crop(const struct pb_map *src, struct pb_cell lo, struct pb_cell hi,
    struct pb_map *dst)
{
	long width = (long)hi.col - lo.col + 1;
	long height = (long)hi.row - lo.row + 1;
	struct pb_map got;
	enum pb_status st;

	if (width < 1 || height < 1 || width > PB_MAP_SIDE ||
	    height > PB_MAP_SIDE)
		return PB_ESIZE;
	st = pb_map_init(
	    &got, (int)width, (int)height, src->resolution, origin_at(src, lo));
	if (st != PB_OK)
		return st;
	for (size_t i = 0; i < pb_map_cells(&got); i++) {
		struct pb_cell c = pb_map_cell_of(&got, i);

		got.cell[i] = (signed char)pb_map_at(
		    src, (struct pb_cell){lo.col + c.col, lo.row + c.row});
	}
	memcpy(got.name, src->name, sizeof(got.name));
	*dst = got;
	return PB_OK;
}

/* The cells whose centres lie in the box from a to b (m, map frame, which may
 * be turned against the cells). */
static struct pb_cellbox
box_between(const struct pb_map *m, struct pb_vec a, struct pb_vec b)
{
	struct pb_cellbox all = PB_CELLBOX_EMPTY;

	for (size_t i = 0; i < pb_map_cells(m); i++) {
		struct pb_cell c = pb_map_cell_of(m, i);
		struct pb_vec p = pb_map_centre(m, c);

		if (p.x >= a.x && p.x <= b.x && p.y >= a.y && p.y <= b.y)
			all = pb_cellbox_join(all, c);
	}
	return all;
}

struct pb_cellbox
pb_map_known(const struct pb_map *m)
{
	struct pb_cellbox all = PB_CELLBOX_EMPTY;

	for (size_t i = 0; i < pb_map_cells(m); i++)
		if (m->cell[i] != PB_CELL_UNKNOWN)
			all = pb_cellbox_join(all, pb_map_cell_of(m, i));
	return all;
}

enum pb_status
pb_map_part(const struct pb_map *m, struct pb_map *part)
{
	struct pb_cellbox k = pb_map_known(m);
	struct pb_cell lo = k.lo, hi = pb_cellbox_empty(k) ? k.lo : k.hi;
	struct pb_map p = *m;

	p.width = hi.col - lo.col + 1;
	p.height = hi.row - lo.row + 1;
	p.left = m->left + lo.col;
	p.right = m->right + m->width - 1 - hi.col;
	p.below = m->below + lo.row;
	p.above = m->above + m->height - 1 - hi.row;
	p.cell = malloc(pb_map_cells(&p));
	if (p.cell == NULL)
		return PB_ENOMEM;
	for (int row = 0; row < p.height; row++)
		memcpy(p.cell + (size_t)row * (size_t)p.width,
		    m->cell +
			pb_map_index(m, (struct pb_cell){lo.col, lo.row + row}),
		    (size_t)p.width);
	*part = p;
	return PB_OK;
}

/* Occupied wins over free, free over unknown; of a kind, the higher value. */
static int
merge_rank(int value)
{
	int kind = pb_cell_occupied(value) ? 2 : pb_cell_free(value);

	return 1000 * kind + value;
}

/* Replace m by a map made of it. */
static void
replace_map(struct pb_map *m, const struct pb_map *made)
{
	double deformation = m->deformation;

	pb_map_clear(m);
	*m = *made;
	m->deformation = deformation;
}

static enum pb_status
crop_to(struct pb_map *m, struct pb_cellbox b)
{
	struct pb_map made;
	enum pb_status st;

	if (pb_cellbox_empty(b))
		return PB_ENOENT;
	st = pb_map_crop(m, b.lo, b.hi, &made);
	if (st == PB_OK)
		replace_map(m, &made);
	return st;
}

/* The cells of m, extended to hold what b knows. */
static struct pb_cellbox
merged_box(const struct pb_map *m, const struct pb_map *b)
{
	struct pb_cellbox box = {{0, 0}, {m->width - 1, m->height - 1}};
	struct pb_cellbox of = pb_map_known(b);

	for (int k = 0; !pb_cellbox_empty(of) && k < 4; k++) {
		struct pb_cell corner = {k & 1 ? of.hi.col : of.lo.col,
		    k & 2 ? of.hi.row : of.lo.row};

		box = pb_cellbox_join(
		    box, pb_map_cell(m, pb_map_centre(b, corner)));
	}
	return box;
}

void
pb_map_merged_size(
    const struct pb_map *a, const struct pb_map *b, long *width, long *height)
{
	struct pb_cellbox box = merged_box(a, b);

	*width = (long)box.hi.col - box.lo.col + 1;
	*height = (long)box.hi.row - box.lo.row + 1;
}

static void
put_cell(struct pb_map *m, size_t i, int value)
{
	if (merge_rank(value) > merge_rank(m->cell[i]))
		m->cell[i] = (signed char)value;
}

enum pb_status
pb_map_merge(const struct pb_map *a, const struct pb_map *b, struct pb_map *dst)
{
	struct pb_cellbox box = merged_box(a, b);
	struct pb_map got;
	enum pb_status st;

	st = pb_map_crop(a, box.lo, box.hi, &got);
	if (st != PB_OK)
		return st;
	for (size_t i = 0; i < pb_map_cells(&got); i++) {
		struct pb_vec v = pb_map_centre(&got, pb_map_cell_of(&got, i));

		put_cell(&got, i, pb_map_at(b, pb_map_cell(b, v)));
	}
	for (size_t i = 0; i < pb_map_cells(b); i++) {
		struct pb_cell c;

		if (!pb_cell_occupied(b->cell[i]))
			continue;
		c = pb_map_cell(&got, pb_map_centre(b, pb_map_cell_of(b, i)));
		if (pb_map_inside(&got, c))
			put_cell(&got, pb_map_index(&got, c), b->cell[i]);
	}
	*dst = got;
	return PB_OK;
}

enum pb_status
pb_map_coarse_init(struct pb_map *m, int k, long width, long height,
    double resolution, struct pb_pose origin)
{
	long cols = (width + k - 1) / k, rows = (height + k - 1) / k;
	enum pb_status st;

	if (cols > PB_MAP_SIDE || rows > PB_MAP_SIDE)
		return PB_ESIZE;
	st = pb_map_init(m, (int)cols, (int)rows, resolution * k, origin);
	if (st != PB_OK)
		return st;
	/* The lowest rank; incomplete cells stay unknown. */
	for (int row = 0; row < height / k; row++)
		memset(m->cell + pb_map_index(m, (struct pb_cell){0, row}), 0,
		    (size_t)(width / k));
	return PB_OK;
}

/* Rank of a value among those that are merged into a coarse cell. */
static int
coarse_rank(int value)
{
	int kind = pb_cell_occupied(value) ? 2 : !pb_cell_free(value);

	return 1000 * kind + value;
}

void
pb_map_coarse_add(struct pb_map *m, int k, long col, long row,
    const signed char *cell, long n)
{
	signed char *to =
	    m->cell + pb_map_index(m, (struct pb_cell){0, (int)(row / k)});

	for (long i = 0; i < n; i++) {
		signed char *best = &to[(col + i) / k];

		if (cell[i] != *best &&
		    coarse_rank(cell[i]) > coarse_rank(*best))
			*best = cell[i];
	}
}

enum pb_status
pb_map_coarsen(const struct pb_map *src, int k, struct pb_map *dst)
{
	struct pb_map got;
	enum pb_status st = pb_map_coarse_init(
	    &got, k, src->width, src->height, src->resolution, src->origin);

	if (st != PB_OK)
		return st;
	for (int row = 0; row < src->height; row++)
		pb_map_coarse_add(&got, k, 0, row,
		    src->cell + pb_map_index(src, (struct pb_cell){0, row}),
		    src->width);
	memcpy(got.name, src->name, sizeof(got.name));
	got.deformation = src->deformation;
	*dst = got;
	return PB_OK;
}

enum pb_status
pb_map_straighten(const struct pb_map *src, struct pb_map *dst)
{
	struct pb_vec lo = pb_pose_vec(src->origin);
	double w = src->width * src->resolution;
	double h = src->height * src->resolution;
	struct pb_map corner;
	enum pb_status st;

	for (int k = 1; k < 4; k++) {
		struct pb_vec v = pb_vec_from(src->origin,
		    (struct pb_vec){k % 2 == 0 ? 0 : w, k / 2 == 0 ? 0 : h});

		lo = (struct pb_vec){fmin(lo.x, v.x), fmin(lo.y, v.y)};
	}
	/* A map of one unknown cell has the axes; src is merged into it. */
	st = pb_map_init(
	    &corner, 1, 1, src->resolution, (struct pb_pose){lo.x, lo.y, 0});
	if (st != PB_OK)
		return st;
	memcpy(corner.name, src->name, sizeof(corner.name));
	st = pb_map_merge(&corner, src, dst);
	pb_map_clear(&corner);
	return st;
}

enum pb_status
pb_map_change(struct pb_map *m, const struct pb_change *c)
{
	struct pb_map made;
	enum pb_status st = PB_OK;

	if (c->straighten && (st = pb_map_straighten(m, &made)) == PB_OK)
		replace_map(m, &made);
	if (st == PB_OK && c->crop)
		st = crop_to(m, box_between(m, c->lo, c->hi));
	if (st == PB_OK && c->trim)
		st = crop_to(m, pb_map_known(m));
	return st;
}
