/*
 * faithful.c - a round plays the very Clyde of ghost/clyde.h and chooses the
 * very pellets of game/score.h: a watcher retells both from the events alone.
 */

#include "check.h"

#include "game/pacmanbot/round_state.h"
#include "game/score.h"
#include "map/gen_house.h"
#include "policy/players.h"

struct watcher {
	const struct pb_round *r;
	const struct pb_arena *a;
	struct pb_clyde clyde;
	struct pb_scene scene;
	struct pb_closing closing;
	bool has_robot;
	bool fresh; /* he appeared anew: his next pose is not a tick */
	unsigned char list[PB_ROUND_IDS]; /* pellets as last published */
	unsigned char had[PB_ROUND_IDS];  /* collected */
	double dropped_t;                 /* when the last goal ended (s) */
	int dropped;                      /* its pellet, -1: it was over */
	int ticks, goals, turns;
};

static void
see_command(struct watcher *w, const char *name)
{
	if (strcmp(name, "reset_ghosts") == 0) {
		pb_clyde_reset(&w->clyde);
		w->fresh = true;
	}
	if (strcmp(name, "reset_round") != 0)
		return;
	w->closing = (struct pb_closing){0};
	memset(w->had, 0, sizeof(w->had));
}

static void
see_clyde(struct watcher *w, const struct pb_event *e)
{
	w->ticks++;
	if (!w->fresh)
		pb_clyde_tick(&w->clyde);
	w->fresh = false;
	check(w->clyde.at.x == e->pose.x && w->clyde.at.y == e->pose.y);
	w->scene.ghost = w->clyde.at;
	w->scene.has_ghost = true;
	if (w->has_robot)
		pb_closing_see(&w->closing, w->scene.robot, w->scene.ghost,
		    pb_round_time(w->r));
	w->scene.closing = w->closing.speed;
}

static void
see_pellets(struct watcher *w)
{
	const unsigned char *left = pb_round_left(w->r);

	for (int i = 0; i < w->a->n; i++)
		w->list[i] = left[i] && !w->had[i];
}

/* A goal of the planner must be the published choice, and worth a turn. */
static void
see_goal(struct watcher *w, const struct pb_event *e)
{
	struct pb_score_opts o = pb_score_defaults();
	unsigned char left[PB_ROUND_IDS];
	struct pb_choice c;

	if (e->pellet < 0)
		return;
	for (int i = 0; i < w->a->n; i++)
		left[i] = w->list[i] && !w->had[i];
	c = pb_score_choose(
	    &o, &w->scene, w->a->at, left, (size_t)w->a->n, NULL);
	check_int(e->pellet, c.index);
	w->goals++;
	if (w->dropped < 0 || w->dropped_t != pb_round_time(w->r) ||
	    !left[w->dropped])
		return;
	w->turns++;
	check(pb_score_replan(
	    &o, &w->scene, w->a->at[w->dropped], w->a->at[e->pellet]));
}

static void
see(void *ctx, const struct pb_event *e)
{
	struct watcher *w = ctx;

	switch (e->kind) {
	case PB_EVENT_STATE:
		if (e->name != NULL)
			pb_clyde_state(&w->clyde, e->name);
		break;
	case PB_EVENT_COMMAND:
		see_command(w, e->name);
		break;
	case PB_EVENT_POSE:
		if (e->body == 1)
			see_clyde(w, e);
		break;
	case PB_EVENT_ESTIMATE:
		w->has_robot = true;
		w->scene.robot = pb_pose_vec(e->pose);
		break;
	case PB_EVENT_PELLETS:
		see_pellets(w);
		break;
	case PB_EVENT_REPORT:
		if (strcmp(e->name, "speed") == 0)
			check_int(pb_clyde_speed(&w->clyde, e->v), PB_OK);
		else if (e->pellet >= 0)
			w->had[e->pellet] = 1;
		break;
	case PB_EVENT_GOAL:
		see_goal(w, e);
		break;
	case PB_EVENT_GOAL_END:
		w->dropped = e->pellet;
		w->dropped_t = pb_round_time(w->r);
		break;
	default:
		break;
	}
}

static struct pb_arena *
house(const struct pb_round_opts *o, uint64_t seed)
{
	struct pb_house_opts h = pb_house_defaults();
	struct pb_arena *a = NULL;
	struct pb_map m;

	h.seed = seed;
	check_int(pb_gen_house(&h, &m), PB_OK);
	check_int(pb_arena_new(&a, &m, o, NULL, NULL), PB_OK);
	pb_map_clear(&m);
	return a;
}

static void
play(struct watcher *w, struct pb_round *r, uint64_t seed, uint64_t trial)
{
	struct pb_rng g;

	pb_rng_start(&g, seed, trial, PB_FOR_GHOST, 0);
	pb_clyde_start(&w->clyde, g);
	w->has_robot = false;
	w->scene = (struct pb_scene){.has_ghost = false};
	w->closing = (struct pb_closing){0};
	w->dropped = -1;
	memset(w->had, 0, sizeof(w->had));
	memset(w->list, 0, sizeof(w->list));
	pb_round_set_agents(r, &(struct pb_agents){.emit = see, .ctx = w});
	pb_round_play(r, seed, trial);
}

static void
watch_rounds(int spawn_on, double clyde_speed)
{
	static struct watcher w;
	struct pb_round_opts o = pb_round_defaults();
	struct pb_clyde_opts co = pb_clyde_defaults();
	struct pb_round *r = NULL;
	struct pb_arena *a;

	o.spawn_on = spawn_on;
	o.clyde_speed = co.speed = clyde_speed;
	co.spawn = spawn_on == PB_SPAWN_MAIN ? PB_CLYDE_MAIN : PB_CLYDE_ANY;
	a = house(&o, 3);
	check_int(pb_round_new(&r, a, &o, &pb_player_seed, NULL), PB_OK);
	w = (struct watcher){.r = r, .a = a};
	check_int(pb_clyde_init(&w.clyde, &a->clyde, &co, r->search), PB_OK);
	for (uint64_t trial = 0; trial < 8; trial++)
		play(&w, r, 5, trial);
	check(w.ticks > 1000 && w.goals > 40 && w.turns > 0);
	pb_clyde_clear(&w.clyde);
	pb_round_free(r);
	pb_arena_free(a);
}

test(rounds_as_published)
{
	watch_rounds(PB_SPAWN_ANY, 0.25);
}

test(rounds_with_a_fast_clyde)
{
	watch_rounds(PB_SPAWN_MAIN, 0.6);
}
