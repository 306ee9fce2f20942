/* pixel.c - map images, and the cells that each loader makes of them. */
#include "map/pixel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static bool
has_alpha(int channels)
{
	return channels == 2 || channels == 4;
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

	if (!has_alpha(im->channels))
		return 0;
	for (; s < end; s += im->channels)
		n += s[im->channels - 1] != 255;
	return n;
}

/* One pixel, its alpha apart from its colours. */
struct pixel {
	const unsigned char *s;
	int colours; /* 1 or 3 */
	bool matte;  /* the image has an alpha channel */
	int alpha;   /* 255 if it has none */
};

static struct pixel
pixel_of(const unsigned char *s, int channels)
{
	bool matte = has_alpha(channels);

	return (struct pixel){.s = s,
	    .colours = channels < 3 ? 1 : 3,
	    .matte = matte,
	    .alpha = matte ? s[channels - 1] : 255};
}

static int
colour_sum(struct pixel px)
{
	return px.colours == 1 ? px.s[0] : px.s[0] + px.s[1] + px.s[2];
}

/* A whole cell value, or unknown where it is none. */
static int
cell_value(double v)
{
	return v >= 0 && v <= 100 ? (int)v : PB_CELL_UNKNOWN;
}

/*
 * Relative position of p between the thresholds, which may be equal or swapped.
 */
static double
ratio(const struct pb_pixel_opts *o, double p)
{
	double span = o->occupied_thresh - o->free_thresh;

	return span > 0 ? (p - o->free_thresh) / span : 0;
}

/* Our reading: strict comparison, mean of the colours, half-transparent is
 * unknown. */
static int
cell_pb(const struct pb_pixel_opts *o, struct pixel px)
{
	double v = (double)colour_sum(px) / px.colours;
	double p = (o->negate ? v : 255 - v) / 255;

	if (o->mode == PB_MODE_RAW)
		return cell_value(round(v));
	if (px.alpha != 255)
		return PB_CELL_UNKNOWN;
	if (p > o->occupied_thresh)
		return 100;
	if (p < o->free_thresh)
		return 0;
	if (o->mode == PB_MODE_TRINARY)
		return PB_CELL_UNKNOWN;
	return cell_value(nearbyint(100 * ratio(o, p)));
}

/*
 * ROS 1 counts alpha as a colour in trinary mode; its "alpha" is the last
 * channel, whatever that is; raw cells wrap to a signed char. SDL_image
 * converts gray with alpha to RGBA first.
 */
static int
cell_ros1(const struct pb_pixel_opts *o, struct pixel px)
{
	int n = px.colours == 1 && !px.matte ? 1 : 3;
	int sum = px.colours == 1 ? n * px.s[0] : colour_sum(px);
	int last = n == 1 ? 1 : px.matte ? px.alpha : px.s[2];
	double v, p;

	if (o->mode == PB_MODE_TRINARY && px.matte) {
		sum += px.alpha;
		n++;
	}
	v = sum / (double)n;
	if (o->negate)
		v = 255 - v;
	if (o->mode == PB_MODE_RAW)
		return (int)v < 128 ? (int)v : (int)v - 256;
	p = (255 - v) / 255.0;
	if (p > o->occupied_thresh)
		return 100;
	if (p < o->free_thresh)
		return 0;
	if (o->mode == PB_MODE_TRINARY || last < 1)
		return PB_CELL_UNKNOWN;
	if (o->dialect == PB_DIALECT_ROS1_99)
		return cell_value(99 * ratio(o, p));
	return cell_value(1 + 98 * ratio(o, p));
}

/*
 * Nav2 before 2025 works on 16-bit quanta, 257 times ours. It subtracts the
 * shade from 1, so gray 204 is just below a threshold of 0.2 here and just
 * not below it in ROS 1.
 */
static int
cell_nav2_2024(const struct pb_pixel_opts *o, struct pixel px)
{
	double n = px.colours, sum = 257.0 * colour_sum(px), shade, p;

	if (o->mode == PB_MODE_TRINARY && px.matte) {
		sum = 257.0 * (colour_sum(px) * (3 / px.colours) + px.alpha);
		n = 4;
	}
	shade = sum / n / 65535;
	p = o->negate ? shade : 1.0 - shade;
	if (o->mode == PB_MODE_RAW)
		return cell_value(round(shade * 255));
	if (o->mode == PB_MODE_SCALE && px.alpha != 255)
		return PB_CELL_UNKNOWN;
	if (o->occupied_thresh < p)
		return 100;
	if (p < o->free_thresh)
		return 0;
	if (o->mode == PB_MODE_TRINARY)
		return PB_CELL_UNKNOWN;
	return cell_value(nearbyint(ratio(o, p) * 100.0));
}

/* Rec. 601 luma in units of 1/1024, as in GraphicsMagick. */
static int
luma_magick(struct pixel px)
{
	long q;

	if (px.colours == 1)
		return px.s[0];
	q = 257L * (306 * px.s[0] + 601 * px.s[1] + 117 * px.s[2]) / 1024;
	return (int)((q + 128) / 257);
}

