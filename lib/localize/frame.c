/* frame.c - the frame of the methods for mazes in that of maps. */
#include "localize/frame.h"

#include <math.h>

struct pb_pose
pb_loc_frame(const struct pb_maze *m, double cell)
{
	return (struct pb_pose){cell / 2, (m->rows - 0.5) * cell, -PB_PI / 2};
}

void
pb_loc_turn_cov(double cov[3][3], double turn)
{
	double c = cos(turn), s = sin(turn), a[3][3];
	const double R[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};

	for (int i = 0; i < 9; i++) {
		a[i / 3][i % 3] = 0;
		for (int k = 0; k < 3; k++)
			a[i / 3][i % 3] += R[i / 3][k] * cov[k][i % 3];
	}
	for (int i = 0; i < 9; i++) {
		cov[i / 3][i % 3] = 0;
		for (int k = 0; k < 3; k++)
			cov[i / 3][i % 3] += a[i / 3][k] * R[i % 3][k];
	}
}
