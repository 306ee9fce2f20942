/* play.h - one game being played, whichever: who decides, what is written. */
#pragma once

#include <stdint.h>

#include "io/opt/opt.h"
#include "io/opt/rules_opts.h"
#include "io/play/feedback_out.h"
#include "io/play/lockstep.h"
#include "io/play/program.h"
#include "io/play/robot.h"
#include "io/play/senses.h"
#include "io/play/steering.h"
#include "io/play/trace.h"
#include "io/play/world.h"
#include "pb/games.h"
#include "robot/signals.h"

/*
 * Somebody who sees a game on a board and steers in it, tick by tick: it shows
 * him its board, then its state and the robot's lights whenever those have
 * changed, and asks him before each tick. view/human.h is one at the terminal.
 */
struct pb_pilot {
	void *user;
	void (*board)(void *user, const struct pb_maze *z); /* or NULL */
	void (*show)(void *user, const struct pb_seen *k);
	void (*light)(void *user, const struct pb_ring *r);

	/*
	 * It is time t of the game (s). Returns false if he leaves the game;
	 * else *stick is where he steers, PB_STAY: nowhere. NULL: he only
	 * looks on, and somebody else plays.
	 */
	bool (*ask)(void *user, double t, enum pb_dir *stick);

	/* The game is over, and how it ended; or NULL. */
	void (*over)(void *user, const struct pb_rec_result *r);
};

/* What of a game can be set by its operator, whichever game it is. */
struct pb_session_opts {
	const char *preset; /* its name for the result, or NULL */
	uint64_t seed, trial;
	double rate; /* of true poses, odometry and twists (1/s) */
	struct pb_senses_opts senses; /* checked */
	struct pb_cues_opts cues;     /* checked */

	const struct pb_map *truth; /* the world as it is, where it is not as
	                               the map says; else NULL */

	/* Of games that an operator leads. */
	bool autostart; /* press start at once, and after each round */
	int rounds;     /* with autostart: end after so many, >= 1 */
	double max_gap; /* a command may be so far ahead of the game (s) */
	uint32_t trace; /* enum pb_trace_kind */

	/* Of games on maps: a real robot plays, which stands when no pose of
	 * it came for so long. */
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
	const struct pb_session_opts *session;
	double heading;     /* of a robot that is held (rad) */
	unsigned explorers; /* bodies whose knowledge is written; see game.h */
	const struct pb_pilot *pilot; /* who steers, NULL: nobody */
	struct pb_joystick *joystick; /* the same */

	const char *as; /* the body that we are in a swarm of processes;
	                   NULL: the player's, and all that are no programs */
	const struct pb_outside *programs; /* that are asked, or NULL */
	const struct pb_opt_list *robots;  /* that play along, or NULL */
	double patience;                   /* for what they say (s) */
	const struct pb_outside *outside;  /* who of both is not ours */

	const struct pb_opt_common *common;
};

/* A game being played; it is not moved while it is open. */
struct pb_play {
	const struct pb_play_opts *o;
	const struct pb_game *game;
	struct pb_maze maze;         /* the board, or: */
	struct pb_world land;        /* the map */
	void *world, *known, *state; /* owned; known: by the player */
	_Alignas(double) unsigned char learnt[PB_RULES_OPTS]; /* with these */
	long poses;           /* rounds of pose records so far */
	struct pb_lockstep c; /* all records go through it */
	struct pb_programs programs;
	struct pb_crew asked; /* what they decide */
	struct pb_trace trace;
	struct pb_cues cues;     /* not where we are another's body */
	struct pb_senses senses; /* the player's; the same */
	struct pb_explorers explorers;
	struct pb_robot robot; /* a real one, if one plays */
	enum pb_dir move;      /* of a script */
	struct pb_joy joy;
	double joy_since; /* START was pressed; its clock (s) */
	bool has_joy;     /* one was seen */
	bool waits;       /* for START */
	bool scripted;
	bool over;    /* its last step has passed */
	bool left;    /* the pilot has had enough */
	bool forfeit; /* the program that plays has failed */
	bool failed;  /* the game cannot go on; it was said */

	/* Of games that an operator leads. */
	int told;     /* results that were written */
	bool wants;   /* start was asked for and not yet pressed */
	bool started; /* it was pressed */
};

/*
 * The usual board, the one of o, or the one that is heard, and its tables;
 * programs are started. Or the map of o, if there is one.
 *
 * Returns  false: it was said; p is for pb_play_close() in any case
 */
bool pb_play_open(struct pb_play *p, const struct pb_play_opts *o);
void pb_play_close(struct pb_play *p);

/*
 * Make a world of the ground and options, let the player learn it, and play
 * there from the next begin on. The map of a ground is the one in p->land.
 *
 * Returns  false with bad filled in (its text empty if it was said), and
 *          nothing changed
 */
bool pb_play_on(
    struct pb_play *p, const struct pb_ground *ground, struct pb_error *bad);

/* The board, or the map and its pellets. */
struct pb_ground pb_play_ground(const struct pb_play *p);

/* Begin, as o says now: false if the system failed, which was said. */
bool pb_play_begin(struct pb_play *p);

/* Let a step pass: false if the game is over, or the pilot has left. */
bool pb_play_step(struct pb_play *p);

/* A move of a script, or, at t of its clock (s; NAN: unknown), of a joystick,
 * and what passes until the player decides again; returns as pb_play_step. */
bool pb_play_move(void *p, enum pb_dir d);
bool pb_play_joy(void *p, double t, const struct pb_rec_joy *j);

/* While the player does not decide he needs no move; returns as above. */
bool pb_play_sit_out(struct pb_play *p);

/* Whether the world lets us play. */
bool pb_play_goes_on(const struct pb_play *p);

/* Who decides between two steps, for the game's command(). */
struct pb_crew pb_play_crew(struct pb_play *p);

/* Have the player know what it can about the round that comes. */
void pb_play_learn(struct pb_play *p, const void *opts);

/* If a program has failed, the game ends. */
void pb_play_look_after(struct pb_play *p);

/*
 * The result of a game with what is known before it is played.
 *
 * Given    who  plays: o->player->name itself, if it is him
 *          x    programs elsewhere, or NULL
 * Returns  r, and the constants that it tells for free(told->at)
 */
void pb_play_sign(const struct pb_play_opts *o, const struct pb_ground *ground,
    const char *who, const struct pb_outside *x, struct pb_told_room *told,
    struct pb_rec_result *r);

/* Write the result. */
void pb_play_result(struct pb_play *p);

double pb_play_time(const struct pb_play *p);

/* Name of who plays: the player, or the program in his place. */
void pb_play_who(const struct pb_play *p, char who[PB_TRIAL_NAME]);
