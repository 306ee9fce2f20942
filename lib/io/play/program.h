/* program.h - outside programs: processes that read lines and answer, in the
 * places of bodies that are asked, or robots that speak in turn. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "io/opt/opt.h"
#include "io/play/trace.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "io/stream/line.h"
#include "pb/game.h"
#include "pb/map.h"

/* The longest answer (bytes). */
#define PB_AGENT_LINE 4096

/* A zeroed agent is none. It belongs to one thread. */
struct pb_agent {
	pid_t pid; /* leads a process group of its own; 0: none */
	char cause[PB_TRIAL_NAME]; /* of the trial that it ends: "late",
	                              "garbled", "ended: status 1"; "": none */
	struct pb_error bad;       /* says what is wrong */
	int to, from;
	double patience; /* for an answer (s) */
	double start;    /* the same for the first one, if that is more */
	double usual;    /* what one takes, of the latest (s) */
	char line[PB_AGENT_LINE];
	size_t len;  /* bytes in line[] */
	size_t used; /* of the answer before, to be dropped */
	bool begun;  /* it has written a line */
	bool skips;  /* lines that are too long are no answers: drop them */
	bool inside; /* of such a line */
};

/*
 * What is given is NAME=COMMAND or a command alone. A name has letters, digits,
 * '-', '_', '.', not all of them capitals: DEBUG=1 is an assignment of sh(1).
 * A command without a name is named after itself, without the folders of
 * its words; a long one ends with a hash in place of its end.
 */
const char *pb_agent_command(const char *given);
void pb_agent_name(const char *given, char *name, size_t size);

/* Rows of pb_opt: programs as they are given into a struct pb_opt_list, and how
 * long to wait for them (s). */
#define PB_OPT_AGENTS(list, patience_)                              \
	{"agent", 0, PB_OPT_LIST, "command",                        \
	    "a program that plays; BODY:... is that body", (list)}, \
	{                                                           \
		.name = "patience", .kind = PB_OPT_NUM, .arg = "s", \
		.help = "for an answer of a program that plays",    \
		.to = (patience_), .min = 0.001, .max = 86400       \
	}

/* The outside programs of a game, as they were given; zeroed: none. */
struct pb_outside {
	const char *body[PB_BODIES]; /* NULL: none; [0] is the player's, or
	                                chooses its pellets */
};

/*
 * Add one as it is given: [BODY:][NAME=]COMMAND, where BODY is an id of a body
 * of g; without, it plays.
 *
 * Returns  false and bad: another game's body, or it has one, or no command
 */
bool pb_outside_add(struct pb_outside *x, const struct pb_game *g,
    const char *given, struct pb_error *bad);

/* Whether there is one of body 1 or later. */
bool pb_outside_ghosts(const struct pb_outside *x);

/* Name them in a result that is filled in otherwise. x: NULL is none. */
void pb_outside_credit(
    const struct pb_outside *x, const struct pb_game *g, struct pb_trial *r);

/* The direction of a move record, -1: bad says what is wrong with it. */
int pb_move_dir(const struct pb_rec_move *m, struct pb_error *bad);

/*
 * Programs in the places of bodies.
 *
 * On a board a program reads the maze, then at the begin of each game
 * a reset record, then a tick record whenever its body has to decide, and
 * answers with a move. A ghost that turns at random gets a draw record before
 * that, and ticks without the ghosts' next cells.
 *
 * On a map all read the map, and a reset record before each game. A
 * ghost reads state records, cmd records to it, estimated poses of the robot.
 * It answers with its pose after its commands reset_ghosts and spawn, and at
 * the end of each of the ghosts' periods, when a state record comes. The
 * planner reads the input of the published node: cmd records of the controller,
 * goals and how they ended, estimated poses of the robot, poses of the ghosts.
 * When it has to choose it reads the pellets that are left and a cmd record
 * "choose" to "planner"; it answers with a target record of that time, without
 * a pellet if there is none to go to. Other records from them are ignored.
 * Numbers are sent with all digits: if answers have all digits too, the game
 * equals the one without programs.
 */
struct pb_programs {
	const struct pb_game *game;
	const struct pb_outside *given;
	const void *state; /* of the game that is played */
	double patience;
	struct pb_agent body[PB_BODIES];
	struct pb_text due[PB_BODIES]; /* records that wait to be sent to each
	                                */
	struct pb_rec rec;             /* the last answer */
	long decisions; /* that the player was asked in this game */

