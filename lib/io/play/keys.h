/* keys.h - single keys from the terminal, which is given back in any case. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/stream/msg.h"

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
