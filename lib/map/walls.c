/* walls.c - which rooms of a floor plan share a wall. */
#include "map/walls.h"

#include <stdlib.h>

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
	int n, cap;
};

static bool
add(struct found *f, const struct pb_wall *w)
{
	if (f->n == f->cap) {
		int cap = f->cap ? 2 * f->cap : 64;
		void *v = realloc(f->wall, (size_t)cap * sizeof(*f->wall));

		if (v == NULL)
			return false;
		f->wall = v;
		f->cap = cap;
	}
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
