/* bench_report.c - output of pb-bench: checks of bounds; reports of games and
 * trajectories as records or CSV. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/filter.h"
#include "io/file/logfile.h"
#include "io/stream/text.h"
#include "io/tool/bench.h"
#include "pb/localizer.h"
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

/* Parse "PLAYER" or "PLAYER@ROUND" in s[0..n). */
static bool
read_player(const char *s, size_t n, struct pb_expect *e)
{
	const char *at = memchr(s, '@', n);
	size_t head = at ? (size_t)(at - s) : n;
	char word[PB_TRIAL_NAME];
	int64_t v = 0;

	if (at && (!copy_word(word, at + 1, n - head - 1) ||
		      !pb_num_parse_int(word, &v) || v < 1 || v > 1000000))
		return false;
	e->round = (int)v;
	return copy_word(e->player, s, head);
}

/* Whether name is a number of some rule set's summaries. */
static bool
is_known_number(const char *name)
{
	struct pb_summary any = {.n = 1};
	const struct pb_rules *r;
	double v;

	/* Rates of outcomes are numbers, too. */
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
		if (!read_player(text, (size_t)(colon - text), &x))
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
	if (!is_known_number(x.number))
		return pb_error_set(bad,
		    "\"%.80s\" begins with no number of a summary", x.number);
	*e = x;
	return true;
}

/* Whether value keeps the bound; NAN does not. */
static bool
keeps_bound(const struct pb_expect *e, double value)
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

/* Why a number made from times is unknown; "" for other numbers. */
static const char *
explain_untimed(const char *number)
{
	return strcmp(number, pb_measure_name(PB_BY_TIME)) == 0 ||
	               strcmp(number, "median_time") == 0
	           ? ": some have no time, or failed and have no limit"
	           : "";
}

bool
pb_expect_judge(const struct pb_expect *e, const struct pb_report *r)
{
	bool about = false;
	double v;

	for (int i = 0; i < r->summaries; i++) {
		const struct pb_summary *s = &r->summary[i];
		const struct pb_trial *k = &s->key;
		const struct pb_rules *rules = pb_rules_find(k->rules);
		const struct pb_game *g =
		    strcmp(k->rules, pb_game_localize.name) == 0
			? &pb_game_localize
		    : rules ? rules->game
			    : NULL;

		if ((*e->player && strcmp(e->player, k->policy) != 0) ||
		    (e->round != 0 && e->round != k->round))
			continue;
		about = true;
		if (!pb_summary_number(s, e->number, g ? g->outcome : NULL, &v))
			v = NAN;
		if (keeps_bound(e, v))
			continue;
		if (isnan(v))
			pb_msg_unmet("--expect %s: %s, map %s, round %d: %s is "
				     "not known of all %ld trials%s",
			    e->text, k->policy, pb_bench_map(k), k->round,
			    e->number, s->n, explain_untimed(e->number));
		else
			pb_msg_unmet("--expect %s: %s, map %s, round %d: %s is "
				     "%.6g (%ld trials)",
			    e->text, k->policy, pb_bench_map(k), k->round,
			    e->number, v, s->n);
		return false;
	}
	if (!about)
		pb_msg_unmet("--expect %s: no such trials", e->text);
	return about;
}

void
pb_by_text(struct pb_criterion by, char *out, size_t size)
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

/* The worse end of the interval of the change; if all of enough trials changed
 * alike, that change. */
static double
worst_change(const struct pb_comparison *c)
{
	bool alike = isnan(c->effect.in.lo) && c->n >= PB_MEAN_LEAST;

	return alike                         ? c->effect.value
	       : pb_criterion_is_less(c->by) ? c->effect.in.hi
	                                     : c->effect.in.lo;
}

static bool
is_noninferior(const struct pb_comparison *c, double margin)
{
	double worst = worst_change(c);

	return (pb_criterion_is_less(c->by) ? -worst : worst) > -margin;
}

/* Write a comparison of two players, or of one player with its baseline or with
 * other constants. */
