/* bench_report.c - what a benchmark tells: bounds that are kept or not, its
 * report as records or as rows for other programs. */
#include "io/tool/bench_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/opt/opt.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/version.h"
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

/* What an unknown number of times may come from, else "". */
static const char *
why_untimed(const char *number)
{
	return strcmp(number, pb_measure_name(PB_BY_TIME)) == 0 ||
	               strcmp(number, "median_time") == 0
	           ? ": some have no time, or failed and have no limit"
	           : "";
}

/* Of trials of which the number is not known. */
static void
unmet_unknown(const struct pb_expect *e, const struct pb_summary *s)
{
	pb_msg_unmet("--expect %s: %s, map %s, round %d: %s is not known of "
		     "all %ld trials%s",
	    e->text, s->key.policy, s->key.map, s->key.round, e->number, s->n,
	    why_untimed(e->number));
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
		if (isnan(v)) {
			unmet_unknown(e, s);
			return;
		}
		pb_msg_unmet("--expect %s: %s, map %s, round %d: %s is %.6g "
			     "(%ld trials)",
		    e->text, s->key.policy, s->key.map, s->key.round, e->number,
		    v, s->n);
		return;
	}
	if (!about)
		pb_msg_unmet("--expect %s: no such trials", e->text);
}

void
pb_by_text(struct pb_by by, char *out, size_t size)
{
	char bound[PB_NUM_MAX] = "";

	if (by.sense != 0)
		pb_num_round(bound, by.bound);
	snprintf(out, size, "%s%s%s", pb_measure_name(by.measure),
	    by.sense > 0   ? ">="
	    : by.sense < 0 ? "<="
			   : "",
	    bound);
}

/* The worse end of the interval of the change; where all trials changed alike,
 * and are enough, it is that. */
static double
worst_change(const struct pb_comparison *c)
{
	bool alike = isnan(c->effect_in.lo) && c->n >= PB_MEAN_LEAST;

	return alike               ? c->effect
	       : pb_by_less(c->by) ? c->effect_in.hi
	                           : c->effect_in.lo;
}

static bool
noninferior(const struct pb_comparison *c, double margin)
{
	double worst = worst_change(c);

	return (pb_by_less(c->by) ? -worst : worst) > -margin;
}

/* Of two players, or of one with what it was in the baseline, or is with other
 * constants. */
static void
put_comparison(struct pb_text *out, const struct pb_report_opts *o,
    const struct pb_report *r, const struct pb_comparison *c,
    const char *against, double margin)
{
	bool base = strcmp(against, "baseline") == 0;
	const struct pb_trial *first = &r->summary[c->first].key;
	const struct pb_trial *second =
	    base ? first : &r->summary[c->second].key;
	struct pb_rec_comparison x = {.cmp = *c,
	    .key = *first,
	    .confidence = o->confidence,
	    .margin = margin,
	    .noninferior = base && noninferior(c, margin)};

	/* Players have the same constants; one may tell more of them. */
	if (*against && !base)
		x.than = second->told;
	else if (second->told.n > x.key.told.n)
		x.key.told = second->told;
	pb_by_text(c->by, x.by, sizeof(x.by));
	PB_REC_SET(x.against, against);
	PB_REC_SET(x.first, first->policy);
	PB_REC_SET(x.second, second->policy);
	pb_rec_put(out, PB_REC_COMPARISON, pb_stamp_none(), &x);
}

/* The build that the results say, 0: they are of several. Where none says it,
 * the one that sums up. */
static uint64_t
build_of(const struct pb_builds *b)
{
	return b->n == 0 ? pb_build_digest() : b->n == 1 ? b->build[0] : 0;
}

static struct pb_rec_summary
summary_of(const struct pb_report *r, int i, double confidence)
{
	return (struct pb_rec_summary){.sum = r->summary[i],
	    .version = PB_VERSION,
	    .build = build_of(&r->summary[i].builds),
	    .confidence = confidence};
}

void
pb_bench_write(
    const struct pb_report_opts *o, double margin, const struct pb_report *r)
{
	struct pb_text out = {.to = stdout};

	for (int i = 0; i < r->summaries; i++) {
		struct pb_rec_summary s = summary_of(r, i, o->confidence);

		pb_rec_put(&out, PB_REC_SUMMARY, pb_stamp_none(), &s);
	}
	for (int i = 0; i < r->comparisons; i++)
		put_comparison(&out, o, r, &r->comparison[i], "", NAN);
	for (int i = 0; i < r->againsts; i++)
		put_comparison(&out, o, r, &r->against[i], "baseline", margin);
	for (int i = 0; i < r->cells; i++)
		put_comparison(&out, o, r, &r->cell[i], "reference", NAN);
	for (int i = 0; i < r->aggregates; i++)
		pb_rec_put(&out, PB_REC_AGGREGATE, pb_stamp_none(),
		    &(struct pb_rec_aggregate){.sum = r->aggregate[i],
			.version = PB_VERSION,
			.confidence = o->confidence});
	pb_text_clear(&out);
}

