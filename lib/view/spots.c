/* spots.c - the pellets, marks and bounds of a scene. */
#include "view/scene.h"

#include <math.h>
#include <stdlib.h>

/*
 * The pellet with this id, or NULL. Sets come in the same order time after
 * time, so the search begins after the last one found and is short.
 */
static struct pb_spot *
find(struct pb_scene *s, int id)
{
	for (size_t k = 0; k < s->pellets; k++) {
		size_t i = s->next + k;

		if (i >= s->pellets)
			i -= s->pellets;
		if (s->pellet[i].id == id) {
			s->next = i + 1 < s->pellets ? i + 1 : 0;
			return &s->pellet[i];
		}
	}
	return NULL;
}

static struct pb_spot *
append(struct pb_scene *s)
{
	struct pb_spot *p;
	size_t cap;

	if (s->pellets == PB_SCENE_PELLETS)
		return NULL;
	if (s->pellets == s->pellets_cap) {
		cap = s->pellets_cap == 0 ? 64 : 2 * s->pellets_cap;
		if ((p = realloc(s->pellet, cap * sizeof(*p))) == NULL) {
			s->short_of_memory = true;
			return NULL;
		}
		s->pellet = p;
		s->pellets_cap = cap;
	}
	return &s->pellet[s->pellets++];
}

void
pb_scene_pellets_begin(struct pb_scene *s)
{
	s->next = 0;
	for (size_t i = 0; i < s->pellets; i++)
		s->pellet[i].fresh = false;
}

void
pb_scene_pellet(struct pb_scene *s, int id, struct pb_vec at, bool power)
{
	struct pb_spot *p = find(s, id);

	if (!isfinite(at.x) || !isfinite(at.y))
		return;
	if (p == NULL && (p = append(s)) == NULL)
		return;
	*p =
	    (struct pb_spot){.id = id, .at = at, .power = power, .fresh = true};
}

void
pb_scene_pellets_end(struct pb_scene *s)
{
	for (size_t i = 0; i < s->pellets; i++)
		if (!s->pellet[i].fresh)
			s->pellet[i].eaten = true;
}

void
pb_scene_eat(struct pb_scene *s, int id)
{
	struct pb_spot *p = find(s, id);

	if (p != NULL)
		p->eaten = true;
}

void
pb_scene_restore(struct pb_scene *s)
{
	for (size_t i = 0; i < s->pellets; i++)
		s->pellet[i].eaten = false;
}

size_t
pb_scene_left(const struct pb_scene *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->pellets; i++)
		n += !s->pellet[i].eaten;
	return n;
}

void
pb_scene_target(struct pb_scene *s, int id)
{
	s->target = id;
	s->has_target = id >= 0;
}

void
pb_scene_mark(struct pb_scene *s, enum pb_mark_kind k, struct pb_vec at)
{
	if (!isfinite(at.x) || !isfinite(at.y))
		return;
	s->mark[s->marks++ % PB_SCENE_MARKS] = (struct pb_mark){k, at};
}

size_t
pb_scene_marks(const struct pb_scene *s)
{
	return s->marks < PB_SCENE_MARKS ? s->marks : PB_SCENE_MARKS;
}

struct pb_mark
pb_scene_mark_at(const struct pb_scene *s, size_t i)
{
	if (s->marks > PB_SCENE_MARKS)
		i += s->marks;
	return s->mark[i % PB_SCENE_MARKS];
}

/* A box that grows. */
struct box {
	struct pb_vec lo, hi;
	bool any;
};

static void
grow(struct box *b, struct pb_vec v)
{
	if (!isfinite(v.x) || !isfinite(v.y))
		return;
	if (!b->any) {
		*b = (struct box){v, v, true};
		return;
	}
	b->lo.x = fmin(b->lo.x, v.x);
	b->lo.y = fmin(b->lo.y, v.y);
	b->hi.x = fmax(b->hi.x, v.x);
	b->hi.y = fmax(b->hi.y, v.y);
}

static void
grow_all(struct box *b, const struct pb_points *p)
{
	for (size_t i = 0; i < p->n; i++)
		grow(b, p->at[i]);
}

static void
grow_body(struct box *b, const struct pb_body *y)
{
	if (y->placed)
		grow(b, pb_pose_vec(y->pose));
	if (y->has_goal)
		grow(b, y->goal);
	if (y->radius > 0) {
		grow(b, (struct pb_vec){
			    y->disc.x - y->radius, y->disc.y - y->radius});
		grow(b, (struct pb_vec){
			    y->disc.x + y->radius, y->disc.y + y->radius});
	}
	grow_all(b, &y->trail);
	grow_all(b, &y->path);
	grow_all(b, &y->scan);
	grow_all(b, &y->solid);
	grow_all(b, &y->cloud);
	for (int i = 0; i < y->guesses; i++)
		grow(b, pb_pose_vec(y->guess[i].pose));
}

bool
pb_scene_bounds(const struct pb_scene *s, struct pb_vec *lo, struct pb_vec *hi)
{
	struct box b = {.any = false};

	for (size_t i = 0; i < s->bodies; i++)
		grow_body(&b, &s->body[i]);
	for (size_t i = 0; i < s->pellets; i++)
		grow(&b, s->pellet[i].at);
	for (size_t i = 0; i < pb_scene_marks(s); i++)
		grow(&b, pb_scene_mark_at(s, i).at);
	if (!b.any)
		return false;
	*lo = b.lo;
	*hi = b.hi;
	return true;
}
