/* setting.h - options given as text, without the C library's help. */
#pragma once

#include <stdbool.h>

#include "pb/param.h"

/*
 * Read a decimal number as people write it: sign, digits, point, exponent; at
 * most 15 digits, and none that is 22 places from the point.
 *
 * Returns  false if it is none; v is what strtod() would make of it
 */
bool pb_setting_number(const char *s, double *v);

/*
 * Set the option that p describes in opts.
 *
 * Returns  NULL, or what was expected: words or a text of static storage
 */
const char *pb_setting_row(
    const struct pb_param *p, void *opts, const char *text);
