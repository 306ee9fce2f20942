/* pb-score - scores every pellet for the robot and the ghost on the stream and
 * chooses the target. Reads pellets, pose, cmd, goal; writes target, scored. */
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "game/score.h"
#include "io/file/filter.h"
#include "io/opt/opt.h"

/* Most ghosts; the nearest counts, of equally near ones the first. */
#define GHOSTS 8
struct ghosts {
	char id[GHOSTS][PB_OPT_ID_MAX + 1];
	int n;
};

struct opts {
	struct pb_score_opts score;
	const char *robot; /* id of its poses */
	const char *ghost; /* ids of their poses */
	struct ghosts ghosts;
	int source;    /* index in SOURCES */
	double period; /* between decisions, 0: every robot pose (s) */
	bool all;      /* write scored records, too */
	bool changes;  /* write targets only if they change */
	bool always;   /* ignore enable and disable */
	bool asked;    /* decide only at each cmd "choose" */
	struct pb_opt_common common;
};

#define SOURCES "estimate|truth|any"
enum { ESTIMATE, TRUTH };

/* The state of the game, in the map frame. Set o, other, target and named; the
 * rest zero. */
struct planner {
	const struct opts *o;
	const char *other; /* ignored source of robot poses */
	struct pb_vec ghost[GHOSTS];
	unsigned known;  /* bit i: ghost i had a pose ... */
	unsigned fresh;  /* ... and one since the last decision, ... */
	double ghosts_t; /* ... all with this stamp (s) */
	size_t n;        /* pellets of the last record */
	bool has_pellets;
	struct pb_pool room; /* memory of all arrays */
	long *id;
	struct pb_vec *at;
	unsigned char *left;
	struct pb_score *score;
	struct pb_rec_score *row; /* for a scored record */
	bool has_robot;
	struct pb_scene scene;
	struct pb_closing closing;
	long target;  /* index in id[], -1: none */
	long named;   /* id of the last target written, -1: none */
	bool off;     /* a cmd record disabled it */
	bool timed;   /* last and ticks are set */
	double last;  /* previous stamp (s) */
	double ticks; /* periods decided, since time 0 */
	char foreign[PB_OPT_ID_MAX + 1]; /* id of another pose, or "" */
	char source[PB_OPT_ID_MAX +
		    1]; /* ignored source of robot poses, or "" */
};

static void
make_room(struct planner *p, size_t n)
{
	struct pb_pool *r = &p->room;

	pb_pool_clear(r);
	p->n = n;
	p->id = pb_pool_get(r, n, sizeof(p->id[0]));
	p->at = pb_pool_get(r, n, sizeof(p->at[0]));
	p->left = pb_pool_get(r, n, sizeof(p->left[0]));
	p->score = pb_pool_get(r, n, sizeof(p->score[0]));
	p->row = pb_pool_get(r, n, sizeof(p->row[0]));
	if (r->failed)
		pb_msg_end_memory();
}

/* Index of a ghost, -1: unknown id. */
static int
find_ghost(const struct ghosts *g, const char *id)
{
	for (int i = 0; i < g->n; i++)
		if (strcmp(g->id[i], id) == 0)
			return i;
	return -1;
}

/* Read ids separated by commas; false with bad filled in. */
static bool
read_ids(struct ghosts *g, const char *ids, struct pb_error *bad)
{
	char id[PB_OPT_ID_MAX + 1];
	int got;

	g->n = 0;
	while ((got = pb_opt_word(&ids, id, sizeof(id))) > 0) {
		if (find_ghost(g, id) >= 0)
			return pb_error_set(bad, "%s is given twice", id);
		if (g->n == GHOSTS)
			return pb_error_set(bad, "more than %d ids", GHOSTS);
		memcpy(g->id[g->n++], id, sizeof(id));
	}
	return (got == 0 && g->n > 0) ||
	       pb_error_set(bad,
		   "expected ids of 1 to %d bytes, separated by commas",
		   PB_OPT_ID_MAX);
}

