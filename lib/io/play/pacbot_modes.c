/* pacbot_modes.c - what pb-sim does with Pacbot beside playing a match. */
#include "io/play/pacbot_modes.h"

#include <math.h>
#include <stdio.h>

#include "io/file/filter.h"
#include "io/play/pacbot_net.h"
#include "io/play/pacbot_replay.h"
#include "io/stream/net.h"
#include "io/play/pacbot_server.h"
#include "io/play/pacbot_tick.h"
#include "io/play/world.h"

/* Somebody else's match, seen tick by tick. */
struct answers {
	const struct pb_match_board *b;
	struct pb_seat seat;
	bool begun;
};

static bool
answer_tick(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct answers *a = f->user;
	struct pb_pacbot s;
	struct pb_bot_view v = {&s, a->b, a->seat.opts, &a->seat.rng};
	struct pb_rec_move move;

	if (!pb_pactick_read(&r->tick, &a->b->rules, &s, bad))
		return false;
	/* A level is cleared, and the server has taken him off the board. */
	if (s.pac.row >= PB_ARCADE_OFF)
		return true;
	if (pb_cells_at(&a->b->cells, s.pac.row, s.pac.col) < 0)
		return pb_error_set(bad, "tick: pacman is in a wall");
	if (!a->begun)
		pb_seat_reset(&a->seat, &v);
	a->begun = true;
	PB_REC_SET(move.dir, pb_dir_word((int)pb_seat_ask(&a->seat, &v)));
	pb_rec_put(&f->out, PB_REC_MOVE, r->stamp, &move);
	return true;
}

/* Be the player of somebody's --agent: answer each tick with a move. */
static void
answer_all(const struct pb_pacsim *p, const struct pb_match_board *b,
    char *const *files, int n)
{
	const struct pb_play_opts *o = p->play;
	struct answers a = {
	    .b = b, .seat = {.world = b, .opts = o->opts, .player = o->player}};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_TICK),
	    .common = o->common,
	    .take = answer_tick,
	    .user = &a};

	if (pb_seat_take(&a.seat, &pb_game_pacbot) != PB_OK) {
		pb_msg_system("no memory for the player");
		return;
	}
	pb_seat_start(&a.seat, o->session->seed, o->session->trial);
	pb_filter_run(&f, files, n);
	pb_seat_leave(&a.seat, &pb_game_pacbot);
}

struct pb_pacsim_opts
pb_pacsim_defaults(void)
{
	return (struct pb_pacsim_opts){
	    .patience = 10, .speed = 1, .duration = INFINITY};
}

/* What is done, and in a match, who plays. */
enum mode {
	PLAYER = 1,
	AGENT = 2,
	SCRIPT = 4,
	HUMAN = 128,
	MATCH = PLAYER | AGENT | SCRIPT | HUMAN,
	ANSWER = 16,
	OTHERS = 32, /* recordings or frames of other games are read */
	FRAMES = 64, /* a match, but no records are written */
	SERVE = 256,
	REFEREE = 512, /* the same with a referee */
	CLIENT = 1024,
	THERE = 2048 /* the same on a port */
};

static const struct pb_opt_fit fits[] = {
    {"policy|weights", PLAYER | ANSWER | CLIENT | THERE,
	"--answer, --client, or a match that no other plays"},
    {"seed|trial", MATCH | ANSWER | SERVE | REFEREE | CLIENT | THERE,
	"a match, --answer, --serve or --client"},
    {"ticks-per-cell", MATCH | ANSWER | CLIENT | THERE,
	"a match, --answer or --client"},
    {"ghosts", MATCH | ANSWER | SERVE | REFEREE,
	"a match, --answer or --serve"},
    {"nodes", PLAYER | AGENT | SCRIPT | ANSWER | CLIENT | THERE,
	"a match that no human plays, --answer or --client"},
    {"turn-ticks", MATCH | ANSWER | CLIENT | THERE,
	"a match, --answer or --client"},
    {"camera-delay|wrong-cell", MATCH | ANSWER, "a match or --answer"},
    {"lives", MATCH | ANSWER | SERVE | REFEREE, "a match, --answer or --serve"},
    {"levels", MATCH | ANSWER | REFEREE | CLIENT | THERE,
	"a match, --answer, --serve --referee or --client"},
    {"listen|trust", SERVE | REFEREE, "--serve"},
    {"connect", THERE, "--client"},
    {"end-after|result", CLIENT | THERE, "--client"},
    {"referee", REFEREE | CLIENT | THERE, "--serve or --client"},
    {"lockstep", SERVE | REFEREE | CLIENT | THERE, "--serve or --client"},
    {"speed", HUMAN | SERVE | REFEREE | CLIENT | THERE,
	"--play, --serve or --client"},
    {"heat|agent|ghost|swarm", MATCH, "a match"},
    {"patience", MATCH | THERE, "a match or --connect"},
    {"keep-going", SCRIPT | ANSWER, "moves that are read, or --answer"},
};

/* Options of what is beside the records of a match. */
static const struct pb_opt_fit shows[] = {
    {"feedback|wav", MATCH, "a match in records"},
};

