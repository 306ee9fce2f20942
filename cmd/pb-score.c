/*
 * pb-score - scores every pellet for the robot and the ghost on the stream and
 * names the target. Reads pellets, pose, cmd; writes target, scored.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/score.h"
#include "io/filter.h"
#include "io/msg.h"
#include "io/opt.h"
#include "io/rec.h"

struct opts {
	struct pb_score_opts score;
	const char *robot; /* id of its poses */
	const char *ghost;
	int source;    /* place in SOURCES */
	double period; /* between decisions, 0: every robot pose (s) */
	bool all;      /* scored records too */
	bool changes;  /* targets only when they change */
	bool always;   /* whatever cmd says */
	struct pb_opt_common common;
};

#define SOURCES "estimate|truth|any"
enum { ESTIMATE, TRUTH };

/* What is known of the game. */
struct chooser {
	const struct opts *o;
	size_t n; /* pellets of the last record */
	bool has_pellets;
	long *id;
	struct pb_vec *at;
	unsigned char *left;
	struct pb_score *score;
	struct pb_rec_score *row; /* room for a scored record */
	bool has_robot;
	struct pb_scene scene;
	struct pb_closing closing;
	long target;  /* place in id[], -1: none */
	long named;   /* id of the last target written, -1: none */
	bool off;     /* a cmd said so */
	bool timed;   /* last and ticks are set */
	double last;  /* the stamp before (s) */
	double ticks; /* periods that were decided for, since time 0 */
};

static bool
parse_compat(void *to, const char *arg, struct pb_bad *bad)
{
	struct pb_score_opts *o = to;

	if (strcmp(arg, "code") == 0)
		*o = pb_score_defaults();
	else if (strcmp(arg, "report") == 0)
		*o = pb_score_report();
	else
		return pb_bad_set(
		    bad, "expected code or report, got \"%.80s\"", arg);
	return true;
}

