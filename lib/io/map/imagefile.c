/* imagefile.c - a PGM or PNG file, told apart by its first bytes. */
#include "io/map/imagefile.h"

#include <stdlib.h>

#include "io/file.h"

int
pb_image_decode(const char *bytes, size_t n, const char *path, bool indices,
    struct pb_image *im, struct pb_fault *f)
{
	if (pb_png_is(bytes, n))
		return pb_png_decode(bytes, n, path, indices, im, f);
	if (pb_pgm_is(bytes, n))
		return pb_pgm_decode(bytes, n, path, im, f);
	if (n == 0)
		return pb_fault_set(f, path, 0, NULL, "empty file");
	if (n > 1 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '7')
		return pb_fault_set(f, path, 0, NULL,
		    "Netpbm type P%c is not PGM (P2 or P5)", bytes[1]);
	return pb_fault_set(f, path, 0, NULL, "neither a PGM nor a PNG image");
}

int
pb_image_read(
    const char *path, bool indices, struct pb_image *im, struct pb_fault *f)
{
	char *bytes;
	size_t n;
	int rc;

	if (pb_file_read(path, PB_FILE_LIMIT, &bytes, &n, f) != 0)
		return -1;
	rc = pb_image_decode(bytes, n, path, indices, im, f);
	free(bytes);
	return rc;
}
