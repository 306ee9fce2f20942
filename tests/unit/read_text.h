/* read_text.h - a record from a C string, for the tests of records. */
#pragma once

#include <string.h>

#include "io/rec/rec.h"

/* Reads the C string s; the record is the caller's to clear. */
static inline bool
read_text(const char *s, struct pb_rec *r, struct pb_error *bad)
{
	return pb_rec_read(s, strlen(s), PB_REC_ALL, r, bad);
}
