/* swarm.h - what a command line may ask of a process of a swarm. */
#ifndef PB_IO_SWARM_H
#define PB_IO_SWARM_H

#include <stdbool.h>

/* pb-sim --as, and what else was asked for. */
struct pb_swarm_role {
	const char *as; /* NULL: it is no swarm, and all is well */
	int rules;      /* PB_OPT_ROOMBA, ... */
	bool bodies;    /* of Roombas: they move by --motion drive */
	bool console;
	bool known;   /* what patrols know is to be written */
	bool sensors; /* what sensors say is */
	bool cues;    /* lights and sounds are */
	char *const *files;
	int n;
};

/* Whether it goes together; if not, it was said. */
bool pb_swarm_fits(const struct pb_swarm_role *r);

#endif
