/* bag_kind.c - which files are recordings of ROS topics. */
#include <string.h>
#include <sys/stat.h>

#include "io/ros/bag.h"

/* How they begin; what zstd compressed as a whole is nothing else, either. */
static const char *const magic[] = {
    "\x89MCAP", "#ROSBAG V", "SQLite format 3", "\x28\xb5\x2f\xfd"};

bool
pb_bag_is(const char *head, size_t n)
{
	for (size_t i = 0; i < sizeof(magic) / sizeof(*magic); i++)
		if (n >= strlen(magic[i]) &&
		    memcmp(head, magic[i], strlen(magic[i])) == 0)
			return true;
	return false;
}

bool
pb_bag_is_folder(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && S_ISDIR(st.st_mode);
}
