/* bench_results.c - results of files read back, and added to. */
#define _DEFAULT_SOURCE /* flock */

#include "io/tool/bench_results.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/stream/line.h"

bool
pb_bench_taken(
    enum pb_tally_add got, const struct pb_trial *t, struct pb_error *bad)
{
	const char *member = "", *why = ": numbers that no trial can have";

	switch (got) {
	case PB_TALLY_ADDED:
	case PB_TALLY_AGAIN:
		return true;
	case PB_TALLY_CONFLICT:
		why = ", came before with another result";
		break;
	case PB_TALLY_HASH:
		member = ".hash";
		why = ", came before with the same numbers and another hash: "
		      "two builds play it differently";
		break;
	case PB_TALLY_REFUSED:
		break;
	case PB_TALLY_NOMEM:
		return pb_error_nomem(bad, "result");
	}
	return pb_error_set(bad,
	    "result%s: trial %" PRIu64 " of seed %" PRIu64
	    ", player %s, round %d%s",
	    member, t->trial, t->seed, t->policy, t->round, why);
}

/* Whether the trial lacks the score that it is compared by. */
static bool
lacks_score(const struct pb_bench_results *p, const struct pb_rec_result *r)
{
	enum pb_measure m;

	if (p->o == NULL || !r->unscored)
		return false;
	m = pb_bench_by(p->o, r->trial.rules).measure;
	return m == PB_BY_SCORE || m == PB_BY_RANK;
}

/* Add one trial; false and bad filled in if it is refused. */
static bool
add(struct pb_bench_results *p, const struct pb_rec_result *r,
    struct pb_error *bad)
{
	enum pb_tally_add got = pb_tally_add(p->tally, &r->trial);

	p->fresh += got == PB_TALLY_ADDED;
	p->unscored += got == PB_TALLY_ADDED && lacks_score(p, r);
	p->again += got == PB_TALLY_AGAIN;
	return pb_bench_taken(got, &r->trial, bad);
}

static bool
take_line(
    struct pb_bench_results *p, const struct pb_line *l, struct pb_error *bad)
{
	struct pb_rec r;
	bool ok = true;

	if (l->len == 0)
		return true;
	if (!pb_rec_read(l->text, l->len, PB_REC_BIT(PB_REC_RESULT), &r, bad))
		return false;
	if (r.type == PB_REC_RESULT)
		ok = add(p, &r.result, bad);
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
	       (l->raw == l->len && !l->part &&
		   (is_open(l->text, n) || n < l->len));
}

/* A line that cannot be taken. Returns whether to go on. */
static bool
refuse_line(struct pb_bench_results *p, const struct pb_line *l,
    const struct pb_error *bad)
{
	bool torn = is_torn(l, bad);

	p->torn |= torn;
	if (torn && !p->strict) {
		pb_msg_warn(l->at, "the last line is cut; not counted");
		return true;
	}
	if (torn)
		pb_msg_refuse(l->at, "the last line is cut");
	else
		pb_msg_error_at(l->at, bad);
	return p->o != NULL && p->o->common.keep_going;
}

/*
 * A line that cannot be taken and of which the reader gave a part: whether it
 * is the last of its file shows in what comes next. A zeroed struct is none.
 */
struct held {
	struct pb_line line; /* its text is a copy, owned */
	struct pb_error bad;
};

static bool
hold(struct held *h, const struct pb_line *l, const struct pb_error *bad)
{
	char *copy = malloc(l->raw + 1);

	if (copy == NULL)
		return pb_msg_system("no memory");
	memcpy(copy, l->text, l->raw + 1);
	h->line = *l;
	h->line.text = copy;
	h->bad = *bad;
	return true;
}

/* next: what came behind it, NULL: nothing. Returns whether to go on. */
static bool
refuse_held(
    struct pb_bench_results *p, struct held *h, const struct pb_line *next)
{
	bool go_on = true;

	if (h->line.text == NULL)
		return true;
	h->line.part = next != NULL && next->at.file == h->line.at.file &&
	               next->at.line > h->line.at.line;
	go_on = refuse_line(p, &h->line, &h->bad);
	free(h->line.text);
	h->line.text = NULL;
	return go_on;
}

static bool
read_results(struct pb_bench_results *p, char *const *files, int n)
{
	struct pb_lines *in = pb_lines_new(files, n);
	enum pb_line_got got = PB_LINE_FAIL;
	struct held held = {.line = {0}};
	struct pb_line l;
	struct pb_error bad;
	bool ok = true;

	if (!in)
		pb_msg_system("no memory");
	while (in && ok && (got = pb_lines_next(in, &l, &bad)) != PB_LINE_END &&
	       got != PB_LINE_FAIL) {
		p->unended = l.raw == l.len;
		p->whole += p->unended ? 0 : (off_t)l.raw;
		ok = refuse_held(p, &held, &l);
		if (ok && (got != PB_LINE_TEXT || !take_line(p, &l, &bad)))
			ok = l.part ? hold(&held, &l, &bad)
			            : refuse_line(p, &l, &bad);
	}
	ok = refuse_held(p, &held, NULL) && ok;
	pb_lines_free(in);
	if (ok && p->again > 0)
		pb_msg_note("%llu result%s came again, with the same hash or "
			    "none: counted once",
		    p->again, p->again == 1 ? "" : "s");
	return ok && got != PB_LINE_FAIL;
}