static void
write_comparison(struct pb_text *out, const struct pb_bench_opts *o,
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
	    .noninferior = base && is_noninferior(c, margin)};

	/* Both have these constants; one may list more of them. */
	if (*against && !base)
		x.than = second->settings;
	else if (second->settings.n > x.key.settings.n)
		x.key.settings = second->settings;
	pb_by_text(c->by, x.by, sizeof(x.by));
	PB_REC_SET(x.against, against);
	PB_REC_SET(x.first, first->policy);
	PB_REC_SET(x.second, second->policy);
	pb_rec_put(out, PB_REC_COMPARISON, pb_stamp_none(), &x);
}

/* The summary's build is that of its results, 0: several; if they have none,
 * this build. */
static struct pb_rec_summary
make_summary(const struct pb_report *r, int i, double confidence)
{
	const struct pb_builds *b = &r->summary[i].builds;

	return (struct pb_rec_summary){.sum = r->summary[i],
	    .version = PB_VERSION,
	    .build = b->n == 0   ? pb_build_digest()
	             : b->n == 1 ? b->build[0]
	                         : 0,
	    .confidence = confidence};
}

/* End a row of CSV: without a last comma, with CR LF. */
static void
end_row(struct pb_text *o)
{
	o->len -= o->len > 0;
	pb_text_put(o, "\r", 1);
	pb_text_line(o);
}

/* Write CSV (RFC 4180): a line of names, and a row for each summary: its plain
 * members, then all constants of any summary. */
static void
write_csv(const struct pb_report *r, double confidence)
{
	struct pb_text out = {.to = stdout};
	struct pb_opt_names names = {.n = 0};

	for (int i = 0; i < r->summaries; i++)
		for (int k = 0; k < r->summary[i].key.settings.n; k++)
			pb_opt_names_add(
			    &names, r->summary[i].key.settings.at[k].name);
	pb_rec_row(&out, PB_REC_SUMMARY, NULL);
	for (int k = 0; k < names.n; k++)
		pb_text_field(&out, names.name[k]);
	end_row(&out);
	for (int i = 0; i < r->summaries; i++) {
		struct pb_rec_summary x = make_summary(r, i, confidence);

		pb_rec_row(&out, PB_REC_SUMMARY, &x);
		for (int k = 0; k < names.n; k++) {
			const char *value = pb_settings_value(
			    x.sum.key.settings, names.name[k]);

			pb_text_field(&out, value ? value : "");
		}
		end_row(&out);
	}
	pb_text_clear(&out);
}

void
pb_bench_write(const struct pb_bench_opts *o, const struct pb_report *r)
{
	struct pb_text out = {.to = stdout};

	if (o->csv)
		write_csv(r, o->confidence);
	if (o->csv || o->table)
		return;
	for (int i = 0; i < r->summaries; i++) {
		struct pb_rec_summary s = make_summary(r, i, o->confidence);

		pb_rec_put(&out, PB_REC_SUMMARY, pb_stamp_none(), &s);
	}
	for (int i = 0; i < r->comparisons; i++)
		write_comparison(&out, o, r, &r->comparison[i], "", NAN);
	for (int i = 0; i < r->againsts; i++)
		write_comparison(
		    &out, o, r, &r->against[i], "baseline", o->margin);
	for (int i = 0; i < r->cells; i++)
		write_comparison(&out, o, r, &r->cell[i], "reference", NAN);
	for (int i = 0; i < r->aggregates; i++)
		pb_rec_put(&out, PB_REC_AGGREGATE, pb_stamp_none(),
		    &(struct pb_rec_aggregate){.sum = r->aggregate[i],
			.version = PB_VERSION,
			.confidence = o->confidence});
	pb_text_clear(&out);
}

/* Warn of trials that are all the same game, of players without a common trial,
 * and of a measure that is unknown. */
