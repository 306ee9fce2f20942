/* plot.c - tests of PNG pictures. */
#include "check.h"
#include "room.h"

#include <string.h>
#include <unistd.h>

#include "view/plot.h"

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

int
main(void)
{
	run(test_png_twice_the_same);
	run(test_png_of_any_size);
	return done();
}
