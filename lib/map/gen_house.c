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

bool
pb_wall_between(const struct pb_rect *p, const struct pb_rect *q, int thick,
    int door_min, struct pb_rect *w)
{
	bool aside = p->x1 + thick == q->x0 || q->x1 + thick == p->x0;
	int x0, y0, x1, y1;

	if (!aside && p->y1 + thick != q->y0 && q->y1 + thick != p->y0)
		return false;
	x0 = p->x0 > q->x0 ? p->x0 : q->x0;
	y0 = p->y0 > q->y0 ? p->y0 : q->y0;
	x1 = p->x1 < q->x1 ? p->x1 : q->x1;
	y1 = p->y1 < q->y1 ? p->y1 : q->y1;
	*w = aside ? (struct pb_rect){x1, y0 + thick, x0, y1 - thick}
	           : (struct pb_rect){x0 + thick, y1, x1 - thick, y0};
	return w->x1 - w->x0 >= thick && w->y1 - w->y0 >= thick &&
	       (w->x1 - w->x0 >= door_min || w->y1 - w->y0 >= door_min);
}

enum pb_status
pb_walls_find(const struct pb_room *room, int n, int thick, int door_min,
    struct pb_wall **wall, int *walls)
{
	struct pb_wall *list = NULL, w;
	size_t cap = 0;
	int k = 0;

	for (w.a = 0; w.a < n; w.a++)
		for (w.b = w.a + 1; w.b < n; w.b++) {
			if (!pb_wall_between(&room[w.a].at, &room[w.b].at,
				thick, door_min, &w.at))
				continue;
			if (!pb_grow(&list, (size_t)k, &cap, sizeof(w))) {
				free(list);
				return PB_ENOMEM;
			}
			list[k++] = w;
		}
	*wall = list;
	*walls = k;
	return PB_OK;
}

/* A plan in the making. */
struct build {
	const struct pb_plan_opts *o;
	struct pb_rng *r;
	struct pb_floorplan p;
	size_t rooms_cap, doors_cap;
	struct pb_wall *wall; /* between rooms, also dropped ones */
	int walls;
	bool full; /* out of memory */
};

static int
width(const struct pb_rect *q)
{
	return q->x1 - q->x0;
}

static int
height(const struct pb_rect *q)
{
	return q->y1 - q->y0;
}

static void
add_room(struct build *b, struct pb_rect at, bool corridor)
{
	b->full |= !pb_grow(
	    &b->p.room, (size_t)b->p.rooms, &b->rooms_cap, sizeof(*b->p.room));
	if (!b->full)
		b->p.room[b->p.rooms++] = (struct pb_room){at, corridor, false};
}

static void
add_door(struct build *b, struct pb_rect at, int i, int j)
{
	b->full |= !pb_grow(
	    &b->p.door, (size_t)b->p.doors, &b->doors_cap, sizeof(*b->p.door));
	if (!b->full)
		b->p.door[b->p.doors++] = (struct pb_door){at, i, j};
}

/* A number from lo to hi, both possible; lo if there is nothing between. */
static int
pick(struct pb_rng *r, int lo, int hi)
{
	if (hi <= lo)
		return lo;
	return lo + (int)pb_rng_below(r, (uint32_t)(hi - lo) + 1);
}

/* q turned over its diagonal, so that one rule serves both directions. */
static struct pb_rect
flip(struct pb_rect q, bool yes)
{
	return yes ? (struct pb_rect){q.y0, q.x0, q.y1, q.x1} : q;
}

/*
 * Cut q across its longer side, as a wall or, where both halves stay large,
 * as a corridor between two walls. Returns the number of parts, 1 if q is
 * small enough or too narrow to cut; *corridor is the part that is one, or
 * -1.
 */
