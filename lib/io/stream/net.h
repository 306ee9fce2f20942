/* net.h - connections and event loop of libwebsockets. */
#pragma once

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions of libwebsockets that are used; the library is loaded at the first
 * call. */
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

/* Bytes of the longest address, with its final NUL. */
#define PB_NET_NAME 256

/* Longest wait before connections and signals are noticed (s). */
#define PB_NET_LOOK 0.02

/* A parsed [ws://|tcp://][ADDRESS:]PORT; an IPv6 address is in brackets. A path
 * may follow ws://. */
struct pb_net_address {
	bool typed; /* a scheme was typed */
	bool ws;
	char host[PB_NET_NAME]; /* "": none was typed */
	char port[6];
	const char *path; /* points into what was typed; "": none */
};

bool pb_net_address(const char *arg, struct pb_net_address *a);

/* Check that the value of an option is a URL with ws:// or, if tcp, tcp://. If
 * not, print a message of status 2. */
bool pb_net_check(const char *option, const char *url, bool tcp);

/* The library's event loop, and the timer that wakes it: without one it sleeps
 * for ever. A zeroed struct is closed. */
struct pb_net_loop {
	struct lws_context *lws;
	lws_sorted_usec_list_t alarm;
};

void pb_net_open(
    struct pb_net_loop *l, const struct lws_context_creation_info *how);
void pb_net_close(struct pb_net_loop *l);

/* Handle events for up to s seconds, or until one was handled; 0: only those
 * that are due. */
void pb_net_attend(struct pb_net_loop *l, double s);

/* Queue of messages to be sent. A zeroed struct is empty. */
struct pb_net_queue {
	struct pb_net_parcel *first, *last; /* owned */
	size_t waiting;                     /* bytes queued */
};

/* Callbacks of a client, each may be NULL. */
struct pb_net_calls {
	void (*rise)(void *user); /* connected */

	/* Part of a message, `whole`: its last; of tcp:// any bytes. */
	void (*hear)(void *user, const uint8_t *s, size_t n, bool whole);
};

/*
 * A client's connection. If it is lost or cannot be made, the client tries
 * again after a tenth of a second, and each time after twice as long, up to
 * five seconds, and prints a note. Without a connection for `patience`, it
 * gives up. Must not move while it is open.
 */
struct pb_net_client {
	const char *url; /* checked by pb_net_check(), kept by the caller */
	double patience; /* give up after this long without a connection (s) */
	bool pings;      /* ping a silent server */
	const struct pb_net_calls *calls;
	void *user;

	struct pb_net_address at;
	struct pb_net_loop loop;
	struct lws *wsi; /* NULL: not connected or connecting */
	bool up;
	bool over;     /* given up, with a message (status 3) */
	double since;  /* when it was connected (s) */
	double lost;   /* when it was lost (s) */
	double next;   /* when to try again (s) */
	double pause;  /* pause before the try after that (s) */
	char why[128]; /* why the last try failed */
	struct pb_net_queue queue;
};

/* Open a client whose first members, up to user, are set. */
void pb_net_client_open(struct pb_net_client *c);
void pb_net_client_close(struct pb_net_client *c);

/* Handle events for up to s seconds, and connect if needed. False: given up. */
bool pb_net_client_attend(struct pb_net_client *c, double s);

/* Send a message if connected. Messages still queued when the connection is
 * lost are lost. `as`: of WebSockets, LWS_WRITE_TEXT or LWS_WRITE_BINARY. */
void pb_net_client_send(struct pb_net_client *c, const void *s, size_t n,
    enum lws_write_protocol as);

/* Give up the connection, and print why (static text). Returns false. */
bool pb_net_client_lose(struct pb_net_client *c, const char *why);
