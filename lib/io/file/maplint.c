/* maplint.c - look for problems of map files. */
#include "io/file/mapfile.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/msg.h"
#include "io/stream/text.h"

/* A text with this prefix does not count as a problem. */
#define NOTE "note: "

struct lint {
	const char *path;
	pb_lint_sink *sink;
	void *arg;
	int found;
	struct pb_mapyaml y;
	struct pb_image im;
	const char *image_path;
	char *owned; /* image_path, unless it is path */
};

PB_PRINTF(5, 6)
static void
report_finding(struct lint *l, const char *file, long line, const char *code,
    const char *format, ...)
{
	char text[320];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	l->sink(l->arg, file, line, code, text);
	l->found += strncmp(text, NOTE, sizeof(NOTE) - 1) != 0;
}

/* Report a refused file as a problem; its code is the field at fault. */
static void
report_fault(struct lint *l, const struct pb_error *f, const char *fallback)
{
	char code[80];
	size_t n = strcspn(f->field, "[");

	if (n == 0)
		snprintf(code, sizeof(code), "%s", fallback);
	else
		snprintf(code, sizeof(code), "bad-%.*s", (int)n, f->field);
	report_finding(l, f->file, f->line, code, "%s%s%s", f->field,
	    f->field[0] != '\0' ? ": " : "", f->text);
}

static double
to_percent(size_t n, const struct pb_image *im)
{
	return 100.0 * (double)n / (double)pb_image_pixels(im);
}

/* Keys without which ROS 1 and Nav2 refuse the file, and their defaults. */
static void
lint_missing_keys(struct lint *l)
{
	const struct pb_mapyaml *y = &l->y;

	if (y->line[PB_MAPKEY_MODE] == 0)
		report_finding(l, l->path, 0, "no-mode",
		    NOTE "mode is not given; loaders take trinary");
	if (y->line[PB_MAPKEY_NEGATE] == 0)
		report_finding(l, l->path, 0, "no-negate",
		    "negate is not given; map_server refuses the file");
	if (y->line[PB_MAPKEY_OCCUPIED] == 0 || y->line[PB_MAPKEY_FREE] == 0)
		report_finding(l, l->path, 0, "no-thresholds",
		    "%s is not given; map_server refuses the file",
		    y->line[PB_MAPKEY_OCCUPIED] == 0 ? "occupied_thresh"
						     : "free_thresh");
}

/* Resolutions are usually multiples of 5 mm; 0.089 was 0.0889 before it was
 * rounded. */
static void
lint_resolution(struct lint *l)
{
	double r = l->y.resolution, fives = r / 0.005;
	char text[PB_NUM_MAX];
	const char *point;

	pb_num_exact(text, r);
	point = strchr(text, '.');
	if (r >= 0.01 && point != NULL && strlen(point) == 4 &&
	    fabs(fives - nearbyint(fives)) > 1e-9)
		report_finding(l, l->path, l->y.line[PB_MAPKEY_RESOLUTION],
		    "rounded-resolution",
		    "%s looks rounded to three decimals; over 1000 cells that "
		    "is up to 0.5 m",
		    text);
}

static void
lint_yaml(struct lint *l)
{
	struct pb_error f;

	lint_missing_keys(l);
	lint_resolution(l);
	if (l->y.origin.th != 0)
		report_finding(l, l->path, l->y.line[PB_MAPKEY_ORIGIN], "yaw",
		    "the origin is turned by %g rad; most programs ignore that: "
		    "pb-mapgen --straighten",
		    l->y.origin.th);
	if (pb_mapyaml_check_origin(&l->y, l->y.resolution, l->path, &f) != 0)
		report_fault(l, &f, "bad-origin");
	if (l->y.image[0] == '/')
		report_finding(l, l->path, l->y.line[PB_MAPKEY_IMAGE],
		    "absolute-image",
		    "the image has an absolute path; the map cannot be moved");
	if (pb_pixel_check(&l->y.px) != PB_OK) {
		pb_mapyaml_order_fault(&l->y, l->path, &f);
		report_finding(l, l->path, f.line, "bad-thresholds",
		    "free_thresh: %s", f.text);
	}
}

