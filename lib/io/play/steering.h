/* steering.h - steering by keys of the terminal, which is restored in any case,
 * and by joysticks. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "pb/maze.h"

enum pb_key {
	PB_KEY_NONE, /* none in time, or one that means nothing here */
	PB_KEY_UP,   /* arrows, w a s d */
	PB_KEY_LEFT,
	PB_KEY_DOWN,
	PB_KEY_RIGHT,
	PB_KEY_STOP,   /* blank */
	PB_KEY_PAUSE,  /* p */
	PB_KEY_FASTER, /* + */
	PB_KEY_SLOWER, /* - */
	PB_KEY_QUIT,   /* q, or the terminal has gone */
	PB_KEY_REDRAW, /* no key: the screen is another, or was given away */
	PB_KEY_SIGNAL  /* no key: the program is asked to end */
};

/*
 * The key at the beginning of s.
 *
 * Given    s, n  bytes that a terminal sent, n >= 1
 * Returns  the key and in *used its length in bytes; *used is 0 if more must
 *          come before it is known
 */
enum pb_key pb_key_of(const char *s, size_t n, size_t *used);

/*
 * Take the terminal of the program: keys come one by one and are not echoed,
 * the cursor is hidden. It gets its old ways back at pb_keys_end(), at exit(),
 * before a signal ends or stops the program, and is taken again when the
 * program goes on. Once at a time, in the main thread, after pb_msg_catch().
 *
 * Returns  the terminal, to draw on; NULL with bad filled in if there is none
 */
FILE *pb_keys_begin(struct pb_error *bad);
void pb_keys_end(void);

/*
 * Whether fd has something to read within `left` seconds, an hour at most; the
 * signals of mask (NULL: those that are let through) end the wait.
 */
bool pb_keys_wait(int fd, double left, const sigset_t *mask);

/* Wait for a key until pb_pace_seconds() is `until` (INFINITY: for ever). */
enum pb_key pb_keys_next(double until);

/*
 * The robot makes directions of the raw stick: of the first two axes, right
 * and up, the larger counts if it is 0.5 or more; equal ones are the direction
 * before. A push is kept until the robot next decides, even if the stick is
 * back in the middle by then; one that is held counts every time.
 */
struct pb_joy {
	enum pb_dir held;   /* now; PB_STAY: in the middle */
	enum pb_dir pushed; /* since the last decision, PB_STAY: none */
	enum pb_dir last;
	bool down[2]; /* the first two buttons */
};

/* Buttons that were pressed, not held: a set. */
enum { PB_JOY_START = 1, PB_JOY_RESET = 2 };

struct pb_joy pb_joy_still(void);

/* The stick as it stands now; returns the buttons that were pressed. */
unsigned pb_joy_take(struct pb_joy *j, const struct pb_rec_joy *now);

/* Where it points; if the robot decides by that, the push is over. */
enum pb_dir pb_joy_dir(struct pb_joy *j, bool decides);

/*
 * A device of Linux that gives struct js_event (linux/joystick.h): a joystick,
 * or a FIFO or file with such events. Its second axis points down.
 */
struct pb_joystick;

/*
 * Given    speed  > 0, times real time
 * Returns  the joystick for pb_joystick_close(); NULL: a message was printed
 *          why not
 */
struct pb_joystick *pb_joystick_open(const char *path, double speed);
void pb_joystick_close(struct pb_joystick *s);

/*
 * Let the time of the game, t (s), pass on the clock, and take what the stick
 * does until then: into j, and into *pressed. INFINITY waits for a button.
 *
 * Returns  false if the device has gone, with a message, or the program is
 *          asked to end
 */
bool pb_joystick_until(
    struct pb_joystick *s, double t, struct pb_joy *j, unsigned *pressed);
