/* json.c - tests of reading a line of JSON. */
#include "check.h"

#include <limits.h>
#include <string.h>

#include "base/rng.h"
#include "io/json.h"
#include "io/json_mend.h"
#include "io/utf8.h"

/* Whether {"a":s} is read; with a complaint if not. */
static bool
reads(const char *s)
{
	char line[256];
	size_t n = (size_t)snprintf(line, sizeof(line), "{\"a\":%s}", s);
	char *exact = malloc(n); /* the sanitizer watches its end */
	struct pb_bad bad = {""};
	struct pb_json j;
	struct pb_get g;
	bool ok;

	memcpy(exact, line, n);
	ok = pb_json_open(&j, exact, n, "x", &g, &bad);
	if (ok)
		pb_json_close(&j);
	check(ok == (bad.text[0] == '\0'));
	check(!bad.system);
	free(exact);
	return ok;
}

static void
test_valid_documents(void)
{
	static const char *const some[] = {"0", "-0", "-1", "17", "2.5", "1e5",
	    "1E5", "1e+5", "1e-5", "-0.125e2", "0e0", "123456789012345678",
	    "9223372036854775807", "-9223372036854775808",
	    "9223372036854775808", "123456789012345678901234567890", "1e-400",
	    "true", "false", "null", "[]", "[ ]", "{}", "{ }", "[1,2]",
	    "[ 1 , 2 ]", "\t[1]\r\n ", "[[],[[]],{}]", "{\"b\":{\"a\":1}}",
	    "{\"\":0}", "{\"a\":1,\"A\":1}", "\"\"", "\"plain\"",
	    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u00e4\\u20AC\"",
	    "\"\\ud83d\\ude00\"", "\"\xc3\xa4\"", "\"\xe2\x82\xac\"",
	    "\"\xf0\x9f\x98\x80\"", "\"\x7f\"", "\"[,]{:}\"", "NaN", "Infinity",
	    "-Infinity", "[NaN,-Infinity , Infinity]", "[\"NaN\",NaN]",
	    "[18446744073709551616,NaN]"};

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		if (!reads(some[i])) {
			printf("# refused: %s\n", some[i]);
			check_bad = 1;
		}
}

static void
test_invalid_documents(void)
{
	static const char *const some[] = {"", " ", "01", "-01", "00", "-",
	    "+1", ".5", "5.", "5.e1", "1e", "1e+", "0x10", "1.5.5", "1-2",
	    "- 1", "True", "TRUE", "nul", "nulls", "truefalse", "undefined",
	    "nan", "inf", "-NaN", "+Infinity", "-infinity", "--Infinity",
	    "NaNs", "NaNNaN", "NaN1", "1NaN", "xNaN", "NaN NaN", "Infinit",
	    "Infinity2", "{NaN:1}", "1e999", "[1e999]", "[", "]", "[1", "[1,]",
	    "[,1]", "[1 2]", "[1,,2]", "[1}", "{", "{]", "{\"a\"}", "{\"a\":}",
	    "{\"a\":1,}", "{,}", "{a:1}", "{1:1}", "{'a':1}", "{\"a\" 1}",
	    "{\"a\":1 \"b\":2}", "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":1}",
	    "\"", "\"a", "'a'", "\"\\x\"", "\"\\\"", "\"\\u12\"", "\"\\u12G4\"",
	    "\"\\u0000\"", "\"\\ud800\"", "\"\\ud800x\"", "\"\\udc00\"",
	    "\"\\ud800\\u0041\"", "\"\t\"", "\"\n\"", "\"\x01\"", "\"\x80\"",
	    "\"\xc3\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"",
	    "\"\xf5\x80\x80\x80\"", "\xff", "1}", "1,", "1 /* */", "1 // x",
	    "1}{", "1} x", "\"a\"\"b\""};

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		if (reads(some[i])) {
			printf("# accepted: %s\n", some[i]);
			check_bad = 1;
		}
}

