/* bench_localize.c - what pb-bench needs for trials of localizers. */
#include "io/tool/bench_localize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/poselog.h"
#include "io/play/world.h"
#include "localize/traj.h"

/* A log being read; true poses find their scans at its end. */
struct reading {
	struct pb_drive *d;
	struct pb_timed_list truth, scan;
};

bool
pb_bench_localize_init(struct pb_bench_localize *b)
{
	*b = (struct pb_bench_localize){
	    .rules = {.trial = pb_loc_trial_defaults(),
		.maze = pb_maze_trial_defaults(),
		.tour = pb_synthetic_defaults()}};
	if (!pb_method_opts_init(&b->methods))
		return false;
	for (int i = 0; i < PB_LOCALIZE_METHODS; i++)
		b->rules.constants[i] = b->methods.constants[i];
	return true;
}

size_t
pb_bench_localize_groups(struct pb_bench_localize *b, struct pb_opt_group *out)
{
	const struct pb_opt_group common[] = {
	    {"Constants of localize", pb_loc_protocol_params, &b->rules.trial,
		&b->given},
	    {"Trials on maps", pb_loc_trial_params, &b->rules.trial,
		&b->on_maps},
	    {"Simulated drives", pb_synthetic_params, &b->rules.tour,
		&b->simulated},
	    {"Trials in mazes", pb_maze_trial_params, &b->rules.maze,
		&b->in_mazes},
	    {"Simulated drives in mazes", pb_maze_drive_params,
		&b->rules.maze.drive, &b->in_mazes}};
	size_t n = sizeof(common) / sizeof(*common);

	memcpy(out, common, sizeof(common));
	for (size_t i = 0; i < n; i++)
		out[i].with = "rules=localize";
	return n + pb_method_groups(&b->methods, "policy", out + n);
}

bool
pb_bench_localize_none(const struct pb_bench_localize *b, const char *why)
{
	const char *any = b->given ? b->given : b->on_maps, *method = NULL;

	/* In the order of --help, one is enough. */
	any = any ? any : b->simulated;
	any = any ? any : b->in_mazes;
	for (int i = 0; !any && i < PB_LOCALIZE_METHODS; i++)
		if ((any = b->methods.given[i]))
			method = pb_localizer_at(i)->name;
	if (any)
		pb_msg_usage("--%s%s%s: %s", method ? method : "",
		    method ? "-" : "", any, why);
	return !any;
}

/* The worlds that methods named are for; others are told of later. */
static unsigned
places_of(const char *methods)
{
	const struct pb_localizer *m;
	unsigned places = 0;
	char name[PB_TRIAL_NAME];

	while (methods && pb_opt_word(&methods, name, sizeof(name)) > 0)
		if ((m = pb_localizer_find(name)) &&
		    !(m->places & PB_LOC_NOWHERE))
			places |= m->places;
	return places;
}

bool
pb_bench_localize_where(struct pb_bench_localize *b, const char *methods,
    const char *map, struct pb_error *bad)
{
	unsigned places = places_of(methods);

	if ((places & PB_LOC_ON_MAP) && (places & PB_LOC_IN_MAZE))
		return pb_error_set(bad,
		    "policy: methods for maps and methods for mazes do not go "
		    "together");
	/* Methods know best, then constants; a map is looked at last. */
	b->maze = places                               ? places & PB_LOC_IN_MAZE
	          : b->in_mazes                        ? true
	          : b->on_maps || b->simulated || !map ? false
	                                               : pb_world_is_maze(map);
	return true;
}

bool
pb_bench_localize_fits(const struct pb_bench_localize *b,
    const struct pb_opt_players *p, const char *field, struct pb_error *bad)
{
	const char *maps = b->on_maps ? b->on_maps : b->simulated;
	const char *idle = NULL, *name = "";
	bool line = strcmp(field, "--") == 0;

	for (int i = 0; !idle && i < PB_LOCALIZE_METHODS; i++) {
		idle = b->methods.given[i];
		for (int k = 0; k < p->n; k++)
			if (p->player[k] == i)
				idle = NULL;
		name = idle ? pb_localizer_at(i)->name : "";
	}
	if (b->maze && maps)
		return pb_error_set(bad, "%s%s: not in mazes", field, maps);
	if (!b->maze && b->in_mazes)
		return pb_error_set(
		    bad, "%s%s: only in mazes", field, b->in_mazes);
	return !idle ||
	       pb_error_set(bad, "%s%s-%s: the method%s%s does not play", field,
		   name, idle, line ? " " : "", line ? name : "");
}

static bool
add_truth(struct reading *g, double t, const struct pb_rec_pose *p)
{
	return pb_timed_add(&g->truth,
		   (struct pb_timed){.t = t, .p = {p->x, p->y, p->theta}}) ==
	       PB_OK;
}

