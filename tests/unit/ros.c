/* ros.c - tests of the bytes of ROS messages, and of frames. */
#include "check.h"

#include "io/ros/ros_message.h"
#include "io/ros/ros_records.h"

/* Bytes of hex digits; blanks do not matter. */
static size_t
bytes(const char *hex, unsigned char *out)
{
	size_t n = 0;
	unsigned v;

	for (; *hex; hex += *hex == ' ' ? 1 : 2)
		if (*hex != ' ' && sscanf(hex, "%2x", &v) == 1)
			out[n++] = (unsigned char)v;
	return n;
}

static bool
read(struct pb_ros_message *m, enum pb_ros_type type, bool ros1,
    const unsigned char *b, size_t n, struct pb_error *bad)
{
	return pb_ros_read(m, type, ros1 ? PB_BAG_ROS1 : PB_BAG_CDR, b, n, bad);
}

/* As @foxglove/rosmsg2-serialization writes it. */
static const char scan_hex[] =
    "00010000 01000000 02000000 06000000 6c617365 72000000 000080bf 0000803f"
    "0000803f 00000000 00000000 0000003f 00000041 03000000 0000803f 00000040"
    "0000807f 00000000";

static void
check_scan(const struct pb_ros_scan *s)
{
	check(s->header.stamp == 1000000002);
	check_str(s->header.frame, "laser");
	check(s->angle_min == -1 && s->angle_max == 1);
	check(s->angle_increment == 1);
	check(s->range_min == 0.5 && s->range_max == 8);
	check_int((long long)s->n, 3);
	check(s->range[0] == 1 && s->range[1] == 2 && s->range[2] == INFINITY);
}

test(scan_from_cdr)
{
	unsigned char b[256];
	size_t n = bytes(scan_hex, b);
	struct pb_ros_message m;
	struct pb_error bad;

	check(read(&m, PB_ROS_SCAN, false, b, n, &bad));
	check_scan(&m.scan);
	pb_ros_clear(&m);
	for (size_t k = 0; k < n; k++) {
		unsigned char *cut = malloc(k + 1);

		memcpy(cut, b, k);
		bad.text[0] = '\0';
		check(!read(&m, PB_ROS_SCAN, false, cut, k, &bad));
		check(bad.text[0] != '\0');
		free(cut);
	}
}

/* Of beams with several echoes; cut anywhere it is refused. */
test(echo_scan)
{
	static const char hex[] =
	    "00010000 01000000 02000000 06000000 6c617365 72000000 000080bf"
	    "0000803f 0000803f 00000000 00000000 0000003f 00000041 03000000"
	    "02000000 0000803f 00000040 00000000 01000000 00000040";
	unsigned char b[256];
	size_t n = bytes(hex, b);
	struct pb_ros_message m;
	struct pb_error bad;

	check(read(&m, PB_ROS_ECHO_SCAN, false, b, n, &bad));
	check_int((long long)m.scan.echoes, 3);
	check(m.scan.echo[0].n == 2 && m.scan.echo[0].range[0] == 1);
	check(m.scan.echo[1].n == 0);
	check(m.scan.echo[2].n == 1 && m.scan.echo[2].range[0] == 2);
	pb_ros_clear(&m);
	for (size_t k = 0; k < n; k++)
		check(!read(&m, PB_ROS_ECHO_SCAN, false, b, k, &bad));
}

/* Every 4 bytes in the other order are the same message, but for names. */
test(scan_from_big_endian)
{
	unsigned char b[256];
	size_t n = bytes(scan_hex, b);
	struct pb_ros_message m;
	struct pb_error bad;

	b[1] = 0;
	for (size_t i = 4; i < n; i += 4) {
		if (i == 16 || i == 20) /* "laser" */
			continue;
		for (size_t k = 0; k < 2; k++) {
			unsigned char c = b[i + k];

			b[i + k] = b[i + 3 - k];
			b[i + 3 - k] = c;
		}
	}
	check(read(&m, PB_ROS_SCAN, false, b, n, &bad));
	check_scan(&m.scan);
	pb_ros_clear(&m);
}

test(other_encodings_are_refused)
{
	static const unsigned char pl_cdr[] = {0, 2, 0, 0, 0},
				   xcdr2[] = {0, 7, 0, 0, 0};
	struct pb_ros_message m;
	struct pb_error bad;

	check(!read(&m, PB_ROS_CLOCK, false, pl_cdr, 5, &bad));
	check_has(bad.text, "00 02");
	check(!read(&m, PB_ROS_CLOCK, false, xcdr2, 5, &bad));
	check(!read(&m, PB_ROS_CLOCK, false, xcdr2, 3, &bad));
}

