/* network.c - layers of neural networks on planes of numbers. */
#include "policy/network.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Four numbers that processors keep in one register; see pb_pair. */
typedef float quad __attribute__((vector_size(16)));
typedef int32_t quad_mask __attribute__((vector_size(16)));
typedef uint32_t quad_bits __attribute__((vector_size(16)));

enum { QUAD = 4, POINTS = 16 };

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

/*
 * Winograd's way for 3 x 3 numbers (S. Winograd, Arithmetic Complexity of
 * Computations, 1980; A. Lavin and S. Gray, 2016, section 4.1): of a tile of
 * 4 x 4 inputs, d, and the 3 x 3 numbers g come the 2 x 2 outputs
 *
 *	A' ((G g G') * (B' d B)) A
 *
 * with 16 products in place of 36; * is number by number. B' is
 * [1 0 -1 0; 0 1 1 0; 0 -1 1 0; 0 1 0 -1], G is
 * [1 0 0; .5 .5 .5; .5 -.5 .5; 0 0 1], A' is [1 1 1 0; 0 1 -1 -1].
 */
static void
transform_weight(const float *g, float out[POINTS])
{
	float t[4][3];

	for (int j = 0; j < 3; j++) {
		float a = g[j], b = g[3 + j], c = g[6 + j];

		t[0][j] = a;
		t[1][j] = (a + b + c) / 2;
		t[2][j] = (a - b + c) / 2;
		t[3][j] = c;
	}
	for (int i = 0; i < 4; i++) {
		float a = t[i][0], b = t[i][1], c = t[i][2];

		out[4 * i] = a;
		out[4 * i + 1] = (a + b + c) / 2;
		out[4 * i + 2] = (a - b + c) / 2;
		out[4 * i + 3] = c;
	}
}

/* Packed: [group][lanes of outputs][point][input][lane]. */
void
pb_net_conv3_pack(
    const struct pb_net_conv3 *l, const float *weight, float *packed)
{
	int lanes = l->outputs / PB_NET_LANES;
	float u[POINTS];

	for (int o = 0; o < l->groups * l->outputs; o++)
		for (int i = 0; i < l->inputs; i++, weight += 9) {
			int g = o / l->outputs, k = o % l->outputs;
			int at = g * lanes + k / PB_NET_LANES;

			transform_weight(weight, u);
			for (int p = 0; p < POINTS; p++)
				packed[((at * POINTS + p) * l->inputs + i) *
					   PB_NET_LANES +
				       k % PB_NET_LANES] = u[p];
		}
}

/* B' d of four rows. */
static inline void
input_rows(const quad d[4], quad t[4])
{
	t[0] = d[0] - d[2];
	t[1] = d[1] + d[2];
	t[2] = d[2] - d[1];
	t[3] = d[1] - d[3];
}

/*
 * Transform the tile whose outputs begin at (row, col), of n channels from
 * `first` on: point p of channel c becomes v[p * stride + c].
 */
static void
transform_input(const float *in, int rows, int cols, int channels, int first,
    int n, int row, int col, float *v, int stride)
{
	static const float beyond[PB_NET_INPUTS];
	const float *at[4][4];

	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++) {
			int r = row - 1 + i, c = col - 1 + j;
			bool on = r >= 0 && r < rows && c >= 0 && c < cols;

			at[i][j] = on ? in + (r * cols + c) * channels + first
			              : beyond;
		}
	for (int c = 0; c < n; c += QUAD) {
		quad d[4], t[4][4], out[4];

		for (int j = 0; j < 4; j++) {
			for (int i = 0; i < 4; i++)
				d[i] = load(at[i][j] + c);
			input_rows(d, t[j]);
		}
		for (int i = 0; i < 4; i++) {
			for (int j = 0; j < 4; j++)
				d[j] = t[j][i];
			input_rows(d, out);
			for (int j = 0; j < 4; j++)
				store(v + (4 * i + j) * stride + c, out[j]);
		}
	}
}

/*
 * Two rows of n numbers times a table of n x PB_NET_LANES; one accumulator for
 * each result, so that additions are in the order of the rows.
 */
static inline void
multiply(const float *a, const float *b, const float *w, int n, float *to_a,
    float *to_b)
{
	quad a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0};
	quad b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};

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
	store(to_a, a0);
	store(to_a + 4, a1);
	store(to_a + 8, a2);
	store(to_a + 12, a3);
	store(to_b, b0);
	store(to_b + 4, b1);
	store(to_b + 8, b2);
	store(to_b + 12, b3);
}

