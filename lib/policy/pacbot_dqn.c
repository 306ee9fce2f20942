/* pacbot_dqn.c - a trained player of Pacbot: the network of a published team,
 * with the masks that keep it from ghosts. */
#include "policy/pacbot_dqn.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "policy/pacbot_search.h"
#include "policy/players.h"

/*
 * A board is rows x cols cells, row by row, each with the numbers of all its
 * channels side by side. A convolution is a correlation, as usual in neural
 * networks, with zeros beyond the edges. All sums have a fixed order, so
 * results have the same bits everywhere; nothing allocates. Weights are packed
 * once, in their order of use, into memory that the caller provides; memory of
 * floats is aligned as by malloc().
 */

/* Outputs are made this many at a time; counts of them are multiples of it. */
#define NET_LANES 16

/* Most input channels of a group. */
#define NET_CHANNELS 64

/* n outputs, padded with zeros to whole vectors. */
#define NET_PADDED(n) (((n) + NET_LANES - 1) / NET_LANES * NET_LANES)

/*
 * A k x k convolution whose inputs are mostly 0; zeros take no time.
 *
 * Given    weight  [outputs][inputs][k][k], as trained
 *          in      planes, [inputs][rows][cols]
 *          packed  inputs * k * k * outputs floats
 *          out     a board of `outputs` channels
 */
struct net_sparse {
	int inputs, outputs, k; /* k odd */
	const float *packed, *bias;
};

/*
 * A grouped 3 x 3 convolution, then 2 x 2 max pooling (of fewer cells at the
 * last row and column).
 *
 * Given    weight  [groups * outputs][inputs][3][3], as trained
 *          in      a board of groups * inputs channels
 *          packed  groups * 12 * inputs * outputs floats
 *          out     a board of (rows + 1) / 2 x (cols + 1) / 2 cells with
 *                  groups * outputs channels; not `in`
 *          work    (rows + 3) * 2 * (cols + 1) floats of each channel of in
 */
struct net_conv3 {
	int groups;
	int inputs, outputs; /* of each group */
	const float *packed, *bias;
};

/*
 * A fully connected layer.
 *
 * Given    weight  [outputs][inputs], as trained
 *          first   the index of the first output in `packed`, an array of
 *                  inputs * outputs floats, zeroed before, that several layers
 *                  may share
 *          out     outputs floats
 */
struct net_linear {
	int inputs, outputs;
	const float *packed, *bias;
};

/* Four numbers that processors keep in one register; see pb_pair. */
typedef float quad __attribute__((vector_size(16)));
typedef int32_t quad_mask __attribute__((vector_size(16)));
typedef uint32_t quad_bits __attribute__((vector_size(16)));

enum { QUAD = 4, QUADS = NET_LANES / QUAD, POINTS = 4 };

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
pick_lanes(quad_mask m, quad a, quad b)
{
	return (quad)((m & (quad_mask)a) | (~m & (quad_mask)b));
}

static inline quad
larger(quad a, quad b)
{
	return pick_lanes(a > b, a, b);
}

/* Packed: [input][row of k][column of k, the last first][output]. */
static void
net_sparse_pack(const struct net_sparse *l, const float *weight, float *packed)
{
	int k = l->k;

	for (int o = 0; o < l->outputs; o++)
		for (int i = 0; i < l->inputs * k; i++)
			for (int j = k - 1; j >= 0; j--)
				packed[(i * k + j) * l->outputs + o] =
				    *weight++;
}

/*
 * Add the contribution of input x at (row, col) to all cells around it; w:
 * weights of that input. The k x k weights are mirrored, so that a row of them
 * is contiguous on the board.
 */
static void
add_outputs(const struct net_sparse *l, float x, const float *w, int row,
    int col, int rows, int cols, float *out)
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

static void
net_sparse(
    const struct net_sparse *l, const float *in, int rows, int cols, float *out)
{
	size_t each = (size_t)l->outputs * sizeof(*out);

	for (int i = 0; i < rows * cols; i++)
		memcpy(out + i * l->outputs, l->bias, each);
	for (int i = 0; i < l->inputs; i++)
		for (int row = 0; row < rows; row++)
			for (int col = 0; col < cols; col++, in++)
				if (*in != 0)
					add_outputs(l, *in,
					    l->packed +
						i * l->k * l->k * l->outputs,
					    row, col, rows, cols, out);
}

