/* pacbot_server.h - the official Pacbot server and a client of it: frames and
 * commands. */
#pragma once

#include "game/pacbot/pacbot_frame.h"
#include "pb/match.h"
#include "io/opt/opt.h"
#include "io/play/play.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/maze.h"

/* One of the modes at most; none: play a match. */
struct pb_pacsim_opts {
	bool replay;    /* play recordings again and compare */
	bool wire;      /* play, and write the server's frames */
	bool from_wire; /* read frames, write ticks */
	bool answer;    /* read ticks, write moves */
	bool serve;     /* be the server: read commands, write frames */
	bool client;    /* be its client: read frames, write commands */
	bool referee;   /* of the server or client: press play */
	bool lockstep;  /* they wait for each other, not for the clock */
	struct pb_opt_list
	    listen;               /* ports of the server; none: stdin, stdout */
	struct pb_opt_list trust; /* whose commands it takes there */
	const char *connect; /* where the client's server is; NULL: on stdin */
	double duration;     /* after which a client ends (s) */
	const char *result;  /* file for its results, NULL: stdout, if that is
	                        free */
	double speed;        /* of the server, times real time */
	struct pb_opt_list agents; /* programs, as they were given */
	const char *agent;         /* of them, who plays, NULL: none */
	struct pb_opt_list ghost;  /* programs that move ghosts */
	double patience;           /* for its answers (s) */
	double heading;            /* at which the robot is held (rad) */
};

struct pb_pacsim {
	const struct pb_pacsim_opts *o;
	const struct pb_match_opts *game;
	const struct pb_play_opts *play; /* the match */
};

/*
 * Read frames of 159 bytes, back to back, from the file ("-": standard input),
 * and write a tick record for each. A frame that no server would send and one
 * that is cut off end it and are refused, and so is a file without any.
 */
void pb_wire_ticks(const char *file, const struct pb_maze *z,
    const struct pb_pacbot_rules *k, struct pb_text *o);

/*
 * Be the server: write a frame of 159 bytes each tick to standard output,
 * carry out the commands that come on standard input, until it ends. With a
 * referee, who presses play whenever the game pauses, it ends with the match.
 * With ports, frames go to all who connect to them, too, commands come from
 * there alone, and a signal ends it.
 *
 * Note     commands are those of pb_pacbot_command, back to back; each byte is
 *          one, but for 'x', which takes two more
 */
void pb_pacserve(const struct pb_pacsim *p, const struct pb_match_board *b);

/*
 * Be a client until the match is over: read frames from the files ("-":
 * standard input) and write the commands of the player; or play on the server
 * at o->connect. Writes a result where that may go.
 */
void pb_pacserve_client(const struct pb_pacsim *p,
    const struct pb_match_board *b, char *const *files, int n);
