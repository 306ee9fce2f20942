/* run_records.c - records of trials, their summaries and comparisons, and the
 * origin of output. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/rec/schema.h"
#include "io/stream/line.h"
#include "io/stream/text.h"

static void
write_args(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_rec_provenance *p = r;

	pb_put_key(o, f->key);
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < p->args; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_string(o, p->arg[i]);
	}
	pb_text_put(o, "]", 1);
}

static const struct pb_codec args = {write_args, NULL, NULL};

#define PB_OF struct pb_rec_provenance
static const struct pb_field provenance_rows[] = {
    TEXT("tool", tool, REQUIRED),
    TEXT("version", version, REQUIRED),
    TEXT("commit", commit, OPTIONAL),
    TEXT("compiler", compiler, OPTIONAL),
    HEX("build", build, OPTIONAL),
    CODEC_OF_ALL("args", REQUIRED, args, NULL),
    U64_IF("seed", seed, has_seed),
    HEX("input", input, REQUIRED),
};

#undef PB_OF

/* Write a number if the value looks like one, else a string. */
static void
write_value(struct pb_text *o, const char *value)
{
	char text[PB_NUM_MAX] = "";
	int64_t whole;
	double real;

	if (pb_num_parse_int(value, &whole))
		pb_num_int(text, whole);
	else if (pb_num_parse(value, &real) && isfinite(real))
		pb_num_exact(text, real);
	if (strcmp(text, value) == 0)
		pb_text_puts(o, value);
	else
		pb_text_string(o, value);
}

static void
write_settings(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_settings *l = PB_IN(r, f);

	if (l->n == 0)
		return;
	pb_put_key(o, f->key);
	for (int i = 0; i < l->n; i++) {
		pb_text_put(o, i ? "," : "{", 1);
		pb_text_string(o, l->at[i].name);
		pb_text_put(o, ":", 1);
		write_value(o, l->at[i].value);
	}
	pb_text_put(o, "}", 1);
}

/* A value as a user would type it; NULL: not a scalar. */
static const char *
format_value(const struct pb_json_value *v, char digits[PB_NUM_MAX])
{
	if (pb_json_is(v, PB_JSON_STRING))
		return pb_json_text(v);
	if (pb_json_is(v, PB_JSON_TRUE) || pb_json_is(v, PB_JSON_FALSE))
		return pb_json_is(v, PB_JSON_TRUE) ? "yes" : "no";
	if (pb_json_is(v, PB_JSON_WHOLE))
		pb_num_int(digits, v->whole);
	else if (pb_json_is(v, PB_JSON_REAL))
		pb_num_exact(digits, v->real);
	else
		return NULL;
	return digits;
}

static void
read_settings(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_settings *l = PB_IN(r, f);
	const struct pb_json_value *v = NULL;
	struct pb_get sub;
	struct pb_setting *at;

	if (!pb_get_object(g, f->key, f->need, &sub))
		return;
	at = pb_alloc(pb_json_size(sub.obj, PB_JSON_OBJECT) + 1, sizeof(*at));
	l->at = at;
	while (*g->ok && (v = pb_json_next(sub.obj, v)) != NULL) {
		char digits[PB_NUM_MAX];
		const char *name = PB_JSON_KEY(v),
			   *value = format_value(v, digits);

		if (strlen(name) >= sizeof(at->name))
			pb_get_fail(g, f->key, "names of at most 31 bytes");
		else if (!value || strlen(value) >= sizeof(at->value))
			pb_get_fail(&sub, name, "a value of at most 127 bytes");
		else {
			strcpy(at[l->n].name, name);
			strcpy(at[l->n++].value, value);
		}
	}
}

static void
clear_settings(void *list)
{
	free((struct pb_setting *)((struct pb_settings *)list)->at);
}

static const struct pb_codec settings_codec = {
    write_settings, read_settings, clear_settings};

#define PB_OF struct pb_trial
static const struct pb_field rules_rows[] = {
    TEXT("rules", rules, REQUIRED),
    TEXT("map", map, OPTIONAL),
    HEX("map_hash", map_hash, ALWAYS),
    HEX("options", options, ALWAYS),
    TEXT("preset", preset, OPTIONAL),
    CODEC("constants", settings, OPTIONAL, settings_codec, NULL),
};
#define ALL_OF(rows) PB_ROW("", GROUP, REQUIRED, 0, ANY, PB_ROWS(rows))

