/* zumy.c - the Zumy game, tick by tick. */
#include "game/zumy/zumy.h"

#include <math.h>

#include "base/elementary.h"

static bool
is_as_published(const struct pb_zumy *s)
{
	return pb_zumy_as_published(s->opts);
}

/* Whether body b is in cell c, or drives there. */
static bool
claims_cell(const struct pb_zumy_body *b, struct pb_zumy_cell c)
{
	return pb_zumy_same(b->at, c) || pb_zumy_same(b->to, c);
}

static bool
is_idle(const struct pb_zumy_body *b)
{
	return b->turn == 0 && b->drive == 0;
}

/* Whether the cell of any patrol but i is still unread. */
static bool
has_unread_patrol(const struct pb_zumy *s, int i)
{
	for (int k = 0; k < s->opts->patrols; k++)
		if (k != i && s->patrol[k].body.unread)
			return true;
	return false;
}

bool
pb_zumy_asks(const struct pb_zumy *s)
{
	return s->ending == PB_ZUMY_ON && is_idle(&s->player) &&
	       !s->player.unread && !has_unread_patrol(s, -1);
}

/* Whether a robot may be in cell c for others. */
static bool
is_free(const struct pb_zumy *s, int robot, struct pb_zumy_cell c)
{
	if (is_as_published(s))
		return true;
	if (robot > 0 && claims_cell(&s->player, c))
		return false;
	for (int i = 0; i < s->opts->patrols; i++)
		if (1 + i != robot && claims_cell(&s->patrol[i].body, c))
			return false;
	return true;
}

bool
pb_zumy_can_drive(const struct pb_zumy *s, int robot, enum pb_dir d)
{
	const struct pb_zumy_ground *g = &s->board->ground;
	struct pb_zumy_cell next, there;

	if (d == PB_STAY || (robot == 0 && s->frozen))
		return false;
	next = there =
	    pb_zumy_beside(pb_zumy_body((struct pb_zumy *)s, robot)->at, d);
	if (robot > 0 && is_as_published(s)) {
		there.col += (int8_t)((there.col < 0) * g->cols);
		there.row -= (int8_t)((there.row >= g->rows) * g->rows);
	}
	return pb_zumy_has(&g->open, there.row, there.col) &&
	       is_free(s, robot, next);
}

static void
start_move(const struct pb_zumy *s, struct pb_zumy_body *b, enum pb_dir d)
{
	int quarters = ((int)d - b->facing + 4) % 4;

	b->to = pb_zumy_beside(b->at, d);
	b->turning = (int8_t)d;
	/* Three quarter turns are one the other way. */
	b->turn =
	    (int16_t)((quarters == 3 ? 1 : quarters) * s->opts->turn_time);
	b->drive = (int16_t)s->opts->cell_time;
	if (b->turn == 0)
		b->facing = b->turning;
}

/* Read the cell of a body that moves in step. */
static void
read_cell(const struct pb_zumy *s, struct pb_zumy_body *p)
{
	const struct pb_zumy_ground *g = &s->board->ground;
	struct pb_zumy_cell c;

	p->unread = is_as_published(s) &&
	            !pb_zumy_cell_read(p->at.col, g->rows - 1 - p->at.row,
			g->rows, g->cols, &c);
}

/* One tick of motion in step; true if it has just arrived. */
static bool
advance(struct pb_zumy *s, const struct pb_zumy_motor *m, int robot)
{
	struct pb_zumy_body *p = pb_zumy_body(s, robot);

	if (m)
		return m->advance(m->ctx, robot, p);
	if (p->turn > 0) {
		if (--p->turn == 0)
			p->facing = p->turning;
		return false;
	}
	if (p->drive == 0)
		return false;
	if (--p->drive == s->opts->cell_time / 2) {
		p->at = p->to;
		read_cell(s, p);
	}
	return p->drive == 0;
}

bool
pb_zumy_camera(struct pb_zumy *s, int i, bool seen)
{
	struct pb_zumy_patrol *p = &s->patrol[i];
	bool stared = p->stares;

	p->seen = seen;
	p->s = s->opts->memory * p->s + (1 - s->opts->memory) * p->seen;
	if (p->seen)
		for (int k = 0; k < s->opts->patrols; k++)
			if (k == i || s->opts->share)
				pb_patrol_set_player(
				    &s->patrol[k].map, s->player.at);
	p->stares = p->s > s->opts->stare;
	if (p->stares != stared)
		s->events |=
		    (unsigned)(p->stares ? PB_ZUMY_STARE : PB_ZUMY_RESUME) << i;
	return p->s > s->opts->win;
}

