/* gen_house.c - random houses, as a lidar would have mapped them. */
#include "map/gen_house.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "map/floorplan.h"
#include "map/furnish.h"

/* Unknown cells around the house, so that its outer walls are on the map. */
#define MARGIN 0.5 /* m */
/* Plasterboard and brick, as a lidar grid at 5 cm shows them. */
#define WALL 0.12 /* m */
/* A room narrower than this is a cupboard. */
#define SIDE_MIN 2.0 /* m */

struct pb_house_opts
pb_house_defaults(void)
{
	return (struct pb_house_opts){
	    .width = 14,
	    .height = 11,
	    .resolution = 0.05,
	    .seed = 1,
	    .room_area = 14,
	    .corridor = 1.2,
	    .door = 0.9,
	    .loops = 0.3,
	    .cut = 0.25,
	    .furniture = 0.25,
	    .ragged = 0.1,
	    .clearance = 0.3,
	};
}

static bool
within(double v, double lo, double hi)
{
	return v >= lo && v <= hi; /* false for NaN */
}

static enum pb_status
wrong(const char **bad, const char *name, enum pb_status s)
{
	if (bad != NULL)
		*bad = name;
	return s;
}

enum pb_status
pb_house_check(const struct pb_house_opts *o, const char **bad)
{
	struct {
		const char *name;
		double v, lo, hi;
	} rule[] = {
	    {"resolution", o->resolution, PB_HOUSE_CELL_MIN, PB_HOUSE_CELL_MAX},
	    {"width", o->width, PB_HOUSE_SIDE_MIN, PB_HOUSE_SIDE_MAX},
	    {"height", o->height, PB_HOUSE_SIDE_MIN, PB_HOUSE_SIDE_MAX},
	    {"room_area", o->room_area, 4, 1e6},
	    {"corridor", o->corridor, 1, 10},
	    {"door", o->door, 0.6, 1.5},
	    {"loops", o->loops, 0, 1},
	    {"cut", o->cut, 0, 1},
	    {"furniture", o->furniture, 0, 10},
	    {"ragged", o->ragged, 0, 1},
	    {"clearance", o->clearance, 0, o->door / 2 - o->resolution},
	};

	for (size_t i = 0; i < sizeof(rule) / sizeof(*rule); i++)
		if (!within(rule[i].v, rule[i].lo, rule[i].hi))
			return wrong(bad, rule[i].name, PB_EVALUE);
	if (ceil(o->width / o->resolution) > PB_MAP_SIDE)
		return wrong(bad, "width", PB_ESIZE);
	if (ceil(o->height / o->resolution) > PB_MAP_SIDE)
		return wrong(bad, "height", PB_ESIZE);
	return PB_OK;
}

static struct pb_plan_opts
plan_opts(const struct pb_house_opts *o, const struct pb_map *m)
{
	double r = o->resolution;
	int margin = (int)round(MARGIN / r);
	/* A lone cell of clearance more, so that rounding shuts no door. */
	int door = (int)ceil(fmax(o->door, 2 * o->clearance) / r) + 1;

	return (struct pb_plan_opts){
	    .site = {margin, margin, m->width - margin, m->height - margin},
	    .wall = (int)fmax(1, round(WALL / r)),
	    .side_min = (int)ceil(SIDE_MIN / r),
	    .corridor = (int)round(o->corridor / r),
	    .door_min = door,
	    .door_max = door + (int)(0.5 / r),
	    .room_cells = o->room_area / (r * r),
	    .loops = o->loops,
	    .cut = o->cut,
	};
}

static void
fill(struct pb_map *m, struct pb_rect q, signed char v)
{
	for (int y = q.y0; y < q.y1; y++)
		memset(&m->cell[pb_map_index(m, (struct pb_cell){q.x0, y})], v,
		    (size_t)(q.x1 - q.x0));
}

static void
draw_plan(struct pb_map *m, const struct pb_floorplan *p, int wall)
{
	for (int i = 0; i < p->rooms; i++) {
		struct pb_rect q = p->room[i].at;

		if (!p->room[i].dropped)
			fill(m,
			    (struct pb_rect){q.x0 - wall, q.y0 - wall,
				q.x1 + wall, q.y1 + wall},
			    100);
	}
	for (int i = 0; i < p->rooms; i++)
		if (!p->room[i].dropped)
			fill(m, p->room[i].at, 0);
	for (int i = 0; i < p->doors; i++)
		fill(m, p->door[i].at, 0);
}

static bool
beside(const struct pb_map *m, struct pb_cell c, bool (*is)(int))
{
	return is(pb_map_at(m, (struct pb_cell){c.col - 1, c.row})) ||
	       is(pb_map_at(m, (struct pb_cell){c.col + 1, c.row})) ||
	       is(pb_map_at(m, (struct pb_cell){c.col, c.row - 1})) ||
	       is(pb_map_at(m, (struct pb_cell){c.col, c.row + 1}));
}

