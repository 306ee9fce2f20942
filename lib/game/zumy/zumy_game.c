/* zumy_game.c - the Zumy game as a rule set. */
#include "game/zumy/zumy_game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "pb/maze.h"

static const char *const bodies[] = {"player", "patrol1", "patrol2", "patrol3",
    "patrol4", "patrol5", "patrol6", "patrol7", "patrol8", NULL};
static const char *const outcomes[] = {"reached", "seen", "draw", NULL};

struct world {
	struct pb_zumy_board board;
	struct pb_maze maze;
};

/* What a patrol that stands decides by, and that all can see. */
struct scene {
	struct pb_zumy_cell at[1 + PB_ZUMY_PATROLS];
	struct pb_zumy_cell to[1 + PB_ZUMY_PATROLS];
	struct pb_zumy_cell last; /* place of the player that it knows */
	uint64_t known;           /* of its map, a sum that only grows */
	bool stood;               /* it has decided to stay */
};

/* In step fleet.s alone plays. */
struct state {
	struct pb_seat seat;
	struct pb_zumy_fleet fleet;
	struct pb_zumy shown; /* as last told */
	struct scene scene[PB_ZUMY_PATROLS];
};

static const struct pb_zumy_board *
board_of(const struct state *g)
{
	return &((const struct world *)g->seat.world)->board;
}

static const struct pb_zumy_opts *
opts_of(const struct state *g)
{
	return g->seat.opts;
}

static bool
has_bodies(const void *opts)
{
	return ((const struct pb_zumy_opts *)opts)->motion == PB_ZUMY_DRIVE;
}

static bool
drives(const struct state *g)
{
	return has_bodies(g->seat.opts);
}

static void
defaults(void *opts)
{
	*(struct pb_zumy_opts *)opts = pb_zumy_defaults();
}

static int
count_bodies(const void *opts)
{
	return 1 + ((const struct pb_zumy_opts *)opts)->patrols;
}

static void
discard(void *world)
{
	struct world *w = world;

	if (w)
		pb_zumy_board_clear(&w->board);
	free(w);
}

static enum pb_status
prepare(const struct pb_ground *ground, const void *opts, void **world,
    struct pb_refusal *no)
{
	const struct pb_zumy_opts *o = opts;
	struct world *w;

	*no = (struct pb_refusal){pb_zumy_board_wrong(ground->maze), -1, -1};
	if (!no->why)
		no->why = pb_zumy_fleet_wrong(ground->maze, o);
	if (no->why)
		return PB_EVALUE;
	w = calloc(1, sizeof(*w));
	if (!w || pb_zumy_board_init(&w->board, ground->maze) != PB_OK) {
		free(w);
		return PB_ENOMEM;
	}
	if (pb_zumy_room(&w->board, o) < o->patrols) {
		discard(w);
		no->why = "has no room for so many patrols; see --patrols, "
			  "--start-distance";
		return PB_EVALUE;
	}
	w->maze = *ground->maze;
	*world = w;
	return PB_OK;
}

static void
start(void *state, uint64_t seed, uint64_t trial, const struct pb_crew *c)
{
	struct state *g = state;

	(void)c;
	pb_seat_start(&g->seat, seed, trial);
	memset(g->scene, 0, sizeof(g->scene));
	pb_zumy_fleet_start(&g->fleet, board_of(g), opts_of(g), seed, trial);
	g->shown = (struct pb_zumy){.tick = -1};
}

static bool
asks(const void *state)
{
	return pb_zumy_asks(&((const struct state *)state)->fleet.s);
}

/* A step, and who decides in it. */
struct turn {
	struct state *g;
	const struct pb_crew *c; /* NULL: nobody */
	enum pb_dir stick;
};

