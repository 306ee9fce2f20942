/* session_copy.c - a pacmanbot game set aside, taken up again, begun anew. */
#include <stdlib.h>

#include "io/sim/session.h"
#include "io/stream/msg.h"

struct pb_session_copy {
	struct pb_round *round; /* owned */
	struct pb_sense *sense; /* owned, NULL: no sensors */
	struct pb_trace trace;  /* what it points to is the session's */
	struct pb_round_opts learnt;
	struct pb_trial last;
	int played;
	bool wants, started, waits;
};

void
pb_session_drop(struct pb_session_copy *c)
{
	if (c == NULL)
		return;
	pb_round_free(c->round);
	free(c->sense);
	free(c);
}

/* Room for a copy. */
static struct pb_session_copy *
new_copy(const struct pb_session *s)
{
	struct pb_session_copy *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return NULL;
	if (pb_round_new(&c->round, s->arena, &s->o.game, s->o.player,
		s->known) == PB_OK &&
	    pb_senses_save(&s->senses, &c->sense))
		return c;
	pb_session_drop(c);
	return NULL;
}

struct pb_session_copy *
pb_session_save(const struct pb_session *s)
{
	struct pb_session_copy *c = new_copy(s);

	if (c == NULL)
		return NULL;
	pb_round_slim(c->round);
	pb_round_copy(c->round, s->round);
	c->trace = s->trace;
	c->learnt = s->learnt;
	c->last = s->last;
	c->played = s->played;
	c->wants = s->wants;
	c->started = s->started;
	c->waits = s->waits;
	return c;
}

void
pb_session_load(struct pb_session *s, const struct pb_session_copy *c)
{
	pb_round_copy(s->round, c->round);
	pb_senses_load(&s->senses, c->sense);
	s->trace = c->trace;
	s->last = c->last;
	s->played = c->played;
	s->wants = c->wants;
	s->started = c->started;
	s->waits = c->waits;
	pb_session_learn(s, &c->learnt);
}

/* Hand the cues over: what they showed ends, the file of sounds goes on. */
static void
hand_over(struct pb_session *from, struct pb_session *to)
{
	pb_cues_again(&from->cues, &to->o.cues, 0, from->out);
	to->cues = from->cues;
	from->cues = (struct pb_cues){.o = NULL};
}

/* Drop a session that did not begin; the world is somebody else's. */
static struct pb_session *
give_up(struct pb_session *s)
{
	s->world = (struct pb_world){.has_map = false};
	pb_session_clear(s);
	free(s);
	return NULL;
}

struct pb_session *
pb_session_again(struct pb_session *s, const struct pb_session_opts *o,
    struct pb_world *world, struct pb_error *bad)
{
	struct pb_session *next = calloc(1, sizeof(*next));
	struct pb_world *from = world != NULL ? world : &s->world;

	if (next == NULL) {
		pb_error_nomem(bad, "the game");
		return NULL;
	}
	*next = (struct pb_session){.o = *o, .out = s->out, .world = *from};
	if (!pb_session_make(next, bad))
		return give_up(next);
	hand_over(s, next);
	if (world != NULL)
		pb_put_map(s->out, &world->map);
	if (!pb_session_go(next, bad)) {
		hand_over(next, s);
		return give_up(next);
	}
	*from = (struct pb_world){.has_map = false};
	pb_session_clear(s);
	free(s);
	return next;
}
