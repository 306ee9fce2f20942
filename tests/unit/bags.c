/* bags.c - tests of recordings of ROS topics, our own and those of others. */
#include "check.h"

#include <jansson.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "io/ros/mcap_write.h"
#include "recording.h"

static char dir[64];

static const char *
path_of(const char *name)
{
	static char path[4][160];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
	return path[turn];
}

/* A message that begins like CDR, of some length. */
static size_t
make_message(int i, unsigned char *s, size_t room)
{
	size_t n = 8 + (size_t)(i * 37) % (room - 8);

	for (size_t k = 0; k < n; k++)
		s[k] = (unsigned char)((size_t)i * k >> 5);
	memcpy(s, "\0\1\0\0", 4);
	s[4] = (unsigned char)i;
	return n;
}

static int64_t
time_of(int i)
{
	return INT64_C(1700000000000000000) + INT64_C(10000000) * i;
}

enum { TOPICS = 3, MESSAGES = 1000, LONGEST = 3000 };

static const struct pb_mcap_channel channels[TOPICS] = {
    {"/scan", "cdr", "", "sensor_msgs/msg/LaserScan", "ros2msg", "float32 x"},
    {"/odom", "cdr", "", "nav_msgs/msg/Odometry", "ros2msg", "float64 x"},
    {"/b/scan", "cdr", "", "sensor_msgs/msg/LaserScan", "ros2msg", "float32 x"},
};

static const char *const types[TOPICS] = {
    "sensor_msgs/LaserScan", "nav_msgs/Odometry", "sensor_msgs/LaserScan"};

/* What all recordings here hold. */
static struct seen
expected(int n)
{
	struct seen s = {.sorted = true, .hash = PB_HASH_START};
	unsigned char data[LONGEST];

	for (int i = 0; i < n; i++) {
		struct pb_bag_message m = {.topic = channels[i % TOPICS].topic,
		    .type = types[i % TOPICS],
		    .t = time_of(i),
		    .data = data};

		m.size = make_message(i, data, sizeof(data));
		see(&s, &m);
	}
	return s;
}

static void
write_mcap(const char *path, enum pb_pack pack, int n)
{
	FILE *f = fopen(path, "wb");
	struct pb_mcap_write *w = pb_mcap_write_new(f, "ros2", pack);
	unsigned char data[LONGEST];
	int id[TOPICS];

	for (int i = 0; i < TOPICS; i++)
		id[i] = pb_mcap_write_channel(w, &channels[i]);
	for (int i = 0; i < n; i++)
		pb_mcap_write_message(w, id[i % TOPICS], time_of(i), data,
		    make_message(i, data, sizeof(data)));
	check(pb_mcap_write_end(w));
	pb_mcap_write_free(w);
	check(fclose(f) == 0);
}

static void
check_same(const struct seen *s, const struct seen *wanted)
{
	check_int(s->n, wanted->n);
	check(s->hash == wanted->hash);
	check_int(s->bad, 0);
	if (s->bad > 0)
		printf("# %s\n", s->first.text);
}

static void
test_mcap(void)
{
	struct seen wanted = expected(MESSAGES);

	for (int pack = PB_PACK_NONE; pack <= PB_PACK_ZSTD; pack++) {
		const char *path = path_of("a.mcap");
		struct seen s;

		write_mcap(path, (enum pb_pack)pack, MESSAGES);
		s = see_recording(path);
		check_same(&s, &wanted);
	}
}

/* Those that other programs wrote, where they are. */
#define SHARED "../shared/data/bags"

static void
check_shared(const char *name, json_t *file)
{
	char path[200];
	struct seen s;
	const char *topic;
	json_t *count, *from = json_object_get(file, "first_log_time_ns"),
		       *to = json_object_get(file, "last_log_time_ns");

	snprintf(path, sizeof(path), SHARED "/%s", name);
	s = see_recording(path);
	if (s.bad > 0)
		printf("# %s: %s\n", name, s.first.text);
	if (strstr(name, "truncated") == NULL) {
		check_int(s.bad, 0);
		check_int(
		    s.n, json_integer_value(json_object_get(file, "messages")));
		json_object_foreach(
		    json_object_get(file, "topics"), topic, count)
		{
			int i = 0;

			while (i < s.topics && strcmp(s.topic[i], topic) != 0)
				i++;
			check(i < s.topics);
			check_int(s.count[i], json_integer_value(count));
		}
		if (json_is_integer(from)) {
			check(s.from == json_integer_value(from));
			check(s.to == json_integer_value(to));
		}
	} else {
		check(s.cut && s.bad == 1);
		check(s.n >=
		      json_integer_value(json_object_get(file, "messages")));
	}
	check(s.sorted);
}

static void
test_of_others(void)
{
	json_error_t e;
	json_t *root = json_load_file(SHARED "/expected.json", 0, &e), *file;
	const char *name;

	if (root == NULL) {
		printf("# skipped: no " SHARED "\n");
		return;
	}
	json_object_foreach(json_object_get(root, "files"), name,
	    file) if (strstr(name, "mcap") != NULL ||
		      strcmp(name, "split") == 0) check_shared(name, file);
	json_decref(root);
}

int
main(void)
{
	strcpy(dir, "/tmp/pb-bags-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return 3;
	run(test_mcap);
	run(test_of_others);
	return done();
}
