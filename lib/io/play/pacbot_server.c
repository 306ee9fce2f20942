/* pacbot_server.c - the official Pacbot server, on WebSocket and TCP ports. */
#include "io/play/pacbot_modes.h"

#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/play/play.h"
#include "io/stream/msg.h"
#include "io/stream/net.h"
#include "io/stream/pace.h"

/* Connections at once, and commands of each in one tick; room for all. */
enum { CLIENTS = 32, COMMANDS = 32, INBOX = CLIENTS * COMMANDS * 3 };

/* What the kernel may hold for a client (bytes), which Linux doubles: 15 frames
 * were found to wait there. What waits on the client's side is its own. */
#define HELD 2048

/* When all seats are taken, the newest connection that has sent nothing leaves
 * for another, once it has been there for 24 ticks (1 s). */
#define SILENT 24

/* Frames that are under way at the end have so long (s). */
#define LAST 1

struct server {
	const struct pb_pacsim *p;
	const struct pb_pacbot_rules *k;
	struct pb_pacbot s;
	struct pb_rng draws;
	struct timespec from; /* when the first of so many ticks was due */
	double ticks;

	struct pb_net_loop loop;
	struct lws_vhost *host;
	struct {
		int fd;
		bool ws;
	} port[PB_OPT_LIST_MAX];
	int ports;
	/* Connections, those that still shake hands included; NULL: free. */
	struct {
		struct lws *wsi;
		uint32_t came; /* tick */
		bool spoke;
	} seat[CLIENTS];
	int viewers;   /* connections that get frames */
	int shown;     /* of them, who have got the newest */
	uint32_t tick; /* number of the newest frame */
	uint8_t frame[PB_PACBOT_FRAME];
	uint8_t inbox[INBOX]; /* commands that have come, back to back */
	size_t n;
};

