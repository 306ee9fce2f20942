/* judge.c - how right a localization method is, update by update. */
#include "localize/judge.h"

#include <math.h>

#include "stats/stats.h"

static double
apart(struct pb_pose a, struct pb_pose b)
{
	return pb_dist(pb_pose_vec(a), pb_pose_vec(b));
}

static enum pb_loc_outcome
outcome_of(enum pb_loc_status s, bool right)
{
	if (s == PB_LOC_LOST)
		return PB_LOC_GONE;
	if (s == PB_LOC_AMBIGUOUS)
		return PB_LOC_NOT_YET;
	return right ? PB_LOC_LOCALIZED : PB_LOC_WRONG;
}

static bool
other_cell(const struct pb_loc_judge *j, struct pb_pose a, struct pb_pose b)
{
	const struct pb_vec p = {a.x / j->cell, a.y / j->cell};
	const struct pb_vec q = {b.x / j->cell, b.y / j->cell};
	int row[2], col[2];

	pb_cells_of_xy(p, &row[0], &col[0]);
	pb_cells_of_xy(q, &row[1], &col[1]);
	return row[0] != row[1] || col[0] != col[1];
}

/* The error of the answer, an older one if there is none now. */
static void
measure(struct pb_loc_judge *j, const struct pb_belief *b, struct pb_pose truth)
{
	if (b->n > 0)
		j->answer = b->at[0].pose;
	if (b->n > 0 || j->n > 0)
		j->errors[j->n++] = apart(j->answer, truth);
	if (j->cell > 0)
		j->r.cell += j->n == 0 || other_cell(j, j->answer, truth);
}

void
pb_loc_judge(struct pb_loc_judge *j, const struct pb_belief *b, double t,
    struct pb_pose truth)
{
	struct pb_loc_result *r = &j->r;
	enum pb_loc_status s = b->n > 0 ? b->status : PB_LOC_LOST;
	bool right = false;

	measure(j, b, truth);
	r->error = r->turn = NAN;
	if (b->n > 0) {
		r->error = apart(b->at[0].pose, truth);
		r->turn = fabs(pb_wrap(b->at[0].pose.th - truth.th));
		right = r->error <= j->near && r->turn <= j->near_turn;
	}
	r->outcome = outcome_of(s, right);
	r->updates++;
	r->wrong += r->outcome == PB_LOC_WRONG;
	r->lost += r->outcome == PB_LOC_GONE;
	r->duration = t - j->t0;
	r->way += r->updates > 1 ? apart(j->before, truth) : 0;
	j->before = truth;
	if (r->outcome != PB_LOC_LOCALIZED) {
		r->found = -1;
	} else if (r->found <= 0) {
		r->found = r->updates;
		r->time = r->duration;
	}
}

struct pb_loc_result
pb_loc_judged(struct pb_loc_judge *j)
{
	struct pb_loc_result *r = &j->r;
	size_t n = (size_t)j->n;
	double squares = 0;

	if (r->updates == 0)
		r->outcome = PB_LOC_GONE;
	if (r->found <= 0) {
		r->found = -1;
		r->time = r->duration;
	}
	if (j->cell <= 0)
		r->cell = -1;
	for (size_t i = 0; i < n; i++)
		squares += j->errors[i] * j->errors[i];
	if (n > 0)
		pb_sort(j->errors, n);
	r->mean = n > 0 ? pb_mean(j->errors, n) : NAN;
	r->median = n > 0 ? pb_quantile(j->errors, n, 0.5) : NAN;
	r->rms = n > 0 ? sqrt(squares / (double)n) : NAN;
	return *r;
}
