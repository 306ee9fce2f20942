/* pacbot_dial.c - a client's connection to a Pacbot server. */
#include "io/play/pacbot_dial.h"

#include <errno.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/msg.h"
#include "io/stream/pace.h"

/* A signal is noticed after so long at most (s). */
#define LOOK 0.02

/* Between two tries: first, and doubled up to (s). */
#define RETRY      0.1
#define RETRY_MOST 5

struct pb_pacdial {
	const char *url;
	double patience;
	bool ws;
	char host[256];
	int port;
	struct lws_context *lws;
	lws_sorted_usec_list_t alarm;
	struct lws *wsi; /* NULL: none, and none is being made */
	bool up;
	double lost;   /* since then not connected */
	double next;   /* when to try again */
	double pause;  /* before the try after that (s) */
	char why[128]; /* the last try failed */
	int frames;    /* that have come and were not taken */
	uint8_t newest[PB_PACBOT_FRAME];
	uint8_t part[PB_PACBOT_FRAME];
	size_t parts;
	uint8_t say[64];
	size_t says;
};

static bool
read_url(const char *url, struct pb_pacdial *d)
{
	const char *s, *colon = strrchr(url, ':');
	size_t n;

	d->ws = strncmp(url, "ws://", 5) == 0;
	if (!d->ws && strncmp(url, "tcp://", 6) != 0)
		return false;
	s = url + (d->ws ? 5 : 6);
	if (colon < s)
		return false;
	n = (size_t)(colon - s);
	if (n > 2 && *s == '[' && s[n - 1] == ']') {
		s++;
		n -= 2;
	}
	if (n == 0 || n >= sizeof(d->host) || memchr(s, '/', n) != NULL)
		return false;
	memcpy(d->host, s, n);
	d->host[n] = '\0';
	n = strspn(colon + 1, "0123456789");
	if (n == 0 || n > 5 || colon[1 + n] != '\0')
		return false;
	d->port = atoi(colon + 1);
	return d->port > 0 && d->port <= UINT16_MAX;
}

bool
pb_pacdial_check(const char *url)
{
	struct pb_pacdial d = {0};

	return read_url(url, &d) ||
	       pb_msg_usage("--connect: expected ws://HOST:PORT or "
			    "tcp://HOST:PORT, got \"%s\"",
		   url);
}

static void
hear(struct pb_pacdial *d, const uint8_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		d->part[d->parts++] = s[i];
		if (d->parts < sizeof(d->part))
			continue;
		memcpy(d->newest, d->part, sizeof(d->part));
		d->frames++;
		d->parts = 0;
	}
}

static void
rise(struct pb_pacdial *d, struct lws *wsi)
{
	d->up = true;
	d->pause = RETRY;
	d->parts = 0;
	if (d->says > 0)
		lws_callback_on_writable(wsi);
}

/* Connected no more, or not at all: why, if that is known. */
static void
fall(struct pb_pacdial *d, const char *why)
{
	const double now = pb_pace_seconds();

	if (d->up) {
		pb_msg_note("%s: the server has gone", d->url);
		d->lost = now;
	}
	d->up = false;
	d->wsi = NULL;
	d->says = 0;
	d->next = now + d->pause;
	d->pause = d->pause * 2 < RETRY_MOST ? d->pause * 2 : RETRY_MOST;
	snprintf(d->why, sizeof(d->why), "%s", why ? why : "");
}

/* A command is a message. -1: the connection is to end. */
static int
speak(struct pb_pacdial *d, struct lws *wsi)
{
	uint8_t buf[LWS_PRE + 1];

	if (d->says == 0)
		return 0;
	buf[LWS_PRE] = *d->say;
	memmove(d->say, d->say + 1, --d->says);
	if (d->says > 0)
		lws_callback_on_writable(wsi);
	return lws_write(wsi, buf + LWS_PRE, 1,
		   d->ws ? LWS_WRITE_BINARY : LWS_WRITE_RAW) < 0
	           ? -1
	           : 0;
}

