/* slam_work.h - what slam.c finds poses with, step by step. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "map/scan_match.h"
#include "pb/geom.h"
#include "pb/scan.h"
#include "pb/status.h"

/*
 * A x = b with A symmetric and positive definite, of n by n blocks of which
 * most are zero. Which are not is told once; then numbers may be entered and
 * the system solved again and again. Belongs to one thread.
 */
struct pb_blocks;

struct pb_blocks_pair {
	int i, j; /* 0..n - 1, i != j */
};

/*
 * A system in which the n blocks of the diagonal and m others, in either
 * order and as often as one likes, may differ from zero.
 *
 * Returns  PB_OK and *a for pb_blocks_free, or PB_ENOMEM and *a untouched
 * Note     unknowns are eliminated in order of fewest neighbours first
 */
enum pb_status pb_blocks_new(
    int n, const struct pb_blocks_pair *pair, size_t m, struct pb_blocks **a);
void pb_blocks_free(struct pb_blocks *a);

/* Set all numbers to 0. */
void pb_blocks_zero(struct pb_blocks *a);

/* Add v to block (i, j), and its transpose to (j, i) if they differ. */
void pb_blocks_add(struct pb_blocks *a, int i, int j, const double v[3][3]);

/*
 * Solve by Cholesky factors (L D L', block by block); what was added is lost.
 *
 * Given    b  3 n numbers
 * Returns  true and x in b; false if A is not positive definite
 */
bool pb_blocks_solve(struct pb_blocks *a, double *b);

/*
 * Nodes are poses in one frame, edges are measured poses of one node in the
 * frame of another. The best poses minimise the sum of rho(e' P e) over
 * the edges, where e is what the measurement is off by and rho is 1 for plain
 * edges and Cauchy's soft limit, c^2 log(1 + s / c^2), for doubtful ones.
 */
struct pb_edge {
	int a, b;               /* nodes */
	struct pb_pose z;       /* of b in the frame of a */
	double precision[3][3]; /* P: of z in the frame of a, inverse covariance
	                      (1/m2, 1/m, 1/rad2) */
	double soft;            /* c; INFINITY: a plain edge */
};

/*
 * Move the nodes to where the sum is least, by Levenberg's and Marquardt's
 * method from where they are; node 0 stays.
 *
 * Given    pose  n >= 1 nodes
 *          edge  m edges between them; each node hangs together with node 0
 *          times steps at most
 * Returns  PB_OK and the nodes, *sum (if not NULL) what is left; PB_ENOMEM
 *          and they are as they were
 */
enum pb_status pb_posegraph_solve(struct pb_pose *pose, int n,
    const struct pb_edge *edge, size_t m, int times, double *sum);

/* What edge e is off by, e' P e. */
double pb_edge_error(const struct pb_edge *e, const struct pb_pose *pose);

struct pb_slam_opts;
struct pb_slam_report;

/* A key scan. */
struct pb_slam_key {
	size_t scan;                  /* its number in the log */
	const struct pb_point *point; /* its returns, in its frame */
	size_t n;
	double far; /* distance of the farthest (m) */
	int kind;  /* how it hangs together with the one before: pb_slam_kind */
	int first; /* key of its piece: nothing but a guess leads to earlier
	              ones, and perhaps loops */
};

/* A scan that is none. */
struct pb_slam_other {
	int key;            /* before it */
	struct pb_pose rel; /* in the frame of the key */
};

/* Where the piece of the newest key may belong: key b was seen from key a. */
struct pb_slam_tie {
	int a, b;
	struct pb_fit fit; /* of b in the frame of a */
};

#define PB_SLAM_MISSES 3   /* scans that fit nowhere begin a new piece */
#define PB_SLAM_TIES   32  /* that are kept, the last ones */
#define PB_SLAM_NEAR   0.3 /* points so near to lines refine poses (m) */
#define PB_SLAM_STEPS  20  /* ... in so many steps at most */
#define PB_SLAM_GATHER 400 /* points of a gathered cloud, about */

