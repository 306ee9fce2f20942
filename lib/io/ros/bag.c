/* bag.c - read recordings of ROS topics: SQLite files, folders, other formats
 * by bag_read.c. */
#define _GNU_SOURCE /* strverscmp */
#include "io/ros/bag.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/pool.h"
#include "io/ros/bag_read.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"

/* --- SQLite files of rosbag2, of all its versions --- */

/* Rows are not ordered by time. rosbag2 adds an index by time, so that SQLite
 * neither stores nor sorts rows. */
static const char by_time[] =
    "SELECT timestamp, rowid, topic_id, data FROM messages"
    " ORDER BY timestamp, rowid";

struct db3 {
	sqlite3 *db;
	sqlite3_stmt *row;
	struct pb_bag_topics topics;
	bool begun; /* t and id are those of the last row */
	int64_t t, id;
	bool over;
};

/* SQLite's callback during long work: whether a signal asks the program to
 * end. */
static int
is_stopped(void *unused)
{
	(void)unused;
	return pb_msg_stopped();
}

/* SQLite reads a file by name: write all bytes to a temporary one. False: bad
 * says why, or is empty. */
static bool
copy_to_temp(struct pb_bytes *file, struct pb_file *w, struct pb_error *bad)
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

/* Whether path has a write-ahead log beside it, with messages of a crashed
 * writer. */
static bool
has_wal(const char *path)
{
	char wal[4096 + 8];
	struct stat st;

	snprintf(wal, sizeof(wal), "%s-wal", path);
	return stat(wal, &st) == 0 && st.st_size > 0;
}

/* Write file:PATH?QUERY; NULL: too long. */
static const char *
make_uri(const char *path, const char *query, char *uri, size_t room)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789/._-";
	size_t n = (size_t)snprintf(uri, room, "file:");

	/* SQLite expects a host behind "//". */
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

/* Open the database as one that never changes, so that SQLite writes no files
 * beside it. */
static int
open_db(struct db3 *r, const char *path)
{
	char uri[3 * 4096];
	int rc;

	if (make_uri(path, "?immutable=1", uri, sizeof(uri)) == NULL)
		return SQLITE_CANTOPEN;
	rc = sqlite3_open_v2(
	    uri, &r->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	if (rc != SQLITE_OK)
		return rc;
	sqlite3_extended_result_codes(r->db, 0);
	sqlite3_limit(r->db, SQLITE_LIMIT_LENGTH, (int)PB_BYTES_MOST);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_progress_handler(r->db, 10000, is_stopped, NULL);
	return SQLITE_OK;
}

/* Convert SQLite's error code rc; after a signal the text is empty. */
static void
set_sql_error(struct db3 *r, int rc, struct pb_error *bad)
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
read_text(sqlite3_stmt *s, int column)
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

/* Whether the tables are tables: views and virtual tables might be endless. */
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
		    read_text(s, 1), read_text(s, 2), read_text(s, 3), &why);
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static void
db3_close(struct db3 *r)
{
	if (r == NULL)
		return;
	sqlite3_finalize(r->row);
	sqlite3_close(r->db);
	pb_bag_topics_clear(&r->topics);
	free(r);
}

static bool
begin_reading(struct db3 *r, const char *path, struct pb_error *bad)
{
	int rc;

	if (has_wal(path))
		return pb_error_set(bad,
		    "SQLite: the last messages are in %.200s-wal; run "
		    "\"sqlite3 FILE vacuum\" to move them into the file",
		    path);
	rc = open_db(r, path);
	if (rc == SQLITE_OK && !has_tables(r, &rc) && rc == SQLITE_OK)
		return pb_error_set(bad,
		    "SQLite: lacks the tables of a recording of ROS "
		    "topics");
	if (rc == SQLITE_OK)
		rc = read_topics(r);
	if (rc == SQLITE_OK)
		rc = prepare(r, by_time, &r->row);
	if (rc == SQLITE_OK)
		return true;
	set_sql_error(r, rc, bad);
	return false;
}

/* Open the database; path is NULL if only bytes are available. NULL: bad says
 * why, or is empty if a message was printed. */
static struct db3 *
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
	ok = (path != NULL || copy_to_temp(file, &temp, bad)) &&
	     begin_reading(r, path != NULL ? path : temp.temp, bad);
	pb_file_abandon(&temp); /* SQLite keeps it open */
	if (ok)
		return r;
	db3_close(r);
	return NULL;
}

/* Read the message of the next row: SQLITE_ROW, or an error code. */
static int
read_row(struct db3 *r, struct pb_bag_message *m)
{
	const struct pb_bag_topic *topic;
	int rc = sqlite3_step(r->row);
	int64_t t, id;

	if (rc != SQLITE_ROW)
		return rc;
	t = sqlite3_column_int64(r->row, 0);
	id = sqlite3_column_int64(r->row, 1);
	/* Refuse a damaged tree that leads in circles. */
	if (r->begun && (t < r->t || (t == r->t && id <= r->id)))
		return SQLITE_CORRUPT;
	r->begun = true;
	r->t = t;
	r->id = id;
	topic = pb_bag_topics_find(&r->topics, sqlite3_column_int64(r->row, 2));
	if (topic == NULL)
		return SQLITE_NOTFOUND;
	pb_bag_topic_of(topic, m);
	m->t = t;
	m->offset = (uint64_t)id;
	m->data = sqlite3_column_blob(r->row, 3);
	m->size = (size_t)sqlite3_column_bytes(r->row, 3);
	if (m->data == NULL)
		m->data = (const unsigned char *)"";
	return SQLITE_ROW;
}

