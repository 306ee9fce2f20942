/*
 * zumygolden.c - the Zumy game with its mistakes against answers of the
 *published code: files of cases, one JSON object a line.
 *
 *	zumygolden [FILE ...]
 *
 * prints for each file how many cases come out the same, and the others' ids
 * by kind. Without an operand, cases made by hand, and those of others if they
 * are there. In a case, cells are [x,y], y up; the first row of a map is y = 0.
 */
#define CHECK_MAIN
#include "golden.h"
#include "usual.h"

#include <jansson.h>

#include "game/zumy/zumy.h"
#include "map/board.h"
#include "policy/players.h"

/* A case and the game that it is about. */
struct scene {
	json_t *in, *out;
	const char *raised; /* NULL: nothing */
	struct pb_zumy_board b;
	struct pb_zumy_opts o;
	struct pb_zumy s;
};

static json_t *
of(const json_t *o, const char *key)
{
	return json_object_get(o, key);
}

static double
num(const json_t *a, size_t i)
{
	return json_number_value(json_array_get(a, i));
}

static bool
near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance;
}

/* A number of out, which may be written as a text. */
static double
answer(const json_t *v)
{
	return json_is_string(v) ? strtod(json_string_value(v), NULL)
	                         : json_number_value(v);
}

static struct pb_zumy_cell
cell(const struct scene *c, const json_t *xy)
{
	return (struct pb_zumy_cell){
	    (int8_t)(c->b.ground.rows - 1 - (int)num(xy, 1)),
	    (int8_t)num(xy, 0)};
}

static bool
same(struct pb_zumy_cell a, struct pb_zumy_cell b)
{
	return a.row == b.row && a.col == b.col;
}

static bool
is(const struct scene *c, struct pb_zumy_cell at, const json_t *xy)
{
	return same(at, cell(c, xy));
}

static struct pb_zumy_cell
beside(struct pb_zumy_cell c, enum pb_dir d)
{
	return (struct pb_zumy_cell){
	    (int8_t)(c.row + pb_dir_row[d]), (int8_t)(c.col + pb_dir_col[d])};
}

static int8_t
facing(const json_t *d)
{
	return (int8_t)(num(d, 0) > 0   ? PB_RIGHT
			: num(d, 0) < 0 ? PB_LEFT
			: num(d, 1) > 0 ? PB_UP
					: PB_DOWN);
}

static const char letters[] = "NSEW";
static const enum pb_dir dirs[] = {PB_UP, PB_DOWN, PB_RIGHT, PB_LEFT};

/* The character of a map at a cell, row 0 on top. */
static char
at(const json_t *map, int row, int col)
{
	size_t n = json_array_size(map);

	return json_string_value(json_array_get(map, n - 1 - (size_t)row))[col];
}

/* The board and what a patrol knows of it. */
static void
read_map(struct scene *c, const json_t *map)
{
	struct pb_zumy_ground *g = &c->b.ground;

	/* Without a goal: a cell that no board here has. */
	*g = (struct pb_zumy_ground){.rows = (int)json_array_size(map),
	    .goal = {PB_ZUMY_SIDE - 1, PB_ZUMY_SIDE - 1}};
	if (g->rows > 0)
		g->cols = (int)json_string_length(json_array_get(map, 0));
	for (int r = 0; r < g->rows; r++)
		for (int k = 0; k < g->cols; k++) {
			char a = at(map, r, k);

			if (a == '0' || a == '9')
				pb_zumy_add(&g->open, r, k);
			if (a != '?')
				pb_zumy_add(&c->s.patrol[0].map.known, r, k);
			if (a == '9')
				g->goal =
				    (struct pb_zumy_cell){(int8_t)r, (int8_t)k};
		}
}

static void
read_patrols(struct scene *c, const json_t *list)
{
	c->o.patrols = (int)json_array_size(list);
	for (int i = 0; i < c->o.patrols; i++) {
		const json_t *p = json_array_get(list, (size_t)i);
		struct pb_zumy_body *b = &c->s.patrol[i].body;

		b->at = b->to = cell(c, json_array_get(p, 0));
		b->facing = facing(json_array_get(p, 1));
	}
}

static struct pb_zumy_view
view(struct scene *c)
{
	c->s.player.at = c->s.player.to = cell(c, of(c->in, "player"));
	return (struct pb_zumy_view){.s = &c->s};
}