/* Properties of the image that loaders interpret differently. */
static void
lint_shades(struct lint *l)
{
	const struct pb_image *im = &l->im;
	size_t coloured = pb_image_coloured(im);
	size_t translucent = pb_image_translucent(im);

	if (coloured > 0)
		report_finding(l, l->image_path, 0, "colour",
		    "%zu pixels (%.1f %%) are coloured; loaders take the mean "
		    "or the luma",
		    coloured, to_percent(coloured, im));
	if (translucent > 0)
		report_finding(l, l->image_path, 0, "alpha",
		    "%zu pixels (%.1f %%) are transparent; loaders ignore "
		    "alpha, average it or take it for unknown",
		    translucent, to_percent(translucent, im));
	if (im->palette)
		report_finding(l, l->image_path, 0, "palette",
		    "the image has a palette; ROS 1 reads its indices as gray");
	if (im->gamma)
		report_finding(l, l->image_path, 0, "gamma",
		    "the image asks for a gamma correction, which would turn "
		    "unknown gray to free");
	if (!im->palette && im->maxval != 255)
		report_finding(l, l->image_path, 0, "depth",
		    "white is %d, not 255; some loaders do not scale it",
		    im->maxval);
	if (im->spare > 0)
		report_finding(l, l->image_path, 0, "size-mismatch",
		    "%zu bytes follow the last pixel; %d x %d may be wrong",
		    im->spare, im->width, im->height);
}

/* Most that JPEG and scaling shift the gray of unknown cells. */
#define SMEAR 10

/* Count the pixels of each gray; colours by their mean. */
static void
count_shades(const struct pb_image *im, size_t n[256])
{
	int colours = im->channels < 3 ? 1 : 3;

	for (size_t i = 0; i < pb_image_pixels(im); i++) {
		const unsigned char *s = im->sample + i * (size_t)im->channels;

		n[colours == 1 ? s[0] : (s[0] + s[1] + s[2]) / 3]++;
	}
}

/*
 * Count pixels with the gray of unknown that the thresholds make free, and
 * pixels of near grays, a sign of JPEG or scaling: in a drawing, at most 1 %
 * have such a gray.
 */
static void
lint_unknown(struct lint *l)
{
	const struct pb_pixel_opts *px = &l->y.px;
	int unknown = pb_pixel_unknown(px), lo = 255, hi = 0;
	size_t shade[256] = {0}, near = 0, near_free = 0;

	if (px->mode != PB_MODE_TRINARY)
		return;
	count_shades(&l->im, shade);
	for (int v = unknown - SMEAR; v <= unknown + SMEAR; v++) {
		unsigned char s = (unsigned char)v;
		bool kept;
		int cell = pb_pixel_cell(px, &s, 1, &kept);

		if (v == unknown && kept && shade[v] > 0)
			report_finding(l, l->path, l->y.line[PB_MAPKEY_FREE],
			    "unknown-is-free",
			    "free_thresh %g makes gray %d, the savers' "
			    "unknown, free: %zu cells (%.1f %%)",
			    px->free_thresh, v, shade[v],
			    to_percent(shade[v], &l->im));
		if (v == unknown || shade[v] == 0)
			continue;
		near += shade[v];
		near_free += pb_cell_free(cell) ? shade[v] : 0;
		lo = v < lo ? v : lo;
		hi = v;
	}
	if (near * 100 > pb_image_pixels(&l->im))
		report_finding(l, l->image_path, 0, "smeared-unknown",
		    "%zu pixels (%.1f %%) are of grays %d to %d about the "
		    "unknown %d, %zu of them free: was it a JPEG, or scaled?",
		    near, to_percent(near, &l->im), lo, hi, unknown, near_free);
}

