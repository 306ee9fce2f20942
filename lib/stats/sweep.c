/* sweep.c - cells of a sweep, which differ in constants, and their effects. */
#include "stats/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "stats/tally_state.h"

/* Constants that vary, of one sweep, and cells whose pairs are all compared. */
enum { FACTORS = 8, FEW = 5 };

/* Values are told apart by the first cell that has them: 0 is the usual one. */
struct cell {
	int group;
	int level[FACTORS];
};

/* One player in one round on one map, with constants that differ. */
struct sweep {
	const struct pb_tally *t;
	double confidence;
	struct pb_by by;
	struct cell *cell; /* in the order of the groups */
	const struct cell **sorted;
	int cells, factors;
	char name[FACTORS][PB_TRIAL_NAME];
};

/* A cell in a contrast. */
struct term {
	const struct cell *cell;
	double weight;
};

const char *
pb_told_next(const char **at, size_t *n, size_t *name)
{
	const char *s = *at, *equals;

	while (*s != '\0') {
		s += strspn(s, " ");
		*n = strcspn(s, " ");
		*at = s + *n;
		equals = memchr(s, '=', *n);
		if (equals) {
			*name = (size_t)(equals - s);
			return s;
		}
		s = *at;
	}
	return NULL;
}

const char *
pb_told_value(const char *told, const char *name, size_t *n)
{
	size_t len = strlen(name), head;
	const char *s;

	while ((s = pb_told_next(&told, n, &head)) != NULL)
		if (head == len && memcmp(s, name, len) == 0) {
			*n -= len + 1;
			return s + len + 1;
		}
	*n = 0;
	return NULL;
}

static const struct pb_trial *
key_of(const struct sweep *w, int cell)
{
	return &w->t->group[w->cell[cell].group].key;
}

/* Whether the constant has the same value in two cells. */
static bool
same_value(const struct sweep *w, const char *name, int i, int j)
{
	size_t n = 0, m = 0;
	const char *a = pb_told_value(key_of(w, i)->told, name, &n);
	const char *b = pb_told_value(key_of(w, j)->told, name, &m);

	return (a == NULL) == (b == NULL) &&
	       (!a || (n == m && memcmp(a, b, n) == 0));
}

/* Whether two groups may be cells of one sweep. */
static bool
same_sweep(const struct pb_trial *a, const struct pb_trial *b)
{
	return pb_same_task(a, b) && strcmp(a->preset, b->preset) == 0 &&
	       strcmp(a->program, b->program) == 0 &&
	       strcmp(a->ghosts, b->ghosts) == 0;
}

/*
 * Group i and those that go with it; none if an earlier one does. One that
 * tells the same constants as another differs in what nobody can name.
 */
static void
gather(struct sweep *w, int i)
{
	const struct pb_group *g = w->t->group;

	w->cells = w->factors = 0;
	for (int k = 0; k < w->t->groups; k++) {
		bool again = false;

		if (!same_sweep(&g[i].key, &g[k].key))
			continue;
		if (k < i) {
			w->cells = 0;
			return;
		}
		for (int c = 0; !again && c < w->cells; c++)
			again = strcmp(key_of(w, c)->told, g[k].key.told) == 0;
		if (!again)
			w->cell[w->cells++].group = k;
	}
}

/* Constants of cell `of` that cell i has with another value; false: too many.
 */
static bool
add_factors(struct sweep *w, int of, int i)
{
	const char *at = key_of(w, of)->told, *s;
	size_t n, len;

	while ((s = pb_told_next(&at, &n, &len)) != NULL) {
		char name[PB_TRIAL_NAME] = "";
		bool known = len >= sizeof(name);

		memcpy(name, s, known ? 0 : len);
		for (int f = 0; !known && f < w->factors; f++)
			known = strcmp(name, w->name[f]) == 0;
		if (known || same_value(w, name, of, i))
			continue;
		if (w->factors == FACTORS)
			return false;
		memcpy(w->name[w->factors++], name, sizeof(name));
	}
	return true;
}

/* What varies, and which values each cell has; false: too much varies. */
static bool
find_levels(struct sweep *w)
{
	for (int i = 1; i < w->cells; i++)
		if (!add_factors(w, 0, i) || !add_factors(w, i, 0))
			return false;
	for (int i = 0; i < w->cells; i++) {
		int *level = w->cell[i].level;

		memset(level, 0, sizeof(w->cell[i].level));
		for (int f = 0; f < w->factors; f++)
			while (level[f] < i &&
			       (w->cell[level[f]].level[f] != level[f] ||
				   !same_value(w, w->name[f], level[f], i)))
				level[f]++;
	}
	return true;
}

