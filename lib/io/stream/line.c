/* line.c - lines from files and standard input. */
#include "io/stream/line.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/msg.h"
#include "io/stream/source.h"

#define FIRST ((size_t)1 << 16) /* room at first (bytes) */

int pb_max_line = 64 << 20;

struct pb_lines {
	char *const *file;
	int files;
	int next;         /* operand to open next */
	const char *name; /* of the open one */
	long line;        /* lines given of it */
	struct pb_source src;
	char *buf; /* cap + 1 bytes, owned */
	size_t cap;
	size_t at;     /* start of the next line */
	size_t end;    /* of what was read */
	size_t looked; /* no line end in [at, looked) */
	size_t cut;    /* where a NUL replaces ... */
	char saved;    /* ... this byte */
	bool skip;     /* in the rest of a line that is too long */
	bool refused;  /* the file at hand: it holds no lines */
	bool hashed;   /* its bytes were counted when they were read */
	const char *(*what)(const char *head, size_t n); /* NULL: all do */
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
	r->cap = n + 1; /* there is room, for an end that is met at once */
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

void
pb_lines_refuse(
    struct pb_lines *r, const char *(*what)(const char *head, size_t n))
{
	r->what = what;
}

struct pb_source *
pb_lines_source(struct pb_lines *r, const char **head, size_t *n)
{
	*head = r->buf;
	*n = r->end;
	return r->refused ? &r->src : NULL;
}

/* Whether the first bytes of a file say that it has no lines. */
static bool
holds_none(struct pb_lines *r, struct pb_line *l, struct pb_error *bad)
{
	const char *why = NULL;

	if (r->what && r->line == 0 && r->at == 0 && !r->skip)
		why = r->what(r->buf, r->end);
	if (!why)
		return false;
	r->refused = true;
	r->cut = r->end;
	r->saved = r->buf[r->end];
	r->buf[r->end] = 0;
	*l = (struct pb_line){.text = r->buf + r->end, .at = {r->name, 0}};
	pb_error_set(bad, "%s", why);
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

/* Make room behind `end`: move what is left to the front, then grow. */
static bool
make_room(struct pb_lines *r)
{
	size_t cap = r->cap * 2;
	char *buf;

	if (r->at > 0) {
		memmove(r->buf, r->buf + r->at, r->end - r->at);
		r->end -= r->at;
		r->looked -= r->at;
		r->at = 0;
	}
	if (r->end < r->cap / 2)
		return true;
	buf = realloc(r->buf, cap + 1);
	if (!buf) {
		errno = ENOMEM;
		return pb_msg_system(
		    "%s: line %ld is too long", r->name, r->line + 1);
	}
	r->buf = buf;
	r->cap = cap;
	return true;
}

/* More bytes of the open file. */
static enum pb_next
read_more(struct pb_lines *r, struct pb_error *bad)
{
	enum pb_next got;
	size_t n = 0;

	if ((r->end == r->cap || r->at == r->end) && !make_room(r))
		return PB_HALT;
	got =
	    pb_source_read(&r->src, r->buf + r->end, r->cap - r->end, &n, bad);
	r->end += n;
	return got;
}

/* Hand out the line that ends before buf[stop], its end included. */
static enum pb_next
give(struct pb_lines *r, size_t stop, struct pb_line *l, struct pb_error *bad)
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

/* What reading said other than "bytes", in terms of lines. */
static enum pb_next
source_ended(struct pb_lines *r, enum pb_next got, struct pb_line *l,
    struct pb_error *bad)
{
	if (got == PB_HALT)
		return PB_HALT;
	pb_source_close(&r->src);
	if (got == PB_BAD) {
		struct pb_error keep = *bad;

		give(r, r->end, l, bad);
		*bad = keep;
		return PB_BAD;
	}
	if (r->end > r->at && !r->skip)
		return give(r, r->end, l, bad);
	return PB_END; /* of this file */
}

/* The end of the line at r->at, if it is in the buffer; 0 if not. */
static size_t
find_end(struct pb_lines *r)
{
	char *nl = memchr(r->buf + r->looked, '\n', r->end - r->looked);

	if (nl)
		return (size_t)(nl - r->buf) + 1;
	r->looked = r->end;
	if (r->skip)
		r->at = r->end;
	return 0;
}

/* A line that is too long and ends before buf[stop], or not there yet. */
static enum pb_next
refuse_long(
    struct pb_lines *r, size_t stop, struct pb_line *l, struct pb_error *bad)
{
	bool ends = r->buf[stop - 1] == '\n';

	give(r, stop, l, bad);
	r->skip = l->part = !ends;
	pb_error_set(
	    bad, "a line of more than %d bytes, see --max-line", pb_max_line);
	return PB_BAD;
}

/* The next line of the open file. */
static enum pb_next
next_here(struct pb_lines *r, struct pb_line *l, struct pb_error *bad)
{
	for (;;) {
		size_t stop = find_end(r);
		size_t bytes = (stop ? stop : r->end) - r->at;
		enum pb_next got;

		if (!r->skip && bytes > (size_t)pb_max_line)
			return refuse_long(r, r->at + bytes, l, bad);
		if (stop && !r->skip)
			return give(r, stop, l, bad);
		if (stop) {
			r->at = r->looked = stop;
			r->skip = false;
			continue;
		}
		/* Not text: its line may have no end. */
		if (r->end - r->at >= FIRST &&
		    memchr(r->buf + r->at, 0, FIRST)) {
			give(r, r->end, l, bad);
			r->skip = l->part = true;
			return PB_BAD;
		}
		got = read_more(r, bad);
		if (got != PB_NEXT)
			return source_ended(r, got, l, bad);
		if (holds_none(r, l, bad))
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
		got = next_here(r, l, bad);
		if (got != PB_END)
			return got;
	}
}
