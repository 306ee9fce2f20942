/* wav.h - sounds as a WAV file. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/stream/file.h"

#define PB_WAV_HEADER 44 /* bytes before the first sample */

/* The longest that the format's sizes can tell, 13.5 hours (samples). */
#define PB_WAV_LONGEST ((UINT32_MAX - PB_WAV_HEADER) / 2)

/*
 * A regular file appears whole, when it is closed. A pipe or device, where the
 * header cannot be written anew, gets one with the largest sizes there are, as
 * players take it from a stream, and samples as they come. A zeroed struct is
 * closed.
 */
struct pb_wav {
	struct pb_file file;
	const char *path; /* not owned */
	int rate;         /* samples a second */
	uint64_t samples; /* so far */
	bool open;
};

/* Whether it could be opened; if not, why was said. */
bool pb_wav_open(struct pb_wav *w, const char *path, int rate);

/* Add n samples. What goes wrong is said at the end. */
void pb_wav_put(struct pb_wav *w, const int16_t *x, int n);

/* Send a stream what there is for it so far. */
void pb_wav_flush(struct pb_wav *w);

/* Finish the file; what went wrong was said. */
void pb_wav_close(struct pb_wav *w);