static bool
add_scan(struct reading *g, double t, const struct pb_rec_scan *c)
{
	const struct pb_scan z = pb_rec_as_scan(c);

	return pb_drive_add_scan(g->d, t, &z) == PB_OK &&
	       pb_timed_add(&g->scan,
		   (struct pb_timed){.t = t, .told = g->truth.n}) == PB_OK;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct reading *g = f->user;
	struct pb_heard h = {.kind = PB_HEARD_ODOM, .t = r->stamp.t};
	bool ok = true;

	if (!pb_filter_is_of(r, "robot"))
		return true;
	if (r->type != PB_REC_ODOM && !isfinite(r->stamp.t))
		return pb_error_set(bad, "%s.t: expected a number, got nothing",
		    pb_rec_name(r->type));
	if (r->type == PB_REC_SCAN) {
		ok = add_scan(g, r->stamp.t, &r->scan);
	} else if (r->type == PB_REC_ODOM) {
		h.odom = (struct pb_pose){r->odom.x, r->odom.y, r->odom.theta};
		ok = pb_drive_add(g->d, h) == PB_OK;
	} else if (strcmp(r->pose.source, "truth") == 0) {
		/* Estimates of who wrote the log are not ours to judge. */
		ok = add_truth(g, r->stamp.t, &r->pose);
	}
	return ok || pb_error_nomem(bad, "log");
}

/* Where stamps tell no time, records count as one scan a second. */
static enum pb_status
number(struct reading *g, const char *log)
{
	double *t = calloc(g->scan.n + 1, sizeof(*t));
	struct pb_stamps s;
	char text[160];
	enum pb_status st = PB_ENOMEM;

	for (size_t i = 0; t && i < g->scan.n; i++)
		t[i] = g->scan.at[i].t;
	if (t)
		st = pb_stamps_judge(t, g->scan.n, &s);
	free(t);
	if (st != PB_OK || !s.broken)
		return st;
	pb_msg_warn((struct pb_place){log, 0},
	    "%s; scans are numbered, one a second",
	    pb_stamps_text(&s, "scans", text, sizeof(text)));
	for (size_t i = 0, scan = 0; i < g->d->n; i++) {
		g->d->heard[i].t = (double)scan;
		scan += g->d->heard[i].kind == PB_HEARD_SCAN;
	}
	return PB_OK;
}

/* The true pose at each scan. */
static bool
join(struct reading *g, const char *log)
{
	size_t n = g->scan.n, *of = calloc(n + 1, sizeof(*of));
	struct pb_pair_doubt doubt;
	enum pb_status st = PB_ENOMEM;

	if (of)
		st = pb_pair_poses(g->truth.at, g->truth.n, g->scan.at, n,
		    PB_PAIR_ONCE, pb_traj_defaults().max_dt, of, &doubt);
	/* Of two scans of one moment, only the last was given the pose. */
	for (size_t i = n; st == PB_OK && i-- > 1;)
		if (of[i - 1] == g->truth.n &&
		    g->scan.at[i - 1].t == g->scan.at[i].t &&
		    g->scan.at[i - 1].told == g->scan.at[i].told)
			of[i - 1] = of[i];
	for (size_t i = 0; st == PB_OK && i < n; i++)
		if (of[i] < g->truth.n) {
			struct pb_heard *h = &g->d->heard[g->d->at[i]];

			h->known = true;
			h->truth = g->truth.at[of[i]].p;
		}
	free(of);
	if (st == PB_OK)
		st = number(g, log);
	if (st == PB_EVAGUE)
		pb_msg_refuse((struct pb_place){log, 0},
		    "%zu of %zu scans, the first at %g s, have a time that "
		    "leaves open which of %zu true poses is theirs",
		    doubt.n, n, doubt.t, g->truth.n);
	else if (st != PB_OK)
		pb_msg_system("%s: no memory", log);
	return st == PB_OK;
}

static bool
check(const struct pb_bench_localize *b)
{
	const struct pb_loc_trial_opts *o = &b->rules.trial;

	switch (pb_loc_trial_check(&b->drive, o)) {
	case PB_OK:
		return true;
	case PB_ENOENT:
		return pb_msg_refuse((struct pb_place){b->log, 0},
		    "expected a pose with source truth at every scan");
	default:
		return pb_msg_refuse((struct pb_place){b->log, 0},
		    "expected at least %d scans, got %zu; see --updates",
		    o->updates + (o->protocol == PB_LOC_KIDNAP ? o->warm : 0),
		    b->drive.scans);
	}
}

bool
pb_bench_localize_load(
    struct pb_bench_localize *b, const struct pb_opt_common *common)
{
	struct reading g = {.d = &b->drive};
	char *file[] = {(char *)b->log};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_SCAN) |
	                              PB_REC_BIT(PB_REC_ODOM) |
	                              PB_REC_BIT(PB_REC_POSE),
	    .scans = b->scans,
	    .common = common,
	    .take = take,
	    .user = &g};
	bool ok;

	if (!b->log)
		return true;
	ok = pb_filter_run(&f, file, 1);
	pb_filter_clear(&f);
	ok = ok && join(&g, b->log);
	pb_timed_clear(&g.truth);
	pb_timed_clear(&g.scan);
	b->rules.drive = &b->drive;
	b->rules.drive_hash = pb_drive_hash(&b->drive);
	return ok && check(b);
}

void
pb_bench_localize_clear(struct pb_bench_localize *b)
{
	pb_drive_clear(&b->drive);
	pb_method_opts_clear(&b->methods);
}
