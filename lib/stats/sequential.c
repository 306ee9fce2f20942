/* sequential.c - when the players of a round have played enough. */
#include "stats/sequential.h"

#include <assert.h>

static int
pair_of(int i, int j)
{
	return i * (i - 1) / 2 + j;
}

void
pb_seq_start(struct pb_seq *s, const struct pb_seq_opts *o, int players)
{
	int pairs = pair_of(players, 0);

	assert(players > 0 && players <= PB_SEQ_PLAYERS);
	s->o = *o;
	s->players = players;
	for (int i = 0; o->sprt && i < players; i++)
		s->sprt[i] =
		    pb_sprt_start(o->p0, o->p1, o->alpha, 1 - o->power);
	for (int i = 0; o->race && i < pairs; i++)
		s->race[i] = pb_race_start(o->alpha / pairs);
}

bool
pb_seq_add(struct pb_seq *s, const bool *won)
{
	bool over = s->o.sprt || (s->o.race && s->players > 1);

	for (int i = 0; s->o.sprt && i < s->players; i++)
		over &= pb_sprt_add(&s->sprt[i], won[i]) != PB_OPEN;
	for (int i = 0; s->o.race && i < s->players; i++)
		for (int j = 0; j < i; j++)
			over &= pb_race_add(&s->race[pair_of(i, j)], won[i],
				    won[j]) != PB_OPEN;
	return over;
}

const struct pb_race *
pb_seq_race(const struct pb_seq *s, int i, int j)
{
	assert(j >= 0 && j < i && i < s->players);
	return &s->race[pair_of(i, j)];
}
