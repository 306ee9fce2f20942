/* board.c - boards: the standard ones by name, as text, and random ones. */
#include "map/board.h"

#include <assert.h>
#include <string.h>

#include "pb/maze.h"
#include "pb/rng.h"

#define GRID_SIDE 32 /* of the test grids, as published (cells) */

/* Sides of cells (m): of the Roombas' floor, and of the Zumys' tiles. */
#define ROOMBA_CELL 0.43
#define ZUMY_CELL   0.14

static const char *const names[] = {"pacman", "playground", "outer", "blank",
    "open", "roomba", "zumy", "zumy-published", NULL};

/*
 * The official board. The ghosts' house is wall, the side tunnel is shut, and
 * the fruit appears at (17, 13).
 */
static const char *const pacman[] = {
    "############################",
    "#............##............#",
    "#.####.#####.##.#####.####.#",
    "#o####.#####.##.#####.####o#",
    "#.####.#####.##.#####.####.#",
    "#..........................#",
    "#.####.##.########.##.####.#",
    "#.####.##.########.##.####.#",
    "#......##....##....##......#",
    "######.##### ## #####.######",
    "######.##### ## #####.######",
    "######.##          ##.######",
    "######.## ######## ##.######",
    "######.## ######## ##.######",
    "######.   ########   .######",
    "######.## ######## ##.######",
    "######.## ######## ##.######",
    "######.##          ##.######",
    "######.## ######## ##.######",
    "######.## ######## ##.######",
    "#............##............#",
    "#.####.#####.##.#####.####.#",
    "#.####.#####.##.#####.####.#",
    "#o..##.......  .......##..o#",
    "###.##.##.########.##.##.###",
    "###.##.##.########.##.##.###",
    "#......##....##....##......#",
    "#.##########.##.##########.#",
    "#.##########.##.##########.#",
    "#..........................#",
    "############################",
};

static void
make_pacman(struct pb_maze *z)
{
	static const struct pb_maze_place ghost[4] = {
	    {11, 13, PB_LEFT}, /* red */
	    {13, 13, PB_DOWN}, /* pink */
	    {14, 11, PB_UP},   /* cyan */
	    {14, 15, PB_UP},   /* orange */
	};

	z->rows = (int)(sizeof(pacman) / sizeof(*pacman));
	z->cols = (int)strlen(pacman[0]);
	for (int r = 0; r < z->rows; r++)
		memcpy(z->cell[r], pacman[r], (size_t)z->cols);
	z->start = (struct pb_maze_place){23, 13, PB_RIGHT};
	memcpy(z->ghost, ghost, sizeof(ghost));
	z->ghosts = 4;
}

/* Pellets in the cells from (r0, c0) to (r1, c1), both included. */
static void
lay_pellets(struct pb_maze *z, int r0, int c0, int r1, int c1)
{
	for (int r = r0; r <= r1; r++)
		for (int c = c0; c <= c1; c++)
			z->cell[r][c] = PB_MAZE_PELLET;
}

/* The published test grids, as boxes of pellets from corner to corner. */
static const struct test_grid {
	const char *name;
	struct pb_maze_place start;
	signed char box[5][4]; /* rows and columns, the last ones empty */
} test_grids[] = {
    /* Two small loops in the lower right corner. The published start, (1, 1),
     * is inside a wall here. */
    {"playground", {27, 24, PB_RIGHT},
	{{27, 24, 27, 30}, {30, 24, 30, 30}, {27, 24, 30, 24}, {27, 27, 30, 27},
	    {27, 30, 30, 30}}},
    /* One ring along the edge. */
    {"outer", {1, 1, PB_RIGHT},
	{{1, 1, 1, 30}, {30, 1, 30, 30}, {1, 1, 30, 1}, {1, 30, 30, 30}}},
    {"blank", {1, 1, PB_RIGHT}, {{1, 1, 1, 1}}},
    {"open", {16, 16, PB_RIGHT}, {{1, 1, 30, 30}}},
};
#define TEST_GRIDS (sizeof(test_grids) / sizeof(*test_grids))

static void
make_test_grid(const struct test_grid *g, struct pb_maze *z)
{
	z->rows = z->cols = GRID_SIDE;
	z->start = g->start;
	for (int i = 0; i < 5 && g->box[i][0] > 0; i++)
		lay_pellets(
		    z, g->box[i][0], g->box[i][1], g->box[i][2], g->box[i][3]);
	if (pb_maze_open_cells(z) > 1)
		z->cell[z->start.row][z->start.col] = PB_MAZE_EMPTY;
}

/*
 * The official board compressed: each of its ten corridor columns and ten
 * corridor rows, and the row of the upper power pellets, becomes one. The
 * published maze was this large, "a simplification of the actual board"; its
 * drawing is lost.
 */