/* Members that identify a trial, except the player. */
static const struct pb_field key_rows[] = {
    ALL_OF(rules_rows),
    TEXT("program", program, OPTIONAL),
    HEX("weights", weights, OPTIONAL),
    HEX("own", own, OPTIONAL),
    TEXT("ghosts", ghosts, OPTIONAL),
};

/* Measurements of a trial, by rule set. */
static const struct pb_field task_rows[] = {
    ALL_OF(rules_rows),
    TEXT("ghosts", ghosts, OPTIONAL),
    WHOLE("round", round, ALWAYS, BETWEEN(1, INT32_MAX)),
};

/* Measurements of a localizer. */
static const struct pb_field update_rows[] = {
    UPTO("found", found, OPTIONAL, 1, updates),
    NUM("found_way", found_way, OPTIONAL, NOT_NEGATIVE, "m"),
    UPTO("wrong", wrong, ALWAYS, 0, updates),
    UPTO("lost", lost, ALWAYS, 0, updates),
    UPTO("wrong_cell", wrong_cell, OPTIONAL, 0, updates),
    NUM("error", error, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("turn", turn, OPTIONAL, NOT_NEGATIVE, "rad"),
    NUM("error_mean", error_mean, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("error_median", error_median, OPTIONAL, NOT_NEGATIVE, "m"),
    NUM("error_rms", error_rms, OPTIONAL, NOT_NEGATIVE, "m"),
};
#undef PB_OF

#define PB_OF struct pb_rec_result
static const struct pb_field result_rows[] = {
    GROUP(trial, key_rows),
    TEXT("policy", trial.policy, REQUIRED),
    WHOLE("round", trial.round, ALWAYS, BETWEEN(1, INT32_MAX)),
    U64("seed", trial.seed, ALWAYS),
    U64("trial", trial.trial, REQUIRED),
    TEXT("outcome", trial.outcome, ALWAYS),
    FLAG("success", trial.success, ALWAYS),
    TEXT("cause", trial.cause, OPTIONAL),
    UPTO("pellets", trial.collected, OPTIONAL, 0, trial.total),
    WHOLE("pellets_total", trial.total, OPTIONAL, BETWEEN(0, PB_TALLY_PELLETS)),
    WHOLE("removed", trial.removed, OPTIONAL, COUNT),
    NUM("score", trial.score, OPTIONAL, BETWEEN(-1e12, 1e12), NULL),
    NUM("time", trial.time, OPTIONAL, NOT_NEGATIVE, "s"),
    NUM("limit", trial.limit, NONZERO, NOT_NEGATIVE, "s"),
    NUM("driven", trial.driven, OPTIONAL, ANY, "m"),
    NUM("nearest", trial.nearest, OPTIONAL, ANY, "m"),
    WHOLE("deaths", trial.deaths, OPTIONAL, COUNT),
    WHOLE("levels", trial.levels, OPTIONAL, COUNT),
    WHOLES("killed", trial.killed, trial.killers, "at most 8 numbers"),
    WHOLE("eaten", trial.eaten, OPTIONAL, COUNT),
    WHOLE("decisions", trial.decisions, OPTIONAL, COUNT),
    WHOLE("collisions", trial.collisions, OPTIONAL, COUNT),
    WHOLE("bumps", trial.bumps, OPTIONAL, COUNT),
    NUM("pace", trial.pace, OPTIONAL, NOT_NEGATIVE, NULL),
    WHOLE("updates", trial.updates, NONZERO, COUNT),
    GROUP_COUNTED(trial, trial.updates, update_rows),
    HEX("hash", trial.hash, OPTIONAL),
    CONST("metric", PB_METRIC, ALWAYS),
    TEXT("version", version, OPTIONAL),
    HEX("build", trial.build, OPTIONAL),
};

/* The number of collected pellets is at most that of all. */
static void
begin_result(struct pb_get *g, void *at)
{
	const struct pb_json_value *v = pb_get_value(g, "pellets_total");
	long total;

	if (!pb_json_long(v, &total) || total < 0 || total > PB_TALLY_PELLETS)
		total = PB_TALLY_PELLETS;
	((struct pb_rec_result *)at)->trial.total = (int)total;
}

/* Set success from the outcome, or refuse a result without both. */
static void
check_result(struct pb_get *g, void *at)
{
	struct pb_rec_result *r = at;
	struct pb_trial *t = &r->trial;

	if (!pb_get_value(g, "success") && !*t->outcome)
		pb_get_fail(g, "success", "true or false, or an outcome");
	else if (!pb_get_value(g, "success"))
		t->success = strcmp(t->outcome, "complete") == 0;
	if (!*t->outcome)
		PB_REC_SET(t->outcome, t->success ? "complete" : "failed");
	if (!pb_get_value(g, "pellets_total"))
		t->total = -1;
}
#undef PB_OF

/* Write counts by outcome or cause; the rule set defines the names. */
static void
write_counts(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_tally_words *c = PB_IN(r, f);

	if (f->need == PB_OPTIONAL && c->n == 0)
		return;
	pb_put_key(o, f->key);
	pb_text_put(o, "{", 1);
	for (int i = 0; i < c->n; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_string(o, c->word[i]);
		pb_text_put(o, ":", 1);
		pb_text_int(o, c->count[i]);
	}
	pb_text_put(o, "}", 1);
}

static const struct pb_codec counts = {write_counts, NULL, NULL};

/* Members about the updates of localizers. */
#define TRACK(key, i, unit) \
	ESTIMATE(key, sum.track[i].value, sum.track[i].in, unit)

#define PB_OF struct pb_rec_summary
static const struct pb_field summary_rows[] = {
    GROUP(sum.key, key_rows),
    TEXT("policy", sum.key.policy, REQUIRED),
    WHOLE("round", sum.key.round, ALWAYS, BETWEEN(1, INT32_MAX)),
    U64_IF("seed", sum.key.seed, sum.one_seed),
    WHOLE("n", sum.n, REQUIRED, LINES),
    UPTO("k", sum.k, REQUIRED, 0, sum.n),
    WHOLE("distinct", sum.distinct, OPTIONAL, COUNT),
    RATIO("rate", sum.k, sum.n),
    NUM("lo", sum.rate.lo, ALWAYS, ANY, NULL),
    NUM("hi", sum.rate.hi, ALWAYS, ANY, NULL),
    NUM("confidence", confidence, OPTIONAL, SHARE, NULL),
    UPTO("but_one", sum.but_one, OPTIONAL, 0, sum.n),
    UPTO("at_least", sum.at_least, OPTIONAL, 0, sum.n),
    RATIO("at_least_rate", sum.at_least, sum.n),
    NUM("at_least_lo", sum.most.lo, OPTIONAL, ANY, NULL),
    NUM("at_least_hi", sum.most.hi, OPTIONAL, ANY, NULL),
    CODEC("outcomes", sum.outcomes, ALWAYS, counts, NULL),
    CODEC("causes", sum.causes, OPTIONAL, counts, NULL),
    WHOLE("pellets_total", sum.total, NONZERO, BETWEEN(0, PB_TALLY_PELLETS)),
    NUM("pellets_mean", sum.pellets.value, OPTIONAL, ANY, NULL),
    INTERVAL("pellets", sum.pellets.in, NULL),
    NUM("score_mean", sum.score.value, OPTIONAL, ANY, NULL),
    INTERVAL("score", sum.score.in, NULL),
    NUM("deaths_mean", sum.deaths.value, OPTIONAL, ANY, NULL),
    INTERVAL("deaths", sum.deaths.in, NULL),
    NUM("levels_mean", sum.levels_mean, OPTIONAL, ANY, NULL),
    NUM("time_mean", sum.time_mean, OPTIONAL, ANY, "s"),
    NUM("time_median", sum.time_median, OPTIONAL, ANY, "s"),
    NUM("time_q1", sum.time_q1, OPTIONAL, ANY, "s"),
    NUM("time_q3", sum.time_q3, OPTIONAL, ANY, "s"),
    WHOLES("killed", sum.killed, sum.killers, "at most 8 numbers"),
    NUM("updates_mean", sum.updates_mean, OPTIONAL, ANY, NULL),
    TRACK("error_mean", PB_TRACK_MEAN, "m"),
    TRACK("error_median", PB_TRACK_MEDIAN, "m"),
    TRACK("error_rms", PB_TRACK_RMS, "m"),
    TRACK("pace", PB_TRACK_PACE, NULL),
    TRACK("wrong_cell", PB_TRACK_CELL, NULL),
    TRACK("lost_updates", PB_TRACK_LOST, NULL),
    TRACK("wrong_updates", PB_TRACK_WRONG, NULL),
    CONST("metric", PB_METRIC, WRITTEN),
    TEXT("version", version, OPTIONAL),
    HEX("build", build, OPTIONAL),
};
#undef PB_OF

/* A comparison. Numbers without an interval lack _lo and _hi. */
#define PB_OF struct pb_rec_comparison
static const struct pb_field comparison_rows[] = {
    GROUP(key, task_rows),
    TEXT("first", first, REQUIRED),
    TEXT("second", second, REQUIRED),
    TEXT("against", against, OPTIONAL),
    CODEC("than", than, OPTIONAL, settings_codec, NULL),
    WHOLE("n", cmp.n, REQUIRED, LINES),
    WHOLE("alone", cmp.alone, ALWAYS, LINES),
    UPTO("both", cmp.won.both, ALWAYS, 0, cmp.n),
    UPTO("only_first", cmp.won.first, ALWAYS, 0, cmp.n),
    UPTO("only_second", cmp.won.second, ALWAYS, 0, cmp.n),
    UPTO("none", cmp.won.none, ALWAYS, 0, cmp.n),
    TEXT("by", by, OPTIONAL),
    NUM("rate", cmp.rate.value, ALWAYS, ANY, NULL),
    NUM("rate_lo", cmp.rate.in.lo, OPTIONAL, ANY, NULL),
    NUM("rate_hi", cmp.rate.in.hi, OPTIONAL, ANY, NULL),
    NUM("least", cmp.least, OPTIONAL, SHARE, NULL),
    SHORT("p", cmp.p, ALWAYS, SHARE),
    SHORT("p_holm", cmp.p_holm, ALWAYS, SHARE),
    NUM("effect", cmp.effect.value, OPTIONAL, ANY, NULL),
    INTERVAL("effect", cmp.effect.in, NULL),
    NUM("pellets", cmp.pellets.value, ALWAYS, ANY, NULL),
    INTERVAL("pellets", cmp.pellets.in, NULL),
    NUM("time", cmp.time.value, ALWAYS, ANY, "s"),
    INTERVAL("time", cmp.time.in, "s"),
    NUM("confidence", confidence, OPTIONAL, SHARE, NULL),
    NUM("margin", margin, OPTIONAL, NOT_NEGATIVE, NULL),
    FLAG_OF("noninferior", noninferior, margin),
};
#undef PB_OF

#define PB_OF struct pb_rec_aggregate
static const struct pb_field aggregate_rows[] = {
    TEXT("rules", sum.key.rules, REQUIRED),
    HEX("options", sum.key.options, ALWAYS),
    TEXT("preset", sum.key.preset, OPTIONAL),
    CODEC("constants", sum.key.settings, OPTIONAL, settings_codec, NULL),
    TEXT("policy", sum.key.policy, REQUIRED),
    WHOLE("strata", sum.strata, REQUIRED, BETWEEN(1, INT32_MAX)),
    WHOLE("n", sum.n, REQUIRED, LINES),
    UPTO("trials", sum.trials, ALWAYS, 0, sum.n),
    ESTIMATE("rate", sum.rate.value, sum.rate.in, NULL),
    ESTIMATE("pellets", sum.pellets.value, sum.pellets.in, NULL),
    ESTIMATE("time", sum.time.value, sum.time.in, "s"),
    NUM("confidence", confidence, OPTIONAL, SHARE, NULL),
    CONST("metric", PB_METRIC, WRITTEN),
    TEXT("version", version, OPTIONAL),
};
#undef PB_OF

const struct pb_schema pb_run_schemas[PB_REC_TYPES] = {
    [PB_REC_PROVENANCE] = PB_TYPE("provenance", pb_rec_provenance,
	provenance_rows, HEADER, .unread = true),
    [PB_REC_RESULT] = PB_TYPE("result", pb_rec_result, result_rows, HEADER,
	.begin = begin_result, .end = check_result),
    [PB_REC_SUMMARY] = PB_TYPE(
	"summary", pb_rec_summary, summary_rows, HEADER, .unread = true),
    [PB_REC_COMPARISON] = PB_TYPE("comparison", pb_rec_comparison,
	comparison_rows, HEADER, .unread = true),
    [PB_REC_AGGREGATE] = PB_TYPE(
	"aggregate", pb_rec_aggregate, aggregate_rows, HEADER, .unread = true),
};
