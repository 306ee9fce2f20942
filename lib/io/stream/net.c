/* net.c - connections and event loop of libwebsockets. */
#include "io/stream/net.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"

/* The SONAME that the Makefile found, else the name of the development link. */
#ifndef LIBWEBSOCKETS
#define LIBWEBSOCKETS "libwebsockets.so"
#endif

bool
pb_net_address(const char *arg, struct pb_net_address *a)
{
	const char *s = arg;
	const char *colon;
	size_t n;

	*a = (struct pb_net_address){.ws = strncmp(s, "tcp://", 6) != 0};
	a->typed = !a->ws || strncmp(s, "ws://", 5) == 0;
	s += a->typed ? 5 + !a->ws : 0;
	colon = s + strcspn(s, "/");
	while (colon > s && *colon != ':')
		colon--;
	if (*colon == ':') {
		bool square = *s == '[' && colon > s && colon[-1] == ']';

		n = (size_t)(colon - s) - (square ? 2 : 0);
		if (n == 0 || n >= sizeof(a->host))
			return false;
		memcpy(a->host, s + (square ? 1 : 0), n);
		a->host[n] = '\0';
		s = colon + 1;
	}
	n = strspn(s, "0123456789");
	a->path = s + n;
	if (n == 0 || n >= sizeof(a->port) || atoi(s) > UINT16_MAX ||
	    (*a->path != '\0' && (*a->path != '/' || !a->typed || !a->ws)) ||
	    strpbrk(a->path, " \t\r\n") != NULL)
		return false;
	memcpy(a->port, s, n);
	return true;
}

/* Parse a URL with a host and a port other than 0, as clients need it. */
static bool
parse_url(const char *arg, struct pb_net_address *a)
{
	return pb_net_address(arg, a) && *a->host && atoi(a->port) > 0;
}

bool
pb_net_check(const char *option, const char *url, bool tcp)
{
	struct pb_net_address a;

	return (parse_url(url, &a) && (a.ws || tcp)) ||
	       pb_msg_usage("%s: expected [ws://]HOST:PORT%s, got \"%s\"",
		   option, tcp ? " or tcp://HOST:PORT" : "", url);
}

const struct pb_lws *
pb_lws(void)
{
#define NAME(f) "lws_" #f,
	static const char *const name[] = {PB_LWS(NAME)};
	static struct pb_lws lws;

	if (lws.write == NULL)
		pb_file_functions(
		    LIBWEBSOCKETS, sizeof(name) / sizeof(*name), name, &lws);
	return &lws;
}

void
pb_net_open(struct pb_net_loop *l, const struct lws_context_creation_info *how)
{
	pb_lws()->set_log_level(0, NULL);
	l->lws = pb_lws()->create_context(how);
	if (l->lws == NULL)
		pb_msg_end_memory();
}

void
pb_net_close(struct pb_net_loop *l)
{
	if (l->lws != NULL) {
		pb_lws()->sul_cancel(&l->alarm);
		pb_lws()->context_destroy(l->lws);
	}
	l->lws = NULL;
}

static void
wake(lws_sorted_usec_list_t *alarm)
{
	struct pb_net_loop *l =
	    lws_container_of(alarm, struct pb_net_loop, alarm);

	pb_lws()->sul_schedule(l->lws, 0, alarm, wake, 1000);
}

void
pb_net_attend(struct pb_net_loop *l, double s)
{
	/* Handle what is due without waiting for the next millisecond. */
	if (!(s > 0)) {
		pb_lws()->service(l->lws, -1);
		return;
	}
	pb_lws()->sul_schedule(l->lws, 0, &l->alarm, wake,
	    (lws_usec_t)((s < PB_NET_LOOK ? s : PB_NET_LOOK) * 1e6) + 1);
	pb_lws()->service(l->lws, 0);
}

/* A message to be sent; LWS_PRE free bytes before it, as lws needs them. */
struct pb_net_parcel {
	struct pb_net_parcel *next;
	size_t n;
	enum lws_write_protocol as;
	unsigned char at[];
};

static void
drop_message(struct pb_net_queue *q)
{
	struct pb_net_parcel *p = q->first;

	q->first = p->next;
	q->waiting -= p->n;
	free(p);
}

/* Queue s as one message. */
static void
queue_message(struct pb_net_queue *q, struct lws *wsi, const void *s, size_t n,
    enum lws_write_protocol as)
{
	struct pb_net_parcel *p = pb_resize(NULL, sizeof(*p) + LWS_PRE + n);

	*p = (struct pb_net_parcel){.n = n, .as = as};
	memcpy(p->at + LWS_PRE, s, n);
	if (q->first)
		q->last->next = p;
	else
		q->first = p;
	q->last = p;
	q->waiting += p->n;
	pb_lws()->callback_on_writable(wsi);
}

/* Send the first message, as wsi can take one. -1: close the connection. */
static int
send_message(struct pb_net_queue *q, struct lws *wsi)
{
	struct pb_net_parcel *p = q->first;
	int sent;

	if (!p)
		return 0;
	sent = pb_lws()->write(wsi, p->at + LWS_PRE, p->n, p->as);
	drop_message(q);
	if (q->first)
		pb_lws()->callback_on_writable(wsi);
	return sent < 0 ? -1 : 0;
}

