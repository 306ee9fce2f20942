/* lockstep.h - robots that speak in turn, each a process. */
#pragma once

#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/play/program.h"
#include "io/stream/line.h"

/*
 * The robots of a swarm are processes. Whatever one of them says, all of them
 * hear, itself included, in the same order. The order of play says whose
 * record comes next, so that each robot knows when to speak: it follows the
 * whole game, says the records that are its own, and expects the others'.
 * Records of types that are not of a game are overheard.
 *
 * The first robot, who keeps the score, starts the others as programs and
 * passes on what they say. One that ends, is silent for too long or says
 * anything else than it should is lost: it is not listened to any more, all
 * are told so by a message LOST in the place of its record, and the game goes
 * on without it. The others cannot go on without the first robot: to them
 * whatever is not as expected is an error.
 *
 * A game that one process plays alone uses the same calls: all parts are its
 * own.
 */
#define PB_LOCKSTEP_MOST 9 /* robots */

struct pb_lockstep {
	int me;                   /* the robot that we are, 0: the first, and
	                           * all that are no programs */
	const char *const *robot; /* all names, the first's first; not owned */
	int robots;
	struct pb_text out;  /* records go here, see pb_lockstep_part */
	struct pb_text sent; /* ours that did not come back yet */
	size_t back;         /* bytes of them that did */
	struct pb_lines *in; /* owned */
	struct pb_line line; /* the last one heard */
	bool failed;         /* the game cannot go on; it was said */
	unsigned lost;       /* bit i: robot i is */

	/* Of the first robot: */
	bool over; /* the result was said: it may leave */
	const struct pb_opt_list *command; /* of robot 1 and up; not owned */
	struct pb_agent agent[PB_LOCKSTEP_MOST];
	unsigned deaf; /* bit i: robot i cannot be told anything */
	struct pb_error why[PB_LOCKSTEP_MOST];
};

/*
 * Given    me     one of them; NULL: the first robot
 *          robot  kept, n names of all that may speak
 * Returns  false without memory, which was said
 */
bool pb_lockstep_begin(
    struct pb_lockstep *c, const char *me, const char *const *robot, int n);

/*
 * As the first robot, start a program for each of the next ones that there is
 * a command for; NULL: for none. Answers take at most `patience` s.
 *
 * Returns  false if the system failed, which was said
 */
bool pb_lockstep_lead(
    struct pb_lockstep *c, const struct pb_opt_list *command, double patience);

/* Say what is left to say, and end the programs. */
void pb_lockstep_end(struct pb_lockstep *c);

/* Whether it is another process that speaks for robot i. */
bool pb_lockstep_hears(const struct pb_lockstep *c, int i);

/* Whether robot i, -1: none, is lost. */
bool pb_lockstep_lost(const struct pb_lockstep *c, int i);

/*
 * The records in c->out are those of robot i: they are said if he is one of us,
 * else the next ones that are heard of him must be the same, byte for byte. Of
 * one who is lost they are dropped.
 */
void pb_lockstep_part(struct pb_lockstep *c, int i);

/* The records in c->out are nobody's part: they are written, and not said. */
void pb_lockstep_aside(struct pb_lockstep *c);

/*
 * Hear the next record, which has to be one of type `type` of nobody.
 *
 * Returns  false if it is not, which was said; else r for pb_rec_clear
 */
bool pb_lockstep_next(
    struct pb_lockstep *c, enum pb_rec_type type, struct pb_rec *r);

/* Hear the board; from: the line that it came in. Returns as that. */
bool pb_lockstep_board(
    struct pb_lockstep *c, struct pb_maze *z, struct pb_place *from);

/*
 * Hear a move of robot i at time t, one of `ways` (bit d: direction d) or
 * PB_STAY.
 *
 * Returns  an enum pb_dir; PB_STAY if he is lost, or the game cannot go on
 */
enum pb_dir pb_lockstep_move(
    struct pb_lockstep *c, int i, double t, unsigned ways);