static int
cut(struct build *b, struct pb_rect q, struct pb_rect part[3], int *corridor)
{
	const struct pb_plan_opts *o = b->o;
	bool tall = height(&q) > width(&q);
	struct pb_rect f = flip(q, tall);
	double cells = (double)width(&q) * height(&q);
	bool wide = cells > 4 * o->room_cells &&
	            width(&f) > 2 * o->side_min + 2 * o->wall + o->corridor;
	int gap = wide ? 2 * o->wall + o->corridor : o->wall;
	int slack = width(&f) - gap - 2 * o->side_min, s;

	*corridor = -1;
	part[0] = q;
	if (cells <= o->room_cells * (0.7 + 0.6 * pb_rng_unit(b->r)) ||
	    slack < 0)
		return 1;
	/* Between a third and two thirds: no slivers, no perfect halves. */
	s = f.x0 + o->side_min + pick(b->r, slack / 3, slack - slack / 3);
	part[0] = flip((struct pb_rect){f.x0, f.y0, s, f.y1}, tall);
	part[1] = flip((struct pb_rect){s + gap, f.y0, f.x1, f.y1}, tall);
	if (!wide)
		return 2;
	part[2] = flip((struct pb_rect){s + o->wall, f.y0,
			   s + o->wall + o->corridor, f.y1},
	    tall);
	*corridor = 2;
	return 3;
}

static void
split(struct build *b, struct pb_rect q)
{
	struct pb_rect part[3];
	int corridor, n = cut(b, q, part, &corridor);

	if (n == 1) {
		add_room(b, q, false);
		return;
	}
	/* Halving bounds the depth by twice the logarithm of the side. */
	for (int i = 0; i < n; i++)
		if (i == corridor)
			add_room(b, part[i], true);
		else
			split(b, part[i]);
}

/* A door somewhere in the wall w. */
static struct pb_rect
door_in(struct build *b, struct pb_rect w)
{
	bool tall = height(&w) > width(&w);
	struct pb_rect f = flip(w, tall);
	int d = pick(b->r, b->o->door_min, b->o->door_max);

	if (d > width(&f))
		d = width(&f);
	f.x0 = pick(b->r, f.x0, f.x1 - d);
	f.x1 = f.x0 + d;
	return flip(f, tall);
}

/* A wall that may get a door. */
struct choice {
	const struct pb_wall *w;
	uint64_t key; /* random, corridors first */
};

static int
by_key(const void *x, const void *y)
{
	const struct choice *p = x, *q = y;

	return (p->key > q->key) - (p->key < q->key);
}

/* Walls between rooms that are left, in random order; returns how many. */
static int
shuffle_walls(struct build *b, struct choice *list)
{
	int n = 0;

	for (int i = 0; i < b->walls; i++) {
		const struct pb_wall *w = &b->wall[i];
		const struct pb_room *p = &b->p.room[w->a];
		const struct pb_room *q = &b->p.room[w->b];

		if (p->dropped || q->dropped)
			continue;
		list[n++] = (struct choice){
		    w, (pb_rng_u64(b->r) >> 1) |
			   (uint64_t) !(p->corridor || q->corridor) << 63};
	}
	qsort(list, (size_t)n, sizeof(*list), by_key);
	return n;
}

/*
 * Join the rooms that are left by a random tree, and some walls beside it:
 * Kruskal's algorithm, the walls in a random order.
 */
static void
place_doors(struct build *b)
{
	struct choice *list = malloc(((size_t)b->walls + 1) * sizeof(*list));
	int *up = malloc((size_t)b->p.rooms * sizeof(*up));
	int n = list != NULL ? shuffle_walls(b, list) : 0;

	b->full |= list == NULL || up == NULL;
	for (int i = 0; !b->full && i < b->p.rooms; i++)
		up[i] = i;
	for (int i = 0; !b->full && i < n; i++) {
		const struct pb_wall *w = list[i].w;
		int p = pb_root(up, w->a), q = pb_root(up, w->b);

		if (p == q && pb_rng_unit(b->r) >= b->o->loops)
			continue;
		up[p] = q;
		add_door(b, door_in(b, w->at), w->a, w->b);
	}
	free(up);
	free(list);
}