/*
 * Winograd's F(2, 3) along rows (A. Lavin and S. Gray, Fast Algorithms for
 * Convolutional Neural Networks, 2016, section 4.1): two neighbouring sums of
 * three products, of inputs d0 to d3 and weights g0 to g2, are
 * m0 + m1 + m2 and m1 - m2 - m3 with four products in place of six:
 *
 *	m0 = (d0 - d2) g0	m1 = (d1 + d2) (g0 + g1 + g2) / 2
 *	m3 = (d1 - d3) g2	m2 = (d2 - d1) (g0 - g1 + g2) / 2
 *
 * Packed: [group][lanes of outputs][m][row of the 3 x 3][input][lane].
 */
static void
net_conv3_pack(const struct net_conv3 *l, const float *weight, float *packed)
{
	int each = 3 * l->inputs * NET_LANES;

	for (int o = 0; o < l->groups * l->outputs; o++) {
		float *to = packed + o / NET_LANES * POINTS * each;

		for (int i = 0; i < l->inputs; i++)
			for (int r = 0; r < 3; r++, weight += 3) {
				float *m = to + o % NET_LANES +
				           (r * l->inputs + i) * NET_LANES;
				float ends = weight[0] + weight[2];

				m[0] = weight[0];
				m[each] = (ends + weight[1]) / 2;
				m[2 * each] = (ends - weight[1]) / 2;
				m[3 * each] = weight[2];
			}
	}
}

/* Sums of NET_LANES outputs, of two cells. */
struct sums {
	quad a[QUADS], b[QUADS];
};

/*
 * Two rows of n numbers times a table of n x NET_LANES; one accumulator for
 * each result, so that additions are in the order of the rows.
 */
static inline struct sums
multiply(const float *a, const float *b, const float *w, int n)
{
	quad a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0};
	quad b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};

	for (int i = 0; i < n; i++, w += NET_LANES) {
		quad x = {a[i], a[i], a[i], a[i]}, y = {b[i], b[i], b[i], b[i]};
		quad w0 = load(w), w1 = load(w + 4);
		quad w2 = load(w + 8), w3 = load(w + 12);

		a0 += w0 * x;
		b0 += w0 * y;
		a1 += w1 * x;
		b1 += w1 * y;
		a2 += w2 * x;
		b2 += w2 * y;
		a3 += w3 * x;
		b3 += w3 * y;
	}
	return (struct sums){{a0, a1, a2, a3}, {b0, b1, b2, b3}};
}

/* Rows of a transformed board: a row of zeros before, and one or two behind, so
 * that the number is even. */
static int
transformed_rows(int rows)
{
	return (rows + 1) / 2 * 2 + 2;
}

/* Compute the factors of m for all pairs of columns:
 * [group][pair][m][transformed row][input]. */
static void
transform(
    const struct net_conv3 *l, const float *in, int rows, int cols, float *out)
{
	static const float beyond[NET_CHANNELS];
	int n = l->inputs, channels = l->groups * n;
	int tall = transformed_rows(rows), pairs = (cols + 1) / 2;

	for (int i = 0; i < l->groups * pairs * tall; i++) {
		int row = i % tall - 1, col = i / tall % pairs * 2 - 1;
		float *m = out + (i / tall * POINTS * tall + i % tall) * n;
		const float *d[4];

		for (int j = 0; j < 4; j++)
			d[j] = row < 0 || row >= rows || col + j < 0 ||
			               col + j >= cols
			           ? beyond
			           : in + (row * cols + col + j) * channels +
			                 i / tall / pairs * n;
		for (int k = 0; k < n; k += QUAD, m += QUAD) {
			quad d1 = load(d[1] + k), d2 = load(d[2] + k);

			store(m, load(d[0] + k) - d2);
			store(m + tall * n, d1 + d2);
			store(m + 2 * tall * n, d2 - d1);
			store(m + 3 * tall * n, d1 - load(d[3] + k));
		}
	}
}