static bool
fail_file(const struct pb_bench_resume *r, const char *what)
{
	return pb_msg_system("%s: %s", r->path, what);
}

static bool
refuse_file(const struct pb_bench_resume *r, const char *what)
{
	return pb_msg_refuse((struct pb_place){r->path, 0}, "%s", what);
}

/*
 * Nobody else may add to it: two runs would play the same trials. The lock
 * ends with the process, however it ends. flock() and not fcntl(), whose
 * locks end when a file is closed that was opened a second time to be read.
 */
static bool
lock(const struct pb_bench_resume *r)
{
	errno = 0;
	if (flock(r->fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (errno == EWOULDBLOCK) {
		errno = 0;
		return fail_file(r, "another run is adding to it");
	}
	pb_msg_warn((struct pb_place){r->path, 0},
	    "cannot be locked (%s): let no other run add to it",
	    strerror(errno));
	return true;
}

/* A device or a pipe has no end to add to, nor has compressed data. */
static bool
can_grow(const struct pb_bench_resume *r)
{
	unsigned char first = 0;
	struct stat st;

	if (fstat(r->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return refuse_file(r, "expected a regular file to resume from");
	if (pread(r->fd, &first, 1, 0) < 0)
		return fail_file(r, "cannot read");
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
mend_end(const struct pb_bench_resume *r, const struct pb_bench_results *in)
{
	size_t done;

	errno = 0;
	if (in->torn)
		return ftruncate(r->fd, in->whole) == 0 ||
		       fail_file(r, "cannot cut");
	return !in->unended || put_all(r->fd, "\n", 1, &done) ||
	       fail_file(r, "cannot write");
}

bool
pb_bench_resume_open(struct pb_bench_resume *r, const char *path)
{
	struct pb_bench_results in = {.tally = pb_tally_new()};
	char *name = (char *)path;

	*r =
	    (struct pb_bench_resume){.known = in.tally, .path = path, .fd = -1};
	errno = 0;
	if (!in.tally)
		return fail_file(r, "no memory");
	r->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (r->fd < 0)
		return fail_file(r, "cannot open");
	return can_grow(r) && lock(r) && read_results(&in, &name, 1) &&
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
pb_bench_resume_flush(struct pb_bench_resume *r)
{
	struct pb_text *o = &r->out;
	size_t done;
	off_t end;
	int e;

	if (o->failed) {
		errno = ENOMEM;
		return fail_file(r, "cannot write");
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
	return fail_file(r, "cannot write");
}

bool
pb_bench_resume_close(struct pb_bench_resume *r)
{
	bool ok = !r->path || pb_bench_resume_flush(r);

	errno = 0;
	if (r->path && r->fd >= 0 && close(r->fd) != 0 && ok)
		ok = fail_file(r, "cannot write");
	pb_text_clear(&r->out);
	pb_tally_free(r->known);
	*r = (struct pb_bench_resume){.path = NULL};
	return ok;
}

static void
warn_none(char *const *files, int n)
{
	bool in = n == 0 || strcmp(files[0], "-") == 0;

	if (n > 1)
		pb_msg_warn((struct pb_place){NULL, 0},
		    "no result records in %d files", n);
	else
		pb_msg_warn((struct pb_place){in ? "<stdin>" : files[0], 0},
		    "no result records");
}

bool
pb_bench_read(const struct pb_bench_opts *o, struct pb_tally *tally,
    char *const *files, int n)
{
	struct pb_bench_results in = {.tally = tally,
	    .o = o,
	    .strict = o->expect_text.n > 0 || o->baseline != NULL};
	bool ok = read_results(&in, files, n);

	if (ok && in.fresh + in.again == 0)
		warn_none(files, n);
	/* Where nobody has one and nobody asks for it, all are alike. */
	if (ok && in.unscored > 0 &&
	    (in.unscored < in.fresh || o->baseline != NULL ||
		o->by.measure != PB_BY_RULES))
		pb_msg_warn((struct pb_place){NULL, 0},
		    "%llu of %llu results have no score, by which they are "
		    "compared; it counts as 0",
		    in.unscored, in.fresh);
	return ok;
}

bool
pb_bench_one_build(const struct pb_tally *t, const char *file, bool gate)
{
	static const char differ[] =
	    "results of different builds, %016" PRIx64 " and %016" PRIx64
	    ", which are not to be compared";
	const struct pb_builds b = pb_tally_builds(t);
	const struct pb_place at = {file, 0};

	if (b.n < 2)
		return true;
	if (gate)
		return pb_msg_refuse(at, differ, b.build[0], b.build[1]);
	pb_msg_warn(at, differ, b.build[0], b.build[1]);
	return true;
}