static const char roomba[] = "+---+---+---+---+---+---+---+---+---+---+\n"
			     "| .   .   .   .   . | .   .   .   .   . |\n"
			     "+   +---+   +---+   +   +---+   +---+   +\n"
			     "| o | # | . | # | . | . | # | . | # | o |\n"
			     "+   +---+   +---+   +   +---+   +---+   +\n"
			     "| .   .   .   .   .   .   .   .   .   . |\n"
			     "+   +---+   +   +---+---+   +   +---+   +\n"
			     "| .   .   . | .   . | .   . | .   .   . |\n"
			     "+---+---+   +---+   +   +---+   +---+---+\n"
			     "| # | # | . | .   B   C   . | . | # | # |\n"
			     "+---+---+   +   +   +   +   +   +---+---+\n"
			     "| # | # | .   . | k   i | .   . | # | # |\n"
			     "+---+---+   +   +---+---+   +   +---+---+\n"
			     "| # | # | . | .   .   .   . | . | # | # |\n"
			     "+---+---+   +   +---+---+   +   +---+---+\n"
			     "| .   .   .   .   . | .   .   .   .   . |\n"
			     "+   +---+   +---+   +   +---+   +---+   +\n"
			     "| o   . | .   .   P   .   .   . | .   o |\n"
			     "+---+   +   +   +---+---+   +   +   +---+\n"
			     "| .   .   . | .   . | .   . | .   .   . |\n"
			     "+   +---+---+---+   +   +---+---+---+   +\n"
			     "| .   .   .   .   .   .   .   .   .   . |\n"
			     "+---+---+---+---+---+---+---+---+---+---+\n"
			     "homes 0,9 0,0 10,9 10,0\n"
			     "cell 0.43\n";

/* 10 x 7 like the published one, whose two tags are obstacles too. */
static const char zumy[] = "1 0 0 0 0 0 0 0 0 0\n"
			   "0 0 1 1 0 1 0 1 1 0\n"
			   "0 1 0 0 0 1 0 0 0 0\n"
			   "0 0 0 1 0 0 0 1 1 0\n"
			   "1 1 0 1 1 0 1 0 9 0\n"
			   "0 0 0 0 0 0 0 0 1 0\n"
			   "0 1 0 1 1 0 1 0 0 1\n";

/* The authors' own board, cell by cell. */
static const char zumy_published[] = "1 0 0 1 0 1 0 0 0 0\n"
				     "0 0 0 0 0 0 0 1 0 0\n"
				     "0 1 1 1 0 1 0 1 1 0\n"
				     "0 0 0 0 0 0 0 1 0 0\n"
				     "0 1 0 1 0 1 0 0 9 1\n"
				     "0 1 0 1 0 1 0 1 0 0\n"
				     "0 0 0 1 0 0 0 1 0 1\n";

/* Parse one of the built-in boards. */
static void
make_board(bool numbers, const char *text, size_t n, struct pb_maze *z)
{
	struct pb_board_fault f;
	enum pb_status st = numbers ? pb_board_parse_grid(text, n, z, &f)
	                            : pb_board_parse(text, n, z, &f);

	assert(st == PB_OK);
	(void)st;
}

enum pb_status
pb_maze_standard(const char *name, struct pb_maze *z)
{
	int i = 0;

	while (names[i] != NULL && strcmp(names[i], name) != 0)
		i++;
	if (names[i] == NULL)
		return PB_ENOENT;
	*z = (struct pb_maze){0};
	memset(z->cell, PB_MAZE_WALL, sizeof(z->cell));
	if (i == 0)
		make_pacman(z);
	else if (strcmp(name, "roomba") == 0)
		make_board(false, roomba, sizeof(roomba) - 1, z);
	else if (strcmp(name, "zumy") == 0)
		make_board(true, zumy, sizeof(zumy) - 1, z);
	else if (strcmp(name, "zumy-published") == 0)
		make_board(true, zumy_published, sizeof(zumy_published) - 1, z);
	for (size_t k = 0; k < TEST_GRIDS; k++)
		if (strcmp(name, test_grids[k].name) == 0)
			make_test_grid(&test_grids[k], z);
	memcpy(z->name, names[i], strlen(names[i]) + 1);
	return PB_OK;
}

const char *const *
pb_maze_names(void)
{
	return names;
}

const char *const pb_board_dir[5] = {"up", "left", "down", "right", "stop"};

/* Whether the letter of a robot at p would hide something. */
static bool
letter_hides(const struct pb_maze *z, const struct pb_maze_place *p)
{
	int here = z->start.row == p->row && z->start.col == p->col;

	for (int i = 0; i < z->ghosts; i++)
		here += z->ghost[i].row == p->row && z->ghost[i].col == p->col;
	return here > 1 || z->cell[p->row][p->col] != PB_MAZE_EMPTY;
}

struct pb_maze
pb_board_drawn(const struct pb_maze *z)
{
	struct pb_maze d = *z;

	if (z->start.row >= 0 && letter_hides(z, &z->start))
		d.start.row = -1;
	for (int i = 0; i < z->ghosts; i++)
		if (letter_hides(z, &z->ghost[i]))
			d.ghosts = 0;
	return d;
}

static void
draw_edge(const struct pb_maze *z, int row, char *out)
{
	for (int col = 0; col < z->cols; col++) {
		bool wall = !pb_maze_pass(z, row, col, PB_UP);

		memcpy(out + 4 * (size_t)col, wall ? "+---" : "+   ", 4);
	}
	memcpy(out + 4 * (size_t)z->cols, "+", 2);
}

