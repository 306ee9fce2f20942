/* pixelopts.h - options of reading pixels. */
#pragma once

#include "map/pixel.h"

static inline struct pb_pixel_opts
opts(enum pb_dialect d, enum pb_map_mode mode, double occ, double free)
{
	struct pb_pixel_opts o = pb_pixel_defaults();

	o.dialect = d;
	o.mode = mode;
	o.occupied_thresh = occ;
	o.free_thresh = free;
	return o;
}
