/* program.h - outside programs: processes that read lines and answer, in the
 * places of bodies that are asked. */
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

/* Why one cannot go on: the word of the trial that it ends. */
enum pb_agent_fault {
	PB_AGENT_FINE,
	PB_AGENT_LATE,    /* it took too long */
	PB_AGENT_GARBLED, /* it said what is no answer */
	PB_AGENT_ENDED    /* it has gone, or could not be started */
};
const char *pb_agent_fault_name(enum pb_agent_fault f);

/* A zeroed agent is none. It belongs to one thread. */
struct pb_agent {
	pid_t pid; /* leads a process group of its own; 0: none */
	enum pb_agent_fault fault;
	struct pb_error bad; /* says what is wrong */
	int to, from;
	double patience; /* for an answer (s) */
	char line[PB_AGENT_LINE];
	size_t len;  /* bytes in line[] */
	size_t used; /* of the answer before, to be dropped */
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
	const char *body[PB_BODIES]; /* NULL: none; [0] is the player's, or who
	                                chooses for it */
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

/* Start sh -c command. Returns false if the system failed; errno says why. */
bool pb_agent_start(struct pb_agent *a, const char *command, double patience);

/*
 * Send text of whole lines; only the last one may be a question. If it skips
 * lines, those that it says until it has read all may be dropped. One that has
 * gone or does not read for `patience` is told no more, and gives no answer.
 */
void pb_agent_tell(struct pb_agent *a, const struct pb_text *o);

/*
 * Wait for its next line.
 *
 * Returns  the line without its end, of *n bytes, good until the next call;
 *          NULL: it is at fault
 */
const char *pb_agent_answer(struct pb_agent *a, size_t *n);

/* Close its input, give it half a second to end, then kill its group; or kill
 * that `now`. Then it is none. */
void pb_agent_end(struct pb_agent *a, bool now);

/* Other records in place of an answer, and there is none. */
#define PB_OTHERS 1000

/* A record in a few words: "a move of pinky". */
#define PB_DESCRIBED 128
const char *pb_describe(const struct pb_rec *r, char buf[PB_DESCRIBED]);

/* The direction of a move record, -1: bad says what is wrong with it. */
int pb_move_dir(const struct pb_rec_move *m, struct pb_error *bad);

/*
 * Programs in the places of bodies.
 *
 * On a board a program reads the maze, then at the begin of each game a reset
 * record, then a tick record whenever its body has to decide, and answers with
 * a move. A ghost that has to draw lots gets a draw record before that, and
 * ticks without what the ghosts will do next.
 *
 * On a map all read the map, and a reset record before each game. A ghost reads
 * what it has to know: state records, cmd records to it, estimated poses of the
 * robot. It answers with its pose after its commands reset_ghosts and spawn,
 * and when the time of the records comes to the end of a period of the ghosts,
 * where there is a state in any case. The planner reads what the published node
 * hears: cmd records of the controller, goals and how they ended, estimated
 * poses of the robot, poses of the ghosts. When it has to choose it reads the
 * pellets that are left and a cmd record "choose" to "planner"; it answers with
 * a target record of that time, without a pellet if there is none to go to.
 * Whatever else they write is passed over. What they are told has all digits,
 * so if their answers have them, their game is the one without programs.
 */
struct pb_programs {
	const struct pb_game *game;
	const struct pb_outside *given;
	const void *state; /* of the game that is played */
	double patience;
	struct pb_agent body[PB_BODIES];
	struct pb_text due[PB_BODIES]; /* what each is to be told next */
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
 * Start the programs of bodies.
 *
 * Given    game, x, ground  kept, with what they point to
 *          id               of the pellets on a map, NULL: 0..n-1; kept
 * Returns  false: one cannot be started, as when it fails; for
 *          pb_programs_end in any case
 */
bool pb_programs_begin(struct pb_programs *p, const struct pb_game *game,
    const struct pb_outside *x, double patience, const struct pb_ground *ground,
    const long *id);

/* A game begins, trial `trial` of `seed`; its state is kept. */
void pb_programs_reset(
    struct pb_programs *p, const void *state, uint64_t seed, uint64_t trial);

/* End them, those that have failed at once. */
void pb_programs_end(struct pb_programs *p);

/* Whether there is a program of body i. */
bool pb_programs_have(const struct pb_programs *p, int i);

/* After a game: whether the player answered what nobody asked, so that it may
 * have played old moves. Then it has failed. */
bool pb_programs_eager(struct pb_programs *p);

/* Why it failed; say so, unless a signal asks us to end. */
const char *pb_programs_why(const struct pb_programs *p);
void pb_programs_complain(const struct pb_programs *p);

/*
 * What a crew does by them, with the struct pb_programs as its ctx. Where one
 * fails, `failed` is set, and what is returned is some move.
 */
struct pb_crew pb_programs_crew(struct pb_programs *p);
