/* pixel.c - tests of images, what their pixels mean, and maps from them. */
#include "check.h"

#include "map/pixel.h"

static struct pb_pixel_opts
opts(enum pb_dialect d, enum pb_map_mode mode, double occ, double free)
{
	struct pb_pixel_opts o = pb_pixel_defaults();

	o.dialect = d;
	o.mode = mode;
	o.occupied_thresh = occ;
	o.free_thresh = free;
	return o;
}

static int
gray(const struct pb_pixel_opts *o, int v)
{
	unsigned char s = (unsigned char)v;

	return pb_pixel_cell(o, &s, 1, NULL);
}

static int
rgb(const struct pb_pixel_opts *o, int r, int g, int b)
{
	unsigned char s[3] = {
	    (unsigned char)r, (unsigned char)g, (unsigned char)b};

	return pb_pixel_cell(o, s, 3, NULL);
}

static int
rgba(const struct pb_pixel_opts *o, int v, int a)
{
	unsigned char c = (unsigned char)v;
	unsigned char s[4] = {c, c, c, (unsigned char)a};

	return pb_pixel_cell(o, s, 4, NULL);
}

test(unknown_gray_is_never_free_by_default)
{
	/* The published house: free_thresh 0.2 is above 205's 0.19608. */
	struct pb_pixel_opts o = opts(PB_DIALECT_PB, PB_MODE_TRINARY, 0.8, 0.2);
	unsigned char s = 205;
	bool guarded;

	check_int(gray(&o, 205), -1);
	check_int(pb_pixel_cell(&o, &s, 1, &guarded), -1);
	check(guarded);
	check_int(gray(&o, 206), 0);
	check_int(gray(&o, 254), 0);
	check_int(gray(&o, 0), 100);
	check_int(gray(&o, 50), 100); /* p = 0.804 */
	check_int(gray(&o, 51), -1);  /* p = 0.8 exactly: not above */
	/* Negated, it is 50. */
	o.negate = true;
	check_int(gray(&o, 50), -1);
	check_int(gray(&o, 49), 0);
	check_int(gray(&o, 205), 100);
	/* Elsewhere it is a shade as any other. */
	o = opts(PB_DIALECT_PB, PB_MODE_SCALE, 0.8, 0.2);
	check_int(gray(&o, 205), 0);
	o = opts(PB_DIALECT_PB, PB_MODE_SCALE, 1, 0);
	check_int(gray(&o, 205), 20);
}

test(other_loaders_make_it_free)
{
	for (int d = PB_DIALECT_ROS1; d < PB_DIALECTS; d++) {
		struct pb_pixel_opts o =
		    opts((enum pb_dialect)d, PB_MODE_TRINARY, 0.65, 0.25);

		check_int(gray(&o, 205), 0);
		o.free_thresh = 0.196;
		check_int(gray(&o, 205), -1);
	}
}

test(comparison_at_the_threshold)
{
	/* Gray 204 is p = 0.2: at the threshold, or a rounding below it. */
	struct pb_pixel_opts o =
	    opts(PB_DIALECT_ROS1, PB_MODE_TRINARY, 0.8, 0.2);

	check_int(gray(&o, 204), -1);
	check_int(gray(&o, 51), -1);
	o.dialect = PB_DIALECT_PB;
	check_int(gray(&o, 204), -1);
	o.dialect = PB_DIALECT_NAV2_2024; /* 1.0 - 0.8 < 0.2 in doubles */
	check_int(gray(&o, 204), 0);
	o.dialect = PB_DIALECT_OPENCV;
	check_int(gray(&o, 204), 0);
	check_int(gray(&o, 51), 100);
}

test(scale_formulas)
{
	/* p = 127/255 = 0.498; r = (p - 0.2) / 0.6 = 0.49673. */
	struct pb_pixel_opts o = opts(PB_DIALECT_PB, PB_MODE_SCALE, 0.8, 0.2);

	check_int(gray(&o, 128), 50); /* 100 r, to nearest */
	o.dialect = PB_DIALECT_NAV2_2024;
	check_int(gray(&o, 128), 50);
	o.dialect = PB_DIALECT_NAV2;
	check_int(gray(&o, 128), 50);
	o.dialect = PB_DIALECT_ROS1;
	check_int(gray(&o, 128), 49); /* 1 + 98 r = 49.68, cut */
	o.dialect = PB_DIALECT_ROS1_99;
	check_int(gray(&o, 128), 49); /* 99 r = 49.18, cut */
	check_int(gray(&o, 100), 67); /* 99 * 0.67974 = 67.29 */
	o.dialect = PB_DIALECT_ROS1;
	check_int(gray(&o, 190), 9); /* 1 + 98 * 0.09150 = 9.97 */
	o.dialect = PB_DIALECT_OPENCV;
	check_int(gray(&o, 128), 50); /* 100 p = 49.8 */
	check_int(gray(&o, 190), 25); /* 100 p = 25.49 */
}

