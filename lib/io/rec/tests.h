/* tests.h - records of tests and plans of a benchmark. */
#ifndef PB_IO_REC_TESTS_H
#define PB_IO_REC_TESTS_H

#include "io/rec/type.h"
#include "io/text.h"
#include "stats/report.h"

/* A player over all maps and rounds. */
struct pb_rec_aggregate {
	struct pb_aggregate sum;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
	double confidence;
};

/* What a sequential test says. */
struct pb_rec_verdict {
	char test[PB_REC_WORD];     /* "sprt", "race" */
	struct pb_trial key;        /* as in a comparison */
	char first[PB_TRIAL_NAME];  /* policy */
	char second[PB_TRIAL_NAME]; /* race: policy */
	long n;                     /* trials until the decision, else all */
	long k;                     /* sprt: successes; else -1 */
	long only_first;            /* race: pairs, else -1 */
	long only_second;
	double p0, p1;              /* sprt: its rates, else NAN */
	double alpha;               /* of this test */
	double power;               /* sprt; else NAN */
	double ratio;               /* likelihood ratio */
	double p;                   /* race: at any time; else NAN */
	char decision[PB_REC_WORD]; /* "p0", "p1", "first", "second", "open" */
};

/* How many trials a question takes. */
struct pb_rec_plan {
	char question[PB_REC_WORD]; /* "apart", "width", "margin" */
	double p1, p2;              /* rates; NAN if not asked about */
	double half;                /* of an interval, or NAN */
	double margin;              /* or NAN */
	double alpha, power;        /* power NAN if not asked about */
	double split; /* share of trials that one player only wins, or NAN */
	char trials[PB_REC_WORD]; /* "independent", "paired", "" */
	long n;                   /* of each player */
	double reached;           /* power that n has, or NAN */
};

void pb_put_aggregate(struct pb_text *o, const struct pb_rec_aggregate *r);
void pb_put_verdict(struct pb_text *o, const struct pb_rec_verdict *r);
void pb_put_plan(struct pb_text *o, const struct pb_rec_plan *p);

#endif
