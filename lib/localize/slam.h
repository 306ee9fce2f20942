/* slam.h - where a robot was, from its odometry and scans alone; pose graphs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/geom.h"
#include "pb/param.h"
#include "pb/scan.h"
#include "pb/status.h"

/*
 * SLAM of a whole log. Scans at some distance are key scans. Each is matched
 * with those before it, then with old ones nearby, which closes loops; the
 * relative poses form a graph (see below) that is solved again after each
 * loop. At the end all neighbours are matched with each other and the graph is
 * solved, a few times. Then the other scans are matched with the key scans
 * around them.
 *
 * A step that fits badly at its odometry is searched for at all headings. After
 * a few scans without a match a new piece begins, which later matches may
 * connect with the old ones.
 */
struct pb_slam_opts {
	double key_step;  /* distance between key scans (m) */
	double key_turn;  /* or turn between key scans (rad) */
	double odom_step; /* standard deviation of odometry, per m */
	double odom_turn; /* and per rad turned */
	double reach;     /* returns beyond this are not matched (m) */
	int local;    /* number of key scans that the next is matched with */
	double drift; /* growth of the loop search radius per m driven */
	double loop_score; /* least nearness of a loop, 0..1 */
	double loop_share; /* least share of points on lines of a loop */
	int rounds;        /* final rounds of matching all neighbours */
	/* Progress: `done` of `all` scans' share of the work; called now and
	 * then if not NULL. False ends the run. */
	bool (*step)(void *ctx, size_t done, size_t all);
	void *ctx;
};

struct pb_slam_opts pb_slam_defaults(void);

/* The constants as options. */
extern const struct pb_params pb_slam_params;

/* How a scan is connected with another. */
enum pb_slam_kind {
	PB_SLAM_MATCHED, /* by a match */
	PB_SLAM_DENIED,  /* by a match that contradicts odometry */
	PB_SLAM_GUESSED, /* by odometry */
	PB_SLAM_CUT,     /* by a guess: a new piece begins */
	PB_SLAM_LOOP     /* by a loop */
};

struct pb_slam_mark {
	enum pb_slam_kind kind;
	size_t a, b; /* the scans, a < b */
};

struct pb_slam_report {
	size_t keys;     /* number of key scans */
	size_t lost;     /* key scans placed by odometry, without a match */
	size_t denied;   /* steps whose match contradicts odometry */
	size_t loops;    /* loops closed */
	double loop_off; /* largest final error of a loop (m) */
	size_t pairs;    /* neighbours matched in the last round */
	size_t pieces;   /* pieces connected by guesses only, 1: no guess */
	size_t compared; /* pairs of key scans that see the same */
	size_t contradictions; /* pairs that see through each other's returns */
	double deformation;    /* expected error of the poses (m), see below */
	/* Steps that are no plain match, in order, then loops; for free(). */
	struct pb_slam_mark *mark;
	size_t marks;
};

/*
 * Whether so many scans contradict each other that the poses must be wrong.
 * Some always do, for people walk and there is glass: up to 2.5 % of the pairs
 * of good maps, and more than 7 % of those of bad ones.
 */
bool pb_slam_contradicts(const struct pb_slam_report *r);

/*
 * A map whose expected deformation is larger is refused (m). The expected
 * deformation is the root mean square error of the key scans' places after
 * alignment, sqrt(S + W), from two experiments on the pose graph. In both, a
 * match has the information that is left when that of errors of the normals
 * is taken away: none along the walls of a bare corridor.
 *
 * S: mean over draws of what the solution moves by when each measurement is
 *    redrawn from its covariance (parametric bootstrap: Efron and Tibshirani,
 *    "An Introduction to the Bootstrap", 1993, 6.5).
 * W: what the solution moves by when the wheels count more: what matches
 *    claim without evidence, and wheels deny.
 *
 * Both are squared distances (m2), averaged over the key scans, after
 * alignment with the poses found. An error that matches share, as a loop
 * closed with the wrong place, is in neither.
 */
#define PB_SLAM_DEFORMED 0.15

/*
 * Poses of n scans, the first of which is at `start`.
 *
 * Given    scan  in order of time
 *          odom  n poses in the frame of the wheels
 *          out   room for n poses
 * Returns  PB_OK, out and *report; PB_EVALUE (opts), PB_EEMPTY (no scan),
 *          PB_ENOMEM, PB_ESIZE (scans far too wide), PB_ESTOPPED (by step)
 *          and out untouched
 * Note     the same input gives the same output
 */
enum pb_status pb_slam(const struct pb_slam_opts *o, struct pb_pose start,
    const struct pb_scan *scan, const struct pb_pose *odom, size_t n,
    struct pb_pose *out, struct pb_slam_report *report);

/*
 * A x = b with A symmetric and positive definite, of n by n blocks of which
 * most are zero. The sparsity is given once; then numbers may be entered and
 * the system solved any number of times. Belongs to one thread.
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
 * Solve by Cholesky factors (L D L', block by block); the matrix is
 * overwritten.
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
	struct pb_pose z;       /* measured pose of b in the frame of a */
	double precision[3][3]; /* P: of z in the frame of a, inverse covariance
	                      (1/m2, 1/m, 1/rad2) */
	double soft; /* c of the soft limit; INFINITY: a plain edge */
};

/*
 * Minimise the sum of the edges' errors by the Levenberg-Marquardt method from
 * the given poses; node 0 stays.
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
