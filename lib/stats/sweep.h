/* sweep.h - cells of a sweep, which differ in constants. */
#pragma once

#include "pb/tally.h"

/* The value of a constant in told constants, of *n bytes; NULL, of none: it is
 * not told. */
const char *pb_told_value(const char *told, const char *name, size_t *n);

/* The next "name=value" of told from *at on, of *n bytes, *name of them the
 * name; NULL: there is none. */
const char *pb_told_next(const char **at, size_t *n, size_t *name);

/*
 * Compare each cell of the sweep that begins with group i of t with that group;
 * nothing if none begins there. PB_OK or PB_ENOMEM.
 */
enum pb_status pb_sweeps_add(struct pb_sweeps *s, const struct pb_tally *t,
    int i, struct pb_by by, double confidence);
void pb_sweeps_clear(struct pb_sweeps *s);
