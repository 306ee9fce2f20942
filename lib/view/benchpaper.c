/* benchpaper.c - what a benchmark tells people: tables, charts, pictures. */
#include "view/benchpaper.h"

#include "io/msg.h"
#include "io/opt_players.h"
#include "view/bench.h"
#include "view/benchchart.h"
#include "view/heat.h"
#include "view/render.h"

static struct pb_bench_view
view_of(const struct pb_bench_paper *p, bool utf8)
{
	return (struct pb_bench_view){.summary = p->report->summary,
	    .summaries = p->report->summaries,
	    .comparison = p->report->comparison,
	    .comparisons = p->report->comparisons,
	    .confidence = p->confidence,
	    .utf8 = utf8};
}

/* Who was timed. */
static int
times_of(const struct pb_bench_paper *p, struct pb_bench_time *t)
{
	const char *about;

	for (int i = 0; p->time && i < p->players; i++)
		t[i] = (struct pb_bench_time){
		    p->rules->player(p->player[i], &about), &p->notes[i]};
	return p->time ? p->players : 0;
}

void
pb_bench_people(const struct pb_bench_paper *p, bool table, bool chart, FILE *f)
{
	const struct pb_render_opts any = pb_render_defaults();
	struct pb_tty t = pb_tty_of(&any, f);
	struct pb_bench_view v = view_of(p, t.utf8);
	struct pb_bench_time time[PB_OPT_PLAYERS];

	v.times = times_of(p, time);
	v.time = time;
	fflush(stdout);
	if (table && pb_bench_print(&v, f) != PB_OK)
		pb_msg_system("no memory for the table");
	if (table && chart)
		putc('\n', f);
	if (chart && pb_bench_chart(&v, &t, f) != PB_OK)
		pb_msg_system("no memory for the chart");
}

void
pb_bench_draw_rates(const struct pb_bench_paper *p, const char *path)
{
	const struct pb_bench_view v = view_of(p, false);
	struct pb_fault f;

	if (pb_bench_png(&v, path, &f) != 0)
		pb_fault_say(&f);
}

void
pb_bench_draw_heat(const struct pb_bench_paper *p, const char *path)
{
	const char *about;
	const struct pb_heat_view v = {.board = p->board,
	    .heat = &p->notes->heat,
	    .title = p->rules->player(p->player[0], &about),
	    .games = p->notes->games};
	struct pb_fault f;

	if (pb_heat_png(&v, path, &f) != 0)
		pb_fault_say(&f);
}
