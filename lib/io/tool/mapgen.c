/* mapgen.c - pb-mapgen: change, check, describe and write maps; make maps from
 * the poses and scans of a log. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "io/file/mapfile.h"
#include "io/file/filter.h"
#include "io/file/logfile.h"
#include "io/stream/file.h"
#include "io/stream/pace.h"
#include "io/stream/text.h"
#include "io/tool/mapgen.h"
#include "localize/traj.h"
#include "pb/plan_grid.h"
#include "pb/scan.h"

/* Print one line about cells: number, share, area. */
static void
print_cells(FILE *out, const char *key, const struct pb_map *m, size_t n)
{
	double share = 100.0 * (double)n / (double)pb_map_cells(m);

	fprintf(out, "%s: %zu cells, %.1f %%, %.2f m2\n", key, n, share,
	    (double)n * m->resolution * m->resolution);
}

static void
print_pieces(FILE *out, const struct pb_map *m, unsigned char *mask)
{
	struct pb_grid g;

	pb_mask_free(m, mask);
	if (pb_grid_init(&g, m->width, m->height, mask) != PB_OK)
		pb_msg_end_memory();
	fprintf(out, "pieces: %d", g.nparts);
	if (g.main >= 0)
		fprintf(out, ", largest %u cells, %.1f %% of free",
		    (unsigned)g.size[g.main],
		    100.0 * g.size[g.main] / (double)g.nfree);
	putc('\n', out);
	pb_grid_clear(&g);
}

static void
print_frame(FILE *out, const struct pb_map *m)
{
	char a[PB_NUM_MAX], b[PB_NUM_MAX], c[PB_NUM_MAX];

	fputs("name: ", out);
	pb_utf8_print(m->name, out);
	fprintf(out, "\nsize: %d x %d cells\n", m->width, m->height);
	pb_num_round(a, m->width * m->resolution);
	pb_num_round(b, m->height * m->resolution);
	pb_num_exact(c, m->resolution);
	fprintf(out, "extent: %s x %s m\nresolution: %s m\n", a, b, c);
	pb_num_exact(a, m->origin.x);
	pb_num_exact(b, m->origin.y);
	pb_num_exact(c, m->origin.th);
	fprintf(out, "origin: [%s, %s, %s]\n", a, b, c);
	if (m->deformation > 0)
		fprintf(out, "deformation: %.3f m\n", m->deformation);
}

/*
 * Print `key: value` lines: name, size, extent, resolution, origin, expected
 * deformation if known, numbers of free, occupied and unknown cells, pieces of
 * free space, hash. Cells of a piece are connected by steps to eight neighbours
 * that cut no corner.
 */
static void
print_counts(FILE *out, const struct pb_map *m)
{
	size_t free_cells = pb_map_free_cells(m), occupied = 0;
	size_t all = pb_map_cells(m);
	unsigned char *mask = pb_alloc(all, 1);

	for (size_t i = 0; i < all; i++)
		occupied += pb_cell_occupied(m->cell[i]);
	print_frame(out, m);
	print_cells(out, "free", m, free_cells);
	print_cells(out, "occupied", m, occupied);
	print_cells(out, "unknown", m, all - free_cells - occupied);
	print_pieces(out, m, mask);
	free(mask);
	fprintf(out, "hash: %016" PRIx64 "\n", pb_map_hash(m));
}

static void
print_finding(
    void *arg, const char *file, long line, const char *code, const char *text)
{
	const char *const part[] = {file, code, text};

	(void)arg;
	for (int i = 0; i < 3; i++) {
		pb_utf8_print(part[i], stdout);
		if (i == 0 && line > 0)
			printf(":%ld", line);
		fputs(i < 2 ? ": " : "\n", stdout);
	}
}

bool
pb_mapgen_lint(const char *name)
{
	if (pb_lint(name, print_finding, NULL) == 0)
		return true;
	pb_msg_status(PB_EXIT_REFUSED);
	return false;
}

static bool
report_status(enum pb_status st, const char *name)
{
	struct pb_error f;

	if (st == PB_OK)
		return true;
	pb_error_file_status(&f, name, st);
	return pb_msg_error(&f);
}

