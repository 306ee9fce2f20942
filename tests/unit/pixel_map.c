/* pixel_map.c - tests of maps from images, and images from maps. */
#include "check.h"
#include "pixelopts.h"

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
