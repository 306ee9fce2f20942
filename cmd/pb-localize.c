/* pb-localize - estimates the pose of a robot. Reads map, maze, pose, odom,
 * scan, fix; writes pose, belief. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/file/filter.h"
#include "io/play/world.h"
#include "io/stream/net.h"
#include "io/tool/localize.h"

struct opts {
	struct pb_localize_stream_opts stream;
	const char *method; /* NULL: the best for the world */
	bool has_start, global, list, info, doctor;
	struct pb_opt_common common;
	struct pb_opt_names names; /* all options given */
	struct pb_set set;         /* a group for each method */
};

static const char wait_name[] = "wait";
static const char wait_summary[] =
    "hold everything until the first pose of the robot, then pass it on";

static bool
parse_start(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_localize_opts *o = to;
	const struct pb_opt pose = {.kind = PB_OPT_POSE, .to = &o->at};
	bool truth = strcmp(arg, "truth") == 0;

	if (!truth && !pb_opt_set(&pose, arg, bad))
		return pb_error_set(bad,
		    "expected x,y, x,y,theta or truth, got \"%.80s\"", arg);
	o->start = truth ? PB_START_TRUTH : PB_START_AT;
	return true;
}

/* Modes that options go with. */
enum { ESTIMATE = 1, CONVERT = 2, WAIT = 4, INFO = 8, LIST = 16, DOCTOR = 32 };
enum { RECORDS = ESTIMATE | CONVERT | WAIT };
static const char *const mode_names[] = {"a method that estimates", "--convert",
    "--method wait", "--info", "--list-methods", "--doctor"};

static bool
find_method(struct opts *o)
{
	struct pb_localize_stream_opts *s = &o->stream;
	const struct pb_localizer *m;
	struct pb_suggest near;

	s->wait = o->method != NULL && strcmp(o->method, wait_name) == 0;
	/* Without --method, the world decides later. */
	if (o->method == NULL || s->wait)
		return true;
	s->loc.method = pb_localizer_find(o->method);
	if (s->loc.method != NULL)
		return true;
	near = pb_suggest_for(o->method);
	for (int i = 0; (m = pb_localizer_at(i)) != NULL; i++)
		pb_suggest_try(&near, m->name);
	return pb_msg_usage(
	    "--method: there is no \"%.80s\"; see --list-methods%s", o->method,
	    pb_suggest_text(&near));
}

static unsigned
find_mode(const struct opts *o)
{
	return o->list             ? LIST
	       : o->info           ? INFO
	       : o->doctor         ? DOCTOR
	       : o->stream.convert ? CONVERT
	       : o->stream.wait    ? WAIT
	                           : ESTIMATE;
}

/* Choose the constants of the method, or those of all methods. */
static unsigned
choose_mode(void *user, char *const *operand, int n)
{
	struct opts *o = user;
	const struct pb_localizer *m;
	unsigned mode;

	(void)operand;
	(void)n;
	if (!find_method(o))
		return 0;
	mode = find_mode(o);
	for (int i = 0; (m = pb_localizer_at(i)) != NULL; i++)
		o->set.group[i].chosen =
		    mode == ESTIMATE &&
		    (o->stream.loc.method == NULL || o->stream.loc.method == m);
	return mode;
}

/* If constants of only one method are set, choose that method. */
static bool
choose_by_constants(struct opts *o)
{
	const struct pb_localizer **method = &o->stream.loc.method;

	if (*method != NULL)
		return true;
	for (size_t i = 0; i < o->set.groups; i++) {
		const struct pb_set_group *g = &o->set.group[i];

		for (size_t k = 0; k < g->params.n; k++) {
			if (!g->given[k])
				continue;
			if (*method != NULL &&
			    *method != pb_localizer_at((int)i))
				return pb_msg_usage("--set: constants of the "
						    "methods %s and %s",
				    (*method)->name, g->prefix);
			*method = pb_localizer_at((int)i);
		}
	}
	return true;
}

