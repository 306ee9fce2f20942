/* json.c - tests of reading a line of JSON. */
#include "check.h"

#include "io/stream/json.h"
#include "io/stream/text.h"

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
	free(exact);
	return ok;
}

/* Whether every one of the n values, or none, is read. */
static void
check_all(const char *const *some, size_t n, bool good)
{
	for (size_t i = 0; i < n; i++)
		if (reads(some[i]) != good) {
			printf("# %s: %s\n", good ? "refused" : "accepted",
			    some[i]);
			check_bad = 1;
		}
}

test(valid_documents)
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
	    "[18446744073709551616,NaN]", "1e999", "[-1e99999999999]",
	    "\"\\u0000\"", "{\"\\u0000\":\"\\u0000\"}", "{\"NaN\":NaN}",
	    "[\"\\\"NaN\",\"\\\\\",NaN]"};

	check_all(some, sizeof(some) / sizeof(*some), true);
}

test(invalid_documents)
{
	static const char *const some[] = {"", " ", "01", "-01", "00", "-",
	    "+1", ".5", "5.", "5.e1", "1e", "1e+", "0x10", "1.5.5", "1-2",
	    "- 1", "True", "TRUE", "nul", "nulls", "truefalse", "undefined",
	    "nan", "inf", "-NaN", "+Infinity", "-infinity", "--Infinity",
	    "NaNs", "NaNNaN", "NaN1", "1NaN", "xNaN", "NaN NaN", "Infinit",
	    "Infinity2", "{NaN:1}", "[", "]", "[1", "[1,]", "[,1]", "[1 2]",
	    "[1,,2]", "[1}", "{", "{]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
	    "{,}", "{a:1}", "{1:1}", "{'a':1}", "{\"a\" 1}",
	    "{\"a\":1 \"b\":2}", "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":1}",
	    "{\"\\u0061\":1,\"a\":1}", "\"", "\"a", "'a'", "\"\\x\"", "\"\\\"",
	    "\"\\u12\"", "\"\\u12G4\"", "\"\\ud800\"", "\"\\ud800x\"",
	    "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\t\"", "\"\n\"", "\"\x01\"",
	    "\"\x80\"", "\"\xc3\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"",
	    "\"\xf5\x80\x80\x80\"", "\xff", "1}", "1,", "1 /* */", "1 // x",
	    "1}{", "1} x", "\"a\"\"b\""};

	check_all(some, sizeof(some) / sizeof(*some), false);
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

test(complaints)
{
	says("", "not JSON: expected a value, got the end, column 1");
	says("   ", "not JSON: expected a value, got the end, column 4");
	says("no json", "not JSON: expected a value, got 'no', column 1");
	says("[1]", "expected a JSON object, got an array");
	says("3", "expected a JSON object, got a bare value");
	says(
	    "{\"a\":1", "not JSON: expected ',' or '}', got the end, column 7");
	says("{\"a\":[1}", "not JSON: expected ',' or ']', got '}', column 8");
	says("{\"a\":{}",
	    "not JSON: expected ',' or '}', got the end, column 8");
	says("{\"a\":1}x", "not JSON: expected the end, got 'x', column 8");
	says("{\"a\":1} {}", "not JSON: expected the end, got '{', column 9");
	says("{\"a\":0x10}",
	    "not JSON: expected ',' or '}', got 'x10', column 7");
	says("{\"a\":01}",
	    "not JSON: expected a number without leading zeros, got '01', "
	    "column 6");
	says("{\"a\":1.e2}", "not JSON: expected a digit, got 'e2', column 8");
	says("{\"a\":1,\"a\":2}", "a key that is there twice, column 8");
	says("{\"a\":\"\xc3\xa4\xe9\"}",
	    "not JSON: expected UTF-8, got byte 0xe9, column 8");
	says("{\"a\":\"\t\"}",
	    "not JSON: expected no control character in a string, got byte "
	    "0x09, column 7");
	says("{\"a\":[1,NaN,}",
	    "not JSON: expected a value, got '}', column 13");
	says("{\n\"a\":\n,}", "not JSON: expected a value, got ',', line 3");
	says("{\"a\":\"b\\q\"}",
	    "not JSON: expected one of \"\\/bfnrtu behind a backslash, got "
	    "'q', column 9");
	says("{\"a\":\"\\ud800x\"}",
	    "not JSON: expected a pair of surrogates, got 'd800x', column 9");
	says("{\"a\":\"b}", "not JSON: expected a quote behind the string, "
			    "got the end, column 9");
}

/*
 * The suite of Nicolas Seriot (JSONTestSuite): what it has for arrays, numbers,
 * strings and structures beyond the lists above, as they are but for brackets
 * around. Of its n_ files only NaN and infinities are taken here, and of its y_
 * files only keys that are there twice are not.
 */