/* Process a picture of camera i. Returns whether the patrols have won. */
static bool
use_camera(struct pb_zumy *s, int i)
{
	const struct pb_zumy_patrol *p = &s->patrol[i];

	return !p->lost && pb_zumy_camera(s, i,
			       pb_patrol_sees(&s->board->ground, p->body.at,
				   (enum pb_dir)p->body.facing, s->player.at,
				   s->opts->range));
}

void
pb_zumy_fail_patrol(struct pb_zumy *s, int i)
{
	s->patrol[i].lost = true;
	s->patrol[i].seen = s->patrol[i].stares = false;
}

static void
ping_patrols(struct pb_zumy *s)
{
	s->events |= PB_ZUMY_PING;
	for (int i = 0; i < s->opts->patrols; i++)
		pb_patrol_set_player(&s->patrol[i].map, s->player.at);
}

/* Merge the maps of all patrols. */
static void
share_maps(struct pb_zumy *s)
{
	struct pb_zumy_set all = s->patrol[0].map.known;

	for (int i = 1; i < s->opts->patrols; i++)
		for (int r = 0; r < PB_ZUMY_SIDE; r++)
			all.row[r] |= s->patrol[i].map.known.row[r];
	for (int i = 0; i < s->opts->patrols; i++)
		s->patrol[i].map.known = all;
}

/* How many patrols are nearer to the player's last place than patrol i. */
static int
rank_of_distance(const struct pb_zumy *s, int i)
{
	struct pb_zumy_cell last = s->patrol[i].map.last;
	int mine = pb_zumy_manhattan(s->patrol[i].body.at, last), n = 0;

	for (int k = 0; k < s->opts->patrols; k++) {
		int d = pb_zumy_manhattan(s->patrol[k].body.at, last);

		n += d < mine || (d == mine && k < i);
	}
	return n;
}

/* Distance of cell c from the nearest patrol other than i. */
static int
distance_to_nearest(const struct pb_zumy *s, int i, struct pb_zumy_cell c)
{
	int least = 100;

	for (int k = 0; k < s->opts->patrols; k++) {
		int d = pb_zumy_manhattan(s->patrol[k].body.at, c);

		if (k != i && d < least)
			least = d;
	}
	return least;
}

/* Goal of a patrol that shares its map: the patrol nearest to the player
 * pursues it, the others block known cells beside it on other sides. */
static struct pb_zumy_cell
encircling_goal(const struct pb_zumy *s, int i, struct pb_zumy_cell usual)
{
	struct pb_zumy_cell last = s->patrol[i].map.last, best = usual;
	int worth = -1;

	if (rank_of_distance(s, i) == 0)
		return usual;
	for (int row = last.row - 3; row <= last.row + 3; row++)
		for (int col = last.col - 3; col <= last.col + 3; col++) {
			struct pb_zumy_cell c = {(int8_t)row, (int8_t)col};
			int w;

			if (!pb_zumy_has(&s->board->ground.open, row, col) ||
			    !pb_zumy_has(&s->patrol[i].map.known, row, col) ||
			    pb_zumy_same(c, s->board->ground.goal))
				continue;
			w = 4 * distance_to_nearest(s, i, c) -
			    pb_zumy_manhattan(c, last);
			if (w > worth) {
				worth = w;
				best = c;
			}
		}
	return best;
}

/* The inputs of patrol i's decision. */
static struct pb_zumy_plan
decision_inputs(const struct pb_zumy *s, int i)
{
	const struct pb_zumy_patrol *p = &s->patrol[i];
	struct pb_zumy_plan n = {
	    .made = true, .at = p->body.at, .last = p->map.last};

	for (int k = 0; k < s->opts->patrols; k++)
		n.other[k] = s->patrol[k].body.at;
	for (int r = 0; r < PB_ZUMY_SIDE; r++)
		n.known += p->map.known.row[r];
	return n;
}

static bool
has_same_inputs(
    const struct pb_zumy_plan *a, const struct pb_zumy_plan *b, int patrols)
{
	for (int k = 0; k < patrols; k++)
		if (!pb_zumy_same(a->other[k], b->other[k]))
			return false;
	return a->made == b->made && a->known == b->known &&
	       pb_zumy_same(a->at, b->at) && pb_zumy_same(a->last, b->last);
}

