/* foxglove.c - a server of topics for Foxglove and Lichtblick. */
#include "io/ros/foxglove.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "io/ros/wire.h"
#include "io/stream/le.h"
#include "io/stream/msg.h"
#include "io/stream/net.h"
#include "io/stream/pace.h"
#include "io/stream/text.h"

#define PROTOCOL "foxglove.websocket.v1"

/* Connections at once, and subscriptions of each. */
enum { CLIENTS = 32, SUBSCRIPTIONS = 64 };

/* What may wait for a client (bytes); one message may be longer. */
#define QUEUE ((size_t)16 << 20)

/* The longest message of a client (bytes): it names all its subscriptions. */
#define WORDS ((size_t)65536)

/* So long a client that is behind may hold all up, and what is under way at
 * the end takes (s). */
#define PATIENCE 1.0

/* What goes in front of a message: opcode, number, time. */
enum { DATA = 1, TIME = 2, FRONT = 1 + 4 + 8 };

struct client {
	struct client *next; /* of the server's */
	struct lws *wsi;
	struct pb_net_queue queue;
	bool slow; /* is to be disconnected */
	struct {
		uint32_t id;
		enum pb_ros_topic topic;
	} sub[SUBSCRIPTIONS];
	int subs;
	char *words; /* of a message that is not whole yet; owned */
	size_t n;
};

struct topic {
	bool there;          /* it has been advertised */
	struct pb_text last; /* message of a latched one */
	int64_t t;           /* its time */
};

struct pb_foxglove {
	struct pb_net_server server;
	struct client *clients;
	struct topic topic[PB_TOPICS];
	struct pb_text text; /* being put together */
};

bool
pb_foxglove_check(const char *address)
{
	struct pb_net_address a;

	return (pb_net_address(address, &a) && a.ws) ||
	       pb_msg_usage(
		   "--foxglove: expected [ws://][ADDRESS:]PORT, got \"%s\"",
		   address);
}

/* There is no room for it: the client is to go. */
static void
give_up(struct client *c)
{
	c->slow = true;
	lws_callback_on_writable(c->wsi);
}

/* Send front and then what, n bytes. */
static void
post(struct client *c, const unsigned char *front, size_t fronts,
    const void *what, size_t n)
{
	struct pb_net_queue *q = &c->queue;

	if (!c->slow &&
	    ((q->first && q->waiting + fronts + n > QUEUE) ||
		!pb_net_post(q, c->wsi, front, fronts, what, n,
		    fronts > 0 ? LWS_WRITE_BINARY : LWS_WRITE_TEXT)))
		give_up(c);
}

static void
post_text(struct client *c, const struct pb_text *o)
{
	if (!o->failed)
		post(c, NULL, 0, o->s, o->len);
	else
		give_up(c);
}

/* A message to a client's subscription i. */
static void
post_message(struct client *c, int i, int64_t t, const struct pb_text *bytes)
{
	unsigned char front[FRONT] = {DATA};

	pb_le_put(front + 1, c->sub[i].id, 4);
	pb_le_put(front + 5, (uint64_t)t, 8);
	post(c, front, FRONT, bytes->s, bytes->len);
}

/* The topics that are there, or only that one. */
static const struct pb_text *
advertisement(struct pb_foxglove *f, int only)
{
	struct pb_text *o = &f->text, schema = {.s = NULL};
	bool first = true;

	o->len = 0;
	pb_text_puts(o, "{\"op\":\"advertise\",\"channels\":[");
	for (int i = 0; i < PB_TOPICS; i++) {
		if (!f->topic[i].there || (only >= 0 && i != only))
			continue;
		pb_text_puts(o, first ? "{\"id\":" : ",{\"id\":");
		pb_text_int(o, i);
		pb_text_puts(o, ",\"topic\":");
		pb_text_string(o, pb_ros_topics[i].name);
		pb_text_puts(o, ",\"encoding\":\"cdr\",\"schemaName\":\"");
		pb_ros_put_name(o, pb_ros_topics[i].type);
		pb_text_puts(
		    o, "\",\"schemaEncoding\":\"ros2msg\",\"schema\":");
		schema.len = 0;
		pb_ros_put_schema(&schema, pb_ros_topics[i].type);
		pb_text_put(&schema, "", 1);
		if (!schema.failed)
			pb_text_string(o, schema.s);
		pb_text_puts(o, "}");
		o->failed |= schema.failed;
		first = false;
	}
	pb_text_puts(o, "]}");
	pb_text_clear(&schema);
	return o;
}

