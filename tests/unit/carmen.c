/* carmen.c - tests of logs read as records. */
#include "check.h"

#include <stdarg.h>

#include "io/file/logfile.h"
#include "io/rec/rec.h"

#define TAIL  " host 0\n"
#define STEPS 40

/* A log under way. */
static char text[200000];
static size_t len;

static void
say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	len += (size_t)vsnprintf(text + len, sizeof(text) - len, fmt, ap);
	va_end(ap);
}

static void
say_odom(struct pb_pose p, double t)
{
	say("ODOM %.17g %.17g %.17g 0 0 0 %.17g" TAIL, p.x, p.y, p.th, t);
}

static void
say_scan(const char *ranges, struct pb_pose a, struct pb_pose b, double t)
{
	say("FLASER %s %.17g %.17g %.17g %.17g %.17g %.17g %.17g" TAIL, ranges,
	    a.x, a.y, a.th, b.x, b.y, b.th, t);
}

/* The records that the log means; the caller clears them. */
static struct pb_rec rec[1000];
static int recs;
static char remark[256];

/* Whether writing r and reading it again gives what settling r does. */
static void
check_settled(struct pb_rec *r)
{
	struct pb_text one = {0}, two = {.exact = true},
		       three = {.exact = true};
	struct pb_error bad = {""};
	struct pb_rec again;

	pb_rec_write(&one, r);
	check(pb_rec_read(one.s, one.len - 1, PB_REC_ALL, &again, &bad));
	check(pb_rec_settle(r, &bad));
	pb_rec_write(&two, r);
	pb_rec_write(&three, &again);
	check(two.len == three.len && memcmp(two.s, three.s, two.len) == 0);
	pb_rec_clear(&again);
	pb_text_clear(&one);
	pb_text_clear(&two);
	pb_text_clear(&three);
}

static struct pb_carmen
convert(void)
{
	struct pb_carmen c;
	static struct pb_rec_few out;
	struct pb_error bad;
	const char *at = text;

	recs = 0;
	pb_carmen_survey(&c, text, len);
	for (; at < text + len; at = strchr(at, '\n') + 1) {
		out.n = 0;
		check(pb_carmen_convert(
		    &c, at, (size_t)(strchr(at, '\n') - at), &out, &bad));
		for (int i = 0; i < out.n; i++) {
			check_settled(&out.rec[i]);
			rec[recs++] = out.rec[i];
		}
	}
	return c;
}

static void
end(struct pb_carmen *c)
{
	for (int i = 0; i < recs; i++)
		pb_rec_clear(&rec[i]);
	pb_carmen_clear(c);
	len = 0;
}

static void
check_pose(struct pb_pose a, struct pb_pose b, double e)
{
	check_near(a.x, b.x, e);
	check_near(a.y, b.y, e);
	check_near(pb_wrap(a.th - b.th), 0, e);
}

static struct pb_pose
step(struct pb_rng *r)
{
	return (struct pb_pose){pb_rng_between(r, -0.1, 0.3),
	    pb_rng_between(r, -0.02, 0.02), pb_rng_between(r, -0.4, 0.4)};
}

/*
 * The wheels' poses are known; the log starts each scan's steps from a
 * corrected pose. What comes out must have the wheels' steps.
 */
test(steps)
{
	struct pb_pose wheels[STEPS + 1] = {{0, 0, 0}}, base = {0, 0, 0};
	struct pb_pose at = base, truth[STEPS + 1];
	struct pb_carmen c;
	struct pb_rng r;
	int odoms = 0, scans = 0, truths = 0;

	pb_rng_start(&r, 1, 1, PB_FOR_ODOM, 0);
	say("# a comment\nPARAM robot_frontlaser_offset 0.0 nohost 0\n");
	for (int i = 1; i <= STEPS; i++) {
		struct pb_pose d = step(&r);

		wheels[i] = pb_pose_compose(wheels[i - 1], d);
		at = pb_pose_compose(at, d);
		say_odom(at, 100 + i);
		if (i % 4 != 0)
			continue;
		base = pb_pose_compose(at, step(&r));
		truth[scans++] = base;
		say_scan("3 1 2 50", base, base, 100 + i);
		say_odom(base, i % 16 == 0 ? 0 : i % 8 == 0 ? 21.59 : 100 + i);
		say("NEFF 12\n");
		at = base;
	}
	c = convert();
	check(c.rebased && c.corrected && c.odometry && c.timed);
	check(!pb_carmen_remark(&c, remark, sizeof(remark)));
	scans = 0;
	for (int i = 0; i < recs; i++) {
		const struct pb_rec_odom *d = &rec[i].odom;
		int k = (int)lround(rec[i].stamp.t) + 1;
		struct pb_pose p = {d->x, d->y, d->theta};

		if (rec[i].type == PB_REC_ODOM) {
			odoms++;
			check_pose(p, wheels[k], 2e-6);
			check(isnan(d->v));
		} else if (rec[i].type == PB_REC_POSE) {
			p = (struct pb_pose){
			    rec[i].pose.x, rec[i].pose.y, rec[i].pose.theta};
			check_pose(p, truth[truths++], 2e-6);
			check_int(k, 4 * truths);
			check_str(rec[i].pose.source, "truth");
		} else if (rec[i].type == PB_REC_SCAN) {
			check_int(k, 4 * ++scans);
		}
		check_str(rec[i].stamp.id, "robot");
	}
	/* Half of the repeats have a stamp of their own and stay; others have 0
	 * or what was in the logger's memory. */
	check_int(odoms, STEPS + STEPS / 8);
	check_int(truths, STEPS / 4);
	check_int(scans, STEPS / 4);
	end(&c);
}