/* The goal of patrol i; *open: the cells that it knows to be open. */
static struct pb_zumy_cell
goal_of(const struct pb_zumy *s, int i, struct pb_zumy_set *open)
{
	const struct pb_zumy_patrol *p = &s->patrol[i];
	struct pb_zumy_cell other[PB_ZUMY_PATROLS], goal;
	int n = 0;

	for (int k = 0; k < s->opts->patrols; k++)
		if (k != i)
			other[n++] = s->patrol[k].body.at;
	goal = pb_patrol_goal(&p->map, &s->board->ground, p->body.at, other, n);
	if (s->opts->share)
		goal = encircling_goal(s, i, goal);
	for (int r = 0; r < PB_ZUMY_SIDE; r++)
		open->row[r] =
		    p->map.known.row[r] & s->board->ground.open.row[r];
	return goal;
}

struct pb_zumy_cell
pb_zumy_patrol_plan(const struct pb_zumy *s, int i, struct pb_zumy_path *way)
{
	struct pb_zumy_set open;
	const struct pb_zumy_search search = {.ground = &s->board->ground,
	    .open = &open,
	    .start_prices = is_as_published(s),
	    .wraps = is_as_published(s)};
	struct pb_zumy_cell goal = goal_of(s, i, &open);

	pb_zumy_find(&search, s->patrol[i].body.at, goal, way);
	return goal;
}

/* The cached plan of patrol i, renewed if its inputs changed. */
static const struct pb_zumy_plan *
get_plan(struct pb_zumy *s, int i)
{
	struct pb_zumy_patrol *p = &s->patrol[i];
	struct pb_zumy_plan now = decision_inputs(s, i);
	struct pb_zumy_path way;

	if (has_same_inputs(&p->plan, &now, s->opts->patrols))
		return &p->plan;
	pb_zumy_patrol_plan(s, i, &way);
	now.dir = (int8_t)pb_zumy_first(&way);
	now.ends = way.ended;
	p->plan = now;
	return &p->plan;
}

bool
pb_zumy_patrol_ends(struct pb_zumy *s, int i)
{
	return is_as_published(s) && get_plan(s, i)->ends;
}

enum pb_dir
pb_zumy_choose(struct pb_zumy *s, int i)
{
	enum pb_dir d = (enum pb_dir)get_plan(s, i)->dir;

	return pb_zumy_can_drive(s, 1 + i, d) ? d : PB_STAY;
}

/* As published, a patrol pings for itself when that is due. Returns false while
 * it waits for the player's cell to be read. */
static bool
update_own_ping(struct pb_zumy *s, int i)
{
	struct pb_zumy_patrol *p = &s->patrol[i];

	if (!is_as_published(s) || s->tick <= p->next)
		return true;
	if (s->player.unread ||
	    !pb_patrol_due(&p->next, s->tick, s->opts->ping))
		return false;
	pb_patrol_set_player(&p->map, s->player.at);
	s->events |= (unsigned)PB_ZUMY_ASKED << i;
	return true;
}

/* Let a patrol that has arrived update its map, decide, and set off. If it
 * cannot, it tries again in the next tick. */
static void
decide(struct pb_zumy *s, const struct pb_zumy_agents *agents, int i)
{
	struct pb_zumy_patrol *p = &s->patrol[i];
	enum pb_dir d;

	if (p->body.unread)
		return;
	pb_patrol_reveal(&p->map, &s->board->ground, p->body.at);
	if (s->opts->share)
		share_maps(s);
	if (!update_own_ping(s, i) || has_unread_patrol(s, i))
		return;
	if (pb_zumy_patrol_ends(s, i)) {
		pb_zumy_fail_patrol(s, i);
		return;
	}
	d = agents ? agents->decide(agents->ctx, s, 1 + i)
	           : pb_zumy_choose(s, i);
	if (!p->lost && pb_zumy_can_drive(s, 1 + i, d))
		start_move(s, &p->body, d);
}

/* The patrol that is in the cell next to the player and faces it, or -1. */
int
pb_zumy_right_before(const struct pb_zumy *s)
{
	for (int i = 0; i < s->opts->patrols; i++) {
		const struct pb_zumy_body *p = &s->patrol[i].body;

		if (pb_zumy_same(
			pb_zumy_beside(p->at, p->misread ? PB_DOWN : p->facing),
			s->player.at))
			return i;
	}
	return -1;
}

