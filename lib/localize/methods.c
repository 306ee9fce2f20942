/* methods.c - the localization methods, the best first. */
#include <string.h>

#include "localize/cell_ray.h"
#include "localize/fuse.h"
#include "localize/mcl.h"
#include "localize/odom.h"
#include "localize/particle.h"
#include "localize/region.h"

static const struct pb_localizer *const method[] = {
    &pb_loc_mcl, &pb_loc_fuse, &pb_loc_cell_ray, &pb_loc_region,
    &pb_loc_corridor, &pb_loc_particle, &pb_loc_odom, NULL, /* ends the list */
};

const struct pb_localizer *
pb_localizer_at(int i)
{
	int n = (int)(sizeof(method) / sizeof(*method));

	return i >= 0 && i < n ? method[i] : NULL;
}

const struct pb_localizer *
pb_localizer_find(const char *name)
{
	for (int i = 0; method[i] != NULL; i++)
		if (strcmp(method[i]->name, name) == 0)
			return method[i];
	return NULL;
}

const struct pb_localizer *
pb_localizer_for(enum pb_loc_place place)
{
	for (int i = 0; method[i] != NULL; i++)
		if (method[i]->places & (unsigned)place)
			return method[i];
	return NULL;
}
