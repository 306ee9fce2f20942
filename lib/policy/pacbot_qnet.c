/* pacbot_qnet.c - the published Pacbot network: what it sees, and what it makes
 * of that. */
#include "policy/pacbot_qnet.h"

#include <stdlib.h>
#include <string.h>

#include "policy/network.h"

/* Sides of the boards after each layer, and what all of them are for. */
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

/* In the order of their names there; weights and biases of layer i are 2 i and
 * 2 i + 1. */
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
enum { HEADS = PB_NET_PADDED(1 + PB_QNET_ACTIONS) };

struct pb_qnet {
	struct pb_net_sparse see;
	struct pb_net_conv3 conv[4];
	struct pb_net_linear hidden, heads;
	float w0[PB_QNET_PLANES * 25 * FIRST], b0[FIRST];
	float w1[9 * FIRST * SECOND], b1[SECOND];
	float w2[9 * SECOND * THIRD], b2[THIRD];
	float w3[9 * THIRD * FOURTH], b3[FOURTH];
	float w4[9 * FOURTH / GROUPS * FOURTH], b4[FOURTH];
	float w5[FOURTH * HIDDEN], b5[HIDDEN];
	float w6[HIDDEN * HEADS], b6[HEADS];
};

static const float *
value_of(const struct pb_tensors *t, int i)
{
	return pb_tensor_find(t, pb_qnet_tensors[i].name)->value;
}

/* Copy bias i of the plan; how many numbers it has. */
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
	n->see = (struct pb_net_sparse){PB_QNET_PLANES, FIRST, 5, n->w0, n->b0};
	n->conv[0] = (struct pb_net_conv3){1, FIRST, SECOND, n->w1, n->b1};
	n->conv[1] = (struct pb_net_conv3){1, SECOND, THIRD, n->w2, n->b2};
	n->conv[2] = (struct pb_net_conv3){1, THIRD, FOURTH, n->w3, n->b3};
	n->conv[3] = (struct pb_net_conv3){
	    GROUPS, FOURTH / GROUPS, FOURTH / GROUPS, n->w4, n->b4};
	n->hidden = (struct pb_net_linear){FOURTH, HIDDEN, n->w5, n->b5};
	n->heads = (struct pb_net_linear){HIDDEN, HEADS, n->w6, n->b6};
	pb_net_sparse_pack(&n->see, value_of(t, 0), n->w0);
	pb_net_conv3_pack(&n->conv[0], value_of(t, 2), n->w1);
	pb_net_conv3_pack(&n->conv[1], value_of(t, 4), n->w2);
	pb_net_conv3_pack(&n->conv[2], value_of(t, 6), n->w3);
	pb_net_conv3_pack(&n->conv[3], value_of(t, 8), n->w4);
	pb_net_linear_pack(&n->hidden, value_of(t, 10), 0, HIDDEN, n->w5);
	pb_net_linear_pack(&n->heads, value_of(t, 12), 0, 1, n->w6);
	pb_net_linear_pack(
	    &n->heads, value_of(t, 14), 1, PB_QNET_ACTIONS, n->w6);
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

/* What an evaluation works in: two boards by turns. */
struct work {
	float first[CELLS * FIRST];
	float second[ROWS2 * COLS2 * SECOND];
	float framed[(PB_QNET_ROWS + 3) * (PB_QNET_COLS + 3) * FIRST];
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

