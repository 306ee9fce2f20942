/* bag.c - recordings of ROS topics: bags of ROS 1, SQLite files, folders. */
#include "io/ros/bag.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pool.h"
#include "io/ros/bag_read.h"
#include "io/stream/file.h"
#include "io/stream/text.h"
#include "io/stream/msg.h"
#include "io/stream/yaml.h"

/* --- bags of ROS 1, format 2.0, from their start on --- */

static const char first_line[] = "#ROSBAG V2.0\n";

enum {
	FIRST_LINE = 13,
	/* Values of op. */
	MESSAGE = 2,
	FILE_HEADER = 3,
	CHUNK = 5,
	CONNECTION = 7
};

struct ros1 {
	struct pb_chunked c;
	struct pb_bag_topics connections;
	uint64_t index_pos; /* where its data end; 0: it was not closed */
};

/* Fields of a header, or of a connection: lengths, and NAME=VALUE. */
struct fields {
	const unsigned char *p;
	size_t n;
};

/* The value of name; its s is NULL if there is none of n bytes, 0: any. */
static struct pb_bag_text
field(struct fields f, const char *name, size_t n)
{
	size_t k = strlen(name);

	while (f.n >= 4) {
		uint32_t len = (uint32_t)pb_le_get(f.p, 4);
		const unsigned char *s = f.p + 4;

		if (len > f.n - 4)
			break;
		if (len > k && s[k] == '=' && memcmp(s, name, k) == 0 &&
		    (n == 0 || len - k - 1 == n))
			return (struct pb_bag_text){
			    (const char *)s + k + 1, len - k - 1};
		f.p += 4 + len;
		f.n -= 4 + len;
	}
	return (struct pb_bag_text){NULL, 0};
}

/* A number of n bytes in *v; false if there is none. */
static bool
number(struct fields f, const char *name, size_t n, uint64_t *v)
{
	struct pb_bag_text t = field(f, name, n);
	const unsigned char *p = (const unsigned char *)t.s;

	if (p != NULL)
		*v = pb_le_get(p, (int)n);
	return p != NULL;
}

static void *
ros1_open(const char *path, struct pb_bytes *file, struct pb_error *bad)
{
	struct ros1 *r;

	(void)path;
	if (pb_bytes_there(file) < FIRST_LINE ||
	    memcmp(pb_bytes_at(file), first_line, FIRST_LINE) != 0) {
		pb_error_set(bad, "a bag of ROS 1 that is not of version 2.0");
		return NULL;
	}
	r = pb_alloc(1, sizeof(*r));
	pb_bytes_take(file, FIRST_LINE);
	r->c.file = file;
	return r;
}

static void
ros1_close(void *reader)
{
	struct ros1 *r = reader;

	pb_bytes_close(&r->c.chunk);
	pb_bag_topics_clear(&r->connections);
	free(r);
}

/* END: go on. */
static enum pb_next
read_connection(
    struct ros1 *r, struct fields h, struct fields f, struct pb_error *bad)
{
	struct pb_bag_text topic = field(h, "topic", 0);
	struct pb_bag_text type = field(f, "type", 0), ros1 = {"ros1", 4};
	uint64_t conn;

	if (!number(h, "conn", 4, &conn) || topic.s == NULL || type.s == NULL)
		return pb_chunked_bad(
		    &r->c, bad, "a connection without conn, topic or type");
	return pb_chunked_put(
	    &r->c, &r->connections, (int64_t)conn, topic, type, ros1, bad);
}

static enum pb_next
read_message(struct ros1 *r, struct fields h, struct fields f,
    struct pb_bag_message *m, struct pb_error *bad)
{
	enum pb_next got;
	uint64_t conn, t;

	if (!number(h, "conn", 4, &conn) || !number(h, "time", 8, &t))
		return pb_chunked_bad(
		    &r->c, bad, "a message without conn or time");
	got = pb_chunked_topic(
	    &r->c, &r->connections, (int64_t)conn, m, "connection", bad);
	if (got != PB_NEXT)
		return got;
	/* Seconds and nanoseconds, each of 4 bytes. */
	m->t = (int64_t)(t & UINT32_MAX) * 1000000000 + (int64_t)(t >> 32);
	m->data = f.p;
	m->size = f.n;
	return PB_NEXT;
}

