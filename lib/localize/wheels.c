/* wheels.c - check odometry by the motion between scans. */
#include "localize/wheels.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/pool.h"
#include "pb/stats.h"

/* A step ends at this distance, this turn, or this many scans. */
#define STEP       0.3 /* distance of a step (m) */
#define TURN       0.3 /* turn of a step (rad) */
#define STEP_SCANS 5

/* Longer steps have too little overlap. */
#define STEP_MOST 1.5 /* longest step (m) */
#define TURN_MOST 1.0 /* largest turn (rad) */

/* The first STEPS_ALL steps are all matched, later ones ever fewer. */
#define STEPS_ALL 200

#define REACH  12.0 /* returns beyond are not matched (m) */
#define POINTS 40   /* scans with fewer returns are not matched */
#define CELL   0.05 /* side of a matching cell (m) */
#define SIGMA  0.1  /* scale of nearness (m) */

/* Tolerances of odometry: (m), share of the step, (rad). */
#define OFF       0.1
#define OFF_SHARE 0.15
#define OFF_TURN  0.08

/* The search window exceeds the step by (m, rad). */
#define WINDOW_MORE      0.4
#define WINDOW_MORE_TURN 0.3

/* Most steps of least squares. */
#define FIT_STEPS 20

/* Less motion of odometry is a standstill (m, rad). */
#define STILL 0.05

/* This many scans in a row that show motion at standstill are a fault. */
#define MOVED_LEAST 4

/* Longest gap between those scans (s). */
#define RUN_GAP 20

/* Least mean nearness of a match (0..1), and how much better another place must
 * match to contradict odometry. */
#define SCORE_LEAST 0.55
#define MARGIN      0.12

/* Least share of points whose normals determine a direction. */
#define DIRECTION_SHARE 0.08

/* A step counts as backwards if scans show more than this share of its length
 * against the direction of odometry. */
#define BACK 0.9

void
pb_wheels_clear(struct pb_wheels *w)
{
	pb_target_clear(&w->key);
	free(w->point);
	free(w->travel.at);
	free(w->straight.at);
	free(w->turn.at);
	free(w->heading.at);
	*w = (struct pb_wheels){.has_key = false};
}

bool
pb_wheels_add(struct pb_wheels_list *l, double v)
{
	if (!pb_grow(&l->at, l->n, &l->room, sizeof(*l->at)))
		return false;
	l->at[l->n++] = v;
	return true;
}

double
pb_wheels_quantile(struct pb_wheels_list *l, size_t least, double p)
{
	if (l->n < least || l->n == 0)
		return NAN;
	pb_sort(l->at, l->n);
	return pb_quantile(l->at, l->n, p);
}

/* Make the scan's n points the key that later scans are matched with. */
static enum pb_status
draw_key(struct pb_wheels *w, size_t n, struct pb_pose odom)
{
	const double side = STEP_MOST + WINDOW_MORE;
	struct pb_vec lo = {0, 0}, hi = {0, 0};
	enum pb_status st;

	w->has_key = false;
	w->since = 0;
	if (n < POINTS)
		return PB_OK;
	for (size_t i = 0; i < n; i++) {
		struct pb_vec v = w->point[i].at;

		lo = (struct pb_vec){fmin(lo.x, v.x), fmin(lo.y, v.y)};
		hi = (struct pb_vec){fmax(hi.x, v.x), fmax(hi.y, v.y)};
	}
	lo = (struct pb_vec){lo.x - side, lo.y - side};
	hi = (struct pb_vec){hi.x + side, hi.y + side};
	if (w->key.cell == 0)
		w->key = pb_target_empty(CELL, SIGMA);
	st = pb_target_begin(&w->key, lo, hi, n);
	if (st == PB_ESIZE)
		return PB_OK;
	if (st != PB_OK)
		return st;
	pb_target_add(&w->key, (struct pb_pose){0, 0, 0}, w->point, n);
	w->odom = odom;
	w->has_key = true;
	return pb_target_finish(&w->key);
}

