/* canvas.c - draw a scene on any output: window, scale, signs, order. */
#include "view/canvas.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "map/change.h"

/* --- options and colours --- */

bool
pb_render_box(void *to, const char *word, struct pb_error *bad)
{
	struct pb_render_opts *o = to;
	const char *at = word;
	double v[4] = {0};
	bool good = true;

	for (int i = 0; i < 4 && good; i++) {
		char *end;

		v[i] = strtod(at, &end);
		good = !isspace((unsigned char)*at) && end != at &&
		       isfinite(v[i]) && *end == (i < 3 ? ',' : '\0');
		at = end + 1;
	}
	if (!good || v[0] >= v[2] || v[1] >= v[3])
		return pb_error_set(bad,
		    "expected x0,y0,x1,y1 with x0 < x1 and y0 < y1, "
		    "got \"%.80s\"",
		    word);
	o->has_box = true;
	o->x0 = v[0];
	o->y0 = v[1];
	o->x1 = v[2];
	o->y1 = v[3];
	return true;
}

/*
 * Okabe and Ito, "Color Universal Design" (2008): black, orange 230 159 0,
 * sky blue 86 180 233, bluish green 0 158 115, yellow 240 228 66, blue
 * 0 114 178, vermillion 213 94 0, reddish purple 204 121 167.
 */
const struct pb_ink_colors pb_inks[PB_INKS] = {
    [PB_INK_FREE] = {{255, 255, 255}, {16, 16, 20}},
    [PB_INK_UNKNOWN] = {{222, 224, 228}, {92, 94, 104}},
    [PB_INK_SHADE] = {{222, 224, 228}, {48, 50, 60}},
    [PB_INK_HOUSE] = {{250, 228, 240}, {150, 80, 120}},
    [PB_INK_WALL] = {{38, 42, 56}, {86, 180, 233}},
    [PB_INK_PELLET] = {{230, 159, 0}, {240, 228, 66}},
    [PB_INK_EATEN] = {{140, 140, 140}, {150, 150, 150}},
    [PB_INK_ROBOT] = {{240, 228, 66}, {240, 228, 66}},
    [PB_INK_ROBOT_TRAIL] = {{0, 114, 178}, {230, 159, 0}},
    [PB_INK_OTHER] = {{204, 121, 167}, {204, 121, 167}},
    [PB_INK_PATH] = {{0, 158, 115}, {0, 190, 140}},
    [PB_INK_TARGET] = {{0, 114, 178}, {255, 255, 255}},
    [PB_INK_SCAN] = {{204, 121, 167}, {204, 121, 167}},
    [PB_INK_SOLID] = {{213, 94, 0}, {213, 94, 0}},
    [PB_INK_DEATH] = {{190, 30, 45}, {255, 90, 90}},
    [PB_INK_TEXT] = {{30, 30, 36}, {220, 220, 220}},
    [PB_INK_DIM] = {{150, 152, 160}, {140, 140, 140}},
    [PB_INK_PAPER] = {{255, 255, 255}, {0, 0, 0}},
};

/* --- window, dots and axes --- */

/* Set the window to columns c0 to c1 and rows r0 to r1, within the map. */
static void
set_window(struct pb_viewport *p, const struct pb_map *m, double c0, double c1,
    double r0, double r1)
{
	p->col0 = pb_clamp_int(c0, 0, m->width - 1);
	p->row0 = pb_clamp_int(r0, 0, m->height - 1);
	p->cols = pb_clamp_int(c1, 0, m->width - 1) - p->col0 + 1;
	p->rows = pb_clamp_int(r1, 0, m->height - 1) - p->row0 + 1;
}

/* Set the window to the cells that the options' box touches. */
static bool
set_box_window(const struct pb_map *m, const struct pb_render_opts *o,
    struct pb_viewport *p)
{
	double c0 = INFINITY, c1 = -INFINITY, r0 = INFINITY, r1 = -INFINITY;

