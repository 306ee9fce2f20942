/* wav.c - sounds as a WAV file. */
#include "io/file/wav.h"

#include <errno.h>
#include <string.h>

#include "io/stream/le.h"
#include "io/stream/msg.h"

/*
 * Multimedia Programming Interface and Data Specifications 1.0 (IBM and
 * Microsoft, 1991): RIFF, fmt and data chunks.
 *
 * Given    bytes  of samples, or UINT32_MAX: nobody knows
 */
static void
put_header(struct pb_wav *w, uint32_t bytes)
{
	unsigned char h[PB_WAV_HEADER];
	uint32_t rate = (uint32_t)w->rate;

	memcpy(h, "RIFF", 4);
	pb_le_put(
	    h + 4, bytes == UINT32_MAX ? bytes : bytes + PB_WAV_HEADER - 8, 4);
	memcpy(h + 8, "WAVEfmt ", 8);
	pb_le_put(h + 16, 16, 4);       /* length of the fmt chunk */
	pb_le_put(h + 20, 1, 2);        /* PCM */
	pb_le_put(h + 22, 1, 2);        /* channels */
	pb_le_put(h + 24, rate, 4);     /* samples a second */
	pb_le_put(h + 28, rate * 2, 4); /* bytes a second */
	pb_le_put(h + 32, 2, 2);        /* bytes a sample of all channels */
	pb_le_put(h + 34, 16, 2);       /* bits a sample */
	memcpy(h + 36, "data", 4);
	pb_le_put(h + 40, bytes, 4);
	fwrite(h, 1, sizeof(h), w->file.out);
}

bool
pb_wav_open(struct pb_wav *w, const char *path, int rate)
{
	struct pb_error f;

	*w = (struct pb_wav){.path = path, .rate = rate};
	if (pb_file_create(path, &w->file, &f) != 0)
		return pb_msg_error(&f);
	w->open = true;
	put_header(w, UINT32_MAX);
	return true;
}

/* Only a new file can be gone back in. */
static bool
is_stream(const struct pb_wav *w)
{
	return w->file.temp == NULL;
}

void
pb_wav_put(struct pb_wav *w, const int16_t *x, int n)
{
	unsigned char b[2 * 1024];

	w->samples += (uint64_t)n;
	if (!is_stream(w) && w->samples > PB_WAV_LONGEST)
		return;
	while (n > 0) {
		int part = n < 1024 ? n : 1024;

		for (int i = 0; i < part; i++)
			pb_le_put(b + 2 * i, (uint16_t)x[i], 2);
		fwrite(b, 2, (size_t)part, w->file.out);
		x += part;
		n -= part;
	}
}

void
pb_wav_flush(struct pb_wav *w)
{
	if (is_stream(w))
		fflush(w->file.out);
}

/* Write the header anew, now that the length is known. */
static bool
settle(struct pb_wav *w)
{
	if (is_stream(w))
		return true;
	if (w->samples > PB_WAV_LONGEST) {
		errno = 0;
		return pb_msg_system(
		    "%s: longer than the 13.5 hours that a WAV file "
		    "can hold",
		    w->path);
	}
	if (fseeko(w->file.out, 0, SEEK_SET) == 0)
		put_header(w, (uint32_t)w->samples * 2);
	return true;
}

void
pb_wav_close(struct pb_wav *w)
{
	struct pb_error f;

	if (!w->open)
		return;
	w->open = false;
	if (settle(w) && pb_file_finish(&w->file, &f) != 0)
		pb_msg_error(&f);
	pb_file_abandon(&w->file);
}