/* A robot that is decided elsewhere; -1: the player. */
static enum pb_dir
hear(const struct turn *t, const struct pb_zumy *s, int robot)
{
	const struct pb_zumy_board *b = board_of(t->g);
	const struct pb_zumy_opts *o = opts_of(t->g);
	unsigned ways = 0;

	for (int k = 0; k < 4; k++) {
		enum pb_dir d = (enum pb_dir)k;
		bool may = robot < 0 ? pb_zumy_may(s, b, o, d)
		                     : pb_zumy_patrol_may(s, b, o, robot, d);

		ways |= (unsigned)may << k;
	}
	return t->c->hear(t->c->ctx, 1 + robot, ways, -1);
}

/*
 * Whether patrol i has said that it stays, and nothing has changed since that
 * it decides by: it need not say so again.
 */
static bool
stands(struct state *g, const struct pb_zumy *s, int i)
{
	struct scene now = {.stood = true}, *was = &g->scene[i];
	bool same;

	now.at[0] = s->player.at;
	now.to[0] = s->player.to;
	for (int k = 0; k < opts_of(g)->patrols; k++) {
		now.at[1 + k] = s->patrol[k].body.at;
		now.to[1 + k] = s->patrol[k].body.to;
	}
	now.last = s->patrol[i].map.last;
	for (int r = 0; r < PB_ZUMY_SIDE; r++)
		now.known += s->patrol[i].map.known.row[r];
	same = was->stood && was->known == now.known &&
	       memcmp(was->at, now.at, sizeof(now.at)) == 0 &&
	       memcmp(was->to, now.to, sizeof(now.to)) == 0 &&
	       memcmp(&was->last, &now.last, sizeof(now.last)) == 0;
	*was = now;
	return same;
}

/* A robot decides: one of ours, or one that is decided elsewhere. */
static enum pb_dir
decide(void *ctx, struct pb_zumy *s, int robot)
{
	const struct turn *t = ctx;
	struct state *g = t->g;
	const struct pb_zumy_board *b = board_of(g);
	const struct pb_zumy_opts *o = opts_of(g);
	enum pb_dir d = t->stick;

	if (robot >= 0 && stands(g, s, robot))
		return PB_STAY;
	if (t->c->heard >> (1 + robot) & 1) {
		d = hear(t, s, robot);
	} else {
		if (robot >= 0)
			d = pb_zumy_choose(s, b, o, robot);
		else if (!pb_zumy_may(s, b, o, d))
			d = PB_STAY;
		if (t->c->decided)
			t->c->decided(t->c->ctx, 1 + robot, d);
	}
	if (robot >= 0)
		g->scene[robot].stood = d == PB_STAY;
	return d;
}

static enum pb_dir
ask(struct state *g, const struct pb_crew *c)
{
	const struct pb_zumy_view v = {&g->fleet.s, board_of(g), opts_of(g),
	    &g->seat.rng, drives(g) ? &g->fleet : NULL};

	return c && c->decide ? c->decide(c->ctx, &v)
	                      : pb_seat_ask(&g->seat, &v);
}

static bool
step(void *state, const struct pb_crew *c)
{
	struct state *g = state;
	const struct pb_zumy_board *b = board_of(g);
	const struct pb_zumy_opts *o = opts_of(g);
	struct pb_zumy *s = &g->fleet.s;
	struct turn t = {g, c, PB_STAY};
	const struct pb_zumy_crew crew = {decide, &t};
	bool on;

	if (c && c->steers)
		t.stick = c->stick;
	else if (asks(g) && !(c && c->heard & 1))
		t.stick = ask(g, c);
	if (c)
		on = drives(g) ? pb_zumy_fleet_crew(&g->fleet, b, o, &crew)
		               : pb_zumy_tick_crew(s, b, o, &crew);
	else
		on = drives(g) ? pb_zumy_fleet_tick(&g->fleet, b, o, t.stick)
		               : pb_zumy_tick(s, b, o, t.stick);
	pb_zumy_heat(s, &g->seat.heat);
	return on;
}

static double
time_of(const void *state)
{
	return (double)((const struct state *)state)->fleet.s.tick / PB_ZUMY_HZ;
}

