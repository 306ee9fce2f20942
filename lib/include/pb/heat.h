/* heat.h - where a player was on a board, and where he died. */
#pragma once

#include <stdint.h>

#include "pb/decls.h"

PB_BEGIN_DECLS

/* Counts by row and column; boards of all games fit. */
#define PB_HEAT_SIDE 32

struct pb_heat {
	uint64_t here[PB_HEAT_SIDE][PB_HEAT_SIDE]; /* ticks */
	uint64_t died[PB_HEAT_SIDE][PB_HEAT_SIDE]; /* lives lost */
};

/* Add h to sum. */
void pb_heat_add(struct pb_heat *sum, const struct pb_heat *h);

PB_END_DECLS
