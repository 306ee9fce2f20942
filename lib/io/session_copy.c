/* session_copy.c - a pacmanbot game set aside, taken up again, begun anew. */
#include <stdlib.h>

#include "io/msg.h"
#include "io/session.h"

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
	    (s->senses.sense == NULL ||
		(c->sense = malloc(sizeof(*c->sense))) != NULL))
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
	if (c->sense != NULL)
		*c->sense = *s->senses.sense;
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
	if (c->sense != NULL)
		*s->senses.sense = *c->sense;
	s->trace = c->trace;
	s->last = c->last;
	s->played = c->played;
	s->wants = c->wants;
	s->started = c->started;
	s->waits = c->waits;
	pb_session_learn(s, &c->learnt);
}

struct pb_session *
pb_session_again(
    struct pb_session *s, const struct pb_session_opts *o, struct pb_bad *bad)
{
	struct pb_session *next = calloc(1, sizeof(*next));

	if (next == NULL) {
		pb_bad_nomem(bad, "the game");
		return NULL;
	}
	*next = (struct pb_session){.o = *o, .out = s->out, .world = s->world};
	if (!pb_session_begin(next, bad)) {
		next->world = (struct pb_world){.has_map = false};
		pb_session_clear(next);
		free(next);
		return NULL;
	}
	s->world = (struct pb_world){.has_map = false};
	pb_session_clear(s);
	free(s);
	return next;
}
