/* pacghost.c - ghosts of a Pacbot match as programs of their own. */
#include "io/sim/pacghost.h"

#include <math.h>
#include <string.h>

#include "io/sim/pactick.h"
#include "io/stream/filter.h"

const char *const pb_pacghost_name[PB_ARCADE_GHOSTS] = {
    "red", "pink", "cyan", "orange"};
static const char *const nickname[PB_ARCADE_GHOSTS] = {
    "blinky", "pinky", "inky", "clyde"};

/* What the ghost has to know, on its way. */
static bool
tell(struct pb_pacghosts *g, int ghost, int drawn, struct pb_bad *bad)
{
	const struct pb_match *m = g->match;
	struct pb_stamp at = pb_pactick_stamp(m->out.ticks);
	struct pb_rec_draw draw = {.purpose = "turn", .value = drawn};
	struct pb_seen k;

	g->ask.len = 0;
	if (drawn >= 0) {
		PB_REC_SET(at.id, pb_pacghost_name[ghost]);
		pb_put_draw(&g->ask, at, &draw);
		at.id[0] = '\0';
	}
	pb_pactick(&k, &m->s, g->z, &m->board->rules, false);
	pb_put_tick(&g->ask, at, &k);
	return pb_agent_tell(&g->agent[ghost], &g->ask, bad);
}

/* Its answer, one of `ways`; -1: bad says why there is none. */
static int
hear(struct pb_pacghosts *g, int ghost, unsigned ways, struct pb_bad *bad)
{
	size_t n;
	const char *line = pb_agent_answer(&g->agent[ghost], &n, bad);
	struct pb_rec r;
	int d = -1;

	if (!line || !pb_rec_read(line, n, PB_REC_BIT(PB_REC_MOVE), &r, bad))
		return -1;
	if (r.type != PB_REC_MOVE ||
	    strcmp(r.stamp.id, pb_pacghost_name[ghost]) != 0)
		pb_bad_set(bad, "expected a move of %s, got a %s of \"%s\"",
		    pb_pacghost_name[ghost],
		    r.type == PB_REC_OTHER ? "record" : pb_rec_name(r.type),
		    r.stamp.id);
	else
		d = pb_pactick_move(&r.move, bad);
	if (d >= 0 && !(ways >> d & 1)) {
		pb_bad_set(bad, "move.dir: %s: %s cannot turn there",
		    pb_pactick_dir(d), pb_pacghost_name[ghost]);
		d = -1;
	}
	pb_rec_clear(&r);
	return d;
}

static int
lowest(unsigned ways)
{
	int d = 0;

	while (!(ways >> d & 1))
		d++;
	return d;
}

static int
turn(void *ctx, int ghost, unsigned ways, int drawn)
{
	struct pb_pacghosts *g = ctx;
	struct pb_bad bad;
	int d;

	if (g->failed)
		return lowest(ways);
	if (tell(g, ghost, drawn, &bad) &&
	    (d = hear(g, ghost, ways, &bad)) >= 0)
		return d;
	g->failed = true;
	if (!pb_msg_stopped())
		pb_msg_bad((struct pb_place){g->command->arg[ghost], 0}, &bad);
	return lowest(ways);
}

bool
pb_pacghosts_begin(struct pb_pacghosts *g, const struct pb_opt_list *command,
    double patience, const struct pb_maze *z, struct pb_match *match)
{
	struct pb_bad bad;

	*g = (struct pb_pacghosts){.command = command, .z = z, .match = match};
	for (int i = 0; i < command->n; i++) {
		if (!pb_agent_start(&g->agent[i], command->arg[i], patience))
			return false;
		g->ask.len = 0;
		pb_put_maze(&g->ask, z);
		/* If it has gone, the first question will tell. */
		pb_agent_tell(&g->agent[i], &g->ask, &bad);
	}
	if (command->n > 0)
		match->crew = (struct pb_arcade_crew){turn, g, command->n};
	return true;
}

void
pb_pacghosts_end(struct pb_pacghosts *g)
{
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		pb_agent_end(&g->agent[i]);
	pb_text_clear(&g->ask);
}