	for (int i = 0; i < 4; i++) {
		struct pb_vec v = {
		    i & 1 ? o->x1 : o->x0, i & 2 ? o->y1 : o->y0};

		v = pb_vec_into(m->origin, v);
		c0 = fmin(c0, v.x / m->resolution);
		c1 = fmax(c1, v.x / m->resolution);
		r0 = fmin(r0, v.y / m->resolution);
		r1 = fmax(r1, v.y / m->resolution);
	}
	if (c1 <= 0 || r1 <= 0 || c0 >= m->width || r0 >= m->height)
		return false;
	/* A border on a cell's edge does not include the next cell. */
	set_window(p, m, floor(c0 + 1e-6), ceil(c1 - 1e-6) - 1,
	    floor(r0 + 1e-6), ceil(r1 - 1e-6) - 1);
	if (p->cols < 1)
		p->cols = 1;
	if (p->rows < 1)
		p->rows = 1;
	return true;
}

/* A trail is shown off the map up to the map's longer side, or this far if that
 * is less (m, cells). */
#define FOLLOW       50.0
#define FOLLOW_CELLS 2000.0

/* Extend k to those of n places that are not too far off the map. */
static void
add_places(const struct pb_map *m, const struct pb_vec *v, size_t n,
    struct pb_cellbox *k)
{
	double far = fmax(fmax(m->width, m->height),
	    fmin(FOLLOW / m->resolution, FOLLOW_CELLS));

	for (size_t i = 0; i < n; i++) {
		struct pb_vec u = pb_vec_into(m->origin, v[i]);
		double col = floor(u.x / m->resolution);
		double row = floor(u.y / m->resolution);

		if (col >= -far && col < m->width + far && row >= -far &&
		    row < m->height + far)
			*k = pb_cellbox_join(
			    *k, (struct pb_cell){(int)col, (int)row});
	}
}

/* Cells to keep of a margin, < 0: beyond the map. */
static int
trim_margin(int cells, int rim)
{
	return cells < 0 || cells > rim ? cells - rim : 0;
}

/* Set the window to the map without margins that are unknown and empty, and to
 * the trails of bodies that leave it. */
static void
set_map_window(const struct pb_scene *s, bool whole, struct pb_viewport *p)
{
	const struct pb_map *m = s->map;
	struct pb_cellbox k = pb_map_known(m);
	struct pb_vec lo, hi;
	int rim;

	if (whole || pb_cellbox_empty(k))
		k = (struct pb_cellbox){{0, 0}, {m->width - 1, m->height - 1}};
	for (int i = 0; !whole && i < 4 && pb_scene_bounds(s, &lo, &hi); i++) {
		struct pb_vec v = {i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y};
		struct pb_cell c = pb_map_cell(m, v);

		c.col = pb_clamp_int(c.col, 0, m->width - 1);
		c.row = pb_clamp_int(c.row, 0, m->height - 1);
		k = pb_cellbox_join(k, c);
	}
	for (size_t i = 0; i < s->bodies; i++) {
		const struct pb_body *b = &s->body[i];

		add_places(m, b->trail.at, b->trail.n, &k);
		for (int j = 0; j < PB_LOC_TRACKING; j++)
			add_places(m, b->doubt[j].at, b->doubt[j].n, &k);
	}
	/* Keep 1 % of margin, at least a cell, as walls at the edge are hard to
	 * see; but no cells beyond a map that no body leaves. */
	rim = (k.hi.col - k.lo.col + k.hi.row - k.lo.row) / 100 + 1;
	p->col0 = trim_margin(k.lo.col, rim);
	p->row0 = trim_margin(k.lo.row, rim);
	p->cols =
	    m->width - trim_margin(m->width - 1 - k.hi.col, rim) - p->col0;
	p->rows =
	    m->height - trim_margin(m->height - 1 - k.hi.row, rim) - p->row0;
}

/* Without a map: cells of 5 cm, or larger so that the longer side has 1000,
 * around everything in the scene or the options' box. */
