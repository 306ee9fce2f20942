/* zumyplay.h - a Zumy game being played: what zumysim.c and zumytell.c share.
 */
#ifndef PB_IO_SIM_ZUMYPLAY_H
#define PB_IO_SIM_ZUMYPLAY_H

#include "game/zumy/zumy_drive.h"
#include "io/sim/chorus.h"
#include "io/sim/zumysim.h"

/* Robots have numbers: -1 is the player, the others are the patrols. */
#define PB_ZUMY_PLAYER (-1)

/* What a patrol that stands decides by, and that all can see. */
struct pb_zumyplay_scene {
	struct pb_zumy_cell at[1 + PB_ZUMY_PATROLS];
	struct pb_zumy_cell to[1 + PB_ZUMY_PATROLS];
	struct pb_zumy_cell last; /* place of the player that it knows */
	uint64_t known;           /* of its map, a sum that only grows */
	bool stood;               /* it has decided to stay */
};

/* A game being played. */
struct pb_zumyplay {
	const struct pb_zumysim *p;
	struct pb_maze z;
	struct pb_zumy_board board;
	struct pb_zumy s;
	struct pb_zumy_fleet fleet; /* with bodies: s is a copy of its */
	long poses;                 /* rounds of pose records so far */
	struct pb_zumy was;         /* as last written */
	struct pb_rng rng;          /* the player's */
	void *mem;                  /* to decide in, of any of them; owned */
	struct pb_zumyknown known;
	struct pb_cues cues;     /* only where we play alone */
	struct pb_senses senses; /* the player's; the same */
	enum pb_dir stick;       /* where the player wants to go */
	struct pb_chorus c;
	struct pb_zumyplay_scene scene[PB_ZUMY_PATROLS];
	bool scripted;
	bool left; /* the pilot has had enough */
};

/* All names, the player's first; the name of a robot. */
extern const char *const pb_zumyplay_names[1 + PB_ZUMY_PATROLS];
const char *pb_zumyplay_name(int robot);

/*
 * Write the board; a move; what the robots told each other and what has
 * changed; the state of the game; what happened in the last tick, as events
 * for lights and sounds; the true poses, if they are due; what patrols know, if
 * it is asked for; the result. Each robot writes what is its own.
 */
void pb_zumyplay_board(struct pb_zumyplay *g);
void pb_zumyplay_move(struct pb_zumyplay *g, int robot, enum pb_dir d);
void pb_zumyplay_show(struct pb_zumyplay *g);
void pb_zumyplay_tick(struct pb_zumyplay *g);
void pb_zumyplay_events(struct pb_zumyplay *g);
void pb_zumyplay_poses(struct pb_zumyplay *g);
void pb_zumyplay_known(struct pb_zumyplay *g);
void pb_zumyplay_result(struct pb_zumyplay *g);

/*
 * What zumysim.c does with it: read the board and make its tables, for
 * pb_zumyplay_close() in any case; begin, as p says; where the player goes in
 * the next tick, and that tick. False: no such board, which was said; the game
 * is over.
 */
bool pb_zumyplay_open(struct pb_zumyplay *g);
void pb_zumyplay_close(struct pb_zumyplay *g);
void pb_zumyplay_begin(struct pb_zumyplay *g);
enum pb_dir pb_zumyplay_steer(struct pb_zumyplay *g);
bool pb_zumyplay_on(struct pb_zumyplay *g, enum pb_dir d);

#endif
