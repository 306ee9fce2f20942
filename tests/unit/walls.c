/* walls.c - tests of walls between rooms, pair by pair. */
#include "check.h"

#include "map/gen_house.h"

static struct pb_floorplan
plan_of(int w, int h, uint64_t seed, const struct pb_plan_opts *base)
{
	struct pb_plan_opts o = *base;
	struct pb_floorplan p;
	struct pb_rng r = draws(seed, PB_FOR_MAP);

	o.site = (struct pb_rect){3, 5, 3 + w, 5 + h};
	check_int(pb_floorplan_init(&p, &o, &r), PB_OK);
	return p;
}

static void
check_wall(const struct pb_wall *w, int a, int b, const struct pb_rect *at)
{
	check_int(w->a, a);
	check_int(w->b, b);
	check_int(w->at.x0, at->x0);
	check_int(w->at.y0, at->y0);
	check_int(w->at.x1, at->x1);
	check_int(w->at.y1, at->y1);
}

/* Every pair of rooms, in order. Returns the walls. */
static int
check_all_pairs(const struct pb_floorplan *p, const struct pb_plan_opts *o)
{
	struct pb_wall *wall = NULL;
	struct pb_rect at;
	int n = 0, k = 0;

	check_int(
	    pb_walls_find(p->room, p->rooms, o->wall, o->door_min, &wall, &n),
	    PB_OK);
	for (int i = 0; i < p->rooms; i++)
		for (int j = i + 1; j < p->rooms; j++) {
			if (!pb_wall_between(&p->room[i].at, &p->room[j].at,
				o->wall, o->door_min, &at))
				continue;
			check(k < n);
			if (k < n)
				check_wall(&wall[k], i, j, &at);
			k++;
		}
	check_int(n, k);
	free(wall);
	return n;
}

test(same_as_all_pairs)
{
	static const int size[][2] = {
	    {60, 60}, {300, 40}, {40, 300}, {700, 600}};
	static const struct pb_plan_opts base = {.wall = 2,
	    .side_min = 20,
	    .corridor = 12,
	    .door_min = 9,
	    .door_max = 14,
	    .room_cells = 1500,
	    .loops = 0.3,
	    .cut = 0.25};
	int walls = 0;

	for (size_t i = 0; i < sizeof(size) / sizeof(*size); i++)
		for (uint64_t seed = 1; seed <= 10; seed++) {
			struct pb_plan_opts o = base;
			struct pb_floorplan p;

			o.wall = 1 + (int)(seed % 3);
			p = plan_of(size[i][0], size[i][1], seed, &o);
			walls += check_all_pairs(&p, &o);
			pb_floorplan_clear(&p);
		}
	check(walls > 1000);
}

/* Corners that touch, walls too short for a door, rooms apart: no wall. */
test(walls_by_hand)
{
	struct pb_room room[] = {{.at = {0, 0, 10, 10}},
	    {.at = {11, 11, 20, 20}}, {.at = {11, 0, 20, 10}},
	    {.at = {21, 5, 30, 8}}, {.at = {40, 0, 50, 10}},
	    {.at = {0, 11, 10, 20}, .dropped = true}};
	struct pb_wall *wall = NULL;
	int n = 0;

	check_int(pb_walls_find(room, 6, 1, 5, &wall, &n), PB_OK);
	check_int(n, 4);
	check_wall(&wall[0], 0, 2, &(struct pb_rect){10, 1, 11, 9});
	check_wall(&wall[1], 0, 5, &(struct pb_rect){1, 10, 9, 11});
	check_wall(&wall[2], 1, 2, &(struct pb_rect){12, 10, 19, 11});
	check_wall(&wall[3], 1, 5, &(struct pb_rect){10, 12, 11, 19});
	free(wall);
}
