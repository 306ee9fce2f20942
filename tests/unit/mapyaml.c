/* mapyaml.c - tests of the YAML beside a map image. */
#include "check.h"

#include "io/file/mapserver.h"

#define GOOD "image: a.pgm\nresolution: 0.05\norigin: [1, -2.5, 0]\n"

static int
parse(const char *text, struct pb_mapyaml *y, struct pb_error *f)
{
	size_t n = strlen(text);
	char *copy = malloc(n + 1);
	int rc;

	memcpy(copy, text, n);
	*y = (struct pb_mapyaml){0};
	rc = pb_mapyaml_parse(copy, n, "m.yaml", y, f);
	free(copy);
	return rc;
}

test(all_keys)
{
	struct pb_mapyaml y;

	check_int(parse("image: \"my map.png\"\nmode: scale\n"
			"resolution: 0.0889\norigin: [-4.163, -6.090, 3]\n"
			"negate: 1\noccupied_thresh: 0.8\nfree_thresh: 0.2",
		      &y, NULL),
	    0);
	check_str(y.image, "my map.png");
	check_near(y.resolution, 0.0889, 0);
	check_near(y.origin.x, -4.163, 0);
	check_near(y.origin.y, -6.09, 0);
	check_near(y.origin.th, 3, 0);
	check(y.px.negate && y.px.mode == PB_MODE_SCALE);
	check_near(y.px.occupied_thresh, 0.8, 0);
	check_near(y.px.free_thresh, 0.2, 0);
	check_int(y.line[PB_MAPKEY_MODE], 2);
	check_int(y.line[PB_MAPKEY_FREE], 7);
	pb_mapyaml_clear(&y);
	check(y.image == NULL);
}

test(defaults_and_spellings)
{
	static const char *const text[] = {
	    GOOD,
	    "# c\n---\n" GOOD "extra: {a: [b]}\nnegate: false\n...\n",
	    "image: a.pgm\r\nresolution: +5e-2\r\norigin:\r\n- 1\r\n- "
	    "-2.5\r\n- 0.0\r\n",
	    "{image: 'a.pgm', resolution: .05, origin: [1.0, -2.50, 0], "
	    "negate: no}",
	    "\xef\xbb\xbf" GOOD "negate: False\nmode: trinary\n",
	};

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		struct pb_mapyaml y;
		struct pb_error f = {.text = ""};

		if (parse(text[i], &y, &f) != 0) {
			check_fail_(__FILE__, __LINE__, f.text);
			continue;
		}
		check_str(y.image, "a.pgm");
		check_near(y.resolution, 0.05, 0);
		check_near(y.origin.x, 1, 0);
		check_near(y.origin.y, -2.5, 0);
		check(!y.px.negate && y.px.mode == PB_MODE_TRINARY);
		check_near(y.px.free_thresh, 0.196, 0);
		pb_mapyaml_clear(&y);
	}
}

test(yaw_is_wrapped)
{
	struct pb_mapyaml y;

	check_int(
	    parse("image: a\nresolution: 1\norigin: [0, 0, 6.283]\n", &y, NULL),
	    0);
	check_near(y.origin.th, 6.283 - 2 * PB_PI, 1e-12);
	pb_mapyaml_clear(&y);
}

static void
refuses(const char *text, long line, const char *field, const char *why)
{
	struct pb_mapyaml y;
	struct pb_error f = {.text = ""};

	check_int(parse(text, &y, &f), -1);
	check(y.image == NULL);
	check_int(f.line, line);
	check_str(f.field, field);
	check_has(f.text, why);
	check(strcmp(f.file, "m.yaml") == 0 && f.kind == PB_ERROR_REFUSED);
}

