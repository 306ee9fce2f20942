/* net.c - what all that listens or connects by libwebsockets shares. */
#include "io/stream/net.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/stream/msg.h"

bool
pb_net_address(const char *arg, struct pb_net_address *a)
{
	const char *s = arg;
	const char *colon;
	size_t n;

	*a = (struct pb_net_address){.ws = strncmp(s, "tcp://", 6) != 0};
	a->typed = !a->ws || strncmp(s, "ws://", 5) == 0;
	s += a->typed ? 5 + !a->ws : 0;
	colon = strrchr(s, ':');
	if (colon != NULL) {
		bool square = *s == '[' && colon > s && colon[-1] == ']';

		n = (size_t)(colon - s) - (square ? 2 : 0);
		if (n == 0 || n >= sizeof(a->host) || memchr(s, '/', n) != NULL)
			return false;
		memcpy(a->host, s + (square ? 1 : 0), n);
		a->host[n] = '\0';
		s = colon + 1;
	}
	n = strlen(s);
	if (n == 0 || n >= sizeof(a->port) || strspn(s, "0123456789") != n ||
	    atoi(s) > UINT16_MAX)
		return false;
	memcpy(a->port, s, n + 1);
	return true;
}

bool
pb_net_url(const char *arg, struct pb_net_address *a)
{
	return pb_net_address(arg, a) && a->typed && *a->host &&
	       atoi(a->port) > 0;
}

bool
pb_net_open(struct pb_net_loop *l, const struct lws_protocols *speech,
    int serves, unsigned most, void *user)
{
	const struct lws_context_creation_info how = {.port = serves,
	    .protocols = speech,
	    .user = user,
	    .fd_limit_per_thread = most + 32};

	lws_set_log_level(0, NULL);
	l->lws = lws_create_context(&how);
	return l->lws != NULL || pb_msg_system("no memory for the network");
}

void
pb_net_close(struct pb_net_loop *l)
{
	lws_sul_cancel(&l->alarm);
	if (l->lws != NULL)
		lws_context_destroy(l->lws);
	l->lws = NULL;
}

static void
wake(lws_sorted_usec_list_t *alarm)
{
	struct pb_net_loop *l =
	    lws_container_of(alarm, struct pb_net_loop, alarm);

	lws_sul_schedule(l->lws, 0, alarm, wake, 1000);
}

void
pb_net_attend(struct pb_net_loop *l, double s)
{
	/* At once, and not at the next millisecond. */
	if (!(s > 0)) {
		lws_service(l->lws, -1);
		return;
	}
	lws_sul_schedule(l->lws, 0, &l->alarm, wake,
	    (lws_usec_t)((s < PB_NET_LOOK ? s : PB_NET_LOOK) * 1e6) + 1);
	lws_service(l->lws, 0);
}

/* Where it listens. */
static void
tell(int fd, bool ws)
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

int
pb_net_listen(const char *option, const char *arg, int backlog)
{
	const struct addrinfo want = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
	    .ai_socktype = SOCK_STREAM};
	struct addrinfo *at;
	struct pb_net_address a;
	const int yes = 1;
	bool ok;
	int e, fd;

	if (!pb_net_address(arg, &a))
		return -1;
	e = getaddrinfo(*a.host ? a.host : "127.0.0.1", a.port, &want, &at);
	if (e != 0) {
		errno = 0;
		pb_msg_system("%s %s: %s", option, arg, gai_strerror(e));
		return -1;
	}
	fd = socket(at->ai_family, SOCK_STREAM, 0);
	ok = fd >= 0 &&
	     setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) == 0 &&
	     bind(fd, at->ai_addr, at->ai_addrlen) == 0 &&
	     listen(fd, backlog) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0 &&
	     fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
	freeaddrinfo(at);
	if (ok) {
		tell(fd, a.ws);
		return fd;
	}
	pb_msg_system("%s %s: cannot listen", option, arg);
	if (fd >= 0)
		close(fd);
	return -1;
}

int
pb_net_accept(int fd, bool room, int sends)
{
	const int yes = 1;
	int s;

	while ((s = accept(fd, NULL, NULL)) >= 0) {
		if (!room || fcntl(s, F_SETFL, O_NONBLOCK) != 0 ||
		    fcntl(s, F_SETFD, FD_CLOEXEC) != 0) {
			close(s);
			continue;
		}
		setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
		if (sends > 0)
			setsockopt(
			    s, SOL_SOCKET, SO_SNDBUF, &sends, sizeof(sends));
		return s;
	}
	return -1;
}

bool
pb_net_dial(struct pb_net_loop *l, const struct pb_net_address *a,
    const char *protocol, struct lws **wsi)
{
	const struct lws_client_connect_info to = {.context = l->lws,
	    .address = a->host,
	    .host = a->host,
	    .origin = a->host,
	    .port = atoi(a->port),
	    .path = "/",
	    .method = a->ws ? NULL : "RAW",
	    .local_protocol_name = protocol,
	    .pwsi = wsi};

	return lws_client_connect_via_info(&to) != NULL;
}
