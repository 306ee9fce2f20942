/* bags.c - tests of recordings of ROS topics, our own and those of others. */
#define CHECK_MAIN
#include "check.h"

#include <jansson.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "makebag.h"
#include "io/ros/bag_read.h"
#include "io/stream/text.h"
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

enum { MESSAGES = 1500 }; /* more than one chunk of MCAP holds */

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
		    .data = data,
		    .size = make_message(i, data)};

		see(&s, &m);
	}
	return s;
}

static void
check_whole(const char *path, int n)
{
	struct seen s = see_recording(path), wanted = expected(n);

	check_int(s.n, wanted.n);
	check(s.hash == wanted.hash);
	check_int(s.bad, 0);
	if (s.bad > 0 || s.n != n)
		printf("# %s: %s\n", path, s.first.text);
}

test(mcap)
{
	for (int pack = PB_PACK_NONE; pack <= PB_PACK_ZSTD; pack++) {
		const char *path = path_of("a.mcap");

		check(make_mcap(path, (enum pb_pack)pack, 0, MESSAGES));
		check_whole(path, MESSAGES);
	}
}

test(ros1)
{
	static const enum pb_pack packs[] = {
	    PB_PACK_NONE, PB_PACK_LZ4, PB_PACK_BZ2};

	for (int i = 0; i < 3; i++) {
		check(make_ros1(path_of("a.bag"), packs[i], MESSAGES, true));
		check_whole(path_of("a.bag"), MESSAGES);
	}
}

test(ros1_active)
{
	struct seen s;

	check(make_ros1(path_of("a.bag"), PB_PACK_NONE, MESSAGES, false));
	s = see_recording(path_of("a.bag"));
	check_int(s.n, MESSAGES);
	check(s.bad == 1 && s.cut);
	check_has(s.first.text, "never closed");
}

test(db3)
{
	for (int how = 0; how < DB3_CRASHED; how++) {
		check(make_db3(path_of("a.db3"), 0, MESSAGES, how));
		check(chmod(dir, 0555) == 0);
		check_whole(path_of("a.db3"), MESSAGES);
		check(chmod(dir, 0755) == 0);
	}
}

/* The last messages are in a -wal: no recording is read without them. */
test(crashed_db3)
{
	struct seen s;

	check(make_db3(path_of("a.db3"), 0, MESSAGES, DB3_CRASHED));
	s = see_recording(path_of("a.db3"));
	check(s.refused && strstr(s.first.text, "a.db3-wal") != NULL);
	remove(path_of("a.db3-wal"));
}

static void
shell(const char *fmt, const char *a, const char *b)
{
	char line[600];

	snprintf(line, sizeof(line), fmt, a, b);
	check(system(line) == 0);
}

static void
write_zstd(const char *from, const char *to)
{
	static char in[5000000], out[5000000];
	FILE *f = fopen(from, "rb");
	size_t n = fread(in, 1, sizeof(in), f);

	fclose(f);
	n = ZSTD_compress(out, sizeof(out), in, n, 1);
	f = fopen(to, "wb");
	fwrite(out, 1, n, f);
	fclose(f);
}

/* Of each format: compressed as a whole, and from a pipe. */
test(without_a_name)
{
	static const char *const names[] = {"a.mcap", "a.bag", "a.db3"};

	check(make_mcap(path_of("a.mcap"), PB_PACK_ZSTD, 0, MESSAGES));
	check(make_ros1(path_of("a.bag"), PB_PACK_LZ4, MESSAGES, true));
	check(make_db3(path_of("a.db3"), 0, MESSAGES, 0));
	for (int i = 0; i < 3; i++) {
		write_zstd(path_of(names[i]), path_of("a.zstd"));
		check_whole(path_of("a.zstd"), MESSAGES);
		shell("gzip -c %s >%s", path_of(names[i]), path_of("a.gz"));
		check_whole(path_of("a.gz"), MESSAGES);
		shell("rm -f %s; mkfifo %s", path_of("pipe"), path_of("pipe"));
		shell("cat %s >%s &", path_of(names[i]), path_of("pipe"));
		check_whole(path_of("pipe"), MESSAGES);
	}
}

static void
write_text(const char *name, const char *s)
{
	FILE *f = fopen(path_of(name), "wb");

	fputs(s, f);
	fclose(f);
}

