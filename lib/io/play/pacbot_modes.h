/* pacbot_modes.h - what pb-sim does with Pacbot beside playing a match: it is
 * the official server or a client of it, and plays recorded games again. */
#pragma once

#include "io/opt/opt.h"
#include "io/play/program.h"
#include "pb/match.h"

/* One of the modes at most; none: play a match. */
struct pb_pacsim_opts {
	bool replay;               /* play recordings again and compare */
	bool serve;                /* be the server */
	bool client;               /* be its client */
	bool referee;              /* of the server or client: press play */
	struct pb_opt_list listen; /* ports of the server */
	struct pb_opt_list trust;  /* whose commands it takes there */
	struct pb_opt_list origin; /* hosts whose pages may command it */
	const char *connect;       /* where the client's server is */
	double duration;           /* after which a client ends (s) */
	const char *result;        /* file for its result, NULL: stdout */
	double speed;              /* of both, times real time */
	struct pb_opt_list agents; /* programs, as they were given */
	const char *agent;         /* the one that plays, NULL: none */
	struct pb_opt_list ghost;  /* programs that move ghosts */
	double patience;           /* for its answers (s) */
	double heading;            /* at which the robot is held (rad) */
};

struct pb_play_opts;

struct pb_pacsim {
	const struct pb_pacsim_opts *o;
	const struct pb_match_opts *game;
	const struct pb_play_opts *play; /* the match */
};

/* clang-format off */
/* Options for pb_opt; o: struct pb_pacsim_opts *. */
#define PB_OPT_PACSIM(o)                                                    \
	{"replay", 0, PB_OPT_FLAG, NULL,                                    \
	    "play recorded games and compare every field",                  \
	    &(o)->replay},                                    \
	PB_OPT_AGENTS(&(o)->agents, &(o)->patience),                        \
	{"ghost", 0, PB_OPT_LIST, "command",                                \
	    "let a program move a ghost; again for the next one",           \
	    &(o)->ghost},                                                   \
	{"heading", 0, PB_OPT_NUM, "rad",                                   \
	    "with --sensors: at which the robot is held",                   \
	    &(o)->heading, .min = -7, .max = 7},              \
	{"serve", 0, PB_OPT_FLAG, NULL,                                     \
	    "be the server for all who connect to --listen, or the operand",\
	    &(o)->serve},                                     \
	{"listen", 0, PB_OPT_LIST, "port",                                  \
	    "with --serve: where: [ws://|tcp://][ADDRESS:]PORT",            \
	    &(o)->listen},                                    \
	{"trust", 0, PB_OPT_LIST, "address",                                \
	    "with --serve: whose commands are taken, or all, or none",      \
	    &(o)->trust},                                     \
	{"origin", 0, PB_OPT_LIST, "host",                                  \
	    "with --serve: whose pages may command, as this machine's may", \
	    &(o)->origin},                                    \
	{"client", 0, PB_OPT_FLAG, NULL,                                    \
	    "be a client: play on the server at --connect, or the operand", \
	    &(o)->client},                                    \
	{"connect", 0, PB_OPT_TEXT, "url",                                  \
	    "with --client: the server, ws:// or tcp://HOST:PORT",          \
	    &(o)->connect},                                   \
	{"end-after", 0, PB_OPT_LIMIT, "s",                                 \
	    "with --client: end after so long",                             \
	    &(o)->duration, .min = 0},                        \
	{"result", 0, PB_OPT_TEXT, "file",                                  \
	    "with --client: write the result there",                        \
	    &(o)->result},                                    \
	{"referee", 0, PB_OPT_FLAG, NULL,                                   \
	    "with --serve, --client: press play at every pause",            \
	    &(o)->referee}
/* clang-format on */

/* Take an operand for where the client's server is, or where the server
 * listens, if no option says that. */
bool pb_pacsim_at(struct pb_pacsim_opts *o, const char *operand);

/* Check o with n operands, and with sensors if there are any. False: a message
 * was printed. */
bool pb_pacsim_check(const struct pb_pacsim_opts *o, int n, bool sensors);

/* What pb-sim is to Pacbot: match, serve, referee, agent (a server with one) or
 * client; the fact "mode". */
const char *pb_pacsim_mode(const struct pb_pacsim_opts *o);

/* Whether something else is to be done than to play a match. */
bool pb_pacsim_other(const struct pb_pacsim_opts *o);

/* Run the chosen mode. Errors are printed. */
void pb_pacsim_run(const struct pb_pacsim *p, char *const *files, int n);

/*
 * Be the server: send a frame of 159 bytes each tick to all who connect, and
 * carry out their commands, until a signal comes. With a referee, which presses
 * play whenever the game pauses, it ends with the match.
 */
void pb_pacbot_serve(const struct pb_pacsim *p, const struct pb_match_board *b);

/* Check its ports, addresses and hosts. False: a message said why. */
bool pb_pacbot_ports(const struct pb_pacsim_opts *o);

/* The player on a server, asked frame by frame: a program; without one, a
 * built-in player on another server, none on our own. */
struct pb_pacbot_player {
	const struct pb_pacsim *p;
	const char *server; /* its URL; NULL: it is this process */
	struct pb_ground ground;
	struct pb_programs programs; /* of a program that plays */
	struct pb_match m; /* as the newest frame shows it, and how it stands */
	int born;          /* lives that the match began with, 0: not known */
	bool shown, begun;
	int due;      /* tick of the move or of the next decision */
	int move;     /* that is made then, -1: not decided */
	double moved; /* when the last was sent to another server (s) */
};

void pb_pacbot_player_open(struct pb_pacbot_player *c,
    const struct pb_pacsim *p, const struct pb_match_board *b,
    const char *server);
void pb_pacbot_player_close(struct pb_pacbot_player *c);

/* The byte to send to the server at this frame, 0: none. If c->programs.failed,
 * the match is over. */
char pb_pacbot_player_ask(
    struct pb_pacbot_player *c, const struct pb_pacbot *s);

/* Say and write how the match stands at its last frame; `unended`: the outcome
 * of one that has not ended. */
void pb_pacbot_player_result(struct pb_pacbot_player *c,
    const struct pb_pacbot *s, const char *unended, struct pb_text *out);

/* Be a client until the match is over: send the commands of the player to the
 * server, and write the result. */
void pb_pacbot_client(
    const struct pb_pacsim *p, const struct pb_match_board *b);

/* How a match of this many levels stands, 0: without an end. */
enum pb_match_ending pb_pacbot_standing(const struct pb_pacbot *s, int levels);

/* Say how a match has ended. */
void pb_pacbot_note_end(const char *how, const struct pb_pacbot *s);
