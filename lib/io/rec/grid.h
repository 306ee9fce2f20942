/* grid.h - records of the grid games. */
#ifndef PB_IO_REC_GRID_H
#define PB_IO_REC_GRID_H

#include <stdbool.h>

#include "game/seen.h"
#include "io/rec/type.h"
#include "io/stream/text.h"

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
struct pb_seen pb_seen_none(void);

void pb_put_tick(
    struct pb_text *o, struct pb_stamp s, const struct pb_seen *k);
void pb_put_move(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_move *m);
void pb_put_joy(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_joy *j);
void pb_put_message(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_message *m);
void pb_put_draw(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_draw *d);

#endif
