/* image.h - what the targets of images do with one that was decoded. */
#ifndef PB_TESTS_FUZZ_IMAGE_H
#define PB_TESTS_FUZZ_IMAGE_H

#include "fuzz.h"
#include "io/map/imagefile.h"
#include "map/map.h"

typedef int fuzz_image_write(
    FILE *out, const char *name, const struct pb_image *im, struct pb_fault *f);

/* The image reads the same after it was written by w; then it is cleared. */
static inline void
fuzz_image(struct pb_image *im, fuzz_image_write *w)
{
	struct pb_fault f = {.text = ""};
	struct pb_image again;
	char *file = NULL;
	size_t n;
	FILE *out = open_memstream(&file, &n);

	must(out != NULL);
	must(im->width >= 1 && im->width <= PB_MAP_SIDE);
	must(im->height >= 1 && im->height <= PB_MAP_SIDE);
	must(im->channels >= 1 && im->channels <= 4);
	must(w(out, "image", im, &f) == 0);
	must(fclose(out) == 0);
	must(pb_image_decode(file, n, "image", false, &again, &f) == 0);
	must(again.width == im->width && again.height == im->height);
	must(again.channels == im->channels);
	must(memcmp(again.sample, im->sample, pb_image_bytes(im)) == 0);
	free(file);
	pb_image_clear(&again);
	pb_image_clear(im);
}

#endif