/* Another session each time we start: clients then forget the one before. */
static void
greet(struct pb_foxglove *f, struct client *c)
{
	struct pb_text *o = &f->text;

	o->len = 0;
	pb_text_puts(o, "{\"op\":\"serverInfo\",\"name\":\"");
	pb_text_puts(o, pb_msg_program());
	pb_text_puts(o, "\",\"capabilities\":[\"time\"],\"sessionId\":\"");
	pb_text_int(o, (int64_t)time(NULL));
	pb_text_puts(o, "-");
	pb_text_int(o, (int64_t)getpid());
	pb_text_puts(o, "\"}");
	post_text(c, o);
	post_text(c, advertisement(f, -1));
}

static void
subscribe(struct pb_foxglove *f, struct client *c, const json_t *one)
{
	const json_t *id = json_object_get(one, "id");
	const json_t *channel = json_object_get(one, "channelId");
	json_int_t number = json_integer_value(id);
	json_int_t topic = json_integer_value(channel);
	const struct pb_text *last;

	if (!json_is_integer(id) || !json_is_integer(channel) || number < 0 ||
	    number > UINT32_MAX || topic < 0 || topic >= PB_TOPICS ||
	    c->subs == SUBSCRIPTIONS)
		return;
	c->sub[c->subs].id = (uint32_t)number;
	c->sub[c->subs].topic = (enum pb_ros_topic)topic;
	last = &f->topic[topic].last;
	if (last->len > 0)
		post_message(c, c->subs, f->topic[topic].t, last);
	c->subs++;
}

static void
unsubscribe(struct client *c, const json_t *id)
{
	for (int i = 0; i < c->subs && json_is_integer(id); i++)
		if (c->sub[i].id == json_integer_value(id))
			c->sub[i--] = c->sub[--c->subs];
}

/* What a client says; what else it may say asks for what we have not. */
static void
obey(struct pb_foxglove *f, struct client *c)
{
	json_error_t e;
	json_t *m = json_loadb(c->words, c->n, 0, &e), *one;
	const char *op = json_string_value(json_object_get(m, "op"));
	size_t i;

	if (op && strcmp(op, "subscribe") == 0)
		json_array_foreach(json_object_get(m, "subscriptions"), i, one)
		    subscribe(f, c, one);
	if (op && strcmp(op, "unsubscribe") == 0)
		json_array_foreach(json_object_get(m, "subscriptionIds"), i,
		    one) unsubscribe(c, one);
	json_decref(m);
}

/* A piece of a message. -1: it is too long, the connection is to end. */
static int
hear(struct pb_foxglove *f, struct client *c, const void *s, size_t n)
{
	bool last = lws_is_final_fragment(c->wsi) &&
	            lws_remaining_packet_payload(c->wsi) == 0;
	char *words;

	if (n > WORDS - c->n)
		return -1;
	words = realloc(c->words, c->n + n + 1);
	if (!words)
		return -1;
	c->words = words;
	memcpy(c->words + c->n, s, n);
	c->n += n;
	if (!last)
		return 0;
	/* Data of a client is no word. */
	if (!lws_frame_is_binary(c->wsi))
		obey(f, c);
	c->n = 0;
	return 0;
}

static void
begin(struct pb_foxglove *f, struct client *c, struct lws *wsi)
{
	*c = (struct client){.next = f->clients, .wsi = wsi};
	f->clients = c;
	greet(f, c);
}

static void
end(struct pb_foxglove *f, struct client *c)
{
	struct client **at = &f->clients;

	while (*at && *at != c)
		at = &(*at)->next;
	if (*at)
		*at = c->next;
	pb_net_queue_clear(&c->queue);
	free(c->words);
	if (c->slow)
		pb_msg_note("a client was too slow, and is disconnected");
}

