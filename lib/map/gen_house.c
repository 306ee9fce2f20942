/*
 * gen_house.c - random houses with furniture, as a lidar would have mapped
 * them.
 */
#include "map/gen_house.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "pb/plan_grid.h"
#include "pb/rng.h"

/* Unknown cells around the house, so that its outer walls are on the map (m);
 * chosen by hand, not measured. */
#define MARGIN 0.5
/* Thickness of walls, as a lidar grid at 5 cm shows them (m); the same. */
#define WALL 0.12
/* Least width of a room; narrower it would be a cupboard (m); the same. */
#define SIDE_MIN 2.0
/* Doors are wider than the least door by up to this (m); the same. */
#define DOOR_MORE 0.5

/* Column and row of the first cell, and one past the last. */
struct rect {
	int x0, y0, x1, y1; /* first cell and one past the last (cells) */
};

struct room {
	struct rect at; /* inside of the walls */
	bool corridor;  /* long and narrow, kept nearly empty */
	bool dropped;   /* cut from the outline: outside of the house */
};

/* A wall without its ends, or a door. */
struct gate {
	struct rect at;
	int a, b;     /* the rooms on its sides */
	uint64_t key; /* a wall's: random, those at corridors first */
};

struct gates {
	struct gate *at; /* owned */
	size_t n, cap;
};

/* A house being made; lengths in cells. */
struct house {
	const struct pb_house_opts *o;
	struct pb_map *m;
	struct pb_rng r;
	int wall, side_min, corridor, door_min, door_max;
	double room_cells; /* rooms larger than about this are split */
	int clearance;     /* what furniture leaves around a robot */

	struct room *room; /* owned */
	size_t rooms, rooms_cap;
	struct gates
	    walls; /* walls that can have a door, also of dropped rooms */
	struct gates doors;
	bool full; /* out of memory */

	/* Planes with room for the map and the clearance around it, and a row
	 * of one; owned. */
	unsigned char *plane, *open;
	uint16_t *run;
};

static int
width(const struct rect *q)
{
	return q->x1 - q->x0;
}

static int
height(const struct rect *q)
{
	return q->y1 - q->y0;
}

/* q enlarged by `by` on all sides. */
static struct rect
enlarge(struct rect q, int by)
{
	return (struct rect){q.x0 - by, q.y0 - by, q.x1 + by, q.y1 + by};
}

/* q transposed, so that one rule serves both directions. */
static struct rect
transpose(struct rect q, bool yes)
{
	return yes ? (struct rect){q.y0, q.x0, q.y1, q.x1} : q;
}

