/* pacmanbot_trace.c - what happens in a pacmanbot game, as records. */
#include "io/play/pacmanbot_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/opt/opt.h"
#include "io/rec/rec.h"

/* In the order of enum pb_trace_kind. */
static const char *const name[] = {"state", "event", "cmd", "pellets", "goal",
    "path", "pose", "truth", "clyde", "odom", "twist", "obstacle"};
enum { KINDS = sizeof(name) / sizeof(*name) };

const char *
pb_trace_names(void)
{
	return "state, event, cmd, pellets, goal, path, pose, truth, clyde, "
	       "odom, twist, obstacle";
}

static uint32_t
kind_of(const char *word)
{
	for (int i = 0; i < KINDS; i++)
		if (strcmp(word, name[i]) == 0)
			return UINT32_C(1) << i;
	if (strcmp(word, "all") == 0)
		return (UINT32_C(1) << KINDS) - 1;
	return 0;
}

bool
pb_opt_trace(void *to, const char *arg, struct pb_error *bad)
{
	const char *at = arg;
	char word[32];
	uint32_t set = 0;
	int got;

	while ((got = pb_opt_word(&at, word, sizeof(word))) > 0) {
		uint32_t one = kind_of(word);

		if (one == 0 && strcmp(word, "none") != 0)
			return pb_error_set(bad,
			    "expected some of %s, all or none, got \"%.80s\"",
			    pb_trace_names(), word);
		set |= one;
	}
	if (got < 0)
		return pb_error_set(bad,
		    "expected names separated by commas, got \"%.80s\"", arg);
	*(uint32_t *)to = set;
	return true;
}

long
pb_trace_id(const struct pb_trace *t, int i)
{
	return i >= 0 && t->id != NULL ? t->id[i] : i;
}

void
pb_trace_pellets(struct pb_trace *t, double now)
{
	const unsigned char *left = pb_round_left(t->round);
	struct pb_rec_pellets p = {.pellet = t->pellet};

	for (int i = 0; i < t->arena->n; i++)
		if (left[i])
			p.pellet[p.n++] =
			    (struct pb_rec_pellet){.id = pb_trace_id(t, i),
				.x = t->arena->at[i].x,
				.y = t->arena->at[i].y,
				.power = t->arena->pellet[i].kind ==
			                 PB_PELLET_POWER};
	pb_rec_put(t->out, PB_REC_PELLETS, pb_stamp_at(now, NULL), &p);
}

static bool
same_state(const struct pb_rec_state *a, const struct pb_rec_state *b)
{
	return strcmp(a->state, b->state) == 0 && a->round == b->round &&
	       a->spawned == b->spawned && a->collected == b->collected &&
	       a->score == b->score && strcmp(a->result, b->result) == 0;
}

static struct pb_rec_state
state_of(const struct pb_trace *t)
{
	const struct pb_controller *c = pb_round_controller(t->round);
	struct pb_rec_state s;

	pb_rec_none(PB_REC_STATE, &s);
	PB_REC_SET(s.state, pb_state_name(c->state));
	s.round = c->round;
	s.spawned = c->spawned;
	s.collected = c->collected;
	s.score = c->score;
	PB_REC_SET(s.result, c->result);
	return s;
}

void
pb_trace_state(struct pb_trace *t, double now)
{
	struct pb_rec_state s = state_of(t);

	t->last = s;
	pb_rec_put(t->out, PB_REC_STATE, pb_stamp_at(now, NULL), &s);
}

static void
put_state(struct pb_trace *t, double now)
{
	struct pb_rec_state s = state_of(t);

	/* The node publishes everything again and again; once is enough. */
	if (!same_state(&s, &t->last))
		pb_trace_state(t, now);
}

static void
put_cmd(struct pb_trace *t, const struct pb_event *e, const char *to,
    const char *what, bool has_value, double value)
{
	struct pb_rec_cmd c = {
	    .kind = has_value ? PB_VALUE_NUM : PB_VALUE_NONE, .num = value};

	PB_REC_SET(c.name, what);
	pb_rec_put(t->out, PB_REC_CMD, pb_stamp_at(e->t, to), &c);
}

