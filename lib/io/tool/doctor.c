/* doctor.c - find problems of a recording that make localization fail. */
#include "io/tool/localize.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/hash.h"
#include "io/file/filter.h"
#include "io/file/logfile.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "io/stream/text.h"
#include "localize/trial.h"
#include "localize/wheels.h"
#include "pb/localizer.h"

/* --- findings --- */

enum severity { ERROR, WARNING, NOTE };

struct finding {
	enum severity severity;
	long line; /* 0: none */
	const char *code;
	char text[480];
};

#define FINDINGS_MOST 500

/* --- statistics of the recording --- */

/* Most values of a list; parts of a recording may be endless. */
#define LIST_MOST 1000000

static void
add_value(struct pb_wheels_list *l, double v)
{
	if (l->n == LIST_MOST || !isfinite(v))
		return;
	if (!pb_wheels_add(l, v))
		pb_msg_end_memory();
}

static double
find_quantile(struct pb_wheels_list *l, double p)
{
	return pb_wheels_quantile(l, 1, p);
}

/* A topic of ROS, or records of a type. Times since the first (s). */
struct topic {
	const char *name, *type; /* of its row in the survey */
	char frame[PB_ROS_NAME]; /* of the first message */
	enum pb_rec_type kind;   /* scan, odom, or another */
	enum pb_ros_rank rank;   /* of scans and odometry */
	bool read;               /* its type is supported */
	long line;               /* of the first message */
	long n;
	double first, last; /* stamp, else log time; NAN: none */
	long back, again;   /* stamps before, or equal to, the previous one */
	long strange;       /* messages with another frame than the first */
	double most_back;   /* longest step back (s) */
	struct pb_wheels_list step;  /* from stamp to stamp (s) */
	double gap, gap_at;          /* longest step, and its begin (s) */
	struct pb_wheels_list late;  /* from stamp to log time (s) */
	struct pb_wheels_list apart; /* to the last of odometry (s) */
	long flat;                   /* quaternions of zeros */
	long empty;                  /* scans without return */
	long odd;             /* scans with wrong numbers: of the first ... */
	const char *odd_code; /* ... its code and explanation */
	struct pb_error odd_why;
	double beams, hits, beyond; /* all, with a return, beyond range_max */
	double longest;             /* greatest range of the last scan (m) */
	double sum;                 /* of ranges, in whatever unit */
	struct pb_rec_scan scan;    /* the first, without its ranges */
};

/* Most topics listed one by one. */
#define TOPICS_MOST 500

/* Localization on a map, to see whether it fits. */
struct fitting {
	struct pb_map map;            /* owned */
	const struct pb_localizer *m; /* method; NULL: no map */
	void *known, *mem;            /* of the method, owned */
	long scans, tracking;
	struct pb_wheels_list fit; /* share of beams explained, of each scan */
	double usual;              /* median of fit */
	bool alone;                /* without odometry */
};

/* Scans kept for second passes: most scans, most ranges in all, and interval
 * (s). */
#define KEPT_MOST   300
#define KEPT_RANGES 1000000
#define KEPT_STEP   0.2

/* The most frequent short range of a beam (m), by Boyer and Moore's majority
 * vote: votes counts scans with it minus others. */
struct near {
	double range;
	long votes;
};

/* Wrong units that ranges may have. */
static const struct unit {
	const char *name;
	double metres;
} units[] = {{"feet", 0.3048}, {"inches", 0.0254}, {"centimetres", 0.01},
    {"millimetres", 0.001}};
#define UNITS (sizeof(units) / sizeof(*units))

struct doctor {
	const char *file;
	const struct pb_opt_list *named; /* topics to be used */
	struct finding finding[FINDINGS_MOST];
	int findings;
	bool error;                /* some finding is an error */
	struct pb_ros_survey rows; /* names and types of topics */
	struct topic topic[TOPICS_MOST];
	int topics;
	struct topic *scan, *wheels; /* topics used, NULL: none */
	char no_mount[PB_ROS_NAME];  /* frame of scans without a transform */
	bool ros;                    /* messages of ROS came */
	bool zeroed;                 /* zero is set */
	int64_t zero;                /* time 0 (ns) */
	bool has_map;                /* a map came, with map_hash */
	bool map_ends;               /* ignore further maps */
	uint64_t map_hash;
	struct pb_pose odom, mount;
	double odom_t, way;
	double beside,
	    mirrored; /* sideways motion in all, and if y were mirrored */
	long odoms, scans, fixes, jumps;
	double jump_at, jump_most;
	uint64_t hash;            /* hash of the last new scan's ranges ... */
	struct pb_pose hash_odom; /* ... and odometry then */
	long frozen;              /* scans equal to the previous one */
	struct near *near;        /* of each beam of the first scan, owned */
	size_t beams;             /* of these */
	struct {
		size_t n, first, last; /* number, first, last beam that see the
		                          robot itself */
		double far;            /* ... no farther than this (m) */
	} body;
	struct pb_drive kept;    /* scans with odometry poses */
	size_t ranges;           /* in kept */
	const struct unit *unit; /* of ranges, NULL: metres */
	bool unusable;           /* scans or clocks are wrong */
	bool fitted;             /* the map fits */
	struct pb_wheels steps;
	struct pb_wheels_report wheel; /* result of steps */
	struct fitting fit;
};