test(suite)
{
	static const char *const yes[] = {"[[] ]", "[\"\"]",
	    "[null, 1, \"1\", {}]", "[1\n]", " [1]", "[1,null,null,null,2]",
	    "[2] ", "[123e65]", "[0e+1]", "[0e1]", "[ 4]",
	    "[-0.000000000000000000000000000000000"
	    "00000000000000000000000000000000000000000001]",
	    "[20e1]", "[-0]", "[-123]", "[1E22]", "[1E-2]", "[123e45]",
	    "[123.456e78]", "[123.456789]", "{\"asd\":\"sdf\"}", "{\"a\":[]}",
	    "{\"foo\\u0000bar\": 42}", "{\"title\":\"\\u041f\\u043e\\u043b\"}",
	    "{\n\"a\": \"b\"\n}", "[\"\\u0060\\u012a\\u12AB\"]",
	    "[\"\\uD801\\udc37\"]", "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]",
	    "[\"\\\\u0000\"]", "[\"\\\"\"]", "[\"a/*b*/c/*d//e\"]",
	    "[\"\\\\a\"]", "[\"\\\\n\"]", "[\"\\u0012\"]", "[\"\\uFFFF\"]",
	    "[\"\\uDBFF\\uDFFF\"]", "[\"\xf4\x8f\xbf\xbf\"]",
	    "[\"\xef\xbf\xbf\"]", "[\"\xe2\x80\xa8\"]", "[\"\xe2\x80\xa9\"]",
	    "[\"\\uDBFF\\uDFFE\"]", "[\"\\u200B\"]", "[\"\\u2064\"]",
	    "[\"\\uFDD0\"]", "[\"\\uFFFE\"]", "[\"\\u0022\"]", "[\"\x7f\"]",
	    "[\"a\x7f"
	    "a\"]",
	    "[\"\\u005C\"]", "[true]", "\t"};
	static const char *const no[] = {"[1 true]", "[a\xe5]", "[\"\": 1]",
	    "[\"\"],", "[1,,]", "[\"x\"]]", "[\"\",]", "[\"x\"", "[x", "[3[4]]",
	    "[1:2]", "[,]", "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,",
	    "[\"\va\"]", "[*]", "[1,", "[1,\n1\n,1", "[{}", "[fals]", "[nul]",
	    "[tru]", "[++1234]", "[+1]", "[-01]", "[-1.0.]", "[-2.]", "[.-1]",
	    "[.2e-3]", "[0.1.2]", "[0.3e+]", "[0.3e]", "[0.e1]", "[0E+]",
	    "[0E]", "[0e+]", "[0e]", "[1.0e+]", "[1.0e-]", "[1.0e]",
	    "[1 000.0]", "[1eE2]", "[2.e+3]", "[2.e-3]", "[2.e3]", "[9.e+]",
	    "[Inf]", "[-Inf]", "[1+2]", "[0x1]", "[0x42]", "[0e+-1]", "[-foo]",
	    "[- 1]", "[-012]", "[-.123]", "[-1x]", "[1ea]", "[1e\xe5]", "[1.]",
	    "[.123]", "[\xef\xbc\x91]", "[1.2a-3]", "[1.8011670033376514H-308]",
	    "[012]", "[-nan]", "{\"x\", null}", "{\"x\"::\"b\"}",
	    "{key: 'value'}", "{\"a\":\"a\" 123}", "{[: \"x\"}", "{\"a\" b}",
	    "{\":\"b\"}", "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}",
	    "{9999E9999:1}", "{null:null,null:null}", "{\"id\":0,,,,,}",
	    "{'a':0}", "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\"}/**//",
	    "{\"a\":\"b\"}//", "{\"a\":\"b\"}/", "{\"a\":\"b\",,\"c\":\"d\"}",
	    "{a: \"b\"}", "{\"a\":\"a", "{ \"foo\" : \"bar\", \"a\" }",
	    "{\"a\":\"b\"}#", "[\"\\uD800\\\"]", "[\"\\uD800\\u\"]",
	    "[\"\\uD800\\u1\"]", "[\"\\uD800\\u1x\"]", "[\xc3\xa9]",
	    "[\"\\\\\\\"]", "[\"\\\t\"]", "[\"\\\xf0\x9f\x8c\x80\"]",
	    "[\"\\x00\"]", "[\"\\a\"]", "[\"\\u00A\"]", "[\"\\uD834\\uDd\"]",
	    "[\"\\uD800\\uD800\\x\"]", "[\"\\u\xe5\"]", "[\"\\\xe5\"]",
	    "[\\u0020\"asd\"]", "[\\n]", "\"", "['single quote']", "abc",
	    "[\"\\", "[\"new\nline\"]", "[\"\\uqqqq\"]", "[\"asd]",
	    "[\"\\U0061\"]", "<.>", "[<null>]", "[1]x", "[1]]", "[\"asd]",
	    "a\xc3\xa5", "[True]", "1]", "{\"x\": true,", "[][]", "]",
	    "\xef\xbb{}", "\xef\xbb\xbf", "\xe5", "[", "2@", "{}}",
	    "{\"\":", "{\"a\":/*c*/\"b\"}", "{\"a\": true} \"x\"", "['", "[,",
	    "[{", "[\"a", "[\"a\"", "{", "{]", "{,", "{[", "{\"a", "{'a'",
	    "[\"\\{[\"\\{[\"\\{[\"\\{", "\xe9", "*", "{\"a\":\"b\"}#{}",
	    "[\\u000A\"\"]", "[1", "[ false, nul", "[ true, fals",
	    "[ false, tru", "{\"asd\":\"asd\"", "\xe2\x81\xa0",
	    "\xef\xbb\xbf{}", "[\f]", "[\xe2\x81\xa0]"};

	check_all(yes, sizeof(yes) / sizeof(*yes) - 1, true);
	check_all(no, sizeof(no) / sizeof(*no), false);
}