test(folders)
{
	check(mkdir(path_of("d"), 0755) == 0);
	check(make_mcap(path_of("d/p_2.mcap"), PB_PACK_ZSTD, 0, 100));
	check(make_mcap(path_of("d/p_10.mcap"), PB_PACK_LZ4, 100, 101));
	check(make_db3(path_of("d/p_11.db3"), 101, 300, 0));
	check(make_db3(path_of("d/x"), 300, MESSAGES, DB3_ZSTD));
	write_zstd(path_of("d/x"), path_of("d/p_12.db3.zstd"));
	check_whole(path_of("d"), MESSAGES);
	check(make_mcap(path_of("d/a.mcap"), PB_PACK_ZSTD, 0, 5));
	write_text("d/metadata.yaml",
	    "rosbag2_bagfile_information:\n  version: 3\n"
	    "  relative_file_paths: [p_2.mcap, \"d/p_10.mcap\",\n"
	    "    p_11.db3, d/p_12.db3.zstd]\n  files:\n  - path: a.mcap\n");
	check_whole(path_of("d"), MESSAGES);
}

/* Files as bytes, to be cut and changed. */
static unsigned char bytes[6000000];
static size_t n_bytes;

/* A part that is not there, or cut off, is told, and the others are read. */
test(broken_folders)
{
	struct seen s;

	shell("head -c 3000 %s >%s", path_of("d/p_2.mcap"), path_of("d/cut"));
	write_text("d/metadata.yaml",
	    "a:\n relative_file_paths:\n  - cut\n  - none.mcap\n"
	    "  - metadata.yaml\n  - p_10.mcap\n");
	s = see_recording(path_of("d"));
	check(!s.refused && s.cut);
	check_int(s.bad, 3);
	check(s.n >= 1 && s.n < 101);
	check_has(s.first.file, "/cut");
	write_text("d/metadata.yaml", "a: [\n");
	s = see_recording(path_of("d"));
	check(s.refused && s.first.line > 0);
	memset(bytes, '[', n_bytes = 200000);
	bytes[n_bytes - 1] = '\0';
	write_text("d/metadata.yaml", (const char *)bytes);
	s = see_recording(path_of("d"));
	check(s.refused && strstr(s.first.text, "1000 brackets") != NULL);
	memset(bytes, '#', n_bytes = 5 << 20);
	bytes[n_bytes - 1] = '\0';
	write_text("d/metadata.yaml", (const char *)bytes);
	s = see_recording(path_of("d"));
	check(s.refused && strstr(s.first.text, "larger than") != NULL);
	write_text("d/metadata.yaml", "a: b\n");
	s = see_recording(path_of("d"));
	check(s.refused);
	check_str(s.first.field, "relative_file_paths");
	shell("rm -f %s/* %s", path_of("d"), "");
	s = see_recording(path_of("d"));
	check(s.refused && strstr(s.first.text, "without a rec") != NULL);
}

static void
load(const char *path)
{
	FILE *f = fopen(path, "rb");

	n_bytes = f != NULL ? fread(bytes, 1, sizeof(bytes), f) : 0;
	check(n_bytes > 0 && n_bytes < sizeof(bytes));
	if (f != NULL)
		fclose(f);
}

static struct seen
see_bytes(size_t n)
{
	FILE *f = fopen(path_of("bytes"), "wb");

	fwrite(bytes, 1, n, f);
	fclose(f);
	return see_recording(path_of("bytes"));
}

/* How many messages are whole in the first n bytes of MCAP that is not
 * packed: the obvious way. */
static int
whole_messages(size_t from, size_t n)
{
	int sum = 0;

	while (from + 9 <= n) {
		const unsigned char *p = bytes + from;
		size_t len = (size_t)pb_le_get(p + 1, 8);

		if (p[0] == 6 && from + 9 + 40 <= n)
			sum += whole_messages(from + 9 + 40,
			    from + 9 + len < n ? from + 9 + len : n);
		sum += p[0] == 5 && from + 9 + len <= n;
		from += 9 + len;
	}
	return sum;
}