static int
on_event(struct lws *wsi, enum lws_callback_reasons why, void *user, void *s,
    size_t n)
{
	struct pb_foxglove *f = lws_context_user(lws_get_context(wsi));
	struct client *c = user; /* NULL: not let in */

	switch (why) {
	case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
		return strcmp(lws_get_protocol(wsi)->name, PROTOCOL) ? -1 : 0;
	case LWS_CALLBACK_ESTABLISHED:
		if (!c)
			return -1;
		begin(f, c, wsi);
		break;
	case LWS_CALLBACK_CLOSED:
		if (c)
			end(f, c);
		break;
	case LWS_CALLBACK_SERVER_WRITEABLE:
		return c && !c->slow ? pb_net_send(&c->queue, wsi) : -1;
	case LWS_CALLBACK_RECEIVE:
		return c ? hear(f, c, s, n) : -1;
	default:
		return pb_net_server_event(&f->server, why);
	}
	return 0;
}

/* The first is for those who name no protocol: they are not let in. */
static const struct lws_protocols speech[] = {
    {"none", on_event, 0, 4096, 0, NULL, 0},
    {PROTOCOL, on_event, sizeof(struct client), 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

struct pb_foxglove *
pb_foxglove_open(const char *address)
{
	struct pb_foxglove *f = pb_msg_room(sizeof(*f), "the network");

	if (!f)
		return NULL;
	f->server.most = CLIENTS;
	if (pb_net_server_open(&f->server, speech, f) &&
	    pb_net_server_listen(&f->server, "--foxglove", address, NULL))
		return f;
	pb_foxglove_close(f);
	return NULL;
}

void
pb_foxglove_serve(struct pb_foxglove *f, double s)
{
	const struct timespec from = pb_pace_now();
	double left = s;

	do {
		pb_net_server_attend(&f->server, left);
		left = s - pb_pace_since(from);
	} while (left > 0 && !pb_msg_stopped());
}

/* How much waits for the client that is farthest behind. */
static size_t
behind(const struct pb_foxglove *f)
{
	size_t most = 0;

	for (const struct client *c = f->clients; c; c = c->next)
		if (c->queue.waiting > most && !c->slow)
			most = c->queue.waiting;
	return most;
}

/* Until no more than that waits for anybody; who needs longer than PATIENCE is
 * disconnected. */
static void
catch_up(struct pb_foxglove *f, size_t most)
{
	const struct timespec from = pb_pace_now();

	while (behind(f) > most && pb_pace_since(from) < PATIENCE)
		pb_net_server_attend(&f->server, PB_NET_LOOK);
	for (struct client *c = f->clients; c; c = c->next)
		if (c->queue.waiting > most && !c->slow)
			give_up(c);
}

static void
send_time(struct pb_foxglove *f, int64_t t)
{
	unsigned char front[9] = {TIME};

	pb_le_put(front + 1, (uint64_t)t, 8);
	for (struct client *c = f->clients; c; c = c->next)
		post(c, front, sizeof(front), "", 0);
}

static void
send_message(
    void *self, enum pb_ros_topic which, int64_t t, struct pb_ros_message *m)
{
	struct pb_foxglove *f = self;
	struct topic *at = &f->topic[which];
	struct pb_text *o = pb_ros_topics[which].latched ? &at->last : &f->text;
	struct pb_wire wire;

	if (!at->there) {
		at->there = true;
		advertisement(f, (int)which);
		for (struct client *c = f->clients; c; c = c->next)
			post_text(c, &f->text);
	}
	if (which == PB_TOPIC_CLOCK)
		send_time(f, t);
	o->len = 0;
	at->t = t;
	pb_wire_write(&wire, false, o);
	pb_ros_write(m, &wire);
	if (o->failed)
		o->len = 0;
	for (struct client *c = f->clients; c && o->len > 0; c = c->next)
		for (int i = 0; i < c->subs; i++)
			if (c->sub[i].topic == which)
				post_message(c, i, t, o);
	if (behind(f) > QUEUE / 2)
		catch_up(f, QUEUE / 2);
}

struct pb_ros_sink
pb_foxglove_sink(struct pb_foxglove *f)
{
	return (struct pb_ros_sink){send_message, f};
}

void
pb_foxglove_close(struct pb_foxglove *f)
{
	if (!f)
		return;
	if (f->server.ports > 0) {
		catch_up(f, 0);
		/* Answers to it are read, or a reset overtakes the last. */
		pb_net_server_attend(&f->server, PB_NET_LOOK);
	}
	pb_net_server_close(&f->server);
	for (int i = 0; i < PB_TOPICS; i++)
		pb_text_clear(&f->topic[i].last);
	pb_text_clear(&f->text);
	free(f);
}
