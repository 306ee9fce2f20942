/* scene.c - build the scene to be drawn, by calls or from records. */
#include "view/scene.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/pool.h"
#include "io/stream/msg.h"
#include "map/change.h"
#include "pb/maze.h"

static bool
is_finite(struct pb_vec v)
{
	return isfinite(v.x) && isfinite(v.y);
}

void
pb_scene_points(struct pb_points *p, const struct pb_vec *at, size_t n)
{
	/* Keep each every-th point, so that thinned lists stay even. */
	size_t every = (n + PB_SCENE_POINTS - 1) / PB_SCENE_POINTS;

	p->n = 0;
	if (n == 0)
		return;
	if (p->cap < n / every + 2) {
		p->cap = n / every + 2;
		p->at = pb_resize(p->at, p->cap * sizeof(*p->at));
	}
	for (size_t i = 0; i < n; i += every)
		if (is_finite(at[i]))
			p->at[p->n++] = at[i];
	/* Keep the end of a path, too. */
	if ((n - 1) % every != 0 && is_finite(at[n - 1]))
		p->at[p->n++] = at[n - 1];
}

static void
clear_points(struct pb_points *p)
{
	free(p->at);
	free(p->t);
}

void
pb_scene_clear(struct pb_scene *s)
{
	for (struct pb_body *b = s->body; b <= s->body + s->bodies; b++) {
		clear_points(&b->trail);
		clear_points(&b->path);
		clear_points(&b->scan);
		clear_points(&b->solid);
		clear_points(&b->cloud);
		for (int k = 0; k < PB_LOC_TRACKING; k++)
			clear_points(&b->doubt[k]);
	}
	free(s->pellet);
	clear_points(&s->loops);
	for (int k = 0; k < PB_LOC_STATUSES; k++)
		clear_points(&s->fit[k]);
	pb_map_clear(&s->own);
	*s = (struct pb_scene){0};
}

/* Make m the scene's map; m is left zeroed. */
static void
move_map(struct pb_scene *s, struct pb_map *m)
{
	pb_map_clear(&s->own);
	s->own = *m;
	s->map = &s->own;
	*m = (struct pb_map){0};
}

/*
 * Ghosts by the beginnings of their ids, each with a letter and a colour: Okabe
 * and Ito's nearest to the arcade's red, pink, cyan and orange. The first four
 * have the letters of the arcade's.
 */
static const struct {
	const char *id;
	struct pb_rgb color;
} ghosts[] = {{"red", {190, 30, 45}}, {"pink", {204, 121, 167}},
    {"cyan", {86, 180, 233}}, {"orange", {213, 94, 0}}, {"clyde", {213, 94, 0}},
    {"blinky", {190, 30, 45}}, {"pinky", {204, 121, 167}},
    {"inky", {86, 180, 233}}, {"sue", {213, 94, 0}}, {"blue", {0, 114, 178}},
    {"patrol2", {0, 158, 115}}, {"patrol3", {204, 121, 167}},
    {"patrol4", {86, 180, 233}}, {"patrol", {213, 94, 0}}};
#define GHOSTS (sizeof(ghosts) / sizeof(*ghosts))
#define CLYDE  4

/* The row of the ghost with that id, GHOSTS: none. */
static size_t
find_ghost_row(const char *id)
{
	size_t i = 0;

	/* "clyde_2" is a clyde; longer names come first. */
	while (
	    i < GHOSTS && strncmp(id, ghosts[i].id, strlen(ghosts[i].id)) != 0)
		i++;
	return i;
}

struct pb_rgb
pb_scene_ghost_color(const char *id)
{
	size_t i = find_ghost_row(id);

	return ghosts[i < GHOSTS ? i : CLYDE].color;
}

char
pb_scene_ghost_letter(const char *id)
{
	size_t i = find_ghost_row(id), n = strlen(id);
	unsigned char c = (unsigned char)id[0];

	/* Ghosts with numbers are labelled by them. */
	if (n > 0 && isdigit((unsigned char)id[n - 1]))
		return id[n - 1];
	if (i < CLYDE)
		return "BPIC"[i];
	return (char)(isalnum(c) ? toupper(c) : '@');
}

const char *const pb_body_kinds[] = {[PB_BODY_ROBOT] = "robot",
    [PB_BODY_GHOST] = "ghost",
    [PB_BODY_OTHER] = "other"};

