/* network.c - layers of neural networks on planes of numbers. */
#include "policy/network.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Four numbers that processors keep in one register; see pb_pair. */
typedef float quad __attribute__((vector_size(16)));
typedef int32_t quad_mask __attribute__((vector_size(16)));
typedef uint32_t quad_bits __attribute__((vector_size(16)));

enum { QUAD = 4, QUADS = PB_NET_LANES / QUAD, TAPS = 9 };

static inline quad
load(const float *p)
{
	quad q;

	memcpy(&q, p, sizeof(q));
	return q;
}

static inline void
store(float *p, quad q)
{
	memcpy(p, &q, sizeof(q));
}

static inline quad
pick(quad_mask m, quad a, quad b)
{
	return (quad)((m & (quad_mask)a) | (~m & (quad_mask)b));
}

static inline quad
larger(quad a, quad b)
{
	return pick(a > b, a, b);
}

/* Packed: [input][row of k][column of k, the last first][output]. */
void
pb_net_sparse_pack(
    const struct pb_net_sparse *l, const float *weight, float *packed)
{
	int k = l->k;

	for (int o = 0; o < l->outputs; o++)
		for (int i = 0; i < l->inputs * k; i++)
			for (int j = k - 1; j >= 0; j--)
				packed[(i * k + j) * l->outputs + o] =
				    *weight++;
}

/*
 * Add what input x at (row, col) gives to all cells round it; w: of that input.
 * The number (i, j) of the k x k is for the cell that lies so far on the other
 * side, so that a row of them is one piece of the board.
 */
static void
spread(const struct pb_net_sparse *l, float x, const float *w, int row, int col,
    int rows, int cols, float *out)
{
	int half = l->k / 2, n = l->outputs;
	int from = col < half ? half - col : 0;
	int to = l->k - (col + half < cols ? 0 : col + half + 1 - cols);

	for (int i = 0; i < l->k; i++, w += l->k * n) {
		int r = row + half - i;
		int at = (r * cols + col - half) * n;

		for (int o = from * n; r >= 0 && r < rows && o < to * n;
		     o += QUAD)
			store(
			    out + at + o, load(out + at + o) + load(w + o) * x);
	}
}

void
pb_net_sparse(const struct pb_net_sparse *l, const float *in, int rows,
    int cols, float *out)
{
	size_t each = (size_t)l->outputs * sizeof(*out);

	for (int i = 0; i < rows * cols; i++)
		memcpy(out + i * l->outputs, l->bias, each);
	for (int i = 0; i < l->inputs; i++)
		for (int row = 0; row < rows; row++)
			for (int col = 0; col < cols; col++, in++)
				if (*in != 0)
					spread(l, *in,
					    l->packed +
						i * l->k * l->k * l->outputs,
					    row, col, rows, cols, out);
}

/* Packed: [group][lanes of outputs][number of the 9][input][lane]. */
void
pb_net_conv3_pack(
    const struct pb_net_conv3 *l, const float *weight, float *packed)
{
	for (int o = 0; o < l->groups * l->outputs; o++)
		for (int i = 0; i < l->inputs; i++)
			for (int k = 0; k < TAPS; k++)
				packed[((o / PB_NET_LANES * TAPS + k) *
					       l->inputs +
					   i) *
					   PB_NET_LANES +
				       o % PB_NET_LANES] = *weight++;
}

/* Sums of PB_NET_LANES outputs, of two cells. */
struct sums {
	quad a[QUADS], b[QUADS];
};

/*
 * Add two rows of n numbers times a table of n x PB_NET_LANES; one accumulator
 * for each result, so that additions are in the order of the rows.
 */
static inline void
multiply(const float *a, const float *b, const float *w, int n, struct sums *s)
{
	quad a0 = s->a[0], a1 = s->a[1], a2 = s->a[2], a3 = s->a[3];
	quad b0 = s->b[0], b1 = s->b[1], b2 = s->b[2], b3 = s->b[3];

	for (int i = 0; i < n; i++, w += PB_NET_LANES) {
		quad w0 = load(w), w1 = load(w + 4);
		quad w2 = load(w + 8), w3 = load(w + 12);

		a0 += w0 * a[i];
		a1 += w1 * a[i];
		a2 += w2 * a[i];
		a3 += w3 * a[i];
		b0 += w0 * b[i];
		b1 += w1 * b[i];
		b2 += w2 * b[i];
		b3 += w3 * b[i];
	}
	*s = (struct sums){{a0, a1, a2, a3}, {b0, b1, b2, b3}};
}

/*
 * Copy a board into one with zeros around it, one cell before and two behind:
 * pairs of rows and columns are made whole.
 */