	pb_net_sparse(&n->see, in, PB_QNET_ROWS, PB_QNET_COLS, a);
	pb_net_silu(a, CELLS * FIRST);
	pb_net_conv3(&n->conv[0], a, PB_QNET_ROWS, PB_QNET_COLS, b, w->framed);
	pb_net_silu(b, ROWS2 * COLS2 * SECOND);
	pb_net_conv3(&n->conv[1], b, ROWS2, COLS2, a, w->framed);
	pb_net_silu(a, ROWS3 * COLS3 * THIRD);
	pb_net_conv3(&n->conv[2], a, ROWS3, COLS3, b, w->framed);
	pb_net_silu(b, ROWS4 * COLS4 * FOURTH);
	/* The largest of all cells is that of the largest of four. */
	pb_net_conv3(&n->conv[3], b, ROWS4, COLS4, a, w->framed);
	pb_net_largest(a, ((ROWS4 + 1) / 2) * ((COLS4 + 1) / 2), FOURTH, b);
	pb_net_silu(b, FOURTH);
	pb_net_linear(&n->hidden, b, a);
	pb_net_silu(a, HIDDEN);
	pb_net_linear(&n->heads, a, b);
	for (int i = 0; i < PB_QNET_ACTIONS; i++)
		mean += b[1 + i];
	mean /= PB_QNET_ACTIONS;
	for (int i = 0; i < PB_QNET_ACTIONS; i++)
		q[i] = b[0] - mean + b[1 + i];
}

/* What is in which plane; those of ghosts have one for each. */
enum {
	WALLS,
	REWARDS,
	PACMAN,
	PACMAN_BEFORE, /* it once was that; now it is where he is */
	GHOST,
	GHOST_BEFORE = GHOST + PB_ARCADE_GHOSTS, /* the same */
	SCATTER = GHOST_BEFORE + PB_ARCADE_GHOSTS,
	CHASE,
	FRIGHT,
	PACE,
	POWER
};

/* Points of the game that are a reward of 1. */
#define UNIT 200.0f

/* A place in a plane, NULL: no cell of the board. */
static float *
at(float *planes, int plane, int row, int col)
{
	if (row < 0 || row >= PB_QNET_COLS || col < 0 || col >= PB_QNET_ROWS)
		return NULL;
	return planes + plane * CELLS + col * PB_QNET_COLS +
	       (PB_QNET_COLS - 1 - row);
}

static void
set(float *planes, int plane, struct pb_at p, float v)
{
	float *to = at(planes, plane, p.row, p.col);

	if (to)
		*to = v;
}

/* What pellets are worth, the last one with the level. */
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
		*at(planes, REWARDS, PB_FRUIT_ROW, PB_FRUIT_COL) = 100 / UNIT;
	for (int row = 0; row < PB_PACBOT_ROWS; row++)
		for (int col = 0; col < PB_PACBOT_COLS; col++) {
			bool power = b->rules.power[row] >> col & 1;

			if (!(s->pellets[row] >> col & 1))
				continue;
			*at(planes, REWARDS, row, col) =
			    (float)(power ? 50 : 10) / UNIT + last;
			if (power)
				*at(planes, POWER, row, col) = 1;
		}
}

static void
show_ghost(const struct pb_pacbot *s, int i, float *planes)
{
	const struct pb_arcade *g = &s->ghost[i];
	bool scatter = s->mode == PB_SCATTER && !s->paused;
	float *reward = at(planes, REWARDS, g->loc.row, g->loc.col);

	set(planes, GHOST + i, g->loc, 1);
	set(planes, GHOST_BEFORE + i, g->loc, 1);
	if (g->fright == 0) {
		set(planes, scatter ? SCATTER : CHASE, g->loc,
		    (float)s->mode_steps / PB_CHASE_STEPS);
		return;
	}
	set(planes, FRIGHT, g->loc, (float)g->fright / PB_ARCADE_FRIGHT);
	if (reward)
		*reward += (float)(1 << (s->combo < 30 ? s->combo : 30));
}

void
pb_qnet_look(const struct pb_pacbot *s, const struct pb_match_board *b,
    int ticks, float *out)
{
	float pace = (float)ticks / (float)s->period;

	memset(out, 0, PB_QNET_INPUTS * sizeof(*out));
	for (int row = 0; row < PB_PACBOT_ROWS; row++)
		for (int col = 0; col < PB_PACBOT_COLS; col++) {
			if (pb_cells_at(&b->cells, row, col) < 0)
				*at(out, WALLS, row, col) = 1;
			*at(out, PACE, row, col) = pace;
		}
	show_pellets(s, b, out);
	set(out, PACMAN, s->pac, 1);
	set(out, PACMAN_BEFORE, s->pac, 1);
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		show_ghost(s, i, out);
}
