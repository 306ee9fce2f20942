/* slam_loops.c - old places that a robot came back to: found and judged. */
#include "localize/slam_work.h"

#include <math.h>
#include <stdlib.h>

#include "base/pool.h"
#include "base/elementary.h"
#include "localize/slam.h"

/* Keys on either side of an old one, and before the new one, that count. */
#define OLD_SIDE 15
#define NEW_SIDE 10

/* A loop is worth closing if the way along the graph is so much longer. */
#define WAY_LEAST 10.0 /* (m) */
#define WAY_TIMES 2.0

/* How far to look: at least, and at most (m, rad). */
#define LOOP_LOOK_LEAST 0.7
#define LOOK_MOST       8.0
#define LOOP_TURN_LEAST 0.15
#define TURN_PER_WAY    0.01
#define TURN_MOST       0.7

/* What a deviation of the guess, a third of the look, costs of a score. */
#define LOOP_WEIGHT 0.05

/* The share of points that a loop needs grows by this with the look. */
#define DOUBT 0.15

/* A place so far from the best one (m), or turned so much where all headings
 * are searched (rad), must score lower by this margin. */
#define APART      0.6
#define APART_TURN 0.3
#define MARGIN     0.06

#define LOOP_TURN_AT 10.0 /* angles move a point here by a cell (m) */
#define RADIAN       0.5  /* a turn counts as so much way (m/rad) */
#define CUT_WAY      1e3  /* ... and the begin of a piece (m) */
#define PIECE_LEAST  4    /* keys of a piece that may be joined */
#define PIECE_EAGER  30 /* after so many of them all headings cost too much: */
#define PIECE_EVERY  5  /* each of so many is looked for */

/* Two ties of a piece have so many keys between them, and agree if they are
 * off by less than that (m, rad). */
#define TIE_STEPS 5
#define TIE_OFF   0.5
#define TIE_TURN  0.1
#define SOLVE     20

static double
length(const struct pb_slam *w, const struct pb_edge *e)
{
	return pb_hypot(e->z.x, e->z.y) + RADIAN * fabs(e->z.th) +
	       (pb_slam_guessed(w, e) ? CUT_WAY : 0);
}

static bool
relax(const struct pb_slam *w, const struct pb_edge *e)
{
	double d = length(w, e), *dist = w->dist;

	if (dist[e->a] + d < dist[e->b]) {
		dist[e->b] = dist[e->a] + d;
		return true;
	}
	if (dist[e->b] + d < dist[e->a]) {
		dist[e->a] = dist[e->b] + d;
		return true;
	}
	return false;
}

/*
 * The shortest way along the graph from key k to all others, by Bellman and
 * Ford, sweeping to and fro. Edges lie along
 * the way of the robot but for loops, so that a few sweeps do.
 */
static void
find_ways(struct pb_slam *w, int k)
{
	bool changed = true;

	for (int j = 0; j < w->keys; j++)
		w->dist[j] = INFINITY;
	w->dist[k] = 0;
	while (changed) {
		changed = false;
		for (size_t e = w->edges; e > 0; e--)
			changed |= relax(w, &w->edge[e - 1]);
		for (size_t e = 0; e < w->edges; e++)
			changed |= relax(w, &w->edge[e]);
	}
}

/* How far off key j may be, seen from the newest (m). */
static double
look(const struct pb_slam *w, int j)
{
	return fmin(LOOP_LOOK_LEAST + w->o->drift * w->dist[j], LOOK_MOST);
}

/* How far its heading may be off. */
static double
turn_of(const struct pb_slam *w, int j)
{
	return w->dist[j] >= CUT_WAY
	           ? PB_PI
	           : fmin(LOOP_TURN_LEAST + TURN_PER_WAY * w->dist[j],
			 TURN_MOST);
}

/* The last of the keys about key j that the newest is matched with. */
static int
until(const struct pb_slam *w, int j)
{
	int k = w->keys - 1, last = j;

	while (last < j + OLD_SIDE && last < k - w->o->local &&
	       w->key[last + 1].first == w->key[j].first)
		last++;
	return last;
}

static bool
worth(const struct pb_slam *w, int j, double d)
{
	return d < look(w, j) + 1 && w->dist[j] > WAY_LEAST + WAY_TIMES * d;
}

/* Whether nothing but guesses leads from the newest key to key j. */
static bool
astray(const struct pb_slam *w, int j)
{
	return w->dist[j] >= CUT_WAY;
}

/* Move the piece of the newest key to where t has it. */
static void
move_piece(struct pb_slam *w, const struct pb_slam_tie *t)
{
	struct pb_pose at = w->pose[t->b];
	struct pb_pose to = pb_pose_compose(w->pose[t->a], t->fit.pose);

	for (int i = w->key[t->b].first; i < w->keys; i++)
		w->pose[i] = pb_pose_compose(to, pb_pose_into(at, w->pose[i]));
}

