/* pb-bench - plays many games on all cores: reads a map, writes results. */
#include "io/tool/bench.h"
#include "view/bench_view.h"

static void
print_report(struct pb_bench *b)
{
	const struct pb_bench_opts *o = b->o;
	struct pb_report r;
	const struct pb_report_opts want = {.confidence = o->confidence,
	    .base = b->base,
	    .by = pb_bench_by,
	    .by_ctx = o};

	if (pb_report_make(&r, b->tally, &want) != PB_OK)
		pb_msg_end_memory();
	pb_bench_write(o, &r);
	b->report = &r;
	pb_bench_show(b);
	b->report = NULL;
	pb_bench_judge(o, &r);
	pb_report_clear(&r);
}

int
main(int argc, char **argv)
{
	static struct pb_bench_opts o;
	struct pb_bench b = {.o = &o};
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
		b.file = argv + first;
		b.files = argc - first;
		if (pb_bench_run(&b))
			print_report(&b);
		pb_bench_clear(&b);
	}
	pb_bench_opts_clear(&o);
	return pb_msg_finish();
}
