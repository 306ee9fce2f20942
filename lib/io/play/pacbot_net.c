/* pacbot_net.c - the Pacbot server's ports, and a client's connection to one:
 * WebSocket and plain TCP. */
#include "io/play/pacbot_net.h"

#include <errno.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "io/stream/msg.h"
#include "io/stream/net.h"
#include "io/stream/pace.h"

/* Connections at once, and commands of each in one tick; room for all. */
enum { CLIENTS = 32, COMMANDS = 32 };
_Static_assert(
    CLIENTS *COMMANDS * 3 <= sizeof(((struct pb_inbox *)0)->byte), "inbox");

/* What the kernel may hold for a client (bytes), which Linux doubles: 15 frames
 * were found to wait there. What waits on the client's side is its own. */
#define HELD 2048

/* Frames that are under way at the end have so long (s). */
#define LAST 1

/* A server without frames is noted after so long (s). */
#define SILENT 5

struct pb_pacnet {
	struct pb_net_server server;
	const struct pb_opt_list *trust;
	struct pb_inbox *in;
	bool greet;
	int viewers; /* connections that get frames */
	int shown;   /* of them, who have got the newest */
	uint32_t tick;
	uint8_t frame[PB_PACBOT_FRAME];
};

/* What is known of a connection; zeroed when it begins. */
struct viewer {
	bool trusted;
	uint32_t shown; /* tick of the last frame */
	uint32_t tick;  /* in which these commands came */
	int commands;
	uint8_t part[3]; /* of a command on TCP that is not yet whole */
	int parts;
};

/* The address as numbers, as its system writes it. False: it has none. */
static bool
number(const struct sockaddr *from, socklen_t n, char *out, size_t size)
{
	const char *mapped = "::ffff:";

	if (getnameinfo(
		from, n, out, (socklen_t)size, NULL, 0, NI_NUMERICHOST) != 0)
		return false;
	if (strncmp(out, mapped, strlen(mapped)) == 0)
		memmove(out, out + strlen(mapped),
		    strlen(out + strlen(mapped)) + 1);
	return true;
}

/* The same of an address that was typed. */
static bool
typed(const char *arg, char *out, size_t size)
{
	struct addrinfo *found;
	const struct addrinfo want = {
	    .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
	bool ok;

	if (getaddrinfo(arg, NULL, &want, &found) != 0)
		return false;
	ok = number(found->ai_addr, found->ai_addrlen, out, size);
	freeaddrinfo(found);
	return ok;
}

bool
pb_pacnet_check(
    const struct pb_opt_list *listen_to, const struct pb_opt_list *trust)
{
	struct pb_net_address a;
	char buf[PB_NET_NAME];

	for (int i = 0; i < listen_to->n; i++)
		if (!pb_net_address(listen_to->arg[i], &a))
			return pb_msg_usage("--listen: expected "
					    "[ws://|tcp://][ADDRESS:]PORT, "
					    "got \"%s\"",
			    listen_to->arg[i]);
	for (int i = 0; i < trust->n; i++)
		if (strcmp(trust->arg[i], "all") != 0 &&
		    strcmp(trust->arg[i], "none") != 0 &&
		    !typed(trust->arg[i], buf, sizeof(buf)))
			return pb_msg_usage("--trust: expected an IP address, "
					    "all or none, got \"%s\"",
			    trust->arg[i]);
	return true;
}

static bool
is_trusted(const struct pb_opt_list *trust, int fd)
{
	struct sockaddr_storage from;
	socklen_t n = sizeof(from);
	char peer[PB_NET_NAME];
	char one[PB_NET_NAME];

	if (getpeername(fd, (struct sockaddr *)&from, &n) != 0 ||
	    !number((struct sockaddr *)&from, n, peer, sizeof(peer)))
		return false;
	if (trust->n == 0)
		return strncmp(peer, "127.", 4) == 0 ||
		       strcmp(peer, "::1") == 0;
	for (int i = 0; i < trust->n; i++)
		if (strcmp(trust->arg[i], "all") == 0 ||
		    (typed(trust->arg[i], one, sizeof(one)) &&
			strcmp(one, peer) == 0))
			return true;
	return false;
}

static void
begin(struct pb_pacnet *net, struct viewer *v, struct lws *wsi)
{
	v->trusted = is_trusted(net->trust, lws_get_socket_fd(wsi));
	v->shown = net->tick;
	net->viewers++;
	if (!net->greet || net->tick == 0) {
		net->shown++;
		return;
	}
	v->shown--;
	lws_callback_on_writable(wsi);
}

static void
end(struct pb_pacnet *net, const struct viewer *v)
{
	net->viewers--;
	net->shown -= v->shown == net->tick;
}

/* One command; those beyond what a tick allows are dropped. */
static void
take(struct pb_pacnet *net, struct viewer *v, const uint8_t *s, size_t n)
{
	struct pb_inbox *in = net->in;

	if (v->tick != net->tick)
		v->commands = 0;
	v->tick = net->tick;
	if (v->commands >= COMMANDS) {
		v->commands = COMMANDS + 1;
		return;
	}
	v->commands++;
	if (!v->trusted || n > sizeof(in->byte) - in->n)
		return;
	memcpy(in->byte + in->n, s, n);
	in->n += n;
}

/* A message is a command: its first byte, or a place. */
static void
take_message(
    struct pb_pacnet *net, struct viewer *v, const uint8_t *s, size_t n)
{
	if (n > 0 && *s != 'x')
		take(net, v, s, 1);
	else if (n >= 3)
		take(net, v, s, 3);
}

static void
take_stream(struct pb_pacnet *net, struct viewer *v, const uint8_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		v->part[v->parts++] = s[i];
		if (*v->part == 'x' && v->parts < 3)
			continue;
		take(net, v, v->part, (size_t)v->parts);
		v->parts = 0;
	}
}