/* 180 and 181 beams are a degree apart, 360 and 361 half a degree. */
test(angles)
{
	const struct {
		int n;
		double inc; /* (degrees) */
	} known[] = {{180, 1}, {181, 1}, {360, 0.5}, {361, 0.5}, {91, 2}};

	for (int k = 0; k < 5; k++) {
		struct pb_pose p = {0, 0, 0};
		char ranges[2000];
		int at = sprintf(ranges, "%d", known[k].n);
		struct pb_carmen c;

		for (int i = 0; i < known[k].n; i++)
			at += sprintf(ranges + at, " 1.5");
		say_scan(ranges, p, p, 1);
		c = convert();
		check_int(recs, 2);
		check_near(rec[1].scan.angle_min, -PB_PI / 2, 1e-15);
		check_near(rec[1].scan.angle_increment,
		    known[k].inc * PB_PI / 180, 1e-15);
		check_int((long long)rec[1].scan.n, known[k].n);
		end(&c);
	}
}

/* The largest range means nothing if it comes more than twice, unless a largest
 * one is stated. */
test(no_return)
{
	struct pb_pose p = {0, 0, 0};
	struct pb_carmen c;
	const struct pb_rec_scan *z = &rec[1].scan;

	say_scan("6 81.83 49 81.83 81.91 nan 0", p, p, 1);
	c = convert();
	for (int i = 0; i < 6; i++)
		check(i == 1 ? z->range[i] == 49 : isnan(z->range[i]));
	check_near(z->range_max, 81.91, 0);
	end(&c);

	say_scan("4 7.5 7.5 2 -inf", p, p, 1);
	c = convert();
	check(z->range[0] == 7.5 && z->range[1] == 7.5 && z->range[2] == 2);
	check(isnan(z->range[3]) && isnan(z->range_max));
	end(&c);

	say("PARAM robot_front_laser_max 6.99 host 0\n");
	say_scan("3 7 6 5", p, p, 1);
	c = convert();
	check(isnan(z->range[0]) && z->range[1] == 6);
	check_near(z->range_max, 6.99, 0);
	end(&c);

	/* Where the log says how far it sees, walls may be alike. */
	say("PARAM robot_front_laser_max 30 host 0\n");
	say_scan("3 2 2 2", p, p, 1);
	c = convert();
	check(z->range[0] == 2 && z->range[2] == 2);
	check_near(z->range_max, 30, 0);
	end(&c);

	/* But not where a SICK's numbers end. */
	say("PARAM robot_front_laser_max 30 host 0\n");
	say_scan("3 8.183 2 8.183", p, p, 1);
	say_scan("3 8.191 2 8.183", p, p, 2);
	c = convert();
	check(isnan(z->range[0]) && z->range[1] == 2 && isnan(z->range[2]));
	check_near(z->range_max, 8.191, 0);
	end(&c);
}

/* Wheels' poses all through: nothing is true, the laser is the body. */
test(raw)
{
	struct pb_carmen c;
	struct pb_rng r;
	struct pb_pose sits = {0.2, 0, 0}, at = {1, 2, 3};
	int odoms = 0;

	pb_rng_start(&r, 1, 2, PB_FOR_ODOM, 0);
	for (int i = 0; i < STEPS; i++) {
		at = pb_pose_compose(at, step(&r));
		if (i % 2 == 0)
			say("ODOM %.9f %.9f %.9f 0.5 0.1 0 %d" TAIL, at.x, at.y,
			    at.th, i);
		else
			say_scan("2 1 2", pb_pose_compose(at, sits), at, i);
	}
	c = convert();
	check(!c.corrected && !c.rebased && c.odometry);
	check_pose(c.sits, sits, 1e-9);
	check_pose(c.odom, pb_pose_compose(at, sits), 1e-9);
	for (int i = 0; i < recs; i++) {
		check(rec[i].type != PB_REC_POSE);
		odoms += rec[i].type == PB_REC_ODOM;
	}
	check_int(odoms, STEPS);
	check_near(rec[0].odom.v, 0.5, 0);
	check_near(rec[0].odom.w, 0.1, 0);
	end(&c);
}

