/*
 * pb-localize - tells where a robot is. Reads map, maze, pose, odom, scan,
 * fix; writes pose, belief.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/fault.h"
#include "io/file.h"
#include "io/filter.h"
#include "io/localize/localize.h"
#include "io/msg.h"
#include "io/num.h"
#include "io/opt/opt.h"
#include "io/opt/opt_list.h"
#include "io/log/tum.h"
#include "io/sim/world.h"

struct opts {
	struct pb_localize_opts loc;
	const char *method; /* NULL: the best for the world */
	const char *map;
	bool wait;    /* no method: hold the stream until a pose comes */
	bool convert; /* no method: only read and write */
	bool has_start, global, list;
	int scans;
	const char *tum;
	const char *given[PB_LOCALIZE_METHODS]; /* a constant of the method */
	struct pb_opt_common common;
	struct pb_opt_names names; /* of all options given */
};

/* A stream that is being read. */
struct run {
	const struct opts *o;
	struct pb_localize z;
	struct pb_text held; /* -a wait: lines before the first pose */
	bool came;           /* -a wait: the pose */
	struct pb_file file; /* of --tum */
	struct pb_text tum;
};

static const char wait_name[] = "wait";
static const char wait_summary[] =
    "hold everything until the first pose of the robot, then pass it on";

static bool
parse_start(void *to, const char *arg, struct pb_bad *bad)
{
	struct pb_localize_opts *o = to;
	const char *at = arg;
	char word[64];
	double v[3] = {0, 0, 0};
	int n = 0, got;

	if (strcmp(arg, "truth") == 0) {
		o->start = PB_START_TRUTH;
		return true;
	}
	while ((got = pb_opt_word(&at, word, sizeof word)) > 0 && n < 3 &&
	       pb_num_parse(word, &v[n]))
		n++;
	if (got != 0 || n < 2)
		return pb_bad_set(bad,
		    "expected x,y, x,y,theta or truth, got \"%.80s\"", arg);
	o->start = PB_START_AT;
	o->at = (struct pb_pose){v[0], v[1], pb_wrap(v[2])};
	return true;
}