static void
warn_of_report(const struct pb_report *r)
{
	const struct pb_summary *s = r->summary;
	const int *pair = r->apart_pair;
	char more[48] = "";

	if (r->apart > 1)
		snprintf(more, sizeof(more), ", as %d pairs in all", r->apart);
	if (r->apart > 0)
		pb_msg_warn((struct pb_place){NULL, 0},
		    "%s and %s, map %s, round %d: no trial in common, not "
		    "compared%s",
		    s[pair[0]].key.policy, s[pair[1]].key.policy,
		    pb_bench_map(&s[pair[0]].key), s[pair[0]].key.round, more);
	for (int i = 0; i < r->comparisons; i++) {
		const struct pb_comparison *c = &r->comparison[i];
		const char *by = pb_measure_name(c->by.measure);

		if (isnan(c->effect.value)) {
			pb_msg_warn((struct pb_place){NULL, 0},
			    "--by %s: not known of all trials of %s and %s%s",
			    by, r->summary[c->first].key.policy,
			    r->summary[c->second].key.policy,
			    explain_untimed(by));
			break;
		}
	}
	for (; s < r->summary + r->summaries; s++) {
		/* Localizers draw random numbers even where the drive is the
		 * same. */
		if (s->n > 1 && s->distinct == 1 &&
		    strcmp(s->key.rules, pb_game_localize.name) != 0)
			pb_msg_warn((struct pb_place){NULL, 0},
			    "%s, map %s, round %d: all %ld trials are one and "
			    "the same game; they count as one",
			    s->key.policy, pb_bench_map(&s->key), s->key.round,
			    s->n);
	}
}

void
pb_bench_judge(const struct pb_bench_opts *o, const struct pb_report *r)
{
	double margin = o->margin;

	warn_of_report(r);
	for (int i = 0; i < o->expect_text.n; i++)
		pb_expect_judge(&o->expect[i], r);
	if (o->baseline && r->againsts == 0 && isnan(margin))
		pb_msg_refuse((struct pb_place){o->baseline, 0},
		    "no trial in common with the baseline: players, constants, "
		    "maps, rounds or seeds are others; nothing is compared "
		    "with it");
	if (r->againsts < r->summaries && !isnan(margin))
		pb_msg_unmet("--baseline %s: %d of %d summaries have no trial "
			     "in common with it",
		    o->baseline, r->summaries - r->againsts, r->summaries);
	/* Report the first comparison with the baseline beyond the margin. */
	for (int i = 0; !isnan(margin) && i < r->againsts; i++) {
		const struct pb_comparison *c = &r->against[i];
		const struct pb_trial *k = &r->summary[c->first].key;
		char by[PB_TRIAL_NAME];

		if (is_noninferior(c, margin))
			continue;
		pb_by_text(c->by, by, sizeof(by));
		pb_msg_unmet("--margin %.6g: %s, map %s, round %d: %s "
			     "changed by %+.6g, interval to %+.6g (%ld pairs)",
		    margin, k->policy, pb_bench_map(k), k->round, by,
		    c->effect.value, worst_change(c), c->n);
		return;
	}
}

/* Poses being read: of the streams, and true ones maybe of a reference. */
struct reading {
	const struct pb_trajectory_opts *o;
	struct pb_drive log, reference;
	struct pb_timed_list *truth; /* of either */
};

/*
 * Read poses of a file.
 *
 * Given    plain  kinds that poses without a source are; if one kind only, they
 *          need no time
 */
static bool
read_poses(const struct reading *g, const struct pb_opt_common *common,
    char *const *files, int n, enum pb_pose_kind plain, struct pb_drive *to)
{
	bool relations = g->o->relations != NULL;
	const struct pb_drivefile_opts o = {.id = g->o->id,
	    .want = PB_REC_BIT(PB_REC_POSE) | PB_REC_BIT(PB_REC_ODOM) |
	            (g->o->see ? PB_REC_BIT(PB_REC_MAP) : 0),
	    .plain = PB_KIND(plain),
	    .untimed = PB_KIND(PB_POSE_PLAIN) |
	               (relations ? 0 : PB_KIND(PB_POSE_ODOM)),
	    .headed = relations,
	    .common = common,
	    .see = to == &g->log ? g->o->see : NULL,
	    .seer = g->o->seer};

	return pb_drivefile_read(to, &o, files, n, NULL);
}

