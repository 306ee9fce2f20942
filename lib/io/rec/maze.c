/* maze.c - maze records: boards of cells. */
#include <string.h>

#include "base/param.h"
#include "io/rec/fields.h"
#include "map/board.h"

static const char dirs[] = "up|left|down|right|stop";

static void
put_place(struct pb_text *o, const struct pb_maze_place *p)
{
	size_t n = 0;
	const char *dir = pb_word(dirs, (int)p->dir, &n);

	pb_text_puts(o, "{\"row\":");
	pb_text_int(o, p->row);
	pb_put_int(o, "col", p->col);
	pb_put_key(o, "dir");
	pb_text_put(o, "\"", 1);
	pb_text_put(o, dir, n);
	pb_text_puts(o, "\"}");
}

void
pb_put_rows(struct pb_text *o, const struct pb_maze *z)
{
	pb_put_key(o, "rows");
	for (int row = 0; row < z->rows; row++) {
		pb_text_puts(o, row ? ",\"" : "[\"");
		pb_text_put(o, z->cell[row], (size_t)z->cols);
		pb_text_put(o, "\"", 1);
	}
	pb_text_put(o, "]", 1);
}

/* Whether the letter of a robot at p would hide something. */
static bool
hides(const struct pb_maze *z, const struct pb_maze_place *p)
{
	int here = z->start.row == p->row && z->start.col == p->col;

	for (int i = 0; i < z->ghosts; i++)
		here += z->ghost[i].row == p->row && z->ghost[i].col == p->col;
	return here > 1 || z->cell[p->row][p->col] != PB_MAZE_EMPTY;
}

/*
 * z as it is drawn: where a cell has room for one letter only, robots are
 * left out, which have keys of their own.
 */
static struct pb_maze
without_hidden(const struct pb_maze *z)
{
	struct pb_maze d = *z;

	if (z->start.row >= 0 && hides(z, &z->start))
		d.start.row = -1;
	for (int i = 0; i < z->ghosts; i++)
		if (hides(z, &z->ghost[i]))
			d.ghosts = 0;
	return d;
}

/* Walls between cells need a drawing. */
static void
put_drawing(struct pb_text *o, const struct pb_maze *z)
{
	const struct pb_maze d = without_hidden(z);
	char line[PB_BOARD_LINE];

	pb_put_key(o, "drawing");
	for (int i = 0; i < PB_BOARD_LINES(z); i++) {
		pb_board_line(&d, i, line);
		pb_text_puts(o, i ? ",\"" : "[\"");
		pb_text_puts(o, line);
		pb_text_put(o, "\"", 1);
	}
	pb_text_put(o, "]", 1);
}

static void
put_places(
    struct pb_text *o, const char *key, const struct pb_maze_place *p, int n)
{
	pb_put_key(o, key);
	pb_text_put(o, "[", 1);
	for (int i = 0; i < n; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		put_place(o, &p[i]);
	}
	pb_text_put(o, "]", 1);
}

void
pb_put_maze(struct pb_text *o, const struct pb_maze *z)
{
	pb_put_begin(o, PB_REC_MAZE, pb_stamp_none());
	pb_put_text_if(o, "name", z->name);
	if (z->pitch > 0) {
		pb_put_key(o, "cell");
		pb_text_exact(o, z->pitch);
	}
	if (pb_maze_sided(z))
		put_drawing(o, z);
	else
		pb_put_rows(o, z);
	if (z->start.row >= 0) {
		pb_put_key(o, "start");
		put_place(o, &z->start);
	}
	put_places(o, "ghosts", z->ghost, z->ghosts);
	if (z->homes > 0)
		put_places(o, "homes", z->home, z->homes);
	pb_put_end(o);
}

