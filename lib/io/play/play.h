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
 * A person who sees a game on a board and steers, tick by tick. The game calls
 * board(), then show() and light() whenever state or lights have changed, and
 * ask() before each tick. view/show.h has the one at the terminal.
 */
struct pb_pilot {
	void *user;
	void (*board)(void *user, const struct pb_maze *z); /* or NULL */
	void (*show)(void *user, const struct pb_seen *k);
	void (*light)(void *user, const struct pb_ring *r);

	/*
	 * Called at time t of the game (s). Returns false to leave the game;
	 * else *stick is the direction, PB_STAY: none. NULL: the person only
	 * watches.
	 */
	bool (*ask)(void *user, double t, enum pb_dir *stick);

	/* The game is over, and how it ended; or NULL. */
	void (*over)(void *user, const struct pb_rec_result *r);
};

/* Options of the operator, for any game. */
struct pb_session_opts {
	const char *preset; /* its name for the result, or NULL */
	uint64_t seed, trial;
	double rate; /* of true poses, odometry and twists (1/s) */
	struct pb_sense_opts senses; /* checked; none: no sensors */
	struct pb_cues_opts cues;    /* checked */

	const struct pb_map *truth; /* the world as it is, where it is not as
	                               the map says; else NULL */

	/* Of games that an operator leads. */
	bool autostart;  /* press start at once, and after each round */
	bool wait_start; /* else that is done once the input is over, unless
	                  * start came with it; true: never */
	int rounds;      /* end after this many of these, >= 1 */
	uint32_t trace;  /* enum pb_trace_kind */

	/* Of games on maps: a real robot plays, which stands when no pose of
	 * it came for this long. */
	bool robot;
	double dead_man; /* (s) */
};

/* What the user wants; kept, with what it points to, while a game is played. */
struct pb_play_opts {
	const struct pb_game *game;
	const struct pb_player *player;
	const void *opts;  /* of the game, checked */
	const char *board; /* name or file; NULL: the usual one, or a map that
	                      comes as a record */
	const struct pb_mapfile_opts *pixels; /* how to read it, or NULL */
	const struct pb_session_opts *session;
	double heading;               /* of a robot that is held (rad) */
	const struct pb_pilot *pilot; /* the person who steers, NULL: none */
	struct pb_joystick *joystick; /* the same */

	const char *as; /* the body that we are in a swarm of processes;
	                   NULL: the player's, and all that are no programs */
	const struct pb_outside *programs; /* that are asked, or NULL */
	const struct pb_opt_list *robots;  /* that play along, or NULL */
	double patience;                   /* for their answers (s) */
	const struct pb_outside *outside;  /* which bodies are programs */

	const struct pb_opt_common *common;
	bool summary; /* print each result as a sentence */
};

/* A robot whose poses come as records, and whose twists go out as such. */
struct pb_robot {
	double dead_man; /* without a pose for this long it stands (s) */
	double zero;     /* when the game's time was 0 (s) */

	bool knows;    /* a pose came */
	bool fresh;    /* since the last step */
	double heard;  /* when it came (s) */
	double posed;  /* its stamp (s), NAN: none */
	bool timed;    /* a record with a stamp came */
	double stamp;  /* the newest of all its records (s) */
	double behind; /* by how much its clock is behind ours, at most (s) */
	struct pb_pose at;
};

/* A record of the robot has come, its stamp t (NAN: none): the age of poses is
 * measured against the record with the least delay. */
void pb_robot_clock(struct pb_robot *b, double t);

/*
 * The same of a pose. One that came late, by more than other records did, is as
 * old as it is: poses that queue up somewhere are no news, nor is one from
 * before the last. What is not sure where it is does not count.
 */
void pb_robot_hear(struct pb_robot *b, double t, const struct pb_rec_pose *p);

/* For pb_agents.drive, of a step of dt at time t of the game: writes the twist.
 */
bool pb_robot_drive(struct pb_robot *b, double t, double dt, struct pb_twist *u,
    struct pb_pose *at, struct pb_text *out);

