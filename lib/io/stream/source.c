/* source.c - bytes from a file or standard input, inflated if need be. */
#include "io/stream/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "io/stream/file.h"
#include "io/stream/pace.h"

/* The largest window there is, 2^15 bytes, and gzip's header before it. */
#define GZIP (15 + 16)

struct pb_inflate {
	z_stream z;
	bool whole; /* at the end of a member: a good place to end */
	unsigned char in[65536];
};

static int patience;

void
pb_source_patience(int s)
{
	patience = s;
}

static const struct pb_source_feed *feed;

void
pb_source_feed(const struct pb_source_feed *f)
{
	feed = f;
}

bool
pb_source_open(struct pb_source *s, const char *name, struct pb_error *bad)
{
	struct stat st;
	bool own = strcmp(name, "-") != 0;
	int fd;

	if (feed && strcmp(name, feed->name) == 0) {
		*s = (struct pb_source){.open = true, .feed = feed};
		return true;
	}
	fd = own ? pb_file_open(name, patience) : STDIN_FILENO;
	if (fd < 0 || fstat(fd, &st) != 0) {
		if (fd < 0 && errno == ENXIO && pb_file_is_pipe(name))
			pb_error_set(bad, "no program writes to this pipe");
		else
			pb_error_set(bad, "cannot open: %s", strerror(errno));
		if (own && fd >= 0)
			close(fd);
		return false;
	}
	if (S_ISDIR(st.st_mode)) {
		if (own)
			close(fd);
		return pb_error_set(bad, "is a directory");
	}
	if (isatty(fd))
		pb_msg_note("reading from the terminal, Ctrl-D ends");
	*s = (struct pb_source){.open = true, .own = own, .fd = fd};
	return true;
}

void
pb_source_close(struct pb_source *s)
{
	if (s->gz) {
		inflateEnd(&s->gz->z);
		free(s->gz);
	}
	if (s->open && s->own)
		close(s->fd);
	*s = (struct pb_source){0};
}

static enum pb_next
read_fd(struct pb_source *s, void *buf, size_t room, size_t *n)
{
	ssize_t got;

	if (s->ended)
		return PB_END;
	do {
		if (!pb_wait_for(s->fd))
			return PB_HALT;
		got = read(s->fd, buf, room);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		pb_msg_system("cannot read");
		return PB_HALT;
	}
	*n = (size_t)got;
	s->ended = got == 0;
	return got ? PB_NEXT : PB_END;
}

/* The first bytes, already read into buf, look like gzip: go on with it. */
static enum pb_next
begin_inflate(struct pb_source *s, const char *buf, size_t n)
{
	struct pb_inflate *gz = pb_alloc(1, sizeof(*gz));

	if (inflateInit2(&gz->z, GZIP) != Z_OK)
		pb_msg_end_memory();
	memcpy(gz->in, buf, n);
	gz->z.next_in = gz->in;
	gz->z.avail_in = (unsigned)n;
	s->gz = gz;
	return PB_NEXT;
}

/* More compressed bytes; at the end of the file avail_in stays 0. */
static enum pb_next
refill(struct pb_source *s)
{
	struct pb_inflate *gz = s->gz;
	size_t n = 0;
	enum pb_next got;

	if (gz->z.avail_in > 0 || s->ended)
		return PB_NEXT;
	got = read_fd(s, gz->in, sizeof(gz->in), &n);
	if (got != PB_NEXT && got != PB_END)
		return got;
	gz->z.next_in = gz->in;
	gz->z.avail_in = (unsigned)n;
	return PB_NEXT;
}

static enum pb_next
broken(struct pb_error *bad, const char *what)
{
	pb_error_set(bad, "%s", what);
	return PB_BAD;
}

static enum pb_next
read_inflated(struct pb_source *s, char *buf, size_t room, size_t *n,
    struct pb_error *bad)
{
	struct pb_inflate *gz = s->gz;
	/* zlib counts in unsigned int. */
	unsigned want = room > 1u << 30 ? 1u << 30 : (unsigned)room;

	for (;;) {
		enum pb_next got = refill(s);
		int z;

		if (got != PB_NEXT)
			return got;
		if (gz->whole && gz->z.avail_in == 0)
			return PB_END;
		if (gz->whole && inflateReset(&gz->z) == Z_OK)
			gz->whole = false; /* files joined by cat */
		gz->z.next_out = (unsigned char *)buf;
		gz->z.avail_out = want;
		z = inflate(&gz->z, Z_NO_FLUSH);
		gz->whole = z == Z_STREAM_END;
		*n = want - gz->z.avail_out;
		if (*n > 0)
			return PB_NEXT;
		if (z == Z_BUF_ERROR && s->ended) {
			broken(bad, "gzip data end too early");
			bad->kind = PB_ERROR_CUT;
			return PB_BAD;
		}
		if (z != Z_OK && z != Z_STREAM_END && z != Z_BUF_ERROR)
			return broken(bad, "broken gzip data");
	}
}

enum pb_next
pb_source_read(struct pb_source *s, char *buf, size_t room, size_t *n,
    struct pb_error *bad)
{
	enum pb_next got;

	if (s->feed)
		return s->feed->read(s->feed->user, buf, room, n, bad);
	if (!s->gz) {
		size_t most = s->started || room < sizeof(s->gz->in)
		                  ? room
		                  : sizeof(s->gz->in);

		got = read_fd(s, buf, most, n);
		if (got != PB_NEXT || s->started)
			return got;
		s->started = true;
		if ((unsigned char)*buf != 0x1f ||
		    (*n > 1 && (unsigned char)buf[1] != 0x8b))
			return got;
		got = begin_inflate(s, buf, *n);
		if (got != PB_NEXT)
			return got;
	}
	return read_inflated(s, buf, room, n, bad);
}
