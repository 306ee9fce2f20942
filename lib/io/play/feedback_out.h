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

/* Check that the options go together and the file can be written; if not, print
 * a message. */
bool pb_cues_check(const struct pb_cues_opts *o);

/* Whether --feedback is given without options of a game: the tool is then a
 * filter of events. */
bool pb_cues_alone(const struct pb_opt_names *given);

/*
 * A WAV file. A regular file appears once it is complete. A pipe or device,
 * whose header cannot be rewritten, gets the largest sizes in its header, which
 * players accept from a stream, and samples as they come. A zeroed struct is
 * closed.
 */
struct pb_wav {
	struct pb_file file;
	uint64_t samples; /* so far */
	bool open;
};

/* The feedback of one stream or game. All calls do nothing on a zeroed struct,
 * and if no output is requested. */
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
 * Begin the first game (of a zeroed struct) or another one, with new options;
 * the WAV file stays that of the first. Lights and sounds of the previous game
 * are played to their end.
 *
 * Given    o: checked; kept. t: begin of the game (s), NAN: the first time
 * seen. out: for the records of all games
 *
 * Returns  whether the file could be opened; if not, a message was printed
 */
bool pb_cues_begin(struct pb_cues *c, const struct pb_cues_opts *o, double t,
    struct pb_text *out);

/*
 * Write the records due until t; a t in the past counts as the latest time. If
 * the clock jumps back by more than 30 s or ahead by more than an hour, another
 * game begins. Times beyond 1e15 s are ignored.
 */
void pb_cues_until(struct pb_cues *c, double t);

/* End all cues; another game begins at the next time. */
void pb_cues_restart(struct pb_cues *c);

/* Write only the record of an event. */
void pb_cues_put(struct pb_text *out, double t, const char *name);

/* Play a light, sound or motion now, by type: PB_REC_EVENT, PB_REC_LIGHT,
 * PB_REC_SOUND, PB_REC_MOTION; see signals.h. */
enum pb_feedback_result pb_cues_play(
    struct pb_cues *c, enum pb_rec_type type, const char *name);

/* Types of records that pb_cues_hear() uses; none if no output is requested. */
uint64_t pb_cues_want(const struct pb_cues_opts *o);

/* Play what a record requests that was read at `at`: event; light, sound and
 * motion with only a name; cmd event. Other records do nothing; an unknown name
 * gets a warning. */
void pb_cues_hear(
    struct pb_cues *c, const struct pb_rec *r, struct pb_place at);

/* Play finite sounds and lights to their end, or switch off at once after a
 * signal; close the file. */
void pb_cues_finish(struct pb_cues *c);

/* Run as a filter: pass on the records of the files, and add the cues that they
 * request. */
void pb_cues_filter(const struct pb_cues_opts *o,
    const struct pb_opt_common *common, char *const *files, int n);
