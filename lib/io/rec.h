/* rec.h - every record of the stream as a struct: reading and writing. */
#ifndef PB_IO_REC_H
#define PB_IO_REC_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/geom.h"
#include "game/report.h"
#include "io/msg.h"
#include "io/text.h"
#include "localize/localizer.h"
#include "localize/traj.h"
#include "map/map.h"
#include "map/maze.h"

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
	PB_REC_DRAW,
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
	PB_REC_END,
	PB_REC_TRAJECTORY,
	PB_REC_MESSAGE,
	PB_REC_EXPERIMENT,
	PB_REC_AGGREGATE,
	PB_REC_VERDICT,
	PB_REC_PLAN,
	PB_REC_TYPES
};

/* Sets of types. */
#define PB_REC_BIT(type) ((uint64_t)1 << (type))
#define PB_REC_ALL       (~(uint64_t)1)

/* Name of a type as in "type", and the type of a name (OTHER if none). */
const char *pb_rec_name(enum pb_rec_type type);
enum pb_rec_type pb_rec_type_of(const char *name);

/* Texts in records; longer ones are refused when read, cut when written. */
#define PB_REC_WORD 32  /* names, ids, modes */
#define PB_REC_TEXT 128 /* sentences */
#define PB_REC_LIST 512 /* words with commas between */

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

struct pb_rec_pellet {
	long id;     /* >= 0, no two alike in a record */
	double x, y; /* (m) */
	bool power;  /* kind "power" rather than "pellet" */
};

