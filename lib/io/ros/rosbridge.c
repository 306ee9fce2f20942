/* rosbridge.c - clients of a rosbridge server: read a robot, or publish a
 * game. */
#include "io/ros/rosbridge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "io/ros/ros_records.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/net.h"
#include "io/stream/pace.h"

/* --- reading a robot --- */

/* Longest wait for an answer; a server without rosapi gives none (s). */
#define ANSWER 2.0

/* Print a note if the robot sends nothing for this long (s). */
#define SILENCE 10.0

/* Throttle rate that gets only the first message of a topic (ms). */
#define ONCE INT32_MAX

struct pb_rosbridge_in {
	struct pb_rosbridge_in_opts o;
	struct pb_net_client c;
	struct pb_source_feed feed;
	double heard;        /* time of the last message, ... */
	bool said;           /* ... whose absence was reported */
	bool subscribed;     /* on this connection */
	bool mapped;         /* a map was requested on an earlier connection */
	struct pb_text part; /* beginning of a message */
	struct pb_text line; /* messages as lines, ... */
	size_t given;        /* ... and bytes of it given */
	struct pb_error bad; /* error of the last message, or "" */
};

static void
send_request(struct pb_rosbridge_in *r, struct pb_text *o)
{
	pb_text_puts(o, "}");
	pb_net_client_send(&r->c, o->s, o->len, LWS_WRITE_TEXT);
	pb_text_clear(o);
}

static void
subscribe(struct pb_rosbridge_in *r, enum pb_ros_role role, const char *topic)
{
	struct pb_text o = {.s = NULL};

	if (role == PB_ROLE_MAP && (!r->o.maps || r->mapped))
		return;
	r->mapped |= role == PB_ROLE_MAP;
	pb_text_puts(&o, "{\"op\":\"subscribe\",");
	if (role == PB_ROLE_MAP) {
		pb_text_puts(&o, "\"throttle_rate\":");
		pb_text_int(&o, ONCE);
		pb_text_puts(&o, ",");
	}
	pb_text_puts(&o, "\"topic\":");
	pb_text_string(&o, topic);
	send_request(r, &o);
}

/* Subscribe to topics named by the user, and to those with usual names. */
static void
subscribe_usual(struct pb_rosbridge_in *r)
{
	static const struct {
		enum pb_ros_role role;
		const char *topic;
	} usual[] = {{PB_ROLE_TF, "/tf_static"}, {PB_ROLE_TF, "/tf"},
	    {PB_ROLE_MAP, "/map"}, {PB_ROLE_SCAN, "/scan"},
	    {PB_ROLE_ODOM, "/odom"}, {PB_ROLE_ESTIMATE, "/amcl_pose"},
	    {PB_ROLE_INITIAL, "/initialpose"}};

	r->subscribed = true;
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		subscribe(r, usual[i].role, usual[i].topic);
	for (int i = 0; i < r->o.topic->n; i++)
		subscribe(r, PB_ROLE_NONE, r->o.topic->arg[i]);
}

/* Subscribe to the best of the server's topics for each role. */
static void
subscribe_known(
    struct pb_rosbridge_in *r, const json_t *name, const json_t *type)
{
	const char *best[PB_ROLE_TF + 1] = {NULL};
	enum pb_ros_rank rank[PB_ROLES] = {PB_RANK_UNFIT};

	for (size_t i = 0; i < json_array_size(name); i++) {
		const char *n = json_string_value(json_array_get(name, i));
		const char *t = json_string_value(json_array_get(type, i));
		enum pb_ros_role role =
		    n && t ? pb_ros_role_of(pb_ros_type_of(t), n)
			   : PB_ROLE_NONE;

		if (role == PB_ROLE_TF || role == PB_ROLE_TRUTH ||
		    role == PB_ROLE_INITIAL) {
			subscribe(r, role, n);
		} else if (role != PB_ROLE_NONE && role <= PB_ROLE_MAP &&
			   pb_ros_rank_of(r->o.topic, role, n) > rank[role]) {
			rank[role] = pb_ros_rank_of(r->o.topic, role, n);
			best[role] = n;
		}
	}
	for (int i = 0; i <= PB_ROLE_MAP; i++)
		if (best[i])
			subscribe(r, (enum pb_ros_role)i, best[i]);
	r->subscribed = true;
}

