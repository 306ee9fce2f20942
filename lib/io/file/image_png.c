/*
 * image_png.c - reading and writing PNG by libpng's low-level interface: the
 * simplified one applies gamma, which turns unknown 205 into free 231.
 */
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/imagefile.h"
#include "pb/map.h"

/*
 * libpng leaves by longjmp. All that lives across it is in a job, owned by a
 * function that does not call setjmp itself, so nothing is lost or stale.
 */
struct job {
	png_structp png;
	png_infop png_info;
	jmp_buf back;
	char text[128];                /* what libpng complained about */
	const unsigned char *at, *end; /* reading: what is left of the file */
	FILE *out;                     /* writing */
	struct pb_image im;
	png_bytep *row;
};

static void
on_error(png_structp png, png_const_charp text)
{
	struct job *j = png_get_error_ptr(png);

	snprintf(j->text, sizeof(j->text), "%s", text);
	longjmp(j->back, 1);
}

/* Odd ancillary chunks do not matter to a map. */
static void
on_warning(png_structp png, png_const_charp text)
{
	(void)png;
	(void)text;
}

static void
take_bytes(png_structp png, png_bytep to, size_t n)
{
	struct job *j = png_get_io_ptr(png);

	if ((size_t)(j->end - j->at) < n)
		png_error(png, "truncated: the file ends too early");
	memcpy(to, j->at, n);
	j->at += n;
}

static void
put_bytes(png_structp png, png_bytep from, size_t n)
{
	struct job *j = png_get_io_ptr(png);

	if (fwrite(from, 1, n, j->out) != n)
		png_error(png, "cannot write");
}

static void
flush_bytes(png_structp png)
{
	(void)png; /* whoever owns the stream flushes it */
}

/* sRGB and 1/2.2 are how everybody reads a plain 8-bit file anyway. */
static bool
asks_for_gamma(const struct job *j)
{
	double g;

	if (png_get_valid(j->png, j->png_info, PNG_INFO_iCCP))
		return true;
	return png_get_gAMA(j->png, j->png_info, &g) != 0 &&
	       fabs(g - 1 / 2.2) > 0.005;
}

/* 8-bit samples as stored: expand what is packed, correct nothing. */
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

	png_set_user_limits(j->png, PB_MAP_SIDE, PB_MAP_SIDE);
	png_set_read_fn(j->png, j, take_bytes);
	png_read_info(j->png, j->png_info);
	type = png_get_color_type(j->png, j->png_info);
	depth = png_get_bit_depth(j->png, j->png_info);
	j->im.palette = type == PNG_COLOR_TYPE_PALETTE;
	j->im.gamma = asks_for_gamma(j);
	j->im.maxval = j->im.palette ? 255 : (1 << depth) - 1;
	set_transforms(j, type, depth, indices);
	png_set_interlace_handling(j->png);
	png_read_update_info(j->png, j->png_info);
}

/* Memory for the image and pointers to its rows; false if there is none. */
static bool
make_room(struct job *j)
{
	struct pb_image im;
	int w = (int)png_get_image_width(j->png, j->png_info);
	int h = (int)png_get_image_height(j->png, j->png_info);

	if (pb_image_init(&im, w, h, png_get_channels(j->png, j->png_info)) !=
	    PB_OK)
		return false;
	im.maxval = j->im.maxval;
	im.palette = j->im.palette;
	im.gamma = j->im.gamma;
	j->im = im;
	return true;
}

static bool
point_rows(struct job *j)
{
	j->row = malloc((size_t)j->im.height * sizeof(*j->row));
	if (j->row == NULL)
		return false;
	for (int v = 0; v < j->im.height; v++)
		j->row[v] = pb_image_at(&j->im, 0, v);
	return true;
}

static int
read_all(struct job *j, bool indices)
{
	if (setjmp(j->back))
		return -1;
	read_start(j, indices);
	if (!make_room(j) || !point_rows(j))
		png_error(j->png, "out of memory");
	png_read_image(j->png, j->row);
	png_read_end(j->png, NULL);
	return 0;
}

/* Chance of what libpng cannot say itself: its structs did not fit. */
static bool
is_memory(const struct job *j)
{
	return j->png_info == NULL || strstr(j->text, "memory") != NULL;
}

static int
job_fault(const struct job *j, const char *name, struct pb_error *f)
{
	const char *text = j->png_info == NULL ? "out of memory" : j->text;

	pb_error_file(f, name, 0, NULL, "PNG: %s", text);
	if (f != NULL)
		f->kind = is_memory(j) ? PB_ERROR_MEMORY : PB_ERROR_REFUSED;
	return -1;
}

bool
pb_png_is(const void *p, size_t n)
{
	return n >= 8 && png_sig_cmp(p, 0, 8) == 0;
}

bool
pb_png_size(const void *p, size_t n, long *width, long *height)
{
	const unsigned char *s = p;

	if (n < 24 || !pb_png_is(p, n) || memcmp(s + 12, "IHDR", 4) != 0)
		return false;
	*width = (long)png_get_uint_32(s + 16);
	*height = (long)png_get_uint_32(s + 20);
	return true;
}

int
pb_png_decode(const void *p, size_t n, const char *name, bool indices,
    struct pb_image *im, struct pb_error *f)
{
	struct job j = {.at = p, .end = (const unsigned char *)p + n};
	int rc = -1;

	if (!pb_png_is(p, n))
		return pb_error_file(f, name, 0, NULL, "not a PNG image");
	j.png = png_create_read_struct(
	    PNG_LIBPNG_VER_STRING, &j, on_error, on_warning);
	if (j.png != NULL)
		j.png_info = png_create_info_struct(j.png);
	if (j.png_info != NULL)
		rc = read_all(&j, indices);
	if (rc != 0)
		job_fault(&j, name, f);
	png_destroy_read_struct(&j.png, &j.png_info, NULL);
	free(j.row);
	if (rc == 0)
		*im = j.im;
	else
		pb_image_clear(&j.im);
	return rc;
}

/* Map images are flat: unfiltered rows pack best, and fastest. */
static int
write_all(struct job *j)
{
	static const int type[] = {0, PNG_COLOR_TYPE_GRAY,
	    PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
	    PNG_COLOR_TYPE_RGB_ALPHA};

	if (setjmp(j->back))
		return -1;
	png_set_user_limits(j->png, PB_MAP_SIDE, PB_MAP_SIDE);
	png_set_write_fn(j->png, j, put_bytes, flush_bytes);
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
	int rc = -1;

	j.png = png_create_write_struct(
	    PNG_LIBPNG_VER_STRING, &j, on_error, on_warning);
	if (j.png != NULL)
		j.png_info = png_create_info_struct(j.png);
	if (j.png_info != NULL && point_rows(&j))
		rc = write_all(&j);
	else
		snprintf(j.text, sizeof(j.text), "out of memory");
	if (rc != 0) {
		job_fault(&j, name, f);
		if (f != NULL && f->kind != PB_ERROR_MEMORY)
			f->kind = PB_ERROR_SYSTEM;
	}
	png_destroy_write_struct(&j.png, &j.png_info);
	free(j.row);
	return rc;
}
