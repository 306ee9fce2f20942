/* mcap.c - write MCAP files, the format of Foxglove and ROS 2. */
#include "io/ros/bag.h"

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
	CHUNK_SIZE = 768 * 1024, /* bytes, as rosbag2 has it */
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
	struct pb_text index; /* index of the messages in the current chunk */
};

struct pb_mcap_write {
	struct pb_file file; /* write errors are reported when it is closed */
	uint64_t at;         /* bytes written */
	uint32_t crc; /* CRC of the bytes since the begin of file or summary */

	struct pb_text chunk;
	int64_t first, last; /* times in it */
	bool empty;          /* no message is in the chunk */

	/* Parts of the summary. */
	struct pb_text schemas, channels, chunks;
	int schema[PB_ROS_ALL]; /* number of a type's schema, from 1; 0: not
	                           written */
	struct channel channel[PB_TOPICS];
	int n_schemas, n_channels;
	uint32_t n_chunks;
	uint64_t messages;
	int64_t begin, end;

	int of[PB_TOPICS]; /* channel of a topic, -1: none */
};

/* Add n bytes of v, little-endian. */
static void
add_number(struct pb_text *o, uint64_t v, int n)
{
	char b[8];

	pb_le_put(b, v, n);
	pb_text_put(o, b, (size_t)n);
}

static void
add_text(struct pb_text *o, const char *s)
{
	add_number(o, strlen(s), 4);
	pb_text_puts(o, s);
}

/* Begin a record, whose length is filled in later; returns its offset. */
static size_t
begin_record(struct pb_text *o, int op)
{
	add_number(o, (uint64_t)op, 1);
	add_number(o, 0, 8);
	return o->len;
}

/* Fill in the length of n bytes before `from`: bytes from there to the end. */
static void
fill_length(struct pb_text *o, size_t from, int n)
{
	pb_le_put(o->s + from - n, o->len - from, n);
}

/* Write the text to the file, and empty it. */
static void
write_text(struct pb_mcap_write *w, struct pb_text *o)
{
	if (o->len == 0)
		return; /* crc32_z() of NULL would reset the sum */
	fwrite(o->s, 1, o->len, w->file.out);
	w->crc = (uint32_t)crc32_z(w->crc, (unsigned char *)o->s, o->len);
	w->at += o->len;
	o->len = 0;
}

/* QoS of rosbag2: keep last (1), reliable (1), transient local (1) or
 * volatile (2); no deadline, written as the longest duration
 * (9223372036.854775807 s). */
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
	add_text(&o, "ros2");
	add_text(&o, "pb " PB_VERSION);
	fill_length(&o, at, 8);
	write_text(w, &o);
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

/* Add the text that a function of ros_message.h writes for a type. */
static void
add_type_text(struct pb_text *o, enum pb_ros_type type,
    void (*write)(struct pb_text *, enum pb_ros_type))
{
	size_t from;

	add_number(o, 0, 4);
	from = o->len;
	write(o, type);
	fill_length(o, from, 4);
}

/* The number of a type's schema, which is written if new. */
static int
find_schema(struct pb_mcap_write *w, enum pb_ros_type type)
{
	struct pb_text *o = &w->schemas;
	size_t from = o->len, at;

	if (w->schema[type] > 0)
		return w->schema[type];
	w->schema[type] = ++w->n_schemas;
	at = begin_record(o, SCHEMA);
	add_number(o, (uint64_t)w->n_schemas, 2);
	add_type_text(o, type, pb_ros_put_name);
	add_text(o, "ros2msg");
	add_type_text(o, type, pb_ros_put_schema);
	fill_length(o, at, 8);
	pb_text_put(&w->chunk, o->s + from, o->len - from);
	return w->n_schemas;
}

/* Start the channel of a topic. */
static void
add_channel(struct pb_mcap_write *w, enum pb_ros_topic which)
{
	const struct pb_ros_topic_row *topic = &pb_ros_topics[which];
	int schema = find_schema(w, topic->type);
	struct pb_text *o = &w->channels;
	size_t from = o->len, at = begin_record(o, CHANNEL), map;

	add_number(o, (uint64_t)w->n_channels, 2);
	add_number(o, (uint64_t)schema, 2);
	add_text(o, topic->name);
	add_text(o, "cdr");
	add_number(o, 0, 4);
	map = o->len;
	add_text(o, "offered_qos_profiles");
	add_text(o, topic->latched ? QOS("1", "1") : QOS("10", "2"));
	fill_length(o, map, 4);
	fill_length(o, at, 8);
	pb_text_put(&w->chunk, o->s + from, o->len - from);
	w->of[which] = w->n_channels++;
}

/* Write the index of each channel in the chunk; note their offsets in
 * `where`. */
static void
write_indexes(struct pb_mcap_write *w, struct pb_text *where)
{
	struct pb_text o = {0};

	for (int i = 0; i < w->n_channels; i++) {
		struct pb_text *index = &w->channel[i].index;
		size_t at, map;

		if (index->len == 0)
			continue;
		add_number(where, (uint64_t)i, 2);
		add_number(where, w->at, 8);
		at = begin_record(&o, MESSAGE_INDEX);
		add_number(&o, (uint64_t)i, 2);
		add_number(&o, 0, 4);
		map = o.len;
		pb_text_put(&o, index->s, index->len);
		fill_length(&o, map, 4);
		fill_length(&o, at, 8);
		index->len = 0;
		write_text(w, &o);
	}
	pb_text_clear(&o);
}

