/* feedmaze.c - the records of grid games for a scene. */
#include "view/feedmaze.h"

#include <math.h>
#include <string.h>

#include "map/maze.h"

/* Map cells to the side of a cell, and the rim before the first one. */
static int
per(const struct pb_feed *f)
{
	return f->between ? 2 : 1;
}

static struct pb_vec
centre(const struct pb_feed *f, int col, int row)
{
	double r = PB_MAZE_CELL / per(f), rim = f->between ? 1 : 0;

	return (struct pb_vec){(col * per(f) + 0.5 + rim) * r,
	    ((f->rows - 1 - row) * per(f) + 0.5 + rim) * r};
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
put_place(struct pb_feed *f, const struct pb_rec_place *p)
{
	struct pb_vec v = centre(f, p->col, p->row);

	pb_scene_pose(f->scene, p->id[0] != '\0' ? p->id : "robot",
	    (struct pb_pose){v.x, v.y, heading(p->dir)});
}

static void
set_wall(struct pb_map *m, int col, int row)
{
	struct pb_cell c = {col, row};

	if (pb_map_inside(m, c))
		m->cell[pb_map_index(m, c)] = 100;
}

/* Walls that fill their cells. */
static void
fill_cells(struct pb_map *m, const struct pb_rec_maze *z)
{
	for (int row = 0; row < z->height; row++)
		for (int col = 0; col < z->width; col++)
			if (z->cell[(size_t)row * (size_t)z->width +
				    (size_t)col] == PB_MAZE_WALL)
				set_wall(m, col, z->height - 1 - row);
}

/*
 * Walls between cells: the cell's own map cell is the middle of a 3 x 3
 * block that it shares with its neighbours; walls are the block's sides.
 */
static void
fill_sides(struct pb_map *m, const struct pb_rec_maze *z)
{
	static const int dx[] = {0, 1, 0, -1}, dy[] = {1, 0, -1, 0};

	for (int row = 0; row < z->height; row++)
		for (int col = 0; col < z->width; col++) {
			size_t i = (size_t)row * (size_t)z->width + (size_t)col;
			int x = 2 * col + 1, y = 2 * (z->height - 1 - row) + 1;

			if (z->cell != NULL && z->cell[i] == PB_MAZE_WALL)
				set_wall(m, x, y);
			for (int k = 0; k < 4; k++)
				for (int s = -1; s <= 1; s++)
					if (z->wall[i] >> k & 1)
						set_wall(m,
						    x + dx[k] + s * dy[k],
						    y + dy[k] + s * dx[k]);
		}
}

static void
put_pellets(struct pb_feed *f, const struct pb_rec_maze *z)
{
	pb_scene_pellets_begin(f->scene);
	for (int row = 0; row < z->height; row++)
		for (int col = 0; col < z->width; col++) {
			int i = row * z->width + col;

			if (z->cell[i] == PB_MAZE_PELLET ||
			    z->cell[i] == PB_MAZE_POWER)
				pb_scene_pellet(f->scene, i,
				    centre(f, col, row),
				    z->cell[i] == PB_MAZE_POWER);
		}
	pb_scene_pellets_end(f->scene);
}

bool
pb_feed_maze(struct pb_feed *f, const struct pb_rec_maze *z, struct pb_bad *bad)
{
	bool between = z->wall != NULL;
	int k = between ? 2 : 1, rim = between ? 1 : 0;
	struct pb_map m;

	if (z->width > PB_MAP_SIDE / 2 - 1 || z->height > PB_MAP_SIDE / 2 - 1 ||
	    pb_map_init(&m, k * z->width + rim, k * z->height + rim,
		PB_MAZE_CELL / k, (struct pb_pose){0, 0, 0}) != PB_OK)
		return pb_bad_set(bad,
		    "maze: %d x %d cells are too many to draw", z->width,
		    z->height);
	memset(m.cell, 0, pb_map_cells(&m));
	f->columns = z->width;
	f->rows = z->height;
	f->between = between;
	if (between)
		fill_sides(&m, z);
	else
		fill_cells(&m, z);
	pb_scene_take_map(f->scene, &m);
	pb_scene_title(f->scene, z->name);
	if (z->cell != NULL)
		put_pellets(f, z);
	for (int i = 0; i < z->starts; i++)
		put_place(f, &z->start[i]);
	for (int i = 0; i < z->homes; i++)
		pb_scene_mark(f->scene, PB_MARK_HOME,
		    centre(f, z->home[i].col, z->home[i].row));
	return true;
}

void
pb_feed_tick(struct pb_feed *f, const struct pb_rec_tick *k)
{
	if (f->columns == 0)
		return;
	for (int i = 0; i < k->bodies; i++) {
		const struct pb_rec_place *p = &k->body[i].at;
		const struct pb_body *b;

		put_place(f, p);
		b = pb_scene_body(f->scene, p->id[0] != '\0' ? p->id : "robot");
		if (b != NULL && b->kind == PB_BODY_ROBOT && p->col >= 0 &&
		    p->col < f->columns && p->row >= 0 && p->row < f->rows)
			pb_scene_eat(f->scene, p->row * f->columns + p->col);
	}
}
