/* golden.h - cases of files, a line of JSON each: those that are named, or
 * those of testdata and, where there are any, of ../shared/data. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "check.h"

/* Cases of f that come out the same, of *all; what of the others to stdout. */
typedef int golden_file(FILE *f, int *all);

/* A test for a file; without one it is skipped, if that is allowed. */
static void
run_golden(golden_file *test_file, const char *name, bool needed)
{
	FILE *f = fopen(name, "r");
	int all, n;

	check_tests++;
	if (f == NULL && !needed) {
		printf("ok %d # skip no %s\n", check_tests, name);
		return;
	}
	if (f == NULL) {
		printf("# cannot read it\nnot ok %d %s\n", check_tests, name);
		check_failed++;
		return;
	}
	n = test_file(f, &all);
	fclose(f);
	check_failed += n < all || all == 0;
	printf("%d of %d\n%sok %d %s\n", n, all,
	    n < all || all == 0 ? "not " : "", check_tests, name);
}

static int
run_goldens(golden_file *test_file, int argc, char **argv, const char *own,
    const char *shared)
{
	for (int i = 1; i < argc; i++)
		run_golden(test_file, argv[i], true);
	if (argc < 2) {
		run_golden(test_file, own, true);
		run_golden(test_file, shared, false);
	}
	return done();
}
