/* comparison.c - records of two players on the same trials. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "io/rec/fields.h"

/* A difference and its interval: ,"key":d,"key_lo":lo,"key_hi":hi. */
static void
put_difference(
    struct pb_text *o, const char *key, double d, struct pb_interval in)
{
	char end[PB_REC_WORD];

	pb_put_num(o, key, d);
	snprintf(end, sizeof(end), "%s_lo", key);
	pb_put_num_if(o, end, in.lo);
	snprintf(end, sizeof(end), "%s_hi", key);
	pb_put_num_if(o, end, in.hi);
}

static void
get_difference(
    struct pb_get *g, const char *key, double *d, struct pb_interval *in)
{
	char end[PB_REC_WORD];

	*in = (struct pb_interval){NAN, NAN};
	pb_get_real(g, key, PB_OPTIONAL, d);
	snprintf(end, sizeof(end), "%s_lo", key);
	pb_get_real(g, end, PB_OPTIONAL, &in->lo);
	snprintf(end, sizeof(end), "%s_hi", key);
	pb_get_real(g, end, PB_OPTIONAL, &in->hi);
}

void
pb_put_comparison(struct pb_text *o, const struct pb_rec_comparison *r)
{
	const struct pb_comparison *c = &r->cmp;
	const struct pb_rec_mean untold[] = {
	    {"pellets", c->pellets, c->pellets_in},
	    {"time", c->time, c->time_in}};

	pb_put_begin(o, PB_REC_COMPARISON, pb_stamp_none());
	pb_put_text(o, "rules", r->key.rules);
	pb_put_text_if(o, "map", r->key.map);
	pb_put_hex(o, "map_hash", r->key.map_hash);
	pb_put_hex(o, "options", r->key.options);
	pb_put_text_if(o, "preset", r->key.preset);
	pb_put_text_if(o, "constants", r->key.told);
	pb_put_text_if(o, "ghosts", r->key.ghosts);
	pb_put_int(o, "round", r->key.round);
	pb_put_text(o, "first", r->first);
	pb_put_text(o, "second", r->second);
	pb_put_text_if(o, "against", r->against);
	if (c->sequential)
		pb_put_bool(o, "sequential", true);
	pb_put_int(o, "n", c->n);
	pb_put_int(o, "alone", c->alone);
	pb_put_int(o, "both", c->won.both);
	pb_put_int(o, "only_first", c->won.first);
	pb_put_int(o, "only_second", c->won.second);
	pb_put_int(o, "none", c->won.none);
	put_difference(o, "rate", c->rate, c->rate_in);
	pb_put_short(o, "p", c->p);
	pb_put_short(o, "p_holm", c->p_holm);
	put_difference(o, "pellets", c->pellets, c->pellets_in);
	put_difference(o, "time", c->time, c->time_in);
	pb_put_untold(o, untold, sizeof(untold) / sizeof(*untold));
	pb_put_num_if(o, "confidence", r->confidence);
	if (!isnan(r->margin)) {
		pb_put_num(o, "margin", r->margin);
		pb_put_bool(o, "noninferior", r->noninferior);
	}
	pb_put_end(o);
}

void
pb_get_comparison(struct pb_get *g, struct pb_rec_comparison *r)
{
	struct pb_comparison *c = &r->cmp;
	long round = 1;

	*r = (struct pb_rec_comparison){.confidence = NAN, .margin = NAN};
	PB_GET_WORD(g, "rules", PB_REQUIRED, r->key.rules);
	PB_GET_WORD(g, "map", PB_OPTIONAL, r->key.map);
	pb_get_hex(g, "map_hash", PB_OPTIONAL, &r->key.map_hash);
	pb_get_hex(g, "options", PB_OPTIONAL, &r->key.options);
	PB_GET_WORD(g, "preset", PB_OPTIONAL, r->key.preset);
	PB_GET_WORD(g, "constants", PB_OPTIONAL, r->key.told);
	PB_GET_WORD(g, "ghosts", PB_OPTIONAL, r->key.ghosts);
	pb_get_int(g, "round", PB_OPTIONAL, 1, INT32_MAX, &round);
	r->key.round = (int)round;
	PB_GET_WORD(g, "first", PB_REQUIRED, r->first);
	PB_GET_WORD(g, "second", PB_REQUIRED, r->second);
	PB_GET_WORD(g, "against", PB_OPTIONAL, r->against);
	pb_get_int(g, "n", PB_REQUIRED, 0, LONG_MAX, &c->n);
	pb_get_bool(g, "sequential", PB_OPTIONAL, &c->sequential);
	pb_get_int(g, "alone", PB_OPTIONAL, 0, LONG_MAX, &c->alone);
	pb_get_int(g, "both", PB_OPTIONAL, 0, c->n, &c->won.both);
	pb_get_int(g, "only_first", PB_OPTIONAL, 0, c->n, &c->won.first);
	pb_get_int(g, "only_second", PB_OPTIONAL, 0, c->n, &c->won.second);
	pb_get_int(g, "none", PB_OPTIONAL, 0, c->n, &c->won.none);
	get_difference(g, "rate", &c->rate, &c->rate_in);
	pb_get_num(g, "p", PB_OPTIONAL, 0, 1, &c->p);
	pb_get_num(g, "p_holm", PB_OPTIONAL, 0, 1, &c->p_holm);
	get_difference(g, "pellets", &c->pellets, &c->pellets_in);
	get_difference(g, "time", &c->time, &c->time_in);
	pb_get_num(g, "confidence", PB_OPTIONAL, 0, 1, &r->confidence);
	pb_get_num(g, "margin", PB_OPTIONAL, 0, 1, &r->margin);
	pb_get_bool(g, "noninferior", PB_OPTIONAL, &r->noninferior);
}
