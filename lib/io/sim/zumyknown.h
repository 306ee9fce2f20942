/* zumyknown.h - what patrols of the Zumy game know, as map records. */
#ifndef PB_IO_SIM_ZUMYKNOWN_H
#define PB_IO_SIM_ZUMYKNOWN_H

#include "game/zumy/zumy.h"
#include "io/rec/type.h"
#include "io/stream/msg.h"

#define PB_ZUMYKNOWN_NONE (-2)
#define PB_ZUMYKNOWN_ALL  (-1)

/*
 * Whose knowledge --known asks for.
 *
 * Given    name     "patrol1", ..., "all", or NULL for nobody's
 *          patrols  how many play
 * Returns  whether there is such a one, else bad says it; the patrol, 0.., or
 *          one of those above in *who
 */
bool pb_zumyknown_find(
    const char *name, int patrols, int *who, struct pb_bad *bad);

struct pb_zumyknown {
	const struct pb_zumy_board *board;
	int who;     /* as above */
	int patrols; /* how many play */
	struct pb_text *out;
	bool ever; /* there was a record */
	struct pb_zumy_set told;
	struct pb_zumy_cell last[PB_ZUMY_PATROLS];
};

/*
 * Write what has changed: a map whose cells are unknown where nobody of them
 * has seen them, and a fix where a patrol believes the player to be.
 */
void pb_zumyknown_put(struct pb_zumyknown *k, const struct pb_zumy *s);

#endif