/* The row ends where the last field does, and with CR and LF. */
static void
end_row(struct pb_text *o)
{
	o->len -= o->len > 0;
	pb_text_put(o, "\r", 1);
	pb_text_line(o);
}

bool
pb_bench_csv(const struct pb_report *r, double confidence)
{
	struct pb_text out = {.to = stdout};
	struct pb_opt_names names = {.n = 0};
	bool ok;

	for (int i = 0; i < r->summaries; i++)
		for (int k = 0; k < r->summary[i].key.told.n; k++)
			pb_opt_names_add(
			    &names, r->summary[i].key.told.at[k].name);
	pb_rec_row(&out, PB_REC_SUMMARY, NULL);
	for (int k = 0; k < names.n; k++)
		pb_text_field(&out, names.name[k]);
	end_row(&out);
	for (int i = 0; i < r->summaries; i++) {
		struct pb_rec_summary x = summary_of(r, i, confidence);

		pb_rec_row(&out, PB_REC_SUMMARY, &x);
		for (int k = 0; k < names.n; k++) {
			const char *value =
			    pb_told_value(x.sum.key.told, names.name[k]);

			pb_text_field(&out, value ? value : "");
		}
		end_row(&out);
	}
	ok = !out.failed;
	pb_text_clear(&out);
	return ok;
}

/* Players who would be compared if they had met the same trials. */
static void
warn_apart(const struct pb_report *r)
{
	const struct pb_trial *a = &r->summary[r->apart_pair[0]].key;
	const struct pb_trial *b = &r->summary[r->apart_pair[1]].key;
	char more[48] = "";

	if (r->apart == 0)
		return;
	if (r->apart > 1)
		snprintf(more, sizeof(more), ", as %d pairs in all", r->apart);
	pb_msg_warn((struct pb_place){NULL, 0},
	    "%s and %s, map %s, round %d: no trial in common, not compared%s",
	    a->policy, b->policy, a->map, a->round, more);
}

void
pb_bench_doubt(const struct pb_report *r)
{
	warn_apart(r);
	for (int i = 0; i < r->comparisons; i++) {
		const struct pb_comparison *c = &r->comparison[i];
		const char *by = pb_measure_name(c->by.measure);

		if (isnan(c->effect)) {
			pb_msg_warn((struct pb_place){NULL, 0},
			    "--by %s: not known of all trials of %s and %s%s",
			    by, r->summary[c->first].key.policy,
			    r->summary[c->second].key.policy, why_untimed(by));
			break;
		}
	}
	for (int i = 0; i < r->summaries; i++) {
		const struct pb_summary *s = &r->summary[i];

		/* Methods draw lots where the drive is the same. */
		if (s->n > 1 && s->distinct == 1 &&
		    strcmp(s->key.rules, pb_game_localize.name) != 0)
			pb_msg_warn((struct pb_place){NULL, 0},
			    "%s, map %s, round %d: all %ld trials are one and "
			    "the same game; they count as one",
			    s->key.policy, s->key.map, s->key.round, s->n);
	}
}

void
pb_bench_judge(const struct pb_report *r, const char *baseline, double margin)
{
	if (r->againsts == 0 && isnan(margin))
		pb_msg_warn((struct pb_place){baseline, 0},
		    "no trial in common with the baseline");
	else if (r->againsts < r->summaries && !isnan(margin))
		pb_msg_unmet("--baseline %s: %d of %d summaries have no trial "
			     "in common with it",
		    baseline, r->summaries - r->againsts, r->summaries);
	for (int i = 0; !isnan(margin) && i < r->againsts; i++) {
		const struct pb_comparison *c = &r->against[i];
		const struct pb_trial *k = &r->summary[c->first].key;
		char by[PB_TRIAL_NAME];

		if (noninferior(c, margin))
			continue;
		pb_by_text(c->by, by, sizeof(by));
		pb_msg_unmet("--margin %.6g: %s, map %s, round %d: %s "
			     "changed by %+.6g, maybe by %+.6g (%ld pairs)",
		    margin, k->policy, k->map, k->round, by, c->effect,
		    worst_change(c), c->n);
		return;
	}
}
