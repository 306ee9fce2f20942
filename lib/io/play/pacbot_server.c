/* pacbot_server.c - the official Pacbot server, on WebSocket and TCP ports. */
#include "io/play/pacbot_modes.h"

#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/play/play.h"
#include "io/stream/msg.h"
#include "io/stream/net.h"
#include "io/stream/pace.h"

/* Limits of connections and of their commands. */
enum {
	CLIENTS = 32,       /* connections in all */
	STRANGERS = 24,     /* connections from untrusted addresses */
	EACH = CLIENTS / 4, /* connections from one address, unless it is
	                       this machine and trusted */
	REFUSED = 32,       /* further connections that get a refusal */
	COMMANDS = 32,      /* commands of a connection in one tick */
	INBOX = CLIENTS * COMMANDS * 3 /* bytes of all commands of a tick */
};

/* Bytes that the kernel may hold for a client; Linux doubles it: 15 frames were
 * found to wait there. The client's own kernel may hold more. */
#define HELD 2048

/*
 * If all seats are taken, a connection from a trusted address gets the seat of
 * the newest that has sent nothing, untrusted ones first, after waiting this
 * long (s); older observers stay.
 */
#define SILENT 1

/* A connection ends (s) after HANDSHAKE without a WebSocket request, or after
 * IDLE without receiving or sending. A silent WebSocket is pinged after ASK, as
 * the kernel of a client that does not read still accepts much. */
enum { HANDSHAKE = 3, IDLE = 10, ASK = 7 };

/* At the end, unsent frames have this long (s). */
#define LAST 1

struct seat {
	struct lws *wsi; /* NULL: free */
	char from[PB_NET_NAME];
	bool ws;       /* on a port for WebSockets */
	bool trusted;  /* from a trusted address */
	bool refused;  /* no room: gets a refusal */
	bool commands; /* commands are accepted */
	bool masked;   /* the first frame of the WebSocket was masked */
	bool spoke;
	double came;     /* when it connected, of pb_pace_seconds() */
	uint32_t shown;  /* tick of the last frame sent */
	uint32_t tick;   /* tick of the commands counted in sent */
	int sent;        /* commands */
	uint8_t part[3]; /* beginning of a command */
	int parts;
};

struct server {
	const struct pb_pacsim *p;
	const struct pb_pacbot_rules *k;
	struct pb_pacbot_player player; /* the program that plays, if any */
	struct pb_pacbot s;
	struct pb_rng draws;
	double due; /* time of the next tick, of pb_pace_seconds() */

	struct pb_net_loop loop;
	struct lws_vhost *host;
	struct {
		int fd;
		bool ws;
	} port[2 * PB_OPT_LIST_MAX];
	int ports;
	/* Connections, including those in the handshake; the last REFUSED seats
	 * are for refusals. */
	struct seat seat[CLIENTS + REFUSED];
	int refused;   /* connections without room */
	bool warned;   /* that commands of a page are ignored */
	int viewers;   /* connections that receive frames */
	int shown;     /* those of them that got the newest */
	uint32_t tick; /* number of the newest frame */
	uint8_t frame[PB_PACBOT_FRAME];
	uint8_t inbox[INBOX]; /* commands received, back to back */
	size_t n;
};

/* Write the address in numbers, as getnameinfo() does. False: it has none. */
static bool
format_address(const struct sockaddr *from, socklen_t n, char *out, size_t size)
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

