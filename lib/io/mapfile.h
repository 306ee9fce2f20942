/* mapfile.h - occupancy maps in files of any kind. */
#ifndef PB_IO_MAPFILE_H
#define PB_IO_MAPFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "io/fault.h"
#include "map/map.h"
#include "map/pixel.h"

enum pb_mapkind {
	PB_MAPKIND_YAML,     /* map_server YAML with its image */
	PB_MAPKIND_IMAGE,    /* a PGM or PNG alone */
	PB_MAPKIND_MOVINGAI, /* MovingAI .map: type, height, width, map */
	PB_MAPKIND_TEXT,     /* rows of # . ? and so on */
	PB_MAPKIND_RECORD,   /* JSON lines with a map record */
	PB_MAPKINDS
};

/* How to read; whatever the file itself says is overruled. */
struct pb_mapfile_opts {
	enum pb_dialect dialect; /* whose reading of the pixels */
	int free_above;          /* as in pb_pixel_opts; -1 is off */
	double resolution; /* (m) for files that give none; 0 overrules none */
	bool resolution_set; /* overrule the file's resolution */
	struct pb_pose origin;
	bool origin_set; /* overrule the file's origin */
};

struct pb_mapfile_opts pb_mapfile_defaults(void);

/* What reading met that a careful tool tells its user. */
struct pb_mapfile_notes {
	enum pb_mapkind kind;
	struct pb_pixel_opts px;     /* as used; images only */
	struct pb_pixel_count count; /* images only */
};

/*
 * Read the map in path, whatever its kind; not records, see pb_mapkind_of.
 *
 * Returns  0 and a map for pb_map_clear, or -1 with f filled in. notes may
 *          be NULL. A map without a free cell is a map.
 */
int pb_mapfile_read(const char *path, const struct pb_mapfile_opts *o,
    struct pb_map *m, struct pb_mapfile_notes *notes, struct pb_fault *f);

/* The kind of a file: by its first bytes and, between texts, its suffix. */
enum pb_mapkind pb_mapkind_of(const char *path, const char *bytes, size_t n);

/*
 * Write m to path; the suffix decides: .yaml (with an image beside it, .pgm),
 * .pgm or .png (with a .yaml), .map (MovingAI), .txt (rows). Reading back
 * gives the same cells, and from YAML the same map to the last bit. Files
 * appear whole or not at all. Returns 0, or -1 with f filled in.
 */
int pb_mapfile_write(
    const char *path, const struct pb_map *m, struct pb_fault *f);

#endif
