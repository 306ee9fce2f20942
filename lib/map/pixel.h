/* pixel.h - map images: pixels in memory, and their meaning to each loader. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/map.h"
#include "pb/status.h"

/*
 * Rows run from the top, samples are 8 bits, interleaved: gray; gray, alpha;
 * red, green, blue; red, green, blue, alpha. Deeper samples were rounded to 8
 * bits and shallower ones stretched to 0..255 by the reader, which notes what
 * the file held. Alpha 255 is opaque.
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

/* The samples of the pixel at column u, row v from the top; inside im. */
unsigned char *pb_image_at(const struct pb_image *im, int u, int v);

/* Number of pixels whose red, green and blue are not all equal. */
size_t pb_image_coloured(const struct pb_image *im);

/* Number of pixels that are not fully opaque. */
size_t pb_image_translucent(const struct pb_image *im);

/*
 * A map_server image says how likely an obstacle is by how dark a pixel is:
 * p = (255 - shade) / 255, or shade / 255 when negated. Loaders agree on
 * that and on little else; a dialect is one loader's reading, to the letter.
 */
enum pb_map_mode {
	PB_MODE_TRINARY, /* occupied, free or unknown */
	PB_MODE_SCALE,   /* as trinary, but between the thresholds a chance */
	PB_MODE_RAW      /* the pixel is the cell */
};

/* The gray that map savers write for unknown: p = 0.19608. */
#define PB_PIXEL_UNKNOWN 205

enum pb_dialect {
	PB_DIALECT_PB,        /* ours: nav2's, but unknown is never free */
	PB_DIALECT_ROS1,      /* ROS 1 map_server */
	PB_DIALECT_ROS1_99,   /* ROS 1 map_server until 2015: scale is 99 r */
	PB_DIALECT_NAV2_2024, /* nav2_map_server until Jazzy */
	PB_DIALECT_NAV2,      /* nav2_map_server from Kilted (2025) on */
	PB_DIALECT_OPENCV,    /* scripts over a gray imread: scale is 100 p */
	PB_DIALECTS
};

struct pb_pixel_opts {
	enum pb_dialect dialect; /* default: PB_DIALECT_PB */
	enum pb_map_mode mode;   /* default: trinary */
	bool negate;             /* default: no */
	double occupied_thresh;  /* p above it is occupied; default 0.65 */
	double free_thresh;      /* p below it is free; default 0.196 */
	/*
	 * The published systems' rule on top of all the above: free if and
	 * only if the shade, not negated, is above this, 0..254; what would
	 * have been free otherwise is unknown. -1, the default, is off.
	 */
	int free_above;
};

/* Counts of a conversion (cells). */
struct pb_pixel_count {
	size_t free, occupied, unknown; /* counts by pb_cell_free() etc. */
	size_t guarded; /* unknown that the threshold would have made free */
};

struct pb_pixel_opts pb_pixel_defaults(void);

/* The shade that savers of such maps write for unknown: 205, negated 50. */
int pb_pixel_unknown(const struct pb_pixel_opts *o);

/*
 * Returns  PB_OK, or PB_EVALUE: a threshold outside 0..1 or not a number,
 *          free_thresh not below occupied_thresh, free_above out of range
 */
enum pb_status pb_pixel_check(const struct pb_pixel_opts *o);

/*
 * Cell value, -128..127, of one pixel with the given number of samples.
 * guarded, which may be NULL, says whether it is the savers' unknown, kept from
 * being free, which only trinary maps have.
 * Values outside -1..100 arise in ROS 1's raw mode only.
 */
int pb_pixel_cell(const struct pb_pixel_opts *o, const unsigned char *sample,
    int channels, bool *guarded);

/*
 * Turn an image into a map of the same size; the top row of the image is the
 * last row of the map. Values outside -1..100 become unknown.
 *
 * Returns  PB_OK, or as pb_pixel_check and pb_map_init; count may be NULL
 */
enum pb_status pb_pixel_map(const struct pb_pixel_opts *o,
    const struct pb_image *im, double resolution, struct pb_pose origin,
    struct pb_map *m, struct pb_pixel_count *count);

/*
 * Convert row by row, by options that pb_pixel_check() accepts: n pixels to
 * cells, in the order of the pixels. The cells of all grays are precomputed: an
 * image has far more pixels than grays.
 */
struct pb_pixel_reader {
	struct pb_pixel_opts o;
	int channels;
	signed char cell[256]; /* by gray: cell */
	bool is_guarded[256];
	size_t guarded, value[256]; /* cells up to now, by their value */
};
struct pb_pixel_reader pb_pixel_reader(
    const struct pb_pixel_opts *o, int channels);
void pb_pixel_row(struct pb_pixel_reader *r, const unsigned char *s, size_t n,
    signed char *cell);
struct pb_pixel_count pb_pixel_counted(const struct pb_pixel_reader *r);

/* Number of pixels of im that a and b turn into different cells. */
size_t pb_pixel_differ(const struct pb_image *im, const struct pb_pixel_opts *a,
    const struct pb_pixel_opts *b);

/* The options under which pb_pixel_image's answer reads back exactly. */
struct pb_pixel_opts pb_pixel_fit(const struct pb_map *m);

/*
 * Make a gray image of m that reads back as m under every dialect: 254, 0
 * and 205 in trinary mode if m has no values but 0, 100 and unknown; else
 * the values themselves, unknown as 255, in raw mode.
 */
enum pb_status pb_pixel_image(const struct pb_map *m, struct pb_image *im);

/* Names of dialects and modes; the mode of a name, -1: unknown. */
const char *pb_dialect_name(enum pb_dialect d);
const char *pb_mode_name(enum pb_map_mode mode);
int pb_mode_find(const char *name);
