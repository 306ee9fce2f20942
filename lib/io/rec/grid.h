/* grid.h - records of the grid games. */
#ifndef PB_IO_REC_GRID_H
#define PB_IO_REC_GRID_H

#include <stdbool.h>

#include "io/rec/type.h"
#include "io/text.h"
#include "map/maze.h"

struct pb_rec_body {
	char id[PB_REC_WORD];   /* pacman, red, ... */
	int row, col;           /* row 0 is the top row (cells) */
	char dir[PB_REC_WORD];  /* up, left, down, right, "" */
	char mode[PB_REC_WORD]; /* chase, scatter, frightened, eaten, "" */
	int fright, trapped;    /* updates left of them, -1 if missing */
	bool spawning, eaten;
	bool has_next; /* where the next update puts it is known: */
	int next_row, next_col;
	char next_dir[PB_REC_WORD];
};

#define PB_REC_BODIES 16
struct pb_rec_tick {
	long tick;  /* 0.. */
	long score; /* -1 if missing, as the two below */
	long lives;
	long left;                    /* pellets that remain */
	long level, combo;            /* -1 if missing, as those below */
	long period;                  /* ticks between updates */
	long mode_steps, level_steps; /* updates left */
	long fruit;                   /* updates left */
	char mode[PB_REC_WORD];       /* scatter, chase, "" */
	bool paused, pausing;         /* now; at the next update */
	struct pb_maze board;         /* pellets as they lie, rows 0: none */
	struct pb_rec_body body[PB_REC_BODIES];
	int bodies;
	char hash[20]; /* of the state, 16 hex digits, "" */
};

struct pb_rec_move {
	char dir[PB_REC_WORD]; /* up, left, down, right, stop */
};

/* A joystick as it stands, as sensor_msgs/Joy has it. */
#define PB_REC_JOY_MAX 32
struct pb_rec_joy {
	double axis[PB_REC_JOY_MAX]; /* -1..1: [0] right, [1] up */
	int axes;
	bool button[PB_REC_JOY_MAX]; /* pressed: [0] START, [1] RESET */
	int buttons;
};

/* From one robot, the stamp's id, to another. */
struct pb_rec_message {
	char name[PB_REC_WORD];  /* START, RESET, POWER, EATEN, ... */
	char to[PB_REC_WORD];    /* whom; "" for all */
	char value[PB_REC_WORD]; /* "" if none */
};

struct pb_rec_draw {
	char purpose[PB_REC_WORD];
	double value;
};

/* What is optional is missing. */
struct pb_rec_tick pb_rec_tick_none(void);

void pb_put_tick(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_tick *k);
void pb_put_move(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_move *m);
void pb_put_joy(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_joy *j);
void pb_put_message(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_message *m);
void pb_put_draw(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_draw *d);

#endif
