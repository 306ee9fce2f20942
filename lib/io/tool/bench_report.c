/* bench_report.c - what a benchmark tells: bounds that are kept or not, how
 * many trials it takes, its report as records or as rows for other programs. */
#define _GNU_SOURCE /* memmem */

#include "io/tool/bench_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/opt/opt.h"
#include "io/stream/build.h"
#include "io/stream/num.h"
#include "pb/version.h"
#include "policy/localize_game.h"
#include "stats/sample_size.h"
#include "stats/sweep.h"

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

/* What players who know nothing of each other would have. */
static double
independent_split(const double p[2])
{
	return p[0] * (1 - p[1]) + p[1] * (1 - p[0]);
}

/* One player only wins no more often than both together win, or fail. */
static double
most_split(const double p[2])
{
	double won = p[0] + p[1];

	return fmin(won, 2 - won) + 1e-12; /* of decimals as typed */
}

bool
pb_plan_check(const struct pb_bench_plan *o)
{
	double d = fabs(o->rates[0] - o->rates[1]);
	bool asked = !isnan(o->rates[0]);

	if (asked && d == 0 && isnan(o->margin))
		return pb_msg_usage(
		    "--plan: equal rates are only told apart with "
		    "--margin");
	if (asked && d > 0 && !isnan(o->margin))
		return pb_msg_usage(
		    "--plan: with --margin, expected equal rates");
	if (asked && d == 0 && independent_split(o->rates) == 0)
		return pb_msg_usage("--plan: expected rates that can fail and "
				    "succeed, with --margin");
	if (!isnan(o->split) && !asked)
		return pb_msg_usage("--split: only with --plan");
	if (asked && o->split < d)
		return pb_msg_usage(
		    "--split: expected at least the difference of the "
		    "rates");
	if (asked && o->split > most_split(o->rates))
		return pb_msg_usage(
		    "--split: expected at most what the rates leave "
		    "room for");
	if (!isnan(o->width[0]) && !(o->width[1] >= 1e-6))
		return pb_msg_usage(
		    "--plan-width: expected half a width of at least "
		    "1e-6");
	return true;
}

/* Write a plan, with what all have. */
static void
put_plan(const struct pb_bench_plan *o, struct pb_rec_plan p)
{
	struct pb_text out = {.to = stdout};

	p.alpha = o->alpha;
	pb_rec_put(&out, PB_REC_PLAN, pb_stamp_none(), &p);
	pb_text_clear(&out);
}

/* To tell the two rates apart, or equal but for the margin. */
static void
put_apart(const struct pb_bench_plan *o, const char *trials, double split,
    struct pb_plan n)
{
	struct pb_rec_plan p = {.p1 = o->rates[0],
	    .p2 = o->rates[1],
	    .half = NAN,
	    .margin = o->margin,
	    .power = o->power,
	    .split = split,
	    .reached = n.power};

	if (isnan(n.n)) {
		pb_msg_usage("--plan: no number of trials that can be counted "
			     "out reaches --power %.9g",
		    o->power);
		return;
	}
	p.n = (long)n.n;
	/* Equal rates always have a margin, others never. */
	PB_REC_SET(p.question, isnan(o->margin) ? "apart" : "margin");
	PB_REC_SET(p.trials, trials);
	put_plan(o, p);
}

static void
put_pairs(const struct pb_bench_plan *o, double split)
{
	double d = o->rates[1] - o->rates[0];

	put_apart(o, "paired", split,
	    d == 0 ? pb_plan_margin(o->margin, split, o->alpha, o->power)
		   : pb_plan_paired(d, split, o->alpha, o->power));
}