/* Add a finding about a topic (NULL: none), whose name and line come first. */
PB_PRINTF(5, 6)
static void
add_finding(struct doctor *d, const struct topic *t, enum severity severity,
    const char *code, const char *format, ...)
{
	struct finding *f;
	va_list ap;
	size_t n = 0;

	if (d->findings == FINDINGS_MOST)
		return;
	d->error |= severity == ERROR;
	f = &d->finding[d->findings++];
	*f = (struct finding){severity, t != NULL ? t->line : 0, code, ""};
	if (t != NULL)
		n = (size_t)snprintf(
		    f->text, sizeof(f->text), "%.99s: ", t->name);
	va_start(ap, format);
	vsnprintf(f->text + n, sizeof(f->text) - n, format, ap);
	va_end(ap);
}

/* Print the findings by severity, else in their order. */
static void
print_findings(const struct doctor *d)
{
	static const char *const name[] = {"error", "warning", "note"};

	for (int s = ERROR; s <= NOTE; s++) {
		for (int i = 0; i < d->findings; i++) {
			const struct finding *f = &d->finding[i];

			if ((int)f->severity != s)
				continue;
			pb_utf8_print(d->file, stdout);
			if (f->line > 0)
				printf(":%ld", f->line);
			printf(": %s: %s: ", name[s], f->code);
			pb_utf8_print(f->text, stdout);
			putchar('\n');
		}
	}
	if (d->error)
		pb_msg_status(PB_EXIT_REFUSED);
}

/* --- topics --- */

/* The topic of that name, added if new. NULL: too many. */
static struct topic *
find_topic(struct doctor *d, const char *name, const char *type)
{
	const struct pb_ros_count *c = pb_ros_survey_row(&d->rows, name, type);
	long i = c != NULL ? c - d->rows.at : TOPICS_MOST;

	if (i >= TOPICS_MOST)
		return NULL;
	if (i == d->topics)
		d->topic[d->topics++] = (struct topic){.name = c->name,
		    .type = c->type,
		    .first = NAN,
		    .last = NAN};
	return &d->topic[i];
}

static double
to_seconds(struct doctor *d, int64_t t)
{
	if (t == PB_ROS_NEVER)
		return NAN;
	if (!d->zeroed)
		d->zero = t;
	d->zeroed = true;
	return 1e-9 * ((double)t - (double)d->zero);
}

/* Use the topic with the best rank, of equals the first. */
static void
use_topic(struct topic **used, struct topic *t)
{
	if (*used == NULL || (*used)->rank < t->rank)
		*used = t;
}

/* Count a message by stamp and log time; NAN: unknown. */
static void
count_message(
    struct doctor *d, struct topic *t, double stamp, double logged, long line)
{
	double at = isnan(stamp) ? logged : stamp, step = at - t->last;

	if (t->n++ == 0) {
		t->line = line;
		if (t->kind == PB_REC_ODOM)
			use_topic(&d->wheels, t);
		if (t->kind == PB_REC_SCAN)
			use_topic(&d->scan, t);
	}
	if (isnan(at))
		return;
	if (isnan(t->first))
		t->first = at;
	t->last = at;
	if (isnan(stamp))
		return;
	add_value(&t->late, logged - stamp);
	if (d->wheels != NULL && t->kind == PB_REC_SCAN)
		add_value(&t->apart, d->wheels->last - stamp);
	t->again += step == 0;
	t->back += step < 0;
	t->most_back = fmax(t->most_back, -step);
	if (step > 0)
		add_value(&t->step, step);
	if (step > t->gap) {
		t->gap = step;
		t->gap_at = at - step;
	}
}

static void
check_scan(struct topic *t, const struct pb_rec_scan *c)
{
	const struct pb_scan z = pb_rec_as_scan(c);
	size_t hits = pb_scan_seen(&z);
	struct pb_error why;
	const char *odd = pb_scan_odd(&z, &why);

	if (t->n == 1) {
		t->scan = *c;
		t->scan.range = NULL;
	}
	/* Codes for "no return" are equal in each scan. */
	if (odd == NULL && hits == 0 && c->longest >= PB_SCAN_FAR &&
	    c->longest != t->longest) {
		odd = "millimetres";
		pb_error_set(&why,
		    "scan.ranges: up to %g m, and none below range_max, %g; "
		    "expected are metres; divide by 1000 if these are "
		    "millimetres, by 100 if centimetres",
		    c->longest, c->range_max);
	}
	t->longest = c->longest;
	if (odd != NULL && t->odd++ == 0) {
		t->odd_code = odd;
		t->odd_why = why;
	}
	for (size_t i = 0; i < c->n; i++) {
		t->sum += isfinite(c->range[i]) ? fmax(c->range[i], 0) : 0;
		t->beyond += isfinite(c->range[i]) &&
		             c->range[i] < PB_SCAN_FAR &&
		             c->range[i] > c->range_max;
	}
	t->beams += (double)c->n;
	t->hits += (double)hits;
	t->empty += hits == 0;
}

static void
count_zero_quaternion(struct topic *t, const struct pb_ros_pose *p)
{
	double x = p->orientation.x, y = p->orientation.y;
	double z = p->orientation.z, w = p->orientation.w;

	t->flat += x * x + y * y + z * z + w * w < 1e-6;
}

