/* floorplan.c - rooms, corridors, doors and shared walls of a random house. */
#include "map/floorplan.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/union_find.h"

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

static bool
on_outline(const struct build *b, const struct pb_rect *q)
{
	const struct pb_rect s = pb_rect_grown(b->o->site, -b->o->wall);

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
	struct pb_rect q = pb_rect_grown(o->site, -o->wall);

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
