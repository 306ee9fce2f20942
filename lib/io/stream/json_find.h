/* json_find.h - what json_get.c and json_walk.c share. */
#ifndef PB_IO_STREAM_JSON_FIND_H
#define PB_IO_STREAM_JSON_FIND_H

#include "io/stream/json.h"

/*
 * The value of key; a key with null is a missing one. NULL: there is nothing
 * to read, and if it is needed that was said.
 */
json_t *pb_get_find(
    struct pb_get *g, const char *key, enum pb_need need, const char *expected);

/* Getters for v, an object in g's line, that complain where g does. */
void pb_get_sub(
    const struct pb_get *g, json_t *v, const char *path, struct pb_get *sub);

/* Complain about v, which may be NULL, at path + where. */
void pb_get_complain(
    struct pb_get *g, const char *where, const json_t *v, const char *expected);

#endif