/* Messages of the index at p, each of which must be where it says. */
static int
check_index(const unsigned char *p, const unsigned char *records)
{
	uint32_t n = (uint32_t)pb_le_get(p + 9 + 2, 4);

	check_int(p[0], 7);
	for (uint32_t i = 0; i < n; i += 16) {
		const unsigned char *entry = p + 9 + 6 + i;
		const unsigned char *m = records + pb_le_get(entry + 8, 8);

		check_int(m[0], 5);
		check(pb_le_get(m + 9, 2) == pb_le_get(p + 9, 2));
		check(pb_le_get(m + 9 + 6, 8) == pb_le_get(entry, 8));
	}
	return (int)n / 16;
}

/* What readers that do not go through the file look for. */
test(index)
{
	size_t at;
	int n[256] = {0}, messages = 0;

	check(make_mcap(path_of("a"), PB_PACK_NONE, 0, MESSAGES));
	load(path_of("a"));
	at = (size_t)pb_le_get(bytes + n_bytes - 28, 8);
	check(at > n_bytes / 2 && at < n_bytes);
	for (; at + 9 < n_bytes - 8;
	     at += 9 + (size_t)pb_le_get(bytes + at + 1, 8)) {
		const unsigned char *p = bytes + at + 9;
		const unsigned char *chunk = bytes + pb_le_get(p + 16, 8);

		n[bytes[at]]++;
		if (bytes[at] == 11)
			check_int((long long)pb_le_get(p, 8), MESSAGES);
		if (bytes[at] != 8)
			continue;
		check_int(chunk[0], 6);
		check(9 + pb_le_get(chunk + 1, 8) == pb_le_get(p + 24, 8));
		check(pb_le_get(chunk + 9, 8) == pb_le_get(p, 8));
		for (uint32_t i = 0; i < (uint32_t)pb_le_get(p + 32, 4);
		     i += 10)
			messages +=
			    check_index(bytes + pb_le_get(p + 36 + i + 2, 8),
				chunk + 9 + 40);
	}
	check_int(at, (long long)n_bytes - 8);
	check_int(messages, MESSAGES);
	check(n[3] == 2 && n[4] == TOPICS && n[11] == 1 && n[8] == 2);
	check_int(n[2], 1);
}

/* All whole messages, then that it is cut off. */
static void
check_cut(size_t n, const struct seen *full, int least)
{
	struct seen s = see_bytes(n);

	if (s.refused)
		return;
	if (s.n < least || s.n > full->n || !s.cut || s.bad != 1 ||
	    (s.n > 0 && s.hash != full->prefix[s.n - 1])) {
		printf("# cut at %zu: %d messages, %d expected: %s\n", n, s.n,
		    least, s.first.text);
		check(!"what is whole, and one complaint");
	}
}

test(cut_mcap)
{
	struct seen full = expected(MESSAGES);

	check(make_mcap(path_of("a.mcap"), PB_PACK_NONE, 0, MESSAGES));
	load(path_of("a.mcap"));
	check_int(whole_messages(8, n_bytes), MESSAGES);
	for (size_t k = 8; k < n_bytes; k += n_bytes / 101)
		check_cut(k, &full, whole_messages(8, k));
	for (size_t k = n_bytes - 60; k < n_bytes; k++)
		check_cut(k, &full, MESSAGES);
}

test(cut_packed)
{
	struct seen full = expected(MESSAGES);
	int least = 0;

	for (int i = 0; i < 4; i++) {
		if (i < 2)
			make_mcap(path_of("a"),
			    i == 0 ? PB_PACK_ZSTD : PB_PACK_LZ4, 0, MESSAGES);
		else
			make_ros1(path_of("a"),
			    i == 2 ? PB_PACK_BZ2 : PB_PACK_LZ4, MESSAGES, true);
		load(path_of("a"));
		least = 0;
		for (size_t k = 20; k < n_bytes; k += n_bytes / 41) {
			struct seen s = see_bytes(k);

			check_cut(k, &full, least);
			least = s.n;
		}
	}
}

/* No more than was recorded, and one complaint. */
test(cut_db3)
{
	struct seen full = expected(300), s;

	check(make_db3(path_of("a.db3"), 0, 300, 0));
	load(path_of("a.db3"));
	for (size_t k = 100; k < n_bytes; k += n_bytes / 97) {
		s = see_bytes(k);
		check_int(s.bad, 1);
		check(s.n < 300);
		check(s.n == 0 || s.hash == full.prefix[s.n - 1]);
	}
}

