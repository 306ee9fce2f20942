/* maplint.h - the traps of map files, named before they bite. */
#pragma once

#include "io/stream/msg.h"

/*
 * Called once per finding: file:line (0: none), a short code that stays the
 * same between versions, and a sentence.
 */
typedef void pb_lint_sink(
    void *arg, const char *file, long line, const char *code, const char *text);

/*
 * Look for traps in the map file at path. Returns the number of findings; a
 * file that cannot be read at all is one of them.
 */
int pb_lint(const char *path, pb_lint_sink *sink, void *arg);
