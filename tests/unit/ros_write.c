/* ros_write.c - tests of messages of ROS as they are written. */
#include "check.h"

#include "io/ros/ros_message.h"

static struct pb_text
cdr(struct pb_ros_message *m)
{
	struct pb_text o = {.s = NULL};

	pb_ros_write(&o, m, false);
	return o;
}

static bool
has(const struct pb_text *o, const char *bytes, size_t n)
{
	return o->len == n && memcmp(o->s, bytes, n) == 0;
}

test(small_messages)
{
	struct pb_ros_message m = {.type = PB_ROS_CLOCK, .clock = {3000000004}};
	struct pb_text o = cdr(&m);

	check(has(&o, "\0\1\0\0\3\0\0\0\4\0\0\0", 12));
	pb_text_clear(&o);
}

/* A marker with what of it is always empty; the length is that which
 * rosmsg2-serialization writes. */
test(markers)
{
	struct pb_ros_vector at[] = {{1, 2, 3}};
	struct pb_ros_marker k = {.header = {1000000002, "map"},
	    .ns = "pellets",
	    .id = -1,
	    .shape = PB_ROS_SPHERES,
	    .pose = {{0, 0, 0}, {0, 0, 0, 1}},
	    .scale = {1, 1, 1},
	    .point = at,
	    .n = 1};
	struct pb_ros_message m = {
	    .type = PB_ROS_MARKERS, .markers = {.marker = &k, .n = 1}};
	struct pb_text o = cdr(&m);

	check_int((long long)o.len, 261);
	check(memcmp(o.s + 28, "pellets", 8) == 0);
	check(memcmp(o.s + 36, "\xff\xff\xff\xff\7\0\0\0\0\0\0\0", 12) == 0);
	pb_text_clear(&o);
	pb_ros_put(&o, &m);
	check(strncmp(o.s,
		  "{\"markers\":[{\"header\":{\"stamp\":{\"sec\":1,"
		  "\"nanosec\":2},\"frame_id\":\"map\"},\"ns\":\"pellets\","
		  "\"id\":-1,\"type\":7,\"action\":0,",
		  112) == 0);
	check_has(o.s, "\"points\":[{\"x\":1,\"y\":2,\"z\":3}]}]}");
	pb_text_clear(&o);
}

/* rosbridge takes neither null nor Infinity: no return is beyond any range. */
test(scan_as_json)
{
	double range[] = {1.5, INFINITY, NAN};
	struct pb_ros_message m = {.type = PB_ROS_SCAN,
	    .scan = {.header = {1, "laser"},
		.angle_increment = 0.5,
		.range_max = 8,
		.range = range,
		.n = 3}};
	struct pb_text o = {.s = NULL};

	pb_ros_put(&o, &m);
	pb_text_put(&o, "", 1);
	check_has(o.s, "\"ranges\":[1.5,3e+38,0]}");
	check(strstr(o.s, "intensities") == NULL);
	pb_text_clear(&o);
}

test(definitions)
{
	struct pb_text o = {.s = NULL};

	pb_ros_put_name(&o, PB_ROS_CLOCK);
	check(has(&o, "rosgraph_msgs/msg/Clock", 23));
	o.len = 0;
	pb_ros_put_schema(&o, PB_ROS_CLOCK);
	pb_text_put(&o, "", 1);
	check_str(o.s, "builtin_interfaces/Time clock\n"
		       "========================================"
		       "========================================\n"
		       "MSG: builtin_interfaces/Time\n"
		       "int32 sec\nuint32 nanosec\n");
	pb_text_clear(&o);
	/* Each type once, and nothing of ROS 1. */
	pb_ros_put_schema(&o, PB_ROS_ODOMETRY);
	pb_text_put(&o, "", 1);
	check_has(o.s, "float64[36] covariance\n");
	check(strstr(o.s, "seq") == NULL);
	check(strstr(strstr(o.s, "MSG: geometry_msgs/Point\n") + 1,
		  "MSG: geometry_msgs/Point\n") == NULL);
	pb_text_clear(&o);
}