/* Whether what is open is what is not marked. */
static bool
marked(const struct scene *c, const struct pb_zumy_set *open)
{
	const json_t *map = of(c->out, "marked");

	for (int r = 0; r < c->b.ground.rows; r++)
		for (int k = 0; k < c->b.ground.cols; k++)
			if (pb_zumy_has(open, r, k) != (at(map, r, k) != '1'))
				return false;
	return true;
}

static bool
test_ray(struct scene *c)
{
	struct pb_zumy_set open = c->b.ground.open;
	const struct pb_zumy_view v = view(c);
	struct pb_zumy_cell goal = c->b.ground.goal;

	pb_zumy_block_views(&v, &open);
	return marked(c, &open) && pb_zumy_has(&open, goal.row, goal.col) !=
	                               json_is_true(of(c->out, "goal_lost"));
}

static bool
is_path(const struct scene *c, const struct pb_zumy_path *p,
    struct pb_zumy_cell from)
{
	const json_t *path = of(c->out, "path");
	size_t n = json_array_size(path);

	if (p->n == 0)
		return n == 1 && is(c, from, json_array_get(path, 0));
	for (size_t i = 0; i < n && n == (size_t)p->n; i++)
		if (!is(c, p->cell[i], json_array_get(path, i)))
			return false;
	return n == (size_t)p->n;
}

static bool
test_player_step(struct scene *c)
{
	struct pb_zumy_set open = c->b.ground.open;
	const struct pb_zumy_view v = view(c);
	struct pb_zumy_cell from = c->s.player.at;
	struct pb_zumy_path way;
	enum pb_dir d = pb_zumy_astar_plan(&v, &way);
	struct pb_answer a = {.dir = PB_STAY};

	pb_zumy_block_views(&v, &open);
	a.dir = pb_zumy_astar.choose(&v);
	return d == a.dir && marked(c, &open) &&
	       is(c, c->b.ground.goal, of(c->out, "goal")) &&
	       is(c, beside(from, d), of(c->out, "step")) &&
	       is_path(c, &way, from) &&
	       (pb_zumy_right_before(&c->s) >= 0) ==
	           json_is_true(of(c->out, "lost")) &&
	       strcmp(json_string_value(of(c->out, "how")),
		   way.n > 1 ? "path" : "hide") == 0;
}

/* Costs of lists of actions, and which are allowed at the start. */
static bool
costs(struct scene *c, const struct pb_zumy_search *s, struct pb_zumy_cell from)
{
	const json_t *lists = of(c->in, "actions"),
		     *costs = of(c->out, "costs");
	const char *allowed = json_string_value(of(c->out, "allowed"));
	bool ok = true;

	for (int d = 0; d < 4; d++)
		ok &= isfinite(pb_zumy_price(s, from, from, dirs[d], 0)) ==
		      (strchr(allowed, letters[d]) != NULL);
	for (size_t i = 0; i < json_array_size(lists); i++) {
		const char *a = json_string_value(json_array_get(lists, i));
		double want = answer(json_array_get(costs, i)), sum = 0;
		struct pb_zumy_cell here = from;

		for (; *a != '\0'; a++) {
			enum pb_dir d = dirs[strchr(letters, *a) - letters];

			sum = pb_zumy_price(s, from, here, d, sum);
			here = beside(here, d);
		}
		ok &= isinf(want) ? isinf(sum) : near(sum, want, 1e-12);
	}
	return ok;
}

static bool
test_player_cost(struct scene *c)
{
	struct pb_zumy_set open = c->b.ground.open;
	const struct pb_zumy_view v = view(c);
	struct pb_zumy_cell patrol[PB_ZUMY_PATROLS];
	const struct pb_zumy_search s = {.ground = &c->b.ground,
	    .open = &open,
	    .near = patrol,
	    .n = c->o.patrols,
	    .start_prices = true};

	for (int i = 0; i < c->o.patrols; i++)
		patrol[i] = c->s.patrol[i].body.at;
	pb_zumy_block_views(&v, &open);
	return costs(c, &s, c->s.player.at);
}

static bool
test_patrol_cost(struct scene *c)
{
	const struct pb_zumy_search s = {.ground = &c->b.ground,
	    .open = &c->b.ground.open,
	    .start_prices = true,
	    .wraps = true};

	return costs(c, &s, cell(c, of(c->in, "at")));
}

