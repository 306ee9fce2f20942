/* network.h - layers of neural networks on planes of numbers. */
#pragma once

#include <stddef.h>

/*
 * A board is rows x cols cells, row by row, each with the numbers of all its
 * channels side by side. A convolution is what neural networks call so: nothing
 * is turned round, and there are zeros beyond the edges. All sums are in one
 * order, whatever the compiler, so results have the same bits everywhere;
 * nothing allocates. Weights are packed once, for the order in which they are
 * used, into memory that the caller provides; memory of floats is aligned as
 * malloc() does.
 */

/* Outputs are made so many at a time; counts of them are multiples of it. */
#define PB_NET_LANES 16

/* How many a layer of n outputs makes, with zeros behind the last. */
#define PB_NET_PADDED(n) \
	(((n) + PB_NET_LANES - 1) / PB_NET_LANES * PB_NET_LANES)

/*
 * k x k numbers for each pair of channels, on inputs most of which are 0: those
 * take no time.
 *
 * Given    weight  [outputs][inputs][k][k], as trained
 *          in      planes, [inputs][rows][cols]
 *          packed  inputs * k * k * outputs floats
 *          out     a board of `outputs` channels
 */
struct pb_net_sparse {
	int inputs, outputs, k; /* k odd */
	const float *packed, *bias;
};
void pb_net_sparse_pack(
    const struct pb_net_sparse *l, const float *weight, float *packed);
void pb_net_sparse(const struct pb_net_sparse *l, const float *in, int rows,
    int cols, float *out);

/*
 * 3 x 3 numbers for each pair of channels of a group; then the largest of every
 * 2 x 2 cells, of as many as there are at the last row and column.
 *
 * Given    weight  [groups * outputs][inputs][3][3], as trained
 *          in      a board of groups * inputs channels
 *          packed  groups * 9 * inputs * outputs floats
 *          out     a board of (rows + 1) / 2 x (cols + 1) / 2 cells with
 *                  groups * outputs channels; not `in`
 *          work    (rows + 3) * (cols + 3) floats of each channel of in
 */
struct pb_net_conv3 {
	int groups;
	int inputs, outputs; /* of each group */
	const float *packed, *bias;
};
void pb_net_conv3_pack(
    const struct pb_net_conv3 *l, const float *weight, float *packed);
void pb_net_conv3(const struct pb_net_conv3 *l, const float *in, int rows,
    int cols, float *out, float *work);

/*
 * Every output is a sum over all inputs.
 *
 * Given    weight  [outputs][inputs], as trained
 *          first   the output that the first of them is in packed, which has
 *                  inputs * outputs floats and may take several such, zeroed
 *                  before
 *          out     outputs floats
 */
struct pb_net_linear {
	int inputs, outputs;
	const float *packed, *bias;
};
void pb_net_linear_pack(const struct pb_net_linear *l, const float *weight,
    int first, int n, float *packed);
void pb_net_linear(const struct pb_net_linear *l, const float *in, float *out);

/* The largest of each channel over n cells. */
void pb_net_largest(const float *in, int n, int channels, float *out);

/* x / (1 + exp(-x)) of each of n numbers, a multiple of 4; off by less than
 * 1e-6 of it. */
void pb_net_silu(float *x, int n);
