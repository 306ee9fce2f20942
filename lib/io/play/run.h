/* run.h - one game from the first byte of its streams to its end, and the
 * operator who leads it: start, commands, round after round. */
#pragma once

#include "io/play/play.h"
#include "io/rec/rec.h"

/* What is drawn of a game: the board, and where the player was. */
struct pb_play_left {
	struct pb_maze maze; /* rows 0: there was none */
	struct pb_heat heat;
	char who[PB_TRIAL_NAME]; /* played */
};

/*
 * Play one game and write it.
 *
 * On a board: the board, and for each step the moves, what the robots tell
 * each other, and the state when it has changed; at the end the result. With
 * operands, the player follows the move records in these streams, one when he
 * decides, or the joy records, and rests after the last. With a pilot or a
 * joystick the game runs in real time. Robots with bodies have poses, too. A
 * game that its pilot has left has no result. Where bodies are programs, of a
 * game in lockstep each hears the whole game and speaks in turn (lockstep.h),
 * else each is asked when it has to decide (program.h).
 *
 * On a map: map, pellets and commands are read from the operands; the game
 * begins with the first command, or when the input is over. It is played as
 * the commands say and to its end, and its trace is written (trace.h).
 *
 * Given    left  NULL, or filled in
 */
void pb_play_run(const struct pb_play_opts *o, char *const *files, int n,
    struct pb_play_left *left);

/*
 * Read only map and pellets into p, which is open; other records are passed
 * on.
 *
 * Returns  whether there is a map, *map being where it came from; if not, why
 *          was said
 */
bool pb_play_read_map(
    struct pb_play *p, char *const *files, int n, struct pb_place *map);

/* Make the game and begin it on the map that was read: false if it was said
 * why not. */
bool pb_play_on_map(struct pb_play *p, struct pb_place map);

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
