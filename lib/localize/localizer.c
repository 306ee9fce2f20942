/* localizer.c - the localization methods, and what all of them answer. */
#include "pb/localizer.h"

#include <string.h>

#include "base/elementary.h"
#include "localize/cell_ray.h"
#include "localize/fuse.h"
#include "localize/gauss.h"
#include "localize/mcl.h"
#include "localize/odom.h"
#include "localize/particle.h"
#include "localize/region.h"

void
pb_localizer_defaults(const struct pb_localizer *m, void *opts)
{
	memset(opts, 0, m->opts_size);
	if (m->rest != NULL)
		m->rest(opts);
	pb_params_defaults(m->params, opts);
}

size_t
pb_localizer_memory(const struct pb_localizer *m, const void *known)
{
	return m->mem_size + (m->more != NULL ? m->more(known) : 0);
}

const char *
pb_loc_status_text(enum pb_loc_status s)
{
	static const char *const text[] = {[PB_LOC_LOST] = "lost",
	    [PB_LOC_AMBIGUOUS] = "ambiguous",
	    [PB_LOC_TRACKING] = "tracking"};

	return text[s];
}

struct pb_pose
pb_loc_frame(const struct pb_maze *z, double cell)
{
	struct pb_pose f = pb_maze_frame(z->rows);

	return (struct pb_pose){f.x * cell, f.y * cell, f.th};
}

void
pb_loc_turn_cov(double cov[3][3], double turn)
{
	double c = pb_cos(turn), s = pb_sin(turn);
	const double r[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};

	pb_gauss_map(cov, r);
}

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
