/* picture.c - tests of the pictures: font, canvas, terminal, PNG. */
#include "check.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "view/canvas.h"
#include "view/font.h"
#include "view/plot.h"
#include "view/term.h"

/* A room of 5 x 3 m with a door, walls one cell of 10 cm thick. */
static struct pb_map
room(void)
{
	struct pb_map m;

	check_int(
	    pb_map_init(&m, 50, 30, 0.1, (struct pb_pose){-1, 0, 0}), PB_OK);
	for (int y = 0; y < 30; y++)
		for (int x = 0; x < 50; x++)
			m.cell[y * 50 + x] = y == 0 || y == 29 || x == 0 ||
			                             x == 49 ||
			                             (x == 24 && y > 9)
			                         ? 100
			                     : x > 40 && y > 24 ? -1
			                                        : 0;
	return m;
}

/* Everything that can stand on a map. */
static void
furnish(struct pb_scene *s)
{
	struct pb_vec path[] = {{0.5, 0.5}, {2, 0.5}, {3, 2}};
	struct pb_vec wall[] = {{3.8, 1}, {3.8, 1.5}, {3.8, 2}};
	double cov[3][3] = {{0.01, 0.002, 0}, {0.002, 0.02, 0}, {0, 0, 0.1}};

	pb_scene_pellets_begin(s);
	for (int i = 0; i < 4; i++)
		pb_scene_pellet(s, i, (struct pb_vec){i, 2}, i == 3);
	pb_scene_pellets_end(s);
	pb_scene_eat(s, 0);
	pb_scene_target(s, 1);
	pb_scene_pose(s, "robot", (struct pb_pose){-0.5, 0.5, 0});
	pb_scene_pose(s, "robot", (struct pb_pose){0.5, 0.5, 0});
	pb_scene_cov(s, "robot", cov);
	pb_scene_path(s, "robot", path, 3);
	pb_scene_goal(s, "robot", path[2]);
	pb_scene_scan(s, "robot", wall, 3);
	pb_scene_pose(s, "clyde", (struct pb_pose){3, 1.5, 0});
	pb_scene_pose(s, "clyde", (struct pb_pose){2.5, 1, PB_PI});
	pb_scene_disc(s, "clyde", (struct pb_vec){2.5, 1}, 0.25);
	pb_scene_solid(s, "clyde", wall, 3);
	pb_scene_pose(s, "estimate", (struct pb_pose){0.6, 0.4, 1});
	pb_scene_mark(s, PB_MARK_DEATH, (struct pb_vec){0, 1});
	pb_scene_mark(s, PB_MARK_HOME, (struct pb_vec){-0.5, 0.5});
	pb_scene_title(s, "room");
	pb_scene_caption(s, "t 12.5 s");
}

/* The terminal picture as one string, to be freed. */
static char *
drawn(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, enum pb_status want)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	check_int(pb_term_draw(s, o, t, f), want);
	fclose(f);
	return text;
}

static void
expect(const struct pb_scene *s, const struct pb_tty *t, const char *want)
{
	struct pb_render_opts o = {0};
	char *got = drawn(s, &o, t, PB_OK);

	if (strcmp(got, want) != 0)
		printf("# got:\n%s# wanted:\n%s", got, want);
	check(strcmp(got, want) == 0);
	free(got);
}

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
		pb_canvas_pie(&c, p, 5, 1, 0.5, 1, k, 1);
		pb_canvas_convex(&c, q, 3, k, 0.5);
	}
	for (int at = -80; at < 80; at += 3) {
		pb_canvas_text(&c, at, at / 2, 2, "Wg\n\xff", k);
		pb_canvas_text_up(&c, at / 2, at, 1, "Wg\n\xff", k);
	}
	pb_canvas_fill(&c, -5, -5, 100, 100, k, 1);
	check_int(pb_canvas_at(&c, 8, 6).b, 3);
	check_int(pb_canvas_at(&c, 9, 6).b, 0);
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

