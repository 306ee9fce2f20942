/* rounds.h - a house to play rounds in, and what starts and ends them. */
#pragma once

#include "check.h"
#include "game/pacmanbot/round_state.h"
#include "policy/players.h"

/*
 * A walled house of 8 x 6 m, cells of 0.1 m, with a wall across and a gap in
 * it; rooms of different width, so that no way is as long as another.
 */
static inline struct pb_map
house(void)
{
	enum { W = 80, H = 60 };
	struct pb_map m = {0};

	check_int(
	    pb_map_init(&m, W, H, 0.1, (struct pb_pose){-1, -2, 0}), PB_OK);
	for (int i = 0; i < W * H; i++) {
		int x = i % W, y = i / W;
		bool edge = x == 0 || y == 0 || x == W - 1 || y == H - 1;
		bool wall = x == 37 && (y < 22 || y > 33);

		m.cell[i] = edge || wall ? 100 : 0;
	}
	return m;
}

/* An arena, what the player learnt of it, and a game. */
struct game {
	struct pb_arena *a;
	const struct pb_player *p;
	void *model;
	struct pb_round *r;
};

static inline struct game
game_on(const struct pb_map *m, const struct pb_round_opts *o,
    const struct pb_pellets *s, const struct pb_player *p)
{
	struct game g = {.p = p};

	check_int(pb_arena_new(&g.a, m, o, s, NULL), PB_OK);
	if (p->learn)
		check_int(p->learn(g.a, o, &g.model), PB_OK);
	check_int(pb_round_new(&g.r, g.a, o, p, g.model), PB_OK);
	return g;
}

static inline struct game
game(const struct pb_round_opts *o, const struct pb_player *p)
{
	struct pb_map m = house();
	struct game g = game_on(&m, o, NULL, p);

	pb_map_clear(&m);
	return g;
}

static inline void
over(struct game g)
{
	pb_round_free(g.r);
	if (g.model)
		g.p->forget(g.model);
	pb_arena_free(g.a);
}

/* Press start whenever it can be pressed, for `steps` steps. */
static inline void
steps(struct pb_round *r, int n)
{
	for (int i = 0; i < n; i++) {
		pb_round_step(r);
		if (r->g.ctl.state == PB_MENU && r->g.est.ever)
			pb_round_press_start(r);
	}
}