static double
dt_of(const void *state)
{
	(void)state;
	return 1.0 / PB_ZUMY_HZ;
}

static void
look(const void *state, const void *view, struct pb_seen *k)
{
	const struct state *g = state;
	const struct pb_zumy *s = &g->fleet.s;

	(void)view;
	*k = pb_seen_none();
	k->tick = s->tick;
	pb_seen_add(k, bodies[0], s->player.at.row, s->player.at.col,
	    s->player.facing, "");
	for (int i = 0; i < opts_of(g)->patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		pb_seen_add(k, bodies[1 + i], p->body.at.row, p->body.at.col,
		    p->body.facing,
		    p->lost     ? "lost"
		    : p->stares ? "staring"
				: "patrolling");
	}
}

static const char *
ending(const void *state)
{
	return pb_zumy_ending_name(
	    (enum pb_zumy_ending)((const struct state *)state)->fleet.s.ending);
}

static bool
moved(const struct pb_zumy_body *a, const struct pb_zumy_body *b)
{
	return a->at.row != b->at.row || a->at.col != b->at.col ||
	       a->facing != b->facing;
}

static void
say(struct pb_news *out, int *n, int robot, const char *name)
{
	out[(*n)++] = (struct pb_news){.body = 1 + robot, .name = name};
}

/* What robots told each other; *change: whether one looks different. */
static int
messages(const struct state *g, struct pb_news *out, bool *change)
{
	const struct pb_zumy *s = &g->fleet.s, *was = &g->shown;
	int n = 0;

	*change = moved(&s->player, &was->player) || s->ending != PB_ZUMY_ON;
	if (s->events & PB_ZUMY_PING)
		say(out, &n, -1, "PING");
	for (int i = 0; i < opts_of(g)->patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		if (s->events & (unsigned)PB_ZUMY_ASKED << i)
			say(out, &n, i, "PING");
		if (s->events & (unsigned)PB_ZUMY_STARE << i)
			say(out, &n, i, "STOP");
		if (s->events & (unsigned)PB_ZUMY_RESUME << i)
			say(out, &n, i, "START");
		*change |= moved(&p->body, &was->patrol[i].body) ||
		           p->stares != was->patrol[i].stares ||
		           p->lost != was->patrol[i].lost;
	}
	if (s->by >= 0)
		say(out, &n, s->by, "WON");
	return n;
}

/* At the start nobody has said anything yet. */
static int
news(void *state, struct pb_news *out)
{
	struct state *g = state;
	const struct pb_zumy *s = &g->fleet.s;
	bool change = true;
	int n = s->tick > 0 ? messages(g, out, &change) : 0;

	if (change) {
		out[n++] = (struct pb_news){.kind = PB_NEWS_TICK};
		g->shown = *s;
	}
	if (s->tick == 0)
		out[n++] =
		    (struct pb_news){.kind = PB_NEWS_EVENT, .name = "start"};
	if (s->ending != PB_ZUMY_ON)
		out[n++] = (struct pb_news){.kind = PB_NEWS_EVENT,
		    .name = s->ending == PB_ZUMY_REACHED ? "win" : "game over"};
	return n;
}

static struct pb_pose
pose(const void *state, int body)
{
	return ((const struct state *)state)->fleet.rover[body].pose;
}

static struct pb_pose
robot(void *state, double heading, bool *carried)
{
	const struct state *g = state;
	const struct pb_zumy_body *b = &g->fleet.s.player;

	(void)heading;
	*carried = false;
	if (drives(g))
		return pose(state, 0);
	return pb_maze_pose(&((const struct world *)g->seat.world)->maze,
	    b->at.row, b->at.col, (enum pb_dir)b->facing, 0);
}

static enum pb_status
solid(const void *state, struct pb_map *m)
{
	const struct state *g = state;

	return pb_maze_walled(&((const struct world *)g->seat.world)->maze, m);
}