static void
test_ascii_picture(void)
{
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_tty t = {PB_STYLE_ASCII, PB_DEPTH_NONE, 60, 20, false};

	pb_scene_use_map(&s, &m);
	furnish(&s);
	expect(&s, &t,
	    "y (m)  room  t 12.5 s\n"
	    "3+###############################################\n"
	    " |#                      #               ???????#\n"
	    " |#                      #                      #\n"
	    " |#                      #                      #\n"
	    "2+#        '        X    #   .         o      % #\n"
	    " |#                      #           **         #\n"
	    " |#                      #          ** ~      % #\n"
	    " |#                      #        ** ~~         #\n"
	    " |#                      #      %%%%%           #\n"
	    "1+#        +                    %*C~%         % #\n"
	    " |#                           ** %%%%           #\n"
	    " |#   H::::::::>***************                 #\n"
	    " |#             e                               #\n"
	    "0+###############################################\n"
	    " ++--------+--------+---------+--------+--------+\n"
	    " -1        0        1         2        3        4 x (m)\n"
	    "|---| 0.5 m  > robot  C clyde  e estimate  \" scan\n"
	    "~ ghost's trail  : trail  * path  % obstacle  ' eaten\n"
	    ". pellet  o power pellet  H home  x goal  X target  + caught\n");
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

static void
test_half_block_picture(void)
{
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_tty t = {PB_STYLE_HALF, PB_DEPTH_NONE, 40, 16, true};

	pb_scene_use_map(&s, &m);
	pb_scene_pose(&s, "robot", (struct pb_pose){0.5, 0.5, PB_PI / 2});
	expect(&s, &t,
	    "y (m)\n"
	    " │█▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀█▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀█\n"
	    " │█                 █            ░░░░░░█\n"
	    " │█                 █                  █\n"
	    "2┤█                 █                  █\n"
	    " │█                 █                  █\n"
	    " │█                 █                  █\n"
	    " │█                 █                  █\n"
	    " │█                 ▀                  █\n"
	    " │█                                    █\n"
	    " │█          ▲                         █\n"
	    " │█                                    █\n"
	    "0┤▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀\n"
	    " └───────┬──────────────┬───────────────\n"
	    "         0              2          x (m)\n"
	    "├──────┤ 1 m  ▲ robot\n");
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

static void
test_braille_picture(void)
{
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_tty t = {PB_STYLE_BRAILLE, PB_DEPTH_NONE, 30, 14, true};

	pb_scene_use_map(&s, &m);
	expect(&s, &t,
	    "y (m)\n"
	    " │⡏⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⡏⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⢹\n"
	    " │⡇           ⡇       ░░░░⢸\n"
	    "2┤⡇           ⡇           ⢸\n"
	    " │⡇           ⡇           ⢸\n"
	    " │⡇           ⡇           ⢸\n"
	    " │⡇                       ⢸\n"
	    " │⡇                       ⢸\n"
	    "0┤⠓⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠚\n"
	    " └─────┬─────────┬─────────\n"
	    "       0         2    x (m)\n"
	    "├───┤ 1 m\n");
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

/* Colours come and go, but the signs stay. */
static void
test_colour_changes_no_sign(void)
{
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_render_opts o = {0};
	char *plain, *color, *w;

	pb_scene_use_map(&s, &m);
	furnish(&s);
	for (int depth = PB_DEPTH_16; depth <= PB_DEPTH_TRUE; depth++) {
		struct pb_tty t = {PB_STYLE_HALF, PB_DEPTH_NONE, 60, 30, true};
		size_t n = 0;

		plain = drawn(&s, &o, &t, PB_OK);
		t.depth = (enum pb_depth)depth;
		w = color = drawn(&s, &o, &t, PB_OK);
		check(strchr(color, '\033') != NULL);
		while (*w != '\0') {
			if (*w == '\033') {
				w += strcspn(w, "m") + 1;
				continue;
			}
			/* Without colour, blanks at line ends are cut. */
			if (plain[n] == '\n' && *w == ' ') {
				w++;
				continue;
			}
			if (*w++ != plain[n])
				break;
			n++;
		}
		check(plain[n] == '\0' && *w == '\0');
		free(plain);
		free(color);
	}
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

/* No line is wider than the terminal, none is too many. */
static void
check_size(const char *text, int width, int height)
{
	int lines = 0, columns = 0, worst = 0;

	for (; *text != '\0'; text++) {
		if (*text == '\n') {
			lines++;
			columns = 0;
		} else if (((unsigned char)*text & 0xc0) != 0x80) {
			columns++;
		}
		worst = columns > worst ? columns : worst;
	}
	check(lines <= height);
	check(worst <= width);
}

static void
test_any_size_fits(void)
{
	static const int map[][2] = {
	    {1, 1}, {20000, 3}, {3, 5000}, {300, 200}, {2, 2}};
	static const int tty[][2] = {
	    {1, 1}, {2, 3}, {24, 10}, {25, 11}, {80, 24}, {300, 7}};

	for (int i = 0; i < 5; i++) {
		struct pb_scene s = {0};
		struct pb_render_opts o = {0};
		struct pb_map m;

		check_int(pb_map_init(&m, map[i][0], map[i][1], 0.05,
			      (struct pb_pose){1, 2, i * 0.4}),
		    PB_OK);
		memset(m.cell, i % 2 ? 0 : 100, pb_map_cells(&m));
		pb_scene_use_map(&s, &m);
		furnish(&s);
		for (int j = 0; j < 6; j++)
			for (int style = PB_STYLE_ASCII;
			     style <= PB_STYLE_BRAILLE; style++) {
				struct pb_tty t = {(enum pb_style)style,
				    PB_DEPTH_NONE, tty[j][0], tty[j][1],
				    style != PB_STYLE_ASCII};
				char *text = drawn(&s, &o, &t, PB_OK);

				check_size(text, t.width, t.height);
				free(text);
			}
		pb_scene_clear(&s);
		pb_map_clear(&m);
	}
}

static void
test_scenes_without_map(void)
{
	struct pb_scene s = {0};
	struct pb_render_opts o = {0};
	struct pb_tty t = {PB_STYLE_ASCII, PB_DEPTH_NONE, 40, 12, false};
	struct pb_canvas c;
	char *text = drawn(&s, &o, &t, PB_OK);

	check_size(text, 40, 12);
	free(text);
	pb_scene_pose(&s, "robot", (struct pb_pose){1e7, -1e7, NAN});
	text = drawn(&s, &o, &t, PB_OK);
	check(strchr(text, 'R') != NULL);
	free(text);
	pb_scene_pose(&s, "robot", (struct pb_pose){-1e300, 1e300, 0});
	text = drawn(&s, &o, &t, PB_OK);
	check_size(text, 40, 12);
	free(text);
	check_int(pb_plot_draw(&s, &o, &c), PB_OK);
	pb_canvas_clear(&c);
	pb_scene_clear(&s);
}

/* Coordinates so large that neighbouring ticks are the same number. */
static void
test_far_origins(void)
{
	static const double at[] = {1e6, -1e12, 1e17, 1e300, -1e308};

	for (int i = 0; i < 5; i++) {
		struct pb_scene s = {0};
		struct pb_render_opts o = {.size = 300};
		struct pb_tty t = {PB_STYLE_HALF, PB_DEPTH_NONE, 60, 20, true};
		struct pb_map m;
		struct pb_canvas c;
		char *text;

		check_int(pb_map_init(&m, 30, 20, 0.05,
			      (struct pb_pose){at[i], -at[i], i}),
		    PB_OK);
		pb_scene_use_map(&s, &m);
		furnish(&s);
		text = drawn(&s, &o, &t, PB_OK);
		check_size(text, 60, 20);
		free(text);
		check_int(pb_plot_draw(&s, &o, &c), PB_OK);
		pb_canvas_clear(&c);
		pb_scene_clear(&s);
		pb_map_clear(&m);
	}
}

static void
test_box_beside_the_map(void)
{
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_render_opts o = {0};
	struct pb_tty t = {PB_STYLE_ASCII, PB_DEPTH_NONE, 40, 12, false};
	struct pb_canvas c;

	pb_scene_use_map(&s, &m);
	check(pb_render_box("100,100,101,101", &o));
	free(drawn(&s, &o, &t, PB_ESIZE));
	check_int(pb_plot_draw(&s, &o, &c), PB_ESIZE);
	pb_map_clear(&m);
}

/* Whole file into memory, to be freed. */
static char *
slurp(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *b = calloc(1, 1 << 22);

	*n = f != NULL ? fread(b, 1, 1 << 22, f) : 0;
	if (f != NULL)
		fclose(f);
	return b;
}

static void
test_png_twice_the_same(void)
{
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_render_opts o = {0};
	struct pb_fault f;
	char path[] = "/tmp/pb-picture-XXXXXX", *a, *b;
	size_t n, k;

	close(mkstemp(path));
	pb_scene_use_map(&s, &m);
	furnish(&s);
	check_int(pb_plot_png(&s, &o, path, &f), 0);
	a = slurp(path, &n);
	check_int(pb_plot_png(&s, &o, path, &f), 0);
	b = slurp(path, &k);
	check(n > 1000 && n == k && memcmp(a, b, n) == 0);
	check(memcmp(a, "\x89PNG\r\n\x1a\n", 8) == 0);
	for (size_t i = 0; i + 4 < n; i++)
		check(memcmp(a + i, "tIME", 4) != 0 &&
		      memcmp(a + i, "gAMA", 4) != 0);
	free(a);
	free(b);
	unlink(path);
	check_int(pb_plot_png(&s, &o, "/no/such/place.png", &f), -1);
	check(f.system);
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

static void
test_png_of_any_size(void)
{
	static const int map[][2] = {{1, 1}, {20000, 3}, {3, 700}, {90, 80}};

	for (int i = 0; i < 4; i++) {
		struct pb_scene s = {0};
		struct pb_render_opts o = {.scale = i == 3 ? 20 : 0};
		struct pb_map m;
		struct pb_canvas c;

		check_int(pb_map_init(&m, map[i][0], map[i][1], 0.05,
			      (struct pb_pose){-2, -1, i * 0.5}),
		    PB_OK);
		memset(m.cell, 0, pb_map_cells(&m));
		pb_scene_use_map(&s, &m);
		furnish(&s);
		check_int(pb_plot_draw(&s, &o, &c), PB_OK);
		check(c.width >= 64 && c.width <= 2400);
		if (i == 3)
			check(c.width > 1800 && c.height > 1600);
		pb_canvas_clear(&c);
		pb_scene_clear(&s);
		pb_map_clear(&m);
	}
}

static void
test_options(void)
{
	struct pb_render_opts o = pb_render_defaults();
	enum pb_style style;
	enum pb_when when;
	const char *why = NULL;

	check_int(pb_render_check(&o, &why), PB_OK);
	o.width = -1;
	check_int(pb_render_check(&o, &why), PB_EVALUE);
	check(strncmp(why, "width", 5) == 0);
	o = (struct pb_render_opts){.has_box = true, .x1 = NAN};
	check_int(pb_render_check(&o, NULL), PB_EVALUE);
	check(pb_render_style("braille", &style) && style == PB_STYLE_BRAILLE);
	check(!pb_render_style("Braille", &style));
	check(pb_render_when("never", &when) && when == PB_WHEN_NEVER);
	check(!pb_render_when("", &when));
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
	run(test_ascii_picture);
	run(test_half_block_picture);
	run(test_braille_picture);
	run(test_colour_changes_no_sign);
	run(test_any_size_fits);
	run(test_scenes_without_map);
	run(test_far_origins);
	run(test_box_beside_the_map);
	run(test_png_twice_the_same);
	run(test_png_of_any_size);
	run(test_options);
	run(test_environment);
	return done();
}
