/*
 * bags.c - any bytes as a recording of topics, of all formats: each message is
 * all there, and after a while it ends.
 */
#include "fuzz.h"

#include <unistd.h>

#include "base/hash.h"
#include "io/ros/bag.h"

/* What zstd or a tree of pages that leads in circles would go on with. */
#define MESSAGES 100000

/* SQLite wants a name; one file serves for all inputs. */
static char path[] = "/tmp/pb-fuzz-XXXXXX";
static int fd = -1;

static void
remove_file(void)
{
	unlink(path);
}

static void
write_file(const unsigned char *bytes, size_t n)
{
	if (fd < 0) {
		fd = mkstemp(path);
		must(fd >= 0 && atexit(remove_file) == 0);
	}
	must(ftruncate(fd, 0) == 0);
	must(pwrite(fd, bytes, n, 0) == (ssize_t)n);
}

static void
read_all(struct pb_bag *b)
{
	volatile uint64_t hash = PB_HASH_START;

	for (int i = 0; i < MESSAGES; i++) {
		struct pb_bag_message m;
		struct pb_error bad = {.text = ""};
		enum pb_next got = pb_bag_next(b, &m, &bad);

		must(got != PB_HALT);
		if (got == PB_END)
			break;
		if (got == PB_BAD) {
			must(bad.text[0] != '\0');
			continue;
		}
		must(strstr(m.type, "/msg/") == NULL);
		must(strcmp(m.file, path) == 0);
		hash = pb_hash_bytes(hash, m.topic, strlen(m.topic));
		hash = pb_hash_bytes(hash, m.data, m.size);
	}
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	struct pb_source s = {0};
	struct pb_error bad = {.text = ""};
	struct pb_bag *b;
	char head[PB_BAG_HEAD];
	size_t got = 0;

	write_file(bytes, n);
	must(pb_source_open(&s, path, &bad));
	if (pb_source_read(&s, head, sizeof(head), &got, &bad) == PB_NEXT &&
	    pb_bag_is(head, got)) {
		b = pb_bag_open(path, &s, head, got, &bad);
		must(b != NULL || bad.text[0] != '\0');
		if (b != NULL)
			read_all(b);
		pb_bag_close(b);
	}
	pb_source_close(&s);
	return 0;
}
