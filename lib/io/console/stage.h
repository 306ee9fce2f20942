/* stage.h - a game as the console commands it. */
#ifndef PB_IO_CONSOLE_STAGE_H
#define PB_IO_CONSOLE_STAGE_H

#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/play/feedback_out.h"
#include "io/play/pacmanbot_session.h"
#include "io/stream/text.h"
#include "pb/games.h"

/*
 * What the user wants of a game that commands lead. It is looked at again
 * whenever a game begins, so it is pointers to what can be set. Nothing is
 * owned.
 */
struct pb_stage_opts {
	int rules;       /* number in pb_games[] */
	void *constants; /* options struct of the rules */

	/* The command line, whose rows say what can be set, and the struct that
	 * they fill, all that is below included. */
	const struct pb_tool *tool;
	void *all;
	size_t all_size;

	/* Of all rules seed, trial, max_gap, period, senses and cues; the rest
	 * of pacmanbot, whose constants are its game. */
	struct pb_session_opts *session;

	int *player;        /* number of him among the rules' */
	const char **map;   /* its file or name, NULL: the standard board, or
	                     * one that was read as a record */
	const char **known; /* whose knowledge to write, or NULL */
	double *heading;    /* at which a robot with sensors is held (rad) */
	const struct pb_opt_common *common;
	struct pb_text *out; /* where records go */
};

/* Which records of the present to write. */
enum pb_stage_view {
	PB_STAGE_STATE,   /* the state */
	PB_STAGE_PELLETS, /* the pellets that are left */
	PB_STAGE_SCORES,  /* what each of them is worth, and the target */
	PB_STAGE_NOW,     /* all that has changed since the beginning */
	PB_STAGE_PICTURE  /* all that a picture needs, the map included */
};

/*
 * What the rule sets have in common; functions that may be NULL say so. A
 * game writes its trace as it goes. It belongs to one thread.
 */
struct pb_stage_type {
	const char *rules;
	const char *const *known; /* names of what tell() knows, NULL-ended */

	/*
	 * Begin anew, with the options as they are now. False: bad says why,
	 * and the game goes on as it was; bad is empty if it was said.
	 */
	bool (*begin)(void *game, struct pb_error *bad);

	/* Let one step pass. False: the game is over, and none did. */
	bool (*step)(void *game);

	/* Whether nothing more will happen unless somebody does something. */
	bool (*idle)(const void *game);

	/* The game's time, and how long a step is (s). */
	double (*time)(const void *game);
	double (*pace)(const void *game);

	/* The value of known[i] as text. */
	void (*tell)(const void *game, int i, char *out, size_t size);

	/* Write records. False: the game has none of that kind. */
	bool (*put)(void *game, enum pb_stage_view v, struct pb_text *o);

	/* What an operator says; NULL: there is none. */
	bool (*command)(
	    void *game, const struct pb_rec_cmd *c, struct pb_error *bad);

	/*
	 * Let no time pass until somebody says start, or no longer; returns
	 * whether it was so. NULL: it has commands of its own, or none.
	 */
	bool (*hold)(void *game, bool on);

	/* Lights and sounds of the game. */
	struct pb_cues *(*cues)(void *game);

	/* Where the player steers until told otherwise; NULL: he cannot be. */
	void (*steer)(void *game, enum pb_dir d);

	/*
	 * A copy of the game but for its cues, NULL without memory; make the
	 * game that copy again; free it. Copies are good until the game begins
	 * anew.
	 */
	void *(*save)(const void *game);
	void (*load)(void *game, const void *saved);
	void (*drop)(void *saved);

	/* The console ends: write what waits to be written, and play lights and
	 * sounds to their ends. */
	void (*leave)(void *game);
};

struct pb_stage {
	const struct pb_stage_type *type;
	void *game;
};

#endif