static enum pb_body_kind
find_kind(const char *id)
{
	if (strcmp(id, "robot") == 0 || strcmp(id, "player") == 0 ||
	    strncmp(id, "pac", 3) == 0)
		return PB_BODY_ROBOT;
	if (strstr(id, "ghost") != NULL || find_ghost_row(id) < GHOSTS)
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
	b->kind = find_kind(cut);
	return b;
}

static void
add_point(struct pb_points *p, struct pb_vec v)
{
	if (!pb_grow(&p->at, p->n, &p->cap, sizeof(v)))
		pb_msg_end_memory();
	p->at[p->n++] = v;
}

/* Add the sample v at time t. A full list drops every other sample except
 * interruptions, and from then on every other new one. */
static void
add_sample(struct pb_points *p, struct pb_vec v, double t)
{
	size_t k = 0;

	if (p->seen++ % ((size_t)1 << p->thinned) != 0)
		return;
	if (!pb_grow(&p->t, p->n, &p->t_cap, sizeof(t)))
		pb_msg_end_memory();
	p->t[p->n] = t;
	add_point(p, v);
	if (p->n < PB_SCENE_TRAIL)
		return;
	for (size_t i = 1; i < p->n; i += 2) {
		size_t kept = is_finite(p->at[i - 1]) ? i : i - 1;

		p->t[k] = p->t[kept];
		p->at[k++] = p->at[kept];
	}
	p->n = k;
	p->thinned++;
}

static void
extend_trail(struct pb_body *b, struct pb_vec v)
{
	struct pb_points *p = &b->trail;

	/* Ignore repeated points. */
	if (p->n > 0 && pb_dist(p->at[p->n - 1], v) == 0)
		return;
	if (b->jump) {
		p->seen = 0;
		if (p->n > 0)
			add_sample(p, (struct pb_vec){NAN, NAN}, b->last);
		p->seen = 0;
	}
	b->jump = false;
	add_sample(p, v, b->last);
}

void
pb_scene_pose(struct pb_body *b, struct pb_pose p)
{
	if (!is_finite(pb_pose_vec(p)))
		return;
	b->pose = p;
	b->placed = true;
	/* A covariance belongs to one pose; the next may lack it. */
	b->has_cov = false;
	extend_trail(b, pb_pose_vec(p));
}

struct pb_points
pb_scene_trail(const struct pb_scene *s, const struct pb_body *b, double length)
{
	struct pb_points p = b->trail;
	bool whole = !(length > 0 && s->game);
	size_t from = whole ? 0 : p.n;

	/* Include the point before: the body was there until it moved. */
	while (from > 0 && is_finite(p.at[from - 1]) &&
	       (from == p.n || p.t[from] >= s->t - length))
		from--;
	if (from > 0)
		p.at += from;
	p.n -= from;
	return p;
}

void
pb_scene_clock(const struct pb_scene *s, double t, char out[PB_SCENE_CLOCK])
{
	snprintf(out, PB_SCENE_CLOCK, s->ticks ? "t %.0f" : "t %.1f s", t);
}

/* Find the pellet with this id, NULL: none. Sets repeat the same order, so
 * begin behind the last one found. */
static struct pb_spot *
find_pellet(struct pb_scene *s, int id)
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

/*
 * A set of pellets: begin_pellets(), set_pellet() for each, end_pellets().
 * Pellets of the scene that are not in the set are drawn as eaten. A repeated
 * id moves to its new place.
 */
static void
begin_pellets(struct pb_scene *s)
{
	s->next = 0;
	for (size_t i = 0; i < s->pellets; i++)
		s->pellet[i].fresh = false;
}

static void
set_pellet(struct pb_scene *s, int id, struct pb_vec at, bool power)
{
	struct pb_spot *p = find_pellet(s, id);
	bool over = p != NULL && p->over;

	if (!is_finite(at) || (p == NULL && s->pellets == PB_SCENE_PELLETS))
		return;
	if (p == NULL) {
		if (!pb_grow(&s->pellet, s->pellets, &s->pellets_cap,
			sizeof(*s->pellet)))
			pb_msg_end_memory();
		p = &s->pellet[s->pellets++];
	}
	/* A pellet that is named again is back. */
	*p = (struct pb_spot){
	    .id = id, .at = at, .power = power, .fresh = true, .over = over};
}

