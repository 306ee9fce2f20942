/* rec.h - any record of the stream as a struct: reading and writing. */
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

struct pb_rec_pose {
	double x, y;   /* (m) */
	double theta;  /* (rad) */
	bool no_theta; /* it is not known, and 0 */
	bool has_cov;
	double cov[3][3];         /* of x, y, theta (m2, m rad, rad2) */
	char source[PB_REC_WORD]; /* "truth", "estimate", "initial", "" */
	char status[PB_REC_WORD]; /* pb_loc_status_text(), "" */
	bool has_fit;
	double fit;  /* share of the beams that the map explains, 0..1; NAN:
	                not known */
	double jump; /* from where the wheels led (m), 0: none */
};

struct pb_rec_odom {
	double x, y, theta; /* in the odometry frame (m, rad) */
	double v;           /* forward (m/s), NAN if missing */
	double w;           /* turn rate (rad/s), NAN if missing */
};

struct pb_rec_scan {
	double angle_min;       /* of the first beam, scanner's frame (rad) */
	double angle_increment; /* beam to beam (rad) */
	double angle_max;       /* as read, NAN if missing; never written, only
	                           checked for consistency (rad) */
	double range_min;       /* shorter is noise, NAN if missing (m) */
	double range_max;       /* longer is no return, NAN if missing (m) */
	double radius;          /* ranges begin this far from the middle (m) */
	struct pb_pose mount;   /* of the scanner on the robot, 0: its middle */
	double *range; /* NAN: no return; < 0: the beam failed (m); owned when
	                  read */
	size_t n;
	double longest; /* of the ranges of a line, also beyond range_max (m);
	                   never written */
};

struct pb_rec_fix {
	double x, y; /* (m) */
};

struct pb_rec_twist {
	double v; /* forward (m/s) */
	double w; /* turn rate (rad/s) */
};

/* A scan as the library takes it; its ranges are c's, borrowed. */
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
	double x, y, radius; /* disc (m); NAN for a cloud without */
};

/* What a localizer believes. */
struct pb_rec_belief {
	char status[PB_REC_WORD]; /* as in a pose */
	struct pb_hypothesis at[PB_LOC_HYPOTHESES];
	int n;                    /* of at[] */
	struct pb_pose *particle; /* NULL: none; owned when read */
	size_t particles;
};

/* How far an estimated trajectory is from the true one. */
struct pb_rec_trajectory {
	struct pb_traj_report report;
	struct pb_traj_opts opts;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
};

/* Scatter of poses about their mean, without a reference. */
struct pb_rec_spread {
	char of[PB_REC_WORD]; /* "trial": of a file; "ends": the last of each */
	char file[PB_REC_TEXT]; /* "" if missing */
	struct pb_scatter scatter;
	struct pb_claims claims;
	char version[PB_REC_WORD];
};

/* How well a trajectory keeps known relations of its poses. */
struct pb_rec_relations {
	char file[PB_REC_TEXT]; /* of the relations */
	char of[PB_REC_WORD];   /* source of the poses: "estimate", "truth" */
	struct pb_relations_report report;
	char version[PB_REC_WORD];
};

/* What the value of a cmd is. */
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
	long round;              /* 1.., -1 if missing, as the counts below */
	long spawned;            /* pellets laid */
	long collected;          /* of them */
	long score;
	char result[PB_REC_TEXT]; /* "Complete - Score: 8", "" if none */
};

#define PB_REC_NOTES 64

/* event, light, sound, motion: a name and what goes with it. */
struct pb_rec_event {
	char name[PB_REC_WORD]; /* "pellet", "clyde killed", "win", ... */
	long pellet;            /* id, -1 if none */
	char text[PB_REC_TEXT]; /* more about it */
	double duration;        /* NAN if missing (s) */
	double w;               /* motion: turn rate, NAN if missing (rad/s) */
	int leds;               /* light: LEDs given, 0 or 6 */
	double led[6][3];       /* red, green, blue, 0 to 255 */
	int notes;              /* sound: notes given */
	struct {
		double hz, s; /* pitch (Hz), length (s) */
	} note[PB_REC_NOTES];
};

