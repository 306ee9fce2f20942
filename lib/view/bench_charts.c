/* bench_charts.c - what a benchmark tells people: tables, charts, pictures. */
#include "view/bench_charts.h"

#include "io/msg.h"
#include "view/bench_tables.h"
#include "view/benchchart.h"
#include "view/benchprofile.h"
#include "view/heat_map.h"
#include "view/render.h"
#include "view/table.h"

static struct pb_bench_view
view_of(const struct pb_bench_paper *p, bool utf8, int width)
{
	return (struct pb_bench_view){.report = p->report,
	    .summary = p->report->summary,
	    .summaries = p->report->summaries,
	    .comparison = p->report->comparison,
	    .comparisons = p->report->comparisons,
	    .confidence = p->confidence,
	    .utf8 = utf8,
	    .width = p->wide ? 0 : width};
}

static enum pb_status
print_times(
    const struct pb_bench_paper *p, const struct pb_bench_view *v, FILE *f)
{
	struct pb_table *t = pb_table_new("lr..");
	const char *about;
	enum pb_status s;

	if (!t)
		return PB_ENOMEM;
	pb_table_put(t, "player");
	pb_table_put(t, "decisions");
	pb_table_put(t, "mean ms");
	pb_table_put(t, "longest ms");
	for (int i = 0; i < p->players; i++) {
		const struct pb_notes *n = &p->notes[i];

		pb_table_put(t, p->rules->player(p->player[i], &about));
		pb_table_putf(t, "%ld", n->decisions);
		pb_table_putf(t, "%.4f",
		    n->decisions ? 1e3 * n->time / (double)n->decisions : 0);
		pb_table_putf(t, "%.4f", 1e3 * n->longest);
	}
	fputs("\nProcessor time of a decision\n\n", f);
	s = pb_table_print(t, v->utf8, v->width, f);
	pb_table_free(t);
	return s;
}

static enum pb_status
print_tables(
    const struct pb_bench_paper *p, const struct pb_bench_view *v, FILE *f)
{
	enum pb_status s = pb_bench_print(v, f);

	return s == PB_OK && p->time ? print_times(p, v, f) : s;
}

static void
print_values(const struct pb_bench_paper *p, const struct pb_tty *t, FILE *f)
{
	const struct pb_bench_view v = view_of(p, t->utf8, t->width);
	enum pb_status s =
	    pb_bench_profile(&v, p->tally, p->values, p->as, t, f);

	if (s == PB_EVALUE)
		pb_msg_note("no trial has a value to draw");
	else if (s != PB_OK)
		pb_msg_system("no memory for the values");
}

void
pb_bench_people(const struct pb_bench_paper *p, bool table, bool chart, FILE *f)
{
	const struct pb_render_opts any = pb_render_defaults();
	struct pb_tty t = pb_tty_of(&any, f);
	const struct pb_bench_view v = view_of(p, t.utf8, t.width);

	fflush(stdout);
	if (table && print_tables(p, &v, f) != PB_OK)
		pb_msg_system("no memory for the table");
	if (table && chart)
		putc('\n', f);
	if (chart && pb_bench_chart(&v, &t, f) != PB_OK)
		pb_msg_system("no memory for the chart");
	if ((table || chart) && p->values != PB_OF_NOTHING) {
		putc('\n', f);
		print_values(p, &t, f);
	}
}

void
pb_bench_draw_rates(const struct pb_bench_paper *p, const char *path)
{
	const struct pb_bench_view v = view_of(p, false, 0);
	struct pb_fault f;

	if ((p->values ? pb_bench_profile_png(
			     &v, p->tally, p->values, p->as, path, &f)
		       : pb_bench_png(&v, path, &f)) != 0)
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
