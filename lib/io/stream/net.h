/* net.h - what all that listens or connects by libwebsockets shares. */
#pragma once

#include <libwebsockets.h>
#include <stdbool.h>

/* The longest address (bytes), its final NUL included. */
#define PB_NET_NAME 256

/* Who connects, and a signal, are noticed after so long at most (s). */
#define PB_NET_LOOK 0.02

/* [ws://|tcp://][ADDRESS:]PORT; an address with colons is in brackets. */
struct pb_net_address {
	bool typed; /* a scheme was */
	bool ws;
	char host[PB_NET_NAME]; /* "": none was typed */
	char port[6];
};

bool pb_net_address(const char *arg, struct pb_net_address *a);

/* The same with scheme, host and a port other than 0, as clients need it. */
bool pb_net_url(const char *arg, struct pb_net_address *a);

/* The library, and what wakes us: without it it sleeps for ever. A zeroed
 * struct is closed. */
struct pb_net_loop {
	struct lws_context *lws;
	lws_sorted_usec_list_t alarm;
};

/*
 * Given    speech  protocols, the last a zeroed one
 *          serves  CONTEXT_PORT_NO_LISTEN_SERVER or CONTEXT_PORT_NO_LISTEN
 *          most    connections
 *          user    of the context
 * Returns  false: there is no memory, which was said
 */
bool pb_net_open(struct pb_net_loop *l, const struct lws_protocols *speech,
    int serves, unsigned most, void *user);
void pb_net_close(struct pb_net_loop *l);

/* What happens within s (s), or until something does; 0: what has happened. */
void pb_net_attend(struct pb_net_loop *l, double s);

/*
 * Listen at arg, an address for pb_net_address(), on this machine if it names
 * no host, and say where: the port is found if it is 0.
 *
 * Returns  a socket; -1 if it cannot be had, which was said (status 3)
 */
int pb_net_listen(const char *option, const char *arg, int backlog);

/*
 * The next who knocks at a socket, to be adopted by lws; sends is how much the
 * kernel may hold for it (bytes), 0: as it likes. -1: nobody does. Whom there
 * is no room for is turned away.
 */
int pb_net_accept(int fd, bool room, int sends);

/* Begin to connect; *wsi is the connection, NULL as long as there is none. */
bool pb_net_dial(struct pb_net_loop *l, const struct pb_net_address *a,
    const char *protocol, struct lws **wsi);
