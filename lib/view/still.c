/* still.c - a picture of records that are at hand. */
#include "view/still.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "view/scene_builder.h"
#include "view/term.h"

/* These records are ours: what is wrong is that memory has run out. */
static void
lack(const struct pb_bad *bad)
{
	if (!bad->system || !pb_msg_no_memory())
		pb_msg_note("%s", bad->text);
}

static void
feed(struct pb_scene_builder *f, const char *line, size_t n)
{
	struct pb_bad bad;
	struct pb_rec r;

	if (!pb_rec_read(line, n, pb_scene_wants, &r, &bad)) {
		lack(&bad);
		return;
	}
	if (!pb_scene_build(f, &r, &bad))
		lack(&bad);
	pb_rec_clear(&r);
}

/* The line at the beginning of s, without its end. */
static size_t
line_length(const char *s, size_t n)
{
	const char *end = memchr(s, '\n', n);

	return end != NULL ? (size_t)(end - s) : n - 1;
}

void
pb_still(const char *records, size_t n, FILE *f)
{
	struct pb_scene *s = calloc(1, sizeof(*s));
	struct pb_scene_builder *v = calloc(1, sizeof(*v));
	const struct pb_render_opts look = pb_render_defaults();
	struct pb_tty tty = pb_tty_of(&look, f);
	enum pb_status st = PB_ENOMEM;

	if (s != NULL && v != NULL) {
		v->scene = s;
		while (n > 0) {
			size_t len = line_length(records, n);

			feed(v, records, len);
			records += len + 1;
			n -= len + 1;
		}
		pb_scene_build_caption(v);
		st = pb_term_draw(s, &look, &tty, f);
		pb_scene_clear(s);
	}
	if (st == PB_ENOMEM) {
		errno = ENOMEM;
		pb_msg_system("no picture");
	} else if (st != PB_OK)
		pb_msg_note("no picture: %s", pb_status_text(st));
	free(s);
	free(v);
}
