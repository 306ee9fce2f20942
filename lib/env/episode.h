/* episode.h - one game after another, from decision to decision. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/game.h"

/*
 * An observation of a game on a board is its own frame, planes of the board, or
 * features; on a map it is features. pb-env(7) explains each number. The shape
 * is set once; then threads share it.
 */
enum pb_observation_form { PB_SEE_FRAME, PB_SEE_PLANES, PB_SEE_FEATURES };
#define PB_OBSERVATION_FORMS "frame|planes|features"
#define PB_OBSERVATION_TYPES "uint8|float"

struct pb_observation {
	const struct pb_game *game;
	const struct pb_maze *maze; /* NULL: played on a map; not owned */
	int form;                   /* enum pb_observation_form */
	bool floats;                /* planes of float, not of bytes */
	bool sides;                 /* the board has walls between cells */
	int bodies, pellets;        /* pellets of a map, else 0 */
	int rows, cols;             /* rows and columns of a plane, else 0 */
	int parts;    /* number of planes or features, or bytes of a frame */
	size_t each;  /* bytes of a number */
	size_t bytes; /* bytes of an observation */
};

/*
 * Compute the shape; form, floats, game and maze are set.
 *
 * Given    state  any of that game, begun
 * Returns  false: the game has no such form
 */
bool pb_observation_init(
    struct pb_observation *o, const void *opts, const void *state);

/*
 * An episode runs a game from decision to decision of the caller. Some rule
 * sets tell before a step that they will ask; where they do not, or players see
 * something else than the state, a step is made without answers to see who is
 * asked, and what, and then undone.
 */

/* Terms of rewards; each is counted from decision to decision. */
enum pb_env_term {
	PB_TERM_SCORE,
	PB_TERM_PELLET,
	PB_TERM_GHOST,
	PB_TERM_LEVEL,
	PB_TERM_DEATH,
	PB_TERM_TIME,
	PB_TERM_DECISION,
	PB_TERM_WIN,
	PB_TERM_LOSS,
	PB_TERMS
};
#define PB_ENV_TERMS "score|pellet|ghost|level|death|time|decision|win|loss"

/* What all episodes of a batch share; read-only while they are played. */
struct pb_episodes {
	const struct pb_game *game;
	const void *world, *opts, *model;
	const struct pb_player
	    *player;         /* plays bodies that the caller does not decide */
	struct pb_trial key; /* common part of all results */
	struct pb_observation look;
	unsigned decided; /* bit i: the caller decides body i */
	int n;            /* number of those bodies */
	int actions;      /* actions of each body */
	bool ticks;       /* stop after each step of the game */
	bool knows_next;  /* asks() tells who decides next */
	int most;         /* most decisions of a game, 0: no limit */
	int start;        /* index of the start command, on maps */
	double weight[PB_TERMS];
};

struct pb_episode {
	void *state, *before; /* before: NULL if knows_next */
	uint64_t seed, trial; /* of the current game */
	uint64_t games;       /* games begun with that seed */
	unsigned asked;       /* bit k: the k-th body that is decided */
	int decisions;
	double asked_at; /* time of the last decision */
	double sum[PB_TERMS];
	bool ended;           /* a game has ended */
	struct pb_trial done; /* result of the last game */
};

/* The caller's buffers of one game. */
struct pb_turn {
	const int32_t *action; /* n, in range */
	uint8_t *asked;        /* n, or NULL */
	uint8_t *mask;         /* n * actions, or NULL */
	void *seen;            /* observation */
	void *final;           /* last observation of an ended game, or NULL */
	double *reward;
	uint8_t *terminated, *truncated;
};

/* Memory for an episode. Returns PB_OK and p for pb_episode_close, which may
 * be called in any case, or PB_ENOMEM. */
enum pb_status pb_episode_open(
    struct pb_episode *p, const struct pb_episodes *e);
void pb_episode_close(struct pb_episode *p, const struct pb_episodes *e);

/* Whether the rule set lacks that term; p: any episode that has begun. */
bool pb_episode_lacks(const struct pb_episode *p, const struct pb_episodes *e,
    enum pb_env_term term);

/* Begin the first game of a seed, or the next one; t gets the observation of
 * its first decision. */
void pb_episode_reset(struct pb_episode *p, const struct pb_episodes *e,
    const uint64_t *seed, const struct pb_turn *t);

/* Carry out the decisions, and run to the next decision; if the game has ended,
 * to the first one of the next game. */
void pb_episode_step(
    struct pb_episode *p, const struct pb_episodes *e, const struct pb_turn *t);
