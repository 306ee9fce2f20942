/*
 * pb-score - scores every pellet for the robot and the ghost on the stream and
 * names the target. Reads pellets, pose, cmd, goal; writes target,
 * scored.
 */
#include <math.h>
#include <string.h>

#include "io/file/filter.h"
#include "io/tool/score_planner.h"

struct opts {
	struct pb_score_opts score;
	const char *robot; /* id of its poses */
	const char *ghost; /* ids of theirs */
	struct pb_planner_ghosts ghosts;
	int source;    /* place in SOURCES */
	double period; /* between decisions, 0: every robot pose (s) */
	bool all;      /* scored records too */
	bool changes;  /* targets only when they change */
	bool always;   /* whatever cmd says */
	bool asked;    /* decide when a cmd "choose" says so, and only then */
	struct pb_opt_common common;
};

#define SOURCES "estimate|truth|any"
enum { ESTIMATE, TRUTH };

/* What is known of the game, and of its time. */
struct chooser {
	const struct opts *o;
	struct pb_planner p;
	bool timed;   /* last and ticks are set */
	double last;  /* the stamp before (s) */
	double ticks; /* periods that were decided for, since time 0 */
	char other[PB_OPT_ID_MAX + 1];  /* who else had a pose, "": nobody */
	char source[PB_OPT_ID_MAX + 1]; /* of robot poses left out, likewise */
};

static bool
parse_compat(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_score_opts *o = to;

	if (strcmp(arg, "code") == 0)
		*o = pb_score_defaults();
	else if (strcmp(arg, "report") == 0)
		*o = pb_score_report();
	else
		return pb_error_set(
		    bad, "expected code or report, got \"%.80s\"", arg);
	return true;
}

