/* bench_view.c - what pb-bench tells people: charts, pictures. */
#include "view/bench_view.h"

#include <limits.h>
#include <stdlib.h>

#include "io/stream/msg.h"
#include "view/heat_map.h"
#include "view/term.h"

/* The success rates in the order of the summaries, owned; NULL: no memory. */
static struct pb_rate *
make_rates(const struct pb_report *r)
{
	size_t n = (size_t)r->summaries;
	/* One more than needed: no room for none would look like no memory. */
	struct pb_rate *rate = calloc(n + 1, sizeof(*rate));

	for (int i = 0; rate != NULL && i < r->summaries; i++) {
		const struct pb_summary *s = &r->summary[i];

		rate[i].player = pb_bench_label(rate[i].label, r, i);
		rate[i].rate = s->n > 0 ? (double)s->k / (double)s->n : 0;
		rate[i].lo = s->rate.lo;
		rate[i].hi = s->rate.hi;
	}
	return rate;
}

/*
 * Print the success rates with their intervals, then for each summary the
 * pellets collected, as bars for t.
 */
static enum pb_status
print_bars(const struct pb_report *r, const struct pb_tty *t, FILE *f)
{
	struct pb_rate *rate = make_rates(r);
	char what[PB_CHART_LABEL + 32];
	enum pb_status status;

	if (rate == NULL)
		return PB_ENOMEM;
	status = pb_rates_print(rate, (size_t)r->summaries, t, f);
	for (int i = 0; status == PB_OK && i < r->summaries; i++) {
		const struct pb_summary *s = &r->summary[i];

		snprintf(
		    what, sizeof(what), "%s: pellets collected", rate[i].label);
		putc('\n', f);
		status = pb_counts_print(
		    what, s->pellets, (size_t)s->total + 1, 0, 1, t, f);
	}
	free(rate);
	return status;
}

static int
draw_rates(
    const struct pb_bench_paper *p, struct pb_target to, struct pb_error *f)
{
	const struct pb_report *report = p->report;
	const struct pb_summary *s = report->summary;
	bool several = pb_bench_several_maps(report);
	char title[256] = "", trials[64], what[64];
	long least = LONG_MAX, most = 0;
	struct pb_rate *rate = make_rates(report);
	int r;

	if (rate == NULL)
		return pb_error_file_nomem(f, to.path);
	for (int i = 0; i < report->summaries; i++) {
		least = s[i].n < least ? s[i].n : least;
		most = s[i].n > most ? s[i].n : most;
	}
	snprintf(trials, sizeof(trials), least < most ? "%ld to %ld" : "%ld",
	    least, most);
	if (report->summaries > 0)
		snprintf(title, sizeof(title), "%s%s%s, %s trials a bar",
		    s->key.rules, several ? "" : " on ",
		    several ? "" : s->key.map, trials);
	snprintf(what, sizeof(what),
	    "share of trials with success, and its %g %% interval",
	    100 * p->o->confidence);
	r = pb_rates_draw(title, what, rate, (size_t)report->summaries, to, f);
	free(rate);
	return r;
}

/* A profile and what it consists of. */
struct profile {
	struct pb_profile p;
	struct pb_profile_curve curve[PB_PROFILE_CURVES];
	double *value[PB_PROFILE_CURVES]; /* owned */
	char title[160];
};

static void
clear(struct profile *g)
{
	for (int i = 0; i < PB_PROFILE_CURVES; i++)
		free(g->value[i]);
}

static bool
make(struct profile *g, const struct pb_bench_paper *p)
{
	static const struct {
		const char *text;
		bool at_most; /* less is better */
	} known[] = {
	    [PB_OF_TIME] = {"time to success (s)", true},
	    [PB_OF_PELLETS] = {"pellets collected", false},
	    [PB_OF_SCORE] = {"score", false},
	    [PB_OF_ERROR] = {"mean error (m)", true},
	};
	const struct pb_report *r = p->report;
	int what = p->o->profile ? p->o->profile : p->o->histogram;

	*g = (struct profile){.p = {.title = g->title,
				  .what = known[what].text,
				  .at_most = known[what].at_most,
				  .curve = g->curve,
				  .histogram = !p->o->profile}};
	/* More curves than can be told apart are left out, the last ones. */
	for (int i = 0; i < r->summaries && i < PB_PROFILE_CURVES; i++) {
		struct pb_profile_curve *c = &g->curve[i];

		if (pb_tally_values(p->tally, i, (enum pb_value_of)what,
			&g->value[i], &c->n) != PB_OK) {
			clear(g);
			return false;
		}
		pb_bench_label(c->label, r, i);
		c->value = g->value[i];
		c->all = (size_t)r->summary[i].n;
		g->p.curves++;
	}
	if (r->summaries > 0)
		snprintf(g->title, sizeof(g->title), "%s, %s",
		    r->summary[0].key.rules, r->summary[0].key.map);
	return true;
}

static void
print_values(const struct pb_bench_paper *p, const struct pb_tty *t, FILE *f)
{
	struct profile g;
	enum pb_status s = PB_ENOMEM;

	if (make(&g, p)) {
		s = pb_profile_print(&g.p, t, f);
		clear(&g);
	}
	if (s == PB_EVALUE)
		pb_msg_note("no trial has a value to draw");
	else if (s != PB_OK)
		pb_msg_system("no memory for the values");
}

static int
draw_values(
    const struct pb_bench_paper *p, struct pb_target to, struct pb_error *f)
{
	struct profile g;
	int e;

	if (!make(&g, p))
		return pb_error_file_nomem(f, to.path);
	e = pb_profile_draw(&g.p, to, f);
	clear(&g);
	return e;
}

static bool
has_values(const struct pb_bench_paper *p)
{
	return p->o->profile || p->o->histogram;
}

void
pb_bench_people(const struct pb_bench_paper *p, bool table, bool chart, FILE *f)
{
	const struct pb_tty t = pb_tty_of(&(struct pb_render_opts){0}, f);
	struct pb_tty wide = t;
	enum pb_status bars = PB_OK;

	wide.width = p->o->wide ? 0 : t.width;
	/* Results go to stdout, tables maybe to stderr: keep their order. */
	fflush(stdout);
	if (table && pb_bench_tables(p, &wide, f) != PB_OK)
		pb_msg_system("no memory for the table");
	if (table && chart)
		putc('\n', f);
	if (chart)
		bars = print_bars(p->report, &t, f);
	if (bars == PB_ESIZE)
		pb_msg_system("too many bars for a chart");
	else if (bars != PB_OK)
		pb_msg_system("no memory for the chart");
	if ((table || chart) && has_values(p)) {
		putc('\n', f);
		print_values(p, &t, f);
	}
}

int
pb_bench_figure(const struct pb_bench_paper *p, bool values,
    struct pb_target to, struct pb_error *f)
{
	return values ? draw_values(p, to, f) : draw_rates(p, to, f);
}

void
pb_bench_draw_rates(const struct pb_bench_paper *p, const char *path)
{
	const struct pb_target to = {
	    path, .sheet = (enum pb_sheet)p->o->figure};
	struct pb_error f;

	if (pb_bench_figure(p, has_values(p), to, &f) != 0)
		pb_msg_error(&f);
}

void
pb_bench_draw_heat(const struct pb_bench_paper *p, const char *path)
{
	const struct pb_experiment *e = &p->o->list.at[0];

	pb_heat_draw(
	    (struct pb_target){path, .sheet = (enum pb_sheet)p->o->figure},
	    pb_experiment_player(e, 0)->name, p->notes->games, p->board,
	    &p->notes->heat);
}