static void
find_nearest(struct planner *p)
{
	double least = INFINITY;

	for (int i = 0; i < p->o->ghosts.n; i++) {
		double d = pb_dist(p->scene.robot, p->ghost[i]);

		if (!(p->known >> i & 1) || d >= least)
			continue;
		least = d;
		p->scene.has_ghost = true;
		p->scene.ghost = p->ghost[i];
	}
}

/* Find the nearest ghost once all have a pose of one time. */
static void
update_nearest(struct planner *p)
{
	if (p->fresh != 0 && p->has_robot) {
		find_nearest(p);
		pb_closing_see(
		    &p->closing, p->scene.robot, p->scene.ghost, p->ghosts_t);
	}
	p->fresh = 0;
}

/* Use a new set of pellets; the target stays if it is in it. */
static void
use_pellets(struct planner *p, const struct pb_rec_pellets *r)
{
	/* The order of pellets may change, their ids stay. */
	long target = p->target < 0 ? -1 : p->id[p->target];

	p->target = -1;
	make_room(p, r->n);
	for (size_t i = 0; i < r->n; i++) {
		p->id[i] = r->pellet[i].id;
		p->at[i] = (struct pb_vec){r->pellet[i].x, r->pellet[i].y};
		p->left[i] = 1;
		if (p->id[i] == target)
			p->target = (long)i;
	}
	p->has_pellets = true;
}

static bool
remove_pellet(
    struct planner *p, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	if (c->kind != PB_VALUE_NUM || c->num != floor(c->num))
		return pb_error_set(
		    bad, "cmd.value: expected the number of a pellet");
	/* A missing pellet was removed before: no error. */
	for (size_t i = 0; i < p->n; i++)
		if ((double)p->id[i] == c->num)
			p->left[i] = 0;
	return true;
}

/* Handle the commands of the published planner. False with bad filled in. */
static bool
handle_cmd(struct planner *p, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	const char *name = c->name;
	bool reset = strcmp(name, "reset_round") == 0;

	if (strcmp(name, "remove_pellet") == 0 ||
	    (strcmp(name, "pellet_collected") == 0 && c->kind != PB_VALUE_NONE))
		return remove_pellet(p, c, bad);
	if (strcmp(name, "enable") == 0)
		p->off = false;
	if (reset || strcmp(name, "disable") == 0 ||
	    strcmp(name, "return_home") == 0) {
		p->off = true;
		p->target = p->named = -1;
	}
	update_nearest(p);
	if (reset)
		p->closing = (struct pb_closing){0};
	return true;
}

/* Set or clear the target by a goal record of navigation. */
static void
use_goal(struct planner *p, struct pb_stamp s, const struct pb_rec_goal *g)
{
	if (g->pellet < 0 || (*s.id && strcmp(s.id, p->o->robot) != 0))
		return;
	if (strcmp(g->status, "sent") != 0) {
		if (p->target >= 0 && p->id[p->target] == g->pellet)
			p->target = -1;
		return;
	}
	for (size_t i = 0; i < p->n; i++)
		if (p->id[i] == g->pellet && p->left[i])
			p->target = (long)i;
}

/* Use a pose of a ghost or the robot; returns whether it was the robot's. */
static bool
use_pose(struct planner *p, struct pb_stamp s, const struct pb_rec_pose *r)
{
	struct pb_vec at = {r->x, r->y};
	int i = find_ghost(&p->o->ghosts, s.id);

	if (i < 0 || (p->fresh >> i & 1) || s.t != p->ghosts_t)
		update_nearest(p);
	if (i >= 0) {
		p->ghost[i] = at;
		p->ghosts_t = s.t;
		p->known |= 1u << i;
		p->fresh |= 1u << i;
		return false;
	}
	if (strcmp(s.id, p->o->robot) != 0 ||
	    (*r->source != '\0' && strcmp(r->source, p->other) == 0))
		return false;
	p->has_robot = true;
	p->scene.robot = at;
	return true;
}

/*
 * Choose the target.
 *
 * Returns  why, one static word; *threat: whether the ghost threatens
 */
