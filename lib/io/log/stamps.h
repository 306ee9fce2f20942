/* stamps.h - what is wrong with the stamps of records, for people. */
#ifndef PB_IO_LOG_STAMPS_H
#define PB_IO_LOG_STAMPS_H

#include <stddef.h>

#include "localize/pairing.h"

/*
 * What makes s broken, e.g. "of 88 stamps of scans, 70 come again"; 160 bytes
 * are enough.
 *
 * Given    what  the records, in plural
 * Returns  out
 */
const char *pb_stamps_text(
    const struct pb_stamps *s, const char *what, char *out, size_t size);

#endif
