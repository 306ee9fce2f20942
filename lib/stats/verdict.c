/* verdict.c - what sequential tests say of a tally's trials. */
#include <stdlib.h>
#include <string.h>

#include "stats/report.h"
#include "stats/tally_state.h"

/* The groups that are tested together. */
struct family {
	const struct pb_tally *t;
	int group[PB_SEQ_PLAYERS];
	int n;
	const struct pb_entry **entry; /* of the first, in order of trials */
	struct pb_seq seq;
};

/* Group i and those it is compared with, unless one came before it. */
static bool
gather(struct family *f, int i)
{
	f->n = 0;
	for (int k = 0; k < f->t->groups; k++) {
		if (k != i && !pb_tally_comparable(f->t, i, k))
			continue;
		if (k < i || f->n == PB_SEQ_PLAYERS)
			return false;
		f->group[f->n++] = k;
	}
	return true;
}

/* Feed the trials that all have played. */
static enum pb_status
replay(struct family *f, const struct pb_seq_opts *o)
{
	const struct pb_group *g = &f->t->group[f->group[0]];

	pb_seq_start(&f->seq, o, f->n);
	f->entry = malloc((g->n + 1) * sizeof(*f->entry));
	if (!f->entry)
		return PB_ENOMEM;
	for (size_t i = 0; i < g->n; i++)
		f->entry[i] = &g->entry[i];
	qsort(f->entry, g->n, sizeof(*f->entry), pb_entry_order);
	for (size_t i = 0; i < g->n; i++) {
		bool won[PB_SEQ_PLAYERS], all = true;

		for (int k = 0; all && k < f->n; k++) {
			const struct pb_entry *e =
			    pb_group_find(&f->t->group[f->group[k]],
				f->entry[i]->seed, f->entry[i]->trial);

			all = e != NULL;
			won[k] = e && e->success;
		}
		if (all)
			pb_seq_add(&f->seq, won);
	}
	free(f->entry);
	return PB_OK;
}

static struct pb_verdict
of_sprt(const struct family *f, int i)
{
	const struct pb_sprt *s = &f->seq.sprt[i];

	return (struct pb_verdict){.first = f->group[i],
	    .second = -1,
	    .n = s->n,
	    .k = s->k,
	    .alpha = f->seq.o.alpha,
	    .ratio = pb_sprt_ratio(s),
	    .p = 1,
	    .decision = s->decision};
}

static struct pb_verdict
of_race(const struct family *f, int i, int j)
{
	const struct pb_race *r = pb_seq_race(&f->seq, i, j);

	return (struct pb_verdict){.first = f->group[i],
	    .second = f->group[j],
	    .n = r->n,
	    .k = r->first,
	    .lost = r->second,
	    .alpha = r->alpha,
	    .ratio = r->ratio,
	    .p = pb_race_p(r),
	    .decision = r->decision};
}

static bool
room_for(struct pb_report *r, int more)
{
	struct pb_verdict *v =
	    realloc(r->verdict, (size_t)(r->verdicts + more + 1) * sizeof(*v));

	if (v)
		r->verdict = v;
	return v;
}

static enum pb_status
judge(struct pb_report *r, struct family *f, const struct pb_seq_opts *o)
{
	enum pb_status s = replay(f, o);

	if (s != PB_OK || !room_for(r, f->n * (f->n + 1) / 2))
		return PB_ENOMEM;
	for (int i = 0; o->sprt && i < f->n; i++)
		r->verdict[r->verdicts++] = of_sprt(f, i);
	for (int i = 0; o->race && i < f->n; i++)
		for (int j = 0; j < i; j++)
			r->verdict[r->verdicts++] = of_race(f, i, j);
	return PB_OK;
}

enum pb_status
pb_report_judge(
    struct pb_report *r, const struct pb_tally *t, const struct pb_seq_opts *o)
{
	struct family *f = malloc(sizeof(*f));
	enum pb_status s = f ? PB_OK : PB_ENOMEM;

	if (f)
		f->t = t;
	for (int i = 0; s == PB_OK && i < t->groups; i++)
		if (gather(f, i))
			s = judge(r, f, o);
	free(f);
	return s;
}
