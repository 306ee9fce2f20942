/* pacmanbot_programs.c - the ghost and the scores of a pacmanbot game as
 * programs of their own. */
#include "io/play/pacmanbot_programs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/stream/msg.h"

#define NAME "clyde"

/* More lines that are no answers to a question, and there is none. */
#define OTHERS 1000

static void
put_state(struct pb_botghost *g, double t)
{
	struct pb_rec_state s;

	pb_rec_none(PB_REC_STATE, &s);
	PB_REC_SET(s.state, g->state);
	pb_rec_put(&g->ask, PB_REC_STATE, pb_stamp_at(t, NULL), &s);
}

static void
put_cmd(struct pb_botghost *g, double t, struct pb_rec_cmd c, const char *name)
{
	PB_REC_SET(c.name, name);
	pb_rec_put(&g->ask, PB_REC_CMD, pb_stamp_at(t, NAME), &c);
}

static void
put_robot(struct pb_botghost *g, const struct pb_ghost_news *n)
{
	struct pb_rec_pose p = {
	    .x = n->robot.x, .y = n->robot.y, .theta = n->robot.th};

	PB_REC_SET(p.source, "estimate");
	pb_rec_put(&g->ask, PB_REC_POSE, pb_stamp_at(n->t, "robot"), &p);
}

/* The news as a record; returns whether it asks for his place. */
static bool
put_news(struct pb_botghost *g, const struct pb_ghost_news *n)
{
	struct pb_rec_cmd c = {.kind = PB_VALUE_NONE};

	switch (n->told) {
	case PB_GHOST_TICK:
		put_state(g, n->t);
		return true;
	case PB_GHOST_RESET:
		put_cmd(g, n->t, c, "reset_ghosts");
		return true;
	case PB_GHOST_CLICK:
		c.kind = PB_VALUE_POINT;
		c.point = n->at;
		put_cmd(g, n->t, c, "spawn");
		return true;
	case PB_GHOST_SPEED:
		c.kind = PB_VALUE_NUM;
		c.num = n->speed;
		put_cmd(g, n->t, c, "speed");
		break;
	case PB_GHOST_STATE:
		g->state = n->state;
		put_state(g, n->t);
		break;
	case PB_GHOST_ROBOT:
		put_robot(g, n);
		break;
	}
	return false;
}

/* The next pose of his. */
static bool
next_pose(struct pb_botghost *g, struct pb_rec *r, struct pb_error *bad)
{
	for (int i = 0; i < OTHERS; i++) {
		size_t n;
		const char *line = pb_agent_answer(&g->agent, &n, bad);

		if (!line ||
		    !pb_rec_read(line, n, PB_REC_BIT(PB_REC_POSE), r, bad))
			return false;
		if (r->type == PB_REC_POSE && strcmp(r->stamp.id, NAME) == 0)
			return true;
		pb_rec_clear(r);
	}
	return pb_error_set(
	    bad, "expected a pose of " NAME ", got %d other records", OTHERS);
}

static bool
hear(struct pb_botghost *g, double t, struct pb_vec *at, struct pb_error *bad)
{
	struct pb_rec r;
	struct pb_vec p;
	double late;

	if (!next_pose(g, &r, bad))
		return false;
	p = (struct pb_vec){r.pose.x, r.pose.y};
	late = r.stamp.t - t;
	pb_rec_clear(&r);
	/* Stamps may be rounded to 1e-6 s. */
	if (fabs(late) > 2e-6)
		return pb_error_set(
		    bad, "pose.t: expected %.10g, got %.10g", t, t + late);
	if (!isfinite(p.x) || !isfinite(p.y) ||
	    !pb_map_inside(g->map, pb_map_cell(g->map, p)))
		return pb_error_set(
		    bad, "pose: (%g, %g) is not on the map", p.x, p.y);
	*at = p;
	return true;
}

static void
tell(void *ctx, const struct pb_ghost_news *n, struct pb_vec *at)
{
	struct pb_botghost *g = ctx;
	struct pb_error bad = {""};
	bool asks;

	if (g->failed)
		return;
	g->ask.len = 0;
	asks = put_news(g, n);
	if (pb_agent_tell(&g->agent, &g->ask, &bad) &&
	    (!asks || hear(g, n->t, at, &bad)))
		return;
	g->failed = true;
	if (!pb_msg_stopped())
		pb_msg_error_at((struct pb_place){g->command, 0}, &bad);
}

bool
pb_botghost_begin(struct pb_botghost *g, const char *command, double patience,
    const struct pb_map *m, struct pb_round *r)
{
	struct pb_error bad = {""};

	*g = (struct pb_botghost){
	    .command = command, .map = m, .ask.exact = true};
	if (!pb_agent_start(&g->agent, command, patience))
		return false;
	/* A filter passes the map on. */
	g->agent.skips = true;
	pb_rec_put(&g->ask, PB_REC_MAP, pb_stamp_none(), m);
	/* If it has gone, the first question will tell. */
	pb_agent_tell(&g->agent, &g->ask, &bad);
	pb_round_ghost(r, tell, g);
	return true;
}

void
pb_botghost_end(struct pb_botghost *g)
{
	pb_agent_end(&g->agent);
	pb_text_clear(&g->ask);
}

/* More lines beside those that it was told, and there is no answer. */
#define SCORE_OTHERS 1000

/* What has been gathered is told when it is more than this (bytes). */
#define ENOUGH 4096

