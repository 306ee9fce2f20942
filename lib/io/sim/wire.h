/* wire.h - the byte stream that a Pacbot server sends to its players. */
#ifndef PB_IO_SIM_WIRE_H
#define PB_IO_SIM_WIRE_H

#include "game/pacbot/pacbot_seen.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/maze.h"

/* Who is shown the game at each frame. */
struct pb_wire_reader {
	const struct pb_pacbot_rules *k;
	/* Only the newest of the frames that can be read is taken. */
	bool newest;
	/*
	 * Frame at.line shows s; `old` frames before it were not taken.
	 * Returns whether to go on.
	 */
	bool (*take)(
	    void *user, const struct pb_pacbot *s, struct pb_place at, int old);
	void *user;
};

/*
 * Read frames of 159 bytes, back to back, from the file ("-": standard input).
 * A frame that no server would send and one that is cut off end it and are
 * refused, and so is a file without any.
 */
void pb_wire_read(const char *file, const struct pb_wire_reader *r);

/* The same, and write a tick record for each. */
void pb_wire_ticks(const char *file, const struct pb_maze *z,
    const struct pb_pacbot_rules *k, struct pb_text *o);

#endif