/* Inspect a message of ROS before it becomes a record. */
static void
hear_message(void *user, const struct pb_ros_heard *from, const char *type,
    const struct pb_ros_message *m)
{
	struct doctor *d = user;
	struct topic *t = find_topic(d, from->topic, type);
	enum pb_ros_role role = PB_ROLE_NONE;
	double logged = to_seconds(d, from->logged), stamp = NAN;

	d->ros = true;
	if (t == NULL)
		return;
	if (m != NULL)
		role = pb_ros_role_of(m->type, from->topic);
	t->read = role != PB_ROLE_NONE;
	t->kind = role == PB_ROLE_SCAN   ? PB_REC_SCAN
	          : role == PB_ROLE_ODOM ? PB_REC_ODOM
	                                 : PB_REC_OTHER;
	if (t->kind != PB_REC_OTHER) {
		t->rank = pb_ros_rank_of(d->named, role, from->topic);
		/* Scans and odometry begin with a header. */
		stamp = to_seconds(d, m->scan.header.stamp);
		if (t->n == 0)
			PB_REC_SET(t->frame, m->scan.header.frame);
		t->strange += strcmp(t->frame, m->scan.header.frame) != 0;
	}
	count_message(d, t, stamp, logged, from->line);
	if (role == PB_ROLE_SCAN) {
		const struct pb_ros_scan *s = &m->scan;
		const struct pb_rec_scan c = {s->angle_min, s->angle_increment,
		    s->angle_max, s->range_min, s->range_max, 0, {0, 0, 0},
		    s->range, s->n, 0};

		check_scan(t, &c);
	} else if (role == PB_ROLE_ODOM) {
		count_zero_quaternion(t, &m->odometry.pose);
	} else if (role == PB_ROLE_TF) {
		for (size_t i = 0; i < m->tf.n; i++)
			count_zero_quaternion(t, &m->tf.transform[i].transform);
	}
}

/* --- records --- */

/* Steps of odometry beyond these are jumps (m/s, m). */
#define SPEED_MOST 5
#define JUMP_LEAST 0.5

static void
add_odom(struct doctor *d, const struct pb_rec_odom *o, double t)
{
	struct pb_pose p = {o->x, o->y, o->theta};
	double way = pb_pose_dist(d->odom, p), dt = t - d->odom_t;

	if (d->odoms++ > 0) {
		double x = p.x - d->odom.x, y = p.y - d->odom.y;
		double s = pb_sin(p.th), c = pb_cos(p.th);

		d->way += way;
		d->beside += fabs(y * c - x * s);
		d->mirrored += fabs(y * c + x * s);
		if (way > JUMP_LEAST && way > SPEED_MOST * dt) {
			if (d->jumps++ == 0)
				d->jump_at = t;
			d->jump_most = fmax(d->jump_most, way);
		}
	}
	d->odom = p;
	d->odom_t = t;
}

/* Beyond this motion between two scans, their ranges must differ (m, rad). */
#define MOVED 0.02

/* Whether a scan repeats the previous one although the robot moved. */
static bool
is_frozen(struct doctor *d, const struct pb_scan *z)
{
	uint64_t hash =
	    pb_hash_bytes(PB_HASH_START, z->range, z->n * sizeof(*z->range));
	bool same = hash == d->hash && pb_scan_seen(z) > 0;

	if (!same)
		d->hash_odom = d->odom;
	d->hash = hash;
	d->frozen += same && (d->odoms == 0 ||
				 pb_pose_dist(d->hash_odom, d->odom) > MOVED ||
				 fabs(d->hash_odom.th - d->odom.th) > MOVED);
	return same;
}

/* Ranges of a beam below BODY_REACH that vary by less than BODY_VARIES may show
 * the robot itself (m). */
#define BODY_REACH  1.0
#define BODY_VARIES 0.03

static void
count_near(struct doctor *d, const struct pb_scan *z)
{
	if (d->near == NULL) {
		d->near = pb_alloc(z->n + 1, sizeof(*d->near));
		d->beams = z->n;
	}
	for (size_t i = 0; i < z->n && z->n == d->beams; i++) {
		struct near *b = &d->near[i];
		double r =
		    pb_scan_beam(z, i) == PB_BEAM_HIT ? z->range[i] : INFINITY;

		if (fabs(r - b->range) < BODY_VARIES)
			b->votes++;
		else if (b->votes > 0)
			b->votes--;
		else if (r < BODY_REACH)
			*b = (struct near){r, 1};
	}
}

static void
keep_scan(struct doctor *d, const struct pb_scan *z, double t)
{
	struct pb_drive *k = &d->kept;

	if (k->scans == KEPT_MOST || d->ranges + z->n > KEPT_RANGES ||
	    (k->scans > 0 && fabs(t - k->scan[k->scans - 1].t) < KEPT_STEP))
		return;
	if (pb_drive_add_scan(k, t, z) != PB_OK)
		pb_msg_end_memory();
	k->scan[k->scans - 1].pose = d->odom;
	d->ranges += z->n;
}

/* Pass a scan to the method. */
static void
fit_scan(struct fitting *f, const struct pb_scan *z)
{
	struct pb_belief b;

	f->m->scan(f->mem, f->known, z);
	f->m->estimate(f->mem, f->known, &b);
	f->scans++;
	f->tracking += b.status == PB_LOC_TRACKING;
	add_value(&f->fit, b.n > 0 ? b.fit : NAN);
}

static void
add_scan(struct doctor *d, const struct pb_scan *z, double t)
{
	struct pb_error why;
	const char *odd = pb_scan_odd(z, &why);

	if (d->scans++ == 0)
		d->mount = z->mount;
	if (is_frozen(d, z) || (odd != NULL && strcmp(odd, "millimetres") != 0))
		return;
	keep_scan(d, z, t);
	if (odd != NULL)
		return;
	count_near(d, z);
	if (d->odoms > 0 && pb_wheels_scan(&d->steps, d->odom, t, z) != PB_OK)
		pb_msg_end_memory();
	if (d->fit.m != NULL)
		fit_scan(&d->fit, z);
}

