/* ros_records.h - the messages of a robot's topics as a stream of records. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/rec/rec.h"
#include "io/ros/ros_convert.h"
#include "io/ros/ros_msg.h"
#include "io/ros/ros_opts.h"

/*
 * Messages come in the order of their arrival, records go out in the order of
 * their stamps, which count from the first: scans with the mount of their
 * frame and with the odometry of their moment in front of them, odometry (of
 * a topic, else of the transforms), estimates of the pose (of a topic, else
 * those of map to odom), poses that somebody clicked or knows, goals, maps,
 * paths, velocities. Of several topics of one kind one is taken.
 *
 * Therefore some are held back: at first for a second, unless topics have
 * their usual names; a scan until odometry has passed it, half a second at
 * most, and until its frame is known, three seconds at most.
 */
struct pb_ros_records;

/* How good a topic is for what it is for, a role below PB_ROLES, by its name.
 */
enum pb_ros_rank {
	PB_RANK_UNFIT, /* a costmap */
	PB_RANK_FRAME, /* transforms */
	PB_RANK_SOME,
	PB_RANK_ALIKE, /* has the usual name below another, "/robot1/scan" */
	PB_RANK_USUAL, /* has the usual name */
	PB_RANK_NAMED  /* by the user */
};
enum pb_ros_rank pb_ros_rank_of(
    const struct pb_opt_list *named, enum pb_ros_role role, const char *topic);

/* Given    o     kept
 *          file  for complaints, kept
 * Returns  NULL without memory */
struct pb_ros_records *pb_ros_records_new(
    const struct pb_ros_opts *o, const char *file);
void pb_ros_records_free(struct pb_ros_records *k);

/* Where a message came from, and when. */
struct pb_ros_heard {
	const char *topic;
	int64_t logged; /* (ns), PB_ROS_NEVER: not known */
	long line;      /* 0: none */
};

/*
 * Take a message, and out of m what it owns.
 *
 * Returns  false with bad filled in if it lacks something
 */
bool pb_ros_records_take(struct pb_ros_records *k,
    const struct pb_ros_heard *from, struct pb_ros_message *m,
    struct pb_error *bad);

/* The same of a type that is not ours: it is only counted. */
bool pb_ros_records_skip(struct pb_ros_records *k,
    const struct pb_ros_heard *from, const char *type, struct pb_error *bad);

/* The next record, for pb_rec_clear(), and the line it came from; false: none
 * can be given yet. */
bool pb_ros_records_next(
    struct pb_ros_records *k, struct pb_rec *r, long *line);

/* Hold none back until the next message; false: none is held. */
bool pb_ros_records_flush(struct pb_ros_records *k);

/* No message comes any more: say what was missed. */
void pb_ros_records_end(struct pb_ros_records *k);
