/* game.h - records of the game controller: commands, states, feedback. */
#ifndef PB_IO_REC_GAME_H
#define PB_IO_REC_GAME_H

#include "base/geom.h"
#include "io/rec/type.h"
#include "io/stream/text.h"

/* What the value of a cmd is. */
enum pb_value { PB_VALUE_NONE, PB_VALUE_TEXT, PB_VALUE_NUM, PB_VALUE_POINT };

struct pb_rec_cmd {
	char name[PB_REC_WORD]; /* start, reset, enable, disable, ... */
	enum pb_value kind;
	char text[PB_REC_TEXT]; /* PB_VALUE_TEXT */
	double num;             /* PB_VALUE_NUM */
	struct pb_vec point;    /* PB_VALUE_POINT: [x, y] (m) */
};

struct pb_rec_state {
	char state[PB_REC_WORD]; /* menu, returning_home, starting, ... */
	long round;              /* 1.., -1 if missing, as the counts below */
	long spawned;            /* pellets laid */
	long collected;          /* of them */
	long score;
	char result[PB_REC_TEXT]; /* "Complete - Score: 8", "" if none */
};

#define PB_REC_NOTES 64

/* event, light, sound, motion: a name and what goes with it. */
struct pb_rec_event {
	char name[PB_REC_WORD];  /* "pellet", "clyde killed", "win", ... */
	long pellet;             /* id, -1 if none */
	char text[PB_REC_TEXT];  /* more about it */
	double duration;         /* NAN if missing (s) */
	double w;                /* motion: turn rate, NAN if missing (rad/s) */
	int leds;                /* light: LEDs given, 0 or 6 */
	unsigned char led[6][3]; /* red, green, blue */
	int notes;               /* sound: notes given */
	struct {
		double hz, s; /* pitch (Hz), length (s) */
	} note[PB_REC_NOTES];
};

/* What is optional is missing. */
struct pb_rec_state pb_rec_state_none(void);
struct pb_rec_event pb_rec_event_none(void);

void pb_put_cmd(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_cmd *c);
void pb_put_state(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_state *e);

/* type: PB_REC_EVENT, PB_REC_LIGHT, PB_REC_SOUND or PB_REC_MOTION */
void pb_put_event(struct pb_text *o, enum pb_rec_type type, struct pb_stamp s,
    const struct pb_rec_event *e);

#endif
