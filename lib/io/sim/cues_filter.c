/* cues_filter.c - from events to light, sound and motion, in a pipe. */
#include <math.h>

#include "io/file/filter.h"
#include "io/sim/cues.h"

static void
see(struct pb_filter *f, const struct pb_rec *r)
{
	struct pb_cues *c = f->user;

	/* Maps come first in what a game writes. */
	if (r->type == PB_REC_MAP || r->type == PB_REC_MAZE)
		pb_cues_restart(c);
	pb_cues_until(c, r->stamp.t);
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	(void)bad;
	see(f, r);
	pb_filter_pass(f);
	pb_cues_hear(f->user, r, f->line.at);
	return true;
}

void
pb_cues_filter(const struct pb_cues_opts *o, const struct pb_opt_common *common,
    char *const *files, int n)
{
	struct pb_cues c;
	struct pb_filter f = {.want = pb_cues_want(o),
	    .passes = true,
	    .common = common,
	    .take = take,
	    .see = see,
	    .user = &c};

	if (!pb_cues_begin(&c, o, NAN, &f.out))
		return;
	pb_filter_run(&f, files, n);
	pb_cues_finish(&c);
	pb_filter_clear(&f);
}
