/* step.h - the conformance record: one iteration of a Pacbot server. */
#pragma once

#include "io/rec/type.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/pacbot.h"

/*
 * The format is that of pb-pacbot(7): a first line {"meta":{...}}, then one
 * line for each iteration. The numbers of a state are one array, so that two
 * states are compared in one loop; pb_step_field() names them.
 */
enum {
	PB_STEP_PLAIN = 14,              /* tick, mode, score, ... */
	PB_STEP_PAC = PB_STEP_PLAIN,     /* row, col, dir */
	PB_STEP_GHOST = PB_STEP_PAC + 3, /* loc, next, trap, fright, ... */
	PB_STEP_OF_GHOST = 10,           /* numbers of each ghost */
	PB_STEP_VALUES = PB_STEP_GHOST + 4 * PB_STEP_OF_GHOST
};

#define PB_STEP_CMDS  64 /* commands of one iteration */
#define PB_STEP_BYTES 8  /* of one command */
#define PB_STEP_DRAWS 64

struct pb_step_draw {
	int ghost, bound, value; /* value in 0..bound-1 */
};
struct pb_step_cmd {
	uint8_t byte[PB_STEP_BYTES];
	int n;
};

struct pb_step {
	bool meta;                 /* the first line: all but these is unset: */
	int active;                /* ghosts that play */
	bool blind;                /* no draws are recorded */
	long it;                   /* iteration, 0.. */
	int value[PB_STEP_VALUES]; /* -1: not given */
	struct pb_step_draw draw[PB_STEP_DRAWS];
	int draws;
	struct pb_step_cmd cmd[PB_STEP_CMDS];
	int cmds;
	bool has_frame, has_post;
	uint8_t frame[PB_PACBOT_FRAME]; /* before the commands */
	uint8_t post[PB_PACBOT_FRAME];  /* after them */
	int post_pause; /* pauseOnUpdate after them, -1: not given */
};

/* Where a game came from, for the first line. */
struct pb_step_meta {
	int active;
	const char *policy, *record;
	uint64_t seed, trial;
};

/* Read a line; false: bad says what is wrong with it, a field that nobody
 * knows and that would not be compared included. */
bool pb_step_read(
    struct pb_step *k, const char *s, size_t n, struct pb_error *bad);

/* A frame alone, with the numbers that it tells, as iteration `it`. Returns
 * the first byte that no server would send, or -1. */
int pb_step_frame(struct pb_step *k, const uint8_t *frame, long it);

void pb_step_put(struct pb_text *o, const struct pb_step *k);
void pb_step_put_meta(struct pb_text *o, const struct pb_step_meta *m);

/* The numbers of s, after a begin that did an update or did not. */
void pb_step_values(const struct pb_pacbot *s, bool update, int *value);

/* Name of number i as "ghosts[1].next[2]", in buf of PB_REC_WORD bytes. */
const char *pb_step_field(int i, char *buf);

/* How one trace compared with the engine. */
struct pb_step_verdict {
	const char *file;
	long lines, ticks, updates, commands, draws, frames; /* seen */
	long gaps; /* places where frames are missing, -1: it is no capture */
	long compared[PB_STEP_VALUES];     /* how often, each number */
	int deaths, eaten, levels, resets; /* what the trace went through */
	bool agree;
	long line, tick; /* of the first difference */
	char field[PB_REC_WORD];
	char expected[PB_REC_WORD], got[PB_REC_WORD];
};

void pb_step_put_verdict(struct pb_text *o, const struct pb_step_verdict *v);