static void
clear_fitting(struct fitting *f)
{
	if (f->known != NULL)
		f->m->forget(f->known);
	free(f->mem);
	free(f->fit.at);
	pb_map_clear(&f->map);
	*f = (struct fitting){.m = NULL};
}

static const struct pb_loc_start anywhere = {
    .kind = PB_LOC_ANYWHERE, .seed = 1};

/* Begin to localize anywhere on the map, which is moved out of m. */
static bool
begin_map(struct doctor *d, struct pb_map *m, struct pb_error *bad)
{
	struct fitting *f = &d->fit;
	const struct pb_localizer *l = pb_localizer_for(PB_LOC_ON_MAP);
	const struct pb_loc_world w = {.map = &f->map, .stop = pb_pace_over};
	void *opts = pb_alloc(1, l->opts_size);
	enum pb_status st;

	f->map = *m;
	*m = (struct pb_map){.cell = NULL};
	pb_localizer_defaults(l, opts);
	st = l->learn(l, &w, opts, &f->known);
	free(opts);
	if (st != PB_OK)
		return pb_error_status(bad, "map", st);
	f->m = l;
	f->mem = pb_alloc(1, pb_localizer_memory(l, f->known));
	l->reset(f->mem, f->known, &anywhere);
	if (d->odoms > 0)
		l->predict(f->mem, f->known, d->odom);
	return true;
}

/* Use the map of -m, else that of the recording unless it changes. */
static bool
use_map(struct doctor *d, struct pb_map *m, struct pb_error *bad)
{
	uint64_t hash = pb_map_hash(m);
	bool other = d->has_map && hash != d->map_hash;

	if (d->map_ends || (d->has_map && !other))
		return true;
	d->has_map = true;
	d->map_hash = hash;
	if (!other && begin_map(d, m, bad))
		return true;
	clear_fitting(&d->fit);
	d->map_ends = true;
	if (other)
		add_finding(d, NULL, NOTE, "map",
		    "the recording has several maps, as of SLAM; whether one "
		    "fits is told with -m");
	else if (d->file != NULL)
		add_finding(d, NULL, WARNING, "map",
		    "%s, in the recording; give one by -m", bad->text);
	return other || d->file != NULL;
}

/* Count a record as a message of its type if no messages come. */
static void
count_record(struct doctor *d, const struct pb_rec *r, long line)
{
	const char *of = r->type == PB_REC_POSE ? r->pose.source : "";
	struct topic *t = find_topic(d, pb_rec_name(r->type), of);

	if (t == NULL)
		return;
	t->read = true;
	t->kind = r->type;
	count_message(
	    d, t, r->type == PB_REC_POSE ? NAN : r->stamp.t, NAN, line);
	if (r->type == PB_REC_SCAN)
		check_scan(t, &r->scan);
}

static bool
inspect_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct doctor *d = f->user;
	struct pb_scan z;

	if (!pb_filter_is_of(r, "robot"))
		return true;
	if (!d->ros && r->type != PB_REC_MAP)
		count_record(d, r, f->line.at.line);
	if (r->type == PB_REC_MAP && r->stamp.id[0] == '\0')
		return use_map(d, &r->map, bad);
	d->fixes += r->type == PB_REC_FIX;
	if (r->type == PB_REC_ODOM) {
		add_odom(d, &r->odom, r->stamp.t);
		if (d->fit.m != NULL)
			d->fit.m->predict(d->fit.mem, d->fit.known, d->odom);
	} else if (r->type == PB_REC_SCAN) {
		z = pb_rec_as_scan(&r->scan);
		add_scan(d, &z, r->stamp.t);
	}
	return true;
}

/* --- second passes over the scans --- */

/* Scans, and way of the robot, that should suffice to find its place. */
#define FIT_SCANS 20
#define FIT_WAY   5 /* (m) */
/* Bounds on the median share of beams explained: logs have 0.88 to 0.98 on
 * their own map, 0.1 to 0.6 on others. */
#define FIT_RIGHT 0.75
#define FIT_WRONG 0.65
/* Bounds on the share of scans with a known place: wrong and right map. */
#define KNOWN_LEAST 0.1
#define KNOWN_MOST  0.5

/* Share of scans in which the place is known. */
static double
find_known_share(const struct fitting *f)
{
	return (double)f->tracking / fmax(1, (double)f->scans);
}

/* Whether the map fits; sets f->usual. */
static bool
map_fits(struct fitting *f)
{
	f->usual = find_quantile(&f->fit, 0.5);
	return find_known_share(f) >= KNOWN_MOST && f->usual >= FIT_RIGHT;
}

/* Fewer beams than this that see the robot itself are chance. */
#define BODY_BEAMS 3

/* Whether a beam sees the robot: 0.8 more votes for its range than against,
 * nine of ten scans. */
static bool
is_body(const struct doctor *d, size_t i)
{
	return i < d->beams &&
	       (double)d->near[i].votes > 0.8 * (double)(d->scans - d->frozen);
}

