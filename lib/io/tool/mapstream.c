/* mapstream.c - the maps and mazes of a stream, changed, checked or written. */
#include "io/tool/mapstream.h"

#include <string.h>

#include "io/stream/filter.h"

/* A stream that is being read. */
struct run {
	const struct pb_mapverb_opts *o;
	const char *name;
	bool any; /* a map or maze was met */
};

/* A map or maze of a stream; of several, the first is written to a file. */
static bool
take_map(struct pb_filter *f, struct run *r, struct pb_mapmade *p)
{
	const struct pb_mapverb_opts *v = r->o;

	if (f->passes && !pb_mapverb_changes(v, p)) {
		pb_filter_pass(f);
		return true;
	}
	if (r->any && v->output != NULL)
		return true;
	return pb_mapverb_change(v, r->name, p) &&
	       pb_mapverb_do(v, r->name, p, &f->out);
}

/* What a verb refuses was said; an empty complaint ends the loop. */
static bool
take(struct pb_filter *f, struct pb_rec *rec, struct pb_bad *bad)
{
	struct run *r = f->user;
	struct pb_mapmade p = {.has_map = rec->type == PB_REC_MAP,
	    .has_maze = rec->type == PB_REC_MAZE};
	bool ok;

	if (!p.has_map && !p.has_maze)
		return true;
	if (p.has_map) {
		p.map = rec->map;
		rec->map.cell = NULL;
	} else {
		p.maze = rec->maze;
	}
	bad->text[0] = '\0';
	ok = take_map(f, r, &p);
	r->any = true;
	pb_mapmade_clear(&p);
	return ok;
}

void
pb_mapstream(const struct pb_mapverb_opts *o, char *operand,
    const struct pb_opt_common *common)
{
	const char *name = strcmp(operand, "-") == 0 ? "<stdin>" : operand;
	struct run r = {o, name, false};
	struct pb_filter f = {.want = o->validate ? PB_REC_ALL
	                                          : PB_REC_BIT(PB_REC_MAP) |
	                                                PB_REC_BIT(PB_REC_MAZE),
	    .passes = !pb_mapverb_given(o),
	    .common = common,
	    .take = take,
	    .user = &r};
	bool ok = pb_filter_run(&f, &operand, 1);

	pb_filter_clear(&f);
	if (ok && !r.any && !f.passes)
		pb_msg_refuse((struct pb_place){name, 0},
		    "expected a map or maze record, got none");
}
