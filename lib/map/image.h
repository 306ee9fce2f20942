/* image.h - a picture in memory: what map files and views are made of. */
#ifndef PB_MAP_IMAGE_H
#define PB_MAP_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "pb/status.h"

/*
 * Rows run from the top, samples are 8 bits, interleaved: gray; gray, alpha;
 * red, green, blue; red, green, blue, alpha. Deeper samples were rounded to
 * 8 bits and shallower ones stretched to 0..255 by whoever made the image,
 * who leaves a note of what the file held. Alpha 255 is opaque.
 */
struct pb_image {
	int width;             /* columns, 1..PB_MAP_SIDE (pixels) */
	int height;            /* rows, 1..PB_MAP_SIDE (pixels) */
	int channels;          /* 1 gray, 2 gray + alpha, 3 RGB, 4 RGBA */
	unsigned char *sample; /* width * height * channels, owned */
	int maxval;            /* white in the file: 1..65535 */
	size_t spare;          /* bytes that followed the last pixel */
	bool palette;          /* the file held indices into a palette */
	bool gamma;            /* the file asks for a gamma correction */
};

/*
 * Make im a black, transparent image.
 *
 * Given    width, height  1..PB_MAP_SIDE
 *          channels       1..4
 * Returns  PB_OK and an image for pb_image_clear, or PB_ESIZE, PB_EVALUE
 *          (channels), PB_ENOMEM and im untouched
 */
enum pb_status pb_image_init(
    struct pb_image *im, int width, int height, int channels);

/* Free what im owns and zero it. A zeroed image is fine. */
void pb_image_clear(struct pb_image *im);

/* Size of im->sample (bytes). */
size_t pb_image_bytes(const struct pb_image *im);

/* Number of pixels. */
size_t pb_image_pixels(const struct pb_image *im);

/* Whether im has an alpha channel. */
bool pb_image_has_alpha(const struct pb_image *im);

/* The samples of the pixel at column u, row v from the top; inside im. */
unsigned char *pb_image_at(const struct pb_image *im, int u, int v);

/* Number of pixels whose red, green and blue are not all equal. */
size_t pb_image_coloured(const struct pb_image *im);

/* Number of pixels that are not fully opaque. */
size_t pb_image_translucent(const struct pb_image *im);

#endif
