/* tables.c - results of pb-bench for people: a verdict, then aligned tables. */
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

enum {
	LEAST = 40,
	USUAL = 80
}; /* columns of the narrowest and the default terminal */

/* Bytes of a paragraph. */
#define TEXT 4096

/* Append to a text of TEXT bytes; cut longer text. */
static void PB_PRINTF(2, 3) append(char *text, const char *format, ...)
{
	size_t n = strlen(text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(text + n, TEXT - n, format, ap);
	va_end(ap);
}

/* Cut *s at the next separator, and move it behind. */
static char *
next_part(char **s, char separator)
{
	char *part = *s, *end = strchr(part, separator);

	*s = end ? end + 1 : part + strlen(part);
	if (end)
		*end = '\0';
	return part;
}

/* Print text as a paragraph and a blank line, as wide as the terminal; then
 * empty it. */
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

/* --- tables --- */

struct column {
	char align; /* 'l' left, 'r' right */
	char *head;
	size_t at; /* index of its cells in a row */
	size_t w;  /* width on the terminal */
};

struct table {
	size_t keys;    /* columns repeated in each part of the table */
	size_t columns; /* n: those in use */
	size_t n, room;
	struct column *col;
	size_t at;   /* column of the next cell */
	char **cell; /* row by row */
	size_t cells, cap;
};

/* Add a cell to the row; the first row also adds its column. */
static void
add_cell(struct table *t, char align, const char *head, const char *text)
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

/* Add a cell to a key column. */
static void
add_key(struct table *t, const char *head, const char *text)
{
	add_cell(t, 'l', head, text);
	t->keys = t->at;
}

/* Add formatted cells, separated by '|', with a letter of align and a heading
 * each; NaN gives an empty cell. */
static void PB_PRINTF(4, 5) add_cells(struct table *t, const char *align,
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

		add_cell(t, *align, next_part(&h, '|'), none ? "" : cell);
	}
}

/* Width of a column; 0: no row has a value in it, and it is no key. */
static size_t
column_width(const struct table *t, const struct column *c)
{
	size_t head = pb_text_columns(c->head, strlen(c->head)), most = 0;

	for (size_t i = c->at; i < t->cells; i += t->columns) {
		size_t n = pb_text_columns(t->cell[i], strlen(t->cell[i]));

		most = n > most ? n : most;
	}
	return (most == 0 && c->at >= t->keys) || most > head ? most : head;
}

/* End of the part that begins with column `from`, behind the keys. */
static size_t
find_part_end(const struct table *t, size_t from, size_t width)
{
	size_t used = 0, to = from;

	for (size_t c = 0; c < t->keys; c++)
		used += t->col[c].w + 2;
	while (to < t->n) {
		size_t next = to + 1, more = t->col[to].w + 2;

		/* An interval, without heading, stays with its number. */
		if (next < t->n && *t->col[next].head == '\0')
			more += t->col[next++].w + 2;
		if (to > from && used + more - 2 > width)
			break;
		used += more;
		to = next;
	}
	return to;
}

/* Print row r: keys and columns from..to - 1; r 0: headings, 1: dashes. No
 * blanks at the end. */
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

