/* rosbridge_publish.c - topics to the ROS of others, by a rosbridge server. */
#include "io/ros/rosbridge_publish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "io/stream/msg.h"
#include "io/stream/net.h"
#include "io/stream/pace.h"
#include "io/stream/text.h"

/* How long a server may be away, and take nothing; what is under way at the
 * end has LAST (s). */
#define PATIENCE 10.0
#define LAST     1.0
#define RETRY    0.25

/* What may wait to be sent (bytes). */
#define QUEUE ((size_t)8 << 20)

/* Complaints of the server that are repeated, and their longest (bytes). */
enum { COMPLAINTS = 5, WORDS = 4096 };

struct parcel {
	struct parcel *next;
	size_t n;
	unsigned char at[];
};

struct pb_rosbridge {
	const char *url;
	struct pb_net_address at;
	struct pb_net_loop loop;
	struct lws *wsi; /* NULL: none, and none is being made */
	bool up;
	bool over;                   /* it is lost for good */
	double lost, next;           /* since then; when to try again */
	char why[128];               /* the last try failed */
	struct parcel *first, *last; /* owned */
	size_t waiting;
	bool advertised[PB_TOPICS];
	struct pb_text latched[PB_TOPICS]; /* the last message of each */
	struct pb_text text;
	char words[WORDS];
	size_t n;
	int complaints;
};

bool
pb_rosbridge_check(const char *url)
{
	struct pb_net_address a;

	return (pb_net_url(url, &a) && a.ws) ||
	       pb_msg_usage(
		   "--publish: expected ws://HOST:PORT, got \"%s\"", url);
}

static void
drop_first(struct pb_rosbridge *r)
{
	struct parcel *p = r->first;

	r->first = p->next;
	r->waiting -= p->n;
	free(p);
}

static bool
lose(struct pb_rosbridge *r, const char *why)
{
	if (!r->over)
		pb_msg_system("%s: %s%s%s", r->url, why, *r->why ? ": " : "",
		    r->why);
	r->over = true;
	return false;
}

static void
post(struct pb_rosbridge *r, const struct pb_text *o)
{
	struct parcel *p =
	    o->failed ? NULL : malloc(sizeof(*p) + LWS_PRE + o->len);

	if (!p) {
		errno = ENOMEM;
		lose(r, "cannot publish");
		return;
	}
	p->next = NULL;
	p->n = o->len;
	memcpy(p->at + LWS_PRE, o->s, o->len);
	if (r->first)
		r->last->next = p;
	else
		r->first = p;
	r->last = p;
	r->waiting += p->n;
	lws_callback_on_writable(r->wsi);
}

static void
advertise(struct pb_rosbridge *r, enum pb_ros_topic which)
{
	struct pb_text o = {.s = NULL};

	pb_text_puts(&o, "{\"op\":\"advertise\",\"topic\":");
	pb_text_string(&o, pb_ros_topics[which].name);
	pb_text_puts(&o, ",\"type\":\"");
	pb_ros_put_name(&o, pb_ros_topics[which].type);
	pb_text_puts(
	    &o, pb_ros_topics[which].latched ? "\",\"latch\":true}" : "\"}");
	post(r, &o);
	pb_text_clear(&o);
	r->advertised[which] = true;
}

/* Connected: what is latched is published anew. */
static void
rise(struct pb_rosbridge *r)
{
	r->up = true;
	r->why[0] = '\0';
	for (int i = 0; i < PB_TOPICS; i++) {
		r->advertised[i] = false;
		if (r->latched[i].len > 0) {
			advertise(r, (enum pb_ros_topic)i);
			post(r, &r->latched[i]);
		}
	}
}

/* Connected no more, or not at all: why, if that is known. */
static void
fall(struct pb_rosbridge *r, const char *why)
{
	double now = pb_pace_seconds();

	if (r->up) {
		pb_msg_note("%s: the server has gone", r->url);
		r->lost = now;
	}
	r->up = false;
	r->wsi = NULL;
	r->n = 0;
	r->next = now + RETRY;
	while (r->first)
		drop_first(r);
	snprintf(r->why, sizeof(r->why), "%s", why ? why : "");
}

/* The next message. -1: the connection is to end. */
static int
tell(struct pb_rosbridge *r)
{
	struct parcel *p = r->first;
	int sent;

	if (!p)
		return 0;
	sent = lws_write(r->wsi, p->at + LWS_PRE, p->n, LWS_WRITE_TEXT);
	drop_first(r);
	if (r->first)
		lws_callback_on_writable(r->wsi);
	return sent < 0 ? -1 : 0;
}

