/* benchkills.c - a benchmark's table of who killed the player. */
#include "view/benchkills.h"

#include <math.h>
#include <string.h>

#include "policy/rules.h"

/* The name of killer i, or its number from 1. */
static const char *
name_of(const struct pb_summary *m, int i, char number[16])
{
	const struct pb_rules *r = pb_rules_find(m->key.rules);

	if (r != NULL && r->killer != NULL)
		return r->killer[i];
	snprintf(number, 16, "%d", i + 1);
	return number;
}

static long
deaths(const struct pb_summary *m)
{
	long n = 0;

	for (int i = 0; i < m->killers; i++)
		n += m->killed[i];
	return n;
}

/*
 * Deaths of one trial are not independent: there is no more to go by than there
 * are trials.
 */
static struct pb_interval
share_interval(const struct pb_summary *m, long n, long all, double confidence)
{
	double known = m->n < all ? (double)m->n : (double)all;

	if (m->sequential)
		return (struct pb_interval){NAN, NAN};
	return pb_rate_interval(
	    known * (double)n / (double)all, known, confidence);
}

static void
put_killer(struct pb_table *t, const struct pb_bench_view *v,
    struct pb_bench_keys k, const struct pb_summary *m, int i)
{
	char number[16];
	long all = deaths(m), n = m->killed[i];

	pb_bench_put(t, k, m, m->key.policy);
	if (k.trials)
		pb_table_putf(t, "%ld", m->n);
	pb_table_put(t, name_of(m, i, number));
	pb_table_putf(t, "%ld", n);
	if (all == 0) {
		pb_table_put(t, "");
		pb_table_put(t, "");
		return;
	}
	pb_table_putf(t, "%.1f", 100.0 * (double)n / (double)all);
	pb_bench_range(
	    t, share_interval(m, n, all, v->confidence), 100, "%.1f");
}

enum pb_status
pb_bench_print_kills(
    const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
{
	static const char *const heads[] = {"killer", "kills", "% of them", ""};
	struct pb_table *t;
	int all = 0;

	for (int i = 0; i < v->summaries; i++)
		all += v->summary[i].killers;
	if (all == 0)
		return PB_OK;
	t = pb_bench_table(k, k.trials ? "rlrrl" : "lrrl");
	if (!t)
		return PB_ENOMEM;
	pb_bench_heads(t, k);
	if (k.trials)
		pb_table_put(t, "trials");
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		pb_table_put(t, heads[i]);
	for (int i = 0; i < v->summaries; i++)
		for (int j = 0; j < v->summary[i].killers; j++)
			put_killer(t, v, k, &v->summary[i], j);
	return pb_bench_finish(t, v, "Who killed", f);
}
