/* bench_tables.c - what pb-bench found, as tables for people. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "pb/games.h"
#include "view/bench_view.h"
#include "view/table.h"
#include "view/term.h"

/* Bits that tables and columns may need: in what the summaries differ, and
 * what there is to tell of them. */
enum {
	RULES = 1,
	MAP = 2,
	CONSTANTS = 4,
	ROUND = 8,
	TRIALS = 16,
	SCORE = 32,    /* one that is more than the pellets */
	PELLETS = 64,  /* there are some, */
	MANY = 131072, /* ... more than the goal, which success is about, */
	FEW = 128,     /* ... no more than a histogram can show */
	UPDATES = 256, /* of localizers */
	CELLS = 512,   /* ... in mazes */
	KILLERS = 1024,
	CEILING = 2048, /* somebody who sees the truth plays */
	PACE = 4096,    /* of a robot that steers by a localizer */
	MEDIAN = 8192,
	CAUSES = 16384, /* lost trials say why */
	BY = 32768      /* pairs are compared by more than success */
};

/* Who does; what others win is told as a part of what it wins. */
static const char ceiling[] = "oracle";

/* What tracks need that some localizers' trials lack. */
static const unsigned track_needs[PB_TRACKS] = {[PB_TRACK_MEDIAN] = MEDIAN,
    [PB_TRACK_PACE] = PACE,
    [PB_TRACK_CELL] = CELLS};

/* The histogram's widest: more columns than this are a chart's task. */
#define BINS_MAX 17

static int
most_bins(const struct pb_report *r)
{
	int most = 0;

	for (int i = 0; i < r->summaries; i++)
		if (r->summary[i].total + 1 > most)
			most = r->summary[i].total + 1;
	return most;
}

/* Whether pellets tell more of trials than success does. */
static bool
has_pellets(const struct pb_summary *m)
{
	return m->total > 1;
}

static unsigned
bits_of(const struct pb_report *r)
{
	const struct pb_summary *a = r->summary;
	unsigned k = 0;

	for (const struct pb_summary *m = a; m < a + r->summaries; m++) {
		k |= strcmp(a->key.rules, m->key.rules) != 0 ? RULES : 0;
		k |= a->key.map_hash != m->key.map_hash ? MAP : 0;
		k |= !pb_told_same(a->key.told, m->key.told) ? CONSTANTS : 0;
		k |= a->key.round != m->key.round ? ROUND : 0;
		k |= a->n != m->n ? TRIALS : 0;
		k |= m->score_mean > m->pellets_mean || m->score_mean < 0
		         ? SCORE
		         : 0;
		k |= m->total > 0 ? PELLETS : 0;
		k |= has_pellets(m) ? MANY : 0;
		k |= m->updates_mean > 0 ? UPDATES : 0;
		for (int t = 0; t < PB_TRACKS; t++)
			k |= m->track[t] >= 0 ? track_needs[t] : 0;
		k |= m->killers > 0 ? KILLERS : 0;
		k |= m->causes.n > 0 ? CAUSES : 0;
		k |= strcmp(m->key.policy, ceiling) == 0 ? CEILING : 0;
	}
	for (int i = 0; i < r->comparisons; i++)
		k |= r->comparison[i].by.measure != PB_BY_SUCCESS ? BY : 0;
	for (int i = 0; i < r->cells; i++)
		k |= r->cell[i].by.measure != PB_BY_SUCCESS ? BY : 0;
	for (int i = 0; i < r->againsts; i++)
		k |= r->against[i].by.measure != PB_BY_SUCCESS ? BY : 0;
	return k & MANY && most_bins(r) <= BINS_MAX ? k | FEW : k;
}

/* "lives=1 period=10", "usual" of none; cut where it is too long. */
#define TOLD 1024

static const char *
told_text(struct pb_told_list l, char text[TOLD])
{
	size_t n = 0;

	snprintf(text, TOLD, "usual");
	for (int i = 0; i < l.n && n < TOLD; i++)
		n += (size_t)snprintf(text + n, TOLD - n, "%s%s=%s",
		    i ? " " : "", l.at[i].name, l.at[i].value);
	return text;
}

