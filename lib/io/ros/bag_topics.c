/* bag_topics.c - what a recording says of its topics, by their numbers. */
#include "io/ros/bag_topics.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/stream/msg.h"

enum { LONGEST = 1000 }; /* name; ROS has 255 bytes of a topic */

/* Where id is, or would be. */
static int
place(const struct pb_bag_topics *l, int64_t id)
{
	int lo = 0, hi = l->n;

	while (lo < hi) {
		int mid = (lo + hi) / 2;

		if (l->at[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct pb_bag_topic *
pb_bag_topics_find(const struct pb_bag_topics *l, int64_t id)
{
	int i = place(l, id);

	return i < l->n && l->at[i].id == id ? &l->at[i] : NULL;
}

/* A place for id, zeroed if it is new; NULL without memory. */
static struct pb_bag_topic *
place_for(struct pb_bag_topics *l, int64_t id)
{
	int i = place(l, id);

	if (i < l->n && l->at[i].id == id)
		return &l->at[i];
	if (!pb_grow(&l->at, (size_t)l->n, &l->room, sizeof(*l->at)))
		return NULL;
	memmove(
	    &l->at[i + 1], &l->at[i], (size_t)(l->n++ - i) * sizeof(*l->at));
	l->at[i] = (struct pb_bag_topic){.id = id};
	return &l->at[i];
}

/* Both names in one piece; ROS 2 has a msg/ in the type that ROS 1 has not. */
static bool
set_names(
    struct pb_bag_topic *t, struct pb_bag_text topic, struct pb_bag_text type)
{
	char *s = malloc(topic.n + type.n + 2), *msg;

	if (s == NULL)
		return false;
	memcpy(s, topic.s, topic.n);
	s[topic.n] = '\0';
	free(t->topic);
	t->topic = s;
	t->type = s + topic.n + 1;
	memcpy(t->type, type.s, type.n);
	t->type[type.n] = '\0';
	if ((msg = strstr(t->type, "/msg/")) != NULL)
		memmove(msg, msg + 4, strlen(msg + 4) + 1);
	return true;
}

static enum pb_bag_encoding
encoding_of(const char *s)
{
	return strcmp(s, "cdr") == 0    ? PB_BAG_CDR
	       : strcmp(s, "ros1") == 0 ? PB_BAG_ROS1
	       : strcmp(s, "json") == 0 ? PB_BAG_JSON
	                                : PB_BAG_OTHER;
}

bool
pb_bag_topics_put(struct pb_bag_topics *l, int64_t id, struct pb_bag_text topic,
    struct pb_bag_text type, struct pb_bag_text encoded, struct pb_error *bad)
{
	struct pb_bag_topic *t;

	if (l->n == PB_BAG_TOPICS && pb_bag_topics_find(l, id) == NULL)
		return pb_error_set(
		    bad, "more than %d topics or types", PB_BAG_TOPICS);
	if (topic.n > LONGEST || type.n > LONGEST)
		return pb_error_set(
		    bad, "the name of a topic or type is too long");
	t = place_for(l, id);
	if (t == NULL || !set_names(t, topic, type)) {
		pb_msg_nomem("cannot hold the topics of a recording");
		return pb_error_nomem(bad, "topics");
	}
	if (encoded.n >= sizeof(t->encoded))
		encoded.n = sizeof(t->encoded) - 1;
	memcpy(t->encoded, encoded.s, encoded.n);
	t->encoded[encoded.n] = '\0';
	t->encoding = encoding_of(t->encoded);
	return true;
}

void
pb_bag_topics_clear(struct pb_bag_topics *l)
{
	for (int i = 0; i < l->n; i++)
		free(l->at[i].topic);
	free(l->at);
	*l = (struct pb_bag_topics){0};
}

void
pb_bag_topic_of(const struct pb_bag_topic *t, struct pb_bag_message *m)
{
	m->topic = t->topic;
	m->type = t->type;
	m->encoding = t->encoding;
	m->encoded = t->encoded;
}
