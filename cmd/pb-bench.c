/* pb-bench - play many games on all cores: reads a map, writes results. */
#include <stdlib.h>

#include "io/stream/file.h"
#include "io/tool/bench.h"
#include "view/bench_view.h"

static void
report(struct pb_bench *b)
{
	const struct pb_bench_opts *o = b->o;
	struct pb_report r;
	const struct pb_report_opts want = {.confidence = o->confidence,
	    .base = b->base,
	    .by = pb_bench_by,
	    .by_ctx = o};

	if (pb_report_make(&r, b->tally, &want) != PB_OK)
		pb_msg_end_memory();
	if (o->csv)
		pb_bench_csv(&r, o->confidence);
	else if (!o->table)
		pb_bench_write(&want, o->margin, &r);
	b->report = &r;
	pb_bench_show(b);
	pb_bench_doubt(&r);
	for (int i = 0; i < o->expect_text.n; i++)
		pb_expect_judge(&o->expect[i], &r);
	if (o->baseline)
		pb_bench_judge(&r, o->baseline, o->margin);
	pb_report_clear(&r);
}

/* Room for everything, and the baseline. */
static bool
prepare(struct pb_bench *b)
{
	const struct pb_bench_opts *o = b->o;
	char *file = (char *)o->baseline;

	/* Better to know before an hour of games than after it. */
	if (!pb_file_writable(o->png) || !pb_file_writable(o->heat) ||
	    !pb_file_writable(o->report))
		return false;
	b->tally = pb_tally_new();
	b->base = o->baseline ? pb_tally_new() : NULL;
	b->notes = o->heat ? pb_alloc(1, sizeof(*b->notes)) : NULL;
	if (!b->tally || (o->baseline && !b->base))
		pb_msg_end_memory();
	return !o->baseline ||
	       (pb_bench_read(o, b->base, &file, 1) &&
		   pb_bench_one_build(b->base, o->baseline, false));
}

/* Play or read, and report. */
static void
bench(struct pb_bench_opts *o, char **files, int n)
{
	struct pb_bench b = {.o = o, .file = files, .files = n};

	pb_msg_catch();
	if (prepare(&b) &&
	    (o->from ? pb_bench_read(o, b.tally, files, n)
		     : pb_bench_play(&b)) &&
	    pb_bench_one_build(b.tally, NULL, o->expect_text.n > 0))
		report(&b);
	free(b.notes);
	pb_tally_free(b.tally);
	pb_tally_free(b.base);
}

int
main(int argc, char **argv)
{
	static struct pb_bench_opts o;
	struct pb_localize_rules localize;
	int first;

	pb_msg_start(argv[0]);
	first = pb_bench_opts_read(&o, argc, argv);
	if (first < 0)
		return pb_msg_finish();
	if (o.list_rules) {
		pb_opt_list_all();
		pb_localize_rules(&localize, false);
		pb_opt_list_rules(&localize.rules);
	} else if (o.traj.asked) {
		pb_trajectory_show(&o, argv + first, argc - first);
	} else {
		bench(&o, argv + first, argc - first);
	}
	pb_bench_opts_clear(&o);
	return pb_msg_finish();
}