static void
resubscribe(void *user)
{
	struct pb_rosbridge_in *r = user;
	struct pb_text o = {.s = NULL};

	r->part.len = 0;
	r->heard = pb_pace_seconds();
	r->subscribed = false;
	pb_text_puts(
	    &o, "{\"op\":\"call_service\",\"service\":\"/rosapi/topics\"");
	send_request(r, &o);
}

/* Handle a message that is not of a topic: an answer of rosapi. False: it is
 * none. */
static bool
handle_answer(struct pb_rosbridge_in *r, const char *s, size_t n)
{
	json_t *m = json_loadb(s, n, 0, NULL);
	const char *op = json_string_value(json_object_get(m, "op"));
	json_t *values = json_object_get(m, "values");
	json_t *name = json_object_get(values, "topics");
	bool ok = op && strcmp(op, "service_response") == 0;

	if (!ok)
		pb_error_set(&r->bad,
		    "expected a message of rosbridge, got \"%.*s\"",
		    n < 40 ? (int)n : 40, s);
	else if (!r->subscribed && json_array_size(name) > 0)
		subscribe_known(r, name, json_object_get(values, "types"));
	else if (!r->subscribed)
		subscribe_usual(r);
	json_decref(m);
	return ok;
}

/* A message is complete: make a line of it, with its line ends as blanks. */
static bool
add_line(struct pb_rosbridge_in *r)
{
	size_t from = r->line.len, n;

	pb_text_put(&r->line, r->part.s, r->part.len);
	pb_text_put(&r->line, "\n", 1);
	n = r->line.len - 1 - from;
	for (size_t i = from; i < from + n; i++)
		if (r->line.s[i] == '\n' || r->line.s[i] == '\r')
			r->line.s[i] = ' ';
	if (pb_rosbridge_is(r->line.s + from, n)) {
		r->heard = pb_pace_seconds();
		r->said = false;
		return true;
	}
	r->line.len = from;
	return handle_answer(r, r->line.s + from, n);
}

static void
add_part(void *user, const uint8_t *s, size_t n, bool whole)
{
	struct pb_rosbridge_in *r = user;

	if (r->bad.text[0] != '\0')
		return;
	if (n > PB_ROSBRIDGE_MOST - r->part.len) {
		pb_error_set(&r->bad, "a message of more than %zu bytes",
		    PB_ROSBRIDGE_MOST);
		return;
	}
	if (pb_lws()->frame_is_binary(r->c.wsi)) {
		pb_error_set(&r->bad,
		    "expected a message of rosbridge in JSON, got a binary "
		    "one");
		return;
	}
	pb_text_put(&r->part, (const char *)s, n);
	if (whole && r->part.len > 0)
		add_line(r);
	if (whole)
		r->part.len = 0;
}

/* Work without a message: resubscribe, notes. */
static void
run_idle(struct pb_rosbridge_in *r)
{
	double now = pb_pace_seconds();

	if (!r->c.up)
		return;
	if (!r->subscribed && now - r->c.since >= ANSWER)
		subscribe_usual(r);
	if (!r->said && now - r->heard >= SILENCE) {
		r->said = true;
		pb_msg_warn((struct pb_place){r->o.url, 0},
		    "no message came for %g s", SILENCE);
	}
}

/* Receive messages until there is a line; whether there is one. */
static bool
has_line(void *user)
{
	struct pb_rosbridge_in *r = user;
	size_t had;

	if (r->given < r->line.len)
		return true;
	r->given = r->line.len = 0;
	do {
		had = r->part.len;
		pb_net_client_attend(&r->c, 0);
	} while (r->line.len == 0 && r->part.len > had && !pb_pace_over());
	return r->line.len > 0;
}