enum pb_zumy_ending
pb_zumy_verdict(const struct pb_zumy *s, int by)
{
	bool there = pb_zumy_same(s->player.at, s->board->ground.goal) &&
	             !s->player.unread;

	if (there && (by < 0 || is_as_published(s)))
		return PB_ZUMY_REACHED;
	return by < 0 ? PB_ZUMY_ON : PB_ZUMY_SEEN;
}

/* Set the ending, given the patrol that has won (-1: none); returns whether the
 * game goes on. */
static bool
decide_ending(struct pb_zumy *s, int by)
{
	s->ending = (int8_t)pb_zumy_verdict(s, by);
	s->by = (int8_t)(s->ending == PB_ZUMY_SEEN ? by : -1);
	return s->ending == PB_ZUMY_ON;
}

bool
pb_zumy_tick(struct pb_zumy *s, enum pb_dir d,
    const struct pb_zumy_agents *agents, const struct pb_zumy_motor *m)
{
	int won = -1, by;

	if (s->ending != PB_ZUMY_ON)
		return false;
	s->tick++;
	s->events = 0;
	if (pb_zumy_asks(s)) {
		if ((by = pb_zumy_right_before(s)) >= 0)
			return decide_ending(s, by);
		s->waits++;
		if (agents)
			d = agents->decide(agents->ctx, s, 0);
		if (pb_zumy_can_drive(s, 0, d)) {
			start_move(s, &s->player, d);
			s->waits = 0;
		}
	}
	for (int i = 0; i < s->opts->patrols; i++)
		if (use_camera(s, i) && won < 0)
			won = i;
	if (won >= 0)
		return decide_ending(s, won);
	if (s->tick % s->opts->ping == 0 && !is_as_published(s))
		ping_patrols(s);
	for (int i = 0; i < s->opts->patrols; i++) {
		struct pb_zumy_patrol *p = &s->patrol[i];

		if (p->stares || p->lost)
			continue;
		advance(s, m, 1 + i);
		if (is_idle(&p->body))
			decide(s, agents, i);
	}
	if (advance(s, m, 0)) {
		s->moves++;
		if (!decide_ending(s, -1))
			return false;
	}
	if (s->tick >= s->opts->limit)
		s->ending = PB_ZUMY_DRAW;
	return s->ending == PB_ZUMY_ON;
}

/* Steps from the player's start to cell c; PB_FAR: no way. */
static int
steps_from_start(const struct pb_zumy_board *b, int c)
{
	return pb_cells_dist(
	    &b->cells, pb_cells_at(&b->cells, b->start.row, b->start.col), c);
}

/* Draw the patrols' cells, all different and far enough from the player. */
static void
place_patrols(struct pb_zumy *s, struct pb_rng *r)
{
	const struct pb_cell_at *cell = s->board->cells.cell;
	int n = pb_zumy_room(s->board, s->opts);
	bool taken[PB_ZUMY_SIDE * PB_ZUMY_SIDE] = {false};

	for (int i = 0; i < s->opts->patrols; i++) {
		int k = (int)pb_rng_below(r, (uint32_t)(n - i)), c = 0;
		struct pb_zumy_body *b = &s->patrol[i].body;

		for (;; c++) {
			int d = steps_from_start(s->board, c);

			if (d < s->opts->near || d == PB_FAR || taken[c])
				continue;
			if (k-- == 0)
				break;
		}
		taken[c] = true;
		b->at = b->to = (struct pb_zumy_cell){cell[c].row, cell[c].col};
		b->facing = b->turning = (int8_t)pb_rng_below(r, 4);
	}
}

int
pb_zumy_room(const struct pb_zumy_board *b, const struct pb_zumy_opts *o)
{
	int n = 0;

	for (int c = 0; c < b->cells.n; c++) {
		int d = steps_from_start(b, c);

		n += d >= o->near && d != PB_FAR;
	}
	return n;
}

