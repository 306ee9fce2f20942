/* tour.h - the pellets that are left, and how long the rest of them takes. */
#pragma once

#include "game/pacmanbot/view.h"
#include "policy/safe_net.h"

/* Ways from and between pellets along a net; made once, then only read. */
struct pb_tour {
	const struct pb_safe_net *net; /* borrowed */
	int n;                         /* pellets of the arena */
	int *node;    /* n: node of the net at each, -1: none; owned */
	float *reach; /* n * nodes: from pellet to node (m); owned */
	float *apart; /* n^2: between pellets (m); owned */
};

/* Returns PB_OK, or PB_ENOMEM; what t owns is in the pool. */
enum pb_status pb_tour_init(
    struct pb_tour *t, const struct pb_safe_net *net, struct pb_pool *pool);

/* What is left, worked out anew when a pellet has gone. */
struct pb_tour_lists {
	float *rest;  /* by node: time from there to the end of the best tour
	                 (s) */
	float *fetch; /* by node: the same once what lies there is fetched (s);
	                 INFINITY: nothing lies there */
	float *tour;  /* by pellet left: rest of the tour from it (m) */
	int *left;    /* pellets left that can be reached */
	void *work;
};

struct pb_tour_lists pb_tour_lists_in(
    struct pb_block *b, const struct pb_tour *t);

/* Returns how many pellets are left that can be reached; l: see above. */
int pb_tour_rest(const struct pb_tour *t, const unsigned char *left,
    double speed, const struct pb_tour_lists *l);

/* How far the robot has to drive until there is another estimate (m). */
double pb_until_estimate(const struct pb_view *v);

/* What a second is worth, `price` while there is time: it doubles with each
 * tenth of the limit that has passed beyond half. */
double pb_price_of_time(double price, const struct pb_view *v);
