/* fuse_list.c - the list of guesses: one of each place, heaviest first. */
#include <math.h>

#include "base/elementary.h"
#include "localize/fuse.h"

/* Guesses nearer than this are one (cells). */
#define SAME 0.35

/* Guesses lighter than this against the heaviest are dropped (log). */
#define LIGHT (-16.0)

int
pb_fuse_find(const struct pb_fuse *f, int n, const struct pb_fuse_guess *q)
{
	for (int j = 0; j < n; j++)
		if (fabs(f->at[j].x[0] - q->x[0]) < SAME &&
		    fabs(f->at[j].x[1] - q->x[1]) < SAME)
			return j;
	return -1;
}

void
pb_fuse_add(struct pb_fuse *f, const struct pb_fuse_guess *q)
{
	int least = 0;

	if (f->n < PB_FUSE_GUESSES) {
		f->at[f->n++] = *q;
		return;
	}
	for (int i = 1; i < f->n; i++)
		if (f->at[i].lw < f->at[least].lw)
			least = i;
	if (q->lw > f->at[least].lw)
		f->at[least] = *q;
}

/* By weight; the list is short and nearly sorted. */
static void
sort(struct pb_fuse *f)
{
	for (int i = 1; i < f->n; i++)
		for (int j = i; j > 0 && f->at[j].lw > f->at[j - 1].lw; j--) {
			struct pb_fuse_guess q = f->at[j];

			f->at[j] = f->at[j - 1];
			f->at[j - 1] = q;
		}
}

void
pb_fuse_tidy(struct pb_fuse *f)
{
	double top, sum = 0;
	int n = 0;

	if (f->n == 0)
		return;
	sort(f);
	top = f->at[0].lw;
	for (int i = 0; i < f->n; i++) {
		struct pb_fuse_guess q = f->at[i];
		double w = pb_exp(q.lw - top);
		int j = pb_fuse_find(f, n, &q);

		if (q.lw - top < LIGHT)
			break;
		sum += w;
		if (j >= 0)
			f->at[j].lw =
			    pb_log(pb_exp(f->at[j].lw - top) + w) + top;
		else
			f->at[n++] = q;
	}
	f->n = n;
	for (int i = 0; i < n; i++)
		f->at[i].lw -= top + pb_log(sum);
	sort(f);
}