static void
set_bare_window(const struct pb_scene *s, const struct pb_render_opts *o,
    struct pb_viewport *p)
{
	struct pb_vec lo = {-1, -1}, hi = {1, 1};
	double side;

	if (o->has_box) {
		lo = (struct pb_vec){o->x0, o->y0};
		hi = (struct pb_vec){o->x1, o->y1};
	} else if (pb_scene_bounds(s, &lo, &hi)) {
		side = 0.5 + 0.05 * fmax(hi.x - lo.x, hi.y - lo.y);
		lo = (struct pb_vec){lo.x - side, lo.y - side};
		hi = (struct pb_vec){hi.x + side, hi.y + side};
	}
	side = fmax(hi.x - lo.x, hi.y - lo.y);
	p->resolution = fmax(0.05, side / 1000);
	p->origin = (struct pb_pose){lo.x, lo.y, 0};
	p->col0 = p->row0 = 0;
	/* Rounding may add a cell to 1000. */
	p->cols = pb_clamp_int(ceil((hi.x - lo.x) / p->resolution), 1, 1001);
	p->rows = pb_clamp_int(ceil((hi.y - lo.y) / p->resolution), 1, 1001);
}

bool
pb_viewport_window(const struct pb_scene *s, const struct pb_render_opts *o,
    struct pb_viewport *p)
{
	struct pb_maze_fault fault;

	*p = (struct pb_viewport){.num = 1, .den = 1, .tall = 1};
	if (s->map == NULL) {
		set_bare_window(s, o, p);
		return true;
	}
	p->origin = s->map->origin;
	p->resolution = s->map->resolution;
	p->board = s->board.rows > 0 ? &s->board : NULL;
	if (o->has_box)
		return set_box_window(s->map, o, p);
	set_map_window(s, o->whole, p);
	/* Add a wall around a board without one. */
	if (p->board && !pb_maze_rules(p->board, &fault) && fault.rule <= 4) {
		p->col0--;
		p->row0--;
		p->cols += 2;
		p->rows += 2;
	}
	return true;
}

/* Set the scale to num / den cells per dot, and the picture's size. */
static void
set_scale(struct pb_viewport *p, long num, long den, int tall)
{
	p->num = num;
	p->den = den;
	p->tall = tall;
	p->width = (int)((p->cols * den + num - 1) / num);
	p->height = (int)((p->rows * den + num * tall - 1) / (num * tall));
}

void
pb_viewport_fit(
    struct pb_viewport *p, int width, int height, int tall, int most)
{
	long k = most;

	if (k > width / p->cols)
		k = width / p->cols;
	if (k > (long)height * tall / p->rows)
		k = (long)height * tall / p->rows;
	if (k > 1)
		k -= k % tall; /* a multiple of tall: whole dots both ways */
	if (k >= 1)
		set_scale(p, 1, k, tall);
	/* Shrink by the tighter side. */
	else if ((long)p->cols * tall * height >= (long)p->rows * width)
		set_scale(p, p->cols, width, tall);
	else
		set_scale(p, p->rows, (long)height * tall, tall);
}

struct pb_vec
pb_viewport_at(const struct pb_viewport *p, struct pb_vec v)
{
	double dot = (double)p->num / (double)p->den * p->resolution;

	v = pb_vec_into(p->origin, v);
	return (struct pb_vec){(v.x - p->col0 * p->resolution) / dot,
	    p->height - (v.y - p->row0 * p->resolution) / (dot * p->tall)};
}

double
pb_viewport_metres(const struct pb_viewport *p)
{
	return p->resolution * (double)p->num / (double)p->den;
}

/* The cells lo <= c < hi of dot i, of n cells: each cell is in one dot if the
 * map is shrunk, each dot in one cell if it is enlarged. */
static void
dot_cells(long i, long num, long den, int n, int *lo, int *hi)
{
	long a = i * num / den, b = (i + 1) * num / den;

	if (b <= a)
		b = a + 1;
	*hi = b > n ? n : (int)b;
	*lo = a >= *hi ? *hi - 1 : (int)a;
}

