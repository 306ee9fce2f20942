/* bench_view.c - what pb-bench draws: rates, profiles, where a player was. */
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
	int what = p->o->profile;

	*g = (struct profile){.p = {.title = g->title,
				  .what = known[what].text,
				  .at_most = known[what].at_most,
				  .curve = g->curve}};
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

void
pb_bench_people(const struct pb_bench_paper *p, FILE *f)
{
	struct pb_tty t = pb_tty_of(&(struct pb_render_opts){0}, f);

	if (p->o->wide)
		t.width = 0;
	/* Results go to stdout, tables maybe to stderr: keep their order. */
	fflush(stdout);
	if (pb_bench_tables(p, &t, f) != PB_OK)
		pb_msg_system("no memory for the table");
}

int
pb_bench_figure(
    const struct pb_bench_paper *p, struct pb_target to, struct pb_error *f)
{
	return p->o->profile ? draw_values(p, to, f) : draw_rates(p, to, f);
}

void
pb_bench_draw_rates(const struct pb_bench_paper *p, const char *path)
{
	const struct pb_target to = {.path = path};
	struct pb_error f;

	if (pb_bench_figure(p, to, &f) != 0)
		pb_msg_error(&f);
}

void
pb_bench_draw_heat(const struct pb_bench_paper *p, const char *path)
{
	const struct pb_experiment *e = &p->o->list.at[0];

	pb_heat_draw((struct pb_target){.path = path},
	    pb_experiment_player(e, 0)->name, p->notes->games, p->board,
	    &p->notes->heat);
}