/* Begin with the chunk of n bytes behind its header, h of head bytes. */
static enum pb_next
read_chunk(struct ros1 *r, struct fields h, size_t head, uint32_t n,
    struct pb_error *bad)
{
	struct pb_bag_text name = field(h, "compression", 0);
	uint64_t size;

	r->c.pass = head + n;
	if (name.s == NULL || !number(h, "size", 4, &size))
		return pb_chunked_bad(
		    &r->c, bad, "a chunk without compression or size");
	name.n = name.n > 64 ? 64 : name.n; /* for complaints */
	return pb_chunked_enter(&r->c, name, head, n, size, bad);
}

/* The record whose header, of n bytes, is there. END: go on. */
static enum pb_next
read_record(
    struct ros1 *r, uint32_t n, struct pb_bag_message *m, struct pb_error *bad)
{
	struct pb_bytes *b = pb_chunked_bytes(&r->c);
	size_t head = 4 + (size_t)n + 4;
	struct fields h = {pb_bytes_at(b) + 4, n}, f;
	uint32_t size = (uint32_t)pb_le_get(pb_bytes_at(b) + head - 4, 4);
	uint64_t op = 0;
	enum pb_next got;

	number(h, "op", 1, &op);
	if (op == CHUNK && r->c.chunk.from == NULL)
		return read_chunk(r, h, head, size, bad);
	if (op == FILE_HEADER)
		number(h, "index_pos", 8, &r->index_pos);
	if (op == MESSAGE || op == CONNECTION) {
		got = pb_chunked_need(&r->c, head + size, bad);
		if (got != PB_NEXT)
			return got;
	}
	r->c.pass = head + size;
	h.p = pb_bytes_at(b) + 4;
	f = (struct fields){h.p + n + 4, size};
	return op == MESSAGE      ? read_message(r, h, f, m, bad)
	       : op == CONNECTION ? read_connection(r, h, f, bad)
	                          : PB_END;
}

/* The file has ended at a record's end. */
static enum pb_next
at_end(struct ros1 *r, struct pb_error *bad)
{
	uint64_t at = r->c.file->offset;

	if (r->index_pos == 0)
		return pb_chunked_cut(&r->c, at, "and was never closed", bad);
	if (at < r->index_pos)
		return pb_chunked_cut(&r->c, at, "before its index", bad);
	return PB_END;
}

static enum pb_next
ros1_next(void *reader, struct pb_bag_message *m, struct pb_error *bad)
{
	struct ros1 *r = reader;
	enum pb_next got = PB_END;

	while (got == PB_END && !r->c.over) {
		uint32_t n;

		got = pb_chunked_next(&r->c, 4, bad);
		if (got == PB_END && r->c.over)
			return at_end(r, bad);
		if (got != PB_NEXT)
			continue;
		n = (uint32_t)pb_le_get(
		    pb_bytes_at(pb_chunked_bytes(&r->c)), 4);
		got = pb_chunked_need(&r->c, 4 + (uint64_t)n + 4, bad);
		if (got == PB_NEXT)
			got = read_record(r, n, m, bad);
	}
	return got;
}

static const struct pb_bag_format format_ros1 = {
    ros1_open, ros1_next, ros1_close};

/* --- SQLite files of rosbag2, of all its versions --- */

/*
 * Rows do not stand in the order of time. Times and numbers of rows are asked
 * for in that order, from the index of times if there is one, and each row by
 * its number: neither is ever held or sorted with its message.
 */
static const char by_time[] =
    "SELECT timestamp, rowid FROM messages ORDER BY timestamp, rowid";

static const char one_row[] =
    "SELECT topic_id, data FROM messages WHERE rowid = ?1";

struct db3 {
	sqlite3 *db;
	sqlite3_stmt *order, *row;
	struct pb_bag_topics topics;
	bool begun; /* t and id are those of the last row */
	int64_t t, id;
	bool over;
};

/* For work that may take long: whether we are to end. */
static int
stopped(void *unused)
{
	(void)unused;
	return pb_msg_stopped();
}

