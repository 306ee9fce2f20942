/* result.h - records of finished trials, one by one, summed up and compared. */
#ifndef PB_IO_REC_RESULT_H
#define PB_IO_REC_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "io/rec/type.h"
#include "io/text.h"
#include "stats/report.h"

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

/* What is optional is missing. */
struct pb_rec_result pb_rec_result_none(void);

void pb_put_result(struct pb_text *o, const struct pb_rec_result *r);
void pb_put_summary(struct pb_text *o, const struct pb_rec_summary *m);
void pb_put_comparison(struct pb_text *o, const struct pb_rec_comparison *c);

#endif
