/* json_get.c - tests of taking values from an object. */
#include "check.h"

#include <limits.h>

#include "io/rec/rec.h"
#include "io/stream/json.h"

test(getters)
{
	const char *s = "{\"n\":-2.5,\"i\":7,\"b\":true,\"s\":\"hello\","
			"\"z\":null,\"v\":[1,2,3],\"l\":[1,NaN,-Infinity,"
			"null],\"u\":\"18446744073709551615\",\"e\":[]}";
	struct pb_error bad;
	struct pb_json j;
	struct pb_get g;
	double n = 0, v[3], *list;
	long i = 0;
	bool b = false;
	char text[6] = "";
	uint64_t u = 0;
	size_t items;

	check(pb_json_open(&j, s, strlen(s), "x", &g, &bad));
	pb_get_num(&g, "n", PB_REQUIRED, -3, 0, &n);
	pb_get_int(&g, "i", PB_REQUIRED, 0, 7, &i);
	pb_get_bool(&g, "b", PB_REQUIRED, &b);
	pb_get_text(&g, "s", PB_REQUIRED, text, sizeof(text));
	pb_get_nums(&g, "v", PB_REQUIRED, 3, v);
	pb_get_u64(&g, "u", PB_REQUIRED, &u);
	pb_get_num(&g, "z", PB_OPTIONAL, 0, 1, &n);
	pb_get_num(&g, "none", PB_OPTIONAL, 0, 1, &n);
	pb_get_list(&g, "e", PB_REQUIRED, 9, &list, &items);
	check(list == NULL && items == 0);
	pb_get_list(&g, "l", PB_REQUIRED, 4, &list, &items);
	check(*g.ok);
	check_near(n, -2.5, 0);
	check_int(i, 7);
	check(b && strcmp(text, "hello") == 0 && u == UINT64_MAX);
	check_near(v[2], 3, 0);
	check(items == 4 && list[0] == 1 && isnan(list[1]) && isnan(list[2]) &&
	      isnan(list[3]));
	free(list);
	pb_get_list(&g, "l", PB_REQUIRED, 3, &list, &items);
	check(!*g.ok && list == NULL);
	check_str(bad.text, "x.l: expected at most 3 items, got 4");
	/* After the first failure nothing is touched any more. */
	pb_get_int(&g, "i", PB_REQUIRED, 0, 1, &i);
	check_int(i, 7);
	check_str(bad.text, "x.l: expected at most 3 items, got 4");
	pb_json_close(&j);
}

/* A string may hold a NUL, which no field of ours takes. */
test(nul)
{
	static const struct {
		const char *line, *want;
	} bad[] = {
	    {"{\"type\":\"pose\",\"id\":\"a\\u0000b\",\"x\":0,\"y\":0}",
		"pose.id: expected a string, got a string with \\u0000 in it"},
	    {"{\"type\":\"pose\\u0000\",\"x\":0,\"y\":0}",
		"record.type: expected a string, got a string with \\u0000 in "
		"it"},
	    {"{\"type\":\"map\",\"resolution\":1,\"rows\":[\".\\u0000\"]}",
		"map.rows[0]: expected a string, got a string with \\u0000 in "
		"it"},
	    {"{\"type\":\"maze\",\"rows\":[\".\\u0000\"]}",
		"maze.rows[0]: expected at most 64 strings of 1 to 64 "
		"characters out of \"#.o G\", equally long, got a string with "
		"\\u0000 in it"}};
	static const char *const good[] = {"{\"type\":\"x\",\"a\":\"\\u0000\"}",
	    "{\"type\":\"pose\",\"x\":0,\"y\":0,\"a\":\"b\\u0000\"}",
	    "{\"type\":\"pose\",\"x\":0,\"y\":0,\"a\\u0000\":NaN,\"\\u0000\":1}"};
	struct pb_error why;
	struct pb_rec r;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const char *s = bad[i].line;

		why.text[0] = 0;
		check(!pb_rec_read(s, strlen(s), PB_REC_ALL, &r, &why));
		check_str(why.text, bad[i].want);
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		check(pb_rec_read(
		    good[i], strlen(good[i]), PB_REC_ALL, &r, &why));
		pb_rec_clear(&r);
	}
}