static enum pb_next
read_lines(void *user, char *buf, size_t room, size_t *n, struct pb_error *bad)
{
	struct pb_rosbridge_in *r = user;

	while (r->given == r->line.len) {
		r->given = r->line.len = 0;
		if (r->bad.text[0] != '\0') {
			*bad = r->bad;
			return PB_BAD;
		}
		fflush(stdout);
		if (!pb_msg_out_ok() || pb_msg_stopped())
			return PB_HALT;
		if (pb_pace_over())
			return r->c.since > 0 ||
			               pb_net_client_lose(&r->c,
					   "not connected within --end-after")
			           ? PB_END
			           : PB_HALT;
		run_idle(r);
		if (!pb_net_client_attend(&r->c, PB_NET_LOOK))
			return PB_HALT;
	}
	*n = r->line.len - r->given;
	*n = *n < room ? *n : room;
	memcpy(buf, r->line.s + r->given, *n);
	r->given += *n;
	return PB_NEXT;
}

struct pb_rosbridge_in *
pb_rosbridge_in_open(const struct pb_rosbridge_in_opts *o)
{
	static const struct pb_net_calls calls = {resubscribe, add_part};
	struct pb_rosbridge_in *r = pb_alloc(1, sizeof(*r));

	r->o = *o;
	r->c = (struct pb_net_client){.url = o->url,
	    .patience = o->patience,
	    .pings = true,
	    .calls = &calls,
	    .user = r};
	pb_pace_end_after(o->end_after);
	r->feed = (struct pb_source_feed){o->url, has_line, read_lines, r};
	pb_net_client_open(&r->c);
	pb_source_feed(&r->feed);
	return r;
}

void
pb_rosbridge_in_close(struct pb_rosbridge_in *r)
{
	if (!r)
		return;
	pb_source_feed(NULL);
	pb_net_client_close(&r->c);
	pb_text_clear(&r->part);
	pb_text_clear(&r->line);
	free(r);
}

/* --- publishing a game --- */

/* How long a server may be unreachable or accept no data; at the end, queued
 * data gets LAST (s). */
#define PATIENCE 10.0
#define LAST     1.0

/* Most bytes queued. */
#define QUEUE ((size_t)8 << 20)

/* Most complaints of the server that are printed, and bytes of one. */
enum { COMPLAINTS = 5, WORDS = 4096 };

struct pb_rosbridge_out {
	struct pb_net_client c;
	bool advertised[PB_TOPICS];
	struct pb_text latched[PB_TOPICS]; /* last message of each */
	struct pb_text text;
	char words[WORDS];
	size_t n;
	int complaints;
};

static void
send_text(struct pb_rosbridge_out *r, const struct pb_text *o)
{
	pb_net_client_send(&r->c, o->s, o->len, LWS_WRITE_TEXT);
}

static void
advertise(struct pb_rosbridge_out *r, enum pb_ros_topic which)
{
	struct pb_text o = {.s = NULL};

	pb_text_puts(&o, "{\"op\":\"advertise\",\"topic\":");
	pb_text_string(&o, pb_ros_topics[which].name);
	pb_text_puts(&o, ",\"type\":\"");
	pb_ros_put_name(&o, pb_ros_topics[which].type);
	pb_text_puts(
	    &o, pb_ros_topics[which].latched ? "\",\"latch\":true}" : "\"}");
	send_text(r, &o);
	pb_text_clear(&o);
	r->advertised[which] = true;
}

/* Connected again: publish latched topics again. */
static void
republish(void *user)
{
	struct pb_rosbridge_out *r = user;

	r->n = 0;
	for (int i = 0; i < PB_TOPICS; i++) {
		r->advertised[i] = false;
		if (r->latched[i].len > 0) {
			advertise(r, (enum pb_ros_topic)i);
			send_text(r, &r->latched[i]);
		}
	}
}

