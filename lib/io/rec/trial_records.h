/* trial_records.h - finished trials: results, summaries, tests, plans. */
#ifndef PB_IO_REC_TRIAL_RECORDS_H
#define PB_IO_REC_TRIAL_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/rec/type.h"
#include "io/stream/text.h"
#include "pb/report.h"

/* One finished trial. */
struct pb_rec_result {
	struct pb_trial trial;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
	uint64_t build;            /* its self-test's digest, 0 if missing */
};

/* Many trials. */
struct pb_rec_summary {
	struct pb_summary sum;     /* pellets owned when read */
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
	uint64_t build;            /* its self-test's digest, 0 if missing */
	double confidence;         /* of its intervals, 0.95 */
};

/* Two players on the same trials. */
struct pb_rec_comparison {
	struct pb_trial key;         /* rules, map, options, round; policy "" */
	char first[PB_TRIAL_NAME];   /* policy */
	char second[PB_TRIAL_NAME];  /* policy */
	char against[PB_TRIAL_NAME]; /* "baseline": second is an earlier one */
	struct pb_comparison cmp;    /* group numbers are not written */
	double confidence;
	double margin;    /* that the second may be better by, or NAN */
	bool noninferior; /* the interval says that it is not */
};

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

/* What is optional is missing. */
struct pb_rec_result pb_rec_result_none(void);

void pb_put_result(struct pb_text *o, const struct pb_rec_result *r);
void pb_put_summary(struct pb_text *o, const struct pb_rec_summary *m);
void pb_put_comparison(struct pb_text *o, const struct pb_rec_comparison *c);
void pb_put_aggregate(struct pb_text *o, const struct pb_rec_aggregate *r);
void pb_put_verdict(struct pb_text *o, const struct pb_rec_verdict *r);
void pb_put_plan(struct pb_text *o, const struct pb_rec_plan *p);

#endif