static enum mode
mode_of(const struct pb_pacsim_opts *o, const struct pb_opt_names *given, int n)
{
	if (o->replay || o->from_wire)
		return OTHERS;
	if (o->answer)
		return ANSWER;
	if (o->serve)
		return o->referee ? REFEREE : SERVE;
	if (o->client)
		return o->connect ? THERE : CLIENT;
	if (pb_opt_names_have(given, "play"))
		return HUMAN;
	return o->agent ? AGENT : n > 0 ? SCRIPT : PLAYER;
}

/* What is wrong with o, NULL if nothing is. */
static const char *
wrong(const struct pb_pacsim_opts *o, enum mode mode, int n, bool sensors,
    bool paced)
{
	if (sensors && (o->wire || !(mode & MATCH)))
		return "--sensors: goes with a match in records";
	if (o->heading != 0 && !sensors)
		return "--heading: goes with --sensors";
	if (n > 0 && mode == AGENT)
		return "--agent: reads no files";
	if (o->trust.n > 0 && o->listen.n == 0)
		return "--trust: goes with --listen";
	if (n > 0 && o->client && o->connect)
		return "--connect: reads no files";
	if (n > 0 && o->serve)
		return "--serve: reads no files";
	if ((o->serve || o->client) && o->lockstep && paced)
		return "--speed: in lock-step there is none";
	return NULL;
}

bool
pb_pacsim_other(const struct pb_pacsim_opts *o)
{
	return o->replay || o->from_wire || o->answer || o->serve || o->client;
}

bool
pb_pacsim_match(const struct pb_pacsim_opts *o)
{
	return !pb_pacsim_other(o) && !o->wire && !o->agent;
}

bool
pb_pacsim_check(const struct pb_pacsim_opts *o,
    const struct pb_opt_names *given, int n, bool sensors)
{
	int modes = o->replay + (o->wire && !(o->client && o->connect)) +
	            o->from_wire + o->answer + o->serve + o->client;
	enum mode mode = mode_of(o, given, n);
	const char *why =
	    wrong(o, mode, n, sensors, pb_opt_names_have(given, "speed"));

	if (modes > 1)
		why =
		    "expected one of --replay, --wire, --from-wire, --answer, "
		    "--serve, --client";
	else if (!pb_opt_names_fit(
		     given, fits, sizeof(fits) / sizeof(*fits), mode) ||
		 !pb_opt_names_fit(given, shows, sizeof(shows) / sizeof(*shows),
		     o->wire ? FRAMES : mode))
		return false;
	if (why)
		pb_msg_usage("%s", why);
	return !why && pb_pacnet_check(&o->listen, &o->trust) &&
	       (!o->connect || pb_net_check("--connect", o->connect, true));
}

static bool
open_board(const char *path, struct pb_match_board *b)
{
	struct pb_maze z;
	const char *why;
	int found;

	if (!path)
		pb_maze_standard("pacman", &z);
	else if (!pb_world_maze(path, &z))
		return false;
	why = pb_match_board_wrong(&z, &found);
	if (why) {
		pb_msg_refuse((struct pb_place){path, 0},
		    found > 0 ? "%s, got %d" : "%s", why, found);
		return false;
	}
	if (pb_match_board_init(b, &z) == PB_OK)
		return true;
	return pb_msg_system("no memory for the board");
}

/* Frames from byte streams as tick records, one for each. */
static void
from_wire(const struct pb_match_board *b, char *const *files, int n,
    struct pb_text *out)
{
	pb_rec_put(out, PB_REC_MAZE, pb_stamp_none(), &b->maze);
	for (int i = 0; i < n && !pb_msg_stopped(); i++)
		pb_wire_ticks(files[i], &b->maze, &b->rules, out);
}

static void
run(const struct pb_pacsim *p, const struct pb_match_board *b,
    char *const *files, int n)
{
	static char in[] = "-", *const standard_input[] = {in};
	struct pb_text out = {.to = stdout};
	const struct pb_pacsim_opts *o = p->o;

	if (n == 0) {
		files = standard_input;
		n = 1;
	}
	if (o->replay)
		pb_pacbot_replay(&b->rules, files, n, &out);
	else if (o->from_wire)
		from_wire(b, files, n, &out);
	else if (o->answer)
		answer_all(p, b, files, n);
	else if (o->serve)
		pb_pacserve(p, b);
	else
		pb_pacserve_client(p, b, files, n);
	pb_text_clear(&out);
}

void
pb_pacsim_frame(const void *state)
{
	const struct pb_match *m = state;
	uint8_t frame[PB_PACBOT_FRAME];

	pb_pacbot_frame(&m->s, frame);
	fwrite(frame, 1, sizeof(frame), stdout);
}

void
pb_pacsim_run(const struct pb_pacsim *p, char *const *files, int n)
{
	struct pb_match_board b = {0};

	pb_msg_catch();
	if (open_board(p->play->board, &b))
		run(p, &b, files, n);
	pb_match_board_clear(&b);
}
