/* imagefile.c - an image file, told apart by its first bytes. */
#include "io/file/imagefile.h"

#include <stdlib.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/stream/file.h"

/* Images that are none of a map, and what to do about it. */
static const struct {
	const char *begin;
	size_t n;
	const char *what;
} foreign[] = {
#define PNM(c, kind)                                  \
	{                                             \
		"P" c, 2, "a " kind " image (P" c ")" \
	}
    PNM("1", "PBM"),
    PNM("3", "PPM"),
    PNM("4", "PBM"),
    PNM("6", "PPM"),
    PNM("7", "PAM"),
#undef PNM
    {"\xff\xd8\xff", 3, "a JPEG image, whose shades are not exact"},
    {"GIF8", 4, "a GIF image"},
    {"II*\0", 4, "a TIFF image"},
    {"MM\0*", 4, "a TIFF image"},
    {"RIFF", 4, "a WebP image"},
    {"%PDF-", 5, "a PDF file"},
};

/* What the n bytes at p begin, NULL if it is no foreign image. */
static const char *
foreign_name(const char *p, size_t n)
{
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++) {
		size_t k = foreign[i].n;

		if (n < k || memcmp(p, foreign[i].begin, k) != 0)
			continue;
		/* A letter and a digit may begin a text, too. */
		if (*p != 'P' || n == k || strchr(" \t\r\n#", p[k]) != NULL)
			return foreign[i].what;
	}
	return NULL;
}

bool
pb_image_is(const char *p, size_t n)
{
	return pb_png_is(p, n) || pb_pgm_is(p, n) || pb_bmp_is(p, n) ||
	       foreign_name(p, n) != NULL;
}

int
pb_image_check(const char *head, size_t n, const char *name, struct pb_error *f)
{
	const char *what = foreign_name(head, n);
	long width, height;
	char text[128];

	if (what != NULL)
		return pb_error_file(f, name, 0, NULL,
		    "%s: maps are PGM, PNG or BMP; \"convert %.60s map.png\" "
		    "makes one",
		    what, name);
	if (n == 0)
		return pb_error_file(f, name, 0, NULL, "empty file");
	if (!pb_image_is(head, n))
		return pb_error_file(
		    f, name, 0, NULL, "neither a PGM, a PNG nor a BMP image");
	if ((pb_png_size(head, n, &width, &height) ||
		pb_pgm_size(head, n, &width, &height) ||
		pb_bmp_size(head, n, &width, &height)) &&
	    pb_cells_over(width, height, text))
		return pb_error_file(f, name, 0, NULL, "%s", text);
	return 0;
}

int
pb_image_decode(const char *bytes, size_t n, const char *path, bool indices,
    struct pb_image *im, struct pb_error *f)
{
	if (pb_image_check(bytes, n, path, f) != 0)
		return -1;
	if (pb_png_is(bytes, n))
		return pb_png_decode(bytes, n, path, indices, im, f);
	if (pb_bmp_is(bytes, n))
		return pb_bmp_decode(bytes, n, path, indices, im, f);
	return pb_pgm_decode(bytes, n, path, im, f);
}

/* The longest image: a number of a plain PGM is 65535 and a blank. */
size_t
pb_image_limit(void)
{
	return 6 * (size_t)pb_max_cells + PB_FILE_HEAD;
}

static int
look(void *user, const char *name, const char *head, size_t n,
    struct pb_file_limit *most, struct pb_error *f)
{
	(void)user;
	(void)most;
	return pb_image_check(head, n, name, f);
}

int
pb_image_read(
    const char *path, bool indices, struct pb_image *im, struct pb_error *f)
{
	const struct pb_file_look any = {
	    .most = {pb_image_limit(), "as much as --max-cells allows"},
	    .at = look};
	char *bytes;
	size_t n;
	int rc;

	if (pb_file_read(path, &any, &bytes, &n, f) != 0)
		return -1;
	rc = pb_image_decode(bytes, n, path, indices, im, f);
	free(bytes);
	return rc;
}