/*
 * Compute NET_LANES outputs of a pooled cell: the largest of the 2 x 2 cells on
 * the board. Its factors of m0 begin at `at`, those of the others `apart`
 * behind.
 */
PB_ALSO_FOR("avx")
static void
pool_cell(const float *at, int apart, const float *w, int inputs, bool down,
    bool right, const float *bias, float *out)
{
	struct sums m[POINTS];

	for (int i = 0; i < POINTS; i++)
		m[i] = multiply(at + i * apart, at + i * apart + inputs,
		    w + i * 3 * inputs * NET_LANES, 3 * inputs);
	for (int i = 0; i < QUADS; i++) {
		quad best = m[0].a[i] + m[1].a[i] + m[2].a[i];

		if (right)
			best = larger(best, m[1].a[i] - m[2].a[i] - m[3].a[i]);
		if (down)
			best = larger(best, m[0].b[i] + m[1].b[i] + m[2].b[i]);
		if (down && right)
			best = larger(best, m[1].b[i] - m[2].b[i] - m[3].b[i]);
		store(out + i * QUAD, best + load(bias + i * QUAD));
	}
}

static void
net_conv3(const struct net_conv3 *l, const float *in, int rows, int cols,
    float *out, float *work)
{
	int outputs = l->groups * l->outputs, across = (cols + 1) / 2;
	int apart = transformed_rows(rows) * l->inputs;

	transform(l, in, rows, cols, work);
	for (int o = 0; o < outputs; o += NET_LANES) {
		const float *from =
		    work + o / l->outputs * across * POINTS * apart;

		for (int i = 0; i < (rows + 1) / 2 * across; i++) {
			int r = i / across * 2, c = i % across;

			pool_cell(from + c * POINTS * apart + r * l->inputs,
			    apart, l->packed + o * POINTS * 3 * l->inputs,
			    l->inputs, r + 1 < rows, c * 2 + 1 < cols,
			    l->bias + o, out + i * outputs + o);
		}
	}
}

/* Packed: [lanes of outputs][input][lane]. */
static void
net_linear_pack(const struct net_linear *l, const float *weight, int first,
    int n, float *packed)
{
	for (int o = first; o < first + n; o++)
		for (int i = 0; i < l->inputs; i++)
			packed[(o / NET_LANES * l->inputs + i) * NET_LANES +
			       o % NET_LANES] = *weight++;
}

static void
net_linear(const struct net_linear *l, const float *in, float *out)
{
	for (int o = 0; o < l->outputs; o += NET_LANES) {
		struct sums s =
		    multiply(in, in, l->packed + o * l->inputs, l->inputs);

		for (int k = 0; k < QUADS; k++)
			store(out + o + k * QUAD,
			    s.a[k] + load(l->bias + o + k * QUAD));
	}
}

/* Largest number of each channel over n cells. */
static void
net_largest(const float *in, int n, int channels, float *out)
{
	memcpy(out, in, (size_t)channels * sizeof(*out));
	for (int i = 1; i < n; i++)
		for (int c = 0; c < channels; c++)
			if (in[i * channels + c] > out[c])
				out[c] = in[i * channels + c];
}

/*
 * exp(y), y clamped to -87..87: 2^n exp(r) with |r| <= ln 2 / 2, as a series.
 */
