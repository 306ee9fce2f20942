/* map.c - an occupancy map: storage, meaning of a cell, frames. */
#include "pb/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/direction.h"
#include "base/hash.h"

/* Whether cells that begin at v can be told apart. */
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
