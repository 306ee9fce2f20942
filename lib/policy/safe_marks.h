/* safe_marks.h - the net as the lidar leaves it: what it marked closes ways. */
#pragma once

#include "game/pacmanbot/view.h"
#include "policy/safe_net.h"
#include "policy/safe_plan.h"

/*
 * A mark closes the cells that the robot's middle cannot be on. What is left of
 * a node's cells is the node, or it is shut; nodes whose rests touch are joined
 * as before. What has stood for long will stand on: a mark that is seen no more
 * is believed in for some time that grows with how long it was seen. So who
 * walks by closes a way for a moment; and a box is looked at again ever more
 * seldom.
 */

/* Cells by node. Made once where there is a sensor layer; then only read. */
struct pb_safe_floor {
	const struct pb_safe_field *field; /* borrowed, as the next */
	const struct pb_tour *tour;
	int *first; /* by node, and one: start in cell; owned, NULL: no layer */
	int *cell;
};

/* Returns PB_OK, or PB_ENOMEM; what f owns is in the pool. */
enum pb_status pb_safe_floor_init(struct pb_safe_floor *f,
    const struct pb_safe_field *field, const struct pb_tour *tour,
    struct pb_pool *pool);

/* The present state, in a game's memory: zeroed at first. */
struct pb_safe_marks {
	struct pb_safe_closed {
		bool any;         /* something is, what follows means
		                     something */
		uint64_t print;   /* of the marks believed in */
		double t, tour_t; /* when lists and tour were made (s) */
	} * now;
	unsigned char *cell; /* by cell: 0 open, 1 closed */
	unsigned char *shut; /* by node: it has no cell left */
	uint32_t *print;     /* by node: of its closed cells */
	uint32_t *was;       /* the same before */
	float *lasts;        /* by node: what closes it will, so long (s) */
	struct pb_vec *at;   /* by node */
	float *edge;         /* by edge: steps, or more than any plan has */
	float *cost;         /* by edge: as long as it takes now (m) */
	int *node;           /* as in struct pb_tour, the next too */
	float *reach, *apart;
	double *later; /* by pellet: leave it until then (s) */
	double *wait;  /* and the next time for so long (s) */
	float *dist;   /* by node: work, as the next */
	int *line;
};

/* Without a layer this takes nothing. */
struct pb_safe_marks pb_safe_marks_in(
    struct pb_block *b, const struct pb_safe_floor *f);

/* Take in what the layer has now. Returns whether other ways are open. */
bool pb_safe_marks_see(const struct pb_safe_floor *f,
    const struct pb_safe_marks *m, const struct pb_view *v);

/* Work out anew where pellets can be taken from and how far it is, for a robot
 * at p, if it is time to. Returns whether it was. */
bool pb_safe_marks_tour(const struct pb_safe_floor *f,
    const struct pb_safe_marks *m, const struct pb_view *v, struct pb_vec p);

/* Pellet i was asked for in vain: come back later. */
void pb_safe_marks_put_off(const struct pb_safe_marks *m, int i, double t);

/* The net, and how far pellets are along it, as they are now. */
struct pb_safe_net pb_safe_marks_net(
    const struct pb_safe_floor *f, const struct pb_safe_marks *m);
struct pb_tour pb_safe_marks_apply(
    const struct pb_safe_floor *f, const struct pb_safe_marks *m);
