/* plot.c - tests of scenes on paper. */
#include "paper.h"
#include "room.h"

#include "io/file/mapserver.h"
#include "view/drawing.h"

test(twice_the_same)
{
	static const char *const name[] = {"a.png", "a.svg", "a.pdf"};
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_render_opts o = {0};
	struct pb_error f;

	s.map = &m;
	furnish(&s);
	for (int i = 0; i < 3; i++) {
		char *a, *b;
		size_t n, k;

		check_int(pb_plot(&s, &o, paper_path(name[i]), &f), 0);
		a = paper_bytes(name[i], &n);
		check_int(pb_plot(&s, &o, paper_path(name[i]), &f), 0);
		b = paper_bytes(name[i], &k);
		check(n > 1000 && n == k);
		/* In SVG and PDF cairo counts what a process draws. */
		check(i > 0 || memcmp(a, b, n) == 0);
		free(a);
		free(b);
	}
	check_int(pb_plot(&s, &o, "/no/such/place.png", &f), -1);
	check(f.kind == PB_ERROR_SYSTEM);
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

test(any_size)
{
	static const int map[][2] = {{1, 1}, {20000, 3}, {3, 700}, {90, 80}};

	for (int i = 0; i < 4; i++) {
		struct pb_scene s = {0};
		struct pb_render_opts o = {.size = i == 3 ? 2000 : 0};
		struct pb_map m;
		int width = 0, height = 0;
		char *text;

		check_int(pb_map_init(&m, map[i][0], map[i][1], 0.05,
			      (struct pb_pose){-2, -1, i * 0.5}),
		    PB_OK);
		memset(m.cell, 0, pb_map_cells(&m));
		s.map = &m;
		furnish(&s);
		check_int(pb_plot(&s, &o, paper_path("a.svg"), NULL), 0);
		text = paper_text("a.svg");
		check_int(sscanf(strstr(text, "viewBox"),
			      "viewBox=\"0 0 %d %d\"", &width, &height),
		    2);
		check(width >= 64 && width <= 2400);
		if (i == 3)
			check(width > 1000 && height > 2000);
		free(text);
		pb_scene_clear(&s);
		pb_map_clear(&m);
	}
}

/* What a furnished room draws, from below to above, and the pixels. */
test(things_are_where_they_are)
{
	static const char *const paths[] = {
	    "M 1026 424 L 906 544",            /* the ghost's trail, */
	    "M 186 664 L 426 664",             /* the robot's */
	    "M 426 664 L 786 664 L 1026 304"}; /* a plan */
	struct pb_scene s = {0};
	struct pb_map m = room();
	struct pb_render_opts o = {0};
	struct pb_image im;
	char *text, *at;

	s.map = &m;
	furnish(&s);
	check_int(pb_plot(&s, &o, paper_path("a.svg"), NULL), 0);
	at = text = paper_text("a.svg");
	for (int i = 0; i < 3; i++)
		check((at = strstr(at ? at : text, paths[i])) != NULL);
	free(text);
	check_int(pb_plot(&s, &o, paper_path("a.png"), NULL), 0);
	check_int(pb_image_read(paper_path("a.png"), false, &im, NULL), 0);
	check(im.width == 1290 && im.height == 907);
	check(paper_is(&im, 70, 70, 38, 42, 56));        /* wall */
	check(paper_is(&im, 1210, 110, 222, 224, 228));  /* unknown */
	check(paper_is(&im, 300, 200, 255, 255, 255));   /* free */
	check(paper_is(&im, 421, 664, 240, 228, 66));    /* robot */
	check(paper_is(&im, 906, 534, 213, 94, 0));      /* clyde */
	check(paper_is(&im, 786, 304, 230, 159, 0));     /* pellet */
	check(!paper_is(&im, 306, 304, 230, 159, 0));    /* eaten */
	check(paper_is(&im, 306, 544, 190, 30, 45));     /* caught */
	check(!paper_is(&im, 186, 664, 255, 255, 255));  /* home */
	check(!paper_is(&im, 1218, 424, 222, 224, 228)); /* obstacle */
	pb_image_clear(&im);
	pb_scene_clear(&s);
	pb_map_clear(&m);
}