/* First poses corrected, second ones the wheels'. */
test(both)
{
	struct pb_carmen c;
	struct pb_rng r;
	struct pb_pose at = {0, 0, 0}, truth[STEPS];

	pb_rng_start(&r, 1, 3, PB_FOR_ODOM, 0);
	for (int i = 0; i < STEPS; i++) {
		at = pb_pose_compose(at, step(&r));
		truth[i] = pb_pose_compose(at, step(&r));
		say_scan("2 1 2", truth[i], at, 1e9 + i);
	}
	c = convert();
	check(c.corrected && !c.rebased && c.odometry);
	check_int(recs, 3 * STEPS);
	for (int i = 0; i < STEPS; i++) {
		const struct pb_rec_pose *p = &rec[3 * i + 1].pose;

		check_int(rec[3 * i].type, PB_REC_ODOM);
		check_pose(
		    (struct pb_pose){p->x, p->y, p->theta}, truth[i], 2e-6);
		check_near(rec[3 * i].stamp.t, i, 1e-6);
	}
	check_pose(
	    (struct pb_pose){rec[3 * STEPS - 3].odom.x,
		rec[3 * STEPS - 3].odom.y, rec[3 * STEPS - 3].odom.theta},
	    at, 2e-6);
	end(&c);
}

/* Nothing between the corrected poses, and stamps that are not. */
test(useless_wheels)
{
	struct pb_carmen c;
	struct pb_rng r;
	struct pb_pose at = {0, 0, 0};

	pb_rng_start(&r, 1, 4, PB_FOR_ODOM, 0);
	say_odom(at, 0);
	for (int i = 0; i < STEPS; i++) {
		at = pb_pose_compose(at, step(&r));
		say_scan("2 1 2", at, at, 0);
		say_odom(at, 1e-80 * i);
		if (i % 9 == 0)
			say_odom(at, 0);
	}
	c = convert();
	check(c.corrected && !c.odometry && !c.timed);
	check(pb_carmen_remark(&c, remark, sizeof(remark)));
	check_has(remark,
	    "odometry and times: of 40 stamps of scans, 39 come again; no odom");
	check_int(recs, 2 * STEPS);
	for (int i = 0; i < recs; i++)
		check_near(rec[i].stamp.t, i / 2, 0);
	end(&c);
}

test(robotlaser)
{
	struct pb_carmen c;
	const struct pb_rec_scan *z = &rec[1].scan;

	say("ROBOTLASER1 0 -2.356 4.712 0.01 30 0.005 0 3 1 2 30 2 7 8 "
	    "1.1 2 0.5 1 2 0.5 0.1 0 0.3 0.2 1e6 5" TAIL);
	c = convert();
	check_int(recs, 2);
	check_near(z->angle_min, -2.356, 0);
	check_near(z->angle_increment, 0.01, 0);
	check_near(z->range_max, 30, 0);
	check(z->range[1] == 2 && isnan(z->range[2]));
	check_near(rec[0].odom.x, 1.1, 0);
	end(&c);

	say("ROBOTLASER1 0 -1.5 3 1.5 80 0.01 0 3 1 2 2 0 "
	    "0 0 0 0 0 0 0 0 0 0.1 0.1 1e6 5" TAIL);
	say("ROBOTLASER1 0 -1.5 3 1.5 80 0.01 0 3 1 2 2 0 "
	    "0 0 0 0 0 0 0 0 0 0.1 0.1 1e6 6" TAIL);
	c = convert();
	check(z->range[1] == 2 && z->range[2] == 2);
	check_near(z->range_max, 80, 0);
	end(&c);
}

static void
check_refusal(const char *line, const char *what)
{
	struct pb_carmen c;
	static struct pb_rec_few out;
	struct pb_error bad;

	pb_carmen_survey(&c, line, strlen(line));
	check(!pb_carmen_convert(&c, line, strlen(line), &out, &bad));
	check_str(bad.text, what);
	check_int((long long)out.n, 0);
	pb_carmen_clear(&c);
}

test(broken_lines)
{
	check_refusal("FLASER 3 1 2",
	    "FLASER: expected a range as word 5, the line ends before it");
	check_refusal("FLASER 2 1 2 0 0 0 0 0 0 1.2",
	    "FLASER: expected a host as word 12, the line ends before it");
	check_refusal("FLASER 2 1 abc 0 0 0 0 0 0 1 h 1",
	    "FLASER: word 4: expected a range, got \"abc\"");
	check_refusal("FLASER 0 0 0 0 0 0 0 1 h 1",
	    "FLASER: word 2: expected a number of ranges, got \"0\"");
	check_refusal("FLASER 1e9 1 2",
	    "FLASER: word 2: expected a number of ranges, got \"1e9\"");
	check_refusal("ODOM 0 0 nan 0 0 0 1 h 1",
	    "ODOM: word 4: expected a number, got \"nan\"");
}