/* Nav2 from 2025 on: luma, single precision, inclusive comparison. */
static int
cell_nav2(const struct pb_pixel_opts *o, struct pixel px)
{
	int gray = luma_magick(px);
	float lo = (float)o->free_thresh, hi = (float)o->occupied_thresh;
	float p = (float)gray / 255.0f;

	if (o->mode == PB_MODE_RAW)
		return cell_value(gray);
	if (px.alpha < 255)
		return PB_CELL_UNKNOWN;
	if (!o->negate)
		p = 1.0f - p;
	if (p <= lo) /* stored last, so it wins where both hold */
		return 0;
	if (p >= hi)
		return 100;
	if (o->mode == PB_MODE_TRINARY)
		return PB_CELL_UNKNOWN;
	return cell_value(floor((double)((p - lo) / (hi - lo) * 100.0f) + 0.5));
}

/* Scripts over a gray imread: alpha is dropped, scale is 100 p. */
static int
cell_opencv(const struct pb_pixel_opts *o, struct pixel px)
{
	int gray = px.s[0];
	double p;

	if (px.colours == 3)
		gray = (9798 * px.s[0] + 19235 * px.s[1] + 3735 * px.s[2] +
			   16384) >>
		       15;
	if (o->mode == PB_MODE_RAW)
		return cell_value(gray);
	p = (o->negate ? gray : 255 - gray) / 255.0;
	if (p >= o->occupied_thresh)
		return 100;
	if (p <= o->free_thresh)
		return 0;
	if (o->mode == PB_MODE_TRINARY)
		return PB_CELL_UNKNOWN;
	return cell_value(nearbyint(100 * p));
}

static const struct {
	const char *name;
	int (*cell)(const struct pb_pixel_opts *, struct pixel);
} dialects[PB_DIALECTS] = {
    [PB_DIALECT_PB] = {"pb", cell_pb},
    [PB_DIALECT_ROS1] = {"ros1", cell_ros1},
    [PB_DIALECT_ROS1_99] = {"ros1-99", cell_ros1},
    [PB_DIALECT_NAV2_2024] = {"nav2-2024", cell_nav2_2024},
    [PB_DIALECT_NAV2] = {"nav2", cell_nav2},
    [PB_DIALECT_OPENCV] = {"opencv", cell_opencv},
};

static const char *const modes[] = {"trinary", "scale", "raw"};

struct pb_pixel_opts
pb_pixel_defaults(void)
{
	return (struct pb_pixel_opts){.dialect = PB_DIALECT_PB,
	    .mode = PB_MODE_TRINARY,
	    /* ROS 1's map_server has these in its examples. */
	    .occupied_thresh = 0.65,
	    .free_thresh = 0.196,
	    .free_above = -1};
}

int
pb_pixel_unknown(const struct pb_pixel_opts *o)
{
	return o->negate ? 255 - PB_PIXEL_UNKNOWN : PB_PIXEL_UNKNOWN;
}

enum pb_status
pb_pixel_check(const struct pb_pixel_opts *o)
{
	if (!(o->free_thresh >= 0 && o->free_thresh <= 1) ||
	    !(o->occupied_thresh >= 0 && o->occupied_thresh <= 1))
		return PB_EVALUE;
	/* Only our dialect demands an order of the thresholds. */
	if (o->dialect == PB_DIALECT_PB && o->free_thresh >= o->occupied_thresh)
		return PB_EVALUE;
	if (o->free_above < -1 || o->free_above > 254)
		return PB_EVALUE;
	return PB_OK;
}

/* Apply the published rule of free cells. */
static int
only_free_above(int n, struct pixel px, int cell)
{
	if (colour_sum(px) > n * px.colours)
		return 0;
	return pb_cell_free(cell) ? PB_CELL_UNKNOWN : cell;
}

static bool
is_saver_unknown(const struct pb_pixel_opts *o, struct pixel px)
{
	return o->dialect == PB_DIALECT_PB && o->mode == PB_MODE_TRINARY &&
	       colour_sum(px) == pb_pixel_unknown(o) * px.colours;
}

int
pb_pixel_cell(const struct pb_pixel_opts *o, const unsigned char *sample,
    int channels, bool *guarded)
{
	struct pixel px = pixel_of(sample, channels);
	int cell = dialects[o->dialect].cell(o, px);
	bool kept = false;

	if (o->free_above >= 0) {
		cell = only_free_above(o->free_above, px, cell);
	} else if (pb_cell_free(cell) && is_saver_unknown(o, px)) {
		cell = PB_CELL_UNKNOWN;
		kept = true;
	}
	if (guarded != NULL)
		*guarded = kept;
	return cell;
}

const char *
pb_dialect_name(enum pb_dialect d)
{
	return dialects[d].name;
}

