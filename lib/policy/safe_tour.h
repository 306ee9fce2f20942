/* safe_tour.h - in which order to fetch what is left. */
#ifndef PB_POLICY_SAFE_TOUR_H
#define PB_POLICY_SAFE_TOUR_H

#include <stddef.h>

/*
 * The rest of the way is an open tour through all places left, each visited
 * once, ending anywhere. Up to PB_SAFE_TOUR_EXACT places it is solved exactly
 * (Held and Karp, "A dynamic programming approach to sequencing problems",
 * 1962); beyond, every start gets a tour by the nearest neighbour rule,
 * improved by reversing stretches, two passes at most.
 */
#define PB_SAFE_TOUR_EXACT 10

/* Bytes of work memory for tours over up to n places. */
size_t pb_safe_tour_bytes(int n);

/*
 * Length of the best open tour from each place through all others.
 *
 * Given    n     places, >= 0
 *          dist  dist[i * stride + j]: from place i to j (m), INFINITY: none
 *          left  n indices into dist: the places in question
 *          work  pb_safe_tour_bytes(n)
 * Returns  rest[k]: length of the tour that begins at left[k] (m)
 * Note     what cannot be reached costs PB_SAFE_TOUR_NONE a time
 */
#define PB_SAFE_TOUR_NONE 1e4f
void pb_safe_tour(int n, const float *dist, int stride, const int *left,
    void *work, float *rest);

#endif
