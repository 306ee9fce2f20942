/* json_scan.h - the grammar of JSON, for json.c and json_get.c. */
#ifndef PB_IO_JSON_SCAN_H
#define PB_IO_JSON_SCAN_H

#include "io/json.h"

/* A place in a line. */
struct pb_scan {
	const char *s;     /* the next byte */
	const char *end;   /* of the line */
	const char *start; /* of the line, for column numbers */
	int depth;         /* lists that are open */
	struct pb_bad *bad;
};

void pb_scan_blanks(struct pb_scan *c);

/* Go past a value; false and bad filled in if there is none. */
bool pb_scan_value(struct pb_scan *c);

/* Length of the item at s in a list whose grammar was checked before. */
size_t pb_scan_checked(const char *s, const char *end);

/* Whether the text of the JSON string v is name. */
bool pb_jval_is(struct pb_jval v, const char *name);

#endif