/* Report the two loaders, except ours, that differ in most cells. */
static void
lint_dialects(struct lint *l)
{
	struct pb_pixel_opts a = l->y.px, b = l->y.px;
	const char *name[2] = {NULL};
	size_t worst = 0, n;

	for (int i = PB_DIALECT_ROS1; i < PB_DIALECTS; i++)
		for (int j = i + 1; j < PB_DIALECTS; j++) {
			a.dialect = (enum pb_dialect)i;
			b.dialect = (enum pb_dialect)j;
			n = pb_pixel_differ(&l->im, &a, &b);
			if (n <= worst)
				continue;
			worst = n;
			name[0] = pb_dialect_name(a.dialect);
			name[1] = pb_dialect_name(b.dialect);
		}
	if (worst > 0)
		report_finding(l, l->path, 0, "dialects",
		    "%s and %s read %zu cells (%.1f %%) differently", name[0],
		    name[1], worst, to_percent(worst, &l->im));
}

/* No cell is free: suggest to make the most frequent gray free. */
static void
lint_no_free(struct lint *l)
{
	size_t shade[256] = {0};
	int most = 0;

	count_shades(&l->im, shade);
	for (int v = 1; v < 256; v++)
		most = shade[v] > shade[most] ? v : most;
	if (l->y.px.mode == PB_MODE_TRINARY && most > 0)
		report_finding(l, l->path, 0, "no-free",
		    "the map has no free cell; %.1f %% are gray %d: "
		    "--free-above %d makes them free",
		    to_percent(shade[most], &l->im), most, most - 1);
	else
		report_finding(
		    l, l->path, 0, "no-free", "the map has no free cell");
}

static void
lint_cells(struct lint *l)
{
	struct pb_pixel_count n = {0};
	struct pb_map m;

	if (pb_pixel_check(&l->y.px) != PB_OK)
		return;
	if (pb_pixel_map(&l->y.px, &l->im, 1, (struct pb_pose){0}, &m, &n) !=
	    PB_OK)
		return;
	pb_map_clear(&m);
	if (n.free == 0)
		lint_no_free(l);
	if (n.occupied == 0)
		report_finding(
		    l, l->path, 0, "no-wall", "the map has no occupied cell");
}

static void
lint_image(struct lint *l, const char *path)
{
	struct pb_error f;

	l->image_path = path;
	if (pb_image_read(l->image_path, false, &l->im, &f) != 0) {
		if (f.kind == PB_ERROR_MISSING)
			report_finding(l, l->path, l->y.line[PB_MAPKEY_IMAGE],
			    "missing-image", "there is no file %s", path);
		else
			report_fault(l, &f, "bad-image");
		return;
	}
	lint_shades(l);
	lint_unknown(l);
	lint_dialects(l);
	lint_cells(l);
}

/* Check a file without YAML and image: readable, with free cells. */
static void
lint_other(struct lint *l)
{
	struct pb_error f;
	struct pb_map m;

	if (pb_mapfile_read(l->path, NULL, &m, NULL, &f) != 0) {
		report_fault(l, &f, "unreadable");
		return;
	}
	if (pb_map_free_cells(&m) == 0)
		report_finding(
		    l, l->path, 0, "no-free", "the map has no free cell");
	pb_map_clear(&m);
}

static void
lint_file(struct lint *l)
{
	char instead[PB_MAPYAML_INSTEAD];
	enum pb_mapkind kind;
	struct pb_error f;

	if (pb_mapkind_peek(l->path, &kind, &f) != 0) {
		report_fault(l, &f,
		    f.kind == PB_ERROR_MISSING ? "missing" : "unreadable");
	} else if (kind == PB_MAPKIND_IMAGE) {
		lint_image(l, l->path);
	} else if (kind != PB_MAPKIND_YAML) {
		lint_other(l);
	} else if (pb_mapfile_yaml(l->path, &l->y, &f) != 0) {
		report_fault(l, &f, "unreadable");
	} else {
		lint_yaml(l);
		l->owned = pb_mapyaml_image_path(&l->y, l->path, instead);
		if (instead[0] != '\0')
			report_finding(l, l->path, l->y.line[PB_MAPKEY_IMAGE],
			    "missing-image", "%s", instead);
		lint_image(l, l->owned);
	}
}

int
pb_lint(const char *path, pb_lint_sink *sink, void *arg)
{
	struct lint l = {
	    .path = path, .sink = sink, .arg = arg, .y = pb_mapyaml_defaults()};

	lint_file(&l);
	free(l.owned);
	pb_image_clear(&l.im);
	pb_mapyaml_clear(&l.y);
	return l.found;
}