/* Whether two ties with new scans between them say the same. */
static bool
agree(const struct pb_slam *w, const struct pb_slam_tie *t,
    const struct pb_slam_tie *u)
{
	struct pb_pose p = pb_pose_compose(w->pose[u->a], u->fit.pose);
	struct pb_pose q =
	    pb_pose_compose(pb_pose_compose(w->pose[t->a], t->fit.pose),
		pb_slam_between(w, t->b, u->b));

	return u->b - t->b >= TIE_STEPS && pb_pose_dist(p, q) < TIE_OFF &&
	       fabs(pb_wrap(p.th - q.th)) < TIE_TURN;
}

/*
 * The piece of the newest key may belong where t says. It does when an earlier
 * tie has said so: places look alike, but not all along a way.
 */
static enum pb_status
tie(struct pb_slam *w, const struct pb_slam_tie *t, bool *closed)
{
	const struct pb_slam_tie *u = NULL;
	int first = w->key[t->b].first;
	enum pb_status st;

	for (int i = 0; i < w->ties && i < PB_SLAM_TIES; i++)
		if (w->tie[i].b >= first && agree(w, &w->tie[i], t))
			u = &w->tie[i];
	if (u == NULL) {
		w->tie[w->ties % PB_SLAM_TIES] = *t;
		w->ties++;
		return PB_OK;
	}
	*closed = w->joined[first] = true;
	w->report->loops += 2;
	move_piece(w, t);
	st = pb_slam_fit_edge(w, u->a, u->b, &u->fit, INFINITY);
	return st == PB_OK ? pb_slam_fit_edge(w, t->a, t->b, &t->fit, INFINITY)
	                   : st;
}

/*
 * Gather points of key k and of those before it, in the frame of k, thinned
 * out, in w->gathered.
 *
 * Returns  how many
 */
static size_t
gather(struct pb_slam *w, int k)
{
	int first = pb_slam_from(w, k, NEW_SIDE);
	size_t all = 0, seen = 0, n = 0;

	for (int j = first; j <= k; j++)
		all += w->key[j].n;
	w->gathered_far = 0;
	for (int j = first; j <= k; j++) {
		struct pb_pose f = pb_slam_between(w, k, j);

		for (size_t i = 0; i < w->key[j].n; i++) {
			if (seen++ * PB_SLAM_GATHER / (all + 1) < n)
				continue;
			w->gathered[n] = pb_point_from(f, w->key[j].point[i]);
			w->gathered_far = fmax(w->gathered_far,
			    pb_dist(w->gathered[n].at, (struct pb_vec){0, 0}));
			n++;
		}
	}
	return n;
}

/* Try to close a loop between key j and the newest. */
static enum pb_status
attempt(struct pb_slam *w, int j, bool *closed)
{
	int k = w->keys - 1;
	int first = pb_slam_from(w, j, OLD_SIDE), last = until(w, j);
	struct pb_pose guess = pb_slam_between(w, j, k), pose, other;
	double r = look(w, j), score, second;
	struct pb_match_window win = {.x = r,
	    .y = r,
	    .th = turn_of(w, j),
	    .turn = w->loop.cell / LOOP_TURN_AT,
	    .spread = r / 3,
	    .spread_th = INFINITY,
	    .weight = LOOP_WEIGHT};
	size_t n = gather(w, k);
	const struct pb_slam_view view = {
	    j, first, last, pb_pose_vec(guess), w->gathered_far + r};
	struct pb_fit fit;
	enum pb_status st = pb_slam_draw(w, &view, 7, &w->loop);

	if (st != PB_OK)
		return st;
	st = pb_match_search(&w->loop, w->gathered, n, guess, &win,
	    w->o->loop_score, &pose, &score);
	if (st != PB_OK)
		return st == PB_ENOENT ? PB_OK : st;
	fit = pb_match_lines(
	    &w->loop, w->gathered, n, pose, PB_SLAM_NEAR, PB_SLAM_STEPS);
	if (fit.share < w->o->loop_share + DOUBT * r / LOOK_MOST)
		return PB_OK;
	second = score - MARGIN;
	win.avoid = pose;
	win.apart = APART;
	win.apart_th = astray(w, j) ? APART_TURN : INFINITY;
	st = pb_match_search(
	    &w->loop, w->gathered, n, guess, &win, second, &other, &second);
	if (st != PB_ENOENT)
		return st;
	if (astray(w, j))
		return tie(w, &(struct pb_slam_tie){j, k, fit}, closed);
	*closed = true;
	w->report->loops++;
	return pb_slam_fit_edge(w, j, k, &fit, INFINITY);
}

