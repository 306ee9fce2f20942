/* beam.c - the best few states of a search that differ. */
#include "policy/beam.h"

#include <math.h>
#include <string.h>

size_t
pb_beam_size(int width)
{
	size_t w = (size_t)width;
	size_t n = w * (sizeof(double) + sizeof(uint64_t)) +
	           (w + 1 + 2 * w) * sizeof(uint16_t);

	return (n + 7) / 8 * 8;
}

void
pb_beam_place(struct pb_beam *b, void *mem, int width)
{
	b->value = mem;
	b->key = (uint64_t *)(b->value + width);
	b->slot = (uint16_t *)(b->key + width);
	b->lose = b->slot + width + 1;
	for (int i = 0; i <= width; i++)
		b->slot[i] = (uint16_t)i;
	pb_beam_empty(b, width);
}

void
pb_beam_empty(struct pb_beam *b, int width)
{
	b->n = 0;
	b->width = width;
	memset(b->hint, 0, sizeof(b->hint));
}

/* Which of two entries is worse; the first of equals. */
static uint16_t
worse(const struct pb_beam *b, uint16_t i, uint16_t k)
{
	double vi = b->value[i], vk = b->value[k];
	/* Nobody can guess who wins: no branches. */
	int first = (vi < vk) | ((vi == vk) & (i < k));

	return first ? i : k;
}

/*
 * lose[width + i] is entry i, lose[i] the worse of lose[2i], lose[2i + 1].
 */
static void
play(struct pb_beam *b, int i)
{
	b->lose[i] = worse(b, b->lose[2 * i], b->lose[2 * i + 1]);
}

/* Entry i is better than it was: what it still wins it need not play again. */
static void
play_again(struct pb_beam *b, int entry)
{
	for (int i = (b->width + entry) / 2; i > 0 && b->lose[i] == entry;
	     i /= 2)
		play(b, i);
}

static void
play_all(struct pb_beam *b)
{
	for (int i = 0; i < b->width; i++)
		b->lose[b->width + i] = (uint16_t)i;
	for (int i = b->width - 1; i > 0; i--)
		play(b, i);
}

static int
worst(const struct pb_beam *b)
{
	return b->lose[1];
}

static unsigned
hash(uint64_t key)
{
	return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 54) %
	       PB_BEAM_HINTS;
}

/* Where the state with that key is, n if there is none. */
static int
find(const struct pb_beam *b, uint64_t key)
{
	int i = b->hint[hash(key)] - 1;

	if (i < 0)
		return b->n;
	if (b->key[i] == key)
		return i;
	/* Another key with that hash, which may have come before or after. */
	for (i = 0; i < b->n && b->key[i] != key; i++)
		;
	return i;
}

double
pb_beam_floor(const struct pb_beam *b, uint64_t key, int *at)
{
	*at = find(b, key);
	if (*at == b->width)
		*at = worst(b);
	return *at < b->n ? b->value[*at] : -INFINITY;
}

void
pb_beam_keep(struct pb_beam *b, int at, uint64_t key, double value)
{
	uint16_t spare = b->slot[b->n];
	bool full = b->n == b->width;

	b->hint[hash(key)] = (uint16_t)(at + 1);
	b->slot[b->n] = b->slot[at];
	b->slot[at] = spare;
	b->key[at] = key;
	b->value[at] = value;
	if (at == b->n && ++b->n == b->width)
		play_all(b);
	else if (full)
		play_again(b, at);
}
