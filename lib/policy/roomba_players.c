/* roomba_players.c - the players of the Roomba game. */
#include "game/roomba/roomba.h"
#include "policy/players.h"

/* Steps that a careful player keeps from a ghost that may kill it. */
#define KEEP 2

static const struct pb_cells *
cells_of(const struct pb_roomba_view *v)
{
	return &v->s->board->cells;
}

/* Ways out of Pac-Man's cell. */
static unsigned
exits_of(const struct pb_roomba_view *v)
{
	return cells_of(v)->cell[v->s->pacman].exits;
}

static enum pb_dir
random_way(const void *view)
{
	const struct pb_roomba_view *v = view;

	return pb_random_dir(exits_of(v), v->rng);
}

static const struct pb_player roomba_random = {.name = "random",
    .summary = "any open direction, by chance",
    .choose = random_way};

/* The first step to the nearest pellet by one of `exits`. */
static enum pb_dir
to_pellet(const struct pb_roomba_view *v, unsigned exits)
{
	const struct pb_cells *c = cells_of(v);
	const int16_t *near = c->near + (size_t)v->s->pacman * (size_t)c->n;

	for (int k = 1; k < c->n && near[k] >= 0; k++) {
		unsigned first =
		    pb_cells_first(c, v->s->pacman, near[k]) & exits;

		if (pb_roomba_dot(v->s, near[k]) && first != 0)
			return pb_lowest_dir(first);
	}
	return pb_lowest_dir(exits);
}

static enum pb_dir
greedy(const void *view)
{
	return to_pellet(view, exits_of(view));
}

static const struct pb_player roomba_greedy = {.name = "greedy",
    .summary = "the nearest pellet, ghosts or not",
    .choose = greedy};

/* Steps from cell i to the nearest ghost that may kill. */
static int
steps_to_danger(const struct pb_roomba *s, int i)
{
	int least = PB_FAR;

	for (int k = 0; k < s->opts->ghosts; k++) {
		const struct pb_roomba_ghost *g = &s->ghost[k];
		int d;

		if (g->afraid || g->state >= PB_ROOMBA_KILLED)
			continue;
		d = pb_cells_dist(&s->board->cells, g->at, i);
		least = d < least ? d : least;
	}
	return least;
}

/* Eat pellets while no ghost is near, else flee from the nearest; standing
 * still counts as fleeing too. */
static enum pb_dir
flee(const void *view)
{
	const struct pb_roomba_view *v = view;
	const struct pb_cell_at *me = &cells_of(v)->cell[v->s->pacman];
	unsigned safe = 0;
	enum pb_dir best = PB_STAY;
	int far = steps_to_danger(v->s, v->s->pacman);

	for (int d = 0; d < 4; d++) {
		int keep =
		    me->exits >> d & 1 ? steps_to_danger(v->s, me->to[d]) : -1;

		if (keep > KEEP)
			safe |= 1u << d;
		if (keep > far) {
			far = keep;
			best = (enum pb_dir)d;
		}
	}
	return safe != 0 ? to_pellet(v, safe) : best;
}

const struct pb_player pb_roomba_flee = {.name = "flee",
    .summary = "the nearest pellet, out of the way of ghosts",
    .choose = flee};

/* Length of a rollout (ticks), and the value of its end (points). */
#define DEPTH 24
#define DEATH 400.0 /* a life: more than any pellets within DEPTH */
#define SOON  0.97  /* discount factor for a tick */
#define STEP  1.0   /* to the next pellet, of distance left at the end */
#define CLEAR 500.0 /* nothing is left */

/* Steps from cell i to the nearest pellet, 0 if none is left. */
static int
pellet_distance(const struct pb_roomba *s, int i)
{
	const struct pb_cells *c = &s->board->cells;
	const int16_t *near = c->near + (size_t)i * (size_t)c->n;

	for (int k = 0; k < c->n && near[k] >= 0; k++)
		if (pb_roomba_dot(s, near[k]))
			return pb_cells_dist(c, i, near[k]);
	return 0;
}

/* The rollout's next move: to pellets, not beside ghosts, not back. */
static enum pb_dir
rollout_move(const struct pb_roomba *s, struct pb_rng *rng)
{
	const struct pb_cell_at *me = &s->board->cells.cell[s->pacman];
	double best = 1e9, cost;
	enum pb_dir to = PB_STAY;

	for (int d = 0; d < 4; d++) {
		if (!(me->exits >> d & 1))
			continue;
		cost = pellet_distance(s, me->to[d]) +
		       (steps_to_danger(s, me->to[d]) <= 1 ? 100 : 0) +
		       (s->dir != PB_STAY && d == (s->dir + 2) % 4 ? 2 : 0) +
		       pb_rng_unit(rng);
		if (cost < best) {
			best = cost;
			to = (enum pb_dir)d;
		}
	}
	return to;
}

/* Value of a rollout that begins with the stick in direction d (points). */
static double
rollout_value(const struct pb_roomba_course *from, bool bodies, enum pb_dir d,
    struct pb_rng *rng)
{
	struct pb_roomba_course c = *from;
	struct pb_roomba *s = &c.s;
	double worth = 0, now = 1;
	int score = s->score, end = s->tick + DEPTH;

	/* The ghosts' draws are unknown: draw others. */
	for (unsigned i = 0; i < PB_ROOMBA_GHOSTS; i++)
		pb_rng_start(&s->rng[i], pb_rng_u64(rng), 0, PB_FOR_GHOST, i);
	while (s->tick < end) {
		int tick = s->tick;
		/* Until Pac-Man decides again. */
		bool on = bodies ? pb_roomba_course_on(&c, d)
		                 : pb_roomba_step(s, d, NULL);

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
		d = rollout_move(s, rng);
	}
	return worth - now * STEP * pellet_distance(s, s->pacman);
}

/* Compare directions with common random numbers. */
static enum pb_dir
plan(const void *view)
{
	const struct pb_roomba_view *v = view;
	uint64_t seed = pb_rng_u64(v->rng);
	bool bodies = v->fleet != NULL;
	struct pb_roomba_course c; /* in step c.s alone plays */
	enum pb_dir best = PB_STAY;
	double top = -1e300;

	if (bodies)
		pb_roomba_course_begin(&c, v->fleet);
	else
		c.s = *v->s;
	for (int d = 0; d <= PB_STAY; d++) {
		double sum = 0;

		if (d < PB_STAY && !(exits_of(v) >> d & 1))
			continue;
		for (int k = 0; k < v->s->opts->rollouts; k++) {
			struct pb_rng rng;

			pb_rng_start(&rng, seed, (uint64_t)k, PB_FOR_PLAYER, 1);
			sum += rollout_value(&c, bodies, (enum pb_dir)d, &rng);
		}
		if (sum > top) {
			top = sum;
			best = (enum pb_dir)d;
		}
	}
	return best;
}

static const struct pb_player roomba_plan = {.name = "plan",
    .summary = "tries every direction many times in thought",
    .choose = plan};

const struct pb_player *const pb_roomba_players[] = {
    &roomba_random, &roomba_greedy, &pb_roomba_flee, &roomba_plan, NULL};