/* So many keys of a piece must be known before it is looked for. */
static int
least_of(const struct pb_slam *w, int k)
{
	return w->joined[w->key[k].first] ? 1 : PIECE_LEAST;
}

/* Whether the piece of key k is looked for once more. */
static bool
due(const struct pb_slam *w, int k)
{
	int n = k - w->key[k].first;

	return n <= PIECE_EAGER || n % PIECE_EVERY == 0;
}

enum pb_status
pb_slam_close(struct pb_slam *w)
{
	int k = w->keys - 1, end = k - w->o->local;
	bool closed = false;
	struct pb_vec at = pb_pose_vec(w->pose[k]);

	if (end <= 0 || k - w->key[k].first + 1 < least_of(w, k))
		return PB_OK;
	find_ways(w, k);
	for (int j = 0; j < end; j++) {
		int best = -1;
		double least = INFINITY;
		enum pb_status st;

		/* The nearest of a row of keys that are worth it. */
		for (; j < end; j++) {
			double d = pb_dist(at, pb_pose_vec(w->pose[j]));

			if (!worth(w, j, d))
				break;
			if (d < least) {
				least = d;
				best = j;
			}
		}
		if (best < 0 || (astray(w, best) && !due(w, k)))
			continue;
		st = attempt(w, best, &closed);
		if (st != PB_OK)
			return st;
	}
	return closed ? pb_posegraph_solve(
			    w->pose, w->keys, w->edge, w->edges, SOLVE, NULL)
	              : PB_OK;
}

void
pb_slam_find_pieces(struct pb_slam *w)
{
	for (int k = 0; k < w->keys; k++)
		w->piece[k] = k;
	for (size_t i = 0; i < w->firm; i++) {
		const struct pb_edge *e = &w->edge[i];

		if (!pb_slam_guessed(w, e))
			w->piece[pb_root(w->piece, e->b)] =
			    pb_root(w->piece, e->a);
	}
	for (int k = 0; k < w->keys; k++) {
		w->report->pieces += w->piece[k] == k;
		w->piece[k] = pb_root(w->piece, k);
	}
}

double
pb_slam_loops_off(const struct pb_slam *w)
{
	double most = 0;

	for (size_t i = 0; i < w->firm; i++) {
		const struct pb_edge *e = &w->edge[i];

		if (e->b - e->a >= w->o->local)
			most = fmax(most,
			    pb_pose_dist(e->z, pb_slam_between(w, e->a, e->b)));
	}
	return most;
}

#define NEIGHBOURS   4.0  /* between neighbours, at most (m) */
#define MOST         12   /* partners of a key, at most */
#define NEAR         0.15 /* of points to lines (m) */
#define STEPS        15
#define SHARE        0.3  /* of points near lines that make a pair */
#define SHIFT        0.15 /* a match moves a pair by less (m) ... */
#define TURN         0.1  /* ... and turns it by less (rad) */
#define SOFT         1.0  /* deviations beyond which an edge is doubted */
#define REFINE_STEPS 30
/* Keys on either side that other scans are matched with. */
#define NEAR_SIDE 12

/* A partner of a key. */
struct partner {
	double d; /* (m) */
	int key;
};

static int
nearer(const void *a, const void *b)
{
	const struct partner *p = a, *q = b;

	if (p->d != q->d)
		return p->d < q->d ? -1 : 1;
	return (p->key > q->key) - (p->key < q->key);
}

/* The keys before k that are nearest to it. */
static int
partners(const struct pb_slam *w, int k, struct partner *out)
{
	struct pb_vec at = pb_pose_vec(w->pose[k]);
	int n = 0;

	for (int j = 0; j < k; j++) {
		double d = pb_dist(at, pb_pose_vec(w->pose[j]));

		if (d <= NEIGHBOURS && w->piece[j] == w->piece[k])
			out[n++] = (struct partner){d, j};
	}
	qsort(out, (size_t)n, sizeof(*out), nearer);
	return n < MOST ? n : MOST;
}

static bool
believable(const struct pb_fit *f, struct pb_pose guess)
{
	return f->share >= SHARE &&
	       pb_hypot(f->pose.x - guess.x, f->pose.y - guess.y) < SHIFT &&
	       fabs(pb_wrap(f->pose.th - guess.th)) < TURN;
}

/* Match the partners of key k with it. */
static enum pb_status
match_key(struct pb_slam *w, int k, struct partner *p)
{
	const struct pb_slam_view view = {k, k, k, {0, 0}, w->key[k].far + 1};
	int n = partners(w, k, p);
	enum pb_status st;

	if (n == 0)
		return PB_OK;
	st = pb_slam_draw(w, &view, 1, &w->local);
	for (int i = 0; st == PB_OK && i < n; i++) {
		const struct pb_slam_key *q = &w->key[p[i].key];
		struct pb_pose guess = pb_slam_between(w, k, p[i].key);
		struct pb_fit f = pb_match_lines(
		    &w->local, q->point, q->n, guess, NEAR, STEPS);

		if (!believable(&f, guess))
			continue;
		w->report->pairs++;
		st = pb_slam_fit_edge(w, k, p[i].key, &f, SOFT);
	}
	return st;
}