/* SQLite reads a file: write all bytes to a temporary one. False: bad says why,
 * or has no text. */
static bool
spool(struct pb_bytes *file, struct pb_file *w, struct pb_error *bad)
{
	enum pb_next got;

	if (pb_file_scratch(w, bad) != 0)
		return false;
	pb_error_set(bad, "%s", "");
	while ((got = pb_bytes_need(file, 1, bad)) == PB_NEXT) {
		size_t n = pb_bytes_there(file);

		if (fwrite(pb_bytes_at(file), 1, n, w->out) != n)
			break;
		pb_bytes_take(file, n);
	}
	if (got == PB_NEXT || fflush(w->out) != 0)
		return pb_error_write(bad, w->temp) == 0;
	if (got == PB_END && file->from != NULL && !file->whole) {
		pb_error_set(bad, "cut off: zstd data without their end");
		bad->kind = PB_ERROR_CUT;
		return false;
	}
	return got == PB_END;
}

/* Whether the writer of path left messages beside it, as after a crash. */
static bool
has_wal(const char *path)
{
	char wal[4096 + 8];
	struct stat st;

	snprintf(wal, sizeof(wal), "%s-wal", path);
	return stat(wal, &st) == 0 && st.st_size > 0;
}

/* file:PATH?QUERY; NULL if it is too long. */
static const char *
uri_of(const char *path, const char *query, char *uri, size_t room)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789/._-";
	size_t n = (size_t)snprintf(uri, room, "file:");

	/* Behind two of them SQLite expects a host. */
	while (path[0] == '/' && path[1] == '/')
		path++;
	for (; *path != '\0' && n + 4 < room; path++)
		n += (size_t)snprintf(uri + n, room - n,
		    strchr(plain, *path) != NULL ? "%c" : "%%%02X",
		    (unsigned char)*path);
	if (*path != '\0' || n + strlen(query) + 1 > room)
		return NULL;
	snprintf(uri + n, room - n, "%s", query);
	return uri;
}

/* Nothing is written beside the recording: it is opened as one that never
 * changes. */
