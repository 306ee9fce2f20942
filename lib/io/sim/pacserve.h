/* pacserve.h - the Pacbot server and its clients, on pipes. */
#ifndef PB_IO_SIM_PACSERVE_H
#define PB_IO_SIM_PACSERVE_H

#include "io/sim/pacsim.h"

/*
 * Be the server: write a frame of 159 bytes each tick to standard output,
 * carry out the commands that come on standard input, until it ends. With a
 * referee, who presses play whenever the game pauses, it ends with the match.
 *
 * Note     commands are those of pb_pacbot_command, back to back; each byte is
 *          one, but for 'x', which takes two more
 */
void pb_pacserve(const struct pb_pacsim *p, const struct pb_match_board *b);

/*
 * Be a client: read frames from the files, else standard input, and write the
 * commands of the player.
 */
void pb_pacserve_client(const struct pb_pacsim *p,
    const struct pb_match_board *b, char *const *files, int n);

#endif