/* Raise the dots of one line to row r of cells. */
static void
raise_line(const struct pb_viewport *p, const struct pb_map *m, int r,
    const unsigned char kind[256], unsigned char beyond, unsigned char *line)
{
	const signed char *row = r < 0 || r >= m->height
	                             ? NULL
	                             : m->cell + (size_t)r * (size_t)m->width;

	for (int x = 0; x < p->width; x++) {
		unsigned char d = line[x];
		int lo, hi;

		dot_cells(x, p->num, p->den, p->cols, &lo, &hi);
		for (int c = lo; c < hi && d < PB_DOT_WALL; c++) {
			int col = p->col0 + c;
			unsigned char k = beyond;

			if (row != NULL && col >= 0 && col < m->width)
				k = kind[(unsigned char)row[col]];
			d = k > d ? k : d;
		}
		line[x] = d;
	}
}

/* Whether the middle of a dot is in the ghosts' house. */
static bool
in_house(const struct pb_viewport *p, int x, int y)
{
	double dot = pb_viewport_metres(p);
	double u = p->col0 * p->resolution + (x + 0.5) * dot;
	double v =
	    p->row0 * p->resolution + (p->height - y - 0.5) * dot * p->tall;
	double col = floor(u / p->board->pitch);
	double row = p->board->rows - 1 - floor(v / p->board->pitch);

	return col >= 0 && col < p->board->cols && row >= 0 &&
	       row < p->board->rows &&
	       p->board->cell[(int)row][(int)col] == PB_SCENE_HOUSE;
}

void
pb_viewport_shrink(
    const struct pb_viewport *p, const struct pb_map *m, unsigned char *dot)
{
	size_t n = (size_t)p->width * (size_t)p->height;
	bool cells = p->board && !pb_maze_sided(p->board);
	unsigned char kind[256]; /* dot kind of each cell value */

	memset(dot, PB_DOT_FREE, n);
	for (int v = -128; v < 128; v++)
		kind[(unsigned char)v] = pb_cell_occupied(v) ? PB_DOT_WALL
		                         : pb_cell_free(v)   ? PB_DOT_FREE
		                                             : PB_DOT_UNKNOWN;
	/* If free cells win, invert the order for now. */
	for (int v = 0; v < 256 && cells; v++)
		kind[v] = PB_DOT_WALL - kind[v];
	for (int y = 0; y < p->height && m != NULL; y++) {
		unsigned char *line =
		    dot + (size_t)(p->height - 1 - y) * (size_t)p->width;
		int lo, hi;

		dot_cells(y, p->num * p->tall, p->den, p->rows, &lo, &hi);
		for (int r = lo; r < hi; r++)
			raise_line(p, m, p->row0 + r, kind,
			    !p->board ? PB_DOT_UNKNOWN
			    : cells   ? PB_DOT_FREE
				      : PB_DOT_WALL,
			    line);
	}
	for (size_t i = 0; i < n && p->board; i++) {
		if (cells)
			dot[i] = PB_DOT_WALL - dot[i];
		if ((cells || dot[i] != PB_DOT_WALL) &&
		    in_house(p, (int)(i % (size_t)p->width),
			(int)(i / (size_t)p->width)))
			dot[i] = PB_DOT_HOUSE;
	}
}

/* Angles this near to a right angle count as one (rad): 1 um in 1 km. */
#define SQUARE 1e-9

