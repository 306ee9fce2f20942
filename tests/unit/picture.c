/* picture.c - tests of pictures in the terminal. */
#include "paper.h"
#include "room.h"

#include "view/drawing.h"
#include "view/term.h"

/* The terminal picture as one string, to be freed. */
static char *
drawn(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, bool want)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	check(pb_term_draw(s, o, t, PB_FRAME_TEXT, f) == want);
	fclose(f);
	return text;
}

static void
expect(const struct pb_scene *s, const struct pb_tty *t, const char *want)
{
	struct pb_render_opts o = {0};
	char *got = drawn(s, &o, t, true);

	check_str(got, want);
	free(got);
}

test(ascii_picture)
{
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_tty t = {PB_STYLE_ASCII, false, 60, 21, false};

	s.map = &m;
	furnish(&s);
	expect(&s, &t,
	    "y (m)  room  t 12.5 s\n"
	    "3+##################################################\n"
	    " |#                       #                ????????#\n"
	    " |#                       #                ????????#\n"
	    " |#                       #                        #\n"
	    " |#        '         X    #    .         o       % #\n"
	    "2+#                       #             **         #\n"
	    " |#                       #            **          #\n"
	    " |#                       #          ** ~~       % #\n"
	    " |#                       #         **~~~          #\n"
	    " |#        +              #        *C~~          % #\n"
	    "1+#                              **                #\n"
	    " |#                             **                 #\n"
	    " |#   H:::::::::>e***************                  #\n"
	    " |#                                                #\n"
	    "0+##################################################\n"
	    " ++---------+---------+---------+---------+---------\n"
	    " -1         0         1         2         3    x (m)\n"
	    "> robot  C clyde  e estimate  \" scan  ~ clyde's trail\n"
	    ": robot's trail  * path  % obstacle  ' eaten  . pellet\n"
	    "o power pellet  H home  x goal  X target  + caught\n");
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

test(half_block_picture)
{
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_tty t = {PB_STYLE_HALF, false, 40, 16, true};

	s.map = &m;
	pb_scene_pose(
	    pb_scene_body(&s, "robot"), (struct pb_pose){0.5, 0.5, PB_PI / 2});
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
	    "▲ robot\n");
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

test(braille_picture)
{
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_tty t = {PB_STYLE_BRAILLE, false, 30, 13, true};

	s.map = &m;
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
	    "       0         2    x (m)\n");
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

/* Colours come and go, but the signs stay. */
test(colour_changes_no_sign)
{
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_render_opts o = {0};
	char *plain, *color, *w;
	struct pb_tty t = {PB_STYLE_HALF, false, 60, 30, true};
	size_t n = 0;

	s.map = &m;
	furnish(&s);
	plain = drawn(&s, &o, &t, true);
	t.color = true;
	w = color = drawn(&s, &o, &t, true);
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

test(any_size_fits)
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
		s.map = &m;
		furnish(&s);
		for (int j = 0; j < 6; j++)
			for (int style = PB_STYLE_ASCII; style <= PB_STYLE_HALF;
			     style++) {
				struct pb_tty t = {(enum pb_style)style, false,
				    tty[j][0], tty[j][1],
				    style != PB_STYLE_ASCII};
				char *text = drawn(&s, &o, &t, true);

				check_size(text, t.width, t.height);
				free(text);
			}
		pb_scene_clear(&s);
		pb_map_clear(&m);
	}
}

test(scenes_without_map)
{
	struct pb_scene s = {0};
	struct pb_render_opts o = {0};
	struct pb_tty t = {PB_STYLE_ASCII, false, 40, 12, false};
	char *text = drawn(&s, &o, &t, true);

	check_size(text, 40, 12);
	free(text);
	pb_scene_pose(
	    pb_scene_body(&s, "robot"), (struct pb_pose){1e7, -1e7, NAN});
	text = drawn(&s, &o, &t, true);
	check(strchr(text, 'R') != NULL);
	free(text);
	pb_scene_pose(
	    pb_scene_body(&s, "robot"), (struct pb_pose){-1e300, 1e300, 0});
	text = drawn(&s, &o, &t, true);
	check_size(text, 40, 12);
	free(text);
	check_int(pb_plot(&s, &o, paper_path("a.png"), NULL), 0);
	pb_scene_clear(&s);
}

/* Coordinates as large as a map may have. */
test(far_origins)
{
	static const double at[] = {1e6, -1e9, 4.9e10};

	for (int i = 0; i < 3; i++) {
		struct pb_scene s = {0};
		struct pb_render_opts o = {.size = 300};
		struct pb_tty t = {PB_STYLE_HALF, false, 60, 20, true};
		struct pb_map m;
		char *text;

		check_int(pb_map_init(&m, 30, 20, 0.05,
			      (struct pb_pose){at[i], -at[i], i}),
		    PB_OK);
		s.map = &m;
		furnish(&s);
		text = drawn(&s, &o, &t, true);
		check_size(text, 60, 20);
		free(text);
		check_int(pb_plot(&s, &o, paper_path("a.png"), NULL), 0);
		pb_scene_clear(&s);
		pb_map_clear(&m);
	}
}

test(box_beside_the_map)
{
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_render_opts o = {0};
	struct pb_tty t = {PB_STYLE_ASCII, false, 40, 12, false};
	struct pb_error f;

	s.map = &m;
	check(pb_render_box(&o, "100,100,101,101", &f));
	free(drawn(&s, &o, &t, false));
	check_int(pb_plot(&s, &o, paper_path("b.png"), &f), -1);
	check(f.kind == PB_ERROR_REFUSED && !paper_there("b.png"));
	pb_map_clear(&m);
}

/* What a file that is no terminal shows, under several environments. */
test(environment)
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
	check(t.style == PB_STYLE_ASCII && !t.color);
	check(t.width == 80 && t.height == 40 && !t.utf8);
	setenv("LC_ALL", "de_DE.UTF-8", 1);
	o.color = PB_WHEN_ALWAYS;
	setenv("NO_COLOR", "1", 1);
	t = pb_tty_of(&o, f);
	check(t.style == PB_STYLE_HALF && t.color);
	setenv("COLUMNS", "132", 1);
	t = pb_tty_of(&o, f);
	check(t.color && t.width == 132);
	o.style = PB_STYLE_ASCII;
	o.width = 20;
	t = pb_tty_of(&o, f);
	check(t.style == PB_STYLE_ASCII && !t.utf8 && t.width == 20);
	fclose(f);
}
