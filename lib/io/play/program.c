/* program.c - programs in the places of bodies that are asked: for a move on a
 * board, or in the places of nodes of a game on a map. */
#include "io/play/program.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "io/rec/rec.h"

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
		pb_nodes_begin(&p->nodes, game, ground->map, id, p->body);
	return true;
}

bool
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
	if (p->game->board || pb_nodes_reset(&p->nodes, state))
		return true;
	pb_error_nomem(&bad, "a program");
	fail(p, 0, &bad);
	return false;
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
	pb_nodes_end(&p->nodes);
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

	if (!p->failed && !pb_nodes_tell(&p->nodes, n, &bad))
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
	if (!pb_nodes_choose(&p->nodes, left, out, &bad))
		fail_to_answer(p, 0, &bad);
}

static void
place(void *ctx, const struct pb_ghost_news *n, struct pb_vec *at)
{
	struct pb_programs *p = ctx;
	struct pb_error bad;

	if (!p->failed && !pb_nodes_place(&p->nodes, n, at, &bad))
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
