/* tables.c - what pb-bench found, for people: a verdict, then aligned rows. */
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

/* --- sentences --- */

enum { LEAST = 40, USUAL = 80 }; /* columns of the narrowest terminal */

/* A sentence or two; names and constants are short. */
#define TEXT 4096

/* Append to a text of TEXT bytes; longer text is cut. */
static void PB_PRINTF(2, 3) add(char *text, const char *format, ...)
{
	size_t n = strlen(text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(text + n, TEXT - n, format, ap);
	va_end(ap);
}

/* Cut *s at its next separator, and go on behind it. */
static char *
next_part(char **s, char separator)
{
	char *part = *s, *end = strchr(part, separator);

	*s = end ? end + 1 : part + strlen(part);
	if (end)
		*end = '\0';
	return part;
}

/* Print a paragraph and a blank line, as wide as the terminal; text becomes
 * empty. */
static void
print_text(char *text, const struct pb_tty *tty, FILE *f)
{
	size_t at = 0, max = tty->width == 0      ? USUAL
	                     : tty->width < LEAST ? LEAST
	                                          : (size_t)tty->width;

	for (char *s = text; *s != '\0';) {
		const char *word = next_part(&s, ' ');
		size_t n = pb_text_columns(word, strlen(word));

		if (at > 0)
			putc(at + 1 + n > max ? '\n' : ' ', f);
		at = at == 0 || at + 1 + n > max ? n : at + 1 + n;
		pb_utf8_print(word, f);
	}
	fputs("\n\n", f);
	*text = '\0';
}

/* --- a table: filled cell by cell, printed once --- */

struct column {
	char align; /* 'l' left, 'r' right */
	char *head;
	size_t at; /* of its cells in a row */
	size_t w;  /* columns of the terminal that it takes */
};

struct table {
	size_t keys;    /* columns that each part of the table begins with */
	size_t columns; /* of which the first n are shown, once it is full */
	size_t n, room;
	struct column *col;
	size_t at;   /* the column of the next cell */
	char **cell; /* row by row */
	size_t cells, cap;
};

/* Add a cell to the row: of its column, which the first row begins. */
static void
put_cell(struct table *t, char align, const char *head, const char *text)
{
	if (!pb_grow(&t->col, t->columns, &t->room, sizeof(*t->col)) ||
	    !pb_grow(&t->cell, t->cells, &t->cap, sizeof(*t->cell)))
		pb_msg_end_memory();
	if (t->at == t->columns)
		t->col[t->columns++] =
		    (struct column){align, pb_copy(head), t->at, 0};
	t->at++;
	t->cell[t->cells++] = pb_copy(text);
}

/* The same of a key. */
static void
put_key(struct table *t, const char *head, const char *text)
{
	put_cell(t, 'l', head, text);
	t->keys = t->at;
}

/* Cells and the headings of their columns, a letter of align each, with a '|'
 * between two; NaN is left empty. */
static void PB_PRINTF(4, 5) putf(struct table *t, const char *align,
    const char *heads, const char *format, ...)
{
	char text[512], head[256], *cells = text, *h = head;
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	snprintf(head, sizeof(head), "%s", heads);
	for (; *align != '\0'; align++) {
		const char *cell = next_part(&cells, '|');
		bool none = strcmp(cell + strspn(cell, "+-"), "nan") == 0;

		put_cell(t, *align, next_part(&h, '|'), none ? "" : cell);
	}
}

/* 0: the column is empty, and no key. */
static size_t
width_of(const struct table *t, const struct column *c)
{
	size_t head = pb_text_columns(c->head, strlen(c->head)), most = 0;

	for (size_t i = c->at; i < t->cells; i += t->columns) {
		size_t n = pb_text_columns(t->cell[i], strlen(t->cell[i]));

		most = n > most ? n : most;
	}
	return (most == 0 && c->at >= t->keys) || most > head ? most : head;
}

/* The end of the part that begins with column `from`, behind the keys. */
static size_t
part_end(const struct table *t, size_t from, size_t width)
{
	size_t used = 0, to = from;

	for (size_t c = 0; c < t->keys; c++)
		used += t->col[c].w + 2;
	while (to < t->n) {
		size_t next = to + 1, more = t->col[to].w + 2;

		/* One without a heading, an interval, stays with the one
		 * before it. */
		if (next < t->n && *t->col[next].head == '\0')
			more += t->col[next++].w + 2;
		if (to > from && used + more - 2 > width)
			break;
		used += more;
		to = next;
	}
	return to;
}

/* Print the keys and columns from..to - 1 of row r: 0 has the headings, 1 a
 * line of dashes. No blanks are printed at the end. */
static void
print_row(
    const struct table *t, size_t r, size_t from, size_t to, bool utf8, FILE *f)
{
	size_t blanks = 0;

	for (size_t i = 0; i < to; i = i + 1 == t->keys ? from : i + 1) {
		const struct column *c = &t->col[i];
		size_t w = c->w, at = (r - 2) * t->columns + c->at;
		const char *s = r == 0 ? c->head : r == 1 ? "" : t->cell[at];
		size_t used = r == 1 ? w : pb_text_columns(s, strlen(s));
		size_t lead = c->align == 'l' ? 0 : w - used;

		if (used == 0) {
			blanks += w + 2;
			continue;
		}
		fprintf(f, "%*s", (int)(blanks + lead), "");
		for (size_t k = 0; r == 1 && k < w; k++)
			pb_columns_put(utf8 ? 0x2500 : '-', f);
		pb_utf8_print(s, f);
		blanks = w - used - lead + 2;
	}
	putc('\n', f);
}

/* Print t as wide as the terminal and free what it has. */
static void
print_table(struct table *t, const struct pb_tty *tty, FILE *f)
{
	size_t max = tty->width == 0      ? SIZE_MAX
	             : tty->width < LEAST ? LEAST
	                                  : (size_t)tty->width;

	for (size_t c = 0; c < t->columns; c++) {
		struct column x = t->col[c];

		x.w = width_of(t, &x);
		t->col[c] = t->col[t->n];
		t->col[t->n] = x;
		t->n += x.w > 0;
	}
	for (size_t from = t->keys, to; from < t->n; from = to) {
		to = part_end(t, from, max);
		if (from > t->keys)
			putc('\n', f);
		for (size_t r = 0; r < t->cells / t->columns + 2; r++)
			print_row(t, r, from, to, tty->utf8, f);
	}
	for (size_t i = 0; i < t->columns; i++)
		free(t->col[i].head);
	for (size_t i = 0; i < t->cells; i++)
		free(t->cell[i]);
	free(t->col);
	free(t->cell);
}

/* --- benchmarks --- */

/* A summary, and how it compares. */
struct row {
	const struct pb_summary *m;
	struct pb_comparison c; /* with the first row of its map and round, or
	                           the baseline; n = 0: with none */
};

/* All of one rule set. */
struct section {
	const struct pb_bench *p;
	const struct pb_report *r;
	const char *rules;
	struct pb_criterion by;
	struct pb_opt_names vary; /* what differs beside players */
	bool trials;              /* and whether their number does */
	struct row *row;          /* owned */
	int n, compared;
	bool base;        /* ... with the baseline */
	bool differences; /* print columns of differences: the first sentence
	                     has not all of them */
};

const char *
pb_bench_value(const struct pb_trial *key, const char *name, char room[16])
{
	const char *v = pb_settings_value(key->settings, name);

	if (strcmp(name, "rules") == 0)
		return key->rules;
	if (strcmp(name, "map") == 0)
		return key->map[0] ? key->map : "unnamed map";
	if (strcmp(name, "round") == 0) {
		snprintf(room, 16, "%d", key->round);
		return room;
	}
	return v ? v : "usual";
}

/* Whether something has several values in summaries of some rules (NULL: of
 * all), or, of a constant, for one player. */
static bool
has_varied(const struct pb_report *r, const char *rules, const char *name,
    bool constant)
{
	for (int i = 0; i < r->summaries; i++) {
		const struct pb_trial *k = &r->summary[i].key, *first = NULL;
		char room[2][16];

		if (rules && strcmp(k->rules, rules) != 0)
			continue;
		for (int j = 0; !first; j++) {
			const struct pb_trial *x = &r->summary[j].key;

			if ((!rules || strcmp(x->rules, rules) == 0) &&
			    (!constant || strcmp(x->policy, k->policy) == 0))
				first = x;
		}
		if (strcmp(pb_bench_value(k, name, room[0]),
			pb_bench_value(first, name, room[1])) != 0)
			return true;
		/* Several maps may have one name. */
		if (strcmp(name, "map") == 0 && k->map_hash != first->map_hash)
			return true;
	}
	return false;
}

void
pb_bench_varied(
    const struct pb_report *r, const char *rules, struct pb_opt_names *names)
{
	static const char *const before[] = {"rules", "map"};

	names->n = 0;
	for (int i = 0; i < 2; i++)
		if (has_varied(r, rules, before[i], false))
			pb_opt_names_add(names, before[i]);
	for (int i = 0; i < r->summaries; i++) {
		const struct pb_trial *k = &r->summary[i].key;

		for (int j = 0; j < k->settings.n; j++)
			if ((!rules || strcmp(k->rules, rules) == 0) &&
			    has_varied(
				r, k->rules, k->settings.at[j].name, true))
				pb_opt_names_add(names, k->settings.at[j].name);
	}
	if (has_varied(r, rules, "round", false))
		pb_opt_names_add(names, "round");
}

/* Add its constants, those that vary or the others. */
static void
add_constants(char *text, const struct pb_opt_names *varied,
    const struct pb_trial *k, bool vary, const char *before)
{
	for (int i = 0; i < k->settings.n; i++) {
		const struct pb_setting *c = &k->settings.at[i];

		if (pb_opt_names_have(varied, c->name) != vary)
			continue;
		add(text, "%s%s=%s", before, c->name, c->value);
		before = " ";
	}
}

void
pb_bench_label(
    char label[PB_BENCH_LABEL], const struct pb_report *r, int summary)
{
	const struct pb_trial *key = &r->summary[summary].key;
	struct pb_opt_names names;
	char room[16];
	int n = snprintf(label, PB_BENCH_LABEL, "%s", key->policy);

	pb_bench_varied(r, NULL, &names);
	for (int i = 0; i < names.n && n < PB_BENCH_LABEL; i++)
		n += snprintf(label + n, PB_BENCH_LABEL - (size_t)n, " %s=%s",
		    names.name[i], pb_bench_value(key, names.name[i], room));
}

static double
percent(long k, long n)
{
	return 100.0 * (double)k / (double)n;
}

/* Begin a row: what it is of. */
static void
put_keys(struct table *t, const struct section *s, const struct pb_trial *key)
{
	char room[16];

	t->at = 0;
	put_key(t, "player", key->policy);
	for (int i = 0; i < s->vary.n; i++)
		put_key(t, s->vary.name[i],
		    pb_bench_value(key, s->vary.name[i], room));
}

static const struct pb_estimate unknown = {NAN, {NAN, NAN}};

/* Two cells: a mean and its interval times scale, empty if they are not known.
 */
static void
put_mean(struct table *t, const char *head, struct pb_estimate e, double scale,
    const char *format)
{
	char lo[32], hi[32];

	putf(t, "r", head, format, scale * e.value);
	snprintf(lo, sizeof(lo), format, scale * e.in.lo);
	snprintf(hi, sizeof(hi), format, scale * e.in.hi);
	if (isnan(e.value) || isnan(e.in.lo))
		put_cell(t, 'l', "", "");
	else
		putf(t, "l", "", "%s to %s", lo, hi);
}

/* The share of k in n, unknown of 0. */
static void
put_rate(
    struct table *t, const char *head, long k, long n, struct pb_interval in)
{
	struct pb_estimate rate = {(double)k / (double)n, in};

	put_mean(t, head, n > 0 ? rate : unknown, 100, "%.1f");
}

/* What pairs are compared by, how its mean and a difference are shown, and
 * where a summary has the mean; 0: it has a column of its own. */
struct measure {
	const char *name, *unit;
	double scale;
	const char *mean, *change;
	size_t at;
};

static const struct measure *
measure_of(const struct section *s)
{
	static const struct measure rate = {
	    "points", " points", 100, "%.1f", "%+.1f", 0};
	static const struct measure number[] = {
	    [PB_BY_SCORE] = {"score", "", 1, "%.1f", "%+.1f",
		offsetof(struct pb_summary, score)},
	    [PB_BY_RANK] = {"score", "", 1, "%.1f", "%+.1f",
		offsetof(struct pb_summary, score)},
	    [PB_BY_PELLETS] = {"pellets", "", 1, "%.2f", "%+.2f",
		offsetof(struct pb_summary, pellets)},
	    [PB_BY_TIME] = {"time", " s", 1, "%.1f", "%+.1f", 0},
	    [PB_BY_DEATHS] = {"deaths", "", 1, "%.2f", "%+.2f",
		offsetof(struct pb_summary, deaths)},
	    [PB_BY_ERROR] = {"error", " mm", 1000, "%.2f", "%+.2f", 0}};

	return pb_criterion_is_rate(s->by) ? &rate : &number[s->by.measure];
}

/* What the rule sets call a success. */
static const char successes[] = "complete|cleared|survived|reached|localized";

/* Words but for successes, as parts of n in per cent: "killed 12.1". */
static void
put_words(
    struct table *t, const char *head, const struct pb_tally_words *c, long n)
{
	char text[TEXT] = "";

	for (int i = 0; i < c->n; i++)
		if (pb_word_find(successes, c->word[i], strlen(c->word[i])) < 0)
			add(text, "%s%s %.1f", *text ? ", " : "", c->word[i],
			    percent(c->count[i], n));
	put_cell(t, 'l', head, text);
}

/* The killers' shares of the deaths. Rules of another build have numbers
 * instead of names. */
static void
put_killers(struct table *t, const struct pb_summary *m)
{
	const struct pb_rules *r = pb_rules_find(m->key.rules);
	const char *const *name = r ? r->game->killer : NULL;
	char text[TEXT] = "";
	long all = 0;

	for (int i = 0; i < m->killers; i++)
		all += m->killed[i];
	for (int i = 0; i < m->killers && all > 0; i++) {
		if (name)
			add(text, "%s%s", i ? ", " : "", name[i]);
		else
			add(text, "%s%d:", i ? ", " : "", i + 1);
		add(text, " %.1f", percent(m->killed[i], all));
	}
	put_cell(t, 'l', "killed by %", text);
}

/* What else is known of a summary: pellets where there are more than the goal,
 * scores that are no pellets, errors of localizers. */
static void
put_details(struct table *t, const struct section *s, const struct row *x)
{
	static const struct {
		const char *head;
		double scale;
	} track[PB_TRACKS] = {[PB_TRACK_MEDIAN] = {"median mm", 1000},
	    [PB_TRACK_RMS] = {"rms mm", 1000},
	    [PB_TRACK_PACE] = {"ticks a cell", 1},
	    [PB_TRACK_CELL] = {"wrong cell %", 100},
	    [PB_TRACK_LOST] = {"lost %", 100},
	    [PB_TRACK_WRONG] = {"wrong %", 100}};
	const struct pb_summary *m = x->m;
	bool many = m->total > 1;
	bool score =
	    strcmp(measure_of(s)->name, "score") != 0 &&
	    !(m->score.value >= 0 && m->score.value <= m->pellets.value);

	put_words(t, "causes %", &m->causes, m->n);
	put_killers(t, m);
	put_mean(t, "pellets", many ? m->pellets : unknown, 1, "%.2f");
	put_rate(t, "at most 1 left %", m->at_least,
	    many && m->at_least >= 0 ? m->n : 0, m->most);
	put_mean(t, "score", score ? m->score : unknown, 1, "%.1f");
	put_mean(t, "deaths", m->deaths, 1, "%.3f");
	putf(t, "r", "levels", "%.3f", m->levels_mean);
	for (int i = PB_TRACK_MEAN + 1; i < PB_TRACKS; i++)
		put_mean(t, track[i].head, m->track[i], track[i].scale, "%.2f");
	putf(t, "rrr", "pairs|better|worse", x->c.n > 0 ? "%ld|%ld|%ld" : "||",
	    x->c.n, x->c.won.first, x->c.won.second);
}

/* The row of a summary. */
static void
put_row(struct table *t, const struct section *s, const struct row *x)
{
	const struct pb_summary *m = x->m;
	const struct pb_comparison *c = &x->c;
	const struct measure *by = measure_of(s);
	bool rate = pb_criterion_is_rate(s->by), none = c->n == 0;

	put_keys(t, s, &m->key);
	if (s->trials)
		putf(t, "r", "trials", "%ld", m->n);
	put_rate(t, "success %", m->k, m->n, m->rate);
	put_mean(t, "error mm", m->track[PB_TRACK_MEAN], 1000, "%.2f");
	if (by->at != 0)
		put_mean(t, by->name,
		    *(const struct pb_estimate *)((const char *)m + by->at),
		    by->scale, by->mean);
	/* Half of the trials have no time but the limit. */
	if (2 * m->k <= m->n && m->limit > 0 && !isnan(m->time_median))
		putf(t, "r", "median s", ">%g", floor(10 * m->limit) / 10);
	else
		putf(t, "r", "median s", "%.1f", m->time_median);
	put_words(t, "failures %", &m->outcomes, m->n);
	if (s->p->o->table == PB_TABLE_ALL)
		put_details(t, s, x);
	if (!s->differences)
		return;
	put_mean(t, rate ? "points" : "difference", none ? unknown : c->effect,
	    by->scale, by->change);
	if (!none && c->p_holm < 0.001)
		put_cell(t, 'r', "p", "<0.001");
	else
		putf(t, "r", "p", "%.3f", none ? NAN : c->p_holm);
}

/* --- verdicts --- */

/* What success is called in a sentence. */
static const struct phrase {
	const char *rules, *verb, *noun;
} phrases[] = {{"pacmanbot", "completes", "rounds"},
    {"pacbot", "wins", "games"}, {"roomba", "wins", "games"},
    {"zumy", "wins", "games"}, {"localize", "localizes in", "trials"},
    {NULL, "succeeds in", "trials"}};

static const struct phrase *
phrase_of(const struct section *s)
{
	const struct phrase *w = phrases;

	while (w->rules && strcmp(w->rules, s->rules) != 0)
		w++;
	return w;
}

/* One player with the same constants, on all maps and in all rounds. */
struct side {
	int row, other; /* its first row, and that of the group it is compared
	                   with */
	int n, better, worse;
	double net;  /* shares of trials that it did better on, .. */
	double gain; /* .. and by how much */
};

static bool
same_side(const struct pb_trial *a, const struct pb_trial *b)
{
	return a->options == b->options && strcmp(a->policy, b->policy) == 0;
}

static bool
is_shown(const struct section *s, const struct pb_comparison *c)
{
	return c->p_holm <= 1 - s->p->o->confidence;
}

static struct side
side_of(const struct section *s, int i)
{
	struct side a = {.row = i};

	for (int k = i; k < s->n; k++) {
		const struct pb_comparison *c = &s->row[k].c;

		if (!same_side(&s->row[i].m->key, &s->row[k].m->key) ||
		    c->n == 0)
			continue;
		a.n++;
		a.net += c->rate.value;
		a.gain +=
		    (pb_criterion_is_less(s->by) ? -1 : 1) * c->effect.value;
		a.better += is_shown(s, c) && c->rate.value > 0;
		a.worse += is_shown(s, c) && c->rate.value < 0;
	}
	return a;
}

/* Trials that show the difference with chance PB_POWER, if that is what it is:
 * from where pb_pairs_least() begins. Rounded up to two digits. */
static double
trials_needed(const struct section *s, const struct pb_comparison *c)
{
	double alpha = (1 - s->p->o->confidence) / s->compared;
	double z = pb_normal_quantile(PB_POWER) - pb_normal_quantile(alpha / 2);
	double split = (double)(c->won.first + c->won.second) / (double)c->n;
	double need = split * z * z / (c->rate.value * c->rate.value);
	double unit = pow(10, fmax(0, floor(log10(need)) - 1));

	return ceil(need / unit) * unit;
}

/* "+45.5 points (38.6 to 52.4)" */
static void
add_estimate(char *text, struct pb_estimate e, const struct measure *by,
    const char *format, const char *unit)
{
	if (isnan(e.value))
		return;
	add(text, format, by->scale * e.value);
	add(text, "%s", unit);
	if (isnan(e.in.lo))
		return;
	add(text, " (");
	add(text, by->mean, by->scale * e.in.lo);
	add(text, " to ");
	add(text, by->mean, by->scale * e.in.hi);
	add(text, ")");
}

/* "safe completes more rounds than seed", or the like. */
static void
add_claim(char *text, const struct section *s, const char *a, const char *b,
    bool more)
{
	const struct phrase *w = phrase_of(s);
	char by[PB_TRIAL_NAME];

	pb_by_text(s->by, by, sizeof(by));
	if (!pb_criterion_is_rate(s->by))
		add(text, "%s is %s than %s by %s", a,
		    more ? "better" : "worse", b, measure_of(s)->name);
	else
		add(text, "%s %s%s%s %s %s than %s", a,
		    s->by.sense ? "keeps " : w->verb, s->by.sense ? by : "",
		    s->by.sense ? " in" : "", more ? "more" : "fewer", w->noun,
		    b);
}

/* The numbers of one comparison. */
static void
add_numbers(char *text, const struct section *s, const struct pb_comparison *c)
{
	const struct measure *by = measure_of(s);
	const char *noun = phrase_of(s)->noun;

	if (pb_criterion_is_rate(s->by)) {
		add(text, ": %.1f %% against %.1f %% of %ld%s%s, ",
		    percent(c->won.both + c->won.first, c->n),
		    percent(c->won.both + c->won.second, c->n), c->n,
		    is_shown(s, c) ? "" : " ", is_shown(s, c) ? "" : noun);
		add_estimate(text, c->rate, by, by->change, by->unit);
	} else {
		add(text, ": better in %ld of %ld %s, worse in %ld",
		    c->won.first, c->n, noun, c->won.second);
		if (!isnan(c->effect.value))
			add(text, "; %s ", by->name);
		add_estimate(text, c->effect, by, by->change, by->unit);
	}
	if (!is_shown(s, c) && c->rate.value != 0)
		add(text, "; about %.0f would if that is the difference",
		    trials_needed(s, c));
}

/* The rate of a row's side over all maps and rounds, and its trials. */
static struct pb_estimate
rate_of(const struct section *s, int row, long *n)
{
	const struct pb_summary *m = s->row[row].m;
	const struct pb_aggregate *a = s->r->aggregate;

	for (const struct pb_aggregate *end = a + s->r->aggregates; a < end;
	     a++)
		if (strcmp(a->key.rules, s->rules) == 0 &&
		    same_side(&a->key, &m->key)) {
			*n = a->n;
			return a->rate;
		}
	*n = m->n;
	return (struct pb_estimate){(double)m->k / (double)m->n, m->rate};
}

/* a, the side of a row, against b: in one comparison, or in those of several
 * maps and rounds. */
static void
say_sides(char *text, const struct section *s, const struct side *x,
    const struct pb_comparison *c, const char *a, const char *b)
{
	const struct measure *by = measure_of(s);
	bool more = x->better >= x->worse, rate = pb_criterion_is_rate(s->by);
	int most = more ? x->better : x->worse;
	long n;

	if (x->n == 1 && isnan(c->rate.value)) {
		add(text,
		    "%s and %s are not compared by %s: some %s do not tell it",
		    a, b, pb_measure_name(s->by.measure), phrase_of(s)->noun);
		return;
	}
	if (most > 0)
		add_claim(text, s, a, b, more);
	else
		add(text, "These trials cannot tell %s from %s", a, b);
	if (x->n == 1) {
		add_numbers(text, s, c);
		return;
	}
	if (most == 0)
		add(text, " in any of %d settings", x->n);
	else
		add(text, " in %d of %d settings, %s in %d", most, x->n,
		    more ? (rate ? "fewer" : "worse")
			 : (rate ? "more" : "better"),
		    more ? x->worse : x->better);
	if (s->base || s->by.measure != PB_BY_SUCCESS)
		return;
	add(text, ": ");
	add_estimate(text, rate_of(s, x->row, &n), by, by->mean, " %");
	add(text, " against ");
	add_estimate(text, rate_of(s, x->other, &n), by, by->mean, " %");
	add(text, " in all");
}

/* The sentence for a single player, without a comparison. */
static void
say_alone(char *text, const struct section *s, const char *name)
{
	const struct phrase *w = phrase_of(s);
	long n;
	struct pb_estimate rate = rate_of(s, 0, &n);

	add(text, "%s %s %.1f %% of %ld %.*s (%.1f to %.1f)", name, w->verb,
	    100 * rate.value, n, (int)strlen(w->noun) - (n == 1), w->noun,
	    100 * rate.in.lo, 100 * rate.in.hi);
}

/* The player of a row, and the constants that vary. */
static void
add_side(char *text, const struct section *s, int i)
{
	add(text, "%s", s->row[i].m->key.policy);
	add_constants(text, &s->vary, &s->row[i].m->key, true, " ");
}

static void
turn_round(struct pb_estimate *e)
{
	*e = (struct pb_estimate){-e->value, {-e->in.hi, -e->in.lo}};
}

/*
 * The best side against the first one; if that is the best, it against the
 * next; the side that changed most against the baseline.
 */
static void
say_verdict(char *text, const struct section *s)
{
	struct side best = {.row = -1};
	char a[TEXT] = "", b[TEXT] = "";
	struct pb_comparison c;
	int sides = 0;

	for (int i = 0; i < s->n; i++) {
		struct side x = side_of(s, i);
		double more = x.net - best.net;
		int k = 0;

		while (!same_side(&s->row[k].m->key, &s->row[i].m->key))
			k++;
		sides += k == i;
		if (s->base)
			more = fabs(x.net) - fabs(best.net);
		else if (more == 0)
			more = x.gain - best.gain;
		if (k == i && x.n > 0 && (best.row < 0 || more > 0))
			best = x;
	}
	if (best.row < 0) {
		add_side(a, s, 0);
		if (sides == 1)
			say_alone(text, s, a);
		else
			add(text, "No two players have a trial in common");
		return;
	}
	c = s->row[best.row].c;
	if (!s->base && best.net < 0) {
		best = (struct side){.row = 0,
		    .other = best.row,
		    .n = best.n,
		    .better = best.worse,
		    .worse = best.better};
		c.won = (struct pb_pairs){
		    c.won.both, c.won.second, c.won.first, c.won.none};
		turn_round(&c.rate);
		turn_round(&c.effect);
	}
	add_side(a, s, best.row);
	if (sides > (s->base ? 1 : 2))
		add(a, s->base ? " (most changed of %d)" : " (best of %d)",
		    sides);
	if (s->base)
		add(b, "the baseline");
	else
		add_side(b, s, best.other);
	say_sides(text, s, &best, &c, a, b);
}

/* What all rows have in common. */
static void
say_caption(char *text, const struct section *s)
{
	const struct pb_summary *m = s->row[0].m;
	const struct pb_trial *key = &m->key;
	bool one = true;

	for (int i = 0; i < s->n; i++)
		one &=
		    s->row[i].m->one_seed && s->row[i].m->key.seed == key->seed;
	add(text, "%s", s->rules);
	if (!pb_opt_names_have(&s->vary, "map"))
		add(text, ", %s", pb_bench_value(key, "map", NULL));
	if (!pb_opt_names_have(&s->vary, "round") && m->total > 0)
		add(text, ", round %d", key->round);
	if (!s->trials)
		add(text, ", %ld trial%s%s", m->n, m->n > 1 ? "s" : "",
		    s->n > 1 ? " each" : "");
	add(text, one ? ", seed %" PRIu64 : ", several seeds", key->seed);
	if (key->preset[0])
		add(text, ", preset %s", key->preset);
	add_constants(text, &s->vary, key, false, ", ");
	add(text, "; %g %% intervals", 100 * s->p->o->confidence);
	if (s->differences)
		add(text, "; %s: from the %s; p: McNemar, Holm",
		    pb_criterion_is_rate(s->by) ? "points" : "difference",
		    s->base ? "baseline"
		    : pb_opt_names_have(&s->vary, "map") ||
			    pb_opt_names_have(&s->vary, "round")
			? "first row of the setting"
			: "first row");
}

/* --- all of it --- */

/* Compare row x of the section, which is not among them yet, with the baseline
 * or the first one of its map and round. */
static void
compare_row(struct section *s, struct row *x)
{
	const struct pb_report *r = s->r;
	const struct pb_tally *t = s->p->tally;
	int i = (int)(x->m - r->summary), k = 0;

	for (int j = 0; j < r->againsts; j++)
		if (r->against[j].first == i)
			x->c = r->against[j];
	while (k < s->n && (s->row[k].m->key.map_hash != x->m->key.map_hash ||
			       s->row[k].m->key.round != x->m->key.round))
		k++;
	if (!s->base && k < s->n &&
	    pb_tally_compare(t, i, t, (int)(s->row[k].m - r->summary), s->by,
		s->p->o->confidence, &x->c) == PB_ENOMEM)
		pb_msg_end_memory();
	s->compared += x->c.n > 0;
}

/* The rows of the section; Holm's correction is over all of them. */
static void
fill_rows(struct section *s)
{
	const struct pb_report *r = s->r;
	size_t room = (size_t)r->summaries, m = 0;
	double *p = pb_alloc(2 * room, sizeof(*p));

	s->row = pb_alloc(room, sizeof(*s->row));
	for (int i = 0; i < r->summaries; i++) {
		struct row x = {.m = &r->summary[i]};

		if (strcmp(x.m->key.rules, s->rules) != 0)
			continue;
		compare_row(s, &x);
		p[m] = x.c.p;
		m += x.c.n > 0;
		s->row[s->n++] = x;
		s->trials |= x.m->n != s->row[0].m->n;
	}
	pb_bench_varied(r, s->rules, &s->vary);
	s->differences = m > 1 || (m && s->p->o->table == PB_TABLE_ALL);
	pb_holm(p, m, p + room);
	for (int i = s->n; i > 0; i--)
		if (s->row[i - 1].c.n > 0)
			s->row[i - 1].c.p_holm = p[room + --m];
	free(p);
}

static void
print_section(struct section *s, const struct pb_tty *tty, FILE *f)
{
	struct table t = {.keys = 0};
	char text[TEXT] = "";

	fill_rows(s);
	say_verdict(text, s);
	add(text, ".");
	print_text(text, tty, f);
	say_caption(text, s);
	print_text(text, tty, f);
	for (int i = 0; i < s->n; i++)
		put_row(&t, s, &s->row[i]);
	print_table(&t, tty, f);
	free(s->row);
}

void
pb_bench_tables(const struct pb_bench *p, const struct pb_tty *tty, FILE *f)
{
	const struct pb_report *r = p->report;

	for (int i = 0; i < r->summaries; i++) {
		const char *rules = r->summary[i].key.rules;
		int first = 0;

		while (strcmp(r->summary[first].key.rules, rules) != 0)
			first++;
		if (first < i)
			continue;
		if (i > 0)
			putc('\n', f);
		print_section(&(struct section){.p = p,
				  .r = r,
				  .rules = rules,
				  .by = pb_bench_by(p->o, rules),
				  .base = r->againsts > 0},
		    tty, f);
	}
}

/* --- how far estimated poses are from the true ones --- */

#define DEG (180 / PB_PI)

static void
put_error(
    struct table *t, const char *name, const struct pb_traj_error *e, bool all)
{
	const struct pb_spread *m = &e->place, *a = &e->turn;

	t->at = 0;
	put_key(t, "error", name);
	putf(t, "rrr", "poses|rms m|max m", "%zu|%.3f|%.3f", e->n, m->rmse,
	    m->max);
	putf(t, "rr", "rms deg|max deg", "%.2f|%.2f", DEG * a->rmse,
	    DEG * a->max);
	if (all)
		putf(t, "rrrr", "mean m|median m|mean deg|median deg",
		    "%.3f|%.3f|%.2f|%.2f", m->mean, m->median, DEG * a->mean,
		    DEG * a->median);
}

/* Relative errors over some seconds, metres and poses. */
static void
print_errors(const struct pb_traj_report *r, const struct pb_traj_opts *o,
    bool all, const struct pb_tty *tty, FILE *f)
{
	struct table t = {.keys = 0};
	char text[TEXT] = "", step[32];

	add(text,
	    "The estimates are off by %.3f m and %.2f degrees (root mean "
	    "square of %zu), by %.3f m at most; ",
	    r->ate.place.rmse, DEG * r->ate.turn.rmse, r->pairs,
	    r->ate.place.max);
	if (isfinite(r->found))
		add(text, "found after %.1f s, ", r->found);
	else
		add(text, "never found, ");
	if (r->wrong > 0)
		add(text, "%zu times sure and wrong", r->wrong);
	else
		add(text, "never sure and wrong");
	if (r->alone > r->pairs)
		add(text, "; nobody knows of %zu more", r->alone);
	add(text, ".");
	print_text(text, tty, f);
	add(text, "%.1f m in %.1f s", r->length, r->duration);
	if (r->alone > 0)
		add(text, ", %zu without a true pose", r->alone);
	if (r->between > 0)
		add(text, ", %zu between two", r->between);
	if (r->numbered)
		add(text, ", poses numbered as one a second");
	add(text, "; wrong: more than %g m or %g degrees off", o->near,
	    DEG * o->near_turn);
	print_text(text, tty, f);
	put_error(&t, "absolute", &r->ate, all);
	put_error(&t, "best aligned", &r->ate_best, all);
	snprintf(step, sizeof(step), "over %g s", o->step_s);
	put_error(&t, step, &r->rpe_s, all);
	snprintf(step, sizeof(step), "over %g m", o->step_m);
	put_error(&t, step, &r->rpe_m, all);
	print_table(&t, tty, f);
}

/* "; lost twice, near (3.1, 2.0)": up to five places that are not about one. */
static void
add_losses(
    char *text, const char *what, const struct pb_timed_list *l, double share)
{
	const char *before = ", near";

	if (l->n == 0 && share > 0) /* before it was known, or after doubts */
		add(text, "; %s %.0f %%", what, ceil(100 * share));
	else if (l->n == 0)
		add(text, "; never %s", what);
	else if (l->n < 3)
		add(text, "; %s %s", what, l->n == 1 ? "once" : "twice");
	else
		add(text, "; %s %zu times", what, l->n);
	for (size_t i = 0, told = 0; i < l->n && told < 5; i++) {
		struct pb_pose p = l->at[i].p;
		size_t k = 0;

		while (k < i && pb_pose_dist(p, l->at[k].p) >= 1)
			k++;
		if (k < i)
			continue;
		add(text, "%s (%.1f, %.1f)", before, p.x, p.y);
		before = ",";
		told++;
	}
}

/* Jumps with place and time. */
static void
add_jumps(char *text, const struct pb_claims *c)
{
	enum { MOST = 10 };

	if (c->jump.n == 0 && (c->wheels || isfinite(c->fit)))
		add(text, "; no jumps");
	for (size_t i = 0; i < c->jump.n && i < MOST; i++) {
		const struct pb_timed *x = &c->jump.at[i];

		add(text, "%s%.2f m to (%.1f, %.1f)",
		    i ? ", " : "; jumps: ", x->jump, x->p.x, x->p.y);
		if (isfinite(x->t))
			add(text, " at %.1f s", x->t);
	}
	if (c->jump.n > MOST)
		add(text, ", and %zu more", c->jump.n - MOST);
}

/* Whether a localizer says that it knew, and what else it says of itself;
 * file: "" or whose words they are. */
static void
print_claims(const struct pb_claims *c, const char *file,
    const struct pb_tty *tty, FILE *f)
{
	bool way = c->way > 0;
	const double *share = way ? c->gone : c->time;
	double known = share[PB_LOC_TRACKING];
	struct table t = {.keys = 0};
	char text[TEXT] = "";

	add(text, "%s%s robot ", file, *file ? ": the" : "The");
	if (known > 0)
		add(text, "says that it knows where it is: %.0f %%",
		    floor(100 * known));
	else
		add(text,
		    "never says that it knows where it is: lost %.0f, "
		    "ambiguous %.0f %%",
		    ceil(100 * share[PB_LOC_LOST]),
		    floor(100 * share[PB_LOC_AMBIGUOUS]));
	add(text, " of the %s", way ? "way" : "time");
	if (known > 0)
		add_losses(text, "lost", &c->lost, share[PB_LOC_LOST]);
	if (c->unmapped.n > 0)
		add_losses(text, "off the map", &c->unmapped, 0);
	add(text, ".");
	print_text(text, tty, f);
	add(text, "%zu estimates in %.1f s, %.1f m%s; ", c->n, c->duration,
	    c->way, c->wheels ? " by the wheels" : "");
	if (isfinite(c->known_s))
		add(text, "first known after %.1f s, %.1f m", c->known_s,
		    c->known_m);
	else
		add(text, "never known");
	if (isfinite(c->fit))
		add(text, "; median fit %.2f", c->fit);
	add_jumps(text, c);
	print_text(text, tty, f);
	for (int s = PB_LOC_TRACKING; s >= 0; s--) {
		t.at = 0;
		put_key(
		    &t, "status", pb_loc_status_text((enum pb_loc_status)s));
		putf(&t, "rr", "time %|way %", "%.1f|%.1f", 100 * c->time[s],
		    100 * c->gone[s]);
	}
	print_table(&t, tty, f);
}

/* The poses of a trial, or the ends of several. Means are of robots that stood
 * still. */
static void
put_scatter(struct table *t, const char *name, const struct pb_scatter *s,
    double near, bool all)
{
	double mean = s->radial_max <= near ? 0 : NAN;

	t->at = 0;
	put_key(t, "trial", name);
	putf(t, "rrrrrrr",
	    "poses|sd x m|sd y m|sd deg|mean off m|max off m|"
	    "max off deg",
	    "%zu|%.4f|%.4f|%.2f|%.4f|%.4f|%.2f", s->n, s->sd[0], s->sd[1],
	    DEG * s->sd[2], s->radial_mean, s->radial_max, DEG * s->turn_max);
	if (all)
		putf(t, "rrrrrr",
		    "mean x m|mean y m|mean deg|sigma x m|sigma y m|sigma deg",
		    "%.4f|%.4f|%.2f|%.3f|%.3f|%.2f", mean + s->mean.x,
		    mean + s->mean.y, mean + DEG * s->mean.th, s->sigma[0],
		    s->sigma[1], DEG * s->sigma[2]);
}

/* How the poses of each trial lie, and the ends of several. */
static void
print_scatter(const struct pb_trajectory_found *r, double near, bool all,
    const struct pb_tty *tty, FILE *f)
{
	const struct pb_scatter *one = &r->trial[0].scatter;
	bool ends = r->trials > 1;
	struct table t = {.keys = 0};
	char text[TEXT] = "", name[256];

	if (ends)
		add(text, "The last poses of the %zu trials are %.4f m apart",
		    r->trials, r->ends.apart_mean);
	else
		add(text, "%zu poses are %.4f m from their mean place", one->n,
		    one->radial_mean);
	add(text, " on average, %.4f m at most.",
	    ends ? r->ends.apart_max : one->radial_max);
	print_text(text, tty, f);
	for (size_t i = 0; i < r->trials; i++) {
		pb_mapfile_stem(r->trial[i].file, name, sizeof(name));
		put_scatter(&t, name, &r->trial[i].scatter, near, all);
	}
	if (ends)
		put_scatter(&t, "their ends", &r->ends, near, all);
	print_table(&t, tty, f);
}

/* How poses lie, unless they were compared with the truth or one trial that
 * drove says itself how it went; and what each trial says of itself. */
static void
print_spread(const struct pb_trajectory_found *r, double near, bool all,
    const struct pb_tty *tty, FILE *f)
{
	const struct pb_trial_spread *e = r->trial;
	bool drove =
	    r->trials == 1 && e->claims.n > 0 && e->scatter.radial_max > near;
	bool begun = r->compared || !drove;

	if (!r->compared && !drove)
		print_scatter(r, near, all, tty, f);
	for (; e < r->trial + r->trials; e++) {
		if (e->claims.n == 0)
			continue;
		if (begun)
			fputc('\n', f);
		print_claims(&e->claims, r->trials > 1 ? e->file : "", tty, f);
		begun = true;
	}
}

/* The records have the deviations and the squares of papers' tables. */
static void
print_relations(
    const struct pb_relations_report *r, const struct pb_tty *tty, FILE *f)
{
	char text[TEXT] = "";

	add(text,
	    "%zu relations are off by %.4f m and %.3f degrees on average.",
	    r->n, r->nearest.m.mean, DEG * r->nearest.turn.mean);
	print_text(text, tty, f);
	add(text,
	    "%zu poses, %zu of odometry; farther than %g s from a pose: %zu "
	    "relations, at most %.3f s; with a stamp that several places "
	    "have: %zu",
	    r->poses, r->odometry, PB_RELATION_NEAR, r->far, r->gap,
	    r->repeated);
	print_text(text, tty, f);
}

static void
see_summary(void *scene, struct pb_rec *r)
{
	if (r->type != PB_REC_ODOM)
		pb_scene_build(scene, r);
}

void
pb_trajectory_show(const struct pb_bench_opts *b, char *const *files, int n)
{
	struct pb_trajectory_opts o = b->traj;
	const struct pb_render_opts look = {.trail = 0};
	const struct pb_opt_list *expect = &b->expect_text;
	struct pb_place at = {n > 0 ? files[0] : "<stdin>", 0};
	struct pb_tty tty = pb_tty_of(&(struct pb_render_opts){0}, stdout);
	struct pb_scene scene = {.bodies = 0};
	struct pb_trajectory_found r = {.trials = 0};
	struct pb_error bad;
	bool all = b->table == PB_TABLE_ALL, ok = pb_file_writable(b->png);

	o.see = b->png ? see_summary : NULL;
	o.seer = &scene;
	ok = ok && pb_trajectory_run(&o, &b->common, files, n, &r);
	for (int i = 0; ok && i < expect->n; i++)
		ok = pb_trajectory_has(&b->expect[i], at, &r);
	if (ok && !b->table) {
		pb_trajectory_write(&o, &r);
	} else if (ok && r.related) {
		print_relations(&r.relations, &tty, stdout);
	} else if (ok) {
		if (r.compared)
			print_errors(&r.report, &o.traj, all, &tty, stdout);
		print_spread(&r, o.traj.near, all, &tty, stdout);
	}
	for (int i = 0; ok && i < expect->n; i++)
		pb_trajectory_judge(&b->expect[i], &r);
	pb_scene_build_caption(&scene);
	if (ok && b->png && pb_plot(&scene, &look, b->png, &bad) != 0)
		pb_msg_error(&bad);
	pb_scene_clear(&scene);
	pb_trajectory_clear(&r);
}
