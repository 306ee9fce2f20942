/* wait.h - until something can be read, or a signal asks us to end. */
#pragma once

#include <stdbool.h>

/*
 * Wait until fd can be read or has ended. What was written must be seen before
 * we wait for more, or two tools that talk through FIFOs wait for each other
 * for ever: stdout is flushed. A signal that asks us to end is held back but
 * for the wait itself: one that comes just before it would not be noticed
 * otherwise.
 *
 * Returns  false: we are to end
 */
bool pb_wait_for(int fd);

/* What to do again and again while we wait, each time for a moment; NULL:
 * nothing. */
void pb_wait_meanwhile(void (*serve)(void *user), void *user);
