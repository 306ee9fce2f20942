/* scene.h - what is to be drawn: a map and the things that stand on it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/geom.h"
#include "pb/localizer.h"
#include "pb/map.h"
#include "pb/status.h"
#include "robot/signals.h"
#include "view/render.h"

/*
 * A scene is filled by calls or from a stream (view/scene_builder.h) and drawn
 * by the last functions below. Everything is in the map frame, metres and
 * radians. Memory is bounded whatever is fed: trails thin themselves out
 * evenly, lists of marks keep the newest. A zeroed scene is empty and valid.
 */
#define PB_SCENE_ID      32   /* bytes of an id with its end; cut, never over */
#define PB_SCENE_BODIES  64   /* bodies; more are ignored */
#define PB_SCENE_TRAIL   2048 /* points of a trail; then every other goes */
#define PB_SCENE_POINTS  8192 /* points of a path, an obstacle or a scan */
#define PB_SCENE_PELLETS 65536
#define PB_SCENE_MARKS   1024 /* kill places and notes */

/* A growing list of points, no longer than its user's limit. */
struct pb_points {
	struct pb_vec *at; /* one that is not finite interrupts a line */
	size_t n;
	size_t cap;
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
	bool jump;              /* the next point of the trail is apart */
	double step;            /* least distance of trail points (m) */
	struct pb_points path;  /* where it means to go */
	struct pb_points scan;  /* end points of its latest scan */
	struct pb_points solid; /* obstacle as the costmap sees it */
	struct pb_vec disc;     /* centre of a round obstacle */
	double radius;          /* of the round obstacle (m), 0: none */
	struct pb_points cloud; /* particles of its localizer */
	struct pb_hypothesis guess[PB_LOC_HYPOTHESES]; /* where it may be */
	int guesses;
	struct pb_vec goal; /* where it is sent */
	bool has_goal;
	char mode[PB_SCENE_ID]; /* of a ghost's: frightened, ...; "" if none */
};

struct pb_spot {
	int id;
	struct pb_vec at;
	bool power; /* a power pellet */
	bool eaten; /* was there, is gone */
	bool fresh; /* named since pb_scene_pellets_begin */
	bool over;  /* was gone when the round was over */
};

enum pb_mark_kind {
	PB_MARK_DEATH,
	PB_MARK_HOME,
	PB_MARK_DENIED,  /* a step that the wheels deny */
	PB_MARK_GUESSED, /* a step that only the wheels know */
	PB_MARK_CUT      /* where a way does not hang together */
};

struct pb_mark {
	enum pb_mark_kind kind;
	struct pb_vec at;
};

struct pb_scene {
	const struct pb_map *map; /* what to draw on, NULL: nothing known */
	struct pb_map own;        /* set if the scene owns its map */
	struct pb_body body[PB_SCENE_BODIES + 1]; /* the last: all too many */
	size_t bodies;
	struct pb_spot *pellet;
	size_t pellets, pellets_cap;
	size_t next; /* where the search for an id begins */
	int target;  /* id of the chosen pellet, if has_target */
	bool has_target;
	struct pb_mark mark[PB_SCENE_MARKS];
	struct pb_points loops; /* pairs of places matched, and NAN */
	size_t marks;        /* ever made; the newest PB_SCENE_MARKS are kept */
	double t;            /* of the latest record (s) */
	char title[96];      /* "" if none */
	char caption[96];    /* state of the game, "" if none */
	struct pb_ring ring; /* the robot's lights */
	bool has_ring;
	bool short_of_memory; /* something could not be kept */
};

/* Free everything that s owns and zero it. */
void pb_scene_clear(struct pb_scene *s);

/* Draw on m, which becomes the scene's; m is left zeroed. */
void pb_scene_take_map(struct pb_scene *s, struct pb_map *m);