/* Whether the rooms that are left form one piece through shared walls. */
static bool
in_one_piece(const struct build *b, int *up)
{
	int pieces = 0;

	for (int i = 0; i < b->p.rooms; i++) {
		up[i] = i;
		pieces += !b->p.room[i].dropped;
	}
	for (int i = 0; i < b->walls; i++) {
		int p = b->wall[i].a, q = b->wall[i].b;

		if (b->p.room[p].dropped || b->p.room[q].dropped)
			continue;
		p = pb_root(up, p);
		q = pb_root(up, q);
		pieces -= p != q;
		up[p] = q;
	}
	return pieces <= 1;
}

/* q and what lies up to `by` around it. */
static struct pb_rect
grown(struct pb_rect q, int by)
{
	return (struct pb_rect){q.x0 - by, q.y0 - by, q.x1 + by, q.y1 + by};
}

static bool
on_outline(const struct build *b, const struct pb_rect *q)
{
	const struct pb_rect s = grown(b->o->site, -b->o->wall);

	return q->x0 == s.x0 || q->y0 == s.y0 || q->x1 == s.x1 || q->y1 == s.y1;
}

/*
 * Leave out some rooms at the outline, so that houses are not all boxes. Only
 * the first few hundred rooms are asked: each question looks at all walls.
 */
static void
cut_outline(struct build *b)
{
	enum { ASK = 200, KEEP = 3 };
	int left = b->p.rooms, *up = malloc((size_t)left * sizeof(*up));

	if (up == NULL) {
		b->full = true;
		return;
	}
	for (int i = 0; i < b->p.rooms && i < ASK && left > KEEP; i++) {
		struct pb_room *m = &b->p.room[i];

		if (m->corridor || !on_outline(b, &m->at) ||
		    pb_rng_unit(b->r) >= b->o->cut)
			continue;
		m->dropped = true;
		if (in_one_piece(b, up))
			left--;
		else
			m->dropped = false;
	}
	free(up);
}

enum pb_status
pb_floorplan_init(
    struct pb_floorplan *p, const struct pb_plan_opts *o, struct pb_rng *r)
{
	struct build b = {.o = o, .r = r, .p.wall = o->wall};
	struct pb_rect q = grown(o->site, -o->wall);

	if (width(&q) < o->side_min || height(&q) < o->side_min)
		return PB_ESIZE;
	split(&b, q);
	b.full |= pb_walls_find(b.p.room, b.p.rooms, o->wall, o->door_min,
		      &b.wall, &b.walls) != PB_OK;
	if (!b.full)
		cut_outline(&b);
	if (!b.full)
		place_doors(&b);
	free(b.wall);
	if (b.full) {
		pb_floorplan_clear(&b.p);
		return PB_ENOMEM;
	}
	*p = b.p;
	return PB_OK;
}

void
pb_floorplan_clear(struct pb_floorplan *p)
{
	free(p->room);
	free(p->door);
	*p = (struct pb_floorplan){0};
}

/* One room being furnished, and room for the tests of passage. */
struct work {
	struct pb_map *m;
	const struct pb_furnish_opts *o;
	struct pb_rng *r;
	struct pb_rect win;  /* the room and the doors around it */
	int w, h;            /* of win (cells) */
	signed char *saved;  /* win as it was before the last piece */
	int *sum;            /* (w + 1) * (h + 1) counts of obstacles */
	unsigned char *open; /* where the robot's centre may be */
	int *stack;          /* of the flood fill */
};

static int
cells(const struct work *k, double metres)
{
	return (int)(metres / k->m->resolution + 0.5);
}

static signed char *
cell(const struct work *k, int x, int y)
{
	return &k->m->cell[pb_map_index(k->m, (struct pb_cell){x, y})];
}

static void
keep(struct work *k, bool restore)
{
	for (int y = 0; y < k->h; y++) {
		signed char *row = cell(k, k->win.x0, k->win.y0 + y);
		signed char *old = k->saved + (size_t)y * (size_t)k->w;

		memcpy(restore ? row : old, restore ? old : row, (size_t)k->w);
	}
}

/*
 * Obstacles in the first y rows and x columns of the window, for all x, y: a
 * summed-area table (Crow, 1984), by which a square of any size is counted
 * with four numbers.
 */
