/* mapfile.c - tests of map files of all kinds: read, written, linted. */
#define CHECK_MAIN
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "io/file/mapserver.h"
#include "io/file/mapfile.h"
#include "io/stream/file.h"

static char dir[] = "/tmp/pb-mapfile.XXXXXX";

/* A name in the scratch folder, good until the fourth next call. */
static const char *
in(const char *name)
{
	static char path[4][128];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
	return path[turn];
}

static void
put(const char *name, const void *bytes, size_t n)
{
	FILE *out = fopen(in(name), "wb");

	fwrite(bytes, 1, n, out);
	fclose(out);
}

static void
puts_to(const char *name, const char *text)
{
	put(name, text, strlen(text));
}

static struct pb_map
noise(const signed char *value, unsigned n)
{
	struct pb_map m;
	struct pb_rng r = draws(11, PB_FOR_MAP);

	check_int(pb_map_init(&m, 23, 14, 1.0 / 3,
		      (struct pb_pose){-1.0 / 7, 1e-9, -2.5}),
	    PB_OK);
	for (size_t i = 0; i < pb_map_cells(&m); i++)
		m.cell[i] = value[pb_rng_below(&r, n)];
	return m;
}

static void
check_same(const struct pb_map *m, const char *path)
{
	struct pb_map back;
	struct pb_mapfile_notes notes;
	struct pb_error f = {.text = ""};

	if (pb_mapfile_read(path, NULL, &back, &notes, &f) != 0) {
		check_fail_(__FILE__, __LINE__, f.text);
		return;
	}
	check(pb_map_hash(m) == pb_map_hash(&back));
	check_int((long long)notes.count.guarded, 0);
	pb_map_clear(&back);
}

test(written_maps_read_back_to_the_last_bit)
{
	static const signed char three[] = {-1, 0, 100};
	static const signed char many[] = {-1, 0, 1, 25, 26, 50, 65, 99, 100};
	static const char *const name[] = {
	    "a.yaml", "b.yml", "c.pgm", "d.png", "e e.png"};
	static const char *const yaml[] = {
	    "a.yaml", "b.yml", "c.yaml", "d.yaml", "e e.yaml"};

	for (int i = 0; i < 5; i++) {
		struct pb_map m = noise(three, 3), n = noise(many, 9);
		struct pb_error f = {.text = ""};

		check_int(pb_mapfile_write(in(name[i]), &m, &f), 0);
		check_same(&m, in(yaml[i]));
		check_int(pb_mapfile_write(in(name[i]), &n, &f), 0);
		check_same(&n, in(yaml[i]));
		check_int((long long)pb_mapfile_lost(in(name[i]), &n), 0);
		pb_map_clear(&m);
		pb_map_clear(&n);
	}
}

test(texts_keep_what_cells_mean)
{
	static const signed char many[] = {-1, 0, 20, 40, 80, 100};
	struct pb_map m = noise(many, 6), back;
	size_t lost = 0;

	for (size_t i = 0; i < pb_map_cells(&m); i++)
		lost += m.cell[i] > 0 && m.cell[i] < 100;
	check_int((long long)pb_mapfile_lost("x.txt", &m), (long long)lost);
	check_int(pb_mapfile_write(in("t.txt"), &m, NULL), 0);
	check_int(pb_mapfile_read(in("t.txt"), NULL, &back, NULL, NULL), 0);
	check(back.width == m.width && back.height == m.height);
	for (size_t i = 0; i < pb_map_cells(&m); i++) {
		int v = m.cell[i], w = back.cell[i];

		check(pb_cell_free(v) == pb_cell_free(w));
		check(pb_cell_occupied(v) == pb_cell_occupied(w));
	}
	pb_map_clear(&back);
	check_int(pb_mapfile_write(in("t.map"), &m, NULL), 0);
	check_int(pb_mapfile_read(in("t.map"), NULL, &back, NULL, NULL), 0);
	for (size_t i = 0; i < pb_map_cells(&m); i++)
		check(pb_cell_free(m.cell[i]) == pb_cell_free(back.cell[i]));
	pb_map_clear(&back);
	pb_map_clear(&m);
}