int
pb_bench_label(
    char label[PB_CHART_LABEL], const struct pb_report *r, int summary)
{
	const struct pb_trial *key = &r->summary[summary].key;
	size_t size = PB_CHART_LABEL;
	char told[TOLD];
	unsigned k = bits_of(r);
	int player = snprintf(label, size, "%s", key->policy), n = player;

	/* The last is cut where it is too long; the others are short names. */
	if (k & ROUND)
		n += snprintf(label + n, size - (size_t)n, "@%d", key->round);
	if (k & MAP)
		n += snprintf(label + n, size - (size_t)n, " %s", key->map);
	if (k & RULES)
		n += snprintf(label + n, size - (size_t)n, " %s", key->rules);
	if (k & CONSTANTS)
		snprintf(label + n, size - (size_t)n, " %s",
		    told_text(key->told, told));
	return player;
}

bool
pb_bench_several_maps(const struct pb_report *r)
{
	return bits_of(r) & MAP;
}

/* Whether all trials of all summaries, of which there are some, have one seed.
 */
static bool
one_seed(const struct pb_report *r)
{
	const struct pb_summary *s = r->summary;
	bool one = true;

	for (int i = 0; i < r->summaries; i++)
		one &= s[i].one_seed && s[i].key.seed == s->key.seed;
	return one;
}

static const char *
map_name(const struct pb_trial *key)
{
	return key->map[0] ? key->map : "unnamed map";
}

/* The cells of the key columns. */
static void
put_keys(struct pb_table *t, unsigned k, const struct pb_trial *key,
    const char *player)
{
	char told[TOLD];

	if (k & RULES)
		pb_table_put(t, key->rules);
	if (k & MAP)
		pb_table_put(t, map_name(key));
	pb_table_put(t, player);
	if (k & CONSTANTS)
		pb_table_put(t, told_text(key->told, told));
	if (k & ROUND)
		pb_table_putf(t, "%d", key->round);
}

/* The same for two players, or one of them. */
static void
put_pair(struct pb_table *t, unsigned k, const struct pb_report *r, int first,
    int second)
{
	const struct pb_trial *key = &r->summary[first].key;
	char who[2 * PB_TRIAL_NAME + 8];

	snprintf(who, sizeof(who), "%s%s%s", key->policy,
	    second < 0 ? "" : " - ",
	    second < 0 ? "" : r->summary[second].key.policy);
	put_keys(t, k, key, who);
}

/* What stands for an interval that there is none of. */
#define UNTOLD "*"

/* "1.0 to 2.0": an interval times scale; format is of one number. */
static void
put_range(
    struct pb_table *t, struct pb_interval in, double scale, const char *format)
{
	char lo[32], hi[32];

	snprintf(lo, sizeof(lo), format, scale * in.lo);
	snprintf(hi, sizeof(hi), format, scale * in.hi);
	if (isnan(in.lo))
		pb_table_put(t, UNTOLD);
	else
		pb_table_putf(t, "%s to %s", lo, hi);
}

/* Two cells: a mean and its interval, both empty if it is not known. */
static void
put_mean(struct pb_table *t, double mean, struct pb_interval in, double scale,
    const char *format)
{
	pb_table_putf(t, format, scale * mean);
	if (isnan(mean))
		pb_table_put(t, "");
	else
		put_range(t, in, scale, format);
}

static double
percent(long k, long n)
{
	return 100.0 * (double)k / (double)n;
}

/* What the rule sets call a success. */
static const char successes[] = "complete|cleared|survived|reached|localized";

/* Everything that is not a success, most frequent first: "killed 12.1". */
static void
put_failures(struct pb_table *t, const struct pb_summary *s)
{
	const struct pb_tally_words *c = &s->outcomes;
	char text[160] = "";
	size_t len = 0;
	bool done[PB_TALLY_OUTCOMES] = {false};

	/* A selection sort: there are few, and the text may be full first. */
	for (int i = 0; i < c->n && len < sizeof(text); i++) {
		int best = -1;

		for (int j = 0; j < c->n; j++)
			if (!done[j] &&
			    (best < 0 || c->count[j] > c->count[best]))
				best = j;
		done[best] = true;
		if (pb_word_find(
			successes, c->word[best], strlen(c->word[best])) < 0)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
			    "%s%s %.1f", len ? ", " : "", c->word[best],
			    percent(c->count[best], s->n));
	}
	pb_table_put(t, text);
}

