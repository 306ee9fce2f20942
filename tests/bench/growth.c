/* growth.c - what work costs by its size: `make bench ARGS=growth`. */
#include "bench.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SIZES = 5 };

/*
 * One work at several sizes. In commands $n is the size, $dir a scratch
 * folder, $bin the folder of the tools.
 */
static const struct growth {
	const char *name, *unit;
	int size[SIZES]; /* ascending, then 0 */
	int power;       /* cost is against size to this power */
	const char
	    *prepare; /* once for each size, not measured; NULL: nothing */
	const char *command;
	bool wall; /* by the clock on the wall, not by the processor's time */
} growths[] = {
    {"start of a game by seed, a house", "side, cells", {500, 1000, 2000, 4000},
	2,
	"$bin/pb-mapgen random-house -S $(($n / 20)),$(($n / 20)) "
	"-o $dir/$n.yaml",
	"$bin/pb-bench -q -n 1 -j 1 --no-results -p seed "
	"--set 'spacing=8 duration=1' -m $dir/$n.yaml",
	false},
    {"300 s by seed, 20 pellets, a house", "side, cells",
	{500, 1000, 2000, 4000}, 2,
	"$bin/pb-pellets --spacing 4 -n 20 -m $dir/$n.yaml >$dir/$n.jsonl",
	"$bin/pb-bench -q -n 1 -j 1 --no-results -p seed --set duration=300 "
	"$dir/$n.jsonl",
	false},
    {"300 s by seed, 1000 x 1000 cells", "pellets", {50, 100, 200, 400, 800}, 1,
	"$bin/pb-pellets --spacing 1 -n $n -m $dir/1000.yaml >$dir/p.$n",
	"$bin/pb-bench -q -n 1 -j 1 --no-results -p seed --set duration=300 "
	"$dir/p.$n",
	false},
    {"300 s by safe, 1000 x 1000 cells", "pellets", {50, 100, 200, 400, 800}, 1,
	NULL,
	"$bin/pb-bench -q -n 1 -j 1 --no-results -p safe --set duration=300 "
	"$dir/p.$n",
	false},
    {"rounds by seed", "trials", {100, 200, 400, 800}, 1, NULL,
	"$bin/pb-bench -q -n $n -j 1 --no-results -p seed -m "
	"testdata/house.yaml",
	false},
    {"map of a drive, --slam", "lines of the log", {180, 330, 630}, 1,
	"gzip -dc testdata/house.log.gz | head -n $n >$dir/log.$n",
	"$bin/pb-mapgen -q --slam --force $dir/log.$n", false},
    {"the drive by mcl", "particles", {500, 1000, 2000, 4000, 8000}, 1,
	"gzip -dc testdata/house.log.gz >$dir/log",
	"$bin/pb-localize -q -a mcl -m testdata/house.yaml --start truth --set "
	"\"mcl-particles-min=$n mcl-particles=$n\" $dir/log",
	false},
    {"rounds by seed, the time that passes", "threads", {1, 2, 4, 8}, 1, NULL,
	"$bin/pb-bench -q -n 400 -j $n --no-results -p seed -m "
	"testdata/house.yaml",
	true},
};
enum { GROWTHS = sizeof(growths) / sizeof(*growths), TIMES = 3 };

/* Run a command. Returns how long it took (s). */
static double
run(const struct growth *g, const char *command, int size, const char *dir)
{
	char quiet[600];
	double begin;
	struct rusage used;

	if (snprintf(quiet, sizeof(quiet),
		"n=%d dir=%s bin=%s; { %s; } >/dev/null", size, dir,
		BENCH_BUILD, command) >= (int)sizeof(quiet))
		bench_stop("a command is too long");
	begin = bench_now();
	used = bench_command(quiet);
	return g->wall ? bench_now() - begin
	               : (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	                     1e-6 * (double)(used.ru_utime.tv_usec +
					     used.ru_stime.tv_usec);
}

/* The least of some times: what else runs on the machine only adds. */
static double
least(const struct growth *g, int size, const char *dir)
{
	double best = INFINITY;

	for (int i = 0; i < TIMES; i++)
		best = fmin(best, run(g, g->command, size, dir));
	return best;
}

/* One line: seconds by size, and the exponent between them by least squares of
 * the logarithms. */
static void
print_growth(const struct growth *g, const char *dir)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;

	printf("%-37s %-16s", g->name, g->unit);
	for (int i = 0; i < SIZES && g->size[i] > 0; i++) {
		double x = log(pow(g->size[i], g->power)), t;

		if (g->wall && g->size[i] > cores)
			break;
		if (g->prepare != NULL)
			run(g, g->prepare, g->size[i], dir);
		t = least(g, g->size[i], dir);
		printf(" %d: %.3g s", g->size[i], t);
		fflush(stdout);
		n++;
		sx += x;
		sy += log(t);
		sxx += x * x;
		sxy += x * log(t);
	}
	if (n > 1)
		printf(", exponent %.2f",
		    (n * sxy - sx * sy) / (n * sxx - sx * sx));
	printf("\n");
}

void
bench_growth(void)
{
	char dir[] = "/tmp/pb-growth-XXXXXX", command[64];

	if (mkdtemp(dir) == NULL)
		bench_stop("cannot make a folder");
	for (int i = 0; i < GROWTHS; i++)
		print_growth(&growths[i], dir);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	bench_command(command);
}