struct pb_axis
pb_viewport_axis(const struct pb_viewport *p, bool up, double step)
{
	struct pb_vec corner = pb_vec_from(p->origin,
	    (struct pb_vec){p->col0 * p->resolution, p->row0 * p->resolution});
	double c = pb_cos(p->origin.th), s = pb_sin(p->origin.th);
	struct pb_axis a = {.name = up ? "v" : "u",
	    .zero = (up ? p->row0 : p->col0) * p->resolution,
	    .sign = 1,
	    .length = (up ? p->rows : p->cols) * p->resolution,
	    .step = step};

	/* Direction of the axis; an upward axis is a quarter turn further. */
	if (fabs(up ? c : s) < SQUARE) {
		a.name = "x";
		a.zero = corner.x;
		a.sign = (up ? -s : c) > 0 ? 1 : -1;
	} else if (fabs(up ? s : c) < SQUARE) {
		a.name = "y";
		a.zero = corner.y;
		a.sign = (up ? c : s) > 0 ? 1 : -1;
	}
	a.back = !up && a.sign < 0;
	pb_axis_divide(&a);
	return a;
}

void
pb_axis_divide(struct pb_axis *a)
{
	double end = a->zero + a->sign * a->length;
	double lo = ceil(fmin(a->zero, end) / a->step - 1e-6);
	double hi = floor(fmax(a->zero, end) / a->step + 1e-6);

	a->first = lo;
	a->ticks = 0;
	if (fabs(lo) < 1e9 && fabs(hi) < 1e9 && hi >= lo && hi - lo <= 1e6)
		a->ticks = (int)(hi - lo) + 1;
}

double
pb_axis_tick(const struct pb_axis *a, int i, char text[64])
{
	double v = a->first + (a->back ? a->ticks - 1 - i : i);

	/* -0 is printed as 0. */
	snprintf(text, 64, "%.*f", pb_nice_digits(a->step),
	    v == 0 ? 0.0 : v * a->step);
	return (v * a->step - a->zero) * a->sign;
}

double
pb_nice_above(double v)
{
	static const double step[] = {1, 2, 5, 10};
	/* Steps of 1, 2 and 5 keep labels short. */
	double ten = pow(10, floor(log10(v)));

	for (int i = 0; i < 4; i++)
		if (step[i] * ten >= v * (1 - 1e-9))
			return step[i] * ten;
	return 10 * ten;
}

int
pb_nice_digits(double step)
{
	int n = (int)-floor(log10(step) + 1e-9);

	return n < 0 ? 0 : n > 9 ? 9 : n;
}

int
pb_axis_label_width(const struct pb_axis *a)
{
	char text[64];
	size_t w;

	if (a->ticks == 0)
		return 0;
	pb_axis_tick(a, 0, text);
	w = strlen(text);
	pb_axis_tick(a, a->ticks - 1, text);
	return (int)(strlen(text) > w ? strlen(text) : w);
}

bool
pb_viewport_turned(const struct pb_viewport *p, char *out, size_t size)
{
	snprintf(out, size,
	    "u, v from the map's corner (%.2f, %.2f), turned %.1f deg",
	    p->origin.x, p->origin.y, p->origin.th * 180 / PB_PI);
	return fabs(pb_sin(p->origin.th)) >= SQUARE &&
	       fabs(pb_cos(p->origin.th)) >= SQUARE;
}

bool
pb_clip(double p, double q, double lo, double hi, double *a, double *b)
{
	double d = q - p, s0, s1;

	/* Parallel to the border: inside or outside. */
	if (d == 0)
		return p >= lo && p <= hi;
	s0 = (lo - p) / d;
	s1 = (hi - p) / d;
	*a = fmax(*a, fmin(s0, s1));
	*b = fmin(*b, fmax(s0, s1));
	return *a <= *b;
}

/* --- signs and legend --- */

/* Signs differ without colour. All beyond ASCII are in WGL4, which terminal
 * fonts have. */