static void
end_pellets(struct pb_scene *s)
{
	for (size_t i = 0; i < s->pellets; i++)
		if (!s->pellet[i].fresh)
			s->pellet[i].eaten = true;
}

static void
eat_pellet(struct pb_scene *s, int id)
{
	struct pb_spot *p = find_pellet(s, id);

	if (p != NULL)
		p->eaten = true;
}

void
pb_scene_mark(struct pb_scene *s, enum pb_sign k, struct pb_vec at,
    const struct pb_body *by)
{
	if (is_finite(at) && s->marks < PB_SCENE_MARKS)
		s->mark[s->marks++] = (struct pb_mark){k, at, by};
}

void
pb_scene_loop(struct pb_scene *s, struct pb_vec a, struct pb_vec b)
{
	add_point(&s->loops, a);
	add_point(&s->loops, b);
	add_point(&s->loops, (struct pb_vec){NAN, NAN});
}

/* Extend the box lo..hi to the finite ones of n points. */
static void
grow_box(struct pb_vec *lo, struct pb_vec *hi, const struct pb_vec *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_finite(v[i]))
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

	grow_box(lo, hi, &at, b->placed);
	grow_box(lo, hi, &b->goal, b->has_goal);
	for (int i = 0; i < 5; i++)
		grow_box(lo, hi, list[i]->at, list[i]->n);
	for (int i = 0; i < b->guesses; i++) {
		struct pb_vec v = pb_pose_vec(b->guess[i].pose);

		grow_box(lo, hi, &v, 1);
	}
}

bool
pb_scene_bounds(const struct pb_scene *s, struct pb_vec *lo, struct pb_vec *hi)
{
	struct pb_vec a = {INFINITY, INFINITY}, b = {-INFINITY, -INFINITY};

	for (size_t i = 0; i < s->bodies; i++)
		grow_body(&a, &b, &s->body[i]);
	for (size_t i = 0; i < s->pellets; i++)
		grow_box(&a, &b, &s->pellet[i].at, 1);
	grow_box(&a, &b, s->loops.at, s->loops.n);
	for (size_t i = 0; i < s->marks; i++)
		grow_box(&a, &b, &s->mark[i].at, 1);
	if (a.x > b.x)
		return false;
	*lo = a;
	*hi = b;
	return true;
}

static void
set_title(struct pb_scene *s, const char *text)
{
	snprintf(s->title, sizeof(s->title), "%s", text);
}

/* The pose of a body in a cell, looking in direction dir. */
static struct pb_pose
find_cell_pose(const struct pb_scene *s, int row, int col, enum pb_dir dir)
{
	return pb_maze_pose(&s->board, row, col, dir, NAN);
}

/* Add the contents of cells: pellets, and the cell to be reached, if any. */
static void
add_cells(struct pb_scene *s, const struct pb_maze *z)
{
	struct pb_body *player;

	begin_pellets(s);
	for (int row = 0; row < z->rows; row++)
		for (int col = 0; col < z->cols; col++) {
			char c = z->cell[row][col];
			struct pb_vec at =
			    pb_pose_vec(find_cell_pose(s, row, col, PB_STAY));

			if (c == PB_MAZE_PELLET || c == PB_MAZE_POWER)
				set_pellet(s, row * z->cols + col, at,
				    c == PB_MAZE_POWER);
			if (c != PB_MAZE_GOAL)
				continue;
			player = pb_scene_body(s, "player");
			player->goal = at;
			player->has_goal = s->reach = true;
		}
	end_pellets(s);
}

/*
 * Mark the ghosts' house: the smallest box around their starts (only those in
 * walls, if there are any) and the door to those that start outside. If ghosts
 * are far apart, there is none; returns whether there is one.
 */