static bool
convert_to_map(const struct pb_mapgen_opts *o, struct pb_mapsource *p)
{
	struct pb_error f;

	return pb_mapsource_need_map(p, &o->made, &f) == 0 || pb_msg_error(&f);
}

static bool
convert_to_maze(
    const struct pb_mapgen_opts *o, const char *name, struct pb_mapsource *p)
{
	struct pb_error f;

	return pb_mapsource_need_maze(p, name, &o->made, &f) == 0 ||
	       pb_msg_error(&f);
}

static bool
changes_frame(const struct pb_mapgen_opts *o)
{
	const struct pb_mapfile_opts *file = &o->made.file;

	return file->resolution > 0 || file->has_origin || file->coarsen > 1 ||
	       o->merge.n > 0 || o->change.straighten || o->change.crop ||
	       o->change.trim;
}

/* Whether pb_mapgen_change() or --as would change the record of p. */
static bool
changes_map(const struct pb_mapgen_opts *o, const struct pb_mapsource *p)
{
	return o->name != NULL || changes_frame(o) ||
	       (o->as == PB_AS_MAP && !p->has_map) ||
	       (o->as == PB_AS_MAZE && !p->has_maze);
}

static bool
refuse_too_many(const char *name, long width, long height)
{
	char over[128];

	if (!pb_cells_over(width, height, over))
		return false;
	pb_msg_refuse((struct pb_place){name, 0}, "%s", over);
	return true;
}

/* Refuse a turn onto m's axes that needs too many cells. */
static bool
refuse_turned(const char *name, const struct pb_map *m)
{
	double c = fabs(cos(m->origin.th)), s = fabs(sin(m->origin.th));

	return refuse_too_many(name, lround(m->width * c + m->height * s),
	    lround(m->width * s + m->height * c));
}

/* Add the map of a file to m. */
static bool
merge_file(
    struct pb_map *m, const struct pb_mapfile_opts *how, const char *path)
{
	struct pb_mapfile_opts o = *how;
	struct pb_mapfile_notes notes;
	struct pb_map other, both;
	struct pb_error f;
	long width, height;
	bool ok;

	/* These options apply to the first map only. */
	o.resolution = 0;
	o.has_origin = false;
	o.coarsen = 0;
	if (pb_mapfile_read(path, &o, &other, &notes, &f) != 0)
		return pb_msg_error(&f);
	pb_mapsource_notes(path, &notes);
	pb_map_merged_size(m, &other, &width, &height);
	if (width > PB_MAP_SIDE || height > PB_MAP_SIDE)
		ok = pb_msg_refuse((struct pb_place){path, 0},
		    "the two maps together are more than %d cells a side",
		    PB_MAP_SIDE);
	else
		ok = !refuse_too_many(path, width, height) &&
		     report_status(pb_map_merge(m, &other, &both), path);
	pb_map_clear(&other);
	if (!ok)
		return false;
	pb_map_clear(m);
	*m = both;
	return true;
}

bool
pb_mapgen_change(
    const struct pb_mapgen_opts *o, const char *name, struct pb_mapsource *p)
{
	const struct pb_mapfile_opts *file = &o->made.file;
	struct pb_map coarse;
	enum pb_status st;

	if (o->name != NULL) {
		PB_REC_SET(p->map.name, o->name);
		PB_REC_SET(p->maze.name, o->name);
	}
	if (!changes_frame(o))
		return true;
	if (!convert_to_map(o, p))
		return false;
	p->has_maze = false;
	if (!p->notes.coarse && file->resolution > 0) {
		p->map.resolution = file->resolution;
		p->map.deformation = 0;
	}
	if (file->has_origin)
		p->map.origin = file->origin;
	if (!p->notes.coarse && file->coarsen > 1) {
		if (!report_status(
			pb_map_coarsen(&p->map, file->coarsen, &coarse), name))
			return false;
		pb_map_clear(&p->map);
		p->map = coarse;
	}
	for (int i = 0; i < o->merge.n; i++)
		if (!merge_file(&p->map, file, o->merge.arg[i]))
			return false;
	if (o->change.straighten && refuse_turned(name, &p->map))
		return false;
	st = pb_map_change(&p->map, &o->change);
	if (st != PB_ENOENT)
		return report_status(st, name);
	return pb_msg_refuse((struct pb_place){name, 0}, "%s",
	    o->change.crop ? "nothing of the map lies in the box of --crop"
			   : "all cells are unknown: nothing for --trim");
}

