/* scene.h - the scene to be drawn: a map and the things on it; from calls, or
 * from the records of a stream. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/rec/rec.h"
#include "pb/geom.h"
#include "pb/localizer.h"
#include "pb/map.h"
#include "pb/status.h"
#include "robot/signals.h"

/*
 * A scene is filled by calls or from a stream (pb_scene_build) and drawn
 * by view/canvas.h. Everything is in the map frame, metres and
 * radians. Memory is bounded whatever is fed: trails thin themselves out
 * evenly, lists of marks keep the first. A zeroed scene is empty and valid.
 */
#define PB_SCENE_ID      32   /* bytes of an id with its end; cut, never over */
#define PB_SCENE_BODIES  64   /* bodies; more are ignored */
#define PB_SCENE_TRAIL   4096 /* points of a trail; then every other goes */
#define PB_SCENE_POINTS  8192 /* points of a path, an obstacle or a scan */
#define PB_SCENE_PELLETS 65536
#define PB_SCENE_MARKS   1024 /* kill places and notes; no more are kept */

#define PB_SCENE_HOUSE 'h' /* a cell of a board that is the ghosts' house */

/* A growing list of points, no longer than its user's limit. */
struct pb_points {
	struct pb_vec *at; /* one that is not finite interrupts a line */
	size_t n;
	size_t cap;

	/* Of samples that come as time passes. */
	double *t; /* of each (s), NULL: this is another list */
	size_t t_cap;
	unsigned thinned; /* this often every other was left out, */
	size_t seen;      /* of this many since the last interruption */
};

enum pb_body_kind {
	PB_BODY_ROBOT, /* Pac-Man */
	PB_BODY_GHOST, /* a pursuer */
	PB_BODY_OTHER  /* an estimate, a truth, a camera fix */
};

/* What lists and pages call them. */
extern const char *const pb_body_kinds[];

struct pb_body {
	char id[PB_SCENE_ID];
	enum pb_body_kind kind;
	struct pb_pose pose; /* the latest */
	bool placed;         /* pose has been set */
	bool has_cov;
	double cov[3][3];       /* of x, y, th (m, rad) */
	struct pb_points trail; /* where it was, oldest first */
	struct pb_points doubt[PB_LOC_TRACKING]; /* poses with a status below
	                                            tracking, by status */
	bool jump;              /* the next point of the trail is apart */
	struct pb_points path;  /* where it means to go */
	struct pb_points scan;  /* end points of its latest scan */
	struct pb_points solid; /* obstacle as the costmap sees it */
	struct pb_points cloud; /* particles of its localizer */
	struct pb_hypothesis guess[PB_LOC_HYPOTHESES]; /* where it may be */
	int guesses;
	struct pb_vec goal; /* where it is sent */
	bool has_goal;
	bool posed;             /* it has had a pose, */
	bool truth;             /* a true one, */
	double last;            /* at this time the latest (s) */
	char mode[PB_SCENE_ID]; /* of a ghost's: frightened, ...; "" if none */
};

struct pb_spot {
	int id;
	struct pb_vec at;
	bool power; /* a power pellet */
	bool eaten; /* was there, is gone */
	bool fresh; /* named in the latest set */
	bool over;  /* was gone when the round was over */
};

/* What is drawn by a sign. */
enum pb_sign {
	PB_SIGN_WALL,
	PB_SIGN_UNKNOWN,
	PB_SIGN_HOUSE, /* of the ghosts */
	PB_SIGN_PARTICLE,
	PB_SIGN_SCAN,
	PB_SIGN_VIEW, /* of a ghost's camera */
	PB_SIGN_GHOST_TRAIL,
	PB_SIGN_TRAIL,
	PB_SIGN_OTHER_TRAIL, /* of an estimate, a truth */
	PB_SIGN_LOST,        /* as enum pb_loc_status */
	PB_SIGN_UNMAPPED,
	PB_SIGN_AMBIGUOUS,
	PB_SIGN_PATH,
	PB_SIGN_LOOP,
	PB_SIGN_SOLID,
	PB_SIGN_EATEN,
	PB_SIGN_PELLET,
	PB_SIGN_POWER,
	PB_SIGN_HOME,
	PB_SIGN_GOAL,
	PB_SIGN_TARGET,
	PB_SIGN_DENIED,
	PB_SIGN_GUESSED,
	PB_SIGN_CUT,
	PB_SIGN_DEATH,
	PB_SIGN_GUESS,
	PB_SIGN_ROBOT,
	PB_SIGNS
};

/* A place of death, home, a step that the wheels deny or alone know, a cut. */
struct pb_mark {
	enum pb_sign kind;
	struct pb_vec at;
	const struct pb_body *by; /* the ghost that caught the player, NULL:
	                             unknown */
};