static void
find_body(struct doctor *d)
{
	if (d->scans < FIT_SCANS || d->way < FIT_WAY)
		return;
	for (size_t i = 0; i < d->beams; i++) {
		if (!is_body(d, i))
			continue;
		d->body.first = d->body.n++ == 0 ? i : d->body.first;
		d->body.last = i;
		d->body.far = fmax(d->body.far, d->near[i].range);
	}
	if (d->body.n < BODY_BEAMS)
		d->body.n = 0;
}

/* A kept scan in metres, without beams that see the robot itself. */
static struct pb_scan
make_kept_scan(const struct doctor *d, size_t i, double unit, double *range)
{
	struct pb_scan z = d->kept.scan[i].scan;

	for (size_t b = 0; b < z.n; b++)
		range[b] =
		    d->body.n > 0 && is_body(d, b) ? -1 : unit * z.range[b];
	z.range = range;
	z.range_min *= unit;
	z.range_max *= unit;
	return z;
}

static struct pb_wheels_report
judge_wheels(const struct doctor *d, double unit, double *range)
{
	struct pb_wheels w = {.has_key = false};
	struct pb_wheels_report r;

	for (size_t i = 0; i < d->kept.scans && d->odoms > 0; i++) {
		const struct pb_drive_scan *k = &d->kept.scan[i];
		const struct pb_scan z = make_kept_scan(d, i, unit, range);

		if (pb_wheels_scan(&w, k->pose, k->t, &z) != PB_OK)
			pb_msg_end_memory();
	}
	r = pb_wheels_diagnose(&w);
	pb_wheels_clear(&w);
	return r;
}

/* Whether the kept scans fit the map without odometry. */
static bool
fit_without_odom(struct doctor *d, double unit, double *range)
{
	struct fitting *f = &d->fit;

	f->scans = f->tracking = 0;
	f->fit.n = 0;
	f->alone = true;
	f->m->reset(f->mem, f->known, &anywhere);
	for (size_t i = 0; i < d->kept.scans; i++) {
		const struct pb_scan z = make_kept_scan(d, i, unit, range);

		fit_scan(f, &z);
	}
	return map_fits(f);
}

/* Reject units that make the mean range smaller than this (m). */
#define RANGE_LEAST 0.5

/* Find the unit in which ranges fit odometry, or the map. */
static void
find_unit(struct doctor *d, bool by_map, double *range)
{
	const struct topic *t = d->scan;
	const struct fitting was = d->fit;
	struct pb_wheels_report r = d->wheel;

	for (size_t i = 0; i < UNITS && d->unit == NULL && t != NULL; i++) {
		double metres = units[i].metres;

		if (!(metres * t->sum / t->hits >= RANGE_LEAST))
			continue;
		if (!by_map)
			r = judge_wheels(d, metres, range);
		if (by_map ? fit_without_odom(d, metres, range)
			   : r.fault == PB_WHEELS_RIGHT) {
			d->unit = &units[i];
			d->wheel = r;
			return;
		}
	}
	d->fit.scans = was.scans;
	d->fit.tracking = was.tracking;
	d->fit.usual = was.usual;
}

/*
 * Find out whether odometry is right, and whether the map fits with it; if
 * neither, or if odometry jumps, whether the map fits without odometry; if not,
 * whether ranges have another unit.
 */
static void
run_second_passes(struct doctor *d)
{
	double *range = pb_alloc(KEPT_RANGES, sizeof(*range));
	bool mapped = d->fit.m != NULL, right;

	find_body(d);
	d->wheel = d->body.n > 0 ? judge_wheels(d, 1, range)
	                         : pb_wheels_diagnose(&d->steps);
	right = d->wheel.fault == PB_WHEELS_RIGHT;
	d->fitted =
	    mapped && (map_fits(&d->fit) || ((!right || d->jumps > 0) &&
						fit_without_odom(d, 1, range)));
	if (!right && !d->fitted) {
		find_unit(d, false, range);
		if (d->unit != NULL)
			d->fitted = mapped &&
			            fit_without_odom(d, d->unit->metres, range);
		else if (mapped)
			find_unit(d, true, range);
		d->fitted |=
		    d->unit != NULL && d->wheel.fault != PB_WHEELS_RIGHT;
	}
	free(range);
}

/* --- checks that report findings --- */

static void
check_units(struct doctor *d, const struct topic *t)
{
	const struct pb_rec_scan *c = &t->scan;
	double span = c->angle_increment * (double)(c->n > 0 ? c->n - 1 : 0);
	double off = fabs(c->angle_min + span - c->angle_max);
	double inc = fabs(c->angle_increment);

	if (d->unit != NULL)
		add_finding(d, t, ERROR, d->unit->name,
		    "ranges are in %s: times %g they fit %s; multiply them by "
		    "it, and range_min and range_max unless these are metres",
		    d->unit->name, d->unit->metres,
		    d->wheel.fault == PB_WHEELS_RIGHT ? "odometry" : "the map");
	else if (t->odd > t->n / 2)
		add_finding(d, t, ERROR, t->odd_code, "%s", t->odd_why.text);
	else if (t->beyond > t->hits / 2) {
		d->unusable = true;
		add_finding(d, t, WARNING, "range-max",
		    "%.0f %% of ranges are not below range_max, %g, and are no "
		    "returns; write the scanner's true range_max, and both in "
		    "metres",
		    100 * t->beyond / t->hits, c->range_max);
	}
	if (t->odd == 0 && off > inc / 2 + 1e-6)
		add_finding(d, t, off > 1.5 * inc + 1e-6 ? WARNING : NOTE,
		    "angle-max",
		    "angle_max is %g, but %zu ranges end at %g; "
		    "angle_increment is used: check that it is right",
		    c->angle_max, c->n, c->angle_min + span);
}

