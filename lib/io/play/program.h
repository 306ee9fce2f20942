/* program.h - outside programs: processes that answer in the place of bodies,
 * or robots of a swarm that move in turn. */
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

/* Bytes of the longest answer. */
#define PB_AGENT_LINE 4096

/* A running program; zeroed: none. It belongs to one thread. */
struct pb_agent {
	pid_t pid;                 /* leads its own process group; 0: none */
	char cause[PB_TRIAL_NAME]; /* why the trial ends: "late", "garbled",
	                              "ended: status 1"; "": it goes on */
	struct pb_error bad;       /* message that goes with cause */
	int to, from;
	double patience; /* limit for an answer (s) */
	double start;    /* limit for the first answer, if greater (s) */
	double usual;    /* average time of recent answers (s) */
	char line[PB_AGENT_LINE];
	size_t len;  /* bytes in line[] */
	size_t used; /* bytes of the last answer, to be dropped */
	bool begun;  /* it has written a line */
	bool skips;  /* lines that are too long are no answers: skip them */
	bool inside; /* inside of such a line */
};

/*
 * A program is typed as NAME=COMMAND or COMMAND. A name has letters, digits,
 * '-', '_', '.', not all of them capitals: DEBUG=1 is an assignment of sh(1).
 * Without NAME, the command itself without folders is the name; if too long, a
 * hash replaces its end.
 */
const char *pb_agent_command(const char *given);
void pb_agent_name(const char *given, char *name, size_t size);

/* Rows of pb_opt: programs, stored in a struct pb_opt_list, and the time to
 * wait for their answers (s). */
#define PB_OPT_AGENTS(list, patience_)                                 \
	{"agent", 0, PB_OPT_LIST, "command",                           \
	    "let a program play; BODY:COMMAND: that body", (list)},    \
	{                                                              \
		.name = "patience", .kind = PB_OPT_NUM, .arg = "s",    \
		.help = "wait at most so long for a program's answer", \
		.to = (patience_), .min = 0.001, .max = 86400          \
	}

/* The programs of a game, as typed; zeroed: none. */
struct pb_outside {
	const char *body[PB_BODIES]; /* NULL: none; [0]: the player, or the
	                                planner that chooses its pellets */
};

/*
 * Add a program, typed as [BODY:][NAME=]COMMAND; BODY: id of a body of g,
 * without: the player.
 *
 * Returns  false with bad filled in: another game's body, a second program for
 *          it, or no command
 */
bool pb_outside_add(struct pb_outside *x, const struct pb_game *g,
    const char *given, struct pb_error *bad);

/* Whether a body other than the player is a program. */
bool pb_outside_ghosts(const struct pb_outside *x);

/* Add the programs' names to a result. x: NULL is none. */
void pb_outside_credit(
    const struct pb_outside *x, const struct pb_game *g, struct pb_trial *r);

/* The direction of a move record, -1: bad says what is wrong with it. */
int pb_move_dir(const struct pb_rec_move *m, struct pb_error *bad);

/*
 * Programs in the places of bodies.
 *
 * On a board a program reads the maze, then at the beginning of each game a
 * reset record, then a tick record whenever its body has to decide, and answers
 * with a move. A ghost that turns at random gets a draw record before that, and
 * ticks without the ghosts' next cells.
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
	const void *state; /* of the current game */
	double patience;
	struct pb_agent body[PB_BODIES];
	struct pb_text due[PB_BODIES]; /* records to be sent to each */
	struct pb_rec rec;             /* the last answer */
	long decisions; /* questions to the player in this game */

	/* Of games on maps: */
	const struct pb_map *map; /* borrowed */
	const char *phase; /* phase of the game that was sent to the ghosts */
	struct pb_trace trace; /* to the planner ... */
	long lines_sent;       /* lines since its last answer */

	bool failed; /* a program has failed: */
	int who;     /* that of this body */
};

/*
 * Start the programs; end with pb_programs_end().
 *
 * Given    game, x, ground: kept, with what they point to; id: of the pellets
 *          on a map, NULL: 0..n-1; kept
 */
void pb_programs_begin(struct pb_programs *p, const struct pb_game *game,
    const struct pb_outside *x, double patience, const struct pb_ground *ground,
    const long *id);

