/* zumy_beam.c - the best few of many states, and which were met before. */
#include "policy/zumy_beam.h"

int
pb_zumy_beam_place(struct pb_zumy_beam *b, int most, double worth)
{
	int i = b->n, place = i;

	if (i < most) {
		b->n++;
	} else {
		b->left = true;
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