/* Parse an address that was typed, and write it in the same way. */
static bool
parse_address(const char *arg, char *out, size_t size)
{
	struct addrinfo *found;
	const struct addrinfo want = {
	    .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
	bool ok;

	if (getaddrinfo(arg, NULL, &want, &found) != 0)
		return false;
	ok = format_address(found->ai_addr, found->ai_addrlen, out, size);
	freeaddrinfo(found);
	return ok;
}

/* Returns the host of [SCHEME://]HOST[:PORT], cut out of url. */
static const char *
cut_host(char *url)
{
	const char *scheme, *host, *path;
	int port;

	return pb_lws()->parse_uri(url, &scheme, &host, &port, &path) ? ""
	                                                              : host;
}

bool
pb_pacbot_ports(const struct pb_pacsim_opts *o)
{
	const char *arg, *want = NULL;
	struct pb_net_address a;
	char buf[PB_NET_NAME];

	for (int i = 0; want == NULL && i < o->listen.n; i++)
		if (!pb_net_address(arg = o->listen.arg[i], &a))
			want = "listen: expected [ws://|tcp://][ADDRESS:]PORT";
	for (int i = 0; want == NULL && i < o->trust.n; i++)
		if (strcmp(arg = o->trust.arg[i], "all") != 0 &&
		    strcmp(arg, "none") != 0 &&
		    !parse_address(arg, buf, sizeof(buf)))
			want = "trust: expected an IP address, all or none";
	for (int i = 0; want == NULL && i < o->origin.n; i++) {
		snprintf(buf, sizeof(buf), "%s", arg = o->origin.arg[i]);
		if (strpbrk(buf, " *,") != NULL || *cut_host(buf) == '\0')
			want = "origin: expected [SCHEME://]HOST[:PORT]";
	}
	return want == NULL || pb_msg_usage("--%s, got \"%s\"", want, arg);
}

static bool
is_loopback(const char *address)
{
	return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

/* Whether commands from a formatted address are accepted. */
static bool
is_trusted(const struct pb_opt_list *trust, const char *peer)
{
	char one[PB_NET_NAME];

	if (trust->n == 0)
		return is_loopback(peer);
	for (int i = 0; i < trust->n; i++)
		if (strcmp(trust->arg[i], "all") == 0 ||
		    (parse_address(trust->arg[i], one, sizeof(one)) &&
			strcmp(one, peer) == 0))
			return true;
	return false;
}

/* Whether a host is this machine or in --origin; address: or a numeric
 * address. */
static bool
is_known(const struct pb_opt_list *origin, const char *host, bool address)
{
	char one[PB_NET_NAME];

	if (strcasecmp(host, "localhost") == 0 ||
	    (parse_address(host, one, sizeof(one)) &&
		(address || is_loopback(one))))
		return true;
	for (int i = 0; i < origin->n; i++) {
		snprintf(one, sizeof(one), "%s", origin->arg[i]);
		if (strcasecmp(cut_host(one), host) == 0)
			return true;
	}
	return false;
}

/* Any page in a browser may connect to this machine, and by DNS rebinding under
 * a foreign name: both the page's origin and the Host header must be known. */
static bool
is_page_known(const struct pb_opt_list *origin, struct lws *wsi)
{
	char page[PB_NET_NAME], host[PB_NET_NAME];
	int n = pb_lws()->hdr_copy(wsi, page, sizeof(page), WSI_TOKEN_ORIGIN);

	return (n == 0 || (n > 0 && is_known(origin, cut_host(page), false))) &&
	       pb_lws()->hdr_copy(wsi, host, sizeof(host), WSI_TOKEN_HOST) >
	           0 &&
	       is_known(origin, cut_host(host), true);
}

/* Whether there is a seat for a connection with its address and trust. */
static bool
has_room(struct server *v, const struct seat *w)
{
	int taken = 0, strangers = 0, same = 0;
	const double now = pb_pace_seconds();
	struct seat *last = NULL;

	for (struct seat *i = v->seat; i < v->seat + CLIENTS; i++) {
		if (i->wsi == NULL)
			continue;
		taken++;
		strangers += !i->trusted;
		same += strcmp(i->from, w->from) == 0;
		if (!i->spoke && (i->trusted || now - i->came >= SILENT) &&
		    (last == NULL || i->trusted < last->trusted ||
			(i->trusted == last->trusted && i->came > last->came)))
			last = i;
	}
	if (same >= EACH && !(w->trusted && is_loopback(w->from)))
		return false;
	if (!w->trusted)
		return strangers < STRANGERS && taken < CLIENTS;
	if (taken == CLIENTS && last != NULL && now - last->came >= SILENT) {
		pb_lws()->set_timeout(
		    last->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
		v->refused++;
		taken--;
	}
	return taken < CLIENTS;
}

/* Queue one command; drop those beyond what a tick allows. */
static void
queue_command(struct server *v, struct seat *w, const uint8_t *s, size_t n)
{
	if (w->tick != v->tick)
		w->sent = 0;
	w->tick = v->tick;
	if (w->sent >= COMMANDS) {
		w->sent = COMMANDS + 1;
		return;
	}
	w->sent++;
	if (!w->commands || n > sizeof(v->inbox) - v->n)
		return;
	memcpy(v->inbox + v->n, s, n);
	v->n += n;
}

/* Queue the command in a message of n bytes: its first byte, or a place. */
static void
queue_message(
    struct server *v, struct seat *w, const uint8_t *s, size_t n, bool whole)
{
	for (; n > 0 && w->parts < 3; n--)
		w->part[w->parts++] = *s++;
	w->sent += !whole;
	if (!whole)
		return;
	if (w->parts > 0 && *w->part != 'x')
		queue_command(v, w, w->part, 1);
	else if (w->parts == 3)
		queue_command(v, w, w->part, 3);
	w->parts = 0;
}

static void
queue_stream(struct server *v, struct seat *w, const uint8_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		w->part[w->parts++] = s[i];
		if (*w->part == 'x' && w->parts < 3)
			continue;
		queue_command(v, w, w->part, (size_t)w->parts);
		w->parts = 0;
	}
}

/* Accept data of a WebSocket once its first frame was masked, as RFC 6455
 * demands; libwebsockets does not check that. False: it was not. */
static bool
check_mask(struct seat *w)
{
	uint8_t head[2];
	ssize_t n = recv(pb_lws()->get_socket_fd(w->wsi), head, sizeof(head),
	    MSG_PEEK | MSG_DONTWAIT);

	w->masked = n == 0 || (n == 2 && head[1] >> 7);
	if (w->masked)
		pb_lws()->rx_flow_control(w->wsi, 1);
	return w->masked || n != 2;
}

/* Send the newest frame. -1: close the connection. */
static int
send_newest(struct server *v, struct seat *w)
{
	uint8_t buf[LWS_PRE + PB_PACBOT_FRAME];

	if (!w->masked && !check_mask(w)) {
		pb_lws()->close_reason(
		    w->wsi, LWS_CLOSE_STATUS_PROTOCOL_ERR, NULL, 0);
		return -1;
	}
	if (w->shown == v->tick)
		return 0;
	w->shown = v->tick;
	v->shown++;
	pb_lws()->set_timer_usecs(w->wsi, IDLE * LWS_USEC_PER_SEC);
	memcpy(buf + LWS_PRE, v->frame, PB_PACBOT_FRAME);
	return pb_lws()->write(w->wsi, buf + LWS_PRE, PB_PACBOT_FRAME,
		   w->ws ? LWS_WRITE_BINARY : LWS_WRITE_RAW) < 0
	           ? -1
	           : 0;
}

/* Write the URL on which a socket listens or was reached. */
enum { URL = PB_NET_NAME + 16 };
static void
write_url(int fd, bool ws, char out[URL])
{
	struct sockaddr_storage at;
	socklen_t n = sizeof(at);
	char host[PB_NET_NAME] = "", port[6] = "";
	bool six;

	if (getsockname(fd, (struct sockaddr *)&at, &n) == 0)
		getnameinfo((struct sockaddr *)&at, n, host, sizeof(host), port,
		    sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV);
	six = strchr(host, ':') != NULL;
	snprintf(out, URL, "%s://%s%s%s:%s", ws ? "ws" : "tcp", six ? "[" : "",
	    host, six ? "]" : "", port);
}

/* Answer an HTTP request for `upgrade`, NULL: for a page. 0: it may become a
 * WebSocket. */
static int
answer_request(const struct seat *w, const char *upgrade)
{
	char version[3] = "", at[URL], text[URL + 80];

	if (w->refused) {
		pb_lws()->return_http_status(w->wsi,
		    HTTP_STATUS_SERVICE_UNAVAILABLE,
		    "All places of this server are taken. Try again later.");
		return -1;
	}
	pb_lws()->hdr_copy(w->wsi, version, sizeof(version), WSI_TOKEN_VERSION);
	if (upgrade != NULL && strcasecmp(upgrade, "websocket") == 0 &&
	    strcmp(version, "13") == 0)
		return 0;
	write_url(pb_lws()->get_socket_fd(w->wsi), true, at);
	snprintf(text, sizeof(text),
	    "This is a game on a WebSocket, version 13, and no page: connect "
	    "to %s/",
	    at);
	pb_lws()->return_http_status(w->wsi, 426, text);
	return -1;
}

/* Give a connection its seat: it receives frames from now on. */
static void
admit_seat(struct server *v, struct seat *w)
{
	w->commands =
	    w->trusted && (!w->ws || is_page_known(&v->p->o->origin, w->wsi));
	if (w->trusted && !w->commands && !v->warned)
		pb_msg_note(
		    "ignoring commands of a web page: its host, or "
		    "the host name that it uses for this server, is not in "
		    "--origin");
	v->warned |= w->trusted && !w->commands;
	w->shown = v->tick;
	w->masked = !w->ws;
	v->viewers++;
	v->shown++;
	pb_lws()->rx_flow_control(w->wsi, w->masked);
	pb_lws()->set_timer_usecs(w->wsi, IDLE * LWS_USEC_PER_SEC);
}

static int
on_event(struct lws *wsi, enum lws_callback_reasons why, void *user, void *s,
    size_t n)
{
	struct server *v = pb_lws()->context_user(pb_lws()->get_context(wsi));
	struct seat *w = pb_lws()->get_opaque_user_data(wsi);

	(void)user;
	if (w == NULL)
		return 0;
	w->wsi = wsi;
	switch (why) {
	case LWS_CALLBACK_WSI_DESTROY:
		*w = (struct seat){.wsi = NULL};
		break;
	case LWS_CALLBACK_HTTP:
		return answer_request(w, NULL);
	case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
		return answer_request(w, s);
	case LWS_CALLBACK_ESTABLISHED:
	case LWS_CALLBACK_RAW_ADOPT:
		/* libwebsockets turns an HTTP CONNECT tunnel into a stream:
		 * refuse it. */
		if (w->ws != (why == LWS_CALLBACK_ESTABLISHED))
			return -1;
		admit_seat(v, w);
		break;
	case LWS_CALLBACK_CLOSED:
	case LWS_CALLBACK_RAW_CLOSE:
		v->viewers--;
		v->shown -= w->shown == v->tick;
		w->masked = false;
		break;
	case LWS_CALLBACK_SERVER_WRITEABLE:
	case LWS_CALLBACK_RAW_WRITEABLE:
		return send_newest(v, w);
	case LWS_CALLBACK_RECEIVE:
		queue_message(v, w, s, n,
		    pb_lws()->is_final_fragment(wsi) &&
			pb_lws()->remaining_packet_payload(wsi) == 0);
		break;
	case LWS_CALLBACK_RAW_RX:
		queue_stream(v, w, s, n);
		break;
	case LWS_CALLBACK_TIMER:
		pb_lws()->set_timeout(
		    wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
		break;
	default:
		break;
	}
	if (why != LWS_CALLBACK_RECEIVE && why != LWS_CALLBACK_RAW_RX)
		return 0;
	w->spoke = true;
	pb_lws()->set_timer_usecs(wsi, IDLE * LWS_USEC_PER_SEC);
	pb_lws()->validity_confirmed(wsi);
	/* Read further commands in the next tick. */
	if (w->sent > COMMANDS)
		pb_lws()->rx_flow_control(wsi, 0);
	return 0;
}

static const struct lws_protocols speech[] = {
    {"pacbot", on_event, 0, 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

/* Open a socket that listens at a; -1 with errno on failure. Connections
 * inherit its TCP options. */
static int
listen_at(const struct addrinfo *a)
{
	const int yes = 1, held = HELD;
	int fd = socket(a->ai_family, SOCK_STREAM, 0), e;

	if (fd < 0 ||
	    (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) == 0 &&
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) ==
		    0 &&
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &held, sizeof(held)) ==
		    0 &&
		bind(fd, a->ai_addr, a->ai_addrlen) == 0 &&
		listen(fd, SOMAXCONN) == 0 &&
		fcntl(fd, F_SETFL, O_NONBLOCK) == 0 &&
		fcntl(fd, F_SETFD, FD_CLOEXEC) == 0))
		return fd;
	e = errno;
	close(fd);
	errno = e;
	return -1;
}

/* Listen at a port of a host. Returns false, with a message, if it cannot. */
static bool
open_port(struct server *v, const char *arg, const char *host, const char *port,
    bool ws)
{
	const struct addrinfo want = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
	    .ai_socktype = SOCK_STREAM};
	struct addrinfo *at;
	char url[URL];
	int e = getaddrinfo(host, port, &want, &at), fd = -1;
	bool also = strcmp(host, "::1") == 0 && strstr(arg, host) == NULL;

	if (e != 0) {
		errno = 0;
		return pb_msg_system("--listen %s: %s", arg, gai_strerror(e));
	}
	for (const struct addrinfo *i = at; i && fd < 0; i = i->ai_next)
		fd = listen_at(i);
	freeaddrinfo(at);
	/* The machine may lack IPv6. */
	if (fd < 0)
		return (also && errno != EADDRINUSE) ||
		       pb_msg_system("--listen %s: cannot listen", arg);
	write_url(fd, ws, url);
	pb_msg_note("%s %s", also ? "and on" : "listening on", url);
	v->port[v->ports].fd = fd;
	v->port[v->ports++].ws = ws;
	return true;
}

/* Accept the connections that wait at a port. */
static void
accept_waiting(struct server *v, int fd, bool ws)
{
	struct sockaddr_storage from;
	socklen_t n = sizeof(from);
	int s;

	while ((s = accept(fd, (struct sockaddr *)&from, &n)) >= 0) {
		struct seat w = {.ws = ws, .came = pb_pace_seconds()},
			    *at = v->seat;

		format_address(
		    (struct sockaddr *)&from, n, w.from, sizeof(w.from));
		n = sizeof(from);
		w.trusted = is_trusted(&v->p->o->trust, w.from);
		w.refused = !has_room(v, &w);
		v->refused += w.refused;
		at += w.refused ? CLIENTS : 0;
		while (at < v->seat + CLIENTS + REFUSED && at->wsi != NULL)
			at++;
		if (at == v->seat + CLIENTS + REFUSED || (w.refused && !ws)) {
			close(s);
			continue;
		}
		*at = w;
		pb_lws()->adopt_descriptor_vhost_via_info(
		    &(lws_adopt_desc_t){.vh = v->host,
			.type = LWS_ADOPT_SOCKET | (ws ? LWS_ADOPT_HTTP : 0),
			.fd.sockfd = s,
			.vh_prot_name = ws ? NULL : speech->name,
			.opaque = at});
		if (ws && at->wsi != NULL)
			pb_lws()->set_timer_usecs(
			    at->wsi, HANDSHAKE * LWS_USEC_PER_SEC);
	}
}

/* Accept connections, and handle events of the network for t seconds. */
static void
attend_network(struct server *v, double t)
{
	for (int i = 0; i < v->ports; i++)
		accept_waiting(v, v->port[i].fd, v->port[i].ws);
	pb_net_attend(&v->loop, t);
}

static bool
open_ports(struct server *v)
{
	/* Header of HTTP answers. */
	static const struct lws_protocol_vhost_options
	    shut = {.name = "connection:", .value = "close"},
	    version = {.next = &shut,
		.name = "sec-websocket-version:",
		.value = "13"},
	    upgrade = {
		.next = &version, .name = "upgrade:", .value = "websocket"};
	static const lws_retry_bo_t silence = {
	    .secs_since_valid_ping = ASK, .secs_since_valid_hangup = IDLE};
	const struct lws_context_creation_info how = {
	    .port = CONTEXT_PORT_NO_LISTEN_SERVER,
	    .protocols = speech,
	    .headers = &upgrade,
	    .retry_and_idle_policy = &silence,
	    .fd_limit_per_thread = CLIENTS + REFUSED + 32,
	    .user = v};
	const struct pb_opt_list *ports = &v->p->o->listen;
	struct pb_net_address a;
	char url[URL];

	pb_net_open(&v->loop, &how);
	v->host = pb_lws()->get_vhost_by_name(v->loop.lws, "default");
	if (v->host == NULL)
		return pb_msg_system("no memory for the network");
	for (int i = 0; i < ports->n; i++) {
		const char *arg = ports->arg[i];

		pb_net_address(arg, &a);
		if (!open_port(
			v, arg, *a.host ? a.host : "127.0.0.1", a.port, a.ws))
			return false;
		/* Listen at this machine's other address with the same port. */
		write_url(v->port[v->ports - 1].fd, a.ws, url);
		if (!*a.host &&
		    !open_port(v, arg, "::1", strrchr(url, ':') + 1, a.ws))
			return false;
	}
	return true;
}

/* Handle the network until then, once at least: a program that plays may be
 * slower than the ticks. A signal ends it early. */
static void
serve_ports(struct server *v, double until)
{
	do
		attend_network(v, until - pb_pace_seconds());
	while (until > pb_pace_seconds() && !pb_msg_stopped());
}

/* Send a frame to all; a connection that has not taken the previous one skips
 * it. */
static void
send_frame(struct server *v)
{
	pb_pacbot_frame(&v->s, v->frame);
	v->tick++;
	v->shown = 0;
	for (int i = 0; i < CLIENTS + REFUSED; i++)
		if (v->seat[i].masked)
			pb_lws()->rx_flow_control(v->seat[i].wsi, 1);
	pb_lws()->callback_on_writable_all_protocol(v->loop.lws, speech);
}

/* Wait until the last frame is sent, and disconnect. */
static void
close_ports(struct server *v)
{
	const double end = pb_pace_seconds() + LAST;

	while (v->loop.lws != NULL && v->shown < v->viewers &&
	       pb_pace_seconds() < end)
		attend_network(v, PB_NET_LOOK);
	/* Read the clients' answers first: a reset would overtake the frame. */
	if (v->loop.lws != NULL)
		serve_ports(v, pb_pace_seconds() + PB_NET_LOOK);
	pb_net_close(&v->loop);
	while (v->ports > 0)
		close(v->port[--v->ports].fd);
}

/* The state of the match as the referee sees it. */
static enum pb_match_ending
find_ending(const struct server *v)
{
	return v->p->o->referee ? pb_pacbot_standing(&v->s, v->p->game->levels)
	                        : PB_MATCH_ON;
}

/* Wait for the next tick; missed ticks are not made up for. */
static void
wait_for_tick(struct server *v)
{
	double tick = 1 / (PB_PACBOT_FPS * v->p->o->speed), now;

	v->due += tick;
	serve_ports(v, v->due);
	now = pb_pace_seconds();
	if (now - v->due >= tick)
		v->due = now;
}

/* Run one iteration of the server's loop, in the order of its rules. False: it
 * was the last. */
static bool
run_iteration(struct server *v)
{
	const struct pb_arcade_draw d = {
	    .pick = pb_arcade_any_way, .ctx = &v->draws};
	const uint8_t play = 'P';
	uint8_t byte;

	pb_pacbot_begin(&v->s, v->k, &d);
	send_frame(v);
	if (find_ending(v) != PB_MATCH_ON)
		return false;
	if (v->p->o->referee && v->s.paused)
		pb_pacbot_command(&v->s, v->k, &d, &play, 1);
	if (v->p->o->agent != NULL &&
	    (byte = (uint8_t)pb_pacbot_player_ask(&v->player, &v->s)) != 0)
		pb_pacbot_command(&v->s, v->k, &d, &byte, 1);
	if (v->player.programs.failed)
		return false;
	for (size_t at = 0, n; at < v->n; at += n) {
		n = v->inbox[at] == 'x' ? 3 : 1;
		pb_pacbot_command(&v->s, v->k, &d, v->inbox + at, (int)n);
	}
	v->n = 0;
	if (find_ending(v) == PB_MATCH_CLEARED) {
		send_frame(v);
		return false;
	}
	pb_pacbot_end(&v->s);
	return true;
}

void
pb_pacbot_serve(const struct pb_pacsim *p, const struct pb_match_board *b)
{
	struct server *v = pb_alloc(1, sizeof(*v));
	struct pb_text out = {.to = stdout};
	enum pb_match_ending e;

	v->p = p;
	v->k = &b->rules;
	pb_pacbot_player_open(&v->player, p, b, NULL);
	if (!open_ports(v)) {
		close_ports(v);
		pb_pacbot_player_close(&v->player);
		free(v);
		return;
	}
	pb_rng_start(&v->draws, p->play->session->seed, p->play->session->trial,
	    PB_FOR_GHOST, 0);
	pb_pacbot_init(&v->s, v->k, p->game->ghosts);
	v->s.lives = (uint8_t)p->game->lives;
	v->due = pb_pace_seconds();
	while (!pb_msg_stopped() && run_iteration(v))
		wait_for_tick(v);
	close_ports(v);
	if (v->refused > 0)
		pb_msg_note("refused %d connections: all places were taken",
		    v->refused);
	e = find_ending(v);
	if (p->o->agent != NULL)
		pb_pacbot_player_result(&v->player, &v->s, "interrupted", &out);
	else
		pb_pacbot_note_end(e == PB_MATCH_ON ? "no more commands"
						    : pb_match_ending_name(e),
		    &v->s);
	pb_pacbot_player_close(&v->player);
	free(v);
	pb_text_clear(&out);
}