/* Begin a game, trial `trial` of `seed`; keeps a pointer to its state. */
void pb_programs_reset(
    struct pb_programs *p, const void *state, uint64_t seed, uint64_t trial);

/* End the programs; failed ones are killed at once. pb_programs_leave() also
 * warns of a player that is pb_programs_eager(). */
void pb_programs_end(struct pb_programs *p);
void pb_programs_leave(struct pb_programs *p);

/* Whether there is a program of body i. */
bool pb_programs_have(const struct pb_programs *p, int i);

/* After a game: whether the player answered without being asked, so that its
 * moves may answer earlier questions. It counts as failed then. */
bool pb_programs_eager(struct pb_programs *p);

/* Why it failed; and print that, unless a signal ends this process. */
const char *pb_programs_why(const struct pb_programs *p);
void pb_programs_complain(const struct pb_programs *p);

/* Agents that ask these programs; their ctx is p. If one fails, `failed` is
 * set, and the move returned is arbitrary. */
struct pb_agents pb_programs_agents(struct pb_programs *p);

/* --- robots of a swarm, each a process, moving in turn --- */

/*
 * Each robot of a swarm is a process that plays the whole game: it decides for
 * its own body and reads the moves of the others. The first robot forwards all
 * moves and its own records to all. Records of other types are ignored.
 *
 * The first robot starts the others as programs. One that exits, is silent for
 * too long or writes an invalid move is lost: it is killed, a message LOST to
 * all replaces its move, and the game goes on without it. For the other robots
 * any unexpected record is an error, and so is a result that differs from their
 * own.
 *
 * A game that one process plays alone uses the same calls: it has all robots.
 */
#define PB_LOCKSTEP_MOST 9 /* most robots */

struct pb_lockstep {
	int me; /* robot of this process; 0: the first, and all without a
	           program */
	const char *const
	    *robot; /* names, the first robot's first; not owned */
	int robots;
	struct pb_text out;  /* records to be written, see pb_lockstep_part */
	struct pb_lines *in; /* input; owned; NULL: this is the first */
	struct pb_line line; /* last line read */
	struct pb_rec rec;   /* the same line as a record */
	bool failed;         /* cannot go on; a message was printed */
	struct pb_error bad; /* why a record was refused */
	unsigned lost;       /* bit i: robot i is lost */

	/* Of the first robot: */
	bool over; /* the result was written: programs may exit */
	const struct pb_opt_list *command; /* of robot 1 and up; not owned */
	struct pb_agent agent[PB_LOCKSTEP_MOST];
};

/* Begin as the robot `me` of n robots, NULL: the first. */
void pb_lockstep_begin(
    struct pb_lockstep *c, const char *me, const char *const *robot, int n);

/* As the first robot, start a program for each of the next robots (NULL: none).
 * They must answer within `patience` s. */
void pb_lockstep_lead(
    struct pb_lockstep *c, const struct pb_opt_list *command, double patience);

/* Flush the output, and end the programs. */
void pb_lockstep_end(struct pb_lockstep *c);

/* Whether robot i is another process; whether robot i (-1: none) is lost. */
bool pb_lockstep_hears(const struct pb_lockstep *c, int i);
bool pb_lockstep_lost(const struct pb_lockstep *c, int i);

/* The records in c->out are of robot i: write them if that is this process, or
 * this is the first robot, unless robot i is lost. */
void pb_lockstep_part(struct pb_lockstep *c, int i);

/* Write the records in c->out, but send them to no other robot. */
void pb_lockstep_aside(struct pb_lockstep *c);

/* Read a record of that type without id into c->rec, for pb_rec_clear. False,
 * with a message: none came. */
bool pb_lockstep_next(struct pb_lockstep *c, enum pb_rec_type type);

/* Read the result and compare its hash. False, with a message: it differs. */
bool pb_lockstep_agrees(struct pb_lockstep *c, uint64_t hash);

/* Read a move of robot i at time t, one of `ways` (bit d: direction d) or
 * PB_STAY. Returns PB_STAY if it is lost, or the game cannot go on. */
enum pb_dir pb_lockstep_move(
    struct pb_lockstep *c, int i, double t, unsigned ways);