/* Draw a letter into an empty cell. */
static void
draw_letter(char *out, int col, char letter)
{
	if (out[4 * col + 2] == PB_MAZE_EMPTY)
		out[4 * col + 2] = letter;
}

static void
draw_row(const struct pb_maze *z, int row, char *out)
{
	for (int col = 0; col < z->cols; col++) {
		char *c = out + 4 * (size_t)col;
		bool wall = !pb_maze_pass(z, row, col, PB_LEFT);

		memcpy(c, wall ? "|   " : "    ", 4);
		c[2] = z->cell[row][col];
	}
	if (z->start.row == row)
		draw_letter(out, z->start.col, 'P');
	for (int g = 0; g < z->ghosts; g++)
		if (z->ghost[g].row == row)
			draw_letter(out, z->ghost[g].col, PB_BOARD_GHOSTS[g]);
	memcpy(out + 4 * (size_t)z->cols, "|", 2);
}

void
pb_board_line(const struct pb_maze *z, int i, char out[PB_BOARD_LINE])
{
	if (i % 2 == 0)
		draw_edge(z, i / 2, out);
	else
		draw_row(z, i / 2, out);
}

/* A line of a text without its end. */
struct span {
	const char *s;
	size_t n;
};

static enum pb_status
set_fault(struct pb_board_fault *f, enum pb_status st, long line, size_t column,
    const char *text)
{
	*f = (struct pb_board_fault){line, (long)column, text};
	return st;
}

/* Whether c is a character of set; NUL is in none. */
static bool
is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static bool
next_line(const char **p, const char *end, struct span *l)
{
	const char *stop;

	if (*p >= end)
		return false;
	stop = memchr(*p, '\n', (size_t)(end - *p));
	if (stop == NULL)
		stop = end;
	*l = (struct span){*p, (size_t)(stop - *p)};
	*p = stop < end ? stop + 1 : stop;
	while (l->n > 0 && is_one_of(l->s[l->n - 1], " \r\t"))
		l->n--;
	return true;
}

/* Character k of a line; a blank beyond its end. */
static char
char_at(struct span l, size_t k)
{
	return k < l.n ? l.s[k] : ' ';
}

bool
pb_board_is(const char *p, size_t n)
{
	struct span l = {p, n};

	return char_at(l, 0) == '+' &&
	       (char_at(l, 1) == '-' || char_at(l, 1) == ' ') &&
	       char_at(l, 4) == '+';
}

/* Set a cell by its letter. */
static void
set_cell(struct pb_maze *z, int row, int col, char c)
{
	static const char all[] = PB_BOARD_GHOSTS;
	struct pb_maze_place here = {row, col, PB_STAY};

	z->cell[row][col] = PB_MAZE_EMPTY;
	if (c == 'P') {
		z->start = here;
	} else if (is_one_of(c, all)) {
		int g = (int)(strchr(all, c) - all);

		z->ghost[g] = here;
		z->ghosts |= 1 << g;
	} else {
		z->cell[row][col] = c;
	}
}

/*
 * Parse line i: edges between rows have + at the corners and --- or blanks
 * between; rows have | or blanks at the sides of cells and their content in the
 * middle.
 */
static enum pb_status
parse_line(struct pb_maze *z, long i, struct span l, struct pb_board_fault *f)
{
	static const char *const may[2][4] = {{"+", "- ", "- ", "- "},
	    {"| ", " ", ".o# GP" PB_BOARD_GHOSTS, " "}};
	int row = (int)(i / 2);
	bool edge = i % 2 == 0;

	for (int k = 0; k <= 4 * z->cols; k++) {
		int col = k / 4, part = k % 4;
		char c = char_at(l, (size_t)k);

		if (!is_one_of(c, may[!edge][part]) ||
		    (edge && part > 1 && c != char_at(l, (size_t)k - 1)))
			return set_fault(f, PB_EVALUE, i + 1, (size_t)k + 1,
			    edge ? "+ at corners and --- or blanks between"
			    : part == 2 ? "one of . o # G P B k i C or a blank"
					: "| or a blank between cells");
		/* pb_board_end adds it to the cells above. */
		if (edge && part == 1 && c == '-' && row > 0 &&
		    row < PB_MAZE_SIDE)
			z->side[row][col] |= 1 << PB_UP;
		if (!edge && part == 2)
			set_cell(z, row, col, c);
		if (c == '|' && col > 0 && col < z->cols)
			pb_maze_side(z, row, col, PB_LEFT, true);
	}
	return PB_OK;
}

enum pb_status
pb_board_add_line(struct pb_maze *z, long i, const char *s, size_t n,
    struct pb_board_fault *f)
{
	struct span l = {s, n};

