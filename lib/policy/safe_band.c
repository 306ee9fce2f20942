/* safe_band.c - keep a way off the walls. */
#include "policy/safe_band.h"

#include <math.h>

/* A point moves by so much at a time (m), as long as that is better. */
#define MOVE 0.05

/* Passes over all points, so that none goes farther than this many moves. */
#define SWEEPS 8

/* Lack of room counts so much more than a bend, both squared. */
#define STIFF 4.0

/* Cut the way into equal pieces. */
static int
resample(const struct pb_vec *way, int n, struct pb_vec *out, int max)
{
	int k = 0;

	out[k++] = way[0];
	for (int i = 1; i < n; i++) {
		struct pb_vec a = way[i - 1], b = way[i];
		int parts = (int)ceil(pb_dist(a, b) / PB_SAFE_BAND_STEP);

		for (int j = 1; j <= parts && k < max; j++) {
			double u = (double)j / parts;

			out[k++] = (struct pb_vec){
			    a.x + u * (b.x - a.x), a.y + u * (b.y - a.y)};
		}
	}
	return k;
}

/* What is wrong with having a point at p, whose neighbours meet at mid. */
static double
strain(
    const struct pb_arena *a, struct pb_vec p, struct pb_vec mid, double room)
{
	double lack = room - pb_arena_clearance(a, p);
	double x = p.x - mid.x, y = p.y - mid.y;

	return (lack > 0 ? STIFF * lack * lack : 0) + x * x + y * y;
}

/* The best of p and the eight places round it. */
static struct pb_vec
relax(const struct pb_arena *a, struct pb_vec p, struct pb_vec mid, double room)
{
	double least = strain(a, p, mid, room) - 1e-9;
	struct pb_vec best = p;

	for (int i = 0; i < 9; i++) {
		struct pb_vec q = {
		    p.x + (i % 3 - 1) * MOVE, p.y + (i / 3 - 1) * MOVE};
		double s = strain(a, q, mid, room);

		if (s < least) {
			least = s;
			best = q;
		}
	}
	return best;
}

int
pb_safe_band(const struct pb_arena *a, const struct pb_vec *way, int n,
    double room, struct pb_vec *out, int max)
{
	int k = resample(way, n, out, max);

	for (int s = 0; s < SWEEPS; s++) {
		for (int i = 1; i + 1 < k; i++) {
			struct pb_vec mid = {(out[i - 1].x + out[i + 1].x) / 2,
			    (out[i - 1].y + out[i + 1].y) / 2};

			out[i] = relax(a, out[i], mid, room);
		}
	}
	return k;
}
