/* node_programs.c - programs in the places of nodes of a game on a map: the
 * ghosts', and the planner's that chooses the next pellet. */
#include "io/play/node_programs.h"

#include <math.h>
#include <string.h>

#include "io/rec/rec.h"

/* More lines that are no answers to a question, and there is none. */
#define OTHERS 1000

/* What has been gathered is told when it is more than this (bytes). */
#define ENOUGH 4096

/* Stamps may be rounded to 1e-6 s. */
#define LATE 2e-6

/* Tell what has been gathered. */
static bool
tell(struct pb_node_program *n, struct pb_error *bad)
{
	bool ok = pb_agent_tell(n->agent, &n->ask, bad);

	for (size_t i = 0; i < n->ask.len; i++)
		n->told += n->ask.s[i] == '\n';
	n->ask.len = 0;
	return ok;
}

/* Whether r is of time t; if not, it is cleared. */
static bool
in_time(struct pb_rec *r, double t, struct pb_error *bad)
{
	double late = r->stamp.t - t;

	if (!(fabs(late) > LATE))
		return true;
	pb_error_set(bad, "%s.t: expected %.10g, got %.10g",
	    pb_rec_name(r->type), t, t + late);
	pb_rec_clear(r);
	return false;
}

/*
 * The answer at time t: a record of a type, with the id `name` if that is not
 * NULL, behind at most `others` that are not, or are of a time before.
 *
 * Returns  true with r for pb_rec_clear; false: bad says why there is none
 */
static bool
next(struct pb_node_program *n, enum pb_rec_type type, const char *name,
    double t, long others, struct pb_rec *r, struct pb_error *bad)
{
	for (long i = 0; i < others; i++) {
		size_t len;
		const char *line = pb_agent_answer(n->agent, &len, bad);

		if (!line || !pb_rec_read(line, len, PB_REC_BIT(type), r, bad))
			return false;
		if (r->type == type && !(r->stamp.t < t - LATE) &&
		    (!name || strcmp(r->stamp.id, name) == 0))
			return in_time(r, t, bad);
		pb_rec_clear(r);
	}
	return pb_error_set(bad, "expected a %s%s%s, got %ld other records",
	    pb_rec_name(type), name ? " of " : "", name ? name : "", others);
}

static void
put_state(const struct pb_nodes *p, struct pb_text *ask, double t)
{
	struct pb_rec_state s;

	pb_rec_none(PB_REC_STATE, &s);
	PB_REC_SET(s.state, p->state);
	pb_rec_put(ask, PB_REC_STATE, pb_stamp_at(t, NULL), &s);
}

static void
put_cmd(const struct pb_nodes *p, struct pb_text *ask,
    const struct pb_ghost_news *n, struct pb_rec_cmd c, const char *name)
{
	PB_REC_SET(c.name, name);
	pb_rec_put(ask, PB_REC_CMD,
	    pb_stamp_at(n->t, p->trace.game->body[n->body]), &c);
}

/* The news as a record; returns whether it asks for the ghost's place. */
static bool
put_news(struct pb_nodes *p, const struct pb_ghost_news *n)
{
	struct pb_rec_cmd c = {.kind = PB_VALUE_NONE};
	struct pb_text *ask = &p->node[n->body].ask;

	switch (n->told) {
	case PB_GHOST_TICK:
		put_state(p, ask, n->t);
		return true;
	case PB_GHOST_RESET:
		put_cmd(p, ask, n, c, "reset_ghosts");
		return true;
	case PB_GHOST_CLICK:
		c.kind = PB_VALUE_POINT;
		c.point = n->at;
		put_cmd(p, ask, n, c, "spawn");
		return true;
	case PB_GHOST_SPEED:
		c.kind = PB_VALUE_NUM;
		c.num = n->speed;
		put_cmd(p, ask, n, c, "speed");
		break;
	case PB_GHOST_STATE:
		p->state = n->state;
		put_state(p, ask, n->t);
		break;
	case PB_GHOST_ROBOT:
		pb_rec_put_pose(
		    ask, pb_stamp_at(n->t, "robot"), n->robot, "estimate");
		break;
	}
	return false;
}

static bool
hear_pose(struct pb_nodes *p, const struct pb_ghost_news *n, struct pb_vec *at,
    struct pb_error *bad)
{
	struct pb_rec r;
	struct pb_vec to;