static void
clear_queue(struct pb_net_queue *q)
{
	while (q->first)
		drop_message(q);
}

/* Pause before a client connects again: at first, and at most; doubled each
 * time (s). */
#define RETRY      0.1
#define RETRY_MOST 5

/* A connection that lasted this long resets the pause (s). */
#define HELD 1

bool
pb_net_client_lose(struct pb_net_client *c, const char *why)
{
	errno = 0;
	if (!c->over)
		pb_msg_system(
		    "%s: %s%s%s", c->url, why, *c->why ? ": " : "", c->why);
	c->over = true;
	return false;
}

void
pb_net_client_send(struct pb_net_client *c, const void *s, size_t n,
    enum lws_write_protocol as)
{
	if (c->up && !c->over)
		queue_message(
		    &c->queue, c->wsi, s, n, c->at.ws ? as : LWS_WRITE_RAW);
}

static void
note_connected(struct pb_net_client *c)
{
	c->up = true;
	c->since = pb_pace_seconds();
	c->why[0] = '\0';
	if (c->calls->rise)
		c->calls->rise(c->user);
}

/* Note that the connection is lost or could not be made; why: NULL if
 * unknown. */
static void
note_lost(struct pb_net_client *c, const char *why)
{
	double now = pb_pace_seconds();

	if (c->up)
		pb_msg_note("%s: the server has gone", c->url);
	if (c->up && now - c->since >= HELD) {
		c->pause = RETRY;
		c->lost = now;
	}
	c->up = false;
	c->wsi = NULL;
	c->next = now + c->pause;
	c->pause = c->pause * 2 < RETRY_MOST ? c->pause * 2 : RETRY_MOST;
	clear_queue(&c->queue);
	if (why != c->why)
		snprintf(c->why, sizeof(c->why), "%s", why ? why : "");
}

static int
on_client_event(struct lws *wsi, enum lws_callback_reasons why, void *user,
    void *s, size_t n)
{
	struct pb_net_client *c =
	    pb_lws()->context_user(pb_lws()->get_context(wsi));

	(void)user;
	switch (why) {
	case LWS_CALLBACK_CLIENT_ESTABLISHED:
	case LWS_CALLBACK_RAW_CONNECTED:
		note_connected(c);
		break;
	case LWS_CALLBACK_CLIENT_RECEIVE:
		pb_lws()->validity_confirmed(wsi);
		c->calls->hear(c->user, s, n,
		    pb_lws()->is_final_fragment(wsi) &&
			pb_lws()->remaining_packet_payload(wsi) == 0);
		break;
	case LWS_CALLBACK_RAW_RX:
		c->calls->hear(c->user, s, n, false);
		break;
	case LWS_CALLBACK_CLIENT_WRITEABLE:
	case LWS_CALLBACK_RAW_WRITEABLE:
		return send_message(&c->queue, wsi);
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		note_lost(c, s);
		break;
	case LWS_CALLBACK_CLIENT_CLOSED:
	case LWS_CALLBACK_RAW_CLOSE:
		if (c->wsi)
			note_lost(c, NULL);
		break;
	default:
		break;
	}
	return c->over ? -1 : 0;
}

static const struct lws_protocols client_speech[] = {
    {"pb", on_client_event, 0, 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

void
pb_net_client_open(struct pb_net_client *c)
{
	parse_url(c->url, &c->at);
	c->lost = pb_pace_seconds();
	c->pause = RETRY;
	pb_net_open(&c->loop,
	    &(struct lws_context_creation_info){.port = CONTEXT_PORT_NO_LISTEN,
		.protocols = client_speech,
		.fd_limit_per_thread = 33,
		.user = c});
}

void
pb_net_client_close(struct pb_net_client *c)
{
	c->wsi = NULL; /* so that its end prints nothing */
	c->up = false;
	pb_net_close(&c->loop);
	clear_queue(&c->queue);
}

/* Begin to connect; wsi stays NULL if that fails at once. */
static void
start_connecting(struct pb_net_client *c)
{
	/* Ping a server that is silent for 4 s, give it up after 10 s. */
	static const lws_retry_bo_t silence = {
	    .secs_since_valid_ping = 4, .secs_since_valid_hangup = 10};
	char host[PB_NET_NAME + 2]; /* with brackets around an IPv6 address */
	const struct lws_client_connect_info to = {.context = c->loop.lws,
	    .address = c->at.host,
	    .host = host,
	    .port = atoi(c->at.port),
	    .path = *c->at.path ? c->at.path : "/",
	    .method = c->at.ws ? NULL : "RAW",
	    .local_protocol_name = client_speech->name,
	    .retry_and_idle_policy = c->pings ? &silence : NULL,
	    .pwsi = &c->wsi};

	snprintf(host, sizeof(host), strchr(c->at.host, ':') ? "[%s]" : "%s",
	    c->at.host);
	if (!pb_lws()->client_connect_via_info(&to) && c->wsi)
		note_lost(c, c->why);
}

bool
pb_net_client_attend(struct pb_net_client *c, double s)
{
	double now = pb_pace_seconds();

	if (!c->up && now - c->lost >= c->patience)
		pb_net_client_lose(c, "cannot connect");
	if (c->over)
		return false;
	if (!c->wsi && now >= c->next)
		start_connecting(c);
	pb_net_attend(&c->loop, s);
	return !c->over;
}
