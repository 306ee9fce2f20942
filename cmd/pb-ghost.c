/*
 * pb-ghost - moves one ghost. Reads map, state, cmd, and the time of every
 * record; writes pose, obstacle. As a robot of a swarm: reads all robots'
 * messages; writes move, message.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/file/filter.h"
#include "io/play/play.h"
#include "io/play/world.h"
#include "map/change.h"
#include "pb/clyde.h"
#include "pb/match.h"

/* The obstacle that the ghost publishes for costmaps. */
#define OBSTACLES "points|disc|none"
enum obstacle { OBSTACLE_POINTS, OBSTACLE_DISC, OBSTACLE_NONE };

struct clyde_opts {
	uint64_t seed;  /* seed and trial of pb-sim's game */
	uint64_t trial; /* of `seed` */
	const char *id; /* id of its records */
	int obstacle;   /* enum obstacle */
	bool wait;      /* stand until a record lets it run */
	bool exact;     /* write all digits of numbers */
	bool has_spawn;
	struct pb_vec spawn; /* click at the start (m) */
	struct pb_clyde_opts clyde;
	const char *map; /* file of the map, NULL: in the stream */
	double duration; /* (s), INFINITY: until the input ends */
	int ticks;       /* -1: no limit */
	double max_gap;  /* longest step between stamps (s) */
};

/*
 * Behaviours belong to games. First the one that walks on maps; then robots
 * that play a whole game in lockstep; then ghosts that are asked where to turn.
 */
enum kind { WALKS, PLAYS, ANSWERS };

struct opts {
	char words[128];     /* names of all behaviours, "a|b" */
	int rules[PB_RULES]; /* index of each one's rule set */
	int which;
	const struct pb_game *game; /* of the chosen one, as all below */
	const void *rules_opts;
	enum kind kind;
	const char *name; /* robot of a swarm */
	struct pb_constants constants;
	double rate;               /* of poses (Hz) */
	struct pb_opt_names names; /* all options given */
	struct pb_set set;         /* a group for each behaviour */
	struct clyde_opts ghost;
	bool has_near;
	struct pb_opt_common common;
};

static enum kind
find_kind(const struct pb_game *g)
{
	return g->lockstep ? PLAYS : g->board == NULL ? WALKS : ANSWERS;
}

/* List the behaviours in order, and add their constants. */
static void
list_behaviours(struct opts *o)
{
	for (int k = WALKS; k <= ANSWERS; k++)
		for (int i = 0; pb_games[i].game; i++) {
			const struct pb_game *game = pb_games[i].game;
			struct pb_set_group g = {.of = game->behaviour,
			    .title = game->behaviour,
			    .params = *game->params,
			    .base = pb_constants_of(&o->constants, i)};

			if ((int)find_kind(game) != k)
				continue;
			if (k == WALKS) {
				g.params = pb_clyde_params;
				g.base = &o->ghost.clyde;
			} else if (k == ANSWERS) {
				g.params.n = 0;
			}
			pb_list_add(
			    o->words, sizeof(o->words), "|", game->behaviour);
			o->rules[o->set.groups] = i;
			pb_set_add(&o->set, g);
		}
}

/* Modes that options go with: kinds of behaviours. */
enum { ALONE = 1 << WALKS, ROBOT = 1 << PLAYS };
static const char *const mode_names[] = {"--behaviour clyde",
    "the behaviour of a robot that plays a whole game",
    "the behaviour of a ghost that is asked"};

/* Check combinations of options. */
static bool
check_opts(struct opts *o, int operands)
{
	struct pb_clyde_opts *c = &o->ghost.clyde;
	bool named = o->kind != WALKS;

	if (!pb_set_fits(&o->set))
		return false;
	if (named != (o->name != NULL))
		return pb_msg_usage(
		    named ? "--name is missing: which robot this is"
			  : "--name: not with clyde");
	if (o->kind == PLAYS && o->common.keep_going)
		return pb_msg_usage(
		    "--keep-going: only with --behaviour clyde");
	if (named && operands > 0)
		return pb_msg_usage("--name: reads standard input only");
	if (pb_opt_names_have(&o->names, "rate") &&
	    !pb_game_drives(o->game, o->rules_opts))
		return pb_msg_usage("--rate: only with --set motion=drive");
	if (o->has_near)
		c->spawn = PB_CLYDE_NEAR;
	if (c->spawn != PB_CLYDE_NEAR || o->has_near)
		return true;
	return pb_msg_usage("--set: spawn=near: --spawn-near X,Y is missing");
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
	o->kind = find_kind(o->game);
	return 1u << o->kind;
}

