/* experiment_localize.c - trials of localizers among the experiments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/num.h"
#include "io/tool/experiment_parts.h"
#include "policy/rules_localize.h"

/* Room for another set of options in the list, with defaults. */
static struct pb_bench_localize *
add_options(struct pb_adding *a)
{
	struct pb_experiments *l = a->l;
	struct pb_bench_localize **more, *b;

	more = realloc(
	    l->loc, (size_t)(l->locs + 1) * sizeof(struct pb_bench_localize *));
	if (more == NULL || (b = calloc(1, sizeof(*b))) == NULL) {
		l->loc = more != NULL ? more : l->loc;
		pb_bad_nomem(a->bad, "experiments");
		return NULL;
	}
	l->loc = more;
	l->loc[l->locs++] = b;
	if (pb_bench_localize_init(b))
		return b;
	pb_bad_nomem(a->bad, "experiments");
	return NULL;
}

/* The name of an option in a group: with its prefix, unless it has that. */
static void
name_of(const struct pb_opt_group *g, size_t i, char *out, size_t size)
{
	const char *prefix = g->prefix != NULL ? g->prefix : "";
	size_t n = strlen(prefix);
	bool bare = n == 0 || (strncmp(g->param[i].name, prefix, n) == 0 &&
				  g->param[i].name[n] == '-');

	snprintf(out, size, "%s%s%s", bare ? "" : prefix, bare ? "" : "-",
	    g->param[i].name);
}

/* Set the option of that name, in each group that has it. */
static bool
set_option(struct pb_bench_localize *b, const char *name, const char *value,
    struct pb_bad *bad)
{
	struct pb_opt_group g[PB_BENCH_LOCALIZE_GROUPS];
	size_t groups = pb_bench_localize_groups(b, g);
	bool found = false;
	char one[64];

	for (size_t k = 0; k < groups; k++)
		for (size_t i = 0; i < g[k].n; i++) {
			name_of(&g[k], i, one, sizeof(one));
			if (strcmp(one, name) != 0)
				continue;
			if (!pb_opt_param(
				&g[k].param[i], g[k].base, value, bad))
				return false;
			*g[k].given = g[k].param[i].name;
			found = true;
		}
	return found ||
	       pb_bad_set(
		   bad, "expected a constant of localize, got \"%.80s\"", name);
}

/* Add "name=value" to the text; false if there is no room. */
static bool
tell(char *told, const char *name, const char *value)
{
	size_t len = strlen(told), room = PB_TRIAL_TOLD - len;
	int n = snprintf(
	    told + len, room, "%s%s=%s", len > 0 ? " " : "", name, value);

	if ((size_t)n >= room)
		told[len] = '\0';
	return (size_t)n < room;
}

/* Whether the constants of group k count where these methods play. */
static bool
counts(const struct pb_experiment *e, size_t k)
{
	size_t methods = PB_BENCH_LOCALIZE_GROUPS - PB_RULES_METHODS;

	for (int i = 0; k >= methods && i < e->players.n; i++)
		if (e->players.player[i] == (int)(k - methods))
			return true;
	if (e->loc->maze)
		return k == 0 || (k >= 3 && k < methods);
	return k < 3;
}

bool
pb_localize_tell(struct pb_experiment *e, const struct pb_opt_names *asked)
{
	struct pb_opt_group g[PB_BENCH_LOCALIZE_GROUPS];
	size_t groups = pb_bench_localize_groups(e->loc, g);
	char name[64], value[PB_NUM_MAX];
	bool room = true;

	e->told[0] = '\0';
	for (size_t k = 0; k < groups; k++)
		for (size_t i = 0; counts(e, k) && i < g[k].n; i++) {
			name_of(&g[k], i, name, sizeof(name));
			if (!pb_opt_names_have(asked, name))
				continue;
			pb_constants_value(
			    &g[k].param[i], g[k].base, value, sizeof(value));
			room &= tell(e->told, name, value);
		}
	return room;
}

/* Whether all that was set has an effect where the trials are. */
static bool
fits(const struct pb_bench_localize *b, const struct pb_opt_players *p,
    struct pb_bad *bad)
{
	const char *maps = b->on_maps ? b->on_maps : b->simulated, *idle;
	int i;

	if (b->maze && maps)
		return pb_bad_set(bad, "constants.%s: not in mazes", maps);
	if (!b->maze && b->in_mazes)
		return pb_bad_set(
		    bad, "constants.%s: only in mazes", b->in_mazes);
	idle = pb_bench_localize_idle(b, p, &i);
	return idle == NULL ||
	       pb_bad_set(bad, "constants.%s-%s: the method does not play",
		   pb_localizer_at(i)->name, idle);
}

/* The values of one combination, as they were chosen. */
struct combination {
	const char *name;
	char value[PB_REC_WORD];
	const struct combination *before; /* NULL: none */
};

static bool
set_all(struct pb_bench_localize *b, const struct combination *c,
    struct pb_bad *bad)
{
	struct pb_bad why;

	if (c == NULL)
		return true;
	if (!set_all(b, c->before, bad))
		return false;
	return set_option(b, c->name, c->value, &why) ||
	       pb_bad_set(bad, "constants.%s: %.250s", c->name, why.text);
}

/* One combination is chosen: check it and add it. */
static bool
add_one(struct pb_adding *a, const struct combination *c)
{
	const struct pb_rec_experiment *x = a->x;
	struct pb_experiment e = a->e;
	struct pb_bench_localize *b = add_options(a);
	const char *policy = *x->policy ? x->policy : NULL;

	if (b == NULL || !set_all(b, c, a->bad) ||
	    !pb_bench_localize_where(
		b, policy, x->maps > 0 ? x->map[0] : NULL, a->bad))
		return false;
	b->rules.seed = e.seed;
	e.rules = b->maze ? &pb_rules_localize_maze : &pb_rules_localize;
	e.number = -1;
	e.loc = b;
	e.rounds = (struct pb_numbers){{1}, 1};
	e.houses = b->maze ? 0 : e.houses;
	policy = policy != NULL ? policy : e.rules->usual;
	return pb_adding_players(&e.rules, 1, policy, a->bad) &&
	       pb_opt_players_pick(&e.players, e.rules, policy, a->bad) &&
	       fits(b, &e.players, a->bad) && pb_adding_append(a, &e);
}

/* The i-th list of values and those after it, in all combinations. */
static bool
add_all(struct pb_adding *a, size_t i, const struct combination *before)
{
	const struct pb_rec_constant *list = &a->x->constant[i];
	struct combination c = {.before = before};
	const char *at;
	int got;

	if (i == a->x->constants)
		return add_one(a, before);
	c.name = list->name;
	at = list->values;
	pb_opt_names_add(&a->l->asked, list->name);
	while ((got = pb_opt_word(&at, c.value, sizeof(c.value))) > 0)
		if (!add_all(a, i + 1, &c))
			return false;
	return got == 0 || pb_bad_set(a->bad,
			       "constants.%s: expected values, got \"%.80s\"",
			       list->name, list->values);
}

bool
pb_adding_localize(struct pb_adding *a)
{
	const struct pb_rec_experiment *x = a->x;

	if (*x->preset || *x->rounds)
		return pb_bad_set(a->bad, "%s: not of localize",
		    *x->preset ? "preset" : "rounds");
	if (x->houses > 0)
		a->e.houses = (int)x->houses;
	return add_all(a, 0, NULL);
}