void
pb_zumy_start(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, uint64_t seed, uint64_t trial)
{
	struct pb_rng r;

	*s = (struct pb_zumy){.board = b, .opts = o, .by = -1};
	s->player.at = s->player.to = b->start;
	pb_rng_start(&r, seed, trial, PB_FOR_TRIAL, 0);
	place_patrols(s, &r);
	for (int i = 0; i <= o->patrols; i++)
		read_cell(s, pb_zumy_body(s, i));
	for (int i = 0; i < o->patrols; i++)
		s->patrol[i].map.last =
		    (struct pb_zumy_cell){(int8_t)(b->ground.rows - 2), 1};
	if (!is_as_published(s))
		ping_patrols(s);
	pb_zumy_start_player(s);
}

void
pb_zumy_start_player(struct pb_zumy *s)
{
	s->frozen = is_as_published(s) && pb_zumy_right_before(s) >= 0;
}

#define DT (1.0 / PB_ZUMY_HZ)
#define NO_TIME                                                                \
	1e-9            /* remainders of a tick below this are rounding errors \
	                   (s) */
#define TAG_HEIGHT 0.09 /* of robots' tags above the floor's, ours (m) */
#define LONGEST    300  /* ticks of a leg: a robot may slip for ever */

const char *
pb_zumy_fleet_wrong(const struct pb_maze *z, const struct pb_zumy_opts *o)
{
	if (o->motion == PB_ZUMY_DRIVE && o->bodies.size > pb_maze_pitch(z))
		return "has cells that are smaller than a robot; see body";
	return NULL;
}

/* The centre of a cell, for cells of the size `cell`. */
static struct pb_vec
centre(const struct pb_zumy_board *b, struct pb_zumy_cell c, struct pb_vec cell)
{
	int up = b->ground.rows - 1 - c.row;

	return (struct pb_vec){
	    b->side / 2 + c.col * cell.x, b->side / 2 + up * cell.y};
}

void
pb_zumy_fleet_start(struct pb_zumy_fleet *f, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, uint64_t seed, uint64_t trial)
{
	const double first =
	    o->bodies.cell_first > 0 ? o->bodies.cell_first : b->side;
	struct pb_rng lean;

	*f = (struct pb_zumy_fleet){
	    .bumps.nearest = INFINITY, .cell = {first, first}};
	pb_zumy_start(&f->s, b, o, seed, trial);
	pb_rng_start(&lean, seed, trial, PB_FOR_SENSOR, 1);
	pb_rng_start(&f->rng, seed, trial, PB_FOR_SENSOR, 0);
	for (int i = 0; i <= o->patrols; i++) {
		const struct pb_zumy_body *p = pb_zumy_body(&f->s, i);
		struct pb_vec at =
		    centre(b, p->at, (struct pb_vec){b->side, b->side});

		pb_rover_start(&f->rover[i], &o->bodies.rover,
		    (struct pb_pose){at.x, at.y,
			pb_maze_pose(&b->maze, 0, 0, (enum pb_dir)p->facing, 0)
			    .th},
		    seed, trial, (unsigned)i);
		f->lean[i] = 2 * PB_PI * pb_rng_unit(&lean);
	}
}

bool
pb_zumy_average(
    struct pb_vec *cell, struct pb_vec measured, double weight, double odd)
{
	struct pb_vec off = {measured.x - cell->x, measured.y - cell->y};

	if (fabs(off.x) > odd * cell->x || fabs(off.y) > odd * cell->y)
		return false;
	cell->x += weight * off.x;
	cell->y += weight * off.y;
	return true;
}

static double
measured_side(struct pb_zumy_fleet *f, double side, double noise)
{
	return noise > 0 ? side + side * noise * pb_rng_normal(&f->rng) : side;
}

/* Measure the size of a cell; outliers are discarded. */
static void
measure_cell(struct pb_zumy_fleet *f)
{
	const struct pb_zumy_bodies *o = &f->s.opts->bodies;
	double side = f->s.board->side;
	double weight =
	    o->average == PB_ZUMY_MEAN ? 1.0 / (f->samples + 1) : o->fade;
	double x = measured_side(f, side, o->cell_noise), y = x;

	if (o->average == PB_ZUMY_AXES)
		y = measured_side(f, side, o->cell_noise);
	f->samples +=
	    pb_zumy_average(&f->cell, (struct pb_vec){x, y}, weight, o->odd);
}

/* Forecast a body's ticks of turning, in which the heading error decays each
 * second, and of driving; half-way it is in the next cell. */
