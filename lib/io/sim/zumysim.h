/* zumysim.h - what pb-sim does under the Zumy rules. */
#ifndef PB_IO_SIM_ZUMYSIM_H
#define PB_IO_SIM_ZUMYSIM_H

#include "game/zumy/zumy.h"
#include "io/sim/boardsim.h"
#include "io/sim/zumyknown.h"

/* The constants: a group for struct pb_tool. */
struct pb_opt_group pb_zumysim_group(
    struct pb_zumy_opts *o, const char **given);

/* Names of the patrols: "patrol1", ... */
extern const char *const *const pb_zumysim_patrol;

struct pb_zumysim {
	const struct pb_zumy_opts *o;
	const struct pb_zumy_player *player;
	struct pb_boardsim sim;
	const char *as; /* the patrol that we are in a swarm of processes;
	                 * NULL: the player, and all that are no programs */
	const struct pb_opt_list *programs; /* patrols, NULL: none */
	double patience;                    /* for what they say (s) */
	double rate; /* of poses of robots with bodies (1/s) */
	int known;   /* whose knowledge to write, see pb_zumyknown_find */
};

/*
 * Play one game and write it: the board; a move record whenever a robot
 * decides, messages, and a tick record whenever something is seen to change; at
 * the end the result. A patrol that stays says so once, as long as nothing
 * changes for it. With bodies there are poses, too. With operands, the player
 * drives by the move records in these streams, one when he decides, and waits
 * after the last. A game that its pilot has left has no result. Patrols may be
 * programs (see chorus.h): the player writes ticks and result; a patrol reads
 * on standard input what all robots say, the board first, and writes what it
 * says itself.
 */
void pb_zumysim_run(const struct pb_zumysim *p, char *const *files, int n);

#endif
