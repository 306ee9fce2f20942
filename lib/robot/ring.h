/* ring.h - the ring of six lights on the robot: colours and animations. */
#ifndef PB_ROBOT_RING_H
#define PB_ROBOT_RING_H

#include <stdbool.h>

/*
 * The lightring of a Create 3 as PacManBot's game_light_node lights it. LED 0
 * is the first of the message. Everything is constant.
 */
#define PB_RING_LEDS   6
#define PB_RING_PERIOD 0.15 /* from frame to frame (s) */

struct pb_led {
	unsigned char r, g, b;
};

struct pb_ring {
	struct pb_led led[PB_RING_LEDS];
};

/* A colour or an animation. */
struct pb_light {
	const char *name;  /* lower case */
	const char *alias; /* another name, NULL if none */
	int frames;        /* >= 1; 1: a colour, which needs no clock */
	bool loops;        /* begins anew after the last one */
	bool again;        /* the last one is sent once more at the end */
	char ghost;        /* its colour in the palette, 0 if none */
	const struct pb_light_part *part; /* what the frames are made of */
};

/* Light i, 0..; NULL behind the last. */
const struct pb_light *pb_light_at(int i);

/* The light of that name or alias, NULL if there is none. */
const struct pb_light *pb_light_find(const char *name);

/*
 * Frame i of l, 0..: of one that loops it goes on for ever, of others it stays
 * at the last.
 */
struct pb_ring pb_light_frame(const struct pb_light *l, long i);

/* Whether all six are off. */
bool pb_ring_dark(const struct pb_ring *r);

#endif
