/* counts.h - how much a program has read, refused and written. */
#ifndef PB_IO_STREAM_COUNTS_H
#define PB_IO_STREAM_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Counted where it passes, for the whole program and in its main thread, as
 * msg.h keeps what was said; told at its end by rec/provenance.h.
 */
struct pb_counts {
	int64_t read, refused, written; /* lines */
	bool hash;                      /* keep the next one */
	uint64_t input;                 /* hash of all that was read */
};
extern struct pb_counts pb_counts;

/* A line was read, its end included; a file was read; a line was refused. */
void pb_count_line(const char *s, size_t n);
void pb_count_file(const char *s, size_t n);
void pb_count_refused(void);

/* A line went to stdout. */
void pb_count_written(void);

#endif
