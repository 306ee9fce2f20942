/* main.c - measures the toolkit and prints one table. */
#include "bench.h"

#include <math.h>
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
    {"tools", bench_tools},
    {"robots", bench_robots},
    {"mazeloc", bench_mazeloc},
    {"mcl", bench_mcl},
    {"growth", bench_growth, 1},
};
enum { FAMILIES = sizeof(family) / sizeof(*family) };

static double
seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double
bench_now(void)
{
	return seconds(CLOCK_MONOTONIC);
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* What is asked of rows: at least so much, of some at most. */
static const struct ask {
	const char *row;
	double value;
	int most;
} asked[] = {
    {"distance transform, house 400 x 400", 100e6},
    {"distance transform, house 4000 x 4000", 100e6},
    {"the ghost's same paths, as they are found", 2000}, /* 10 a round */
    {"rays in any order, house 400 x 400", 18e6},
    {"rays one by one, house 400 x 400", 18e6},
    {"rays in any order, laboratory 636 x 776", 18e6},
    {"rays one by one, laboratory 636 x 776", 18e6},
    {"pose records in", 600e3},
    {"lines of unknown types passed on", 1e9},
    {"rounds, player seed, preset published", 200},
    {"rounds, player safe, preset published", 20},
    {"rounds by mcl, lidar, five people, in time", 10},
    {"pacbot, a move and the ticks to the update", 20e6},
    {"pacbot, tick by tick", 48e6},
    {"pacbot, moves by chance", 1.7e6},
    {"pacbot, player search, 8000 nodes", 1000},
    {"pacbot, a program that plays: bot.c", 20e3},
    {"pacbot, power, drive by fuse, games of 60 s", 20},
    {"env, pacbot as frames, 1024 games", 1e6},
    {"the same from Python, numpy arrays", 1e6},
    {"first game in a house of 4000 x 4000", 1, 1},
    {"  its memory", 400e6, 1},
    {"pb-bench -j, of as many processes", 97},
    {"roomba, grid", 5e6},
    {"maze, fuse", 20e3},
    {"likelihood field, 60 beams, house 400 x 400", 100e6},
    {"resampling of 20,000, spread everywhere", 1e3},
    {"update with 2,000 particles, 120 beams", 104},
};
enum { ASKED = sizeof(asked) / sizeof(*asked) };

/* Three digits, with their thousands as a letter. */
static void
print_short(double v)
{
	static const char *const letter[] = {"", "k", "M", "G", "T"};
	int k = 0;

	for (; v >= 999.5 && k < 4; k++)
		v /= 1000;
	printf(v >= 99.95 ? "%8.0f%-1s" : "%8.3g%-1s", v, letter[k]);
}

/* A row: what was measured, and what is asked of it, if anything is. */
static void
print_row(const char *name, double value, const char *unit, double spread)
{
	const struct ask *a = asked;

	printf("%-44s ", name);
	print_short(value);
	printf(" %-14s %4.0f %%", unit, 100 * spread);
	while (a < asked + ASKED && strcmp(a->row, name) != 0)
		a++;
	if (a < asked + ASKED) {
		double share = a->most ? a->value / value : value / a->value;

		print_short(a->value);
		if (share >= 1)
			printf("  reached");
		else
			printf("  %.0f %% of it", floor(100 * share));
	}
	printf("\n");
	fflush(stdout);
}

void
bench_figure(const char *name, const char *unit, double *value, int n)
{
	qsort(value, (size_t)n, sizeof(value[0]), ascending);
	print_row(name, value[n / 2], unit,
	    (value[3 * n / 4] - value[n / 4]) / value[n / 2]);
}

static void
measure(clockid_t clock, const char *name, const char *unit,
    double (*work)(void *arg), void *arg)
{
	enum { MOST = 201, LEAST = 5 };
	double rate[MOST], begin, t = 0;
	char a_second[32];
	int n = 0;

	work(arg);
	for (begin = seconds(clock); n < MOST && (n < LEAST || t < begin + 0.5);
	     n++) {
		double t0 = seconds(clock), amount = work(arg);

		t = seconds(clock);
		rate[n] = amount / (t - t0);
	}
	snprintf(a_second, sizeof(a_second), "%.12s/s", unit);
	bench_figure(name, a_second, rate, n);
}

void
bench_row(
    const char *name, const char *unit, double (*work)(void *arg), void *arg)
{
	measure(CLOCK_PROCESS_CPUTIME_ID, name, unit, work, arg);
}

void
bench_row_with(
    const char *name, const char *unit, double (*work)(void *arg), void *arg)
{
	measure(CLOCK_MONOTONIC, name, unit, work, arg);
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
	printf("%-44s %9s %-14s %6s %9s\n", "one core", "median", "", "spread",
	    "asked");
	for (int i = 0; i < FAMILIES; i++) {
		int wanted = argc == 1 && !family[i].asked;

		for (int k = 1; k < argc; k++)
			wanted |= strcmp(argv[k], family[i].name) == 0;
		if (wanted)
			family[i].run();
	}
	return 0;
}
