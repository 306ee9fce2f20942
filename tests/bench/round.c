/* round.c - speed of whole rounds of pacmanbot, by player. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "game/pacmanbot/arena.h"
#include "game/pellets.h"
#include "game/pacmanbot/round_state.h"
#include "pb/games.h"

struct game {
	struct pb_arena *arena;
	struct pb_round_opts o;
	const struct pb_player *player;
	void *model;
	struct pb_round *round;
	int trials; /* in one piece of work */
};

static void
game_init(
    struct game *g, const struct pb_map *m, const char *player, bool senses)
{
	struct pb_pellet_opts lay = pb_pellet_defaults();
	struct pb_pellets s;
	const char *why;

	lay.count = 8;
	*g = (struct game){.o = pb_round_defaults(),
	    .player = pb_games[0].player[pb_rules_player(pb_games, player)]};
	if (!senses && !pb_game_preset(&pb_game_pacmanbot, &g->o, "published"))
		bench_stop("no such player or preset");
	g->o.has_start = false;
	if (senses) {
		g->o.localizer = PB_BY_MCL;
		g->o.people = 5;
	}
	if (pb_pellets_lay(&s, m, &lay) != PB_OK ||
	    pb_arena_new(&g->arena, m, &g->o, &s, NULL) != PB_OK)
		bench_stop("cannot make an arena");
	if (senses &&
	    pb_arena_surround(g->arena, m, NULL, &g->o, &why) != PB_OK)
		bench_stop("cannot make a world for a lidar");
	pb_pellets_clear(&s);
	if (g->player->learn != NULL &&
	    g->player->learn(g->arena, &g->o, &g->model) != PB_OK)
		bench_stop("the player cannot learn the arena");
	if (pb_round_new(&g->round, g->arena, &g->o, g->player, g->model) !=
	    PB_OK)
		bench_stop("cannot make a game");
}

static void
game_clear(struct game *g)
{
	pb_round_free(g->round);
	if (g->player->forget != NULL)
		g->player->forget(g->model);
	pb_arena_free(g->arena);
}

static double
play(void *arg)
{
	struct game *g = arg;

	for (int i = 0; i < g->trials; i++)
		pb_round_play(g->round, 1, (uint64_t)i);
	return g->trials;
}

/* Time in which the player plays, robot and ghost on the move. */
static double
live(void *arg)
{
	struct game *g = arg;
	double n = 0;

	for (int i = 0; i < g->trials; i++)
		n += pb_round_play(g->round, 1, (uint64_t)i).time;
	return n;
}

static double
live_minutes(void *arg)
{
	return live(arg) / 60;
}

/* A robot that goes by its own wheels and lidar, in a small house. */
static void
bench_senses(void)
{
	struct pb_map m;
	struct game g;

	bench_house(180, &m);
	game_init(&g, &m, "seed", true);
	g.trials = 4;
	bench_row("rounds by mcl, lidar, five people, in time", "minutes",
	    live_minutes, &g);
	game_clear(&g);
	pb_map_clear(&m);
}

static void
bench_player(const struct pb_map *m, const char *player, int trials)
{
	struct game g;
	char name[64];

	game_init(&g, m, player, false);
	g.trials = trials;
	snprintf(
	    name, sizeof(name), "rounds, player %s, preset published", player);
	bench_row(name, "trials", play, &g);
	if (trials >= 100)
		bench_row("  the same in simulated time", "seconds", live, &g);
	game_clear(&g);
}

/* A house as large as the published one, and as many pellets. */
void
bench_round(void)
{
	struct pb_map m;

	bench_house(360, &m);
	bench_player(&m, "seed", 100);
	bench_player(&m, "nearest", 100);
	bench_player(&m, "safe", 3);
	pb_map_clear(&m);
	bench_senses();
}