static const char *
choose_target(struct planner *p, bool *threat)
{
	const struct pb_score_opts *o = &p->o->score;
	struct pb_choice best;

	update_nearest(p);
	find_nearest(p);
	p->scene.closing = p->closing.speed;
	best = pb_score_choose(o, &p->scene, p->at, p->left, p->n, p->score);
	*threat = best.threat;
	if (p->target < 0 || !p->left[p->target] || best.index < 0 ||
	    pb_score_replan(o, &p->scene, p->at[p->target], p->at[best.index]))
		p->target = best.index;
	else if (p->target != best.index)
		return "kept";
	return pb_why_name(best.why);
}

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
		"write the score of every pellet, too", &o->all},
	    {"changes", 0, PB_OPT_FLAG, NULL,
		"write the target only when it changes", &o->changes},
	    {"period", 0, PB_OPT_NUM, "s",
		"time between decisions, 0: at every robot pose", &o->period,
		.min = 0, .max = INFINITY},
	    {"robot", 0, PB_OPT_ID, "id", "the robot's id", &o->robot},
	    {"ghost", 'g', PB_OPT_TEXT, "ids",
		"ids of the ghosts: the nearest counts", &o->ghost},
	    {"source", 0, PB_OPT_NAME, SOURCES,
		"source of the robot poses that count", &o->source,
		.words = SOURCES},
	    {"asked", 0, PB_OPT_FLAG, NULL,
		"decide whenever a cmd record \"choose\" asks, only then",
		&o->asked},
	    {"always", 0, PB_OPT_FLAG, NULL,
		"score also while a cmd has disabled the planner", &o->always},
	    {"compat", 0, PB_OPT_CALL, "code|report",
		"the published code's rules, or its report's", &o->score,
		.call = parse_compat, .early = true},
	    PB_OPT_LISTS,
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	struct pb_tool tool = {
	    .purpose = "score pellets by distance and ghost, choose the target",
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
	if (!read_ids(&o->ghosts, o->ghost, &bad)) {
		pb_msg_usage("--ghost: %s", bad.text);
		return -1;
	}
	if (!o->asked || (o->period == 0 && !o->changes))
		return first;
	pb_msg_usage(
	    "--asked: not with --%s", o->changes ? "changes" : "period");
	return -1;
}

/* Write the score of each pellet, with its terms. */
static void
write_scored(struct pb_filter *f, double t, bool threat)
{
	struct planner *p = f->user;
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
	pb_rec_put(&f->out, PB_REC_SCORED, pb_stamp_at(t, p->o->robot), &r);
}

static void
write_target(struct pb_filter *f, double t, const char *why, bool threat)
{
	struct planner *p = f->user;
	struct pb_rec_target r;
	long id = p->target < 0 ? -1 : p->id[p->target];

	pb_rec_none(PB_REC_TARGET, &r);
	r.changed = id != p->named;
	if (p->o->changes && !r.changed)
		return;
	p->named = r.pellet = id;
	r.threat = threat;
	PB_REC_SET(r.why, why);
	if (id >= 0) {
		r.x = p->at[p->target].x;
		r.y = p->at[p->target].y;
		r.total = p->score[p->target].total;
	}
	pb_rec_put(&f->out, PB_REC_TARGET, pb_stamp_at(t, p->o->robot), &r);
}

/* Decide at time t. A cmd "choose" always gets an answer. */
static void
decide_target(struct pb_filter *f, double t)
{
	struct planner *p = f->user;
	const char *why = "none";
	bool threat = false;
	bool can = (!p->off || p->o->always) && p->has_robot && p->has_pellets;

	if (!can && !p->o->asked)
		return;
	if (can)
		why = choose_target(p, &threat);
	else
		p->target = -1;
	if (can && p->o->all)
		write_scored(f, t, threat);
	write_target(f, t, why, threat);
}

/*
 * With a period: decide at its last multiple before time t, unless done. So a
 * decision uses all records stamped up to its time, and a gap in time gets one
 * decision. Stamps are rounded to 1e-6 s.
 */
