/* json_nonfinite.c - tests of numbers and cells that are taken out of a line.
 */
#include "check.h"

#include <string.h>

#include "io/stream/json.h"
#include "io/stream/json_nonfinite.h"
#include "pb/rng.h"

/* Whether mending s gives want; NULL: nothing to mend. */
static void
check_mends(int line, const char *s, const char *want)
{
	size_t n = strlen(s), len = 0;
	char *exact = malloc(n);
	char *got;
	bool same, nan;

	memcpy(exact, s, n);
	got = pb_json_nonfinite(exact, n, &len, &nan);
	same = !want ? !got
	             : got && len == strlen(want) && !memcmp(got, want, len);
	same &= nan == (want && strstr(want, "null") != NULL);
	if (!same) {
		printf("# json_nonfinite.c:%d: %s\n#   gives: %.*s\n", line, s,
		    (int)len, got ? got : "(nothing)");
		check_bad = 1;
	}
	free(got);
	free(exact);
}
#define mends(s, want) check_mends(__LINE__, s, want)

static void
test_mending(void)
{
	mends("NaN", "null");
	mends("[1,NaN,-Infinity,Infinity]", "[1,null,null,null]");
	mends("[NaN,NaN,NaN,NaN,NaN]", "[null,null,null,null,null]");
	mends("[-1,NaN]", "[-1,null]");
	mends("{\"NaN\":NaN}", "{\"NaN\":null}");
	mends("[\"NaN\",\"a -Infinity b\"]", NULL);
	mends("[\"\\\"NaN\",\"\\\\\",NaN]", "[\"\\\"NaN\",\"\\\\\",null]");
	mends("[\"open NaN", NULL);
	mends("[\"open\\", NULL);
	mends("[Na", NULL);
	mends("-", NULL);
	mends("\"", NULL);
	mends("--Infinity", "-null");
	mends("{\"\\u0000\":1}", "{\"\\ufdd0\":1}");
	mends("{\"a\\u0000\\u0000b\" :NaN}", "{\"a\\ufdd0\\ufdd0b\" :null}");
	mends("{\"a\\\\u0000\":\"\\u0000\"}", NULL);
	mends("{\"\\u0000", NULL);
	mends("{\"\\u000\":1}", NULL);
}

/* The longest run of digits and such outside of strings, one by one. */
static size_t
slow_over(const char *s, size_t n, size_t max)
{
	bool in = false;
	size_t run = 0;

	for (size_t i = 0; i < n; i++) {
		bool part = !in && memchr("0123456789+-.eE", s[i], 15) != NULL;

		if (!part && run > max)
			return run;
		run = part ? run + 1 : 0;
		if (in && s[i] == '\\')
			i++;
		else if (s[i] == '"')
			in = !in;
	}
	return run > max ? run : 0;
}

static void
test_long_numbers(void)
{
	static const char some[] = "0123456789-+.eE\"\\,]";
	struct pb_rng r;
	char s[64];
	long found = 0;

	pb_rng_start(&r, 4, 0, PB_FOR_SENSOR, 0);
	for (int k = 0; k < 100000; k++) {
		size_t n = pb_rng_below(&r, 64), max = 1 + pb_rng_below(&r, 9);
		char *exact = malloc(n + 1);
		size_t over;

		for (size_t i = 0; i < n; i++)
			s[i] = pb_rng_below(&r, 4) != 0
			           ? '7'
			           : some[pb_rng_below(&r, sizeof(some) - 1)];
		memcpy(exact, s, n);
		over = pb_json_number_over(exact, n, max);
		check_int((long long)over, (long long)slow_over(s, n, max));
		found += over > 0;
		free(exact);
	}
	check(found > 10000 && found < 90000);
}

static void
test_mended_values(void)
{
	const char *s = "{\"l\":[1,NaN,-Infinity,null],\"s\":\"NaN \\\"NaN\","
			"\"o\":NaN,\"r\":NaN}";
	struct pb_error bad;
	struct pb_json j;
	struct pb_get g;
	char text[16] = "";
	double *list, v = 7;
	size_t n;

	check(pb_json_open(&j, s, strlen(s), "x", &g, &bad));
	pb_get_list(&g, "l", PB_REQUIRED, 9, &list, &n);
	check(n == 4 && list[0] == 1 && isnan(list[1]) && isnan(list[2]) &&
	      isnan(list[3]));
	free(list);
	pb_get_text(&g, "s", PB_REQUIRED, text, sizeof(text));
	check(strcmp(text, "NaN \"NaN") == 0);
	pb_get_num(&g, "o", PB_OPTIONAL, 0, 1, &v);
	check(*g.ok && v == 7);
	pb_get_num(&g, "r", PB_REQUIRED, 0, 1, &v);
	check(!*g.ok && v == 7);
	check(strcmp(bad.text, "x.r: expected a number, got null or NaN") == 0);
	pb_json_close(&j);
}

