/* bag.c - recordings of ROS topics: which format, part after part. */
#include "io/ros/bag.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/ros/bag_formats.h"
#include "io/ros/bag_parts.h"

static const struct pb_bag_format *const formats[PB_BAGKINDS] = {
    [PB_BAGKIND_MCAP] = &pb_bag_mcap,
    [PB_BAGKIND_ROS1] = &pb_bag_ros1,
    [PB_BAGKIND_DB3] = &pb_bag_db3};

struct pb_bag {
	struct pb_bag_parts parts; /* of a folder */
	int next;                  /* part */
	struct pb_source source;   /* of the part at hand */

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
	pb_bag_parts_clear(&b->parts);
	free(b);
}

/* The bytes to be read, unpacked if the file is; NULL: bad is set, or said. */
static struct pb_bytes *
unpacked(struct pb_bag *b, struct pb_error *bad)
{
	enum pb_source_got got = pb_bytes_need(&b->file, PB_BAG_HEAD, bad);

	if (got == PB_SOURCE_BAD)
		return NULL;
	pb_error_set(bad, "%s", ""); /* for what was said */
	if (got != PB_SOURCE_BYTES && got != PB_SOURCE_END)
		return NULL;
	if (kind_of(&b->file) != PB_BAGKIND_ZSTD)
		return &b->file;
	if (!pb_bytes_unpack(&b->plain, &b->file, PB_PACK_ZSTD, PB_BYTES_ANY,
		PB_BYTES_ANY)) {
		pb_error_nomem(bad, "zstd");
		return NULL;
	}
	got = pb_bytes_need(&b->plain, PB_BAG_HEAD, bad);
	return got == PB_SOURCE_BYTES || got == PB_SOURCE_END ? &b->plain
	                                                      : NULL;
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
	if (s == NULL ? pb_bag_parts_find(&b->parts, name, bad) == 0
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
static enum pb_bag_got
unpack_message(struct pb_bag *b, struct pb_bag_message *m, struct pb_error *bad)
{
	struct pb_bytes packed;
	enum pb_source_got got;

	pb_bytes_memory(&packed, m->data, m->size);
	if (!pb_bytes_unpack(
		&b->message, &packed, PB_PACK_ZSTD, m->size, PB_BYTES_ANY)) {
		pb_msg_nomem("cannot read a recording");
		return PB_BAG_FAIL;
	}
	got = pb_bytes_need(&b->message, PB_BYTES_MOST, bad);
	if (got == PB_SOURCE_FAIL || got == PB_SOURCE_STOP)
		return PB_BAG_FAIL;
	if (got != PB_SOURCE_END || !b->message.whole) {
		pb_error_set(
		    bad, "%.100s: a message that zstd cannot unpack", m->topic);
		return PB_BAG_BAD;
	}
	m->data = pb_bytes_at(&b->message);
	m->size = pb_bytes_there(&b->message);
	return PB_BAG_MESSAGE;
}

/* Of the file at hand. */
static enum pb_bag_got
next_of_file(struct pb_bag *b, struct pb_bag_message *m, struct pb_error *bad)
{
	enum pb_bag_got got = b->format->next(b->reader, m, bad);

	if (got == PB_BAG_MESSAGE && m->encoding == PB_BAG_CDR &&
	    pb_bagkind_of(m->data, m->size) == PB_BAGKIND_ZSTD)
		got = unpack_message(b, m, bad);
	m->file = b->name;
	if (got == PB_BAG_BAD && b->parts.n > 0)
		pb_error_at(bad, b->name, 0);
	return got;
}

enum pb_bag_got
pb_bag_next(struct pb_bag *b, struct pb_bag_message *m, struct pb_error *bad)
{
	pb_bytes_close(&b->message);
	for (;;) {
		enum pb_bag_got got = PB_BAG_END;

		if (b->reader != NULL)
			got = next_of_file(b, m, bad);
		if (got != PB_BAG_END)
			return got;
		close_file(b);
		if (b->next == b->parts.n)
			return PB_BAG_END;
		if (!open_part(b, bad))
			return bad->text[0] == '\0' ? PB_BAG_FAIL : PB_BAG_BAD;
	}
}
