/* net.h - what all that listens or connects by libwebsockets shares. */
#pragma once

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is used of libwebsockets, which is loaded when it is first called. */
/* clang-format off */
#define PB_LWS(X) \
	X(adopt_descriptor_vhost_via_info) X(callback_on_writable) \
	X(callback_on_writable_all_protocol) X(client_connect_via_info) \
	X(close_reason) X(context_destroy) X(context_user) \
	X(create_context) X(frame_is_binary) X(get_context) \
	X(get_opaque_user_data) X(get_socket_fd) X(get_vhost_by_name) \
	X(hdr_copy) X(is_final_fragment) X(parse_uri) \
	X(remaining_packet_payload) X(return_http_status) \
	X(rx_flow_control) X(service) X(set_log_level) X(set_timeout) \
	X(set_timer_usecs) X(sul_cancel) X(sul_schedule) \
	X(validity_confirmed) X(write)
/* clang-format on */

#define PB_LWS_MEMBER(f) __typeof__(lws_##f) *(f);
struct pb_lws {
	PB_LWS(PB_LWS_MEMBER)
};
#undef PB_LWS_MEMBER

const struct pb_lws *pb_lws(void);

/* The longest address (bytes), its final NUL included. */
#define PB_NET_NAME 256

/* Who connects, and a signal, are noticed after so long at most (s). */
#define PB_NET_LOOK 0.02

/* [ws://|tcp://][ADDRESS:]PORT; an address with colons is in brackets. Behind
 * ws:// a path may follow. */
struct pb_net_address {
	bool typed; /* a scheme was */
	bool ws;
	char host[PB_NET_NAME]; /* "": none was typed */
	char port[6];
	const char *path; /* a part of what was typed; "": none */
};

bool pb_net_address(const char *arg, struct pb_net_address *a);

/* Whether url is one, of an option: ws:// or, if tcp, tcp://. If not, status 2.
 */
bool pb_net_check(const char *option, const char *url, bool tcp);

/* The library, and what wakes us: without it it sleeps for ever. A zeroed
 * struct is closed. */
struct pb_net_loop {
	struct lws_context *lws;
	lws_sorted_usec_list_t alarm;
};

void pb_net_open(
    struct pb_net_loop *l, const struct lws_context_creation_info *how);
void pb_net_close(struct pb_net_loop *l);

/* What happens within s (s), or until something does; 0: what has happened. */
void pb_net_attend(struct pb_net_loop *l, double s);

/* Messages on their way, in order. A zeroed struct is empty. */
struct pb_net_queue {
	struct pb_net_parcel *first, *last; /* owned */
	size_t waiting;                     /* bytes of them */
};

/* What a client is told; NULL: it is not. */
struct pb_net_calls {
	void (*rise)(void *user); /* connected */

	/* Some bytes of a message, `whole`: its last; of tcp:// any bytes. */
	void (*hear)(void *user, const uint8_t *s, size_t n, bool whole);
};

/*
 * A client's connection. One that is lost, or cannot be had, is made again
 * after a tenth of a second, and each time after twice as long, up to five;
 * that is noted. Being away for `patience` is the end. Not to be moved while
 * it is open.
 */
struct pb_net_client {
	const char *url; /* checked by pb_net_check(), kept by the caller */
	double patience; /* (s) */
	bool pings;      /* ask whether the server is there when it is silent */
	const struct pb_net_calls *calls;
	void *user;

	struct pb_net_address at;
	struct pb_net_loop loop;
	struct lws *wsi; /* NULL: none, and none is being made */
	bool up;
	bool over;     /* it is lost for good, which was said (status 3) */
	double since;  /* then it came up */
	double lost;   /* since then it is not */
	double next;   /* when to try again */
	double pause;  /* before the try after that (s) */
	char why[128]; /* the last try failed */
	struct pb_net_queue queue;
};

/* Of a client whose first members are set. */
void pb_net_client_open(struct pb_net_client *c);
void pb_net_client_close(struct pb_net_client *c);

/* What happens within s (s), and connect if need be; false: it is over. */
bool pb_net_client_attend(struct pb_net_client *c, double s);

/* Send a message if it is up; what has not left when the connection is lost is
 * lost with it. `as`: of WebSockets, LWS_WRITE_TEXT or LWS_WRITE_BINARY. */
void pb_net_client_send(struct pb_net_client *c, const void *s, size_t n,
    enum lws_write_protocol as);

/* It is over, and why (static) is said. Returns false. */
bool pb_net_client_lose(struct pb_net_client *c, const char *why);