/* What the server has to complain of. */
static void
hear(struct pb_rosbridge *r, const void *s, size_t n)
{
	bool whole = lws_is_final_fragment(r->wsi) &&
	             lws_remaining_packet_payload(r->wsi) == 0;
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
		pb_msg_warn((struct pb_place){r->url, 0}, "%.200s", text);
	json_decref(m);
}

static int
on_event(struct lws *wsi, enum lws_callback_reasons why, void *user, void *s,
    size_t n)
{
	struct pb_rosbridge *r = lws_context_user(lws_get_context(wsi));

	(void)user;
	switch (why) {
	case LWS_CALLBACK_CLIENT_ESTABLISHED:
		rise(r);
		break;
	case LWS_CALLBACK_CLIENT_RECEIVE:
		hear(r, s, n);
		break;
	case LWS_CALLBACK_CLIENT_WRITEABLE:
		return tell(r);
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		fall(r, s);
		break;
	case LWS_CALLBACK_CLIENT_CLOSED:
		if (r->wsi)
			fall(r, NULL);
		break;
	default:
		break;
	}
	return 0;
}

static const struct lws_protocols speech[] = {
    {"rosbridge", on_event, 0, 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

/* One round of the network, connecting if need be. */
static bool
attend(struct pb_rosbridge *r, double s)
{
	double now = pb_pace_seconds();

	if (r->over)
		return false;
	if (!r->up && now - r->lost >= PATIENCE) {
		errno = 0;
		return lose(r, "cannot connect");
	}
	if (!r->wsi && now >= r->next &&
	    !pb_net_dial(&r->loop, &r->at, speech->name, &r->wsi) && r->wsi)
		fall(r, r->why);
	pb_net_attend(&r->loop, s);
	return !r->over;
}

struct pb_rosbridge *
pb_rosbridge_open(const char *url)
{
	struct pb_rosbridge *r = calloc(1, sizeof(*r));

	if (!r) {
		pb_msg_system("no memory for the network");
		return NULL;
	}
	r->url = url;
	r->lost = pb_pace_seconds();
	pb_net_url(url, &r->at);
	if (pb_net_open(&r->loop, speech, CONTEXT_PORT_NO_LISTEN, 1, r)) {
		while (!r->up && !pb_msg_stopped() && attend(r, PB_NET_LOOK))
			;
		if (r->up)
			return r;
	}
	pb_rosbridge_close(r);
	return NULL;
}

bool
pb_rosbridge_serve(struct pb_rosbridge *r, double s)
{
	const struct timespec from = pb_pace_now();
	double left = s;

	do {
		if (!attend(r, left))
			return false;
		left = s - pb_pace_since(from);
	} while (left > 0 && !pb_msg_stopped());
	return true;
}

/* Until no more than that waits: false if that takes longer than s. */
static bool
catch_up(struct pb_rosbridge *r, size_t most, double s)
{
	const struct timespec from = pb_pace_now();

	while (r->waiting > most && !pb_msg_stopped())
		if (pb_pace_since(from) > s || !attend(r, PB_NET_LOOK))
			return false;
	return true;
}

static void
send_message(
    void *self, enum pb_ros_topic which, int64_t t, struct pb_ros_message *m)
{
	struct pb_rosbridge *r = self;
	struct pb_text *o =
	    pb_ros_topics[which].latched ? &r->latched[which] : &r->text;

	(void)t;
	if (r->over || (!r->up && o == &r->text))
		return;
	o->len = 0;
	pb_text_puts(o, "{\"op\":\"publish\",\"topic\":");
	pb_text_string(o, pb_ros_topics[which].name);
	pb_text_puts(o, ",\"msg\":");
	pb_ros_put(o, m);
	pb_text_puts(o, "}");
	if (r->up && !r->advertised[which])
		advertise(r, which);
	if (r->up)
		post(r, o);
	pb_rosbridge_serve(r, 0);
	errno = 0;
	if (!catch_up(r, QUEUE, PATIENCE))
		lose(r, "the server takes no messages");
}

struct pb_ros_sink
pb_rosbridge_sink(struct pb_rosbridge *r)
{
	return (struct pb_ros_sink){send_message, r};
}

void
pb_rosbridge_close(struct pb_rosbridge *r)
{
	if (!r)
		return;
	if (r->up && !r->over) {
		catch_up(r, 0, LAST);
		pb_rosbridge_serve(r, PB_NET_LOOK);
	}
	r->wsi = NULL; /* so that nothing is said of its end */
	r->up = false;
	pb_net_close(&r->loop);
	while (r->first)
		drop_first(r);
	for (int i = 0; i < PB_TOPICS; i++)
		pb_text_clear(&r->latched[i]);
	pb_text_clear(&r->text);
	free(r);
}
