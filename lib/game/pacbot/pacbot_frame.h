/* pacbot_frame.h - the Pacbot game built from the frames of a server. */
#pragma once

#include "pb/pacbot.h"

/*
 * A frame does not say where the ghosts will turn. That follows from their
 * rules and from the previous frame, except for frightened ghosts, which turn
 * at random: of those only the next cell is known. A zeroed struct has seen no
 * frame.
 */
struct pb_pacbot_seen {
	struct pb_pacbot s; /* the state after pb_pacbot_begin */
	bool begun;
};

/*
 * Process the next frame. If frames are missing and the ghosts moved twice, a
 * ghost that has just turned round may be mistaken for one that goes straight
 * on; the next update corrects that.
 *
 * Given    k      the rules of the board
 *          frame  PB_PACBOT_FRAME bytes
 * Returns  -1 and v->s; or the first byte that no server would send, and v
 *          untouched
 * Note     the first way out, in the order of the rules, stands for the one
 *          that a frightened ghost has drawn
 */
int pb_pacbot_see_frame(struct pb_pacbot_seen *v,
    const struct pb_pacbot_rules *k, const uint8_t *frame);

/* A text about an impossible state that a frame can show: a pellet or a ghost
 * in a cell where it cannot be; players are not asked then. NULL: none. */
const char *pb_pacbot_impossible(
    const struct pb_pacbot *s, const struct pb_pacbot_rules *k);

/* Whether a pellet of `which`, one of a set by row, is no longer left. */
bool pb_pacbot_eaten(
    const uint32_t *was, const uint32_t *left, const uint32_t *which);