test(refused)
{
	refuses("", 0, "", "empty");
	refuses("- a\n- b\n", 1, "", "key: value");
	refuses("image: [a\n", 2, "", "YAML");
	refuses("resolution: 1\norigin: [0,0,0]\n", 0, "image", "missing");
	refuses("image: a\norigin: [0,0,0]\n", 0, "resolution", "missing");
	refuses("image: a\nresolution: 1\n", 0, "origin", "missing");
	refuses("image:\n" GOOD, 1, "image", "file name");
	refuses(GOOD "image: b\n", 4, "image", "line 1");
	refuses("image: a\nresolution: 0\n", 2, "resolution", "\"0\"");
	refuses("image: a\nresolution: -1\n", 2, "resolution", "from 1e-06");
	refuses("image: a\nresolution: .nan\n", 2, "resolution", "\".nan\"");
	refuses("image: a\nresolution: nan\n", 2, "resolution", "from 1e-06");
	refuses("image: a\nresolution: .inf\n", 2, "resolution", "from 1e-06");
	refuses("image: a\nresolution: 1e999\n", 2, "resolution", "from 1e-06");
	refuses(
	    "image: a\nresolution: 1e-300\n", 2, "resolution", "from 1e-06");
	refuses("image: a\nresolution: 0x1\n", 2, "resolution", "from 1e-06");
	refuses("image: a\nresolution: 5 cm\n", 2, "resolution", "from 1e-06");
	refuses("image: a\nresolution: [1]\n", 2, "resolution", "a list");
	refuses("origin: 5\n", 1, "origin", "a list");
	refuses("origin: [1, 2]\n", 1, "origin", "got 2");
	refuses("origin: [1, 2, 3, 4]\n", 1, "origin", "got 4");
	refuses("origin: [1, nan, 3]\n", 1, "origin[1]", "finite");
	refuses("origin:\n- 1\n- 2\n- .inf\n", 4, "origin[2]", "finite");
	refuses(GOOD "negate: 2\n", 4, "negate", "\"2\"");
	refuses(GOOD "negate: {}\n", 4, "negate", "a mapping");
	refuses(GOOD "occupied_thresh: 1.5\n", 4, "occupied_thresh", "0..1");
	refuses(GOOD "free_thresh: -0.1\n", 4, "free_thresh", "0..1");
	refuses(GOOD "free_thresh: x\n", 4, "free_thresh", "\"x\"");
	refuses(GOOD "mode: Trinary\n", 4, "mode", "trinary, scale or raw");
	refuses(GOOD "mode: \"raw\\0x\"\n", 4, "mode", "trinary");
}

test(deep_nesting_is_refused)
{
	size_t n = 200000;
	char *text = malloc(n + 1);
	struct pb_mapyaml y;
	struct pb_error f = {.text = ""};

	memset(text, '[', n);
	text[n] = '\0';
	check_int(parse(text, &y, &f), -1);
	check_has(f.text, "1000 brackets");
	check_int(f.line, 1);
	for (size_t i = 0; i < n; i++)
		text[i] = "- &a\n"[i % 5];
	check_int(parse(text, &y, &f), -1);
	check_has(f.text, "1000 anchors");
	check_int(f.line, 1001);
	free(text);
}

/* Any beginning of a file is refused or read, and leaks nothing. */
test(cut_anywhere)
{
	static const char text[] =
	    GOOD "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
		 "mode: trinary\nother: [1, {a: b}]\n";
	char part[sizeof(text)];

	for (size_t k = 0; k < sizeof(text); k++) {
		struct pb_mapyaml y;
		struct pb_error f = {.text = ""};

		memcpy(part, text, k);
		part[k] = '\0';
		if (parse(part, &y, &f) == 0)
			pb_mapyaml_clear(&y);
		else
			check(f.text[0] != '\0');
	}
}

static void
image_path(const char *yaml, const char *image, const char *want)
{
	char copy[64], instead[PB_MAPYAML_INSTEAD];
	struct pb_mapyaml y = {.image = copy};
	char *path;

	strcpy(copy, image);
	path = pb_mapyaml_image_path(&y, yaml, instead);
	check_str(path, want);
	free(path);
}

test(image_path)
{
	image_path("m.yaml", "a.pgm", "a.pgm");
	image_path("maps/m.yaml", "a.pgm", "maps/a.pgm");
	image_path("/x y/m.yaml", "../a b.pgm", "/x y/../a b.pgm");
	image_path("maps/m.yaml", "/abs/a.pgm", "/abs/a.pgm");
	image_path("/dev/stdin", "a.pgm", "a.pgm");
}

static void
write_and_parse(const char *image, double resolution, struct pb_pose origin)
{
	char name[64], *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	struct pb_mapyaml y = pb_mapyaml_defaults(), back;

	strcpy(name, image);
	y.image = name;
	y.resolution = resolution;
	y.origin = origin;
	pb_mapyaml_write(out, &y);
	fclose(out);
	if (parse(text, &back, NULL) != 0) {
		check_fail_(__FILE__, __LINE__, text);
	} else {
		check_str(back.image, image);
		check_near(back.resolution, resolution, 0);
		check_near(back.origin.x, origin.x, 0);
		check_near(back.origin.y, origin.y, 0);
		check_near(back.origin.th, origin.th, 0);
		pb_mapyaml_clear(&back);
	}
	free(text);
}

test(written_yaml_reads_back)
{
	write_and_parse("a.pgm", 0.05, (struct pb_pose){-4.163, -6.09, 0});
	write_and_parse("my map.pgm", 0.0889, (struct pb_pose){1e-9, 1e9, 3});
	write_and_parse("- a\"\\#: \t.pgm", 1.0 / 3,
	    (struct pb_pose){1.0 / 7, -1.0 / 11, PB_PI});
	write_and_parse(".b/\xc3\xa9.pgm", 1e-6, (struct pb_pose){0});
}
