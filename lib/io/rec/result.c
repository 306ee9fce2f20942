/* result.c - records of finished trials, one by one and summed up. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/rec/fields.h"

struct pb_rec_result
pb_rec_result_none(void)
{
	return (struct pb_rec_result){.trial = {.removed = -1,
					  .deaths = -1,
					  .levels = -1,
					  .eaten = -1,
					  .decisions = -1,
					  .collisions = -1,
					  .driven = NAN,
					  .nearest = NAN}};
}

/* What tells trials apart, but for the policy. */
static void
put_key(struct pb_text *o, const struct pb_trial *k)
{
	pb_put_text(o, "rules", k->rules);
	pb_put_text_if(o, "map", k->map);
	pb_put_hex(o, "map_hash", k->map_hash);
	pb_put_hex(o, "options", k->options);
	pb_put_text_if(o, "preset", k->preset);
	pb_put_text_if(o, "constants", k->told);
	pb_put_text_if(o, "program", k->program);
	pb_put_text_if(o, "ghosts", k->ghosts);
}

static void
get_key(struct pb_get *g, struct pb_trial *k)
{
	long round = 1;

	PB_GET_WORD(g, "rules", PB_REQUIRED, k->rules);
	PB_GET_WORD(g, "map", PB_OPTIONAL, k->map);
	pb_get_hex(g, "map_hash", PB_OPTIONAL, &k->map_hash);
	pb_get_hex(g, "options", PB_OPTIONAL, &k->options);
	PB_GET_WORD(g, "preset", PB_OPTIONAL, k->preset);
	PB_GET_WORD(g, "constants", PB_OPTIONAL, k->told);
	PB_GET_WORD(g, "program", PB_OPTIONAL, k->program);
	PB_GET_WORD(g, "ghosts", PB_OPTIONAL, k->ghosts);
	pb_get_int(g, "round", PB_OPTIONAL, 1, INT32_MAX, &round);
	k->round = (int)round;
}

static void
put_updates(struct pb_text *o, const struct pb_trial *t)
{
	pb_put_int(o, "updates", t->updates);
	pb_put_int_if(o, "found", t->found);
	pb_put_int(o, "wrong", t->wrong);
	pb_put_int(o, "lost", t->lost);
	pb_put_int_if(o, "wrong_cell", t->wrong_cell);
	pb_put_num_if(o, "error", t->error);
	pb_put_num_if(o, "turn", t->turn);
	pb_put_num_if(o, "error_mean", t->error_mean);
	pb_put_num_if(o, "error_median", t->error_median);
	pb_put_num_if(o, "error_rms", t->error_rms);
}

static void
get_updates(struct pb_get *g, struct pb_trial *t)
{
	long updates = 0, found = -1, wrong = 0, lost = 0, cell = -1;

	pb_get_int(g, "updates", PB_OPTIONAL, 0, INT32_MAX, &updates);
	if (updates == 0)
		return;
	pb_get_int(g, "found", PB_OPTIONAL, 1, updates, &found);
	pb_get_int(g, "wrong", PB_OPTIONAL, 0, updates, &wrong);
	pb_get_int(g, "lost", PB_OPTIONAL, 0, updates, &lost);
	pb_get_int(g, "wrong_cell", PB_OPTIONAL, 0, updates, &cell);
	t->error = t->turn = NAN;
	t->error_mean = t->error_median = t->error_rms = NAN;
	pb_get_num(g, "error", PB_OPTIONAL, 0, INFINITY, &t->error);
	pb_get_num(g, "turn", PB_OPTIONAL, 0, INFINITY, &t->turn);
	pb_get_num(g, "error_mean", PB_OPTIONAL, 0, INFINITY, &t->error_mean);
	pb_get_num(
	    g, "error_median", PB_OPTIONAL, 0, INFINITY, &t->error_median);
	pb_get_num(g, "error_rms", PB_OPTIONAL, 0, INFINITY, &t->error_rms);
	t->updates = (int)updates;
	t->found = (int)found;
	t->wrong = (int)wrong;
	t->lost = (int)lost;
	t->wrong_cell = (int)cell;
}

