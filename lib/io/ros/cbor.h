/* cbor.h - CBOR (RFC 8949), as rosbridge sends it, as the JSON that it means.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/error.h"
#include "io/stream/text.h"

/*
 * Write the one item that s[0..n) is, an object as a rule. Typed arrays of RFC
 * 8746 become arrays, as bytes do; what is no finite number becomes null.
 *
 * Returns  false with bad filled in: it is none, or not of a kind that
 *          messages have
 */
bool pb_cbor_put(
    struct pb_text *o, const unsigned char *s, size_t n, struct pb_error *bad);
