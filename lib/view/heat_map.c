/* heat_map.c - a picture of where Pac-Man was on a board of cells. */
#include "view/heat_map.h"

#include <inttypes.h>
#include <stdio.h>

#include "view/canvas.h"

#define CELL 28  /* side of a cell (px) */
#define SIDE 24  /* margin around everything (px) */
#define HEAD 84  /* above the board: title and caption (px) */
#define FONT 2   /* pixels per dot of the font */
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
	const struct pb_heat_view *v;
	struct pb_canvas c;
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
	double at, part;
	struct pb_rgb a, b;
	int i;

	if (p->last == p->first)
		return ramp[COLORS / 2];
	at = (double)(class - p->first) * (COLORS - 1) / (p->last - p->first);
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
	for (int r = 0; r < p->v->board->rows; r++)
		for (int c = 0; c < p->v->board->cols; c++) {
			uint64_t n = p->v->heat->here[r][c];

			p->most = n > p->most ? n : p->most;
			if (n > 0 && class_of(n) < p->first)
				p->first = class_of(n);
			p->deaths += p->v->heat->died[r][c];
		}
	p->last = p->most ? class_of(p->most) : 0;
	if (p->first > p->last)
		p->first = p->last;
}

/* Walls between cells. */
static void
walls(struct picture *p)
{
	const struct pb_maze *z = p->v->board;

	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++) {
			struct pb_vec a = {SIDE + (c + 1) * CELL,
					  HEAD + r * CELL},
				      b = {SIDE + c * CELL,
					  HEAD + (r + 1) * CELL},
				      m = {a.x, b.y};

			if (z->side[r][c] >> PB_RIGHT & 1)
				pb_canvas_line(&p->c, a, m, 4, wall, 1);
			if (z->side[r][c] >> PB_DOWN & 1)
				pb_canvas_line(&p->c, b, m, 4, wall, 1);
		}
}

static void
cells(struct picture *p)
{
	for (int r = 0; r < p->v->board->rows; r++)
		for (int c = 0; c < p->v->board->cols; c++) {
			int x = SIDE + c * CELL, y = HEAD + r * CELL;
			uint64_t n = p->v->heat->here[r][c];
			struct pb_rgb k = pb_ink_paper(PB_INK_FREE);

			if (!pb_maze_open(p->v->board, r, c))
				k = wall;
			else if (n > 0)
				k = color_of(p, class_of(n));
			pb_canvas_fill(&p->c, x, y, x + CELL, y + CELL, k, 1);
		}
}

/* A cross for one death, else their number, on a white disc. */
static void
deaths(struct pb_canvas *c, struct pb_vec m, uint64_t n)
{
	struct pb_rgb k = pb_ink_paper(PB_INK_DEATH);
	int font = n < 100 ? FONT : 1;
	double a = 5;
	char text[24];

	pb_canvas_disc(c, m, 13, pb_ink_paper(PB_INK_PAPER), 1);
	pb_canvas_ring(c, m, 12.5, 1.5, k, 1);
	if (n == 1) {
		pb_canvas_line(c, (struct pb_vec){m.x - a, m.y - a},
		    (struct pb_vec){m.x + a, m.y + a}, 3, k, 1);
		pb_canvas_line(c, (struct pb_vec){m.x - a, m.y + a},
		    (struct pb_vec){m.x + a, m.y - a}, 3, k, 1);
		return;
	}
	snprintf(text, sizeof(text), "%" PRIu64, n);
	pb_canvas_text(c,
	    pb_canvas_whole(m.x) - (pb_text_width(text, font) - font) / 2,
	    pb_canvas_whole(m.y) - (7 * font) / 2, font, text, k);
}

static void
all_deaths(struct picture *p)
{
	for (int r = 0; r < p->v->board->rows; r++)
		for (int c = 0; c < p->v->board->cols; c++) {
			struct pb_vec m = {
			    SIDE + (c + 0.5) * CELL, HEAD + (r + 0.5) * CELL};
			uint64_t n = p->v->heat->died[r][c];

			if (n > 0)
				deaths(&p->c, m, n);
		}
}

