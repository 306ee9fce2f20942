/* bench_results.c - results of a benchmark in files: read back, added to. */
#define _DEFAULT_SOURCE /* flock */

#include "io/tool/bench_results.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/rec/rec.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"

/* Add one trial; false and bad filled in if it is refused. */
static bool
add(struct pb_results *p, const struct pb_trial *t, struct pb_error *bad)
{
	p->read++;
	switch (pb_tally_add(p->tally, t)) {
	case PB_TALLY_ADDED:
		return true;
	case PB_TALLY_AGAIN:
		p->again++;
		return true;
	case PB_TALLY_CONFLICT:
		return pb_error_set(bad,
		    "result: trial %" PRIu64 " of seed %" PRIu64
		    ", player %s, round %d, came before with another result",
		    t->trial, t->seed, t->policy, t->round);
	case PB_TALLY_HASH:
		return pb_error_set(bad,
		    "result.hash: trial %" PRIu64 " of seed %" PRIu64
		    ", player %s, round %d, came before with the same numbers "
		    "and another hash: two builds play it differently",
		    t->trial, t->seed, t->policy, t->round);
	case PB_TALLY_REFUSED:
		return pb_error_set(
		    bad, "result: numbers that no trial can have");
	case PB_TALLY_NOMEM:
		break;
	}
	return pb_error_nomem(bad, "result");
}

static bool
take_line(struct pb_results *p, const struct pb_line *l, struct pb_error *bad)
{
	struct pb_rec r;
	bool ok;

	if (l->len == 0)
		return true;
	if (!pb_rec_read(l->text, l->len, PB_REC_BIT(PB_REC_RESULT), &r, bad))
		return false;
	ok = r.type != PB_REC_RESULT;
	if (!ok)
		ok = add(p, &r.result.trial, bad);
	pb_rec_clear(&r);
	return ok;
}

/* Whether text ends within the object that it begins. */
static bool
is_open(const char *s, size_t n)
{
	bool quoted = false;
	int depth = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"')
			quoted = !quoted;
		else if (quoted)
			i += s[i] == '\\';
		else if (s[i] == '{' || s[i] == '[')
			depth++;
		else if (s[i] == '}' || s[i] == ']')
			depth--;
		if (depth == 0)
			return false;
	}
	return n > 0 && s[0] == '{';
}

/*
 * A record without its end at the end of a file. Where a machine lost its
 * power, zeros may stand for what was not written.
 */
static bool
is_torn(const struct pb_line *l, const struct pb_error *bad)
{
	size_t n = l->len;

	while (n > 0 && l->text[n - 1] == '\0')
		n--;
	return bad->kind == PB_ERROR_CUT ||
	       (l->raw == l->len && l->raw < PB_LINE_MAX &&
		   (is_open(l->text, n) || n < l->len));
}

/* A line that cannot be taken. Returns whether to go on. */
static bool
refuse(struct pb_results *p, struct pb_rejects *rejects,
    const struct pb_line *l, const struct pb_error *bad)
{
	bool torn = is_torn(l, bad);

	p->torn |= torn;
	if (torn && !p->strict) {
		pb_msg_warn(l->at, "the last line is cut; not counted");
		return true;
	}
	if (torn)
		pb_msg_refuse(l->at,
		    "the last line is cut; --torn-ok counts those before it");
	else
		pb_msg_error_at(l->at, bad);
	pb_counts.refused++;
	pb_rejects_put(rejects, l);
	return p->common && p->common->keep_going;
}

bool
pb_results_read(struct pb_results *p, char *const *files, int n)
{
	struct pb_rejects rejects;
	struct pb_lines *in;
	enum pb_line_got got = PB_LINE_FAIL;
	struct pb_line l;
	struct pb_error bad;
	bool ok = true;

	if (!pb_rejects_open(&rejects, p->common ? p->common->rejects : NULL))
		return false;
	in = pb_lines_new(files, n);
	if (!in)
		pb_msg_system("no memory");
	while (in && ok && (got = pb_lines_next(in, &l, &bad)) != PB_LINE_END &&
	       got != PB_LINE_FAIL) {
		p->unended = l.raw == l.len;
		p->whole += p->unended ? 0 : (off_t)l.raw;
		if (got != PB_LINE_TEXT || !take_line(p, &l, &bad))
			ok = refuse(p, &rejects, &l, &bad);
	}
	pb_lines_free(in);
	pb_rejects_close(&rejects);
	if (ok && p->again > 0)
		pb_msg_note("%llu result%s came again, with the same hash or "
			    "none: counted once",
		    p->again, p->again == 1 ? "" : "s");
	return ok && got != PB_LINE_FAIL;
}