static bool
mark_house(struct pb_maze *z)
{
	const struct pb_maze_place *p, *end = z->ghost + z->ghosts;
	struct pb_cellbox k = {{PB_MAZE_SIDE, PB_MAZE_SIDE}, {-1, -1}};
	bool walled = false;

	for (p = z->ghost; p < end; p++)
		walled |= !pb_maze_open(z, p->row, p->col);
	for (p = z->ghost; p < end; p++)
		if (!walled || !pb_maze_open(z, p->row, p->col))
			k = pb_cellbox_join(
			    k, (struct pb_cell){p->col, p->row});
	if (z->ghosts < 2 ||
	    (k.hi.row - k.lo.row + 1) * (k.hi.col - k.lo.col + 1) >
		4 * z->ghosts)
		return false;
	for (p = z->ghost; walled && p < end; p++)
		for (int r = p->row + 1;
		     r < k.lo.row && p->col >= k.lo.col && p->col <= k.hi.col;
		     r++)
			z->cell[r][p->col] = PB_SCENE_HOUSE;
	for (int r = k.lo.row; r <= k.hi.row; r++)
		for (int c = k.lo.col; c <= k.hi.col; c++)
			z->cell[r][c] = PB_SCENE_HOUSE;
	return true;
}

enum pb_status
pb_scene_build_maze(struct pb_scene *s, const struct pb_maze *z)
{
	/* Ghosts' names on boards of cells, and with walls between cells. */
	static const char *const id[2][4] = {{"red", "pink", "cyan", "orange"},
	    {"blinky", "pinky", "inky", "clyde"}};
	const struct pb_maze_place *p = &z->start;
	double side = s->cell > 0 ? s->cell : pb_maze_pitch(z);
	struct pb_map m;
	enum pb_status st = pb_maze_to_map(z, side, 0, &m);

	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (st != PB_OK)
		return st;
	s->board = *z;
	s->board.pitch = side;
	s->has_house = mark_house(&s->board);
	move_map(s, &m);
	set_title(s, z->name);
	s->reach = false;
	add_cells(s, z);
	if (p->row >= 0)
		pb_scene_pose(pb_scene_body(s, "pacman"),
		    find_cell_pose(s, p->row, p->col, p->dir));
	for (int i = 0; i < z->ghosts && i < 4; i++) {
		p = &z->ghost[i];
		pb_scene_pose(pb_scene_body(s, id[pb_maze_sided(z)][i]),
		    find_cell_pose(s, p->row, p->col, p->dir));
	}
	return PB_OK;
}

/* Add what a body at p sees: the cells ahead, up to a wall. */
static void
add_view(struct pb_scene *s, struct pb_body *b, struct pb_pose p)
{
	const struct pb_map *m = s->map;
	struct pb_vec seen[2 * PB_MAZE_SIDE], v = pb_pose_vec(p);
	size_t n = 0;

	/* Two points a cell make a line; none lies on an edge. */
	while (isfinite(p.th) && n < sizeof(seen) / sizeof(*seen)) {
		double ahead = (n == 0 ? 0.75 : 0.5) * s->board.pitch;

		v.x += ahead * cos(p.th);
		v.y += ahead * sin(p.th);
		if (!pb_cell_free(pb_map_at(m, pb_map_cell(m, v))))
			break;
		seen[n++] = v;
	}
	pb_scene_points(&b->scan, seen, n);
}

static void
place_body(struct pb_scene *s, const struct pb_seen_body *p, bool eats)
{
	struct pb_body *b = pb_scene_body(s, p->id[0] ? p->id : "pacman");
	int known = pb_dir_of(p->dir);
	enum pb_dir dir = known < PB_STAY ? (enum pb_dir)known : PB_STAY;
	struct pb_pose at = find_cell_pose(s, p->row, p->col, dir);

	memcpy(b->mode, p->mode, sizeof(b->mode));
	/* Off the board between a death and the next update. */
	if (p->row < 0 || p->row >= s->board.rows || p->col < 0 ||
	    p->col >= s->board.cols) {
		b->jump = true;
		return;
	}
	if (!b->posed) {
		b->last = s->t;
		pb_scene_pose(b, at);
	}
	if (s->map != NULL && (strcmp(p->mode, "patrolling") == 0 ||
				  strcmp(p->mode, "staring") == 0))
		add_view(s, b, at);
	if (eats && b->kind == PB_BODY_ROBOT)
		eat_pellet(s, p->row * s->board.cols + p->col);
}

void
pb_scene_build_tick(struct pb_scene *s, const struct pb_seen *k)
{
	s->level = k->level;
	if (k->board.rows == s->board.rows && k->board.cols == s->board.cols)
		add_cells(s, &k->board);
	/* Without board data, the player eats the pellet in its cell. */
	for (int i = 0; i < k->bodies && s->board.rows > 0; i++)
		place_body(s, &k->body[i], k->board.rows == 0);
}