struct pb_scene {
	const struct pb_map *map; /* what to draw on, NULL: nothing known */
	struct pb_map own;        /* set if the scene owns its map */
	struct pb_body body[PB_SCENE_BODIES + 1]; /* the last: stands for
	                                             bodies beyond the limit */
	size_t bodies;
	struct pb_spot *pellet;
	size_t pellets, pellets_cap;
	size_t next; /* where the search for an id begins */
	int target;  /* id of the chosen pellet, if has_target */
	bool has_target;
	struct pb_mark mark[PB_SCENE_MARKS];
	struct pb_points loops; /* pairs of places matched, and NAN */
	struct pb_points fit[PB_LOC_STATUSES]; /* time and fit of estimates, by
	                                          status */
	size_t marks;
	double t;            /* of the latest record (s) */
	char title[96];      /* "" if none */
	char caption[96];    /* state of the game, "" if none */
	struct pb_ring ring; /* the robot's lights */
	bool has_ring;

	/* Values of records that are not drawn on the map. */
	struct pb_rec_state state; /* latest */
	bool has_state;
	char outcome[PB_REC_WORD];     /* of the latest result, "" if none */
	int collected;                 /* pellets, of it */
	int total;                     /* of it */
	bool reset;                    /* at this time all began anew */
	bool reach;                    /* there is a cell to be reached */
	double cell;                   /* of a board (m), 0: its own */
	struct pb_maze board;          /* as it began, with cells of
	                                  PB_SCENE_HOUSE; no rows: none */
	bool has_house;                /* there are some */
	long level;                    /* of a game with some, else < 2 */
	bool game;                     /* a state of a game came */
	double took;                   /* until the outcome, in units of t */
	bool ticks;                    /* times count ticks of a game */
	const struct pb_body *scanner; /* whose the last scan is */
	double scan_t;                 /* its time (s) */
	struct pb_pose scan_from;      /* where it lies */
};

/* Free everything that s owns and zero it. */
void pb_scene_clear(struct pb_scene *s);

/*
 * The body named id, made if new: "clyde", "blinky", "red", ... and every id
 * with "ghost" in it are ghosts, "robot", "player", "pacman" and ids that begin
 * so are the robot, all others are other. Beyond PB_SCENE_BODIES, a body that
 * is not counted and not drawn is returned.
 */
struct pb_body *pb_scene_body(struct pb_scene *s, const char *id);

/* The colour of the ghost with that id on paper, and its letter or figure. The
 * four of the arcade are B P I C in each game. */
struct pb_rgb {
	unsigned char r, g, b;
};
struct pb_rgb pb_scene_ghost_color(const char *id);
char pb_scene_ghost_letter(const char *id);

/* The part of b's trail that is shown: in a game that of the last `length`
 * seconds, since the last jump; 0: all of it. It points into the trail. */
struct pb_points pb_scene_trail(
    const struct pb_scene *s, const struct pb_body *b, double length);

/* The time t as in headlines, pages and records: "t 12.5 s", or "t 12" where it
 * counts ticks. */
#define PB_SCENE_CLOCK 40
void pb_scene_clock(
    const struct pb_scene *s, double t, char out[PB_SCENE_CLOCK]);

/* Move b to p; its trail grows. After a jump it goes on without a line to
 * there. What has no place stays. */
void pb_scene_pose(struct pb_body *b, struct pb_pose p);

/* Replace a list of points of a body, its path for one, by the finite ones of
 * n points, evenly thinned. */
void pb_scene_points(struct pb_points *list, const struct pb_vec *at, size_t n);

/* Remember that something happened at a place; by: the ghost that caused a
 * death, NULL: none. */
void pb_scene_mark(struct pb_scene *s, enum pb_sign k, struct pb_vec at,
    const struct pb_body *by);

/* Two places of a way were matched with each other. */
void pb_scene_loop(struct pb_scene *s, struct pb_vec a, struct pb_vec b);

/*
 * Smallest box around everything but the map, false if there is nothing.
 * Points that are not finite do not count.
 */
bool pb_scene_bounds(
    const struct pb_scene *s, struct pb_vec *lo, struct pb_vec *hi);

/* The types of records that matter. */
uint64_t pb_scene_wants(void);

/*
 * Update the scene by the next record of a stream; it is then the state after
 * that record, with the trails up to it.
 *
 * A pose without an id is the robot's. Where both the truth and estimates of
 * one body come, the body is at the true pose and the estimates are a body
 * named "estimate". A board of cells becomes a map with one cell a cell.
 *
 * A body that has had a pose record stays at its latest pose; bodies without
 * are placed by the cells in tick records.
 *
 * A scan is drawn at its body's pose at that time: its own pose, even if that
 * comes later; else the true pose; else the latest one.
 *
 * Note     a map is taken out of r
 */
void pb_scene_build(struct pb_scene *s, struct pb_rec *r);

/* Write time, state and result into the caption. */
void pb_scene_build_caption(struct pb_scene *s);

/* The board: walls as a map, pellets, where bodies begin. PB_OK, or PB_EVALUE:
 * s->cell is too small. */
enum pb_status pb_scene_build_maze(struct pb_scene *s, const struct pb_maze *z);

/* The state after a step: bodies, and the pellet that the player is on. */
void pb_scene_build_tick(struct pb_scene *s, const struct pb_seen *k);
