/* provenance.h - the record of where an output came from. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Where the output came from (--provenance): a record behind all others, which
 * pb_msg_finish() writes.
 */

/* The option. */
void pb_provenance_ask(void);

/* Note the arguments, before getopt moves them about; the texts are kept. */
void pb_provenance_args(int argc, char **argv);

/* The command line was good. seed: of all draws, NULL if there are none. */
void pb_provenance_start(const uint64_t *seed);

/*
 * Whether the record fits what the run writes. If it writes no records, and
 * this one was asked for, the command line is refused, and it is said.
 */
bool pb_provenance_fits(bool records);