const char *
pb_mode_name(enum pb_map_mode mode)
{
	return modes[mode];
}

int
pb_mode_find(const char *name)
{
	for (int i = 0; i < (int)(sizeof(modes) / sizeof(*modes)); i++)
		if (strcmp(modes[i], name) == 0)
			return i;
	return -1;
}

static signed char
storable(int cell)
{
	return (signed char)(cell < -1 || cell > 100 ? PB_CELL_UNKNOWN : cell);
}

struct pb_pixel_reader
pb_pixel_reader(const struct pb_pixel_opts *o, int channels)
{
	struct pb_pixel_reader r = {.o = *o, .channels = channels};

	for (int v = 0; v < 256; v++) {
		unsigned char s = (unsigned char)v;

		r.cell[v] = storable(pb_pixel_cell(o, &s, 1, &r.is_guarded[v]));
	}
	return r;
}

void
pb_pixel_row(struct pb_pixel_reader *r, const unsigned char *s, size_t n,
    signed char *cell)
{
	bool kept;

	for (size_t i = 0; i < n; i++, s += r->channels) {
		kept = r->is_guarded[*s];
		cell[i] =
		    r->channels > 1
			? storable(pb_pixel_cell(&r->o, s, r->channels, &kept))
			: r->cell[*s];
		r->guarded += kept;
		r->value[(unsigned char)cell[i]]++;
	}
}

struct pb_pixel_count
pb_pixel_counted(const struct pb_pixel_reader *r)
{
	struct pb_pixel_count count = {.guarded = r->guarded};

	for (int v = -1; v <= 100; v++) {
		size_t n = r->value[(unsigned char)v];

		count.free += pb_cell_free(v) ? n : 0;
		count.occupied += pb_cell_occupied(v) ? n : 0;
		count.unknown += pb_cell_unknown(v) ? n : 0;
	}
	return count;
}

enum pb_status
pb_pixel_map(const struct pb_pixel_opts *o, const struct pb_image *im,
    double resolution, struct pb_pose origin, struct pb_map *m,
    struct pb_pixel_count *count)
{
	struct pb_pixel_reader r = pb_pixel_reader(o, im->channels);
	enum pb_status st = pb_pixel_check(o);

	if (st == PB_OK)
		st = pb_map_init(m, im->width, im->height, resolution, origin);
	if (st != PB_OK)
		return st;
	for (int v = 0; v < im->height; v++)
		pb_pixel_row(&r, pb_image_at(im, 0, v), (size_t)im->width,
		    m->cell + pb_map_index(
				  m, (struct pb_cell){0, im->height - 1 - v}));
	if (count != NULL)
		*count = pb_pixel_counted(&r);
	return PB_OK;
}

size_t
pb_pixel_differ(const struct pb_image *im, const struct pb_pixel_opts *a,
    const struct pb_pixel_opts *b)
{
	const unsigned char *s = im->sample, *end = s + pb_image_bytes(im);
	size_t shade[256] = {0}, n = 0;

	for (; s < end; s += im->channels) {
		if (im->channels == 1)
			shade[*s]++;
		else
			n += pb_pixel_cell(a, s, im->channels, NULL) !=
			     pb_pixel_cell(b, s, im->channels, NULL);
	}
	/* Compare by gray: an image has far more pixels than grays. */
	for (int v = 0; v < 256; v++) {
		unsigned char gray = (unsigned char)v;

		n += pb_pixel_cell(a, &gray, 1, NULL) !=
		             pb_pixel_cell(b, &gray, 1, NULL)
		         ? shade[v]
		         : 0;
	}
	return n;
}

struct pb_pixel_opts
pb_pixel_fit(const struct pb_map *m)
{
	struct pb_pixel_opts o = pb_pixel_defaults();

	for (size_t i = 0; i < pb_map_cells(m); i++) {
		int v = m->cell[i];

		if (v != 0 && v != 100 && v != PB_CELL_UNKNOWN) {
			o.mode = PB_MODE_RAW;
			break;
		}
	}
	return o;
}

enum pb_status
pb_pixel_image(const struct pb_map *m, struct pb_image *im)
{
	unsigned char pixel[256];
	bool raw = pb_pixel_fit(m).mode == PB_MODE_RAW;
	enum pb_status st = pb_image_init(im, m->width, m->height, 1);

	if (st != PB_OK)
		return st;
	for (int v = 0; v < 256; v++)
		pixel[v] = raw ? (unsigned char)v : PB_PIXEL_UNKNOWN;
	if (!raw) {
		pixel[0] = 254;
		pixel[100] = 0;
	}
	for (int v = 0; v < m->height; v++) {
		unsigned char *s = pb_image_at(im, 0, v);
		const signed char *cell =
		    m->cell +
		    pb_map_index(m, (struct pb_cell){0, m->height - 1 - v});

		for (int u = 0; u < m->width; u++)
			s[u] = pixel[(unsigned char)cell[u]];
	}
	return PB_OK;
}
