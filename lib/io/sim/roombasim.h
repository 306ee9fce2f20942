/* roombasim.h - what pb-sim does under the Roomba rules. */
#ifndef PB_IO_SIM_ROOMBASIM_H
#define PB_IO_SIM_ROOMBASIM_H

#include "game/roomba/rplayer.h"
#include "io/sim/boardsim.h"
#include "io/sim/joy.h"

/* The constants: a group for struct pb_tool. */
struct pb_opt_group pb_roombasim_group(
    struct pb_roomba_opts *o, const char **given);

struct pb_roombasim {
	const struct pb_roomba_opts *o;
	const struct pb_roomba_player *player;
	struct pb_boardsim sim;
	const char *as; /* the ghost that we are in a swarm of processes;
	                 * NULL: Pac-Man, and all that are no programs */
	const struct pb_opt_list *programs; /* ghosts, NULL: none */
	double patience;                    /* for what they say (s) */
	double rate;                  /* of poses of robots with bodies (1/s) */
	struct pb_joystick *joystick; /* who steers, NULL: nobody */
};

/*
 * Play one game and write it: the board, and for each tick the moves, what
 * the robots tell each other, and the state; at the end the result. With
 * operands, Pac-Man's stick follows the move records in these streams, one
 * when he decides, or the joy records, and rests in the middle after the last.
 * With a joystick the game runs in real time. With bodies there
 * are poses, too, moves when a robot decides and ticks when something happens.
 * A game that its pilot has left has no result. Ghosts may be programs (see
 * chorus.h): Pac-Man keeps the score and writes ticks and result; a ghost reads
 * on standard input what all robots say, the board first, and writes what it
 * says itself.
 */
void pb_roombasim_run(const struct pb_roombasim *p, char *const *files, int n);

#endif
