/* kept.c - tests of what is kept of learning, and had again. */
#include "check.h"

#include <string.h>

#include "base/hash.h"
#include "policy/safe.h"

enum { HEADER = 40, AT_SUM = 32 };

/* A hall of 4.8 m by 3.6 m with a wall in it, and what is kept of it. */
struct hall {
	struct pb_round_opts o;
	struct pb_map m;
	struct pb_arena *a;
	struct pb_kept kept;
	void *known;
};

static void
hall_make(struct hall *h)
{
	*h = (struct hall){.o = pb_round_defaults(), .kept = {.keep = true}};
	check_int(
	    pb_map_init(&h->m, 48, 36, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	memset(h->m.cell, 0, 48 * 36);
	for (int row = 0; row < 22; row++)
		h->m.cell[row * 48 + 24] = PB_CELL_OCCUPIED;
	check_int(pb_arena_new(&h->a, &h->m, &h->o, NULL, NULL), PB_OK);
	check_int(pb_safe_learn_kept(h->a, &h->o, &h->kept, &h->known), PB_OK);
}

static void
hall_clear(struct hall *h)
{
	pb_safe_forget(h->known);
	free(h->kept.at);
	pb_arena_free(h->a);
	pb_map_clear(&h->m);
}

/* Learn by n bytes, which are said to be whole. Returns the status. */
static enum pb_status
learn(struct hall *h, const unsigned char *at, size_t n, struct pb_kept *k,
    void **known)
{
	*k = (struct pb_kept){.was = at, .size = n};
	*known = NULL;
	return pb_safe_learn_kept(h->a, &h->o, k, known);
}

static void
test_what_is_kept_is_had_again(void)
{
	struct hall h;
	struct pb_kept k;
	void *known;
	const struct pb_safe_known *was, *now;
	size_t n;

	hall_make(&h);
	check_int(pb_kept_look(h.kept.at, h.kept.n), PB_KEPT_FITS);
	check_int(learn(&h, h.kept.at, h.kept.n, &k, &known), PB_OK);
	check_int(k.fit, PB_KEPT_FITS);
	check(k.at == NULL);
	was = h.known;
	now = known;
	n = (size_t)was->chain.states;
	check_int(now->chain.states, was->chain.states);
	check(memcmp(now->chain.stay, was->chain.stay,
		  n * sizeof(*was->chain.stay)) == 0);
	check(memcmp(now->chain.to, was->chain.to,
		  (size_t)was->chain.first[n] * sizeof(*was->chain.to)) == 0);
	check(memcmp(now->value.risk, was->value.risk,
		  n * (size_t)was->rough.n * sizeof(float)) == 0);
	pb_safe_forget(known);
	hall_clear(&h);
}

/* Files of another learning would play other games: if this number changes,
 * raise LEARNT in kept.c. */
static void
test_numbers_are_those_of_this_version(void)
{
	struct hall h;

	hall_make(&h);
	h.kept.n -= HEADER;
	check(pb_hash_bytes(PB_HASH_START, h.kept.at + HEADER, h.kept.n) ==
	      UINT64_C(0x72a88beca42efb03));
	hall_clear(&h);
}

static void
test_other_maps_and_constants_do_not_fit(void)
{
	struct hall h;
	struct pb_kept k;
	void *known;

	hall_make(&h);
	h.o.v_max /= 2;
	check_int(learn(&h, h.kept.at, h.kept.n, &k, &known), PB_OK);
	check_int(k.fit, PB_KEPT_CONSTANTS);
	pb_safe_forget(known);
	h.kept.at[16] ^= 1;
	check_int(learn(&h, h.kept.at, h.kept.n, &k, &known), PB_OK);
	check_int(k.fit, PB_KEPT_MAP);
	pb_safe_forget(known);
	hall_clear(&h);
}

static void
test_damage_is_seen(void)
{
	struct hall h;
	unsigned char *at;

	hall_make(&h);
	at = h.kept.at;
	check_int(pb_kept_look(at, 0), PB_KEPT_EMPTY);
	check_int(pb_kept_look((const unsigned char *)"P5 60 40", 8),
	    PB_KEPT_FOREIGN);
	for (size_t n = 1; n < h.kept.n; n += n < 99 ? 1 : 4999)
		check(pb_kept_look(at, n) != PB_KEPT_FITS);
	for (size_t i = 0; i < h.kept.n; i += i < 99 ? 1 : 4999) {
		at[i] ^= 16;
		/* That it is of something else is not damage. */
		check(pb_kept_look(at, h.kept.n) != PB_KEPT_FITS);
		at[i] ^= 16;
	}
	hall_clear(&h);
}

/* Numbers that cannot be, under a sum that is right. */
static void
test_numbers_that_cannot_be_are_refused(void)
{
	const double odd[] = {NAN, INFINITY, -1, 0, 1e300};
	struct hall h;
	struct pb_kept k;
	void *known;

	hall_make(&h);
	for (size_t at = HEADER; at + 8 < h.kept.n; at += h.kept.n / 6 & ~7u)
		for (int i = 0; i < 5; i++) {
			unsigned char was[8];
			uint64_t bits;

			memcpy(was, h.kept.at + at, 8);
			memcpy(&bits, &odd[i], 8);
			for (int b = 0; b < 8; b++)
				h.kept.at[at + (size_t)b] =
				    (unsigned char)(bits >> 8 * b);
			/* All chances to leave may be 0: then nobody does. */
			if (learn(&h, h.kept.at, h.kept.n, &k, &known) == PB_OK)
				pb_safe_forget(known);
			else
				check(known == NULL);
			if (i < 1)
				check(known == NULL);
			memcpy(h.kept.at + at, was, 8);
		}
	for (size_t n = HEADER; n < h.kept.n; n += h.kept.n / 3)
		check_int(learn(&h, h.kept.at, n, &k, &known), PB_EVALUE);
	h.kept.at = realloc(h.kept.at, h.kept.n + 1);
	check_int(learn(&h, h.kept.at, h.kept.n + 1, &k, &known), PB_EVALUE);
	hall_clear(&h);
}

int
main(void)
{
	run(test_what_is_kept_is_had_again);
	run(test_numbers_are_those_of_this_version);
	run(test_other_maps_and_constants_do_not_fit);
	run(test_damage_is_seen);
	run(test_numbers_that_cannot_be_are_refused);
	return done();
}