/* Whether cells are lifted out of s, and what remains of it. */
static void
check_lifts(int line, const char *s, size_t cells, const char *rest)
{
	size_t n = strlen(s);
	char *exact = malloc(n);
	struct pb_lift l;
	bool ok;

	memcpy(exact, s, n);
	ok = pb_json_lift(exact, n, &l);
	if (ok ? !rest || l.cells != cells || l.len != strlen(rest) ||
		     memcmp(l.rest, rest, l.len) != 0
	       : rest || l.rest || l.cell) {
		printf("# json_nonfinite.c:%d: %s\n#   gives: %.*s\n", line, s,
		    (int)l.len, ok ? l.rest : "(nothing)");
		check_bad = 1;
	}
	free(l.rest);
	free(l.cell);
	free(exact);
}
#define lifts(s, cells, rest) check_lifts(__LINE__, s, cells, rest)
#define stays(s)              check_lifts(__LINE__, s, 0, NULL)

static void
test_lifting(void)
{
#define REST "{\"data\":\"\\u0001\"}"
	lifts("{\"data\":[0]}", 1, REST);
	lifts("{\"data\":[]}", 0, REST);
	lifts("{\"data\":[ ]}", 0, REST);
	lifts("{\"data\":[0,100,-1,37]}", 4, REST);
	lifts("{\"a\":\"data\",\"data\" :\n[ 0 ,\t-1\r\n],\"b\":[1]}", 2,
	    "{\"a\":\"data\",\"data\" :\n\"\\u0001\",\"b\":[1]}");
	lifts("{\"a\":{\"data\":[1]},\"data\":[2]}", 1,
	    "{\"a\":{\"data\":\"\\u0001\"},\"data\":[2]}");
	stays("{\"data\":[101]}");
	stays("{\"data\":[-2]}");
	stays("{\"data\":[-12]}");
	stays("{\"data\":[-0]}");
	stays("{\"data\":[00]}");
	stays("{\"data\":[01]}");
	stays("{\"data\":[1000]}");
	stays("{\"data\":[1.0]}");
	stays("{\"data\":[1e1]}");
	stays("{\"data\":[null]}");
	stays("{\"data\":[1,]}");
	stays("{\"data\":[,1]}");
	stays("{\"data\":[1 2]}");
	stays("{\"data\":[1,,2]}");
	stays("{\"data\":[1,2");
	stays("{\"data\":[1,");
	stays("{\"data\":[-");
	stays("{\"data\":[");
	stays("{\"data\":");
	stays("{\"data\"");
	stays("{\"data");
	stays("{\"data\":1,\"b\":[2]}");
	stays("{\"data\":\"[1]\"}");
	stays("{\"b\\n\":1,\"data\":[1]}");
#undef REST
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

/* Lifted or as a tree (a key with an escape prevents lifting): the same. */
static void
test_lifted_as_tree(void)
{
	static const char *const some[] = {"0", "100", "-1", "37", "5", "101",
	    "-2", "null", "1.5", "\"\"", "", "01", " 7 ", "1 1", "-", "]", "["};
	struct pb_rng g;
	long read = 0;

	pb_rng_start(&g, 3, 0, PB_FOR_MAP, 0);
	for (int i = 0; i < 20000; i++) {
		struct pb_error one = {""}, two = {""};
		signed char a[4] = {0}, b[4] = {0};
		char data[128] = "", s[160], t[160];
		uint32_t odd = pb_rng_below(&g, 2) ? 17 : 5;

		for (uint32_t k = 3 + pb_rng_below(&g, 3); k-- > 0;) {
			strcat(data, some[pb_rng_below(&g, odd)]);
			strcat(data, k ? "," : "");
		}
		snprintf(s, sizeof(s), "{\"data\":[%s],\"b\":1}", data);
		snprintf(t, sizeof(t), "{\"data\":[%s],\"\\u0062\":1}", data);
		check(cells_of(s, 4, a, &one) == cells_of(t, 4, b, &two));
		if (one.text[0] == '\0')
			check(memcmp(a, b, 4) == 0);
		/* Without the column, which may lie behind the escape. */
		one.text[strcspn(one.text, ",")] = '\0';
		two.text[strcspn(two.text, ",")] = '\0';
		check(strcmp(one.text, two.text) == 0);
		read += one.text[0] == '\0';
	}
	check(read > 1000);
}

/* Nothing that somebody writes passes for cells that were lifted. */
static void
test_no_false_cells(void)
{
	static const char *const some[] = {"{\"data\":\"\\u0001\"}",
	    "{\"data\":\"\\u0001\",\"a\":{\"data\":[1,2,3,4]}}",
	    "{\"a\":{\"data\":[1,2,3,4]},\"data\":\"\\u0001\"}",
	    "{\"a\":{\"data\":[1,2,3,4]}}", "{\"data\":\"\001\"}",
	    "{\"a\":{\"data\":[1,2,3,4]},\"data\":\"\001\"}"};

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
		signed char cell[4];
		struct pb_error bad;

		check(!cells_of(some[i], 4, cell, &bad));
	}
}

int
main(void)
{
	run(test_mending);
	run(test_long_numbers);
	run(test_mended_values);
	run(test_lifting);
	run(test_lifted_as_tree);
	run(test_no_false_cells);
	return done();
}
