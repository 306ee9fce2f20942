/* play.h - one game being played, whichever: who decides, what is written. */
#ifndef PB_IO_PLAY_PLAY_H
#define PB_IO_PLAY_PLAY_H

#include <stdint.h>

#include "io/opt/opt.h"
#include "io/play/explored.h"
#include "io/play/pilot.h"
#include "io/play/program.h"
#include "io/play/lockstep.h"
#include "io/play/feedback_out.h"
#include "io/play/steering.h"
#include "io/play/senses.h"
#include "pb/games.h"

/* What the user wants; kept, with what it points to, while a game is played. */
struct pb_play_opts {
	const struct pb_game *game;
	const struct pb_player *player;
	const void *opts;  /* of the game, checked */
	const char *board; /* name or file, NULL: the usual one */
	uint64_t seed, trial;
	double rate;        /* of poses of robots with bodies (1/s) */
	double heading;     /* of a robot that is held (rad) */
	unsigned explorers; /* bodies whose knowledge is written; see game.h */
	const struct pb_senses_opts *senses; /* checked; NULL: none */
	const struct pb_cues_opts *cues;     /* checked */
	const struct pb_pilot *pilot;        /* who steers, NULL: nobody */
	struct pb_joystick *joystick;        /* the same */

	const char *as;    /* the body that we are in a swarm of processes;
	                      NULL: the player's, and all that are no programs */
	const char *agent; /* program that plays, or NULL */
	const struct pb_opt_list *programs; /* of the other bodies, or NULL */
	double patience;                    /* for what they say (s) */
	const struct pb_agent_outside *outside; /* which are not ours */

	/* Instead of records, this is written of each state; NULL: records. */
	void (*frame)(const void *state);
	const struct pb_opt_common *common;
};

/* A game being played; it is not moved while it is open. */
struct pb_play {
	const struct pb_play_opts *o;
	const struct pb_game *game;
	struct pb_maze maze;
	void *world, *state;  /* owned */
	long poses;           /* rounds of pose records so far */
	struct pb_lockstep c; /* all records go through it */
	struct pb_programs programs;
	struct pb_cues cues;     /* not where we are another's body */
	struct pb_senses senses; /* the player's; the same */
	struct pb_explorers explorers;
	enum pb_dir move; /* of a script */
	struct pb_joy joy;
	double joy_since; /* START was pressed; its clock (s) */
	bool has_joy;     /* one was seen */
	bool waits;       /* for START */
	bool scripted;
	bool over;    /* its last step has passed */
	bool left;    /* the pilot has had enough */
	bool forfeit; /* the program that plays has failed */
	bool failed;  /* the game cannot go on; it was said */
};

/*
 * The usual board, the one of o, or the one that is heard, and its tables;
 * programs are started.
 *
 * Returns  false: it was said; p is for pb_play_close() in any case
 */
bool pb_play_open(struct pb_play *p, const struct pb_play_opts *o);
void pb_play_close(struct pb_play *p);

/*
 * Make a world of a board and options, and play there from the next begin on.
 *
 * Returns  false with bad filled in, and nothing changed
 */
bool pb_play_on_board(
    struct pb_play *p, const struct pb_maze *z, struct pb_error *bad);

/* Begin, as o says now: false if the system failed, which was said. */
bool pb_play_begin(struct pb_play *p);

/* Let a step pass: false if the game is over, or the pilot has left. */
bool pb_play_step(struct pb_play *p);

/* Write the result. */
void pb_play_result(struct pb_play *p);

double pb_play_time(const struct pb_play *p);

/* A copy of the game but for its cues, NULL without memory; make it that
 * again; free it. Good until the game begins anew. */
struct pb_play_copy;
struct pb_play_copy *pb_play_save(const struct pb_play *p);
void pb_play_load(struct pb_play *p, const struct pb_play_copy *c);
void pb_play_drop(struct pb_play_copy *c);

/*
 * Play one game and write it: the board, and for each step the moves, what the
 * robots tell each other, and the state when it has changed; at the end the
 * result. With operands, the player follows the move records in these streams,
 * one when he decides, or the joy records, and rests after the last. With a
 * pilot or a joystick the game runs in real time. Robots with bodies have
 * poses, too. A game that its pilot has left has no result.
 *
 * Where bodies are programs, of a game in lockstep each hears the whole game
 * and speaks in turn (lockstep.h), else each is asked when it has to decide
 * (program.h).
 *
 * Given    left  NULL, or for what is drawn of it: the board, and where the
 *                player was
 */
struct pb_play_left {
	struct pb_maze maze; /* rows 0: there was none */
	struct pb_heat heat;
	char who[PB_TRIAL_NAME]; /* played */
};
void pb_play_run(const struct pb_play_opts *o, char *const *files, int n,
    struct pb_play_left *left);

#endif
