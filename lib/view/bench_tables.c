/* bench_tables.c - the summaries of a benchmark as tables for people. */
#include "view/bench_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/utf8.h"
#include "view/benchkeys.h"
#include "view/benchkills.h"
#include "view/benchtests.h"
#include "view/columns.h"

/* The histogram's widest: more columns than this are a chart's task. */
#define BINS_MAX 17

static void
print_title(const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
{
	const struct pb_summary *s = &v->summary[0];
	bool sequential = false;

	for (int i = 0; i < v->summaries; i++)
		sequential |= v->summary[i].sequential;
	pb_utf8_print(k.rules ? "several rules" : s->key.rules, f);
	if (!k.map) {
		fputs(", ", f);
		pb_utf8_print(pb_bench_map(s), f);
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
put_title(const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
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
	pb_bench_range(t, m->most, 100, "%.1f");
	pb_table_putf(t, "%.2f", m->pellets_mean);
}

static enum pb_status
print_rates(const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
{
	char rest[16];
	struct pb_table *t;
	enum pb_status s;

	snprintf(rest, sizeof(rest), "%s.l%s.l", k.trials ? "r" : "",
	    k.pellets ? ".l." : "");
	t = pb_bench_table(k, rest);

	if (!t)
		return PB_ENOMEM;
	pb_bench_heads(t, k);
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

		pb_bench_put(t, k, m, m->key.policy);
		if (k.trials)
			pb_table_putf(t, "%ld", m->n);
		pb_table_putf(t, "%.1f", percent(m->k, m->n));
		pb_bench_range(t, m->rate, 100, "%.1f");
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
print_scores(const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
{
	static const char *const heads[] = {
	    "score", "", "deaths", "", "levels"};
	struct pb_table *t;

	if (!k.score)
		return PB_OK;
	t = pb_bench_table(k, ".l.l.");
	if (!t)
		return PB_ENOMEM;
	pb_bench_heads(t, k);
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		pb_table_put(t, heads[i]);
	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		pb_bench_put(t, k, m, m->key.policy);
		pb_bench_mean(t, m->score_mean, m->score_in, "%.1f");
		pb_bench_mean(t, m->deaths_mean, m->deaths_in, "%.3f");
		if (isnan(m->levels_mean))
			pb_table_put(t, "");
		else
			pb_table_putf(t, "%.3f", m->levels_mean);
	}
	return pb_bench_finish(t, v, "Means of a trial", f);
}

/* A track in millimetres or percent. */
static void
put_track(struct pb_table *t, const struct pb_summary *m, enum pb_tally_track k)
{
	double scale = k < PB_TRACK_CELL ? 1000 : 100;
	struct pb_interval in = {
	    scale * m->track_in[k].lo, scale * m->track_in[k].hi};

	pb_bench_mean(t, scale * m->track[k], in, "%.2f");
}

static enum pb_status
print_tracks(const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
{
	static const char *const heads[PB_TRACKS] = {"error mm", "median mm",
	    "rms mm", "wrong cell %", "lost %", "wrong %"};
	struct pb_table *t;

	if (!k.updates)
		return PB_OK;
	t = pb_bench_table(k, k.cells ? ".l.l.l.l.l.l" : ".l.l.l.l.l");
	if (!t)
		return PB_ENOMEM;
	pb_bench_heads(t, k);
	for (int i = 0; i < PB_TRACKS; i++) {
		if (i == PB_TRACK_CELL && !k.cells)
			continue;
		pb_table_put(t, heads[i]);
		pb_table_put(t, "");
	}
	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		pb_bench_put(t, k, m, m->key.policy);
		for (int j = 0; j < PB_TRACKS; j++)
			if (j != PB_TRACK_CELL || k.cells)
				put_track(t, m, (enum pb_tally_track)j);
	}
	return pb_bench_finish(t, v, "Updates: errors, and parts of them", f);
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
print_histograms(const struct pb_bench_view *v, struct pb_bench_keys k, FILE *f)
{
	char rest[BINS_MAX + 1];
	int bins = most_bins(v);
	struct pb_table *t;

	if (bins > BINS_MAX || !k.pellets)
		return PB_OK;
	memset(rest, 'r', (size_t)bins);
	rest[bins] = '\0';
	t = pb_bench_table(k, rest);
	if (!t)
		return PB_ENOMEM;
	pb_bench_heads(t, k);
	for (int i = 0; i < bins; i++)
		pb_table_putf(t, "%d", i);
	for (int i = 0; i < v->summaries; i++) {
		const struct pb_summary *m = &v->summary[i];

		pb_bench_put(t, k, m, m->key.policy);
		for (int j = 0; j < bins; j++)
			pb_table_putf(
			    t, "%ld", j <= m->total ? m->pellets[j] : 0);
	}
	return pb_bench_finish(t, v, "Trials by pellets collected", f);
}

enum pb_status
pb_bench_print(const struct pb_bench_view *v, FILE *f)
{
	struct pb_bench_keys k = pb_bench_keys_of(v);
	enum pb_status s;

	if (v->summaries == 0)
		return PB_OK;
	s = put_title(v, k, f);
	if (s == PB_OK)
		s = print_rates(v, k, f);
	if (s == PB_OK)
		s = print_scores(v, k, f);
	if (s == PB_OK)
		s = pb_bench_print_kills(v, k, f);
	if (s == PB_OK)
		s = print_tracks(v, k, f);
	if (s == PB_OK)
		s = print_histograms(v, k, f);
	if (s == PB_OK)
		s = pb_bench_print_tests(v, k, f);
	return s;
}
