/* wire.h - the byte stream that a Pacbot server sends to its players. */
#ifndef PB_IO_SIM_WIRE_H
#define PB_IO_SIM_WIRE_H

#include "game/pacbot.h"
#include "io/text.h"
#include "map/maze.h"

/*
 * Read frames of 159 bytes, back to back, from the file ("-": standard input)
 * and write a tick record for each. A frame that no server would send and one
 * that is cut off end it and are refused.
 */
void pb_wire_read(const char *file, const struct pb_maze *z,
    const struct pb_pacbot_rules *k, struct pb_text *o);

#endif
