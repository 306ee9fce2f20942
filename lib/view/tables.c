/* tables.c - what pb-bench found, as aligned tables for people. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "io/file/mapfile.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/games.h"
#include "view/bench_view.h"
#include "view/term.h"

/* --- a table: filled cell by cell, printed once --- */

#define COLUMNS 64

struct table {
	size_t keys; /* columns that each part of the table begins with */
	size_t columns;
	char align[COLUMNS]; /* 'l' left, 'r' right */
	char *head[COLUMNS];
	size_t at;   /* the column of the next cell */
	char **cell; /* row by row */
	size_t cells, cap;
	bool untold; /* a cell has no interval */

	size_t w[COLUMNS]; /* columns of the terminal that each takes */
	size_t from, to; /* columns of the part that is printed, beside keys */
};

enum { LEAST = 40 }; /* no terminal is narrower */

/* Add a cell to the row: of its column, which the first row begins. */
static void
put(struct table *t, char align, const char *head, const char *text)
{
	if (t->at == t->columns) {
		t->align[t->at] = align;
		t->head[t->columns++] = pb_copy(head);
	}
	t->at++;
	if (!pb_grow(&t->cell, t->cells, &t->cap, sizeof(*t->cell)))
		pb_msg_end_memory();
	t->cell[t->cells++] = pb_copy(text);
}

/* Cut *s at its next '|', and go on behind it. */
static char *
next_part(char **s)
{
	char *part = *s, *end = part + strcspn(part, "|");

	*s = *end == '\0' ? end : end + 1;
	*end = '\0';
	return part;
}

/* Cells and the headings of their columns, a letter of align each, with a '|'
 * between two; what is not a number is left empty. */
static void PB_PRINTF(4, 5) putf(struct table *t, const char *align,
    const char *heads, const char *format, ...)
{
	char text[512], head[128], *cells = text, *h = head;
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	snprintf(head, sizeof(head), "%s", heads);
	for (; *align != '\0'; align++) {
		const char *cell = next_part(&cells);
		bool none = strcmp(cell + strspn(cell, "+-"), "nan") == 0;

		put(t, *align, next_part(&h), none ? "" : cell);
	}
}

/* With that of the headings. */
static size_t
rows_of(const struct table *t)
{
	return t->columns == 0 ? 0 : 1 + t->cells / t->columns;
}

static const char *
text_of(const struct table *t, size_t row, size_t c)
{
	return row == 0 ? t->head[c] : t->cell[(row - 1) * t->columns + c];
}

static size_t
width_of(const struct table *t, size_t c)
{
	size_t most = 0;

	for (size_t r = 0; r < rows_of(t); r++) {
		const char *s = text_of(t, r, c);
		size_t n = pb_text_columns(s, strlen(s));

		most = n > most ? n : most;
	}
	return most;
}

/* Of columns with two blanks between. */
static size_t
width_from(const struct table *t, size_t from, size_t to)
{
	size_t sum = 0;

	for (size_t c = from; c < to; c++)
		sum += t->w[c] + (c > from ? 2 : 0);
	return sum;
}

/* The end of the part that begins with column `from`, behind the keys. */
static size_t
part_end(const struct table *t, size_t from, size_t width)
{
	size_t used = width_from(t, 0, t->keys), to = from;

	while (to < t->columns) {
		size_t next = to + 1;

		/* One without a heading, an interval, stays with the one
		 * before it. */
		while (next < t->columns && *text_of(t, 0, next) == '\0')
			next++;
		if (to > from && used + 2 + width_from(t, to, next) > width)
			break;
		used += 2 + width_from(t, to, next);
		to = next;
	}
	return to;
}

/* Whether the part has column c: the keys, then its own. */
static bool
shown(const struct table *t, size_t c)
{
	return c < t->keys || (c >= t->from && c < t->to);
}

/* A line of dashes under each column. */
static void
rule(const struct table *t, bool utf8, FILE *f)
{
	for (size_t c = 0; c < t->to; c++) {
		if (!shown(t, c))
			continue;
		fputs(c > 0 ? "  " : "", f);
		for (size_t i = 0; i < t->w[c]; i++)
			pb_columns_put(utf8 ? 0x2500 : '-', f);
	}
	putc('\n', f);
}

/*
 * A cell; `pending` blanks come before it and the blanks after it are returned,
 * so that none is printed at the end of a line.
 */
static size_t
cell(const struct table *t, size_t row, size_t c, size_t pending, FILE *f)
{
	const char *s = text_of(t, row, c);
	size_t used = pb_text_columns(s, strlen(s));
	size_t lead = t->align[c] == 'l' ? 0 : t->w[c] - used;

	if (used == 0)
		return pending + t->w[c];
	fprintf(f, "%*s", (int)(pending + lead), "");
	pb_utf8_print(s, f);
	return t->w[c] - used - lead;
}

