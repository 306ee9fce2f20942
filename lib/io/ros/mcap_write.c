/* mcap_write.c - MCAP files, chunked and indexed, as all their readers want. */
#include "io/ros/mcap_write.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/grow.h"
#include "io/stream/le.h"
#include "io/stream/text.h"
#include "pb/version.h"

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

static const char magic[] = "\x89MCAP0\r\n";

struct channel {
	uint64_t messages;
	struct pb_text index; /* of those in the chunk at hand */
};

struct pb_mcap_write {
	FILE *out;
	uint64_t at;  /* bytes written */
	uint32_t crc; /* of them, since the file or its summary began */
	bool failed;

	struct pb_text chunk;
	int64_t first, last; /* times in it */
	bool empty;          /* no message is in it */

	/* For the summary. */
	struct pb_text schemas, channels, chunks;
	const char **type; /* of each schema */
	struct channel *channel;
	int n_schemas, n_channels;
	size_t type_room, channel_room;
	uint32_t n_chunks;
	uint64_t messages;
	int64_t begin, end;
};

/* Put n bytes of v, the lowest first. */
static void
put(struct pb_text *o, uint64_t v, int n)
{
	char b[8];

	pb_le_put(b, v, n);
	pb_text_put(o, b, (size_t)n);
}

static void
put_text(struct pb_text *o, const char *s)
{
	put(o, strlen(s), 4);
	pb_text_puts(o, s);
}

/* Begin a record, whose length is filled in at its end; where it begins. */
static size_t
begin_record(struct pb_text *o, int op)
{
	put(o, (uint64_t)op, 1);
	put(o, 0, 8);
	return o->len;
}

/* Fill in how much follows behind the n bytes of length before `from`. */
static void
fill_length(struct pb_text *o, size_t from, int n)
{
	if (!o->failed)
		pb_le_put(o->s + from - n, o->len - from, n);
}

static void
send(struct pb_mcap_write *w, const void *p, size_t n)
{
	w->failed = w->failed || (n > 0 && fwrite(p, 1, n, w->out) != n);
	w->crc = (uint32_t)crc32_z(w->crc, p, n);
	w->at += n;
}

/* Write it, and have it empty. */
static void
send_text(struct pb_mcap_write *w, struct pb_text *o)
{
	w->failed = w->failed || o->failed;
	if (!o->failed && o->len > 0)
		send(w, o->s, o->len);
	o->len = 0;
}

struct pb_mcap_write *
pb_mcap_write_new(FILE *out)
{
	struct pb_mcap_write *w = calloc(1, sizeof(*w));
	struct pb_text o = {0};
	size_t at;

	if (w == NULL)
		return NULL;
	*w = (struct pb_mcap_write){.out = out, .empty = true};
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
	for (int i = 0; i < w->n_channels; i++)
		pb_text_clear(&w->channel[i].index);
	free(w->channel);
	free(w->type);
	pb_text_clear(&w->chunk);
	pb_text_clear(&w->schemas);
	pb_text_clear(&w->channels);
	pb_text_clear(&w->chunks);
	free(w);
}

/* The schema of c's type, new or old; 0 without memory. */
static int
schema_of(struct pb_mcap_write *w, const struct pb_mcap_channel *c)
{
	size_t n = (size_t)w->n_schemas, at;
	size_t from = w->schemas.len;

	for (int i = 0; i < w->n_schemas; i++)
		if (strcmp(w->type[i], c->type) == 0)
			return i + 1;
	if (!pb_grow(&w->type, n, &w->type_room, sizeof(*w->type)))
		return 0;
	w->type[w->n_schemas++] = c->type;
	at = begin_record(&w->schemas, SCHEMA);
	put(&w->schemas, n + 1, 2);
	put_text(&w->schemas, c->type);
	put_text(&w->schemas, "ros2msg");
	put_text(&w->schemas, c->schema);
	fill_length(&w->schemas, at, 8);
	if (!w->schemas.failed)
		pb_text_put(
		    &w->chunk, w->schemas.s + from, w->schemas.len - from);
	return w->n_schemas;
}

static void
put_channel(
    struct pb_text *o, int id, int schema, const struct pb_mcap_channel *c)
{
	size_t at = begin_record(o, CHANNEL), map;

	put(o, (uint64_t)id, 2);
	put(o, (uint64_t)schema, 2);
	put_text(o, c->topic);
	put_text(o, "cdr");
	put(o, 0, 4);
	map = o->len;
	put_text(o, "offered_qos_profiles");
	put_text(o, c->qos);
	fill_length(o, map, 4);
	fill_length(o, at, 8);
}