/*
 * A' m A of the sums m (point p at m[p * stride]), and the largest of the
 * outputs that are on the board: `down` and `right` are there or not.
 */
static inline quad
pooled(const float *m, int stride, bool down, bool right)
{
	quad top[4], low[4], best, other;

	for (int j = 0; j < 4; j++) {
		quad m0 = load(m + j * stride), m1 = load(m + (4 + j) * stride);
		quad m2 = load(m + (8 + j) * stride);
		quad m3 = load(m + (12 + j) * stride);

		top[j] = m0 + m1 + m2;
		low[j] = m1 - m2 - m3;
	}
	best = top[0] + top[1] + top[2];
	if (right)
		best = larger(best, top[1] - top[2] - top[3]);
	if (!down)
		return best;
	other = low[0] + low[1] + low[2];
	best = larger(best, other);
	if (right)
		best = larger(best, low[1] - low[2] - low[3]);
	return best;
}

/* Some tiles of one group: their numbers, and where they go. */
struct tiles {
	const struct pb_net_conv3 *l;
	const float *in;
	int rows, cols;
	int group;
	int first, n; /* of the tiles, row by row */
	float *v, *m; /* transformed inputs [point][tile][input], sums */
	float *out;
};

static void
transform_tiles(const struct tiles *t)
{
	const struct pb_net_conv3 *l = t->l;
	int across = (t->cols + 1) / 2;

	for (int i = 0; i < t->n; i++)
		transform_input(t->in, t->rows, t->cols, l->groups * l->inputs,
		    t->group * l->inputs, l->inputs,
		    (t->first + i) / across * 2, (t->first + i) % across * 2,
		    t->v + i * l->inputs, PB_NET_TILES * l->inputs);
}

/* The lanes of outputs from number `lanes` of the group on. */
static void
finish_tiles(const struct tiles *t, int lanes)
{
	const struct pb_net_conv3 *l = t->l;
	int across = (t->cols + 1) / 2, wide = PB_NET_TILES * PB_NET_LANES;
	int channel = t->group * l->outputs + lanes;

	for (int i = 0; i < t->n; i++) {
		int k = t->first + i;
		float *to = t->out + k * l->groups * l->outputs + channel;
		bool down = k / across * 2 + 1 < t->rows;
		bool right = k % across * 2 + 1 < t->cols;

		for (int o = 0; o < PB_NET_LANES; o += QUAD)
			store(to + o, pooled(t->m + i * PB_NET_LANES + o, wide,
					  down, right) +
					  load(l->bias + channel + o));
	}
}

static void
convolve_tiles(const struct tiles *t)
{
	const struct pb_net_conv3 *l = t->l;
	const float *w = l->packed + t->group * POINTS * l->inputs * l->outputs;

	transform_tiles(t);
	for (int o = 0; o < l->outputs; o += PB_NET_LANES) {
		for (int p = 0; p < POINTS; p++) {
			const float *v = t->v + p * PB_NET_TILES * l->inputs;
			float *m = t->m + p * PB_NET_TILES * PB_NET_LANES;

			/* In pairs; what comes after the last is not looked
			 * at. */
			for (int i = 0; i < t->n; i += 2)
				multiply(v + i * l->inputs,
				    v + (i + 1) * l->inputs, w, l->inputs,
				    m + i * PB_NET_LANES,
				    m + (i + 1) * PB_NET_LANES);
			w += l->inputs * PB_NET_LANES;
		}
		finish_tiles(t, o);
	}
}

void
pb_net_conv3(const struct pb_net_conv3 *l, const float *in, int rows, int cols,
    float *out, float *work)
{
	int all = (rows + 1) / 2 * ((cols + 1) / 2);
	struct tiles t = {.l = l,
	    .in = in,
	    .rows = rows,
	    .cols = cols,
	    .v = work,
	    .m = work + POINTS * PB_NET_TILES * PB_NET_INPUTS,
	    .out = out};

	for (t.group = 0; t.group < l->groups; t.group++)
		for (t.first = 0; t.first < all; t.first += PB_NET_TILES) {
			t.n = all - t.first;
			t.n = t.n < PB_NET_TILES ? t.n : PB_NET_TILES;
			convolve_tiles(&t);
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
	float again[PB_NET_LANES];

	for (int o = 0; o < l->outputs; o += PB_NET_LANES) {
		multiply(in, in, l->packed + o * l->inputs, l->inputs, out + o,
		    again);
		for (int k = o; k < o + PB_NET_LANES; k += QUAD)
			store(out + k, load(out + k) + load(l->bias + k));
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
