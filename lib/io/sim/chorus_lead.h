/* chorus_lead.h - what the first robot of a swarm does for the others. */
#ifndef PB_IO_SIM_CHORUS_LEAD_H
#define PB_IO_SIM_CHORUS_LEAD_H

#include "io/sim/chorus.h"

/* For chorus.c. Records that a game consists of; others are nobody's part. */
#define PB_CHORUS_PARTS                                             \
	(PB_REC_BIT(PB_REC_MAZE) | PB_REC_BIT(PB_REC_TICK) |        \
	    PB_REC_BIT(PB_REC_MOVE) | PB_REC_BIT(PB_REC_POSE) |     \
	    PB_REC_BIT(PB_REC_MESSAGE) | PB_REC_BIT(PB_REC_EVENT) | \
	    PB_REC_BIT(PB_REC_RESULT))

/* Whether robot i is, or was, a program. */
bool pb_chorus_program(const struct pb_chorus *c, int i);

/* Write the records in c->out to standard output; they stay there. */
void pb_chorus_put(struct pb_chorus *c);

/* All hear the records in c->out. */
void pb_chorus_say(struct pb_chorus *c);

/* Robot i, a program, is lost at time t (s), and all are told so. */
void pb_chorus_lose(
    struct pb_chorus *c, int i, double t, const struct pb_error *bad);

/*
 * Hear the next part of robot i, a program.
 *
 * Returns  true: c->line has it, and r, for pb_rec_clear; false: bad says why
 *          there is none
 */
bool pb_chorus_listen(
    struct pb_chorus *c, int i, struct pb_rec *r, struct pb_error *bad);

#endif
