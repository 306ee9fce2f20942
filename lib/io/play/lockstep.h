/* lockstep.h - robots that speak in turn, each a process. */
#pragma once

#include "io/opt/opt.h"
#include "io/play/program.h"
#include "io/rec/rec.h"
#include "io/stream/line.h"

/*
 * The robots of a swarm are processes. Every record that one of them writes is
 * sent to all, itself included, in one order. The order of play says whose
 * record comes next: each robot plays the whole game, writes the records that
 * are its own, and compares the records that it reads with those of its game.
 * Records of types that are not of a game are ignored.
 *
 * The first robot starts the others as programs and forwards what they write.
 * One that ends, is silent for too long or writes anything else than its part
 * is lost: it is ended, all are told by a message LOST in the place of its
 * record, and the game goes on without it. To the other robots whatever is not
 * as expected is an error.
 *
 * A game that one process plays alone uses the same calls: it has all parts.
 */
#define PB_LOCKSTEP_MOST 9 /* robots */

struct pb_lockstep {
	int me; /* the robot that we are, 0: the first, and all without a
	         * program */
	const char *const *robot; /* all names, the first's first; not owned */
	int robots;
	struct pb_text out;  /* records go here, see pb_lockstep_part */
	struct pb_text due;  /* lines that must be read next */
	struct pb_lines *in; /* owned; NULL: we are the first */
	struct pb_line line; /* the last one read */
	bool failed;         /* the game cannot go on; it was said */
	unsigned lost;       /* bit i: robot i is */

	/* Of the first robot: */
	bool over; /* the result was written: it may leave */
	const struct pb_opt_list *command; /* of robot 1 and up; not owned */
	struct pb_agent agent[PB_LOCKSTEP_MOST];
};

/* Begin as the robot `me` of the n robots, NULL: as the first. */
void pb_lockstep_begin(
    struct pb_lockstep *c, const char *me, const char *const *robot, int n);

/* As the first, start a program for each of the next robots that has a command
 * (NULL: none has), which answer within `patience` s. False if the system
 * failed, which was said. */
bool pb_lockstep_lead(
    struct pb_lockstep *c, const struct pb_opt_list *command, double patience);

/* Write what is left to write, and end the programs. */
void pb_lockstep_end(struct pb_lockstep *c);

/* Whether robot i is another process; whether robot i, -1: none, is lost. */
bool pb_lockstep_hears(const struct pb_lockstep *c, int i);
bool pb_lockstep_lost(const struct pb_lockstep *c, int i);

/*
 * The records in c->out are those of robot i: they are written if it is one of
 * ours, else its next records must be the same, byte for byte. Those of a lost
 * robot are dropped.
 */
void pb_lockstep_part(struct pb_lockstep *c, int i);

/* The records in c->out are written, but sent to no other robot. */
void pb_lockstep_aside(struct pb_lockstep *c);

/* Read the next record, which has to be of `type` and robot i (-1: nobody's),
 * at time t: r, for pb_rec_clear. False if it is not, which was said. */
bool pb_lockstep_next(struct pb_lockstep *c, enum pb_rec_type type, int i,
    double t, struct pb_rec *r);

/*
 * Read a move of robot i at time t, one of `ways` (bit d: direction d) or
 * PB_STAY. Returns an enum pb_dir; PB_STAY if it is lost, or the game cannot
 * go on.
 */
enum pb_dir pb_lockstep_move(
    struct pb_lockstep *c, int i, double t, unsigned ways);