bool
pb_mapgen_given(const struct pb_mapgen_opts *o)
{
	return o->check || o->validate || o->tell || o->output != NULL;
}

static bool
check_rules(
    const struct pb_mapgen_opts *o, const char *name, struct pb_mapsource *p)
{
	struct pb_place at = {name, 0};
	struct pb_maze_fault broken;
	const char *text;

	if (!convert_to_maze(o, name, p))
		return false;
	if (pb_maze_rules(&p->maze, &broken))
		return true;
	text = pb_maze_rule_text(broken.rule);
	if (broken.row < 0 || broken.col < 0)
		return pb_msg_refuse(at, "rule %d: %s", broken.rule, text);
	return pb_msg_refuse(at, "rule %d: %s (%d, %d)", broken.rule, text,
	    broken.row, broken.col);
}

/* Whether p has a free cell. */
static bool
is_playable(const char *name, const struct pb_mapsource *p)
{
	if (p->has_map ? pb_map_free_cells(&p->map) > 0
		       : pb_maze_open_cells(&p->maze) > 0)
		return true;
	return pb_msg_refuse((struct pb_place){name, 0}, "no free cell");
}

static bool
save_map(const struct pb_map *m, const char *path)
{
	size_t lost = pb_mapfile_lost(path, m);
	struct pb_error f;

	if (pb_mapfile_write(path, m, &f) != 0)
		return pb_msg_error(&f);
	if (lost > 0)
		pb_msg_warn((struct pb_place){path, 0},
		    "this kind of file cannot keep the values of %zu cells",
		    lost);
	if (pb_file_has_suffix(path, ".png"))
		pb_msg_note(
		    "%s: writing the map, a pixel for each cell; --render "
		    "writes a picture",
		    path);
	return true;
}

static bool
save_board(const struct pb_maze *z, const char *path)
{
	struct pb_error f;

	return pb_boardfile_write(path, z, &f) == 0 || pb_msg_error(&f);
}

static bool
write_record(const struct pb_mapgen_opts *o, const char *name,
    struct pb_mapsource *p, struct pb_text *out)
{
	bool maze = o->as == PB_AS_MAZE || (o->as == PB_AS_AUTO && p->has_maze);

	if (maze ? !convert_to_maze(o, name, p) : !convert_to_map(o, p))
		return false;
	if (maze)
		pb_rec_put(out, PB_REC_MAZE, pb_stamp_none(), &p->maze);
	else
		pb_rec_put(out, PB_REC_MAP, pb_stamp_none(), &p->map);
	return true;
}

bool
pb_mapgen_do(const struct pb_mapgen_opts *o, const char *name,
    struct pb_mapsource *p, struct pb_text *out)
{
	if (o->check)
		return check_rules(o, name, p);
	if (o->validate)
		return is_playable(name, p);
	if (o->tell) {
		if (!convert_to_map(o, p))
			return false;
		print_counts(stdout, &p->map);
		return true;
	}
	if (o->output != NULL && pb_boardfile_writable(o->output))
		return convert_to_maze(o, name, p) &&
		       save_board(&p->maze, o->output);
	if (o->output != NULL)
		return convert_to_map(o, p) && save_map(&p->map, o->output);
	return write_record(o, name, p, out);
}

/* A stream being read. */
struct run {
	const struct pb_mapgen_opts *o;
	const char *name;
	bool any; /* a map or maze came */
};

/* Handle a map or maze of a stream; only the first is written to a file.
 * Refusals are printed; an empty error ends the loop. */