struct pb_rec_pellets {
	struct pb_rec_pellet *pellet; /* owned when read */
	size_t n;
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

struct pb_rec_pose {
	double x, y;  /* (m) */
	double theta; /* (rad) */
	bool has_cov;
	double cov[3][3];         /* of x, y, theta (m2, m rad, rad2) */
	char source[PB_REC_WORD]; /* "truth", "estimate", "initial", "" */
	char status[PB_REC_WORD]; /* "tracking", "ambiguous", "lost", "" */
};

struct pb_rec_odom {
	double x, y, theta; /* in the odometry frame (m, rad) */
	double v;           /* forward (m/s), NAN if missing */
	double w;           /* turn rate (rad/s), NAN if missing */
};

struct pb_rec_scan {
	double angle_min;       /* of the first beam, robot frame (rad) */
	double angle_increment; /* beam to beam (rad) */
	double angle_max;       /* as said, NAN if missing; never written, and
	                           not used but to find that it is wrong (rad) */
	double range_min;       /* shorter is noise, NAN if missing (m) */
	double range_max;       /* longer is no return, NAN if missing (m) */
	double radius;          /* ranges begin so far from the middle (m) */
	double *range; /* NAN: no return; < 0: the beam failed (m); owned when
	                  read */
	size_t n;
};

struct pb_rec_fix {
	double x, y; /* (m) */
};

/* What a localizer believes. */
struct pb_rec_belief {
	char status[PB_REC_WORD]; /* as in a pose */
	struct pb_hypothesis at[PB_LOC_HYPOTHESES];
	int n;                    /* of at[] */
	struct pb_pose *particle; /* NULL: none; owned when read */
	size_t particles;
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
	struct pb_rec_score *pellet; /* owned when read */
	size_t n;
};

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

struct pb_rec_twist {
	double v; /* forward (m/s) */
	double w; /* turn rate (rad/s) */
};

struct pb_rec_obstacle {
	struct pb_vec *point; /* cloud (m), NULL for a disc; owned when read */
	size_t n;
	double x, y, radius; /* disc (m); NAN for a cloud without */
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
	char name[PB_REC_WORD];  /* "pellet", "clyde killed", "win", ... */
	long pellet;             /* id, -1 if none */
	char text[PB_REC_TEXT];  /* more about it */
	double duration;         /* NAN if missing (s) */
	double w;                /* motion: turn rate, NAN if missing (rad/s) */
	int leds;                /* light: LEDs given, 0 or 6 */
	unsigned char led[6][3]; /* red, green, blue */
	int notes;               /* sound: notes given */
	struct {
		double hz, s; /* pitch (Hz), length (s) */
	} note[PB_REC_NOTES];
};

/* Grid games. */
struct pb_rec_body {
	char id[PB_REC_WORD];   /* pacman, red, ... */
	int row, col;           /* row 0 is the top row (cells) */
	char dir[PB_REC_WORD];  /* up, left, down, right, "" */
	char mode[PB_REC_WORD]; /* chase, scatter, frightened, eaten, "" */
	int fright, trapped;    /* updates left of them, -1 if missing */
	bool spawning, eaten;
	bool has_next; /* where the next update puts it is known: */
	int next_row, next_col;
	char next_dir[PB_REC_WORD];
};
#define PB_REC_BODIES 16
struct pb_rec_tick {
	long tick;  /* 0.. */
	long score; /* -1 if missing, as the two below */
	long lives;
	long left;                    /* pellets that remain */
	long level, combo;            /* -1 if missing, as those below */
	long period;                  /* ticks between updates */
	long mode_steps, level_steps; /* updates left */
	long fruit;                   /* updates left */
	char mode[PB_REC_WORD];       /* scatter, chase, "" */
	bool paused, pausing;         /* now; at the next update */
	struct pb_maze board;         /* pellets as they lie, rows 0: none */
	struct pb_rec_body body[PB_REC_BODIES];
	int bodies;
	char hash[20]; /* of the state, 16 hex digits, "" */
};
struct pb_rec_move {
	char dir[PB_REC_WORD]; /* up, left, down, right, stop */
};
/* From one robot, the stamp's id, to another. */
struct pb_rec_message {
	char name[PB_REC_WORD];  /* START, RESET, POWER, EATEN, ... */
	char to[PB_REC_WORD];    /* whom; "" for all */
	char value[PB_REC_WORD]; /* "" if none */
};
struct pb_rec_draw {
	char purpose[PB_REC_WORD];
	double value;
};

/* One finished trial. */
struct pb_rec_result {
	struct pb_trial trial;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
};

/* Many trials. */
struct pb_rec_summary {
	struct pb_summary sum;     /* pellets owned when read */
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
	double confidence;         /* of its intervals, 0.95 */
};

/* Two players on the same trials. */
struct pb_rec_comparison {
	struct pb_trial key;         /* rules, map, options, round; policy "" */
	char first[PB_TRIAL_NAME];   /* policy */
	char second[PB_TRIAL_NAME];  /* policy */
	char against[PB_TRIAL_NAME]; /* "baseline": second is an earlier one */
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

/* What a sequential test says. */
struct pb_rec_verdict {
	char test[PB_REC_WORD];     /* "sprt", "race" */
	struct pb_trial key;        /* as in a comparison */
	char first[PB_TRIAL_NAME];  /* policy */
	char second[PB_TRIAL_NAME]; /* race: policy */
	long n;                     /* trials until the decision, else all */
	long k;                     /* sprt: successes; else -1 */
	long only_first;            /* race: pairs, else -1 */
	long only_second;
	double p0, p1;              /* sprt: its rates, else NAN */
	double alpha;               /* of this test */
	double power;               /* sprt; else NAN */
	double ratio;               /* likelihood ratio */
	double p;                   /* race: at any time; else NAN */
	char decision[PB_REC_WORD]; /* "p0", "p1", "first", "second", "open" */
};

/* How many trials a question takes. */
struct pb_rec_plan {
	char question[PB_REC_WORD]; /* "apart", "width", "margin" */
	double p1, p2;              /* rates; NAN if not asked about */
	double half;                /* of an interval, or NAN */
	double margin;              /* or NAN */
	double alpha, power;        /* power NAN if not asked about */
	double split; /* share of trials that one player only wins, or NAN */
	char trials[PB_REC_WORD]; /* "independent", "paired", "" */
	long n;                   /* of each player */
};

/* Where a tool's output came from. */
struct pb_rec_provenance {
	char tool[PB_REC_WORD];
	char version[PB_REC_WORD];
	char **arg; /* of its command line; owned when read */
	size_t args;
	bool has_seed;
	uint64_t seed;
	uint64_t input; /* hash of all that it read */
};

/* The end of a tool's output: whole, if this is there. Counts of lines. */
struct pb_rec_finish {
	char tool[PB_REC_WORD];
	long read, refused, written; /* written: before this one */
	long status;                 /* enum pb_exit */
};

/* How far an estimated trajectory is from the true one. */
struct pb_rec_trajectory {
	struct pb_traj_report report;
	struct pb_traj_opts opts;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
};

/* What a benchmark should play: all combinations of what is listed. */
struct pb_rec_constant {
	char name[PB_REC_WORD];   /* of its option */
	char values[PB_REC_LIST]; /* as they would be typed */
};
struct pb_rec_experiment {
	char rules[PB_REC_LIST];  /* "" if missing, as the two below */
	char policy[PB_REC_LIST]; /* who plays */
	char rounds[PB_REC_LIST]; /* "1-3,7" */
	char preset[PB_REC_WORD];
	char **map; /* files; owned when read */
	size_t maps;
	long houses; /* -1 if missing */
	long trials; /* -1 if missing */
	bool has_seed;
	uint64_t seed;
	struct pb_rec_constant *constant; /* owned when read */
	size_t constants;
};

struct pb_rec {
	enum pb_rec_type type;
	bool owns; /* what is marked "owned when read"; else the caller does */
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
		struct pb_rec_scored scored;
		struct pb_rec_goal goal;
		struct pb_rec_points path;
		struct pb_rec_twist twist;
		struct pb_rec_obstacle obstacle;
		struct pb_rec_tick tick;
		struct pb_rec_move move;
		struct pb_rec_message message;
		struct pb_rec_draw draw;
		struct pb_rec_state state;
		struct pb_rec_event event; /* and light, sound, motion */
		struct pb_rec_result result;
		struct pb_rec_summary summary;
		struct pb_rec_comparison comparison;
		struct pb_rec_provenance provenance;
		struct pb_rec_finish finish;
		struct pb_rec_trajectory trajectory;
		struct pb_rec_experiment experiment;
		struct pb_rec_aggregate aggregate;
		struct pb_rec_verdict verdict;
		struct pb_rec_plan plan;
	};
};

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
    struct pb_bad *bad);

