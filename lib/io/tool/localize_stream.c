/* localize_stream.c - where a robot is, told in a stream of records. */
#include "io/tool/localize_stream.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/log/tum.h"
#include "io/stream/fault.h"
#include "io/stream/file.h"
#include "io/stream/filter.h"

/* A stream that is being read. */
struct run {
	const struct pb_localize_stream_opts *o;
	struct pb_localize z;
	struct pb_text held; /* wait: lines before the first pose */
	bool came;           /* wait: the pose */
	struct pb_file file; /* of tum */
	struct pb_text tum;
};

static bool
is_robot(const struct run *r, const struct pb_rec *rec)
{
	return rec->stamp.id[0] == '\0' ||
	       strcmp(rec->stamp.id, r->o->loc.id) == 0 ||
	       strcmp(rec->stamp.id, "truth") == 0;
}

/* The start-up utility: the pose that the others wait for. */
static bool
take_wait(struct pb_filter *f, struct pb_rec *rec, struct pb_bad *bad)
{
	struct run *r = f->user;
	const char *status = rec->pose.status;

	(void)bad;
	pb_filter_pass(f);
	if (r->came || !is_robot(r, rec) ||
	    strcmp(rec->pose.source, "truth") == 0 ||
	    (*status != '\0' && strcmp(status, "tracking") != 0))
		return true;
	r->came = true;
	pb_filter_release(f);
	pb_text_clear(&r->held);
	return true;
}

static bool
take_convert(struct pb_filter *f, struct pb_rec *rec, struct pb_bad *bad)
{
	struct run *r = f->user;

	(void)bad;
	pb_filter_pass(f);
	if (r->o->tum != NULL && rec->type == PB_REC_POSE && is_robot(r, rec) &&
	    strcmp(rec->pose.source, "truth") == 0 && isfinite(rec->stamp.t))
		pb_tum_put(&r->tum, rec->stamp.t,
		    (struct pb_pose){
			rec->pose.x, rec->pose.y, rec->pose.theta});
	return true;
}

static bool
take(struct pb_filter *f, struct pb_rec *rec, struct pb_bad *bad)
{
	struct run *r = f->user;
	struct pb_belief b;

	if (!pb_localize_take(&r->z, rec, f->line.at, bad))
		return false;
	if (!r->z.replaced)
		pb_filter_pass(f);
	if (!r->z.due)
		return true;
	pb_localize_answer(&r->z, &b);
	pb_localize_write(&r->z, &b, &f->out);
	if (r->o->tum != NULL && b.n > 0 && isfinite(r->z.t))
		pb_tum_put(&r->tum, r->z.t, b.at[0].pose);
	return true;
}

static bool
open_tum(struct run *r)
{
	struct pb_fault f;

	if (r->o->tum == NULL)
		return true;
	if (pb_file_create(r->o->tum, &r->file, &f) != 0) {
		pb_fault_say(&f);
		return false;
	}
	r->tum.to = r->file.out;
	return true;
}

/* The file appears whole, or not at all. */
static void
close_tum(struct run *r, bool whole)
{
	struct pb_fault f;

	if (r->o->tum == NULL)
		return;
	if (whole && r->tum.failed) {
		errno = 0;
		pb_msg_system("%s: cannot write", r->o->tum);
	} else if (whole && (pb_file_sync(&r->file, &f) != 0 ||
				pb_file_commit(&r->file, &f) != 0)) {
		pb_fault_say(&f);
	}
	pb_file_abandon(&r->file);
	pb_text_clear(&r->tum);
}

static void
finish(struct run *r, char *const *files, int n)
{
	bool in = n == 0 || strcmp(files[0], "-") == 0;
	struct pb_place at = {in ? "<stdin>" : files[0], 0};

	if (pb_msg_worst() != PB_EXIT_OK || r->o->convert)
		return;
	if (!r->o->wait)
		pb_localize_end(&r->z, at);
	else if (!r->came)
		pb_msg_refuse(
		    at, "expected a pose of %s, got none", r->o->loc.id);
}

void
pb_localize_stream(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n)
{
	struct run r = {.o = o};
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE) |
	            PB_REC_BIT(PB_REC_POSE) | PB_REC_BIT(PB_REC_ODOM) |
	            PB_REC_BIT(PB_REC_SCAN) | PB_REC_BIT(PB_REC_FIX) |
	            PB_REC_BIT(PB_REC_BELIEF),
	    .passes = true,
	    .scans = o->scans,
	    .common = common,
	    .take = o->convert ? take_convert : take,
	    .user = &r};
	bool ok;

	pb_localize_init(&r.z, &o->loc);
	if (o->wait) {
		f.want = PB_REC_BIT(PB_REC_POSE);
		f.take = take_wait;
		f.into = &r.held;
	}
	f.out.to = stdout;
	ok = open_tum(&r) &&
	     (o->map == NULL || pb_localize_load(&r.z, o->map, &f.out)) &&
	     pb_filter_run(&f, files, n);
	if (ok)
		finish(&r, files, n);
	close_tum(&r, ok);
	pb_filter_clear(&f);
	pb_localize_clear(&r.z);
	pb_text_clear(&r.held);
}
