/* pb-bench - play many games on all cores: reads a map, writes results. */
#include <stdlib.h>

#include "io/stream/file.h"
#include "io/tool/bench.h"
#include "view/bench_view.h"

/* What there is beside the options. */
struct bench {
	struct pb_bench_opts o;
	struct pb_tally *tally;
	struct pb_tally *base;  /* to compare with; NULL: nothing */
	struct pb_notes *notes; /* one a player, owned; NULL: none */
	struct pb_maze board;   /* of the notes */
};

static void
print_list(void)
{
	struct pb_localize_rules localize;

	pb_opt_list_all();
	pb_localize_rules(&localize, false);
	pb_opt_list_rules(&localize.rules);
}

static bool
play(struct bench *h, char **files, int n)
{
	struct pb_bench_opts *o = &h->o;
	const struct pb_bench b = {.o = o,
	    .file = files,
	    .files = n,
	    .tally = h->tally,
	    .notes = h->notes,
	    .board = &h->board};

	return pb_bench_load(o) && pb_bench_play(&b);
}

static void
report(struct bench *h)
{
	const struct pb_bench_opts *o = &h->o;
	struct pb_report r;
	const struct pb_report_opts want = {.confidence = o->confidence,
	    .base = h->base,
	    .by = pb_bench_by,
	    .by_ctx = o};

	if (pb_report_make(&r, h->tally, &want) != PB_OK)
		pb_msg_end_memory();
	if (o->csv)
		pb_bench_csv(&r, o->confidence);
	else if (!o->table)
		pb_bench_write(&want, o->margin, &r);
	pb_bench_show(
	    &(struct pb_bench_paper){o, &r, h->tally, h->notes, &h->board});
	pb_bench_doubt(&r);
	for (int i = 0; i < o->expect_text.n; i++)
		pb_expect_judge(&o->expect[i], &r);
	if (o->baseline)
		pb_bench_judge(&r, o->baseline, o->margin);
	pb_report_clear(&r);
}

/* Room for everything, and the baseline. */
static bool
prepare(struct bench *h)
{
	struct pb_bench_opts *o = &h->o;
	size_t players = (size_t)o->list.at[0].players.n;
	char *file = (char *)o->baseline;

	/* Better to know before an hour of games than after it. */
	if (!pb_file_writable(o->png) || !pb_file_writable(o->heat) ||
	    !pb_file_writable(o->report))
		return false;
	h->tally = pb_tally_new();
	h->base = o->baseline ? pb_tally_new() : NULL;
	h->notes = o->heat ? pb_alloc(players, sizeof(*h->notes)) : NULL;
	if (!h->tally || (o->baseline && !h->base))
		pb_msg_end_memory();
	return !o->baseline ||
	       (pb_bench_read(o, h->base, &file, 1) &&
		   pb_bench_one_build(h->base, o->baseline, false));
}

/* Play or read, and report. */
static void
bench(struct bench *h, char **files, int n)
{
	pb_msg_catch();
	if (prepare(h) &&
	    (h->o.from ? pb_bench_read(&h->o, h->tally, files, n)
		       : play(h, files, n)) &&
	    pb_bench_one_build(h->tally, NULL, h->o.expect_text.n > 0))
		report(h);
	free(h->notes);
	pb_tally_free(h->tally);
	pb_tally_free(h->base);
}

int
main(int argc, char **argv)
{
	static struct bench h;
	struct pb_bench_opts *o = &h.o;
	int first;

	pb_msg_start(argv[0]);
	first = pb_bench_opts_read(o, argc, argv);
	if (first < 0)
		return pb_msg_finish();
	if (o->list_rules)
		print_list();
	else if (o->traj.asked)
		pb_trajectory_show(o, argv + first, argc - first);
	else
		bench(&h, argv + first, argc - first);
	pb_bench_opts_clear(o);
	return pb_msg_finish();
}