static inline quad
exponential(quad y)
{
	const float whole = 0x1.8p23f; /* leaves no bits for a fraction */
	quad top = {87, 87, 87, 87}, z, n, r, p;
	quad_bits power;

	y = pick_lanes(y > top, top, y);
	y = pick_lanes(y < -top, -top, y);
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

/* Sizes of the boards after each layer. */
enum {
	CELLS = PB_QNET_ROWS * PB_QNET_COLS,
	ROWS2 = (PB_QNET_ROWS + 1) / 2,
	COLS2 = (PB_QNET_COLS + 1) / 2,
	ROWS3 = (ROWS2 + 1) / 2,
	COLS3 = (COLS2 + 1) / 2,
	ROWS4 = (ROWS3 + 1) / 2,
	COLS4 = (COLS3 + 1) / 2,
	FIRST = 16,
	SECOND = 32,
	THIRD = 64,
	FOURTH = 128,
	GROUPS = 8,
	HIDDEN = 256
};

/* In the file's order: weights and biases of layer i are 2 i and 2 i + 1. */
const struct pb_tensor_plan pb_qnet_tensors[PB_QNET_TENSORS] = {
    {"backbone.0.weight", 4, {FIRST, PB_QNET_PLANES, 5, 5}},
    {"backbone.0.bias", 1, {FIRST}},
    {"backbone.2.weight", 4, {SECOND, FIRST, 3, 3}},
    {"backbone.2.bias", 1, {SECOND}},
    {"backbone.5.weight", 4, {THIRD, SECOND, 3, 3}},
    {"backbone.5.bias", 1, {THIRD}},
    {"backbone.8.weight", 4, {FOURTH, THIRD, 3, 3}},
    {"backbone.8.bias", 1, {FOURTH}},
    {"backbone.11.weight", 4, {FOURTH, FOURTH / GROUPS, 3, 3}},
    {"backbone.11.bias", 1, {FOURTH}},
    {"backbone.15.weight", 2, {HIDDEN, FOURTH}},
    {"backbone.15.bias", 1, {HIDDEN}},
    {"value_head.0.weight", 2, {1, HIDDEN}},
    {"value_head.0.bias", 1, {1}},
    {"advantage_head.0.weight", 2, {PB_QNET_ACTIONS, HIDDEN}},
    {"advantage_head.0.bias", 1, {PB_QNET_ACTIONS}},
};

/* The value of the game and the advantages of actions in one layer. */
enum { HEADS = NET_PADDED(1 + PB_QNET_ACTIONS) };

struct pb_qnet {
	struct net_sparse see;
	struct net_conv3 conv[4];
	struct net_linear hidden, heads;
	float w0[PB_QNET_PLANES * 25 * FIRST], b0[FIRST];
	float w1[12 * FIRST * SECOND], b1[SECOND];
	float w2[12 * SECOND * THIRD], b2[THIRD];
	float w3[12 * THIRD * FOURTH], b3[FOURTH];
	float w4[12 * FOURTH / GROUPS * FOURTH], b4[FOURTH];
	float w5[FOURTH * HIDDEN], b5[HIDDEN];
	float w6[HIDDEN * HEADS], b6[HEADS];
};

static const float *
value_of(const struct pb_tensors *t, int i)
{
	return pb_tensor_find(t, pb_qnet_tensors[i].name)->value;
}

/* Copy bias i of the plan; returns its size. */
static int
copy_bias(const struct pb_tensors *t, int i, float *to)
{
	int n = pb_qnet_tensors[i].side[0];

	memcpy(to, value_of(t, i), (size_t)n * sizeof(*to));
	return n;
}

struct pb_qnet *
pb_qnet_new(const struct pb_tensors *t)
{
	struct pb_qnet *n = calloc(1, sizeof(*n));
	int value;

	if (!n)
		return NULL;
	n->see = (struct net_sparse){PB_QNET_PLANES, FIRST, 5, n->w0, n->b0};
	n->conv[0] = (struct net_conv3){1, FIRST, SECOND, n->w1, n->b1};
	n->conv[1] = (struct net_conv3){1, SECOND, THIRD, n->w2, n->b2};
	n->conv[2] = (struct net_conv3){1, THIRD, FOURTH, n->w3, n->b3};
	n->conv[3] = (struct net_conv3){
	    GROUPS, FOURTH / GROUPS, FOURTH / GROUPS, n->w4, n->b4};
	n->hidden = (struct net_linear){FOURTH, HIDDEN, n->w5, n->b5};
	n->heads = (struct net_linear){HIDDEN, HEADS, n->w6, n->b6};
	net_sparse_pack(&n->see, value_of(t, 0), n->w0);
	net_conv3_pack(&n->conv[0], value_of(t, 2), n->w1);
	net_conv3_pack(&n->conv[1], value_of(t, 4), n->w2);
	net_conv3_pack(&n->conv[2], value_of(t, 6), n->w3);
	net_conv3_pack(&n->conv[3], value_of(t, 8), n->w4);
	net_linear_pack(&n->hidden, value_of(t, 10), 0, HIDDEN, n->w5);
	net_linear_pack(&n->heads, value_of(t, 12), 0, 1, n->w6);
	net_linear_pack(&n->heads, value_of(t, 14), 1, PB_QNET_ACTIONS, n->w6);
	copy_bias(t, 1, n->b0);
	copy_bias(t, 3, n->b1);
	copy_bias(t, 5, n->b2);
	copy_bias(t, 7, n->b3);
	copy_bias(t, 9, n->b4);
	copy_bias(t, 11, n->b5);
	value = copy_bias(t, 13, n->b6);
	copy_bias(t, 15, n->b6 + value);
	return n;
}

void
pb_qnet_free(struct pb_qnet *n)
{
	free(n);
}

/* Work space: two boards, used in turn. */
struct work {
	float first[CELLS * FIRST];
	float second[ROWS2 * COLS2 * SECOND];
	float factors[(PB_QNET_ROWS + 3) * 2 * (PB_QNET_COLS + 1) * FIRST];
};

size_t
pb_qnet_memory(void)
{
	return sizeof(struct work);
}

void
pb_qnet_values(const struct pb_qnet *n, const float *in, void *mem,
    float q[PB_QNET_ACTIONS])
{
	struct work *w = mem;
	float *a = w->first, *b = w->second, mean = 0;

	net_sparse(&n->see, in, PB_QNET_ROWS, PB_QNET_COLS, a);
	pb_net_silu(a, CELLS * FIRST);
	net_conv3(&n->conv[0], a, PB_QNET_ROWS, PB_QNET_COLS, b, w->factors);
	pb_net_silu(b, ROWS2 * COLS2 * SECOND);
	net_conv3(&n->conv[1], b, ROWS2, COLS2, a, w->factors);
	pb_net_silu(a, ROWS3 * COLS3 * THIRD);
	net_conv3(&n->conv[2], a, ROWS3, COLS3, b, w->factors);
	pb_net_silu(b, ROWS4 * COLS4 * FOURTH);
	/* The maximum over all cells is that over the pooled cells. */
	net_conv3(&n->conv[3], b, ROWS4, COLS4, a, w->factors);
	net_largest(a, ((ROWS4 + 1) / 2) * ((COLS4 + 1) / 2), FOURTH, b);
	pb_net_silu(b, FOURTH);
	net_linear(&n->hidden, b, a);
	pb_net_silu(a, HIDDEN);
	net_linear(&n->heads, a, b);
	for (int i = 0; i < PB_QNET_ACTIONS; i++)
		mean += b[1 + i];
	mean /= PB_QNET_ACTIONS;
	for (int i = 0; i < PB_QNET_ACTIONS; i++)
		q[i] = b[0] - mean + b[1 + i];
}

/* Input planes; each ghost has its own. */
enum {
	WALLS,
	REWARDS,
	PACMAN,
	PACMAN_BEFORE, /* its cell before; now the same as PACMAN */
	GHOST,
	GHOST_BEFORE = GHOST + PB_ARCADE_GHOSTS, /* the same */
	SCATTER = GHOST_BEFORE + PB_ARCADE_GHOSTS,
	CHASE,
	FRIGHT,
	PACE,
	POWER
};

/* Points that equal a reward of 1. */
#define UNIT 200.0f

/* Element of a plane, NULL if off the board. */
static float *
plane_cell(float *planes, int plane, int row, int col)
{
	if (row < 0 || row >= PB_QNET_COLS || col < 0 || col >= PB_QNET_ROWS)
		return NULL;
	return planes + plane * CELLS + col * PB_QNET_COLS +
	       (PB_QNET_COLS - 1 - row);
}

static void
set_plane_cell(float *planes, int plane, struct pb_at p, float v)
{
	float *to = plane_cell(planes, plane, p.row, p.col);

	if (to)
		*to = v;
}

/* Input planes of pellets by their value, the last one including the level. */
static void
show_pellets(
    const struct pb_pacbot *s, const struct pb_match_board *b, float *planes)
{
	int n = 0;
	float last;

	for (int row = 0; row < PB_PACBOT_ROWS; row++)
		for (uint32_t bits = s->pellets[row]; bits; bits &= bits - 1)
			n++;
	last = n == 1 ? 3000 / UNIT : 0;
	if (s->fruit_steps > 0)
		*plane_cell(planes, REWARDS, PB_FRUIT_ROW, PB_FRUIT_COL) =
		    100 / UNIT;
	for (int row = 0; row < PB_PACBOT_ROWS; row++)
		for (int col = 0; col < PB_PACBOT_COLS; col++) {
			bool power = b->rules.power[row] >> col & 1;

			if (!(s->pellets[row] >> col & 1))
				continue;
			*plane_cell(planes, REWARDS, row, col) =
			    (float)(power ? 50 : 10) / UNIT + last;
			if (power)
				*plane_cell(planes, POWER, row, col) = 1;
		}
}

static void
show_ghost(const struct pb_pacbot *s, int i, float *planes)
{
	const struct pb_arcade *g = &s->ghost[i];
	bool scatter = s->mode == PB_SCATTER && !s->paused;
	float *reward = plane_cell(planes, REWARDS, g->loc.row, g->loc.col);

	set_plane_cell(planes, GHOST + i, g->loc, 1);
	set_plane_cell(planes, GHOST_BEFORE + i, g->loc, 1);
	if (g->fright == 0) {
		set_plane_cell(planes, scatter ? SCATTER : CHASE, g->loc,
		    (float)s->mode_steps / PB_CHASE_STEPS);
		return;
	}
	set_plane_cell(
	    planes, FRIGHT, g->loc, (float)g->fright / PB_ARCADE_FRIGHT);
	if (reward)
		*reward += (float)(1 << (s->combo < 30 ? s->combo : 30));
}

void
pb_qnet_encode(const struct pb_pacbot *s, const struct pb_match_board *b,
    int ticks, float *out)
{
	float pace = (float)ticks / (float)s->period;

	memset(out, 0, PB_QNET_INPUTS * sizeof(*out));
	for (int row = 0; row < PB_PACBOT_ROWS; row++)
		for (int col = 0; col < PB_PACBOT_COLS; col++) {
			if (pb_cells_at(&b->cells, row, col) < 0)
				*plane_cell(out, WALLS, row, col) = 1;
			*plane_cell(out, PACE, row, col) = pace;
		}
	show_pellets(s, b, out);
	set_plane_cell(out, PACMAN, s->pac, 1);
	set_plane_cell(out, PACMAN_BEFORE, s->pac, 1);
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		show_ghost(s, i, out);
}

/* Least distance of a target from a ghost (cells). */
#define DISTANCE 3

/* Which of the two networks plays. */
enum { GAME, END, NETS };

/* Hashes of the published files. */
static const uint64_t published[NETS] = {
    UINT64_C(0x3349ca97e3fc87f1), UINT64_C(0x9b70f395ee6a1272)};

static const struct pb_weights_plan plan = {.files = NETS,
    .what = "the network of the game and the one of its end",
    .tensor = pb_qnet_tensors,
    .tensors = PB_QNET_TENSORS,
    .known = published};

struct known {
	struct pb_qnet *net[NETS];
};

struct memory {
	_Alignas(double) float planes[PB_QNET_INPUTS];
	_Alignas(double) unsigned char work[];
};

static void
forget(void *model)
{
	struct known *k = model;

	for (int i = 0; k && i < NETS; i++)
		pb_qnet_free(k->net[i]);
	free(k);
}

static enum pb_status
learn(const void *world, const void *opts, void **model)
{
	const struct pb_weights *w =
	    ((const struct pb_match_opts *)opts)->weights;
	struct known *k;

	(void)world;
	if (!w || pb_weights_check(&plan, w).fault != PB_WEIGHTS_FIT)
		return PB_EVALUE;
	if (!(k = calloc(1, sizeof(*k))))
		return PB_ENOMEM;
	for (int i = 0; i < NETS; i++)
		if (!(k->net[i] = pb_qnet_new(&w->file[i]))) {
			forget(k);
			return PB_ENOMEM;
		}
	*model = k;
	return PB_OK;
}

static size_t
memory(const void *world, const void *opts, const void *model)
{
	(void)world;
	(void)opts;
	(void)model;
	return sizeof(struct memory) + pb_qnet_memory();
}

/* The network to use: GAME while a power pellet is left or a ghost is
 * frightened, else END. */
static int
choose_net(const struct pb_bot_view *v)
{
	if (pb_search_power(v->s, &v->board->rules) > 0)
		return GAME;
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		if (v->s->ghost[i].fright > 0)
			return GAME;
	return END;
}

/* Direction of each action. */
static const enum pb_dir dir_of[PB_QNET_ACTIONS] = {[PB_QNET_STAY] = PB_STAY,
    [PB_QNET_DOWN] = PB_DOWN,
    [PB_QNET_UP] = PB_UP,
    [PB_QNET_LEFT] = PB_LEFT,
    [PB_QNET_RIGHT] = PB_RIGHT};

/* Steps from a cell to the nearest ghost that is not frightened, through walls.
 */
static int
ghost_distance(const struct pb_pacbot *s, struct pb_at p)
{
	int least = 2 * PB_ARCADE_OFF;

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		struct pb_at g = s->ghost[i].loc;
		int d = abs(g.row - p.row) + abs(g.col - p.col);

		if (s->ghost[i].fright == 0 && d < least)
			least = d;
	}
	return least;
}