/* Read the true poses of the reference; a recording may mark them as
 * estimates. */
static bool
read_reference(struct reading *g, const struct pb_opt_common *common)
{
	char *file[] = {(char *)g->o->reference};
	struct pb_timed_list *truth = &g->reference.pose[PB_POSE_TRUTH];

	if (!read_poses(g, common, file, 1, PB_POSE_TRUTH, &g->reference))
		return false;
	if (truth->n == 0 && g->reference.pose[PB_POSE_ESTIMATE].n > 0) {
		pb_msg_note("%s: no pose has source truth; its estimates are "
			    "the reference",
		    g->o->reference);
		truth = &g->reference.pose[PB_POSE_ESTIMATE];
	}
	for (size_t i = 0; i < truth->n && isfinite(g->o->clock); i++)
		truth->at[i].t -= g->o->clock;
	g->truth = truth;
	return truth->n > 0 ||
	       pb_msg_refuse((struct pb_place){g->o->reference, 0},
		   "expected a pose of %s, got none", g->o->id);
}

/* Find the reference's time at time 0 of the estimates; PB_OK or PB_ENOENT. */
static enum pb_status
find_clock(const struct reading *g, double *clock)
{
	const struct pb_timed_list *estimate = &g->log.pose[PB_POSE_ESTIMATE];
	enum pb_status st = pb_traj_clock(
	    g->truth->at, g->truth->n, estimate->at, estimate->n, clock);

	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	return st;
}

/* --clock auto: shift the reference's times. */
static bool
shift_clock(struct reading *g)
{
	const struct pb_timed_list *estimate = &g->log.pose[PB_POSE_ESTIMATE];
	double clock;

	if (estimate->n == 0)
		return true;
	if (find_clock(g, &clock) != PB_OK)
		return pb_msg_refuse((struct pb_place){g->o->reference, 0},
		    "--clock auto: no difference of the clocks makes the "
		    "motion of %zu true poses equal that of %zu estimates",
		    g->truth->n, estimate->n);
	for (size_t i = 0; i < g->truth->n; i++)
		g->truth->at[i].t -= clock;
	pb_msg_note("%s: using --clock %.3f, estimated from the motion of both",
	    g->o->reference, clock);
	return true;
}

/* "; both move alike with --clock 3.2" if that would pair the poses, else
 * "". */
static const char *
suggest_clock(const struct reading *g, char text[160])
{
	bool apart = g->o->reference != NULL;
	double clock;

	*text = '\0';
	if (find_clock(g, &clock) == PB_OK && fabs(clock) > g->o->traj.max_dt)
		snprintf(text, 160, "; both move alike with %s--clock %.3f",
		    apart ? "" : "the truth as --reference and ",
		    clock + (isfinite(g->o->clock) ? g->o->clock : 0));
	return text;
}

/* Explain why no poses could be compared. */
static void
explain_no_pairs(const struct reading *g, struct pb_place at, enum pb_status st,
    const struct pb_pair_ambiguity *d)
{
	const struct pb_traj_opts *o = &g->o->traj;
	size_t estimates = g->log.pose[PB_POSE_ESTIMATE].n;
	char hint[160];

	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (st == PB_EVAGUE)
		pb_msg_refuse(at,
		    "%zu of %zu estimates, the first at %g s, have a time "
		    "that fits several of the %zu true poses",
		    d->n, estimates, d->t, g->truth->n);
	else
		pb_msg_refuse(at,
		    "no estimate of %zu is within %g s (max-dt) of a true "
		    "pose%s",
		    estimates, o->max_dt, suggest_clock(g, hint));
}