/* Successes in per cent of the oracle's under the same rules. */
static void
put_share(struct pb_table *t, const struct pb_report *r, int i)
{
	const struct pb_trial *a = &r->summary[i].key, *b;
	int j = 0;

	for (; j < r->summaries; j++) {
		b = &r->summary[j].key;
		if (strcmp(b->policy, ceiling) == 0 && b->round == a->round &&
		    b->map_hash == a->map_hash && b->options == a->options)
			break;
	}
	if (j < r->summaries && r->summary[j].k > 0)
		pb_table_putf(t, "%.1f",
		    100 * percent(r->summary[i].k, r->summary[i].n) /
			percent(r->summary[j].k, r->summary[j].n));
	else
		pb_table_put(t, "");
}

static void
put_rates(struct pb_table *t, const struct pb_bench_paper *p, unsigned k, int i)
{
	const struct pb_summary *m = &p->report->summary[i];

	put_keys(t, k, &m->key, m->key.policy);
	if (k & TRIALS)
		pb_table_putf(t, "%ld", m->n);
	pb_table_putf(t, "%.1f", percent(m->k, m->n));
	put_range(t, m->rate, 100, "%.1f");
	if (k & CEILING)
		put_share(t, p->report, i);
	if (k & MANY && has_pellets(m)) {
		pb_table_putf(t, "%.1f", percent(m->at_least, m->n));
		put_range(t, m->most, 100, "%.1f");
		pb_table_putf(t, "%.2f", m->pellets_mean);
	} else if (k & MANY) {
		pb_table_putf(t, "||");
	}
	pb_table_putf(t, "%.1f", m->time_median);
	put_failures(t, m);
}

static void
put_scores(
    struct pb_table *t, const struct pb_bench_paper *p, unsigned k, int i)
{
	const struct pb_summary *m = &p->report->summary[i];

	put_keys(t, k, &m->key, m->key.policy);
	/* Nothing was laid and nothing counted: there is no score. */
	put_mean(t, m->total == 0 && m->score_mean == 0 ? NAN : m->score_mean,
	    m->score_in, 1, "%.1f");
	put_mean(t, m->deaths_mean, m->deaths_in, 1, "%.3f");
	pb_table_putf(t, "%.3f", m->levels_mean);
}

/*
 * Deaths of one trial are not independent: there is no more to go by than there
 * are trials.
 */
static struct pb_interval
share_interval(const struct pb_summary *m, long n, long all, double confidence)
{
	double known = m->n < all ? (double)m->n : (double)all;

	return pb_rate_interval(
	    known * (double)n / (double)all, known, confidence);
}

/* Why trials were lost, a row for each cause, as shares of all trials. */
static void
put_causes(
    struct pb_table *t, const struct pb_bench_paper *p, unsigned k, int i)
{
	const struct pb_summary *m = &p->report->summary[i];

	for (int j = 0; j < m->causes.n; j++) {
		long n = m->causes.count[j];

		put_keys(t, k, &m->key, m->key.policy);
		if (k & TRIALS)
			pb_table_putf(t, "%ld", m->n);
		pb_table_put(t, m->causes.word[j]);
		pb_table_putf(t, "%ld|%.1f", n, percent(n, m->n));
		put_range(t, share_interval(m, n, m->n, p->o->confidence), 100,
		    "%.1f");
	}
}

static void
put_kills(struct pb_table *t, const struct pb_bench_paper *p, unsigned k, int i)
{
	const struct pb_summary *m = &p->report->summary[i];
	const struct pb_rules *r = pb_rules_find(m->key.rules);
	long all = 0;

	/* Shares are of the deaths by somebody, not of the trials. */
	for (int j = 0; j < m->killers; j++)
		all += m->killed[j] > 0 ? m->killed[j] : 0;
	for (int j = 0; j < m->killers; j++) {
		long n = m->killed[j];

		if (n < 0)
			continue;
		put_keys(t, k, &m->key, m->key.policy);
		if (k & TRIALS)
			pb_table_putf(t, "%ld", m->n);
		/* Rules of another build have numbers instead of names. */
		if (r != NULL && r->game->killer != NULL)
			pb_table_put(t, r->game->killer[j]);
		else
			pb_table_putf(t, "%d", j + 1);
		pb_table_putf(
		    t, all ? "%ld|%.1f" : "%ld||", n, percent(n, all));
		if (all)
			put_range(t,
			    share_interval(m, n, all, p->o->confidence), 100,
			    "%.1f");
	}
}