/* A game being played; it is not moved while it is open. */
struct pb_play {
	const struct pb_play_opts *o;
	const struct pb_game *game;
	struct pb_maze maze;            /* the board, or: */
	struct pb_world land;           /* the map */
	struct pb_place from;           /* where either was read */
	void *world, *known, *state;    /* owned; known: by ... */
	const struct pb_player *player; /* ... o's when they were made */
	_Alignas(double) unsigned char learnt[PB_RULES_OPTS]; /* with these */
	long poses;                   /* rounds of pose records up to now */
	struct pb_lockstep c;         /* all records go through it */
	struct pb_event news[PB_EVENTS]; /* of the last step */
	struct pb_programs programs;
	struct pb_agents asked; /* asks these programs */
	struct pb_trace trace;
	struct pb_cues cues;     /* not where we are another's body */
	struct pb_senses senses; /* the player's; the same */
	struct pb_robot robot;   /* a real one, if one plays */
	enum pb_dir move;        /* of a script */
	struct pb_joy joy;
	double joy_since; /* START was pressed; its clock (s) */
	bool has_joy;     /* one was seen */
	bool waits;       /* for START */
	bool scripted;
	bool over;    /* its last step has passed */
	bool left;    /* the pilot has had enough */
	bool forfeit; /* the program that plays has failed */
	bool failed;  /* the game cannot go on; a message was printed */

	/* Of games that an operator leads. */
	int told;     /* results that were written */
	bool presses; /* start is pressed for the operator */
	bool wants;   /* start was asked for and not yet pressed */
	bool started; /* it was pressed */
};

/*
 * Load the default board, that of o, or that in the stream, and make its
 * tables; start programs. Or load the map of o, if there is one.
 *
 * Returns  false: a message was printed; p is for pb_play_close() in any case
 */
bool pb_play_open(struct pb_play *p, const struct pb_play_opts *o);
void pb_play_close(struct pb_play *p);

/*
 * Make a world of the ground and options, let the player learn it, and play
 * there from the next begin on. The map of a ground is the one in p->land.
 *
 * Returns  false with bad filled in (its text empty if a message was printed),
 *          and nothing changed
 */
bool pb_play_on(
    struct pb_play *p, const struct pb_ground *ground, struct pb_error *bad);

/* The board, or the map and its pellets. */
struct pb_ground pb_play_ground(const struct pb_play *p);

/* Read only map and pellets into p, which is open; other records are passed
 * on. False if there is no map, with a message. */
bool pb_play_read_map(struct pb_play *p, char *const *files, int n);

/* If there is no game yet, make it and begin it on the map that was read:
 * false if a message was printed why not. */
bool pb_play_on_map(struct pb_play *p);

/* Begin, as o says now: false if the system failed, with a message. */
bool pb_play_begin(struct pb_play *p);

double pb_play_time(const struct pb_play *p);

/*
 * The result of a game with what is known before it is played.
 *
 * Given    who  the player's name: o->player->name itself for the built-in one
 *          x    programs elsewhere, or NULL
 * Returns  r, and its constants in told->at, for free()
 */
void pb_play_sign(const struct pb_play_opts *o, const struct pb_ground *ground,
    const char *who, const struct pb_outside *x, struct pb_settings_room *told,
    struct pb_rec_result *r);

/*
 * Games with commands (pb/game.h), begun by pb_play_begin(). The operator
 * presses start by a command, or start is pressed for them; at the end of a round,
 * when the game waits for start again, its result is written.
 */

/*
 * Whether a command can be carried out now.
 *
 * Given    id  the node that the record is for, "": any
 * Returns  true; false with bad filled in: a value that the command cannot
 *          take
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

/* Let one step pass, and do what follows from it. */
void pb_operator_step(struct pb_play *p);

/*
 * Play until time t of the game (s, NAN: do not), or until all rounds are
 * over.
 *
 * Returns  true; false with bad filled in if t is too far ahead
 */
bool pb_operator_until(struct pb_play *p, double t, struct pb_error *bad);

/*
 * The input is over: play to the end and write the last result. The end comes
 * in any case: a game that stays in one phase for longer than that can last is
 * given up with a note.
 */
void pb_operator_finish(struct pb_play *p);

/* Whether start was not pressed and cannot come any more; whether all rounds
 * asked for are over and the robot is home again. */
bool pb_operator_idle(const struct pb_play *p);
bool pb_operator_over(const struct pb_play *p);

/* Write the result that waits for the robot to be home, if there is one. */
void pb_operator_leave(struct pb_play *p);

/*
 * Play one game, from the first byte of its streams to its end, and write it.
 *
 * On a board it writes the board, and for each step the moves, the
 * messages between robots, and the state when it has changed; at the end the
 * result. With operands, the player follows the move records in these streams,
 * one when it decides, or the joy records, and rests after the last. With a
 * pilot or a joystick the game runs in real time. Robots with bodies have
 * poses, too. A game that its pilot has left has no result. If bodies are
 * programs: in lockstep each receives the whole game and answers in turn
 * (struct pb_lockstep), else each is asked when it has to decide (program.h).
 *
 * On a map: map, pellets and commands are read from the operands; the
 * game begins with the first command, or when the input is over. It is played
 * to its end by the commands, and its trace is written (trace.h).
 */
void pb_play_run(const struct pb_play_opts *o, char *const *files, int n);
