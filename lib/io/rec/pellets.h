/* pellets.h - records about pellets: the set, scores, the target. */
#ifndef PB_IO_REC_PELLETS_H
#define PB_IO_REC_PELLETS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/rec/type.h"
#include "io/stream/text.h"

struct pb_rec_pellet {
	long id;     /* >= 0, no two alike in a record */
	double x, y; /* (m) */
	bool power;  /* kind "power" rather than "pellet" */
};

struct pb_rec_pellets {
	struct pb_rec_pellet *pellet; /* owned when read */
	size_t n;
};

struct pb_rec_target {
	long pellet;           /* id; -1: none (written as null) */
	double x, y;           /* of the pellet (m), NAN without one */
	double total;          /* its score (m), NAN if missing */
	char why[PB_REC_WORD]; /* safe, best, fallback, none */
	bool threat;
	bool changed; /* not the target before */
};

struct pb_rec_score {
	long id;          /* of the pellet */
	double x, y;      /* (m) */
	double distance;  /* (m) */
	double risk;      /* (m) */
	double direction; /* (m) */
	double total;     /* (m) */
	bool safe;        /* in a safe direction */
	bool excluded;    /* too near the ghost to be chosen */
};

struct pb_rec_scored {
	bool threat;
	struct pb_rec_score *pellet; /* owned when read */
	size_t n;
};

/* What is optional is missing. */
struct pb_rec_target pb_rec_target_none(void);

void pb_put_pellets(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_pellets *p);
void pb_put_target(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_target *g);
void pb_put_scored(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_scored *c);

#endif