void
pb_put_result(struct pb_text *o, const struct pb_rec_result *r)
{
	const struct pb_trial *t = &r->trial;

	pb_put_begin(o, PB_REC_RESULT, pb_stamp_none());
	put_key(o, t);
	pb_put_text(o, "policy", t->policy);
	pb_put_int(o, "round", t->round);
	pb_put_u64(o, "seed", t->seed);
	pb_put_u64(o, "trial", t->trial);
	pb_put_text(o, "outcome", t->outcome);
	pb_put_bool(o, "success", t->success);
	if (t->sequential)
		pb_put_bool(o, "sequential", true);
	pb_put_int(o, "pellets", t->collected);
	pb_put_int(o, "pellets_total", t->total);
	pb_put_int_if(o, "removed", t->removed);
	pb_put_num(o, "score", t->score);
	pb_put_num_if(o, "time", t->time);
	if (t->limit > 0)
		pb_put_num_if(o, "limit", t->limit);
	pb_put_num_if(o, "driven", t->driven);
	pb_put_num_if(o, "nearest", t->nearest);
	pb_put_int_if(o, "deaths", t->deaths);
	pb_put_int_if(o, "levels", t->levels);
	pb_put_kills(o, t);
	pb_put_int_if(o, "eaten", t->eaten);
	pb_put_int_if(o, "decisions", t->decisions);
	pb_put_int_if(o, "collisions", t->collisions);
	if (t->updates > 0)
		put_updates(o, t);
	if (t->hash)
		pb_put_hex(o, "hash", t->hash);
	pb_put_int(o, "metric", PB_METRIC);
	pb_put_text_if(o, "version", r->version);
	if (r->build)
		pb_put_hex(o, "build", r->build);
	pb_put_end(o);
}

/* How it ended: one of the two will do. */
static void
get_end(struct pb_get *g, struct pb_trial *t)
{
	bool told = g->ok && pb_get_value(g, "success") != NULL;

	PB_GET_WORD(g, "outcome", told ? PB_OPTIONAL : PB_REQUIRED, t->outcome);
	t->success = strcmp(t->outcome, "complete") == 0;
	pb_get_bool(g, "success", PB_OPTIONAL, &t->success);
	if (!*t->outcome)
		PB_REC_SET(t->outcome, t->success ? "complete" : "failed");
}

void
pb_get_result(struct pb_get *g, struct pb_rec_result *r)
{
	struct pb_trial *t = &r->trial;
	long collected = 0, total = -1, removed = -1;
	long metric = PB_METRIC, deaths = -1, eaten = -1, decisions = -1;
	long levels = -1, collisions = -1;

	*r = pb_rec_result_none();
	get_key(g, t);
	PB_GET_WORD(g, "policy", PB_REQUIRED, t->policy);
	pb_get_u64(g, "seed", PB_OPTIONAL, &t->seed);
	pb_get_u64(g, "trial", PB_REQUIRED, &t->trial);
	get_end(g, t);
	pb_get_int(
	    g, "pellets_total", PB_OPTIONAL, 0, PB_TALLY_PELLETS, &total);
	pb_get_int(g, "pellets", PB_OPTIONAL, 0,
	    total < 0 ? PB_TALLY_PELLETS : total, &collected);
	pb_get_int(g, "removed", PB_OPTIONAL, 0, INT32_MAX, &removed);
	pb_get_num(g, "score", PB_OPTIONAL, -1e12, 1e12, &t->score);
	t->time = NAN;
	pb_get_num(g, "time", PB_OPTIONAL, 0, INFINITY, &t->time);
	pb_get_num(g, "limit", PB_OPTIONAL, 0, INFINITY, &t->limit);
	pb_get_bool(g, "sequential", PB_OPTIONAL, &t->sequential);
	pb_get_real(g, "driven", PB_OPTIONAL, &t->driven);
	pb_get_real(g, "nearest", PB_OPTIONAL, &t->nearest);
	pb_get_int(g, "deaths", PB_OPTIONAL, 0, INT32_MAX, &deaths);
	pb_get_int(g, "levels", PB_OPTIONAL, 0, INT32_MAX, &levels);
	pb_get_int(g, "eaten", PB_OPTIONAL, 0, INT32_MAX, &eaten);
	pb_get_int(g, "decisions", PB_OPTIONAL, 0, INT32_MAX, &decisions);
	pb_get_int(g, "collisions", PB_OPTIONAL, 0, INT32_MAX, &collisions);
	pb_get_kills(g, t);
	get_updates(g, t);
	pb_get_hex(g, "hash", PB_OPTIONAL, &t->hash);
	pb_get_int(g, "metric", PB_OPTIONAL, PB_METRIC, PB_METRIC, &metric);
	PB_GET_WORD(g, "version", PB_OPTIONAL, r->version);
	pb_get_hex(g, "build", PB_OPTIONAL, &r->build);
	t->collected = (int)collected;
	t->total = (int)(total < 0 ? collected : total);
	t->removed = (int)removed;
	t->deaths = (int)deaths;
	t->levels = (int)levels;
	t->eaten = (int)eaten;
	t->decisions = (int)decisions;
	t->collisions = (int)collisions;
}

