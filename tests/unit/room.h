/* room.h - a map and things on it, for the tests of pictures. */
#pragma once

#include "check.h"

#include "view/scene.h"

/* A room of 5 x 3 m with a door, walls one cell of 10 cm thick. */
static inline struct pb_map
room(void)
{
	struct pb_map m;

	check_int(
	    pb_map_init(&m, 50, 30, 0.1, (struct pb_pose){-1, 0, 0}), PB_OK);
	for (int y = 0; y < 30; y++)
		for (int x = 0; x < 50; x++)
			m.cell[y * 50 + x] = y == 0 || y == 29 || x == 0 ||
			                             x == 49 ||
			                             (x == 24 && y > 9)
			                         ? 100
			                     : x > 40 && y > 24 ? -1
			                                        : 0;
	return m;
}

/* The pellets are those of ids from <= id < to, side by side, the last one of
 * power: a record says so. */
static inline void
lay_pellets(struct pb_scene *s, int from, int to)
{
	struct pb_rec_pellet p[100];
	struct pb_rec r = {.type = PB_REC_PELLETS, .stamp = {.t = NAN}};

	for (int i = from; i < to; i++)
		p[i - from] = (struct pb_rec_pellet){
		    .id = i, .x = i, .y = 2, .power = i == to - 1};
	r.pellets = (struct pb_rec_pellets){p, (size_t)(to - from)};
	pb_scene_build(s, &r);
}

/* Everything that can stand on a map. */
static inline void
furnish(struct pb_scene *s)
{
	struct pb_vec path[] = {{0.5, 0.5}, {2, 0.5}, {3, 2}};
	struct pb_vec wall[] = {{3.8, 1}, {3.8, 1.5}, {3.8, 2}};
	double cov[3][3] = {{0.01, 0.002, 0}, {0.002, 0.02, 0}, {0, 0, 0.1}};

	struct pb_body *robot = pb_scene_body(s, "robot"),
		       *clyde = pb_scene_body(s, "clyde");

	lay_pellets(s, 0, 4);
	lay_pellets(s, 1, 4);
	s->target = 1;
	s->has_target = true;
	pb_scene_pose(robot, (struct pb_pose){-0.5, 0.5, 0});
	pb_scene_pose(robot, (struct pb_pose){0.5, 0.5, 0});
	memcpy(robot->cov, cov, sizeof(cov));
	robot->has_cov = true;
	pb_scene_points(&robot->path, path, 3);
	robot->goal = path[2];
	robot->has_goal = true;
	pb_scene_points(&robot->scan, wall, 3);
	pb_scene_pose(clyde, (struct pb_pose){3, 1.5, 0});
	pb_scene_pose(clyde, (struct pb_pose){2.5, 1, PB_PI});
	pb_scene_points(&clyde->solid, wall, 3);
	pb_scene_pose(
	    pb_scene_body(s, "estimate"), (struct pb_pose){0.6, 0.4, 1});
	pb_scene_mark(s, PB_SIGN_DEATH, (struct pb_vec){0, 1}, NULL);
	pb_scene_mark(s, PB_SIGN_HOME, (struct pb_vec){-0.5, 0.5}, NULL);
	strcpy(s->title, "room");
	strcpy(s->caption, "t 12.5 s");
}