static int
parse_args(struct opts *o, int argc, char **argv)
{
	const struct pb_opt opt[] = {
	    {"all", 'a', PB_OPT_FLAG, NULL,
		"write every pellet's terms too (scored)", &o->all},
	    {"changes", 0, PB_OPT_FLAG, NULL,
		"write the target only when it changes", &o->changes},
	    {"period", 0, PB_OPT_NUM, "s",
		"decide once in so much stream time; 0: at every robot pose",
		&o->period, .min = 0, .max = INFINITY},
	    {"robot", 0, PB_OPT_ID, "id", "the robot's id", &o->robot},
	    {"ghost", 'g', PB_OPT_ID, "id", "the ghost's id", &o->ghost},
	    {"source", 0, PB_OPT_NAME, SOURCES,
		"which robot poses count, of those that say what they are",
		&o->source, .words = SOURCES},
	    {"always", 0, PB_OPT_FLAG, NULL,
		"score also while a cmd has disabled the planner", &o->always},
	    {"compat", 0, PB_OPT_CALL, "code|report",
		"the published code's rules, or its report's", &o->score,
		.call = parse_compat, .early = true},
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	struct pb_opt_group group = {"The choice", .base = &o->score};
	const struct pb_tool tool = {
	    "score pellets by distance and ghost, and name the target",
	    "[file ...]", opt, sizeof opt / sizeof opt[0], &group, 1, -1};

	group.param = pb_score_params(&group.n);
	return pb_opt_parse(&tool, argc, argv);
}

static const char *
why_name(enum pb_why why)
{
	static const char *const name[] = {[PB_WHY_NONE] = "none",
	    [PB_WHY_SAFE] = "safe",
	    [PB_WHY_BEST] = "best",
	    [PB_WHY_FALLBACK] = "fallback"};

	return name[why];
}

/* Every pellet's terms, as they are in c->score. */
static void
put_scored(struct pb_filter *f, double t, bool threat)
{
	struct chooser *c = f->user;
	struct pb_rec_scored r = {.threat = threat, .pellet = c->row};

	for (size_t i = 0; i < c->n; i++) {
		const struct pb_score *s = &c->score[i];

		if (!c->left[i])
			continue;
		c->row[r.n++] = (struct pb_rec_score){.id = c->id[i],
		    .x = c->at[i].x,
		    .y = c->at[i].y,
		    .distance = s->distance,
		    .risk = s->risk,
		    .direction = s->direction,
		    .total = s->total,
		    .safe = s->safe,
		    .excluded = s->excluded};
	}
	pb_put_scored(&f->out, pb_stamp_at(t, c->o->robot), &r);
}

static void
put_target(struct pb_filter *f, double t, const char *why, bool threat)
{
	struct chooser *c = f->user;
	struct pb_rec_target r = pb_rec_target_none();
	long id = c->target < 0 ? -1 : c->id[c->target];

	r.changed = id != c->named;
	if (c->o->changes && !r.changed)
		return;
	c->named = r.pellet = id;
	r.threat = threat;
	PB_REC_SET(r.why, why);
	if (id >= 0) {
		r.x = c->at[c->target].x;
		r.y = c->at[c->target].y;
		r.total = c->score[c->target].total;
	}
	pb_put_target(&f->out, pb_stamp_at(t, c->o->robot), &r);
}

/* The planner's turn at time t: a first target, another, or the same. */
static void
decide(struct pb_filter *f, double t)
{
	struct chooser *c = f->user;
	struct pb_choice best;
	const char *why;

	if ((c->off && !c->o->always) || !c->has_robot || !c->has_pellets)
		return;
	c->scene.closing = c->closing.speed;
	best = pb_score_choose(
	    &c->o->score, &c->scene, c->at, c->left, c->n, c->score);
	why = why_name(best.why);
	if (c->target < 0 || !c->left[c->target] || best.index < 0 ||
	    pb_score_replan(
		&c->o->score, &c->scene, c->at[c->target], c->at[best.index]))
		c->target = best.index;
	else if (c->target != best.index)
		why = "kept";
	if (c->o->all)
		put_scored(f, t, best.threat);
	put_target(f, t, why, best.threat);
}

static void
free_room(struct chooser *c)
{
	free(c->id);
	free(c->at);
	free(c->left);
	free(c->score);
	free(c->row);
}

static bool
make_room(struct chooser *c, size_t n)
{
	free_room(c);
	c->n = 0;
	c->id = calloc(n + 1, sizeof c->id[0]);
	c->at = calloc(n + 1, sizeof c->at[0]);
	c->left = calloc(n + 1, sizeof c->left[0]);
	c->score = calloc(n + 1, sizeof c->score[0]);
	c->row = calloc(n + 1, sizeof c->row[0]);
	return c->id != NULL && c->at != NULL && c->left != NULL &&
	       c->score != NULL && c->row != NULL;
}

/* A new set of pellets; a target that is still there stays. */
static bool
take_pellets(struct chooser *c, const struct pb_rec_pellets *p)
{
	long target = c->target < 0 ? -1 : c->id[c->target];

	c->target = -1;
	if (!make_room(c, p->n)) {
		pb_msg_system("no room for %zu pellets", p->n);
		return false;
	}
	for (size_t i = 0; i < p->n; i++) {
		c->id[i] = p->pellet[i].id;
		c->at[i] = (struct pb_vec){p->pellet[i].x, p->pellet[i].y};
		c->left[i] = 1;
		if (c->id[i] == target)
			c->target = (long)i;
	}
	c->n = p->n;
	c->has_pellets = true;
	return true;
}

static bool
remove_pellet(
    struct chooser *c, const struct pb_rec_cmd *cmd, struct pb_bad *bad)
{
	if (cmd->kind != PB_VALUE_NUM || cmd->num != floor(cmd->num))
		return pb_bad_set(
		    bad, "cmd.value: expected the number of a pellet");
	for (size_t i = 0; i < c->n; i++)
		if ((double)c->id[i] == cmd->num)
			c->left[i] = 0;
	return true;
}

/* The commands that the published planner obeys. */
static bool
take_cmd(struct chooser *c, const struct pb_rec_cmd *cmd, struct pb_bad *bad)
{
	const char *name = cmd->name;
	bool reset = strcmp(name, "reset_round") == 0;

	if (strcmp(name, "remove_pellet") == 0 ||
	    (strcmp(name, "pellet_collected") == 0 &&
		cmd->kind != PB_VALUE_NONE))
		return remove_pellet(c, cmd, bad);
	if (strcmp(name, "enable") == 0)
		c->off = false;
	if (reset || strcmp(name, "disable") == 0 ||
	    strcmp(name, "return_home") == 0) {
		c->off = true;
		c->target = c->named = -1;
	}
	if (reset)
		c->closing = (struct pb_closing){0};
	return true;
}

/* A pose of the ghost or the robot; returns whether it is time to decide. */
static bool
take_pose(struct chooser *c, struct pb_stamp s, const struct pb_rec_pose *p)
{
	struct pb_vec at = {p->x, p->y};
	const char *other = c->o->source == ESTIMATE ? "truth"
	                    : c->o->source == TRUTH  ? "estimate"
	                                             : "";

	if (strcmp(s.id, c->o->ghost) == 0) {
		c->scene.has_ghost = true;
		c->scene.ghost = at;
		if (c->has_robot)
			pb_closing_see(&c->closing, c->scene.robot, at, s.t);
		return false;
	}
	if (strcmp(s.id, c->o->robot) != 0 ||
	    (*p->source != '\0' && strcmp(p->source, other) == 0))
		return false;
	c->has_robot = true;
	c->scene.robot = at;
	return c->o->period == 0;
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

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_bad *bad)
{
	struct chooser *c = f->user;
	bool now = false;

	tick(f, r->stamp.t);
	switch (r->type) {
	case PB_REC_PELLETS:
		if (!take_pellets(c, &r->pellets))
			return false;
		break;
	case PB_REC_CMD:
		if (!take_cmd(c, &r->cmd, bad))
			return false;
		if (strcmp(r->cmd.name, "enable") == 0)
			skip_tick(c, r->stamp.t);
		break;
	case PB_REC_POSE:
		now = take_pose(c, r->stamp, &r->pose);
		break;
	default:
		break;
	}
	pb_filter_pass(f);
	if (now)
		decide(f, r->stamp.t);
	return true;
}

static void
run(const struct opts *o, char **files, int n)
{
	struct chooser c = {.o = o, .target = -1, .named = -1};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_PELLETS) |
	                              PB_REC_BIT(PB_REC_POSE) |
	                              PB_REC_BIT(PB_REC_CMD),
	    .passes = true,
	    .common = &o->common,
	    .take = take,
	    .user = &c};

	/* What is stamped exactly at the end of a period was known by then. */
	if (pb_filter_run(&f, files, n) && c.timed)
		tick(&f, c.last + 2e-6);
	pb_filter_clear(&f);
	free_room(&c);
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