const struct pb_sign_look pb_signs[PB_SIGNS] = {
    [PB_SIGN_WALL] = {'#', 0x2588, PB_INK_WALL, "wall"},
    [PB_SIGN_UNKNOWN] = {'?', 0x2591, PB_INK_UNKNOWN, "unknown"},
    [PB_SIGN_HOUSE] = {'-', 0x2591, PB_INK_HOUSE, "ghosts' house"},
    [PB_SIGN_PARTICLE] = {',', 0x2219, PB_INK_OTHER, "particle"},
    [PB_SIGN_SCAN] = {'"', '"', PB_INK_SCAN, "scan"},
    [PB_SIGN_VIEW] = {'"', '"', PB_INK_SCAN, "seen by a ghost"},
    [PB_SIGN_GHOST_TRAIL] = {'~', '~', PB_INK_TEXT, "ghosts' trails"},
    [PB_SIGN_TRAIL] = {':', 0xb7, PB_INK_ROBOT_TRAIL, "trail"},
    [PB_SIGN_OTHER_TRAIL] = {'`', 0x2d9, PB_INK_OTHER, "other trail"},
    [PB_SIGN_LOST] = {'$', '$', PB_INK_DEATH, "lost"},
    [PB_SIGN_UNMAPPED] = {'_', '_', PB_INK_PATH, "off the map"},
    [PB_SIGN_AMBIGUOUS] = {';', ';', PB_INK_PELLET, "ambiguous"},
    [PB_SIGN_PATH] = {'*', '*', PB_INK_PATH, "path"},
    [PB_SIGN_LOOP] = {'=', 0x2261, PB_INK_PATH, "loop closed"},
    [PB_SIGN_DENIED] = {'!', 0x203c, PB_INK_DEATH, "step the wheels deny"},
    [PB_SIGN_GUESSED] = {'&', 0x25ab, PB_INK_PELLET,
	"step by the wheels alone"},
    [PB_SIGN_CUT] = {'/', '/', PB_INK_DEATH, "way cut"},
    [PB_SIGN_SOLID] = {'%', '%', PB_INK_SOLID, "obstacle"},
    [PB_SIGN_EATEN] = {'\'', 0x25cb, PB_INK_EATEN, "eaten"},
    [PB_SIGN_PELLET] = {'.', 0x2022, PB_INK_PELLET, "pellet"},
    [PB_SIGN_POWER] = {'o', 0x25cf, PB_INK_PELLET, "power pellet"},
    [PB_SIGN_HOME] = {'H', 'H', PB_INK_TEXT, "home"},
    [PB_SIGN_GOAL] = {'x', 'x', PB_INK_TARGET, "goal"},
    [PB_SIGN_TARGET] = {'X', 'X', PB_INK_TARGET, "target"},
    [PB_SIGN_DEATH] = {'+', 0x2020, PB_INK_DEATH, "caught"},
    [PB_SIGN_GUESS] = {'1', '1', PB_INK_TARGET, "hypothesis, 1 the likeliest"},
    [PB_SIGN_ROBOT] = {'>', 0x25ba, PB_INK_ROBOT, "robot"},
};

/* The sign of a body's trail. */
static enum pb_sign
find_trail_sign(enum pb_body_kind k)
{
	return k == PB_BODY_GHOST   ? PB_SIGN_GHOST_TRAIL
	       : k == PB_BODY_OTHER ? PB_SIGN_OTHER_TRAIL
	                            : PB_SIGN_TRAIL;
}

/* Whether the body's trail is visible. */
static bool
has_trail(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_body *b)
{
	struct pb_points p = pb_scene_trail(s, b, o->trail);

	for (size_t i = 1; i < p.n && !(o->hide & PB_HIDE_TRAILS); i++)
		if (isfinite(p.at[i - 1].x) && isfinite(p.at[i].x))
			return true;
	return false;
}

