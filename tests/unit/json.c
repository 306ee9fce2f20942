/* json.c - tests of reading a line of JSON. */
#include "check.h"

#include <jansson.h>
#include <string.h>

#include "io/stream/json.h"
#include "io/stream/utf8.h"
#include "pb/rng.h"

/* Whether {"a":s} is read; with a complaint if not. */
static bool
reads(const char *s)
{
	char line[256];
	size_t n = (size_t)snprintf(line, sizeof(line), "{\"a\":%s}", s);
	char *exact = malloc(n); /* the sanitizer watches its end */
	struct pb_error bad = {""};
	struct pb_json j;
	struct pb_get g;
	bool ok;

	memcpy(exact, line, n);
	ok = pb_json_open(&j, exact, n, "x", &g, &bad);
	if (ok)
		pb_json_close(&j);
	check(ok == (bad.text[0] == '\0'));
	check(bad.kind != PB_ERROR_MEMORY);
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
	    "\"\\ud800\"", "\"\\ud800x\"", "\"\\udc00\"", "\"\\ud800\\u0041\"",
	    "\"\t\"", "\"\n\"", "\"\x01\"", "\"\x80\"", "\"\xc3\"",
	    "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"\xf5\x80\x80\x80\"", "\xff",
	    "1}", "1,", "1 /* */", "1 // x", "1}{", "1} x", "\"a\"\"b\""};

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		if (reads(some[i])) {
			printf("# accepted: %s\n", some[i]);
			check_bad = 1;
		}
}

static void
check_says(int line, const char *s, const char *why)
{
	struct pb_error bad = {"(read)"};
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
	struct pb_error bad;
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
	struct pb_error bad;
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
static json_free_t usual_free;

static void *
scarce(size_t n)
{
	return usual(pieces_left-- > 0 ? n : SIZE_MAX / 2);
}

static void
test_no_memory(void)
{
	const char *s =
	    "{\"a\":[1,2.5,\"t\\u0065xt\",{\"b\":true}],\"c\":null}";
	bool ok = false;
	long n = 0;

	reads("1"); /* from then on the reader's own malloc is used */
	json_get_alloc_funcs(&usual, &usual_free);
	json_set_alloc_funcs(scarce, usual_free);
	for (; !ok && n < 1000; n++) {
		struct pb_error bad = {""};
		struct pb_json j;
		struct pb_get g;

		pieces_left = n;
		ok = pb_json_open(&j, s, strlen(s), "x", &g, &bad);
		if (ok)
			pb_json_close(&j);
		else
			check(bad.kind == PB_ERROR_MEMORY &&
			      strcmp(bad.text, "JSON: out of memory") == 0);
	}
	json_set_alloc_funcs(usual, usual_free);
	check(ok && n > 10);
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
	run(test_no_memory);
	return done();
}
