/* mcap.c - MCAP files: what Foxglove and ROS 2 record, written. */
#include "io/ros/mcap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/pool.h"
#include "io/ros/ros_message.h"
#include "io/stream/file.h"
#include "io/stream/line.h"
#include "io/stream/text.h"
#include "pb/version.h"

static const char magic[] = "\x89MCAP0\r\n";

enum {
	CHUNK_SIZE = 768 * 1024, /* as rosbag2 has it */
	/* Opcodes. */
	HEADER = 1,
	FOOTER,
	SCHEMA,
	CHANNEL,
	MESSAGE,
	CHUNK,
	MESSAGE_INDEX,
	CHUNK_INDEX,
	STATISTICS = 11,
	METADATA,
	METADATA_INDEX,
	DATA_END = 15
};

struct channel {
	uint64_t messages;
	struct pb_text index; /* of the messages in the current chunk */
};

struct pb_mcap_write {
	struct pb_file file; /* write errors are printed when it is closed */
	uint64_t at;         /* bytes written */
	uint32_t crc;        /* of them, since the file or its summary began */

	struct pb_text chunk;
	int64_t first, last; /* times in it */
	bool empty;          /* no message is in it */

	/* For the summary. */
	struct pb_text schemas, channels, chunks;
	int schema[PB_ROS_ALL]; /* its number, from 1; 0: not written */
	struct channel channel[PB_TOPICS];
	int n_schemas, n_channels;
	uint32_t n_chunks;
	uint64_t messages;
	int64_t begin, end;

	int of[PB_TOPICS]; /* the channel of a topic, -1: none */
};

/* Put n bytes of v, the lowest first. */
static void
put_number(struct pb_text *o, uint64_t v, int n)
{
	char b[8];

	pb_le_put(b, v, n);
	pb_text_put(o, b, (size_t)n);
}

static void
put_text(struct pb_text *o, const char *s)
{
	put_number(o, strlen(s), 4);
	pb_text_puts(o, s);
}

/* Begin a record, whose length is filled in at its end; where it begins. */
static size_t
begin_record(struct pb_text *o, int op)
{
	put_number(o, (uint64_t)op, 1);
	put_number(o, 0, 8);
	return o->len;
}

/* Fill in how much follows behind the n bytes of length before `from`. */
static void
fill_length(struct pb_text *o, size_t from, int n)
{
	pb_le_put(o->s + from - n, o->len - from, n);
}

/* Write it, and have it empty. */
static void
send_text(struct pb_mcap_write *w, struct pb_text *o)
{
	if (o->len == 0)
		return; /* to zlib no bytes at NULL are a new sum */
	fwrite(o->s, 1, o->len, w->file.out);
	w->crc = (uint32_t)crc32_z(w->crc, (unsigned char *)o->s, o->len);
	w->at += o->len;
	o->len = 0;
}

/* QoS of rosbag2: keep last (1), reliable (1), transient local (1) or volatile
 * (2); no deadline, written as the longest duration. */
#define FOREVER "\n    sec: 9223372036\n    nsec: 854775807"
#define QOS(depth, durability)                                    \
	"- history: 1\n  depth: " depth                           \
	"\n  reliability: 1\n  durability: " durability           \
	"\n  deadline:" FOREVER "\n  lifespan:" FOREVER           \
	"\n  liveliness: 1\n  liveliness_lease_duration:" FOREVER \
	"\n  avoid_ros_namespace_conventions: false"

struct pb_mcap_write *
pb_mcap_write_new(const char *name, struct pb_error *bad)
{
	struct pb_mcap_write *w = pb_alloc(1, sizeof(*w));
	struct pb_text o = {0};
	size_t at;

	if (pb_file_create(name, &w->file, bad) != 0) {
		pb_mcap_write_free(w);
		return NULL;
	}
	w->empty = true;
	for (int i = 0; i < PB_TOPICS; i++)
		w->of[i] = -1;
	pb_text_put(&o, magic, sizeof(magic) - 1);
	at = begin_record(&o, HEADER);
	put_text(&o, "ros2");
	put_text(&o, "pb " PB_VERSION);
	fill_length(&o, at, 8);
	send_text(w, &o);
	pb_text_clear(&o);
	return w;
}

void
pb_mcap_write_free(struct pb_mcap_write *w)
{
	if (w == NULL)
		return;
	pb_file_abandon(&w->file);
	for (int i = 0; i < w->n_channels; i++)
		pb_text_clear(&w->channel[i].index);
	pb_text_clear(&w->chunk);
	pb_text_clear(&w->schemas);
	pb_text_clear(&w->channels);
	pb_text_clear(&w->chunks);
	free(w);
}

