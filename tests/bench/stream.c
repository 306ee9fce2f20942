/* stream.c - speed of the stream layer: records, maps, numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "io/line.h"
#include "io/rec.h"

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A row of the table: what, how many per second, of what. */
static void
row(const char *what, double n, double seconds, const char *unit)
{
	printf("%-36s %12.4g %s/s\n", what, n / seconds, unit);
}

static void
write_poses(struct pb_text *o, int n)
{
	struct pb_rng g;

	pb_rng_start(&g, 1, 0, PB_FOR_POSE, 0);
	for (int i = 0; i < n; i++) {
		struct pb_rec_pose p = {.x = pb_rng_between(&g, -9, 9),
		    .y = pb_rng_between(&g, -9, 9),
		    .theta = pb_rng_between(&g, -3, 3)};

		pb_put_pose(o, pb_stamp_at(i * 0.2, "robot"), &p);
	}
}

static void
write_scans(struct pb_text *o, int n, int beams)
{
	struct pb_rng g;
	double *range = malloc((size_t)beams * sizeof(*range));

	pb_rng_start(&g, 1, 0, PB_FOR_SENSOR, 0);
	for (int i = 0; i < n; i++) {
		struct pb_rec_scan s = {.angle_min = -1.5708,
		    .angle_increment = 0.0174533,
		    .range_min = 0.1,
		    .range_max = 30,
		    .range = range,
		    .n = (size_t)beams};

		for (int k = 0; k < beams; k++)
			range[k] = pb_rng_between(&g, 0.1, 12);
		pb_put_scan(o, pb_stamp_at(i * 0.1, "robot"), &s);
	}
	free(range);
}

/* Read all lines of o; returns how many records were good. */
static long
read_all(const struct pb_text *o)
{
	const char *s = o->s, *end = o->s + o->len;
	long good = 0;

	while (s < end) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		struct pb_bad bad;
		struct pb_rec r;

		good += pb_rec_read(
		    s, (size_t)(nl - s), PB_REC_ALL, &r, &bad);
		pb_rec_clear(&r);
		s = nl + 1;
	}
	return good;
}

static void
bench_records(
    const char *name, void (*write)(struct pb_text *o, int n), int n)
{
	struct pb_text o = {0};
	char what[64];
	double t0 = now(), t1, t2;
	long good;

	write(&o, n);
	t1 = now();
	good = read_all(&o);
	t2 = now();
	snprintf(what, sizeof(what), "%s out", name);
	row(what, n, t1 - t0, "record");
	snprintf(what, sizeof(what), "%s in", name);
	row(what, (double)good, t2 - t1, "record");
	pb_text_clear(&o);
}

static void
write_short_scans(struct pb_text *o, int n)
{
	write_scans(o, n, 181);
}

/* A map of side x side cells; with `gray` it does not fit into rows. */
static void
bench_map(int side, int gray)
{
	struct pb_rng g;
	struct pb_map m;
	struct pb_text o = {0};
	double t0, t1, t2, cells = (double)side * side;
	const char *form = gray ? "data" : "rows";
	char what[64];

	if (pb_map_init(&m, side, side, 0.05, (struct pb_pose){0, 0, 0}))
		return;
	pb_rng_start(&g, 1, 0, PB_FOR_MAP, 0);
	for (size_t i = 0; i < pb_map_cells(&m); i++)
		m.cell[i] = (signed char)(gray ? pb_rng_below(&g, 101)
					       : 100 * pb_rng_below(&g, 2));
	t0 = now();
	pb_put_map(&o, &m);
	t1 = now();
	read_all(&o);
	t2 = now();
	snprintf(what, sizeof(what), "map %d x %d as %s out", side, side, form);
	row(what, cells, t1 - t0, "cell");
	snprintf(what, sizeof(what), "map %d x %d as %s in", side, side, form);
	row(what, cells, t2 - t1, "cell");
	pb_text_clear(&o);
	pb_map_clear(&m);
}

int
main(void)
{
	bench_records("pose records", write_poses, 1000000);
	bench_records("scan records of 181 beams", write_short_scans, 20000);
	bench_map(4000, 0);
	bench_map(4000, 1);
	return 0;
}
