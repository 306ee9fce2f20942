/* program.c - programs in the places of bodies that are asked: for a move on a
 * board, or in the places of nodes of a game on a map. */
#include "io/play/program.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "io/rec/rec.h"

/* More lines that are no answers to a question, and there is none. */
#define OTHERS 1000

/* What has been gathered is told when it is more than this (bytes). */
#define ENOUGH 4096

/* Stamps may be rounded to 1e-6 s. */
#define LATE 2e-6

int
pb_move_dir(const struct pb_rec_move *m, struct pb_error *bad)
{
	int d = pb_dir_of(m->dir);

	if (d <= PB_STAY)
		return d;
	pb_error_set(bad,
	    "move.dir: expected up, left, down, right or stop, got \"%s\"",
	    m->dir);
	return -1;
}

/* Tell what has been gathered. */
static bool
tell_node(struct pb_node_program *n, struct pb_error *bad)
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
next_answer(struct pb_node_program *n, enum pb_rec_type type, const char *name,
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
	if (!next_answer(&p->node[n->body], PB_REC_POSE,
		p->trace.game->body[n->body], n->t, OTHERS, &r, bad))
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

/* Let a ghost move. False: bad says why it cannot go on. */
static bool
place_ghost(struct pb_nodes *p, const struct pb_ghost_news *n,
    struct pb_vec *at, struct pb_error *bad)
{
	bool asks = put_news(p, n);

	return tell_node(&p->node[n->body], bad) &&
	       (!asks || hear_pose(p, n, at, bad));
}

/* Whether the planner's node hears of it, but for pellets. */
static bool
is_heard(const struct pb_news *n)
{
	return n->kind == PB_NEWS_COMMAND || n->kind == PB_NEWS_GOAL ||
	       n->kind == PB_NEWS_GOAL_END || n->kind == PB_NEWS_ESTIMATE ||
	       (n->kind == PB_NEWS_POSE && n->body > 0);
}

/* Let the planner hear. Returns as that. */
static bool
tell_planner(struct pb_nodes *p, const struct pb_news *n, struct pb_error *bad)
{
	if (!p->node->agent || !is_heard(n))
		return true;
	pb_trace_put(&p->trace, n);
	return p->node->ask.len <= ENOUGH || tell_node(p->node, bad);
}

static bool
ask_target(struct pb_nodes *p, const unsigned char *left, struct pb_error *bad)
{
	struct pb_rec_cmd c = {.kind = PB_VALUE_NONE};
	double t = p->trace.game->time(p->trace.state);

	pb_trace_pellets(&p->trace, left, &p->node->ask);
	PB_REC_SET(c.name, "choose");
	pb_rec_put(&p->node->ask, PB_REC_CMD, pb_stamp_at(t, "planner"), &c);
	return tell_node(p->node, bad);
}

static bool
hear_target(struct pb_nodes *p, const unsigned char *left,
    struct pb_answer *out, struct pb_error *bad)
{
	struct pb_rec r;
	long id;

	if (!next_answer(p->node, PB_REC_TARGET, NULL,
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

/* Let the planner choose. Returns as that. */
static bool
choose_target(struct pb_nodes *p, const unsigned char *left,
    struct pb_answer *out, struct pb_error *bad)
{
	return ask_target(p, left, bad) && hear_target(p, left, out, bad);
}

/*
 * Given    m     where the game is played, kept
 *          id    of its pellets, NULL: 0..n-1; kept
 *          body  PB_BODIES agents, those that were started told the map; kept
 */
static void
begin_nodes(struct pb_nodes *p, const struct pb_game *game,
    const struct pb_map *m, const long *id, struct pb_agent *body)
{
	*p = (struct pb_nodes){.map = m, .trace = {.game = game, .id = id}};
	for (int i = 0; i < PB_BODIES; i++)
		p->node[i] = (struct pb_node_program){
		    .agent = body[i].pid != 0 ? &body[i] : NULL,
		    .ask = {.exact = true}};
}

/* A game is about to start; state is kept. */
static void
reset_nodes(struct pb_nodes *p, const void *state)
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
	if (p->node->agent)
		pb_trace_begin(&p->trace);
}

static void
end_nodes(struct pb_nodes *p)
{
	for (int i = 0; i < PB_BODIES; i++)
		pb_text_clear(&p->node[i].ask);
	pb_trace_end(&p->trace);
}

static enum pb_dir
first_of(unsigned ways)
{
	int d = 0;

	while (!(ways >> d & 1))
		d++;
	return (enum pb_dir)d;
}

bool
pb_programs_have(const struct pb_programs *p, int i)
{
	return p->given && p->given->body[i];
}

static void
fail(struct pb_programs *p, int who, const struct pb_error *bad)
{
	p->failed = true;
	p->who = who;
	p->error = *bad;
	p->at =
	    (struct pb_place){p->given->body[who], who == 0 ? p->decisions : 0};
}

/* It has not answered, or what it said is no answer. */
static void
fail_to_answer(struct pb_programs *p, int who, const struct pb_error *bad)
{
	if (p->body[who].fault == PB_AGENT_FINE)
		p->body[who].fault = PB_AGENT_GARBLED;
	fail(p, who, bad);
}

void
pb_programs_complain(const struct pb_programs *p)
{
	if (!pb_msg_stopped())
		pb_msg_error_at(p->at, &p->error);
}

/* Where the game is played is the first line. If a program has gone, the first
 * question will tell. */
static bool
start(struct pb_programs *p, int i, const struct pb_ground *ground)
{
	struct pb_error bad = {""}, gone;

	if (!pb_agent_start(
		&p->body[i], p->given->body[i], p->patience, &bad)) {
		pb_error_errno(&bad, NULL, bad.text);
		fail(p, i, &bad);
		return false;
	}
	p->ask.len = 0;
	if (ground->maze)
		pb_rec_put(&p->ask, PB_REC_MAZE, pb_stamp_none(), ground->maze);
	else
		pb_rec_put(&p->ask, PB_REC_MAP, pb_stamp_none(), ground->map);
	/* What is a filter passes on what it reads. */
	p->body[i].skips = !ground->maze;
	pb_agent_tell(&p->body[i], &p->ask, &gone);
	return true;
}

bool
pb_programs_begin(struct pb_programs *p, const struct pb_game *game,
    const struct pb_outside *x, double patience, const struct pb_ground *ground,
    const long *id)
{
	*p = (struct pb_programs){
	    .game = game, .given = x, .patience = patience};
	p->ask.exact = !game->board;
	for (int i = 0; i < PB_BODIES; i++)
		if (pb_programs_have(p, i) && !start(p, i, ground))
			return false;
	if (!game->board)
		begin_nodes(&p->nodes, game, ground->map, id, p->body);
	return true;
}

void
pb_programs_reset(
    struct pb_programs *p, const void *state, uint64_t seed, uint64_t trial)
{
	struct pb_rec_reset r = {.trial = trial};
	struct pb_error bad;

	p->state = state;
	p->decisions = 0;
	/* 53 bits: a number of every language. */
	r.seed = pb_hash_u64(pb_hash_u64(PB_HASH_START, seed), trial) >> 11;
	p->ask.len = 0;
	pb_rec_put(&p->ask, PB_REC_RESET, pb_stamp_none(), &r);
	for (int i = 0; i < PB_BODIES; i++)
		if (pb_programs_have(p, i))
			pb_agent_tell(&p->body[i], &p->ask, &bad);
	if (!p->game->board)
		reset_nodes(&p->nodes, state);
}

bool
pb_programs_eager(struct pb_programs *p)
{
	struct pb_error bad;

	if (!p->game->board || p->decisions == 0 ||
	    !pb_agent_unread(&p->body[0]))
		return false;
	pb_error_set(
	    &bad, "more answers than questions: old moves were played");
	fail_to_answer(p, 0, &bad);
	return true;
}

void
pb_programs_end(struct pb_programs *p)
{
	for (int i = 0; i < PB_BODIES; i++)
		if (p->body[i].fault != PB_AGENT_FINE)
			pb_agent_kill(&p->body[i]);
		else
			pb_agent_end(&p->body[i]);
	end_nodes(&p->nodes);
	pb_text_clear(&p->ask);
}

/* Send the tick and wait for a move; name: whose, NULL: it need not say. */
static int
exchange(struct pb_programs *p, struct pb_agent *a, const struct pb_seen *k,
    const char *name, struct pb_error *bad)
{
	struct pb_stamp s = pb_stamp_at(p->game->time(p->state), NULL);
	struct pb_rec r;
	const char *line;
	size_t n;
	int d = -1;

	pb_rec_put(&p->ask, PB_REC_TICK, s, k);
	if (!pb_agent_tell(a, &p->ask, bad))
		return -1;
	line = pb_agent_answer(a, &n, bad);
	if (!line || !pb_rec_read(line, n, PB_REC_BIT(PB_REC_MOVE), &r, bad))
		return -1;
	if (r.type == PB_REC_MOVE && (!name || strcmp(r.stamp.id, name) == 0))
		d = pb_move_dir(&r.move, bad);
	else if (!name)
		pb_error_set(bad, "expected a move record, got another");
	else
		pb_error_set(bad, "expected a move of %s, got a %s of \"%s\"",
		    name,
		    r.type == PB_REC_OTHER ? "record" : pb_rec_name(r.type),
		    r.stamp.id);
	pb_rec_clear(&r);
	return d;
}

static enum pb_dir
decide(void *ctx, const void *view)
{
	struct pb_programs *p = ctx;
	struct pb_error bad;
	struct pb_seen k;
	int got;

	if (p->failed)
		return PB_STAY;
	p->game->look(p->state, view, &k);
	p->ask.len = 0;
	p->decisions++;
	got = exchange(p, &p->body[0], &k, NULL, &bad);
	if (got < 0)
		fail_to_answer(p, 0, &bad);
	return got < 0 ? PB_STAY : (enum pb_dir)got;
}

static enum pb_dir
hear(void *ctx, int body, unsigned ways, int drawn)
{
	struct pb_programs *p = ctx;
	const char *name = p->game->body[body];
	struct pb_rec_draw draw = {.purpose = "turn", .value = drawn};
	struct pb_error bad;
	struct pb_seen k;
	int got;

	if (p->failed)
		return first_of(ways);
	p->game->look(p->state, NULL, &k);
	p->ask.len = 0;
	if (drawn >= 0)
		pb_rec_put(&p->ask, PB_REC_DRAW,
		    pb_stamp_at(p->game->time(p->state), name), &draw);
	for (int b = 0; b < k.bodies; b++)
		k.body[b].has_next = false;
	got = exchange(p, &p->body[body], &k, name, &bad);
	if (got >= 0 && !(ways >> got & 1)) {
		pb_error_set(&bad, "move.dir: %s: %s cannot turn there",
		    pb_dir_word(got), name);
		got = -1;
	}
	if (got < 0)
		fail_to_answer(p, body, &bad);
	return got < 0 ? first_of(ways) : (enum pb_dir)got;
}

static void
tell(void *ctx, const struct pb_news *n)
{
	struct pb_programs *p = ctx;
	struct pb_error bad;

	if (!p->failed && !tell_planner(&p->nodes, n, &bad))
		fail_to_answer(p, 0, &bad);
}

static void
choose(void *ctx, const unsigned char *left, struct pb_answer *out)
{
	struct pb_programs *p = ctx;
	struct pb_error bad;

	if (p->failed)
		return;
	p->decisions++;
	if (!choose_target(&p->nodes, left, out, &bad))
		fail_to_answer(p, 0, &bad);
}

static void
place(void *ctx, const struct pb_ghost_news *n, struct pb_vec *at)
{
	struct pb_programs *p = ctx;
	struct pb_error bad;

	if (!p->failed && !place_ghost(&p->nodes, n, at, &bad))
		fail_to_answer(p, n->body, &bad);
}

struct pb_crew
pb_programs_crew(struct pb_programs *p)
{
	struct pb_crew c = {.ctx = p, .quits = &p->failed};
	bool player = pb_programs_have(p, 0);

	for (int i = 1; i < PB_BODIES; i++)
		c.heard |= (unsigned)pb_programs_have(p, i) << i;
	if (!p->game->board) {
		c.tell = player ? tell : NULL;
		c.choose = player ? choose : NULL;
		c.place = place;
		return c;
	}
	c.decide = player ? decide : NULL;
	c.hear = hear;
	return c;
}
