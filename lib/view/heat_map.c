/* heat_map.c - a picture of where Pac-Man was on a board of cells. */
#include "view/heat_map.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/stream/msg.h"

#define CELL 28  /* side of a cell (px) */
#define SIDE 24  /* margin around everything (px) */
#define HEAD 84  /* above the board: title and caption (px) */
#define TYPE 15  /* size of the type (px) */
#define BAND 20  /* height of a step of the scale (px) */
#define KEY  210 /* width of the scale with its numbers (px) */

/*
 * YlGnBu of ColorBrewer (Brewer, 2003) without its lightest: safe for the
 * colour-blind, and darker all along.
 */
static const struct pb_rgb ramp[] = {{237, 248, 177}, {199, 233, 180},
    {127, 205, 187}, {65, 182, 196}, {29, 145, 192}, {34, 94, 168},
    {37, 52, 148}, {8, 29, 88}};
#define COLORS ((int)(sizeof(ramp) / sizeof(*ramp)))

static const struct pb_rgb wall = {196, 198, 204};

struct picture {
	const struct pb_maze *z;
	const struct pb_heat *heat;
	struct pb_drawing *d;
	uint64_t most; /* ticks on one cell */
	int first;     /* the lowest class that a count falls in */
	int last;      /* the highest one */
	uint64_t deaths;
};

/* Class of a count > 0: its power of two. */
static int
class_of(uint64_t n)
{
	int k = 0;

	while (n >>= 1)
		k++;
	return k;
}

/* Colours are spread over the classes that are used. */
static struct pb_rgb
color_of(const struct picture *p, int class)
{
	double at = COLORS / 2, part;
	struct pb_rgb a, b;
	int i;

	if (p->last > p->first)
		at = (double)(class - p->first) * (COLORS - 1) /
		     (p->last - p->first);
	i = (int)at < COLORS - 1 ? (int)at : COLORS - 2;
	part = at - i;
	a = ramp[i];
	b = ramp[i + 1];
	return (struct pb_rgb){(unsigned char)(a.r + part * (b.r - a.r) + 0.5),
	    (unsigned char)(a.g + part * (b.g - a.g) + 0.5),
	    (unsigned char)(a.b + part * (b.b - a.b) + 0.5)};
}

static void
count(struct picture *p)
{
	p->first = 63;
	for (int r = 0; r < p->z->rows; r++)
		for (int c = 0; c < p->z->cols; c++) {
			uint64_t n = p->heat->here[r][c];

			p->most = n > p->most ? n : p->most;
			if (n > 0 && class_of(n) < p->first)
				p->first = class_of(n);
			p->deaths += p->heat->died[r][c];
		}
	p->last = p->most ? class_of(p->most) : 0;
	if (p->first > p->last)
		p->first = p->last;
}

/* A cell by its upper left corner, or, beyond the last one, a crossing. */
static struct pb_vec
corner(int row, int col)
{
	return (struct pb_vec){SIDE + col * CELL, HEAD + row * CELL};
}

static void
cell(const struct picture *p, int r, int c)
{
	uint64_t n = p->heat->here[r][c];
	struct pb_vec a = corner(r, c), b = corner(r + 1, c + 1);

	pb_draw_box(p->d, a.x, a.y, b.x, b.y,
	    pb_full(!pb_maze_open(p->z, r, c) ? wall
		    : n > 0                   ? color_of(p, class_of(n))
					      : pb_inks[PB_INK_FREE].paper));
}

/* The walls to the right of a cell and below it. */
static void
sides(const struct picture *p, int r, int c)
{
	const struct pb_vec line[3] = {
	    corner(r, c + 1), corner(r + 1, c + 1), corner(r + 1, c)};
	unsigned int side = p->z->side[r][c];

	if (side >> PB_RIGHT & 1)
		pb_draw_line(p->d, line, 2, pb_stroke(wall, 4));
	if (side >> PB_DOWN & 1)
		pb_draw_line(p->d, line + 1, 2, pb_stroke(wall, 4));
}

/* A cross for one death, else their number, on a white disc, k times as large
 * as usual. */
static void
deaths(struct pb_drawing *d, struct pb_vec m, double k, uint64_t n)
{
	struct pb_rgb red = pb_inks[PB_INK_DEATH].paper;
	double h = 5 * k;
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	pb_draw_disc(d, m, 13 * k, pb_ink_pen(PB_INK_PAPER, 1, 0));
	pb_draw_disc(d, m, 12.5 * k, pb_stroke(red, 1.5 * k));
	if (n == 1) {
		for (int i = 1; i >= -1; i -= 2)
			pb_draw_segment(d, pb_shifted(m, -h, -i * h),
			    pb_shifted(m, h, i * h), pb_stroke(red, 3 * k));
	} else {
		pb_draw_text(d, m, PB_ANCHOR_MIDDLE,
		    k * (n < 100 ? TYPE
				 : TYPE * 24.0 / (8 * (double)strlen(text))),
		    red, text);
	}
}