static int
parse_args(struct opts *o, int argc, char **argv)
{
	struct pb_opt opt[64] = {
	    {"all", 'a', PB_OPT_FLAG, NULL,
		"write every pellet's terms too (scored)", &o->all},
	    {"changes", 0, PB_OPT_FLAG, NULL,
		"write the target only when it changes", &o->changes},
	    {"period", 0, PB_OPT_NUM, "s",
		"decide once in so much stream time; 0: at every robot pose",
		&o->period, .min = 0, .max = INFINITY},
	    {"robot", 0, PB_OPT_ID, "id", "the robot's id", &o->robot},
	    {"ghost", 'g', PB_OPT_TEXT, "ids",
		"ids of the ghosts: the nearest counts", &o->ghost},
	    {"source", 0, PB_OPT_NAME, SOURCES,
		"which robot poses count, of those that say what they are",
		&o->source, .words = SOURCES},
	    {"asked", 0, PB_OPT_FLAG, NULL,
		"decide whenever a cmd record \"choose\" asks, only then",
		&o->asked},
	    {"always", 0, PB_OPT_FLAG, NULL,
		"score also while a cmd has disabled the planner", &o->always},
	    {"compat", 0, PB_OPT_CALL, "code|report",
		"the published code's rules, or its report's", &o->score,
		.call = parse_compat, .early = true},
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	struct pb_tool tool = {
	    .purpose =
		"score pellets by distance and ghost, and name the target",
	    .operands = "[file ...]",
	    .opt = opt};
	struct pb_error bad;
	int first;

	while (opt[tool.nopt].name != NULL)
		tool.nopt++;
	for (size_t i = 0; i < pb_score_params.n; i++)
		opt[tool.nopt++] =
		    pb_opt_of_param(&pb_score_params.row[i], &o->score);
	first = pb_opt_parse(&tool, argc, argv);
	if (first < 0)
		return first;
	if (!pb_planner_ids(&o->ghosts, o->ghost, &bad)) {
		pb_msg_usage("--ghost: %s", bad.text);
		return -1;
	}
	if (!o->asked || (o->period == 0 && !o->changes))
		return first;
	pb_msg_usage("--asked: does not go with --%s",
	    o->changes ? "changes" : "period");
	return -1;
}

/* Every pellet's terms, as they are in p->score. */
static void
put_scored(struct pb_filter *f, double t, bool threat)
{
	struct pb_planner *p = &((struct chooser *)f->user)->p;
	struct pb_rec_scored r = {.threat = threat, .pellet = p->row};

	for (size_t i = 0; i < p->n; i++) {
		const struct pb_score *s = &p->score[i];

		if (!p->left[i])
			continue;
		p->row[r.n++] = (struct pb_rec_score){.id = p->id[i],
		    .x = p->at[i].x,
		    .y = p->at[i].y,
		    .distance = s->distance,
		    .risk = s->risk,
		    .direction = s->direction,
		    .total = s->total,
		    .safe = s->safe,
		    .excluded = s->excluded};
	}
	pb_rec_put(&f->out, PB_REC_SCORED, pb_stamp_at(t, p->robot), &r);
}

static void
put_target(struct pb_filter *f, double t, const char *why, bool threat)
{
	struct chooser *c = f->user;
	struct pb_planner *p = &c->p;
	struct pb_rec_target r;
	long id = p->target < 0 ? -1 : p->id[p->target];

	pb_rec_none(PB_REC_TARGET, &r);
	r.changed = id != p->named;
	if (c->o->changes && !r.changed)
		return;
	p->named = r.pellet = id;
	r.threat = threat;
	PB_REC_SET(r.why, why);
	if (id >= 0) {
		r.x = p->at[p->target].x;
		r.y = p->at[p->target].y;
		r.total = p->score[p->target].total;
	}
	pb_rec_put(&f->out, PB_REC_TARGET, pb_stamp_at(t, p->robot), &r);
}

/* The planner's turn at time t. Who asks gets an answer in any case. */
static void
decide(struct pb_filter *f, double t)
{
	struct chooser *c = f->user;
	struct pb_planner *p = &c->p;
	const char *why = "none";
	bool threat = false;
	bool can = (!p->off || c->o->always) && p->has_robot && p->has_pellets;

	if (!can && !c->o->asked)
		return;
	if (can)
		why = pb_planner_choose(p, &c->o->score, &threat);
	else
		p->target = -1;
	if (can && c->o->all)
		put_scored(f, t, threat);
	put_target(f, t, why, threat);
}

/*
 * With a period: decide at its last multiple that lies before time t, unless
 * that was done. So a decision knows all that is stamped up to its time, and
 * a gap is worth one. Stamps are rounded to 1e-6 s.
 */
static void
tick(struct pb_filter *f, double t)
{
	struct chooser *c = f->user;
	double p = c->o->period, k;

	if (p == 0 || !isfinite(t))
		return;
	if (!c->timed || t < c->last) {
		c->timed = true;
		c->ticks = floor((t + 1e-6) / p);
	}
	c->last = t;
	k = ceil((t - 1e-6) / p) - 1;
	if (k > c->ticks) {
		c->ticks = k;
		decide(f, k * p);
	}
}

/*
 * The controller speaks after the planner in the same instant: what it
 * commands at the end of a period holds from the next one on.
 */
static void
skip_tick(struct chooser *c, double t)
{
	if (c->o->period > 0 && isfinite(t))
		c->ticks = fmax(c->ticks, floor((t + 1e-6) / c->o->period));
}

/* A pose that is nobody's: remembered for who wonders that nothing happens. */
static void
see_other(struct chooser *c, const struct pb_rec *r)
{
	const char *id = r->stamp.id;

	if (strcmp(id, c->o->robot) == 0 && *r->pose.source != '\0')
		PB_REC_SET(c->source, r->pose.source);
	else if (strcmp(id, c->o->robot) != 0 &&
		 pb_planner_ghost(&c->o->ghosts, id) < 0)
		PB_REC_SET(c->other, id);
}

/* Why nothing could be scored. */
static void
tell_nothing(const struct chooser *c)
{
	const char *robot = c->o->robot;

	if (c->p.has_robot && c->p.has_pellets)
		return;
	if (c->p.has_robot)
		pb_msg_note("nothing scored: no pellets record came");
	else if (*c->source != '\0')
		pb_msg_note("nothing scored: all poses of %s have the source "
			    "\"%s\", see --source",
		    robot, c->source);
	else if (*c->other != '\0')
		pb_msg_note("nothing scored: no pose of \"%s\" came, but of "
			    "\"%s\", see --robot",
		    robot, c->other);
	else
		pb_msg_note("nothing scored: no pose of \"%s\" came", robot);
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct chooser *c = f->user;
	const char *cmd = r->type == PB_REC_CMD ? r->cmd.name : "";
	bool now = false;

	tick(f, r->stamp.t);
	switch (r->type) {
	case PB_REC_PELLETS:
		pb_planner_pellets(&c->p, &r->pellets);
		break;
	case PB_REC_CMD:
		if (!pb_planner_cmd(&c->p, &r->cmd, bad))
			return false;
		if (strcmp(cmd, "enable") == 0)
			skip_tick(c, r->stamp.t);
		now = c->o->asked && strcmp(cmd, "choose") == 0;
		break;
	case PB_REC_GOAL:
		pb_planner_goal(&c->p, r->stamp, &r->goal);
		break;
	case PB_REC_POSE:
		now = pb_planner_pose(&c->p, r->stamp, &r->pose) &&
		      c->o->period == 0 && !c->o->asked;
		if (!c->p.has_robot)
			see_other(c, r);
		break;
	default:
		break;
	}
	pb_filter_pass(f);
	if (now)
		decide(f, r->stamp.t);
	return true;
}

/* What is stamped exactly at the end of a period was known by then. */
static void
end(struct pb_filter *f, bool whole)
{
	struct chooser *c = f->user;

	if (whole && c->timed)
		tick(f, c->last + 2e-6);
	if (whole)
		tell_nothing(c);
}

static void
run(const struct opts *o, char **files, int n)
{
	struct chooser c = {.o = o,
	    .p = {.robot = o->robot,
		.ghosts = &o->ghosts,
		.other = o->source == ESTIMATE ? "truth"
	                 : o->source == TRUTH  ? "estimate"
	                                       : "",
		.target = -1,
		.named = -1}};
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_PELLETS) | PB_REC_BIT(PB_REC_POSE) |
	            PB_REC_BIT(PB_REC_CMD) | PB_REC_BIT(PB_REC_GOAL),
	    .passes = true,
	    .common = &o->common,
	    .take = take,
	    .end = end,
	    .user = &c};

	pb_filter_run(&f, files, n);
	pb_planner_clear(&c.p);
}

int
main(int argc, char **argv)
{
	struct opts o = {
	    .score = pb_score_defaults(), .robot = "robot", .ghost = "clyde"};
	int first;

	pb_msg_start(argv[0]);
	first = parse_args(&o, argc, argv);
	if (first >= 0)
		run(&o, argv + first, argc - first);
	return pb_msg_finish();
}