static bool
overlaps(struct rect a, struct rect b)
{
	return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

static void
add_room(struct house *h, struct rect at, bool corridor)
{
	h->full |=
	    !pb_grow(&h->room, h->rooms, &h->rooms_cap, sizeof(*h->room));
	if (!h->full)
		h->room[h->rooms++] = (struct room){at, corridor, false};
}

static void
add_gate(struct house *h, struct gates *list, struct rect at, int a, int b)
{
	h->full |= !pb_grow(&list->at, list->n, &list->cap, sizeof(*list->at));
	if (!h->full)
		list->at[list->n++] = (struct gate){at, a, b, 0};
}

/* --- the plan: recursive halving, doors by a random tree --- */

/* Draw an integer in lo..hi; lo if the range is empty. */
static int
draw_between(struct pb_rng *r, int lo, int hi)
{
	if (hi <= lo)
		return lo;
	return lo + (int)pb_rng_below(r, (uint32_t)(hi - lo) + 1);
}

/*
 * Cut q across its longer side by a wall, or, where both halves stay large, by
 * a corridor between two walls, the third part. Returns the number of parts, 1
 * if q is too small or narrow to cut.
 */
static int
cut_part(struct house *h, struct rect q, struct rect part[3])
{
	bool tall = height(&q) > width(&q);
	struct rect f = transpose(q, tall);
	double cells = (double)width(&q) * height(&q);
	bool wide = cells > 4 * h->room_cells &&
	            width(&f) > 2 * h->side_min + 2 * h->wall + h->corridor;
	int gap = wide ? 2 * h->wall + h->corridor : h->wall;
	int slack = width(&f) - gap - 2 * h->side_min, s;

	if (cells <= h->room_cells * (0.7 + 0.6 * pb_rng_unit(&h->r)) ||
	    slack < 0)
		return 1;
	/* Cut between one and two thirds of the slack. */
	s = f.x0 + h->side_min +
	    draw_between(&h->r, slack / 3, slack - slack / 3);
	part[0] = transpose((struct rect){f.x0, f.y0, s, f.y1}, tall);
	part[1] = transpose((struct rect){s + gap, f.y0, f.x1, f.y1}, tall);
	part[2] = transpose(
	    (struct rect){s + h->wall, f.y0, s + h->wall + h->corridor, f.y1},
	    tall);
	return wide ? 3 : 2;
}

/* Split recursively; depth is at most twice the logarithm of the side. */
static void
split_room(struct house *h, struct rect q)
{
	struct rect part[3];
	int n = cut_part(h, q, part);

	if (n == 1) {
		add_room(h, q, false);
		return;
	}
	split_room(h, part[0]);
	split_room(h, part[1]);
	if (n == 3)
		add_room(h, part[2], true);
}

/* The part of the wall between p and q where a door fits; false: none. */
static bool
find_wall(const struct house *h, const struct rect *p, const struct rect *q,
    struct rect *w)
{
	int t = h->wall;
	bool aside = p->x1 + t == q->x0 || q->x1 + t == p->x0;
	int x0, y0, x1, y1;

	if (!aside && p->y1 + t != q->y0 && q->y1 + t != p->y0)
		return false;
	x0 = p->x0 > q->x0 ? p->x0 : q->x0;
	y0 = p->y0 > q->y0 ? p->y0 : q->y0;
	x1 = p->x1 < q->x1 ? p->x1 : q->x1;
	y1 = p->y1 < q->y1 ? p->y1 : q->y1;
	*w = aside ? (struct rect){x1, y0 + t, x0, y1 - t}
	           : (struct rect){x0 + t, y1, x1 - t, y0};
	return width(w) >= t && height(w) >= t &&
	       (width(w) >= h->door_min || height(w) >= h->door_min);
}

static void
list_walls(struct house *h)
{
	struct rect w;

	for (size_t a = 0; a < h->rooms; a++)
		for (size_t b = a + 1; b < h->rooms && !h->full; b++)
			if (find_wall(h, &h->room[a].at, &h->room[b].at, &w))
				add_gate(h, &h->walls, w, (int)a, (int)b);
}

/* Whether one of the rooms beside a wall is not part of the house. */
static bool
is_outside(const struct house *h, const struct gate *w)
{
	return h->room[w->a].dropped || h->room[w->b].dropped;
}

/* Whether the remaining rooms are connected through shared walls. */
static bool
is_connected(const struct house *h, int *up)
{
	int pieces = 0;

	for (size_t i = 0; i < h->rooms; i++) {
		up[i] = (int)i;
		pieces += !h->room[i].dropped;
	}
	for (size_t i = 0; i < h->walls.n; i++) {
		const struct gate *w = &h->walls.at[i];
		int p, q;

		if (is_outside(h, w))
			continue;
		p = pb_root(up, w->a);
		q = pb_root(up, w->b);
		pieces -= p != q;
		up[p] = q;
	}
	return pieces <= 1;
}

/* Drop some rooms at the outline, so that houses are not all boxes. Only the
 * first few hundred rooms are tried: each test looks at all walls. */
static void
cut_outline(struct house *h, struct rect site, int *up)
{
	enum { ASK = 200, KEEP = 3 }; /* chosen by hand, not measured */
	size_t left = h->rooms;

	for (size_t i = 0; i < h->rooms && i < ASK && left > KEEP; i++) {
		struct room *m = &h->room[i];
		bool inner = m->at.x0 > site.x0 && m->at.y0 > site.y0 &&
		             m->at.x1 < site.x1 && m->at.y1 < site.y1;

		if (m->corridor || inner || pb_rng_unit(&h->r) >= h->o->cut)
			continue;
		m->dropped = true;
		if (is_connected(h, up))
			left--;
		else
			m->dropped = false;
	}
}

static int
compare_key(const void *x, const void *y)
{
	const struct gate *p = x, *q = y;

	return (p->key > q->key) - (p->key < q->key);
}

/* A door at a random place in wall w. */
static struct rect
draw_door(struct house *h, struct rect w)
{
	bool tall = height(&w) > width(&w);
	struct rect f = transpose(w, tall);
	int d = draw_between(&h->r, h->door_min, h->door_max);

	if (d > width(&f))
		d = width(&f);
	f.x0 = draw_between(&h->r, f.x0, f.x1 - d);
	f.x1 = f.x0 + d;
	return transpose(f, tall);
}

/* Place doors: a random spanning tree of the remaining rooms by Kruskal's
 * algorithm, first through walls beside a corridor, then through those between
 * rooms, each in random order; plus some more. */
static void
place_doors(struct house *h, int *up)
{
	struct gates *walls = &h->walls;

	for (size_t i = 0; i < walls->n; i++) {
		struct gate *w = &walls->at[i];
		bool quiet = !h->room[w->a].corridor && !h->room[w->b].corridor;

		if (!is_outside(h, w))
			w->key = pb_rng_u64(&h->r) >> 1 | (uint64_t)quiet << 63;
	}
	if (walls->n > 0)
		qsort(walls->at, walls->n, sizeof(*walls->at), compare_key);
	for (size_t i = 0; i < h->rooms; i++)
		up[i] = (int)i;
	for (size_t i = 0; i < walls->n; i++) {
		const struct gate *w = &walls->at[i];
		int p = pb_root(up, w->a), q = pb_root(up, w->b);

		if (is_outside(h, w) ||
		    (p == q && pb_rng_unit(&h->r) >= h->o->loops))
			continue;
		up[p] = q;
		add_gate(h, &h->doors, draw_door(h, w->at), w->a, w->b);
	}
}

/* Plan rooms and doors on the site within the outer walls. */
static void
plan_rooms(struct house *h, struct rect site)
{
	int *up = NULL;

	split_room(h, site);
	list_walls(h);
	if (!h->full)
		up = malloc(h->rooms * sizeof(*up));
	if (up != NULL) {
		cut_outline(h, site, up);
		place_doors(h, up);
	}
	h->full |= up == NULL;
	free(up);
}

/* --- the map --- */

static signed char *
get_cell(const struct house *h, int x, int y)
{
	return &h->m->cell[pb_map_index(h->m, (struct pb_cell){x, y})];
}

static void
fill_rect(struct house *h, struct rect q, signed char v)
{
	for (int y = q.y0; y < q.y1; y++)
		memset(get_cell(h, q.x0, y), v, (size_t)width(&q));
}

static void
draw_plan(struct house *h)
{
	for (size_t i = 0; i < h->rooms; i++)
		if (!h->room[i].dropped)
			fill_rect(h, enlarge(h->room[i].at, h->wall), 100);
	for (size_t i = 0; i < h->rooms; i++)
		if (!h->room[i].dropped)
			fill_rect(h, h->room[i].at, 0);
	for (size_t i = 0; i < h->doors.n; i++)
		fill_rect(h, h->doors.at[i].at, 0);
}

/* --- furniture --- */

/* Furniture: sizes chosen by hand, not measured. */
enum kind { BOX, TABLE, POT };
static const struct {
	double until;              /* of a number in 0..1 that chooses */
	double lo, hi;             /* its width (m) */
	double depth_lo, depth_hi; /* 0: as deep as wide (m) */
} kinds[] = {
    /* A closed body at a wall: the lidar sees its outline only. */
    [BOX] = {0.5, 0.5, 1.8, 0.3, 0.6},
    /* The lidar sees four legs. */
    [TABLE] = {0.8, 0.8, 1.6, 0.6, 0.9},
    /* A round thing. */
    [POT] = {1, 0.25, 0.5, 0, 0},
};
#define LEG        0.06 /* thickness of a table's leg (m) */
#define DOOR_CLEAR 0.6  /* least distance of furniture from a door (m) */

static int
to_cells(const struct house *h, double metres)
{
	return (int)(metres / h->m->resolution + 0.5);
}

/* Value of cell (x, y) of a piece of w by d cells; legs are t thick. */
static signed char
piece_cell(enum kind k, int x, int y, int w, int d, int t)
{
	int u = 2 * x + 1 - w, v = 2 * y + 1 - d;

	if (k == BOX)
		return x == 0 || y == 0 || x == w - 1 || y == d - 1
		           ? 100
		           : PB_CELL_UNKNOWN;
	if (k == TABLE)
		return (x < t || x >= w - t) && (y < t || y >= d - t) ? 100 : 0;
	return u * u + v * v <= w * w ? 100 : 0;
}

static void
draw_piece(struct house *h, enum kind k, struct rect q)
{
	int t = to_cells(h, LEG) > 0 ? to_cells(h, LEG) : 1;

	for (int y = q.y0; y < q.y1; y++)
		for (int x = q.x0; x < q.x1; x++)
			*get_cell(h, x, y) = piece_cell(
			    k, x - q.x0, y - q.y0, width(&q), height(&q), t);
}

/*
 * Whether the cells that the robot can occupy within the window are connected,
 * ignoring parts smaller than the robot. Outside of the window all counts as
 * free.
 */
static bool
is_passable(struct house *h, struct rect q)
{
	int c = h->clearance, w = width(&q) + 2 * c, tall = height(&q) + 2 * c;
	uint32_t robot = (uint32_t)((2 * c + 1) * (2 * c + 1));
	struct pb_grid g = {0};
	int pieces = 0;

	memset(h->plane, 1, (size_t)w * (size_t)tall);
	for (int y = q.y0; y < q.y1; y++) {
		const signed char *from = get_cell(h, q.x0, y);
		unsigned char *to = h->plane + (y - q.y0 + c) * w + c;

		for (int x = 0; x < width(&q); x++)
			to[x] = pb_cell_free(from[x]);
	}
	pb_square_mask(h->plane, w, tall, c, h->run, h->open);
	if (pb_grid_init(&g, w, tall, h->open) != PB_OK) {
		h->full = true;
		return false;
	}
	for (int i = 0; i < g.nparts; i++)
		pieces += g.size[i] > robot;
	pb_grid_clear(&g);
	return pieces == 1;
}

/* Whether a piece fits at q: on free cells, not before a door of room i. */
static bool
has_place(const struct house *h, struct rect q, int i)
{
	int zone = to_cells(h, DOOR_CLEAR);

	for (size_t k = 0; k < h->doors.n; k++) {
		const struct gate *d = &h->doors.at[k];

		if ((d->a == i || d->b == i) &&
		    overlaps(q, enlarge(d->at, zone)))
			return false;
	}
	for (int y = q.y0; y < q.y1; y++)
		for (int x = q.x0; x < q.x1; x++)
			if (!pb_cell_free(*get_cell(h, x, y)))
				return false;
	return true;
}

/* Draw a place for w by d cells in room q, optionally at a wall. */
static struct rect
choose_place(struct house *h, struct rect q, int w, int d, bool at_wall)
{
	int dx = width(&q) - w, dy = height(&q) - d;
	int x = draw_between(&h->r, q.x0, q.x0 + dx),
	    y = draw_between(&h->r, q.y0, q.y0 + dy);

	if (at_wall) {
		/* Turned so that its longer side is at the wall. */
		bool low = pb_rng_unit(&h->r) < 0.5;

		if (w >= d)
			y = low ? q.y0 : q.y0 + dy;
		else
			x = low ? q.x0 : q.x0 + dx;
	}
	return (struct rect){x, y, x + w, y + d};
}

/* Put a piece into room i unless it blocks a passage. */
static void
try_piece(struct house *h, size_t i)
{
	const struct rect q = h->room[i].at;
	double what = pb_rng_unit(&h->r), turn = pb_rng_unit(&h->r);
	enum kind s = what < kinds[BOX].until     ? BOX
	              : what < kinds[TABLE].until ? TABLE
	                                          : POT;
	int w, d, swap;
	struct rect at;

	w = d = to_cells(h, pb_rng_between(&h->r, kinds[s].lo, kinds[s].hi));
	if (kinds[s].depth_hi > 0)
		d = to_cells(h, pb_rng_between(&h->r, kinds[s].depth_lo,
				    kinds[s].depth_hi));
	if (turn >= 0.5) {
		swap = w;
		w = d;
		d = swap;
	}
	if (w < 2 || d < 2 || w >= width(&q) || d >= height(&q))
		return;
	at = choose_place(h, q, w, d, s == BOX);
	if (!has_place(h, at, (int)i))
		return;
	draw_piece(h, s, at);
	/* Include the walls: doors must stay passable. */
	if (!is_passable(h, enlarge(q, h->wall)))
		fill_rect(h, at, 0);
}

/*
 * Furnish the rooms. A piece that would separate a room's doors, for a robot
 * that keeps the clearance along both axes, is left out, so free space stays
 * connected.
 */
static void
furnish(struct house *h)
{
	for (size_t i = 0; i < h->rooms; i++) {
		const struct room *q = &h->room[i];
		double area = width(&q->at) * h->m->resolution *
		              (height(&q->at) * h->m->resolution);
		double share = q->corridor ? 0.2 : 1;
		int n =
		    (int)(area * h->o->furniture * share + pb_rng_unit(&h->r));

		while (!q->dropped && n-- > 0)
			try_piece(h, i);
	}
}

/* --- what a lidar makes of it --- */

static bool
is_beside(const struct pb_map *m, struct pb_cell c, bool (*is)(int))
{
	return is(pb_map_at(m, (struct pb_cell){c.col - 1, c.row})) ||
	       is(pb_map_at(m, (struct pb_cell){c.col + 1, c.row})) ||
	       is(pb_map_at(m, (struct pb_cell){c.col, c.row - 1})) ||
	       is(pb_map_at(m, (struct pb_cell){c.col, c.row + 1}));
}

/* Mark the cells of doors and within 0.4 m, where roughening could narrow the
 * door; less than the margin; chosen by hand, not measured. */
static void
mark_doors(const struct house *h, unsigned char *near)
{
	int z = (int)(0.4 / h->m->resolution);

	for (size_t i = 0; i < h->doors.n; i++) {
		struct rect d = enlarge(h->doors.at[i].at, z);

		for (int y = d.y0; y < d.y1; y++)
			memset(&near[pb_map_index(
				   h->m, (struct pb_cell){d.x0, y})],
			    1, (size_t)width(&d));
	}
}

/* Roughen walls as in a lidar map: some free cells along walls become occupied,
 * and the far side of walls is unknown. */
static void
roughen(struct house *h)
{
	struct pb_map *m = h->m;
	size_t n = pb_map_cells(m);
	unsigned char *mark = h->plane;

	memset(mark, 0, n);
	mark_doors(h, mark);
	for (size_t i = 0; i < n; i++) {
		struct pb_cell c = pb_map_cell_of(m, i);

		if (pb_cell_free(m->cell[i]))
			mark[i] = !mark[i] &&
			                  is_beside(m, c, pb_cell_occupied) &&
			                  pb_rng_unit(&h->r) < h->o->ragged
			              ? 2
			              : 0;
		else
			mark[i] = pb_cell_occupied(m->cell[i]) &&
			                  !is_beside(m, c, pb_cell_free)
			              ? 3
			              : 0;
	}
	for (size_t i = 0; i < n; i++)
		if (mark[i])
			m->cell[i] = mark[i] == 2 ? 100 : PB_CELL_UNKNOWN;
}

/* Keep the largest connected free space; the rest becomes unknown. */
static enum pb_status
keep_main_piece(struct house *h)
{
	struct pb_map *m = h->m;
	struct pb_grid g = {0};
	enum pb_status st;

	pb_mask_free(m, h->open);
	st = pb_grid_init(&g, m->width, m->height, h->open);
	for (uint32_t i = 0; st == PB_OK && i < g.row[g.height]; i++)
		if (g.run[i].part != g.main)
			memset(m->cell + g.run[i].from, PB_CELL_UNKNOWN,
			    (size_t)(g.run[i].to - g.run[i].from));
	pb_grid_clear(&g);
	return st;
}

/* --- options --- */

#define PB_PARAMS_OF struct pb_house_opts

/* Limits that depend on each other are in pb_house_check. */
static const struct pb_param rows[] = {
    PB_REAL("room-area", room_area, "m2", 14, 4, 1e6,
	"rooms are about this large", .also = "rooms|room-size|area"),
    PB_REAL("corridor", corridor, "m", 1.2, 1, 10, "width of corridors",
	.also = "corridor-width"),
    PB_REAL("door", door, "m", 0.9, 0.6, 1.5, "least width of doors",
	.also = "doors|door-width"),
    PB_REAL("cut", cut, "chance", 0.25, 0, 1, "an outer room is missing"),
    PB_REAL("furniture", furniture, "1/m2", 0.25, 0, 10,
	"pieces per square metre of room", .also = "clutter|boxes"),
    PB_REAL("ragged", ragged, "chance", 0.1, 0, 1,
	"a cell at a wall is marked, too"),
    PB_REAL("clearance", clearance, "m", 0.3, 0, 0.75,
	"what a robot keeps from walls"),
};

const struct pb_params pb_house_params = PB_PARAMS(rows);

struct pb_house_opts
pb_house_defaults(void)
{
	struct pb_house_opts o = {.width = 14,
	    .height = 11,
	    .resolution = 0.05,
	    .seed = 1,
	    .loops = 0.3};

	pb_params_defaults(pb_house_params, &o);
	return o;
}

static bool
is_side(double v)
{
	return v >= PB_HOUSE_SIDE_MIN && v <= PB_HOUSE_SIDE_MAX;
}

static const char *
find_wrong(const struct pb_house_opts *o)
{
	const struct pb_param *p;

	if (!(o->resolution >= PB_HOUSE_CELL_MIN &&
		o->resolution <= PB_HOUSE_CELL_MAX))
		return "resolution";
	if (!is_side(o->width) || !is_side(o->height))
		return is_side(o->width) ? "height" : "width";
	if ((p = pb_params_check(pb_house_params, o)) != NULL)
		return p->name;
	if (!(o->loops >= 0 && o->loops <= 1))
		return "loops";
	return o->clearance <= o->door / 2 - o->resolution ? NULL : "clearance";
}

enum pb_status
pb_house_check(const struct pb_house_opts *o, const char **bad)
{
	const char *name = find_wrong(o);
	enum pb_status s = name != NULL ? PB_EVALUE : PB_ESIZE;

	if (name == NULL && ceil(o->width / o->resolution) > PB_MAP_SIDE)
		name = "width";
	if (name == NULL && ceil(o->height / o->resolution) > PB_MAP_SIDE)
		name = "height";
	if (name != NULL && bad != NULL)
		*bad = name;
	return name != NULL ? s : PB_OK;
}

/* Start a house with the lengths of o in cells. */
static struct house
start_house(struct pb_map *m, const struct pb_house_opts *o)
{
	double r = o->resolution;
	/* One cell more, so that rounding closes no door. */
	int door = (int)ceil(o->door / r) + 1;
	/* One cell more, which rough walls may take. */
	int clearance = (int)ceil(o->clearance / r) + 1;
	struct house h = {.o = o,
	    .m = m,
	    .wall = (int)fmax(1, round(WALL / r)),
	    .side_min = (int)ceil(SIDE_MIN / r),
	    .corridor = (int)round(o->corridor / r),
	    .door_min = door,
	    .door_max = door + (int)(DOOR_MORE / r),
	    .room_cells = o->room_area / (r * r),
	    .clearance = clearance};

	/* A doorway must let the same clearance through. */
	if (2 * clearance + 2 > door)
		h.clearance = (door - 2) / 2;
	pb_rng_start(&h.r, o->seed, 0, PB_FOR_MAP, 0);
	return h;
}

/* Build the house of o on the blank map m. */
static enum pb_status
build(struct pb_map *m, const struct pb_house_opts *o)
{
	struct house h = start_house(m, o);
	int rim = (int)round(MARGIN / o->resolution) + h.wall;
	struct rect site = {rim, rim, m->width - rim, m->height - rim};
	size_t w = (size_t)(m->width + 2 * h.clearance);
	size_t n = w * (size_t)(m->height + 2 * h.clearance);
	enum pb_status st = PB_ENOMEM;

	if (width(&site) < h.side_min || height(&site) < h.side_min)
		return PB_ESIZE;
	h.plane = malloc(n);
	h.open = malloc(n);
	h.run = malloc(w * sizeof(*h.run));
	if (h.plane != NULL && h.open != NULL && h.run != NULL)
		plan_rooms(&h, site);
	/* No rooms: memory ran out. */
	if (h.rooms > 0 && !h.full) {
		draw_plan(&h);
		furnish(&h);
		roughen(&h);
		if (!h.full)
			st = keep_main_piece(&h);
	}
	free(h.room);
	free(h.walls.at);
	free(h.doors.at);
	free(h.plane);
	free(h.open);
	free(h.run);
	return st;
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
