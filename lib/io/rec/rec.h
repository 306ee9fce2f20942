/* rec.h - read and write records of any type as structs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "localize/traj.h"
#include "pb/geom.h"
#include "pb/localizer.h"
#include "pb/map.h"
#include "pb/maze.h"
#include "pb/report.h"
#include "pb/scan.h"
#include "pb/seen.h"

/*
 * The format is in pb-records(5): SI units, map frame, angles in (-pi, pi].
 * Only lib/io/rec knows the keys. A missing optional member is NAN (numbers),
 * -1 (ids and counts), "" (texts), NULL (arrays) or 0 (flags).
 */
enum pb_rec_type {
	PB_REC_OTHER, /* unknown type: passed on */
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
#define PB_REC_TRIALS_MAX  1000000000

/* Time of a record, and the body it is about. */
struct pb_stamp {
	double t;             /* since the start; NAN: none (s) */
	char id[PB_REC_WORD]; /* "robot", "clyde", ...; "" if none */
};

/* Make a stamp; id may be NULL. */
struct pb_stamp pb_stamp_at(double t, const char *id);
struct pb_stamp pb_stamp_none(void);

/* Copy text into a field of a record, cut behind a whole character. */
void pb_rec_set(char *out, size_t size, const char *text);
#define PB_REC_SET(field, text) pb_rec_set(field, sizeof(field), text)

struct pb_rec_pose {
	double x, y;   /* (m) */
	double theta;  /* (rad) */
	bool no_theta; /* theta is unknown, and 0 */
	bool has_cov;
	double cov[3][3];         /* of x, y, theta (m2, m rad, rad2) */
	char source[PB_REC_WORD]; /* "truth", "estimate", "initial", "" */
	char status[PB_REC_WORD]; /* pb_loc_status_text(), "" */
	bool has_fit;
	double fit;  /* share of beams explained by the map; NAN: unknown */
	double jump; /* distance from the pose by odometry (m), 0: none */
};

struct pb_rec_odom {
	double x, y, theta; /* in the odometry frame (m, rad) */
	double v;           /* forward (m/s), NAN if missing */
	double w;           /* turn rate (rad/s), NAN if missing */
};

struct pb_rec_scan {
	double angle_min;       /* of the first beam, scanner's frame (rad) */
	double angle_increment; /* beam to beam (rad) */
	double angle_max;       /* only read, to check it; NAN: missing (rad) */
	double range_min;       /* shorter ranges are noise; NAN: missing (m) */
	double range_max; /* longer ranges are no returns; NAN: missing (m) */
	double radius;    /* ranges begin this far from the centre (m) */
	struct pb_pose mount; /* of the scanner on the robot */
	double *range; /* NAN: no return; < 0: failed (m); owned when read */
	size_t n;
	double longest; /* longest range read, also beyond range_max (m) */
};

struct pb_rec_fix {
	double x, y; /* (m) */
};

struct pb_rec_twist {
	double v; /* forward (m/s) */
	double w; /* turn rate (rad/s) */
};

/* The scan as the library uses it; borrows c's ranges. */
struct pb_scan pb_rec_as_scan(const struct pb_rec_scan *c);

struct pb_rec_goal {
	char kind[PB_REC_WORD];   /* pellet, home, point */
	char status[PB_REC_WORD]; /* sent, reached, canceled, aborted, ... */
	long pellet;              /* id, -1 if none */
	double x, y;              /* (m); NAN if missing */
	double theta;             /* NAN: any (rad) */
};

struct pb_rec_points {
	struct pb_vec *point; /* (m); owned when read */
	size_t n;
};

struct pb_rec_obstacle {
	struct pb_vec *point; /* cloud (m), NULL for a disc; owned when read */
	size_t n;
	double x, y, radius; /* disc (m); NAN: cloud only */
};

/* Belief of a localizer. */
struct pb_rec_belief {
	char status[PB_REC_WORD]; /* as in a pose */
	struct pb_hypothesis at[PB_LOC_HYPOTHESES];
	int n;                    /* of at[] */
	struct pb_pose *particle; /* NULL: none; owned when read */
	size_t particles;
};

/* Error of an estimated trajectory. */
struct pb_rec_trajectory {
	struct pb_traj_report report;
	struct pb_traj_opts opts;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
};

/* Scatter of poses about their mean, without a reference. */
struct pb_rec_spread {
	char of[PB_REC_WORD]; /* "trial": poses of a file; "ends": last poses */
	char file[PB_REC_TEXT]; /* "" if missing */
	struct pb_scatter scatter;
	struct pb_claims claims;
	char version[PB_REC_WORD];
};

/* Errors of a trajectory against known relations of its poses. */
struct pb_rec_relations {
	char file[PB_REC_TEXT]; /* of the relations */
	char of[PB_REC_WORD];   /* source of the poses: "estimate", "truth" */
	struct pb_relations_report report;
	char version[PB_REC_WORD];
};

/* Type of a command's value. */
enum pb_value { PB_VALUE_NONE, PB_VALUE_TEXT, PB_VALUE_NUM, PB_VALUE_POINT };

struct pb_rec_cmd {
	char name[PB_REC_WORD]; /* start, reset, enable, disable, ... */
	enum pb_value kind;
	char text[PB_REC_TEXT]; /* PB_VALUE_TEXT */
	double num;             /* PB_VALUE_NUM */
	struct pb_vec point;    /* PB_VALUE_POINT: [x, y] (m) */
};

struct pb_rec_state {
	char state[PB_REC_WORD]; /* menu, returning_home, starting, ... */
	long round;              /* 1..; -1 if missing, also the counts below */
	long spawned;            /* pellets laid */
	long collected;          /* pellets collected */
	long score;
	char result[PB_REC_TEXT]; /* "Complete - Score: 8", "" if none */
};

#define PB_REC_NOTES 64

/* event, light, sound, motion: a name with details. */
struct pb_rec_event {
	char name[PB_REC_WORD]; /* "pellet", "clyde killed", "win", ... */
	long pellet;            /* id, -1 if none */
	char text[PB_REC_TEXT]; /* details */
	double duration;        /* NAN if missing (s) */
	double w;               /* motion: turn rate, NAN if missing (rad/s) */
	int leds;               /* light: number of LEDs, 0 or 6 */
	double led[6][3];       /* red, green, blue, 0 to 255 */
	int notes;              /* sound: number of notes */
	struct {
		double hz, s; /* pitch (Hz), length (s) */
	} note[PB_REC_NOTES];
};

struct pb_rec_pellet {
	long id;     /* >= 0, unique in a record */
	double x, y; /* (m) */
	int power;   /* 1: kind "power" rather than "pellet" */
};

struct pb_rec_pellets {
	struct pb_rec_pellet *pellet; /* owned when read */
	size_t n;
};

struct pb_rec_target {
	long pellet;           /* id; -1: none (written as null) */
	double x, y;           /* of the pellet (m), NAN without one */
	double total;          /* its score (m), NAN if missing */
	char why[PB_REC_WORD]; /* safe, best, fallback, none */
	bool threat;
	bool changed; /* another target than before */
};

struct pb_rec_score {
	long id;          /* of the pellet */
	double x, y;      /* (m) */
	double distance;  /* (m) */
	double risk;      /* (m) */
	double direction; /* (m) */
	double total;     /* (m) */
	bool safe;        /* in a safe direction */
	bool excluded;    /* too near the ghost to be chosen */
};

struct pb_rec_scored {
	bool threat;
	struct pb_rec_score *pellet;
	size_t n;
};

struct pb_rec_move {
	char dir[PB_REC_WORD]; /* up, left, down, right, stop */
};

/* The state of a joystick, like sensor_msgs/Joy. */
#define PB_REC_JOY_MAX 32
struct pb_rec_joy {
	double axis[PB_REC_JOY_MAX]; /* -1..1: [0] right, [1] up */
	int axes;
	double button[PB_REC_JOY_MAX]; /* 1: pressed: [0] START, [1] RESET */
	int buttons;
};

/* A message from a robot, the stamp's id. */
struct pb_rec_message {
	char name[PB_REC_WORD];  /* START, RESET, POWER, EATEN, ... */
	char to[PB_REC_WORD];    /* the receiver; "" for all */
	char value[PB_REC_WORD]; /* "" if none */
};

struct pb_rec_draw {
	char purpose[PB_REC_WORD];
	double value;
};

/* Begin of a game, for programs that play. */
struct pb_rec_reset {
	uint64_t trial;
	uint64_t
	    seed; /* for the program's random draws; differs in each trial */
};

/* One finished trial. */
struct pb_rec_result {
	struct pb_trial trial;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
};

/* Results of many trials. */
struct pb_rec_summary {
	struct pb_summary sum;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
	uint64_t build;            /* digest of the self-test, 0 if missing */
	double confidence;         /* of its intervals, 0.95 */
};

/* Comparison of two players on the same trials. */
struct pb_rec_comparison {
	struct pb_trial key;         /* rules, map, options, round; policy "" */
	char first[PB_TRIAL_NAME];   /* policy */
	char second[PB_TRIAL_NAME];  /* policy */
	char against[PB_TRIAL_NAME]; /* "baseline", or "reference": other
	                                constants */
	struct pb_settings than;     /* these; owned when read */
	char by[PB_TRIAL_NAME];      /* measure: "success" */
	struct pb_comparison cmp;    /* group numbers are not written */
	double confidence;
	double margin;    /* allowed deficit of first; NAN: none */
	bool noninferior; /* the interval lies within the margin */
};

/* Results of a player over all maps and rounds. */
struct pb_rec_aggregate {
	struct pb_aggregate sum;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
	double confidence;
};

/* Origin of a tool's output. */
struct pb_rec_provenance {
	char tool[PB_REC_WORD];
	char version[PB_REC_WORD];
	char commit[PB_REC_WORD];   /* of the tool; "" if missing */
	char compiler[PB_REC_WORD]; /* of the tool; "" if missing */
	uint64_t build;             /* digest of its self-test, 0 if missing */
	char **arg;                 /* command line */
	size_t args;
	bool has_seed;
	uint64_t seed;
	uint64_t input; /* hash of all bytes read */
};

/* Most cells of maps and images from outside; larger ones are refused before
 * memory is allocated. The value of --max-cells. */
extern int pb_max_cells;

/* Whether width x height cells are too many; text: why. */
bool pb_cells_over(long width, long height, char text[128]);

/* Allocate m with that size; false: bad says why `what` cannot have it. */
bool pb_map_room(struct pb_map *m, long width, long height, double resolution,
    struct pb_pose origin, const char *what, struct pb_error *bad);

/* A record of any type. */
struct pb_rec {
	enum pb_rec_type type;
	bool owns; /* owns the members marked "owned when read" */
	struct pb_stamp stamp;
	union {
		struct pb_map map;
		struct pb_maze maze;
		struct pb_rec_pellets pellets;
		struct pb_rec_cmd cmd;
		struct pb_rec_pose pose;
		struct pb_rec_odom odom;
		struct pb_rec_scan scan;
		struct pb_rec_fix fix;
		struct pb_rec_belief belief;
		struct pb_rec_target target;
		struct pb_rec_goal goal;
		struct pb_rec_points path;
		struct pb_rec_twist twist;
		struct pb_rec_obstacle obstacle;
		struct pb_seen tick;
		struct pb_rec_move move;
		struct pb_rec_joy joy;
		struct pb_rec_message message;
		struct pb_rec_draw draw;
		struct pb_rec_reset reset;
		struct pb_rec_state state;
		struct pb_rec_event event; /* also light, sound, motion */
		struct pb_rec_result result;
	};
};

/* Name of a type as in "type"; of PB_REC_OTHER, NULL. */
const char *pb_rec_name(enum pb_rec_type type);

/*
 * Read one line.
 *
 * Given    s, n  the line; s[n] must be readable (NUL or line end)
 *          want  set of types to read; of others only r->type and
 *                r->stamp.t are set
 * Returns  true and r for pb_rec_clear (OTHER for types that are not ours);
 *          false and bad filled in: not a JSON object, no "type", a wanted
 *          record that breaks its contract
 */
bool pb_rec_read(const char *s, size_t n, uint64_t want, struct pb_rec *r,
    struct pb_error *bad);

/* Records made from one line of another program. */
struct pb_rec_few {
	struct pb_rec rec[3];
	int n;
};

/* Add a record that owns its members; the caller fills them in. */
struct pb_rec *pb_rec_add(
    struct pb_rec_few *f, enum pb_rec_type type, struct pb_stamp s);

/*
 * Change a pose, odom, scan, goal, twist or map to what it would be after
 * writing and reading: rounded to 1e-6, without angle_max.
 *
 * Returns  false with bad filled in: it would be refused
 */
bool pb_rec_settle(struct pb_rec *r, struct pb_error *bad);

/* Free what r owns; its type becomes OTHER. To keep a map or an array, copy the
 * struct and set the pointer in r to NULL first. */
void pb_rec_clear(struct pb_rec *r);

/*
 * Write a line. Lengths and angles are rounded to 1e-6; a map's resolution and
 * origin are exact. Maps with only the cells 0, 100 and -1 are written as rows,
 * others as data; neither loses anything.
 */
void pb_rec_write(struct pb_text *o, const struct pb_rec *r);

/* Write r, the struct of that type. */
void pb_rec_put(
    struct pb_text *o, enum pb_rec_type type, struct pb_stamp s, const void *r);

/* Write a pose of a body; source: "truth", "estimate", ... */
void pb_rec_put_pose(struct pb_text *o, struct pb_stamp s, struct pb_pose at,
    const char *source);

/* Write the plain members of r as CSV, each followed by a comma; missing ones
 * are NA. r NULL: their names. */
void pb_rec_row(struct pb_text *o, enum pb_rec_type type, const void *r);

/* Set optional members of r, the struct of that type, to "missing", all others
 * to 0. */
void pb_rec_none(enum pb_rec_type type, void *r);

/* Origin of the output (--provenance): a record behind all others, which
 * pb_msg_finish() writes. */

/* Set by the option. */
void pb_provenance_ask(void);

/* Note the arguments before getopt reorders them; keeps pointers to them. */
void pb_provenance_args(int argc, char **argv);

/* The command line is valid. seed: of all random draws, NULL: none. */
void pb_provenance_start(const uint64_t *seed);

/* If --provenance was given, check that the run writes records. False: a
 * message was printed. */
bool pb_provenance_fits(bool records);