/* The newest frame. -1: the connection is to end. */
static int
show(struct pb_pacnet *net, struct viewer *v, struct lws *wsi, bool ws)
{
	uint8_t buf[LWS_PRE + PB_PACBOT_FRAME];

	if (v->shown == net->tick)
		return 0;
	v->shown = net->tick;
	net->shown++;
	memcpy(buf + LWS_PRE, net->frame, PB_PACBOT_FRAME);
	return lws_write(wsi, buf + LWS_PRE, PB_PACBOT_FRAME,
		   ws ? LWS_WRITE_BINARY : LWS_WRITE_RAW) < 0
	           ? -1
	           : 0;
}

static int
on_event(struct lws *wsi, enum lws_callback_reasons why, void *user, void *s,
    size_t n)
{
	struct pb_pacnet *net = lws_context_user(lws_get_context(wsi));
	struct viewer *v = user;

	switch (why) {
	case LWS_CALLBACK_ESTABLISHED:
	case LWS_CALLBACK_RAW_ADOPT:
		begin(net, v, wsi);
		break;
	case LWS_CALLBACK_CLOSED:
	case LWS_CALLBACK_RAW_CLOSE:
		end(net, v);
		break;
	case LWS_CALLBACK_SERVER_WRITEABLE:
	case LWS_CALLBACK_RAW_WRITEABLE:
		return show(net, v, wsi, why == LWS_CALLBACK_SERVER_WRITEABLE);
	case LWS_CALLBACK_RECEIVE:
		if (lws_is_first_fragment(wsi))
			take_message(net, v, s, n);
		else
			v->commands++;
		break;
	case LWS_CALLBACK_RAW_RX:
		take_stream(net, v, s, n);
		break;
	default:
		return pb_net_server_event(&net->server, why);
	}
	/* Who sends more than that waits for the next tick. */
	if ((why == LWS_CALLBACK_RECEIVE || why == LWS_CALLBACK_RAW_RX) &&
	    v->commands > COMMANDS)
		lws_rx_flow_control(wsi, 0);
	return 0;
}