test(names_that_cannot_be_written)
{
	struct pb_error f;
	struct pb_map m;

	check(!pb_mapfile_writable("map"));
	check(!pb_mapfile_writable(".yaml"));
	check(!pb_mapfile_writable("dir/.png"));
	check(!pb_mapfile_writable("map.jpg"));
	check(pb_mapfile_writable("dir.d/m.png"));
	check_int(pb_map_init(&m, 2, 2, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	check_int(pb_mapfile_write(in("m.jpg"), &m, &f), -1);
	check_int(pb_mapfile_write(in("no/m.png"), &m, &f), -1);
	check(f.kind == PB_ERROR_SYSTEM);
	check_int(pb_mapfile_write(in("a\xc3\xa9z\xff.png"), &m, &f), -1);
	check_has(f.text, "UTF-8");
	check_int(pb_mapfile_write(in("a\xc3\xa9.png"), &m, &f), 0);
	pb_map_clear(&m);
}

static enum pb_mapkind
kind(const char *path, const char *text)
{
	enum pb_mapkind kind = PB_MAPKINDS;

	puts_to(path, text);
	check_int(pb_mapkind_peek(in(path), &kind, NULL), 0);
	return kind;
}

test(kinds)
{
	check_int(kind("a", "P5\n1 1 255 a"), PB_MAPKIND_IMAGE);
	check_int(kind("a.pgm", ""), PB_MAPKIND_IMAGE);
	check_int(kind("a", "\x89PNG\r\n\x1a\n"), PB_MAPKIND_IMAGE);
	check_int(kind("a", "type octile\n"), PB_MAPKIND_MOVINGAI);
	check_int(kind("a", "image: a\n"), PB_MAPKIND_YAML);
	check_int(kind("a.yaml", "{image: a}"), PB_MAPKIND_YAML);
	check_int(kind("a", "##\n. \n"), PB_MAPKIND_TEXT);
	check_int(kind("a.txt", "Q"), PB_MAPKIND_TEXT);
	check_int(kind("a", " {\"type\":\"map\"}"), PB_MAPKIND_RECORD);
	check_int(kind("a", "{\"info\":{}}"), PB_MAPKIND_OCCGRID);
	check_int(kind("a", ""), PB_MAPKIND_YAML);
	check_int(kind("a", "\x1f"), PB_MAPKIND_RECORD);
}

static const char grid[] =
    "{\"op\":\"publish\",\"msg\":{\"info\":{\"resolution\":0.05,"
    "\"width\":2,\"height\":2,\"origin\":{\"position\":{\"x\":1,\"y\":2,"
    "\"z\":0},\"orientation\":{\"x\":0,\"y\":0,\"z\":1,\"w\":0}}},"
    "\"data\":[0,100,-1,50]}}";

/* Any beginning of a text is refused or read; nothing else happens. */
static void
cut(const char *name, const char *text)
{
	for (size_t k = 0; k <= strlen(text); k++) {
		char *copy = malloc(k > 0 ? k : 1);
		struct pb_map m;
		struct pb_error f = {.text = ""};

		memcpy(copy, text, k);
		if (pb_mapfile_decode(name, copy, k, NULL, &m, NULL, &f) == 0)
			pb_map_clear(&m);
		else
			check(f.text[0] != '\0');
		free(copy);
	}
}

test(texts_cut_anywhere)
{
	cut("t.map", "type octile\r\nheight 3\r\nwidth 2\r\nmap\r\n"
		     ".@\r\nTG\r\nSW\r\n");
	cut("t.txt", "##?\r\n#..\n\n 01\n\n");
	cut("t.json", grid);
}

test(movingai_refused)
{
	static const char *const text[] = {"type octile\nheight 1\n",
	    "type octile\nheight 1\nwidth x\nmap\n.\n",
	    "type octile\nheight 1\nwidth 99999999999999999999\nmap\n.\n",
	    "type octile\nheight 1\nwidth 2\nmap\n.\n",
	    "type octile\nheight 20000\nwidth 20000\nmap\n.\n",
	    "type octile\nfoo 1\nmap\n.\n",
	    "type octile\nheight 1\nwidth 1\nmap\n\x01\n"};

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		struct pb_map m;
		struct pb_error f = {.text = ""};

		check_int(pb_mapfile_decode("t.map", text[i], strlen(text[i]),
			      NULL, &m, NULL, &f),
		    -1);
		check(f.text[0] != '\0');
	}
}

test(occupancy_grid)
{
	struct pb_map m;
	struct pb_error bad;

	puts_to("grid.json", grid);
	check_int(pb_mapfile_read(in("grid.json"), NULL, &m, NULL, &bad), 0);
	check_near(m.origin.th, PB_PI, 1e-12);
	check(m.origin.x == 1 && m.origin.y == 2 && m.resolution == 0.05);
	check(m.cell[1] == 100 && m.cell[2] == -1 && m.cell[3] == 50);
	pb_map_clear(&m);
}

test(a_file_appears_whole_or_not_at_all)
{
	const struct pb_file_look long_one = {.most = {.bytes = 100}};
	const struct pb_file_look short_one = {.most = {.bytes = 2}};
	struct pb_file w;
	struct pb_error f;
	char *bytes;
	size_t n;

	puts_to("old", "old");
	check_int(pb_file_create(in("old"), &w, &f), 0);
	fputs("new", w.out);
	check_int(pb_file_sync(&w, &f), 0);
	check_int(pb_file_read(in("old"), &long_one, &bytes, &n, &f), 0);
	check_str(bytes, "old");
	free(bytes);
	check_int(pb_file_commit(&w, &f), 0);
	check_int(pb_file_read(in("old"), &long_one, &bytes, &n, &f), 0);
	check_str(bytes, "new");
	free(bytes);
	check_int(pb_file_create(in("old"), &w, &f), 0);
	fputs("never", w.out);
	pb_file_abandon(&w);
	check_int(pb_file_read(in("old"), &long_one, &bytes, &n, &f), 0);
	check(strcmp(bytes, "new") == 0 && n == 3);
	free(bytes);
	check_int(pb_file_read(in("old"), &short_one, &bytes, &n, &f), -1);
	check_int(pb_file_read(in("none"), &short_one, &bytes, &n, &f), -1);
	check(f.kind == PB_ERROR_MISSING);
	check_int(pb_file_read(dir, &short_one, &bytes, &n, &f), -1);
	pb_file_abandon(&w);
}

/* All codes of a linted file, each behind a blank. */
static void
collect(
    void *arg, const char *file, long line, const char *code, const char *text)
{
	char *all = arg;

	(void)line;
	check(file[0] != '\0' && text[0] != '\0');
	strcat(all, " ");
	strcat(all, code);
}

static void
check_lint(const char *name, const char *want)
{
	char all[512] = "";
	int n = pb_lint(in(name), collect, all);

	/* A note is said, and is none of the findings. */
	check_int(n > 0, want[0] != '\0' && strcmp(want, " no-mode") != 0);
	check_str(all, want);
}

static void
put_image(const char *name, int channels, const unsigned char *pixel, int n)
{
	struct pb_image im;
	FILE *out = fopen(in(name), "wb");

	check_int(pb_image_init(&im, n, 1, channels), PB_OK);
	memcpy(im.sample, pixel, (size_t)(n * channels));
	check_int(pb_png_write(out, name, &im, NULL), 0);
	fclose(out);
	pb_image_clear(&im);
}

#define YAML                                                              \
	"resolution: 0.05\norigin: [0, 0, 0]\nmode: trinary\nnegate: 0\n" \
	"occupied_thresh: 0.65\n"

#define NEGATED                                 \
	"resolution: 0.05\norigin: [0, 0, 0]\n" \
	"mode: trinary\nnegate: 1\noccupied_thresh: 0.65\n"
#define SCALE                                   \
	"resolution: 0.05\norigin: [0, 0, 0]\n" \
	"mode: scale\nnegate: 0\noccupied_thresh: 0.65\n"

test(lint_images)
{
	static const unsigned char gray[] = {0, 205, 254};
	static const unsigned char rgb[] = {0, 0, 0, 255, 255, 255, 0, 255, 0};
	static const unsigned char rgba[] = {
	    0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 9};
	struct pb_error f;
	struct pb_map m;

	put_image("gray.png", 1, gray, 3);
	put_image("rgb.png", 3, rgb, 3);
	put_image("rgba.png", 4, rgba, 3);
	puts_to("l1.yaml", "image: gray.png\nfree_thresh: 0.196\n" YAML);
	check_lint("l1.yaml", "");
	puts_to("far.yaml",
	    "image: gray.png\nresolution: 0.05\norigin: [0, -1e13, 0]\n"
	    "mode: trinary\nnegate: 0\noccupied_thresh: 0.65\n"
	    "free_thresh: 0.1\n");
	check_lint("far.yaml", " bad-origin");
	check_int(pb_mapfile_read(in("far.yaml"), NULL, &m, NULL, &f), -1);
	check_int(f.line, 3);
	check_str(f.field, "origin[1]");
	puts_to("l2.yaml", "image: gray.png\nfree_thresh: 0.25\n" YAML);
	check_lint("l2.yaml", " unknown-is-free");
	/* Negated, unknown is 50; in scale and raw no gray is the unknown one.
	 */
	put_image("neg.png", 1, (const unsigned char[]){255, 50, 1}, 3);
	puts_to("n.yaml", "image: neg.png\nfree_thresh: 0.2\n" NEGATED);
	check_lint("n.yaml", " unknown-is-free");
	puts_to("s.yaml", "image: gray.png\nfree_thresh: 0.25\n" SCALE);
	check_lint("s.yaml", "");
	puts_to("m.yaml",
	    "image: gray.png\nresolution: 0.05\norigin: [0, 0, 0]\n"
	    "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n");
	check_lint("m.yaml", " no-mode");
	put_image("jpeg.png", 1, (const unsigned char[]){0, 207, 203}, 3);
	puts_to("j.yaml", "image: jpeg.png\nfree_thresh: 0.196\n" YAML);
	check_lint("j.yaml", " smeared-unknown");
	put_image("all.png", 1, (const unsigned char[]){0, 205, 205}, 3);
	puts_to("a.yaml", "image: all.png\nfree_thresh: 0.25\n" YAML);
	check_lint("a.yaml", " unknown-is-free no-free");
	puts_to("l3.yaml", "image: rgb.png\nfree_thresh: 0.196\n" YAML);
	check_lint("l3.yaml", " colour dialects");
	puts_to("l4.yaml", "image: rgba.png\nfree_thresh: 0.196\n" YAML);
	check_lint("l4.yaml", " alpha dialects");
	puts_to("l5.yaml", "image: gray.png\nfree_thresh: 0.9\n" YAML);
	check_lint("l5.yaml", " bad-thresholds unknown-is-free");
	check_lint("none.yaml", " missing");
	puts_to("l6.yaml", "image: gray.png\n");
	check_lint("l6.yaml", " bad-resolution");
	puts_to("l7.txt", "###\n#?#\n");
	check_lint("l7.txt", " no-free");
}

test(resolution_that_looks_rounded)
{
	static const char *const fine[] = {
	    "0.05", "0.050", "0.025", "0.1", "0.0889", "1", "0.005", "2.5e-2"};
	static const char *const odd[] = {"0.089", "0.033", "0.1010"};
	char text[256];

	for (int i = 0; i < 8 + 3; i++) {
		const char *r = i < 8 ? fine[i] : odd[i - 8];

		snprintf(text, sizeof(text),
		    "image: gray.png\nresolution: %s\norigin: [0, 0, 0]\n"
		    "mode: trinary\nnegate: 0\noccupied_thresh: 0.65\n"
		    "free_thresh: 0.196\n",
		    r);
		puts_to("r.yaml", text);
		check_lint("r.yaml", i < 8 ? "" : " rounded-resolution");
	}
}

int
main(void)
{
	char command[160];

	if (mkdtemp(dir) == NULL)
		return 3;
	run_tests();
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) == 0 ? done() : 3;
}
