/* roombaplay.h - a Roomba game being played: what roombasim.c and
 * roombatell.c share. */
#ifndef PB_IO_SIM_ROOMBAPLAY_H
#define PB_IO_SIM_ROOMBAPLAY_H

#include "game/roomba/roomba_drive.h"
#include "io/sim/chorus.h"
#include "io/sim/joy.h"
#include "io/sim/roombasim.h"

/* Robots have numbers: -1 is Pac-Man, the others are the ghosts. */
#define PB_ROOMBA_PACMAN (-1)

/* A game being played. */
struct pb_roombaplay {
	const struct pb_roombasim *p;
	struct pb_maze z;
	struct pb_roomba_board board;
	struct pb_roomba s;
	struct pb_roomba_fleet fleet; /* with bodies: s is a copy of its */
	long poses;                   /* rounds of pose records so far */
	struct pb_rng rng;            /* the player's */
	struct pb_chorus c;           /* all records go through it */
	struct pb_cues cues;          /* not where we are a ghost */
	struct pb_senses senses;      /* Pac-Man's; the same */
	enum pb_dir stick;            /* where it points in this step */
	struct pb_joy joy;            /* Pac-Man's, where he has one */
	double joy_since;             /* START was pressed; its clock (s) */
	bool has_joy;                 /* one was seen */
	bool waits;                   /* for START */
	bool scripted;
	bool left; /* the pilot has had enough */
};

/* All names, Pac-Man's first; the name of a robot. */
extern const char *const pb_roombaplay_names[1 + PB_ROOMBA_GHOSTS];
const char *pb_roombaplay_name(int robot);

/* Whether the robots have bodies; the time, in ticks, or in seconds if so. */
bool pb_roombaplay_drives(const struct pb_roombaplay *g);
double pb_roombaplay_time(const struct pb_roombaplay *g);

/* If a robot is lost, the game knows it from now on. */
void pb_roombaplay_heed(struct pb_roombaplay *g, int robot);

/*
 * Write the board; a move; what the robots told each other in the last tick;
 * the state of the game; what happened in the last tick, as events for lights
 * and sounds; the true poses, if they are due; the result. Each
 * robot writes what is its own.
 */
void pb_roombaplay_board(struct pb_roombaplay *g);
void pb_roombaplay_move(struct pb_roombaplay *g, int robot, enum pb_dir d);
void pb_roombaplay_tell(struct pb_roombaplay *g);
void pb_roombaplay_tick(struct pb_roombaplay *g);
void pb_roombaplay_events(struct pb_roombaplay *g);
void pb_roombaplay_poses(struct pb_roombaplay *g);
void pb_roombaplay_result(struct pb_roombaplay *g);

/*
 * What roombasim.c does with it: read the board and make its tables; begin, as
 * p says; where the stick points in the next tick, and that tick. False: no
 * such board, which was said; the game is over.
 */
bool pb_roombaplay_open(struct pb_roombaplay *g);
void pb_roombaplay_begin(struct pb_roombaplay *g);
enum pb_dir pb_roombaplay_stick(struct pb_roombaplay *g);
bool pb_roombaplay_on(struct pb_roombaplay *g, enum pb_dir d);

#endif
