/* stream.c - speed of the stream layer: records, maps, lines passed on. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/rec.h"
#include "pb/rng.h"

/* A record, or the lines that came of it. */
struct job {
	struct pb_rec rec;
	long count;          /* records in the text */
	double amount;       /* work done by writing or reading it once */
	struct pb_text text; /* what was written */
};

static double
write_all(void *arg)
{
	struct job *j = arg;

	j->text.len = 0;
	for (long i = 0; i < j->count; i++) {
		j->rec.stamp.t = (double)i * 0.2;
		pb_rec_write(&j->text, &j->rec);
	}
	return j->amount;
}

/* Read what was written; records of the types in want are taken apart. */
static double
read_text(struct job *j, uint64_t want)
{
	const char *s = j->text.s, *end = s + j->text.len;

	while (s < end) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		struct pb_error bad;
		struct pb_rec r;

		if (!pb_rec_read(s, (size_t)(nl - s), want, &r, &bad))
			bench_stop(bad.text);
		pb_rec_clear(&r);
		s = nl + 1;
	}
	return j->amount;
}

static double
read_all(void *arg)
{
	return read_text(arg, PB_REC_ALL);
}

/* Only the type is wanted: what a filter does with lines it passes on. */
static double
pass_all(void *arg)
{
	return read_text(arg, 0);
}

static void
bench_pose(void)
{
	struct job j = {.count = 20000, .amount = 20000};

	j.rec.type = PB_REC_POSE;
	j.rec.stamp = pb_stamp_at(0, "robot");
	j.rec.pose = (struct pb_rec_pose){
	    .x = 3.141593, .y = -12.345678, .theta = 0.785398};
	bench_row("pose records out", "records", write_all, &j);
	bench_row("pose records in", "records", read_all, &j);
	bench_row("pose records passed on", "records", pass_all, &j);
	pb_text_clear(&j.text);
}

/* What programs for robots log, of a type that is not ours. */
static void
bench_unknown(void)
{
	struct job j = {.amount = 0};

	for (int i = 0; i < 10000; i++) {
		char line[256];

		snprintf(line, sizeof(line),
		    "{\"type\":\"battery\",\"t\":%d.2,\"id\":\"robot\","
		    "\"voltage\":%.2f,\"charging\":false,\"cells\":[3.71,"
		    "3.68,3.7],\"health\":{\"state\":\"good\",\"cycles\":%d}}"
		    "\n",
		    i, 11 + i % 97 / 100.0, i / 100);
		pb_text_puts(&j.text, line);
	}
	j.amount = (double)j.text.len;
	bench_row("lines of unknown types passed on", "bytes", pass_all, &j);
	pb_text_clear(&j.text);
}

static void
bench_scan(void)
{
	struct job j = {.count = 500, .amount = 500};
	double range[181];
	struct pb_rng g;

	pb_rng_start(&g, 1, 0, PB_FOR_SENSOR, 0);
	for (int i = 0; i < 181; i++)
		range[i] = pb_rng_between(&g, 0.1, 12);
	j.rec.type = PB_REC_SCAN;
	j.rec.stamp = pb_stamp_at(0, "robot");
	j.rec.scan = (struct pb_rec_scan){.angle_min = -PB_PI / 2,
	    .angle_increment = PB_PI / 180,
	    .range_min = 0.1,
	    .range_max = 30,
	    .range = range,
	    .n = 181};
	bench_row("scan records (181 beams) out", "records", write_all, &j);
	bench_row("scan records (181 beams) in", "records", read_all, &j);
	pb_text_clear(&j.text);
}

/* A map of 4000 x 4000 cells, as text rows or, with gray cells, as numbers. */
static void
bench_map_record(const char *out, const char *in, int gray)
{
	struct job j = {.count = 1, .amount = 16e6};
	struct pb_rng g;

	if (pb_map_init(&j.rec.map, 4000, 4000, 0.05, (struct pb_pose){0}))
		bench_stop("out of memory");
	pb_rng_start(&g, 1, 0, PB_FOR_MAP, 0);
	for (size_t i = 0; i < pb_map_cells(&j.rec.map); i++)
		j.rec.map.cell[i] =
		    (signed char)(gray ? pb_rng_below(&g, 101)
				       : 100 * pb_rng_below(&g, 2));
	j.rec.type = PB_REC_MAP;
	bench_row(out, "cells", write_all, &j);
	bench_row(in, "cells", read_all, &j);
	pb_map_clear(&j.rec.map);
	pb_text_clear(&j.text);
}

void
bench_stream(void)
{
	bench_pose();
	bench_unknown();
	bench_scan();
	bench_map_record("map record (rows) out", "map record (rows) in", 0);
	bench_map_record("map record (data) out", "map record (data) in", 1);
}