/* Errors in millimetres, parts in percent. */
static void
put_tracks(
    struct pb_table *t, const struct pb_bench_paper *p, unsigned k, int i)
{
	const struct pb_summary *m = &p->report->summary[i];

	put_keys(t, k, &m->key, m->key.policy);
	for (int j = 0; j < PB_TRACKS; j++)
		if (!track_needs[j] || k & track_needs[j])
			put_mean(t, m->track[j], m->track_in[j],
			    j < PB_TRACK_PACE    ? 1000
			    : j == PB_TRACK_PACE ? 1
						 : 100,
			    "%.2f");
}

static void
put_histogram(
    struct pb_table *t, const struct pb_bench_paper *p, unsigned k, int i)
{
	const struct pb_summary *m = &p->report->summary[i];
	int bins = most_bins(p->report);

	put_keys(t, k, &m->key, m->key.policy);
	for (int j = 0; j < bins; j++)
		if (has_pellets(m))
			pb_table_putf(
			    t, "%ld", j <= m->total ? m->pellets[j] : 0);
		else
			pb_table_put(t, "");
}

static bool
rules_have_pellets(const struct pb_report *r, const char *rules)
{
	for (int i = 0; i < r->summaries; i++)
		if (strcmp(r->summary[i].key.rules, rules) == 0 &&
		    has_pellets(&r->summary[i]))
			return true;
	return false;
}

static void
put_aggregate(
    struct pb_table *t, const struct pb_bench_paper *p, unsigned k, int i)
{
	const struct pb_aggregate *a = &p->report->aggregate[i];

	put_keys(t, k, &a->key, a->key.policy);
	pb_table_putf(t, "%d|%ld|%.1f", a->strata, a->n, 100 * a->rate.value);
	put_range(t, a->rate.in, 100, "%.1f");
	if (k & MANY)
		put_mean(t,
		    rules_have_pellets(p->report, a->key.rules)
			? a->pellets.value
			: NAN,
		    a->pellets.in, 100, "%.1f");
	put_mean(t, a->time.value, a->time.in, 1, "%.1f");
}

/* With whom somebody is compared. */
enum other { NOBODY, PLAYER, BASELINE, CELL };

static void
put_test(struct pb_table *t, const struct pb_report *r, unsigned k,
    enum other who, const struct pb_comparison *c)
{
	char by[PB_TRIAL_NAME], told[TOLD];

	put_pair(t, k, r, c->first, who == PLAYER ? c->second : -1);
	if (who == CELL)
		pb_table_put(
		    t, told_text(r->summary[c->second].key.told, told));
	pb_table_putf(t, "%ld|%ld|%ld|%+.1f", c->n, c->won.first, c->won.second,
	    100 * c->rate);
	put_range(t, c->rate_in, 100, "%+.1f");
	/* Below what doubles hold a p-value is only a bound. */
	pb_table_putf(t, c->p_holm > 0 ? "%.2g" : "<1e-300", c->p_holm);
	if (k & BY) {
		pb_by_text(c->by, by, sizeof(by));
		pb_table_put(t, by);
		put_mean(t, c->effect, c->effect_in,
		    pb_by_is_rate(c->by) ? 100 : 1, "%+.2f");
	}
	if (k & MANY)
		put_mean(t,
		    has_pellets(&r->summary[c->first]) ? c->pellets : NAN,
		    c->pellets_in, 1, "%+.2f");
}

/* Columns, of which there may be some. */
struct columns {
	unsigned need;     /* bits, 0: none */
	const char *align; /* as pb_table_new() has them */
	const char *heads; /* with a '|' between two */
};

static const struct columns key_columns[] = {{RULES, "l", "rules"},
    {MAP, "l", "map"}, {0, "l", "player"}, {CONSTANTS, "l", "constants"},
    {ROUND, "r", "round"}, {0}};

