/* bench_view.c - what pb-bench tells people: tables, charts, pictures. */
#include "view/bench_view.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/msg.h"
#include "view/bench_tables.h"
#include "view/charts.h"
#include "view/heat_map.h"
#include "view/render.h"
#include "view/table.h"

/* The bars and their labels, in the order of the summaries. */
struct bars {
	struct pb_rate *rate;          /* summaries, owned */
	char (*label)[PB_BENCH_LABEL]; /* of each, owned */
};

static void
bars_clear(struct bars *b)
{
	free(b->rate);
	free(b->label);
}

static bool
bars_make(struct bars *b, const struct pb_bench_view *v)
{
	size_t n = (size_t)v->summaries;

	b->rate = calloc(n + 1, sizeof(*b->rate));
	b->label = calloc(n + 1, sizeof(*b->label));
	if (b->rate == NULL || b->label == NULL) {
		bars_clear(b);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		const struct pb_summary *s = &v->summary[i];

		pb_bench_label(b->label[i], v, s);
		b->rate[i] = (struct pb_rate){b->label[i],
		    s->n > 0 ? (double)s->k / (double)s->n : 0, s->rate.lo,
		    s->rate.hi};
	}
	return true;
}

static bool
counts(const struct pb_summary *s, const char *label, const struct pb_tty *t,
    FILE *f)
{
	size_t n = (size_t)s->total + 1;
	unsigned long long *count = malloc(n * sizeof(*count));
	char what[PB_BENCH_LABEL + 32];

	if (count == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		count[i] = (unsigned long long)s->pellets[i];
	snprintf(what, sizeof(what), "%s: pellets collected", label);
	pb_counts_print(what, count, n, 0, 1, t, f);
	free(count);
	return true;
}

/*
 * Print the success rates with their intervals, then for each summary the
 * pellets collected, as bars for t.
 */
static enum pb_status
print_bars(const struct pb_bench_view *v, const struct pb_tty *t, FILE *f)
{
	struct bars b;
	bool ok = true;

	if (!bars_make(&b, v))
		return PB_ENOMEM;
	pb_rates_print(b.rate, (size_t)v->summaries, t, f);
	for (int i = 0; i < v->summaries && ok; i++) {
		putc('\n', f);
		ok = counts(&v->summary[i], b.label[i], t, f);
	}
	bars_clear(&b);
	return ok ? PB_OK : PB_ENOMEM;
}

static int
draw_bars(const struct pb_bench_view *v, const char *path, struct pb_error *f)
{
	const struct pb_summary *s = &v->summary[0];
	char title[256] = "", trials[64];
	long least = LONG_MAX, most = 0;
	struct bars b;
	int r;

	if (!bars_make(&b, v))
		return pb_error_file_nomem(f, path);
	for (int i = 0; i < v->summaries; i++) {
		least = s[i].n < least ? s[i].n : least;
		most = s[i].n > most ? s[i].n : most;
	}
	snprintf(trials, sizeof(trials), least < most ? "%ld to %ld" : "%ld",
	    least, most);
	if (v->summaries > 0)
		snprintf(title, sizeof(title),
		    "%s%s%s: all pellets, %s trials, %g %% intervals",
		    s->key.rules, pb_bench_several_maps(v) ? "" : " on ",
		    pb_bench_several_maps(v) ? "" : s->key.map, trials,
		    100 * v->confidence);
	r = pb_rates_draw(title, b.rate, (size_t)v->summaries, path, f);
	bars_clear(&b);
	return r;
}

struct profile {
	struct pb_profile p;
	struct pb_profile_curve curve[PB_PROFILE_CURVES];
	double *value[PB_PROFILE_CURVES]; /* owned */
	char label[PB_PROFILE_CURVES][PB_BENCH_LABEL];
	char title[160];
};

static const struct {
	const char *text;
	bool at_most; /* less is better */
} known[] = {
    [PB_OF_TIME] = {"time to success (s)", true},
    [PB_OF_PELLETS] = {"pellets collected", false},
    [PB_OF_SCORE] = {"score", false},
    [PB_OF_ERROR] = {"mean error (m)", true},
};

static void
clear(struct profile *g)
{
	for (int i = 0; i < PB_PROFILE_CURVES; i++)
		free(g->value[i]);
}

static bool
make(struct profile *g, const struct pb_bench_view *v, const struct pb_tally *t,
    enum pb_value_of what)
{
	*g = (struct profile){.p = {.title = g->title,
				  .what = known[what].text,
				  .at_most = known[what].at_most,
				  .curve = g->curve}};
	for (int i = 0; i < v->summaries && i < PB_PROFILE_CURVES; i++) {
		struct pb_profile_curve *c = &g->curve[i];

		if (pb_tally_values(t, i, what, &g->value[i], &c->n) != PB_OK) {
			clear(g);
			return false;
		}
		pb_bench_label(g->label[i], v, &v->summary[i]);
		c->label = g->label[i];
		c->value = g->value[i];
		c->all = (size_t)v->summary[i].n;
		g->p.curves++;
	}
	if (v->summaries > 0)
		snprintf(g->title, sizeof(g->title), "%s, %s",
		    v->summary[0].key.rules, v->summary[0].key.map);
	return true;
}

static enum pb_status
print_profile(const struct pb_bench_view *v, const struct pb_tally *t,
    enum pb_value_of what, enum pb_value_view as, const struct pb_tty *tty,
    FILE *f)
{
	struct profile g;
	enum pb_status s;

	if (!make(&g, v, t, what))
		return PB_ENOMEM;
	s = as == PB_AS_PROFILE ? pb_profile_print(&g.p, tty, f)
	                        : pb_histogram_print(&g.p, tty, f);
	clear(&g);
	return s;
}

static int
draw_profile(const struct pb_bench_view *v, const struct pb_tally *t,
    enum pb_value_of what, enum pb_value_view as, const char *path,
    struct pb_error *f)
{
	struct profile g;
	int e;

	if (!make(&g, v, t, what))
		return pb_error_file(f, path, 0, NULL, "out of memory");
	e = as == PB_AS_PROFILE ? pb_profile_draw(&g.p, path, f)
	                        : pb_histogram_draw(&g.p, path, f);
	clear(&g);
	return e;
}

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
	enum pb_status s;

	if (!t)
		return PB_ENOMEM;
	pb_table_put(t, "player");
	pb_table_put(t, "decisions");
	pb_table_put(t, "mean ms");
	pb_table_put(t, "longest ms");
	for (int i = 0; i < p->players; i++) {
		const struct pb_notes *n = &p->notes[i];

		pb_table_put(t, p->rules->player[p->player[i]]->name);
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
	enum pb_status s = print_profile(&v, p->tally, p->values, p->as, t, f);

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
	if (chart && print_bars(&v, &t, f) != PB_OK)
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
	struct pb_error f;

	if ((p->values ? draw_profile(&v, p->tally, p->values, p->as, path, &f)
		       : draw_bars(&v, path, &f)) != 0)
		pb_msg_error(&f);
}

void
pb_bench_draw_heat(const struct pb_bench_paper *p, const char *path)
{
	const struct pb_heat_view v = {.board = p->board,
	    .heat = &p->notes->heat,
	    .title = p->rules->player[p->player[0]]->name,
	    .games = p->notes->games};
	struct pb_error f;

	if (pb_heat_draw(&v, path, &f) != 0)
		pb_msg_error(&f);
}

/* A number, nothing for none. */
static void
put_number(struct pb_table *t, const char *format, double v)
{
	if (isfinite(v))
		pb_table_putf(t, format, v);
	else
		pb_table_put(t, "");
}

static void
put_spread(struct pb_table *t, const struct pb_spread *s, const char *format,
    double scale)
{
	put_number(t, format, scale * s->rmse);
	put_number(t, format, scale * s->mean);
	put_number(t, format, scale * s->median);
	put_number(t, format, scale * s->max);
}

static void
put_row(struct pb_table *t, const char *name, const struct pb_traj_error *e)
{
	pb_table_put(t, name);
	pb_table_putf(t, "%zu", e->n);
	put_spread(t, &e->place, "%.3f", 1);
	put_spread(t, &e->turn, "%.2f", 180 / PB_PI);
}

static void
put_steps(struct pb_table *t, const char *which, const struct pb_traj_steps *s,
    const struct pb_traj_opts *o)
{
	char name[48];

	snprintf(name, sizeof(name), "%s %g s", which, o->step_s);
	put_row(t, name, &s->s);
	snprintf(name, sizeof(name), "%s %g m", which, o->step_m);
	put_row(t, name, &s->m);
	snprintf(name, sizeof(name), "%s %d %s", which, o->step_n,
	    o->step_n == 1 ? "pose" : "poses");
	put_row(t, name, &s->n);
}

static void
print_words(
    const struct pb_traj_report *r, const struct pb_traj_opts *o, FILE *f)
{
	if (isfinite(r->found))
		fprintf(f, "\nfound after %.1f s", r->found);
	else
		fputs("\nnever found", f);
	fprintf(f, ", lost %.1f %%, ambiguous %.1f %% of the time\n",
	    100 * r->lost, 100 * r->ambiguous);
	fprintf(f,
	    "confidently wrong (more than %g m or %g degrees off): %zu of "
	    "%zu\n",
	    o->near, o->near_turn * 180 / PB_PI, r->wrong, r->pairs);
}

static enum pb_status
print_trajectory(const struct pb_traj_report *r, const struct pb_traj_opts *o,
    const struct pb_tty *tty, FILE *f)
{
	static const char *const heads[] = {"error", "n", "m: rmse", "mean",
	    "median", "max", "deg: rmse", "mean", "median", "max"};
	struct pb_table *t = pb_table_new("lr........");
	enum pb_status st;

	if (!t)
		return PB_ENOMEM;
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		pb_table_put(t, heads[i]);
	put_row(t, "absolute", &r->ate);
	put_row(t, "aligned", &r->ate_best);
	put_steps(t, "over", &r->step, o);
	put_steps(t, "all", &r->step_all, o);
	fprintf(f, "%zu poses, %zu without a reference; %.1f m in %.1f s%s\n\n",
	    r->pairs, r->alone, r->length, r->duration,
	    r->numbered ? ", poses numbered as one a second" : "");
	st = pb_table_print(t, tty->utf8, tty->width, f);
	pb_table_free(t);
	if (st == PB_OK)
		print_words(r, o, f);
	return st;
}

/* The file's name without folder and suffix. */
static void
put_file(struct pb_table *t, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	pb_table_putf(t, "%.*s",
	    dot != NULL && dot > name ? (int)(dot - name) : (int)strlen(name),
	    name);
}

#define DEG (180 / PB_PI)

static void
put_places(struct pb_table *t, const struct pb_scatter *s)
{
	put_number(t, "%.4f", s->mean.x);
	put_number(t, "%.4f", s->mean.y);
	put_number(t, "%.4f", s->sd[0]);
	put_number(t, "%.4f", s->sd[1]);
	put_number(t, "%.4f", s->radial_mean);
	put_number(t, "%.4f", s->radial_max);
}

static void
put_headings(struct pb_table *t, const struct pb_scatter *s)
{
	put_number(t, "%.2f", DEG * s->mean.th);
	put_number(t, "%.2f", DEG * s->sd[2]);
	put_number(t, "%.2f", DEG * s->turn_max);
	put_number(t, "%.3f", s->sigma[0]);
	put_number(t, "%.3f", s->sigma[1]);
	put_number(t, "%.2f", DEG * s->sigma[2]);
}

static void
put_moves(struct pb_table *t, const struct pb_scatter *s)
{
	put_number(t, "%.2f", s->duration);
	put_number(t, "%.2f", s->dt.mean);
	put_number(t, "%.2f", s->dt.sd);
	put_number(t, "%.2f", s->dt.min);
	put_number(t, "%.2f", s->dt.max);
	put_number(t, "%.3f", s->step.mean);
	put_number(t, "%.3f", s->step.sd);
	put_number(t, "%.3f", s->step.max);
	put_number(t, "%.2f", DEG * s->turn.mean);
	put_number(t, "%.2f", DEG * s->turn.max);
}

/* A table with a row for each trial, and one for their ends. */
static enum pb_status
print_trials(const struct pb_trajectory_found *r, const char *const *heads,
    const char *align,
    void (*put)(struct pb_table *, const struct pb_scatter *), bool ends,
    const struct pb_tty *tty, FILE *f)
{
	struct pb_table *t = pb_table_new(align);
	enum pb_status st;

	if (!t)
		return PB_ENOMEM;
	for (; *heads; heads++)
		pb_table_put(t, *heads);
	for (size_t i = 0; i < r->trials; i++) {
		put_file(t, r->trial[i].file);
		pb_table_putf(t, "%zu", r->trial[i].scatter.n);
		put(t, &r->trial[i].scatter);
	}
	if (ends && r->trials > 1) {
		pb_table_put(t, "their ends");
		pb_table_putf(t, "%zu", r->ends.n);
		put(t, &r->ends);
	}
	st = pb_table_print(t, tty->utf8, tty->width, f);
	pb_table_free(t);
	return st;
}

static enum pb_status
print_spread(
    const struct pb_trajectory_found *r, const struct pb_tty *tty, FILE *f)
{
	static const char *const places[] = {"trial", "n", "m: mean x",
	    "mean y", "sd x", "sd y", "radial", "max", NULL};
	static const char *const headings[] = {"trial", "n", "deg: mean", "sd",
	    "max off", "sigma x (m)", "y (m)", "(deg)", NULL};
	static const char *const moves[] = {"trial", "n", "s", "dt", "sd",
	    "min", "max", "step m", "sd", "max", "turn deg", "max", NULL};
	enum pb_status st;

	st = print_trials(r, places, "lr......", put_places, true, tty, f);
	fputc('\n', f);
	if (st == PB_OK)
		st = print_trials(
		    r, headings, "lr......", put_headings, true, tty, f);
	fputc('\n', f);
	if (st == PB_OK)
		st = print_trials(
		    r, moves, "lr..........", put_moves, false, tty, f);
	if (r->trials > 1)
		fprintf(f,
		    "\nlast poses of the %zu trials: %.4f m apart on average, "
		    "%.4f m at most\n",
		    r->trials, r->ends.apart_mean, r->ends.apart_max);
	return st;
}

void
pb_trajectory_show(const struct pb_trajectory_opts *o,
    const struct pb_opt_common *common, const struct pb_opt_list *expect,
    bool table, bool wide, char *const *files, int n)
{
	const struct pb_render_opts any = pb_render_defaults();
	struct pb_place at = {n > 0 ? files[0] : "<stdin>", 0};
	struct pb_tty tty = pb_tty_of(&any, stdout);
	struct pb_trajectory_found r;
	enum pb_status st = PB_OK;
	bool ok = pb_trajectory_run(o, common, files, n, &r);

	if (wide)
		tty.width = 0;
	for (int i = 0; ok && i < expect->n; i++)
		ok = pb_trajectory_has(expect->arg[i], at, &r);
	if (ok && !table)
		pb_trajectory_write(o, &r);
	else if (ok && r.compared)
		st = print_trajectory(&r.report, &o->traj, &tty, stdout);
	else if (ok)
		st = print_spread(&r, &tty, stdout);
	if (st != PB_OK)
		pb_msg_system("no memory for the table");
	for (int i = 0; ok && i < expect->n; i++)
		pb_trajectory_judge(expect->arg[i], &r);
	pb_trajectory_clear(&r);
}
