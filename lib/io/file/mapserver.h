/* mapserver.h - the format of ROS's map_server: a YAML file and its image. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "map/pixel.h"
#include "pb/geom.h"

/* --- PGM, PNG and BMP, read; PGM and PNG, written --- */

/* All functions return 0, or -1 with f filled in and the image untouched. Names
 * are for messages only. No state is kept between calls. */

/* Whether the bytes begin an image of any format, supported or not. */
bool pb_image_is(const char *p, size_t n);

/* Refuse images of unsupported formats, and those of more cells than
 * --max-cells, before memory is allocated. */
int pb_image_check(
    const char *head, size_t n, const char *name, struct pb_error *f);

/* The longest image file that is read. */
struct pb_file_limit pb_image_limit(void);

/*
 * Read an image row by row; its first bytes decide the format. PGM (P2, P5) and
 * PPM: plain and raw, comments, maxval 1..65535. PNG: every colour type and
 * depth, interlaced or not; samples as stored, no gamma. BMP: 8 and 24 bits,
 * not compressed. indices: use a palette's indices as gray, as ROS 1 does.
 *
 * begin() receives the image without samples, and may refuse it by filling in
 * f; then each row of 8-bit samples follows, from the top. Of a large raw PGM
 * or PPM, or a PNG that is not interlaced, only one row is in memory.
 */
#define PB_IMAGE_SIDE (1 << 24)
struct pb_image_rows {
	bool (*begin)(
	    void *user, const struct pb_image *im, struct pb_error *f);
	void (*row)(void *user, int v, const unsigned char *sample);
	void *user;
	bool large; /* allow sides up to PB_IMAGE_SIDE */
};
int pb_image_rows_of(const char *bytes, size_t n, const char *name,
    bool indices, const struct pb_image_rows *to, struct pb_error *f);
int pb_image_walk(const char *path, bool indices,
    const struct pb_image_rows *to, struct pb_error *f);

/* Read an image in memory. */
int pb_image_decode(const char *bytes, size_t n, const char *name, bool indices,
    struct pb_image *im, struct pb_error *f);
int pb_image_read(
    const char *path, bool indices, struct pb_image *im, struct pb_error *f);

/* Write im, to PGM as gray; equal images give equal bytes. */
int pb_pgm_write(
    FILE *out, const char *name, const struct pb_image *im, struct pb_error *f);
int pb_png_write(
    FILE *out, const char *name, const struct pb_image *im, struct pb_error *f);

/* --- the YAML --- */

/* The keys of a map's YAML; the first three are required. */
enum pb_mapkey {
	PB_MAPKEY_IMAGE,
	PB_MAPKEY_RESOLUTION,
	PB_MAPKEY_ORIGIN,
	PB_MAPKEY_NEGATE,
	PB_MAPKEY_OCCUPIED,
	PB_MAPKEY_FREE,
	PB_MAPKEY_MODE,
	PB_MAPKEY_DEFORMATION, /* of pb; other readers ignore it */
	PB_MAPKEYS
};

struct pb_mapyaml {
	char *image;             /* as written; owned */
	double resolution;       /* (m) */
	struct pb_pose origin;   /* pose of the lower left corner */
	struct pb_pixel_opts px; /* mode, negate, thresholds */
	double deformation;      /* see struct pb_map (m) */
	long line[PB_MAPKEYS];   /* line of each value; 0: not given */
};

/* No image; pixel rules of pb_pixel_defaults(). */
struct pb_mapyaml pb_mapyaml_defaults(void);

/*
 * Parse the n bytes at p. Unknown keys are ignored, known ones may occur once.
 * image, resolution and origin are required, the rest has defaults.
 *
 * Returns  0 and y for pb_mapyaml_clear(), or -1 with f filled in and nothing
 *          in y to clear
 */
int pb_mapyaml_parse(const char *p, size_t n, const char *name,
    struct pb_mapyaml *y, struct pb_error *f);

/* Fill f in for thresholds in the wrong order, which other loaders and so
 * pb_mapyaml_parse() accept. Returns -1. */
int pb_mapyaml_order_fault(
    const struct pb_mapyaml *y, const char *name, struct pb_error *f);

/*
 * Check that the origin is near enough for doubles to resolve cells of that
 * resolution (m): PB_MAP_FAR. Options may override both. Returns 0, or -1 with
 * f filled in.
 */
int pb_mapyaml_check_origin(const struct pb_mapyaml *y, double resolution,
    const char *name, struct pb_error *f);

/* Free what y owns and zero it. */
void pb_mapyaml_clear(struct pb_mapyaml *y);

/*
 * Path of the image, from malloc: y->image, if relative, beside yaml_path, or
 * in the current folder if that is a device such as /dev/stdin.
 *
 * If there is no such file, for example of a map from another machine, the
 * image is one beside the YAML with the same name except for folders and case,
 * else with another image suffix, else with the YAML's own name and an image
 * suffix.
 *
 * Given    instead PB_MAPYAML_INSTEAD bytes: a note about a substitute, else ""
 */
#define PB_MAPYAML_INSTEAD 256
char *pb_mapyaml_image_path(
    const struct pb_mapyaml *y, const char *yaml_path, char *instead);

/* Write y, with numbers in the shortest form that reads back the same. The
 * caller checks ferror(). */
void pb_mapyaml_write(FILE *out, const struct pb_mapyaml *y);
