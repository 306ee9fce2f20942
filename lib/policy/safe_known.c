/* safe_known.c - what the player `safe` learns of an arena before it plays. */
#include "policy/safe_known.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"

/*
 * Blocks of the robot's net and of Clyde's chain (m): as large as they may be
 * to tell meeting from passing, since the table of values grows with the
 * product of their numbers.
 */
#define BLOCK 0.3

/* Most nodes of the net, and entries of the table of values. */
#define NODES  1200
#define VALUES 6e6

/* Corners and accelerations cost this part of the top speed. */
#define BRISK 0.92

/* Steps of the plan last as long as half a block, and reach this far (s). */
#define AHEAD 10.0

/*
 * In a coarse net few ways last just as long as the plan, and shorter ones
 * cost the same whenever they begin: they begin now, unless to wait gains this
 * part of a step. A net is coarse from so many BLOCKs on.
 */
#define IDLE   0.01f
#define COARSE 1.5

/* Being caught counts up to about so far in the future (s). */
#define HORIZON 60.0

/*
 * What is added to the death radius (m): half of what Clyde walks between two
 * of his messages.
 */
#define MARGIN 0.04

/* Deviations (m): of the follower from its way, of Clyde from the
 * way that he was thought to take, and from the middle of a block. */
#define FOLLOWS  0.03
#define IN_WALK  0.12
#define IN_CHAIN 0.09

/* Chances of being caught below this count as none. */
#define LEAST 1e-4

static double
root_sum(double a, double b, double c)
{
	return sqrt(a * a + b * b + c * c);
}

/* Deviation of what the judge will see from where the robot wants to be. */
static double
judge_sd(const struct pb_round_opts *o)
{
	if (o->judge == PB_JUDGE_ESTIMATE)
		return o->pose_sd;
	/* The filter averages over some twenty estimates of a lasting error. */
	return 0.5 * o->pose_sd;
}

static enum pb_status
make_graphs(struct pb_safe_known *k, const struct pb_arena *a)
{
	enum pb_status err = pb_safe_walk_init(&k->walk, &a->clyde);
	double side = BLOCK;
	int blocks;

	for (; err == PB_OK; side *= 1.25) {
		err = pb_safe_net_init(&k->net, a, side);
		if (err != PB_OK || k->net.n <= NODES)
			break;
		pb_safe_net_clear(&k->net);
	}
	if (err != PB_OK)
		return err;
	blocks = (int)(BLOCK / (5 * k->walk.unit) + 0.5);
	blocks = blocks < 1 ? 1 : blocks;
	for (;; blocks++) {
		err = pb_safe_chain_init(&k->chain, &k->walk, blocks);
		if (err != PB_OK ||
		    (double)k->chain.states * k->net.n <= VALUES)
			return err;
		pb_safe_chain_clear(&k->chain);
	}
}

/*
 * The present error of the estimate, if the judge goes by it, decays while new
 * ones build up: about one estimate a step.
 */
static void
set_soon(struct pb_safe_field *f, const struct pb_round_opts *o)
{
	bool lasts = o->judge == PB_JUDGE_ESTIMATE;

	f->keep = lasts ? o->pose_keep : 0;
	for (int i = 0; i < PB_SAFE_SOON; i++) {
		double fresh = sqrt(1 - pb_pow(f->keep, 2 * (i + 1)));

		f->soon[i] = pb_safe_kill_make(o->death_radius + MARGIN,
		    root_sum(judge_sd(o) * fresh, FOLLOWS, IN_WALK), LEAST);
	}
}

/* Deviation from the middle of a coarse block, if it is larger than BLOCK. */
static double
block_sd(const struct pb_safe_chain *c, const struct pb_safe_walk *w)
{
	return c->side * 5 * w->unit / sqrt(12);
}