static bool
handle_record(struct pb_filter *f, struct pb_rec *rec, struct pb_error *bad)
{
	struct run *r = f->user;
	struct pb_mapsource p = {.has_map = rec->type == PB_REC_MAP,
	    .has_maze = rec->type == PB_REC_MAZE};
	bool ok = true;

	if (!p.has_map && !p.has_maze)
		return true;
	if (p.has_map) {
		p.map = rec->map;
		rec->map.cell = NULL;
	} else {
		p.maze = rec->maze;
	}
	bad->text[0] = '\0';
	if (f->passes && !changes_map(r->o, &p))
		pb_filter_pass(f);
	else if (!r->any || r->o->output == NULL)
		ok = pb_mapgen_change(r->o, r->name, &p) &&
		     pb_mapgen_do(r->o, r->name, &p, &f->out);
	r->any = true;
	pb_mapsource_clear(&p);
	return ok;
}

void
pb_mapgen_stream(const struct pb_mapgen_opts *o, char *operand,
    const struct pb_opt_common *common)
{
	const char *name = strcmp(operand, "-") == 0 ? "<stdin>" : operand;
	struct run r = {o, name, false};
	struct pb_filter f = {.want = o->validate ? PB_REC_ALL
	                                          : PB_REC_BIT(PB_REC_MAP) |
	                                                PB_REC_BIT(PB_REC_MAZE),
	    .passes = !pb_mapgen_given(o),
	    .common = common,
	    .take = handle_record,
	    .user = &r};
	bool ok = pb_filter_run(&f, &operand, 1);

	if (ok && !r.any && !f.passes)
		pb_msg_refuse((struct pb_place){name, 0},
		    "expected a map or maze record, got none");
}

/* A log being made into a map. */
struct growth {
	const struct pb_mapgen_log_opts *o;
	const struct pb_opt_common *common;
	const char *name; /* for messages */
	int from;         /* poses used: enum pb_pose_kind */
	struct pb_drive log;
	long seen;    /* scans in the stream, also unused ones */
	bool untimed; /* stamps are unusable: scans belong to the latest pose */
	struct pb_mapping mapping;
	struct pb_mapgen_way way; /* found by --slam */
	double deformation;       /* expected deformation (m), NAN: unknown */
	bool refused;             /* the map was refused */
	size_t repeated; /* scans ignored, as they repeat the previous one */
};

#define PB_PARAMS_OF struct pb_mapgen_log_opts

static const struct pb_param rows[] = {PB_REAL("gap", gap, "s", 0.5, 0, 1e6,
    "poses farther from a scan in time mean nothing")};

const struct pb_params pb_mapgen_log_params = PB_PARAMS(rows);

struct pb_mapgen_log_opts
pb_mapgen_log_defaults(void)
{
	return (struct pb_mapgen_log_opts){.body = "robot",
	    .gap = 0.5,
	    .ros = {.reader = PB_ROS_READER},
	    .slam = pb_slam_defaults(),
	    .mapping = pb_mapping_defaults()};
}

/* Round to float, like sensor_msgs/LaserScan, limits and ranges alike. */
static double
to_float(double range)
{
	return (double)(float)range;
}

/* Measure ranges from the robot's centre; "no return" and errors stay. */
static void
centre_scan(struct pb_scan *s)
{
	double *range = (double *)s->range;

	for (size_t i = 0; i < s->n; i++)
		range[i] =
		    to_float(range[i] > 0 ? range[i] + s->radius : range[i]);
	s->range_min = to_float(s->range_min + s->radius);
	s->range_max = to_float(s->range_max + s->radius);
	s->radius = 0;
}

