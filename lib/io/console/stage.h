/* stage.h - a game as the console commands it. */
#pragma once

#include "io/play/operator.h"
#include "io/opt/opt.h"
#include "io/play/play.h"
#include "io/rec/rec.h"

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
	struct pb_session_opts *session;
	int *player;        /* number of him among the rules' */
	const char **map;   /* its file or name, NULL: the standard board, or
	                     * one that was read as a record */
	const char **known; /* whose knowledge to write, or NULL */
	double *heading;    /* at which a robot with sensors is held (rad) */
	const struct pb_opt_common *common;
};

/* Which records of the present to write. */
enum pb_stage_view {
	PB_STAGE_STATE,   /* the state */
	PB_STAGE_PELLETS, /* the pellets that are left */
	PB_STAGE_SCORES,  /* what each of them is worth, and the target */
	PB_STAGE_NOW,     /* all that has changed since the beginning */
	PB_STAGE_PICTURE  /* all that a picture needs, the map included */
};

/* A game; it writes its trace as it goes. It belongs to one thread, and is not
 * moved while it is open. */
struct pb_stage {
	const struct pb_stage_opts *w;
	struct pb_play p;
	struct pb_play_opts o;          /* as the game began */
	struct pb_session_opts session; /* the same */
	struct pb_cues_opts cues;       /* the same; kept until they are over */
	_Alignas(double) unsigned char opts[PB_RULES_OPTS];
	char *path; /* of the ground, owned; NULL: no file */
	struct pb_pilot pilot;
	enum pb_dir stick;
	bool waits;       /* for start, after a reset */
	struct pb_seen k; /* the state of a board as last shown */
};

/*
 * Read the ground, of which records may be in the files, and begin.
 *
 * Returns  false: it was said; s is for pb_stage_close in any case
 */
bool pb_stage_open(struct pb_stage *s, const struct pb_stage_opts *w,
    char *const *files, int n);
void pb_stage_close(struct pb_stage *s);

/*
 * Begin anew, with the options as they are now. False: bad says why, and the
 * game goes on as it was; bad is empty if it was said.
 */
bool pb_stage_begin(struct pb_stage *s, struct pb_error *bad);

/* Let one step pass. False: the game is over, and none did. */
bool pb_stage_step(struct pb_stage *s);

/* Whether nothing more will happen unless somebody does something. */
bool pb_stage_idle(const struct pb_stage *s);

/* What can be asked about the game: name i (0..), NULL past the last; and its
 * value as text. */
const char *pb_stage_name(const struct pb_stage *s, int i);
void pb_stage_value(const struct pb_stage *s, int i, char *out, size_t size);

/* Write records. False: the game has none of that kind, or not now. */
bool pb_stage_put(
    const struct pb_stage *s, enum pb_stage_view v, struct pb_text *o);

/* Carry out a command, where the game has such. */
bool pb_stage_command(
    struct pb_stage *s, const struct pb_rec_cmd *c, struct pb_error *bad);

/* Let it wait for start, or no longer; returns whether it did. */
bool pb_stage_hold(struct pb_stage *s, bool on);

/* Where the player of a board steers until told otherwise. */
void pb_stage_steer(struct pb_stage *s, enum pb_dir d);

/*
 * A copy of the game but for its cues, NULL without memory; make the game that
 * copy again; free it. Copies are good until the game begins anew.
 */
void *pb_stage_save(const struct pb_stage *s);
void pb_stage_load(struct pb_stage *s, const void *saved);
void pb_stage_drop(void *saved);

/* The console ends: write what waits to be written, and play lights and sounds
 * to their ends. */
void pb_stage_leave(struct pb_stage *s);
