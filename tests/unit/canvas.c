/* canvas.c - tests of font, shapes and options of pictures. */
#include "check.h"

#include <string.h>

#include "view/canvas.h"
#include "view/font.h"
#include "view/render.h"

static void
test_font_is_complete(void)
{
	for (int c = PB_FONT_FIRST; c <= PB_FONT_LAST; c++) {
		int dots = 0, twins = 0;

		for (int y = 0; y < PB_FONT_ROWS; y++) {
			check(pb_font_rows((unsigned char)c)[y] < 32);
			for (int x = 0; x < PB_FONT_COLUMNS; x++)
				dots += pb_font_dot((unsigned char)c, x, y);
		}
		check((dots > 0) == (c != ' '));
		for (int d = PB_FONT_FIRST; d < c; d++)
			twins += memcmp(pb_font_rows((unsigned char)c),
				     pb_font_rows((unsigned char)d),
				     PB_FONT_ROWS) == 0;
		check_int(twins, 0);
	}
	check(pb_font_rows(0xff) == pb_font_rows('\n'));
	check(!pb_font_dot('H', -1, 0) && !pb_font_dot('H', 0, 9));
	check(pb_font_dot('H', 0, 0) && !pb_font_dot('H', 1, 0));
}

static void
test_shapes_stay_inside(void)
{
	struct pb_canvas c;
	struct pb_rgb k = {1, 2, 3};
	double far[] = {-1e300, -50, 0, 3, 9, 1e9, INFINITY, NAN};

	check_int(
	    pb_canvas_init(&c, 9, 7, (struct pb_rgb){255, 255, 255}), PB_OK);
	for (int i = 0; i < 64; i++) {
		struct pb_vec p = {far[i / 8], far[i % 8]};
		struct pb_vec q[3] = {{4, 4}, p, {far[i % 8], far[i / 8]}};

		pb_canvas_line(&c, p, q[0], 3, k, 0.5);
		pb_canvas_polyline(&c, q, 3, 2, k, 0.5);
		pb_canvas_disc(&c, p, 5, k, 2);
		pb_canvas_ring(&c, p, 5, 2, k, -1);
		pb_canvas_pie(&c, &(struct pb_pie){p, 5, 1, 0.5}, 1, k, 1);
		pb_canvas_convex(&c, q, 3, k, 0.5);
	}
	for (int at = -80; at < 80; at += 3) {
		pb_canvas_text(&c, at, at / 2, 2, "Wg\n\xff", k);
		pb_canvas_text_up(&c, at / 2, at, 1, "Wg\n\xff", k);
	}
	pb_canvas_fill(&c, -5, -5, 100, 100, k, 1);
	check_int(c.px[3 * (6 * 9 + 8) + 2], 3);
	pb_canvas_clear(&c);
	check_int(pb_canvas_init(&c, 0, 7, k), PB_ESIZE);
}

/* Smooth edges cover as much as the shape's area. */
static void
test_shapes_have_their_area(void)
{
	static const struct pb_rgb black = {0, 0, 0}, white = {255, 255, 255};
	struct pb_vec box[4] = {
	    {5.3, 5.1}, {25.3, 8.1}, {22.3, 28.1}, {2.3, 25.1}};
	struct pb_canvas c;

	for (int shape = 0; shape < 4; shape++) {
		double ink = 0, want;

		check_int(pb_canvas_init(&c, 40, 40, white), PB_OK);
		if (shape == 0) {
			pb_canvas_disc(
			    &c, (struct pb_vec){20.2, 19.7}, 10, black, 1);
			want = PB_PI * 100;
		} else if (shape == 1) {
			pb_canvas_ring(
			    &c, (struct pb_vec){20.2, 19.7}, 10, 3, black, 1);
			want = 2 * PB_PI * 10 * 3;
		} else if (shape == 2) {
			pb_canvas_convex(&c, box, 4, black, 1);
			want = 20 * 20 + 3 * 3;
		} else {
			pb_canvas_line(&c, (struct pb_vec){8, 9},
			    (struct pb_vec){28, 30}, 4, black, 1);
			want = 29 * 4 + PB_PI * 4;
		}
		for (int i = 0; i < 1600; i++)
			ink += 1 - c.px[3 * i] / 255.0;
		check_near(ink, want, 0.02 * want);
		pb_canvas_clear(&c);
	}
}

/* What a file that is no terminal shows, under several environments. */
static void
test_environment(void)
{
	struct pb_render_opts o = {0};
	FILE *f = tmpfile();
	struct pb_tty t;

	unsetenv("COLUMNS");
	unsetenv("LINES");
	unsetenv("NO_COLOR");
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C", 1);
	t = pb_tty_of(&o, f);
	check(t.style == PB_STYLE_ASCII && t.depth == PB_DEPTH_NONE);
	check(t.width == 80 && t.height == 40 && !t.utf8);
	setenv("LC_ALL", "de_DE.UTF-8", 1);
	o.color = PB_WHEN_ALWAYS;
	setenv("NO_COLOR", "1", 1);
	unsetenv("COLORTERM");
	t = pb_tty_of(&o, f);
	check(t.style == PB_STYLE_HALF && t.depth == PB_DEPTH_256);
	setenv("COLORTERM", "truecolor", 1);
	setenv("COLUMNS", "132", 1);
	t = pb_tty_of(&o, f);
	check(t.depth == PB_DEPTH_TRUE && t.width == 132);
	o.style = PB_STYLE_ASCII;
	o.width = 20;
	t = pb_tty_of(&o, f);
	check(t.style == PB_STYLE_ASCII && !t.utf8 && t.width == 20);
	fclose(f);
}

int
main(void)
{
	run(test_font_is_complete);
	run(test_shapes_stay_inside);
	run(test_shapes_have_their_area);
	run(test_environment);
	return done();
}
