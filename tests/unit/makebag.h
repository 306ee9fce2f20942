/* makebag.h - recordings of all formats with the same messages. */
#pragma once

#include <bzlib.h>
#include <lz4frame.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "io/ros/mcap.h"
#include "io/ros/bag_read.h"
#include "io/stream/line.h"
#include "io/stream/text.h"

enum { TOPICS = 3, LONGEST = 1200 };

static const struct {
	const char *topic, *type;
	enum pb_ros_type of;
} channels[TOPICS] = {
    {"/scan", "sensor_msgs/msg/LaserScan", PB_ROS_SCAN},
    {"/odom", "nav_msgs/msg/Odometry", PB_ROS_ODOMETRY},
    {"/b/scan", "sensor_msgs/msg/LaserScan", PB_ROS_SCAN},
};

static inline int
add_channel(struct pb_mcap_write *w, int i)
{
	return pb_mcap_write_channel(
	    w, channels[i].topic, channels[i].of, false);
}

/* As ROS 1 and our reader have them. */
static const char *const types[TOPICS] = {
    "sensor_msgs/LaserScan", "nav_msgs/Odometry", "sensor_msgs/LaserScan"};

static inline int64_t
time_of(int i)
{
	return INT64_C(1700000000000000000) + INT64_C(10000000) * i;
}

/* A message that begins like CDR, of some length. */
static inline size_t
make_message(int i, unsigned char *s)
{
	size_t n = 8 + (size_t)(i * 37) % (LONGEST - 8);

	for (size_t k = 0; k < n; k++)
		s[k] = (unsigned char)((size_t)i * k >> 5);
	memcpy(s, "\0\1\0\0", 4);
	s[4] = (unsigned char)i;
	return n;
}

static inline void
put_le(struct pb_text *o, uint64_t v, int n)
{
	char b[8];

	pb_le_put(b, v, n);
	pb_text_put(o, b, (size_t)n);
}

/* Pack n bytes at p as MCAP has it into to, which is large enough. */
static inline size_t
pack_bytes(enum pb_pack pack, const void *p, size_t n, void *to, size_t room)
{
	if (pack == PB_PACK_ZSTD)
		return ZSTD_compress(to, room, p, n, ZSTD_CLEVEL_DEFAULT);
	return LZ4F_compressFrame(to, room, p, n, NULL);
}

/* What stands in the chunk's record in place of its n plain bytes at p. */
static inline void
put_packed(struct pb_text *o, enum pb_pack pack, const char *p, size_t n)
{
	const size_t front = 8 + 8 + 8 + 4, behind = front + 4 + 8;
	size_t room = ZSTD_compressBound(n) + LZ4F_compressFrameBound(n, NULL);
	void *to = malloc(room);
	size_t packed = pack_bytes(pack, p + behind, n - behind, to, room);
	const char *name = pb_pack_name[pack];

	put_le(o, 6, 1);
	put_le(o, behind + strlen(name) + packed, 8);
	pb_text_put(o, p, front);
	put_le(o, strlen(name), 4);
	pb_text_puts(o, name);
	put_le(o, packed, 8);
	pb_text_put(o, to, packed);
	free(to);
}

/* The file with its chunks packed, which we do not write ourselves. What its
 * end says of where they are is that of the plain one. */
static inline bool
pack_mcap(const char *from, const char *path, enum pb_pack pack)
{
	FILE *in = fopen(from, "rb"), *out = fopen(path, "wb");
	struct pb_text o = {0};
	char head[9], *p;
	uint32_t crc = 0;
	size_t n, got = fread(head, 1, 8, in);

	for (;;) {
		pb_text_put(&o, head, got);
		crc = (uint32_t)crc32_z(crc, (unsigned char *)o.s, o.len);
		fwrite(o.s, 1, o.len, out);
		o.len = 0;
		if ((got = fread(head, 1, 9, in)) < 9)
			break;
		n = pb_le_get(head + 1, 8);
		p = malloc(n + 1);
		if (fread(p, 1, n, in) != n)
			break;
		if (head[0] == 15) /* the end of the data */
			pb_le_put(p, crc, 4);
		if (head[0] == 6) {
			put_packed(&o, pack, p, n);
		} else {
			pb_text_put(&o, head, 9);
			pb_text_put(&o, p, n);
		}
		free(p);
		got = 0;
	}
	fwrite(head, 1, got, out);
	pb_text_clear(&o);
	fclose(in);
	return fclose(out) == 0;
}

static inline bool
make_mcap(const char *path, enum pb_pack pack, int from, int to)
{
	char plain[4096];
	struct pb_mcap_write *w;
	unsigned char data[LONGEST];
	struct pb_error bad;
	int id[TOPICS];
	bool ok;

	snprintf(plain, sizeof(plain), "%s%s", path,
	    pack == PB_PACK_NONE ? "" : ".plain");
	w = pb_mcap_write_new(plain, &bad);
	if (w == NULL)
		return false;
	/* Numbers of channels differ from file to file. */
	for (int i = 0; i < TOPICS; i++)
		id[(i + from) % TOPICS] = add_channel(w, (i + from) % TOPICS);
	for (int i = from; i < to; i++)
		pb_mcap_write_message(
		    w, id[i % TOPICS], time_of(i), data, make_message(i, data));
	ok = pb_mcap_write_end(w, &bad);
	pb_mcap_write_free(w);
	if (pack == PB_PACK_NONE)
		return ok;
	ok = ok && pack_mcap(plain, path, pack);
	remove(plain);
	return ok;
}

