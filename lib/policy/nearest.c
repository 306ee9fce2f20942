/* nearest.c - the nearest pellet by the way, Clyde or not. */
#include <math.h>

#include "game/pacmanbot/arena.h"
#include "policy/pacmanbot_players.h"

/* Way to pellet i from p: along its field, or straight where none is kept. */
static double
way(const struct pb_arena *a, int i, struct pb_vec p)
{
	const int32_t *d = a->field[i].d;
	int at = pb_arena_cell(a, p);

	if (!a->reachable[i])
		return INFINITY;
	if (!d)
		return pb_dist(p, a->at[i]);
	/* The estimate may lie in a wall: then the straight line is added. */
	if (at < 0 || d[at] == PB_FIELD_NONE)
		at = pb_arena_near(a, a->field[i].grid, a->field[i].goal, p,
		    2 * a->map.resolution + 0.5);
	if (at < 0)
		return pb_dist(p, a->at[i]);
	return pb_field_cells(d[at]) * a->map.resolution +
	       pb_dist(p, pb_arena_centre(a, at));
}

static void
decide(void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_view *v = view;
	double best = INFINITY;

	(void)mem;
	(void)known;
	if (v->goal == PB_GOAL_PELLET)
		return;
	for (int i = 0; i < v->pellets; i++) {
		double d;

		if (!v->left[i])
			continue;
		d = way(v->arena, i, pb_pose_vec(v->pose));
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
    .decide = decide,
};
