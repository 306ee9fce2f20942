/* steering.h - steer by keys of the terminal, which is always restored, or by a
 * joystick. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "pb/maze.h"

enum pb_key {
	PB_KEY_NONE, /* no key in time, or one without meaning */
	PB_KEY_UP,   /* arrows, w a s d */
	PB_KEY_LEFT,
	PB_KEY_DOWN,
	PB_KEY_RIGHT,
	PB_KEY_STOP,   /* blank */
	PB_KEY_PAUSE,  /* p */
	PB_KEY_FASTER, /* + */
	PB_KEY_SLOWER, /* - */
	PB_KEY_QUIT,   /* q, or the terminal has gone */
	PB_KEY_REDRAW, /* no key: resized, or back from suspension */
	PB_KEY_SIGNAL  /* no key: a signal asks the program to end */
};

/*
 * Parse the key at the beginning of s.
 *
 * Given    s, n bytes from a terminal, n >= 1
 *
 * Returns  the key, and in *used its length in bytes; *used is 0 if more bytes
 *          are needed
 */
enum pb_key pb_key_of(const char *s, size_t n, size_t *used);

/*
 * Set the terminal to raw mode: keys come one by one and are not echoed, the
 * cursor is hidden. Its mode is restored at pb_keys_end(), at exit(), and
 * before a signal ends or suspends the program; it is set again when the
 * program continues. Once at a time, in the main thread, after pb_msg_catch().
 *
 * Returns  the terminal, to draw on; NULL with bad filled in: there is none
 */
FILE *pb_keys_begin(struct pb_error *bad);
void pb_keys_end(void);

/* Whether fd can be read within `left` seconds, an hour at most; signals that
 * mask lets through (NULL: the current mask) end the wait. */
bool pb_keys_wait(int fd, double left, const sigset_t *mask);

/* Wait for a key until pb_pace_seconds() is `until` (INFINITY: for ever). */
enum pb_key pb_keys_next(double until);

/*
 * Translates a stick into directions: the larger of the first two axes (right,
 * up) counts if it is 0.5 or more; if equal, the last direction stays. A push
 * is remembered until the robot next decides; a stick that is held counts at
 * each decision.
 */
struct pb_joy {
	enum pb_dir held;   /* PB_STAY: in the middle */
	enum pb_dir pushed; /* since the last decision; PB_STAY: none */
	enum pb_dir last;
	bool down[2]; /* the first two buttons */
};

/* Buttons just pressed, as bits. */
enum { PB_JOY_START = 1, PB_JOY_RESET = 2 };

struct pb_joy pb_joy_still(void);

/* Use a new state of the stick; returns the buttons just pressed. */
unsigned pb_joy_take(struct pb_joy *j, const struct pb_rec_joy *now);

/* The direction of the stick; if the robot decides by it, its push is
 * cleared. */
enum pb_dir pb_joy_dir(struct pb_joy *j, bool decides);

/* A joystick of Linux: a device, FIFO or file with struct js_event
 * (linux/joystick.h). Its second axis points down. */
struct pb_joystick;

/*
 * Given    speed  > 0, times real time
 *
 * Returns  the joystick for pb_joystick_close(); NULL: a message was printed
 */
struct pb_joystick *pb_joystick_open(const char *path, double speed);
void pb_joystick_close(struct pb_joystick *s);

/*
 * Wait until time t of the game (s), and handle the joystick's events until
 * then: stick into j, buttons into *pressed. INFINITY waits for a button.
 *
 * Returns  false: the device has gone, with a message, or a signal asks the
 *          program to end
 */
bool pb_joystick_until(
    struct pb_joystick *s, double t, struct pb_joy *j, unsigned *pressed);
