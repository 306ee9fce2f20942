/* pacmanbot_players.c - the players of PacManBot: list, and the simple ones. */
#include <math.h>

#include "game/pacmanbot/arena.h"
#include "policy/players.h"

/*
 * The published choice, on the planner's timer: without a goal the best pellet;
 * on the way to a remaining pellet another one only if it is better by the
 * margin.
 */
static void
seed_decide(
    void *mem, const void *model, const void *view, struct pb_answer *out)
{
	const struct pb_view *v = view;
	struct pb_score_opts o = pb_round_scores(v->opts);
	struct pb_scene s = {
	    .robot = pb_pose_vec(v->pose),
	    .has_ghost = true,
	    .ghost = v->clyde,
	    .closing = v->closing,
	};
	const struct pb_vec *at = v->arena->at;
	struct pb_choice c;

	(void)mem;
	(void)model;
	c = pb_score_choose(&o, &s, at, v->left, (size_t)v->pellets, NULL);
	if (c.index < 0)
		return;
	if (v->goal == PB_GOAL_PELLET && v->left[v->goal_pellet] &&
	    (c.index == v->goal_pellet ||
		!pb_score_replan(&o, &s, at[v->goal_pellet], at[c.index])))
		return;
	out->kind = PB_GO_PELLET;
	out->pellet = (int)c.index;
}

const struct pb_player pb_player_seed = {
    .name = "seed",
    .summary = "the published planner: Clyde-aware scores, greedy",
    .decide = seed_decide,
};

/* Path length from p to pellet i: along its field, or straight where no field
 * is kept. */
static double
way_to_pellet(const struct pb_arena *a, int i, struct pb_vec p)
{
	const struct pb_way_field *f;
	int at;

	if (a->cell[i] < 0)
		return INFINITY;
	f = pb_arena_field(a, i);
	if (!f->d)
		return pb_dist(p, a->at[i]);
	/* The estimate may lie in a wall: then the straight line is added. */
	at = pb_arena_near(a, f->grid, f->goal, p, 2 * a->map.resolution + 0.5);
	if (at < 0)
		return pb_dist(p, a->at[i]);
	return pb_field_cells(f->d[at]) * a->map.resolution +
	       pb_dist(p, pb_arena_centre(a, at));
}

static void
nearest_decide(
    void *mem, const void *model, const void *view, struct pb_answer *out)
{
	const struct pb_view *v = view;
	double best = INFINITY;

	(void)mem;
	(void)model;
	if (v->goal == PB_GOAL_PELLET)
		return;
	for (int i = 0; i < v->pellets; i++) {
		double d;

		if (!v->left[i])
			continue;
		d = way_to_pellet(v->arena, i, pb_pose_vec(v->pose));
		if (d < best || out->kind == PB_KEEP) {
			best = d;
			out->kind = PB_GO_PELLET;
			out->pellet = i;
		}
	}
}

const struct pb_player pb_player_nearest = {
    .name = "nearest",
    .summary = "the nearest pellet by the way, whatever Clyde does",
    .decide = nearest_decide,
};

const struct pb_player *const pb_pacmanbot_players[] = {&pb_player_seed,
    &pb_player_nearest, &pb_player_safe, &pb_player_oracle, NULL};