static int
open_db(struct db3 *r, const char *path)
{
	char uri[3 * 4096];
	int rc;

	if (uri_of(path, "?immutable=1", uri, sizeof(uri)) == NULL)
		return SQLITE_CANTOPEN;
	rc = sqlite3_open_v2(
	    uri, &r->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	if (rc != SQLITE_OK)
		return rc;
	sqlite3_extended_result_codes(r->db, 0);
	sqlite3_limit(r->db, SQLITE_LIMIT_LENGTH, (int)PB_BYTES_MOST);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_progress_handler(r->db, 10000, stopped, NULL);
	return SQLITE_OK;
}

/* rc, which is not good, as an error; a signal has no text. */
static void
sql_error(struct db3 *r, int rc, struct pb_error *bad)
{
	if (rc == SQLITE_INTERRUPT) {
		pb_error_set(bad, "%s", "");
		return;
	}
	pb_error_set(bad, "SQLite: %.200s",
	    r->db != NULL ? sqlite3_errmsg(r->db) : sqlite3_errstr(rc));
	if (rc == SQLITE_NOMEM)
		pb_msg_end_memory();
	if (rc == SQLITE_FULL || rc == SQLITE_IOERR)
		bad->kind = PB_ERROR_SYSTEM;
}

static struct pb_bag_text
text_of(sqlite3_stmt *s, int column)
{
	const char *text = (const char *)sqlite3_column_text(s, column);

	return (struct pb_bag_text){text != NULL ? text : "",
	    text != NULL ? (size_t)sqlite3_column_bytes(s, column) : 0};
}

static int
prepare(struct db3 *r, const char *sql, sqlite3_stmt **s)
{
	return sqlite3_prepare_v2(r->db, sql, -1, s, NULL);
}

/* What is neither a view nor virtual, which could go on for ever. */
static bool
has_tables(struct db3 *r, int *rc)
{
	sqlite3_stmt *s = NULL;
	int n = 0;

	*rc = prepare(r,
	    "SELECT count(*) FROM sqlite_master WHERE"
	    " type = 'table' AND rootpage > 0 AND"
	    " name IN ('topics', 'messages')",
	    &s);
	if (*rc == SQLITE_OK && (*rc = sqlite3_step(s)) == SQLITE_ROW) {
		n = sqlite3_column_int(s, 0);
		*rc = SQLITE_OK;
	}
	sqlite3_finalize(s);
	return n == 2;
}

static int
read_topics(struct db3 *r)
{
	struct pb_error why;
	sqlite3_stmt *s = NULL;
	int rc = prepare(
	    r, "SELECT id, name, type, serialization_format FROM topics", &s);

	if (rc != SQLITE_OK)
		return rc;
	while ((rc = sqlite3_step(s)) == SQLITE_ROW)
		pb_bag_topics_put(&r->topics, sqlite3_column_int64(s, 0),
		    text_of(s, 1), text_of(s, 2), text_of(s, 3), &why);
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static void
db3_close(void *reader)
{
	struct db3 *r = reader;

	sqlite3_finalize(r->order);
	sqlite3_finalize(r->row);
	sqlite3_close(r->db);
	pb_bag_topics_clear(&r->topics);
	free(r);
}

static bool
begin(struct db3 *r, const char *path, struct pb_error *bad)
{
	int rc;

	if (has_wal(path))
		return pb_error_set(bad,
		    "SQLite: its last messages are in %.200s-wal: let "
		    "\"sqlite3 FILE vacuum\" bring them in",
		    path);
	rc = open_db(r, path);
	if (rc == SQLITE_OK && !has_tables(r, &rc) && rc == SQLITE_OK)
		return pb_error_set(
		    bad, "SQLite: has not the tables of a recording");
	if (rc == SQLITE_OK)
		rc = read_topics(r);
	if (rc == SQLITE_OK)
		rc = prepare(r, by_time, &r->order);
	if (rc == SQLITE_OK)
		rc = prepare(r, one_row, &r->row);
	if (rc == SQLITE_OK)
		return true;
	sql_error(r, rc, bad);
	return false;
}

static void *
db3_open(const char *path, struct pb_bytes *file, struct pb_error *bad)
{
	struct db3 *r;
	struct pb_file temp = {.out = NULL};
	bool ok;

	if (pb_bytes_there(file) < 16 || pb_bytes_at(file)[15] != '\0') {
		pb_error_set(bad, "holds no recording of topics");
		return NULL;
	}
	r = pb_alloc(1, sizeof(*r));
	ok = (path != NULL || spool(file, &temp, bad)) &&
	     begin(r, path != NULL ? path : temp.temp, bad);
	pb_file_abandon(&temp); /* which SQLite has open */
	if (ok)
		return r;
	db3_close(r);
	return NULL;
}

/* The next row in order: its time and number. */
static int
next_row(struct db3 *r)
{
	int rc = sqlite3_step(r->order);
	int64_t t, id;

	if (rc != SQLITE_ROW)
		return rc;
	t = sqlite3_column_int64(r->order, 0);
	id = sqlite3_column_int64(r->order, 1);
	/* A damaged tree could lead in circles. */
	if (r->begun && (t < r->t || (t == r->t && id <= r->id)))
		return SQLITE_CORRUPT;
	r->begun = true;
	r->t = t;
	r->id = id;
	return rc;
}

/* The message of the row at hand: SQLITE_ROW, or what is wrong. */
static int
read_row(struct db3 *r, struct pb_bag_message *m)
{
	const struct pb_bag_topic *topic;
	int rc;

	sqlite3_reset(r->row);
	sqlite3_bind_int64(r->row, 1, r->id);
	rc = sqlite3_step(r->row);
	if (rc != SQLITE_ROW)
		return rc == SQLITE_DONE ? SQLITE_CORRUPT : rc;
	topic = pb_bag_topics_find(&r->topics, sqlite3_column_int64(r->row, 0));
	if (topic == NULL)
		return SQLITE_NOTFOUND;
	pb_bag_topic_of(topic, m);
	m->t = r->t;
	m->offset = (uint64_t)r->id;
	m->data = sqlite3_column_blob(r->row, 1);
	m->size = (size_t)sqlite3_column_bytes(r->row, 1);
	if (m->data == NULL)
		m->data = (const unsigned char *)"";
	return SQLITE_ROW;
}

/* Whether rc is about the system, not the recording; then it is said. */
static bool
failed(int rc)
{
	if (rc == SQLITE_INTERRUPT)
		return true;
	if (rc == SQLITE_NOMEM)
		pb_msg_end_memory();
	if (rc != SQLITE_IOERR && rc != SQLITE_FULL)
		return false;
	errno = 0;
	pb_msg_system("cannot read a recording: %s", sqlite3_errstr(rc));
	return true;
}

static enum pb_next
db3_next(void *reader, struct pb_bag_message *m, struct pb_error *bad)
{
	struct db3 *r = reader;
	int rc = r->over ? SQLITE_DONE : next_row(r);

	if (rc == SQLITE_ROW)
		rc = read_row(r, m);
	if (rc == SQLITE_ROW)
		return PB_NEXT;
	if (failed(rc))
		return PB_HALT;
	if (rc == SQLITE_NOTFOUND) {
		pb_error_set(
		    bad, "row %" PRId64 ": its topic is not told", r->id);
		return PB_BAD;
	}
	r->over = true;
	if (rc == SQLITE_DONE)
		return PB_END;
	sql_error(r, rc, bad);
	return PB_BAD;
}

static const struct pb_bag_format format_db3 = {db3_open, db3_next, db3_close};

/* --- folders of parts --- */

/* The files of a recording that is a folder. A zeroed struct has none. */
struct parts {
	char **at; /* paths in their order, owned */
	int n;
	size_t room;
};

/* Metadata of a day in parts of ten seconds, of which each takes 300 bytes. */
#define METADATA ((size_t)4 << 20)

static void
clear_parts(struct parts *p)
{
	for (int i = 0; i < p->n; i++)
		free(p->at[i]);
	free(p->at);
	*p = (struct parts){0};
}

/* Add FOLDER/NAME. */
static void
add_part(struct parts *p, const char *folder, const char *name)
{
	if (!pb_grow(&p->at, (size_t)p->n, &p->room, sizeof(*p->at)))
		pb_msg_end_memory();
	p->at[p->n++] = pb_file_name("%s/%s", folder, name);
}

/* Add what metadata.yaml calls name. Early ones have the folder in it, too. */
static void
add_named(struct parts *p, const char *folder, const char *name)
{
	const char *base = strrchr(name, '/');

	add_part(p, folder, name);
	if (base == NULL || access(p->at[p->n - 1], F_OK) == 0)
		return;
	free(p->at[--p->n]);
	add_part(p, folder, base + 1);
}

/* The first list of files that metadata.yaml has, NULL if it has none. */
static const yaml_node_t *
find_list(yaml_document_t *doc)
{
	for (yaml_node_t *n = doc->nodes.start; n < doc->nodes.top; n++) {
		if (n->type != YAML_MAPPING_NODE)
			continue;
		for (yaml_node_pair_t *p = n->data.mapping.pairs.start;
		     p < n->data.mapping.pairs.top; p++) {
			yaml_node_t *k = yaml_document_get_node(doc, p->key);
			yaml_node_t *v = yaml_document_get_node(doc, p->value);

			if (k->type == YAML_SCALAR_NODE &&
			    v->type == YAML_SEQUENCE_NODE &&
			    strcmp((char *)k->data.scalar.value,
				"relative_file_paths") == 0)
				return v;
		}
	}
	return NULL;
}

static void
add_list(struct parts *p, const char *folder, yaml_document_t *doc)
{
	const yaml_node_t *list = find_list(doc);

	if (list == NULL)
		return;
	for (yaml_node_item_t *i = list->data.sequence.items.start;
	     i < list->data.sequence.items.top; i++) {
		const yaml_node_t *s = yaml_document_get_node(doc, *i);

		if (s->type == YAML_SCALAR_NODE && s->data.scalar.length > 0)
			add_named(p, folder, (char *)s->data.scalar.value);
	}
}

static int
read_metadata(
    struct parts *p, const char *folder, const char *name, struct pb_error *bad)
{
	struct pb_file_look look = {{METADATA, ""}, NULL, NULL};
	yaml_document_t doc;
	char *s;
	size_t n;
	int rc;

	if (pb_file_read(name, &look, &s, &n, bad) != 0)
		return -1;
	rc = pb_yaml_load(&doc, s, n, name, bad);
	free(s);
	if (rc != 0)
		return rc;
	add_list(p, folder, &doc);
	yaml_document_delete(&doc);
	if (p->n > 0)
		return 0;
	return pb_error_file(
	    bad, name, 0, "relative_file_paths", "no files are named");
}

/* As people count: part_2 before part_10. */
static int
compare_numbered(const void *a, const void *b)
{
	const char *s = *(char *const *)a, *t = *(char *const *)b;

	while (*s != '\0' && *t != '\0') {
		size_t n = strspn(s, "0123456789"), m = strspn(t, "0123456789");

		if (n != m)
			return n < m ? -1 : 1;
		if (*s != *t)
			return (unsigned char)*s < (unsigned char)*t ? -1 : 1;
		s++;
		t++;
	}
	return (*s != '\0') - (*t != '\0');
}

static int
list_folder(struct parts *p, const char *folder, struct pb_error *bad)
{
	static const char *const ends[] = {
	    ".mcap", ".db3", ".mcap.zstd", ".db3.zstd"};
	DIR *d = opendir(folder);
	struct dirent *e;

	if (d == NULL)
		return pb_error_errno(bad, folder, "cannot open");
	while ((e = readdir(d)) != NULL)
		for (size_t i = 0; i < 4; i++)
			if (pb_file_has_suffix(e->d_name, ends[i]))
				add_part(p, folder, e->d_name);
	closedir(d);
	if (p->n == 0)
		return pb_error_file(bad, folder, 0, NULL,
		    "a folder without a recording: no metadata.yaml, *.mcap "
		    "or *.db3 in it");
	qsort(p->at, (size_t)p->n, sizeof(*p->at), compare_numbered);
	return 0;
}

/*
 * The parts of the folder: those its metadata.yaml names, or else all that look
 * like one. Returns 0, or -1: bad is set.
 */
static int
find_parts(struct parts *p, const char *folder, struct pb_error *bad)
{
	char *name = pb_file_name("%s/metadata.yaml", folder);
	int rc = access(name, F_OK) == 0 ? read_metadata(p, folder, name, bad)
	                                 : list_folder(p, folder, bad);

	free(name);
	return rc;
}

/* --- files of any format --- */

static const struct pb_bag_format *const formats[PB_BAGKINDS] = {
    [PB_BAGKIND_MCAP] = &pb_bag_mcap,
    [PB_BAGKIND_ROS1] = &format_ros1,
    [PB_BAGKIND_DB3] = &format_db3};

struct pb_bag {
	struct parts parts;      /* of a folder */
	int next;                /* part */
	struct pb_source source; /* of the part at hand */

	const char *name;      /* of the file at hand */
	struct pb_bytes file;  /* its bytes, */
	struct pb_bytes plain; /* and what they unpack to, if they do */
	const struct pb_bag_format *format;
	void *reader; /* NULL: none is open */

	struct pb_bytes message; /* unpacked; closed if it was not packed */
};

static enum pb_bagkind
kind_of(const struct pb_bytes *b)
{
	return pb_bagkind_of(pb_bytes_at(b), pb_bytes_there(b));
}

static void
close_file(struct pb_bag *b)
{
	if (b->reader != NULL)
		b->format->close(b->reader);
	b->reader = NULL;
	pb_bytes_close(&b->plain);
	pb_bytes_close(&b->file);
	pb_source_close(&b->source);
}

void
pb_bag_close(struct pb_bag *b)
{
	if (b == NULL)
		return;
	close_file(b);
	pb_bytes_close(&b->message);
	clear_parts(&b->parts);
	free(b);
}

/* The bytes to be read, unpacked if the file is; NULL: bad is set, or said. */
static struct pb_bytes *
unpacked(struct pb_bag *b, struct pb_error *bad)
{
	enum pb_next got = pb_bytes_need(&b->file, PB_BAG_HEAD, bad);

	if (got == PB_BAD)
		return NULL;
	pb_error_set(bad, "%s", ""); /* for what was said */
	if (got != PB_NEXT && got != PB_END)
		return NULL;
	if (kind_of(&b->file) != PB_BAGKIND_ZSTD)
		return &b->file;
	pb_bytes_unpack(
	    &b->plain, &b->file, PB_PACK_ZSTD, PB_BYTES_ANY, PB_BYTES_ANY);
	got = pb_bytes_need(&b->plain, PB_BAG_HEAD, bad);
	return got == PB_NEXT || got == PB_END ? &b->plain : NULL;
}

/* Begin with the file that s reads and that gave n bytes of head. */
static bool
open_file(struct pb_bag *b, struct pb_source *s, const char *head, size_t n,
    struct pb_error *bad)
{
	struct pb_bytes *bytes;
	struct stat st;
	bool by_name;

	pb_bytes_source(&b->file, s, head, n);
	if ((bytes = unpacked(b, bad)) == NULL)
		return false;
	b->format = formats[kind_of(bytes)];
	if (b->format == NULL)
		return pb_error_set(bad, "%sholds no recording of topics",
		    bytes == &b->plain ? "zstd: " : "");
	by_name = bytes == &b->file && s->gz == NULL &&
	          stat(b->name, &st) == 0 && S_ISREG(st.st_mode);
	b->reader = b->format->open(by_name ? b->name : NULL, bytes, bad);
	return b->reader != NULL;
}

struct pb_bag *
pb_bag_open(const char *name, struct pb_source *s, const char *head, size_t n,
    struct pb_error *bad)
{
	struct pb_bag *b = pb_alloc(1, sizeof(*b));

	b->name = name;
	if (s == NULL ? find_parts(&b->parts, name, bad) == 0
		      : open_file(b, s, head, n, bad))
		return b;
	pb_bag_close(b);
	return NULL;
}

static bool
open_part(struct pb_bag *b, struct pb_error *bad)
{
	b->name = b->parts.at[b->next++];
	if (!pb_source_open(&b->source, b->name, bad))
		return pb_error_at(bad, b->name, 0), false;
	if (open_file(b, &b->source, NULL, 0, bad))
		return true;
	pb_error_at(bad, b->name, 0);
	close_file(b);
	return false;
}

/* rosbag2 can compress each message, which is seen by its first bytes. */
static enum pb_next
unpack_message(struct pb_bag *b, struct pb_bag_message *m, struct pb_error *bad)
{
	struct pb_bytes packed;
	enum pb_next got;

	pb_bytes_memory(&packed, m->data, m->size);
	pb_bytes_unpack(
	    &b->message, &packed, PB_PACK_ZSTD, m->size, PB_BYTES_ANY);
	got = pb_bytes_need(&b->message, PB_BYTES_MOST, bad);
	if (got == PB_HALT)
		return PB_HALT;
	if (got != PB_END || !b->message.whole) {
		pb_error_set(
		    bad, "%.100s: a message that zstd cannot unpack", m->topic);
		return PB_BAD;
	}
	m->data = pb_bytes_at(&b->message);
	m->size = pb_bytes_there(&b->message);
	return PB_NEXT;
}

/* Of the file at hand. */
static enum pb_next
next_of_file(struct pb_bag *b, struct pb_bag_message *m, struct pb_error *bad)
{
	enum pb_next got = b->format->next(b->reader, m, bad);

	if (got == PB_NEXT && m->encoding == PB_BAG_CDR &&
	    pb_bagkind_of(m->data, m->size) == PB_BAGKIND_ZSTD)
		got = unpack_message(b, m, bad);
	m->file = b->name;
	if (got == PB_BAD && b->parts.n > 0)
		pb_error_at(bad, b->name, 0);
	return got;
}

enum pb_next
pb_bag_next(struct pb_bag *b, struct pb_bag_message *m, struct pb_error *bad)
{
	pb_bytes_close(&b->message);
	for (;;) {
		enum pb_next got = PB_END;

		if (b->reader != NULL)
			got = next_of_file(b, m, bad);
		if (got != PB_END)
			return got;
		close_file(b);
		if (b->next == b->parts.n)
			return PB_END;
		if (!open_part(b, bad))
			return bad->text[0] == '\0' ? PB_HALT : PB_BAD;
	}
}