	while (l.n > 0 && is_one_of(l.s[l.n - 1], " \r\t"))
		l.n--;
	if (i == 0) {
		z->cols = (int)(l.n / 4);
		z->start.row = -1;
		if (l.n % 4 != 1 || l.n < 5)
			return set_fault(
			    f, PB_EVALUE, 1, 0, "an edge like +---+---+");
		if (l.n / 4 > PB_MAZE_SIDE)
			return set_fault(
			    f, PB_ESIZE, 1, 0, "at most 64 columns");
	}
	if (i / 2 >= PB_MAZE_SIDE && i % 2 == 1)
		return set_fault(f, PB_ESIZE, i + 1, 0, "at most 64 rows");
	if (l.n > 4 * (size_t)z->cols + 1)
		return set_fault(f, PB_EVALUE, i + 1, 4 * (size_t)z->cols + 2,
		    "a line no longer than the first");
	z->rows = (int)((i + 1) / 2);
	return parse_line(z, i, l, f);
}

enum pb_status
pb_board_end(struct pb_maze *z, struct pb_board_fault *f)
{
	int n = 0;

	if (z->rows == 0)
		return set_fault(f, PB_EVALUE, 1, 0, "a row of cells");
	if (z->rows < PB_MAZE_SIDE)
		memset(z->side[z->rows], 0, sizeof(z->side[0]));
	for (int row = 1; row < z->rows; row++)
		for (int col = 0; col < z->cols; col++)
			if (z->side[row][col] >> PB_UP & 1)
				pb_maze_side(z, row, col, PB_UP, true);
	pb_maze_tidy(z);
	while (n < 4 && z->ghosts >> n & 1)
		n++;
	if (z->ghosts >> n != 0)
		return set_fault(f, PB_EVALUE, 1, 0,
		    "of the ghosts B, k, i, C none before another missing");
	z->ghosts = n;
	return PB_OK;
}

/* Append digits from w.s[*k] on to v; returns their number. */
static int
parse_digits(struct span w, size_t *k, double *v)
{
	int n = 0;

	for (; *k < w.n && w.s[*k] >= '0' && w.s[*k] <= '9'; ++*k, n++)
		*v = 10 * *v + (w.s[*k] - '0');
	return n;
}

/* Parse the direction at l.s[*k]. */
static bool
parse_dir(struct span l, size_t *k, enum pb_dir *dir)
{
	for (int d = PB_UP; d <= PB_STAY; d++) {
		size_t n = strlen(pb_board_dir[d]);

		if (l.n - *k < n || memcmp(l.s + *k, pb_board_dir[d], n) != 0)
			continue;
		*dir = (enum pb_dir)d;
		*k += n;
		return true;
	}
	return false;
}

/* Parse places such as "0,9 10,9,left": cells of z, at most max. */
static bool
parse_places(const struct pb_maze *z, struct span l, int max,
    struct pb_maze_place *place, int *n)
{
	size_t k = 0;

	for (*n = 0; k < l.n; ++*n) {
		double row = 0, col = 0;
		enum pb_dir dir = PB_STAY;

		if (*n == max || parse_digits(l, &k, &row) == 0 ||
		    char_at(l, k++) != ',' || parse_digits(l, &k, &col) == 0 ||
		    row >= z->rows || col >= z->cols)
			return false;
		if (char_at(l, k) == ',' && (++k, !parse_dir(l, &k, &dir)))
			return false;
		if (char_at(l, k++) != ' ')
			return false;
		place[*n] = (struct pb_maze_place){(int)row, (int)col, dir};
	}
	return *n > 0;
}

/* Parse a decimal number with optional sign, point and exponent. */
static bool
parse_number(struct span w, double *v)
{
	size_t k = w.n > 0 && is_one_of(w.s[0], "+-"), from;
	int n, point = 0;
	double power = 0, scale = 1;
	bool down;

	*v = 0;
	n = parse_digits(w, &k, v);
	if (k < w.n && w.s[k] == '.') {
		k++;
		point = parse_digits(w, &k, v);
	}
	if (n + point == 0)
		return false;
	if (k < w.n && is_one_of(w.s[k], "eE")) {
		down = ++k < w.n && w.s[k] == '-';
		k += k < w.n && is_one_of(w.s[k], "+-");
		from = k;
		parse_digits(w, &k, &power);
		if (k == from || power > 300)
			return false;
		point += down ? (int)power : -(int)power;
	}
	for (int i = point; i != 0; i += i < 0 ? 1 : -1)
		scale *= 10;
	*v = point > 0 ? *v / scale : *v * scale; /* rounded once */
	*v = w.s[0] == '-' ? -*v : *v;
	return k == w.n;
}

/* Parse a line of places: key, blank, places. */
static bool
parse_key(const struct pb_maze *z, struct span l, const char *key, int max,
    struct pb_maze_place *place, int *n)
{
	size_t k = strlen(key);

	return l.n > k && memcmp(l.s, key, k) == 0 &&
	       parse_places(z, (struct span){l.s + k, l.n - k}, max, place, n);
}

static enum pb_status
parse_extra_line(
    struct pb_maze *z, long line, struct span l, struct pb_board_fault *f)
{
	int n;