static void
forecast(struct pb_zumy_body *p, const struct pb_zumy_opts *o, double side,
    struct pb_pose seen, struct pb_vec to)
{
	const struct pb_approach_opts *a = &o->bodies.approach;
	struct pb_vec d = pb_vec_into(seen, to);
	double off = fabs(pb_atan2(d.y, d.x)) / a->turn_until;
	double left = (pb_hypot(d.x, d.y) - a->near * side) / (a->v * DT);
	int half = o->cell_time / 2;
	bool in = pb_zumy_same(p->at, p->to);

	p->turn = (int16_t)(off > 1 ? ceil(pb_log(off) / DT) : 0);
	p->drive = (int16_t)fmax(1, fmin(left, 1000));
	if (in && p->drive > half)
		p->drive = (int16_t)(half > 0 ? half : 1);
	if (!in && p->drive <= half)
		p->drive = (int16_t)(half + 1);
}

/* Run the controller on a new picture. */
static struct pb_twist3
run_controller(
    struct pb_zumy_fleet *f, int robot, struct pb_vec to, bool *there)
{
	const struct pb_zumy_opts *o = f->s.opts;
	struct pb_approach_opts a = o->bodies.approach;
	struct pb_pose seen = f->rover[robot].seen;
	double tilt = o->bodies.tilt;
	struct pb_tag tag;

	a.published = pb_zumy_as_published(o);
	if (a.published)
		tag = pb_tag_at(seen, TAG_HEIGHT, tilt * pb_cos(f->lean[robot]),
		    tilt * pb_sin(f->lean[robot]));
	return pb_approach(&a, &f->leg[robot], seen, &tag, to, f->cell, there);
}

/* One tick of controller and body: between pictures it repeats the last
 * command. Returns whether it has arrived. */
static bool
steer(struct pb_zumy_fleet *f, int robot, struct pb_vec to)
{
	const struct pb_zumy_bodies *o = &f->s.opts->bodies;
	struct pb_leg *leg = &f->leg[robot];
	double *due = &f->due[robot], left = DT;
	bool there = false;

	while (left > NO_TIME) {
		double dt;

		if (*due <= NO_TIME) {
			leg->commanded = run_controller(f, robot, to, &there);
			*due = o->frame;
		}
		if (there)
			return true;
		dt = fmin(left, *due);
		pb_onboard_drive(&f->onboard, f->rover, robot, &o->rover,
		    (struct pb_twist){leg->commanded.v[0], leg->commanded.w[2]},
		    dt);
		f->moved |= 1u << robot;
		left -= dt;
		*due -= dt;
	}
	return false;
}

/* Callback of struct pb_zumy_motor: steer a body, and update its cell. */
static bool
advance_body(void *ctx, int robot, struct pb_zumy_body *p)
{
	struct pb_zumy_fleet *f = ctx;
	const struct pb_rover *r = &f->rover[robot];
	struct pb_vec to = centre(f->s.board, p->to, f->cell);
	struct pb_vec from = centre(f->s.board, p->at, f->cell);

	if (p->turn == 0 && p->drive == 0)
		return false;
	if (steer(f, robot, to)) {
		p->at = p->to;
		p->turn = p->drive = 0;
		f->leg[robot] = (struct pb_leg){.aligned = false};
		f->due[robot] = 0;
		return true;
	}
	p->facing = (int8_t)pb_zumy_facing(r->pose.th, false);
	if (pb_dist(pb_pose_vec(r->seen), to) <
	    pb_dist(pb_pose_vec(r->seen), from))
		p->at = p->to;
	forecast(p, f->s.opts, fmin(f->cell.x, f->cell.y), r->seen, to);
	return false;
}

/* Flag the robots whose facing the published code misreads, and those whose
 * cell it cannot read. */
static void
flag_misreadings(struct pb_zumy_fleet *f)
{
	const struct pb_zumy_board *b = f->s.board;
	bool published = pb_zumy_as_published(f->s.opts);
	struct pb_zumy_cell c;

	for (int i = 0; i <= f->s.opts->patrols; i++) {
		struct pb_zumy_body *p = pb_zumy_body(&f->s, i);
		struct pb_pose at = f->rover[i].seen;

		p->misread = published &&
		             pb_zumy_facing(at.th, true) == PB_DOWN &&
		             pb_zumy_facing(at.th, false) == PB_RIGHT;
		p->unread = published &&
		            !pb_zumy_cell_read((at.x - b->side / 2) / f->cell.x,
				(at.y - b->side / 2) / f->cell.y,
				b->ground.rows, b->ground.cols, &c);
	}
}

