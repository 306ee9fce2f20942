/* pacbot_dqn.h - the published Pacbot network, and the layers that it has. */
#pragma once

#include <stddef.h>

#include "pb/match.h"
#include "pb/weights.h"

/* x / (1 + exp(-x)) of each of n numbers, a multiple of 4; off by less than
 * 1e-6 of it. */
void pb_net_silu(float *x, int n);

/*
 * The network of R.I.T.'s team (2024), which was trained to play Pacbot: from
 * planes that show the game it makes the value Q of each action, rewards to
 * come over 50. Planes have a row for each column of the board, and the board's
 * last row first: cell (row, col) is number [col][PB_QNET_COLS - 1 - row].
 */
enum {
	PB_QNET_PLANES = 17,
	PB_QNET_ROWS = PB_PACBOT_COLS,
	PB_QNET_COLS = PB_PACBOT_ROWS,
	PB_QNET_INPUTS = PB_QNET_PLANES * PB_QNET_ROWS * PB_QNET_COLS
};

enum pb_qnet_action {
	PB_QNET_STAY,
	PB_QNET_DOWN,
	PB_QNET_UP,
	PB_QNET_LEFT,
	PB_QNET_RIGHT,
	PB_QNET_ACTIONS
};

/* The tensors of a network's file. */
enum { PB_QNET_TENSORS = 16 };
extern const struct pb_tensor_plan pb_qnet_tensors[PB_QNET_TENSORS];

/* One network, its weights in the order in which they are used. */
struct pb_qnet;

/* Make a network of tensors as above. Returns NULL without memory. */
struct pb_qnet *pb_qnet_new(const struct pb_tensors *t);
void pb_qnet_free(struct pb_qnet *n);

/* Bytes of memory that an evaluation takes; aligned for a double. */
size_t pb_qnet_memory(void);

/*
 * Show the game: `out` has PB_QNET_INPUTS floats.
 *
 * Given    ticks  that the robot takes for a cell
 */
void pb_qnet_encode(const struct pb_pacbot *s, const struct pb_match_board *b,
    int ticks, float *out);

/* The values of the actions for planes `in`. */
void pb_qnet_values(const struct pb_qnet *n, const float *in, void *mem,
    float q[PB_QNET_ACTIONS]);
