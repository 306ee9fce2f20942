/* mapfile.h - read and write files of occupancy maps and of boards. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/file/mapserver.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "map/pixel.h"
#include "pb/map.h"
#include "pb/maze.h"

enum pb_mapkind {
	PB_MAPKIND_YAML,     /* map_server YAML with its image */
	PB_MAPKIND_IMAGE,    /* an image alone */
	PB_MAPKIND_MOVINGAI, /* MovingAI .map: type, height, width, map */
	PB_MAPKIND_TEXT,     /* rows of # . ? and the like */
	PB_MAPKIND_RECORD,   /* JSON lines with a map record */
	PB_MAPKIND_BOARD,    /* a board: drawing, integers, KML */
	PB_MAPKIND_OCCGRID,  /* a nav_msgs/OccupancyGrid in JSON */
	PB_MAPKINDS
};

/* How to read a map; these override the file. */
struct pb_mapfile_opts {
	enum pb_dialect dialect; /* how pixels become cells; default: ours */
	int free_above;          /* as in pb_pixel_opts; default -1, off */
	double resolution;       /* (m); default 0: as the file says */
	struct pb_pose origin;
	bool has_origin; /* default no: as the file says */
	int coarsen;     /* merge k x k cells into one; 0 or 1: off */
};

struct pb_mapfile_opts pb_mapfile_defaults(void);

/* Options about reading images; m: struct pb_mapfile_opts *. */
#define PB_OPT_PIXELS(m, ...)                                                \
	{"free-above", 0, PB_OPT_INT, "n",                                   \
	    "only pixels above n are free, -1: off", &(m)->free_above,       \
	    .min = -1, .max = 254, __VA_ARGS__},                             \
	{                                                                    \
		"resolution", 'R', PB_OPT_NUM, "m",                          \
		    "side of a cell, 0: as the file says", &(m)->resolution, \
		    .min = 0, .max = 1e6, __VA_ARGS__                        \
	}

/* Check that there is a file that the options apply to (map, NULL: none).
 * False: a message was printed; `how` says in it how to name a file. */
bool pb_mapfile_opts_fit(
    const struct pb_mapfile_opts *o, const char *map, const char *how);

/* What to report to the user after reading. */
struct pb_mapfile_notes {
	enum pb_mapkind kind;
	struct pb_pixel_opts px;     /* as used; YAML and images only */
	struct pb_pixel_count count; /* YAML and images only */
	char warning[320]; /* any other warning, about line; or empty */
	long line;
	bool coarse;             /* the image was coarsened while reading */
	bool assumed_resolution; /* the file has none: PB_MAPFILE_CELL */
};

/* Cell size of maps as text (MovingAI and rows), which state none (m). */
#define PB_MAPFILE_CELL 1.0

/*
 * Read the map in path, "-" for standard input, of any kind: of records the
 * first map or maze, with cells of PB_MAZE_CELL. An image alone needs
 * o->resolution. Images in files are coarsened by o->coarsen row by row, so
 * they may be larger than a map; other kinds are left to the caller, see
 * notes->coarse.
 *
 * Given    o: NULL for the defaults; notes: may be NULL
 *
 * Returns  0 and a map for pb_map_clear(), named after the file unless it has a
 *          name; or -1 with f filled in. The map may have no free cell.
 */
int pb_mapfile_read(const char *path, const struct pb_mapfile_opts *o,
    struct pb_map *m, struct pb_mapfile_notes *notes, struct pb_error *f);

/* Override resolution and origin of m by the options, if given. */
void pb_mapfile_overrule(const struct pb_mapfile_opts *o, struct pb_map *m);

/*
 * Read the first record of `types` (set of PB_REC_BIT() of map and maze) in the
 * file at path, "-" for standard input; its values only if in `want`.
 *
 * Returns  0 and r for pb_rec_clear(), or -1 with f filled in, which may be
 *          NULL
 */
int pb_mapfile_first(const char *path, uint64_t types, uint64_t want,
    struct pb_rec *r, struct pb_error *f);

/* Read a map from a file's n bytes; path is for messages, the suffix, and the
 * folder of a YAML's image. */
int pb_mapfile_decode(const char *path, const char *bytes, size_t n,
    const struct pb_mapfile_opts *o, struct pb_map *m,
    struct pb_mapfile_notes *notes, struct pb_error *f);

/* Read the bytes of a map file of any kind, like pb_file_read(); a file that
 * cannot be one, or exceeds its limit, is refused by its head. */
int pb_mapfile_bytes(
    const char *path, char **bytes, size_t *n, struct pb_error *f);

/* Read the YAML of a map. Returns 0 and y for pb_mapyaml_clear(), or -1 with f
 * filled in. */
int pb_mapfile_yaml(const char *path, struct pb_mapyaml *y, struct pb_error *f);

/*
 * Find the kind of a file: of a regular file by its head and, between texts,
 * its suffix; of other files, which can be read once only, by the suffix alone.
 * A pipe without suffix holds records, except /dev/stdin. Returns 0, or -1 with
 * f filled in.
 */
int pb_mapkind_peek(
    const char *path, enum pb_mapkind *kind, struct pb_error *f);

/* Whether path, where files of records are expected, is a regular file with a
 * map or board; false if ambiguous. */
bool pb_mapkind_is_operand(const char *path);

/* Write the name of a file without folders and suffix, cut to size bytes of
 * whole characters; bytes that are no UTF-8 become U+FFFD. */
void pb_mapfile_stem(const char *path, char *name, size_t size);

/* Whether maps can be written with the suffix of path. */
bool pb_mapfile_writable(const char *path);

/*
 * Write m to path; by suffix: .yaml or .yml (with a .pgm), .pgm or .png (with a
 * .yaml), .map (MovingAI), .txt (rows). A YAML reads back as exactly the same
 * map; texts lose cells, see pb_mapfile_lost(). Files are written as a whole or
 * not at all, the image before its YAML.
 *
 * Returns  0, or -1 with f filled in
 */
int pb_mapfile_write(
    const char *path, const struct pb_map *m, struct pb_error *f);

/* Number of cells of m that a file with that suffix cannot represent. */
size_t pb_mapfile_lost(const char *path, const struct pb_map *m);

/* --- problems of map files --- */

/* Called for each problem: file:line (0: none), a short code that stays the
 * same between versions, and a sentence. */
typedef void pb_lint_sink(
    void *arg, const char *file, long line, const char *code, const char *text);

/* Look for problems of the map file at path. Returns their number; an
 * unreadable file is one. */
int pb_lint(const char *path, pb_lint_sink *sink, void *arg);

/* Whether a file is one of a board, by its first bytes and its suffix. */
bool pb_boardfile_is(const char *path, const char *bytes, size_t n);

/*
 * Read the board p[0..n) of the file at path; its name is left empty.
 *
 * Given    cell  side of a cell of a KML file (m), 0: as the file says
 *
 * Returns  0 and z, or -1 with f filled in
 */
int pb_boardfile_decode(const char *path, const char *p, size_t n, double cell,
    struct pb_maze *z, struct pb_error *f);

/*
 * Write z to path, as a whole or not at all. By suffix: .board (a drawing),
 * .zumy (integers; loses walls between cells, and pellets).
 *
 * Returns  0, or -1 with f filled in
 */
int pb_boardfile_write(
    const char *path, const struct pb_maze *z, struct pb_error *f);
bool pb_boardfile_writable(const char *path);
