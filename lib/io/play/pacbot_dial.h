/* pacbot_dial.h - a client's connection to a Pacbot server. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "game/pacbot/pacbot_frame.h"

struct pb_pacdial;

/* Whether that is ws://HOST:PORT or tcp://HOST:PORT; status 2 if not. */
bool pb_pacdial_check(const char *url);

/*
 * Given    url       checked; outlives this
 *          patience  how long to try to connect, each time (s)
 * Returns  NULL if there is no memory, which was said
 */
struct pb_pacdial *pb_pacdial_open(const char *url, double patience);
void pb_pacdial_close(struct pb_pacdial *d);

/*
 * Wait for a frame, and take the newest that has come. A connection that is
 * lost is made again.
 *
 * Given    frame  room for PB_PACBOT_FRAME bytes
 *          until  of pb_pace_seconds, when to end
 * Returns  how many frames came, > 0; 0: a signal, that time, or the server is
 *          not to be reached, which was said (status 3)
 */
int pb_pacdial_next(struct pb_pacdial *d, uint8_t *frame, double until);

/* Send a command of one byte. */
void pb_pacdial_say(struct pb_pacdial *d, uint8_t command);
