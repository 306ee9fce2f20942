/* mapserver.c - the format of ROS's map_server: a YAML file and its image. */
#include "io/file/mapserver.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <png.h>
#include <yaml.h>

#include "io/rec/rec.h"
#include "io/stream/file.h"
#include "io/stream/text.h"
#include "pb/map.h"
#include "pb/param.h"

/* An image being read: first bytes in memory, then those of a file. */
struct input {
	const unsigned char *at, *end;
	FILE *in;     /* rest of the image, NULL: none */
	long line;    /* current line of a PGM */
	bool indices; /* use indices of a palette as gray */
	const struct pb_image_rows *to;
	const char *name;
	struct pb_error *f;
};

/* Read n bytes; false: the file ends before. */
static bool
read_bytes(struct input *s, void *to, size_t n)
{
	size_t here = (size_t)(s->end - s->at);

	here = here < n ? here : n;
	memcpy(to, s->at, here);
	s->at += here;
	n -= here;
	return n == 0 ||
	       (s->in != NULL && fread((char *)to + here, 1, n, s->in) == n);
}

/* --- PGM, and PPM with three samples a pixel --- */

static bool
is_space(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static int
refuse_pgm(struct input *s, const char *text)
{
	return pb_error_file(s->f, s->name, s->line, NULL, "%s", text);
}

/* Skip white space and comments, which run from # to the end of the line. */
static void
skip_blanks(struct input *s)
{
	for (; s->at < s->end; s->at++) {
		if (*s->at == '#')
			while (s->at + 1 < s->end && *s->at != '\n')
				s->at++;
		else if (!is_space(*s->at))
			return;
		s->line += *s->at == '\n';
	}
}

/* Read a number 0..limit into *v. */
static int
read_pgm_number(struct input *s, const char *what, long limit, long *v)
{
	const unsigned char *from;
	long n = 0;

	skip_blanks(s);
	from = s->at;
	for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
		n = n > limit ? n : 10 * n + (*s->at - '0');
	if (s->at == from)
		return pb_error_file(s->f, s->name, s->line, what,
		    s->at == s->end ? "truncated: the file ends before it"
				    : "expected a number");
	if (n > limit)
		return pb_error_file(
		    s->f, s->name, s->line, what, "greater than %ld", limit);
	*v = n;
	return 0;
}

struct header {
	bool raw;
	int channels;
	long width, height, maxval;
};

/* Number of samples of the image. */
static size_t
count_samples(const struct header *h)
{
	return (size_t)(h->width * h->height * h->channels);
}

/*
 * Skip the one white-space byte that ends the header. If a comment precedes it,
 * the byte is the comment's line end. Editors write "\r\n" instead: it counts
 * as one if the file is longer by exactly one byte; else '\n' is the first
 * pixel.
 */
static void
end_header(struct input *s, const struct header *h)
{
	size_t need = count_samples(h);

	if (s->at < s->end && *s->at == '#')
		while (s->at < s->end && *s->at != '\n')
			s->at++;
	if (h->maxval > 255)
		need *= 2;
	if (s->end - s->at > 1 && s->at[0] == '\r' && s->at[1] == '\n' &&
	    (size_t)(s->end - s->at) == need + 2)
		s->at++;
	if (s->at < s->end)
		s->at++;
}

static int
read_pgm_header(struct input *s, struct header *h)
{
	h->raw = s->at[1] >= '5';
	h->channels = s->at[1] == '3' || s->at[1] == '6' ? 3 : 1;
	s->at += 2;
	if (read_pgm_number(s, "width", PB_IMAGE_SIDE, &h->width) != 0 ||
	    read_pgm_number(s, "height", PB_IMAGE_SIDE, &h->height) != 0 ||
	    read_pgm_number(s, "maxval", 65535, &h->maxval) != 0)
		return -1;
	if (h->width < 1 || h->height < 1)
		return refuse_pgm(s, "the image has no pixels");
	if (h->maxval < 1)
		return refuse_pgm(s, "maxval: expected 1..65535, got 0");
	if (s->at < s->end && *s->at != '#' && !is_space(*s->at))
		return refuse_pgm(s, "expected white space after maxval");
	end_header(s, h);
	return 0;
}

/* Read the samples of row v; raw: room for its bytes. */
static int
read_pgm_row(struct input *s, const struct header *h, int v, unsigned char *raw,
    unsigned char *row)
{
	size_t n = (size_t)(h->width * h->channels), wide = h->maxval > 255;
	long x;

	if (h->raw && !read_bytes(s, raw, n << wide))
		return pb_error_file(s->f, s->name, 0, NULL,
		    "truncated: the file ends in row %d of %ld", v, h->height);
	for (size_t i = 0; i < n; i++) {
		if (h->raw)
			x = wide ? 256 * raw[2 * i] + raw[2 * i + 1] : raw[i];
		else if (read_pgm_number(s, "pixel", 65535, &x) != 0)
			return -1;
		if (x > h->maxval)
			return pb_error_file(s->f, s->name, 0, NULL,
			    "pixel (%zu, %d) is %ld, over the maximum of %ld",
			    i / (size_t)h->channels, v, x, h->maxval);
		/* Scale x of 0..maxval to the nearest of 0..255. */
		row[i] = h->maxval == 255
		             ? (unsigned char)x
		             : (unsigned char)((x * 255 + h->maxval / 2) /
					       h->maxval);
	}
	return 0;
}

/* Check that the file is long enough for its pixels, before allocating. */
static int
check_length(struct input *s, const struct header *h)
{
	size_t n = count_samples(h);
	size_t have = (size_t)(s->end - s->at);
	size_t bytes = h->maxval > 255 ? 2 : 1;

	if (h->raw && have < n * bytes)
		return pb_error_file(s->f, s->name, 0, NULL,
		    "truncated: %ld x %ld pixels need %zu bytes, %zu are there",
		    h->width, h->height, n * bytes, have);
	/* A pixel of a plain PGM takes two bytes; the last one may lack its
	 * blank. */
	if (!h->raw && have < 2 * n - 1)
		return refuse_pgm(
		    s, "truncated: more pixels than the file has");
	return 0;
}

static bool
read_pgm_size(const void *p, size_t n, long *width, long *height)
{
	const unsigned char *at = p;
	struct input s = {.at = at + 2, .end = at + n};

	return read_pgm_number(&s, NULL, PB_IMAGE_SIDE, width) == 0 &&
	       read_pgm_number(&s, NULL, PB_IMAGE_SIDE, height) == 0;
}

static int
read_pgm(struct input *s)
{
	struct header h = {0};
	struct pb_image im = {0};
	unsigned char *row;
	size_t n;
	int rc = 0;

	if (read_pgm_header(s, &h) != 0 ||
	    (s->in == NULL && check_length(s, &h) != 0))
		return -1;
	im.width = (int)h.width;
	im.height = (int)h.height;
	im.channels = h.channels;
	im.maxval = (int)h.maxval;
	if (h.raw && s->in == NULL)
		im.spare = (size_t)(s->end - s->at) -
		           (count_samples(&h) << (h.maxval > 255));
	if (!s->to->begin(s->to->user, &im, s->f))
		return -1;
	n = (size_t)(h.width * h.channels);
	row = pb_alloc(n, 3);
	for (int v = 0; v < im.height && rc == 0; v++)
		if ((rc = read_pgm_row(s, &h, v, row + n, row)) == 0)
			s->to->row(s->to->user, v, row);
	free(row);
	return rc;
}

int
pb_pgm_write(
    FILE *out, const char *name, const struct pb_image *im, struct pb_error *f)
{
	size_t n = pb_image_bytes(im);

	if (fprintf(out, "P5\n%d %d\n255\n", im->width, im->height) < 0 ||
	    fwrite(im->sample, 1, n, out) != n)
		return pb_error_write(f, name);
	return 0;
}

/* --- PNG --- */

/*
 * libpng reports errors by longjmp. All variables that live across it are in a
 * job, owned by a function that does not call setjmp, so none is lost or stale.
 */
struct job {
	png_structp png;
	png_infop png_info;
	jmp_buf back;
	char text[128];     /* error of libpng */
	struct input *from; /* reading */
	FILE *out;          /* writing */
	struct pb_image im;
	png_bytep *row;
};

static void
on_error(png_structp png, png_const_charp text)
{
	struct job *j = png_get_error_ptr(png);

	if (strstr(text, "memory") != NULL)
		pb_msg_end_memory();
	snprintf(j->text, sizeof(j->text), "%s", text);
	longjmp(j->back, 1);
}

/* Ignore warnings: wrong ancillary chunks do not affect a map. */
static void
on_warning(png_structp png, png_const_charp text)
{
	(void)png;
	(void)text;
}

static void
read_png_bytes(png_structp png, png_bytep to, size_t n)
{
	struct job *j = png_get_io_ptr(png);

	if (!read_bytes(j->from, to, n))
		png_error(png, "truncated: the file ends too early");
}

static void
write_png_bytes(png_structp png, png_bytep from, size_t n)
{
	struct job *j = png_get_io_ptr(png);

	if (fwrite(from, 1, n, j->out) != n)
		png_error(png, "cannot write");
}

static void
flush_bytes(png_structp png)
{
	(void)png; /* the stream's owner flushes it */
}

/* Whether the gamma is another than sRGB or 1/2.2, which all readers assume. */
static bool
has_gamma(const struct job *j)
{
	double g;

	if (png_get_valid(j->png, j->png_info, PNG_INFO_iCCP))
		return true;
	return png_get_gAMA(j->png, j->png_info, &g) != 0 &&
	       fabs(g - 1 / 2.2) > 0.005;
}

/* Unpack to 8-bit samples as stored, without corrections. */
static void
set_transforms(struct job *j, int type, int depth, bool indices)
{
	bool palette = type == PNG_COLOR_TYPE_PALETTE;

	if (depth == 16)
		png_set_scale_16(j->png);
	if (palette && indices) {
		png_set_packing(j->png);
		return;
	}
	if (palette)
		png_set_palette_to_rgb(j->png);
	if (type == PNG_COLOR_TYPE_GRAY && depth < 8)
		png_set_expand_gray_1_2_4_to_8(j->png);
	if (png_get_valid(j->png, j->png_info, PNG_INFO_tRNS))
		png_set_tRNS_to_alpha(j->png);
}

static void
read_start(struct job *j, bool indices)
{
	int type, depth;

	png_set_user_limits(j->png, PB_IMAGE_SIDE, PB_IMAGE_SIDE);
	png_set_read_fn(j->png, j, read_png_bytes);
	png_read_info(j->png, j->png_info);
	type = png_get_color_type(j->png, j->png_info);
	depth = png_get_bit_depth(j->png, j->png_info);
	set_transforms(j, type, depth, indices);
	png_set_interlace_handling(j->png);
	png_read_update_info(j->png, j->png_info);
	j->im.width = (int)png_get_image_width(j->png, j->png_info);
	j->im.height = (int)png_get_image_height(j->png, j->png_info);
	j->im.channels = png_get_channels(j->png, j->png_info);
	j->im.palette = type == PNG_COLOR_TYPE_PALETTE;
	j->im.gamma = has_gamma(j);
	j->im.maxval = j->im.palette ? 255 : (1 << depth) - 1;
}

static void
point_rows(struct job *j)
{
	j->row = pb_alloc((size_t)j->im.height, sizeof(*j->row));
	for (int v = 0; v < j->im.height; v++)
		j->row[v] = pb_image_at(&j->im, 0, v);
}

/* Returns -1 with j->text, or with the error set if begin() refused. */
static int
read_png_job(struct job *j)
{
	const struct pb_image_rows *to = j->from->to;
	struct pb_image *im = &j->im;
	bool whole;

	if (setjmp(j->back))
		return -1;
	read_start(j, j->from->indices);
	if (!to->begin(to->user, im, j->from->f))
		return -1;
	/* An interlaced image is complete only at its end. */
	whole =
	    png_get_interlace_type(j->png, j->png_info) != PNG_INTERLACE_NONE;
	im->sample = pb_alloc((size_t)im->width * (size_t)im->channels,
	    whole ? (size_t)im->height : 1);
	if (whole) {
		point_rows(j);
		png_read_image(j->png, j->row);
	}
	for (int v = 0; v < im->height; v++) {
		if (!whole)
			png_read_row(j->png, im->sample, NULL);
		to->row(to->user, v, whole ? j->row[v] : im->sample);
	}
	png_read_end(j->png, NULL);
	return 0;
}

/* Report the job's error, of that kind. */
static int
report_job(const struct job *j, enum pb_error_kind kind, const char *name,
    struct pb_error *f)
{
	pb_error_file(f, name, 0, NULL, "PNG: %s", j->text);
	if (f != NULL)
		f->kind = kind;
	return -1;
}

static bool
read_png_size(const void *p, size_t n, long *width, long *height)
{
	const unsigned char *s = p;

	if (n < 24 || memcmp(s + 12, "IHDR", 4) != 0)
		return false;
	*width = (long)png_get_uint_32(s + 16);
	*height = (long)png_get_uint_32(s + 20);
	return true;
}

static int
read_png(struct input *s)
{
	struct job j = {.from = s};
	int rc;

	j.png = png_create_read_struct(
	    PNG_LIBPNG_VER_STRING, &j, on_error, on_warning);
	if (j.png == NULL ||
	    (j.png_info = png_create_info_struct(j.png)) == NULL)
		pb_msg_end_memory();
	if ((rc = read_png_job(&j)) != 0 && j.text[0] != '\0')
		report_job(&j, PB_ERROR_REFUSED, s->name, s->f);
	png_destroy_read_struct(&j.png, &j.png_info, NULL);
	free(j.row);
	pb_image_clear(&j.im);
	return rc;
}

/* Unfiltered rows compress best and fastest, as maps have flat areas. */
static int
write_png_job(struct job *j)
{
	static const int type[] = {0, PNG_COLOR_TYPE_GRAY,
	    PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
	    PNG_COLOR_TYPE_RGB_ALPHA};

	if (setjmp(j->back))
		return -1;
	png_set_user_limits(j->png, PB_MAP_SIDE, PB_MAP_SIDE);
	png_set_write_fn(j->png, j, write_png_bytes, flush_bytes);
	png_set_IHDR(j->png, j->png_info, (png_uint_32)j->im.width,
	    (png_uint_32)j->im.height, 8, type[j->im.channels],
	    PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
	    PNG_FILTER_TYPE_DEFAULT);
	png_set_filter(j->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
	png_set_compression_level(j->png, 6);
	png_write_info(j->png, j->png_info);
	png_write_image(j->png, j->row);
	png_write_end(j->png, NULL);
	return 0;
}

int
pb_png_write(
    FILE *out, const char *name, const struct pb_image *im, struct pb_error *f)
{
	struct job j = {.out = out, .im = *im};
	int rc;

	j.png = png_create_write_struct(
	    PNG_LIBPNG_VER_STRING, &j, on_error, on_warning);
	if (j.png == NULL ||
	    (j.png_info = png_create_info_struct(j.png)) == NULL)
		pb_msg_end_memory();
	point_rows(&j);
	if ((rc = write_png_job(&j)) != 0)
		report_job(&j, PB_ERROR_SYSTEM, name, f);
	png_destroy_write_struct(&j.png, &j.png_info);
	free(j.row);
	return rc;
}

/* --- BMP, which map_server reads, too --- */

/* Bytes of Windows' headers of the file and of the image; newer headers of the
 * image begin with the same fields. */
enum { FILE_HEADER = 14, INFO_HEADER = 40, COLOURS = 256 };

struct bmp {
	const unsigned char *p;
	size_t n;
	long width, height;   /* (pixels) */
	bool top_down;        /* the first row is the top one */
	int bits;             /* per pixel: 8 or 24 */
	unsigned long pixels; /* their offset */
	int colours;          /* entries of the palette */
	bool gray;            /* entry i of the palette is the gray i */
	unsigned char palette[COLOURS][3]; /* red, green, blue */
};

static bool
read_bmp_size(const void *p, size_t n, long *width, long *height)
{
	const unsigned char *s = p;

	if (n < FILE_HEADER + INFO_HEADER)
		return false;
	*width = (int32_t)pb_le_get(s + 18, 4);
	*height = labs((long)(int32_t)pb_le_get(s + 22, 4));
	return true;
}

/* Read the palette. Returns what is wrong, NULL: nothing. */
static const char *
read_bmp_palette(struct bmp *b)
{
	size_t at = FILE_HEADER + b->p[14];
	unsigned long used = pb_le_get(b->p + 46, 4);

	b->colours = used > 0 && used < COLOURS ? (int)used : COLOURS;
	if (b->n < at || (b->n - at) / 4 < (size_t)b->colours)
		return "truncated: the file ends in the palette";
	b->gray = true;
	for (int i = 0; i < b->colours; i++, at += 4)
		for (int k = 0; k < 3; k++) {
			b->palette[i][k] = b->p[at + 2 - (size_t)k];
			b->gray &= b->palette[i][k] == i;
		}
	return NULL;
}

/* Read the header. Returns what is wrong, NULL: nothing. */
static const char *
read_bmp_header(struct bmp *b)
{
	if (!read_bmp_size(b->p, b->n, &b->width, &b->height))
		return "truncated: the file ends in its header";
	b->pixels = pb_le_get(b->p + 10, 4);
	b->bits = (int)pb_le_get(b->p + 28, 2);
	b->top_down = (int32_t)pb_le_get(b->p + 22, 4) < 0;
	if (pb_le_get(b->p + 30, 4) != 0 || (b->bits != 8 && b->bits != 24))
		return "expected 8 or 24 bits a pixel, not compressed: save it "
		       "so, or as PNG";
	if (b->width < 1 || b->height < 1)
		return "the image has no pixels";
	return b->bits == 8 ? read_bmp_palette(b) : NULL;
}

/* Convert a row of the file; false: a pixel has no colour in the palette. */
static bool
read_bmp_row(const struct bmp *b, const unsigned char *s, int channels,
    unsigned char *to)
{
	for (long x = 0; x < b->width; x++, to += channels) {
		if (b->bits == 24) {
			for (int k = 2; k >= 0; k--)
				to[k] = *s++;
			continue;
		}
		if (*s >= b->colours)
			return false;
		memcpy(
		    to, channels == 1 ? s : b->palette[*s], (size_t)channels);
		s++;
	}
	return true;
}

static int
read_bmp(struct input *s)
{
	struct bmp b = {.p = s->at, .n = (size_t)(s->end - s->at)};
	const char *why = read_bmp_header(&b);
	size_t used, stride, need;
	struct pb_image im = {.maxval = 255};
	unsigned char *row;
	bool whole = true;

	if (why != NULL)
		return pb_error_file(s->f, s->name, 0, NULL, "BMP: %s", why);
	used = (size_t)b.width * (size_t)b.bits / 8;
	stride = (used + 3) / 4 * 4;
	need = stride * (size_t)(b.height - 1) + used;
	if (b.pixels > b.n || b.n - b.pixels < need)
		return pb_error_file(s->f, s->name, 0, NULL,
		    "BMP: truncated: %ld x %ld pixels need %zu bytes from "
		    "%lu on, the file has %zu",
		    b.width, b.height, need, b.pixels, b.n);
	im.width = (int)b.width;
	im.height = (int)b.height;
	im.channels = b.bits == 8 && (s->indices || b.gray) ? 1 : 3;
	im.palette = b.bits == 8 && !b.gray;
	if (!s->to->begin(s->to->user, &im, s->f))
		return -1;
	row = pb_alloc((size_t)b.width, 3);
	for (long v = 0; v < b.height && whole; v++) {
		long from = b.top_down ? v : b.height - 1 - v;

		whole = read_bmp_row(&b, b.p + b.pixels + stride * (size_t)from,
		    im.channels, row);
		s->to->row(s->to->user, (int)v, row);
	}
	free(row);
	return whole ? 0
	             : pb_error_file(s->f, s->name, 0, NULL,
			   "BMP: a pixel has no colour in the palette");
}

/* --- formats, detected by their first bytes --- */

static const struct format {
	/* Read the size from the header (pixels); false: incomplete. */
	bool (*size)(const void *p, size_t n, long *width, long *height);
	int (*read)(struct input *s);
} formats[PB_FILE_KINDS] = {
    [PB_FILE_PNG] = {read_png_size, read_png},
    [PB_FILE_BMP] = {read_bmp_size, read_bmp},
    [PB_FILE_PNM] = {read_pgm_size, read_pgm},
};

bool
pb_image_is(const char *p, size_t n)
{
	return PB_FILES(pb_filekind_of(p, n)) &
	       (PB_FILES_IMAGES | PB_FILES(PB_FILE_FOREIGN_IMAGE));
}

/* Whether an image is too large for a map; text: why. */
static bool
is_too_large(long width, long height, char text[128])
{
	if (pb_cells_over(width, height, text))
		return true;
	if (width <= PB_MAP_SIDE && height <= PB_MAP_SIDE)
		return false;
	snprintf(text, 128, "%ld x %ld pixels; a side has at most %d", width,
	    height, PB_MAP_SIDE);
	return true;
}

/* Least factor by which the image must be coarsened to fit a map. */
static int
find_factor(long width, long height)
{
	char text[128];
	int k = 2;

	while (is_too_large((width + k - 1) / k, (height + k - 1) / k, text))
		k++;
	return k;
}

/* Whether an image with that head can be read row by row. */
static bool
can_read_by_rows(const char *head, size_t n)
{
	enum pb_filekind kind = pb_filekind_of(head, n);

	/* Byte 28 of a PNG: whether it is interlaced. */
	return (kind == PB_FILE_PNM && head[1] >= '5') ||
	       (kind == PB_FILE_PNG && n > 28 && head[28] == 0);
}

int
pb_image_check(const char *head, size_t n, const char *name, struct pb_error *f)
{
	enum pb_filekind kind = pb_filekind_of(head, n);
	struct pb_error bad;
	long width, height;
	char text[128];

	if (!pb_filekind_check(PB_FILES_IMAGES, head, n, &bad))
		return pb_error_file(f, name, 0, NULL, "%s", bad.text);
	if (formats[kind].read == NULL)
		return pb_error_file(f, name, 0, NULL, "%s",
		    n == 0 ? "empty file"
			   : "neither a PGM, a PPM, a PNG nor a BMP image");
	if (formats[kind].size(head, n, &width, &height) &&
	    is_too_large(width, height, text))
		return pb_error_file(f, name, 0, NULL,
		    "%s; pb-mapgen --coarsen %d reads it%s", text,
		    find_factor(width, height),
		    can_read_by_rows(head, n) ? "" : " as a raw PGM");
	return 0;
}

/* Read the rows of an image: n bytes in memory, the rest in `in`. */
static int
read_rows(const char *bytes, size_t n, FILE *in, const char *name, bool indices,
    const struct pb_image_rows *to, struct pb_error *f)
{
	const unsigned char *at = (const unsigned char *)bytes;
	struct input s = {at, at + n, in, 1, indices, to, name, f};

	if (in == NULL && pb_image_check(bytes, n, name, f) != 0)
		return -1;
	return formats[pb_filekind_of(bytes, n)].read(&s);
}

int
pb_image_rows_of(const char *bytes, size_t n, const char *name, bool indices,
    const struct pb_image_rows *to, struct pb_error *f)
{
	return read_rows(bytes, n, NULL, name, indices, to, f);
}

struct pb_file_limit
pb_image_limit(void)
{
	/* The longest format: a plain PGM has up to 5 digits and a blank a
	 * pixel. */
	return (struct pb_file_limit){6 * (size_t)pb_max_cells + PB_FILE_HEAD,
	    "the limit by --max-cells"};
}

static int
check_head(void *user, const char *name, const char *head, size_t n,
    struct pb_file_limit *most, struct pb_error *f)
{
	(void)user;
	(void)most;
	return pb_image_check(head, n, name, f);
}

/* Load an image into memory, and read its rows. */
static int
walk_whole(const char *path, bool indices, const struct pb_image_rows *to,
    struct pb_error *f)
{
	const struct pb_file_look any = {
	    .most = pb_image_limit(), .at = check_head};
	char *bytes;
	size_t n;
	int rc;

	if (pb_file_read(path, &any, &bytes, &n, f) != 0)
		return -1;
	rc = read_rows(bytes, n, NULL, path, indices, to, f);
	free(bytes);
	return rc;
}

int
pb_image_walk(const char *path, bool indices, const struct pb_image_rows *to,
    struct pb_error *f)
{
	char *head;
	FILE *in;
	size_t n;
	int rc = -1;

	if (!to->large)
		return walk_whole(path, indices, to, f);
	if (pb_file_head(path, &head, &n, f) != 0)
		return -1;
	if (!can_read_by_rows(head, n))
		rc = walk_whole(path, indices, to, f);
	else if ((in = fopen(path, "rb")) == NULL)
		pb_error_errno(f, path, "cannot open");
	else {
		fseek(in, (long)n, SEEK_SET);
		rc = read_rows(head, n, in, path, indices, to, f);
		fclose(in);
	}
	free(head);
	return rc;
}

/* --- images in memory --- */

static bool
begin_image(void *user, const struct pb_image *im, struct pb_error *f)
{
	struct pb_image *to = user;

	(void)f;
	*to = *im;
	to->sample = pb_alloc(pb_image_bytes(im), 1);
	return true;
}

static void
add_row(void *user, int v, const unsigned char *sample)
{
	const struct pb_image *to = user;

	memcpy(pb_image_at(to, 0, v), sample,
	    (size_t)to->width * (size_t)to->channels);
}

/* Move the image to *im if rc says it is complete. */
static int
end_image(int rc, struct pb_image *got, struct pb_image *im)
{
	if (rc == 0)
		*im = *got;
	else
		pb_image_clear(got);
	return rc;
}

int
pb_image_decode(const char *bytes, size_t n, const char *name, bool indices,
    struct pb_image *im, struct pb_error *f)
{
	struct pb_image got = {0};
	const struct pb_image_rows to = {begin_image, add_row, &got, false};

	return end_image(
	    pb_image_rows_of(bytes, n, name, indices, &to, f), &got, im);
}

int
pb_image_read(
    const char *path, bool indices, struct pb_image *im, struct pb_error *f)
{
	struct pb_image got = {0};
	const struct pb_image_rows to = {begin_image, add_row, &got, false};

	return end_image(pb_image_walk(path, indices, &to, f), &got, im);
}

/* --- the YAML --- */

/* The keys, and what their values must be. */
static const struct {
	const char *name, *expected;
} keys[PB_MAPKEYS] = {
    [PB_MAPKEY_IMAGE] = {"image", "a file name"},
    /* The bounds of the record. */
    [PB_MAPKEY_RESOLUTION] = {"resolution",
	"a number from 1e-06 to 1000000 (m per pixel)"},
    [PB_MAPKEY_ORIGIN] = {"origin", "a list [x, y, yaw]"},
    [PB_MAPKEY_NEGATE] = {"negate", "0, 1, true or false"},
    [PB_MAPKEY_OCCUPIED] = {"occupied_thresh", "a number in 0..1"},
    [PB_MAPKEY_FREE] = {"free_thresh", "a number in 0..1"},
    [PB_MAPKEY_MODE] = {"mode", "trinary, scale or raw"},
    [PB_MAPKEY_DEFORMATION] = {"deformation", "a number of at least 0 (m)"},
};

/* Context of parsing, for messages and results. */
struct ctx {
	yaml_document_t *doc;
	const char *name; /* of the file */
	struct pb_mapyaml *y;
	struct pb_error *f;
};

static long
find_line(const yaml_node_t *n)
{
	return (long)n->start_mark.line + 1;
}

static int
refuse_node(struct ctx *c, const yaml_node_t *n, const char *field,
    const char *expected)
{
	bool scalar = n->type == YAML_SCALAR_NODE;

	return pb_error_file(c->f, c->name, find_line(n), field,
	    "expected %s, got %s%.60s%s", expected,
	    scalar                          ? "\""
	    : n->type == YAML_SEQUENCE_NODE ? "a list"
					    : "a mapping",
	    scalar ? (const char *)n->data.scalar.value : "",
	    scalar ? "\"" : "");
}

/* The text of a scalar without zero bytes, NULL: another node. */
static const char *
find_text(const yaml_node_t *n)
{
	const char *s;

	if (n->type != YAML_SCALAR_NODE)
		return NULL;
	s = (const char *)n->data.scalar.value;
	return strlen(s) == n->data.scalar.length ? s : NULL;
}

/* YAML and C write numbers alike, except for a plus sign and a bare point. */
static bool
read_number(const char *s, double lo, double hi, double *v)
{
	return s != NULL && pb_num_parse(s[0] == '+' ? s + 1 : s, v) &&
	       *v >= lo && *v <= hi;
}

/* map_saver writes 0 and 1; people also write bools of YAML 1.1. */
static bool
read_bool(const char *s, bool *v)
{
	static const char words[] = "0|1|false|true|no|yes|off|on|n|y";
	char low[8] = "";
	int word;

	for (int i = 0; i < 7 && s[i] != '\0'; i++)
		low[i] = (char)tolower((unsigned char)s[i]);
	word = pb_word_find(words, low, strlen(low));
	*v = word % 2 == 1;
	return word >= 0;
}

/* Read the value of a key other than origin; false: invalid. */
static bool
read_scalar(struct pb_mapyaml *y, enum pb_mapkey key, const char *s)
{
	struct pb_pixel_opts *px = &y->px;

	if (s == NULL)
		return false;
	switch (key) {
	case PB_MAPKEY_IMAGE:
		y->image = s[0] != '\0' ? pb_copy(s) : NULL;
		return y->image != NULL;
	case PB_MAPKEY_RESOLUTION:
		return read_number(s, 1e-6, 1e6, &y->resolution);
	case PB_MAPKEY_NEGATE:
		return read_bool(s, &px->negate);
	case PB_MAPKEY_OCCUPIED:
		return read_number(s, 0, 1, &px->occupied_thresh);
	case PB_MAPKEY_FREE:
		return read_number(s, 0, 1, &px->free_thresh);
	case PB_MAPKEY_DEFORMATION:
		return read_number(s, 0, INFINITY, &y->deformation);
	default:
		if (pb_mode_find(s) < 0)
			return false;
		px->mode = (enum pb_map_mode)pb_mode_find(s);
		return true;
	}
}

static int
read_origin(struct ctx *c, const yaml_node_t *n)
{
	static const char *const field[] = {
	    "origin[0]", "origin[1]", "origin[2]"};
	yaml_node_item_t *item = n->data.sequence.items.start;
	ptrdiff_t have = n->data.sequence.items.top - item;
	double v[3];

	if (have != 3)
		return pb_error_file(c->f, c->name, find_line(n), "origin",
		    "expected three numbers [x, y, yaw], got %td", have);
	for (int i = 0; i < 3; i++) {
		yaml_node_t *e = yaml_document_get_node(c->doc, item[i]);

		if (!read_number(find_text(e), -INFINITY, INFINITY, &v[i]))
			return refuse_node(c, e, field[i], "a finite number");
	}
	c->y->origin = (struct pb_pose){v[0], v[1], pb_wrap(v[2])};
	return 0;
}

static int
read_pair(struct ctx *c, const yaml_node_pair_t *pair)
{
	yaml_node_t *k = yaml_document_get_node(c->doc, pair->key);
	yaml_node_t *n = yaml_document_get_node(c->doc, pair->value);
	const char *s = find_text(k);
	int i = 0;

	while (s != NULL && i < PB_MAPKEYS && strcmp(s, keys[i].name) != 0)
		i++;
	if (s == NULL || i == PB_MAPKEYS)
		return 0; /* a key of another program */
	if (c->y->line[i] != 0)
		return pb_error_file(c->f, c->name, find_line(k), s,
		    "given twice, first in line %ld", c->y->line[i]);
	c->y->line[i] = find_line(n);
	if (i == PB_MAPKEY_ORIGIN && n->type == YAML_SEQUENCE_NODE)
		return read_origin(c, n);
	if (i == PB_MAPKEY_ORIGIN ||
	    !read_scalar(c->y, (enum pb_mapkey)i, find_text(n)))
		return refuse_node(c, n, s, keys[i].expected);
	return 0;
}

int
pb_mapyaml_check_origin(const struct pb_mapyaml *y, double resolution,
    const char *name, struct pb_error *f)
{
	const double v[] = {y->origin.x, y->origin.y};
	const char *const field[] = {"origin[0]", "origin[1]"};

	for (int i = 0; i < 2; i++)
		if (fabs(v[i]) > PB_MAP_FAR * resolution)
			return pb_error_file(f, name, y->line[PB_MAPKEY_ORIGIN],
			    field[i],
			    "expected at most %g cells of %g m from 0, got %g",
			    PB_MAP_FAR, resolution, v[i]);
	return 0;
}

int
pb_mapyaml_order_fault(
    const struct pb_mapyaml *y, const char *name, struct pb_error *f)
{
	long line = y->line[PB_MAPKEY_FREE];

	return pb_error_file(f, name,
	    line != 0 ? line : y->line[PB_MAPKEY_OCCUPIED], "free_thresh",
	    "%g is not below occupied_thresh, which is %g", y->px.free_thresh,
	    y->px.occupied_thresh);
}

static int
read_root(struct ctx *c)
{
	yaml_node_t *root = yaml_document_get_root_node(c->doc);

	if (root == NULL)
		return pb_error_file(c->f, c->name, 0, NULL, "empty file");
	if (root->type != YAML_MAPPING_NODE)
		return pb_error_file(c->f, c->name, find_line(root), NULL,
		    "expected \"key: value\" lines of a map's YAML");
	for (yaml_node_pair_t *p = root->data.mapping.pairs.start;
	     p < root->data.mapping.pairs.top; p++)
		if (read_pair(c, p) != 0)
			return -1;
	for (int i = 0; i <= PB_MAPKEY_ORIGIN; i++)
		if (c->y->line[i] == 0)
			return pb_error_file(c->f, c->name, 0, keys[i].name,
			    "missing from the map's YAML");
	return 0;
}

struct pb_mapyaml
pb_mapyaml_defaults(void)
{
	return (struct pb_mapyaml){.px = pb_pixel_defaults()};
}

#define NESTED 1000 /* most open brackets, and anchors */

/*
 * Line at which the number of brackets or anchors exceeds NESTED, 0: none.
 * Those in strings count, too. libyaml scans all open brackets and anchors for
 * every token: a file of nothing else would take minutes.
 */
static long
find_excess(const char *s, size_t n, const char **what)
{
	long line = 1;
	int depth = 0, anchors = 0;

	for (size_t i = 0; i < n; i++) {
		line += s[i] == '\n';
		anchors += s[i] == '&';
		if (s[i] == '[' || s[i] == '{')
			depth++;
		else if ((s[i] == ']' || s[i] == '}') && depth > 0)
			depth--;
		*what = depth > NESTED ? "brackets are open" : "anchors";
		if (depth > NESTED || anchors > NESTED)
			return line;
	}
	return 0;
}

static int
load_yaml(yaml_document_t *doc, const char *s, size_t n, const char *name,
    struct pb_error *f)
{
	yaml_parser_t y;
	const char *what;
	long line = find_excess(s, n, &what);
	int rc = 0;

	if (line > 0)
		return pb_error_file(
		    f, name, line, NULL, "YAML: more than %d %s", NESTED, what);
	if (yaml_parser_initialize(&y) == 0)
		pb_msg_end_memory();
	yaml_parser_set_input_string(&y, (const unsigned char *)s, n);
	if (!yaml_parser_load(&y, doc)) {
		/* Out of memory, libyaml may not set a message. */
		if (y.error == YAML_MEMORY_ERROR || y.problem == NULL)
			pb_msg_end_memory();
		rc = pb_error_file(f, name, (long)y.problem_mark.line + 1, NULL,
		    "YAML: %s", y.problem);
	}
	yaml_parser_delete(&y);
	return rc;
}

int
pb_mapyaml_parse(const char *p, size_t n, const char *name,
    struct pb_mapyaml *y, struct pb_error *f)
{
	struct ctx c = {.name = name, .y = y, .f = f};
	yaml_document_t doc;
	int rc = load_yaml(&doc, p, n, name, f);

	*y = pb_mapyaml_defaults();
	if (rc != 0)
		return rc;
	c.doc = &doc;
	rc = read_root(&c);
	yaml_document_delete(&doc);
	if (rc != 0)
		pb_mapyaml_clear(y);
	return rc;
}

void
pb_mapyaml_clear(struct pb_mapyaml *y)
{
	free(y->image);
	*y = (struct pb_mapyaml){0};
}

/* The file name in a path, and its length without suffix. */
static const char *
find_stem(const char *path, size_t *n)
{
	const char *slash = strrchr(path, '/'), *dot;
	const char *name = slash != NULL ? slash + 1 : path;

	dot = strrchr(name, '.');
	*n = dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);
	return name;
}

/* Whether file has that stem, ignoring case, and the suffix of an image. */
static bool
is_image_of(const char *file, const char *stem, size_t n)
{
	static const char suffixes[] = ".pgm|.png|.bmp|.ppm";
	char low[5] = "";

	if (strncasecmp(file, stem, n) != 0 || strlen(file + n) != 4)
		return false;
	for (int i = 0; i < 4; i++)
		low[i] = (char)tolower((unsigned char)file[n + (size_t)i]);
	return pb_word_find(suffixes, low, 4) >= 0;
}

/* How well a file beside the YAML matches its image; 0: not. */
static int
rate_image(const char *file, const char *image, const char *yaml_path)
{
	size_t n, m;
	const char *stem = find_stem(image, &n),
		   *own = find_stem(yaml_path, &m);

	if (strcmp(file, stem) == 0)
		return 4;
	if (strcasecmp(file, stem) == 0)
		return 3;
	return is_image_of(file, stem, n) ? 2 : is_image_of(file, own, m);
}

/* The path of the best match, from malloc, or NULL. */
static char *
find_best_image(const char *image, const char *yaml_path, int folder)
{
	char *name = pb_file_name("%.*s.", folder, yaml_path), *best = NULL;
	DIR *dir = opendir(name);
	struct dirent *e;
	int most = 0;

	free(name);
	while (dir != NULL && (e = readdir(dir)) != NULL) {
		int fit = rate_image(e->d_name, image, yaml_path);

		/* Of equal matches take the first by name. */
		if (fit == 0 || fit < most ||
		    (fit == most && strcmp(e->d_name, best + folder) > 0))
			continue;
		free(best);
		best = pb_file_name("%.*s%s", folder, yaml_path, e->d_name);
		most = fit;
	}
	if (dir != NULL)
		closedir(dir);
	return best;
}

char *
pb_mapyaml_image_path(
    const struct pb_mapyaml *y, const char *yaml_path, char *instead)
{
	const char *slash = strrchr(yaml_path, '/');
	int folder = slash != NULL ? (int)(slash - yaml_path) + 1 : 0;
	bool nowhere = strncmp(yaml_path, "/dev/", 5) == 0;
	char *path, *beside;

	instead[0] = '\0';
	path = pb_file_name("%.*s%s",
	    y->image[0] == '/' || nowhere ? 0 : folder, yaml_path, y->image);
	if (nowhere || access(path, F_OK) == 0 ||
	    (beside = find_best_image(y->image, yaml_path, folder)) == NULL)
		return path;
	snprintf(instead, PB_MAPYAML_INSTEAD,
	    "there is no file %.110s; %.80s is beside the YAML and is used",
	    path, beside + folder);
	free(path);
	return beside;
}

/* Write a name as a plain scalar if safe, else in double quotes. */
static void
write_name(FILE *out, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_/.-";

	if (s[0] != '-' && s[strspn(s, plain)] == '\0') {
		fputs(s, out);
		return;
	}
	putc('"', out);
	for (size_t n; *s != '\0'; s += n) {
		bool hidden =
		    pb_utf8_shown(s, strlen(s), &n) == '?' && *s != '?';

		if (hidden)
			fprintf(out, "\\U%08x", (unsigned)pb_utf8_code(s, n));
		else
			fprintf(out, "%s%.*s",
			    *s == '"' || *s == '\\' ? "\\" : "", (int)n, s);
	}
	putc('"', out);
}

void
pb_mapyaml_write(FILE *out, const struct pb_mapyaml *y)
{
	char a[PB_NUM_MAX], b[PB_NUM_MAX], c[PB_NUM_MAX];

	fputs("image: ", out);
	write_name(out, y->image);
	pb_num_exact(a, y->resolution);
	fprintf(
	    out, "\nmode: %s\nresolution: %s\n", pb_mode_name(y->px.mode), a);
	pb_num_exact(a, y->origin.x);
	pb_num_exact(b, y->origin.y);
	pb_num_exact(c, y->origin.th);
	fprintf(
	    out, "origin: [%s, %s, %s]\nnegate: %d\n", a, b, c, y->px.negate);
	pb_num_exact(a, y->px.occupied_thresh);
	pb_num_exact(b, y->px.free_thresh);
	fprintf(out, "occupied_thresh: %s\nfree_thresh: %s\n", a, b);
	if (y->deformation > 0) {
		pb_num_round(a, y->deformation);
		fprintf(out, "deformation: %s\n", a);
	}
}