/* His program begins, plans and drives; where it ends is given. */
static bool
test_player_turn(struct scene *c)
{
	const char *lands = json_string_value(of(c->in, "lands"));
	const json_t *start = of(c->out, "after_start");
	struct pb_zumy_view v;
	struct pb_zumy_path way;
	struct pb_zumy_cell next;
	bool over, won, stops;
	int by;

	read_patrols(c, of(c->in, "patrols_at_start"));
	v = view(c);
	pb_zumy_start_player(&c->s);
	if (c->s.frozen != json_is_true(of(start, "interrupt")) ||
	    (c->s.ending != PB_ZUMY_ON) != json_is_true(of(start, "over")))
		return false;
	read_patrols(c, of(c->in, "patrols_at_turn"));
	by = pb_zumy_right_before(&c->s);
	next = beside(c->s.player.at, pb_zumy_astar_plan(&v, &way));
	stops = by >= 0 || c->s.frozen;
	if (strcmp(lands, "goal") == 0)
		c->s.player.at = c->b.ground.goal;
	else if (strcmp(lands, "step") == 0 && !stops)
		c->s.player.at = next;
	c->s.ending = (int8_t)pb_zumy_verdict(&c->s, by);
	over = c->s.ending != PB_ZUMY_ON;
	won = c->s.ending == PB_ZUMY_REACHED;
	return is(c, next, of(c->out, "waypoint")) &&
	       is(c, c->s.player.at, of(c->out, "cell")) &&
	       stops == json_is_true(of(c->out, "interrupt_when_driving")) &&
	       over == json_is_true(of(c->out, "over")) &&
	       won == json_is_true(of(c->out, "won")) &&
	       (stops || over) == json_is_true(of(c->out, "interrupt"));
}

static bool
test_patrol_step(struct scene *c)
{
	struct pb_zumy_patrol *p = &c->s.patrol[0];
	bool ended = c->raised != NULL && strcmp(c->raised, "IndexError") == 0;
	struct pb_zumy_cell goal, next;
	struct pb_zumy_path way;

	p->body.at = cell(c, of(c->in, "at"));
	p->map.last = cell(c, of(c->in, "lkpp"));
	p->s = json_number_value(of(c->in, "observations"));
	c->s.patrol[1].body.at = cell(c, of(c->in, "other"));
	/* A camera that keeps all that it believes says whether it stares. */
	c->o.memory = 1;
	pb_zumy_camera(&c->s, 0, false);
	goal = pb_zumy_patrol_plan(&c->s, 0, &way);
	if (p->stares)
		return is(c, goal, of(c->out, "goal")) &&
		       is(c, p->body.at, of(c->out, "step"));
	if (!is(c, goal, of(c->out, "goal")) || way.ended != ended ||
	    pb_zumy_patrol_ends(&c->s, 0) != ended)
		return false;
	next = beside(p->body.at, pb_zumy_first(&way));
	return ended || (is(c, next, of(c->out, "step")) &&
			    is_path(c, &way, p->body.at) &&
			    (next.col < 0 || next.row >= c->b.ground.rows) ==
				json_is_true(of(c->out, "off_board")));
}

static bool
test_explore(struct scene *c)
{
	const json_t *map = of(c->in, "map"), *known = of(c->out, "known"), *k;
	struct pb_patrol_map m = {.last = {0, 0}};
	bool ok = true;
	size_t i;

	json_array_foreach(of(c->in, "walk"), i, k)
	    pb_patrol_reveal(&m, &c->b.ground, cell(c, k));
	for (int r = 0; r < c->b.ground.rows; r++)
		for (int j = 0; j < c->b.ground.cols; j++)
			ok &=
			    at(known, r, j) ==
			    (pb_zumy_has(&m.known, r, j) ? at(map, r, j) : '?');
	return ok;
}

