/* hop.c - a robot that drives from the middle of a cell to the next. */
#include "robot/hop.h"

#include <math.h>

bool
pb_hop_step(struct pb_hop *h, struct pb_vec to, int steps)
{
	double part;

	if (!h->placed || fabs(to.x - h->to.x) + fabs(to.y - h->to.y) > 1) {
		*h = (struct pb_hop){to, to, to, 0, true};
		return true;
	}
	if (to.x != h->to.x || to.y != h->to.y) {
		h->from = h->at;
		h->to = to;
		h->k = 0;
	}
	if (h->k < steps)
		h->k++;
	part = (double)h->k / steps;
	h->at.x = h->from.x + (to.x - h->from.x) * part;
	h->at.y = h->from.y + (to.y - h->from.y) * part;
	return false;
}
