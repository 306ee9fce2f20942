/* build.h - what this build of a tool is, and whether it computes right. */
#pragma once

#include <stdint.h>

/* The commit, as git describes it, or "unknown"; the compiler. */
extern const char pb_build_commit[];
extern const char pb_build_compiler[];

/*
 * The digest of pb/version.h, worked out once. It tells results that can
 * be compared from those of a build that computes something else.
 */
uint64_t pb_build_digest(void);

/* Print these on stdout, after the line with the version. */
void pb_build_print(void);

/* Warn if the digest is not the one that it should be. */
void pb_build_check(void);
