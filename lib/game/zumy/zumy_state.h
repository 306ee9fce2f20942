/* zumy_state.h - a tick of the Zumy game, however robots move. */
#ifndef PB_GAME_ZUMY_STATE_H
#define PB_GAME_ZUMY_STATE_H

#include "game/zumy/zumy.h"

/* For the rules' own sources: what moves a robot, 0 is the player's. */
struct pb_zumy_motor {
	/* A tick of motion of a body that drives or not; true if it has just
	 * arrived: then it is in the cell and turn and drive are 0. */
	bool (*advance)(void *ctx, int robot, struct pb_zumy_body *b);
	void *ctx;
};

/*
 * As pb_zumy_tick, if crew is NULL, or pb_zumy_tick_crew; without m robots move
 * in step.
 */
bool pb_zumy_tick_by(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, enum pb_dir d,
    const struct pb_zumy_crew *crew, const struct pb_zumy_motor *m);

/* What one patrol has seen, all know. */
void pb_zumy_share(struct pb_zumy *s, const struct pb_zumy_opts *o);

#endif