/* Put text that a function of ros_message.h writes of a type. */
static void
put_text_of(struct pb_text *o, enum pb_ros_type type,
    void (*write)(struct pb_text *, enum pb_ros_type))
{
	size_t from;

	put_number(o, 0, 4);
	from = o->len;
	write(o, type);
	fill_length(o, from, 4);
}

/* The number of a type's schema, which is written if new. */
static int
schema_of(struct pb_mcap_write *w, enum pb_ros_type type)
{
	struct pb_text *o = &w->schemas;
	size_t from = o->len, at;

	if (w->schema[type] > 0)
		return w->schema[type];
	w->schema[type] = ++w->n_schemas;
	at = begin_record(o, SCHEMA);
	put_number(o, (uint64_t)w->n_schemas, 2);
	put_text_of(o, type, pb_ros_put_name);
	put_text(o, "ros2msg");
	put_text_of(o, type, pb_ros_put_schema);
	fill_length(o, at, 8);
	pb_text_put(&w->chunk, o->s + from, o->len - from);
	return w->n_schemas;
}

/* Start the channel of a topic. */
static void
add_channel(struct pb_mcap_write *w, enum pb_ros_topic which)
{
	const struct pb_ros_topic_row *topic = &pb_ros_topics[which];
	int schema = schema_of(w, topic->type);
	struct pb_text *o = &w->channels;
	size_t from = o->len, at = begin_record(o, CHANNEL), map;

	put_number(o, (uint64_t)w->n_channels, 2);
	put_number(o, (uint64_t)schema, 2);
	put_text(o, topic->name);
	put_text(o, "cdr");
	put_number(o, 0, 4);
	map = o->len;
	put_text(o, "offered_qos_profiles");
	put_text(o, topic->latched ? QOS("1", "1") : QOS("10", "2"));
	fill_length(o, map, 4);
	fill_length(o, at, 8);
	pb_text_put(&w->chunk, o->s + from, o->len - from);
	w->of[which] = w->n_channels++;
}

/* The index of each channel that is in the chunk, and where each is. */
static void
send_indexes(struct pb_mcap_write *w, struct pb_text *where)
{
	struct pb_text o = {0};

	for (int i = 0; i < w->n_channels; i++) {
		struct pb_text *index = &w->channel[i].index;
		size_t at, map;

		if (index->len == 0)
			continue;
		put_number(where, (uint64_t)i, 2);
		put_number(where, w->at, 8);
		at = begin_record(&o, MESSAGE_INDEX);
		put_number(&o, (uint64_t)i, 2);
		put_number(&o, 0, 4);
		map = o.len;
		pb_text_put(&o, index->s, index->len);
		fill_length(&o, map, 4);
		fill_length(&o, at, 8);
		index->len = 0;
		send_text(w, &o);
	}
	pb_text_clear(&o);
}

/* Write the chunk's record. */
static void
send_chunk(struct pb_mcap_write *w)
{
	struct pb_text o = {0};
	size_t at = begin_record(&o, CHUNK);

	put_number(&o, (uint64_t)w->first, 8);
	put_number(&o, (uint64_t)w->last, 8);
	put_number(&o, w->chunk.len, 8);
	put_number(
	    &o, crc32_z(0, (const unsigned char *)w->chunk.s, w->chunk.len), 4);
	put_text(&o, ""); /* it is not packed */
	put_number(&o, w->chunk.len, 8);
	pb_text_put(&o, w->chunk.s, w->chunk.len);
	fill_length(&o, at, 8);
	send_text(w, &o);
	pb_text_clear(&o);
}

/* Write the chunk and its indexes, if there is something in it. */
static void
end_chunk(struct pb_mcap_write *w)
{
	struct pb_text where = {0}, *x = &w->chunks;
	uint64_t at = w->at, length;
	size_t from;

	if (w->chunk.len == 0)
		return;
	send_chunk(w);
	length = w->at - at;
	send_indexes(w, &where);
	from = begin_record(x, CHUNK_INDEX);
	put_number(x, (uint64_t)w->first, 8);
	put_number(x, (uint64_t)w->last, 8);
	put_number(x, at, 8);
	put_number(x, length, 8);
	put_number(x, where.len, 4);
	pb_text_put(x, where.s, where.len);
	put_number(x, w->at - at - length, 8);
	put_text(x, "");
	put_number(x, w->chunk.len, 8);
	put_number(x, w->chunk.len, 8);
	fill_length(x, from, 8);
	w->n_chunks++;
	w->chunk.len = 0;
	w->empty = true;
	w->first = w->last = 0;
	pb_text_clear(&where);
}

