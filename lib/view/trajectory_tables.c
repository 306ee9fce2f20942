/* trajectory_tables.c - how far estimated poses are from the true ones, for
 * people. */
#include <math.h>

#include "io/file/mapfile.h"
#include "io/stream/msg.h"
#include "view/bench_view.h"
#include "view/table.h"

#define DEG (180 / PB_PI)

static void
put_error(struct pb_table *t, const char *name, const struct pb_traj_error *e)
{
	pb_table_putf(t, "%s|%zu|%.3f|%.3f|%.3f|%.3f", name, e->n,
	    e->place.rmse, e->place.mean, e->place.median, e->place.max);
	pb_table_putf(t, "%.2f|%.2f|%.2f|%.2f", DEG * e->turn.rmse,
	    DEG * e->turn.mean, DEG * e->turn.median, DEG * e->turn.max);
}

static void
put_steps(struct pb_table *t, const char *which, const struct pb_traj_steps *s,
    const struct pb_traj_opts *o)
{
	char name[48];

	snprintf(name, sizeof(name), "%s %g s", which, o->step_s);
	put_error(t, name, &s->s);
	snprintf(name, sizeof(name), "%s %g m", which, o->step_m);
	put_error(t, name, &s->m);
	snprintf(name, sizeof(name), "%s %d %s", which, o->step_n,
	    o->step_n == 1 ? "pose" : "poses");
	put_error(t, name, &s->n);
}

static enum pb_status
print_errors(const struct pb_traj_report *r, const struct pb_traj_opts *o,
    const struct pb_tty *tty, FILE *f)
{
	struct pb_table *t = pb_table_new("lr........");

	pb_table_putf(t, "error|n|m: rmse|mean|median|max|"
			 "deg: rmse|mean|median|max");
	put_error(t, "absolute", &r->ate);
	put_error(t, "aligned", &r->ate_best);
	put_steps(t, "over", &r->step, o);
	put_steps(t, "all", &r->step_all, o);
	fprintf(f, "%zu poses, %zu without a reference; %.1f m in %.1f s%s\n\n",
	    r->pairs, r->alone, r->length, r->duration,
	    r->numbered ? ", poses numbered as one a second" : "");
	if (pb_table_finish(t, tty, f) != PB_OK)
		return PB_ENOMEM;
	if (isfinite(r->found))
		fprintf(f, "\nfound after %.1f s", r->found);
	else
		fputs("\nnever found", f);
	fprintf(f, ", lost %.1f %%, ambiguous %.1f %% of the time\n",
	    100 * r->lost, 100 * r->ambiguous);
	fprintf(f,
	    "confidently wrong (more than %g m or %g degrees off): %zu of "
	    "%zu\n",
	    o->near, DEG * o->near_turn, r->wrong, r->pairs);
	return PB_OK;
}

static void
put_places(struct pb_table *t, const struct pb_scatter *s)
{
	pb_table_putf(t, "%zu|%.4f|%.4f|%.4f|%.4f|%.4f|%.4f", s->n, s->mean.x,
	    s->mean.y, s->sd[0], s->sd[1], s->radial_mean, s->radial_max);
}

static void
put_headings(struct pb_table *t, const struct pb_scatter *s)
{
	pb_table_putf(t, "%zu|%.2f|%.2f|%.2f|%.3f|%.3f|%.2f", s->n,
	    DEG * s->mean.th, DEG * s->sd[2], DEG * s->turn_max, s->sigma[0],
	    s->sigma[1], DEG * s->sigma[2]);
}

static void
put_moves(struct pb_table *t, const struct pb_scatter *s)
{
	pb_table_putf(t, "%zu|%.2f|%.2f|%.2f|%.2f|%.2f", s->n, s->duration,
	    s->dt.mean, s->dt.sd, s->dt.min, s->dt.max);
	pb_table_putf(t, "%.3f|%.3f|%.3f|%.2f|%.2f", s->step.mean, s->step.sd,
	    s->step.max, DEG * s->turn.mean, DEG * s->turn.max);
}

