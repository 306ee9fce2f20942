/* table.c - tests of texts for people: their columns, and what is hidden. */
#include "check.h"

#include "io/stream/line.h"
#include "io/stream/text.h"
#include "view/term.h"

static char *text;
static size_t size;

static FILE *
start(void)
{
	free(text);
	text = NULL;
	return open_memstream(&text, &size);
}

static void
expect(FILE *f, const char *want)
{
	fclose(f);
	check_str(text, want);
	free(text);
	text = NULL;
}

test(columns)
{
	check_int((long long)pb_text_columns("abc", 3), 3);
	check_int((long long)pb_text_columns("K\xc3\xb6ln", 5), 4);
	check_int((long long)pb_text_columns("e\xcc\x81", 3), 1);
	check_int((long long)pb_text_columns("\xe6\x97\xa5", 3), 2);
	check_int((long long)pb_text_columns("\xff\xfe\t", 3), 3);
	check_int((long long)pb_text_columns("\xe6\x97", 2), 2);
}

/* What hides or speaks to the terminal; what is said for it in JSON. */
test(shown)
{
	static const struct {
		const char *text, *shown, *json;
	} s[] = {{"K\xc3\xb6ln?", "K\xc3\xb6ln?", "\"K\xc3\xb6ln?\""},
	    {"\x1b]0;X\a\n\"", "?]0;X??\"", "\"\\u001b]0;X\\u0007\\n\\\"\""},
	    {"a\x7f"
	     "b\xc2\x9b"
	     "2J",
		"a?b?2J", "\"a\\u007fb\\u009b2J\""},
	    {"\xe2\x80\xae"
	     "a\xe2\x81\xa6",
		"?a?", "\"\\u202ea\\u2066\""},
	    {"\xef\xbb\xbf\xe2\x80\x8b\xc2\xad", "???",
		"\"\\ufeff\\u200b\\u00ad\""},
	    {"\xe2\x80\xa8\xd8\x9c", "??", "\"\\u2028\\u061c\""},
	    {"\xf3\xa0\x81\x81", "?", "\"\\udb40\\udc41\""},
	    {"\xf0\x9f\x91\xbb\xe6\x97\xa5", "\xf0\x9f\x91\xbb\xe6\x97\xa5",
		"\"\xf0\x9f\x91\xbb\xe6\x97\xa5\""},
	    {"\xff"
	     "a\xe6\x97",
		"?a??",
		"\"\xef\xbf\xbd"
		"a\xef\xbf\xbd\xef\xbf\xbd\""}};

	for (size_t i = 0; i < sizeof(s) / sizeof(*s); i++) {
		struct pb_text o = {0};
		char copy[32];
		FILE *f = start();

		pb_utf8_print(s[i].text, f);
		expect(f, s[i].shown);
		check_str(pb_utf8_clean(strcpy(copy, s[i].text)), s[i].shown);
		pb_text_string(&o, s[i].text);
		check(o.len == strlen(s[i].json) &&
		      memcmp(o.s, s[i].json, o.len) == 0);
		pb_text_clear(&o);
	}
}
