/* boardfile.c - boards in files of their own: drawings, numbers, KML. */
#include "io/file/boardfile.h"

#include <string.h>

#include "io/file/kml.h"
#include "io/stream/file.h"
#include "io/stream/num.h"
#include "io/stream/utf8.h"
#include "map/board.h"

static enum pb_boardkind
by_suffix(const char *path)
{
	if (pb_file_has_suffix(path, ".board"))
		return PB_BOARDKIND_DRAWING;
	if (pb_file_has_suffix(path, ".zumy"))
		return PB_BOARDKIND_GRID;
	return pb_file_has_suffix(path, ".kml") ? PB_BOARDKIND_KML
	                                        : PB_BOARDKIND_NONE;
}

enum pb_boardkind
pb_boardkind_of(const char *path, const char *bytes, size_t n)
{
	size_t i = 0;
	enum pb_boardkind kind = by_suffix(path);

	if (kind != PB_BOARDKIND_NONE)
		return kind;
	if (pb_board_is(bytes, n))
		return PB_BOARDKIND_DRAWING;
	if (pb_board_is_grid(bytes, n))
		return PB_BOARDKIND_GRID;
	while (i < n && strchr(" \t\r\n", bytes[i]) != NULL && bytes[i] != '\0')
		i++;
	return i < n && bytes[i] == '<' ? PB_BOARDKIND_KML : PB_BOARDKIND_NONE;
}

int
pb_boardfile_decode(const char *path, const char *p, size_t n, double cell,
    struct pb_maze *z, struct pb_error *f)
{
	enum pb_boardkind kind = pb_boardkind_of(path, p, n);
	struct pb_board_fault b;
	enum pb_status st;

	if (kind == PB_BOARDKIND_KML)
		return pb_kml_read(p, n, path, cell, z, f);
	st = kind == PB_BOARDKIND_GRID ? pb_board_parse_grid(p, n, z, &b)
	                               : pb_board_parse(p, n, z, &b);
	if (st == PB_OK)
		return 0;
	if (b.column > 0)
		return pb_error_file(f, path, b.line, NULL,
		    "column %ld: expected %s", b.column, b.text);
	return pb_error_file(f, path, b.line, NULL, "expected %s", b.text);
}

static void
write_drawing(const struct pb_maze *z, FILE *out)
{
	char line[PB_BOARD_LINE], number[PB_NUM_MAX];

	for (int i = 0; i < PB_BOARD_LINES(z); i++) {
		pb_board_line(z, i, line);
		fprintf(out, "%s\n", line);
	}
	if (z->name[0] != '\0') {
		fputs("name ", out);
		pb_utf8_print(z->name, out); /* a line end would end it */
		putc('\n', out);
	}
	if (z->pitch > 0) {
		size_t n = pb_num_exact(number, z->pitch);

		fprintf(out, "cell %.*s\n", (int)n, number);
	}
	for (int i = 0; i < z->homes; i++)
		fprintf(out, "%s%d,%d%s", i > 0 ? " " : "homes ",
		    z->home[i].row, z->home[i].col,
		    i + 1 == z->homes ? "\n" : "");
}

static void
write_grid(const struct pb_maze *z, FILE *out)
{
	for (int r = z->rows - 1; r >= 0; r--)
		for (int c = 0; c < z->cols; c++) {
			char k = z->cell[r][c];

			fprintf(out, "%s%c%s", c > 0 ? " " : "",
			    k == PB_MAZE_WALL   ? '1'
			    : k == PB_MAZE_GOAL ? '9'
						: '0',
			    c + 1 == z->cols ? "\n" : "");
		}
}

bool
pb_boardfile_writable(const char *path)
{
	return by_suffix(path) != PB_BOARDKIND_NONE;
}

int
pb_boardfile_write(
    const char *path, const struct pb_maze *z, struct pb_error *f)
{
	enum pb_boardkind kind = by_suffix(path);
	struct pb_file w;

	if (pb_file_create(path, &w, f) != 0)
		return -1;
	if (kind == PB_BOARDKIND_KML)
		pb_kml_write(z, pb_maze_pitch(z), w.out);
	else if (kind == PB_BOARDKIND_GRID)
		write_grid(z, w.out);
	else
		write_drawing(z, w.out);
	return pb_file_finish(&w, f);
}
