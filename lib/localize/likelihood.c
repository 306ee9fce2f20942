/* likelihood.c - likelihood field: precomputed costs of beam ends. */
#include "localize/mcl_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "map/change.h"
#include "map/edt.h"
#include "pb/map.h"

/* Largest distance in the table, in sigma: exp(-12.5) is negligible. */
#define REACH 5.0

struct pb_pose
pb_likelihood_into(const struct pb_likelihood *f, struct pb_pose p)
{
	struct pb_vec v = pb_vec_into(f->origin, (struct pb_vec){p.x, p.y});

	return (struct pb_pose){v.x, v.y, pb_wrap(p.th - f->origin.th)};
}

struct pb_pose
pb_likelihood_from(const struct pb_likelihood *f, struct pb_pose p)
{
	return pb_pose_compose(f->origin, p);
}

static uint8_t
beam_cost(const struct pb_likelihood *f, double d)
{
	double q = d / f->sigma;
	double p = (1 - f->stray) * pb_exp(-0.5 * q * q) + f->stray;

	return (uint8_t)floor(-pb_log(p) * PB_LIKELIHOOD_NAT + 0.5);
}

/* The distance d (cells) in the unit of dist, clamped to the reach. */
static uint16_t
quantise_distance(const struct pb_likelihood *f, double d)
{
	double reach = f->reach / f->resolution;

	return (uint16_t)floor((d < reach ? d : reach) * 256 + 0.5);
}

/* The enum pb_likelihood_cell of cell (col, row) of the padded table. */
static uint8_t
classify_cell(const struct pb_map *m, int col, int row)
{
	int v = pb_map_at(m, (struct pb_cell){col - 1, row - 1});

	return pb_cell_occupied(v) ? PB_LIKELIHOOD_WALL
	       : pb_cell_free(v)   ? PB_LIKELIHOOD_FREE
	                           : PB_LIKELIHOOD_UNKNOWN;
}

/* Fill the padded table from the map and its distance transform. */
static void
fill(struct pb_likelihood *f, const struct pb_map *m, const struct pb_edt *e)
{
	uint32_t nfree = 0;

	for (int v = 0; v < f->table.height; v++) {
		f->before[v] = nfree;
		for (int u = 0; u < f->table.width; u++) {
			size_t i =
			    (size_t)v * (size_t)f->table.width + (size_t)u;
			int col = f->table.left + u, row = f->table.below + v;
			double d = sqrt(e->d2[i]);
			bool pad = col == 0 || row == 0 || col == f->cols + 1 ||
			           row == f->rows + 1;

			f->table.cost[i] =
			    pad ? f->table.most
				: beam_cost(f, d * f->resolution);
			f->dist[i] = quantise_distance(f, d);
			f->kind[i] = classify_cell(m, col, row);
			nfree += f->kind[i] == PB_LIKELIHOOD_FREE;
		}
	}
}

/* Choose the stored range of a padded side of n + 2 cells, given that lo..hi,
 * with a margin, matter. */
static void
choose_span(int lo, int hi, int margin, int n, int *first, int *kept)
{
	/* The first is aligned with the windows of all levels. */
	const int whole = 1 << (PB_CORR_LEVELS - 1);
	int end = hi + 2 + margin < n + 2 ? hi + 2 + margin : n + 2;

	*first = lo + 1 - margin > 0 ? (lo + 1 - margin) / whole * whole : 0;
	*kept = end - *first;
}

/*
 * Choose the stored rectangle: the known cells and a margin beyond which cost
 * and distance reach their limits: at 9 sigma exp(-q^2 / 2) vanishes in
 * rounding beside the least `stray`.
 */