/* Whether c is in a door or so near to one that a mark could narrow it. */
static void
mark_doors(
    const struct pb_map *m, const struct pb_floorplan *p, unsigned char *near)
{
	int z = (int)(0.4 / m->resolution);

	for (int i = 0; i < p->doors; i++) {
		struct pb_rect d = p->door[i].at;

		for (int y = d.y0 - z; y < d.y1 + z; y++)
			for (int x = d.x0 - z; x < d.x1 + z; x++)
				if (pb_map_inside(m, (struct pb_cell){x, y}))
					near[pb_map_index(
					    m, (struct pb_cell){x, y})] = 1;
	}
}

/*
 * Roughen the walls as a lidar map has them: some free cells along a wall are
 * marked, and of the far side of a wall nobody knows anything.
 */
static enum pb_status
roughen(struct pb_map *m, const struct pb_floorplan *p, double chance,
    struct pb_rng *r)
{
	size_t n = pb_map_cells(m);
	unsigned char *mark = calloc(n, 1);

	if (mark == NULL)
		return PB_ENOMEM;
	mark_doors(m, p, mark);
	for (size_t i = 0; i < n; i++) {
		struct pb_cell c = pb_map_cell_of(m, i);

		if (pb_cell_free(m->cell[i]))
			mark[i] = !mark[i] && beside(m, c, pb_cell_occupied) &&
			                  pb_rng_unit(r) < chance
			              ? 2
			              : 0;
		else
			mark[i] = pb_cell_occupied(m->cell[i]) &&
			                  !beside(m, c, pb_cell_free)
			              ? 3
			              : 0;
	}
	for (size_t i = 0; i < n; i++)
		if (mark[i])
			m->cell[i] = mark[i] == 2 ? 100 : PB_CELL_UNKNOWN;
	free(mark);
	return PB_OK;
}

/* Mark the piece of free cells that holds i as seen; its size. */
static size_t
mark_piece(
    const struct pb_map *m, unsigned char *seen, uint32_t *stack, uint32_t i)
{
	uint32_t w = (uint32_t)m->width;
	size_t n = 0, top = 0;

	stack[top++] = i;
	seen[i] = 1;
	while (top > 0) {
		uint32_t c = stack[--top];
		uint32_t to[4] = {c - 1, c + 1, c - w, c + w};

		n++;
		/* The margin is unknown, so no free cell is at the edge. */
		for (int d = 0; d < 4; d++)
			if (!seen[to[d]] && pb_cell_free(m->cell[to[d]])) {
				seen[to[d]] = 1;
				stack[top++] = to[d];
			}
	}
	return n;
}

/* Keep the largest piece of free space; what it shuts out is unknown. */
static enum pb_status
keep_main_piece(struct pb_map *m)
{
	uint32_t n = (uint32_t)pb_map_cells(m), from = 0;
	size_t best = 0;
	unsigned char *seen = calloc(n, 1);
	uint32_t *stack = malloc(n * sizeof(*stack));

	if (seen == NULL || stack == NULL) {
		free(seen);
		free(stack);
		return PB_ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++)
		if (!seen[i] && pb_cell_free(m->cell[i])) {
			size_t size = mark_piece(m, seen, stack, i);

			if (size > best) {
				best = size;
				from = i;
			}
		}
	memset(seen, 0, n);
	mark_piece(m, seen, stack, from);
	for (uint32_t i = 0; i < n; i++)
		if (!seen[i] && pb_cell_free(m->cell[i]))
			m->cell[i] = PB_CELL_UNKNOWN;
	free(seen);
	free(stack);
	return PB_OK;
}

/* Walls, furniture and roughness of o on the blank map m. */
static enum pb_status
build(struct pb_map *m, const struct pb_house_opts *o)
{
	struct pb_plan_opts po = plan_opts(o, m);
	/* One cell more than asked: marks at walls take one. */
	struct pb_furnish_opts fo = {
	    o->furniture, (int)ceil(o->clearance / o->resolution) + 1};
	struct pb_floorplan p = {0};
	struct pb_rng r;
	enum pb_status s;

	/* A doorway must let the same clearance through. */
	if (2 * fo.clearance + 2 > po.door_min)
		fo.clearance = (po.door_min - 2) / 2;
	pb_rng_start(&r, o->seed, 0, PB_FOR_MAP, 0);
	if ((s = pb_floorplan_init(&p, &po, &r)) != PB_OK)
		return s;
	draw_plan(m, &p, po.wall);
	if ((s = pb_furnish(m, &p, &fo, &r)) == PB_OK &&
	    (s = roughen(m, &p, o->ragged, &r)) == PB_OK)
		s = keep_main_piece(m);
	pb_floorplan_clear(&p);
	return s;
}

enum pb_status
pb_gen_house(const struct pb_house_opts *o, struct pb_map *m)
{
	struct pb_map made;
	enum pb_status s = pb_house_check(o, NULL);
	int w, h;

	if (s != PB_OK)
		return s;
	w = (int)round(o->width / o->resolution);
	h = (int)round(o->height / o->resolution);
	s = pb_map_init(&made, w, h, o->resolution,
	    (struct pb_pose){
		-w * o->resolution / 2, -h * o->resolution / 2, 0});
	if (s != PB_OK)
		return s;
	memcpy(made.name, "house", sizeof "house");
	if ((s = build(&made, o)) != PB_OK) {
		pb_map_clear(&made);
		return s;
	}
	*m = made;
	return PB_OK;
}