static void
print_row(const struct table *t, size_t r, FILE *f)
{
	size_t pending = 0;

	for (size_t c = 0; c < t->to; c++)
		if (shown(t, c))
			pending = cell(t, r, c, pending, f) + 2;
	putc('\n', f);
}

/* Print t as wide as the terminal and free what it has. */
static void
finish(struct table *t, const struct pb_tty *tty, FILE *f)
{
	size_t max = tty->width == 0      ? SIZE_MAX
	             : tty->width < LEAST ? LEAST
	                                  : (size_t)tty->width;

	for (size_t c = 0; c < t->columns; c++)
		t->w[c] = width_of(t, c);
	t->to = t->keys;
	for (bool more = t->columns > 0; more; more = t->to < t->columns) {
		if (t->to > t->keys)
			putc('\n', f);
		t->from = t->to;
		t->to = part_end(t, t->from, max);
		for (size_t r = 0; r < rows_of(t); r++) {
			print_row(t, r, f);
			if (r == 0)
				rule(t, tty->utf8, f);
		}
	}
	for (size_t i = 0; i < t->columns; i++)
		free(t->head[i]);
	for (size_t i = 0; i < t->cells; i++)
		free(t->cell[i]);
	free(t->cell);
}

/* --- benchmarks --- */

/* Bits that tables and columns may need: in what the summaries differ, and
 * what there is to tell of them. */
enum {
	RULES = 1 << 0,
	MAP = 1 << 1,
	CONSTANTS = 1 << 2,
	ROUND = 1 << 3,
	TRIALS = 1 << 4,
	SCORE = 1 << 5,   /* one that is more than the pellets */
	PELLETS = 1 << 6, /* there are some, */
	MANY = 1 << 7,    /* ... more than the goal, which success is about, */
	UPDATES = 1 << 8, /* of localizers */
	CELLS = 1 << 9,   /* ... in mazes */
	KILLERS = 1 << 10,
	CEILING = 1 << 11, /* somebody who sees the truth plays */
	PACE = 1 << 12,    /* of a robot that steers by a localizer */
	MEDIAN = 1 << 13,
	CAUSES = 1 << 14, /* lost trials say why */
	BY = 1 << 15      /* pairs are compared by more than success */
};

/* Who does; what others win is told as a part of what it wins. */
static const char ceiling[] = "oracle";

/* Errors in millimetres, parts in percent; some localizers' trials lack some.
 */
static const struct {
	const char *head;
	unsigned need;
	double scale;
} tracks[PB_TRACKS] = {[PB_TRACK_MEAN] = {"error mm", 0, 1000},
    [PB_TRACK_MEDIAN] = {"median mm", MEDIAN, 1000},
    [PB_TRACK_RMS] = {"rms mm", 0, 1000},
    [PB_TRACK_PACE] = {"ticks a cell", PACE, 1},
    [PB_TRACK_CELL] = {"wrong cell %", CELLS, 100},
    [PB_TRACK_LOST] = {"lost %", 0, 100},
    [PB_TRACK_WRONG] = {"wrong %", 0, 100}};

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
		k |= !isnan(m->score.value) &&
		             !(m->score.value >= 0 &&
				 m->score.value <= m->pellets.value)
		         ? SCORE
		         : 0;
		k |= m->total > 0 ? PELLETS : 0;
		k |= has_pellets(m) ? MANY : 0;
		k |= m->updates_mean > 0 ? UPDATES : 0;
		for (int t = 0; t < PB_TRACKS; t++)
			k |= m->track[t].value >= 0 ? tracks[t].need : 0;
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
	return k;
}