int
pb_mcap_write_channel(struct pb_mcap_write *w, const struct pb_mcap_channel *c)
{
	int id = w->n_channels, schema = schema_of(w, c);
	size_t from = w->channels.len;

	if (schema == 0 || !pb_grow(&w->channel, (size_t)id, &w->channel_room,
			       sizeof(*w->channel))) {
		w->failed = true;
		return -1;
	}
	w->channel[w->n_channels++] = (struct channel){0};
	put_channel(&w->channels, id, schema, c);
	if (!w->channels.failed)
		pb_text_put(
		    &w->chunk, w->channels.s + from, w->channels.len - from);
	return id;
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
		put(where, (uint64_t)i, 2);
		put(where, w->at, 8);
		at = begin_record(&o, MESSAGE_INDEX);
		put(&o, (uint64_t)i, 2);
		put(&o, 0, 4);
		map = o.len;
		pb_text_put(&o, index->s, index->len);
		fill_length(&o, map, 4);
		fill_length(&o, at, 8);
		w->failed = w->failed || index->failed;
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

	put(&o, (uint64_t)w->first, 8);
	put(&o, (uint64_t)w->last, 8);
	put(&o, w->chunk.len, 8);
	put(&o, crc32_z(0, (const unsigned char *)w->chunk.s, w->chunk.len), 4);
	put_text(&o, ""); /* it is not packed */
	put(&o, w->chunk.len, 8);
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

	if (w->failed || w->chunk.failed || w->chunk.len == 0)
		return;
	send_chunk(w);
	length = w->at - at;
	send_indexes(w, &where);
	from = begin_record(x, CHUNK_INDEX);
	put(x, (uint64_t)w->first, 8);
	put(x, (uint64_t)w->last, 8);
	put(x, at, 8);
	put(x, length, 8);
	put(x, where.len, 4);
	pb_text_put(x, where.s, where.len);
	put(x, w->at - at - length, 8);
	put_text(x, "");
	put(x, w->chunk.len, 8);
	put(x, w->chunk.len, 8);
	fill_length(x, from, 8);
	w->n_chunks++;
	w->chunk.len = 0;
	w->empty = true;
	w->first = w->last = 0;
	w->failed = w->failed || where.failed;
	pb_text_clear(&where);
}

void
pb_mcap_write_message(
    struct pb_mcap_write *w, int channel, int64_t t, const void *p, size_t n)
{
	struct pb_text *o = &w->chunk;
	size_t at;

	if (channel < 0)
		return;
	put(&w->channel[channel].index, (uint64_t)t, 8);
	put(&w->channel[channel].index, o->len, 8);
	at = begin_record(o, MESSAGE);
	put(o, (uint64_t)channel, 2);
	put(o, 0, 4); /* a number in sequence, which ROS 2 leaves out, too */
	put(o, (uint64_t)t, 8);
	put(o, (uint64_t)t, 8);
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

	put(o, w->messages, 8);
	put(o, (uint64_t)w->n_schemas, 2);
	put(o, (uint64_t)w->n_channels, 4);
	put(o, 0, 4); /* attachments */
	put(o, 1, 4); /* metadata */
	put(o, w->n_chunks, 4);
	put(o, (uint64_t)w->begin, 8);
	put(o, (uint64_t)w->end, 8);
	put(o, (uint64_t)w->n_channels * 10, 4);
	for (int i = 0; i < w->n_channels; i++) {
		put(o, (uint64_t)i, 2);
		put(o, w->channel[i].messages, 8);
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
	put(&o, 0, 4);
	map = o.len;
	put_text(&o, "serialized_metadata");
	put_text(&o, "");
	fill_length(&o, map, 4);
	fill_length(&o, at, 8);
	send_text(w, &o);
	pb_text_clear(&o);
	at = begin_record(index, METADATA_INDEX);
	put(index, from, 8);
	put(index, w->at - from, 8);
	put_text(index, name);
	fill_length(index, at, 8);
}

bool
pb_mcap_write_end(struct pb_mcap_write *w)
{
	struct pb_text o = {0}, index = {0};
	size_t at;
	uint64_t summary;

	end_chunk(w);
	w->failed = w->failed || w->chunk.failed;
	send_ros2(w, &index);
	at = begin_record(&o, DATA_END);
	put(&o, w->crc, 4);
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
	put(&o, summary, 8);
	put(&o, 0, 8); /* no list of offsets: readers go through the summary */
	if (!o.failed)
		o.s[1] = 20;
	send_text(w, &o);
	put(&o, w->crc, 4);
	pb_text_put(&o, magic, sizeof(magic) - 1);
	send_text(w, &o);
	pb_text_clear(&o);
	pb_text_clear(&index);
	return !w->failed;
}
