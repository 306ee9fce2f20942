/* blocks.h - sparse symmetric systems of equations in blocks of 3 x 3. */
#ifndef PB_LOCALIZE_BLOCKS_H
#define PB_LOCALIZE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/*
 * A x = b with A symmetric and positive definite, of n by n blocks of which
 * most are zero. Which are not is told once; then numbers may be entered and
 * the system solved again and again. Belongs to one thread.
 */
struct pb_blocks;

struct pb_blocks_pair {
	int i, j; /* 0..n - 1, i != j */
};

/*
 * A system in which the n blocks of the diagonal and m others, in either
 * order and as often as one likes, may differ from zero.
 *
 * Returns  PB_OK and *a for pb_blocks_free, or PB_ENOMEM and *a untouched
 * Note     unknowns are eliminated in order of fewest neighbours first
 */
enum pb_status pb_blocks_new(
    int n, const struct pb_blocks_pair *pair, size_t m, struct pb_blocks **a);
void pb_blocks_free(struct pb_blocks *a);

/* Set all numbers to 0. */
void pb_blocks_zero(struct pb_blocks *a);

/* Add v to block (i, j), and its transpose to (j, i) if they differ. */
void pb_blocks_add(struct pb_blocks *a, int i, int j, const double v[3][3]);

/*
 * Solve by Cholesky factors (L D L', block by block); what was added is lost.
 *
 * Given    b  3 n numbers
 * Returns  true and x in b; false if A is not positive definite
 */
bool pb_blocks_solve(struct pb_blocks *a, double *b);

#endif
