/*
 * record.c - any bytes as a record: a complaint, or a record that can be
 * written and whose writing reads as the same again.
 */
#include <stdlib.h>
#include <string.h>

#include "io/rec/rec.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n);

/* Write r; the text is the caller's to clear. */
static struct pb_text
written(const struct pb_rec *r)
{
	struct pb_text o = {0};

	pb_rec_write(&o, r);
	return o;
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *s = malloc(n + 1); /* exact, and a byte that may be read */
	struct pb_error bad;
	struct pb_rec r, again;

	memcpy(s, bytes, n);
	s[n] = 0;
	if (pb_rec_read(s, n, PB_REC_ALL, &r, &bad)) {
		struct pb_text one = written(&r);

		/* What nothing reads passes as it came: there is no text. */
		if (one.len > 0) {
			struct pb_text two;

			if (!pb_rec_read(
				one.s, one.len - 1, PB_REC_ALL, &again, &bad))
				abort();
			two = written(&again);
			if (two.len != one.len ||
			    memcmp(one.s, two.s, one.len) != 0)
				abort();
			pb_text_clear(&two);
			pb_rec_clear(&again);
		}
		pb_text_clear(&one);
		pb_rec_clear(&r);
	} else if (bad.text[0] == 0) {
		abort();
	}
	free(s);
	return 0;
}
