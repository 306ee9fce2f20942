/*
 * pb-ghost - moves one ghost. Reads map, state, cmd and the time of every
 * record; writes pose, obstacle. Or, a robot of a swarm, reads what all robots
 * say; writes move, message.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/file/filter.h"
#include "io/play/play.h"
#include "io/tool/ghost_filter.h"
#include "pb/match.h"

/*
 * Behaviours are the games': one that walks on maps, first; then robots that
 * play a whole game in lock-step; then ghosts that are asked.
 */
enum kind { WALKS, PLAYS, ANSWERS };

struct opts {
	char words[128];     /* all behaviours, "a|b" */
	int rules[PB_RULES]; /* of each of them */
	int which;
	const struct pb_game *game; /* of that one, as all below */
	const void *rules_opts;
	enum kind kind;
	const char *name; /* which robot of a swarm */
	struct pb_constants constants;
	double rate;               /* of poses (1/s) */
	struct pb_opt_names names; /* of all options given */
	struct pb_set set;         /* a group for each behaviour */
	struct pb_ghost_opts ghost;
	bool has_near;
	struct pb_opt_common common;
};

static enum kind
kind_of(const struct pb_game *g)
{
	return g->lockstep ? PLAYS : g->board == NULL ? WALKS : ANSWERS;
}

/* Put the behaviours in order. */
static void
list_behaviours(struct opts *o)
{
	int n = 0;

	for (int k = WALKS; k <= ANSWERS; k++)
		for (int i = 0; pb_games[i].game; i++) {
			if ((int)kind_of(pb_games[i].game) != k)
				continue;
			pb_list_add(o->words, sizeof(o->words), "|",
			    pb_games[i].game->behaviour);
			o->rules[n++] = i;
		}
}

/* What the behaviour is. */
enum { ALONE = 1, ROBOT = 2, ASKED = 4 };
static const char *const mode_names[] = {"--behaviour clyde",
    "the behaviour of a robot that plays a whole game",
    "the behaviour of a ghost that is asked"};

static bool
fits(const struct opts *o, int operands)
{
	bool named = o->kind != WALKS;

	if (named != (o->name != NULL))
		return pb_msg_usage(named ? "--name: which robot is missing"
					  : "--name: does not go with clyde");
	if (o->kind == PLAYS && o->common.keep_going)
		return pb_msg_usage(
		    "--keep-going: goes with --behaviour clyde");
	return !named || operands == 0 ||
	       pb_msg_usage("--name: reads standard input only");
}

/* What the table cannot check. */
static bool
complete(struct opts *o, int operands)
{
	struct pb_clyde_opts *c = &o->ghost.clyde;

	if (!pb_set_fits(&o->set) || !fits(o, operands))
		return false;
	if (pb_opt_names_have(&o->names, "rate") &&
	    !pb_game_drives(o->game, o->rules_opts))
		return pb_msg_usage("--rate: goes with --set motion=drive");
	if (o->has_near)
		c->spawn = PB_CLYDE_NEAR;
	if (c->spawn != PB_CLYDE_NEAR || o->has_near)
		return true;
	return pb_msg_usage("--set: spawn=near: --spawn-near X,Y is missing");
}

/* The constants of each behaviour. */
static void
add_groups(struct opts *o)
{
	for (int i = 0; i < pb_rules_count(); i++) {
		const struct pb_game *game = pb_games[o->rules[i]].game;
		struct pb_set_group g = {.of = game->behaviour,
		    .title = game->behaviour,
		    .params = *game->params,
		    .base = pb_constants_of(&o->constants, o->rules[i])};

		if (kind_of(game) == WALKS) {
			g.params = pb_clyde_params;
			g.base = &o->ghost.clyde;
		} else if (kind_of(game) == ANSWERS) {
			g.params.n = 0;
		}
		pb_set_add(&o->set, g);
	}
}

static unsigned
choose_mode(void *user, char *const *operand, int n)
{
	struct opts *o = user;
	int rules = o->rules[o->which];

	(void)operand;
	(void)n;
	o->set.group[o->which].chosen = true;
	o->game = pb_games[rules].game;
	o->rules_opts = pb_constants_of(&o->constants, rules);
	o->kind = kind_of(o->game);
	return o->kind == WALKS ? ALONE : o->kind == PLAYS ? ROBOT : ASKED;
}