void
pb_scene_build_caption(struct pb_scene *s)
{
	size_t left = 0, all = s->pellets;
	char text[256], time[PB_SCENE_CLOCK], eaten[64] = "";
	char what[PB_REC_WORD + PB_SCENE_CLOCK + 16] = "";
	char level[64] = "";

	for (size_t i = 0; i < all; i++)
		left += !s->pellet[i].eaten;
	pb_scene_clock(s, s->took, time);
	/* The clock runs before a round begins and behind its end. */
	if (s->outcome[0] != '\0' && fabs(s->took - s->t) >= 0.05)
		snprintf(what, sizeof(what), ", %s after %s", s->outcome,
		    time + strcspn(time, " ") + 1);
	else if (s->outcome[0] != '\0')
		snprintf(what, sizeof(what), ", %s", s->outcome);
	else if (s->has_state)
		snprintf(what, sizeof(what), ", %s", s->state.state);
	for (char *c = what; (c = strchr(c, '_')) != NULL;)
		*c = ' ';
	if (s->outcome[0] != '\0' && s->total > 0)
		snprintf(eaten, sizeof(eaten), ", %d of %d pellets",
		    s->collected, s->total);
	else if (all > 0 && left == all && !(s->t > 0))
		snprintf(eaten, sizeof(eaten), ", %zu pellets", all);
	else if (all > 0)
		snprintf(eaten, sizeof(eaten), ", %zu of %zu pellets",
		    all - left, all);
	pb_scene_clock(s, s->t, time);
	/* A level that was cleared is filled again, even at the end. */
	if (s->level > 1)
		snprintf(level, sizeof(level), ", %slevel %ld",
		    s->outcome[0] != '\0' ? "the board is of " : "", s->level);
	snprintf(text, sizeof(text), "%s%s%s%s", time, what, eaten, level);
	snprintf(s->caption, sizeof(s->caption), "%.95s",
	    s->t > 0           ? text
	    : eaten[0] != '\0' ? eaten + 2
			       : "");
}

/* A body that moves faster was placed there (m/s). */
#define FASTEST 5.0

/* The body that a record is about. */
static struct pb_body *
find_body(struct pb_scene *s, const struct pb_rec *r)
{
	return pb_scene_body(s, r->stamp.id[0] != '\0' ? r->stamp.id : "robot");
}

/* Set the chosen pellet; a negative id: none. */
static void
set_target(struct pb_scene *s, long id)
{
	s->target = pb_to_int((double)id);
	s->has_target = id >= 0;
}

static void
use_pellets(struct pb_scene *s, const struct pb_rec *r)
{
	const struct pb_rec_pellets *p = &r->pellets;

	begin_pellets(s);
	for (size_t i = 0; i < p->n; i++)
		set_pellet(s, pb_to_int((double)p->pellet[i].id),
		    (struct pb_vec){p->pellet[i].x, p->pellet[i].y},
		    p->pellet[i].power);
	end_pellets(s);
}

static void
use_cmd(struct pb_scene *s, const struct pb_rec *r)
{
	const struct pb_rec_cmd *c = &r->cmd;

	if (strcmp(c->name, "remove_pellet") == 0 && c->kind == PB_VALUE_NUM)
		eat_pellet(s, pb_to_int(c->num));
	else if (strcmp(c->name, "reset_pellets") == 0 ||
		 strcmp(c->name, "reset") == 0)
		for (size_t i = 0; i < s->pellets; i++)
			s->pellet[i].eaten = false;
}

/* Whether the body cannot have driven to p in dt. */
static bool
has_jumped(const struct pb_body *b, double dt, struct pb_vec p)
{
	return b->placed && isfinite(dt) && dt >= 0 &&
	       pb_dist(pb_pose_vec(b->pose), p) > FASTEST * dt + 1;
}

/* Whether the pose is tracking: others are not joined by a trail. */
static bool
is_certain(const struct pb_rec_pose *p)
{
	return p->status[0] == '\0' || strcmp(p->status, "tracking") == 0;
}

/* Note the status and fit of b's localizer. */
static void
use_claim(struct pb_scene *s, struct pb_body *b, const struct pb_rec *r)
{
	const struct pb_rec_pose *p = &r->pose;

	for (int k = 0; k < PB_LOC_STATUSES; k++) {
		if (strcmp(p->status,
			pb_loc_status_text((enum pb_loc_status)k)) != 0)
			continue;
		if (k < PB_LOC_TRACKING)
			add_sample(
			    &b->doubt[k], (struct pb_vec){p->x, p->y}, b->last);
		if (p->has_fit && isfinite(p->fit) && isfinite(r->stamp.t))
			add_sample(&s->fit[k],
			    (struct pb_vec){r->stamp.t, p->fit}, b->last);
	}
}

