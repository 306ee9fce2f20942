/* mazetable.c - errors of the localization methods for mazes, side by side. */
#include "bench.h"

#include <stdio.h>

#include "../unit/mazerun.h"

/* Drives of a row, and ticks of each. */
#define SEEDS 4
#define TICKS 2000

/* Ticks before the score counts: the particles gather. */
#define SKIP 100

/* Fewer particles than published, once: the table is to end today. */
#define PARTICLES      5000
#define PARTICLE_SEEDS 1
#define PARTICLE_TICKS 1000

static const char *const method[] = {
    "cell-ray", "region", "corridor", "particle", "fuse"};
enum { METHODS = sizeof method / sizeof method[0] };

/* The mean over drives: root of the mean square error, ticks in wrong cells. */
static void
score(struct mazerun_opts o, const struct pb_localizer *l)
{
	char opts[1024];
	bool slow = l->particles != NULL;
	int seeds = slow ? PARTICLE_SEEDS : SEEDS;
	double se = 0, wrong = 0;

	if (l->opts_size > sizeof opts)
		bench_stop("options too large");
	l->defaults(opts);
	if (slow)
		*(int *)(void *)(opts + l->params(&(size_t){0})[0].offset) =
		    PARTICLES;
	o.ticks = slow ? PARTICLE_TICKS : TICKS;
	for (int i = 1; i <= seeds; i++) {
		struct mazerun_score r;

		o.seed = (uint64_t)i;
		r = mazerun_score(&o, l, opts, SKIP);
		se += r.rmse * r.rmse;
		wrong += r.wrong;
	}
	wrong *= 100.0 / seeds;
	printf("%6.1f%5.*f", 1000 * PB_MAZE_CELL * sqrt(se / seeds),
	    wrong < 10    ? 2
	    : wrong < 100 ? 1
			  : 0,
	    wrong);
	fflush(stdout);
}

static void
row(const char *name, const struct mazerun_opts *o)
{
	printf("%-20s", name);
	for (int i = 0; i < METHODS; i++)
		score(*o, pb_localizer_find(method[i]));
	printf("\n");
}

static void
rows_of_noise(void)
{
	static const double noise[] = {0, 0.01, 0.03, 0.1};

	for (int i = 0; i < 4; i++) {
		struct mazerun_opts o = mazerun_defaults();
		char name[32];

		o.range_noise = noise[i];
		snprintf(name, sizeof name, "noise %g %%", 100 * noise[i]);
		row(name, &o);
	}
}

static void
rows_of_camera(void)
{
	static const int delay[] = {5, 15};
	static const double wrong[] = {0.05, 0.2};

	for (int i = 0; i < 2; i++) {
		struct mazerun_opts o = mazerun_defaults();
		char name[32];

		o.camera_delay = delay[i];
		snprintf(name, sizeof name, "camera %d ticks late", delay[i]);
		row(name, &o);
	}
	for (int i = 0; i < 2; i++) {
		struct mazerun_opts o = mazerun_defaults();
		char name[32];

		o.camera_wrong = wrong[i];
		snprintf(
		    name, sizeof name, "camera wrong %g %%", 100 * wrong[i]);
		row(name, &o);
	}
}

void
bench_mazetable(void)
{
	struct mazerun_opts o = mazerun_defaults();

	printf("\n%-20s", "error mm, wrong %");
	for (int i = 0; i < METHODS; i++)
		printf("%11s", method[i]);
	printf("\n");
	rows_of_noise();
	rows_of_camera();
	o.drop = 0.2;
	row("readings lost 20 %", &o);
	o = mazerun_defaults();
	o.block = 0.02;
	o.block_ticks = 30;
	row("readings short", &o);
	o.drop = 0.2;
	o.range_noise = 0.03;
	o.camera_delay = 15;
	o.camera_wrong = 0.2;
	row("all that, noise 3 %", &o);
	o = mazerun_defaults();
	o.anywhere = true;
	o.camera_every = 0;
	row("no camera, no start", &o);
}
