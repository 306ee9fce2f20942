/* line.c - read bytes and lines of files; compose lines of output. */
#include "io/stream/line.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "io/stream/file.h"
#include "io/stream/pace.h"
#include "io/stream/text.h"

/* inflateInit2: the largest window, 2^15 bytes, with a gzip header. */
#define GZIP (15 + 16)

struct pb_inflate {
	z_stream z;
	bool whole; /* a member has ended: the file may end here */
	unsigned char in[65536];
};

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
	int fd = STDIN_FILENO;

	if (feed && strcmp(name, feed->name) == 0) {
		*s = (struct pb_source){.open = true, .feed = feed};
		return true;
	}
	/* The caller knows the name, and reports the file. */
	if (own && (fd = pb_file_open(name, bad)) < 0) {
		bad->file[0] = '\0';
		bad->kind = PB_ERROR_REFUSED;
		return false;
	}
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
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

/* The first bytes, already read into buf, are gzip's: inflate from there. */
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

/* Read more compressed bytes; at the end of the file avail_in stays 0. */
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
refuse_gzip(struct pb_error *bad, const char *what)
{
	pb_error_set(bad, "%s", what);
	return PB_BAD;
}

static enum pb_next
read_inflated(struct pb_source *s, char *buf, size_t room, size_t *n,
    struct pb_error *bad)
{
	struct pb_inflate *gz = s->gz;
	/* zlib counts in unsigned int, so ask for at most 1 GiB. */
	unsigned want = room > 1u << 30 ? 1u << 30 : (unsigned)room;