/* Find the signs used in the scene, except bodies. */
static void
find_signs(const struct pb_scene *s, const struct pb_render_opts *o,
    bool used[PB_SIGNS])
{
	for (size_t i = 0; i < s->bodies; i++) {
		const struct pb_body *b = &s->body[i];
		bool ghost = b->kind == PB_BODY_GHOST;

		for (int k = 0;
		     k < PB_LOC_TRACKING && !(o->hide & PB_HIDE_TRAILS); k++)
			used[PB_SIGN_LOST + k] |= b->doubt[k].n > 0;
		used[PB_SIGN_PATH] |= b->path.n > 1;
		used[ghost ? PB_SIGN_VIEW : PB_SIGN_SCAN] |= b->scan.n > 0;
		used[PB_SIGN_PARTICLE] |= b->cloud.n > 0;
		used[PB_SIGN_GUESS] |= b->guesses > 0;
		used[PB_SIGN_SOLID] |= b->solid.n > 0;
		used[PB_SIGN_GOAL] |= b->has_goal;
	}
	for (size_t i = 0; i < s->pellets; i++) {
		const struct pb_spot *p = &s->pellet[i];
		bool target = s->has_target && p->id == s->target;

		used[p->eaten   ? PB_SIGN_EATEN
		     : target   ? PB_SIGN_TARGET
		     : p->power ? PB_SIGN_POWER
				: PB_SIGN_PELLET] = true;
	}
	used[PB_SIGN_LOOP] = s->loops.n > 0;
	for (size_t i = 0; i < s->marks; i++)
		if (!s->mark[i].by)
			used[s->mark[i].kind] = true;
}

static struct pb_legend
make_legend_entry(
    const struct pb_scene *s, enum pb_sign sign, const struct pb_body *b)
{
	struct pb_legend e = {.sign = sign, .body = b};

	snprintf(e.text, sizeof(e.text), "%s%.31s%s",
	    !b || sign != PB_SIGN_DEATH ? ""
	    : s->reach                  ? "seen by "
					: "caught by ",
	    b ? b->id : pb_signs[sign].text,
	    b && sign != PB_SIGN_DEATH && sign != PB_SIGN_ROBOT ? "'s trail"
								: "");
	return e;
}

/* Whether b caused a death that is marked. */
static bool
has_caught(const struct pb_scene *s, const struct pb_body *b)
{
	for (size_t i = 0; i < s->marks; i++)
		if (s->mark[i].by == b)
			return true;
	return false;
}

size_t
pb_legend(const struct pb_scene *s, const struct pb_render_opts *o,
    const bool dot[PB_DOTS], struct pb_legend e[PB_LEGEND])
{
	bool used[PB_SIGNS] = {[PB_SIGN_WALL] = dot[PB_DOT_WALL],
	    [PB_SIGN_UNKNOWN] = dot[PB_DOT_UNKNOWN],
	    [PB_SIGN_HOUSE] = dot[PB_DOT_HOUSE]};
	const struct pb_body *b, *end = s->body + s->bodies;
	size_t n = 0, trails = 0;

	find_signs(s, o, used);
	for (b = s->body; b < end; b++) {
		if (b->placed)
			e[n++] = make_legend_entry(s, PB_SIGN_ROBOT, b);
		trails += b->kind == PB_BODY_GHOST && has_trail(s, o, b);
	}
	/* With one ghost trail, "clyde's trail" names it; several have
	 * colours. */
	used[PB_SIGN_GHOST_TRAIL] = trails > 1;
	for (int g = 0; g < PB_SIGN_ROBOT; g++) {
		if (used[g])
			e[n++] = make_legend_entry(s, (enum pb_sign)g, NULL);
		for (b = s->body; b < end; b++)
			if ((g == PB_SIGN_DEATH && has_caught(s, b)) ||
			    (g == (int)find_trail_sign(b->kind) && !used[g] &&
				has_trail(s, o, b)))
				e[n++] =
				    make_legend_entry(s, (enum pb_sign)g, b);
	}
	return n;
}

struct pb_ellipse
pb_ellipse(const double cov[3][3])
{
	double a = cov[0][0], d = cov[1][1], h = (cov[0][1] + cov[1][0]) / 2;
	double mean = (a + d) / 2, r = sqrt((a - d) * (a - d) / 4 + h * h);

	return (struct pb_ellipse){sqrt(5.991 * fmax(mean + r, 0)),
	    sqrt(5.991 * fmax(mean - r, 0)), 0.5 * pb_atan2(2 * h, a - d)};
}

