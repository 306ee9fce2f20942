/* feedmaze.c - the records of grid games for a scene. */
#include "view/feedmaze.h"

#include <math.h>
#include <string.h>

#include "ghost/roomba.h"
#include "map/maze.h"

static struct pb_vec
centre(const struct pb_scene_builder *f, int row, int col)
{
	return (struct pb_vec){
	    (col + 0.5) * f->side, (f->rows - 1 - row + 0.5) * f->side};
}

static double
heading(const char *dir)
{
	static const struct {
		const char *dir;
		double th;
	} list[] = {{"right", 0}, {"up", PB_PI / 2}, {"left", PB_PI},
	    {"down", -PB_PI / 2}};

	for (int i = 0; i < 4; i++)
		if (strcmp(dir, list[i].dir) == 0)
			return list[i].th;
	return NAN;
}

static void
put_place(
    struct pb_scene_builder *f, const char *id, const struct pb_maze_place *p)
{
	static const double th[] = {[PB_UP] = PB_PI / 2,
	    [PB_LEFT] = PB_PI,
	    [PB_DOWN] = -PB_PI / 2,
	    [PB_RIGHT] = 0,
	    [PB_STAY] = NAN};
	struct pb_vec v = centre(f, p->row, p->col);

	pb_scene_pose(f->scene, id, (struct pb_pose){v.x, v.y, th[p->dir]});
}

static void
put_pellets(struct pb_scene_builder *f, const struct pb_maze *z)
{
	pb_scene_pellets_begin(f->scene);
	for (int row = 0; row < z->rows; row++)
		for (int col = 0; col < z->cols; col++) {
			char c = z->cell[row][col];

			if (c == PB_MAZE_PELLET || c == PB_MAZE_POWER)
				pb_scene_pellet(f->scene, row * z->cols + col,
				    centre(f, row, col), c == PB_MAZE_POWER);
		}
	pb_scene_pellets_end(f->scene);
}

/* The cell that the player of zumy wants to reach. */
static void
put_goal(struct pb_scene_builder *f, const struct pb_maze *z)
{
	for (int row = 0; row < z->rows; row++)
		for (int col = 0; col < z->cols; col++)
			if (z->cell[row][col] == PB_MAZE_GOAL)
				pb_scene_goal(
				    f->scene, "player", centre(f, row, col));
}

/* The ghosts' starts, under the names that the games on the board use. */
static void
put_ghosts(struct pb_scene_builder *f, const struct pb_maze *z)
{
	static const char *const arcade[] = {"red", "pink", "cyan", "orange"};
	const char *const *id = pb_maze_sided(z) ? pb_roomba_name : arcade;

	for (int i = 0; i < z->ghosts && i < 4; i++)
		put_place(f, id[i], &z->ghost[i]);
}

bool
pb_scene_build_maze(
    struct pb_scene_builder *f, const struct pb_maze *z, struct pb_bad *bad)
{
	double side = f->cell > 0 ? f->cell : pb_maze_pitch(z);
	struct pb_map m;
	enum pb_status st = pb_maze_to_map(z, side, 0, &m);

	if (st != PB_OK)
		return pb_bad_status(bad, "maze", st);
	f->side = side;
	f->columns = z->cols;
	f->rows = z->rows;
	pb_scene_take_map(f->scene, &m);
	pb_scene_title(f->scene, z->name);
	put_pellets(f, z);
	put_goal(f, z);
	if (z->start.row >= 0)
		put_place(f, "pacman", &z->start);
	put_ghosts(f, z);
	return true;
}

/* What the camera of a patrol sees: the cells ahead of it, up to a wall. */
static void
put_view(
    struct pb_scene_builder *f, const char *id, const struct pb_seen_body *p)
{
	double th = heading(p->dir);
	struct pb_vec v = centre(f, p->row, p->col), seen[2 * PB_MAZE_SIDE];
	size_t n = 0;

	/* Two points a cell, so that they make a line, none on an edge. */
	while (isfinite(th) && n < sizeof(seen) / sizeof(*seen)) {
		double ahead = n == 0 ? 0.75 * f->side : 0.5 * f->side;

		v.x += ahead * cos(th);
		v.y += ahead * sin(th);
		if (!pb_cell_free(pb_map_at(
			f->scene->map, pb_map_cell(f->scene->map, v))))
			break;
		seen[n++] = v;
	}
	pb_scene_scan(f->scene, id, seen, n);
}

void
pb_scene_build_tick(struct pb_scene_builder *f, const struct pb_seen *k)
{
	f->level = k->level;
	if (k->board.rows == f->rows && k->board.cols == f->columns)
		put_pellets(f, &k->board);
	for (int i = 0; i < k->bodies && f->columns > 0; i++) {
		const struct pb_seen_body *p = &k->body[i];
		const char *id = p->id[0] != '\0' ? p->id : "pacman";
		struct pb_vec v = centre(f, p->row, p->col);
		const struct pb_body *b = pb_scene_body(f->scene, id);

		/* Nowhere: between a death and the next update. */
		if (p->row < 0 || p->row >= f->rows || p->col < 0 ||
		    p->col >= f->columns) {
			pb_scene_jump(f->scene, id);
			continue;
		}
		if (b != NULL && !f->posed[b - f->scene->body])
			pb_scene_pose(f->scene, id,
			    (struct pb_pose){v.x, v.y, heading(p->dir)});
		if (f->scene->map != NULL &&
		    (strcmp(p->mode, "patrolling") == 0 ||
			strcmp(p->mode, "staring") == 0))
			put_view(f, id, p);
		if (k->board.rows == 0 && b != NULL &&
		    b->kind == PB_BODY_ROBOT && p->col >= 0 &&
		    p->col < f->columns && p->row >= 0 && p->row < f->rows)
			pb_scene_eat(f->scene, p->row * f->columns + p->col);
	}
}