/* What passes over a dense log take, in rounds of pb_slam_refine(). */
#define PB_SLAM_TRACK  5
#define PB_SLAM_SETTLE 2

/* A log on its way to poses: a graph of key scans. */
struct pb_slam {
	const struct pb_slam_opts *o;
	const struct pb_scan *scan;
	const struct pb_pose *odom; /* NULL: none */
	size_t n;
	struct pb_point *point; /* of all key scans */
	size_t points;
	struct pb_slam_key *key;
	int *piece;   /* of each key: the first key of its piece, in the end */
	bool *joined; /* of the first key of a piece: with those before it */
	struct pb_slam_other *other; /* n: of each scan */
	struct pb_pose *pose;        /* of each key */
	int keys;
	struct pb_edge *edge;
	size_t edges, edgeroom;
	size_t firm;  /* edges before pairs of neighbours */
	double way;   /* of all scans that were matched (m) */
	long steps;   /* ... and how many they are */
	double usual; /* score of a step that fits, on average; 0: none did */
	bool belied;  /* the wheels by a scan, since one was matched */
	double *dist; /* of each key: scratch of loops */
	size_t miss[PB_SLAM_MISSES]; /* scans in a row that fit nowhere */
	int misses;
	struct pb_slam_tie tie[PB_SLAM_TIES]; /* of the newest piece, a ring */
	int ties;
	struct pb_target local, loop;
	struct pb_point *gathered; /* of a few keys, see slam_loops.c */
	double gathered_far;       /* distance of the farthest (m) */
	size_t past, pass;         /* shares of the work: done, of this pass */
	struct pb_slam_report *report;
};

/* What is to be seen from a place, of a few keys. */
struct pb_slam_view {
	int frame;        /* the key in whose frame */
	int first, last;  /* keys */
	struct pb_vec at; /* the place ... */
	double far;       /* ... and how far a scan there can reach (m) */
	double within;    /* only of keys so near to `frame`; 0: of all (m) */
};

/* Pose of key b in the frame of key a, as they are now. */
struct pb_pose pb_slam_between(const struct pb_slam *w, int a, int b);

/* What keys a and b say of each other, b in the frame of a. */
struct pb_match_sight pb_slam_sight(
    const struct pb_slam *w, int a, int b, struct pb_pose at);

/* The first of so many keys before k that are of its piece. */
int pb_slam_from(const struct pb_slam *w, int k, int before);

/* Draw v into t, with so many levels. */
enum pb_status pb_slam_draw(struct pb_slam *w, const struct pb_slam_view *v,
    int levels, struct pb_target *t);

/* Keep a fit of key b on points in the frame of key a. */
enum pb_status pb_slam_fit_edge(
    struct pb_slam *w, int a, int b, const struct pb_fit *f, double soft);

/* Whether nothing was measured along e. */
bool pb_slam_guessed(const struct pb_slam *w, const struct pb_edge *e);

/* slam.c: tell whoever asked that this pass has come to a scan; PB_ESTOPPED if
 * that is enough. */
enum pb_status pb_slam_tell(const struct pb_slam *w, size_t scan);

/* slam_loops.c: look for loops that the newest key closes, and solve if there
 * are. */
enum pb_status pb_slam_close(struct pb_slam *w);

/* Tell keys apart that do not hang together but by guesses. */
void pb_slam_find_pieces(struct pb_slam *w);

/* How much the worst loop is off (m). */
double pb_slam_loops_off(const struct pb_slam *w);

/* Match all neighbours with each other and solve. */
enum pb_status pb_slam_refine(struct pb_slam *w);

/* Count the keys that contradict each other where they are. */
void pb_slam_compare(struct pb_slam *w);

/* Give the scans that are no keys their places, now that those have theirs. */
enum pb_status pb_slam_settle(struct pb_slam *w);
