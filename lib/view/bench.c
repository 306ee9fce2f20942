/* bench.c - the summaries of a benchmark as tables for people. */
#include "view/bench.h"

#include <math.h>
#include <string.h>

#include "view/table.h"

/* The histogram's widest: more columns than this are a chart's task. */
#define BINS_MAX 17

/* Which keys differ between the rows and so need a column. */
struct keys {
	bool map;
	bool round;
	bool trials;
	bool score;   /* a score that is more than the pellets */
	bool pellets; /* there are some */
};

static struct keys
find_keys(const struct pb_bench_view *v)
{
	struct keys k = {.score = false};

	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		k.score |= m->score_mean > m->pellets_mean;
		k.pellets |= m->total > 0;
	}
	for (int i = 1; i < v->summaries; i++) {
		const struct pb_summary *a = &v->summary[0];
		const struct pb_summary *b = &v->summary[i];

		k.map |= a->key.map_hash != b->key.map_hash;
		k.round |= a->key.round != b->key.round;
		k.trials |= a->n != b->n;
	}
	return k;
}

static const char *
map_name(const struct pb_summary *s)
{
	return s->key.map[0] ? s->key.map : "unnamed map";
}

static void
print_title(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	const struct pb_summary *s = &v->summary[0];

	fprintf(f, "%s", s->key.rules);
	if (!k.map)
		fprintf(f, ", %s", map_name(s));
	if (!k.round && k.pellets)
		fprintf(f, ", round %d", s->key.round);
	if (!k.trials)
		fprintf(f, ", %ld trials a row", s->n);
	if (s->one_seed && v->summaries > 0)
		fprintf(f, ", seed %llu", (unsigned long long)s->key.seed);
	fprintf(f, "; %g %% intervals\n\n", 100 * v->confidence);
}

/* One letter for each key column and the player, then `rest`. */
static struct pb_table *
new_table(struct keys k, const char *rest)
{
	char align[64];

	snprintf(align, sizeof(align), "%s%s%s%s", k.map ? "l" : "", "l",
	    k.round ? "r" : "", rest);
	return pb_table_new(align);
}

static void
put_key_heads(struct pb_table *t, struct keys k)
{
	if (k.map)
		pb_table_put(t, "map");
	pb_table_put(t, "player");
	if (k.round)
		pb_table_put(t, "round");
}

static void
put_keys(struct pb_table *t, struct keys k, const struct pb_summary *s,
    const char *player)
{
	if (k.map)
		pb_table_put(t, map_name(s));
	pb_table_put(t, player);
	if (k.round)
		pb_table_putf(t, "%d", s->key.round);
}

static void
put_range(
    struct pb_table *t, struct pb_interval in, double scale, const char *format)
{
	char lo[32], hi[32];

	snprintf(lo, sizeof(lo), format, scale * in.lo);
	snprintf(hi, sizeof(hi), format, scale * in.hi);
	pb_table_putf(t, "%s to %s", lo, hi);
}

static double
percent(long k, long n)
{
	return 100.0 * (double)k / (double)n;
}

/* The outcome of the highest count that is not done; one at least is not. */
static int
most_frequent(const struct pb_summary *s, const bool *done)
{
	int best = 0;

	while (done[best])
		best++;
	for (int j = best + 1; j < s->outcomes; j++)
		if (!done[j] && s->count[j] > s->count[best])
			best = j;
	return best;
}

/* What the rule sets call a success. */
static bool
is_success(const char *outcome)
{
	return strcmp(outcome, "complete") == 0 ||
	       strcmp(outcome, "cleared") == 0 ||
	       strcmp(outcome, "survived") == 0 ||
	       strcmp(outcome, "localized") == 0;
}

/* Everything that is not a success, most frequent first: "killed 12.1". */
static void
put_failures(struct pb_table *t, const struct pb_summary *s)
{
	char text[160] = "";
	size_t len = 0;
	bool done[PB_TALLY_OUTCOMES] = {false};

	for (int i = 0; i < s->outcomes; i++) {
		int best = most_frequent(s, done);

		done[best] = true;
		if (is_success(s->outcome[best]))
			continue;
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "%s%s %.1f", len ? ", " : "", s->outcome[best],
		    percent(s->count[best], s->n));
		if (len >= sizeof(text))
			break;
	}
	pb_table_put(t, text);
}

static void
put_pellets(struct pb_table *t, const struct pb_summary *m)
{
	pb_table_putf(t, "%.1f", percent(m->at_least, m->n));
	put_range(t, m->most, 100, "%.1f");
	pb_table_putf(t, "%.2f", m->pellets_mean);
}

static enum pb_status
print_rates(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	char rest[16];
	struct pb_table *t;
	enum pb_status s;

	snprintf(rest, sizeof(rest), "%s.l%s.l", k.trials ? "r" : "",
	    k.pellets ? ".l." : "");
	t = new_table(k, rest);

	if (!t)
		return PB_ENOMEM;
	put_key_heads(t, k);
	if (k.trials)
		pb_table_put(t, "trials");
	pb_table_put(t, "all %");
	pb_table_put(t, "");
	if (k.pellets) {
		pb_table_put(t, "all but 1 %");
		pb_table_put(t, "");
		pb_table_put(t, "pellets");
	}
	pb_table_put(t, "median s");
	pb_table_put(t, "failures %");
	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		put_keys(t, k, m, m->key.policy);
		if (k.trials)
			pb_table_putf(t, "%ld", m->n);
		pb_table_putf(t, "%.1f", percent(m->k, m->n));
		put_range(t, m->rate, 100, "%.1f");
		if (k.pellets)
			put_pellets(t, m);
		pb_table_putf(t, "%.1f", m->time_median);
		put_failures(t, m);
	}
	s = pb_table_print(t, v->utf8, f);
	pb_table_free(t);
	return s;
}