/* The cells come from the left, then from the bottom. */
static bool
test_reveal(struct scene *c)
{
	const json_t *cells = of(c->out, "cells");
	struct pb_patrol_map m = {.last = {0, 0}};
	size_t n = 0;

	pb_patrol_reveal(&m, &c->b.ground, cell(c, of(c->in, "at")));
	for (int col = 0; col < c->b.ground.cols; col++)
		for (int row = c->b.ground.rows - 1; row >= 0; row--) {
			const json_t *k = json_array_get(cells, n);

			if (!pb_zumy_has(&m.known, row, col))
				continue;
			if (!is(c, (struct pb_zumy_cell){row, col}, k) ||
			    num(k, 2) != at(of(c->in, "map"), row, col) - '0')
				return false;
			n++;
		}
	return n == json_array_size(cells);
}

static bool
has(const json_t *list, const json_t *v)
{
	const json_t *k;
	size_t i;

	json_array_foreach(list, i, k) if (json_equal(k, v)) return true;
	return false;
}

static bool
test_camera(struct scene *c)
{
	const struct pb_zumy_patrol *p = &c->s.patrol[0];
	const json_t *tags;
	bool over = false;
	size_t i, k;

	c->o.patrols = 1;
	c->b.ground.rows = 1;
	c->s.patrol[0].map.last = cell(c, of(c->in, "lkpp"));
	json_array_foreach(of(c->in, "messages"), i, tags)
	{
		const json_t *after = json_array_get(of(c->out, "after"), i);
		bool seen = false;
		const json_t *tag;

		json_array_foreach(tags, k, tag) seen |=
		    has(of(c->in, "side_tags"), tag);
		c->s.player.at =
		    cell(c, json_array_get(of(c->in, "player_cells"), i));
		over |= pb_zumy_camera(&c->s, 0, seen);
		if (!near(p->s, answer(json_array_get(after, 0)), 1e-6) ||
		    (p->stares || over) !=
			json_is_true(json_array_get(after, 1)) ||
		    over != json_is_true(json_array_get(after, 2)) ||
		    !is(c, p->map.last, json_array_get(after, 3)))
			return false;
	}
	return true;
}

/*
 * The clock of the cases: it goes on by 1 us whenever somebody looks, and a
 * turn takes 0.1 s at least since the one before.
 */
struct clock {
	double now, last;
};

#define LOOK 1e-6

static void
drive_and_sleep(struct clock *t, double drive, bool pinged)
{
	t->now += drive + (pinged ? 2 : 1) * LOOK;
	t->last = fmin(t->last, t->now);
	if (t->now < t->last + 0.1)
		t->now = t->last + 0.1;
	t->last += 0.1;
	if (t->now - t->last > 0.2)
		t->last = t->now;
	t->now += LOOK;
}

static bool
test_patrol_run(struct scene *c)
{
	const json_t *want = of(c->out, "decisions"), *k;
	const json_t *player = of(c->in, "player_every_3s");
	struct pb_zumy_patrol *p = &c->s.patrol[0];
	bool ended = c->raised != NULL && strcmp(c->raised, "IndexError") == 0;
	struct clock t = {2 * LOOK, LOOK};
	struct pb_zumy_path way;
	size_t i, turns = json_array_size(of(c->in, "drive_seconds"));

	/* Only what it has seen, and the published first guess. */
	p->map =
	    (struct pb_patrol_map){.last = {(int8_t)(c->b.ground.rows - 2), 1}};
	p->body.at = cell(c, of(c->in, "start"));
	c->s.patrol[1].body.at = cell(c, of(c->in, "other"));
	json_array_foreach(want, i, k)
	{
		size_t where = (size_t)(t.now / 3), n = json_array_size(player);
		struct pb_zumy_cell goal, next;
		bool due;

		pb_patrol_reveal(&p->map, &c->b.ground, p->body.at);
		due = pb_patrol_due(&p->next, t.now, 5);
		if (due) {
			p->next += LOOK;
			p->map.last = cell(c,
			    json_array_get(player, where < n ? where : n - 1));
		}
		goal = pb_zumy_patrol_plan(&c->s, 0, &way);
		next = beside(p->body.at, pb_zumy_first(&way));
		if (way.ended || !near(t.now, num(k, 0), 1e-3) ||
		    !is(c, p->body.at, json_array_get(k, 1)) ||
		    due != json_is_true(json_array_get(k, 2)) ||
		    !is(c, p->map.last, json_array_get(k, 3)) ||
		    !is(c, goal, json_array_get(k, 4)) ||
		    !is(c, next, json_array_get(k, 5)))
			return false;
		p->body.at = next;
		drive_and_sleep(&t, num(of(c->in, "drive_seconds"), i), due);
	}
	pb_patrol_reveal(&p->map, &c->b.ground, p->body.at);
	if (pb_patrol_due(&p->next, t.now, 5))
		p->map.last = cell(c,
		    json_array_get(player,
			fmin(t.now / 3, (double)json_array_size(player) - 1)));
	pb_zumy_patrol_plan(&c->s, 0, &way);
	return ended ? way.ended : c->raised != NULL || i == turns;
}