/*
 * Free what r owns; its type becomes OTHER. To keep a map or an array, copy
 * the struct and set the pointer in r to NULL first.
 */
void pb_rec_clear(struct pb_rec *r);

/*
 * Write one line. Lengths and angles are rounded to 1e-6; a map's resolution
 * and origin are exact.
 */
void pb_rec_write(struct pb_text *o, const struct pb_rec *r);

/*
 * The same by type. A map is written as rows when its cells are 0, 100 and -1
 * only, else as data: nothing is lost either way.
 */
void pb_put_map(struct pb_text *o, const struct pb_map *m);

/* The map that a body has made for itself, as it is at a time. */
void pb_put_map_of(
    struct pb_text *o, struct pb_stamp s, const struct pb_map *m);
void pb_put_maze(struct pb_text *o, const struct pb_maze *z);
void pb_put_pellets(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_pellets *p);
void pb_put_cmd(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_cmd *c);
void pb_put_pose(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_pose *p);
void pb_put_odom(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_odom *d);
void pb_put_scan(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_scan *c);
void pb_put_fix(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_fix *f);
void pb_put_belief(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_belief *b);
void pb_put_target(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_target *g);
void pb_put_scored(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_scored *c);
void pb_put_goal(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_goal *g);
void pb_put_path(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_points *p);
void pb_put_twist(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_twist *w);
void pb_put_obstacle(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_obstacle *b);
void pb_put_tick(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_tick *k);
void pb_put_move(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_move *m);
void pb_put_message(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_message *m);
void pb_put_draw(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_draw *d);
void pb_put_state(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_state *e);

/* type: PB_REC_EVENT, PB_REC_LIGHT, PB_REC_SOUND or PB_REC_MOTION */
void pb_put_event(struct pb_text *o, enum pb_rec_type type, struct pb_stamp s,
    const struct pb_rec_event *e);
void pb_put_result(struct pb_text *o, const struct pb_rec_result *r);
void pb_put_summary(struct pb_text *o, const struct pb_rec_summary *m);
void pb_put_comparison(struct pb_text *o, const struct pb_rec_comparison *c);
void pb_put_provenance(struct pb_text *o, const struct pb_rec_provenance *p);
void pb_put_finish(struct pb_text *o, const struct pb_rec_finish *e);
void pb_put_aggregate(struct pb_text *o, const struct pb_rec_aggregate *r);
void pb_put_verdict(struct pb_text *o, const struct pb_rec_verdict *r);
void pb_put_plan(struct pb_text *o, const struct pb_rec_plan *p);
void pb_put_experiment(struct pb_text *o, const struct pb_rec_experiment *x);
void pb_put_trajectory(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_trajectory *y);

/* Structs whose optional fields are all missing. */
struct pb_rec_target pb_rec_target_none(void);
struct pb_rec_goal pb_rec_goal_none(void);
struct pb_rec_state pb_rec_state_none(void);
struct pb_rec_event pb_rec_event_none(void);
struct pb_rec_tick pb_rec_tick_none(void);
struct pb_rec_result pb_rec_result_none(void);
struct pb_rec_experiment pb_rec_experiment_none(void);

/* Copy text into a field of a record, cut at a character. */
void pb_rec_set(char *out, size_t size, const char *text);
#define PB_REC_SET(field, text) pb_rec_set(field, sizeof(field), text)

#endif