static bool
compare_poses(
    const struct reading *g, struct pb_place at, struct pb_traj_report *r)
{
	const struct pb_timed_list *estimate = &g->log.pose[PB_POSE_ESTIMATE];
	const char *what = NULL;
	struct pb_pair_ambiguity doubt = {.n = 0};
	enum pb_status st;
	char hint[160];

	if (estimate->n == 0)
		what = "expected a pose with source estimate, got none";
	else if (g->truth->n == 0)
		what = "expected a pose with source truth, got none";
	if (what)
		return pb_msg_refuse(at, "%s", what);
	st = pb_traj_compare(g->truth->at, g->truth->n, estimate->at,
	    estimate->n, &g->o->traj, r, &doubt);
	if (st != PB_OK)
		explain_no_pairs(g, at, st, &doubt);
	else if (r->numbered)
		pb_msg_warn(at,
		    "the times of poses repeat, go back or jump: using %zu "
		    "pairs in their order, one a second",
		    r->pairs);
	if (st == PB_OK && r->alone > r->pairs)
		pb_msg_warn(at,
		    "%zu of %zu estimates have no true pose within %g s "
		    "(max-dt), nor between two %g s apart (max-gap), and are "
		    "not judged%s",
		    r->alone, estimate->n, g->o->traj.max_dt,
		    g->o->traj.max_gap, suggest_clock(g, hint));
	return st == PB_OK;
}

/* The poses of l from one file; they are contiguous. */
static struct pb_timed_list
select_file(const struct pb_timed_list *l, const char *file)
{
	size_t from = 0, to;

	while (from < l->n && strcmp(l->at[from].file, file) != 0)
		from++;
	to = from;
	while (to < l->n && strcmp(l->at[to].file, file) == 0)
		to++;
	return (struct pb_timed_list){l->at + from, to - from, 0};
}

/* Compute the scatter of each file's poses, and of the last poses of several
 * files. */
static void
measure_scatter(const struct reading *g, struct pb_trajectory_found *r)
{
	bool plain = g->log.pose[PB_POSE_ESTIMATE].n == 0;
	const struct pb_timed_list *l =
	    &g->log.pose[plain ? PB_POSE_PLAIN : PB_POSE_ESTIMATE];
	struct pb_timed_list ends = {.at = NULL}, x, odom;
	enum pb_status st = PB_OK;

	for (size_t at = 0; st == PB_OK && at < l->n; at += x.n) {
		struct pb_trial_spread t = {.file = l->at[at].file};

		x = select_file(l, t.file);
		odom = select_file(&g->log.pose[PB_POSE_ODOM], t.file);
		st = pb_scatter_of(x.at, x.n, &t.scatter);
		if (st == PB_OK)
			st = pb_claims_of(x.at, x.n, odom.at, odom.n,
			    g->o->traj.near, &t.claims);
		if (st == PB_OK)
			st = pb_timed_add(&ends, x.at[x.n - 1]);
		r->trial =
		    pb_resize(r->trial, (r->trials + 1) * sizeof(*r->trial));
		r->trial[r->trials++] = t;
	}
	for (size_t i = 0; i < ends.n; i++) {
		ends.at[i].t = NAN; /* each trial has its own clock */
		for (int k = 0; k < 3; k++)
			ends.at[i].sigma[k] = NAN;
	}
	if (st == PB_OK && ends.n > 1)
		st = pb_scatter_of(ends.at, ends.n, &r->ends);
	pb_timed_clear(&ends);
	if (st != PB_OK)
		pb_msg_end_memory();
}

/* Judge the estimates by known relations or, without estimates, the true poses:
 * a log may hold poses that someone else corrected. */
static bool
judge_relations(
    struct reading *g, struct pb_place at, struct pb_trajectory_found *r)
{
	const char *name = g->o->relations;
	bool truth = g->log.pose[PB_POSE_ESTIMATE].n == 0;
	struct pb_timed_list *l =
	    &g->log.pose[truth ? PB_POSE_TRUTH : PB_POSE_ESTIMATE];
	struct pb_timed_list *odom = &g->log.pose[PB_POSE_ODOM];
	struct pb_relation_list known = {.at = NULL};
	enum pb_status st = PB_OK;
	bool ok = pb_relations_read(name, &known);

