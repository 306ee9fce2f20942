/* provenance.h - what a run read and wrote, and the records that say so. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Where the output came from (--provenance), and that it is whole (--end): two
 * records behind all others. pb_msg_finish() writes them, with what
 * counts.h has counted.
 */

/* The options. */
void pb_provenance_ask(void);
void pb_provenance_ask_end(void);

/* Neither of them after all. */
void pb_provenance_drop(void);

/* Note the arguments, before getopt moves them about; the texts are kept. */
void pb_provenance_args(int argc, char **argv);

/* The command line was good. seed: of all draws, NULL if there are none. */
void pb_provenance_start(const uint64_t *seed);

/*
 * Whether the records fit what the run writes. If it writes no records, and
 * they were asked for, the command line is refused, and it is said.
 */
bool pb_provenance_fits(bool records);