	if (l.n > 5 && memcmp(l.s, "name ", 5) == 0) {
		if (l.n - 5 >= sizeof(z->name))
			return set_fault(
			    f, PB_ESIZE, line, 0, "a name of at most 31 bytes");
		memcpy(z->name, l.s + 5, l.n - 5);
		z->name[l.n - 5] = '\0';
		return PB_OK;
	}
	if (l.n > 5 && memcmp(l.s, "cell ", 5) == 0) {
		if (parse_number((struct span){l.s + 5, l.n - 5}, &z->pitch) &&
		    z->pitch >= 1e-6 && z->pitch <= 1e6)
			return PB_OK;
		return set_fault(f, PB_EVALUE, line, 6,
		    "the side of a cell, 1e-06 to 1000000 (m)");
	}
	if (parse_key(z, l, "start ", 1, &z->start, &n) ||
	    parse_key(z, l, "ghosts ", 4, z->ghost, &z->ghosts) ||
	    parse_key(z, l, "homes ", 4, z->home, &z->homes))
		return PB_OK;
	return set_fault(f, PB_EVALUE, line, 0,
	    "name NAME, cell METRES, or start, ghosts or homes "
	    "ROW,COL[,DIRECTION] ..., one to four cells of the board");
}

enum pb_status
pb_board_parse(
    const char *p, size_t n, struct pb_maze *z, struct pb_board_fault *f)
{
	const char *end = p + n;
	struct pb_maze got = {.rows = 0};
	enum pb_status st = PB_OK;
	struct span l;
	long i = 0, line = 0;
	bool cells = true;

	for (; st == PB_OK && next_line(&p, end, &l); line++) {
		if (cells && (l.n == 0 || !is_one_of(l.s[0], "+| "))) {
			cells = false;
			st = pb_board_end(&got, f);
		}
		if (st != PB_OK || l.n == 0)
			continue;
		st = cells ? pb_board_add_line(&got, i++, l.s, l.n, f)
		           : parse_extra_line(&got, line + 1, l, f);
	}
	if (st == PB_OK && cells)
		st = pb_board_end(&got, f);
	if (st == PB_OK && i % 2 == 0)
		st = set_fault(f, PB_EVALUE, i, 0, "an edge at the end");
	if (st == PB_OK)
		*z = got;
	return st;
}

/* The next word of a line of numbers; # begins a comment. */
static bool
next_word(struct span *l, struct span *w)
{
	size_t n = 0;

	while (l->n > 0 && is_one_of(*l->s, " \t\r\v\f"))
		*l = (struct span){l->s + 1, l->n - 1};
	while (n < l->n && !is_one_of(l->s[n], " \t\r\v\f#"))
		n++;
	*w = (struct span){l->s, n};
	*l = (struct span){l->s + n, l->n - n};
	return n > 0;
}

bool
pb_board_is_grid(const char *p, size_t n)
{
	const char *end = p + n;
	struct span l, w;
	bool any = false;

	while (next_line(&p, end, &l))
		for (int words = 0; next_word(&l, &w); words++) {
			double v;

			if (!parse_number(w, &v) ||
			    (v != 0 && v != 1 && v != 9))
				return false;
			any |= words > 0;
		}
	return any;
}

static enum pb_status
parse_numbers(struct pb_maze *z, int row, long line, struct span l,
    struct pb_board_fault *f)
{
	const char *start = l.s;
	int cols = 0;
	struct span w;

	while (next_word(&l, &w)) {
		size_t column = (size_t)(w.s - start) + 1;
		double v;

		if (!parse_number(w, &v))
			return set_fault(f, PB_EVALUE, line, column,
			    "a number: 0 free, 9 the goal, others obstacles");
		if (cols == PB_MAZE_SIDE)
			return set_fault(
			    f, PB_ESIZE, line, column, "at most 64 columns");
		z->cell[row][cols++] = v == 0   ? PB_MAZE_EMPTY
		                       : v == 9 ? PB_MAZE_GOAL
		                                : PB_MAZE_WALL;
	}
	if (row > 0 && cols != z->cols)
		return set_fault(f, PB_EVALUE, line, 0,
		    "as many numbers as in the first line");
	z->cols = cols;
	return PB_OK;
}

/* Flip the rows: the first line of the text is the bottom row. */
static void
flip_rows(struct pb_maze *z)
{
	char row[PB_MAZE_SIDE];

	for (int a = 0, b = z->rows - 1; a < b; a++, b--) {
		memcpy(row, z->cell[a], sizeof(row));
		memcpy(z->cell[a], z->cell[b], sizeof(row));
		memcpy(z->cell[b], row, sizeof(row));
	}
}

enum pb_status
pb_board_parse_grid(
    const char *p, size_t n, struct pb_maze *z, struct pb_board_fault *f)
{
	const char *end = p + n;
	/* The grid of numbers is the format of the Zumy boards. */
	struct pb_maze got = {.start = {.row = -1}, .pitch = ZUMY_CELL};
	enum pb_status st = PB_OK;
	struct span l;

	for (long line = 1; st == PB_OK && next_line(&p, end, &l); line++) {
		struct span rest = l, w;

		if (!next_word(&rest, &w))
			continue;
		if (got.rows == PB_MAZE_SIDE)
			return set_fault(
			    f, PB_ESIZE, line, 0, "at most 64 rows");
		st = parse_numbers(&got, got.rows++, line, l, f);
	}
	if (st == PB_OK && got.rows == 0)
		st = set_fault(f, PB_EVALUE, 1, 0, "a row of numbers");
	if (st != PB_OK)
		return st;
	flip_rows(&got);
	*z = got;
	return PB_OK;
}