/* Flips of bytes: it ends, in whatever way. */
static void
flip(int n)
{
	struct pb_rng r = draws(1, PB_FOR_MAP);

	for (int i = 0; i < n; i++) {
		size_t at = pb_rng_below(&r, (uint32_t)n_bytes);
		unsigned char was = bytes[at];
		struct seen s;

		bytes[at] ^= (unsigned char)(1 + pb_rng_below(&r, 255));
		s = see_bytes(n_bytes);
		bytes[at] = was;
		check(s.n <= 2 * MESSAGES);
	}
}

test(flips)
{
	make_mcap(path_of("a"), PB_PACK_NONE, 0, 100);
	load(path_of("a"));
	flip(100);
	make_mcap(path_of("a"), PB_PACK_ZSTD, 0, MESSAGES);
	load(path_of("a"));
	flip(50);
	make_ros1(path_of("a"), PB_PACK_LZ4, MESSAGES, true);
	load(path_of("a"));
	flip(50);
	make_db3(path_of("a"), 0, 200, DB3_ZSTD);
	load(path_of("a"));
	flip(100);
}

/* A flipped byte of a message is seen by the chunk's CRC. */
test(crc)
{
	struct seen s;

	make_mcap(path_of("a"), PB_PACK_NONE, 0, 10);
	load(path_of("a"));
	bytes[1000] ^= 1;
	s = see_bytes(n_bytes);
	check_int(s.n, 10);
	check_int(s.bad, 2); /* of the chunk, of the data */
	check(strstr(s.first.text, "CRC") != NULL && !s.cut);
}

/* What states another size than comes out is refused, and what follows read. */
test(lying_sizes)
{
	static const uint64_t sizes[] = {0, 1000, UINT64_MAX, UINT64_MAX - 1};
	size_t at;

	make_mcap(path_of("a"), PB_PACK_ZSTD, 0, MESSAGES);
	load(path_of("a"));
	at = 8 + 9 + (size_t)pb_le_get(bytes + 9, 8); /* behind the header */
	check_int(bytes[at], 6);
	for (int i = 0; i < 4; i++) {
		struct seen s;

		for (int k = 0; k < 8; k++)
			bytes[at + 9 + 16 + (size_t)k] =
			    (unsigned char)(sizes[i] >> (8 * k));
		s = see_bytes(n_bytes);
		check(s.bad >= 1);
		check(s.n < MESSAGES || sizes[i] > UINT32_MAX);
	}
}

/* Records that we do not know, and longer ones than we know. */
test(extra)
{
	static const char extra[] = "\x99\x05\0\0\0\0\0\0\0hello";
	size_t at;
	struct seen s;

	make_mcap(path_of("a"), PB_PACK_NONE, 0, 10);
	load(path_of("a"));
	at = 8 + 9 + (size_t)pb_le_get(bytes + 9, 8);
	memmove(bytes + at + 14, bytes + at, n_bytes - at);
	memcpy(bytes + at, extra, 14);
	/* Three more at the end of the header, which was not so long. */
	memmove(bytes + at + 3, bytes + at, n_bytes + 14 - at);
	bytes[9] += 3;
	n_bytes += 17;
	s = see_bytes(n_bytes);
	check_int(s.n, 10);
	check_int(s.bad, 1); /* only the CRC of all */
	check_has(s.first.text, "CRC of the data");
}

/* A file without topics is whole, its sums included. */
test(no_topics)
{
	struct pb_error bad;
	struct pb_mcap_write *w = pb_mcap_write_new(path_of("none.mcap"), &bad);
	struct seen s;

	check(w != NULL && pb_mcap_write_end(w, &bad));
	pb_mcap_write_free(w);
	s = see_recording(path_of("none.mcap"));
	check_int(s.n, 0);
	check_int(s.bad, 0);
}

