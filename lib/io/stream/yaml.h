/* yaml.h - libyaml's parser for text that anybody may have written. */
#pragma once

#include <stddef.h>
#include <yaml.h>

#include "io/stream/msg.h"

/*
 * Read s[0..n), a file of that name. Text with too many open brackets or
 * anchors is refused: libyaml looks at all of them for every token, and a file
 * of nothing else would take it minutes.
 *
 * Returns  0 and doc for yaml_document_delete; -1 with f filled in
 */
int pb_yaml_load(yaml_document_t *doc, const char *s, size_t n,
    const char *name, struct pb_error *f);
