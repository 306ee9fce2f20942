/* bench_plan.c - how many trials a benchmark takes, as records. */
#include "io/tool/bench_plan.h"

#include <math.h>
#include <stdio.h>

#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "stats/sample_size.h"

static bool
fail(const char *what)
{
	return pb_msg_usage("%s", what);
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
		return fail("--plan: equal rates are only told apart with "
			    "--margin");
	if (asked && d > 0 && !isnan(o->margin))
		return fail("--plan: with --margin, expected equal rates");
	if (asked && d == 0 && independent_split(o->rates) == 0)
		return fail("--plan: expected rates that can fail and "
			    "succeed, with --margin");
	if (!isnan(o->split) && !asked)
		return fail("--split: only with --plan");
	if (asked && o->split < d)
		return fail("--split: expected at least the difference of the "
			    "rates");
	if (asked && o->split > most_split(o->rates))
		return fail("--split: expected at most what the rates leave "
			    "room for");
	if (!isnan(o->width[0]) && !(o->width[1] >= 1e-6))
		return fail("--plan-width: expected half a width of at least "
			    "1e-6");
	return true;
}

/* Write a plan, with what all have. */
static void
put(const struct pb_bench_plan *o, struct pb_rec_plan p)
{
	struct pb_text out = {.to = stdout};

	p.alpha = o->alpha;
	pb_rec_put(&out, PB_REC_PLAN, pb_stamp_none(), &p);
	pb_text_clear(&out);
}

static void
put_pairs(const struct pb_bench_plan *o, double split)
{
	double d = o->rates[1] - o->rates[0];
	struct pb_plan n =
	    d == 0 ? pb_plan_margin(o->margin, split, o->alpha, o->power)
		   : pb_plan_paired(d, split, o->alpha, o->power);
	struct pb_rec_plan p = {.question = "apart",
	    .p1 = o->rates[0],
	    .p2 = o->rates[1],
	    .half = NAN,
	    .margin = o->margin,
	    .power = o->power,
	    .split = split,
	    .trials = "paired",
	    .n = (long)n.n,
	    .reached = n.power};

	if (d == 0)
		PB_REC_SET(p.question, "margin");
	put(o, p);
}

void
pb_plan_write(const struct pb_bench_plan *o)
{
	double d = fabs(o->rates[0] - o->rates[1]);

	if (!isnan(o->width[0]))
		put(o, (struct pb_rec_plan){.question = "width",
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
		put(o, (struct pb_rec_plan){.question = "apart",
			   .p1 = o->rates[0],
			   .p2 = o->rates[1],
			   .half = NAN,
			   .margin = NAN,
			   .power = o->power,
			   .split = NAN,
			   .reached = NAN,
			   .trials = "independent",
			   .n = (long)pb_trials_apart(
			       o->rates[0], o->rates[1], o->alpha, o->power)});
	if (!isnan(o->split)) {
		put_pairs(o, o->split);
		return;
	}
	/* The least split: who wins less often never wins alone. */
	if (d > 0)
		put_pairs(o, d);
	put_pairs(o, independent_split(o->rates));
}