/* Whole numbers at the ends of what is kept. */
test(large_numbers)
{
	const char *s = "{\"a\":9223372036854775807,\"b\":1e15,"
			"\"c\":\"9223372036854775808\",\"d\":[1e300],"
			"\"e\":9223372036854775808}";
	struct pb_error bad;
	struct pb_json j;
	struct pb_get g;
	uint64_t u = 0;
	long i = 0;
	double v = 0, f[2];

	check(pb_json_open(&j, s, strlen(s), "x", &g, &bad));
	pb_get_u64(&g, "c", PB_REQUIRED, &u);
	check(u == (uint64_t)1 << 63);
	pb_get_int(&g, "b", PB_REQUIRED, 0, LONG_MAX, &i);
	check_int(i, 1000000000000000);
	pb_get_num(&g, "e", PB_REQUIRED, 0, INFINITY, &v);
	check_near(v, 0x1p63, 0);
	/* All digits are kept, whatever stands beside them. */
	pb_get_u64(&g, "a", PB_REQUIRED, &u);
	check(*g.ok && u == INT64_MAX);
	pb_get_u64(&g, "e", PB_REQUIRED, &u);
	check(!*g.ok);
	check_str(bad.text,
	    "x.e: expected a whole number from 0 to 9223372036854775807,"
	    " larger ones as a string, got 9.223372036854776e+18");
	pb_json_close(&j);
	s = "{\"f\":[1,-1e999]}";
	check(pb_json_open(&j, s, strlen(s), "x", &g, &bad));
	pb_get_nums(&g, "f", PB_REQUIRED, 2, f);
	check_str(bad.text, "x.f[1]: expected a number, got a number beyond "
			    "the range of a double");
	pb_json_close(&j);
}

test(nonfinite)
{
	const char *s = "{\"s\":\"NaN \\\"NaN\",\"o\":NaN,\"r\":NaN}";
	struct pb_error bad;
	struct pb_json j;
	struct pb_get g;
	char text[16] = "";
	double v = 7;

	check(pb_json_open(&j, s, strlen(s), "x", &g, &bad));
	pb_get_text(&g, "s", PB_REQUIRED, text, sizeof(text));
	check_str(text, "NaN \"NaN");
	pb_get_num(&g, "o", PB_OPTIONAL, 0, 1, &v);
	check(*g.ok && v == 7);
	pb_get_num(&g, "r", PB_REQUIRED, 0, 1, &v);
	check(!*g.ok && v == 7);
	check_str(bad.text, "x.r: expected a number, got NaN");
	pb_json_close(&j);
}

/* "data" from the line s, n cells; what went wrong in bad. */
static bool
cells_of(const char *s, size_t n, signed char *cell, struct pb_error *bad)
{
	struct pb_json j;
	struct pb_get g;
	bool ok = pb_json_open(&j, s, strlen(s), "x", &g, bad);

	if (ok) {
		pb_get_cells(&g, n, cell);
		ok = *g.ok;
		pb_json_close(&j);
	}
	return ok;
}

/* The cells of a long line are bytes, those of a short one values: they read
 * and refuse the same. */
test(cells)
{
	static const char *const some[] = {"0", "100", "-1", "37", "5", "101",
	    "-2", "null", "1.5", "\"\"", "", "01", " 7 ", "1 1", "-", "]", "["};
	enum { LONG = 70000 };
	char *t = malloc(LONG + 256), *pad = malloc(LONG + 1);
	struct pb_rng g = draws(3, PB_FOR_MAP);
	long read = 0;

	memset(pad, 'x', LONG);
	pad[LONG] = '\0';
	for (int i = 0; i < 2000; i++) {
		struct pb_error one = {""}, two = {""};
		signed char a[4] = {0}, b[4] = {0};
		char data[128] = "", s[160];
		uint32_t odd = pb_rng_below(&g, 2) ? 17 : 5;

		for (uint32_t k = 3 + pb_rng_below(&g, 3); k-- > 0;) {
			strcat(data, some[pb_rng_below(&g, odd)]);
			strcat(data, k ? "," : "");
		}
		snprintf(s, sizeof(s), "{\"data\":[%s],\"b\":1}", data);
		snprintf(t, LONG + 256, "{\"data\":[%s],\"b\":\"%s\\n\"}", data,
		    pad);
		check(cells_of(s, 4, a, &one) == cells_of(t, 4, b, &two));
		check(one.text[0] != '\0' || memcmp(a, b, 4) == 0);
		check_str(one.text, two.text);
		read += one.text[0] == '\0';
	}
	check(read > 100);
	free(t);
	free(pad);
}