static void
put_outcomes(struct pb_text *o, const struct pb_summary *s)
{
	pb_put_key(o, "outcomes");
	pb_text_put(o, "{", 1);
	for (int i = 0; i < s->outcomes; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_string(o, s->outcome[i]);
		pb_text_put(o, ":", 1);
		pb_text_int(o, s->count[i]);
	}
	pb_text_put(o, "}", 1);
}

static void
put_histogram(struct pb_text *o, const struct pb_summary *s)
{
	pb_put_key(o, "histogram");
	pb_text_put(o, "[", 1);
	for (int i = 0; s->pellets && i <= s->total; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_int(o, s->pellets[i]);
	}
	pb_text_put(o, "]", 1);
}

static double
ratio(long k, long n)
{
	return n > 0 ? (double)k / (double)n : NAN;
}

static void
put_means(struct pb_text *o, const struct pb_summary *s)
{
	pb_put_num_if(o, "pellets_mean", s->pellets_mean);
	pb_put_num_if(o, "pellets_iqm", s->pellets_iqm);
	pb_put_num_if(o, "pellets_iqm_lo", s->iqm_in.lo);
	pb_put_num_if(o, "pellets_iqm_hi", s->iqm_in.hi);
	pb_put_num_if(o, "score_mean", s->score_mean);
	pb_put_num_if(o, "score_lo", s->score_in.lo);
	pb_put_num_if(o, "score_hi", s->score_in.hi);
	pb_put_num_if(o, "deaths_mean", s->deaths_mean);
	pb_put_num_if(o, "deaths_lo", s->deaths_in.lo);
	pb_put_num_if(o, "deaths_hi", s->deaths_in.hi);
	pb_put_num_if(o, "levels_mean", s->levels_mean);
	pb_put_num_if(o, "time_mean", s->time_mean);
	pb_put_num_if(o, "time_median", s->time_median);
	pb_put_num_if(o, "time_q1", s->time_q1);
	pb_put_num_if(o, "time_q3", s->time_q3);
}

/* "error_mean" and its interval, "error_mean_lo", "error_mean_hi", ... */
static void
put_tracks(struct pb_text *o, const struct pb_summary *s)
{
	char key[40];

	pb_put_num_if(o, "updates_mean", s->updates_mean);
	for (int t = 0; t < PB_TRACKS; t++) {
		const char *name = pb_tally_track_name((enum pb_tally_track)t);

		pb_put_num_if(o, name, s->track[t]);
		snprintf(key, sizeof(key), "%s_lo", name);
		pb_put_num_if(o, key, s->track_in[t].lo);
		snprintf(key, sizeof(key), "%s_hi", name);
		pb_put_num_if(o, key, s->track_in[t].hi);
	}
}

