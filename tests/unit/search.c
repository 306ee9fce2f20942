/* search.c - tests of the parts of the Pacbot player `search`. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "game/match.h"
#include "policy/beam.h"
#include "policy/search_value.h"

static struct pb_match_board board;
static struct pb_match_opts opts;

/* The slow beam: entries in a row, all looked at each time. */
struct slow {
	struct {
		double value;
		uint64_t key;
		int name;
	} e[PB_BEAM_WIDEST];
	int n, width;
};

static void
slow_keep(struct slow *b, uint64_t key, double value, int name)
{
	int at = 0;

	while (at < b->n && b->e[at].key != key)
		at++;
	if (at == b->width) {
		at = 0;
		for (int i = 1; i < b->n; i++)
			if (b->e[i].value < b->e[at].value)
				at = i;
	}
	if (at < b->n && b->e[at].value >= value)
		return;
	if (at == b->n)
		b->n++;
	b->e[at].key = key;
	b->e[at].value = value;
	b->e[at].name = name;
}

/* What is in the slots of b, by names, is what the slow beam has. */
static void
compare(const struct pb_beam *b, const int *name, const struct slow *s)
{
	bool same = b->n == s->n;

	for (int i = 0; same && i < s->n; i++)
		same = b->value[i] == s->e[i].value &&
		       b->key[i] == s->e[i].key &&
		       name[b->slot[i]] == s->e[i].name;
	check(same);
}

static void
try_beam(struct pb_beam *b, int width, uint32_t keys, struct pb_rng *r)
{
	static struct slow s;
	int name[PB_BEAM_WIDEST + 1];

	s.n = 0;
	s.width = width;
	pb_beam_empty(b, width);
	for (int i = 0; i < 4 * width + 20; i++) {
		uint64_t key = pb_rng_below(r, keys) * UINT64_C(0x100000001b3);
		double value = pb_rng_below(r, 3 * (uint32_t)width), floor;
		int at;

		name[pb_beam_spare(b)] = i;
		floor = pb_beam_floor(b, key, &at);
		if (value > floor)
			pb_beam_keep(b, at, key, value);
		slow_keep(&s, key, value, i);
		compare(b, name, &s);
	}
}

static void
test_beam_keeps_the_best(void)
{
	static const int width[] = {1, 2, 3, 5, 8, 66, PB_BEAM_WIDEST};
	struct pb_rng r;

	pb_rng_start(&r, 1, 0, PB_FOR_PLAYER, 0);
	for (size_t i = 0; i < sizeof(width) / sizeof(*width); i++) {
		int w = width[i];
		struct pb_beam b;
		void *mem = malloc(pb_beam_size(w));

		pb_beam_place(&b, mem, w);
		try_beam(&b, w, 1000000, &r);
		try_beam(&b, w, 2 * (uint32_t)w, &r);
		try_beam(&b, (w + 1) / 2, 3 * (uint32_t)w, &r);
		try_beam(&b, w, 1, &r);
		free(mem);
	}
}

/* The points of hunting as pb_search_value means them, every order tried. */
static double
slow_hunt(const struct pb_pacbot *s, int from, double time, unsigned todo)
{
	double best = 0;
	int combo = s->combo;

	for (int i = 0; i < PB_ARCADE_GHOSTS; i++)
		combo += !(todo >> i & 1);
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		struct pb_at p = s->ghost[i].loc;
		int at = pb_cells_at(&board.cells, p.row, p.col);
		double left = s->ghost[i].fright * s->period, t, chance;

		if (!(todo >> i & 1))
			continue;
		t = 1.1 * pb_cells_dist(&board.cells, from, at) + 1;
		t = time + opts.ticks_per_cell * t;
		chance = fmin((left - t) / (left + 40), 0.95);
		if (chance <= 0)
			continue;
		best = fmax(
		    best, chance * ((200 << (combo < 3 ? combo : 3)) +
				       slow_hunt(s, at, t, todo & ~(1u << i))));
	}
	return best;
}

