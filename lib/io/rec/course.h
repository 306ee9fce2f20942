/* course.h - records about where a body goes and what is in its way. */
#ifndef PB_IO_REC_COURSE_H
#define PB_IO_REC_COURSE_H

#include <stddef.h>

#include "base/geom.h"
#include "io/rec/type.h"
#include "io/stream/text.h"

struct pb_rec_goal {
	char kind[PB_REC_WORD];   /* pellet, home, point */
	char status[PB_REC_WORD]; /* sent, reached, canceled, aborted, ... */
	long pellet;              /* id, -1 if none */
	double x, y;              /* (m); NAN if missing */
	double theta;             /* NAN: any (rad) */
};

struct pb_rec_points {
	struct pb_vec *point; /* (m); owned when read */
	size_t n;
};

struct pb_rec_obstacle {
	struct pb_vec *point; /* cloud (m), NULL for a disc; owned when read */
	size_t n;
	double x, y, radius; /* disc (m); NAN for a cloud without */
};

/* What is optional is missing. */
struct pb_rec_goal pb_rec_goal_none(void);

void pb_put_goal(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_goal *g);
void pb_put_path(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_points *p);
void pb_put_obstacle(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_obstacle *b);

#endif
