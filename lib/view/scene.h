/* scene.h - the scene to be drawn: a map and the things on it; built by calls
 * or from records. */
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
 * A scene is built by calls or from a stream (pb_scene_build) and drawn by
 * view/canvas.h. Positions are in the map frame (m, rad). Memory is bounded:
 * long trails are thinned evenly, lists of marks keep the first. A zeroed scene
 * is empty and valid.
 */
#define PB_SCENE_ID      32   /* bytes of an id with NUL; longer ones are cut */
#define PB_SCENE_BODIES  64   /* most bodies; more are ignored */
#define PB_SCENE_TRAIL   4096 /* most points of a trail; then it is thinned */
#define PB_SCENE_POINTS  8192 /* most points of a path, obstacle or scan */
#define PB_SCENE_PELLETS 65536
#define PB_SCENE_MARKS   1024 /* most marks; later ones are dropped */

#define PB_SCENE_HOUSE 'h' /* cell value of the ghosts' house */

/* A growing list of points. */
struct pb_points {
	struct pb_vec *at; /* a point that is not finite interrupts a line */
	size_t n;
	size_t cap;

	/* Of trails, whose points have times: */
	double *t; /* of each (s), NULL: no trail */
	size_t t_cap;
	unsigned thinned; /* how often it was thinned */
	size_t seen;      /* samples since the last interruption */
};

enum pb_body_kind {
	PB_BODY_ROBOT, /* Pac-Man */
	PB_BODY_GHOST, /* a pursuer */
	PB_BODY_OTHER  /* an estimate, a true pose, a camera fix */
};

/* Names of the kinds. */
extern const char *const pb_body_kinds[];

struct pb_body {
	char id[PB_SCENE_ID];
	enum pb_body_kind kind;
	struct pb_pose pose; /* latest */
	bool placed;         /* pose has been set */
	bool has_cov;
	double cov[3][3];                        /* of x, y, th (m, rad) */
	struct pb_points trail;                  /* oldest first */
	struct pb_points doubt[PB_LOC_TRACKING]; /* below tracking */
	bool jump;              /* do not join the next point of the trail */
	struct pb_points path;  /* planned path */
	struct pb_points scan;  /* end points of the latest scan */
	struct pb_points solid; /* obstacle in costmaps */
	struct pb_points cloud; /* particles of its localizer */
	struct pb_hypothesis guess[PB_LOC_HYPOTHESES]; /* hypotheses */
	int guesses;
	struct pb_vec goal; /* where it is sent */
	bool has_goal;
	bool posed;             /* a pose record came, ... */
	bool truth;             /* ... a true one, ... */
	double last;            /* ... the latest at this time (s) */
	char mode[PB_SCENE_ID]; /* of a ghost: frightened, ...; "": none */
};

struct pb_spot {
	int id;
	struct pb_vec at;
	bool power; /* a power pellet */
	bool eaten; /* eaten */
	bool fresh; /* in the latest set */
	bool over;  /* eaten before the round ended */
};

/* What a sign stands for. */
enum pb_sign {
	PB_SIGN_WALL,
	PB_SIGN_UNKNOWN,
	PB_SIGN_HOUSE, /* of the ghosts */
	PB_SIGN_PARTICLE,
	PB_SIGN_SCAN,
	PB_SIGN_VIEW, /* of a ghost's camera */
	PB_SIGN_GHOST_TRAIL,
	PB_SIGN_TRAIL,
	PB_SIGN_OTHER_TRAIL, /* of an estimate or true pose */
	PB_SIGN_LOST,        /* status of enum pb_loc_status */
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

/* A death, home, a step that odometry contradicts or alone supports, or a
 * cut. */
struct pb_mark {
	enum pb_sign kind;
	struct pb_vec at;
	const struct pb_body *by; /* ghost that caused a death, or NULL */
};

struct pb_scene {
	const struct pb_map *map; /* background, NULL: none */
	struct pb_map own;        /* if the scene owns its map */
	struct pb_body body[PB_SCENE_BODIES + 1]; /* the last: any further */
	size_t bodies;
	struct pb_spot *pellet;
	size_t pellets, pellets_cap;
	size_t next; /* index where the next search begins */
	int target;  /* id of the chosen pellet */
	bool has_target;
	struct pb_mark mark[PB_SCENE_MARKS];
	struct pb_points loops; /* pairs of matched places, then NAN */
	struct pb_points fit[PB_LOC_STATUSES]; /* by status */
	size_t marks;
	double t;            /* of the latest record (s) */
	char title[96];      /* "" if none */
	char caption[96];    /* state of the game, "" if none */
	struct pb_ring ring; /* the robot's lights */
	bool has_ring;