static void
use_pose(struct pb_scene *s, const struct pb_rec *r)
{
	const struct pb_rec_pose *p = &r->pose;
	struct pb_body *b = find_body(s, r);

	b->truth |= strcmp(p->source, "truth") == 0;
	/* Beside a true pose, the estimate is a body of its own. */
	if (b->truth && strcmp(p->source, "estimate") == 0)
		b = pb_scene_body(s, "estimate");
	b->jump |=
	    has_jumped(b, r->stamp.t - b->last, (struct pb_vec){p->x, p->y}) ||
	    !is_certain(p);
	b->posed = true;
	b->last = r->stamp.t;
	pb_scene_pose(b, (struct pb_pose){p->x, p->y, p->theta});
	b->jump |= !is_certain(p);
	use_claim(s, b, r);
	b->has_cov |= p->has_cov;
	if (p->has_cov)
		memcpy(b->cov, p->cov, sizeof(b->cov));
	/* The pose of the last scan came: move the scan. */
	if (b != s->scanner || r->stamp.t != s->scan_t)
		return;
	for (size_t i = 0; i < b->scan.n; i++)
		b->scan.at[i] = pb_vec_from(
		    b->pose, pb_vec_into(s->scan_from, b->scan.at[i]));
	s->scan_from = b->pose;
}

static void
use_belief(struct pb_scene *s, const struct pb_rec *r)
{
	const struct pb_rec_belief *n = &r->belief;
	struct pb_vec *at = pb_alloc(n->particles + 1, sizeof(*at));
	struct pb_body *b = find_body(s, r);

	b->guesses = 0;
	for (int i = 0; i < n->n && i < PB_LOC_HYPOTHESES; i++)
		if (isfinite(n->at[i].pose.x) && isfinite(n->at[i].pose.y))
			b->guess[b->guesses++] = n->at[i];
	for (size_t i = 0; i < n->particles; i++)
		at[i] = pb_pose_vec(n->particle[i]);
	pb_scene_points(&b->cloud, at, n->particles);
	free(at);
}

/* The body whose pose a scan of `own` at time t is drawn from, NULL: none. */
static const struct pb_body *
find_scan_base(const struct pb_scene *s, const struct pb_body *own, double t)
{
	const struct pb_body *truth = NULL;

	for (size_t i = 0; own->kind == PB_BODY_ROBOT && i < s->bodies; i++)
		if (s->body[i].placed && strcmp(s->body[i].id, "truth") == 0)
			truth = &s->body[i];
	/* Its own pose, unless only the true one has exactly that time. */
	if (own->placed &&
	    (truth == NULL || own->last == t || truth->last != t))
		return own;
	return truth;
}

/* Compute the end points of beams that returned. */
static void
use_scan(struct pb_scene *s, const struct pb_rec *r)
{
	const struct pb_rec_scan *c = &r->scan;
	const struct pb_scan scan = pb_rec_as_scan(c);
	struct pb_pose from;
	struct pb_body *own = find_body(s, r);
	const struct pb_body *b = find_scan_base(s, own, r->stamp.t);
	struct pb_vec *at;
	size_t n = 0;

	if (b == NULL || c->n == 0 || !isfinite(b->pose.th))
		return;
	at = pb_alloc(c->n, sizeof(*at));
	from = pb_scan_from(&scan, b->pose);
	for (size_t i = 0; i < c->n; i++) {
		double d = c->range[i];
		double th = c->angle_min + (double)i * c->angle_increment;

		/* A beam without return has no end. */
		if (!isfinite(d) || d <= 0 || d < c->range_min ||
		    d > c->range_max)
			continue;
		d += c->radius;
		at[n++] = pb_vec_from(
		    from, (struct pb_vec){d * pb_cos(th), d * pb_sin(th)});
	}
	pb_scene_points(&own->scan, at, n);
	free(at);
	s->scanner = own;
	s->scan_t = r->stamp.t;
	s->scan_from = b->pose;
}

