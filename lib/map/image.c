/* image.c - a picture in memory: what map files and views are made of. */
#include "map/image.h"

#include <stdlib.h>

#include "pb/map.h"

enum pb_status
pb_image_init(struct pb_image *im, int width, int height, int channels)
{
	unsigned char *sample;

	if (width < 1 || height < 1 || width > PB_MAP_SIDE ||
	    height > PB_MAP_SIDE)
		return PB_ESIZE;
	if (channels < 1 || channels > 4)
		return PB_EVALUE;
	sample = calloc((size_t)width * (size_t)height, (size_t)channels);
	if (sample == NULL)
		return PB_ENOMEM;
	*im = (struct pb_image){.width = width,
	    .height = height,
	    .channels = channels,
	    .sample = sample,
	    .maxval = 255};
	return PB_OK;
}

void
pb_image_clear(struct pb_image *im)
{
	free(im->sample);
	*im = (struct pb_image){0};
}

size_t
pb_image_bytes(const struct pb_image *im)
{
	return pb_image_pixels(im) * (size_t)im->channels;
}

size_t
pb_image_pixels(const struct pb_image *im)
{
	return (size_t)im->width * (size_t)im->height;
}

bool
pb_image_has_alpha(const struct pb_image *im)
{
	return im->channels == 2 || im->channels == 4;
}

unsigned char *
pb_image_at(const struct pb_image *im, int u, int v)
{
	size_t i = (size_t)v * (size_t)im->width + (size_t)u;

	return im->sample + i * (size_t)im->channels;
}

size_t
pb_image_coloured(const struct pb_image *im)
{
	const unsigned char *s = im->sample, *end = s + pb_image_bytes(im);
	size_t n = 0;

	if (im->channels < 3)
		return 0;
	for (; s < end; s += im->channels)
		n += s[0] != s[1] || s[1] != s[2];
	return n;
}

size_t
pb_image_translucent(const struct pb_image *im)
{
	const unsigned char *s = im->sample, *end = s + pb_image_bytes(im);
	size_t n = 0;

	if (!pb_image_has_alpha(im))
		return 0;
	for (; s < end; s += im->channels)
		n += s[im->channels - 1] != 255;
	return n;
}