/* Print t as wide as the terminal, and free it. */
static void
print_table(struct table *t, const struct pb_tty *tty, FILE *f)
{
	size_t max = tty->width == 0      ? SIZE_MAX
	             : tty->width < LEAST ? LEAST
	                                  : (size_t)tty->width;

	for (size_t c = 0; c < t->columns; c++) {
		struct column x = t->col[c];

		x.w = column_width(t, &x);
		t->col[c] = t->col[t->n];
		t->col[t->n] = x;
		t->n += x.w > 0;
	}
	for (size_t from = t->keys, to; from < t->n; from = to) {
		to = find_part_end(t, from, max);
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

/* A summary and its comparison. */
struct row {
	const struct pb_summary *m;
	struct pb_comparison c; /* with the first row of its map and round, or
	                           the baseline; n 0: none */
};

/* The results of one rule set. */
struct section {
	const struct pb_bench *p;
	const struct pb_report *r;
	const char *rules;
	struct pb_criterion by;
	struct pb_opt_names vary; /* what differs besides players */
	bool trials;              /* the numbers of trials differ */
	struct row *row;          /* owned */
	int n, compared;
	bool base;        /* compared with the baseline */
	bool differences; /* print columns of differences, as the verdict lacks
	                     some */
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

/* Whether a property has several values in summaries of some rules (NULL: of
 * all) or, for a constant, of one player. */
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
		/* Different maps may have the same name. */
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

/* Append the constants that vary, or the others. */
static void
add_constants(char *text, const struct pb_opt_names *varied,
    const struct pb_trial *k, bool vary, const char *before)
{
	for (int i = 0; i < k->settings.n; i++) {
		const struct pb_setting *c = &k->settings.at[i];

		if (pb_opt_names_have(varied, c->name) != vary)
			continue;
		append(text, "%s%s=%s", before, c->name, c->value);
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
to_percent(long k, long n)
{
	return 100.0 * (double)k / (double)n;
}

/* Begin a row with its keys. */
static void
add_keys(struct table *t, const struct section *s, const struct pb_trial *key)
{
	char room[16];

	t->at = 0;
	add_key(t, "player", key->policy);
	for (int i = 0; i < s->vary.n; i++)
		add_key(t, s->vary.name[i],
		    pb_bench_value(key, s->vary.name[i], room));
}

static const struct pb_estimate unknown = {NAN, {NAN, NAN}};

/* Add cells with a mean and its interval, times scale; empty if unknown. */
static void
add_mean(struct table *t, const char *head, struct pb_estimate e, double scale,
    const char *format)
{
	char lo[32], hi[32];

	add_cells(t, "r", head, format, scale * e.value);
	snprintf(lo, sizeof(lo), format, scale * e.in.lo);
	snprintf(hi, sizeof(hi), format, scale * e.in.hi);
	if (isnan(e.value) || isnan(e.in.lo))
		add_cell(t, 'l', "", "");
	else
		add_cells(t, "l", "", "%s to %s", lo, hi);
}

/* Add the share of k in n; unknown if n is 0. */
static void
add_rate(
    struct table *t, const char *head, long k, long n, struct pb_interval in)
{
	struct pb_estimate rate = {(double)k / (double)n, in};

	add_mean(t, head, n > 0 ? rate : unknown, 100, "%.1f");
}

/* A measure of pairs: how its mean and differences are printed, and its member
 * of a summary; 0: it has its own column. */
struct measure {
	const char *name, *unit;
	double scale;
	const char *mean, *change;
	size_t at;
};

static const struct measure *
find_measure(const struct section *s)
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

/* Outcomes that count as success, of all rule sets. */
static const char successes[] = "complete|cleared|survived|reached|localized";

/* Add outcomes other than success with their shares: "killed 12.1". */
static void
add_outcomes(
    struct table *t, const char *head, const struct pb_tally_words *c, long n)
{
	char text[TEXT] = "";

	for (int i = 0; i < c->n; i++)
		if (pb_word_find(successes, c->word[i], strlen(c->word[i])) < 0)
			append(text, "%s%s %.1f", *text ? ", " : "", c->word[i],
			    to_percent(c->count[i], n));
	add_cell(t, 'l', head, text);
}

/* Add the killers' shares of deaths. Rule sets of another build have numbers
 * instead of names. */
static void
add_killers(struct table *t, const struct pb_summary *m)
{
	const struct pb_rules *r = pb_rules_find(m->key.rules);
	const char *const *name = r ? r->game->killer : NULL;
	char text[TEXT] = "";
	long all = 0;

	for (int i = 0; i < m->killers; i++)
		all += m->killed[i];
	for (int i = 0; i < m->killers && all > 0; i++) {
		if (name)
			append(text, "%s%s", i ? ", " : "", name[i]);
		else
			append(text, "%s%d:", i ? ", " : "", i + 1);
		append(text, " %.1f", to_percent(m->killed[i], all));
	}
	add_cell(t, 'l', "killed by %", text);
}

/* Add further results: pellets if there are more than the goal, scores other
 * than pellets, errors of localizers. */
static void
add_details(struct table *t, const struct section *s, const struct row *x)
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
	    strcmp(find_measure(s)->name, "score") != 0 &&
	    !(m->score.value >= 0 && m->score.value <= m->pellets.value);

	add_outcomes(t, "causes %", &m->causes, m->n);
	add_killers(t, m);
	add_mean(t, "pellets", many ? m->pellets : unknown, 1, "%.2f");
	add_rate(t, "at most 1 left %", m->at_least,
	    many && m->at_least >= 0 ? m->n : 0, m->most);
	add_mean(t, "score", score ? m->score : unknown, 1, "%.1f");
	add_mean(t, "deaths", m->deaths, 1, "%.3f");
	add_cells(t, "r", "levels", "%.3f", m->levels_mean);
	for (int i = PB_TRACK_MEAN + 1; i < PB_TRACKS; i++)
		add_mean(t, track[i].head, m->track[i], track[i].scale, "%.2f");
	add_cells(t, "rrr", "pairs|better|worse",
	    x->c.n > 0 ? "%ld|%ld|%ld" : "||", x->c.n, x->c.won.first,
	    x->c.won.second);
}

/* Add the row of a summary. */
static void
add_row(struct table *t, const struct section *s, const struct row *x)
{
	const struct pb_summary *m = x->m;
	const struct pb_comparison *c = &x->c;
	const struct measure *by = find_measure(s);
	bool rate = pb_criterion_is_rate(s->by), none = c->n == 0;

	add_keys(t, s, &m->key);
	if (s->trials)
		add_cells(t, "r", "trials", "%ld", m->n);
	add_rate(t, "success %", m->k, m->n, m->rate);
	add_mean(t, "error mm", m->track[PB_TRACK_MEAN], 1000, "%.2f");
	if (by->at != 0)
		add_mean(t, by->name,
		    *(const struct pb_estimate *)((const char *)m + by->at),
		    by->scale, by->mean);
	/* If half of the trials fail, the median time is the limit. */
	if (2 * m->k <= m->n && m->limit > 0 && !isnan(m->time_median))
		add_cells(t, "r", "median s", ">%g", floor(10 * m->limit) / 10);
	else
		add_cells(t, "r", "median s", "%.1f", m->time_median);
	add_outcomes(t, "failures %", &m->outcomes, m->n);
	if (s->p->o->table == PB_TABLE_ALL)
		add_details(t, s, x);
	if (!s->differences)
		return;
	add_mean(t, rate ? "points" : "difference", none ? unknown : c->effect,
	    by->scale, by->change);
	if (!none && c->p_holm < 0.001)
		add_cell(t, 'r', "p", "<0.001");
	else
		add_cells(t, "r", "p", "%.3f", none ? NAN : c->p_holm);
}

/* --- verdicts --- */

/* Words for success in a sentence. */
static const struct phrase {
	const char *rules, *verb, *noun;
} phrases[] = {{"pacmanbot", "completes", "rounds"},
    {"pacbot", "wins", "games"}, {"roomba", "wins", "games"},
    {"zumy", "wins", "games"}, {"localize", "localizes in", "trials"},
    {NULL, "succeeds in", "trials"}};

static const struct phrase *
find_phrase(const struct section *s)
{
	const struct phrase *w = phrases;

	while (w->rules && strcmp(w->rules, s->rules) != 0)
		w++;
	return w;
}

/* One player with the same constants, over all maps and rounds. */
struct side {
	int row, other; /* its first row, and that of the group compared with */
	int n, better, worse;
	double net;  /* share of trials with a better result, minus worse ... */
	double gain; /* ... and mean difference */
};

static bool
is_same_side(const struct pb_trial *a, const struct pb_trial *b)
{
	return a->options == b->options && strcmp(a->policy, b->policy) == 0;
}

static bool
is_shown(const struct section *s, const struct pb_comparison *c)
{
	return c->p_holm <= 1 - s->p->o->confidence;
}

static struct side
sum_side(const struct section *s, int i)
{
	struct side a = {.row = i};

	for (int k = i; k < s->n; k++) {
		const struct pb_comparison *c = &s->row[k].c;

		if (!is_same_side(&s->row[i].m->key, &s->row[k].m->key) ||
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

/* Trials that would show the difference with probability PB_POWER, if it is
 * true, as pb_pairs_least() computes; rounded up to two digits. */
static double
count_trials_needed(const struct section *s, const struct pb_comparison *c)
{
	double alpha = (1 - s->p->o->confidence) / s->compared;
	double z = pb_normal_quantile(PB_POWER) - pb_normal_quantile(alpha / 2);
	double split = (double)(c->won.first + c->won.second) / (double)c->n;
	double need = split * z * z / (c->rate.value * c->rate.value);
	double unit = pow(10, fmax(0, floor(log10(need)) - 1));

	return ceil(need / unit) * unit;
}

/* Append "+45.5 points (38.6 to 52.4)". */
static void
append_estimate(char *text, struct pb_estimate e, const struct measure *by,
    const char *format, const char *unit)
{
	if (isnan(e.value))
		return;
	append(text, format, by->scale * e.value);
	append(text, "%s", unit);
	if (isnan(e.in.lo))
		return;
	append(text, " (");
	append(text, by->mean, by->scale * e.in.lo);
	append(text, " to ");
	append(text, by->mean, by->scale * e.in.hi);
	append(text, ")");
}

/* Append "safe completes more rounds than seed", or the like. */
static void
append_claim(char *text, const struct section *s, const char *a, const char *b,
    bool more)
{
	const struct phrase *w = find_phrase(s);
	char by[PB_TRIAL_NAME];

	pb_by_text(s->by, by, sizeof(by));
	if (!pb_criterion_is_rate(s->by))
		append(text, "%s is %s than %s by %s", a,
		    more ? "better" : "worse", b, find_measure(s)->name);
	else
		append(text, "%s %s%s%s %s %s than %s", a,
		    s->by.sense ? "keeps " : w->verb, s->by.sense ? by : "",
		    s->by.sense ? " in" : "", more ? "more" : "fewer", w->noun,
		    b);
}

/* Append the numbers of one comparison. */
static void
append_numbers(
    char *text, const struct section *s, const struct pb_comparison *c)
{
	const struct measure *by = find_measure(s);
	const char *noun = find_phrase(s)->noun;

	if (pb_criterion_is_rate(s->by)) {
		append(text, ": %.1f %% against %.1f %% of %ld%s%s, ",
		    to_percent(c->won.both + c->won.first, c->n),
		    to_percent(c->won.both + c->won.second, c->n), c->n,
		    is_shown(s, c) ? "" : " ", is_shown(s, c) ? "" : noun);
		append_estimate(text, c->rate, by, by->change, by->unit);
	} else {
		append(text, ": better in %ld of %ld %s, worse in %ld",
		    c->won.first, c->n, noun, c->won.second);
		if (!isnan(c->effect.value))
			append(text, "; %s ", by->name);
		append_estimate(text, c->effect, by, by->change, by->unit);
	}
	if (!is_shown(s, c) && c->rate.value != 0)
		append(text, "; about %.0f would if that is the difference",
		    count_trials_needed(s, c));
}

/* The rate of a row's player over all maps and rounds, and its trials. */
static struct pb_estimate
sum_rate(const struct section *s, int row, long *n)
{
	const struct pb_summary *m = s->row[row].m;
	const struct pb_aggregate *a = s->r->aggregate;

	for (const struct pb_aggregate *end = a + s->r->aggregates; a < end;
	     a++)
		if (strcmp(a->key.rules, s->rules) == 0 &&
		    is_same_side(&a->key, &m->key)) {
			*n = a->n;
			return a->rate;
		}
	*n = m->n;
	return (struct pb_estimate){(double)m->k / (double)m->n, m->rate};
}

/* Append the comparison of a, the player of a row, with b: of one map and
 * round, or of several. */
static void
append_comparison(char *text, const struct section *s, const struct side *x,
    const struct pb_comparison *c, const char *a, const char *b)
{
	const struct measure *by = find_measure(s);
	bool more = x->better >= x->worse, rate = pb_criterion_is_rate(s->by);
	int most = more ? x->better : x->worse;
	long n;

	if (x->n == 1 && isnan(c->rate.value)) {
		append(text,
		    "%s and %s are not compared by %s: some %s do not tell it",
		    a, b, pb_measure_name(s->by.measure), find_phrase(s)->noun);
		return;
	}
	if (most > 0)
		append_claim(text, s, a, b, more);
	else
		append(text, "These trials cannot tell %s from %s", a, b);
	if (x->n == 1) {
		append_numbers(text, s, c);
		return;
	}
	if (most == 0)
		append(text, " in any of %d settings", x->n);
	else
		append(text, " in %d of %d settings, %s in %d", most, x->n,
		    more ? (rate ? "fewer" : "worse")
			 : (rate ? "more" : "better"),
		    more ? x->worse : x->better);
	if (s->base || s->by.measure != PB_BY_SUCCESS)
		return;
	append(text, ": ");
	append_estimate(text, sum_rate(s, x->row, &n), by, by->mean, " %");
	append(text, " against ");
	append_estimate(text, sum_rate(s, x->other, &n), by, by->mean, " %");
	append(text, " in all");
}

/* Append the sentence about a single player. */
static void
append_alone(char *text, const struct section *s, const char *name)
{
	const struct phrase *w = find_phrase(s);
	long n;
	struct pb_estimate rate = sum_rate(s, 0, &n);

	append(text, "%s %s %.1f %% of %ld %.*s (%.1f to %.1f)", name, w->verb,
	    100 * rate.value, n, (int)strlen(w->noun) - (n == 1), w->noun,
	    100 * rate.in.lo, 100 * rate.in.hi);
}

/* Append the player of a row, and the constants that vary. */
static void
append_side(char *text, const struct section *s, int i)
{
	append(text, "%s", s->row[i].m->key.policy);
	add_constants(text, &s->vary, &s->row[i].m->key, true, " ");
}

static void
negate(struct pb_estimate *e)
{
	*e = (struct pb_estimate){-e->value, {-e->in.hi, -e->in.lo}};
}

/*
 * Append the verdict: the best player compared with the first; if the first is
 * the best, compared with the next; with a baseline, the player that changed
 * most.
 */
static void
append_verdict(char *text, const struct section *s)
{
	struct side best = {.row = -1};
	char a[TEXT] = "", b[TEXT] = "";
	struct pb_comparison c;
	int sides = 0;

	for (int i = 0; i < s->n; i++) {
		struct side x = sum_side(s, i);
		double more = x.net - best.net;
		int k = 0;

		while (!is_same_side(&s->row[k].m->key, &s->row[i].m->key))
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
		append_side(a, s, 0);
		if (sides == 1)
			append_alone(text, s, a);
		else
			append(text, "No two players have a trial in common");
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
		negate(&c.rate);
		negate(&c.effect);
	}
	append_side(a, s, best.row);
	if (sides > (s->base ? 1 : 2))
		append(a, s->base ? " (most changed of %d)" : " (best of %d)",
		    sides);
	if (s->base)
		append(b, "the baseline");
	else
		append_side(b, s, best.other);
	append_comparison(text, s, &best, &c, a, b);
}

/* Append what all rows have in common. */
static void
append_caption(char *text, const struct section *s)
{
	const struct pb_summary *m = s->row[0].m;
	const struct pb_trial *key = &m->key;
	bool one = true;

	for (int i = 0; i < s->n; i++)
		one &=
		    s->row[i].m->one_seed && s->row[i].m->key.seed == key->seed;
	append(text, "%s", s->rules);
	if (!pb_opt_names_have(&s->vary, "map"))
		append(text, ", %s", pb_bench_value(key, "map", NULL));
	if (!pb_opt_names_have(&s->vary, "round") && m->total > 0)
		append(text, ", round %d", key->round);
	if (!s->trials)
		append(text, ", %ld trial%s%s", m->n, m->n > 1 ? "s" : "",
		    s->n > 1 ? " each" : "");
	append(text, one ? ", seed %" PRIu64 : ", several seeds", key->seed);
	if (key->preset[0])
		append(text, ", preset %s", key->preset);
	add_constants(text, &s->vary, key, false, ", ");
	append(text, "; %g %% intervals", 100 * s->p->o->confidence);
	if (s->differences)
		append(text, "; %s: from the %s; p: McNemar, Holm",
		    pb_criterion_is_rate(s->by) ? "points" : "difference",
		    s->base ? "baseline"
		    : pb_opt_names_have(&s->vary, "map") ||
			    pb_opt_names_have(&s->vary, "round")
			? "first row of the setting"
			: "first row");
}

/* --- sections --- */

/* Compare row x with the baseline, or with the first row of its map and
 * round. */
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

/* Fill in the rows of the section; Holm's correction is over all of them. */
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
	append_verdict(text, s);
	append(text, ".");
	print_text(text, tty, f);
	append_caption(text, s);
	print_text(text, tty, f);
	for (int i = 0; i < s->n; i++)
		add_row(&t, s, &s->row[i]);
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

/* --- errors of trajectories --- */

#define DEG (180 / PB_PI)

static void
add_error(
    struct table *t, const char *name, const struct pb_traj_error *e, bool all)
{
	const struct pb_spread *m = &e->place, *a = &e->turn;

	t->at = 0;
	add_key(t, "error", name);
	add_cells(t, "rrr", "poses|rms m|max m", "%zu|%.3f|%.3f", e->n, m->rmse,
	    m->max);
	add_cells(t, "rr", "rms deg|max deg", "%.2f|%.2f", DEG * a->rmse,
	    DEG * a->max);
	if (all)
		add_cells(t, "rrrr", "mean m|median m|mean deg|median deg",
		    "%.3f|%.3f|%.2f|%.2f", m->mean, m->median, DEG * a->mean,
		    DEG * a->median);
}

/* Print relative errors over some seconds, metres and poses. */
static void
print_errors(const struct pb_traj_report *r, const struct pb_traj_opts *o,
    bool all, const struct pb_tty *tty, FILE *f)
{
	struct table t = {.keys = 0};
	char text[TEXT] = "", step[32];

	append(text,
	    "The estimates are off by %.3f m and %.2f degrees (root mean "
	    "square of %zu), by %.3f m at most; ",
	    r->ate.place.rmse, DEG * r->ate.turn.rmse, r->pairs,
	    r->ate.place.max);
	if (isfinite(r->found))
		append(text, "found after %.1f s, ", r->found);
	else
		append(text, "never found, ");
	if (r->wrong > 0)
		append(text, "%zu times sure and wrong", r->wrong);
	else
		append(text, "never sure and wrong");
	if (r->alone > r->pairs)
		append(text, "; nobody knows of %zu more", r->alone);
	append(text, ".");
	print_text(text, tty, f);
	append(text, "%.1f m in %.1f s", r->length, r->duration);
	if (r->alone > 0)
		append(text, ", %zu without a true pose", r->alone);
	if (r->between > 0)
		append(text, ", %zu between two", r->between);
	if (r->numbered)
		append(text, ", poses numbered as one a second");
	append(text, "; wrong: more than %g m or %g degrees off", o->near,
	    DEG * o->near_turn);
	print_text(text, tty, f);
	add_error(&t, "absolute", &r->ate, all);
	add_error(&t, "best aligned", &r->ate_best, all);
	snprintf(step, sizeof(step), "over %g s", o->step_s);
	add_error(&t, step, &r->rpe_s, all);
	snprintf(step, sizeof(step), "over %g m", o->step_m);
	add_error(&t, step, &r->rpe_m, all);
	print_table(&t, tty, f);
}

/* Append "; lost twice, near (3.1, 2.0)": up to five places far from each
 * other. */
static void
append_losses(
    char *text, const char *what, const struct pb_timed_list *l, double share)
{
	const char *before = ", near";

	if (l->n == 0 &&
	    share > 0) /* lost before the start, or after doubtful poses */
		append(text, "; %s %.0f %%", what, ceil(100 * share));
	else if (l->n == 0)
		append(text, "; never %s", what);
	else if (l->n < 3)
		append(text, "; %s %s", what, l->n == 1 ? "once" : "twice");
	else
		append(text, "; %s %zu times", what, l->n);
	for (size_t i = 0, told = 0; i < l->n && told < 5; i++) {
		struct pb_pose p = l->at[i].p;
		size_t k = 0;

		while (k < i && pb_pose_dist(p, l->at[k].p) >= 1)
			k++;
		if (k < i)
			continue;
		append(text, "%s (%.1f, %.1f)", before, p.x, p.y);
		before = ",";
		told++;
	}
}

/* Append jumps with place and time. */
static void
append_jumps(char *text, const struct pb_claims *c)
{
	enum { MOST = 10 };

	if (c->jump.n == 0 && (c->wheels || isfinite(c->fit)))
		append(text, "; no jumps");
	for (size_t i = 0; i < c->jump.n && i < MOST; i++) {
		const struct pb_timed *x = &c->jump.at[i];

		append(text, "%s%.2f m to (%.1f, %.1f)",
		    i ? ", " : "; jumps: ", x->jump, x->p.x, x->p.y);
		if (isfinite(x->t))
			append(text, " at %.1f s", x->t);
	}
	if (c->jump.n > MOST)
		append(text, ", and %zu more", c->jump.n - MOST);
}

/* Print what a localizer claims about its accuracy; file: "" or its source. */
static void
print_claims(const struct pb_claims *c, const char *file,
    const struct pb_tty *tty, FILE *f)
{
	bool way = c->way > 0;
	const double *share = way ? c->gone : c->time;
	double known = share[PB_LOC_TRACKING];
	struct table t = {.keys = 0};
	char text[TEXT] = "";

	append(text, "%s%s robot ", file, *file ? ": the" : "The");
	if (known > 0)
		append(text, "says that it knows where it is: %.0f %%",
		    floor(100 * known));
	else
		append(text,
		    "never says that it knows where it is: lost %.0f, "
		    "ambiguous %.0f %%",
		    ceil(100 * share[PB_LOC_LOST]),
		    floor(100 * share[PB_LOC_AMBIGUOUS]));
	append(text, " of the %s", way ? "way" : "time");
	if (known > 0)
		append_losses(text, "lost", &c->lost, share[PB_LOC_LOST]);
	if (c->unmapped.n > 0)
		append_losses(text, "off the map", &c->unmapped, 0);
	append(text, ".");
	print_text(text, tty, f);
	append(text, "%zu estimates in %.1f s, %.1f m%s; ", c->n, c->duration,
	    c->way, c->wheels ? " by the wheels" : "");
	if (isfinite(c->known_s))
		append(text, "first known after %.1f s, %.1f m", c->known_s,
		    c->known_m);
	else
		append(text, "never known");
	if (isfinite(c->fit))
		append(text, "; median fit %.2f", c->fit);
	append_jumps(text, c);
	print_text(text, tty, f);
	for (int s = PB_LOC_TRACKING; s >= 0; s--) {
		t.at = 0;
		add_key(
		    &t, "status", pb_loc_status_text((enum pb_loc_status)s));
		add_cells(&t, "rr", "time %|way %", "%.1f|%.1f",
		    100 * c->time[s], 100 * c->gone[s]);
	}
	print_table(&t, tty, f);
}

/* Add the scatter of a trial's poses, or of the ends of several trials. Means
 * are only for robots that stood. */
static void
add_scatter(struct table *t, const char *name, const struct pb_scatter *s,
    double near, bool all)
{
	double mean = s->radial_max <= near ? 0 : NAN;

	t->at = 0;
	add_key(t, "trial", name);
	add_cells(t, "rrrrrrr",
	    "poses|sd x m|sd y m|sd deg|mean off m|max off m|"
	    "max off deg",
	    "%zu|%.4f|%.4f|%.2f|%.4f|%.4f|%.2f", s->n, s->sd[0], s->sd[1],
	    DEG * s->sd[2], s->radial_mean, s->radial_max, DEG * s->turn_max);
	if (all)
		add_cells(t, "rrrrrr",
		    "mean x m|mean y m|mean deg|sigma x m|sigma y m|sigma deg",
		    "%.4f|%.4f|%.2f|%.3f|%.3f|%.2f", mean + s->mean.x,
		    mean + s->mean.y, mean + DEG * s->mean.th, s->sigma[0],
		    s->sigma[1], DEG * s->sigma[2]);
}

/* Print the scatter of each trial's poses, and of the ends of several. */
static void
print_scatter(const struct pb_trajectory_found *r, double near, bool all,
    const struct pb_tty *tty, FILE *f)
{
	const struct pb_scatter *one = &r->trial[0].scatter;
	bool ends = r->trials > 1;
	struct table t = {.keys = 0};
	char text[TEXT] = "", name[256];

	if (ends)
		append(text,
		    "The last poses of the %zu trials are %.4f m apart",
		    r->trials, r->ends.apart_mean);
	else
		append(text, "%zu poses are %.4f m from their mean place",
		    one->n, one->radial_mean);
	append(text, " on average, %.4f m at most.",
	    ends ? r->ends.apart_max : one->radial_max);
	print_text(text, tty, f);
	for (size_t i = 0; i < r->trials; i++) {
		pb_mapfile_stem(r->trial[i].file, name, sizeof(name));
		add_scatter(&t, name, &r->trial[i].scatter, near, all);
	}
	if (ends)
		add_scatter(&t, "their ends", &r->ends, near, all);
	print_table(&t, tty, f);
}

/* Print the scatter, unless the poses were compared with true ones, or one
 * moving trial has claims of its own; then each trial's claims. */
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

/* Print errors of relations. The records also have standard deviations and
 * squares, as papers do. */
static void
print_relations(
    const struct pb_relations_report *r, const struct pb_tty *tty, FILE *f)
{
	char text[TEXT] = "";

	append(text,
	    "%zu relations are off by %.4f m and %.3f degrees on average.",
	    r->n, r->nearest.m.mean, DEG * r->nearest.turn.mean);
	print_text(text, tty, f);
	append(text,
	    "%zu poses, %zu of odometry; farther than %g s from a pose: %zu "
	    "relations, at most %.3f s; with a stamp that several places "
	    "have: %zu",
	    r->poses, r->odometry, PB_RELATION_NEAR, r->far, r->gap,
	    r->repeated);
	print_text(text, tty, f);
}

static void
add_to_scene(void *scene, struct pb_rec *r)
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

	o.see = b->png ? add_to_scene : NULL;
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