void
pb_get_rows(struct pb_get *g, enum pb_need need, struct pb_maze *z)
{
	struct pb_walk w;

	if (!pb_get_walk(g, "rows", need, &w))
		return;
	for (; pb_walk_next(g, &w); z->rows++) {
		const char *row = pb_json_text(w.at);
		size_t n = row ? strlen(row) : 0;

		if (n == 0 || n > PB_MAZE_SIDE || z->rows == PB_MAZE_SIDE ||
		    (z->rows > 0 && n != (size_t)z->cols) ||
		    strspn(row, "#.o G") != n) {
			pb_walk_fail(g, &w,
			    "at most 64 strings of 1 to 64 characters out of "
			    "\"#.o G\", equally long");
			return;
		}
		z->cols = (int)n;
		memcpy(z->cell[z->rows], row, n);
	}
	if (g->ok && z->rows == 0)
		pb_get_fail(g, "rows", "at least one row");
}

static void
get_place(struct pb_get *g, const struct pb_maze *z, struct pb_maze_place *p)
{
	long row = -1, col = -1;
	char dir[PB_REC_WORD] = "left";
	int d;

	pb_get_int(g, "row", PB_REQUIRED, 0, z->rows - 1, &row);
	pb_get_int(g, "col", PB_REQUIRED, 0, z->cols - 1, &col);
	PB_GET_WORD(g, "dir", PB_OPTIONAL, dir);
	d = pb_word_find(dirs, dir, strlen(dir));
	if (g->ok && d < 0)
		pb_get_fail(g, "dir", "one of up, left, down, right, stop");
	*p = (struct pb_maze_place){(int)row, (int)col, (enum pb_dir)d};
}

static void
get_start(struct pb_get *g, struct pb_maze *z)
{
	struct pb_get sub;

	if (!pb_get_object(g, "start", PB_OPTIONAL, "maze.start", &sub))
		return;
	get_place(&sub, z, &z->start);
	g->ok = sub.ok;
}

/* Those of a drawing are replaced. */
static void
get_places(struct pb_get *g, const char *key, const struct pb_maze *z,
    struct pb_maze_place place[4], int *n)
{
	struct pb_walk w;
	struct pb_get sub;

	if (!pb_get_walk(g, key, PB_OPTIONAL, &w))
		return;
	*n = 0;
	while (pb_walk_next(g, &w) && pb_walk_object(g, &w, &sub)) {
		if (*n == 4) {
			pb_get_fail(g, key, "at most 4 places");
			return;
		}
		get_place(&sub, z, &place[(*n)++]);
		g->ok = sub.ok;
	}
}

static void
get_drawing(struct pb_get *g, struct pb_maze *z)
{
	struct pb_board_fault f;
	struct pb_walk w;
	long i = 0;

	if (!pb_get_walk(g, "drawing", PB_REQUIRED, &w))
		return;
	for (; pb_walk_next(g, &w); i++) {
		const char *line = pb_json_text(w.at);

		f = (struct pb_board_fault){.text = "a string"};
		if (line == NULL ||
		    pb_board_take(z, i, line, strlen(line), &f) != PB_OK) {
			pb_walk_fail(g, &w, f.text);
			return;
		}
	}
	if (!g->ok)
		return;
	f = (struct pb_board_fault){.text = "an edge at the end"};
	if (i % 2 == 0 || pb_board_end(z, &f) != PB_OK)
		pb_get_fail(g, "drawing", f.text);
}

void
pb_get_maze(struct pb_get *g, struct pb_maze *z)
{
	*z = (struct pb_maze){.start = {.row = -1, .col = -1}};
	PB_GET_WORD(g, "name", PB_OPTIONAL, z->name);
	pb_get_num(g, "cell", PB_OPTIONAL, 1e-6, 1e6, &z->pitch);
	if (pb_get_value(g, "drawing") != NULL)
		get_drawing(g, z);
	else
		pb_get_rows(g, PB_REQUIRED, z);
	get_start(g, z);
	get_places(g, "ghosts", z, z->ghost, &z->ghosts);
	get_places(g, "homes", z, z->home, &z->homes);
}