static void
count(struct work *k)
{
	int s = k->w + 1;

	memset(k->sum, 0, (size_t)s * sizeof(*k->sum));
	for (int y = 0; y < k->h; y++) {
		const signed char *row = cell(k, k->win.x0, k->win.y0 + y);
		int *to = k->sum + (size_t)(y + 1) * (size_t)s, n = 0;

		to[0] = 0;
		for (int x = 0; x < k->w; x++) {
			n += !pb_cell_free(row[x]);
			to[x + 1] = to[x + 1 - s] + n;
		}
	}
}

static bool
is_open(const struct work *k, int x, int y)
{
	int c = k->o->clearance, s = k->w + 1;
	int x0 = x - c < 0 ? 0 : x - c,
	    x1 = x + c + 1 > k->w ? k->w : x + c + 1;
	int y0 = y - c < 0 ? 0 : y - c,
	    y1 = y + c + 1 > k->h ? k->h : y + c + 1;

	return k->sum[y1 * s + x1] - k->sum[y0 * s + x1] - k->sum[y1 * s + x0] +
	           k->sum[y0 * s + x0] ==
	       0;
}

/* Close what hangs together with open cell i of the window; how many. */
static int
flood(struct work *k, int i)
{
	int n = 0, top = 0, w = k->w;

	k->stack[top++] = i;
	k->open[i] = 0;
	while (top > 0) {
		int c = k->stack[--top], x = c % w;
		int to[4] = {
		    x > 0 ? c - 1 : -1, x < w - 1 ? c + 1 : -1, c - w, c + w};

		n++;
		for (int d = 0; d < 4; d++)
			if (to[d] >= 0 && to[d] < w * k->h && k->open[to[d]]) {
				k->open[to[d]] = 0;
				k->stack[top++] = to[d];
			}
	}
	return n;
}

/*
 * Whether the robot's places in the window are one piece, but for crumbs that
 * are smaller than the robot itself.
 */
static bool
passable(struct work *k)
{
	int side = 2 * k->o->clearance + 1, pieces = 0;

	count(k);
	for (int y = 0; y < k->h; y++)
		for (int x = 0; x < k->w; x++)
			k->open[y * k->w + x] = is_open(k, x, y);
	for (int i = 0; i < k->w * k->h; i++)
		pieces += k->open[i] && flood(k, i) > side * side;
	return pieces == 1;
}