/* Print a complaint of the server. */
static void
print_complaint(void *user, const uint8_t *s, size_t n, bool whole)
{
	struct pb_rosbridge_out *r = user;
	json_error_t e;
	json_t *m;
	const char *level, *text;

	if (n <= sizeof(r->words) - r->n)
		memcpy(r->words + r->n, s, n);
	r->n = n <= sizeof(r->words) - r->n ? r->n + n : sizeof(r->words);
	if (!whole)
		return;
	m = json_loadb(r->words, r->n, 0, &e);
	r->n = 0;
	level = json_string_value(json_object_get(m, "level"));
	text = json_string_value(json_object_get(m, "msg"));
	if (level && text && strcmp(level, "info") != 0 &&
	    r->complaints++ < COMPLAINTS)
		pb_msg_warn((struct pb_place){r->c.url, 0}, "%.200s", text);
	json_decref(m);
}

struct pb_rosbridge_out *
pb_rosbridge_out_open(const char *url)
{
	static const struct pb_net_calls calls = {republish, print_complaint};
	struct pb_rosbridge_out *r = pb_alloc(1, sizeof(*r));

	r->c = (struct pb_net_client){.url = url,
	    .patience = PATIENCE,
	    .pings = true,
	    .calls = &calls,
	    .user = r};
	pb_net_client_open(&r->c);
	while (!r->c.up && !pb_msg_stopped() &&
	       pb_net_client_attend(&r->c, PB_NET_LOOK))
		;
	if (r->c.up)
		return r;
	pb_rosbridge_out_close(r);
	return NULL;
}

bool
pb_rosbridge_out_serve(struct pb_rosbridge_out *r, double s)
{
	const struct timespec from = pb_pace_now();
	double left = s;

	do {
		if (!pb_net_client_attend(&r->c, left))
			return false;
		left = s - pb_pace_since(from);
	} while (left > 0 && !pb_msg_stopped());
	return true;
}

/* Wait until at most that many bytes are queued; false: it takes longer than
 * s. */
static bool
drain_queue(struct pb_rosbridge_out *r, size_t most, double s)
{
	const struct timespec from = pb_pace_now();

	while (r->c.queue.waiting > most && !pb_msg_stopped())
		if (pb_pace_since(from) > s ||
		    !pb_net_client_attend(&r->c, PB_NET_LOOK))
			return false;
	return true;
}

void
pb_rosbridge_out_send(struct pb_rosbridge_out *r, enum pb_ros_topic which,
    struct pb_ros_message *m)
{
	struct pb_text *o =
	    pb_ros_topics[which].latched ? &r->latched[which] : &r->text;

	if (r->c.over || (!r->c.up && o == &r->text))
		return;
	o->len = 0;
	pb_text_puts(o, "{\"op\":\"publish\",\"topic\":");
	pb_text_string(o, pb_ros_topics[which].name);
	pb_text_puts(o, ",\"msg\":");
	pb_ros_put(o, m);
	pb_text_puts(o, "}");
	if (r->c.up && !r->advertised[which])
		advertise(r, which);
	send_text(r, o);
	pb_rosbridge_out_serve(r, 0);
	errno = 0;
	if (!drain_queue(r, QUEUE, PATIENCE))
		pb_net_client_lose(&r->c, "the server takes no messages");
}

void
pb_rosbridge_out_close(struct pb_rosbridge_out *r)
{
	if (!r)
		return;
	if (r->c.up && !r->c.over) {
		drain_queue(r, 0, LAST);
		pb_rosbridge_out_serve(r, PB_NET_LOOK);
	}
	pb_net_client_close(&r->c);
	for (int i = 0; i < PB_TOPICS; i++)
		pb_text_clear(&r->latched[i]);
	pb_text_clear(&r->text);
	free(r);
}
