/* yaml.h - libyaml's parser for text that anybody may have written. */
#pragma once

#include <stddef.h>
#include <yaml.h>

#include "io/stream/msg.h"

/*
 * Begin to parse s[0..n), which must last. Text with too many open brackets is
 * refused: libyaml looks at all of them for every token, and a file of nothing
 * else would take it minutes.
 *
 * Returns  0 and y for yaml_parser_delete; -1 with f filled in
 */
int pb_yaml_open(yaml_parser_t *y, const char *s, size_t n, const char *name,
    struct pb_error *f);

/* What the parser of the file `name` has met; returns -1. */
int pb_yaml_fault(const yaml_parser_t *y, const char *name, struct pb_error *f);