/* Read the log; false: reading ended early, g has what came before. */
static bool
read_log(struct growth *g, const char *name)
{
	const struct pb_drivefile_opts o = {.id = g->o->body,
	    .want = PB_REC_BIT(PB_REC_POSE) | PB_REC_BIT(PB_REC_ODOM) |
	            PB_REC_BIT(PB_REC_SCAN),
	    .plain = PB_KIND(PB_POSE_TRUTH) | PB_KIND(PB_POSE_ESTIMATE),
	    .untimed = ~0u,
	    .scans = g->o->scans,
	    .common = g->common,
	    .ros = &g->o->ros};
	char *files[] = {(char *)name};
	bool ok = pb_drivefile_read(&g->log, &o, files, 1, &g->seen);
	bool odd = false;
	size_t seen = 0;
	struct pb_error why;

	for (size_t i = 0; i < g->log.scans; i++) {
		struct pb_drive_scan *s = &g->log.scan[i];

		if (!odd && (odd = pb_scan_odd(&s->scan, &why) != NULL))
			pb_msg_warn(
			    (struct pb_place){name, s->line}, "%s", why.text);
		seen += pb_scan_seen(&s->scan);
		centre_scan(&s->scan);
	}
	if (g->log.scans > 0 && seen == 0)
		return pb_msg_refuse((struct pb_place){name, 0},
		    "no beam of %zu scans has a range", g->log.scans);
	return ok;
}

/* The pose of the log at the time of scan i. */
static bool
find_pose(const struct growth *g, size_t i, int kind, struct pb_pose *pose)
{
	const struct pb_drive_scan *s = &g->log.scan[i];

	return pb_timed_find(&g->log.pose[kind], s->before[kind],
	    g->untimed ? NAN : s->t, g->o->gap, pose);
}

/* Usable scans of a log as arrays. */
struct arrays {
	size_t *of; /* index in the log */
	struct pb_scan *scan;
	struct pb_pose *odom, *found, *truth;
	size_t n;
};

static void
arrays_clear(struct arrays *a)
{
	free(a->of);
	free(a->scan);
	free(a->odom);
	free(a->found);
	free(a->truth);
}

/* A scanner hangs if a scan equals the last one although odometry has moved by
 * more than it drifts at rest (m, rad). */
#define REPEATED 0.05

/* Whether scan s repeats the last one. */
static bool
repeats_last(const struct arrays *a, const struct pb_scan *s)
{
	const struct pb_scan *last = &a->scan[a->n - 1];
	struct pb_pose p = a->odom[a->n - 1], q = a->odom[a->n];

	return s->n == last->n && pb_scan_seen(s) > 0 &&
	       memcmp(s->range, last->range, s->n * sizeof(*s->range)) == 0 &&
	       (pb_pose_dist(p, q) > REPEATED ||
		   fabs(pb_wrap(q.th - p.th)) > REPEATED);
}

/* Collect the scans with odometry that do not repeat the last one. */
static void
arrays_init(struct arrays *a, struct growth *g)
{
	size_t n = g->log.scans + 1;

	*a = (struct arrays){.of = pb_alloc(n, sizeof(*a->of)),
	    .scan = pb_alloc(n, sizeof(*a->scan)),
	    .odom = pb_alloc(n, sizeof(*a->odom)),
	    .found = pb_alloc(n, sizeof(*a->found)),
	    .truth = pb_alloc(n, sizeof(*a->truth))};
	for (size_t i = 0; i < g->log.scans; i++) {
		if (!find_pose(g, i, PB_POSE_ODOM, &a->odom[a->n]))
			continue;
		if (a->n > 0 && repeats_last(a, &g->log.scan[i].scan)) {
			g->repeated++;
			continue;
		}
		a->of[a->n] = i;
		a->scan[a->n++] = g->log.scan[i].scan;
	}
}

/* Compare the poses found with those of the log, if any; again after
 * alignment. */
