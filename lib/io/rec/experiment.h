/* experiment.h - records of what a benchmark should play. */
#ifndef PB_IO_REC_EXPERIMENT_H
#define PB_IO_REC_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/rec/type.h"
#include "io/stream/text.h"

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