static int
slow_nearest(const struct pb_pacbot *s, int from)
{
	int best = PB_FAR;

	for (int i = 0; i < board.cells.n; i++) {
		const struct pb_cell_at *p = &board.cells.cell[i];
		int d = pb_cells_dist(&board.cells, from, i);

		if ((s->pellets[p->row] >> p->col & 1) && d < best)
			best = d;
	}
	return best == PB_FAR ? 0 : best;
}

static struct pb_at
anywhere(struct pb_rng *r)
{
	const struct pb_cell_at *p =
	    &board.cells.cell[pb_rng_below(r, (uint32_t)board.cells.n)];

	return (struct pb_at){p->row, p->col, PB_UP};
}

/* Pellets taken from s, power pellets apart: those set what is held back. */
static void
eat(struct pb_pacbot *s, uint32_t chance, struct pb_rng *r)
{
	for (int i = 0; i < board.cells.n; i++) {
		const struct pb_cell_at *p = &board.cells.cell[i];
		uint32_t bit = UINT32_C(1) << p->col;

		if ((s->pellets[p->row] & ~board.rules.power[p->row] & bit) &&
		    pb_rng_below(r, 100) < chance) {
			s->pellets[p->row] &= ~bit;
			s->left--;
		}
	}
}

/* A state in which all ghosts can be eaten, for different times. */
static struct pb_pacbot
draw_state(const struct pb_pacbot *start, struct pb_rng *r)
{
	struct pb_pacbot s = *start;

	s.pac = anywhere(r);
	s.period = (uint8_t)(2 + 2 * pb_rng_below(r, 6));
	s.combo = (uint8_t)pb_rng_below(r, 7);
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		s.ghost[i].loc = anywhere(r);
		s.ghost[i].eaten = false;
		s.ghost[i].fright = (uint8_t)(1 + pb_rng_below(r, 40));
	}
	eat(&s, pb_rng_below(r, 101), r);
	return s;
}

/* With a floor: the same, or not above it. */
static void
check_floors(struct pb_search_aim *a, const struct pb_pacbot *s, double worth,
    struct pb_rng *r)
{
	for (int i = 0; i < 8; i++) {
		double floor = worth + 400 * (pb_rng_unit(r) - 0.5), got;

		got = pb_search_value(a, s, 80, floor);
		check(worth > floor ? got == worth : got <= floor);
	}
	check(pb_search_value(a, s, 80, worth) <= worth);
}

static void
test_value_equals_trying_all(void)
{
	struct pb_pacbot start, s, calm;
	struct pb_rng r;

	pb_rng_start(&r, 2, 0, PB_FOR_PLAYER, 0);
	pb_pacbot_init(&start, &board.rules, 4);
	for (int game = 0; game < 30; game++) {
		struct pb_bot_view v = {&start, &board, &opts, NULL};
		struct pb_search_aim a = pb_search_aim(&v, 0), fresh;

		for (int i = 0; i < 100; i++) {
			int from;
			double worth, plain;

			s = calm = draw_state(&start, &r);
			for (int g = 0; g < PB_ARCADE_GHOSTS; g++)
				calm.ghost[g].fright = 0;
			from = pb_cells_at(&board.cells, s.pac.row, s.pac.col);
			fresh = pb_search_aim(&v, 0);
			worth = pb_search_value(&fresh, &s, 80, -INFINITY);
			plain = pb_search_value(&a, &calm, 80, -INFINITY);
			check_near(
			    worth - plain, slow_hunt(&s, from, 0, 15), 1e-8);
			check_floors(&a, &s, worth, &r);
			calm.pac = anywhere(&r);
			check_near(
			    pb_search_value(&a, &calm, 80, -INFINITY) - plain,
			    slow_nearest(&s, from) -
				slow_nearest(
				    &calm, pb_cells_at(&board.cells,
					       calm.pac.row, calm.pac.col)),
			    1e-8);
		}
		eat(&start, 10, &r);
	}
}

int
main(void)
{
	struct pb_maze z;

	opts = pb_match_defaults();
	pb_maze_standard("pacman", &z);
	check_int(pb_match_board_init(&board, &z), PB_OK);
	run(test_beam_keeps_the_best);
	run(test_value_equals_trying_all);
	pb_match_board_clear(&board);
	return done();
}