static bool
test_board(struct scene *c)
{
	const char *text = json_string_value(of(c->in, "text"));
	const json_t *map = of(c->out, "map");
	struct pb_board_fault f;
	struct pb_zumy_cell goal;
	struct pb_maze z;

	if (pb_board_parse_grid(text, strlen(text), &z, &f) != PB_OK)
		return c->raised != NULL &&
		       strcmp(c->raised, "ValueError") == 0;
	/* They cannot find a goal on what has one row or column. */
	if (z.rows == 1 || z.cols == 1)
		return c->raised != NULL && strcmp(c->raised, "TypeError") == 0;
	c->b.ground.rows = z.rows;
	if (c->raised != NULL || num(of(c->out, "dims"), 0) != z.cols ||
	    num(of(c->out, "dims"), 1) != z.rows ||
	    (pb_zumy_goal(&z, &goal) ? !is(c, goal, of(c->out, "goal"))
				     : !json_is_null(of(c->out, "goal"))))
		return false;
	for (int x = 0; x < z.cols; x++)
		for (int y = 0; y < z.rows; y++) {
			double v =
			    num(json_array_get(map, (size_t)x), (size_t)y);
			char k = z.cell[z.rows - 1 - y][x];

			if (k != (v == 0      ? PB_MAZE_EMPTY
				     : v == 9 ? PB_MAZE_GOAL
					      : PB_MAZE_WALL))
				return false;
		}
	return true;
}

static bool
test_cell(struct scene *c)
{
	const json_t *step = of(c->in, "step"), *k;
	struct pb_zumy_cell got;
	size_t i;

	c->b.ground.rows = 7;
	json_array_foreach(of(c->in, "samples"), i,
	    k) if (!json_is_null(k) &&
		   pb_zumy_cell_read(num(k, 0) / num(step, 0),
		       num(k, 1) / num(step, 1), 7, 10,
		       &got)) return c->raised == NULL &&
	    json_integer_value(of(c->out, "used")) == (json_int_t)i + 1 &&
	    is(c, got, of(c->out, "cell"));
	return c->raised != NULL && strcmp(c->raised, "hangs") == 0;
}

static bool
test_facing(struct scene *c)
{
	const json_t *q = of(c->in, "rot");
	double th = pb_yaw(num(q, 0), num(q, 1), num(q, 2), num(q, 3));

	return (int)pb_zumy_facing(th, true) == facing(of(c->out, "facing"));
}

static bool
test_grid(struct scene *c)
{
	const json_t *grid = of(c->in, "grid"), *k;
	const struct pb_zumy_bodies *o = &c->o.bodies;
	struct pb_vec mean = {0.14, 0.14};
	json_int_t sleeps = 0;
	size_t i, n = 0;

	json_array_foreach(of(c->in, "samples"), i, k)
	{
		const json_t *want = json_array_get(of(c->out, "published"), n);

		if (json_is_null(k)) {
			sleeps++;
			continue;
		}
		n++;
		pb_zumy_average(&mean,
		    (struct pb_vec){
			num(k, 0) / num(grid, 0), num(k, 1) / num(grid, 1)},
		    o->fade, o->odd);
		if (!near(mean.x, num(want, 0), 1e-6) ||
		    !near(mean.y, num(want, 1), 1e-6))
			return false;
	}
	return n == json_array_size(of(c->out, "published")) &&
	       sleeps == json_integer_value(of(c->out, "sleeps"));
}

static struct pb_approach_opts
published(const struct scene *c)
{
	struct pb_approach_opts a = c->o.bodies.approach;

	a.published = true;
	return a;
}

/* The target of a case; the pose of a tag seen from above. */
static struct pb_vec
target(const struct scene *c, struct pb_vec *step)
{
	const json_t *s = of(c->in, "step"), *w = of(c->in, "waypoint");

	*step = (struct pb_vec){num(s, 0), num(s, 1)};
	return (struct pb_vec){step->x * num(w, 0), step->y * num(w, 1)};
}