static void
decide_until(struct pb_filter *f, double t)
{
	struct planner *p = f->user;
	double period = p->o->period, k;

	if (period == 0 || !isfinite(t))
		return;
	if (!p->timed || t < p->last) {
		p->timed = true;
		p->ticks = floor((t + 1e-6) / period);
	}
	p->last = t;
	k = ceil((t - 1e-6) / period) - 1;
	if (k > p->ticks) {
		p->ticks = k;
		decide_target(f, k * period);
	}
}

/* Note a pose with another id, for a message if no pose has ours. */
static void
note_other(struct planner *p, const struct pb_rec *r)
{
	const char *id = r->stamp.id;

	if (strcmp(id, p->o->robot) == 0 && *r->pose.source != '\0')
		PB_REC_SET(p->source, r->pose.source);
	else if (strcmp(id, p->o->robot) != 0 &&
		 find_ghost(&p->o->ghosts, id) < 0)
		PB_REC_SET(p->foreign, id);
}

/* Warn that nothing could be scored, and why. */
static void
warn_of_nothing(const struct planner *p)
{
	const char *robot = p->o->robot;

	if (p->has_robot && p->has_pellets)
		return;
	if (p->has_robot)
		pb_msg_note("nothing scored: no pellets record came");
	else if (*p->source != '\0')
		pb_msg_note("nothing scored: all poses of %s have the source "
			    "\"%s\", see --source",
		    robot, p->source);
	else if (*p->foreign != '\0')
		pb_msg_note("nothing scored: no pose of \"%s\" came, but of "
			    "\"%s\", see --robot",
		    robot, p->foreign);
	else
		pb_msg_note("nothing scored: no pose of \"%s\" came", robot);
}

static bool
handle_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct planner *p = f->user;
	const char *cmd = r->type == PB_REC_CMD ? r->cmd.name : "";
	double period = p->o->period, t = r->stamp.t;
	bool now = false;

	decide_until(f, t);
	switch (r->type) {
	case PB_REC_PELLETS:
		use_pellets(p, &r->pellets);
		break;
	case PB_REC_CMD:
		if (!handle_cmd(p, &r->cmd, bad))
			return false;
		/* The published controller runs after the planner: its command
		 * at the end of a period takes effect in the next one. */
		if (strcmp(cmd, "enable") == 0 && period > 0 && isfinite(t))
			p->ticks = fmax(p->ticks, floor((t + 1e-6) / period));
		now = p->o->asked && strcmp(cmd, "choose") == 0;
		break;
	case PB_REC_GOAL:
		use_goal(p, r->stamp, &r->goal);
		break;
	case PB_REC_POSE:
		now = use_pose(p, r->stamp, &r->pose) && period == 0 &&
		      !p->o->asked;
		if (!p->has_robot)
			note_other(p, r);
		break;
	default:
		break;
	}
	pb_filter_pass(f);
	if (now)
		decide_target(f, t);
	return true;
}

/* A record stamped exactly at the end of a period belongs to it. */
static void
end_stream(struct pb_filter *f, bool whole)
{
	struct planner *p = f->user;

	if (whole && p->timed)
		decide_until(f, p->last + 2e-6);
	if (whole)
		warn_of_nothing(p);
}

static void
run_stream(const struct opts *o, char **files, int n)
{
	struct planner p = {.o = o,
	    .other = o->source == ESTIMATE ? "truth"
	             : o->source == TRUTH  ? "estimate"
	                                   : "",
	    .target = -1,
	    .named = -1};
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_PELLETS) | PB_REC_BIT(PB_REC_POSE) |
	            PB_REC_BIT(PB_REC_CMD) | PB_REC_BIT(PB_REC_GOAL),
	    .passes = true,
	    .common = &o->common,
	    .take = handle_record,
	    .end = end_stream,
	    .user = &p};

	pb_filter_run(&f, files, n);
	pb_pool_clear(&p.room);
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
		run_stream(&o, argv + first, argc - first);
	return pb_msg_finish();
}