/* Add to a text in so many bytes; what is too long is cut. */
static void PB_PRINTF(3, 4)
    add(char *text, size_t size, const char *format, ...)
{
	size_t n = strlen(text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(text + n, size - n, format, ap);
	va_end(ap);
}

/* "lives=1 period=10", "usual" of none; cut where it is too long. */
#define TOLD 1024

static const char *
told_text(struct pb_told_list l, char text[TOLD])
{
	snprintf(text, TOLD, "%s", l.n > 0 ? "" : "usual");
	for (int i = 0; i < l.n; i++)
		add(text, TOLD, "%s%s=%s", i ? " " : "", l.at[i].name,
		    l.at[i].value);
	return text;
}

void
pb_bench_label(
    char label[PB_CHART_LABEL], const struct pb_report *r, int summary)
{
	const struct pb_trial *key = &r->summary[summary].key;
	size_t size = PB_CHART_LABEL;
	char told[TOLD];
	unsigned k = bits_of(r);

	snprintf(label, size, "%s", key->policy);
	if (k & ROUND)
		add(label, size, "@%d", key->round);
	if (k & MAP)
		add(label, size, " %s", key->map);
	if (k & RULES)
		add(label, size, " %s", key->rules);
	if (k & CONSTANTS)
		add(label, size, " %s", told_text(key->told, told));
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

/* Begin a row: what it is of. */
static void
put_keys(
    struct table *t, unsigned k, const struct pb_trial *key, const char *player)
{
	char told[TOLD];

	t->at = 0;
	if (k & RULES)
		put(t, 'l', "rules", key->rules);
	if (k & MAP)
		put(t, 'l', "map", map_name(key));
	put(t, 'l', "player", player);
	if (k & CONSTANTS)
		put(t, 'l', "constants", told_text(key->told, told));
	if (k & ROUND)
		putf(t, "r", "round", "%d", key->round);
	t->keys = t->at;
}

/* The same of a summary, with its trials where they differ. */
static void
put_summary(struct table *t, unsigned k, const struct pb_summary *m)
{
	put_keys(t, k, &m->key, m->key.policy);
	if (k & TRIALS)
		putf(t, "r", "trials", "%ld", m->n);
}

/* What stands for an interval that there is none of. */
#define UNTOLD "*"

/* An interval times scale, "1.0 to 2.0"; format is of one number. */
static void
put_range(
    struct table *t, struct pb_interval in, double scale, const char *format)
{
	char lo[32], hi[32];

	snprintf(lo, sizeof(lo), format, scale * in.lo);
	snprintf(hi, sizeof(hi), format, scale * in.hi);
	t->untold |= isnan(in.lo);
	putf(t, "l", "", isnan(in.lo) ? UNTOLD : "%s to %s", lo, hi);
}

/* Two cells: a mean and its interval times scale, both empty if it is not
 * known. */
static void
put_mean(struct table *t, const char *head, double mean, struct pb_interval in,
    double scale, const char *format)
{
	putf(t, "r", head, format, mean);
	if (isnan(mean))
		put(t, 'l', "", "");
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
put_failures(struct table *t, const struct pb_summary *s)
{
	const struct pb_tally_words *c = &s->outcomes;
	char text[160] = "";
	bool done[PB_TALLY_OUTCOMES] = {false};

	/* A selection sort: there are few. */
	for (int i = 0; i < c->n; i++) {
		int best = -1;

		for (int j = 0; j < c->n; j++)
			if (!done[j] &&
			    (best < 0 || c->count[j] > c->count[best]))
				best = j;
		done[best] = true;
		if (pb_word_find(
			successes, c->word[best], strlen(c->word[best])) < 0)
			add(text, sizeof(text), "%s%s %.1f", *text ? ", " : "",
			    c->word[best], percent(c->count[best], s->n));
	}
	put(t, 'l', "failures %", text);
}

/* Successes in per cent of the oracle's under the same rules. */
static double
share_of_oracle(const struct pb_report *r, const struct pb_summary *m)
{
	const struct pb_trial *a = &m->key;

	for (const struct pb_summary *o = r->summary;
	     o < r->summary + r->summaries; o++) {
		const struct pb_trial *b = &o->key;

		if (strcmp(b->policy, ceiling) == 0 && b->round == a->round &&
		    b->map_hash == a->map_hash && b->options == a->options)
			return o->k > 0 ? 100 * percent(m->k, m->n) /
			                      percent(o->k, o->n)
			                : NAN;
	}
	return NAN;
}

static void
put_rates(struct table *t, const struct pb_bench *p, unsigned k, int i)
{
	const struct pb_summary *m = &p->report->summary[i];
	bool many = has_pellets(m);

	put_summary(t, k, m);
	put_mean(t, "all %", percent(m->k, m->n), m->rate, 100, "%.1f");
	if (k & CEILING)
		putf(t, "r", "of oracle %", "%.1f",
		    share_of_oracle(p->report, m));
	if (k & MANY) {
		put_mean(t, "all but 1 %",
		    many && m->at_least >= 0 ? percent(m->at_least, m->n) : NAN,
		    m->most, 100, "%.1f");
		putf(t, "r", "pellets", "%.2f", many ? m->pellets.value : NAN);
	}
	putf(t, "r", "median s", "%.1f", m->time_median);
	put_failures(t, m);
}

static void
put_scores(struct table *t, const struct pb_bench *p, unsigned k, int i)
{
	const struct pb_summary *m = &p->report->summary[i];

	put_keys(t, k, &m->key, m->key.policy);
	put_mean(t, "score", m->score.value, m->score.in, 1, "%.1f");
	put_mean(t, "deaths", m->deaths.value, m->deaths.in, 1, "%.3f");
	putf(t, "r", "levels", "%.3f", m->levels_mean);
}

/*
 * n of all deaths. Deaths of one trial are not independent: there is no more to
 * go by than there are trials.
 */
static void
put_share(struct table *t, const struct pb_bench *p, const struct pb_summary *m,
    const char *heads, long n, long all)
{
	double known = m->n < all ? (double)m->n : (double)all;

	putf(t, "rr", heads, "%ld|%.1f", n, all > 0 ? percent(n, all) : NAN);
	if (all > 0)
		put_range(t,
		    pb_rate_interval(known * (double)n / (double)all, known,
			p->o->confidence),
		    100, "%.1f");
	else
		put(t, 'l', "", "");
}

/* Why trials were lost, a row for each cause, as shares of all trials. */
static void
put_causes(struct table *t, const struct pb_bench *p, unsigned k, int i)
{
	const struct pb_summary *m = &p->report->summary[i];

	for (int j = 0; j < m->causes.n; j++) {
		put_summary(t, k, m);
		put(t, 'l', "cause", m->causes.word[j]);
		put_share(t, p, m, "trials|%", m->causes.count[j], m->n);
	}
}

static void
put_kills(struct table *t, const struct pb_bench *p, unsigned k, int i)
{
	const struct pb_summary *m = &p->report->summary[i];
	const struct pb_rules *r = pb_rules_find(m->key.rules);
	long all = 0;

	/* Shares are of the deaths by somebody, not of the trials. */
	for (int j = 0; j < m->killers; j++)
		all += m->killed[j];
	for (int j = 0; j < m->killers; j++) {
		put_summary(t, k, m);
		/* Rules of another build have numbers instead of names. */
		if (r != NULL && r->game->killer != NULL)
			put(t, 'l', "killer", r->game->killer[j]);
		else
			putf(t, "l", "killer", "%d", j + 1);
		put_share(t, p, m, "kills|% of them", m->killed[j], all);
	}
}

static void
put_tracks(struct table *t, const struct pb_bench *p, unsigned k, int i)
{
	const struct pb_summary *m = &p->report->summary[i];

	put_keys(t, k, &m->key, m->key.policy);
	for (int j = 0; j < PB_TRACKS; j++)
		if (!tracks[j].need || k & tracks[j].need)
			put_mean(t, tracks[j].head,
			    tracks[j].scale * m->track[j].value, m->track[j].in,
			    tracks[j].scale, "%.2f");
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
put_aggregate(struct table *t, const struct pb_bench *p, unsigned k, int i)
{
	const struct pb_aggregate *a = &p->report->aggregate[i];

	put_keys(t, k, &a->key, a->key.policy);
	putf(t, "rr", "tasks|trials", "%d|%ld", a->strata, a->n);
	put_mean(t, "all %", 100 * a->rate.value, a->rate.in, 100, "%.1f");
	if (k & MANY)
		put_mean(t, "pellets %",
		    rules_have_pellets(p->report, a->key.rules)
			? 100 * a->pellets.value
			: NAN,
		    a->pellets.in, 100, "%.1f");
	put_mean(t, "mean s", a->time.value, a->time.in, 1, "%.1f");
}

/* With whom somebody is compared. */
enum other { NOBODY, PLAYER, BASELINE, CELL };

static void
put_test(struct table *t, const struct pb_report *r, unsigned k, enum other who,
    const struct pb_comparison *c)
{
	const struct pb_trial *key = &r->summary[c->first].key;
	double scale = pb_by_is_rate(c->by) ? 100 : 1;
	char text[2 * PB_TRIAL_NAME + 8], told[TOLD];

	snprintf(text, sizeof(text), "%s", key->policy);
	if (who == PLAYER)
		add(text, sizeof(text), " - %s",
		    r->summary[c->second].key.policy);
	put_keys(t, k, key, text);
	if (who == CELL)
		put(t, 'l', "than",
		    told_text(r->summary[c->second].key.told, told));
	putf(t, "rrrr",
	    who == BASELINE ? "pairs|now better|then|net %"
			    : "pairs|1st better|2nd|net %",
	    "%ld|%ld|%ld|%+.1f", c->n, c->won.first, c->won.second,
	    100 * c->rate.value);
	put_range(t, c->rate.in, 100, "%+.1f");
	/* Below what doubles hold a p-value is only a bound. */
	putf(t, "r", "p", c->p_holm > 0 ? "%.2g" : "<1e-300", c->p_holm);
	if (k & BY) {
		pb_by_text(c->by, text, PB_TRIAL_NAME);
		put(t, 'l', "by", text);
		put_mean(t, "difference", scale * c->effect.value, c->effect.in,
		    scale, "%+.2f");
	}
	if (k & MANY)
		put_mean(t, "pellets",
		    has_pellets(&r->summary[c->first]) ? c->pellets.value : NAN,
		    c->pellets.in, 1, "%+.2f");
}

/* The tables in their order; the first has no title of its own. */
static const struct sheet {
	const char *title;
	size_t rows;   /* where struct pb_report has their number */
	unsigned need; /* bits, 0: none */
	void (*put)(struct table *, const struct pb_bench *, unsigned, int);
	size_t tests;   /* where it has comparisons, put: NULL */
	enum other who; /* ... with whom */
	unsigned less;  /* bits of keys that there are not */
} sheets[] = {{"", offsetof(struct pb_report, summaries), 0, put_rates},
    {"Means of a trial", offsetof(struct pb_report, summaries), SCORE,
	put_scores},
    {"Why trials were lost", offsetof(struct pb_report, summaries), CAUSES,
	put_causes},
    {"Who killed", offsetof(struct pb_report, summaries), KILLERS, put_kills},
    {"Updates: errors, and parts of them",
	offsetof(struct pb_report, summaries), UPDATES, put_tracks},
    {"All maps and rounds together", offsetof(struct pb_report, aggregates), 0,
	put_aggregate, .less = MAP | ROUND},
    {"Differences on the same trials", offsetof(struct pb_report, comparisons),
	0, NULL, offsetof(struct pb_report, comparison), PLAYER},
    {"Differences from the baseline", offsetof(struct pb_report, againsts), 0,
	NULL, offsetof(struct pb_report, against), BASELINE},
    {"Differences from the first cell", offsetof(struct pb_report, cells), 0,
	NULL, offsetof(struct pb_report, cell), CELL}};

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

static void
print_sheet(const struct pb_bench *p, const struct sheet *s, unsigned k,
    const struct pb_tty *tty, FILE *f)
{
	/* Counts and rows lie where the sheet says. */
	const char *r = (const char *)p->report;
	const int rows = *(const int *)(r + s->rows);
	const struct pb_comparison *tests =
	    s->tests ? *(struct pb_comparison *const *)(r + s->tests) : NULL;
	struct table t = {0};
	bool pellets = false;

	if (rows == 0 || (s->need != 0 && !(k & s->need)))
		return;
	k &= ~s->less;
	for (int i = 0; i < rows; i++)
		pellets |=
		    tests ? has_pellets(&p->report->summary[tests[i].first])
			  : s->put != put_aggregate ||
				rules_have_pellets(p->report,
				    p->report->aggregate[i].key.rules);
	if (!pellets)
		k &= ~(unsigned)MANY;
	for (int i = 0; i < rows; i++)
		if (tests)
			put_test(&t, p->report, k, s->who, &tests[i]);
		else
			s->put(&t, p, k, i);
	if (s->title[0] != '\0')
		fprintf(f, "\n%s%s\n\n", s->title,
		    tests ? " (p: exact McNemar, Holm)" : "");
	finish(&t, tty, f);
	if (s->title[0] != '\0' && t.untold)
		fputs(UNTOLD " no interval: these trials cannot tell\n", f);
	if (tests)
		print_least(tests, rows, f);
}

/* What all rows have in common. */
static void
print_title(const struct pb_bench *p, unsigned k, FILE *f)
{
	const struct pb_summary *s = p->report->summary;
	const struct pb_trial *key = &s->key;
	char told[TOLD], text[2 * TOLD] = ""; /* names are short */
	const size_t size = sizeof(text);

	add(text, size, "%s", k & RULES ? "several rules" : key->rules);
	if (!(k & MAP))
		add(text, size, ", %s", map_name(key));
	if (!(k & ROUND) && k & PELLETS)
		add(text, size, ", round %d", key->round);
	if (!(k & TRIALS))
		add(text, size, ", %ld trials a row", s->n);
	if (one_seed(p->report))
		add(text, size, ", seed %" PRIu64, key->seed);
	else
		add(text, size, ", several seeds");
	if (!(k & CONSTANTS) && key->preset[0])
		add(text, size, ", preset %s", key->preset);
	if (!(k & CONSTANTS) && key->told.n > 0)
		add(text, size, ", %s", told_text(key->told, told));
	add(text, size, "; %g %% intervals", 100 * p->o->confidence);
	pb_utf8_print(text, f);
	fputs("\n\n", f);
}

void
pb_bench_tables(const struct pb_bench *p, const struct pb_tty *tty, FILE *f)
{
	unsigned k = bits_of(p->report);

	if (p->report->summaries == 0)
		return;
	print_title(p, k, f);
	for (size_t i = 0; i < sizeof(sheets) / sizeof(*sheets); i++)
		print_sheet(p, &sheets[i], k, tty, f);
}

/* --- how far estimated poses are from the true ones --- */

#define DEG (180 / PB_PI)

static void
put_error(struct table *t, const char *name, const struct pb_traj_error *e)
{
	t->at = 0;
	put(t, 'l', "error", name);
	putf(t, "rrrrr", "n|m: rmse|mean|median|max", "%zu|%.3f|%.3f|%.3f|%.3f",
	    e->n, e->place.rmse, e->place.mean, e->place.median, e->place.max);
	putf(t, "rrrr", "deg: rmse|mean|median|max", "%.2f|%.2f|%.2f|%.2f",
	    DEG * e->turn.rmse, DEG * e->turn.mean, DEG * e->turn.median,
	    DEG * e->turn.max);
}

static void
put_steps(struct table *t, const char *which, const struct pb_traj_steps *s,
    const struct pb_traj_opts *o)
{
	char name[48];

	snprintf(name, sizeof(name), "%s %g s", which, o->step_s);
	put_error(t, name, &s->s);
	snprintf(name, sizeof(name), "%s %g m", which, o->step_m);
	put_error(t, name, &s->m);
	snprintf(name, sizeof(name), "%s %d %s", which, o->step_n,
	    o->step_n == 1 ? "pose" : "poses");
	put_error(t, name, &s->n);
}

static void
print_errors(const struct pb_traj_report *r, const struct pb_traj_opts *o,
    const struct pb_tty *tty, FILE *f)
{
	struct table t = {.keys = 1};

	put_error(&t, "absolute", &r->ate);
	put_error(&t, "aligned", &r->ate_best);
	put_steps(&t, "over", &r->step, o);
	put_steps(&t, "all", &r->step_all, o);
	fprintf(f, "%zu poses, %zu without a reference", r->pairs, r->alone);
	if (r->between > 0)
		fprintf(f, ", %zu between two", r->between);
	fprintf(f, "; %.1f m in %.1f s%s\n\n", r->length, r->duration,
	    r->numbered ? ", poses numbered as one a second" : "");
	finish(&t, tty, f);
	if (isfinite(r->found))
		fprintf(f, "\nfound after %.1f s", r->found);
	else
		fputs("\nnever found", f);
	fprintf(f,
	    "; confidently wrong (more than %g m or %g degrees off): %zu of "
	    "%zu",
	    o->near, DEG * o->near_turn, r->wrong, r->pairs);
	if (r->alone > r->pairs)
		fprintf(f, "; nobody knows of %zu more", r->alone);
	fputc('\n', f);
}

/* Where some of the poses are, those that are not about one place. */
static void
print_places(const struct pb_timed_list *l, FILE *f)
{
	const char *before = ", near";
	size_t left = 5;

	for (size_t i = 0; i < l->n && left > 0; i++) {
		bool again = false;

		for (size_t k = 0; k < i; k++)
			again |= pb_pose_dist(l->at[i].p, l->at[k].p) < 1;
		if (again)
			continue;
		fprintf(
		    f, "%s (%.1f, %.1f)", before, l->at[i].p.x, l->at[i].p.y);
		before = ",";
		left--;
	}
}

/* "; lost twice, near (3.1, 2.0)" */
static void
print_losses(
    const char *what, const struct pb_timed_list *l, double share, FILE *f)
{
	if (l->n == 0 && share > 0) /* before it was known, or after doubts */
		fprintf(f, "; %s %.0f %%", what, ceil(100 * share));
	else if (l->n < 3)
		fprintf(f, "; %s%s", l->n == 0 ? "never " : "", what);
	if (l->n > 0 && l->n < 3)
		fputs(l->n == 1 ? " once" : " twice", f);
	else if (l->n > 2)
		fprintf(f, "; %s %zu times", what, l->n);
	print_places(l, f);
}

/* Jumps with place and time. */
static void
print_jumps(const struct pb_claims *c, FILE *f)
{
	enum { MOST = 10 };

	if (c->jump.n == 0 && (c->wheels || isfinite(c->fit)))
		fputs("no jumps\n", f);
	for (size_t i = 0; i < c->jump.n && i < MOST; i++) {
		const struct pb_timed *x = &c->jump.at[i];

		fprintf(f, "%s%.2f m to (%.1f, %.1f)",
		    i ? ", " : "jumps: ", x->jump, x->p.x, x->p.y);
		if (isfinite(x->t))
			fprintf(f, " at %.1f s", x->t);
	}
	if (c->jump.n > MOST)
		fprintf(f, ", and %zu more", c->jump.n - MOST);
	fputs(c->jump.n > 0 ? "\n" : "", f);
}

/* What a localizer says of itself, and in a line whether it knew. */
static void
print_claims(const struct pb_claims *c, const struct pb_tty *tty, FILE *f)
{
	bool way = c->way > 0;
	const double *share = way ? c->gone : c->time;
	double known = share[PB_LOC_TRACKING];
	struct table t = {.keys = 1};

	fprintf(f, "%zu estimates in %.1f s, %.1f m%s\n\n", c->n, c->duration,
	    c->way, c->wheels ? " by the wheels" : "");
	for (int s = PB_LOC_TRACKING; s >= 0; s--) {
		t.at = 0;
		put(&t, 'l', "status",
		    pb_loc_status_text((enum pb_loc_status)s));
		putf(&t, "rr", "time %|way %", "%.1f|%.1f", 100 * c->time[s],
		    100 * c->gone[s]);
	}
	finish(&t, tty, f);
	if (isfinite(c->known_s))
		fprintf(f, "\nfirst known after %.1f s, %.1f m", c->known_s,
		    c->known_m);
	else
		fputs("\nnever known", f);
	if (isfinite(c->fit))
		fprintf(f, "; median fit %.2f", c->fit);
	fputc('\n', f);
	print_jumps(c, f);
	if (known > 0)
		fprintf(f, "says that it knows where it is: %.0f %%",
		    floor(100 * known));
	else
		fprintf(f,
		    "never says that it knows where it is: lost %.0f, "
		    "ambiguous %.0f %%",
		    ceil(100 * share[PB_LOC_LOST]),
		    floor(100 * share[PB_LOC_AMBIGUOUS]));
	fprintf(f, " of the %s", way ? "way" : "time");
	if (known > 0)
		print_losses("lost", &c->lost, share[PB_LOC_LOST], f);
	if (c->unmapped.n > 0)
		print_losses("off the map", &c->unmapped, 0, f);
	fputc('\n', f);
}

/*
 * A row of one of three tables of a trial's poses: places, headings, moves.
 *
 * Given    still  some of the trials stood still: of those there are means
 */
static void
put_scatter(struct table *t, int which, const char *name,
    const struct pb_scatter *s, double near, bool still)
{
	double mean = s->radial_max <= near ? 0 : NAN; /* of a way: none */

	t->at = 0;
	put(t, 'l', "trial", name);
	putf(t, "r", "n", "%zu", s->n);
	if (which == 0) {
		putf(t, "rrrr", "m: sd x|sd y|radial|max",
		    "%.4f|%.4f|%.4f|%.4f", s->sd[0], s->sd[1], s->radial_mean,
		    s->radial_max);
		if (still)
			putf(t, "rr", "mean x|mean y", "%.4f|%.4f",
			    mean + s->mean.x, mean + s->mean.y);
	} else if (which == 1) {
		putf(t, "rrrrr", "deg: sd|max off|sigma x (m)|y (m)|(deg)",
		    "%.2f|%.2f|%.3f|%.3f|%.2f", DEG * s->sd[2],
		    DEG * s->turn_max, s->sigma[0], s->sigma[1],
		    DEG * s->sigma[2]);
		if (still)
			putf(t, "r", "mean", "%.2f", mean + DEG * s->mean.th);
	} else {
		putf(t, "rrrrr", "s|dt|sd|min|max", "%.2f|%.2f|%.2f|%.2f|%.2f",
		    s->duration, s->dt.mean, s->dt.sd, s->dt.min, s->dt.max);
		putf(t, "rrrrr", "step m|sd|max|turn deg|max",
		    "%.3f|%.3f|%.3f|%.2f|%.2f", s->step.mean, s->step.sd,
		    s->step.max, DEG * s->turn.mean, DEG * s->turn.max);
	}
}

/* The tables of trials: a row for each, and one for their ends. Those that say
 * themselves how it went have a report of their own, if they drove. */
static void
print_scatter(const struct pb_trajectory_found *r, double near,
    const struct pb_tty *tty, FILE *f)
{
	bool ends = r->trials > 1, some = ends, still;
	char name[256];

	still = ends && r->ends.radial_max <= near;
	for (size_t i = 0; i < r->trials; i++) {
		const struct pb_trial_spread *e = &r->trial[i];

		still |= e->scatter.radial_max <= near;
		some |= e->claims.n == 0 || e->scatter.radial_max <= near;
	}
	for (int which = 0; some && which < 3; which++) {
		struct table t = {.keys = 1};

		for (size_t i = 0; i < r->trials; i++) {
			pb_mapfile_stem(r->trial[i].file, name, sizeof(name));
			put_scatter(
			    &t, which, name, &r->trial[i].scatter, near, still);
		}
		if (which < 2 && ends)
			put_scatter(
			    &t, which, "their ends", &r->ends, near, still);
		if (which > 0)
			fputc('\n', f);
		finish(&t, tty, f);
	}
	if (ends)
		fprintf(f,
		    "\nlast poses of the %zu trials: %.4f m apart on average, "
		    "%.4f m at most\n",
		    r->trials, r->ends.apart_mean, r->ends.apart_max);
}

/* Of each trial what it says of itself, then how its poses lie, unless they
 * were compared with the truth. */
static void
print_spread(const struct pb_trajectory_found *r, double near,
    const struct pb_tty *tty, FILE *f)
{
	for (size_t i = 0; i < r->trials; i++) {
		const struct pb_trial_spread *e = &r->trial[i];

		if (e->claims.n == 0)
			continue;
		if (r->compared)
			fputc('\n', f);
		if (r->trials > 1)
			fprintf(f, "%s: ", e->file);
		print_claims(&e->claims, tty, f);
		if (!r->compared &&
		    (r->trials > 1 || e->scatter.radial_max <= near))
			fputc('\n', f);
	}
	if (!r->compared)
		print_scatter(r, near, tty, f);
}

static void
put_relations(
    struct table *t, const char *name, const struct pb_relation_errors *e)
{
	t->at = 0;
	put(t, 'l', "pose", name);
	putf(t, "rrrr", "m: mean|sd|m^2: mean|sd", "%.4f|%.4f|%.4f|%.4f",
	    e->m.mean, e->m.sd, e->m2.mean, e->m2.sd);
	putf(t, "rrrr", "deg: mean|sd|deg^2: mean|sd", "%.3f|%.3f|%.3f|%.3f",
	    DEG * e->turn.mean, DEG * e->turn.sd, DEG * DEG * e->turn2.mean,
	    DEG * DEG * e->turn2.sd);
}

/* As the tables of papers have them. */
static void
print_relations(
    const struct pb_relations_report *r, const struct pb_tty *tty, FILE *f)
{
	struct table t = {.keys = 1};

	put_relations(&t, "nearest", &r->nearest);
	put_relations(&t, "between", &r->between);
	fprintf(f, "%zu relations, %zu poses, %zu of odometry\n\n", r->n,
	    r->poses, r->odometry);
	finish(&t, tty, f);
	fprintf(f,
	    "\nfarther than %g s from a pose: %zu of %zu relations, at most "
	    "%.3f s\nwith a stamp that several places have: %zu\n",
	    PB_RELATION_NEAR, r->far, r->n, r->gap, r->repeated);
}

static void
see(void *scene, struct pb_rec *r)
{
	if (r->type != PB_REC_ODOM)
		pb_scene_build(scene, r);
}

void
pb_trajectory_show(const struct pb_bench_opts *b, char *const *files, int n)
{
	struct pb_trajectory_opts o = b->traj;
	const struct pb_render_opts look = {.scale = 0};
	const struct pb_opt_list *expect = &b->expect_text;
	struct pb_place at = {n > 0 ? files[0] : "<stdin>", 0};
	struct pb_tty tty = pb_tty_of(&(struct pb_render_opts){0}, stdout);
	struct pb_scene scene = {.bodies = 0};
	struct pb_trajectory_found r = {.trials = 0};
	struct pb_error bad;
	bool ok = pb_file_writable(b->png);

	o.see = b->png ? see : NULL;
	o.seer = &scene;
	ok = ok && pb_trajectory_run(&o, &b->common, files, n, &r);
	if (b->wide)
		tty.width = 0;
	for (int i = 0; ok && i < expect->n; i++)
		ok = pb_trajectory_has(&b->expect[i], at, &r);
	if (ok && !b->table)
		pb_trajectory_write(&o, &r);
	else if (ok && r.related)
		print_relations(&r.relations, &tty, stdout);
	else if (ok) {
		if (r.compared)
			print_errors(&r.report, &o.traj, &tty, stdout);
		print_spread(&r, o.traj.near, &tty, stdout);
	}
	for (int i = 0; ok && i < expect->n; i++)
		pb_trajectory_judge(&b->expect[i], &r);
	pb_scene_build_caption(&scene);
	if (ok && b->png && pb_plot(&scene, &look, b->png, &bad) != 0)
		pb_msg_error(&bad);
	pb_scene_clear(&scene);
	pb_trajectory_clear(&r);
}
