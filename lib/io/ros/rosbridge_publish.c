/* rosbridge_publish.c - topics to the ROS of others, by a rosbridge server. */
#include "io/ros/rosbridge_publish.h"

#include <errno.h>
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

/* What may wait to be sent (bytes). */
#define QUEUE ((size_t)8 << 20)

/* Complaints of the server that are repeated, and their longest (bytes). */
enum { COMPLAINTS = 5, WORDS = 4096 };

struct pb_rosbridge_out {
	struct pb_net_client c;
	bool advertised[PB_TOPICS];
	struct pb_text latched[PB_TOPICS]; /* the last message of each */
	struct pb_text text;
	char words[WORDS];
	size_t n;
	int complaints;
};

static void
post(struct pb_rosbridge_out *r, const struct pb_text *o)
{
	if (o->failed)
		errno = ENOMEM, pb_net_client_lose(&r->c, "cannot publish");
	else
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
	post(r, &o);
	pb_text_clear(&o);
	r->advertised[which] = true;
}

/* Connected: what is latched is published anew. */
static void
rise(void *user)
{
	struct pb_rosbridge_out *r = user;

	r->n = 0;
	for (int i = 0; i < PB_TOPICS; i++) {
		r->advertised[i] = false;
		if (r->latched[i].len > 0) {
			advertise(r, (enum pb_ros_topic)i);
			post(r, &r->latched[i]);
		}
	}
}

/* What the server has to complain of. */
static void
hear(void *user, const uint8_t *s, size_t n, bool whole)
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
	static const struct pb_net_calls calls = {rise, hear};
	struct pb_rosbridge_out *r = pb_msg_room(sizeof(*r), "the network");

	if (!r)
		return NULL;
	r->c = (struct pb_net_client){.url = url,
	    .patience = PATIENCE,
	    .pings = true,
	    .calls = &calls,
	    .user = r};
	if (pb_net_client_open(&r->c))
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

/* Until no more than that waits: false if that takes longer than s. */
static bool
catch_up(struct pb_rosbridge_out *r, size_t most, double s)
{
	const struct timespec from = pb_pace_now();

	while (r->c.queue.waiting > most && !pb_msg_stopped())
		if (pb_pace_since(from) > s ||
		    !pb_net_client_attend(&r->c, PB_NET_LOOK))
			return false;
	return true;
}

static void
send_message(
    void *self, enum pb_ros_topic which, int64_t t, struct pb_ros_message *m)
{
	struct pb_rosbridge_out *r = self;
	struct pb_text *o =
	    pb_ros_topics[which].latched ? &r->latched[which] : &r->text;

	(void)t;
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
	post(r, o);
	pb_rosbridge_out_serve(r, 0);
	errno = 0;
	if (!catch_up(r, QUEUE, PATIENCE))
		pb_net_client_lose(&r->c, "the server takes no messages");
}

struct pb_ros_sink
pb_rosbridge_out_sink(struct pb_rosbridge_out *r)
{
	return (struct pb_ros_sink){send_message, r};
}

void
pb_rosbridge_out_close(struct pb_rosbridge_out *r)
{
	if (!r)
		return;
	if (r->c.up && !r->c.over) {
		catch_up(r, 0, LAST);
		pb_rosbridge_out_serve(r, PB_NET_LOOK);
	}
	pb_net_client_close(&r->c);
	for (int i = 0; i < PB_TOPICS; i++)
		pb_text_clear(&r->latched[i]);
	pb_text_clear(&r->text);
	free(r);
}