/* Bags of ROS 1: fields, records, a file. */
static inline void
put_field(struct pb_text *o, const char *name, const void *p, size_t n)
{
	put_le(o, strlen(name) + 1 + n, 4);
	pb_text_puts(o, name);
	pb_text_put(o, "=", 1);
	pb_text_put(o, p, n);
}

static inline void
put_number(struct pb_text *o, const char *name, uint64_t v, int n)
{
	struct pb_text t = {0};

	put_le(&t, v, n);
	put_field(o, name, t.s, t.len);
	pb_text_clear(&t);
}

/* Ends the header, which becomes empty. */
static inline void
put_record(struct pb_text *o, struct pb_text *header, const void *p, size_t n)
{
	put_le(o, header->len, 4);
	pb_text_put(o, header->s, header->len);
	put_le(o, n, 4);
	pb_text_put(o, p, n);
	header->len = 0;
}

static inline void
put_connection(struct pb_text *o, int i)
{
	struct pb_text h = {0}, d = {0};
	const char *topic = channels[i].topic;

	put_number(&h, "op", 7, 1);
	put_number(&h, "conn", (uint64_t)i, 4);
	put_field(&h, "topic", topic, strlen(topic));
	put_field(&d, "topic", topic, strlen(topic));
	put_field(&d, "type", types[i], strlen(types[i]));
	put_field(&d, "message_definition", "float32 x = 1", 13);
	put_record(o, &h, d.s, d.len);
	pb_text_clear(&h);
	pb_text_clear(&d);
}

static inline void
put_chunk(struct pb_text *o, enum pb_pack pack, struct pb_text *records)
{
	struct pb_text h = {0}, packed = {0};
	size_t most = LZ4F_compressFrameBound(records->len, NULL) + 1000;
	char *to = pb_text_room(&packed, most);
	unsigned n = (unsigned)most;

	if (pack == PB_PACK_LZ4) {
		packed.len = LZ4F_compressFrame(
		    to, most, records->s, records->len, NULL);
	} else if (pack == PB_PACK_BZ2) {
		BZ2_bzBuffToBuffCompress(
		    to, &n, records->s, (unsigned)records->len, 9, 0, 0);
		packed.len = n;
	} else {
		pb_text_put(&packed, records->s, records->len);
	}
	put_number(&h, "op", 5, 1);
	put_number(&h, "size", records->len, 4);
	put_field(
	    &h, "compression", pb_pack_name[pack], strlen(pb_pack_name[pack]));
	put_record(o, &h, packed.s, packed.len);
	/* Its index, which nobody reads. */
	put_number(&h, "op", 4, 1);
	put_record(o, &h, "............", 12);
	records->len = 0;
	pb_text_clear(&h);
	pb_text_clear(&packed);
}

/* The file's header takes 4096 bytes, whatever it says. */
static inline void
put_file_header(struct pb_text *o, uint64_t index_pos)
{
	static char blanks[4096];
	struct pb_text h = {0};

	memset(blanks, ' ', sizeof(blanks));
	put_number(&h, "index_pos", index_pos, 8);
	put_number(&h, "op", 3, 1);
	put_number(&h, "conn_count", TOPICS, 4);
	put_number(&h, "chunk_count", 1, 4);
	put_record(o, &h, blanks, 4096 - 8 - h.len);
	pb_text_clear(&h);
}

/* closed: with an index. */
static inline bool
make_ros1(const char *path, enum pb_pack pack, int n, bool closed)
{
	FILE *f = fopen(path, "wb");
	struct pb_text o = {0}, head = {0}, chunk = {0}, h = {0};
	unsigned char data[LONGEST];

	for (int i = 0; i < n; i++) {
		if (i < TOPICS)
			put_connection(&chunk, i);
		put_number(&h, "op", 2, 1);
		put_number(&h, "conn", (uint64_t)i % TOPICS, 4);
		put_number(&h, "time",
		    (uint64_t)(time_of(i) / 1000000000) |
			(uint64_t)(time_of(i) % 1000000000) << 32,
		    8);
		put_record(&chunk, &h, data, make_message(i, data));
		if (chunk.len > 100000 || i == n - 1)
			put_chunk(&o, pack, &chunk);
	}
	pb_text_puts(&head, "#ROSBAG V2.0\n");
	put_file_header(&head, closed ? 13 + 4096 + o.len : 0);
	for (int i = 0; closed && i < TOPICS; i++)
		put_connection(&o, i);
	fwrite(head.s, 1, head.len, f);
	fwrite(o.s, 1, o.len, f);
	pb_text_clear(&o);
	pb_text_clear(&head);
	pb_text_clear(&chunk);
	pb_text_clear(&h);
	return fclose(f) == 0;
}

