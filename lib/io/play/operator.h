/* operator.h - a game that somebody leads: start, commands, round after round.
 */
#pragma once

#include "io/play/play.h"
#include "io/rec/rec.h"

/*
 * Games with commands (pb/game.h), begun by pb_play_begin(). The operator
 * presses start, by a command or by autostart; at the end of a round, when the
 * game waits for start again, its result is written.
 */

/*
 * Whether a command can be carried out now.
 *
 * Given    id  whom the record is for, "": whoever can
 * Returns  true; false with bad filled in: a value that the command cannot
 *          take
 */
bool pb_operator_takes(const struct pb_play *p, const struct pb_rec_cmd *c,
    const char *id, struct pb_error *bad);

/*
 * Carry out a command that pb_operator_takes(). One that is for nobody in the
 * game does nothing, and so does any after the game.
 *
 * Note     start waits until the robot knows where it is; outside the menu it
 *          is refused with a note, as the published service does
 */
void pb_operator_command(
    struct pb_play *p, const struct pb_rec_cmd *c, const char *id);

/* Let one step pass, and do what follows from it. */
void pb_operator_step(struct pb_play *p);

/*
 * Play until time t of the game (s, NAN: do not), or until all rounds are
 * over.
 *
 * Returns  true; false with bad filled in if t is too far ahead
 */
bool pb_operator_until(struct pb_play *p, double t, struct pb_error *bad);

/*
 * The input is over: play to the end and write the last result. The end comes
 * in any case: a game that stays in one phase for longer than that can last is
 * given up with a note.
 */
void pb_operator_finish(struct pb_play *p);

/* Whether nobody has pressed start and nobody will; whether all rounds asked
 * for are over and the robot is home again. */
bool pb_operator_idle(const struct pb_play *p);
bool pb_operator_over(const struct pb_play *p);

/* Write the result that waits for the robot to be home, if there is one. */
void pb_operator_leave(struct pb_play *p);