static void
get_tracks(struct pb_get *g, struct pb_summary *s)
{
	char key[40];

	pb_get_real(g, "updates_mean", PB_OPTIONAL, &s->updates_mean);
	for (int t = 0; t < PB_TRACKS; t++) {
		const char *name = pb_tally_track_name((enum pb_tally_track)t);

		pb_get_real(g, name, PB_OPTIONAL, &s->track[t]);
		snprintf(key, sizeof(key), "%s_lo", name);
		pb_get_real(g, key, PB_OPTIONAL, &s->track_in[t].lo);
		snprintf(key, sizeof(key), "%s_hi", name);
		pb_get_real(g, key, PB_OPTIONAL, &s->track_in[t].hi);
	}
}

/* The means that have no interval. */
static void
put_untold(struct pb_text *o, const struct pb_summary *s)
{
	struct pb_rec_mean m[3 + PB_TRACKS] = {
	    {"pellets_iqm", s->pellets_iqm, s->iqm_in},
	    {"score", s->score_mean, s->score_in},
	    {"deaths", s->deaths_mean, s->deaths_in}};

	for (int t = 0; t < PB_TRACKS; t++)
		m[3 + t] = (struct pb_rec_mean){
		    pb_tally_track_name((enum pb_tally_track)t), s->track[t],
		    s->track_in[t]};
	pb_put_untold(o, m, sizeof(m) / sizeof(*m));
}

void
pb_put_summary(struct pb_text *o, const struct pb_rec_summary *m)
{
	const struct pb_summary *s = &m->sum;

	pb_put_begin(o, PB_REC_SUMMARY, pb_stamp_none());
	put_key(o, &s->key);
	pb_put_text(o, "policy", s->key.policy);
	pb_put_int(o, "round", s->key.round);
	if (s->one_seed)
		pb_put_u64(o, "seed", s->key.seed);
	if (s->sequential)
		pb_put_bool(o, "sequential", true);
	pb_put_int(o, "n", s->n);
	pb_put_int(o, "k", s->k);
	pb_put_num(o, "rate", ratio(s->k, s->n));
	pb_put_num(o, "lo", s->rate.lo);
	pb_put_num(o, "hi", s->rate.hi);
	pb_put_num_if(o, "confidence", m->confidence);
	pb_put_int(o, "but_one", s->but_one);
	pb_put_int(o, "at_least", s->at_least);
	pb_put_num(o, "at_least_rate", ratio(s->at_least, s->n));
	pb_put_num(o, "at_least_lo", s->most.lo);
	pb_put_num(o, "at_least_hi", s->most.hi);
	put_outcomes(o, s);
	pb_put_int(o, "pellets_total", s->total);
	put_histogram(o, s);
	put_means(o, s);
	pb_put_killers(o, s);
	put_tracks(o, s);
	put_untold(o, s);
	pb_put_int(o, "metric", PB_METRIC);
	pb_put_text_if(o, "version", m->version);
	if (m->build)
		pb_put_hex(o, "build", m->build);
	pb_put_end(o);
}

static void
get_outcomes(struct pb_get *g, struct pb_summary *s)
{
	struct pb_get sub;
	const char *name;
	json_t *v;

	if (!pb_get_object(
		g, "outcomes", PB_OPTIONAL, "summary.outcomes", &sub))
		return;
	if (json_object_size(sub.obj) > PB_TALLY_OUTCOMES)
		pb_get_fail(g, "outcomes", "at most 16 outcomes");
	json_object_foreach(sub.obj, name, v)
	{
		int i = s->outcomes;

		if (g->ok && strlen(name) >= PB_TRIAL_NAME)
			pb_get_fail(g, "outcomes", "names of at most 31 bytes");
		if (!g->ok)
			return;
		strcpy(s->outcome[i], name);
		pb_get_int(&sub, name, PB_REQUIRED, 0, INT32_MAX, &s->count[i]);
		s->outcomes++;
		g->ok = sub.ok;
	}
}

static void
get_histogram(struct pb_get *g, struct pb_summary *s)
{
	struct pb_walk w;
	size_t n = 0;

	if (!pb_get_walk(g, "histogram", PB_OPTIONAL, &w))
		return;
	s->pellets =
	    pb_get_room(g, &w, PB_TALLY_PELLETS + 1, sizeof(*s->pellets), &n);
	for (size_t i = 0; i < n && pb_walk_next(g, &w); i++)
		if (!pb_json_long(w.at, &s->pellets[i]) || s->pellets[i] < 0)
			pb_walk_fail(g, &w, "a whole number of at least 0");
	if (n > 0)
		s->total = (int)n - 1;
}

