/* run.h - records about the run of a tool: where output came from, its end. */
#ifndef PB_IO_REC_RUN_H
#define PB_IO_REC_RUN_H

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

#endif
