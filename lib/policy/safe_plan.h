/* safe_plan.h - the next seconds: a search over places and times. */
#ifndef PB_POLICY_SAFE_PLAN_H
#define PB_POLICY_SAFE_PLAN_H

#include "policy/safe_task.h"

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

#endif