	for (size_t i = 0; i < known.n; i++) {
		known.at[i].t1 -= g->o->clock;
		known.at[i].t2 -= g->o->clock;
	}
	r->truth = truth;
	if (ok && l->n == 0)
		ok = pb_msg_refuse(at, "expected poses, got none");
	if (ok)
		st = pb_relations_compare(
		    known.at, known.n, l, odom, &r->relations);
	if (st != PB_OK && st != PB_ENOENT)
		pb_msg_end_memory();
	if (st == PB_ENOENT)
		ok = pb_msg_refuse((struct pb_place){name, 0},
		    "no relation lies within the time of the poses, %g to %g s; see "
		    "--clock",
		    l->at[0].t, l->at[l->n - 1].t);
	else if (ok && r->relations.far > 0 && odom->n == 0)
		pb_msg_warn(at,
		    "%zu of %zu relations have an end farther than %g s from a "
		    "pose, and there is no odometry that leads there; see "
		    "--relations",
		    r->relations.far, known.n, PB_RELATION_NEAR);
	free(known.at);
	return ok;
}

bool
pb_trajectory_run(const struct pb_trajectory_opts *o,
    const struct pb_opt_common *common, char *const *files, int n,
    struct pb_trajectory_found *r)
{
	struct reading g = {.o = o};
	struct pb_timed_list *estimate = &g.log.pose[PB_POSE_ESTIMATE];
	struct pb_place at = {n > 0 ? files[0] : "<stdin>", 0};
	enum pb_pose_kind plain =
	    o->relations || o->reference ? PB_POSE_ESTIMATE : PB_POSE_PLAIN;
	bool ok;

	*r = (struct pb_trajectory_found){.related = o->relations};
	g.truth = &g.log.pose[PB_POSE_TRUTH];
	ok = !o->reference || read_reference(&g, common);
	ok = ok && read_poses(&g, common, files, n, plain, &g.log);
	/* The order of poses in different streams is unknown. */
	for (size_t i = 0; o->reference && i < estimate->n; i++)
		estimate->at[i].before = PB_TIMED_APART;
	if (ok && o->reference && isnan(o->clock))
		ok = shift_clock(&g);
	r->compared = ok && !o->relations &&
	              (o->reference || g.truth->n > 0 ||
			  estimate->n + g.log.pose[PB_POSE_PLAIN].n == 0);
	if (ok && o->relations)
		ok = judge_relations(&g, at, r);
	else if (r->compared)
		ok = compare_poses(&g, at, &r->report);
	if (ok && !o->relations)
		measure_scatter(&g, r);
	pb_drive_clear(&g.log);
	pb_drive_clear(&g.reference);
	return ok;
}

void
pb_trajectory_clear(struct pb_trajectory_found *r)
{
	for (size_t i = 0; i < r->trials; i++)
		pb_claims_clear(&r->trial[i].claims);
	free(r->trial);
	r->trial = NULL;
}

static void
write_spread(struct pb_text *out, const struct pb_trajectory_opts *o,
    const char *of, const struct pb_trial_spread *t)
{
	struct pb_rec_spread y = {
	    .scatter = t->scatter, .claims = t->claims, .version = PB_VERSION};

	PB_REC_SET(y.of, of);
	PB_REC_SET(y.file, t->file);
	pb_rec_put(out, PB_REC_SPREAD, pb_stamp_at(NAN, o->id), &y);
}