	/* On a map. */
	const struct pb_map *map; /* borrowed */
	const char *phase;        /* the game's as the ghosts know it */
	struct pb_trace trace;    /* to the planner ... */
	long told;                /* ... lines since its last answer */

	bool failed; /* one cannot go on: */
	int who;     /* its body */
};

/*
 * Start the programs of bodies; for pb_programs_end.
 *
 * Given    game, x, ground  kept, with what they point to
 *          id               of the pellets on a map, NULL: 0..n-1; kept
 */
void pb_programs_begin(struct pb_programs *p, const struct pb_game *game,
    const struct pb_outside *x, double patience, const struct pb_ground *ground,
    const long *id);

/* A game begins, trial `trial` of `seed`; its state is kept. */
void pb_programs_reset(
    struct pb_programs *p, const void *state, uint64_t seed, uint64_t trial);

/* End them, those that have failed at once. To leave them warns of a player
 * that pb_programs_eager(). */
void pb_programs_end(struct pb_programs *p);
void pb_programs_leave(struct pb_programs *p);

/* Whether there is a program of body i. */
bool pb_programs_have(const struct pb_programs *p, int i);

/* After a game: whether the player answered without being asked, so that its
 * moves may have been out of step. Then it has failed. */
bool pb_programs_eager(struct pb_programs *p);

/* Why it failed; prints that, unless a signal ends the program. */
const char *pb_programs_why(const struct pb_programs *p);
void pb_programs_complain(const struct pb_programs *p);

/* Agents that ask these programs; their ctx is the struct pb_programs. If one
 * fails, `failed` is set, and the move returned is arbitrary. */
struct pb_agents pb_programs_agents(struct pb_programs *p);

/* --- robots that speak in turn, each a process --- */

/*
 * The robots of a swarm are processes. Each plays the whole game: it decides
 * for its own body and reads the moves of the others. The first robot forwards
 * their moves, and its own records, to all of them. Records of other types are
 * ignored.
 *
 * The first robot starts the others as programs. One that ends, is silent
 * for too long or writes an invalid move is lost: it is ended, a message LOST
 * to all replaces its move, and the game goes on without it. For the other
 * robots any unexpected record is an error, and so is a result that differs
 * from theirs.
 *
 * A game that one process plays alone uses the same calls: it has all
 * robots.
 */
#define PB_LOCKSTEP_MOST 9 /* robots */

struct pb_lockstep {
	int me; /* the robot that we are, 0: the first, and all without a
	         * program */
	const char *const *robot; /* all names, the first's first; not owned */
	int robots;
	struct pb_text out;  /* records go here, see pb_lockstep_part */
	struct pb_lines *in; /* owned; NULL: we are the first */
	struct pb_line line; /* the last one read */
	struct pb_rec rec;   /* the same as a record */
	bool failed;         /* the game cannot go on; a message was printed */
	struct pb_error bad; /* the reason why a record was refused */
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
 * (NULL: none has), which answer within `patience` s. */
void pb_lockstep_lead(
    struct pb_lockstep *c, const struct pb_opt_list *command, double patience);

/* Flush the output, and end the programs. */
void pb_lockstep_end(struct pb_lockstep *c);

/* Whether robot i is another process; whether robot i, -1: none, is lost. */
bool pb_lockstep_hears(const struct pb_lockstep *c, int i);
bool pb_lockstep_lost(const struct pb_lockstep *c, int i);

/*
 * The records in c->out are those of robot i: they are written if it is us, or
 * we are the first, unless it is lost.
 */
void pb_lockstep_part(struct pb_lockstep *c, int i);

/* The records in c->out are written, but sent to no other robot. */
void pb_lockstep_aside(struct pb_lockstep *c);

/* Read the next record of that type, without id, into c->rec, for pb_rec_clear.
 * False if there is none, with a message. */
bool pb_lockstep_next(struct pb_lockstep *c, enum pb_rec_type type);

/* Whether the result that comes has this hash; if not, a message was printed.
 */
bool pb_lockstep_agrees(struct pb_lockstep *c, uint64_t hash);

/*
 * Read a move of robot i at time t, one of `ways` (bit d: direction d) or
 * PB_STAY. Returns an enum pb_dir; PB_STAY if it is lost, or the game cannot
 * go on.
 */
enum pb_dir pb_lockstep_move(
    struct pb_lockstep *c, int i, double t, unsigned ways);