/* Whether rc is a failure of the system, not of the recording; reports it. */
static bool
is_system_failure(int rc)
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
db3_next(struct db3 *r, struct pb_bag_message *m, struct pb_error *bad)
{
	int rc = r->over ? SQLITE_DONE : read_row(r, m);

	if (rc == SQLITE_ROW)
		return PB_NEXT;
	if (is_system_failure(rc))
		return PB_HALT;
	if (rc == SQLITE_NOTFOUND) {
		pb_error_set(
		    bad, "row %" PRId64 ": its topic is missing", r->id);
		return PB_BAD;
	}
	r->over = true;
	if (rc == SQLITE_DONE)
		return PB_END;
	set_sql_error(r, rc, bad);
	return PB_BAD;
}

/* --- recordings in parts --- */

/* The files of a recording in a folder. A zeroed struct has none. */
struct parts {
	char **at; /* paths in order, owned */
	int n;
	size_t room;
};

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

/* Compare as people count: part_2 before part_10. */
static int
compare_numbered(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Drop compressed files beside their unpacked form, which "ros2 bag play"
 * writes. */
static void
drop_packed(struct parts *p)
{
	int n = 1;

	for (int i = 1; i < p->n; i++) {
		size_t len = strlen(p->at[n - 1]);

		if (strncmp(p->at[i], p->at[n - 1], len) == 0 &&
		    strcmp(p->at[i] + len, ".zstd") == 0)
			free(p->at[i]);
		else
			p->at[n++] = p->at[i];
	}
	p->n = n;
}

/* Find the parts in a folder: all files with a name of one. Returns 0, or -1:
 * bad is set. */
static int
find_parts(struct parts *p, const char *folder, struct pb_error *bad)
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
		    "a folder without a recording: no *.mcap or *.db3 in it");
	qsort(p->at, (size_t)p->n, sizeof(*p->at), compare_numbered);
	drop_packed(p);
	return 0;
}

/* --- files of any format --- */

struct pb_bag {
	struct parts parts;      /* of a folder */
	int next;                /* index of the next part */
	struct pb_source source; /* of the current part */

	const char *name;      /* of the current file */
	struct pb_bytes file;  /* its bytes, ... */
	struct pb_bytes plain; /* ... and what they unpack to, if compressed */
	/* The reader of the open file is one of: */
	struct pb_recording recording;
	struct db3 *db;

	struct pb_bytes message; /* unpacked; closed if not compressed */
};

static enum pb_filekind
detect_kind(const struct pb_bytes *b)
{
	return pb_filekind_of(pb_bytes_at(b), pb_bytes_there(b));
}

static void
close_file(struct pb_bag *b)
{
	pb_recording_close(&b->recording);
	db3_close(b->db);
	b->db = NULL;
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

/* The bytes to read, unpacked if necessary; NULL: bad is set, or empty after a
 * message. */
static struct pb_bytes *
unpack_file(struct pb_bag *b, struct pb_error *bad)
{
	enum pb_next got = pb_bytes_need(&b->file, PB_BAG_HEAD, bad);

	if (got == PB_BAD)
		return NULL;
	pb_error_set(bad, "%s", ""); /* a message was printed */
	if (got != PB_NEXT && got != PB_END)
		return NULL;
	if (detect_kind(&b->file) != PB_FILE_ZSTD)
		return &b->file;
	pb_bytes_unpack(
	    &b->plain, &b->file, PB_PACK_ZSTD, PB_BYTES_ANY, PB_BYTES_ANY);
	got = pb_bytes_need(&b->plain, PB_BAG_HEAD, bad);
	return got == PB_NEXT || got == PB_END ? &b->plain : NULL;
}

/* Open the file that s reads; its first n bytes are in head. */
static bool
open_file(struct pb_bag *b, struct pb_source *s, const char *head, size_t n,
    struct pb_error *bad)
{
	struct pb_bytes *bytes;
	enum pb_filekind kind;
	bool by_name, ok;

	pb_bytes_source(&b->file, s, head, n);
	if ((bytes = unpack_file(b, bad)) == NULL)
		return false;
	kind = detect_kind(bytes);
	if (!(PB_FILES(kind) & PB_FILES_RECORDINGS) || kind == PB_FILE_ZSTD)
		return pb_error_set(bad, "%sholds no recording of topics",
		    bytes == &b->plain ? "zstd: " : "");
	by_name =
	    bytes == &b->file && s->gz == NULL && pb_file_is_regular(b->name);
	if (kind != PB_FILE_DB3) {
		ok = pb_recording_open(
		    &b->recording, kind == PB_FILE_MCAP, bytes, bad);
		if (ok && by_name)
			pb_recording_index(&b->recording, b->name);
		return ok;
	}
	b->db = db3_open(by_name ? b->name : NULL, bytes, bad);
	return b->db != NULL;
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

/* Unpack a message that rosbag2 compressed by itself, detected by its first
 * bytes. */
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

/* Read the next message of the current file. */
static enum pb_next
read_message(struct pb_bag *b, struct pb_bag_message *m, struct pb_error *bad)
{
	enum pb_next got = b->db != NULL
	                       ? db3_next(b->db, m, bad)
	                       : pb_recording_next(&b->recording, m, bad);

	if (got == PB_NEXT && m->encoding == PB_BAG_CDR &&
	    pb_filekind_of(m->data, m->size) == PB_FILE_ZSTD)
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

		if (b->db != NULL || b->recording.file != NULL)
			got = read_message(b, m, bad);
		if (got != PB_END)
			return got;
		close_file(b);
		if (b->next == b->parts.n)
			return PB_END;
		if (!open_part(b, bad))
			return bad->text[0] == '\0' ? PB_HALT : PB_BAD;
	}
}