/*
 * The body named id, made if new: "clyde", "blinky", "red", ... and every
 * id with "ghost" in it are ghosts, "robot", "player", "pacman" and what else
 * begins like that are the robot, all else is other. Where PB_SCENE_BODIES are
 * there, it is one that is not counted and stands nowhere.
 */
struct pb_body *pb_scene_body(struct pb_scene *s, const char *id);

/* The colour of the ghost with that id on paper. */
struct pb_rgb pb_scene_ghost_color(const char *id);

/* Move b to p; its trail grows if that is far enough from its end. After a
 * jump it goes on without a line to there. What has no place stays. */
void pb_scene_pose(struct pb_scene *s, struct pb_body *b, struct pb_pose p);

/* Replace a list of points of a body, its path for one, by the finite ones of
 * n points, evenly thinned. */
void pb_scene_points(struct pb_scene *s, struct pb_points *list,
    const struct pb_vec *at, size_t n);

/*
 * Pellets. A whole set is given by pb_scene_pellets_begin, one call of
 * pb_scene_pellet for each, pb_scene_pellets_end; those that were in the
 * scene before and are not in the set are drawn as eaten from then on.
 * An id that comes again moves to its new place.
 */
void pb_scene_pellets_begin(struct pb_scene *s);
void pb_scene_pellet(struct pb_scene *s, int id, struct pb_vec at, bool power);
void pb_scene_pellets_end(struct pb_scene *s);
void pb_scene_eat(struct pb_scene *s, int id);
void pb_scene_restore(struct pb_scene *s);      /* all of them are back */
size_t pb_scene_left(const struct pb_scene *s); /* pellets not eaten */

/* Remember that something happened at a place. */
void pb_scene_mark(struct pb_scene *s, enum pb_mark_kind k, struct pb_vec at);

/* Two places of a way were matched with each other. */
void pb_scene_loop(struct pb_scene *s, struct pb_vec a, struct pb_vec b);

/* The i-th kept mark, oldest first; count of kept marks. */
size_t pb_scene_marks(const struct pb_scene *s);
struct pb_mark pb_scene_mark_at(const struct pb_scene *s, size_t i);

/*
 * Smallest box around everything but the map, false if there is nothing.
 * Points that are not finite do not count.
 */
bool pb_scene_bounds(
    const struct pb_scene *s, struct pb_vec *lo, struct pb_vec *hi);

/*
 * Draw s to f as text for a terminal.
 *
 * The picture has the map's own axes: columns to the right, rows upwards,
 * whatever the origin's yaw. Where the yaw is a multiple of a right angle the
 * ticks are coordinates of the map frame; otherwise they are metres along the
 * map's edges from its lower left corner, and a line says where that corner
 * is and how it is turned.
 *
 * Maps are shrunk so that a wall never disappears: a dot is occupied if any
 * of its cells is, else unknown if any is, else free. Small maps are enlarged
 * by whole numbers only, the same in both directions.
 *
 * Given    o  checked options
 *          t  what f can show, from pb_tty_of or chosen
 * Returns  PB_OK, PB_ENOMEM, or PB_ESIZE: nothing of the map lies in the box
 */
enum pb_status pb_term_draw(const struct pb_scene *s,
    const struct pb_render_opts *o, const struct pb_tty *t, FILE *f);

/*
 * The same as frame after frame in place on a terminal: the first call
 * clears the screen, later ones write over it, line by line, without
 * clearing, so that nothing flickers.
 */
enum pb_status pb_term_frame(const struct pb_scene *s,
    const struct pb_render_opts *o, const struct pb_tty *t, bool first,
    FILE *f);

/*
 * Draw s into the file at path (see view/drawing.h), window and shrinking as
 * above, with axes, scale bar, title and legend. Colours are told apart by
 * colour-blind people (Okabe and Ito), and every kind of thing has its own
 * shape as well. The same scene gives the same bytes.
 *
 * Returns  0, or -1 with f (which may be NULL) filled in
 */
int pb_plot(const struct pb_scene *s, const struct pb_render_opts *o,
    const char *path, struct pb_error *f);
