/* fault.c - why a file was refused, to be told by whoever asked for it. */
#include "io/stream/fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void
copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from != NULL ? from : "");
}

int
pb_fault_set(struct pb_fault *f, const char *file, long line, const char *field,
    const char *format, ...)
{
	va_list ap;

	if (f == NULL)
		return -1;
	*f = (struct pb_fault){.line = line};
	copy(f->file, sizeof(f->file), file);
	copy(f->field, sizeof(f->field), field);
	va_start(ap, format);
	vsnprintf(f->text, sizeof(f->text), format, ap);
	va_end(ap);
	return -1;
}

/* A name that leads nowhere is the caller's; a full table is the system's. */
static bool
is_about_name(int e)
{
	return e == ENOENT || e == EACCES || e == EISDIR || e == ENOTDIR ||
	       e == ELOOP || e == ENAMETOOLONG;
}

int
pb_fault_sys(struct pb_fault *f, const char *file, const char *what)
{
	int e = errno;

	pb_fault_set(f, file, 0, NULL, "%s: %s", what, strerror(e));
	if (f != NULL) {
		f->missing = e == ENOENT;
		f->system = !is_about_name(e);
		f->memory = e == ENOMEM;
	}
	return -1;
}

int
pb_fault_status(
    struct pb_fault *f, const char *file, const char *field, enum pb_status st)
{
	pb_fault_set(f, file, 0, field, "%s", pb_status_text(st));
	if (f != NULL)
		f->system = f->memory = st == PB_ENOMEM;
	return -1;
}

int
pb_fault_nomem(struct pb_fault *f, const char *file)
{
	return pb_fault_status(f, file, NULL, PB_ENOMEM);
}

void
pb_fault_say(const struct pb_fault *f)
{
	struct pb_place at = {f->file[0] != '\0' ? f->file : NULL, f->line};

	if (f->memory && pb_msg_no_memory())
		return;
	/* The text of a system's fault ends with errno's already. */
	if (f->system)
		pb_msg_status(PB_EXIT_SYSTEM);
	pb_msg_refuse(
	    at, "%s%s%s", f->field, f->field[0] != '\0' ? ": " : "", f->text);
}

bool
pb_bad_fault(struct pb_bad *bad, const struct pb_fault *f)
{
	char line[24] = "";

	if (f->line > 0)
		snprintf(line, sizeof(line), "%ld: ", f->line);
	pb_bad_set(bad, "%.120s%s%s%s%s%.160s", f->file,
	    f->file[0] == '\0' ? ""
	    : f->line > 0      ? ":"
			       : ": ",
	    line, f->field, f->field[0] != '\0' ? ": " : "", f->text);
	bad->system = f->memory;
	bad->disk = f->system && !f->memory;
	return false;
}
