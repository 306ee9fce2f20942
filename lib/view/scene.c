/* scene.c - what is to be drawn: a map and the things that stand on it. */
#include "view/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static bool
finite_vec(struct pb_vec v)
{
	return isfinite(v.x) && isfinite(v.y);
}

/* Make room for n points; false: no memory, nothing changed. */
static bool
points_reserve(struct pb_points *p, size_t n)
{
	struct pb_vec *at;

	if (n <= p->cap)
		return true;
	if ((at = realloc(p->at, n * sizeof(*at))) == NULL)
		return false;
	p->at = at;
	p->cap = n;
	return true;
}

void
pb_scene_points(
    struct pb_scene *s, struct pb_points *p, const struct pb_vec *at, size_t n)
{
	/* Each every-th point: scans and paths stay even. */
	size_t every = (n + PB_SCENE_POINTS - 1) / PB_SCENE_POINTS;

	p->n = 0;
	if (n == 0)
		return;
	if (!points_reserve(p, n / every + 2)) {
		s->short_of_memory = true;
		return;
	}
	for (size_t i = 0; i < n; i += every)
		if (finite_vec(at[i]))
			p->at[p->n++] = at[i];
	/* A path's end matters more than its evenness. */
	if ((n - 1) % every != 0 && finite_vec(at[n - 1]))
		p->at[p->n++] = at[n - 1];
}

void
pb_scene_clear(struct pb_scene *s)
{
	for (struct pb_body *b = s->body; b <= s->body + s->bodies; b++) {
		free(b->trail.at);
		free(b->path.at);
		free(b->scan.at);
		free(b->solid.at);
		free(b->cloud.at);
	}
	free(s->pellet);
	free(s->loops.at);
	pb_map_clear(&s->own);
	*s = (struct pb_scene){0};
}

void
pb_scene_take_map(struct pb_scene *s, struct pb_map *m)
{
	pb_map_clear(&s->own);
	s->own = *m;
	s->map = &s->own;
	*m = (struct pb_map){0};
}

/*
 * What ghosts are called, by how their ids begin, and a colour for each:
 * Okabe and Ito's nearest to the arcade's red, pink, cyan and orange.
 */
static const struct {
	const char *id;
	struct pb_rgb color;
} ghosts[] = {{"clyde", {213, 94, 0}}, {"blinky", {190, 30, 45}},
    {"pinky", {204, 121, 167}}, {"inky", {86, 180, 233}}, {"sue", {213, 94, 0}},
    {"red", {190, 30, 45}}, {"pink", {204, 121, 167}}, {"cyan", {86, 180, 233}},
    {"orange", {213, 94, 0}}, {"blue", {0, 114, 178}},
    {"patrol2", {0, 158, 115}}, {"patrol3", {204, 121, 167}},
    {"patrol4", {86, 180, 233}}, {"patrol", {213, 94, 0}}};
#define GHOSTS (sizeof(ghosts) / sizeof(*ghosts))

/* The row of the ghost named id, GHOSTS: none. */
static size_t
ghost_row(const char *id)
{
	size_t i = 0;

	/* Beginnings, so that "clyde_2" is a clyde; longer names come first. */
	while (
	    i < GHOSTS && strncmp(id, ghosts[i].id, strlen(ghosts[i].id)) != 0)
		i++;
	return i;
}

struct pb_rgb
pb_scene_ghost_color(const char *id)
{
	size_t i = ghost_row(id);

	return i < GHOSTS ? ghosts[i].color : pb_inks[PB_INK_GHOST].paper;
}

const char *const pb_body_kinds[] = {[PB_BODY_ROBOT] = "robot",
    [PB_BODY_GHOST] = "ghost",
    [PB_BODY_OTHER] = "other"};

static enum pb_body_kind
kind_of(const char *id)
{
	if (strcmp(id, "robot") == 0 || strcmp(id, "player") == 0 ||
	    strncmp(id, "pac", 3) == 0)
		return PB_BODY_ROBOT;
	if (strstr(id, "ghost") != NULL || ghost_row(id) < GHOSTS)
		return PB_BODY_GHOST;
	return PB_BODY_OTHER;
}

struct pb_body *
pb_scene_body(struct pb_scene *s, const char *id)
{
	char cut[PB_SCENE_ID];
	struct pb_body *b;

	snprintf(cut, sizeof(cut), "%s", id);
	for (size_t i = 0; i < s->bodies; i++)
		if (strcmp(s->body[i].id, cut) == 0)
			return &s->body[i];
	b = &s->body[s->bodies];
	if (s->bodies < PB_SCENE_BODIES)
		s->bodies++;
	b->placed = false;
	memcpy(b->id, cut, sizeof(cut));
	b->kind = kind_of(cut);
	return b;
}

/*
 * Drop every other point but keep interruptions. From then on only points
 * twice as far apart as these were on average are kept, so that a trail of
 * any length stays evenly dense.
 */
static void
trail_thin(struct pb_body *b)
{
	struct pb_points *p = &b->trail;
	double length = 0, d;
	size_t k = 0;

	for (size_t i = 1; i < p->n; i++) {
		d = pb_dist(p->at[i - 1], p->at[i]);
		length += isfinite(d) ? d : 0;
	}
	for (size_t i = 1; i < p->n; i += 2)
		p->at[k++] = finite_vec(p->at[i - 1]) ? p->at[i] : p->at[i - 1];
	b->step = fmax(2 * b->step, 2 * length / (double)p->n);
	p->n = k;
}

