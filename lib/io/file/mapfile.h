/* mapfile.h - occupancy maps in files of any kind. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/file/mapserver.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "map/pixel.h"
#include "pb/map.h"

enum pb_mapkind {
	PB_MAPKIND_YAML,     /* map_server YAML with its image */
	PB_MAPKIND_IMAGE,    /* an image alone */
	PB_MAPKIND_MOVINGAI, /* MovingAI .map: type, height, width, map */
	PB_MAPKIND_TEXT,     /* rows of # . ? and so on */
	PB_MAPKIND_RECORD,   /* JSON lines with a map record */
	PB_MAPKIND_BOARD,    /* a board: drawing, integers, KML */
	PB_MAPKIND_OCCGRID,  /* a nav_msgs/OccupancyGrid in JSON */
	PB_MAPKINDS
};

/* How to read; these override the file. */
struct pb_mapfile_opts {
	enum pb_dialect dialect; /* whose reading of the pixels; default ours */
	int free_above;          /* as in pb_pixel_opts; default -1, off */
	double resolution;       /* (m); default 0: as the file says */
	struct pb_pose origin;
	bool has_origin; /* origin overrules the file's; default no */
	int coarsen; /* merge coarsen x coarsen cells into one; default 0 or 1,
	                off */
};

struct pb_mapfile_opts pb_mapfile_defaults(void);

/* How to read an image, rows of the option table; m: struct pb_mapfile_opts *.
 */
#define PB_OPT_PIXELS(m, ...)                                                \
	{"free-above", 0, PB_OPT_INT, "n",                                   \
	    "only pixels above n are free, -1: off", &(m)->free_above,       \
	    .min = -1, .max = 254, __VA_ARGS__},                             \
	{                                                                    \
		"resolution", 'R', PB_OPT_NUM, "m",                          \
		    "side of a cell, 0: as the file says", &(m)->resolution, \
		    .min = 0, .max = 1e6, __VA_ARGS__                        \
	}

/* Whether there is a file that they are for, NULL: none; if not, a message was
 * printed. */
bool pb_mapfile_opts_fit(const struct pb_mapfile_opts *o, const char *map);

/* What a tool should report to its user after reading. */
struct pb_mapfile_notes {
	enum pb_mapkind kind;
	struct pb_pixel_opts px;     /* as used; YAML and images only */
	struct pb_pixel_count count; /* YAML and images only */
	char warning[320];           /* whatever else, of line; or empty */
	long line;
	bool coarse;             /* the image was coarsened as it was read */
	bool assumed_resolution; /* none was given: PB_MAPFILE_CELL */
};

/* Cell size of maps as text, which have none: MovingAI and rows (m). */
#define PB_MAPFILE_CELL 1.0

/*
 * Read the map in path, "-" for standard input, whatever its kind: of records
 * the first map or maze, whose cells are PB_MAZE_CELL. An image alone needs
 * o->resolution. Images
 * are coarsened by o->coarsen, in a file of their own row by row: they may be
 * larger than a map. Other kinds are left to the caller, see notes->coarse.
 *
 * Given    o      NULL for the defaults
 *          notes  may be NULL
 * Returns  0 and a map for pb_map_clear, named after the file unless it names
 *          itself; or -1 with f filled in. A map without a free cell is a map.
 */
int pb_mapfile_read(const char *path, const struct pb_mapfile_opts *o,
    struct pb_map *m, struct pb_mapfile_notes *notes, struct pb_error *f);

/* Give m what the options say of a map that says it itself. */
void pb_mapfile_overrule(const struct pb_mapfile_opts *o, struct pb_map *m);

/*
 * The first record of `types` (set of PB_REC_BIT() of map and maze) in the file
 * of records at path, "-" for standard input; of `want` it has the values, too.
 *
 * Returns  0 and r for pb_rec_clear, or -1 with f filled in, which may be NULL
 */
int pb_mapfile_first(const char *path, uint64_t types, uint64_t want,
    struct pb_rec *r, struct pb_error *f);

/* The same of a file's n bytes; path is for messages, the suffix and the name
 * of a YAML's image. */
int pb_mapfile_decode(const char *path, const char *bytes, size_t n,
    const struct pb_mapfile_opts *o, struct pb_map *m,
    struct pb_mapfile_notes *notes, struct pb_error *f);

/*
 * The bytes of a map file of any kind, as pb_file_read; what cannot be one, or
 * is over a limit, is refused when its beginning was seen.
 */
int pb_mapfile_bytes(
    const char *path, char **bytes, size_t *n, struct pb_error *f);

/* What the YAML of a map says. Returns 0, or -1 with f filled in; y is for
 * pb_mapyaml_clear. */
int pb_mapfile_yaml(const char *path, struct pb_mapyaml *y, struct pb_error *f);

/*
 * The kind of a file: by the beginning of a regular one and, between texts, its
 * suffix; of other files, where what is read is gone, the suffix decides, and a
 * pipe without one holds records, but for /dev/stdin. Returns 0, or -1 with f
 * filled in.
 */
int pb_mapkind_peek(
    const char *path, enum pb_mapkind *kind, struct pb_error *f);

/* Whether path, given where files of records are expected, is a regular file
 * with a map or board; ambiguous files do not count. */
bool pb_mapkind_is_operand(const char *path);

/*
 * The name of a file without folders and suffix, cut to size bytes between
 * characters; bytes that are no UTF-8 become U+FFFD.
 */
void pb_mapfile_stem(const char *path, char *name, size_t size);

/* Whether the suffix of path says how to write a map. */
bool pb_mapfile_writable(const char *path);

/*
 * Write m to path; the suffix decides: .yaml or .yml (with a .pgm beside it),
 * .pgm or .png (with a .yaml), .map (MovingAI), .txt (rows). From YAML the
 * same map reads back to the last bit; texts keep less, see pb_mapfile_lost.
 * Files appear whole or not at all, the image before its YAML.
 *
 * Returns  0, or -1 with f filled in
 */
int pb_mapfile_write(
    const char *path, const struct pb_map *m, struct pb_error *f);

/* Number of cells of m that a file with that suffix cannot keep. */
size_t pb_mapfile_lost(const char *path, const struct pb_map *m);

/* --- the traps of map files, named before they bite --- */

/*
 * Called once per finding: file:line (0: none), a short code that stays the
 * same between versions, and a sentence.
 */
typedef void pb_lint_sink(
    void *arg, const char *file, long line, const char *code, const char *text);

/*
 * Look for traps in the map file at path. Returns the number of findings; a
 * file that cannot be read at all is one of them.
 */
int pb_lint(const char *path, pb_lint_sink *sink, void *arg);