/* Much more than is in memory goes through: each chunk is passed on. */
test(large)
{
	static unsigned char zero[1000000];
	char plain[4096];
	struct pb_error bad;
	struct pb_mcap_write *w = pb_mcap_write_new(path_of("large"), &bad);
	int id = add_channel(w, 0);
	struct rusage before, after;
	struct seen s;

	for (int i = 0; i < 200; i++)
		pb_mcap_write_message(w, id, time_of(i), zero, sizeof(zero));
	check(pb_mcap_write_end(w, &bad));
	pb_mcap_write_free(w);
	snprintf(plain, sizeof(plain), "%s", path_of("large"));
	check(pack_mcap(plain, path_of("large.mcap"), PB_PACK_ZSTD));
	remove(plain);
	getrusage(RUSAGE_SELF, &before);
	s = see_recording(path_of("large.mcap"));
	getrusage(RUSAGE_SELF, &after);
	check_int(s.n, 200);
	check_int(s.bad, 0);
#ifndef __SANITIZE_ADDRESS__ /* which keeps what was freed */
	check(after.ru_maxrss - before.ru_maxrss < 64 * 1024);
#endif
}

/* Those that other programs wrote, where they are. */
#define SHARED "../shared/data/bags"

/* As the file says of itself. */
static void
check_topics(const struct seen *s, json_t *file)
{
	json_t *count, *from = json_object_get(file, "first_log_time_ns");
	const char *topic;

	check_int(s->bad, 0);
	check_int(s->n, json_integer_value(json_object_get(file, "messages")));
	json_object_foreach(json_object_get(file, "topics"), topic, count)
	{
		int i = 0;

		while (i < s->topics && strcmp(s->topic[i], topic) != 0)
			i++;
		check(i < s->topics);
		check_int(s->count[i], json_integer_value(count));
	}
	if (!json_is_integer(from))
		return;
	check(s->from == json_integer_value(from));
	check(s->to ==
	      json_integer_value(json_object_get(file, "last_log_time_ns")));
}

/* The messages of ROS 2 are the same in all, and so are those of ROS 1. */
static void
check_hash(const char *name, const struct seen *s)
{
	static uint64_t hash[2];
	int ros1 = strstr(name, ".bag") != NULL;

	if (s->n != 757)
		return;
	check(hash[ros1] == 0 || s->hash == hash[ros1]);
	hash[ros1] = s->hash;
}

static void
check_shared(const char *name, json_t *file)
{
	char path[200];
	struct seen s;

	snprintf(path, sizeof(path), SHARED "/%s", name);
	s = see_recording(path);
	check(s.sorted);
	if (strstr(name, "truncated") != NULL) {
		check(s.cut && s.bad == 1);
		check(s.n >=
		      json_integer_value(json_object_get(file, "messages")));
		return;
	}
	if (s.bad > 0)
		printf("# %s: %s\n", name, s.first.text);
	check_topics(&s, file);
	check_hash(name, &s);
}

test(of_others)
{
	json_error_t e;
	json_t *root = json_load_file(SHARED "/expected.json", 0, &e), *file;
	const char *name;

	if (root == NULL) {
		printf("# skipped: no " SHARED "\n");
		return;
	}
	json_object_foreach(json_object_get(root, "files"), name, file)
	{
		if (strstr(name, "jsonl") == NULL)
			check_shared(name, file);
	}
	json_decref(root);
}

/* For fuzzers: one of each kind, small. */
static int
write_seeds(void)
{
	enum { FEW = 8 };
	bool ok = make_mcap(path_of("plain.mcap"), PB_PACK_NONE, 0, FEW) &&
	          make_mcap(path_of("lz4.mcap"), PB_PACK_LZ4, 0, FEW) &&
	          make_mcap(path_of("zstd.mcap"), PB_PACK_ZSTD, 0, FEW) &&
	          make_ros1(path_of("none.bag"), PB_PACK_NONE, FEW, true) &&
	          make_ros1(path_of("lz4.bag"), PB_PACK_LZ4, FEW, true) &&
	          make_ros1(path_of("bz2.bag"), PB_PACK_BZ2, FEW, false) &&
	          make_db3(path_of("v4.db3"), 0, FEW, DB3_V4) &&
	          make_db3(path_of("zstd.db3"), 0, FEW, DB3_ZSTD | DB3_PLAIN);

	write_zstd(path_of("plain.mcap"), path_of("mcap.zstd"));
	return ok ? 0 : 3;
}

int
main(int argc, char **argv)
{
	if (argc > 1) {
		snprintf(dir, sizeof(dir), "%s", argv[1]);
		return write_seeds();
	}
	strcpy(dir, "/tmp/pb-bags-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return 3;
	run_tests();
	shell("rm -rf %s %s", dir, "");
	return done();
}
