/* floorplan.c - rooms, corridors and doors of a random house. */
#include "map/floorplan.h"

#include <stdlib.h>
#include <string.h>

/* A plan in the making. */
struct build {
	const struct pb_plan_opts *o;
	struct pb_rng *r;
	struct pb_floorplan p;
	int rooms_cap, doors_cap;
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
	if (b->p.rooms == b->rooms_cap) {
		int cap = b->rooms_cap ? 2 * b->rooms_cap : 64;
		void *v = realloc(b->p.room, (size_t)cap * sizeof *b->p.room);

		if (v == NULL) {
			b->full = true;
			return;
		}
		b->p.room = v;
		b->rooms_cap = cap;
	}
	b->p.room[b->p.rooms++] = (struct pb_room){at, corridor, false};
}

static void
add_door(struct build *b, struct pb_rect at, int i, int j)
{
	if (b->p.doors == b->doors_cap) {
		int cap = b->doors_cap ? 2 * b->doors_cap : 64;
		void *v = realloc(b->p.door, (size_t)cap * sizeof *b->p.door);

		if (v == NULL) {
			b->full = true;
			return;
		}
		b->p.door = v;
		b->doors_cap = cap;
	}
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

/*
 * The part of the wall between rooms i and j in which a door fits, as the
 * rectangle of that wall without its ends. Returns false if they share none.
 */
static bool
shared_wall(const struct build *b, int i, int j, struct pb_rect *w)
{
	const struct pb_rect *p = &b->p.room[i].at, *q = &b->p.room[j].at;
	int t = b->o->wall;
	struct pb_rect s = {p->x0 > q->x0 ? p->x0 : q->x0,
	    p->y0 > q->y0 ? p->y0 : q->y0, p->x1 < q->x1 ? p->x1 : q->x1,
	    p->y1 < q->y1 ? p->y1 : q->y1};

	if (p->x1 + t == q->x0 || q->x1 + t == p->x0)
		*w = (struct pb_rect){s.x1, s.y0 + t, s.x0, s.y1 - t};
	else if (p->y1 + t == q->y0 || q->y1 + t == p->y0)
		*w = (struct pb_rect){s.x0 + t, s.y1, s.x1 - t, s.y0};
	else
		return false;
	return width(w) >= t && height(w) >= t &&
	       (width(w) >= b->o->door_min || height(w) >= b->o->door_min);
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

/* A wall that two rooms share. */
struct wall {
	int a, b;
	struct pb_rect at;
	uint64_t key; /* random, corridors first */
};

static int
by_key(const void *x, const void *y)
{
	const struct wall *p = x, *q = y;

	return (p->key > q->key) - (p->key < q->key);
}

static int
root(int *up, int i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}

/* All walls between rooms that are left, in random order; -1: no memory. */
static int
walls(struct build *b, struct wall **list)
{
	int n = 0, cap = 0;
	struct pb_rect at;

	*list = NULL;
	for (int i = 0; i < b->p.rooms; i++)
		for (int j = i + 1; j < b->p.rooms; j++) {
			struct pb_room *p = &b->p.room[i], *q = &b->p.room[j];

			if (p->dropped || q->dropped ||
			    !shared_wall(b, i, j, &at))
				continue;
			if (n == cap) {
				void *v = realloc(
				    *list, (size_t)(cap = 2 * cap + 64) *
					       sizeof **list);

				if (v == NULL)
					return -1;
				*list = v;
			}
			(*list)[n++] = (struct wall){i, j, at,
			    (pb_rng_u64(b->r) >> 1) |
				(uint64_t) !(p->corridor || q->corridor) << 63};
		}
	if (n > 0)
		qsort(*list, (size_t)n, sizeof **list, by_key);
	return n;
}

/* Join the rooms that are left by a random tree, and some walls beside it. */
static void
place_doors(struct build *b)
{
	struct wall *w;
	int n = walls(b, &w);
	int *up = malloc((size_t)b->p.rooms * sizeof *up);

	b->full |= n < 0 || up == NULL;
	for (int i = 0; !b->full && i < b->p.rooms; i++)
		up[i] = i;
	for (int i = 0; !b->full && i < n; i++) {
		int p = root(up, w[i].a), q = root(up, w[i].b);

		if (p == q && pb_rng_unit(b->r) >= b->o->loops)
			continue;
		up[p] = q;
		add_door(b, door_in(b, w[i].at), w[i].a, w[i].b);
	}
	free(up);
	free(w);
}

/* Whether the rooms that are left form one piece through shared walls. */
static bool
in_one_piece(const struct build *b, int *up)
{
	struct pb_rect w;
	int pieces = 0;

	for (int i = 0; i < b->p.rooms; i++)
		up[i] = i;
	for (int i = 0; i < b->p.rooms; i++)
		for (int j = i + 1; j < b->p.rooms; j++)
			if (!b->p.room[i].dropped && !b->p.room[j].dropped &&
			    shared_wall(b, i, j, &w))
				up[root(up, i)] = root(up, j);
	for (int i = 0; i < b->p.rooms; i++)
		pieces += !b->p.room[i].dropped && root(up, i) == i;
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
 * the first few hundred rooms are asked: each question costs rooms squared.
 */
static void
cut_outline(struct build *b)
{
	enum { ASK = 200, KEEP = 3 };
	int left = b->p.rooms, *up = malloc((size_t)left * sizeof *up);

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

	if (width(&q) < o->side_min || height(&q) < o->side_min)
		return PB_ESIZE;
	split(&b, q);
	if (!b.full)
		cut_outline(&b);
	if (!b.full)
		place_doors(&b);
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
