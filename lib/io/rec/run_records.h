/* run_records.h - what a tool is to do, where its output came from, its end. */
#ifndef PB_IO_REC_RUN_RECORDS_H
#define PB_IO_REC_RUN_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/rec/type.h"
#include "io/stream/text.h"

/* Where a tool's output came from. */
struct pb_rec_provenance {
	char tool[PB_REC_WORD];
	char version[PB_REC_WORD];
	char commit[PB_REC_WORD];   /* that it was made from, "" if missing */
	char compiler[PB_REC_WORD]; /* that made it, "" if missing */
	uint64_t build;             /* its self-test's digest, 0 if missing */
	char **arg;                 /* of its command line; owned when read */
	size_t args;
	bool has_seed;
	uint64_t seed;
	uint64_t input; /* hash of all that it read */
};

/* The end of a tool's output: whole, if this is there. Counts of lines. */
struct pb_rec_finish {
	char tool[PB_REC_WORD];
	long read, refused, written; /* written: before this one */
	long status;                 /* enum pb_exit */
};

void pb_put_provenance(struct pb_text *o, const struct pb_rec_provenance *p);
void pb_put_finish(struct pb_text *o, const struct pb_rec_finish *e);

/* What a benchmark should play: all combinations of what is listed. */
struct pb_rec_constant {
	char name[PB_REC_WORD];   /* of its option */
	char values[PB_REC_LIST]; /* as they would be typed */
};

struct pb_rec_experiment {
	char rules[PB_REC_LIST];  /* "" if missing, as the two below */
	char policy[PB_REC_LIST]; /* who plays */
	char rounds[PB_REC_LIST]; /* "1-3,7" */
	char preset[PB_REC_WORD];
	char **map; /* files; owned when read */
	size_t maps;
	long houses; /* -1 if missing */
	long trials; /* -1 if missing */
	bool has_seed;
	uint64_t seed;
	struct pb_rec_constant *constant; /* owned when read */
	size_t constants;
};

/* What is optional is missing. */
struct pb_rec_experiment pb_rec_experiment_none(void);

void pb_put_experiment(struct pb_text *o, const struct pb_rec_experiment *x);

#endif