static void
check_says(int line, const char *s, const char *why)
{
	struct pb_bad bad = {"(read)"};
	struct pb_json j;
	struct pb_get g;

	if (pb_json_open(&j, s, strlen(s), "x", &g, &bad))
		pb_json_close(&j);
	if (strcmp(bad.text, why) == 0)
		return;
	printf("# json.c:%d: %s\n#   says: %s\n", line, s, bad.text);
	check_bad = 1;
}
#define says(s, why) check_says(__LINE__, s, why)

static void
test_complaints(void)
{
	says("", "not JSON: unexpected token at the end, column 0");
	says("   ", "not JSON: unexpected token at the end, column 3");
	says("no json", "not JSON: invalid token near 'no', column 2");
	says("[1]", "expected a JSON object, got an array");
	says("3", "expected a JSON object, got a bare value");
	says("{\"a\":1", "not JSON: '}' expected at the end, column 6");
	says("{\"a\":1}x", "not JSON: end of file expected near 'x', column 8");
	says("{\"a\":0x10}", "not JSON: '}' expected near 'x', column 7");
	says("{\"a\":1,\"a\":2}",
	    "duplicate object key near '\"a\"', column 10");
	says("{\"a\":1e999}", "real number overflow near '1e999', column 10");
	says("{\"a\":\"\xe9\"}",
	    "not JSON: unable to decode byte 0xe9 near '\"', column 6");
	says("{\"a\":[1,NaN,}", "not JSON: unexpected token near '}'");
	says("{\n\"a\":\n,}", "not JSON: unexpected token near ',', line 3");
	says("{\"a\":\"b\\q\"}",
	    "not JSON: invalid escape near '\"b\\q', column 9");
}

/* A random document in s; returns its length. Objects have unlike keys. */
struct maker {
	struct pb_rng g;
	char s[4096];
	size_t n;
	int depth;
};

static void
put(struct maker *m, const char *s)
{
	size_t n = strlen(s);

	if (m->n + n < sizeof(m->s)) {
		memcpy(m->s + m->n, s, n);
		m->n += n;
	}
}

static void
put_blanks(struct maker *m)
{
	static const char *const some[] = {"", "", "", " ", "\t", " \r\n"};

	put(m, some[pb_rng_below(&m->g, 6)]);
}

static void
put_atom(struct maker *m)
{
	static const char *const some[] = {"0", "-1", "17", "2.5", "-0.125e2",
	    "1E+3", "true", "false", "null", "\"\"", "\"text\"",
	    "\"\\u00e4\\n\\\"\"", "\"\xc3\xa4 \xe2\x82\xac\"",
	    "\"\\ud83d\\ude00\"", "123456789012", "1e-7"};

	put(m, some[pb_rng_below(&m->g, 16)]);
}

static void
put_value(struct maker *m)
{
	uint32_t kind = m->depth > 4 ? 0 : pb_rng_below(&m->g, 6);
	uint32_t n = pb_rng_below(&m->g, 4);

	put_blanks(m);
	m->depth++;
	if (kind < 3) {
		put_atom(m);
	} else {
		put(m, kind == 3 ? "[" : "{");
		put_blanks(m);
		for (uint32_t i = 0; i < n; i++) {
			char key[32];

			put(m, i ? "," : "");
			put_blanks(m);
			snprintf(key, sizeof(key), "\"k%u\"", (unsigned)i);
			put(m, kind == 3 ? "" : key);
			put_blanks(m);
			put(m, kind == 3 ? "" : ":");
			put_value(m);
		}
		put(m, kind == 3 ? "]" : "}");
	}
	m->depth--;
	put_blanks(m);
}

/* A random object: a value under "a". */
static void
put_object(struct maker *m)
{
	m->n = 0;
	m->depth = 0;
	put(m, "{\"a\":");
	put_value(m);
	put(m, "}");
}