static void
explored(const void *state, unsigned who, struct pb_explored *out)
{
	const struct state *g = state;
	const struct pb_zumy_board *b = board_of(g);
	const struct pb_zumy_ground *w = &b->ground;
	struct pb_zumy_set known = {{0}};

	*out = (struct pb_explored){w->rows, w->cols, b->side, {{0}}, {{0, 0}}};
	for (int i = 0; i < opts_of(g)->patrols; i++) {
		const struct pb_patrol_map *m = &g->fleet.s.patrol[i].map;

		if (!(who >> (1 + i) & 1))
			continue;
		for (int r = 0; r < PB_ZUMY_SIDE; r++)
			known.row[r] |= m->known.row[r];
		out->last[1 + i] =
		    (struct pb_vec){(m->last.col + 0.5) * b->side,
			(w->rows - 1 - m->last.row + 0.5) * b->side};
	}
	for (int r = 0; r < w->rows; r++)
		for (int c = 0; c < w->cols; c++)
			out->cell[r][c] = !pb_zumy_has(&known, r, c)    ? -1
			                  : pb_zumy_has(&w->open, r, c) ? 0
			                                                : 100;
}

static void
lose(void *state, int body)
{
	pb_zumy_lose(&((struct state *)state)->fleet.s, body - 1);
}

static uint64_t
hash_state(const struct pb_zumy *s, int patrols)
{
	uint64_t h = pb_hash_u64(PB_HASH_START, (uint64_t)s->tick);

	h = pb_hash_u64(h, (uint64_t)s->player.at.row);
	h = pb_hash_u64(h, (uint64_t)s->player.at.col);
	for (int i = 0; i < patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		h = pb_hash_u64(h, (uint64_t)p->body.at.row);
		h = pb_hash_u64(h, (uint64_t)p->body.at.col);
		h = pb_hash_double(h, p->s);
		for (int r = 0; r < PB_ZUMY_SIDE; r++)
			h = pb_hash_u64(h, p->map.known.row[r]);
	}
	return h;
}

static void
result(const void *state, struct pb_trial *r)
{
	const struct state *g = state;
	const struct pb_zumy *s = &g->fleet.s;
	const struct pb_zumy_opts *o = opts_of(g);
	const char *name = ending(state);

	memcpy(r->outcome, name, strlen(name) + 1);
	r->success = s->ending == PB_ZUMY_REACHED;
	r->total = 1; /* the goal */
	r->collected = r->success;
	r->score = r->success;
	r->time = time_of(state);
	r->limit = (double)o->limit / PB_ZUMY_HZ;
	r->removed = -1;
	r->driven = r->nearest = NAN;
	r->deaths = s->ending == PB_ZUMY_SEEN;
	r->killers = o->patrols;
	memset(r->killed, 0, sizeof(r->killed));
	if (s->ending == PB_ZUMY_SEEN)
		r->killed[s->by] = 1;
	r->eaten = -1;
	r->decisions = s->moves;
	if (drives(g))
		r->collisions = g->fleet.collisions;
	r->hash = hash_state(s, o->patrols);
}

const struct pb_game pb_game_zumy = {
    .name = "zumy",
    .summary = "reach the goal unseen by patrols that explore",
    .board = "zumy",
    .usual = "sneak",
    .body = bodies,
    .outcome = outcomes,
    .killer = bodies + 1,
    .behaviour = "patrol",
    .rounds = 1,
    .heading = "Constants of zumy",
    .with = "rules=zumy",
    .opts_size = sizeof(struct pb_zumy_opts),
    .params = pb_zumy_params,
    .defaults = defaults,
    .bodies = count_bodies,
    .drives = has_bodies,
    .prepare = prepare,
    .discard = discard,
    .size = sizeof(struct state),
    .start = start,
    .asks = asks,
    .step = step,
    .time = time_of,
    .dt = dt_of,
    .look = look,
    .ending = ending,
    .news = news,
    .pose = pose,
    .robot = robot,
    .solid = solid,
    .explored = explored,
    .lose = lose,
    .result = result,
    .lockstep = true,
};