test(raw_values)
{
	struct pb_pixel_opts o = opts(PB_DIALECT_PB, PB_MODE_RAW, 0.65, 0.196);

	for (int d = 0; d < PB_DIALECTS; d++) {
		o.dialect = (enum pb_dialect)d;
		check_int(gray(&o, 0), 0);
		check_int(gray(&o, 100), 100);
		check_int(gray(&o, 255), -1);
	}
	o.dialect = PB_DIALECT_ROS1;
	check_int(gray(&o, 128), -128);
	check_int(gray(&o, 127), 127);
	o.dialect = PB_DIALECT_NAV2;
	check_int(gray(&o, 101), -1);
}

test(colour_mean_or_luma)
{
	/* Pure green: mean 85, luma 150 (of 255). */
	struct pb_pixel_opts o =
	    opts(PB_DIALECT_PB, PB_MODE_TRINARY, 0.5, 0.45);

	check_int(rgb(&o, 0, 255, 0), 100); /* p = 0.667 */
	o.dialect = PB_DIALECT_ROS1;
	check_int(rgb(&o, 0, 255, 0), 100);
	o.dialect = PB_DIALECT_NAV2;
	check_int(rgb(&o, 0, 255, 0), 0); /* p = 0.412 */
	o.dialect = PB_DIALECT_OPENCV;
	check_int(rgb(&o, 0, 255, 0), 0);
	for (int v = 0; v < 256; v++)
		for (int d = 0; d < PB_DIALECTS; d++) {
			o.dialect = (enum pb_dialect)d;
			check_int(rgb(&o, v, v, v), gray(&o, v));
		}
}

test(alpha)
{
	struct pb_pixel_opts o =
	    opts(PB_DIALECT_PB, PB_MODE_TRINARY, 0.65, 0.196);

	/* White, half transparent: unknown, averaged in, or dropped. */
	check_int(rgba(&o, 255, 128), -1);
	o.dialect = PB_DIALECT_NAV2;
	check_int(rgba(&o, 255, 128), -1);
	o.dialect = PB_DIALECT_ROS1; /* mean 223.25: p = 0.1245 */
	check_int(rgba(&o, 255, 128), 0);
	check_int(rgba(&o, 255, 0), -1); /* mean 191.25: p = 0.25 */
	o.dialect = PB_DIALECT_NAV2_2024;
	check_int(rgba(&o, 255, 128), 0);
	check_int(rgba(&o, 0, 255), 100);
	o.dialect = PB_DIALECT_OPENCV;
	check_int(rgba(&o, 255, 0), 0);
	o.mode = PB_MODE_SCALE;
	o.dialect = PB_DIALECT_NAV2_2024;
	check_int(rgba(&o, 255, 254), -1);
	o.dialect = PB_DIALECT_ROS1;
	check_int(rgba(&o, 255, 0), 0);
	check_int(rgba(&o, 150, 0), -1);
}

test(negate)
{
	for (int d = 0; d < PB_DIALECTS; d++) {
		struct pb_pixel_opts o =
		    opts((enum pb_dialect)d, PB_MODE_TRINARY, 0.65, 0.196);

		o.negate = true;
		check_int(gray(&o, 255), 100);
		check_int(gray(&o, 0), 0);
		check_int(gray(&o, 128), -1);
	}
}

test(free_above)
{
	struct pb_pixel_opts o =
	    opts(PB_DIALECT_PB, PB_MODE_TRINARY, 0.65, 0.25);

	o.free_above = 250;
	check_int(gray(&o, 251), 0);
	check_int(gray(&o, 250), -1);
	check_int(gray(&o, 205), -1);
	check_int(gray(&o, 0), 100);
	o.negate = true; /* the published code ignores it */
	check_int(gray(&o, 255), 0);
	check_int(gray(&o, 0), -1);
}

test(check)
{
	struct pb_pixel_opts o = pb_pixel_defaults();

	check_int(pb_pixel_check(&o), PB_OK);
	o.free_thresh = 0.65;
	check_int(pb_pixel_check(&o), PB_EVALUE);
	o.dialect = PB_DIALECT_ROS1;
	check_int(pb_pixel_check(&o), PB_OK);
	o.free_thresh = o.occupied_thresh = 1;
	check_int(pb_pixel_check(&o), PB_OK);
	o.free_thresh = 1.01;
	check_int(pb_pixel_check(&o), PB_EVALUE);
	o.free_thresh = NAN;
	check_int(pb_pixel_check(&o), PB_EVALUE);
	o = pb_pixel_defaults();
	o.occupied_thresh = 1.5;
	check_int(pb_pixel_check(&o), PB_EVALUE);
	o = pb_pixel_defaults();
	o.free_above = 255;
	check_int(pb_pixel_check(&o), PB_EVALUE);
}

test(thresholds_in_any_order_never_trap)
{
	for (int d = 0; d < PB_DIALECTS; d++)
		for (int mode = 0; mode < 3; mode++)
			for (int v = 0; v < 256; v++) {
				struct pb_pixel_opts o =
				    opts((enum pb_dialect)d,
					(enum pb_map_mode)mode, 0.4, 0.4);
				int cell = gray(&o, v);

				check(cell >= -128 && cell <= 127);
				o.free_thresh = 0.9;
				cell = gray(&o, v);
				check(cell >= -128 && cell <= 127);
			}
}

