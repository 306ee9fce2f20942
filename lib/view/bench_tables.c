/* bench_tables.c - the summaries of a benchmark as tables for people. */
#include "view/bench_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/utf8.h"
#include "pb/games.h"
#include "view/glyphs.h"
#include "view/table.h"

/* Which keys differ between the rows and so need a column. */
struct keys {
	bool rules;
	bool map;
	bool constants;
	bool round;
	bool trials;
	bool score;   /* a score that is more than the pellets */
	bool pellets; /* there are some */
	bool updates; /* of localizers */
	bool cells;   /* ... in mazes */
};

static struct keys
keys_of(const struct pb_bench_view *v)
{
	struct keys k = {.score = false};

	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		k.score |= m->score_mean > m->pellets_mean || m->score_mean < 0;
		k.pellets |= m->total > 0;
		k.updates |= m->updates_mean > 0;
		k.cells |= m->track[PB_TRACK_CELL] >= 0;
	}
	for (int i = 1; i < v->summaries; i++) {
		const struct pb_summary *a = &v->summary[0];
		const struct pb_summary *b = &v->summary[i];

		k.rules |= strcmp(a->key.rules, b->key.rules) != 0;
		k.constants |= strcmp(a->key.told, b->key.told) != 0;
		k.map |= a->key.map_hash != b->key.map_hash;
		k.round |= a->key.round != b->key.round;
		k.trials |= a->n != b->n;
	}
	return k;
}

/* A name for people; borrowed from s. */
static const char *
map_name(const struct pb_summary *s)
{
	return s->key.map[0] ? s->key.map : "unnamed map";
}

