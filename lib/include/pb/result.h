/* result.h - the result of a trial, and measures that compare two. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/decls.h"

PB_BEGIN_DECLS

/*
 * The result of trial `trial` of `seed` under some rules, on some map, with
 * some options: an outcome from a short list, and numbers. The same struct for
 * all rule sets; plain values.
 */
#define PB_METRIC      2   /* version of what the numbers below mean */
#define PB_TRIAL_NAME  32  /* bytes of a name with its final NUL */
#define PB_TRIAL_VALUE 128 /* bytes of a constant's value, the same */
#define PB_KILLERS     8   /* robots of a game that can kill, at most */

/* A constant and its value, as they are typed. */
struct pb_setting {
	char name[PB_TRIAL_NAME];
	char value[PB_TRIAL_VALUE];
};

struct pb_settings {
	const struct pb_setting *at; /* not owned */
	int n;
};

struct pb_trial {
	char rules[PB_TRIAL_NAME];   /* "pacmanbot" */
	char policy[PB_TRIAL_NAME];  /* the player */
	char outcome[PB_TRIAL_NAME]; /* how the trial ended */
	char map[64];                /* name of the map, for people */
	char preset[PB_TRIAL_NAME];  /* preset of the options, or "" */
	struct pb_settings settings; /* constants that differ from it or are
	                             varied */
	char program[96];            /* outside program that played, or "" */
	char ghosts[96];             /* programs that moved ghosts, by name */
	uint64_t map_hash;           /* hash of the map */
	uint64_t options; /* hash of options and of bodies run by programs */
	uint64_t weights; /* hash of a trained player's weights, 0: none; XORed
	                     into options */
	uint64_t own; /* hash of the player's own constants, 0: defaults; XORed
	                 into options */
	uint64_t seed;
	uint64_t trial;
	int round;     /* 1.. */
	int collected; /* pellets collected, 0..total; -1: unknown */
	int total;     /* pellets at the start, 0: none; -1: not known */
	double score;  /* any finite number; NAN: not known */
	double time;   /* time until the end, >= 0 (s); NAN: unknown */
	double limit;  /* limit of that time (s); not > 0: none */
	bool success;
	char cause[PB_TRIAL_NAME]; /* why it was lost, "": not known */
	int deaths;                /* deaths of the player, -1: unknown */
	int levels;                /* levels cleared, -1: unknown */
	int killers;               /* robots that can kill the player, 0: the
	                              result does not say which did */
	int killed[PB_KILLERS];    /* deaths by each killer, in their order */

	/* How well a localizer did; what it counts are its updates. */
	int updates;       /* 0: no localizer, and nothing below */
	int wrong;         /* updates in which it was sure and wrong */
	int lost;          /* updates without an answer, or called lost */
	int wrong_cell;    /* updates in a wrong cell of the maze, -1: none */
	double error_mean; /* mean error of the updates (m), NAN: unknown */
	double error_median;
	double error_rms; /* root mean square error (m) */

	/* For people and for other tools; a tally has no use for them. */
	int removed;    /* pellets removed without score, -1: not known */
	double driven;  /* distance driven by the robot (m), NAN: unknown */
	double nearest; /* least distance of a ghost (m), NAN: unknown */
	int eaten;      /* ghosts eaten, -1: unknown */
	int decisions;  /* decisions of the player, -1: unknown */
	int collisions; /* of robots that are to avoid each other, -1: not
	                   known */
	int bumps;      /* of the player's robot into obstacles, -1: not known
	                 */
	double pace; /* of the player's robot, ticks a cell, NAN: not known */
	int found;   /* first update from which on it was localized, -1: none */
	double found_way; /* distance until it first was (m), NAN: never */
	double jump;      /* distance of the kidnap (m), NAN: none */
	double error;     /* error at the end (m), NAN: no answer */
	double turn;      /* heading error at the end (rad) */
	uint64_t hash;    /* of the state at the end, of a localizer on a map
	                     of what it was given; 0: not known */
	uint64_t build; /* pb_selftest() of the build that played, 0: unknown */
};

/* Whether two lists are the same, in the same order. */
bool pb_settings_equal(struct pb_settings a, struct pb_settings b);

/* The value of the constant of that name; NULL: the result has none. */
const char *pb_settings_value(struct pb_settings s, const char *name);

/* Flips these bits (^) of the options' hash if an outside program plays. */
#define PB_TRIAL_PROGRAM 0x70726f6772616d00u

/* Most different outcomes of one group. */
#define PB_TALLY_OUTCOMES 16

/* Words, and how many trials have each. */
struct pb_tally_words {
	int n;
	char word[PB_TALLY_OUTCOMES][PB_TRIAL_NAME];
	long count[PB_TALLY_OUTCOMES];
};

/* Most different builds that are recorded; further ones are ignored. */
#define PB_BUILDS 8
struct pb_builds {
	int n;
	uint64_t build[PB_BUILDS];
};

/* Largest number of pellets in a trial. */
#define PB_TALLY_PELLETS 1000000

/* Measurements of a localizer's trials: errors (m), the pace of the robot that
 * steers by it, shares of updates. */
enum pb_tally_track {
	PB_TRACK_MEAN,
	PB_TRACK_MEDIAN,
	PB_TRACK_RMS,
	PB_TRACK_PACE, /* (ticks) */
	PB_TRACK_CELL, /* in another cell */
	PB_TRACK_LOST,
	PB_TRACK_WRONG, /* sure and not right */
	PB_TRACKS
};

/*
 * Measures by which one of two players does better on the same trial: a robot
 * has to survive, a competition counts points. Paired comparisons work with any
 * measure that orders trials; success has two values.
 */
enum pb_measure {
	PB_BY_RULES, /* as the rule set's competition decides */
	PB_BY_SUCCESS,
	PB_BY_SCORE,
	PB_BY_PELLETS, /* pellets collected */
	PB_BY_TIME,    /* shorter time (s); a failed trial has its limit */
	PB_BY_DEATHS,  /* fewer deaths */
	PB_BY_ERROR,   /* smaller mean error of a localizer (m) */
	PB_BY_RANK,    /* score, then deaths, then time */
	PB_MEASURES
};

/* A measure, or a bound on its number. */
struct pb_criterion {
	enum pb_measure measure;
	int sense; /* 0: no bound; 1: at least, -1: at most .. */
	double bound;
};

/* "success", ..., static storage. */
const char *pb_measure_name(enum pb_measure m);

/* Whether less is better; whether its values are 0 and 1. */
bool pb_criterion_is_less(struct pb_criterion by);
bool pb_criterion_is_rate(struct pb_criterion by);

PB_END_DECLS