/* Whether the planner's node hears of e, but for pellets. */
static bool
heard(const struct pb_event *e)
{
	return e->kind == PB_EV_COMMAND || e->kind == PB_EV_GOAL ||
	       e->kind == PB_EV_GOAL_END || e->kind == PB_EV_ESTIMATE ||
	       e->kind == PB_EV_CLYDE;
}

static void
fail(struct pb_botscore *b, const struct pb_error *bad)
{
	b->failed = true;
	if (!pb_msg_stopped())
		pb_msg_error_at((struct pb_place){b->command, 0}, bad);
}

static bool
score_tell(struct pb_botscore *b, struct pb_error *bad)
{
	bool ok = pb_agent_tell(&b->agent, &b->ask, bad);

	for (size_t i = 0; i < b->ask.len; i++)
		b->told += b->ask.s[i] == '\n';
	b->ask.len = 0;
	return ok;
}

static void
watch(void *ctx, const struct pb_event *e)
{
	struct pb_botscore *b = ctx;
	struct pb_error bad;

	if (b->failed || !heard(e))
		return;
	pb_trace_event(&b->trace, e);
	if (b->ask.len > ENOUGH && !score_tell(b, &bad))
		fail(b, &bad);
}

static long
id_of(const struct pb_botscore *b, int i)
{
	return b->id ? b->id[i] : i;
}

/* The pellets that are left on the planner's list. */
static void
put_pellets(struct pb_botscore *b, const struct pb_view *v)
{
	struct pb_rec_pellets p = {.pellet = b->pellet};

	for (int i = 0; i < v->pellets; i++)
		if (v->left[i])
			p.pellet[p.n++] =
			    (struct pb_rec_pellet){.id = id_of(b, i),
				.x = b->arena->at[i].x,
				.y = b->arena->at[i].y,
				.power = b->arena->pellet[i].kind ==
			                 PB_PELLET_POWER};
	pb_rec_put(&b->ask, PB_REC_PELLETS, pb_stamp_at(v->t, NULL), &p);
}

static bool
ask(struct pb_botscore *b, const struct pb_view *v, struct pb_error *bad)
{
	struct pb_rec_cmd c = {.kind = PB_VALUE_NONE};

	put_pellets(b, v);
	PB_REC_SET(c.name, "choose");
	pb_rec_put(&b->ask, PB_REC_CMD, pb_stamp_at(v->t, "planner"), &c);
	return score_tell(b, bad);
}

/* The next target of time t; stamps may be rounded to 1e-6 s. */
static bool
next_target(
    struct pb_botscore *b, double t, struct pb_rec *r, struct pb_error *bad)
{
	long others = SCORE_OTHERS + b->told;

	for (long i = 0; i < others; i++) {
		size_t n;
		const char *line = pb_agent_answer(&b->agent, &n, bad);

		if (!line ||
		    !pb_rec_read(line, n, PB_REC_BIT(PB_REC_TARGET), r, bad))
			return false;
		if (r->type == PB_REC_TARGET && !(r->stamp.t < t - 2e-6))
			return true;
		pb_rec_clear(r);
	}
	return pb_error_set(
	    bad, "expected a target, got %ld other records", others);
}

static bool
score_hear(struct pb_botscore *b, const struct pb_view *v,
    struct pb_answer *out, struct pb_error *bad)
{
	struct pb_rec r;
	double late;
	long id;

	if (!next_target(b, v->t, &r, bad))
		return false;
	late = r.stamp.t - v->t;
	id = r.target.pellet;
	pb_rec_clear(&r);
	b->told = 0;
	if (fabs(late) > 2e-6)
		return pb_error_set(bad, "target.t: expected %.10g, got %.10g",
		    v->t, v->t + late);
	if (id < 0)
		return true;
	for (int i = 0; i < v->pellets; i++)
		if (v->left[i] && id_of(b, i) == id) {
			out->kind = PB_GO_PELLET;
			out->pellet = i;
			return true;
		}
	return pb_error_set(bad, "target.pellet: %ld is not left", id);
}

static void
decide(void *ctx, const struct pb_view *v, struct pb_answer *out)
{
	struct pb_botscore *b = ctx;
	struct pb_error bad;

	if (!b->failed && !(ask(b, v, &bad) && score_hear(b, v, out, &bad)))
		fail(b, &bad);
}

bool
pb_botscore_begin(struct pb_botscore *b, const char *command, double patience,
    const struct pb_arena *a, const long *id, struct pb_round *r)
{
	*b = (struct pb_botscore){
	    .command = command, .arena = a, .id = id, .ask.exact = true};
	b->trace = (struct pb_trace){.out = &b->ask,
	    .kinds = PB_TRACE_DEFAULT,
	    .round = r,
	    .arena = a,
	    .id = id};
	b->pellet = calloc((size_t)a->n, sizeof(*b->pellet));
	if (!b->pellet) {
		errno = ENOMEM;
		pb_msg_system("cannot start %.80s", command);
		return false;
	}
	if (!pb_agent_start(&b->agent, command, patience))
		return false;
	/* A filter passes everything on. */
	b->agent.skips = true;
	pb_round_chooser(r, (struct pb_chooser){watch, decide, b});
	return true;
}

void
pb_botscore_end(struct pb_botscore *b)
{
	pb_agent_end(&b->agent);
	pb_text_clear(&b->ask);
	free(b->pellet);
	b->pellet = NULL;
}