/* A mean and its interval; nothing if it is not known. */
static void
put_mean(
    struct pb_table *t, double mean, struct pb_interval in, const char *format)
{
	char text[32] = "";

	if (!isnan(mean))
		snprintf(text, sizeof(text), format, mean);
	pb_table_put(t, text);
	if (isnan(in.lo))
		pb_table_put(t, "");
	else
		put_range(t, in, 1, format);
}

static enum pb_status
print_scores(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	static const char *const heads[] = {
	    "score", "", "deaths", "", "levels"};
	struct pb_table *t;
	enum pb_status s;

	if (!k.score)
		return PB_OK;
	t = new_table(k, ".l.l.");
	if (!t)
		return PB_ENOMEM;
	put_key_heads(t, k);
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		pb_table_put(t, heads[i]);
	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		put_keys(t, k, m, m->key.policy);
		put_mean(t, m->score_mean, m->score_in, "%.1f");
		put_mean(t, m->deaths_mean, m->deaths_in, "%.3f");
		if (isnan(m->levels_mean))
			pb_table_put(t, "");
		else
			pb_table_putf(t, "%.3f", m->levels_mean);
	}
	fputs("\nMeans of a trial\n\n", f);
	s = pb_table_print(t, v->utf8, f);
	pb_table_free(t);
	return s;
}

static int
most_bins(const struct pb_bench_view *v)
{
	int most = 0;

	for (int i = 0; i < v->summaries; i++)
		if (v->summary[i].total + 1 > most)
			most = v->summary[i].total + 1;
	return most;
}

static enum pb_status
print_histograms(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	char rest[BINS_MAX + 1];
	int bins = most_bins(v);
	struct pb_table *t;
	enum pb_status s;

	if (bins > BINS_MAX || !k.pellets)
		return PB_OK;
	memset(rest, 'r', (size_t)bins);
	rest[bins] = '\0';
	t = new_table(k, rest);
	if (!t)
		return PB_ENOMEM;
	put_key_heads(t, k);
	for (int i = 0; i < bins; i++)
		pb_table_putf(t, "%d", i);
	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		put_keys(t, k, m, m->key.policy);
		for (int j = 0; j < bins; j++)
			pb_table_putf(
			    t, "%ld", j <= m->total ? m->pellets[j] : 0);
	}
	fputs("\nTrials by pellets collected\n\n", f);
	s = pb_table_print(t, v->utf8, f);
	pb_table_free(t);
	return s;
}

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
put_comparison(struct pb_table *t, const struct pb_bench_view *v, struct keys k,
    const struct pb_comparison *c)
{
	const struct pb_summary *a = &v->summary[c->first];
	const struct pb_summary *b = &v->summary[c->second];
	char who[2 * PB_TRIAL_NAME + 8];

	snprintf(who, sizeof(who), "%s - %s", a->key.policy, b->key.policy);
	put_keys(t, k, a, who);
	pb_table_putf(t, "%ld", c->n);
	pb_table_putf(t, "%ld", c->won.first);
	pb_table_putf(t, "%ld", c->won.second);
	pb_table_putf(t, "%+.1f", 100 * c->rate);
	put_range(t, c->rate_in, 100, "%+.1f");
	put_p(t, c->p_holm);
	if (k.pellets) {
		pb_table_putf(t, "%+.2f", c->pellets);
		put_range(t, c->pellets_in, 1, "%+.2f");
	}
}

static enum pb_status
print_comparisons(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	static const char *const heads[] = {
	    "pairs", "only 1st", "only 2nd", "all %", "", "p", "pellets", ""};
	struct pb_table *t;
	enum pb_status s;

	if (v->comparisons == 0)
		return PB_OK;
	t = new_table(k, k.pellets ? "rrr.lr.l" : "rrr.lr");
	if (!t)
		return PB_ENOMEM;
	put_key_heads(t, k);
	for (int i = 0; i < (k.pellets ? 8 : 6); i++)
		pb_table_put(t, heads[i]);
	for (int i = 0; i < v->comparisons; i++)
		put_comparison(t, v, k, &v->comparison[i]);
	fputs(
	    "\nDifferences on the same trials (p: exact McNemar, Holm)\n\n", f);
	s = pb_table_print(t, v->utf8, f);
	pb_table_free(t);
	return s;
}

enum pb_status
pb_bench_print(const struct pb_bench_view *v, FILE *f)
{
	struct keys k = find_keys(v);
	enum pb_status s;

	if (v->summaries == 0)
		return PB_OK;
	print_title(v, k, f);
	s = print_rates(v, k, f);
	if (s == PB_OK)
		s = print_scores(v, k, f);
	if (s == PB_OK)
		s = print_histograms(v, k, f);
	if (s == PB_OK)
		s = print_comparisons(v, k, f);
	return s;
}