enum pb_status
pb_slam_refine(struct pb_slam *w)
{
	struct partner *p = malloc((size_t)w->keys * sizeof(*p));
	enum pb_status st = PB_OK;

	if (p == NULL)
		return PB_ENOMEM;
	w->report->pairs = 0;
	w->edges = w->firm;
	for (int k = 0; st == PB_OK && k < w->keys; k++) {
		st = pb_slam_tell(w, w->key[k].scan);
		if (st == PB_OK)
			st = match_key(w, k, p);
	}
	free(p);
	if (st != PB_OK)
		return st;
	return pb_posegraph_solve(
	    w->pose, w->keys, w->edge, w->edges, REFINE_STEPS, NULL);
}

/* Keys are compared that see such a share of each other's returns; so many of
 * those before a key, spread out over them. At right poses one pair of a
 * hundred contradicts so much, for people walk and there is glass. */
#define SEEN        0.22
#define COMPARED    24
#define CONTRADICTS 0.3

/* Whether scans of keys a and b can be compared. */
static bool
near(const struct pb_slam *w, int a, int b)
{
	return w->piece[a] == w->piece[b] &&
	       pb_dist(pb_pose_vec(w->pose[a]), pb_pose_vec(w->pose[b])) <=
	           NEIGHBOURS;
}

static void
compare(struct pb_slam *w, int k)
{
	int n = 0, i = 0;

	for (int j = 0; j < k; j++)
		n += near(w, j, k);
	for (int j = 0; j < k; j++) {
		struct pb_match_sight s;

		if (!near(w, j, k) || i++ % (n / COMPARED + 1) != 0)
			continue;
		s = pb_slam_sight(w, j, k, pb_slam_between(w, j, k));
		if (s.seen < SEEN)
			continue;
		w->report->compared++;
		w->report->contradictions += s.through > CONTRADICTS;
	}
}

void
pb_slam_compare(struct pb_slam *w)
{
	for (int k = 0; k < w->keys; k++)
		compare(w, k);
}

/*
 * Where the wheels say that scan i was, in the frame of key k, with the share
 * of what they are off by at the next key that has come up by then.
 */
static struct pb_pose
spread_out(const struct pb_slam *w, int k, size_t i)
{
	struct pb_pose rel = w->other[i].rel, end, off;
	size_t from = w->key[k].scan, to;
	double f;

	if (w->odom == NULL || k + 1 >= w->keys || w->key[k + 1].first == k + 1)
		return rel;
	to = w->key[k + 1].scan;
	end = pb_pose_into(w->odom[from], w->odom[to]);
	off = pb_pose_into(end, pb_slam_between(w, k, k + 1));
	f = (double)(i - from) / (double)(to - from);
	off = (struct pb_pose){f * off.x, f * off.y, f * off.th};
	return pb_pose_compose(rel, off);
}

/* Match the scans between key k and the next with what lies about them. */
static enum pb_status
settle(struct pb_slam *w, int k, struct pb_point *p)
{
	size_t i = w->key[k].scan + 1;
	size_t end = k + 1 < w->keys ? w->key[k + 1].scan : w->n;
	int first = k > NEAR_SIDE ? k - NEAR_SIDE : 0;
	int last = k + NEAR_SIDE < w->keys ? k + NEAR_SIDE : w->keys - 1;
	const struct pb_slam_view view = {
	    k, first, last, {0, 0}, w->key[k].far + 1, NEIGHBOURS};
	enum pb_status st = pb_slam_tell(w, w->key[k].scan);

	if (st == PB_OK && i < end)
		st = pb_slam_draw(w, &view, 1, &w->local);
	for (; st == PB_OK && i < end; i++) {
		struct pb_pose guess = spread_out(w, k, i);
		struct pb_fit f;
		size_t n;

		if (w->other[i].key != k)
			continue;
		n = pb_returns(&w->scan[i], w->o->reach, p);
		f = pb_match_lines(&w->local, p, n, guess, NEAR, STEPS);
		w->other[i].rel = believable(&f, guess) ? f.pose : guess;
	}
	return st;
}

enum pb_status
pb_slam_settle(struct pb_slam *w)
{
	struct pb_point *p = w->point + w->points;
	enum pb_status st = PB_OK;

	for (int k = 0; st == PB_OK && k < w->keys; k++)
		st = settle(w, k, p);
	return st;
}
