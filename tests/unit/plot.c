/* plot.c - tests of scenes on paper. */
#include "check.h"
#include "paper.h"
#include "room.h"

#include "io/file/imagefile.h"

static void
test_twice_the_same(void)
{
	static const char *const name[] = {"a.png", "a.svg", "a.pdf", "a.list"};
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_render_opts o = {0};
	struct pb_error f;

	s.map = &m;
	furnish(&s);
	for (int i = 0; i < 4; i++) {
		char *a, *b;
		size_t n, k;

		check_int(pb_plot(&s, &o, paper_path(name[i]), &f), 0);
		a = paper_bytes(name[i], &n);
		check_int(pb_plot(&s, &o, paper_path(name[i]), &f), 0);
		b = paper_bytes(name[i], &k);
		check(n > 1000 && n == k);
		/* In SVG and PDF cairo counts what a process draws. */
		check(i == 1 || i == 2 || memcmp(a, b, n) == 0);
		free(a);
		free(b);
	}
	check_int(pb_plot(&s, &o, "/no/such/place.png", &f), -1);
	check(f.kind == PB_ERROR_SYSTEM);
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

static void
test_any_size(void)
{
	static const int map[][2] = {{1, 1}, {20000, 3}, {3, 700}, {90, 80}};

	for (int i = 0; i < 4; i++) {
		struct pb_scene s = {0};
		struct pb_render_opts o = {.scale = i == 3 ? 20 : 0};
		struct pb_map m;
		int width = 0, height = 0;
		char *text;

		check_int(pb_map_init(&m, map[i][0], map[i][1], 0.05,
			      (struct pb_pose){-2, -1, i * 0.5}),
		    PB_OK);
		memset(m.cell, 0, pb_map_cells(&m));
		s.map = &m;
		furnish(&s);
		check_int(pb_plot(&s, &o, paper_path("a.list"), NULL), 0);
		text = paper_text("a.list");
		check_int(sscanf(text, "paper %d %d", &width, &height), 2);
		check(width >= 64 && width <= 2400);
		if (i == 3)
			check(width > 1800 && height > 1600);
		free(text);
		pb_scene_clear(&s);
		pb_map_clear(&m);
	}
}

/* What the list of a furnished room says and the pixels. */
static void
test_things_are_where_they_are(void)
{
	static const char paper[] =
	    "paper 1290 907\n"
	    "dots 1200 720 : 66 64 white 744768 light-grey 18432 slate 100800 1a350c6862a1d425\n";
	static const char things[] =
	    "line blue@0.9 2.6 : 186 664 426 664\n"
	    "line vermillion@0.9 2.3 dashed : 1026 424 906 544\n"
	    "disc purple@0.9 4.5 : 1218 544\n"
	    "disc purple@0.9 4.5 : 1218 424\n"
	    "disc purple@0.9 4.5 : 1218 304\n"
	    "line green@0.9 2.3 dashed : 426 664 786 664 1026 304\n"
	    "goal : 1026 304 robot\n"
	    "disc vermillion@0.15 60 : 906 544\n"
	    "ring vermillion@0.8 1 60 : 906 544\n"
	    "obstacle : 1218 544\n"
	    "obstacle : 1218 424\n"
	    "obstacle : 1218 304\n"
	    "home : 186 664\n"
	    "eaten : 306 304 0\n"
	    "text black 13.5 left : 315 296.5 0\n"
	    "pellet : 546 304 1\n"
	    "target : 546 304 1\n"
	    "text black 13.5 left : 562.5 296.5 1\n"
	    "pellet : 786 304 2\n"
	    "text black 13.5 left : 795 296.5 2\n"
	    "power-pellet : 1026 304 3\n"
	    "text black 13.5 left : 1035 296.5 3\n"
	    "caught : 306 544\n"
	    "other 1.00 : 450 688 estimate\n"
	    "ghost 3.14 : 906 544 clyde\n"
	    "ellipse : 426 664\n"
	    "robot 0.00 : 426 664 robot\n";
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_render_opts o = {0};
	struct pb_image im;
	char *text, *at;

	s.map = &m;
	furnish(&s);
	check_int(pb_plot(&s, &o, paper_path("a.list"), NULL), 0);
	text = paper_text("a.list");
	check(strncmp(text, paper, strlen(paper)) == 0);
	check(strstr(text, "text black 15 middle : 666 823 x (m)\n") != NULL);
	/* From the first trail to the title. */
	at = strstr(text, "line blue");
	*strstr(text, "text black 21") = '\0';
	paper_same(at, things);
	free(text);
	check_int(pb_plot(&s, &o, paper_path("a.png"), NULL), 0);
	check_int(pb_image_read(paper_path("a.png"), false, &im, NULL), 0);
	check(im.width == 1290 && im.height == 907);
	check(paper_is(&im, 70, 70, 38, 42, 56));       /* wall */
	check(paper_is(&im, 1210, 110, 222, 224, 228)); /* unknown */
	check(paper_is(&im, 300, 200, 255, 255, 255));  /* free */
	check(paper_is(&im, 421, 664, 240, 228, 66));   /* robot */
	check(paper_is(&im, 906, 534, 213, 94, 0));     /* clyde */
	check(paper_is(&im, 786, 304, 230, 159, 0));    /* pellet */
	check(!paper_is(&im, 306, 304, 230, 159, 0));   /* eaten */
	check(paper_is(&im, 306, 544, 190, 30, 45));    /* caught */
	pb_image_clear(&im);
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

int
main(void)
{
	paper_begin();
	run(test_twice_the_same);
	run(test_any_size);
	run(test_things_are_where_they_are);
	paper_end();
	return done();
}