void
pb_bench_label(char label[PB_BENCH_LABEL], const struct pb_bench_view *v,
    const struct pb_summary *s)
{
	const struct keys k = keys_of(v);
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

bool
pb_bench_several_maps(const struct pb_bench_view *v)
{
	return keys_of(v).map;
}

/* Headings, with a '|' behind each. */
static void
put_heads(struct pb_table *t, const char *heads)
{
	for (const char *end; (end = strchr(heads, '|')) != NULL;
	     heads = end + 1)
		pb_table_putf(t, "%.*s", (int)(end - heads), heads);
}

/*
 * A table with a column for each key and the player, then one for each letter
 * of align, with their headings; NULL without memory.
 */
static struct pb_table *
keyed_table(struct keys k, const char *align, const char *heads)
{
	char all[64];
	struct pb_table *t;

	snprintf(all, sizeof(all), "%s%s%s%s%s|%s", k.rules ? "l" : "",
	    k.map ? "l" : "", "l", k.constants ? "l" : "", k.round ? "r" : "",
	    align);
	if ((t = pb_table_new(all)) == NULL)
		return NULL;
	put_heads(t, k.rules ? "rules|" : "");
	put_heads(t, k.map ? "map|player|" : "player|");
	put_heads(t, k.constants ? "constants|" : "");
	put_heads(t, k.round ? "round|" : "");
	put_heads(t, heads);
	return t;
}

/* The cells of the key columns. */
static void
put_keys(struct pb_table *t, struct keys k, const struct pb_summary *s,
    const char *player)
{
	if (k.rules)
		pb_table_put(t, s->key.rules);
	if (k.map)
		pb_table_put(t, map_name(s));
	pb_table_put(t, player);
	if (k.constants)
		pb_table_put(t, s->key.told[0] ? s->key.told : "usual");
	if (k.round)
		pb_table_putf(t, "%d", s->key.round);
}

/* What stands for an interval that there is none of. */
#define UNTOLD "*"

/* "1.0 to 2.0": an interval times scale; format is of one number. */
static void
put_range(
    struct pb_table *t, struct pb_interval in, double scale, const char *format)
{
	char lo[32], hi[32];

	if (isnan(in.lo)) {
		pb_table_put(t, UNTOLD);
		return;
	}
	snprintf(lo, sizeof(lo), format, scale * in.lo);
	snprintf(hi, sizeof(hi), format, scale * in.hi);
	pb_table_putf(t, "%s to %s", lo, hi);
}

/* Two cells: a mean and its interval, empty where it is not known. */
static void
put_mean(
    struct pb_table *t, double mean, struct pb_interval in, const char *format)
{
	char text[32] = "";

	if (!isnan(mean))
		snprintf(text, sizeof(text), format, mean);
	pb_table_put(t, text);
	if (isnan(mean))
		pb_table_put(t, "");
	else
		put_range(t, in, 1, format);
}

/*
 * Print t below its title, with a note on UNTOLD if it is there, and free it.
 * NULL, no memory for it: PB_ENOMEM.
 */
static enum pb_status
finish(struct pb_table *t, const struct pb_bench_view *v, const char *title,
    FILE *f)
{
	enum pb_status s = PB_ENOMEM;

	if (t) {
		fprintf(f, "\n%s\n\n", title);
		s = pb_table_print(t, v->utf8, v->width, f);
		if (pb_table_has(t, UNTOLD))
			fprintf(f, "%s no interval: these trials cannot tell\n",
			    UNTOLD);
	}
	pb_table_free(t);
	return s;
}

/* The name of killer i, or its number from 1. */
static const char *
name_of(const struct pb_summary *m, int i, char number[16])
{
	const struct pb_rules *r = pb_rules_find(m->key.rules);

	if (r != NULL && r->game->killer != NULL)
		return r->game->killer[i];
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
put_killer(struct pb_table *t, const struct pb_bench_view *v, struct keys k,
    const struct pb_summary *m, int i)
{
	char number[16];
	long all = deaths(m), n = m->killed[i];

	put_keys(t, k, m, m->key.policy);
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
	put_range(t, share_interval(m, n, all, v->confidence), 100, "%.1f");
}

static enum pb_status
print_kills(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	struct pb_table *t;
	int all = 0;

	for (int i = 0; i < v->summaries; i++)
		all += v->summary[i].killers;
	if (all == 0)
		return PB_OK;
	t = keyed_table(k, k.trials ? "rlrrl" : "lrrl",
	    k.trials ? "trials|killer|kills|% of them||"
		     : "killer|kills|% of them||");
	if (!t)
		return PB_ENOMEM;
	for (int i = 0; i < v->summaries; i++)
		for (int j = 0; j < v->summary[i].killers; j++)
			put_killer(t, v, k, &v->summary[i], j);
	return finish(t, v, "Who killed", f);
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
put_comparison(struct pb_table *t, struct keys k, const struct pb_comparison *c,
    const struct pb_summary *of, const char *who)
{
	put_keys(t, k, of, who);
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

/* With the headings; NULL without memory. */
static struct pb_table *
comparison_table(struct keys k, const char *first, const char *second)
{
	struct pb_table *t =
	    keyed_table(k, k.pellets ? "rrr.lr.l" : "rrr.lr", "pairs|");

	if (!t)
		return NULL;
	pb_table_put(t, first);
	pb_table_put(t, second);
	put_heads(t, k.pellets ? "all %||p|pellets||" : "all %||p|");
	return t;
}

static enum pb_status
print_comparisons(const struct pb_bench_view *v, struct keys k, FILE *f)
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
	return finish(t, v,
	    sequential ? "Differences on the same trials (any-time p, Holm)"
		       : "Differences on the same trials (p: exact McNemar, "
			 "Holm)",
	    f);
}

static enum pb_status
print_against(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	struct pb_table *t = comparison_table(k, "only now", "only then");
	bool sequential = false;

	for (int i = 0; t && i < v->report->againsts; i++) {
		const struct pb_comparison *c = &v->report->against[i];
		const struct pb_summary *a = &v->summary[c->first];

		put_comparison(t, k, c, a, a->key.policy);
		sequential |= c->sequential;
	}
	return finish(t, v,
	    sequential
		? "Differences from the baseline (any-time p, Holm)"
		: "Differences from the baseline (p: exact McNemar, Holm)",
	    f);
}

static void
put_aggregate(struct pb_table *t, struct keys k, const struct pb_aggregate *a)
{
	if (k.rules)
		pb_table_put(t, a->key.rules);
	pb_table_put(t, a->key.policy);
	if (k.constants)
		pb_table_put(t, a->key.told[0] ? a->key.told : "usual");
	pb_table_putf(t, "%d", a->strata);
	pb_table_putf(t, "%ld", a->n);
	pb_table_putf(t, "%.1f", 100 * a->rate.value);
	put_range(t, a->rate.in, 100, "%.1f");
	if (isnan(a->pellets.value)) {
		pb_table_put(t, "");
		pb_table_put(t, "");
	} else {
		pb_table_putf(t, "%.1f", 100 * a->pellets.value);
		put_range(t, a->pellets.in, 100, "%.1f");
	}
	put_mean(t, a->time.value, a->time.in, "%.1f");
}

static enum pb_status
print_aggregates(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	struct pb_table *t;

	k.map = k.round = false;
	t = keyed_table(
	    k, "rr.l.l.l", "tasks|trials|all %||pellets iqm %||mean s||");
	for (int i = 0; t && i < v->report->aggregates; i++)
		put_aggregate(t, k, &v->report->aggregate[i]);
	return finish(t, v, "All maps and rounds together", f);
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
print_verdicts(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	struct pb_table *t =
	    keyed_table(k, "lrr", "decision|after trials|ratio|");

	for (int i = 0; t && i < v->report->verdicts; i++) {
		const struct pb_verdict *d = &v->report->verdict[i];
		const struct pb_summary *a = &v->summary[d->first];
		char who[2 * PB_TRIAL_NAME + 8];

		snprintf(who, sizeof(who), "%s%s%s", a->key.policy,
		    d->second < 0 ? "" : " - ",
		    d->second < 0 ? "" : v->summary[d->second].key.policy);
		put_keys(t, k, a, who);
		pb_table_put(t, say(v, d));
		pb_table_putf(t, "%ld", d->n);
		pb_table_putf(t, "%.3g", d->ratio);
	}
	return finish(t, v, "Sequential tests", f);
}

static enum pb_status
print_tests(const struct pb_bench_view *v, struct keys k, FILE *f)
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

/* The histogram's widest: more columns than this are a chart's task. */
#define BINS_MAX 17

static void
print_title(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	const struct pb_summary *s = &v->summary[0];
	bool sequential = false;

	for (int i = 0; i < v->summaries; i++)
		sequential |= v->summary[i].sequential;
	pb_utf8_print(k.rules ? "several rules" : s->key.rules, f);
	if (!k.map) {
		fputs(", ", f);
		pb_utf8_print(map_name(s), f);
	}
	if (!k.round && k.pellets)
		fprintf(f, ", round %d", s->key.round);
	if (!k.trials)
		fprintf(f, ", %ld trials a row", s->n);
	if (s->one_seed && v->summaries > 0)
		fprintf(f, ", seed %llu", (unsigned long long)s->key.seed);
	if (!k.constants && s->key.told[0]) {
		fputs(", ", f);
		pb_utf8_print(s->key.told, f);
	}
	fprintf(f, "; %g %% intervals%s", 100 * v->confidence,
	    sequential ? " that hold at any time" : "");
}

/* The title in lines as wide as the tables. */
static enum pb_status
put_title(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	char *text = NULL;
	size_t size;
	FILE *mem = open_memstream(&text, &size);

	if (mem == NULL)
		return PB_ENOMEM;
	print_title(v, k, mem);
	if (fclose(mem) != 0) {
		free(text);
		return PB_ENOMEM;
	}
	pb_columns_wrap(text, v->width > 0 ? (size_t)v->width : size + 1, f);
	putc('\n', f);
	free(text);
	return PB_OK;
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
	       strcmp(outcome, "reached") == 0 ||
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
	t = keyed_table(k, rest, k.trials ? "trials|all %||" : "all %||");
	if (!t)
		return PB_ENOMEM;
	put_heads(t, k.pellets ? "all but 1 %||pellets|" : "");
	put_heads(t, "median s|failures %|");
	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		put_keys(t, k, m, m->key.policy);
		if (k.trials)
			pb_table_putf(t, "%ld", m->n);
		pb_table_putf(t, "%.1f", percent(m->k, m->n));
		put_range(t, m->rate, 100, "%.1f");
		if (k.pellets)
			put_pellets(t, m);
		if (isnan(m->time_median))
			pb_table_put(t, "");
		else
			pb_table_putf(t, "%.1f", m->time_median);
		put_failures(t, m);
	}
	s = pb_table_print(t, v->utf8, v->width, f);
	pb_table_free(t);
	return s;
}

static enum pb_status
print_scores(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	struct pb_table *t;

	if (!k.score)
		return PB_OK;
	t = keyed_table(k, ".l.l.", "score||deaths||levels|");
	if (!t)
		return PB_ENOMEM;
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
	return finish(t, v, "Means of a trial", f);
}

/* A track in millimetres or percent. */
static void
put_track(struct pb_table *t, const struct pb_summary *m, enum pb_tally_track k)
{
	double scale = k < PB_TRACK_CELL ? 1000 : 100;
	struct pb_interval in = {
	    scale * m->track_in[k].lo, scale * m->track_in[k].hi};

	put_mean(t, scale * m->track[k], in, "%.2f");
}

static enum pb_status
print_tracks(const struct pb_bench_view *v, struct keys k, FILE *f)
{
	struct pb_table *t;

	if (!k.updates)
		return PB_OK;
	t = keyed_table(k, k.cells ? ".l.l.l.l.l.l" : ".l.l.l.l.l",
	    "error mm||median mm||rms mm||");
	if (!t)
		return PB_ENOMEM;
	put_heads(t, k.cells ? "wrong cell %||" : "");
	put_heads(t, "lost %||wrong %||");
	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		put_keys(t, k, m, m->key.policy);
		for (int j = 0; j < PB_TRACKS; j++)
			if (j != PB_TRACK_CELL || k.cells)
				put_track(t, m, (enum pb_tally_track)j);
	}
	return finish(t, v, "Updates: errors, and parts of them", f);
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

	if (bins > BINS_MAX || !k.pellets)
		return PB_OK;
	memset(rest, 'r', (size_t)bins);
	rest[bins] = '\0';
	t = keyed_table(k, rest, "");
	if (!t)
		return PB_ENOMEM;
	for (int i = 0; i < bins; i++)
		pb_table_putf(t, "%d", i);
	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		put_keys(t, k, m, m->key.policy);
		for (int j = 0; j < bins; j++)
			pb_table_putf(
			    t, "%ld", j <= m->total ? m->pellets[j] : 0);
	}
	return finish(t, v, "Trials by pellets collected", f);
}

enum pb_status
pb_bench_print(const struct pb_bench_view *v, FILE *f)
{
	struct keys k = keys_of(v);
	enum pb_status s;

	if (v->summaries == 0)
		return PB_OK;
	s = put_title(v, k, f);
	if (s == PB_OK)
		s = print_rates(v, k, f);
	if (s == PB_OK)
		s = print_scores(v, k, f);
	if (s == PB_OK)
		s = print_kills(v, k, f);
	if (s == PB_OK)
		s = print_tracks(v, k, f);
	if (s == PB_OK)
		s = print_histograms(v, k, f);
	if (s == PB_OK)
		s = print_tests(v, k, f);
	return s;
}