/* Write m in both ways and read it back. */
static void
check_back(struct pb_ros_message *m, size_t cdr, struct pb_ros_message back[2])
{
	struct pb_error bad = {.text = ""};

	for (int ros1 = 0; ros1 < 2; ros1++) {
		struct pb_text out = {.s = NULL};

		pb_ros_write(&out, m, ros1);
		if (!ros1)
			check_int((long long)out.len, (long long)cdr);
		check(read(&back[ros1], m->type, ros1,
		    (const unsigned char *)out.s, out.len, &bad));
		pb_text_clear(&out);
	}
}

test(transforms_there_and_back)
{
	struct pb_ros_transform t = {.header = {1700000005999999999, "odom"},
	    .child = "base_link",
	    .transform = {{1, 2, 3}, {0, 0, 0.6, 0.8}}};
	struct pb_ros_message m = {.type = PB_ROS_TF, .tf = {&t, 1}}, back[2];

	check_back(&m, 100, back);
	for (int i = 0; i < 2; i++) {
		const struct pb_ros_transform *r = back[i].tf.transform;

		check(back[i].tf.n == 1 &&
		      r->header.stamp == 1700000005999999999);
		check_str(r->child, "base_link");
		check(r->transform.position.z == 3);
		check(r->transform.orientation.w == 0.8);
		pb_ros_clear(&back[i]);
	}
}

test(odometry_there_and_back)
{
	struct pb_ros_message m = {.type = PB_ROS_ODOMETRY,
	    .odometry = {.header = {1, "odom"},
		.child = "base_link",
		.pose = {{1, 2, 0}, {0, 0, 0, 1}},
		.twist = {{0.5, 0, 0}, {0, 0, -0.25}}}};
	struct pb_ros_message back[2];

	check_back(&m, 724, back);
	for (int i = 0; i < 2; i++) {
		check(back[i].odometry.pose.position.y == 2);
		check(back[i].odometry.twist.linear.x == 0.5);
		check(back[i].odometry.twist.angular.z == -0.25);
	}
}

test(grid_there_and_back)
{
	static signed char cell[] = {0, 100, -1};
	struct pb_ros_message m = {.type = PB_ROS_GRID,
	    .grid = {.header = {1, "map"},
		.resolution = 0.05,
		.width = 3,
		.height = 1,
		.origin = {{-1, 0, 0}, {0, 0, 0, 1}},
		.map = {.width = 3, .height = 1, .cell = cell}}};
	struct pb_ros_message back[2];

	check_back(&m, 107, back);
	for (int i = 0; i < 2; i++) {
		/* As it was meant, and not the float. */
		check(back[i].grid.map.resolution == 0.05);
		check(back[i].grid.map.origin.x == -1);
		check(memcmp(back[i].grid.map.cell, cell, 3) == 0);
		pb_ros_clear(&back[i]);
	}
}

test(grids_that_lie_are_refused)
{
	static signed char cell[] = {0, 101, -1};
	struct pb_ros_message m = {.type = PB_ROS_GRID,
	    .grid = {.header = {1, "map"},
		.resolution = 0.05,
		.width = 3,
		.height = 1,
		.origin = {{-1, 0, 0}, {0, 0, 0, 1}},
		.map = {.width = 3, .height = 1, .cell = cell}}};
	struct pb_ros_message back;
	struct pb_text out = {.s = NULL};
	struct pb_error bad = {.text = ""};

	pb_ros_write(&out, &m, true);
	check(!read(&back, PB_ROS_GRID, true, (const unsigned char *)out.s,
	    out.len, &bad));
	check_has(bad.text, "data[1]");
	out.len = 0;
	m.grid.width = 20000;
	pb_ros_write(&out, &m, true);
	check(!read(&back, PB_ROS_GRID, true, (const unsigned char *)out.s,
	    out.len, &bad));
	check_has(bad.text, "expected 20000 cells");
	pb_text_clear(&out);
}

test(names_of_types)
{
	check(pb_ros_type_of("sensor_msgs/LaserScan") == PB_ROS_SCAN);
	check(pb_ros_type_of("sensor_msgs/msg/LaserScan") == PB_ROS_SCAN);
	check(pb_ros_type_of("tf/tfMessage") == PB_ROS_TF);
	check(pb_ros_type_of("other_msgs/LaserScan") == PB_ROS_OTHER);
	check(pb_ros_type_of("sensor_msgs/LaserScans") == PB_ROS_OTHER);
	check(pb_ros_type_of("LaserScan") == PB_ROS_OTHER);
	check(pb_ros_type_of("") == PB_ROS_OTHER);
}

