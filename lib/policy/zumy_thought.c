/* zumy_thought.c - what players share who play on in thought. */
#include "policy/zumy_thought.h"

#include <string.h>

#include "base/hash.h"

double
pb_zumy_worth(const struct pb_zumy *s)
{
	const struct pb_cells *c = &s->board->cells;
	struct pb_zumy_cell goal = s->board->ground.goal;
	int at = pb_cells_at(c, s->player.at.row, s->player.at.col);
	double sum = pb_cells_dist(c, at, pb_cells_at(c, goal.row, goal.col)) +
	             0.0003 * s->tick;

	if (s->ending == PB_ZUMY_SEEN)
		return 1e6 - s->tick;
	for (int i = 0; i < s->opts->patrols; i++) {
		int d = pb_zumy_manhattan(s->patrol[i].body.at, s->player.at);

		sum += 10 * s->patrol[i].s + 2.0 / (d + 1);
	}
	return sum;
}

static uint64_t
hash_cell(uint64_t h, struct pb_zumy_cell c)
{
	return pb_hash_u64(h, (uint64_t)(c.row * PB_ZUMY_SIDE + c.col));
}

static uint64_t
hash_body(uint64_t h, const struct pb_zumy_body *b, int grain)
{
	h = hash_cell(hash_cell(h, b->at), b->to);
	return pb_hash_u64(h, (uint64_t)b->facing +
				  4u * (unsigned)(b->turn / grain) +
				  1024u * (unsigned)(b->drive / grain));
}

uint64_t
pb_zumy_key(const struct pb_zumy *s, int grain, int belief)
{
	uint64_t h = hash_body(PB_HASH_START, &s->player, grain);

	for (int i = 0; i < s->opts->patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		h = hash_cell(hash_body(h, &p->body, grain), p->map.last);
		h = pb_hash_u64(h, (uint64_t)(p->s * belief));
		for (int r = 0; r < s->board->ground.rows; r++)
			h = pb_hash_u64(h, p->map.known.row[r]);
	}
	return h != 0 ? h : 1;
}

int
pb_zumy_best_place(struct pb_zumy_best *b, int most, double worth)
{
	int i = b->n, place = i;

	if (i < most) {
		b->n++;
	} else {
		place = b->order[--i];
		if (worth >= b->worth[place])
			return -1;
	}
	for (; i > 0 && b->worth[b->order[i - 1]] > worth; i--)
		b->order[i] = b->order[i - 1];
	b->order[i] = place;
	b->worth[place] = worth;
	return place;
}

void
pb_zumy_met_clear(struct pb_zumy_met *m, size_t places)
{
	m->places = places;
	m->n = 0;
	memset(m->key, 0, places * sizeof(m->key[0]));
}

bool
pb_zumy_met_new(struct pb_zumy_met *m, uint64_t key)
{
	size_t last = m->places - 1, i = key & last;

	for (; m->key[i] != 0; i = (i + 1) & last)
		if (m->key[i] == key)
			return false;
	if (m->n < m->places / 2) {
		m->key[i] = key;
		m->n++;
	}
	return true;
}
