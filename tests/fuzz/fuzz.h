/*
 * fuzz.h - what the targets share. A target takes any bytes and must come
 * back: abort() is a finding, as is anything that a sanitizer sees. The same
 * file is linked with libFuzzer (make fuzz) and with replay.c (make unit).
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n);

/* Like assert, but there whatever the flags are. */
#define must(c)                                                               \
	((c) ? (void)0                                                        \
	     : (fprintf(                                                      \
		    stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #c), \
		   abort()))

/* A copy with the zero byte behind it that readers of files are promised. */
static inline char *
fuzz_text(const unsigned char *bytes, size_t n)
{
	char *s = malloc(n + 1);

	must(s != NULL);
	if (n > 0)
		memcpy(s, bytes, n);
	s[n] = 0;
	return s;
}

/* Bytes that are left of the input, for targets that play with them. */
struct fuzz_script {
	const unsigned char *at, *end;
};

static inline int
fuzz_byte(struct fuzz_script *s)
{
	return s->at < s->end ? *s->at++ : 0;
}