void
pb_plan_write(const struct pb_bench_plan *o)
{
	double d = fabs(o->rates[0] - o->rates[1]);

	if (!isnan(o->width[0]))
		put_plan(o, (struct pb_rec_plan){.question = "width",
				.p1 = o->width[0],
				.p2 = NAN,
				.half = o->width[1],
				.margin = NAN,
				.power = NAN,
				.split = NAN,
				.reached = NAN,
				.n = (long)pb_trials_width(
				    o->width[0], o->width[1], 1 - o->alpha)});
	if (isnan(o->rates[0]))
		return;
	if (d > 0)
		put_apart(o, "independent", NAN,
		    (struct pb_plan){.n = pb_trials_apart(o->rates[0],
					 o->rates[1], o->alpha, o->power),
			.power = NAN});
	if (!isnan(o->split)) {
		put_pairs(o, o->split);
		return;
	}
	/* The least split: who wins less often never wins alone. */
	if (d > 0)
		put_pairs(o, d);
	put_pairs(o, independent_split(o->rates));
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
	bool alike =
	    isnan(c->effect_in.lo) && !c->sequential && c->n >= PB_MEAN_LEAST;

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
		PB_REC_SET(x.than, second->told);
	else if (strlen(second->told) > strlen(x.key.told))
		PB_REC_SET(x.key.told, second->told);
	pb_by_text(c->by, x.by, sizeof(x.by));
	PB_REC_SET(x.against, against);
	PB_REC_SET(x.first, first->policy);
	PB_REC_SET(x.second, second->policy);
	pb_rec_put(out, PB_REC_COMPARISON, pb_stamp_none(), &x);
}

/* The first cell of a sweep is compared with no other. */
static bool
is_reference(const struct pb_report *r, int summary)
{
	for (int i = 0; i < r->sweeps.cells; i++)
		if (r->sweeps.cell[i].first == summary)
			return false;
	return true;
}

static void
put_effect(struct pb_text *out, const struct pb_report_opts *o,
    const struct pb_report *r, const struct pb_effect *e)
{
	struct pb_rec_effect x = {.key = r->summary[e->summary].key,
	    .e = *e,
	    .confidence = o->confidence};

	pb_by_text(e->by, x.by, sizeof(x.by));
	PB_REC_SET(x.version, PB_VERSION);
	pb_rec_put(out, PB_REC_EFFECT, pb_stamp_none(), &x);
}

static const char *
decision(const struct pb_verdict *v)
{
	switch (v->decision) {
	case PB_HIGH:
		return v->second < 0 ? "p1" : "first";
	case PB_LOW:
		return v->second < 0 ? "p0" : "second";
	case PB_OPEN:
		break;
	}
	return "open";
}

static void
put_verdict(struct pb_text *out, const struct pb_report_opts *o,
    const struct pb_report *r, const struct pb_verdict *v)
{
	const struct pb_seq_opts *seq = o->seq;
	const struct pb_trial *key = &r->summary[v->first].key;
	/* A race is between two players, a ratio test is about one. */
	bool race = v->second >= 0;
	struct pb_rec_verdict x = {.key = *key,
	    .n = v->n,
	    .k = race ? -1 : v->k,
	    .only_first = race ? v->k : -1,
	    .only_second = race ? v->lost : -1,
	    .p0 = race ? NAN : seq->p0,
	    .p1 = race ? NAN : seq->p1,
	    .alpha = v->alpha,
	    .power = race ? NAN : seq->power,
	    .ratio = v->ratio,
	    .p = race ? v->p : NAN};

	pb_by_text(pb_report_by(o, key->rules), x.by, sizeof(x.by));
	PB_REC_SET(x.test, race ? "race" : "sprt");
	PB_REC_SET(x.first, key->policy);
	if (race)
		PB_REC_SET(x.second, r->summary[v->second].key.policy);
	PB_REC_SET(x.decision, decision(v));
	pb_rec_put(out, PB_REC_VERDICT, pb_stamp_none(), &x);
}

