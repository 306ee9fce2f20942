/* drawing.c - tests of marks on paper, in every form. */
#include "paper.h"

#include <expat.h>

#include "io/file/mapserver.h"
#include "view/drawing.h"

static const struct pb_rgb black = {0, 0, 0};

/* Open one of these files. */
static struct pb_drawing *
begin(const char *name, int width, int height)
{
	struct pb_error f = {.text = ""};
	struct pb_drawing *d = pb_drawing_open(
	    (struct pb_target){.path = paper_path(name)}, width, height, &f);

	if (d == NULL)
		check_fail_(__FILE__, __LINE__, f.text);
	return d;
}

static void
end(struct pb_drawing *d)
{
	struct pb_error f = {.text = ""};

	if (pb_drawing_close(d, &f) != 0)
		check_fail_(__FILE__, __LINE__, f.text);
}

/* A bit of everything. */
static void
everything(struct pb_drawing *d)
{
	static const unsigned char dot[] = {0, 1, 2, 2, 2, 2};
	static const struct pb_rgb ink[PB_DRAW_DOTS] = {
	    {255, 255, 255}, {222, 224, 228}, {38, 42, 56}};
	const struct pb_vec line[] = {
	    {1, 2}, {30, 20.26}, {NAN, 0}, {5, 6}, {1e300, 6}, {-0.01, 9}};
	struct pb_pen pen = {{230, 159, 0}, 0.5, 1.5, 4, 4};

	pb_draw_dots(d, 3, 20, dot, 3, 2, ink);
	pb_draw_within(d, 0, 0, 40, 30);
	pb_draw_line(d, line, 5, pen);
	pb_draw_line(d, line, 2, pb_full((struct pb_rgb){1, 2, 3}));
	pb_draw_disc(d, line[1], 3, pb_full(ink[2]));
	pb_draw_disc(d, line[1], 3, pb_stroke(ink[2], 1));
	pb_draw_disc(d, line[2], 3, pb_full(ink[2]));
	pb_draw_anywhere(d);
	pb_draw_box(d, 32, 2, 38, 8, pb_full((struct pb_rgb){0, 114, 178}));
	pb_draw_text(
	    d, line[3], PB_ANCHOR_RIGHT, 10, ink[2], "W\xc3\xa4nde\n\xff");
	pb_draw_disc(d, line[5], 2, pb_full(ink[2]));
}

static void
xml_start(void *user, const char *name, const char **attribute)
{
	int *n = user;

	(void)attribute;
	*n += strcmp(name, "svg") == 0 ? 1000 : 1;
}

test(every_form_is_valid)
{
	static const char *const name[] = {"a.png", "a.svg", "a.pdf"};
	XML_Parser xml = XML_ParserCreate(NULL);
	struct pb_image im;
	int elements = 0;
	size_t n;

	for (int i = 0; i < 3; i++) {
		struct pb_drawing *d = begin(name[i], 40, 30);
		char *first, *again;
		size_t k;

		everything(d);
		end(d);
		first = paper_bytes(name[i], &n);
		d = begin(name[i], 40, 30);
		everything(d);
		end(d);
		again = paper_bytes(name[i], &k);
		check(n > 200 && n == k);
		/* In SVG and PDF cairo counts what a process draws. */
		check(i > 0 || memcmp(first, again, n) == 0);
		if (i == 0)
			check(memcmp(first, "\x89PNG\r\n\x1a\n", 8) == 0);
		if (i == 1) {
			XML_SetUserData(xml, &elements);
			XML_SetStartElementHandler(xml, xml_start);
			check(
			    XML_Parse(xml, first, (int)n, 1) == XML_STATUS_OK);
			check(elements > 1005 && elements < 2000);
		}
		if (i == 2)
			check(memcmp(first, "%PDF-", 5) == 0 &&
			      strstr(first + n - 8, "%%EOF") != NULL);
		for (size_t j = 0; j + 4 < n; j++)
			check(memcmp(first + j, "tIME", 4) != 0 &&
			      memcmp(first + j, "gAMA", 4) != 0);
		free(first);
		free(again);
	}
	XML_ParserFree(xml);
	check_int(pb_image_read(paper_path("a.png"), false, &im, NULL), 0);
	check(im.width == 40 && im.height == 30 && im.channels == 3);
	check(paper_is(&im, 3, 20, 255, 255, 255)); /* the first dot */
	check(paper_is(&im, 4, 20, 222, 224, 228));
	check(paper_is(&im, 4, 21, 38, 42, 56));
	check(paper_is(&im, 35, 5, 0, 114, 178));
	check(paper_is(&im, 30, 20, 38, 42, 56));
	check(paper_is(&im, 20, 27, 255, 255, 255));
	pb_image_clear(&im);
}

