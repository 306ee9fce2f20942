/*
 * bags.c [DIR] - tests of recordings of ROS topics, our own and those of
 * others; or write some of all formats into DIR, for make fuzz.
 */
#define CHECK_MAIN
#include "check.h"

#include <bzlib.h>
#include <fcntl.h>
#include <jansson.h>
#include <lz4frame.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/hash.h"
#include "io/ros/bag.h"
#include "io/ros/bag_read.h"
#include "io/stream/line.h"
#include "io/stream/text.h"

enum { TOPICS = 3, LONGEST = 1200 };

static const struct {
	const char *topic, *type;
	enum pb_ros_topic of;
} channels[TOPICS] = {
    {"/ground_truth", "geometry_msgs/msg/PoseStamped", PB_TOPIC_TRUTH},
    {"/odom", "nav_msgs/msg/Odometry", PB_TOPIC_ODOM},
    {"/goal_pose", "geometry_msgs/msg/PoseStamped", PB_TOPIC_GOAL},
};

/* As ROS 1 and our reader have them. */
static const char *const types[TOPICS] = {"geometry_msgs/PoseStamped",
    "nav_msgs/Odometry", "geometry_msgs/PoseStamped"};

static int64_t
time_of(int i)
{
	return INT64_C(1700000000000000000) + INT64_C(10000000) * i;
}

/* A message that begins like CDR, of some length. */
static size_t
make_message(int i, unsigned char *s)
{
	size_t n = 8 + (size_t)(i * 37) % (LONGEST - 8);

	for (size_t k = 0; k < n; k++)
		s[k] = (unsigned char)((size_t)i * k >> 5);
	memcpy(s, "\0\1\0\0", 4);
	s[4] = (unsigned char)i;
	return n;
}

static void
put_le(struct pb_text *o, uint64_t v, int n)
{
	char b[8];

	pb_le_put(b, v, n);
	pb_text_put(o, b, (size_t)n);
}

/* By enum pb_pack, as recordings have them. */
static const char *const pack_name[] = {"none", "lz4", "zstd", "bz2"};

/* Pack n bytes at p as MCAP has it into to, which is large enough. */
static size_t
pack_bytes(enum pb_pack pack, const void *p, size_t n, void *to, size_t room)
{
	if (pack == PB_PACK_ZSTD)
		return ZSTD_compress(to, room, p, n, ZSTD_CLEVEL_DEFAULT);
	return LZ4F_compressFrame(to, room, p, n, NULL);
}