static int
on_event(struct lws *wsi, enum lws_callback_reasons why, void *user, void *s,
    size_t n)
{
	struct pb_pacdial *d = lws_context_user(lws_get_context(wsi));

	(void)user;
	switch (why) {
	case LWS_CALLBACK_CLIENT_ESTABLISHED:
	case LWS_CALLBACK_RAW_CONNECTED:
		rise(d, wsi);
		break;
	case LWS_CALLBACK_CLIENT_RECEIVE:
	case LWS_CALLBACK_RAW_RX:
		hear(d, s, n);
		break;
	case LWS_CALLBACK_CLIENT_WRITEABLE:
	case LWS_CALLBACK_RAW_WRITEABLE:
		return speak(d, wsi);
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		fall(d, s);
		break;
	case LWS_CALLBACK_CLIENT_CLOSED:
	case LWS_CALLBACK_RAW_CLOSE:
		if (d->wsi != NULL)
			fall(d, NULL);
		break;
	default:
		break;
	}
	return 0;
}

static const struct lws_protocols speech[] = {
    {"pacbot", on_event, 0, 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

struct pb_pacdial *
pb_pacdial_open(const char *url, double patience)
{
	struct pb_pacdial *d = calloc(1, sizeof(*d));
	struct lws_context_creation_info how = {.port = CONTEXT_PORT_NO_LISTEN,
	    .protocols = speech,
	    .user = d,
	    .fd_limit_per_thread = 32};

	lws_set_log_level(0, NULL);
	if (d != NULL)
		d->lws = lws_create_context(&how);
	if (d == NULL || d->lws == NULL) {
		pb_msg_system("no memory for the network");
		free(d);
		return NULL;
	}
	read_url(url, d);
	d->url = url;
	d->patience = patience;
	d->pause = RETRY;
	d->lost = pb_pace_seconds();
	return d;
}

void
pb_pacdial_close(struct pb_pacdial *d)
{
	if (d == NULL)
		return;
	lws_sul_cancel(&d->alarm);
	d->wsi = NULL; /* so that nothing is said of its end */
	lws_context_destroy(d->lws);
	free(d);
}

static void
dial(struct pb_pacdial *d)
{
	const struct lws_client_connect_info to = {.context = d->lws,
	    .address = d->host,
	    .host = d->host,
	    .origin = d->host,
	    .port = d->port,
	    .path = "/",
	    .method = d->ws ? NULL : "RAW",
	    .local_protocol_name = speech->name,
	    .pwsi = &d->wsi};

	if (lws_client_connect_via_info(&to) == NULL && d->wsi != NULL)
		fall(d, d->why);
}

static void
wake(lws_sorted_usec_list_t *alarm)
{
	struct pb_pacdial *d =
	    lws_container_of(alarm, struct pb_pacdial, alarm);

	lws_sul_schedule(d->lws, 0, alarm, wake, 1000);
}

/* False: it has taken too long. */
static bool
redial(struct pb_pacdial *d)
{
	const double now = pb_pace_seconds();

	if (d->up)
		return true;
	if (now - d->lost >= d->patience) {
		errno = 0;
		return pb_msg_system("%s: cannot connect%s%s", d->url,
		    *d->why ? ": " : "", d->why);
	}
	if (d->wsi == NULL && now >= d->next)
		dial(d);
	return true;
}

int
pb_pacdial_next(struct pb_pacdial *d, uint8_t *frame, double until)
{
	int n;

	/* What has come already, then what comes. */
	do {
		n = d->frames;
		lws_service(d->lws, -1);
	} while (d->frames > n && d->frames < 1000);
	while (d->frames == 0) {
		if (pb_msg_stopped() || pb_pace_seconds() >= until ||
		    !redial(d))
			return 0;
		lws_sul_schedule(
		    d->lws, 0, &d->alarm, wake, (lws_usec_t)(LOOK * 1e6));
		lws_service(d->lws, 0);
	}
	memcpy(frame, d->newest, sizeof(d->newest));
	n = d->frames;
	d->frames = 0;
	return n;
}

void
pb_pacdial_say(struct pb_pacdial *d, uint8_t command)
{
	if (!d->up || d->says == sizeof(d->say))
		return;
	d->say[d->says++] = command;
	lws_callback_on_writable(d->wsi);
}
