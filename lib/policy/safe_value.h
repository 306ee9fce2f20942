/* safe_value.h - how likely is one caught in the end, playing on well. */
#ifndef PB_POLICY_SAFE_VALUE_H
#define PB_POLICY_SAFE_VALUE_H

#include "policy/safe_chain.h"
#include "policy/safe_kill.h"
#include "policy/safe_net.h"

/*
 * The game of fleeing for its own sake, solved: for each node of the net and
 * each state of Clyde's chain, the least chance of being caught over the next
 * minute or so by a robot that sees Clyde and moves every step as it likes.
 * Dead ends and places to step aside need no rules of their own: they have
 * high and low values. Made once, then only read.
 */
struct pb_safe_value {
	int states;   /* of the chain */
	double step;  /* time of one move of the robot (s) */
	double speed; /* Clyde's, for which it was made (m/s) */
	float *risk;  /* by node * states + state; owned */
};

/*
 * Solve it.
 *
 * Given    speed    the robot's, along the net (m/s), > 0
 *          clyde    Clyde's (m/s), > 0
 *          kill     chance of being caught at a distance
 *          horizon  time constant over which the future counts (s)
 * Returns  PB_OK and v for pb_safe_value_clear, or PB_ENOMEM
 */
enum pb_status pb_safe_value_init(struct pb_safe_value *v,
    const struct pb_safe_net *net, const struct pb_safe_chain *c,
    const struct pb_safe_kill *kill, double speed, double clyde,
    double horizon);
void pb_safe_value_clear(struct pb_safe_value *v);

#endif