/* Write the record of the chunk. */
static void
write_chunk(struct pb_mcap_write *w)
{
	struct pb_text o = {0};
	size_t at = begin_record(&o, CHUNK);

	add_number(&o, (uint64_t)w->first, 8);
	add_number(&o, (uint64_t)w->last, 8);
	add_number(&o, w->chunk.len, 8);
	add_number(
	    &o, crc32_z(0, (const unsigned char *)w->chunk.s, w->chunk.len), 4);
	add_text(&o, ""); /* no compression */
	add_number(&o, w->chunk.len, 8);
	pb_text_put(&o, w->chunk.s, w->chunk.len);
	fill_length(&o, at, 8);
	write_text(w, &o);
	pb_text_clear(&o);
}

/* Write the chunk and its indexes unless it is empty. */
static void
end_chunk(struct pb_mcap_write *w)
{
	struct pb_text where = {0}, *x = &w->chunks;
	uint64_t at = w->at, length;
	size_t from;

	if (w->chunk.len == 0)
		return;
	write_chunk(w);
	length = w->at - at;
	write_indexes(w, &where);
	from = begin_record(x, CHUNK_INDEX);
	add_number(x, (uint64_t)w->first, 8);
	add_number(x, (uint64_t)w->last, 8);
	add_number(x, at, 8);
	add_number(x, length, 8);
	add_number(x, where.len, 4);
	pb_text_put(x, where.s, where.len);
	add_number(x, w->at - at - length, 8);
	add_text(x, "");
	add_number(x, w->chunk.len, 8);
	add_number(x, w->chunk.len, 8);
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
	add_number(&w->channel[channel].index, (uint64_t)t, 8);
	add_number(&w->channel[channel].index, o->len, 8);
	at = begin_record(o, MESSAGE);
	add_number(o, (uint64_t)channel, 2);
	add_number(o, 0, 4); /* sequence number; ROS 2 leaves it out, too */
	add_number(o, (uint64_t)t, 8);
	add_number(o, (uint64_t)t, 8);
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
add_statistics(struct pb_text *o, const struct pb_mcap_write *w)
{
	size_t at = begin_record(o, STATISTICS);

	add_number(o, w->messages, 8);
	add_number(o, (uint64_t)w->n_schemas, 2);
	add_number(o, (uint64_t)w->n_channels, 4);
	add_number(o, 0, 4); /* attachments */
	add_number(o, 1, 4); /* metadata */
	add_number(o, w->n_chunks, 4);
	add_number(o, (uint64_t)w->begin, 8);
	add_number(o, (uint64_t)w->end, 8);
	add_number(o, (uint64_t)w->n_channels * 10, 4);
	for (int i = 0; i < w->n_channels; i++) {
		add_number(o, (uint64_t)i, 2);
		add_number(o, w->channel[i].messages, 8);
	}
	fill_length(o, at, 8);
}

/*
 * Write the metadata record of rosbag2: without it, rosbag2 since version 9
 * takes the numbers in offered_qos_profiles for words, and publishes nothing
 * that is latched.
 */
static void
write_ros2_metadata(struct pb_mcap_write *w, struct pb_text *index)
{
	static const char name[] = "rosbag2";
	struct pb_text o = {0};
	uint64_t from = w->at;
	size_t at = begin_record(&o, METADATA), map;

	add_text(&o, name);
	add_number(&o, 0, 4);
	map = o.len;
	add_text(&o, "serialized_metadata");
	add_text(&o, "");
	fill_length(&o, map, 4);
	fill_length(&o, at, 8);
	write_text(w, &o);
	pb_text_clear(&o);
	at = begin_record(index, METADATA_INDEX);
	add_number(index, from, 8);
	add_number(index, w->at - from, 8);
	add_text(index, name);
	fill_length(index, at, 8);
}

bool
pb_mcap_write_end(struct pb_mcap_write *w, struct pb_error *bad)
{
	struct pb_text o = {0}, index = {0};
	size_t at;
	uint64_t summary;

	end_chunk(w);
	write_ros2_metadata(w, &index);
	at = begin_record(&o, DATA_END);
	add_number(&o, w->crc, 4);
	fill_length(&o, at, 8);
	write_text(w, &o);
	w->crc = 0;
	summary = w->at;
	write_text(w, &w->schemas);
	write_text(w, &w->channels);
	add_statistics(&o, w);
	write_text(w, &o);
	write_text(w, &w->chunks);
	write_text(w, &index);
	begin_record(&o, FOOTER);
	add_number(&o, summary, 8);
	add_number(
	    &o, 0, 8); /* no summary offsets: readers use the summary itself */
	o.s[1] = 20;
	write_text(w, &o);
	add_number(&o, w->crc, 4);
	pb_text_put(&o, magic, sizeof(magic) - 1);
	write_text(w, &o);
	pb_text_clear(&o);
	pb_text_clear(&index);
	return pb_file_finish(&w->file, bad) == 0;
}