static void
test_made_documents(void)
{
	struct maker m;
	struct pb_bad bad;
	long whole = 0;

	pb_rng_start(&m.g, 1, 0, PB_FOR_MAP, 0);
	for (int i = 0; i < 20000; i++) {
		struct pb_json j;
		struct pb_get g;

		put_object(&m);
		if (m.n + 64 >= sizeof(m.s))
			continue;
		whole++;
		check(pb_json_open(&j, m.s, m.n, "x", &g, &bad));
		pb_json_close(&j);
		/* No document is the beginning of another. */
		m.n -= 1 + pb_rng_below(&m.g, (uint32_t)m.n - 1);
		check(!pb_json_open(&j, m.s, m.n, "x", &g, &bad));
	}
	check(whole > 10000);
}

/* All sequences of up to four bytes from the corners of UTF-8. */
static void
test_utf8_as_jansson(void)
{
	static const unsigned char c[] = {'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f,
	    0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
	    0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff};
	enum { N = sizeof(c) };

	for (int i = 0; i < 2 * N * N * N; i++) {
		char s[] = {'"', (char)c[i % N], (char)c[i / N % N],
		    (char)c[i / N / N % N], i < N * N * N ? (char)0x80 : 'z',
		    '"', 0};
		size_t at = 1, n = 1;

		while (at < 5 && n > 0)
			at += n = pb_utf8_char(s + at, 5 - at);
		check(reads(s) == (n > 0));
	}
}

static void
test_depth(void)
{
	struct pb_bad bad;
	struct pb_json j;
	struct pb_get g;
	static char s[8000] = "{\"a\":";
	const size_t most = 2047; /* arrays in the object */

	memset(s + 5, '[', most);
	memset(s + 5 + most, ']', most);
	s[5 + 2 * most] = '}';
	check(pb_json_open(&j, s, 6 + 2 * most, "x", &g, &bad));
	pb_json_close(&j);
	memset(s + 5, '[', most + 1);
	check(!pb_json_open(&j, s, 6 + 2 * most, "x", &g, &bad));
	check(strcmp(bad.text, "maximum parsing depth reached near '[', "
			       "column 2053") == 0);
}

