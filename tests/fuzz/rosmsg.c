/*
 * rosmsg.c - any bytes as a message of ROS, the first of which says of which
 * type and how it is encoded: a complaint, or a message that can be written and
 * whose writing reads as the same again.
 */
#include "fuzz.h"

#include "io/ros/ros_message.h"

static struct pb_text
written(struct pb_ros_message *m)
{
	struct pb_text out = {.s = NULL};

	pb_ros_write(&out, m, true);
	return out;
}

static bool
read_bytes(struct pb_ros_message *m, enum pb_ros_type type, bool ros1,
    const unsigned char *bytes, size_t n)
{
	struct pb_error bad = {.text = ""};
	bool ok = pb_ros_read(
	    m, type, ros1 ? PB_BAG_ROS1 : PB_BAG_CDR, bytes, n, &bad);

	must(ok || bad.text[0] != '\0');
	return ok;
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct pb_ros_message m, again;
	struct pb_text one, two;
	enum pb_ros_type type;

	if (n == 0)
		return 0;
	type = (enum pb_ros_type)(1 + bytes[0] / 2 % (PB_ROS_TYPES - 1));
	if (!read_bytes(&m, type, bytes[0] % 2, bytes + 1, n - 1))
		return 0;
	one = written(&m);
	must(read_bytes(&again, type, true, (unsigned char *)one.s, one.len));
	two = written(&again);
	must(one.len == two.len && memcmp(one.s, two.s, one.len) == 0);
	pb_text_clear(&one);
	pb_text_clear(&two);
	pb_ros_clear(&m);
	pb_ros_clear(&again);
	return 0;
}
