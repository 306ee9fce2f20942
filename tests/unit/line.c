/* line.c - tests of the line reader. */
#define CHECK_MAIN
#include "check.h"

#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "io/stream/line.h"

static char dir[64];

static const char *
path_of(const char *name)
{
	static char path[2][128];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
	return path[turn];
}

static void
write_file(const char *name, const char *s, size_t n)
{
	FILE *f = fopen(path_of(name), "wb");

	fwrite(s, 1, n, f);
	fclose(f);
}

static void
write_gzip(const char *name, const char *s, size_t n, const char *mode)
{
	gzFile f = gzopen(path_of(name), mode);

	gzwrite(f, s, (unsigned)n);
	gzclose(f);
}

/* Text with short and long lines, some ended by CR LF, maybe cut short. */
static size_t
make_text(struct pb_rng *g, char *s, size_t room)
{
	size_t n = 0, want = pb_rng_below(g, (uint32_t)room - 2);

	while (n < want) {
		size_t len = pb_rng_below(g, 8) == 0 ? pb_rng_below(g, 90000)
		                                     : pb_rng_below(g, 40);

		for (; len > 0 && n < want; len--)
			s[n++] = (char)('a' + pb_rng_below(g, 26));
		if (n < want && pb_rng_below(g, 3) == 0)
			s[n++] = '\r';
		if (n < want)
			s[n++] = '\n';
	}
	return n;
}

/* The reader must give the lines of s, in this file or stream. */
static void
check_lines(struct pb_lines *r, const char *file, const char *s, size_t n)
{
	size_t at = 0;
	struct pb_line l;
	struct pb_error bad;

	for (long no = 1; at < n; no++) {
		const char *nl = memchr(s + at, '\n', n - at);
		size_t raw = nl ? (size_t)(nl - s) + 1 - at : n - at;
		size_t len = nl ? raw - 1 : raw;

		if (nl && len > 0 && s[at + len - 1] == '\r')
			len--;
		if (pb_lines_next(r, &l, &bad) != PB_NEXT) {
			check(!"a line");
			return;
		}
		check(l.raw == raw && l.len == len);
		check(memcmp(l.text, s + at, raw) == 0);
		check(l.text[raw] == 0);
		check_int(l.at.line, no);
		check_str(l.at.file, file);
		at += raw;
	}
}

static void
check_end(struct pb_lines *r)
{
	struct pb_line l;
	struct pb_error bad;

	check(pb_lines_next(r, &l, &bad) == PB_END);
	check(pb_lines_next(r, &l, &bad) == PB_END);
}

enum { ROOM = 400000 };
static char text[ROOM], other[ROOM];

test(files_against_memory)
{
	struct pb_rng g = draws(1, PB_FOR_MAP);

	for (int i = 0; i < 60; i++) {
		size_t n = make_text(&g, text, i < 30 ? 200 : ROOM);
		size_t m = make_text(&g, other, i < 30 ? 200 : ROOM);
		char a[128], b[128];
		char *files[] = {a, b, a};
		struct pb_lines *r;

		strcpy(a, path_of("a"));
		strcpy(b, path_of("b.gz"));
		write_file("a", text, n);
		write_gzip("b.gz", other, m, "wb1");
		r = pb_lines_new(files, 3);
		check_lines(r, a, text, n);
		check_lines(r, b, other, m);
		check_lines(r, a, text, n);
		check_end(r);
		pb_lines_free(r);
	}
}

/* Members one after the other are one text, as gzip has it. */
test(gzip_members)
{
	char a[128];
	char *files[] = {a};
	struct pb_lines *r;

	strcpy(a, path_of("m.gz"));
	write_gzip("m.gz", "one\ntw", 6, "wb");
	write_gzip("m.gz", "o\nthree\n", 8, "ab");
	r = pb_lines_new(files, 1);
	check_lines(r, a, "one\ntwo\nthree\n", 14);
	check_end(r);
	pb_lines_free(r);
}

/* Feed our standard input by a pipe, in pieces of any size. */
static pid_t
feed(const char *s, size_t n, size_t piece)
{
	int fd[2];
	pid_t child;

	if (pipe(fd) != 0 || (child = fork()) < 0)
		return -1;
	if (child == 0) {
		close(fd[0]);
		for (size_t at = 0; at < n; at += piece) {
			size_t k = n - at < piece ? n - at : piece;

			if (write(fd[1], s + at, k) < 0)
				_exit(1);
		}
		_exit(0);
	}
	dup2(fd[0], STDIN_FILENO);
	close(fd[0]);
	close(fd[1]);
	return child;
}

