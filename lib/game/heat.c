/* heat.c - where a player was on a board, and where he died. */
#include "pb/heat.h"

void
pb_heat_add(struct pb_heat *sum, const struct pb_heat *h)
{
	for (int r = 0; r < PB_HEAT_SIDE; r++)
		for (int c = 0; c < PB_HEAT_SIDE; c++) {
			sum->here[r][c] += h->here[r][c];
			sum->died[r][c] += h->died[r][c];
		}
}