/* The tables in their order; the first has no title of its own. */
static const struct sheet {
	const char *title;
	size_t rows;   /* where struct pb_report has their number */
	unsigned need; /* bits, 0: none */
	struct columns column[7];
	void (*put)(
	    struct pb_table *, const struct pb_bench_paper *, unsigned, int);
	size_t tests;   /* where it has comparisons, put: NULL */
	enum other who; /* ... with whom */
	unsigned less;  /* bits of keys that there are not */
} sheets[] = {{"", offsetof(struct pb_report, summaries), 0,
		  {{TRIALS, "r", "trials"}, {0, ".l", "all %|"},
		      {CEILING, "r", "of oracle %"},
		      {MANY, ".l.", "all but 1 %||pellets"},
		      {0, ".l", "median s|failures %"}},
		  put_rates},
    {"Means of a trial", offsetof(struct pb_report, summaries), SCORE,
	{{0, ".l.l.", "score||deaths||levels"}}, put_scores},
    {"Why trials were lost", offsetof(struct pb_report, summaries), CAUSES,
	{{TRIALS, "r", "trials"}, {0, "lrrl", "cause|trials|%|"}}, put_causes},
    {"Who killed", offsetof(struct pb_report, summaries), KILLERS,
	{{TRIALS, "r", "trials"}, {0, "lrrl", "killer|kills|% of them|"}},
	put_kills},
    {"Updates: errors, and parts of them",
	offsetof(struct pb_report, summaries), UPDATES,
	{{0, ".l", "error mm|"}, {MEDIAN, ".l", "median mm|"},
	    {0, ".l", "rms mm|"}, {PACE, ".l", "ticks a cell|"},
	    {CELLS, ".l", "wrong cell %|"}, {0, ".l.l", "lost %||wrong %|"}},
	put_tracks},
    {"Trials by pellets collected", offsetof(struct pb_report, summaries), FEW,
	{{0}}, put_histogram},
    {"All maps and rounds together", offsetof(struct pb_report, aggregates), 0,
	{{0, "rr.l", "tasks|trials|all %|"}, {MANY, ".l", "pellets iqm %|"},
	    {0, ".l", "mean s|"}},
	put_aggregate, .less = MAP | ROUND},
    {"Differences on the same trials", offsetof(struct pb_report, comparisons),
	0,
	{{0, "rrr.lr", "pairs|1st better|2nd|net %||p"},
	    {BY, "l.l", "by|difference|"}, {MANY, ".l", "pellets|"}},
	NULL, offsetof(struct pb_report, comparison), PLAYER},
    {"Differences from the baseline", offsetof(struct pb_report, againsts), 0,
	{{0, "rrr.lr", "pairs|now better|then|net %||p"},
	    {BY, "l.l", "by|difference|"}, {MANY, ".l", "pellets|"}},
	NULL, offsetof(struct pb_report, against), BASELINE},
    {"Differences from the first cell", offsetof(struct pb_report, cells), 0,
	{{0, "lrrr.lr", "than|pairs|1st better|2nd|net %||p"},
	    {BY, "l.l", "by|difference|"}, {MANY, ".l", "pellets|"}},
	NULL, offsetof(struct pb_report, cell), CELL}};
#define SHEETS (sizeof(sheets) / sizeof(*sheets))

/* The first of the columns from c on that the bits call for; without align:
 * their end. */
static const struct columns *
next_columns(const struct columns *c, unsigned k)
{
	while (c->align != NULL && c->need != 0 && !(k & c->need))
		c++;
	return c;
}

/* An empty table with its headings. */
static struct pb_table *
new_table(const struct sheet *s, unsigned k, int bins)
{
	const struct columns *const part[] = {key_columns, s->column}, *c;
	char align[64] = "";
	struct pb_table *t;

	for (int i = 0; i < 2; i++) {
		for (c = next_columns(part[i], k); c->align;
		     c = next_columns(c + 1, k))
			strcat(align, c->align);
		if (i == 0)
			strcat(align, "|");
	}
	memset(align + strlen(align), 'r', (size_t)bins);
	t = pb_table_new(align);
	for (int i = 0; i < 2; i++)
		for (c = next_columns(part[i], k); c->align;
		     c = next_columns(c + 1, k))
			pb_table_putf(t, "%s", c->heads);
	for (int i = 0; i < bins; i++)
		pb_table_putf(t, "%d", i);
	return t;
}

/* What so many pairs would have shown. */
static void
print_least(const struct pb_comparison *c, int n, FILE *f)
{
	double lo = 1, hi = 0;
	int some = 0, none = 0;

	for (int i = 0; i < n; i++) {
		lo = fmin(lo, c[i].least);
		hi = fmax(hi, c[i].least);
		some += !isnan(c[i].least);
		none += isnan(c[i].least);
	}
	fprintf(f, "shown with chance %g %%: ", 100 * PB_POWER);
	if (some > 0) {
		fprintf(f, "net differences of %.1f", 100 * lo);
		if (hi - lo >= 0.001)
			fprintf(f, " to %.1f", 100 * hi);
		fputs(" % or more", f);
	}
	if (none > 0)
		fprintf(f, "%s: there are too few pairs",
		    some > 0 ? "; in some rows none" : "no net difference");
	putc('\n', f);
}