/* Who carries out what the controller wants done. */
static const char *
node_of(const char *what)
{
	if (strcmp(what, "reset_pellets") == 0)
		return "pellets";
	return strcmp(what, "reset_ghosts") == 0 ? "clyde" : "planner";
}

static void
put_event(struct pb_trace *t, const struct pb_event *e)
{
	struct pb_rec_event v;

	pb_rec_none(PB_REC_EVENT, &v);
	PB_REC_SET(v.name, e->text);
	pb_rec_put(t->out, PB_REC_EVENT, pb_stamp_at(e->t, NULL), &v);
}

static void
put_goal(struct pb_trace *t, const struct pb_event *e)
{
	struct pb_rec_goal g;
	bool sent = e->kind == PB_EV_GOAL;

	pb_rec_none(PB_REC_GOAL, &g);
	PB_REC_SET(g.status, sent ? "sent" : e->text);
	if (sent) {
		PB_REC_SET(g.kind, e->text);
		g.x = e->at.x;
		g.y = e->at.y;
	}
	g.pellet = pb_trace_id(t, e->id);
	pb_rec_put(t->out, PB_REC_GOAL, pb_stamp_at(e->t, "robot"), &g);
}

static void
put_path(struct pb_trace *t, const struct pb_event *e)
{
	/* Only read: the record's pointer serves its readers too. */
	struct pb_rec_points p = {(struct pb_vec *)e->path, (size_t)e->n};

	pb_rec_put(t->out, PB_REC_PATH, pb_stamp_at(e->t, "robot"), &p);
}

static void
put_pose(struct pb_trace *t, const struct pb_event *e, const char *id,
    const char *source)
{
	struct pb_rec_pose p = {
	    .x = e->pose.x, .y = e->pose.y, .theta = e->pose.th};

	PB_REC_SET(p.source, source);
	pb_rec_put(t->out, PB_REC_POSE, pb_stamp_at(e->t, id), &p);
}

/* How the robot's costmaps see him. */
static void
put_obstacle(struct pb_trace *t, const struct pb_event *e)
{
	struct pb_clyde c = {
	    .at = pb_pose_vec(e->pose), .opts = {.radius = t->radius}};
	struct pb_vec point[PB_CLYDE_POINTS];
	struct pb_rec_obstacle b = {.point = point,
	    .n = PB_CLYDE_POINTS,
	    .x = NAN,
	    .y = NAN,
	    .radius = NAN};

	pb_clyde_cloud(&c, point);
	pb_rec_put(t->out, PB_REC_OBSTACLE, pb_stamp_at(e->t, "clyde"), &b);
}

/* Where he is, and what he is to the robot. */
static void
put_clyde(struct pb_trace *t, const struct pb_event *e)
{
	if (t->kinds & PB_TRACE_CLYDE)
		put_pose(t, e, "clyde", "truth");
	if (t->kinds & PB_TRACE_OBSTACLE)
		put_obstacle(t, e);
}

static void
put_odom(struct pb_trace *t, const struct pb_event *e)
{
	struct pb_rec_odom o = {
	    e->pose.x, e->pose.y, e->pose.th, e->value, e->value2};

	pb_rec_put(t->out, PB_REC_ODOM, pb_stamp_at(e->t, "robot"), &o);
}

static void
put_twist(struct pb_trace *t, const struct pb_event *e)
{
	struct pb_rec_twist w = {e->value, e->value2};

	pb_rec_put(t->out, PB_REC_TWIST, pb_stamp_at(e->t, "robot"), &w);
}