static void
deaths_there(const struct picture *p, int r, int c)
{
	const double half = CELL / 2.0;

	if (p->heat->died[r][c] > 0)
		deaths(p->d, pb_shifted(corner(r, c), half, half), 1,
		    p->heat->died[r][c]);
}

static void
word(const struct picture *p, double x, double y, const char *text)
{
	pb_draw_text(p->d, (struct pb_vec){x, y}, PB_ANCHOR_LEFT, TYPE,
	    pb_inks[PB_INK_TEXT].paper, text);
}

/* A box of colour k and what it means; returns the y of the next one. */
static double
entry(const struct picture *p, double x, double y, struct pb_rgb k,
    const char *text)
{
	pb_draw_box(p->d, x - 1, y - 1, x + 33, y + BAND + 1,
	    pb_ink_pen(PB_INK_DIM, 1, 0));
	pb_draw_box(p->d, x, y, x + 32, y + BAND, pb_full(k));
	word(p, x + 42, y + BAND / 2.0, text);
	return y + BAND;
}

/* The sign of n deaths, and what it means. */
static void
sample(
    const struct picture *p, double x, double y, uint64_t n, const char *text)
{
	const struct pb_vec at = {x + 16, y};

	deaths(p->d, at, 1, n);
	word(p, x + 42, y, text);
}

/* The scale, the longest stay on top, then the rest. */
static void
key(const struct picture *p)
{
	double x = SIDE + p->z->cols * CELL + SIDE, y = HEAD;
	const double half = BAND / 2.0;
	char text[64];

	word(p, x, y, "ticks there");
	y += 16;
	for (int i = p->last; p->most && i >= p->first; i--) {
		uint64_t lo = UINT64_C(1) << i, hi = 2 * lo - 1;

		if (i == p->last)
			hi = p->most;
		snprintf(text, sizeof(text),
		    lo == hi ? "%" PRIu64 : "%" PRIu64 "-%" PRIu64, lo, hi);
		y = entry(p, x, y, color_of(p, i), text);
	}
	y = entry(p, x, y, pb_inks[PB_INK_FREE].paper, "never there");
	y = entry(p, x, y + 12, wall, "wall") + 16;
	sample(p, x, y + half, 1, "died once");
	y += BAND + 12;
	sample(p, x, y + half, 7, "died so often");
	snprintf(text, sizeof(text), "%" PRIu64 " in all", p->deaths);
	word(p, x + 42, y + BAND + half, text);
}

void
pb_heat_draw(struct pb_target to, const char *title, long games,
    const struct pb_maze *z, const struct pb_heat *heat)
{
	static void (*const layer[])(const struct picture *, int, int) = {
	    cell, sides, deaths_there};
	struct picture p = {.z = z, .heat = heat};
	const int beside = SIDE + SIDE + KEY + SIDE;
	int room = 2 * SIDE + (int)pb_type_room(title, 1.4 * TYPE);
	int wide, high, keys;
	struct pb_error f;
	char text[96];

	wide = beside + z->cols * CELL;
	high = HEAD + z->rows * CELL + SIDE;
	count(&p);
	keys = HEAD + (p.last - p.first + 8) * BAND + SIDE;
	if ((p.d = pb_drawing_open(to, room > wide ? room : wide,
		 keys > high ? keys : high, &f)) == NULL) {
		pb_msg_error(&f);
		return;
	}
	pb_draw_text(p.d, (struct pb_vec){SIDE, 26}, PB_ANCHOR_LEFT, 1.4 * TYPE,
	    pb_inks[PB_INK_TEXT].paper, title);
	snprintf(text, sizeof(text), "where Pac-Man was, in %ld game%s", games,
	    games == 1 ? "" : "s");
	word(&p, SIDE, 56, text);
	for (int i = 0; i < 3; i++)
		for (int r = 0; r < z->rows; r++)
			for (int c = 0; c < z->cols; c++)
				layer[i](&p, r, c);
	key(&p);
	if (pb_drawing_close(p.d, &f) != 0)
		pb_msg_error(&f);
}

void
pb_heat_match(const char *path, const char *who, uint64_t seed, uint64_t trial,
    const struct pb_maze *z, const struct pb_heat *heat)
{
	char title[128];

	if (path == NULL || z->rows == 0)
		return;
	snprintf(title, sizeof(title), "%s, seed %" PRIu64 ", trial %" PRIu64,
	    who, seed, trial);
	pb_heat_draw((struct pb_target){.path = path}, title, 1, z, heat);
}