/* Mark home once; it does not move. */
static void
mark_home(struct pb_scene *s, struct pb_vec at)
{
	for (size_t i = 0; i < s->marks; i++)
		if (s->mark[i].kind == PB_SIGN_HOME &&
		    pb_dist(s->mark[i].at, at) < 1e-3)
			return;
	pb_scene_mark(s, PB_SIGN_HOME, at, NULL);
}

/* A goal that is a pellet is drawn as the target, others as a goal. */
static void
use_goal(struct pb_scene *s, const struct pb_rec *r)
{
	const struct pb_rec_goal *g = &r->goal;
	struct pb_vec at = {g->x, g->y};
	struct pb_body *b = find_body(s, r);
	bool over = g->status[0] != '\0' && strcmp(g->status, "sent") != 0 &&
	            strcmp(g->status, "accepted") != 0;

	if (strcmp(g->kind, "home") == 0)
		mark_home(s, at);
	if (g->pellet >= 0)
		set_target(s, over ? -1 : g->pellet);
	/* A new goal makes the old path invalid. */
	b->path.n = 0;
	b->goal = at;
	b->has_goal =
	    g->pellet < 0 && !over && isfinite(at.x) && isfinite(at.y);
}

#define RIM 32 /* points of a circular obstacle */

static void
use_obstacle(struct pb_scene *s, const struct pb_rec *r)
{
	const struct pb_rec_obstacle *o = &r->obstacle;
	struct pb_body *b = find_body(s, r);
	struct pb_vec rim[RIM];

	pb_scene_points(&b->solid, o->point, o->point ? o->n : 0);
	/* A circular one is drawn by its rim. */
	if (!(o->radius > 0) || o->point)
		return;
	for (int k = 0; k < RIM; k++)
		rim[k] = (struct pb_vec){
		    o->x + o->radius * pb_cos(2 * PB_PI * k / RIM),
		    o->y + o->radius * pb_sin(2 * PB_PI * k / RIM)};
	pb_scene_points(&b->solid, rim, RIM);
}

/*
 * Mark the player's death at its place, by the ghost in the event ("inky
 * killed"), or a ghost that stares at the player, else the nearest. A lost game
 * has a death if a patrol stares, or the player is off the board.
 */
static void
mark_death(struct pb_scene *s, const char *name)
{
	const struct pb_body *player = NULL, *by = NULL;
	bool killed =
	    strstr(name, "killed") != NULL || strcmp(name, "death") == 0;

	for (size_t i = s->bodies; i-- > 0;)
		if (s->body[i].kind == PB_BODY_ROBOT && s->body[i].placed)
			player = &s->body[i];
	for (size_t i = 0; player && i < s->bodies; i++) {
		struct pb_body *b = &s->body[i];
		struct pb_vec at = pb_pose_vec(player->pose);
		size_t n = strlen(b->id);
		bool stares = strcmp(b->mode, "staring") == 0;

		if (b->kind != PB_BODY_GHOST || !b->placed)
			continue;
		killed |= stares;
		if (!by || pb_dist(pb_pose_vec(b->pose), at) <
			       pb_dist(pb_pose_vec(by->pose), at))
			by = b;
		if (stares ||
		    (strncmp(name, b->id, n) == 0 && name[n] == ' ')) {
			by = b;
			break;
		}
	}
	if (!player || !(killed || player->jump))
		return;
	pb_scene_mark(s, PB_SIGN_DEATH, pb_pose_vec(player->pose), by);
	/* Ghosts respawn elsewhere. */
	for (size_t i = 0; i < s->bodies; i++)
		s->body[i].jump |= s->body[i].kind == PB_BODY_GHOST;
}

/* At the end of a round all pellets return at once: note those that were gone
 * for its result. */
static void
use_event(struct pb_scene *s, const struct pb_rec *r)
{
	const struct pb_rec_event *e = &r->event;

	if (strcmp(e->name, "reset") == 0) {
		s->reset = true;
		for (size_t i = 0; i < s->pellets; i++)
			s->pellet[i].over = s->pellet[i].eaten;
	}
	if (strstr(e->name, "killed") != NULL ||
	    strcmp(e->name, "death") == 0 || strcmp(e->name, "game over") == 0)
		mark_death(s, e->name);
}