static int
parse_args(struct opts *o, int argc, char **argv)
{
	struct pb_ghost_opts *g = &o->ghost;
	const struct pb_opt opt[] = {
	    {"behaviour", 'b', PB_OPT_NAME, o->words, "how the ghost moves",
		&o->which, .words = o->words},
	    {"name", 0, PB_OPT_TEXT, "name", "which robot of a swarm",
		&o->name},
	    {"rate", 0, PB_OPT_NUM, "1/s", "of the poses of a robot's body",
		&o->rate, .min = 0.001, .max = 1000, .modes = ROBOT},
	    {"seed", 's', PB_OPT_U64, "n", "seed of all random draws", &g->seed,
		.modes = ALONE | ROBOT},
	    {"trial", 't', PB_OPT_U64, "n", "trial of that seed", &g->trial,
		.modes = ALONE | ROBOT},
	    {"map", 'm', PB_OPT_TEXT, "file", "read the map from file", &g->map,
		.modes = ALONE},
	    {"id", 'i', PB_OPT_ID, "id", "the ghost's id", &g->id,
		.modes = ALONE},
	    {"obstacle", 'o', PB_OPT_NAME, PB_GHOST_OBSTACLES,
		"how costmaps see the ghost", &g->obstacle,
		.words = PB_GHOST_OBSTACLES, .modes = ALONE},
	    {"duration", 'd', PB_OPT_LIMIT, "s",
		"go on for so long, with or without records", &g->duration,
		.modes = ALONE},
	    {"ticks", 'n', PB_OPT_INT, "n", "go on for so many ticks",
		&g->ticks, .min = 0, .max = 1e9, .modes = ALONE},
	    {"wait", 'w', PB_OPT_FLAG, NULL,
		"stand still till a record says running", &g->wait,
		.modes = ALONE},
	    {"exact", 0, PB_OPT_FLAG, NULL, "round no number", &g->exact,
		.modes = ALONE},
	    {"max-gap", 0, PB_OPT_LIMIT, "s",
		"refuse a record so much later than the one before",
		&g->max_gap, .modes = ALONE},
	    {"spawn-at", 0, PB_OPT_PAIR, "x,y",
		"where the ghost appears, as if it had been clicked", &g->spawn,
		.seen = &g->has_spawn, .modes = ALONE},
	    {"spawn-near", 0, PB_OPT_PAIR, "x,y",
		"a point of the part to appear on", &g->clyde.near,
		.seen = &o->has_near, .modes = ALONE},
	    PB_OPT_SETS(&o->set),
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	const struct pb_tool tool = PB_TOOL(o, opt, choose_mode, mode_names,
	    .operands = "[file ...]", .purpose = "move a ghost over a map");
	int first;

	add_groups(o);
	first = pb_opt_parse(&tool, argc, argv);
	return first >= 0 && !complete(o, argc - first) ? -1 : first;
}

/* A robot of a game in lock-step; "blinky", "patrol1", ... */
static void
run_robot(const struct opts *o)
{
	const struct pb_session_opts session = {
	    .seed = o->ghost.seed, .trial = o->ghost.trial, .rate = o->rate};
	const struct pb_play_opts p = {.game = o->game,
	    .player = pb_games[o->rules[o->which]].player[0],
	    .opts = o->rules_opts,
	    .session = &session,
	    .as = o->name};

	int n = pb_game_bodies(o->game, o->rules_opts) - 1, i = 1;

	/* The first body is the player's: that is no ghost. */
	while (i <= n && strcmp(o->name, o->game->body[i]) != 0)
		i++;
	if (i <= n)
		pb_play_run(&p, NULL, 0, NULL);
	else
		pb_msg_usage("--name: there is no \"%.80s\" among the %d that "
			     "play",
		    o->name, n);
}

static const char *const nickname[PB_ARCADE_GHOSTS] = {
    "blinky", "pinky", "inky", "clyde"};

/* One ghost, from its own side. */
struct arcade {
	int which;
	int drawn; /* for its next turn, -1: none */
	bool begun;
	struct pb_arcade_board board;
};

static int
pick(void *ctx, int ghost, int n)
{
	const struct arcade *g = ctx;

	(void)ghost;
	return g->drawn >= 0 && g->drawn < n ? g->drawn : 0;
}

/* Where a body is: on the board, or nowhere. */
static bool
find_body(const struct pb_seen *k, const char *id, struct pb_at *at,
    struct pb_error *bad)
{
	const struct pb_seen_body *b = pb_seen_find(k, id);
	int d = b ? pb_dir_of(b->dir) : 0;

	if (!b)
		return pb_error_set(bad, "tick.bodies: there is no %s", id);
	if (b->row < 0 || b->row > PB_ARCADE_OFF || b->col < 0 ||
	    b->col > PB_ARCADE_OFF || d > PB_STAY)
		return pb_error_set(bad, "tick: %s is off the board", id);
	*at = (struct pb_at){(int8_t)b->row, (int8_t)b->col, (uint8_t)d};
	return true;
}

static bool
answer_tick(struct arcade *g, struct pb_filter *f, const struct pb_rec *r,
    struct pb_error *bad)
{
	const struct pb_seen *k = &r->tick;
	const char *name = pb_pacbot_ghost[g->which];
	const struct pb_seen_body *b = pb_seen_find(k, name);
	struct pb_arcade_draw draw = {.pick = pick, .ctx = g};
	struct pb_arcade_view v = {.chase = strcmp(k->mode, "chase") == 0};
	struct pb_arcade a;
	struct pb_rec_move m;

	if (!g->begun)
		return pb_error_set(bad, "tick: comes before any maze");
	if (!find_body(k, name, &a.loc, bad) ||
	    !find_body(k, "pacman", &v.pac, bad) ||
	    !find_body(k, pb_pacbot_ghost[PB_RED], &v.red, bad))
		return false;
	/* Who was eaten is off the board and decides nothing. */
	if (a.loc.row >= PB_ARCADE_OFF || a.loc.dir == PB_STAY)
		return true;
	a.trapped = 0;
	a.fright = (uint8_t)(b->fright > 0 ? b->fright : 0);
	a.spawning = b->spawning;
	a.eaten = b->eaten;
	pb_arcade_plan(&a, g->which, &g->board, &v, &draw);
	g->drawn = -1;
	PB_REC_SET(m.dir, pb_dir_word(a.next.dir));
	pb_rec_put(&f->out, PB_REC_MOVE, pb_stamp_at(r->stamp.t, name), &m);
	return true;
}

static bool
take_arcade(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct arcade *g = f->user;

	if (r->type == PB_REC_TICK)
		return answer_tick(g, f, r, bad);
	if (r->type == PB_REC_DRAW) {
		g->drawn = (int)fmax(-1, fmin(r->draw.value, 3));
		return true;
	}
	if (r->maze.rows > PB_ARCADE_SIDE || r->maze.cols > PB_ARCADE_SIDE)
		return pb_error_set(bad, "maze: expected at most %d x %d cells",
		    PB_ARCADE_SIDE, PB_ARCADE_SIDE);
	pb_arcade_board_init(&g->board, &r->maze);
	g->begun = true;
	return true;
}

/* A ghost of a match that is asked where to turn: "red" or "blinky", ... */
static void
run_arcade(const struct opts *o)
{
	struct arcade g = {.drawn = -1};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_MAZE) |
	                              PB_REC_BIT(PB_REC_TICK) |
	                              PB_REC_BIT(PB_REC_DRAW),
	    .common = &o->common,
	    .take = take_arcade,
	    .user = &g};

	while (g.which < PB_ARCADE_GHOSTS &&
	       strcmp(o->name, pb_pacbot_ghost[g.which]) != 0 &&
	       strcmp(o->name, nickname[g.which]) != 0)
		g.which++;
	if (g.which < PB_ARCADE_GHOSTS)
		pb_filter_run(&f, NULL, 0);
	else
		pb_msg_usage(
		    "--name: no ghost of a match is \"%.80s\"", o->name);
}

int
main(int argc, char **argv)
{
	struct opts o = {.ghost = pb_ghost_defaults(),
	    .constants = pb_constants_defaults(),
	    .rate = 5};
	int first;

	pb_msg_start(argv[0]);
	list_behaviours(&o);
	first = parse_args(&o, argc, argv);
	if (first >= 0 && o.kind == PLAYS)
		run_robot(&o);
	else if (first >= 0 && o.kind == ANSWERS)
		run_arcade(&o);
	else if (first >= 0)
		pb_ghost_run(&o.ghost, &o.common, argv + first, argc - first);
	return pb_msg_finish();
}
