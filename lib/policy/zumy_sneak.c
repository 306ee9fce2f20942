/* zumy_sneak.c - a player that knows what the patrols will do. */
#include <stdlib.h>
#include <string.h>

#include "policy/zumys.h"

/*
 * Patrols are machines: what they do follows from where they have been, which
 * everybody could see, and from where the player goes. So he plays on in
 * thought, his own moves in all orders that seem worth it: the best few states
 * after every move (a beam), until one reaches the goal.
 */
#define BEAM     20  /* states that go on after each move */
#define DEPTH    64  /* moves at most */
#define WAIT     14  /* ticks of a move that stands still */
#define SEEN_ALL 1e6 /* what a state is worth in which all is lost */

struct thought {
	struct pb_zumy s;
	double worth; /* lower is better */
	signed char first;
};

/* Steps to the goal and what the patrols believe to see. */
static double
worth(const struct pb_zumy *s, const struct pb_zumy_view *v)
{
	const struct pb_cells *c = &v->board->cells;
	struct pb_zumy_cell goal = v->board->ground.goal;
	int at = pb_cells_at(c, s->player.at.row, s->player.at.col);
	double sum = pb_cells_dist(c, at, pb_cells_at(c, goal.row, goal.col)) +
	             0.01 * s->tick / v->opts->cell_time;

	if (s->ending == PB_ZUMY_SEEN)
		return SEEN_ALL - s->tick;
	for (int i = 0; i < v->opts->patrols; i++) {
		int d = pb_zumy_manhattan(s->patrol[i].body.at, s->player.at);

		sum += 10 * s->patrol[i].s + 2.0 / (d + 1);
	}
	return sum;
}

/* Play on in thought until the player decides again. */
static void
play_on(struct pb_zumy *s, const struct pb_zumy_view *v, enum pb_dir d)
{
	int wait = d == PB_STAY ? WAIT : 1;

	do {
		pb_zumy_tick(s, v->board, v->opts, d);
		d = PB_STAY;
	} while (s->ending == PB_ZUMY_ON && (--wait > 0 || !pb_zumy_asks(s)));
}

/* Whether two thoughts are alike but for their history. */
static bool
alike(const struct thought *a, const struct thought *b)
{
	return a->s.tick == b->s.tick &&
	       memcmp(&a->s.player.at, &b->s.player.at,
		   sizeof a->s.player.at) == 0 &&
	       a->worth == b->worth;
}

/* Keep t among the best BEAM of next[0..*n), sorted. */
static void
keep(struct thought *next, int *n, const struct thought *t)
{
	int i = *n;

	for (int k = 0; k < *n; k++)
		if (alike(&next[k], t))
			return;
	if (i == BEAM && t->worth >= next[BEAM - 1].worth)
		return;
	if (i == BEAM)
		i--;
	else
		++*n;
	for (; i > 0 && next[i - 1].worth > t->worth; i--)
		next[i] = next[i - 1];
	next[i] = *t;
}

static enum pb_dir
sneak_decide(const struct pb_zumy_view *v)
{
	struct thought beam[2][BEAM], t;
	int n = 1, nodes = v->opts->nodes, a = 0;
	double best = 1e300;
	enum pb_dir d0 = PB_STAY;

	/* What was best to wait for is worth waiting for. */
	if (v->s->waits % WAIT != 0)
		return PB_STAY;
	beam[0][0] = (struct thought){.s = *v->s, .first = -1};
	for (int depth = 0; depth < DEPTH && n > 0 && nodes > 0; depth++) {
		int next = 0;

		for (int i = 0; i < n && nodes > 0; i++)
			for (int d = 0; d <= PB_STAY && nodes > 0; d++) {
				const struct thought *from = &beam[a][i];

				if (d != PB_STAY &&
				    !pb_zumy_may(&from->s, v->board, v->opts,
					(enum pb_dir)d))
					continue;
				t = *from;
				if (t.first < 0)
					t.first = (signed char)d;
				play_on(&t.s, v, (enum pb_dir)d);
				nodes--;
				t.worth = worth(&t.s, v);
				if (t.s.ending == PB_ZUMY_REACHED)
					return (enum pb_dir)t.first;
				if (depth == 0 || t.s.ending == PB_ZUMY_ON)
					keep(beam[1 - a], &next, &t);
			}
		a = 1 - a;
		n = next;
		if (n > 0 && (depth == 0 || beam[a][0].worth < best ||
				 beam[a][0].s.ending == PB_ZUMY_ON)) {
			best = beam[a][0].worth;
			d0 = (enum pb_dir)beam[a][0].first;
		}
	}
	return d0;
}

const struct pb_zumy_player pb_zumy_sneak = {
    "sneak", "plays on in thought: patrols are machines", sneak_decide};