static int
parse_args(struct opts *o, int argc, char **argv)
{
	struct clyde_opts *g = &o->ghost;
	const struct pb_opt opt[] = {
	    {"behaviour", 'b', PB_OPT_NAME, o->words, "how the ghost moves",
		&o->which, .words = o->words},
	    {"name", 0, PB_OPT_TEXT, "name", "name of the robot, in a swarm",
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
	    {"obstacle", 'o', PB_OPT_NAME, OBSTACLES,
		"how costmaps see the ghost", &g->obstacle, .words = OBSTACLES,
		.modes = ALONE},
	    {"duration", 'd', PB_OPT_LIMIT, "s",
		"run for this long, with or without records", &g->duration,
		.modes = ALONE},
	    {"ticks", 'n', PB_OPT_INT, "n",
		"run for so many ticks, -1: no limit", &g->ticks, .min = 0,
		.max = 1e9, .modes = ALONE},
	    {"wait", 'w', PB_OPT_FLAG, NULL,
		"stand still till a record says running", &g->wait,
		.modes = ALONE},
	    {"exact", 0, PB_OPT_FLAG, NULL, "write all digits of numbers",
		&g->exact, .modes = ALONE},
	    {"max-gap", 0, PB_OPT_LIMIT, "s",
		"refuse a record this much later than the one before",
		&g->max_gap, .modes = ALONE},
	    {"spawn-at", 0, PB_OPT_PAIR, "x,y",
		"where the ghost appears, as by a click (m)", &g->spawn,
		.seen = &g->has_spawn, .modes = ALONE},
	    {"spawn-near", 0, PB_OPT_PAIR, "x,y",
		"with --set spawn=near: appear in this point's part (m)",
		&g->clyde.near, .seen = &o->has_near, .modes = ALONE},
	    PB_OPT_SETS(&o->set),
	    PB_OPT_LISTS,
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	const struct pb_tool tool = PB_TOOL(o, opt, choose_mode, mode_names,
	    .operands = "[file ...]", .purpose = "move a ghost on a map");
	int first = pb_opt_parse(&tool, argc, argv);

	return first >= 0 && !check_opts(o, argc - first) ? -1 : first;
}

/* Play a robot in lockstep: "blinky", "patrol1", ... */
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

	/* Body 0 is the player, not a ghost. */
	while (i <= n && strcmp(o->name, o->game->body[i]) != 0)
		i++;
	if (i <= n)
		pb_play_run(&p, NULL, 0);
	else
		pb_msg_usage("--name: there is no \"%.80s\" among the %d that "
			     "play",
		    o->name, n);
}

static const char *const nickname[PB_ARCADE_GHOSTS] = {
    "blinky", "pinky", "inky", "clyde"};

/* A ghost of a match that is asked where to turn. */
struct arcade {
	int which;
	int drawn; /* draw for its next turn, -1: none */
	bool begun;
	struct pb_arcade_board board;
};

static int
pick_drawn(void *ctx, int ghost, int n)
{
	const struct arcade *g = ctx;

	(void)ghost;
	return g->drawn >= 0 && g->drawn < n ? g->drawn : 0;
}

/* Find the cell of a body. Returns whether it is on the board. */
static bool
find_body(const struct pb_seen *k, const char *id, struct pb_at *at,
    struct pb_error *bad)
{
	const struct pb_seen_body *b = pb_seen_find(k, id);
	int d = b ? pb_dir_of(b->dir) : 0;

	if (!b)
		return pb_error_set(bad,
		    "tick.bodies: expected a body "
		    "\"%s\", got none",
		    id);
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
	struct pb_arcade_draw draw = {.pick = pick_drawn, .ctx = g};
	struct pb_arcade_view v = {.chase = strcmp(k->mode, "chase") == 0};
	struct pb_arcade a;
	struct pb_rec_move m;

	if (!g->begun)
		return pb_error_set(bad, "tick: expected a maze before it, "
					 "got none");
	if (!find_body(k, name, &a.loc, bad) ||
	    !find_body(k, "pacman", &v.pac, bad) ||
	    !find_body(k, pb_pacbot_ghost[PB_RED], &v.red, bad))
		return false;
	/* An eaten ghost is off the board and makes no decision. */
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
answer_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
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

/* Answer for a ghost of a match: "red" or "blinky", ... */
static void
run_arcade(const struct opts *o)
{
	struct arcade g = {.drawn = -1};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_MAZE) |
	                              PB_REC_BIT(PB_REC_TICK) |
	                              PB_REC_BIT(PB_REC_DRAW),
	    .common = &o->common,
	    .take = answer_record,
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

/* A ghost on a map. */
struct game {
	const struct clyde_opts *o;
	struct pb_map map, part; /* part: where the ghost can walk */
	struct pb_clyde_world world;
	struct pb_clyde clyde;
	struct pb_search *search; /* for its paths */
	struct pb_text out;
	bool ready;  /* there is a map */
	bool lost;   /* a warning about no destination was printed */
	bool moved;  /* moved by a command: write its pose */
	bool timed;  /* t0 and last are set */
	double t0;   /* time of tick 0 (s) */
	double last; /* previous stamp (s) */
	double done; /* ticks done */
};

/* Write the ghost's pose at time t (s). */
static void
write_pose(struct game *g, double t)
{
	struct pb_stamp s = pb_stamp_at(t, g->o->id);
	struct pb_vec at = g->clyde.at, point[PB_CLYDE_POINTS];
	struct pb_rec_pose p = {.x = at.x, .y = at.y};
	struct pb_rec_obstacle b = {.x = NAN, .y = NAN, .radius = NAN};

	pb_rec_put(&g->out, PB_REC_POSE, s, &p);
	if (g->o->obstacle == OBSTACLE_NONE)
		return;
	if (g->o->obstacle == OBSTACLE_POINTS) {
		pb_clyde_cloud(&g->clyde, point);
		b.point = point;
		b.n = PB_CLYDE_POINTS;
	} else {
		b.x = at.x;
		b.y = at.y;
		b.radius = g->o->clyde.radius;
	}
	pb_rec_put(&g->out, PB_REC_OBSTACLE, s, &b);
}

/* Warn that the ghost has no destination, once until it moves. */
static void
warn_if_lost(struct game *g, unsigned what)
{
	if (what & PB_CLYDE_PICKED)
		g->lost = false;
	if (!(what & PB_CLYDE_LOST) || g->lost)
		return;
	g->lost = true;
	pb_msg_warn((struct pb_place){0},
	    "%s at (%.3f, %.3f): no destination in %d draws; it stays there "
	    "and draws again every tick",
	    g->o->id, g->clyde.at.x, g->clyde.at.y, g->o->clyde.draws);
}

/* Place the ghost where the operator clicked, maybe before the game. */
static bool
place_by_click(
    struct game *g, struct pb_vec p, const char *field, struct pb_error *bad)
{
	unsigned what = 0;
	enum pb_status st = pb_clyde_click(&g->clyde, p, &what);

	if (st != PB_OK)
		return pb_error_set(bad, "%s: %s at (%g, %g): %s", field,
		    g->o->id, p.x, p.y, pb_status_text(st));
	warn_if_lost(g, what);
	g->moved = true;
	return true;
}

/* Start a game, with the random draws of a trial. */
static bool
start_ghost(struct game *g, uint64_t trial, struct pb_error *bad)
{
	const struct clyde_opts *o = g->o;
	struct pb_rng r;

	g->timed = g->lost = false;
	g->t0 = g->done = 0;
	pb_rng_start(&r, o->seed, trial, PB_FOR_GHOST, 0);
	warn_if_lost(g, pb_clyde_start(&g->clyde, r));
	if (o->has_spawn && !place_by_click(g, o->spawn, "--spawn-at", bad))
		return false;
	pb_clyde_state(&g->clyde, o->wait ? "waiting" : "running");
	g->moved = false;
	return true;
}

/* Find the ghost's part of the map and place it; false with bad filled in:
 * impossible. */
static bool
place_ghost(struct game *g, struct pb_error *bad)
{
	const struct clyde_opts *o = g->o;
	enum pb_status st = pb_map_part(&g->map, &g->part);

	bool walks;

	if (st == PB_OK)
		st = pb_clyde_world_init(&g->world, &g->part, &o->clyde);
	walks = st == PB_OK;
	if (walks)
		st = pb_search_new(&g->search, &g->world.grid);
	if (st == PB_OK)
		st = pb_clyde_init(&g->clyde, &g->world, &o->clyde, g->search);
	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (!walks)
		return pb_error_set(bad,
		    "map: %s for %s (clyde-clearance is %g m)",
		    pb_status_text(st), o->id, o->clyde.clearance);
	if (st != PB_OK)
		return pb_error_set(bad, "--spawn-near: (%g, %g): %s",
		    o->clyde.near.x, o->clyde.near.y, pb_status_text(st));
	g->out.exact = o->exact;
	return start_ghost(g, o->trial, bad);
}

/* Handle a spawn command as published: ignored while the ghost runs, but not if
 * it is in a wall. */
static bool
handle_spawn(struct game *g, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	if (c->kind != PB_VALUE_POINT)
		return pb_error_set(bad, "cmd.value: expected a point [x, y]");
	if (!g->clyde.running)
		return place_by_click(g, c->point, "cmd.value", bad);
	pb_msg_warn((struct pb_place){0},
	    "spawn ignored: %s is running; disable it first", g->o->id);
	return true;
}

static bool
handle_command(struct game *g, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	if (strcmp(c->name, "spawn") == 0)
		return handle_spawn(g, c, bad);
	if (strcmp(c->name, "speed") == 0 && c->kind != PB_VALUE_NUM)
		return pb_error_set(bad, "cmd.value: expected a speed in m/s");
	if (strcmp(c->name, "speed") == 0 &&
	    pb_clyde_speed(&g->clyde, c->num) != PB_OK)
		pb_msg_warn((struct pb_place){0},
		    "speed ignored: %g is not greater than 0", c->num);
	if (strcmp(c->name, "enable") == 0)
		pb_clyde_state(&g->clyde, "running");
	if (strcmp(c->name, "disable") == 0)
		pb_clyde_state(&g->clyde, "disabled");
	if (strcmp(c->name, "reset_ghosts") == 0) {
		warn_if_lost(g, pb_clyde_reset(&g->clyde));
		g->moved = true;
	}
	return true;
}

/* Run all ticks due by time t, within the limits. */
static void
run_ticks(struct game *g, double t)
{
	double period = g->o->clyde.period, k;

	/* Stamps are rounded to 1e-6 s: a tick may be due that much earlier. */
	t = fmin(t, g->t0 + g->o->duration);
	k = floor((t - g->t0 + 1e-6) / period);
	if (g->o->ticks >= 0)
		k = fmin(k, g->o->ticks);
	while (
	    g->ready && g->done < k && pb_msg_out_ok() && !pb_msg_stopped()) {
		g->done++;
		warn_if_lost(g, pb_clyde_tick(&g->clyde));
		write_pose(g, g->t0 + g->done * period);
	}
}

/* Advance to a record's time: run the ticks before it. */
static bool
advance_time(struct game *g, double t, struct pb_error *bad)
{
	if (!isfinite(t))
		return true;
	if (!g->timed) {
		double period = g->o->clyde.period;

		/* Ticks are multiples of the period, as in a game that begins
		 * at 0. */
		g->timed = true;
		g->t0 = period * floor((t + 1e-6) / period);
		g->last = t;
	}
	if (t - g->last > g->o->max_gap)
		return pb_error_set(bad,
		    "t: %g s after the record before; --max-gap is %g",
		    t - g->last, g->o->max_gap);
	g->last = t;
	run_ticks(g, t);
	return true;
}

static void
end_stream(struct game *g)
{
	pb_clyde_clear(&g->clyde);
	pb_search_free(g->search);
	pb_clyde_world_clear(&g->world);
	pb_map_clear(&g->part);
	pb_map_clear(&g->map);
	g->ready = false;
}

/* Start a new game on a map, which is moved out of m. */
static bool
begin_game(struct game *g, struct pb_map *m, struct pb_error *bad)
{
	end_stream(g);
	g->map = *m;
	*m = (struct pb_map){0};
	g->ready = place_ghost(g, bad);
	return g->ready;
}

/* Whether a command is for this ghost: it has its id or none, or resets all
 * ghosts. */
static bool
is_for_ghost(const struct game *g, const struct pb_rec *r)
{
	const char *id = r->stamp.id;

	return *id == '\0' || strcmp(id, g->o->id) == 0 ||
	       strcmp(r->cmd.name, "reset_ghosts") == 0;
}

static bool
handle_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct game *g = f->user;

	if (r->type == PB_REC_MAP) {
		if (!begin_game(g, &r->map, bad))
			return false;
	} else if (!advance_time(g, r->stamp.t, bad)) {
		return false;
	}
	if (g->ready && r->type == PB_REC_CMD && is_for_ghost(g, r) &&
	    !handle_command(g, &r->cmd, bad))
		return false;
	if (g->ready && r->type == PB_REC_RESET &&
	    !start_ghost(g, r->reset.trial, bad))
		return false;
	if (g->ready && r->type == PB_REC_STATE)
		pb_clyde_state(&g->clyde, r->state.state);
	/* Drop records of this ghost by another program. */
	if ((r->type != PB_REC_POSE && r->type != PB_REC_OBSTACLE) ||
	    strcmp(r->stamp.id, g->o->id) != 0)
		pb_filter_pass(f);
	if (g->moved)
		write_pose(g, g->timed ? g->last : NAN);
	g->moved = false;
	return true;
}

/* Load the map of -m instead of a record. */
static bool
load_map(struct game *g)
{
	struct pb_world w = {0};
	struct pb_error bad;
	bool ok = pb_world_file(&w, g->o->map, NULL) &&
	          (begin_game(g, &w.map, &bad) ||
		      pb_msg_error_at((struct pb_place){g->o->map, 0}, &bad));

	if (ok)
		pb_rec_put(&g->out, PB_REC_MAP, pb_stamp_none(), &g->map);
	pb_world_clear(&w);
	return ok;
}

/* After the last record: run the ticks up to the limits. */
static void
finish_run(struct game *g, char *const *files, int n)
{
	const struct clyde_opts *o = g->o;

	if (!g->ready && pb_msg_worst() == PB_EXIT_OK)
		pb_world_no_map(files, n, 0);
	pb_msg_catch(); /* with -m no stream was read, which would do it */
	if (isfinite(o->duration) || o->ticks >= 0)
		run_ticks(g, INFINITY);
	else if (g->ready && !g->timed)
		pb_msg_note("no record had a time t, so nothing moved; "
			    "--duration or --ticks makes the ghost go alone");
}

/*
 * Read the streams named by operands to their ends and pass them on to stdout,
 * with the poses and obstacles of a ghost that moves as time passes in their
 * stamps. A map begins a new game. With o->map and no operands there is no
 * stream. A refused record gets a message.
 */
static void
run_clyde(const struct clyde_opts *o, const struct pb_opt_common *common,
    char **files, int n)
{
	struct game g = {.o = o, .out.to = stdout};
	struct pb_filter f = {.want = PB_REC_ALL,
	    .passes = true,
	    .common = common,
	    .take = handle_record,
	    .user = &g};
	bool ok = o->map == NULL || load_map(&g);

	/* With -m, do not wait for stdin. */
	if (ok && (o->map == NULL || n > 0))
		ok = pb_filter_run(&f, files, n);
	if (ok)
		finish_run(&g, files, n);
	end_stream(&g);
	pb_text_clear(&g.out);
}

int
main(int argc, char **argv)
{
	static struct opts o; /* large for a stack */
	int first;

	pb_msg_start(argv[0]);
	memset(&o, 0, sizeof(o)); /* tests run main more than once */
	o.ghost = (struct clyde_opts){.id = "clyde",
	    .seed = 1,
	    .clyde = pb_clyde_defaults(),
	    .duration = INFINITY,
	    .ticks = -1,
	    .max_gap = 3600};
	o.constants = pb_constants_defaults();
	o.rate = 5;
	list_behaviours(&o);
	first = parse_args(&o, argc, argv);
	if (first >= 0 && o.kind == PLAYS)
		run_robot(&o);
	else if (first >= 0 && o.kind == ANSWERS)
		run_arcade(&o);
	else if (first >= 0)
		run_clyde(&o.ghost, &o.common, argv + first, argc - first);
	return pb_msg_finish();
}
