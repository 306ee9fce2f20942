/* bench_expect.c - bounds that the summaries of a benchmark must keep. */
#include "io/tool/bench_expect.h"

#include <math.h>
#include <string.h>

#include "io/stream/num.h"
#include "policy/localize_game.h"

#define BLANKS " \t"

/* Copy s[0..n) without blanks around it; false if empty or too long. */
static bool
copy_word(char *out, const char *s, size_t n)
{
	while (n > 0 && strchr(BLANKS, s[0]))
		s++, n--;
	while (n > 0 && strchr(BLANKS, s[n - 1]))
		n--;
	if (n == 0 || n >= PB_TRIAL_NAME)
		return false;
	memcpy(out, s, n);
	out[n] = '\0';
	return true;
}

static bool
read_round(const char *s, size_t n, int *round)
{
	char word[PB_TRIAL_NAME];
	int64_t v;

	if (!copy_word(word, s, n) || !pb_num_parse_int(word, &v) || v < 1 ||
	    v > 1000000)
		return false;
	*round = (int)v;
	return true;
}

/* "PLAYER" or "PLAYER@ROUND", s[0..n). */
static bool
read_whom(const char *s, size_t n, struct pb_expect *e)
{
	const char *at = memchr(s, '@', n);
	size_t head = at ? (size_t)(at - s) : n;

	if (at && !read_round(at + 1, n - head - 1, &e->round))
		return false;
	return copy_word(e->player, s, head);
}

/* The outcomes of the rules of that name, NULL if nobody knows them. */
static const char *const *
outcomes_of(const char *rules)
{
	const struct pb_rules *r = pb_rules_find(rules);

	if (strcmp(rules, pb_game_localize.name) == 0)
		return pb_game_localize.outcome;
	return r ? r->game->outcome : NULL;
}

/* A number of the summaries of some rules. */
static bool
known_number(const char *name)
{
	struct pb_summary any = {.n = 1};
	const struct pb_rules *r;
	double v;

	/* Outcomes are numbers, too: their rates. */
	for (int i = 0; (r = pb_rules_at(i)); i++)
		if (pb_summary_number(&any, name, r->game->outcome, &v))
			return true;
	return pb_summary_number(&any, name, pb_game_localize.outcome, &v);
}

bool
pb_expect_read(const char *text, struct pb_expect *e, struct pb_error *bad)
{
	const char *op = strpbrk(text, "<>"), *rest, *colon;
	const char *from = text;
	struct pb_expect x = {.text = text};
	char word[PB_TRIAL_NAME];
	bool equal;

	if (!op)
		return pb_error_set(bad,
		    "expected NUMBER>=BOUND, <=, > or <, got \"%.80s\"", text);
	colon = memchr(text, ':', (size_t)(op - text));
	if (colon) {
		if (!read_whom(text, (size_t)(colon - text), &x))
			return pb_error_set(bad,
			    "expected PLAYER or PLAYER@ROUND before the "
			    "colon, got \"%.80s\"",
			    text);
		from = colon + 1;
	}
	if (!copy_word(x.number, from, (size_t)(op - from)))
		return pb_error_set(
		    bad, "\"%.80s\" begins with no number", from);
	equal = op[1] == '=';
	rest = op + 1 + equal;
	if (*op == '>')
		x.op = equal ? PB_AT_LEAST : PB_ABOVE;
	else
		x.op = equal ? PB_AT_MOST : PB_BELOW;
	if (!copy_word(word, rest, strlen(rest)) ||
	    !pb_num_parse(word, &x.bound))
		return pb_error_set(bad,
		    "expected a number after \"%.*s\", "
		    "got \"%.80s\"",
		    (int)(rest - op), op, rest);
	*e = x;
	return true;
}

bool
pb_expect_parse(const char *text, struct pb_expect *e, struct pb_error *bad)
{
	struct pb_expect x;

	if (!pb_expect_read(text, &x, bad))
		return false;
	if (!known_number(x.number))
		return pb_error_set(bad,
		    "\"%.80s\" begins with no number of a summary", x.number);
	*e = x;
	return true;
}

bool
pb_expect_holds(const struct pb_expect *e, double value)
{
	switch (e->op) {
	case PB_AT_LEAST:
		return value >= e->bound;
	case PB_AT_MOST:
		return value <= e->bound;
	case PB_ABOVE:
		return value > e->bound;
	default:
		return value < e->bound;
	}
}

bool
pb_expect_about(const struct pb_expect *e, const struct pb_summary *s)
{
	return (e->player[0] == '\0' ||
		   strcmp(e->player, s->key.policy) == 0) &&
	       (e->round == 0 || e->round == s->key.round);
}

bool
pb_expect_kept(
    const struct pb_expect *e, const struct pb_summary *s, double *value)
{
	if (!pb_summary_number(
		s, e->number, outcomes_of(s->key.rules), value)) {
		*value = NAN;
		return false;
	}
	return pb_expect_holds(e, *value);
}

void
pb_expect_judge(const struct pb_expect *e, const struct pb_report *r)
{
	bool about = false;
	double v;

	for (int i = 0; i < r->summaries; i++) {
		const struct pb_summary *s = &r->summary[i];

		if (!pb_expect_about(e, s))
			continue;
		about = true;
		if (pb_expect_kept(e, s, &v))
			continue;
		pb_msg_unmet("--expect %s: %s, map %s, round %d: %s is %.6g "
			     "(%ld trials)",
		    e->text, s->key.policy, s->key.map, s->key.round, e->number,
		    v, s->n);
		return;
	}
	if (!about)
		pb_msg_unmet("--expect %s: no such trials", e->text);
}
