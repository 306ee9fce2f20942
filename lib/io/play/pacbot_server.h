/* pacbot_server.h - the official Pacbot server and a client of it: frames and
 * commands. */
#ifndef PB_IO_PLAY_PACBOT_SERVER_H
#define PB_IO_PLAY_PACBOT_SERVER_H

#include "game/pacbot/pacbot_frame.h"
#include "io/play/pacbot_modes.h"
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
