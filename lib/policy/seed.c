/* seed.c - the published planner: one pellet at a time, Clyde in mind. */
#include "game/pacmanbot/arena.h"
#include "policy/pacmanbot_players.h"

struct pb_score_opts
pb_player_seed_scores(const struct pb_round_opts *o)
{
	struct pb_score_opts s = pb_score_defaults();

	s.risk_radius = o->risk_radius;
	s.risk_weight = o->risk_weight;
	s.direction_penalty = o->direction_penalty;
	s.death_radius = o->death_radius;
	s.emergency_radius = o->emergency_radius;
	s.warning_radius = o->warning_radius;
	s.approach_speed = o->approach_speed;
	s.replan_margin = o->replan_margin;
	return s;
}

/*
 * On the planner's timer: without a goal the best pellet; on the way to one
 * that is still there, another only if it is better by the margin.
 */
static void
decide(void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_view *v = view;
	struct pb_score_opts o = pb_player_seed_scores(v->opts);
	struct pb_scene s = {
	    .robot = pb_pose_vec(v->pose),
	    .has_ghost = true,
	    .ghost = v->clyde,
	    .closing = v->closing,
	};
	const struct pb_vec *at = v->arena->at;
	struct pb_choice c;

	(void)mem;
	(void)known;
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
    .decide = decide,
};

const struct pb_player *const pb_pacmanbot_players[] = {
    &pb_player_seed, &pb_player_nearest, &pb_player_safe, NULL};
