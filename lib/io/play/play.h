/* play.h - play one game of any rule set: deciders, output, and the operator's
 * start, commands and rounds. */
#pragma once

#include <stdint.h>

#include "io/opt/opt.h"
#include "io/opt/rules_opts.h"
#include "io/play/feedback_out.h"
#include "io/play/program.h"
#include "io/play/steering.h"
#include "io/play/trace.h"
#include "io/play/world.h"
#include "pb/drive.h"
#include "pb/games.h"
#include "robot/signals.h"

/*
 * A person who watches a game on a board and may steer, tick by tick. The game
 * calls board(), then show() and light() whenever state or lights have changed,
 * and ask() before each tick. lib/view implements the one at the terminal.
 */
struct pb_pilot {
	void *user;
	void (*board)(void *user, const struct pb_maze *z); /* or NULL */
	void (*show)(void *user, const struct pb_seen *k);
	void (*light)(void *user, const struct pb_ring *r);

	/*
	 * Called at time t of the game (s): *stick is the direction, PB_STAY:
	 * none. Returns false to leave the game. NULL: the person only watches.
	 */
	bool (*ask)(void *user, double t, enum pb_dir *stick);

	/* Called when the game is over, with its result; or NULL. */
	void (*over)(void *user, const struct pb_rec_result *r);
};

/* Options of the operator, for any game. */
struct pb_session_opts {
	const char *preset; /* name for the result, or NULL */
	uint64_t seed, trial;
	double rate; /* of true poses, odometry and twists (Hz) */
	struct pb_sense_opts senses; /* checked; zeroed: no sensors */
	struct pb_cues_opts cues;    /* checked */

	const struct pb_map *truth; /* true map if another, else NULL */

	/* Games on maps, which an operator starts: */
	bool autostart;  /* press start at once, and after each round */
	bool wait_start; /* without start, do not press it when input ends */
	int rounds;      /* end after so many rounds, >= 1 */
	uint32_t trace;  /* enum pb_trace_kind */

	/* Games on maps: a real robot plays, and stands if it sends no pose for
	 * this long. */
	bool robot;
	double dead_man; /* (s) */
};

/* What to play; the caller keeps it, and what it points to, during the game. */
struct pb_play_opts {
	const struct pb_game *game;
	const struct pb_player *player;
	const void *opts;  /* of the game, checked */
	const char *board; /* name or file; NULL: default, or a record */
	const struct pb_mapfile_opts *pixels; /* how to read the map, or NULL */
	const struct pb_session_opts *session;
	double heading;               /* fixed heading of a robot (rad) */
	const struct pb_pilot *pilot; /* NULL: none */
	struct pb_joystick *joystick; /* NULL: none */

	const char *as; /* body of this process in a swarm, or NULL */
	const struct pb_outside *programs; /* that decide for bodies, or NULL */
	const struct pb_opt_list *robots;  /* programs of a swarm, or NULL */
	double patience;                   /* wait for their answers (s) */
	const struct pb_outside *outside;  /* programs for the result */

	const struct pb_opt_common *common;
	bool summary; /* print each result as a sentence */
};

/* A real robot: poses come as records, twists are written as records. */
struct pb_robot {
	double dead_man; /* it stands without a pose for this long (s) */
	double zero;     /* the clock at the game's time 0 (s) */

	bool knows;    /* a pose came */
	bool fresh;    /* a pose came since the last step */
	double heard;  /* when the pose came, on our clock (s) */
	double posed;  /* stamp of the pose (s), NAN: none */
	bool timed;    /* a record with a stamp came */
	double stamp;  /* newest stamp (s) */
	double behind; /* least delay of its stamps behind our clock (s) */
	struct pb_pose at;
};

/* Note a record of the robot with stamp t (NAN: none). The age of a pose is
 * measured against the record with the least delay. */
void pb_robot_clock(struct pb_robot *b, double t);

/*
 * Use a pose of the robot with stamp t. Its age includes the delay beyond that
 * of other records, as poses may have queued up. Ignored are poses older than
 * the last, and those of a robot that is not tracking.
 */
void pb_robot_hear(struct pb_robot *b, double t, const struct pb_rec_pose *p);

/* For pb_agents.drive: a step of dt at time t of the game; writes the twist. */
bool pb_robot_drive(struct pb_robot *b, double t, double dt, struct pb_twist *u,
    struct pb_pose *at, struct pb_text *out);

/* A game being played; it must not move while it is open. */
struct pb_play {
	const struct pb_play_opts *o;
	const struct pb_game *game;
	struct pb_maze maze;            /* the board, or ... */
	struct pb_world land;           /* ... the map */
	struct pb_place from;           /* file and line of either */
	void *world, *known, *state;    /* owned; known: the model ... */
	const struct pb_player *player; /* ... that this player learnt, and */
	_Alignas(double) unsigned char learnt[PB_RULES_OPTS]; /* its options */
	long poses;                       /* pose records written, in rounds */
	struct pb_lockstep c;             /* writes all records */
	struct pb_event event[PB_EVENTS]; /* events of the last step */
	struct pb_programs programs;
	struct pb_agents asked; /* agents that ask the programs */
	struct pb_trace trace;
	struct pb_cues cues;     /* unused in a swarm, except by the first */
	struct pb_senses senses; /* sensors of the player's robot */
	struct pb_robot robot;   /* if a real robot plays */
	enum pb_dir move;        /* next move of a script */
	struct pb_joy joy;
	double joy_since; /* START on the joystick's clock (s) */
	bool has_joy;     /* a joystick record came */
	bool waits;       /* waits for START */
	bool scripted;
	bool over;    /* its last step was played */
	bool left;    /* the pilot has left the game */
	bool forfeit; /* the program that plays has failed */
	bool failed;  /* cannot go on; a message was printed */

