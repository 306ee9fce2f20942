/* bag_write.c - a game's topics as a recording, as ros2 bag record makes it. */
#include "io/ros/bag_write.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/ros/mcap_write.h"
#include "io/ros/wire.h"
#include "io/stream/file.h"
#include "io/stream/text.h"

struct topic {
	struct pb_text type; /* its name, kept by the writer of the file */
	bool begun;          /* there is a channel */
	int channel;
};

struct pb_bag_write {
	struct pb_file file;
	struct pb_mcap_write *mcap;
	struct topic topic[PB_TOPICS];
	struct pb_text message;
	bool failed; /* no memory */
};

static void
send(void *self, enum pb_ros_topic which, int64_t t, struct pb_ros_message *m)
{
	struct pb_bag_write *w = self;
	struct topic *at = &w->topic[which];
	struct pb_wire wire;

	if (!at->begun) {
		struct pb_text schema = {.s = NULL};

		pb_ros_put_name(&at->type, m->type);
		pb_text_put(&at->type, "", 1);
		pb_ros_put_schema(&schema, m->type);
		pb_text_put(&schema, "", 1);
		w->failed = w->failed || at->type.failed || schema.failed;
		if (!w->failed)
			at->channel = pb_mcap_write_channel(w->mcap,
			    &(struct pb_mcap_channel){pb_ros_topics[which].name,
				pb_ros_qos(which), at->type.s, schema.s});
		pb_text_clear(&schema);
	}
	at->begun = true;
	w->message.len = 0;
	pb_wire_write(&wire, false, &w->message);
	pb_ros_write(m, &wire);
	w->failed = w->failed || w->message.failed;
	if (w->failed)
		return;
	pb_mcap_write_message(
	    w->mcap, at->channel, t, w->message.s, w->message.len);
}

struct pb_bag_write *
pb_bag_write_new(const char *name, struct pb_error *bad)
{
	struct pb_bag_write *w = calloc(1, sizeof(*w));

	if (!w) {
		pb_error_file_nomem(bad, name);
		return NULL;
	}
	if (pb_file_create(name, &w->file, bad) != 0) {
		pb_bag_write_free(w);
		return NULL;
	}
	w->mcap = pb_mcap_write_new(w->file.out);
	if (!w->mcap) {
		pb_error_file_nomem(bad, name);
		pb_bag_write_free(w);
		return NULL;
	}
	return w;
}

struct pb_ros_sink
pb_bag_write_sink(struct pb_bag_write *w)
{
	return (struct pb_ros_sink){send, w};
}

bool
pb_bag_write_end(struct pb_bag_write *w, struct pb_error *bad)
{
	bool ok = pb_mcap_write_end(w->mcap) && !w->failed;

	/* A file that failed says why itself; the rest is memory. */
	if (!ok && !ferror(w->file.out))
		return pb_error_file_nomem(bad, w->file.path) == 0;
	return pb_file_finish(&w->file, bad) == 0;
}

void
pb_bag_write_free(struct pb_bag_write *w)
{
	if (!w)
		return;
	pb_mcap_write_free(w->mcap);
	pb_file_abandon(&w->file);
	for (int i = 0; i < PB_TOPICS; i++)
		pb_text_clear(&w->topic[i].type);
	pb_text_clear(&w->message);
	free(w);
}
