/* later.h - shared libraries that a process loads when it first needs them. */
#pragma once

#include <stddef.h>

/*
 * Most runs of a tool draw nothing and speak to nobody, and cairo and
 * libwebsockets bring 25 libraries with them: two thirds of the start of
 * pb-sim. A library that is not there ends the program with status 3.
 *
 * Given    library  its SONAME, "libcairo.so.2"
 *          n, name  of functions
 * Returned to       pointers to them, each void (*)(void)
 */
void pb_later(
    const char *library, size_t n, const char *const name[], void *to);
