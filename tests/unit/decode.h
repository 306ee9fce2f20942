/* decode.h - what the tests of PGM and PNG files share. */
#pragma once

#include "check.h"
#include "io/file/mapserver.h"

/* Decode a copy of its exact size, so that a sanitizer sees any overrun. */
static inline int
decode(const void *p, size_t n, struct pb_image *im, struct pb_error *f)
{
	char *copy = malloc(n > 0 ? n : 1);
	int rc;

	memcpy(copy, p, n);
	*im = (struct pb_image){0};
	rc = pb_image_decode(copy, n, "test", false, im, f);
	free(copy);
	return rc;
}

static inline void
refuses(const char *file, size_t n, const char *text)
{
	struct pb_image im = {0};
	struct pb_error f = {.text = ""};

	check_int(decode(file, n, &im, &f), -1);
	check(im.sample == NULL);
	if (strstr(f.text, text) == NULL && strstr(f.field, text) == NULL)
		printf("# \"%s: %s\" lacks \"%s\"\n", f.field, f.text, text);
	check(strstr(f.text, text) != NULL || strstr(f.field, text) != NULL);
}

/* Every beginning of a file is refused or, past the pixels, the image. */
static inline void
cut(const void *file, size_t n, size_t whole)
{
	for (size_t k = 0; k <= n; k++) {
		struct pb_image im;
		struct pb_error f = {.text = ""};
		int rc = decode(file, k, &im, &f);

		check_int(rc, k < whole ? -1 : 0);
		check((rc == 0) == (f.text[0] == '\0'));
		if (rc == 0)
			pb_image_clear(&im);
	}
}