/* Tables with a row for each trial, and one for their ends. */
static enum pb_status
print_spread(
    const struct pb_trajectory_found *r, const struct pb_tty *tty, FILE *f)
{
	static const struct {
		const char *align, *heads;
		void (*put)(struct pb_table *, const struct pb_scatter *);
		bool ends;
	} list[] = {
	    {"lr......", "trial|n|m: mean x|mean y|sd x|sd y|radial|max",
		put_places, true},
	    {"lr......", "trial|n|deg: mean|sd|max off|sigma x (m)|y (m)|(deg)",
		put_headings, true},
	    {"lr..........",
		"trial|n|s|dt|sd|min|max|step m|sd|max|turn deg|max", put_moves,
		false}};
	char name[256];

	for (int k = 0; k < 3; k++) {
		struct pb_table *t = pb_table_new(list[k].align);

		pb_table_putf(t, "%s", list[k].heads);
		for (size_t i = 0; i < r->trials; i++) {
			pb_mapfile_stem(r->trial[i].file, name, sizeof(name));
			pb_table_put(t, name);
			list[k].put(t, &r->trial[i].scatter);
		}
		if (list[k].ends && r->trials > 1) {
			pb_table_put(t, "their ends");
			list[k].put(t, &r->ends);
		}
		if (k > 0)
			fputc('\n', f);
		if (pb_table_finish(t, tty, f) != PB_OK)
			return PB_ENOMEM;
	}
	if (r->trials > 1)
		fprintf(f,
		    "\nlast poses of the %zu trials: %.4f m apart on average, "
		    "%.4f m at most\n",
		    r->trials, r->ends.apart_mean, r->ends.apart_max);
	return PB_OK;
}

static void
put_relations(
    struct pb_table *t, const char *name, const struct pb_relation_errors *e)
{
	pb_table_putf(t, "%s|%.4f|%.4f|%.4f|%.4f", name, e->m.mean, e->m.sd,
	    e->m2.mean, e->m2.sd);
	pb_table_putf(t, "%.3f|%.3f|%.3f|%.3f", DEG * e->turn.mean,
	    DEG * e->turn.sd, DEG * DEG * e->turn2.mean,
	    DEG * DEG * e->turn2.sd);
}

/* As the tables of papers have them. */
static enum pb_status
print_relations(
    const struct pb_relations_report *r, const struct pb_tty *tty, FILE *f)
{
	struct pb_table *t = pb_table_new("l........");

	pb_table_putf(
	    t, "pose|m: mean|sd|m^2: mean|sd|deg: mean|sd|deg^2: mean|sd");
	put_relations(t, "nearest", &r->nearest);
	put_relations(t, "between", &r->between);
	fprintf(f, "%zu relations, %zu poses, %zu of odometry\n\n", r->n,
	    r->poses, r->odometry);
	if (pb_table_finish(t, tty, f) != PB_OK)
		return PB_ENOMEM;
	fprintf(f,
	    "\nfarther than %g s from a pose: %zu of %zu relations, at most "
	    "%.3f s\nwith a stamp that several places have: %zu\n",
	    PB_RELATION_NEAR, r->far, r->n, r->gap, r->repeated);
	return PB_OK;
}

void
pb_trajectory_show(const struct pb_bench_opts *b, char *const *files, int n)
{
	const struct pb_trajectory_opts *o = &b->traj;
	const struct pb_opt_list *expect = &b->expect_text;
	struct pb_place at = {n > 0 ? files[0] : "<stdin>", 0};
	struct pb_tty tty = pb_tty_of(&(struct pb_render_opts){0}, stdout);
	struct pb_trajectory_found r;
	enum pb_status st = PB_OK;
	bool ok = pb_trajectory_run(o, &b->common, files, n, &r);

	if (b->wide)
		tty.width = 0;
	for (int i = 0; ok && i < expect->n; i++)
		ok = pb_trajectory_has(&b->expect[i], at, &r);
	if (ok && !b->table)
		pb_trajectory_write(o, &r);
	else if (ok && r.related)
		st = print_relations(&r.relations, &tty, stdout);
	else if (ok && r.compared)
		st = print_errors(&r.report, &o->traj, &tty, stdout);
	else if (ok)
		st = print_spread(&r, &tty, stdout);
	if (st != PB_OK)
		pb_msg_system("no memory for the table");
	for (int i = 0; ok && i < expect->n; i++)
		pb_trajectory_judge(&b->expect[i], &r);
	pb_trajectory_clear(&r);
}