/* Actions whose cells are farther than `distance` from ghosts, or have power
 * pellets. */
static unsigned
allowed_actions(const struct pb_bot_view *v, int distance)
{
	const struct pb_pacbot *s = v->s;
	unsigned set = 0;

	for (int a = 0; a < PB_QNET_ACTIONS; a++) {
		struct pb_at p = s->pac;

		if (dir_of[a] != PB_STAY)
			p = pb_arcade_step(p, dir_of[a]);
		if (pb_cells_at(&v->board->cells, p.row, p.col) < 0)
			continue;
		if (ghost_distance(s, p) > distance ||
		    (s->pellets[p.row] & v->board->rules.power[p.row]) >>
			    p.col &
			1)
			set |= 1u << a;
	}
	return set;
}

/* The allowed actions at the largest distance that leaves more than staying. */
static unsigned
mask_actions(const struct pb_bot_view *v)
{
	unsigned set = 0;

	if (pb_cells_at(&v->board->cells, v->s->pac.row, v->s->pac.col) < 0)
		return 0;
	for (int k = DISTANCE; k >= 0; k--) {
		set = allowed_actions(v, k);
		if (set & ~(1u << PB_QNET_STAY))
			break;
	}
	return set;
}

static void
decide(void *mem, const void *model, const void *view, struct pb_answer *out)
{
	const struct pb_bot_view *v = view;
	const struct known *k = model;
	struct memory *m = mem;
	unsigned set = mask_actions(v);
	float q[PB_QNET_ACTIONS] = {0};
	int best = -1;

	/* Evaluate only if there is a choice. */
	if (set & (set - 1)) {
		pb_qnet_encode(
		    v->s, v->board, v->opts->ticks_per_cell, m->planes);
		pb_qnet_values(k->net[choose_net(v)], m->planes, m->work, q);
	}
	for (int a = 0; a < PB_QNET_ACTIONS; a++)
		if (set >> a & 1 && (best < 0 || q[a] > q[best]))
			best = a;
	out->dir = best < 0 ? PB_STAY : dir_of[best];
}

const struct pb_player pb_bot_dqn = {.name = "dqn",
    .summary = "the network of a published team; needs its --weights",
    .weights = &plan,
    .learn = learn,
    .forget = forget,
    .memory = memory,
    .decide = decide};
