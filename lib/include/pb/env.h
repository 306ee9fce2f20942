/* env.h - many games at once, for programs that learn to play. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pb/decls.h"

PB_BEGIN_DECLS

/*
 * A batch of games of one rule set, on one ground with the same options. A call
 * steps some of them from decision to decision, and writes observations into
 * memory of the caller. There is no struct to mirror and no callback: an opaque
 * handle, numbers, texts and pointers, easy to call from any language;
 * pb-env(7) says what each name means.
 *
 *	e = pb_env_new(PB_ENV_ABI, "pacbot", 1024);
 *	pb_env_set(e, "ghosts", "2");
 *	pb_env_open(e);
 *	pb_env_weight(e, "death", -100);
 *	pb_env_bind(e, "actions", actions, sizeof(actions));
 *	...
 *	pb_env_reset(e, 0, 1024, seeds);
 *	for (;;)
 *		pb_env_step(e, 0, 1024);
 *
 * Game i depends on its seed and its actions only, not on the number of games
 * or threads. The library makes no threads; those of the caller may reset and
 * step different games of a batch at once. Everything else belongs to one
 * thread. Nothing is allocated after pb_env_open.
 *
 * Functions that return int return 0, or -1, and pb_env_error() says why. NULL
 * for a batch, a text or cells is such a failure.
 */
struct pb_env;

/* Version of the names, their meaning and these functions. */
#define PB_ENV_ABI 1

/*
 * A batch that is not open yet.
 *
 * Given    abi    PB_ENV_ABI
 *          rules  name of the rule set: "pacbot"
 *          games  1..1000000
 * Returns  a batch for pb_env_free, NULL: out of memory. Where something else
 *          was wrong, pb_env_error() is not empty and it cannot be opened
 */
struct pb_env *pb_env_new(int abi, const char *rules, int games);
void pb_env_free(struct pb_env *e);

/* One line about the last call that failed, "" if none has; valid until the
 * next failure. */
const char *pb_env_error(const struct pb_env *e);

/* Before pb_env_open: a constant of the rule set, by the name of its option
 * without dashes, or a setting of the batch; value as on the command line. */
int pb_env_set(struct pb_env *e, const char *name, const char *value);

/*
 * Before pb_env_open: the map that it is played on.
 *
 * Given    cell           width * height, row 0 at the bottom: -1 unknown,
 *                         0 free to 100 occupied; copied
 *          resolution     side of a cell (m)
 *          x, y, th       pose of the lower left corner (m, rad)
 */
int pb_env_map(struct pb_env *e, const int8_t *cell, int width, int height,
    double resolution, double x, double y, double th);

/* Make the ground, the tables and the memory of all games. */
int pb_env_open(struct pb_env *e);

/* Weight of a term of the reward; initially 1 for "score", else 0. After
 * pb_env_open. */
int pb_env_weight(struct pb_env *e, const char *term, double weight);

/*
 * Of an open batch: games, bodies (that the caller decides), actions (of each),
 * parts (planes or features of an observation, bytes of a frame), rows, cols
 * (of a plane, else 0), number (bytes of one in an observation).
 *
 * Returns  -1 for other words
 */
int pb_env_count(const struct pb_env *e, const char *what);

/*
 * Names: of all rules (e may be NULL), settings, terms, outcomes, and, once it
 * is open, of the bodies that the caller decides.
 *
 * Returns  name i (0..), good until the next call; NULL past the last
 */
const char *pb_env_name(struct pb_env *e, const char *what, int i);

/* Bytes of one kind of memory for all games, 0 if there is no such kind. */
size_t pb_env_bytes(const struct pb_env *e, const char *kind);

/*
 * Use this memory of the caller's until another is given. For each game, in
 * this order, it has
 *
 *	actions       int32_t, one for each body that the caller decides
 *	observations  see parts, rows, cols and number of pb_env_count()
 *	rewards       double
 *	terminated    uint8_t: the game ended by its rules in the last step,
 *	truncated     uint8_t: or since there were too many decisions;
 *	              in both cases the next one has begun
 *	final         optional: as observations; written for games that ended
 *	masks         optional: uint8_t for each body and action: 1, it can
 *	asked         optional: uint8_t for each body: 1, it decides next
 *
 * Given    bytes  must be pb_env_bytes(e, kind)
 *          memory aligned for its type; NULL: none, of what is optional
 */
int pb_env_bind(struct pb_env *e, const char *kind, void *memory, size_t bytes);

/*
 * Reset games first..first + n - 1 and write their observations.
 *
 * Given    seed  n of them: game first + i is trial 0 of seed[i], and what
 *                follows it trial 1, 2, ...; NULL: the next trial of what they
 *                have, at first of seed 1 + their number
 * Returns  0; -1 if it is not open, not bound, or has no such games. Unlike
 *          others, it and pb_env_step() say no more than that
 */
int pb_env_reset(struct pb_env *e, int first, int n, const uint64_t *seed);

/*
 * Carry out the actions of games first..first + n - 1, run each until the next
 * decision, and write observations and rewards. A game that ends is reset in
 * the same step: reward and end are those of the old game, the observation is
 * that of the new one, and `final` has the last observation of the old one.
 *
 * Returns  0; -1 as pb_env_reset(), or if a game was never reset; else 1 and
 *          the number of the first game with an action out of range, and none
 *          was stepped
 */
int pb_env_step(struct pb_env *e, int first, int n);

/*
 * Of the last game that ended in place i: trial, outcome (its number among
 * names), success, score, collected, total, time, deaths, levels, eaten,
 * decisions.
 *
 * Returns  NAN if none has ended or it is not known
 */
double pb_env_episode(const struct pb_env *e, int i, const char *what);

/* A hash of how it ended, as in results of pb-bench(1); 0 if none has. */
uint64_t pb_env_hash(const struct pb_env *e, int i);

PB_END_DECLS