	/* Games on maps, which an operator starts: */
	int reported; /* results written */
	bool presses; /* start is pressed for the operator */
	bool wants;   /* start was requested and not yet pressed */
	bool started; /* it was pressed */
};

/*
 * Load the map of o, the board of o, the one in the stream, or the default;
 * make its tables; start programs.
 *
 * Returns  false: a message was printed; call pb_play_close() in any case
 */
bool pb_play_open(struct pb_play *p, const struct pb_play_opts *o);
void pb_play_close(struct pb_play *p);

/*
 * Make the tables of another ground and options, let the player learn, and play
 * there from the next pb_play_begin() on. A map must be the one in p->land.
 *
 * Returns  false with bad filled in (its text empty if a message was printed),
 *          and nothing changed
 */
bool pb_play_on(
    struct pb_play *p, const struct pb_ground *ground, struct pb_error *bad);

/* The ground of the game: a board, or a map and its pellets. */
struct pb_ground pb_play_ground(const struct pb_play *p);

/* Read map and pellets into p, which is open; pass on other records. False,
 * with a message: no map came. */
bool pb_play_read_map(struct pb_play *p, char *const *files, int n);

/* If there is no game yet, make and begin one on the map that was read. False:
 * a message was printed. */
bool pb_play_on_map(struct pb_play *p);

/* Begin a game with the current options o. False, with a message: the system
 * failed. */
bool pb_play_begin(struct pb_play *p);

double pb_play_time(const struct pb_play *p);

/*
 * Fill in the result r with what is known before the game.
 *
 * Given    who: the player's name, o->player->name itself for the built-in one;
 *          x: programs, or NULL
 *
 * Returns  r, and its constants in settings->at, for free()
 */
void pb_play_sign(const struct pb_play_opts *o, const struct pb_ground *ground,
    const char *who, const struct pb_outside *x,
    struct pb_settings_room *settings, struct pb_rec_result *r);

/*
 * Games with commands (pb/game.h), begun by pb_play_begin(). The operator
 * presses start by a command, or start is pressed automatically; at the end of
 * a round, when the game waits for start again, its result is written.
 */

/*
 * Check that a command can be carried out now.
 *
 * Given    id  the node that the record is for, "": any
 *
 * Returns  false with bad filled in: a value that the command cannot take
 */
bool pb_operator_takes(const struct pb_play *p, const struct pb_rec_cmd *c,
    const char *id, struct pb_error *bad);

/*
 * Carry out a command that pb_operator_takes(). Commands to nodes outside the
 * game, or after its end, do nothing.
 *
 * Note     start waits until the robot knows where it is; outside the menu it
 *          is refused with a note, as the published service does
 */
void pb_operator_command(
    struct pb_play *p, const struct pb_rec_cmd *c, const char *id);

/* Play one step, and what follows from it. */
void pb_operator_step(struct pb_play *p);

/*
 * Play until time t of the game (s; NAN: not at all), or until all rounds are
 * over.
 *
 * Returns  false with bad filled in: t is too far ahead
 */
bool pb_operator_until(struct pb_play *p, double t, struct pb_error *bad);

/* The input is over: play to the end and write the last result. A game that
 * stays in one phase for longer than that can last is ended with a note. */
void pb_operator_finish(struct pb_play *p);

/* Whether start was not pressed and can no longer come; whether all requested
 * rounds are over and the robot is home again. */
bool pb_operator_idle(const struct pb_play *p);
bool pb_operator_over(const struct pb_play *p);

/* Write the pending result, which waits for the robot to be home, if any. */
void pb_operator_leave(struct pb_play *p);

/*
 * Play one game from the first byte of its streams to its end, and write its
 * records.
 *
 * On a board: the board; for each step the moves, the messages between robots,
 * and the state if it has changed; the result. With operands, the player
 * follows the move records (one for each decision) or joy records of these
 * streams, and rests after the last. With a pilot or a joystick the game runs
 * in real time. Robots with bodies have poses, too. A game that its pilot
 * leaves has no result. Programs decide for bodies: in lockstep each receives
 * the whole game and answers in turn (struct pb_lockstep), else each is asked
 * when it has to decide (program.h).
 *
 * On a map: map, pellets and commands are read from the operands; the game
 * begins with the first command, or when the input is over. The commands lead
 * it to its end, and its trace is written (trace.h).
 */
void pb_play_run(const struct pb_play_opts *o, char *const *files, int n);