static int
by_level(const void *a, const void *b)
{
	const struct cell *x = *(const struct cell *const *)a;
	const struct cell *y = *(const struct cell *const *)b;

	return memcmp(x->level, y->level, sizeof(x->level));
}

/* The cell that is as c is but for one or two constants, which are as in the
 * first cell; NULL: none is. */
static const struct cell *
find(const struct sweep *w, const struct cell *c, int f, int g)
{
	struct cell want = *c;
	const struct cell *key = &want, *const * found;

	if (f >= 0)
		want.level[f] = 0;
	if (g >= 0)
		want.level[g] = 0;
	found = bsearch(&key, w->sorted, (size_t)w->cells,
	    sizeof(const struct cell *), by_level);
	return found ? *found : NULL;
}

/* The contrast of each trial that all cells met; how many there are. */
static size_t
take_differences(
    const struct sweep *w, const struct term *term, size_t terms, double *d)
{
	const struct pb_group *g = w->t->group, *a = &g[term[0].cell->group];
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct pb_entry *e = &a->entry[i];
		size_t k = 0;

		d[n] = 0;
		for (; e && k < terms; k++) {
			e = pb_group_find(&g[term[k].cell->group],
			    a->entry[i].seed, a->entry[i].trial);
			if (e)
				d[n] +=
				    term[k].weight * pb_entry_effect(e, w->by);
		}
		n += e != NULL;
	}
	return n;
}

/* What the contrast comes to; two terms of a pair of cells weigh the same. */
static enum pb_status
estimate(const struct sweep *w, const struct term *term, size_t terms,
    struct pb_effect *e)
{
	double sum = 0, squares = 0, weights = 0, c = w->confidence;
	size_t n = w->t->group[term[0].cell->group].n;
	double *d = malloc((n + 1) * sizeof(*d));

	if (!d)
		return PB_ENOMEM;
	n = take_differences(w, term, terms, d);
	e->n = (long)n;
	for (size_t k = 0; k < terms; k++)
		weights += term[k].weight * term[k].weight / 2;
	for (size_t i = 0; i < n; i++) {
		sum += d[i];
		squares += d[i] * d[i];
	}
	e->effect = (struct pb_estimate){sum / (double)n, PB_UNTOLD};
	if (n > 0 && !isnan(sum)) {
		e->effect = pb_mean_estimate(d, n, PB_ANYTHING, c);
		if (pb_by_is_rate(w->by))
			e->effect.in = pb_shares_interval(
			    sum, squares, (double)n, weights, e->constants, c);
	}
	free(d);
	return PB_OK;
}

/* Add what there is room for. */
static void
append(char out[PB_EFFECT_TEXT], const char *s, size_t n)
{
	size_t len = strlen(out), room = PB_EFFECT_TEXT - 1 - len;

	memcpy(out + len, s, n < room ? n : room);
}

/* "lives=3" of constant f as cell i has it; behind others. Given out is 0 up
 * to its end. */
static void
name_level(const struct sweep *w, int i, int f, char out[PB_EFFECT_TEXT])
{
	static const char usual[] = "usual";
	size_t n = 0;
	const char *v = pb_told_value(key_of(w, i)->told, w->name[f], &n);

	append(out, " ", *out != '\0');
	append(out, w->name[f], strlen(w->name[f]));
	append(out, "=", 1);
	append(out, v ? v : usual, v ? n : strlen(usual));
}

/*
 * The effect of constant f, or of f and g >= 0 together: over all cells with
 * the values of cell i, their mean difference to those that are as the first
 * is in f; or the difference of these differences where g, too, is as there.
 */