/* Order of drawing: the robot last, so that it is never hidden. */
static const enum pb_body_kind order[] = {
    PB_BODY_OTHER, PB_BODY_GHOST, PB_BODY_ROBOT};

/* Draw trails; poses with a doubtful status are on top. */
static void
draw_trails(const struct pb_canvas *c, const struct pb_scene *s, double length)
{
	for (int k = 0; k < 3; k++)
		for (size_t i = 0; i < s->bodies; i++) {
			const struct pb_body *b = &s->body[i];
			struct pb_points p = pb_scene_trail(s, b, length);

			if (b->kind == order[k])
				c->line(c->to, find_trail_sign(b->kind), &p, b);
		}
	for (size_t i = 0; i < s->bodies; i++)
		for (int k = PB_LOC_TRACKING - 1; k >= 0; k--)
			c->dots(c->to, (enum pb_sign)(PB_SIGN_LOST + k),
			    &s->body[i].doubt[k]);
}

/* Draw a body's goal and path, and its obstacle in the costmap. */
static void
draw_plan(const struct pb_canvas *c, const struct pb_body *b)
{
	c->line(c->to, PB_SIGN_PATH, &b->path, b);
	c->dots(c->to, PB_SIGN_SOLID, &b->solid);
	if (b->has_goal)
		c->sign(c->to, PB_SIGN_GOAL, b->goal, b);
}

static void
draw_pellets(const struct pb_canvas *c, const struct pb_scene *s)
{
	for (int eaten = 1; eaten >= 0; eaten--)
		for (size_t i = 0; i < s->pellets; i++) {
			const struct pb_spot *p = &s->pellet[i];

			if (p->eaten == eaten)
				c->sign(c->to,
				    p->eaten   ? PB_SIGN_EATEN
				    : p->power ? PB_SIGN_POWER
					       : PB_SIGN_PELLET,
				    p->at, NULL);
		}
	for (size_t i = 0; i < s->pellets; i++) {
		const struct pb_spot *p = &s->pellet[i];

		if (!p->eaten && s->has_target && p->id == s->target)
			c->sign(c->to, PB_SIGN_TARGET, p->at, NULL);
	}
}

static void
draw_marks(const struct pb_canvas *c, const struct pb_scene *s, bool death)
{
	for (size_t i = 0; i < s->marks; i++) {
		struct pb_mark m = s->mark[i];

		if ((m.kind == PB_SIGN_DEATH) == death)
			c->sign(c->to, m.kind, m.at, m.by);
	}
}

static void
draw_bodies(const struct pb_canvas *c, const struct pb_scene *s)
{
	for (int k = 0; k < 3; k++)
		for (size_t i = 0; i < s->bodies; i++)
			if (s->body[i].placed && s->body[i].kind == order[k])
				c->body(c->to, &s->body[i]);
}

void
pb_canvas_draw(const struct pb_canvas *c, const struct pb_scene *s,
    const struct pb_render_opts *o)
{
	/* Draw what sensors and localizers see first, below everything else. */
	for (size_t i = 0; i < s->bodies; i++) {
		c->dots(c->to, PB_SIGN_PARTICLE, &s->body[i].cloud);
		c->dots(c->to, PB_SIGN_SCAN, &s->body[i].scan);
	}
	if (!(o->hide & PB_HIDE_TRAILS))
		draw_trails(c, s, o->trail);
	c->line(c->to, PB_SIGN_LOOP, &s->loops, NULL);
	c->dots(c->to, PB_SIGN_LOOP, &s->loops);
	for (size_t i = 0; i < s->bodies; i++)
		draw_plan(c, &s->body[i]);
	draw_marks(c, s, false);
	draw_pellets(c, s);
	/* Hypotheses from low to high rank, the likeliest on top. */
	for (size_t i = 0; i < s->bodies; i++)
		for (int k = s->body[i].guesses - 1; k >= 0; k--)
			c->guess(c->to, &s->body[i].guess[k], k + 1);
	draw_bodies(c, s);
	draw_marks(c, s, true);
}