/* Compare fit f with a step d of odometry. */
static bool
check_step(struct pb_wheels *w, const struct pb_fit *f, struct pb_pose d)
{
	double way = pb_hypot(d.x, d.y), len = pb_hypot(f->pose.x, f->pose.y);
	double x = (f->pose.x * d.x + f->pose.y * d.y) / way;
	double y = (f->pose.y * d.x - f->pose.x * d.y) / way;
	bool far = len >= STEP / 3, turns = fabs(d.th) >= TURN / 2;
	/* Direction of motion by scans; by odometry if scans stand still. */
	double ux = far ? f->pose.x / len : d.x / way;
	double uy = far ? f->pose.y / len : d.y / way;
	double xx = f->precision[0][0], xy = f->precision[0][1];
	double yy = f->precision[1][1], least = DIRECTION_SHARE * (double)f->n;
	bool along = ux * ux * xx + 2 * ux * uy * xy + uy * uy * yy >= least;
	bool across = uy * uy * xx - 2 * ux * uy * xy + ux * ux * yy >= least;

	if (turns && !pb_wheels_add(&w->turn, f->pose.th / d.th))
		return false;
	if (way < STEP / 2 || !along)
		return true;
	way = (x < -BACK * len ? -len : len) / way;
	if (!pb_wheels_add(&w->travel, way) ||
	    (!turns && !pb_wheels_add(&w->straight, way)))
		return false;
	return turns || !across || !far ||
	       pb_wheels_add(&w->heading, pb_atan2(y, x));
}

/* At a standstill, record whether scans show motion; else the key stays. */
static void
check_standstill(struct pb_wheels *w, bool moved, double t)
{
	w->still++;
	w->holds = !moved;
	if (!moved)
		return;
	w->moved++;
	if (w->run == 0 || t - w->run_last > RUN_GAP) {
		w->run = 0;
		w->run_first = t;
	}
	w->run_last = t;
	if (++w->run == MOVED_LEAST && !w->stuck) {
		w->stuck = true;
		w->stuck_at = w->run_first;
	}
}

/* Match n points with the key, d of odometry later. */
static enum pb_status
match_step(struct pb_wheels *w, size_t n, struct pb_pose d, double t)
{
	double way = pb_hypot(d.x, d.y), far = 1;
	struct pb_match_window win = {
	    .spread = INFINITY, .spread_th = INFINITY};
	struct pb_pose near = d, wide = {0, 0, 0};
	double near_score = 0, score = 0;
	enum pb_status st;
	struct pb_fit f;
	bool still = way < STILL && fabs(d.th) < STILL, differs;

	for (size_t i = 0; i < n; i++)
		far = fmax(far, pb_hypot(w->point[i].at.x, w->point[i].at.y));
	win.turn = CELL / far;
	win.x = win.y = OFF + OFF_SHARE * way;
	win.th = OFF_TURN + OFF_SHARE * fabs(d.th);
	st = pb_match_search(
	    &w->key, w->point, n, d, &win, 0, &near, &near_score);
	if (st != PB_OK && st != PB_ENOENT)
		return st;
	win.x = win.y = way + WINDOW_MORE;
	win.th = fabs(d.th) + WINDOW_MORE_TURN;
	st = pb_match_search(&w->key, w->point, n, (struct pb_pose){0, 0, 0},
	    &win, near_score, &wide, &score);
	if (st != PB_OK && st != PB_ENOENT)
		return st;
	differs = score > near_score + MARGIN;
	if (still)
		check_standstill(w, differs || near_score < SCORE_LEAST, t);
	else
		w->run = 0;
	w->blank += !still && fmax(score, near_score) < SCORE_LEAST;
	if (still || fmax(score, near_score) < SCORE_LEAST)
		return PB_OK;
	if (differs && w->differ++ == 0)
		w->first = t;
	w->agree += !differs;
	f = pb_match_lines(
	    &w->key, w->point, n, differs ? wide : near, 2 * SIGMA, FIT_STEPS);
	return f.n < POINTS || check_step(w, &f, d) ? PB_OK : PB_ENOMEM;
}

enum pb_status
pb_wheels_scan(
    struct pb_wheels *w, struct pb_pose odom, double t, const struct pb_scan *z)
{
	struct pb_pose d = pb_pose_into(w->odom, odom);
	double way = pb_hypot(d.x, d.y);
	enum pb_status st = PB_OK;
	size_t n, step;

	w->since++;
	w->holds = false;
	if (w->has_key && way < STEP && fabs(d.th) < TURN &&
	    w->since < STEP_SCANS)
		return PB_OK;
	if (w->room < z->n) {
		struct pb_point *p = realloc(w->point, z->n * sizeof(*p));

		if (p == NULL)
			return PB_ENOMEM;
		w->point = p;
		w->room = z->n;
	}
	n = pb_returns(z, REACH, w->point);
	if (w->has_key && n >= POINTS && way < STEP_MOST &&
	    fabs(d.th) < TURN_MOST) {
		step = w->steps++;
		if (step % (step / STEPS_ALL + 1) == 0)
			st = match_step(w, n, d, t);
	}
	if (w->holds)
		w->since = 0;
	return st == PB_OK && !w->holds ? draw_key(w, n, odom) : st;
}