static void
choose_part(struct pb_likelihood *f, const struct pb_map *m)
{
	struct pb_cellbox k = pb_map_known(m);
	double far = f->reach > 9 * f->sigma ? f->reach : 9 * f->sigma;
	double cells = ceil(far / f->resolution) + 1;
	int margin = cells < PB_MAP_SIDE ? (int)cells : PB_MAP_SIDE;

	choose_span(k.lo.col, k.hi.col, margin, m->width, &f->table.left,
	    &f->table.width);
	choose_span(k.lo.row, k.hi.row, margin, m->height, &f->table.below,
	    &f->table.height);
}

/* The distance transform of the obstacles of m with a free cell around. */
static enum pb_status
transform_distances(
    const struct pb_likelihood *f, const struct pb_map *m, struct pb_edt *e)
{
	size_t w = (size_t)f->table.width, n = w * (size_t)f->table.height;
	unsigned char *wall = calloc(n, 1);
	enum pb_status s;

	if (wall == NULL)
		return PB_ENOMEM;
	for (size_t i = 0; i < n; i++)
		wall[i] = pb_cell_occupied(pb_map_at(
		    m, (struct pb_cell){f->table.left + (int)(i % w) - 1,
			   f->table.below + (int)(i / w) - 1}));
	s = pb_edt_init(e, wall, f->table.width, f->table.height, false);
	free(wall);
	return s;
}

/* Mark the blocks of all levels that hold a free cell. */
static void
mark_free(struct pb_likelihood *f, ptrdiff_t from_cost)
{
	const struct pb_corr_field *t = &f->table;

	for (int k = 1; k < PB_CORR_LEVELS; k++) {
		struct pb_corr_level *l = &f->table.level[k];
		const uint8_t *kind = f->kind;

		l->open = l->cost + from_cost;
		for (int v = t->below; v < t->below + t->height; v++)
			for (int u = t->left; u < t->left + t->width; u++)
				if (*kind++ == PB_LIKELIHOOD_FREE)
					l->open[pb_corr_at(l,
					    (u >> k) - l->left,
					    (v >> k) - l->below)] = 1;
	}
}

static bool
build_levels(struct pb_likelihood *f)
{
	size_t n = pb_corr_layout(&f->table);
	uint8_t *both = pb_pool_get(&f->pool, 2 * n, 1);

	if (both == NULL)
		return false;
	pb_corr_build(&f->table, both);
	mark_free(f, (ptrdiff_t)n);
	return true;
}

static enum pb_status
build(struct pb_likelihood *f, const struct pb_map *m)
{
	struct pb_edt e = {0};
	enum pb_status s;
	size_t n;

	if ((f->nfree = pb_map_free_cells(m)) == 0)
		return PB_ENOFREE;
	choose_part(f, m);
	n = (size_t)f->table.width * (size_t)f->table.height;
	s = transform_distances(f, m, &e);
	if (s == PB_OK && e.d2[0] == PB_EDT_FAR)
		s = PB_EEMPTY;
	f->table.cost = pb_pool_get(&f->pool, n, 1);
	f->dist = pb_pool_get(&f->pool, n, sizeof(*f->dist));
	f->kind = pb_pool_get(&f->pool, n, 1);
	f->before =
	    pb_pool_get(&f->pool, (size_t)f->table.height, sizeof(*f->before));
	if (s == PB_OK && f->pool.failed)
		s = PB_ENOMEM;
	if (s == PB_OK)
		fill(f, m, &e);
	pb_edt_clear(&e);
	if (s == PB_OK && !build_levels(f))
		s = PB_ENOMEM;
	return s;
}

enum pb_status
pb_likelihood_init(struct pb_likelihood *out, const struct pb_map *m,
    double sigma, double stray)
{
	struct pb_likelihood f = {.cols = m->width,
	    .rows = m->height,
	    .resolution = m->resolution,
	    .origin = m->origin,
	    .sigma = sigma,
	    .stray = stray};
	enum pb_status s;

	if (!(sigma > 0) || !isfinite(sigma) || !(stray >= 0.02 && stray < 1))
		return PB_EVALUE;
	f.reach = REACH * sigma;
	if (f.reach > 255 * f.resolution) /* what dist can hold */
		f.reach = 255 * f.resolution;
	f.table.most = beam_cost(&f, INFINITY);
	s = build(&f, m);
	if (s == PB_OK)
		*out = f;
	else
		pb_likelihood_clear(&f);
	return s;
}

