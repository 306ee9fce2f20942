/* text.c - a growing piece of text, and lines of it on their way out. */
#include "io/stream/text.h"

#include <stdlib.h>
#include <string.h>

#include "io/stream/msg.h"
#include "io/stream/num.h"
#include "io/stream/utf8.h"

void
pb_text_clear(struct pb_text *o)
{
	free(o->s);
	*o = (struct pb_text){0};
}

char *
pb_text_room(struct pb_text *o, size_t n)
{
	if (o->cap - o->len < n) {
		size_t cap = o->cap ? o->cap : 256;
		char *s;

		while (cap - o->len < n && cap <= SIZE_MAX / 2)
			cap *= 2;
		s = cap - o->len < n ? NULL : realloc(o->s, cap);
		if (!s) {
			o->failed = true;
			return NULL;
		}
		o->s = s;
		o->cap = cap;
	}
	/* C knows no NULL + 0: an empty text has no place. */
	return o->s ? o->s + o->len : NULL;
}

void
pb_text_put(struct pb_text *o, const char *s, size_t n)
{
	char *at = pb_text_room(o, n);

	if (at && n) {
		memcpy(at, s, n);
		o->len += n;
	}
}

void
pb_text_puts(struct pb_text *o, const char *s)
{
	pb_text_put(o, s, strlen(s));
}

/* \u and the four digits of one unit of UTF-16. */
static void
put_unit(struct pb_text *o, uint32_t u)
{
	static const char hex[] = "0123456789abcdef";

	pb_text_put(o,
	    (char[]){'\\', 'u', hex[u >> 12 & 15], hex[u >> 8 & 15],
		hex[u >> 4 & 15], hex[u & 15]},
	    6);
}

/* The character s[0..n) as JSON has it where it may not stand as it is. */
static void
put_escaped(struct pb_text *o, const char *s, size_t n)
{
	static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	uint32_t u = pb_utf8_code(s, n);

	for (const char *p = shorts; *p; p += 2)
		if (*p == *s) {
			pb_text_put(o, (char[]){'\\', p[1]}, 2);
			return;
		}
	if (u >= 0x10000)
		put_unit(o, 0xd7c0 + (u >> 10));
	put_unit(o, u < 0x10000 ? u : 0xdc00 | (u & 0x3ff));
}

/* How many of s[0..n) are letters, digits and signs that JSON takes as such. */
static size_t
plain_bytes(const char *s, size_t n)
{
	size_t i = 0;

	while (
	    i < n && s[i] >= ' ' && s[i] <= '~' && s[i] != '"' && s[i] != '\\')
		i++;
	return i;
}

void
pb_text_string(struct pb_text *o, const char *s)
{
	size_t left = strlen(s), n;

	pb_text_put(o, "\"", 1);
	for (; left > 0; s += n, left -= n) {
		n = plain_bytes(s, left);
		if (n > 0) {
			pb_text_put(o, s, n);
			continue;
		}
		bool hidden = pb_utf8_shown(s, left, &n) == '?';

		if (pb_utf8_char(s, left) == 0)
			pb_text_puts(o, "\xef\xbf\xbd");
		else if (hidden || *s == '"' || *s == '\\')
			put_escaped(o, s, n);
		else
			pb_text_put(o, s, n);
	}
	pb_text_put(o, "\"", 1);
}

void
pb_text_num(struct pb_text *o, double v)
{
	char *at = pb_text_room(o, PB_NUM_MAX);

	if (at)
		o->len += o->exact ? pb_num_exact(at, v) : pb_num_round(at, v);
}

void
pb_text_exact(struct pb_text *o, double v)
{
	char *at = pb_text_room(o, PB_NUM_MAX);

	if (at)
		o->len += pb_num_exact(at, v);
}

void
pb_text_int(struct pb_text *o, int64_t v)
{
	char *at = pb_text_room(o, PB_NUM_MAX);

	if (at)
		o->len += pb_num_int(at, v);
}

void
pb_text_u64(struct pb_text *o, uint64_t v)
{
	char digits[PB_NUM_MAX];
	size_t n = pb_num_u64(digits, v);
	bool quoted = v > INT64_MAX;

	pb_text_put(o, "\"", quoted);
	pb_text_put(o, digits, n);
	pb_text_put(o, "\"", quoted);
}

void
pb_text_field(struct pb_text *o, const char *s)
{
	size_t left = strlen(s), n;
	bool quoted = strpbrk(s, ",\"");

	pb_text_puts(o, left == 0 ? "NA" : quoted ? "\"" : "");
	for (; left > 0; s += n, left -= n) {
		char c[4];
		size_t len = pb_utf8_put(c, pb_utf8_shown(s, left, &n));

		pb_text_put(o, "\"", quoted && c[0] == '"');
		pb_text_put(o, c, len);
	}
	pb_text_put(o, "\"", quoted);
	pb_text_put(o, ",", 1);
}

/* A line of which a part is missing for want of memory must not go out. */
void
pb_text_line(struct pb_text *o)
{
	pb_text_put(o, "\n", 1);
	if (!o->to)
		return;
	if (o->failed && o->to == stdout)
		pb_msg_out_nomem();
	if (!o->failed && fwrite(o->s, 1, o->len, o->to) != o->len) {
		o->failed = true;
		/* While errno says why. */
		if (o->to == stdout)
			pb_msg_out_ok();
	}
	o->len = 0;
}

bool
pb_text_word(const char **at, const char *end, char *word, size_t size)
{
	const char *s = *at;
	size_t n = 0;

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	for (; s < end && *s != ' ' && *s != '\t'; s++)
		if (n + 1 < size)
			word[n++] = *s;
	word[n] = '\0';
	*at = s;
	return n > 0;
}