	for (;;) {
		enum pb_next got = refill(s);
		int z;

		if (got != PB_NEXT)
			return got;
		if (gz->whole && gz->z.avail_in == 0)
			return PB_END;
		if (gz->whole && inflateReset(&gz->z) == Z_OK)
			gz->whole =
			    false; /* another member: files joined by cat */
		gz->z.next_out = (unsigned char *)buf;
		gz->z.avail_out = want;
		z = inflate(&gz->z, Z_NO_FLUSH);
		gz->whole = z == Z_STREAM_END;
		*n = want - gz->z.avail_out;
		if (*n > 0)
			return PB_NEXT;
		if (z == Z_BUF_ERROR && s->ended) {
			refuse_gzip(bad, "gzip data end too early");
			bad->kind = PB_ERROR_CUT;
			return PB_BAD;
		}
		if (z != Z_OK && z != Z_STREAM_END && z != Z_BUF_ERROR)
			return refuse_gzip(bad, "broken gzip data");
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

/* --- lines --- */

#define FIRST ((size_t)1 << 16) /* bytes of the buffer at first */

int pb_max_line = 64 << 20;

struct pb_lines {
	char *const *file;
	int files;
	int next;         /* operand to open next */
	const char *name; /* of the open one */
	long line;        /* number of its last line that was returned */
	struct pb_source src;
	char *buf; /* cap + 1 bytes, owned */
	size_t cap;
	size_t at;     /* start of the next line */
	size_t end;    /* end of the bytes read */
	size_t looked; /* no line end in [at, looked) */
	size_t cut;    /* a NUL replaces the byte here, ... */
	char saved;    /* ... this one */
	bool skip;     /* inside a line that is too long */
	size_t rest;   /* bytes of that line skipped */
	bool refused;  /* the open file has no lines */
	bool hashed;   /* its bytes were hashed when they were read */
};

static char *const standard_input[] = {(char[]){"-"}};

struct pb_lines *
pb_lines_new(char *const *files, int n)
{
	struct pb_lines *r = pb_alloc(1, sizeof(*r));

	r->file = n > 0 ? files : standard_input;
	r->files = n > 0 ? n : 1;
	r->cap = FIRST;
	r->buf = pb_resize(NULL, r->cap + 1);
	return r;
}

struct pb_lines *
pb_lines_text(const char *name, const char *s, size_t n)
{
	struct pb_lines *r = pb_lines_new(NULL, 0);
	char *buf = pb_resize(NULL, n + 2);

	memcpy(buf, s, n);
	buf[n] = '\0';
	free(r->buf);
	r->buf = buf;
	r->cap =
	    n + 1; /* one byte of room: reading more returns the end at once */
	r->end = n;
	r->files = 0;
	r->name = name;
	r->hashed = true;
	r->saved = buf[0];
	r->src = (struct pb_source){
	    .open = true, .started = true, .ended = true, .fd = -1};
	return r;
}

void
pb_lines_free(struct pb_lines *r)
{
	if (!r)
		return;
	pb_source_close(&r->src);
	free(r->buf);
	free(r);
}

struct pb_source *
pb_lines_source(struct pb_lines *r, const char **head, size_t *n)
{
	*head = r->buf;
	*n = r->end;
	return r->refused ? &r->src : NULL;
}

/* Refuse a file whose first bytes are of a format without lines. True: it is
 * refused. */
static bool
refuse_kind(struct pb_lines *r, struct pb_line *l, struct pb_error *bad)
{
	if (r->line > 0 || r->at > 0 || r->skip ||
	    pb_filekind_check(0, r->buf, r->end, bad))
		return false;
	r->refused = true;
	r->cut = r->end;
	r->saved = r->buf[r->end];
	r->buf[r->end] = 0;
	*l = (struct pb_line){.text = r->buf + r->end, .at = {r->name, 0}};
	return true;
}

static enum pb_next
open_next(struct pb_lines *r, struct pb_line *l, struct pb_error *bad)
{
	const char *name = r->file[r->next++];
	bool in = strcmp(name, "-") == 0;

	r->name = in ? "<stdin>" : name;
	r->line = 0;
	r->at = r->end = r->looked = r->cut = 0;
	r->skip = false;
	*l = (struct pb_line){.text = r->buf, .at = {r->name, 0}};
	r->buf[0] = r->saved = 0;
	if (!pb_source_open(&r->src, name, bad))
		return PB_BAD;
	return PB_NEXT;
}

/* Make room behind `end`: move unread bytes to the front, then grow. */
static void
make_room(struct pb_lines *r)
{
	if (r->at > 0) {
		memmove(r->buf, r->buf + r->at, r->end - r->at);
		r->end -= r->at;
		r->looked -= r->at;
		r->at = 0;
	}
	if (r->end < r->cap / 2)
		return;
	r->cap *= 2;
	r->buf = pb_resize(r->buf, r->cap + 1);
}

/* Read more bytes of the open file. */
static enum pb_next
read_more(struct pb_lines *r, struct pb_error *bad)
{
	enum pb_next got;
	size_t n = 0;

	if (r->end == r->cap || r->at == r->end)
		make_room(r);
	got =
	    pb_source_read(&r->src, r->buf + r->end, r->cap - r->end, &n, bad);
	r->end += n;
	return got;
}

/* Return the line that ends before buf[stop], with its line end. */
static enum pb_next
give_line(
    struct pb_lines *r, size_t stop, struct pb_line *l, struct pb_error *bad)
{
	size_t raw = stop - r->at, len = raw;
	char *s = r->buf + r->at;

	if (len > 0 && s[len - 1] == '\n')
		len -= 1 + (len > 1 && s[len - 2] == '\r');
	r->line++;
	if (!r->hashed)
		pb_input_add(s, raw);
	*l = (struct pb_line){s, len, raw, false, {r->name, r->line}};
	r->cut = r->at = r->looked = stop;
	r->saved = r->buf[stop];
	r->buf[stop] = 0;
	if (memchr(s, 0, len)) {
		pb_error_set(bad, "a NUL byte in the line");
		return PB_BAD;
	}
	return PB_NEXT;
}

/* Translate a result of reading bytes other than PB_NEXT into that of reading
 * lines. */
static enum pb_next
end_source(struct pb_lines *r, enum pb_next got, struct pb_line *l,
    struct pb_error *bad)
{
	if (got == PB_HALT)
		return PB_HALT;
	pb_source_close(&r->src);
	if (got == PB_BAD) {
		struct pb_error keep = *bad;

		give_line(r, r->end, l, bad);
		*bad = keep;
		return PB_BAD;
	}
	if (r->end > r->at && !r->skip)
		return give_line(r, r->end, l, bad);
	return PB_END; /* end of this file only */
}

/* Find the end of the line at r->at in the buffer; 0: not there. While
 * skipping, drop the bytes searched. */
static size_t
find_end(struct pb_lines *r)
{
	char *nl = memchr(r->buf + r->looked, '\n', r->end - r->looked);

	if (nl)
		return (size_t)(nl - r->buf) + 1;
	r->looked = r->end;
	if (r->skip) {
		r->rest += r->end - r->at;
		r->at = r->end;
	}
	return 0;
}

/* Refuse a line that is too long; it ends before buf[stop], or goes on. */
static enum pb_next
refuse_long(
    struct pb_lines *r, size_t stop, struct pb_line *l, struct pb_error *bad)
{
	bool ends = r->buf[stop - 1] == '\n';

	give_line(r, stop, l, bad);
	r->skip = l->part = !ends;
	r->rest = 0;
	pb_error_set(
	    bad, "a line of more than %d bytes, see --max-line", pb_max_line);
	return PB_BAD;
}

/* Read the next line of the open file. */
static enum pb_next
read_line(struct pb_lines *r, struct pb_line *l, struct pb_error *bad)
{
	for (;;) {
		size_t stop = find_end(r);
		size_t bytes = (stop ? stop : r->end) - r->at;
		enum pb_next got;

		if (pb_msg_stopped())
			return PB_HALT;
		/* Refuse the rest as well if it is as long again: it may never
		 * end. */
		if (r->skip && !stop && r->rest > (size_t)pb_max_line) {
			r->line--;
			return refuse_long(r, r->end, l, bad);
		}
		if (!r->skip && bytes > (size_t)pb_max_line)
			return refuse_long(r, r->at + bytes, l, bad);
		if (stop && !r->skip)
			return give_line(r, stop, l, bad);
		if (stop) {
			r->at = r->looked = stop;
			r->skip = false;
			continue;
		}
		/* A NUL among the first bytes: not text, and the line may never
		 * end. */
		if (r->end - r->at >= FIRST &&
		    memchr(r->buf + r->at, 0, FIRST)) {
			give_line(r, r->end, l, bad);
			r->skip = l->part = true;
			r->rest = 0;
			return PB_BAD;
		}
		got = read_more(r, bad);
		if (got != PB_NEXT)
			return end_source(r, got, l, bad);
		if (refuse_kind(r, l, bad))
			return PB_BAD;
	}
}

enum pb_next
pb_lines_next(struct pb_lines *r, struct pb_line *l, struct pb_error *bad)
{
	r->buf[r->cut] = r->saved;
	if (r->refused)
		pb_source_close(&r->src);
	r->refused = false;
	for (;;) {
		enum pb_next got = PB_NEXT;

		if (pb_msg_stopped())
			return PB_HALT;
		if (!r->src.open) {
			if (r->next >= r->files)
				return PB_END;
			got = open_next(r, l, bad);
			if (got != PB_NEXT)
				return got;
		}
		got = read_line(r, l, bad);
		if (got != PB_END)
			return got;
	}
}

/* Whether reading would not wait; false for compressed files. */
static bool
is_ready(struct pb_source *s)
{
	struct pollfd p = {.fd = s->fd, .events = POLLIN};

	if (s->feed != NULL)
		return s->feed->ready(s->feed->user);
	return s->open && !s->ended && s->gz == NULL && poll(&p, 1, 0) > 0;
}

/* Most bytes read ahead: a server may send without end. */
#define AHEAD ((size_t)1 << 20)

long
pb_lines_ahead(
    struct pb_lines *r, const char *word, const char *if_any, const char *then)
{
	struct pb_error bad;
	long n = 0;

	r->buf[r->cut] = r->saved;
	while (r->end - r->at < AHEAD && is_ready(&r->src) &&
	       read_more(r, &bad) == PB_NEXT)
		;
	for (char *s = r->buf + r->at, *nl;
	     (nl = memchr(s, '\n', (size_t)(r->buf + r->end - s))) != NULL;
	     s = nl + 1) {
		*nl = '\0';
		n += strstr(s, word) != NULL &&
		     (!strstr(s, if_any) || strstr(s, then) != NULL);
		*nl = '\n';
	}
	r->cut = r->at;
	r->saved = r->buf[r->cut];
	r->buf[r->cut] = '\0';
	return n;
}

void
pb_line_is_none(const struct pb_line *l, struct pb_error *bad)
{
	size_t n = strlen(bad->text);

	if (l->at.line == 1 && *l->text != '{' && *l->text != '[')
		snprintf(bad->text + n, sizeof(bad->text) - n,
		    "; read are records (JSON lines), maps, recordings of ROS, "
		    "CARMEN logs, TUM and CSV poses");
}

/* --- lines of output --- */

void
pb_text_clear(struct pb_text *o)
{
	free(o->s);
	*o = (struct pb_text){0};
}

char *
pb_text_room(struct pb_text *o, size_t n)
{
	if (o->cap - o->len < n) {
		size_t cap = o->cap ? o->cap : 256;

		while (cap - o->len < n && cap <= SIZE_MAX / 2)
			cap *= 2;
		if (cap - o->len < n)
			pb_msg_end_memory();
		o->s = pb_resize(o->s, cap);
		o->cap = cap;
	}
	/* NULL + 0 is undefined in C. */
	return o->s ? o->s + o->len : NULL;
}

void
pb_text_put(struct pb_text *o, const char *s, size_t n)
{
	char *at = pb_text_room(o, n);

	if (n > 0) {
		memcpy(at, s, n);
		o->len += n;
	}
}

void
pb_text_puts(struct pb_text *o, const char *s)
{
	pb_text_put(o, s, strlen(s));
}

/* Add \u and four digits: one unit of UTF-16. */
static void
add_unit(struct pb_text *o, uint32_t u)
{
	static const char hex[] = "0123456789abcdef";

	pb_text_put(o,
	    (char[]){'\\', 'u', hex[u >> 12 & 15], hex[u >> 8 & 15],
		hex[u >> 4 & 15], hex[u & 15]},
	    6);
}

/* Add the character s[0..n), which JSON needs escaped. */
static void
add_escaped(struct pb_text *o, const char *s, size_t n)
{
	static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	uint32_t u = pb_utf8_code(s, n);

	for (const char *p = shorts; *p; p += 2)
		if (*p == *s) {
			pb_text_put(o, (char[]){'\\', p[1]}, 2);
			return;
		}
	if (u >= 0x10000)
		add_unit(o, 0xd7c0 + (u >> 10));
	add_unit(o, u < 0x10000 ? u : 0xdc00 | (u & 0x3ff));
}

/* Count the bytes at the beginning of s[0..n) that JSON needs no escape for. */
static size_t
count_plain(const char *s, size_t n)
{
	size_t i = 0;

	while (
	    i < n && s[i] >= ' ' && s[i] <= '~' && s[i] != '"' && s[i] != '\\')
		i++;
	return i;
}

void
pb_text_string(struct pb_text *o, const char *s)
{
	size_t left = strlen(s), n;

	pb_text_put(o, "\"", 1);
	for (; left > 0; s += n, left -= n) {
		n = count_plain(s, left);
		if (n > 0) {
			pb_text_put(o, s, n);
			continue;
		}
		bool hidden = pb_utf8_shown(s, left, &n) == '?';

		if (pb_utf8_char(s, left) == 0)
			pb_text_puts(o, "\xef\xbf\xbd");
		else if (hidden || *s == '"' || *s == '\\')
			add_escaped(o, s, n);
		else
			pb_text_put(o, s, n);
	}
	pb_text_put(o, "\"", 1);
}

void
pb_text_num(struct pb_text *o, double v)
{
	char *at = pb_text_room(o, PB_NUM_MAX);

	o->len += o->exact ? pb_num_exact(at, v) : pb_num_round(at, v);
}

void
pb_text_exact(struct pb_text *o, double v)
{
	char *at = pb_text_room(o, PB_NUM_MAX);

	o->len += pb_num_exact(at, v);
}

void
pb_text_int(struct pb_text *o, int64_t v)
{
	char *at = pb_text_room(o, PB_NUM_MAX);

	o->len += pb_num_int(at, v);
}

void
pb_text_u64(struct pb_text *o, uint64_t v)
{
	char digits[PB_NUM_MAX];
	size_t n = pb_num_u64(digits, v);
	bool quoted = v > INT64_MAX;

	pb_text_put(o, "\"", quoted);
	pb_text_put(o, digits, n);
	pb_text_put(o, "\"", quoted);
}

void
pb_text_field(struct pb_text *o, const char *s)
{
	size_t left = strlen(s), n;
	double number;
	bool formula =
	    left > 0 && strchr("=+-@", *s) && !pb_num_parse(s, &number);
	bool quoted = formula || strpbrk(s, ",\"") || strcmp(s, "NA") == 0;

	pb_text_puts(o, left == 0 ? "NA" : quoted ? "\"" : "");
	pb_text_put(o, "'", formula);
	for (; left > 0; s += n, left -= n) {
		char c[4];
		size_t len = pb_utf8_put(c, pb_utf8_shown(s, left, &n));

		pb_text_put(o, "\"", quoted && c[0] == '"');
		pb_text_put(o, c, len);
	}
	pb_text_put(o, "\"", quoted);
	pb_text_put(o, ",", 1);
}

void
pb_text_line(struct pb_text *o)
{
	pb_text_put(o, "\n", 1);
	if (!o->to)
		return;
	if (!ferror(o->to) && fwrite(o->s, 1, o->len, o->to) != o->len &&
	    o->to == stdout)
		pb_msg_out_ok(); /* checked here, while errno tells why */
	o->len = 0;
}
