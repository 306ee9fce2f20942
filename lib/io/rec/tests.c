/* tests.c - records of tests and plans of a benchmark. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "io/rec/fields.h"

static void
put_estimate(struct pb_text *o, const char *key, const struct pb_estimate *e)
{
	char end[PB_REC_WORD];

	pb_put_num_if(o, key, e->value);
	snprintf(end, sizeof(end), "%s_lo", key);
	pb_put_num_if(o, end, e->in.lo);
	snprintf(end, sizeof(end), "%s_hi", key);
	pb_put_num_if(o, end, e->in.hi);
}

static void
get_estimate(struct pb_get *g, const char *key, struct pb_estimate *e)
{
	char end[PB_REC_WORD];

	*e = (struct pb_estimate){NAN, {NAN, NAN}};
	pb_get_real(g, key, PB_OPTIONAL, &e->value);
	snprintf(end, sizeof(end), "%s_lo", key);
	pb_get_real(g, end, PB_OPTIONAL, &e->in.lo);
	snprintf(end, sizeof(end), "%s_hi", key);
	pb_get_real(g, end, PB_OPTIONAL, &e->in.hi);
}

void
pb_put_aggregate(struct pb_text *o, const struct pb_rec_aggregate *r)
{
	const struct pb_aggregate *a = &r->sum;
	const struct pb_rec_mean untold[] = {
	    {"rate", a->rate.value, a->rate.in},
	    {"pellets", a->pellets.value, a->pellets.in},
	    {"time", a->time.value, a->time.in}};

	pb_put_begin(o, PB_REC_AGGREGATE, pb_stamp_none());
	pb_put_text(o, "rules", a->key.rules);
	pb_put_hex(o, "options", a->key.options);
	pb_put_text_if(o, "preset", a->key.preset);
	pb_put_text_if(o, "constants", a->key.told);
	pb_put_text(o, "policy", a->key.policy);
	if (a->sequential)
		pb_put_bool(o, "sequential", true);
	pb_put_int(o, "strata", a->strata);
	pb_put_int(o, "n", a->n);
	pb_put_int(o, "trials", a->trials);
	put_estimate(o, "rate", &a->rate);
	put_estimate(o, "pellets", &a->pellets);
	put_estimate(o, "time", &a->time);
	pb_put_untold(o, untold, sizeof(untold) / sizeof(*untold));
	pb_put_num_if(o, "confidence", r->confidence);
	pb_put_int(o, "metric", PB_METRIC);
	pb_put_text_if(o, "version", r->version);
	pb_put_end(o);
}

void
pb_get_aggregate(struct pb_get *g, struct pb_rec_aggregate *r)
{
	struct pb_aggregate *a = &r->sum;
	long strata = 0;

	*r = (struct pb_rec_aggregate){.confidence = NAN};
	PB_GET_WORD(g, "rules", PB_REQUIRED, a->key.rules);
	pb_get_hex(g, "options", PB_OPTIONAL, &a->key.options);
	PB_GET_WORD(g, "preset", PB_OPTIONAL, a->key.preset);
	PB_GET_WORD(g, "constants", PB_OPTIONAL, a->key.told);
	PB_GET_WORD(g, "policy", PB_REQUIRED, a->key.policy);
	pb_get_int(g, "strata", PB_REQUIRED, 1, INT32_MAX, &strata);
	a->strata = (int)strata;
	pb_get_int(g, "n", PB_REQUIRED, 0, LONG_MAX, &a->n);
	pb_get_int(g, "trials", PB_OPTIONAL, 0, a->n, &a->trials);
	pb_get_bool(g, "sequential", PB_OPTIONAL, &a->sequential);
	get_estimate(g, "rate", &a->rate);
	get_estimate(g, "pellets", &a->pellets);
	get_estimate(g, "time", &a->time);
	pb_get_num(g, "confidence", PB_OPTIONAL, 0, 1, &r->confidence);
	PB_GET_WORD(g, "version", PB_OPTIONAL, r->version);
}

void
pb_put_verdict(struct pb_text *o, const struct pb_rec_verdict *r)
{
	pb_put_begin(o, PB_REC_VERDICT, pb_stamp_none());
	pb_put_text(o, "test", r->test);
	pb_put_text(o, "rules", r->key.rules);
	pb_put_text_if(o, "map", r->key.map);
	pb_put_hex(o, "map_hash", r->key.map_hash);
	pb_put_hex(o, "options", r->key.options);
	pb_put_text_if(o, "constants", r->key.told);
	pb_put_int(o, "round", r->key.round);
	pb_put_text(o, "first", r->first);
	pb_put_text_if(o, "second", r->second);
	pb_put_int(o, "n", r->n);
	pb_put_int_if(o, "k", r->k);
	pb_put_int_if(o, "only_first", r->only_first);
	pb_put_int_if(o, "only_second", r->only_second);
	pb_put_num_if(o, "p0", r->p0);
	pb_put_num_if(o, "p1", r->p1);
	pb_put_num(o, "alpha", r->alpha);
	pb_put_num_if(o, "power", r->power);
	pb_put_short(o, "ratio", r->ratio);
	if (!isnan(r->p))
		pb_put_short(o, "p", r->p);
	pb_put_text(o, "decision", r->decision);
	pb_put_end(o);
}

void
pb_get_verdict(struct pb_get *g, struct pb_rec_verdict *r)
{
	long round = 1;

	*r = (struct pb_rec_verdict){.k = -1,
	    .only_first = -1,
	    .only_second = -1,
	    .p0 = NAN,
	    .p1 = NAN,
	    .power = NAN,
	    .p = NAN};
	PB_GET_WORD(g, "test", PB_REQUIRED, r->test);
	PB_GET_WORD(g, "rules", PB_REQUIRED, r->key.rules);
	PB_GET_WORD(g, "map", PB_OPTIONAL, r->key.map);
	pb_get_hex(g, "map_hash", PB_OPTIONAL, &r->key.map_hash);
	pb_get_hex(g, "options", PB_OPTIONAL, &r->key.options);
	PB_GET_WORD(g, "constants", PB_OPTIONAL, r->key.told);
	pb_get_int(g, "round", PB_OPTIONAL, 1, INT32_MAX, &round);
	r->key.round = (int)round;
	PB_GET_WORD(g, "first", PB_REQUIRED, r->first);
	PB_GET_WORD(g, "second", PB_OPTIONAL, r->second);
	pb_get_int(g, "n", PB_REQUIRED, 0, LONG_MAX, &r->n);
	pb_get_int(g, "k", PB_OPTIONAL, 0, r->n, &r->k);
	pb_get_int(g, "only_first", PB_OPTIONAL, 0, r->n, &r->only_first);
	pb_get_int(g, "only_second", PB_OPTIONAL, 0, r->n, &r->only_second);
	pb_get_num(g, "p0", PB_OPTIONAL, 0, 1, &r->p0);
	pb_get_num(g, "p1", PB_OPTIONAL, 0, 1, &r->p1);
	pb_get_num(g, "alpha", PB_REQUIRED, 0, 1, &r->alpha);
	pb_get_num(g, "power", PB_OPTIONAL, 0, 1, &r->power);
	pb_get_num(g, "ratio", PB_REQUIRED, 0, INFINITY, &r->ratio);
	pb_get_num(g, "p", PB_OPTIONAL, 0, 1, &r->p);
	PB_GET_WORD(g, "decision", PB_REQUIRED, r->decision);
}

void
pb_put_plan(struct pb_text *o, const struct pb_rec_plan *p)
{
	pb_put_begin(o, PB_REC_PLAN, pb_stamp_none());
	pb_put_text(o, "question", p->question);
	pb_put_num(o, "p1", p->p1);
	pb_put_num_if(o, "p2", p->p2);
	pb_put_num_if(o, "half", p->half);
	pb_put_num_if(o, "margin", p->margin);
	pb_put_num(o, "alpha", p->alpha);
	pb_put_num_if(o, "power", p->power);
	pb_put_num_if(o, "split", p->split);
	pb_put_text_if(o, "trials", p->trials);
	pb_put_int(o, "n", p->n);
	pb_put_num_if(o, "reached", p->reached);
	pb_put_end(o);
}

void
pb_get_plan(struct pb_get *g, struct pb_rec_plan *p)
{
	*p = (struct pb_rec_plan){.p2 = NAN,
	    .half = NAN,
	    .margin = NAN,
	    .power = NAN,
	    .split = NAN,
	    .reached = NAN};
	PB_GET_WORD(g, "question", PB_REQUIRED, p->question);
	pb_get_num(g, "p1", PB_REQUIRED, 0, 1, &p->p1);
	pb_get_num(g, "p2", PB_OPTIONAL, 0, 1, &p->p2);
	pb_get_num(g, "half", PB_OPTIONAL, 0, 1, &p->half);
	pb_get_num(g, "margin", PB_OPTIONAL, 0, 1, &p->margin);
	pb_get_num(g, "alpha", PB_REQUIRED, 0, 1, &p->alpha);
	pb_get_num(g, "power", PB_OPTIONAL, 0, 1, &p->power);
	pb_get_num(g, "split", PB_OPTIONAL, 0, 1, &p->split);
	PB_GET_WORD(g, "trials", PB_OPTIONAL, p->trials);
	pb_get_num(g, "reached", PB_OPTIONAL, 0, 1, &p->reached);
	pb_get_int(g, "n", PB_REQUIRED, 0, LONG_MAX, &p->n);
}