	/* Two states may have one time: the second answer is passed over. */
	if (!next(&p->node[n->body], PB_REC_POSE, p->trace.game->body[n->body],
		n->t, OTHERS, &r, bad))
		return false;
	to = (struct pb_vec){r.pose.x, r.pose.y};
	pb_rec_clear(&r);
	if (!isfinite(to.x) || !isfinite(to.y) ||
	    !pb_map_inside(p->map, pb_map_cell(p->map, to)))
		return pb_error_set(
		    bad, "pose: (%g, %g) is not on the map", to.x, to.y);
	*at = to;
	return true;
}

bool
pb_nodes_place(struct pb_nodes *p, const struct pb_ghost_news *n,
    struct pb_vec *at, struct pb_error *bad)
{
	bool asks = put_news(p, n);

	return tell(&p->node[n->body], bad) &&
	       (!asks || hear_pose(p, n, at, bad));
}

/* Whether the planner's node hears of it, but for pellets. */
static bool
heard(const struct pb_news *n)
{
	return n->kind == PB_NEWS_COMMAND || n->kind == PB_NEWS_GOAL ||
	       n->kind == PB_NEWS_GOAL_END || n->kind == PB_NEWS_ESTIMATE ||
	       (n->kind == PB_NEWS_POSE && n->body > 0);
}

bool
pb_nodes_tell(struct pb_nodes *p, const struct pb_news *n, struct pb_error *bad)
{
	if (!p->node->agent || !heard(n))
		return true;
	pb_trace_put(&p->trace, n);
	return p->node->ask.len <= ENOUGH || tell(p->node, bad);
}

static bool
ask_target(struct pb_nodes *p, const unsigned char *left, struct pb_error *bad)
{
	struct pb_rec_cmd c = {.kind = PB_VALUE_NONE};
	double t = p->trace.game->time(p->trace.state);

	pb_trace_pellets(&p->trace, left, &p->node->ask);
	PB_REC_SET(c.name, "choose");
	pb_rec_put(&p->node->ask, PB_REC_CMD, pb_stamp_at(t, "planner"), &c);
	return tell(p->node, bad);
}

static bool
hear_target(struct pb_nodes *p, const unsigned char *left,
    struct pb_answer *out, struct pb_error *bad)
{
	struct pb_rec r;
	long id;

	if (!next(p->node, PB_REC_TARGET, NULL,
		p->trace.game->time(p->trace.state), OTHERS + p->node->told, &r,
		bad))
		return false;
	id = r.target.pellet;
	pb_rec_clear(&r);
	p->node->told = 0;
	if (id < 0)
		return true;
	out->pellet = pb_trace_pellet(&p->trace, (double)id);
	if (out->pellet < 0 || !left[out->pellet])
		return pb_error_set(bad, "target.pellet: %ld is not left", id);
	out->kind = PB_GO_PELLET;
	return true;
}

bool
pb_nodes_choose(struct pb_nodes *p, const unsigned char *left,
    struct pb_answer *out, struct pb_error *bad)
{
	return ask_target(p, left, bad) && hear_target(p, left, out, bad);
}

void
pb_nodes_begin(struct pb_nodes *p, const struct pb_game *game,
    const struct pb_map *m, const long *id, struct pb_agent *body)
{
	*p = (struct pb_nodes){.map = m, .trace = {.game = game, .id = id}};
	for (int i = 0; i < PB_BODIES; i++)
		p->node[i] = (struct pb_node_program){
		    .agent = body[i].pid != 0 ? &body[i] : NULL,
		    .ask = {.exact = true}};
}

bool
pb_nodes_reset(struct pb_nodes *p, const void *state)
{
	for (int i = 0; i < PB_BODIES; i++)
		p->node[i].ask.len = 0;
	/* What the planner passed on of the map, and the reset. */
	p->node->told = 2;
	p->state = NULL;
	pb_trace_end(&p->trace);
	p->trace = (struct pb_trace){.out = &p->node->ask,
	    .kinds = PB_TRACE_DEFAULT,
	    .game = p->trace.game,
	    .id = p->trace.id,
	    .state = state};
	return !p->node->agent || pb_trace_begin(&p->trace);
}

void
pb_nodes_end(struct pb_nodes *p)
{
	for (int i = 0; i < PB_BODIES; i++)
		pb_text_clear(&p->node[i].ask);
	pb_trace_end(&p->trace);
}
