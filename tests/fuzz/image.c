/*
 * image.c - any bytes as an image: a complaint, or one that reads the same
 * after it was written. The last byte says whether a palette is wanted as
 * colours or as indices.
 */
#include "fuzz.h"

#include "io/file/mapserver.h"
#include "io/rec/rec.h"

static void
write_and_read(const struct pb_image *im, bool png)
{
	struct pb_error f = {.text = ""};
	struct pb_image again;
	char *file = NULL;
	size_t n;
	FILE *out = open_memstream(&file, &n);

	must(out != NULL);
	must((png ? pb_png_write : pb_pgm_write)(out, "image", im, &f) == 0);
	must(fclose(out) == 0);
	must(pb_image_decode(file, n, "image", false, &again, &f) == 0);
	must(again.width == im->width && again.height == im->height);
	must(again.channels == im->channels);
	must(memcmp(again.sample, im->sample, pb_image_bytes(im)) == 0);
	free(file);
	pb_image_clear(&again);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	char *s = fuzz_text(bytes, n);
	bool indices = n > 0 && (bytes[n - 1] & 1);
	struct pb_error f = {.text = ""};
	struct pb_image im;

	/* Large ones that are nearly empty find nothing. */
	pb_max_cells = 1 << 20;
	if (pb_image_decode(s, n, "image", indices, &im, &f) == 0) {
		must(im.width >= 1 && im.width <= PB_MAP_SIDE);
		must(im.height >= 1 && im.height <= PB_MAP_SIDE);
		must(pb_image_pixels(&im) <= (size_t)pb_max_cells);
		must(im.channels >= 1 && im.channels <= 4);
		write_and_read(&im, true);
		if (im.channels == 1)
			write_and_read(&im, false);
		pb_image_clear(&im);
	} else {
		must(f.text[0] != 0);
	}
	free(s);
	return 0;
}