test(pipes_in_pieces)
{
	struct pb_rng g = draws(2, PB_FOR_MAP);

	for (size_t piece = 1; piece < 100000; piece = piece * 5 + 2) {
		size_t n = make_text(&g, text, piece < 50 ? 3000 : ROOM);
		pid_t child = feed(text, n, piece);
		struct pb_lines *r = pb_lines_new(NULL, 0);

		check_lines(r, "<stdin>", text, n);
		check_end(r);
		pb_lines_free(r);
		waitpid(child, NULL, 0);
	}
}

test(bad_lines_are_passed)
{
	char a[128];
	char *files[] = {(char[]){"/no/such/file"}, dir, a};
	struct pb_lines *r = pb_lines_new(files, 3);
	struct pb_line l;
	struct pb_error bad;

	strcpy(a, path_of("nul"));
	write_file("nul", "good\nb\0d\ngood", 13);
	check(pb_lines_next(r, &l, &bad) == PB_BAD);
	check_str(bad.text, "cannot open: No such file or directory");
	check(l.at.line == 0 && strcmp(l.at.file, files[0]) == 0);
	check(pb_lines_next(r, &l, &bad) == PB_BAD);
	check_str(bad.text, "is a directory");
	check(pb_lines_next(r, &l, &bad) == PB_NEXT);
	check(pb_lines_next(r, &l, &bad) == PB_BAD);
	check_str(bad.text, "a NUL byte in the line");
	check(l.at.line == 2 && l.raw == 4);
	check(pb_lines_next(r, &l, &bad) == PB_NEXT);
	check(l.at.line == 3 && l.len == 4);
	check_end(r);
	pb_lines_free(r);
}

/* Every byte of a compressed file changed, and every length of it. */
test(broken_gzip)
{
	char a[128], z[512];
	char *files[] = {a};
	size_t n;
	FILE *f;
	long refused = 0;

	strcpy(a, path_of("g.gz"));
	write_gzip("g.gz", "{\"type\":\"pose\"}\nsecond line\n", 28, "wb");
	f = fopen(a, "rb");
	n = fread(z, 1, sizeof(z), f);
	fclose(f);
	for (size_t i = 0; i < 2 * n; i++) {
		struct pb_lines *r;
		struct pb_line l;
		struct pb_error bad;
		enum pb_next got;

		if (i < n)
			z[i] ^= 0x55;
		write_file("g.gz", z, i < n ? n : i - n);
		if (i < n)
			z[i] ^= 0x55;
		r = pb_lines_new(files, 1);
		while ((got = pb_lines_next(r, &l, &bad)) != PB_END) {
			refused += got == PB_BAD;
			if (got == PB_HALT)
				break;
		}
		check(got == PB_END);
		pb_lines_free(r);
	}
	check(refused > (long)n);
}

/* Two talkers: what was written is out before the reader waits. */
test(flush_before_wait)
{
	int in[2], out[2];
	char got[16] = "";
	pid_t child;

	if (pipe(in) != 0 || pipe(out) != 0 || (child = fork()) < 0)
		return;
	if (child == 0) {
		struct pb_lines *r;
		struct pb_line l;
		struct pb_error bad;

		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[1]);
		r = pb_lines_new(NULL, 0);
		while (pb_lines_next(r, &l, &bad) == PB_NEXT)
			printf("<%s", l.text);
		pb_lines_free(r);
		fflush(stdout);
		_exit(0);
	}
	alarm(20); /* a deadlock fails the test */
	for (int i = 0; i < 3; i++) {
		check(write(in[1], "hi\n", 3) == 3);
		check(read(out[0], got, sizeof(got)) == 4);
		check(memcmp(got, "<hi\n", 4) == 0);
	}
	alarm(0);
	close(in[1]);
	waitpid(child, NULL, 0);
	close(in[0]);
	close(out[0]);
	close(out[1]);
}

int
main(void)
{
	int end;

	strcpy(dir, "/tmp/pb-line-XXXXXX");
	if (!mkdtemp(dir))
		return 1;
	run_tests();
	end = done();
	for (int i = 0; i < 5; i++) {
		static const char *const made[] = {
		    "a", "b.gz", "m.gz", "nul", "g.gz"};

		unlink(path_of(made[i]));
	}
	rmdir(dir);
	return end;
}
