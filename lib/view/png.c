/* png.c - an RGB image as a PNG file. */
#include "view/canvas.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/file.h"

/* libpng must not print; the caller says what failed. */
static void
silent(png_structp png, png_const_charp text)
{
	(void)text;
	png_longjmp(png, 1);
}

static void
ignore(png_structp png, png_const_charp text)
{
	(void)png;
	(void)text;
}

/* Header and rows; jumps back to the caller of setjmp on an error. */
static void
write_all(png_structp png, png_infop info, const struct pb_canvas *c, FILE *out)
{
	png_init_io(png, out);
	png_set_IHDR(png, info, (png_uint_32)c->width, (png_uint_32)c->height,
	    8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
	    PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	/* Pictures of flat colours pack best without filters. */
	png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
	png_set_compression_level(png, 9);
	png_write_info(png, info);
	for (int y = 0; y < c->height; y++)
		png_write_row(png, c->px + 3 * (size_t)y * (size_t)c->width);
	png_write_end(png, NULL);
}

static bool
encode(const struct pb_canvas *c, FILE *out)
{
	png_structp png = png_create_write_struct(
	    PNG_LIBPNG_VER_STRING, NULL, silent, ignore);
	png_infop info = png != NULL ? png_create_info_struct(png) : NULL;

	errno = 0;
	if (info == NULL || setjmp(png_jmpbuf(png))) {
		png_destroy_write_struct(&png, &info);
		if (errno == 0)
			errno = ENOMEM;
		return false;
	}
	write_all(png, info, c, out);
	png_destroy_write_struct(&png, &info);
	return true;
}

int
pb_canvas_png(const struct pb_canvas *c, const char *path, struct pb_fault *f)
{
	struct pb_file w = {0};
	int r;

	if (strcmp(path, "-") == 0) {
		if (!encode(c, stdout) || fflush(stdout) == EOF)
			return pb_fault_sys(f, "<stdout>", "write");
		return 0;
	}
	if (pb_file_create(path, &w, f) != 0)
		return -1;
	if (!encode(c, w.out))
		r = pb_fault_sys(f, path, "write");
	else if ((r = pb_file_sync(&w, f)) == 0)
		r = pb_file_commit(&w, f);
	pb_file_abandon(&w);
	return r;
}
