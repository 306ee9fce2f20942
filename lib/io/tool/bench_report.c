/* bench_report.c - the report of a benchmark as records or as a table of TSV.
 */
#include "io/tool/bench_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/stream/build.h"
#include "io/stream/msg.h"
#include "io/stream/num.h"
#include "io/stream/utf8.h"
#include "pb/version.h"

static void
put_summary(struct pb_text *out, const struct pb_bench_opts *o,
    const struct pb_report *r, int i)
{
	pb_rec_put(out, PB_REC_SUMMARY, pb_stamp_none(),
	    &(struct pb_rec_summary){.sum = r->summary[i],
		.version = PB_VERSION,
		.build = pb_build_digest(),
		.confidence = o->confidence});
}

static void
put_comparison(struct pb_text *out, const struct pb_bench_opts *o,
    const struct pb_report *r, int i)
{
	const struct pb_comparison *c = &r->comparison[i];
	const char *told = r->summary[c->second].key.told;
	struct pb_rec_comparison x = {.cmp = *c,
	    .key = r->summary[c->first].key,
	    .confidence = o->confidence,
	    .margin = NAN};

	/* They have the same constants; one may tell more of them. */
	if (strlen(told) > strlen(x.key.told))
		PB_REC_SET(x.key.told, told);
	PB_REC_SET(x.first, r->summary[c->first].key.policy);
	PB_REC_SET(x.second, r->summary[c->second].key.policy);
	pb_rec_put(out, PB_REC_COMPARISON, pb_stamp_none(), &x);
}

/* The whole interval of the change lies above what may be lost. */
static bool
noninferior(const struct pb_bench_opts *o, const struct pb_comparison *c)
{
	return c->rate_in.lo > -o->plan.margin;
}

static void
put_against(struct pb_text *out, const struct pb_bench_opts *o,
    const struct pb_report *r, int i)
{
	const struct pb_comparison *c = &r->against[i];
	const struct pb_trial *key = &r->summary[c->first].key;
	struct pb_rec_comparison x = {.cmp = *c,
	    .key = *key,
	    .against = "baseline",
	    .confidence = o->confidence,
	    .margin = o->plan.margin,
	    .noninferior = noninferior(o, c)};

	PB_REC_SET(x.first, key->policy);
	PB_REC_SET(x.second, key->policy);
	pb_rec_put(out, PB_REC_COMPARISON, pb_stamp_none(), &x);
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
put_verdict(struct pb_text *out, const struct pb_bench_opts *o,
    const struct pb_report *r, int i)
{
	const struct pb_verdict *v = &r->verdict[i];
	const struct pb_seq_opts *seq = &o->seq;
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

	PB_REC_SET(x.test, race ? "race" : "sprt");
	PB_REC_SET(x.first, key->policy);
	if (race)
		PB_REC_SET(x.second, r->summary[v->second].key.policy);
	PB_REC_SET(x.decision, decision(v));
	pb_rec_put(out, PB_REC_VERDICT, pb_stamp_none(), &x);
}

void
pb_bench_write(const struct pb_bench_opts *o, const struct pb_report *r)
{
	struct pb_text out = {.to = stdout};

	for (int i = 0; i < r->summaries; i++)
		put_summary(&out, o, r, i);
	for (int i = 0; i < r->comparisons; i++)
		put_comparison(&out, o, r, i);
	for (int i = 0; i < r->againsts; i++)
		put_against(&out, o, r, i);
	for (int i = 0; i < r->aggregates; i++)
		pb_rec_put(&out, PB_REC_AGGREGATE, pb_stamp_none(),
		    &(struct pb_rec_aggregate){.sum = r->aggregate[i],
			.version = PB_VERSION,
			.confidence = o->confidence});
	for (int i = 0; i < r->verdicts; i++)
		put_verdict(&out, o, r, i);
	pb_text_clear(&out);
}

static void
tsv_text(const char *text)
{
	pb_utf8_print(text, stdout);
	putchar('\t');
}

static void
tsv_num(double v, char end)
{
	char digits[PB_NUM_MAX];

	pb_num_round(digits, v);
	printf("%s%c", isfinite(v) ? digits : "", end);
}

static void
tsv_line(const struct pb_summary *m, double confidence)
{
	const struct pb_trial *k = &m->key;
	double n = (double)m->n;
	const double v[] = {n, (double)m->k, (double)m->k / n, m->rate.lo,
	    m->rate.hi, (double)m->at_least / n, m->most.lo, m->most.hi,
	    m->total, m->pellets_mean, m->pellets_iqm, m->iqm_in.lo,
	    m->iqm_in.hi, m->score_mean, m->score_in.lo, m->score_in.hi,
	    m->deaths_mean, m->levels_mean, m->time_mean, m->time_median,
	    m->time_q1, m->time_q3, confidence};
	size_t last = sizeof(v) / sizeof(*v) - 1;

	tsv_text(k->rules);
	tsv_text(k->map);
	printf("%d\t", k->round);
	tsv_text(k->policy);
	tsv_text(k->preset);
	tsv_text(k->told);
	for (size_t i = 0; i <= last; i++)
		tsv_num(v[i], i == last ? '\n' : '\t');
}

void
pb_bench_tsv(const struct pb_bench_opts *o, const struct pb_report *r)
{
	puts("rules\tmap\tround\tpolicy\tpreset\tconstants\tn\tk\trate\tlo\thi"
	     "\tat_least_rate\tat_least_lo\tat_least_hi\tpellets_total"
	     "\tpellets_mean\tpellets_iqm\tpellets_iqm_lo\tpellets_iqm_hi"
	     "\tscore_mean\tscore_lo\tscore_hi\tdeaths_mean\tlevels_mean"
	     "\ttime_mean\ttime_median\ttime_q1\ttime_q3\tconfidence");
	for (int i = 0; i < r->summaries; i++)
		tsv_line(&r->summary[i], o->confidence);
}

void
pb_bench_judge(const struct pb_bench_opts *o, const struct pb_report *r)
{

	if (r->againsts == 0 && isnan(o->plan.margin))
		pb_msg_warn((struct pb_place){o->baseline, 0},
		    "no trial in common with the baseline");
	else if (r->againsts < r->summaries && !isnan(o->plan.margin))
		pb_msg_unmet("--baseline %s: %d of %d summaries have no trial "
			     "in common with it",
		    o->baseline, r->summaries - r->againsts, r->summaries);
	for (int i = 0; !isnan(o->plan.margin) && i < r->againsts; i++) {
		const struct pb_comparison *c = &r->against[i];
		const struct pb_trial *k = &r->summary[c->first].key;

		if (noninferior(o, c))
			continue;
		pb_msg_unmet("--margin %.6g: %s, map %s, round %d: success "
			     "changed by %+.6g, maybe by %+.6g (%ld pairs)",
		    o->plan.margin, k->policy, k->map, k->round, c->rate,
		    c->rate_in.lo, c->n);
		return;
	}
}