void
pb_likelihood_clear(struct pb_likelihood *f)
{
	pb_pool_clear(&f->pool);
	memset(f, 0, sizeof(*f));
}

struct pb_cell
pb_likelihood_free(const struct pb_likelihood *f, uint32_t k)
{
	int u = 0, v = 0, end = f->table.height;
	const uint8_t *kind;

	/*
	 * Binary search for the last row with at most k free cells before it.
	 */
	while (end - v > 1) {
		int mid = v + (end - v) / 2;

		if (f->before[mid] <= k)
			v = mid;
		else
			end = mid;
	}
	k -= f->before[v];
	kind = f->kind + (size_t)v * (size_t)f->table.width;
	while (kind[u] != PB_LIKELIHOOD_FREE || k-- > 0)
		u++;
	return (struct pb_cell){f->table.left + u - 1, f->table.below + v - 1};
}

int32_t
pb_likelihood_cost(const struct pb_likelihood *f, struct pb_pose p,
    const struct pb_vec *end, int n)
{
	double scale = 1 / f->resolution;
	pb_pair d = pb_direction(p.th);
	double c = d[0] * scale, s = d[1] * scale;
	/* With padding -1..0 becomes 0..1, where truncation is floor. */
	double u0 = p.x * scale + 1, v0 = p.y * scale + 1;
	unsigned w = (unsigned)f->table.width, h = (unsigned)f->table.height;
	unsigned left = (unsigned)f->table.left,
		 below = (unsigned)f->table.below;
	int32_t sum = 0;

	for (int i = 0; i < n; i++) {
		unsigned u = (unsigned)(int)(u0 + c * end[i].x - s * end[i].y);
		unsigned v = (unsigned)(int)(v0 + s * end[i].x + c * end[i].y);

		u -= left;
		v -= below;
		sum += u < w && v < h ? f->table.cost[(size_t)v * w + u]
		                      : f->table.most;
	}
	return sum;
}

double
pb_likelihood_dist(
    const struct pb_likelihood *f, double x, double y, struct pb_vec *g)
{
	/* Coordinates between cell centres of the padded table. */
	double u = x / f->resolution + 0.5, v = y / f->resolution + 0.5;
	double a, b, q = f->resolution / 256, top, bottom;
	const uint16_t *d;
	size_t w = (size_t)f->table.width;
	int col, row;

	g->x = g->y = 0;
	if (!(u >= 0 && v >= 0 && u < f->cols + 1 && v < f->rows + 1))
		return f->reach;
	a = u - floor(u);
	b = v - floor(v);
	col = (int)u - f->table.left;
	row = (int)v - f->table.below;
	if (col < 0 || row < 0 || col >= f->table.width - 1 ||
	    row >= f->table.height - 1)
		return quantise_distance(f, INFINITY) * q;
	d = f->dist + (size_t)row * w + (size_t)col;
	bottom = d[0] + a * (d[1] - d[0]);
	top = d[w] + a * (d[w + 1] - d[w]);
	g->x = ((1 - b) * (d[1] - d[0]) + b * (d[w + 1] - d[w])) / 256;
	g->y = (top - bottom) / 256;
	return (bottom + b * (top - bottom)) * q;
}

enum pb_likelihood_cell
pb_likelihood_at(const struct pb_likelihood *f, double x, double y)
{
	double u = floor(x / f->resolution) + 1 - f->table.left;
	double v = floor(y / f->resolution) + 1 - f->table.below;

	if (!(u >= 0 && v >= 0 && u < f->table.width && v < f->table.height))
		return PB_LIKELIHOOD_UNKNOWN;
	return f->kind[(size_t)v * (size_t)f->table.width + (size_t)u];
}