static enum pb_status
make_field(struct pb_safe_known *k, const struct pb_round_opts *o)
{
	struct pb_safe_field *f = &k->field;
	double radius = o->death_radius + MARGIN, sd = judge_sd(o);
	double clyde = o->clyde_speed + (o->round - 1) * o->clyde_step;
	double spread = block_sd(&k->chain, &k->walk);
	struct pb_safe_kill coarse = pb_safe_kill_make(
	    radius, root_sum(sd, FOLLOWS, fmax(IN_CHAIN, spread)), LEAST);
	enum pb_status err;

	*f = (struct pb_safe_field){.walk = &k->walk,
	    .chain = &k->chain,
	    .net = &k->net,
	    .value = &k->value,
	    .moving = pb_safe_kill_make(
		radius, root_sum(sd, FOLLOWS, IN_WALK), LEAST),
	    .blocks = pb_safe_kill_make(
		radius, root_sum(sd, FOLLOWS, fmax(IN_WALK, spread)), LEAST),
	    .still = pb_safe_kill_make(radius,
		o->judge == PB_JUDGE_ESTIMATE ? IN_WALK
					      : root_sum(sd, FOLLOWS, IN_WALK),
		LEAST),
	    .luck = o->judge == PB_JUDGE_ESTIMATE ? o->pose_sd : 0,
	    .lag = o->judge == PB_JUDGE_ESTIMATE ? o->pose_min_d / 2 : 0,
	    .speed = BRISK * o->v_max};
	set_soon(f, o);
	f->dt = k->net.side * k->net.arena->map.resolution / 2 / f->speed;
	f->steps = (int)(AHEAD / f->dt + 0.5);
	f->steps = f->steps < 8 ? 8 : f->steps;
	if (f->steps > PB_SAFE_PLAN_STEPS)
		f->steps = PB_SAFE_PLAN_STEPS;
	f->idle = k->net.side * k->net.arena->map.resolution > COARSE * BLOCK
	              ? IDLE
	              : 0;
	err = pb_safe_value_init(
	    &k->value, &k->net, &k->chain, &coarse, f->speed, clyde, HORIZON);
	return err == PB_OK ? pb_safe_field_init(f) : err;
}

static enum pb_status
make_ways(struct pb_safe_known *k, const struct pb_arena *a)
{
	size_t p = (size_t)a->n + 1, n = (size_t)k->net.n;
	int *line = malloc((n + 1) * sizeof(*line));

	k->pellets = a->n;
	k->node = malloc(p * sizeof(*k->node));
	k->reach = malloc((p * n + 1) * sizeof(*k->reach));
	k->apart = malloc(p * p * sizeof(*k->apart));
	if (!line || !k->node || !k->reach || !k->apart) {
		free(line);
		return PB_ENOMEM;
	}
	for (int i = 0; i < a->n; i++) {
		float *row = &k->reach[(size_t)i * n];

		k->node[i] = a->cell[i] < 0 ? -1 : k->net.owner[a->cell[i]];
		for (size_t x = 0; x < n; x++)
			row[x] = INFINITY;
		if (k->node[i] >= 0)
			pb_safe_net_dist(&k->net, k->node[i], line, row);
	}
	free(line);
	for (int i = 0; i < a->n; i++)
		for (int j = 0; j < a->n; j++)
			k->apart[i * a->n + j] =
			    k->node[j] < 0
				? INFINITY
				: k->reach[(size_t)i * n + (size_t)k->node[j]];
	return PB_OK;
}

enum pb_status
pb_safe_learn(
    const struct pb_arena *a, const struct pb_round_opts *o, void **known)
{
	struct pb_safe_known *k = calloc(1, sizeof(*k));
	enum pb_status err;

	if (k == NULL)
		return PB_ENOMEM;
	k->pose = (struct pb_safe_pose_opts){.sd = o->pose_sd,
	    .th_sd = o->pose_th_sd,
	    .keep = o->pose_keep,
	    .rot_rot = o->odom_rot_rot,
	    .rot_trans = o->odom_rot_trans,
	    .trans_trans = o->odom_trans_trans,
	    .trans_rot = o->odom_trans_rot};
	err = make_graphs(k, a);
	if (err == PB_OK)
		err = make_field(k, o);
	if (err == PB_OK)
		err = make_ways(k, a);
	if (err != PB_OK)
		pb_safe_forget(k);
	else
		*known = k;
	return err;
}

void
pb_safe_forget(void *known)
{
	struct pb_safe_known *k = known;

	if (k == NULL)
		return;
	pb_safe_field_clear(&k->field);
	pb_safe_value_clear(&k->value);
	pb_safe_net_clear(&k->net);
	pb_safe_chain_clear(&k->chain);
	pb_safe_walk_clear(&k->walk);
	free(k->node);
	free(k->reach);
	free(k->apart);
	free(k);
}