/* Two names for one: frames as messages, and back to back. */
static const struct lws_protocols speech[] = {
    {"pacbot", on_event, sizeof(struct viewer), 4096, 0, NULL, 0},
    {"pacbot-tcp", on_event, sizeof(struct viewer), 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

struct pb_pacnet *
pb_pacnet_open(const struct pb_opt_list *listen_to,
    const struct pb_opt_list *trust, bool greet, struct pb_inbox *in)
{
	struct pb_pacnet *net = pb_msg_room(sizeof(*net), "the network");
	bool ok;

	if (net == NULL)
		return NULL;
	net->trust = trust;
	net->greet = greet;
	net->in = in;
	net->server.most = CLIENTS;
	net->server.sends = HELD;
	ok = pb_net_server_open(&net->server, speech, net);
	for (int i = 0; ok && i < listen_to->n; i++)
		ok = pb_net_server_listen(&net->server, "--listen",
		    listen_to->arg[i], speech[1].name);
	if (ok)
		return net;
	pb_pacnet_close(net);
	return NULL;
}

void
pb_pacnet_serve(struct pb_pacnet *net, double s, bool answer)
{
	const struct timespec from = pb_pace_now();
	double left = s;

	while (left > 0 && !pb_msg_stopped() && !(answer && net->in->n > 0)) {
		pb_net_server_attend(&net->server, left);
		left = s - pb_pace_since(from);
	}
}

void
pb_pacnet_send(struct pb_pacnet *net, const uint8_t frame[PB_PACBOT_FRAME])
{
	memcpy(net->frame, frame, PB_PACBOT_FRAME);
	net->tick++;
	net->shown = 0;
	for (int i = 0; i < 2; i++) {
		lws_rx_flow_allow_all_protocol(
		    net->server.loop.lws, &speech[i]);
		lws_callback_on_writable_all_protocol(
		    net->server.loop.lws, &speech[i]);
	}
}

void
pb_pacnet_close(struct pb_pacnet *net)
{
	const struct timespec from = pb_pace_now();

	if (net == NULL)
		return;
	while (net->server.loop.lws != NULL && net->shown < net->viewers &&
	       pb_pace_since(from) < LAST)
		pb_net_server_attend(&net->server, PB_NET_LOOK);
	/* What is answered to it is read, or a reset overtakes the frame. */
	if (net->server.loop.lws != NULL)
		pb_pacnet_serve(net, PB_NET_LOOK, false);
	pb_net_server_close(&net->server);
	free(net);
}

/* A client's side. */
struct pb_pacdial {
	struct pb_net_client c;
	double up;  /* when it was connected at first, 0: never yet (s) */
	bool came;  /* a frame */
	bool noted; /* that none came */
	FILE *copy; /* of all frames, NULL: none */
	int frames; /* that have come and were not taken */
	uint8_t newest[PB_PACBOT_FRAME];
	uint8_t part[PB_PACBOT_FRAME];
	size_t parts;
};

static void
hear(void *user, const uint8_t *s, size_t n, bool whole)
{
	struct pb_pacdial *d = user;

	for (size_t i = 0; i < n; i++) {
		d->part[d->parts++] = s[i];
		if (d->parts < sizeof(d->part))
			continue;
		memcpy(d->newest, d->part, sizeof(d->part));
		if (d->copy != NULL)
			fwrite(d->part, 1, sizeof(d->part), d->copy);
		d->frames++;
		d->parts = 0;
	}
	/* No frame goes on in the next message. */
	if (whole)
		d->parts = 0;
}

static void
rise(void *user)
{
	struct pb_pacdial *d = user;

	d->parts = 0;
	if (d->up == 0)
		d->up = pb_pace_seconds();
}

struct pb_pacdial *
pb_pacdial_open(const char *url, double patience, FILE *copy)
{
	static const struct pb_net_calls calls = {rise, hear};
	struct pb_pacdial *d = pb_msg_room(sizeof(*d), "the network");

	if (d == NULL)
		return NULL;
	d->copy = copy;
	d->c = (struct pb_net_client){
	    .url = url, .patience = patience, .calls = &calls, .user = d};
	if (pb_net_client_open(&d->c))
		return d;
	free(d);
	return NULL;
}

void
pb_pacdial_close(struct pb_pacdial *d)
{
	if (d == NULL)
		return;
	pb_net_client_close(&d->c);
	free(d);
}

/* A server sends frames without end: who sends none is no such server. Whether
 * to wait on. */
static bool
hopes(struct pb_pacdial *d, double until)
{
	double now = pb_pace_seconds(), silent = d->up > 0 ? now - d->up : 0;

	if (d->came)
		return now < until;
	if (now >= until || silent >= d->c.patience) {
		errno = 0;
		return pb_net_client_lose(&d->c, "0 frames came");
	}
	if (silent >= SILENT && !d->noted) {
		d->noted = true;
		pb_msg_note("%s: connected, but no frame comes: is it a "
			    "Pacbot server, and that kind of port?",
		    d->c.url);
	}
	return true;
}

int
pb_pacdial_next(struct pb_pacdial *d, uint8_t *frame, double until)
{
	int n;

	/* What has come already, then what comes. */
	do {
		n = d->frames;
		pb_net_attend(&d->c.loop, 0);
	} while (d->frames > n && d->frames < 1000);
	while (d->frames == 0) {
		if (pb_msg_stopped() || !hopes(d, until) ||
		    !pb_net_client_attend(&d->c, PB_NET_LOOK))
			return 0;
	}
	d->came = true;
	memcpy(frame, d->newest, sizeof(d->newest));
	n = d->frames;
	d->frames = 0;
	return n;
}

void
pb_pacdial_say(struct pb_pacdial *d, uint8_t command)
{
	if (d->c.queue.waiting < COMMANDS)
		pb_net_client_send(&d->c, &command, 1, LWS_WRITE_BINARY);
}
