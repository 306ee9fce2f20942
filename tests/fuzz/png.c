/*
 * png.c - any bytes as a PNG: a complaint, or an image that can be kept. A
 * byte before it says whether a palette is wanted as colours or as indices.
 */
#include "image.h"

/* Large ones that are nearly empty take memory and time, and find nothing. */
#define PIXELS ((size_t)1 << 20)

/* Pixels that the header announces. */
static size_t
announced(const unsigned char *p, size_t n)
{
	size_t w = 0, h = 0;

	for (size_t i = 16; i < 20 && i + 4 < n; i++) {
		w = w << 8 | p[i];
		h = h << 8 | p[i + 4];
	}
	return w > PIXELS || h > PIXELS ? PIXELS + 1 : w * h;
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct pb_fault f = {.text = ""};
	struct pb_image im;

	if (n == 0 || announced(bytes + 1, n - 1) > PIXELS)
		return 0;
	if (pb_png_decode(bytes + 1, n - 1, "image", bytes[0] & 1, &im, &f) ==
	    0)
		fuzz_image(&im, pb_png_write);
	else
		must(f.text[0] != 0);
	return 0;
}