static enum pb_status
add_effect(struct pb_sweeps *r, const struct sweep *w, int i, int f, int g)
{
	struct pb_effect e = {.summary = w->cell[0].group,
	    .constants = g < 0 ? 1 : 2,
	    .by = w->by};
	struct term *term = malloc(4 * (size_t)w->cells * sizeof(*term));
	const struct cell *like = &w->cell[i];
	enum pb_status s = PB_OK;
	size_t n = 0;

	for (int k = 0; term && k < w->cells; k++) {
		const struct cell *c = &w->cell[k], *a, *b, *ab;

		if (c->level[f] != like->level[f] ||
		    (g >= 0 && c->level[g] != like->level[g]))
			continue;
		a = find(w, c, f, -1);
		b = g < 0 ? a : find(w, c, -1, g);
		ab = g < 0 ? a : find(w, c, f, g);
		if (!a || !b || !ab)
			continue;
		term[n++] = (struct term){c, 1};
		term[n++] = (struct term){a, -1};
		if (g < 0)
			continue;
		term[n++] = (struct term){b, -1};
		term[n++] = (struct term){ab, 1};
	}
	e.contrasts = (int)n / (2 * e.constants);
	for (size_t k = 0; k < n; k++)
		term[k].weight /= e.contrasts;
	if (!term ||
	    !pb_grow(&r->effect, (size_t)r->effects, &r->more, sizeof(e)))
		s = PB_ENOMEM;
	if (s == PB_OK && n > 0) {
		name_level(w, i, f, e.of);
		name_level(w, 0, f, e.from);
		if (g >= 0) {
			name_level(w, i, g, e.of);
			name_level(w, 0, g, e.from);
		}
		s = estimate(w, term, n, &e);
		if (s == PB_OK && e.n > 0)
			r->effect[r->effects++] = e;
	}
	free(term);
	return s;
}

/* Whether cell i is the first with its values of f and g, which are others
 * than the first cell's. */
static bool
is_first(const struct sweep *w, int i, int f, int g)
{
	const int *a = w->cell[i].level;

	if (a[f] == 0 || a[g] == 0)
		return false;
	for (int k = 0; k < i; k++)
		if (w->cell[k].level[f] == a[f] && w->cell[k].level[g] == a[g])
			return false;
	return true;
}

static enum pb_status
add_effects(struct pb_sweeps *r, struct sweep *w)
{
	enum pb_status s = PB_OK;

	if (!find_levels(w))
		return PB_OK;
	for (int i = 0; i < w->cells; i++)
		w->sorted[i] = &w->cell[i];
	qsort(
	    w->sorted, (size_t)w->cells, sizeof(const struct cell *), by_level);
	for (int f = 0; f < w->factors; f++)
		for (int i = 1; s == PB_OK && i < w->cells; i++)
			if (is_first(w, i, f, f))
				s = add_effect(r, w, i, f, -1);
	for (int f = 0; f < w->factors; f++)
		for (int g = f + 1; g < w->factors; g++)
			for (int i = 1; s == PB_OK && i < w->cells; i++)
				if (is_first(w, i, f, g))
					s = add_effect(r, w, i, f, g);
	return s;
}

/* Every cell with the first one, and if there are few, with all before it. */
static enum pb_status
compare_cells(struct pb_sweeps *r, const struct sweep *w)
{
	int from = r->cells;

	for (int i = 1; i < w->cells; i++)
		for (int k = 0; k < (w->cells > FEW ? 1 : i); k++) {
			enum pb_status s;

			if (!pb_grow(&r->cell, (size_t)r->cells, &r->room,
				sizeof(*r->cell)))
				return PB_ENOMEM;
			s = pb_tally_compare(w->t, w->cell[i].group, w->t,
			    w->cell[k].group, w->by, w->confidence,
			    &r->cell[r->cells]);
			if (s == PB_ENOMEM)
				return s;
			r->cells += s == PB_OK;
		}
	return pb_comparisons_correct(&r->cell[from], r->cells - from, NULL);
}

enum pb_status
pb_sweeps_add(struct pb_sweeps *r, const struct pb_tally *t, int i,
    struct pb_by by, double confidence)
{
	size_t groups = (size_t)t->groups;
	struct sweep w = {.t = t,
	    .confidence = confidence,
	    .by = by,
	    .cell = malloc(groups * sizeof(*w.cell)),
	    .sorted = malloc(groups * sizeof(const struct cell *))};
	enum pb_status s = w.cell && w.sorted ? PB_OK : PB_ENOMEM;

	if (s == PB_OK)
		gather(&w, i);
	if (s == PB_OK && w.cells > 1)
		s = compare_cells(r, &w);
	if (s == PB_OK && w.cells > 1)
		s = add_effects(r, &w);
	free(w.cell);
	free(w.sorted);
	return s;
}

void
pb_sweeps_clear(struct pb_sweeps *r)
{
	free(r->cell);
	free(r->effect);
	*r = (struct pb_sweeps){.cell = NULL};
}
