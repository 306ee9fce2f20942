/* resume.c - a file of results that grows until a benchmark is complete. */
#include "io/bench/resume.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "io/msg.h"
#include "io/bench/results.h"

static bool
fail(const char *path, const char *what)
{
	pb_msg_system("%s: %s", path, what);
	return false;
}

/* Length of the file up to the end of its last whole line. */
static bool
whole_lines(FILE *f, off_t *len)
{
	off_t at = 0;
	int c;

	*len = 0;
	while ((c = getc(f)) != EOF) {
		at++;
		if (c == '\n')
			*len = at;
	}
	return !ferror(f);
}

/* A device or a pipe has no end to add to. */
static bool
is_regular(FILE *f)
{
	struct stat st;

	return fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode);
}

/* Cut a torn last line off and stand at the end. */
static bool
cut_tail(FILE *f, const char *path)
{
	off_t len, all;

	errno = 0;
	if (!whole_lines(f, &len))
		return fail(path, "cannot read");
	all = ftello(f);
	if (all > len) {
		pb_msg_warn((struct pb_place){path, 0},
		    "its last line is cut; it is taken off");
		if (ftruncate(fileno(f), len) != 0)
			return fail(path, "cannot cut");
	}
	if (fseeko(f, len, SEEK_SET) != 0)
		return fail(path, "cannot seek");
	return true;
}

bool
pb_resume_open(struct pb_resume *r, const char *path)
{
	struct pb_results in = {.tally = pb_tally_new()};
	char *name = (char *)path;

	*r = (struct pb_resume){.known = in.tally};
	errno = 0;
	if (!in.tally)
		return fail(path, "no memory");
	r->file = fopen(path, "r+");
	if (!r->file && errno == ENOENT)
		r->file = fopen(path, "w+");
	if (!r->file)
		return fail(path, "cannot open");
	if (!is_regular(r->file)) {
		pb_msg_refuse((struct pb_place){path, 0},
		    "expected a regular file to resume from");
		return false;
	}
	r->out.to = r->file;
	return cut_tail(r->file, path) && pb_results_read(&in, &name, 1);
}

bool
pb_resume_flush(struct pb_resume *r)
{
	if (!r->file)
		return true;
	errno = 0;
	if (fflush(r->file) == 0 && !r->out.failed)
		return true;
	return fail("--resume", "cannot write");
}

bool
pb_resume_close(struct pb_resume *r)
{
	bool ok = pb_resume_flush(r);

	errno = 0;
	if (r->file && fclose(r->file) != 0 && ok)
		ok = fail("--resume", "cannot write");
	pb_text_clear(&r->out);
	pb_tally_free(r->known);
	*r = (struct pb_resume){.file = NULL};
	return ok;
}
