/* localize_opts.c - how a localizer is to work, until it is told. */
#include <stdlib.h>

#include "io/tool/localize.h"

bool
pb_localize_opts_init(struct pb_localize_opts *o)
{
	const struct pb_localizer *m;
	double heading = PB_PI / 12;

	*o = (struct pb_localize_opts){
	    .var = {0.25, 0.25, heading * heading}, .seed = 1, .id = "robot"};
	for (int i = 0; (m = pb_localizer_at(i)); i++) {
		o->constants[i] = calloc(1, m->opts_size ? m->opts_size : 1);
		if (!o->constants[i])
			return false;
		if (m->defaults)
			m->defaults(o->constants[i]);
	}
	return true;
}

void
pb_localize_opts_clear(struct pb_localize_opts *o)
{
	for (int i = 0; i < PB_LOCALIZE_METHODS; i++)
		free(o->constants[i]);
	*o = (struct pb_localize_opts){.method = NULL};
}
