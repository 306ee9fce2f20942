/* script.h - moves out of streams, in place of a player. */
#ifndef PB_IO_SIM_SCRIPT_H
#define PB_IO_SIM_SCRIPT_H

#include "io/opt/opt.h"
#include "io/rec/game_records.h"
#include "pb/maze.h"

/* The stick that a script moves. */
struct pb_script {
	const char *who; /* id of its moves; those without one are its, too */
	bool (*play)(void *game, enum pb_dir d); /* whether to go on */
	/* The same of a joystick, at t of its clock (NaN: unknown); or NULL. */
	bool (*joy)(void *game, double t, const struct pb_rec_joy *j);
	void *game;
};

/*
 * Play the move and joy records of the streams, one after the other.
 *
 * Returns  false if a record was refused, which was said
 */
bool pb_script_play(const struct pb_script *s, char *const *files, int n,
    const struct pb_opt_common *common);

#endif
