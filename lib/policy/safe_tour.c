/* safe_tour.c - in which order to fetch what is left. */
#include "policy/safe_tour.h"

#include <math.h>
#include <stdbool.h>

/* Beyond this the improvement's cubic passes are left out. */
enum { IMPROVE = 40 };

size_t
pb_safe_tour_bytes(int n)
{
	size_t exact = n > PB_SAFE_TOUR_EXACT ? PB_SAFE_TOUR_EXACT : (size_t)n;

	return ((size_t)1 << exact) * (exact + 1) * sizeof(float) +
	       2 * ((size_t)n + 1) * sizeof(int);
}

static float
way(const float *dist, int stride, const int *left, int a, int b)
{
	float d = dist[left[a] * stride + left[b]];

	return d < PB_SAFE_TOUR_NONE ? d : PB_SAFE_TOUR_NONE;
}

/* best[set * n + k]: shortest way from k through all of set, k not in it. */
static void
exact(int n, const float *dist, int stride, const int *left, float *best,
    float *rest)
{
	int all = (1 << n) - 1;

	for (int k = 0; k < n; k++)
		best[k] = 0;
	for (int set = 1; set <= all; set++) {
		for (int k = 0; k < n; k++) {
			float least = INFINITY;

			if (set >> k & 1)
				continue;
			for (int j = 0; j < n; j++) {
				float d;

				if (!(set >> j & 1))
					continue;
				d = way(dist, stride, left, k, j) +
				    best[(set & ~(1 << j)) * n + j];
				least = d < least ? d : least;
			}
			best[set * n + k] = least;
		}
	}
	for (int k = 0; k < n; k++)
		rest[k] = best[(all & ~(1 << k)) * n + k];
}

static void
nearest(int n, const float *dist, int stride, const int *left, int start,
    int *tour, int *used)
{
	for (int i = 0; i < n; i++)
		used[i] = 0;
	tour[0] = start;
	used[start] = 1;
	for (int i = 1; i < n; i++) {
		int best = -1;

		for (int j = 0; j < n; j++)
			if (!used[j] &&
			    (best < 0 ||
				way(dist, stride, left, tour[i - 1], j) <
				    way(dist, stride, left, tour[i - 1], best)))
				best = j;
		tour[i] = best;
		used[best] = 1;
	}
}

/* Reverse tour[i..j] where that is shorter; the end is open. */
static bool
improve(int n, const float *dist, int stride, const int *left, int *tour)
{
	bool better = false;

	for (int i = 1; i + 1 < n; i++) {
		for (int j = i + 1; j < n; j++) {
			float was =
			    way(dist, stride, left, tour[i - 1], tour[i]);
			float now =
			    way(dist, stride, left, tour[i - 1], tour[j]);

			if (j + 1 < n) {
				was += way(
				    dist, stride, left, tour[j], tour[j + 1]);
				now += way(
				    dist, stride, left, tour[i], tour[j + 1]);
			}
			if (now >= was - 1e-4f)
				continue;
			better = true;
			for (int a = i, b = j; a < b; a++, b--) {
				int t = tour[a];

				tour[a] = tour[b];
				tour[b] = t;
			}
		}
	}
	return better;
}

void
pb_safe_tour(int n, const float *dist, int stride, const int *left, void *work,
    float *rest)
{
	int *tour = work, *used = tour + n;

	if (n <= PB_SAFE_TOUR_EXACT) {
		if (n > 0)
			exact(n, dist, stride, left, work, rest);
		return;
	}
	for (int k = 0; k < n; k++) {
		nearest(n, dist, stride, left, k, tour, used);
		for (int i = 0; n <= IMPROVE && i < 2; i++)
			if (!improve(n, dist, stride, left, tour))
				break;
		rest[k] = 0;
		for (int i = 1; i < n; i++)
			rest[k] +=
			    way(dist, stride, left, tour[i - 1], tour[i]);
	}
}