/* What stands in the chunk's record in place of its n plain bytes at p. */
static void
put_packed(struct pb_text *o, enum pb_pack pack, const char *p, size_t n)
{
	const size_t front = 8 + 8 + 8 + 4, behind = front + 4 + 8;
	size_t room = ZSTD_compressBound(n) + LZ4F_compressFrameBound(n, NULL);
	void *to = malloc(room);
	size_t packed = pack_bytes(pack, p + behind, n - behind, to, room);
	const char *name = pack_name[pack];

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
static bool
pack_mcap(const char *from, const char *path, enum pb_pack pack)
{
	FILE *in = fopen(from, "rb"), *out = fopen(path, "wb");
	struct pb_text o = {0};
	char head[9], *p;
	size_t n, got = fread(head, 1, 8, in);

	for (;;) {
		pb_text_put(&o, head, got);
		fwrite(o.s, 1, o.len, out);
		o.len = 0;
		if ((got = fread(head, 1, 9, in)) < 9)
			break;
		n = pb_le_get(head + 1, 8);
		p = malloc(n + 1);
		if (fread(p, 1, n, in) != n)
			break;
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

static bool
make_mcap(const char *path, enum pb_pack pack, int from, int to)
{
	char plain[4096];
	struct pb_mcap_write *w;
	unsigned char data[LONGEST];
	struct pb_error bad;
	bool ok;

	snprintf(plain, sizeof(plain), "%s%s", path,
	    pack == PB_PACK_NONE ? "" : ".plain");
	w = pb_mcap_write_new(plain, &bad);
	if (w == NULL)
		return false;
	/* Numbers of channels differ from file to file: the first is 0. */
	for (int i = from; i < to; i++)
		pb_mcap_write_message(w, channels[i % TOPICS].of, time_of(i),
		    data, make_message(i, data));
	ok = pb_mcap_write_end(w, &bad);
	pb_mcap_write_free(w);
	if (pack == PB_PACK_NONE)
		return ok;
	ok = ok && pack_mcap(plain, path, pack);
	remove(plain);
	return ok;
}

/* Bags of ROS 1: fields, records, a file. */
static void
put_field(struct pb_text *o, const char *name, const void *p, size_t n)
{
	put_le(o, strlen(name) + 1 + n, 4);
	pb_text_puts(o, name);
	pb_text_put(o, "=", 1);
	pb_text_put(o, p, n);
}

static void
put_number(struct pb_text *o, const char *name, uint64_t v, int n)
{
	struct pb_text t = {0};

	put_le(&t, v, n);
	put_field(o, name, t.s, t.len);
	pb_text_clear(&t);
}

/* Ends the header, which becomes empty. */
static void
put_record(struct pb_text *o, struct pb_text *header, const void *p, size_t n)
{
	put_le(o, header->len, 4);
	pb_text_put(o, header->s, header->len);
	put_le(o, n, 4);
	pb_text_put(o, p, n);
	header->len = 0;
}

static void
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

/* What an entry of a chunk's index is stated to have, of 12 bytes. */
static size_t stated = 12;

static void
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
	put_field(&h, "compression", pack_name[pack], strlen(pack_name[pack]));
	put_record(o, &h, packed.s, packed.len);
	/* Its index, which nobody reads. */
	put_number(&h, "op", 4, 1);
	put_number(&h, "count", 2, 4);
	put_record(o, &h, "", 0);
	pb_le_put(o->s + o->len - 4, 2 * stated, 4);
	pb_text_puts(o, "........................");
	records->len = 0;
	pb_text_clear(&h);
	pb_text_clear(&packed);
}

/* The file's header takes 4096 bytes, whatever it says. */
static void
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
static bool
make_ros1(const char *path, enum pb_pack pack, int n, bool closed)
{
	FILE *f = fopen(path, "wb");
	struct pb_text o = {0}, head = {0}, chunk = {0}, h = {0}, index = {0};
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
		if (chunk.len <= 100000 && i < n - 1)
			continue;
		put_number(&h, "op", 6, 1);
		put_number(&h, "chunk_pos", 13 + 4096 + o.len, 8);
		put_record(&index, &h, "........", 8);
		put_chunk(&o, pack, &chunk);
	}
	pb_text_puts(&head, "#ROSBAG V2.0\n");
	put_file_header(&head, closed ? 13 + 4096 + o.len : 0);
	for (int i = 0; closed && i < TOPICS; i++)
		put_connection(&o, i);
	if (closed)
		pb_text_put(&o, index.s, index.len);
	fwrite(head.s, 1, head.len, f);
	fwrite(o.s, 1, o.len, f);
	pb_text_clear(&o);
	pb_text_clear(&head);
	pb_text_clear(&chunk);
	pb_text_clear(&h);
	pb_text_clear(&index);
	return fclose(f) == 0;
}

/* As bags of 2010, which state a longer index than they have. */
static bool
make_ros1_stated(const char *path, int n)
{
	bool ok;

	stated = 20;
	ok = make_ros1(path, PB_PACK_LZ4, n, true);
	stated = 12;
	return ok;
}

/* Ways of making an SQLite file. */
enum {
	DB3_V4 = 1,     /* with the columns and tables of iron */
	DB3_ZSTD = 2,   /* each message on its own */
	DB3_PLAIN = 4,  /* without the index of times */
	DB3_CRASHED = 8 /* the last messages are in a -wal only */
};

static bool
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

static bool
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

static bool
copy_file(const char *from, const char *to)
{
	char line[1000];

	snprintf(line, sizeof(line), "cp '%s' '%s'", from, to);
	return system(line) == 0;
}

static bool
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

enum { SEEN = 40 };

struct seen {
	int n;                        /* messages */
	int bad;                      /* complaints */
	bool refused;                 /* it could not be opened */
	bool cut;                     /* one of kind PB_ERROR_CUT */
	struct pb_error first;        /* of them */
	int64_t from, to;             /* of times */
	bool sorted;                  /* by time */
	uint64_t hash;                /* of all messages, in their order */
	uint64_t prefix[SEEN * SEEN]; /* of the first ones */
	char topic[SEEN][64];
	int count[SEEN], topics;
};

static void
see(struct seen *s, const struct pb_bag_message *m)
{
	uint64_t h = s->hash;
	int i = 0;

	h = pb_hash_bytes(h, m->topic, strlen(m->topic));
	h = pb_hash_bytes(h, m->type, strlen(m->type));
	h = pb_hash_bytes(h, &m->t, sizeof(m->t));
	h = pb_hash_bytes(h, m->data, m->size);
	s->hash = h;
	if (s->n < SEEN * SEEN)
		s->prefix[s->n] = h;
	if (s->n == 0)
		s->from = m->t;
	s->sorted = s->n == 0 || (s->sorted && m->t >= s->to);
	s->to = m->t;
	s->n++;
	while (i < s->topics && strcmp(s->topic[i], m->topic) != 0)
		i++;
	if (i == s->topics && i < SEEN)
		snprintf(s->topic[s->topics++], 64, "%s", m->topic);
	if (i < SEEN)
		s->count[i]++;
}

static void
complain(struct seen *s, const struct pb_error *bad)
{
	if (s->bad++ == 0)
		s->first = *bad;
	s->cut = s->cut || bad->kind == PB_ERROR_CUT;
}

/* Read it as the tools do. */
static struct seen
see_recording(const char *name)
{
	struct seen s = {.sorted = true, .hash = PB_HASH_START};
	struct pb_source src = {0};
	struct pb_error bad;
	struct pb_bag *b = NULL;
	struct pb_bag_message m;
	enum pb_next got;
	char head[64];
	size_t n = 0, k = 0;

	if (pb_bag_is_folder(name)) {
		b = pb_bag_open(name, NULL, NULL, 0, &bad);
	} else if (pb_source_open(&src, name, &bad)) {
		while (n < PB_BAG_HEAD &&
		       pb_source_read(&src, head + n, sizeof(head) - n, &k,
			   &bad) == PB_NEXT)
			n += k;
		pb_error_set(&bad, "no recording");
		if (pb_bag_is(head, n))
			b = pb_bag_open(name, &src, head, n, &bad);
	}
	if (b == NULL) {
		s.refused = true;
		complain(&s, &bad);
	}
	while (b != NULL && (got = pb_bag_next(b, &m, &bad)) != PB_END) {
		if (got == PB_HALT)
			break;
		if (got == PB_NEXT)
			see(&s, &m);
		else
			complain(&s, &bad);
	}
	pb_bag_close(b);
	pb_source_close(&src);
	return s;
}

static char dir[64];

static const char *
path_of(const char *name)
{
	static char path[4][160];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
	return path[turn];
}

enum { MESSAGES = 1500 }; /* more than one chunk of MCAP holds */

/* What all recordings here hold. */
static struct seen
expected(int n)
{
	struct seen s = {.sorted = true, .hash = PB_HASH_START};
	unsigned char data[LONGEST];

	for (int i = 0; i < n; i++) {
		struct pb_bag_message m = {.topic = channels[i % TOPICS].topic,
		    .type = types[i % TOPICS],
		    .t = time_of(i),
		    .data = data,
		    .size = make_message(i, data)};

		see(&s, &m);
	}
	return s;
}

static void
check_whole(const char *path, int n)
{
	struct seen s = see_recording(path), wanted = expected(n);

	check_int(s.n, wanted.n);
	check(s.hash == wanted.hash);
	check_int(s.bad, 0);
	if (s.bad > 0 || s.n != n)
		printf("# %s: %s\n", path, s.first.text);
}

test(mcap)
{
	for (int pack = PB_PACK_NONE; pack <= PB_PACK_ZSTD; pack++) {
		const char *path = path_of("a.mcap");

		check(make_mcap(path, (enum pb_pack)pack, 0, MESSAGES));
		check_whole(path, MESSAGES);
	}
}

/* What its statistics say: how many messages, the first and the last time. */
test(mcap_statistics)
{
	unsigned char head[9], *p;
	bool found = false;
	FILE *f;

	check(make_mcap(path_of("a.mcap"), PB_PACK_NONE, 0, MESSAGES));
	f = fopen(path_of("a.mcap"), "rb");
	check(fread(head, 1, 8, f) == 8);
	while (!found && fread(head, 1, 9, f) == 9) {
		size_t n = pb_le_get(head + 1, 8);

		p = malloc(n + 1);
		check(fread(p, 1, n, f) == n);
		found = head[0] == 11 && n >= 42;
		if (found) {
			check_int((int)pb_le_get(p, 8), MESSAGES);
			check_int((int)pb_le_get(p + 10, 4), TOPICS);
			check((int64_t)pb_le_get(p + 26, 8) == time_of(0));
			check((int64_t)pb_le_get(p + 34, 8) ==
			      time_of(MESSAGES - 1));
		}
		free(p);
	}
	check(found);
	fclose(f);
}

test(ros1)
{
	static const enum pb_pack packs[] = {
	    PB_PACK_NONE, PB_PACK_LZ4, PB_PACK_BZ2};

	for (int i = 0; i < 3; i++) {
		check(make_ros1(path_of("a.bag"), packs[i], MESSAGES, true));
		check_whole(path_of("a.bag"), MESSAGES);
	}
}

/* Their count denies it. */
test(ros1_index)
{
	check(make_ros1_stated(path_of("a.bag"), MESSAGES));
	check_whole(path_of("a.bag"), MESSAGES);
}

test(ros1_active)
{
	struct seen s;

	check(make_ros1(path_of("a.bag"), PB_PACK_NONE, MESSAGES, false));
	s = see_recording(path_of("a.bag"));
	check_int(s.n, MESSAGES);
	check(s.bad == 1 && s.cut);
	check_has(s.first.text, "never closed");
}

test(db3)
{
	for (int how = 0; how < DB3_CRASHED; how++) {
		check(make_db3(path_of("a.db3"), 0, MESSAGES, how));
		check(chmod(dir, 0555) == 0);
		check_whole(path_of("a.db3"), MESSAGES);
		check(chmod(dir, 0755) == 0);
	}
}

/* The last messages are in a -wal: no recording is read without them. */
test(crashed_db3)
{
	struct seen s;

	check(make_db3(path_of("a.db3"), 0, MESSAGES, DB3_CRASHED));
	s = see_recording(path_of("a.db3"));
	check(s.refused && strstr(s.first.text, "a.db3-wal") != NULL);
	remove(path_of("a.db3-wal"));
}

static void
shell(const char *fmt, const char *a, const char *b)
{
	char line[600];

	snprintf(line, sizeof(line), fmt, a, b);
	check(system(line) == 0);
}

static void
write_zstd(const char *from, const char *to)
{
	static char in[5000000], out[5000000];
	FILE *f = fopen(from, "rb");
	size_t n = fread(in, 1, sizeof(in), f);

	fclose(f);
	n = ZSTD_compress(out, sizeof(out), in, n, 1);
	f = fopen(to, "wb");
	fwrite(out, 1, n, f);
	fclose(f);
}

/* Of each format: compressed as a whole, and from a pipe. */
test(without_a_name)
{
	static const char *const names[] = {"a.mcap", "a.bag", "a.db3"};

	check(make_mcap(path_of("a.mcap"), PB_PACK_ZSTD, 0, MESSAGES));
	check(make_ros1(path_of("a.bag"), PB_PACK_LZ4, MESSAGES, true));
	check(make_db3(path_of("a.db3"), 0, MESSAGES, 0));
	for (int i = 0; i < 3; i++) {
		write_zstd(path_of(names[i]), path_of("a.zstd"));
		check_whole(path_of("a.zstd"), MESSAGES);
		shell("gzip -c %s >%s", path_of(names[i]), path_of("a.gz"));
		check_whole(path_of("a.gz"), MESSAGES);
		shell("rm -f %s; mkfifo %s", path_of("pipe"), path_of("pipe"));
		shell("cat %s >%s &", path_of(names[i]), path_of("pipe"));
		check_whole(path_of("pipe"), MESSAGES);
	}
}

test(folders)
{
	check(mkdir(path_of("d"), 0755) == 0);
	check(make_mcap(path_of("d/p_2.mcap"), PB_PACK_ZSTD, 0, 100));
	check(make_mcap(path_of("d/p_10.mcap"), PB_PACK_LZ4, 100, 101));
	check(make_db3(path_of("d/p_11.db3"), 101, 300, 0));
	check(make_db3(path_of("d/x"), 300, MESSAGES, DB3_ZSTD));
	write_zstd(path_of("d/x"), path_of("d/p_12.db3.zstd"));
	check_whole(path_of("d"), MESSAGES);
	/* As "ros2 bag play" leaves it. */
	shell("cp %s %s", path_of("d/x"), path_of("d/p_12.db3"));
	check_whole(path_of("d"), MESSAGES);
}

/* Files as bytes, to be cut and changed. */
static unsigned char bytes[6000000];
static size_t n_bytes;

/* A part that is not there, or cut off, is told, and the others are read. */
test(broken_folders)
{
	struct seen s;

	shell("head -c 3000 %s >%s", path_of("d/p_2.mcap"), path_of("d/cut"));
	shell("mv %s %s", path_of("d/cut"), path_of("d/p_2.mcap"));
	shell("ln -s none %s %s", path_of("d/p_3.mcap"), "");
	s = see_recording(path_of("d"));
	check(!s.refused && s.cut);
	check_int(s.bad, 2);
	check(s.n >= 1 && s.n < MESSAGES);
	check_has(s.first.file, "/p_2.mcap");
	shell("rm -f %s/* %s", path_of("d"), "");
	s = see_recording(path_of("d"));
	check(s.refused && strstr(s.first.text, "without a rec") != NULL);
}

static void
load(const char *path)
{
	FILE *f = fopen(path, "rb");

	n_bytes = f != NULL ? fread(bytes, 1, sizeof(bytes), f) : 0;
	check(n_bytes > 0 && n_bytes < sizeof(bytes));
	if (f != NULL)
		fclose(f);
}

static struct seen
see_bytes(size_t n)
{
	FILE *f = fopen(path_of("bytes"), "wb");

	fwrite(bytes, 1, n, f);
	fclose(f);
	return see_recording(path_of("bytes"));
}

/* How many messages are whole in the first n bytes of MCAP that is not
 * packed: the obvious way. */
static int
whole_messages(size_t from, size_t n)
{
	int sum = 0;

	while (from + 9 <= n) {
		const unsigned char *p = bytes + from;
		size_t len = (size_t)pb_le_get(p + 1, 8);

		if (p[0] == 6 && from + 9 + 40 <= n)
			sum += whole_messages(from + 9 + 40,
			    from + 9 + len < n ? from + 9 + len : n);
		sum += p[0] == 5 && from + 9 + len <= n;
		from += 9 + len;
	}
	return sum;
}

/* Messages of the index at p, each of which must be where it says. */
static int
check_index(const unsigned char *p, const unsigned char *records)
{
	uint32_t n = (uint32_t)pb_le_get(p + 9 + 2, 4);

	check_int(p[0], 7);
	for (uint32_t i = 0; i < n; i += 16) {
		const unsigned char *entry = p + 9 + 6 + i;
		const unsigned char *m = records + pb_le_get(entry + 8, 8);

		check_int(m[0], 5);
		check(pb_le_get(m + 9, 2) == pb_le_get(p + 9, 2));
		check(pb_le_get(m + 9 + 6, 8) == pb_le_get(entry, 8));
	}
	return (int)n / 16;
}

/* What readers that do not go through the file look for. */
test(index)
{
	size_t at;
	int n[256] = {0}, messages = 0;

	check(make_mcap(path_of("a"), PB_PACK_NONE, 0, MESSAGES));
	load(path_of("a"));
	at = (size_t)pb_le_get(bytes + n_bytes - 28, 8);
	check(at > n_bytes / 2 && at < n_bytes);
	for (; at + 9 < n_bytes - 8;
	     at += 9 + (size_t)pb_le_get(bytes + at + 1, 8)) {
		const unsigned char *p = bytes + at + 9;
		const unsigned char *chunk;

		n[bytes[at]]++;
		if (bytes[at] == 11)
			check_int((long long)pb_le_get(p, 8), MESSAGES);
		if (bytes[at] != 8)
			continue;
		chunk = bytes + pb_le_get(p + 16, 8);
		check_int(chunk[0], 6);
		check(9 + pb_le_get(chunk + 1, 8) == pb_le_get(p + 24, 8));
		check(pb_le_get(chunk + 9, 8) == pb_le_get(p, 8));
		for (uint32_t i = 0; i < (uint32_t)pb_le_get(p + 32, 4);
		     i += 10)
			messages +=
			    check_index(bytes + pb_le_get(p + 36 + i + 2, 8),
				chunk + 9 + 40);
	}
	check_int(at, (long long)n_bytes - 8);
	check_int(messages, MESSAGES);
	check(n[3] == 2 && n[4] == TOPICS && n[11] == 1 && n[8] == 2);
	check_int(n[2], 1);
}

/* All whole messages, then that it is cut off. */
static void
check_cut(size_t n, const struct seen *full, int least)
{
	struct seen s = see_bytes(n);

	if (s.refused)
		return;
	if (s.n < least || s.n > full->n || !s.cut || s.bad != 1 ||
	    (s.n > 0 && s.hash != full->prefix[s.n - 1])) {
		printf("# cut at %zu: %d messages, %d expected: %s\n", n, s.n,
		    least, s.first.text);
		check(!"what is whole, and one complaint");
	}
}

test(cut_mcap)
{
	struct seen full = expected(MESSAGES);

	check(make_mcap(path_of("a.mcap"), PB_PACK_NONE, 0, MESSAGES));
	load(path_of("a.mcap"));
	check_int(whole_messages(8, n_bytes), MESSAGES);
	for (size_t k = 8; k < n_bytes; k += n_bytes / 101)
		check_cut(k, &full, whole_messages(8, k));
	for (size_t k = n_bytes - 60; k < n_bytes; k++)
		check_cut(k, &full, MESSAGES);
}

test(cut_packed)
{
	struct seen full = expected(MESSAGES);
	int least = 0;

	for (int i = 0; i < 4; i++) {
		if (i < 2)
			make_mcap(path_of("a"),
			    i == 0 ? PB_PACK_ZSTD : PB_PACK_LZ4, 0, MESSAGES);
		else
			make_ros1(path_of("a"),
			    i == 2 ? PB_PACK_BZ2 : PB_PACK_LZ4, MESSAGES, true);
		load(path_of("a"));
		least = 0;
		for (size_t k = 20; k < n_bytes; k += n_bytes / 41) {
			struct seen s = see_bytes(k);

			check_cut(k, &full, least);
			least = s.n;
		}
	}
}

/* No more than was recorded, and one complaint. */
test(cut_db3)
{
	struct seen full = expected(300), s;

	check(make_db3(path_of("a.db3"), 0, 300, 0));
	load(path_of("a.db3"));
	for (size_t k = 100; k < n_bytes; k += n_bytes / 97) {
		s = see_bytes(k);
		check_int(s.bad, 1);
		check(s.n < 300);
		check(s.n == 0 || s.hash == full.prefix[s.n - 1]);
	}
}

/* Flips of bytes: it ends, in whatever way. */
static void
flip(int n)
{
	struct pb_rng r = draws(1, PB_FOR_MAP);

	for (int i = 0; i < n; i++) {
		size_t at = pb_rng_below(&r, (uint32_t)n_bytes);
		unsigned char was = bytes[at];
		struct seen s;

		bytes[at] ^= (unsigned char)(1 + pb_rng_below(&r, 255));
		s = see_bytes(n_bytes);
		bytes[at] = was;
		check(s.n <= 2 * MESSAGES);
	}
}

test(flips)
{
	make_mcap(path_of("a"), PB_PACK_NONE, 0, 100);
	load(path_of("a"));
	flip(100);
	make_mcap(path_of("a"), PB_PACK_ZSTD, 0, MESSAGES);
	load(path_of("a"));
	flip(50);
	make_ros1(path_of("a"), PB_PACK_LZ4, MESSAGES, true);
	load(path_of("a"));
	flip(50);
	make_db3(path_of("a"), 0, 200, DB3_ZSTD);
	load(path_of("a"));
	flip(100);
}

/* Where chunks begin in a recording of ours that is in `bytes`. */
static int
find_chunks(bool mcap, size_t *at, int most)
{
	static const char ros1[] = "\4\0\0\0op=\5";
	int n = 0;

	for (size_t i = 8; i + 9 < n_bytes && mcap && n < most;
	     i += 9 + (size_t)pb_le_get(bytes + i + 1, 8))
		if (bytes[i] == 6)
			at[n++] = i;
	for (size_t i = 4; i + 8 < n_bytes && !mcap && n < most; i++)
		if (memcmp(bytes + i, ros1, 8) == 0)
			at[n++] = i - 4;
	return n;
}

/* Whatever a chunk's first bytes are, those behind it are read. */
static void
check_damage(bool mcap)
{
	static const unsigned char fill[] = {0, 0xff, 0x7f, 4};
	size_t at[16];
	int n = find_chunks(mcap, at, 16), sum = 0;

	check(n >= 2);
	for (int k = 0; k < n; k++) {
		unsigned char was[30];
		int lost = 0;

		memcpy(was, bytes + at[k], sizeof(was));
		for (int i = 0; i < 4; i++) {
			struct seen s;

			memset(bytes + at[k], fill[i], sizeof(was));
			s = see_bytes(n_bytes);
			/* All but those of this chunk, however it is broken. */
			lost = i == 0 ? MESSAGES - s.n : lost;
			if (k < n - 1)
				check_int(MESSAGES - s.n, lost);
			check(s.n < MESSAGES && s.bad > 0);
			if (k < n - 1 && fill[i] >= 0x7f)
				check_has(s.first.text, "-k continues at byte");
		}
		memcpy(bytes + at[k], was, sizeof(was));
		sum += lost;
	}
	check_int(sum, MESSAGES);
}

test(damage)
{
	make_ros1(path_of("a"), PB_PACK_LZ4, MESSAGES, true);
	load(path_of("a"));
	check_damage(false);
	make_ros1(path_of("a"), PB_PACK_NONE, MESSAGES, true);
	load(path_of("a"));
	check_damage(false);
	make_mcap(path_of("a"), PB_PACK_NONE, 0, MESSAGES);
	load(path_of("a"));
	check_damage(true);
}

/* A flipped byte of a message is seen by the chunk's CRC. */
test(crc)
{
	struct seen s;

	make_mcap(path_of("a"), PB_PACK_NONE, 0, 10);
	load(path_of("a"));
	bytes[1000] ^= 1;
	s = see_bytes(n_bytes);
	check_int(s.n, 10);
	check_int(s.bad, 1);
	check(strstr(s.first.text, "CRC") != NULL && !s.cut);
}

/* What states another size than comes out is refused, and what follows read. */
test(lying_sizes)
{
	static const uint64_t sizes[] = {0, 1000, UINT64_MAX, UINT64_MAX - 1};
	size_t at;

	make_mcap(path_of("a"), PB_PACK_ZSTD, 0, MESSAGES);
	load(path_of("a"));
	at = 8 + 9 + (size_t)pb_le_get(bytes + 9, 8); /* behind the header */
	check_int(bytes[at], 6);
	for (int i = 0; i < 4; i++) {
		struct seen s;

		for (int k = 0; k < 8; k++)
			bytes[at + 9 + 16 + (size_t)k] =
			    (unsigned char)(sizes[i] >> (8 * k));
		s = see_bytes(n_bytes);
		check(s.bad >= 1);
		check(s.n < MESSAGES || sizes[i] > UINT32_MAX);
	}
}

/* Records that we do not know, and longer ones than we know. */
test(extra)
{
	static const char extra[] = "\x99\x05\0\0\0\0\0\0\0hello";
	size_t at;
	struct seen s;

	make_mcap(path_of("a"), PB_PACK_NONE, 0, 10);
	load(path_of("a"));
	at = 8 + 9 + (size_t)pb_le_get(bytes + 9, 8);
	memmove(bytes + at + 14, bytes + at, n_bytes - at);
	memcpy(bytes + at, extra, 14);
	/* Three more at the end of the header, which was not so long. */
	memmove(bytes + at + 3, bytes + at, n_bytes + 14 - at);
	bytes[9] += 3;
	n_bytes += 17;
	s = see_bytes(n_bytes);
	check_int(s.n, 10);
	check_int(s.bad, 0);
}

/* A file without topics is whole. */
test(no_topics)
{
	struct pb_error bad;
	struct pb_mcap_write *w = pb_mcap_write_new(path_of("none.mcap"), &bad);
	struct seen s;

	check(w != NULL && pb_mcap_write_end(w, &bad));
	pb_mcap_write_free(w);
	s = see_recording(path_of("none.mcap"));
	check_int(s.n, 0);
	check_int(s.bad, 0);
}

/* Much more than is in memory goes through: each chunk is passed on. */
test(large)
{
	static unsigned char zero[1000000];
	char plain[4096];
	struct pb_error bad;
	struct pb_mcap_write *w = pb_mcap_write_new(path_of("large"), &bad);
	struct rusage before, after;
	struct seen s;

	for (int i = 0; i < 200; i++)
		pb_mcap_write_message(
		    w, channels[0].of, time_of(i), zero, sizeof(zero));
	check(pb_mcap_write_end(w, &bad));
	pb_mcap_write_free(w);
	snprintf(plain, sizeof(plain), "%s", path_of("large"));
	check(pack_mcap(plain, path_of("large.mcap"), PB_PACK_ZSTD));
	remove(plain);
	getrusage(RUSAGE_SELF, &before);
	s = see_recording(path_of("large.mcap"));
	getrusage(RUSAGE_SELF, &after);
	check_int(s.n, 200);
	check_int(s.bad, 0);
#ifndef __SANITIZE_ADDRESS__ /* which keeps what was freed */
	check(after.ru_maxrss - before.ru_maxrss < 64 * 1024);
#endif
}

/* Those that other programs wrote, where they are. */
#define SHARED "../shared/data/bags"

/* As the file says of itself. */
static void
check_topics(const struct seen *s, json_t *file)
{
	json_t *count, *from = json_object_get(file, "first_log_time_ns");
	const char *topic;

	check_int(s->bad, 0);
	check_int(s->n, json_integer_value(json_object_get(file, "messages")));
	json_object_foreach(json_object_get(file, "topics"), topic, count)
	{
		int i = 0;

		while (i < s->topics && strcmp(s->topic[i], topic) != 0)
			i++;
		check(i < s->topics);
		check_int(s->count[i], json_integer_value(count));
	}
	if (!json_is_integer(from))
		return;
	check(s->from == json_integer_value(from));
	check(s->to ==
	      json_integer_value(json_object_get(file, "last_log_time_ns")));
}

/* The messages of ROS 2 are the same in all, and so are those of ROS 1. */
static void
check_hash(const char *name, const struct seen *s)
{
	static uint64_t hash[2];
	int ros1 = strstr(name, ".bag") != NULL;

	if (s->n != 757)
		return;
	check(hash[ros1] == 0 || s->hash == hash[ros1]);
	hash[ros1] = s->hash;
}

static void
check_shared(const char *name, json_t *file)
{
	char path[200];
	struct seen s;

	snprintf(path, sizeof(path), SHARED "/%s", name);
	s = see_recording(path);
	check(s.sorted);
	if (strstr(name, "truncated") != NULL) {
		check(s.cut && s.bad == 1);
		check(s.n >=
		      json_integer_value(json_object_get(file, "messages")));
		return;
	}
	if (s.bad > 0)
		printf("# %s: %s\n", name, s.first.text);
	check_topics(&s, file);
	check_hash(name, &s);
}

test(of_others)
{
	json_error_t e;
	json_t *root = json_load_file(SHARED "/expected.json", 0, &e), *file;
	const char *name;

	if (root == NULL) {
		printf("# skipped: no " SHARED "\n");
		return;
	}
	json_object_foreach(json_object_get(root, "files"), name, file)
	{
		if (strstr(name, "jsonl") == NULL)
			check_shared(name, file);
	}
	json_decref(root);
}

/* For fuzzers: one of each kind, small. */
static int
write_seeds(void)
{
	enum { FEW = 8 };
	bool ok = make_mcap(path_of("plain.mcap"), PB_PACK_NONE, 0, FEW) &&
	          make_mcap(path_of("lz4.mcap"), PB_PACK_LZ4, 0, FEW) &&
	          make_mcap(path_of("zstd.mcap"), PB_PACK_ZSTD, 0, FEW) &&
	          make_ros1(path_of("none.bag"), PB_PACK_NONE, FEW, true) &&
	          make_ros1(path_of("lz4.bag"), PB_PACK_LZ4, FEW, true) &&
	          make_ros1(path_of("bz2.bag"), PB_PACK_BZ2, FEW, false) &&
	          make_db3(path_of("v4.db3"), 0, FEW, DB3_V4) &&
	          make_ros1_stated(path_of("index.bag"), FEW) &&
	          make_db3(path_of("zstd.db3"), 0, FEW, DB3_ZSTD | DB3_PLAIN);

	write_zstd(path_of("plain.mcap"), path_of("mcap.zstd"));
	return ok ? 0 : 3;
}

int
main(int argc, char **argv)
{
	if (argc > 1) {
		snprintf(dir, sizeof(dir), "%s", argv[1]);
		return write_seeds();
	}
	strcpy(dir, "/tmp/pb-bags-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return 3;
	run_tests();
	shell("rm -rf %s %s", dir, "");
	return done();
}