static bool
fail(const struct pb_resume *r, const char *what)
{
	return pb_msg_system("%s: %s", r->path, what);
}

static bool
refuse_file(const struct pb_resume *r, const char *what)
{
	return pb_msg_refuse((struct pb_place){r->path, 0}, "%s", what);
}

/*
 * Nobody else may add to it: two runs would play the same trials. The lock
 * ends with the process, however it ends. flock() and not fcntl(), whose
 * locks end when a file is closed that was opened a second time to be read.
 */
static bool
lock(const struct pb_resume *r)
{
	errno = 0;
	if (flock(r->fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (errno == EWOULDBLOCK) {
		errno = 0;
		return fail(r, "another run is adding to it");
	}
	pb_msg_warn((struct pb_place){r->path, 0},
	    "cannot be locked (%s): let no other run add to it",
	    strerror(errno));
	return true;
}

/* A device or a pipe has no end to add to, nor has compressed data. */
static bool
can_grow(const struct pb_resume *r)
{
	unsigned char first = 0;
	struct stat st;

	if (fstat(r->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return refuse_file(r, "expected a regular file to resume from");
	if (pread(r->fd, &first, 1, 0) < 0)
		return fail(r, "cannot read");
	return first != 0x1f ||
	       refuse_file(
		   r, "expected lines to add to, got a compressed file");
}

/* Write all of s; what did arrive is *done bytes. */
static bool
put_all(int fd, const char *s, size_t n, size_t *done)
{
	for (*done = 0; *done < n;) {
		ssize_t got = write(fd, s + *done, n - *done);

		if (got < 0 && errno != EINTR)
			return false;
		*done += got > 0 ? (size_t)got : 0;
	}
	return true;
}

/* A line that was cut is taken off, one that only lacks its end gets it. */
static bool
mend_end(const struct pb_resume *r, const struct pb_results *in)
{
	size_t done;

	errno = 0;
	if (in->torn)
		return ftruncate(r->fd, in->whole) == 0 ||
		       fail(r, "cannot cut");
	return !in->unended || put_all(r->fd, "\n", 1, &done) ||
	       fail(r, "cannot write");
}

bool
pb_resume_open(struct pb_resume *r, const char *path)
{
	struct pb_results in = {.tally = pb_tally_new()};
	char *name = (char *)path;

	*r = (struct pb_resume){.known = in.tally, .path = path, .fd = -1};
	errno = 0;
	if (!in.tally)
		return fail(r, "no memory");
	r->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (r->fd < 0)
		return fail(r, "cannot open");
	return can_grow(r) && lock(r) && pb_results_read(&in, &name, 1) &&
	       mend_end(r, &in);
}

/* What is whole of the first n bytes of s. */
static size_t
whole_lines(const char *s, size_t n)
{
	while (n > 0 && s[n - 1] != '\n')
		n--;
	return n;
}

bool
pb_resume_flush(struct pb_resume *r)
{
	struct pb_text *o = &r->out;
	size_t done;
	off_t end;
	int e;

	if (o->failed) {
		errno = ENOMEM;
		return fail(r, "cannot write");
	}
	if (o->len == 0)
		return true;
	end = lseek(r->fd, 0, SEEK_END);
	if (end >= 0 && put_all(r->fd, o->s, o->len, &done)) {
		o->len = 0;
		return true;
	}
	e = errno;
	if (end >= 0 &&
	    ftruncate(r->fd, end + (off_t)whole_lines(o->s, done)) != 0)
		pb_msg_warn(
		    (struct pb_place){r->path, 0}, "its last line may be cut");
	o->len = 0;
	errno = e;
	return fail(r, "cannot write");
}

bool
pb_resume_close(struct pb_resume *r)
{
	bool ok = !r->path || pb_resume_flush(r);

	errno = 0;
	if (r->path && r->fd >= 0 && close(r->fd) != 0 && ok)
		ok = fail(r, "cannot write");
	pb_text_clear(&r->out);
	pb_tally_free(r->known);
	*r = (struct pb_resume){.path = NULL};
	return ok;
}
