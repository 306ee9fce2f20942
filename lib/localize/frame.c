/* frame.c - the frame of the methods for mazes in that of maps. */
#include "localize/frame.h"

#include "base/elementary.h"
#include "localize/gauss.h"
#include "map/cells.h"

struct pb_pose
pb_loc_frame(const struct pb_maze *z, double cell)
{
	struct pb_pose f = pb_maze_frame(z->rows);

	return (struct pb_pose){f.x * cell, f.y * cell, f.th};
}

void
pb_loc_turn_cov(double cov[3][3], double turn)
{
	double c = pb_cos(turn), s = pb_sin(turn);
	const double r[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};

	pb_gauss_map(cov, r);
}
