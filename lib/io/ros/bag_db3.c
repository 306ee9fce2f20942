/* bag_db3.c - rosbag2's SQLite files, of all its versions. */
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/ros/bag_read.h"
#include "io/stream/text.h"

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

/* Write all that comes to fd; bad has a text if it ends in a bad way. */
static bool
write_all(int fd, struct pb_bytes *file, const char *path, struct pb_error *bad)
{
	enum pb_next got;

	pb_error_set(bad, "%s", "");
	while ((got = pb_bytes_need(file, 1, bad)) == PB_NEXT) {
		ssize_t n = write(fd, pb_bytes_at(file), pb_bytes_there(file));

		if (n < 0 && errno != EINTR) {
			pb_error_write(bad, path);
			return false;
		}
		pb_bytes_take(file, n > 0 ? (size_t)n : 0);
	}
	return got == PB_END;
}

/*
 * SQLite reads a file: write all bytes to a temporary one. Its name, from
 * malloc, to be removed; NULL: bad says why, or has no text.
 */
static char *
spool(struct pb_bytes *file, struct pb_error *bad)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	int fd;
	bool ok;

	if (folder == NULL || folder[0] == '\0')
		folder = "/tmp";
	snprintf(path, sizeof(path), "%s/pb-XXXXXX", folder);
	if ((fd = mkstemp(path)) < 0) {
		pb_error_errno(bad, path, "cannot create");
		bad->kind = PB_ERROR_SYSTEM;
		return NULL;
	}
	ok = write_all(fd, file, path, bad);
	close(fd);
	if (ok && file->from != NULL && !file->whole) {
		pb_error_set(bad, "cut off: zstd data without their end");
		bad->kind = PB_ERROR_CUT;
		ok = false;
	}
	if (ok)
		return strdup(path);
	unlink(path);
	return NULL;
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
		bad->kind = PB_ERROR_MEMORY;
	else if (rc == SQLITE_FULL || rc == SQLITE_IOERR)
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
		if (!pb_bag_topics_put(&r->topics, sqlite3_column_int64(s, 0),
			text_of(s, 1), text_of(s, 2), text_of(s, 3), &why) &&
		    why.kind == PB_ERROR_MEMORY)
			break;
	sqlite3_finalize(s);
	return rc == SQLITE_ROW    ? SQLITE_NOMEM
	       : rc == SQLITE_DONE ? SQLITE_OK
	                           : rc;
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
	char *temp = NULL;
	bool ok;

	if (pb_bytes_there(file) < 16 || pb_bytes_at(file)[15] != '\0') {
		pb_error_set(bad, "holds no recording of topics");
		return NULL;
	}
	if ((r = calloc(1, sizeof(*r))) == NULL) {
		pb_error_nomem(bad, "SQLite");
		return NULL;
	}
	if (path == NULL && (path = temp = spool(file, bad)) == NULL) {
		free(r);
		return NULL;
	}
	ok = begin(r, path, bad);
	if (temp != NULL)
		unlink(temp); /* which SQLite has open */
	free(temp);
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
	if (rc != SQLITE_NOMEM && rc != SQLITE_IOERR && rc != SQLITE_FULL)
		return false;
	errno = rc == SQLITE_NOMEM ? ENOMEM : 0;
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

const struct pb_bag_format pb_bag_db3 = {db3_open, db3_next, db3_close};
