/* safe_escape.h - ways on which those that hunt do not catch the robot. */
#pragma once

#include "policy/safe_task.h"

/*
 * Where somebody hunts, what he does depends on what the robot does, so that a
 * table by place and time says nothing. Ways of the robot are gone through step
 * by step, each with the hunters walking after it in thought; of many ways the
 * best are gone on with, and one of those that are alike.
 */
struct pb_safe_escape {
	const struct pb_safe_field *field;
	const struct pb_safe_task *task;
	const struct pb_safe_entries *in; /* n >= 1 */
	const float *harm; /* what Clyde does, from pb_safe_harm_fill ... */
	const float *leaf; /* ... and after the last step */
};

/* Work memory of a search; 0 where nobody hunts. */
size_t pb_safe_escape_bytes(const struct pb_safe_field *f);

/*
 * Look for the best way.
 *
 * Given    work  pb_safe_escape_bytes
 * Returns  the plan; it never spins
 */
struct pb_safe_plan pb_safe_escape_find(
    const struct pb_safe_escape *e, void *work);
