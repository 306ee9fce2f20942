/* mapyaml.h - the YAML file beside a map image, as ROS map_server has it. */
#ifndef PB_IO_MAPYAML_H
#define PB_IO_MAPYAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/geom.h"
#include "io/fault.h"
#include "map/pixel.h"

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

/*
 * Parse the n bytes at p. Unknown keys are ignored, known ones may come once.
 * image, resolution and origin are needed; px starts from its value in *y
 * after pb_mapyaml_defaults. Returns 0, or -1 with f filled in and y empty.
 */
int pb_mapyaml_parse(const char *p, size_t n, const char *name,
    struct pb_mapyaml *y, struct pb_fault *f);

/* Free what y owns and zero it. */
void pb_mapyaml_clear(struct pb_mapyaml *y);

/* Path of the image: y->image as it is or, if relative, beside yaml_path. */
char *pb_mapyaml_image_path(const struct pb_mapyaml *y, const char *yaml_path);

/* Write y; numbers in the shortest form that reads back the same. */
void pb_mapyaml_write(FILE *out, const struct pb_mapyaml *y);

#endif