static struct pb_tag
tag_of(const json_t *p, const json_t *q)
{
	double x = num(q, 0), y = num(q, 1), z = num(q, 2), w = num(q, 3);

	return (struct pb_tag){
	    {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w),
		 2 * (x * z + y * w)},
		{2 * (x * y + z * w), 1 - 2 * (x * x + z * z),
		    2 * (y * z - x * w)},
		{2 * (x * z - y * w), 2 * (y * z + x * w),
		    1 - 2 * (x * x + y * y)}},
	    {num(p, 0), num(p, 1), num(p, 2)}};
}

/* Numbers of w count from `from` on. */
static bool
is_twist(
    const struct pb_twist3 *u, const json_t *v, const json_t *w, size_t from)
{
	for (size_t i = 0; i < 3; i++)
		if (!near(u->v[i], num(v, i), 1e-5) ||
		    !near(u->w[i], num(w, i + from), 1e-5))
			return false;
	return json_is_array(v) && json_is_array(w);
}

static bool
test_twist_step(struct scene *c)
{
	const struct pb_approach_opts a = published(c);
	const struct pb_tag t = tag_of(
	    of(c->in, "trans_self_in_origin"), of(c->in, "rot_self_in_origin"));
	struct pb_leg leg = {.aligned = false};
	struct pb_vec step, to = target(c, &step);
	struct pb_pose p = {t.p[0], t.p[1], 0};
	bool there;
	struct pb_twist3 u = pb_approach(&a, &leg, p, &t, to, step, &there);

	return is_twist(&u, of(c->out, "v"), of(c->out, "w"), 0) &&
	       strcmp(json_string_value(of(c->out, "mode")), there ? "arrived"
							     : leg.aligned
								 ? "drive"
								 : "turn") == 0;
}

static bool
is_published(const struct pb_twist3 *u, const json_t *p)
{
	return is_twist(u, p, p, 3);
}

static bool
test_twist_frames(struct scene *c)
{
	const struct pb_approach_opts a = published(c);
	const struct pb_twist3 none = {.v = {0}};
	const json_t *stop = of(c->in, "interrupt_after"), *k;
	const json_t *out = of(c->out, "published");
	struct pb_leg leg = {.aligned = false};
	struct pb_vec step, to = target(c, &step);
	bool there = false;
	size_t i, n = 0;

	json_array_foreach(of(c->in, "frames"), i, k)
	{
		struct pb_pose p = {num(k, 0), num(k, 1), num(k, 3)};
		struct pb_tag t = pb_tag_at(p, num(k, 2), num(k, 4), num(k, 5));
		struct pb_twist3 u = none;

		if (there || (json_is_integer(stop) &&
				 (json_int_t)i >= json_integer_value(stop)))
			break;
		if (!json_is_null(k))
			u = pb_approach(&a, &leg, p, &t, to, step, &there);
		if (!is_published(&u, json_array_get(out, n++)))
			return false;
	}
	if (!there && json_is_integer(stop) &&
	    !is_published(&none, json_array_get(out, n++)))
		return false;
	return n == json_array_size(out);
}