/* What is known of a connection; zeroed when it begins. */
struct viewer {
	bool trusted;
	uint32_t shown; /* tick of the last frame */
	uint32_t tick;  /* in which these commands came */
	int commands;
	uint8_t part[3]; /* of a command that is not yet whole */
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
pb_pacbot_ports(
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

/* Whether commands from an address, as its system writes it, are taken. */
static bool
trusts(const struct pb_opt_list *trust, const char *peer)
{
	char one[PB_NET_NAME];

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

/*
 * Any page that somebody looks at may connect to this machine: its origin must
 * be a trusted address, too. A name is none, but localhost: its owner may have
 * it mean any address.
 */
static bool
is_page_trusted(const struct pb_opt_list *trust, struct lws *wsi)
{
	char page[PB_NET_NAME] = "", peer[PB_NET_NAME], *host;
	int n = lws_hdr_copy(wsi, page, sizeof(page), WSI_TOKEN_ORIGIN);

	if (n == 0)
		return true; /* no page */
	host = strstr(page, "://");
	host = host != NULL ? host + 3 : page;
	host[strcspn(host, *host == '[' ? "]" : ":")] = '\0';
	host += *host == '[';
	if (strcmp(host, "localhost") == 0)
		host = "127.0.0.1";
	return trusts(
	    trust, typed(host, peer, sizeof(peer)) ? peer : "another's page");
}

static bool
is_trusted(const struct pb_opt_list *trust, struct lws *wsi, bool ws)
{
	struct sockaddr_storage from;
	socklen_t n = sizeof(from);
	char peer[PB_NET_NAME];

	return getpeername(
		   lws_get_socket_fd(wsi), (struct sockaddr *)&from, &n) == 0 &&
	       number((struct sockaddr *)&from, n, peer, sizeof(peer)) &&
	       trusts(trust, peer) && (!ws || is_page_trusted(trust, wsi));
}

/* The seat of a connection, of NULL a free one; -1: none. */
static int
find_seat(const struct server *v, const struct lws *wsi)
{
	for (int i = 0; i < CLIENTS; i++)
		if (v->seat[i].wsi == wsi)
			return i;
	return -1;
}

static void
change_seat(
    struct server *v, const struct lws *from, struct lws *to, bool spoke)
{
	int i = find_seat(v, from);

	if (i < 0)
		return;
	v->seat[i].wsi = to;
	v->seat[i].spoke = spoke;
	if (!spoke)
		v->seat[i].came = v->tick;
}

static bool
has_room(struct server *v)
{
	int last = -1;

	for (int i = 0; i < CLIENTS; i++)
		if (!v->seat[i].spoke &&
		    (last < 0 || v->seat[i].came > v->seat[last].came))
			last = i;
	if (find_seat(v, NULL) < 0 && last >= 0 &&
	    v->tick - v->seat[last].came >= SILENT)
		lws_set_timeout(v->seat[last].wsi, PENDING_TIMEOUT_USER_OK,
		    LWS_TO_KILL_SYNC);
	return find_seat(v, NULL) >= 0;
}

/* Keep one command; those beyond what a tick allows are dropped. */
static void
keep_command(struct server *v, struct viewer *w, const uint8_t *s, size_t n)
{
	if (w->tick != v->tick)
		w->commands = 0;
	w->tick = v->tick;
	if (w->commands >= COMMANDS) {
		w->commands = COMMANDS + 1;
		return;
	}
	w->commands++;
	if (!w->trusted || n > sizeof(v->inbox) - v->n)
		return;
	memcpy(v->inbox + v->n, s, n);
	v->n += n;
}

/* A message is a command: its first byte, or a place. Of it, n bytes came. */
static void
keep_message(
    struct server *v, struct viewer *w, const uint8_t *s, size_t n, bool whole)
{
	for (; n > 0 && w->parts < 3; n--)
		w->part[w->parts++] = *s++;
	w->commands += !whole;
	if (!whole)
		return;
	if (w->parts > 0 && *w->part != 'x')
		keep_command(v, w, w->part, 1);
	else if (w->parts == 3)
		keep_command(v, w, w->part, 3);
	w->parts = 0;
}

static void
keep_stream(struct server *v, struct viewer *w, const uint8_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		w->part[w->parts++] = s[i];
		if (*w->part == 'x' && w->parts < 3)
			continue;
		keep_command(v, w, w->part, (size_t)w->parts);
		w->parts = 0;
	}
}

/* Send the newest frame. -1: the connection is to end. */
static int
show(struct server *v, struct viewer *w, struct lws *wsi, bool ws)
{
	uint8_t buf[LWS_PRE + PB_PACBOT_FRAME];

	if (w->shown == v->tick)
		return 0;
	w->shown = v->tick;
	v->shown++;
	memcpy(buf + LWS_PRE, v->frame, PB_PACBOT_FRAME);
	return lws_write(wsi, buf + LWS_PRE, PB_PACBOT_FRAME,
		   ws ? LWS_WRITE_BINARY : LWS_WRITE_RAW) < 0
	           ? -1
	           : 0;
}

static int
on_event(struct lws *wsi, enum lws_callback_reasons why, void *user, void *s,
    size_t n)
{
	struct server *v = lws_context_user(lws_get_context(wsi));
	struct viewer *w = user;

	switch (why) {
	case LWS_CALLBACK_ESTABLISHED:
	case LWS_CALLBACK_RAW_ADOPT:
		w->trusted = is_trusted(
		    &v->p->o->trust, wsi, why == LWS_CALLBACK_ESTABLISHED);
		w->shown = v->tick;
		v->viewers++;
		v->shown++;
		break;
	case LWS_CALLBACK_CLOSED:
	case LWS_CALLBACK_RAW_CLOSE:
		v->viewers--;
		v->shown -= w->shown == v->tick;
		break;
	case LWS_CALLBACK_SERVER_WRITEABLE:
	case LWS_CALLBACK_RAW_WRITEABLE:
		return show(v, w, wsi, why == LWS_CALLBACK_SERVER_WRITEABLE);
	case LWS_CALLBACK_RECEIVE:
		keep_message(v, w, s, n,
		    lws_is_final_fragment(wsi) &&
			lws_remaining_packet_payload(wsi) == 0);
		break;
	case LWS_CALLBACK_RAW_RX:
		keep_stream(v, w, s, n);
		break;
	default:
		if (why == LWS_CALLBACK_WSI_CREATE)
			change_seat(v, NULL, wsi, false);
		if (why == LWS_CALLBACK_WSI_DESTROY)
			change_seat(v, wsi, NULL, false);
		/* A page is asked for; there is none. */
		return why == LWS_CALLBACK_HTTP ? -1 : 0;
	}
	if (why != LWS_CALLBACK_RECEIVE && why != LWS_CALLBACK_RAW_RX)
		return 0;
	change_seat(v, wsi, wsi, true);
	/* Who sends more than that waits for the next tick. */
	if (w->commands > COMMANDS)
		lws_rx_flow_control(wsi, 0);
	return 0;
}

/* Two names for one: frames as messages, and back to back. */
static const struct lws_protocols speech[] = {
    {"pacbot", on_event, sizeof(struct viewer), 4096, 0, NULL, 0},
    {"pacbot-tcp", on_event, sizeof(struct viewer), 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

/* Say where it listens. */
static void
note_port(int fd, bool ws)
{
	struct sockaddr_storage at;
	socklen_t n = sizeof(at);
	char host[PB_NET_NAME];
	char port[PB_NET_NAME];
	bool six;

	if (getsockname(fd, (struct sockaddr *)&at, &n) != 0 ||
	    getnameinfo((struct sockaddr *)&at, n, host, sizeof(host), port,
		sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return;
	six = at.ss_family == AF_INET6;
	pb_msg_note("listening on %s://%s%s%s:%s", ws ? "ws" : "tcp",
	    six ? "[" : "", host, six ? "]" : "", port);
}

/* A socket that listens at a; -1 and errno: none. */
static int
listen_at(const struct addrinfo *a)
{
	const int yes = 1;
	int fd = socket(a->ai_family, SOCK_STREAM, 0), e;

	if (fd < 0 ||
	    (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) == 0 &&
		bind(fd, a->ai_addr, a->ai_addrlen) == 0 &&
		listen(fd, CLIENTS) == 0 &&
		fcntl(fd, F_SETFL, O_NONBLOCK) == 0 &&
		fcntl(fd, F_SETFD, FD_CLOEXEC) == 0))
		return fd;
	e = errno;
	close(fd);
	errno = e;
	return -1;
}

/* Listen at a port, on this machine if it names no host. False if it cannot be
 * had, which was said. */
static bool
open_port(struct server *v, const char *arg)
{
	const struct addrinfo want = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
	    .ai_socktype = SOCK_STREAM};
	struct addrinfo *at;
	struct pb_net_address a;
	int e, fd = -1;

	if (!pb_net_address(arg, &a))
		return false;
	e = getaddrinfo(*a.host ? a.host : "127.0.0.1", a.port, &want, &at);
	if (e != 0) {
		errno = 0;
		return pb_msg_system("--listen %s: %s", arg, gai_strerror(e));
	}
	for (const struct addrinfo *i = at; i && fd < 0; i = i->ai_next)
		fd = listen_at(i);
	freeaddrinfo(at);
	if (fd < 0)
		return pb_msg_system("--listen %s: cannot listen", arg);
	note_port(fd, a.ws);
	v->port[v->ports].fd = fd;
	v->port[v->ports++].ws = a.ws;
	return true;
}

/* The next who knocks, -1: nobody does. */
static int
next_socket(struct server *v, int fd)
{
	const int yes = 1, held = HELD;
	int s;

	while ((s = accept(fd, NULL, NULL)) >= 0) {
		if (!has_room(v) || fcntl(s, F_SETFL, O_NONBLOCK) != 0 ||
		    fcntl(s, F_SETFD, FD_CLOEXEC) != 0) {
			close(s);
			continue;
		}
		setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
		setsockopt(s, SOL_SOCKET, SO_SNDBUF, &held, sizeof(held));
		return s;
	}
	return -1;
}

/* Let in who knocks, and then what happens within t (s). */
static void
attend(struct server *v, double t)
{
	lws_sock_file_fd_type one;

	for (int i = 0; i < v->ports; i++)
		while ((one.sockfd = next_socket(v, v->port[i].fd)) >= 0)
			lws_adopt_descriptor_vhost(v->host,
			    v->port[i].ws ? LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP
					  : LWS_ADOPT_SOCKET,
			    one, v->port[i].ws ? NULL : speech[1].name, NULL);
	pb_net_attend(&v->loop, t);
}

static bool
open_ports(struct server *v)
{
	const struct pb_opt_list *ports = &v->p->o->listen;

	pb_net_open(
	    &v->loop, speech, CONTEXT_PORT_NO_LISTEN_SERVER, CLIENTS, v);
	v->host = lws_get_vhost_by_name(v->loop.lws, "default");
	if (v->host == NULL)
		return pb_msg_system("no memory for the network");
	for (int i = 0; i < ports->n; i++)
		if (!open_port(v, ports->arg[i]))
			return false;
	return true;
}

/* Serve the ports for s (s); a signal ends it early. */
static void
serve_ports(struct server *v, double s)
{
	const struct timespec from = pb_pace_now();
	double left = s;

	while (left > 0 && !pb_msg_stopped()) {
		attend(v, left);
		left = s - pb_pace_since(from);
	}
}

/* Who has not taken the frame before does not get it any more. */
static void
send_frame(struct server *v)
{
	pb_pacbot_frame(&v->s, v->frame);
	v->tick++;
	v->shown = 0;
	for (int i = 0; i < 2; i++) {
		lws_rx_flow_allow_all_protocol(v->loop.lws, &speech[i]);
		lws_callback_on_writable_all_protocol(v->loop.lws, &speech[i]);
	}
}

/* Wait until the last frame has left, and disconnect. */
static void
close_ports(struct server *v)
{
	const struct timespec from = pb_pace_now();

	while (v->loop.lws != NULL && v->shown < v->viewers &&
	       pb_pace_since(from) < LAST)
		attend(v, PB_NET_LOOK);
	/* What is answered to it is read, or a reset overtakes the frame. */
	if (v->loop.lws != NULL)
		serve_ports(v, PB_NET_LOOK);
	pb_net_close(&v->loop);
	while (v->ports > 0)
		close(v->port[--v->ports].fd);
}

static int
pick(void *ctx, int ghost, int n)
{
	(void)ghost;
	return (int)pb_rng_below(ctx, (uint32_t)n);
}

/* How the referee sees the game. */
static enum pb_match_ending
ending(const struct server *v)
{
	return v->p->o->referee ? pb_pacbot_standing(&v->s, v->p->game->levels)
	                        : PB_MATCH_ON;
}

/* The next tick is due; those that were missed are not made up for. */
static void
wait_for_tick(struct server *v)
{
	double tick = 1 / (PB_PACBOT_FPS * v->p->o->speed);

	v->ticks++;
	serve_ports(v, v->ticks * tick - pb_pace_since(v->from));
	if (pb_pace_since(v->from) - v->ticks * tick < tick)
		return;
	v->from = pb_pace_now();
	v->ticks = 0;
}

/*
 * One iteration of the server's loop, as its rules order it. Returns whether
 * there is another.
 */
static bool
iterate(struct server *v)
{
	const struct pb_arcade_draw d = {.pick = pick, .ctx = &v->draws};
	const uint8_t play = 'P';

	pb_pacbot_begin(&v->s, v->k, &d);
	send_frame(v);
	if (ending(v) != PB_MATCH_ON)
		return false;
	if (v->p->o->referee && v->s.paused)
		pb_pacbot_command(&v->s, v->k, &d, &play, 1);
	for (size_t at = 0, n; at < v->n; at += n) {
		n = v->inbox[at] == 'x' ? 3 : 1;
		pb_pacbot_command(&v->s, v->k, &d, v->inbox + at, (int)n);
	}
	v->n = 0;
	if (ending(v) == PB_MATCH_CLEARED) {
		send_frame(v);
		return false;
	}
	pb_pacbot_end(&v->s);
	return true;
}

enum pb_match_ending
pb_pacbot_standing(const struct pb_pacbot *s, int levels)
{
	if (levels > 0 && s->level > levels)
		return PB_MATCH_CLEARED;
	if (s->lives == 0)
		return PB_MATCH_DEAD;
	if (s->paused && s->tick == UINT16_MAX)
		return levels > 0 ? PB_MATCH_CLOCK : PB_MATCH_SURVIVED;
	return PB_MATCH_ON;
}

void
pb_pacbot_note_end(const char *how, const struct pb_pacbot *s)
{
	pb_msg_note("%s: %d points, %d %s, tick %d", how, s->score, s->lives,
	    s->lives == 1 ? "life" : "lives", s->tick);
}

void
pb_pacbot_serve(const struct pb_pacsim *p, const struct pb_match_board *b)
{
	struct server v = {.p = p, .k = &b->rules};
	enum pb_match_ending e;

	if (!open_ports(&v)) {
		close_ports(&v);
		return;
	}
	pb_rng_start(&v.draws, p->play->session->seed, p->play->session->trial,
	    PB_FOR_GHOST, 0);
	pb_pacbot_init(&v.s, v.k, p->game->ghosts);
	v.s.lives = (uint8_t)p->game->lives;
	v.from = pb_pace_now();
	while (!pb_msg_stopped() && iterate(&v))
		wait_for_tick(&v);
	close_ports(&v);
	e = ending(&v);
	pb_pacbot_note_end(
	    e == PB_MATCH_ON ? "no more commands" : pb_match_ending_name(e),
	    &v.s);
}
