/* json.c - the JSON reader against a tree library. */
#include "check.h"

#include <string.h>

#include <jansson.h>

#include "base/rng.h"
#include "io/json.h"
#include "io/utf8.h"

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

/* Whether both readers say the same of s: an object or not. */
static bool
agree(const char *s, size_t n, struct pb_get *g)
{
	struct pb_bad bad = {""};
	json_error_t e;
	json_t *j = json_loadb(s, n, JSON_REJECT_DUPLICATES, &e);
	bool ours = pb_json_object(g, s, n, "x", &bad);
	bool theirs = json_is_object(j);

	/* jansson stops where ours goes on or the other way round: */
	if (!ours && strstr(bad.text, "keys"))
		theirs = false; /* more keys than we index */
	if (ours && !j && strstr(e.text, "real number overflow"))
		theirs = true;
	if (ours && !j && strstr(e.text, "too big integer"))
		theirs = true;
	if (ours && !j && strstr(e.text, "too big negative integer"))
		theirs = true;
	/* Keys inside values that nobody reads may be alike. */
	if (ours && !j && strstr(e.text, "duplicate object key"))
		theirs = true;
	json_decref(j);
	if (ours != theirs)
		printf("# %.*s: we %s (%s), they %s (%s)\n", (int)n, s,
		    ours ? "accept" : "refuse", bad.text,
		    theirs ? "accept" : "refuse", e.text);
	return ours == theirs;
}

static void
test_same_documents_accepted(void)
{
	struct maker m = {.n = 0};
	struct pb_get g;
	long objects = 0;

	pb_rng_start(&m.g, 1, 0, PB_FOR_MAP, 0);
	for (int i = 0; i < 30000; i++) {
		m.n = 0;
		m.depth = 0;
		put_value(&m);
		if (m.n + 64 >= sizeof(m.s))
			continue;
		m.s[m.n] = 0;
		check(agree(m.s, m.n, &g));
		objects += g.ok;
	}
	check(objects > 5000);
}

static void
test_same_damage_refused(void)
{
	static const char bytes[] =
	    "{}[]\",:\\0123.eE+-u/bftrln \t\x01\xc3\xa4\xed\xa0\x80\xff";
	struct maker m = {.n = 0};
	struct pb_get g;
	long refused = 0;

	pb_rng_start(&m.g, 2, 0, PB_FOR_MAP, 0);
	for (int i = 0; i < 60000; i++) {
		m.n = 0;
		m.depth = 0;
		put(&m, "{\"a\":");
		put_value(&m);
		put(&m, "}");
		if (m.n + 64 >= sizeof(m.s))
			continue;
		for (uint32_t k = 1 + pb_rng_below(&m.g, 3); k-- > 0;)
			m.s[pb_rng_below(&m.g, (uint32_t)m.n)] =
			    bytes[pb_rng_below(&m.g, sizeof(bytes) - 1)];
		if (pb_rng_below(&m.g, 4) == 0)
			m.n -= pb_rng_below(&m.g, (uint32_t)m.n);
		m.s[m.n] = 0;
		check(agree(m.s, m.n, &g));
		refused += !g.ok;
	}
	check(refused > 10000);
}

/* All sequences of up to three bytes from the corners of UTF-8. */
static void
test_utf8_as_jansson(void)
{
	static const unsigned char c[] = {'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f,
	    0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
	    0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff};
	enum { N = sizeof(c) };
	struct pb_get g;
	char s[] = "{\"a\":\"....\"}";

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			for (int k = 0; k < N; k++) {
				s[6] = (char)c[i];
				s[7] = (char)c[j];
				s[8] = (char)c[k];
				s[9] = (char)0x80;
				check(agree(s, strlen(s), &g));
				s[9] = 'z';
				check(agree(s, strlen(s), &g));
			}
}

static void
test_strings_decoded(void)
{
	static const char *const some[] = {"", "plain", "\\\"\\\\\\/\\b\\f\\n",
	    "\\u0041\\u00e4\\u20ac", "\\ud83d\\ude00!", "\xc3\xa4x\\t"};
	char s[128], text[64];

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
		struct pb_bad bad;
		struct pb_get g;
		json_t *j;
		const char *want;
		size_t n;

		snprintf(s, sizeof(s), "{\"a\":\"%s\"}", some[i]);
		j = json_loads(s, 0, NULL);
		want = json_string_value(json_object_get(j, "a"));
		check(pb_json_object(&g, s, strlen(s), "x", &bad));
		n = pb_jval_text(pb_get_raw(&g, "a"), text, sizeof(text));
		check(n == strlen(want) && strcmp(text, want) == 0);
		/* Cut at every length: whole characters and a final NUL. */
		for (size_t size = 1; size <= n; size++) {
			memset(text, 'X', sizeof(text));
			check(
			    pb_jval_text(pb_get_raw(&g, "a"), text, size) == n);
			check(strlen(text) < size);
			check(strncmp(text, want, strlen(text)) == 0);
			check(strlen(text) == pb_utf8_cut(want, n, size - 1));
		}
		json_decref(j);
	}
}

static void
test_nul_in_strings_refused(void)
{
	struct pb_bad bad;
	struct pb_get g;
	const char *s = "{\"a\":\"\\u0000\"}";

	check(!pb_json_object(&g, s, strlen(s), "x", &bad));
}

static void
test_depth(void)
{
	struct pb_bad bad;
	struct pb_get g;
	char s[400] = "{\"a\":";
	size_t at = 5;

	memset(s + at, '[', PB_JSON_DEPTH - 1);
	memset(s + at + PB_JSON_DEPTH - 1, ']', PB_JSON_DEPTH - 1);
	strcpy(s + at + 2 * (PB_JSON_DEPTH - 1), "}");
	check(pb_json_object(&g, s, strlen(s), "x", &bad));
	memset(s + at, '[', 200);
	check(!pb_json_object(&g, s, strlen(s), "x", &bad));
	check(strcmp(bad.text, "more than 64 levels of nesting") == 0);
}

static void
test_getters(void)
{
	const char *s = "{\"n\":-2.5,\"i\":7,\"b\":true,\"s\":\"hello\","
			"\"z\":null,\"v\":[1,2,3],\"l\":[1,NaN,-Infinity,"
			"null],\"u\":18446744073709551615,\"e\":[]}";
	struct pb_bad bad;
	struct pb_get g;
	double n = 0, v[3], *list;
	long i = 0;
	bool b = false;
	char text[6] = "";
	uint64_t u = 0;
	size_t items;

	check(pb_json_object(&g, s, strlen(s), "x", &bad));
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
	check(items == 4 && list[0] == 1 && isnan(list[1]) && isinf(list[2]) &&
	      isnan(list[3]));
	free(list);
	pb_get_list(&g, "l", PB_REQUIRED, 3, &list, &items);
	check(!g.ok && list == NULL);
	check(strcmp(bad.text, "x.l: expected at most 3 items, got 4") == 0);
	/* After the first failure nothing is touched any more. */
	pb_get_int(&g, "i", PB_REQUIRED, 0, 1, &i);
	check_int(i, 7);
	check(strcmp(bad.text, "x.l: expected at most 3 items, got 4") == 0);
}

int
main(void)
{
	run(test_same_documents_accepted);
	run(test_same_damage_refused);
	run(test_utf8_as_jansson);
	run(test_strings_decoded);
	run(test_nul_in_strings_refused);
	run(test_depth);
	run(test_getters);
	return done();
}