static void
compare_poses(struct arrays *a, const struct growth *g)
{
	const struct pb_mapgen_log_opts *o = g->o;
	struct pb_pose shift;
	double d2 = 0, th2 = 0;
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		if (find_pose(g, a->of[i], g->from, &a->truth[n]))
			a->odom[n++] = a->found[i];
	if (n < 2 || g->from == PB_POSE_ODOM)
		return;
	shift = pb_traj_align(a->odom, a->truth, n);
	for (size_t i = 0; i < n; i++) {
		struct pb_pose p = pb_pose_compose(shift, a->odom[i]);
		double d = pb_pose_dist(p, a->truth[i]);
		double th = pb_wrap(p.th - a->truth[i].th);

		d2 += d * d;
		th2 += th * th;
	}
	pb_msg_note("slam: %s %zu poses of the log, off by %.3f m and %.2f deg "
		    "(root mean square)%s",
	    o->align ? "laid on" : "compared with", n, sqrt(d2 / (double)n),
	    sqrt(th2 / (double)n) * 180 / PB_PI,
	    o->align ? "" : "; --align lays the map on them");
	for (size_t i = 0; o->align && i < a->n; i++)
		a->found[i] = pb_pose_compose(shift, a->found[i]);
}

static bool
report_slam_failure(enum pb_status st, const char *name)
{
	struct pb_place at = {name, 0};

	if (st == PB_ESTOPPED)
		return false;
	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (st == PB_EEMPTY)
		return pb_msg_refuse(at, "no scan has odometry of its time");
	if (st == PB_ESIZE)
		return pb_msg_refuse(at,
		    "slam: a step of the odometry would need a search over "
		    "more than %d cells a side",
		    PB_MAP_SIDE);
	return pb_msg_refuse(at, "slam: %s", pb_status_text(st));
}

/* Print the quality of the map. */
static void
report_slam(const struct pb_slam_report *r, size_t scans)
{
	pb_msg_note("slam: %zu scans, %zu key scans, %zu without a match; "
		    "%zu steps that odometry contradicts",
	    scans, r->keys, r->lost, r->denied);
	pb_msg_note("slam: %zu piece%s; %zu loops, off by %.3f m at most; "
		    "%zu pairs",
	    r->pieces, r->pieces == 1 ? "" : "s", r->loops, r->loop_off,
	    r->pairs);
	pb_msg_note("slam: %zu of %zu pairs of scans contradict each other",
	    r->contradictions, r->compared);
	pb_msg_note("slam: expected deformation %.3f m (of %g m at most)",
	    r->deformation, PB_SLAM_DEFORMED);
}

/* Most share of steps that odometry contradicts: public logs have up to 0.06, a
 * robot that was carried and slid 0.41, a scanner that repeats scans for half
 * of the way 0.53. */
#define DENIED 0.5

/* Refuse a map that may be wrong. */
static bool
check_plausible(const char *name, const struct pb_slam_report *r, size_t scans)
{
	struct pb_place at = {name, 0};

	if (r->keys == 1 && scans > 1)
		return pb_msg_refuse(at,
		    "slam: all %zu scans are of one place, or repeat the "
		    "first; --force writes the map nevertheless",
		    scans);
	if (r->keys > 1 && r->lost + 1 >= r->keys && r->loops == 0)
		return pb_msg_refuse(at,
		    "slam: none of %zu key scans fits what was seen before "
		    "it; look at the units and the scanner's place; --force "
		    "writes the map by odometry alone",
		    r->keys);
	if (r->denied > DENIED * (double)r->keys)
		return pb_msg_refuse(at,
		    "slam: odometry contradicts %zu of %zu steps; look at "
		    "the wheels, the units of ranges, and whether the scans "
		    "change; --force writes the map nevertheless",
		    r->denied, r->keys);
	if (r->pieces > 1)
		return pb_msg_refuse(at,
		    "slam: the map falls into %zu pieces, and no match "
		    "connects them; --force connects them by odometry alone",
		    r->pieces);
	if (pb_slam_contradicts(r))
		return pb_msg_refuse(at,
		    "slam: %zu of %zu pairs of scans contradict each other "
		    "where they were put; --force writes the map nevertheless",
		    r->contradictions, r->compared);
	if (r->deformation > PB_SLAM_DEFORMED)
		return pb_msg_refuse(at,
		    "slam: expected deformation %.3f m, more than %g m; "
		    "drive loops, and past walls that differ; --force writes "
		    "the map nevertheless",
		    r->deformation, PB_SLAM_DEFORMED);
	return true;
}

static bool
show_progress(void *ctx, size_t done, size_t all)
{
	(void)all;
	pb_progress_show(ctx, done);
	return !pb_msg_stopped();
}

