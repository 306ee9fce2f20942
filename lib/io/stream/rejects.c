/* rejects.c - the file of the lines that were refused (--rejects). */
#include "io/stream/rejects.h"

#include <errno.h>
#include <zlib.h>

#include "io/stream/file.h"

/* gzwrite counts in unsigned int. */
#define PIECE ((size_t)1 << 30)

bool
pb_rejects_open(struct pb_rejects *r, const char *name)
{
	*r = (struct pb_rejects){.name = name};
	if (name == NULL)
		return true;
	errno = 0;
	if (pb_file_is_gzip(name))
		r->gz = gzopen(name, "wb");
	else
		r->out = fopen(name, "w");
	if (r->gz != NULL || r->out != NULL)
		return true;
	return pb_msg_system("%s: cannot create", name);
}

static void
put(struct pb_rejects *r, const char *s, size_t n)
{
	if (r->out != NULL) {
		r->failed |= fwrite(s, 1, n, r->out) != n;
		return;
	}
	for (size_t some; n > 0; s += some, n -= some) {
		some = n < PIECE ? n : PIECE;
		r->failed |= gzwrite(r->gz, s, (unsigned)some) <= 0;
	}
}

void
pb_rejects_put(struct pb_rejects *r, const struct pb_line *l)
{
	if ((r->out == NULL && r->gz == NULL) || l->raw == 0)
		return;
	put(r, l->text, l->raw);
	if (l->text[l->raw - 1] != '\n')
		put(r, "\n", 1);
}

void
pb_rejects_close(struct pb_rejects *r)
{
	errno = 0;
	if (r->out != NULL)
		r->failed |= fclose(r->out) != 0;
	if (r->gz != NULL)
		r->failed |= gzclose(r->gz) != Z_OK;
	if (r->failed)
		pb_msg_system("%s: cannot write", r->name);
	*r = (struct pb_rejects){.name = NULL};
}
