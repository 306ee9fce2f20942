/*
 * check.h - the few macros of the unit tests, which print TAP, and the headers
 * of C that most of them need.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pb/rng.h"

/*
 * A test file is a list of tests; main is here and runs them in their order:
 *
 *	test(wrap)
 *	{
 *		check_near(pb_wrap(4), 4 - 2 * PB_PI, 1e-12);
 *	}
 *
 * A failed check prints where and what, marks the running test as failed, or
 * the next one, and goes on. Tolerances are given at the call. A file that
 * must prepare something defines CHECK_MAIN before it includes this, and has a
 * main that calls run_tests() and returns done().
 */
struct check_test {
	const char *name;
	int line;
	void (*run)(void);
	struct check_test *next;
};

static struct check_test *check_first;
static int check_tests, check_failed, check_bad;

static inline void
check_fail_(const char *file, int line, const char *what)
{
	printf("# %s:%d: %s\n", file, line, what);
	check_bad = 1;
}

static inline void
check_near_(
    const char *file, int line, const char *what, double a, double b, double e)
{
	if (fabs(a - b) <= e)
		return;
	printf("# %s:%d: %s: %.17g, expected %.17g within %g\n", file, line,
	    what, a, b, e);
	check_bad = 1;
}

static inline void
check_int_(
    const char *file, int line, const char *what, long long a, long long b)
{
	if (a == b)
		return;
	printf("# %s:%d: %s: %lld, expected %lld\n", file, line, what, a, b);
	check_bad = 1;
}

static inline void
check_str_(
    const char *file, int line, const char *what, const char *a, const char *b)
{
	if (strcmp(a, b) == 0)
		return;
	printf("# %s:%d: %s:\n#   \"%s\", expected\n#   \"%s\"\n", file, line,
	    what, a, b);
	check_bad = 1;
}

static inline void
check_has_(const char *file, int line, const char *what, const char *text,
    const char *part)
{
	if (strstr(text, part))
		return;
	printf("# %s:%d: %s:\n#   \"%s\" lacks\n#   \"%s\"\n", file, line, what,
	    text, part);
	check_bad = 1;
}

/* Compilers may call constructors in any order: by line. */
static inline void
check_enlist(struct check_test *t)
{
	struct check_test **at = &check_first;

	while (*at && (*at)->line < t->line)
		at = &(*at)->next;
	t->next = *at;
	*at = t;
}

static inline void
run_tests(void)
{
	for (struct check_test *t = check_first; t; t = t->next) {
		t->run();
		check_failed += check_bad;
		printf("%sok %d %s\n", check_bad ? "not " : "", ++check_tests,
		    t->name);
		fflush(stdout);
		check_bad = 0;
	}
}

static inline int
done(void)
{
	if (check_bad) {
		check_failed++;
		printf("not ok %d behind the last test\n", ++check_tests);
	}
	printf("1..%d\n", check_tests);
	return check_failed ? 1 : 0;
}

/* The draws of trial 0 of a seed. */
static inline struct pb_rng
draws(uint64_t seed, enum pb_purpose what)
{
	struct pb_rng r;

	pb_rng_start(&r, seed, 0, what, 0);
	return r;
}

#define check(c) \
	((c) ? (void)0 : check_fail_(__FILE__, __LINE__, "not true: " #c))
#define check_near(a, b, e) check_near_(__FILE__, __LINE__, #a, a, b, e)
#define check_int(a, b)     check_int_(__FILE__, __LINE__, #a, a, b)
#define check_str(a, b)     check_str_(__FILE__, __LINE__, #a, a, b)
#define check_has(a, b)     check_has_(__FILE__, __LINE__, #a, a, b)

#define test(f)                                                   \
	static void test_##f(void);                               \
	__attribute__((constructor)) static void enlist_##f(void) \
	{                                                         \
		static struct check_test t = {                    \
		    "test_" #f, __LINE__, test_##f, 0};           \
                                                                  \
		check_enlist(&t);                                 \
	}                                                         \
	static void test_##f(void)

#ifndef CHECK_MAIN
int
main(void)
{
	run_tests();
	return done();
}
#endif
