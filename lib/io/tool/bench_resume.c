/* bench_resume.c - a file of results that grows until a benchmark is complete. */
#define _DEFAULT_SOURCE /* flock */

#include "io/tool/bench_resume.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/stream/msg.h"
#include "io/tool/bench_results.h"

static bool
fail(const struct pb_resume *r, const char *what)
{
	pb_msg_system("%s: %s", r->path, what);
	return false;
}

static bool
refuse(const struct pb_resume *r, const char *what)
{
	pb_msg_refuse((struct pb_place){r->path, 0}, "%s", what);
	return false;
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
		return refuse(r, "expected a regular file to resume from");
	if (pread(r->fd, &first, 1, 0) < 0)
		return fail(r, "cannot read");
	return first != 0x1f ||
	       refuse(r, "expected lines to add to, got a compressed file");
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
