/* roomba_plan.c - a player that tries every direction many times in thought. */
#include "game/roomba/roomba_course.h"
#include "policy/roomba_players.h"

/* How far a trial looks ahead (ticks), and what its end is worth (points). */
#define DEPTH 24
#define DEATH 400.0 /* a life: more than any pellets within DEPTH */
#define SOON  0.97  /* a tick later is worth less by this factor */
#define STEP  1.0   /* to the next pellet, of distance left at the end */
#define CLEAR 500.0 /* nothing is left */

/* Steps from cell i to the nearest pellet, 0 if none is left. */
static int
pellet_distance(const struct pb_roomba *s, const struct pb_cells *c, int i)
{
	const int16_t *near = c->near + (size_t)i * (size_t)c->n;

	for (int k = 0; k < c->n && near[k] >= 0; k++)
		if (pb_roomba_dot(s, near[k]))
			return pb_cells_dist(c, i, near[k]);
	return 0;
}

/* Whether a ghost that may kill is within one step of cell i. */
static bool
hot(const struct pb_roomba *s, const struct pb_roomba_opts *o,
    const struct pb_cells *c, int i)
{
	for (int k = 0; k < o->ghosts; k++) {
		const struct pb_roomba_ghost *g = &s->ghost[k];

		if (!g->afraid && g->state < PB_ROOMBA_KILLED &&
		    pb_cells_dist(c, g->at, i) <= 1)
			return true;
	}
	return false;
}

/* How the thought goes on: to pellets, not next to ghosts, not back. */
static enum pb_dir
continue_thought(const struct pb_roomba *s, const struct pb_roomba_view *v,
    struct pb_rng *rng)
{
	const struct pb_cells *c = &v->board->cells;
	const struct pb_cell_at *me = &c->cell[s->pacman];
	double best = 1e9, cost;
	enum pb_dir to = PB_STAY;

	for (int d = 0; d < 4; d++) {
		if (!(me->exits >> d & 1))
			continue;
		cost = pellet_distance(s, c, me->to[d]) +
		       (hot(s, v->opts, c, me->to[d]) ? 100 : 0) +
		       (s->dir != PB_STAY && d == (s->dir + 2) % 4 ? 2 : 0) +
		       pb_rng_unit(rng);
		if (cost < best) {
			best = cost;
			to = (enum pb_dir)d;
		}
	}
	return to;
}

/* A game in thought: in step, c.s alone plays. */
struct thought {
	struct pb_roomba_course c;
	bool bodies;
};

static void
begin_thought(struct thought *t, const struct pb_roomba_view *v)
{
	t->bodies = v->fleet != NULL;
	if (t->bodies)
		pb_roomba_course_begin(&t->c, v->fleet, v->board, v->opts);
	else
		t->c.s = *v->s;
}

/* Play on until Pac-Man decides again. Returns whether he will. */
static bool
play_on(struct thought *t, const struct pb_roomba_view *v, enum pb_dir d)
{
	return t->bodies ? pb_roomba_course_on(&t->c, v->board, v->opts, d)
	                 : pb_roomba_step(&t->c.s, v->board, v->opts, d);
}

/* What the game comes to if the stick points to d now: points. */
static double
think(const struct thought *from, const struct pb_roomba_view *v, enum pb_dir d,
    struct pb_rng *rng)
{
	struct thought t = *from;
	struct pb_roomba *s = &t.c.s;
	double worth = 0, now = 1;
	int score = s->score, end = s->tick + DEPTH;

	/* The ghosts' draws are not known: any others will do. */
	for (unsigned i = 0; i < PB_ROOMBA_GHOSTS; i++)
		pb_rng_start(&s->rng[i], pb_rng_u64(rng), 0, PB_FOR_GHOST, i);
	while (s->tick < end) {
		int tick = s->tick;
		bool on = play_on(&t, v, d);

		worth += now * (s->score - score);
		score = s->score;
		if (s->stopped > 0 || s->ending == PB_ROOMBA_CAUGHT)
			return worth - now * DEATH;
		if (s->left == 0)
			return worth + now * CLEAR;
		if (!on)
			break;
		for (; tick < s->tick; tick++)
			now *= SOON;
		d = continue_thought(s, v, rng);
	}
	return worth -
	       now * STEP * pellet_distance(s, &v->board->cells, s->pacman);
}

/* The same draws for each direction: what differs is the direction. */
static void
plan_decide(
    void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_roomba_view *v = view;
	unsigned exits = v->board->cells.cell[v->s->pacman].exits;
	uint64_t seed = pb_rng_u64(v->rng);
	struct thought t;
	enum pb_dir best = PB_STAY;
	double top = -1e300;

	(void)mem;
	(void)known;
	begin_thought(&t, v);
	for (int d = 0; d <= PB_STAY; d++) {
		double sum = 0;

		if (d < PB_STAY && !(exits >> d & 1))
			continue;
		for (int k = 0; k < v->opts->rollouts; k++) {
			struct pb_rng rng;

			pb_rng_start(&rng, seed, (uint64_t)k, PB_FOR_PLAYER, 1);
			sum += think(&t, v, (enum pb_dir)d, &rng);
		}
		if (sum > top) {
			top = sum;
			best = (enum pb_dir)d;
		}
	}
	out->dir = best;
}

const struct pb_player pb_roomba_plan = {.name = "plan",
    .summary = "tries every direction many times in thought",
    .decide = plan_decide};
