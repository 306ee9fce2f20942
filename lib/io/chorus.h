/* chorus.h - robots that speak in turn on one stream. */
#ifndef PB_IO_CHORUS_H
#define PB_IO_CHORUS_H

#include "io/line.h"
#include "io/rec.h"

/*
 * The robots of a swarm are processes. Whatever one of them writes, all of
 * them read, itself included, in the same order. The order of play says whose
 * record comes next, so that each robot knows when to speak: it follows the
 * whole game, writes the records that are its own, and expects the others'.
 * What is not as expected is refused; records of types that are not of a game
 * are overheard.
 *
 * A game that one process plays alone uses the same calls: all parts are its
 * own, and nothing is read.
 */
struct pb_chorus {
	const char *me;           /* who speaks here, NULL: all; not owned */
	const char *const *robot; /* all names; not owned */
	int robots;
	struct pb_text out;  /* records go here, see pb_chorus_part */
	struct pb_text sent; /* ours that did not come back yet */
	size_t back;         /* bytes of them that did */
	struct pb_lines *in; /* owned */
	struct pb_line line; /* the last one heard */
	bool failed;         /* the game cannot go on; it was said */
};

/*
 * Given    me     kept; NULL: play alone
 *          robot  kept, n names of all that may speak
 * Returns  false without memory, which was said
 */
bool pb_chorus_begin(
    struct pb_chorus *c, const char *me, const char *const *robot, int n);
void pb_chorus_end(struct pb_chorus *c);

/* Whether it is somebody else who speaks for `who`. */
bool pb_chorus_hears(const struct pb_chorus *c, const char *who);

/*
 * The records in c->out are those of `who`: they are written if he is us,
 * else the next ones that are heard must be the same, byte for byte.
 */
void pb_chorus_part(struct pb_chorus *c, const char *who);

/*
 * Hear the next record, which has to be one of type `type` with the id `who`.
 *
 * Returns  false if it is not, which was said; else r for pb_rec_clear
 */
bool pb_chorus_next(struct pb_chorus *c, enum pb_rec_type type, const char *who,
    struct pb_rec *r);

/* Hear the board; from: the line that it came in. Returns as that. */
bool pb_chorus_board(
    struct pb_chorus *c, struct pb_maze *z, struct pb_place *from);

/* Hear a move of `who` at time t. Returns an enum pb_dir, -1: failed. */
int pb_chorus_move(struct pb_chorus *c, const char *who, double t);

/* Refuse the line that was heard last; the game cannot go on. */
void pb_chorus_refuse(struct pb_chorus *c, const char *fmt, ...)
    PB_PRINTF(2, 3);

#endif
