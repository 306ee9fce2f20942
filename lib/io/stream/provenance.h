/* provenance.h - what a run read and wrote, and the records that say so. */
#ifndef PB_IO_STREAM_PROVENANCE_H
#define PB_IO_STREAM_PROVENANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where the output came from (--provenance), and that it is whole (--end): two
 * records behind all others. What is read and written is counted where it
 * passes, for the whole program and in its main thread, as msg.h keeps what
 * was said. pb_msg_finish() writes the records.
 */

/* The options. */
void pb_trail_provenance(void);
void pb_trail_end(void);

/* Note the arguments, before getopt moves them about; the texts are kept. */
void pb_trail_args(int argc, char **argv);

/* The command line was good. seed: of all draws, NULL if there are none. */
void pb_trail_start(const uint64_t *seed);

/*
 * Whether the records fit what the run writes. If it writes no records, and
 * they were asked for, the command line is refused, and it is said.
 */
bool pb_trail_fits(bool records);

/* A line was read, its end included; a file was read; a line was refused. */
void pb_trail_line(const char *s, size_t n);
void pb_trail_file(const char *s, size_t n);
void pb_trail_refused(void);

/* A line went to stdout. */
void pb_trail_wrote(void);

/* Write what was asked for to stdout. */
void pb_trail_write(void);

#endif