/* Shares from which on a finding is reported. */
#define EMPTY_SOME  0.1
#define FROZEN_SOME 0.2
#define LOST_MOST   0.65 /* of beams */
#define LOST_ALL    0.95 /* of beams: an error */

static void
check_scans(struct doctor *d, const struct topic *t)
{
	const struct pb_rec_scan *c = &t->scan;
	double n = (double)t->n, lost = 1 - t->hits / fmax(1, t->beams);

	if (d->frozen > FROZEN_SOME * (double)d->scans && d->scans > 10)
		add_finding(d, t,
		    d->frozen > d->scans / 2 && d->odoms > 0 ? ERROR : WARNING,
		    "frozen",
		    "%ld of %ld scans repeat the previous one%s; check the "
		    "driver",
		    d->frozen, d->scans,
		    d->odoms > 0 ? "" : ", unless the robot stood then");
	if (t->odd > t->n / 2 || d->unit != NULL)
		; /* already reported */
	else if ((double)t->empty > EMPTY_SOME * n)
		add_finding(d, t, t->empty > t->n / 2 ? ERROR : WARNING,
		    "no-return",
		    "%ld of %ld scans have no return; look at the scanner, "
		    "its cable, power and driver, and at range_max, %g",
		    t->empty, t->n, c->range_max);
	else if (lost > LOST_MOST)
		add_finding(d, t, lost > LOST_ALL ? ERROR : WARNING,
		    "no-return",
		    "%.0f %% of beams have no return; unless all else is out "
		    "of the scanner's range, clean it and look at its driver",
		    100 * lost);
	if (t->strange > 0)
		add_finding(d, t, WARNING, "frames",
		    "%ld of %ld scans are of another frame than \"%.80s\"; "
		    "record each scanner by a topic of its own",
		    t->strange, t->n, t->frame);
	if (d->body.n > 0)
		add_finding(d, t, WARNING, "body",
		    "%zu of %zu beams, from %.2f to %.2f rad, see the robot "
		    "itself, up to %.2f m away in all of the drive; drop them "
		    "by a filter, or write a range_min beyond it",
		    d->body.n, d->beams,
		    c->angle_min + (double)d->body.first * c->angle_increment,
		    c->angle_min + (double)d->body.last * c->angle_increment,
		    d->body.far);
	check_units(d, t);
}

/* A gap has this many median steps, and this length (s). */
#define GAP_STEPS 10
#define GAP_LEAST 2

/* Longest usual time between two messages (s). */
#define STEP_MOST 2

/* Least share of repeated stamps that is reported. */
#define AGAIN_SOME 0.3

static void
check_clock(struct doctor *d, struct topic *t)
{
	double usual = find_quantile(&t->step, 0.5);
	bool worse = t->most_back > 1 || (double)t->back > 0.1 * (double)t->n;

	if (t->back > 0)
		add_finding(d, t, worse ? WARNING : NOTE, "stamps-back",
		    "%ld of %ld stamps are before the last, by %.6g s at most; "
		    "look for two publishers, a clock that was set, or a "
		    "recording that was played again",
		    t->back, t->n, t->most_back);
	if (t->n > 2 && (double)t->again > AGAIN_SOME * (double)t->n)
		add_finding(d, t, WARNING, "stamps-again",
		    "%ld of %ld stamps are those of the message before; stamp "
		    "each message with the time of its measurement, and record "
		    "it once",
		    t->again, t->n);
	if (usual > STEP_MOST)
		add_finding(d, t, WARNING, "slow",
		    "a message comes each %.6g s; record all of them, or "
		    "divide stamps by 1000 if they are in milliseconds",
		    usual);
	if (t->gap > GAP_LEAST && t->gap > GAP_STEPS * usual)
		add_finding(d, t, NOTE, "gap",
		    "no message for %.6g s from %.3f s on, usual are %.3g s; "
		    "if the robot drove then, look at the network and the load "
		    "while recording",
		    t->gap, t->gap_at, usual);
}

/* Differences between stamps of scans and odometry: reported, an error, and
 * another clock (s). */
#define APART_SOME 0.3
#define APART_MOST 2
#define APART_UNIT 86400

static void
check_clocks(struct doctor *d, struct topic *scan, struct topic *odom)
{
	double apart = find_quantile(&scan->apart, 0.5);
	double far = fabs(apart) - 2 * find_quantile(&odom->step, 0.5);
	double lap =
	    fmin(scan->last, odom->last) - fmax(scan->first, odom->first);

	if (fmax(scan->most_back, odom->most_back) > APART_MOST)
		return; /* already reported */
	if (far > APART_UNIT)
		add_finding(d, scan, ERROR, "clocks",
		    "stamps are of another clock or unit than those of %.99s: "
		    "from start-up, of a simulation, or in milliseconds; stamp "
		    "both with the time of day",
		    odom->name);
	else if (far > APART_SOME || lap < -APART_MOST)
		add_finding(d, scan,
		    far > APART_MOST || lap < 0 ? ERROR : WARNING, "clocks",
		    "stamps, from %.3f to %.3f s, are %.3g s %s those of "
		    "%.99s, from %.3f to %.3f s; set the clocks of both "
		    "computers (chrony), or stamp by one",
		    scan->first, scan->last, fabs(apart),
		    apart > 0 ? "earlier than" : "later than", odom->name,
		    odom->first, odom->last);
}