	/* Values of records that are not on the map: */
	struct pb_rec_state state; /* latest */
	bool has_state;
	char outcome[PB_REC_WORD]; /* of the latest result, "" if none */
	int collected;             /* pellets in the result */
	int total;                 /* of the result */
	bool reset;                /* everything was reset at t */
	bool reach;                /* a cell is to be reached */
	double cell;               /* of a board (m), 0: its own */
	struct pb_maze board;      /* at the start; no rows: none */
	bool has_house;            /* it has a house */
	long level;                /* of a game with levels, else < 2 */
	bool game;                 /* a state of a game came */
	double took; /* duration until the outcome, in units of t */
	bool ticks;  /* times are ticks of a game */
	const struct pb_body *scanner; /* body of the last scan */
	double scan_t;                 /* time of the last scan (s) */
	struct pb_pose scan_from;      /* pose of the scanner */
};

/* Free everything that s owns and zero it. */
void pb_scene_clear(struct pb_scene *s);

/*
 * The body with that id, added if new. "clyde", "blinky", "red", ... and ids
 * with "ghost" in them are ghosts; ids that begin with "robot", "player" or
 * "pacman" are the robot; all others are other. Beyond PB_SCENE_BODIES, returns
 * a body that is neither counted nor drawn.
 */
struct pb_body *pb_scene_body(struct pb_scene *s, const char *id);

/* The colour of the ghost with that id on paper, and its letter or digit. The
 * four of the arcade are B P I C in each game. */
struct pb_rgb {
	unsigned char r, g, b;
};
struct pb_rgb pb_scene_ghost_color(const char *id);
char pb_scene_ghost_letter(const char *id);

/* The visible part of b's trail: in a game the last `length` seconds, since the
 * last jump; 0: all. Points into the trail. */
struct pb_points pb_scene_trail(
    const struct pb_scene *s, const struct pb_body *b, double length);

/* Write the time t: "t 12.5 s", or "t 12" for ticks. */
#define PB_SCENE_CLOCK 40
void pb_scene_clock(
    const struct pb_scene *s, double t, char out[PB_SCENE_CLOCK]);

/* Move b to p and extend its trail; after a jump without a line. Poses that are
 * not finite are ignored. */
void pb_scene_pose(struct pb_body *b, struct pb_pose p);

/* Replace a list of points of a body, for example its path, by the finite ones
 * of n points, evenly thinned. */
void pb_scene_points(struct pb_points *list, const struct pb_vec *at, size_t n);

/* Add a mark; by: the ghost that caused a death, NULL: none. */
void pb_scene_mark(struct pb_scene *s, enum pb_sign k, struct pb_vec at,
    const struct pb_body *by);

/* Add a loop closure between two places. */
void pb_scene_loop(struct pb_scene *s, struct pb_vec a, struct pb_vec b);

/* The smallest box around everything but the map; false: there is nothing.
 * Ignores points that are not finite. */
bool pb_scene_bounds(
    const struct pb_scene *s, struct pb_vec *lo, struct pb_vec *hi);

/* The types of records that are used. */
uint64_t pb_scene_wants(void);

/*
 * Update the scene by the next record of a stream.
 *
 * A pose without id is the robot's. If both true and estimated poses of a body
 * come, the body has the true pose, and the estimates are a body "estimate". A
 * board becomes a map with one cell for each of its cells.
 *
 * A body that has had a pose record stays at its latest pose; other bodies are
 * placed by the cells in tick records.
 *
 * A scan is drawn from its body's pose at that time: its own pose, even if that
 * comes later; else the true pose; else the latest one.
 *
 * Note     a map is moved out of r
 */
void pb_scene_build(struct pb_scene *s, struct pb_rec *r);

/* Write time, state and result into the caption. */
void pb_scene_build_caption(struct pb_scene *s);

/* Use a board: walls as a map, pellets, starts of bodies. PB_OK, or PB_EVALUE:
 * s->cell is too small. */
enum pb_status pb_scene_build_maze(struct pb_scene *s, const struct pb_maze *z);

/* Use the state after a step: bodies, and the pellet at the player. */
void pb_scene_build_tick(struct pb_scene *s, const struct pb_seen *k);