/* --- random boards --- */

/* Defaults and limits of the kinds of boards; sizes are those of the standard
 * boards. */
static const struct kind {
	const char *name;
	struct pb_board_opts usual;
	int least, most; /* side (cells) */
	int power;       /* power pellets at most */
} kinds[PB_BOARD_KINDS] = {
    [PB_BOARD_MAZE] = {"maze",
	{.rows = 31, .cols = 28, .loops = 0.15, .mirror = true, .power = 4},
	PB_MAZE_RULE_MIN, PB_MAZE_SIDE, PB_MAZE_POWER_MAX},
    [PB_BOARD_ROOMBA] = {"random-roomba",
	{.rows = 11, .cols = 10, .loops = 0.1, .power = 4}, PB_BOARD_SIDE_MIN,
	PB_BOARD_SIDE_MAX, 4},
    [PB_BOARD_ZUMY] = {"random-zumy", {.rows = 7, .cols = 10, .obstacles = 0.3},
	PB_BOARD_SIDE_MIN, PB_BOARD_SIDE_MAX, 4},
};

struct pb_board_opts
pb_board_defaults(enum pb_board_kind kind)
{
	struct pb_board_opts o = kinds[kind].usual;

	o.kind = kind;
	o.seed = 1;
	return o;
}

const char *
pb_board_opts_wrong(const struct pb_board_opts *o)
{
	const struct kind *k = &kinds[o->kind];

	return o->rows < k->least || o->rows > k->most       ? "rows"
	       : o->cols < k->least || o->cols > k->most     ? "cols"
	       : !(o->loops >= 0 && o->loops <= 1)           ? "loops"
	       : o->power < 0 || o->power > k->power         ? "power"
	       : !(o->obstacles >= 0 && o->obstacles <= 0.6) ? "obstacles"
	                                                     : NULL;
}

/* A list of cell numbers, row by row: a stack or a random order. */
struct list {
	short cell[PB_BOARD_SIDE_MAX * PB_BOARD_SIDE_MAX];
	int n;
};

static bool
is_inside(const struct pb_maze *z, int row, int col)
{
	return row >= 0 && row < z->rows && col >= 0 && col < z->cols;
}

/* Fill a board with one content, without walls between cells. */
static void
fill_board(struct pb_maze *z, int rows, int cols, char what)
{
	*z = (struct pb_maze){.rows = rows, .cols = cols, .start = {.row = -1}};
	for (int r = 0; r < z->rows; r++)
		memset(z->cell[r], what, (size_t)z->cols);
}

static void
add_all_walls(struct pb_maze *z)
{
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			for (int d = 0; d < 4; d++)
				pb_maze_side(z, r, c, (enum pb_dir)d, true);
}

/* Open side d of a cell, and of its mirror image if asked. */
static void
open_side(struct pb_maze *z, int row, int col, int d, bool mirror)
{
	pb_maze_side(z, row, col, (enum pb_dir)d, false);
	if (mirror)
		pb_maze_side(z, row, z->cols - 1 - col,
		    (enum pb_dir)(d == PB_LEFT || d == PB_RIGHT ? d ^ 2 : d),
		    false);
}

/* Number of open sides of a cell. */
static int
count_exits(const struct pb_maze *z, int row, int col)
{
	int n = 0;

	for (int d = 0; d < 4; d++)
		n += pb_maze_pass(z, row, col, (enum pb_dir)d);
	return n;
}

/* A direction from (row, col) to a cell outside of the tree, -1 if none:
 * uniformly drawn if even, else the first after a random one. */
static int
draw_new_direction(const struct pb_maze *z, bool in[][PB_MAZE_SIDE], int row,
    int col, bool even, struct pb_rng *rng)
{
	int way[4], n = 0, from = even ? 0 : (int)pb_rng_below(rng, 4);

	for (int i = 0; i < 4; i++) {
		int d = (from + i) % 4;
		int r = row + pb_dir_row[d], c = col + pb_dir_col[d];

		if (is_inside(z, r, c) && !in[r][c])
			way[n++] = d;
	}
	if (n == 0)
		return -1;
	return way[even ? pb_rng_below(rng, (uint32_t)n) : 0];
}

/*
 * Carve a spanning tree of corridors by depth-first search, which makes them
 * long and winding. With the mirror each step is made on both sides, which adds
 * loops across the middle but keeps all connected.
 */
static void
carve_tree(struct pb_maze *z, bool even, bool mirror, struct pb_rng *rng)
{
	bool in[PB_MAZE_SIDE][PB_MAZE_SIDE] = {{false}};
	struct list way = {.n = 1};

	in[0][0] = true;
	while (way.n > 0) {
		int row = way.cell[way.n - 1] / z->cols;
		int col = way.cell[way.n - 1] % z->cols;
		int d = draw_new_direction(z, in, row, col, even, rng);

		if (d < 0) {
			way.n--;
			continue;
		}
		open_side(z, row, col, d, mirror);
		row += pb_dir_row[d];
		col += pb_dir_col[d];
		in[row][col] = true;
		way.cell[way.n++] = (short)(row * z->cols + col);
	}
}

