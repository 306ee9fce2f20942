/* trajectory.c - records of how far a trajectory is from the true one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/fields.h"

static void
put_spread(struct pb_text *o, const char *prefix, const struct pb_spread *s)
{
	const struct {
		const char *name;
		double v;
	} part[] = {{"rmse", s->rmse}, {"mean", s->mean}, {"median", s->median},
	    {"max", s->max}};
	char key[32];

	for (int i = 0; i < 4; i++) {
		snprintf(key, sizeof(key), "%s%s", prefix, part[i].name);
		pb_put_num_if(o, key, part[i].v);
	}
}

static void
put_error(struct pb_text *o, const char *key, const struct pb_traj_error *e)
{
	pb_put_key(o, key);
	pb_text_puts(o, "{\"n\":");
	pb_text_int(o, (int64_t)e->n);
	put_spread(o, "", &e->place);
	put_spread(o, "turn_", &e->turn);
	pb_text_put(o, "}", 1);
}

/* Relative errors in their order, as keys and as fields. */
static const struct {
	const char *key, *path;
	size_t offset;
} rpe[] = {
    {"rpe_s", "trajectory.rpe_s", offsetof(struct pb_traj_report, step.s)},
    {"rpe_m", "trajectory.rpe_m", offsetof(struct pb_traj_report, step.m)},
    {"rpe_n", "trajectory.rpe_n", offsetof(struct pb_traj_report, step.n)},
    {"rpe_s_all", "trajectory.rpe_s_all",
	offsetof(struct pb_traj_report, step_all.s)},
    {"rpe_m_all", "trajectory.rpe_m_all",
	offsetof(struct pb_traj_report, step_all.m)},
    {"rpe_n_all", "trajectory.rpe_n_all",
	offsetof(struct pb_traj_report, step_all.n)},
};
#define RPES (sizeof(rpe) / sizeof(*rpe))

static void
put_choice(struct pb_text *o, const char *key, const char *words, int i)
{
	size_t n;
	const char *word = pb_word(words, i, &n);

	pb_put_key(o, key);
	pb_text_put(o, "\"", 1);
	pb_text_put(o, word, n);
	pb_text_put(o, "\"", 1);
}

void
pb_put_trajectory(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_trajectory *y)
{
	const struct pb_traj_report *r = &y->report;

	pb_put_begin(o, PB_REC_TRAJECTORY, s);
	pb_put_int(o, "pairs", (int64_t)r->pairs);
	pb_put_int(o, "alone", (int64_t)r->alone);
	pb_put_int(o, "reference", (int64_t)r->reference);
	if (r->numbered)
		pb_put_bool(o, "numbered", true);
	pb_put_num(o, "duration", r->duration);
	pb_put_num(o, "length", r->length);
	put_error(o, "ate", &r->ate);
	pb_put_key(o, "shift");
	pb_text_put(o, "[", 1);
	pb_text_num(o, r->shift.x);
	pb_text_put(o, ",", 1);
	pb_text_num(o, r->shift.y);
	pb_text_put(o, ",", 1);
	pb_text_num(o, r->shift.th);
	pb_text_put(o, "]", 1);
	put_error(o, "aligned", &r->ate_best);
	for (size_t i = 0; i < RPES; i++)
		put_error(o, rpe[i].key,
		    (const void *)((const char *)r + rpe[i].offset));
	pb_put_num_if(o, "found", r->found);
	pb_put_num(o, "lost", r->lost);
	pb_put_num(o, "ambiguous", r->ambiguous);
	pb_put_int(o, "wrong", (int64_t)r->wrong);
	put_choice(o, "pairing", PB_PAIRINGS, y->opts.pairing);
	pb_put_num(o, "max_dt", y->opts.max_dt);
	pb_put_num(o, "near", y->opts.near);
	pb_put_num(o, "near_turn", y->opts.near_turn);
	pb_put_num(o, "step_s", y->opts.step_s);
	pb_put_num(o, "step_m", y->opts.step_m);
	pb_put_int(o, "step_n", y->opts.step_n);
	put_choice(o, "step_from", PB_STEP_FROMS, y->opts.step_from);
	pb_put_text_if(o, "version", y->version);
	pb_put_end(o);
}

static void
get_count(struct pb_get *g, const char *key, enum pb_need need, size_t *n)
{
	long v = 0;

	pb_get_int(g, key, need, 0, INT32_MAX, &v);
	*n = (size_t)v;
}