static bool
points_push(struct pb_points *p, struct pb_vec v)
{
	if (!pb_grow(&p->at, p->n, &p->cap, sizeof(v)))
		return false;
	p->at[p->n++] = v;
	return true;
}

static bool
trail_add(struct pb_body *b, struct pb_vec v)
{
	struct pb_points *p = &b->trail;

	if (p->n > 0 && b->jump) {
		if (!points_push(p, (struct pb_vec){NAN, NAN}))
			return false;
	} else if (p->n > 0) {
		double d = pb_dist(p->at[p->n - 1], v);

		/* Nearer than the density of a thinned trail: nothing new. */
		if (d == 0 || d < b->step)
			return true;
	}
	b->jump = false;
	if (!points_push(p, v))
		return false;
	/* Halved each time, it never takes long on average. */
	if (p->n >= PB_SCENE_TRAIL)
		trail_thin(b);
	return true;
}

void
pb_scene_pose(struct pb_scene *s, struct pb_body *b, struct pb_pose p)
{
	if (!finite_vec(pb_pose_vec(p)))
		return;
	b->pose = p;
	b->placed = true;
	/* A covariance is of one pose; the next may come without. */
	b->has_cov = false;
	if (!trail_add(b, pb_pose_vec(p)))
		s->short_of_memory = true;
}

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
	if (s->pellets == PB_SCENE_PELLETS)
		return NULL;
	if (!pb_grow(
		&s->pellet, s->pellets, &s->pellets_cap, sizeof(*s->pellet))) {
		s->short_of_memory = true;
		return NULL;
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
	bool over = p != NULL && p->over;

	if (!finite_vec(at))
		return;
	if (p == NULL && (p = append(s)) == NULL)
		return;
	/* Named again it is back, wherever it is now. */
	*p = (struct pb_spot){
	    .id = id, .at = at, .power = power, .fresh = true, .over = over};
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
pb_scene_mark(struct pb_scene *s, enum pb_mark_kind k, struct pb_vec at)
{
	if (!finite_vec(at))
		return;
	s->mark[s->marks++ % PB_SCENE_MARKS] = (struct pb_mark){k, at};
}

void
pb_scene_loop(struct pb_scene *s, struct pb_vec a, struct pb_vec b)
{
	struct pb_points *p = &s->loops;

	if (!points_push(p, a) || !points_push(p, b) ||
	    !points_push(p, (struct pb_vec){NAN, NAN}))
		s->short_of_memory = true;
}

size_t
pb_scene_marks(const struct pb_scene *s)
{
	return s->marks < PB_SCENE_MARKS ? s->marks : PB_SCENE_MARKS;
}

struct pb_mark
pb_scene_mark_at(const struct pb_scene *s, size_t i)
{
	/* A ring: the oldest is the one that the next would replace. */
	if (s->marks > PB_SCENE_MARKS)
		i += s->marks;
	return s->mark[i % PB_SCENE_MARKS];
}

/* Make the box lo..hi hold the finite ones of n points. */
static void
grow(struct pb_vec *lo, struct pb_vec *hi, const struct pb_vec *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!finite_vec(v[i]))
			continue;
		*lo = (struct pb_vec){fmin(lo->x, v[i].x), fmin(lo->y, v[i].y)};
		*hi = (struct pb_vec){fmax(hi->x, v[i].x), fmax(hi->y, v[i].y)};
	}
}

static void
grow_body(struct pb_vec *lo, struct pb_vec *hi, const struct pb_body *b)
{
	const struct pb_points *const list[] = {
	    &b->trail, &b->path, &b->scan, &b->solid, &b->cloud};
	const struct pb_vec at = pb_pose_vec(b->pose);
	const struct pb_vec disc[] = {
	    {b->disc.x - b->radius, b->disc.y - b->radius},
	    {b->disc.x + b->radius, b->disc.y + b->radius}};

	grow(lo, hi, &at, b->placed);
	grow(lo, hi, &b->goal, b->has_goal);
	grow(lo, hi, disc, b->radius > 0 ? 2 : 0);
	for (int i = 0; i < 5; i++)
		grow(lo, hi, list[i]->at, list[i]->n);
	for (int i = 0; i < b->guesses; i++) {
		struct pb_vec v = pb_pose_vec(b->guess[i].pose);

		grow(lo, hi, &v, 1);
	}
}

bool
pb_scene_bounds(const struct pb_scene *s, struct pb_vec *lo, struct pb_vec *hi)
{
	struct pb_vec a = {INFINITY, INFINITY}, b = {-INFINITY, -INFINITY};

	for (size_t i = 0; i < s->bodies; i++)
		grow_body(&a, &b, &s->body[i]);
	for (size_t i = 0; i < s->pellets; i++)
		grow(&a, &b, &s->pellet[i].at, 1);
	grow(&a, &b, s->loops.at, s->loops.n);
	for (size_t i = 0; i < pb_scene_marks(s); i++) {
		struct pb_vec v = pb_scene_mark_at(s, i).at;

		grow(&a, &b, &v, 1);
	}
	if (a.x > b.x)
		return false;
	*lo = a;
	*hi = b;
	return true;
}