/*
 * A maze's corridors run along lines at least three cells apart: then no two
 * touch, and all walls between are at least two cells thick, as the grid rules
 * demand. The crossings form a smaller board, whose open sides are the
 * stretches of corridor.
 */
#define GAP   3
#define LINES (PB_MAZE_SIDE / GAP + 1)

/* Lay lines from 1 to `last`, both included, with gaps of GAP to GAP + 2, the
 * last one excepted. Returns their number. */
static int
lay_lines(struct pb_rng *r, int last, int *at)
{
	int n = 0, p = 1;

	at[n++] = p;
	while (last - p >= 2 * GAP) {
		p += GAP + (int)pb_rng_below(r, 3);
		at[n++] = p;
	}
	if (last - p >= GAP)
		at[n++] = last;
	return n;
}

/* Lay lines symmetric about the middle of cells 1..n-2. The two next to the
 * middle are at least GAP apart; an odd board may have one in the middle. */
static int
lay_mirrored(struct pb_rng *r, int n, int *at)
{
	bool centre = n % 2 == 1 && n / 2 - 1 >= GAP;
	int last = centre ? n / 2 - GAP : (n - 1 - GAP) / 2, half, k;

	if (last < 1)
		return lay_lines(r, n - 2, at);
	half = k = lay_lines(r, last, at);
	if (centre)
		at[k++] = n / 2;
	while (half-- > 0)
		at[k++] = n - 1 - at[half];
	return k;
}

/* Give every dead end a second exit, and some other crossings a further one. */
static void
add_loops(struct pb_maze *g, const struct pb_board_opts *o, struct pb_rng *rng)
{
	for (int r = 0; r < g->rows; r++)
		for (int c = 0; c < g->cols; c++) {
			int shut[4], n = 0;

			for (int d = 0; d < 4; d++)
				if (is_inside(g, r + pb_dir_row[d],
					c + pb_dir_col[d]) &&
				    !pb_maze_pass(g, r, c, (enum pb_dir)d))
					shut[n++] = d;
			if (n == 0 ||
			    ((o->dead_ends || count_exits(g, r, c) > 1) &&
				pb_rng_unit(rng) >= o->loops))
				continue;
			open_side(g, r, c, shut[pb_rng_below(rng, (uint32_t)n)],
			    o->mirror);
		}
}

/* The open cell with a pellet nearest to (row, col). */
static struct pb_maze_place
nearest_pellet(const struct pb_maze *z, int row, int col)
{
	struct pb_maze_place best = {-1, -1, PB_LEFT};
	int least = 0;

	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++) {
			int d = (r - row) * (r - row) + (c - col) * (c - col);

			if (z->cell[r][c] != PB_MAZE_PELLET ||
			    (best.row >= 0 && d >= least))
				continue;
			best.row = r;
			best.col = c;
			least = d;
		}
	return best;
}

/* Place start, ghosts and power pellets as in the arcade game. */
static void
place_robots_and_pellets(struct pb_maze *z, int power)
{
	z->start = nearest_pellet(z, z->rows * 3 / 4, z->cols / 2);
	z->cell[z->start.row][z->start.col] = PB_MAZE_EMPTY;
	for (int i = 0; i < 4; i++) {
		struct pb_maze_place p = nearest_pellet(
		    z, z->rows * 3 / 8, z->cols / 2 + (i - 2) * 2);

		if (p.row >= 0)
			z->ghost[z->ghosts++] = p;
	}
	for (int i = 0; i < power; i++) {
		/* From the corners inwards, one ring of four at a time. */
		int in = 1 + i / 4 * z->rows / 8;
		struct pb_maze_place p = nearest_pellet(z,
		    i & 1 ? z->rows - 1 - in - z->rows / 8 : in + z->rows / 16,
		    i & 2 ? z->cols - 1 - in : in);

		if (p.row >= 0)
			z->cell[p.row][p.col] = PB_MAZE_POWER;
	}
}

static void
make_maze(const struct pb_board_opts *o, struct pb_rng *rng, struct pb_maze *z)
{
	int row[LINES], col[LINES];
	int rows = lay_lines(rng, o->rows - 2, row);
	int cols = o->mirror ? lay_mirrored(rng, o->cols, col)
	                     : lay_lines(rng, o->cols - 2, col);
	struct pb_maze g; /* of the crossings */

	fill_board(&g, rows, cols, PB_MAZE_EMPTY);
	add_all_walls(&g);
	carve_tree(&g, true, o->mirror, rng);
	add_loops(&g, o, rng);
	fill_board(z, o->rows, o->cols, PB_MAZE_WALL);
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++) {
			int e = pb_maze_pass(&g, i, j, PB_RIGHT);
			int s = pb_maze_pass(&g, i, j, PB_DOWN);

			lay_pellets(z, row[i], col[j], row[i], col[j + e]);
			lay_pellets(z, row[i], col[j], row[i + s], col[j]);
		}
	place_robots_and_pellets(z, o->power);
}