static void
get_spread(struct pb_get *g, const char *prefix, struct pb_spread *s)
{
	static const char *const part[] = {"rmse", "mean", "median", "max"};
	double v[4] = {NAN, NAN, NAN, NAN};
	char key[32];

	for (int i = 0; i < 4; i++) {
		snprintf(key, sizeof(key), "%s%s", prefix, part[i]);
		pb_get_num(g, key, PB_OPTIONAL, 0, INFINITY, &v[i]);
	}
	*s = (struct pb_spread){v[0], v[1], v[2], v[3]};
}

static void
get_choice(struct pb_get *g, const char *key, const char *words, int *v)
{
	char word[PB_REC_WORD] = "";
	int i;

	pb_get_text(g, key, PB_OPTIONAL, word, sizeof(word));
	i = pb_word_find(words, word, strlen(word));
	if (i >= 0)
		*v = i;
	else if (*word)
		pb_get_fail(g, key, words);
}

static void
get_error(struct pb_get *g, const char *key, const char *path,
    enum pb_need need, struct pb_traj_error *e)
{
	struct pb_get sub;

	*e = (struct pb_traj_error){
	    0, {NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
	if (!pb_get_object(g, key, need, path, &sub))
		return;
	get_count(&sub, "n", PB_REQUIRED, &e->n);
	get_spread(&sub, "", &e->place);
	get_spread(&sub, "turn_", &e->turn);
	g->ok &= sub.ok;
}

void
pb_get_trajectory(struct pb_get *g, struct pb_rec_trajectory *y)
{
	struct pb_traj_report *r = &y->report;
	double shift[3] = {0, 0, 0};
	long step_n = 1;

	*y = (struct pb_rec_trajectory){.opts = pb_traj_defaults()};
	r->found = NAN;
	get_count(g, "pairs", PB_REQUIRED, &r->pairs);
	get_count(g, "alone", PB_OPTIONAL, &r->alone);
	get_count(g, "reference", PB_OPTIONAL, &r->reference);
	pb_get_bool(g, "numbered", PB_OPTIONAL, &r->numbered);
	pb_get_num(g, "duration", PB_OPTIONAL, 0, INFINITY, &r->duration);
	pb_get_num(g, "length", PB_OPTIONAL, 0, INFINITY, &r->length);
	get_error(g, "ate", "trajectory.ate", PB_REQUIRED, &r->ate);
	pb_get_nums(g, "shift", PB_OPTIONAL, 3, shift);
	r->shift = (struct pb_pose){shift[0], shift[1], pb_near_wrap(shift[2])};
	get_error(
	    g, "aligned", "trajectory.aligned", PB_REQUIRED, &r->ate_best);
	for (size_t i = 0; i < RPES; i++)
		get_error(g, rpe[i].key, rpe[i].path, PB_OPTIONAL,
		    (void *)((char *)r + rpe[i].offset));
	pb_get_num(g, "found", PB_OPTIONAL, 0, INFINITY, &r->found);
	pb_get_num(g, "lost", PB_OPTIONAL, 0, 1, &r->lost);
	pb_get_num(g, "ambiguous", PB_OPTIONAL, 0, 1, &r->ambiguous);
	get_count(g, "wrong", PB_OPTIONAL, &r->wrong);
	pb_get_num(g, "max_dt", PB_OPTIONAL, 0, INFINITY, &y->opts.max_dt);
	pb_get_num(g, "near", PB_OPTIONAL, 0, INFINITY, &y->opts.near);
	pb_get_num(
	    g, "near_turn", PB_OPTIONAL, 0, INFINITY, &y->opts.near_turn);
	pb_get_num(g, "step_s", PB_OPTIONAL, 0, INFINITY, &y->opts.step_s);
	pb_get_num(g, "step_m", PB_OPTIONAL, 0, INFINITY, &y->opts.step_m);
	pb_get_int(g, "step_n", PB_OPTIONAL, 1, INT32_MAX, &step_n);
	y->opts.step_n = (int)step_n;
	get_choice(g, "step_from", PB_STEP_FROMS, &y->opts.step_from);
	get_choice(g, "pairing", PB_PAIRINGS, &y->opts.pairing);
	PB_GET_WORD(g, "version", PB_OPTIONAL, y->version);
}

#define AT(field) offsetof(struct pb_scatter, field)
static const struct {
	const char *key;
	size_t at;
} scatter_number[] = {{"radial_mean", AT(radial_mean)},
    {"radial_max", AT(radial_max)}, {"turn_max", AT(turn_max)},
    {"apart_mean", AT(apart_mean)}, {"apart_max", AT(apart_max)},
    {"duration", AT(duration)}};

static const struct {
	const char *key, *path;
	size_t at;
} scatter_span[] = {{"dt", "spread.dt", AT(dt)},
    {"step", "spread.step", AT(step)}, {"turn", "spread.turn", AT(turn)}};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const double *
number_at(const struct pb_scatter *s, size_t at)
{
	return (const double *)(const void *)((const char *)s + at);
}

/* What is known of x, y, theta, nothing if that is nothing. */
static void
put_three(struct pb_text *o, const char *key, double x, double y, double th)
{
	const double v[] = {x, y, th};

	if (isnan(x) && isnan(y) && isnan(th))
		return;
	pb_put_key(o, key);
	for (int i = 0; i < 3; i++) {
		pb_text_put(o, i > 0 ? "," : "[", 1);
		pb_text_num(o, v[i]);
	}
	pb_text_put(o, "]", 1);
}

static void
put_span(struct pb_text *o, const char *key, const struct pb_span *s)
{
	if (isnan(s->mean))
		return;
	pb_put_key(o, key);
	pb_text_puts(o, "{\"mean\":");
	pb_text_num(o, s->mean);
	pb_put_num(o, "sd", s->sd);
	pb_put_num(o, "min", s->min);
	pb_put_num(o, "max", s->max);
	pb_text_put(o, "}", 1);
}

void
pb_put_spread(
    struct pb_text *o, struct pb_stamp st, const struct pb_rec_spread *y)
{
	const struct pb_scatter *s = &y->scatter;

	pb_put_begin(o, PB_REC_SPREAD, st);
	pb_put_text(o, "of", y->of);
	pb_put_text_if(o, "file", y->file);
	pb_put_int(o, "poses", (int64_t)s->n);
	put_three(o, "mean", s->mean.x, s->mean.y, s->mean.th);
	put_three(o, "sd", s->sd[0], s->sd[1], s->sd[2]);
	for (size_t i = 0; i < COUNT(scatter_number); i++)
		pb_put_num_if(o, scatter_number[i].key,
		    *number_at(s, scatter_number[i].at));
	for (size_t i = 0; i < COUNT(scatter_span); i++)
		put_span(o, scatter_span[i].key,
		    (const void *)number_at(s, scatter_span[i].at));
	put_three(o, "sigma", s->sigma[0], s->sigma[1], s->sigma[2]);
	put_three(o, "end", s->end.x, s->end.y, s->end.th);
	pb_put_text_if(o, "version", y->version);
	pb_put_end(o);
}

static void
get_three(struct pb_get *g, const char *key, double *v)
{
	double *list = NULL;
	size_t n = 0;

	v[0] = v[1] = v[2] = NAN;
	pb_get_list(g, key, PB_OPTIONAL, 3, &list, &n);
	for (size_t i = 0; i < n && i < 3; i++)
		v[i] = list[i];
	free(list);
}

static void
get_span(struct pb_get *g, const char *key, const char *path, struct pb_span *s)
{
	struct pb_get sub;

	*s = (struct pb_span){NAN, NAN, NAN, NAN};
	if (!pb_get_object(g, key, PB_OPTIONAL, path, &sub))
		return;
	pb_get_real(&sub, "mean", PB_REQUIRED, &s->mean);
	pb_get_real(&sub, "sd", PB_REQUIRED, &s->sd);
	pb_get_real(&sub, "min", PB_REQUIRED, &s->min);
	pb_get_real(&sub, "max", PB_REQUIRED, &s->max);
	g->ok &= sub.ok;
}

void
pb_get_spread(struct pb_get *g, struct pb_rec_spread *y)
{
	struct pb_scatter *s = &y->scatter;
	double v[3];

	*y = (struct pb_rec_spread){.of = ""};
	PB_GET_WORD(g, "of", PB_REQUIRED, y->of);
	PB_GET_WORD(g, "file", PB_OPTIONAL, y->file);
	get_count(g, "poses", PB_REQUIRED, &s->n);
	get_three(g, "mean", v);
	s->mean = (struct pb_pose){v[0], v[1], v[2]};
	get_three(g, "sd", s->sd);
	for (size_t i = 0; i < COUNT(scatter_number); i++) {
		double *to = (double *)number_at(s, scatter_number[i].at);

		*to = NAN;
		pb_get_real(g, scatter_number[i].key, PB_OPTIONAL, to);
	}
	for (size_t i = 0; i < COUNT(scatter_span); i++)
		get_span(g, scatter_span[i].key, scatter_span[i].path,
		    (void *)number_at(s, scatter_span[i].at));
	get_three(g, "sigma", s->sigma);
	get_three(g, "end", v);
	s->end = (struct pb_pose){v[0], v[1], v[2]};
	PB_GET_WORD(g, "version", PB_OPTIONAL, y->version);
}
