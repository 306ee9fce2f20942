/* floorplan.c - rooms, corridors, doors and shared walls of a random house. */
#include "map/floorplan.h"

#include <stdlib.h>

#include "base/grow.h"

bool
pb_wall_between(const struct pb_rect *p, const struct pb_rect *q, int thick,
    int door_min, struct pb_rect *w)
{
	struct pb_rect s = {p->x0 > q->x0 ? p->x0 : q->x0,
	    p->y0 > q->y0 ? p->y0 : q->y0, p->x1 < q->x1 ? p->x1 : q->x1,
	    p->y1 < q->y1 ? p->y1 : q->y1};

	if (p->x1 + thick == q->x0 || q->x1 + thick == p->x0)
		*w = (struct pb_rect){s.x1, s.y0 + thick, s.x0, s.y1 - thick};
	else if (p->y1 + thick == q->y0 || q->y1 + thick == p->y0)
		*w = (struct pb_rect){s.x0 + thick, s.y1, s.x1 - thick, s.y0};
	else
		return false;
	return w->x1 - w->x0 >= thick && w->y1 - w->y0 >= thick &&
	       (w->x1 - w->x0 >= door_min || w->y1 - w->y0 >= door_min);
}

/* A room as one of its sides: the line that it lies on, then its extent. */
struct side {
	int line;
	int from, to; /* rows, or columns, of the room */
	int room;
};

static int
by_line(const void *x, const void *y)
{
	const struct side *p = x, *q = y;

	if (p->line != q->line)
		return p->line < q->line ? -1 : 1;
	return (p->from > q->from) - (p->from < q->from);
}

/* The list in the making. */
struct found {
	struct pb_wall *wall;
	int n;
	size_t room;
};

static bool
add(struct found *f, const struct pb_wall *w)
{
	if (!pb_grow(&f->wall, (size_t)f->n, &f->room, sizeof(*f->wall)))
		return false;
	f->wall[f->n++] = *w;
	return true;
}

/*
 * First of the sides that ends beyond `from` on the line. Rooms on one line
 * do not overlap, so their ends are in the order of their beginnings.
 */
static int
first_beyond(const struct side *side, int n, int line, int from)
{
	int lo = 0, hi = n;

	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;
		const struct side *s = &side[mid];

		if (s->line < line || (s->line == line && s->to <= from))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Walls at the right (or, with tall, the upper) side of each room. */
static bool
find_along(struct found *f, const struct pb_room *room, int n,
    struct side *side, int thick, int door_min, bool tall)
{
	for (int i = 0; i < n; i++) {
		const struct pb_rect *q = &room[i].at;

		side[i] = tall ? (struct side){q->y0, q->x0, q->x1, i}
		               : (struct side){q->x0, q->y0, q->y1, i};
	}
	qsort(side, (size_t)n, sizeof(*side), by_line);
	for (int i = 0; i < n; i++) {
		const struct pb_rect *q = &room[i].at;
		int line = (tall ? q->y1 : q->x1) + thick;
		int from = tall ? q->x0 : q->y0, to = tall ? q->x1 : q->y1;

		for (int k = first_beyond(side, n, line, from);
		     k < n && side[k].line == line && side[k].from < to; k++) {
			int j = side[k].room;
			struct pb_wall w = {
			    .a = i < j ? i : j, .b = i < j ? j : i};

			if (pb_wall_between(
				q, &room[j].at, thick, door_min, &w.at) &&
			    !add(f, &w))
				return false;
		}
	}
	return true;
}

static int
by_rooms(const void *x, const void *y)
{
	const struct pb_wall *p = x, *q = y;

	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	return (p->b > q->b) - (p->b < q->b);
}

enum pb_status
pb_walls_find(const struct pb_room *room, int n, int thick, int door_min,
    struct pb_wall **wall, int *walls)
{
	struct side *side = malloc(((size_t)n + 1) * sizeof(*side));
	struct found f = {0};
	bool ok = side != NULL &&
	          find_along(&f, room, n, side, thick, door_min, false) &&
	          find_along(&f, room, n, side, thick, door_min, true);

	free(side);
	if (!ok) {
		free(f.wall);
		return PB_ENOMEM;
	}
	if (f.n > 0)
		qsort(f.wall, (size_t)f.n, sizeof(*f.wall), by_rooms);
	*wall = f.wall;
	*walls = f.n;
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

/* Union-find: the room that stands for all that i is joined with. */
static int
root(int *up, int i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
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
		int p = root(up, w->a), q = root(up, w->b);

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
		p = root(up, p);
		q = root(up, q);
		pieces -= p != q;
		up[p] = q;
	}
	return pieces <= 1;
}

static bool
on_outline(const struct build *b, const struct pb_rect *q)
{
	const struct pb_rect *s = &b->o->site;
	int t = b->o->wall;

	return q->x0 - t == s->x0 || q->y0 - t == s->y0 || q->x1 + t == s->x1 ||
	       q->y1 + t == s->y1;
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
	struct build b = {.o = o, .r = r};
	struct pb_rect q = {o->site.x0 + o->wall, o->site.y0 + o->wall,
	    o->site.x1 - o->wall, o->site.y1 - o->wall};
	struct pb_wall *wall = NULL;
	int walls = 0;

	if (width(&q) < o->side_min || height(&q) < o->side_min)
		return PB_ESIZE;
	split(&b, q);
	b.full |= pb_walls_find(b.p.room, b.p.rooms, o->wall, o->door_min,
		      &wall, &walls) != PB_OK;
	b.wall = wall;
	b.walls = walls;
	if (!b.full)
		cut_outline(&b);
	if (!b.full)
		place_doors(&b);
	free(wall);
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
