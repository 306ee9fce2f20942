/* json_scan.h - the grammar of JSON, for the json*.c. */
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

/*
 * The value of key; a key with null is a missing one. False: there is nothing
 * to read, and if it is needed that was said.
 */
bool pb_get_find(struct pb_get *g, const char *key, enum pb_need need,
    const char *expected, struct pb_jval *v);

/* Number of items of the array v. */
size_t pb_jval_items(struct pb_jval v);

/* Complain about v at path + where. */
void pb_get_complain(struct pb_get *g, const char *where, struct pb_jval v,
    const char *expected);

/* The number v, NAN for what is none or not finite. */
double pb_jval_number(struct pb_jval v);

#endif