/* The text of the string s, with escapes, is want[0..n). */
static void
check_text(int line, const char *s, const char *want, size_t n)
{
	char doc[256];
	struct pb_error bad = {""};
	struct pb_json l;
	struct pb_get g;
	size_t m = (size_t)snprintf(doc, sizeof(doc), "{\"k\":%s}", s);
	const struct pb_json_value *v = NULL;

	if (pb_json_open(&l, doc, m, "x", &g, &bad))
		v = pb_json_member(l.v, "k");
	if (!v || v->n != n || memcmp(v->text, want, n + 1) != 0) {
		printf("# json.c:%d: %s %s\n", line, s, bad.text);
		check_bad = 1;
	}
	if (v)
		pb_json_close(&l);
}
#define text_is(s, want) check_text(__LINE__, s, want, sizeof(want) - 1)

test(escapes)
{
	text_is("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t");
	text_is("\"\\u0061\\u00e4\\u20AC\\ud83d\\ude00\"",
	    "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	text_is("\"a\\u0000b\"", "a\0b");
	text_is("\"\\uFFFF\\u0800\\u07ff\\u0080\\u007f\"",
	    "\xef\xbf\xbf\xe0\xa0\x80\xdf\xbf\xc2\x80\x7f");
	text_is("\"\\uDBFF\\uDFFF\\ud800\\udc00\"",
	    "\xf4\x8f\xbf\xbf\xf0\x90\x80\x80");
	text_is("\"sixteen bytes, and \\u0065scapes\\u002c then more of it\"",
	    "sixteen bytes, and escapes, then more of it");
	text_is("\"\\\\u0061\"", "\\u0061");
}

/* The key "k" of the object s is a whole number, a real one, or too large. */
test(numbers)
{
	static const struct {
		const char *s;
		enum pb_json_kind kind;
		double value;
	} c[] = {{"-0", PB_JSON_WHOLE, 0},
	    {"999999999999999999", PB_JSON_WHOLE, 999999999999999999.0},
	    {"9223372036854775807", PB_JSON_WHOLE, 9223372036854775807.0},
	    {"9223372036854775808", PB_JSON_REAL, 9223372036854775808.0},
	    {"-9223372036854775808", PB_JSON_WHOLE, -9223372036854775808.0},
	    {"-9223372036854775809", PB_JSON_REAL, -9223372036854775808.0},
	    {"10000000000000000000", PB_JSON_REAL, 1e19},
	    {"18446744073709551616", PB_JSON_REAL, 18446744073709551616.0},
	    {"1.5", PB_JSON_REAL, 1.5}, {"-2e-3", PB_JSON_REAL, -0.002},
	    {"0.1234567890123456789012345", PB_JSON_REAL,
		0.1234567890123456789012345},
	    {"1e22", PB_JSON_REAL, 1e22}, {"1e23", PB_JSON_REAL, 1e23},
	    {"9007199254740993e0", PB_JSON_REAL, 9007199254740992.0},
	    {"4.9406564584124654e-324", PB_JSON_REAL, 0x1p-1074},
	    {"1.7976931348623157e308", PB_JSON_REAL, 1.7976931348623157e308},
	    {"1e-400", PB_JSON_REAL, 0}, {"0e999999999999", PB_JSON_REAL, 0},
	    {"1e309", PB_JSON_REAL, HUGE_VAL},
	    {"-1e99999999999999999999", PB_JSON_REAL, -HUGE_VAL}};
	struct pb_error bad;
	struct pb_json l;
	struct pb_get g;

	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		const struct pb_json_value *v;
		char s[80];
		bool finite = isfinite(c[i].value);
		size_t n = (size_t)snprintf(s, sizeof(s), "{\"k\":%s}", c[i].s);

		check(pb_json_open(&l, s, n, "x", &g, &bad));
		v = pb_json_member(l.v, "k");
		check(pb_json_is(v, c[i].kind));
		check(pb_json_is_number(v) == finite);
		check_near(pb_json_number(v), finite ? c[i].value : 0, 0);
		pb_json_close(&l);
	}
}

