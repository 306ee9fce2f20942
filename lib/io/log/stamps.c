/* stamps.c - what is wrong with the stamps of records, for people. */
#include "io/log/stamps.h"

#include <stdarg.h>
#include <stdio.h>

/* A string that is being put together; what does not fit is left out. */
struct string {
	char *s;
	size_t n, size;
};

static void
put(struct string *o, const char *format, ...)
{
	va_list v;
	int n;

	va_start(v, format);
	n = vsnprintf(o->s + o->n, o->size - o->n, format, v);
	va_end(v);
	if (n > 0)
		o->n +=
		    (size_t)n < o->size - o->n ? (size_t)n : o->size - o->n - 1;
}

const char *
pb_stamps_text(
    const struct pb_stamps *s, const char *what, char *out, size_t size)
{
	struct string o = {out, 0, size};

	put(&o, "of %zu stamps of %s", s->n, what);
	if (s->repeated > 0)
		put(&o, ", %zu come again", s->repeated);
	if (s->back > 0)
		put(&o, ", %zu go back by up to %g s", s->back, s->late);
	if (s->missing > 0)
		put(&o, ", %zu are missing", s->missing);
	if (s->jump > 0)
		put(&o, ", one jumps ahead by %g s", s->jump);
	return out;
}