/* Which records an event belongs to. */
static uint32_t
kind_of_event(enum pb_event_kind k)
{
	switch (k) {
	case PB_EV_STATE:
	case PB_EV_COUNTS:
	case PB_EV_RESULT:
		return PB_TRACE_STATE;
	case PB_EV_EVENT:
		return PB_TRACE_EVENT;
	case PB_EV_COMMAND:
	case PB_EV_STATUS:
	case PB_EV_SPEED:
	case PB_EV_CLEAR:
		return PB_TRACE_CMD;
	case PB_EV_PELLETS:
		return PB_TRACE_PELLETS;
	case PB_EV_GOAL:
	case PB_EV_GOAL_END:
		return PB_TRACE_GOAL;
	case PB_EV_PATH:
		return PB_TRACE_PATH;
	case PB_EV_ESTIMATE:
		return PB_TRACE_ESTIMATE;
	case PB_EV_POSE:
		return PB_TRACE_TRUTH;
	case PB_EV_CLYDE:
		return PB_TRACE_CLYDE | PB_TRACE_OBSTACLE;
	case PB_EV_ODOM:
		return PB_TRACE_ODOM;
	case PB_EV_TWIST:
		return PB_TRACE_TWIST;
	}
	return 0;
}

/* Whether a record that comes at every step is due. */
static bool
due(struct pb_trace *t, const struct pb_event *e)
{
	if (e->kind != PB_EV_POSE && e->kind != PB_EV_ODOM &&
	    e->kind != PB_EV_TWIST)
		return true;
	/* Times are sums of steps: a hair early is in time. */
	if (e->t < t->due[e->kind] - 1e-6)
		return false;
	t->due[e->kind] = e->t + t->period;
	return true;
}

static void
write_event(struct pb_trace *t, const struct pb_event *e)
{
	switch (e->kind) {
	case PB_EV_STATE:
	case PB_EV_COUNTS:
	case PB_EV_RESULT:
		put_state(t, e->t);
		break;
	case PB_EV_EVENT:
		put_event(t, e);
		break;
	case PB_EV_COMMAND:
		put_cmd(t, e, node_of(e->text), e->text, false, 0);
		break;
	case PB_EV_STATUS:
		put_cmd(t, e, "controller", e->text, e->id >= 0,
		    (double)pb_trace_id(t, e->id));
		break;
	case PB_EV_SPEED:
		put_cmd(t, e, "clyde", "speed", true, e->value);
		break;
	case PB_EV_CLEAR:
		put_cmd(t, e, "global_costmap", "clear", false, 0);
		break;
	case PB_EV_PELLETS:
		pb_trace_pellets(t, e->t);
		break;
	case PB_EV_GOAL:
	case PB_EV_GOAL_END:
		put_goal(t, e);
		break;
	case PB_EV_PATH:
		put_path(t, e);
		break;
	case PB_EV_ESTIMATE:
		put_pose(t, e, "robot", "estimate");
		break;
	case PB_EV_POSE:
		put_pose(t, e, "truth", "truth");
		break;
	case PB_EV_CLYDE:
		put_clyde(t, e);
		break;
	case PB_EV_ODOM:
		put_odom(t, e);
		break;
	case PB_EV_TWIST:
		put_twist(t, e);
		break;
	}
}

void
pb_trace_event(struct pb_trace *t, const struct pb_event *e)
{
	if (t->kinds & kind_of_event(e->kind) && due(t, e))
		write_event(t, e);
}

static void
watch(void *ctx, const struct pb_event *e)
{
	struct pb_trace *t = ctx;

	pb_cues_until(t->cues, e->t);
	pb_trace_event(t, e);
	if (e->kind == PB_EV_EVENT)
		pb_cues_play(t->cues, PB_REC_EVENT, e->text);
}

bool
pb_trace_begin(struct pb_trace *t)
{
	t->pellet = calloc((size_t)t->arena->n, sizeof(*t->pellet));
	if (t->pellet == NULL)
		return false;
	pb_round_watch(t->round, watch, t);
	return true;
}

void
pb_trace_end(struct pb_trace *t)
{
	if (t->round != NULL)
		pb_round_watch(t->round, NULL, NULL);
	free(t->pellet);
	t->pellet = NULL;
}