/* A number of so many digits, and one that no double holds. */
test(long_numbers)
{
	enum { N = 100000 };
	char *s = malloc(N + 16);
	struct pb_error bad;
	struct pb_json l;
	struct pb_get g;

	memset(s, '0', N + 8);
	memcpy(s, "{\"k\":0.", 7);
	memcpy(s + N, "1e5}", 4);
	check(pb_json_open(&l, s, N + 4, "x", &g, &bad));
	check(pb_json_is_number(l.v + 2));
	pb_json_close(&l);
	memcpy(s, "{\"k\":70", 7);
	s[N] = '}';
	check(pb_json_open(&l, s, N + 1, "x", &g, &bad));
	check(pb_json_is(l.v + 2, PB_JSON_REAL) && !pb_json_is_number(l.v + 2));
	pb_json_close(&l);
	free(s);
}

/* Objects of so many members, of which two may have one key. */
test(many_members)
{
	enum { N = 5000 };
	char *s = malloc(N * 16);
	struct pb_error bad;
	struct pb_json l;
	struct pb_get g;

	for (int twin = 0; twin < 3; twin++) {
		size_t n = 1;
		double t = 0;
		bool read;

		s[0] = '{';
		for (int i = 0; i < N; i++)
			n += (size_t)sprintf(s + n, "%s\"%s%d\":%d",
			    i ? "," : "", i % 7 ? "k" : "\\u006b",
			    twin && i == 100 ? (twin == 1 ? 4999 : 99) : i, i);
		s[n++] = '}';
		read = pb_json_open(&l, s, n, "x", &g, &bad);
		check(read == !twin);
		check(pb_json_look(s, n, &t) == !twin);
		if (!read) {
			check(
			    strncmp(bad.text,
				"a key that is there twice, column ", 34) == 0);
			continue;
		}
		check_int((long long)pb_json_size(l.v, PB_JSON_OBJECT), N);
		check_near(
		    pb_json_number(pb_json_member(l.v, "k4998")), 4998, 0);
		pb_json_close(&l);
	}
	free(s);
}

/* The same of empty keys, one of which is behind the cells of a long line. */
test(empty_key_behind_cells)
{
	enum { N = 40000 };
	static char s[2 * N + 64] = "{\"\":1,\"data\":[5";
	size_t n = strlen(s);
	struct pb_error bad;
	struct pb_json l;
	struct pb_get g;
	double t;

	for (int i = 1; i < N; i++) {
		s[n++] = ',';
		s[n++] = '5';
	}
	n += (size_t)sprintf(s + n, "],\"\":2}");
	check(!pb_json_open(&l, s, n, "x", &g, &bad));
	check(!pb_json_look(s, n, &t));
}

/* A look finds "t" and takes and refuses what a scan does. */
test(look)
{
	static const struct {
		const char *s;
		double t;
	} c[] = {{"{\"t\":3}", 3}, {"{\"a\":\"\\n\\u0041\",\"t\":2.5e1}", 25},
	    {"{\"\\u0074\":4}", 4}, {"{\"t\":1e999}", -1},
	    {"{\"t\":NaN,\"\\ud83d\\ude00\":-Infinity}", -1},
	    {"{\"t\":\"5\"}", -1}, {"{\"a\":{\"t\":6}}", -1},
	    {"{\"\\u0061\":1,\"t\":7}", 7}};
	static const char *const bad[] = {"{\"\\u0061\":1,\"a\":2}",
	    "{\"a\":\"\\q\"}", "{\"a\":\"\\ud800\"}", "{\"a\":01}", "[1]",
	    "{\"a\":[}", "{\"a\":1}}", "{\"a\":tru}"};

	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		double t = -1;

		check(pb_json_look(c[i].s, strlen(c[i].s), &t));
		check_near(t, c[i].t, 0);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		double t = -1;

		check(!pb_json_look(bad[i], strlen(bad[i]), &t));
	}
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

test(made_documents)
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
test(utf8)
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

test(depth)
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
	check_str(bad.text, "lists and objects are nested more than 2048 "
			    "deep, column 2053");
}
