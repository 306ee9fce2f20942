/* bench_agents.c - outside programs among the players of a benchmark. */
#include "io/tool/bench_agents.h"

#include <stdio.h>
#include <string.h>

/* One more that plays, as the usual player does where nobody asks it. */
static bool
add_player(struct pb_bench_agents *a, struct pb_bench_cast *c,
    const struct pb_rules *r, const char *given, struct pb_error *bad)
{
	int usual = pb_rules_player(r, r->game->usual);
	char name[PB_TRIAL_NAME];

	pb_agent_name(given, name, sizeof(name));
	if (c->n == PB_BENCH_AGENTS)
		return pb_error_set(bad, "agent: expected at most %d that play",
		    PB_BENCH_AGENTS);
	for (int i = 0; c->row[i]; i++)
		if (strcmp(c->row[i]->name, name) == 0)
			return pb_error_set(
			    bad, "agent: there is a player %s", name);
	memcpy(a->name[c->n], name, sizeof(name));
	c->own[c->n] = *r->player[usual];
	c->own[c->n].name = a->name[c->n];
	c->own[c->n].summary = "a program";
	c->own[c->n].weights = NULL;
	for (int i = 0;; i++)
		if (!c->row[i]) {
			c->row[i] = &c->own[c->n++];
			return true;
		}
}

static bool
fill(struct pb_bench_agents *a, struct pb_bench_cast *c,
    const struct pb_rules *r, struct pb_error *bad)
{
	struct pb_error why;

	for (int i = 0; r->player[i] && i < PB_OPT_PLAYERS; i++)
		c->row[i] = r->player[i];
	for (int i = 0; i < a->given.n; i++) {
		struct pb_outside x = c->others;

		if (!pb_outside_add(&x, r->game, a->given.arg[i], &why))
			return pb_error_set(bad, "agent: %.250s", why.text);
		if (!x.body[0])
			c->others = x;
		else if (!add_player(a, c, r, x.body[0], bad))
			return false;
		else
			c->outside[c->n - 1].body[0] = x.body[0];
	}
	for (int i = 0; i < c->n; i++)
		memcpy(&c->outside[i].body[1], &c->others.body[1],
		    sizeof(c->others.body) - sizeof(*c->others.body));
	c->has_others = pb_outside_ghosts(&c->others);
	c->rules = (struct pb_rules){r->game, c->row};
	return true;
}

const struct pb_rules *
pb_bench_agents_rules(
    struct pb_bench_agents *a, int number, struct pb_error *bad)
{
	struct pb_bench_cast *c = &a->cast[number];

	if (a->given.n == 0)
		return pb_rules_at(number);
	return c->rules.game || fill(a, c, pb_rules_at(number), bad) ? &c->rules
	                                                             : NULL;
}

const struct pb_outside *
pb_bench_agents_of(const struct pb_bench_agents *a,
    const struct pb_rules *rules, const struct pb_player *p)
{
	for (int k = 0; k < PB_RULES; k++) {
		const struct pb_bench_cast *c = &a->cast[k];

		if (rules != &c->rules)
			continue;
		for (int i = 0; i < c->n; i++)
			if (p == &c->own[i])
				return &c->outside[i];
		return c->has_others ? &c->others : NULL;
	}
	return NULL;
}

/* Whether name is one of the names. */
static bool
has(const char *names, const char *name)
{
	char word[PB_TRIAL_NAME];

	while (names && pb_opt_word(&names, word, sizeof(word)) > 0)
		if (strcmp(word, name) == 0)
			return true;
	return false;
}

const char *
pb_bench_agents_join(const struct pb_bench_agents *a, const char *names,
    char *list, size_t size, struct pb_error *bad)
{
	size_t len = (size_t)snprintf(list, size, "%s", names ? names : "");

	for (int i = 0; i < PB_BENCH_AGENTS && *a->name[i] && len < size; i++)
		if (!has(names, a->name[i]))
			len += (size_t)snprintf(list + len, size - len, "%s%s",
			    len > 0 ? "," : "", a->name[i]);
	if (len < size)
		return list;
	pb_error_set(bad, "policy: expected at most %zu bytes", size - 1);
	return NULL;
}
