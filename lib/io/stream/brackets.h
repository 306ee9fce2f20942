/* brackets.h - text that is nested too deep for a reader of YAML. */
#pragma once

#include <stddef.h>

#define PB_BRACKETS_MAX 1000 /* that may be open */

/*
 * Line at which more than PB_BRACKETS_MAX brackets are open, 0 if there is
 * none. libyaml looks at all of them for every token: a file of nothing else
 * would take it minutes. Brackets in texts count, too.
 */
long pb_brackets_too_deep(const char *p, size_t n);
