/* pb-bench - play many games on all cores: reads a map, writes results. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/bench.h"
#include "io/benchopts.h"
#include "io/file.h"
#include "io/results.h"
#include "view/benchpaper.h"
#include "view/trajectory.h"

/* What there is beside the options. */
struct bench {
	struct pb_bench_opts o;
	struct pb_tally *tally;
	struct pb_notes *notes; /* one a player, owned; NULL: none */
	struct pb_maze board;   /* of the notes */
};

static void
print_list(void)
{
	const struct pb_rules *r;

	for (int i = 0; (r = pb_rules_at(i)); i++)
		pb_opt_list_rules(r);
	pb_opt_list_rules(&pb_rules_localize);
}

static bool
play(struct bench *h, char **files, int n)
{
	struct pb_bench_opts *o = &h->o;
	const struct pb_bench b = {.list = &o->list,
	    .shard = o->shard.i,
	    .shards = o->shard.n,
	    .threads = o->jobs,
	    .notes = h->notes,
	    .board = &h->board,
	    .file = files,
	    .files = n,
	    .results = !o->no_results && !o->table && !o->chart,
	    .resume = o->resume,
	    .common = &o->common};

	if (!pb_bench_localize_load(&o->loc, &o->common))
		return false;
	return pb_bench_play(&b, h->tally);
}

static bool
read_results(struct bench *h, char **files, int n)
{
	struct pb_results in = {.tally = h->tally, .common = &h->o.common};

	return pb_results_read(&in, files, n);
}

/* For people, and pictures. */
static void
show(const struct bench *h, const struct pb_report *r)
{
	const struct pb_bench_opts *o = &h->o;
	const struct pb_experiment *e = &o->list.at[0];
	const struct pb_bench_paper p = {.report = r,
	    .confidence = o->confidence,
	    .rules = e->rules,
	    .player = e->players.player,
	    .players = e->players.n,
	    .notes = h->notes,
	    .time = o->time,
	    .board = &h->board};

	if (o->table || o->chart)
		pb_bench_people(&p, o->table, o->chart, stdout);
	else if (!o->common.quiet && isatty(STDERR_FILENO))
		pb_bench_people(&p, true, false, stderr);
	if (o->png != NULL)
		pb_bench_draw_rates(&p, o->png);
	if (o->heat != NULL)
		pb_bench_draw_heat(&p, o->heat);
}

static void
report(const struct bench *h)
{
	const struct pb_bench_opts *o = &h->o;
	struct pb_report r;

	if (pb_report_make(&r, h->tally, o->confidence, o->seed) != PB_OK) {
		pb_msg_system("no memory for the summaries");
		return;
	}
	if (!o->table && !o->chart)
		pb_bench_write(&r, o->confidence);
	show(h, &r);
	for (int i = 0; i < o->expect_text.n; i++)
		pb_expect_judge(&o->expect[i], &r);
	pb_report_clear(&r);
}

/* Play or read, and report. */
static void
bench(struct bench *h, char **files, int n)
{
	const struct pb_bench_opts *o = &h->o;
	bool noted = o->time || o->heat;

	pb_msg_catch();
	if (!pb_file_writable(o->png) || !pb_file_writable(o->heat))
		return;
	h->tally = pb_tally_new();
	if (noted)
		h->notes =
		    calloc((size_t)o->list.at[0].players.n, sizeof(*h->notes));
	if (!h->tally || (noted && !h->notes))
		pb_msg_system("no memory");
	else if (o->from ? read_results(h, files, n) : play(h, files, n))
		report(h);
	free(h->notes);
	pb_tally_free(h->tally);
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
		pb_trajectory_show(&o->traj, &o->common, &o->expect_text,
		    o->table, argv + first, argc - first);
	else
		bench(&h, argv + first, argc - first);
	pb_bench_opts_clear(o);
	return pb_msg_finish();
}
