/* pacbot_seen.c - tests of the game that is told from frames. */
#define CHECK_MAIN
#include "check.h"

#include "game/pacbot/pacbot_frame.h"

static struct pb_pacbot_rules rules;

/* A game with a player who walks at random, and what its frames told. */
struct world {
	struct pb_pacbot s;
	struct pb_pacbot_seen seen;
	struct pb_rng rng;
	int odd;   /* one in so many iterations has an odd command, 0: none */
	int lost;  /* one in so many frames is lost, 0: none */
	int plans; /* that were compared */
	int wrong;
	int cells; /* next cells that were wrong */
};

static void
command(struct world *w, const void *bytes, int n)
{
	const struct pb_arcade_draw d = {
	    .pick = pb_arcade_any_way, .ctx = &w->rng};

	pb_pacbot_command(&w->s, &rules, &d, bytes, n);
}

static void
odd_command(struct world *w)
{
	uint8_t place[3] = {'x', (uint8_t)pb_rng_below(&w->rng, 31),
	    (uint8_t)pb_rng_below(&w->rng, 28)};

	if (pb_rng_below(&w->rng, 4) > 0)
		command(w, place, 3);
	else
		command(w, &"prwa"[pb_rng_below(&w->rng, 4)], 1);
}

/* Straight on where that goes, else another way. */
static void
walk(struct world *w)
{
	struct pb_at p = w->s.pac;
	int d = p.dir;

	if (p.row >= PB_ARCADE_OFF)
		return;
	while (!(rules.board.exits[p.row][p.col] >> d & 1) ||
	       pb_rng_below(&w->rng, 8) == 0)
		d = (int)pb_rng_below(&w->rng, 4);
	command(w, &"wasd"[d], 1);
}

static void
compare(struct world *w)
{
	for (int i = 0; i < PB_ARCADE_GHOSTS; i++) {
		const struct pb_arcade *g = &w->s.ghost[i];
		struct pb_at a = g->next, b = w->seen.s.ghost[i].next;

		w->cells += a.row != b.row || a.col != b.col;
		if (g->fright > 1)
			continue;
		w->plans++;
		w->wrong += a.dir != b.dir;
	}
}

static void
iterate(struct world *w)
{
	const struct pb_arcade_draw d = {
	    .pick = pb_arcade_any_way, .ctx = &w->rng};
	uint8_t frame[PB_PACBOT_FRAME];

	pb_pacbot_begin(&w->s, &rules, &d);
	pb_pacbot_frame(&w->s, frame);
	if (w->lost == 0 || pb_rng_below(&w->rng, (uint32_t)w->lost) > 0) {
		check_int(pb_pacbot_see_frame(&w->seen, &rules, frame), -1);
		compare(w);
	}
	if (w->s.paused)
		command(w, w->s.lives == 0 ? "rP" : "P", 1);
	else if (w->s.tick % 5 == 0)
		walk(w);
	if (w->odd > 0 && pb_rng_below(&w->rng, (uint32_t)w->odd) == 0)
		odd_command(w);
	pb_pacbot_end(&w->s);
}

static struct world
play(uint64_t seed, int active, int odd, int lost)
{
	struct world w = {.odd = odd, .lost = lost};

	pb_rng_start(&w.rng, seed, 0, PB_FOR_PLAYER, 0);
	pb_pacbot_init(&w.s, &rules, active);
	for (int i = 0; i < 20000; i++)
		iterate(&w);
	return w;
}

/* Frames without a gap tell all plans but those of frightened ghosts. */
test(plans)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct world w = play(seed, PB_ARCADE_GHOSTS, 0, 0);

		check(w.plans > 50000);
		check_int(w.wrong, 0);
		check_int(w.cells, 0);
	}
}

/* The steps of a level may run out in any update, also when ghosts turn. */
test(level_steps_run_out)
{
	for (int left = 1; left < 400; left++) {
		struct world w = {0};

		pb_rng_start(&w.rng, 3, 0, PB_FOR_PLAYER, 0);
		pb_pacbot_init(&w.s, &rules, PB_ARCADE_GHOSTS);
		w.s.level_steps = (uint16_t)left;
		for (int i = 0; i < 14 * (left + 2); i++)
			iterate(&w);
		check_int(w.wrong, 0);
		check_int(w.cells, 0);
	}
}

test(fewer_ghosts)
{
	for (int active = 0; active < PB_ARCADE_GHOSTS; active++) {
		struct world w = play(7, active, 0, 0);

		check_int(w.wrong, 0);
		check_int(w.cells, 0);
	}
}

/* Players that jump, pause and begin again change nothing of that. */
test(odd_commands)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct world w = play(seed, PB_ARCADE_GHOSTS, 40, 0);

		check_int(w.wrong, 0);
		check_int(w.cells, 0);
	}
}

/* Who turns just then is taken for one that goes on. */
test(lost_frames)
{
	int plans = 0, wrong = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct world w = play(seed, PB_ARCADE_GHOSTS, 0, 4);

		plans += w.plans;
		wrong += w.wrong;
		check_int(w.cells, 0);
	}
	check(wrong < plans / 200);
}

test(refusal)
{
	struct pb_pacbot_seen v = {0}, was;
	struct pb_pacbot s;
	uint8_t frame[PB_PACBOT_FRAME];

	pb_pacbot_init(&s, &rules, PB_ARCADE_GHOSTS);
	pb_pacbot_frame(&s, frame);
	check_int(pb_pacbot_see_frame(&v, &rules, frame), -1);
	was = v;
	frame[2] = 0;
	check_int(pb_pacbot_see_frame(&v, &rules, frame), 2);
	check(memcmp(&v, &was, sizeof v) == 0);
}

int
main(void)
{
	struct pb_maze z;

	pb_maze_standard("pacman", &z);
	pb_pacbot_rules_init(&rules, &z);
	run_tests();
	return done();
}
