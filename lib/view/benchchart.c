/* benchchart.c - the summaries of a benchmark as charts. */
#include "view/benchchart.h"

#include <stdlib.h>

#include "view/benchkeys.h"
#include "view/chart.h"

/* The bars and their labels, in the order of the summaries. */
struct bars {
	struct pb_rate *rate;          /* summaries, owned */
	char (*label)[PB_BENCH_LABEL]; /* of each, owned */
};

static void
bars_clear(struct bars *b)
{
	free(b->rate);
	free(b->label);
}

void
pb_bench_label(char label[PB_BENCH_LABEL], const struct pb_bench_view *v,
    const struct pb_summary *s)
{
	const struct pb_bench_keys k = pb_bench_keys_of(v);
	size_t size = PB_BENCH_LABEL;
	int n = snprintf(label, size, "%s", s->key.policy);

	if (k.round)
		n += snprintf(label + n, size - (size_t)n, "@%d", s->key.round);
	if (k.map)
		n += snprintf(label + n, size - (size_t)n, " %s", s->key.map);
	if (k.rules)
		n += snprintf(label + n, size - (size_t)n, " %s", s->key.rules);
	if (k.constants)
		snprintf(label + n, size - (size_t)n, " %s", s->key.told);
}

static bool
bars_make(struct bars *b, const struct pb_bench_view *v)
{
	size_t n = (size_t)v->summaries;

	b->rate = calloc(n + 1, sizeof(*b->rate));
	b->label = calloc(n + 1, sizeof(*b->label));
	if (b->rate == NULL || b->label == NULL) {
		bars_clear(b);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		const struct pb_summary *s = &v->summary[i];

		pb_bench_label(b->label[i], v, s);
		b->rate[i] = (struct pb_rate){b->label[i],
		    s->n > 0 ? (double)s->k / (double)s->n : 0, s->rate.lo,
		    s->rate.hi};
	}
	return true;
}

static bool
counts(const struct pb_summary *s, const char *label, const struct pb_tty *t,
    FILE *f)
{
	size_t n = (size_t)s->total + 1;
	unsigned long long *count = malloc(n * sizeof(*count));
	char what[PB_BENCH_LABEL + 32];

	if (count == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		count[i] = (unsigned long long)s->pellets[i];
	snprintf(what, sizeof(what), "%s: pellets collected", label);
	pb_chart_counts(what, count, n, 0, 1, t, f);
	free(count);
	return true;
}

enum pb_status
pb_bench_chart(const struct pb_bench_view *v, const struct pb_tty *t, FILE *f)
{
	struct bars b;
	bool ok = true;

	if (!bars_make(&b, v))
		return PB_ENOMEM;
	pb_chart_rates(b.rate, (size_t)v->summaries, t, f);
	for (int i = 0; i < v->summaries && ok; i++) {
		putc('\n', f);
		ok = counts(&v->summary[i], b.label[i], t, f);
	}
	bars_clear(&b);
	return ok ? PB_OK : PB_ENOMEM;
}

int
pb_bench_png(
    const struct pb_bench_view *v, const char *path, struct pb_fault *f)
{
	const struct pb_summary *s = &v->summary[0];
	char title[256] = "";
	struct bars b;
	int r;

	if (!bars_make(&b, v))
		return pb_fault_nomem(f, path);
	if (v->summaries > 0)
		snprintf(title, sizeof(title),
		    "%s%s%s: all pellets, %ld trials, %g %% intervals",
		    s->key.rules, pb_bench_keys_of(v).map ? "" : " on ",
		    pb_bench_keys_of(v).map ? "" : s->key.map, s->n,
		    100 * v->confidence);
	r = pb_chart_png(title, b.rate, (size_t)v->summaries, path, f);
	bars_clear(&b);
	return r;
}