struct pb_rec_pellet {
	long id;     /* >= 0, no two alike in a record */
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
	bool changed; /* not the target before */
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

/* A joystick as it stands, as sensor_msgs/Joy has it. */
#define PB_REC_JOY_MAX 32
struct pb_rec_joy {
	double axis[PB_REC_JOY_MAX]; /* -1..1: [0] right, [1] up */
	int axes;
	double button[PB_REC_JOY_MAX]; /* 1: pressed: [0] START, [1] RESET */
	int buttons;
};

/* From one robot, the stamp's id, to another. */
struct pb_rec_message {
	char name[PB_REC_WORD];  /* START, RESET, POWER, EATEN, ... */
	char to[PB_REC_WORD];    /* the receiver; "" for all */
	char value[PB_REC_WORD]; /* "" if none */
};

struct pb_rec_draw {
	char purpose[PB_REC_WORD];
	double value;
};

/* A game begins, for programs that play. */
struct pb_rec_reset {
	uint64_t trial;
	uint64_t seed; /* for their own draws: another one in each trial */
};

/* One finished trial. */
struct pb_rec_result {
	struct pb_trial trial;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
};

/* Many trials. */
struct pb_rec_summary {
	struct pb_summary sum;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
	uint64_t build;            /* self-test's digest, 0 if missing */
	double confidence;         /* of its intervals, 0.95 */
};

/* Two players on the same trials. */
struct pb_rec_comparison {
	struct pb_trial key;         /* rules, map, options, round; policy "" */
	char first[PB_TRIAL_NAME];   /* policy */
	char second[PB_TRIAL_NAME];  /* policy */
	char against[PB_TRIAL_NAME]; /* "baseline": second is an earlier one;
	                                "reference": of other constants */
	struct pb_settings than;     /* those; owned when read, as are the
	                                 key's, and those of a trial */
	char by[PB_TRIAL_NAME];      /* the measure, "success" */
	struct pb_comparison cmp;    /* group numbers are not written */
	double confidence;
	double margin;    /* that the second may be better by, or NAN */
	bool noninferior; /* the interval says that it is not */
};

/* A player over all maps and rounds. */
struct pb_rec_aggregate {
	struct pb_aggregate sum;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
	double confidence;
};

/* Where a tool's output came from. */
struct pb_rec_provenance {
	char tool[PB_REC_WORD];
	char version[PB_REC_WORD];
	char commit[PB_REC_WORD];   /* that it was made from, "" if missing */
	char compiler[PB_REC_WORD]; /* that made it, "" if missing */
	uint64_t build;             /* its self-test's digest, 0 if missing */
	char **arg;                 /* of its command line */
	size_t args;
	bool has_seed;
	uint64_t seed;
	uint64_t input; /* hash of all that it read */
};

/*
 * Maps and images from outside that have more cells are refused before there
 * is memory for them; the value of --max-cells.
 */
extern int pb_max_cells;

/* Whether width x height cells are too many; then text says so. */
bool pb_cells_over(long width, long height, char text[128]);

/* Make m a map of that size; false: bad says why not of what. */
bool pb_map_room(struct pb_map *m, long width, long height, double resolution,
    struct pb_pose origin, const char *what, struct pb_error *bad);

/* Any record that is read. */
struct pb_rec {
	enum pb_rec_type type;
	bool owns; /* the members marked "owned when read"; else the caller
	              does */
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
		struct pb_rec_event event; /* and light, sound, motion */
		struct pb_rec_result result;
	};
};

/* Name of a type as in "type", "" for OTHER. */
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

/* What a line of another program means. */
struct pb_rec_few {
	struct pb_rec rec[3];
	int n;
};

/* One more, that owns what it has; its body is the caller's to fill in. */
struct pb_rec *pb_rec_add(
    struct pb_rec_few *f, enum pb_rec_type type, struct pb_stamp s);

/*
 * Make a pose, odom, scan, goal, twist or map what it would be if it had been
 * written and read: rounded to 1e-6, without angle_max.
 *
 * Returns  false with bad filled in where it would be refused
 */
bool pb_rec_settle(struct pb_rec *r, struct pb_error *bad);

/*
 * Free what r owns; its type becomes OTHER. To keep a map or an array, copy
 * the struct and set the pointer in r to NULL first.
 */
void pb_rec_clear(struct pb_rec *r);

/*
 * Write one line. Lengths and angles are rounded to 1e-6; a map's resolution
 * and origin are exact. A map is written as rows when its cells are 0, 100 and
 * -1 only, else as data: nothing is lost either way.
 */
void pb_rec_write(struct pb_text *o, const struct pb_rec *r);

/* The same of r, the struct of that type. */
void pb_rec_put(
    struct pb_text *o, enum pb_rec_type type, struct pb_stamp s, const void *r);

/* A pose of a body; source: "truth", "estimate", ... */
void pb_rec_put_pose(struct pb_text *o, struct pb_stamp s, struct pb_pose at,
    const char *source);

/* The plain members of r as fields of a row of CSV, each followed by a comma;
 * missing ones are NA. NULL: their names. */
void pb_rec_row(struct pb_text *o, enum pb_rec_type type, const void *r);

/* What is optional is missing in r, the struct of that type, all else 0. */
void pb_rec_none(enum pb_rec_type type, void *r);

/*
 * Where the output came from (--provenance): a record behind all others, which
 * pb_msg_finish() writes.
 */

/* The option. */
void pb_provenance_ask(void);

/* Note the arguments, before getopt moves them about; the texts are kept. */
void pb_provenance_args(int argc, char **argv);

/* The command line was good. seed: of all draws, NULL if there are none. */
void pb_provenance_start(const uint64_t *seed);

/* Check that the run writes records, if --provenance was given. If not, the
 * command line is refused with a message. */
bool pb_provenance_fits(bool records);