static void
describe_topic(struct doctor *d, struct topic *t)
{
	double span = t->last - t->first, late = find_quantile(&t->late, 0.5);
	char rate[80] = "", frame[100] = "", clock[80] = "";

	if (span > 0)
		snprintf(rate, sizeof(rate), ", %.3g a second for %.4g s",
		    (double)(t->n - 1) / span, span);
	if (t->frame[0] != '\0')
		snprintf(frame, sizeof(frame), ", frame \"%.80s\"", t->frame);
	if (!isnan(late))
		snprintf(clock, sizeof(clock), ", stamped %.3g s %s logged",
		    fabs(late), late < 0 ? "after" : "before");
	add_finding(d, t, NOTE, "topic", "%.99s%s%ld message%s%s%s%s", t->type,
	    t->type[0] != '\0' ? ", " : "", t->n, t->n == 1 ? "" : "s", rate,
	    frame, clock);
}

/* --- wheels --- */

static const struct {
	const char *code, *advice;
} wheels_faults[] = {
    [PB_WHEELS_STILL] = {"odometry-still",
	"odometry stands still meanwhile: look at the encoders"},
    [PB_WHEELS_TURNS] = {"turns-reversed",
	"look at the wheels' signs, and whether the scanner is upside down"},
    [PB_WHEELS_BACK] = {"wheels-reversed",
	"look at the wheels' signs, and whether the scanner's yaw is off by "
	"pi"},
    [PB_WHEELS_YAW] = {"mount-yaw",
	"correct the yaw of the scanner's transform, or give --laser"},
    [PB_WHEELS_PLACE] = {"mount-place",
	"they are in turns: correct x and y of the scanner's transform, or "
	"give --laser"},
    [PB_WHEELS_SCALE] = {"scale",
	"correct the radius of the wheels and the distance between them, or the "
	"units"},
    [PB_WHEELS_SLIP] = {"slip",
	"look for wheels that slip, and for stamps of scans and odometry that "
	"are apart"},
    [PB_WHEELS_UNCLEAR] = {"wheels",
	"too few go straight to tell whether wheels or the scanner's transform "
	"are wrong: drive farther, 10 m straight and some turns"},
    [PB_WHEELS_UNKNOWN] = {"wheels",
	"these are too few to tell whether odometry is right: drive farther, "
	"10 m straight and some turns"},
    [PB_WHEELS_RIGHT] = {"wheels", "that will do"},
};

static void
check_wheels(struct doctor *d)
{
	const struct pb_wheels_report r = d->wheel;
	bool good = r.fault == PB_WHEELS_RIGHT,
	     few = r.fault == PB_WHEELS_UNKNOWN;
	const char *advice = wheels_faults[r.fault].advice;
	char text[240] = "";
	int n = 0;

	/* Wrong scans, or scans of other times, match nothing. */
	if (d->error || d->unusable || d->odoms == 0 || d->scans == 0)
		return;
	if (!good && !few && r.fault != PB_WHEELS_STILL &&
	    d->no_mount[0] != '\0')
		advice = "as long as no transform says where the scanner is, "
			 "it may be that: record /tf_static, or give --laser";
	if (r.blank > 0)
		n += sprintf(text + n, ", %zu more fit nowhere", r.blank);
	if (!isnan(r.first))
		n += sprintf(text + n, ", first at %.1f s", r.first);
	if (!isnan(r.travel))
		n += sprintf(text + n, ", a metre is %.2f m", r.travel);
	if (!isnan(r.turn))
		n += sprintf(text + n, ", a radian %.2f rad",
		    fabs(r.turn) < 0.005 ? 0 : r.turn);
	if (!isnan(r.heading))
		sprintf(text + n, ", ahead %.2f rad",
		    fabs(r.heading) < 0.005 ? 0 : r.heading);
	add_finding(d, NULL,
	    good || (few && !r.fatal) ? NOTE
	    : r.fatal && !few         ? ERROR
				      : WARNING,
	    wheels_faults[r.fault].code,
	    "by scans %zu of %zu steps of odometry are wrong%s; %s", r.differ,
	    r.steps, text, advice);
}

/* Shares of sideways motion: too much, and right if mirrored. */
#define BESIDE_MOST   0.4
#define MIRRORED_MOST 0.1

static void
check_odom(struct doctor *d)
{
	if (d->odoms == 0 && d->scans > 0)
		add_finding(d, NULL, WARNING, "no-odometry",
		    "no odometry came%s; record /odom, or /tf with the "
		    "transform from odom to the robot's base: without it mcl "
		    "and fuse guess how the robot moves, other methods "
		    "assume that it stands",
		    d->ros ? ", by a topic or by transforms" : "");
	d->unusable |= d->error;
	if (d->jumps > 0)
		add_finding(d, NULL, d->jumps > d->odoms / 5 ? ERROR : WARNING,
		    "odometry-jumps",
		    "odometry jumps %ld times, first at %.1f s, by %.3g m at "
		    "most; look for resets of its node, or for centimetres or "
		    "millimetres",
		    d->jumps, d->jump_at, d->jump_most);
	if (d->beside > BESIDE_MOST * d->way &&
	    d->mirrored < MIRRORED_MOST * d->way)
		add_finding(d, NULL, ERROR, "odometry-mirrored",
		    "odometry goes %.0f %% of its way to the sides, with -y in "
		    "place of y %.0f %%; y is to the left of x, and theta "
		    "grows that way",
		    100 * d->beside / d->way, 100 * d->mirrored / d->way);
	check_wheels(d);
}

