/* bag_topics.h - what a recording says of its topics, by their numbers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/ros/bag_message.h"
#include "io/stream/error.h"

struct pb_bag_topic {
	int64_t id;
	char *topic, *type; /* pieces of one, owned: the topic's */
	char encoded[24];
	enum pb_bag_encoding encoding;
};

/* Sorted by number. A zeroed struct is an empty list. */
struct pb_bag_topics {
	struct pb_bag_topic *at;
	int n;
	size_t room;
};

/* Of several publishers, too, each of which a bag of ROS 1 may have apart. */
#define PB_BAG_TOPICS 10000

/* Text in a recording, not ended by anything. */
struct pb_bag_text {
	const char *s;
	size_t n;
};

/*
 * Add a topic, or say what a known one is from now on. False with bad filled
 * in: there are more than PB_BAG_TOPICS, a name has more than 1,000 bytes, or
 * there is no memory, which was said.
 */
bool pb_bag_topics_put(struct pb_bag_topics *l, int64_t id,
    struct pb_bag_text topic, struct pb_bag_text type,
    struct pb_bag_text encoded, struct pb_error *bad);

/* NULL if there is none of that number. */
const struct pb_bag_topic *pb_bag_topics_find(
    const struct pb_bag_topics *l, int64_t id);

void pb_bag_topics_clear(struct pb_bag_topics *l);

/* Whose m is. */
void pb_bag_topic_of(const struct pb_bag_topic *t, struct pb_bag_message *m);