/* A reset moves robots to their starts. */
static void
use_message(struct pb_scene *s, const struct pb_rec *r)
{
	if (strcmp(r->message.name, "RESET") == 0)
		for (size_t i = 0; i < s->bodies; i++)
			s->body[i].jump = true;
}

/* Show the lights of the robot's ring. */
static void
use_light(struct pb_scene *s, const struct pb_rec *r)
{
	const struct pb_rec_event *e = &r->event;

	/* Once there is a ring, it is drawn even if dark. */
	s->has_ring |= e->leds == PB_RING_LEDS;
	for (int i = 0; i < e->leds; i++)
		s->ring.led[i] =
		    (struct pb_led){e->led[i][0], e->led[i][1], e->led[i][2]};
}

static void
use_result(struct pb_scene *s, const struct pb_rec *r)
{
	const struct pb_trial *b = &r->result.trial;

	snprintf(s->outcome, sizeof(s->outcome), "%.31s", b->outcome);
	s->took = isfinite(b->time) ? b->time : s->t;
	s->collected = b->collected;
	/* A cell to be reached is no pellet. */
	s->total = s->reach ? 0 : b->total;
	for (size_t i = 0; s->reset && i < s->pellets; i++)
		s->pellet[i].eaten = s->pellet[i].over;
}

/* Fixes are cells: they make no trail. */
static void
use_fix(struct pb_scene *s, const struct pb_rec *r)
{
	struct pb_body *b = pb_scene_body(s, "fix");

	b->jump = true;
	pb_scene_pose(b, (struct pb_pose){r->fix.x, r->fix.y, NAN});
}

static void
use_tick(struct pb_scene *s, const struct pb_rec *r)
{
	s->game = true;
	s->ticks = (double)r->tick.tick == r->stamp.t;
	pb_scene_build_tick(s, &r->tick);
}

static void
use_state(struct pb_scene *s, const struct pb_rec *r)
{
	s->state = r->state;
	s->game = s->has_state = true;
}

static void
use_target(struct pb_scene *s, const struct pb_rec *r)
{
	set_target(s, r->target.pellet);
}

static void
use_path(struct pb_scene *s, const struct pb_rec *r)
{
	pb_scene_points(&find_body(s, r)->path, r->path.point, r->path.n);
}

static void
use_maze(struct pb_scene *s, const struct pb_rec *r)
{
	pb_scene_build_maze(s, &r->maze);
}

/* Functions that use a type of record; maps are handled separately. */
static void (*const takes[])(struct pb_scene *, const struct pb_rec *) = {
    [PB_REC_MAZE] = use_maze,
    [PB_REC_PELLETS] = use_pellets,
    [PB_REC_CMD] = use_cmd,
    [PB_REC_POSE] = use_pose,
    [PB_REC_BELIEF] = use_belief,
    [PB_REC_SCAN] = use_scan,
    [PB_REC_FIX] = use_fix,
    [PB_REC_TARGET] = use_target,
    [PB_REC_GOAL] = use_goal,
    [PB_REC_PATH] = use_path,
    [PB_REC_OBSTACLE] = use_obstacle,
    [PB_REC_TICK] = use_tick,
    [PB_REC_STATE] = use_state,
    [PB_REC_EVENT] = use_event,
    [PB_REC_LIGHT] = use_light,
    [PB_REC_MESSAGE] = use_message,
    [PB_REC_RESULT] = use_result,
};
#define TAKES (sizeof(takes) / sizeof(*takes))

uint64_t
pb_scene_wants(void)
{
	uint64_t wants = PB_REC_BIT(PB_REC_MAP);

	for (size_t i = 0; i < TAKES; i++)
		wants |= takes[i] ? PB_REC_BIT(i) : 0;
	return wants;
}

void
pb_scene_build(struct pb_scene *s, struct pb_rec *r)
{
	if (isfinite(r->stamp.t)) {
		s->reset = s->reset && r->stamp.t <= s->t;
		s->t = r->stamp.t;
	}
	if (r->type == PB_REC_MAP) {
		/* The map of a robot's knowledge is as large as the board. */
		if (r->stamp.id[0] == '\0' || r->map.width != s->board.cols ||
		    r->map.height != s->board.rows)
			s->board.rows = s->board.cols = 0;
		set_title(s, r->map.name);
		move_map(s, &r->map);
	} else if ((size_t)r->type < TAKES && takes[r->type] != NULL)
		takes[r->type](s, r);
}
