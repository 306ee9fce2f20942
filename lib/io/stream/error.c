/* error.c - why something was refused, to be told by whoever asked for it. */
#include "io/stream/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Nothing but a text; names are written by those who know them. */
static void
set(struct pb_error *e, const char *fmt, va_list ap)
{
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	e->kind = PB_ERROR_REFUSED;
	e->file[0] = e->field[0] = '\0';
	e->line = 0;
}

bool
pb_error_set(struct pb_error *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(e, fmt, ap);
	va_end(ap);
	return false;
}

bool
pb_error_nomem(struct pb_error *e, const char *what)
{
	pb_error_set(e, "%s: out of memory", what);
	e->kind = PB_ERROR_MEMORY;
	return false;
}

bool
pb_error_status(struct pb_error *e, const char *what, enum pb_status st)
{
	if (st == PB_ENOMEM)
		return pb_error_nomem(e, what);
	return pb_error_set(e, "%s: %s", what, pb_status_text(st));
}

int
pb_error_file(struct pb_error *e, const char *file, long line,
    const char *field, const char *fmt, ...)
{
	va_list ap;

	if (e == NULL)
		return -1;
	va_start(ap, fmt);
	set(e, fmt, ap);
	va_end(ap);
	if (field != NULL)
		snprintf(e->field, sizeof(e->field), "%s", field);
	return pb_error_at(e, file, line);
}

/* A name that leads nowhere is the caller's; a full table is the system's. */
static enum pb_error_kind
kind_of(int e)
{
	if (e == ENOENT)
		return PB_ERROR_MISSING;
	if (e == ENOMEM)
		return PB_ERROR_MEMORY;
	if (e == EACCES || e == EISDIR || e == ENOTDIR || e == ELOOP ||
	    e == ENAMETOOLONG)
		return PB_ERROR_REFUSED;
	return PB_ERROR_SYSTEM;
}

int
pb_error_errno(struct pb_error *e, const char *file, const char *what)
{
	int err = errno;

	pb_error_file(e, file, 0, NULL, "%s: %s", what, strerror(err));
	if (e != NULL)
		e->kind = kind_of(err);
	return -1;
}

int
pb_error_write(struct pb_error *e, const char *file)
{
	pb_error_errno(e, file, "cannot write");
	if (e != NULL && e->kind != PB_ERROR_MEMORY)
		e->kind = PB_ERROR_SYSTEM;
	return -1;
}

int
pb_error_file_status(struct pb_error *e, const char *file, enum pb_status st)
{
	pb_error_file(e, file, 0, NULL, "%s", pb_status_text(st));
	if (e != NULL && st == PB_ENOMEM)
		e->kind = PB_ERROR_MEMORY;
	return -1;
}

int
pb_error_file_nomem(struct pb_error *e, const char *file)
{
	return pb_error_file_status(e, file, PB_ENOMEM);
}

int
pb_error_at(struct pb_error *e, const char *file, long line)
{
	if (e == NULL)
		return -1;
	snprintf(e->file, sizeof(e->file), "%s", file != NULL ? file : "");
	e->line = line;
	return -1;
}