static int
parse_args(struct opts *o, int argc, char **argv)
{
	struct pb_localize_opts *l = &o->loc;
	const struct pb_opt opt[] = {
	    {"method", 'a', PB_OPT_TEXT, "name",
		"how to localize; see --list-methods", &o->method},
	    {"list-methods", 0, PB_OPT_FLAG, NULL, "list the methods",
		&o->list},
	    PB_OPT_MAP(&o->map),
	    PB_OPT_SEED(&l->seed),
	    {"trial", 't', PB_OPT_U64, "n", "trial of that seed", &l->trial},
	    {"id", 'i', PB_OPT_ID, "id", "the robot's id", &l->id},
	    {"start", 0, PB_OPT_CALL, "x,y,theta|truth",
		"begin near this pose, or the first true one", l,
		.call = parse_start, .seen = &o->has_start},
	    {"global", 'g', PB_OPT_FLAG, NULL,
		"begin anywhere, as without --start", &o->global},
	    {"start-cov", 0, PB_OPT_POSE, "xx,yy,tt",
		"variances of x, y, theta at a start (m2, m2, rad2)", l->var,
		.min = 0, .max = 1e12},
	    {"scans", 0, PB_OPT_NAME, PB_FILTER_SCANS,
		"take every scan, or every other, counted from 0", &o->scans,
		.words = PB_FILTER_SCANS},
	    {"cell", 0, PB_OPT_NUM, "m",
		"side of a cell of a maze, 0: as the maze says", &l->cell,
		.min = 0, .max = 1e6},
	    {"belief", 'b', PB_OPT_FLAG, NULL,
		"write all that the method believes", &l->belief},
	    {"particles", 0, PB_OPT_INT, "n", "with n of its particles",
		&l->particles, .min = 0, .max = PB_REC_POINTS_MAX},
	    {"tum", 0, PB_OPT_TEXT, "file",
		"write the poses into a trajectory file too", &o->tum},
	    {"convert", 0, PB_OPT_FLAG, NULL,
		"only write what was read, logs as records", &o->convert},
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	struct pb_opt_group group[PB_LOCALIZE_METHODS];
	char title[PB_LOCALIZE_METHODS][48];
	struct pb_tool tool = {"tell where a robot is", "[file ...]", opt,
	    sizeof opt / sizeof opt[0], group, 0, -1, &o->names};
	const struct pb_localizer *m;

	for (int i = 0; (m = pb_localizer_at(i)) != NULL; i++) {
		snprintf(title[i], sizeof title[i], "Constants of %s", m->name);
		group[i] = (struct pb_opt_group){.title = title[i],
		    .base = l->constants[i],
		    .given = &o->given[i],
		    .prefix = m->name};
		if (m->params != NULL)
			group[i].param = m->params(&group[i].n);
		tool.ngroup++;
	}
	return pb_opt_parse(&tool, argc, argv);
}

static bool
find_method(struct opts *o)
{
	o->wait = o->method != NULL && strcmp(o->method, wait_name) == 0;
	if (o->method == NULL || o->wait)
		return true;
	o->loc.method = pb_localizer_find(o->method);
	if (o->loc.method != NULL)
		return true;
	pb_msg_usage(
	    "--method: there is no \"%.80s\"; see --list-methods", o->method);
	return false;
}

/* Constants of a method mean that method, and of one only. */
static bool
fit_constants(struct opts *o)
{
	const struct pb_localizer *m;

	for (int i = 0; (m = pb_localizer_at(i)) != NULL; i++) {
		if (o->given[i] == NULL)
			continue;
		if (o->method == NULL && o->loc.method == NULL)
			o->loc.method = m;
		if (o->loc.method == m)
			continue;
		pb_msg_usage("--%s-%s: a constant of the method %s, not %s",
		    m->name, o->given[i], m->name,
		    o->wait ? wait_name : o->loc.method->name);
		return false;
	}
	return true;
}

/* What the tool does; not every option goes with all of it. */
enum { ESTIMATE = 1, CONVERT = 2, WAIT = 4 };
static bool
fit_names(const struct opts *o)
{
	static const char method[] = "a method that estimates";
	static const struct pb_opt_fit fits[] = {
	    {"seed", ESTIMATE, method},
	    {"trial", ESTIMATE, method},
	    {"start", ESTIMATE, method},
	    {"global", ESTIMATE, method},
	    {"start-cov", ESTIMATE, method},
	    {"cell", ESTIMATE, method},
	    {"belief", ESTIMATE, method},
	    {"tum", ESTIMATE | CONVERT, "a method that estimates, --convert"},
	};

	return pb_opt_names_fit(&o->names, fits, sizeof fits / sizeof fits[0],
	    o->convert ? CONVERT
	    : o->wait  ? WAIT
		       : ESTIMATE);
}

/* Whether --cell cannot have an effect, as far as the command line tells. */
static bool
idle_cell(const struct opts *o)
{
	const struct pb_localizer *m = o->loc.method;
	bool flat = o->map != NULL && access(o->map, R_OK) == 0 &&
	            !pb_world_is_maze(o->map);

	return pb_opt_names_have(&o->names, "cell") &&
	       (flat || (m != NULL && !(m->places & PB_LOC_IN_MAZE)));
}

/* What no single option can tell. */
static bool
complete(struct opts *o)
{
	const struct pb_localizer *m;
	const char *what = NULL;

	if (o->list)
		return pb_opt_names_alone(&o->names, "list-methods");
	if (!find_method(o) || !fit_constants(o))
		return false;
	m = o->loc.method;
	if (o->global && o->has_start)
		what = "only one of --global and --start";
	else if (o->convert && (m != NULL || o->wait))
		what = "--convert takes no method and none of its constants";
	else if (o->loc.particles > 0 &&
		 (!o->loc.belief || (m != NULL && m->particles == NULL)))
		what = "--particles: goes with --belief and a method with some";
	else if (o->convert && o->tum == NULL &&
		 pb_opt_names_have(&o->names, "id"))
		what = "--id: with --convert, goes with --tum";
	else if (idle_cell(o))
		what = "--cell: goes with a maze";
	if (what != NULL)
		pb_msg_usage("%s", what);
	return what == NULL && fit_names(o);
}

static void
list_methods(void)
{
	const struct pb_localizer *m;

	for (int i = 0; (m = pb_localizer_at(i)) != NULL; i++)
		printf("%s\t%s\n", m->name, m->summary);
	printf("%s\t%s\n", wait_name, wait_summary);
}

static bool
is_robot(const struct run *r, const struct pb_rec *rec)
{
	return rec->stamp.id[0] == '\0' ||
	       strcmp(rec->stamp.id, r->o->loc.id) == 0 ||
	       strcmp(rec->stamp.id, "truth") == 0;
}

/* The start-up utility: the pose that the others wait for. */
static bool
take_wait(struct pb_filter *f, struct pb_rec *rec, struct pb_bad *bad)
{
	struct run *r = f->user;
	const char *status = rec->pose.status;

	(void)bad;
	pb_filter_pass(f);
	if (r->came || !is_robot(r, rec) ||
	    strcmp(rec->pose.source, "truth") == 0 ||
	    (*status != '\0' && strcmp(status, "tracking") != 0))
		return true;
	r->came = true;
	pb_filter_release(f);
	pb_text_clear(&r->held);
	return true;
}

static bool
take_convert(struct pb_filter *f, struct pb_rec *rec, struct pb_bad *bad)
{
	struct run *r = f->user;

	(void)bad;
	pb_filter_pass(f);
	if (r->o->tum != NULL && rec->type == PB_REC_POSE && is_robot(r, rec) &&
	    strcmp(rec->pose.source, "truth") == 0 && isfinite(rec->stamp.t))
		pb_tum_put(&r->tum, rec->stamp.t,
		    (struct pb_pose){
			rec->pose.x, rec->pose.y, rec->pose.theta});
	return true;
}

static bool
take(struct pb_filter *f, struct pb_rec *rec, struct pb_bad *bad)
{
	struct run *r = f->user;
	struct pb_belief b;

	if (!pb_localize_take(&r->z, rec, f->line.at, bad))
		return false;
	if (!r->z.replaced)
		pb_filter_pass(f);
	if (!r->z.due)
		return true;
	pb_localize_answer(&r->z, &b);
	pb_localize_write(&r->z, &b, &f->out);
	if (r->o->tum != NULL && b.n > 0 && isfinite(r->z.t))
		pb_tum_put(&r->tum, r->z.t, b.at[0].pose);
	return true;
}

static bool
open_tum(struct run *r)
{
	struct pb_fault f;

	if (r->o->tum == NULL)
		return true;
	if (pb_file_create(r->o->tum, &r->file, &f) != 0) {
		pb_fault_say(&f);
		return false;
	}
	r->tum.to = r->file.out;
	return true;
}

/* The file appears whole, or not at all. */
static void
close_tum(struct run *r, bool whole)
{
	struct pb_fault f;

	if (r->o->tum == NULL)
		return;
	if (whole && r->tum.failed) {
		errno = 0;
		pb_msg_system("%s: cannot write", r->o->tum);
	} else if (whole && (pb_file_sync(&r->file, &f) != 0 ||
				pb_file_commit(&r->file, &f) != 0)) {
		pb_fault_say(&f);
	}
	pb_file_abandon(&r->file);
	pb_text_clear(&r->tum);
}

static void
finish(struct run *r, char *const *files, int n)
{
	bool in = n == 0 || strcmp(files[0], "-") == 0;
	struct pb_place at = {in ? "<stdin>" : files[0], 0};

	if (pb_msg_worst() != PB_EXIT_OK || r->o->convert)
		return;
	if (!r->o->wait)
		pb_localize_end(&r->z, at);
	else if (!r->came)
		pb_msg_refuse(
		    at, "expected a pose of %s, got none", r->o->loc.id);
}

static void
run(const struct opts *o, char **files, int n)
{
	struct run r = {.o = o};
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE) |
	            PB_REC_BIT(PB_REC_POSE) | PB_REC_BIT(PB_REC_ODOM) |
	            PB_REC_BIT(PB_REC_SCAN) | PB_REC_BIT(PB_REC_FIX) |
	            PB_REC_BIT(PB_REC_BELIEF),
	    .passes = true,
	    .scans = o->scans,
	    .common = &o->common,
	    .take = o->convert ? take_convert : take,
	    .user = &r};
	bool ok;

	pb_localize_init(&r.z, &o->loc);
	if (o->wait) {
		f.want = PB_REC_BIT(PB_REC_POSE);
		f.take = take_wait;
		f.into = &r.held;
	}
	f.out.to = stdout;
	ok = open_tum(&r) &&
	     (o->map == NULL || pb_localize_load(&r.z, o->map, &f.out)) &&
	     pb_filter_run(&f, files, n);
	if (ok)
		finish(&r, files, n);
	close_tum(&r, ok);
	pb_filter_clear(&f);
	pb_localize_clear(&r.z);
	pb_text_clear(&r.held);
}

int
main(int argc, char **argv)
{
	struct opts o = {.method = NULL};
	int first;

	pb_msg_start(argv[0]);
	if (!pb_localize_opts_init(&o.loc)) {
		errno = ENOMEM;
		pb_msg_system("command line");
		return pb_msg_finish();
	}
	first = parse_args(&o, argc, argv);
	if (first >= 0 && complete(&o)) {
		if (o.list)
			list_methods();
		else
			run(&o, argv + first, argc - first);
	}
	pb_localize_opts_clear(&o.loc);
	return pb_msg_finish();
}