/* Open walls at random, and every dead end unless those are wanted. */
static void
remove_walls(
    struct pb_maze *z, const struct pb_board_opts *o, struct pb_rng *rng)
{
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++) {
			for (int d = PB_DOWN; d <= PB_RIGHT; d++)
				if (pb_rng_unit(rng) < o->loops)
					open_side(z, r, c, d, false);
			while (!o->dead_ends && count_exits(z, r, c) < 2)
				open_side(
				    z, r, c, (int)pb_rng_below(rng, 4), false);
		}
}

static void
put_pellets(struct pb_maze *z, int power)
{
	const int row[4] = {0, 0, z->rows - 1, z->rows - 1};
	const int col[4] = {z->cols - 1, 0, z->cols - 1, 0};
	int r = (z->rows - 1) / 2, c = (z->cols - 1) / 2;

	for (int i = 0; i < 4; i++) {
		z->home[i] = (struct pb_maze_place){row[i], col[i], PB_STAY};
		if (i < power)
			z->cell[row[i]][col[i]] = PB_MAZE_POWER;
	}
	z->homes = 4;
	z->ghost[0] = (struct pb_maze_place){r - (r > 0), c, PB_STAY};
	z->ghost[1] = (struct pb_maze_place){r, c, PB_STAY};
	z->ghost[2] = (struct pb_maze_place){r, c + 1, PB_STAY};
	z->ghost[3] = (struct pb_maze_place){r - (r > 0), c + 1, PB_STAY};
	z->ghosts = 4;
	z->start =
	    (struct pb_maze_place){z->rows - 1 - (z->rows > 5), c, PB_STAY};
	z->cell[z->start.row][c] = PB_MAZE_EMPTY;
	for (int i = 0; i < 4; i++)
		z->cell[z->ghost[i].row][z->ghost[i].col] = PB_MAZE_EMPTY;
}

static void
make_roomba(
    const struct pb_board_opts *o, struct pb_rng *rng, struct pb_maze *z)
{
	fill_board(z, o->rows, o->cols, PB_MAZE_PELLET);
	z->pitch = ROOMBA_CELL;
	add_all_walls(z);
	carve_tree(z, false, false, rng);
	remove_walls(z, o, rng);
	pb_maze_tidy(z);
	put_pellets(z, o->power);
}

/* Whether all open cells are connected; *last: the cell found last, far from
 * the first. */
static bool
is_connected(const struct pb_maze *z, int *last)
{
	bool seen[PB_MAZE_SIDE][PB_MAZE_SIDE] = {{false}};
	short order[PB_MAZE_SIDE * PB_MAZE_SIDE];
	int i = 0, n;

	while (!pb_maze_open(z, i / z->cols, i % z->cols))
		i++;
	n = pb_maze_reach(z, i / z->cols, i % z->cols, seen, order);
	*last = order[n - 1];
	return n == pb_maze_open_cells(z);
}

/* Fill l with 0..n - 1 in random order (Fisher-Yates, inside out). */
static void
shuffle(struct list *l, int n, struct pb_rng *rng)
{
	for (int i = 0; i < n; i++) {
		int j = (int)pb_rng_below(rng, (uint32_t)i + 1);

		l->cell[i] = l->cell[j];
		l->cell[j] = (short)i;
	}
	l->n = n;
}

static void
make_zumy(const struct pb_board_opts *o, struct pb_rng *rng, struct pb_maze *z)
{
	int cells = o->rows * o->cols, put = 0, last;
	int want = (int)(o->obstacles * cells);
	struct list order = {.n = 0};

	fill_board(z, o->rows, o->cols, PB_MAZE_EMPTY);
	z->pitch = ZUMY_CELL;
	shuffle(&order, cells, rng);
	for (int i = 0; i < cells && put < want; i++) {
		char *c =
		    &z->cell[order.cell[i] / z->cols][order.cell[i] % z->cols];

		*c = PB_MAZE_WALL;
		if (is_connected(z, &last))
			put++;
		else
			*c = PB_MAZE_EMPTY;
	}
	/* The last cell of a search is at the end of a path. */
	is_connected(z, &last);
	z->cell[last / PB_MAZE_SIDE][last % PB_MAZE_SIDE] = PB_MAZE_GOAL;
}

enum pb_status
pb_gen_board(const struct pb_board_opts *o, struct pb_maze *z)
{
	static void (*const make[])(const struct pb_board_opts *,
	    struct pb_rng *, struct pb_maze *) = {[PB_BOARD_MAZE] = make_maze,
	    [PB_BOARD_ROOMBA] = make_roomba,
	    [PB_BOARD_ZUMY] = make_zumy};
	const char *name = kinds[o->kind].name;
	struct pb_rng rng;

	if (pb_board_opts_wrong(o) != NULL)
		return PB_EVALUE;
	pb_rng_start(&rng, o->seed, 0, PB_FOR_MAP, 1 + (int)o->kind);
	make[o->kind](o, &rng, z);
	memcpy(z->name, name, strlen(name) + 1);
	return PB_OK;
}
