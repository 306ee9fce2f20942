/* drivefile.c - logs of a robot's poses and scans, read whole. */
#include "io/file/drivefile.h"

#include <math.h>
#include <string.h>

#include "io/file/logfile.h"
#include "io/stream/msg.h"

const char *const pb_pose_sources[] = {[PB_POSE_TRUTH] = "truth",
    [PB_POSE_ESTIMATE] = "estimate",
    [PB_POSE_ODOM] = "odom",
    [PB_POSE_PLAIN] = ""};

/* A log being read. */
struct reading {
	const struct pb_drivefile_opts *o;
	struct pb_drive *d;
};

/* The kinds of pose, or of scan, that a record is, as set of PB_KIND(). */
static unsigned
kinds_of(const struct pb_drivefile_opts *o, const struct pb_rec *r)
{
	if (r->type == PB_REC_SCAN)
		return PB_KIND(PB_POSE_KINDS);
	if (r->type == PB_REC_ODOM)
		return PB_KIND(PB_POSE_ODOM);
	if (r->pose.source[0] == '\0')
		return o->plain;
	for (int k = 0; k < PB_POSE_ODOM; k++)
		if (strcmp(r->pose.source, pb_pose_sources[k]) == 0)
			return PB_KIND(k);
	return 0;
}

static int
status_of(const struct pb_rec_pose *p)
{
	for (int s = PB_LOC_LOST; s <= PB_LOC_TRACKING; s++)
		if (strcmp(p->status,
			pb_loc_status_text((enum pb_loc_status)s)) == 0)
			return s;
	return PB_TRAJ_SILENT;
}

/* An odometry record, or a pose and what it claims of itself. */
static struct pb_timed
pose_of(const struct pb_rec *r)
{
	const struct pb_rec_pose *p = &r->pose;
	struct pb_timed x = {.t = r->stamp.t};

	if (r->type == PB_REC_ODOM) {
		x.p = (struct pb_pose){r->odom.x, r->odom.y, r->odom.theta};
		return x;
	}
	x.p = (struct pb_pose){p->x, p->y, p->theta};
	x.status = status_of(p);
	for (int i = 0; i < 3; i++)
		x.sigma[i] = p->has_cov ? sqrt(p->cov[i][i]) : NAN;
	return x;
}

static enum pb_status
add(struct pb_drive *d, unsigned kinds, const struct pb_rec *r,
    struct pb_line l)
{
	struct pb_timed x = pose_of(r);
	enum pb_status st = PB_OK;

	x.file = l.at.file;
	x.told = d->pose[PB_POSE_TRUTH].n;
	for (int k = 0; st == PB_OK && k < PB_POSE_KINDS; k++) {
		if (!(kinds & PB_KIND(k)))
			continue;
		if (k == PB_POSE_PLAIN && r->pose.no_theta)
			x.p.th = NAN;
		st = pb_timed_add(&d->pose[k], x);
	}
	return st;
}

static enum pb_status
add_scan(struct pb_drive *d, const struct pb_rec *r, long line)
{
	const struct pb_scan z = pb_rec_as_scan(&r->scan);
	enum pb_status st = pb_drive_add_scan(d, r->stamp.t, &z);

	if (st == PB_OK)
		d->scan[d->scans - 1].line = line;
	return st;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	const struct reading *g = f->user;
	unsigned kinds = kinds_of(g->o, r);
	enum pb_status st;

	if (kinds == 0 || !pb_filter_is_of(r, g->o->id))
		return true;
	if (!isfinite(r->stamp.t) && (kinds & ~g->o->untimed))
		return pb_error_set(bad, "%s.t: expected a number, got nothing",
		    pb_rec_name(r->type));
	if (g->o->headed && r->type == PB_REC_POSE && r->pose.no_theta)
		return pb_error_set(
		    bad, "pose.theta: expected a number, got nothing");
	st = r->type == PB_REC_SCAN ? add_scan(g->d, r, f->line.at.line)
	                            : add(g->d, kinds, r, f->line);
	if (st != PB_OK)
		pb_msg_end_memory();
	return true;
}

bool
pb_drivefile_read(struct pb_drive *d, const struct pb_drivefile_opts *o,
    char *const *files, int n, long *seen)
{
	struct reading g = {o, d};
	struct pb_filter f = {.want = o->want,
	    .scans = o->scans,
	    .common = o->common,
	    .ros = o->ros,
	    .take = take,
	    .user = &g};
	bool ok = pb_filter_run(&f, files, n);

	if (seen != NULL)
		*seen = f.scan;
	return ok;
}

bool
pb_drivefile_broken(
    const struct pb_drive *d, const char *name, const char *remedy)
{
	struct pb_stamps s = {.n = 0};
	char text[160];

	if (d->scans > 0 && pb_stamps_judge(&d->scan->t, sizeof(*d->scan),
				d->scans, &s) != PB_OK)
		pb_msg_end_memory();
	/* Scans without any stamp need no word of it. */
	if (!s.broken || s.missing == s.n)
		return false;
	pb_msg_warn((struct pb_place){name, 0}, "%s; %s",
	    pb_stamps_text(&s, text, sizeof(text)), remedy);
	return true;
}