/* Where the pictures have noise, only those that are told can be driven by. */
static bool
test_manoeuvre(struct scene *c)
{
	const struct pb_approach_opts a = published(c);
	const json_t *first = json_array_get(of(c->in, "frames"), 0), *k;
	double dt = json_number_value(of(c->in, "dt"));
	double z = json_number_value(of(c->in, "height"));
	struct pb_pose p = {num(first, 0), num(first, 1), num(first, 2)};
	struct pb_leg leg = {.aligned = false};
	struct pb_vec step, to = target(c, &step);
	bool there = false, noise = false;
	size_t n = 0, turning = 0;

	for (; n < 300 && !there; n++) {
		struct pb_tag t;
		struct pb_twist3 u;

		k = json_array_get(of(c->in, "frames"), n);
		if (k == NULL && noise)
			return json_integer_value(of(c->out, "frames")) >
			       (json_int_t)n;
		k = k != NULL ? k : first;
		noise |= n < json_array_size(of(c->in, "frames")) &&
		         (fabs(pb_wrap(p.th - num(k, 2))) > 1e-6 ||
			     num(k, 3) != num(first, 3));
		if (noise)
			p = (struct pb_pose){num(k, 0), num(k, 1), num(k, 2)};
		t = pb_tag_at(p, z, num(k, 3), num(k, 4));
		u = pb_approach(&a, &leg, p, &t, to, step, &there);
		k = json_array_get(of(c->out, "published"), n);
		if (k != NULL && (!near(u.v[0], num(k, 0), 1e-5) ||
				     !near(u.v[1], num(k, 1), 1e-5) ||
				     !near(u.w[2], num(k, 2), 1e-5)))
			return false;
		turning += !leg.aligned;
		p = pb_drive_move(p, (struct pb_twist){u.v[0], u.w[2]}, dt);
	}
	return there == json_is_true(of(c->out, "arrived")) &&
	       n == (size_t)json_integer_value(of(c->out, "frames")) &&
	       turning ==
	           (size_t)json_integer_value(of(c->out, "turning_frames")) &&
	       near((double)n * dt, json_number_value(of(c->out, "seconds")),
		   1e-6);
}

static const struct kind {
	const char *name;
	bool (*holds)(struct scene *c);
} kinds[] = {{"board", test_board}, {"camera", test_camera},
    {"cell", test_cell}, {"explore", test_explore}, {"facing", test_facing},
    {"grid", test_grid}, {"manoeuvre", test_manoeuvre},
    {"patrol_cost", test_patrol_cost}, {"patrol_run", test_patrol_run},
    {"patrol_step", test_patrol_step}, {"player_cost", test_player_cost},
    {"player_step", test_player_step}, {"player_turn", test_player_turn},
    {"ray", test_ray}, {"reveal", test_reveal},
    {"twist_frames", test_twist_frames}, {"twist_step", test_twist_step}};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

/* The number of the kind of a case, -1: none of these. */
static int
kind_of(const json_t *line)
{
	const char *name = json_string_value(of(line, "kind"));

	for (int i = 0; i < KINDS && name != NULL; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return i;
	return -1;
}

static bool
test_case(const json_t *line, int kind)
{
	struct scene c = {.in = of(line, "in"),
	    .out = of(line, "out"),
	    .raised = json_string_value(of(line, "raised")),
	    .o = pb_zumy_defaults(),
	    .s = {.by = -1}};
	const json_t *map = of(c.in, "map");
	bool ok;

	if (kind < 0)
		return false;
	c.s.board = &c.b;
	c.s.opts = &c.o;
	c.o.compat = PB_ZUMY_PUBLISHED;
	read_map(&c, json_is_array(map) ? map : of(c.in, "known"));
	if (json_is_array(of(c.in, "patrols")))
		read_patrols(&c, of(c.in, "patrols"));
	ok = kinds[kind].holds(&c);
	/* There the published numbers are noise: it is enough to get here. */
	return ok || json_is_true(of(line, "degenerate"));
}

/* Cases that come out the same, of *all; the others' ids to stdout by kind. */
static int
test_file(FILE *f, int *all)
{
	json_t *failed[KINDS + 1];
	char *text = NULL;
	size_t size = 0, i;
	int same = 0;

	for (int k = 0; k <= KINDS; k++)
		failed[k] = json_array();
	for (*all = 0; getline(&text, &size, f) > 0; ++*all) {
		json_t *line = json_loads(text, 0, NULL);
		int kind = kind_of(line);
		bool ok = test_case(line, kind);

		same += ok;
		if (!ok)
			json_array_append_new(failed[kind < 0 ? KINDS : kind],
			    json_deep_copy(of(line, "id")));
		json_decref(line);
	}
	for (int k = 0; k <= KINDS; k++) {
		const json_t *id;

		if (json_array_size(failed[k]) > 0)
			printf("# %s:", k < KINDS ? kinds[k].name : "unknown");
		json_array_foreach(failed[k], i, id)
		    printf(" %s", json_string_value(id));
		if (json_array_size(failed[k]) > 0)
			printf("\n");
		json_decref(failed[k]);
	}
	free(text);
	return same;
}

int
main(int argc, char **argv)
{
	return run_goldens(test_file, argc, argv, "testdata/zumy-cases.jsonl",
	    "../shared/data/zumy-golden/zumy-golden.jsonl");
}
