/* pacbot_net.h - the Pacbot server's ports, and a client's connection to one:
 * WebSocket and plain TCP. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "game/pacbot/pacbot_frame.h"
#include "io/opt/opt.h"

/* Commands that have come, back to back. */
struct pb_inbox {
	uint8_t byte[4096];
	size_t n;
	bool closed; /* no more will come */
};

/* Some ports and who is connected to them. */
struct pb_pacnet;

/* Whether all are addresses; if not, status 2 and why was said. */
bool pb_pacnet_check(
    const struct pb_opt_list *listen, const struct pb_opt_list *trust);

/*
 * Listen, and say where.
 *
 * Given    listen  [ws://|tcp://][ADDRESS:]PORT, checked
 *          trust   addresses whose commands are taken, "all", "none"; empty:
 *                  those of this machine
 *          greet   show the frame at hand to who connects
 *          in      where commands go; outlives this
 * Returns  NULL if a port cannot be had, which was said (status 3)
 */
struct pb_pacnet *pb_pacnet_open(const struct pb_opt_list *listen,
    const struct pb_opt_list *trust, bool greet, struct pb_inbox *in);

/* Wait until the newest frame has left, at most a second, and disconnect. */
void pb_pacnet_close(struct pb_pacnet *net);

/*
 * The frame of the next tick, for all who are connected; who has not taken
 * the one before does not get it any more.
 */
void pb_pacnet_send(
    struct pb_pacnet *net, const uint8_t frame[PB_PACBOT_FRAME]);

/*
 * Serve the ports for so long (s), or, with `answer`, until a command is there.
 * A signal ends it early.
 */
void pb_pacnet_serve(struct pb_pacnet *net, double s, bool answer);

/* A client's connection. */
struct pb_pacdial;

/*
 * Given    url       checked; outlives this
 *          patience  how long to try to connect, each time, and then to wait
 *                    for the first frame (s)
 *          copy      where all frames go, also those that are passed over;
 *                    NULL: nowhere
 * Returns  NULL if there is no memory, which was said
 */
struct pb_pacdial *pb_pacdial_open(
    const char *url, double patience, FILE *copy);
void pb_pacdial_close(struct pb_pacdial *d);

/*
 * Wait for a frame, and take the newest that has come. A connection that is
 * lost is made again.
 *
 * Given    frame  room for PB_PACBOT_FRAME bytes
 *          until  of pb_pace_seconds, when to end
 * Returns  how many frames came, > 0; 0: a signal, that time, or the server is
 *          not to be reached or no frame ever came, which was said (status 3)
 */
int pb_pacdial_next(struct pb_pacdial *d, uint8_t *frame, double until);

/* Send a command of one byte. */
void pb_pacdial_say(struct pb_pacdial *d, uint8_t command);
