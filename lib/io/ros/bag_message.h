/* bag_message.h - a message of a recording, and what comes instead of one. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum pb_bag_encoding {
	PB_BAG_CDR,  /* of ROS 2, its four first bytes included */
	PB_BAG_ROS1, /* of ROS 1 */
	PB_BAG_JSON,
	PB_BAG_OTHER /* not for us */
};

struct pb_bag_message {
	const char *topic;
	const char *type; /* "sensor_msgs/LaserScan", without msg/ */
	enum pb_bag_encoding encoding;
	const char *encoded; /* its name in the recording, for complaints */
	const char *file;    /* of several: the part it came from */
	int64_t t;           /* when it was logged (ns) */
	uint64_t offset;     /* in the file, of its record, or of the chunk
	                        that holds it; a row's number in SQLite */
	const unsigned char *data; /* all pointers until the next call */
	size_t size;
};

enum pb_bag_got {
	PB_BAG_MESSAGE,
	PB_BAG_END,
	PB_BAG_BAD, /* bad says what and where; go on or not. Cut off: kind
	               PB_ERROR_CUT, all whole messages came before */
	PB_BAG_FAIL /* the system failed, which was said, or a signal */
};
