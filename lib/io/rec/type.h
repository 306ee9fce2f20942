/* type.h - what all records share: their types, sizes, and when and whose. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * pb-records(5) is the contract. SI units, map frame, angles in (-pi, pi].
 * Only lib/io/rec spells the keys. What is optional and missing is a sentinel:
 * NAN for numbers, -1 for ids and counts, "" for texts, NULL for arrays, 0
 * for flags.
 */
enum pb_rec_type {
	PB_REC_OTHER, /* no type of ours: passed on */
	PB_REC_MAP,
	PB_REC_MAZE,
	PB_REC_PELLETS,
	PB_REC_CMD,
	PB_REC_POSE,
	PB_REC_ODOM,
	PB_REC_SCAN,
	PB_REC_FIX,
	PB_REC_TARGET,
	PB_REC_SCORED,
	PB_REC_GOAL,
	PB_REC_PATH,
	PB_REC_TWIST,
	PB_REC_OBSTACLE,
	PB_REC_TICK,
	PB_REC_MOVE,
	PB_REC_JOY,
	PB_REC_DRAW,
	PB_REC_RESET,
	PB_REC_STATE,
	PB_REC_EVENT,
	PB_REC_LIGHT,
	PB_REC_SOUND,
	PB_REC_MOTION,
	PB_REC_RESULT,
	PB_REC_SUMMARY,
	PB_REC_COMPARISON,
	PB_REC_BELIEF,
	PB_REC_PROVENANCE,
	PB_REC_TRAJECTORY,
	PB_REC_SPREAD,
	PB_REC_RELATIONS,
	PB_REC_MESSAGE,
	PB_REC_AGGREGATE,
	PB_REC_TYPES
};

/* Sets of types. */
#define PB_REC_BIT(type) ((uint64_t)1 << (type))
#define PB_REC_ALL       (~(uint64_t)1)

/* Texts in records; longer ones are refused when read, cut when written. */
#define PB_REC_WORD 32  /* names, ids, modes */
#define PB_REC_TEXT 128 /* sentences */

/* Limits on lists. */
#define PB_REC_PELLETS_MAX 1000000
#define PB_REC_POINTS_MAX  1000000
#define PB_REC_BEAMS_MAX   1000000
#define PB_REC_ARGS_MAX    100000
#define PB_REC_TRIALS_MAX  1000000000

/* When, and which body. */
struct pb_stamp {
	double t;             /* since the start, NAN if none (s) */
	char id[PB_REC_WORD]; /* "robot", "clyde", ...; "" if none */
};

/* A stamp; id may be NULL. */
struct pb_stamp pb_stamp_at(double t, const char *id);
struct pb_stamp pb_stamp_none(void);

/* Copy text into a field of a record, cut at a character. */
void pb_rec_set(char *out, size_t size, const char *text);
#define PB_REC_SET(field, text) pb_rec_set(field, sizeof(field), text)