/* Players of one family stand together, the strongest first. */
static void
put_rating(struct pb_text *out, const struct pb_report_opts *o,
    const struct pb_report *r, int i)
{
	const struct pb_trial *key = &r->summary[r->rating[i].player].key;
	struct pb_rec_rating x = {
	    .key = *key, .r = r->rating[i], .confidence = o->confidence};

	pb_by_text(pb_report_by(o, key->rules), x.by, sizeof(x.by));
	PB_REC_SET(x.version, PB_VERSION);
	pb_rec_put(out, PB_REC_RATING, pb_stamp_none(), &x);
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
pb_bench_sheet_summaries(
    struct pb_bench_sheet *s, const struct pb_report *r, double confidence)
{
	for (int i = 0; i < r->summaries; i++) {
		struct pb_rec_summary x = summary_of(r, i, confidence);

		pb_bench_sheet_add(s, &x, x.sum.key.told);
	}
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
	for (int i = 0; i < r->sweeps.cells; i++)
		put_comparison(&out, o, r, &r->sweeps.cell[i],
		    is_reference(r, r->sweeps.cell[i].second) ? "reference"
							      : "cell",
		    NAN);
	for (int i = 0; i < r->sweeps.effects; i++)
		put_effect(&out, o, r, &r->sweeps.effect[i]);
	for (int i = 0; i < r->aggregates; i++)
		pb_rec_put(&out, PB_REC_AGGREGATE, pb_stamp_none(),
		    &(struct pb_rec_aggregate){.sum = r->aggregate[i],
			.version = PB_VERSION,
			.confidence = o->confidence});
	for (int i = 0; i < r->verdicts; i++)
		put_verdict(&out, o, r, &r->verdict[i]);
	for (int i = 0; i < r->ratings; i++)
		put_rating(&out, o, r, i);
	pb_text_clear(&out);
}

void
pb_bench_sheet_add(struct pb_bench_sheet *s, const void *r, const char *told)
{
	pb_rec_row(&s->rows, s->type, r, s->end);
	pb_text_put(&s->rows, "", 1);
	pb_text_put(&s->rows, told, strlen(told) + 1);
}

/* Add the names of constants that are not known yet. */
static void
add_names(struct pb_opt_names *names, const char *told)
{
	const char *s;
	size_t n, len;

	while ((s = pb_told_next(&told, &n, &len)) != NULL) {
		char name[PB_OPT_NAME_MAX];

		snprintf(name, sizeof(name), "%.*s", (int)len, s);
		pb_opt_names_add(names, name);
	}
}

/* The row ends where the last field does. */
static void
end_row(struct pb_text *o, char end)
{
	o->len -= o->len > 0;
	if (end == ',')
		pb_text_put(o, "\r", 1);
	pb_text_line(o);
}

/* Names of members, and of constants; those that a member has, too, with what
 * they are. */
static void
put_heads(const struct pb_bench_sheet *s, const struct pb_opt_names *names,
    struct pb_text *o)
{
	char name[PB_OPT_NAME_MAX + 16];

	pb_rec_row(o, s->type, NULL, s->end);
	for (int i = 0; i < names->n; i++) {
		size_t n = (size_t)snprintf(name, sizeof(name), "%c%s%c",
		    s->end, names->name[i], s->end);
		bool taken = o->s && memmem(o->s, o->len, name, n);

		snprintf(name, sizeof(name), "%s%s", taken ? "constants." : "",
		    names->name[i]);
		pb_text_field(o, name, s->end);
	}
	end_row(o, s->end);
}

bool
pb_bench_sheet_write(struct pb_bench_sheet *s)
{
	struct pb_text out = {.to = stdout};
	struct pb_opt_names names = {.n = 0};
	const char *at = s->rows.s, *end = at + s->rows.len, *told, *last = "";
	bool ok = !s->rows.failed;

	for (; ok && at < end; at = told + strlen(told) + 1) {
		told = at + strlen(at) + 1;
		if (strcmp(told, last) != 0)
			add_names(&names, told);
		last = told;
	}
	put_heads(s, &names, &out);
	for (at = s->rows.s; ok && at < end; at = told + strlen(told) + 1) {
		told = at + strlen(at) + 1;
		pb_text_puts(&out, at);
		for (int i = 0; i < names.n; i++) {
			char value[PB_TRIAL_TOLD] = "";
			size_t n = 0;
			const char *v = pb_told_value(told, names.name[i], &n);

			memcpy(value, v ? v : "", n);
			pb_text_field(&out, value, s->end);
		}
		end_row(&out, s->end);
	}
	ok = ok && !out.failed;
	pb_text_clear(&out);
	pb_text_clear(&s->rows);
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
	if (r->crowded > 0)
		pb_msg_warn((struct pb_place){NULL, 0},
		    "more than %d players of one map, round and constants: no "
		    "sequential tests and no ratings of them",
		    PB_SEQ_PLAYERS);
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