/* Least number of steps, and of values of a median. */
#define STEPS_LEAST 10

/* Where the fault is not plain, more values, and more wrong ones, are needed:
 * with fewer values the median must be off by PLAINLY times as much. */
#define VALUES_LEAST 20
#define PLAINLY      3
#define SLIPS_LEAST  6

/*
 * What counts as a fault: a share of steps that slip, a median scale so far
 * from 1, a median error of heading. Seven logs with right odometry reach 0.05,
 * 0.03 and 0.02 rad; of their 118 pieces of 60 scans 2 are wrongly called
 * faulty.
 */
#define SLIP_SOME   0.15
#define SLIP_MOST   0.5
#define SCALE_OFF   0.08
#define HEADING_OFF 0.12 /* (rad) */

/* Quantile p, NAN with too few values. */
static double
quantile(struct pb_wheels_list *l, double p)
{
	return pb_wheels_quantile(l, STEPS_LEAST, p);
}

/*
 * If the interquartile range exceeds this share of the median (or of 1), the
 * values have no common cause. At most .17 on seven logs; .6 to 1.3 where
 * stamps of scans and odometry are 0.5 or 1 s apart.
 */
#define SCATTER_MOST 0.4

/* Whether the median is above v by more than `by` (PLAINLY times that for few
 * values), and three quarters of the values by more than half; or below v. */
static bool
is_off(struct pb_wheels_list *l, double v, double by)
{
	double far = l->n >= VALUES_LEAST ? by : PLAINLY * by;
	double low = quantile(l, 0.25), high = quantile(l, 0.75);
	double median = quantile(l, 0.5);

	return high - low < SCATTER_MOST * fmax(1, fabs(median)) &&
	       ((low > v + far / 2 && median > v + far) ||
		   (high < v - far / 2 && median < v - far));
}

/* Odometry is reversed if it runs backwards over this share of the path. */
#define REVERSED 0.3

static enum pb_wheels_fault
find_fault(struct pb_wheels *w, double share)
{
	bool off, plain;

	if (share > SLIP_MOST && quantile(&w->turn, 0.5) < -REVERSED)
		return PB_WHEELS_TURNS;
	if (share > SLIP_MOST && quantile(&w->travel, 0.5) < -REVERSED)
		return PB_WHEELS_BACK;
	if (is_off(&w->heading, 0, HEADING_OFF))
		return PB_WHEELS_YAW;
	/* A wrong mount of the scanner shows in turns only. */
	off = is_off(&w->travel, 1, SCALE_OFF);
	if (off && fabs(quantile(&w->straight, 0.5) - 1) < SCALE_OFF)
		return PB_WHEELS_PLACE;
	plain = w->travel.n < VALUES_LEAST ||
	        is_off(&w->travel, 1, PLAINLY * SCALE_OFF);
	if ((off && (plain || w->straight.n >= STEPS_LEAST)) ||
	    is_off(&w->turn, 1, SCALE_OFF))
		return PB_WHEELS_SCALE;
	if (share > SLIP_SOME && w->differ >= SLIPS_LEAST)
		return w->heading.n < STEPS_LEAST ? PB_WHEELS_UNCLEAR
		                                  : PB_WHEELS_SLIP;
	return off || w->blank > w->agree || w->travel.n < VALUES_LEAST ||
	               w->heading.n < STEPS_LEAST
	           ? PB_WHEELS_UNKNOWN
	           : PB_WHEELS_RIGHT;
}

struct pb_wheels_report
pb_wheels_diagnose(struct pb_wheels *w)
{
	struct pb_wheels_report r = {.steps = w->agree + w->differ,
	    .differ = w->differ,
	    .blank = w->blank,
	    .first = w->differ > 0 ? w->first : NAN,
	    .travel = quantile(&w->travel, 0.5),
	    .turn = quantile(&w->turn, 0.5),
	    .heading = quantile(&w->heading, 0.5)};
	double share = (double)r.differ / fmax(1, (double)r.steps);

	if (w->stuck)
		return (struct pb_wheels_report){.fault = PB_WHEELS_STILL,
		    .fatal = true,
		    .steps = w->still,
		    .differ = w->moved,
		    .first = w->stuck_at,
		    .travel = NAN,
		    .turn = NAN,
		    .heading = NAN};
	if (r.steps >= STEPS_LEAST)
		r.fault = find_fault(w, share);
	r.fatal = share > SLIP_MOST && r.steps >= STEPS_LEAST / 2;
	return r;
}