void
pb_mcap_write_message(struct pb_mcap_write *w, enum pb_ros_topic topic,
    int64_t t, const void *p, size_t n)
{
	struct pb_text *o = &w->chunk;
	int channel;
	size_t at;

	if (w->of[topic] < 0)
		add_channel(w, topic);
	channel = w->of[topic];
	put_number(&w->channel[channel].index, (uint64_t)t, 8);
	put_number(&w->channel[channel].index, o->len, 8);
	at = begin_record(o, MESSAGE);
	put_number(o, (uint64_t)channel, 2);
	put_number(
	    o, 0, 4); /* a number in sequence, which ROS 2 leaves out, too */
	put_number(o, (uint64_t)t, 8);
	put_number(o, (uint64_t)t, 8);
	pb_text_put(o, p, n);
	fill_length(o, at, 8);
	w->first = w->empty || t < w->first ? t : w->first;
	w->last = w->empty || t > w->last ? t : w->last;
	w->begin = w->messages == 0 || t < w->begin ? t : w->begin;
	w->end = w->messages == 0 || t > w->end ? t : w->end;
	w->empty = false;
	w->messages++;
	w->channel[channel].messages++;
	if (o->len >= CHUNK_SIZE)
		end_chunk(w);
}

static void
put_statistics(struct pb_text *o, const struct pb_mcap_write *w)
{
	size_t at = begin_record(o, STATISTICS);

	put_number(o, w->messages, 8);
	put_number(o, (uint64_t)w->n_schemas, 2);
	put_number(o, (uint64_t)w->n_channels, 4);
	put_number(o, 0, 4); /* attachments */
	put_number(o, 1, 4); /* metadata */
	put_number(o, w->n_chunks, 4);
	put_number(o, (uint64_t)w->begin, 8);
	put_number(o, (uint64_t)w->end, 8);
	put_number(o, (uint64_t)w->n_channels * 10, 4);
	for (int i = 0; i < w->n_channels; i++) {
		put_number(o, (uint64_t)i, 2);
		put_number(o, w->channel[i].messages, 8);
	}
	fill_length(o, at, 8);
}

/*
 * What rosbag2 looks for: without that record it takes the numbers in
 * offered_qos_profiles for words since its version 9, and publishes nothing
 * that is latched.
 */
static void
send_ros2(struct pb_mcap_write *w, struct pb_text *index)
{
	static const char name[] = "rosbag2";
	struct pb_text o = {0};
	uint64_t from = w->at;
	size_t at = begin_record(&o, METADATA), map;

	put_text(&o, name);
	put_number(&o, 0, 4);
	map = o.len;
	put_text(&o, "serialized_metadata");
	put_text(&o, "");
	fill_length(&o, map, 4);
	fill_length(&o, at, 8);
	send_text(w, &o);
	pb_text_clear(&o);
	at = begin_record(index, METADATA_INDEX);
	put_number(index, from, 8);
	put_number(index, w->at - from, 8);
	put_text(index, name);
	fill_length(index, at, 8);
}

bool
pb_mcap_write_end(struct pb_mcap_write *w, struct pb_error *bad)
{
	struct pb_text o = {0}, index = {0};
	size_t at;
	uint64_t summary;

	end_chunk(w);
	send_ros2(w, &index);
	at = begin_record(&o, DATA_END);
	put_number(&o, w->crc, 4);
	fill_length(&o, at, 8);
	send_text(w, &o);
	w->crc = 0;
	summary = w->at;
	send_text(w, &w->schemas);
	send_text(w, &w->channels);
	put_statistics(&o, w);
	send_text(w, &o);
	send_text(w, &w->chunks);
	send_text(w, &index);
	begin_record(&o, FOOTER);
	put_number(&o, summary, 8);
	put_number(
	    &o, 0, 8); /* no list of offsets: readers go through the summary */
	o.s[1] = 20;
	send_text(w, &o);
	put_number(&o, w->crc, 4);
	pb_text_put(&o, magic, sizeof(magic) - 1);
	send_text(w, &o);
	pb_text_clear(&o);
	pb_text_clear(&index);
	return pb_file_finish(&w->file, bad) == 0;
}
