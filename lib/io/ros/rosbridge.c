/* rosbridge.c - ROS messages in the JSON of rosbridge, as records and maps. */
#include "io/ros/rosbridge.h"

#include <string.h>

#include "io/rec/schema.h"

/* Whether the quoted key is among the bytes; good enough to tell kinds. */
static bool
has_key(const char *s, size_t n, const char *key)
{
	size_t k = strlen(key);

	for (size_t i = 0; i + k <= n; i++)
		if (s[i] == '"' && memcmp(s + i, key, k) == 0)
			return true;
	return false;
}

bool
pb_occgrid_is(const char *s, size_t n)
{
	return has_key(s, n, "\"info\"") && !has_key(s, n, "\"type\"");
}

bool
pb_occgrid_read(const char *s, size_t n, struct pb_map *m, struct pb_error *bad)
{
	struct pb_json line;
	struct pb_get g, inner, *msg = &g;
	struct pb_ros_message got;
	bool ok = true;

	if (!pb_json_open(&line, s, n, "", &g, bad))
		return false;
	if (pb_get_value(&g, "msg")) {
		ok = pb_get_object(&g, "msg", PB_REQUIRED, &inner);
		msg = &inner;
	}
	ok = ok && pb_ros_get(&got, PB_ROS_GRID, msg);
	pb_json_close(&line);
	if (ok)
		*m = got.grid.map;
	return ok;
}

static const char *
skip_blanks(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return s;
}

/* "op" : "publish" or another word, anywhere in the line. */
bool
pb_rosbridge_is(const char *s, size_t n)
{
	static const char *const word[] = {
	    "\"publish\"", "\"fragment\"", "\"status\""};
	const char *end = s + n, *p = s;

	while ((p = memchr(p, 'p', (size_t)(end - p))) != NULL) {
		const char *at = ++p;

		if (at - s < 3 || at == end || memcmp(at - 3, "\"op\"", 4) != 0)
			continue;
		at = skip_blanks(at + 1, end);
		if (at == end || *at != ':')
			continue;
		at = skip_blanks(at + 1, end);
		for (size_t k = 0; k < sizeof(word) / sizeof(*word); k++)
			if ((size_t)(end - at) >= strlen(word[k]) &&
			    memcmp(at, word[k], strlen(word[k])) == 0)
				return true;
	}
	return false;
}

void
pb_rosbridge_clear(struct pb_rosbridge *b)
{
	pb_text_clear(&b->whole);
	*b = (struct pb_rosbridge){.records = NULL};
}

/* A message was published. */
static bool
publish(struct pb_rosbridge *b, struct pb_get *g, long line)
{
	char topic[PB_ROS_NAME] = "?";
	const struct pb_ros_heard from = {topic, PB_ROS_NEVER, line};
	struct pb_ros_message m;
	enum pb_ros_type type;
	struct pb_get msg;
	bool ok;

	if (!pb_get_object(g, "msg", PB_REQUIRED, &msg))
		return false;
	PB_GET_WORD(g, "topic", PB_OPTIONAL, topic);
	type = pb_ros_type_like(&msg);
	if (type == PB_ROS_OTHER) {
		if (!b->said)
			pb_msg_note(
			    "messages like those of %s are left out", topic);
		b->said = true;
		return *g->ok &&
		       pb_ros_records_skip(b->records, &from, "?", g->bad);
	}
	if (!*g->ok || !pb_ros_get(&m, type, &msg))
		return false;
	ok = pb_ros_records_take(b->records, &from, &m, g->bad);
	pb_ros_clear(&m);
	return ok;
}

/*
 * A part of a message that was too long for the server; parts of one come in
 * their order, with no others between. It counts them as a fraction.
 */
static bool
gather(struct pb_rosbridge *b, struct pb_get *g, long line)
{
	const char *text = pb_json_text(pb_get_value(g, "data"));
	double total = 0;
	long num = 0;
	bool same;

	pb_get_int(g, "num", PB_REQUIRED, 0, INT32_MAX, &num);
	pb_get_num(g, "total", PB_REQUIRED, 1, INT32_MAX, &total);
	if (!*g->ok)
		return false;
	if (!text || !*text)
		return pb_error_set(g->bad, "data: expected some text");
	if (num == 0)
		b->whole.len = 0;
	if (num != 0 && num != b->parts)
		return pb_error_set(g->bad,
		    "num: expected part %ld of a message, got %ld", b->parts,
		    num);
	if (b->whole.len + strlen(text) > PB_ROSBRIDGE_MOST)
		return pb_error_set(g->bad,
		    "data: a message of more than %zu bytes",
		    PB_ROSBRIDGE_MOST);
	pb_text_puts(&b->whole, text);
	b->parts = num + 1;
	if (b->parts < (long)total && !b->whole.failed)
		return true;
	b->parts = 0;
	pb_text_put(&b->whole, "", 1);
	if (b->whole.failed)
		return pb_error_nomem(g->bad, "message");
	return pb_rosbridge_take(
	    b, b->whole.s, b->whole.len - 1, line, &same, g->bad);
}

/* The server says something. */
static bool
say(const struct pb_get *g)
{
	const char *text = pb_json_text(pb_get_value(g, "msg"));

	pb_msg_note("rosbridge says: %.200s", text ? text : "nothing");
	return true;
}

bool
pb_rosbridge_take(struct pb_rosbridge *b, const char *s, size_t n, long line,
    bool *same, struct pb_error *bad)
{
	struct pb_json j;
	struct pb_get g;
	const char *op;
	bool ok;

	if (!pb_json_open(&j, s, n, "", &g, bad))
		return false;
	op = pb_json_text(pb_get_value(&g, "op"));
	*same = pb_get_value(&g, "type") || !op;
	if (*same)
		ok = true;
	else if (strcmp(op, "fragment") == 0)
		ok = gather(b, &g, line);
	else if (strcmp(op, "status") == 0)
		ok = say(&g);
	else
		ok = publish(b, &g, line);
	pb_json_close(&j);
	return ok;
}