/* A box of colour k and what it means; returns the y of the next one. */
static int
entry(struct picture *p, int x, int y, struct pb_rgb k, const char *text)
{
	struct pb_rgb ink = pb_ink_paper(PB_INK_TEXT);

	pb_canvas_fill(&p->c, x - 1, y - 1, x + 33, y + BAND + 1, ink, 0.5);
	pb_canvas_fill(&p->c, x, y, x + 32, y + BAND, k, 1);
	pb_canvas_text(&p->c, x + 42, y + 3, FONT, text, ink);
	return y + BAND;
}

/* The scale, the longest stay on top, then the rest. */
static void
key(struct picture *p)
{
	int x = SIDE + p->v->board->cols * CELL + SIDE, y = HEAD;
	struct pb_rgb ink = pb_ink_paper(PB_INK_TEXT);
	char text[64];

	pb_canvas_text(&p->c, x, y, FONT, "ticks there", ink);
	y += 22;
	for (int i = p->last; p->most && i >= p->first; i--) {
		uint64_t lo = UINT64_C(1) << i, hi = 2 * lo - 1;

		if (i == p->last)
			hi = p->most;
		snprintf(text, sizeof(text),
		    lo == hi ? "%" PRIu64 : "%" PRIu64 "-%" PRIu64, lo, hi);
		y = entry(p, x, y, color_of(p, i), text);
	}
	y = entry(p, x, y, pb_ink_paper(PB_INK_FREE), "never there");
	y = entry(p, x, y + 12, wall, "wall") + 16;
	deaths(&p->c, (struct pb_vec){x + 16, y + BAND / 2.0}, 1);
	pb_canvas_text(&p->c, x + 42, y + 3, FONT, "died once", ink);
	y += BAND + 12;
	deaths(&p->c, (struct pb_vec){x + 16, y + BAND / 2.0}, 7);
	pb_canvas_text(&p->c, x + 42, y + 3, FONT, "died so often", ink);
	snprintf(text, sizeof(text), "%" PRIu64 " in all", p->deaths);
	pb_canvas_text(&p->c, x + 42, y + BAND + 3, FONT, text, ink);
}

static void
heading(struct picture *p)
{
	struct pb_rgb ink = pb_ink_paper(PB_INK_TEXT);
	char text[96];

	pb_canvas_text(&p->c, SIDE, 18, FONT + 1, p->v->title, ink);
	snprintf(text, sizeof(text), "where Pac-Man was, in %ld game%s",
	    p->v->games, p->v->games == 1 ? "" : "s");
	pb_canvas_text(&p->c, SIDE, 50, FONT, text, ink);
}

int
pb_heat_png(const struct pb_heat_view *v, const char *path, struct pb_fault *f)
{
	struct picture p = {.v = v};
	int wide = SIDE + v->board->cols * CELL + SIDE + KEY + SIDE;
	int title = 2 * SIDE + pb_text_width(v->title, FONT + 1), r;
	int keys;
	int high = HEAD + v->board->rows * CELL + SIDE;

	count(&p);
	keys = HEAD + (p.last - p.first + 8) * BAND + SIDE;
	if (pb_canvas_init(&p.c, title > wide ? title : wide,
		keys > high ? keys : high, pb_ink_paper(PB_INK_PAPER)) != PB_OK)
		return pb_fault_nomem(f, path);
	heading(&p);
	cells(&p);
	walls(&p);
	all_deaths(&p);
	key(&p);
	r = pb_canvas_png(&p.c, path, f);
	pb_canvas_clear(&p.c);
	return r;
}

void
pb_heat_match(const char *path, const char *who, uint64_t seed, uint64_t trial,
    const struct pb_maze *z, const struct pb_heat *heat)
{
	char title[128];
	const struct pb_heat_view v = {
	    .board = z, .heat = heat, .title = title, .games = 1};
	struct pb_fault f;

	if (path == NULL || z->rows == 0)
		return;
	snprintf(title, sizeof(title), "%s, seed %llu, trial %llu", who,
	    (unsigned long long)seed, (unsigned long long)trial);
	if (pb_heat_png(&v, path, &f) != 0)
		pb_fault_say(&f);
}