void
pb_trajectory_write(
    const struct pb_trajectory_opts *o, const struct pb_trajectory_found *r)
{
	struct pb_text out = {.to = stdout};
	struct pb_rec_trajectory y = {
	    .report = r->report, .opts = o->traj, .version = PB_VERSION};
	struct pb_rec_relations z = {
	    .report = r->relations, .version = PB_VERSION};

	if (r->related) {
		PB_REC_SET(z.file, o->relations);
		PB_REC_SET(z.of, r->truth ? "truth" : "estimate");
		pb_rec_put(&out, PB_REC_RELATIONS, pb_stamp_at(NAN, o->id), &z);
	}
	if (r->compared)
		pb_rec_put(
		    &out, PB_REC_TRAJECTORY, pb_stamp_at(NAN, o->id), &y);
	for (size_t i = 0; !r->compared && i < r->trials; i++)
		write_spread(&out, o, "trial", &r->trial[i]);
	if (!r->compared && r->trials > 1)
		write_spread(&out, o, "ends",
		    &(struct pb_trial_spread){"", r->ends, {.n = 0}});
	pb_text_clear(&out);
}

/* A number of a trial: of its scatter or claims. */
static bool
find_trial_number(const struct pb_trial_spread *t, const char *name, double *v)
{
	return pb_scatter_number(&t->scatter, name, v) ||
	       (t->claims.n > 0 && pb_claims_number(&t->claims, name, v));
}

bool
pb_trajectory_check(
    const struct pb_trajectory_opts *o, const char *bound, struct pb_expect *e)
{
	const struct pb_traj_report none = {.pairs = 0};
	const struct pb_trial_spread empty = {.claims.n = 1};
	const struct pb_relations_report no = {.n = 0};
	struct pb_error bad;
	double v;

	if (!pb_expect_read(bound, e, &bad))
		return pb_msg_usage("--expect: %s", bad.text);
	if (!*e->player &&
	    (o->relations ? pb_relations_number(&no, e->number, &v)
			  : pb_traj_number(&none, e->number, &v) ||
				find_trial_number(&empty, e->number, &v)))
		return true;
	return pb_msg_usage("--expect: \"%.80s\" begins with no number of %s",
	    bound, o->relations ? "relations" : "a trajectory");
}

bool
pb_trajectory_has(const struct pb_expect *e, struct pb_place at,
    const struct pb_trajectory_found *r)
{
	const struct pb_traj_report none = {.pairs = 0};
	double v;

	if (r->related)
		return true; /* scatter has all numbers */
	if (r->compared)
		return pb_traj_number(&r->report, e->number, &v) ||
		       pb_msg_refuse(at,
			   "--expect %s: %s applies only without true poses, "
			   "and there are some",
			   e->text, e->number);
	return find_trial_number(&r->trial[0], e->number, &v) ||
	       pb_msg_refuse(at,
		   "expected a pose with %s, got none; --expect %s needs one",
		   pb_traj_number(&none, e->number, &v) ? "source truth"
							: "a status",
		   e->text);
}

/* Print a message if a number of n poses or others, of a file or "", violates
 * the bound. */
static void
expect_number(const struct pb_expect *e, const char *file, double v, size_t n,
    const char *what)
{
	if (!keeps_bound(e, v))
		pb_msg_unmet("--expect %s: %s%s%s is %.6g (%zu %s)", e->text,
		    file, *file ? ": " : "", e->number, v, n, what);
}

void
pb_trajectory_judge(
    const struct pb_expect *e, const struct pb_trajectory_found *r)
{
	bool apart = !r->compared && r->trials > 1 &&
	             strncmp(e->number, "apart", 5) == 0;
	double v;

	if (r->related && pb_relations_number(&r->relations, e->number, &v))
		expect_number(e, "", v, r->relations.n, "relations");
	if (r->compared && pb_traj_number(&r->report, e->number, &v))
		expect_number(e, "", v, r->report.pairs, "poses");
	if (apart && pb_scatter_number(&r->ends, e->number, &v))
		expect_number(e, "", v, r->ends.n, "ends");
	for (size_t i = 0; !r->compared && !apart && i < r->trials; i++) {
		const struct pb_trial_spread *t = &r->trial[i];

		if (find_trial_number(t, e->number, &v))
			expect_number(e, t->file, v, t->scatter.n, "poses");
	}
}
