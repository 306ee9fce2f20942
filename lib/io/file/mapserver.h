/* mapserver.h - what ROS's map_server reads: a YAML and its image. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "map/pixel.h"
#include "pb/geom.h"

/* --- PGM, PNG and BMP, read; PGM and PNG, written --- */

/*
 * All functions return 0, or -1 with f filled in and the image untouched.
 * Names are for messages only. Nothing here is shared between calls.
 */

/* Whether they start any image, also one that is not read as a map. */
bool pb_image_is(const char *p, size_t n);

/* Refuse unsupported images, by name, and those of more cells than --max-cells,
 * before memory is allocated. */
int pb_image_check(
    const char *head, size_t n, const char *name, struct pb_error *f);

/* The longest file that is read. */
struct pb_file_limit pb_image_limit(void);

/*
 * Read an image, told by its first bytes, row by row. PGM (P2, P5) and PPM:
 * plain and raw, comments, maxval 1..65535. PNG: every colour type and depth,
 * interlaced or not; samples as stored, no gamma. BMP: 8 and 24 bits, not
 * compressed. indices keeps a palette's indices as gray, as ROS 1 does.
 *
 * begin() sees an image without samples and may refuse it by filling in f; then
 * each row of 8-bit samples comes, from the top. Of a large raw PGM or PPM, or
 * a PNG that is not interlaced, no more than a row is in memory.
 */
#define PB_IMAGE_SIDE (1 << 24)
struct pb_image_rows {
	bool (*begin)(
	    void *user, const struct pb_image *im, struct pb_error *f);
	void (*row)(void *user, int v, const unsigned char *sample);
	void *user;
	bool large; /* sides may have PB_IMAGE_SIDE pixels, of a file */
};
int pb_image_rows_of(const char *bytes, size_t n, const char *name,
    bool indices, const struct pb_image_rows *to, struct pb_error *f);
int pb_image_walk(const char *path, bool indices,
    const struct pb_image_rows *to, struct pb_error *f);

/* The same of an image in memory. */
int pb_image_decode(const char *bytes, size_t n, const char *name, bool indices,
    struct pb_image *im, struct pb_error *f);
int pb_image_read(
    const char *path, bool indices, struct pb_image *im, struct pb_error *f);

/* Write im, to PGM a gray one; the same bytes for the same image. */
int pb_pgm_write(
    FILE *out, const char *name, const struct pb_image *im, struct pb_error *f);
int pb_png_write(
    FILE *out, const char *name, const struct pb_image *im, struct pb_error *f);

/* --- the YAML --- */

/* What a map's YAML says; the first three are needed. */
enum pb_mapkey {
	PB_MAPKEY_IMAGE,
	PB_MAPKEY_RESOLUTION,
	PB_MAPKEY_ORIGIN,
	PB_MAPKEY_NEGATE,
	PB_MAPKEY_OCCUPIED,
	PB_MAPKEY_FREE,
	PB_MAPKEY_MODE,
	PB_MAPKEY_DEFORMATION, /* other readers pass it over */
	PB_MAPKEYS
};

struct pb_mapyaml {
	char *image;             /* as written; owned */
	double resolution;       /* (m) */
	struct pb_pose origin;   /* of the lower left pixel's corner */
	struct pb_pixel_opts px; /* mode, negate, thresholds */
	double deformation;      /* as of struct pb_map (m) */
	long line[PB_MAPKEYS];   /* of each value; 0: it was not given */
};

/* No image; the pixel rules of pb_pixel_defaults. */
struct pb_mapyaml pb_mapyaml_defaults(void);

/*
 * Parse the n bytes at p. Unknown keys are ignored, known ones may come once.
 * image, resolution and origin are needed, the rest has its default.
 *
 * Returns  0 and y for pb_mapyaml_clear, or -1 with f filled in and nothing
 *          in y to clear
 */
int pb_mapyaml_parse(const char *p, size_t n, const char *name,
    struct pb_mapyaml *y, struct pb_error *f);

/*
 * Fill f for thresholds that are not in order, which other loaders accept and
 * pb_mapyaml_parse therefore does, too. Returns -1.
 */
int pb_mapyaml_order_fault(
    const struct pb_mapyaml *y, const char *name, struct pb_error *f);

/*
 * Check that the origin is near enough for doubles to resolve cells of that
 * resolution (m), which options may override: PB_MAP_FAR. Returns 0, or -1 with
 * f filled in.
 */
int pb_mapyaml_check_origin(const struct pb_mapyaml *y, double resolution,
    const char *name, struct pb_error *f);

/* Free what y owns and zero it. */
void pb_mapyaml_clear(struct pb_mapyaml *y);

/*
 * Path of the image, from malloc: y->image as it is or, if relative, beside
 * yaml_path, or in the current folder if that is a device such as /dev/stdin.
 *
 * Where there is no such file, as when the map came from another machine, an
 * image is taken that is beside the YAML under the same name but for folders
 * and case, else that name with the suffix of another kind of image, else the
 * YAML's own name with such a suffix.
 *
 * Given    instead  PB_MAPYAML_INSTEAD bytes for a text about a substitute,
 *                   else empty
 */
#define PB_MAPYAML_INSTEAD 256
char *pb_mapyaml_image_path(
    const struct pb_mapyaml *y, const char *yaml_path, char *instead);

/*
 * Write y, numbers in the shortest form that reads back the same. The caller
 * asks ferror.
 */
void pb_mapyaml_write(FILE *out, const struct pb_mapyaml *y);
