/* benchtests.c - comparisons and tests of a benchmark as tables. */
#include "view/benchtests.h"

#include <math.h>

/* A p-value to two digits; below what doubles hold it is only a bound. */
static void
put_p(struct pb_table *t, double p)
{
	if (p > 0)
		pb_table_putf(t, "%.2g", p);
	else
		pb_table_put(t, "<1e-300");
}

static void
put_comparison(struct pb_table *t, struct pb_bench_keys k,
    const struct pb_comparison *c, const struct pb_summary *of, const char *who)
{
	pb_bench_put(t, k, of, who);
	pb_table_putf(t, "%ld", c->n);
	pb_table_putf(t, "%ld", c->won.first);
	pb_table_putf(t, "%ld", c->won.second);
	pb_table_putf(t, "%+.1f", 100 * c->rate);
	pb_bench_range(t, c->rate_in, 100, "%+.1f");
	put_p(t, c->p_holm);
	if (k.pellets) {
		pb_table_putf(t, "%+.2f", c->pellets);
		pb_bench_range(t, c->pellets_in, 1, "%+.2f");
	}
}

/* With the headings; NULL without memory. */
static struct pb_table *
comparison_table(struct pb_bench_keys k, const char *first, const char *second)
{
	struct pb_table *t =
	    pb_bench_table(k, k.pellets ? "rrr.lr.l" : "rrr.lr");

	if (!t)
		return NULL;
	pb_bench_heads(t, k);
	pb_table_put(t, "pairs");
	pb_table_put(t, first);
	pb_table_put(t, second);
	pb_table_put(t, "all %");
	pb_table_put(t, "");
	pb_table_put(t, "p");
	if (k.pellets) {
		pb_table_put(t, "pellets");
		pb_table_put(t, "");
	}
	return t;
}

static enum pb_status
print_comparisons(
    const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
{
	struct pb_table *t = comparison_table(k, "only 1st", "only 2nd");
	bool sequential = false;

	for (int i = 0; t && i < v->comparisons; i++) {
		const struct pb_comparison *c = &v->comparison[i];
		const struct pb_summary *a = &v->summary[c->first];
		char who[2 * PB_TRIAL_NAME + 8];

		snprintf(who, sizeof(who), "%s - %s", a->key.policy,
		    v->summary[c->second].key.policy);
		put_comparison(t, k, c, a, who);
		sequential |= c->sequential;
	}
	return pb_bench_finish(t, v,
	    sequential ? "Differences on the same trials (any-time p, Holm)"
		       : "Differences on the same trials (p: exact McNemar, "
			 "Holm)",
	    f);
}

static enum pb_status
print_against(const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
{
	struct pb_table *t = comparison_table(k, "only now", "only then");
	bool sequential = false;

	for (int i = 0; t && i < v->report->againsts; i++) {
		const struct pb_comparison *c = &v->report->against[i];
		const struct pb_summary *a = &v->summary[c->first];

		put_comparison(t, k, c, a, a->key.policy);
		sequential |= c->sequential;
	}
	return pb_bench_finish(t, v,
	    sequential
		? "Differences from the baseline (any-time p, Holm)"
		: "Differences from the baseline (p: exact McNemar, Holm)",
	    f);
}

static void
put_aggregate(
    struct pb_table *t, struct pb_bench_keys k, const struct pb_aggregate *a)
{
	if (k.rules)
		pb_table_put(t, a->key.rules);
	pb_table_put(t, a->key.policy);
	if (k.constants)
		pb_table_put(t, a->key.told[0] ? a->key.told : "usual");
	pb_table_putf(t, "%d", a->strata);
	pb_table_putf(t, "%ld", a->n);
	pb_table_putf(t, "%.1f", 100 * a->rate.value);
	pb_bench_range(t, a->rate.in, 100, "%.1f");
	if (isnan(a->pellets.value)) {
		pb_table_put(t, "");
		pb_table_put(t, "");
	} else {
		pb_table_putf(t, "%.1f", 100 * a->pellets.value);
		pb_bench_range(t, a->pellets.in, 100, "%.1f");
	}
	pb_bench_mean(t, a->time.value, a->time.in, "%.1f");
}

static enum pb_status
print_aggregates(const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
{
	static const char *const heads[] = {
	    "tasks", "trials", "all %", "", "pellets iqm %", "", "mean s", ""};
	struct pb_table *t;

	k.map = k.round = false;
	t = pb_bench_table(k, "rr.l.l.l");
	if (t)
		pb_bench_heads(t, k);
	for (size_t i = 0; t && i < sizeof(heads) / sizeof(*heads); i++)
		pb_table_put(t, heads[i]);
	for (int i = 0; t && i < v->report->aggregates; i++)
		put_aggregate(t, k, &v->report->aggregate[i]);
	return pb_bench_finish(t, v, "All maps and rounds together", f);
}

static const char *
say(const struct pb_bench_view *v, const struct pb_verdict *d)
{
	switch (d->decision) {
	case PB_HIGH:
		return d->second < 0 ? "p1 or more"
		                     : v->summary[d->first].key.policy;
	case PB_LOW:
		return d->second < 0 ? "p0 or less"
		                     : v->summary[d->second].key.policy;
	case PB_OPEN:
		break;
	}
	return "open";
}

static enum pb_status
print_verdicts(const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
{
	struct pb_table *t = pb_bench_table(k, "lrr");

	if (t) {
		pb_bench_heads(t, k);
		pb_table_put(t, "decision");
		pb_table_put(t, "after trials");
		pb_table_put(t, "ratio");
	}
	for (int i = 0; t && i < v->report->verdicts; i++) {
		const struct pb_verdict *d = &v->report->verdict[i];
		const struct pb_summary *a = &v->summary[d->first];
		char who[2 * PB_TRIAL_NAME + 8];

		snprintf(who, sizeof(who), "%s%s%s", a->key.policy,
		    d->second < 0 ? "" : " - ",
		    d->second < 0 ? "" : v->summary[d->second].key.policy);
		pb_bench_put(t, k, a, who);
		pb_table_put(t, say(v, d));
		pb_table_putf(t, "%ld", d->n);
		pb_table_putf(t, "%.3g", d->ratio);
	}
	return pb_bench_finish(t, v, "Sequential tests", f);
}

enum pb_status
pb_bench_print_tests(
    const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
{
	const struct pb_report *r = v->report;
	enum pb_status s = PB_OK;

	if (r->aggregates)
		s = print_aggregates(v, k, f);
	if (s == PB_OK && v->comparisons)
		s = print_comparisons(v, k, f);
	if (s == PB_OK && r->againsts)
		s = print_against(v, k, f);
	if (s == PB_OK && r->verdicts)
		s = print_verdicts(v, k, f);
	return s;
}