static void
frame(const float *in, int rows, int cols, int channels, float *framed)
{
	int wide = (cols + 3) * channels;

	memset(framed, 0, (size_t)((rows + 3) * wide) * sizeof(*in));
	for (int r = 0; r < rows; r++)
		memcpy(framed + (r + 1) * wide + channels,
		    in + r * cols * channels,
		    (size_t)(cols * channels) * sizeof(*in));
}

/* The outputs of two neighbouring cells from packed weights w: `at` is where
 * the 3 x 3 inputs of the first begin, `wide` the numbers of a framed row. */
static struct sums
convolve(
    const struct pb_net_conv3 *l, const float *at, int wide, const float *w)
{
	struct sums s = {{{0}}, {{0}}};
	int channels = l->groups * l->inputs;

	for (int k = 0; k < TAPS; k++, w += l->inputs * PB_NET_LANES) {
		const float *a = at + k / 3 * wide + k % 3 * channels;

		multiply(a, a + channels, w, l->inputs, &s);
	}
	return s;
}

/* PB_NET_LANES outputs of a pooled cell: the largest of 2 x 2, of as many as
 * are on the board. */
static void
pool_cell(const struct pb_net_conv3 *l, const float *at, int wide,
    const float *w, bool down, bool right, const float *bias, float *out)
{
	struct sums top = convolve(l, at, wide, w), low = top;

	if (down)
		low = convolve(l, at + wide, wide, w);
	for (int i = 0; i < QUADS; i++) {
		quad best = larger(top.a[i], low.a[i]);

		if (right)
			best = larger(best, larger(top.b[i], low.b[i]));
		store(out + i * QUAD, best + load(bias + i * QUAD));
	}
}

void
pb_net_conv3(const struct pb_net_conv3 *l, const float *in, int rows, int cols,
    float *out, float *work)
{
	int inputs = l->groups * l->inputs, outputs = l->groups * l->outputs;
	int across = (cols + 1) / 2, wide = (cols + 3) * inputs;

	frame(in, rows, cols, inputs, work);
	for (int o = 0; o < outputs; o += PB_NET_LANES) {
		const float *from = work + o / l->outputs * l->inputs;

		for (int i = 0; i < (rows + 1) / 2 * across; i++) {
			int r = i / across * 2, c = i % across * 2;

			pool_cell(l, from + r * wide + c * inputs, wide,
			    l->packed + o * TAPS * l->inputs, r + 1 < rows,
			    c + 1 < cols, l->bias + o, out + i * outputs + o);
		}
	}
}

/* Packed: [lanes of outputs][input][lane]. */
void
pb_net_linear_pack(const struct pb_net_linear *l, const float *weight,
    int first, int n, float *packed)
{
	for (int o = first; o < first + n; o++)
		for (int i = 0; i < l->inputs; i++)
			packed[(o / PB_NET_LANES * l->inputs + i) *
				   PB_NET_LANES +
			       o % PB_NET_LANES] = *weight++;
}

void
pb_net_linear(const struct pb_net_linear *l, const float *in, float *out)
{
	for (int o = 0; o < l->outputs; o += PB_NET_LANES) {
		struct sums s = {{{0}}, {{0}}};

		multiply(in, in, l->packed + o * l->inputs, l->inputs, &s);
		for (int k = 0; k < QUADS; k++)
			store(out + o + k * QUAD,
			    s.a[k] + load(l->bias + o + k * QUAD));
	}
}

void
pb_net_largest(const float *in, int n, int channels, float *out)
{
	memcpy(out, in, (size_t)channels * sizeof(*out));
	for (int i = 1; i < n; i++)
		for (int c = 0; c < channels; c++)
			if (in[i * channels + c] > out[c])
				out[c] = in[i * channels + c];
}

/*
 * exp(y) of numbers up to 87 and down to -87, beyond which those stand for
 * them: 2^n exp(r) with |r| <= ln 2 / 2, as a series.
 */
static inline quad
exponential(quad y)
{
	const float whole = 0x1.8p23f; /* leaves no bits for a fraction */
	quad top = {87, 87, 87, 87}, z, n, r, p;
	quad_bits power;

	y = pick(y > top, top, y);
	y = pick(y < -top, -top, y);
	z = y * 0x1.715476p+0f + whole; /* 1 / ln 2 */
	n = z - whole;
	power = ((quad_bits)z - 0x4b400000 + 127) << 23;
	r = y - n * 0x1.62e4p-1f; /* the first bits of ln 2, and the others */
	r = r - n * 0x1.7f7d1cp-20f;
	p = r * (1.0f / 720) + 1.0f / 120;
	p = p * r + 1.0f / 24;
	p = p * r + 1.0f / 6;
	p = p * r + 0.5f;
	p = p * r + 1;
	p = p * r + 1;
	return p * (quad)power;
}

void
pb_net_silu(float *x, int n)
{
	for (int i = 0; i < n; i += QUAD) {
		quad q = load(x + i);

		store(x + i, q / (exponential(-q) + 1));
	}
}