test(names)
{
	for (int mode = 0; mode < 3; mode++)
		check_int(
		    pb_mode_find(pb_mode_name((enum pb_map_mode)mode)), mode);
	check_int(pb_mode_find("Raw"), -1);
}

/* Each pixel by itself: the slow way to do what pb_pixel_map does. */
static void
check_map(const struct pb_pixel_opts *o, const struct pb_image *im)
{
	struct pb_map m;
	struct pb_pixel_count n;
	size_t guarded = 0;

	check_int(pb_pixel_map(o, im, 0.1, (struct pb_pose){0}, &m, &n), PB_OK);
	for (int v = 0; v < im->height; v++)
		for (int u = 0; u < im->width; u++) {
			struct pb_cell c = {u, im->height - 1 - v};
			bool g;
			int want = pb_pixel_cell(
			    o, pb_image_at(im, u, v), im->channels, &g);

			guarded += g;
			if (want < -1 || want > 100)
				want = -1;
			check_int(pb_map_at(&m, c), want);
		}
	check_int((long long)n.guarded, (long long)guarded);
	check_int((long long)(n.free + n.occupied + n.unknown),
	    (long long)pb_map_cells(&m));
	pb_map_clear(&m);
}

test(map_agrees_with_its_pixels)
{
	for (int channels = 1; channels <= 4; channels++) {
		struct pb_image im;
		unsigned int seed = 7;

		check_int(pb_image_init(&im, 37, 19, channels), PB_OK);
		for (size_t i = 0; i < pb_image_bytes(&im); i++) {
			seed = seed * 1664525u + 1013904223u;
			im.sample[i] = (unsigned char)(seed >> 24);
		}
		memset(pb_image_at(&im, 3, 4), 205, (size_t)channels);
		if (im.channels % 2 == 0) /* alpha */
			pb_image_at(&im, 3, 4)[channels - 1] = 255;
		for (int d = 0; d < PB_DIALECTS; d++)
			for (int mode = 0; mode < 3; mode++) {
				struct pb_pixel_opts o =
				    opts((enum pb_dialect)d,
					(enum pb_map_mode)mode, 0.65, 0.25);

				check_map(&o, &im);
			}
		pb_image_clear(&im);
	}
}

test(image_reads_back_in_every_dialect)
{
	for (int raw = 0; raw < 2; raw++) {
		struct pb_map m, back;
		struct pb_image im;

		check_int(
		    pb_map_init(&m, 17, 6, 0.05, (struct pb_pose){0}), PB_OK);
		for (size_t i = 0; i < pb_map_cells(&m); i++)
			m.cell[i] = (signed char)(raw          ? (int)i - 1
						  : i % 3 == 0 ? -1
						  : i % 3 == 1 ? 0
							       : 100);
		check_int(pb_pixel_image(&m, &im), PB_OK);
		for (int d = 0; d < PB_DIALECTS; d++) {
			struct pb_pixel_opts o = pb_pixel_fit(&m);

			o.dialect = (enum pb_dialect)d;
			check_int(pb_pixel_map(&o, &im, 0.05,
				      (struct pb_pose){0}, &back, NULL),
			    PB_OK);
			check(pb_map_hash(&m) == pb_map_hash(&back));
			pb_map_clear(&back);
		}
		pb_image_clear(&im);
		pb_map_clear(&m);
	}
}

test(differ_counts_pixels)
{
	struct pb_pixel_opts a = pb_pixel_defaults(), b = a;
	struct pb_image im;

	a.free_thresh = b.free_thresh = 0.25;
	b.dialect = PB_DIALECT_NAV2;
	check_int(pb_image_init(&im, 10, 10, 1), PB_OK);
	memset(im.sample, 205, 30);
	memset(im.sample + 30, 254, 50);
	check_int((long long)pb_pixel_differ(&im, &a, &b), 30);
	check_int((long long)pb_pixel_differ(&im, &a, &a), 0);
	pb_image_clear(&im);
}

test(image_refuses)
{
	struct pb_image im = {.width = -3};

	check_int(pb_image_init(&im, 0, 4, 1), PB_ESIZE);
	check_int(pb_image_init(&im, PB_MAP_SIDE + 1, 4, 1), PB_ESIZE);
	check_int(pb_image_init(&im, 4, 4, 5), PB_EVALUE);
	check_int(im.width, -3);
}

test(image_counts)
{
	struct pb_image im;

	check_int(pb_image_init(&im, 3, 2, 4), PB_OK);
	check_int((long long)pb_image_translucent(&im), 6);
	check_int((long long)pb_image_coloured(&im), 0);
	pb_image_at(&im, 1, 1)[2] = 9;
	pb_image_at(&im, 1, 1)[3] = 255;
	check_int((long long)pb_image_translucent(&im), 5);
	check_int((long long)pb_image_coloured(&im), 1);
	pb_image_clear(&im);
}