static bool
overlaps(struct pb_rect a, struct pb_rect b)
{
	return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

static bool
all_free(const struct work *k, struct pb_rect q)
{
	for (int y = q.y0; y < q.y1; y++)
		for (int x = q.x0; x < q.x1; x++)
			if (!pb_cell_free(*cell(k, x, y)))
				return false;
	return true;
}

/* A closed body: the lidar sees its outline, nobody its inside. */
static void
draw_box(struct work *k, struct pb_rect q)
{
	for (int y = q.y0; y < q.y1; y++)
		for (int x = q.x0; x < q.x1; x++)
			*cell(k, x, y) = y == q.y0 || y == q.y1 - 1 ||
			                         x == q.x0 || x == q.x1 - 1
			                     ? 100
			                     : PB_CELL_UNKNOWN;
}

/* A table: the lidar sees four legs. */
static void
draw_legs(struct work *k, struct pb_rect q)
{
	int t = cells(k, 0.06) > 0 ? cells(k, 0.06) : 1;

	for (int y = q.y0; y < q.y1; y++)
		for (int x = q.x0; x < q.x1; x++)
			if ((y < q.y0 + t || y >= q.y1 - t) &&
			    (x < q.x0 + t || x >= q.x1 - t))
				*cell(k, x, y) = 100;
}

/* A round thing, as wide as q. */
static void
draw_pot(struct work *k, struct pb_rect q)
{
	int d = q.x1 - q.x0;

	for (int y = q.y0; y < q.y1; y++)
		for (int x = q.x0; x < q.x1; x++) {
			int u = 2 * (x - q.x0) + 1 - d;
			int v = 2 * (y - q.y0) + 1 - d;

			if (u * u + v * v <= d * d)
				*cell(k, x, y) = 100;
		}
}

/* A place for w by h cells in the room q; against one of its walls if asked. */
static struct pb_rect
place(struct work *k, struct pb_rect q, int w, int h, bool at_wall)
{
	int dx = q.x1 - q.x0 - w, dy = q.y1 - q.y0 - h, x, y;

	x = q.x0 + (int)pb_rng_below(k->r, (uint32_t)dx + 1);
	y = q.y0 + (int)pb_rng_below(k->r, (uint32_t)dy + 1);
	if (at_wall) {
		/* Turned to the wall, so the longer side lies along it. */
		bool low = pb_rng_unit(k->r) < 0.5;

		if (w >= h)
			y = low ? q.y0 : q.y0 + dy;
		else
			x = low ? q.x0 : q.x0 + dx;
	}
	return (struct pb_rect){x, y, x + w, y + h};
}

static void
try_piece(struct work *k, const struct pb_floorplan *p, struct pb_rect q)
{
	double kind = pb_rng_unit(k->r), turn = pb_rng_unit(k->r);
	bool box = kind < 0.5, table = !box && kind < 0.8;
	int w = cells(k, box     ? pb_rng_between(k->r, 0.5, 1.8)
			 : table ? pb_rng_between(k->r, 0.8, 1.6)
				 : pb_rng_between(k->r, 0.25, 0.5));
	int h = cells(k, box     ? pb_rng_between(k->r, 0.3, 0.6)
			 : table ? pb_rng_between(k->r, 0.6, 0.9)
				 : w * k->m->resolution);
	int rw = turn < 0.5 ? w : h, rh = turn < 0.5 ? h : w, zone;
	struct pb_rect at;

	if (rw < 2 || rh < 2 || rw >= q.x1 - q.x0 || rh >= q.y1 - q.y0)
		return;
	at = place(k, q, rw, rh, box);
	zone = cells(k, 0.6); /* nobody puts a cupboard before a door */
	for (int i = 0; i < p->doors; i++)
		if (overlaps(at, grown(p->door[i].at, zone)))
			return;
	if (!all_free(k, at))
		return;
	keep(k, false);
	(box ? draw_box : table ? draw_legs : draw_pot)(k, at);
	if (!passable(k))
		keep(k, true);
}

/* The room grown by its walls, so that its doors are part of the question. */
static void
set_window(struct work *k, struct pb_rect q, int wall)
{
	q = grown(q, wall);
	k->win = (struct pb_rect){q.x0 < 0 ? 0 : q.x0, q.y0 < 0 ? 0 : q.y0,
	    q.x1 > k->m->width ? k->m->width : q.x1,
	    q.y1 > k->m->height ? k->m->height : q.y1};
	k->w = k->win.x1 - k->win.x0;
	k->h = k->win.y1 - k->win.y0;
}

static bool
work_alloc(struct work *k, const struct pb_floorplan *p)
{
	size_t most = 1;

	for (int i = 0; i < p->rooms; i++) {
		set_window(k, p->room[i].at, p->wall);
		if ((size_t)(k->w + 1) * (size_t)(k->h + 1) > most)
			most = (size_t)(k->w + 1) * (size_t)(k->h + 1);
	}
	k->saved = malloc(most);
	k->open = calloc(most, 1);
	k->sum = malloc(most * sizeof(*k->sum));
	k->stack = malloc(most * sizeof(*k->stack));
	return k->saved && k->open && k->sum && k->stack;
}

/* The doors of the plan by room: those of room i are list[at[i]..at[i + 1]). */
struct doors {
	struct pb_door *list;
	size_t *at;
};

static bool
doors_by_room(const struct pb_floorplan *p, struct doors *by)
{
	size_t rooms = (size_t)p->rooms, doors = (size_t)p->doors;

	by->list = malloc((2 * doors + 1) * sizeof(*by->list));
	by->at = calloc(rooms + 2, sizeof(*by->at));
	if (by->list == NULL || by->at == NULL)
		return false;
	for (size_t d = 0; d < doors; d++) {
		by->at[p->door[d].a + 2]++;
		by->at[p->door[d].b + 2]++;
	}
	for (size_t i = 2; i < rooms + 2; i++)
		by->at[i] += by->at[i - 1];
	/* at[i + 1] is where the next door of room i goes, in the end its end.
	 */
	for (size_t d = 0; d < doors; d++) {
		by->list[by->at[p->door[d].a + 1]++] = p->door[d];
		by->list[by->at[p->door[d].b + 1]++] = p->door[d];
	}
	return true;
}

enum pb_status
pb_furnish(struct pb_map *m, const struct pb_floorplan *p,
    const struct pb_furnish_opts *o, struct pb_rng *r)
{
	struct work k = {.m = m, .o = o, .r = r};
	struct doors by = {NULL, NULL};
	bool ok = work_alloc(&k, p) && doors_by_room(p, &by);

	for (int i = 0; ok && i < p->rooms; i++) {
		struct pb_rect q = p->room[i].at;
		struct pb_floorplan near = {.door = by.list + by.at[i],
		    .doors = (int)(by.at[i + 1] - by.at[i])};
		double area = (q.x1 - q.x0) * m->resolution *
		              ((q.y1 - q.y0) * m->resolution);
		double share = p->room[i].corridor ? 0.2 : 1;
		int n = (int)(area * o->density * share + pb_rng_unit(r));

		if (p->room[i].dropped)
			continue;
		set_window(&k, q, p->wall);
		while (n-- > 0)
			try_piece(&k, &near, q);
	}
	free(k.saved);
	free(k.open);
	free(k.sum);
	free(k.stack);
	free(by.list);
	free(by.at);
	return ok ? PB_OK : PB_ENOMEM;
}

/* Unknown cells around the house, so that its outer walls are on the map. */
#define MARGIN 0.5 /* m */
/* Plasterboard and brick, as a lidar grid at 5 cm shows them. */
#define WALL 0.12 /* m */
/* A room narrower than this is a cupboard. */
#define SIDE_MIN 2.0 /* m */

#define PB_PARAMS_OF struct pb_house_opts

/* Narrower limits depend on each other: pb_house_check has them. */
static const struct pb_param rows[] = {
    PB_REAL(
	"room-area", room_area, "m2", 14, 4, 1e6, "rooms are about this large"),
    PB_REAL("corridor", corridor, "m", 1.2, 1, 10, "width of corridors"),
    PB_REAL("door", door, "m", 0.9, 0.6, 1.5, "least width of doors"),
    PB_REAL("cut", cut, "chance", 0.25, 0, 1, "an outer room is missing"),
    PB_REAL("furniture", furniture, "1/m2", 0.25, 0, 10,
	"pieces per square metre of room"),
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
wrong(const struct pb_house_opts *o)
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
	const char *name = wrong(o);
	enum pb_status s = name != NULL ? PB_EVALUE : PB_ESIZE;

	if (name == NULL && ceil(o->width / o->resolution) > PB_MAP_SIDE)
		name = "width";
	if (name == NULL && ceil(o->height / o->resolution) > PB_MAP_SIDE)
		name = "height";
	if (name != NULL && bad != NULL)
		*bad = name;
	return name != NULL ? s : PB_OK;
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
	for (int i = 0; i < p->rooms; i++)
		if (!p->room[i].dropped)
			fill(m, grown(p->room[i].at, wall), 100);
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
		struct pb_rect d = grown(p->door[i].at, z);

		for (int y = d.y0; y < d.y1; y++)
			for (int x = d.x0; x < d.x1; x++)
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

/* Keep the largest piece of free space; what it shuts out is unknown. */
static enum pb_status
keep_main_piece(struct pb_map *m)
{
	unsigned char *open = malloc(pb_map_cells(m));
	struct pb_grid g = {0};
	enum pb_status st;

	if (open == NULL)
		return PB_ENOMEM;
	pb_mask_free(m, open);
	st = pb_grid_init(&g, m->width, m->height, open);
	for (uint32_t i = 0; st == PB_OK && i < g.row[g.height]; i++)
		if (g.run[i].part != g.main)
			memset(m->cell + g.run[i].from, PB_CELL_UNKNOWN,
			    (size_t)(g.run[i].to - g.run[i].from));
	pb_grid_clear(&g);
	free(open);
	return st;
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
