/* maze.c - maze records: boards of cells. */
#include <string.h>

#include "base/param.h"
#include "io/rec/fields.h"

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

void
pb_put_maze(struct pb_text *o, const struct pb_maze *z)
{
	pb_put_begin(o, PB_REC_MAZE, pb_stamp_none());
	pb_put_text_if(o, "name", z->name);
	pb_put_rows(o, z);
	if (z->start.row >= 0) {
		pb_put_key(o, "start");
		put_place(o, &z->start);
	}
	pb_put_key(o, "ghosts");
	pb_text_put(o, "[", 1);
	for (int i = 0; i < z->ghosts; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		put_place(o, &z->ghost[i]);
	}
	pb_text_put(o, "]", 1);
	pb_put_end(o);
}

void
pb_get_rows(struct pb_get *g, enum pb_need need, struct pb_maze *z)
{
	struct pb_walk w;

	if (!pb_get_walk(g, "rows", need, &w))
		return;
	for (; pb_walk_next(g, &w); z->rows++) {
		const char *row = json_string_value(w.at);
		size_t n = json_string_length(w.at); /* 0 if it is none */

		if (n == 0 || n > PB_MAZE_SIDE || z->rows == PB_MAZE_SIDE ||
		    (z->rows > 0 && n != (size_t)z->cols) ||
		    strspn(row, "#.o ") != n) {
			pb_walk_fail(g, &w,
			    "at most 64 strings of 1 to 64 characters out of "
			    "\"#.o \", equally long");
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

static void
get_ghosts(struct pb_get *g, struct pb_maze *z)
{
	struct pb_walk w;
	struct pb_get sub;

	if (!pb_get_walk(g, "ghosts", PB_OPTIONAL, &w))
		return;
	while (pb_walk_next(g, &w) && pb_walk_object(g, &w, &sub)) {
		if (z->ghosts == 4) {
			pb_get_fail(g, "ghosts", "at most 4 places");
			return;
		}
		get_place(&sub, z, &z->ghost[z->ghosts++]);
		g->ok = sub.ok;
	}
}

void
pb_get_maze(struct pb_get *g, struct pb_maze *z)
{
	*z = (struct pb_maze){.start = {.row = -1, .col = -1}};
	PB_GET_WORD(g, "name", PB_OPTIONAL, z->name);
	pb_get_rows(g, PB_REQUIRED, z);
	get_start(g, z);
	get_ghosts(g, z);
}