/* Whether mending s gives want; NULL: nothing to mend. */
static void
check_mends(int line, const char *s, const char *want)
{
	size_t n = strlen(s), len = 0;
	char *exact = malloc(n);
	char *got;
	bool same;

	memcpy(exact, s, n);
	got = pb_json_mend(exact, n, &len);
	same = !want ? !got
	             : got && len == strlen(want) && !memcmp(got, want, len);
	if (!same) {
		printf("# json.c:%d: %s\n#   gives: %.*s\n", line, s, (int)len,
		    got ? got : "(nothing)");
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
}

static void
test_mended_values(void)
{
	const char *s = "{\"l\":[1,NaN,-Infinity,null],\"s\":\"NaN \\\"NaN\","
			"\"o\":NaN,\"r\":NaN}";
	struct pb_bad bad;
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
	check(g.ok && v == 7);
	pb_get_num(&g, "r", PB_REQUIRED, 0, 1, &v);
	check(!g.ok && v == 7);
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
		printf("# json.c:%d: %s\n#   gives: %.*s\n", line, s,
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
cells_of(const char *s, size_t n, signed char *cell, struct pb_bad *bad)
{
	struct pb_json j;
	struct pb_get g;
	bool ok = pb_json_open(&j, s, strlen(s), "x", &g, bad);

	if (ok) {
		pb_get_cells(&g, n, cell);
		ok = g.ok;
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
		struct pb_bad one = {""}, two = {""};
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
		struct pb_bad bad;

		check(!cells_of(some[i], 4, cell, &bad));
	}
}

/* The sanitizer's malloc, too, may say that there is no memory. */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

/* jansson's memory, of which there are so many pieces left. */
static long pieces_left;
static json_malloc_t usual;

static void *
scarce(size_t n)
{
	return usual(pieces_left-- > 0 ? n : SIZE_MAX / 2);
}

static void
test_no_memory(void)
{
	const char *s = "{\"a\":[1,2.5,\"text\",{\"b\":true}],\"c\":null}";
	bool ok = false;
	long n = 0;

	reads("1"); /* from then on the reader's own malloc is used */
	json_get_alloc_funcs(&usual, NULL);
	json_set_alloc_funcs(scarce, free);
	for (; !ok && n < 1000; n++) {
		struct pb_bad bad = {""};
		struct pb_json j;
		struct pb_get g;

		pieces_left = n;
		ok = pb_json_open(&j, s, strlen(s), "x", &g, &bad);
		if (ok)
			pb_json_close(&j);
		else
			check(bad.system &&
			      strcmp(bad.text, "JSON: out of memory") == 0);
	}
	json_set_alloc_funcs(usual, free);
	check(ok && n > 10);
}

static void
test_getters(void)
{
	const char *s = "{\"n\":-2.5,\"i\":7,\"b\":true,\"s\":\"hello\","
			"\"z\":null,\"v\":[1,2,3],\"l\":[1,NaN,-Infinity,"
			"null],\"u\":\"18446744073709551615\",\"e\":[]}";
	struct pb_bad bad;
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
	check(g.ok);
	check_near(n, -2.5, 0);
	check_int(i, 7);
	check(b && strcmp(text, "hello") == 0 && u == UINT64_MAX);
	check_near(v[2], 3, 0);
	check(items == 4 && list[0] == 1 && isnan(list[1]) && isnan(list[2]) &&
	      isnan(list[3]));
	free(list);
	pb_get_list(&g, "l", PB_REQUIRED, 3, &list, &items);
	check(!g.ok && list == NULL);
	check(strcmp(bad.text, "x.l: expected at most 3 items, got 4") == 0);
	/* After the first failure nothing is touched any more. */
	pb_get_int(&g, "i", PB_REQUIRED, 0, 1, &i);
	check_int(i, 7);
	check(strcmp(bad.text, "x.l: expected at most 3 items, got 4") == 0);
	pb_json_close(&j);
}

/* Whole numbers at the ends of what is kept. */
static void
test_large_numbers(void)
{
	const char *s = "{\"a\":9223372036854775807,\"b\":1e15,"
			"\"c\":\"9223372036854775808\",\"d\":[1e300],"
			"\"e\":9223372036854775808}";
	struct pb_bad bad;
	struct pb_json j;
	struct pb_get g;
	uint64_t u = 0;
	long i = 0;
	double v = 0;

	/* Without e nothing is more than 63 bits: all digits are kept. */
	for (int with = 0; with < 2; with++) {
		char t[200];

		snprintf(
		    t, sizeof(t), "%.*s%s", (int)(strrchr(s, ',') - s), s, "}");
		check(pb_json_open(
		    &j, with ? s : t, strlen(with ? s : t), "x", &g, &bad));
		pb_get_u64(&g, "c", PB_REQUIRED, &u);
		check(u == (uint64_t)1 << 63);
		pb_get_int(&g, "b", PB_REQUIRED, 0, LONG_MAX, &i);
		check_int(i, 1000000000000000);
		pb_get_num(&g, with ? "e" : "a", PB_REQUIRED, 0, INFINITY, &v);
		check_near(v, 0x1p63, 0);
		check(g.ok);
		pb_get_u64(&g, "a", PB_REQUIRED, &u);
		check(g.ok == !with && (with || u == INT64_MAX));
		pb_json_close(&j);
	}
	check(strcmp(bad.text,
		  "x.a: expected a whole number from 0 to 9223372036854775807,"
		  " larger ones as a string, got 9.223372036854776e+18") == 0);
}

int
main(void)
{
	run(test_valid_documents);
	run(test_invalid_documents);
	run(test_complaints);
	run(test_made_documents);
	run(test_utf8_as_jansson);
	run(test_depth);
	run(test_mending);
	run(test_mended_values);
	run(test_lifting);
	run(test_lifted_as_tree);
	run(test_no_false_cells);
	run(test_no_memory);
	run(test_getters);
	run(test_large_numbers);
	return done();
}
