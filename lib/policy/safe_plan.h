/* safe_plan.h - the next seconds: a search over places and times. */
#pragma once

#include "policy/safe_task.h"

/*
 * Time is cut into steps in which the robot drives half a block of its net.
 * For every step and node the belief gives the chance of being caught there
 * then; beyond the last step the value of fleeing speaks. Backwards from
 * there, two games are solved at once: S, survive; and V, reach some place
 * that is left to fetch, pay for the time that the rest of the tour takes,
 * and survive from then on. Time costs `price` a second, in chances of being
 * caught. What the robot may do at once it may do at every later step, so
 * waiting, dodging, turning back and entering a dead end behind Clyde's back
 * are the same thing.
 *
 */
size_t pb_safe_plan_bytes(const struct pb_safe_field *f);

/*
 * Plan.
 *
 * Given    ways  grown for the present moment
 *          work  pb_safe_plan_bytes
 * Returns  the best plan; n = 0: stay
 */
struct pb_safe_plan pb_safe_plan_make(const struct pb_safe_field *f,
    const struct pb_clyde_ways *ways, const struct pb_safe_task *task,
    void *work);
