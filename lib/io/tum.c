/* tum.c - trajectories in the format of the TUM RGB-D benchmark. */
#include "io/tum.h"

#include <math.h>

void
pb_tum_put(struct pb_text *o, double t, struct pb_pose p)
{
	pb_text_num(o, t);
	pb_text_put(o, " ", 1);
	pb_text_num(o, p.x);
	pb_text_put(o, " ", 1);
	pb_text_num(o, p.y);
	pb_text_puts(o, " 0 0 0 ");
	pb_text_exact(o, sin(p.th / 2));
	pb_text_put(o, " ", 1);
	pb_text_exact(o, cos(p.th / 2));
	pb_text_line(o);
}
