/* imagefile.h - reading PGM, PNG and BMP, writing PGM and PNG. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/stream/msg.h"
#include "map/pixel.h"

/*
 * All functions return 0, or -1 with f filled in and the image untouched.
 * Names are for messages only. Nothing here is shared between calls.
 */

/* Whether the n bytes at p start a PGM (P2, P5), a PNG, a BMP. */
bool pb_pgm_is(const void *p, size_t n);
bool pb_png_is(const void *p, size_t n);
bool pb_bmp_is(const void *p, size_t n);

/* Whether they start any image, also one that is not read as a map. */
bool pb_image_is(const char *p, size_t n);

/* The size that their header states (pixels); false: it is not among them. */
bool pb_pgm_size(const void *p, size_t n, long *width, long *height);
bool pb_png_size(const void *p, size_t n, long *width, long *height);
bool pb_bmp_size(const void *p, size_t n, long *width, long *height);

/*
 * Refuse what will not be read, before there is memory for it: other images
 * by name, and what has more cells than --max-cells.
 */
int pb_image_check(
    const char *head, size_t n, const char *name, struct pb_error *f);

/* The longest file that is worth reading (bytes). */
size_t pb_image_limit(void);

/*
 * Decode a file in memory. PGM: plain and raw, comments, maxval 1..65535.
 * PNG: every colour type and depth, interlaced or not; samples as stored, no
 * gamma. BMP: 8 and 24 bits, not compressed. indices keeps a
 * palette's indices as gray, as ROS 1 does.
 */
int pb_pgm_decode(const void *p, size_t n, const char *name,
    struct pb_image *im, struct pb_error *f);
int pb_png_decode(const void *p, size_t n, const char *name, bool indices,
    struct pb_image *im, struct pb_error *f);

int pb_bmp_decode(const void *p, size_t n, const char *name, bool indices,
    struct pb_image *im, struct pb_error *f);

/* The same, told apart by the first bytes; and a whole file. */
int pb_image_decode(const char *bytes, size_t n, const char *name, bool indices,
    struct pb_image *im, struct pb_error *f);
int pb_image_read(
    const char *path, bool indices, struct pb_image *im, struct pb_error *f);

/* Write im; the same bytes for the same image. PGM takes gray only. */
int pb_pgm_write(
    FILE *out, const char *name, const struct pb_image *im, struct pb_error *f);
int pb_png_write(
    FILE *out, const char *name, const struct pb_image *im, struct pb_error *f);