/* One ghost, from its own side. */
struct ghost {
	int which;
	int drawn; /* for its next turn, -1: none */
	bool begun;
	struct pb_arcade_board board;
};

static int
pick(void *ctx, int ghost, int n)
{
	const struct ghost *g = ctx;

	(void)ghost;
	return g->drawn >= 0 && g->drawn < n ? g->drawn : 0;
}

static const struct pb_seen_body *
find(const struct pb_seen *k, const char *id)
{
	for (int i = 0; i < k->bodies; i++)
		if (strcmp(k->body[i].id, id) == 0)
			return &k->body[i];
	return NULL;
}

/* Where a body is: on the board, or nowhere. */
static bool
place(const struct pb_seen *k, const char *id, struct pb_at *at,
    struct pb_bad *bad)
{
	const struct pb_seen_body *b = find(k, id);
	int d = b ? pb_pactick_dir_of(b->dir) : 0;

	if (!b)
		return pb_bad_set(bad, "tick.bodies: there is no %s", id);
	if (b->row < 0 || b->row > PB_ARCADE_OFF || b->col < 0 ||
	    b->col > PB_ARCADE_OFF || d > PB_STAY)
		return pb_bad_set(bad, "tick: %s is off the board", id);
	*at = (struct pb_at){(int8_t)b->row, (int8_t)b->col, (uint8_t)d};
	return true;
}

static bool
answer(struct ghost *g, struct pb_filter *f, const struct pb_rec *r,
    struct pb_bad *bad)
{
	const struct pb_seen *k = &r->tick;
	const char *name = pb_pacghost_name[g->which];
	const struct pb_seen_body *b = find(k, name);
	struct pb_arcade_draw draw = {.pick = pick, .ctx = g};
	struct pb_arcade_view v = {.chase = strcmp(k->mode, "chase") == 0};
	struct pb_arcade a;
	struct pb_rec_move m;

	if (!g->begun)
		return pb_bad_set(bad, "tick: comes before any maze");
	if (!place(k, name, &a.loc, bad) || !place(k, "pacman", &v.pac, bad) ||
	    !place(k, pb_pacghost_name[PB_RED], &v.red, bad))
		return false;
	if (a.loc.row >= PB_ARCADE_OFF || a.loc.dir == PB_STAY)
		return pb_bad_set(bad, "tick: %s goes nowhere", name);
	a.trapped = 0;
	a.fright = (uint8_t)(b->fright > 0 ? b->fright : 0);
	a.spawning = b->spawning;
	a.eaten = b->eaten;
	pb_arcade_plan(&a, g->which, &g->board, &v, &draw);
	g->drawn = -1;
	PB_REC_SET(m.dir, pb_pactick_dir(a.next.dir));
	pb_put_move(&f->out, pb_stamp_at(r->stamp.t, name), &m);
	return true;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_bad *bad)
{
	struct ghost *g = f->user;

	if (r->type == PB_REC_TICK)
		return answer(g, f, r, bad);
	if (r->type == PB_REC_DRAW) {
		g->drawn = (int)fmax(-1, fmin(r->draw.value, 3));
		return true;
	}
	if (r->maze.rows > PB_ARCADE_SIDE || r->maze.cols > PB_ARCADE_SIDE)
		return pb_bad_set(bad, "maze: expected at most %d x %d cells",
		    PB_ARCADE_SIDE, PB_ARCADE_SIDE);
	pb_arcade_board_init(&g->board, &r->maze);
	g->begun = true;
	return true;
}

bool
pb_pacghost_run(const char *name, const struct pb_opt_common *common)
{
	struct ghost g = {.drawn = -1};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_MAZE) |
	                              PB_REC_BIT(PB_REC_TICK) |
	                              PB_REC_BIT(PB_REC_DRAW),
	    .common = common,
	    .take = take,
	    .user = &g};

	while (g.which < PB_ARCADE_GHOSTS &&
	       strcmp(name, pb_pacghost_name[g.which]) != 0 &&
	       strcmp(name, nickname[g.which]) != 0)
		g.which++;
	if (g.which == PB_ARCADE_GHOSTS)
		return false;
	pb_filter_run(&f, NULL, 0);
	pb_filter_clear(&f);
	return true;
}
