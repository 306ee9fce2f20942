/* trajectory.c - the errors of a trajectory as a table for people. */
#include "view/trajectory.h"

#include <math.h>

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

void
pb_trajectory_show(const struct pb_trajectory_opts *o,
    const struct pb_opt_common *common, const struct pb_opt_list *expect,
    bool table, bool wide, char *const *files, int n)
{
	const struct pb_render_opts any = pb_render_defaults();
	struct pb_tty tty = pb_tty_of(&any, stdout);
	struct pb_traj_report r;

	if (!pb_trajectory_run(o, common, files, n, &r))
		return;
	if (wide)
		tty.width = 0;
	if (!table)
		pb_trajectory_write(o, &r);
	else if (pb_trajectory_print(&r, &o->traj, &tty, stdout) != PB_OK)
		pb_msg_system("no memory for the table");
	for (int i = 0; i < expect->n; i++)
		pb_trajectory_judge(expect->arg[i], &r);
}
