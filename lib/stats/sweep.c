/* sweep.c - cells of a sweep, which differ in constants. */
#include "stats/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "stats/tally_state.h"

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

/* Whether two groups may be cells of one sweep. */
static bool
same_sweep(const struct pb_trial *a, const struct pb_trial *b)
{
	return pb_same_task(a, b) && strcmp(a->preset, b->preset) == 0 &&
	       strcmp(a->program, b->program) == 0 &&
	       strcmp(a->ghosts, b->ghosts) == 0;
}

/* Whether a cell of the sweep from group `first` on, before group i, has the
 * same constants as group i: the two differ in what nobody can name. */
static bool
told_before(const struct pb_tally *t, int first, int i)
{
	const struct pb_trial *key = &t->group[i].key;

	for (int k = first; k < i; k++)
		if (same_sweep(&t->group[k].key, key) &&
		    strcmp(t->group[k].key.told, key->told) == 0)
			return true;
	return false;
}

static bool
begins_sweep(const struct pb_tally *t, int i)
{
	for (int k = 0; k < i; k++)
		if (same_sweep(&t->group[k].key, &t->group[i].key))
			return false;
	return true;
}

enum pb_status
pb_sweeps_add(struct pb_sweeps *r, const struct pb_tally *t, int i,
    struct pb_by by, double confidence)
{
	int from = r->cells;

	for (int k = i + 1; begins_sweep(t, i) && k < t->groups; k++) {
		enum pb_status s;

		if (!same_sweep(&t->group[i].key, &t->group[k].key) ||
		    told_before(t, i, k))
			continue;
		if (!pb_grow(
			&r->cell, (size_t)r->cells, &r->room, sizeof(*r->cell)))
			return PB_ENOMEM;
		s = pb_tally_compare(
		    t, k, t, i, by, confidence, &r->cell[r->cells]);
		if (s == PB_ENOMEM)
			return s;
		r->cells += s == PB_OK;
	}
	return pb_comparisons_correct(&r->cell[from], r->cells - from, NULL);
}

void
pb_sweeps_clear(struct pb_sweeps *r)
{
	free(r->cell);
	*r = (struct pb_sweeps){.cell = NULL};
}