/* Whether a row of a sheet, of these tests or NULL, is of a game with pellets.
 */
static bool
row_has_pellets(const struct pb_report *r, const struct sheet *s,
    const struct pb_comparison *tests, int i)
{
	if (tests)
		return has_pellets(&r->summary[tests[i].first]);
	return s->put != put_aggregate ||
	       rules_have_pellets(r, r->aggregate[i].key.rules);
}

static enum pb_status
print_sheet(const struct pb_bench_paper *p, const struct sheet *s, unsigned k,
    const struct pb_tty *tty, FILE *f)
{
	/* Counts and rows lie where the sheet says. */
	const char *r = (const char *)p->report;
	const int rows = *(const int *)(r + s->rows);
	const struct pb_comparison *tests =
	    s->tests ? *(struct pb_comparison *const *)(r + s->tests) : NULL;
	struct pb_table *t;
	bool untold, pellets = false;
	enum pb_status st;

	if (rows == 0 || (s->need != 0 && !(k & s->need)))
		return PB_OK;
	k &= ~s->less;
	for (int i = 0; i < rows; i++)
		pellets |= row_has_pellets(p->report, s, tests, i);
	if (!pellets)
		k &= ~(unsigned)MANY;
	t = new_table(s, k, s->need == FEW ? most_bins(p->report) : 0);
	for (int i = 0; i < rows; i++)
		if (tests)
			put_test(t, p->report, k, s->who, &tests[i]);
		else
			s->put(t, p, k, i);
	if (s->title[0] != '\0')
		fprintf(f, "\n%s%s\n\n", s->title,
		    tests ? " (p: exact McNemar, Holm)" : "");
	untold = s->title[0] != '\0' && pb_table_has(t, UNTOLD);
	st = pb_table_finish(t, tty, f);
	if (untold)
		fputs(UNTOLD " no interval: these trials cannot tell\n", f);
	if (tests)
		print_least(tests, rows, f);
	return st;
}

/* What all rows have in common, in lines as wide as the tables. */
static void
print_title(const struct pb_bench_paper *p, unsigned k,
    const struct pb_tty *tty, FILE *f)
{
	const struct pb_summary *s = p->report->summary;
	const struct pb_trial *key = &s->key;
	char told[TOLD], text[2 * TOLD]; /* names are short */
	int n;

	n = snprintf(
	    text, sizeof(text), "%s", k & RULES ? "several rules" : key->rules);
	if (!(k & MAP))
		n += snprintf(
		    text + n, sizeof(text) - (size_t)n, ", %s", map_name(key));
	if (!(k & ROUND) && k & PELLETS)
		n += snprintf(text + n, sizeof(text) - (size_t)n, ", round %d",
		    key->round);
	if (!(k & TRIALS))
		n += snprintf(text + n, sizeof(text) - (size_t)n,
		    ", %ld trials a row", s->n);
	if (one_seed(p->report))
		n += snprintf(text + n, sizeof(text) - (size_t)n,
		    ", seed %" PRIu64, key->seed);
	else
		n += snprintf(
		    text + n, sizeof(text) - (size_t)n, ", several seeds");
	if (!(k & CONSTANTS) && key->told.n > 0)
		n += snprintf(text + n, sizeof(text) - (size_t)n, ", %s",
		    told_text(key->told, told));
	snprintf(text + n, sizeof(text) - (size_t)n, "; %g %% intervals",
	    100 * p->o->confidence);
	pb_columns_wrap(
	    text, tty->width > 0 ? (size_t)tty->width : sizeof(text), f);
	putc('\n', f);
}

enum pb_status
pb_bench_tables(
    const struct pb_bench_paper *p, const struct pb_tty *tty, FILE *f)
{
	enum pb_status s = PB_OK;

	if (p->report->summaries > 0) {
		unsigned k = bits_of(p->report);

		print_title(p, k, tty, f);
		for (size_t i = 0; i < SHEETS && s == PB_OK; i++)
			s = print_sheet(p, &sheets[i], k, tty, f);
	}
	return s;
}
