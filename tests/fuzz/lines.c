/*
 * lines.c - any bytes as a file of lines, also a compressed one: each line
 * ends in front of the next, and all that is there comes out.
 */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "io/stream/line.h"

/* What gzip would inflate without end is cut off. */
#define LINES 100000

static void
read_all(char *path, size_t plain)
{
	struct pb_lines *r = pb_lines_new(&path, 1);
	struct pb_line l;
	struct pb_error bad;
	enum pb_next got;
	size_t sum = 0;

	must(r != NULL);
	for (int i = 0; i < LINES; i++) {
		got = pb_lines_next(r, &l, &bad);
		must(got != PB_HALT);
		if (got == PB_END)
			break;
		must(l.len <= l.raw);
		if (got == PB_NEXT) {
			must(l.text[l.raw] == 0);
			must(strlen(l.text) == l.raw);
			must(memchr(l.text, '\n', l.len) == NULL);
		} else {
			must(bad.text[0] != 0);
			if (l.at.line == 0) /* a file of another kind */
				plain = 0;
		}
		sum += l.raw;
	}
	must(plain == 0 || sum == plain);
	pb_lines_free(r);
}

int
LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n)
{
	int fd = memfd_create("lines", MFD_CLOEXEC);
	char path[32];

	must(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_all(path, n > 0 && bytes[0] == 0x1f ? 0 : n);
	close(fd);
	return 0;
}
