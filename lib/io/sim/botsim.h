/* botsim.h - what pb-sim does under the PacManBot rules. */
#ifndef PB_IO_SIM_BOTSIM_H
#define PB_IO_SIM_BOTSIM_H

#include "io/opt/opt.h"
#include "io/sim/session.h"

struct pb_botsim {
	const struct pb_session_opts *o;
	const char *map; /* file with the map, NULL: it comes as a record */
	const struct pb_opt_common *common;
};

/*
 * Choose a player by number, poses so many a second, and see whether the
 * constants go together; if not it was said.
 */
bool pb_botsim_check(struct pb_session_opts *o, int player, double rate);

/*
 * Read map, pellets and commands from the files, play as they say and to the
 * end, and write the trace. What goes wrong is said.
 */
void pb_botsim_run(const struct pb_botsim *p, char *const *files, int n);

/*
 * Read only map and pellets, for a session with o and out set; other records
 * are passed on.
 *
 * Returns  whether there is a map, *map being where it came from; if not, why
 *          was said
 */
bool pb_botsim_read(const struct pb_botsim *p, struct pb_session *s,
    char *const *files, int n, struct pb_place *map);

#endif
