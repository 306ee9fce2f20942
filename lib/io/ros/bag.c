/* bag.c - recordings of ROS topics: which format, part after part. */
#include "io/ros/bag.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pool.h"
#include "io/ros/bag_read.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/yaml.h"

/* The files of a recording that is a folder. A zeroed struct has none. */
struct parts {
	char **at; /* paths in their order, owned */
	int n;
	size_t room;
};

/* A name of a file more costs a few bytes; this is a day in parts of 1 MB. */
enum { MOST = 1000000 };

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

/* Add FOLDER/NAME; false without memory. */
static bool
add_part(struct parts *p, const char *folder, const char *name)
{
	if (!pb_grow(&p->at, (size_t)p->n, &p->room, sizeof(*p->at)))
		return false;
	p->at[p->n] = pb_file_name("%s/%s", folder, name);
	return p->at[p->n] != NULL && ++p->n > 0;
}

/* Add what metadata.yaml calls name. Early ones have the folder in it, too. */
static bool
add_named(struct parts *p, const char *folder, const char *name)
{
	const char *base = strrchr(name, '/');

	if (!add_part(p, folder, name))
		return false;
	if (base == NULL || access(p->at[p->n - 1], F_OK) == 0)
		return true;
	free(p->at[--p->n]);
	return add_part(p, folder, base + 1);
}

/* A reader of YAML without a memory of its own: names follow their key. */
struct names {
	struct parts *p;
	const char *folder;
	bool key;  /* the last scalar was relative_file_paths */
	bool list; /* we are in its list */
};

/* False without memory. */
static bool
read_event(struct names *l, const yaml_event_t *e)
{
	const char *s = (const char *)e->data.scalar.value;

	if (e->type == YAML_SEQUENCE_START_EVENT) {
		l->list = l->key;
	} else if (e->type == YAML_SEQUENCE_END_EVENT) {
		l->list = false;
	} else if (e->type == YAML_SCALAR_EVENT) {
		l->key = !l->list && strcmp(s, "relative_file_paths") == 0;
		return !l->list || s[0] == '\0' || l->p->n == MOST ||
		       add_named(l->p, l->folder, s);
	}
	l->key = false;
	return true;
}

static int
read_yaml(
    struct names *l, yaml_parser_t *y, const char *name, struct pb_error *bad)
{
	yaml_event_type_t type = YAML_NO_EVENT;

	while (type != YAML_STREAM_END_EVENT) {
		yaml_event_t e;
		bool ok;

		if (pb_msg_stopped()) {
			pb_error_set(bad, "%s", ""); /* no fault of the file */
			return -1;
		}
		if (!yaml_parser_parse(y, &e))
			return pb_yaml_fault(y, name, bad);
		type = e.type;
		ok = read_event(l, &e);
		yaml_event_delete(&e);
		if (!ok)
			return pb_error_file_nomem(bad, name);
	}
	if (l->p->n > 0)
		return 0;
	return pb_error_file(
	    bad, name, 0, "relative_file_paths", "no files are named");
}

static int
read_metadata(
    struct parts *p, const char *folder, const char *name, struct pb_error *bad)
{
	struct pb_file_look look = {{METADATA, ""}, NULL, NULL};
	struct names l = {.p = p, .folder = folder};
	yaml_parser_t y;
	char *s;
	size_t n;
	int rc;

	if (pb_file_read(name, &look, &s, &n, bad) != 0)
		return -1;
	rc = pb_yaml_open(&y, s, n, name, bad);
	if (rc == 0) {
		rc = read_yaml(&l, &y, name, bad);
		yaml_parser_delete(&y);
	}
	free(s);
	return rc;
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
	bool ok = true;

	if (d == NULL)
		return pb_error_errno(bad, folder, "cannot open");
	while (ok && (e = readdir(d)) != NULL)
		for (size_t i = 0; i < 4; i++)
			if (pb_file_has_suffix(e->d_name, ends[i]) &&
			    p->n < MOST)
				ok = add_part(p, folder, e->d_name);
	closedir(d);
	if (!ok)
		return pb_error_file_nomem(bad, folder);
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
	int rc;

	*p = (struct parts){0};
	if (name == NULL)
		return pb_error_file_nomem(bad, folder);
	rc = access(name, F_OK) == 0 ? read_metadata(p, folder, name, bad)
	                             : list_folder(p, folder, bad);
	free(name);
	if (rc != 0)
		clear_parts(p);
	return rc;
}

static const struct pb_bag_format *const formats[PB_BAGKINDS] = {
    [PB_BAGKIND_MCAP] = &pb_bag_mcap,
    [PB_BAGKIND_ROS1] = &pb_bag_ros1,
    [PB_BAGKIND_DB3] = &pb_bag_db3};

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
	if (!pb_bytes_unpack(&b->plain, &b->file, PB_PACK_ZSTD, PB_BYTES_ANY,
		PB_BYTES_ANY)) {
		pb_error_nomem(bad, "zstd");
		return NULL;
	}
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

	if (!pb_bytes_source(&b->file, s, head, n))
		return pb_error_nomem(bad, "a recording");
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
	struct pb_bag *b = calloc(1, sizeof(*b));

	if (b == NULL) {
		pb_error_nomem(bad, "a recording");
		return NULL;
	}
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
	if (!pb_bytes_unpack(
		&b->message, &packed, PB_PACK_ZSTD, m->size, PB_BYTES_ANY)) {
		pb_msg_nomem("cannot read a recording");
		return PB_HALT;
	}
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
