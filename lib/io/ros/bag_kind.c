/* bag_kind.c - which files are recordings of ROS topics. */
#include <string.h>
#include <sys/stat.h>

#include "io/ros/bag.h"

/* How they begin; what zstd compressed as a whole is nothing else, either. */
static const char *const magic[PB_BAGKINDS] = {[PB_BAGKIND_MCAP] = "\x89MCAP",
    [PB_BAGKIND_ROS1] = "#ROSBAG V",
    [PB_BAGKIND_DB3] = "SQLite format 3",
    [PB_BAGKIND_ZSTD] = "\x28\xb5\x2f\xfd"};

enum pb_bagkind
pb_bagkind_of(const void *head, size_t n)
{
	for (int i = 1; i < PB_BAGKINDS; i++)
		if (n >= strlen(magic[i]) &&
		    memcmp(head, magic[i], strlen(magic[i])) == 0)
			return (enum pb_bagkind)i;
	return PB_BAGKIND_NONE;
}

bool
pb_bag_is_folder(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && S_ISDIR(st.st_mode);
}
