/* traverse.c - the cells that a straight line crosses. */
#include "map/traverse.h"

#include <math.h>

/* One axis: from a to b, in cells. */
static void
start_axis(double a, double b, int *at, int *step, long *left, double *next,
    double *share)
{
	double from = floor(a), to = floor(b), d = b - a;

	*at = (int)from;
	*step = d > 0 ? 1 : d < 0 ? -1 : 0;
	*left = (long)fabs(to - from);
	*share = *step == 0 ? INFINITY : 1 / fabs(d);
	if (*step == 0)
		*next = INFINITY;
	else
		*next = (*step > 0 ? from + 1 - a : a - from) * *share;
}

struct pb_traverse
pb_traverse_start(struct pb_vec a, struct pb_vec b)
{
	struct pb_traverse w;

	start_axis(
	    a.x, b.x, &w.at.col, &w.step_x, &w.left_x, &w.next_x, &w.share_x);
	start_axis(
	    a.y, b.y, &w.at.row, &w.step_y, &w.left_y, &w.next_y, &w.share_y);
	return w;
}

bool
pb_traverse_next(struct pb_traverse *w)
{
	if (w->left_x > 0 && (w->left_y == 0 || w->next_x <= w->next_y)) {
		w->at.col += w->step_x;
		w->next_x += w->share_x;
		w->left_x--;
	} else if (w->left_y > 0) {
		w->at.row += w->step_y;
		w->next_y += w->share_y;
		w->left_y--;
	} else {
		return false;
	}
	return true;
}
