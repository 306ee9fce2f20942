/* game_records.h - commands, states and feedback, pellets, moves and ticks. */
#ifndef PB_IO_REC_GAME_RECORDS_H
#define PB_IO_REC_GAME_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "pb/seen.h"
#include "io/rec/type.h"
#include "io/stream/text.h"
#include "pb/geom.h"

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

struct pb_rec_pellet {
	long id;     /* >= 0, no two alike in a record */
	double x, y; /* (m) */
	bool power;  /* kind "power" rather than "pellet" */
};

struct pb_rec_pellets {
	struct pb_rec_pellet *pellet; /* owned when read */
	size_t n;
};

struct pb_rec_target {
	long pellet;           /* id; -1: none (written as null) */
	double x, y;           /* of the pellet (m), NAN without one */
	double total;          /* its score (m), NAN if missing */
	char why[PB_REC_WORD]; /* safe, best, fallback, none */
	bool threat;
	bool changed; /* not the target before */
};

struct pb_rec_score {
	long id;          /* of the pellet */
	double x, y;      /* (m) */
	double distance;  /* (m) */
	double risk;      /* (m) */
	double direction; /* (m) */
	double total;     /* (m) */
	bool safe;        /* in a safe direction */
	bool excluded;    /* too near the ghost to be chosen */
};

struct pb_rec_scored {
	bool threat;
	struct pb_rec_score *pellet; /* owned when read */
	size_t n;
};

/* What is optional is missing. */
struct pb_rec_target pb_rec_target_none(void);

void pb_put_pellets(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_pellets *p);
void pb_put_target(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_target *g);
void pb_put_scored(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_scored *c);

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

void pb_put_tick(struct pb_text *o, struct pb_stamp s, const struct pb_seen *k);
void pb_put_move(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_move *m);
void pb_put_joy(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_joy *j);
void pb_put_message(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_message *m);
void pb_put_draw(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_draw *d);

#endif