/* Ways of making an SQLite file. */
enum {
	DB3_V4 = 1,     /* with the columns and tables of iron */
	DB3_ZSTD = 2,   /* each message on its own */
	DB3_PLAIN = 4,  /* without the index of times */
	DB3_CRASHED = 8 /* the last messages are in a -wal only */
};

static inline bool
put_rows(sqlite3 *db, int from, int to, int how)
{
	unsigned char data[LONGEST], packed[2 * LONGEST];
	sqlite3_stmt *s;
	bool ok =
	    sqlite3_prepare_v2(db, "INSERT INTO messages VALUES(NULL, ?, ?, ?)",
		-1, &s, NULL) == SQLITE_OK;

	for (int k = from; k < to; k++) {
		/* Neighbours change places. */
		int i = from + ((k - from) ^ 1);

		i = i < to ? i : k;
		size_t n = make_message(i, data);
		void *p = data;

		if (how & DB3_ZSTD) {
			n = ZSTD_compress(packed, sizeof(packed), data, n, 1);
			p = packed;
		}
		sqlite3_bind_int(s, 1, 7 + i % TOPICS);
		sqlite3_bind_int64(s, 2, time_of(i));
		sqlite3_bind_blob(s, 3, p, (int)n, SQLITE_STATIC);
		ok = ok && sqlite3_step(s) == SQLITE_DONE;
		sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	return ok;
}

static inline bool
make_tables(sqlite3 *db, int how)
{
	char sql[300];
	bool ok = sqlite3_exec(db,
		      how & DB3_V4
			  ? "CREATE TABLE schema(schema_version INTEGER PRIMARY"
			    " KEY, ros_distro TEXT); CREATE TABLE"
			    " topics(id INTEGER PRIMARY KEY, name TEXT, type"
			    " TEXT, serialization_format TEXT,"
			    " offered_qos_profiles TEXT,"
			    " type_description_hash TEXT)"
			  : "CREATE TABLE topics(id INTEGER PRIMARY KEY, name"
			    " TEXT, type TEXT, serialization_format TEXT)",
		      NULL, NULL, NULL) == SQLITE_OK;

	ok = ok && sqlite3_exec(db,
		       "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id"
		       " INTEGER NOT NULL, timestamp INTEGER NOT NULL, data"
		       " BLOB NOT NULL)",
		       NULL, NULL, NULL) == SQLITE_OK;
	if (!(how & DB3_PLAIN))
		ok = ok && sqlite3_exec(db,
			       "CREATE INDEX timestamp_idx ON"
			       " messages (timestamp ASC)",
			       NULL, NULL, NULL) == SQLITE_OK;
	for (int i = 0; i < TOPICS; i++) {
		snprintf(sql, sizeof(sql),
		    "INSERT INTO topics VALUES(%d, '%s', '%s', 'cdr'%s)", 7 + i,
		    channels[i].topic, channels[i].type,
		    how & DB3_V4 ? ", '', ''" : "");
		ok = ok && sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
	}
	return ok;
}

static inline bool
copy_file(const char *from, const char *to)
{
	char line[1000];

	snprintf(line, sizeof(line), "cp '%s' '%s'", from, to);
	return system(line) == 0;
}

static inline bool
make_db3(const char *path, int from, int to, int how)
{
	sqlite3 *db;
	char made[300], file[310], wal[310];
	int last = how & DB3_CRASHED ? (from + to) / 2 : to;
	bool ok;

	snprintf(made, sizeof(made), "%s.made", path);
	remove(made);
	/* Small pages: there are many of them. */
	ok = sqlite3_open(made, &db) == SQLITE_OK &&
	     sqlite3_exec(db, "PRAGMA page_size=512; PRAGMA synchronous=OFF",
		 NULL, NULL, NULL) == SQLITE_OK &&
	     sqlite3_exec(db,
		 how & DB3_CRASHED ? "PRAGMA journal_mode=WAL"
				   : "PRAGMA journal_mode=OFF",
		 NULL, NULL, NULL) == SQLITE_OK &&
	     sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK &&
	     make_tables(db, how) && put_rows(db, from, last, how) &&
	     sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
	if (how & DB3_CRASHED)
		ok = ok &&
		     sqlite3_wal_checkpoint_v2(db, NULL,
			 SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) == SQLITE_OK &&
		     put_rows(db, last, to, how);
	/* As a crash leaves them: copied before they are closed. */
	snprintf(file, sizeof(file), "%s-wal", made);
	snprintf(wal, sizeof(wal), "%s-wal", path);
	remove(wal);
	ok = ok && copy_file(made, path);
	if (how & DB3_CRASHED)
		ok = ok && copy_file(file, wal);
	sqlite3_close(db);
	remove(made);
	return ok;
}