/* --- the map --- */

static void
check_map(struct doctor *d)
{
	struct fitting *f = &d->fit;
	double fit = f->usual;
	bool right = d->fitted,
	     enough = f->scans >= FIT_SCANS && d->way >= FIT_WAY;
	/* A scanner upside down fits no map. */
	bool unclear = d->wheel.fault == PB_WHEELS_TURNS || d->unusable;
	char beams[120] = "";

	if (f->m == NULL || d->scans == 0)
		return;
	if (f->scans == 0) {
		add_finding(d, NULL, NOTE, "map",
		    "whether it fits is not known: no scan can be used");
		return;
	}
	if (!isnan(fit))
		snprintf(beams, sizeof(beams),
		    ", and the map explains %.0f %% of beams", 100 * fit);
	add_finding(d, NULL,
	    right || unclear ? NOTE
	    : enough && (find_known_share(f) < KNOWN_LEAST || fit < FIT_WRONG)
		? ERROR
		: WARNING,
	    "map", "%s tracks in %.0f %% of %ld scans%s%s; %s", f->m->name,
	    100 * find_known_share(f), f->scans,
	    f->alone ? " without odometry" : "", beams,
	    right     ? "it fits"
	    : unclear ? "whether it fits is not known before the scans are "
			"right"
		      : "check that it is the map of this building, and of "
			"all of it, or record a longer drive");
}

/* --- the recording --- */

static void
check_mount(struct doctor *d)
{
	struct pb_pose m = d->mount;

	if (d->no_mount[0] != '\0')
		add_finding(d, NULL, WARNING, "no-transform",
		    "no transform from the robot's base to the scanner's "
		    "frame \"%.80s\", which is taken to be in the robot's "
		    "middle; record /tf_static and /tf, or give --laser "
		    "x,y,theta",
		    d->no_mount);
	else if (d->scans > 0)
		add_finding(d, NULL, NOTE, "mount",
		    "the scanner is at x %.3f m, y %.3f m, yaw %.3f rad on "
		    "the robot; measure whether that is so",
		    m.x, m.y, m.th);
}

static void
check_topics(struct doctor *d)
{
	for (int i = 0; i < d->topics; i++) {
		struct topic *t = &d->topic[i];

		if (t->flat > 0)
			add_finding(d, t, WARNING, "quaternion",
			    "%ld of its quaternions are 0 and turn nothing; "
			    "write w = 1 for no turn",
			    t->flat);
		if (d->scan == NULL && !t->read &&
		    (strstr(t->type, "Scan") || strstr(t->name, "scan")))
			add_finding(d, t, WARNING, "type",
			    "the type %.99s is not read; record or convert to "
			    "sensor_msgs/LaserScan",
			    t->type);
	}
	if (d->scan != NULL) {
		check_scans(d, d->scan);
		check_clock(d, d->scan);
	}
	if (d->wheels != NULL)
		check_clock(d, d->wheels);
	if (d->scan != NULL && d->wheels != NULL)
		check_clocks(d, d->scan, d->wheels);
	if (d->scans == 0 && d->fixes == 0)
		add_finding(d, NULL, ERROR, "no-scan",
		    "no scan came that is read; record the topic of the "
		    "scanner, as sensor_msgs/LaserScan");
}

/* Read the map of -m. */
static bool
load_map(struct doctor *d, const char *path)
{
	char *file[] = {(char *)path};
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MAP), .take = inspect_record, .user = d};

	if (!pb_filter_run(&f, file, 1))
		return false;
	d->map_ends = true;
	return d->fit.m != NULL ||
	       pb_msg_refuse((struct pb_place){path, 0},
		   "expected a map, got none; --doctor takes no maze");
}

static void
clear_doctor(struct doctor *d)
{
	for (int i = 0; i < d->topics; i++) {
		free(d->topic[i].step.at);
		free(d->topic[i].late.at);
		free(d->topic[i].apart.at);
	}
	pb_ros_survey_clear(&d->rows);
	clear_fitting(&d->fit);
	pb_wheels_clear(&d->steps);
	pb_drive_clear(&d->kept);
	free(d->near);
	free(d);
}

void
pb_doctor(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n)
{
	struct doctor *d = pb_alloc(1, sizeof(*d));
	struct pb_ros_opts ros = o->ros;
	struct pb_filter f = {
	    .want = PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_POSE) |
	            PB_REC_BIT(PB_REC_ODOM) | PB_REC_BIT(PB_REC_SCAN) |
	            PB_REC_BIT(PB_REC_FIX),
	    .scans = o->scans,
	    .common = common,
	    .ros = &ros,
	    .take = inspect_record,
	    .user = d};

	d->named = &o->ros.topic;
	ros.hear = hear_message;
	ros.user = d;
	ros.no_mount = d->no_mount;
	if (o->map != NULL && !load_map(d, o->map)) {
		clear_doctor(d);
		return;
	}
	d->file = n == 0 || strcmp(files[0], "-") == 0 ? "<stdin>" : files[0];
	if (pb_filter_run(&f, files, n) || d->topics > 0) {
		run_second_passes(d);
		check_topics(d);
		check_odom(d);
		check_map(d);
		check_mount(d);
		for (int i = 0; i < d->topics; i++)
			describe_topic(d, &d->topic[i]);
		print_findings(d);
	}
	clear_doctor(d);
}