bool
pb_zumy_fleet_tick(
    struct pb_zumy_fleet *f, enum pb_dir d, const struct pb_zumy_agents *agents)
{
	const struct pb_zumy_motor m = {advance_body, f};
	const struct pb_zumy_opts *o = f->s.opts;
	bool on;

	f->moved = 0;
	measure_cell(f);
	on = pb_zumy_tick(&f->s, d, agents, &m);
	/* Robots at rest use their cameras too. */
	for (int i = 0; i <= o->patrols; i++)
		if (!(f->moved >> i & 1)) {
			pb_onboard_drive(&f->onboard, f->rover, i,
			    &o->bodies.rover, (struct pb_twist){0, 0}, DT);
			f->leg[i] = (struct pb_leg){.aligned = false};
			f->due[i] = 0;
		}
	flag_misreadings(f);
	f->collisions += pb_bumps_update(
	    &f->bumps, f->rover, 1 + o->patrols, o->bodies.size);
	return on;
}

/* Drive the player to the cell in direction d, ignoring walls, and time it. */
static struct pb_zumy_leg
drive_leg(struct pb_zumy_fleet *f, enum pb_dir d)
{
	struct pb_zumy_body *p = &f->s.player;
	struct pb_zumy_leg l = {0};
	bool there = false;

	p->to = pb_zumy_beside(p->to, d);
	p->drive = 1;
	while (!there && l.there < LONGEST) {
		measure_cell(f);
		l.there++;
		there = advance_body(f, 0, p);
		if (!there && p->facing != (int8_t)d)
			l.facing = (int16_t)(l.there + 1);
		if (!there && !pb_zumy_same(p->at, p->to))
			l.in = (int16_t)(l.there + 1);
	}
	p->at = p->to;
	return l;
}

static struct pb_zumy_leg
mean_leg(const struct pb_zumy_leg *leg)
{
	struct pb_zumy_leg mean = leg[0];
	int facing = 0, in = 0, there = 0, half = PB_ZUMY_LEGS / 2;

	for (int i = 0; i < PB_ZUMY_LEGS; i++) {
		facing += leg[i].facing;
		in += leg[i].in;
		there += leg[i].there;
	}
	mean.facing = (int16_t)((facing + half) / PB_ZUMY_LEGS);
	mean.in = (int16_t)((in + half) / PB_ZUMY_LEGS);
	mean.there = (int16_t)((there + half) / PB_ZUMY_LEGS);
	return mean;
}

void
pb_zumy_pace_measure(struct pb_zumy_pace *pace, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, double spread, uint64_t seed)
{
	/* A short loop, as errors grow with distance. The first round settles
	 * the average; each round has two legs of a kind. */
	static const signed char walk[6] = {
	    PB_RIGHT, PB_RIGHT, PB_LEFT, PB_LEFT, PB_DOWN, PB_UP};
	static const int turns[6] = {1, 0, 2, 0, 1, 2};
	_Static_assert(PB_ZUMY_LEGS % 2 == 0, "whole rounds");
	struct pb_zumy_opts alone = *o;
	struct pb_estimate_opts *e = &alone.bodies.rover.estimate;
	struct pb_zumy_fleet f;
	int n[3] = {0, 0, 0};

	alone.patrols = 0;
	alone.bodies.rover.localizer = PB_ROVER_NOISE;
	if (e->sd > 0)
		e->th_sd *= spread / e->sd;
	e->sd = spread;
	pb_zumy_fleet_start(&f, b, &alone, seed, 0);
	for (int i = 0; i < 6 + 3 * PB_ZUMY_LEGS; i++) {
		int q = turns[i % 6];
		struct pb_zumy_leg l = drive_leg(&f, (enum pb_dir)walk[i % 6]);

		if (i >= 6)
			pace->leg[q][n[q]++] = l;
	}
	pace->quiet = (1 - o->bodies.approach.near) * b->side /
	              (o->bodies.approach.v * DT);
	pace->ahead = (int)fmax(
	    0, pb_log(PB_PI / 4 / o->bodies.approach.turn_until) / DT);
	for (int q = 0; q < 3; q++)
		pace->leg[q][PB_ZUMY_LEGS] = mean_leg(pace->leg[q]);
}
