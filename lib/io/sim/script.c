/* script.c - moves out of streams, in place of a player. */
#include "io/sim/script.h"

#include <string.h>

#include "io/file/filter.h"
#include "io/play/program.h"

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	const struct pb_script *s = f->user;
	const char *id = r->stamp.id;
	int d;

	if (*id != '\0' && strcmp(id, s->who) != 0)
		return pb_error_set(bad,
		    "%s: expected one of %s, got one of \"%s\"",
		    pb_rec_name(r->type), s->who, id);
	if (r->type == PB_REC_JOY) {
		f->stop = !s->joy(s->game, r->stamp.t, &r->joy);
		return true;
	}
	if ((d = pb_move_dir(&r->move, bad)) < 0)
		return false;
	f->stop = !s->play(s->game, (enum pb_dir)d);
	return true;
}

bool
pb_script_play(const struct pb_script *s, char *const *files, int n,
    const struct pb_opt_common *common)
{
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_MOVE) |
	                              (s->joy ? PB_REC_BIT(PB_REC_JOY) : 0),
	    .common = common,
	    .take = take,
	    .user = (void *)s};
	bool ok = pb_filter_run(&f, files, n);

	pb_filter_clear(&f);
	return ok;
}
