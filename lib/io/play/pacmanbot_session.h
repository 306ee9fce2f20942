/* pacmanbot_session.h - one pacmanbot game, set up and commanded by records. */
#ifndef PB_IO_PLAY_PACMANBOT_SESSION_H
#define PB_IO_PLAY_PACMANBOT_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "game/pacmanbot/round.h"
#include "io/opt/opt.h"
#include "io/play/feedback_out.h"
#include "io/play/pacmanbot_programs.h"
#include "io/play/pacmanbot_trace.h"
#include "io/play/senses.h"
#include "io/play/world.h"

/* What the user wants; copied, but for what it points to. */
struct pb_session_opts {
	struct pb_round_opts game;      /* checked */
	const struct pb_player *player; /* who plays */
	const char *preset;             /* its name for the result, or NULL */
	uint64_t seed, trial;
	bool autostart; /* press start at once, and after each round */
	int rounds;     /* with autostart: end after so many, >= 1 */
	double max_gap; /* a command may be so far ahead of the game (s) */
	uint32_t trace; /* enum pb_trace_kind */
	double period;  /* of poses in the trace (s) */
	struct pb_senses_opts senses; /* checked */
	struct pb_cues_opts cues;     /* checked */
	const char *ghost;            /* program that is Clyde, NULL: none */
	const char *score;            /* program that chooses, NULL: none */
	double patience;              /* for their answers (s) */
	const struct pb_agent_outside
	    *outside; /* which are not ours, or NULL */
};

/*
 * A zeroed session with o and out set is ready for records. The world comes
 * first; the game begins with the first command, or when the input is over.
 */
struct pb_session {
	struct pb_session_opts o;
	struct pb_text *out;
	struct pb_world world;
	struct pb_arena *arena;
	void *known; /* what the player has learnt about the arena */
	struct pb_round_opts learnt; /* for which round and speed */
	struct pb_round *round;
	struct pb_trace trace;
	struct pb_cues cues;
	struct pb_senses senses;
	struct pb_botghost ghost; /* if it has failed, the game is over */
	struct pb_botscore score; /* the same */
	uint64_t map_hash;
	uint64_t options;     /* hash of all options */
	int played;           /* rounds that have ended */
	bool wants;           /* start was asked for and not yet pressed */
	bool started;         /* it was pressed */
	struct pb_trial last; /* result that waits for the robot to be home */
	bool waits;
};

/*
 * A map or pellets record, before the game begins; afterwards it is refused.
 *
 * Returns  true; false with bad filled in
 */
bool pb_session_world(
    struct pb_session *s, struct pb_rec *r, struct pb_error *bad);

/*
 * Begin the game if it has not begun: the world is complete.
 *
 * Returns  true; false with bad filled in, or its text empty if it was said
 */
bool pb_session_begin(struct pb_session *s, struct pb_error *bad);

/*
 * The same in two halves: make what can be refused, and write nothing; then
 * begin. Another game's cues may be handed over in between.
 */
bool pb_session_make(struct pb_session *s, struct pb_error *bad);
bool pb_session_go(struct pb_session *s, struct pb_error *bad);

/*
 * Play until time t of the game (s, NAN: do not), or until all rounds are
 * over.
 *
 * Returns  true; false with bad filled in if t is too far ahead
 */
bool pb_session_until(struct pb_session *s, double t, struct pb_error *bad);

/*
 * Press start, or, until the robot knows where it is, wait with it. Outside
 * the menu it is refused with a note, as the published service does.
 */
void pb_session_start(struct pb_session *s);

/*
 * Whether a command can be carried out now.
 *
 * Given    id  whom the record is for, "": whoever can
 * Returns  true; false with bad filled in: a value that the command cannot
 *          take
 */
bool pb_session_takes(const struct pb_session *s, const struct pb_rec_cmd *c,
    const char *id, struct pb_error *bad);

/*
 * Carry out a command that pb_session_takes(). One that is for nobody in the
 * game does nothing, and so does any after the game.
 */
void pb_session_command(
    struct pb_session *s, const struct pb_rec_cmd *c, const char *id);

/*
 * The input is over: play to the end and write the last result. The end comes
 * in any case: a game that stays in one state for longer than that state can
 * last is given up with a note.
 */
void pb_session_finish(struct pb_session *s);

/* Let one step pass, and do what follows from it. */
void pb_session_step(struct pb_session *s);

/* Whether nobody has pressed start and nobody will. */
bool pb_session_idle(const struct pb_session *s);

/* Write the result that waits for the robot to be home, if there is one. */
void pb_session_leave(struct pb_session *s);

/*
 * A copy of the game that has begun, to make it that again. NULL without
 * memory; NULL is dropped, too. Good as long as the session is.
 */
struct pb_session_copy;
struct pb_session_copy *pb_session_save(const struct pb_session *s);
void pb_session_load(struct pb_session *s, const struct pb_session_copy *c);
void pb_session_drop(struct pb_session_copy *c);

/*
 * Begin another game, in the same world or in another one, whose map is
 * written then.
 *
 * Given    s      allocated by malloc, as the answer is
 *          world  NULL: the same; another one becomes the session's
 * Returns  the session that takes its place, s being freed; NULL with bad
 *          filled in (its text empty if it was said), s and world as they were
 */
struct pb_session *pb_session_again(struct pb_session *s,
    const struct pb_session_opts *o, struct pb_world *world,
    struct pb_error *bad);

/* Let the player know what it can about a round with o's round and speed. */
void pb_session_learn(struct pb_session *s, const struct pb_round_opts *o);

/* Whether a program that plays has failed, which was said. */
bool pb_session_failed(const struct pb_session *s);

/* Whether all rounds asked for are over and the robot is home again. */
bool pb_session_over(const struct pb_session *s);

void pb_session_clear(struct pb_session *s);

struct pb_botsim {
	const struct pb_session_opts *o;
	const char *map; /* file with the map, NULL: it comes as a record */
	const struct pb_opt_common *common;
};

/*
 * Choose a player by number, poses so many a second, and see whether the
 * constants go together; if not it was said.
 */
bool pb_botsim_check(struct pb_session_opts *o, int player, double rate);

/*
 * Read map, pellets and commands from the files, play as they say and to the
 * end, and write the trace. What goes wrong is said.
 */
void pb_botsim_run(const struct pb_botsim *p, char *const *files, int n);

/*
 * Read only map and pellets, for a session with o and out set; other records
 * are passed on.
 *
 * Returns  whether there is a map, *map being where it came from; if not, why
 *          was said
 */
bool pb_botsim_read(const struct pb_botsim *p, struct pb_session *s,
    char *const *files, int n, struct pb_place *map);

#endif
