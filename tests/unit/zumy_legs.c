/* zumy_legs.c - tests of bodies in thought. */
#include "check.h"
#include "usual.h"

#include "map/gen_maze.h"
#include "pb/maze.h"
#include "policy/zumy_thought.h"

/* A game in thought, with its own draws. */
struct twin {
	struct pb_zumy_legs l;
	struct pb_zumy_thought t;
	struct pb_zumy_opts o;
};

static void
begin(struct twin *w, const struct pb_zumy_fleet *f)
{
	const struct pb_zumy_view v = {&f->s, NULL, f};

	memset(w, 0, sizeof(*w));
	w->o = *f->s.opts;
	w->t.s = f->s;
	w->t.s.opts = &w->o;
	w->l.spread = -1;
	pb_zumy_legs_begin(&w->l, &v, 1, &w->o, &w->t.s);
	w->l.drawn = true;
	pb_rng_start(&w->l.rng, 3, 0, PB_FOR_MOTION, 0);
	pb_zumy_legs_resume(&w->l, &w->t);
}

static void
check_body(const struct pb_zumy_body *a, const struct pb_zumy_body *b)
{
	check(pb_zumy_same(a->at, b->at));
	check(pb_zumy_same(a->to, b->to));
	check_int(a->facing, b->facing);
	check_int(a->turn, b->turn);
	check_int(a->drive, b->drive);
}

static void
check_twins(const struct twin *a, const struct twin *b)
{
	check_int(a->t.s.tick, b->t.s.tick);
	check_int(a->t.s.ending, b->t.s.ending);
	check_int(a->t.s.waits, b->t.s.waits);
	check_body(&a->t.s.player, &b->t.s.player);
	for (int i = 0; i < a->o.patrols; i++) {
		const struct pb_zumy_patrol *p = &a->t.s.patrol[i];
		const struct pb_zumy_patrol *q = &b->t.s.patrol[i];

		check_body(&p->body, &q->body);
		check(fabs(p->s - q->s) <= 1e-12);
		check(memcmp(&p->map, &q->map, sizeof(p->map)) == 0);
	}
	check(memcmp(&a->l.rng, &b->l.rng, sizeof(a->l.rng)) == 0);
}

/* One tick after the other, and many at once: the same game. *once is those
 * that passed in company. */
static int
play_twins(const struct pb_zumy_fleet *f, int *once)
{
	static struct twin a, b;
	struct pb_rng r;
	int start = f->s.tick;

	pb_rng_start(&r, 4, (uint64_t)start, PB_FOR_TRIAL, 0);
	begin(&a, f);
	begin(&b, f);
	while (b.t.s.ending == PB_ZUMY_ON && b.t.s.tick < start + 2000) {
		enum pb_dir d = (enum pb_dir)pb_rng_below(&r, 5);
		int more = pb_zumy_legs_tick(&b.l, &b.t, d, 40);

		*once += more;
		check_int(pb_zumy_legs_tick(&a.l, &a.t, d, 0), 0);
		for (; more > 0; more--)
			pb_zumy_legs_tick(&a.l, &a.t, PB_STAY, 0);
		check_twins(&a, &b);
	}
	return b.t.s.tick - start;
}

/* From the start of a game, and from where robots are under way. */
static void
play_all(const struct pb_zumy_opts *o)
{
	struct pb_zumy_board b;
	struct pb_maze z;
	int ticks = 0, once = 0;

	check_int(pb_maze_standard("zumy", &z), PB_OK);
	check_int(pb_zumy_board_init(&b, &z), PB_OK);
	for (uint64_t trial = 0; trial < 40; trial++) {
		struct pb_zumy_fleet f;

		pb_zumy_fleet_start(&f, &b, o, 1, trial);
		for (int i = 0; i < 5 * (int)trial; i++)
			pb_zumy_fleet_tick(&f, PB_STAY, NULL);
		/* One that has failed believes what it did, for ever. */
		if (trial % 4 == 0) {
			f.s.patrol[0].s = 0.1;
			pb_zumy_lose(&f.s, 0);
		}
		ticks += play_twins(&f, &once);
	}
	pb_zumy_board_clear(&b);
	printf("# of %d ticks %d at once\n", ticks, once);
	check(once > ticks / 50);
}

test(at_once)
{
	struct pb_zumy_opts o = pb_zumy_defaults();

	o.motion = PB_ZUMY_DRIVE;
	play_all(&o);
	o.patrols = 4;
	o.share = true;
	o.ping = 37;
	play_all(&o);
	o.compat = PB_ZUMY_PUBLISHED;
	play_all(&o);
}
