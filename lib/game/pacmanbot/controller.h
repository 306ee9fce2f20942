/* controller.h - the published game controller as a state machine. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "game/pacmanbot/opts.h"

/*
 * Seven inputs (start, reset, planner status, marker message, base speed,
 * time) change the state and append actions, in the order in which the
 * published node publishes and calls; the owner carries them out and empties
 * the list. Times are seconds on any clock that does not run backwards.
 * Plain value: copying it is a snapshot.
 */
enum pb_state {
	PB_MENU,
	PB_RETURNING_HOME,
	PB_STARTING,
	PB_RUNNING,
	PB_DYING,
	PB_COMPLETE
};

/* Why the robot is going home. */
enum pb_pending { PB_PENDING_NONE, PB_PENDING_START, PB_PENDING_COMPLETED };

/* What the published planner node says to the controller. */
enum pb_said {
	PB_SAID_COLLECTED, /* pellet_collected:<id> */
	PB_SAID_COMPLETE,  /* game_complete */
	PB_SAID_DEATH,     /* death_detected */
	PB_SAID_HOME,      /* home_reached */
	PB_SAID_HOME_FAILED
};

enum pb_act {
	PB_ACT_DISABLE,       /* command to the planner */
	PB_ACT_ENABLE,        /* command to the planner */
	PB_ACT_RESET_ROUND,   /* command to the planner */
	PB_ACT_RETURN_HOME,   /* command to the planner */
	PB_ACT_EVENT,         /* text: a game event, to lights and sounds */
	PB_ACT_RESET_PELLETS, /* service call */
	PB_ACT_RESET_CLYDE,   /* service call */
	PB_ACT_SPEED,         /* value: Clyde's speed (m/s) */
	PB_ACT_STATE,         /* value: enum pb_state, as published */
	PB_ACT_COUNTS,        /* spawned, collected, score, round changed */
	PB_ACT_RESULT         /* the result text changed */
};

struct pb_action {
	enum pb_act act;
	double value;
	const char *text; /* static storage, or NULL */
};

#define PB_ACTIONS 32 /* room for the longest list of one input */

struct pb_controller {
	enum pb_state state;
	enum pb_pending pending;
	double until;      /* end of the running timer (s), < 0: none */
	double theatrical; /* length of the show (s) */
	double death_show; /* (s) */
	double base_speed; /* Clyde's in round 1 (m/s) */
	double step;       /* faster each round (m/s) */
	int round;         /* 1.. */
	int spawned;       /* pellets of this round, as far as known */
	int collected;     /* of them */
	int score;         /* of all rounds of this game */
	bool awaiting;     /* the next marker message counts the spawned */
	char result[64];   /* "" until there is one */
	uint64_t seen[PB_ROUND_IDS / 64]; /* ids collected */
	int actions;                      /* in action[] */
	struct pb_action action[PB_ACTIONS];
};

/* Append n >= 0 in decimal to the text at p; returns its end. */
char *pb_append_int(char *p, int n);

/* Name of a state or command as published ("returning_home", ...). */
const char *pb_state_name(enum pb_state s);
const char *pb_said_name(enum pb_said s);
const char *pb_act_name(enum pb_act a);

/*
 * A controller in the menu.
 *
 * Given    base, step  Clyde's speed in round 1 and its growth (m/s)
 *          theatrical, death_show  lengths of the shows (s)
 */
void pb_controller_init(struct pb_controller *c, double base, double step,
    double theatrical, double death_show);

/* Clyde's speed in the present round (m/s). */
double pb_controller_speed(const struct pb_controller *c);

/* The start service. Returns false (nothing changes) outside the menu. */
bool pb_controller_start(struct pb_controller *c);

/* The reset service. */
void pb_controller_reset(struct pb_controller *c);

/*
 * A status of the planner node.
 *
 * Given    now  (s)
 *          id   pellet for PB_SAID_COLLECTED; < 0: none was given or it
 *               could not be read, and the pellet counts all the same
 */
void pb_controller_said(
    struct pb_controller *c, double now, enum pb_said said, int id);

/* A marker message with so many pellets remaining. */
void pb_controller_markers(struct pb_controller *c, int remaining);

/* The base speed message; ignored unless > 0 (m/s). */
void pb_controller_base_speed(struct pb_controller *c, double speed);

/* Time passes: timers that are due fire. Navigation always answers. */
void pb_controller_tick(struct pb_controller *c, double now);

/* Drop the actions carried out. */
void pb_controller_done(struct pb_controller *c);
