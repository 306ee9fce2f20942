/* trajectory_table.c - the errors of a trajectory as a table for people. */
#include "view/trajectory_table.h"

#include <math.h>
#include <string.h>

#include "view/render.h"
#include "view/table.h"

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

enum pb_status
pb_trajectory_print(const struct pb_traj_report *r,
    const struct pb_traj_opts *o, const struct pb_tty *tty, FILE *f)
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
		st = pb_trajectory_print(&r.report, &o->traj, &tty, stdout);
	else if (ok)
		st = print_spread(&r, &tty, stdout);
	if (st != PB_OK)
		pb_msg_system("no memory for the table");
	for (int i = 0; ok && i < expect->n; i++)
		pb_trajectory_judge(expect->arg[i], &r);
	pb_trajectory_clear(&r);
}