static int
parse_args(struct opts *o, int argc, char **argv)
{
	struct pb_localize_stream_opts *s = &o->stream;
	struct pb_localize_opts *l = &s->loc;
	const struct pb_opt opt[] = {
	    {"method", 'a', PB_OPT_TEXT, "name",
		"how to localize; see --list-methods", &o->method},
	    {"list-methods", 0, PB_OPT_FLAG, NULL, "list the methods",
		&o->list},
	    PB_OPT_MAP(&s->map, .modes = RECORDS | DOCTOR),
	    PB_OPT_SEED(&l->seed, .modes = ESTIMATE),
	    {"trial", 't', PB_OPT_U64, "n", "trial of that seed", &l->trial,
		.modes = ESTIMATE},
	    {"id", 'i', PB_OPT_ID, "id", "the robot's id", &l->id,
		.modes = RECORDS},
	    {"start", 0, PB_OPT_CALL, "x,y,theta|truth",
		"begin near this pose, or the first true one", l,
		.call = parse_start, .seen = &o->has_start, .modes = ESTIMATE},
	    {"global", 'g', PB_OPT_FLAG, NULL,
		"begin anywhere, as without --start", &o->global,
		.modes = ESTIMATE},
	    {"start-cov", 0, PB_OPT_POSE, "xx,yy,tt",
		"variances of x, y, theta at a start (m2, m2, rad2)", l->var,
		.min = 0, .max = 1e12, .modes = ESTIMATE},
	    PB_OPT_SCANS(&s->scans, .modes = RECORDS | DOCTOR),
	    {"cell", 0, PB_OPT_NUM, "m",
		"side of a cell of a maze, 0: as the maze says", &l->cell,
		.min = 0, .max = 1e6, .modes = ESTIMATE},
	    {"belief", 'b', PB_OPT_FLAG, NULL,
		"write belief records, too: all hypotheses", &l->belief,
		.modes = ESTIMATE},
	    {"particles", 0, PB_OPT_INT, "n",
		"with --belief: write n particles", &l->particles, .min = 0,
		.max = PB_REC_POINTS_MAX},
	    {"tum", 0, PB_OPT_TEXT, "file",
		"write the poses into a trajectory file too", &s->tum,
		.modes = ESTIMATE | CONVERT},
	    {"clock", 0, PB_OPT_NUM, "s",
		"with --tum: time in that file at time 0 of records", &s->clock,
		.min = -1e12, .max = 1e12},
	    {"convert", 0, PB_OPT_FLAG, NULL, "only convert logs to records",
		&s->convert},
	    {"info", 0, PB_OPT_FLAG, NULL, "only list the topics of ROS",
		&o->info},
	    {"doctor", 0, PB_OPT_FLAG, NULL,
		"only list problems that make localization fail", &o->doctor},
	    {"connect", 0, PB_OPT_TEXT, "url",
		"read a robot's topics by rosbridge, ws://HOST:PORT",
		&s->robot.url},
	    {"live", 0, PB_OPT_FLAG, NULL,
		"while lost, skip to the newest scan", &s->live,
		.modes = ESTIMATE},
	    {"end-after", 0, PB_OPT_LIMIT, "s",
		"with --connect: end after so long", &s->robot.end_after,
		.min = 0},
	    {"patience", 0, PB_OPT_NUM, "s",
		"with --connect: give up without server after so long",
		&s->robot.patience, .min = 0.001, .max = 86400},
	    PB_OPT_ROS(&s->ros, .modes = RECORDS | DOCTOR),
	    PB_OPT_SETS(&o->set),
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	const struct pb_tool tool =
	    PB_TOOL(o, opt, choose_mode, mode_names, .operands = "[file ...]",
		.purpose = "estimate the pose of a robot");

	pb_method_sets(&l->methods, &o->set);
	return pb_opt_parse(&tool, argc, argv);
}

/* Whether --cell has no effect, by the command line. */
static bool
is_cell_idle(const struct opts *o)
{
	const struct pb_localizer *m = o->stream.loc.method;
	const char *map = o->stream.map;
	bool flat =
	    map != NULL && access(map, R_OK) == 0 && !pb_world_is_maze(map);

	return pb_opt_names_have(&o->names, "cell") &&
	       (flat || (m != NULL && !(m->places & PB_LOC_IN_MAZE)));
}

/* Check combinations of options. */
static bool
check_opts(struct opts *o, int operands)
{
	const struct pb_localize_stream_opts *s = &o->stream;
	const char *url = s->robot.url;
	const struct pb_localizer *m;
	const char *what = NULL;

	if (o->list)
		return pb_opt_names_alone(&o->names, "list-methods");
	if (!choose_by_constants(o) || !pb_set_fits(&o->set))
		return false;
	m = s->loc.method;
	o->stream.loc.asked = o->global || o->has_start;
	if (o->global && o->has_start)
		what = "only one of --global and --start";
	else if (o->info && (m != NULL || s->wait || s->convert))
		what = "--info takes no method and no --convert";
	else if (o->doctor && (m != NULL || s->wait || s->convert || o->info))
		what = "--doctor takes no method, no --convert and no --info";
	else if (s->convert && (m != NULL || s->wait))
		what = "--convert takes no method";
	else if (s->loc.particles > 0 &&
		 (!s->loc.belief || (m != NULL && m->particles == NULL)))
		what = "--particles: only with --belief and a method with some";
	else if (s->convert && s->tum == NULL &&
		 pb_opt_names_have(&o->names, "id"))
		what = "--id: with --convert, only for --tum";
	else if (s->tum == NULL && pb_opt_names_have(&o->names, "clock"))
		what = "--clock: only with --tum";
	else if (is_cell_idle(o))
		what = "--cell: only with a maze";
	else if (url != NULL && operands > 0)
		what = "--connect: reads no files";
	else if (url == NULL && pb_opt_names_have(&o->names, "end-after"))
		what = "--end-after: only with --connect";
	else if (url == NULL && pb_opt_names_have(&o->names, "patience"))
		what = "--patience: only with --connect";
	if (what != NULL)
		pb_msg_usage("%s", what);
	return what == NULL &&
	       (url == NULL || pb_net_check("--connect", url, false));
}

static void
list_methods(void)
{
	const struct pb_localizer *m;

	for (int i = 0; (m = pb_localizer_at(i)) != NULL; i++)
		printf("%s\t%s\n", m->name, m->summary);
	printf("%s\t%s\n", wait_name, wait_summary);
}

/* Read files, or a robot. */
static void
run_stream(struct opts *o, char **files, int n)
{
	void (*fn)(const struct pb_localize_stream_opts *,
	    const struct pb_opt_common *, char **, int) =
	    o->doctor ? pb_doctor
	    : o->info ? pb_localize_info
		      : pb_localize_stream;
	struct pb_localize_stream_opts *s = &o->stream;
	char *url[] = {(char *)s->robot.url};
	struct pb_rosbridge_in *robot;

	if (*url == NULL) {
		fn(s, &o->common, files, n);
		return;
	}
	s->live = true;
	s->robot.maps = s->map == NULL;
	s->robot.topic = &s->ros.topic;
	robot = pb_rosbridge_in_open(&s->robot);
	if (robot != NULL)
		fn(s, &o->common, url, 1);
	pb_rosbridge_in_close(robot);
}

int
main(int argc, char **argv)
{
	static struct opts o; /* large for a stack */
	int first;

	pb_msg_start(argv[0]);
	memset(&o, 0, sizeof(o)); /* tests run main more than once */
	pb_localize_opts_init(&o.stream.loc);
	o.stream.ros = (struct pb_ros_opts){.reader = PB_ROS_READER};
	o.stream.robot = (struct pb_rosbridge_in_opts){
	    .patience = 10, .end_after = INFINITY};
	first = parse_args(&o, argc, argv);
	if (first >= 0 && check_opts(&o, argc - first)) {
		if (o.list)
			list_methods();
		else
			run_stream(&o, argv + first, argc - first);
	}
	pb_method_opts_clear(&o.stream.loc.methods);
	return pb_msg_finish();
}
