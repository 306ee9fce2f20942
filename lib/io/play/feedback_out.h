/* feedback_out.h - lights, sounds and motions of a game or a stream, as records
 * and sounds. */
#pragma once

#include <stdbool.h>

#include "robot/signals.h"
#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/stream/file.h"
#include "io/stream/line.h"

/* Options of lights, sounds and motions. A zeroed struct requests none. */
struct pb_cues_opts {
	bool records;    /* --feedback: write light, sound, motion */
	const char *wav; /* --wav: file for the sounds, NULL: none */
};

/* Rows of a tool's option table; p: struct pb_cues_opts *. */
#define PB_OPT_CUES(p)                                                     \
	{"feedback", 0, PB_OPT_FLAG, NULL,                                 \
	    "write lights, sounds and motions, too; without options of a " \
	    "game, of the events read",                                    \
	    &(p)->records},                                                \
	{                                                                  \
		"wav", 0, PB_OPT_TEXT, "file",                             \
		    "write the sounds of a game to a WAV file", &(p)->wav  \
	}

/*
 * Whether the options go together and the file can be written; if not, it was
 * said.
 */
bool pb_cues_check(const struct pb_cues_opts *o);

/*
 * Whether --feedback is given and nothing else that is about a game: the events
 * that are read are to be shown.
 */
bool pb_cues_alone(const struct pb_opt_names *given);

/*
 * A WAV file. A regular file appears whole, when it is closed. A pipe or
 * device, where the header cannot be written anew, gets one with the largest
 * sizes there are, as players take it from a stream, and samples as they come.
 * A zeroed struct is closed.
 */
struct pb_wav {
	struct pb_file file;
	uint64_t samples; /* so far */
	bool open;
};

/*
 * The feedback of one stream or game. Of a zeroed struct, and where nothing is
 * wanted, all calls do nothing.
 */
struct pb_cues {
	const struct pb_cues_opts *o; /* not owned */
	struct pb_text *out;          /* not owned */
	struct pb_feedback f;
	double now; /* the latest time, NAN before the first (s) */
	struct pb_wav wav;
	struct pb_tone tone;
	double wav_from; /* the time of its first sample (s) */

	/* Called for each change of the lights, even if no records are wanted;
	 * or NULL. */
	void (*see)(void *user, const struct pb_ring *r);
	void *user;
};

/*
 * Begin the first game (of a zeroed struct), or another one, with new options;
 * the file of sounds stays that of the first. Lights and sounds of the former
 * game are played to their end.
 *
 * Given    o    checked; kept
 *          t    when it begins; NAN: with the first time given (s)
 *          out  for the records of all games
 * Returns  whether the file could be opened; if not, a message was printed
 */
bool pb_cues_begin(struct pb_cues *c, const struct pb_cues_opts *o, double t,
    struct pb_text *out);

/*
 * Write the records due until t. A t in the past counts as the latest time.
 * When the clock jumps, back by more than half a minute or ahead by more than
 * an hour, another game begins. A time beyond 1e15 s is ignored.
 */
void pb_cues_until(struct pb_cues *c, double t);

/* Another game begins with the next time given: end what goes on. */
void pb_cues_restart(struct pb_cues *c);

/* Write the record of an event, and no more. */
void pb_cues_put(struct pb_text *out, double t, const char *name);

/* Play a light, sound or motion now, by type: PB_REC_EVENT, PB_REC_LIGHT,
 * PB_REC_SOUND, PB_REC_MOTION; see signals.h. */
enum pb_feedback_result pb_cues_play(
    struct pb_cues *c, enum pb_rec_type type, const char *name);

/* The types of records that pb_cues_hear() takes, none if nothing is wanted. */
uint64_t pb_cues_want(const struct pb_cues_opts *o);

/* The same from a record, read at `at`: event; light, sound and motion with
 * only a name; cmd event. Others do nothing; an unknown name gets a warning. */
void pb_cues_hear(
    struct pb_cues *c, const struct pb_rec *r, struct pb_place at);

/* Finish: play sounds and lights that end to their end, then switch off; after
 * a signal, switch off at once. Close the file. */
void pb_cues_finish(struct pb_cues *c);

/*
 * Be a filter: pass on the records of the files and add the cues that they
 * lead to.
 */
void pb_cues_filter(const struct pb_cues_opts *o,
    const struct pb_opt_common *common, char *const *files, int n);