/* Smooth edges cover as much as the shape's area. */
test(shapes_have_their_area)
{
	const struct pb_vec box[] = {
	    {5.3, 5.1}, {25.3, 8.1}, {22.3, 28.1}, {2.3, 25.1}};
	const struct pb_vec line[] = {{8, 9}, {28, 30}}, p = {20.2, 19.7};
	static const double want[] = {PB_PI * 100, 2 * PB_PI * 10 * 3,
	    20 * 20 + 3 * 3, 29 * 4 + PB_PI * 4};

	for (int shape = 0; shape < 4; shape++) {
		struct pb_drawing *d = begin("a.png", 40, 40);
		struct pb_image im;
		double ink = 0;

		if (shape == 0)
			pb_draw_disc(d, p, 10, pb_full(black));
		else if (shape == 1)
			pb_draw_disc(d, p, 10, pb_stroke(black, 3));
		else if (shape == 2)
			pb_draw_line(d, box, 4, pb_full(black));
		else
			pb_draw_line(d, line, 2, pb_stroke(black, 4));
		end(d);
		check_int(
		    pb_image_read(paper_path("a.png"), false, &im, NULL), 0);
		for (int i = 0; i < 1600; i++)
			ink += 1 - im.sample[3 * i] / 255.0;
		check_near(ink, want[shape], 0.02 * want[shape]);
		pb_image_clear(&im);
	}
}

/* Wherever marks are, the paper keeps its size and the file its form. */
test(places_far_off)
{
	static const char *const name[] = {"a.png", "a.svg", "a.pdf"};
	double far[] = {-1e300, -50, 0, 3, 9, 1e9, INFINITY, NAN};

	for (int k = 0; k < 3; k++) {
		struct pb_drawing *d = begin(name[k], 9, 7);

		for (int i = 0; i < 64; i++) {
			struct pb_vec p = {far[i / 8], far[i % 8]};
			struct pb_vec q[3] = {
			    {4, 4}, p, {far[i % 8], far[i / 8]}};

			pb_draw_line(d, q, 3, pb_stroke(black, 2));
			pb_draw_line(d, q, 3, pb_full(black));
			pb_draw_disc(d, p, 5, pb_full(black));
			pb_draw_disc(d, q[0], far[i % 8], pb_full(black));
			pb_draw_box(d, p.x, p.y, 4, 4, pb_full(black));
			pb_draw_text(d, p, PB_ANCHOR_UP, 5, black, "Wg\n\xff");
		}
		pb_draw_box(d, -5, -5, 100, 100, pb_full(black));
		end(d);
	}
}

/* The whole room of a text is enough, even of the widest letters. */
test(text_keeps_to_its_room)
{
	struct pb_drawing *d = begin("a.png", 400, 40);
	double room = pb_type_room("MMMMWWWW@@", 20);
	struct pb_image im;
	int dark = 0;

	check(room > 100 && room < 200);
	check(pb_type_room("", 20) == 0);
	pb_draw_text(d, (struct pb_vec){10, 20}, PB_ANCHOR_LEFT, 20, black,
	    "MMMMWWWW@@");
	end(d);
	check_int(pb_image_read(paper_path("a.png"), false, &im, NULL), 0);
	for (int y = 0; y < 40; y++)
		for (int x = 0; x < 400; x++) {
			bool ink = pb_image_at(&im, x, y)[0] < 128;

			dark += ink;
			check(!ink || (x > 8 && x < 12 + room));
		}
	check(dark > 200);
	pb_image_clear(&im);
}

test(files_that_cannot_be)
{
	struct pb_error f = {.text = ""};
	struct pb_drawing *d;

	check(pb_drawing_open((struct pb_target){.path = "/no/such/place.png"},
		  9, 9, &f) == NULL);
	check(f.kind == PB_ERROR_SYSTEM);
	check(pb_drawing_open((struct pb_target){.path = paper_path("b.png")},
		  0, 9, &f) == NULL);
	check(pb_drawing_open((struct pb_target){.path = paper_path("b.png")},
		  9, PB_DRAWING_SIDE + 1, &f) == NULL);
	check(f.text[0] != '\0');
	check(!paper_there("b.png"));
	/* Nothing is there before the end. */
	d = begin("b.png", 9, 9);
	check(!paper_there("b.png"));
	end(d);
	check(paper_there("b.png"));
}