/*
 * Find the pose of each scan that fits best, from odometry and scans alone, and
 * report the quality; also the error, if the log has poses. Scans without
 * odometry get no pose.
 */
static bool
place_by_slam(struct growth *g)
{
	struct arrays a;
	struct pb_slam_report r = {0};
	struct pb_progress progress;
	struct pb_slam_opts o = g->o->slam;
	enum pb_status st;

	if (g->log.pose[PB_POSE_ODOM].n == 0)
		return pb_msg_refuse((struct pb_place){g->name, 0},
		    "slam: expected odometry, got none: matches of scans cannot be checked without; record odometry");
	arrays_init(&a, g);
	o.step = show_progress;
	o.ctx = &progress;
	pb_progress_start(&progress, "scans", a.n, g->common->quiet);
	st = pb_slam(
	    &o, (struct pb_pose){0, 0, 0}, a.scan, a.odom, a.n, a.found, &r);
	pb_progress_wipe(&progress);
	if (st == PB_OK) {
		report_slam(&r, a.n);
		compare_poses(&a, g);
		for (size_t i = 0; i < a.n; i++) {
			g->log.scan[a.of[i]].known = true;
			g->log.scan[a.of[i]].pose = a.found[i];
		}
		g->way = (struct pb_mapgen_way){a.found, a.n, r.mark, r.marks};
		g->deformation = r.deformation;
		a.found = NULL;
	}
	arrays_clear(&a);
	if (st != PB_OK)
		return report_slam_failure(st, g->name);
	g->refused =
	    !g->o->force && !check_plausible(g->name, &r, g->log.scans);
	if (g->refused && g->o->drawn)
		pb_msg_note("slam: the refused map is drawn, but not written");
	return !g->refused || g->o->drawn;
}

/* Write the poses as records with the source "estimate". */
static bool
save_poses(const struct growth *g, const char *path)
{
	struct pb_file file;
	struct pb_error f;
	struct pb_text out = {0};
	bool ok;

	if (pb_file_create(path, &file, &f) != 0)
		return pb_msg_error(&f);
	out.to = file.out;
	for (size_t i = 0; i < g->log.scans; i++) {
		const struct pb_drive_scan *s = &g->log.scan[i];

		if (s->known)
			pb_rec_put_pose(&out, pb_stamp_at(s->t, g->o->body),
			    s->pose, "estimate");
	}
	ok = pb_file_finish(&file, &f) == 0 || pb_msg_error(&f);
	pb_file_abandon(&file);
	pb_text_clear(&out);
	return ok;
}

/* Report why scan s could not be entered into the map. */
static void
refuse_scan(
    const struct growth *g, const struct pb_drive_scan *s, enum pb_status st)
{
	struct pb_place at = {g->name, s->line};
	struct pb_pose p = s->pose;

	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (st == PB_ESIZE)
		pb_msg_refuse(at,
		    "scan: with pose (%g, %g), a side of the map has more than "
		    "%d cells, or all of it more than --max-cells, %d",
		    p.x, p.y, PB_MAP_SIDE, pb_max_cells);
	else
		pb_msg_refuse(at, "scan: %s", pb_status_text(st));
}

static bool
enter_scans(struct growth *g)
{
	for (size_t i = 0; i < g->log.scans; i++) {
		const struct pb_drive_scan *s = &g->log.scan[i];
		enum pb_status st;

		if (!s->known)
			continue;
		st = pb_mapping_add(&g->mapping, s->pose, &s->scan);
		if (st == PB_OK)
			continue;
		refuse_scan(g, s, st);
		if (!g->common->keep_going)
			return false;
	}
	return true;
}

