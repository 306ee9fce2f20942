/* main.c - measures the toolkit and prints one table. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "map/gen_house.h"
#include "pb/version.h"

static const struct {
	const char *name;
	void (*run)(void);
	int asked; /* it runs only if it is named: minutes */
} family[] = {
    {"base", bench_base},
    {"map", bench_map},
    {"mapping", bench_mapping},
    {"path", bench_path},
    {"ray", bench_ray},
    {"stream", bench_stream},
    {"round", bench_round},
    {"pacbot", bench_pacbot},
    {"env", bench_env},
    {"robots", bench_robots},
    {"mazeloc", bench_mazeloc},
    {"mcl", bench_mcl},
};
enum { FAMILIES = sizeof(family) / sizeof(*family) };

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A rate in three digits with its thousands as a letter. */
static void
print_rate(double rate)
{
	static const char *const letter[] = {"", "k", "M", "G", "T"};
	int k = 0;

	for (; rate >= 999.5 && k < 4; k++)
		rate /= 1000;
	printf("%8.3g%-1s", rate, letter[k]);
}

void
bench_row(const char *name, const char *unit, const char *goal,
    double (*work)(void *arg), void *arg)
{
	enum { MOST = 201, LEAST = 5 };
	double rate[MOST], begin, t = 0, median;
	int n = 0;

	work(arg);
	for (begin = now(); n < MOST && (n < LEAST || t < begin + 0.5); n++) {
		double t0 = now(), amount = work(arg);

		t = now();
		rate[n] = amount / (t - t0);
	}
	qsort(rate, (size_t)n, sizeof(rate[0]), ascending);
	median = rate[n / 2];
	printf("%-44s ", name);
	print_rate(median);
	printf(" %-12s %4.0f %%%s%s\n", unit,
	    100 * (rate[3 * n / 4] - rate[n / 4]) / median,
	    *goal != '\0' ? "  " : "", goal);
	fflush(stdout);
}

void
bench_stop(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(3);
}

void
bench_house(int side, struct pb_map *m)
{
	struct pb_house_opts o = pb_house_defaults();

	o.width = o.height = side * o.resolution;
	if (pb_gen_house(&o, m) != PB_OK)
		bench_stop("cannot make a house");
}

/* "model name : X" of the first processor, where the system says. */
static void
print_machine(void)
{
	char line[256], model[256] = "unknown processor";
	FILE *f = fopen("/proc/cpuinfo", "r");
	char *colon;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "model name", 10) == 0 &&
		    (colon = strchr(line, ':')) != NULL) {
			colon[strcspn(colon, "\n")] = '\0';
			snprintf(model, sizeof(model), "%s", colon + 2);
			break;
		}
	if (f != NULL)
		fclose(f);
	printf("%s, %ld cores, %s %s, %s, pb %s\n\n", model,
	    sysconf(_SC_NPROCESSORS_ONLN),
#if defined(__clang__)
	    "clang",
#else
	    "gcc",
#endif
	    __VERSION__, BENCH_CFLAGS, PB_VERSION);
}

static int
known(const char *name)
{
	for (int i = 0; i < FAMILIES; i++)
		if (strcmp(name, family[i].name) == 0)
			return 1;
	return 0;
}

/* Operands name the families to run; none: all but the slow. */
int
main(int argc, char **argv)
{
	for (int k = 1; k < argc; k++)
		if (!known(argv[k])) {
			fprintf(stderr, "bench: no family \"%s\"\n", argv[k]);
			return 2;
		}
	print_machine();
	printf("%-44s %9s %-12s %6s  %s\n", "one core", "median", "a second",
	    "spread", "asked for");
	for (int i = 0; i < FAMILIES; i++) {
		int wanted = argc == 1 && !family[i].asked;

		for (int k = 1; k < argc; k++)
			wanted |= strcmp(argv[k], family[i].name) == 0;
		if (wanted)
			family[i].run();
	}
	return 0;
}
