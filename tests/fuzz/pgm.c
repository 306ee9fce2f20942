/* pgm.c - any bytes as a PGM: a complaint, or an image that can be kept. */
#include "image.h"

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *s = fuzz_text(bytes, n);
	struct pb_fault f = {.text = ""};
	struct pb_image im;

	if (!pb_pgm_is(s, n)) {
		/* Not ours to read. */
	} else if (pb_pgm_decode(s, n, "image", &im, &f) == 0) {
		must(im.channels == 1);
		fuzz_image(&im, pb_pgm_write);
	} else {
		must(f.text[0] != 0);
	}
	free(s);
	return 0;
}