/* Give scans their poses; report missing ones. */
static bool
set_scan_poses(struct growth *g)
{
	const struct pb_mapgen_log_opts *o = g->o;
	struct pb_place at = {g->name, 0};
	struct pb_drive *log = &g->log;
	size_t lost = 0;

	if (log->scans == 0 && g->seen == 0)
		return pb_msg_refuse(at, "expected scan records, got none");
	if (log->scans == 0)
		return pb_msg_refuse(at,
		    "none of %ld scans is one of %s and taken by --scans",
		    g->seen, o->body);
	g->untimed = pb_drivefile_broken(
	    log, g->name, "each scan has the pose told last before it");
	if (!o->finds && !o->has_from && log->pose[o->from].n == 0 &&
	    log->pose[PB_POSE_ESTIMATE].n > 0) {
		g->from = PB_POSE_ESTIMATE;
		pb_msg_note("no true poses: using estimated ones, see --poses");
	}
	if (o->finds && !place_by_slam(g))
		return false;
	if (!o->finds)
		pb_drive_place(
		    log, (enum pb_pose_kind)g->from, !g->untimed, o->gap);
	for (size_t i = 0; i < log->scans; i++)
		lost += !log->scan[i].known;
	if (lost == log->scans)
		return pb_msg_refuse(at,
		    "none of %zu scans has a pose of %s (%s) within %g s", lost,
		    o->body, pb_pose_sources[g->from], o->gap);
	if (g->repeated > 0)
		pb_msg_warn(at,
		    "ignoring %zu of %zu scans that repeat the previous one "
		    "while odometry moves",
		    g->repeated, log->scans);
	lost -= g->repeated;
	if (lost > 0)
		pb_msg_warn(at,
		    "ignoring %zu of %zu scans without %s within %g s", lost,
		    log->scans, o->finds ? "odometry" : "pose", o->gap);
	return true;
}

/* Name the map after the file, without folder and suffixes. */
static void
name_map(struct pb_map *m, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dot;

	PB_REC_SET(m->name, slash != NULL ? slash + 1 : path);
	dot = strchr(m->name, '.');
	if (dot != NULL && dot > m->name)
		*dot = '\0';
}

static bool
make_map(struct growth *g, struct pb_map *m)
{
	enum pb_status st = pb_mapping_map(&g->mapping, m);
	struct pb_place at = {g->name, 0};

	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (st == PB_EEMPTY)
		return pb_msg_refuse(at,
		    "no beam of %zu scans has a usable range", g->log.scans);
	if (st == PB_ESIZE)
		return pb_msg_refuse(at,
		    "with its margin, a side of the map has more than %d "
		    "cells, or all of it more than --max-cells, %d",
		    PB_MAP_SIDE, pb_max_cells);
	if (st != PB_OK)
		return pb_msg_refuse(at, "%s", pb_status_text(st));
	if (g->name[0] != '<')
		name_map(m, g->name);
	m->deformation = isnan(g->deformation) ? 0 : g->deformation;
	return true;
}

void
pb_mapgen_way_clear(struct pb_mapgen_way *w)
{
	free(w->pose);
	free(w->mark);
	*w = (struct pb_mapgen_way){.n = 0};
}

bool
pb_mapgen_log(const struct pb_mapgen_log_opts *o, const char *name,
    const struct pb_opt_common *common, struct pb_map *m,
    struct pb_mapgen_way *way)
{
	struct growth g = {.o = o,
	    .from = o->from,
	    .common = common,
	    .name = strcmp(name, "-") == 0 ? "<stdin>" : name};
	struct pb_mapping_opts mapping = o->mapping;
	struct pb_map got = {0};
	bool ok;

	mapping.most = (size_t)pb_max_cells;
	if (pb_mapping_init(&g.mapping, &mapping) != PB_OK)
		return pb_msg_usage(
		    "constants of --from-log contradict each other; see --from-log --help constants");
	ok = (read_log(&g, name) || common->keep_going) && set_scan_poses(&g) &&
	     enter_scans(&g) && make_map(&g, &got) &&
	     (o->trajectory == NULL || g.refused ||
		 save_poses(&g, o->trajectory));
	if (ok) {
		*m = got;
		*way = g.way;
	} else {
		pb_map_clear(&got);
		pb_mapgen_way_clear(&g.way);
	}
	pb_drive_clear(&g.log);
	pb_mapping_clear(&g.mapping);
	return ok;
}