static void
get_means(struct pb_get *g, struct pb_summary *s)
{
	pb_get_real(g, "pellets_mean", PB_OPTIONAL, &s->pellets_mean);
	pb_get_real(g, "pellets_iqm", PB_OPTIONAL, &s->pellets_iqm);
	pb_get_real(g, "pellets_iqm_lo", PB_OPTIONAL, &s->iqm_in.lo);
	pb_get_real(g, "pellets_iqm_hi", PB_OPTIONAL, &s->iqm_in.hi);
	pb_get_real(g, "score_mean", PB_OPTIONAL, &s->score_mean);
	pb_get_real(g, "score_lo", PB_OPTIONAL, &s->score_in.lo);
	pb_get_real(g, "score_hi", PB_OPTIONAL, &s->score_in.hi);
	pb_get_real(g, "deaths_mean", PB_OPTIONAL, &s->deaths_mean);
	pb_get_real(g, "deaths_lo", PB_OPTIONAL, &s->deaths_in.lo);
	pb_get_real(g, "deaths_hi", PB_OPTIONAL, &s->deaths_in.hi);
	pb_get_real(g, "levels_mean", PB_OPTIONAL, &s->levels_mean);
	pb_get_real(g, "time_mean", PB_OPTIONAL, &s->time_mean);
	pb_get_real(g, "time_median", PB_OPTIONAL, &s->time_median);
	pb_get_real(g, "time_q1", PB_OPTIONAL, &s->time_q1);
	pb_get_real(g, "time_q3", PB_OPTIONAL, &s->time_q3);
}

void
pb_get_summary(struct pb_get *g, struct pb_rec_summary *m)
{
	struct pb_summary *s = &m->sum;

	*m = (struct pb_rec_summary){.confidence = NAN};
	s->pellets_mean = s->pellets_iqm = s->score_mean = NAN;
	s->deaths_mean = s->levels_mean = s->updates_mean = NAN;
	for (int t = 0; t < PB_TRACKS; t++) {
		s->track[t] = NAN;
		s->track_in[t] = (struct pb_interval){NAN, NAN};
	}
	s->score_in = s->deaths_in = s->iqm_in = (struct pb_interval){NAN, NAN};
	s->time_mean = s->time_median = s->time_q1 = s->time_q3 = NAN;
	get_key(g, &s->key);
	PB_GET_WORD(g, "policy", PB_REQUIRED, s->key.policy);
	s->one_seed = pb_get_value(g, "seed") != NULL;
	pb_get_u64(g, "seed", PB_OPTIONAL, &s->key.seed);
	pb_get_int(g, "n", PB_REQUIRED, 0, LONG_MAX, &s->n);
	pb_get_int(g, "k", PB_REQUIRED, 0, s->n, &s->k);
	pb_get_bool(g, "sequential", PB_OPTIONAL, &s->sequential);
	pb_get_real(g, "lo", PB_OPTIONAL, &s->rate.lo);
	pb_get_real(g, "hi", PB_OPTIONAL, &s->rate.hi);
	pb_get_num(g, "confidence", PB_OPTIONAL, 0, 1, &m->confidence);
	pb_get_int(g, "but_one", PB_OPTIONAL, 0, s->n, &s->but_one);
	pb_get_int(g, "at_least", PB_OPTIONAL, 0, s->n, &s->at_least);
	pb_get_real(g, "at_least_lo", PB_OPTIONAL, &s->most.lo);
	pb_get_real(g, "at_least_hi", PB_OPTIONAL, &s->most.hi);
	get_outcomes(g, s);
	get_histogram(g, s);
	get_means(g, s);
	pb_get_killers(g, s);
	get_tracks(g, s);
	PB_GET_WORD(g, "version", PB_OPTIONAL, m->version);
	pb_get_hex(g, "build", PB_OPTIONAL, &m->build);
}