static const struct pb_ros_opts usual = {.has_laser = false};

static void
take(struct pb_ros_records *k, const char *topic, struct pb_ros_message *m)
{
	const struct pb_ros_heard from = {topic, 1000, 0};
	struct pb_error bad;

	check(pb_ros_records_take(k, &from, m, &bad));
	if (m->type == PB_ROS_SCAN)
		pb_ros_clear(m);
}

static void
hear(struct pb_ros_records *k, const char *parent, const char *child,
    struct pb_ros_pose at)
{
	struct pb_ros_transform t = {.transform = at};
	struct pb_ros_message m = {.type = PB_ROS_TF, .tf = {&t, 1}};

	strcpy(t.header.frame, parent);
	strcpy(t.child, child);
	take(k, "/tf", &m);
}

/* The scan of a robot with that base whose scanner is in that frame. */
static struct pb_rec_scan
scan_of(struct pb_ros_records *k, const char *base, const char *frame)
{
	struct pb_ros_message odom = {.type = PB_ROS_ODOMETRY},
			      scan = {.type = PB_ROS_SCAN};
	struct pb_rec_scan got = {.n = 0};
	struct pb_rec r;
	long line;

	strcpy(odom.odometry.child, base);
	take(k, "/odom", &odom);
	strcpy(scan.scan.header.frame, frame);
	scan.scan.angle_increment = 1;
	scan.scan.range_min = scan.scan.range_max = NAN;
	scan.scan.range = calloc(1, sizeof(double));
	scan.scan.n = 1;
	take(k, "/scan", &scan);
	check(pb_ros_records_flush(k));
	while (pb_ros_records_next(k, &r, &line)) {
		if (r.type == PB_REC_SCAN)
			got = r.scan;
		pb_rec_clear(&r);
	}
	check_int((long long)got.n, 1);
	return got;
}

#define H 0.70710678118654757

/* The TurtleBot 4's: the scanner turned by a quarter, on a shell. */
test(mount_along_a_chain)
{
	struct pb_ros_records *k = pb_ros_records_new(&usual, "test");
	struct pb_rec_scan r;

	hear(k, "base_link", "base_footprint", (struct pb_ros_pose){{9, 9, 9}});
	hear(k, "base_link", "shell_link",
	    (struct pb_ros_pose){{0.09, 0, 0.09}, {0, 0, 0, 1}});
	hear(k, "/shell_link", "/rplidar_link",
	    (struct pb_ros_pose){{5, 5, 5}, {0, 0, 0, 1}});
	hear(k, "/shell_link", "/rplidar_link",
	    (struct pb_ros_pose){{-0.04, 0, 0.1}, {0, 0, H, H}});
	r = scan_of(k, "base_link", "rplidar_link");
	check_near(r.mount.x, 0.05, 1e-12);
	check_near(r.mount.y, 0, 1e-12);
	check_near(r.mount.th, PB_PI / 2, 1e-6);
	check(r.angle_increment > 0);
	pb_ros_records_free(k);
}

/* By the frame that both are in; a scanner on its back. */
test(mount_by_a_common_frame)
{
	struct pb_ros_records *k = pb_ros_records_new(&usual, "test");
	struct pb_rec_scan r;

	hear(k, "odom", "base_footprint",
	    (struct pb_ros_pose){{3, 4, 0}, {0, 0, H, H}});
	hear(k, "odom", "base_link",
	    (struct pb_ros_pose){{3, 4, 0.1}, {0, 0, H, H}});
	hear(k, "base_link", "laser",
	    (struct pb_ros_pose){{0.2, 0.1, 0}, {1, 0, 0, 0}});
	r = scan_of(k, "base_footprint", "laser");
	check_near(r.mount.x, 0.2, 1e-12);
	check_near(r.mount.y, 0.1, 1e-12);
	check_near(r.mount.th, 0, 1e-12);
	check(r.angle_increment < 0);
	pb_ros_records_free(k);
}

/* No chain leads to the robot's base: its middle, which is said. */
test(frames_in_a_circle)
{
	struct pb_ros_records *k = pb_ros_records_new(&usual, "test");
	struct pb_rec_scan r;

	hear(k, "a", "b", (struct pb_ros_pose){{1, 0, 0}, {0, 0, 0, 1}});
	hear(k, "b", "a", (struct pb_ros_pose){{1, 0, 0}, {0, 0, 0, 1}});
	r = scan_of(k, "base_link", "a");
	check(r.mount.x == 0 && r.mount.y == 0);
	pb_ros_records_free(k);
}
