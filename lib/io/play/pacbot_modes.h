/* pacbot_modes.h - modes of pb-sim for Pacbot: official server, client of one,
 * replay of recordings. */
#pragma once

#include "io/opt/opt.h"
#include "io/play/program.h"
#include "pb/match.h"

/* At most one mode is set; none: play a match. */
struct pb_pacsim_opts {
	bool replay;               /* replay recordings and compare */
	bool serve;                /* run the server */
	bool client;               /* run a client */
	bool referee;              /* press play, as the referee does */
	struct pb_opt_list listen; /* ports of the server */
	struct pb_opt_list trust;  /* addresses that may send commands */
	struct pb_opt_list origin; /* hosts whose web pages may send commands */
	const char *connect;       /* URL of the client's server */
	double duration;           /* a client ends after this long (s) */
	const char *result; /* file for the client's result, NULL: stdout */
	double speed;       /* of server and client, times real time */
	struct pb_opt_list agents; /* programs as typed */
	const char *agent;         /* program that plays, NULL: none */
	struct pb_opt_list ghost;  /* programs that move ghosts */
	double patience;           /* wait for answers of programs (s) */
	double heading;            /* fixed heading of the robot (rad) */
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

/* Use an operand as the client's server or the server's port if no option gives
 * that. */
bool pb_pacsim_at(struct pb_pacsim_opts *o, const char *operand);

/* Check o; n: number of operands, sensors: whether there are any. False: a
 * message was printed. */
bool pb_pacsim_check(const struct pb_pacsim_opts *o, int n, bool sensors);

/* Mode of pb-sim: match, serve, referee, agent (a server with one) or client;
 * the fact "mode" of constants. */
const char *pb_pacsim_mode(const struct pb_pacsim_opts *o);

/* Whether another mode than a match is chosen. */
bool pb_pacsim_other(const struct pb_pacsim_opts *o);

/* Run the chosen mode. Errors are printed. */
void pb_pacsim_run(const struct pb_pacsim *p, char *const *files, int n);

/*
 * Run the server: each tick, send a frame of 159 bytes to all connections and
 * carry out their commands, until a signal comes. With a referee, which presses
 * play whenever the game pauses, it ends with the match.
 */
void pb_pacbot_serve(const struct pb_pacsim *p, const struct pb_match_board *b);

/* Check the ports, addresses and hosts of o. False: a message was printed. */
bool pb_pacbot_ports(const struct pb_pacsim_opts *o);

/* The player at a server, asked frame by frame: a program or, at another
 * server, a built-in player. */
struct pb_pacbot_player {
	const struct pb_pacsim *p;
	const char *server; /* URL; NULL: this process */
	struct pb_ground ground;
	struct pb_programs programs; /* the program that plays */
	struct pb_match m; /* match and result so far, by the newest frame */
	int born;          /* lives at the start of the match, 0: unknown */
	bool shown, begun;
	int due;      /* tick of the planned move, or of the next plan */
	int move;     /* planned move, -1: none */
	double moved; /* when the last move was sent to another server (s) */
};

void pb_pacbot_player_open(struct pb_pacbot_player *c,
    const struct pb_pacsim *p, const struct pb_match_board *b,
    const char *server);
void pb_pacbot_player_close(struct pb_pacbot_player *c);

/* Returns the byte to send to the server for this frame, 0: none. If
 * c->programs.failed, the match is over. */
char pb_pacbot_player_ask(
    struct pb_pacbot_player *c, const struct pb_pacbot *s);

/* Report and write the result at the last frame; `unended`: the outcome of a
 * match that has not ended. */
void pb_pacbot_player_result(struct pb_pacbot_player *c,
    const struct pb_pacbot *s, const char *unended, struct pb_text *out);

/* Run a client until the match is over: send the player's commands to the
 * server, and write the result. */
void pb_pacbot_client(
    const struct pb_pacsim *p, const struct pb_match_board *b);

/* The state of a match of so many levels; 0: without end. */
enum pb_match_ending pb_pacbot_standing(const struct pb_pacbot *s, int levels);

/* Report how a match ended. */
void pb_pacbot_note_end(const char *how, const struct pb_pacbot *s);
