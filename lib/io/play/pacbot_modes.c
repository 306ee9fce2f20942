/* pacbot_modes.c - what pb-sim does with Pacbot beside playing a match. */
#include "io/play/pacbot_modes.h"

#include <math.h>
#include <stdio.h>

#include "io/play/world.h"
#include "io/stream/msg.h"
#include "io/stream/net.h"

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
	HUMAN = 8,
	MATCH = PLAYER | AGENT | SCRIPT | HUMAN,
	REPLAY = 16,
	SERVE = 32,
	REFEREE = 64, /* the same with a referee */
	CLIENT = 128
};

static const struct pb_opt_fit fits[] = {
    {"policy|weights", PLAYER | CLIENT,
	"--client, or a match that no other plays"},
    {"seed|trial", MATCH | SERVE | REFEREE | CLIENT,
	"a match, --serve or --client"},
    {"listen|trust", SERVE | REFEREE, "--serve"},
    {"connect|end-after|result", CLIENT, "--client"},
    {"referee", REFEREE | CLIENT, "--serve or --client"},
    {"speed", HUMAN | SERVE | REFEREE | CLIENT, "--play, --serve or --client"},
    {"heat|agent|ghost|swarm|feedback|wav|sensors", MATCH, "a match"},
    {"patience", MATCH | CLIENT, "a match or --client"},
    {"keep-going", SCRIPT, "moves that are read"},
};

static enum mode
mode_of(const struct pb_pacsim_opts *o, const struct pb_opt_names *given, int n)
{
	if (o->replay)
		return REPLAY;
	if (o->serve)
		return o->referee ? REFEREE : SERVE;
	if (o->client)
		return CLIENT;
	if (pb_opt_names_have(given, "play"))
		return HUMAN;
	return o->agent ? AGENT : n > 0 ? SCRIPT : PLAYER;
}

/* What is wrong with o, NULL if nothing is. */
static const char *
wrong(const struct pb_pacsim_opts *o, enum mode mode, int n, bool sensors)
{
	if (o->replay + o->serve + o->client > 1)
		return "expected one of --replay, --serve, --client";
	if (o->heading != 0 && !sensors)
		return "--heading: goes with --sensors";
	if (n > 0 && mode == AGENT)
		return "--agent: reads no files";
	if (n > 0 && o->client)
		return "--client: reads no files";
	if (n > 0 && o->serve)
		return "--serve: reads no files";
	if (o->serve && o->listen.n == 0)
		return "--serve: goes with --listen, which says where";
	if (o->client && o->connect == NULL)
		return "--client: goes with --connect, which says where";
	return NULL;
}

const char *
pb_pacsim_mode(const struct pb_pacsim_opts *o)
{
	return o->client    ? "client"
	       : !o->serve  ? "match"
	       : o->referee ? "referee"
	                    : "serve";
}

bool
pb_pacsim_other(const struct pb_pacsim_opts *o)
{
	return o->replay || o->serve || o->client;
}

bool
pb_pacsim_check(const struct pb_pacsim_opts *o,
    const struct pb_opt_names *given, int n, bool sensors)
{
	enum mode mode = mode_of(o, given, n);
	const char *why = wrong(o, mode, n, sensors);

	if (why != NULL)
		return pb_msg_usage("%s", why);
	return pb_opt_names_fit(
		   given, fits, sizeof(fits) / sizeof(*fits), mode) &&
	       pb_pacbot_ports(&o->listen, &o->trust) &&
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

static void
replay(const struct pb_match_board *b, char *const *files, int n)
{
	static char in[] = "-", *const standard_input[] = {in};
	struct pb_text out = {.to = stdout};

	pb_pacbot_replay(
	    &b->rules, n > 0 ? files : standard_input, n > 0 ? n : 1, &out);
	pb_text_clear(&out);
}

void
pb_pacsim_run(const struct pb_pacsim *p, char *const *files, int n)
{
	struct pb_match_board b = {0};

	pb_msg_catch();
	if (open_board(p->play->board, &b)) {
		if (p->o->replay)
			replay(&b, files, n);
		else if (p->o->serve)
			pb_pacbot_serve(p, &b);
		else
			pb_pacbot_client(p, &b);
	}
	pb_match_board_clear(&b);
}
