/* search.c - tests of the parts of the Pacbot player `search`. */
#define CHECK_MAIN
#include "check.h"
#include "usual.h"

#include "pb/match.h"
#include "policy/pacbot_search.h"

/* Round numbers, by which the answers below are reckoned. */
static const struct pb_search_weights hand = {
    .hold = 2400,
    .hold_ticks = 3000,
    .share = 25,
    .wait_hold = 2000,
    .shares = 2,
    .route = 1.5,
    .wait_leave = 15,
    .wait_step = 20,
    .death = 4000,
    .later = 2,
    .per_tick = 0.05,
    .pellet = 40,
    .per_cell = 1,
    .fruit = 1000,
    .fruit_cell = 50,
    .chase = 1.1,
    .chase_slow = 1.6,
    .again = 1,
    .spare = 40,
    .sure = 0.95,
};

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

test(beam_keeps_the_best)
{
	static const int width[] = {1, 2, 3, 5, 8, 66, PB_BEAM_WIDEST};
	struct pb_rng r = draws(1, PB_FOR_PLAYER);

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

/* What the way costs to the nearest pellet, or power pellet if he waits. */
static int
slow_nearest(const struct pb_pacbot *s, bool waits, int from)
{
	int best = PB_FAR;

	for (int i = 0; i < board.cells.n; i++) {
		const struct pb_cell_at *p = &board.cells.cell[i];
		uint32_t row = s->pellets[p->row];
		int d = pb_cells_dist(&board.cells, from, i);

		if (waits)
			row &= board.rules.power[p->row];
		if ((row >> p->col & 1) && d < best)
			best = d;
	}
	return best == PB_FAR ? 0 : waits ? 20 * best : best;
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
		    (chance == 100 || pb_rng_below(r, 100) < chance)) {
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
check_floors(struct pb_search_eval *a, const struct pb_pacbot *s, double worth,
    struct pb_rng *r)
{
	for (int i = 0; i < 8; i++) {
		double floor = worth + 400 * (pb_rng_unit(r) - 0.5), got;

		got = pb_search_value(a, s, 80, 0, floor);
		check(worth > floor ? got == worth : got <= floor);
	}
	check(pb_search_value(a, s, 80, 0, worth) <= worth);
}

test(value_equals_trying_all)
{
	struct pb_pacbot start, s, calm;
	struct pb_rng r = draws(2, PB_FOR_PLAYER);

	pb_pacbot_init(&start, &board.rules, 4);
	for (int game = 0; game < 30; game++) {
		struct pb_bot_view v = {&start, &board, &opts, NULL};
		struct pb_search_eval a, fresh;

		pb_search_eval(&a, &v, &hand, 0);
		for (int i = 0; i < 100; i++) {
			int from;
			double worth, plain;

			s = calm = draw_state(&start, &r);
			for (int g = 0; g < PB_ARCADE_GHOSTS; g++)
				calm.ghost[g].fright = 0;
			from = pb_cells_at(&board.cells, s.pac.row, s.pac.col);
			pb_search_eval(&fresh, &v, &hand, 0);
			worth = pb_search_value(&fresh, &s, 80, 0, -INFINITY);
			plain = pb_search_value(&a, &calm, 80, 0, -INFINITY);
			check_near(
			    worth - plain, slow_hunt(&s, from, 0, 15), 1e-8);
			check_floors(&a, &s, worth, &r);
			calm.pac = anywhere(&r);
			check_near(
			    pb_search_value(&a, &calm, 80, 0, -INFINITY) -
				plain,
			    slow_nearest(&s, a.waits, from) -
				slow_nearest(&calm, a.waits,
				    pb_cells_at(&board.cells, calm.pac.row,
					calm.pac.col)),
			    1e-8);
		}
		eat(&start, 10, &r);
	}
}

/* What a fruit adds: less with the way, nothing where he comes too late. */
test(fruit)
{
	struct pb_pacbot start, s, none;
	struct pb_bot_view v = {&start, &board, &opts, NULL};
	struct pb_search_eval a;
	int at = pb_cells_at(&board.cells, 17, 13), late = 0;
	struct pb_rng r = draws(3, PB_FOR_PLAYER);

	pb_pacbot_init(&start, &board.rules, 4);
	pb_search_eval(&a, &v, &hand, 0);
	for (int i = 0; i < 200; i++) {
		double want, got;
		int d;

		s = none = draw_state(&start, &r);
		s.fruit_steps = (uint8_t)(1 + pb_rng_below(&r, 30));
		d = pb_cells_dist(&board.cells, at,
		    pb_cells_at(&board.cells, s.pac.row, s.pac.col));
		want = fmax(0, 1000 - 50 * d);
		if ((d + 1) * opts.ticks_per_cell > s.fruit_steps * s.period) {
			want = 0;
			late++;
		}
		got = pb_search_value(&a, &s, 80, 0, -INFINITY) -
		      pb_search_value(&a, &none, 80, 0, -INFINITY);
		check_near(got, want, 1e-8);
		got = pb_search_value(&a, &none, 80, 1, -INFINITY) -
		      pb_search_value(&a, &none, 80, 0, -INFINITY);
		check_near(got, 1000, 1e-8);
	}
	check(late > 0 && late < 200);
	s.fruit_steps = 3;
	none.fruit_steps = 0;
	none.pac = (struct pb_at){17, 13, PB_UP};
	check(pb_search_eats_fruit(&s, &none));
	none.pac.col = 12;
	check(!pb_search_eats_fruit(&s, &none));
}

/* What near ghosts are worth to a leaf that asks, and where it need not. */
test(company)
{
	struct pb_pacbot start, s;
	struct pb_bot_view v = {&start, &board, &opts, NULL};
	struct pb_search_weights shy = hand;
	struct pb_search_eval a, asks;
	struct pb_rng r = draws(4, PB_FOR_PLAYER);

	shy.near = 3;
	shy.gather = 0.5;
	pb_pacbot_init(&start, &board.rules, 4);
	pb_search_eval(&a, &v, &hand, 0);
	pb_search_eval(&asks, &v, &shy, 0);
	for (int i = 0; i < 500; i++) {
		double want = 0, plain, worth;
		int from;

		s = draw_state(&start, &r);
		from = pb_cells_at(&board.cells, s.pac.row, s.pac.col);
		for (int g = 0; g < PB_ARCADE_GHOSTS; g++) {
			int at = pb_cells_at(&board.cells, s.ghost[g].loc.row,
			    s.ghost[g].loc.col);
			int d =
			    at < 0 ? 0 : pb_cells_dist(&board.cells, from, at);

			if (at >= 0 && s.ghost[g].fright == 0)
				want -= 3 * fmax(0, 6 - d) + 0.5 * fmin(d, 20);
		}
		plain = pb_search_value(&a, &s, 80, 0, -INFINITY);
		worth = pb_search_value(&asks, &s, 80, 0, -INFINITY);
		check_near(worth - plain, want, 1e-8);
		check_floors(&asks, &s, worth, &r);
	}
}

static struct pb_search_eval
aim_of(const struct pb_bot_view *v)
{
	struct pb_search_eval a;

	pb_search_eval(&a, v, &hand, 0);
	return a;
}

/* Who is as fast as ghosts, has power pellets and time waits for them. */
test(who_waits)
{
	struct pb_pacbot s;
	struct pb_match_opts slow = opts;
	struct pb_bot_view v = {&s, &board, &opts, NULL};
	struct pb_bot_view late = {&s, &board, &slow, NULL};

	slow.ticks_per_cell = 12;
	pb_pacbot_init(&s, &board.rules, 4);
	check(aim_of(&v).waits);
	check(aim_of(&late).waits);
	slow.ticks_per_cell = 13;
	check_int(aim_of(&v).power, 4);
	check(!aim_of(&late).waits);
	s.level_steps = 180;
	check(!aim_of(&v).waits);
	/* 500 updates are enough at 12 ticks, not at the 8 of level 3. */
	s.level_steps = 500;
	check(aim_of(&v).waits);
	s.period = 8;
	check(!aim_of(&v).waits);
	s.period = 12;
	s.level_steps = 960;
	eat(&s, 100, NULL);
	check_int(s.left, 4);
	check(!aim_of(&v).waits);
}

/* A power pellet is kept the shorter, the less time there is to share out. */
test(how_long_to_wait)
{
	struct pb_pacbot s;
	struct pb_bot_view v = {&s, &board, &opts, NULL};

	pb_pacbot_init(&s, &board.rules, 4);
	check_near(aim_of(&v).hold_ticks, 3000, 1e-9);
	/* Of 4 hunts of 40 updates and 1.5 * 8 ticks for each of 244 pellets
	 * 7,680 ticks leave 3,472, in 4 shares that count twice. */
	s.period = 8;
	check_near(aim_of(&v).hold_ticks, 1736, 1e-9);
	s.tick = 100;
	check_near(aim_of(&v).hold_ticks, 1786, 1e-9);
}

/* A frightened ghost is hunted while the way to it is short enough. */
test(whom_to_hunt)
{
	struct pb_pacbot s;
	struct pb_bot_view v = {&s, &board, &opts, NULL};
	struct pb_search_eval a;

	pb_pacbot_init(&s, &board.rules, 4);
	pb_search_eval(&a, &v, &hand, 0);
	check(!pb_search_can_catch(&a, &s));
	s.pac = (struct pb_at){29, 1, PB_LEFT};
	s.ghost[2].loc = (struct pb_at){29, 21, PB_LEFT};
	/* 20 cells: 1.1 * 20 + 1 of 8 ticks are 184. */
	s.ghost[2].fright = 15;
	check(!pb_search_can_catch(&a, &s));
	s.ghost[2].fright = 16;
	check(pb_search_can_catch(&a, &s));
	s.ghost[2].loc = (struct pb_at){14, 13, PB_UP};
	s.ghost[2].fright = 1;
	check(pb_search_can_catch(&a, &s));
}

int
main(void)
{
	struct pb_maze z;

	opts = pb_match_defaults();
	pb_maze_standard("pacman", &z);
	check_int(pb_match_board_init(&board, &z), PB_OK);
	run_tests();
	pb_match_board_clear(&board);
	return done();
}
