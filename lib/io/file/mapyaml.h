/* mapyaml.h - the YAML file beside a map image, as ROS map_server has it. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "io/stream/msg.h"
#include "map/pixel.h"
#include "pb/geom.h"

struct pb_mapyaml {
	char *image;             /* as written; owned */
	double resolution;       /* (m) */
	struct pb_pose origin;   /* of the lower left pixel's corner */
	struct pb_pixel_opts px; /* mode, negate, thresholds */
	/* For the linter: what was said, and where (line, 0 if it was not). */
	long image_line, resolution_line, origin_line, negate_line;
	long occupied_line, free_line, mode_line;
	char resolution_text[32]; /* the resolution as spelt */
};

/* No image; the pixel rules of pb_pixel_defaults. */
struct pb_mapyaml pb_mapyaml_defaults(void);

/*
 * Parse the n bytes at p. Unknown keys are ignored, known ones may come once.
 * image, resolution and origin are needed, the rest has its default.
 *
 * Returns  0 and y for pb_mapyaml_clear, or -1 with f filled in and y
 *          untouched
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
 * Check that the origin is near enough for cells of that resolution (m), which
 * options may say, to be told apart: PB_MAP_FAR. Returns 0, or -1 with f filled
 * in.
 */
int pb_mapyaml_check_origin(const struct pb_mapyaml *y, double resolution,
    const char *name, struct pb_error *f);

/* Free what y owns and zero it. */
void pb_mapyaml_clear(struct pb_mapyaml *y);

/*
 * Path of the image, from malloc: y->image as it is or, if relative, beside
 * yaml_path, or in the current folder if that is a device such as /dev/stdin.
 * NULL without memory.
 */
char *pb_mapyaml_image_path(const struct pb_mapyaml *y, const char *yaml_path);

/*
 * Write y, numbers in the shortest form that reads back the same. The caller
 * asks ferror.
 */
void pb_mapyaml_write(FILE *out, const struct pb_mapyaml *y);
